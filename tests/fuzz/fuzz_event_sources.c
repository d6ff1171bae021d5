/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_event_sources.c - any bytes as an event trace of a foreign format: reading ends with a
 * result.
 *
 * The first byte chooses: 0 text, 1 what uftrace dump prints, 2 a data directory of uftrace, 3 an
 * OTF2 archive. A directory is the files in the order of the lists below, each behind its length,
 * two bytes; the last has the rest. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "oct_ev_source.h"
#include "oct_fuzz.h"

/* A few bytes can stand for very many events. */
enum { BATCHES_MAX = 200, FILES_MAX = 6 };

static const char *const uftrace[FILES_MAX] = {
    "task.txt", "sid-0123456789abcdef.map", "prog.sym", "info", "1.dat", "2.dat"};
static const char *const otf2[FILES_MAX] = {"traces.otf2",  "traces.def",   "traces/0.def",
                                            "traces/0.evt", "traces/1.def", "traces/1.evt"};
static const char *folder;

/* The OTF2 library keeps some of what it has of an archive that it cannot open. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libopen-trace-format2\n";
}

static const char *path_of(const char *name) {
  static char path[4200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void remove_files(void) {
  for (unsigned i = 0; i < FILES_MAX; i++) {
    unlink(path_of(uftrace[i]));
    unlink(path_of(otf2[i]));
  }
}

static void remove_folder(void) {
  remove_files();
  rmdir(path_of("traces"));
  rmdir(folder);
}

static void save_files(const char *const *names, const uint8_t *data, size_t size) {
  for (unsigned i = 0; i < FILES_MAX && size > 2; i++) {
    size_t n = (size_t)data[0] | (size_t)data[1] << 8;
    data += 2, size -= 2;
    if (n > size || i + 1 == FILES_MAX) n = size;
    FILE *f = fopen(path_of(names[i]), "wb");
    if (!f || fwrite(data, 1, n, f) != n || fclose(f)) abort();
    data += n, size -= n;
  }
}

static void read_source(const char *path, oct_ev_format format) {
  oct_ev_source *s;
  const oct_ev_record *records;
  oct_diag diag;
  size_t n;
  if (oct_ev_source_open(path, format, &s, &diag)) return;
  for (int i = 0; i < BATCHES_MAX && oct_ev_source_next(s, &records, &n, &diag) > 0; i++) {
    const oct_ev_defs *d = oct_ev_source_defs(s);
    for (size_t k = 0; k < n; k++) {
      if (records[k].location >= d->locations.n) abort();
      if (records[k].kind != OCT_EV_OTHER && records[k].function >= d->functions.n) abort();
    }
  }
  oct_ev_source_note(s);
  oct_ev_source_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int ready;
  if (!ready) {
    ready = 1;
    folder = fuzz_folder();
    if (mkdir(path_of("traces"), 0700)) abort();
    atexit(remove_folder);
  }
  if (!size) return 0;
  if (data[0] < 2) {
    char path[32];
    int fd = fuzz_file(data + 1, size - 1, path);
    read_source(path, data[0] ? OCT_EV_FORMAT_UFTRACE_DUMP : OCT_EV_FORMAT_TEXT);
    close(fd);
  } else if (data[0] < 4) {
    save_files(data[0] == 2 ? uftrace : otf2, data + 1, size - 1);
    read_source(folder, data[0] == 2 ? OCT_EV_FORMAT_UFTRACE : OCT_EV_FORMAT_OTF2);
    remove_files();
  }
  return 0;
}
