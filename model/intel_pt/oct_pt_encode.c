/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_encode.c - the Intel PT encoder: retired instructions to packets.
 *
 * Conditional branches are bits, gathered into TNT packets; direct jumps and calls are nothing;
 * indirect jumps send their target as a TIP. A return whose target is what the stack of the last 64
 * calls says is a bit too. A transfer to the kernel ends and begins tracing (TIP.PGD, TIP.PGE), as
 * in a trace of user code alone. What no instruction explains is an event: FUP says which
 * instruction did not come any more, TIP where the program went on. The same with TIP.PGD, PIP and
 * TIP.PGE is a change of task.
 *
 * A decoder takes the first place with the address of a FUP, once all bits are used up. Where the
 * path behind the last bit comes through one address twice, events that lead nowhere are sent
 * before it as waypoints (oct_path_tail.h). */
#include "oct_pt_encode.h"

#include <string.h>

int oct_pt_encoder_init(void *encoder, const uint32_t *params, oct_diag *diag) {
  oct_pt_encoder *e = encoder;
  (void)diag;
  memcpy(&e->p, params, sizeof e->p);
  e->addr_mask = e->p.mode_bits == 64 ? UINT64_MAX : UINT32_MAX;
  return 0;
}

void oct_pt_encoder_state(void *encoder, oct_state *io) {
  oct_pt_encoder *e = encoder;
  oct_encoder_base_state(e, io);
  oct_state_move(io, &e->base + 1, sizeof *e - sizeof e->base);
}

/* Note where system calls are. */
static void note_far(oct_pt_encoder *e, const oct_map_update *updates, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t bit = (uint32_t)updates[i].entry.addr % OCT_PT_FAR_BITS;
    if (oct_pt_is_far(&updates[i].entry)) e->far[bit / 8] |= (uint8_t)(1u << bit % 8);
  }
}

/* ---- Packets ---- */

static int put_bytes(oct_pt_encoder *e, const uint8_t *bytes, size_t n, uint64_t *bits) {
  *bits += 8 * n;
  e->counters.packets++;
  return oct_buffer_put(&e->base.out, bytes, n);
}

/* A packet of a code and a payload. */
static int put_payload(oct_pt_encoder *e, uint32_t code, unsigned code_bytes, uint64_t payload,
                       unsigned n_bytes, uint64_t *bits) {
  uint8_t out[OCT_PT_PACKET_BYTES_MAX];
  for (unsigned i = 0; i < code_bytes; i++) out[i] = (uint8_t)(code >> 8 * i);
  for (unsigned i = 0; i < n_bytes; i++) out[code_bytes + i] = (uint8_t)(payload >> 8 * i);
  return put_bytes(e, out, code_bytes + n_bytes, bits);
}

/* Cycles since the last CYC packet. */
static int put_cyc(oct_pt_encoder *e) {
  uint8_t out[OCT_PT_PACKET_BYTES_MAX];
  uint64_t delta = e->cycle - e->sent_cycle;
  unsigned n = 1;
  if (!e->p.cyc || e->cycle <= e->sent_cycle) return 0;
  e->sent_cycle = e->cycle;
  out[0] = (uint8_t)((delta & 31) << 3 | (delta >> 5 ? 4 : 0) | 3);
  for (delta >>= 5; delta; delta >>= 7)
    out[n++] = (uint8_t)((delta & 127) << 1 | (delta >> 7 ? 1 : 0));
  return put_bytes(e, out, n, &e->counters.cyc_bits);
}

static int flush_tnt(oct_pt_encoder *e) {
  int rc;
  if (!e->n_tnt) return 0;
  if ((rc = put_cyc(e))) return rc;
  uint64_t bits = e->tnt | UINT64_C(1) << e->n_tnt;
  bool is_long = e->n_tnt > 6;
  e->counters.tnt_packets++;
  e->tnt = e->n_tnt = 0;
  if (is_long) return put_payload(e, 0xa302, 2, bits, 6, &e->counters.tnt_bits);
  return put_payload(e, (uint32_t)bits << 1, 1, 0, 0, &e->counters.tnt_bits);
}

static int put_bit(oct_pt_encoder *e, bool bit) {
  e->tnt = e->tnt << 1 | bit;
  e->has_waypoint = false;
  if (++e->n_tnt < (e->p.tnt_long ? 47u : 6u)) return 0;
  return flush_tnt(e);
}

