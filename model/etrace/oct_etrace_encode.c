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
#include "oct_mask.h"

#include <inttypes.h>
#include <string.h>

/* ---- Reports: branches, gathered until a packet carries them, and addresses, with waypoints. ----
 */

static void clear_branches(oct_et_encoder *e) {
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

/* Not every decoder puts this address, which may be no target, into the cache. */
static void drop_cached(oct_et_encoder *e, uint64_t addr) {
  e->memory.cached[oct_et_cache_index(&e->cfg, addr)] = false;
  e->cache_new = 0;
}

/* Report the branches and the address. */
static int report(oct_et_encoder *e, uint64_t addr, bool notify, bool updiscon) {
  oct_et_packet p = branch_packet(e);
  p.address = (e->cfg.p.full_address ? addr : addr - e->address) >> e->cfg.p.addr_lsb_bits;
  p.notify = notify;
  p.updiscon = updiscon;
  p.irreport = e->return_missed;
  p.irdepth = e->irdepth;
  e->emit.counters.jumps += e->after_jump;
  if (e->cfg.p.jump_cache_bits && e->after_jump && !notify)
    try_cache(e, addr, &p);
  else if (e->cfg.p.jump_cache_bits)
    drop_cached(e, addr);
  e->address = addr;
  /* A waypoint may lie before the change. */
  if (!notify) e->branch_gone = false;
  clear_branches(e);
  return oct_et_emit_packet(&e->emit, &p);
}

/* Report the ends of the first n runs of the tail. */
static int oct_et_waypoints(oct_et_encoder *e, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (oct_tail_is_there(&e->tail, i)) continue;
    int rc = report(e, e->tail.run[i].end, true, false);
    if (rc) return rc;
    e->emit.counters.waypoints++;
  }
  return 0;
}

/* A decoder by the letter of the specification stops at an address behind a return only if the
 * packet says of that return, by its depth, that it is reported. Another of the same depth would be
 * taken for it. Behind a jump through a register, and at a branch, it stops with notify. */
static int report_here(oct_et_encoder *e, uint64_t addr, bool is_branch, uint32_t return_depth) {
  const bool is_sijump = e->was_sijump && e->last_size && e->last_addr == e->sijump_addr;
  if (is_branch) return report(e, addr, is_sijump || return_depth, false);
  uint32_t n = oct_tail_before(&e->tail, addr), n_returns = 0;
  if (return_depth && e->tail.n)
    n_returns = oct_tail_before_return(&e->tail, e->tail.n - 1, return_depth);
  int rc = oct_et_waypoints(e, n > n_returns ? n : n_returns);
  /* The waypoint is that return itself, which the decoder has not taken yet. */
  if (!rc && n_returns && n_returns >= n) {
    e->emit.counters.waypoints++;
    rc = report(e, e->tail.run[n_returns].start, true, false);
  }
  e->return_missed = return_depth != 0;
  e->irdepth = return_depth;
  if (!rc) rc = report(e, addr, is_sijump, false);
  e->return_missed = false;
  return rc;
}

/* The target of a jump. A decoder that infers it may have met its address before. */
static int report_target(oct_et_encoder *e, uint64_t addr, bool is_branch, bool before_sync) {
  int rc = 0;
  if (e->is_hinted && !is_branch) {
    e->after_jump = false;
    rc = oct_et_waypoints(e, oct_tail_before(&e->tail, addr));
    e->after_jump = true;
  }
  return rc ? rc : report(e, addr, e->is_hinted, before_sync);
}

/* The decoder takes a return at this depth for the mispredicted one when all branches are used up
 * but that at the target, if there is one. So another return in the tail is a danger. One before
 * the last branch is, too, if the target was a branch then and is none now: the return itself is a
 * waypoint, which uses the branches up. */
static int mark_return(oct_et_encoder *e, uint64_t addr, uint32_t depth, bool to_branch) {
  uint32_t n = oct_tail_before_return(&e->tail, e->tail.n, depth);
  bool is_changed = e->branch_gone && e->branches && !to_branch;
  if (!n && !is_changed) return 0;
  uint64_t next = n < e->tail.n ? e->tail.run[n].start : e->tail.start;
  if (!n) {
    n = oct_tail_before(&e->tail, addr);
    next = addr;
  }
  int rc = oct_et_waypoints(e, n);
  if (!rc) rc = report(e, next, true, false);
  e->emit.counters.waypoints++;
  return rc;
}

