/* SPDX-License-Identifier: Apache-2.0 */
/* oct_records.c - the records of VPC3 from a trace. */
#include "octrace/codec.h"

unsigned oct_records_pc_shift(uint32_t align_bytes) {
  unsigned shift = 0;
  while (shift < 3 && (2u << shift) <= align_bytes) shift++;
  return shift;
}

int oct_records_append(const oct_batch *batch, unsigned kinds, unsigned pc_shift,
                       oct_buffer *records, oct_diag *diag) {
  const oct_access *access = batch->accesses;
  uint8_t *p = oct_buffer_room(records, 12 * batch->n_accesses + 1);
  if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < batch->n_insns; i++) {
    uint64_t pc = batch->insns[i].addr >> pc_shift;
    for (unsigned k = 0; k < batch->insns[i].n_access; k++, access++) {
      if (!(kinds & (access->is_store ? OCT_RECORDS_STORES : OCT_RECORDS_LOADS))) continue;
      for (unsigned b = 0; b < 4; b++) *p++ = (uint8_t)(pc >> 8 * b);
      for (unsigned b = 0; b < 8; b++) *p++ = (uint8_t)(access->addr >> 8 * b);
    }
  }
  records->n_bytes = (size_t)(p - records->bytes);
  return 0;
}
