/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm_decode.c - OpenCSD, which decodes ETMv4, in a process of its own.
 *
 * A damaged trace can end OpenCSD (1.3.3 does on one changed byte) in any way that a program can
 * end. The child decodes, and writes what it finds to a pipe, as items of one size; the parent
 * reads them. When the child dies, its signal handler writes what was found before, and the parent
 * says so in one line. What both know, the snapshot and the program, the child has as it was at the
 * fork. */
#include "oct_etm_decode.h"

#include <errno.h>
#include <fcntl.h>
#include <opencsd/c_api/opencsd_c_api.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAME_BYTES = OCSD_DFRMTR_FRAME_SIZE, CHUNK_BYTES = 256, CODE_BYTES = 4 };
enum { SHARED_BYTES = 4096, TEXT_AT = 64 };

/* A trace unit. In a snapshot of ours, timestamps count instructions: there were n_insns since one
 * with this count, if has_count. */
typedef struct source {
  bool is_there, is_synced, has_count;
  bool has_thumb; /* there was an address of T32 */
  bool has_begun; /* the trace has Trace On, or it was told that its beginning is missing */
  bool is_on;     /* tracing goes on, as far as was told, */
  bool is_halted; /* or it said that the trace ends */
  /* Behind an address without code OpenCSD's stack of return addresses lacks the calls of what is
   * missing: until the next sync, a return may find nothing there, or one of another call. */
  bool has_hole;
  bool is_astray;            /* one did, and nothing ran since */
  bool has_run;              /* something came since the gap was told */
  uint64_t hole;             /* that address */
  bool has_stack;            /* there is such a stack, */
  bool is_ahead;             /* and packets come long before what they lead to */
  bool is_popping, has_addr; /* since the last range: it needs a target, which a packet gave */
  bool is_returned;          /* the next address is where an exception goes back to */
  bool is_doubtful;          /* the stack gave a target that is not known to be right */
  unsigned n_calls;          /* on the stack since the hole */
  uint32_t task;
  uint64_t count, n_insns;
} source;

/* Of the child. */
typedef struct etm {
  const oct_etm_decoder *d;
  int to;
  dcd_tree_handle_t tree;
  oct_buffer items; /* found and not yet written */
  size_t last;      /* the last range, which waits for its cycle count, */
  bool has_last;    /* if there is one */
  source sources[OCT_ETM_SOURCES];
  unsigned n_sources;
  uint64_t cycle;         /* of the only source */
  size_t first;           /* the byte of the trace buffer where decoding began, */
  size_t given;           /* and how many OpenCSD has */
  bool has_begun;         /* there was a range */
  bool is_lost;           /* damage was told since the last range */
  uint64_t foreign_bytes; /* of trace units that are none of ours, */
  uint64_t unnamed_bytes; /* and before the first trace ID: whose is not known */
} etm;

/* ---- The child's way out ---- */

