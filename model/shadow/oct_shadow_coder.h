/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_coder.h - what both halves of the arithmetic coder agree on (docs/shadow-format.md,
 * sections 3 and 4).
 *
 * A step of the coder takes one symbol. The interval is thought of as 4096 parts, counted from its
 * top; the first is the escape, the rest is divided by the symbol's decisions, one after the other.
 * Only then are parts multiplied with the range, of which the highest 8 bits count. */
#ifndef OCT_SHADOW_CODER_H
#define OCT_SHADOW_CODER_H

#include <stdint.h>

enum { OCT_CODER_BITS = 20, OCT_CODER_PART_BITS = 12, OCT_CODER_RAW_BITS = 8 };
enum {
  OCT_CODER_WHOLE = 1 << OCT_CODER_PART_BITS,
  OCT_CODER_ESCAPE = 1,
  OCT_CODER_PARTS = OCT_CODER_WHOLE - OCT_CODER_ESCAPE
};
/* A number: its length below 7, or 7 and the length in 6 bits. */
enum { OCT_NUMBER_BITS = 3, OCT_NUMBER_LONG = 7, OCT_NUMBER_LONG_BITS = 6 };

/* What an escape says. */
typedef enum oct_escape {
  OCT_ESCAPE_JUMP,    /* the flow goes on elsewhere */
  OCT_ESCAPE_TASK,    /* in another task */
  OCT_ESCAPE_PARTIAL, /* the accesses of an instruction are not as the program says */
  OCT_ESCAPE_END,     /* the period ends */
  OCT_ESCAPE_TRAP,    /* a trap is taken; with the parameter traps only */
  OCT_ESCAPE_WRONG    /* a silent decision is 1 */
} oct_escape;
enum { OCT_ESCAPE_BITS = 2 }; /* of all but WRONG; one more with traps */
/* What comes behind a trap, in raw(2). */
typedef enum oct_behind_trap {
  OCT_BEHIND_TRAP, /* another one */
  OCT_BEHIND_INSN, /* the next instruction, at an address that follows */
  OCT_BEHIND_TASK, /* likewise, in a task that follows first */
  OCT_BEHIND_END   /* nothing: the period ends */
} oct_behind_trap;
enum {
  OCT_BEHIND_BITS = 2,
  OCT_TRAP_KIND_BITS = 2,
  OCT_TRAP_PRIVILEGE_BITS = 3,
  OCT_TRAP_BYTES_BITS = 4 /* how many bytes a value of a trap has, 0 to 8 */
};
enum { OCT_COUNT_BITS = 16 }; /* of the accesses behind PARTIAL */

/* The part of `width` parts that belongs to a 1 of probability p (of 4096); least are kept for each
 * outcome. The first decision of a symbol takes p itself, the others a product of 8 by 8 bits. */
static inline uint32_t oct_coder_part(uint32_t p, uint32_t width, uint32_t least) {
  uint32_t part = width == OCT_CODER_PARTS ? p : (width >> 4) * (p >> 4) >> 4;
  if (part > width - least) part = width - least;
  return part < least ? least : part;
}

/* One of two by a bit, without a branch. */
static inline uint32_t oct_coder_select(unsigned bit, uint32_t if_1, uint32_t if_0) {
  return if_0 ^ ((if_0 ^ if_1) & (0 - (uint32_t)bit));
}

#endif
