/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay.h - a tracer's decoder behind which nothing wrong gets out: runs are held back until a
 * check of the port confirms them, damage costs no more than it must, and every gap is told.
 *
 * It serves every tracer. One without checks confirms all at once; one without syncs ends at its
 * first error.
 *
 * Threads: A replay is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_REPLAY_H
#define OCT_REPLAY_H

#include "oct_tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_replay oct_replay;

typedef struct oct_replay_options {
  bool is_unconfirmed;   /* hand out everything at once, wrong instructions among it */
  bool ends_at_damage;   /* the first damage is an error, as in a decoder, not a gap */
  size_t hold_max_bytes; /* most that may wait for a check, 0 = 1 GiB */
  uint64_t reserved[4];  /* 0 */
} oct_replay_options;

/* What is missing between two instructions that were handed out, or behind the last. */
typedef struct oct_gap {
  uint64_t insn;       /* number of the first instruction missing */
  uint64_t lost_insns; /* UINT64_MAX: the port does not tell; numbers behind are the least then */
  uint64_t lost_accesses; /* UINT64_MAX: not known */
  int error;              /* 0: the tracer lost them itself and said so; else the damage, */
  oct_diag diag;          /* and where in the port bits it showed */
  uint64_t is_end;        /* 1: nothing came behind it */
  uint64_t failed_syncs;  /* syncs in it from which the decoder could not go on, */
  oct_diag last;          /* and where it failed last */
  uint64_t sync_bits;     /* where in the port bits the last sync found in it is; 0: none was, or
                             the stream begins with a later sync than the first */
  uint64_t reserved[1];   /* 0 */
} oct_gap;

/* Totals of what was handed out. */
typedef struct oct_replay_counts {
  uint64_t insns, accesses;
  uint64_t losses, lost_insns, lost_accesses; /* gaps that the tracer told, without damage, */
  uint64_t damages, damaged_insns;            /* and those of damage, where its end is known */
  uint64_t held_bytes_max;
  uint64_t uncounted;   /* gaps of either kind of unknown length, but for one at the end */
  uint64_t trap_losses; /* of losses, those of no instruction and no access: traps alone */
  uint64_t reserved[2]; /* 0 */
} oct_replay_counts;

/* OCT_ERR_CONFIG, OCT_ERR_NOMEM. options may be NULL. The caller frees *r. */
int oct_replay_new(const oct_tracer *t, const uint32_t *params, oct_decoder_start start,
                   const oct_replay_options *options, oct_replay **r, oct_diag *diag);
void oct_replay_free(oct_replay *r);

/* Before the first push: what is known of the trace. From here on it is damage where an address has
 * more than addr_bits (32 or 64), an instruction is not aligned to insn_align_bytes (0: not known),
 * a trap makes no sense, or the cycle stamps of a task go back. oct_player_open does this. */
void oct_replay_expect(oct_replay *r, unsigned addr_bits, unsigned insn_align_bytes);

/* As the decoder's of the tracer. */
int oct_replay_map(oct_replay *r, const oct_map_update *updates, size_t n, oct_diag *diag);
int oct_replay_push(oct_replay *r, const uint8_t *bytes, size_t n, oct_diag *diag);
void oct_replay_finish(oct_replay *r);

/* Bytes are missing here, as why tells, which has an error: what was not confirmed is dropped, and
 * what is pushed from now on is searched for a sync. updates are all changes of the program map
 * told so far. */
int oct_replay_break(oct_replay *r, const oct_diag *why, const oct_map_update *updates, size_t n,
                     oct_diag *diag);

/* The next run, and the gap behind it: 1, *run and *gap, whose error and lost counts are all 0
 * where there is none. run->is_gap is set with every gap; a run may be empty. 0: more bytes are
 * needed, or after oct_replay_finish the end. Errors: of memory and limits (OCT_ERR_LIMIT: more
 * than hold_max_bytes wait for a check), and with ends_at_damage, or for a tracer that cannot
 * resume, of the stream. Then what was confirmed has been handed out, and the error is only
 * repeated. */
int oct_replay_next(oct_replay *r, oct_decoded *run, oct_gap *gap, oct_diag *diag);

void oct_replay_get_counts(const oct_replay *r, oct_replay_counts *counts);
/* Of the decoder: what was read, right or wrong. */
void oct_replay_decoder_counts(const oct_replay *r, oct_decoder_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