enum { CODE_TIP = 0x0d, CODE_PGE = 0x11, CODE_PGD = 0x01, CODE_FUP = 0x1d };

/* A packet with an address, as few bytes of it as differ from the last. */
static int put_ip(oct_pt_encoder *e, uint8_t code, uint64_t ip) {
  uint64_t differ = ip ^ e->last_ip;
  unsigned compression, n_bytes;
  int rc = flush_tnt(e);
  if (rc || (rc = put_cyc(e))) return rc;
  if (!(differ >> 16)) {
    compression = 1;
    n_bytes = 2;
  } else if (!(differ >> 32)) {
    compression = 2;
    n_bytes = 4;
  } else if ((uint64_t)((int64_t)(ip << 16) >> 16) == ip) {
    compression = 3; /* the upper bits are copies of bit 47 */
    n_bytes = 6;
  } else {
    compression = 6;
    n_bytes = 8;
  }
  e->last_ip = ip;
  return put_payload(e, code | compression << 5, 1, ip, n_bytes, &e->counters.ip_bits);
}

/* The end of tracing at an instruction that says so itself. */
static int put_pgd(oct_pt_encoder *e) {
  int rc = flush_tnt(e);
  if (rc || (rc = put_cyc(e))) return rc;
  return put_payload(e, CODE_PGD, 1, 0, 0, &e->counters.ip_bits);
}

static int put_pip(oct_pt_encoder *e, uint32_t task) {
  uint64_t cr3 = (uint64_t)task << OCT_PT_CR3_SHIFT;
  return put_payload(e, 0x4302, 2, cr3 >> 5 << 1, 6, &e->counters.sync_bits);
}

/* PSB and what follows it up to PSBEND. The next instruction is insn. */
static int put_psb(oct_pt_encoder *e, uint64_t number, const oct_insn *insn) {
  uint64_t *bits = &e->counters.sync_bits;
  uint8_t psb[OCT_PT_PSB_BYTES];
  int rc = flush_tnt(e);
  if (rc) return rc;
  for (unsigned i = 0; i < sizeof psb; i++) psb[i] = i & 1 ? 0x82 : 0x02;
  rc = put_bytes(e, psb, sizeof psb, bits);
  e->last_ip = 0;
  if (!rc && e->p.tsc) rc = put_payload(e, 0x19, 1, number, 7, bits);
  if (!rc) rc = put_pip(e, insn->task);
  /* MODE.Exec: code of 64 bits, or of 32. */
  if (!rc) rc = put_payload(e, 0x99, 1, e->p.mode_bits == 64 ? 1 : 2, 1, bits);
  if (!rc && e->base.is_enabled) {
    uint64_t before = e->counters.ip_bits;
    rc = put_ip(e, CODE_FUP, insn->addr);
    *bits += e->counters.ip_bits - before;
    e->counters.ip_bits = before;
  }
  if (!rc) rc = put_payload(e, 0x2302, 2, 0, 0, bits);
  e->counters.syncs++;
  e->stack.n = 0;
  e->base.sync_at = e->p.sync_period_insns ? number + e->p.sync_period_insns : UINT64_MAX;
  return rc;
}

/* ---- Events ---- */

/* The decoder comes to addr, before its instruction, and goes on there. */
static int waypoint(oct_pt_encoder *e, uint64_t addr) {
  int rc = put_ip(e, CODE_FUP, addr);
  e->waypoint = addr;
  e->has_waypoint = true;
  e->counters.waypoints++;
  return rc ? rc : put_ip(e, CODE_TIP, addr);
}

/* Lead the decoder over the first n runs of the tail. */
static int waypoints(oct_pt_encoder *e, uint32_t n) {
  const oct_tail *t = &e->tail;
  int rc = 0;
  for (uint32_t i = 0; i < n && !rc; i++) {
    /* It stands there already: one step first. */
    if (e->has_waypoint && e->waypoint == t->run[i].end) rc = waypoint(e, t->run[i].start);
    if (!rc) rc = waypoint(e, t->run[i].end);
  }
  return rc;
}

