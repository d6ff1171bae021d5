/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay.c - the tracer `replay` behind the interface of all tracers (docs/replay.md): tables
 * of parameters, geometries, counters, figures and state. */
#include "oct_decoder_base.h"
#include "oct_encoder_base.h"
#include "oct_fields.h"
#include "oct_mask.h"
#include "oct_replay_core.h"
#include "oct_replay_encoder.h"
#include "oct_replay_format.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
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
    {"replay", "at most 5 KB of state on 32 bits without floating point, and buffers", ""},
    {"replay-small", "at most 3 KB, likewise",
     "filter_sets=16,filter_ways=13,value_entries=8,told_entries=4,queue_words=64"},
    {"replay-large", "at most 14 KB, likewise",
     "filter_sets=256,filter_ways=4,line_bytes=64,value_entries=256,told_entries=16,queue_words="
     "512"},
};

/* ---- Counters ---- */

/* COUNTERS(X): X(field, name, unit, group, label, meaning). */
// clang-format off
#define COUNTERS(X)                                                                                \
  X(insns, "insns", "insns", OCT_GROUP_TRACE, "instructions", "accepted by the tracer")            \
  X(accesses, "accesses", "accesses", OCT_GROUP_TRACE, "accesses", "likewise")                     \
  X(traps, "sent_traps", "", OCT_GROUP_TRACE, "traps", "and changes of privilege, sent")           \
  X(tasks, "task_switches", "", OCT_GROUP_TRACE, "task switches", "")                              \
  X(syncs, "syncs", "", OCT_GROUP_TRACE, "syncs", "marks at which a decoder may begin")            \
  X(packets, "packets", "", OCT_GROUP_TRACE, "marks", "syncs and flushes")                         \
  X(executed, "executed", "insns", OCT_GROUP_STAGE, "executed instructions",                       \
    "that the decoder executes")                                                                   \
  X(told, "told", "insns", OCT_GROUP_STAGE, "told instructions",                                   \
    "whose accesses are sent in full")                                                             \
  X(loads, "executed_loads", "accesses", OCT_GROUP_STAGE, "executed loads", "")                    \
  X(sent, "sent_values", "accesses", OCT_GROUP_STAGE, "values sent",                               \
    "of loads from bytes that the filter does not know")                                           \
  X(jumps, "jumps", "", OCT_GROUP_STAGE, "jumps", "that execution does not explain")               \
  X(registers, "register_corrections", "", OCT_GROUP_STAGE, "register corrections",                \
    "values from outside")                                                                         \
  X(forgets, "forgets", "", OCT_GROUP_STAGE, "forgotten ranges",                                   \
    "memory that somebody else wrote")                                                             \
  X(fixes, "access_corrections", "insns", OCT_GROUP_STAGE, "access corrections",                   \
    "instructions that the emulator executes otherwise")                                           \
  X(leaves, "leaves", "", OCT_GROUP_STAGE, "execution given up", "after many corrections")         \
  X(symbols, "symbols", "", OCT_GROUP_STAGE, "symbols", "steps of the coder")                      \
  X(overflows, "overflows", "", OCT_GROUP_LOSS, "overflows", "times that events were lost")        \
  X(lost_insns, "lost_insns", "insns", OCT_GROUP_LOSS, "lost instructions", "")                    \
  X(lost_accesses, "lost_accesses", "accesses", OCT_GROUP_LOSS, "lost accesses", "")               \
  X(lost_traps, "lost_traps", "", OCT_GROUP_LOSS, "lost traps", "and changes of privilege")        \
  X(cycles, "cycles", "cycles", OCT_GROUP_TIME, "cycles", "of the core's clock")                   \
  X(port_busy_cycles, "port_busy_cycles", "cycles", OCT_GROUP_TIME, "port busy",                   \
    "cycles in which the pins carried bits")                                                       \
  X(wait_cycles, "wait_cycles", "cycles", OCT_GROUP_TIME, "core waits",                            \
    "cycles in which the core waited for the tracer")                                              \
  X(high_water[OCT_RP_QUEUE], "high_water_queue", "words", OCT_GROUP_BUFFER,                       \
    "queue buffer, high water", "the most it held")                                                \
  X(high_water[OCT_RP_OUT], "high_water_output", "bytes", OCT_GROUP_BUFFER,                        \
    "output buffer, high water", "the most it held")                                               \
  X(sufficient[OCT_RP_QUEUE], "sufficient_queue", "words", OCT_GROUP_BUFFER,                       \
    "queue buffer, sufficient", "the least size that waits no more than the largest")              \
  X(sufficient[OCT_RP_OUT], "sufficient_output", "bytes", OCT_GROUP_BUFFER,                        \
    "output buffer, sufficient", "the least size that waits no more than the largest")             \
  X(sufficient_overflows, "sufficient_overflows", "", OCT_GROUP_BUFFER,                            \
    "overflows with the largest buffers", "")                                                      \
  X(mark_bits, "port_mark_bits", "bits", OCT_GROUP_PORT_SYNC, "marks",                             \
    "marks between periods, with their checks")                                                    \
  X(register_bits, "port_register_bits", "bits", OCT_GROUP_PORT_SYNC, "registers",                 \
    "registers at syncs")                                                                          \
  X(event_bits, "port_event_bits", "bits", OCT_GROUP_PORT_INSN, "events",                          \
    "changes from outside of the program")                                                         \
  X(told_bits, "port_told_bits", "bits", OCT_GROUP_PORT_DATA, "told accesses",                     \
    "of instructions that are not executed")                                                       \
  X(value_bits, "port_value_bits", "bits", OCT_GROUP_PORT_DATA, "values",                          \
    "of loads from unknown bytes")                                                                 \
  X(overhead_bits, "port_overhead_bits", "bits", OCT_GROUP_PORT_OVERHEAD, "coder",                 \
    "ends of periods, zeros after ones")
