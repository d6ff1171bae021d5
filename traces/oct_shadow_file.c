/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_file.c - shadow operations as bytes of a file: the fields in their order, numbers
 * little-endian. */
#include "oct_shadow_file.h"

#include "oct_error.h"

#include <endian.h>
#include <string.h>

_Static_assert(sizeof(oct_shadow_op) == OCT_SHADOW_OP_BYTES, "the operation has no gaps");

/* The numbers of more than a byte, there and back. */
static void swap(oct_shadow_op *op) {
  op->imm = htole64(op->imm);
  for (int i = 0; i < 2; i++) {
    op->mem[i].offset = htole64(op->mem[i].offset);
    op->mem[i].step = (int32_t)htole32((uint32_t)op->mem[i].step);
  }
  op->list = htole32(op->list);
  op->clobbers = htole32(op->clobbers);
}

void oct_shadow_op_put(uint8_t out[OCT_SHADOW_OP_BYTES], const oct_shadow_op *op) {
  oct_shadow_op copy = *op;
  swap(&copy);
  memcpy(out, &copy, sizeof copy);
}

static int is_valid_mem(const oct_shadow_mem *m) {
  return m->base <= OCT_REG_ZERO && m->index <= OCT_REG_ZERO &&
         (m->form & OCT_MEM_INDEX_EXTEND) >> 4 <= OCT_EXTEND_S32;
}

static int is_valid_cond(const oct_shadow_op *op) {
  unsigned which = op->cond & OCT_COND_WHICH;
  switch (op->cond & ~OCT_COND_WHICH) {
    case OCT_COND_ALWAYS:
    case OCT_COND_UNKNOWN:
      return which == 0;
    case OCT_COND_FLAGS:
      return which <= OCT_IF_LE;
    case OCT_COND_REGS:
      return which <= OCT_CMP_GEU && op->cond_a <= OCT_REG_ZERO && op->cond_b <= OCT_REG_ZERO;
    case OCT_COND_BIT:
      return which <= 1 && op->cond_a <= OCT_REG_ZERO && op->cond_b < 64;
    default:
      return 0;
  }
}

int oct_shadow_op_is_valid(const oct_shadow_op *op) {
  static const oct_shadow_op unknown;
  if (!(op->flags & OCT_SHADOW_KNOWN)) return !memcmp(op, &unknown, sizeof unknown);
  return op->flags < 128 && op->result < OCT_RESULT_COUNT && op->dest <= OCT_REG_NONE &&
         op->a <= OCT_REG_LOADED && op->b <= OCT_REG_LOADED && op->b_extend <= OCT_EXTEND_S32 &&
         op->width < 64 && (op->set_flags & 15) <= OCT_FLAGS_UNKNOWN &&
         op->data[0] <= OCT_REG_LINK && op->data[1] <= OCT_REG_LINK &&
         (op->target & 15) <= OCT_TARGET_UNKNOWN && op->link <= OCT_REG_NONE && is_valid_cond(op) &&
         is_valid_mem(&op->mem[0]) && is_valid_mem(&op->mem[1]);
}

int oct_shadow_op_get(const uint8_t in[OCT_SHADOW_OP_BYTES], oct_shadow_op *op) {
  memcpy(op, in, sizeof *op);
  swap(op);
  if ((op->flags & OCT_SHADOW_KNOWN) && oct_shadow_op_is_valid(op)) return 0;
  memset(op, 0, sizeof *op);
  return OCT_ERR_FORMAT;
}
