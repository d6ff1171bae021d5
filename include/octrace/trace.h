/* SPDX-License-Identifier: Apache-2.0 */
/* octrace/trace.h - what a trace is made of, and how it is read and written: effects of
 * instructions, events, instruction sets, readers, writers, sources; and sessions, which have the
 * state of a recorded program. */
#ifndef OCTRACE_TRACE_H
#define OCTRACE_TRACE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of map.h. */
typedef struct oct_program oct_program;
typedef struct oct_map oct_map;
typedef struct oct_map_update oct_map_update;

/* The effect of an instruction: what it does to registers and addresses, in a form that knows no
 * instruction set.
 *
 * Encoder and decoder of a trace both have the program, so both can run a shadow of it: registers
 * that are known or unknown, moved on by these operations and by what the trace tells. An operation
 * says nothing that is not in the instruction's bytes and its address; whatever is not understood
 * is said to be unknown. docs/trace-format.md holds the same, field by field, with its bytes in
 * files.
 *
 * One instruction does, in this order, with all operands read before anything is written:
 *   1. its condition is looked up; where it fails, nothing below happens (but see `cond`),
 *   2. accesses 0 .. n_first-1 are made by mem[0], the others by mem[1],
 *   3. clobbered registers become unknown,
 *   4. the base registers of mem[0] and mem[1] are written back,
 *   5. the result goes to `dest`, the return address to `link`, the flags are set,
 *   6. loaded words go to their registers (`data`, `list`).
 * Arithmetic is modulo 2^32, or 2^64 with OCT_EFFECT_64. An indirect target is read in step 1.
 *
 * An operation of all zeros is "not known": any register may have changed.
 *
 * Threads: Values alone, which any threads may read at the same time. */

/* Numbers of registers. 0..31 are those of the instruction set, by its own numbers. */
enum {
  OCT_REG_COUNT = 32,
  OCT_REG_NONE = 32,   /* none; as a source: some value that is not known */
  OCT_REG_ZERO = 33,   /* reads 0; a constant operand is 0 + imm */
  OCT_REG_LOADED = 34, /* the word that access 0 of this instruction loads, extended by `extend` */
  OCT_REG_RESULT = 35, /* the result of this instruction */
  OCT_REG_LINK = 36    /* the return address, see OCT_EFFECT_LINK_ODD and OCT_EFFECT_DELAYED */
};

/* Bits of oct_effect.flags. */
enum {
  OCT_EFFECT_KNOWN = 1, /* the instruction is described; everything else is 0 without it */
  OCT_EFFECT_64 = 2,    /* registers and addresses have 64 bits, else 32 */
  OCT_EFFECT_DELAYED =
      4, /* a jump made after the next instruction (MIPS); links skip that one too */
  OCT_EFFECT_LIKELY = 8,       /* with DELAYED: the next instruction is left out when not taken */
  OCT_EFFECT_LINK_ODD = 16,    /* the return address is odd: it has bit 0 set (Thumb) */
  OCT_EFFECT_EVEN_TARGET = 32, /* bit 0 of an indirect target is cleared */
  OCT_EFFECT_SYSTEM = 64       /* a system call or another way into or out of the kernel: memory may
                                * change without accesses */
};

/* What the result is. B is register b, extended and shifted by b_form, plus imm. Operands are cut
 * to `width` bytes before and the result after; then OCT_EFFECT_SIGNED_RESULT decides. */
typedef enum oct_effect_result {
  OCT_RESULT_NONE = 0,
  OCT_RESULT_ADD,     /* a + B; with a ZERO and b ZERO a constant, with one of them a move */
  OCT_RESULT_SUB,     /* a - B */
  OCT_RESULT_RSB,     /* B - a */
  OCT_RESULT_AND,     /* a & B */
  OCT_RESULT_OR,      /* a | B */
  OCT_RESULT_XOR,     /* a ^ B */
  OCT_RESULT_BIC,     /* a & ~B */
  OCT_RESULT_ORN,     /* a | ~B */
  OCT_RESULT_SHL,     /* a << B, unknown when B is not below the width in bits */
  OCT_RESULT_SHR,     /* a >> B, zeros come in, likewise */
  OCT_RESULT_SAR,     /* a >> B, signs come in, likewise */
  OCT_RESULT_INSERT,  /* a with its 16 bits from bit (b_form & 63) on replaced by imm */
  OCT_RESULT_SELECT,  /* a if the condition holds, else b; the instruction is not predicated */
  OCT_RESULT_ADDRESS, /* the address of mem[0]; nothing is accessed there */
  OCT_RESULT_COUNT
} oct_effect_result;

/* b_form: bits 0..5 amount, 6..7 kind of shift. Shifts are of the operand's `width`. */
enum { OCT_SHIFT_LEFT = 0, OCT_SHIFT_RIGHT = 64, OCT_SHIFT_SIGNED = 128, OCT_SHIFT_ROTATE = 192 };

/* Extensions of a register before it is shifted: the low 8, 16 or 32 bits of it. */
typedef enum oct_effect_extend {
  OCT_EXTEND_NONE = 0,
  OCT_EXTEND_U8,
  OCT_EXTEND_U16,
  OCT_EXTEND_U32,
  OCT_EXTEND_S8,
  OCT_EXTEND_S16,
  OCT_EXTEND_S32
} oct_effect_extend;

/* Bits of oct_effect.width. */
enum {
  OCT_EFFECT_WIDTH_LOG2 = 3, /* operands, result and flags: log2 of bytes, 0..3 */
  OCT_EFFECT_SIGNED_RESULT =
      4,                      /* a result below the register's width is sign-extended, else zero */
  OCT_EFFECT_LOAD_SIGNED = 8, /* loaded words are sign-extended, else zero-extended, */
  OCT_EFFECT_LOAD_SIGNED_32 = 16, /* with LOAD_SIGNED: to 32 bits, zeros above */
  OCT_EFFECT_BIT_NARROW = 32      /* the condition's operands are of 32 bits in 64-bit registers */
};

