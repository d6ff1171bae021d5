/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder_parse.c - cuts the port bits into packets and queues them (docs/port-format.md,
 * sections 3 and 4). A packet that is not wholly there changes nothing: it is tried again later. */
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

typedef enum packet {
  P_DMT,
  P_PATTERN,
  P_INDEX, /* tuple hit, or stream cache index */
  P_REPETITION,
  P_SCMT,
  P_TUPLE,
  P_TERMINATOR,
  P_TASK,
  P_PART_TUPLE,
  P_PART_PATTERN,
  P_OVERFLOW,
  P_FLUSH,
  P_SYNC,
  P_BAD,
  P_COUNT
} packet;

static const char *const prefixes[P_COUNT] = {"00",       "01",       "100",    "101",    "1100",
                                              "1101",     "11100",    "11101",  "111100", "111101",
                                              "11111000", "11111001", "111111", "1111101"};

void oct_decoder_parse_init(oct_decoder *d) {
  const oct_config *c = &d->cfg;
  for (unsigned bits = 0; bits < 256; bits++) {
    for (unsigned p = 0; p < P_COUNT; p++) {
      unsigned i = 0;
      while (prefixes[p][i] && (unsigned)(prefixes[p][i] - '0') == ((bits >> i) & 1)) i++;
      if (!prefixes[p][i]) d->kind_of[bits] = (uint8_t)p;
    }
    packet p = (packet)d->kind_of[bits];
    if ((p == P_REPETITION && !c->rep_count_bits) || (p == P_TUPLE && !c->ntuple_n) ||
        (p == P_PART_TUPLE && c->ntuple_n < 2) || (p == P_PART_PATTERN && c->rep_pattern_bits < 2))
      d->kind_of[bits] = P_BAD;
  }
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

/* n indices that stand `ahead` bits after the position. */
static int put_indices(oct_decoder *d, oct_token_kind kind, size_t ahead, unsigned n) {
  if (oct_queue_count(&d->indices) >= TOKENS_MAX) return too_early(d, "instruction packets");
  for (unsigned i = 0; i < n; i++) {
    uint16_t *index = oct_index_put(&d->indices);
    if (!index) return no_memory(d);
    *index = (uint16_t)oct_bits_at(&d->bits, ahead + i * d->index_bits, d->index_bits);
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

/* Sync mark: exactly sync_ones ones and a zero. 1, 0 when cut short, or an error. */
static int check_mark(oct_decoder *d) {
  size_t left = oct_bits_left(&d->bits);
  for (unsigned i = 0; i < d->sync_ones; i += 8)
    if (i + 8 <= left && oct_bits_at(&d->bits, i, 8) != 0xFF)
      return oct_decoder_fail(d, OCT_ERR_PACKET, "a sync mark of less than %u ones", d->sync_ones);
  if (left <= d->sync_ones) return 0;
  if (oct_bits_at(&d->bits, d->sync_ones, 1))
    return oct_decoder_fail(d, OCT_ERR_PACKET, "a sync mark of more than %u ones", d->sync_ones);
  return 1;
}

/* Parse a packet at which both sides meet. As parse_packet. */
static int parse_barrier(oct_decoder *d, packet p) {
  const oct_bits *b = &d->bits;
  size_t left = oct_bits_left(b);
  unsigned addr_bits = d->cfg.addr_bits, task_bits = d->cfg.task_bits, length, n;
  if (p == P_OVERFLOW) {
    if (left < (length = 8 + 2 * addr_bits)) return 0;
    d->barrier = OCT_BARRIER_OVERFLOW;
    d->barrier_number = oct_bits_at(b, 8, addr_bits);
    d->barrier_extra = oct_bits_at(b, 8 + addr_bits, addr_bits);
  } else if (p == P_FLUSH) {
    if (left < 11) return 0;
    n = (unsigned)oct_bits_at(b, 8, 3);
    if (left < (length = 11 + n)) return 0;
    /* A capture that was searched need not begin at a byte of the stream. */
    if (oct_bits_at(b, 11, n) || (!d->is_search && (oct_bits_offset(b) + length) % 8))
      return oct_decoder_fail(d, OCT_ERR_PACKET, "a flush that does not fill up a byte with zeros");
    d->barrier = OCT_BARRIER_FLUSH;
  } else {
    int r = check_mark(d);
    if (r <= 0) return r;
    if (left < (length = d->sync_ones + 1 + addr_bits + task_bits)) return 0;
    d->barrier = OCT_BARRIER_SYNC;
    d->barrier_number = oct_bits_at(b, d->sync_ones + 1, addr_bits);
    d->barrier_extra = oct_bits_at(b, d->sync_ones + 1 + addr_bits, task_bits);
  }
  d->is_flush_last = p == P_FLUSH;
  return (int)length;
}

/* Parse one packet. Its length in bits, 0 when it is cut short, or an error. */
static int parse_packet(oct_decoder *d) {
  const oct_config *c = &d->cfg;
  const oct_bits *b = &d->bits;
  size_t left = oct_bits_left(b);
  packet p = (packet)d->kind_of[oct_bits_at(b, 0, 8)];
  unsigned w = c->rep_pattern_bits, addr_bits = c->addr_bits, length, n;
  int r = 0;
  if (!left) return 0;
  if (d->is_sync_due && p != P_SYNC && p != P_FLUSH &&
      !(left < 6 && oct_bits_at(b, 0, 6) == oct_mask(left)))
    return oct_decoder_fail(d, OCT_ERR_PACKET, "no sync packet where one must stand");
  switch (p) {
    case P_DMT:
      if (left < (length = 2 + addr_bits)) return 0;
      r = put_dmt(d, oct_bits_at(b, 2, addr_bits), 0);
      break;
    case P_TERMINATOR:
      if (left < (length = 5)) return 0;
      r = put_dmt(d, 0, 1);
      break;
    case P_PATTERN:
      if (left < (length = 2 + w)) return 0;
      r = put_pattern(d, (uint32_t)oct_bits_at(b, 2, w), w, 1);
      break;
    case P_REPETITION:
      if (left < (length = 3 + w + c->rep_count_bits)) return 0;
      r = put_pattern(d, (uint32_t)oct_bits_at(b, 3, w), w,
                      (uint32_t)oct_bits_at(b, 3 + w, c->rep_count_bits) + 2);
      break;
    case P_PART_PATTERN:
      if (left < 11) return 0;
      n = (unsigned)oct_bits_at(b, 6, 5);
      if (n == 0 || n >= w)
        return oct_decoder_fail(d, OCT_ERR_PACKET, "a part of %u bits of a pattern of %u", n, w);
      if (left < (length = 11 + n)) return 0;
      r = put_pattern(d, (uint32_t)oct_bits_at(b, 11, n), n, 1);
      break;
    case P_INDEX:
      n = c->ntuple_n ? d->thb_bits : d->index_bits;
      if (left < (length = 3 + n)) return 0;
      r = put_token(d, c->ntuple_n ? OCT_TOKEN_HIT : OCT_TOKEN_INDEX, 0,
                    (uint32_t)oct_bits_at(b, 3, n));
      break;
    case P_SCMT:
      n = addr_bits - c->pc_align_bits;
      if (left < (length = 4 + n + c->sl_bits)) return 0;
      r = put_scmt(d, oct_bits_at(b, 4, n) << c->pc_align_bits,
                   (uint32_t)oct_bits_at(b, 4 + n, c->sl_bits) + 1);
      break;
    case P_TUPLE:
      if (left < (length = 4 + c->ntuple_n * d->index_bits)) return 0;
      r = put_indices(d, OCT_TOKEN_TUPLE, 4, c->ntuple_n);
      break;
    case P_PART_TUPLE:
      if (left < 10) return 0;
      n = (unsigned)oct_bits_at(b, 6, 4);
      if (n == 0 || n >= c->ntuple_n)
        return oct_decoder_fail(d, OCT_ERR_PACKET, "a part of %u indices of a tuple of %u", n,
                                c->ntuple_n);
      if (left < (length = 10 + n * d->index_bits)) return 0;
      r = put_indices(d, OCT_TOKEN_PART, 10, n);
      break;
    case P_TASK:
      if (left < (length = 5 + c->task_bits)) return 0;
      r = put_token(d, OCT_TOKEN_TASK, 0, (uint32_t)oct_bits_at(b, 5, c->task_bits));
      break;
    case P_OVERFLOW:
    case P_FLUSH:
    case P_SYNC:
      return parse_barrier(d, p);
    default:
      if (left < 8) return 0; /* the prefix may be cut short */
      return oct_decoder_fail(d, OCT_ERR_PACKET, "reserved packet prefix");
  }
  if (r) return r;
  d->is_flush_last = 0;
  return (int)length;
}

/* Look for a run of sync_ones or more ones that ends in a zero. The position is at a byte boundary
 * and a run may have begun before it. */
static void search_mark(oct_decoder *d) {
  oct_bits *b = &d->bits;
  for (size_t i = b->pos_bits / 8; i < b->n_bytes; i++) {
    unsigned byte = b->bytes[i];
    if (byte == 0xFF) {
      d->search_ones += 8;
      continue;
    }
    unsigned low = (unsigned)__builtin_ctz(~byte);
    if (d->search_ones + low >= d->sync_ones) {
      b->pos_bits = i * 8 + low + 1;
      d->is_fields_next = 1;
      d->counts.first_sync_bits = oct_bits_offset(b) - 1 - d->sync_ones;
      return;
    }
    d->search_ones = (unsigned)__builtin_clz(~(byte << 24));
  }
  b->pos_bits = b->n_bytes * 8;
}

/* Skip to the first sync and read its fields. 1 when they are there. */
static int search(oct_decoder *d) {
  unsigned addr_bits = d->cfg.addr_bits, length = addr_bits + d->cfg.task_bits;
  if (!d->is_fields_next) search_mark(d);
  if (!d->is_fields_next || oct_bits_left(&d->bits) < length) return 0;
  d->barrier = OCT_BARRIER_SYNC;
  d->barrier_number = oct_bits_at(&d->bits, 0, addr_bits);
  d->barrier_extra = oct_bits_at(&d->bits, addr_bits, d->cfg.task_bits);
  d->bits.pos_bits += length;
  return 1;
}

int oct_decoder_parse(oct_decoder *d) {
  if (d->is_searching) return search(d);
  int n;
  for (n = 0; n < PACKETS_PER_CALL && d->barrier == OCT_BARRIER_NONE; n++) {
    int length = parse_packet(d);
    if (length < 0) {
      /* What stands before the bad packet is joined first. */
      d->barrier = OCT_BARRIER_ERROR;
      return 1;
    }
    if (!length) break;
    d->bits.pos_bits += (size_t)length;
  }
  return n > 0;
}
