/* SPDX-License-Identifier: Apache-2.0 */
/* oct_select.c - the part of a trace that is selected by address, task, privilege and time.
 *
 * The ranges of a kind are sorted and joined before the next batch. Values come in runs, so the
 * range that held the last value is tried first. Traps that come after an instruction which is not
 * selected wait for the next instruction, which decides. Stores that are left out are gathered
 * until an instruction is selected. */
#include "oct_select.h"

#include <string.h>

#include "oct_changed.h"
#include "oct_grow.h"

typedef struct select_range {
  uint64_t first, last;
} select_range;

typedef struct select_set {
  select_range *ranges;
  size_t n, room, recent;
  bool is_awaited; /* without a range it has nothing, not all */
} select_set;

typedef struct select_task {
  uint32_t number;
  bool was_kept; /* its last instruction */
  bool goes_on;  /* one before was */
  uint64_t told; /* registers that were, as bits; not those of floating point */
} select_task;

struct oct_select {
  select_set sets[OCT_SELECT_KINDS];
  oct_select_counts counts;
  bool is_ready, was_kept, has_kept;
  uint64_t time;
  uint8_t privilege, kept_privilege; /* of the trace; as the kept traps have it */
  oct_trap *waiting;                 /* after an instruction that is not selected */
  size_t n_waiting, waiting_room;
  bool has_gap;                          /* likewise, */
  oct_fact gap;                          /* the last one, */
  uint8_t gap_bytes[OCT_FACT_GAP_BYTES]; /* and what it tells */
  oct_select_registers *registers;       /* NULL: values are left out */
  void *context;
  select_task *tasks;
  size_t n_tasks, tasks_room, task; /* task: the last one */
  oct_changed changed;              /* since the last instruction that is selected */
  /* the kept batch */
  oct_insn *insns;
  oct_access *accesses;
  oct_trap *traps;
  oct_fact *facts;
  oct_buffer values;
  oct_map_entry *map;
  size_t insns_room, accesses_room, traps_room, facts_room, map_room;
};

oct_select *oct_select_new(void) {
  oct_select *s = calloc(1, sizeof *s);
  if (s) s->privilege = s->kept_privilege = OCT_PRIVILEGE_UNKNOWN;
  return s;
}

void oct_select_free(oct_select *s) {
  if (!s) return;
  for (int i = 0; i < OCT_SELECT_KINDS; i++) free(s->sets[i].ranges);
  free(s->waiting);
  free(s->insns);
  free(s->accesses);
  free(s->traps);
  free(s->facts);
  oct_buffer_free(&s->values);
  free(s->tasks);
  oct_changed_free(&s->changed);
  free(s->map);
  free(s);
}

int oct_select_add(oct_select *s, oct_select_kind kind, uint64_t first, uint64_t last) {
  select_set *set = &s->sets[kind];
  select_range *grown = oct_grown(set->ranges, &set->room, set->n + 1, sizeof *grown);
  if (!grown) return OCT_ERR_NOMEM;
  set->ranges = grown;
  set->ranges[set->n++] = (select_range){first, last};
  s->is_ready = false;
  return 0;
}

void oct_select_await(oct_select *s, oct_select_kind kind) {
  s->sets[kind].is_awaited = true;
}

bool oct_select_is_active(const oct_select *s) {
  for (int i = 0; i < OCT_SELECT_KINDS; i++)
    if (s->sets[i].n) return true;
  return false;
}

oct_select_counts oct_select_get_counts(const oct_select *s) {
  return s->counts;
}

void oct_select_keep_values(oct_select *s, oct_select_registers *registers, void *context) {
  s->registers = registers;
  s->context = context;
}

static int compare(const void *a, const void *b) {
  const select_range *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

static void join(select_set *set) {
  size_t n = 0;
  if (set->n) qsort(set->ranges, set->n, sizeof *set->ranges, compare);
  for (size_t i = 0; i < set->n; i++) {
    select_range r = set->ranges[i];
    if (n && r.first <= set->ranges[n - 1].last) {
      if (r.last > set->ranges[n - 1].last) set->ranges[n - 1].last = r.last;
    } else {
      set->ranges[n++] = r;
    }
  }
  set->n = n;
  set->recent = 0;
}

static bool has(select_set *set, uint64_t value) {
  if (!set->n) return !set->is_awaited;
  const select_range *recent = &set->ranges[set->recent];
  if (recent->first <= value && value <= recent->last) return true;
  size_t low = 0, high = set->n; /* the last range that begins at or before value is below high */
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (set->ranges[middle].first <= value)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low || set->ranges[low - 1].last < value) return false;
  set->recent = low - 1;
  return true;
}

