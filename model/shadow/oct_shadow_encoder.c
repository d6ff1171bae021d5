/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_encoder.c - the compressor of `shadow`, untimed: cuts the trace into periods, finds
 * the program map's entry of each instruction, and takes it through the model (oct_shadow_step.h).
 * An instruction's accesses are coded when it comes, its successor when that comes.
 *
 * An engine with time takes the same steps one by one, and asks what they cost. */
#include "oct_shadow_encoder.h"

#include "oct_core.h"
#include "oct_crc.h"
#include "oct_encoder_base.h"
#include "oct_mask.h"
#include "oct_shadow_encode.h"
#include "oct_shadow_frame.h"

#define OCT_SHADOW_CODER oct_encode
#define OCT_SHADOW_DECODES 0
#include "oct_shadow_step.h"
#undef OCT_SHADOW_CODER
#undef OCT_SHADOW_DECODES

#include <stdlib.h>
#include <string.h>

/* Room for changes of the map that stays between them. */
enum { WAITING_KEPT = 256 };

struct oct_shadow_encoder {
  oct_shadow_model model;
  oct_encode coder;
  oct_plans plans;
  uint64_t n_insns; /* that came, lost ones included */
  /* Before this instruction, and before the coder has so many bytes, no sync is due and no change
   * of the map. 0 where no instruction is at hand. */
  uint64_t due_insn;
  size_t due_bytes;
  uint64_t lost_insns, lost_accesses; /* of the overflow that is being told */
  uint64_t next_sync;
  uint32_t task;
  bool has_syncs;                   /* its own: put ends periods, not the caller */
  bool is_open;                     /* a period is under way */
  bool is_in_trap;                  /* what comes behind the last trap is still to be said */
  uint8_t privilege;                /* from the last trap on, for marks */
  uint64_t begun_bytes, begun_bits; /* port bytes before it; bits that were accounted for */
  uint64_t synced_bytes;            /* port bytes before the period of the last sync */
  uint32_t at;                /* entry of the instruction that came last in this period, or none */
  const oct_map_entry *entry; /* the same, until the next change of the map, */
  oct_map_entry exceeding;    /* or this one, if the instruction exceeded that */
  oct_shadow_done done;
  uint64_t taken; /* bytes handed out */
  uint32_t crc;   /* of the period's bytes before crc_at, the mark's included */
  size_t crc_at;  /* in the coder's bytes */
  uint8_t *out;   /* bytes handed out last */
  size_t room_out;
  oct_map_update *waiting; /* changes of the map whose instruction did not come yet */
  size_t waiting_at, n_waiting, room_waiting;
  oct_step_addrs addrs; /* of the instruction at hand */
  oct_shadow_counts counts;
};

int oct_shadow_encoder_new(const oct_shadow_config *cfg, bool has_syncs, oct_shadow_encoder **out,
                           oct_diag *diag) {
  oct_shadow_encoder *e = calloc(1, sizeof *e);
  *out = NULL;
  if (!e) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for an encoder");
  e->has_syncs = has_syncs;
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
  free(e->addrs.of);
  free(e);
}

static void put_sevens(oct_encode *c, uint64_t v, unsigned n_bytes) {
  for (; n_bytes--; v >>= 7) oct_encode_put(c, v & 127);
}

static void check_bytes(oct_shadow_encoder *e) {
  const oct_encode *c = &e->coder;
  if (e->model.cfg.check && c->n > e->crc_at)
    e->crc = oct_crc_bytes(16, e->crc, c->bytes + e->crc_at, c->n - e->crc_at);
  e->crc_at = c->n;
}

/* A mark: closes what was, begins a period. */
static void put_mark(oct_shadow_encoder *e, oct_frame_kind kind) {
  oct_encode *c = &e->coder;
  const oct_shadow_config *cfg = &e->model.cfg;
  size_t before = c->n;
  check_bytes(e);
  uint32_t check = oct_mark_check(e->crc, kind);
  e->crc = 0;
  for (unsigned i = 0; i < OCT_MARK_ONES; i++) oct_encode_put(c, 0xff);
  oct_encode_put(c, (uint8_t)(kind << 1));
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
  if (c->log) oct_encode_log_bytes(c); /* they go past the coder */
}

/* That takes effect with the instruction at hand, or before the first of a period. */
static void put_escape(oct_shadow_encoder *e, oct_escape kind) {
  oct_encode *c = &e->coder;
  c->category = kind == OCT_ESCAPE_JUMP      ? OCT_SC_ESCAPE
                : kind == OCT_ESCAPE_PARTIAL ? OCT_SC_DONE
                                             : OCT_SC_PERIOD;
  e->model.stats.escapes++;
  oct_encode_escape(c, kind, e->at == OCT_ENTRY_NONE ? 0 : c->run + 1);
}

static uint64_t counted_bits(const oct_shadow_encoder *e) {
  uint64_t n = 0;
  for (unsigned i = 0; i < OCT_SC_COUNT; i++) n += e->coder.bits[i];
  return n;
}

