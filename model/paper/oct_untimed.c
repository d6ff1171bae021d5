/* SPDX-License-Identifier: Apache-2.0 */
/* oct_untimed.c - the compressor without time.
 *
 * The steps of the stages are called one after the other for each word, and packets are packed at
 * once. The two sides meet at barriers: what the data side has made up to there is packed before
 * the barrier's own packet. */
#include "oct_untimed.h"

#include <endian.h>
#include <stdlib.h>

/* Most bytes that one event of the core interface can cause: a sync, an SCMT, a tuple, data items.
 */
#define EVENT_BYTES_MAX 256

int oct_untimed_init(oct_untimed *s, const oct_config *cfg) {
  memset(s, 0, sizeof *s);
  oct_front_init(&s->front, cfg, &s->stats);
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
  oct_buffer_free(&s->bytes);
}

/* Append n of at most 64 bits. Eight bytes are always written, those that are complete stay. */
OCT_INLINE void append_word(oct_untimed *s, uint64_t word, uint32_t n) {
  uint32_t carry = s->partial_bits;
  uint32_t total = carry + n;
  uint64_t low = htole64(s->partial | word << carry);
  memcpy(s->bytes.bytes + s->bytes.n_bytes, &low, sizeof low);
  if (total < 64) {
    s->bytes.n_bytes += total / 8;
    s->partial = le64toh(low) >> (total & ~7u);
    s->partial_bits = total & 7;
  } else {
    s->bytes.n_bytes += 8;
    s->partial = carry ? word >> (64 - carry) : 0;
    s->partial_bits = total - 64;
  }
}

OCT_INLINE void pack_packet(oct_untimed *s, const oct_item *item) {
  oct_output_packet p;
  oct_output_step(&s->output, item, &s->front.ingress.barrier, &p);
  oct_output_seal(&s->output, &p);
  append_word(s, p.word[0], p.bits < 64 ? p.bits : 64);
  for (uint32_t at = 64; at < p.bits; at += 64)
    append_word(s, p.word[at / 64], p.bits - at < 64 ? p.bits - at : 64);
}

OCT_INLINE void pack_item(oct_untimed *s, const oct_item *item) {
  static const oct_item check = {.kind = OCT_ITEM_MARK, .mark = OCT_MARK_CHECK};
  pack_packet(s, item);
  if (oct_output_check_due(&s->output)) pack_packet(s, &check);
  s->front.ingress.bits_due = oct_output_sync_due(&s->output);
}

/* Pack items up to a barrier, whose item is returned: it is packed once both sides have come to it.
 */
static const oct_item *pack(oct_untimed *s, const oct_item *items, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    if (items[i].kind == OCT_ITEM_MARK && oct_mark_is_barrier(items[i].mark)) return &items[i];
    pack_item(s, &items[i]);
  }
  return NULL;
}

/* Let the data side come to a barrier. */
static void pass_barrier(oct_untimed *s, uint8_t mark) {
  oct_item items[OCT_ITEMS_MAX];
  const oct_data_word w = {.kind = OCT_DATA_NONE, .mark = mark};
  const oct_dt_word dt = oct_dasc_take(&s->dasc, &w);
  pack(s, items, oct_repetition_step(&s->repetition, &dt, items));
}

/* Sink of the front (oct_front.h): a stream, and the barrier after it. */
static inline int take_stream(void *to, const oct_stream_word *w) {
  oct_untimed *s = to;
  oct_item items[OCT_ITEMS_MAX];
  const oct_item *barrier;
  oct_index_word r;
  if (!oct_buffer_room(&s->bytes, 4 * EVENT_BYTES_MAX)) return OCT_ERR_NOMEM;
  if (s->front.ingress.pace.is_on && w->sl) {
    const oct_item cycles = {.kind = OCT_ITEM_CYCLES, .value = (uint16_t)w->delay};
    pack_item(s, &cycles);
  }
  r = oct_stream_cache_take(&s->stream_cache, w);
  barrier = pack(s, items, oct_ntuple_step(&s->ntuple, &r, items));
  if (barrier) {
    pass_barrier(s, w->mark);
    pack_item(s, barrier);
  }
  return 0;
}

static inline int make_room(void *to, uint32_t n_records) {
  oct_untimed *s = to;
  return oct_buffer_room(&s->bytes, EVENT_BYTES_MAX * (size_t)n_records) ? 0 : OCT_ERR_NOMEM;
}

static inline void take_record(void *to, const oct_data_word *w) {
  oct_untimed *s = to;
  oct_item items[OCT_ITEMS_MAX];
  oct_dt_word dt = oct_dasc_take(&s->dasc, w);
  unsigned n = oct_repetition_step(&s->repetition, &dt, items);
  for (unsigned i = 0; i < n; i++) pack_item(s, &items[i]);
}

static const oct_front_sink sink = {take_stream, make_room, take_record};

int oct_untimed_put(oct_untimed *s, const oct_insn *insns, size_t n_insns,
                    const oct_access *accesses) {
  return oct_front_put(&s->front, insns, n_insns, accesses, &sink, s);
}

int oct_untimed_put_trap(oct_untimed *s, const oct_trap_word *trap, uint32_t task) {
  return oct_front_put_trap(&s->front, trap, task, &sink, s);
}

int oct_untimed_flush(oct_untimed *s) {
  return oct_front_flush(&s->front, &sink, s);
}
