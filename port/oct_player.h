/* SPDX-License-Identifier: Apache-2.0 */
/* oct_player.h - a container opened together with what decodes its port bits
 * (oct_replay.h).
 *
 * Threads: A player is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_PLAYER_H
#define OCT_PLAYER_H

#include "oct_buffer.h"
#include "oct_container.h"
#include "oct_replay.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_player {
  oct_container_reader *reader;
  const oct_tracer *tracer;
  oct_replay *replay;
  uint64_t n_insns;    /* handed out so far */
  uint64_t tail_insns; /* missing at the end, after damage */
  bool at_end;         /* the end chunk was seen: totals holds */
  bool is_part;        /* begins at a later sync: the totals are of more */
  oct_container_totals totals;
  /* Salvage: */
  bool salvage;          /* go on behind damaged chunks; may be set before the first next */
  bool has_totals;       /* totals were read */
  unsigned n_damaged;    /* places in the container */
  oct_diag first_damage; /* where the first was, and what */
  struct oct_player_state *state;
  uint64_t reserved[4]; /* 0 */
} oct_player;

/* Open the container at path, to decode from its sync number from_sync on (0: the first). A file of
 * more map updates than max_updates (0: OCT_CONTAINER_UPDATES_MAX) ends in OCT_ERR_LIMIT. program
 * (may be NULL) is for a container whose program stands apart, as oct_container_give_program. 0, or
 * an error with *diag; nothing is left open then. */
int oct_player_open(oct_player *p, const char *path, uint64_t from_sync, uint64_t max_updates,
                    oct_program *program, const oct_replay_options *options, oct_diag *diag);
/* 1, a decoded run and the gap behind it (oct_replay_next), 0 at the end, or an error. A gap up to
 * the end has its length where the container tells how many instructions there were. OCT_ERR_FORMAT
 * also when the end tells of other numbers of instructions, accesses or map changes than came. With
 * p->salvage a damaged chunk is no error, but a gap up to the next sync. */
int oct_player_next(oct_player *p, oct_decoded *run, oct_gap *gap, oct_diag *diag);
/* Whether all that the file holds was handed out. An error of oct_player_next then is that the end
 * tells of other numbers. */
bool oct_player_gave_all(const oct_player *p);
/* Bytes of the file that have been decoded, as nearly as can be told: for progress. */
uint64_t oct_player_bytes_done(const oct_player *p);
/* Of the decoder. */
void oct_player_counts(const oct_player *p, oct_decoder_counts *counts);
void oct_player_close(oct_player *p);

#ifdef __cplusplus
}
#endif

#endif
