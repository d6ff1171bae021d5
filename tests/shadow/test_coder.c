/* SPDX-License-Identifier: Apache-2.0 */
/* test_coder.c - does the decoder's half of the coder of `shadow` get back what the compressor's
 * half was given, whatever the probabilities, and does no run of its bits look like a mark? */
#include "test_coder.h"

#include "oct_shadow_uncode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { DECISIONS_MAX = 4000, MARK_ONES = 24 };

static uint64_t state;

static uint32_t draw(uint32_t n) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((state >> 33) % n);
}

/* Longest run of ones, and two bytes of which the first has eight ones and the second would begin a
 * mark. */
static void check_bytes(const uint8_t *bytes, size_t n) {
  unsigned ones = 0;
  for (size_t i = 0; i < 8 * n; i++) {
    ones = bytes[i / 8] >> (i % 8) & 1 ? ones + 1 : 0;
    assert_true(ones < MARK_ONES - 1);
  }
  for (size_t i = 1; i < n; i++) assert_false(bytes[i - 1] == 0xff && bytes[i] > 0x8f);
  assert_false(n && bytes[n - 1] == 0xff);
}

static void test_round_trip(void **unused) {
  static decision decisions[DECISIONS_MAX];
  (void)unused;
  for (unsigned round = 0; round < 3000; round++) {
    state = round;
    size_t n = draw(DECISIONS_MAX);
    unsigned style = draw(6);
    for (size_t i = 0; i < n; i++) {
      decision *d = &decisions[i];
      uint32_t p = style == 0 ? draw(65535) + 1 : style == 1 ? 1u + draw(3) : 65535u - draw(3);
      if (style == 3) p = 32768;
      if (style == 4) p = draw(2) ? 1 : 65535;
      d->p = (uint16_t)(style == 5 && draw(3) == 0 ? 0 : p);
      /* Likely and unlikely outcomes, and now and then the one that makes long runs of ones. */
      d->bit = draw(8) ? draw(65536) < d->p : draw(2);
      if (style == 2) d->bit = draw(100) != 0;
    }
    uint8_t *bytes = NULL;
    size_t n_bytes = encode(decisions, n, &bytes);
    check_bytes(bytes, n_bytes);
    oct_coder c;
    oct_coder_begin(&c, bytes, n_bytes);
    for (size_t i = 0; i < n; i++) {
      const decision *d = &decisions[i];
      unsigned bit = d->p ? oct_coder_bit(&c, d->p, 0) : oct_coder_point(&c, 0);
      if (bit != d->bit) fail_msg("seed %u: decision %zu of %zu differs", round, i, n);
    }
    assert_ptr_equal(c.at, c.end);
    free(bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
