/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_parts.c - passes of the shared parts of a sweep over the words of a chunk.
 *
 * A front cuts the chunk into words, once; a stream cache gives their indices, an N-tuple stage
 * counts the items of these, a DASC gives a bit for each data word, a repetition FSM counts the
 * patterns of these bits. The steps are those of the stages. Packets are only counted, not made
 * into a stream; what depends on no state (misses, terminators, barriers) is counted by number at
 * the end. */
#include "oct_sweep_parts.h"

#include <stdlib.h>

/* Room for n elements; what the array held is not kept. */
static int reserve(void *array, size_t *size, size_t n, size_t element) {
  void **p = array;
  if (n <= *size) return 0;
  free(*p);
  *p = malloc(n * element);
  *size = *p ? n : 0;
  return *p ? 0 : OCT_ERR_NOMEM;
}

static inline int take_stream(void *to, const oct_stream_word *w) {
  oct_part_front *p = to;
  p->words[p->n_words++] = *w;
  p->streams += w->sl != 0;
  if (p->wants_ids && w->sl) {
    int64_t number = oct_stream_ids_get(&p->ids, w->sa, w->sl);
    if (number < 0) return OCT_ERR_NOMEM;
    p->numbers[p->n_numbers++] = (uint32_t)number;
  }
  if (w->mark == OCT_MARK_SYNC || w->mark == OCT_MARK_FLUSH) {
    p->marks[p->n_marks++] =
        (oct_part_mark){.streams = p->n_numbers, .data = p->n_data, .mark = w->mark};
    p->syncs += w->mark == OCT_MARK_SYNC;
    p->flushes += w->mark == OCT_MARK_FLUSH;
  }
  return 0;
}

static inline int have_room(void *to, uint32_t n_records) {
  (void)to;
  (void)n_records;
  return 0; /* begin_chunk made it */
}

static inline void take_record(void *to, const oct_data_word *w) {
  oct_part_front *p = to;
  if (!p->wants_data) return;
  p->data[p->n_data++] = *w;
  p->n_terminators += w->kind == OCT_DATA_END;
}

static const oct_front_sink sink = {take_stream, have_room, take_record};

/* An instruction brings one stream with its mark, and a terminator beside its accesses, at most. */
static int begin_chunk(oct_part_front *p, size_t n_insns, size_t n_accesses) {
  p->n_words = p->n_numbers = p->n_data = p->n_marks = p->n_terminators = 0;
  if (reserve(&p->words, &p->words_size, n_insns, sizeof *p->words) ||
      reserve(&p->numbers, &p->numbers_size, n_insns, sizeof *p->numbers) ||
      reserve(&p->data, &p->data_size, n_accesses + n_insns, sizeof *p->data))
    return OCT_ERR_NOMEM;
  return reserve(&p->marks, &p->marks_size, n_insns, sizeof *p->marks);
}

OCT_NO_INLINE int oct_part_front_put(oct_part_front *p, const oct_insn *insns, size_t n_insns,
                                     const oct_access *accesses, size_t n_accesses) {
  if (begin_chunk(p, n_insns, n_accesses)) return OCT_ERR_NOMEM;
  return oct_front_put(&p->front, insns, n_insns, accesses, &sink, p);
}

int oct_part_front_flush(oct_part_front *p) {
  if (begin_chunk(p, 1, 0)) return OCT_ERR_NOMEM;
  return oct_front_flush(&p->front, &sink, p);
}

void oct_part_front_free(oct_part_front *p) {
  oct_stream_ids_free(&p->ids);
  free(p->words);
  free(p->numbers);
  free(p->data);
  free(p->marks);
}

void oct_part_cache_free(oct_part_cache *p) {
  oct_stream_cache_free(&p->cache);
  free(p->index);
}

int oct_part_stack_pass(oct_part_stack *p) {
  const oct_part_front *f = p->front;
  size_t from = 0;
  int error = 0;
  for (size_t m = 0; m <= f->n_marks && !error; m++) {
    bool last = m == f->n_marks;
    size_t to = last ? f->n_numbers : f->marks[m].streams;
    error = oct_lru_stack_put(&p->stack, &f->ids, f->numbers + from, to - from);
    if (!last && f->marks[m].mark == OCT_MARK_SYNC) oct_lru_stack_reset(&p->stack);
    from = to;
  }
  return error;
}