static bool write_all(int to, const uint8_t *p, size_t n) {
  while (n) {
    ssize_t got = write(to, p, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    p += got;
    n -= (size_t)got;
  }
  return true;
}

/* Write what does not wait, or all. Nobody reads any more: the end. */
static void send(etm *x, bool is_all) {
  size_t n = x->has_last && !is_all ? x->last * sizeof(oct_etm_item) : x->items.n_bytes;
  if (!n) return;
  if (!write_all(x->to, x->items.bytes, n)) _exit(0);
  x->items.n_bytes -= n;
  memmove(x->items.bytes, x->items.bytes + n, x->items.n_bytes);
  if (is_all)
    x->has_last = false;
  else
    x->last = 0;
}

static etm *dying; /* in the child alone */

static void die(int signal) {
  if (dying) write_all(dying->to, dying->items.bytes, dying->items.n_bytes);
  struct sigaction standard = {.sa_handler = SIG_DFL};
  sigaction(signal, &standard, NULL);
  raise(signal);
}

/* The end, with an error of this text, or without. */
static _Noreturn void leave(etm *x, int error, const char *text) {
  oct_etm_item item = {.kind = error ? OCT_ETM_ERROR : OCT_ETM_END, .end = (uint64_t)-error};
  send(x, true);
  if (error) snprintf(x->d->text, OCT_ETM_TEXT_BYTES, "%s", text);
  write_all(x->to, (const uint8_t *)&item, sizeof item);
  _exit(0);
}

static void put(etm *x, const oct_etm_item *item) {
  if (oct_buffer_put(&x->items, item, sizeof *item)) leave(x, OCT_ERR_NOMEM, "out of memory");
}

/* ---- What OpenCSD tells ---- */

static source *latest; /* in the child alone: whose packet was the last one */

/* A packet of the trace unit, before what comes of it. */
static void take_packet(const void *context, const ocsd_datapath_op_t op, const ocsd_trc_index_t at,
                        const void *packet, const uint32_t n, const uint8_t *bytes) {
  source *s = (source *)context; /* ours; the interface hands it through as constant */
  (void)at, (void)n, (void)bytes;
  if (op != OCSD_OP_DATA) return;
  latest = s;
  switch (((const ocsd_etmv4_i_pkt *)packet)->type) {
    case ETM4_PKT_I_TRACE_INFO:
    case ETM4_PKT_I_BAD_SEQUENCE: /* no hole leads to these */
    case ETM4_PKT_I_BAD_TRACEMODE:
    case ETM4_PKT_I_RESERVED:
    case ETM4_PKT_I_RESERVED_CFG:
      s->has_hole = false;
      break;
    case ETM4_PKT_I_EXCEPT:
      s->is_returned = true;
      break;
    case ETM4_PKT_I_ADDR_CTXT_L_32IS1:
    case ETM4_PKT_I_ADDR_CTXT_L_64IS1:
    case ETM4_PKT_I_ADDR_S_IS1:
    case ETM4_PKT_I_ADDR_L_32IS1:
    case ETM4_PKT_I_ADDR_L_64IS1:
      s->has_thumb = true;
      /* fall through */
    case ETM4_PKT_I_ADDR_MATCH:
    case ETM4_PKT_I_ADDR_CTXT_L_32IS0:
    case ETM4_PKT_I_ADDR_CTXT_L_64IS0:
    case ETM4_PKT_I_ADDR_S_IS0:
    case ETM4_PKT_I_ADDR_L_32IS0:
    case ETM4_PKT_I_ADDR_L_64IS0:
      s->has_addr |= !s->is_returned;
      s->is_returned = false;
      break;
    default:
      break;
  }
}

/* OpenCSD reads four bytes at a time, also of the last instruction of two. */
static uint32_t give_code(const void *context, const ocsd_vaddr_t addr,
                          const ocsd_mem_space_acc_t space, const uint8_t id, const uint32_t n,
                          uint8_t *to) {
  const etm *x = context;
  (void)space;
  size_t there = x->d->code(x->d->context, addr, to, n, x->sources[id % OCT_ETM_SOURCES].has_thumb);
  if (!there || there >= CODE_BYTES || n < CODE_BYTES) return (uint32_t)there;
  memset(to + there, 0, CODE_BYTES - there);
  return CODE_BYTES;
}

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
  oct_etm_item *last = (oct_etm_item *)(void *)x->items.bytes + x->last;
  last->cycle = x->cycle;
  last->has_cycle = true;
}

static void take_range(etm *x, source *s, oct_etm_item *item, int isa) {
  x->has_begun = s->is_on = true;
  x->is_lost = s->is_halted = s->is_astray = false;
  s->has_run = true;
  item->kind = OCT_ETM_RANGE;
  item->isa = (uint8_t)isa;
  put(x, item);
  x->has_last = true;
  x->last = x->items.n_bytes / sizeof *item - 1;
}

