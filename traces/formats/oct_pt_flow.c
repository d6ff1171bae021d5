/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_flow.c - bytes of Intel PT to instructions, by libipt.
 *
 * libipt's instruction flow decoder asks for the program's bytes as it goes. Between instructions
 * it reports events; of these, overflows are gaps, and paging tells the address space.
 *
 * Instructions of a transaction wait until it ends: when it is aborted they have not run.
 *
 * Event Trace (packets CFE and EVD, which libipt 2.0 does not know) tells the cause of the trap
 * that follows. Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3,
 * chapter "Intel Processor Trace". */
#include "oct_pt_flow.h"

#include "oct_grow.h"

#define OCTRACE_FEED_ENCODER_ONLY
#include "octrace/feed.h" /* oct_get_le */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Instructions that one packet may stand for: in other code than what ran, jumps may lead in a
 * circle that no packet ends. */
enum { PACKET_INSNS_MAX = 1 << 20, CHECK_INSNS = 1 << 16 };
/* Instructions of a transaction that wait: more than any processor's cache allows. */
enum { HELD_MAX = 1 << 20 };

/* ---- Set up ---- */

static int read_code(uint8_t *buffer, size_t size, const struct pt_asid *asid, uint64_t ip,
                     void *context) {
  oct_pt_flow *f = context;
  (void)asid;
  size_t n = f->code(f->context, ip, buffer, size);
  if (!n) f->missing = ip;
  return n ? (int)n : -pte_nomap;
}

/* Keep what a packet CFE at p tells, whose FUP follows. */
static void take_cause(oct_pt_flow *f, const uint8_t *p, size_t n) {
  enum { CFE_BYTES = 4, INTERRUPT = 1, IRET = 2, UIRET = 13, NMI = 2, EXCEPTIONS = 32 };
  enum { FUP = 0x1d, TYPE_BITS = 5 };
  static const uint8_t ip_bytes[8] = {[1] = 2, [2] = 4, [3] = 6, [4] = 6, [6] = 8};
  const unsigned type = p[2] & 0x1f;
  if (type != INTERRUPT && type != IRET && type != UIRET) return;
  if (n <= CFE_BYTES || (p[CFE_BYTES] & ((1 << TYPE_BITS) - 1)) != FUP) return;
  const unsigned bytes = ip_bytes[p[CFE_BYTES] >> TYPE_BITS];
  if (!bytes || n < CFE_BYTES + 1 + bytes) return;
  if (f->n_causes == OCT_PT_CAUSES)
    memmove(f->causes, f->causes + 1, --f->n_causes * sizeof *f->causes);
  oct_pt_cause *c = &f->causes[f->n_causes++];
  *c = (oct_pt_cause){.is_return = type != INTERRUPT,
                      .ip = oct_get_le(p + CFE_BYTES + 1, (int)bytes),
                      .mask = UINT64_MAX >> (64 - 8 * bytes)};
  const bool is_exception = p[3] < EXCEPTIONS && p[3] != NMI;
  c->trap.kind = is_exception ? OCT_TRAP_EXCEPTION : OCT_TRAP_INTERRUPT;
  c->trap.cause = p[3];
  if (is_exception) c->trap.tval = f->tval;
  f->tval = 0;
}

/* Packets of Event Trace; f, if there is one, keeps what they tell. */
static int take_unknown(struct pt_packet_unknown *unknown, const struct pt_config *config,
                        const uint8_t *p, void *context) {
  enum { CFE = 0x13, CFE_BYTES = 4, EVD = 0x53, EVD_BYTES = 11, CR2 = 0 };
  oct_pt_flow *f = context;
  const size_t n = (size_t)(config->end - p);
  (void)unknown;
  if (n < 2 || p[0] != 0x02 || (p[1] != CFE && p[1] != EVD)) return -pte_bad_opc;
  const int bytes = p[1] == CFE ? CFE_BYTES : EVD_BYTES;
  if (n < (size_t)bytes) return -pte_eos;
  if (!f || (f->told && p <= f->told)) return bytes;
  f->told = p;
  if (p[1] == CFE)
    take_cause(f, p, n);
  else if ((p[2] & 0x3f) == CR2)
    f->tval = oct_get_le(p + 3, 8);
  return bytes;
}

/* What Event Trace tells of the trap at ip; one without a cause when it does not. */
static oct_pt_cause cause_at(oct_pt_flow *f, uint64_t ip) {
  for (unsigned i = 0; i < f->n_causes; i++) {
    const oct_pt_cause c = f->causes[i];
    if ((c.ip ^ ip) & c.mask) continue;
    f->n_causes -= i + 1;
    memmove(f->causes, f->causes + i + 1, f->n_causes * sizeof c);
    return c;
  }
  return (oct_pt_cause){.trap.kind = OCT_TRAP_INTERRUPT};
}

