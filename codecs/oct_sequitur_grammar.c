/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sequitur_grammar.c - Sequitur: a grammar that grows by one symbol at a time, in linear time.
 *
 * After an append the last digram is looked up. Where it stands elsewhere both places become a
 * rule, or the rule which it already is. That makes new digrams, which wait on a stack instead of
 * being followed by recursion: input decides how many there are. A waiting symbol may be gone, or
 * be another one, when its turn comes; looking at a digram once too often does no harm. */
#include "oct_sequitur_grammar.h"

#include <stdlib.h>
#include <string.h>

#include "oct_hash.h"

enum { DIGRAMS_LOG2_MIN = 12, DIGRAMS_LOG2_MAX = 31, RESERVE = 16 };

static inline uint32_t next_of(const oct_grammar *g, uint32_t s) {
  return g->symbols[s].next;
}
static inline uint32_t prev_of(const oct_grammar *g, uint32_t s) {
  return g->symbols[s].prev;
}
static inline uint32_t code_of(const oct_grammar *g, uint32_t s) {
  return g->symbols[s].code;
}

static inline uint32_t hash_of(uint32_t first, uint32_t second) {
  uint64_t h = ((uint64_t)first << 32 | second) * OCT_HASH_FACTOR;
  return (uint32_t)((h ^ h >> 29) * 0xBF58476D1CE4E5B9u >> 32);
}

/* The place of the digram that begins at s, or the empty one where it belongs. */
static inline oct_digram *find_digram(oct_grammar *g, uint32_t s, uint32_t *hash) {
  const uint32_t first = code_of(g, s), second = code_of(g, next_of(g, s));
  const uint32_t mask = (uint32_t)(((uint64_t)1 << g->digrams_log2) - 1);
  const uint32_t h = hash_of(first, second);
  uint32_t at = h >> (32 - g->digrams_log2);
  *hash = h;
  g->n_searches++;
  for (;; at = (at + 1) & mask) {
    oct_digram *d = &g->digrams[at];
    g->n_trials++;
    if (!d->symbol) return d;
    if (d->hash == h && code_of(g, d->symbol) == first &&
        code_of(g, next_of(g, d->symbol)) == second)
      return d;
  }
}

/* Close the gap at d: what stands behind it and could not stand before it moves up. */
static void remove_digram(oct_grammar *g, oct_digram *d) {
  const uint32_t mask = (uint32_t)(((uint64_t)1 << g->digrams_log2) - 1);
  const unsigned shift = 32 - g->digrams_log2;
  uint32_t gap = (uint32_t)(d - g->digrams);
  for (uint32_t at = (gap + 1) & mask; g->digrams[at].symbol; at = (at + 1) & mask) {
    uint32_t home = g->digrams[at].hash >> shift;
    if (((at - home) & mask) < ((at - gap) & mask)) continue;
    g->digrams[gap] = g->digrams[at];
    gap = at;
  }
  g->digrams[gap].symbol = 0;
  g->n_digrams--;
}

static int grow_digrams(oct_grammar *g) {
  if (g->digrams_log2 == DIGRAMS_LOG2_MAX) return OCT_ERR_NOMEM;
  const size_t old_size = (size_t)1 << g->digrams_log2, size = 2 * old_size;
  oct_digram *old = g->digrams, *digrams = calloc(size, sizeof *digrams);
  if (!digrams) return OCT_ERR_NOMEM;
  g->digrams_log2++;
  for (size_t i = 0; i < old_size; i++) {
    if (!old[i].symbol) continue;
    size_t at = old[i].hash >> (32 - g->digrams_log2);
    while (digrams[at].symbol) at = (at + 1) & (size - 1);
    digrams[at] = old[i];
  }
  g->digrams = digrams;
  free(old);
  return 0;
}

/* Room for `more` elements in an array, which grows by doubling. */
static int reserve(void **array, uint32_t used, uint32_t more, uint32_t *room, size_t bytes) {
  if (*room - used >= more) return 0;
  uint64_t wanted = 2 * (uint64_t)*room + more;
  if (wanted > UINT32_MAX) wanted = UINT32_MAX;
  if (wanted - used < more) return OCT_ERR_NOMEM;
  void *p = realloc(*array, wanted * bytes);
  if (!p) return OCT_ERR_NOMEM;
  *array = p;
  *room = (uint32_t)wanted;
  return 0;
}

