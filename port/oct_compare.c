/* SPDX-License-Identifier: Apache-2.0 */
/* oct_compare.c - holds a decoded trace against the one that was expected, event by event, in
 * memory bounded by how far the two are apart.
 *
 * Expected events wait in two queues. What a gap says is missing is dropped from them: at once what
 * waits there, the rest as it comes. */
#include "octrace/container.h"
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
  uint64_t equal, lost_traps;
  bool without_accesses;
  /* Traps expected, as oct_trap in the order they come, and the instruction that each is before. */
  waiting_trap *traps;
  size_t traps_size, traps_from, traps_to;
  bool with_traps;
  uint32_t trap_parts;       /* OCT_TRAPS_* that are compared */
  uint64_t gap_end;          /* instruction behind the last gap, UINT64_MAX: there was none */
  uint8_t privilege;         /* behind the traps that are gone from the queue, */
  uint8_t decoded_privilege; /* and behind those that were decoded */
};

oct_compare *oct_compare_new(uint64_t first) {
  oct_compare *c = calloc(1, sizeof *c);
  if (c) c->position = first;
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
  return c->equal;
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
  for (unsigned i = 0; i < e->size_bytes; i++) {
    const unsigned byte = e->size_bytes - 1 - i;
    snprintf(texts[0] + 2 * i, 3, "%02x", want[byte]);
    if (got) snprintf(texts[1] + 2 * i, 3, "%02x", got[byte]);
  }
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
  c->missing_accesses += e->n_access - d->n_access;
  c->accesses_from += e->n_access;
  c->insns_from++;
  c->position++;
  c->equal++;
  return 0;
}

int oct_compare_run(oct_compare *c, const oct_decoded *run, oct_diag *diag) {
  const oct_access *da = run->batch.accesses;
  if (run->batch.n_insns && run->first_insn != c->position)
    return oct_fail(diag, OCT_ERR_MISMATCH,
                    "instruction %" PRIu64 " expected, decoded number %" PRIu64, c->position,
                    run->first_insn);
  const oct_trap *trap = run->batch.traps, *traps_end = trap + (trap ? run->batch.n_traps : 0);
  int error = 0;
  for (size_t i = 0; i < run->batch.n_insns; i++) {
    const oct_insn *d = &run->batch.insns[i];
    for (; !error && c->with_traps && trap < traps_end && trap->insn <= i; trap++)
      error = compare_trap(c, trap, diag);
    if (!error) error = no_trap_left(c, diag);
    if (error) return error;
    if (c->insns_from == c->insns_to)
      return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_INSN, c->position,
                         "expected the end, decoded 0x%" PRIx64, d->addr);
    error = compare_insn(c, &run->batch, d, da, diag);
    if (error) return error;
    da += d->n_access;
  }
  for (; !error && c->with_traps && trap < traps_end; trap++) error = compare_trap(c, trap, diag);
  if (error) return error;
  if (run->is_gap) {
    c->owed += run->lost_insns;
    c->told_accesses += run->lost_accesses;
    c->gap_end = c->position + c->owed;
    drop_lost_traps(c);
    drop_owed(c);
  }
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
  if (error) return error;
  if (!c->without_accesses && c->missing_accesses != c->told_accesses)
    return oct_fail(diag, OCT_ERR_MISMATCH,
                    "accesses that are missing: %" PRIu64 ", counted as lost: %" PRIu64,
                    c->missing_accesses, c->told_accesses);
  return 0;
}