static struct pt_config config_of(const oct_pt_flow *f) {
  struct pt_config c;
  pt_config_init(&c);
  c.begin = f->bytes;
  c.end = f->bytes + f->n_bytes;
  c.decode.callback = take_unknown;
  return c;
}

/* What stands before the first sync, if it is more than padding. */
static void count_skipped(const oct_pt_flow *f, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!f->bytes[i]) continue;
    f->of->lacking.skipped_bytes += n;
    return;
  }
}

int oct_pt_flow_open(oct_pt_flow *f, const struct pt_cpu *cpu, uint8_t *bytes, size_t n_bytes,
                     oct_diag *diag) {
  uint64_t at = n_bytes;
  f->bytes = bytes;
  f->n_bytes = n_bytes;
  struct pt_config config = config_of(f);
  config.cpu = *cpu;
  if (cpu->vendor) pt_cpu_errata(&config.errata, cpu);
  f->scan.decoder = n_bytes ? pt_pkt_alloc_decoder(&config) : NULL;
  config.decode.context = f;
  f->decoder = n_bytes ? pt_insn_alloc_decoder(&config) : NULL;
  f->image = pt_image_alloc(NULL);
  if ((n_bytes && (!f->decoder || !f->scan.decoder)) || !f->image)
    return oct_fail_in(diag, OCT_ERR_NOMEM, f->name, "out of memory");
  pt_image_set_callback(f->image, read_code, f);
  if (f->decoder && pt_insn_set_image(f->decoder, f->image))
    return oct_fail_in(diag, OCT_ERR_NOMEM, f->name, "out of memory");
  f->scan.psb = UINT64_MAX;
  bool is_there = f->decoder && pt_pkt_sync_forward(f->scan.decoder) >= 0;
  if (is_there) pt_pkt_get_sync_offset(f->scan.decoder, &at);
  count_skipped(f, (size_t)at);
  if (is_there) {
    f->status = pt_insn_sync_forward(f->decoder);
    return 0; /* what is wrong in the first PSB shows later */
  }
  return oct_fail_in(diag, OCT_ERR_FORMAT, f->name,
                     "expected packets of Intel PT, found no PSB, where a decoder can begin");
}

void oct_pt_flow_close(oct_pt_flow *f) {
  pt_insn_free_decoder(f->decoder);
  pt_pkt_free_decoder(f->scan.decoder);
  pt_image_free(f->image);
  free(f->traps);
  free(f->held);
  free(f->bytes);
}

/* Whether the bytes end within a packet. Packets are counted from the last PSB on. */
static bool ends_within_packet(const oct_pt_flow *f) {
  struct pt_config config = config_of(f);
  struct pt_packet packet;
  uint64_t at = f->n_bytes;
  struct pt_packet_decoder *d = pt_pkt_alloc_decoder(&config);
  if (!d) return false;
  if (pt_pkt_sync_backward(d) >= 0) {
    while (pt_pkt_next(d, &packet, sizeof packet) >= 0) {
    }
    pt_pkt_get_offset(d, &at);
  }
  pt_pkt_free_decoder(d);
  return at < f->n_bytes;
}

/* ---- Events ---- */

/* 0, or libipt's error. */
static int hold(oct_pt_flow *f, const struct pt_insn *insn) {
  struct pt_insn *held = oct_grown(f->held, &f->room_held, f->n_held + 1, sizeof *held);
  if (!held) return -pte_nomem;
  f->held = held;
  f->held[f->n_held++] = *insn;
  return 0;
}

/* The return from a trap that Event Trace names: to libipt its instruction has not run. */
static int take_return(oct_pt_flow *f, uint64_t ip) {
  struct pt_insn insn = {.ip = ip, .iclass = ptic_far_return, .mode = ptem_64bit};
  size_t n = f->code(f->context, ip, insn.raw, 2);
  insn.size = n && insn.raw[0] == 0xcf ? 1 : n > 1 && insn.raw[1] == 0xcf ? 2 : 0;
  if (!insn.size) return 0;
  int status = hold(f, &insn);
  f->n_ready = f->n_held;
  return status;
}

