/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_encode.c - the Intel PT encoder: retired instructions to packets.
 *
 * Conditional branches are bits, gathered into TNT packets; direct jumps and calls are nothing;
 * indirect jumps send their target as a TIP. A return whose target is what the stack of the last 64
 * calls says is a bit too. A transfer to the kernel ends and begins tracing (TIP.PGD, TIP.PGE), as
 * in a trace of user code alone. A trap is an event: FUP says which instruction did not come any
 * more, TIP where the program went on. A jump that no instruction explains is FUP, TIP.PGD and
 * TIP.PGE; the same with PIP is a change of task.
 *
 * With a buffer of limited size, packets for which there is no room are lost, up to when half of it
 * has left. Then OVF says so, TSC how many instructions have retired, and FUP, or in another task
 * PIP and TIP.PGE, where the program is; both sides begin anew there.
 *
 * A decoder takes the first place with the address of a FUP, once all bits are used up. Where the
 * path behind the last bit comes through one address twice, events that lead nowhere are sent
 * before it as waypoints (oct_path_tail.h). */
#include "oct_pt_encode.h"

#include <string.h>

enum {
  OCT_PT_CODE_TIP = 0x0d,
  OCT_PT_CODE_PGE = 0x11,
  OCT_PT_CODE_PGD = 0x01,
  OCT_PT_CODE_FUP = 0x1d
};

/* All return 0 or OCT_ERR_NOMEM; bits is the counter that pays. */

/* ---- Intel PT packets as bytes, and the time between them.
 *
 * Outcomes of branches are gathered, and sent before any other packet. Addresses leave out what
 * they share with the last one. Before what tells of instructions stands the time: MTC where a
 * period of the crystal's clock began, here the cycles of the trace, and CYC, the cycles since the
 * last CYC.
 * ---- */

static int put_bytes(oct_pt_encoder *e, const uint8_t *bytes, size_t n, uint64_t *bits) {
  *bits += 8 * n;
  e->counters.packets++;
  return oct_buffer_put(&e->base.out, bytes, n);
}

/* A packet of a code and a payload. */
static int put(oct_pt_encoder *e, uint32_t code, unsigned code_bytes, uint64_t payload,
               unsigned n_bytes, uint64_t *bits) {
  uint8_t out[OCT_PT_PACKET_BYTES_MAX];
  for (unsigned i = 0; i < code_bytes; i++) out[i] = (uint8_t)(code >> 8 * i);
  for (unsigned i = 0; i < n_bytes; i++) out[code_bytes + i] = (uint8_t)(payload >> 8 * i);
  return put_bytes(e, out, code_bytes + n_bytes, bits);
}

/* Cycles from the last CYC packet up to `cycle`. */
static int put_cyc(oct_pt_encoder *e, uint64_t cycle) {
  uint8_t out[OCT_PT_PACKET_BYTES_MAX];
  uint64_t delta = cycle - e->sent_cycle;
  unsigned n = 1;
  if (!e->p.cyc || cycle <= e->sent_cycle) return 0;
  e->sent_cycle = cycle;
  out[0] = (uint8_t)((delta & 31) << 3 | (delta >> 5 ? 4 : 0) | 3);
  for (delta >>= 5; delta; delta >>= 7)
    out[n++] = (uint8_t)((delta & 127) << 1 | (delta >> 7 ? 1 : 0));
  return put_bytes(e, out, n, &e->counters.cyc_bits);
}

/* The time since the last packet: MTC for the last period of it that began, and in a pause for so
 * many before that a reader can count them; each with its CYC; then CYC. */
static int put_time(oct_pt_encoder *e) {
  enum { FAR = 128, CODE_MTC = 0x59 };
  uint64_t now = e->cycle >> e->p.mtc_freq;
  int rc = 0;
  while (e->p.mtc && e->mtc < now && !rc) {
    e->mtc += now - e->mtc < FAR ? now - e->mtc : FAR;
    rc = put_cyc(e, e->mtc << e->p.mtc_freq);
    if (!rc) rc = put(e, CODE_MTC, 1, e->mtc & 0xff, 1, &e->counters.cyc_bits);
  }
  return rc ? rc : put_cyc(e, e->cycle);
}

