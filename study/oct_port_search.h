/* SPDX-License-Identifier: Apache-2.0 */
/* oct_port_search.h - how many pins and how deep buffers a trace needs, by few runs of the cycle
 * engine.
 *
 * Points stand in rows, in each of which every point has more pins or a larger buffer than the one
 * before, and so loses no more. Hence the points behind the first that loses nothing need no run.
 *
 * Threads: A search is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_PORT_SEARCH_H
#define OCT_PORT_SEARCH_H

#include "oct_recording.h"
#include "octrace/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OCT_PORT_ROW_NONE = -1, OCT_PORT_NO_BUFFER = 31 };

typedef struct oct_port_row {
  size_t first, n;   /* of the points */
  bool wants_losses; /* what its points lose is asked, not only which of them is the first that
                        loses nothing */
  /* Where it is not: rows before this one, or OCT_PORT_ROW_NONE, of as many points; the first
   * without loss stands there no later, or no earlier; */
  int no_earlier_than, no_later_than;
  unsigned times; /* and about so many times as far from the beginning as in no_earlier_than. */
  /* Where it is: the number of the tracer's buffer that alone is larger in each point, or
   * OCT_PORT_NO_BUFFER. */
  unsigned buffer;
} oct_port_row;

typedef struct oct_port_search oct_port_search;

/* points and rows are copied, end_at_loss is of no matter; options as for the cycle engine. The
 * caller frees *s. OCT_ERR_NOMEM. */
int oct_port_search_new(const oct_tracer *t, const oct_port_point *points, size_t n_points,
                        const oct_port_row *rows, size_t n_rows, const oct_run_options *options,
                        oct_port_search **s, oct_diag *diag);
void oct_port_search_free(oct_port_search *s);

/* What a run of this point counted over all of the trace, for the points that are equal to it. */
void oct_port_search_know(oct_port_search *s, const oct_port_point *point, const uint64_t *values);

/* Run what is still to be known over the recording, all of the trace. moved(context, part), if not
 * NULL, is told how much of the work is done. 0, or an error of the encoder. */
int oct_port_search_run(oct_port_search *s, const oct_recording *r,
                        void (*moved)(void *context, double part), void *context, oct_diag *diag);
/* The work of this in runs, about. */
uint64_t oct_port_search_work(const oct_port_search *s);

/* In place of that, for a trace that is not recorded: all points at once over its next
 * instructions, then the end. Errors as above. */
int oct_port_search_put(oct_port_search *s, const oct_tracer_input *in, oct_diag *diag);
void oct_port_search_end(oct_port_search *s);

/* Afterwards: the number of the row's first point that loses nothing; its n where all lose. */
size_t oct_port_search_fewest(const oct_port_search *s, size_t row);
/* What point i counted, of a row that wants losses: its instructions and what it lost. */
void oct_port_search_counters(const oct_port_search *s, size_t i, uint64_t *values);
/* Point i, owned by s. */
const oct_port_point *oct_port_search_point(const oct_port_search *s, size_t i);

#ifdef __cplusplus
}
#endif
#endif
