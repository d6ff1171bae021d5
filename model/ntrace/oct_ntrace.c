/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntrace.c - RISC-V N-Trace behind the interface of tracers (docs/ntrace-format.md).
 *
 * Tables of parameters, geometries, counters, figures and state, and functions that give encoder
 * (oct_ntrace_encode.c), decoder (oct_ntrace_decode.c) and listing their general form. */
#include "octrace/trace.h"
#include "oct_ntrace_decode.h"
#include "oct_ntrace_encode.h"
#include "octrace/tracer.h"

extern const oct_tracer oct_tracer_ntrace;

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
    OCT_NT_PARAMS(OCT_X)
#undef OCT_X
};

static const oct_geometry geometries[] = {
    {"htm", "history of branches", ""},
    {"btm", "a message for each taken branch", "history=0"},
    {"return", "history, and a return stack of 32", "return_stack=32"},
    {"all", "history, return stack, repeated history", "return_stack=32,repeat=1"},
    {"btm-all", "no history, return stack, repeated branches",
     "history=0,return_stack=32,repeat=1"},
};

static const oct_counter counters[] = {
#define OCT_X(name, unit, group, label, text) {#name, unit, OCT_GROUP_##group, label, text},
    OCT_NT_COUNTERS(OCT_X)
#undef OCT_X
};

static double per_insn(const uint32_t *p, const uint64_t *c) {
  const oct_nt_counters n = oct_nt_counters_of(c);
  uint64_t bits = n.branch_bits + n.address_bits + n.sync_bits;
  (void)p;
  return n.insns ? (double)bits / (double)n.insns : 0;
}

static const oct_figure figures[] = {
    {"insn_bits_per_insn", "bits", "Bits per instruction", "all messages", per_insn},
};

static uint64_t stack_bits(const uint32_t *p) {
  return 63 * (uint64_t)oct_nt_params_of(p).return_stack;
}
static uint64_t counter_bits(const uint32_t *p) {
  return oct_nt_params_of(p).icnt_bits +
         (oct_nt_params_of(p).history ? oct_nt_params_of(p).hist_bits + 1 : 0);
}
static uint64_t repeat_bits(const uint32_t *p) {
  if (!oct_nt_params_of(p).repeat) return 0;
  return 16 + (oct_nt_params_of(p).history ? oct_nt_params_of(p).hist_bits + 1
                                           : oct_nt_params_of(p).icnt_bits);
}
static uint64_t address_bits(const uint32_t *p) {
  (void)p;
  return 63;
}
static const oct_state_part state_parts[] = {
    {"return_stack", "return addresses", stack_bits},
    {"counters", "I-CNT and HIST", counter_bits},
    {"repeat", "the message that may be repeated, and its count", repeat_bits},
    {"address", "address sent last", address_bits},
};

static int check(const uint32_t *values, oct_diag *diag) {
  const uint32_t bits = oct_nt_params_of(values).extend_addr;
  return !bits || bits == 32 || bits == 64
             ? 0
             : oct_fail_param(diag, OCT_ERR_CONFIG, "extend_addr", bits, "expected 0, 32 or 64");
}

static int fit(uint32_t *values, const bool *given, const char *isa, uint32_t addr_bits,
               uint32_t insn_align_bytes, oct_diag *diag) {
  int number = isa ? oct_isa_by_name(isa) : OCT_ERR_ARG;
  (void)values, (void)given, (void)addr_bits, (void)insn_align_bytes;
  return number == OCT_ISA_RISCV32 || number == OCT_ISA_RISCV64
             ? 0
             : oct_encoder_base_refuse_isa(isa, "N-Trace carries RISC-V only (riscv32, riscv64)",
                                           diag);
}

static int encoder_create(const uint32_t *p, const oct_run_options *run, void **out,
                          oct_diag *diag) {
  return oct_encoder_base_create(&oct_tracer_ntrace, sizeof(oct_nt_encoder), oct_nt_encoder_init, p,
                                 run, out, diag);
}

static void encoder_counters(const void *e, uint64_t *values) {
  oct_nt_counters_put(&((const oct_nt_encoder *)e)->counters, values);
}

static int decoder_create(const uint32_t *p, oct_decoder_start start, void **out, oct_diag *diag) {
  return oct_decoder_base_create(&oct_tracer_ntrace, sizeof(oct_nt_decoder), oct_nt_decoder_init, p,
                                 start, out, diag);
}