/* TSC counts retired instructions; TMA, where there are cycles, says what MTC continues. */
static int put_tsc(oct_pt_encoder *e, uint64_t number, uint64_t *bits) {
  int rc = put(e, 0x19, 1, number, 7, bits);
  if (rc || !e->p.mtc || !e->cycle) return rc;
  e->mtc = e->cycle >> e->p.mtc_freq;
  return put(e, 0x7302, 2, e->cycle & 0xffff, 5, bits);
}

static int flush_tnt(oct_pt_encoder *e) {
  int rc;
  if (!e->n_tnt) return 0;
  if ((rc = put_time(e))) return rc;
  uint64_t bits = e->tnt | UINT64_C(1) << e->n_tnt;
  bool is_long = e->n_tnt > 6;
  e->counters.tnt_packets++;
  e->tnt = e->n_tnt = 0;
  if (is_long) return put(e, 0xa302, 2, bits, 6, &e->counters.tnt_bits);
  return put(e, (uint32_t)bits << 1, 1, 0, 0, &e->counters.tnt_bits);
}

/* The outcome of a branch. */
static int put_bit(oct_pt_encoder *e, bool bit) {
  e->tnt = e->tnt << 1 | bit;
  e->has_waypoint = false;
  if (++e->n_tnt < (e->p.tnt_long ? 47u : 6u)) return 0;
  return flush_tnt(e);
}

/* A packet with an address, as few bytes of it as differ from the last. */
static int put_ip(oct_pt_encoder *e, uint8_t code, uint64_t ip) {
  uint64_t differ = ip ^ e->last_ip;
  unsigned compression, n_bytes;
  int rc = flush_tnt(e);
  if (rc || (rc = put_time(e))) return rc;
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
  return put(e, code | compression << 5, 1, ip, n_bytes, &e->counters.ip_bits);
}

/* The end of tracing at an instruction that says so itself. */
static int put_pgd(oct_pt_encoder *e) {
  int rc = flush_tnt(e);
  if (rc || (rc = put_time(e))) return rc;
  return put(e, OCT_PT_CODE_PGD, 1, 0, 0, &e->counters.ip_bits);
}

static int put_pip(oct_pt_encoder *e, uint32_t task) {
  uint64_t cr3 = (uint64_t)task << OCT_PT_CR3_SHIFT;
  return put(e, 0x4302, 2, cr3 >> 5 << 1, 6, &e->counters.sync_bits);
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
  if (!rc && e->p.tsc) rc = put_tsc(e, number, bits);
  if (!rc) rc = put_pip(e, insn->task);
  /* MODE.Exec: code of 64 bits, or of 32. */
  if (!rc) rc = put(e, 0x99, 1, e->p.mode_bits == 64 ? 1 : 2, 1, bits);
  if (!rc && e->base.is_enabled) {
    uint64_t before = e->counters.ip_bits;
    rc = put_ip(e, OCT_PT_CODE_FUP, insn->addr);
    *bits += e->counters.ip_bits - before;
    e->counters.ip_bits = before;
  }
  if (!rc) rc = put(e, 0x2302, 2, 0, 0, bits);
  e->counters.syncs++;
  e->stack.n = 0;
  e->base.sync_at = e->p.sync_period_insns ? number + e->p.sync_period_insns : UINT64_MAX;
  return rc;
}

/* ---- Events of the Intel PT encoder: waypoints, traps, repetitions, and where tracing
 * pauses.
 *
 * An event is FUP, where the instruction stands that does not come, and TIP, where the program goes
 * on. One that leads nowhere is a waypoint; any other is a trap.
 * ---- */

/* The decoder comes to addr, before its instruction, and goes on there. */
static int waypoint(oct_pt_encoder *e, uint64_t addr) {
  int rc = put_ip(e, OCT_PT_CODE_FUP, addr);
  e->waypoint = addr;
  e->has_waypoint = true;
  e->counters.waypoints++;
  return rc ? rc : put_ip(e, OCT_PT_CODE_TIP, addr);
}

/* Lead the decoder over the first n runs of the tail. */
static int oct_pt_waypoints(oct_pt_encoder *e, uint32_t n) {
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
  int rc = oct_pt_waypoints(e, n);
  if (!rc && e->has_waypoint && e->waypoint == addr)
    rc = waypoint(e, n < e->tail.n ? e->tail.run[n].start : e->tail.start);
  return rc ? rc : put_ip(e, OCT_PT_CODE_FUP, addr);
}

