/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_decode.c - octrace's own Intel PT decoder: packets and the program map to instructions.
 *
 * It goes on only as far as a packet vouches for: over branches while there are outcomes, to the
 * next indirect jump for a TIP, to the address of a FUP, to the instruction that the time of a PSB
 * counts. */
#include "oct_pt_decode.h"

enum {
  JUMPS_MAX = 1 << 16, /* without a packet, before a stream is held to be damaged */
  TSC_BITS = 56
};

int oct_pt_decoder_init(void *decoder, const uint32_t *params, oct_diag *diag) {
  oct_pt_decoder *d = decoder;
  (void)diag;
  d->p = oct_pt_params_of(params);
  return 0;
}

static int fail(oct_pt_decoder *d, int error, const char *what) {
  return oct_decoder_base_fail(d, error, what);
}

/* ---- Instructions ---- */

/* The oldest outcome; -1 when there is none. */
static int take_bit(oct_pt_decoder *d) {
  if (!d->n_tnt) return -1;
  d->jumps = 0;
  return d->tnt >> --d->n_tnt & 1;
}

/* The packet under way is an address, and the instruction needs one. */
static int take_address(oct_pt_decoder *d) {
  if (d->n_tnt) return fail(d, OCT_ERR_PACKET, "an indirect jump where branches are left");
  if (d->goal == OCT_PT_GO_TIP)
    d->base.ip = d->to;
  else if (d->goal == OCT_PT_GO_END)
    d->is_enabled = false;
  else
    return fail(d, OCT_ERR_PACKET, "an indirect jump without an address");
  d->goal = OCT_PT_GO_NOWHERE;
  return 0;
}

/* One instruction. */
static int step(oct_pt_decoder *d) {
  const oct_map_entry *e = NULL;
  int rc = oct_decoder_base_retire(d, &e), bit;
  if (rc) return rc;
  uint64_t behind = e->addr + e->size_bytes;
  if (d->p.mode_bits == 32) behind &= UINT32_MAX;
  switch (e->cls) {
    case OCT_CLASS_COND_BRANCH:
      if ((bit = take_bit(d)) < 0) return fail(d, OCT_ERR_PACKET, "a branch without an outcome");
      d->base.ip = bit ? e->target : behind;
      return 0;
    case OCT_CLASS_DIRECT_CALL:
    case OCT_CLASS_DIRECT_JUMP:
      if (e->cls == OCT_CLASS_DIRECT_CALL && e->target != behind) oct_pt_push(&d->stack, behind);
      d->base.ip = e->target;
      if (++d->jumps > JUMPS_MAX) return fail(d, OCT_ERR_PACKET, "jumps without end lead nowhere");
      return 0;
    case OCT_CLASS_INDIRECT_CALL:
      oct_pt_push(&d->stack, behind);
      return take_address(d);
    case OCT_CLASS_INDIRECT_JUMP:
      return take_address(d);
    case OCT_CLASS_RETURN:
      if ((bit = take_bit(d)) < 0) return take_address(d);
      if (!bit || !d->stack.n) return fail(d, OCT_ERR_PACKET, "a compressed return to nowhere");
      d->base.ip = oct_pt_pop(&d->stack);
      return 0;
    default:
      d->base.ip = behind;
      if (!oct_pt_is_far(e)) return 0;
      if (d->goal != OCT_PT_GO_END) return fail(d, OCT_ERR_PACKET, "a system call without its end");
      return take_address(d);
  }
}

/* One time more of a repeated instruction, and behind the last one on. */
static int step_repeat(oct_pt_decoder *d) {
  const oct_map_entry *e = NULL;
  if (d->n_tnt || (d->base.ip ^ d->to) << (64 - OCT_PT_MNT_ADDR_BITS))
    return fail(d, OCT_ERR_PACKET, "a repetition somewhere else than the decoder");
  int rc = oct_decoder_base_retire(d, &e);
  if (rc) return rc;
  if (e->cls > OCT_CLASS_OTHER) return fail(d, OCT_ERR_PACKET, "a repeated jump");
  if (--d->n_repeat) return 0;
  d->base.ip = e->addr + e->size_bytes;
  if (d->p.mode_bits == 32) d->base.ip &= UINT32_MAX;
  d->goal = OCT_PT_GO_NOWHERE;
  return 0;
}

/* ---- Packets ---- */

int oct_pt_decoder_packet(oct_pt_decoder *d, oct_pt_packet *p) {
  size_t n = d->base.in.n_bytes - d->base.at;
  d->base.bit = 8 * (d->base.base_bytes + d->base.at);
  if (!n) return 0;
  int length = oct_pt_read(d->base.in.bytes + d->base.at, n, &d->last_ip, p);
  if (length < 0) return fail(d, OCT_ERR_PACKET, "not an Intel PT packet");
  if (!length)
    return d->base.is_finished ? fail(d, OCT_ERR_TRUNCATED, "the stream ends within a packet") : 0;
  d->base.at += (size_t)length;
  return 1;
}

