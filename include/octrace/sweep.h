/* SPDX-License-Identifier: Apache-2.0 */
/* octrace/sweep.h - many geometries over one trace: survey, pins and buffers, plans and runs. */
#ifndef OCTRACE_SWEEP_H
#define OCTRACE_SWEEP_H

#include "container.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts what a trace consists of, as Table 1 of Milenković 2007 does.
 *
 * Threads: A survey is for one thread at a time, different ones may be used by different threads.
 */

typedef struct oct_survey {
  uint64_t insns, accesses, loads, stores, task_switches, streams;
  uint64_t unique_insns, unique_streams, tasks; /* distinct */
  uint32_t max_sl;
  uint32_t insn_sizes; /* bit n: there are instructions of n bytes */
  struct oct_survey_state *state;
  uint64_t exceptions, interrupts, privilege_changes; /* the last: without a trap */
} oct_survey;

/* Start counting; a longer stream is cut. OCT_ERR_NOMEM. */
int oct_survey_init(oct_survey *s, uint32_t stream_insns_max);
int oct_survey_put(oct_survey *s, const oct_batch *batch);
/* Close the last stream. */
int oct_survey_end(oct_survey *s);
/* A stream: where it starts, how often it ran, its length in instructions. */
typedef struct oct_survey_stream {
  uint64_t sa, count;
  uint32_t sl;
} oct_survey_stream;
/* The streams that most instructions ran in, most first; up to room of them. Returns how many. */
size_t oct_survey_top(const oct_survey *s, oct_survey_stream *top, size_t room);
/* What the sizes of the instructions say of the instruction set. Never NULL. */
const char *oct_survey_isa(const oct_survey *s);
void oct_survey_free(oct_survey *s);

/* How many pins and how deep buffers a trace needs: many encoders of one tracer side by side, on
 * its cycle engine, given the same instructions (Milenković 2007, section 3.3).
 *
 * A point is a geometry and a port clock: with clock_divider k the pins move once in k cycles of
 * the core. A point may end at its first loss, when only whether it loses is asked.
 *
 * Threads: An object is for one thread at a time, different ones may be used by different threads.
 */

typedef struct oct_port_point {
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  uint32_t clock_divider; /* at least 1 */
  bool end_at_loss;
} oct_port_point;

typedef struct oct_port_needs oct_port_needs;

/* n points, copied; options as for the cycle engine (arrival, stalls). The caller frees *s.
 * OCT_ERR_CONFIG, OCT_ERR_ARG (the tracer has no cycle engine), OCT_ERR_NOMEM. */
int oct_port_needs_new(const oct_tracer *t, const oct_port_point *points, size_t n,
                       const oct_run_options *options, oct_port_needs **s, oct_diag *diag);
void oct_port_needs_free(oct_port_needs *s);
/* Instructions and their accesses, in order. 0, or an error of the encoder. */
int oct_port_needs_put(oct_port_needs *s, const oct_tracer_input *in, oct_diag *diag);
/* What point i counted up to now, or to soon after its first loss. */
void oct_port_needs_counters(const oct_port_needs *s, size_t i, uint64_t *values);
/* The encoder of point i, owned by s. */
const void *oct_port_needs_encoder(const oct_port_needs *s, size_t i);

/* An append-only file of what was counted, so that a sweep that was killed goes on.
 *
 * A line for each pair of trace and geometry: a key that names both by checksum, the counters by
 * name, and a checksum of the line. A torn or foreign line is passed over; files can be joined by
 * `cat`.
 *
 * Threads: oct_journal_append may be called by several threads at a time; opening and closing is
 * for one. */

typedef struct oct_journal oct_journal;

/* Open or create the file at path and take in what it holds; with alone, only if nobody else has it
 * open in this way. OCT_ERR_IO, also when somebody has; OCT_ERR_NOMEM; OCT_ERR_FORMAT: it begins as
 * no journal does, or is no regular file. */
int oct_journal_open(const char *path, bool alone, oct_journal **j, oct_diag *diag);
/* Counters of t that stand under key, into values: those that the line lacks are 0. False when
 * there is no such line, or it has a counter that t does not know. */
bool oct_journal_find(const oct_journal *j, uint64_t key, const oct_tracer *t, uint64_t *values);
/* Append n records, n_counters values each, in one write, which reaches the disk before it returns.
 * May be called by several threads, and by several programs on one file. OCT_ERR_IO, OCT_ERR_NOMEM.
 */
int oct_journal_append(oct_journal *j, const uint64_t *keys, const oct_tracer *t,
                       const uint64_t *values, size_t n, oct_diag *diag);
const char *oct_journal_path(const oct_journal *j);
void oct_journal_close(oct_journal *j);

/* Checksum of a trace's bytes and of what its reading depends on besides: instruction set, program.
 * 1; 0 for what can be read only once, or is a folder, and has no checksum; OCT_ERR_IO,
 * OCT_ERR_NOMEM. */
int oct_journal_trace_hash(const char *path, const oct_read_options *read, uint64_t *hash,
                           oct_diag *diag);
/* The key of a geometry (as run: fitted to the trace), of how it is run and of what, and of this
 * version of the program. */
uint64_t oct_journal_key(uint64_t trace_hash, const oct_tracer *t, const uint32_t *params,
                         const oct_run_options *run, const oct_source_options *source);

/* Which geometries to sweep: cross products of axes, within a state budget; and which of them are
 * worth their state.
 *
 * Threads: A plan is for one thread at a time while it is made; then any threads may read it. */

#define OCT_PLAN_MAX 65536
#define OCT_PLAN_COMBINATIONS_MAX 67108864 /* of values of axes, legal or not */
#define OCT_PLAN_LEFT_OUT_MAX 64

