/* SPDX-License-Identifier: Apache-2.0 */
/* worked_streams.c - does the decoder read hand-worked streams as docs/port-format.md says? */
#include "oct_worked.h"

static void test_worked_example(void **state) {
  (void)state;
  static const uint8_t bytes[35] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x06, 0x00, 0x04,
                                    0x00, 0x10, 0x08, 0x00, 0x80, 0x00, 0x00, 0x80, 0x30,
                                    0x20, 0x08, 0x00, 0x00, 0x78, 0x05, 0x9f, 0x05};
  oct_bw w = worked();
  assert_int_equal(bw_bytes(&w), 35);
  assert_memory_equal(w.bytes, bytes, 35);
  RUN(&w, loop_map, LOOP_TEXT);
  bw_field(&w, 0, 32); /* what 31 pins and the last byte add at most */
  RUN(&w, loop_map, LOOP_TEXT);
  bw_field(&w, 0, 1);
  RUN_FAILS(&w, loop_map, LOOP_TEXT, OCT_ERR_TRUNCATED);
  bw_free(&w);
}

/* The same with checks: all bits are under one. */
static void test_worked_example_checked(void **state) {
  (void)state;
  static const uint8_t bytes[39] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00,
                                    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x00, 0x08,
                                    0x00, 0x20, 0x10, 0x00, 0x00, 0x01, 0x00, 0x00, 0x61, 0x40,
                                    0x10, 0x00, 0x00, 0xf0, 0x0a, 0x3e, 0xc7, 0x69, 0x09};
  oct_bw w = worked_with(16);
  assert_int_equal(bw_bytes(&w), 39);
  assert_memory_equal(w.bytes, bytes, 39);
  RUN(&w, loop_map, LOOP_TEXT);
  for (unsigned bit = 0; bit < w.n_bits - 7; bit++) { /* but the padding, which must be zeros */
    oct_run r;
    w.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    run_decoder(&r, &w.cfg, OCT_START_IN_STEP, loop_map, 3, w.bytes, bw_bytes(&w), 1000);
    assert_true(r.result < 0 || r.confirmed == 0);
    free(r.text);
    w.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  bw_free(&w);
}

static void test_hits_and_repetitions(void **state) {
  (void)state;
  oct_config c;
  oct_config_init(&c);
  c.ntuple_n = 0;
  oct_bw w;
  bw_init(&w, &c);
  oct_map_update map[] = {run_entry(0, 0x8000, 2, "S", 0), run_entry(0, 0x8002, 2, "", 0)};
  bw_sync(&w, 0, 7);
  bw_scmt(&w, 0x8000, 2);
  bw_index(&w, 0);
  for (unsigned i = 1; i < 19; i++) bw_index(&w, 8); /* set (0x8000<12:6> xor 2) = 2, way 0 */
  bw_dmt(&w, 0x10);                                  /* stride 0x10 */
  bw_repetition(&w, 0xFE, 2);                        /* bit 0, seven hits; twice */
  bw_dmt(&w, 0x0C); /* after seven hits at 0x80: stride 0x8C, sign-extended */
  bw_part_pattern(&w, "111");
  bw_flush(&w);
  char text[2000];
  size_t n = 0;
  uint32_t addr = 0;
  for (unsigned i = 0; i < 19; i++) {
    addr = i < 8 ? 0x10 * (i + 1) : i == 8 ? 0x0C : addr - 0x74;
    n += (size_t)snprintf(text + n, sizeof text - n, "8000/7 S%x:4\n8002/7\n", addr);
  }
  RUN(&w, map, text);
  bw_free(&w);
}

