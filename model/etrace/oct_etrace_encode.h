/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_encode.h - the E-Trace encoder. */
#ifndef OCT_ETRACE_ENCODE_H
#define OCT_ETRACE_ENCODE_H

#include "oct_etrace_emit.h"
#include "oct_path_tail.h"
#include "oct_etrace_memory.h"
#include "oct_map_walk.h"

typedef struct oct_et_encoder {
  oct_et_config cfg;
  oct_et_emit emit;
  oct_et_memory memory;
  oct_map_walk walk;
  /* The instruction that came last waits for the next one, which says where it went. */
  oct_insn held;
  bool has_held;
  oct_access *held_accesses;
  size_t room_held;
  uint64_t insn;      /* number of the instruction in hand */
  uint64_t sync_at;   /* number of the instruction from which on a sync is due */
  uint64_t last_addr; /* address of the instruction before, and */
  uint32_t last_size; /* its size, 0 = none */
  bool enabled;       /* tracing goes on: a support packet said so */
  uint8_t sync;       /* before the instruction in hand: OCT_ET_NO_SYNC, or a subformat */
  bool after_jump;    /* the instruction before was an uninferable jump: report this one */
  bool return_missed; /* and it was a return that the stack predicted wrong, */
  uint32_t irdepth;   /* with as many calls on it */
  uint64_t address;   /* reported last */
  uint32_t branches;  /* not yet reported, */
  uint32_t map;       /* the first 31 of them, */
  uint32_t correct;   /* how many were predicted, if all were, */
  bool all_correct;   /* which this says, */
  bool last_failed;   /* but the last, when more than 31 were */
  bool seen_class;    /* an instruction had a class */
  oct_tail tail;
} oct_et_encoder;

enum { OCT_ET_NO_SYNC = 0xff };

/* 0, OCT_ERR_CONFIG or OCT_ERR_NOMEM; to be freed in any case. */
int oct_et_encoder_init(oct_et_encoder *e, const uint32_t *params, oct_diag *diag);
void oct_et_encoder_free(oct_et_encoder *e);

/* Instructions and their accesses. OCT_ERR_NOMEM, OCT_ERR_LIMIT (a task number or an access wider
 * than its field), OCT_ERR_UNSUPPORTED (instructions without classes). */
int oct_et_encoder_put(oct_et_encoder *e, const oct_insn *insns, size_t n,
                       const oct_access *accesses, oct_diag *diag);
/* The trace ends, or pauses. */
int oct_et_encoder_flush(oct_et_encoder *e, oct_diag *diag);

#endif
