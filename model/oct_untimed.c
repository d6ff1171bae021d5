/* SPDX-License-Identifier: Apache-2.0 */
/* oct_untimed.c - the compressor without time. */
#include "oct_untimed.h"

#include <endian.h>
#include <stdlib.h>

/* Most bytes that one event of the core interface can cause: a sync, an SCMT, a tuple, data items.
 */
#define EVENT_BYTES_MAX 256

int oct_bytes_grow(oct_bytes *b, size_t n) {
  size_t capacity = b->capacity ? b->capacity : 65536;
  uint8_t *at;
  while (capacity - b->count < n) capacity *= 2;
  at = realloc(b->at, capacity);
  if (!at) return OCT_ERR_NOMEM;
  b->at = at;
  b->capacity = capacity;
  return 0;
}

int oct_untimed_init(oct_untimed *s, const oct_config *cfg) {
  memset(s, 0, sizeof *s);
  s->cfg = *cfg;
  oct_ingress_init(&s->ingress, cfg, &s->stats);
  oct_stream_detector_init(&s->detector, cfg);
  oct_repetition_init(&s->repetition, cfg, &s->stats);
  oct_output_init(&s->output, cfg, &s->stats);
  if (oct_stream_cache_init(&s->stream_cache, cfg, &s->stats) ||
      oct_ntuple_init(&s->ntuple, cfg, &s->stats) || oct_dasc_init(&s->dasc, cfg, &s->stats)) {
    oct_untimed_free(s);
    return OCT_ERR_NOMEM;
  }
  return 0;
}

void oct_untimed_free(oct_untimed *s) {
  oct_stream_cache_free(&s->stream_cache);
  oct_ntuple_free(&s->ntuple);
  oct_dasc_free(&s->dasc);
  free(s->bytes.at);
  s->bytes.at = NULL;
}

/* Append n of at most 64 bits. Eight bytes are always written, those that are complete stay. */
OCT_ALWAYS_INLINE void append_word(oct_untimed *s, uint64_t word, uint32_t n) {
  uint32_t carry = s->partial_bits;
  uint32_t total = carry + n;
  uint64_t low = htole64(s->partial | word << carry);
  memcpy(s->bytes.at + s->bytes.count, &low, sizeof low);
  if (total < 64) {
    s->bytes.count += total / 8;
    s->partial = le64toh(low) >> (total & ~7u);
    s->partial_bits = total & 7;
  } else {
    s->bytes.count += 8;
    s->partial = carry ? word >> (64 - carry) : 0;
    s->partial_bits = total - 64;
  }
}

OCT_ALWAYS_INLINE void pack_item(oct_untimed *s, const oct_item *item) {
  oct_packet p;
  oct_output_step(&s->output, item, &s->ingress.barrier, &p);
  append_word(s, p.word[0], p.bits < 64 ? p.bits : 64);
  for (uint32_t at = 64; at < p.bits; at += 64)
    append_word(s, p.word[at / 64], p.bits - at < 64 ? p.bits - at : 64);
}

/* Pack items up to a barrier, whose item is returned: it is packed once both sides have come to it.
 */
static const oct_item *pack(oct_untimed *s, const oct_item *items, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    if (items[i].kind == OCT_ITEM_MARK && items[i].mark != OCT_MARK_TASK) return &items[i];
    pack_item(s, &items[i]);
  }
  return NULL;
}

/* Let the data side come to a barrier. */
static void pass_barrier(oct_untimed *s, uint8_t mark) {
  oct_item items[OCT_ITEMS_MAX];
  const oct_dt_word dt = {.kind = OCT_DATA_NONE, .mark = mark};
  if (mark == OCT_MARK_SYNC) oct_dasc_reset(&s->dasc);
  pack(s, items, oct_repetition_step(&s->repetition, &dt, items));
}

OCT_ALWAYS_INLINE void pass_stream(oct_untimed *s, const oct_stream_word *w) {
  oct_item items[OCT_ITEMS_MAX];
  oct_index_word r = {.sa = w->sa, .sl = w->sl, .task = w->task, .mark = w->mark};
  const oct_item *barrier;
  if (w->sl) r.index = oct_stream_cache_step(&s->stream_cache, w->sa, w->sl);
  if (w->mark == OCT_MARK_SYNC) oct_stream_cache_reset(&s->stream_cache);
  barrier = pack(s, items, oct_ntuple_step(&s->ntuple, &r, items));
  if (barrier) {
    pass_barrier(s, w->mark);
    pack_item(s, barrier);
    if (w->mark == OCT_MARK_SYNC) s->ingress.sync_busy = false;
  }
}

