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
#include "oct_pt_event.h"
#include "oct_state_struct.h"

#include <string.h>

int oct_pt_encoder_init(void *encoder, const uint32_t *params, oct_diag *diag) {
  oct_pt_encoder *e = encoder;
  (void)diag;
  e->p = oct_pt_params_of(params);
  e->addr_mask = e->p.mode_bits == 64 ? UINT64_MAX : UINT32_MAX;
  return 0;
}

void oct_pt_encoder_state(void *encoder, oct_state *io) {
  oct_pt_encoder *e = encoder;
  oct_encoder_base_state(e, io);
#define KEPT(X) X(base)
  OCT_STATE_MOVE_BUT(io, oct_pt_encoder, e, KEPT);
#undef KEPT
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
  return id == OCT_WALK_NONE ? NULL : oct_map_at(e->base.walk.map, id);
}

/* The path goes from a run to next. */
static int follow_jump(oct_pt_encoder *e, const oct_insn *insn, uint64_t next) {
  oct_tail *t = &e->tail;
  if (oct_tail_jump(t, insn->addr, next, 0)) return 0;
  int rc = oct_pt_waypoints(e, t->n);
  oct_tail_restart(t, t->start, false);
  oct_tail_jump(t, insn->addr, next, 0);
  /* So that it is known how far packets lead. */
  if (!rc && e->p.buffer_bytes) rc = oct_pt_put_event(e, next, next);
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
      rc = oct_pt_put_bit(e, is_taken);
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
        rc = oct_pt_put_bit(e, true);
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
                    "instruction %llu, 0x%llx: a jump to itself: Intel PT has no count of it",
                    (unsigned long long)e->base.insn, (unsigned long long)insn->addr);
  return 0;
}

/* A PSB before the next instruction. An event brings every decoder there first, so that what was
 * before it need not be told apart from what comes behind. */
static int put_inline_psb(oct_pt_encoder *e, const oct_insn *next) {
  int rc = 0;
  if (e->tail.n || e->tail.start != next->addr) rc = oct_pt_put_event(e, next->addr, next->addr);
  return rc ? rc : oct_pt_put_psb(e, e->base.insn + 1, next);
}

/* Tracing begins: at the instruction, or at a trap before it. */
static int begin(oct_pt_encoder *e, const oct_insn *insn) {
  size_t n;
  const oct_encoder_trap *t = oct_encoder_base_traps(e, e->base.insn, true, &n);
  const oct_trap *trap = oct_first_trap(t, n);
  uint64_t addr = trap ? oct_trap_place(trap, insn->addr) : insn->addr;
  int rc = oct_pt_put_psb(e, e->base.insn, insn);
  if (!rc) rc = oct_pt_put_ip(e, OCT_PT_CODE_PGE, addr);
  if (!rc) rc = oct_pt_put_traps(e, t, n, &addr, false, insn);
  e->base.is_enabled = true;
  e->told_insns = e->base.insn;
  e->begun_bytes = e->base.out.n_bytes;
  oct_pt_arrive(e, insn->addr);
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
    rc = oct_pt_put_pgd(e);
    if (!rc) rc = oct_pt_put_ip(e, OCT_PT_CODE_PGE, at);
  } else if (is_open) {
    e->counters.jumps++;
    rc = oct_pt_put_ip(e, OCT_PT_CODE_TIP, at);
  } else if (!is_path) {
    rc = oct_pt_put_jump(e, after, true, at);
  }
  if (!rc) rc = oct_pt_put_traps(e, t, n, &at, is_path, next);
  if (!rc && !(next && next->task == insn->task)) {
    rc = oct_pt_put_ip(e, OCT_PT_CODE_FUP, at);
    if (!rc) rc = oct_pt_put_end(e, next);
  }
  if (next) oct_pt_arrive(e, next->addr);
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
  if (!rc && e->n_rep) rc = oct_pt_put_rep(e, insn->addr, e->n_rep + UINT64_C(1), after);
  e->n_rep = 0;
  if (rc) return oct_fail(diag, rc, "out of memory");
  if (trap) {
    rc = put_trapped(e, insn, next, after, is_open, is_kernel, traps, n_traps);
    return rc ? oct_fail(diag, rc, "out of memory") : 0;
  }
  if (is_kernel) {
    e->counters.far++;
    rc = oct_pt_put_pgd(e);
  } else if (!goes_on) {
    if (!is_open) rc = oct_pt_put_fup(e, after);
    if (!rc) rc = oct_pt_put_end(e, next);
  } else if (is_open) {
    e->counters.jumps++;
    rc = oct_pt_put_ip(e, OCT_PT_CODE_TIP, next->addr);
  } else if (next->addr != after) {
    if ((rc = oct_encoder_base_check_class(&e->base, insn, diag))) return rc;
    e->counters.traps++;
    rc = oct_pt_put_jump(e, after, true, next->addr);
  } else if (!rc && e->base.insn + 1 >= e->base.sync_at) {
    rc = put_inline_psb(e, next);
    return rc ? oct_fail(diag, rc, "out of memory") : 0;
  } else {
    return 0;
  }
  if (next) oct_pt_arrive(e, next->addr);
  if (!rc && is_kernel && next && !goes_on) rc = oct_pt_put_pip(e, next->task);
  if (!rc && is_kernel && next) rc = oct_pt_put_ip(e, OCT_PT_CODE_PGE, next->addr);
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
  int rc = oct_pt_put(e, CODE_OVF, 2, 0, 0, bits);
  if (!rc && e->p.tsc) rc = oct_pt_put_tsc(e, number, bits);
  if (rc || !insn) return rc;
  oct_pt_arrive(e, insn->addr);
  if (insn->task == e->lost_task && !e->is_task_lost)
    return oct_pt_put_ip(e, OCT_PT_CODE_FUP, insn->addr);
  rc = oct_pt_put_pip(e, insn->task);
  return rc ? rc : oct_pt_put_ip(e, OCT_PT_CODE_PGE, insn->addr);
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
