/* SPDX-License-Identifier: Apache-2.0 */
/* oct_output.c - trace output controller: packets and packing. */
#include "oct_output.h"

void oct_output_init(oct_output *s, const oct_config *cfg, oct_stats *stats) {
  memset(s, 0, sizeof *s);
  s->cfg = *cfg;
  s->stats = stats;
  s->addr_mask = oct_mask(cfg->addr_bits);
  oct_config_widths(cfg, &s->widths);
}

/* Append a field. */
static void put(oct_output *s, oct_output_packet *p, uint64_t value, uint32_t bits,
                oct_logical logical) {
  uint32_t at = p->bits % 64;
  uint64_t *w = &p->word[p->bits / 64];
  s->stats->port[logical] += bits;
  if (!bits) return;
  value &= oct_mask(bits);
  w[0] |= value << at;
  if (at + bits >= 64) w[1] = at ? value >> (64 - at) : 0;
  p->bits += bits;
}

/* A packet of prefix and two fields, the second of which may have no bits. Mostly one word. */
static inline void put_fields(oct_output *s, oct_output_packet *p, uint32_t prefix,
                              uint32_t prefix_bits, uint64_t a, uint32_t a_bits, uint64_t b,
                              uint32_t b_bits, oct_logical logical) {
  uint32_t bits = prefix_bits + a_bits + b_bits;
  oct_output_begin(s, p, prefix, prefix_bits);
  if (bits < 64) {
    p->word[0] |= (a & oct_mask(a_bits)) << prefix_bits | (b & oct_mask(b_bits))
                                                              << (prefix_bits + a_bits);
    p->bits = bits;
    s->stats->port[logical] += a_bits + b_bits;
  } else {
    put(s, p, a, a_bits, logical);
    put(s, p, b, b_bits, logical);
  }
}

static void put_tuple(oct_output *s, oct_output_packet *p, const oct_item *item) {
  for (uint32_t i = 0; i < item->n; i++)
    put(s, p, item->tuple[i], s->widths.index_bits, OCT_LOGICAL_SCIT);
}

static void put_sync(oct_output *s, oct_output_packet *p, const oct_item *item, uint64_t insn) {
  for (uint32_t left = s->widths.sync_ones; left;) {
    uint32_t n = left < 64 ? left : 64;
    put(s, p, ~(uint64_t)0, n, OCT_LOGICAL_SYNC);
    left -= n;
  }
  put(s, p, 0, 1, OCT_LOGICAL_SYNC);
  put(s, p, insn, s->cfg.addr_bits, OCT_LOGICAL_SYNC);
  put(s, p, item->value, s->cfg.task_bits, OCT_LOGICAL_SYNC);
  s->stats->syncs++;
}

static void put_mark(oct_output *s, oct_output_packet *p, const oct_item *item,
                     const oct_barrier *barrier) {
  uint32_t pad;
  switch (item->mark) {
    case OCT_MARK_TASK:
      put(s, p, 0x17, 5, OCT_LOGICAL_HEADER); /* 11101 */
      put(s, p, item->value, s->cfg.task_bits, OCT_LOGICAL_TASK);
      break;
    case OCT_MARK_SYNC:
      put_sync(s, p, item, barrier->sync_insn);
      break;
    case OCT_MARK_OVERFLOW:
      put(s, p, 0x1f, 8, OCT_LOGICAL_SYNC);
      put(s, p, barrier->lost_insns, s->cfg.addr_bits, OCT_LOGICAL_SYNC);
      put(s, p, barrier->lost_accesses, s->cfg.addr_bits, OCT_LOGICAL_SYNC);
      break;
    default: /* flush */
      pad = (uint32_t)(-(s->bit_count + 11) & 7);
      put(s, p, 0x9f, 8, OCT_LOGICAL_SYNC);
      put(s, p, pad, 3, OCT_LOGICAL_SYNC);
      put(s, p, 0, pad, OCT_LOGICAL_PAD);
  }
}

