/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etmv4.c - Arm ETMv4 instruction trace behind the interface of tracers (docs/etmv4-format.md).
 *
 * Tables of parameters, geometries, counters, figures and state, and functions that give encoder
 * (oct_etm4_encode.c), decoder (oct_etm4_decode.c) and listing their general form. */
#include "octrace/trace.h"
#include "oct_etm4_decode.h"
#include "oct_etm4_encode.h"
#include "octrace/tracer.h"

extern const oct_tracer oct_tracer_etmv4;

static const oct_param params[] = {
#define OCT_X(name_, def_, min_, max_, unit_, role_, old_, text_) \
  {.name = #name_,                                                \
   .def = def_,                                                   \
   .min = min_,                                                   \
   .max = max_,                                                   \
   .unit = unit_,                                                 \
   .role = OCT_ROLE_##role_,                                      \
   .text = text_,                                                 \
   .absent = def_,                                                \
   .old_name = old_},
    OCT_ETM4_PARAMS(OCT_X)
#undef OCT_X
};

static const oct_geometry geometries[] = {
    {"default", "in formatter frames, with a return stack", ""},
    {"unit", "bytes of the trace unit, without frames", "frames=0"},
    {"plain", "all return addresses are sent", "return_stack=0"},
    {"cycles", "with cycle counts", "cycles=1"},
};

static const oct_counter counters[] = {
#define OCT_X(name, unit, group, label, text) {#name, unit, OCT_GROUP_##group, label, text},
    OCT_ETM4_COUNTERS(OCT_X)
#undef OCT_X
};

static double per_insn(const uint32_t *p, const uint64_t *c) {
  const oct_etm4_counters n = oct_etm4_counters_of(c);
  uint64_t bits = n.atom_bits + n.address_bits + n.sync_bits + n.cycle_bits + n.frame_bits;
  (void)p;
  return n.insns ? (double)bits / (double)n.insns : 0;
}

static double per_insn_bare(const uint32_t *p, const uint64_t *c) {
  const oct_etm4_counters n = oct_etm4_counters_of(c);
  uint64_t bits = n.atom_bits + n.address_bits + n.sync_bits + n.cycle_bits;
  (void)p;
  return n.insns ? (double)bits / (double)n.insns : 0;
}

static const oct_figure figures[] = {
    {"insn_bits_per_insn", "bits", "Bits per instruction", "frames included", per_insn},
    {"unit_bits_per_insn", "bits", "Bits per instruction of the trace unit", "without frames",
     per_insn_bare},
};

static uint64_t stack_bits(const uint32_t *p) {
  uint64_t addr_bits = oct_etm4_params_of(p).default_isa == OCT_ETM4_A64 ? 64 : 32;
  return addr_bits * oct_etm4_params_of(p).return_stack;
}
static uint64_t atom_bits(const uint32_t *p) {
  (void)p;
  return 24 + 5;
}
static uint64_t history_bits(const uint32_t *p) {
  return 3 * (oct_etm4_params_of(p).default_isa == OCT_ETM4_A64 ? 65 : 33);
}
static const oct_state_part state_parts[] = {
    {"return_stack", "return addresses", stack_bits},
    {"atoms", "atoms not yet sent", atom_bits},
    {"history", "the last three addresses", history_bits},
};

static int fit(uint32_t *values, const bool *given, const char *isa, uint32_t addr_bits,
               uint32_t insn_align_bytes, oct_diag *diag) {
  int number = isa ? oct_isa_by_name(isa) : OCT_ERR_ARG;
  (void)addr_bits;
  if (number != OCT_ISA_ARM && number != OCT_ISA_THUMB && number != OCT_ISA_AARCH64)
    return oct_encoder_base_refuse_isa(isa, "ETMv4 carries Arm only (arm, thumb, aarch64)", diag);
  oct_etm4_params p = oct_etm4_params_of(values);
  const bool is_given = oct_etm4_params_given_of(given).default_isa;
  if (is_given && (p.default_isa == OCT_ETM4_A64) != (number == OCT_ISA_AARCH64))
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "default_isa=%u and a trace of instruction set '%s': expected %s",
                    p.default_isa, isa,
                    number == OCT_ISA_AARCH64 ? "default_isa=2" : "default_isa=0 or default_isa=1");
  if (!is_given)
    p.default_isa = number == OCT_ISA_AARCH64                          ? OCT_ETM4_A64
                    : number == OCT_ISA_THUMB || insn_align_bytes == 2 ? OCT_ETM4_T32
                                                                       : OCT_ETM4_A32;
  oct_etm4_params_put(&p, values);
  return 0;
}

static int encoder_create(const uint32_t *p, const oct_run_options *run, void **out,
                          oct_diag *diag) {
  return oct_encoder_base_create(&oct_tracer_etmv4, sizeof(oct_etm4_encoder), oct_etm4_encoder_init,
                                 p, run, out, diag);
}

