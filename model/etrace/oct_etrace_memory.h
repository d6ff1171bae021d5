/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_memory.h - what an E-Trace encoder and its decoder both hold, and change alike: the
 * return stack, the branch predictor and the jump target cache.
 *
 * The return stack has max_depth entries; a call over it pushes the oldest out. Each entry counts
 * up to max_count further calls that return to the same place. A call counter alone
 * (return_stack_bits = 0) is a stack of as many entries as it counts, of which hardware keeps the
 * number only. The predictor has two bits an entry: what it predicts, and the last outcome, which
 * becomes the prediction when it comes twice. */
#ifndef OCT_ETRACE_MEMORY_H
#define OCT_ETRACE_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "oct_etrace.h"

enum { OCT_ET_FRAMES = 1024 };

typedef struct oct_et_memory {
  uint64_t link[OCT_ET_FRAMES];  /* a ring; the newest is at top */
  uint16_t count[OCT_ET_FRAMES]; /* further calls with the same link */
  uint32_t top, n;
  uint32_t depth; /* calls in all */
  uint8_t *predictor;
  uint64_t *cache;
  bool *cached; /* whether the entry of the cache holds something */
} oct_et_memory;

/* As after a sync. */
static inline void oct_et_memory_reset(oct_et_memory *m, const oct_et_config *c) {
  m->n = m->depth = 0;
  if (c->p.predictor_bits) memset(m->predictor, 1, (size_t)1 << c->p.predictor_bits);
  if (c->p.jump_cache_bits)
    memset(m->cached, 0, ((size_t)1 << c->p.jump_cache_bits) * sizeof(bool));
}

/* 0 or OCT_ERR_NOMEM; to be freed in any case. */
static inline int oct_et_memory_init(oct_et_memory *m, const oct_et_config *c) {
  size_t entries = (size_t)1 << c->p.jump_cache_bits;
  memset(m, 0, sizeof *m);
  m->predictor = (uint8_t *)malloc((size_t)1 << c->p.predictor_bits);
  m->cache = (uint64_t *)calloc(entries, sizeof *m->cache);
  m->cached = (bool *)calloc(entries, sizeof *m->cached);
  if (!m->predictor || !m->cache || !m->cached) return OCT_ERR_NOMEM;
  oct_et_memory_reset(m, c);
  return 0;
}

static inline void oct_et_memory_free(oct_et_memory *m) {
  free(m->predictor);
  free(m->cache);
  free(m->cached);
}

static inline void oct_et_push(oct_et_memory *m, const oct_et_config *c, uint64_t link) {
  if (!c->p.implicit_return) return;
  if (m->n && m->link[m->top] == link && m->count[m->top] < c->max_count) {
    m->count[m->top]++;
  } else {
    if (m->n == c->max_depth) {
      uint32_t oldest = (m->top + OCT_ET_FRAMES + 1 - m->n) % OCT_ET_FRAMES;
      m->depth -= m->count[oldest] + 1u;
      m->n--;
    }
    m->top = (m->top + 1) % OCT_ET_FRAMES;
    m->link[m->top] = link;
    m->count[m->top] = 0;
    m->n++;
  }
  m->depth++;
}

/* Take the newest call off; there must be one. */
static inline uint64_t oct_et_pop(oct_et_memory *m) {
  uint64_t link = m->link[m->top];
  m->depth--;
  if (m->count[m->top]) {
    m->count[m->top]--;
  } else {
    m->top = (m->top + OCT_ET_FRAMES - 1) % OCT_ET_FRAMES;
    m->n--;
  }
  return link;
}

static inline uint8_t *oct_et_predictor(const oct_et_memory *m, const oct_et_config *c,
                                        uint64_t addr) {
  return &m->predictor[(addr >> c->p.addr_lsb_bits) & ((1u << c->p.predictor_bits) - 1)];
}

/* A prediction is bit 1 of an entry, the last outcome bit 0. */
static inline void oct_et_predictor_update(uint8_t *entry, bool is_taken) {
  bool predicts = *entry >> 1;
  if (predicts != (*entry & 1)) predicts = is_taken;
  *entry = (uint8_t)(predicts << 1 | is_taken);
}

static inline uint32_t oct_et_cache_index(const oct_et_config *c, uint64_t addr) {
  return (uint32_t)(addr >> c->p.addr_lsb_bits) & ((1u << c->p.jump_cache_bits) - 1);
}

static inline void oct_et_cache_put(oct_et_memory *m, const oct_et_config *c, uint64_t addr) {
  uint32_t i = oct_et_cache_index(c, addr);
  m->cache[i] = addr;
  m->cached[i] = true;
}

#endif
