/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_frame.h - marks, which close a period and begin the next (docs/shadow-format.md,
 * section 2): three bytes of ones, then bytes of seven bits each. */
#ifndef OCT_SHADOW_FRAME_H
#define OCT_SHADOW_FRAME_H

#include "oct_crc.h"
#include "oct_shadow_config.h"

#include <stdbool.h>

enum {
  OCT_MARK_ONES = 3,          /* bytes of ones */
  OCT_MARK_KIND_BITS = 2,     /* of its byte, above bit 0 */
  OCT_MARK_NUMBER_BYTES = 6,  /* instruction number, modulo 2^42 */
  OCT_MARK_CHECK_BYTES = 3,   /* CRC of 16 bits */
  OCT_MARK_PRIVILEGE_BITS = 3 /* with traps, above the task */
};

typedef enum oct_frame_kind {
  OCT_FRAME_SYNC,
  OCT_FRAME_FLUSH,
  OCT_FRAME_OVERFLOW,     /* with numbers of what was lost */
  OCT_FRAME_OVERFLOW_CUT, /* likewise; the last instruction before it lacks accesses */
  OCT_FRAME_KINDS
} oct_frame_kind;

/* Of task and privilege. */
static inline unsigned oct_mark_task_bytes(const oct_shadow_config *c) {
  return (c->task_bits + (c->traps ? OCT_MARK_PRIVILEGE_BITS : 0) + 6) / 7;
}

static inline bool oct_frame_is_overflow(oct_frame_kind kind) {
  return kind == OCT_FRAME_OVERFLOW || kind == OCT_FRAME_OVERFLOW_CUT;
}

/* The check that a mark of this kind carries, of the CRC of the bytes before it: its own kind
 * counts as well, as two more bits. */
static inline uint32_t oct_mark_check(uint32_t crc, oct_frame_kind kind) {
  return oct_crc_bits(16, crc, kind, OCT_MARK_KIND_BITS);
}

/* Bytes of a mark, its ones included. */
static inline unsigned oct_mark_bytes(const oct_shadow_config *c, oct_frame_kind kind) {
  return OCT_MARK_ONES + 1 + (c->check ? OCT_MARK_CHECK_BYTES : 0) + OCT_MARK_NUMBER_BYTES +
         oct_mark_task_bytes(c) + (oct_frame_is_overflow(kind) ? 2 * OCT_MARK_NUMBER_BYTES : 0);
}

#endif
