/* SPDX-License-Identifier: Apache-2.0 */
/* bad_streams.c - does the decoder survive what is cut off, flipped, or no stream at all? */
#include "../../test_random.h"
#include "oct_worked.h"

static void test_truncation(void **state) {
  (void)state;
  oct_bw w = worked();
  for (size_t n = 0; n < bw_bytes(&w); n++) {
    oct_run r;
    run_decoder(&r, &w.cfg, OCT_START_IN_STEP, loop_map, 3, w.bytes, n, 7);
    assert_int_equal(r.result, OCT_ERR_TRUNCATED);
    assert_int_equal(strncmp(r.text, LOOP_TEXT, r.n_text), 0);
    free(r.text);
  }
  bw_free(&w);
}

static void test_bit_flips(void **state) {
  (void)state;
  oct_bw w = worked();
  for (size_t i = 0; i < w.n_bits; i++) {
    w.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
    for (unsigned start = 0; start < 2; start++) {
      oct_run r;
      run_decoder(&r, &w.cfg, (oct_decoder_start)start, loop_map, 3, w.bytes, bw_bytes(&w), 16);
      free(r.text);
    }
    w.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
  }
  RUN(&w, loop_map, LOOP_TEXT);
  bw_free(&w);
}

static void test_garbage(void **state) {
  (void)state;
  uint64_t seed = test_seed("garbage");
  for (unsigned round = 0; round < 400; round++) {
    if (is_left_out()) continue;
    oct_config c;
    oct_config_init(&c);
    c.addr_bits = 32 + (uint32_t)(random_step(&seed) % 33);
    c.sl_bits = 1 + (uint32_t)(random_step(&seed) % 8);
    c.sc_sets = 1u << random_step(&seed) % 6;
    c.sc_ways = 1u << random_step(&seed) % 5;
    c.sc_index_fn = (uint32_t)(random_step(&seed) % 4);
    c.sc_repl = (uint32_t)(random_step(&seed) % 4);
    c.ntuple_n = (uint32_t)(random_step(&seed) % 17);
    c.thb_depth = 1 + (uint32_t)(random_step(&seed) % 300);
    c.thb_update = (uint32_t)(random_step(&seed) % 2);
    c.dasc_entries = 16u << random_step(&seed) % 6;
    c.dasc_ways = (uint32_t)(1u << random_step(&seed) % 5) & ~1u;
    c.rep_pattern_bits = 1 + (uint32_t)(random_step(&seed) % 32);
    c.rep_count_bits = (uint32_t)(random_step(&seed) % 17);
    oct_diag diag;
    if (oct_config_check(&c, &diag)) continue;
    oct_bw w;
    bw_init(&w, &c);
    bw_sync(&w, 0, 0);
    size_t n = random_step(&seed) % 500;
    for (size_t i = 0; i < n; i++) {
      /* Known packets with random fields go deeper than random bits. */
      switch (random_step(&seed) % 12) {
        case 0:
          bw_dmt(&w, random_step(&seed));
          break;
        case 1:
        case 2:
          bw_pattern(&w, (uint32_t)random_step(&seed));
          break;
        case 3:
        case 4: {
          uint64_t addr = 0x1000 + 4 * (random_step(&seed) % 32);
          bw_scmt(&w, addr, 1 + random_step(&seed) % 2);
          break;
        }
        case 5:
          bw_terminator(&w);
          break;
        case 6:
        case 7:
          if (c.ntuple_n) {
            uint32_t indices[16] = {0};
            uint64_t index = random_step(&seed) % 16;
            indices[index] = (uint32_t)random_step(&seed);
            bw_tuple(&w, indices);
            break;
          }
          bw_index(&w, 0);
          break;
        case 8:
        case 9:
          bw_index(&w, (uint32_t)random_step(&seed) % 8);
          break;
        case 10:
          bw_flush(&w);
          break;
        default:
          bw_field(&w, random_step(&seed), 9);
      }
    }
    oct_map_update map[BARE_COUNT];
    memcpy(map, bare, sizeof map);
    for (unsigned i = 0; i < 16; i++)
      map[2 * i] = run_entry(0, 0x1000 + 8 * i, 4, "LS", i % 3 == 0 ? OCT_MAP_VARIABLE : 0);
    oct_run r;
    run_decoder(&r, &c, (oct_decoder_start)(round % 2), map, BARE_COUNT, w.bytes, bw_bytes(&w),
                1 + random_step(&seed) % 100);
    free(r.text);
    bw_free(&w);
  }
}
int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_truncation),
                                     cmocka_unit_test(test_bit_flips),
                                     cmocka_unit_test(test_garbage)};
  return cmocka_run_group_tests(tests, setup, NULL);
}