// clang-format on

static const oct_counter counters[] = {
#define OCT_X(field, name, unit, group, label, text) {name, unit, group, label, text},
    COUNTERS(OCT_X)
#undef OCT_X
};
_Static_assert(sizeof(oct_rp_counts) == sizeof counters / sizeof *counters * sizeof(uint64_t),
               "a name for each field");

static oct_rp_counts counts_of(const uint64_t *oct_values) {
  oct_rp_counts oct_fields = {0};
  COUNTERS(OCT_FIELD_TAKE)
  return oct_fields;
}

static void counts_put(const oct_rp_counts *oct_fields, uint64_t *oct_values) {
  COUNTERS(OCT_FIELD_PUT)
}

static double ratio(uint64_t n, uint64_t of) {
  return of ? (double)n / (double)of : (double)NAN;
}

#define RATIO(name, n, of)                                        \
  static double name(const uint32_t *values, const uint64_t *c) { \
    const oct_rp_counts counts = counts_of(c);                    \
    (void)values;                                                 \
    return ratio(counts.n, counts.of);                            \
  }
RATIO(executed_share, executed, insns)
RATIO(sent_share, sent, loads)
RATIO(symbols_per_insn, symbols, insns)

static const oct_figure figures[] = {
    {"executed_share", "", "executed", "of all instructions", executed_share},
    {"sent_share", "", "loads sent", "of executed loads", sent_share},
    {"symbols_per_insn", "", "symbols", "steps of the coder per instruction", symbols_per_insn},
};

/* ---- State ---- */

static uint64_t filter_bits(const uint32_t *values) {
  const oct_rp_config c = oct_rp_config_of(values);
  const uint64_t tag = c.addr_bits - oct_log2_up(c.line_bytes) - oct_log2_up(c.filter_sets);
  return (uint64_t)c.filter_sets * c.filter_ways *
         (tag + c.line_bytes / c.grain_bytes + oct_log2_up(c.filter_ways));
}
static uint64_t value_bits(const uint32_t *values) {
  const oct_rp_config c = oct_rp_config_of(values);
  return (uint64_t)c.value_entries * (c.addr_bits + OCT_RP_STRIDE_BITS + 2);
}
static uint64_t told_bits(const uint32_t *values) {
  const oct_rp_config c = oct_rp_config_of(values);
  return (uint64_t)c.told_entries * c.addr_bits;
}
/* Those that can be used: a tree has no node 0, a byte no kind, the shortest numbers no bit below
 * the highest. */
