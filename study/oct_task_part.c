/* SPDX-License-Identifier: Apache-2.0 */
/* oct_task_part.c - one task's part of a trace, the same however the tasks took turns.
 *
 * Numbers of instructions are kept as runs of the task's instructions without one of another task
 * in between. Runs that are done with are dropped at the front. */
#include "oct_task_part.h"

#include <string.h>

#include "oct_grow.h"
#include "oct_slide.h"

typedef struct part_run {
  uint64_t first, at; /* number of its first instruction in the part, in the trace */
} part_run;

struct oct_task_part {
  uint32_t task;
  bool was_kept; /* the last instruction of the trace so far */
  uint8_t privilege, kept_privilege;
  uint64_t n_insns, n_kept;
  part_run *runs;
  size_t runs_room, runs_from, runs_to;
  oct_trap *waiting; /* since the last instruction */
  size_t n_waiting, waiting_room;
  /* the kept batch */
  oct_insn *insns;
  oct_access *accesses;
  oct_trap *traps;
  oct_fact *facts;
  size_t insns_room, accesses_room, traps_room, facts_room;
};

/* ---- lists of tasks ---- */

int oct_task_list_add(oct_task_list *l, const oct_batch *batch) {
  for (size_t i = 0; i < batch->n_insns; i++) {
    const uint32_t task = batch->insns[i].task;
    if (l->n && l->tasks[l->recent] == task) continue;
    size_t k = 0;
    while (k < l->n && l->tasks[k] != task) k++;
    l->recent = k;
    if (k < l->n) continue;
    uint32_t *grown = oct_grown(l->tasks, &l->room, l->n + 1, sizeof *grown);
    if (!grown) return OCT_ERR_NOMEM;
    l->tasks = grown;
    l->tasks[l->n++] = task;
  }
  return 0;
}

static size_t find(const oct_task_list *l, uint32_t task) {
  for (size_t k = 0; k < l->n; k++)
    if (l->tasks[k] == task) return k;
  return SIZE_MAX;
}

void oct_task_list_free(oct_task_list *l) {
  free(l->tasks);
  *l = (oct_task_list){0};
}

bool oct_task_list_match(const oct_task_list *one, const oct_task_list *other, size_t *of_one,
                         size_t *of_other) {
  size_t n_both = 0;
  for (size_t i = 0; i < one->n; i++) {
    of_one[i] = find(other, one->tasks[i]);
    n_both += of_one[i] != SIZE_MAX;
  }
  for (size_t i = 0; i < other->n; i++) of_other[i] = find(one, other->tasks[i]);
  if (n_both == one->n || n_both == other->n) return true;
  for (size_t i = 0; i < one->n; i++) of_one[i] = i < other->n ? i : SIZE_MAX;
  for (size_t i = 0; i < other->n; i++) of_other[i] = i < one->n ? i : SIZE_MAX;
  return false;
}

/* ---- the part of a task ---- */

oct_task_part *oct_task_part_new(uint32_t task) {
  oct_task_part *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->task = task;
  p->privilege = p->kept_privilege = OCT_PRIVILEGE_UNKNOWN;
  return p;
}

void oct_task_part_free(oct_task_part *p) {
  if (!p) return;
  free(p->runs);
  free(p->waiting);
  free(p->insns);
  free(p->accesses);
  free(p->traps);
  free(p->facts);
  free(p);
}

static int wait_with(oct_task_part *p, const oct_trap *trap) {
  p->privilege = trap->privilege;
  if (trap->kind == OCT_TRAP_PRIVILEGE) return 0;
  oct_trap *grown = oct_grown(p->waiting, &p->waiting_room, p->n_waiting + 1, sizeof *grown);
  if (!grown) return OCT_ERR_NOMEM;
  p->waiting = grown;
  p->waiting[p->n_waiting++] = *trap;
  return 0;
}

static int keep_traps(oct_task_part *p, oct_batch *kept) {
  oct_trap *grown =
      oct_grown(p->traps, &p->traps_room, kept->n_traps + p->n_waiting + 1, sizeof *grown);
  if (!grown) return OCT_ERR_NOMEM;
  p->traps = grown;
  for (size_t i = 0; i < p->n_waiting; i++) {
    p->kept_privilege = p->waiting[i].privilege;
    grown[kept->n_traps] = p->waiting[i];
    grown[kept->n_traps++].insn = (uint32_t)kept->n_insns;
  }
  if (p->kept_privilege != p->privilege)
    grown[kept->n_traps++] = (oct_trap){
        .insn = (uint32_t)kept->n_insns, .kind = OCT_TRAP_PRIVILEGE, .privilege = p->privilege};
  p->kept_privilege = p->privilege;
  return 0;
}

