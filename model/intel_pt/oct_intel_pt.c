/* SPDX-License-Identifier: Apache-2.0 */
/* oct_intel_pt.c - Intel Processor Trace behind the interface of tracers (docs/intel-pt-format.md).
 *
 * Tables of parameters, geometries, counters, figures and state, and functions that give encoder
 * (oct_pt_encode.c), decoder (oct_pt_decode.c) and listing their general form. */
#include "octrace/trace.h"
#include "oct_port_stream.h"
#include "oct_pt_decode.h"
#include "oct_pt_encode.h"
#include "oct_unit_formats.h"
#include "octrace/tracer.h"

extern const oct_tracer oct_tracer_intel_pt;

static const oct_param params[] = {
#define OCT_X(name_, def_, min_, max_, unit_, role_, text_) \
  {.name = #name_,                                          \
   .def = def_,                                             \
   .min = min_,                                             \
   .max = max_,                                             \
   .unit = unit_,                                           \
   .role = OCT_ROLE_##role_,                                \
   .text = text_,                                           \
   .absent = def_},
    OCT_PT_PARAMS(OCT_X)
#undef OCT_X
};

static const oct_geometry geometries[] = {
    {"default", "as Linux perf records user code, with compressed returns", ""},
    {"plain", "without compressed returns", "ret_compression=0"},
    {"long", "TNT packets of 47 bits", "tnt_long=1"},
};

static const oct_counter counters[] = {
#define OCT_X(name, unit, group, label, text) {#name, unit, OCT_GROUP_##group, label, text},
    OCT_PT_COUNTERS(OCT_X)
#undef OCT_X
};

static double per_insn(const uint32_t *p, const uint64_t *c) {
  const oct_pt_counters n = oct_pt_counters_of(c);
  uint64_t bits = n.tnt_bits + n.ip_bits + n.mnt_bits + n.cyc_bits + n.sync_bits;
  (void)p;
  return n.insns ? (double)bits / (double)n.insns : 0;
}

static const oct_figure figures[] = {
    {"insn_bits_per_insn", "bits", "Bits per instruction", "all packets", per_insn},
};

static uint64_t stack_bits(const uint32_t *p) {
  return oct_pt_params_of(p).ret_compression ? 64 * 64 : 0;
}
static uint64_t tnt_bits(const uint32_t *p) {
  return oct_pt_params_of(p).tnt_long ? 48 : 7;
}
static uint64_t ip_bits(const uint32_t *p) {
  (void)p;
  return 64;
}
static uint64_t buffer_bits(const uint32_t *p) {
  return 8 * (uint64_t)oct_pt_params_of(p).buffer_bytes;
}
static const oct_state_part state_parts[] = {
    {"return_stack", "return addresses", stack_bits},
    {"tnt", "outcomes not yet sent", tnt_bits},
    {"last_ip", "address sent last", ip_bits},
    {"buffer", "packets that wait to leave", buffer_bits},
};

static int check(const uint32_t *values, oct_diag *diag) {
  const oct_pt_params p = oct_pt_params_of(values);
  if (p.buffer_bytes && p.buffer_bytes < OCT_PT_BUFFER_LEAST)
    return oct_fail_param(diag, OCT_ERR_CONFIG, "buffer_bytes", p.buffer_bytes,
                          "expected 0, or %d to 65536", (int)OCT_PT_BUFFER_LEAST);
  if (p.buffer_bytes && !p.tsc)
    return oct_fail(
        diag, OCT_ERR_CONFIG,
        "buffer_bytes=%u needs tsc=1, by which a reader knows the number of missing instructions",
        p.buffer_bytes);
  return p.mode_bits == 32 || p.mode_bits == 64
             ? 0
             : oct_fail_param(diag, OCT_ERR_CONFIG, "mode_bits", p.mode_bits, "expected 32 or 64");
}

static int fit(uint32_t *values, const bool *given, const char *isa, uint32_t addr_bits,
               uint32_t insn_align_bytes, oct_diag *diag) {
  int number = isa ? oct_isa_by_name(isa) : OCT_ERR_ARG;
  (void)addr_bits, (void)insn_align_bytes;
  if (number != OCT_ISA_X86 && number != OCT_ISA_X86_64)
    return oct_encoder_base_refuse_isa(isa, "Intel PT carries x86 only (x86, x86-64)", diag);
  oct_pt_params p = oct_pt_params_of(values);
  if (!oct_pt_params_given_of(given).mode_bits) p.mode_bits = number == OCT_ISA_X86 ? 32 : 64;
  oct_pt_params_put(&p, values);
  return 0;
}

static int encoder_create(const uint32_t *p, const oct_run_options *run, void **out,
                          oct_diag *diag) {
  return oct_encoder_base_create(&oct_tracer_intel_pt, sizeof(oct_pt_encoder), oct_pt_encoder_init,
                                 p, run, out, diag);
}

static void encoder_counters(const void *e, uint64_t *values) {
  oct_pt_counters_put(&((const oct_pt_encoder *)e)->counters, values);
}

