/* SPDX-License-Identifier: Apache-2.0 */
/* test_crc.c - does the check of the ports have the published values, and see what it promises? */
#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oct_crc.h"

static const uint8_t digits[9] = "123456789";

/* Of the catalogue of CRCs: CRC-16/KERMIT, and CRC-32/ISCSI, which begins and ends inverted. */
static void published_values(void **state) {
  (void)state;
  assert_int_equal(oct_crc_bytes(16, 0, digits, 9), 0x2189);
  assert_int_equal(~oct_crc_bytes(32, UINT32_MAX, digits, 9), 0xE3069283);
}

/* The definition: bit by bit, by the reflected polynomial. */
static uint32_t crc_by_bit(unsigned check_bits, uint32_t crc, uint64_t word, unsigned n) {
  uint32_t poly = check_bits == 16 ? 0x8408 : 0x82F63B78;
  for (; n; n--, word >>= 1) crc = crc >> 1 ^ ((crc ^ (uint32_t)word) & 1 ? poly : 0);
  return crc;
}

/* Each bit at each place of a run, and the register before it, add up to any run. */
static void tables_follow_from_the_polynomials(void **state) {
  (void)state;
  const uint64_t words[] = {0, UINT64_MAX, 0x0123456789ABCDEF, 0xF7E6D5C4B3A29180};
  for (unsigned check_bits = 16; check_bits <= 32; check_bits += 16) {
    for (unsigned n = 0; n <= 64; n++) {
      for (unsigned i = 0; i < 64; i++)
        assert_int_equal(oct_crc_bits(check_bits, 0, (uint64_t)1 << i, n),
                         crc_by_bit(check_bits, 0, (uint64_t)1 << i, n));
      for (unsigned i = 0; i < check_bits; i++)
        assert_int_equal(oct_crc_bits(check_bits, 1u << i, 0, n),
                         crc_by_bit(check_bits, 1u << i, 0, n));
      for (unsigned i = 0; i < 4; i++)
        assert_int_equal(oct_crc_bits(check_bits, 0xBEEF, words[i], n),
                         crc_by_bit(check_bits, 0xBEEF, words[i], n));
    }
  }
}

/* A run cut anywhere, begun within a byte, or followed by its check. */
static void runs_of_bits(void **state) {
  (void)state;
  uint64_t word;
  memcpy(&word, digits, 8);
  word = le64toh(word);
  for (unsigned check_bits = 16; check_bits <= 32; check_bits += 16) {
    uint32_t whole = oct_crc_bytes(check_bits, 0, digits, 8);
    for (unsigned cut = 0; cut <= 64; cut++) {
      uint32_t crc = oct_crc_bits(check_bits, 0, word, cut);
      crc = oct_crc_bits(check_bits, crc, cut < 64 ? word >> cut : 0, 64 - cut);
      assert_int_equal(crc, whole);
    }
    for (unsigned zeros = 0; zeros < 8; zeros++)
      assert_int_equal(oct_crc_bits(check_bits, 0, word << zeros, 64),
                       oct_crc_bits(check_bits, 0, word, 64 - zeros));
    assert_int_equal(oct_crc_bits(check_bits, whole, whole, check_bits), 0);
  }
}

/* Every burst that is no longer than the check changes it. */
static void bursts_are_seen(void **state) {
  (void)state;
  for (unsigned burst = 1; burst < 65536; burst += 2)
    for (unsigned at = 0; at <= 48; at += 16)
      assert_int_not_equal(oct_crc_bits(16, 0, (uint64_t)burst << at, 64), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_values),
      cmocka_unit_test(tables_follow_from_the_polynomials),
      cmocka_unit_test(runs_of_bits),
      cmocka_unit_test(bursts_are_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
