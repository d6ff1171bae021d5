/* SPDX-License-Identifier: Apache-2.0 */
/* random_effect.h - random effects that reach every value of every field. */
#ifndef OCT_RANDOM_EFFECT_H
#define OCT_RANDOM_EFFECT_H

#include "../test_random.h"
#include "oct_effect_file.h"

#include <string.h>

/* random_step; seed: a uint64_t. */
static inline uint64_t next_random(void *seed) {
  return random_step((uint64_t *)seed);
}

/* next gives 64 random bits. */
static inline void random_effect(uint64_t (*next)(void *), void *from, oct_effect *op) {
  memset(op, 0, sizeof *op);
  op->flags = (uint8_t)(OCT_EFFECT_KNOWN | next(from) % 64 << 1);
  op->imm = next(from) >> next(from) % 64;
  for (int i = 0; i < 2; i++) {
    oct_effect_mem *m = &op->mem[i];
    m->offset = next(from) >> next(from) % 64;
    m->step = (int32_t)next(from);
    m->base = (uint8_t)(next(from) % (OCT_REG_ZERO + 1));
    m->index = (uint8_t)(next(from) % (OCT_REG_ZERO + 1));
    m->shift = (uint8_t)next(from);
    m->form =
        (uint8_t)(next(from) % 16 | next(from) % (OCT_EXTEND_S32 + 1) << 4 | next(from) % 2 << 7);
  }
  op->list = next(from) % 2 ? 0 : (uint32_t)next(from);
  op->clobbers = next(from) % 2 ? 0 : (uint32_t)next(from);
  op->result = (uint8_t)(next(from) % OCT_RESULT_COUNT);
  op->dest = (uint8_t)(next(from) % (OCT_REG_NONE + 1));
  op->a = (uint8_t)(next(from) % (OCT_REG_LOADED + 1));
  op->b = (uint8_t)(next(from) % (OCT_REG_LOADED + 1));
  op->b_form = (uint8_t)next(from);
  op->b_extend = (uint8_t)(next(from) % (OCT_EXTEND_S32 + 1));
  op->width = (uint8_t)(next(from) % 64);
  op->set_flags = (uint8_t)(next(from) % (OCT_FLAGS_UNKNOWN + 1) | next(from) % 16 << 4);
  /* A carry is one of a sum or a difference (docs/trace-format.md). */
  if (op->result > OCT_RESULT_RSB && (op->set_flags & 15) && (op->set_flags & 15) <= OCT_FLAGS_NZV)
    op->set_flags = (uint8_t)((op->set_flags & 0xf0) | OCT_FLAGS_NZ_C);
  op->cond_a = (uint8_t)(next(from) % (OCT_REG_ZERO + 1));
  op->cond_b = (uint8_t)(next(from) % (OCT_REG_ZERO + 1));
  switch (next(from) % 5) {
    case 1:
      op->cond = (uint8_t)(OCT_COND_FLAGS | next(from) % (OCT_IF_LE + 1));
      break;
    case 2:
      op->cond = (uint8_t)(OCT_COND_REGS | next(from) % (OCT_CMP_GEU + 1));
      break;
    case 3:
      op->cond = (uint8_t)(OCT_COND_BIT | next(from) % 2);
      op->cond_b = (uint8_t)(next(from) % 64);
      break;
    case 4:
      op->cond = OCT_COND_UNKNOWN;
      break;
    default:
      break;
  }
  for (int i = 0; i < 2; i++) op->data[i] = (uint8_t)(next(from) % (OCT_REG_LINK + 1));
  op->target = (uint8_t)(next(from) % (OCT_TARGET_UNKNOWN + 1) | next(from) % 16 << 4);
  op->link = (uint8_t)(next(from) % (OCT_REG_NONE + 1));
}

#endif
