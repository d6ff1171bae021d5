/* SPDX-License-Identifier: Apache-2.0 */
/* test_state.c - does the state of `replay` have a place for each register that a sync sends, and
 * do the geometries keep within what docs/replay.md says? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "octrace/trace.h"
#include "octrace/tracer.h"

static const unsigned sets[] = {OCT_ISA_ARM,     OCT_ISA_THUMB,   OCT_ISA_RISCV32,
                                OCT_ISA_RISCV64, OCT_ISA_AARCH64, OCT_ISA_X86_64};
enum { SETS = sizeof sets / sizeof *sets };

static void params_of(const oct_tracer *t, const char *geometry, unsigned isa, uint32_t *params) {
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag diag;
  assert_int_equal(oct_tracer_parse(t, geometry, params, given, &diag), 0);
  params[oct_tracer_param(t, "isa")] = isa + 1;
  params[oct_tracer_param(t, "addr_bits")] = oct_isa_get((oct_isa)isa)->addr_bits;
}

/* Bytes of the parts that are named, or without them. */
static double bytes_of(const oct_tracer *t, const uint32_t *params, const char *names,
                       bool are_in) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < t->n_state_parts; i++) {
    char name[40];
    snprintf(name, sizeof name, " %s ", t->state_parts[i].name);
    if ((strstr(names, name) != NULL) == are_in) bits += t->state_parts[i].bits(params);
  }
  return (double)bits / 8;
}

static void each_register_has_its_copy(void **state) {
  const oct_tracer *t = oct_tracer_find("replay");
  (void)state;
  for (unsigned k = 0; k < SETS; k++) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    unsigned bits[2] = {0};
    params_of(t, "replay", sets[k], params);
    for (unsigned i = 0; i < OCT_REGISTERS_MAX; i++) {
      const unsigned bytes = oct_isa_register_bytes((oct_isa)sets[k], i);
      if (bytes) bits[i >= OCT_REG_FLOAT] += 2 * (8 * bytes + 1);
    }
    assert_true(bytes_of(t, params, " registers ", true) == bits[0] / 8.0);
    assert_true(bytes_of(t, params, " float_registers ", true) == bits[1] / 8.0);
  }
}

/* Without buffers: of a core without floating point, and of one with it. */
static void sizes_are_those_of_the_page(void **state) {
  static const struct {
    const char *geometry;
    double most, arm, riscv32;
  } sizes[] = {{"replay-small", 3072, 2939, 3054},
               {"replay", 5120, 5003, 5118},
               {"replay-large", 14336, 13755, 13870}};
  enum { FLOAT = 520 };
  const oct_tracer *t = oct_tracer_find("replay");
  (void)state;
  for (unsigned g = 0; g < sizeof sizes / sizeof *sizes; g++)
    for (unsigned k = 0; k < SETS; k++) {
      uint32_t params[OCT_TRACER_PARAMS_MAX];
      if (oct_isa_get((oct_isa)sets[k])->addr_bits > 32) continue;
      params_of(t, sizes[g].geometry, sets[k], params);
      const double bytes = bytes_of(t, params, " float_registers queue output ", false);
      assert_true(bytes <= sizes[g].most);
      assert_float_equal(bytes, sets[k] == OCT_ISA_RISCV32 ? sizes[g].riscv32 : sizes[g].arm, 0.5);
      assert_float_equal(bytes_of(t, params, " queue output ", false), bytes + FLOAT, 0.01);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_register_has_its_copy),
                                     cmocka_unit_test(sizes_are_those_of_the_page)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
