/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_join.h - instructions of one side and accesses of the other put together: the map says
 * how many accesses an instruction makes, a packet where they are fewer. */
#ifndef OCT_ETRACE_JOIN_H
#define OCT_ETRACE_JOIN_H

#include "octrace/error.h"
#include "oct_etrace.h"
#include "octrace/map.h"
#include "octrace/tracer.h"

typedef struct oct_et_joined {
  oct_insn insn;
  uint8_t n_slots; /* accesses that it makes, unless */
  bool is_open;    /* their number varies: a packet ends them */
  uint16_t stores; /* which of the first 16 accesses are stores, by the map */
} oct_et_joined;

typedef struct oct_et_join {
  const oct_et_config *cfg;
  oct_buffer insns;    /* oct_et_joined: first .. */
  oct_buffer accesses; /* oct_access; one of size 0xff ends those of an instruction */
  size_t first_insn, first_access;
  oct_buffer out_insns, out_accesses; /* of the batch that was handed out */
  uint64_t last_data[8];
  uint8_t has_last_data;
} oct_et_join;

/* All return 0 or OCT_ERR_NOMEM. */
int oct_et_join_insn(oct_et_join *j, const oct_insn *insn, const oct_map_entry *e);
/* OCT_ERR_PACKET for a difference without an address before it, too. */
int oct_et_join_data(oct_et_join *j, const oct_et_data *d);
/* Hand out the instructions that have all their accesses. */
int oct_et_join_take(oct_et_join *j, oct_batch *batch);

/* Instructions that wait for accesses, or accesses that no instruction took. */
static inline bool oct_et_join_is_open(const oct_et_join *j) {
  return j->first_insn * sizeof(oct_et_joined) < j->insns.n_bytes ||
         j->first_access * sizeof(oct_access) < j->accesses.n_bytes;
}
static inline size_t oct_et_join_waiting(const oct_et_join *j) {
  return j->insns.n_bytes / sizeof(oct_et_joined) - j->first_insn;
}
/* Throw away what was not handed out. */
static inline void oct_et_join_clear(oct_et_join *j) {
  j->insns.n_bytes = j->accesses.n_bytes = 0;
  j->first_insn = j->first_access = 0;
  j->has_last_data = 0;
}
static inline void oct_et_join_free(oct_et_join *j) {
  oct_buffer_free(&j->insns);
  oct_buffer_free(&j->accesses);
  oct_buffer_free(&j->out_insns);
  oct_buffer_free(&j->out_accesses);
}

#endif
