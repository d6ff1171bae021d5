/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder_parse.c - queues the packets that the cutter gives, for the two sides
 * (docs/port-format.md, section 3).
 *
 * Barriers stop the queueing until both sides have used up what stands before them. A queue that is
 * full although the other side waits for packets is an error: hostile bytes cannot take memory. */
#include "oct_decoder_state.h"

/* Packets parsed between two runs of the join: enough to work in long runs, few enough that the
 * queues stay in the cache. */
#define PACKETS_PER_CALL 1024

/* Bounds of the queues. A repetition FSM may hold back the DT bits of any number of instructions
 * that make no access, and an N-tuple stage those of N streams; memory follows the bits read, and
 * these bounds cap it at some hundred megabytes. */
#define TOKENS_MAX (1u << 24)
#define RECORDS_MIN (1u << 24)
#define RECORDS_MAX (1u << 26)

void oct_decoder_parse_init(oct_decoder *d) {
  const oct_config *c = &d->cfg;
  uint64_t insns_early = (uint64_t)(c->ntuple_n + c->stream_fifo_depth + 4) << c->sl_bits;
  uint64_t records =
      insns_early * 256 + (((uint64_t)2 << c->rep_count_bits) + 2) * c->rep_pattern_bits;
  d->limit_records = records < RECORDS_MIN   ? RECORDS_MIN
                     : records > RECORDS_MAX ? RECORDS_MAX
                                             : (size_t)records;
}

static int no_memory(oct_decoder *d) {
  return oct_decoder_fail(d, OCT_ERR_NOMEM, "no memory for early packets");
}

static int too_early(oct_decoder *d, const char *what) {
  return oct_decoder_fail(d, OCT_ERR_LIMIT, "too many %s ahead of their counterpart", what);
}

static int put_token(oct_decoder *d, oct_token_kind kind, unsigned n, uint32_t value) {
  if (oct_queue_count(&d->tokens)) {
    oct_token *last = oct_token_back(&d->tokens);
    if (last->kind == kind && last->n == n && last->value == value &&
        last->scmt_seen == d->scmt_put && last->count != UINT32_MAX) {
      last->count++;
      return 0;
    }
  }
  if (oct_queue_count(&d->tokens) >= TOKENS_MAX) return too_early(d, "instruction packets");
  oct_token *t = oct_token_put(&d->tokens);
  if (!t) return no_memory(d);
  *t = (oct_token){(uint16_t)kind, (uint16_t)n, value, 1, d->scmt_put};
  return 0;
}

/* The indices of a tuple or of a part. */
static int put_indices(oct_decoder *d, oct_token_kind kind, const oct_cut *cut) {
  unsigned n = cut->n_repeats;
  if (oct_queue_count(&d->indices) >= TOKENS_MAX) return too_early(d, "instruction packets");
  for (unsigned i = 0; i < n; i++) {
    uint16_t *index = oct_index_put(&d->indices);
    if (!index) return no_memory(d);
    *index = (uint16_t)oct_bits_at(&d->cutter.bits, cut->repeats_at + i * cut->repeat_bits,
                                   cut->repeat_bits);
  }
  return put_token(d, kind, n, 0);
}

static int put_scmt(oct_decoder *d, uint64_t sa, uint32_t sl) {
  if (oct_queue_count(&d->scmts) >= TOKENS_MAX) return too_early(d, "SCMT packets");
  oct_scmt *s = oct_scmt_put(&d->scmts);
  if (!s) return no_memory(d);
  *s = (oct_scmt){sa, sl};
  d->scmt_put++;
  return 0;
}

static int put_pattern(oct_decoder *d, uint32_t pattern, uint32_t n_bits, uint32_t count) {
  if (oct_queue_count(&d->dts)) {
    oct_dt_run *last = oct_dt_back(&d->dts);
    if (last->pattern == pattern && last->n_bits == n_bits && last->count <= UINT32_MAX - count) {
      last->count += count;
      return 0;
    }
  }
  if (oct_queue_count(&d->dts) >= d->limit_records) return too_early(d, "DT packets");
  oct_dt_run *run = oct_dt_put(&d->dts);
  if (!run) return no_memory(d);
  *run = (oct_dt_run){pattern, count, n_bits};
  return 0;
}

static int put_dmt(oct_decoder *d, uint64_t addr, int is_terminator) {
  if (oct_queue_count(&d->dmts) >= d->limit_records) return too_early(d, "DMT packets");
  oct_dmt *dmt = oct_dmt_put(&d->dmts);
  if (!dmt) return no_memory(d);
  *dmt = (oct_dmt){addr, (uint8_t)is_terminator};
  return 0;
}

