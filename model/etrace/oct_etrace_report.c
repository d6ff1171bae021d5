/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_report.c - what the E-Trace encoder reports: branches, gathered until a packet carries
 * them, and addresses, with waypoints where one could be mistaken (oct_path_tail.h). */
#include "oct_etrace_encode.h"

void oct_et_clear_branches(oct_et_encoder *e) {
  e->branches = e->map = e->correct = 0;
  e->all_correct = e->cfg.p.predictor_bits != 0;
  e->last_failed = false;
}

/* The branches gathered so far, in the shortest format for them. */
static oct_et_packet branch_packet(const oct_et_encoder *e) {
  oct_et_packet p = {.format = OCT_ET_FORMAT_ADDRESS, .branches = (uint8_t)e->branches};
  p.map = e->map;
  if (e->branches > OCT_ET_MAP_BRANCHES || (e->all_correct && e->branches == OCT_ET_MAP_BRANCHES)) {
    p.format = OCT_ET_FORMAT_OPTIONS;
    p.subformat = OCT_ET_SUB_COUNT;
    p.branches = 0;
    p.count = e->correct - OCT_ET_MAP_BRANCHES;
    p.branch_fmt = e->last_failed ? OCT_ET_COUNT_ADDR_FAIL : OCT_ET_COUNT_ADDR;
  } else if (e->branches) {
    p.format = OCT_ET_FORMAT_BRANCH;
  }
  return p;
}

/* The same target as an index of the jump target cache, if that is shorter. A decoder by the letter
 * of the specification looks an index up before it has followed the packet before: what that one
 * brought is not there yet. */
static void try_cache(oct_et_encoder *e, uint64_t addr, oct_et_packet *p) {
  uint32_t i = oct_et_cache_index(&e->cfg, addr);
  bool is_there = e->memory.cached[i] && e->memory.cache[i] == addr;
  bool hit = is_there && e->cache_new != i + 1;
  oct_et_cache_put(&e->memory, &e->cfg, addr);
  e->cache_new = is_there ? 0 : i + 1;
  if (!hit || p->format == OCT_ET_FORMAT_OPTIONS || p->updiscon) return;
  oct_et_packet short_form = *p;
  short_form.format = OCT_ET_FORMAT_OPTIONS;
  short_form.subformat = OCT_ET_SUB_CACHE;
  short_form.index = i;
  if (oct_et_packet_bytes(&e->cfg, &short_form) >= oct_et_packet_bytes(&e->cfg, p)) return;
  e->emit.counters.cache_hits++;
  *p = short_form;
}

int oct_et_report(oct_et_encoder *e, uint64_t addr, bool notify, bool updiscon) {
  oct_et_packet p = branch_packet(e);
  p.address = (e->cfg.p.full_address ? addr : addr - e->address) >> e->cfg.p.addr_lsb_bits;
  p.notify = notify;
  p.updiscon = updiscon;
  p.irreport = e->return_missed;
  p.irdepth = e->irdepth;
  if (e->after_jump) {
    e->emit.counters.jumps++;
    if (e->cfg.p.jump_cache_bits) try_cache(e, addr, &p);
  }
  e->address = addr;
  /* A waypoint may lie before the change. */
  if (!notify) e->branch_gone = false;
  oct_et_clear_branches(e);
  return oct_et_emit_packet(&e->emit, &p);
}

int oct_et_waypoints(oct_et_encoder *e, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (oct_tail_is_there(&e->tail, i)) continue;
    int rc = oct_et_report(e, e->tail.run[i].end, true, false);
    if (rc) return rc;
    e->emit.counters.waypoints++;
  }
  return 0;
}

/* A decoder by the letter of the specification stops at an address behind a return only if the
 * packet says of that return, by its depth, that it is reported. Another of the same depth would be
 * taken for it. Behind a jump through a register, it stops with notify. */
int oct_et_report_here(oct_et_encoder *e, uint64_t addr, bool is_branch, uint32_t return_depth) {
  if (is_branch) return oct_et_report(e, addr, false, false);
  uint32_t n = oct_tail_before(&e->tail, addr), n_returns = 0;
  if (return_depth && e->tail.n)
    n_returns = oct_tail_before_return(&e->tail, e->tail.n - 1, return_depth);
  int rc = oct_et_waypoints(e, n > n_returns ? n : n_returns);
  /* The waypoint is that return itself, which the decoder has not taken yet. */
  if (!rc && n_returns && n_returns >= n) {
    e->emit.counters.waypoints++;
    rc = oct_et_report(e, e->tail.run[n_returns].start, true, false);
  }
  e->return_missed = return_depth != 0;
  e->irdepth = return_depth;
  bool is_sijump = e->was_sijump && e->last_size && e->last_addr == e->sijump_addr;
  if (!rc) rc = oct_et_report(e, addr, is_sijump, false);
  e->return_missed = false;
  return rc;
}

/* The decoder takes a return at this depth for the mispredicted one when all branches are used up
 * but that at the target, if there is one. So another return in the tail is a danger. One before
 * the last branch is, too, if the target was a branch then and is none now: the return itself is a
 * waypoint, which uses the branches up. */
int oct_et_mark_return(oct_et_encoder *e, uint64_t addr, uint32_t depth, bool to_branch) {
  uint32_t n = oct_tail_before_return(&e->tail, e->tail.n, depth);
  bool is_changed = e->branch_gone && e->branches && !to_branch;
  if (!n && !is_changed) return 0;
  uint64_t next = n < e->tail.n ? e->tail.run[n].start : e->tail.start;
  if (!n) {
    n = oct_tail_before(&e->tail, addr);
    next = addr;
  }
  int rc = oct_et_waypoints(e, n);
  if (!rc) rc = oct_et_report(e, next, true, false);
  e->emit.counters.waypoints++;
  return rc;
}

int oct_et_add_branch(oct_et_encoder *e, uint64_t addr, bool is_taken, bool is_reported) {
  e->emit.counters.branches++;
  bool correct = false;
  if (e->cfg.p.predictor_bits) {
    uint8_t *entry = oct_et_predictor(&e->memory, &e->cfg, addr);
    correct = (*entry >> 1) == is_taken;
    oct_et_predictor_update(entry, is_taken);
    e->emit.counters.predicted += correct;
  }
  if (e->branches < OCT_ET_MAP_BRANCHES) e->map |= (uint32_t)!is_taken << e->branches;
  if (e->all_correct && e->branches >= OCT_ET_MAP_BRANCHES && !correct) {
    if (is_reported) {
      e->branches++;
      e->last_failed = true;
      return 0;
    }
    oct_et_packet p = branch_packet(e);
    p.branch_fmt = OCT_ET_COUNT_NO_ADDR;
    oct_et_clear_branches(e);
    return oct_et_emit_packet(&e->emit, &p);
  }
  e->branches++;
  e->correct += correct;
  if (!correct) e->all_correct = false;
  if (is_reported) return 0;
  if (!e->all_correct && e->branches == OCT_ET_MAP_BRANCHES) {
    oct_et_packet p = {.format = OCT_ET_FORMAT_BRANCH, .branches = 0, .map = e->map};
    oct_et_clear_branches(e);
    return oct_et_emit_packet(&e->emit, &p);
  }
  /* The count is full. */
  if (e->correct == UINT32_MAX) return oct_et_report(e, addr, true, false);
  return 0;
}
