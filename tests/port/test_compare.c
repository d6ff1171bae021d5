/* SPDX-License-Identifier: Apache-2.0 */
/* test_compare.c - does the comparison find every difference, and pass over gaps exactly? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "octrace/container.h"

static const oct_insn insns[] = {
    {.addr = 0x8000, .size_bytes = 4, .n_access = 1},
    {.addr = 0x8004, .size_bytes = 4, .n_access = 2},
    {.addr = 0x8008, .size_bytes = 4, .n_access = 0},
    {.addr = 0x800c, .size_bytes = 4, .n_access = 1, .task = 3},
};
static const oct_access accesses[] = {
    {0x100, 4, 0, 0}, {0x200, 4, 1, 0}, {0x204, 4, 1, 0}, {0x300, 2, 0, 0}};

static oct_compare *expecting(void) {
  oct_compare *c = oct_compare_new(0);
  assert_non_null(c);
  assert_int_equal(oct_compare_expect(c, insns, 4, accesses), 0);
  return c;
}

static oct_decoded decoded(const oct_insn *i, size_t n, const oct_access *a, uint64_t first) {
  oct_decoded d;
  memset(&d, 0, sizeof d);
  d.batch.insns = i;
  d.batch.n_insns = n;
  d.batch.accesses = a;
  d.first_insn = first;
  return d;
}

static void equal_in_pieces(void **state) {
  (void)state;
  oct_diag diag = {0};
  oct_compare *c = expecting();
  oct_decoded d = decoded(insns, 2, accesses, 0);
  assert_int_equal(oct_compare_run(c, &d, &diag), 0);
  assert_int_equal(oct_compare_end(c, &diag), OCT_ERR_MISMATCH);
  d = decoded(insns + 2, 2, accesses + 3, 2);
  assert_int_equal(oct_compare_run(c, &d, &diag), 0);
  assert_int_equal(oct_compare_end(c, &diag), 0);
  assert_int_equal(oct_compare_equal(c), 4);
  oct_compare_free(c);
}

static void each_field_counts(void **state) {
  (void)state;
  for (int field = 0; field < 8; field++) {
    oct_insn i[4];
    oct_access a[4];
    oct_diag diag = {0};
    memcpy(i, insns, sizeof i);
    memcpy(a, accesses, sizeof a);
    if (field == 0) i[1].addr += 4;
    if (field == 1) i[1].size_bytes = 2;
    if (field == 2) i[3].task = 4;
    if (field == 3) i[1].n_access = 1;
    if (field == 4) a[2].addr++;
    if (field == 5) a[2].size_bytes = 8;
    if (field == 6) a[2].is_store = 0;
    oct_compare *c = expecting();
    oct_decoded d = decoded(i, 4, a, field == 7);
    assert_int_equal(oct_compare_run(c, &d, &diag), OCT_ERR_MISMATCH);
    assert_non_null(strstr(oct_diag_line(&diag).text, "instruction "));
    oct_compare_free(c);
  }
}

static void cycle_and_terminator_do_not_count(void **state) {
  (void)state;
  oct_insn i[4];
  oct_diag diag = {0};
  memcpy(i, insns, sizeof i);
  i[0].cycle = 99;
  i[0].flags = OCT_INSN_HAS_CYCLE | OCT_INSN_END;
  oct_compare *c = expecting();
  oct_decoded d = decoded(i, 4, accesses, 0);
  assert_int_equal(oct_compare_run(c, &d, &diag), 0);
  oct_compare_free(c);
}

/* A gap of two instructions after a partial one; the second of the two is expected only later. */
static void gap_is_passed_over(void **state) {
  (void)state;
  oct_diag diag = {0};
  oct_insn partial = insns[1];
  oct_compare *c = oct_compare_new(0);
  assert_int_equal(oct_compare_expect(c, insns, 3, accesses), 0);
  oct_decoded d = decoded(insns, 1, accesses, 0);
  assert_int_equal(oct_compare_run(c, &d, &diag), 0);
  partial.n_access = 1;
  partial.flags = OCT_INSN_PARTIAL;
  d = decoded(&partial, 1, accesses + 1, 1);
  d.is_gap = 1;
  d.lost_insns = 2;
  d.lost_accesses = (uint64_t)insns[1].n_access - 1 + insns[2].n_access + insns[3].n_access;
  assert_int_equal(oct_compare_run(c, &d, &diag), 0);
  assert_int_equal(oct_compare_pending(c), 0);
  assert_int_equal(oct_compare_end(c, &diag), OCT_ERR_MISMATCH);
  assert_int_equal(oct_compare_expect(c, insns + 3, 1, accesses + 3), 0);
  assert_int_equal(oct_compare_pending(c), 0);
  assert_int_equal(oct_compare_expect(c, insns, 1, accesses), 0);
  d = decoded(insns, 1, accesses, 4);
  assert_int_equal(oct_compare_run(c, &d, &diag), 0);
  assert_int_equal(oct_compare_end(c, &diag), 0);
  /* One access more is said to be lost than is missing. */
  d = decoded(insns, 0, accesses, 5);
  d.is_gap = 1;
  d.lost_accesses = 1;
  assert_int_equal(oct_compare_run(c, &d, &diag), 0);
  assert_int_equal(oct_compare_end(c, &diag), OCT_ERR_MISMATCH);
  oct_compare_free(c);
}

