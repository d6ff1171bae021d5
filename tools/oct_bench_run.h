/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bench_run.h - measures one codec, or a tracer, on one input held in memory. */
#ifndef OCT_BENCH_RUN_H
#define OCT_BENCH_RUN_H

#include "oct_cli.h"
#include "oct_codec_cli.h"

/* What is to be compressed, read whole so that only codecs are timed. */
typedef struct oct_bench_input {
  const char *path;
  bool is_trace;        /* it was no record file */
  oct_buffer records;   /* of 12 bytes: the accesses of a trace, or those of a vpc3 file */
  oct_buffer addresses; /* their 64-bit addresses alone */
  bool only_addresses;  /* it was a file of these: there are no records of 12 bytes */
  uint64_t n_records;
  uint64_t n_all_insns; /* of the trace */
  /* the trace, when its events were wanted */
  oct_trace_info info;        /* as the trace says of itself, by which codecs go */
  oct_trace_info fitted;      /* with the alignment that was found, by which tracers go */
  uint32_t found_align_bytes; /* that, or 0 */
  char isa[64];
  oct_insn *insns;
  oct_access *accesses;
  size_t n_insns, n_accesses;
  oct_map_update *updates;
  size_t n_updates;
  oct_trap *traps; /* counted from the first instruction of the trace, as facts are */
  oct_fact *facts;
  uint8_t *values; /* of all accesses and facts; NULL: there are none */
  size_t n_traps, n_facts, n_values;
  /* Called about once a second while repetition number of total is under way; NULL: not. For the
   * caller to set behind oct_bench_load. */
  void (*waits)(void *context, unsigned number, unsigned total);
  void *waits_context;
} oct_bench_input;

/* One measurement. Times are medians over the repetitions, noise is (slowest - fastest) / median,
 * or below 0 when there was one repetition only. */
typedef struct oct_bench_result {
  uint64_t raw_bytes, packed_bytes;
  uint64_t n_records;                  /* (PC, ED) or address records, or instructions of a trace */
  double pack_seconds, unpack_seconds; /* unpack 0: not measured */
  double pack_noise, unpack_noise;
  uint64_t peak_bytes; /* memory that it took beside the input */
} oct_bench_result;

/* Read path. kind: OCT_INPUT_MEM, OCT_INPUT_LOADS, OCT_INPUT_STORES, OCT_INPUT_TRACE, or
 * OCT_INPUT_ADDRESSES for a file of these. Otherwise a vpc3 file gives its records whatever kind
 * is. events: keep those of a trace too, for a tracer and codecs of whole traces. 0 or an
 * error. */
int oct_bench_load(const char *path, oct_input_form kind, bool events, oct_run_args *a,
                   oct_bench_input *in, oct_diag *diag);
/* Take the time that processors spend, all threads together, and not that which passes. */
void oct_bench_clock(bool cpu);
void oct_bench_release(oct_bench_input *in);

/* Measure a codec on the records, or on all events of the trace; what comes back is compared.
 * OCT_ERR_MISMATCH when it differs (lossless codecs), OCT_ERR_CONFIG when the codec takes no such
 * records, OCT_ERR_UNSUPPORTED when the input is no trace and events are wanted. */
int oct_bench_codec(const oct_bench_input *in, const oct_codec_settings *s, bool events,
                    unsigned n_threads, unsigned repeats, oct_bench_result *result, oct_diag *diag);
/* Measure a tracer: port bytes of all events, and its decoder, whose events are compared.
 * OCT_ERR_UNSUPPORTED when the input has none. */
int oct_bench_tracer(const oct_bench_input *in, const oct_tracer *t, const uint32_t *params,
                     unsigned repeats, oct_bench_result *result, oct_diag *diag);

#endif
