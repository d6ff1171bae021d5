/* SPDX-License-Identifier: Apache-2.0 */
/* oct_paper.c - the tracer `paper`: the machine of Milenković 2007 (docs/references.md)
 * behind the interface of all tracers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oct_compressor.h"
#include "oct_core.h"
#include "oct_decoder.h"
#include "oct_lister.h"
#include "oct_miss_profile.h"
#include "oct_sweep.h"
#include "oct_timed_counters.h"
#include "oct_top.h"
#include "octrace/tracer.h"

/* ---- Counters: the fields of an oct_stats but its occupancies ---- */

/* COUNTERS(X, LOGICAL): X(field, name, unit, group, label, meaning), and LOGICAL as OCT_LOGICAL has
 * it. */
// clang-format off
#define COUNTERS(X, LOGICAL)                                                                       \
  X(insns, "insns", "insns", OCT_GROUP_TRACE, "instructions", "accepted by the tracer")            \
  X(accesses, "accesses", "accesses", OCT_GROUP_TRACE, "accesses", "likewise")                     \
  X(terminators, "terminators", "", OCT_GROUP_TRACE, "terminators",                                \
    "instructions with fewer accesses than their slots")                                           \
  X(streams, "streams", "streams", OCT_GROUP_TRACE, "streams", "runs of sequential instructions")  \
  X(sc_hits, "sc_hits", "streams", OCT_GROUP_STAGE, "stream cache hits",                           \
    "streams found in the stream cache")                                                           \
  X(tuples, "tuples", "tuples", OCT_GROUP_STAGE, "tuples",                                         \
    "of stream cache indices, made by the N-tuple stage")                                          \
  X(tuple_hits, "tuple_hits", "tuples", OCT_GROUP_STAGE, "tuple hits",                             \
    "tuples found in the tuple history")                                                           \
  X(dasc_hits, "dasc_hits", "accesses", OCT_GROUP_STAGE, "DASC hits",                              \
    "data addresses predicted by the stride cache")                                                \
  X(task_switches, "task_switches", "", OCT_GROUP_TRACE, "task switches", "")                      \
  X(traps, "sent_traps", "", OCT_GROUP_TRACE, "traps", "and changes of privilege, sent")           \
  X(syncs, "syncs", "", OCT_GROUP_TRACE, "syncs", "packets at which a decoder may begin")          \
  X(paper_scit, "paper_scit_bits", "bits", OCT_GROUP_ACCOUNT, "SCIT",                              \
    "stream cache indices, Eq. 1")                                                                 \
  X(paper_scmt, "paper_scmt_bits", "bits", OCT_GROUP_ACCOUNT, "SCMT",                              \
    "stream descriptors missed, Eq. 1")                                                            \
  X(paper_tuple_hit, "paper_tuple_hit_bits", "bits", OCT_GROUP_ACCOUNT, "Tuple.Hit", "")           \
  X(paper_tuple_miss, "paper_tuple_miss_bits", "bits", OCT_GROUP_ACCOUNT, "Tuple.Miss", "")        \
  X(paper_dt, "paper_dt_bits", "bits", OCT_GROUP_ACCOUNT, "DT", "data hits, Eq. 3")                \
  X(paper_dmt, "paper_dmt_bits", "bits", OCT_GROUP_ACCOUNT, "DMT",                                 \
    "data addresses missed, Eq. 3")                                                                \
  OCT_LOGICAL(LOGICAL)                                                                             \
  OCT_TIMED_COUNTERS(X)                                                                            \
  OCT_LEFT_OUT_COUNTERS(X)                                                                         \
  OCT_HIGH_WATER_COUNTER(X, OCT_BUFFER_STREAM, "stream", "entries")                                \
  OCT_HIGH_WATER_COUNTER(X, OCT_BUFFER_DATA, "data", "entries")                                    \
  OCT_HIGH_WATER_COUNTER(X, OCT_BUFFER_OUT, "output", "bytes")                                     \
  OCT_SUFFICIENT_COUNTER(X, OCT_BUFFER_STREAM, "stream", "entries")                                \
  OCT_SUFFICIENT_COUNTER(X, OCT_BUFFER_DATA, "data", "entries")                                    \
  OCT_SUFFICIENT_COUNTER(X, OCT_BUFFER_OUT, "output", "bytes")                                     \
  OCT_SUFFICIENT_OVERFLOWS(X)
