/* SPDX-License-Identifier: Apache-2.0 */
/* oct_untimed.h - the compressor without time: the stages' steps in a row, nothing is ever lost. */
#ifndef OCT_UNTIMED_H
#define OCT_UNTIMED_H

#include "octrace/error.h"
#include "oct_dasc.h"
#include "oct_front.h"
#include "oct_ntuple.h"
#include "oct_output.h"
#include "oct_repetition.h"
#include "oct_stream_cache.h"

typedef struct oct_untimed {
  oct_stats stats;
  oct_front front;
  oct_stream_cache stream_cache;
  oct_ntuple ntuple;
  oct_dasc dasc;
  oct_repetition repetition;
  oct_output output;
  oct_buffer bytes;
  uint64_t partial; /* bits that do not fill a byte yet */
  uint32_t partial_bits;
} oct_untimed;

/* Allocates; OCT_ERR_NOMEM. */
int oct_untimed_init(oct_untimed *s, const oct_config *cfg);
void oct_untimed_free(oct_untimed *s);
/* 0 or OCT_ERR_NOMEM. Port bytes are added to s->bytes. */
int oct_untimed_put(oct_untimed *s, const oct_insn *insns, size_t n_insns,
                    const oct_access *accesses);
/* A trap before the next instruction, which is of this task. Likewise. */
int oct_untimed_put_trap(oct_untimed *s, const oct_trap_word *trap, uint32_t task);
int oct_untimed_flush(oct_untimed *s);

#endif
