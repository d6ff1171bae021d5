/* SPDX-License-Identifier: Apache-2.0 */
/* oct_player.h - a container opened together with the decoder of its port bits.
 *
 * Threads: A player is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_PLAYER_H
#define OCT_PLAYER_H

#include "oct_buffer.h"
#include "oct_container.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_player {
  oct_container_reader *reader;
  const oct_tracer *tracer;
  void *decoder;           /* of the tracer */
  oct_map_update *updates; /* all seen so far; a decoder that starts over needs them again */
  size_t n_updates, updates_room;
  uint64_t n_insns; /* decoded so far */
  bool at_end;      /* the end chunk was seen: totals holds */
  bool is_part;     /* begins at a later sync: the totals are of more */
  oct_container_totals totals;
  /* Salvage: */
  bool salvage;          /* go on behind damage; may be set after opening */
  bool has_totals;       /* totals were read */
  unsigned n_damaged;    /* places */
  oct_diag first_damage; /* where the first was, and what */
  bool after_damage;     /* the next run follows damage */
  uint64_t gap_insns;    /* instructions that damage took before the run that was given last */
  uint64_t next_insn;    /* number of the one behind the last run */
  oct_buffer bits;       /* the last chunk of bits, from which a decoder starts over */
  uint64_t bits_first;   /* bytes given to the decoder before that chunk */
} oct_player;

/* Open the container at path, to decode from its sync number from_sync on (0: the first). 0, or an
 * error with *diag; nothing is left open then. */
int oct_player_open(oct_player *p, const char *path, uint64_t from_sync, oct_diag *diag);
/* 1 and a decoded run, 0 at the end, or an error; OCT_ERR_FORMAT also when the end tells of other
 * numbers of instructions or accesses than were decoded. With p->salvage a damaged chunk or stream
 * is no error, but costs what stands up to the next sync. */
int oct_player_next(oct_player *p, oct_decoded *run, oct_diag *diag);
void oct_player_counts(const oct_player *p, oct_decoder_counts *counts);
void oct_player_close(oct_player *p);

#ifdef __cplusplus
}
#endif

#endif
