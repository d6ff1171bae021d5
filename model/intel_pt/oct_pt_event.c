/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_event.c - events of the Intel PT encoder: waypoints, traps, repetitions, and where tracing
 * pauses.
 *
 * An event is FUP, where the instruction stands that does not come, and TIP, where the program goes
 * on. One that leads nowhere is a waypoint; any other is a trap. */
#include "oct_pt_event.h"

/* The decoder comes to addr, before its instruction, and goes on there. */
static int waypoint(oct_pt_encoder *e, uint64_t addr) {
  int rc = oct_pt_put_ip(e, OCT_PT_CODE_FUP, addr);
  e->waypoint = addr;
  e->has_waypoint = true;
  e->counters.waypoints++;
  return rc ? rc : oct_pt_put_ip(e, OCT_PT_CODE_TIP, addr);
}

int oct_pt_waypoints(oct_pt_encoder *e, uint32_t n) {
  const oct_tail *t = &e->tail;
  int rc = 0;
  for (uint32_t i = 0; i < n && !rc; i++) {
    /* It stands there already: one step first. */
    if (e->has_waypoint && e->waypoint == t->run[i].end) rc = waypoint(e, t->run[i].start);
    if (!rc) rc = waypoint(e, t->run[i].end);
  }
  return rc;
}

int oct_pt_put_fup(oct_pt_encoder *e, uint64_t addr) {
  uint32_t n = oct_tail_before(&e->tail, addr);
  int rc = oct_pt_waypoints(e, n);
  if (!rc && e->has_waypoint && e->waypoint == addr)
    rc = waypoint(e, n < e->tail.n ? e->tail.run[n].start : e->tail.start);
  return rc ? rc : oct_pt_put_ip(e, OCT_PT_CODE_FUP, addr);
}

int oct_pt_put_event(oct_pt_encoder *e, uint64_t addr, uint64_t next) {
  int rc = oct_pt_put_fup(e, addr);
  if (!rc) rc = oct_pt_put_ip(e, OCT_PT_CODE_TIP, next);
  e->waypoint = next;
  e->has_waypoint = true;
  oct_tail_restart(&e->tail, next, false);
  return rc;
}

int oct_pt_put_rep(oct_pt_encoder *e, uint64_t addr, uint64_t n, uint64_t next) {
  enum { CODE_MNT = 0x88c302 };
  const uint64_t mask = (UINT64_C(1) << OCT_PT_MNT_ADDR_BITS) - 1;
  int rc = oct_pt_put_event(e, addr, addr);
  if (!rc)
    rc = oct_pt_put(e, CODE_MNT, 3, n << OCT_PT_MNT_ADDR_BITS | (addr & mask), 8,
                    &e->counters.mnt_bits);
  e->counters.repeated++;
  if (!rc) rc = oct_pt_put_ip(e, OCT_PT_CODE_FUP, next);
  if (!rc) rc = oct_pt_put_ip(e, OCT_PT_CODE_TIP, next);
  e->waypoint = next;
  oct_tail_restart(&e->tail, next, false);
  return rc;
}

void oct_pt_arrive(oct_pt_encoder *e, uint64_t addr) {
  e->has_waypoint = false;
  oct_tail_restart(&e->tail, addr, false);
}

int oct_pt_put_jump(oct_pt_encoder *e, uint64_t from, bool is_path, uint64_t to) {
  int rc = is_path ? oct_pt_put_fup(e, from) : oct_pt_put_ip(e, OCT_PT_CODE_FUP, from);
  if (!rc) rc = oct_pt_put_pgd(e);
  return rc ? rc : oct_pt_put_ip(e, OCT_PT_CODE_PGE, to);
}

int oct_pt_put_traps(oct_pt_encoder *e, const oct_encoder_trap *t, size_t n, uint64_t *at,
                     bool is_path, const oct_insn *next) {
  int rc = 0;
  for (size_t i = 0; i < n && !rc; i++) {
    uint64_t from = oct_trap_place(&t[i].trap, *at);
    if (t[i].trap.kind == OCT_TRAP_PRIVILEGE) continue;
    const oct_trap *behind = oct_first_trap(t + i + 1, n - i - 1);
    *at = behind ? oct_trap_place(behind, from) : next ? next->addr : from;
    if (*at == from) {
      rc = oct_pt_put_jump(e, from, is_path, from);
    } else {
      rc = is_path ? oct_pt_put_fup(e, from) : oct_pt_put_ip(e, OCT_PT_CODE_FUP, from);
      if (!rc) rc = oct_pt_put_ip(e, OCT_PT_CODE_TIP, *at);
    }
    is_path = false;
  }
  return rc;
}

int oct_pt_put_end(oct_pt_encoder *e, const oct_insn *next) {
  int rc = oct_pt_put_pgd(e);
  if (!next) e->base.is_enabled = false;
  if (rc || !next) return rc;
  rc = oct_pt_put_pip(e, next->task);
  return rc ? rc : oct_pt_put_ip(e, OCT_PT_CODE_PGE, next->addr);
}
