/* SPDX-License-Identifier: Apache-2.0 */
/* oct_compare.c - holds a decoded trace against the one that was expected, event by event, in
 * memory bounded by how far the two are apart.
 *
 * Expected events wait in two queues. What a gap says is missing is dropped from them: at once what
 * waits there, the rest as it comes. */
#include "octrace/container.h"
#include "oct_grow.h"
#include "oct_plural.h"
#include "oct_slide.h"
#include "octrace/tracer.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct waiting_trap {
  uint64_t insn;
  oct_trap trap;
} waiting_trap;

typedef struct waiting_register {
  uint64_t insn;
  uint16_t number;
  uint8_t n_bytes, bytes[OCT_FACT_REGISTER_MAX];
  bool differs; /* the last word that was decoded, `got`, is another one */
  uint8_t got[OCT_FACT_REGISTER_MAX];
} waiting_register;

/* General registers that were decoded for a task since the last gap, by their numbers. */
typedef struct told_task {
  uint32_t number;
  uint64_t told;
} told_task;

struct oct_compare {
  oct_insn *insns;
  size_t insns_size, insns_from, insns_to;
  oct_access *accesses;
  size_t accesses_size, accesses_from, accesses_to;
  /* Bytes of their values; an access has its place among all there were, plus 1, modulo 2^32. */
  uint8_t *values;
  size_t values_size, values_from, values_to, values_new; /* values_new: of the next batch */
  uint32_t values_before;                                 /* those that are gone from the queue */
  uint64_t position;         /* number of the instruction at insns_from */
  uint64_t owed;             /* instructions still to be dropped */
  uint64_t missing_accesses; /* not decoded, with what gaps left out */
  uint64_t told_accesses;    /* lost, as the gaps say */
  uint64_t lost_traps;
  uint64_t decoded; /* instructions decoded or lost so far, with those passed over */
  uint64_t first;   /* decoded instructions before it are passed over */
  bool has_cut_gap; /* one that begins there: nobody knows how many of its accesses are wanted */
  oct_decoder_counts counts;
  bool without_accesses;
  /* Traps expected, as oct_trap in the order they come, and the instruction that each is before. */
  waiting_trap *traps;
  size_t traps_size, traps_from, traps_to;
  bool with_traps;
  /* Registers expected, in the order they come, and the instruction that each is before. */
  waiting_register *registers;
  size_t registers_size, registers_from, registers_to;
  uint64_t general; /* those that a task has to have been told, as bits; 0: none */
  uint64_t told;    /* decoded in front of the instruction that comes next */
  told_task *tasks;
  size_t n_tasks, room_tasks;
  uint32_t trap_parts;       /* OCT_TRAPS_* that are compared */
  uint64_t gap_end;          /* instruction behind the last gap, UINT64_MAX: there was none */
  uint8_t privilege;         /* behind the traps that are gone from the queue, */
  uint8_t decoded_privilege; /* and behind those that were decoded */
};

oct_compare *oct_compare_new(uint64_t first) {
  oct_compare *c = calloc(1, sizeof *c);
  if (c) c->position = c->first = first;
  if (c) c->gap_end = UINT64_MAX;
  if (c) c->trap_parts = OCT_TRAPS_ALL;
  if (c) c->privilege = c->decoded_privilege = OCT_PRIVILEGE_UNKNOWN;
  return c;
}

void oct_compare_free(oct_compare *c) {
  if (!c) return;
  free(c->insns);
  free(c->accesses);
  free(c->values);
  free(c->traps);
  free(c->registers);
  free(c->tasks);
  free(c);
}

static void drop_owed(oct_compare *c) {
  while (c->owed && c->insns_from < c->insns_to) {
    c->missing_accesses += c->insns[c->insns_from].n_access;
    c->accesses_from += c->insns[c->insns_from++].n_access;
    c->position++;
    c->owed--;
  }
}

/* Of the last gap: traps within it are missing. */
static bool is_lost(const oct_compare *c, uint64_t insn) {
  return c->gap_end != UINT64_MAX && insn < c->gap_end;
}

static void drop_trap(oct_compare *c) {
  c->privilege = c->traps[c->traps_from++].trap.privilege;
}

