/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_packets.c - a listing of the marks and periods of a stream of `shadow`
 * (docs/shadow-format.md, section 2).
 *
 * Inside a period nothing has a place of its own: one bit of the arithmetic coder can carry many
 * decisions. So the listing has two packets for each period, its mark and what the coder made of
 * its instructions. The decoder finds both and holds them against the check; no program is needed,
 * and nothing is decoded. */
#include "oct_shadow_packets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_listing.h"
#include "oct_shadow_decoder_state.h"

typedef struct listing {
  oct_shadow_decoder *decoder;
  oct_packet period; /* to be listed next, if it has bits */
  bool is_ended;
} listing;

int oct_shadow_packets_new(const uint32_t *values, oct_decoder_start start, void **p,
                           oct_diag *diag) {
  listing *l = calloc(1, sizeof *l);
  if (!l) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a listing");
  int error = oct_shadow_decoder_new((const oct_shadow_config *)values, start, &l->decoder, diag);
  if (error) {
    free(l);
    return error;
  }
  *p = l;
  return 0;
}

void oct_shadow_packets_free(void *p) {
  listing *l = p;
  if (!l) return;
  oct_shadow_decoder_free(l->decoder);
  free(l);
}

int oct_shadow_packets_push(void *p, const uint8_t *bytes, size_t n, oct_diag *diag) {
  return oct_shadow_decoder_push(((listing *)p)->decoder, bytes, n, diag);
}

void oct_shadow_packets_finish(void *p) {
  oct_shadow_decoder_finish(((listing *)p)->decoder);
}

static void describe_mark(const oct_shadow_config *cfg, const oct_mark_fields *m, oct_packet *p) {
  static const char *const names[OCT_FRAME_KINDS][2] = {
      [OCT_FRAME_SYNC] = {"sync", "a decoder can begin here"},
      [OCT_FRAME_FLUSH] = {"flush", "all instructions so far are decodable"},
      [OCT_FRAME_OVERFLOW] = {"overflow", "events were lost"},
      [OCT_FRAME_OVERFLOW_CUT] = {"overflow-cut",
                                  "events were lost, among them accesses of the last instruction"}};
  const unsigned number_bits = 7 * OCT_MARK_NUMBER_BYTES;
  oct_packet_describe(p, names[m->kind][0], names[m->kind][1]);
  p->n_bits = m->n_bits;
  p->is_sync = m->kind == OCT_FRAME_SYNC;
  if (cfg->check) oct_packet_add(p, "check", m->check, 16, true);
  oct_packet_add(p, "number", m->number, number_bits, false);
  oct_packet_add(p, "task", m->task, cfg->task_bits, false);
  if (cfg->traps) oct_packet_add(p, "privilege", m->privilege, OCT_MARK_PRIVILEGE_BITS, false);
  if (oct_frame_is_overflow((oct_frame_kind)m->kind)) {
    oct_packet_add(p, "lost_insns", m->lost_insns, number_bits, false);
    oct_packet_add(p, "lost_accesses", m->lost_accesses, number_bits, false);
  }
}

/* The mark at the position, and the period that it opens. 1, 0 or an error. */
static int list_mark(listing *l, oct_packet *out) {
  oct_shadow_decoder *d = l->decoder;
  oct_mark_fields mark;
  uint64_t bit = oct_bits_offset(&d->bits);
  if (oct_shadow_read_mark(d, 0, &mark) != 1) memset(&mark, 0, sizeof mark);
  int r = oct_shadow_begin_period(d);
  bool is_last = !r && d->is_finished && d->is_flushed && !l->is_ended;
  if (r < 0 || (!r && !is_last)) return r;
  *out = (oct_packet){.bit = bit, .insn = d->n_insns};
  describe_mark(&d->model.cfg, &mark, out);
  l->is_ended = is_last;
  if (is_last) return 1;
  uint64_t n_insns = d->limit - d->n_insns;
  l->period = (oct_packet){.bit = bit + mark.n_bits,
                           .n_bits = oct_bits_offset(&d->bits) - bit - mark.n_bits,
                           .insn = d->n_insns,
                           .name = "period"};
  oct_packet_add(&l->period, "insns", n_insns, 7 * OCT_MARK_NUMBER_BYTES, false);
  snprintf(l->period.text, sizeof l->period.text, "%.4f bits per instruction",
           n_insns ? (double)l->period.n_bits / (double)n_insns : 0.0);
  d->n_insns = d->limit;
  d->is_in_period = false;
  return 1;
}

int oct_shadow_packets_next(void *p, oct_packet *out, oct_diag *diag) {
  listing *l = p;
  oct_shadow_decoder *d = l->decoder;
  if (l->period.n_bits) {
    *out = l->period;
    l->period.n_bits = 0;
    return 1;
  }
  int r = d->error;
  if (!r && d->is_searching) {
    r = oct_shadow_search(d);
    if (!r && d->is_finished) r = oct_shadow_fail(d, OCT_ERR_TRUNCATED, "no whole sync mark found");
    if (!r) return 0;
  }
  if (r >= 0 && !d->error) r = list_mark(l, out);
  if (r < 0 && diag) *diag = d->diag;
  return r;
}
