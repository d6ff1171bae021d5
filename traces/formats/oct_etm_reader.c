/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm_reader.c - snapshot folders with ETMv4 as a trace (docs/formats/etmv4.md).
 *
 * OpenCSD decodes the bytes of the trace buffer and gives ranges of instructions that ran one after
 * the other; they are cut into instructions by the program's bytes, which come from the files of
 * --elf, else from the snapshot's dumps of memory. */
#include <opencsd/c_api/opencsd_c_api.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_etm_snapshot.h"
#include "oct_unit_formats.h"

#if defined(__SANITIZE_ADDRESS__)
#define LEAK_CHECK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LEAK_CHECK 1
#endif
#endif
#ifdef LEAK_CHECK
#include <sanitizer/lsan_interface.h>
#else
#define __lsan_disable()
#define __lsan_enable()
#endif

/* Exceptions of ETMv4: the debugger halts the core, interrupts; and what octrace writes for a jump
 * that nothing explains, which is left to implementations. */
enum { HALT = 1, IRQ = 14, FIQ = 15, JUMP = 23 };
enum { FRAME_BYTES = OCSD_DFRMTR_FRAME_SIZE, CHUNK_BYTES = 256, SOURCES = 128, CODE_BYTES = 4 };

/* Instructions from begin to end; or a trap, which ends at begin, where the program was to go on.
 */
typedef struct range {
  uint64_t begin, end, cycle;
  uint32_t task, cause; /* cause: ETMv4's number of the exception */
  uint8_t isa;          /* oct_isa */
  bool has_cycle, is_trap;
} range;

typedef struct etm {
  oct_etm_snapshot snapshot;
  dcd_tree_handle_t tree;
  oct_disasm *disasm[OCT_ISA_COUNT];
  oct_program *program;   /* the reader's, or NULL */
  oct_buffer ranges;      /* range: at, at + 1 ... */
  size_t at, last;        /* last: the last one that is no trap; it waits for its cycle count, */
  bool has_last;          /* if there is one */
  uint32_t task[SOURCES]; /* of each source */
  unsigned n_sources;
  uint64_t cycle;           /* of the only source */
  size_t given;             /* bytes of the trace buffer */
  bool is_ended, has_begun; /* has_begun: there was a range */
  uint64_t n_gaps;
  uint64_t missing; /* code that neither program nor dumps have */
  bool is_missing, is_damaged, no_memory;
} etm;

/* ---- Code ---- */

static size_t find_code(const etm *x, uint64_t addr, uint8_t *to, size_t n) {
  const uint8_t *p = NULL;
  size_t there = n;
  for (; x->program && there && !p; there -= !p) p = oct_program_code(x->program, addr, there);
  if (!p && !(p = oct_etm_memory(&x->snapshot, addr, &there))) return 0;
  if (there > n) there = n;
  memcpy(to, p, there);
  return there;
}

/* OpenCSD reads four bytes at a time, also of the last instruction of two. */
static uint32_t give_code(const void *context, const ocsd_vaddr_t addr,
                          const ocsd_mem_space_acc_t space, const uint8_t source, const uint32_t n,
                          uint8_t *to) {
  const etm *x = context;
  (void)space, (void)source;
  size_t there = find_code(x, addr, to, n);
  if (!there || there >= CODE_BYTES || n < CODE_BYTES) return (uint32_t)there;
  memset(to + there, 0, CODE_BYTES - there);
  return CODE_BYTES;
}

/* ---- What OpenCSD tells ---- */

static int isa_of(ocsd_isa isa) {
  switch (isa) {
    case ocsd_isa_arm:
      return OCT_ISA_ARM;
    case ocsd_isa_thumb2:
      return OCT_ISA_THUMB;
    case ocsd_isa_aarch64:
      return OCT_ISA_AARCH64;
    default:
      return -1;
  }
}

/* Cycles since the last count stand behind the range that they end with. */
static void count_cycles(etm *x, uint32_t cycles) {
  x->cycle += cycles;
  if (x->n_sources > 1 || !x->has_last) return;
  range *last = (range *)(void *)x->ranges.bytes + x->last;
  last->cycle = x->cycle;
  last->has_cycle = true;
}