// clang-format on

static const oct_counter counters[] = {
#define OCT_X(field, name, unit, group, label, text) {name, unit, group, label, text},
#define OCT_L(name, group, label, text) {"port_" #name "_bits", "bits", group, label, text},
    COUNTERS(OCT_X, OCT_L)
#undef OCT_X
#undef OCT_L
};
_Static_assert(sizeof(oct_stats) - sizeof((oct_stats *)0)->occupancy ==
                   sizeof counters / sizeof *counters * sizeof(uint64_t),
               "a name for each field");
_Static_assert(sizeof counters / sizeof *counters <= OCT_TRACER_COUNTERS_MAX, "room for them");
_Static_assert((int)OCT_CONFIG_PARAMS <= (int)OCT_TRACER_PARAMS_MAX, "and for parameters");

static oct_stats stats_of(const uint64_t *oct_values) {
  oct_stats oct_fields = {0};
#define OCT_L(name, ...) OCT_FIELD_TAKE(port[OCT_LOGICAL_##name])
  COUNTERS(OCT_FIELD_TAKE, OCT_L)
#undef OCT_L
  return oct_fields;
}

static void put_stats(const oct_stats *oct_fields, uint64_t *oct_values) {
#define OCT_L(name, ...) OCT_FIELD_PUT(port[OCT_LOGICAL_##name])
  COUNTERS(OCT_FIELD_PUT, OCT_L)
#undef OCT_L
}

static double part(uint64_t n, uint64_t of) {
  return of ? (double)n / (double)of : 0;
}

static double cr_sc(const uint32_t *params, const uint64_t *c) {
  const oct_stats s = stats_of(c);
  return oct_stats_cr_sc(&s, oct_config_of(params).addr_bits);
}

/* Without tuples there is no such ratio. */
static double cr_ntuple(const uint32_t *params, const uint64_t *c) {
  const oct_config cfg = oct_config_of(params);
  const oct_stats s = stats_of(c);
  return cfg.ntuple_n ? oct_stats_cr_ntuple(&s, cfg.addr_bits) : (double)NAN;
}

static double cr_dasc(const uint32_t *params, const uint64_t *c) {
  const oct_stats s = stats_of(c);
  return oct_stats_cr_dasc(&s, oct_config_of(params).addr_bits);
}

static double sc_hit_rate(const uint32_t *params, const uint64_t *c) {
  const oct_stats s = stats_of(c);
  (void)params;
  return part(s.sc_hits, s.streams);
}

static double tuple_hit_rate(const uint32_t *params, const uint64_t *c) {
  const oct_stats s = stats_of(c);
  return oct_config_of(params).ntuple_n ? part(s.tuple_hits, s.tuples) : (double)NAN;
}

static double dasc_hit_rate(const uint32_t *params, const uint64_t *c) {
  const oct_stats s = stats_of(c);
  (void)params;
  return part(s.dasc_hits, s.accesses);
}

static double port_busy(const uint32_t *params, const uint64_t *c) {
  const oct_stats s = stats_of(c);
  (void)params;
  return s.cycles ? part(s.port_busy_cycles, s.cycles) : (double)NAN;
}

static const oct_figure figures[] = {
    {"cr_sc_i", "", "CR SC.I", "compression ratio of instructions, only stream cache, Eq. 1",
     cr_sc},
    {"cr_sc_i_ntuple", "", "CR SC.I+Ntuple", "the same with tuples", cr_ntuple},
    {"cr_dasc_d", "", "CR DASC.D", "compression ratio of data addresses, Eq. 3", cr_dasc},
    {"sc_hit_rate", "", "stream cache hit rate", "of streams", sc_hit_rate},
    {"tuple_hit_rate", "", "tuple hit rate", "of tuples", tuple_hit_rate},
    {"dasc_hit_rate", "", "DASC hit rate", "of data accesses", dasc_hit_rate},
    {"port_busy", "", "port busy", "share of cycles in which the pins carried bits", port_busy},
};

/* Bytes in eighths: whole bits. */
#define STATE_PART(name)                                \
  static uint64_t name##_bits(const uint32_t *params) { \
    const oct_config cfg = oct_config_of(params);       \
    oct_state_bytes bytes;                              \
    oct_config_state(&cfg, &bytes);                     \
    return (uint64_t)(8 * bytes.name);                  \
  }
