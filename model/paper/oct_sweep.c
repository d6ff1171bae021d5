/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep.c - many geometries in one pass: which parts they share, and what each counted
 * (docs/sweep.md).
 *
 * Each part of the compressor depends on some parameters only. A geometry's configuration with all
 * others zero is the key of the part it needs; parts of equal keys are one. Chunks of instructions
 * pass front by front, then all parts behind each. The counters of a geometry are those of its
 * parts added up. Geometries whose syncs depend on their own port bits run alone.
 *
 * A front cuts the chunk into words, once; a stream cache gives their indices, an N-tuple stage
 * counts the items of these, a DASC gives a bit for each data word, a repetition FSM counts the
 * patterns of these bits. The steps are those of the stages. Packets are only counted, not made
 * into a stream; what depends on no state (misses, terminators, barriers) is counted by number at
 * the end. */
#include "oct_sweep.h"

#include <stdlib.h>

#include "oct_core.h"
#include "oct_dasc.h"
#include "oct_ntuple.h"
#include "oct_output.h"
#include "oct_repetition.h"
#include "oct_sweep_parts.h"
#include "oct_untimed.h"

/* ---- The parts ---- */

typedef struct oct_part_stack {
  oct_part part;
  const oct_part_front *front;
  uint32_t ways[OCT_SET_BITS_MAX + 1]; /* most that a geometry has, by log2 of its sets */
  oct_lru_stack stack;
} oct_part_stack;

typedef struct oct_part_tuple {
  oct_part part;
  const oct_part_cache *cache;
  oct_ntuple ntuple;
  oct_output output;
  oct_stats stats;
} oct_part_tuple;

typedef struct oct_part_dasc {
  oct_part part;
  const oct_part_front *front;
  oct_dasc dasc;
  oct_stats stats;
  uint64_t *hits; /* a bit for each of the chunk's data words */
  size_t hits_size;
} oct_part_dasc;

typedef struct oct_part_rep {
  oct_part part;
  const oct_part_dasc *dasc;
  oct_repetition repetition;
  oct_output output;
  oct_stats stats;
} oct_part_rep;

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

