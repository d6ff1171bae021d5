/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow.c - the tracer `shadow` behind the interface of all tracers (docs/shadow.md).
 *
 * Tables of parameters, geometries, counters and figures, and functions that give encoder
 * and decoder their general form. */
#include "oct_core.h"
#include "octrace/trace.h"
#include "oct_shadow_cycle.h"
#include "oct_shadow_decoder.h"
#include "oct_shadow_encoder.h"
#include "oct_shadow_pins.h"
#include "oct_shadow_timed.h"
#include "oct_timed_counters.h"
#include "octrace/tracer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const oct_param params[] = {
#define OCT_X(name_, def_, min_, max_, rule_, unit_, role_, text_) \
  {.name = #name_,                                                 \
   .def = def_,                                                    \
   .min = min_,                                                    \
   .max = max_,                                                    \
   .rule = rule_,                                                  \
   .unit = unit_,                                                  \
   .role = OCT_ROLE_##role_,                                       \
   .text = text_,                                                  \
   .absent = def_},
    OCT_SHADOW_PARAMS(OCT_X)
#undef OCT_X
};

static const oct_geometry geometries[] = {
    {"shadow", "as much state as the machine of the paper has", ""},
    {"shadow-large", "up to 24 KB of state",
     "vc_sets=256,vc_tag_bits=13,vc_ways=5,stride_entries=256,stride_bits=24,dfcm_entries=2048,"
     "diff_bits=24,"
     "pc_entries=1024,short_entries=1024,short_bits=10,long_entries=1024,long_bits=20,mix_sets=32,"
     "path_entries=128,target_entries=64,return_entries=16"},
    {"shadow-tiny", "up to 1.5 KB of state",
     "vc_sets=8,vc_ways=5,vc_tag_bits=10,stride_entries=64,stride_bits=11,dfcm_entries=0,"
     "pc_entries=32,short_entries=2,short_bits=3,long_entries=2,long_bits=6,mix_sets=2,"
     "path_entries=2,target_entries=8,return_entries=2,branch_limit=4,mix_shift=6,"
     "gather_insns=4,gather_accesses=16,queue_words=16"},
    {"shadow-archive", "software only",
     "vc_sets=8192,vc_ways=8,vc_tag_bits=40,stride_entries=4096,dfcm_entries=65536,diff_bits=48,"
     "stride_bits=48,pc_entries=16384,short_entries=65536,short_bits=12,long_entries=65536,"
     "long_bits=28,mix_sets=256,path_entries=4096,target_entries=4096,return_entries=64,"
     "match_entries=1048576,sync_insns=0,sync_bits=0"},
};

/* ---- Counters: the fields of an oct_shadow_counts ---- */