static bool is_selected(oct_select *s, const oct_insn *insn) {
  if (insn->flags & OCT_INSN_HAS_CYCLE) {
    s->time = insn->cycle;
    s->counts.has_stamps = true;
  }
  if (s->sets[OCT_SELECT_TIME].n && !s->counts.has_stamps) return false;
  return has(&s->sets[OCT_SELECT_ADDR], insn->addr) && has(&s->sets[OCT_SELECT_TASK], insn->task) &&
         has(&s->sets[OCT_SELECT_PRIVILEGE],
             s->privilege == OCT_PRIVILEGE_UNKNOWN ? 0 : s->privilege) &&
         has(&s->sets[OCT_SELECT_TIME], s->time);
}

static int keep_trap(oct_select *s, oct_batch *kept, const oct_trap *trap) {
  oct_trap *grown = oct_grown(s->traps, &s->traps_room, kept->n_traps + 1, sizeof *grown);
  if (!grown) return OCT_ERR_NOMEM;
  s->traps = grown;
  s->traps[kept->n_traps] = *trap;
  s->traps[kept->n_traps++].insn = (uint32_t)kept->n_insns;
  s->kept_privilege = trap->privilege;
  return 0;
}

/* bytes: NULL where they are not known. */
static int keep_value(oct_select *s, const uint8_t *bytes, size_t n, uint32_t *value) {
  *value = bytes ? (uint32_t)s->values.n_bytes + 1 : 0;
  return bytes ? oct_buffer_put(&s->values, bytes, n) : 0;
}

static int keep_fact(oct_select *s, oct_batch *kept, const oct_fact *fact, const uint8_t *bytes) {
  oct_fact *grown = oct_grown(s->facts, &s->facts_room, kept->n_facts + 1, sizeof *grown);
  if (!grown) return OCT_ERR_NOMEM;
  s->facts = grown;
  oct_fact *put = &s->facts[kept->n_facts++];
  *put = *fact;
  put->insn = (uint32_t)kept->n_insns;
  return keep_value(s, bytes, fact->n_bytes, &put->value);
}

/* Behind it no register is known. */
static int keep_gap(oct_select *s, oct_batch *kept) {
  s->has_gap = false;
  for (size_t i = 0; i < s->n_tasks; i++) s->tasks[i].told = 0;
  return keep_fact(s, kept, &s->gap, s->gap.value ? s->gap_bytes : NULL);
}

/* NULL: out of memory. */
static select_task *task_of(oct_select *s, uint32_t number) {
  if (s->task < s->n_tasks && s->tasks[s->task].number == number) return &s->tasks[s->task];
  for (s->task = 0; s->task < s->n_tasks; s->task++)
    if (s->tasks[s->task].number == number) return &s->tasks[s->task];
  select_task *grown = oct_grown(s->tasks, &s->tasks_room, s->n_tasks + 1, sizeof *grown);
  if (!grown) return NULL;
  s->tasks = grown;
  s->tasks[s->n_tasks] = (select_task){.number = number};
  return &s->tasks[s->n_tasks++];
}

/* Memory that was written in the meantime: runs that adjoin are one fact. */
typedef struct telling {
  oct_select *s;
  oct_batch *kept;
  size_t first; /* fact */
} telling;

static int tell_memory(void *context, uint64_t addr, const uint8_t *bytes, unsigned n) {
  telling *t = context;
  oct_fact *last = t->kept->n_facts > t->first ? &t->s->facts[t->kept->n_facts - 1] : NULL;
  if (last && last->addr + last->n_bytes == addr && !last->value == !bytes &&
      last->n_bytes <= UINT32_MAX - n) {
    last->n_bytes += n;
    return bytes ? oct_buffer_put(&t->s->values, bytes, n) : 0;
  }
  const oct_fact fact = {.kind = OCT_FACT_MEMORY, .addr = addr, .n_bytes = n};
  return keep_fact(t->s, t->kept, &fact, bytes);
}

/* The registers of a task that goes on. */
typedef struct told_registers {
  oct_fact facts[OCT_REGISTERS_MAX];
  uint8_t bytes[OCT_REGISTERS_MAX][OCT_FACT_REGISTER_MAX];
  unsigned n;
  uint64_t told;
} told_registers;

static void take_register(void *context, unsigned number, const uint8_t *bytes, unsigned n) {
  told_registers *t = context;
  t->facts[t->n] = (oct_fact){.kind = OCT_FACT_REGISTER, .number = (uint16_t)number, .n_bytes = n};
  memcpy(t->bytes[t->n++], bytes, n);
  if (number < OCT_REG_FLOAT) t->told |= UINT64_C(1) << number;
}