/* The instruction at addr does not come: the program goes on at next. */
static int put_event(oct_pt_encoder *e, uint64_t addr, uint64_t next) {
  int rc = put_fup(e, addr);
  if (!rc) rc = put_ip(e, OCT_PT_CODE_TIP, next);
  e->waypoint = next;
  e->has_waypoint = true;
  oct_tail_restart(&e->tail, next, false);
  return rc;
}

/* The instruction at addr comes n times, and then that behind it at next. Every decoder is led to
 * either, since others know of one time only. */
static int put_rep(oct_pt_encoder *e, uint64_t addr, uint64_t n, uint64_t next) {
  enum { CODE_MNT = 0x88c302 };
  const uint64_t mask = (UINT64_C(1) << OCT_PT_MNT_ADDR_BITS) - 1;
  int rc = put_event(e, addr, addr);
  if (!rc)
    rc = put(e, CODE_MNT, 3, n << OCT_PT_MNT_ADDR_BITS | (addr & mask), 8, &e->counters.mnt_bits);
  e->counters.repeated++;
  if (!rc) rc = put_ip(e, OCT_PT_CODE_FUP, next);
  if (!rc) rc = put_ip(e, OCT_PT_CODE_TIP, next);
  e->waypoint = next;
  oct_tail_restart(&e->tail, next, false);
  return rc;
}

/* Where the path goes on at addr for a reason of its own. */
static void arrive(oct_pt_encoder *e, uint64_t addr) {
  e->has_waypoint = false;
  oct_tail_restart(&e->tail, addr, false);
}

/* The program stands at `from`, where a packet or, if is_path, the path led it, and goes on at `to`
 * without a trap. */
static int put_jump(oct_pt_encoder *e, uint64_t from, bool is_path, uint64_t to) {
  int rc = is_path ? put_fup(e, from) : put_ip(e, OCT_PT_CODE_FUP, from);
  if (!rc) rc = put_pgd(e);
  return rc ? rc : put_ip(e, OCT_PT_CODE_PGE, to);
}

/* Traps, the first where the program stands, at *at, each of the others where the handler of the
 * one before it is. The last leads to next, or where it came from at the end (NULL); *at is there
 * then. One that leads to where it came from is a jump, since with TIP it would be a waypoint. */
static int put_traps(oct_pt_encoder *e, const oct_encoder_trap *t, size_t n, uint64_t *at,
                     bool is_path, const oct_insn *next) {
  int rc = 0;
  for (size_t i = 0; i < n && !rc; i++) {
    uint64_t from = oct_trap_place(&t[i].trap, *at);
    if (t[i].trap.kind == OCT_TRAP_PRIVILEGE) continue;
    const oct_trap *behind = oct_first_trap(t + i + 1, n - i - 1);
    *at = behind ? oct_trap_place(behind, from) : next ? next->addr : from;
    if (*at == from) {
      rc = put_jump(e, from, is_path, from);
    } else {
      rc = is_path ? put_fup(e, from) : put_ip(e, OCT_PT_CODE_FUP, from);
      if (!rc) rc = put_ip(e, OCT_PT_CODE_TIP, *at);
    }
    is_path = false;
  }
  return rc;
}

/* The program, where the last packet left it, does not go on to next in the same task: NULL is the
 * end. */
static int put_end(oct_pt_encoder *e, const oct_insn *next) {
  int rc = put_pgd(e);
  if (!next) e->base.is_enabled = false;
  if (rc || !next) return rc;
  rc = put_pip(e, next->task);
  return rc ? rc : put_ip(e, OCT_PT_CODE_PGE, next->addr);
}

int oct_pt_encoder_init(void *encoder, const uint32_t *params, oct_diag *diag) {
  oct_pt_encoder *e = encoder;
  (void)diag;
  e->p = oct_pt_params_of(params);
  e->addr_mask = e->p.mode_bits == 64 ? UINT64_MAX : UINT32_MAX;
  return 0;
}

/* Note where system calls and repeated instructions are. */
static void note_far(oct_pt_encoder *e, const oct_map_update *updates, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t bit = (uint32_t)updates[i].entry.addr % OCT_PT_FAR_BITS;
    if (oct_pt_is_far(&updates[i].entry) || oct_pt_is_rep(&updates[i].entry))
      e->far[bit / 8] |= (uint8_t)(1u << bit % 8);
  }
}

/* ---- One instruction ---- */