/* The conditional branch at addr. is_reported: a packet with its address follows. */
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

/* ---- Traps into E-Trace packets.
 *
 * A trap is a packet of format 3.1. With thaddr it is also the sync at the handler; the decoder
 * knows then where the program was to go on, from the last instruction. That needs a handler whose
 * first instruction retired. Otherwise, as for the first of two traps in a row, thaddr is 0 and
 * the address is that of the instruction that did not retire; a sync follows, or the next trap. A
 * change of privilege is a packet of format 3.2.
 *
 * A jump that nothing explains is a packet of format 3.1, too: an interrupt whose cause is all
 * ones, which no trap may have.
 * ---- */

/* Privilege as its field has it; what is not known is a code that RISC-V does not use. */
static uint32_t privilege_code(const oct_et_params *c, uint8_t privilege) {
  return privilege == OCT_PRIVILEGE_UNKNOWN && c->privilege_bits == 2 ? OCT_ET_PRIVILEGE_NONE
                                                                      : privilege;
}

static int refuse(uint64_t insn, oct_diag *diag, const char *what, uint64_t value,
                  const char *expected) {
  return oct_fail_at(diag, OCT_ERR_LIMIT, OCT_AT_BEFORE_INSN, insn, "%s %" PRIu64 " %s", what,
                     value, expected);
}

static void fill_trap(const oct_trap *t, oct_et_packet *p) {
  p->subformat = OCT_ET_SUB_TRAP;
  p->interrupt = t->kind == OCT_TRAP_INTERRUPT;
  p->ecause = t->cause;
  p->tval = t->tval;
}

/* Whether the header of the encapsulation can say how long the packet of a trap is. Only a trap
 * value, its last field, makes one so long: the fields before it always fit. */
static bool has_room(const oct_et_config *c, const oct_trap *t) {
  oct_et_packet p = {.format = OCT_ET_FORMAT_SYNC};
  fill_trap(t, &p);
  return !c->p.encapsulation ||
         oct_et_packet_bytes(c, &p) - c->p.src_bits / 8 <= OCT_ET_PAYLOAD_BYTES_MAX;
}

/* Whether the fields of a trap have room for it. */
static int check_trap(const oct_et_config *c, uint64_t insn, const oct_trap *t, oct_diag *diag) {
  uint32_t privilege = privilege_code(&c->p, t->privilege);
  if (privilege >> c->p.privilege_bits ||
      (c->p.privilege_bits == 2 && t->privilege == OCT_ET_PRIVILEGE_NONE))
    return refuse(insn, diag, "privilege", t->privilege,
                  "of a trap does not fit privilege_bits: set it to 3");
  if (t->kind == OCT_TRAP_PRIVILEGE) return 0;
  if (t->cause >> c->p.ecause_bits)
    return refuse(insn, diag, "cause", t->cause,
                  "of a trap does not fit ecause_bits: set it to more");
  if (t->kind == OCT_TRAP_INTERRUPT && t->cause == oct_et_jump_cause(c))
    return refuse(insn, diag, "interrupt", t->cause,
                  "marks jumps that nothing explains: set ecause_bits to more");
  if ((t->tval | t->addr) & ~c->addr_mask)
    return refuse(insn, diag,
                  "a trap has an address or a value wider than addr_bits =", c->p.addr_bits,
                  "has room for");
  if (t->addr & oct_mask(c->p.addr_lsb_bits))
    return refuse(insn, diag, "a trap at an address that is no multiple of",
                  UINT64_C(1) << c->p.addr_lsb_bits, "as of addr_lsb_bits");
  if (!has_room(c, t))
    return refuse(insn, diag, "trap value", t->tval,
                  "makes a packet of more than 31 bytes: set time_bits to less");
  return 0;
}

/* Keep those of a batch. OCT_ERR_LIMIT: a field has no room for one; OCT_ERR_NOMEM. */
static int keep_traps(oct_et_encoder *e, const oct_tracer_input *in, oct_diag *diag) {
  uint64_t first = e->base.insn + e->base.has_held;
  for (size_t i = 0; i < in->n_traps; i++) {
    int rc = check_trap(&e->cfg, first + in->traps[i].insn, &in->traps[i], diag);
    if (rc) return rc;
  }
  return oct_encoder_base_keep_traps(e, in) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}