/* Pass an access of the instruction at hand, or its terminator. */
OCT_ALWAYS_INLINE void pass_record(oct_untimed *s, bool is_end, uint64_t da) {
  oct_item items[OCT_ITEMS_MAX];
  oct_data_word w;
  oct_dt_word dt = {.da = da, .mark = OCT_MARK_NONE};
  unsigned n;
  oct_ingress_take_data(&s->ingress, is_end, da, &w);
  dt.kind = w.kind;
  if (!is_end) dt.hit = oct_dasc_step(&s->dasc, w.pc, w.slot, da);
  n = oct_repetition_step(&s->repetition, &dt, items);
  for (unsigned i = 0; i < n; i++) pack_item(s, &items[i]);
}

static inline bool has_records(const oct_insn *insn) {
  return insn->n_access || (insn->flags & OCT_INSN_END);
}

/* Pass the accesses of an instruction, the first of them *accesses, which goes on. */
static int pass_records(oct_untimed *s, const oct_insn *insn, const oct_access **accesses) {
  if (oct_bytes_reserve(&s->bytes, EVENT_BYTES_MAX * (1 + (size_t)insn->n_access)))
    return OCT_ERR_NOMEM;
  oct_ingress_begin_data(&s->ingress, insn->addr);
  for (uint32_t k = 0; k < insn->n_access; k++) pass_record(s, false, (*accesses)++->addr);
  if (insn->flags & OCT_INSN_END) pass_record(s, true, 0);
  return 0;
}

/* Take the instructions, n at most, that have no mark before them. Their number is returned, or
 * OCT_ERR_NOMEM. */
static int64_t put_unmarked(oct_untimed *s, const oct_insn *insns, size_t n,
                            const oct_access **accesses) {
  oct_stream_detector detector = s->detector;
  uint64_t unmarked = oct_ingress_unmarked_insns(&s->ingress, s->cfg.sync_period_insns);
  uint32_t task = s->ingress.task;
  const oct_insn *insn = insns;
  const oct_insn *end = insns + (n < unmarked ? n : unmarked);
  for (; insn < end && insn->task == task; insn++) {
    oct_stream_word word;
    if (oct_stream_detector_step(&detector, true, insn->addr, insn->size_bytes, OCT_MARK_NONE, task,
                                 &word)) {
      if (oct_bytes_reserve(&s->bytes, EVENT_BYTES_MAX)) return OCT_ERR_NOMEM;
      pass_stream(s, &word);
    }
    if (has_records(insn) && pass_records(s, insn, accesses)) return OCT_ERR_NOMEM;
  }
  s->detector = detector;
  oct_ingress_count_insns(&s->ingress, (uint64_t)(insn - insns));
  return insn - insns;
}

static int put_marked(oct_untimed *s, const oct_insn *insn, const oct_access **accesses) {
  uint8_t mark = oct_ingress_mark(&s->ingress, insn->task, s->cfg.sync_period_insns);
  oct_stream_word word;
  if (oct_bytes_reserve(&s->bytes, 2 * EVENT_BYTES_MAX)) return OCT_ERR_NOMEM;
  oct_ingress_take_insn(&s->ingress, insn->addr, insn->task, mark);
  if (oct_stream_detector_step(&s->detector, true, insn->addr, insn->size_bytes, mark, insn->task,
                               &word))
    pass_stream(s, &word);
  return has_records(insn) ? pass_records(s, insn, accesses) : 0;
}

int oct_untimed_put(oct_untimed *s, const oct_insn *insns, size_t n_insns,
                    const oct_access *accesses) {
  for (size_t i = 0; i < n_insns;) {
    int64_t n = put_unmarked(s, insns + i, n_insns - i, &accesses);
    if (n < 0) return OCT_ERR_NOMEM;
    i += (size_t)n;
    if (i < n_insns && put_marked(s, &insns[i++], &accesses)) return OCT_ERR_NOMEM;
  }
  return 0;
}

int oct_untimed_flush(oct_untimed *s) {
  oct_stream_word word;
  if (oct_bytes_reserve(&s->bytes, 4 * EVENT_BYTES_MAX)) return OCT_ERR_NOMEM;
  if (oct_stream_detector_step(&s->detector, false, 0, 0, OCT_MARK_FLUSH, s->ingress.task, &word))
    pass_stream(s, &word);
  return 0;
}