/* What one look at a digram can need at most, so that nothing can fail half-way. */
static int reserve_all(oct_grammar *g) {
  if (reserve((void **)&g->symbols, g->n_symbols, RESERVE, &g->symbols_room, sizeof *g->symbols) ||
      reserve((void **)&g->rules, g->n_rules, RESERVE, &g->rules_room, sizeof *g->rules) ||
      reserve((void **)&g->pending, g->n_pending, 4 * RESERVE, &g->pending_room,
              sizeof *g->pending))
    return OCT_ERR_NOMEM;
  return (uint64_t)g->n_digrams + RESERVE > (uint64_t)1 << g->digrams_log2 >> 1 ? grow_digrams(g)
                                                                                : 0;
}

static inline void look_later(oct_grammar *g, uint32_t s) {
  g->pending[g->n_pending++] = s;
}

static uint32_t new_symbol(oct_grammar *g, uint32_t code) {
  uint32_t s = g->free_symbol;
  if (s)
    g->free_symbol = next_of(g, s);
  else
    s = g->n_symbols++;
  g->symbols[s].code = code;
  if (oct_symbol_is_rule(code)) g->rules[code >> 1].uses++;
  return s;
}

static void free_symbol(oct_grammar *g, uint32_t s) {
  uint32_t code = code_of(g, s);
  if (oct_symbol_is_rule(code)) g->rules[code >> 1].uses--;
  g->symbols[s].code = OCT_SYMBOL_FREE;
  g->symbols[s].next = g->free_symbol;
  g->free_symbol = s;
}

static inline void join(oct_grammar *g, uint32_t left, uint32_t right) {
  g->symbols[left].next = right;
  g->symbols[right].prev = left;
}

/* A rule with an empty body. */
static uint32_t new_rule(oct_grammar *g) {
  uint32_t r = g->free_rule;
  if (r)
    g->free_rule = g->rules[r].guard;
  else
    r = g->n_rules++;
  uint32_t guard = new_symbol(g, OCT_SYMBOL_GUARD | r);
  g->rules[r] = (oct_rule){guard, 0};
  join(g, guard, guard);
  return r;
}

/* The digram that begins at s goes. Of three equal symbols in a row only the first of the two
 * digrams is in the table; when it goes the other one takes its place. */
static void forget_digram(oct_grammar *g, uint32_t s) {
  uint32_t hash, next = next_of(g, s);
  if (oct_symbol_is_guard(g, s) || oct_symbol_is_guard(g, next)) return;
  oct_digram *d = find_digram(g, s, &hash);
  if (d->symbol != s) return;
  remove_digram(g, d);
  if (code_of(g, s) == code_of(g, next) && code_of(g, next_of(g, next)) == code_of(g, s))
    look_later(g, next);
}

/* Put rule r in the place of the digram that begins at s. */
static void substitute(oct_grammar *g, uint32_t s, uint32_t r) {
  uint32_t left = prev_of(g, s), second = next_of(g, s), right = next_of(g, second);
  forget_digram(g, left);
  forget_digram(g, s);
  forget_digram(g, second);
  free_symbol(g, second);
  free_symbol(g, s);
  s = new_symbol(g, r << 1 | 1);
  join(g, left, s);
  join(g, s, right);
  look_later(g, s);
  look_later(g, left); /* is looked at first, as it comes first */
}

/* Symbol u is the only one that stands for its rule: the rule's body takes its place. */
static void expand(oct_grammar *g, uint32_t u) {
  uint32_t r = code_of(g, u) >> 1, guard = g->rules[r].guard;
  uint32_t left = prev_of(g, u), right = next_of(g, u);
  uint32_t first = next_of(g, guard), last = prev_of(g, guard);
  forget_digram(g, left);
  forget_digram(g, u);
  free_symbol(g, u);
  free_symbol(g, guard);
  g->rules[r].guard = g->free_rule;
  g->free_rule = r;
  join(g, left, first);
  join(g, last, right);
  look_later(g, last);
  look_later(g, left);
}

