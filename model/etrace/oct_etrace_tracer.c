/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_tracer.c - RISC-V Efficient Trace behind the interface of tracers: its tables, and the
 * functions that give encoder, decoder and listing their general form. */
#include "octrace/tracer.h"

#include "oct_etrace_decode.h"
#include "oct_etrace_encode.h"
#include "octrace/trace.h"
#include "oct_listing.h"

/* ---- Tables ---- */

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
    OCT_ET_PARAMS(OCT_X)
#undef OCT_X
};

static const oct_geometry geometries[] = {
    {"base", "only branch maps and address differences", ""},
    {"return", "implicit returns by a return stack of 32",
     "implicit_return=1,return_stack_bits=5,call_counter_bits=0"},
    {"counter", "implicit returns by a call counter", "implicit_return=1"},
    {"predictor", "implicit returns, branch predictor of 512 entries",
     "implicit_return=1,return_stack_bits=5,call_counter_bits=0,predictor_bits=9"},
    {"all", "implicit returns, branch predictor, jump target cache, inferable jumps",
     "implicit_return=1,return_stack_bits=5,call_counter_bits=0,predictor_bits=9,"
     "jump_cache_bits=7,sijump=1"},
    {"full", "full addresses, for those who debug a decoder", "full_address=1"},
    {"bare", "payloads without compression and encapsulation, only instructions",
     "encapsulation=0,data=0"},
};

static const oct_counter counters[] = {
#define OCT_X(name, unit, group, label, text) {#name, unit, OCT_GROUP_##group, label, text},
    OCT_ET_COUNTERS(OCT_X)
#undef OCT_X
};

static double payload(const uint32_t *p, const uint64_t *c) {
  const oct_et_counters n = oct_et_counters_of(c);
  (void)p;
  return n.insns ? (double)(n.insn_bits + n.sync_bits) / (double)n.insns : 0;
}
static double whole(const uint32_t *p, const uint64_t *c) {
  const oct_et_counters n = oct_et_counters_of(c);
  uint64_t bits = n.insn_bits + n.sync_bits + n.insn_header_bits + n.align_bits;
  (void)p;
  return n.insns ? (double)bits / (double)n.insns : 0;
}
static double per_access(const uint32_t *p, const uint64_t *c) {
  const oct_et_counters n = oct_et_counters_of(c);
  (void)p;
  return n.accesses ? (double)(n.data_bits + n.data_header_bits) / (double)n.accesses : 0;
}

static const oct_figure figures[] = {
    {"payload_bits_per_insn", "bits", "Instruction payload per instruction",
     "as the specification's own tools count", payload},
    {"insn_bits_per_insn", "bits", "Whole instruction packets per instruction",
     "with encapsulation and alignment", whole},
    {"data_bits_per_access", "bits", "Whole data packets per access", "", per_access},
};

static uint64_t stack_bits(const uint32_t *p) {
  const oct_et_params c = oct_et_params_of(p);
  if (!c.implicit_return) return 0;
  if (!c.return_stack_bits) return c.call_counter_bits;
  uint64_t entry = (uint64_t)c.addr_bits - c.addr_lsb_bits + c.call_counter_bits;
  return (entry << c.return_stack_bits) + c.return_stack_bits + 1;
}
static uint64_t predictor_bits(const uint32_t *p) {
  const oct_et_params c = oct_et_params_of(p);
  return c.predictor_bits ? UINT64_C(2) << c.predictor_bits : 0;
}
static uint64_t cache_bits(const uint32_t *p) {
  const oct_et_params c = oct_et_params_of(p);
  return c.jump_cache_bits ? (UINT64_C(1) + c.addr_bits - c.addr_lsb_bits) << c.jump_cache_bits : 0;
}
static uint64_t branch_bits(const uint32_t *p) {
  return 31 + 5 + (oct_et_params_of(p).predictor_bits ? 32 : 0);
}
static uint64_t address_bits(const uint32_t *p) {
  return oct_et_params_of(p).addr_bits - oct_et_params_of(p).addr_lsb_bits;
}
static uint64_t data_bits(const uint32_t *p) {
  const oct_et_params c = oct_et_params_of(p);
  return c.data ? (UINT64_C(1) + c.addr_bits) << c.data_size_bits : 0;
}