void oct_output_step_other(oct_output *s, const oct_item *item, const oct_barrier *barrier,
                           oct_output_packet *p) {
  const oct_config *cfg = &s->cfg;
  switch (item->kind) {
    case OCT_ITEM_PATTERN: /* 01 */
      put_fields(s, p, 0x02, 2, item->value, cfg->rep_pattern_bits, 0, 0, OCT_LOGICAL_DT);
      break;
    case OCT_ITEM_REPEAT: /* 101 */
      put_fields(s, p, 0x05, 3, item->value, cfg->rep_pattern_bits, item->n - 2,
                 cfg->rep_count_bits, OCT_LOGICAL_DT);
      break;
    case OCT_ITEM_PATTERN_PART: /* 111101 */
      put_fields(s, p, 0x2f, 6, item->n, 5, item->value, item->n, OCT_LOGICAL_DT);
      break;
    case OCT_ITEM_DMT_END: /* 11100 */
      oct_output_begin(s, p, 0x07, 5);
      break;
    case OCT_ITEM_INDEX: /* 100 */
      put_fields(s, p, 0x01, 3, item->value, s->widths.index_bits, 0, 0, OCT_LOGICAL_SCIT);
      break;
    case OCT_ITEM_TUPLE_HIT: /* 100 */
      put_fields(s, p, 0x01, 3, item->value, s->widths.thb_bits, 0, 0, OCT_LOGICAL_SCIT);
      break;
    case OCT_ITEM_TUPLE_MISS: /* 1101 */
      oct_output_begin(s, p, 0x0b, 4);
      put_tuple(s, p, item);
      break;
    case OCT_ITEM_TUPLE_PART: /* 111100 */
      oct_output_begin(s, p, 0x0f, 6);
      put(s, p, item->n, 4, OCT_LOGICAL_SCIT);
      put_tuple(s, p, item);
      break;
    case OCT_ITEM_SCMT: /* 1100 */
      put_fields(s, p, 0x03, 4, item->addr >> cfg->pc_align_bits,
                 cfg->addr_bits - cfg->pc_align_bits, item->value - 1, cfg->sl_bits,
                 OCT_LOGICAL_SCMT);
      break;
    default:
      oct_output_begin(s, p, 0, 0); /* each mark has its own prefix */
      put_mark(s, p, item, barrier);
  }
}

static bool is_barrier(const oct_item *item) {
  return item->kind == OCT_ITEM_MARK && item->mark != OCT_MARK_TASK;
}

/* The item whose packet is made next, or NULL; the ready outputs follow. */
static const oct_item *arbitrate(const oct_output_in *in, oct_output_out *out) {
  const oct_item *insn = in->insn_item;
  const oct_item *data = in->data_item;
  if (insn && !is_barrier(insn)) {
    out->insn_ready = true;
    return insn;
  }
  if (data && !is_barrier(data)) {
    out->data_ready = true;
    return data;
  }
  if (!insn || !data) return NULL;
  if (insn->mark == OCT_MARK_OVERFLOW) {
    out->overflow_at_head = true;
    if (!in->resume) return NULL;
    out->overflow_done = true;
  }
  out->sync_done = insn->mark == OCT_MARK_SYNC;
  out->insn_ready = true;
  out->data_ready = true;
  return insn;
}

static bool is_full(const oct_output *s) {
  return s->count_words_q == s->cfg.out_fifo_bytes / 8;
}

static void push(oct_output *s, uint64_t word) {
  s->push_d = true;
  s->push_word_d = word;
}

/* Move up to 64 bits of the packet register behind the carry, and a full word of them on to the
 * FIFO; true when the packet register is empty with this clock. */
