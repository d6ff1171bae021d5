/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_op.h - the shadow operation of an instruction: what it does to registers and
 * addresses, in a form that knows no instruction set.
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
 * Arithmetic is modulo 2^32, or 2^64 with OCT_SHADOW_64. An indirect target is read in step 1.
 *
 * An operation of all zeros is "not known": any register may have changed.
 *
 * Threads: Values alone, which any threads may read at the same time. */
#ifndef OCT_SHADOW_OP_H
#define OCT_SHADOW_OP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of registers. 0..31 are those of the instruction set, by its own numbers. */
enum {
  OCT_REG_COUNT = 32,
  OCT_REG_NONE = 32,   /* none; as a source: some value that is not known */
  OCT_REG_ZERO = 33,   /* reads 0; a constant operand is 0 + imm */
  OCT_REG_LOADED = 34, /* the word that access 0 of this instruction loads, extended by `extend` */
  OCT_REG_RESULT = 35, /* the result of this instruction */
  OCT_REG_LINK = 36    /* the return address, see OCT_SHADOW_LINK_ODD and OCT_SHADOW_DELAYED */
};

/* Bits of oct_shadow_op.flags. */
enum {
  OCT_SHADOW_KNOWN = 1, /* the instruction is described; everything else is 0 without it */
  OCT_SHADOW_64 = 2,    /* registers and addresses have 64 bits, else 32 */
  OCT_SHADOW_DELAYED =
      4, /* a jump made after the next instruction (MIPS); links skip that one too */
  OCT_SHADOW_LIKELY = 8,       /* with DELAYED: the next instruction is left out when not taken */
  OCT_SHADOW_LINK_ODD = 16,    /* the return address is odd: it has bit 0 set (Thumb) */
  OCT_SHADOW_EVEN_TARGET = 32, /* bit 0 of an indirect target is cleared */
  OCT_SHADOW_SYSTEM = 64       /* a system call or another way into or out of the kernel: memory may
                                * change without accesses */
};

/* What the result is. B is register b, extended and shifted by b_form, plus imm. Operands are cut
 * to `width` bytes before and the result after; then OCT_SHADOW_SIGNED_RESULT decides. */
typedef enum oct_shadow_result {
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
} oct_shadow_result;

/* b_form: bits 0..5 amount, 6..7 kind of shift. Shifts are of the operand's `width`. */
enum { OCT_SHIFT_LEFT = 0, OCT_SHIFT_RIGHT = 64, OCT_SHIFT_SIGNED = 128, OCT_SHIFT_ROTATE = 192 };

/* Extensions of a register before it is shifted: the low 8, 16 or 32 bits of it. */
typedef enum oct_shadow_extend {
  OCT_EXTEND_NONE = 0,
  OCT_EXTEND_U8,
  OCT_EXTEND_U16,
  OCT_EXTEND_U32,
  OCT_EXTEND_S8,
  OCT_EXTEND_S16,
  OCT_EXTEND_S32
} oct_shadow_extend;

/* Bits of oct_shadow_op.width. */
enum {
  OCT_SHADOW_WIDTH_LOG2 = 3, /* operands, result and flags: log2 of bytes, 0..3 */
  OCT_SHADOW_SIGNED_RESULT =
      4,                      /* a result below the register's width is sign-extended, else zero */
  OCT_SHADOW_LOAD_SIGNED = 8, /* loaded words are sign-extended, else zero-extended, */
  OCT_SHADOW_LOAD_SIGNED_32 = 16, /* with LOAD_SIGNED: to 32 bits, zeros above */
  OCT_SHADOW_BIT_NARROW = 32      /* the condition's operands are of 32 bits in 64-bit registers */
};

/* Which flags an instruction sets: N and Z of the result, C and V as said. C after a subtraction is
 * 1 when there was no borrow; on x86 it is the complement of its carry flag throughout. */
typedef enum oct_shadow_flags {
  OCT_FLAGS_KEEP = 0, /* none */
  OCT_FLAGS_ALU,      /* ADD: C carry, V overflow. SUB, RSB: C no borrow, V overflow */
  OCT_FLAGS_ALU_X86,  /* as ALU, but C after ADD is the complement of the carry */
  OCT_FLAGS_NZV,      /* as ALU, but C is kept (x86 inc, dec) */
  OCT_FLAGS_NZ,       /* C and V are kept */
  OCT_FLAGS_NZ_C,     /* V is kept, C becomes unknown (a shifter's carry) */
  OCT_FLAGS_NZ_00,    /* C = 0, V = 0 */
  OCT_FLAGS_NZ_10,    /* C = 1, V = 0 */
  OCT_FLAGS_UNKNOWN   /* all become unknown */
} oct_shadow_flags;

/* Conditions: bits 0..3 of oct_shadow_op.cond say which, bits 4..6 of what. A branch is taken when
 * it holds; other instructions do nothing when it fails, and make no accesses. */
