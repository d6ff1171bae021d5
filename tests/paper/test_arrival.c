/* SPDX-License-Identifier: Apache-2.0 */
/* test_arrival.c - is the arrival model that users write the one they get, and does the core
 * interface tell all that is known of what retires? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oct_compressor.h"
#include "oct_core.h"
#include "octrace/map.h"

static void known_arrivals(void **state) {
  static const struct {
    const char *text;
    oct_arrival arrival;
    uint32_t cpi_milli;
  } good[] = {
      {"full", OCT_ARRIVAL_FULL, 7},          {"stamps", OCT_ARRIVAL_STAMPS, 7},
      {"cpi=1", OCT_ARRIVAL_CPI, 1000},       {"cpi=1.2345", OCT_ARRIVAL_CPI, 1235},
      {"cpi=1000", OCT_ARRIVAL_CPI, 1000000},
  };
  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    oct_run_options options = {.arrival = OCT_ARRIVAL_FULL, .cpi_milli = 7};
    assert_int_equal(oct_arrival_parse(good[i].text, &options, NULL), 0);
    assert_int_equal(options.arrival, good[i].arrival);
    assert_int_equal(options.cpi_milli, good[i].cpi_milli);
  }
}

static void unknown_arrivals_change_nothing(void **state) {
  static const char *const bad[] = {
      "",          "Full",    "fuller",     "cpi",    "cpi=",    "cpi=x",  "cpi=2x",
      "cpi=0.999", "cpi=nan", "cpi=1000.1", "cpi=-1", "cpi=inf", "stamps "};
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    oct_run_options options = {.arrival = OCT_ARRIVAL_STAMPS, .cpi_milli = 7};
    oct_diag diag = {0};
    assert_int_equal(oct_arrival_parse(bad[i], &options, &diag), OCT_ERR_ARG);
    assert_non_null(
        strstr(oct_diag_line(&diag).text, strncmp(bad[i], "cpi=", 4) ? bad[i] : bad[i] + 4));
    assert_int_equal(options.arrival, OCT_ARRIVAL_STAMPS);
    assert_int_equal(options.cpi_milli, 7);
  }
}

static void class_comes_beside_the_address(void **state) {
  static const oct_map_entry map[] = {
      {.addr = 0x8000, .size_bytes = 4, .cls = OCT_CLASS_DIRECT_CALL, .target = 0x9000},
      {.addr = 0x8004, .size_bytes = 4, .cls = OCT_CLASS_RETURN}};
  static const uint64_t addrs[] = {0x8000, 0x8004, 0x8008, 0x8000};
  static const oct_class classes[] = {OCT_CLASS_DIRECT_CALL, OCT_CLASS_RETURN, OCT_CLASS_UNKNOWN,
                                      OCT_CLASS_DIRECT_CALL};
  oct_insn insns[4] = {{0}};
  oct_batch batch = {.insns = insns, .n_insns = 4, .map = map, .n_map = 2};
  oct_run_options options = {.arrival = OCT_ARRIVAL_FULL};
  const oct_map_update *updates;
  oct_core core;
  oct_pins_in in;
  (void)state;
  for (int i = 0; i < 4; i++)
    insns[i] = (oct_insn){.addr = addrs[i], .size_bytes = 4, .flags = OCT_INSN_END | 7 << 4};
  oct_map_tracker *tracker = oct_map_tracker_new();
  assert_non_null(tracker);
  assert_true(oct_map_track(tracker, &batch, insns, &updates) >= 0);
  oct_core_init(&core, &options);
  for (uint64_t i = 0; i < 4; i++) {
    assert_int_equal(oct_core_put(&core, &insns[i], NULL, i, NULL), 0);
    assert_true(oct_core_next(&core, &in));
    assert_true(in.retire.insn_valid && !in.retire.da_valid);
    assert_int_equal(in.retire.insn_addr, addrs[i]);
    assert_int_equal(in.retire.insn_class, classes[i]);
    assert_false(oct_core_next(&core, &in));
  }
  oct_map_tracker_free(tracker);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_arrivals),
      cmocka_unit_test(unknown_arrivals_change_nothing),
      cmocka_unit_test(class_comes_beside_the_address),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