static void test_tuples(void **state) {
  (void)state;
  for (unsigned update = 0; update < 2; update++) {
    oct_config c = plain();
    c.ntuple_n = 2;
    c.thb_depth = 2;
    c.thb_update = update;
    c.sc_index_fn = OCT_INDEX_SA;
    oct_bw w;
    bw_init(&w, &c);
    /* 0x1004: set 1, way 0 = index 4; 0x1008: index 8 */
    bw_sync(&w, 0, 0);
    bw_scmt(&w, 0x1004, 1);
    bw_scmt(&w, 0x1008, 1);
    bw_tuple(&w, (uint32_t[]){0, 0}); /* history 1 */
    bw_tuple(&w, (uint32_t[]){4, 4}); /* history 2 */
    bw_index(&w, 2);                  /* with update: history 1 too */
    bw_part_tuple(&w, (uint32_t[]){8}, 1);
    bw_task(&w, 3);
    bw_tuple(&w, (uint32_t[]){8, 4}); /* history 1, or 2 with update */
    bw_index(&w, 1);
    bw_flush(&w);
    bw_part_tuple(&w, (uint32_t[]){8}, 1);
    bw_flush(&w);
    RUN(&w, bare,
        update
            ? "1004\n1008\n1004\n1004\n1004\n1004\n1008\n1008/3\n1004/3\n1004/3\n1004/3\n1008/3\n"
            : "1004\n1008\n1004\n1004\n1004\n1004\n1008\n1008/3\n1004/3\n1008/3\n1004/3\n1008/3\n");
    bw_sync(&w, 12, 0);
    bw_index(&w, 1); /* a sync empties the history */
    bw_flush(&w);
    oct_run r;
    run_decoder(&r, &c, OCT_START_IN_STEP, bare, BARE_COUNT, w.bytes, bw_bytes(&w), 100);
    assert_int_equal(r.result, OCT_ERR_PACKET);
    free(r.text);
    bw_free(&w);
  }
}

/* Streams of one instruction in set 1 of a cache; letters are streams, and after each the index
 * expected for a hit on it. Set 1 with index function sa: SA = 0x1004 + 0x10 * letter for 4 sets.
 */
static void policy(unsigned repl, const char *misses_then_hits, const uint32_t *indices,
                   uint32_t set) {
  oct_config c = plain();
  c.sc_sets = 4;
  c.sc_ways = 4;
  c.sc_index_fn = OCT_INDEX_SA;
  c.sc_repl = repl;
  oct_bw w;
  bw_init(&w, &c);
  char text[1000];
  size_t n = 0;
  text[0] = 0;
  bw_sync(&w, 0, 0);
  for (unsigned i = 0; misses_then_hits[i]; i++) {
    uint64_t sa = 0x1000 + 4 * set + 0x10 * (uint64_t)(misses_then_hits[i] - 'a');
    if (!indices[i]) bw_scmt(&w, sa, 1);
    bw_index(&w, indices[i]);
    n += (size_t)sprintf(text + n, "%llx\n", (unsigned long long)sa);
  }
  bw_flush(&w);
  RUN(&w, bare, text);
  bw_free(&w);
}

static void test_policies(void **state) {
  (void)state;
  /* abcd fill ways 0..3 (indices 4..7); a is used; e takes the least recently used, b at way 1. */
  policy(OCT_REPL_LRU, "abcdaeeacd", (uint32_t[]){0, 0, 0, 0, 4, 0, 5, 4, 6, 7}, 1);
  /* fifo: e takes way 0 although a was used, f way 1. */
  policy(OCT_REPL_FIFO, "abcdaefefcd", (uint32_t[]){0, 0, 0, 0, 4, 0, 0, 4, 5, 6, 7}, 1);
  /* fifo, set 0: ways 1..3, and the pointer wraps to 1: a1 b2 c3 d1 e2 b3. */
  policy(OCT_REPL_FIFO, "abcdebdeb", (uint32_t[]){0, 0, 0, 0, 0, 0, 1, 2, 3}, 0);
  /* plru: after a b c d node 1 leads left, node 2 left (b was last), so e takes way 0. Then node 1
   * leads right, node 3 left (d last): f takes way 2. */
  policy(OCT_REPL_PLRU, "abcdefebfd", (uint32_t[]){0, 0, 0, 0, 0, 0, 4, 5, 6, 7}, 1);
  /* plru, set 0: a1 b2 c3. Use of a: nodes 2 left, 1 right; use of c: node 3 left, 1 left. Node 1
   * left, node 2 left = way 0, so d takes way 1. */
  policy(OCT_REPL_PLRU, "abcdbcd", (uint32_t[]){0, 0, 0, 0, 2, 3, 1}, 0);
  /* random: 0xACE1 -> 0xE270 (way 0) -> 0x7138 (way 0) -> 0x389C -> 0x1C4E (way 2). */
  policy(OCT_REPL_RANDOM, "abcdefghgbhd", (uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0, 4, 5, 6, 7}, 1);
}