static int decoder_create(const uint32_t *p, oct_decoder_start start, void **out, oct_diag *diag) {
  return oct_decoder_base_create(&oct_tracer_intel_pt, sizeof(oct_pt_decoder), oct_pt_decoder_init,
                                 p, start, out, diag);
}

/* ---- Listing: the decoder's parser alone. ---- */

static int list_packet(void *from, oct_packet *out) {
  static const char *const meanings[OCT_PT_TYPES] = {"padding",
                                                     "outcomes of branches, the oldest the highest",
                                                     "target of an indirect jump",
                                                     "tracing begins here",
                                                     "tracing ends",
                                                     "where an event came",
                                                     "a sync begins",
                                                     "a sync is complete",
                                                     "execution mode",
                                                     "task",
                                                     "retired instructions",
                                                     "frequency",
                                                     "cycles",
                                                     "time",
                                                     "packets were lost",
                                                     "time at the TSC",
                                                     "how often an instruction is repeated",
                                                     "of no use here"};
  oct_pt_decoder *d = from;
  oct_pt_packet p;
  int rc = oct_pt_decoder_packet(d, &p);
  if (rc != 1) return rc;
  out->insn = p.type == OCT_PT_TSC && d->p.tsc ? p.value : UINT64_MAX;
  out->is_sync = p.type == OCT_PT_PSB;
  oct_packet_describe(out, oct_pt_name(p.type), meanings[p.type]);
  switch (p.type) {
    case OCT_PT_TNT:
      oct_packet_add(out, "bits", p.value, p.n, true);
      oct_packet_add(out, "n", p.n, 8, false);
      break;
    case OCT_PT_TIP:
    case OCT_PT_TIP_PGE:
    case OCT_PT_TIP_PGD:
    case OCT_PT_FUP:
      oct_packet_add(out, "ipc", p.n, 3, false);
      if (p.n) oct_packet_add(out, "ip", p.value, 64, true);
      break;
    case OCT_PT_MNT:
      oct_packet_add(out, "count", p.value >> OCT_PT_MNT_ADDR_BITS, 24, false);
      oct_packet_add(out, "ip", p.value & ((UINT64_C(1) << OCT_PT_MNT_ADDR_BITS) - 1),
                     OCT_PT_MNT_ADDR_BITS, true);
      break;
    case OCT_PT_MODE:
    case OCT_PT_PIP:
      oct_packet_add(out, p.type == OCT_PT_PIP ? "cr3" : "mode", p.value, 64, true);
      break;
    case OCT_PT_TSC:
    case OCT_PT_CYC:
    case OCT_PT_MTC:
    case OCT_PT_TMA:
    case OCT_PT_CBR:
      oct_packet_add(out, "value", p.value, 64, false);
      break;
    default:
      break;
  }
  return 1;
}

static int packets_next(void *d, oct_packet *out, oct_diag *diag) {
  return oct_decoder_base_list(d, oct_pt_decoder_search, list_packet, out, diag);
}

const oct_tracer oct_tracer_intel_pt = {
    .name = "intel-pt",
    .text = "Intel Processor Trace, instructions of x86 programs",
    .version = 1,
    .trap_parts = OCT_TRAPS_PLACE,
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
    .check = check,
    .fit = fit,
    .encoder =
        {
            .create = encoder_create,
            .destroy = oct_encoder_base_destroy,
            .put = oct_pt_encoder_put,
            .flush = oct_pt_encoder_flush,
            .take = oct_encoder_base_take,
            .counters = encoder_counters,
        },
    .decoder =
        {
            .create = decoder_create,
            .destroy = oct_decoder_base_destroy,
            .map = oct_decoder_base_map,
            .push = oct_decoder_base_push,
            .finish = oct_decoder_base_finish,
            .next = oct_pt_decoder_next,
            .resync = oct_pt_decoder_resync,
            .counts = oct_decoder_base_counts,
            .behind_gap = oct_decoder_base_behind_gap,
        },
    .packets =
        {
            .create = decoder_create,
            .destroy = oct_decoder_base_destroy,
            .push = oct_decoder_base_push,
            .finish = oct_decoder_base_finish,
            .next = packets_next,
        },
};

/* ---- Its stream as a format of traces, which libipt reads ---- */

enum { PSB_BYTES = 16 };

/* A PSB: 02 82, eight times; a stream cut out of a ring may have other packets before its first. */
static int pt_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  for (size_t i = 0; i < PSB_BYTES; i++)
    if (i >= n || p[i] != (i & 1 ? 0x82 : 0x02)) return 0;
  return 1;
}

const oct_format_desc oct_intel_pt_format = {.name = "intel-pt",
                                             .text = "packets of Intel PT",
                                             .probe = pt_probe,
                                             .reader = &oct_pt_reader,
                                             .writer = &oct_port_stream_writer,
                                             .keeps_traps = 1,
                                             .addr_bits = 64,
                                             .takes_params = 1,
                                             .lacks = "data addresses, cycle stamps"};
