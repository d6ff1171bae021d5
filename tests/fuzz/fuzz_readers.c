/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_readers.c - any bytes as a trace of any format: reading ends with a result, and each batch
 * holds together.
 *
 * The first byte names the format (0: by content), the second the instruction set and, from 128 on,
 * how many instructions are skipped; the rest is the file. Start it with traces/samples/foreign,
 * two bytes put in front. */
#include "oct_fuzz.h"
#include "oct_isa.h"
#include "oct_reader.h"

enum { HEAD_BYTES = 2 };
/* A few compressed bytes can stand for very many instructions. */
#define BATCHES_MAX 16

/* Accesses add up, addresses fit. */
static void check(const oct_batch *b, const oct_trace_info *info) {
  size_t accesses = 0;
  uint64_t max = info->addr_bits == 32 ? UINT32_MAX : UINT64_MAX;
  for (size_t i = 0; i < b->n_insns; i++) {
    accesses += b->insns[i].n_access;
    if (b->insns[i].addr > max || !b->insns[i].size_bytes || b->insns[i].size_bytes > 15) abort();
  }
  if (accesses != b->n_accesses) abort();
  for (size_t i = 0; i < b->n_accesses; i++)
    if (b->accesses[i].size_bytes & (b->accesses[i].size_bytes - 1)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  oct_read_options options = {0};
  oct_reader *r;
  oct_batch batch;
  oct_diag diag;
  char path[32];
  if (size < HEAD_BYTES) return 0;
  options.format = (oct_format)(data[0] % OCT_FORMAT_COUNT);
  if (data[1] && data[1] % (OCT_ISA_COUNT + 1) < OCT_ISA_COUNT)
    options.isa = oct_isa_get((oct_isa)(data[1] % (OCT_ISA_COUNT + 1)))->name;
  int fd = fuzz_file(data + HEAD_BYTES, size - HEAD_BYTES, path);
  if (!oct_reader_open(path, &options, &r, &diag)) {
    if (data[1] >= 128) oct_reader_skip(r, data[1] - 128u, &diag);
    for (int i = 0; i < BATCHES_MAX && oct_reader_next(r, &batch, &diag) > 0; i++)
      check(&batch, oct_reader_info(r));
    oct_reader_close(r);
  }
  close(fd);
  return 0;
}
