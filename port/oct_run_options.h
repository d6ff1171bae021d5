/* SPDX-License-Identifier: Apache-2.0 */
/* oct_run_options.h - how an encoder is run: with or without time, when instructions retire, how
 * often the receiver stalls the port.
 *
 * Threads: Values alone, which any threads may read at the same time. */
#ifndef OCT_RUN_OPTIONS_H
#define OCT_RUN_OPTIONS_H

#include <stdint.h>

#include "oct_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The untimed engine has no buffers that could overflow: nothing is ever lost. The cycle engine has
 * real buffers, latencies and pins: it may overflow, and says so. */
typedef enum oct_engine { OCT_ENGINE_UNTIMED, OCT_ENGINE_CYCLE } oct_engine;

/* When instructions retire (cycle engine only). */
typedef enum oct_arrival {
  OCT_ARRIVAL_FULL,  /* one a cycle, more cycles only for more than one access */
  OCT_ARRIVAL_CPI,   /* every cpi_milli / 1000 cycles, at least 1000 */
  OCT_ARRIVAL_STAMPS /* the trace's own cycle stamps; without one, as soon as it can */
} oct_arrival;

typedef struct oct_run_options {
  oct_engine engine;
  oct_arrival arrival;
  uint32_t cpi_milli;   /* 1000 = one a cycle */
  uint32_t stall_milli; /* of 1000 cycles, in how many the port is stalled at random */
  uint64_t seed;        /* of those stalls */
  int find_depths; /* also run with the largest buffers, for oct_stats.sufficient (cycle only) */
  uint32_t clock_divider; /* the pins move once in so many cycles (cycle only); 0 is 1 */
  const char *filter;   /* what is traced (cycle only): settings as oct_filter_text.h has them; the
                           caller's, read when the encoder is made; NULL: all */
  uint64_t reserved[4]; /* 0 */
} oct_run_options;

/* How users write when instructions retire: "full", "stamps", or "cpi=X", X cycles per instruction
 * from 1 to 1000 with up to three decimals. Sets options->arrival and, with the last, cpi_milli;
 * nothing on OCT_ERR_ARG, which says in *diag what was expected. */
int oct_arrival_parse(const char *text, oct_run_options *options, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
