/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep.c - many geometries in one pass: which parts they share, and what each counted
 * (docs/sweep.md).
 *
 * Each part of the compressor depends on some parameters only. A geometry's configuration with all
 * others zero is the key of the part it needs; parts of equal keys are one. Chunks of instructions
 * pass front by front, then all parts behind each (oct_sweep_parts.c). The counters of a geometry
 * are those of its parts added up. Geometries whose syncs depend on their own port bits run alone.
 */
#include "oct_sweep.h"

#include <stdlib.h>

#include "oct_core.h"
#include "oct_sweep_parts.h"
#include "oct_untimed.h"

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
  for (oct_part *p = s->stacks; p && !error; p = p->next)
    error = oct_part_stack_pass((oct_part_stack *)p);
  for (oct_part *p = s->caches; p && !error; p = p->next)
    error = oct_part_cache_pass((oct_part_cache *)p);
  for (oct_part *p = s->tuples; p && !error; p = p->next) oct_part_tuple_pass((oct_part_tuple *)p);
  for (oct_part *p = s->dascs; p && !error; p = p->next)
    error = oct_part_dasc_pass((oct_part_dasc *)p);
  for (oct_part *p = s->reps; p && !error; p = p->next) oct_part_rep_pass((oct_part_rep *)p);
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
    oct_part_count_plain(&row->cfg, streams, hits, front->stats.task_switches, stats);
  } else {
    add_stats(stats, &row->cache->stats);
    add_stats(stats, &row->tuple->stats);
  }
  add_stats(stats, &row->dasc->stats);
  add_stats(stats, &row->rep->stats);
  oct_part_count_missed(&row->cfg, row->dasc->stats.paper_dt - row->dasc->stats.dasc_hits,
                        front->stats.terminators, stats);
  oct_part_count_barriers(&row->cfg, front->syncs, front->flushes, stats);
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
