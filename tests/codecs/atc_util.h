/* SPDX-License-Identifier: Apache-2.0 */
/* atc_util.h - what the tests of ATC share: a folder of their own, traces there and back. */
#ifndef OCT_ATC_UTIL_H
#define OCT_ATC_UTIL_H

#include <dirent.h>

#include "../traces/test_util.h"
#include "octrace/codec.h"
#include "octrace/error.h"

static char work[64];

static inline int work_setup(void **state) {
  (void)state;
  strcpy(work, "/tmp/oct_atc_XXXXXX");
  return mkdtemp(work) ? chdir(work) : -1;
}

static inline int work_teardown(void **state) {
  char command[96];
  (void)state;
  snprintf(command, sizeof command, "rm -rf %s", work);
  return chdir("/") || system(command);
}

/* Entries of a directory but . and .., -1 when there is none. */
static inline int count_entries(const char *name) {
  DIR *d = opendir(name);
  int n = 0;
  if (!d) return -1;
  while (readdir(d)) n++;
  closedir(d);
  return n - 2;
}

static inline oct_atc_options small_options(uint32_t buffer, uint32_t interval) {
  oct_atc_options o;
  oct_atc_options_init(&o);
  o.stage = OCT_GENERAL_ZSTD;
  o.level = 1;
  o.buffer = buffer;
  o.interval = interval;
  o.replace = true;
  return o;
}

static inline void write_atc(char mode, const char *dir, const oct_atc_options *o,
                             const uint64_t *values, size_t n, oct_atc_counts *counts) {
  oct_atc atc;
  if (oct_atc_open_options(&atc, mode, dir, o)) fail_msg("%s", oct_diag_line(&atc.diag).text);
  for (size_t i = 0, step = 1; i < n; i += step, step = step * 3 % 10007) {
    if (step > n - i) step = n - i;
    if (oct_atc_put(&atc, values + i, step)) fail_msg("%s", oct_diag_line(&atc.diag).text);
  }
  if (oct_atc_close(&atc)) fail_msg("%s", oct_diag_line(&atc.diag).text);
  if (counts) oct_atc_count(&atc, counts);
}

/* All values of a directory, appended to values; 0 or an error. */
static inline int read_atc(const char *dir, unsigned n_threads, oct_buffer *values,
                           oct_diag *diag) {
  oct_atc_options o;
  oct_atc atc;
  oct_atc_options_init(&o);
  o.n_threads = n_threads;
  int64_t got = 1;
  size_t max = 1;
  if (oct_atc_open_options(&atc, 'd', dir, &o)) got = 0;
  while (got > 0) {
    uint64_t *p = (uint64_t *)(void *)oct_buffer_room(values, 8 * max);
    assert_non_null(p);
    got = oct_atc_get(&atc, p, max);
    if (got > 0) values->n_bytes += 8 * (size_t)got;
    max = max * 5 % 9973;
  }
  int error = oct_atc_close(&atc);
  *diag = atc.diag;
  return error;
}

static inline uint64_t value_at(const oct_buffer *values, size_t i) {
  uint64_t v;
  memcpy(&v, values->bytes + 8 * i, 8);
  return v;
}

#endif
