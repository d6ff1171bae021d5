/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pause.h - long pauses of the core, in which the machines that it feeds come to rest: the
 * cycles from then on are counted, not run. */
#ifndef OCT_PAUSE_H
#define OCT_PAUSE_H

#include "oct_core.h"
#include "oct_top.h"

typedef struct oct_pause {
  oct_top **tops; /* the machines: n of them, not owned */
  oct_top *before;
  size_t n, room;
} oct_pause;

/* For up to room machines. OCT_ERR_NOMEM. */
int oct_pause_init(oct_pause *s, size_t room);
void oct_pause_free(oct_pause *s);

/* Give the core's cycles to run_cycle up to its next instruction, but for those in which nothing
 * would change in any of tops; these it is not given. run_cycle runs one cycle of all tops. Its
 * first error, or 0. */
int oct_pause_run(oct_pause *s, oct_core *core, int (*run_cycle)(void *context, const oct_top_in *),
                  void *context);

#endif
