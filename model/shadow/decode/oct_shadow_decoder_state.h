/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_decoder_state.h - what the parts of the decoder of `shadow` share: the marks and
 * periods (oct_shadow_marks.c), the events (oct_shadow_decoder.c). */
#ifndef OCT_SHADOW_DECODER_STATE_H
#define OCT_SHADOW_DECODER_STATE_H

#include "oct_bits.h"
#include "oct_shadow_decoder.h"
#include "oct_shadow_uncode.h"

#include "oct_shadow_frame.h"
#include "oct_shadow_step.h"

#define NONE OCT_ENTRY_NONE
enum { BATCH_INSNS = 8192, BATCH_ACCESSES = 16384 };

typedef struct oct_mark_fields {
  unsigned kind, privilege;
  uint32_t check, task;
  uint64_t number;
  uint64_t lost_insns, lost_accesses; /* of an overflow */
  size_t n_bits;
} oct_mark_fields;

struct oct_shadow_decoder {
  oct_shadow_model model;
  oct_coder coder;
  oct_plans plans;
  oct_map_update *updates;
  size_t n_updates, at_update, room_updates;
  uint64_t last_update_insn;

  oct_bits bits;
  size_t scanned; /* bits behind the position in which no mark begins */
  bool is_searching, is_finished, is_in_period, is_flushed;
  uint8_t *period; /* its bytes, the mark's included */
  size_t room_period;

  bool is_begun;                      /* the first instruction of the period was read */
  bool has_gap;                       /* the period begins after a loss that was not told yet: */
  uint64_t lost_insns, lost_accesses; /* so much of it */
  uint64_t n_insns, confirmed;
  uint64_t first_insn; /* of the batch */
  bool is_cut;         /* the last instruction of the period lacks accesses */
  uint64_t limit;      /* instructions before the mark that closes the period */
  uint64_t due_insn;   /* before it no change of the map is due, and no end of the period */
  uint32_t task, at;   /* entry of the instruction decoded last in this period */
  uint64_t pc;

  int error;
  oct_diag diag;
  oct_decoder_counts counts;
  oct_insn insns[BATCH_INSNS];
  oct_access accesses[BATCH_ACCESSES + UINT16_MAX];
  size_t n_batch, n_accesses;
  oct_trap *traps; /* of the batch */
  size_t n_traps, room_traps;
  uint8_t privilege, told_privilege; /* as traps gave it last, and as a mark has it */
  bool has_had_traps;                /* one came since the beginning */
  uint64_t addr[UINT16_MAX + 1];
  oct_map_entry exceeding; /* of an instruction with more accesses than its entry */
};

/* Remember an error; returns it. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int oct_shadow_fail(oct_shadow_decoder *d, int error, const char *format, ...);

/* The mark that stands `ahead` bits behind the position. 1, 0 when it is not wholly there, or
 * OCT_ERR_PACKET. */
int oct_shadow_read_mark(oct_shadow_decoder *d, size_t ahead, oct_mark_fields *m);
/* Look for a sync mark, at any bit. 1: the position is at it; 0: more bytes are needed. */
int oct_shadow_search(oct_shadow_decoder *d);
/* Begin the period that the mark at the position opens, if all of it is there, up to and with the
 * mark that closes it. 1, 0, or an error. */
int oct_shadow_begin_period(oct_shadow_decoder *d);

static inline void oct_shadow_skip(oct_shadow_decoder *d, size_t n_bits) {
  d->bits.pos_bits += n_bits;
  d->scanned = 0;
}

#endif