/* FUP: the instruction at addr does not come any more. */
static int put_fup(oct_pt_encoder *e, uint64_t addr) {
  uint32_t n = oct_tail_before(&e->tail, addr);
  int rc = waypoints(e, n);
  if (!rc && e->has_waypoint && e->waypoint == addr)
    rc = waypoint(e, n < e->tail.n ? e->tail.run[n].start : e->tail.start);
  return rc ? rc : put_ip(e, CODE_FUP, addr);
}

/* ---- One instruction ---- */

static bool is_far(const oct_pt_encoder *e, uint64_t addr) {
  uint32_t id = oct_map_find(e->base.walk.map, addr);
  return id != OCT_WALK_NONE && oct_pt_is_far(oct_map_at(e->base.walk.map, id));
}

static bool may_be_far(const oct_pt_encoder *e, uint64_t addr) {
  uint32_t bit = (uint32_t)addr % OCT_PT_FAR_BITS;
  return e->far[bit / 8] >> bit % 8 & 1;
}

/* The path goes from a run to next. */
static int follow_jump(oct_pt_encoder *e, const oct_insn *insn, uint64_t next) {
  oct_tail *t = &e->tail;
  if (oct_tail_jump(t, insn->addr, next, 0)) return 0;
  int rc = waypoints(e, t->n);
  oct_tail_restart(t, t->start, false);
  oct_tail_jump(t, insn->addr, next, 0);
  return rc;
}

/* What the instruction sends of itself; *after gets where it leads before anything else happens,
 * *is_open whether that is for the next packet to say. next: the address that followed, or
 * UINT64_MAX for none. */
static int put_insn(oct_pt_encoder *e, const oct_insn *insn, uint64_t next, uint64_t *after,
                    bool *is_open) {
  uint64_t behind = (insn->addr + insn->size_bytes) & e->addr_mask, target;
  oct_class cls = oct_insn_class(insn);
  int rc;
  *after = behind;
  switch (cls) {
    case OCT_CLASS_COND_BRANCH: {
      bool is_taken =
          next != behind && oct_encoder_base_target(&e->base, insn->addr, ~next) == next;
      e->counters.branches++;
      if (is_taken) *after = next;
      rc = put_bit(e, is_taken);
      oct_tail_restart(&e->tail, *after, false);
      return rc;
    }
    case OCT_CLASS_DIRECT_JUMP:
    case OCT_CLASS_DIRECT_CALL:
      target = oct_encoder_base_target(&e->base, insn->addr, behind);
      if (cls == OCT_CLASS_DIRECT_CALL && target != behind) oct_pt_push(&e->stack, behind);
      *after = target;
      return follow_jump(e, insn, target);
    case OCT_CLASS_INDIRECT_CALL:
      oct_pt_push(&e->stack, behind);
      *is_open = true;
      return 0;
    case OCT_CLASS_RETURN:
      if (e->p.ret_compression && e->stack.n && e->stack.link[e->stack.top] == next) {
        *after = oct_pt_pop(&e->stack);
        e->counters.compressed_returns++;
        rc = put_bit(e, true);
        oct_tail_restart(&e->tail, next, false);
        return rc;
      }
      *is_open = true;
      return 0;
    case OCT_CLASS_INDIRECT_JUMP:
      *is_open = true;
      return 0;
    default:
      return 0;
  }
}

static int check_insn(const oct_pt_encoder *e, const oct_insn *insn, const oct_insn *next,
                      oct_diag *diag) {
  if (insn->addr & ~e->addr_mask)
    return oct_fail(diag, OCT_ERR_LIMIT, "instruction %llu, 0x%llx: wider than mode_bits=%u",
                    (unsigned long long)e->base.insn, (unsigned long long)insn->addr,
                    e->p.mode_bits);
  if (next && next->addr == insn->addr && oct_insn_class(insn) >= OCT_CLASS_DIRECT_JUMP &&
      oct_encoder_base_target(&e->base, insn->addr, ~insn->addr) == insn->addr)
    return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                    "instruction %llu, 0x%llx: a jump to itself: Intel PT cannot say how often",
                    (unsigned long long)e->base.insn, (unsigned long long)insn->addr);
  return 0;
}

/* Where the path goes on at addr for a reason of its own. */
static void arrive(oct_pt_encoder *e, uint64_t addr) {
  e->has_waypoint = false;
  oct_tail_restart(&e->tail, addr, false);
}

/* A PSB before the next instruction. An event brings every decoder there first, so that what was
 * before it need not be told apart from what comes behind. */
