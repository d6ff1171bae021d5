/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_encoder.c - the compressor of `shadow`, untimed: cuts the trace into periods, finds
 * the program map's entry of each instruction, and takes it through the model (oct_shadow_step.h).
 * An instruction's accesses are coded when it comes, its successor when that comes. */
#include "oct_shadow_encoder.h"

#include "oct_core.h"
#include "oct_crc.h"
#include "oct_encoder_base.h"
#include "oct_shadow_encoder_state.h"
#include "oct_shadow_frame.h"
#include "oct_shadow_step.h"

#include <string.h>

int oct_shadow_encoder_new(const oct_shadow_config *cfg, oct_shadow_encoder **out, oct_diag *diag) {
  oct_shadow_encoder *e = calloc(1, sizeof *e);
  *out = NULL;
  if (!e) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for an encoder");
  e->at = OCT_ENTRY_NONE;
  e->privilege = OCT_PRIVILEGE_UNKNOWN;
  e->coder.escape_bits = OCT_ESCAPE_BITS + cfg->traps;
  if (oct_shadow_model_init(&e->model, cfg) ||
      oct_plans_init(&e->plans, e->model.mask, cfg->delay_slots)) {
    oct_shadow_encoder_free(e);
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for an encoder");
  }
  *out = e;
  return 0;
}

void oct_shadow_encoder_free(oct_shadow_encoder *e) {
  if (!e) return;
  oct_shadow_model_free(&e->model);
  oct_plans_free(&e->plans);
  free(e->coder.bytes);
  free(e->out);
  free(e->waiting);
  free(e);
}

static void put_sevens(oct_coder *c, uint64_t v, unsigned n_bytes) {
  for (; n_bytes--; v >>= 7) oct_coder_put(c, v & 127);
}

static void check_bytes(oct_shadow_encoder *e) {
  const oct_coder *c = &e->coder;
  if (e->model.cfg.check && c->n > e->crc_at)
    e->crc = oct_crc_bytes(16, e->crc, c->bytes + e->crc_at, c->n - e->crc_at);
  e->crc_at = c->n;
}

/* A mark: closes what was, begins a period. */
static void put_mark(oct_shadow_encoder *e, oct_frame_kind kind) {
  oct_coder *c = &e->coder;
  const oct_shadow_config *cfg = &e->model.cfg;
  size_t before = c->n;
  check_bytes(e);
  uint32_t check = oct_mark_check(e->crc, kind);
  e->crc = 0;
  for (unsigned i = 0; i < OCT_MARK_ONES; i++) oct_coder_put(c, 0xff);
  oct_coder_put(c, (uint8_t)(kind << 1));
  if (cfg->check) put_sevens(c, check, OCT_MARK_CHECK_BYTES);
  put_sevens(c, e->n_insns, OCT_MARK_NUMBER_BYTES);
  uint64_t privilege = cfg->traps ? e->privilege : 0;
  put_sevens(c, privilege << cfg->task_bits | e->task, oct_mark_task_bytes(cfg));
  if (oct_frame_is_overflow(kind)) {
    put_sevens(c, e->lost_insns, OCT_MARK_NUMBER_BYTES);
    put_sevens(c, e->lost_accesses, OCT_MARK_NUMBER_BYTES);
  }
  e->counts.mark_bits += 8 * (c->n - before);
  e->counts.packets++;
  if (c->log) oct_coder_log_bytes(c); /* they go past the coder */
}

/* That takes effect with the instruction at hand, or before the first of a period. */
static void put_escape(oct_shadow_encoder *e, oct_escape kind) {
  oct_coder *c = &e->coder;
  c->category = kind == OCT_ESCAPE_JUMP      ? OCT_SC_ESCAPE
                : kind == OCT_ESCAPE_PARTIAL ? OCT_SC_DONE
                                             : OCT_SC_PERIOD;
  e->model.stats.escapes++;
  oct_coder_escape(c, kind, e->at == OCT_ENTRY_NONE ? 0 : c->run + 1);
}

static uint64_t counted_bits(const oct_shadow_encoder *e) {
  uint64_t n = 0;
  for (unsigned i = 0; i < OCT_SC_COUNT; i++) n += e->coder.bits[i];
  return n;
}