/* Whether a decoder finds where the trap came and, if its packet does not have it, the handler. */
static bool is_implied(const oct_et_encoder *e, const oct_trap *t, uint64_t handler) {
  uint64_t offset = (handler - e->cfg.trap_base) & e->cfg.addr_mask;
  uint64_t vector = t->kind == OCT_TRAP_INTERRUPT ? 4 * (uint64_t)t->cause : 0;
  if (!e->has_epc || t->addr != e->epc) return false;
  return !e->cfg.p.implicit_exception || offset == vector;
}

/* A trap, or a change of privilege, behind which another packet of format 3 comes. */
static int put_trap(oct_et_encoder *e, const oct_trap *t, const oct_et_packet *sync) {
  oct_et_packet p = *sync;
  e->privilege = t->privilege;
  p.privilege = privilege_code(&e->cfg.p, t->privilege);
  p.subformat = OCT_ET_SUB_CONTEXT;
  if (t->kind != OCT_TRAP_PRIVILEGE) {
    fill_trap(t, &p);
    p.address = t->addr >> e->cfg.p.addr_lsb_bits;
  }
  return oct_et_emit_packet(&e->emit, &p);
}

static int support(oct_et_encoder *e, bool enable, uint8_t qual_status) {
  oct_et_packet p = {.format = OCT_ET_FORMAT_SYNC, .subformat = OCT_ET_SUB_SUPPORT};
  p.ienable = enable;
  p.denable = enable && e->cfg.p.data;
  p.qual_status = qual_status;
  p.options = oct_et_options(&e->cfg.p);
  p.doptions = 1; /* addresses, no data */
  e->base.is_enabled = enable;
  return oct_et_emit_packet(&e->emit, &p);
}

/* Where a decoder would follow the program from the last instruction on: tracing ends there and
 * begins anew, at the address of the packet that comes. */
static int begin_anew(oct_et_encoder *e) {
  if (!e->is_inferable) return 0;
  e->is_inferable = false;
  return support(e, true, OCT_ET_ENDED_REP);
}

/* Send those before instruction `insn` at addr, where *p is about to begin anew, and if no
 * instruction leads there, that. *p stays a sync, or becomes the last trap; it is not sent. 0 or
 * OCT_ERR_NOMEM. */
static int put_traps(oct_et_encoder *e, uint64_t insn, uint64_t addr, oct_et_packet *p) {
  size_t n;
  const oct_encoder_trap *t = oct_encoder_base_traps(e, insn, true, &n);
  bool is_jump = e->sync == OCT_ET_SUB_TRAP && !oct_first_trap(t, n), is_last_implied = false;
  int rc = 0;
  if (e->sync == OCT_ET_SUB_TRAP && n && t[n - 1].trap.kind != OCT_TRAP_PRIVILEGE)
    is_last_implied = &t[n - 1].trap == oct_first_trap(t, n) && is_implied(e, &t[n - 1].trap, addr);
  for (size_t i = 0; !rc && i + is_last_implied < n; i++) {
    const oct_trap *trap = &t[i].trap;
    bool is_plain = trap == oct_first_trap(t, n) && e->has_epc && trap->addr == e->epc;
    if (trap->kind != OCT_TRAP_PRIVILEGE && !is_plain && !is_last_implied) rc = begin_anew(e);
    if (!rc) rc = put_trap(e, trap, p);
  }
  if (is_last_implied) {
    fill_trap(&t[n - 1].trap, p);
    p->thaddr = true;
    e->privilege = t[n - 1].trap.privilege;
  }
  p->privilege = privilege_code(&e->cfg.p, e->privilege);
  if (rc || !is_jump) return rc;
  oct_et_packet jump = *p;
  jump.subformat = OCT_ET_SUB_TRAP;
  jump.interrupt = true;
  jump.ecause = oct_et_jump_cause(&e->cfg);
  jump.thaddr = !e->cfg.p.implicit_exception;
  if (jump.thaddr) {
    *p = jump;
    return 0;
  }
  /* The address does not follow from a cause: it comes with the sync. */
  jump.address = 0;
  return oct_et_emit_packet(&e->emit, &jump);
}