static const oct_state_part state_parts[] = {
    {"return_stack", "return stack, or call counter", stack_bits},
    {"predictor", "branch predictor", predictor_bits},
    {"jump_cache", "jump target cache", cache_bits},
    {"branch_map", "branch map and counts", branch_bits},
    {"address", "address reported last", address_bits},
    {"data", "address of the last access of each size", data_bits},
};

/* ---- Functions ---- */

static int check(const uint32_t *p, oct_diag *diag) {
  oct_et_config c;
  return oct_et_configure(&c, p, diag);
}

static int fit(uint32_t *values, const bool *given, const char *isa, uint32_t addr_bits,
               uint32_t insn_align_bytes, oct_diag *diag) {
  oct_et_params p = oct_et_params_of(values);
  const oct_et_params_given is_given = oct_et_params_given_of(given);
  int number = isa ? oct_isa_by_name(isa) : OCT_ERR_ARG;
  if (number != OCT_ISA_RISCV32 && number != OCT_ISA_RISCV64)
    return oct_encoder_base_refuse_isa(isa, "E-Trace carries RISC-V only (riscv32, riscv64)", diag);
  if (!is_given.addr_bits) p.addr_bits = number == OCT_ISA_RISCV64 || addr_bits == 64 ? 64 : 32;
  if (!is_given.addr_lsb_bits)
    p.addr_lsb_bits = insn_align_bytes == 1 ? 0 : insn_align_bytes == 4 ? 2 : 1;
  oct_et_params_put(&p, values);
  return 0;
}

extern const oct_tracer oct_tracer_etrace;

static int encoder_create(const uint32_t *p, const oct_run_options *run, void **out,
                          oct_diag *diag) {
  return oct_encoder_base_create(&oct_tracer_etrace, sizeof(oct_et_encoder), oct_et_encoder_init, p,
                                 run, out, diag);
}

static void encoder_counters(const void *e, uint64_t *values) {
  oct_et_counters_put(&((const oct_et_encoder *)e)->emit.counters, values);
}

static int decoder_create(const uint32_t *p, oct_decoder_start start, void **out, oct_diag *diag) {
  oct_et_decoder *d = calloc(1, sizeof *d);
  *out = NULL;
  if (!d) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int rc = oct_tracer_check(&oct_tracer_etrace, p, diag);
  if (!rc) rc = oct_et_decoder_init(d, p, start, diag);
  if (rc) {
    oct_et_decoder_free(d);
    free(d);
    return rc;
  }
  *out = d;
  return 0;
}

static void decoder_destroy(void *d) {
  if (!d) return;
  oct_et_decoder_free(d);
  free(d);
}

static int decoder_map(void *to, const oct_map_update *updates, size_t n, oct_diag *diag) {
  return oct_map_walk_add(&((oct_et_decoder *)to)->walk, updates, n)
             ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
             : 0;
}

static int decoder_push(void *to, const uint8_t *bytes, size_t n, oct_diag *diag) {
  return oct_et_parser_push(&((oct_et_decoder *)to)->parser, bytes, n)
             ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
             : 0;
}

static void decoder_finish(void *d) {
  ((oct_et_decoder *)d)->parser.is_finished = true;
}

static int decoder_next(void *d, oct_decoded *out, oct_diag *diag) {
  return oct_et_decoder_next(d, out, diag);
}

static int decoder_resync(void *d, oct_diag *diag) {
  return oct_et_decoder_resync(d, diag);
}

static void decoder_counts(const void *from, oct_decoder_counts *counts) {
  const oct_et_decoder *d = from;
  *counts = d->counts;
  counts->bit_offset = oct_et_parser_bit(&d->parser);
}

static void decoder_behind_gap(void *to, uint64_t insn) {
  oct_et_decoder *d = to;
  d->insn = d->out_insn = insn;
}

static void decoder_foreign(void *to, const oct_map_code *code, const bool *given) {
  oct_et_decoder *d = to;
  (void)given;
  d->walk.code = *code;
  d->is_foreign = d->is_lost = true;
}

/* ---- Listing ---- */

typedef struct listing {
  oct_et_config cfg;
  oct_et_parser parser;
  bool is_marked; /* null bytes stand before the next place to begin */
} listing;

