/* SPDX-License-Identifier: Apache-2.0 */
/* test_arrival.c - is the arrival model that users write the one they get? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oct_compressor.h"

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
    assert_non_null(strstr(diag.text, strncmp(bad[i], "cpi=", 4) ? bad[i] : bad[i] + 4));
    assert_int_equal(options.arrival, OCT_ARRIVAL_STAMPS);
    assert_int_equal(options.cpi_milli, 7);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_arrivals),
      cmocka_unit_test(unknown_arrivals_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