static bool may_be_far(const oct_pt_encoder *e, uint64_t addr) {
  uint32_t bit = (uint32_t)addr % OCT_PT_FAR_BITS;
  return e->far[bit / 8] >> bit % 8 & 1;
}

/* The entry at addr, if it may be a system call or a repeated instruction, else NULL. */
static const oct_map_entry *far_entry(const oct_pt_encoder *e, uint64_t addr) {
  uint32_t id = may_be_far(e, addr) ? oct_map_find(e->base.walk.map, addr) : OCT_WALK_NONE;
  return id == OCT_WALK_NONE ? NULL : oct_map_entry_at(e->base.walk.map, id);
}

/* The path goes from a run to next. */
static int follow_jump(oct_pt_encoder *e, const oct_insn *insn, uint64_t next) {
  oct_tail *t = &e->tail;
  if (oct_tail_jump(t, insn->addr, next, 0)) return 0;
  int rc = oct_pt_waypoints(e, t->n);
  oct_tail_restart(t, t->start, false);
  oct_tail_jump(t, insn->addr, next, 0);
  /* So that it is known how far packets lead. */
  if (!rc && e->p.buffer_bytes) rc = put_event(e, next, next);
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
    return oct_fail_insn(diag, OCT_ERR_LIMIT, e->base.insn, insn->addr, "wider than mode_bits=%u",
                         e->p.mode_bits);
  if (next && next->addr == insn->addr && oct_insn_class(insn) >= OCT_CLASS_DIRECT_JUMP &&
      oct_encoder_base_target(&e->base, insn->addr, ~insn->addr) == insn->addr)
    return oct_fail_insn(diag, OCT_ERR_UNSUPPORTED, e->base.insn, insn->addr,
                         "a jump to itself: Intel PT has no count of it");
  return 0;
}

/* A PSB before the next instruction. An event brings every decoder there first, so that what was
 * before it need not be told apart from what comes behind. */
static int put_inline_psb(oct_pt_encoder *e, const oct_insn *next) {
  int rc = 0;
  if (e->tail.n || e->tail.start != next->addr) rc = put_event(e, next->addr, next->addr);
  return rc ? rc : put_psb(e, e->base.insn + 1, next);
}

/* Tracing begins: at the instruction, or at a trap before it. */
static int begin(oct_pt_encoder *e, const oct_insn *insn) {
  size_t n;
  const oct_encoder_trap *t = oct_encoder_base_traps(e, e->base.insn, true, &n);
  const oct_trap *trap = oct_first_trap(t, n);
  uint64_t addr = trap ? oct_trap_place(trap, insn->addr) : insn->addr;
  int rc = put_psb(e, e->base.insn, insn);
  if (!rc) rc = put_ip(e, OCT_PT_CODE_PGE, addr);
  if (!rc) rc = put_traps(e, t, n, &addr, false, insn);
  e->base.is_enabled = true;
  e->told_insns = e->base.insn;
  e->begun_bytes = e->base.out.n_bytes;
  arrive(e, insn->addr);
  return rc;
}

/* Behind the instruction the n traps t come, and then what follows. It leads to `after`, unless
 * is_open, which is for packets to say; is_kernel: it is a system call. */
static int put_trapped(oct_pt_encoder *e, const oct_insn *insn, const oct_insn *next,
                       uint64_t after, bool is_open, bool is_kernel, const oct_encoder_trap *t,
                       size_t n) {
  uint64_t at = oct_trap_place(oct_first_trap(t, n), is_open && next ? next->addr : after);
  bool is_path = !is_kernel && !is_open && at == after;
  int rc = 0;
  e->counters.traps++;
  if (is_kernel) {
    e->counters.far++;
    rc = put_pgd(e);
    if (!rc) rc = put_ip(e, OCT_PT_CODE_PGE, at);
  } else if (is_open) {
    e->counters.jumps++;
    rc = put_ip(e, OCT_PT_CODE_TIP, at);
  } else if (!is_path) {
    rc = put_jump(e, after, true, at);
  }
  if (!rc) rc = put_traps(e, t, n, &at, is_path, next);
  if (!rc && !(next && next->task == insn->task)) {
    rc = put_ip(e, OCT_PT_CODE_FUP, at);
    if (!rc) rc = put_end(e, next);
  }
  if (next) arrive(e, next->addr);
  return rc;
}