/* Whether a PSB begins here, if its bytes are there. */
static bool is_at_psb(const oct_pt_decoder *d) {
  const uint8_t *p = d->base.in.bytes + d->base.at;
  return d->base.in.n_bytes - d->base.at > 1 && p[0] == 0x02 && p[1] == 0x82;
}

/* Find a PSB. */
bool oct_pt_decoder_search(void *decoder) {
  oct_pt_decoder *d = decoder;
  for (; d->base.in.n_bytes - d->base.at >= OCT_PT_PSB_BYTES; d->base.at++) {
    oct_pt_packet p;
    if (d->base.in.bytes[d->base.at] != 0x02) continue;
    if (oct_pt_read(d->base.in.bytes + d->base.at, OCT_PT_PSB_BYTES, &d->last_ip, &p) ==
            OCT_PT_PSB_BYTES &&
        p.type == OCT_PT_PSB)
      return true;
  }
  return false;
}

/* Tracing goes on before instruction `number`, if that is told. */
static int join(oct_pt_decoder *d, bool has_number, uint64_t number, uint64_t bit) {
  uint64_t lost = oct_number_step(d->base.out_insn, number, has_number ? TSC_BITS : 0, TSC_BITS);
  return oct_decoder_base_join(d, has_number, d->base.out_insn + lost, bit);
}

/* PSBEND: what stood before it holds. */
static int end_sync(oct_pt_decoder *d) {
  oct_pt_sync *s = &d->sync;
  s->is_under_way = false;
  d->base.counts.syncs++;
  if (d->base.is_synced && !d->base.is_lost) {
    uint64_t left = (s->number - d->base.insn) & ((UINT64_C(1) << TSC_BITS) - 1);
    if (s->has_number && left > oct_packet_limit(0, d->p.sync_period_insns, false))
      return fail(d, OCT_ERR_PACKET, "a PSB counts more instructions than lie between two");
    if (s->has_number) d->goal = OCT_PT_GO_PSB;
    if (!d->is_enabled) d->base.task = s->task;
    d->is_starting = !d->is_enabled;
    return 0;
  }
  d->is_enabled = s->has_ip;
  d->is_starting = !d->is_enabled;
  d->base.ip = s->ip;
  d->base.task = s->task;
  d->stack.n = 0;
  return join(d, s->has_number, s->number, s->bit);
}

static int take_sync_packet(oct_pt_decoder *d, const oct_pt_packet *p) {
  switch (p->type) {
    case OCT_PT_PSBEND:
      return end_sync(d);
    case OCT_PT_TSC:
      d->sync.has_number = d->p.tsc;
      d->sync.number = p->value;
      return 0;
    case OCT_PT_PIP:
      d->sync.task = (uint32_t)(p->value >> OCT_PT_CR3_SHIFT);
      return 0;
    case OCT_PT_FUP:
      d->sync.has_ip = true;
      d->sync.ip = p->value;
      return 0;
    default:
      return 0;
  }
}

/* Which trap it was is not sent. */
static int tell_trap(oct_pt_decoder *d) {
  const oct_trap t = {
      .addr = d->from, .kind = OCT_TRAP_INTERRUPT, .privilege = OCT_PRIVILEGE_UNKNOWN};
  return oct_decoder_base_trap(d, &t);
}

/* The packet that goes with a FUP that was reached: to another place, a trap. */
static int take_event(oct_pt_decoder *d, const oct_pt_packet *p) {
  d->is_event = false;
  if (p->type == OCT_PT_TIP) {
    d->base.ip = p->value;
    if (p->value != d->from) return tell_trap(d);
  } else if (p->type == OCT_PT_TIP_PGD) {
    d->is_enabled = false;
    d->is_parted = true;
  } else
    return fail(d, OCT_ERR_PACKET, "a FUP without its TIP");
  return 0;
}

static void begin_overflow(oct_pt_decoder *d) {
  d->base.is_lost = d->is_overflow = true;
  d->is_enabled = d->is_event = d->is_parted = d->is_starting = false;
  d->last_ip = 0;
  d->stack.n = 0;
}

/* Behind OVF: TSC says what is missing; FUP, or TIP.PGE, where the program goes on. */
static int take_overflow_packet(oct_pt_decoder *d, const oct_pt_packet *p) {
  bool is_number = p->type == OCT_PT_TSC && d->p.tsc;
  bool is_place = p->type == OCT_PT_FUP || p->type == OCT_PT_TIP_PGE;
  int rc =
      d->base.is_lost && (is_number || is_place) ? join(d, is_number, p->value, d->base.bit) : 0;
  if (rc || !is_place) return rc;
  d->is_overflow = d->is_starting = false;
  d->is_enabled = true;
  d->base.ip = p->value;
  return 0;
}