static void lose_trap(oct_compare *c) {
  drop_trap(c);
  c->lost_traps++;
}

static void drop_lost_traps(oct_compare *c) {
  while (c->traps_from < c->traps_to && is_lost(c, c->traps[c->traps_from].insn)) lose_trap(c);
}

int oct_compare_expect_traps(oct_compare *c, const oct_trap *traps, size_t n_traps) {
  uint64_t next = c->position + (c->insns_to - c->insns_from); /* owed ones have come by then */
  void *p = c->traps;
  int full =
      oct_slide_room(&p, sizeof *c->traps, &c->traps_size, &c->traps_from, &c->traps_to, n_traps);
  c->traps = p;
  c->with_traps = true;
  if (full) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < n_traps; i++)
    if (traps[i].kind != OCT_TRAP_PRIVILEGE || c->trap_parts & OCT_TRAPS_CHANGES)
      c->traps[c->traps_to++] = (waiting_trap){next + traps[i].insn, traps[i]};
  drop_lost_traps(c);
  return 0;
}

void oct_compare_trap_parts(oct_compare *c, uint32_t parts) {
  c->trap_parts = parts;
}

static bool same_trap(const oct_compare *c, const oct_trap *a, const oct_trap *b) {
  uint32_t parts = c->trap_parts;
  return (!(parts & OCT_TRAPS_CAUSE) || (a->kind == b->kind && a->cause == b->cause)) &&
         (!(parts & OCT_TRAPS_PRIVILEGE) || a->privilege == b->privilege) &&
         (a->addr == b->addr || !(parts & OCT_TRAPS_PLACE) ||
          (parts != OCT_TRAPS_ALL && !a->addr)) && /* not told: it may follow from the path */
         (!(parts & OCT_TRAPS_TVAL) || a->tval == b->tval);
}

static const char *trap_name(const oct_trap *t) {
  static const char *const names[] = {"exception", "interrupt", "privilege"};
  return t->kind < OCT_TRAP_KINDS ? names[t->kind] : "unknown trap";
}

/* Is there an expected trap of this number, right behind the last gap? */
static bool is_at_end(const oct_compare *c, size_t trap) {
  return trap < c->traps_to && c->traps[trap].insn == c->gap_end;
}

/* Does a change of privilege behind a gap tell what the traps lost there made of it? That it is not
 * known is never wrong: a trap that broke a rule is lost as well. */
static bool tells_lost(oct_compare *c, const oct_trap *d) {
  size_t to = c->traps_from;
  uint8_t privilege = c->privilege;
  if (d->kind != OCT_TRAP_PRIVILEGE || c->position != c->gap_end) return false;
  if (d->privilege == OCT_PRIVILEGE_UNKNOWN) return true;
  if (c->first && privilege == OCT_PRIVILEGE_UNKNOWN) return true; /* it came before the first */
  while (privilege != d->privilege) {
    if (!is_at_end(c, to)) return false;
    privilege = c->traps[to++].trap.privilege;
  }
  if (to == c->traps_from) to += is_at_end(c, to) && same_trap(c, &c->traps[to].trap, d);
  if (to == c->traps_from) return true;
  while (c->traps_from + 1 < to) lose_trap(c);
  if (same_trap(c, &c->traps[c->traps_from].trap, d)) /* it has come itself */
    drop_trap(c);
  else
    lose_trap(c);
  return true;
}

/* A trap before the instruction that comes next. */
static int compare_trap(oct_compare *c, const oct_trap *d, oct_diag *diag) {
  const waiting_trap *e = NULL;
  c->decoded_privilege = d->privilege;
  if (tells_lost(c, d)) return 0;
  for (; c->traps_from < c->traps_to; lose_trap(c)) {
    e = &c->traps[c->traps_from];
    if (e->insn == c->position && same_trap(c, &e->trap, d)) {
      drop_trap(c);
      return 0;
    }
    if (e->insn != c->gap_end) break;
  }
  if (c->traps_from == c->traps_to || e->insn != c->position)
    return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_BEFORE_INSN, c->position,
                       "expected no trap, decoded %s %" PRIu32, trap_name(d), d->cause);
  return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_BEFORE_INSN, c->position,
                     "expected %s %" PRIu32 " at 0x%" PRIx64 " (0x%" PRIx64
                     ") to privilege %u, decoded %s %" PRIu32 " at 0x%" PRIx64 " (0x%" PRIx64
                     ") to privilege %u",
                     trap_name(&e->trap), e->trap.cause, e->trap.addr, e->trap.tval,
                     e->trap.privilege, trap_name(d), d->cause, d->addr, d->tval, d->privilege);
}

