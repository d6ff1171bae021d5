/* SPDX-License-Identifier: Apache-2.0 */
/* oct_arrival.h - the traced core and the trace receiver, as far as time goes: in which cycle an
 * instruction retires, and in which the port is stalled.
 *
 * An instruction retires in the next cycle, at a mean rate (CPI), or at its time stamp. In which
 * cycles the receiver stalls is a function of seed and cycle alone, so that cycles can be skipped.
 */
#ifndef OCT_ARRIVAL_H
#define OCT_ARRIVAL_H

#include "octrace/trace.h"
#include "oct_hash.h"
#include "octrace/tracer.h"

#include <stdbool.h>

/* Most cycles between the first stamp of a trace and another. */
#define OCT_CYCLES_MAX ((uint64_t)1 << 62)

typedef struct oct_arrivals {
  uint64_t cycle;       /* cycles so far */
  uint64_t cycle_milli; /* when the last instruction retired, in thousandths (CPI) */
  uint64_t first_stamp, first_stamp_cycle;
  bool has_stamp;
} oct_arrivals;

/* A number for each cycle, by which a pause that is not run changes no stall behind it: splitmix64
 * (Steele 2014). Its state after a cycle is a sum, so any cycle's is at hand; another odd factor
 * sets the seeds apart. The shifts and factors behind are those of its output function. */
static inline uint32_t oct_arrival_random(uint64_t seed, uint64_t cycle) {
  uint64_t z = (seed + 1) * 0x2545f4914f6cdd1du + cycle * OCT_HASH_FACTOR;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ z >> 31) >> 32);
}

/* Does the receiver stall the port in the next cycle? */
static inline bool oct_arrival_stalls(const oct_arrivals *s, const oct_run_options *options) {
  return options->stall_milli &&
         (uint64_t)oct_arrival_random(options->seed, s->cycle) * 1000 >> 32 < options->stall_milli;
}

/* The first cycle in which an instruction may retire by the arrival model. */
static inline uint64_t oct_arrival_cycle(oct_arrivals *s, const oct_run_options *options,
                                         const oct_insn *insn) {
  if (options->arrival == OCT_ARRIVAL_CPI) {
    s->cycle_milli += options->cpi_milli;
    return s->cycle_milli / 1000;
  }
  if (options->arrival == OCT_ARRIVAL_STAMPS && (insn->flags & OCT_INSN_HAS_CYCLE)) {
    if (!s->has_stamp) {
      s->has_stamp = true;
      s->first_stamp = insn->cycle;
      s->first_stamp_cycle = s->cycle;
    }
    /* A stamp that goes back is taken as no pause. */
    return insn->cycle < s->first_stamp ? 0 : insn->cycle - s->first_stamp + s->first_stamp_cycle;
  }
  return s->cycle;
}

/* Are the stamp of instruction `number` and the first one not more than OCT_CYCLES_MAX apart? 0 or
 * OCT_ERR_LIMIT. */
static inline int oct_arrival_check(const oct_arrivals *s, const oct_run_options *options,
                                    const oct_insn *insn, uint64_t number, oct_diag *diag) {
  bool is_beyond = options->arrival == OCT_ARRIVAL_STAMPS && s->has_stamp &&
                   (insn->flags & OCT_INSN_HAS_CYCLE) && insn->cycle > s->first_stamp &&
                   insn->cycle - s->first_stamp > OCT_CYCLES_MAX;
  return is_beyond ? oct_fail_at(diag, OCT_ERR_LIMIT, OCT_AT_INSN, number,
                                 "a cycle stamp %llu cycles after the first: expected %llu at most",
                                 (unsigned long long)(insn->cycle - s->first_stamp),
                                 (unsigned long long)OCT_CYCLES_MAX)
                   : 0;
}

#endif