static void encoder_counters(const void *e, uint64_t *values) {
  oct_etm4_counters_put(&((const oct_etm4_encoder *)e)->counters, values);
}

static int decoder_create(const uint32_t *p, oct_decoder_start start, void **out, oct_diag *diag) {
  return oct_decoder_base_create(&oct_tracer_etmv4, sizeof(oct_etm4_decoder), oct_etm4_decoder_init,
                                 p, start, out, diag);
}

/* ---- Listing: the decoder's parser alone. ---- */

static int list_packet(void *from, oct_packet *out) {
  oct_etm4_decoder *d = from;
  oct_etm4_packet p;
  int rc = oct_etm4_decoder_packet(d, &p);
  if (rc != 1) return rc;
  out->insn = UINT64_MAX;
  if (p.atoms.n) {
    oct_packet_describe(out, "Atoms", "branches, the oldest in bit 0, 1 = taken");
    oct_packet_add(out, "n", p.atoms.n, 5, false);
    oct_packet_add(out, "atoms", p.atoms.bits, p.atoms.n, true);
  } else if (p.is_async) {
    oct_packet_describe(out, "A-Sync", "a sync begins");
    out->is_sync = true;
  } else if (p.is_address) {
    oct_packet_describe(
        out, p.has_context ? "Address with Context" : "Address",
        p.has_context ? "where a sync or another task begins" : "where the program goes on");
    oct_packet_add(out, "address", p.value, 64, true);
    oct_packet_add(out, "is", p.is_thumb, 1, false);
    if (p.has_context) oct_packet_add(out, "context", p.context, 32, false);
    if (p.has_context) oct_packet_add(out, "el", p.privilege, 2, false);
  } else if (p.header == OCT_ETM4_TRACE_INFO) {
    oct_packet_describe(out, "Trace Info", "compression starts anew");
    if (d->p.cycles) oct_packet_add(out, "threshold", p.value, 12, false);
  } else if (p.header == OCT_ETM4_TIMESTAMP) {
    oct_packet_describe(out, "Timestamp", "retired instructions");
    oct_packet_add(out, "timestamp", p.value, 63, false);
    if (d->p.timestamp) out->insn = p.value;
  } else if (p.header == OCT_ETM4_EXCEPTION) {
    oct_packet_describe(
        out, "Exception",
        p.value == OCT_ETM4_HALT ? "tracing ends" : "an event; its address follows");
    oct_packet_add(out, "type", p.value, 10, false);
  } else if (p.is_cycles) {
    oct_packet_describe(out, "Cycle Count",
                        p.value == UINT64_MAX ? "too many cycles" : "cycles above the threshold");
    if (p.value != UINT64_MAX) oct_packet_add(out, "count", p.value, OCT_ETM4_CYCLES_BITS, false);
  } else {
    oct_packet_describe(out, "Trace On", "tracing begins here");
  }
  return 1;
}

static int packets_next(void *d, oct_packet *out, oct_diag *diag) {
  return oct_decoder_base_list(d, oct_etm4_decoder_search, list_packet, out, diag);
}

const oct_tracer oct_tracer_etmv4 = {
    .name = "etmv4",
    .text = "Arm ETMv4 instruction trace in CoreSight frames",
    .version = 1,
    .trap_parts = OCT_TRAPS_PLACE | OCT_TRAPS_CAUSE | OCT_TRAPS_PRIVILEGE,
    .needs_code = true,
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .geometries = geometries,
    .n_geometries = sizeof geometries / sizeof *geometries,
    .counters = counters,
    .n_counters = sizeof counters / sizeof *counters,
    .figures = figures,
    .n_figures = sizeof figures / sizeof *figures,
    .state_parts = state_parts,
    .n_state_parts = sizeof state_parts / sizeof *state_parts,
    .fit = fit,
    .encoder =
        {
            .create = encoder_create,
            .destroy = oct_etm4_encoder_destroy,
            .put = oct_etm4_encoder_put,
            .flush = oct_etm4_encoder_flush,
            .take = oct_encoder_base_take,
            .counters = encoder_counters,
        },
    .decoder =
        {
            .create = decoder_create,
            .destroy = oct_etm4_decoder_destroy,
            .map = oct_decoder_base_map,
            .push = oct_etm4_decoder_push,
            .finish = oct_decoder_base_finish,
            .next = oct_etm4_decoder_next,
            .resync = oct_etm4_decoder_resync,
            .counts = oct_etm4_decoder_counts,
            .behind_gap = oct_decoder_base_behind_gap,
        },
    .packets =
        {
            .create = decoder_create,
            .destroy = oct_etm4_decoder_destroy,
            .push = oct_etm4_decoder_push,
            .finish = oct_decoder_base_finish,
            .next = packets_next,
        },
};
