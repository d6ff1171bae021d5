/* SPDX-License-Identifier: Apache-2.0 */
/* oct_player.c - a container opened together with the decoder of its port bits.
 *
 * To begin at a later sync, a searching decoder is started behind each sync found, until the wanted
 * one: what stands before it is never needed. To begin near an instruction, one looks into each
 * chunk of port bits for a sync under a check that agrees, whose number is that of its instruction
 * where nothing was lost. */
#include "octrace/container.h"
#include "oct_container_reader.h"
#include "oct_grow.h"
#include "oct_plural.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct oct_player_state {
  oct_replay_options options;
  oct_map_update *updates; /* all seen so far, which a decoder that starts over needs again */
  size_t n_updates, updates_room, gaps_room;
  oct_player_map_fn *tell; /* whom each change of the map is told, or NULL */
  void *context;
  bool is_held;                       /* the end was held against what came */
  bool is_map_known;                  /* damaged chunks left out no change of the map */
  uint64_t pushed_bytes, chunk_bytes; /* of port bits: all, and those of the last chunk */
};

/* Tell the decoder of map changes, and keep them where one may start over. */
static int take_updates(oct_player *p, const oct_chunk *chunk, oct_diag *diag) {
  struct oct_player_state *s = p->state;
  if (chunk->n_updates && (p->is_part || p->salvage)) {
    oct_map_update *updates =
        oct_grown(s->updates, &s->updates_room, s->n_updates + chunk->n_updates, sizeof *updates);
    if (!updates) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    memcpy(updates + s->n_updates, chunk->updates, chunk->n_updates * sizeof *updates);
    s->updates = updates;
    s->n_updates += chunk->n_updates;
  }
  if (s->tell && chunk->n_updates) {
    int error = s->tell(s->context, chunk->updates, chunk->n_updates, diag);
    if (error) return error;
  }
  return oct_replay_map(p->replay, chunk->updates, chunk->n_updates, diag);
}

static int new_replay(oct_player *p, oct_decoder_start start, const oct_replay_options *options,
                      oct_diag *diag) {
  oct_replay_free(p->replay);
  p->replay = NULL;
  int error =
      oct_replay_new(p->tracer, oct_container_params(p->reader), start, options, &p->replay, diag);
  if (error) return error;
  const oct_container_info *info = oct_container_get_info(p->reader);
  oct_replay_expect(p->replay, info->addr_bits ? info->addr_bits : 64, info->insn_align_bytes);
  if (p->state->n_updates)
    error = oct_replay_map(p->replay, p->state->updates, p->state->n_updates, diag);
  return error;
}

/* Keep the gaps of the trace that was encoded. */
static int take_gaps(oct_player *p, const oct_chunk *chunk, oct_diag *diag) {
  oct_told_gap *gaps =
      oct_grown(p->gaps, &p->state->gaps_room, p->n_gaps + chunk->n_gaps, sizeof *gaps);
  if (!gaps) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  p->gaps = gaps;
  memcpy(gaps + p->n_gaps, chunk->gaps, chunk->n_gaps * sizeof *gaps);
  p->n_gaps += chunk->n_gaps;
  return 0;
}

/* Take a chunk in. 1 when there was one, 0 after the last, or an error. */
static int take_chunk(oct_player *p, oct_chunk *chunk, oct_diag *diag) {
  int got = oct_container_next(p->reader, chunk, diag);
  if (got <= 0) return got;
  int error = 0;
  if (chunk->kind == OCT_CHUNK_MAP) {
    error = take_updates(p, chunk, diag);
  } else if (chunk->kind == OCT_CHUNK_GAPS) {
    error = take_gaps(p, chunk, diag);
  } else if (chunk->kind == OCT_CHUNK_BITS) {
    error = oct_replay_push(p->replay, chunk->bytes, chunk->n_bytes, diag);
    p->state->chunk_bytes = chunk->n_bytes;
    p->state->pushed_bytes += chunk->n_bytes;
  } else {
    p->at_end = p->has_totals = true;
    p->totals = chunk->totals;
  }
  return error < 0 ? error : 1;
}