static void decoder_foreign(void *to, const oct_map_code *code, const bool *given) {
  oct_nt_decoder *d = to;
  d->base.walk.code = *code;
  d->may_count = d->p.count;
  d->is_counted = d->p.count && oct_nt_params_given_of(given).count;
  d->p.count = 0;
  d->is_foreign = d->base.is_lost = true;
}

/* ---- Listing: the decoder's parser alone. ---- */

static void list_field(void *to, const char *name, uint64_t value, uint32_t width_bits) {
  bool is_hex = strstr(name, "ADDR") || !strcmp(name, "HIST") || !strcmp(name, "RDATA");
  oct_packet_add(to, name, value, width_bits, is_hex);
}

static void describe(oct_packet *out, const oct_nt_message *m) {
  static const struct {
    uint8_t tcode;
    const char *name, *text;
  } table[] = {
      {OCT_NT_OWNERSHIP, "Ownership", "task"},
      {OCT_NT_DIRECT, "DirectBranch", "a taken branch"},
      {OCT_NT_INDIRECT, "IndirectBranch", "where an indirect jump or a trap led"},
      {OCT_NT_ERROR, "Error", "messages were lost"},
      {OCT_NT_SYNC, "ProgTraceSync", "tracing begins here"},
      {OCT_NT_DIRECT_SYNC, "DirectBranchSync", "a sync after a taken branch"},
      {OCT_NT_INDIRECT_SYNC, "IndirectBranchSync", "a sync"},
      {OCT_NT_FULL, "ResourceFull", "a counter or a history is full"},
      {OCT_NT_HIST, "IndirectBranchHist", "branches, and where an indirect jump or a trap led"},
      {OCT_NT_HIST_SYNC, "IndirectBranchHistSync", "a sync, and the branches before it"},
      {OCT_NT_REPEAT, "RepeatBranch", "the last branch again"},
      {OCT_NT_END, "ProgTraceCorrelation", "tracing ends"},
      {OCT_NT_COUNT, "Count (vendor)", "retired instructions"},
  };
  out->insn = m->tcode == OCT_NT_COUNT ? m->value : UINT64_MAX;
  out->is_sync = m->tcode == OCT_NT_SYNC || m->tcode == OCT_NT_DIRECT_SYNC ||
                 m->tcode == OCT_NT_INDIRECT_SYNC || m->tcode == OCT_NT_HIST_SYNC;
  oct_packet_describe(out, "other", "");
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].tcode == m->tcode) oct_packet_describe(out, table[i].name, table[i].text);
}

/* A listing that searches has messages from a sync on. */
static int list_message(void *from, oct_packet *out) {
  oct_nt_decoder *d = from;
  oct_nt_message m;
  do {
    *out = (oct_packet){0};
    int rc = oct_nt_decoder_message(d, &m, &(oct_nt_listen){list_field, out});
    if (rc == 0 && d->base.is_lost && d->base.is_finished)
      rc = oct_decoder_base_fail(d, OCT_ERR_TRUNCATED, "no sync was found");
    if (rc != 1) return rc;
    describe(out, &m);
  } while (d->base.is_lost && !out->is_sync);
  d->base.is_lost = false;
  return 1;
}

static int packets_next(void *d, oct_packet *out, oct_diag *diag) {
  return oct_decoder_base_list(d, oct_nt_decoder_search, list_message, out, diag);
}

const oct_tracer oct_tracer_ntrace = {
    .name = "ntrace",
    .text = "RISC-V N-Trace (Nexus), instructions",
    .version = 1,
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
            .put = oct_nt_encoder_put,
            .flush = oct_nt_encoder_flush,
            .take = oct_encoder_base_take,
            .counters = encoder_counters,
        },
    .decoder =
        {
            .create = decoder_create,
            .destroy = oct_nt_decoder_destroy,
            .map = oct_decoder_base_map,
            .push = oct_decoder_base_push,
            .finish = oct_decoder_base_finish,
            .next = oct_nt_decoder_next,
            .resync = oct_nt_decoder_resync,
            .counts = oct_decoder_base_counts,
            .foreign = decoder_foreign,
            .behind_gap = oct_decoder_base_behind_gap,
        },
    .packets =
        {
            .create = decoder_create,
            .destroy = oct_nt_decoder_destroy,
            .push = oct_decoder_base_push,
            .finish = oct_decoder_base_finish,
            .next = packets_next,
        },
};
