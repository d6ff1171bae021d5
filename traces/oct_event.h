/* SPDX-License-Identifier: Apache-2.0 */
/* oct_event.h - what a trace is made of: retired instructions, their data accesses, and the
 * program map that says what is known of each instruction without running it.
 *
 * Threads: Values alone, which any threads may read at the same time. */
#ifndef OCT_EVENT_H
#define OCT_EVENT_H

#include "oct_shadow_op.h"

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
} oct_batch;

#ifdef __cplusplus
}
#endif
#endif
