/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sequitur_grammar.h - inside of the library: Sequitur's context-free grammar of a sequence.
 *
 * Rule 0 produces the sequence. Two constraints hold after each append (Burtscher 2004,
 * section 2.1, with its references 24-26): no pair of neighbouring symbols (digram) stands at two
 * places that do not overlap, and each other rule is used at least twice. */
#ifndef OCT_SEQUITUR_GRAMMAR_H
#define OCT_SEQUITUR_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "octrace/error.h"

/* A symbol's code is 2n for terminal n and 2r + 1 for rule r. A rule's body is a ring that begins
 * and ends at its guard, whose code is the rule's number with the top bit set. */
#define OCT_SYMBOL_GUARD 0x80000000u
#define OCT_SYMBOL_FREE 0xffffffffu
enum { OCT_TERMINALS_MAX = 1 << 30 };

typedef struct oct_symbol {
  uint32_t prev, next, code;
} oct_symbol;

typedef struct oct_rule {
  uint32_t guard; /* its symbol; of a rule that is free, the next free one */
  uint32_t uses;  /* symbols that stand for it */
} oct_rule;

/* A place of the digram table: the symbol where the digram begins, 0 when the place is empty. */
typedef struct oct_digram {
  uint32_t hash, symbol;
} oct_digram;

typedef struct oct_grammar {
  oct_symbol *symbols; /* [0] is none */
  oct_rule *rules;
  oct_digram *digrams; /* open addressing, linear probing */
  uint32_t *pending;   /* symbols whose digrams are to be looked at, the last one first */
  uint32_t n_symbols, symbols_room, free_symbol;
  uint32_t n_rules, rules_room, free_rule;
  uint32_t n_pending, pending_room;
  uint32_t n_digrams, digrams_log2;
  uint64_t n_terminals; /* appended */
  uint64_t n_searches, n_trials;
} oct_grammar;

/* An empty grammar: 0 or OCT_ERR_NOMEM. All zero is one that may be freed. */
int oct_grammar_init(oct_grammar *g);
/* Begin anew; keeps the memory. */
void oct_grammar_reset(oct_grammar *g);
void oct_grammar_free(oct_grammar *g);

/* Append terminal number `terminal`, below OCT_TERMINALS_MAX: 0, or OCT_ERR_NOMEM and then only
 * oct_grammar_free may follow. */
int oct_grammar_append(oct_grammar *g, uint32_t terminal);

/* Bytes that the descriptors of symbols and rules take. */
static inline uint64_t oct_grammar_bytes(const oct_grammar *g) {
  return (uint64_t)g->n_symbols * sizeof(oct_symbol) + (uint64_t)g->n_rules * sizeof(oct_rule);
}

static inline bool oct_symbol_is_guard(const oct_grammar *g, uint32_t s) {
  return g->symbols[s].code & OCT_SYMBOL_GUARD;
}
static inline bool oct_symbol_is_rule(uint32_t code) {
  return code & 1 && !(code & OCT_SYMBOL_GUARD);
}
/* First symbol of a rule's body. */
static inline uint32_t oct_rule_first(const oct_grammar *g, uint32_t rule) {
  return g->symbols[g->rules[rule].guard].next;
}

#endif