static void test_policies_wrong_index(void **state) {
  (void)state;
  oct_config c = plain();
  oct_bw w;
  bw_init(&w, &c);
  bw_sync(&w, 0, 0);
  bw_scmt(&w, 0x1000, 1);
  bw_index(&w, 0);
  bw_index(&w, 127);
  bw_flush(&w);
  RUN_FAILS(&w, bare, "1000\n", OCT_ERR_PACKET);
  bw_free(&w);
}

static void test_unusable_set(void **state) {
  (void)state;
  oct_config c = plain();
  c.sc_sets = c.sc_ways = 1;
  oct_bw w;
  bw_init(&w, &c);
  bw_sync(&w, 0, 0);
  bw_scmt(&w, 0x1000, 2);
  bw_index(&w, 0);
  bw_scmt(&w, 0x1000, 2);
  bw_index(&w, 0);
  bw_flush(&w);
  RUN(&w, bare, "1000\n1004\n1000\n1004\n");
  bw_free(&w);
}

static void test_index_functions(void **state) {
  (void)state;
  /* SA 0x1048, SL 3, a 2, NSET 4, NWAY 2 (ne 3, ns 2): paper (0x1048 >> 6 = 0x41) xor 3 = 2 mod 4;
   * fold 0x412 xor 0x104 xor 3 = 0x515 = 1; concat lo 1: (0x412 << 1) or 1 = 1; sa 2. */
  static const uint32_t set[] = {2, 1, 1, 2};
  for (unsigned f = 0; f < 4; f++) {
    oct_config c = plain();
    c.sc_sets = 4;
    c.sc_ways = 2;
    c.sc_index_fn = f;
    oct_bw w;
    bw_init(&w, &c);
    bw_sync(&w, 0, 0);
    bw_scmt(&w, 0x1048, 3);
    bw_index(&w, 0);
    bw_index(&w, 2 * set[f]);
    bw_flush(&w);
    RUN(&w, bare, "1048\n104c\n1050\n1048\n104c\n1050\n");
    bw_free(&w);
  }
}

static void test_terminators(void **state) {
  (void)state;
  oct_config c = plain();
  oct_bw w;
  bw_init(&w, &c);
  oct_map_update map[] = {run_entry(0, 0x1000, 4, "Ls", OCT_MAP_CONDITIONAL),
                          run_entry(0, 0x1004, 4, "?", OCT_MAP_VARIABLE),
                          run_entry(0, 0x1008, 2, "", OCT_MAP_VARIABLE)};
  /* All data first, then the instructions. */
  bw_sync(&w, 0, 0);
  bw_terminator(&w); /* 1000 makes none */
  bw_dmt(&w, 0x50);  /* 1004, slot 0 */
  bw_dmt(&w, 0x51);  /* 1004, slot 1: an entry of its own */
  bw_terminator(&w);
  bw_terminator(&w); /* 1008 */
  bw_dmt(&w, 0x60);  /* 1000, the first of two only */
  bw_terminator(&w);
  bw_terminator(&w);           /* 1004 */
  bw_pattern(&w, 0x00);        /* all so far */
  bw_part_pattern(&w, "1000"); /* 1008: a hit in an entry never used, and its end; then 1000: */
  bw_terminator(&w);
  bw_dmt(&w, 0x61);
  bw_dmt(&w, 0x62); /* two accesses, no terminator */
  bw_part_pattern(&w, "00");
  bw_terminator(&w);
  bw_terminator(&w);
  bw_scmt(&w, 0x1000, 3);
  bw_index(&w, 0);
  for (unsigned i = 0; i < 2; i++) bw_index(&w, 4 * (0x40 % 32 ^ 3));
  bw_flush(&w);
  RUN(&w, map,
      "1000 end\n1004 L50:0 L51:1 end\n1008 end\n1000 L60:4 end\n1004 end\n1008 L0:1 end\n"
      "1000 L61:4 S62:1\n1004 end\n1008 end\n");
  bw_free(&w);
}

