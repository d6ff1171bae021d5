/* SPDX-License-Identifier: Apache-2.0 */
/* oct_source.c - reader, cut and map tracker in a row.
 *
 * Commands read traces through this: instructions are skipped and limited, alignment and time
 * stamps checked, and the map tracker gives the map updates that a decoder needs with each batch.
 */
#include "oct_source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_isa.h"

/* Where no instruction set tells it, the addresses of the first batch tell their alignment. */
static void find_alignment(oct_source *s) {
  oct_batch batch;
  oct_diag later; /* oct_reader_next will tell */
  uint64_t all = 8;
  int isa = oct_isa_by_name(s->info.isa);
  if (s->info.insn_align_bytes > 1) return;
  if (isa >= 0 && oct_isa_get((oct_isa)isa)->insn_align_bytes == 1) return;
  if (oct_reader_peek(s->reader, &batch, &later) <= 0 || !batch.n_insns) return;
  for (size_t i = 0; i < batch.n_insns; i++) all |= batch.insns[i].addr | batch.insns[i].size_bytes;
  s->info.insn_align_bytes = (uint32_t)(all & (0 - all));
  if (s->info.insn_align_bytes > 1) s->found_align_bytes = s->info.insn_align_bytes;
}

/* What was found in the first batch need not hold for the others. */
static int check_alignment(oct_source *s, oct_diag *diag) {
  for (size_t i = 0; i < s->batch.n_insns; i++) {
    if (!(s->batch.insns[i].addr & (s->found_align_bytes - 1))) continue;
    if (!s->only_looks)
      return oct_fail(diag, OCT_ERR_LIMIT,
                      "%s: instruction %" PRIu64 " (0x%" PRIx64
                      ") is no multiple of %u bytes, as all before it are: run this with -g "
                      "pc_align_bits=0, or name the instruction set with --isa",
                      s->name, s->options.skip + s->n_insns + i, s->batch.insns[i].addr,
                      s->found_align_bytes);
    while (s->batch.insns[i].addr & (s->found_align_bytes - 1)) s->found_align_bytes /= 2;
  }
  return 0;
}

int oct_source_open(oct_source *s, const char *path, const oct_source_options *options,
                    oct_diag *diag) {
  memset(s, 0, sizeof *s);
  if (options) s->options = *options;
  s->left = s->options.limit ? s->options.limit : UINT64_MAX;
  int error = oct_reader_open(path, &s->options.read, &s->reader, diag);
  if (error < 0) return error;
  if (s->options.skip) error = oct_reader_skip(s->reader, s->options.skip, diag);
  s->info = *oct_reader_info(s->reader);
  if (s->options.find_alignment) find_alignment(s);
  s->name = strdup(strcmp(path, "-") ? path : "standard input");
  s->tracker = oct_map_tracker_new();
  if (error >= 0 && (!s->tracker || !s->name))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (error < 0) oct_source_close(s);
  return error < 0 ? error : 0;
}

int oct_source_skipped_all(const char *path, uint64_t skip, oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_ARG,
                  "%s: --skip %" PRIu64 " leaves nothing: the trace has no more instructions",
                  strcmp(path, "-") ? path : "standard input", skip);
}

/* Without any stamp all would retire one a cycle, which was not asked for; and no instruction
 * retires before the one before it. */
static int check_stamps(oct_source *s, oct_diag *diag) {
  for (size_t i = 0; i < s->batch.n_insns; i++) {
    const oct_insn *insn = &s->batch.insns[i];
    if (!(insn->flags & OCT_INSN_HAS_CYCLE)) continue;
    if (s->has_stamp && insn->cycle < s->last_stamp)
      return oct_fail(diag, OCT_ERR_FORMAT,
                      "%s: instruction %" PRIu64 ": expected a cycle stamp of %" PRIu64
                      " or later, as --arrival stamps goes by them, found %" PRIu64,
                      s->name, s->options.skip + s->n_insns + i, s->last_stamp, insn->cycle);
    s->has_stamp = true;
    s->last_stamp = insn->cycle;
  }
  if (s->has_stamp) return 0;
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
  if (!got && s->options.skip && !s->n_insns)
    return oct_source_skipped_all(s->name, s->options.skip, diag);
  if (got <= 0) return got;
  cut(&s->batch, s->left);
  int error = s->options.by_stamps ? check_stamps(s, diag) : 0;
  if (!error && s->found_align_bytes) error = check_alignment(s, diag);
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
