/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sequitur_write.c - a grammar to bytes: its rules in the order in which the sequence meets
 * them, each where it is met first. */
#include "oct_sequitur_stream.h"

typedef struct writer {
  const oct_grammar *g;
  const uint64_t *values;
  unsigned value_bytes;
  oct_buffer *streams;
  uint32_t *numbers; /* of rules, + 1: 0 for those not met yet */
  uint32_t *stack;   /* symbols that stand for the rules we are in */
  uint32_t n_rules, n_values;
} writer;

static int put_token(writer *w, unsigned token) {
  const uint8_t byte = (uint8_t)token;
  return oct_buffer_put(&w->streams[OCT_SEQUITUR_TOKENS], &byte, 1);
}

/* A token that has a number, in as few bytes as it needs. */
static int put_number(writer *w, unsigned token, uint32_t number) {
  uint8_t bytes[4];
  unsigned n = 1 + (number > 0xff) + (number > 0xffff) + (number > 0xffffff);
  for (unsigned i = 0; i < n; i++) bytes[i] = (uint8_t)(number >> 8 * i);
  if (put_token(w, token + n - 1)) return OCT_ERR_NOMEM;
  return oct_buffer_put(&w->streams[OCT_SEQUITUR_NUMBERS], bytes, n);
}

static int put_terminal(writer *w, uint32_t number) {
  uint8_t bytes[8];
  if (number < w->n_values) return put_number(w, OCT_TOKEN_VALUE, number);
  w->n_values++;
  for (unsigned i = 0; i < w->value_bytes; i++) bytes[i] = (uint8_t)(w->values[number] >> 8 * i);
  if (put_token(w, OCT_TOKEN_NEW)) return OCT_ERR_NOMEM;
  return oct_buffer_put(&w->streams[OCT_SEQUITUR_VALUES], bytes, w->value_bytes);
}

/* A rule's body is complete. */
static int put_rule(writer *w, uint32_t rule) {
  uint32_t n = 0, guard = w->g->rules[rule].guard;
  for (uint32_t s = w->g->symbols[guard].next; s != guard; s = w->g->symbols[s].next) n++;
  w->numbers[rule] = ++w->n_rules;
  return n == 2 ? put_token(w, OCT_TOKEN_MAKE2) : put_number(w, OCT_TOKEN_MAKE, n);
}

static int put_symbols(writer *w) {
  const oct_grammar *g = w->g;
  uint32_t depth = 0, s = oct_rule_first(g, 0);
  for (;;) {
    uint32_t code = g->symbols[s].code;
    int error = 0;
    if (code == OCT_SYMBOL_GUARD) return put_token(w, OCT_TOKEN_END);
    if (code & OCT_SYMBOL_GUARD) {
      error = put_rule(w, code & ~OCT_SYMBOL_GUARD);
      s = w->stack[--depth];
    } else if (!(code & 1)) {
      error = put_terminal(w, code >> 1);
    } else if (w->numbers[code >> 1]) {
      error = put_number(w, OCT_TOKEN_RULE, w->numbers[code >> 1] - 1);
    } else {
      w->stack[depth++] = s;
      s = oct_rule_first(g, code >> 1);
      continue;
    }
    if (error) return error;
    s = g->symbols[s].next;
  }
}

int oct_sequitur_write(const oct_grammar *grammar, const uint64_t *values, unsigned value_bytes,
                       oct_buffer *streams) {
  writer w = {.g = grammar, .values = values, .value_bytes = value_bytes, .streams = streams};
  w.numbers = calloc(grammar->n_rules, sizeof *w.numbers);
  w.stack = malloc(grammar->n_rules * sizeof *w.stack);
  int error = w.numbers && w.stack ? put_symbols(&w) : OCT_ERR_NOMEM;
  free(w.numbers);
  free(w.stack);
  return error;
}
