/* SPDX-License-Identifier: Apache-2.0 */
/* oct_event.h - what a trace is made of: retired instructions, their data accesses, the traps
 * between them, and the program map that says what is known of each instruction without running it.
 *
 * Threads: Values alone, which any threads may read at the same time. */
#ifndef OCT_EVENT_H
#define OCT_EVENT_H

#include "oct_shadow_op.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most data-access slots that the map tells apart. */
#define OCT_SLOTS_MAX 16

/* The slot of access number s of an instruction in the machine, 0..15. Accesses beyond the slots
 * take turns on the last two: the loads and stores of x86 `rep movs` come in turn. */
static inline unsigned oct_access_slot(unsigned s) {
  return s < OCT_SLOTS_MAX ? s : OCT_SLOTS_MAX - 2 + (s & 1);
}

/* One data access of a retired instruction. */
typedef struct oct_access {
  uint64_t addr;
  uint8_t size_bytes; /* a power of two up to 64, or 0 when unknown */
  uint8_t is_store;   /* 0 load, 1 store */
} oct_access;

/* Flags of a retired instruction. */
enum {
  OCT_INSN_END = 1, /* its accesses need a terminator: fewer than the map's slots, or variable */
  OCT_INSN_PARTIAL = 2,    /* decoded after a loss: its last accesses are missing */
  OCT_INSN_HAS_CYCLE = 4,  /* `cycle` is meaningful */
  OCT_INSN_CLASS_SHIFT = 4 /* from this bit on: its oct_class, once it went through the map */
};

/* Most accesses of an instruction: n_access has 16 bits. */
#define OCT_INSN_ACCESSES_MAX 65535

/* One retired instruction. Its n_access accesses stand in the batch's access array, in the order
 * of the instructions. */
typedef struct oct_insn {
  uint64_t addr;
  uint64_t cycle; /* time stamp in cycles, if OCT_INSN_HAS_CYCLE */
  uint32_t task;  /* thread or process number, 0 when the trace has one only */
  uint16_t n_access;
  uint8_t size_bytes; /* 1..15 */
  uint8_t flags;
} oct_insn;

/* What a trap is. */
typedef enum oct_trap_kind {
  OCT_TRAP_EXCEPTION = 0, /* of an instruction, which did not retire */
  OCT_TRAP_INTERRUPT,
  OCT_TRAP_PRIVILEGE, /* no trap: the privilege changed by a return from one, or is told */
  OCT_TRAP_KINDS
} oct_trap_kind;

/* A privilege is the instruction set's number, 0 for programs (RISC-V: 0 user, 1 supervisor, 3
 * machine; Arm: exception levels 0..3). */
enum { OCT_PRIVILEGE_MAX = 6, OCT_PRIVILEGE_UNKNOWN = 7 };

/* A trap, taken between two instructions: before insns[insn] of its batch, or behind the last one
 * (insn = n_insns). Traps are in order; several may stand at one place. Fields that its kind does
 * not have are 0, and so are those that the recorder did not tell. */
typedef struct oct_trap {
  uint64_t addr;     /* where the program was to go on: the instruction that did not retire (epc) */
  uint64_t tval;     /* exceptions: the bad address or instruction, as the core tells it */
  uint32_t cause;    /* exceptions and interrupts: the instruction set's number, each counted from 0
                      */
  uint32_t insn;     /* 0..n_insns of the batch */
  uint8_t kind;      /* oct_trap_kind */
  uint8_t privilege; /* from here on, 0..OCT_PRIVILEGE_MAX or OCT_PRIVILEGE_UNKNOWN */
  uint8_t reserved[6]; /* 0 */
} oct_trap;

/* A known kind, a privilege up to OCT_PRIVILEGE_UNKNOWN, and 0 in what the kind does not have? */
static inline bool oct_trap_is_valid(const oct_trap *t) {
  return t->kind < OCT_TRAP_KINDS && t->privilege <= OCT_PRIVILEGE_UNKNOWN &&
         (t->kind == OCT_TRAP_EXCEPTION || !t->tval) &&
         (t->kind != OCT_TRAP_PRIVILEGE || (!t->cause && !t->addr));
}

