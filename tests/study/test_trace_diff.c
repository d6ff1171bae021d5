/* SPDX-License-Identifier: Apache-2.0 */
/* test_trace_diff.c - are random edits of a trace found again, each at its place and of its length?
 *
 * In traces whose addresses are all different, what was edited is the only shortest answer, and the
 * differences have to be the edits. In those with loops there may be a shorter one; the first place
 * is held against a plain comparison, and the numbers have to add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "oct_trace_diff.h"
#include "../test_random.h"

enum { INSNS_MAX = 20000, ACCESSES_MAX = 4 * INSNS_MAX, TRAPS_MAX = 64, EDITS_MAX = 32 };
/* Between edits: more than a piece that has to be alike, so that no two of them are one. */
enum { APART = 40, LONGEST = 100 };

typedef struct trace {
  oct_insn insns[INSNS_MAX];
  oct_access accesses[ACCESSES_MAX];
  oct_trap traps[TRAPS_MAX];
  size_t n, n_accesses, n_traps;
  size_t given, accesses_given, traps_given; /* to the diff */
  oct_trap given_traps[TRAPS_MAX];
  size_t batch_max;
} trace;

/* A batch of any length. Its traps are those before its instructions, at the end all. */
static int next_batch(void *context, oct_batch *b, oct_diag *diag) {
  trace *t = context;
  (void)diag;
  size_t n = t->n - t->given, n_traps = 0;
  if (!n) return 0;
  const size_t most = 1 + below(t->batch_max);
  if (n > most) n = most;
  *b = (oct_batch){.insns = t->insns + t->given, .n_insns = n};
  b->accesses = t->accesses + t->accesses_given;
  for (size_t i = 0; i < n; i++) b->n_accesses += b->insns[i].n_access;
  for (; t->traps_given < t->n_traps; t->traps_given++) {
    oct_trap trap = t->traps[t->traps_given];
    if (trap.insn >= t->given + n && t->given + n < t->n) break;
    trap.insn -= (uint32_t)t->given;
    t->given_traps[n_traps++] = trap;
  }
  b->traps = t->given_traps;
  b->n_traps = n_traps;
  t->given += n;
  t->accesses_given += b->n_accesses;
  return 1;
}

static void add(trace *t, const oct_insn *insn, const oct_access *accesses) {
  assert_true(t->n < INSNS_MAX && t->n_accesses + insn->n_access <= ACCESSES_MAX);
  t->insns[t->n++] = *insn;
  for (unsigned k = 0; k < insn->n_access; k++) t->accesses[t->n_accesses++] = accesses[k];
}

static void add_random(trace *t, uint64_t addr) {
  oct_access accesses[3];
  oct_insn insn = {.addr = addr, .size_bytes = 4, .n_access = (uint16_t)below(4)};
  if (insn.n_access == 3) insn.n_access = 0;
  for (unsigned k = 0; k < insn.n_access; k++) {
    accesses[k].addr = 0x1000 + below(1 << 20);
    accesses[k].size_bytes = (uint8_t)(1u << below(4));
    accesses[k].is_store = (uint8_t)below(2);
  }
  add(t, &insn, accesses);
}

static void add_trap(trace *t, uint32_t cause) {
  t->traps[t->n_traps++] = (oct_trap){.insn = (uint32_t)t->n,
                                      .kind = OCT_TRAP_INTERRUPT,
                                      .cause = cause,
                                      .privilege = OCT_PRIVILEGE_UNKNOWN};
}

static trace one, two;

static void reset(void) {
  memset(&one, 0, sizeof one);
  memset(&two, 0, sizeof two);
  one.batch_max = 1 + below(300);
  two.batch_max = 1 + below(3000);
}

static oct_trace_diff *diff_of(oct_trace_diff_options options) {
  const oct_trace_diff_input inputs[OCT_DIFF_SIDES] = {{.next = next_batch, .context = &one},
                                                       {.next = next_batch, .context = &two}};
  if (!options.fields) options.fields = OCT_DIFF_FIELDS;
  if (!options.window_insns) options.window_insns = 4096;
  oct_trace_diff *d = oct_trace_diff_new(inputs, &options);
  assert_non_null(d);
  return d;
}

