/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_trace_units.c - any bytes as what a trace unit wrote, and any bytes as the program: reading
 * ends with a result, and each batch holds together.
 *
 * The first byte names the format: E-Trace, N-Trace, Intel PT, perf.data, a snapshot with ETMv4,
 * the port of paper or shadow; the second is how the trace unit was set, with FRAMED that the
 * stream stands in frames of CoreSight, with GOES_ON that reading goes on behind damage. Then comes
 * the program, behind its length in two bytes, then the stream; of a snapshot, likewise, its files,
 * the last of which is a dump of memory. */
#include "oct_fuzz.h"
#include "octrace/trace.h"

enum { HEAD_BYTES = 2, BATCHES_MAX = 4, FRAMED = 0x80, GOES_ON = 0x40 };
/* Places in the table of formats. */
enum { NTRACE = 1, SNAPSHOT = 4, PAPER, N_FORMATS = 7 };

static const char *const files[] = {"snapshot.ini", "trace.ini",   "core.ini", "etm.ini",
                                    "trace.bin",    "memory1.bin", "prog",     "stream"};
enum { SNAPSHOT_FILES = 6, PROGRAM = 6, STREAM = 7, N_FILES = 8 };
static const char *folder;

static const char *path_of(unsigned file) {
  static char path[N_FILES][4200];
  snprintf(path[file], sizeof path[file], "%s/%s", folder, files[file]);
  return path[file];
}

static void remove_folder(void) {
  for (unsigned i = 0; i < N_FILES; i++) remove(path_of(i));
  rmdir(folder);
}

static void put_file(unsigned file, const uint8_t *data, size_t size) {
  FILE *f = fopen(path_of(file), "wb");
  if (!f || fwrite(data, 1, size, f) != size || fclose(f)) abort();
}

/* Write what comes next as a file: behind its length, or all that is left. */
static void take_file(unsigned file, const uint8_t **data, size_t *size, int is_last) {
  size_t n = *size;
  if (!is_last) {
    n = *size < 2 ? 0 : (*data)[0] | (size_t)(*data)[1] << 8;
    size_t head = *size < 2 ? *size : 2;
    *data += head;
    *size -= head;
    if (n > *size) n = *size;
  }
  put_file(file, *data, n);
  *data += n;
  *size -= n;
}

static void check(const oct_batch *b) {
  size_t accesses = 0;
  for (size_t i = 0; i < b->n_insns; i++) {
    accesses += b->insns[i].n_access;
    if (!b->insns[i].size_bytes || b->insns[i].size_bytes > 15) abort();
  }
  if (accesses != b->n_accesses) abort();
}

static const char *set_up(const char *geometry, int is_framed) {
  static char params[100];
  if (!is_framed) return geometry;
  snprintf(params, sizeof params, "%s%sframes=1", geometry ? geometry : "", geometry ? "," : "");
  return params;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const formats[] = {"etrace", "ntrace", "intel-pt", "perf",
                                        "etmv4",  "paper",  "shadow"};
  static const char *const settings[][4] = {
      [0] = {"base", "all", "full", "bare"},
      [NTRACE] = {"htm", "btm", "all", "btm-all"},
      [PAPER] = {"paper", "traps=1,timestamp=1", "timestamp=2,ntuple_n=3", "tiny,check_bits=0"},
      [PAPER + 1] = {"shadow", "traps=1", "timestamp=1,time_period_insns=3", "check=0"}};
  oct_reader *r;
  oct_batch batch;
  oct_diag diag;
  if (size < HEAD_BYTES) return 0;
  if (!folder) {
    folder = fuzz_folder();
    atexit(remove_folder);
  }
  unsigned format = data[0] % N_FORMATS, how = (data[1] & ~(FRAMED | GOES_ON)) % 5;
  const int is_framed = data[1] & FRAMED, goes_on = (data[1] & GOES_ON) != 0;
  data += HEAD_BYTES;
  size -= HEAD_BYTES;
  take_file(PROGRAM, &data, &size, 0);
  oct_read_options options = {
      .format = oct_format_by_name(formats[format]), .elf = path_of(PROGRAM), .goes_on = goes_on};
  if (format <= NTRACE || format >= PAPER)
    options.params = set_up(how < 4 ? settings[format][how] : NULL, is_framed);
  else if (how == 4)
    options.elf = NULL;
  else if (how == 3)
    options.params = "base"; /* which these formats do not take */
  if (format == SNAPSHOT) {
    for (unsigned i = 0; i < SNAPSHOT_FILES; i++)
      take_file(i, &data, &size, i + 1 == SNAPSHOT_FILES);
  } else {
    take_file(STREAM, &data, &size, 1);
  }
  if (!oct_reader_open(format == SNAPSHOT ? folder : path_of(STREAM), &options, &r, &diag)) {
    for (int i = 0; i < BATCHES_MAX && oct_reader_next(r, &batch, &diag) > 0; i++) check(&batch);
    oct_reader_close(r);
  }
  return 0;
}
