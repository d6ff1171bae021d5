/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sequitur_stream.h - inside of the library: grammars to bytes and back (docs/codecs.md).
 *
 * A grammar is written in postfix order: a symbol that was seen before by its number, a new value
 * as itself, and a new rule as its body followed by a token that makes the body a rule. So no rule
 * can name itself, and each is complete when it is named. */
#ifndef OCT_SEQUITUR_STREAM_H
#define OCT_SEQUITUR_STREAM_H

#include "octrace/error.h"
#include "oct_sequitur_grammar.h"

/* Streams of one field of the records. */
enum { OCT_SEQUITUR_TOKENS, OCT_SEQUITUR_NUMBERS, OCT_SEQUITUR_VALUES, OCT_SEQUITUR_STREAMS };

/* Tokens. OCT_TOKEN_VALUE + b and OCT_TOKEN_RULE + b name a value and a rule by a number of b + 1
 * bytes, least number first; OCT_TOKEN_MAKE + b makes a rule of that many symbols. */
enum {
  OCT_TOKEN_END,   /* of the grammar */
  OCT_TOKEN_NEW,   /* the next of the new values, which gets the next number */
  OCT_TOKEN_MAKE2, /* the last two symbols become a rule, which gets the next number */
  OCT_TOKEN_MAKE,
  OCT_TOKEN_VALUE = OCT_TOKEN_MAKE + 4,
  OCT_TOKEN_RULE = OCT_TOKEN_VALUE + 4,
  OCT_TOKENS = OCT_TOKEN_RULE + 4
};

/* Append a grammar to its field's streams; `values` has the value of each terminal, of
 * value_bytes. 0 or OCT_ERR_NOMEM. */
int oct_sequitur_write(const oct_grammar *grammar, const uint64_t *values, unsigned value_bytes,
                       oct_buffer *streams);

/* Reads the grammars of one field and gives the values they stand for. */
typedef struct oct_sequitur_reader oct_sequitur_reader;

/* For values of value_bytes: NULL when out of memory. */
oct_sequitur_reader *oct_sequitur_reader_new(unsigned value_bytes);
void oct_sequitur_reader_free(oct_sequitur_reader *r); /* NULL is allowed */
/* A segment begins, which holds n_values in all. */
void oct_sequitur_reader_begin(oct_sequitur_reader *r, uint64_t n_values);
/* The next n values, at most as many as are left: 0, OCT_ERR_NOMEM, or OCT_ERR_FORMAT when the
 * streams make no sense; time and memory follow from the bytes read and from the segment's number
 * of values. */
int oct_sequitur_read(oct_sequitur_reader *r, oct_cursor *streams, uint64_t *values, size_t n,
                      oct_diag *diag);

#endif