/* What comes behind the trap under way. */
static void put_behind(oct_shadow_encoder *e, oct_behind_trap behind) {
  oct_coder_raw(&e->coder, behind, OCT_BEHIND_BITS);
  oct_coder_trap(&e->coder);
  e->is_in_trap = false;
}

/* The period ends before its next instruction. */
static void end_period(oct_shadow_encoder *e) {
  oct_coder *c = &e->coder;
  if (!e->is_open) return;
  if (e->is_in_trap)
    put_behind(e, OCT_BEHIND_END);
  else
    put_escape(e, OCT_ESCAPE_END);
  if (e->at != OCT_ENTRY_NONE) {
    oct_step_leave(&e->model, e->entry);
    e->model.base = e->entry->addr;
  }
  oct_coder_end(c);
  e->is_open = false;
  /* Bits at the end that need not be sent were counted as sent: of the escape. */
  uint64_t sent = 8 * (e->taken + c->n - e->begun_bytes), bits = counted_bits(e) - e->begun_bits;
  if (bits > sent) c->bits[OCT_SC_PERIOD] -= bits - sent;
}

static void begin_period(oct_shadow_encoder *e, oct_frame_kind kind) {
  put_mark(e, kind);
  if (kind == OCT_FRAME_SYNC) {
    if (!e->model.cfg.sync_keeps) oct_shadow_model_reset(&e->model);
    e->counts.syncs++;
    if (e->model.cfg.sync_insns) e->next_sync = e->n_insns + e->model.cfg.sync_insns;
  }
  oct_coder_begin(&e->coder);
  e->begun_bytes = e->taken + e->coder.n;
  if (kind == OCT_FRAME_SYNC) e->synced_bytes = e->begun_bytes;
  e->begun_bits = counted_bits(e);
  e->is_open = true;
  e->at = OCT_ENTRY_NONE;
  e->due_insn = 0;
}

static bool is_sync_due(const oct_shadow_encoder *e) {
  const oct_shadow_config *cfg = &e->model.cfg;
  if (cfg->sync_insns && e->n_insns >= e->next_sync) return true;
  return cfg->sync_bits && 8 * (e->taken + e->coder.n - e->synced_bytes) >= cfg->sync_bits;
}

static void put_task(oct_shadow_encoder *e, uint32_t task) {
  oct_coder_item(&e->coder);
  oct_coder_wide(&e->coder);
  oct_coder_raw(&e->coder, task, e->model.cfg.task_bits);
  oct_coder_item(&e->coder);
  oct_shadow_switch(&e->model, e->task, task);
  e->task = task;
}

/* From the last trap to this instruction. */
static void leave_trap(oct_shadow_encoder *e, const oct_insn *insn) {
  oct_shadow_model *m = &e->model;
  const oct_map_entry *entry = e->at == OCT_ENTRY_NONE ? NULL : e->entry;
  bool is_same_task = insn->task == e->task;
  e->coder.category = OCT_SC_PERIOD;
  put_behind(e, is_same_task ? OCT_BEHIND_INSN : OCT_BEHIND_TASK);
  if (!is_same_task) put_task(e, insn->task);
  if (entry) oct_step_leave(m, entry);
  oct_code_target(m, &e->coder, OCT_SC_PERIOD, entry ? oct_fall(m, entry) : m->base, insn->addr);
}

/* From the instruction that came last to this one. */
static void go_to(oct_shadow_encoder *e, const oct_insn *insn) {
  oct_shadow_model *m = &e->model;
  oct_coder *c = &e->coder;
  if (e->is_in_trap) {
    leave_trap(e, insn);
    return;
  }
  if (e->at == OCT_ENTRY_NONE) {
    if (insn->task != e->task) {
      put_escape(e, OCT_ESCAPE_TASK);
      put_task(e, insn->task);
    }
    oct_code_target(m, c, OCT_SC_PERIOD, m->base, insn->addr);
    return;
  }
  const oct_map_entry *entry = e->entry;
  bool is_same_task = insn->task == e->task, has_control = oct_has_control(m, entry);
  if (is_same_task && has_control && oct_can_follow(m, entry, e->done, insn->addr)) {
    uint64_t n_symbols = c->n_symbols;
    oct_step_control(m, c, entry, e->done, insn->addr);
    c->run += c->n_symbols == n_symbols;
  } else if (is_same_task && !has_control && oct_linear_next(m, entry) == insn->addr) {
    oct_step_linear(m, entry);
    c->run++;
  } else {
    put_escape(e, is_same_task ? OCT_ESCAPE_JUMP : OCT_ESCAPE_TASK);
    if (!is_same_task) put_task(e, insn->task);
    oct_step_jump(m, c, entry, insn->addr);
  }
}