/* Bytes of the pending chunk, seen by a decoder that began at its byte number from. */
static int try_sync(oct_player *p, oct_diag *diag) {
  oct_decoded run;
  int got;
  oct_gap gap;
  while ((got = oct_replay_next(p->replay, &run, &gap, diag)) > 0) {
    oct_decoder_counts counts;
    oct_replay_decoder_counts(p->replay, &counts);
    if (counts.syncs) break;
  }
  return got < 0 ? got : 0;
}

/* Leave the decoder at sync number n, all of whose bytes it has been given. The next sync is
 * searched for from the byte after the one in which this one begins. */
static int seek_sync(oct_player *p, uint64_t n, oct_diag *diag) {
  oct_buffer bytes = {0};
  uint64_t found = 0;
  static const oct_replay_options seeking = {.is_unconfirmed = true, .ends_at_damage = true};
  int result = new_replay(p, OCT_START_SEARCH, &seeking, diag);
  while (!result) {
    oct_decoder_counts counts;
    oct_chunk chunk;
    result = try_sync(p, diag);
    oct_replay_decoder_counts(p->replay, &counts);
    if (counts.syncs && found == n)
      break; /* errors behind it are found again when its run is taken */
    if (counts.syncs) {
      size_t past = (size_t)(counts.first_sync_bits / 8) + 1;
      past = past < bytes.n_bytes ? past : bytes.n_bytes;
      memmove(bytes.bytes, bytes.bytes + past, bytes.n_bytes - past);
      bytes.n_bytes -= past;
      found++;
      result = new_replay(p, OCT_START_SEARCH, &seeking, diag);
      if (!result && bytes.n_bytes)
        result = oct_replay_push(p->replay, bytes.bytes, bytes.n_bytes, diag);
      continue;
    }
    if (result) break;
    result = take_chunk(p, &chunk, diag);
    if (result == 0) {
      result = found ? oct_fail(diag, OCT_ERR_ARG, "sync %" PRIu64 ": expected 0 to %" PRIu64, n,
                                found - 1)
                     : oct_fail(diag, OCT_ERR_ARG, "sync %" PRIu64 ": the stream has none", n);
    } else if (result > 0) {
      result = 0;
      if (chunk.kind == OCT_CHUNK_BITS && oct_buffer_put(&bytes, chunk.bytes, chunk.n_bytes))
        result = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    }
  }
  if (result >= 0 && found == n) { /* from its beginning, with nothing of it taken */
    result = new_replay(p, OCT_START_SEARCH, &p->state->options, diag);
    if (!result && bytes.n_bytes)
      result = oct_replay_push(p->replay, bytes.bytes, bytes.n_bytes, diag);
  }
  oct_buffer_free(&bytes);
  return result;
}

/* Whether the whole file is there, and every instruction in it. */
static bool is_lossless(const oct_player *p) {
  oct_container_reader *again;
  oct_chunk chunk;
  oct_diag ignored;
  oct_container_totals totals = {0};
  int got = oct_container_open_again(p->reader, &again, &ignored);
  if (got) return false;
  while ((got = oct_container_next(again, &chunk, &ignored)) > 0)
    if (chunk.kind == OCT_CHUNK_END) totals = chunk.totals;
  oct_container_close(again);
  return !got && totals.insns && !totals.lost_insns;
}

/* Give a searching decoder the bytes of a chunk: 1 and the number of the first instruction behind
 * its first sync, or 0. */
static int look_into(oct_player *p, const oct_chunk *chunk, uint64_t *number, oct_diag *diag) {
  static const oct_replay_options seeking = {.ends_at_damage = true};
  oct_decoded run;
  oct_gap gap;
  oct_diag ignored;
  int result = new_replay(p, OCT_START_SEARCH, &seeking, diag);
  if (!result) result = oct_replay_push(p->replay, chunk->bytes, chunk->n_bytes, diag);
  if (result) return result;
  if (oct_replay_next(p->replay, &run, &gap, &ignored) <= 0 || !run.batch.n_insns ||
      run.is_uncounted || run.confirmed_insns == UINT64_MAX)
    return 0;
  *number = run.first_insn;
  return 1;
}