/* Which flags an instruction sets: N and Z of the result, C and V as said. C after a subtraction is
 * 1 when there was no borrow; on x86 it is the complement of its carry flag throughout. */
typedef enum oct_effect_flags {
  OCT_FLAGS_KEEP = 0, /* none */
  OCT_FLAGS_ALU,      /* ADD: C carry, V overflow. SUB, RSB: C no borrow, V overflow */
  OCT_FLAGS_ALU_X86,  /* as ALU, but C after ADD is the complement of the carry */
  OCT_FLAGS_NZV,      /* as ALU, but C is kept (x86 inc, dec) */
  OCT_FLAGS_NZ,       /* C and V are kept */
  OCT_FLAGS_NZ_C,     /* V is kept, C becomes unknown (a shifter's carry) */
  OCT_FLAGS_NZ_00,    /* C = 0, V = 0 */
  OCT_FLAGS_NZ_10,    /* C = 1, V = 0 */
  OCT_FLAGS_UNKNOWN   /* all become unknown */
} oct_effect_flags;

/* Conditions: bits 0..3 of oct_effect.cond say which, bits 4..6 of what. A branch is taken when
 * it holds; other instructions do nothing when it fails, and make no accesses. */
enum {
  OCT_COND_ALWAYS = 0,
  OCT_COND_FLAGS = 16, /* an oct_effect_flag_cond of the flags */
  OCT_COND_REGS = 32,  /* an oct_effect_compare of register cond_a with register cond_b */
  OCT_COND_BIT = 48,   /* bit number cond_b of register cond_a is 0 (which = 0) or 1 (which = 1) */
  OCT_COND_UNKNOWN = 64, /* there is one, of which nothing is known */
  OCT_COND_OF = 112,     /* mask of what */
  OCT_COND_WHICH = 15    /* mask of which */
};

typedef enum oct_effect_flag_cond {
  OCT_IF_EQ = 0, /* Z */
  OCT_IF_NE,     /* !Z */
  OCT_IF_CS,     /* C */
  OCT_IF_CC,     /* !C */
  OCT_IF_MI,     /* N */
  OCT_IF_PL,     /* !N */
  OCT_IF_VS,     /* V */
  OCT_IF_VC,     /* !V */
  OCT_IF_HI,     /* C && !Z */
  OCT_IF_LS,     /* !C || Z */
  OCT_IF_GE,     /* N == V */
  OCT_IF_LT,     /* N != V */
  OCT_IF_GT,     /* !Z && N == V */
  OCT_IF_LE      /* Z || N != V */
} oct_effect_flag_cond;

typedef enum oct_effect_compare {
  OCT_CMP_EQ = 0,
  OCT_CMP_NE,
  OCT_CMP_LT, /* signed */
  OCT_CMP_GE,
  OCT_CMP_LE,
  OCT_CMP_GT,
  OCT_CMP_LTU, /* unsigned */
  OCT_CMP_GEU
} oct_effect_compare;

/* Bits of oct_effect_mem.form. */
enum {
  OCT_MEM_BACK = 3,           /* mask of the write-back: */
  OCT_MEM_BACK_NONE = 0,      /* base is kept */
  OCT_MEM_BACK_ADDRESS = 1,   /* base <- address */
  OCT_MEM_BACK_STEP = 2,      /* base <- base + step */
  OCT_MEM_BACK_INDEX = 3,     /* base <- base +- (index << shift), which the address leaves out */
  OCT_MEM_SAME = 4,           /* its accesses all go to one address, else each to last + size */
  OCT_MEM_MINUS = 8,          /* the index is subtracted */
  OCT_MEM_INDEX_EXTEND = 112, /* mask: oct_effect_extend of the index << 4 */
  OCT_MEM_VALID = 128         /* there is an operand; else the addresses are not known */
};

/* A memory operand: address = base + offset +- (index << shift). base and index are registers, or
 * OCT_REG_ZERO; an absolute or PC-relative address has base OCT_REG_ZERO and stands in offset. A
 * base of OCT_REG_NONE is some value that is not known (a segment of x86). */
typedef struct oct_effect_mem {
  uint64_t offset; /* two's complement */
  int32_t step;    /* bytes, for OCT_MEM_BACK_STEP */
  uint8_t base;
  uint8_t index;
  uint8_t shift; /* bits 0..5 amount, 6..7 kind as in b_form */
  uint8_t form;
} oct_effect_mem;

/* Where an indirect jump, call or return goes: bits 0..3 of oct_effect.target. */
typedef enum oct_effect_target {
  OCT_TARGET_NONE = 0, /* the class has none, or the map entry tells it */
  OCT_TARGET_RESULT,   /* to the result */
  OCT_TARGET_LOADED,   /* to the word that access number (target >> 4) loads */
  OCT_TARGET_UNKNOWN
} oct_effect_target;

/* The effect: 64 bytes without gaps, so that two are equal when their bytes are. */
typedef struct oct_effect {
  uint64_t imm;          /* of B, of OCT_RESULT_INSERT, or stored; two's complement */
  oct_effect_mem mem[2]; /* of accesses 0 .. n_first-1, and of the others */
  uint32_t list;         /* bit r: register r is loaded or stored; access 0, 1, 2 ... of mem[0] is
                          * of the lowest, next ... one. 0: `data` says it */
  uint32_t clobbers;     /* bit r: register r becomes unknown */
  uint8_t flags;         /* OCT_EFFECT_KNOWN ... */
  uint8_t result;        /* oct_effect_result */
  uint8_t dest;          /* 0..31, or OCT_REG_NONE: for flags, a store or a target alone */
  uint8_t a;             /* 0..35 but RESULT; OCT_REG_NONE: not known */
  uint8_t b;             /* likewise */
  uint8_t b_form;        /* OCT_SHIFT_* + amount */
  uint8_t b_extend;      /* oct_effect_extend */
  uint8_t width;         /* OCT_EFFECT_WIDTH_LOG2 ... */
  uint8_t set_flags;     /* bits 0..3 oct_effect_flags, 4..7 n_first (15: all) */
  uint8_t cond;          /* OCT_COND_* */
  uint8_t cond_a;        /* of OCT_COND_REGS and OCT_COND_BIT: 0..31 or OCT_REG_ZERO */
  uint8_t cond_b;        /* likewise, or the number of a bit */
  uint8_t data[2];       /* without `list`, by the number of the access: the register that it loads
                          * (0..31), or what it stores: 0..31, LOADED, RESULT, LINK, or ZERO, which
                          * stores imm. OCT_REG_NONE: loads into no register, stores some value */
  uint8_t target;        /* oct_effect_target */
  uint8_t link;          /* register that gets the return address, or OCT_REG_NONE */
} oct_effect;