/* What follows an instruction. */
typedef enum flow {
  FLOW_NEXT,     /* the instruction behind it in memory */
  FLOW_BRANCH,   /* the target of a conditional branch */
  FLOW_INFERRED, /* a target that the decoder finds itself */
  FLOW_JUMP,     /* one that has to be reported */
  FLOW_TRAP      /* what the instruction does not explain */
} flow;

int oct_et_encoder_init(void *encoder, const uint32_t *params, oct_diag *diag) {
  oct_et_encoder *e = encoder;
  int rc = oct_et_configure(&e->cfg, params, diag);
  if (rc) return rc;
  e->emit.cfg = &e->cfg;
  e->emit.out = &e->base.out;
  e->sync = OCT_ET_SUB_START;
  clear_branches(e);
  return oct_et_memory_init(&e->memory, &e->cfg) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
                                                 : 0;
}

void oct_et_encoder_destroy(void *encoder) {
  oct_et_encoder *e = encoder;
  if (e) {
    oct_et_memory_free(&e->memory);
    oct_buffer_free(&e->held_accesses);
  }
  oct_encoder_base_destroy(e);
}

/* ---- Syncs ---- */

static int put_sync(oct_et_encoder *e, const oct_insn *insn, bool is_taken, oct_diag *diag) {
  const oct_et_params *c = &e->cfg.p;
  oct_et_packet p = {.format = OCT_ET_FORMAT_SYNC, .subformat = OCT_ET_SUB_START};
  int rc = 0;
  if (c->context_bits < 32 && insn->task >> c->context_bits)
    return oct_fail(diag, OCT_ERR_LIMIT, "task %u does not fit context_bits=%u: set it to 32",
                    insn->task, c->context_bits);
  p.branch = !is_taken;
  p.time = e->base.insn;
  p.context = insn->task;
  p.address = insn->addr >> c->addr_lsb_bits;
  const bool is_trap = e->sync == OCT_ET_SUB_TRAP;
  e->emit.counters.traps += is_trap;
  if (!is_trap || e->base.insn >= e->align_at) {
    rc = oct_et_emit_align(&e->emit);
    e->align_at = c->sync_period_insns ? e->base.insn + c->sync_period_insns : UINT64_MAX;
  }
  if (!e->base.is_enabled) e->is_inferable = false;
  if (!rc && !is_trap && !e->base.is_enabled) rc = support(e, true, OCT_ET_NO_CHANGE);
  if (!rc && !is_trap && insn->task != e->task) rc = begin_anew(e);
  if (!rc) rc = put_traps(e, e->base.insn, insn->addr, &p);
  if (!rc && is_trap && p.subformat == OCT_ET_SUB_START) rc = begin_anew(e);
  if (!rc) rc = oct_et_emit_packet(&e->emit, &p);
  e->emit.counters.syncs++;
  e->emit.has_last_data = 0;
  e->address = insn->addr;
  e->task = insn->task;
  e->sync = OCT_ET_NO_SYNC;
  e->branch_gone = false;
  e->base.sync_at = c->sync_period_insns ? e->base.insn + c->sync_period_insns : UINT64_MAX;
  clear_branches(e);
  oct_et_memory_reset(&e->memory, &e->cfg);
  e->cache_new = 0;
  return rc ? oct_fail(diag, rc, "out of memory") : 0;
}

/* ---- One instruction ---- */

static bool ends_branch(const oct_map *map, const oct_map_entry *now) {
  if (now->cls == OCT_CLASS_COND_BRANCH || now->flags & OCT_MAP_CONTINUES) return false;
  uint32_t id = oct_map_find(map, now->addr);
  return id != OCT_WALK_NONE && oct_map_at(map, id)->cls == OCT_CLASS_COND_BRANCH;
}

/* Bring the map to instruction number insn, and note whether a branch is none any more. */
static int walk_to(oct_et_encoder *e, uint64_t insn) {
  oct_map_walk *w = &e->base.walk;
  while (oct_map_walk_is_due(w, insn)) {
    uint64_t from = w->next_from;
    for (size_t i = w->at; i < w->n && w->updates[i].from_insn == from && !e->branch_gone; i++)
      e->branch_gone = ends_branch(w->map, &w->updates[i].entry);
    if (oct_map_walk_to(w, from)) return OCT_ERR_NOMEM;
  }
  return 0;
}

