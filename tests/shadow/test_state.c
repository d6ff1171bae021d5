/* SPDX-License-Identifier: Apache-2.0 */
/* test_state.c - do the geometries of `shadow` keep the limits of state that docs/shadow.md gives?
 * And has each that is for a core of one instruction a cycle room in its queue for the bursts that
 * were measured there? */
#include "../traces/test_util.h"

#include "octrace/tracer.h"

extern const oct_tracer oct_tracer_shadow;
static const oct_tracer *const t = &oct_tracer_shadow;

/* What an instruction set asks for (docs/shadow.md, State). */
static const char *const a32 = "regs=16,pc_align_bits=2", *const t32 = "regs=16,pc_align_bits=1",
                         *const rv32 = "regs=32,pc_align_bits=1",
                         *const mips = "regs=32,pc_align_bits=2";

static uint64_t state_bits(const char *geometry, const char *set) {
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  char text[100];
  oct_diag diag;
  oct_tracer_defaults(t, params);
  snprintf(text, sizeof text, "%s,addr_bits=32,%s", geometry, set);
  if (oct_tracer_parse(t, text, params, NULL, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  return oct_tracer_state_bits(t, params);
}

static void test_limits_of_a32(void **state) {
  (void)state;
  assert_in_range(state_bits("shadow", a32), 1, 8 * 7629);
  assert_in_range(state_bits("shadow-large", a32), 1, 8 * 24576);
  assert_in_range(state_bits("shadow-tiny", a32), 1, 8 * 1536);
}

static void test_large_on_all_of_32_bits(void **state) {
  (void)state;
  assert_in_range(state_bits("shadow-large", t32), 1, 8 * 24576);
  assert_in_range(state_bits("shadow-large", rv32), 1, 8 * 24576);
  assert_in_range(state_bits("shadow-large", mips), 1, 8 * 24576);
}

/* The fullest queue of the suite has 186 words (docs/shadow.md, Pins). */
static void test_queue_has_room(void **state) {
  static const char *const geometries[] = {"shadow", "shadow-large"};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_diag diag;
  (void)state;
  for (size_t i = 0; i < sizeof geometries / sizeof *geometries; i++) {
    if (oct_tracer_parse(t, geometries[i], params, NULL, &diag))
      fail_msg("%s", oct_diag_line(&diag).text);
    assert_in_range(params[oct_tracer_param(t, "queue_words")], 186, UINT32_MAX);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_limits_of_a32),
      cmocka_unit_test(test_large_on_all_of_32_bits),
      cmocka_unit_test(test_queue_has_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