/* No trap is left before the instruction that comes next. */
static int no_trap_left(oct_compare *c, oct_diag *diag) {
  while (c->traps_from < c->traps_to && c->traps[c->traps_from].insn <= c->position) {
    const waiting_trap *e = &c->traps[c->traps_from];
    if (e->insn != c->gap_end)
      return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_BEFORE_INSN, e->insn,
                         "expected %s %" PRIu32 ", decoded no trap", trap_name(&e->trap),
                         e->trap.cause);
    lose_trap(c);
  }
  if (c->position == c->gap_end && c->trap_parts == OCT_TRAPS_ALL &&
      c->decoded_privilege != OCT_PRIVILEGE_UNKNOWN && c->decoded_privilege != c->privilege)
    return oct_fail(diag, OCT_ERR_MISMATCH,
                    "after a gap, before instruction %" PRIu64
                    ": expected privilege %u, decoded %u",
                    c->position, c->privilege, c->decoded_privilege);
  return 0;
}

/* A little-endian number in digits. */
static void put_hex(char *text, const uint8_t *bytes, unsigned n) {
  for (unsigned i = 0; i < n; i++) snprintf(text + 2 * i, 3, "%02x", bytes[n - 1 - i]);
}

int oct_compare_expect_facts(oct_compare *c, const oct_fact *facts, size_t n_facts,
                             const uint8_t *values) {
  const uint64_t next = c->position + (c->insns_to - c->insns_from);
  void *p = c->registers;
  int full = oct_slide_room(&p, sizeof *c->registers, &c->registers_size, &c->registers_from,
                            &c->registers_to, n_facts);
  c->registers = p;
  if (full) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < n_facts; i++) {
    const oct_fact *f = &facts[i];
    if (f->kind != OCT_FACT_REGISTER) continue;
    waiting_register *r = &c->registers[c->registers_to++];
    *r = (waiting_register){
        .insn = next + f->insn, .number = f->number, .n_bytes = (uint8_t)f->n_bytes};
    memcpy(r->bytes, values + (f->value - 1), f->n_bytes);
  }
  return 0;
}

void oct_compare_registers(oct_compare *c, oct_isa isa) {
  c->general = oct_isa_general_registers(isa);
}

static void pass_registers(oct_compare *c) {
  while (c->registers_from < c->registers_to && c->registers[c->registers_from].insn < c->position)
    c->registers_from++;
}

static told_task *task_of(oct_compare *c, uint32_t number) {
  for (size_t i = 0; i < c->n_tasks; i++)
    if (c->tasks[i].number == number) return &c->tasks[i];
  told_task *tasks = oct_grown(c->tasks, &c->room_tasks, c->n_tasks + 1, sizeof *tasks);
  if (!tasks) return NULL;
  c->tasks = tasks;
  tasks[c->n_tasks] = (told_task){.number = number};
  return &tasks[c->n_tasks++];
}

/* What was decoded of registers, before the instruction that comes next, is what is expected. */
static int no_register_differs(const oct_compare *c, oct_diag *diag) {
  for (size_t i = c->registers_from; i < c->registers_to && c->registers[i].insn <= c->position;
       i++) {
    const waiting_register *r = &c->registers[i];
    char texts[2][2 * OCT_FACT_REGISTER_MAX + 1];
    if (!r->differs) continue;
    put_hex(texts[0], r->bytes, r->n_bytes);
    put_hex(texts[1], r->got, r->n_bytes);
    return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_BEFORE_INSN, r->insn,
                       "expected register %u of value 0x%s, decoded 0x%s", r->number, texts[0],
                       texts[1]);
  }
  return 0;
}