/* Whether the target of a jump follows from the instruction before it. */
static bool is_sijump(const oct_et_encoder *e, const oct_insn *insn, uint64_t *target) {
  if (!e->cfg.p.sijump || !e->last_size) return false;
  uint32_t jump = oct_map_find(e->base.walk.map, insn->addr);
  uint32_t before = oct_map_find(e->base.walk.map, e->last_addr);
  return jump != OCT_WALK_NONE && before != OCT_WALK_NONE &&
         oct_et_sijump(oct_map_entry_at(e->base.walk.map, before),
                       oct_map_entry_at(e->base.walk.map, jump), e->cfg.addr_mask, target);
}

/* Whether the instruction is an ecall or ebreak. */
static bool calls_environment(const oct_et_encoder *e, const oct_insn *insn) {
  if (!e->env[insn->addr / 2 % OCT_ET_ENV]) return false;
  uint32_t id = oct_map_find(e->base.walk.map, insn->addr);
  return id != OCT_WALK_NONE && oct_et_calls_environment(oct_map_entry_at(e->base.walk.map, id));
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
      return oct_encoder_base_target(&e->base, insn->addr, ~next) == next ? FLOW_BRANCH : FLOW_TRAP;
    case OCT_CLASS_DIRECT_CALL:
    case OCT_CLASS_DIRECT_JUMP:
      if (cls == OCT_CLASS_DIRECT_CALL) oct_et_push(&e->memory, &e->cfg, behind);
      return oct_encoder_base_target(&e->base, insn->addr, ~next) == next ? FLOW_INFERRED
                                                                          : FLOW_TRAP;
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
      if (next != behind) return FLOW_TRAP;
      return calls_environment(e, insn) ? FLOW_JUMP : FLOW_NEXT;
  }
}

static int check_address(const oct_et_encoder *e, const oct_insn *insn, oct_diag *diag) {
  const oct_et_params *c = &e->cfg.p;
  if (insn->addr & ~e->cfg.addr_mask)
    return oct_fail_insn(diag, OCT_ERR_LIMIT, e->base.insn, insn->addr, "wider than addr_bits=%u",
                         c->addr_bits);
  if (insn->addr & oct_mask(c->addr_lsb_bits))
    return oct_fail_insn(diag, OCT_ERR_LIMIT, e->base.insn, insn->addr,
                         "no multiple of %u as of addr_lsb_bits=%u", 1u << c->addr_lsb_bits,
                         c->addr_lsb_bits);
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
  int rc = oct_et_waypoints(e, t->n);
  oct_tail_restart(t, t->start, false);
  oct_tail_jump(t, insn->addr, next, depth);
  return rc;
}

/* The first exception or interrupt before the next instruction, or NULL; *is_told: there is one, or
 * a change of privilege. */
static const oct_trap *next_trap(oct_et_encoder *e, bool *is_told) {
  size_t n;
  const oct_encoder_trap *t = oct_encoder_base_traps(e, e->base.insn + 1, false, &n);
  *is_told = n > 0;
  return oct_first_trap(t, n);
}

/* Where the instruction leads, as a decoder finds out that knows is_taken of a branch. The address
 * of an exception by ecall or ebreak is their own. */
static void find_epc(oct_et_encoder *e, const oct_insn *insn, bool is_taken, const oct_trap *trap) {
  oct_class cls = oct_insn_class(insn);
  uint64_t behind = (insn->addr + insn->size_bytes) & e->cfg.addr_mask;
  bool is_jump = is_taken || cls == OCT_CLASS_DIRECT_JUMP || cls == OCT_CLASS_DIRECT_CALL;
  uint32_t id = oct_map_find(e->base.walk.map, insn->addr);
  if (trap && trap->kind == OCT_TRAP_EXCEPTION && calls_environment(e, insn)) {
    e->has_epc = true;
    e->epc = insn->addr;
    return;
  }
  e->has_epc = is_jump ? id != OCT_WALK_NONE : cls <= OCT_CLASS_DIRECT_CALL;
  e->epc = is_jump && e->has_epc ? oct_map_at(e->base.walk.map, id)->target : behind;
}

