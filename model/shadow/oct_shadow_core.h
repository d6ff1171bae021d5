/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_core.h - the core of the compressor, as far as time goes: beats on their way from the
 * decoder to the queue (docs/shadow-rtl.md). The untimed encoder computes what they bring. */
#ifndef OCT_SHADOW_CORE_H
#define OCT_SHADOW_CORE_H

#include "oct_shadow_encode.h"

/* From the read of the value cache to the items; the decoder comes before. */
enum { OCT_CORE_CYCLES = 10 };

typedef struct oct_shadow_core {
  uint64_t beats[OCT_CORE_CYCLES]; /* numbers of the beats, a ring; 0: none */
  uint32_t beat_at;                /* its last stage */
  uint32_t n_beats;                /* under way, that in the decoder included */
  uint64_t decoded;                /* the beat before them, behind the decoder, */
  uint32_t decoded_frees; /* for which the value cache frees words in so many cycles more */
  uint32_t frees_left;    /* such cycles before the next beat is read */
  uint64_t items_arrived; /* at the end, of all items, */
  uint64_t items_first;   /* up to the end of the first beat there */
} oct_shadow_core;

typedef struct oct_core_in {
  bool is_ready;        /* the queue has room for all that a cycle brings */
  uint64_t n_items_out; /* that went to the queue before */
} oct_core_in;

typedef struct oct_core_out {
  uint32_t n_items; /* that go to the queue */
  bool takes;       /* the decoder takes another beat */
} oct_core_out;

/* One clock cycle. log: the items of the beats. */
void oct_shadow_core_cycle(oct_shadow_core *s, const oct_coder_log *log, const oct_core_in *in,
                           oct_core_out *out);
/* The decoder takes this beat in the cycle. */
void oct_shadow_core_put(oct_shadow_core *s, uint64_t beat, uint32_t frees);

#endif