/* An instruction and the one after it, NULL at the end. */
static int put_step(oct_pt_encoder *e, const oct_insn *insn, const oct_insn *next, oct_diag *diag) {
  bool goes_on = next && next->task == insn->task, is_open = false;
  uint64_t after = 0;
  size_t n_traps;
  int rc = 0;
  if (!e->base.is_enabled) rc = begin(e, insn);
  const oct_encoder_trap *traps = oct_encoder_base_traps(e, e->base.insn + 1, true, &n_traps);
  const oct_trap *trap = oct_first_trap(traps, n_traps);
  uint64_t to = goes_on ? next->addr : UINT64_MAX;
  if (trap) to = oct_trap_place(trap, UINT64_MAX);
  if (oct_insn_class(insn) > OCT_CLASS_OTHER) e->base.seen_class = true;
  if (!rc) rc = put_insn(e, insn, to, &after, &is_open);
  const oct_map_entry *far = far_entry(e, insn->addr);
  bool is_kernel = far && oct_pt_is_far(far);
  if (goes_on && !trap && next->addr == insn->addr && e->n_rep + 1 < OCT_PT_MNT_MOST && far &&
      oct_pt_is_rep(far)) {
    e->n_rep++;
    return rc ? oct_fail(diag, rc, "out of memory") : 0;
  }
  if (!rc && e->n_rep) rc = put_rep(e, insn->addr, e->n_rep + UINT64_C(1), after);
  e->n_rep = 0;
  if (rc) return oct_fail(diag, rc, "out of memory");
  if (trap) {
    rc = put_trapped(e, insn, next, after, is_open, is_kernel, traps, n_traps);
    return rc ? oct_fail(diag, rc, "out of memory") : 0;
  }
  if (is_kernel) {
    e->counters.far++;
    rc = put_pgd(e);
  } else if (!goes_on) {
    if (!is_open) rc = put_fup(e, after);
    if (!rc) rc = put_end(e, next);
  } else if (is_open) {
    e->counters.jumps++;
    rc = put_ip(e, OCT_PT_CODE_TIP, next->addr);
  } else if (next->addr != after) {
    if ((rc = oct_encoder_base_check_class(&e->base, insn, diag))) return rc;
    e->counters.traps++;
    rc = put_jump(e, after, true, next->addr);
  } else if (!rc && e->base.insn + 1 >= e->base.sync_at) {
    rc = put_inline_psb(e, next);
    return rc ? oct_fail(diag, rc, "out of memory") : 0;
  } else {
    return 0;
  }
  if (next) arrive(e, next->addr);
  if (!rc && is_kernel && next && !goes_on) rc = put_pip(e, next->task);
  if (!rc && is_kernel && next) rc = put_ip(e, OCT_PT_CODE_PGE, next->addr);
  if (!next) e->base.is_enabled = false;
  return rc ? oct_fail(diag, rc, "out of memory") : 0;
}

/* ---- The buffer ---- */

/* Tracing goes on before insn, which is number `number`; NULL: it ends there. */
static int end_overflow(oct_pt_encoder *e, uint64_t number, const oct_insn *insn) {
  enum { CODE_OVF = 0xf302 };
  uint64_t *bits = &e->counters.sync_bits;
  e->is_overflow = false;
  e->counters.overflows++;
  e->counters.lost_insns += number - e->told_insns;
  e->told_insns = number;
  e->tnt = e->n_tnt = 0;
  e->last_ip = 0;
  e->stack.n = 0;
  e->sent_cycle = e->cycle;
  e->n_rep = 0;
  int rc = put(e, CODE_OVF, 2, 0, 0, bits);
  if (!rc && e->p.tsc) rc = put_tsc(e, number, bits);
  if (rc || !insn) return rc;
  arrive(e, insn->addr);
  if (insn->task == e->lost_task && !e->is_task_lost) return put_ip(e, OCT_PT_CODE_FUP, insn->addr);
  rc = put_pip(e, insn->task);
  return rc ? rc : put_ip(e, OCT_PT_CODE_PGE, insn->addr);
}

/* Let the time pass. */
static void drain(oct_pt_encoder *e) {
  uint64_t now = e->cycle ? e->cycle : e->base.insn;
  uint64_t passed = now > e->level_time ? now - e->level_time : 0;
  e->level_time = now;
  e->level_bits -=
      passed > e->level_bits / e->p.drain_bits ? e->level_bits : passed * e->p.drain_bits;
}

