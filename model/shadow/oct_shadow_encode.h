/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_encode.h - the arithmetic coder, compressor's half (docs/shadow-format.md, section 4).
 *
 * An interval [low, low + range) of 20 bits is cut by each symbol, and doubled until its range has
 * 20 bits again. What leaves at the top goes out by bytes; after a byte of eight ones the
 * next one has seven bits of its own and room for a carry, so that a carry never goes further than
 * one byte back, and no two bytes look like a mark. */
#ifndef OCT_SHADOW_ENCODE_H
#define OCT_SHADOW_ENCODE_H

#include "oct_inline.h"
#include "oct_shadow_coder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { OCT_CODER_SPACER_BITS = 3, OCT_CODER_CATEGORIES = 24 };

/* What the coder does, for the engine with time: a ring of symbols, with the bytes that each
 * brings, and one of the items of docs/notes/shadow-rtl.md, each with its beat. The end of a period
 * is a symbol too. It brings bytes in three steps: twice by ones that push, then the byte held
 * back. OCT_LOG_TRAP, OCT_LOG_STAMP: the last symbol of a trap, of a stamp. */
enum {
  OCT_LOG_END = 0x8000,
  OCT_LOG_TRAP = 16,
  OCT_LOG_STAMP = 32,
  OCT_LOG_BYTES = 15,
  OCT_LOG_STEP_BITS = 4
};

typedef struct oct_coder_item_log {
  uint64_t beat;
  uint32_t n_symbols; /* 0: it takes a cycle all the same */
  uint32_t n_words;   /* of the queue */
} oct_coder_item_log;

typedef struct oct_coder_log {
  uint16_t *symbols; /* bytes, a step at each OCT_LOG_STEP_BITS */
  oct_coder_item_log *items;
  uint32_t symbols_mask, items_mask;
  uint64_t n_symbols, n_items;
  uint64_t symbols_before; /* that item before this one has ended with */
  bool is_wide;            /* of the item under way: has a second word */
  bool has_number;         /* an item `number` comes before it */
  uint64_t beat;           /* of the item under way, */
  uint64_t last_beat;      /* but no later than this */
  uint64_t taken;          /* bytes that the coder does not hold any more */
  uint64_t seen;           /* bytes of the symbols so far */
} oct_coder_log;

typedef struct oct_encode {
  uint64_t low; /* OCT_CODER_BITS + n_bits bits, and one for the carry */
  uint32_t range;
  uint32_t n_bits; /* that are in low above the interval and did not leave yet */
  int32_t last;    /* byte that a carry may still change, -1 = none */
  uint32_t category;
  uint32_t a, b;      /* parts that the symbol under way has left */
  uint64_t run;       /* instructions passed since the last symbol */
  uint64_t silent;    /* silent decisions since then */
  uint64_t n_symbols; /* steps, raw ones included */
  uint64_t n_wrong;   /* silent decisions that were wrong */
  uint32_t escape_bits;
  uint8_t *bytes; /* that left */
  size_t n, room;
  oct_coder_log *log;                  /* or NULL */
  int is_full;                         /* no memory for more bytes */
  uint64_t bits[OCT_CODER_CATEGORIES]; /* that left the interval, by what they were spent on */
} oct_encode;

static inline void oct_encode_begin(oct_encode *c) {
  c->low = 0;
  c->range = (UINT32_C(1) << OCT_CODER_BITS) - 1;
  c->n_bits = 0;
  c->last = -1;
  c->run = c->silent = 0;
}

static inline void oct_encode_put(oct_encode *c, uint8_t byte) {
  if (c->n == c->room) {
    size_t room = c->room ? c->room * 2 : 4096;
    uint8_t *bytes = (uint8_t *)realloc(c->bytes, room);
    if (!bytes) {
      c->is_full = 1;
      return;
    }
    c->bytes = bytes;
    c->room = room;
  }
  c->bytes[c->n++] = byte;
}

static OCT_NO_INLINE void oct_encode_bytes(oct_encode *c) {
  for (;;) {
    unsigned need = c->last == 0xff ? 7 : 8;
    if (c->n_bits < need + OCT_CODER_SPACER_BITS) return;
    unsigned shift = OCT_CODER_BITS + c->n_bits - need;
    uint32_t top = (uint32_t)(c->low >> shift);
    if (need == 8 && top > 0xff) { /* carry */
      c->low &= (UINT64_C(1) << (OCT_CODER_BITS + c->n_bits)) - 1;
      if (++c->last == 0xff) continue;
      top &= 0xff;
    }
    if (c->last >= 0) oct_encode_put(c, (uint8_t)c->last);
    c->last = (int32_t)top;
    c->low &= (UINT64_C(1) << shift) - 1;
    c->n_bits -= need;
  }
}