static int put_inline_psb(oct_pt_encoder *e, const oct_insn *next) {
  int rc = 0;
  if (e->tail.n || e->tail.start != next->addr) {
    rc = put_fup(e, next->addr);
    if (!rc) rc = put_ip(e, CODE_TIP, next->addr);
    e->waypoint = next->addr;
    e->has_waypoint = true;
    oct_tail_restart(&e->tail, next->addr, false);
  }
  return rc ? rc : put_psb(e, e->base.insn + 1, next);
}

/* An instruction and the one after it, NULL at the end. */
static int step(oct_pt_encoder *e, const oct_insn *insn, const oct_insn *next, oct_diag *diag) {
  bool goes_on = next && next->task == insn->task, is_open = false;
  uint64_t after = 0;
  if (oct_map_walk_to(&e->base.walk, e->base.insn))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int rc = check_insn(e, insn, next, diag);
  if (rc) return rc;
  if (insn->flags & OCT_INSN_HAS_CYCLE) e->cycle = insn->cycle;
  if (!e->base.is_enabled) {
    rc = put_psb(e, e->base.insn, insn);
    if (!rc) rc = put_ip(e, CODE_PGE, insn->addr);
    e->base.is_enabled = true;
    arrive(e, insn->addr);
  }
  if (oct_insn_class(insn) > OCT_CLASS_OTHER) e->base.seen_class = true;
  if (!rc) rc = put_insn(e, insn, goes_on ? next->addr : UINT64_MAX, &after, &is_open);
  bool is_kernel = may_be_far(e, insn->addr) && is_far(e, insn->addr);
  if (rc) return oct_fail(diag, rc, "out of memory");
  if (is_kernel) {
    e->counters.far++;
    rc = put_pgd(e);
  } else if (!goes_on) {
    rc = is_open ? put_pgd(e) : put_fup(e, after);
    if (!rc && !is_open) rc = put_pgd(e);
  } else if (is_open) {
    e->counters.jumps++;
    rc = put_ip(e, CODE_TIP, next->addr);
  } else if (next->addr != after) {
    if ((rc = oct_encoder_base_check_class(&e->base, insn, diag))) return rc;
    e->counters.traps++;
    rc = put_fup(e, after);
    if (!rc) rc = put_ip(e, CODE_TIP, next->addr);
  } else if (!rc && e->base.insn + 1 >= e->base.sync_at) {
    rc = put_inline_psb(e, next);
    return rc ? oct_fail(diag, rc, "out of memory") : 0;
  } else {
    return 0;
  }
  if (next) arrive(e, next->addr);
  if (!rc && next && !goes_on) rc = put_pip(e, next->task);
  if (!rc && next && (is_kernel || !goes_on)) rc = put_ip(e, CODE_PGE, next->addr);
  if (!next) e->base.is_enabled = false;
  return rc ? oct_fail(diag, rc, "out of memory") : 0;
}

/* Take the instructions up to the last, which each of them is followed by. */
static int put_followed(void *encoder, const oct_insn *insns, size_t n, oct_diag *diag) {
  oct_pt_encoder *e = encoder;
  for (size_t i = 0; i + 1 < n; i++, e->base.insn++) {
    const oct_insn *insn = &insns[i], *next = insn + 1;
    if (oct_insn_class(insn) > OCT_CLASS_OTHER || !e->base.is_enabled ||
        e->base.insn + 1 >= e->base.sync_at || next->addr != insn->addr + insn->size_bytes ||
        next->task != insn->task || may_be_far(e, insn->addr)) {
      int rc = step(e, insn, next, diag);
      if (rc) return rc;
    }
  }
  return 0;
}

int oct_pt_encoder_put(void *encoder, const oct_tracer_input *in, oct_diag *diag) {
  oct_pt_encoder *e = encoder;
  e->counters.insns += in->n_insns;
  e->counters.accesses += in->n_accesses;
  note_far(e, in->updates, in->n_updates);
  return oct_encoder_base_put(e, in, put_followed, diag);
}

static int put_last(void *e, const oct_insn *insn, oct_diag *diag) {
  return step(e, insn, NULL, diag);
}

int oct_pt_encoder_flush(void *e, oct_diag *diag) {
  return oct_encoder_base_flush(e, put_last, diag);
}