OCT_NO_INLINE int oct_part_cache_pass(oct_part_cache *p) {
  const oct_part_front *f = p->front;
  if (reserve(&p->index, &p->index_size, f->n_words, sizeof *p->index)) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < f->n_words; i++)
    p->index[i] = (uint16_t)oct_stream_cache_take(&p->cache, &f->words[i]).index;
  return 0;
}

/* Account for items; barriers are left to oct_part_count_barriers. */
OCT_INLINE void count_items(oct_output *output, const oct_item *items, unsigned n) {
  oct_output_packet packet;
  for (unsigned i = 0; i < n; i++)
    if (items[i].kind != OCT_ITEM_MARK || !oct_mark_is_barrier(items[i].mark))
      oct_output_step(output, &items[i], NULL, &packet);
}

void oct_part_tuple_pass(oct_part_tuple *p) {
  const oct_part_front *f = p->cache->front;
  oct_item items[OCT_ITEMS_MAX];
  for (size_t i = 0; i < f->n_words; i++) {
    const oct_stream_word *w = &f->words[i];
    const oct_index_word r = {
        .sa = w->sa, .sl = w->sl, .index = p->cache->index[i], .task = w->task, .mark = w->mark};
    count_items(&p->output, items, oct_ntuple_step(&p->ntuple, &r, items));
  }
}

/* Look up the data words [from, to) and note their hits. tagged and widths are those of the DASC;
 * as constants they make a loop of their own. */
OCT_INLINE uint64_t look_up(oct_dasc *dasc, bool tagged, oct_dasc_widths widths,
                            const oct_data_word *data, size_t from, size_t to, uint64_t *hits) {
  uint64_t n_hits = 0;
  while (from < to) {
    size_t word = from / 64, end = to < 64 * (word + 1) ? to : 64 * (word + 1);
    uint64_t bits = 0;
    for (; from < end; from++) {
      const oct_data_word *w = &data[from];
      bool hit = false;
      if (w->kind == OCT_DATA_ACCESS)
        hit = tagged ? oct_dasc_step_tagged(dasc, w->pc, w->slot, w->da)
                     : oct_dasc_step_tagless(dasc, widths, w->pc, w->slot, w->da);
      bits |= (uint64_t)hit << from % 64;
    }
    hits[word] |= bits;
    n_hits += (unsigned)__builtin_popcountll(bits);
  }
  return n_hits;
}

static uint64_t look_up_run(oct_part_dasc *p, size_t from, size_t to) {
  static const oct_dasc_widths papers = {.addr_bits = 32, .pc_align_bits = 2, .stride_bits = 8};
  const oct_data_word *data = p->front->data;
  oct_dasc_widths widths = oct_dasc_widths_of(&p->dasc.cfg);
  if (!p->dasc.pairs) return look_up(&p->dasc, true, widths, data, from, to, p->hits);
  oct_dasc tagless = p->dasc; /* nothing that is written can alias a local: it stays in registers */
  if (!memcmp(&widths, &papers, sizeof widths))
    return look_up(&tagless, false, papers, data, from, to, p->hits);
  return look_up(&tagless, false, widths, data, from, to, p->hits);
}

int oct_part_dasc_pass(oct_part_dasc *p) {
  const oct_part_front *f = p->front;
  size_t words = f->n_data / 64 + 2, from = 0; /* one more than bits need, for take_bits */
  uint64_t hits = 0;
  if (reserve(&p->hits, &p->hits_size, words, sizeof *p->hits)) return OCT_ERR_NOMEM;
  memset(p->hits, 0, words * sizeof *p->hits);
  for (size_t m = 0; m <= f->n_marks; m++) {
    bool last = m == f->n_marks;
    size_t to = last ? f->n_data : f->marks[m].data;
    hits += look_up_run(p, from, to);
    if (!last && f->marks[m].mark == OCT_MARK_SYNC) oct_dasc_reset(&p->dasc);
    from = to;
  }
  oct_dasc_account(&p->dasc, f->n_data - f->n_terminators, hits);
  return 0;
}