static inline void oct_encode_normalise(oct_encode *c) {
  unsigned n = (unsigned)__builtin_clz(c->range) - (32 - OCT_CODER_BITS);
  if (!n) return;
  c->range <<= n;
  c->low <<= n;
  c->n_bits += n;
  c->bits[c->category] += n;
  if (c->n_bits >= 7 + OCT_CODER_SPACER_BITS) oct_encode_bytes(c);
}

/* For the engine with time: bytes since the last time. */
static inline uint16_t oct_encode_log_bytes(oct_encode *c) {
  oct_coder_log *log = c->log;
  uint64_t now = log->taken + c->n;
  uint16_t n = (uint16_t)(now - log->seen);
  log->seen = now;
  return n;
}

static inline void oct_encode_log_symbol(oct_encode *c, uint16_t symbol) {
  oct_coder_log *log = c->log;
  log->symbols[log->n_symbols++ & log->symbols_mask] = symbol;
}

static inline void oct_encode_log_item(oct_encode *c, uint32_t n_symbols, bool is_wide) {
  oct_coder_log *log = c->log;
  uint64_t beat = log->beat < log->last_beat ? log->beat : log->last_beat;
  log->items[log->n_items++ & log->items_mask] =
      (oct_coder_item_log){beat, n_symbols, is_wide ? 2u : 1u};
}

/* The item under way ends; without symbols it is none. */
static inline void oct_encode_item(oct_encode *c) {
  oct_coder_log *log = c->log;
  if (!log) return;
  uint32_t n = (uint32_t)(log->n_symbols - log->symbols_before);
  if (log->has_number) oct_encode_log_item(c, 0, true);
  if (n) oct_encode_log_item(c, n, log->is_wide);
  log->has_number = log->is_wide = false;
  log->symbols_before = log->n_symbols;
}

/* The item under way has a second word. */
static inline void oct_encode_wide(oct_encode *c) {
  if (c->log) c->log->is_wide = true;
}

/* The last symbol was that of a stamp, or of a trap. */
static inline void oct_encode_stamp(oct_encode *c) {
  if (c->log) c->log->symbols[(c->log->n_symbols - 1) & c->log->symbols_mask] |= OCT_LOG_STAMP;
}

static inline void oct_encode_trap(oct_encode *c) {
  if (c->log) c->log->symbols[(c->log->n_symbols - 1) & c->log->symbols_mask] |= OCT_LOG_TRAP;
}

/* The same behind an access: the next one is of the next beat. */
static inline void oct_encode_access(oct_encode *c) {
  if (!c->log) return;
  oct_encode_item(c);
  c->log->beat++;
}

static inline void oct_encode_step(oct_encode *c) {
  oct_encode_normalise(c);
  c->n_symbols++;
  if (c->log) oct_encode_log_symbol(c, oct_encode_log_bytes(c));
}

/* One step: of the interval, counted from its top in 4096ths, the parts a to b. */
static inline void oct_encode_take(oct_encode *c, uint32_t a, uint32_t b) {
  uint32_t part = c->range >> OCT_CODER_PART_BITS;
  c->low += c->range - part * b;
  c->range = part * (b - a);
  c->run = c->silent = 0;
  oct_encode_step(c);
}

/* A symbol of one decision; p of 4096 is the probability of a 1, at most 4094. Returns bit. The
 * less likely outcome is at the top, the other one has all below. */
static inline unsigned oct_encode_bit(oct_encode *c, uint32_t p, unsigned bit) {
  unsigned is_swapped = p >= OCT_CODER_WHOLE / 2, is_top = bit ^ is_swapped;
  uint32_t part = oct_coder_part(is_swapped ? OCT_CODER_PARTS - p : p, OCT_CODER_PARTS, 1);
  if (is_top) {
    oct_encode_take(c, OCT_CODER_ESCAPE, OCT_CODER_ESCAPE + part);
  } else {
    c->range -= (c->range >> OCT_CODER_PART_BITS) * (OCT_CODER_ESCAPE + part);
    c->run = c->silent = 0;
    oct_encode_step(c);
  }
  return bit;
}