/* How many accesses mem[0] makes; the others are mem[1]'s. */
static inline unsigned oct_effect_n_first(const oct_effect *op) {
  return op->set_flags >> 4 == 15 ? UINT32_MAX : op->set_flags >> 4;
}

/* What a trace is made of: retired instructions, their data accesses, the traps between them, and
 * the program map that says what is known of each instruction without running it.
 *
 * Threads: Values alone, which any threads may read at the same time. */

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
  uint32_t value; /* in a batch with values: where its size_bytes bytes begin there, plus 1, or 0
                   * when its value is not known. Without values it means nothing */
} oct_access;

/* Flags of a retired instruction. */
enum {
  OCT_INSN_END = 1, /* its accesses need a terminator: fewer than the map's slots, or variable */
  OCT_INSN_PARTIAL = 2,      /* decoded after a loss: its last accesses are missing */
  OCT_INSN_HAS_CYCLE = 4,    /* `cycle` is meaningful */
  OCT_INSN_SIZE_ASSUMED = 8, /* size_bytes was not told (oct_read_options.marks_sizes) */
  OCT_INSN_CLASS_SHIFT = 4   /* from this bit on: its oct_class, once it went through the map */
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
} oct_trap;

/* A known kind, a privilege up to OCT_PRIVILEGE_UNKNOWN, and 0 in what the kind does not have? */
static inline bool oct_trap_is_valid(const oct_trap *t) {
  return t->kind < OCT_TRAP_KINDS && t->privilege <= OCT_PRIVILEGE_UNKNOWN &&
         (t->kind == OCT_TRAP_EXCEPTION || !t->tval) &&
         (t->kind != OCT_TRAP_PRIVILEGE || (!t->cause && !t->addr));
}

/* What a fact is about. */
typedef enum oct_fact_kind {
  OCT_FACT_REGISTER = 0, /* a register holds this value */
  OCT_FACT_MEMORY,       /* somebody else wrote these bytes: the kernel, a device, another core */
  OCT_FACT_GAP,          /* instructions are missing here */
  OCT_FACT_KINDS
} oct_fact_kind;

/* Why instructions are missing. */
typedef enum oct_gap_cause {
  OCT_GAP_OVERFLOW = 0, /* of the recorder's buffer, which it told */
  OCT_GAP_LOST,         /* the recorder lost them otherwise */
  OCT_GAP_NO_IMAGE,     /* no file has the code at an address that the recording came to */
  OCT_GAP_BEGINNING,    /* the recording begins in the middle */
  OCT_GAP_DAMAGE,       /* of what was read */
  OCT_GAP_CAUSES
} oct_gap_cause;
/* "overflow", "lost", "no-image", "beginning", "damage"; NULL for another number. */
const char *oct_gap_cause_name(unsigned cause);
/* Bytes that a gap tells: two numbers of 64 bits, the instructions and the accesses that are
 * missing, UINT64_MAX where that is not known. */
enum { OCT_FACT_GAP_BYTES = 16 };

/* Longest register in bytes. */
enum { OCT_FACT_REGISTER_MAX = 64 };
/* Numbers of registers are below. */
enum { OCT_REGISTERS_MAX = 128 };

/* What registers and memory hold between two instructions, as far as the trace tells, or that
 * instructions are missing there: before
 * insns[insn] of its batch and for the task of that one, or behind the last one. Facts are in
 * order; behind the traps of the same place. A register's fact need not be news. Execution from a
 * place where all registers are told needs no more of them, but for what instructions brought from
 * outside: results of system calls, counters. */
typedef struct oct_fact {
  uint64_t addr;    /* OCT_FACT_MEMORY: the first byte; OCT_GAP_NO_IMAGE: without code; else 0 */
  uint32_t insn;    /* 0..n_insns of the batch */
  uint32_t n_bytes; /* of the register, 1..OCT_FACT_REGISTER_MAX, of memory, from 1 on, or
                       OCT_FACT_GAP_BYTES */
  uint32_t value;   /* as in oct_access; 0, not of a register: what was written, or is missing, is
                       not known */
  uint16_t number;  /* of the register (oct_isa_registers), or an oct_gap_cause; else 0 */
  uint8_t kind;     /* oct_fact_kind */
} oct_fact;