STATE_PART(stream_cache)
STATE_PART(thb)
STATE_PART(tuple_buffer)
STATE_PART(stream_fifo)
STATE_PART(dasc)
STATE_PART(data_fifo)

static const oct_state_part state_parts[] = {
    {"stream_cache", "stream cache", stream_cache_bits},
    {"thb", "tuple history buffer", thb_bits},
    {"tuple_buffer", "the tuple being gathered", tuple_buffer_bits},
    {"stream_fifo", "stream buffer", stream_fifo_bits},
    {"dasc", "data address stride cache", dasc_bits},
    {"data_fifo", "data buffer", data_fifo_bits},
};

static const oct_tracer_buffer buffers[] = {
    {"stream", "stream_fifo_depth", "high_water_stream", "sufficient_stream"},
    {"data", "data_fifo_depth", "high_water_data", "sufficient_data"},
    {"output", "out_fifo_bytes", "high_water_output", "sufficient_output"},
};

/* Pins and buffers are nothing to the untimed engine. */
static const char *const timed_params[] = {
    "port_pins", "stream_fifo_depth", "data_fifo_depth", "out_fifo_bytes", "pipelined", "filters",
    NULL};

static const char *const index_fns[] = {"paper", "fold", "concat", "sa", NULL};
static const char *const repls[] = {"lru", "fifo", "plru", "random", NULL};
static const oct_value_names value_names[] = {{"sc_index_fn", index_fns}, {"sc_repl", repls}};

static int set_entries(uint32_t *params, uint32_t entries, oct_diag *diag) {
  oct_config cfg = oct_config_of(params);
  if (!cfg.sc_ways || entries < cfg.sc_ways || entries % cfg.sc_ways)
    return oct_fail_param(diag, OCT_ERR_CONFIG, "sc_entries", entries,
                          "expected a multiple of sc_ways=%u%s", cfg.sc_ways,
                          entries ? "" : " other than 0");
  cfg.sc_sets = entries / cfg.sc_ways;
  oct_config_put(&cfg, params);
  return 0;
}

static const oct_tracer_axis axes[] = {{.values = {.name = "sc_entries",
                                                   .def = 128,
                                                   .min = 1,
                                                   .max = 16384,
                                                   .rule = OCT_POW2,
                                                   .unit = "entries",
                                                   .text = "stream cache entries, sets * ways"},
                                        .sets = "sc_sets",
                                        .apply = set_entries}};

static int sweep_check(const oct_config *cfgs, size_t n, oct_diag *diag) {
  for (size_t i = 0; i < n; i++)
    if (cfgs[i].traps || cfgs[i].timestamp)
      return oct_fail(diag, OCT_ERR_CONFIG,
                      "traps=1 or timestamp=1: expected 0 in a sweep, which has no place for them");
  return 0;
}

static int check(const uint32_t *params, oct_diag *diag) {
  const oct_config cfg = oct_config_of(params);
  return oct_config_check_joint(&cfg, diag);
}

/* Wide enough for the trace. A geometry that is wider stays so; one that has the default alignment
 * has none of its own and takes the trace's, which may be coarser. */
static int fit(uint32_t *params, const bool *given, const char *isa, uint32_t addr_bits,
               uint32_t insn_align_bytes, oct_diag *diag) {
  const oct_config_given is_given = oct_config_given_of(given);
  const uint32_t align_bits = oct_core_align_bits(insn_align_bytes);
  oct_config cfg = oct_config_of(params), defaults;
  (void)isa;
  oct_config_init(&defaults);
  if (!is_given.addr_bits && cfg.addr_bits < addr_bits) cfg.addr_bits = addr_bits;
  if (!is_given.pc_align_bits &&
      (cfg.pc_align_bits == defaults.pc_align_bits || cfg.pc_align_bits > align_bits))
    cfg.pc_align_bits = align_bits;
  oct_config_put(&cfg, params);
  return oct_config_check(&cfg, diag);
}

extern const oct_tracer oct_tracer_paper;

static int encoder_create(const uint32_t *params, const oct_run_options *run, void **e,
                          oct_diag *diag) {
  const oct_config cfg = oct_config_of(params);
  int error = oct_tracer_check_run(&oct_tracer_paper, run, diag);
  return error ? error : oct_compressor_new(&cfg, run, (oct_compressor **)e, diag);
}

static void encoder_destroy(void *e) {
  oct_compressor_free(e);
}

