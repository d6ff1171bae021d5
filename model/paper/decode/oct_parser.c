/* SPDX-License-Identifier: Apache-2.0 */
/* oct_parser.c - queues what the packets of the cutter say (docs/port-format.md, section 3).
 *
 * Equal tokens and equal patterns that follow each other are one element with a count. Barriers
 * stop the queueing until both sides have used up what stands before them. A queue that is full
 * although the other side waits for packets is an error: hostile bytes cannot take memory. */
#include "oct_parser.h"

/* Packets read between two runs of the join: enough to work in long runs, few enough that the
 * queues stay in the cache. */
#define PACKETS_PER_RUN 1024

/* Bounds of the queues. A repetition FSM may hold back the DT bits of any number of instructions
 * that make no access, and an N-tuple stage those of N streams; memory follows the bits read, and
 * these bounds cap it at some hundred megabytes. */
#define TOKENS_MAX (1u << 24)
#define RECORDS_MIN (1u << 24)
#define RECORDS_MAX (1u << 26)

int oct_parser_init(oct_parser *p, const oct_config *cfg, bool is_in_step) {
  uint64_t insns_early = (uint64_t)(cfg->ntuple_n + cfg->stream_fifo_depth + 4) << cfg->sl_bits;
  uint64_t records =
      insns_early * 256 + (((uint64_t)2 << cfg->rep_count_bits) + 2) * cfg->rep_pattern_bits;
  memset(p, 0, sizeof *p);
  p->records_max = records < RECORDS_MIN   ? RECORDS_MIN
                   : records > RECORDS_MAX ? RECORDS_MAX
                                           : (size_t)records;
  p->pattern_bits = cfg->rep_pattern_bits;
  p->align_bits = cfg->pc_align_bits;
  p->has_traps = cfg->traps;
  p->is_searching = !is_in_step;
  p->is_sync_due = true;
  return oct_cutter_init(&p->cutter, cfg, is_in_step);
}

void oct_parser_free(oct_parser *p) {
  oct_cutter_free(&p->cutter);
}

int oct_parser_push(oct_parser *p, const uint8_t *bytes, size_t n) {
  return oct_cutter_push(&p->cutter, bytes, n);
}

static int no_memory(oct_diag *why) {
  return oct_fail(why, OCT_ERR_NOMEM, "no memory for early packets");
}

static int too_early(const char *what, oct_diag *why) {
  return oct_fail(why, OCT_ERR_LIMIT, "too many %s ahead of their counterpart", what);
}

static int put_token(oct_packet_queues *q, oct_token_kind kind, unsigned n, uint32_t value,
                     oct_diag *why) {
  oct_queue *tokens = &q->of[OCT_QUEUE_TOKENS];
  if (oct_queue_count(tokens)) {
    oct_token *last = oct_token_back(tokens);
    if (last->kind == kind && last->n == n && last->value == value &&
        last->scmt_seen == q->n_scmts && last->count != UINT32_MAX) {
      last->count++;
      return 0;
    }
  }
  if (oct_queue_count(tokens) >= TOKENS_MAX) return too_early("instruction packets", why);
  oct_token *t = oct_token_put(tokens);
  if (!t) return no_memory(why);
  *t = (oct_token){.kind = (uint16_t)kind,
                   .n = (uint16_t)n,
                   .value = value,
                   .count = 1,
                   .scmt_seen = q->n_scmts};
  return 0;
}

/* The indices of a tuple or of a part. */
static int put_indices(const oct_parser *p, oct_packet_queues *q, oct_token_kind kind,
                       const oct_cut *cut, oct_diag *why) {
  oct_queue *indices = &q->of[OCT_QUEUE_INDICES];
  if (oct_queue_count(indices) >= TOKENS_MAX) return too_early("instruction packets", why);
  for (unsigned i = 0; i < cut->n_repeats; i++) {
    uint16_t *index = oct_index_put(indices);
    if (!index) return no_memory(why);
    *index = (uint16_t)oct_bits_at(&p->cutter.bits, cut->repeats_at + i * cut->repeat_bits,
                                   cut->repeat_bits);
  }
  return put_token(q, kind, cut->n_repeats, 0, why);
}

static int put_scmt(oct_packet_queues *q, uint64_t sa, uint32_t sl, oct_diag *why) {
  oct_queue *scmts = &q->of[OCT_QUEUE_SCMTS];
  if (oct_queue_count(scmts) >= TOKENS_MAX) return too_early("SCMT packets", why);
  oct_scmt *s = oct_scmt_put(scmts);
  if (!s) return no_memory(why);
  *s = (oct_scmt){sa, sl};
  q->n_scmts++;
  return 0;
}