/* A known kind, and fields that suit it? has_value: its bytes are told. */
static inline bool oct_fact_is_valid(const oct_fact *f, bool has_value) {
  if (f->kind == OCT_FACT_MEMORY) return f->n_bytes && !f->number;
  if (f->kind == OCT_FACT_GAP)
    return f->n_bytes == OCT_FACT_GAP_BYTES && f->number < OCT_GAP_CAUSES &&
           (f->number == OCT_GAP_NO_IMAGE || !f->addr);
  return f->kind == OCT_FACT_REGISTER && f->n_bytes && f->n_bytes <= OCT_FACT_REGISTER_MAX &&
         f->number < OCT_REGISTERS_MAX && !f->addr && has_value;
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

/* What is known of the instruction at one address but its effect. Access number s is described by
 * slots[oct_access_slot(s)], or by the entries that continue it (oct_map_slot). Unused slot bytes
 * are 0. */
#define OCT_MAP_HEAD                                                                       \
  uint64_t addr;                                                                           \
  uint64_t target; /* 0 when the class has none */                                         \
  uint8_t size_bytes;                                                                      \
  uint8_t cls; /* oct_class */                                                             \
  uint8_t n_slots;                                                                         \
  uint8_t flags;                                                                           \
  uint8_t slots[OCT_SLOTS_MAX];                                                            \
  uint32_t effect;           /* where a lean map keeps the effect; elsewhere 0 */          \
  uint8_t code_isa;          /* instruction set of `code`: oct_isa + 1, or 0: not known */ \
  uint8_t code[OCT_CODE_MAX] /* its bytes, size_bytes of them, if code_isa says so; else 0 */

/* A map gives this out where it has no more. The attribute: it may be read through its type when
 * the entry was written by the names of its own fields. */
typedef struct __attribute__((may_alias)) oct_map_head {
  OCT_MAP_HEAD;
} oct_map_head;

/* The head and the effect. The fields of the head are also those of the entry. */
typedef struct oct_map_entry {
  __extension__ union {
    oct_map_head head;
    struct {
      OCT_MAP_HEAD;
    };
  };
  oct_effect op; /* what it does to registers and addresses; all 0: not known */
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
  const oct_fact *facts;
  size_t n_facts;
  const uint8_t *values; /* bytes, the lowest first, that accesses and facts name; NULL: none has a
                          * value. Those of what was cut off may be among them */
  size_t n_values;
} oct_batch;

/* How many of the traps stand before instruction number n of their batch. */
static inline size_t oct_traps_before(const oct_trap *traps, size_t n_traps, size_t n) {
  size_t i = 0;
  while (i < n_traps && traps[i].insn < n) i++;
  return i;
}

/* How many of the facts stand before instruction number n of their batch. */
static inline size_t oct_facts_before(const oct_fact *facts, size_t n_facts, size_t n) {
  size_t i = 0;
  while (i < n_facts && facts[i].insn < n) i++;
  return i;
}

/* The bytes of an access or a fact of the batch, or NULL when they are not known. */
static inline const uint8_t *oct_value_of(const oct_batch *b, uint32_t value) {
  return b->values && value ? b->values + (value - 1) : NULL;
}

/* Keep the batch's first n instructions, with their accesses and the traps before them. */
static inline void oct_batch_cut(oct_batch *b, uint64_t n) {
  if (b->n_insns <= n) return;
  b->n_insns = (size_t)n;
  b->n_accesses = 0;
  for (size_t i = 0; i < b->n_insns; i++) b->n_accesses += b->insns[i].n_access;
  b->n_traps = oct_traps_before(b->traps, b->n_traps, b->n_insns);
  b->n_facts = oct_facts_before(b->facts, b->n_facts, b->n_insns);
}

/* Instruction sets: program-map entries from machine code.
 *
 * Threads: An oct_disasm or oct_disasm_set is for one thread at a time, different ones may be used
 * by different threads; the tables are constant. */

typedef enum oct_isa {
  OCT_ISA_ARM, /* ARM state, little-endian data and code */
  OCT_ISA_THUMB,
  OCT_ISA_RISCV32,
  OCT_ISA_RISCV64,
  OCT_ISA_AARCH64,
  OCT_ISA_X86,
  OCT_ISA_X86_64,
  OCT_ISA_MIPS, /* big-endian, 32 bits */
  OCT_ISA_MIPSEL,
  OCT_ISA_COUNT
} oct_isa;

typedef struct oct_isa_info {
  const char *name;
  uint8_t addr_bits;
  uint8_t insn_align_bytes; /* every instruction address is a multiple of it */
  uint8_t insn_bytes;       /* size of every instruction, or 0 where it varies */
  uint8_t regs;             /* general registers, as an effect numbers them: 16 or 32 */
  uint8_t has_delay_slots;  /* a jump takes effect behind the next instruction in memory */
} oct_isa_info;

/* Never NULL. */
const oct_isa_info *oct_isa_get(oct_isa isa);
/* The instruction set of that name, or OCT_ERR_ARG. Names that traces carry are understood too:
 * "arm64", "x86_64", "i686", and those with a version or extensions, "armv5te", "rv64imac". */
int oct_isa_by_name(const char *name);

/* Registers of a set that facts tell, beside those that effects number: a run of `count` registers
 * of the same kind, numbered from `first` on. Their names end in their number in the run, but for
 * a run of one. */
typedef struct oct_register_bank {
  const char *name;
  uint16_t first, count;
  uint8_t bytes;
} oct_register_bank;
/* Numbers of registers that every set has, where it has them at all. */
enum { OCT_REG_STATUS = 33, OCT_REG_FLOAT = 64 };
/* The banks of a set, n of them; never NULL. */
const oct_register_bank *oct_isa_registers(oct_isa isa, size_t *n);
/* Bytes of register `number`, or 0: there is none. */
unsigned oct_isa_register_bytes(oct_isa isa, unsigned number);
/* Its name, written to name; "" for none. */
enum { OCT_REGISTER_NAME_BYTES = 16 };
void oct_isa_register_name(oct_isa isa, unsigned number, char name[OCT_REGISTER_NAME_BYTES]);
/* The number of the register of that name, or -1. */
int oct_isa_register_by_name(oct_isa isa, const char *name);
/* The general ones, as bits, without ARM's r15: execution needs each of them. */
uint64_t oct_isa_general_registers(oct_isa isa);

/* Decodes instructions of one set. */
typedef struct oct_disasm oct_disasm;
/* The caller frees it. NULL when out of memory, or the set is not one of oct_isa. */
oct_disasm *oct_disasm_new(oct_isa isa);
void oct_disasm_free(oct_disasm *d);

/* Describe the instruction at addr that begins code, of which n bytes are there. Returns its size
 * in bytes, or 0 when it is none (*e then has size 0 and OCT_CLASS_UNKNOWN). Its bytes and its
 * effect stand in *e, too. The slots are those of the architecture: accesses in the order
 * made, loads before stores; there are none for instructions whose accesses the bits do not tell
 * (vectors). Conditional calls, returns and indirect jumps keep their class and have
 * OCT_MAP_CONDITIONAL; only branches with a condition are conditional branches. */
unsigned oct_disasm_insn(oct_disasm *d, uint64_t addr, const uint8_t *code, size_t n,
                         oct_map_entry *e);
/* Forget the IT blocks of Thumb code that were seen. */
void oct_disasm_forget(oct_disasm *d);

/* Decoders of all sets, each made when it is first needed. */
typedef struct oct_disasm_set oct_disasm_set;
/* The caller frees it; NULL when out of memory. */
oct_disasm_set *oct_disasm_set_new(void);
void oct_disasm_set_free(oct_disasm_set *set);

/* What the bytes of e (code_isa, code, size_bytes) say by themselves, as oct_disasm_insn: 1; 0 when
 * they are no instruction for us, or one of another size; OCT_ERR_NOMEM, or OCT_ERR_ARG when
 * code_isa is no instruction set. */
int oct_disasm_set_insn(oct_disasm_set *set, const oct_map_entry *e, oct_map_entry *decoded);

/* Give e, whose bytes are known (code_isa, code), its effect. Bytes that are no
 * instruction for us, or one of another size, give none. 0, OCT_ERR_NOMEM, or OCT_ERR_ARG when
 * code_isa is no instruction set. */
int oct_disasm_set_describe(oct_disasm_set *set, oct_map_entry *e);

/* Reading traces of every known format, streaming, and writing some of them. Formats: docs/trace-
 * format.md, docs/formats/.
 *
 * Threads: A reader or writer is for one thread at a time, different ones may be used by different
 * threads, but standard input and output by one of them only. */

/* A trace format by its number, 1 .. oct_format_count(). Names are steady, numbers are not: they
 * may change with a version. docs/formats/ describes each. */
typedef int oct_format;
enum { OCT_FORMAT_AUTO = 0 }; /* to read: by content; to write: native */

/* A file of code that the traced program had in memory, as the recorder tells it. */
enum { OCT_BUILD_ID_MAX = 64 };
typedef struct oct_module {
  const char *path;
  uint64_t addr, n_bytes; /* where its code was */
  uint64_t bias;          /* what was added to its addresses when it was loaded */
  uint8_t build_id[OCT_BUILD_ID_MAX];
  uint32_t build_id_bytes; /* 0: it has none, or it is not known */
} oct_module;

/* What a trace says of itself. Strings are never NULL once a reader is open. */
typedef struct oct_trace_info {
  oct_format format;
  const char *isa;           /* "armv5te", "pisa", ... or "unknown" */
  const char *origin;        /* what made it */
  const char *command;       /* the traced command line */
  uint32_t addr_bits;        /* 32 or 64 */
  uint32_t insn_align_bytes; /* 1, 2, 4 or 8: every instruction address is a multiple of it */
  uint32_t
      default_insn_bytes;  /* size given to instructions whose format does not say it; 0 = none */
  uint64_t n_insns;        /* 0 when not known beforehand (pipes, text) */
  uint64_t n_accesses;     /* likewise */
  uint32_t task_bits;      /* of the task numbers in the first batch; 0 unless oct_source looked */
  uint32_t privilege_bits; /* of the privileges of its traps, with a code to spare for one that is
                              not known; 0 where it has none, or unless oct_source looked */
  /* Files of code, as far as they are known: more may come with a batch. Owned by the reader, until
   * its next call. */
  const oct_module *modules;
  size_t n_modules;
} oct_trace_info;

/* A file of the traced program: a library, or what else was loaded. */
typedef struct oct_program_file {
  const char *path;
  uint64_t bias; /* what was added to its addresses when it was loaded */
} oct_program_file;
enum { OCT_MORE_FILES_MAX = 31 };

struct oct_gap;
typedef struct oct_read_options {
  oct_format format;
  uint32_t insn_bytes; /* size for formats that do not say it; 0 = what suits the format */
  const char *isa; /* instruction set of a trace that does not say it (oct_isa.h), or NULL; another
                      than the trace says is refused */
  const char *elf; /* the traced program, for sizes and the program map, or NULL */
  uint64_t elf_bias; /* what was added to the program's addresses when it was loaded */
  oct_program_file more[OCT_MORE_FILES_MAX]; /* its other files, */
  size_t n_more;                             /* so many */
  const char
      *params;      /* of the format, "NAME=VALUE,...": those of the tracer of that name, or NULL */
  uint64_t map_max; /* most entries of a program map, versions included; 0 = OCT_READ_MAP_MAX */
  uint64_t
      otherwise;    /* format of what is not recognised, or only by what its records may hold, as
                       raw addresses may; OCT_FORMAT_AUTO: it is refused, or taken for such records */
  uint64_t goes_on; /* 1: after damage, which counts as a gap (oct_reader_take_gaps), go on at the
                       next sync of a trace port (paper, shadow), or at the next whole chunk or
                       segment of a compressed file; 2: only in a trace port; 0: it is an error */
  uint64_t is_unconfirmed; /* 1: of a container, also instructions that no check of the port has
                              confirmed: behind damage some of them are wrong */
  uint64_t marks_sizes;    /* 1: OCT_INSN_SIZE_ASSUMED is set where it holds */
  /* Of a compressed file (.octp, .octc): */
  uint64_t from_sync; /* leave out what stands before this sync, of other traces OCT_ERR_ARG; 0: the
                         beginning */
  uint64_t n_jobs;    /* of a codec: so many workers decode, 1 to 64; 0: in this thread */
  uint64_t takes_lossy;      /* 1: take the result of a lossy codec */
  uint64_t memory_max_bytes; /* a segment of a codec may need so much; 0: the usual */
  /* Called with each gap of a batch, and with damage among what is skipped; NULL: none is told. */
  void (*tell_gap)(void *context, const struct oct_gap *gap);
  void *gap_context;
} oct_read_options;

/* A few hundred bytes of a file can stand for a megabyte of map entries: their number is bounded.
 */
enum { OCT_READ_MAP_MAX = 1 << 22 };

typedef struct oct_reader oct_reader;

/* Open a trace by path, "-" for standard input. gzip, bzip2, xz and zstd are undone on the way.
 * options may be NULL. On success *reader is owned by the caller. Errors: OCT_ERR_IO,
 * OCT_ERR_FORMAT, OCT_ERR_TRUNCATED, OCT_ERR_CHECKSUM, OCT_ERR_UNSUPPORTED, OCT_ERR_NOMEM,
 * OCT_ERR_ARG (options that cannot be, a program for another machine than the trace's), with *diag
 * filled. Whether options->elf is the traced program shows as the trace is read: oct_reader_next
 * returns OCT_ERR_ARG where it is another one. */
int oct_reader_open(const char *path, const oct_read_options *options, oct_reader **reader,
                    oct_diag *diag);
const oct_trace_info *oct_reader_info(const oct_reader *reader);
/* Whether what was read so far tells loads from stores; else all accesses count as loads. */
bool oct_reader_tells_kinds(const oct_reader *reader);
/* The program of options->elf, NULL without. Owned by the reader. */
const oct_program *oct_reader_program(const oct_reader *reader);
/* With a program, what the batches so far have told of instructions, by which oct_program_is_used
 * and oct_program_find_bias go; NULL while there is nothing. Owned by the reader. */
const oct_map *oct_reader_met(const oct_reader *reader);

/* How many instructions of the batches so far differ from file number image of the program, as
 * where a program changed its own code. *n_told: how many lie in that file. *first: address of the
 * first that differs. 0 where the file was refused. */
uint64_t oct_reader_differing(const oct_reader *reader, size_t image, uint64_t *n_told,
                              uint64_t *first);

/* The next batch (at most 65536 instructions). Returns 1, 0 at the end, or an error; all that
 * stands before the damage has been delivered by then. The batch belongs to the reader until its
 * next call. */
int oct_reader_next(oct_reader *reader, oct_batch *batch, oct_diag *diag);
/* The batch that oct_reader_next will give, ahead of it; no skip may come in between. */
int oct_reader_peek(oct_reader *reader, oct_batch *batch, oct_diag *diag);

/* Skip the next n instructions; seeks by the index when file and format allow it. Map entries of
 * what was skipped come with the next batch. Skipping past the end is no error: the next call of
 * oct_reader_next returns 0. */
int oct_reader_skip(oct_reader *reader, uint64_t n_insns, oct_diag *diag);

/* At how many places of the batches so far instructions are missing; each is a fact there
 * (OCT_FACT_GAP). Damage behind which the reader went on is not counted. */
uint64_t oct_reader_gaps(const oct_reader *reader);
/* The same by causes: those that the reader found, and those that the trace has from the one that
 * it was made of. Owned by the reader. */
typedef struct oct_gap_counts {
  uint64_t found[OCT_GAP_CAUSES], told[OCT_GAP_CAUSES];
} oct_gap_counts;
const oct_gap_counts *oct_reader_gap_counts(const oct_reader *reader);
/* End the trace behind the next n instructions. */
void oct_reader_limit(oct_reader *reader, uint64_t n_insns);

/* Addresses that the trace came to, and that no file of the program has. */
enum { OCT_LACKING_NAME_BYTES = 96, OCT_LACKING_RANGES = 4 };
typedef struct oct_lacking_range {
  uint64_t first, last;              /* lowest and highest address that was come to */
  uint64_t n;                        /* gaps there */
  char name[OCT_LACKING_NAME_BYTES]; /* of the file that was mapped there, "" if not known */
} oct_lacking_range;

/* What of the trace could not be decoded for want of something else than the trace itself. */
typedef struct oct_lacking {
  uint64_t skipped_bytes; /* before the first sync, where decoding begins */
  uint64_t foreign_bytes; /* of trace units that the recording does not describe */
  uint64_t n_open;        /* streams that end where tracing goes on: what ran then is not known */
  uint64_t open_insns;    /* instructions of these */
  uint64_t n_absent;      /* files that the recording names and that are not there, */
  char absent[OCT_LACKING_NAME_BYTES]; /* the first of them */
  oct_lacking_range ranges[OCT_LACKING_RANGES];
  size_t n_ranges;
  uint64_t n_elsewhere;                  /* gaps for want of code outside of these ranges */
  uint64_t n_unsynced;                   /* streams of several that have no sync: */
  uint64_t unsynced_bytes;               /* their bytes, */
  char unsynced[OCT_LACKING_NAME_BYTES]; /* and whose the first of them is */
} oct_lacking;

/* So far. Owned by the reader. */
const oct_lacking *oct_reader_lacking(const oct_reader *reader);

/* What is missing at one place of a trace: lost by the recorder, which said so, or by damage. */
typedef struct oct_gap {
  uint64_t insn;       /* number of the first instruction missing; where the format has no numbers,
                          instructions before it */
  uint64_t lost_insns; /* UINT64_MAX: not known */
  uint64_t lost_accesses; /* UINT64_MAX: not known */
  uint64_t least_insns;   /* at least so many are missing: lost_insns, where that is known */
  uint64_t least_accesses;
  oct_gap_cause cause;
  uint64_t addr;         /* OCT_GAP_NO_IMAGE: where there is no code */
  int error;             /* OCT_GAP_DAMAGE, found by the reader: what it is, else 0 */
  oct_diag diag;         /* and where it showed */
  uint64_t is_end;       /* 1: nothing came behind it */
  uint64_t is_told;      /* 1: the trace has it from the one that it was made of */
  uint64_t failed_syncs; /* of a trace port: syncs in it from which the decoder could not go on, */
  oct_diag last;         /* where it failed last, */
  uint64_t sync_bits;    /* and where in the port bits the last sync found in it is; 0: none was, or
                            the stream begins with a later sync than the first */
} oct_gap;

/* What gaps have cost in all. */
typedef struct oct_gaps {
  uint64_t n_losses, lost_insns, lost_accesses; /* of the recorder, */
  uint64_t n_trap_losses;                       /* of these, without an instruction or access */
  uint64_t n_damages, damaged_insns;            /* and of damage: at least so many are missing */
  uint64_t n_uncounted;         /* gaps of either kind of unknown length, but for one at the end, */
  uint64_t n_uncounted_damages; /* and of damage, also at the end */
  oct_diag first;               /* the first damage, where there is one */
} oct_gaps;
void oct_gaps_add(oct_gaps *all, const oct_gap *gap);

/* What is missing since the last call, or since the beginning: in front of the batch that
 * oct_reader_next gave last, and of those before it. */
void oct_reader_take_gaps(oct_reader *reader, oct_gaps *gaps);

/* After an error, or after damage that the reader passed: 1 if instructions before it may be
 * wrong. That is so in two cases. The trace is a stream of a trace unit, without checks, and not
 * only cut off. Or it has no checks of its own and came through gzip, bzip2, xz or zstd, whose
 * checks come after the data that they protect. */
int oct_reader_is_doubtful(const oct_reader *reader);
/* 1: the reader ended in an error because the file's own end counts other events than came: all
 * that the file has was handed out. */
int oct_reader_gave_all(const oct_reader *reader);

/* Once oct_reader_next has told the end of a text: 1 where its last line has no line end, 2 where
 * that line is left out, as it may be cut off: the line before does not have its form. */
int oct_reader_is_line_open(const oct_reader *reader);
/* Accesses so far that the trace has, as the masks of RVFI say, and their instruction does not
 * make. */
uint64_t oct_reader_odd_accesses(const oct_reader *reader);
/* 1 where what was skipped so far told registers or memory, as far as it was read: not where the
 * reader could seek. */
int oct_reader_has_skipped_facts(const oct_reader *reader);
/* Accesses so far whose value is in the input, but not in the trace. *why: a constant that says
 * why, NULL if there are none. */
uint64_t oct_reader_lost_values(const oct_reader *reader, const char **why);
/* Of a log whose lines are instructions: places so far where one cannot follow the one before it
 * without a trap, and in *first the number of the first such instruction. */
uint64_t oct_reader_breaks(const oct_reader *reader, uint64_t *first);
/* Likewise instructions that load or store, but have no address (or lack some), where most others
 * of the kind have it. */
uint64_t oct_reader_bare_accesses(const oct_reader *reader);
/* 1 where the format was guessed from numbers that have no mark, and nothing names an instruction
 * set. */
int oct_reader_is_guess(const oct_reader *reader);

/* Bytes of the underlying file read so far, ahead and again among them, and its size (0 = unknown).
 */
uint64_t oct_reader_bytes_read(const oct_reader *reader);
/* Bytes of the file that what was handed out came from, as nearly as can be told: for progress. */
uint64_t oct_reader_bytes_done(const oct_reader *reader);
uint64_t oct_reader_bytes_total(const oct_reader *reader);
void oct_reader_close(oct_reader *reader);

typedef struct oct_write_options {
  oct_format format;          /* OCT_FORMAT_AUTO = native */
  int level;                  /* zstd level 1..22, 0 = default (3); native only */
  uint32_t block_insns;       /* instructions a block, 0 = 65536; at most 65536 */
  const oct_trace_info *info; /* strings are copied */
  const char *params;         /* as of oct_read_options; for oct_writer_open alone */
} oct_write_options;

typedef struct oct_writer oct_writer;

/* Create a trace file. It is written under a temporary name beside path and renamed by
 * oct_writer_commit, so that nothing half-written stays behind; "-" writes straight out. */
int oct_writer_open(const char *path, const oct_write_options *options, oct_writer **writer,
                    oct_diag *diag);
/* OCT_ERR_ARG, nothing of the batch written: a cycle stamp goes back although no other task ran in
 * between; a trap is none (oct_trap), or wider than the addresses. */
int oct_writer_put(oct_writer *writer, const oct_batch *batch, oct_diag *diag);
/* Tell of files of code, before the instructions in them. Formats that have no place for them leave
 * them out. Errors as of oct_writer_put. */
int oct_writer_put_modules(oct_writer *writer, const oct_module *modules, size_t n, oct_diag *diag);
/* Finish and rename; frees the writer in every case. */
int oct_writer_commit(oct_writer *writer, oct_diag *diag);
/* Accesses put so far for which a record of the format has no room, and which are left out. */
uint64_t oct_writer_left_out(const oct_writer *writer);
/* Gaps put so far for which the format has no place. */
uint64_t oct_writer_gaps_left_out(const oct_writer *writer);
/* Throw away what was written; frees the writer. Where that cannot be, to standard output, all that
 * was put is written, without the end by which a native trace says that it is whole. */
void oct_writer_abort(oct_writer *writer);

int oct_format_count(void);
/* That of octrace itself. */
oct_format oct_format_default(void);
/* What traces of that format have: OCT_KINDS_INSNS, OCT_KINDS_ACCESSES or both. */
enum { OCT_KINDS_INSNS = 1, OCT_KINDS_ACCESSES = 2 };
unsigned oct_format_kinds(oct_format format);
/* Whether written traces of that format have traps. */
int oct_format_keeps_traps(oct_format format);
/* Whether they have gaps. */
int oct_format_keeps_gaps(oct_format format);
/* Whether they have values and facts. */
int oct_format_keeps_values(oct_format format);
/* Names of formats for the command line ("native", "text", "lackey", ...). */
const char *oct_format_name(oct_format format);
/* Whose traces they are, in a few words ("logs of Spike, with or without commits"); "" for
 * OCT_FORMAT_AUTO. Never NULL. */
const char *oct_format_text(oct_format format);
/* Whether traces of that format can be written. */
int oct_format_can_write(oct_format format);
/* 1 where what is written is text; 0 for OCT_FORMAT_AUTO. */
int oct_format_is_text(oct_format format);
/* What no trace of that format has, in a few words ("data addresses"); "" where nothing is known to
 * be missing. Never NULL. */
const char *oct_format_lacks(oct_format format);
/* The format of that name, or OCT_ERR_ARG. */
int oct_format_by_name(const char *name);

/* A trace as tracers take it: read from any format, cut to a part, and followed by a program map.
 *
 * Threads: A source is for one thread at a time, different ones may be used by different threads.
 */

typedef struct oct_source_options {
  oct_read_options read;
  uint64_t skip;       /* leave out so many instructions, */
  uint64_t limit;      /* and stop after so many; 0 = at the end */
  bool by_stamps;      /* instructions retire by cycle stamps: there are some, and none goes back */
  bool find_alignment; /* where no instruction set tells it, by the addresses of the first batch */
  /* Called after each batch, if not NULL: instructions so far, bytes read, and of how many (0 =
   * unknown). */
  void (*progress)(void *context, uint64_t n_insns, uint64_t done_bytes, uint64_t total_bytes);
  void *progress_context;
} oct_source_options;

typedef struct oct_source {
  const char *name; /* as messages show it: a path, or "standard input" */
  oct_reader *reader;
  const oct_map *map;         /* what is known of the program so far */
  oct_trace_info info;        /* the reader's, with the alignment found where nothing says it */
  uint32_t found_align_bytes; /* that, or 0: later batches are held to it, unless it is cleared */
  bool only_looks;            /* a lower alignment in later batches is no error, but found */
  bool is_quiet;              /* options.progress is not called */
  oct_batch batch;            /* the current batch; its insns went through oct_map_track */
  const oct_map_update *updates;
  size_t n_updates;
  uint64_t n_insns, n_accesses; /* read so far, the current batch included */
  struct oct_source_state *state;
} oct_source;

/* Open path; "-" is standard input. options may be NULL. 0, or an error of oct_reader_open or
 * oct_reader_skip with *diag; nothing is left open then. */
int oct_source_open(oct_source *s, const char *path, const oct_source_options *options,
                    oct_diag *diag);
/* 1 and a batch, valid until the next call; 0 at the end; OCT_ERR_ARG (nothing was left after what
 * is skipped), OCT_ERR_FORMAT (stamps), OCT_ERR_LIMIT (the alignment found does not hold),
 * OCT_ERR_NOMEM, or an error of oct_reader_next. */
int oct_source_next(oct_source *s, oct_diag *diag);
void oct_source_close(oct_source *s);

/* The alignment of instructions: what info says, or, where it says 1 and names no instruction set,
 * what the addresses and sizes of these instructions have in common, at most 8 bytes. */
uint32_t oct_find_alignment(const oct_trace_info *info, const oct_insn *insns, size_t n_insns);

/* OCT_ERR_ARG, with a text that skipping has left nothing of the trace. */
int oct_source_skipped_all(const char *path, uint64_t skip, oct_diag *diag);

/* A recorded program at any instruction: registers, memory as far as the trace tells it, and runs
 * forward and back to places and accesses.
 *
 * The trace needs values and facts, as `octrace capture --values` and the decoder of `replay` give
 * them. Positions are numbers of instructions: at n the first n have been carried out.
 *
 * Threads: A session is for one thread at a time, different ones may be used by different threads.
 */

typedef struct oct_session oct_session;

/* Open a trace of any format. 0 and *out, to be closed; an error of oct_reader_open or
 * oct_reader_next; OCT_ERR_UNSUPPORTED: no values and registers, or no emulator for the instruction
 * set. */
int oct_session_open(const char *path, const oct_read_options *options, oct_session **out,
                     oct_diag *diag);
void oct_session_close(oct_session *s);

oct_isa oct_session_isa(const oct_session *s);
uint64_t oct_session_length(const oct_session *s);
uint64_t oct_session_at(const oct_session *s);
/* Of the next instruction, of the last one at the end. */
uint64_t oct_session_pc(oct_session *s);
uint32_t oct_session_task(const oct_session *s);
bool oct_session_is_thumb(oct_session *s);

/* Be at position n, or at the end. An error of reading. */
int oct_session_go(oct_session *s, uint64_t n, oct_diag *diag);

/* A register of the task (oct_isa_registers): false, and zeros, where it is not known. ARM's
 * r15 is where the task goes on, not 4 or 8 bytes behind, as an instruction reads it. */
bool oct_session_register(oct_session *s, uint32_t task_number, unsigned number, uint8_t *bytes);
/* Where the task goes on: false where it is not known. */
bool oct_session_task_pc(oct_session *s, uint32_t task_number, uint64_t *pc);
/* The bytes from addr on: how many of n are known, up to the first that is not. */
size_t oct_session_read(oct_session *s, uint64_t addr, uint8_t *bytes, size_t n);
/* Tasks that have run so far: the numbers of at most n, how many there are. */
size_t oct_session_tasks(const oct_session *s, uint32_t *tasks, size_t n);

/* Instructions are missing in front of position at. With goes_on of the options, damage that cannot
 * be passed ends the trace and is one, too. */
typedef struct oct_session_gap {
  uint64_t at;
  uint64_t lost_insns; /* UINT64_MAX: how many is not known */
  oct_gap_cause cause;
} oct_session_gap;
/* Those met so far, in order: how many, of the session until its next call. */
size_t oct_session_gaps(const oct_session *s, const oct_session_gap **gaps);

/* Where a run ends. */
typedef enum oct_session_kind {
  OCT_SESSION_BREAK, /* in front of the instruction at addr */
  OCT_SESSION_WRITE, /* at a store to one of n_bytes at addr, */
  OCT_SESSION_READ,  /* a load, */
  OCT_SESSION_ACCESS /* or either */
} oct_session_kind;
typedef struct oct_session_place {
  oct_session_kind kind;
  uint64_t addr, n_bytes;
} oct_session_place;

/* Run on to the first of n places, behind the instruction that makes the access, or to position
 * `to`; back to the last one before, in front of that instruction, or to position `to`. *hit is its
 * number, or n. An error of reading. */
int oct_session_run(oct_session *s, uint64_t to, const oct_session_place *places, size_t n,
                    size_t *hit, oct_diag *diag);
int oct_session_run_back(oct_session *s, uint64_t to, const oct_session_place *places, size_t n,
                         size_t *hit, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
