/* SPDX-License-Identifier: Apache-2.0 */
/* oct_source.c - reader, cut and map tracker in a row. */
#include "oct_source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int oct_source_open(oct_source *s, const char *path, const oct_source_options *options,
                    oct_diag *diag) {
  memset(s, 0, sizeof *s);
  if (options) s->options = *options;
  s->left = s->options.limit ? s->options.limit : UINT64_MAX;
  s->wants_stamps = s->options.wants_stamps;
  int error = oct_reader_open(path, &s->options.read, &s->reader, diag);
  if (error < 0) return error;
  if (s->options.skip) error = oct_reader_skip(s->reader, s->options.skip, diag);
  s->name = strdup(strcmp(path, "-") ? path : "standard input");
  s->tracker = oct_map_tracker_new();
  if (error >= 0 && (!s->tracker || !s->name))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (error < 0) oct_source_close(s);
  return error < 0 ? error : 0;
}

/* Without any stamp all would retire one a cycle, which was not asked for. */
static int check_stamps(oct_source *s, oct_diag *diag) {
  for (size_t i = 0; i < s->batch.n_insns && s->wants_stamps; i++)
    if (s->batch.insns[i].flags & OCT_INSN_HAS_CYCLE) s->wants_stamps = false;
  if (!s->wants_stamps) return 0;
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "%s: expected cycle stamps, by which --arrival stamps lets instructions retire, "
                  "found none in the first %zu instruction%s",
                  s->name, s->batch.n_insns, s->batch.n_insns == 1 ? "" : "s");
}

static void cut(oct_batch *b, uint64_t n_insns) {
  if (b->n_insns <= n_insns) return;
  b->n_insns = (size_t)n_insns;
  b->n_accesses = 0;
  for (size_t i = 0; i < b->n_insns; i++) b->n_accesses += b->insns[i].n_access;
}

/* A copy of the batch's instructions goes through the map. */
static int track(oct_source *s, oct_diag *diag) {
  size_t n_insns = s->batch.n_insns;
  if (n_insns > s->insns_room) {
    oct_insn *insns = realloc(s->insns, n_insns * sizeof *insns);
    if (!insns) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    s->insns = insns;
    s->insns_room = n_insns;
  }
  if (n_insns) memcpy(s->insns, s->batch.insns, n_insns * sizeof *s->insns);
  int64_t n = oct_map_track(s->tracker, &s->batch, s->insns, &s->updates);
  if (n == OCT_ERR_LIMIT) {
    uint64_t at = oct_map_tracker_insns(s->tracker);
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "%s: instruction %" PRIu64 " (0x%" PRIx64 "): expected a size of 1 to 15 bytes",
                    s->name, at, s->insns[at - s->n_insns].addr);
  }
  if (n < 0) return oct_fail(diag, (int)n, "%s: %s", s->name, oct_error_text((int)n));
  s->n_updates = (size_t)n;
  s->batch.insns = s->insns;
  return 0;
}

int oct_source_next(oct_source *s, oct_diag *diag) {
  if (!s->left) return 0;
  int got = oct_reader_next(s->reader, &s->batch, diag);
  if (got <= 0) return got;
  cut(&s->batch, s->left);
  int error = check_stamps(s, diag);
  if (!error) error = track(s, diag);
  if (error) return error;
  s->left -= s->batch.n_insns;
  s->n_insns += s->batch.n_insns;
  s->n_accesses += s->batch.n_accesses;
  if (s->options.progress)
    s->options.progress(s->options.progress_context, s->n_insns, oct_reader_bytes_read(s->reader),
                        oct_reader_bytes_total(s->reader));
  return 1;
}

void oct_source_close(oct_source *s) {
  oct_reader_close(s->reader);
  oct_map_tracker_free(s->tracker);
  free(s->insns);
  free(s->name);
  memset(s, 0, sizeof *s);
}
