/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_decode.c - octrace's own Intel PT decoder: packets and the program map to instructions.
 *
 * It goes on only as far as a packet vouches for: over branches while there are outcomes, to the
 * next indirect jump for a TIP, to the address of a FUP, to the instruction that the time of a PSB
 * counts. */
#include "oct_pt_decode.h"

enum {
  CHUNK_INSNS = 8192,  /* handed out at a time */
  JUMPS_MAX = 1 << 16, /* without a packet, before a stream is held to be damaged */
  TSC_BITS = 56
};

int oct_pt_decoder_init(oct_pt_decoder *d, const uint32_t *params, oct_decoder_start start) {
  memset(d, 0, sizeof *d);
  memcpy(&d->p, params, sizeof d->p);
  d->is_searching = d->is_lost = start == OCT_START_SEARCH;
  d->id = OCT_WALK_NONE;
  return oct_map_walk_init(&d->walk);
}

void oct_pt_decoder_free(oct_pt_decoder *d) {
  oct_map_walk_free(&d->walk);
  oct_buffer_free(&d->in);
  oct_buffer_free(&d->out);
}

int oct_pt_decoder_push(oct_pt_decoder *d, const uint8_t *bytes, size_t n) {
  if (d->at) {
    memmove(d->in.bytes, d->in.bytes + d->at, d->in.n_bytes - d->at);
    d->in.n_bytes -= d->at;
    d->base_bytes += d->at;
    d->at = 0;
  }
  return oct_buffer_put(&d->in, bytes, n);
}

static int fail(oct_pt_decoder *d, int error, const char *what) {
  return oct_fail(&d->diag, error, "bit %llu: %s", (unsigned long long)d->bit, what);
}

/* ---- Instructions ---- */

/* The instruction at d->ip retires. *e gets its entry. */
static int retire(oct_pt_decoder *d, const oct_map_entry **e) {
  if (oct_map_walk_to(&d->walk, d->insn)) return fail(d, OCT_ERR_NOMEM, "out of memory");
  uint32_t id = d->id == OCT_WALK_NONE ? oct_map_find(d->walk.map, d->ip)
                                       : oct_map_follow(d->walk.map, d->id, d->ip);
  if (id == OCT_WALK_NONE)
    return oct_fail(&d->diag, OCT_ERR_MAP, "bit %llu: no instruction is known at 0x%llx",
                    (unsigned long long)d->bit, (unsigned long long)d->ip);
  *e = oct_map_at(d->walk.map, id);
  oct_insn *insn = (oct_insn *)(void *)oct_buffer_room(&d->out, sizeof *insn);
  if (!insn) return fail(d, OCT_ERR_NOMEM, "out of memory");
  *insn = (oct_insn){.addr = d->ip, .task = d->task, .size_bytes = (*e)->size_bytes};
  insn->flags = (uint8_t)((*e)->cls << OCT_INSN_CLASS_SHIFT);
  d->out.n_bytes += sizeof *insn;
  d->id = id;
  d->insn++;
  return 0;
}

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
    d->ip = d->to;
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
  int rc = retire(d, &e), bit;
  if (rc) return rc;
  uint64_t behind = e->addr + e->size_bytes;
  if (d->p.mode_bits == 32) behind &= UINT32_MAX;
  switch (e->cls) {
    case OCT_CLASS_COND_BRANCH:
      if ((bit = take_bit(d)) < 0) return fail(d, OCT_ERR_PACKET, "a branch without an outcome");
      d->ip = bit ? e->target : behind;
      return 0;
    case OCT_CLASS_DIRECT_CALL:
    case OCT_CLASS_DIRECT_JUMP:
      if (e->cls == OCT_CLASS_DIRECT_CALL && e->target != behind) oct_pt_push(&d->stack, behind);
      d->ip = e->target;
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
      d->ip = oct_pt_pop(&d->stack);
      return 0;
    default:
      d->ip = behind;
      if (!oct_pt_is_far(e)) return 0;
      if (d->goal != OCT_PT_GO_END) return fail(d, OCT_ERR_PACKET, "a system call without its end");
      return take_address(d);
  }
}

/* ---- Packets ---- */

/* The next packet: 1, 0 when more bytes are needed, or an error. */
static int next_packet(oct_pt_decoder *d, oct_pt_packet *p) {
  size_t n = d->in.n_bytes - d->at;
  d->bit = 8 * (d->base_bytes + d->at);
  if (!n) return 0;
  int length = oct_pt_read(d->in.bytes + d->at, n, &d->last_ip, p);
  if (length < 0) return fail(d, OCT_ERR_PACKET, "not an Intel PT packet");
  if (!length)
    return d->is_finished ? fail(d, OCT_ERR_TRUNCATED, "the stream ends within a packet") : 0;
  d->at += (size_t)length;
  return 1;
}

/* Find a PSB. */
static bool search(oct_pt_decoder *d) {
  for (; d->in.n_bytes - d->at >= OCT_PT_PSB_BYTES; d->at++) {
    oct_pt_packet p;
    if (d->in.bytes[d->at] != 0x02) continue;
    if (oct_pt_read(d->in.bytes + d->at, OCT_PT_PSB_BYTES, &d->last_ip, &p) == OCT_PT_PSB_BYTES &&
        p.type == OCT_PT_PSB)
      return true;
  }
  return false;
}