/* Values are held against each other where one is expected, from batch to batch. */
static void values_differ(void **state) {
  static const uint8_t first[] = {1, 2, 3, 4, 5, 6}, second[] = {9, 5, 6, 7, 8};
  const oct_insn insn = {.addr = 0x1000, .size_bytes = 4, .n_access = 1};
  oct_access a = {.addr = 0x100, .size_bytes = 4};
  uint8_t got[4];
  (void)state;
  for (unsigned wrong = 0; wrong < 4; wrong++) {
    oct_diag diag = {0};
    oct_compare *c = oct_compare_new(0);
    a.value = 3;
    assert_int_equal(oct_compare_expect_values(c, first, sizeof first), 0);
    assert_int_equal(oct_compare_expect(c, &insn, 1, &a), 0);
    a.value = 2;
    assert_int_equal(oct_compare_expect_values(c, second, sizeof second), 0);
    assert_int_equal(oct_compare_expect(c, &insn, 1, &a), 0);
    assert_int_equal(oct_compare_expect_values(c, NULL, 0), 0);
    assert_int_equal(oct_compare_expect(c, &insn, 1, &a), 0); /* none is expected */
    for (unsigned i = 0; i < 3; i++) {
      a.value = 1;
      memcpy(got, i ? second + 1 : first + 2, sizeof got);
      if (i + 1 == wrong) got[3] ^= 0x80;
      oct_decoded d = decoded(&insn, 1, &a, i);
      d.batch.values = got;
      d.batch.n_values = sizeof got;
      const int expected = i < 2 && i + 1 == wrong ? OCT_ERR_MISMATCH : 0;
      assert_int_equal(oct_compare_run(c, &d, &diag), expected);
      if (expected) break;
    }
    oct_compare_free(c);
  }
}

