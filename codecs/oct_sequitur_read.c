/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sequitur_read.c - grammars from bytes, and the values they stand for.
 *
 * A grammar is read by a stack machine and then expanded, without recursion, as values are asked
 * for. What keeps a hostile stream small: each symbol read stands for at least one of the values
 * that the segment is known to have, and each rule has at least two symbols, so that no more nodes
 * are visited than twice the values given. Short rules are kept expanded, which is most of the
 * speed. */
#include <inttypes.h>

#include "oct_endian.h"

#include "oct_sequitur_stream.h"

/* A rule of at most FLAT_VALUES is kept expanded, as long as all of these fit. */
enum { FLAT_VALUES = 64, FLAT_BYTES = 64 << 20 };
#define NOT_FLAT UINT32_MAX

typedef struct read_rule {
  uint64_t n_values;
  uint32_t at, n_symbols; /* in `bodies` */
  uint32_t flat;          /* in `flat`, or NOT_FLAT */
} read_rule;

/* Symbols still to be expanded. */
typedef struct frame {
  const uint32_t *at, *end;
} frame;

struct oct_sequitur_reader {
  unsigned value_bytes;
  uint64_t left;     /* values of the segment in grammars not read yet */
  oct_buffer values; /* uint64_t: by number */
  oct_buffer rules;  /* read_rule: by number */
  oct_buffer bodies; /* uint32_t: codes, 2n for value n and 2r + 1 for rule r */
  oct_buffer stack;  /* uint32_t: codes; when all is read, the sequence */
  oct_buffer flat;   /* uint64_t */
  oct_buffer frames; /* frame: those around the current one */
  frame now;
  const uint64_t *copy; /* what is left of a flat rule */
  size_t n_copy;
};

oct_sequitur_reader *oct_sequitur_reader_new(unsigned value_bytes) {
  oct_sequitur_reader *r = calloc(1, sizeof *r);
  if (r) r->value_bytes = value_bytes;
  return r;
}

void oct_sequitur_reader_free(oct_sequitur_reader *r) {
  if (!r) return;
  oct_buffer_free(&r->values);
  oct_buffer_free(&r->rules);
  oct_buffer_free(&r->bodies);
  oct_buffer_free(&r->stack);
  oct_buffer_free(&r->flat);
  oct_buffer_free(&r->frames);
  free(r);
}

static void forget_grammar(oct_sequitur_reader *r) {
  r->values.n_bytes = r->rules.n_bytes = r->bodies.n_bytes = 0;
  r->stack.n_bytes = r->flat.n_bytes = r->frames.n_bytes = 0;
  r->now = (frame){NULL, NULL};
  r->n_copy = 0;
}

void oct_sequitur_reader_begin(oct_sequitur_reader *r, uint64_t n_values) {
  forget_grammar(r);
  r->left = n_values;
}

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static const read_rule *rule_of(const oct_sequitur_reader *r, uint32_t code) {
  return (const read_rule *)(const void *)r->rules.bytes + (code >> 1);
}

static uint64_t length_of(const oct_sequitur_reader *r, uint32_t code) {
  return code & 1 ? rule_of(r, code)->n_values : 1;
}

/* Expand the body of a short rule whose own rules are all flat. */
static int make_flat(oct_sequitur_reader *r, read_rule *rule, const uint32_t *codes) {
  rule->flat = NOT_FLAT;
  const size_t n_bytes = rule->n_values * 8;
  if (rule->n_values > FLAT_VALUES || r->flat.n_bytes + n_bytes > FLAT_BYTES) return 0;
  for (uint32_t i = 0; i < rule->n_symbols; i++)
    if (codes[i] & 1 && rule_of(r, codes[i])->flat == NOT_FLAT) return 0;
  uint8_t *to = oct_buffer_room(&r->flat, n_bytes);
  if (!to) return OCT_ERR_NOMEM;
  for (uint32_t i = 0; i < rule->n_symbols; i++) {
    const uint8_t *from = r->values.bytes + (size_t)(codes[i] >> 1) * 8;
    size_t n = 8;
    if (codes[i] & 1) {
      const read_rule *inner = rule_of(r, codes[i]);
      from = r->flat.bytes + (size_t)inner->flat * 8;
      n = inner->n_values * 8;
    }
    memcpy(to, from, n);
    to += n;
  }
  rule->flat = (uint32_t)(r->flat.n_bytes / 8);
  r->flat.n_bytes += n_bytes;
  return 0;
}

/* The last n symbols become the body of the next rule, which takes their place. */
static int make_rule(oct_sequitur_reader *r, uint32_t n, oct_diag *diag) {
  if (n < 2 || n > r->stack.n_bytes / 4)
    return oct_fail(diag, OCT_ERR_FORMAT, "a rule of %" PRIu32 " symbols where there are %zu", n,
                    r->stack.n_bytes / 4);
  const size_t n_rules = r->rules.n_bytes / sizeof(read_rule), n_symbols = r->bodies.n_bytes / 4;
  if (n_rules >= OCT_TERMINALS_MAX || n_symbols > UINT32_MAX - n)
    return oct_fail(diag, OCT_ERR_FORMAT, "too many rules");
  r->stack.n_bytes -= 4 * (size_t)n;
  uint32_t *codes = (uint32_t *)(void *)(r->stack.bytes + r->stack.n_bytes);
  read_rule rule = {.at = (uint32_t)n_symbols, .n_symbols = n};
  for (uint32_t i = 0; i < n; i++) rule.n_values += length_of(r, codes[i]);
  const uint32_t code = (uint32_t)n_rules << 1 | 1;
  if (make_flat(r, &rule, codes)) return no_memory(diag);
  if (rule.flat == NOT_FLAT && oct_buffer_put(&r->bodies, codes, 4 * (size_t)n))
    return no_memory(diag);
  if (oct_buffer_put(&r->rules, &rule, sizeof rule)) return no_memory(diag);
  codes[0] = code;
  r->stack.n_bytes += 4;
  return 0;
}