int oct_player_seek(oct_player *p, uint64_t n_insns, uint64_t *n_passed, oct_diag *diag) {
  oct_buffer bytes = {0}; /* from where the decoder will begin */
  uint64_t at = 0;
  int result = 0;
  *n_passed = 0;
  if (p->is_part || p->salvage || p->tracer->decoder.behind_gap || !is_lossless(p)) return 0;
  p->is_part = true; /* a decoder that starts over needs the map again */
  while (!result && !p->at_end && at < n_insns) {
    oct_chunk chunk;
    int got = take_chunk(p, &chunk, diag);
    if (got <= 0 || chunk.kind != OCT_CHUNK_BITS) {
      result = got < 0 ? got : 0;
      if (!got) p->at_end = true;
      continue;
    }
    got = look_into(p, &chunk, &at, diag);
    if (got > 0 && at < n_insns) {
      *n_passed = at;
      bytes.n_bytes = 0;
    }
    result = got < 0 ? got : 0;
    if (!result && oct_buffer_put(&bytes, chunk.bytes, chunk.n_bytes))
      result = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  const oct_decoder_start start = *n_passed ? OCT_START_SEARCH : OCT_START_IN_STEP;
  if (!result) result = new_replay(p, start, &p->state->options, diag);
  if (!result && bytes.n_bytes)
    result = oct_replay_push(p->replay, bytes.bytes, bytes.n_bytes, diag);
  if (!result && p->at_end) oct_replay_finish(p->replay);
  p->is_part = *n_passed != 0;
  oct_buffer_free(&bytes);
  return result;
}

int oct_player_start(oct_player *p, oct_container_reader *reader, uint64_t from_sync,
                     uint64_t max_updates, oct_program *program, const oct_replay_options *options,
                     oct_diag *diag) {
  memset(p, 0, sizeof *p);
  p->reader = reader;
  p->state = calloc(1, sizeof *p->state);
  if (!p->state) {
    oct_player_close(p);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  p->state->options = *options;
  oct_container_limit_map(p->reader, max_updates);
  p->tracer = oct_container_tracer(p->reader);
  p->is_part = from_sync != 0;
  int error = oct_container_give_program(p->reader, program, diag);
  if (!error)
    error = from_sync ? seek_sync(p, from_sync, diag)
                      : new_replay(p, OCT_START_IN_STEP, &p->state->options, diag);
  if (error < 0) oct_player_close(p);
  return error;
}

int oct_player_open(oct_player *p, const char *path, uint64_t from_sync, uint64_t max_updates,
                    oct_program *program, const oct_replay_options *options, oct_diag *diag) {
  oct_container_reader *reader;
  memset(p, 0, sizeof *p);
  int error = oct_container_open(path, &reader, diag);
  return error < 0 ? error
                   : oct_player_start(p, reader, from_sync, max_updates, program, options, diag);
}

int oct_player_tell_map(oct_player *p, oct_player_map_fn *tell, void *context, oct_diag *diag) {
  struct oct_player_state *s = p->state;
  s->tell = tell;
  s->context = context;
  return s->n_updates ? tell(context, s->updates, s->n_updates, diag) : 0;
}

/* Whether these may be the totals of any trace. */
static bool can_be(const oct_container_totals *t) {
  return t->lost_insns <= t->insns && t->lost_accesses <= t->accesses &&
         t->accesses / OCT_INSN_ACCESSES_MAX <= t->insns;
}

/* Does the end say of the trace what the port did, where that is all there? At damage, gaps of
 * unknown length may hold what is missing. */
static int check_totals(const oct_player *p, oct_diag *diag) {
  const oct_container_totals *t = &p->totals;
  oct_replay_counts c;
  oct_replay_get_counts(p->replay, &c);
  const oct_gaps *g = &c.gaps;
  if (can_be(t) && g->n_damages) {
    uint64_t n = c.insns + g->lost_insns + g->damaged_insns + p->tail_insns;
    if (g->n_uncounted ? n <= t->insns : n == t->insns) return 0;
    return oct_fail(diag, OCT_ERR_FORMAT,
                    "the end chunk counts %" PRIu64 " instruction%s, the port bits of %" PRIu64,
                    t->insns, OCT_S(t->insns), n);
  }
  if (can_be(t) && g->n_uncounted && c.insns + g->lost_insns <= t->insns) return 0;
  bool has_data = oct_tracer_carries_data(p->tracer, oct_container_params(p->reader));
  /* Without data the port tells of no access; without a loss of instructions none was lost. */
  bool same_data = has_data ? c.accesses + g->lost_accesses == t->accesses &&
                                  g->lost_accesses == t->lost_accesses
                            : g->n_losses || !t->lost_accesses;
  if (can_be(t) && c.insns + g->lost_insns == t->insns && g->lost_insns == t->lost_insns &&
      same_data)
    return 0;
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "the end chunk counts %" PRIu64 " instruction%s (%" PRIu64 " lost) and %" PRIu64
                  " access%s (%" PRIu64 " lost), the port bits of %" PRIu64 " (%" PRIu64
                  ") and %" PRIu64 " (%" PRIu64 ")",
                  t->insns, OCT_S(t->insns), t->lost_insns, t->accesses, OCT_ES(t->accesses),
                  t->lost_accesses, c.insns + g->lost_insns, g->lost_insns,
                  c.accesses + g->lost_accesses, g->lost_accesses);
}

/* Of a chunk that is damaged: go on with the next whole one, or end. Where a change of the program
 * map may be missing that is the end, too. */
static int skip_chunks(oct_player *p, oct_diag *diag) {
  oct_diag why = *diag;
  if (!p->n_damaged++) p->first_damage = why;
  int got = oct_container_skip_damage(p->reader, diag);
  if (got < 0 && got != OCT_ERR_UNSUPPORTED) return got;
  p->at_end = got != 1;
  if (!p->at_end && !p->state->is_map_known) {
    int has_map = oct_container_has_map(p->reader, &p->totals, diag);
    if (has_map < 0) return has_map;
    p->state->is_map_known = has_map;
    p->has_totals = p->totals.port_bytes || p->totals.insns;
    p->at_end = !has_map;
  }
  return oct_replay_break(p->replay, &why, p->state->updates, p->state->n_updates, diag);
}

/* What the replay makes of the chunks, as its own next. */
static int next_run(oct_player *p, oct_decoded *run, oct_gap *gap, oct_diag *diag) {
  int got;
  while ((got = oct_replay_next(p->replay, run, gap, diag)) == 0 && !p->at_end) {
    oct_chunk chunk;
    int more = take_chunk(p, &chunk, diag);
    if (more < 0 && p->salvage && oct_error_is_damage(more)) more = skip_chunks(p, diag) ? -1 : 1;
    if (more < 0) return diag->error;
    if (!more) p->at_end = true;
    if (p->at_end) oct_replay_finish(p->replay);
  }
  return got;
}

int oct_player_next(oct_player *p, oct_decoded *run, oct_gap *gap, oct_diag *diag) {
  int got = next_run(p, run, gap, diag);
  if (got > 0) {
    oct_replay_counts counts;
    oct_replay_get_counts(p->replay, &counts);
    if (gap->is_end && !counts.gaps.n_uncounted && p->totals.insns >= gap->insn)
      p->tail_insns = run->lost_insns = gap->lost_insns = gap->least_insns =
          p->totals.insns - gap->insn;
    p->n_insns += run->batch.n_insns;
  }
  if (got || p->n_damaged) return got;
  p->state->is_held = true;
  int error = oct_container_check_changes(p->reader, &p->totals, diag);
  return error || p->is_part ? error : check_totals(p, diag);
}

uint64_t oct_player_bytes_done(const oct_player *p) {
  oct_decoder_counts counts;
  oct_replay_decoder_counts(p->replay, &counts);
  uint64_t left = p->state->pushed_bytes - counts.bit_offset / 8;
  if (left > p->state->chunk_bytes) left = 0; /* a decoder that began later counts from there */
  return oct_container_bytes_read(p->reader) - left;
}

bool oct_player_gave_all(const oct_player *p) {
  return p->state->is_held;
}

void oct_player_counts(const oct_player *p, oct_decoder_counts *counts) {
  memset(counts, 0, sizeof *counts);
  if (p->replay) oct_replay_decoder_counts(p->replay, counts);
}

void oct_player_close(oct_player *p) {
  oct_replay_free(p->replay);
  oct_container_close(p->reader);
  if (p->state) free(p->state->updates);
  free(p->gaps);
  free(p->state);
  memset(p, 0, sizeof *p);
}