/* What comes behind the trap under way. */
static void put_behind(oct_shadow_encoder *e, oct_behind_trap behind) {
  oct_encode_raw(&e->coder, behind, OCT_BEHIND_BITS);
  oct_encode_trap(&e->coder);
  e->is_in_trap = false;
}

/* The period ends before its next instruction. */
static void end_period(oct_shadow_encoder *e) {
  oct_encode *c = &e->coder;
  if (!e->is_open) return;
  if (e->is_in_trap)
    put_behind(e, OCT_BEHIND_END);
  else
    put_escape(e, OCT_ESCAPE_END);
  if (e->at != OCT_ENTRY_NONE) {
    oct_step_leave(&e->model, e->entry);
    e->model.base = e->entry->addr;
  }
  oct_encode_end(c);
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
  oct_encode_begin(&e->coder);
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
  oct_encode_item(&e->coder);
  oct_encode_wide(&e->coder);
  oct_encode_raw(&e->coder, task, e->model.cfg.task_bits);
  oct_encode_item(&e->coder);
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
  oct_encode *c = &e->coder;
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
  oct_encode *c = &e->coder;
  const oct_map_entry *entry = e->entry;
  const oct_map *map = e->plans.map;
  unsigned n = insn->n_access;
  bool is_partial = false;
  if (n != entry->n_slots && !(entry->flags & OCT_MAP_VARIABLE) &&
      (n || !(entry->flags & OCT_MAP_CONDITIONAL))) {
    is_partial = true;
    put_escape(e, OCT_ESCAPE_PARTIAL);
    oct_encode_raw(c, n, OCT_COUNT_BITS);
    oct_encode_item(c);
  }
  if (oct_exceeds(entry, n)) {
    oct_exceed(&e->exceeding, entry);
    e->entry = entry = &e->exceeding;
    e->due_insn = 0; /* where it goes is no matter of its plan */
    map = NULL;
  }
  if (!oct_step_room(&e->addrs, n)) {
    c->is_full = true;
    return;
  }
  for (unsigned i = 0; i < n; i++) e->addrs.of[i] = accesses[i].addr;
  e->done = oct_step_data(&e->model, c, map, entry, &e->addrs, &n, is_partial);
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
  if (e->waiting_at < e->n_waiting) return 0;
  e->waiting_at = e->n_waiting = 0;
  if (e->room_waiting > WAITING_KEPT) { /* a whole program's */
    free(e->waiting);
    e->waiting = NULL;
    e->room_waiting = 0;
  }
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
  const bool fits = insn->addr <= e->model.mask && !(insn->addr & oct_mask(cfg->pc_align_bits)) &&
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
static void put_trap_value(oct_encode *c, uint64_t v) {
  unsigned n = oct_byte_width(v);
  oct_encode_raw(c, n, OCT_TRAP_BYTES_BITS);
  oct_encode_raw(c, v, 8 * n);
}

int oct_shadow_encoder_trap(oct_shadow_encoder *e, const oct_trap *trap, oct_diag *diag) {
  oct_encode *c = &e->coder;
  if (!e->counts.packets) begin_period(e, OCT_FRAME_SYNC);
  c->category = OCT_SC_PERIOD;
  if (e->is_in_trap)
    put_behind(e, OCT_BEHIND_TRAP);
  else
    put_escape(e, OCT_ESCAPE_TRAP);
  oct_encode_raw(c, trap->kind, OCT_TRAP_KIND_BITS);
  oct_encode_raw(c, trap->privilege, OCT_TRAP_PRIVILEGE_BITS);
  if (trap->kind != OCT_TRAP_PRIVILEGE) {
    uint64_t next = e->at == OCT_ENTRY_NONE
                        ? e->model.base
                        : oct_fall(&e->model, oct_map_entry_at(e->plans.map, e->at));
    oct_encode_raw(c, trap->cause, e->model.cfg.cause_bits);
    oct_encode_raw(c, trap->addr == next, 1);
    if (trap->addr != next) put_trap_value(c, trap->addr);
  }
  if (trap->kind == OCT_TRAP_EXCEPTION) put_trap_value(c, trap->tval);
  e->is_in_trap = true;
  e->privilege = trap->privilege;
  e->counts.traps++;
  return c->is_full ? oct_fail(diag, OCT_ERR_NOMEM, "no memory for port bytes") : 0;
}

/* due_insn and due_bytes, from what is known now. */
static void set_dues(oct_shadow_encoder *e) {
  const oct_shadow_config *cfg = &e->model.cfg;
  e->due_insn = e->n_waiting ? e->waiting[e->waiting_at].from_insn : UINT64_MAX;
  if (e->has_syncs && cfg->sync_insns && e->next_sync < e->due_insn) e->due_insn = e->next_sync;
  e->due_bytes = SIZE_MAX;
  if (e->has_syncs && cfg->sync_bits) {
    uint64_t at = e->synced_bytes + (cfg->sync_bits + UINT64_C(7)) / 8;
    e->due_bytes = at > e->taken ? (size_t)(at - e->taken) : 0;
  }
}

/* insn came, whose address and task can be sent. */
static int arrive_any(oct_shadow_encoder *e, const oct_insn *insn, oct_diag *diag) {
  const bool is_due = e->n_insns >= e->due_insn || e->coder.n >= e->due_bytes;
  if (is_due && e->has_syncs && (!e->counts.packets || is_sync_due(e))) put_sync(e, insn->task);
  go_to(e, insn);
  if (is_due) {
    if (e->n_waiting && take_updates(e))
      return oct_fail(diag, OCT_ERR_NOMEM, "no memory for the program map");
    set_dues(e);
  }
  e->at = oct_plans_find(&e->plans, e->at, insn->addr);
  if (e->at == OCT_ENTRY_NONE) {
    e->due_insn = 0;
    return oct_fail(diag, OCT_ERR_MAP, "no map entry for the instruction at %#llx",
                    (unsigned long long)insn->addr);
  }
  e->entry = oct_map_entry_at(e->plans.map, e->at);
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
      e->entry = oct_map_entry_at(e->plans.map, next);
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
  oct_encode *c = &e->coder;
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

/* ---- For the engine with time ---- */

void oct_shadow_encoder_log(oct_shadow_encoder *e, oct_coder_log *log) {
  e->coder.log = log;
}

void oct_shadow_encoder_pass(oct_shadow_encoder *e) {
  oct_encode_log_item(&e->coder, 0, false);
}

void oct_shadow_encoder_privilege(oct_shadow_encoder *e, uint8_t privilege) {
  e->privilege = privilege;
}

/* Further cycles in which n words from addr on are freed: two in a cycle, but one behind which the
 * next one is the first of vc_sets in a row. */
static uint32_t further_cycles(const oct_shadow_model *m, uint64_t addr, unsigned n) {
  const uint32_t last = m->cfg.vc_sets - 1;
  uint32_t cycles = 0;
  if (!m->cfg.vc_sets) return 0;
  for (uint64_t word = addr >> m->word_log2;; cycles++) {
    const unsigned freed = (word & last) == last ? 1 : 2;
    if (n <= freed) return cycles;
    n -= freed;
    word += freed;
  }
}

uint32_t oct_shadow_encoder_frees(const oct_shadow_encoder *e, const oct_insn *insn,
                                  const oct_access *accesses, uint32_t i) {
  const oct_shadow_model *m = &e->model;
  const oct_map_entry *entry = oct_map_entry_at(e->plans.map, e->at);
  uint64_t addr = m->due.addr;
  unsigned size = 0, word_bytes = 1u << m->word_log2;
  if (i < insn->n_access) {
    uint8_t slot = oct_exceeds(entry, insn->n_access) ? oct_exceeding_slot(entry, i)
                                                      : oct_map_slot(e->plans.map, &entry->head, i);
    unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    if (slot & OCT_SLOT_STORE) size = log2_size == OCT_SLOT_SIZE_UNKNOWN ? 8 : 1u << log2_size;
    addr = accesses[i].addr;
  } else if (!oct_has_data(entry)) {
    size = m->due.is_valid ? word_bytes : 0;
  }
  if (!size) return 0;
  return further_cycles(m, addr,
                        (((unsigned)(addr & (word_bytes - 1)) + size - 1) >> m->word_log2) + 1);
}

bool oct_shadow_encoder_stamp_is_due(const oct_shadow_encoder *e) {
  return e->model.cfg.timestamp && !e->model.time.left_insns;
}

void oct_shadow_encoder_item(oct_shadow_encoder *e) {
  oct_encode_item(&e->coder);
}

bool oct_shadow_encoder_has_control(oct_shadow_encoder *e) {
  return oct_has_control(&e->model, e->entry);
}

int oct_shadow_encoder_updates(oct_shadow_encoder *e, const oct_map_update *updates, size_t n,
                               oct_diag *diag) {
  if (!n) return 0;
  /* Those that were taken leave once they are half of all. */
  const size_t n_left = e->n_waiting - e->waiting_at;
  if (e->waiting_at > n_left) {
    memmove(e->waiting, e->waiting + e->waiting_at, n_left * sizeof *e->waiting);
    e->n_waiting = n_left;
    e->waiting_at = 0;
  }
  if (e->n_waiting + n > e->room_waiting) {
    size_t room = e->n_waiting ? 2 * (e->n_waiting + n) : n;
    oct_map_update *p = realloc(e->waiting, room * sizeof *p);
    if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for the program map");
    e->waiting = p;
    e->room_waiting = room;
  }
  memcpy(e->waiting + e->n_waiting, updates, n * sizeof *updates);
  e->n_waiting += n;
  e->due_insn = 0;
  return 0;
}

int oct_shadow_encoder_check_trap(const oct_shadow_encoder *e, const oct_trap *trap,
                                  oct_diag *diag) {
  const oct_shadow_config *cfg = &e->model.cfg;
  return oct_core_check_trap(cfg->addr_bits, cfg->cause_bits, trap, e->n_insns, diag);
}
