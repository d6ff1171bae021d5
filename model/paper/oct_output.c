/* SPDX-License-Identifier: Apache-2.0 */
/* oct_output.c - trace output controller: packets and packing (docs/port-format.md, section 3;
 * oct_output.h).
 *
 * The next item of either side becomes a packet, the instruction side first; a barrier waits until
 * both sides have come to it. A packet is prefix and fields, the first bit lowest, in words of 64
 * bits. Packing moves up to 64 bits a cycle behind those that do not yet fill a word; full words go
 * to the output FIFO, from which the bus takes halves. Checks are left zero in their packet and
 * filled in when its predecessor has been folded into the CRC. */
#include "oct_output.h"

#include "octrace/trace.h"
#include "oct_mask.h"

void oct_output_init(oct_output *s, const oct_config *cfg, oct_stats *stats) {
  memset(s, 0, sizeof *s);
  s->cfg = *cfg;
  s->stats = stats;
  s->addr_mask = oct_mask(cfg->addr_bits);
  oct_config_widths(cfg, &s->widths);
  oct_packet_forms(cfg, s->forms);
}

/* Append a field. */
static void put(oct_output *s, oct_output_packet *p, uint64_t value, uint32_t bits,
                oct_logical logical) {
  uint32_t at = p->bits % 64;
  uint64_t *w = &p->word[p->bits / 64];
  s->stats->port[logical] += bits;
  if (!bits) return;
  value &= oct_mask(bits);
  if (at) {
    w[0] |= value << at;
    if (at + bits >= 64) w[1] = value >> (64 - at);
  } else {
    w[0] = value;
    if (bits == 64) w[1] = 0;
  }
  p->bits += bits;
}