static uint64_t probability_bits(const uint32_t *values) {
  enum { NUMBERS = 4, TREES = NUMBERS + 2 + OCT_RP_SIZES - 1, KINDS = 1 << OCT_RP_FROM_BITS };
  (void)values;
  return (sizeof(oct_rp_probs) / sizeof(oct_prob) - TREES - KINDS - 2 * NUMBERS) * OCT_PROB_BITS;
}
static uint64_t coder_bits(const uint32_t *values) {
  (void)values;
  return OCT_CODER_BITS + (OCT_CODER_BITS + 12) + 4 + 9 + 16; /* as shadow's, with the check */
}
/* A copy of each register that a sync sends: two words, and two bits that say which is of today
 * (docs/replay-rtl.md). Of no set they are 32 as wide as addresses. */
static uint64_t copy_bits(const uint32_t *values, bool is_float) {
  enum { WORDS = 2, FLAGS = 2, REGISTERS = 32 };
  const oct_rp_config c = oct_rp_config_of(values);
  size_t n_banks = 0;
  uint64_t bits = 0;
  if (!c.isa) return is_float ? 0 : REGISTERS * (WORDS * (uint64_t)c.addr_bits + FLAGS);
  const oct_register_bank *banks = oct_isa_registers((oct_isa)(c.isa - 1), &n_banks);
  for (size_t i = 0; i < n_banks; i++)
    if ((banks[i].first >= OCT_REG_FLOAT) == is_float)
      bits += banks[i].count * (8 * WORDS * (uint64_t)banks[i].bytes + FLAGS);
  return bits;
}
static uint64_t register_bits(const uint32_t *values) {
  return copy_bits(values, false);
}
static uint64_t float_bits(const uint32_t *values) {
  return copy_bits(values, true);
}
static uint64_t queue_bits(const uint32_t *values) {
  const oct_rp_config c = oct_rp_config_of(values);
  return (uint64_t)c.queue_words * OCT_RP_WORD_BITS(c.addr_bits);
}
static uint64_t output_bits(const uint32_t *values) {
  return 8 * (uint64_t)oct_rp_config_of(values).out_fifo_bytes;
}
static uint64_t position_bits(const uint32_t *values) {
  return 2 * 48 + 2 * (uint64_t)oct_rp_config_of(values).addr_bits; /* numbers, addresses */
}

static const oct_state_part state_parts[] = {
    {"filter", "tags, valid bits, order of use", filter_bits},
    {"values", "last values and strides", value_bits},
    {"told", "last addresses of reported instructions", told_bits},
    {"probabilities", "of the coder", probability_bits},
    {"coder", "interval and the byte that waits", coder_bits},
    {"registers", "a copy of the general and the status, for syncs", register_bits},
    {"float_registers", "likewise of floating point, if the core has them", float_bits},
    {"position", "numbers and addresses", position_bits},
    {"queue", "before the coder", queue_bits},
    {"output", "bytes on their way to the pins", output_bits},
};

/* ---- Functions ---- */

#ifdef OCT_HAVE_UNICORN
#define WITHOUT
#else
#define WITHOUT " (this build cannot)"
#endif

/* What isa may be in this build. */
static const char *executed_sets(char *text, size_t room) {
  size_t n = (size_t)snprintf(text, room, "0");
  for (unsigned i = 0; i < OCT_ISA_COUNT && n < room; i++)
    if (oct_emulator_has((oct_isa)i))
      n += (size_t)snprintf(text + n, room - n, ", %u (%s)", i + 1, oct_isa_get((oct_isa)i)->name);
  if (n == 1) snprintf(text, room, "0, or a build with Unicorn (libunicorn-dev)");
  return text;
}

static int check_build(const uint32_t *values, oct_diag *diag) {
  const oct_rp_config c = oct_rp_config_of(values);
  char sets[128];
  if (c.isa && !oct_emulator_has((oct_isa)(c.isa - 1)))
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "isa=%u (%s): this build has no emulator for it: "
                    "expected %s",
                    c.isa, oct_isa_get((oct_isa)(c.isa - 1))->name,
                    executed_sets(sets, sizeof sets));
  return 0;
}