/* No code at the hole, which costs what follows, too. */
static void tell_hole(etm *x, source *s) {
  const oct_etm_item item = {.kind = OCT_ETM_MISSING, .begin = s->hole};
  put(x, &item);
  s->has_run = false;
}

/* Whether what comes now is where the trace was: not where the stack, which lacks the calls of a
 * hole, gave the address, until a packet gives one. */
static bool is_right(etm *x, source *s) {
  const bool is_popped = s->is_popping && !s->has_addr && s->has_hole && !s->is_doubtful;
  if (s->has_addr && !(s->has_hole && s->is_ahead)) s->is_doubtful = false;
  if (is_popped && !s->n_calls) {
    s->is_doubtful = true;
    s->has_count = x->has_last = false;
    if (s->has_run) tell_hole(x, s);
  } else if (is_popped) {
    s->n_calls--;
  }
  s->has_addr = s->is_popping = false;
  return !s->is_doubtful;
}

/* The last instruction of a range calls, or needs a target. */
static void follow(source *s, const ocsd_generic_trace_elem *e) {
  if (!s->has_stack || !e->last_instr_exec) return;
  s->n_calls += e->last_i_subtype == OCSD_S_INSTR_BR_LINK && !s->is_doubtful;
  s->is_popping = e->last_i_type == OCSD_INSTR_BR_INDIRECT;
}

/* Damage at that byte, once until a range follows; or what a hole of this source led to. */
static void tell_damage(etm *x, source *s, uint64_t at) {
  const oct_etm_item item = {.kind = OCT_ETM_DAMAGE, .begin = at};
  if (s && s->has_hole) {
    s->is_astray = true;
    if (s->has_run) tell_hole(x, s);
    return;
  }
  if (!x->is_lost) put(x, &item);
  x->is_lost = true;
}

static uint64_t unsynced_bytes(const etm *x, uint8_t id, bool of_all) {
  ocsd_decode_stats_t *stats;
  if (ocsd_dt_get_decode_stats(x->tree, id, &stats) != OCSD_OK) return 0;
  return of_all ? stats->channel_total : stats->channel_unsynced;
}

/* What has no trace ID counts to the first trace unit that has a sync. */
static void tell_skipped(etm *x, uint8_t id, bool of_all) {
  const oct_etm_item item = {.kind = OCT_ETM_SKIPPED,
                             .begin = unsynced_bytes(x, id, of_all) + x->unnamed_bytes};
  if (!item.begin) return;
  x->unnamed_bytes = 0;
  put(x, &item);
  x->sources[id].has_begun = true;
}

/* Instructions of a trace unit that never said Trace On: a ring that begins at a sync. Behind a
 * death, decoding begins in the middle. */
static void check_begin(etm *x, source *s) {
  const oct_etm_item item = {.kind = OCT_ETM_SKIPPED};
  if (!s->has_begun && !x->first) put(x, &item);
  s->has_begun = true;
}

/* Whether as many instructions came as a timestamp of ours says. */
static void check_count(etm *x, source *s, uint64_t count, uint64_t at) {
  if (!x->d->snapshot->is_ours) return;
  if (s->has_count && count - s->count != s->n_insns) tell_damage(x, NULL, at);
  s->has_count = true;
  s->count = count;
  s->n_insns = 0;
}