/* A packet at which the join is to come to rest. */
static void put_barrier(oct_decoder *d, oct_decoder_barrier barrier, const oct_cut *cut) {
  d->barrier = barrier;
  d->barrier_bit = oct_cutter_offset(&d->cutter);
  d->barrier_number =
      barrier == OCT_BARRIER_SYNC || barrier == OCT_BARRIER_OVERFLOW ? cut->values[0] : 0;
  d->barrier_extra =
      barrier == OCT_BARRIER_SYNC || barrier == OCT_BARRIER_OVERFLOW ? cut->values[1] : 0;
}

/* Queue a packet. 0 or an error. */
static int put_cut(oct_decoder *d, const oct_cut *cut) {
  const oct_config *c = &d->cfg;
  const uint64_t *v = cut->values;
  switch (cut->kind) {
    case OCT_PACKET_DMT:
      return put_dmt(d, v[0], 0);
    case OCT_PACKET_TERMINATOR:
      return put_dmt(d, 0, 1);
    case OCT_PACKET_PATTERN:
      return put_pattern(d, (uint32_t)v[0], c->rep_pattern_bits, 1);
    case OCT_PACKET_REPETITION:
      return put_pattern(d, (uint32_t)v[0], c->rep_pattern_bits, (uint32_t)v[1] + 2);
    case OCT_PACKET_PATTERN_PART:
      return put_pattern(d, (uint32_t)oct_bits_at(&d->cutter.bits, cut->repeats_at, cut->n_repeats),
                         cut->n_repeats, 1);
    case OCT_PACKET_INDEX:
      return put_token(d, OCT_TOKEN_INDEX, 0, (uint32_t)v[0]);
    case OCT_PACKET_TUPLE_HIT:
      return put_token(d, OCT_TOKEN_HIT, 0, (uint32_t)v[0]);
    case OCT_PACKET_SCMT:
      return put_scmt(d, v[0] << c->pc_align_bits, (uint32_t)v[1] + 1);
    case OCT_PACKET_TUPLE_MISS:
      return put_indices(d, OCT_TOKEN_TUPLE, cut);
    case OCT_PACKET_TUPLE_PART:
      return put_indices(d, OCT_TOKEN_PART, cut);
    case OCT_PACKET_TASK:
      return put_token(d, OCT_TOKEN_TASK, 0, (uint32_t)v[0]);
    case OCT_PACKET_OVERFLOW:
      put_barrier(d, OCT_BARRIER_OVERFLOW, cut);
      return 0;
    case OCT_PACKET_FLUSH:
      put_barrier(d, OCT_BARRIER_FLUSH, cut);
      return 0;
    case OCT_PACKET_CHECK:
      put_barrier(d, OCT_BARRIER_CHECK, cut);
      return 0;
    default:
      put_barrier(d, OCT_BARRIER_SYNC, cut);
      return 0;
  }
}

/* Parse one packet. 1, 0 when it is cut short, or an error. */
static int parse_packet(oct_decoder *d) {
  oct_cut cut;
  const char *why = NULL;
  int r = oct_cutter_peek(&d->cutter, &cut, &why);
  if (d->is_sync_due && !oct_cutter_may_begin(&d->cutter, OCT_PACKET_SYNC) &&
      !oct_cutter_may_begin(&d->cutter, OCT_PACKET_FLUSH))
    return oct_decoder_fail(d, OCT_ERR_PACKET, "no sync packet where one must stand");
  if (r < 0) return oct_decoder_fail(d, r, "%s", why);
  if (!r) return 0;
  r = put_cut(d, &cut);
  if (r) return r;
  oct_cutter_take(&d->cutter, &cut);
  d->barrier_check = cut.check;
  d->is_flush_last = cut.kind == OCT_PACKET_FLUSH;
  return 1;
}

int oct_decoder_parse(oct_decoder *d) {
  int n;
  if (d->is_searching && !d->is_mark_found) {
    d->is_mark_found = oct_cutter_search(&d->cutter);
    if (!d->is_mark_found) return 0;
    if (!d->counts.syncs && !d->n_resyncs)
      d->counts.first_sync_bits = oct_cutter_offset(&d->cutter);
  }
  for (n = 0; n < PACKETS_PER_CALL && d->barrier == OCT_BARRIER_NONE; n++) {
    int r = parse_packet(d);
    if (r < 0) {
      /* What stands before the bad packet is joined first. */
      d->barrier = OCT_BARRIER_ERROR;
      return 1;
    }
    if (!r) break;
  }
  return n > 0;
}
