/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_meta.c - a name space of meta-events: what each was constructed of (Knüpfer 2003, section
 * 2).
 */
#include "oct_ev_meta.h"

#include <stdlib.h>
#include <string.h>

#include "oct_ev_bytes.h"
#include "oct_ev_types.h"
#include "oct_hash.h"

enum { SLOTS_MIN = 64, TOKENS_MAX = 1 << 28 };

static size_t slot_of(uint64_t key, size_t n_slots) {
  key *= OCT_HASH_FACTOR;
  return (size_t)(key ^ (key >> 32)) & (n_slots - 1);
}

static int grow(oct_ev_metas *t) {
  size_t n = t->n_slots ? 2 * t->n_slots : SLOTS_MIN;
  uint64_t *keys = calloc(n, sizeof *keys);
  uint32_t *tokens = malloc(n * sizeof *tokens);
  if (!keys || !tokens) {
    free(keys);
    free(tokens);
    return OCT_ERR_NOMEM;
  }
  for (size_t i = 0; i < t->n_slots; i++) {
    if (!t->keys[i]) continue;
    size_t at = slot_of(t->keys[i], n);
    while (keys[at]) at = (at + 1) & (n - 1);
    keys[at] = t->keys[i];
    tokens[at] = t->tokens[i];
  }
  free(t->keys);
  free(t->tokens);
  t->keys = keys;
  t->tokens = tokens;
  t->n_slots = n;
  return 0;
}

int64_t oct_ev_meta_get(oct_ev_metas *t, uint32_t rule, uint32_t a, uint32_t b, uint32_t order) {
  uint64_t key = (uint64_t)rule << 62 | (uint64_t)a << 31 | b;
  if (2 * (t->n + 1) > t->n_slots && grow(t)) return OCT_ERR_NOMEM;
  size_t at = slot_of(key, t->n_slots);
  for (; t->keys[at]; at = (at + 1) & (t->n_slots - 1))
    if (t->keys[at] == key) {
      t->v[t->tokens[at]].uses++;
      return t->tokens[at];
    }
  if (t->n >= TOKENS_MAX) return OCT_ERR_LIMIT;
  if (oct_ev_grow((void **)&t->v, &t->cap, t->n + 1, sizeof *t->v)) return OCT_ERR_NOMEM;
  t->v[t->n] = (oct_ev_meta){.rule = rule, .a = a, .b = b, .order = order, .uses = 1};
  t->keys[at] = key;
  t->tokens[at] = (uint32_t)t->n;
  return (int64_t)t->n++;
}

void oct_ev_metas_clear(oct_ev_metas *t) {
  t->n = 0;
  if (t->n_slots) memset(t->keys, 0, t->n_slots * sizeof *t->keys);
}

void oct_ev_metas_free(oct_ev_metas *t) {
  free(t->v);
  free(t->keys);
  free(t->tokens);
  memset(t, 0, sizeof *t);
}