/* What is shown around a difference is what the traces have there. */
static void look_around(oct_trace_diff *d, const oct_trace_difference *f, uint64_t context) {
  const trace *const traces[OCT_DIFF_SIDES] = {&one, &two};
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    const trace *t = traces[s];
    const uint64_t from = f->at[s] > context ? f->at[s] - context : 0;
    const uint64_t end = f->at[s] + f->n[s] + context < t->n ? f->at[s] + f->n[s] + context : t->n;
    size_t access = 0;
    for (uint64_t i = 0; i < from; i++) access += t->insns[i].n_access;
    for (uint64_t i = from; i < end; access += t->insns[i++].n_access) {
      oct_trace_diff_insn v;
      assert_true(oct_trace_diff_look(d, s, i, &v));
      assert_int_equal(v.insn->addr, t->insns[i].addr);
      assert_int_equal(v.insn->n_access, t->insns[i].n_access);
      for (unsigned k = 0; k < v.insn->n_access; k++)
        assert_int_equal(v.accesses[k].addr, t->accesses[access + k].addr);
      size_t n_traps = 0;
      for (size_t k = 0; k < t->n_traps; k++) n_traps += t->traps[k].insn == i;
      assert_int_equal(v.n_traps, n_traps);
    }
  }
}

/* The whole of `one`, and `two` with random edits of it; the differences to be found. */
static size_t make_edited(oct_trace_difference *edits) {
  uint64_t fresh = UINT64_C(1) << 40; /* addresses that come once */
  const size_t n_edits = below(EDITS_MAX);
  size_t n = 0, access = 0, i = 0;
  size_t length = 200 + below(1000) + n_edits * (APART + LONGEST) * 2;
  for (size_t k = 0; k < length && one.n < INSNS_MAX / 2; k++) add_random(&one, fresh += 4);
  for (unsigned k = 0; k < 3; k++) { /* of which both have some from the start */
    add_trap(&one, 1);
    one.traps[one.n_traps - 1].insn = k;
  }
  size_t next_edit = 20 + APART + below(LONGEST), trap = 0;
  while (i < one.n) {
    if (i < 3) {
      add_trap(&two, 1);
      trap++;
    }
    if (i < next_edit || n == n_edits || one.n - i < LONGEST + APART) {
      add(&two, &one.insns[i], one.accesses + access);
      access += one.insns[i++].n_access;
      continue;
    }
    oct_trace_difference *f = &edits[n++];
    *f = (oct_trace_difference){.kinds = OCT_DIFF_PATH, .at = {i, two.n}};
    const unsigned kind = (unsigned)below(5);
    const uint64_t lengths = 1 + below(LONGEST - 1);
    if (kind < 3) { /* left out, put in, or other instructions instead */
      f->n[0] = kind == 1 ? 0 : lengths;
      f->n[1] = kind == 0 ? 0 : kind == 1 ? lengths : 1 + below(LONGEST - 1);
      for (uint64_t k = 0; k < f->n[0]; k++) access += one.insns[i++].n_access;
      for (uint64_t k = 0; k < f->n[1]; k++) add_random(&two, fresh += 4);
    } else {
      oct_insn insn = one.insns[i];
      oct_access accesses[4];
      f->kinds = kind == 3 ? OCT_DIFF_ACCESSES : OCT_DIFF_TRAPS;
      f->n[0] = f->n[1] = 1;
      for (unsigned k = 0; k < insn.n_access; k++) accesses[k] = one.accesses[access + k];
      access += insn.n_access;
      i++;
      if (kind == 4) {
        add_trap(&two, 2);
      } else if (!insn.n_access || below(2)) {
        accesses[insn.n_access++] = (oct_access){below(1000), 4, 0, 0};
      } else {
        accesses[below(insn.n_access)].addr ^= UINT64_C(1) << below(30);
      }
      add(&two, &insn, accesses);
    }
    next_edit = i + APART + below(LONGEST);
  }
  assert_int_equal(trap, 3);
  return n;
}