/* Accesses of an instruction that may leave some out, or make others than its entry says. */
static void put_any_accesses(oct_shadow_encoder *e, const oct_insn *insn,
                             const oct_access *accesses) {
  oct_coder *c = &e->coder;
  const oct_map_entry *entry = e->entry;
  const oct_map *map = e->plans.map;
  unsigned n = insn->n_access;
  bool is_partial = false;
  if (n != entry->n_slots && !(entry->flags & OCT_MAP_VARIABLE) &&
      (n || !(entry->flags & OCT_MAP_CONDITIONAL))) {
    is_partial = true;
    put_escape(e, OCT_ESCAPE_PARTIAL);
    oct_coder_raw(c, n, OCT_COUNT_BITS);
    oct_coder_item(c);
  }
  if (oct_exceeds(entry, n)) {
    oct_exceed(&e->exceeding, entry);
    e->entry = entry = &e->exceeding;
    e->due_insn = 0; /* where it goes is no matter of its plan */
    map = NULL;
  }
  for (unsigned i = 0; i < n; i++) e->addr[i] = accesses[i].addr;
  e->done = oct_step_data(&e->model, c, map, entry, e->addr, &n, is_partial);
}

OCT_INLINE void put_accesses(oct_shadow_encoder *e, const oct_entry_plan *plan,
                             const oct_insn *insn, const oct_access *accesses) {
  e->done = OCT_DONE_YES;
  if (!plan->has_data && !insn->n_access) {
    oct_step_planned(&e->model, plan, e->entry);
  } else if (plan->kind >= OCT_PLAN_ONE && insn->n_access == 1) {
    uint64_t addr = accesses->addr;
    oct_step_one(&e->model, &e->coder, plan, e->entry, &addr);
  } else {
    put_any_accesses(e, insn, accesses);
  }
}

/* Changes of the map that hold from this instruction on; those that are too early stay. */
static int take_updates(oct_shadow_encoder *e) {
  while (e->waiting_at < e->n_waiting && e->waiting[e->waiting_at].from_insn <= e->n_insns)
    if (oct_plans_put(&e->plans, &e->waiting[e->waiting_at++].entry) < 0) return OCT_ERR_NOMEM;
  if (e->waiting_at == e->n_waiting) e->waiting_at = e->n_waiting = 0;
  return 0;
}

/* Say what of an instruction cannot be sent. Its accesses come last: NULL where something else is.
 */
static OCT_NO_INLINE int refuse(const oct_shadow_encoder *e, const oct_insn *insn,
                                const oct_access *accesses, oct_diag *diag) {
  const oct_shadow_config *cfg = &e->model.cfg;
  const oct_core_widths widths = {cfg->addr_bits, cfg->pc_align_bits, cfg->task_bits};
  return oct_core_check_insn(&widths, insn, accesses, e->n_insns, diag);
}

/* Can its address and its task be sent? */
static int check_insn(const oct_shadow_encoder *e, const oct_insn *insn, oct_diag *diag) {
  const oct_shadow_config *cfg = &e->model.cfg;
  const bool fits = insn->addr <= e->model.mask && !(insn->addr & oct_ones(cfg->pc_align_bits)) &&
                    (cfg->task_bits >= 32 || !(insn->task >> cfg->task_bits));
  return fits ? 0 : refuse(e, insn, NULL, diag);
}

/* And the addresses of its accesses? */
OCT_INLINE int check_accesses(const oct_shadow_encoder *e, const oct_insn *insn,
                              const oct_access *accesses, oct_diag *diag) {
  for (unsigned i = 0; i < insn->n_access; i++)
    if (accesses[i].addr > e->model.mask) return refuse(e, insn, accesses, diag);
  return 0;
}

static void put_sync(oct_shadow_encoder *e, uint32_t task) {
  end_period(e);
  e->task = task;
  begin_period(e, OCT_FRAME_SYNC);
}

