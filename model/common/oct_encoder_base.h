/* SPDX-License-Identifier: Apache-2.0 */
/* oct_encoder_base.h - what encoders have in common, whatever their format: how they are made, how
 * they hand out bytes, what is saved of them.
 *
 * The struct of an encoder begins with an oct_encoder_base; the functions here take a pointer to
 * either. An encoder whose packets say where a program goes needs the instruction that comes next:
 * oct_encoder_base_put holds the last one back for it. */
#ifndef OCT_ENCODER_BASE_H
#define OCT_ENCODER_BASE_H

#include "octrace/error.h"
#include "oct_map_walk.h"
#include "octrace/tracer.h"

/* A trap before instruction number `insn`. */
typedef struct oct_encoder_trap {
  uint64_t insn;
  oct_trap trap;
} oct_encoder_trap;

typedef struct oct_encoder_base {
  oct_buffer out;    /* port bytes that were not taken yet */
  oct_map_walk walk; /* the map, of formats that need it */
  oct_buffer traps;  /* oct_encoder_trap, of formats that send them, */
  size_t traps_at;   /* of which the next is this, */
  uint64_t trap_at;  /* none of them is before an instruction of a lower number */
  oct_insn held;     /* the instruction that came last waits for the one after it */
  bool has_held;
  bool is_enabled;  /* tracing goes on */
  bool seen_class;  /* an instruction had a class */
  uint64_t insn;    /* number of the instruction in hand */
  uint64_t sync_at; /* and of that from which on a sync is due */
} oct_encoder_base;

/* Make an encoder of n_bytes, all zero but its base, for tracer t: parameters are checked, init
 * does the rest (0 or an error with *diag); t->encoder.destroy is called if it fails. As `create`
 * of oct_tracer_encoder, for tracers without a cycle engine. */
int oct_encoder_base_create(const oct_tracer *t, size_t n_bytes,
                            int (*init)(void *e, const uint32_t *params, oct_diag *diag),
                            const uint32_t *params, const oct_run_options *run, void **out,
                            oct_diag *diag);
/* Part of `fit`: the trace has another instruction set than the format carries, or does not say it
 * (isa is NULL or not known). carries: "Intel PT carries x86 only (x86, x86-64)".
 * OCT_ERR_UNSUPPORTED. */
int oct_encoder_base_refuse_isa(const char *isa, const char *carries, oct_diag *diag);
/* As `destroy` and `take`. */
void oct_encoder_base_destroy(void *e);
size_t oct_encoder_base_take(void *e, const uint8_t **bytes);

/* Take instructions: each but the last of insns is followed by the next one there; the last is only
 * looked at. Counts e->insn up. */
typedef int oct_put_followed(void *e, const oct_insn *insns, size_t n, oct_diag *diag);
/* As `put` and `flush`. put_last takes the last instruction, behind which nothing comes. */
int oct_encoder_base_put(void *e, const oct_tracer_input *in, oct_put_followed *put_followed,
                         oct_diag *diag);
int oct_encoder_base_flush(void *e, int (*put_last)(void *e, const oct_insn *insn, oct_diag *diag),
                           oct_diag *diag);

/* Part of `put` of formats that send traps: keep those of the batch, which is not yet put.
 * OCT_ERR_NOMEM. */
int oct_encoder_base_keep_traps(void *e, const oct_tracer_input *in);
/* The traps right before instruction `insn`, *n of them, in their order; valid until the next
 * batch. With is_taken they are dropped, and with them those of earlier instructions. */
const oct_encoder_trap *oct_encoder_base_traps(void *e, uint64_t insn, bool is_taken, size_t *n);

/* The first of n traps that is not a change of privilege alone, or NULL. */
static inline const oct_trap *oct_first_trap(const oct_encoder_trap *t, size_t n) {
  while (n && t->trap.kind == OCT_TRAP_PRIVILEGE) t++, n--;
  return n ? &t->trap : NULL;
}
/* Where a trap comes: at `at` if the trace does not tell. */
static inline uint64_t oct_trap_place(const oct_trap *t, uint64_t at) {
  return t->addr ? t->addr : at;
}

/* Where the map says that the instruction at addr leads; `none` if it does not know. */
static inline uint64_t oct_encoder_base_target(const oct_encoder_base *e, uint64_t addr,
                                               uint64_t none) {
  uint32_t id = oct_map_find(e->walk.map, addr);
  return id == OCT_WALK_NONE ? none : oct_map_at(e->walk.map, id)->target;
}

/* An instruction does not lead to the one behind it. Where no instruction so far had a class, that
 * may be a jump which the trace does not tell: OCT_ERR_UNSUPPORTED then, else 0. */
int oct_encoder_base_check_class(const oct_encoder_base *e, const oct_insn *insn, oct_diag *diag);

#endif