/* A decoded register is held against the last that is expected of it at its place. */
static void registers_differ(void **state) {
  static const uint8_t told[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const oct_insn two[2] = {{.addr = 0x1000, .size_bytes = 4}, {.addr = 0x1004, .size_bytes = 4}};
  (void)state;
  for (unsigned wrong = 0; wrong < 4; wrong++) {
    const uint8_t got[] = {5, 6, 7, wrong == 1 ? 9 : 8};
    oct_fact facts[3] = {{.kind = OCT_FACT_REGISTER, .number = 3, .n_bytes = 4, .value = 1},
                         {.kind = OCT_FACT_REGISTER, .number = 3, .n_bytes = 4, .value = 5},
                         {.kind = OCT_FACT_REGISTER, .number = 4, .n_bytes = 4, .value = 6}};
    oct_diag diag = {0};
    oct_compare *c = oct_compare_new(0);
    for (unsigned i = 0; i < 3; i++) facts[i].insn = 1;
    assert_int_equal(oct_compare_expect_facts(c, facts, 3, told), 0);
    assert_int_equal(oct_compare_expect(c, two, 2, NULL), 0);
    oct_fact f = {.kind = OCT_FACT_REGISTER, .number = 3, .n_bytes = 4, .insn = 1, .value = 1};
    if (wrong == 2) f.number = 4;
    if (wrong == 3) f.insn = 0; /* where nothing is expected */
    oct_decoded d = decoded(two, 2, NULL, 0);
    d.batch.facts = &f;
    d.batch.n_facts = 1;
    d.batch.values = got;
    d.batch.n_values = sizeof got;
    const int expected = wrong == 1 || wrong == 2 ? OCT_ERR_MISMATCH : 0;
    assert_int_equal(oct_compare_run(c, &d, &diag), expected);
    oct_compare_free(c);
  }
}

/* Of the words that are decoded for a register at one place the last counts, also from run to run:
 * a sync tells what was in it before the kernel wrote it. */
static void last_word_counts(void **state) {
  static const uint8_t words[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const oct_insn insn = {.addr = 0x1000, .size_bytes = 4};
  (void)state;
  for (unsigned i = 0; i < 8; i++) {
    const bool is_wrong = i & 1, has_insn = i & 2, is_apart = i & 4;
    const oct_fact told = {.kind = OCT_FACT_REGISTER, .number = 3, .n_bytes = 4, .value = 5};
    oct_fact facts[2] = {told, told};
    facts[is_wrong].value = 1;
    oct_diag diag = {0};
    oct_compare *c = oct_compare_new(0);
    assert_int_equal(oct_compare_expect_facts(c, &told, 1, words), 0);
    assert_int_equal(oct_compare_expect(c, &insn, has_insn, NULL), 0);
    oct_decoded d = decoded(&insn, 0, NULL, 0);
    d.batch.values = words;
    d.batch.n_values = sizeof words;
    d.batch.facts = facts;
    d.batch.n_facts = is_apart ? 1 : 2;
    int error = 0;
    if (is_apart) error = oct_compare_run(c, &d, &diag);
    assert_int_equal(error, 0);
    d.batch.facts += is_apart;
    d.batch.n_insns = has_insn;
    error = oct_compare_run(c, &d, &diag);
    if (!error) error = oct_compare_end(c, &diag);
    assert_int_equal(error, is_wrong ? OCT_ERR_MISMATCH : 0);
    if (is_wrong)
      assert_string_equal(diag.text,
                          "expected register 3 of value 0x08070605, decoded "
                          "0x04030201");
    oct_compare_free(c);
  }
}

static void too_many_decoded(void **state) {
  (void)state;
  oct_diag diag = {0};
  oct_compare *c = oct_compare_new(0);
  assert_int_equal(oct_compare_expect(c, insns, 1, accesses), 0);
  oct_decoded d = decoded(insns, 2, accesses, 0);
  assert_int_equal(oct_compare_run(c, &d, &diag), OCT_ERR_MISMATCH);
  oct_compare_free(c);
}

/* Traps in the places of where, of the kinds 1, 2 ... by their causes. */
static void put_traps(oct_trap *t, const uint32_t *where, size_t n) {
  for (size_t k = 0; k < n; k++) t[k] = (oct_trap){.insn = where[k], .cause = (uint32_t)k + 1};
}

static int run_with_traps(oct_compare *c, oct_decoded d, oct_trap *t, size_t n, oct_diag *diag) {
  d.batch.traps = t;
  d.batch.n_traps = n;
  return oct_compare_run(c, &d, diag);
}

static void traps_count(void **state) {
  (void)state;
  for (int change = 0; change < 8; change++) {
    oct_trap want[4], got[4];
    oct_diag diag = {0};
    size_t n = 4;
    const uint32_t places[] = {0, 2, 2, 4};
    put_traps(want, places, 4);
    put_traps(got, places, 4);
    oct_compare *c = oct_compare_new(0);
    assert_int_equal(oct_compare_expect_traps(c, want, 4), 0);
    assert_int_equal(oct_compare_expect(c, insns, 4, accesses), 0);
    if (change == 1) got[1].cause = 9;
    if (change == 2) got[0].privilege = 3;
    if (change == 3) got[2].addr = 1;
    if (change == 4) got[3].tval = 1;
    if (change == 5) got[1].kind = OCT_TRAP_INTERRUPT;
    if (change == 6) got[1].insn = 1;
    if (change == 7) n = 3;
    int error = run_with_traps(c, decoded(insns, 4, accesses, 0), got, n, &diag);
    if (!error) error = oct_compare_end(c, &diag);
    assert_int_equal(error, change ? OCT_ERR_MISMATCH : 0);
    oct_compare_free(c);
  }
}

/* Within a gap traps are lost; on its edges they may be. */
static void traps_of_a_gap(void **state) {
  (void)state;
  for (unsigned came = 0; came < 4; came++) {
    oct_trap want[5], before[1], behind[1];
    oct_diag diag = {0};
    const uint32_t places[] = {1, 2, 3, 3, 4};
    put_traps(want, places, 5);
    oct_compare *c = oct_compare_new(0);
    assert_int_equal(oct_compare_expect_traps(c, want, 5), 0);
    assert_int_equal(oct_compare_expect(c, insns, 4, accesses), 0);
    before[0] = want[0];
    behind[0] = want[3];
    behind[0].insn = 0;
    oct_decoded d = decoded(insns, 1, accesses, 0);
    d.is_gap = 1;
    d.lost_insns = 2;
    d.lost_accesses = 2;
    assert_int_equal(run_with_traps(c, d, before, came & 1, &diag), 0);
    d = decoded(insns + 3, 1, accesses + 3, 3);
    assert_int_equal(run_with_traps(c, d, behind, came >> 1, &diag), 0);
    assert_int_equal(oct_compare_end(c, &diag), OCT_ERR_MISMATCH); /* that behind the last */
    oct_trap end = want[4];
    end.insn = 0;
    assert_int_equal(run_with_traps(c, decoded(NULL, 0, NULL, 4), &end, 1, &diag), 0);
    assert_int_equal(oct_compare_end(c, &diag), 0);
    oct_compare_free(c);
  }
}

/* What is decoded behind a gap has the privilege that the traps lost there left, or none. */
static void privilege_behind_a_gap(void **state) {
  (void)state;
  const uint8_t told[] = {0, 3, OCT_PRIVILEGE_UNKNOWN};
  for (unsigned i = 0; i < 3; i++) {
    oct_trap want[] = {{.insn = 0, .kind = OCT_TRAP_EXCEPTION, .privilege = 3},
                       {.insn = 1, .kind = OCT_TRAP_PRIVILEGE, .privilege = 0}};
    oct_trap behind = {.kind = OCT_TRAP_PRIVILEGE, .privilege = told[i]};
    oct_diag diag = {0};
    oct_compare *c = oct_compare_new(0);
    assert_int_equal(oct_compare_expect_traps(c, want, 2), 0);
    assert_int_equal(oct_compare_expect(c, insns, 4, accesses), 0);
    oct_decoded d = decoded(NULL, 0, NULL, 0);
    d.is_gap = 1;
    d.lost_insns = 2;
    d.lost_accesses = 2;
    assert_int_equal(run_with_traps(c, d, &want[0], 1, &diag), 0);
    d = decoded(insns + 2, 1, accesses + 2, 2);
    int error = run_with_traps(c, d, &behind, told[i] != 3, &diag); /* 3 as before */
    assert_int_equal(error, told[i] == 3 ? OCT_ERR_MISMATCH : 0);
    oct_compare_free(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_in_pieces),
      cmocka_unit_test(each_field_counts),
      cmocka_unit_test(cycle_and_terminator_do_not_count),
      cmocka_unit_test(gap_is_passed_over),
      cmocka_unit_test(values_differ),
      cmocka_unit_test(registers_differ),
      cmocka_unit_test(last_word_counts),
      cmocka_unit_test(too_many_decoded),
      cmocka_unit_test(traps_count),
      cmocka_unit_test(traps_of_a_gap),
      cmocka_unit_test(privilege_behind_a_gap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
