/* SPDX-License-Identifier: Apache-2.0 */
/* oct_source.c - reader, cut and map tracker in a row.
 *
 * Commands read traces through this: instructions are skipped and limited, alignment and time
 * stamps checked, and the map tracker gives the map updates that a decoder needs with each batch.
 */
#include "octrace/map.h"
#include "oct_input.h"
#include "octrace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_plural.h"

struct oct_source_state {
  char *name;
  oct_source_options options;
  oct_map_tracker *tracker;
  oct_insn *insns;
  size_t insns_room;
  bool has_stamp;
  uint64_t last_stamp;
};

uint32_t oct_find_alignment(const oct_trace_info *info, const oct_insn *insns, size_t n_insns) {
  uint64_t all = 8;
  int isa = oct_isa_by_name(info->isa);
  if (info->insn_align_bytes > 1 || !n_insns) return info->insn_align_bytes;
  if (isa >= 0 && oct_isa_get((oct_isa)isa)->insn_align_bytes == 1) return 1;
  for (size_t i = 0; i < n_insns; i++) all |= insns[i].addr | insns[i].size_bytes;
  return (uint32_t)(all & (0 - all));
}

static void look_at_first(oct_source *s, bool finds_alignment) {
  oct_batch batch;
  oct_diag later; /* oct_reader_next will tell */
  if (oct_reader_peek(s->reader, &batch, &later) <= 0) return;
  uint32_t tasks = 0;
  for (size_t i = 0; i < batch.n_insns; i++) tasks |= batch.insns[i].task;
  while (s->info.task_bits < 32 && tasks >> s->info.task_bits) s->info.task_bits++;
  for (size_t i = 0; i < batch.n_traps; i++) {
    const uint8_t privilege = batch.traps[i].privilege;
    /* Of two bits the code 2 is that of one that is not known. */
    const uint32_t bits = privilege == 2 || privilege > 3 ? 3 : 2;
    if (privilege != OCT_PRIVILEGE_UNKNOWN && s->info.privilege_bits < bits)
      s->info.privilege_bits = bits;
  }
  if (!finds_alignment || s->info.insn_align_bytes > 1) return;
  s->info.insn_align_bytes = oct_find_alignment(&s->info, batch.insns, batch.n_insns);
  if (s->info.insn_align_bytes > 1) s->found_align_bytes = s->info.insn_align_bytes;
}

/* What was found in the first batch need not hold for the others. */
static int check_alignment(oct_source *s, oct_diag *diag) {
  for (size_t i = 0; i < s->batch.n_insns; i++) {
    if (!(s->batch.insns[i].addr & (s->found_align_bytes - 1))) continue;
    if (!s->only_looks)
      return oct_fail_insn(diag, OCT_ERR_LIMIT, s->state->options.skip + s->n_insns + i,
                           s->batch.insns[i].addr,
                           "no multiple of %u bytes, as all before it are: run this with -g "
                           "pc_align_bits=0, or name the instruction set with --isa",
                           s->found_align_bytes);
    while (s->batch.insns[i].addr & (s->found_align_bytes - 1)) s->found_align_bytes /= 2;
  }
  return 0;
}

int oct_source_open(oct_source *s, const char *path, const oct_source_options *options,
                    oct_diag *diag) {
  memset(s, 0, sizeof *s);
  s->state = calloc(1, sizeof *s->state);
  if (!s->state) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (options) s->state->options = *options;
  int error = oct_reader_open(path, &s->state->options.read, &s->reader, diag);
  if (error < 0) {
    oct_source_close(s);
    return error;
  }
  if (s->state->options.limit) oct_reader_limit(s->reader, s->state->options.limit);
  if (s->state->options.skip) error = oct_reader_skip(s->reader, s->state->options.skip, diag);
  s->info = *oct_reader_info(s->reader);
  look_at_first(s, s->state->options.find_alignment);
  s->name = s->state->name = strdup(oct_input_shown(path));
  s->state->tracker = oct_map_tracker_new();
  if (s->state->tracker) s->map = oct_map_tracker_map(s->state->tracker);
  if (error >= 0 && (!s->state->tracker || !s->name))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (error < 0) oct_source_close(s);
  return error < 0 ? error : 0;
}