static int check(const uint32_t *values, oct_diag *diag) {
  const oct_rp_config c = oct_rp_config_of(values);
  if (c.grain_bytes > c.line_bytes)
    return oct_fail(diag, OCT_ERR_CONFIG, "grain_bytes=%u: expected line_bytes=%u at most",
                    c.grain_bytes, c.line_bytes);
  if (c.line_bytes / c.grain_bytes > 64)
    return oct_fail(diag, OCT_ERR_CONFIG, "line_bytes=%u: expected 64 grains at most",
                    c.line_bytes);
  return 0;
}

/* One processor has ARM and Thumb code. */
static bool is_executed_as(int of_trace, int executed) {
  return of_trace == executed || ((of_trace == OCT_ISA_ARM || of_trace == OCT_ISA_THUMB) &&
                                  (executed == OCT_ISA_ARM || executed == OCT_ISA_THUMB));
}

static int fit(uint32_t *values, const bool *given, const char *isa, uint32_t addr_bits,
               uint32_t insn_align_bytes, oct_diag *diag) {
  oct_rp_config c = oct_rp_config_of(values);
  const oct_rp_config_given is_given = oct_rp_config_given_of(given);
  const int number = oct_isa_by_name(isa);
  (void)insn_align_bytes;
  if (is_given.isa && c.isa && number >= 0 && !is_executed_as(number, (int)c.isa - 1))
    return oct_fail(diag, OCT_ERR_CONFIG, "isa=%u (%s): the trace is of %s: expected %s, or no isa",
                    c.isa, oct_isa_get((oct_isa)(c.isa - 1))->name, isa,
                    oct_emulator_has((oct_isa)number) ? "that" : "0");
  if (!is_given.addr_bits && c.addr_bits < addr_bits) c.addr_bits = addr_bits;
  if (!is_given.isa && number >= 0 && oct_emulator_has((oct_isa)number))
    c.isa = (uint32_t)number + 1;
  oct_rp_config_put(&c, values);
  return 0;
}

/* One encoder, or with find_depths another one with the largest buffers beside it. */
enum { ENCODERS = 2 };
typedef struct engine {
  void *encoders[ENCODERS];
  unsigned n;
} engine;

static void encoder_destroy(void *context) {
  engine *e = context;
  if (!e) return;
  for (unsigned i = 0; i < ENCODERS; i++) oct_rp_encoder_destroy(e->encoders[i]);
  free(e);
}

static int encoder_create(const uint32_t *values, const oct_run_options *run, void **out,
                          oct_diag *diag) {
  enum { LARGEST_WORDS = 4096, LARGEST_BYTES = 65536 };
  const bool has_clock = run->engine == OCT_ENGINE_CYCLE;
  engine *e = calloc(1, sizeof *e);
  *out = NULL;
  if (!e) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  e->n = has_clock && run->find_depths ? ENCODERS : 1;
  int rc = 0;
  for (unsigned i = 0; !rc && i < e->n; i++) {
    oct_rp_config cfg = oct_rp_config_of(values);
    uint32_t params[OCT_RP_N_PARAMS];
    if (i) cfg.queue_words = LARGEST_WORDS, cfg.out_fifo_bytes = LARGEST_BYTES;
    oct_rp_config_put(&cfg, params);
    rc = oct_rp_encoder_create(&oct_tracer_replay, params, run, &e->encoders[i], diag);
    if (!rc && has_clock) rc = oct_rp_encoder_set_clock(e->encoders[i], run, diag);
  }
  if (rc)
    encoder_destroy(e);
  else
    *out = e;
  return rc;
}

static int encoder_put(void *context, const oct_tracer_input *in, oct_diag *diag) {
  engine *e = context;
  int rc = 0;
  for (unsigned i = 0; !rc && i < e->n; i++) rc = oct_rp_encoder_put(e->encoders[i], in, diag);
  return rc;
}