static int begin_run(oct_task_part *p, uint64_t first, uint64_t at) {
  void *runs = p->runs;
  if (oct_slide_room(&runs, sizeof *p->runs, &p->runs_room, &p->runs_from, &p->runs_to, 1))
    return OCT_ERR_NOMEM;
  p->runs = runs;
  p->runs[p->runs_to++] = (part_run){first, at};
  return 0;
}

static int make_room(oct_task_part *p, const oct_batch *batch) {
  oct_insn *insns = oct_grown(p->insns, &p->insns_room, batch->n_insns, sizeof *insns);
  if (insns) p->insns = insns;
  oct_access *accesses =
      oct_grown(p->accesses, &p->accesses_room, batch->n_accesses, sizeof *accesses);
  if (accesses) p->accesses = accesses;
  oct_fact *facts = oct_grown(p->facts, &p->facts_room, batch->n_facts, sizeof *facts);
  if (facts) p->facts = facts;
  return insns && accesses && facts ? 0 : OCT_ERR_NOMEM;
}

static int keep_insn(oct_task_part *p, const oct_insn *insn, const oct_access *accesses,
                     uint64_t at, oct_batch *kept) {
  const bool has_traps = p->n_waiting || p->kept_privilege != p->privilege;
  int error = has_traps ? keep_traps(p, kept) : 0;
  if (!error && !p->was_kept) error = begin_run(p, p->n_kept + kept->n_insns, at);
  if (error) return error;
  p->insns[kept->n_insns++] = *insn;
  if (insn->n_access)
    memcpy(p->accesses + kept->n_accesses, accesses, insn->n_access * sizeof *p->accesses);
  kept->n_accesses += insn->n_access;
  return 0;
}

static void keep_fact(oct_task_part *p, const oct_fact *fact, oct_batch *kept) {
  p->facts[kept->n_facts] = *fact;
  p->facts[kept->n_facts++].insn = (uint32_t)kept->n_insns;
}

int oct_task_part_put(oct_task_part *p, const oct_batch *batch, oct_batch *kept) {
  static const oct_batch none;
  const bool is_end = !batch;
  if (is_end) batch = &none;
  const oct_access *accesses = batch->accesses;
  size_t trap = 0, fact = 0;
  int error = make_room(p, batch);
  *kept = (oct_batch){.map = batch->map,
                      .n_map = batch->n_map,
                      .values = batch->values,
                      .n_values = batch->n_values};
  for (size_t i = 0; i < batch->n_insns && !error; i++) {
    const oct_insn *insn = &batch->insns[i];
    while (trap < batch->n_traps && batch->traps[trap].insn <= i && !error)
      error = wait_with(p, &batch->traps[trap++]);
    const bool is_kept = insn->task == p->task;
    for (; fact < batch->n_facts && batch->facts[fact].insn <= i; fact++)
      if (is_kept && !error) keep_fact(p, &batch->facts[fact], kept);
    if (is_kept && !error) error = keep_insn(p, insn, accesses, p->n_insns + i, kept);
    p->n_waiting = 0;
    p->was_kept = is_kept;
    accesses += insn->n_access;
  }
  while (trap < batch->n_traps && !error) error = wait_with(p, &batch->traps[trap++]);
  for (; p->was_kept && !error && fact < batch->n_facts; fact++)
    keep_fact(p, &batch->facts[fact], kept);
  if (is_end && p->was_kept && !error) error = keep_traps(p, kept);
  p->n_insns += batch->n_insns;
  p->n_kept += kept->n_insns;
  kept->insns = p->insns;
  kept->accesses = p->accesses;
  kept->traps = p->traps;
  kept->facts = p->facts;
  return error;
}

uint64_t oct_task_part_number(const oct_task_part *p, uint64_t n) {
  size_t low = p->runs_from, high = p->runs_to;
  const bool is_next = n && n == p->n_kept;
  n -= is_next;
  while (low + 1 < high) {
    const size_t middle = (low + high) / 2;
    if (p->runs[middle].first <= n)
      low = middle;
    else
      high = middle;
  }
  return low < p->runs_to ? p->runs[low].at + (n - p->runs[low].first) + is_next : n;
}

void oct_task_part_forget(oct_task_part *p, uint64_t forget) {
  while (p->runs_from + 1 < p->runs_to && p->runs[p->runs_from + 1].first <= forget) p->runs_from++;
}
