/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc.h - ATC, the compressor of address traces of Michaud 2009: any sequence of 64-bit values
 * to a directory and back, without loss (bytesort) or with it (section 5). docs/atc.md has the
 * directory.
 *
 * The four calls of the paper's section 6 are oct_atc_open, oct_atc_code, oct_atc_decode and
 * oct_atc_close, with the arguments they have there:
 *
 *   oct_atc cp;
 *   unsigned long long x;
 *   oct_atc_open(&cp, 'k', dirname, "bz2", "bzip2 -c");
 *   while (fread(&x, sizeof x, 1, stdin)) oct_atc_code(&cp, x);
 *   if (oct_atc_close(&cp)) fprintf(stderr, "%s\n", cp.diag.text);
 *
 * After the first error nothing more is done, and oct_atc_close returns it: so a program may check
 * there alone. An oct_atc is used by one thread at a time; any number may live. */
#ifndef OCT_ATC_H
#define OCT_ATC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oct_error.h"
#include "oct_stage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of oct_atc_options. */
#define OCT_ATC_BUFFER_MAX 100000000u
#define OCT_ATC_INTERVAL_MAX 1000000000u
#define OCT_ATC_HISTOGRAMS_MAX 65536u
enum { OCT_ATC_SUFFIX_MAX = 32 };

/* How to compress. The suffix, the threads and nothing else matter when reading. */
typedef struct oct_atc_options {
  oct_stage_kind stage; /* none, gzip, bzip2, xz or zstd, of which files can stand in a row */
  int level;
  const char *suffix;   /* of the files; NULL: that of the stage, or when reading the one found */
  uint32_t buffer;      /* addresses that are sorted together, 1 .. OCT_ATC_BUFFER_MAX */
  uint32_t interval;    /* lossy: addresses of an interval, 1 .. OCT_ATC_INTERVAL_MAX */
  double threshold;     /* lossy: intervals at a smaller distance look alike, 0 .. 2 */
  uint32_t histograms;  /* lossy: chunks in the histogram table, 1 .. OCT_ATC_HISTOGRAMS_MAX */
  unsigned n_threads;   /* workers for the second stage, 0 .. 64 */
  bool replace;         /* an ATC directory of that name may be there, and is replaced */
  uint64_t reserved[4]; /* 0 */
} oct_atc_options;

/* bzip2 -9, a buffer of 1000000 addresses, intervals of 10000000, threshold 0.1, 1024 histograms,
 * one worker: the paper's, where it says. */
void oct_atc_options_init(oct_atc_options *options);
/* Take stage and level from a command line such as "bzip2 -c", "xz -9" or "gzip -dc"; the library
 * of that name is used, nothing is started. OCT_ERR_ARG. */
int oct_atc_options_command(oct_atc_options *options, const char *command, oct_diag *diag);

/* What was written or read so far; all of a directory's INFO when reading. */
typedef struct oct_atc_counts {
  uint64_t addresses, intervals, chunks, translated; /* translated: intervals with a translation */
  uint64_t file_bytes;
  uint64_t reserved[4]; /* 0 */
} oct_atc_counts;

/* Fields are the library's; after an error, diag tells it in a line. */
typedef struct oct_atc {
  struct oct_atc_writer *writer;
  struct oct_atc_reader *reader;
  uint64_t *values;   /* on their way in or out: values[at .. n) */
  size_t at, n, room; /* room: 0 but for writing */
  int error;
  oct_diag diag;
  oct_atc_counts counts; /* when it was closed */
  uint64_t reserved[4];  /* 0 */
} oct_atc;

/* mode 'c': compress without loss, 'k': with loss, 'd': decompress the directory `dirname`. Written
 * files have the suffix `suffix` and are compressed as `command` would (NULL, NULL: "bz2" and
 * "bzip2 -c"). When reading, what the files are is found out; a suffix chooses among INFO files,
 * and command only must be one of a known tool. The directory appears when oct_atc_close has
 * succeeded. OCT_ERR_ARG, OCT_ERR_NOMEM, OCT_ERR_IO (also: it exists and is not empty), and for 'd'
 * the errors of oct_atc_get. */
int oct_atc_open(oct_atc *atc, char mode, const char *dirname, const char *suffix,
                 const char *command);
/* The same with everything that can be chosen. */
int oct_atc_open_options(oct_atc *atc, char mode, const char *dirname,
                         const oct_atc_options *options);

/* Append n values: 0, OCT_ERR_NOMEM, OCT_ERR_IO, OCT_ERR_LIMIT (INFO gets too large), or
 * OCT_ERR_ARG when the directory is being read. */
int oct_atc_put(oct_atc *atc, const uint64_t *values, size_t n);
/* The next values, at most max: how many, 0 at the end, or an error, which names file and offset:
 * OCT_ERR_IO, OCT_ERR_FORMAT, OCT_ERR_TRUNCATED, OCT_ERR_CHECKSUM, OCT_ERR_NOMEM; OCT_ERR_ARG when
 * it is being written. */
int64_t oct_atc_get(oct_atc *atc, uint64_t *values, size_t max);

/* Finish, and free all but atc itself. 0, or the first error since it was opened; the directory
 * that was being written then does not appear, and nothing is left of it. */
int oct_atc_close(oct_atc *atc);
/* Give up: like oct_atc_close, but nothing appears in any case. */
void oct_atc_abort(oct_atc *atc);

/* Remove the directories that are being written, 64 at most at a time. For the handler of a signal
 * that ends the program, in the thread that writes them: async-signal-safe; they can only be
 * aborted afterwards. */
void oct_atc_unlink_all(void);

/* Also when it is closed. */
void oct_atc_count(const oct_atc *atc, oct_atc_counts *counts);

/* Inside of the next two. */
int oct_atc_drain(oct_atc *atc);
int oct_atc_fill(oct_atc *atc);

/* Append one value: 0 or an error, as oct_atc_put. */
static inline int oct_atc_code(oct_atc *atc, unsigned long long x) {
  if (atc->n >= atc->room) {
    int error = oct_atc_drain(atc);
    if (error) return error;
  }
  atc->values[atc->n++] = x;
  return 0;
}

/* The next value: 1; 0 at the end, and after an error, which oct_atc_close returns. */
static inline int oct_atc_decode(oct_atc *atc, unsigned long long *x) {
  if ((atc->at >= atc->n || atc->room) && oct_atc_fill(atc) <= 0) return 0;
  *x = atc->values[atc->at++];
  return 1;
}

#ifdef __cplusplus
}
#endif
#endif
