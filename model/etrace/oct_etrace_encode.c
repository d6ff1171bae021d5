/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_encode.c - the E-Trace encoder: retired instructions to packets.
 *
 * Source: "Efficient Trace for RISC-V" 2.0, chapters 5 (branch trace), 7 (packets) and 9 (reference
 * algorithm). Each instruction is looked at when the next one is known. Most are followed by the
 * one behind them in memory and pass at once. Of the others:
 *
 * - a conditional branch adds its outcome to the map (or to the count of correct predictions);
 * - a direct jump or call, a return that the stack predicted and a sequentially inferable jump say
 *   nothing, since the decoder finds their target itself;
 * - the instruction behind any other jump is reported: branches and address (format 0, 1 or 2);
 * - before a sync, a trap, a task switch and the end, the last instruction is reported, so that the
 *   decoder stands on it; then comes the packet of format 3. A trap is whatever no instruction
 *   explains: interrupts and exceptions, signals, a trace that skips.
 *
 * A sync that is due waits where the packet before it could not say how the path went on, behind a
 * return that was mispredicted. Where an address could be mistaken for an earlier one, waypoints
 * come first (oct_path_tail.h). */
#include "oct_etrace_encode.h"

#include "oct_etrace_sijump.h"

#include <string.h>

/* What follows an instruction. */
typedef enum flow {
  FLOW_NEXT,     /* the instruction behind it in memory */
  FLOW_BRANCH,   /* the target of a conditional branch */
  FLOW_INFERRED, /* a target that the decoder finds itself */
  FLOW_JUMP,     /* one that has to be reported */
  FLOW_TRAP      /* what the instruction does not explain */
} flow;

static void clear_branches(oct_et_encoder *e) {
  e->branches = e->map = e->correct = 0;
  e->all_correct = e->cfg.p.predictor_bits != 0;
  e->last_failed = false;
}

int oct_et_encoder_init(oct_et_encoder *e, const uint32_t *params, oct_diag *diag) {
  memset(e, 0, sizeof *e);
  int rc = oct_et_configure(&e->cfg, params, diag);
  if (rc) return rc;
  e->emit.cfg = &e->cfg;
  e->sync = OCT_ET_SUB_START;
  clear_branches(e);
  if (oct_et_memory_init(&e->memory, &e->cfg) || oct_map_walk_init(&e->walk))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return 0;
}

void oct_et_encoder_free(oct_et_encoder *e) {
  oct_buffer_free(&e->emit.out);
  oct_et_memory_free(&e->memory);
  oct_map_walk_free(&e->walk);
  free(e->held_accesses);
}

static uint64_t target_of(const oct_et_encoder *e, uint64_t addr, uint64_t none) {
  uint32_t id = oct_map_find(e->walk.map, addr);
  return id == OCT_WALK_NONE ? none : oct_map_at(e->walk.map, id)->target;
}

/* ---- Reports ---- */

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

/* The same target as an index of the jump target cache, if that is shorter. */
static void try_cache(oct_et_encoder *e, uint64_t addr, oct_et_packet *p) {
  uint32_t i = oct_et_cache_index(&e->cfg, addr);
  bool hit = e->memory.cached[i] && e->memory.cache[i] == addr;
  oct_et_cache_put(&e->memory, &e->cfg, addr);
  if (!hit || p->format == OCT_ET_FORMAT_OPTIONS || p->updiscon) return;
  oct_et_packet short_form = *p;
  short_form.format = OCT_ET_FORMAT_OPTIONS;
  short_form.subformat = OCT_ET_SUB_CACHE;
  short_form.index = i;
  if (oct_et_packet_bytes(&e->cfg, &short_form) >= oct_et_packet_bytes(&e->cfg, p)) return;
  e->emit.counters.cache_hits++;
  *p = short_form;
}