/* How many bytes a value has, then these. */
static void put_trap_value(oct_coder *c, uint64_t v) {
  unsigned n = v ? (71 - (unsigned)__builtin_clzll(v)) / 8 : 0;
  oct_coder_raw(c, n, OCT_TRAP_BYTES_BITS);
  oct_coder_raw(c, v, 8 * n);
}

int oct_shadow_encoder_trap(oct_shadow_encoder *e, const oct_trap *trap, oct_diag *diag) {
  oct_coder *c = &e->coder;
  if (!e->counts.packets) begin_period(e, OCT_FRAME_SYNC);
  c->category = OCT_SC_PERIOD;
  if (e->is_in_trap)
    put_behind(e, OCT_BEHIND_TRAP);
  else
    put_escape(e, OCT_ESCAPE_TRAP);
  oct_coder_raw(c, trap->kind, OCT_TRAP_KIND_BITS);
  oct_coder_raw(c, trap->privilege, OCT_TRAP_PRIVILEGE_BITS);
  if (trap->kind != OCT_TRAP_PRIVILEGE) {
    uint64_t next = e->at == OCT_ENTRY_NONE ? e->model.base
                                            : oct_fall(&e->model, oct_map_at(e->plans.map, e->at));
    oct_coder_raw(c, trap->cause, e->model.cfg.cause_bits);
    oct_coder_raw(c, trap->addr == next, 1);
    if (trap->addr != next) put_trap_value(c, trap->addr);
  }
  if (trap->kind == OCT_TRAP_EXCEPTION) put_trap_value(c, trap->tval);
  e->is_in_trap = true;
  e->privilege = trap->privilege;
  e->counts.traps++;
  return c->is_full ? oct_fail(diag, OCT_ERR_NOMEM, "no memory for port bytes") : 0;
}

/* insn came, whose address and task can be sent. */
static int arrive_any(oct_shadow_encoder *e, const oct_insn *insn, oct_diag *diag) {
  const bool is_due = e->n_insns >= e->due_insn || e->coder.n >= e->due_bytes;
  if (is_due && !e->coder.log && (!e->counts.packets || is_sync_due(e))) put_sync(e, insn->task);
  go_to(e, insn);
  if (is_due) {
    if (e->n_waiting && take_updates(e))
      return oct_fail(diag, OCT_ERR_NOMEM, "no memory for the program map");
    oct_shadow_encoder_set_dues(e);
  }
  e->at = oct_plans_find(&e->plans, e->at, insn->addr);
  if (e->at == OCT_ENTRY_NONE) {
    e->due_insn = 0;
    return oct_fail(diag, OCT_ERR_MAP, "no map entry for the instruction at %#llx",
                    (unsigned long long)insn->addr);
  }
  e->entry = oct_map_at(e->plans.map, e->at);
  return 0;
}

/* The same, in short where nothing is due and insn is seen again after the one before. */
OCT_INLINE int arrive(oct_shadow_encoder *e, const oct_insn *insn, oct_diag *diag) {
  if (e->n_insns < e->due_insn && e->coder.n < e->due_bytes && insn->task == e->task) {
    const oct_entry_plan *plan = &e->plans.of[e->at];
    uint32_t next = oct_plans_expect(&e->plans, plan, insn->addr);
    if (next != OCT_ENTRY_NONE) {
      if (plan->is_straight && insn->addr == plan->fall && !e->is_in_trap &&
          !e->model.delayed.stage)
        e->coder.run++;
      else
        go_to(e, insn);
      e->at = next;
      e->entry = oct_map_at(e->plans.map, next);
      return 0;
    }
  }
  int error = check_insn(e, insn, diag);
  return error ? error : arrive_any(e, insn, diag);
}

OCT_INLINE void take(oct_shadow_encoder *e, const oct_insn *insn, const oct_access *accesses) {
  put_accesses(e, &e->plans.of[e->at], insn, accesses);
  if (e->model.cfg.timestamp) {
    uint64_t cycle = insn->cycle;
    oct_step_time(&e->model, &e->coder, insn->addr, insn->n_access,
                  insn->flags & OCT_INSN_HAS_CYCLE, &cycle);
  }
  e->n_insns++;
}

/* So many were taken. */
static int count(oct_shadow_encoder *e, uint64_t n_insns, uint64_t n_accesses, oct_diag *diag) {
  e->counts.insns += n_insns;
  e->counts.accesses += n_accesses;
  return e->coder.is_full ? oct_fail(diag, OCT_ERR_NOMEM, "no memory for port bytes") : 0;
}