/* COUNTERS(X): X(field, name, unit, group, label, meaning). */
#define CATEGORY(X, of, name, group, label, text) \
  X(category_bits[OCT_SC_##of], "port_" name "_bits", "bits", group, label, text)
#define STAGE(X, field, unit, label, text) \
  X(stats.field, #field, unit, OCT_GROUP_STAGE, label, text)
// clang-format off
#define COUNTERS(X)                                                                                \
  X(insns, "insns", "insns", OCT_GROUP_TRACE, "instructions", "accepted by the tracer")            \
  X(accesses, "accesses", "accesses", OCT_GROUP_TRACE, "accesses", "likewise")                     \
  X(traps, "sent_traps", "", OCT_GROUP_TRACE, "traps", "and changes of privilege, sent")           \
  X(syncs, "syncs", "", OCT_GROUP_TRACE, "syncs", "marks at which a decoder may begin")            \
  X(packets, "packets", "", OCT_GROUP_TRACE, "marks", "syncs and flushes")                         \
  X(mark_bits, "port_mark_bits", "bits", OCT_GROUP_PORT_SYNC, "marks",                             \
    "marks between periods, with their checks")                                                    \
  X(overhead_bits, "port_overhead_bits", "bits", OCT_GROUP_PORT_OVERHEAD, "coder",                 \
    "room for carries, ends of periods")                                                           \
  CATEGORY(X, PERIOD, "period", OCT_GROUP_PORT_SYNC, "periods",                                    \
    "where they begin and end, tasks and traps")                                                   \
  CATEGORY(X, ESCAPE, "escape", OCT_GROUP_PORT_INSN, "escapes",                                    \
    "jumps that the program does not explain")                                                     \
  CATEGORY(X, BRANCH, "branch", OCT_GROUP_PORT_INSN, "branches", "directions of branches")         \
  CATEGORY(X, TARGET, "target", OCT_GROUP_PORT_INSN, "target hits",                                \
    "which guess of a target was right")                                                           \
  CATEGORY(X, TARGET_ADDR, "target_address", OCT_GROUP_PORT_INSN, "target addresses",              \
    "targets that no guess gave")                                                                  \
  CATEGORY(X, DONE, "done", OCT_GROUP_PORT_DATA, "accesses made",                                  \
    "whether, and how many, where the program leaves it open or is wrong")                         \
  CATEGORY(X, CLAIM, "claim", OCT_GROUP_PORT_DATA, "claims",                                       \
    "whether the address that the shadow knows is right")                                          \
  CATEGORY(X, NEXT, "next", OCT_GROUP_PORT_DATA, "followers",                                      \
    "whether a later access follows the one before")                                               \
  CATEGORY(X, STRIDE, "stride", OCT_GROUP_PORT_DATA, "stride hits",                                \
    "which guess by stride or difference was right")                                               \
  CATEGORY(X, REF, "reference", OCT_GROUP_PORT_DATA, "references",                                 \
    "the address from which a difference is taken")                                                \
  CATEGORY(X, LENGTH, "length", OCT_GROUP_PORT_DATA, "lengths", "lengths of differences")          \
  CATEGORY(X, DIFF, "difference", OCT_GROUP_PORT_DATA, "differences", "bits of differences")       \
  CATEGORY(X, TIME, "time", OCT_GROUP_PORT_SYNC, "time", "time stamps")                            \
  STAGE(X, claims, "accesses", "claims", "first accesses that the shadow knew")                    \
  STAGE(X, claims_right, "accesses", "claims right", "")                                           \
  STAGE(X, strides, "accesses", "unknown accesses", "left to the tables")                          \
  STAGE(X, strides_right, "accesses", "first guess right", "of the tables")                        \
  STAGE(X, seconds_right, "accesses", "second guess right", "of the tables")                       \
  STAGE(X, coded, "accesses", "coded accesses", "as differences")                                  \
  STAGE(X, nexts, "accesses", "followers", "later accesses of an instruction")                     \
  STAGE(X, nexts_right, "accesses", "followers right", "at last address + size")                   \
  STAGE(X, branches, "", "conditions", "of branches and conditional instructions")                 \
  STAGE(X, decided, "", "conditions decided", "by the shadow")                                     \
  STAGE(X, decided_right, "", "conditions decided right", "")                                      \
  STAGE(X, predicted_right, "", "conditions predicted right", "by the branch tables")              \
  STAGE(X, indirects, "", "indirect targets", "")                                                  \
  STAGE(X, known, "", "indirect targets known", "by the shadow")                                   \
  STAGE(X, known_right, "", "indirect targets known right", "")                                    \
  STAGE(X, cached_right, "", "indirect targets from tables", "right")                              \
  STAGE(X, escapes, "", "escapes", "cases that the program does not explain, ends of periods")     \
  X(symbols, "symbols", "", OCT_GROUP_STAGE, "symbols", "steps of the coder")                      \
  OCT_TIMED_COUNTERS(X)                                                                            \
  OCT_HIGH_WATER_COUNTER(X, OCT_TIMED_GATHER, "gather", "insns")                                   \
  OCT_HIGH_WATER_COUNTER(X, OCT_TIMED_QUEUE, "queue", "words")                                     \
  OCT_HIGH_WATER_COUNTER(X, OCT_TIMED_OUT, "output", "bytes")                                      \
  OCT_SUFFICIENT_COUNTER(X, OCT_TIMED_GATHER, "gather", "insns")                                   \
  OCT_SUFFICIENT_COUNTER(X, OCT_TIMED_QUEUE, "queue", "words")                                     \
  OCT_SUFFICIENT_COUNTER(X, OCT_TIMED_OUT, "output", "bytes")                                      \
  OCT_SUFFICIENT_OVERFLOWS(X)                                                                      \
  OCT_LEFT_OUT_COUNTERS(X)
// clang-format on

static const oct_counter counters[] = {
#define OCT_X(field, name, unit, group, label, text) {name, unit, group, label, text},
    COUNTERS(OCT_X)
#undef OCT_X
};
_Static_assert(sizeof(oct_shadow_counts) == sizeof counters / sizeof *counters * sizeof(uint64_t),
               "a name for each field");
_Static_assert(sizeof counters / sizeof *counters <= OCT_TRACER_COUNTERS_MAX, "room for them");
_Static_assert(sizeof params / sizeof *params <= OCT_TRACER_PARAMS_MAX, "and for parameters");

static oct_shadow_counts counts_of(const uint64_t *oct_values) {
  oct_shadow_counts oct_fields = {0};
  COUNTERS(OCT_FIELD_TAKE)
  return oct_fields;
}

void oct_shadow_counts_put(const oct_shadow_counts *oct_fields, uint64_t *oct_values) {
  COUNTERS(OCT_FIELD_PUT)
}

static double ratio(uint64_t n, uint64_t of) {
  return of ? (double)n / (double)of : (double)NAN;
}

#define RATIO(name, n, of)                                        \
  static double name(const uint32_t *values, const uint64_t *c) { \
    const oct_shadow_counts counts = counts_of(c);                \
    (void)values;                                                 \
    return ratio(counts.n, counts.of);                            \
  }
RATIO(claim_rate, stats.claims_right, stats.claims)
RATIO(decided_rate, stats.decided_right, stats.decided)
RATIO(decided_share, stats.decided, stats.branches)
RATIO(known_share, stats.known, stats.indirects)
RATIO(known_rate, stats.known_right, stats.known)
RATIO(symbols_per_insn, symbols, insns)
RATIO(port_busy, port_busy_cycles, cycles)

static const oct_figure figures[] = {
    {"addresses_right", "", "claims right", "of addresses that the shadow knew", claim_rate},
    {"conditions_decided", "", "conditions decided", "of all", decided_share},
    {"conditions_right", "", "decided right", "of conditions decided", decided_rate},
    {"targets_known", "", "indirect targets known", "of all", known_share},
    {"symbols_per_insn", "", "symbols", "steps of the coder per instruction", symbols_per_insn},
    {"port_busy", "", "port busy", "share of cycles in which the pins carried bits", port_busy},
    {"targets_right", "", "targets right", "of indirect targets known", known_rate},
};

/* ---- Functions ---- */

static const oct_tracer_buffer buffers[] = {
    [OCT_TIMED_GATHER] = {"gather", "gather_insns", "high_water_gather", "sufficient_gather"},
    [OCT_TIMED_QUEUE] = {"queue", "queue_words", "high_water_queue", "sufficient_queue"},
    [OCT_TIMED_OUT] = {"output", "out_fifo_bytes", "high_water_output", "sufficient_output"},
};

/* Nothing to the untimed engine. */
static const char *const timed_params[] = {"retire_width",    "lanes",       "gather_insns",
                                           "gather_accesses", "queue_words", "out_fifo_bytes",
                                           "port_pins",       "filters",     NULL};

extern const oct_tracer oct_tracer_shadow;

static int fit(uint32_t *values, const bool *given, const char *isa, uint32_t addr_bits,
               uint32_t insn_align_bytes, oct_diag *diag) {
  const oct_shadow_config_given is_given = oct_shadow_config_given_of(given);
  oct_shadow_config c = oct_shadow_config_of(values);
  int number = oct_isa_by_name(isa);
  const oct_isa_info *set = number < 0 ? NULL : oct_isa_get((oct_isa)number);
  (void)diag;
  if (!is_given.addr_bits && c.addr_bits < addr_bits) c.addr_bits = addr_bits;
  if (!is_given.pc_align_bits) c.pc_align_bits = oct_core_align_bits(insn_align_bytes);
  if (!is_given.regs) c.regs = set ? set->regs : 32;
  if (!is_given.delay_slots) c.delay_slots = set && set->has_delay_slots;
  oct_shadow_config_put(&c, values);
  return 0;
}

/* An encoder of either engine. */
typedef struct engine {
  oct_shadow_encoder *untimed;
  oct_shadow_cycle *cycle;
} engine;

static void encoder_destroy(void *encoder) {
  engine *e = encoder;
  if (!e) return;
  oct_shadow_encoder_free(e->untimed);
  oct_shadow_cycle_free(e->cycle);
  free(e);
}

static int encoder_create(const uint32_t *values, const oct_run_options *run, void **out,
                          oct_diag *diag) {
  int error = oct_tracer_check_run(&oct_tracer_shadow, run, diag);
  if (!error) error = oct_tracer_check(&oct_tracer_shadow, values, diag);
  if (!error && run->filter && run->engine != OCT_ENGINE_CYCLE)
    error = oct_fail(diag, OCT_ERR_ARG, "a filter is for the cycle engine");
  if (error) return error;
  const oct_shadow_config cfg = oct_shadow_config_of(values);
  engine *e = calloc(1, sizeof *e);
  if (!e) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for an encoder");
  error = run->engine == OCT_ENGINE_CYCLE ? oct_shadow_cycle_new(&cfg, run, &e->cycle, diag)
                                          : oct_shadow_encoder_new(&cfg, true, &e->untimed, diag);
  if (error)
    encoder_destroy(e);
  else
    *out = e;
  return error;
}

static int encoder_put(void *encoder, const oct_tracer_input *in, oct_diag *diag) {
  engine *e = encoder;
  int error = oct_tracer_check_traps(in, diag);
  if (error) return error;
  return e->cycle ? oct_shadow_cycle_put(e->cycle, in, diag)
                  : oct_shadow_encoder_put(e->untimed, in, diag);
}

static int encoder_flush(void *encoder, oct_diag *diag) {
  engine *e = encoder;
  return e->cycle ? oct_shadow_cycle_flush(e->cycle, diag)
                  : oct_shadow_encoder_flush(e->untimed, diag);
}

static size_t encoder_take(void *encoder, const uint8_t **bytes) {
  engine *e = encoder;
  return e->cycle ? oct_shadow_cycle_take(e->cycle, bytes)
                  : oct_shadow_encoder_take(e->untimed, bytes);
}

static void encoder_counters(const void *encoder, uint64_t *values) {
  const engine *e = encoder;
  oct_shadow_counts counts;
  if (e->cycle)
    oct_shadow_cycle_counts(e->cycle, &counts);
  else
    oct_shadow_encoder_counts(e->untimed, &counts);
  oct_shadow_counts_put(&counts, values);
}

static unsigned encoder_occupancy(const void *encoder, unsigned b, uint64_t *cycles) {
  const engine *e = encoder;
  return e->cycle ? oct_shadow_cycle_occupancy(e->cycle, b, cycles) : 0;
}

static int decoder_create(const uint32_t *values, oct_decoder_start start, void **d,
                          oct_diag *diag) {
  int error = oct_tracer_check(&oct_tracer_shadow, values, diag);
  if (error) return error;
  const oct_shadow_config cfg = oct_shadow_config_of(values);
  return oct_shadow_decoder_new(&cfg, start, (oct_shadow_decoder **)d, diag);
}

static void decoder_destroy(void *d) {
  oct_shadow_decoder_free(d);
}

static int decoder_map(void *d, const oct_map_update *updates, size_t n, oct_diag *diag) {
  return oct_shadow_decoder_map(d, updates, n, diag);
}

static int decoder_push(void *d, const uint8_t *bytes, size_t n, oct_diag *diag) {
  return oct_shadow_decoder_push(d, bytes, n, diag);
}

static void decoder_finish(void *d) {
  oct_shadow_decoder_finish(d);
}

static int decoder_next(void *d, oct_decoded *out, oct_diag *diag) {
  return oct_shadow_decoder_next(d, out, diag);
}

static int decoder_resync(void *d, oct_diag *diag) {
  return oct_shadow_decoder_resync(d, diag);
}

static void decoder_had_privilege(void *d, unsigned privilege) {
  oct_shadow_decoder_had_privilege(d, privilege);
}

static void decoder_counts(const void *d, oct_decoder_counts *counts) {
  oct_shadow_decoder_counts(d, counts);
}

const oct_tracer oct_tracer_shadow = {
    .name = "shadow",
    .text = "shadow execution of the program, the rest by an arithmetic coder",
    .version = 3,
    .oldest_version = 3, /* 1 and 2 were never released */
    .has_cycle_engine = true,
    .carries_data = true,
    .trap_parts = OCT_TRAPS_ALL,
    .needs_ops = true,
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .geometries = geometries,
    .n_geometries = sizeof geometries / sizeof *geometries,
    .counters = counters,
    .n_counters = sizeof counters / sizeof *counters,
    .figures = figures,
    .n_figures = sizeof figures / sizeof *figures,
    .state_parts = oct_shadow_state_parts,
    .n_state_parts = OCT_SHADOW_STATE_PARTS,
    .fit = fit,
    .buffers = buffers,
    .n_buffers = sizeof buffers / sizeof *buffers,
    .timed_params = timed_params,
    .twin = &oct_shadow_pins,
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
            .create = oct_shadow_packets_new,
            .destroy = oct_shadow_packets_free,
            .push = oct_shadow_packets_push,
            .finish = oct_shadow_packets_finish,
            .next = oct_shadow_packets_next,
        },
};