/* Report the branches and the address. */
static int report(oct_et_encoder *e, uint64_t addr, bool notify, bool updiscon) {
  oct_et_packet p = branch_packet(e);
  p.address = (e->cfg.p.full_address ? addr : addr - e->address) >> e->cfg.p.addr_lsb_bits;
  p.notify = notify;
  p.updiscon = updiscon;
  if (e->after_jump) {
    p.irreport = e->return_missed;
    p.irdepth = e->irdepth;
    e->emit.counters.jumps++;
    if (e->cfg.p.jump_cache_bits) try_cache(e, addr, &p);
  }
  e->address = addr;
  clear_branches(e);
  return oct_et_emit_packet(&e->emit, &p);
}

/* Report the ends of the first n runs of the tail. */
static int waypoints(oct_et_encoder *e, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (oct_tail_is_there(&e->tail, i)) continue;
    int rc = report(e, e->tail.run[i].end, true, false);
    if (rc) return rc;
    e->emit.counters.waypoints++;
  }
  return 0;
}

/* Report the instruction at addr, behind no jump. A branch is found by its own outcome. */
static int report_here(oct_et_encoder *e, uint64_t addr, bool is_branch) {
  int rc = is_branch ? 0 : waypoints(e, oct_tail_before(&e->tail, addr));
  return rc ? rc : report(e, addr, false, false);
}

/* The return at addr is mispredicted: see that the decoder does not take an earlier one for it. */
static int mark_return(oct_et_encoder *e, uint32_t depth) {
  uint32_t n = oct_tail_before_return(&e->tail, depth);
  if (!n) return 0;
  uint64_t next = n < e->tail.n ? e->tail.run[n].start : e->tail.start;
  int rc = waypoints(e, n);
  if (!rc) rc = report(e, next, true, false);
  e->emit.counters.waypoints++;
  return rc;
}

/* ---- Branches ---- */

/* is_reported: a packet with the address of this branch follows. */
static int add_branch(oct_et_encoder *e, uint64_t addr, bool is_taken, bool is_reported) {
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
    clear_branches(e);
    return oct_et_emit_packet(&e->emit, &p);
  }
  e->branches++;
  e->correct += correct;
  if (!correct) e->all_correct = false;
  if (is_reported) return 0;
  if (!e->all_correct && e->branches == OCT_ET_MAP_BRANCHES) {
    oct_et_packet p = {.format = OCT_ET_FORMAT_BRANCH, .branches = 0, .map = e->map};
    clear_branches(e);
    return oct_et_emit_packet(&e->emit, &p);
  }
  /* The count is full. */
  if (e->correct == UINT32_MAX) return report(e, addr, true, false);
  return 0;
}

/* ---- Syncs ---- */

static uint8_t options(const oct_et_params *p) {
  return (uint8_t)((p->sijump ? OCT_ET_OPT_SIJUMP : 0) |
                   (p->implicit_return ? OCT_ET_OPT_RETURN : 0) |
                   (p->implicit_exception ? OCT_ET_OPT_EXCEPTION : 0) |
                   (p->predictor_bits ? OCT_ET_OPT_PREDICTOR : 0) |
                   (p->jump_cache_bits ? OCT_ET_OPT_CACHE : 0) |
                   (p->full_address ? OCT_ET_OPT_FULL : 0));
}

static int support(oct_et_encoder *e, bool enable, uint8_t qual_status) {
  oct_et_packet p = {.format = OCT_ET_FORMAT_SYNC, .subformat = OCT_ET_SUB_SUPPORT};
  p.ienable = enable;
  p.denable = enable && e->cfg.p.data;
  p.qual_status = qual_status;
  p.options = options(&e->cfg.p);
  p.doptions = 1; /* addresses, no data */
  e->enabled = enable;
  return oct_et_emit_packet(&e->emit, &p);
}

/* The trap that led to addr: its cause, as far as the address tells. */
static int trap(oct_et_encoder *e, uint64_t addr, oct_et_packet *p) {
  p->subformat = OCT_ET_SUB_TRAP;
  p->interrupt = p->thaddr = true;
  if (!e->cfg.p.implicit_exception) return 0;
  uint64_t offset = (addr - e->cfg.trap_base) & e->cfg.addr_mask;
  if (!(offset & 3) && !(offset >> 2 >> e->cfg.p.ecause_bits)) {
    p->ecause = (uint32_t)(offset >> 2);
    return 0;
  }
  /* The address does not follow from a cause: it comes with a sync of its own. */
  p->thaddr = false;
  uint64_t address = p->address;
  p->address = 0;
  int rc = oct_et_emit_packet(&e->emit, p);
  p->subformat = OCT_ET_SUB_START;
  p->address = address;
  return rc;
}

