/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_encoder.h - the compressor of `shadow`, untimed. */
#ifndef OCT_SHADOW_ENCODER_H
#define OCT_SHADOW_ENCODER_H

#include "octrace/map.h"
#include "oct_shadow_config.h"
#include "oct_shadow_model.h"
#include "octrace/tracer.h"

typedef struct oct_shadow_encoder oct_shadow_encoder;

/* has_syncs: put makes the syncs that the parameters ask for; else periods end and syncs come by
 * oct_shadow_encoder_end and oct_shadow_encoder_sync only. OCT_ERR_NOMEM. */
int oct_shadow_encoder_new(const oct_shadow_config *cfg, bool has_syncs, oct_shadow_encoder **e,
                           oct_diag *diag);
void oct_shadow_encoder_free(oct_shadow_encoder *e);
/* As oct_tracer_encoder.put. */
int oct_shadow_encoder_put(oct_shadow_encoder *e, const oct_tracer_input *in, oct_diag *diag);
/* The parts of put, for an engine with time, which has checked that instructions can be taken.
 * Changes of the map; then for each instruction: its arrival, which also says where the one before
 * went (OCT_ERR_MAP); its accesses. All: OCT_ERR_NOMEM. */
int oct_shadow_encoder_updates(oct_shadow_encoder *e, const oct_map_update *updates, size_t n,
                               oct_diag *diag);
/* A trap before the instruction that arrives next; to be left out without the parameter traps. */
int oct_shadow_encoder_trap(oct_shadow_encoder *e, const oct_trap *trap, oct_diag *diag);
int oct_shadow_encoder_check_trap(const oct_shadow_encoder *e, const oct_trap *trap,
                                  oct_diag *diag);
int oct_shadow_encoder_arrive(oct_shadow_encoder *e, const oct_insn *insn, oct_diag *diag);
int oct_shadow_encoder_access(oct_shadow_encoder *e, const oct_insn *insn,
                              const oct_access *accesses, oct_diag *diag);
/* So many instructions and accesses after the one that came last were lost; is_cut: accesses of
 * that one, too. */
int oct_shadow_encoder_lose(oct_shadow_encoder *e, uint64_t n_insns, uint64_t n_accesses,
                            bool is_cut, oct_diag *diag);
/* Of the instruction that arrived last: is where it goes a decision? */
bool oct_shadow_encoder_has_control(oct_shadow_encoder *e);
/* Where the coder writes down its symbols from now on. */
struct oct_coder_log;
void oct_shadow_encoder_log(oct_shadow_encoder *e, struct oct_coder_log *log);
/* What was coded since the last item was one item. */
void oct_shadow_encoder_item(oct_shadow_encoder *e);
/* The privilege that the next mark tells, where traps were lost before it. */
void oct_shadow_encoder_privilege(oct_shadow_encoder *e, uint8_t privilege);
/* Cycles that the value cache needs behind its own for access i of the instruction that arrived
 * last, or for the word learnt before, if it has no access: it frees two words in a cycle. Before
 * oct_shadow_encoder_access for the first one. */
uint32_t oct_shadow_encoder_frees(const oct_shadow_encoder *e, const oct_insn *insn,
                                  const oct_access *accesses, uint32_t i);
/* Has the instruction that comes next a stamp, if it is of the same period? */
bool oct_shadow_encoder_stamp_is_due(const oct_shadow_encoder *e);
/* A mark was one item, without symbols. */
void oct_shadow_encoder_pass(oct_shadow_encoder *e);
/* The period ends behind the instruction that came last. */
int oct_shadow_encoder_end(oct_shadow_encoder *e, oct_diag *diag);
/* A sync before the next instruction, which has this task. */
int oct_shadow_encoder_sync(oct_shadow_encoder *e, uint32_t task, oct_diag *diag);
int oct_shadow_encoder_flush(oct_shadow_encoder *e, oct_diag *diag);
size_t oct_shadow_encoder_take(oct_shadow_encoder *e, const uint8_t **bytes);

typedef struct oct_shadow_counts {
  uint64_t insns, accesses, traps, syncs, packets, mark_bits, overhead_bits,
      category_bits[OCT_SC_COUNT];
  oct_shadow_stats stats;
  uint64_t symbols; /* of the coder */
  /* Of the engine with time. */
  uint64_t cycles, port_busy_cycles, overflows, lost_insns, lost_accesses;
  uint64_t high_water[3], sufficient[3], sufficient_overflows;
  uint64_t lost_traps;
  uint64_t filtered_insns, filtered_accesses, filtered_traps; /* of those lost */
} oct_shadow_counts;
void oct_shadow_encoder_counts(const oct_shadow_encoder *e, oct_shadow_counts *counts);
/* As the counters of the tracer (oct_shadow.c). */
void oct_shadow_counts_put(const oct_shadow_counts *counts, uint64_t *values);

#endif