/* The n bits, 32 at most, from bit number at on. */
static inline uint32_t take_bits(const uint64_t *bits, size_t at, uint32_t n) {
  uint64_t low = bits[at / 64] >> at % 64;
  uint64_t high = at % 64 ? bits[at / 64 + 1] << (64 - at % 64) : 0;
  return (uint32_t)((low | high) & oct_mask(n));
}

/* What is missed makes its packet whatever the pattern: oct_part_count_missed. */
void oct_part_rep_pass(oct_part_rep *p) {
  const oct_part_front *f = p->dasc->front;
  oct_repetition *r = &p->repetition;
  oct_item items[OCT_ITEMS_MAX];
  size_t at = 0;
  for (size_t m = 0; m <= f->n_marks; m++) {
    bool last = m == f->n_marks;
    size_t to = last ? f->n_data : f->marks[m].data;
    while (at < to) {
      uint32_t n = r->cfg.rep_pattern_bits - r->bit_count;
      if (n > to - at) n = (uint32_t)(to - at);
      if (oct_repetition_add(r, take_bits(p->dasc->hits, at, n), n))
        count_items(&p->output, items, oct_repetition_take_pattern(r, items));
      at += n;
    }
    if (!last) count_items(&p->output, items, oct_repetition_take_mark(r, f->marks[m].mark, items));
  }
}

static void add_port(oct_stats *stats, const oct_stats *one, uint64_t n) {
  for (unsigned i = 0; i < OCT_LOGICAL_COUNT; i++) stats->port[i] += n * one->port[i];
}

/* Account n times for the packets of the items. */
static void add_items(const oct_config *cfg, const oct_item *items, unsigned n_items, uint64_t n,
                      oct_stats *stats) {
  oct_stats one = {.insns = 0};
  oct_output output;
  oct_output_init(&output, cfg, &one);
  count_items(&output, items, n_items);
  add_port(stats, &one, n);
}

static void add_plain(const oct_config *cfg, const oct_index_word *word, uint64_t n,
                      oct_stats *stats) {
  oct_item items[OCT_ITEMS_MAX];
  unsigned n_items = oct_ntuple_step_plain(word, items);
  add_items(cfg, items, n_items, n, stats);
}

void oct_part_count_plain(const oct_config *cfg, uint64_t streams, uint64_t hits,
                          uint64_t task_switches, oct_stats *stats) {
  const oct_index_word hit = {.sl = 1, .index = 1}, miss = {.sl = 1};
  const oct_index_word task = {.mark = OCT_MARK_TASK};
  add_plain(cfg, &hit, hits, stats);
  add_plain(cfg, &miss, streams - hits, stats);
  add_plain(cfg, &task, task_switches, stats);
}

void oct_part_count_missed(const oct_config *cfg, uint64_t misses, uint64_t terminators,
                           oct_stats *stats) {
  const oct_dt_word missed = {.kind = OCT_DATA_ACCESS}, end = {.kind = OCT_DATA_END};
  oct_item item = {.kind = OCT_ITEM_MARK};
  oct_repetition_pass_missed(&missed, &item);
  add_items(cfg, &item, 1, misses, stats);
  oct_repetition_pass_missed(&end, &item);
  add_items(cfg, &item, 1, terminators, stats);
}

void oct_part_count_barriers(const oct_config *cfg, uint64_t syncs, uint64_t flushes,
                             oct_stats *stats) {
  const oct_item sync = {.kind = OCT_ITEM_MARK, .mark = OCT_MARK_SYNC};
  const oct_item flush = {.kind = OCT_ITEM_MARK, .mark = OCT_MARK_FLUSH};
  const oct_barrier barrier = {.sync_insn = 0};
  oct_stats one = {.insns = 0};
  oct_output output;
  oct_output_packet packet;
  oct_output_init(&output, cfg, &one);
  oct_output_step(&output, &sync, &barrier, &packet);
  add_port(stats, &one, syncs);
  stats->syncs += syncs;
  if (!flushes) return;
  output.bit_count = oct_stats_port_bits(stats);
  memset(&one, 0, sizeof one);
  oct_output_step(&output, &flush, &barrier, &packet);
  add_port(stats, &one, 1);
}