/* Is the digram that begins at s the whole body of a rule other than 0? */
static bool is_whole_rule(const oct_grammar *g, uint32_t s) {
  uint32_t guard = prev_of(g, s);
  return oct_symbol_is_guard(g, guard) && next_of(g, next_of(g, s)) == guard &&
         code_of(g, guard) != OCT_SYMBOL_GUARD;
}

/* The digrams that begin at s and at `other`, which is in the table, are the same. */
static void match(oct_grammar *g, uint32_t s, uint32_t other, oct_digram *place) {
  uint32_t r;
  if (is_whole_rule(g, other)) {
    r = code_of(g, prev_of(g, other)) & ~OCT_SYMBOL_GUARD;
    substitute(g, s, r);
  } else if (is_whole_rule(g, s)) {
    r = code_of(g, prev_of(g, s)) & ~OCT_SYMBOL_GUARD;
    place->symbol = s;
    substitute(g, other, r);
  } else {
    r = new_rule(g);
    uint32_t guard = g->rules[r].guard;
    uint32_t first = new_symbol(g, code_of(g, s)),
             second = new_symbol(g, code_of(g, next_of(g, s)));
    join(g, guard, first);
    join(g, first, second);
    join(g, second, guard);
    place->symbol = first;
    substitute(g, other, r);
    substitute(g, s, r);
  }
  /* A rule that is left with one use has it at the front of r. The published program looks there
   * only, too; 308 000 random texts showed no other place. */
  uint32_t first = oct_rule_first(g, r);
  if (oct_symbol_is_rule(code_of(g, first)) && g->rules[code_of(g, first) >> 1].uses == 1)
    expand(g, first);
}

static void look(oct_grammar *g, uint32_t s) {
  uint32_t hash;
  if (oct_symbol_is_guard(g, s) || oct_symbol_is_guard(g, next_of(g, s))) return;
  oct_digram *d = find_digram(g, s, &hash);
  uint32_t other = d->symbol;
  if (!other) {
    *d = (oct_digram){hash, s};
    g->n_digrams++;
  } else if (other != s && next_of(g, other) != s && next_of(g, s) != other) {
    match(g, s, other, d);
  }
}

int oct_grammar_append(oct_grammar *g, uint32_t terminal) {
  if (reserve_all(g)) return OCT_ERR_NOMEM;
  uint32_t guard = g->rules[0].guard, last = prev_of(g, guard), s = new_symbol(g, terminal << 1);
  join(g, last, s);
  join(g, s, guard);
  g->n_terminals++;
  look_later(g, last);
  while (g->n_pending) {
    if (reserve_all(g)) return OCT_ERR_NOMEM;
    look(g, g->pending[--g->n_pending]);
  }
  return 0;
}

static void begin(oct_grammar *g) {
  g->n_symbols = 1;
  g->n_rules = 0;
  g->free_symbol = g->free_rule = 0;
  g->n_pending = g->n_digrams = 0;
  g->n_terminals = g->n_searches = g->n_trials = 0;
  new_rule(g);
}

int oct_grammar_init(oct_grammar *g) {
  memset(g, 0, sizeof *g);
  g->digrams_log2 = DIGRAMS_LOG2_MIN;
  g->digrams = calloc((size_t)1 << g->digrams_log2, sizeof *g->digrams);
  if (!g->digrams || reserve_all(g)) return OCT_ERR_NOMEM;
  g->symbols[0] = (oct_symbol){0, 0, OCT_SYMBOL_FREE};
  begin(g);
  return 0;
}

void oct_grammar_reset(oct_grammar *g) {
  memset(g->digrams, 0, sizeof *g->digrams << g->digrams_log2);
  begin(g);
}

void oct_grammar_free(oct_grammar *g) {
  free(g->symbols);
  free(g->rules);
  free(g->digrams);
  free(g->pending);
  memset(g, 0, sizeof *g);
}
