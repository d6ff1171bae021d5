/* SPDX-License-Identifier: Apache-2.0 */
/* test_coder.c - does the decoder's half of the coder of `shadow` get back what the compressor's
 * half was given, whatever the probabilities, and does no run of its bits look like a mark? Are the
 * probabilities of a mix those of its curve, up to both ends? */
#include "oct_shadow_encode.h"
#include "oct_shadow_mix.h"
#include "oct_shadow_model.h"
#include "oct_shadow_uncode.h"
#include "octrace/tracer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../test_random.h"

enum { PATH_DECISIONS = 3 };
typedef enum decision_kind { ONE, PATH, RAW, ESCAPE } decision_kind;

typedef struct decision {
  decision_kind kind;
  uint16_t p;     /* of 4096, for a 1; RAW: bits */
  uint64_t value; /* PATH: bit k is the outcome of decision k; ESCAPE: the number */
} decision;

/* The caller frees *bytes. */

enum { DECISIONS_MAX = 4000, MARK_ONES = 24, P_MAX = OCT_CODER_WHOLE - 2 };

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

static size_t encode(const decision *decisions, size_t n, uint8_t **bytes) {
  oct_encode c = {0};
  oct_encode_begin(&c);
  for (size_t i = 0; i < n; i++) {
    const decision *d = &decisions[i];
    switch (d->kind) {
      case ESCAPE:
        oct_encode_escape(&c, OCT_ESCAPE_JUMP, d->value);
        break;
      case RAW:
        oct_encode_raw(&c, d->value, d->p);
        break;
      case PATH:
        oct_encode_open(&c);
        for (unsigned k = 0; k < PATH_DECISIONS; k++)
          oct_encode_path(&c, d->p, d->value >> k & 1, 1u << (PATH_DECISIONS - 1 - k));
        oct_encode_close(&c);
        break;
      default:
        oct_encode_bit(&c, d->p, (unsigned)d->value);
        break;
    }
  }
  oct_encode_end(&c);
  *bytes = c.bytes;
  return c.n;
}

static uint64_t decode(oct_uncode *c, const decision *d) {
  uint64_t value = 0;
  switch (d->kind) {
    case ESCAPE:
      oct_uncode_look(c);
      assert_true(c->has_escape);
      assert_int_equal(c->escape, OCT_ESCAPE_JUMP);
      oct_uncode_pass_escape(c);
      return c->escape_after;
    case RAW:
      return oct_uncode_raw(c, 0, d->p);
    case PATH:
      oct_uncode_open(c);
      for (unsigned k = 0; k < PATH_DECISIONS; k++)
        value |= oct_uncode_path(c, d->p, 0, 1u << (PATH_DECISIONS - 1 - k)) << k;
      oct_uncode_close(c);
      return value;
    default:
      oct_uncode_look(c);
      assert_false(c->has_escape);
      return oct_uncode_bit(c, d->p, 0);
  }
}

static void test_round_trip(void **unused) {
  static decision decisions[DECISIONS_MAX];
  (void)unused;
  seed_random("coder");
  for (unsigned round = 0; round < 3000; round++) {
    if (is_left_out()) continue;
    size_t n = below32(DECISIONS_MAX);
    unsigned style = below32(6);
    for (size_t i = 0; i < n; i++) {
      decision *d = &decisions[i];
      uint32_t p = style == 1   ? 1u + below32(3)
                   : style == 2 ? P_MAX - below32(3)
                   : style == 3 ? OCT_CODER_WHOLE / 2 - 1 + below32(2)
                   : style == 4 ? (below32(2) ? 1 : P_MAX)
                                : 1u + below32(P_MAX);
      d->p = (uint16_t)p;
      d->kind = ONE;
      /* Likely and unlikely outcomes, and now and then the one that makes long runs of ones. */
      d->value = below32(8) ? below32(OCT_CODER_WHOLE) < d->p : below32(2);
      if (style == 2) d->value = below32(100) != 0;
      if (style < 5 || below32(3)) continue;
      d->kind = (decision_kind)below32(4);
      if (d->kind == PATH) d->value = below32(2) ? below32(1u << PATH_DECISIONS) : 7u * below32(2);
      if (d->kind == RAW) d->p = (uint16_t)(1 + below32(64));
      if (d->kind >= RAW) d->value = (uint64_t)below32(1u << 31) << 33;
      if (d->kind >= RAW) d->value |= (uint64_t)below32(1u << 31) << 2;
      if (d->kind >= RAW && below32(4) == 0) d->value = UINT64_MAX;
      if (d->kind == RAW) d->value &= UINT64_MAX >> (64 - d->p);
      if (d->kind == ESCAPE) d->value >>= 1 + below32(63);
    }
    uint8_t *bytes = NULL;
    size_t n_bytes = encode(decisions, n, &bytes);
    check_bytes(bytes, n_bytes);
    oct_uncode c = {0};
    oct_uncode_begin(&c, bytes, n_bytes);
    for (size_t i = 0; i < n; i++) {
      const decision *d = &decisions[i];
      uint64_t value = decode(&c, d);
      if (value != d->value) fail_msg("round %u: decision %zu of %zu differs", round, i, n);
      assert_false(c.is_bad);
    }
    assert_ptr_equal(c.at, c.end);
    free(bytes);
  }
}

/* The points that docs/shadow-format.md gives, both ways, and no step back between them. */
static void test_curve(void **state) {
  static const unsigned points[] = {2047, 1546, 1102, 747, 488, 311, 194, 120,
                                    74,   45,   27,   17,  10,  6,   4,   2};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_shadow_model m;
  (void)state;
  oct_tracer_defaults(oct_tracer_find("shadow"), params);
  const oct_shadow_config cfg = oct_shadow_config_of(params);
  assert_int_equal(oct_shadow_model_init(&m, &cfg), 0);
  for (int i = 0; i < 16; i++) assert_int_equal(oct_squash(-8 * i), points[i] + (i == 0));
  for (int x = 1 - OCT_STRETCH_MAX; x <= OCT_STRETCH_MAX; x++) {
    assert_true(oct_squash(x) >= oct_squash(x - 1));
    if (x) assert_int_equal(oct_squash(x) + oct_squash(-x), OCT_CODER_PARTS);
  }
  assert_int_equal(oct_squash(-OCT_STRETCH_MAX), 1);
  assert_int_equal(oct_squash(1000), oct_squash(OCT_STRETCH_MAX));
  oct_shadow_model_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                     cmocka_unit_test(test_curve)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