static int put_sync(oct_et_encoder *e, const oct_insn *insn, bool is_taken, oct_diag *diag) {
  const oct_et_params *c = &e->cfg.p;
  oct_et_packet p = {.format = OCT_ET_FORMAT_SYNC, .subformat = OCT_ET_SUB_START};
  int rc = 0;
  if (c->context_bits < 32 && insn->task >> c->context_bits)
    return oct_fail(diag, OCT_ERR_LIMIT, "task %u does not fit context_bits=%u: set it to 32",
                    insn->task, c->context_bits);
  p.branch = !is_taken;
  p.time = e->insn;
  p.context = insn->task;
  p.address = insn->addr >> c->addr_lsb_bits;
  if (e->sync == OCT_ET_SUB_TRAP) {
    e->emit.counters.traps++;
    rc = trap(e, insn->addr, &p);
  } else {
    rc = oct_et_emit_align(&e->emit);
    if (!rc && !e->enabled) rc = support(e, true, OCT_ET_NO_CHANGE);
  }
  if (!rc) rc = oct_et_emit_packet(&e->emit, &p);
  e->emit.counters.syncs++;
  e->emit.has_last_data = 0;
  e->address = insn->addr;
  e->sync = OCT_ET_NO_SYNC;
  e->sync_at = c->sync_period_insns ? e->insn + c->sync_period_insns : UINT64_MAX;
  clear_branches(e);
  oct_et_memory_reset(&e->memory, &e->cfg);
  return rc;
}

/* ---- One instruction ---- */

/* Whether the target of a jump follows from the instruction before it. */
static bool is_sijump(const oct_et_encoder *e, const oct_insn *insn, uint64_t *target) {
  if (!e->cfg.p.sijump || !e->last_size) return false;
  uint32_t jump = oct_map_find(e->walk.map, insn->addr);
  uint32_t before = oct_map_find(e->walk.map, e->last_addr);
  return jump != OCT_WALK_NONE && before != OCT_WALK_NONE &&
         oct_et_sijump(oct_map_at(e->walk.map, before), oct_map_at(e->walk.map, jump),
                       e->cfg.addr_mask, target);
}

/* Where the instruction went. Of a return that the stack knows, *depth gets the calls that were on
 * it, and *is_missed says that it knew wrong. */
static flow flow_of(oct_et_encoder *e, const oct_insn *insn, uint64_t next, uint32_t *depth,
                    bool *is_missed) {
  uint64_t behind = (insn->addr + insn->size_bytes) & e->cfg.addr_mask, target;
  oct_class cls = oct_insn_class(insn);
  switch (cls) {
    case OCT_CLASS_COND_BRANCH:
      if (next == behind) return FLOW_NEXT;
      return target_of(e, insn->addr, ~next) == next ? FLOW_BRANCH : FLOW_TRAP;
    case OCT_CLASS_DIRECT_CALL:
    case OCT_CLASS_DIRECT_JUMP:
      if (cls == OCT_CLASS_DIRECT_CALL) oct_et_push(&e->memory, &e->cfg, behind);
      return target_of(e, insn->addr, ~next) == next ? FLOW_INFERRED : FLOW_TRAP;
    case OCT_CLASS_INDIRECT_CALL:
    case OCT_CLASS_INDIRECT_JUMP:
      if (cls == OCT_CLASS_INDIRECT_CALL) oct_et_push(&e->memory, &e->cfg, behind);
      if (!is_sijump(e, insn, &target)) return FLOW_JUMP;
      return target == next ? FLOW_INFERRED : FLOW_TRAP;
    case OCT_CLASS_RETURN:
      if (!e->memory.n) return FLOW_JUMP;
      *depth = e->memory.depth;
      *is_missed = oct_et_pop(&e->memory) != next;
      if (*is_missed) return FLOW_JUMP;
      e->emit.counters.implicit_returns++;
      return FLOW_INFERRED;
    default:
      return next == behind ? FLOW_NEXT : FLOW_TRAP;
  }
}