/* A gap stands where registers are not known that were told. */
static int tell_registers(oct_select *s, oct_batch *kept, const oct_insn *insn, uint64_t number,
                          select_task *task) {
  told_registers t;
  t.n = 0;
  t.told = 0;
  int rc =
      s->registers(s->context, number, insn->addr, insn->task, task->goes_on, take_register, &t);
  if (rc < 0) return rc;
  rc = 0;
  if (task->told & ~t.told) {
    s->gap =
        (oct_fact){.kind = OCT_FACT_GAP, .number = OCT_GAP_LOST, .n_bytes = OCT_FACT_GAP_BYTES};
    rc = keep_gap(s, kept);
    s->counts.n_unknown++;
  }
  for (unsigned i = 0; i < t.n && !rc; i++) rc = keep_fact(s, kept, &t.facts[i], t.bytes[i]);
  task->told = t.told;
  return rc;
}

static int keep_own_fact(oct_select *s, oct_batch *kept, const oct_batch *batch,
                         const oct_fact *fact, select_task *task) {
  if (fact->kind == OCT_FACT_GAP) return 0;
  if (fact->kind == OCT_FACT_REGISTER && fact->number < OCT_REG_FLOAT && task)
    task->told |= UINT64_C(1) << fact->number;
  return keep_fact(s, kept, fact, oct_value_of(batch, fact->value));
}

/* What stands in front of instruction i, which is selected: its facts are those from first to end,
 * and its accesses those at accesses of the kept batch. */
static int keep_values(oct_select *s, oct_batch *kept, const oct_batch *batch, size_t i,
                       const oct_fact *first, const oct_fact *end) {
  const oct_insn *insn = &batch->insns[i];
  select_task *task = task_of(s, insn->task);
  telling t = {s, kept, kept->n_facts};
  if (!task) return OCT_ERR_NOMEM;
  int error = oct_changed_take(&s->changed, tell_memory, &t);
  if (!error && !task->was_kept) error = tell_registers(s, kept, insn, s->counts.n_insns + i, task);
  task->was_kept = task->goes_on = true;
  for (; first < end && !error; first++) error = keep_own_fact(s, kept, batch, first, task);
  return error;
}

/* What instruction i, which is left out, has changed, and who wrote memory in front of it. */
static int leave_values(oct_select *s, const oct_batch *batch, size_t i, const oct_access *accesses,
                        const oct_fact *first, const oct_fact *end) {
  enum { LONGEST = 64 }; /* of an access of no known size */
  const oct_insn *insn = &batch->insns[i];
  select_task *task = task_of(s, insn->task);
  int error = task ? 0 : OCT_ERR_NOMEM;
  if (task) task->was_kept = false;
  if (!s->has_kept) return error; /* nothing of memory was told yet */
  for (; first < end && !error; first++)
    if (first->kind == OCT_FACT_MEMORY)
      error = oct_changed_put(&s->changed, first->addr, oct_value_of(batch, first->value),
                              first->n_bytes);
  for (unsigned k = 0; k < insn->n_access && !error; k++)
    if (accesses[k].is_store)
      error = oct_changed_put(&s->changed, accesses[k].addr, oct_value_of(batch, accesses[k].value),
                              accesses[k].size_bytes ? accesses[k].size_bytes : LONGEST);
  return error;
}

/* The accesses of a selected instruction. */
static int keep_accesses(oct_select *s, oct_batch *kept, const oct_batch *batch,
                         const oct_access *accesses, unsigned n) {
  int error = 0;
  for (unsigned k = 0; k < n && !error; k++) {
    oct_access *a = &s->accesses[kept->n_accesses++];
    *a = accesses[k];
    const uint8_t *bytes = s->registers ? oct_value_of(batch, a->value) : NULL;
    s->counts.has_lost_values |= !s->registers && a->value;
    error = keep_value(s, bytes, a->size_bytes, &a->value);
  }
  return error;
}

/* A gap stays where an instruction before or behind it does; of several in a part that does not,
 * the last. */
static int take_fact(oct_select *s, oct_batch *kept, const oct_batch *batch, const oct_fact *fact) {
  const uint8_t *told = oct_value_of(batch, fact->value);
  s->counts.has_lost_values |= fact->kind != OCT_FACT_GAP && !s->registers;
  if (fact->kind != OCT_FACT_GAP) return 0;
  oct_changed_free(&s->changed); /* nothing of memory is known behind it */
  s->has_gap = true;
  s->gap = *fact;
  if (told) memcpy(s->gap_bytes, told, sizeof s->gap_bytes);
  return s->was_kept ? keep_gap(s, kept) : 0;
}

