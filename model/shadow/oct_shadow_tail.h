/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_tail.h - from the queue to the trace bus, as far as time goes (docs/shadow-rtl.md):
 * unroll, symbol, coder, framer, output buffer.
 *
 * What the coder makes of a symbol is in the log of the untimed encoder: here a symbol is the
 * number of bytes that it brings. */
#ifndef OCT_SHADOW_TAIL_H
#define OCT_SHADOW_TAIL_H

#include "oct_shadow_encode.h"
#include "oct_shadow_frame.h"

#include <stdbool.h>

enum {
  OCT_SYMBOL_CYCLES = 5, /* stages of oct_shadow_symbol.v */
  OCT_CODER_CYCLES = 4,  /* of oct_shadow_coder.v, without its output */
  OCT_BEAT_BYTES = 4,    /* of the trace bus; words of the output buffer */
  OCT_TIMED_LEVELS = 64  /* of occupancy, and one for empty */
};

typedef enum oct_timed_buffer {
  OCT_TIMED_GATHER,
  OCT_TIMED_QUEUE,
  OCT_TIMED_OUT,
  OCT_TIMED_BUFFERS
} oct_timed_buffer;

typedef enum oct_tail_flush { OCT_TAIL_NO_FLUSH, OCT_TAIL_PACK, OCT_TAIL_DRAIN } oct_tail_flush;

/* A symbol on its way: 0, or what the log has with OCT_TAIL_VALID. */
enum { OCT_TAIL_VALID = 0x10000 };

typedef struct oct_shadow_tail {
  uint32_t out_words;                 /* places of the output buffer */
  uint32_t queue_words;               /* taken, of the queue */
  uint64_t n_items_in;                /* items that came to the queue */
  uint64_t item_head;                 /* the first that is in it */
  uint64_t symbol_head;               /* the next one in the log */
  uint64_t n_traps_out, n_stamps_out; /* those whose last symbol was taken */
  uint32_t cycles_left;               /* of the first item in unroll; 0: not begun */
  uint32_t unrolled;                  /* between unroll and symbol */
  uint32_t symbols[OCT_SYMBOL_CYCLES], coder[OCT_CODER_CYCLES]; /* rings */
  uint32_t symbol_at, coder_at;                                 /* their last stage */
  uint32_t n_under_way;                                         /* symbols in all of these */
  bool fills, closes;        /* the coder: at the end of a period */
  uint8_t end_steps[2];      /* bytes of these */
  bool has_coded, coded_end; /* its output, */
  uint8_t coded_bytes;       /* so many */
  bool is_ended;             /* framer: the period has left, a mark comes */
  uint32_t mark_at;          /* bytes of it that left */
  uint64_t since_sync_bytes; /* that left behind the mark of the last sync */
  oct_tail_flush flush;
  uint32_t n_held;  /* bytes that do not fill a word yet */
  uint32_t n_words; /* in the output buffer */
  uint32_t last_bytes;
  bool atvalid_q, flush_out_q; /* as the bus sees it */
} oct_shadow_tail;

typedef struct oct_tail_in {
  bool atready, atclken;
  bool has_mark; /* with this kind, of so many bytes */
  oct_frame_kind mark;
  uint32_t mark_bytes;
} oct_tail_in;

typedef struct oct_tail_out {
  bool atvalid, flush_out, flush_done, mark_done;
  uint32_t atbytes; /* of the beat */
} oct_tail_out;

void oct_shadow_tail_init(oct_shadow_tail *s, uint32_t out_fifo_bytes);
/* One clock cycle; what comes to the queue in it, comes after it. */
void oct_shadow_tail_cycle(oct_shadow_tail *s, const oct_coder_log *log, const oct_tail_in *in,
                           oct_tail_out *out);
/* The next item of the log is in the queue. */
void oct_shadow_tail_put(oct_shadow_tail *s, const oct_coder_log *log);
/* Nothing is on its way between queue and framer. */
static inline bool oct_shadow_tail_is_empty(const oct_shadow_tail *s) {
  return !s->queue_words && !s->n_under_way && !s->fills && !s->closes && !s->has_coded;
}

#endif
