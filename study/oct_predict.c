/* SPDX-License-Identifier: Apache-2.0 */
/* oct_predict.c - predictors of branches: bimodal, gshare, TAGE, a target buffer, a return stack.
 *
 * TAGE: A. Seznec, P. Michaud, "A case for (partially) TAgged GEometric history length branch
 * prediction", JILP 8, 2006. The tagged table with the longest history whose tag matches provides
 * the prediction; the next one, or the base, is its alternate. A provider whose counter is weak and
 * which was of no use yet may be new; then a counter decides between it and its alternate. After a
 * misprediction an entry of a table with a longer history is allocated, in each such table with
 * half the probability of the one before, where its useful counter is 0; if there is none, those
 * counters go down. Useful counters lose one of their bits every 256 K branches. Histories have
 * outcomes only, no path. */
#include "oct_predict.h"

#include <string.h>

enum { USEFUL_RESET_BRANCHES = 1 << 18 };

static const unsigned lengths[OCT_TAGE_TABLES] = {5, 15, 44, OCT_TAGE_HISTORY_BITS};

void oct_counters_init(oct_counters *c, unsigned history_bits) {
  memset(c, 0, sizeof *c);
  memset(c->counter, 1, sizeof c->counter); /* weakly not taken */
  c->history_mask = (UINT32_C(1) << history_bits) - 1;
}

bool oct_counters_predict(oct_counters *c, uint64_t pc, bool is_taken) {
  uint8_t *counter = &c->counter[(pc ^ c->history) % (OCT_PREDICT_BITS / 2)];
  bool predicted = *counter >= 2;
  if (is_taken && *counter < 3) ++*counter;
  if (!is_taken && *counter) --*counter;
  c->history = (c->history << 1 | is_taken) & c->history_mask;
  return predicted;
}

void oct_tage_init(oct_tage *t) {
  memset(t, 0, sizeof *t);
  memset(t->base, -1, sizeof t->base);
  t->random = 1;
  for (int i = 0; i < OCT_TAGE_TABLES; i++) {
    t->index[i] = (oct_tage_fold){0, lengths[i], OCT_TAGE_INDEX_BITS};
    t->tag[0][i] = (oct_tage_fold){0, lengths[i], OCT_TAGE_TAG_BITS};
    t->tag[1][i] = (oct_tage_fold){0, lengths[i], OCT_TAGE_TAG_BITS - 1};
  }
}

/* Take the newest outcome into a folded history, and the one that is now too old out of it. */
static void fold(oct_tage_fold *f, bool newest, bool oldest) {
  f->value = f->value << 1 | newest;
  f->value ^= (uint32_t)oldest << f->length % f->bits;
  f->value ^= f->value >> f->bits;
  f->value &= (UINT32_C(1) << f->bits) - 1;
}

static void put_history(oct_tage *t, bool is_taken) {
  for (int i = 0; i < OCT_TAGE_TABLES; i++) {
    bool oldest = t->history[(uint8_t)(t->newest - lengths[i] + 1)];
    fold(&t->index[i], is_taken, oldest);
    fold(&t->tag[0][i], is_taken, oldest);
    fold(&t->tag[1][i], is_taken, oldest);
  }
  t->history[++t->newest] = is_taken;
}

static uint32_t next_random(oct_tage *t) { /* xorshift */
  t->random ^= t->random << 13;
  t->random ^= t->random >> 17;
  t->random ^= t->random << 5;
  return t->random;
}

static void count(int8_t *counter, bool up, int8_t low, int8_t high) {
  if (up && *counter < high) ++*counter;
  if (!up && *counter > low) --*counter;
}

/* Give the branch an entry in a table with a longer history than the provider's. */
static void allocate(oct_tage *t, oct_tage_entry *const *entries, const uint16_t *tags,
                     int provider, bool is_taken) {
  int chosen = -1;
  for (int i = provider + 1; i < OCT_TAGE_TABLES; i++) {
    if (entries[i]->useful) continue;
    chosen = i;
    if (next_random(t) & 1) break;
  }
  if (chosen >= 0)
    *entries[chosen] = (oct_tage_entry){is_taken ? 0 : -1, 0, tags[chosen]};
  else
    for (int i = provider + 1; i < OCT_TAGE_TABLES; i++) entries[i]->useful--;
}

static void age(oct_tage *t) {
  uint8_t kept = (t->n_branches / USEFUL_RESET_BRANCHES) % 2 ? 1 : 2;
  for (int i = 0; i < OCT_TAGE_TABLES; i++)
    for (int k = 0; k < 1 << OCT_TAGE_INDEX_BITS; k++) t->tables[i][k].useful &= kept;
}

bool oct_tage_predict(oct_tage *t, uint64_t pc, bool is_taken) {
  oct_tage_entry *entries[OCT_TAGE_TABLES];
  uint16_t tags[OCT_TAGE_TABLES];
  int8_t *base = &t->base[pc % (1 << OCT_TAGE_BASE_BITS)];
  int provider = -1, second = -1;
  for (int i = 0; i < OCT_TAGE_TABLES; i++) {
    uint64_t at = pc ^ pc >> (OCT_TAGE_INDEX_BITS - i) ^ t->index[i].value;
    entries[i] = &t->tables[i][at % (1 << OCT_TAGE_INDEX_BITS)];
    tags[i] = (uint16_t)((pc ^ t->tag[0][i].value ^ t->tag[1][i].value << 1) &
                         ((1 << OCT_TAGE_TAG_BITS) - 1));
    if (entries[i]->tag != tags[i]) continue;
    second = provider;
    provider = i;
  }
  bool alternate = second >= 0 ? entries[second]->counter >= 0 : *base >= 0;
  bool predicted = provider >= 0 ? entries[provider]->counter >= 0 : *base >= 0, result = predicted;
  if (provider >= 0) {
    oct_tage_entry *e = entries[provider];
    bool is_new = !e->useful && (e->counter == 0 || e->counter == -1);
    if (is_new && t->trusts_alternate >= 0) result = alternate;
    if (is_new && alternate != predicted) count(&t->trusts_alternate, alternate == is_taken, -8, 7);
    if (alternate != predicted && predicted == is_taken && e->useful < 3) e->useful++;
    if (alternate != predicted && predicted != is_taken && e->useful) e->useful--;
    count(&e->counter, is_taken, -4, 3);
  } else {
    count(base, is_taken, -2, 1);
  }
  if (result != is_taken && provider < OCT_TAGE_TABLES - 1)
    allocate(t, entries, tags, provider, is_taken);
  if (++t->n_branches % USEFUL_RESET_BRANCHES == 0) age(t);
  put_history(t, is_taken);
  return result;
}

bool oct_targets_predict(oct_targets *t, uint64_t pc, uint64_t target) {
  size_t i = pc % OCT_TARGETS;
  bool is_right = t->pc[i] == pc && t->target[i] == target;
  t->pc[i] = pc;
  t->target[i] = target;
  return is_right;
}

void oct_returns_push(oct_returns *r, uint64_t addr) {
  r->addr[++r->top % OCT_RETURNS] = addr;
}

bool oct_returns_predict(oct_returns *r, uint64_t addr) {
  return r->addr[r->top-- % OCT_RETURNS] == addr;
}