/* A symbol follows; *total is what the grammar stands for so far. */
static int push(oct_sequitur_reader *r, uint32_t code, uint64_t *total, oct_diag *diag) {
  uint64_t n = length_of(r, code);
  if (n > r->left - *total)
    return oct_fail(diag, OCT_ERR_FORMAT, "a grammar of more values than the segment has");
  *total += n;
  return oct_buffer_put(&r->stack, &code, 4) ? no_memory(diag) : 0;
}

static int push_new(oct_sequitur_reader *r, oct_cursor *values, uint64_t *total, oct_diag *diag) {
  const uint8_t *p = oct_cursor_take(values, r->value_bytes);
  if (!p) return oct_fail(diag, OCT_ERR_FORMAT, "too few new values");
  const uint64_t value = oct_get_bytes(p, r->value_bytes);
  const uint32_t number = (uint32_t)(r->values.n_bytes / 8);
  if (number >= OCT_TERMINALS_MAX) return oct_fail(diag, OCT_ERR_FORMAT, "too many new values");
  if (oct_buffer_put(&r->values, &value, 8)) return no_memory(diag);
  return push(r, number << 1, total, diag);
}

static int read_token(oct_sequitur_reader *r, unsigned token, oct_cursor *streams, uint64_t *total,
                      oct_diag *diag) {
  if (token == OCT_TOKEN_NEW) return push_new(r, &streams[OCT_SEQUITUR_VALUES], total, diag);
  if (token == OCT_TOKEN_MAKE2) return make_rule(r, 2, diag);
  if (token >= OCT_TOKENS) return oct_fail(diag, OCT_ERR_FORMAT, "%u is no token", token);
  uint32_t number = 0;
  const unsigned n_bytes = 1 + (token - OCT_TOKEN_MAKE) % 4;
  const uint8_t *p = oct_cursor_take(&streams[OCT_SEQUITUR_NUMBERS], n_bytes);
  if (!p) return oct_fail(diag, OCT_ERR_FORMAT, "too few numbers");
  for (unsigned i = 0; i < n_bytes; i++) number |= (uint32_t)p[i] << 8 * i;
  if (token < OCT_TOKEN_VALUE) return make_rule(r, number, diag);
  const bool is_rule = token >= OCT_TOKEN_RULE;
  const size_t there = is_rule ? r->rules.n_bytes / sizeof(read_rule) : r->values.n_bytes / 8;
  if (number >= there)
    return oct_fail(diag, OCT_ERR_FORMAT, "%s %" PRIu32 " where there are %zu",
                    is_rule ? "rule" : "value", number, there);
  return push(r, number << 1 | is_rule, total, diag);
}

/* Read the next grammar. */
static int read_grammar(oct_sequitur_reader *r, oct_cursor *streams, oct_diag *diag) {
  oct_cursor *tokens = &streams[OCT_SEQUITUR_TOKENS];
  uint64_t total = 0;
  forget_grammar(r);
  for (;;) {
    const uint8_t *token = oct_cursor_take(tokens, 1);
    if (!token) return oct_fail(diag, OCT_ERR_FORMAT, "too few tokens");
    if (*token == OCT_TOKEN_END) break;
    int error = read_token(r, *token, streams, &total, diag);
    if (error) return error;
  }
  r->left -= total;
  const uint32_t *sequence = (const uint32_t *)(const void *)r->stack.bytes;
  if (total) r->now = (frame){sequence, sequence + r->stack.n_bytes / 4};
  return 0;
}

/* Enter a rule that is not flat. Its frame is kept only when something follows. */
static int enter(oct_sequitur_reader *r, const read_rule *rule, oct_diag *diag) {
  if (r->now.at < r->now.end && oct_buffer_put(&r->frames, &r->now, sizeof r->now))
    return no_memory(diag);
  const uint32_t *body = (const uint32_t *)(const void *)r->bodies.bytes + rule->at;
  r->now = (frame){body, body + rule->n_symbols};
  return 0;
}

int oct_sequitur_read(oct_sequitur_reader *r, oct_cursor *streams, uint64_t *values, size_t n,
                      oct_diag *diag) {
  while (n) {
    int error = 0;
    if (r->n_copy) {
      size_t some = r->n_copy < n ? r->n_copy : n;
      memcpy(values, r->copy, some * 8);
      values += some;
      n -= some;
      r->copy += some;
      r->n_copy -= some;
    } else if (r->now.at < r->now.end) {
      uint32_t code = *r->now.at++;
      const read_rule *rule = code & 1 ? rule_of(r, code) : NULL;
      if (!rule) {
        memcpy(values++, r->values.bytes + (size_t)(code >> 1) * 8, 8);
        n--;
      } else if (rule->flat != NOT_FLAT) {
        r->copy = (const uint64_t *)(const void *)r->flat.bytes + rule->flat;
        r->n_copy = rule->n_values;
      } else {
        error = enter(r, rule, diag);
      }
    } else if (r->frames.n_bytes) {
      r->frames.n_bytes -= sizeof r->now;
      memcpy(&r->now, r->frames.bytes + r->frames.n_bytes, sizeof r->now);
    } else {
      error = read_grammar(r, streams, diag);
    }
    if (error) return error;
  }
  return 0;
}