static bool eval_pack(oct_output *s) {
  uint32_t left = s->left_bits_q;
  uint32_t at = s->packet_q.bits - left;
  uint32_t n = left < 64 ? left : 64;
  uint32_t carry_bits = s->carry_bits_q;
  uint32_t total = carry_bits + n;
  uint64_t bits;
  if (!left) return true;
  if (total >= 64 && is_full(s)) return false;
  bits = s->packet_q.word[at / 64] & oct_mask(n);
  s->carry_d |= bits << carry_bits;
  if (total >= 64) {
    push(s, s->carry_d);
    s->carry_d = carry_bits ? bits >> (64 - carry_bits) : 0;
  }
  s->carry_bits_d = total % 64;
  s->left_bits_d = left - n;
  return left == n;
}

/* A flush packet ends at a byte: what it leaves in carry becomes a short last word. */
static void eval_flush(oct_output *s, oct_output_out *out) {
  if (s->flush_q == OCT_FLUSH_DRAIN) {
    if (out->flush_done) s->flush_d = OCT_FLUSH_NONE;
  } else if (!s->left_bits_q) {
    if (s->carry_bits_q && is_full(s)) return;
    if (s->carry_bits_q) push(s, s->carry_q);
    s->last_bytes_d = (uint8_t)(s->carry_bits_q ? s->carry_bits_q / 8 - 1 : 7);
    s->carry_d = 0;
    s->carry_bits_d = 0;
    s->flush_d = OCT_FLUSH_DRAIN;
  }
}

static void eval_bus(oct_output *s, const oct_output_in *in, oct_output_out *out) {
  bool is_last = s->flush_q == OCT_FLUSH_DRAIN && s->count_words_q == 1;
  uint32_t last = is_last ? s->last_bytes_q : 7;
  bool ends_word = s->half_q || last < 4;
  bool taken = s->atvalid_q && in->atready && in->atclken;
  out->atvalid = s->atvalid_q;
  out->atbytes = (uint8_t)(!ends_word ? 3 : last % 4);
  out->atdata = (uint32_t)(s->fifo[s->head_q] >> (s->half_q ? 32 : 0));
  out->flush_out = s->flush_out_q;
  out->flush_done = s->flush_out_q && in->atclken;
  s->atclken = in->atclken;
  s->pop_d = taken && ends_word;
  s->half_d = taken ? !ends_word : s->half_q;
}

void oct_output_eval(oct_output *s, const oct_output_in *in, oct_output_out *out) {
  memset(out, 0, sizeof *out);
  s->left_bits_d = s->left_bits_q;
  s->carry_d = s->carry_q;
  s->carry_bits_d = s->carry_bits_q;
  s->last_bytes_d = s->last_bytes_q;
  s->flush_d = s->flush_q;
  s->push_d = false;
  eval_bus(s, in, out);
  if (eval_pack(s) && s->flush_q == OCT_FLUSH_NONE) {
    const oct_item *item = arbitrate(in, out);
    if (item) {
      oct_output_step(s, item, in->barrier, &s->packet_d);
      s->left_bits_d = s->packet_d.bits;
      if (item->kind == OCT_ITEM_MARK && item->mark == OCT_MARK_FLUSH) s->flush_d = OCT_FLUSH_PACK;
      s->load_d = true;
    }
  }
  if (s->flush_q != OCT_FLUSH_NONE) eval_flush(s, out);
}

void oct_output_clock(oct_output *s) {
  uint32_t mask = s->cfg.out_fifo_bytes / 8 - 1;
  if (s->push_d) s->fifo[(s->head_q + s->count_words_q) & mask] = s->push_word_d;
  s->head_q = (s->head_q + s->pop_d) & mask;
  s->count_words_q = s->count_words_q + s->push_d - s->pop_d;
  s->half_q = s->half_d;
  if (s->load_d) s->packet_q = s->packet_d;
  s->load_d = false;
  s->left_bits_q = s->left_bits_d;
  s->carry_q = s->carry_d;
  s->carry_bits_q = s->carry_bits_d;
  s->last_bytes_q = s->last_bytes_d;
  s->flush_q = s->flush_d;
  if (s->atclken) {
    s->atvalid_q = s->count_words_q > 0;
    s->flush_out_q = s->flush_q == OCT_FLUSH_DRAIN && !s->count_words_q;
  }
}