static int put_pattern(const oct_parser *p, oct_packet_queues *q, uint32_t pattern, uint32_t n_bits,
                       uint32_t count, oct_diag *why) {
  oct_queue *dts = &q->of[OCT_QUEUE_DTS];
  if (oct_queue_count(dts)) {
    oct_dt_run *last = oct_dt_back(dts);
    if (last->pattern == pattern && last->n_bits == n_bits && last->count <= UINT32_MAX - count) {
      last->count += count;
      return 0;
    }
  }
  if (oct_queue_count(dts) >= p->records_max) return too_early("DT packets", why);
  oct_dt_run *run = oct_dt_put(dts);
  if (!run) return no_memory(why);
  *run = (oct_dt_run){pattern, count, n_bits};
  return 0;
}

static int put_dmt(const oct_parser *p, oct_packet_queues *q, uint64_t addr, bool is_terminator,
                   oct_diag *why) {
  oct_queue *dmts = &q->of[OCT_QUEUE_DMTS];
  if (oct_queue_count(dmts) >= p->records_max) return too_early("DMT packets", why);
  oct_dmt *dmt = oct_dmt_put(dmts);
  if (!dmt) return no_memory(why);
  *dmt = (oct_dmt){addr, is_terminator};
  return 0;
}

static int put_trap(const oct_parser *p, oct_packet_queues *q, const oct_cut *cut, oct_diag *why) {
  static const uint8_t kinds[] = {OCT_TRAP_PRIVILEGE, OCT_TRAP_INTERRUPT, OCT_TRAP_EXCEPTION};
  const oct_bits *b = &p->cutter.bits;
  oct_queue *traps = &q->of[OCT_QUEUE_TRAPS];
  if (oct_queue_count(traps) >= TOKENS_MAX) return too_early("traps", why);
  oct_trap *t = oct_trap_put(traps);
  if (!t) return no_memory(why);
  *t = (oct_trap){.kind = kinds[cut->n_repeats],
                  .privilege = (uint8_t)cut->values[0],
                  .cause = (uint32_t)cut->values[1]};
  if (cut->n_repeats) t->addr = oct_bits_at(b, cut->repeats_at, cut->repeat_bits);
  if (cut->n_repeats > 1)
    t->tval = oct_bits_at(b, cut->repeats_at + cut->repeat_bits, cut->repeat_bits);
  return put_token(q, OCT_TOKEN_TRAP, 0, 0, why);
}

static int put_time(const oct_parser *p, oct_packet_queues *q, const oct_cut *cut, oct_diag *why) {
  oct_queue *times = &q->of[OCT_QUEUE_TIMES];
  if (oct_queue_count(times) >= TOKENS_MAX) return too_early("stamps", why);
  uint64_t *time = oct_time_put(times);
  if (!time) return no_memory(why);
  *time = oct_bits_at(&p->cutter.bits, cut->repeats_at, 8 * cut->n_repeats);
  return put_token(q, OCT_TOKEN_TIME, 0, 0, why);
}

