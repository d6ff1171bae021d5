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

/* Of read_code: an instruction of which a file has only a part. No other code has that error. */
enum { HALF_INSN = pte_bad_file };

/* ---- Set up ---- */

/* libipt asks for the rest of an instruction where another file may begin. */
static int read_code(uint8_t *buffer, size_t size, const struct pt_asid *asid, uint64_t ip,
                     void *context) {
  oct_pt_flow *f = context;
  (void)asid;
  if (size < pt_max_insn_size) {
    f->missing = ip - (pt_max_insn_size - size);
    return -HALF_INSN;
  }
  size_t n = f->code(f->context, ip, buffer, size);
  if (!n) f->missing = ip;
  return n ? (int)n : -pte_nomap;
}

/* Over PAD, CYC and MTC at p, which may stand between any two packets: up to end. */
static const uint8_t *behind_times(const uint8_t *p, const uint8_t *end) {
  enum { PAD = 0, CYC = 3, CYC_MORE = 4, MTC = 0x59, MTC_BYTES = 2 };
  while (p < end && (*p == PAD || (*p & 3) == CYC || (*p == MTC && end - p >= MTC_BYTES))) {
    bool goes_on = (*p & 3) == CYC && *p & CYC_MORE;
    p += *p == MTC ? MTC_BYTES : 1;
    for (; goes_on && p < end; p++) goes_on = *p & 1;
  }
  return p;
}