static int check_address(const oct_et_encoder *e, const oct_insn *insn, oct_diag *diag) {
  const oct_et_params *c = &e->cfg.p;
  if (insn->addr & ~e->cfg.addr_mask)
    return oct_fail(diag, OCT_ERR_LIMIT, "instruction %llu, 0x%llx: wider than addr_bits=%u",
                    (unsigned long long)e->insn, (unsigned long long)insn->addr, c->addr_bits);
  if (insn->addr & ((1u << c->addr_lsb_bits) - 1))
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "instruction %llu, 0x%llx: no multiple of %u as addr_lsb_bits=%u says",
                    (unsigned long long)e->insn, (unsigned long long)insn->addr,
                    1u << c->addr_lsb_bits, c->addr_lsb_bits);
  return 0;
}

/* Keep the tail: what follows the instruction, which the decoder stands on if it was reported. */
static int follow_tail(oct_et_encoder *e, const oct_insn *insn, uint64_t next, flow to,
                       bool is_reported, uint32_t depth) {
  oct_tail *t = &e->tail;
  if (is_reported || oct_insn_class(insn) == OCT_CLASS_COND_BRANCH)
    oct_tail_restart(t, insn->addr, is_reported);
  if (to != FLOW_BRANCH && to != FLOW_INFERRED) return 0;
  if (oct_tail_jump(t, insn->addr, next, depth)) return 0;
  int rc = waypoints(e, t->n);
  oct_tail_restart(t, t->start, false);
  oct_tail_jump(t, insn->addr, next, depth);
  return rc;
}

/* An instruction and the one after it, NULL at the end. */
static int step(oct_et_encoder *e, const oct_insn *insn, const oct_insn *next, oct_diag *diag) {
  bool is_branch = oct_insn_class(insn) == OCT_CLASS_COND_BRANCH, is_missed = false;
  bool goes_on = next && next->task == insn->task;
  bool is_synced = e->sync != OCT_ET_NO_SYNC;
  uint64_t behind = (insn->addr + insn->size_bytes) & e->cfg.addr_mask;
  uint8_t sync = OCT_ET_NO_SYNC;
  uint32_t depth = 0;
  flow to = FLOW_NEXT;
  int rc = check_address(e, insn, diag);
  if (rc) return rc;
  if (oct_map_walk_to(&e->walk, e->insn)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (oct_insn_class(insn) > OCT_CLASS_OTHER) e->seen_class = true;
  bool is_taken = is_branch && goes_on && next->addr != behind &&
                  target_of(e, insn->addr, ~next->addr) == next->addr;
  if (is_synced) {
    if ((rc = put_sync(e, insn, is_taken, diag))) return rc;
    e->last_size = 0;
    e->after_jump = false;
    if (is_branch && e->cfg.p.predictor_bits)
      oct_et_predictor_update(oct_et_predictor(&e->memory, &e->cfg, insn->addr), is_taken);
  }
  if (goes_on) to = flow_of(e, insn, next->addr, &depth, &is_missed);
  if (to == FLOW_TRAP && !e->seen_class && oct_insn_class(insn) == OCT_CLASS_UNKNOWN)
    return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                    "instruction %llu, 0x%llx: an unknown instruction jumps: this format needs the "
                    "classes of instructions; give the program with --elf",
                    (unsigned long long)e->insn, (unsigned long long)insn->addr);
  if (!goes_on || (e->insn + 1 >= e->sync_at && !is_missed)) sync = OCT_ET_SUB_START;
  if (to == FLOW_TRAP) sync = OCT_ET_SUB_TRAP;
  bool is_reported = is_synced || e->after_jump || sync != OCT_ET_NO_SYNC;
  if (!is_synced) {
    if (is_branch) rc = add_branch(e, insn->addr, is_taken, is_reported);
    if (!rc && e->after_jump)
      rc = report(e, insn->addr, false, sync != OCT_ET_NO_SYNC);
    else if (!rc && is_reported)
      rc = report_here(e, insn->addr, is_branch);
  }
  e->after_jump = to == FLOW_JUMP && sync == OCT_ET_NO_SYNC;
  e->return_missed = false;
  /* A full map, or a count, has brought the decoder to this branch. */
  if (is_branch && !e->branches) is_reported = true;
  if (!rc && goes_on) rc = follow_tail(e, insn, next->addr, to, is_reported, depth);
  if (!rc && is_missed) {
    bool after_jump = e->after_jump;
    e->after_jump = false;
    rc = mark_return(e, depth);
    e->after_jump = after_jump;
    e->return_missed = true;
    e->irdepth = depth;
  }
  e->sync = sync;
  return rc ? oct_fail(diag, rc, "out of memory") : 0;
}