static void edits_are_found(void **state) {
  (void)state;
  for (unsigned round = 0; round < 100; round++) {
    if (is_left_out()) continue;
    oct_trace_difference edits[EDITS_MAX], f;
    oct_diag diag = {0};
    reset();
    const size_t n = make_edited(edits);
    const oct_trace_diff_options options = {.context_insns = below(30)};
    oct_trace_diff *d = diff_of(options);
    for (size_t k = 0; k < n; k++) {
      assert_int_equal(oct_trace_diff_next(d, &f, &diag), 1);
      assert_int_equal(f.kinds, edits[k].kinds);
      for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
        assert_int_equal(f.at[s], edits[k].at[s]);
        assert_int_equal(f.n[s], edits[k].n[s]);
      }
      assert_false(f.is_lost || f.is_end || f.is_start);
      look_around(d, &f, options.context_insns);
    }
    assert_int_equal(oct_trace_diff_next(d, &f, &diag), 0);
    const oct_trace_diff_counts *c = oct_trace_diff_get_counts(d);
    assert_int_equal(c->differences, n);
    assert_int_equal(c->insns[0], one.n);
    assert_int_equal(c->insns[1], two.n);
    assert_int_equal(c->accesses[0], one.n_accesses);
    assert_int_equal(c->accesses[1], two.n_accesses);
    oct_trace_diff_free(d);
  }
}

/* Instructions of nested loops, as programs have them. */
static void add_loops(trace *t, size_t n) {
  while (t->n < n) {
    const uint64_t from = 4 * below(64);
    const size_t body = 1 + below(20), turns = 1 + below(30);
    for (size_t k = 0; k < body * turns && t->n < n; k++) {
      const oct_insn insn = {.addr = from + 4 * (k % body), .size_bytes = 4};
      add(t, &insn, NULL);
    }
  }
}

/* Are `piece` instructions from i and j on the same? Both ends are alike. */
static bool alike(uint64_t i, uint64_t j, unsigned piece) {
  for (unsigned k = 0; k < piece; k++, i++, j++) {
    if (i >= one.n || j >= two.n) return i >= one.n && j >= two.n;
    if (one.insns[i].addr != two.insns[j].addr) return false;
  }
  return true;
}

/* How many instructions of both are before the nearest place, by trying all. */
static uint64_t nearest(uint64_t at) {
  static const unsigned pieces[] = {4, 8, 16}, reaches[] = {8, 64, 2 * INSNS_MAX};
  for (unsigned s = 0; s < 3; s++)
    for (uint64_t cost = 1; cost <= reaches[s]; cost++)
      for (uint64_t i = 0; i <= cost; i++)
        if (at + i <= one.n && at + cost - i <= two.n && alike(at + i, at + cost - i, pieces[s]))
          return cost;
  return UINT64_MAX;
}

static void edits_in_loops_add_up(void **state) {
  (void)state;
  for (unsigned round = 0; round < 100; round++) {
    if (is_left_out()) continue;
    oct_trace_difference f;
    oct_diag diag = {0};
    uint64_t first = 0;
    reset();
    add_loops(&one, 1000 + below(3000));
    for (size_t i = 0; i < one.n; i++) {
      const unsigned kind = (unsigned)below(400);
      if (kind != 0 || one.n - i < 10) add(&two, &one.insns[i], NULL); /* 0: one is left out */
      if (kind == 1) add_loops(&two, two.n + 1);
    }
    while (first < one.n && first < two.n && one.insns[first].addr == two.insns[first].addr)
      first++;
    oct_trace_diff *d = diff_of((oct_trace_diff_options){.is_exact_start = true});
    int got;
    for (unsigned k = 0; (got = oct_trace_diff_next(d, &f, &diag)) == 1; k++) {
      if (!k) assert_int_equal(f.at[0], first);
      if (!k) assert_int_equal(f.at[1], first);
      if (!k && !f.is_end) assert_int_equal(f.n[0] + f.n[1], nearest(first));
      assert_false(f.is_lost);
    }
    assert_int_equal(got, 0);
    const oct_trace_diff_counts *c = oct_trace_diff_get_counts(d);
    assert_int_equal(c->equal_insns + c->only[0], one.n);
    assert_int_equal(c->equal_insns + c->only[1], two.n);
    assert_int_equal(c->differences == 0, first == one.n && first == two.n);
    oct_trace_diff_free(d);
  }
}