/* PSBEND: what stood before it holds. */
static int end_sync(oct_pt_decoder *d) {
  oct_pt_sync *s = &d->sync;
  s->is_under_way = false;
  d->counts.syncs++;
  if (d->is_synced && !d->is_lost) {
    if (s->has_number) d->goal = OCT_PT_GO_PSB;
    if (!d->is_enabled) d->task = s->task;
    return 0;
  }
  uint64_t lost = s->has_number ? (s->number - d->out_insn) & ((UINT64_C(1) << TSC_BITS) - 1) : 0;
  if (d->is_synced) {
    d->has_gap = true;
    d->gap_insns = lost;
    d->counts.gaps++;
    d->counts.lost_insns += lost;
  } else {
    d->counts.first_sync_bits = s->bit;
  }
  d->insn = d->out_insn += lost;
  d->is_synced = true;
  d->is_lost = false;
  d->is_enabled = s->has_ip;
  d->ip = s->ip;
  d->task = s->task;
  d->stack.n = 0;
  return 0;
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

/* The packet that goes with a FUP that was reached. */
static int take_event(oct_pt_decoder *d, const oct_pt_packet *p) {
  d->is_event = false;
  if (p->type == OCT_PT_TIP)
    d->ip = p->value;
  else if (p->type == OCT_PT_TIP_PGD)
    d->is_enabled = false;
  else
    return fail(d, OCT_ERR_PACKET, "a FUP without its TIP");
  return 0;
}

static int take_packet(oct_pt_decoder *d, const oct_pt_packet *p) {
  d->jumps = 0;
  if (p->type == OCT_PT_PSB) {
    d->sync = (oct_pt_sync){.is_under_way = true, .bit = d->bit, .task = d->task};
    return 0;
  }
  if (d->sync.is_under_way) return take_sync_packet(d, p);
  if (!d->is_synced) return fail(d, OCT_ERR_PACKET, "a packet before the first PSB");
  if (p->type == OCT_PT_OVF) {
    d->is_lost = d->is_searching = true;
    return 0;
  }
  if (p->type == OCT_PT_PIP) d->task = (uint32_t)(p->value >> OCT_PT_CR3_SHIFT);
  if (p->type < OCT_PT_TNT || p->type > OCT_PT_FUP) return 0;
  if (d->is_event) return take_event(d, p);
  if (p->type == OCT_PT_TIP_PGE) {
    d->is_enabled = true;
    d->ip = p->value;
    return 0;
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
static int run(oct_pt_decoder *d) {
  oct_pt_packet p;
  int rc;
  while (d->out.n_bytes < CHUNK_INSNS * sizeof(oct_insn)) {
    if (d->goal == OCT_PT_GO_FUP && !d->n_tnt && d->ip == d->to) {
      d->goal = OCT_PT_GO_NOWHERE;
      d->is_event = true;
    } else if (d->goal == OCT_PT_GO_PSB && !d->n_tnt &&
               !((d->insn ^ d->sync.number) << (64 - TSC_BITS))) {
      d->goal = OCT_PT_GO_NOWHERE;
      if (d->sync.has_ip != d->is_enabled || (d->is_enabled && d->sync.ip != d->ip))
        return fail(d, OCT_ERR_PACKET, "a PSB is somewhere else than the decoder");
    } else if (d->n_tnt || d->goal != OCT_PT_GO_NOWHERE) {
      if (!d->is_enabled || (d->goal == OCT_PT_GO_PSB && d->insn > d->sync.number))
        return fail(d, OCT_ERR_PACKET, "a PSB counts other instructions than were decoded");
      if ((rc = step(d))) return rc;
    } else {
      if (d->is_searching) {
        if (d->is_lost && d->out.n_bytes) return 1; /* what came before the gap */
        if (!search(d)) return 0;
        d->is_searching = false;
      }
      if ((rc = next_packet(d, &p)) != 1) return rc;
      if ((rc = take_packet(d, &p))) return rc;
      if (d->has_gap) return 1;
    }
  }
  return 1;
}

int oct_pt_decoder_next(oct_pt_decoder *d, oct_decoded *out, oct_diag *diag) {
  memset(out, 0, sizeof *out);
  out->confirmed_insns = UINT64_MAX;
  d->out.n_bytes = 0;
  if (d->error) {
    if (diag) *diag = d->diag;
    return d->error;
  }
  int rc = d->has_gap ? 0 : run(d);
  if (rc < 0) d->error = rc;
  size_t n = d->out.n_bytes / sizeof(oct_insn);
  if (n) {
    out->batch.insns = (const oct_insn *)(const void *)d->out.bytes;
    out->batch.n_insns = n;
    out->first_insn = d->out_insn;
    d->out_insn += n;
    d->counts.insns += n;
    return 1;
  }
  if (d->has_gap) {
    out->first_insn = d->out_insn - d->gap_insns;
    out->is_gap = 1;
    out->lost_insns = d->gap_insns;
    d->has_gap = false;
    return 1;
  }
  if (!d->error && d->is_finished && (d->is_enabled || d->sync.is_under_way))
    d->error = fail(d, OCT_ERR_TRUNCATED, "the stream ends where tracing goes on");
  if (d->error && diag) *diag = d->diag;
  return d->error;
}

int oct_pt_decoder_resync(oct_pt_decoder *d) {
  d->error = 0;
  d->goal = OCT_PT_GO_NOWHERE;
  d->n_tnt = 0;
  d->is_event = d->sync.is_under_way = false;
  d->is_lost = true;
  d->is_enabled = false;
  d->insn = d->out_insn;
  d->is_searching = !search(d);
  return !d->is_searching;
}