static ocsd_datapath_resp_t take_element(const void *context, const ocsd_trc_index_t at,
                                         const uint8_t id, const ocsd_generic_trace_elem *e) {
  etm *x = (etm *)context; /* ours; the interface hands it through as constant */
  source *s = &x->sources[id % OCT_ETM_SOURCES];
  oct_etm_item item = {
      .begin = e->st_addr, .end = e->en_addr, .task = s->task, .source = id % OCT_ETM_SOURCES};
  if (e->elem_type != OCSD_GEN_TRC_ELEM_NO_SYNC && e->elem_type != OCSD_GEN_TRC_ELEM_EO_TRACE &&
      !s->is_synced) {
    s->is_synced = true;
    tell_skipped(x, id, false);
  }
  switch (e->elem_type) {
    case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
      if (isa_of(e->isa) < 0) {
        tell_damage(x, s, at);
        break;
      }
      check_begin(x, s);
      if (is_right(x, s)) {
        take_range(x, s, &item, isa_of(e->isa));
        s->n_insns += e->num_instr_range;
      }
      follow(s, e);
      if (e->has_cc) count_cycles(x, e->cycle_count);
      break;
    case OCSD_GEN_TRC_ELEM_EXCEPTION:
      check_begin(x, s);
      item.kind = OCT_ETM_TRAP;
      item.cause = e->exception_number;
      item.begin = e->en_addr;
      s->is_halted = e->exception_number == OCT_ETM_HALT;
      s->is_on = !s->is_halted;
      if (x->has_begun && !s->is_halted && e->exception_number != OCT_ETM_JUMP) {
        put(x, &item);
        s->has_run = true;
      }
      break;
    case OCSD_GEN_TRC_ELEM_CYCLE_COUNT:
      if (e->has_cc) count_cycles(x, e->cycle_count);
      break;
    case OCSD_GEN_TRC_ELEM_TIMESTAMP:
      check_count(x, s, e->timestamp, at);
      break;
    case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
      if (e->context.ctxt_id_valid) s->task = e->context.context_id;
      break;
    case OCSD_GEN_TRC_ELEM_TRACE_ON:
      s->is_on = s->has_begun = true;
      item.kind = OCT_ETM_GAP;
      if (e->trace_on_reason == TRACE_ON_OVERFLOW) put(x, &item);
      break;
    case OCSD_GEN_TRC_ELEM_I_RANGE_NOPATH:
      check_begin(x, s);
      item.kind = OCT_ETM_GAP;
      put(x, &item);
      break;
    case OCSD_GEN_TRC_ELEM_NO_SYNC:
      s->has_count = false;
      if (e->unsync_eot_info == UNSYNC_BAD_PACKET) tell_damage(x, s, at);
      break;
    case OCSD_GEN_TRC_ELEM_ADDR_NACC:
      check_begin(x, s);
      s->has_count = false;
      const bool is_there_again = s->has_addr;
      if (!is_right(x, s)) break;
      if (s->has_hole && !s->has_run && !is_there_again && s->hole == e->st_addr) break;
      s->has_hole = true;
      s->is_doubtful = s->has_stack && s->is_ahead;
      s->n_calls = 0;
      s->hole = e->st_addr;
      tell_hole(x, s);
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
static void add_source(etm *x, const oct_etm_device *d) {
  char text[OCT_ETM_TEXT_BYTES];
  ocsd_etmv4_cfg cfg = {0};
  unsigned char id;
  enum { RETURN_STACK = 1 << 12 }; /* in TRCCONFIGR */
  enum { ID_MASK = 0x7f, FIRST_RESERVED = 0x70 };
  enum { NEEDED = 1 << OCT_ETM_CONFIGR | 1 << OCT_ETM_TRACEIDR | 1 << OCT_ETM_IDR0 };
  if ((d->has_regs & NEEDED) != NEEDED) {
    snprintf(text, sizeof text,
             "the trace unit %s lacks TRCCONFIGR, TRCTRACEIDR or TRCIDR0 in its file", d->name);
    leave(x, OCT_ERR_FORMAT, text);
  }
  const unsigned id_told = d->regs[OCT_ETM_TRACEIDR] & ID_MASK;
  if (x->d->snapshot->is_framed && (!id_told || id_told >= FIRST_RESERVED)) {
    snprintf(text, sizeof text, "the trace unit %s: expected a trace ID from 1 to 0x6f, found 0x%x",
             d->name, id_told);
    leave(x, OCT_ERR_FORMAT, text);
  }
  if (x->sources[id_told].is_there) {
    snprintf(text, sizeof text, "the trace unit %s: another one has its trace ID, 0x%x", d->name,
             id_told);
    leave(x, OCT_ERR_FORMAT, text);
  }
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
  describe_core(oct_etm_device_of(x->d->snapshot, d->of), &cfg);
  ocsd_err_t err = ocsd_dt_create_decoder(x->tree, OCSD_BUILTIN_DCD_ETMV4I,
                                          OCSD_CREATE_FLG_FULL_DECODER, &cfg, &id);
  if (err != OCSD_OK) {
    snprintf(text, sizeof text, "OpenCSD refuses the registers of %s (error %d)", d->name,
             (int)err);
    leave(x, OCT_ERR_FORMAT, text);
  }
  source *s = &x->sources[id % OCT_ETM_SOURCES];
  if (ocsd_dt_attach_packet_callback(x->tree, id, OCSD_C_API_CB_PKT_MON, (void *)take_packet, s) !=
      OCSD_OK)
    leave(x, OCT_ERR_NOMEM, "OpenCSD does not start");
  s->is_there = true;
  s->has_stack = cfg.reg_configr & RETURN_STACK;
  s->is_ahead = cfg.reg_idr8;
  s->task = x->n_sources++ ? id : 0;
}

static void add_sources(etm *x) {
  const oct_etm_snapshot *snapshot = x->d->snapshot;
  const char *other = NULL;
  char text[OCT_ETM_TEXT_BYTES];
  for (size_t i = 0; i < oct_etm_n_devices(snapshot); i++) {
    const oct_etm_device *d = oct_etm_device_at(snapshot, i);
    if (strcmp(d->class_name, "trace_source") != 0) continue;
    if (d->buffer[0] && snapshot->buffer[0] && strcmp(d->buffer, snapshot->buffer) != 0) continue;
    if (strncmp(d->type, "ETM4", 4) != 0) {
      other = d->type;
      continue;
    }
    add_source(x, d);
  }
  if (x->n_sources) return;
  snprintf(text, sizeof text, "no trace unit of type ETM4%s%s%s%s%s",
           other ? ", found " : " in the snapshot", other ? other : "",
           *snapshot->absent_device ? " (and there is no " : "", snapshot->absent_device,
           *snapshot->absent_device ? ")" : "");
  leave(x, OCT_ERR_UNSUPPORTED, text);
}

/* Sources of bytes that are no trace. */
enum { FLUSH = 0x7b, TRIGGER = 0x7d, UNNAMED = OCT_ETM_SOURCES };

/* Whether bytes of that source are a trace that is left out. */
static bool is_foreign(const etm *x, unsigned id) {
  return id != FLUSH && id != TRIGGER && !x->sources[id].is_there;
}

/* Whose bytes a frame has. The last byte has the lowest bits of the even ones, and where an even
 * one is a number of a source, whether it holds from the byte after next on. Number 0 is padding,
 * which is 0. Before the first number nobody knows. */
static void look_at_frame(etm *x, const uint8_t *frame, unsigned *id) {
  for (unsigned i = 0; i < FRAME_BYTES - 1; i++) {
    const bool is_id = !(i & 1) && frame[i] & 1;
    const unsigned before = *id;
    if (is_id) *id = frame[i] >> 1;
    const bool is_late = is_id && frame[FRAME_BYTES - 1] >> (i / 2) & 1;
    if (is_id && (!is_late || i + 1 == FRAME_BYTES - 1)) continue;
    if (is_id) i++;
    const unsigned of = is_id ? before : *id;
    if (of == UNNAMED) {
      x->unnamed_bytes += x->unnamed_bytes || frame[i];
    } else if (of ? is_foreign(x, of) : frame[i] != 0) {
      x->foreign_bytes++;
    }
  }
}

static void look_at_frames(etm *x) {
  const oct_etm_snapshot *s = x->d->snapshot;
  unsigned id = UNNAMED;
  if (x->first) return; /* they were looked at */
  for (size_t at = 0; s->is_framed && s->n_bytes - at >= FRAME_BYTES; at += FRAME_BYTES)
    look_at_frame(x, s->bytes + at, &id);
  const oct_etm_item item = {.kind = OCT_ETM_FOREIGN, .begin = x->foreign_bytes};
  if (item.begin) put(x, &item);
}

/* Decode the next n bytes. */
static void decode(etm *x, size_t n) {
  uint32_t used = 0;
  ocsd_datapath_resp_t said = ocsd_dt_process_data(x->tree, OCSD_OP_DATA, x->given, (uint32_t)n,
                                                   x->d->snapshot->bytes + x->given, &used);
  const size_t step = x->d->snapshot->is_framed ? FRAME_BYTES : 1;
  const bool is_wrong = OCSD_DATA_RESP_IS_FATAL(said) || OCSD_DATA_RESP_IS_ERR(said);
  const size_t at = x->given;
  x->given += used;
  if (!is_wrong && used) return;
  tell_damage(x, latest, at);
  x->given += step - used % step;
  if (x->given > x->d->snapshot->n_bytes) x->given = x->d->snapshot->n_bytes;
  ocsd_dt_process_data(x->tree, OCSD_OP_RESET, x->given, 0, NULL, &used);
}

/* The end of the buffer: what was never found, and what may follow. */
static void check_end(etm *x) {
  const oct_etm_snapshot *s = x->d->snapshot;
  unsigned n_synced = 0, n_halted = 0;
  for (unsigned id = 0; id < OCT_ETM_SOURCES; id++) {
    const oct_etm_item open = {.kind = OCT_ETM_OPEN, .source = (uint8_t)id};
    if (!x->sources[id].is_there) continue;
    n_synced += x->sources[id].is_synced;
    n_halted += x->sources[id].is_halted || x->sources[id].is_astray;
    if (!x->sources[id].is_synced) tell_skipped(x, (uint8_t)id, true);
    if (x->sources[id].is_on && !x->sources[id].is_astray && !s->is_ours) put(x, &open);
  }
  if (!n_synced)
    leave(
        x, OCT_ERR_FORMAT,
        "expected packets of ETMv4, found no A-Sync of its trace units, where decoding can begin");
  if (x->given < s->n_bytes)
    leave(x, OCT_ERR_TRUNCATED, "the trace buffer ends within a frame of 16 bytes");
  if (s->is_ours && n_halted < x->n_sources)
    leave(x, OCT_ERR_TRUNCATED, "the trace buffer ends before the trace does");
}

static _Noreturn void run(etm *x) {
  const oct_etm_snapshot *s = x->d->snapshot;
  uint32_t used;
  x->tree = ocsd_create_dcd_tree(s->is_framed ? OCSD_TRC_SRC_FRAME_FORMATTED : OCSD_TRC_SRC_SINGLE,
                                 s->is_framed ? OCSD_DFRMTR_FRAME_MEM_ALIGN : 0);
  if (x->tree == C_API_INVALID_TREE_HANDLE) leave(x, OCT_ERR_NOMEM, "OpenCSD does not start");
  add_sources(x);
  if (ocsd_dt_set_gen_elem_outfn(x->tree, take_element, x) != OCSD_OK ||
      ocsd_dt_add_callback_trcid_mem_acc(x->tree, 0, UINT64_MAX, OCSD_MEM_SPACE_ANY, give_code,
                                         x) != OCSD_OK)
    leave(x, OCT_ERR_NOMEM, "OpenCSD does not start");
  look_at_frames(x);
  for (;;) {
    size_t n = s->n_bytes - x->given;
    if (n > CHUNK_BYTES) n = CHUNK_BYTES;
    if (s->is_framed) n -= n % FRAME_BYTES;
    *x->d->given = x->given;
    if (!n) break;
    decode(x, n);
    send(x, false);
  }
  ocsd_dt_process_data(x->tree, OCSD_OP_EOT, x->given, 0, NULL, &used);
  check_end(x);
  leave(x, 0, NULL);
}

/* The child: nothing of it is to be seen or left but what goes to the pipe. */
static _Noreturn void begin(etm *x) {
  static const int deaths[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  static uint8_t stack[1 << 16];
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  const struct sigaction last_words = {.sa_handler = die, .sa_flags = SA_ONSTACK};
  const struct rlimit none = {0};
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3 && null >= 0; fd++) dup2(null, fd);
  setrlimit(RLIMIT_CORE, &none);
  signal(SIGPIPE, SIG_IGN); /* a write fails then */
  sigaltstack(&other, NULL);
  dying = x;
  for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++)
    sigaction(deaths[i], &last_words, NULL);
  run(x);
}

/* ---- The parent ---- */

int oct_etm_decode_start(oct_etm_decoder *d, size_t byte, oct_diag *diag) {
  int ends[2];
  if (!d->given) {
    void *p = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return oct_fail_in(diag, OCT_ERR_NOMEM, d->name, "out of memory");
    d->given = p;
    d->text = (char *)p + TEXT_AT;
  }
  d->at = d->n_bytes = 0;
  if (pipe2(ends, O_CLOEXEC))
    return oct_fail_in(diag, OCT_ERR_IO, d->name, "no pipe for OpenCSD: %s", strerror(errno));
  etm x = {.d = d, .to = ends[1], .tree = C_API_INVALID_TREE_HANDLE, .first = byte, .given = byte};
  *d->given = byte;
  d->child = fork();
  if (!d->child) begin(&x);
  close(ends[1]);
  d->from = ends[0];
  if (d->child > 0) return 0;
  close(ends[0]);
  d->child = 0;
  return oct_fail_in(diag, OCT_ERR_IO, d->name, "no process for OpenCSD: %s", strerror(errno));
}

/* The child's state as waitpid gives it, 0 where nobody knows. */
static int reap(oct_etm_decoder *d) {
  int state = 0;
  close(d->from);
  while (waitpid(d->child, &state, 0) < 0)
    if (errno != EINTR) break;
  d->child = 0;
  return state;
}

void oct_etm_decode_stop(oct_etm_decoder *d) {
  if (d->child) {
    kill(d->child, SIGKILL);
    reap(d);
  }
  if (d->given) munmap((void *)(uintptr_t)d->given, SHARED_BYTES);
  d->given = NULL;
}

/* The rest of an item, at least: whether it came. */
static bool fill(oct_etm_decoder *d) {
  const size_t left = d->n_bytes - d->at;
  memmove(d->bytes, d->bytes + d->at, left);
  d->at = 0;
  for (d->n_bytes = left; d->n_bytes < sizeof(oct_etm_item);) {
    ssize_t n = read(d->from, d->bytes + d->n_bytes, sizeof d->bytes - d->n_bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    d->n_bytes += (size_t)n;
  }
  return true;
}

int oct_etm_decode_next(oct_etm_decoder *d, oct_etm_item *item, bool *died, oct_diag *diag) {
  *died = false;
  if (d->n_bytes - d->at < sizeof *item && !fill(d)) {
    char how[40] = "";
    int state = reap(d);
    if (WIFSIGNALED(state)) snprintf(how, sizeof how, " (signal %d)", WTERMSIG(state));
    *died = true;
    return oct_fail_in(diag, OCT_ERR_FORMAT, d->name,
                       "byte %zu of the trace buffer: OpenCSD ended in the middle%s: a fault of "
                       "that library, which a damaged trace can reach",
                       *d->given, how);
  }
  memcpy(item, d->bytes + d->at, sizeof *item);
  d->at += sizeof *item;
  if (item->kind < OCT_ETM_ERROR) return 1;
  reap(d);
  if (item->kind == OCT_ETM_END) return 0;
  return oct_fail_in(diag, -(int)item->end, d->name, "%.*s", OCT_ETM_TEXT_BYTES - 1, d->text);
}