static void test_slots_beyond_16(void **state) {
  (void)state;
  oct_config c = plain();
  c.rep_pattern_bits = 20;
  oct_bw w;
  bw_init(&w, &c);
  oct_map_update map[] = {run_entry(0, 0x1000, 4, "LLLLLLLLLLLLLLLsssss", 0)};
  bw_sync(&w, 0, 0);
  bw_scmt(&w, 0x1000, 1);
  bw_index(&w, 0);
  for (unsigned i = 0; i < 15; i++) bw_dmt(&w, 0x10);
  bw_dmt(&w, 0x13);
  bw_pattern(&w, 0xF0000); /* the last four: strides 0x10 of slot 14 and 0x13 of slot 15 */
  bw_flush(&w);
  RUN(&w, map,
      "1000 L10:4 L10:4 L10:4 L10:4 L10:4 L10:4 L10:4 L10:4 L10:4 L10:4 L10:4 L10:4 L10:4 L10:4 "
      "L10:4 S13:1 L20:4 S26:1 L30:4 S39:1\n");
  bw_free(&w);
}

static void test_tagged_dasc(void **state) {
  (void)state;
  oct_config c = plain();
  c.dasc_entries = c.dasc_ways = 2; /* one set */
  oct_bw w;
  bw_init(&w, &c);
  oct_map_update map[] = {run_entry(0, 0x1000, 4, "L", 0), run_entry(0, 0x1004, 4, "L", 0),
                          run_entry(0, 0x1008, 4, "L", 0)};
  bw_sync(&w, 0, 0);
  bw_scmt(&w, 0x1000, 2);
  bw_index(&w, 0);
  bw_dmt(&w, 0x10); /* 1000: new, stride 0 */
  bw_dmt(&w, 0x20); /* 1004: new */
  bw_scmt(&w, 0x1000, 1);
  bw_index(&w, 0); /* hit: 0x10 */
  bw_scmt(&w, 0x1008, 1);
  bw_index(&w, 0);
  bw_dmt(&w, 0x30);                  /* 1008 replaces 1004 */
  bw_index(&w, 4 * (0x40 % 32 ^ 1)); /* 1000: stride 8 */
  bw_dmt(&w, 0x18);
  bw_index(&w, 4 * (0x40 % 32 ^ 1)); /* hit */
  bw_part_pattern(&w, "001001");
  bw_flush(&w);
  RUN(&w, map, "1000 L10:4\n1004 L20:4\n1000 L10:4\n1008 L30:4\n1000 L18:4\n1000 L20:4\n");
  bw_scmt(&w, 0x1004, 1);
  bw_index(&w, 0);
  bw_part_pattern(&w, "1"); /* 1004 is gone */
  bw_flush(&w);
  RUN_FAILS(&w, map, "1000 L10:4\n1004 L20:4\n1000 L10:4\n1008 L30:4\n1000 L18:4\n1000 L20:4\n",
            OCT_ERR_PACKET);
  bw_free(&w);
}

static void test_overflow(void **state) {
  (void)state;
  oct_config c = plain();
  oct_bw w;
  bw_init(&w, &c);
  oct_map_update map[] = {run_entry(0, 0x1000, 4, "", 0), run_entry(0, 0x1004, 4, "LL", 0)};
  bw_sync(&w, 0, 0);
  bw_scmt(&w, 0x1000, 2);
  bw_index(&w, 0);
  bw_dmt(&w, 0x10);
  bw_part_pattern(&w, "0");
  bw_overflow(&w, 5, 6);
  bw_sync(&w, 7, 1);
  bw_scmt(&w, 0x1000, 1);
  bw_index(&w, 0);
  bw_flush(&w);
  RUN(&w, map, "1000\n1004 L10:4 partial\ngap 5 6\n1000/1\n");
  bw_free(&w);

  /* A task switch between the incomplete instruction and the overflow holds for what follows. */
  bw_init(&w, &c);
  bw_sync(&w, 0, 0);
  bw_scmt(&w, 0x1000, 2);
  bw_index(&w, 0);
  bw_task(&w, 2);
  bw_task(&w, 3);
  bw_overflow(&w, 5, 6);
  bw_scmt(&w, 0x1000, 1);
  bw_index(&w, 0);
  bw_flush(&w);
  RUN(&w, map, "1000\n1004 partial\ngap 5 6\n1000/3\n");
  bw_free(&w);

  /* A wrong number at the sync; incomplete at a flush. */
  for (unsigned i = 0; i < 3; i += 2) {
    bw_init(&w, &c);
    bw_sync(&w, 0, 0);
    bw_scmt(&w, 0x1000, 1 + (i == 2));
    bw_index(&w, 0);
    if (i < 2) bw_overflow(&w, 5, 6);
    if (i == 0) bw_sync(&w, 7, 0);
    bw_flush(&w);
    RUN_FAILS(&w, map, i < 2 ? "1000\ngap 5 6\n" : "1000\n", OCT_ERR_PACKET);
    bw_free(&w);
  }
}

