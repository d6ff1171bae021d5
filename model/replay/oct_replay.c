/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay.c - the tracer `replay` behind the interface of all tracers (docs/replay.md): tables
 * of parameters, geometries, counters, figures and state. */
#include "oct_decoder_base.h"
#include "oct_encoder_base.h"
#include "oct_replay_core.h"
#include "oct_replay_encoder.h"
#include "oct_replay_format.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

extern const oct_tracer oct_tracer_replay;

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
    OCT_RP_PARAMS(OCT_X)
#undef OCT_X
};

static const oct_geometry geometries[] = {
    {"replay", "at most 5 KB of state", ""},
    {"replay-small", "at most 3 KB", "filter_sets=32,filter_ways=7,value_entries=16"},
    {"replay-large", "at most 14 KB",
     "filter_sets=256,filter_ways=4,line_bytes=64,value_entries=256,told_entries=16"},
};

/* ---- Counters: an oct_rp_counts ---- */

#define AT(field) (offsetof(oct_rp_counts, field) / sizeof(uint64_t))
#define COUNTERS (sizeof(oct_rp_counts) / sizeof(uint64_t))

static const oct_counter counters[] = {
    [AT(insns)] = {"insns", "insns", OCT_GROUP_TRACE, "instructions", "accepted by the tracer"},
    [AT(accesses)] = {"accesses", "accesses", OCT_GROUP_TRACE, "accesses", "likewise"},
    [AT(traps)] = {"sent_traps", "", OCT_GROUP_TRACE, "traps", "and changes of privilege, sent"},
    [AT(tasks)] = {"task_switches", "", OCT_GROUP_TRACE, "task switches", ""},
    [AT(syncs)] = {"syncs", "", OCT_GROUP_TRACE, "syncs", "marks at which a decoder may begin"},
    [AT(packets)] = {"packets", "", OCT_GROUP_TRACE, "marks", "syncs and flushes"},
    [AT(executed)] = {"executed", "insns", OCT_GROUP_STAGE, "executed instructions",
                      "that the decoder executes"},
    [AT(told)] = {"told", "insns", OCT_GROUP_STAGE, "told instructions",
                  "whose accesses are sent in full"},
    [AT(loads)] = {"executed_loads", "accesses", OCT_GROUP_STAGE, "executed loads", ""},
    [AT(sent)] = {"sent_values", "accesses", OCT_GROUP_STAGE, "values sent",
                  "of loads from bytes that the filter does not know"},
    [AT(jumps)] = {"jumps", "", OCT_GROUP_STAGE, "jumps", "that execution does not explain"},
    [AT(registers)] = {"register_corrections", "", OCT_GROUP_STAGE, "register corrections",
                       "values from outside"},
    [AT(forgets)] = {"forgets", "", OCT_GROUP_STAGE, "forgotten ranges",
                     "memory that somebody else wrote"},
    [AT(fixes)] = {"access_corrections", "insns", OCT_GROUP_STAGE, "access corrections",
                   "instructions that the emulator executes otherwise"},
    [AT(leaves)] = {"leaves", "", OCT_GROUP_STAGE, "execution given up", "after many corrections"},
    [AT(mark_bits)] = {"port_mark_bits", "bits", OCT_GROUP_PORT_SYNC, "marks",
                       "marks between periods, with their checks"},
    [AT(register_bits)] = {"port_register_bits", "bits", OCT_GROUP_PORT_SYNC, "registers",
                           "registers at syncs"},
    [AT(event_bits)] = {"port_event_bits", "bits", OCT_GROUP_PORT_INSN, "events",
                        "changes from outside of the program"},
    [AT(told_bits)] = {"port_told_bits", "bits", OCT_GROUP_PORT_DATA, "told accesses",
                       "of instructions that are not executed"},
    [AT(value_bits)] = {"port_value_bits", "bits", OCT_GROUP_PORT_DATA, "values",
                        "of loads from unknown bytes"},
    [AT(overhead_bits)] = {"port_overhead_bits", "bits", OCT_GROUP_PORT_OVERHEAD, "coder",
                           "ends of periods, zeros after ones"},
};
_Static_assert(sizeof counters / sizeof *counters == COUNTERS, "a name for each counter");

static double ratio(uint64_t n, uint64_t of) {
  return of ? (double)n / (double)of : (double)NAN;
}
static double executed_share(const uint32_t *values, const uint64_t *c) {
  (void)values;
  return ratio(c[AT(executed)], c[AT(insns)]);
}
static double sent_share(const uint32_t *values, const uint64_t *c) {
  (void)values;
  return ratio(c[AT(sent)], c[AT(loads)]);
}
static const oct_figure figures[] = {
    {"executed_share", "", "executed", "of all instructions", executed_share},
    {"sent_share", "", "loads sent", "of executed loads", sent_share},
};

/* ---- State ---- */

static const oct_rp_config *config_of(const uint32_t *values) {
  return (const oct_rp_config *)values;
}

static unsigned log2_up(uint32_t n) {
  return n < 2 ? 0 : 32 - (unsigned)__builtin_clz(n - 1);
}