static int take_packet(oct_pt_decoder *d, const oct_pt_packet *p) {
  d->jumps = 0;
  if (p->type == OCT_PT_PIP || p->type == OCT_PT_PSB) d->is_parted = false;
  if (p->type == OCT_PT_PSB) {
    d->sync = (oct_pt_sync){.is_under_way = true, .bit = d->base.bit, .task = d->base.task};
    return 0;
  }
  if (d->sync.is_under_way) return take_sync_packet(d, p);
  /* Where what comes before the first instruction did not fit into the buffer, OVF begins. */
  if (p->type == OCT_PT_OVF && d->p.tsc) d->base.is_synced = true;
  if (!d->base.is_synced) return fail(d, OCT_ERR_PACKET, "a packet before the first PSB");
  if (p->type == OCT_PT_OVF) {
    begin_overflow(d);
    return 0;
  }
  if (p->type == OCT_PT_PIP) d->base.task = (uint32_t)(p->value >> OCT_PT_CR3_SHIFT);
  if (d->is_overflow) return take_overflow_packet(d, p);
  d->is_starting |= p->type == OCT_PT_PIP && !d->is_enabled;
  if (p->type == OCT_PT_MNT) {
    d->n_repeat = p->value >> OCT_PT_MNT_ADDR_BITS;
    if (!d->n_repeat || !d->is_enabled || d->is_event)
      return fail(d, OCT_ERR_PACKET, "a repetition of nothing");
    d->to = p->value;
    d->goal = OCT_PT_GO_REPEAT;
  }
  if (p->type < OCT_PT_TNT || p->type > OCT_PT_FUP) return 0;
  if (d->is_event) return take_event(d, p);
  if (p->type == OCT_PT_TIP_PGE) {
    bool is_trap = d->is_parted && p->value == d->from; /* that leads to where it came from */
    d->is_enabled = true;
    d->is_parted = d->is_starting = false;
    d->base.ip = p->value;
    return is_trap ? tell_trap(d) : 0;
  }
  if (!d->is_enabled) return fail(d, OCT_ERR_PACKET, "a packet of instructions between two traces");
  d->to = p->value;
  if (p->type == OCT_PT_TNT) {
    d->tnt = p->value;
    d->n_tnt = p->n;
  } else {
    d->goal = p->type == OCT_PT_TIP   ? OCT_PT_GO_TIP
              : p->type == OCT_PT_FUP ? OCT_PT_GO_FUP
                                      : OCT_PT_GO_END;
  }
  return 0;
}

/* Go on until there is something to hand out: 1, 0 or an error. */
static int run(void *decoder) {
  oct_pt_decoder *d = decoder;
  oct_pt_packet p;
  int rc;
  while (!oct_decoder_base_is_full(&d->base)) {
    if (d->goal == OCT_PT_GO_FUP && !d->n_tnt && d->base.ip == d->to) {
      d->goal = OCT_PT_GO_NOWHERE;
      d->is_event = true;
      d->from = d->to;
    } else if (d->goal == OCT_PT_GO_PSB && !d->n_tnt &&
               !((d->base.insn ^ d->sync.number) << (64 - TSC_BITS))) {
      d->goal = OCT_PT_GO_NOWHERE;
      if (d->sync.has_ip != d->is_enabled || (d->is_enabled && d->sync.ip != d->base.ip))
        return fail(d, OCT_ERR_PACKET, "a PSB is somewhere else than the decoder");
    } else if (d->goal == OCT_PT_GO_REPEAT) {
      if ((rc = step_repeat(d))) return rc;
    } else if (d->n_tnt || d->goal != OCT_PT_GO_NOWHERE) {
      if (!d->is_enabled || (d->goal == OCT_PT_GO_PSB && d->base.insn > d->sync.number))
        return fail(d, OCT_ERR_PACKET, "a PSB counts other instructions than were decoded");
      if ((rc = step(d))) return rc;
    } else {
      if (oct_decoder_base_waits(&d->base) && (d->base.is_lost || is_at_psb(d)))
        return 1; /* what came before the gap, or the sync */
      if (!oct_decoder_base_is_found(d, oct_pt_decoder_search)) return 0;
      if ((rc = oct_pt_decoder_packet(d, &p)) != 1) return rc;
      if ((rc = take_packet(d, &p))) return rc;
      if (d->base.has_gap) return 1;
    }
  }
  return 1;
}

static bool is_open(const void *decoder) {
  const oct_pt_decoder *d = decoder;
  return d->is_enabled || d->sync.is_under_way || d->is_starting ||
         (d->is_overflow && d->base.is_lost); /* behind OVF its TSC is missing */
}

int oct_pt_decoder_next(void *d, oct_decoded *out, oct_diag *diag) {
  return oct_decoder_base_next(d, run, is_open, out, diag);
}

int oct_pt_decoder_resync(void *decoder, oct_diag *diag) {
  oct_pt_decoder *d = decoder;
  (void)diag;
  d->goal = OCT_PT_GO_NOWHERE;
  d->n_tnt = 0;
  d->is_event = d->is_overflow = d->sync.is_under_way = d->is_parted = d->is_starting = false;
  d->is_enabled = false;
  return oct_decoder_base_resync(d, oct_pt_decoder_search);
}