/* An instruction and the one after it, NULL at the end. */
static int step(oct_et_encoder *e, const oct_insn *insn, const oct_insn *next, oct_diag *diag) {
  bool is_branch = oct_insn_class(insn) == OCT_CLASS_COND_BRANCH, is_missed = false;
  bool goes_on = next && next->task == insn->task, is_told;
  bool is_synced = e->sync != OCT_ET_NO_SYNC;
  uint64_t behind = (insn->addr + insn->size_bytes) & e->cfg.addr_mask;
  uint8_t sync = OCT_ET_NO_SYNC;
  uint64_t hint = 0;
  uint32_t depth = 0;
  flow to = FLOW_NEXT;
  int rc = check_address(e, insn, diag);
  if (rc) return rc;
  if (walk_to(e, e->base.insn)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (oct_insn_class(insn) > OCT_CLASS_OTHER) e->base.seen_class = true;
  const oct_trap *trap = next_trap(e, &is_told);
  bool is_led = goes_on || trap;
  uint64_t after = trap ? trap->addr : is_led ? next->addr : 0;
  bool is_taken = is_branch && is_led && after != behind &&
                  oct_encoder_base_target(&e->base, insn->addr, ~after) == after;
  /* A decoder that comes from before the sync knows it, too. */
  const bool is_led_on = e->sync == OCT_ET_SUB_START && e->base.is_enabled;
  const bool is_constant = (is_led_on || !is_synced) && is_sijump(e, insn, &hint);
  if (is_synced) {
    if ((rc = put_sync(e, insn, is_taken, diag))) return rc;
    e->last_size = 0;
    e->after_jump = false;
    if (is_branch && e->cfg.p.predictor_bits)
      oct_et_predictor_update(oct_et_predictor(&e->memory, &e->cfg, insn->addr), is_taken);
  }
  if (trap)
    to = next ? FLOW_TRAP : FLOW_NEXT;
  else if (goes_on)
    to = flow_of(e, insn, next->addr, &depth, &is_missed);
  if (to == FLOW_JUMP && is_constant && hint != next->addr) to = FLOW_TRAP;
  if (to == FLOW_TRAP && !trap && oct_encoder_base_check_class(&e->base, insn, diag))
    return OCT_ERR_UNSUPPORTED;
  if (!goes_on || (e->base.insn + 1 >= e->base.sync_at && !is_missed)) sync = OCT_ET_SUB_START;
  /* A sync cannot say that a return was mispredicted. */
  if (to == FLOW_TRAP || (is_told && goes_on && is_missed))
    sync = OCT_ET_SUB_TRAP;
  else if (is_told)
    sync = OCT_ET_SUB_START;
  if (sync == OCT_ET_SUB_TRAP) is_missed = false;
  if (sync == OCT_ET_SUB_TRAP || trap) find_epc(e, insn, is_taken, trap);
  oct_class cls = oct_insn_class(insn);
  e->is_inferable = cls <= OCT_CLASS_DIRECT_CALL || is_constant ||
                    (cls == OCT_CLASS_RETURN && (depth || e->memory.n));
  bool is_reported = is_synced || e->after_jump || sync != OCT_ET_NO_SYNC;
  if (!is_synced) {
    if (is_branch) rc = add_branch(e, insn->addr, is_taken, is_reported);
    if (!rc && e->after_jump)
      rc = report_target(e, insn->addr, is_branch, sync != OCT_ET_NO_SYNC);
    else if (!rc && is_reported)
      rc = report_here(e, insn->addr, is_branch,
                       e->last_size && e->last_addr == e->return_addr ? e->return_depth : 0);
  }
  e->after_jump = to == FLOW_JUMP && sync == OCT_ET_NO_SYNC;
  e->is_hinted = to == FLOW_JUMP && (is_constant || cls <= OCT_CLASS_OTHER);
  e->return_missed = false;
  /* A full map, or a count, has brought the decoder to this branch. */
  if (is_branch && !e->branches) is_reported = true;
  if (!rc && goes_on) rc = follow_tail(e, insn, next->addr, to, is_reported, depth);
  if (!rc && is_missed) {
    bool after_jump = e->after_jump;
    e->after_jump = false;
    rc = walk_to(e, e->base.insn + 1);
    if (!rc) rc = mark_return(e, insn->addr, depth, oct_insn_class(next) == OCT_CLASS_COND_BRANCH);
    e->after_jump = after_jump;
    e->return_missed = true;
    e->irdepth = depth;
  }
  if (oct_insn_class(insn) == OCT_CLASS_RETURN) {
    e->return_addr = insn->addr;
    e->return_depth = to == FLOW_INFERRED ? depth : 0;
  } else if (oct_insn_class(insn) == OCT_CLASS_INDIRECT_JUMP ||
             oct_insn_class(insn) == OCT_CLASS_INDIRECT_CALL) {
    e->sijump_addr = insn->addr;
    e->was_sijump = to == FLOW_INFERRED;
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
    if (oct_insn_class(insn) > OCT_CLASS_OTHER || e->base.insn + 1 >= quiet_until ||
        next->addr != insn->addr + insn->size_bytes || next->task != insn->task ||
        e->env[insn->addr / 2 % OCT_ET_ENV]) {
      if (i) {
        e->last_addr = insn[-1].addr;
        e->last_size = insn[-1].size_bytes;
      }
      if ((rc = step(e, insn, next, diag))) return rc;
      uint64_t due = e->base.sync_at < e->base.trap_at ? e->base.sync_at : e->base.trap_at;
      quiet_until = e->sync == OCT_ET_NO_SYNC && !e->after_jump ? due : 0;
      e->last_addr = insn->addr;
      e->last_size = insn->size_bytes;
    }
    if (data && (insn->n_access || insn->flags & OCT_INSN_END) &&
        (rc = oct_et_emit_data(&e->emit, insn, *accesses, diag)))
      return rc;
    if (insn->n_access) *accesses += insn->n_access;
    e->base.insn++;
  }
  return 0;
}

static int hold(oct_et_encoder *e, const oct_insn *insn, const oct_access *accesses) {
  e->base.held = *insn;
  e->base.has_held = true;
  e->held_accesses.n_bytes = 0;
  return oct_buffer_put(&e->held_accesses, accesses, insn->n_access * sizeof *accesses);
}

/* The accesses of the instruction that waits. */
static const oct_access *held_accesses(const oct_et_encoder *e) {
  return (const oct_access *)(const void *)e->held_accesses.bytes;
}

int oct_et_encoder_put(void *encoder, const oct_tracer_input *in, oct_diag *diag) {
  oct_et_encoder *e = encoder;
  const oct_insn *insns = in->insns;
  const oct_access *accesses = in->accesses;
  size_t n = in->n_insns;
  int rc = oct_tracer_check_traps(in, diag);
  if (rc) return rc;
  if (oct_map_walk_add(&e->base.walk, in->updates, in->n_updates))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < in->n_updates; i++)
    e->env[in->updates[i].entry.addr / 2 % OCT_ET_ENV] |=
        oct_et_calls_environment(&in->updates[i].entry);
  if ((rc = keep_traps(e, in, diag))) return rc;
  if (!n) return 0;
  if (e->base.has_held) {
    const oct_insn pair[2] = {e->base.held, insns[0]};
    const oct_access *held = held_accesses(e);
    if ((rc = put_followed(e, pair, 2, &held, diag))) return rc;
    e->last_addr = e->base.held.addr;
    e->last_size = e->base.held.size_bytes;
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

static int put_last(void *encoder, const oct_insn *insn, oct_diag *diag) {
  oct_et_encoder *e = encoder;
  int rc = step(e, insn, NULL, diag);
  if (!rc && e->cfg.p.data) rc = oct_et_emit_data(&e->emit, insn, held_accesses(e), diag);
  if (rc) return rc;
  oct_et_packet p = {.format = OCT_ET_FORMAT_SYNC, .context = insn->task};
  p.time = e->base.insn + 1;
  if (put_traps(e, e->base.insn + 1, 0, &p)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return support(e, false, OCT_ET_ENDED_REP) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}

int oct_et_encoder_flush(void *e, oct_diag *diag) {
  return oct_encoder_base_flush(e, put_last, diag);
}
