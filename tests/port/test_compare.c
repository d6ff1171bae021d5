/* SPDX-License-Identifier: Apache-2.0 */
/* test_compare.c - does the comparison find every difference, and pass over gaps exactly? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "oct_compare.h"

static const oct_insn insns[] = {
    {.addr = 0x8000, .size_bytes = 4, .n_access = 1},
    {.addr = 0x8004, .size_bytes = 4, .n_access = 2},
    {.addr = 0x8008, .size_bytes = 4, .n_access = 0},
    {.addr = 0x800c, .size_bytes = 4, .n_access = 1, .task = 3},
};
static const oct_access accesses[] = {{0x100, 4, 0}, {0x200, 4, 1}, {0x204, 4, 1}, {0x300, 2, 0}};

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
    assert_non_null(strstr(diag.text, "instruction "));
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

static void too_many_decoded(void **state) {
  (void)state;
  oct_diag diag = {0};
  oct_compare *c = oct_compare_new(0);
  assert_int_equal(oct_compare_expect(c, insns, 1, accesses), 0);
  oct_decoded d = decoded(insns, 2, accesses, 0);
  assert_int_equal(oct_compare_run(c, &d, &diag), OCT_ERR_MISMATCH);
  oct_compare_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_in_pieces),
      cmocka_unit_test(each_field_counts),
      cmocka_unit_test(cycle_and_terminator_do_not_count),
      cmocka_unit_test(gap_is_passed_over),
      cmocka_unit_test(too_many_decoded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
