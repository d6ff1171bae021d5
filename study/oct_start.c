/* SPDX-License-Identifier: Apache-2.0 */
/* oct_start.c - what registers hold where a part of a trace begins.
 *
 * A session executes what is left out. A task's registers are told as facts in front of its first
 * instruction; behind a gap of the trace they are not known. */
#include "oct_start.h"

#include "oct_grow.h"
#include "oct_session.h"
#include "octrace/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct started {
  uint32_t task;
  size_t n;
  struct {
    uint8_t number, n_bytes, bytes[OCT_FACT_REGISTER_MAX];
  } registers[OCT_REGISTERS_MAX];
} started;

struct oct_start {
  uint64_t general; /* registers, as bits, that have to be known */
  started *tasks;   /* that are not told yet */
  size_t n_tasks;
  oct_fact *facts; /* of the last batch, */
  uint8_t *values;
  size_t facts_room, values_room;
};

static bool is_zero(const uint8_t *bytes, unsigned n) {
  return !n || (!bytes[0] && !memcmp(bytes, bytes + 1, n - 1));
}

/* Whether all general registers of the task are known. What execution goes on with is wanted, also
 * of those that nothing told; goes_on: also where they have what a task begins with. */
static bool take_task(oct_session *session, uint64_t general, uint32_t task, bool goes_on,
                      started *t) {
  uint64_t known = 0;
  *t = (started){.task = task};
  for (unsigned i = 0; i < OCT_REGISTERS_MAX; i++) {
    const unsigned n = oct_isa_register_bytes(oct_session_isa(session), i);
    const bool is_place = i < OCT_REG_COUNT && !(general >> i & 1); /* ARM's program counter */
    uint8_t *bytes = t->registers[t->n].bytes;
    bool is_told;
    if (!n || is_place || !oct_session_executed(session, task, i, bytes, &is_told) ||
        (!is_told && !goes_on && is_zero(bytes, n)))
      continue;
    if (i < OCT_REG_COUNT) known |= UINT64_C(1) << i;
    t->registers[t->n].number = (uint8_t)i;
    t->registers[t->n++].n_bytes = (uint8_t)n;
  }
  return (known & general) == general;
}

int oct_start_registers(oct_session *session, uint32_t task, bool goes_on,
                        void (*tell)(void *context, unsigned number, const uint8_t *bytes,
                                     unsigned n),
                        void *context) {
  started t;
  if (!take_task(session, oct_isa_general_registers(oct_session_isa(session)), task, goes_on, &t))
    return 0;
  for (size_t i = 0; i < t.n; i++)
    tell(context, t.registers[i].number, t.registers[i].bytes, t.registers[i].n_bytes);
  return 1;
}

static int take_tasks(oct_session *session, oct_start *s) {
  const size_t n = oct_session_tasks(session, NULL, 0);
  uint32_t *tasks = malloc((n + 1) * sizeof *tasks);
  s->tasks = malloc((n + 1) * sizeof *s->tasks);
  if (tasks && s->tasks) oct_session_tasks(session, tasks, n);
  for (size_t i = 0; tasks && s->tasks && i < n; i++)
    s->n_tasks += take_task(session, s->general, tasks[i], false, &s->tasks[s->n_tasks]);
  const bool has_failed = !tasks || !s->tasks;
  free(tasks);
  return has_failed ? OCT_ERR_NOMEM : 0;
}

int oct_start_find(const char *path, const oct_read_options *options, uint64_t n, oct_start **out,
                   oct_diag *diag) {
  oct_session *session;
  oct_start *s = NULL;
  *out = NULL;
  int rc = oct_session_start(path, options, &session, diag);
  if (rc) return rc == OCT_ERR_UNSUPPORTED ? 0 : rc;
  rc = oct_session_go(session, n, diag);
  if (!rc) {
    s = calloc(1, sizeof *s);
    if (s) s->general = oct_isa_general_registers(oct_session_isa(session));
    if (!s || take_tasks(session, s)) rc = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  oct_session_close(session);
  if (rc) {
    oct_start_free(s);
    return rc;
  }
  *out = s;
  return 0;
}

void oct_start_free(oct_start *s) {
  if (!s) return;
  free(s->tasks);
  free(s->facts);
  free(s->values);
  free(s);
}

/* The first instruction of the task, or n_insns. */
static size_t first_of(const oct_batch *b, uint32_t task) {
  size_t i = 0;
  while (i < b->n_insns && b->insns[i].task != task) i++;
  return i;
}

static bool is_behind_a_gap(const oct_batch *b, size_t insn) {
  for (size_t f = 0; f < b->n_facts && b->facts[f].insn <= insn; f++)
    if (b->facts[f].kind == OCT_FACT_GAP) return true;
  return false;
}

static bool is_told(const oct_start *s, const oct_batch *b, size_t insn) {
  uint64_t told = 0;
  for (size_t f = 0; f < b->n_facts && b->facts[f].insn <= insn; f++)
    if (b->facts[f].insn == insn && b->facts[f].kind == OCT_FACT_REGISTER &&
        b->facts[f].number < OCT_REG_COUNT)
      told |= UINT64_C(1) << b->facts[f].number;
  return (told & s->general) == s->general;
}

/* Tell the registers of a task in front of instruction insn. */
static int tell(oct_start *s, const started *t, size_t insn, oct_batch *b) {
  const size_t before = oct_facts_before(b->facts, b->n_facts, insn);
  const bool is_own = s->facts && b->facts == s->facts;
  oct_fact *facts = oct_grown(s->facts, &s->facts_room, b->n_facts + t->n, sizeof *facts);
  if (!facts) return OCT_ERR_NOMEM;
  if (!is_own && b->n_facts) memcpy(facts, b->facts, b->n_facts * sizeof *facts);
  s->facts = facts;
  uint8_t *values = oct_grown(s->values, &s->values_room,
                              b->n_values + t->n * OCT_FACT_REGISTER_MAX, sizeof *values);
  if (!values) return OCT_ERR_NOMEM;
  if (!is_own && b->n_values) memcpy(values, b->values, b->n_values);
  s->values = values;
  memmove(facts + before + t->n, facts + before, (b->n_facts - before) * sizeof *facts);
  for (size_t i = 0; i < t->n; i++) {
    facts[before + i] = (oct_fact){.kind = OCT_FACT_REGISTER,
                                   .insn = (uint32_t)insn,
                                   .number = t->registers[i].number,
                                   .n_bytes = t->registers[i].n_bytes,
                                   .value = (uint32_t)b->n_values + 1};
    memcpy(values + b->n_values, t->registers[i].bytes, t->registers[i].n_bytes);
    b->n_values += t->registers[i].n_bytes;
  }
  b->n_facts += t->n;
  b->facts = facts;
  b->values = values;
  return 0;
}

int oct_start_put(oct_start *s, oct_batch *b) {
  const oct_batch given = *b;
  size_t n_left = 0;
  int rc = 0;
  for (size_t k = 0; k < s->n_tasks && !rc; k++) {
    const size_t at = first_of(&given, s->tasks[k].task);
    const bool is_lost = is_behind_a_gap(&given, at);
    if (!is_lost && at == given.n_insns)
      s->tasks[n_left++] = s->tasks[k];
    else if (!is_lost && given.values && !is_told(s, &given, at))
      rc = tell(s, &s->tasks[k], at, b);
  }
  s->n_tasks = n_left;
  return rc;
}