static void starts_and_ends(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < 6; kind++) {
    oct_trace_difference f;
    oct_diag diag = {0};
    reset();
    const size_t n = 1 + below(LONGEST);
    const bool is_at_end = kind & 1;
    for (size_t k = 0; k < n && !is_at_end; k++) add_random(&one, 0x1000 + 4 * k);
    for (size_t k = 0; k < 500; k++) {
      add_random(&one, 0x8000 + 4 * k);
      add(&two, &one.insns[one.n - 1],
          one.accesses + one.n_accesses - one.insns[one.n - 1].n_access);
    }
    for (size_t k = 0; k < n && is_at_end; k++) add_random(&one, 0x1000 + 4 * k);
    /* As it is; as a difference, or none; from an address that both have. */
    oct_trace_diff *d = diff_of((oct_trace_diff_options){.is_exact_start = kind == 2,
                                                         .is_open_end = kind == 3,
                                                         .has_start = kind > 3,
                                                         .start_addr = 0x8000});
    const oct_trace_diff_counts *c = oct_trace_diff_get_counts(d);
    const bool is_found = kind < 3 || kind == 5;
    if (is_found) {
      assert_int_equal(oct_trace_diff_next(d, &f, &diag), 1);
      assert_int_equal(f.is_start, !is_at_end);
      assert_int_equal(f.is_end, is_at_end);
      assert_int_equal(f.at[0], is_at_end ? 500 : 0);
      if (!is_at_end) assert_int_equal(f.n[0], n);
      assert_int_equal(f.n[1], 0);
    }
    assert_int_equal(oct_trace_diff_next(d, &f, &diag), 0);
    assert_int_equal(c->differences, kind == 1 || kind == 2 || kind == 5);
    assert_int_equal(c->only[0], c->differences ? n : 0);
    assert_int_equal(c->before[0], kind == 0 || kind == 4 ? n : 0);
    assert_int_equal(c->after[0], kind == 3 ? n : 0);
    assert_int_equal(c->equal_insns, 500);
    oct_trace_diff_free(d);
  }
}

static void other_programs_are_lost(void **state) {
  (void)state;
  oct_trace_difference f;
  oct_diag diag = {0};
  reset();
  for (size_t k = 0; k < 3000; k++) {
    add_random(&one, 0x10000 + 4 * k);
    add_random(&two, 0x90000 + 4 * k);
  }
  oct_trace_diff *d = diff_of((oct_trace_diff_options){.window_insns = 100});
  assert_int_equal(oct_trace_diff_next(d, &f, &diag), 1);
  assert_true(f.is_lost);
  assert_int_equal(oct_trace_diff_next(d, &f, &diag), 0);
  oct_trace_diff_free(d);
  one.given = two.given = one.accesses_given = two.accesses_given = 0;
  d = diff_of((oct_trace_diff_options){.has_start = true, .start_addr = 0x10000});
  assert_int_equal(oct_trace_diff_next(d, &f, &diag), OCT_ERR_ARG);
  assert_int_equal(oct_trace_diff_failed(d), 1);
  oct_trace_diff_free(d);
}

/* What one trace does not have makes no difference, unless that is asked for, or it has it later.
 */