/* A packet of up to two fields, each once. Mostly one word. */
static inline void put_packet(oct_output *s, oct_output_packet *p, oct_packet_kind kind, uint64_t a,
                              uint64_t b, oct_logical logical) {
  const oct_packet_form *f = &s->forms[kind];
  uint32_t a_bits = f->fields[0].bits, b_bits = f->fields[1].bits;
  uint32_t head = f->prefix_bits;
  oct_output_begin(s, p, f->prefix, head);
  if (head + a_bits + b_bits < 64) {
    p->word[0] |= (a & oct_mask(a_bits)) << head | (b & oct_mask(b_bits)) << (head + a_bits);
    p->bits += a_bits + b_bits;
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

/* A packet of the port itself, which has no header of its own in the accounts. */
static void begin_barrier(oct_output *s, oct_output_packet *p, oct_packet_kind kind) {
  const oct_packet_form *f = &s->forms[kind];
  put(s, p, f->prefix, f->prefix_bits, OCT_LOGICAL_SYNC);
}

static void put_sync(oct_output *s, oct_output_packet *p, const oct_item *item,
                     const oct_barrier *barrier) {
  for (uint32_t left = s->widths.sync_ones; left;) {
    uint32_t n = left < 64 ? left : 64;
    put(s, p, ~(uint64_t)0, n, OCT_LOGICAL_SYNC);
    left -= n;
  }
  put(s, p, 0, 1, OCT_LOGICAL_SYNC);
  put(s, p, barrier->sync_insn, s->cfg.addr_bits, OCT_LOGICAL_SYNC);
  put(s, p, item->value, s->cfg.task_bits, OCT_LOGICAL_SYNC);
  put(s, p, s->cfg.traps ? (uint64_t)barrier->sync_privilege << 1 : 0, s->widths.sealed_bits,
      OCT_LOGICAL_SYNC);
  s->stats->syncs++;
}

/* Bits that a flush adds to end at a byte, all its fields counted. */
static uint32_t pad_of(const oct_output *s) {
  return (uint32_t)(-(s->bit_count + s->forms[OCT_PACKET_FLUSH].fixed_bits) & 7);
}

/* n counts the words that follow. */
static void put_trap(oct_output *s, oct_output_packet *p, const oct_trap_word *t) {
  uint32_t n = t->kind == OCT_TRAP_EXCEPTION ? 2 : t->kind == OCT_TRAP_INTERRUPT ? 1 : 0;
  oct_output_begin(s, p, OCT_PREFIX_TRAP, OCT_PREFIX_BITS_TRAP);
  put(s, p, t->privilege, s->forms[OCT_PACKET_TRAP].fields[0].bits, OCT_LOGICAL_TRAP);
  put(s, p, t->cause, s->cfg.cause_bits, OCT_LOGICAL_TRAP);
  put(s, p, n, s->forms[OCT_PACKET_TRAP].fields[2].bits, OCT_LOGICAL_TRAP);
  if (n) put(s, p, t->addr, s->cfg.addr_bits, OCT_LOGICAL_TRAP);
  if (n > 1) put(s, p, t->tval, s->cfg.addr_bits, OCT_LOGICAL_TRAP);
}

/* In as few bytes as it needs. */
static void put_time(oct_output *s, oct_output_packet *p, uint64_t time) {
  uint32_t n = oct_byte_width(time);
  oct_output_begin(s, p, OCT_PREFIX_TIME, OCT_PREFIX_BITS_TIME);
  put(s, p, n, s->forms[OCT_PACKET_TIME].fields[0].bits, OCT_LOGICAL_TIME);
  put(s, p, time, 8 * n, OCT_LOGICAL_TIME);
}

/* A signed number, in as few digits of four bits as it needs. */
static void put_cycles(oct_output *s, oct_output_packet *p, int16_t delay) {
  const oct_packet_form *f = &s->forms[OCT_PACKET_CYCLES];
  uint32_t n = !delay ? 0 : delay >= -8 && delay < 8 ? 1 : delay >= -128 && delay < 128 ? 2 : 3;
  oct_output_begin(s, p, f->prefix, f->prefix_bits);
  put(s, p, n, f->fields[0].bits, OCT_LOGICAL_TIME);
  put(s, p, (uint16_t)delay, n * f->fields[1].bits, OCT_LOGICAL_TIME);
}

static void put_mark(oct_output *s, oct_output_packet *p, const oct_item *item,
                     const oct_barrier *barrier) {
  uint32_t pad = pad_of(s), check_bits = s->cfg.check_bits;
  switch (item->mark) {
    case OCT_MARK_TASK:
      put_packet(s, p, OCT_PACKET_TASK, item->value, 0, OCT_LOGICAL_TASK);
      break;
    case OCT_MARK_TRAP:
      put_trap(s, p, &barrier->trap);
      break;
    case OCT_MARK_TIME:
      put_time(s, p, barrier->time);
      break;
    case OCT_MARK_SYNC:
      put_sync(s, p, item, barrier);
      break;
    case OCT_MARK_OVERFLOW:
      begin_barrier(s, p, OCT_PACKET_OVERFLOW);
      put(s, p, barrier->lost_insns, s->cfg.addr_bits, OCT_LOGICAL_SYNC);
      put(s, p, barrier->lost_accesses, s->cfg.addr_bits, OCT_LOGICAL_SYNC);
      put(s, p, (uint64_t)barrier->lost_privilege << 1, 4 * s->cfg.traps, OCT_LOGICAL_SYNC);
      break;
    case OCT_MARK_CHECK:
      begin_barrier(s, p, OCT_PACKET_CHECK);
      put(s, p, 0, check_bits, OCT_LOGICAL_SYNC);
      break;
    default: /* flush */
      begin_barrier(s, p, OCT_PACKET_FLUSH);
      put(s, p, 0, check_bits, OCT_LOGICAL_SYNC);
      put(s, p, pad, 3, OCT_LOGICAL_SYNC);
      put(s, p, 0, pad, OCT_LOGICAL_PAD);
  }
  p->mark = item->mark;
}

void oct_output_step_other(oct_output *s, const oct_item *item, const oct_barrier *barrier,
                           oct_output_packet *p) {
  switch (item->kind) {
    case OCT_ITEM_PATTERN:
      put_packet(s, p, OCT_PACKET_PATTERN, item->value, 0, OCT_LOGICAL_DT);
      break;
    case OCT_ITEM_REPEAT:
      put_packet(s, p, OCT_PACKET_REPETITION, item->value, item->n - 2, OCT_LOGICAL_DT);
      break;
    case OCT_ITEM_PATTERN_PART:
      oct_output_begin(s, p, OCT_PREFIX_PATTERN_PART, OCT_PREFIX_BITS_PATTERN_PART);
      put(s, p, item->n, s->forms[OCT_PACKET_PATTERN_PART].fields[0].bits, OCT_LOGICAL_DT);
      put(s, p, item->value, item->n, OCT_LOGICAL_DT);
      break;
    case OCT_ITEM_DMT_END:
      put_packet(s, p, OCT_PACKET_TERMINATOR, 0, 0, OCT_LOGICAL_DMT);
      break;
    case OCT_ITEM_INDEX:
      put_packet(s, p, OCT_PACKET_INDEX, item->value, 0, OCT_LOGICAL_SCIT);
      break;
    case OCT_ITEM_TUPLE_HIT:
      put_packet(s, p, OCT_PACKET_TUPLE_HIT, item->value, 0, OCT_LOGICAL_SCIT);
      break;
    case OCT_ITEM_TUPLE_MISS:
      oct_output_begin(s, p, OCT_PREFIX_TUPLE_MISS, OCT_PREFIX_BITS_TUPLE_MISS);
      put_tuple(s, p, item);
      break;
    case OCT_ITEM_TUPLE_PART:
      oct_output_begin(s, p, OCT_PREFIX_TUPLE_PART, OCT_PREFIX_BITS_TUPLE_PART);
      put(s, p, item->n, s->forms[OCT_PACKET_TUPLE_PART].fields[0].bits, OCT_LOGICAL_SCIT);
      put_tuple(s, p, item);
      break;
    case OCT_ITEM_SCMT:
      put_packet(s, p, OCT_PACKET_SCMT, item->addr >> s->cfg.pc_align_bits, item->value - 1,
                 OCT_LOGICAL_SCMT);
      break;
    case OCT_ITEM_CYCLES:
      put_cycles(s, p, (int16_t)item->value);
      break;
    default:
      oct_output_begin(s, p, 0, 0);
      put_mark(s, p, item, barrier);
  }
}

/* Put a check into the place that its packet has for it. */
static void fill_check(const oct_output *s, oct_output_packet *p) {
  oct_packet_kind kind = p->mark == OCT_MARK_SYNC    ? OCT_PACKET_SYNC
                         : p->mark == OCT_MARK_FLUSH ? OCT_PACKET_FLUSH
                                                     : OCT_PACKET_CHECK;
  uint32_t at = oct_packet_check_at(&s->forms[kind]);
  p->word[at / 64] |= (uint64_t)s->crc << at % 64;
  if (at % 64 + s->cfg.check_bits > 64) p->word[at / 64 + 1] |= (uint64_t)s->crc >> (64 - at % 64);
}

void oct_output_seal(oct_output *s, oct_output_packet *p) {
  if (p->mark == OCT_MARK_SYNC) s->since_sync_bits = 0;
  if (!oct_output_sync_due(s)) s->since_sync_bits += p->bits;
  if (!s->cfg.check_bits) return;
  if (oct_packet_has_check(p)) {
    fill_check(s, p);
    s->crc = 0;
    s->since_check_bits = 0;
  }
  if (!oct_output_check_due(s)) s->since_check_bits += p->bits;
  for (uint32_t at = 0; at < p->bits; at += 64)
    s->crc = oct_crc_bits(s->cfg.check_bits, s->crc, p->word[at / 64],
                          p->bits - at < 64 ? p->bits - at : 64);
}

static bool is_barrier(const oct_item *item) {
  return item->kind == OCT_ITEM_MARK && oct_mark_is_barrier(item->mark);
}

/* The item whose packet is made next, or NULL; the ready outputs follow. */
static const oct_item *arbitrate(const oct_output *s, const oct_output_in *in,
                                 oct_output_out *out) {
  const oct_item *insn = in->insn_item;
  const oct_item *data = in->data_item;
  const oct_item *cycles = in->cycles_item;
  if (cycles && !is_barrier(cycles)) {
    out->cycles_ready = true;
    return cycles;
  }
  if (insn && !is_barrier(insn)) {
    out->insn_ready = true;
    return insn;
  }
  if (data && !is_barrier(data)) {
    out->data_ready = true;
    return data;
  }
  if (!insn || !data || (s->cfg.timestamp == 2 && !cycles)) return NULL;
  if (insn->mark == OCT_MARK_OVERFLOW) {
    out->overflow_at_head = true;
    if (!in->resume) return NULL;
    out->overflow_done = true;
  }
  out->sync_done = insn->mark == OCT_MARK_SYNC;
  out->insn_ready = true;
  out->data_ready = true;
  out->cycles_ready = true;
  return insn;
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
  if (total >= 64 && oct_output_is_full(s)) return false;
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
    if (s->carry_bits_q && oct_output_is_full(s)) return;
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
  out->sync_due = oct_output_sync_due(s);
  eval_bus(s, in, out);
  if (eval_pack(s) && s->flush_q == OCT_FLUSH_NONE) {
    static const oct_item check = {.kind = OCT_ITEM_MARK, .mark = OCT_MARK_CHECK};
    const oct_item *item = oct_output_check_due(s) ? &check : arbitrate(s, in, out);
    if (item) {
      out->time_done = item->kind == OCT_ITEM_MARK && item->mark == OCT_MARK_TIME;
      out->trap_done = item->kind == OCT_ITEM_MARK && item->mark == OCT_MARK_TRAP;
      oct_output_step(s, item, in->barrier, &s->packet_d);
      oct_output_seal(s, &s->packet_d);
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