static int put_delay(const oct_parser *p, oct_packet_queues *q, const oct_cut *cut, oct_diag *why) {
  oct_queue *delays = &q->of[OCT_QUEUE_DELAYS];
  uint32_t bits = cut->n_repeats * cut->repeat_bits;
  if (oct_queue_count(delays) >= TOKENS_MAX) return too_early("cycles of streams", why);
  int16_t *delay = oct_delay_put(delays);
  if (!delay) return no_memory(why);
  *delay = 0;
  if (bits) { /* from as many bits with a sign */
    uint32_t value = (uint32_t)oct_bits_at(&p->cutter.bits, cut->repeats_at, bits);
    *delay = (int16_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
  }
  return 0;
}

/* A packet at which both sides are to come to rest. */
static void put_barrier(const oct_parser *p, oct_port_barrier *b, oct_port_barrier_kind kind,
                        const oct_cut *cut) {
  *b = (oct_port_barrier){.kind = kind, .bit = oct_parser_offset(p)};
  if (kind == OCT_BARRIER_SYNC) {
    b->insns = cut->values[0];
    b->task = (uint32_t)cut->values[1];
    b->is_found = p->is_searching;
  } else if (kind == OCT_BARRIER_OVERFLOW) {
    b->insns = cut->values[0];
    b->accesses = cut->values[1];
  }
  if (p->has_traps && kind != OCT_BARRIER_FLUSH && kind != OCT_BARRIER_CHECK)
    b->privilege = (uint8_t)cut->values[3];
}

/* Queue a packet. 0 or an error. */
static int put_cut(const oct_parser *p, oct_packet_queues *q, oct_port_barrier *barrier,
                   const oct_cut *cut, oct_diag *why) {
  const uint64_t *v = cut->values;
  switch (cut->kind) {
    case OCT_PACKET_DMT:
      return put_dmt(p, q, v[0], false, why);
    case OCT_PACKET_TERMINATOR:
      return put_dmt(p, q, 0, true, why);
    case OCT_PACKET_PATTERN:
      return put_pattern(p, q, (uint32_t)v[0], p->pattern_bits, 1, why);
    case OCT_PACKET_REPETITION:
      return put_pattern(p, q, (uint32_t)v[0], p->pattern_bits, (uint32_t)v[1] + 2, why);
    case OCT_PACKET_PATTERN_PART:
      return put_pattern(p, q,
                         (uint32_t)oct_bits_at(&p->cutter.bits, cut->repeats_at, cut->n_repeats),
                         cut->n_repeats, 1, why);
    case OCT_PACKET_INDEX:
      return put_token(q, OCT_TOKEN_INDEX, 0, (uint32_t)v[0], why);
    case OCT_PACKET_TUPLE_HIT:
      return put_token(q, OCT_TOKEN_HIT, 0, (uint32_t)v[0], why);
    case OCT_PACKET_SCMT:
      return put_scmt(q, v[0] << p->align_bits, (uint32_t)v[1] + 1, why);
    case OCT_PACKET_TUPLE_MISS:
      return put_indices(p, q, OCT_TOKEN_TUPLE, cut, why);
    case OCT_PACKET_TUPLE_PART:
      return put_indices(p, q, OCT_TOKEN_PART, cut, why);
    case OCT_PACKET_TASK:
      return put_token(q, OCT_TOKEN_TASK, 0, (uint32_t)v[0], why);
    case OCT_PACKET_TRAP:
      return put_trap(p, q, cut, why);
    case OCT_PACKET_TIME:
      return put_time(p, q, cut, why);
    case OCT_PACKET_CYCLES:
      return put_delay(p, q, cut, why);
    case OCT_PACKET_OVERFLOW:
      put_barrier(p, barrier, OCT_BARRIER_OVERFLOW, cut);
      return 0;
    case OCT_PACKET_FLUSH:
      put_barrier(p, barrier, OCT_BARRIER_FLUSH, cut);
      return 0;
    case OCT_PACKET_CHECK:
      put_barrier(p, barrier, OCT_BARRIER_CHECK, cut);
      return 0;
    default:
      put_barrier(p, barrier, OCT_BARRIER_SYNC, cut);
      return 0;
  }
}

/* Read one packet. 1, 0 when it is cut short, or an error. */
static int read_packet(oct_parser *p, oct_packet_queues *q, oct_port_barrier *barrier,
                       oct_diag *why) {
  oct_cut cut;
  const char *text = NULL;
  int r = oct_cutter_peek(&p->cutter, &cut, &text);
  if (p->is_sync_due && !oct_cutter_may_begin(&p->cutter, OCT_PACKET_SYNC) &&
      !oct_cutter_may_begin(&p->cutter, OCT_PACKET_FLUSH))
    return oct_fail(why, OCT_ERR_PACKET, "no sync packet where one must be");
  if (r < 0) return oct_fail(why, r, "%s", text);
  if (!r) return 0;
  r = put_cut(p, q, barrier, &cut, why);
  if (r) return r;
  oct_cutter_take(&p->cutter, &cut);
  barrier->check = cut.check;
  p->is_flush_last = cut.kind == OCT_PACKET_FLUSH;
  if (cut.kind == OCT_PACKET_SYNC) p->is_searching = p->is_mark_found = p->is_sync_due = false;
  return 1;
}

bool oct_parser_search(oct_parser *p) {
  if (!p->is_searching || p->is_mark_found) return true;
  p->is_mark_found = oct_cutter_search(&p->cutter);
  if (p->is_mark_found && !p->has_resynced) p->found_bits = oct_parser_offset(p);
  return p->is_mark_found;
}

int oct_parser_run(oct_parser *p, oct_packet_queues *q, oct_port_barrier *barrier, oct_diag *why) {
  int n;
  barrier->kind = OCT_BARRIER_NONE;
  if (!oct_parser_search(p)) return 0;
  for (n = 0; n < PACKETS_PER_RUN && barrier->kind == OCT_BARRIER_NONE; n++) {
    int r = read_packet(p, q, barrier, why);
    if (r < 0) return r;
    if (!r) break;
  }
  return n > 0;
}

int oct_parser_check_end(const oct_parser *p, oct_diag *why) {
  const oct_bits *bits = &p->cutter.bits;
  size_t left = oct_bits_left(bits);
  if (p->is_searching) return oct_fail(why, OCT_ERR_TRUNCATED, "no whole sync packet found");
  if (!p->is_flush_last)
    return oct_fail(why, OCT_ERR_TRUNCATED, "the stream does not end in a flush");
  if (left > OCT_END_ZEROS_MAX || oct_bits_at(bits, 0, (unsigned)left))
    return oct_fail(why, OCT_ERR_TRUNCATED, "the stream ends in the middle of a packet");
  return 0;
}

void oct_parser_start_search(oct_parser *p, uint64_t from_bit) {
  /* A mark that was found, but whose packet is bad, is passed over. */
  if (p->is_searching && p->is_mark_found) from_bit += p->cutter.sync_ones + 1;
  p->is_searching = p->is_sync_due = p->has_resynced = true;
  p->is_mark_found = p->is_flush_last = false;
  oct_cutter_start_search(&p->cutter, from_bit);
}