/* ---- Batches ---- */

/* Take the instructions up to the last, which each of them is followed by. */
static int put_followed(oct_et_encoder *e, const oct_insn *insns, size_t n,
                        const oct_access **accesses, oct_diag *diag) {
  uint64_t quiet_until = 0; /* below this number nothing is due */
  bool data = e->cfg.p.data;
  int rc;
  for (size_t i = 0; i + 1 < n; i++) {
    const oct_insn *insn = &insns[i], *next = insn + 1;
    if (oct_insn_class(insn) > OCT_CLASS_OTHER || e->insn + 1 >= quiet_until ||
        next->addr != insn->addr + insn->size_bytes || next->task != insn->task) {
      if (i) {
        e->last_addr = insn[-1].addr;
        e->last_size = insn[-1].size_bytes;
      }
      if ((rc = step(e, insn, next, diag))) return rc;
      quiet_until = e->sync == OCT_ET_NO_SYNC && !e->after_jump ? e->sync_at : 0;
      e->last_addr = insn->addr;
      e->last_size = insn->size_bytes;
    }
    if (data && (insn->n_access || insn->flags & OCT_INSN_END) &&
        (rc = oct_et_emit_data(&e->emit, insn, *accesses, diag)))
      return rc;
    *accesses += insn->n_access;
    e->insn++;
  }
  return 0;
}

static int hold(oct_et_encoder *e, const oct_insn *insn, const oct_access *accesses) {
  if (insn->n_access > e->room_held) {
    oct_access *p = realloc(e->held_accesses, insn->n_access * sizeof *p);
    if (!p) return OCT_ERR_NOMEM;
    e->held_accesses = p;
    e->room_held = insn->n_access;
  }
  if (insn->n_access) memcpy(e->held_accesses, accesses, insn->n_access * sizeof *accesses);
  e->held = *insn;
  e->has_held = true;
  return 0;
}

int oct_et_encoder_put(oct_et_encoder *e, const oct_insn *insns, size_t n,
                       const oct_access *accesses, oct_diag *diag) {
  int rc;
  if (!n) return 0;
  if (e->has_held) {
    oct_insn pair[2] = {e->held, insns[0]};
    const oct_access *held = e->held_accesses;
    if ((rc = put_followed(e, pair, 2, &held, diag))) return rc;
    e->last_addr = e->held.addr;
    e->last_size = e->held.size_bytes;
  }
  if ((rc = put_followed(e, insns, n, &accesses, diag))) return rc;
  if (n > 1) {
    e->last_addr = insns[n - 2].addr;
    e->last_size = insns[n - 2].size_bytes;
  }
  e->emit.counters.insns += n;
  if (hold(e, &insns[n - 1], accesses)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return 0;
}

int oct_et_encoder_flush(oct_et_encoder *e, oct_diag *diag) {
  if (!e->has_held) return 0;
  e->has_held = false;
  int rc = step(e, &e->held, NULL, diag);
  if (!rc && e->cfg.p.data) rc = oct_et_emit_data(&e->emit, &e->held, e->held_accesses, diag);
  e->insn++;
  if (rc) return rc;
  return support(e, false, OCT_ET_ENDED_REP) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}
