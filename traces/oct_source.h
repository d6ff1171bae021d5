/* SPDX-License-Identifier: Apache-2.0 */
/* oct_source.h - a trace as tracers take it: read from any format, cut to a part, and followed by a
 * program map.
 *
 * Threads: A source is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_SOURCE_H
#define OCT_SOURCE_H

#include <stdbool.h>

#include "oct_map.h"
#include "oct_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_source_options {
  oct_read_options read;
  uint64_t skip;       /* leave out so many instructions, */
  uint64_t limit;      /* and stop after so many; 0 = at the end */
  bool by_stamps;      /* instructions retire by cycle stamps: there are some, and none goes back */
  bool find_alignment; /* where no instruction set tells it, by the addresses of the first batch */
  /* Called after each batch, if not NULL: instructions so far, bytes read, and of how many (0 =
   * unknown). */
  void (*progress)(void *context, uint64_t n_insns, uint64_t done_bytes, uint64_t total_bytes);
  void *progress_context;
  uint64_t reserved[4]; /* 0 */
} oct_source_options;

typedef struct oct_source {
  const char *name; /* as messages show it: a path, or "standard input" */
  oct_reader *reader;
  const oct_map *map;         /* what is known of the program so far */
  oct_trace_info info;        /* the reader's, with the alignment found where nothing says it */
  uint32_t found_align_bytes; /* that, or 0: later batches are held to it, unless it is cleared */
  bool only_looks;            /* a lower alignment in later batches is no error, but found */
  bool is_quiet;              /* options.progress is not called */
  oct_batch batch;            /* the current batch; its insns went through oct_map_track */
  const oct_map_update *updates;
  size_t n_updates;
  uint64_t n_insns, n_accesses; /* read so far, the current batch included */
  struct oct_source_state *state;
  uint64_t reserved[4]; /* 0 */
} oct_source;

/* Open path; "-" is standard input. options may be NULL. 0, or an error of oct_reader_open or
 * oct_reader_skip with *diag; nothing is left open then. */
int oct_source_open(oct_source *s, const char *path, const oct_source_options *options,
                    oct_diag *diag);
/* 1 and a batch, valid until the next call; 0 at the end; OCT_ERR_ARG (nothing was left after what
 * is skipped), OCT_ERR_FORMAT (stamps), OCT_ERR_LIMIT (the alignment found does not hold),
 * OCT_ERR_NOMEM, or an error of oct_reader_next. */
int oct_source_next(oct_source *s, oct_diag *diag);
void oct_source_close(oct_source *s);

/* The alignment of instructions: what info says, or, where it says 1 and names no instruction set,
 * what the addresses and sizes of these instructions have in common, at most 8 bytes. */
uint32_t oct_find_alignment(const oct_trace_info *info, const oct_insn *insns, size_t n_insns);

/* OCT_ERR_ARG, with a text that skipping has left nothing of the trace. */
int oct_source_skipped_all(const char *path, uint64_t skip, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
