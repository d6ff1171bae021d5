/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_marks.c - marks and periods of a port stream of `shadow` (docs/shadow-format.md).
 *
 * A period is what the arithmetic coder made between two marks. The decoder looks for the mark that
 * closes the next period, holds the bytes between against the check that it carries, and only then
 * decodes them. Behind damage it looks for a sync mark at any bit. */
#include "oct_crc.h"
#include "oct_shadow_decoder_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END_ZERO_BYTES = 4 }; /* that may follow the last flush */

int oct_shadow_fail(oct_shadow_decoder *d, int error, const char *format, ...) {
  char text[160];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  d->error = error;
  return oct_fail(&d->diag, error, "bit %llu: %s", (unsigned long long)oct_bits_offset(&d->bits),
                  text);
}

static uint64_t get_sevens(const oct_shadow_decoder *d, size_t *ahead, unsigned n_bytes,
                           bool *is_bad) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n_bytes; i++, *ahead += 8) {
    uint64_t byte = oct_bits_at(&d->bits, *ahead, 8);
    if (byte > 127) *is_bad = true;
    v |= (byte & 127) << (7 * i);
  }
  return v;
}

int oct_shadow_read_mark(oct_shadow_decoder *d, size_t ahead, oct_mark_fields *m) {
  const oct_shadow_config *cfg = &d->model.cfg;
  bool is_bad = false;
  size_t from = ahead;
  if (oct_bits_left(&d->bits) < ahead + 8 * oct_mark_bytes(cfg, OCT_FRAME_SYNC)) return 0;
  is_bad = oct_bits_at(&d->bits, ahead, 24) != 0xffffff;
  ahead += 24;
  m->kind = (unsigned)get_sevens(d, &ahead, 1, &is_bad);
  m->check = cfg->check ? (uint32_t)get_sevens(d, &ahead, OCT_MARK_CHECK_BYTES, &is_bad) : 0;
  m->number = get_sevens(d, &ahead, OCT_MARK_NUMBER_BYTES, &is_bad);
  uint64_t task = get_sevens(d, &ahead, oct_mark_task_bytes(cfg), &is_bad);
  m->privilege = task >> cfg->task_bits & oct_ones(OCT_MARK_PRIVILEGE_BITS);
  m->task = (uint32_t)(cfg->traps ? task & oct_ones(cfg->task_bits) : task);
  if (is_bad || m->kind & 1 || m->kind >> 1 >= OCT_FRAME_KINDS) return OCT_ERR_PACKET;
  m->kind >>= 1;
  m->lost_insns = m->lost_accesses = 0;
  m->n_bits = 8 * oct_mark_bytes(cfg, (oct_frame_kind)m->kind);
  if (oct_frame_is_overflow((oct_frame_kind)m->kind)) {
    if (oct_bits_left(&d->bits) < from + m->n_bits) return 0;
    m->lost_insns = get_sevens(d, &ahead, OCT_MARK_NUMBER_BYTES, &is_bad);
    m->lost_accesses = get_sevens(d, &ahead, OCT_MARK_NUMBER_BYTES, &is_bad);
    if (is_bad) return OCT_ERR_PACKET;
  }
  return 1;
}

/* Bits from the position to the next mark, or -1: none is there yet. Marks stand at whole bytes
 * from the position on. */
static int64_t find_mark(oct_shadow_decoder *d, size_t from) {
  size_t left = oct_bits_left(&d->bits), at = d->scanned > from ? d->scanned : from;
  for (; at + 24 <= left; at += 8)
    if (oct_bits_at(&d->bits, at, 24) == 0xffffff) return (int64_t)at;
  d->scanned = at;
  return -1;
}

/* Whether decoding can begin at this sync. One that keeps the tables needs all before it; only that
 * at the beginning has nothing before it. */
static bool is_entry(const oct_shadow_decoder *d, const oct_mark_fields *m) {
  return m->kind == OCT_FRAME_SYNC &&
         (!d->model.cfg.sync_keeps || (!m->number && !d->counts.syncs));
}

/* Look for a sync mark at any bit: a run of 24 ones or more ends with the first bit of the byte
 * behind them. 1: found, the position is at it; 0: more bytes are needed. */
int oct_shadow_search(oct_shadow_decoder *d) {
  size_t left = oct_bits_left(&d->bits), ones = 0;
  unsigned need = 8 * oct_mark_bytes(&d->model.cfg, OCT_FRAME_SYNC);
  for (size_t i = 0; i < left; i++) {
    if (oct_bits_at(&d->bits, i, 1)) {
      ones++;
      continue;
    }
    if (ones >= 24) {
      oct_mark_fields m;
      size_t at = i - 24;
      if (left - at < need) {
        oct_shadow_skip(d, at);
        return 0;
      }
      if (oct_shadow_read_mark(d, at, &m) == 1 && is_entry(d, &m)) {
        oct_shadow_skip(d, at);
        return 1;
      }
    }
    ones = 0;
  }
  oct_shadow_skip(d, left - (ones < 24 ? ones : 24));
  return 0;
}