/* put_step through the buffer: what does not fit is as if it had not been sent. */
static int put_buffered(oct_pt_encoder *e, const oct_insn *insn, const oct_insn *next,
                        oct_diag *diag) {
  size_t before = e->base.out.n_bytes;
  const uint64_t room_bits = 8 * (uint64_t)e->p.buffer_bytes;
  int rc = 0;
  drain(e);
  if (e->is_overflow && e->level_bits <= room_bits / 2)
    rc = end_overflow(e, e->base.insn, insn) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
  e->level_bits += 8 * (e->base.out.n_bytes - before);
  before = e->base.out.n_bytes;
  const oct_pt_counters counters = e->counters;
  uint64_t told = e->told_insns;
  bool begins = !e->base.is_enabled;
  e->begun_bytes = before;
  if (!rc) rc = put_step(e, insn, next, diag);
  if (rc) return rc;
  uint64_t made = 8 * (e->base.out.n_bytes - before);
  if (!e->is_overflow && e->level_bits + made > room_bits) {
    e->is_overflow = true;
    e->lost_task = insn->task;
    e->is_task_lost = begins;
  }
  if (e->is_overflow) {
    uint64_t insns = e->counters.insns, accesses = e->counters.accesses;
    e->base.out.n_bytes = before;
    e->counters = counters;
    e->counters.insns = insns;
    e->counters.accesses = accesses;
    e->told_insns = told;
  } else {
    e->level_bits += made;
    if (e->base.out.n_bytes > e->begun_bytes) e->told_insns = e->base.insn + 1;
  }
  if (next || !e->is_overflow) return 0;
  before = e->base.out.n_bytes;
  rc = end_overflow(e, e->base.insn + 1, NULL);
  e->level_bits += 8 * (e->base.out.n_bytes - before);
  return rc ? oct_fail(diag, rc, "out of memory") : 0;
}

static int step(oct_pt_encoder *e, const oct_insn *insn, const oct_insn *next, oct_diag *diag) {
  if (oct_map_walk_to(&e->base.walk, e->base.insn))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int rc = check_insn(e, insn, next, diag);
  if (rc) return rc;
  if (insn->flags & OCT_INSN_HAS_CYCLE) e->cycle = insn->cycle;
  return e->p.buffer_bytes ? put_buffered(e, insn, next, diag) : put_step(e, insn, next, diag);
}

/* Take the instructions up to the last, which each of them is followed by. */
static int put_followed(void *encoder, const oct_insn *insns, size_t n, oct_diag *diag) {
  oct_pt_encoder *e = encoder;
  for (size_t i = 0; i + 1 < n; i++, e->base.insn++) {
    const oct_insn *insn = &insns[i], *next = insn + 1;
    if (oct_insn_class(insn) > OCT_CLASS_OTHER || !e->base.is_enabled ||
        e->base.insn + 1 >= e->base.sync_at || e->base.insn + 1 >= e->base.trap_at ||
        next->addr != insn->addr + insn->size_bytes || next->task != insn->task || e->n_rep ||
        may_be_far(e, insn->addr)) {
      int rc = step(e, insn, next, diag);
      if (rc) return rc;
    }
  }
  return 0;
}

int oct_pt_encoder_put(void *encoder, const oct_tracer_input *in, oct_diag *diag) {
  oct_pt_encoder *e = encoder;
  int rc = oct_tracer_check_traps(in, diag);
  if (rc) return rc;
  e->counters.insns += in->n_insns;
  e->counters.accesses += in->n_accesses;
  note_far(e, in->updates, in->n_updates);
  for (size_t i = 0; i < in->n_traps; i++)
    if (in->traps[i].kind != OCT_TRAP_PRIVILEGE && in->traps[i].addr & ~e->addr_mask)
      return oct_fail(diag, OCT_ERR_LIMIT, "a trap at 0x%llx: wider than mode_bits=%u",
                      (unsigned long long)in->traps[i].addr, e->p.mode_bits);
  if (oct_encoder_base_keep_traps(e, in)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return oct_encoder_base_put(e, in, put_followed, diag);
}

static int put_last(void *e, const oct_insn *insn, oct_diag *diag) {
  return step(e, insn, NULL, diag);
}

int oct_pt_encoder_flush(void *e, oct_diag *diag) {
  return oct_encoder_base_flush(e, put_last, diag);
}