static ocsd_datapath_resp_t take_element(const void *context, const ocsd_trc_index_t at,
                                         const uint8_t source, const ocsd_generic_trace_elem *e) {
  etm *x = (etm *)context; /* ours; the interface hands it through as constant */
  (void)at;
  range r = {.begin = e->st_addr, .end = e->en_addr, .task = x->task[source % SOURCES]};
  int isa = isa_of(e->isa);
  switch (e->elem_type) {
    case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
      r.isa = (uint8_t)isa;
      x->has_begun = true;
      if (isa < 0) {
        x->is_damaged = true;
      } else if (oct_buffer_put(&x->ranges, &r, sizeof r)) {
        x->no_memory = true;
      } else {
        x->has_last = true;
        x->last = x->ranges.n_bytes / sizeof r - 1;
        if (e->has_cc) count_cycles(x, e->cycle_count);
      }
      break;
    case OCSD_GEN_TRC_ELEM_EXCEPTION:
      r.is_trap = x->has_begun && e->exception_number != HALT && e->exception_number != JUMP;
      r.cause = e->exception_number;
      r.begin = r.end = e->en_addr;
      if (r.is_trap && oct_buffer_put(&x->ranges, &r, sizeof r)) x->no_memory = true;
      break;
    case OCSD_GEN_TRC_ELEM_CYCLE_COUNT:
      if (e->has_cc) count_cycles(x, e->cycle_count);
      break;
    case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
      if (e->context.ctxt_id_valid) x->task[source % SOURCES] = e->context.context_id;
      break;
    case OCSD_GEN_TRC_ELEM_TRACE_ON:
      x->n_gaps += e->trace_on_reason == TRACE_ON_OVERFLOW;
      break;
    case OCSD_GEN_TRC_ELEM_I_RANGE_NOPATH:
      x->n_gaps++;
      break;
    case OCSD_GEN_TRC_ELEM_NO_SYNC:
      x->is_damaged = x->is_damaged || e->unsync_eot_info == UNSYNC_BAD_PACKET;
      break;
    case OCSD_GEN_TRC_ELEM_ADDR_NACC:
      x->is_missing = true;
      x->missing = e->st_addr;
      break;
    default:
      break;
  }
  return OCSD_RESP_CONT;
}

/* ---- The decoder ---- */

/* What OpenCSD wants to know of the core, by its name. */
static void describe_core(const oct_etm_device *core, ocsd_etmv4_cfg *cfg) {
  static const char *const seventh[] = {"Cortex-A5",  "Cortex-A7",  "Cortex-A8",  "Cortex-A9",
                                        "Cortex-A12", "Cortex-A15", "Cortex-A17", "Cortex-R4",
                                        "Cortex-R5",  "Cortex-R7",  "Cortex-R8",  "Cortex-M0",
                                        "Cortex-M0+", "Cortex-M3",  "Cortex-M4",  "Cortex-M7"};
  const char *type = core ? core->type : "";
  const char *letter = !strncmp(type, "Cortex-", 7) ? type + 7 : strrchr(type, '-');
  if (letter && *letter == '-') letter++;
  cfg->core_prof = letter && *letter == 'M'   ? profile_CortexM
                   : letter && *letter == 'R' ? profile_CortexR
                                              : profile_CortexA;
  cfg->arch_ver = !strncmp(type, "ARMv7", 5) ? ARCH_V7 : ARCH_AA64;
  for (size_t i = 0; i < sizeof seventh / sizeof *seventh; i++)
    if (!strcmp(type, seventh[i])) cfg->arch_ver = ARCH_V7;
}

/* A decoder for one trace unit. */
static int add_source(oct_reader *r, etm *x, const oct_etm_device *d, oct_diag *diag) {
  ocsd_etmv4_cfg cfg = {0};
  unsigned char id;
  enum { NEEDED = 1 << OCT_ETM_CONFIGR | 1 << OCT_ETM_TRACEIDR | 1 << OCT_ETM_IDR0 };
  if ((d->has_regs & NEEDED) != NEEDED)
    return oct_fail(diag, OCT_ERR_FORMAT,
                    "%s: the trace unit %s lacks TRCCONFIGR, TRCTRACEIDR or TRCIDR0 in its file",
                    oct_input_name(r->in), d->name);
  cfg.reg_configr = d->regs[OCT_ETM_CONFIGR];
  cfg.reg_traceidr = d->regs[OCT_ETM_TRACEIDR];
  cfg.reg_idr0 = d->regs[OCT_ETM_IDR0];
  cfg.reg_idr1 = d->regs[OCT_ETM_IDR1];
  cfg.reg_idr2 = d->regs[OCT_ETM_IDR2];
  cfg.reg_idr8 = d->regs[OCT_ETM_IDR8];
  cfg.reg_idr9 = d->regs[OCT_ETM_IDR9];
  cfg.reg_idr10 = d->regs[OCT_ETM_IDR10];
  cfg.reg_idr11 = d->regs[OCT_ETM_IDR11];
  cfg.reg_idr12 = d->regs[OCT_ETM_IDR12];
  cfg.reg_idr13 = d->regs[OCT_ETM_IDR13];
  describe_core(oct_etm_device_of(&x->snapshot, d->of), &cfg);
  ocsd_err_t err = ocsd_dt_create_decoder(x->tree, OCSD_BUILTIN_DCD_ETMV4I,
                                          OCSD_CREATE_FLG_FULL_DECODER, &cfg, &id);
  if (err != OCSD_OK)
    return oct_fail(diag, OCT_ERR_FORMAT, "%s: OpenCSD refuses the registers of %s (error %d)",
                    oct_input_name(r->in), d->name, (int)err);
  x->task[id % SOURCES] = x->n_sources++ ? id : 0;
  return 0;
}