static void test_sync_search(void **state) {
  (void)state;
  oct_config c = plain();
  for (unsigned ones = 0; ones < 9; ones++) {
    oct_bw w;
    bw_init(&w, &c);
    bw_field(&w, 0x0123456789ABCDEF, 61);
    bw_field(&w, 0xFFFF, ones);
    bw_sync(&w, 1000, 2);
    bw_scmt(&w, 0x1000, 2);
    bw_index(&w, 0);
    bw_sync(&w, 1002, 2);
    bw_flush(&w);
    oct_map_update map[] = {run_entry(0, 0x1000, 4, "L", 0), run_entry(3, 0x1000, 2, "", 0),
                            run_entry(1000, 0x1002, 4, "", 0)};
    expect_run(&w, OCT_START_SEARCH, map, COUNT(map), "at 1000\n1000/2\n1002/2\n", 0);
    oct_run r;
    run_decoder(&r, &c, OCT_START_SEARCH, map, COUNT(map), w.bytes, bw_bytes(&w), 5);
    assert_int_equal(r.counts.first_sync_bits, 61 + ones);
    assert_int_equal(r.counts.bit_offset, w.n_bits);
    free(r.text);
    RUN_FAILS(&w, map, "", OCT_ERR_PACKET);
    bw_free(&w);
  }
}

static void test_map_updates(void **state) {
  (void)state;
  oct_config c = plain();
  oct_bw w;
  bw_init(&w, &c);
  bw_sync(&w, 0, 0);
  bw_scmt(&w, 0x1000, 4);
  bw_index(&w, 0);
  bw_index(&w, 4 * (0x40 % 32 ^ 4));
  bw_flush(&w);
  /* The instruction at 0x1004 shrinks before its first run, and 0x1000 grows before its second. */
  oct_map_update map[] = {run_entry(0, 0x1000, 4, "", 0), run_entry(0, 0x1004, 4, "", 0),
                          run_entry(0, 0x1008, 4, "", 0), run_entry(0, 0x100c, 4, "", 0),
                          run_entry(1, 0x1004, 2, "", 0), run_entry(1, 0x1006, 2, "", 0),
                          run_entry(4, 0x1000, 8, "", 0), run_entry(4, 0x1010, 8, "", 0),
                          run_entry(4, 0x1018, 8, "", 0)};
  RUN(&w, map, "1000\n1004\n1006\n1008\n1000\n1008\n100c\n1010\n");
  expect_run(&w, OCT_START_IN_STEP, map, 6, "1000\n1004\n1006\n1008\n1000\n1004\n1006\n1008\n", 0);
  expect_run(&w, OCT_START_IN_STEP, map, 2, "1000\n1004\n", OCT_ERR_MAP);
  bw_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_worked_example),
                                     cmocka_unit_test(test_worked_example_checked),
                                     cmocka_unit_test(test_hits_and_repetitions),
                                     cmocka_unit_test(test_tuples),
                                     cmocka_unit_test(test_policies),
                                     cmocka_unit_test(test_policies_wrong_index),
                                     cmocka_unit_test(test_unusable_set),
                                     cmocka_unit_test(test_index_functions),
                                     cmocka_unit_test(test_terminators),
                                     cmocka_unit_test(test_slots_beyond_16),
                                     cmocka_unit_test(test_tagged_dasc),
                                     cmocka_unit_test(test_overflow),
                                     cmocka_unit_test(test_sync_search),
                                     cmocka_unit_test(test_map_updates)};
  return cmocka_run_group_tests(tests, setup, NULL);
}