static void lacking_fields(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < 18; kind++) {
    oct_trace_difference f;
    oct_diag diag = {0};
    const bool is_strict = kind & 1;
    const unsigned field = kind / 2;
    reset();
    for (size_t k = 0; k < 100; k++) {
      oct_insn insn = {.addr = 4 * k, .size_bytes = 4, .task = field == 0, .n_access = field == 1};
      oct_access access = {8 * k, 4, 1, 0};
      add(&one, &insn, &access);
      insn.task = 0;
      insn.n_access = 0;
      if (field == 2) { /* sizes of accesses */
        one.insns[k].n_access = insn.n_access = 1;
        one.accesses[one.n_accesses++] = access;
        access.size_bytes = 0;
      }
      if (field == 3 && k == 50) { /* its cause alone */
        one.traps[one.n_traps++] = (oct_trap){.insn = 50, .privilege = 3};
      }
      if (field == 4 && k == 50) { /* each field of a trap that may be left out */
        one.traps[one.n_traps++] = (oct_trap){.addr = 4, .tval = 8, .insn = 50, .privilege = 3};
        two.traps[two.n_traps++] = (oct_trap){.insn = 50, .privilege = OCT_PRIVILEGE_UNKNOWN};
      }
      if (field >= 6 && k == 50) { /* known to both, and others */
        const oct_trap trap = {.addr = 4, .tval = 8, .insn = 50, .privilege = 3};
        one.traps[one.n_traps++] = two.traps[two.n_traps++] = trap;
        *(field == 6   ? &two.traps[0].addr
          : field == 7 ? &two.traps[0].tval
                       : &one.traps[0].addr) = 12;
      }
      if (field == 5) { /* two accesses for one of twice the size */
        one.insns[k].n_access = insn.n_access = 1;
        one.accesses[one.n_accesses++] = (oct_access){8 * k, 8, 0, 0};
        access = (oct_access){8 * k, 4, 0, 0};
      }
      add(&two, &insn, &access);
      if (field == 5) {
        two.insns[k].n_access = 2;
        two.accesses[two.n_accesses++] = (oct_access){8 * k + 4, 4, 0, 0};
      }
    }
    oct_trace_diff *d = diff_of((oct_trace_diff_options){
        .is_strict = is_strict,
        .fields = OCT_DIFF_FIELDS & ~(field == 5 && !is_strict ? OCT_DIFF_ACCESS_SIZES : 0u)});
    const int got = oct_trace_diff_next(d, &f, &diag);
    assert_int_equal(got, is_strict || field >= 6);
    static const uint32_t kinds[] = {OCT_DIFF_TASKS, OCT_DIFF_ACCESSES, OCT_DIFF_ACCESSES,
                                     OCT_DIFF_TRAPS, OCT_DIFF_TRAPS,    OCT_DIFF_ACCESSES,
                                     OCT_DIFF_TRAPS, OCT_DIFF_TRAPS,    OCT_DIFF_TRAPS};
    if (got) assert_int_equal(f.kinds, kinds[field]);
    oct_trace_diff_free(d);
  }
}

/* The first of them come late in one trace: those of the other before make a difference. */
static void late_fields(void **state) {
  (void)state;
  oct_trace_difference f;
  oct_diag diag = {0};
  reset();
  for (size_t k = 0; k < 5900; k++) {
    const oct_insn insn = {.addr = 4 * k, .size_bytes = 4, .n_access = k == 10 || k >= 5000};
    const oct_access access = {8 * k, 4, 1, 0};
    add(&one, &insn, &access);
    add(&two, &insn, &access);
  }
  two.insns[10].n_access = 0;
  memmove(two.accesses, two.accesses + 1, --two.n_accesses * sizeof *two.accesses);
  one.batch_max = two.batch_max = 10;
  oct_trace_diff *d = diff_of((oct_trace_diff_options){.context_insns = 0});
  assert_int_equal(oct_trace_diff_next(d, &f, &diag), 0);
  assert_int_equal(oct_trace_diff_get_counts(d)->differences, 1);
  assert_int_equal(oct_trace_diff_get_counts(d)->early_accesses[0], 1);
  oct_trace_diff_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edits_are_found), cmocka_unit_test(edits_in_loops_add_up),
      cmocka_unit_test(starts_and_ends), cmocka_unit_test(other_programs_are_lost),
      cmocka_unit_test(lacking_fields),  cmocka_unit_test(late_fields),
  };
  seed_random("trace_diff");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