enum {
  OCT_COND_ALWAYS = 0,
  OCT_COND_FLAGS = 16, /* an oct_shadow_flag_cond of the flags */
  OCT_COND_REGS = 32,  /* an oct_shadow_compare of register cond_a with register cond_b */
  OCT_COND_BIT = 48,   /* bit number cond_b of register cond_a is 0 (which = 0) or 1 (which = 1) */
  OCT_COND_UNKNOWN = 64, /* there is one, of which nothing is known */
  OCT_COND_OF = 112,     /* mask of what */
  OCT_COND_WHICH = 15    /* mask of which */
};

typedef enum oct_shadow_flag_cond {
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
} oct_shadow_flag_cond;

typedef enum oct_shadow_compare {
  OCT_CMP_EQ = 0,
  OCT_CMP_NE,
  OCT_CMP_LT, /* signed */
  OCT_CMP_GE,
  OCT_CMP_LE,
  OCT_CMP_GT,
  OCT_CMP_LTU, /* unsigned */
  OCT_CMP_GEU
} oct_shadow_compare;

/* Bits of oct_shadow_mem.form. */
enum {
  OCT_MEM_BACK = 3,           /* mask of the write-back: */
  OCT_MEM_BACK_NONE = 0,      /* base is kept */
  OCT_MEM_BACK_ADDRESS = 1,   /* base <- address */
  OCT_MEM_BACK_STEP = 2,      /* base <- base + step */
  OCT_MEM_BACK_INDEX = 3,     /* base <- base +- (index << shift), which the address leaves out */
  OCT_MEM_SAME = 4,           /* its accesses all go to one address, else each to last + size */
  OCT_MEM_MINUS = 8,          /* the index is subtracted */
  OCT_MEM_INDEX_EXTEND = 112, /* mask: oct_shadow_extend of the index << 4 */
  OCT_MEM_VALID = 128         /* there is an operand; else the addresses are not known */
};

/* A memory operand: address = base + offset +- (index << shift). base and index are registers, or
 * OCT_REG_ZERO; an absolute or PC-relative address has base OCT_REG_ZERO and stands in offset. A
 * base of OCT_REG_NONE is some value that is not known (a segment of x86). */
typedef struct oct_shadow_mem {
  uint64_t offset; /* two's complement */
  int32_t step;    /* bytes, for OCT_MEM_BACK_STEP */
  uint8_t base;
  uint8_t index;
  uint8_t shift; /* bits 0..5 amount, 6..7 kind as in b_form */
  uint8_t form;
} oct_shadow_mem;

/* Where an indirect jump, call or return goes: bits 0..3 of oct_shadow_op.target. */
typedef enum oct_shadow_target {
  OCT_TARGET_NONE = 0, /* the class has none, or the map entry tells it */
  OCT_TARGET_RESULT,   /* to the result */
  OCT_TARGET_LOADED,   /* to the word that access number (target >> 4) loads */
  OCT_TARGET_UNKNOWN
} oct_shadow_target;

/* The shadow operation: 64 bytes without gaps, so that two are equal when their bytes are. */
typedef struct oct_shadow_op {
  uint64_t imm;          /* of B, of OCT_RESULT_INSERT, or stored; two's complement */
  oct_shadow_mem mem[2]; /* of accesses 0 .. n_first-1, and of the others */
  uint32_t list;         /* bit r: register r is loaded or stored; access 0, 1, 2 ... of mem[0] is
                          * of the lowest, next ... one. 0: `data` says it */
  uint32_t clobbers;     /* bit r: register r becomes unknown */
  uint8_t flags;         /* OCT_SHADOW_KNOWN ... */
  uint8_t result;        /* oct_shadow_result */
  uint8_t dest;          /* 0..31, or OCT_REG_NONE: for flags, a store or a target alone */
  uint8_t a;             /* 0..35 but RESULT; OCT_REG_NONE: not known */
  uint8_t b;             /* likewise */
  uint8_t b_form;        /* OCT_SHIFT_* + amount */
  uint8_t b_extend;      /* oct_shadow_extend */
  uint8_t width;         /* OCT_SHADOW_WIDTH_LOG2 ... */
  uint8_t set_flags;     /* bits 0..3 oct_shadow_flags, 4..7 n_first (15: all) */
  uint8_t cond;          /* OCT_COND_* */
  uint8_t cond_a;        /* of OCT_COND_REGS and OCT_COND_BIT: 0..31 or OCT_REG_ZERO */
  uint8_t cond_b;        /* likewise, or the number of a bit */
  uint8_t data[2];       /* without `list`, by the number of the access: the register that it loads
                          * (0..31), or what it stores: 0..31, LOADED, RESULT, LINK, or ZERO, which
                          * stores imm. OCT_REG_NONE: loads into no register, stores some value */
  uint8_t target;        /* oct_shadow_target */
  uint8_t link;          /* register that gets the return address, or OCT_REG_NONE */
} oct_shadow_op;

/* How many accesses mem[0] makes; the others are mem[1]'s. */
static inline unsigned oct_shadow_n_first(const oct_shadow_op *op) {
  return op->set_flags >> 4 == 15 ? UINT32_MAX : op->set_flags >> 4;
}

#ifdef __cplusplus
}
#endif
#endif
