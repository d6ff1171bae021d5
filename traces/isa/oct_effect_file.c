/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_file.c - effects as bytes of a file: the fields in their order, numbers
 * little-endian; packed, only the bytes that differ from those of an operation that does nothing,
 * behind a mask of them. */
#include "oct_effect_file.h"

#include "oct_endian.h"
#include "octrace/error.h"
#include "oct_effect_build.h"

#include <endian.h>
#include <string.h>

_Static_assert(sizeof(oct_effect) == OCT_EFFECT_BYTES, "the operation has no gaps");

/* The numbers of more than a byte, there and back. */
static void swap(oct_effect *op) {
  op->imm = htole64(op->imm);
  for (int i = 0; i < 2; i++) {
    op->mem[i].offset = htole64(op->mem[i].offset);
    op->mem[i].step = (int32_t)htole32((uint32_t)op->mem[i].step);
  }
  op->list = htole32(op->list);
  op->clobbers = htole32(op->clobbers);
}

void oct_effect_put(uint8_t out[OCT_EFFECT_BYTES], const oct_effect *op) {
  oct_effect copy = *op;
  swap(&copy);
  memcpy(out, &copy, sizeof copy);
}

static int is_valid_mem(const oct_effect_mem *m) {
  return m->base <= OCT_REG_ZERO && m->index <= OCT_REG_ZERO &&
         (m->form & OCT_MEM_INDEX_EXTEND) >> 4 <= OCT_EXTEND_S32;
}

static int is_valid_cond(const oct_effect *op) {
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

int oct_effect_is_valid(const oct_effect *op) {
  static const oct_effect unknown;
  if (!(op->flags & OCT_EFFECT_KNOWN)) return !memcmp(op, &unknown, sizeof unknown);
  return op->flags < 128 && op->result < OCT_RESULT_COUNT && op->dest <= OCT_REG_NONE &&
         op->a <= OCT_REG_LOADED && op->b <= OCT_REG_LOADED && op->b_extend <= OCT_EXTEND_S32 &&
         op->width < 64 && (op->set_flags & 15) <= OCT_FLAGS_UNKNOWN &&
         op->data[0] <= OCT_REG_LINK && op->data[1] <= OCT_REG_LINK &&
         (op->target & 15) <= OCT_TARGET_UNKNOWN && op->link <= OCT_REG_NONE && is_valid_cond(op) &&
         is_valid_mem(&op->mem[0]) && is_valid_mem(&op->mem[1]);
}

int oct_effect_get(const uint8_t in[OCT_EFFECT_BYTES], oct_effect *op) {
  memcpy(op, in, sizeof *op);
  swap(op);
  if ((op->flags & OCT_EFFECT_KNOWN) && oct_effect_is_valid(op)) return 0;
  memset(op, 0, sizeof *op);
  return OCT_ERR_FORMAT;
}

/* First byte of a packed operation. */
enum { PACKED_UNKNOWN = 0, PACKED_32 = 1, PACKED_64 = 2 };

/* The bytes that an operation is compared with: one that does nothing. */
static void plain(uint8_t bytes[OCT_EFFECT_BYTES], int is_64) {
  oct_effect op;
  oct_effect_start(&op, is_64);
  oct_effect_put(bytes, &op);
}

size_t oct_effect_pack(uint8_t *out, const oct_effect *op) {
  uint8_t bytes[OCT_EFFECT_BYTES], base[OCT_EFFECT_BYTES];
  int is_64 = (op->flags & OCT_EFFECT_64) != 0;
  uint64_t mask = 0;
  uint8_t *p = out + 1 + sizeof mask;
  *out = PACKED_UNKNOWN;
  if (!(op->flags & OCT_EFFECT_KNOWN)) return 1;
  *out = is_64 ? PACKED_64 : PACKED_32;
  oct_effect_put(bytes, op);
  plain(base, is_64);
  for (unsigned i = 0; i < OCT_EFFECT_BYTES; i++) {
    if (bytes[i] == base[i]) continue;
    mask |= UINT64_C(1) << i;
    *p++ = bytes[i];
  }
  oct_put_u64(out + 1, mask);
  return (size_t)(p - out);
}

int oct_effect_unpack(const uint8_t **p, const uint8_t *end, oct_effect *op) {
  uint8_t bytes[OCT_EFFECT_BYTES];
  uint64_t mask;
  const uint8_t *at = *p;
  memset(op, 0, sizeof *op);
  if (at == end || *at > PACKED_64) return OCT_ERR_FORMAT;
  if (*at == PACKED_UNKNOWN) {
    *p = at + 1;
    return 0;
  }
  plain(bytes, *at++ == PACKED_64);
  if ((size_t)(end - at) < sizeof mask) return OCT_ERR_FORMAT;
  mask = oct_get_u64(at);
  at += sizeof mask;
  if (end - at < __builtin_popcountll(mask)) return OCT_ERR_FORMAT;
  for (; mask; mask &= mask - 1) bytes[__builtin_ctzll(mask)] = *at++;
  *p = at;
  return oct_effect_get(bytes, op);
}