/* Keep what a packet CFE at p tells, whose FUP follows. */
static void take_cause(oct_pt_flow *f, const uint8_t *p, size_t n) {
  enum { CFE_BYTES = 4, INTERRUPT = 1, IRET = 2, UIRET = 13, NMI = 2, EXCEPTIONS = 32 };
  enum { FUP = 0x1d, TYPE_BITS = 5, HAS_FUP = 0x80 };
  static const uint8_t ip_bytes[8] = {[1] = 2, [2] = 4, [3] = 6, [4] = 6, [6] = 8};
  const unsigned type = p[2] & 0x1f;
  if ((type != INTERRUPT && type != IRET && type != UIRET) || !(p[2] & HAS_FUP)) return;
  const uint8_t *end = p + n, *fup = behind_times(p + CFE_BYTES, end);
  if (fup == end || (*fup & ((1 << TYPE_BITS) - 1)) != FUP) return;
  const unsigned bytes = ip_bytes[*fup >> TYPE_BITS];
  if (!bytes || (size_t)(end - fup) < 1 + bytes) return;
  if (f->n_causes == OCT_PT_CAUSES)
    memmove(f->causes, f->causes + 1, --f->n_causes * sizeof *f->causes);
  oct_pt_cause *c = &f->causes[f->n_causes++];
  *c = (oct_pt_cause){.is_return = type != INTERRUPT,
                      .ip = oct_get_le(fup + 1, (int)bytes),
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

/* 0, or libipt's error. */
static int take_gap(oct_pt_flow *f, const oct_pt_gap *gap) {
  oct_pt_gap *gaps = oct_grown(f->gaps, &f->room_gaps, f->n_gaps + 1, sizeof *gaps);
  if (!gaps) return -pte_nomem;
  f->gaps = gaps;
  gaps[f->n_gaps++] = *gap;
  return 0;
}

static bool is_padding(const uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (bytes[i]) return false;
  return true;
}

bool oct_pt_flow_is_padding(const oct_pt_flow *f) {
  return is_padding(f->all_bytes, f->n_all_bytes);
}

/* Whether tracing was on at the PSB there: then it has an address. Where tracing begins, its
 * TIP.PGE has that. */
static bool is_on_at(const oct_pt_flow *f, uint64_t at) {
  struct pt_config config = config_of(f);
  struct pt_packet p;
  bool is_on = false;
  struct pt_packet_decoder *d = pt_pkt_alloc_decoder(&config);
  if (!d || pt_pkt_sync_set(d, at) < 0) goto end;
  while (!is_on && pt_pkt_next(d, &p, sizeof p) >= 0 && p.type != ppt_psbend && p.type != ppt_ovf)
    is_on = p.type == ppt_fup && p.payload.ip.ipc != pt_ipc_suppressed;
end:
  pt_pkt_free_decoder(d);
  return is_on;
}

/* What is missing before the first sync: what stands there, if it is more than padding, or is not
 * there at all. 0, or libipt's error. */
static int count_skipped(oct_pt_flow *f, size_t n) {
  const bool has_packets = !is_padding(f->bytes, n);
  if (!has_packets && !f->is_late && !is_on_at(f, n)) return 0;
  if (has_packets) f->of->lacking.skipped_bytes += n;
  return take_gap(f, &(oct_pt_gap){.cause = OCT_GAP_BEGINNING});
}

/* Decode from here to the next hole: 1; 0 when there is no PSB in between; OCT_ERR_NOMEM. */
static int begin_part(oct_pt_flow *f) {
  uint64_t at;
  f->begin += f->n_bytes;
  f->bytes = f->all_bytes + f->begin;
  f->n_bytes = (size_t)((f->n_holes ? *f->holes : f->n_all_bytes) - f->begin);
  f->holes += f->n_holes > 0;
  f->n_holes -= f->n_holes > 0;
  pt_insn_free_decoder(f->decoder);
  pt_pkt_free_decoder(f->scan.decoder);
  f->decoder = NULL;
  f->scan = (oct_pt_scan){.psb = UINT64_MAX};
  at = f->n_bytes;
  if (f->n_bytes) {
    struct pt_config config = config_of(f);
    config.cpu = f->cpu;
    if (f->cpu.vendor) pt_cpu_errata(&config.errata, &f->cpu);
    f->scan.decoder = pt_pkt_alloc_decoder(&config);
    config.decode.context = f;
    f->decoder = pt_insn_alloc_decoder(&config);
    if (!f->decoder || !f->scan.decoder || pt_insn_set_image(f->decoder, f->image))
      return OCT_ERR_NOMEM;
  }
  if (f->is_ours) {
    struct pt_config config = config_of(f);
    f->counted = pt_pkt_alloc_decoder(&config);
    if (!f->counted) return OCT_ERR_NOMEM;
    pt_pkt_sync_set(f->counted, 0);
  }
  bool is_there = f->decoder && pt_pkt_sync_forward(f->scan.decoder) >= 0;
  if (is_there) pt_pkt_get_sync_offset(f->scan.decoder, &at);
  if (!is_there) return 0;
  /* Behind a hole it is part of the gap. */
  if (!f->begin && count_skipped(f, (size_t)at)) return OCT_ERR_NOMEM;
  f->status = pt_insn_sync_forward(f->decoder);
  return 1; /* what is wrong in the first PSB shows later */
}

/* Go on behind the next hole that a PSB follows: 1, 0 at the end, or OCT_ERR_NOMEM. */
static int next_part(oct_pt_flow *f) {
  int rc = 0;
  while (!rc && f->begin + f->n_bytes < f->n_all_bytes) rc = begin_part(f);
  return rc;
}

int oct_pt_flow_open(oct_pt_flow *f, const struct pt_cpu *cpu, uint8_t *bytes, size_t n_bytes,
                     oct_diag *diag) {
  f->all_bytes = bytes;
  f->n_all_bytes = n_bytes;
  f->cpu = *cpu;
  f->image = pt_image_alloc(NULL);
  int rc = f->image ? pt_image_set_callback(f->image, read_code, f) : OCT_ERR_NOMEM;
  if (!rc) rc = next_part(f);
  if (rc < 0) return oct_fail_in(diag, OCT_ERR_NOMEM, f->name, "out of memory");
  if (rc) return 0;
  return oct_fail_in(diag, OCT_ERR_FORMAT, f->name,
                     "expected packets of Intel PT, found no PSB, where a decoder can begin");
}

void oct_pt_flow_close(oct_pt_flow *f) {
  pt_insn_free_decoder(f->decoder);
  pt_pkt_free_decoder(f->scan.decoder);
  pt_pkt_free_decoder(f->counted);
  pt_image_free(f->image);
  free(f->traps);
  free(f->held);
  free(f->gaps);
  free(f->all_bytes);
}

/* ---- The end ---- */

typedef enum end_state {
  END_OFF,      /* tracing had ended */
  END_STARTING, /* it had, and a PSB or a PIP since: in streams of ours TIP.PGE follows */
  END_ON,
  END_IN_SYNC, /* PSBEND is missing */
  END_IN_PACKET
} end_state;

/* Where a packet leaves tracing. What OVF left out is a gap of its own. */
static end_state behind_packet(end_state at, bool *is_on_at_sync, bool *is_overflow,
                               const struct pt_packet *p) {
  switch (p->type) {
    case ppt_psb:
      *is_on_at_sync = false;
      return END_IN_SYNC;
    case ppt_psbend:
      return at != END_IN_SYNC ? at : *is_on_at_sync ? END_ON : END_STARTING;
    case ppt_ovf:
      *is_overflow = true;
      return END_OFF;
    case ppt_fup:
      if (at == END_IN_SYNC) *is_on_at_sync |= p->payload.ip.ipc != pt_ipc_suppressed;
      if (at == END_IN_SYNC || !*is_overflow) return at;
      *is_overflow = false;
      return END_ON;
    case ppt_tip_pge:
      *is_overflow = false;
      return END_ON;
    case ppt_tip_pgd:
    case ppt_stop:
      return END_OFF;
    case ppt_pip:
      return at == END_OFF && !*is_overflow ? END_STARTING : at;
    default:
      return at;
  }
}

/* How the bytes end. Packets are read from the last PSB on. */
static end_state find_end(const oct_pt_flow *f) {
  struct pt_config config = config_of(f);
  struct pt_packet packet;
  uint64_t offset = f->n_bytes;
  end_state at = END_OFF;
  bool is_on_at_sync = false, is_overflow = false;
  struct pt_packet_decoder *d = pt_pkt_alloc_decoder(&config);
  if (!d) return END_OFF;
  if (pt_pkt_sync_backward(d) >= 0) {
    while (pt_pkt_next(d, &packet, sizeof packet) >= 0)
      at = behind_packet(at, &is_on_at_sync, &is_overflow, &packet);
    pt_pkt_get_offset(d, &offset);
  }
  pt_pkt_free_decoder(d);
  return offset < f->n_bytes ? END_IN_PACKET : at;
}

/* The end of the stream: 0, or OCT_ERR_TRUNCATED. A recording may end while tracing goes on; what
 * octrace writes does not. */
static int end(const oct_pt_flow *f, oct_diag *diag) {
  static const char *const where[] = {[END_STARTING] = "before tracing begins",
                                      [END_ON] = "where tracing goes on",
                                      [END_IN_SYNC] = "within a sync",
                                      [END_IN_PACKET] = "within a packet"};
  const end_state at = find_end(f);
  if (at == END_OFF || (at == END_STARTING && !f->is_ours)) return 0;
  if (at == END_ON && !f->is_ours) {
    f->of->lacking.n_open++;
    f->of->lacking.open_insns += f->n_all;
    return 0;
  }
  return oct_fail_in(diag, OCT_ERR_TRUNCATED, f->name, "the stream ends %s", where[at]);
}

/* ---- Damage ---- */

static int fail(const oct_pt_flow *f, oct_diag *diag) {
  uint64_t at = 0;
  pt_insn_get_offset(f->decoder, &at);
  if (f->status == -pte_nomem) return oct_fail_in(diag, OCT_ERR_NOMEM, f->name, "out of memory");
  if (f->is_miscounted)
    return oct_diag_in(diag, f->name,
                       oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, f->begin + at,
                                   "a PSB counts other instructions than were decoded"));
  return oct_diag_in(
      diag, f->name,
      oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, f->begin + at,
                  "libipt: %s (a damaged stream, or other files than those that ran)",
                  f->is_astray ? "a loop without end" : pt_errstr(pt_errcode(f->status))));
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
  static const uint8_t uiret[] = {0xf3, 0x0f, 0x01, 0xec};
  struct pt_insn insn = {.ip = ip, .iclass = ptic_far_return, .mode = ptem_64bit};
  size_t n = f->code(f->context, ip, insn.raw, sizeof uiret);
  if (n && insn.raw[0] == 0xcf)
    insn.size = 1;
  else if (n > 1 && insn.raw[1] == 0xcf) /* with a prefix */
    insn.size = 2;
  else if (n == sizeof uiret && !memcmp(insn.raw, uiret, n))
    insn.size = sizeof uiret;
  else
    return 0;
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

/* Tracing ends at `from`: a trap, or the return from one, where Event Trace says so. */
static int take_async_end(oct_pt_flow *f, uint64_t from) {
  const unsigned had = f->n_causes;
  const oct_pt_cause c = cause_at(f, from);
  if (f->n_causes == had) return 0;
  return c.is_return ? take_return(f, from) : take_trap(f, &c.trap, from);
}

/* Read the packets up to the TSC of this number: whether none of them is lost or damaged. *n gets
 * the instructions that repetitions add, which libipt passes over. */
static bool read_to_number(oct_pt_flow *f, uint64_t number, uint64_t *n) {
  enum { MNT_ADDR_BITS = 40 };
  struct pt_packet p;
  bool is_whole = true;
  for (*n = 0;;) {
    int status = pt_pkt_next(f->counted, &p, sizeof p);
    if (status < 0) {
      is_whole = false;
      if (status == -pte_eos || pt_pkt_sync_forward(f->counted) < 0) return false;
      continue;
    }
    if (p.type == ppt_tsc && p.payload.tsc.tsc == number) return is_whole;
    if (p.type == ppt_mnt) *n += (p.payload.mnt.payload >> MNT_ADDR_BITS) - 1;
    is_whole &= p.type != ppt_ovf;
  }
}

/* Hold the instructions against the number in a PSB of ours. What is missing at damage is counted
 * once the next number agrees. 0, or libipt's error. */
static int check_number(oct_pt_flow *f, uint64_t number) {
  oct_pt_gap gap = {.cause = OCT_GAP_DAMAGE};
  uint64_t n;
  if (f->has_number && number == f->number) return 0;
  const bool is_whole = read_to_number(f, number, &n) && f->has_number;
  const uint64_t passed = number - f->number, decoded = f->n_all - f->n_before + n;
  f->is_miscounted = is_whole && passed != decoded;
  if (is_whole && !f->is_miscounted) f->of->gaps.damaged_insns += f->n_missing;
  const bool is_less = number > f->number && passed > decoded;
  f->n_missing = is_less && (f->is_miscounted || f->is_damaged) ? passed - decoded : 0;
  f->is_damaged = false;
  f->has_number = true;
  f->number = number;
  f->n_before = f->n_all;
  if (!f->is_miscounted) return 0;
  if (!f->goes_on) return -pte_bad_packet;
  fail(f, &gap.diag);
  return take_gap(f, &gap);
}

/* 0, or libipt's error. */
static int take_event(oct_pt_flow *f, const struct pt_event *e) {
  if (e->has_tsc) f->time = e->tsc;
  /* That put in place of an address behind a hole tells no number, and not where calls return. */
  if (e->status_update && !(f->is_placed && f->is_silent)) {
    int error = f->is_ours && e->has_tsc ? check_number(f, e->tsc) : 0;
    f->is_placed = false;
    if (error) return error;
  }
  switch (e->type) {
    case ptev_overflow:
      f->n_ready = f->n_held;
      return take_gap(f, &(oct_pt_gap){.cause = OCT_GAP_OVERFLOW});
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

/* Behind an error go on where that can be: false when it ends the stream. */
static bool gets_over(oct_pt_flow *f) {
  const bool has_number = f->has_number;
  const struct pt_config config = config_of(f);
  if (f->n_held && oct_pt_aborts(f, &config)) f->n_held = 0;
  f->n_ready = f->n_held;
  f->is_abort = f->has_number = false;
  f->n_causes = 0;
  f->told = NULL;
  f->tval = 0;
  oct_pt_gap gap = {.cause = OCT_GAP_NO_IMAGE, .addr = f->missing};
  int error = 0;
  /* A compressed return from a call in a hole, or before it, is part of the hole. */
  const bool is_hole =
      f->status == -pte_nomap || (f->status == -pte_retstack_empty && f->is_placed);
  f->is_placed = false;
  if (is_hole) {
    if (!f->is_silent) {
      oct_reader_note_lacking(f->of, f->missing, f->place(f->context, f->missing));
      error = take_gap(f, &gap);
    }
    f->is_silent = true;
    f->is_damaged = false;
    f->n_missing = 0;
    f->status = error ? error : oct_pt_find_place(f);
    return true;
  }
  if (f->status == -pte_eos) {
    int rc = next_part(f);
    if (rc < 0) f->status = -pte_nomem;
    return rc > 0;
  }
  if (f->status == -pte_nomem || !f->goes_on) return false;
  gap = (oct_pt_gap){.cause = OCT_GAP_DAMAGE};
  fail(f, &gap.diag);
  if (!f->is_silent) error = take_gap(f, &gap);
  f->is_damaged |= has_number;
  f->is_silent = true;
  f->is_astray = false;
  f->n_insns = 0;
  f->status = error ? error : pt_insn_sync_forward(f->decoder);
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
  if (f->status == -HALF_INSN) f->status = -pte_nomap;
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
      f->n_all++;
      return 1;
    }
    f->n_ready = 0;
    f->n_gaps_due = f->n_gaps; /* all that came before them is handed out */
    if (f->is_ended) break;
    if (f->status >= 0) {
      if (step(f, insn)) {
        f->n_all++;
        return 1;
      }
    } else if (!gets_over(f)) {
      f->is_ended = true;
    }
  }
  return f->status == -pte_eos ? end(f, diag) : fail(f, diag);
}

int oct_pt_add_insn(oct_reader *r, oct_disasm *disasm[2], const struct pt_insn *insn, uint32_t task,
                    oct_diag *diag) {
  oct_map_entry e;
  if (oct_reader_is_full(r, 1)) return 1;
  int is_64 = insn->mode == ptem_64bit;
  uint32_t id = r->described ? oct_map_find(r->described, insn->ip) : UINT32_MAX;
  const oct_map_head *known = id == UINT32_MAX ? NULL : oct_map_at(r->described, id);
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

int oct_pt_add_events(oct_reader *r, oct_pt_flow *f, oct_diag *diag) {
  int rc = 0;
  for (size_t i = 0; i < f->n_gaps_due; i++) {
    const oct_pt_gap *gap = &f->gaps[i];
    if (gap->cause == OCT_GAP_DAMAGE)
      oct_reader_damaged(r, &gap->diag);
    else
      oct_reader_lost_by(r, gap->cause, gap->addr);
  }
  f->n_gaps -= f->n_gaps_due;
  if (f->n_gaps) memmove(f->gaps, f->gaps + f->n_gaps_due, f->n_gaps * sizeof *f->gaps);
  f->n_gaps_due = 0;
  for (size_t i = 0; i < f->n_traps && !rc; i++) {
    rc = oct_reader_add_trap(r, &f->traps[i], diag);
  }
  f->n_traps = 0;
  return rc;
}

int oct_pt_check_any(const oct_reader *r, oct_diag *diag) {
  const uint64_t n_gaps = oct_reader_gaps(r) + r->n_found;
  if (r->has_given || r->n_insns || n_gaps > r->lacking.n_unsynced || r->gaps.n_damages ||
      r->lacking.n_open)
    return 0;
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "no instruction in it: tracing is off from its first PSB on");
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