static uint64_t filter_bits(const uint32_t *values) {
  const oct_rp_config *c = config_of(values);
  const uint64_t tag = c->addr_bits - log2_up(c->line_bytes) - log2_up(c->filter_sets);
  return (uint64_t)c->filter_sets * c->filter_ways *
         (tag + c->line_bytes / c->grain_bytes + log2_up(c->filter_ways));
}
static uint64_t value_bits(const uint32_t *values) {
  const oct_rp_config *c = config_of(values);
  return (uint64_t)c->value_entries * (c->addr_bits + OCT_RP_STRIDE_BITS + 2);
}
static uint64_t told_bits(const uint32_t *values) {
  const oct_rp_config *c = config_of(values);
  return (uint64_t)c->told_entries * c->addr_bits;
}
static uint64_t probability_bits(const uint32_t *values) {
  (void)values;
  return sizeof(oct_rp_probs) / sizeof(oct_rp_prob) * OCT_RP_PROB_BITS;
}
static uint64_t coder_bits(const uint32_t *values) {
  (void)values;
  return 32 + 40 + 8 + 16; /* range, low, the byte that waits, their number */
}
/* A copy of the general registers, for syncs: 16 of 32 bits, or 32 of 64. */
static uint64_t register_bits(const uint32_t *values) {
  return config_of(values)->addr_bits > 32 ? 32 * 64 : 16 * 32;
}
static uint64_t position_bits(const uint32_t *values) {
  return 2 * 48 + 2 * (uint64_t)config_of(values)->addr_bits; /* numbers, addresses */
}

static const oct_state_part state_parts[] = {
    {"filter", "tags, valid bits, order of use", filter_bits},
    {"values", "last values and strides", value_bits},
    {"told", "last addresses of reported instructions", told_bits},
    {"probabilities", "of the coder", probability_bits},
    {"coder", "interval and the byte that waits", coder_bits},
    {"registers", "a copy of the general ones, for syncs", register_bits},
    {"position", "numbers and addresses", position_bits},
};

/* ---- Functions ---- */

static int check(const uint32_t *values, oct_diag *diag) {
  const oct_rp_config *c = config_of(values);
  if (c->isa && !oct_emulator_has((oct_isa)(c->isa - 1)))
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "isa=%u (%s): this build has no emulator for it: expected 0, or a build with "
                    "Unicorn (libunicorn-dev) and ARM, AArch64, RISC-V or x86-64",
                    c->isa, oct_isa_get((oct_isa)(c->isa - 1))->name);
  if (c->grain_bytes > c->line_bytes)
    return oct_fail(diag, OCT_ERR_CONFIG, "grain_bytes=%u: expected line_bytes=%u at most",
                    c->grain_bytes, c->line_bytes);
  if (c->line_bytes / c->grain_bytes > 64)
    return oct_fail(diag, OCT_ERR_CONFIG, "line_bytes=%u: expected 64 grains at most",
                    c->line_bytes);
  return 0;
}

static int fit(uint32_t *values, const bool *given, const char *isa, uint32_t addr_bits,
               uint32_t insn_align_bytes, oct_diag *diag) {
  oct_rp_config *c = (oct_rp_config *)values;
  const int number = oct_isa_by_name(isa);
  (void)insn_align_bytes, (void)diag;
#define GIVEN(field) given[offsetof(oct_rp_config, field) / sizeof(uint32_t)]
  if (!GIVEN(addr_bits) && c->addr_bits < addr_bits) c->addr_bits = addr_bits;
  if (!GIVEN(isa) && number >= 0 && oct_emulator_has((oct_isa)number))
    c->isa = (uint32_t)number + 1;
#undef GIVEN
  return 0;
}

static int encoder_create(const uint32_t *values, const oct_run_options *run, void **e,
                          oct_diag *diag) {
  return oct_rp_encoder_create(&oct_tracer_replay, values, run, e, diag);
}

static void get_counters(const void *e, uint64_t *values) {
  memcpy(values, oct_rp_encoder_counts(e), sizeof(oct_rp_counts));
}

static int decoder_create(const uint32_t *values, oct_decoder_start start, void **d,
                          oct_diag *diag) {
  return oct_rp_decoder_create(&oct_tracer_replay, values, start, d, diag);
}

const oct_tracer oct_tracer_replay = {
    .name = "replay",
    .text = "values from outside, and a decoder that executes the program",
    .version = 1,
    .carries_data = true,
    .carries_values = true,
    .trap_parts = OCT_TRAPS_ALL,
    .needs_ops = true,
    .needs_code = true,
    .params = params,
    .n_params = OCT_RP_N_PARAMS,
    .geometries = geometries,
    .n_geometries = sizeof geometries / sizeof *geometries,
    .counters = counters,
    .n_counters = COUNTERS,
    .figures = figures,
    .n_figures = sizeof figures / sizeof *figures,
    .state_parts = state_parts,
    .n_state_parts = sizeof state_parts / sizeof *state_parts,
    .check = check,
    .fit = fit,
    .encoder =
        {
            .create = encoder_create,
            .destroy = oct_rp_encoder_destroy,
            .put = oct_rp_encoder_put,
            .flush = oct_rp_encoder_flush,
            .take = oct_encoder_base_take,
            .counters = get_counters,
        },
    .decoder =
        {
            .create = decoder_create,
            .destroy = oct_rp_decoder_destroy,
            .map = oct_rp_decoder_map,
            .push = oct_decoder_base_push,
            .finish = oct_decoder_base_finish,
            .next = oct_rp_decoder_next,
            .resync = oct_rp_decoder_resync,
            .counts = oct_decoder_base_counts,
            .behind_gap = oct_decoder_base_behind_gap,
        },
};