/* Values of a tracer's parameters; what is behind them is 0. */
typedef struct oct_plan_geometry {
  uint32_t params[OCT_TRACER_PARAMS_MAX];
} oct_plan_geometry;

typedef struct oct_plan {
  const oct_tracer *tracer;
  double max_state_bytes;        /* 0 = any */
  oct_plan_geometry *geometries; /* legal, distinct, in the order of the axes, the last changing
                                    first */
  size_t n;
  void *seen;         /* the same, sorted, by tsearch */
  size_t n_too_large; /* left out for their state */
  size_t n_left_out;  /* combinations that are no legal geometry, and unknown axes */
  char *left_out[OCT_PLAN_LEFT_OUT_MAX]; /* a line for each of the first of them */
  const char *timed_axis; /* of several values that only the cycle engine minds, or NULL */
  bool given[OCT_TRACER_PARAMS_MAX]; /* by an axis: not to be taken from the trace */
  /* The state that counts against max_state_bytes is the most that a geometry has for one of these
   * traces, whose widths it takes but in the parameters of fixed (NULL: none) and given. With none
   * its own widths count. Owned by the caller, as is fixed; needed while geometries are added. */
  const oct_trace_info *infos;
  size_t n_infos;
  const bool *fixed;
} oct_plan;

void oct_plan_init(oct_plan *p, const oct_tracer *tracer);
void oct_plan_free(oct_plan *p);

/* Add the cross product of axes "NAME=LIST" over a base geometry. NAME is a parameter, or
 * an axis of the tracer (oct_tracer_axis). LIST has numbers and ranges A..B, A..B+STEP or
 * A..B*FACTOR between commas; a plain range goes by doubling where a power of two is expected and
 * by one elsewhere; values may have names (oct_value_names). Without axes the base alone is added.
 * Combinations that are illegal or too large are noted in *p and left out. OCT_ERR_ARG: an unknown
 * axis; OCT_ERR_CONFIG: a bad list, or an axis twice; OCT_ERR_LIMIT: more than OCT_PLAN_MAX
 * geometries or OCT_PLAN_COMBINATIONS_MAX combinations; OCT_ERR_NOMEM. */
int oct_plan_add_grid(oct_plan *p, const uint32_t *base, const char *const *axes, size_t n_axes,
                      oct_diag *diag);

/* Whether text is an axis "NAME=LIST" as above, alone. 0, OCT_ERR_ARG (unknown), OCT_ERR_CONFIG (a
 * bad list), OCT_ERR_LIMIT (more than 4096 values), OCT_ERR_NOMEM; *diag says why. */
int oct_plan_check_axis(const oct_tracer *tracer, const char *text, oct_diag *diag);
/* Note something that is left out. OCT_ERR_NOMEM. */
int oct_plan_leave_out(oct_plan *p, const char *what, const char *why, oct_diag *diag);

/* Mark, of n points, those for which no other has less or equal of both x and y and less of one. A
 * lossy point is not marked, however good it looks, for it left out what costs bits, and counts for
 * nothing against the others; where all are lossy, they are compared as if none were. No value may
 * be NaN. OCT_ERR_NOMEM. */
int oct_pareto(const double *x, const double *y, const bool *lossy, size_t n, bool *front);

/* The same among the points of each group alone, and without lossy points in any case. */
int oct_pareto_of_groups(const double *x, const double *y, const bool *lossy, const uint32_t *group,
                         size_t n, bool *front);

/* The parameter of which a picture of these geometries has a line for each value: a number of ways
 * where one varies, else the one of the fewest values, of at most 8, where two or more vary. Its
 * number, or -1. */
int oct_plan_line_param(const oct_tracer *tracer, const oct_plan_geometry *geometries, size_t n);

/* Runs a plan over several traces on several threads, with a journal.
 *
 * Threads: A run starts threads of its own; one thread calls it. Different runs may go on at a
 * time. */

/* One trace of a sweep. */
typedef struct oct_sweep_trace {
  const char *path;
  int error; /* the trace could not be swept: diag says why, there are no rows */
  oct_diag diag;
  size_t n_reused; /* rows that the journal had */
  uint64_t bytes_read;
  oct_plan_geometry *geometries; /* the plan's, fitted to the trace */
  uint64_t *counters;            /* n_counters of the tracer for each */
  uint64_t found_align_bytes;    /* as oct_source has it, where a geometry goes by it; or 0 */
} oct_sweep_trace;

typedef struct oct_sweep_run {
  const oct_plan *plan;
  const oct_run_options *run;
  const oct_source_options *source;
  const bool *given;    /* parameters that are not to be taken from a trace, beside the plan's */
  oct_journal *journal; /* NULL = none */
  unsigned threads;
  oct_sweep_trace *traces;
  size_t n_traces;
  /* Called from any thread, never two at a time: a trace has failed. */
  void (*failed)(void *context, const oct_sweep_trace *trace);
  /* Likewise, if not NULL: so many instructions of a trace have been read, and it is to be closed.
   */
  void (*read)(void *context, const oct_reader *reader, uint64_t n_insns);
  /* Every second: instructions, and bytes of how many, over all traces. */
  void (*progress)(void *context, uint64_t n_insns, uint64_t done_bytes, uint64_t total_bytes);
  void *context;
} oct_sweep_run;

/* Sweep all traces; where one fails the others go on. 0, or the error of one of them, or
 * OCT_ERR_NOMEM with nothing done. */
int oct_sweep_run_all(oct_sweep_run *r);
/* Free what the run put into r->traces. */
void oct_sweep_run_free(oct_sweep_run *r);

#ifdef __cplusplus
}
#endif
#endif