/* The instructions up to each trap, then the trap. One behind the last instruction is of its task.
 */
static int encoder_put(void *e, const oct_tracer_input *in, oct_diag *diag) {
  const oct_access *accesses = in->accesses;
  size_t at = 0;
  int error = oct_tracer_check_traps(in, diag);
  if (error) return error;
  for (size_t t = 0; t < in->n_traps; t++) {
    const oct_trap *trap = &in->traps[t];
    error = oct_compressor_put(e, in->insns + at, trap->insn - at, accesses, diag);
    if (error) return error;
    for (; at < trap->insn; at++) accesses += in->insns[at].n_access;
    uint32_t task = at < in->n_insns ? in->insns[at].task : at ? in->insns[at - 1].task : 0;
    error = oct_compressor_put_trap(e, trap, task, diag);
    if (error) return error;
  }
  return oct_compressor_put(e, in->insns + at, in->n_insns - at, accesses, diag);
}

static int encoder_flush(void *e, oct_diag *diag) {
  return oct_compressor_flush(e, diag);
}

static size_t encoder_take(void *e, const uint8_t **bytes) {
  return oct_compressor_take(e, bytes);
}

static void encoder_counters(const void *e, uint64_t *values) {
  put_stats(oct_compressor_stats(e), values);
}

static unsigned encoder_occupancy(const void *e, unsigned b, uint64_t *cycles) {
  const oct_stats *s = oct_compressor_stats(e);
  const oct_config *cfg = oct_compressor_config(e);
  const uint32_t levels[OCT_BUFFER_COUNT] = {cfg->stream_fifo_depth, cfg->data_fifo_depth,
                                             OCT_OCCUPANCY_MAX};
  if (!s->cycles) return 0;
  memcpy(cycles, s->occupancy[b], (levels[b] + 1) * sizeof *cycles);
  return levels[b] + 1;
}

static int decoder_create(const uint32_t *params, oct_decoder_start start, void **d,
                          oct_diag *diag) {
  const oct_config cfg = oct_config_of(params);
  return oct_decoder_new(&cfg, start, (oct_decoder **)d, diag);
}

static void decoder_destroy(void *d) {
  oct_decoder_free(d);
}

static int decoder_map(void *d, const oct_map_update *updates, size_t n, oct_diag *diag) {
  return oct_decoder_map(d, updates, n, diag);
}

static int decoder_push(void *d, const uint8_t *bytes, size_t n, oct_diag *diag) {
  return oct_decoder_push(d, bytes, n, diag);
}

static void decoder_finish(void *d) {
  oct_decoder_finish(d);
}

static int decoder_next(void *d, oct_decoded *out, oct_diag *diag) {
  return oct_decoder_next(d, out, diag);
}

static int decoder_resync(void *d, oct_diag *diag) {
  return oct_decoder_resync(d, diag);
}

static void decoder_had_privilege(void *d, unsigned privilege) {
  oct_decoder_had_privilege(d, privilege);
}

static void decoder_counts(const void *d, oct_decoder_counts *counts) {
  oct_decoder_get_counts(d, counts);
}

static int sweep_create(const uint32_t *params, size_t n, void **s, oct_diag *diag) {
  oct_config *cfgs = calloc(n ? n : 1, sizeof *cfgs);
  if (!cfgs) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < n; i++) cfgs[i] = oct_config_of(params + i * OCT_CONFIG_PARAMS);
  int error = sweep_check(cfgs, n, diag);
  if (!error) error = oct_sweep_new(cfgs, n, (oct_sweep **)s, diag);
  free(cfgs);
  return error;
}

static void sweep_destroy(void *s) {
  oct_sweep_free(s);
}

static int sweep_put(void *s, const oct_tracer_input *in, oct_diag *diag) {
  return oct_sweep_put(s, in->insns, in->n_insns, in->accesses, diag);
}

static int sweep_flush(void *s, oct_diag *diag) {
  return oct_sweep_flush(s, diag);
}

static void sweep_counters(const void *s, size_t i, uint64_t *values) {
  oct_stats stats;
  oct_sweep_stats(s, i, &stats);
  put_stats(&stats, values);
}

static const oct_tracer_sweep sweep = {.create = sweep_create,
                                       .destroy = sweep_destroy,
                                       .put = sweep_put,
                                       .flush = sweep_flush,
                                       .counters = sweep_counters};