static int add_sources(oct_reader *r, etm *x, oct_diag *diag) {
  const char *other = NULL;
  for (size_t i = 0; i < oct_etm_n_devices(&x->snapshot); i++) {
    const oct_etm_device *d = oct_etm_device_at(&x->snapshot, i);
    if (strcmp(d->class_name, "trace_source") != 0) continue;
    if (d->buffer[0] && x->snapshot.buffer[0] && strcmp(d->buffer, x->snapshot.buffer) != 0)
      continue;
    if (strncmp(d->type, "ETM4", 4) != 0) {
      other = d->type;
      continue;
    }
    int rc = add_source(r, x, d, diag);
    if (rc) return rc;
  }
  if (x->n_sources) return 0;
  return oct_fail(diag, OCT_ERR_UNSUPPORTED, "%s: no trace unit of type ETM4%s%s",
                  oct_input_name(r->in), other ? ", found " : " in the snapshot",
                  other ? other : "");
}

/* Decode the next bytes. */
static int decode(oct_reader *r, etm *x, oct_diag *diag) {
  uint32_t used = 0;
  size_t n = x->snapshot.n_bytes - x->given;
  if (n > CHUNK_BYTES) n = CHUNK_BYTES;
  if (x->snapshot.is_framed) n -= n % FRAME_BYTES;
  size_t at = x->given;
  ocsd_datapath_resp_t said = n ? ocsd_dt_process_data(x->tree, OCSD_OP_DATA, at, (uint32_t)n,
                                                       x->snapshot.bytes + at, &used)
                                : ocsd_dt_process_data(x->tree, OCSD_OP_EOT, at, 0, NULL, &used);
  x->given += used;
  x->is_ended = !n;
  if (x->no_memory)
    return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
  if (x->is_missing)
    return oct_fail(diag, OCT_ERR_ARG,
                    "%s: no code at 0x%" PRIx64
                    ": expected it in the snapshot's dumps of memory, or "
                    "in the files of --elf FILE[@BIAS]",
                    oct_input_name(r->in), x->missing);
  if (x->is_damaged || OCSD_DATA_RESP_IS_FATAL(said) || OCSD_DATA_RESP_IS_ERR(said) || (n && !used))
    return oct_fail(diag, OCT_ERR_FORMAT,
                    "%s: byte %zu of the trace buffer: OpenCSD finds no packet of ETMv4 (a damaged "
                    "trace, or other code than that which ran)",
                    oct_input_name(r->in), at);
  if (n || x->given == x->snapshot.n_bytes) return 0;
  return oct_fail(diag, OCT_ERR_TRUNCATED, "%s: the trace buffer ends within a frame of %d bytes",
                  oct_input_name(r->in), (int)FRAME_BYTES);
}

/* ---- The reader ---- */

static size_t n_waiting(const etm *x) {
  return x->ranges.n_bytes / sizeof(range) - x->at;
}

/* The set that the trace begins with says what the others can be. */
static int find_isa(oct_reader *r, etm *x, oct_diag *diag) {
  while (!n_waiting(x) && !x->is_ended) {
    int rc = decode(r, x, diag);
    if (rc) return rc;
  }
  int isa = r->given_isa;
  if (n_waiting(x)) isa = ((const range *)(const void *)x->ranges.bytes)[x->at].isa;
  if (isa < 0) return 0;
  int rc = oct_reader_use_isa(r, (oct_isa)isa, NULL, diag);
  if (isa != OCT_ISA_AARCH64) r->info.insn_align_bytes = 2; /* a program may have code of both */
  return rc;
}

static int no_opencsd(const oct_reader *r, oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "%s: OpenCSD does not start", oct_input_name(r->in));
}