static int encoder_flush(void *context, oct_diag *diag) {
  engine *e = context;
  int rc = 0;
  for (unsigned i = 0; !rc && i < e->n; i++) rc = oct_rp_encoder_flush(e->encoders[i], diag);
  return rc;
}

static size_t encoder_take(void *context, const uint8_t **bytes) {
  engine *e = context;
  if (e->n > 1) oct_encoder_base_take(e->encoders[1], bytes);
  return oct_encoder_base_take(e->encoders[0], bytes);
}

static uint64_t most(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static void get_counters(const void *context, uint64_t *values) {
  enum { LEAST_WORDS = 16, LEAST_BYTES = 32 }; /* as the parameters have them */
  const engine *e = context;
  oct_rp_counts counts, largest;
  oct_rp_encoder_counts(e->encoders[0], &counts);
  if (e->n > 1) {
    oct_rp_encoder_counts(e->encoders[1], &largest);
    counts.sufficient[OCT_RP_QUEUE] = most(largest.high_water[OCT_RP_QUEUE], LEAST_WORDS);
    /* Never full: the framer waits for nothing. */
    counts.sufficient[OCT_RP_OUT] = LEAST_BYTES;
    while (counts.sufficient[OCT_RP_OUT] < largest.high_water[OCT_RP_OUT] + OCT_BEAT_BYTES)
      counts.sufficient[OCT_RP_OUT] *= 2;
    counts.sufficient_overflows = largest.overflows;
  }
  counts_put(&counts, values);
}

static size_t get_corrections(const void *context, oct_correction *list, size_t n) {
  return oct_rp_encoder_corrections(((const engine *)context)->encoders[0], list, n);
}

static unsigned get_occupancy(const void *context, unsigned buffer, uint64_t *cycles) {
  const oct_rp_clock *clock = oct_rp_encoder_clock(((const engine *)context)->encoders[0]);
  return clock ? oct_rp_clock_occupancy(clock, buffer, cycles) : 0;
}

static int decoder_create(const uint32_t *values, oct_decoder_start start, void **d,
                          oct_diag *diag) {
  return oct_rp_decoder_create(&oct_tracer_replay, values, start, d, diag);
}

static int packets_create(const uint32_t *values, oct_decoder_start start, void **p,
                          oct_diag *diag) {
  return oct_rp_packets_create(&oct_tracer_replay, values, start, p, diag);
}

static const oct_tracer_buffer buffers[] = {
    [OCT_RP_QUEUE] = {"queue", "queue_words", "high_water_queue", "sufficient_queue"},
    [OCT_RP_OUT] = {"output", "out_fifo_bytes", "high_water_output", "sufficient_output"},
};

/* Nothing to the untimed engine. */
static const char *const timed_params[] = {"queue_words", "out_fifo_bytes", "port_pins",
                                           "core_waits", NULL};

const oct_tracer oct_tracer_replay = {
    .name = "replay",
    .text = "values from outside, and a decoder that executes the program" WITHOUT,
    .version = 1,
    .has_cycle_engine = true,
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
    .n_counters = sizeof counters / sizeof *counters,
    .figures = figures,
    .n_figures = sizeof figures / sizeof *figures,
    .state_parts = state_parts,
    .n_state_parts = sizeof state_parts / sizeof *state_parts,
    .check = check,
    .check_build = check_build,
    .fit = fit,
    .buffers = buffers,
    .n_buffers = sizeof buffers / sizeof *buffers,
    .timed_params = timed_params,
    .encoder =
        {
            .create = encoder_create,
            .destroy = encoder_destroy,
            .put = encoder_put,
            .flush = encoder_flush,
            .take = encoder_take,
            .counters = get_counters,
            .occupancy = get_occupancy,
            .corrections = get_corrections,
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
            .had_privilege = oct_rp_decoder_had_privilege,
            .tell_results = oct_rp_decoder_tell_results,
        },
    .packets =
        {
            .create = packets_create,
            .destroy = oct_rp_decoder_destroy,
            .push = oct_decoder_base_push,
            .finish = oct_decoder_base_finish,
            .next = oct_rp_packets_next,
        },
};