/* 0, or libipt's error. */
static int take_trap(oct_pt_flow *f, const oct_trap *cause, uint64_t from) {
  oct_trap *traps = oct_grown(f->traps, &f->room_traps, f->n_traps + 1, sizeof *traps);
  if (!traps) return -pte_nomem;
  f->traps = traps;
  oct_trap *t = &traps[f->n_traps++];
  *t = *cause;
  t->addr = from;
  t->privilege = OCT_PRIVILEGE_UNKNOWN;
  return 0;
}

/* An interrupt and the like, which leads to another place. */
static int take_async_branch(oct_pt_flow *f, uint64_t from, uint64_t to) {
  const bool is_abort = f->is_abort;
  f->is_abort = false;
  if (is_abort) return 0;
  const oct_pt_cause c = cause_at(f, from);
  if (c.is_return) return take_return(f, from);
  return from == to ? 0 : take_trap(f, &c.trap, from);
}

/* Tracing ends at `from`: a trap where Event Trace says so. */
static int take_async_end(oct_pt_flow *f, uint64_t from) {
  const unsigned had = f->n_causes;
  const oct_pt_cause c = cause_at(f, from);
  return f->n_causes == had || c.is_return ? 0 : take_trap(f, &c.trap, from);
}

/* 0, or libipt's error. */
static int take_event(oct_pt_flow *f, const struct pt_event *e) {
  if (e->has_tsc) f->time = e->tsc;
  switch (e->type) {
    case ptev_overflow:
      oct_reader_lost(f->of);
      f->n_ready = f->n_held;
      return 0;
    case ptev_async_branch:
      return take_async_branch(f, e->variant.async_branch.from, e->variant.async_branch.to);
    case ptev_async_disabled:
      return take_async_end(f, e->variant.async_disabled.at);
    case ptev_tsx:
      f->is_abort = e->variant.tsx.aborted;
      if (f->is_abort) f->n_held = 0;
      if (!e->variant.tsx.speculative) f->n_ready = f->n_held;
      return 0;
    case ptev_paging:
      f->cr3 = e->variant.paging.cr3;
      return 0;
    case ptev_async_paging:
      f->cr3 = e->variant.async_paging.cr3;
      return 0;
    default:
      return 0;
  }
}

/* ---- Instructions ---- */

static bool goes_astray(oct_pt_flow *f) {
  uint64_t at = 0;
  if (++f->n_insns % CHECK_INSNS) return false;
  pt_insn_get_offset(f->decoder, &at);
  if (at != f->offset) f->n_insns = 0;
  f->offset = at;
  return f->n_insns >= PACKET_INSNS_MAX;
}

static int fail(const oct_pt_flow *f, oct_diag *diag) {
  uint64_t at = 0;
  pt_insn_get_offset(f->decoder, &at);
  if (f->status == -pte_nomem) return oct_fail_in(diag, OCT_ERR_NOMEM, f->name, "out of memory");
  return oct_diag_in(
      diag, f->name,
      oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, at,
                  "libipt: %s (a damaged stream, or other files than those that ran)",
                  f->is_astray ? "a loop without end" : pt_errstr(pt_errcode(f->status))));
}

/* Behind an error go on where that can be: false when it ends the stream. */
static bool gets_over(oct_pt_flow *f) {
  oct_diag diag;
  f->n_ready = f->n_held;
  f->is_abort = false;
  f->n_causes = 0;
  f->told = NULL;
  f->tval = 0;
  if (f->status == -pte_nomap) {
    if (!f->is_silent) oct_reader_lacks_code(f->of, f->missing, f->place(f->context, f->missing));
    f->is_silent = true;
    f->status = oct_pt_find_place(f);
    return true;
  }
  if (f->status == -pte_nomem || f->status == -pte_eos || !f->goes_on) return false;
  fail(f, &diag);
  if (!f->is_silent) oct_reader_damaged(f->of, &diag);
  f->is_silent = true;
  f->is_astray = false;
  f->n_insns = 0;
  f->status = pt_insn_sync_forward(f->decoder);
  return true;
}

/* One instruction, or an event: 1, and 0 when nothing comes of it. */
static int step(oct_pt_flow *f, struct pt_insn *insn) {
  struct pt_event event;
  if (f->status & pts_event_pending) {
    f->status = pt_insn_event(f->decoder, &event, sizeof event);
    int error = f->status >= 0 ? take_event(f, &event) : 0;
    if (error) f->status = error;
    return 0;
  }
  if (f->status & pts_eos) {
    f->status = -pte_eos;
    return 0;
  }
  insn->iclass = ptic_error;
  f->status = pt_insn_next(f->decoder, insn, sizeof *insn);
  /* An error may come with the last instruction before it. */
  if (insn->iclass == ptic_error || (f->is_astray = goes_astray(f))) {
    if (f->status >= 0 || f->is_astray) f->status = -pte_bad_insn;
    return 0;
  }
  if (pt_insn_time(f->decoder, &f->time, NULL, NULL) < 0) f->time = 0;
  f->is_silent = f->is_abort = false;
  if (!insn->speculative) return 1;
  int error = hold(f, insn);
  if (error) f->status = error;
  if (f->n_held == HELD_MAX) f->n_ready = f->n_held;
  return 0;
}