/* All general registers are expected of the task of the instruction that comes next: there or
 * before, they were decoded. */
static int no_register_left(oct_compare *c, uint32_t task, oct_diag *diag) {
  uint64_t expected = 0;
  int error = no_register_differs(c, diag);
  if (error) return error;
  pass_registers(c);
  for (size_t i = c->registers_from; i < c->registers_to && c->registers[i].insn == c->position;
       i++)
    if (c->registers[i].number < 64) expected |= UINT64_C(1) << c->registers[i].number;
  if (!c->general || (!c->told && (expected & c->general) != c->general)) return 0;
  told_task *t = task_of(c, task);
  if (!t) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  t->told |= c->told;
  c->told = 0;
  if ((expected & ~t->told & c->general) == 0 || (expected & c->general) != c->general) return 0;
  return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_BEFORE_INSN, c->position,
                     "expected the registers of task %" PRIu32 ", decoded %s", task,
                     t->told & c->general ? "only some" : "none");
}

/* A register that was decoded, before the instruction that comes next. If one is expected there,
 * the last word is to be the same: a sync has what was in it before what came from outside.
 * Whatever else is expected may follow from execution. */
static void take_register(oct_compare *c, const oct_batch *b, const oct_fact *d) {
  const uint8_t *got = oct_value_of(b, d->value);
  if (d->kind != OCT_FACT_REGISTER || !got) return;
  pass_registers(c);
  if (d->number < 64) c->told |= UINT64_C(1) << d->number;
  waiting_register *e = NULL;
  /* The last word counts, as it does where they are read. */
  for (size_t i = c->registers_from; i < c->registers_to && c->registers[i].insn == c->position;
       i++)
    if (c->registers[i].number == d->number && c->registers[i].n_bytes == d->n_bytes)
      e = &c->registers[i];
  if (!e) return;
  e->differs = memcmp(e->bytes, got, d->n_bytes) != 0;
  memcpy(e->got, got, d->n_bytes);
}

int oct_compare_expect_values(oct_compare *c, const uint8_t *values, size_t n) {
  void *p = c->values;
  size_t from = c->values_from;
  if (!values) n = 0;
  /* Sliding moves what is left to the front. */
  int full = n ? oct_slide_room(&p, 1, &c->values_size, &c->values_from, &c->values_to, n) : 0;
  c->values = p;
  c->values_before += (uint32_t)(from - c->values_from);
  if (full) return OCT_ERR_NOMEM;
  if (n) memcpy(c->values + c->values_to, values, n);
  c->values_to += n;
  c->values_new = n;
  return 0;
}

/* The values of n new accesses have their places in the queue. */
static void place_values(oct_compare *c, oct_access *accesses, size_t n) {
  const uint32_t first = c->values_before + (uint32_t)(c->values_to - c->values_new);
  for (size_t i = 0; i < n; i++) {
    oct_access *a = &accesses[i];
    /* Once in 2^32 bytes the place is 0, and the value is not compared. */
    a->value = c->values_new && a->value ? a->value + first : 0;
  }
  c->values_new = 0;
}

/* The value that is expected of an access, or NULL. What stands before it is not needed any more.
 */
static const uint8_t *expected_value(oct_compare *c, const oct_access *a) {
  if (!a->value) return NULL;
  c->values_from = (uint32_t)(a->value - 1 - c->values_before);
  return c->values + c->values_from;
}

int oct_compare_expect(oct_compare *c, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses) {
  size_t n_accesses = 0;
  for (size_t i = 0; i < n_insns; i++) n_accesses += insns[i].n_access;
  void *a = c->insns, *b = c->accesses;
  int full =
      oct_slide_room(&a, sizeof *insns, &c->insns_size, &c->insns_from, &c->insns_to, n_insns);
  c->insns = a;
  if (!full)
    full = oct_slide_room(&b, sizeof *accesses, &c->accesses_size, &c->accesses_from,
                          &c->accesses_to, n_accesses);
  c->accesses = b;
  if (full) return OCT_ERR_NOMEM;
  if (n_insns) memcpy(c->insns + c->insns_to, insns, n_insns * sizeof *insns);
  if (n_accesses) memcpy(c->accesses + c->accesses_to, accesses, n_accesses * sizeof *accesses);
  place_values(c, c->accesses + c->accesses_to, n_accesses);
  c->insns_to += n_insns;
  c->accesses_to += n_accesses;
  drop_owed(c);
  return 0;
}

