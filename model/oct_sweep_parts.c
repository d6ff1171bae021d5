/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_parts.c - passes of the shared parts of a sweep over the words of a chunk. */
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
  if (p->wants_ids && w->sl) {
    int64_t id = oct_stream_ids_get(&p->ids, w->sa, w->sl);
    if (id < 0) return OCT_ERR_NOMEM;
    p->word_ids[p->n_words] = (uint32_t)id;
  }
  p->words[p->n_words++] = *w;
  if (w->mark == OCT_MARK_SYNC || w->mark == OCT_MARK_FLUSH) {
    if (p->wants_data) p->data[p->n_data++] = (oct_data_word){.mark = w->mark};
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
  if (p->wants_data) p->data[p->n_data++] = *w;
}

static const oct_front_sink sink = {take_stream, have_room, take_record};

/* An instruction pushes a stream, a mark and a terminator at most, beside its accesses. */
static int begin_chunk(oct_part_front *p, size_t n_insns, size_t n_accesses) {
  size_t had = p->words_size;
  p->n_words = 0;
  p->n_data = 0;
  if (reserve(&p->words, &p->words_size, n_insns + 1, sizeof *p->words)) return OCT_ERR_NOMEM;
  if (p->words_size != had || !p->word_ids) {
    free(p->word_ids);
    p->word_ids = malloc(p->words_size * sizeof *p->word_ids);
    if (!p->word_ids) return OCT_ERR_NOMEM;
  }
  return reserve(&p->data, &p->data_size, n_accesses + 2 * n_insns + 1, sizeof *p->data);
}

int oct_part_front_put(oct_part_front *p, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses) {
  size_t n_accesses = 0;
  for (size_t i = 0; i < n_insns; i++) n_accesses += insns[i].n_access;
  if (begin_chunk(p, n_insns, n_accesses)) return OCT_ERR_NOMEM;
  return oct_front_put(&p->front, insns, n_insns, accesses, &sink, p);
}

int oct_part_front_flush(oct_part_front *p) {
  if (begin_chunk(p, 1, 0)) return OCT_ERR_NOMEM;
  return oct_front_flush(&p->front, &sink, p);
}

int oct_part_cache_pass(oct_part_cache *p) {
  const oct_part_front *f = p->front;
  if (reserve(&p->index, &p->index_size, f->n_words, sizeof *p->index)) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < f->n_words; i++)
    p->index[i] = (uint16_t)oct_stream_cache_take(&p->cache, &f->words[i]).index;
  return 0;
}

/* Account for items; barriers are left to oct_part_count_barriers. */
OCT_ALWAYS_INLINE void count_items(oct_output *output, const oct_item *items, unsigned n) {
  oct_packet packet;
  for (unsigned i = 0; i < n; i++)
    if (items[i].kind != OCT_ITEM_MARK || items[i].mark == OCT_MARK_TASK)
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

int oct_part_dasc_pass(oct_part_dasc *p) {
  const oct_part_front *f = p->front;
  if (reserve(&p->hit, &p->hit_size, f->n_data, sizeof *p->hit)) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < f->n_data; i++) p->hit[i] = oct_dasc_take(&p->dasc, &f->data[i]).hit;
  return 0;
}

void oct_part_rep_pass(oct_part_rep *p) {
  const oct_part_front *f = p->dasc->front;
  oct_item items[OCT_ITEMS_MAX];
  for (size_t i = 0; i < f->n_data; i++) {
    const oct_data_word *w = &f->data[i];
    const oct_dt_word dt = {.da = w->da, .kind = w->kind, .hit = p->dasc->hit[i], .mark = w->mark};
    count_items(&p->output, items, oct_repetition_step(&p->repetition, &dt, items));
  }
}

static void add_port(oct_stats *stats, const oct_stats *one, uint64_t n) {
  for (unsigned i = 0; i < OCT_LOGICAL_COUNT; i++) stats->port[i] += n * one->port[i];
}

/* What one word makes behind the stream cache. */
static void add_plain(const oct_config *cfg, const oct_index_word *word, uint64_t n,
                      oct_stats *stats) {
  oct_stats one = {.insns = 0};
  oct_ntuple ntuple = {.cfg = *cfg, .stats = &one}; /* its tables are not used without tuples */
  oct_output output;
  oct_item items[OCT_ITEMS_MAX];
  oct_output_init(&output, cfg, &one);
  count_items(&output, items, oct_ntuple_step(&ntuple, word, items));
  add_port(stats, &one, n);
}

void oct_part_count_plain(const oct_config *cfg, uint64_t streams, uint64_t hits,
                          uint64_t task_switches, oct_stats *stats) {
  const oct_index_word hit = {.sl = 1, .index = 1}, miss = {.sl = 1};
  const oct_index_word task = {.mark = OCT_MARK_TASK};
  add_plain(cfg, &hit, hits, stats);
  add_plain(cfg, &miss, streams - hits, stats);
  add_plain(cfg, &task, task_switches, stats);
}

void oct_part_count_barriers(const oct_config *cfg, uint64_t syncs, uint64_t flushes,
                             oct_stats *stats) {
  const oct_item sync = {.kind = OCT_ITEM_MARK, .mark = OCT_MARK_SYNC};
  const oct_item flush = {.kind = OCT_ITEM_MARK, .mark = OCT_MARK_FLUSH};
  const oct_barrier barrier = {.sync_insn = 0};
  oct_stats one = {.insns = 0};
  oct_output output;
  oct_packet packet;
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
