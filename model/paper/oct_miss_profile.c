/* SPDX-License-Identifier: Apache-2.0 */
/* oct_miss_profile.c - which streams miss: a front and a stream cache as a sweep has them.
 *
 * Streams are numbered as they first appear; the pass over a chunk counts executions and misses by
 * number. The answer is the list sorted by misses. */
#include "oct_miss_profile.h"

#include <stdlib.h>

#include "oct_sweep_parts.h"

struct oct_miss_profile {
  oct_part_front front;
  oct_part_cache cache;
  oct_missed_stream *streams; /* by number */
  size_t n, size;
};

int oct_miss_profile_new(const oct_config *cfg, oct_miss_profile **out) {
  oct_miss_profile *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s) return OCT_ERR_NOMEM;
  oct_front_init(&s->front.front, cfg, &s->front.stats);
  s->front.wants_ids = true;
  s->cache.front = &s->front;
  if (oct_stream_ids_init(&s->front.ids) ||
      oct_stream_cache_init(&s->cache.cache, cfg, &s->cache.stats)) {
    oct_miss_profile_free(s);
    return OCT_ERR_NOMEM;
  }
  *out = s;
  return 0;
}

void oct_miss_profile_free(oct_miss_profile *s) {
  if (!s) return;
  oct_part_front_free(&s->front);
  oct_part_cache_free(&s->cache);
  free(s->streams);
  free(s);
}

static int know_streams(oct_miss_profile *s) {
  const oct_stream_ids *ids = &s->front.ids;
  if (ids->count > s->size) {
    oct_missed_stream *grown = realloc(s->streams, ids->size * sizeof *grown);
    if (!grown) return OCT_ERR_NOMEM;
    s->streams = grown;
    s->size = ids->size;
  }
  for (; s->n < ids->count; s->n++)
    s->streams[s->n] =
        (oct_missed_stream){.addr = ids->streams[s->n].sa, .insns = ids->streams[s->n].sl};
  return 0;
}

static int pass(oct_miss_profile *s) {
  const oct_part_front *f = &s->front;
  size_t number = 0;
  if (know_streams(s) || oct_part_cache_pass(&s->cache)) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < f->n_words; i++) {
    if (!f->words[i].sl) continue;
    oct_missed_stream *m = &s->streams[f->numbers[number++]];
    m->executions++;
    m->misses += s->cache.index[i] == 0;
  }
  return 0;
}

int oct_miss_profile_put(oct_miss_profile *s, const oct_insn *insns, size_t n_insns,
                         const oct_access *accesses) {
  int error = 0;
  while (n_insns && !error) {
    size_t n = n_insns < OCT_SWEEP_CHUNK_INSNS ? n_insns : OCT_SWEEP_CHUNK_INSNS, n_accesses = 0;
    for (size_t i = 0; i < n; i++) n_accesses += insns[i].n_access;
    error = oct_part_front_put(&s->front, insns, n, accesses, n_accesses);
    if (!error) error = pass(s);
    accesses += n_accesses;
    insns += n;
    n_insns -= n;
  }
  return error;
}

int oct_miss_profile_flush(oct_miss_profile *s) {
  int error = oct_part_front_flush(&s->front);
  return error ? error : pass(s);
}

size_t oct_miss_profile_count(const oct_miss_profile *s) {
  return s->n;
}

static int compare(const void *a, const void *b) {
  const oct_missed_stream *x = a, *y = b;
  if (x->misses != y->misses) return x->misses < y->misses ? 1 : -1;
  if (x->addr != y->addr) return x->addr < y->addr ? -1 : 1;
  return x->insns < y->insns ? -1 : x->insns > y->insns;
}

int64_t oct_miss_profile_top(const oct_miss_profile *s, oct_missed_stream *top, size_t n) {
  oct_missed_stream *all = malloc((s->n + 1) * sizeof *all);
  if (!all) return OCT_ERR_NOMEM;
  if (s->n) memcpy(all, s->streams, s->n * sizeof *all);
  qsort(all, s->n, sizeof *all, compare);
  if (n > s->n) n = s->n;
  if (n) memcpy(top, all, n * sizeof *all);
  free(all);
  return (int64_t)n;
}
