/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_stats.h - what a program does, by its trace: mix of instructions, branches and how well
 * they are predicted, memory that it touches, reuse distances, functions, basic block vectors.
 *
 * Threads: an oct_trace_stats is for one thread at a time. */
#ifndef OCT_TRACE_STATS_H
#define OCT_TRACE_STATS_H

#include "oct_functions.h"
#include "octrace/trace.h"

typedef enum oct_trace_stats_predictor {
  OCT_TRACE_STATS_BIMODAL,
  OCT_TRACE_STATS_GSHARE,
  OCT_TRACE_STATS_TAGE,
  OCT_TRACE_STATS_PREDICTORS
} oct_trace_stats_predictor;

enum {
  OCT_TRACE_STATS_LINE_BYTES = 64,
  OCT_TRACE_STATS_PAGE_BYTES = 4096,
  OCT_TRACE_STATS_DISTANCES = 28, /* 0, 1, 2..3, 4..7 and so on; the last one and all beyond */
  OCT_TRACE_STATS_SIZES = 8       /* log2 of bytes; 7: not known */
};

/* Bytes, lines and pages that were touched. */
typedef struct oct_trace_stats_footprint {
  uint64_t bytes, lines, pages;
} oct_trace_stats_footprint;

/* How many other lines were used since a line's last use; n: uses in all, cold: first uses. */
typedef struct oct_trace_stats_reuse {
  uint64_t n, cold, at[OCT_TRACE_STATS_DISTANCES];
} oct_trace_stats_reuse;

typedef struct oct_trace_stats_function {
  uint64_t first;                             /* address, 0 for all code without a function */
  const char *name;                           /* of oct_functions; NULL: code without a function */
  uint64_t insns, accesses, branches, misses; /* of TAGE */
} oct_trace_stats_function;

typedef struct oct_trace_stats_result {
  uint64_t insns, insn_bytes;
  uint64_t by_class[OCT_CLASS_COUNT][4];       /* and loads (1), stores (2) or both (3) */
  uint64_t accesses[2][OCT_TRACE_STATS_SIZES]; /* loads, stores */
  uint64_t branches, taken;                    /* conditional ones whose outcome the trace shows */
  uint64_t misses[OCT_TRACE_STATS_PREDICTORS];
  uint64_t indirects, indirect_misses; /* jumps and calls, by oct_targets */
  uint64_t returns, return_misses;     /* by oct_returns */
  oct_trace_stats_footprint code, data;
  oct_trace_stats_reuse code_reuse, data_reuse;
} oct_trace_stats_result;

typedef struct oct_trace_stats_options {
  oct_functions functions;
  bool has_delay_slots;       /* jumps take effect after the next instruction */
  bool has_conditional_jumps; /* so that one that goes to the next instruction may have failed */
  uint32_t insn_align_bytes;  /* 1, 2, 4 or 8 */
  bool has_distances;         /* take reuse distances, the slowest part */
  uint64_t bbv_insns;         /* instructions of an interval, 0: no vectors */
} oct_trace_stats_options;

typedef struct oct_trace_stats oct_trace_stats;
/* *s is owned by the caller. OCT_ERR_NOMEM. */
int oct_trace_stats_new(const oct_trace_stats_options *options, oct_trace_stats **s);
void oct_trace_stats_free(oct_trace_stats *s); /* NULL is allowed */
/* Take a batch whose instructions have classes (oct_map_track). OCT_ERR_NOMEM, OCT_ERR_LIMIT. */
int oct_trace_stats_put(oct_trace_stats *s, const oct_batch *batch);
/* After the last batch; NULL: out of memory. Owned by s. */
const oct_trace_stats_result *oct_trace_stats_end(oct_trace_stats *s);
/* The functions with most instructions first: n of them. After oct_trace_stats_end. */
const oct_trace_stats_function *oct_trace_stats_functions(oct_trace_stats *s, size_t *n);
/* Lines of basic block vectors since the last call, as SimPoint reads them: T:block:count
 * :block:count ... A block is a run of instructions up to a jump or branch, and has the number in
 * which its start came first, from 1; the count is that of its instructions. Valid until the next
 * oct_trace_stats_put. */
const char *oct_trace_stats_bbv(oct_trace_stats *s, size_t *n_bytes);

#endif
