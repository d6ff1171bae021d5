/* SPDX-License-Identifier: Apache-2.0 */
/* oct_join.h - joins streams and accesses into retired instructions, by the program map, and checks
 * at barriers that both sides agree. */
#ifndef OCT_JOIN_H
#define OCT_JOIN_H

#include "oct_data_side.h"
#include "octrace/tracer.h"
#include "oct_insn_side.h"

OCT_QUEUE_OF(update, oct_map_update)

typedef struct oct_join {
  oct_insn_side insn_side;
  oct_data_side data_side;
  uint64_t addr_mask;
  bool has_checks;
  /* program map */
  oct_map *map;
  uint32_t map_version; /* from 1 on */
  oct_queue updates;    /* all of them: after damage the map may have to be made anew */
  size_t n_updates;     /* of these, how many the map holds */
  uint64_t last_update_insn;
  /* position */
  uint64_t insn_number;  /* instructions passed, those lost included */
  oct_stream_run stream; /* at hand */
  uint32_t stream_left;  /* instructions left of it */
  uint64_t pc;           /* the next of them */
  uint32_t map_id;       /* its map entry, UINT32_MAX: to be found */
  uint32_t n_taken;      /* accesses that it has so far */
  bool is_lost_saturated;
  uint64_t confirmed_insns; /* oct_decoded's */
  uint64_t base_insn;  /* an instruction number known to be right: that of the last sync or check
                          that agreed; */
  bool has_base_traps; /* a check agreed with traps between the sync before it and it, too */
  uint64_t sync_insn;  /* of the last sync, */
  bool has_sync_traps; /* and whether traps came behind it */
  /* batch */
  oct_insn *insns;
  size_t n_insns;
  oct_access *accesses; /* n_accesses of insns, then n_taken */
  size_t n_accesses;
  oct_trap traps[OCT_DECODED_TRAPS];
  size_t n_traps;
  uint8_t privilege,
      told_privilege; /* as traps gave it last, and as a sync or an overflow has it */
  bool has_had_traps; /* one came since the beginning */
  uint64_t time;      /* of the last stamp, */
  bool has_time;      /* whether the next instruction's cycle is known: */
  uint64_t insn_time;
  bool is_paced;           /* whether the next stream's is, but for its delay: */
  uint64_t expected_cycle; /* (oct_pace.h) */
  uint64_t batch_first;
  oct_decoder_counts counts;
} oct_join;

/* Result of oct_join_run: packets are needed, or the batch is full. */
enum { OCT_STARVED = 0, OCT_FULL = 1 };

/* cfg was checked. OCT_ERR_NOMEM; oct_join_free is to be called all the same. */
int oct_join_init(oct_join *j, const oct_config *cfg);
void oct_join_free(oct_join *j);

/* Changes of the program map, ordered by from_insn. Copied. OCT_ERR_ARG (out of order),
 * OCT_ERR_NOMEM. */
int oct_join_map(oct_join *j, const oct_map_update *updates, size_t n, oct_diag *diag);

/* Start a batch. */
void oct_join_begin(oct_join *j);
/* Fill the batch from the queues: OCT_FULL, OCT_STARVED; or what was read contradicts itself or the
 * map: OCT_ERR_PACKET, OCT_ERR_LIMIT, OCT_ERR_MAP, OCT_ERR_NOMEM, and *why. */
int oct_join_run(oct_join *j, oct_packet_queues *q, oct_diag *why);
/* Check and carry out a barrier; the join is starved. 0, OCT_ERR_CHECKSUM (its check does not
 * agree), or as oct_join_run. */
int oct_join_pass(oct_join *j, oct_packet_queues *q, const oct_port_barrier *b, oct_diag *why);
/* Hand out the batch. */
void oct_join_deliver(oct_join *j, oct_decoded *out);

/* Behind damage: drop what is under way. The queues were cleared; a sync follows. */
void oct_join_drop(oct_join *j);

#endif