static int pass_stack(oct_part_stack *p) {
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

/* Account for items; barriers are left to count_barriers. */
OCT_INLINE void count_items(oct_output *output, const oct_item *items, unsigned n) {
  oct_output_packet packet;
  for (unsigned i = 0; i < n; i++)
    if (items[i].kind != OCT_ITEM_MARK || !oct_mark_is_barrier(items[i].mark))
      oct_output_step(output, &items[i], NULL, &packet);
}

static void pass_tuples(oct_part_tuple *p) {
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

static int pass_dasc(oct_part_dasc *p) {
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

/* What is missed makes its packet whatever the pattern: count_missed. */
static void pass_repetition(oct_part_rep *p) {
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

/* Without tuples the instruction side holds no state beyond its cache: what depends on no state is
 * accounted for by number, by what one of each makes. */
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

static void count_plain(const oct_config *cfg, uint64_t streams, uint64_t hits,
                        uint64_t task_switches, oct_stats *stats) {
  const oct_index_word hit = {.sl = 1, .index = 1}, miss = {.sl = 1};
  const oct_index_word task = {.mark = OCT_MARK_TASK};
  add_plain(cfg, &hit, hits, stats);
  add_plain(cfg, &miss, streams - hits, stats);
  add_plain(cfg, &task, task_switches, stats);
}

static void count_missed(const oct_config *cfg, uint64_t misses, uint64_t terminators,
                         oct_stats *stats) {
  const oct_dt_word missed = {.kind = OCT_DATA_ACCESS}, end = {.kind = OCT_DATA_END};
  oct_item item = {.kind = OCT_ITEM_MARK};
  oct_repetition_pass_missed(&missed, &item);
  add_items(cfg, &item, 1, misses, stats);
  oct_repetition_pass_missed(&end, &item);
  add_items(cfg, &item, 1, terminators, stats);
}

static void count_barriers(const oct_config *cfg, uint64_t syncs, uint64_t flushes,
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

/* ---- The sweep ---- */

typedef struct sweep_row {
  oct_config cfg;
  oct_part_front *front;
  oct_part_stack *stack; /* LRU without tuples; else NULL and */
  oct_part_cache *cache;
  oct_part_tuple *tuple;
  oct_part_dasc *dasc;
  oct_part_rep *rep;
  oct_untimed *own; /* syncs or checks by its own port bits: it shares nothing; else NULL */
} sweep_row;

struct oct_sweep {
  sweep_row *rows;
  size_t n_rows;
  oct_config widths; /* the narrowest of all geometries, which the events have to fit */
  uint64_t insn_count;
  oct_part *fronts, *stacks, *caches, *tuples, *dascs, *reps;
};

/* The part of this key in a list, or a new one of so many bytes at its end, when *is_new. NULL when
 * out of memory. */
static void *find_part(oct_part **list, const oct_config *key, size_t bytes, bool *is_new) {
  for (; *list; list = &(*list)->next) {
    *is_new = false;
    if (!memcmp(&(*list)->key, key, sizeof *key)) return *list;
  }
  *is_new = true;
  *list = calloc(1, bytes);
  if (*list) (*list)->key = *key;
  return *list;
}

static oct_config front_key(const oct_config *c) {
  return (oct_config){.sl_bits = c->sl_bits, .sync_period_insns = c->sync_period_insns};
}

static oct_config stack_key(const oct_config *c) {
  oct_config k = front_key(c);
  k.pc_align_bits = c->pc_align_bits;
  k.sc_index_fn = c->sc_index_fn;
  if (!oct_stream_cache_sets_nest(c)) k.sc_sets = c->sc_sets;
  return k;
}

static oct_config cache_key(const oct_config *c) {
  oct_config k = stack_key(c);
  k.addr_bits = c->addr_bits;
  k.sc_sets = c->sc_sets;
  k.sc_ways = c->sc_ways;
  k.sc_repl = c->sc_repl;
  return k;
}

static oct_config tuple_key(const oct_config *c) {
  oct_config k = cache_key(c);
  k.ntuple_n = c->ntuple_n;
  k.thb_depth = c->thb_depth;
  k.thb_update = c->thb_update;
  k.task_bits = c->task_bits;
  return k;
}

/* The data side does not see how streams are cut. */
static oct_config dasc_key(const oct_config *c) {
  return (oct_config){.sync_period_insns = c->sync_period_insns,
                      .addr_bits = c->addr_bits,
                      .pc_align_bits = c->pc_align_bits,
                      .dasc_entries = c->dasc_entries,
                      .dasc_ways = c->dasc_ways,
                      .stride_bits = c->stride_bits};
}

static oct_config rep_key(const oct_config *c) {
  oct_config k = dasc_key(c);
  k.rep_pattern_bits = c->rep_pattern_bits;
  k.rep_count_bits = c->rep_count_bits;
  return k;
}

static int find_front(oct_sweep *s, sweep_row *row) {
  const oct_config key = front_key(&row->cfg);
  bool is_new;
  row->front = find_part(&s->fronts, &key, sizeof *row->front, &is_new);
  if (!row->front) return OCT_ERR_NOMEM;
  if (is_new) oct_front_init(&row->front->front, &row->cfg, &row->front->stats);
  return 0;
}

static int find_stack(oct_sweep *s, sweep_row *row) {
  const oct_config key = stack_key(&row->cfg);
  bool is_new;
  row->stack = find_part(&s->stacks, &key, sizeof *row->stack, &is_new);
  if (!row->stack) return OCT_ERR_NOMEM;
  row->stack->front = row->front;
  uint32_t *ways = &row->stack->ways[oct_log2(row->cfg.sc_sets)];
  if (*ways < row->cfg.sc_ways) *ways = row->cfg.sc_ways;
  if (row->front->wants_ids) return 0;
  row->front->wants_ids = true;
  return oct_stream_ids_init(&row->front->ids);
}

static int find_cache(oct_sweep *s, sweep_row *row) {
  const oct_config key = cache_key(&row->cfg), key_of_tuple = tuple_key(&row->cfg);
  bool is_new;
  row->cache = find_part(&s->caches, &key, sizeof *row->cache, &is_new);
  if (!row->cache) return OCT_ERR_NOMEM;
  row->cache->front = row->front;
  if (is_new && oct_stream_cache_init(&row->cache->cache, &row->cfg, &row->cache->stats))
    return OCT_ERR_NOMEM;
  row->tuple = find_part(&s->tuples, &key_of_tuple, sizeof *row->tuple, &is_new);
  if (!row->tuple) return OCT_ERR_NOMEM;
  row->tuple->cache = row->cache;
  if (is_new) oct_output_init(&row->tuple->output, &row->cfg, &row->tuple->stats);
  return is_new ? oct_ntuple_init(&row->tuple->ntuple, &row->cfg, &row->tuple->stats) : 0;
}

static int find_data_side(oct_sweep *s, sweep_row *row) {
  const oct_config key = dasc_key(&row->cfg), key_of_rep = rep_key(&row->cfg);
  bool is_new;
  row->dasc = find_part(&s->dascs, &key, sizeof *row->dasc, &is_new);
  if (!row->dasc) return OCT_ERR_NOMEM;
  if (is_new) {
    row->dasc->front = row->front;
    row->front->wants_data = true;
    if (oct_dasc_init(&row->dasc->dasc, &row->cfg, &row->dasc->stats)) return OCT_ERR_NOMEM;
  }
  row->rep = find_part(&s->reps, &key_of_rep, sizeof *row->rep, &is_new);
  if (!row->rep) return OCT_ERR_NOMEM;
  row->rep->dasc = row->dasc;
  if (is_new) {
    oct_repetition_init(&row->rep->repetition, &row->cfg, &row->rep->stats);
    oct_output_init(&row->rep->output, &row->cfg, &row->rep->stats);
  }
  return 0;
}

/* Where its syncs stand depends on all of such a row. */
static int make_own(sweep_row *row) {
  row->own = calloc(1, sizeof *row->own);
  if (!row->own) return OCT_ERR_NOMEM;
  int error = oct_untimed_init(row->own, &row->cfg);
  if (error) {
    free(row->own);
    row->own = NULL;
  }
  return error;
}

static int add_row(oct_sweep *s, const oct_config *cfg) {
  sweep_row *row = &s->rows[s->n_rows++];
  bool hits_only = cfg->sc_repl == OCT_REPL_LRU && cfg->ntuple_n == 0;
  int error;
  row->cfg = *cfg;
  if (cfg->sync_period_bits || cfg->check_period_bits) return make_own(row);
  error = find_front(s, row);
  if (!error) error = hits_only ? find_stack(s, row) : find_cache(s, row);
  return error ? error : find_data_side(s, row);
}

static uint32_t min_u32(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static void narrow(oct_config *widths, const oct_config *cfg) {
  widths->addr_bits = min_u32(widths->addr_bits, cfg->addr_bits);
  widths->task_bits = min_u32(widths->task_bits, cfg->task_bits);
  if (widths->pc_align_bits < cfg->pc_align_bits) widths->pc_align_bits = cfg->pc_align_bits;
}

int oct_sweep_new(const oct_config *cfgs, size_t n, oct_sweep **out, oct_diag *diag) {
  oct_sweep *s;
  int error = 0;
  *out = NULL;
  if (!n) return oct_fail(diag, OCT_ERR_ARG, "sweep: expected at least one geometry");
  for (size_t i = 0; i < n; i++)
    if ((error = oct_config_check(&cfgs[i], diag))) return error;
  s = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->rows = calloc(n, sizeof *s->rows);
  if (!s->rows) error = OCT_ERR_NOMEM;
  s->widths = cfgs[0];
  for (size_t i = 0; i < n && !error; i++) {
    narrow(&s->widths, &cfgs[i]);
    error = add_row(s, &cfgs[i]);
  }
  for (oct_part *p = s->stacks; p && !error; p = p->next) {
    oct_part_stack *k = (oct_part_stack *)p;
    error = oct_lru_stack_init(&k->stack, &p->key, k->ways);
  }
  if (error) {
    oct_sweep_free(s);
    return oct_fail(diag, error, "out of memory");
  }
  *out = s;
  return 0;
}

static void free_parts(oct_part *list) {
  while (list) {
    oct_part *next = list->next;
    free(list);
    list = next;
  }
}

void oct_sweep_free(oct_sweep *s) {
  if (!s) return;
  for (oct_part *p = s->fronts; p; p = p->next) oct_part_front_free((oct_part_front *)p);
  for (oct_part *p = s->stacks; p; p = p->next) oct_lru_stack_free(&((oct_part_stack *)p)->stack);
  for (oct_part *p = s->caches; p; p = p->next) oct_part_cache_free((oct_part_cache *)p);
  for (oct_part *p = s->tuples; p; p = p->next) oct_ntuple_free(&((oct_part_tuple *)p)->ntuple);
  for (oct_part *p = s->dascs; p; p = p->next) {
    oct_dasc_free(&((oct_part_dasc *)p)->dasc);
    free(((oct_part_dasc *)p)->hits);
  }
  for (size_t i = 0; i < s->n_rows; i++) {
    if (s->rows[i].own) oct_untimed_free(s->rows[i].own);
    free(s->rows[i].own);
  }
  free_parts(s->fronts);
  free_parts(s->stacks);
  free_parts(s->caches);
  free_parts(s->tuples);
  free_parts(s->dascs);
  free_parts(s->reps);
  free(s->rows);
  free(s);
}

/* All parts behind the fronts, over the words of the chunk. */
static int pass_all(oct_sweep *s) {
  int error = 0;
  for (oct_part *p = s->stacks; p && !error; p = p->next) error = pass_stack((oct_part_stack *)p);
  for (oct_part *p = s->caches; p && !error; p = p->next)
    error = oct_part_cache_pass((oct_part_cache *)p);
  for (oct_part *p = s->tuples; p && !error; p = p->next) pass_tuples((oct_part_tuple *)p);
  for (oct_part *p = s->dascs; p && !error; p = p->next) error = pass_dasc((oct_part_dasc *)p);
  for (oct_part *p = s->reps; p && !error; p = p->next) pass_repetition((oct_part_rep *)p);
  return error;
}

int oct_sweep_put(oct_sweep *s, const oct_insn *insns, size_t n_insns, const oct_access *accesses,
                  oct_diag *diag) {
  oct_core_widths widths = {s->widths.addr_bits, s->widths.pc_align_bits, s->widths.task_bits};
  while (n_insns) {
    size_t n = n_insns < OCT_SWEEP_CHUNK_INSNS ? n_insns : OCT_SWEEP_CHUNK_INSNS;
    int64_t n_accesses = oct_core_check(widths, insns, n, accesses, s->insn_count, diag);
    if (n_accesses < 0) return (int)n_accesses;
    int error = 0;
    for (oct_part *p = s->fronts; p && !error; p = p->next)
      error = oct_part_front_put((oct_part_front *)p, insns, n, accesses, (size_t)n_accesses);
    if (!error) error = pass_all(s);
    for (size_t i = 0; i < s->n_rows && !error; i++) {
      if (!s->rows[i].own) continue;
      error = oct_untimed_put(s->rows[i].own, insns, n, accesses);
      s->rows[i].own->bytes.n_bytes = 0;
    }
    if (error) return oct_fail(diag, error, "out of memory");
    s->insn_count += n;
    insns += n;
    accesses += n_accesses;
    n_insns -= n;
  }
  return 0;
}

int oct_sweep_flush(oct_sweep *s, oct_diag *diag) {
  int error = 0;
  for (oct_part *p = s->fronts; p && !error; p = p->next)
    error = oct_part_front_flush((oct_part_front *)p);
  if (!error) error = pass_all(s);
  for (size_t i = 0; i < s->n_rows && !error; i++)
    if (s->rows[i].own) error = oct_untimed_flush(s->rows[i].own);
  return error ? oct_fail(diag, error, "out of memory") : 0;
}

static void add_stats(oct_stats *to, const oct_stats *from) {
  to->streams += from->streams;
  to->sc_hits += from->sc_hits;
  to->tuples += from->tuples;
  to->tuple_hits += from->tuple_hits;
  to->dasc_hits += from->dasc_hits;
  to->paper_scit += from->paper_scit;
  to->paper_scmt += from->paper_scmt;
  to->paper_tuple_hit += from->paper_tuple_hit;
  to->paper_tuple_miss += from->paper_tuple_miss;
  to->paper_dt += from->paper_dt;
  to->paper_dmt += from->paper_dmt;
  for (unsigned i = 0; i < OCT_LOGICAL_COUNT; i++) to->port[i] += from->port[i];
}

void oct_sweep_stats(const oct_sweep *s, size_t i, oct_stats *stats) {
  const sweep_row *row = &s->rows[i];
  const oct_part_front *front = row->front;
  if (row->own) {
    *stats = row->own->stats;
    return;
  }
  *stats = front->stats;
  if (row->stack) {
    const oct_lru_stack *k = &row->stack->stack;
    uint64_t streams = front->streams;
    uint64_t hits = oct_lru_stack_hits(k, row->cfg.sc_sets, row->cfg.sc_ways);
    oct_widths w;
    oct_stream_cache cache = {.cfg = row->cfg, .stats = stats};
    oct_config_widths(&row->cfg, &w);
    cache.index_bits = w.index_bits;
    oct_stream_cache_account(&cache, streams, hits);
    count_plain(&row->cfg, streams, hits, front->stats.task_switches, stats);
  } else {
    add_stats(stats, &row->cache->stats);
    add_stats(stats, &row->tuple->stats);
  }
  add_stats(stats, &row->dasc->stats);
  add_stats(stats, &row->rep->stats);
  count_missed(&row->cfg, row->dasc->stats.paper_dt - row->dasc->stats.dasc_hits,
               front->stats.terminators, stats);
  count_barriers(&row->cfg, front->syncs, front->flushes, stats);
}

static unsigned count(const oct_part *list) {
  unsigned n = 0;
  for (; list; list = list->next) n++;
  return n;
}

void oct_sweep_get_parts(const oct_sweep *s, oct_sweep_parts *parts) {
  *parts = (oct_sweep_parts){.fronts = count(s->fronts),
                             .stacks = count(s->stacks),
                             .caches = count(s->caches),
                             .tuples = count(s->tuples),
                             .dascs = count(s->dascs),
                             .repetitions = count(s->reps)};
}