/* Nothing but what may follow the last flush is there from this bit on, so far. */
static bool is_end(const oct_shadow_decoder *d, size_t ahead) {
  size_t left = oct_bits_left(&d->bits) - ahead;
  return left <= 8 * END_ZERO_BYTES && (!left || !oct_bits_at(&d->bits, ahead, (unsigned)left));
}

int oct_shadow_begin_period(oct_shadow_decoder *d) {
  const oct_shadow_config *cfg = &d->model.cfg;
  oct_mark_fields m, closing;
  int r = oct_shadow_read_mark(d, 0, &m);
  if (r < 0 || (r && !d->counts.syncs && m.kind != OCT_FRAME_SYNC))
    return oct_shadow_fail(d, OCT_ERR_PACKET, "expected a mark");
  if (r && !d->counts.syncs && !is_entry(d, &m))
    return oct_shadow_fail(d, OCT_ERR_PACKET,
                           "the first sync is of instruction %llu and keeps its tables: expected "
                           "the stream from its beginning",
                           (unsigned long long)m.number);
  if (!r) {
    if (d->is_finished && !d->is_flushed)
      return oct_shadow_fail(d, OCT_ERR_TRUNCATED, "the stream ends in a mark");
    return 0;
  }
  size_t length = m.n_bits;
  int64_t end = find_mark(d, length);
  if (end < 0) {
    if (!d->is_finished) return 0;
    if (m.kind == OCT_FRAME_FLUSH && is_end(d, length)) return 0;
    return oct_shadow_fail(d, OCT_ERR_TRUNCATED, "the stream does not end in a flush");
  }
  r = oct_shadow_read_mark(d, (size_t)end, &closing);
  if (!r && !d->is_finished) return 0;
  if (!r) return oct_shadow_fail(d, OCT_ERR_TRUNCATED, "the stream ends in a mark");
  if (r < 0) return oct_shadow_fail(d, OCT_ERR_PACKET, "a bad mark %lld bits on", (long long)end);
  size_t n = (size_t)end / 8;
  if (n > d->room_period) {
    uint8_t *p = realloc(d->period, 2 * n);
    if (!p) return oct_shadow_fail(d, OCT_ERR_NOMEM, "no memory for a period of %zu bytes", n);
    d->period = p;
    d->room_period = 2 * n;
  }
  for (size_t i = 0; i < n; i++) d->period[i] = (uint8_t)oct_bits_at(&d->bits, 8 * i, 8);
  uint32_t check = oct_mark_check(oct_crc_bytes(16, 0, d->period, n), (oct_frame_kind)closing.kind);
  if (cfg->check && check != closing.check)
    return oct_shadow_fail(d, OCT_ERR_CHECKSUM, "the check of the %zu bytes from here on is wrong",
                           n);
  if (m.kind == OCT_FRAME_SYNC) {
    uint64_t mask = oct_ones(7 * OCT_MARK_NUMBER_BYTES);
    if (d->counts.syncs && !d->is_searching && ((d->n_insns ^ m.number) & mask))
      return oct_shadow_fail(d, OCT_ERR_PACKET, "a sync before instruction %llu, expected %llu",
                             (unsigned long long)m.number, (unsigned long long)(d->n_insns & mask));
    /* One of the upper half is behind what was given out: the stream has come to what it had
     * before. */
    uint64_t distance = (m.number - d->n_insns) & mask;
    if (d->counts.syncs && cfg->check && distance > mask / 2)
      return oct_shadow_fail(d, OCT_ERR_PACKET, "a sync before instruction %llu, behind %llu",
                             (unsigned long long)m.number, (unsigned long long)(d->n_insns & mask));
    d->n_insns += distance;
    d->is_searching = false;
    d->task = m.task;
    d->counts.syncs++;
    if (!cfg->sync_keeps) oct_shadow_model_reset(&d->model);
  }
  if (oct_frame_is_overflow((oct_frame_kind)m.kind)) {
    d->has_gap = true;
    d->lost_insns = m.lost_insns;
    d->lost_accesses = m.lost_accesses;
    d->n_insns += m.lost_insns;
    oct_shadow_forget_all(&d->model);
  }
  if (cfg->traps && m.kind != OCT_FRAME_FLUSH) d->told_privilege = (uint8_t)m.privilege;
  d->limit = d->n_insns +
             ((closing.number - m.number - m.lost_insns) & oct_ones(7 * OCT_MARK_NUMBER_BYTES));
  if (d->limit > OCT_INSN_NUMBER_MAX)
    return oct_shadow_fail(d, OCT_ERR_PACKET, "instruction %llu: more than a trace can have",
                           (unsigned long long)d->limit);
  d->is_cut = closing.kind == OCT_FRAME_OVERFLOW_CUT;
  if (cfg->check) d->confirmed = d->limit;
  d->is_flushed = closing.kind == OCT_FRAME_FLUSH;
  size_t head = m.n_bits / 8;
  d->coder.escape_bits = OCT_ESCAPE_BITS + cfg->traps;
  oct_coder_begin(&d->coder, d->period + head, n - head);
  oct_shadow_skip(d, (size_t)end);
  d->is_in_period = true;
  d->is_begun = false;
  d->at = NONE;
  d->due_insn = 0;
  return 1;
}
