/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_encoder_state.h - what the compressor of `shadow` holds, for its own files. */
#ifndef OCT_SHADOW_ENCODER_STATE_H
#define OCT_SHADOW_ENCODER_STATE_H

#include "oct_shadow_encode.h"
#include "oct_shadow_encoder.h"
#include "oct_shadow_execute.h"
#include "oct_shadow_plan.h"

struct oct_shadow_encoder {
  oct_shadow_model model;
  oct_coder coder;
  oct_plans plans;
  uint64_t n_insns; /* that came, lost ones included */
  /* Before this instruction, and before the coder has so many bytes, no sync is due and no change
   * of the map. 0 where no instruction is at hand. */
  uint64_t due_insn;
  size_t due_bytes;
  uint64_t lost_insns, lost_accesses; /* of the overflow that is being told */
  uint64_t next_sync;
  uint32_t task;
  bool is_open;                     /* a period is under way */
  bool is_in_trap;                  /* what comes behind the last trap is still to be said */
  uint8_t privilege;                /* from the last trap on, for marks */
  uint64_t begun_bytes, begun_bits; /* port bytes before it; bits that were accounted for */
  uint64_t synced_bytes;            /* port bytes before the period of the last sync */
  uint32_t at;                /* entry of the instruction that came last in this period, or none */
  const oct_map_entry *entry; /* the same, until the next change of the map, */
  oct_map_entry exceeding;    /* or this one, if the instruction exceeded that, */
  bool is_exceeding;          /* as a checkpoint tells */
  oct_shadow_done done;
  uint64_t taken; /* bytes handed out */
  uint32_t crc;   /* of the period's bytes before crc_at, the mark's included */
  size_t crc_at;  /* in the coder's bytes */
  uint8_t *out;   /* bytes handed out last */
  size_t room_out;
  oct_map_update *waiting; /* changes of the map whose instruction did not come yet */
  size_t waiting_at, n_waiting, room_waiting;
  uint64_t addr[UINT16_MAX + 1];
  oct_shadow_counts counts;
};

/* due_insn and due_bytes, from what is known now. */
void oct_shadow_encoder_set_dues(oct_shadow_encoder *e);

#endif
