/* SPDX-License-Identifier: Apache-2.0 */
/* oct_reader_flow.c - see oct_reader_flow.h. Of each task its last instruction is kept. What is
 * found is counted and told at the end: a log may also lack traps, and harts may be mixed up. */
#include "oct_reader_flow.h"

#include "oct_grow.h"

enum { TASKS_MAX = 256, MANY_SLOTS = 3 };

bool oct_flow_may_follow(const oct_map_entry *e, uint64_t pc) {
  if (!e->code_isa || (e->op.flags & OCT_EFFECT_DELAYED)) return true;
  const bool is_next = pc == e->addr + e->size_bytes;
  switch (e->cls) {
    case OCT_CLASS_COND_BRANCH:
      return is_next || pc == e->target;
    case OCT_CLASS_DIRECT_JUMP:
    case OCT_CLASS_DIRECT_CALL:
      return pc == e->target || (is_next && (e->flags & OCT_MAP_CONDITIONAL));
    case OCT_CLASS_OTHER:
      return is_next || (e->op.flags & OCT_EFFECT_SYSTEM) || !(e->op.flags & OCT_EFFECT_KNOWN) ||
             (pc == e->addr && (e->code_isa == OCT_ISA_X86 + 1 || /* a repeat prefix */
                                e->code_isa == OCT_ISA_X86_64 + 1));
    default:
      return true;
  }
}

/* What is kept of a task, made where it is new; NULL where there are too many or no memory. */
static oct_flow_task *task_of(oct_reader *r, uint32_t task) {
  for (size_t i = 0; i < r->n_flow_tasks; i++)
    if (r->flow_tasks[i].task == task) return &r->flow_tasks[i];
  if (r->n_flow_tasks == TASKS_MAX) return NULL;
  oct_flow_task *p = oct_grown(r->flow_tasks, &r->room_flow_tasks, r->n_flow_tasks + 1, sizeof *p);
  if (!p) return NULL;
  r->flow_tasks = p;
  p += r->n_flow_tasks++;
  *p = (oct_flow_task){.task = task};
  return p;
}

/* An instruction whose bytes say which accesses it makes. */
static void count_accesses(oct_reader *r, const oct_map_entry *e, unsigned n_access) {
  if (!e->n_slots || (e->flags & (OCT_MAP_CONDITIONAL | OCT_MAP_VARIABLE))) return;
  const bool is_bare = !n_access || (e->n_slots >= MANY_SLOTS && n_access < e->n_slots);
  r->n_with[is_bare][(e->slots[0] & OCT_SLOT_STORE) != 0]++;
}

int oct_flow_check(oct_reader *r, oct_diag *diag) {
  if (!r->format->is_log || !r->described) return 0;
  size_t trap = 0, fact = 0;
  for (size_t i = 0; i < r->n_insns; i++) {
    const oct_insn *insn = &r->insns[i];
    bool is_broken = false;
    for (; trap < r->n_traps && r->traps[trap].insn <= i; trap++) is_broken = true;
    for (; fact < r->n_facts && r->facts[fact].insn <= i; fact++)
      is_broken |= r->facts[fact].kind == OCT_FACT_GAP;
    oct_flow_task *t = task_of(r, insn->task);
    if (!t && r->n_flow_tasks < TASKS_MAX) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    if (!t) continue;
    if (t->has_last && !t->is_in_slot && !is_broken && !oct_flow_may_follow(&t->last, insn->addr) &&
        !r->n_breaks++)
      r->first_break = r->n_before + i;
    const uint32_t id = oct_map_find(r->described, insn->addr);
    t->is_in_slot = t->has_last && (t->last.op.flags & OCT_EFFECT_DELAYED);
    t->has_last = id != UINT32_MAX;
    if (!t->has_last) continue;
    oct_map_get(r->described, id, &t->last);
    count_accesses(r, &t->last, insn->n_access);
  }
  return 0;
}
