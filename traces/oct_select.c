/* SPDX-License-Identifier: Apache-2.0 */
/* oct_select.c - the part of a trace that is selected by address, task, privilege and time.
 *
 * The ranges of a kind are sorted and joined before the next batch. Values come in runs, so the
 * range that held the last value is tried first. Traps that come after an instruction which is not
 * selected wait for the next instruction, which decides. */
#include "oct_select.h"

#include <string.h>

#include "oct_grow.h"

typedef struct select_range {
  uint64_t first, last;
} select_range;

typedef struct select_set {
  select_range *ranges;
  size_t n, room, recent;
  bool is_awaited; /* without a range it has nothing, not all */
} select_set;

struct oct_select {
  select_set sets[OCT_SELECT_KINDS];
  oct_select_counts counts;
  bool is_ready, was_kept;
  uint64_t time;
  uint8_t privilege, kept_privilege; /* of the trace; as the kept traps have it */
  oct_trap *waiting;                 /* after an instruction that is not selected */
  size_t n_waiting, waiting_room;
  bool has_gap;                          /* likewise, */
  oct_fact gap;                          /* the last one, */
  uint8_t gap_bytes[OCT_FACT_GAP_BYTES]; /* and what it tells */
  /* the kept batch */
  oct_insn *insns;
  oct_access *accesses;
  oct_trap *traps;
  oct_fact *facts;
  oct_buffer values; /* of gaps */
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

static int keep_gap(oct_select *s, oct_batch *kept) {
  oct_fact *grown = oct_grown(s->facts, &s->facts_room, kept->n_facts + 1, sizeof *grown);
  if (!grown) return OCT_ERR_NOMEM;
  s->facts = grown;
  s->gap.insn = (uint32_t)kept->n_insns;
  if (s->gap.value) {
    s->gap.value = (uint32_t)s->values.n_bytes + 1;
    if (oct_buffer_put(&s->values, s->gap_bytes, sizeof s->gap_bytes)) return OCT_ERR_NOMEM;
  }
  s->facts[kept->n_facts++] = s->gap;
  s->has_gap = false;
  return 0;
}

/* A gap stays where an instruction before or behind it does; of several in a part that does not,
 * the last. */
static int take_fact(oct_select *s, oct_batch *kept, const oct_batch *batch, const oct_fact *fact) {
  const uint8_t *told = oct_value_of(batch, fact->value);
  if (fact->kind != OCT_FACT_GAP) {
    s->counts.has_lost_values = true;
    return 0;
  }
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
    while (fact < batch->n_facts && batch->facts[fact].insn <= i && !error)
      error = take_fact(s, kept, batch, &batch->facts[fact++]);
    bool is_kept = !error && is_selected(s, insn);
    if (is_kept) {
      error = keep_traps(s, kept);
      if (!error && s->has_gap) error = keep_gap(s, kept);
      s->insns[kept->n_insns++] = *insn;
      if (insn->n_access)
        memcpy(s->accesses + kept->n_accesses, batch->accesses + access,
               insn->n_access * sizeof *s->accesses);
      for (unsigned k = 0; k < insn->n_access; k++) {
        s->counts.has_lost_values |= s->accesses[kept->n_accesses + k].value != 0;
        s->accesses[kept->n_accesses + k].value = 0;
      }
      kept->n_accesses += insn->n_access;
      s->counts.n_pieces += !s->was_kept;
    }
    s->n_waiting = 0;
    s->has_gap = false;
    s->was_kept = is_kept;
    access += insn->n_access;
  }
  while (trap < batch->n_traps && !error) error = take_trap(s, kept, &batch->traps[trap++]);
  while (fact < batch->n_facts && !error) error = take_fact(s, kept, batch, &batch->facts[fact++]);
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