static int packets_create(const uint32_t *p, oct_decoder_start start, void **out, oct_diag *diag) {
  listing *l = calloc(1, sizeof *l);
  *out = NULL;
  if (!l) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int rc = oct_tracer_check(&oct_tracer_etrace, p, diag);
  if (!rc) rc = oct_et_configure(&l->cfg, p, diag);
  if (!rc && start == OCT_START_SEARCH) rc = oct_et_check_search(&l->cfg, diag);
  if (rc) {
    free(l);
    return rc;
  }
  l->parser.cfg = &l->cfg;
  l->parser.is_searching = start == OCT_START_SEARCH;
  *out = l;
  return 0;
}

static void packets_destroy(void *l) {
  if (!l) return;
  oct_buffer_free(&((listing *)l)->parser.in);
  free(l);
}

static int packets_push(void *l, const uint8_t *bytes, size_t n, oct_diag *diag) {
  return oct_et_parser_push(&((listing *)l)->parser, bytes, n)
             ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
             : 0;
}

static void packets_finish(void *l) {
  ((listing *)l)->parser.is_finished = true;
}

static void list_field(void *to, const char *name, uint64_t value, uint32_t width_bits) {
  oct_packet *out = to;
  if (out->n_fields == OCT_PACKET_FIELDS_MAX) return;
  oct_packet_field *f = &out->fields[out->n_fields++];
  *f = (oct_packet_field){name, value, width_bits, false};
  f->is_hex = !strcmp(name, "address") || !strcmp(name, "branch_map") || !strcmp(name, "tval");
}

static const char *meaning(const oct_et_item *item) {
  static const char *const subformats[] = {
      "a sync: this instruction, in full", "a trap, and the first instruction of its handler",
      "privilege and context", "support: options, start or end of tracing"};
  const oct_et_packet *p = &item->packet;
  if (item->is_data) return item->data.kind == OCT_ET_FAILED ? "no access" : "a data access";
  switch (p->format) {
    case OCT_ET_FORMAT_OPTIONS:
      return p->subformat == OCT_ET_SUB_CACHE ? "target by its place in the jump target cache"
                                              : "branches predicted correctly";
    case OCT_ET_FORMAT_BRANCH:
      return p->branches ? "branches and an address" : "31 branches";
    case OCT_ET_FORMAT_ADDRESS:
      return "an address";
    default:
      if (p->subformat == OCT_ET_SUB_TRAP && !p->thaddr)
        return "a trap, and the instruction that did not retire";
      return subformats[p->subformat];
  }
}

static int packets_next(void *from, oct_packet *out, oct_diag *diag) {
  static const char *const names[] = {"format 0", "format 1", "format 2", "format 3"};
  listing *l = from;
  oct_et_item item = {0};
  memset(out, 0, sizeof *out);
  int rc = oct_et_parser_next(&l->parser, &item, &(oct_et_listen){list_field, out}, diag);
  if (rc == 0 && l->parser.is_searching && l->parser.is_finished)
    return oct_fail_at(diag, OCT_ERR_TRUNCATED, OCT_AT_BIT, oct_et_parser_bit(&l->parser),
                       "no sync was found");
  if (rc != 1) return rc;
  out->bit = item.bit;
  out->n_bits = item.n_bits;
  oct_packet_describe(out, item.is_data ? "data" : names[item.packet.format], meaning(&item));
  out->insn = UINT64_MAX;
  l->is_marked |= item.is_marked || !l->cfg.p.encapsulation;
  const bool has_time = !item.is_data && item.packet.format == OCT_ET_FORMAT_SYNC &&
                        item.packet.subformat <= OCT_ET_SUB_TRAP;
  if (has_time && l->cfg.p.time_bits) out->insn = item.packet.time;
  if (item.is_data || !oct_et_is_place(&item.packet)) return 1;
  out->is_sync = l->is_marked;
  l->is_marked = false;
  return 1;
}

const oct_tracer oct_tracer_etrace = {
    .name = "etrace",
    .text = "RISC-V Efficient Trace (E-Trace), instructions and data addresses",
    .version = 1,
    .needs_code = true,
    .carries_data = true,
    .trap_parts = OCT_TRAPS_ALL,
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
            .destroy = oct_et_encoder_destroy,
            .put = oct_et_encoder_put,
            .flush = oct_et_encoder_flush,
            .take = oct_encoder_base_take,
            .counters = encoder_counters,
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
            .foreign = decoder_foreign,
            .behind_gap = decoder_behind_gap,
        },
    .packets =
        {
            .create = packets_create,
            .destroy = packets_destroy,
            .push = packets_push,
            .finish = packets_finish,
            .next = packets_next,
        },
};