/* Class of an instruction (the `itype` of the core interface). */
typedef enum oct_class {
  OCT_CLASS_UNKNOWN = 0, /* its bytes were never seen */
  OCT_CLASS_OTHER,
  OCT_CLASS_COND_BRANCH, /* has a target */
  OCT_CLASS_DIRECT_JUMP, /* has a target */
  OCT_CLASS_DIRECT_CALL, /* has a target */
  OCT_CLASS_INDIRECT_JUMP,
  OCT_CLASS_INDIRECT_CALL,
  OCT_CLASS_RETURN,
  OCT_CLASS_COUNT
} oct_class;

static inline oct_class oct_insn_class(const oct_insn *insn) {
  return (oct_class)(insn->flags >> OCT_INSN_CLASS_SHIFT);
}

/* Bits of one slot byte. */
enum {
  OCT_SLOT_SIZE_MASK = 7, /* log2 of the size in bytes, 7 = unknown */
  OCT_SLOT_SIZE_UNKNOWN = 7,
  OCT_SLOT_STORE = 8,
  OCT_SLOT_PC_RELATIVE = 16
};

/* Flags of a map entry. */
enum {
  OCT_MAP_VARIABLE = 1, /* the number of accesses is not fixed (x86 rep movs): always terminated */
  OCT_MAP_CONDITIONAL = 2, /* may retire without making its accesses (ARM ldrne) */
  /* Continues the entry of this address, behind which it stands: slots[0..n_slots-1], 1 to 16 of
   * them, describe its accesses from number target on, 16 or where the one before ended. Size and
   * class are the entry's. A new entry for the address ends what continued the old one. */
  OCT_MAP_CONTINUES = 4
};

/* Longest instruction in bytes. */
#define OCT_CODE_MAX 15

/* What is known of the instruction at one address. Access number s is described by
 * slots[oct_access_slot(s)], or by the entries that continue it (oct_map_slot). Unused slot bytes
 * and reserved are 0. */
typedef struct oct_map_entry {
  uint64_t addr;
  uint64_t target; /* 0 when the class has none */
  uint8_t size_bytes;
  uint8_t cls; /* oct_class */
  uint8_t n_slots;
  uint8_t flags;
  uint8_t slots[OCT_SLOTS_MAX];
  uint8_t reserved[4];
  uint8_t code_isa;           /* instruction set of `code`: oct_isa + 1, or 0: not known */
  uint8_t code[OCT_CODE_MAX]; /* its bytes, size_bytes of them, if code_isa says so; else 0 */
  oct_shadow_op op;           /* what it does to registers and addresses; all 0: not known */
} oct_map_entry;

/* A run of trace, owned by whoever filled it and valid until its next call. The map entries are
 * those that became known with this batch; they hold from its first instruction on. */
typedef struct oct_batch {
  const oct_insn *insns;
  size_t n_insns;
  const oct_access *accesses;
  size_t n_accesses;
  const oct_map_entry *map;
  size_t n_map;
  const oct_trap *traps;
  size_t n_traps;
} oct_batch;

/* How many of the traps stand before instruction number n of their batch. */
static inline size_t oct_traps_before(const oct_trap *traps, size_t n_traps, size_t n) {
  size_t i = 0;
  while (i < n_traps && traps[i].insn < n) i++;
  return i;
}

/* Keep the batch's first n instructions, with their accesses and the traps before them. */
static inline void oct_batch_cut(oct_batch *b, uint64_t n) {
  if (b->n_insns <= n) return;
  b->n_insns = (size_t)n;
  b->n_accesses = 0;
  for (size_t i = 0; i < b->n_insns; i++) b->n_accesses += b->insns[i].n_access;
  b->n_traps = oct_traps_before(b->traps, b->n_traps, b->n_insns);
}

#ifdef __cplusplus
}
#endif
#endif
