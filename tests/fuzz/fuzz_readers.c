/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_readers.c - any bytes as a trace of any format: reading ends with a result, and each batch
 * holds together.
 *
 * The first byte names the format (0: by content), the second the instruction set and, from 128 on,
 * how many instructions are skipped; the rest is the file. With 255 it is a folder of two files,
 * the first behind its length, two bytes. Start it with traces/samples/foreign, two bytes put in
 * front.
 */
#include "oct_fuzz.h"
#include "octrace/trace.h"

#include <stdbool.h>
#include <string.h>

enum { HEAD_BYTES = 2, FOLDER = 255 };
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

static const char *folder;

static const char *path_of(const char *name) {
  static char path[4200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void remove_folder(void) {
  unlink(path_of("1.trace"));
  unlink(path_of("2.trace"));
  rmdir(folder);
}

static void save(const char *name, const uint8_t *data, size_t n) {
  FILE *f = fopen(path_of(name), "wb");
  if (!f || fwrite(data, 1, n, f) != n || fclose(f)) abort();
}

/* The files of a folder; one without bytes is not there. */
static void save_files(const uint8_t *data, size_t size) {
  if (!folder) {
    folder = fuzz_folder();
    atexit(remove_folder);
  }
  size_t n = size < 2 ? 0 : data[0] | (size_t)data[1] << 8;
  data += size < 2 ? size : 2;
  size -= size < 2 ? size : 2;
  if (n > size) n = size;
  unlink(path_of("1.trace"));
  unlink(path_of("2.trace"));
  if (n) save("1.trace", data, n);
  if (size - n) save("2.trace", data + n, size - n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  oct_read_options options = {0};
  oct_reader *r;
  oct_batch batch;
  oct_diag diag;
  char path[32];
  if (size < HEAD_BYTES) return 0;
  options.format = (oct_format)(data[0] % (oct_format_count() + 1));
  if (data[1] && data[1] % (OCT_ISA_COUNT + 1) < OCT_ISA_COUNT)
    options.isa = oct_isa_get((oct_isa)(data[1] % (OCT_ISA_COUNT + 1)))->name;
  bool is_folder = data[1] == FOLDER;
  if (is_folder) save_files(data + HEAD_BYTES, size - HEAD_BYTES);
  int fd = is_folder ? -1 : fuzz_file(data + HEAD_BYTES, size - HEAD_BYTES, path);
  if (!oct_reader_open(is_folder ? folder : path, &options, &r, &diag)) {
    if (data[1] >= 128 && !is_folder) oct_reader_skip(r, data[1] - 128u, &diag);
    for (int i = 0; i < BATCHES_MAX && oct_reader_next(r, &batch, &diag) > 0; i++)
      check(&batch, oct_reader_info(r));
    oct_reader_close(r);
  }
  if (fd >= 0) close(fd);
  return 0;
}