static int etm_open(oct_reader *r, oct_diag *diag) {
  if (r->options->params)
    return oct_fail(diag, OCT_ERR_ARG,
                    "%s: reading ETMv4 takes no parameters, which the snapshot has; found '%s'",
                    oct_input_name(r->in), r->options->params);
  etm *x = r->state = calloc(1, sizeof *x);
  if (!x) return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
  x->program = r->program;
  r->is_unchecked = 1;
  int rc = oct_etm_snapshot_read(&x->snapshot, oct_input_name(r->in), diag);
  if (rc) return rc;
  x->tree = ocsd_create_dcd_tree(
      x->snapshot.is_framed ? OCSD_TRC_SRC_FRAME_FORMATTED : OCSD_TRC_SRC_SINGLE,
      x->snapshot.is_framed ? OCSD_DFRMTR_FRAME_MEM_ALIGN : 0);
  if (x->tree == C_API_INVALID_TREE_HANDLE) return no_opencsd(r, diag);
  if ((rc = add_sources(r, x, diag))) return rc;
  /* These are told to the decoders that are there. OpenCSD 1.3 never frees its 32 bytes of a
   * callback.
   */
  __lsan_disable();
  ocsd_err_t err = ocsd_dt_set_gen_elem_outfn(x->tree, take_element, x);
  __lsan_enable();
  if (err != OCSD_OK || ocsd_dt_add_callback_trcid_mem_acc(
                            x->tree, 0, UINT64_MAX, OCSD_MEM_SPACE_ANY, give_code, x) != OCSD_OK)
    return no_opencsd(r, diag);
  r->info.origin = "CoreSight trace snapshot";
  return find_isa(r, x, diag);
}

/* Append the first instruction of a range: 0, 1 when the batch must be handed out first, or an
 * error. */
static int take_insn(oct_reader *r, etm *x, range *g, oct_diag *diag) {
  uint8_t code[CODE_BYTES];
  oct_map_entry e;
  size_t n = find_code(x, g->begin, code, sizeof code);
  if (oct_reader_is_full(r, 1)) return 1;
  if (g->end - g->begin < n) n = (size_t)(g->end - g->begin);
  if (!x->disasm[g->isa] && !(x->disasm[g->isa] = oct_disasm_new((oct_isa)g->isa)))
    return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
  uint32_t id = r->described ? oct_map_find(r->described, g->begin) : UINT32_MAX;
  const oct_map_entry *known = id == UINT32_MAX ? NULL : oct_map_at(r->described, id);
  unsigned size = known ? known->size_bytes : 0;
  if (!known || known->code_isa != g->isa + 1 || size > n || memcmp(known->code, code, size) != 0) {
    size = oct_disasm_insn(x->disasm[g->isa], g->begin, code, n, &e);
    int rc = size ? oct_reader_describe(r, &e, diag) : 0;
    if (rc) return rc;
    /* What the disassembler does not know has a size all the same: in T32, by its first halfword.
     */
    if (!size) size = g->isa == OCT_ISA_THUMB && (n < 4 || code[1] >> 3 < 0x1d) ? 2 : 4;
  }
  oct_insn *insn = oct_reader_add_insn(r, g->begin, size);
  insn->task = g->task;
  g->begin += size;
  if (g->has_cycle && g->begin >= g->end) {
    insn->cycle = g->cycle;
    insn->flags = OCT_INSN_HAS_CYCLE;
  }
  return 0;
}

static int take_trap(oct_reader *r, const range *g, oct_diag *diag) {
  oct_trap t = {
      .addr = g->begin,
      .cause = g->cause,
      .kind = g->cause == IRQ || g->cause == FIQ ? OCT_TRAP_INTERRUPT : OCT_TRAP_EXCEPTION,
      .privilege = OCT_PRIVILEGE_UNKNOWN};
  return oct_reader_add_trap(r, &t, diag);
}

static int etm_fill(oct_reader *r, oct_diag *diag) {
  etm *x = r->state;
  for (;;) {
    r->n_gaps = x->n_gaps;
    if (x->is_ended ? n_waiting(x) > 0 : x->has_last && x->at < x->last) {
      range *g = (range *)(void *)x->ranges.bytes + x->at;
      int rc = g->is_trap          ? take_trap(r, g, diag)
               : g->begin < g->end ? take_insn(r, x, g, diag)
                                   : 0;
      if (rc) return rc;
      x->at += g->begin >= g->end;
      continue;
    }
    if (x->is_ended) return 0;
    /* What was taken leaves. */
    size_t left = n_waiting(x) * sizeof(range);
    if (x->at && left) memmove(x->ranges.bytes, x->ranges.bytes + x->at * sizeof(range), left);
    x->ranges.n_bytes = left;
    x->last -= x->at;
    x->at = 0;
    int rc = decode(r, x, diag);
    if (rc) return rc;
  }
}

static void etm_close(oct_reader *r) {
  etm *x = r->state;
  if (!x) return;
  if (x->tree != C_API_INVALID_TREE_HANDLE) ocsd_destroy_dcd_tree(x->tree);
  for (int i = 0; i < OCT_ISA_COUNT; i++) oct_disasm_free(x->disasm[i]);
  oct_buffer_free(&x->ranges);
  oct_etm_snapshot_free(&x->snapshot);
  free(x);
}

const oct_reader_ops oct_etm_reader = {etm_open, etm_fill, etm_close};
