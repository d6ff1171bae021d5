/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_readers.c - any bytes as a trace of any format: reading ends with a result, and each batch
 * holds together.
 *
 * The first byte names the format (0: by content), the second the instruction set; the rest is the
 * file. Built with -DOCT_FUZZ_MAIN it runs over the files given as arguments; else it is a
 * libFuzzer target. Start it with traces/samples/foreign, two bytes put in front. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "oct_isa.h"
#include "oct_reader.h"

enum { HEAD_BYTES = 2 };
/* A few compressed bytes can stand for very many instructions. */
#define BATCHES_MAX 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
  if (data[1] % (OCT_ISA_COUNT + 1) < OCT_ISA_COUNT)
    options.isa = oct_isa_get((oct_isa)(data[1] % (OCT_ISA_COUNT + 1)))->name;
  int fd = memfd_create("trace", 0);
  if (fd < 0 || write(fd, data + HEAD_BYTES, size - HEAD_BYTES) != (ssize_t)(size - HEAD_BYTES))
    abort();
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (!oct_reader_open(path, &options, &r, &diag)) {
    for (int i = 0; i < BATCHES_MAX && oct_reader_next(r, &batch, &diag) > 0; i++)
      check(&batch, oct_reader_info(r));
    oct_reader_close(r);
  }
  close(fd);
  return 0;
}

#ifdef OCT_FUZZ_MAIN
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    FILE *f = fopen(argv[i], "rb");
    uint8_t *bytes = malloc(1 << 20);
    if (!f || !bytes) {
      fprintf(stderr, "%s: cannot read\n", argv[i]);
      return 1;
    }
    size_t n = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    LLVMFuzzerTestOneInput(bytes, n);
    free(bytes);
  }
  return 0;
}
#endif