size_t oct_compare_pending(const oct_compare *c) {
  return c->insns_to - c->insns_from;
}

uint64_t oct_compare_equal(const oct_compare *c) {
  return c->counts.insns;
}

void oct_compare_counts(const oct_compare *c, oct_decoder_counts *counts) {
  *counts = c->counts;
  counts->lost_accesses = c->without_accesses ? 0 : c->missing_accesses;
}

uint64_t oct_compare_lost_traps(const oct_compare *c) {
  return c->lost_traps;
}

void oct_compare_without_accesses(oct_compare *c) {
  c->without_accesses = true;
}

static int differ_access(uint64_t position, unsigned number, const oct_insn *insn,
                         const oct_access *e, const oct_access *d, oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_MISMATCH,
                  "instruction %" PRIu64 " (0x%" PRIx64
                  "), access %u: expected %s of %u byte%s at "
                  "0x%" PRIx64 ", decoded %s of %u byte%s at 0x%" PRIx64,
                  position, insn->addr, number, e->is_store ? "store" : "load", e->size_bytes,
                  OCT_S(e->size_bytes), e->addr, d->is_store ? "store" : "load", d->size_bytes,
                  OCT_S(d->size_bytes), d->addr);
}

/* The values of an access, and whether they are equal. */
static int compare_value(oct_compare *c, const oct_batch *b, unsigned number, const oct_insn *insn,
                         const oct_access *e, const oct_access *d, oct_diag *diag) {
  const uint8_t *want = expected_value(c, e), *got = oct_value_of(b, d->value);
  char texts[2][2 * 64 + 1] = {"", "none"};
  if (!want || (got && !memcmp(want, got, e->size_bytes))) return 0;
  put_hex(texts[0], want, e->size_bytes);
  if (got) put_hex(texts[1], got, e->size_bytes);
  return oct_fail(diag, OCT_ERR_MISMATCH,
                  "instruction %" PRIu64 " (0x%" PRIx64 "), access %u, %s at 0x%" PRIx64
                  ": expected value 0x%s, decoded 0x%s",
                  c->position, insn->addr, number, e->is_store ? "store" : "load", e->addr,
                  texts[0], texts[1]);
}

/* Compare one instruction with the front of the queue and take it from there. */
static int compare_insn(oct_compare *c, const oct_batch *b, const oct_insn *d, const oct_access *da,
                        oct_diag *diag) {
  const oct_insn *e = &c->insns[c->insns_from];
  const oct_access *ea = c->accesses + c->accesses_from;
  if (e->addr != d->addr || e->size_bytes != d->size_bytes || e->task != d->task)
    return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_INSN, c->position,
                       "expected 0x%" PRIx64 " of %u byte%s in task %" PRIu32 ", decoded 0x%" PRIx64
                       " of %u byte%s in task %" PRIu32,
                       e->addr, e->size_bytes, OCT_S(e->size_bytes), e->task, d->addr,
                       d->size_bytes, OCT_S(d->size_bytes), d->task);
  bool partial = d->flags & OCT_INSN_PARTIAL;
  for (unsigned k = 0; !c->without_accesses && k < d->n_access && k < e->n_access; k++)
    if (ea[k].addr != da[k].addr || ea[k].size_bytes != da[k].size_bytes ||
        ea[k].is_store != da[k].is_store)
      return differ_access(c->position, k, e, &ea[k], &da[k], diag);
  if (!c->without_accesses && (partial ? d->n_access > e->n_access : d->n_access != e->n_access))
    return oct_fail_insn(diag, OCT_ERR_MISMATCH, c->position, e->addr,
                         "expected %u access%s, decoded %u", e->n_access, OCT_ES(e->n_access),
                         d->n_access);
  for (unsigned k = 0; !c->without_accesses && k < d->n_access && k < e->n_access; k++) {
    int error = compare_value(c, b, k, e, &ea[k], &da[k], diag);
    if (error) return error;
  }
  c->counts.insns++;
  c->counts.accesses += d->n_access;
  c->missing_accesses += e->n_access - d->n_access;
  c->accesses_from += e->n_access;
  c->insns_from++;
  c->position++;
  return 0;
}