int oct_source_skipped_all(const char *path, uint64_t skip, oct_diag *diag) {
  return oct_fail_in(diag, OCT_ERR_ARG, oct_input_shown(path),
                     "--skip %" PRIu64 " leaves nothing: the trace has no more instructions", skip);
}

/* Without any stamp all would retire one a cycle, which was not asked for; and no instruction
 * retires before the one before it. */
static int check_stamps(oct_source *s, oct_diag *diag) {
  for (size_t i = 0; i < s->batch.n_insns; i++) {
    const oct_insn *insn = &s->batch.insns[i];
    if (!(insn->flags & OCT_INSN_HAS_CYCLE)) continue;
    if (s->state->has_stamp && insn->cycle < s->state->last_stamp)
      return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_INSN, s->state->options.skip + s->n_insns + i,
                         "expected a cycle stamp of %" PRIu64
                         " or later, as --arrival stamps goes by them, found %" PRIu64,
                         s->state->last_stamp, insn->cycle);
    s->state->has_stamp = true;
    s->state->last_stamp = insn->cycle;
  }
  if (s->state->has_stamp || !s->batch.n_insns) return 0;
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "expected cycle stamps, by which --arrival stamps lets instructions retire, "
                  "found none in the first %zu instruction%s",
                  s->batch.n_insns, OCT_S(s->batch.n_insns));
}

/* A copy of the batch's instructions goes through the map. */
static int track(oct_source *s, oct_diag *diag) {
  size_t n_insns = s->batch.n_insns;
  if (n_insns > s->state->insns_room) {
    oct_insn *insns = realloc(s->state->insns, n_insns * sizeof *insns);
    if (!insns) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    s->state->insns = insns;
    s->state->insns_room = n_insns;
  }
  if (n_insns) memcpy(s->state->insns, s->batch.insns, n_insns * sizeof *s->state->insns);
  int64_t n = oct_map_track(s->state->tracker, &s->batch, s->state->insns, &s->updates);
  if (n == OCT_ERR_LIMIT) {
    uint64_t at = oct_map_tracker_insns(s->state->tracker);
    return oct_fail_insn(diag, OCT_ERR_LIMIT, at, s->state->insns[at - s->n_insns].addr,
                         "expected a size of 1 to 15 bytes");
  }
  if (n < 0) return oct_fail(diag, (int)n, "%s", oct_error_text((int)n));
  s->n_updates = (size_t)n;
  s->batch.insns = s->state->insns;
  return 0;
}

/* Told before the next batch is read: what stands before it has been worked on. */
static void tell_progress(const oct_source *s) {
  if (s->state->options.progress && !s->is_quiet)
    s->state->options.progress(s->state->options.progress_context, s->n_insns,
                               oct_reader_bytes_done(s->reader), oct_reader_bytes_total(s->reader));
}

static int next_batch(oct_source *s, oct_diag *diag) {
  tell_progress(s);
  int got = oct_reader_next(s->reader, &s->batch, diag);
  if (!got && s->state->options.skip && !s->n_insns)
    return oct_source_skipped_all(s->name, s->state->options.skip, diag);
  if (got <= 0) return got;
  int error = s->state->options.by_stamps ? check_stamps(s, diag) : 0;
  if (!error && s->found_align_bytes) error = check_alignment(s, diag);
  if (!error) error = track(s, diag);
  if (error) return error;
  s->n_insns += s->batch.n_insns;
  s->n_accesses += s->batch.n_accesses;
  return 1;
}

int oct_source_next(oct_source *s, oct_diag *diag) {
  return oct_diag_in(diag, s->name, next_batch(s, diag));
}

void oct_source_close(oct_source *s) {
  oct_reader_close(s->reader);
  if (s->state) {
    oct_map_tracker_free(s->state->tracker);
    free(s->state->insns);
    free(s->state->name);
  }
  free(s->state);
  memset(s, 0, sizeof *s);
}
