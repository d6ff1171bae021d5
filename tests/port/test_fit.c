/* SPDX-License-Identifier: Apache-2.0 */
/* test_fit.c - a trace may name its instruction set in several ways: does every tracer make the
 * same machine for each of them? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "octrace/tracer.h"

static int fit(const oct_tracer *t, const char *isa, uint32_t addr_bits, uint32_t *params) {
  const bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag diag;
  oct_tracer_defaults(t, params);
  return oct_tracer_fit(t, params, given, isa, addr_bits, 2, &diag);
}

static void each_name(void **state) {
  static const struct {
    const char *one, *other;
    uint32_t addr_bits;
  } names[] = {{"arm", "armv5te", 32},      {"arm", "armv7-a", 32},    {"aarch64", "arm64", 64},
               {"riscv32", "rv32imac", 32}, {"riscv64", "rv64gc", 64}, {"x86", "i386", 32},
               {"x86", "i686", 32},         {"x86-64", "x86_64", 64},  {"x86-64", "amd64", 64}};
  size_t n_fitted = 0;
  (void)state;
  for (unsigned i = 0; oct_tracer_at(i); i++) {
    const oct_tracer *t = oct_tracer_at(i);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      uint32_t one[OCT_TRACER_PARAMS_MAX] = {0}, other[OCT_TRACER_PARAMS_MAX] = {0};
      int error = fit(t, names[k].one, names[k].addr_bits, one);
      assert_int_equal(fit(t, names[k].other, names[k].addr_bits, other), error);
      if (memcmp(one, other, sizeof one)) fail_msg("%s: %s", t->name, names[k].other);
      n_fitted += !error;
    }
  }
  assert_in_range(n_fitted, 3 * sizeof names / sizeof *names, 1000);
}

/* One that needs nothing of the trace has no function for it. */
static void no_fit(void **state) {
  unsigned n_without = 0;
  (void)state;
  for (unsigned i = 0; oct_tracer_at(i); i++) {
    const oct_tracer *t = oct_tracer_at(i);
    uint32_t fitted[OCT_TRACER_PARAMS_MAX] = {0}, defaults[OCT_TRACER_PARAMS_MAX] = {0};
    if (t->fit) continue;
    oct_tracer_defaults(t, defaults);
    assert_int_equal(fit(t, "arm", 32, fitted), 0);
    assert_memory_equal(fitted, defaults, sizeof fitted);
    n_without++;
  }
  assert_in_range(n_without, 1, 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_name), cmocka_unit_test(no_fit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