static int take_trap(oct_select *s, oct_batch *kept, const oct_trap *trap) {
  s->privilege = trap->privilege;
  if (s->was_kept) return keep_trap(s, kept, trap);
  oct_trap *grown = oct_grown(s->waiting, &s->waiting_room, s->n_waiting + 1, sizeof *grown);
  if (!grown) return OCT_ERR_NOMEM;
  s->waiting = grown;
  s->waiting[s->n_waiting++] = *trap;
  return 0;
}

/* The traps before a selected instruction. */
static int keep_traps(oct_select *s, oct_batch *kept) {
  int error = 0;
  for (size_t i = 0; i < s->n_waiting && !error; i++) error = keep_trap(s, kept, &s->waiting[i]);
  if (error || s->kept_privilege == s->privilege) return error;
  return keep_trap(s, kept, &(oct_trap){.kind = OCT_TRAP_PRIVILEGE, .privilege = s->privilege});
}

static int make_room(oct_select *s, const oct_batch *batch) {
  oct_insn *insns = oct_grown(s->insns, &s->insns_room, batch->n_insns, sizeof *insns);
  if (insns) s->insns = insns;
  oct_access *accesses =
      oct_grown(s->accesses, &s->accesses_room, batch->n_accesses, sizeof *accesses);
  if (accesses) s->accesses = accesses;
  oct_map_entry *map = oct_grown(s->map, &s->map_room, batch->n_map, sizeof *map);
  if (map) s->map = map;
  return insns && accesses && map ? 0 : OCT_ERR_NOMEM;
}

int oct_select_put(oct_select *s, const oct_batch *batch, oct_batch *kept) {
  size_t access = 0, trap = 0, fact = 0;
  s->values.n_bytes = 0;
  int error = make_room(s, batch);
  *kept = (oct_batch){0};
  if (!s->is_ready)
    for (int i = 0; i < OCT_SELECT_KINDS; i++) join(&s->sets[i]);
  s->is_ready = true;
  for (size_t i = 0; i < batch->n_map && !error; i++)
    if (has(&s->sets[OCT_SELECT_ADDR], batch->map[i].addr)) s->map[kept->n_map++] = batch->map[i];
  for (size_t i = 0; i < batch->n_insns && !error; i++) {
    const oct_insn *insn = &batch->insns[i];
    while (trap < batch->n_traps && batch->traps[trap].insn <= i && !error)
      error = take_trap(s, kept, &batch->traps[trap++]);
    const size_t first_fact = fact;
    while (fact < batch->n_facts && batch->facts[fact].insn <= i && !error)
      error = take_fact(s, kept, batch, &batch->facts[fact++]);
    const oct_fact *first = batch->facts + first_fact, *end = batch->facts + fact;
    const oct_access *accesses = batch->accesses + access;
    bool is_kept = !error && is_selected(s, insn);
    if (is_kept) {
      error = keep_traps(s, kept);
      if (!error && s->has_gap) error = keep_gap(s, kept);
      if (!error && s->registers) error = keep_values(s, kept, batch, i, first, end);
      s->insns[kept->n_insns++] = *insn;
      if (!error) error = keep_accesses(s, kept, batch, accesses, insn->n_access);
      s->counts.n_pieces += !s->was_kept;
      s->has_kept = true;
    } else if (!error && s->registers) {
      error = leave_values(s, batch, i, accesses, first, end);
    }
    s->n_waiting = 0;
    if (!s->registers || !s->has_kept) s->has_gap = false; /* else values before it are not known */
    s->was_kept = is_kept;
    access += insn->n_access;
  }
  while (trap < batch->n_traps && !error) error = take_trap(s, kept, &batch->traps[trap++]);
  for (; fact < batch->n_facts && !error; fact++) {
    error = take_fact(s, kept, batch, &batch->facts[fact]);
    if (!error && s->registers && s->was_kept)
      error = keep_own_fact(s, kept, batch, &batch->facts[fact], NULL);
  }
  s->counts.n_insns += batch->n_insns;
  s->counts.n_kept += kept->n_insns;
  kept->insns = s->insns;
  kept->accesses = s->accesses;
  kept->traps = s->traps;
  kept->facts = s->facts;
  kept->values = s->values.n_bytes ? s->values.bytes : NULL;
  kept->n_values = s->values.n_bytes;
  kept->map = s->map;
  return error;
}