int oct_shadow_encoder_arrive(oct_shadow_encoder *e, const oct_insn *insn, oct_diag *diag) {
  return arrive(e, insn, diag);
}

int oct_shadow_encoder_access(oct_shadow_encoder *e, const oct_insn *insn,
                              const oct_access *accesses, oct_diag *diag) {
  take(e, insn, accesses);
  return count(e, 1, insn->n_access, diag);
}

int oct_shadow_encoder_put(oct_shadow_encoder *e, const oct_tracer_input *in, oct_diag *diag) {
  const oct_access *accesses = in->accesses;
  int error = oct_shadow_encoder_updates(e, in->updates, in->n_updates, diag);
  const size_t n_traps = e->model.cfg.traps ? in->n_traps : 0;
  size_t i = 0, t = 0;
  while (!error && (i < in->n_insns || t < n_traps)) {
    size_t end = t < n_traps ? in->traps[t].insn : in->n_insns;
    for (; i < end; i++) {
      const oct_insn *insn = &in->insns[i];
      error = check_accesses(e, insn, accesses, diag);
      if (!error) error = arrive(e, insn, diag);
      if (error) break;
      take(e, insn, accesses);
      accesses += insn->n_access;
    }
    if (error || t == n_traps) break;
    error = oct_shadow_encoder_check_trap(e, &in->traps[t], diag);
    if (!error) error = oct_shadow_encoder_trap(e, &in->traps[t++], diag);
  }
  int full = count(e, i, (uint64_t)(accesses - in->accesses), error ? NULL : diag);
  return error ? error : full;
}

int oct_shadow_encoder_lose(oct_shadow_encoder *e, uint64_t n_insns, uint64_t n_accesses,
                            bool is_cut, oct_diag *diag) {
  end_period(e);
  e->lost_insns = n_insns;
  e->lost_accesses = n_accesses;
  begin_period(e, is_cut ? OCT_FRAME_OVERFLOW_CUT : OCT_FRAME_OVERFLOW);
  e->n_insns += n_insns;
  oct_shadow_forget_all(&e->model);
  return e->coder.is_full ? oct_fail(diag, OCT_ERR_NOMEM, "no memory for port bytes") : 0;
}

int oct_shadow_encoder_flush(oct_shadow_encoder *e, oct_diag *diag) {
  if (!e->counts.packets) begin_period(e, OCT_FRAME_SYNC);
  end_period(e);
  begin_period(e, OCT_FRAME_FLUSH);
  return e->coder.is_full ? oct_fail(diag, OCT_ERR_NOMEM, "no memory for port bytes") : 0;
}

int oct_shadow_encoder_end(oct_shadow_encoder *e, oct_diag *diag) {
  end_period(e);
  e->at = OCT_ENTRY_NONE;
  e->due_insn = 0;
  return e->coder.is_full ? oct_fail(diag, OCT_ERR_NOMEM, "no memory for port bytes") : 0;
}

int oct_shadow_encoder_sync(oct_shadow_encoder *e, uint32_t task, oct_diag *diag) {
  put_sync(e, task);
  return e->coder.is_full ? oct_fail(diag, OCT_ERR_NOMEM, "no memory for port bytes") : 0;
}

size_t oct_shadow_encoder_take(oct_shadow_encoder *e, const uint8_t **bytes) {
  oct_coder *c = &e->coder;
  uint8_t *out = e->out;
  size_t n = c->n, room = e->room_out;
  check_bytes(e);
  e->out = c->bytes;
  e->room_out = c->room;
  c->bytes = out;
  c->room = room;
  c->n = e->crc_at = 0;
  e->taken += n;
  e->due_insn = 0;
  *bytes = e->out;
  return n;
}

void oct_shadow_encoder_counts(const oct_shadow_encoder *e, oct_shadow_counts *counts) {
  *counts = e->counts;
  uint64_t known = counts->mark_bits + counted_bits(e), all = 8 * (e->taken + e->coder.n);
  memcpy(counts->category_bits, e->coder.bits, sizeof counts->category_bits);
  counts->overhead_bits = all > known ? all - known : 0;
  counts->stats = e->model.stats;
  counts->symbols = e->coder.n_symbols;
}
