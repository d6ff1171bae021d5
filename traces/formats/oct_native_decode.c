/* SPDX-License-Identifier: Apache-2.0 */
/* oct_native_decode.c - decoder of the native format's event blocks.
 *
 * One pass over the instructions takes from all columns at once. A column that ends early or holds
 * too much is an error. */
#include "oct_native_decode.h"
#include "octrace/error.h"

#include <string.h>

const char *oct_native_decode(const oct_native_block *b, oct_insn *insns, oct_access *accesses,
                              oct_stamps *stamps) {
  const uint8_t *col[OCT_N_COLUMNS], *end[OCT_N_COLUMNS];
  uint64_t context[OCT_CONTEXTS], next_pc = 0, cycle = 0, v;
  size_t used = 4 * OCT_N_COLUMNS;
  uint32_t task = 0, n_accesses = 0, n_values = 0; /* of 2^20 accesses: at most 2^26 bytes */
  oct_access *access = accesses;
  if (b->raw_bytes < used) return "block is shorter than its columns";
  if (b->n_items) memset(context, 0, sizeof context); /* code that changes makes small blocks */
  for (int c = 0; c < OCT_N_COLUMNS; c++) {
    size_t n = (size_t)oct_get_le(b->payload + 4 * c, 4);
    if (n > b->raw_bytes - used) return "a column is longer than its block";
    col[c] = b->payload + used;
    end[c] = col[c] + n;
    used += n;
  }
  if (used != b->raw_bytes || end[OCT_COL_FLAGS] - col[OCT_COL_FLAGS] != (int64_t)b->n_insns ||
      end[OCT_COL_KIND] - col[OCT_COL_KIND] != (int64_t)b->n_items)
    return "the columns of a block do not fill it";
  for (uint32_t i = 0; i < b->n_insns; i++) {
    unsigned flags = col[OCT_COL_FLAGS][i];
    oct_insn *insn = &insns[i];
    if (!(flags & 15)) return "an instruction has size 0";
    if (flags & OCT_FLAG_JUMP) {
      if (!(col[OCT_COL_PC] = oct_leb128_get(col[OCT_COL_PC], end[OCT_COL_PC], &v)))
        return "bad number in the address column";
      next_pc += oct_unfold_sign(v);
    }
    insn->addr = next_pc;
    insn->cycle = 0;
    insn->size_bytes = flags & 15;
    insn->flags = 0;
    insn->n_access = 0;
    if (flags & OCT_FLAG_TASK) {
      if (!(col[OCT_COL_TASK] = oct_leb128_get(col[OCT_COL_TASK], end[OCT_COL_TASK], &v)) ||
          v > UINT32_MAX)
        return "bad number in the task column";
      task = (uint32_t)v;
    }
    insn->task = task;
    oct_stamps_insn(stamps, task);
    if (flags & OCT_FLAG_CYCLE) {
      if (!(col[OCT_COL_CYCLE] = oct_leb128_get(col[OCT_COL_CYCLE], end[OCT_COL_CYCLE], &v)))
        return "bad number in the cycle column";
      insn->cycle = cycle += oct_unfold_sign(v);
      insn->flags = OCT_INSN_HAS_CYCLE;
      if (oct_stamps_cycle(stamps, cycle))
        return "a cycle stamp goes back: expected none below the one before it in the same task";
    }
    if (flags & OCT_FLAG_ACCESS) {
      if (!(col[OCT_COL_COUNT] = oct_leb128_get(col[OCT_COL_COUNT], end[OCT_COL_COUNT], &v)) ||
          v == 0 || v > 65535 || v > b->n_items - n_accesses)
        return "bad number in the count column";
      insn->n_access = (uint16_t)v;
      for (unsigned k = 0; k < insn->n_access; k++) {
        unsigned kind = *col[OCT_COL_KIND]++;
        uint64_t delta, *last = &context[oct_context(next_pc, k)];
        if (!(col[OCT_COL_ADDR] = oct_leb128_get(col[OCT_COL_ADDR], end[OCT_COL_ADDR], &delta)))
          return "bad number in the access column";
        if (kind & ~31u || ((kind & OCT_KIND_VALUE) && (kind & 7) == 7))
          return "bad kind of an access";
        *last += oct_unfold_sign(delta);
        access->addr = *last;
        access->size_bytes = (kind & 7) == 7 ? 0 : (uint8_t)(1u << (kind & 7));
        access->is_store = kind >> 3 & 1;
        access->value = 0;
        if (kind & OCT_KIND_VALUE) {
          access->value = 1 + n_values;
          n_values += access->size_bytes;
        }
        access++;
      }
      n_accesses += insn->n_access;
    }
    next_pc += insn->size_bytes;
  }
  col[OCT_COL_FLAGS] += b->n_insns;
  for (int c = 0; c < OCT_N_COLUMNS; c++)
    if (col[c] != end[c]) return "a column holds more than its instructions use";
  if (n_accesses != b->n_items) return "a block counts other accesses than it holds";
  if (n_values != b->n_values) return "the values of a block are not those of its accesses";
  return NULL;
}