int oct_pt_flow_next(oct_pt_flow *f, struct pt_insn *insn, oct_diag *diag) {
  for (;;) {
    if (f->n_given < f->n_ready) {
      *insn = f->held[f->n_given++];
      if (f->n_given == f->n_ready) f->n_given = f->n_ready = f->n_held = 0;
      return 1;
    }
    f->n_ready = 0;
    if (f->is_ended) break;
    if (f->status >= 0) {
      if (step(f, insn)) return 1;
    } else if (!gets_over(f)) {
      f->is_ended = true;
    }
  }
  if (f->status != -pte_eos) return fail(f, diag);
  if (!ends_within_packet(f)) return 0;
  return oct_fail_in(diag, OCT_ERR_TRUNCATED, f->name, "the stream ends within a packet");
}

int oct_pt_add_insn(oct_reader *r, oct_disasm *disasm[2], const struct pt_insn *insn, uint32_t task,
                    oct_diag *diag) {
  oct_map_entry e;
  if (oct_reader_is_full(r, 1)) return 1;
  int is_64 = insn->mode == ptem_64bit;
  uint32_t id = r->described ? oct_map_find(r->described, insn->ip) : UINT32_MAX;
  const oct_map_entry *known = id == UINT32_MAX ? NULL : oct_map_at(r->described, id);
  if (!known || known->size_bytes != insn->size ||
      memcmp(known->code, insn->raw, insn->size) != 0) {
    oct_disasm **d = &disasm[is_64];
    if (!*d && !(*d = oct_disasm_new(is_64 ? OCT_ISA_X86_64 : OCT_ISA_X86)))
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    if (oct_disasm_insn(*d, insn->ip, insn->raw, insn->size, &e) == insn->size) {
      int rc = oct_reader_describe(r, &e, diag);
      if (rc) return rc;
    }
  }
  oct_reader_add_insn(r, insn->ip, insn->size)->task = task;
  return 0;
}

int oct_pt_add_traps(oct_reader *r, oct_pt_flow *f, oct_diag *diag) {
  int rc = 0;
  for (size_t i = 0; i < f->n_traps && !rc; i++) {
    rc = oct_reader_add_trap(r, &f->traps[i], diag);
  }
  f->n_traps = 0;
  return rc;
}

int oct_pt_read_all(oct_reader *r, uint8_t **bytes, size_t *n_bytes, oct_diag *diag) {
  size_t room = 0;
  *bytes = NULL;
  *n_bytes = 0;
  for (;;) {
    if (room - *n_bytes < OCT_INPUT_PEEK_BYTES) {
      room = room * 2 + 4 * OCT_INPUT_PEEK_BYTES;
      uint8_t *p = realloc(*bytes, room);
      if (!p) break;
      *bytes = p;
    }
    int64_t n = oct_input_read(r->in, *bytes + *n_bytes, OCT_INPUT_PEEK_BYTES, diag);
    if (n > 0) {
      *n_bytes += (size_t)n;
      continue;
    }
    if (n == 0) return 0;
    free(*bytes);
    *bytes = NULL;
    return (int)n;
  }
  free(*bytes);
  *bytes = NULL;
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

int oct_pt_parse_cpu(const oct_reader *r, struct pt_cpu *cpu, oct_diag *diag) {
  const char *params = r->options->params;
  unsigned family, model, stepping = 0;
  int end = 0;
  if (!params) return 0;
  if (sscanf(params, "cpu=%u/%u%n/%u%n", &family, &model, &end, &stepping, &end) < 2 ||
      params[end] || family > UINT16_MAX || model > UINT8_MAX || stepping > UINT8_MAX)
    return oct_fail(diag, OCT_ERR_ARG,
                    "reading Intel PT takes cpu=FAMILY/MODEL[/STEPPING], in decimal as "
                    "/proc/cpuinfo has them; found '%s'",
                    params);
  *cpu = (struct pt_cpu){.vendor = pcv_intel,
                         .family = (uint16_t)family,
                         .model = (uint8_t)model,
                         .stepping = (uint8_t)stepping};
  return 0;
}