/* What the gap behind a run that ends in front of instruction `end` says is missing. */
static void pass_gap(oct_compare *c, const oct_decoded *run, uint64_t end) {
  uint64_t lost = run->lost_insns;
  c->told = c->n_tasks = 0;
  if (end < c->first) {
    if (lost <= c->first - end) return;
    lost -= c->first - end;
    c->has_cut_gap = true;
  }
  c->counts.gaps++;
  c->counts.lost_insns += lost;
  c->owed += lost;
  c->told_accesses += run->lost_accesses;
  c->gap_end = c->position + c->owed;
  drop_lost_traps(c);
  drop_owed(c);
}

int oct_compare_run(oct_compare *c, const oct_decoded *run, oct_diag *diag) {
  const oct_access *da = run->batch.accesses;
  const uint64_t end = run->batch.n_insns ? run->first_insn + run->batch.n_insns : c->decoded;
  const oct_trap *trap = run->batch.traps, *traps_end = trap + (trap ? run->batch.n_traps : 0);
  const oct_fact *fact = run->batch.facts, *facts_end = fact + (fact ? run->batch.n_facts : 0);
  size_t passed = 0;
  for (; passed < run->batch.n_insns && run->first_insn + passed < c->first; passed++)
    da += run->batch.insns[passed].n_access;
  const uint64_t from = end < c->first ? UINT64_MAX : passed;
  while (trap < traps_end && trap->insn < from) trap++;
  while (fact < facts_end && fact->insn < from) fact++;
  if (passed < run->batch.n_insns && run->first_insn + passed != c->position)
    return oct_fail(diag, OCT_ERR_MISMATCH,
                    "instruction %" PRIu64 " expected, decoded number %" PRIu64, c->position,
                    run->first_insn + passed);
  c->decoded = end + run->lost_insns;
  int error = 0;
  for (size_t i = passed; i < run->batch.n_insns; i++) {
    const oct_insn *d = &run->batch.insns[i];
    for (; fact < facts_end && fact->insn <= i; fact++) take_register(c, &run->batch, fact);
    for (; !error && c->with_traps && trap < traps_end && trap->insn <= i; trap++)
      error = compare_trap(c, trap, diag);
    if (!error) error = no_trap_left(c, diag);
    if (error) return error;
    if (c->insns_from == c->insns_to)
      return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_INSN, c->position,
                         "expected the end, decoded 0x%" PRIx64, d->addr);
    error = no_register_left(c, c->insns[c->insns_from].task, diag);
    if (error) return error;
    error = compare_insn(c, &run->batch, d, da, diag);
    if (error) return error;
    da += d->n_access;
  }
  for (; fact < facts_end; fact++) take_register(c, &run->batch, fact);
  if (run->is_gap) error = no_register_differs(c, diag);
  for (; !error && c->with_traps && trap < traps_end; trap++) error = compare_trap(c, trap, diag);
  if (error) return error;
  pass_registers(c);
  if (run->is_gap) pass_gap(c, run, end);
  return 0;
}

int oct_compare_end(oct_compare *c, oct_diag *diag) {
  if (c->owed)
    return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_INSN, c->position,
                       "expected the end, %" PRIu64 " more are counted as lost", c->owed);
  if (c->insns_from < c->insns_to)
    return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_INSN, c->position,
                       "expected 0x%" PRIx64 ", decoded the end", c->insns[c->insns_from].addr);
  int error = no_trap_left(c, diag);
  if (!error) error = no_register_differs(c, diag);
  if (error) return error;
  if (!c->without_accesses && !c->has_cut_gap && c->missing_accesses != c->told_accesses)
    return oct_fail(diag, OCT_ERR_MISMATCH,
                    "accesses that are missing: %" PRIu64 ", counted as lost: %" PRIu64,
                    c->missing_accesses, c->told_accesses);
  return 0;
}