static int profile_create(const uint32_t *params, void **p) {
  const oct_config cfg = oct_config_of(params);
  return oct_miss_profile_new(&cfg, (oct_miss_profile **)p);
}

static void profile_destroy(void *p) {
  oct_miss_profile_free(p);
}

static int profile_put(void *p, const oct_tracer_input *in) {
  return oct_miss_profile_put(p, in->insns, in->n_insns, in->accesses);
}

static int profile_flush(void *p) {
  return oct_miss_profile_flush(p);
}

static size_t profile_count(const void *p) {
  return oct_miss_profile_count(p);
}

static int64_t profile_top(const void *p, oct_missed_stream *top, size_t n) {
  return oct_miss_profile_top(p, top, n);
}

static const oct_tracer_profile profile = {.create = profile_create,
                                           .destroy = profile_destroy,
                                           .put = profile_put,
                                           .flush = profile_flush,
                                           .count = profile_count,
                                           .top = profile_top};

static int twin_create(const uint32_t *params, void **t, oct_diag *diag) {
  const oct_config cfg = oct_config_of(params);
  oct_top *top = calloc(1, sizeof *top);
  *t = top;
  if (!top || oct_top_init(top, &cfg)) {
    free(top);
    *t = NULL;
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  return 0;
}

static void twin_destroy(void *t) {
  if (t) oct_top_free(t);
  free(t);
}

static int twin_cycle(void *t, const oct_pins_in *in, oct_pins_out *out, oct_diag *diag) {
  (void)diag;
  oct_top_cycle(t, in, out);
  return 0;
}

static int twin_cycle_bus(void *t, const oct_pins_in *in, const oct_pins_bus *bus,
                          oct_pins_out *out, oct_diag *diag) {
  (void)diag;
  oct_top_cycle_bus(t, in, bus, out);
  return 0;
}

static void twin_counters(const void *t, uint64_t *values) {
  put_stats(&((const oct_top *)t)->stats, values);
}

static const oct_tracer_twin twin = {.module = "oct_top",
                                     .create = twin_create,
                                     .destroy = twin_destroy,
                                     .cycle = twin_cycle,
                                     .cycle_bus = twin_cycle_bus,
                                     .counters = twin_counters,
                                     .time_bits = OCT_TIME_BITS};

static uint32_t stream_insns_max(const uint32_t *params) {
  return UINT32_C(1) << oct_config_of(params).sl_bits;
}

const oct_tracer oct_tracer_paper = {
    .stream_insns_max = stream_insns_max,
    .name = "paper",
    .text = "stream cache, N-tuples and data address stride cache of Milenković 2007",
    .version = 2,
    .has_cycle_engine = true,
    .carries_data = true,
    .trap_parts = OCT_TRAPS_ALL,
    .params = oct_params,
    .n_params = sizeof(oct_config) / sizeof(uint32_t),
    .geometries = oct_geometries,
    .n_geometries = OCT_GEOMETRIES,
    .counters = counters,
    .n_counters = sizeof counters / sizeof *counters,
    .figures = figures,
    .n_figures = sizeof figures / sizeof *figures,
    .state_parts = state_parts,
    .n_state_parts = sizeof state_parts / sizeof *state_parts,
    .check = check,
    .fit = fit,
    .encoder =
        {
            .create = encoder_create,
            .destroy = encoder_destroy,
            .put = encoder_put,
            .flush = encoder_flush,
            .take = encoder_take,
            .counters = encoder_counters,
            .occupancy = encoder_occupancy,
        },
    .decoder =
        {
            .create = decoder_create,
            .destroy = decoder_destroy,
            .map = decoder_map,
            .push = decoder_push,
            .finish = decoder_finish,
            .next = decoder_next,
            .resync = decoder_resync,
            .counts = decoder_counts,
            .had_privilege = decoder_had_privilege,
        },
    .packets =
        {
            .create = oct_lister_create,
            .destroy = oct_lister_destroy,
            .push = oct_lister_push,
            .finish = oct_lister_finish,
            .next = oct_lister_next,
        },
    .sweep = &sweep,
    .buffers = buffers,
    .n_buffers = sizeof buffers / sizeof *buffers,
    .value_names = value_names,
    .n_value_names = sizeof value_names / sizeof *value_names,
    .axes = axes,
    .n_axes = sizeof axes / sizeof *axes,
    .timed_params = timed_params,
    .profile = &profile,
    .twin = &twin,
};