/* A symbol of several decisions: open, then each of them, then close. least: 1 for the last one, 2
 * for that before, 4. */
static inline void oct_encode_open(oct_encode *c) {
  c->a = OCT_CODER_ESCAPE;
  c->b = OCT_CODER_WHOLE;
}

static inline unsigned oct_encode_path(oct_encode *c, uint32_t p, unsigned bit, uint32_t least) {
  uint32_t part = oct_coder_part(p, c->b - c->a, least);
  if (bit)
    c->b = c->a + part;
  else
    c->a += part;
  return bit;
}

static inline void oct_encode_close(oct_encode *c) {
  oct_encode_take(c, c->a, c->b);
}

/* n <= 64 bits that are as likely 0 as 1, from the highest on, 8 in a step: of 2^8 equal parts, 0
 * is the lowest. */
static inline uint64_t oct_encode_raw(oct_encode *c, uint64_t value, unsigned n) {
  while (n) {
    unsigned k = n < OCT_CODER_RAW_BITS ? n : OCT_CODER_RAW_BITS;
    n -= k;
    uint32_t from_top = (uint32_t)(~value >> n) & ((1u << k) - 1);
    oct_encode_take(c, from_top << (OCT_CODER_PART_BITS - k),
                    (from_top + 1) << (OCT_CODER_PART_BITS - k));
  }
  return value;
}

/* A number, such as of instructions: first how long it is. */
static inline uint64_t oct_encode_number(oct_encode *c, uint64_t v) {
  unsigned n = v ? 64 - (unsigned)__builtin_clzll(v) : 0;
  oct_encode_raw(c, n < OCT_NUMBER_LONG ? n : OCT_NUMBER_LONG, OCT_NUMBER_BITS);
  if (n >= OCT_NUMBER_LONG) oct_encode_raw(c, n, OCT_NUMBER_LONG_BITS);
  if (n > 1) oct_encode_raw(c, v, n - 1);
  return v;
}

/* Something that the program does not say, `after` instructions or silent decisions on. */
static inline void oct_encode_escape(oct_encode *c, oct_escape kind, uint64_t after) {
  if (c->log) {
    if (kind != OCT_ESCAPE_WRONG)
      c->log->is_wide = true;
    else if (after)
      c->log->has_number = true;
  }
  oct_encode_take(c, 0, OCT_CODER_ESCAPE);
  oct_encode_raw(c, kind == OCT_ESCAPE_WRONG, 1);
  if (kind != OCT_ESCAPE_WRONG) oct_encode_raw(c, kind, c->escape_bits);
  oct_encode_number(c, after);
}

/* A decision that says nothing when it is 0. Returns bit. */
static inline unsigned oct_encode_silent(oct_encode *c, unsigned bit) {
  if (bit) {
    oct_encode_escape(c, OCT_ESCAPE_WRONG, c->silent);
    c->n_wrong++;
  } else {
    c->silent++;
  }
  return bit;
}

/* Close: as few bytes as tell a value of the interval, if ones are read behind them. */
static inline void oct_encode_end(oct_encode *c) {
  uint64_t ones = (UINT64_C(1) << (OCT_CODER_BITS - 1)) - 1, top = c->low + c->range - 1;
  uint32_t n_ones = OCT_CODER_BITS - 1; /* lowest bits of low that are ones */
  c->low = (top | ones) > top ? (top | ones) - ones - 1 : top | ones;
  uint16_t steps = 0;
  unsigned shift = 0;
  while (OCT_CODER_BITS + c->n_bits > n_ones) {
    c->low = c->low << 8 | 0xff;
    c->n_bits += 8;
    n_ones += 8;
    oct_encode_bytes(c);
    if (c->log) steps |= (uint16_t)(oct_encode_log_bytes(c) << shift);
    shift += OCT_LOG_STEP_BITS;
  }
  if (c->last >= 0 && c->last != 0xff) oct_encode_put(c, (uint8_t)c->last);
  if (!c->log) return;
  steps |= (uint16_t)(oct_encode_log_bytes(c) << (2 * OCT_LOG_STEP_BITS));
  oct_encode_log_symbol(c, steps | OCT_LOG_END);
}

#endif
