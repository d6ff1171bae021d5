/* SPDX-License-Identifier: Apache-2.0 */
/* test_stage_steps.c - does each stage's step do what the paper's pseudo code says, by hand? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../test_random.h"
#include "oct_dasc.h"
#include "oct_ingress.h"
#include "oct_ntuple.h"
#include "oct_output.h"
#include "oct_repetition.h"
#include "oct_stream_cache.h"
#include "oct_stream_detector.h"

static oct_stats stats;

static oct_config config(const char *text) {
  oct_config cfg;
  oct_diag diag;
  oct_config_init(&cfg);
  assert_int_equal(oct_config_parse(&cfg, text, &diag), 0);
  return cfg;
}

static void detector_cuts_streams(void **state) {
  oct_config cfg = config("paper,sl_bits=1");
  oct_stream_detector d;
  oct_stream_word w;
  (void)state;
  oct_stream_detector_init(&d, &cfg);
  assert_false(oct_stream_detector_step(&d, true, 0x100, 4, 0, 0, &w));
  assert_false(oct_stream_detector_step(&d, true, 0x104, 4, 0, 0, &w));
  /* sequential, but the maximum length of 2 is reached */
  assert_true(oct_stream_detector_step(&d, true, 0x108, 2, 0, 0, &w));
  assert_int_equal(w.sa, 0x100);
  assert_int_equal(w.sl, 2);
  /* sequential after a 2-byte instruction */
  assert_false(oct_stream_detector_step(&d, true, 0x10a, 4, 0, 0, &w));
  /* a mark ends the stream; it stands after it */
  assert_true(oct_stream_detector_step(&d, true, 0x200, 4, OCT_MARK_TASK, 7, &w));
  assert_int_equal(w.sa, 0x108);
  assert_int_equal(w.sl, 2);
  assert_int_equal(w.mark, OCT_MARK_TASK);
  assert_int_equal(w.task, 7);
  /* a branch to itself is no sequence */
  assert_true(oct_stream_detector_step(&d, true, 0x200, 4, 0, 0, &w));
  assert_int_equal(w.sl, 1);
  /* a mark alone, then one with nothing open */
  assert_true(oct_stream_detector_step(&d, false, 0, 0, OCT_MARK_FLUSH, 0, &w));
  assert_true(oct_stream_detector_step(&d, false, 0, 0, OCT_MARK_FLUSH, 0, &w));
  assert_int_equal(w.sl, 0);
}

static void cache_index_functions(void **state) {
  static const struct {
    unsigned fn;
    uint64_t sa;
    uint32_t sl, set;
  } cases[] = {
      /* 32 sets, 4 ways: SA<12:6> xor SL<6:0>, its low 5 bits */
      {OCT_INDEX_PAPER, 0x8000, 3, 3},
      {OCT_INDEX_PAPER, 0x1240, 5, (0x49 ^ 5) & 31},
      {OCT_INDEX_FOLD, 0x8104, 1, ((0x8104 >> 2) ^ (0x8104 >> 7) ^ 1) & 31},
      {OCT_INDEX_CONCAT, 0x8104, 7, (((0x8104 >> 2) << 2) | 3) & 31},
      {OCT_INDEX_SA, 0x8104, 9, (0x8104 >> 2) & 31},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    oct_config cfg = config("paper");
    oct_stream_cache c;
    cfg.sc_index_fn = cases[i].fn;
    assert_int_equal(oct_stream_cache_init(&c, &cfg, &stats), 0);
    assert_int_equal(oct_stream_cache_set(&c, cases[i].sa, cases[i].sl), cases[i].set);
    oct_stream_cache_free(&c);
  }
}

/* One set, so that only the replacement decides. Stream k is (4k, 1); its index is printed. Way 0
 * of set 0 is reserved: three ways are left. */
static void replay(const char *settings, const char *streams, const char *expected) {
  oct_config cfg = config(settings);
  oct_stream_cache c;
  assert_int_equal(oct_stream_cache_init(&c, &cfg, &stats), 0);
  for (size_t i = 0; streams[i]; i++) {
    uint32_t index = oct_stream_cache_step(&c, 4 * (uint64_t)(streams[i] - 'a' + 1), 1);
    if (index != (uint32_t)(expected[i] - '0'))
      fail_msg("%s: step %zu of %s: index %u, expected %c", settings, i, streams, index,
               expected[i]);
  }
  oct_stream_cache_free(&c);
}

static void cache_replacement(void **state) {
  (void)state;
  /* LRU: a is used again, so b leaves for d */
  replay("paper,sc_sets=1", "abcadbac",
         "0001"
         "0"
         "0"
         "1"
         "0");
  /* FIFO: a leaves for d although it was used last */
  replay("paper,sc_sets=1,sc_repl=1", "abcada",
         "0001"
         "0"
         "0");
  replay("paper,sc_sets=1,sc_repl=1", "abcabcd", "0001230");
  /* tree PLRU: after c (way 3) and a (way 1) the root points right, its node to way 2: b leaves */
  replay("paper,sc_sets=1,sc_repl=2", "abcadcab",
         "00010"
         "3"
         "1"
         "0");
  /* the register 0xACE1 steps to 0xE270, low bits 0: way 0 is reserved, so way 1 (a) goes */
  replay("paper,sc_sets=1,sc_repl=3", "abcdbcd", "0000231");
  /* one set of one way holds nothing */
  replay("paper,sc_sets=1,sc_ways=1", "aaaa", "0000");
}

static void ntuple_hits_and_misses(void **state) {
  oct_config cfg = config("paper,ntuple_n=2,thb_depth=2");
  static const uint32_t indices[] = {5, 6, 7, 8, 5, 6, 1, 2, 5, 6};
  static const uint8_t kinds[] = {OCT_ITEM_TUPLE_MISS, OCT_ITEM_TUPLE_MISS, OCT_ITEM_TUPLE_HIT,
                                  OCT_ITEM_TUPLE_MISS, OCT_ITEM_TUPLE_MISS};
  oct_item items[OCT_ITEMS_MAX];
  oct_ntuple s;
  (void)state;
  assert_int_equal(oct_ntuple_init(&s, &cfg, &stats), 0);
  for (unsigned i = 0; i < 10; i++) {
    oct_index_word w = {.sl = 1, .index = indices[i]};
    unsigned n = oct_ntuple_step(&s, &w, items);
    assert_int_equal(n, i & 1);
    if (n) assert_int_equal(items[0].kind, kinds[i / 2]);
    if (i == 5) assert_int_equal(items[0].value, 1); /* the first entry, counted from 1 */
  }
  /* a miss sends its descriptor at once, a mark the part of the tuple */
  oct_index_word w = {.sa = 0x40, .sl = 3, .index = 0, .mark = OCT_MARK_FLUSH};
  assert_int_equal(oct_ntuple_step(&s, &w, items), 3);
  assert_int_equal(items[0].kind, OCT_ITEM_SCMT);
  assert_int_equal(items[0].addr, 0x40);
  assert_int_equal(items[1].kind, OCT_ITEM_TUPLE_PART);
  assert_int_equal(items[1].n, 1);
  assert_int_equal(items[2].kind, OCT_ITEM_MARK);
  oct_ntuple_free(&s);
}

static void ntuple_wide_keys_differ(void **state) {
  /* 16 indices of 12 bits fill all 192 bits of a key: each index must count */
  oct_config cfg = config("paper,sc_sets=1024,sc_ways=4,ntuple_n=16,thb_depth=1");
  oct_item items[OCT_ITEMS_MAX];
  oct_ntuple s;
  (void)state;
  assert_int_equal(oct_ntuple_init(&s, &cfg, &stats), 0);
  for (unsigned changed = 0; changed < 16; changed++) {
    for (unsigned round = 0; round < 3; round++) {
      for (unsigned i = 0; i < 16; i++) {
        oct_index_word w = {.sl = 1, .index = 100 + i};
        if (i == changed && round == 2) w.index ^= 0x800;
        if (oct_ntuple_step(&s, &w, items) && round)
          assert_int_equal(items[0].kind, round == 1 ? OCT_ITEM_TUPLE_HIT : OCT_ITEM_TUPLE_MISS);
      }
    }
  }
  oct_ntuple_free(&s);
}

static void slots_take_turns(void **state) {
  static const uint8_t wanted[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                   10, 11, 12, 13, 14, 15, 14, 15, 14, 15};
  oct_config cfg = config("paper");
  oct_ingress s;
  oct_data_word w;
  (void)state;
  oct_ingress_init(&s, &cfg, &stats);
  for (unsigned insn = 0; insn < 2; insn++) {
    oct_ingress_take_insn(&s, 0x1000 + 4 * insn, 0, OCT_MARK_NONE);
    for (unsigned k = 0; k < sizeof wanted; k++) {
      oct_ingress_take_data(&s, false, 0x100, &w);
      assert_int_equal(w.slot, wanted[k]);
    }
  }
}

/* The history as the document tells it: tuples in a ring, searched from the first. */
typedef struct plain_history {
  uint32_t tuple[200], count, write;
} plain_history;

static uint32_t plain_find(const plain_history *h, uint32_t tuple) {
  for (uint32_t i = 0; i < h->count; i++)
    if (h->tuple[i] == tuple) return i + 1;
  return 0;
}

/* Random pairs of indices; few values, so that with thb_update the same tuple stands several times.
 */
static void replay_history(const char *settings, uint32_t values, uint64_t seed) {
  oct_config cfg = config(settings);
  oct_item items[OCT_ITEMS_MAX];
  plain_history h = {.count = 0};
  oct_ntuple s;
  assert_int_equal(oct_ntuple_init(&s, &cfg, &stats), 0);
  for (unsigned step = 0; step < 5000; step++) {
    uint32_t tuple = 0;
    uint32_t expected;
    unsigned n = 0;
    for (unsigned i = 0; i < 2; i++) {
      oct_index_word w = {.sl = 1, .index = 1 + (uint32_t)(random_step(&seed) % values)};
      tuple = tuple << 16 | w.index;
      n = oct_ntuple_step(&s, &w, items);
    }
    expected = plain_find(&h, tuple);
    assert_int_equal(n, 1);
    assert_int_equal(items[0].kind, expected ? OCT_ITEM_TUPLE_HIT : OCT_ITEM_TUPLE_MISS);
    if (expected) assert_int_equal(items[0].value, expected);
    if (expected && !cfg.thb_update) continue;
    h.tuple[h.write] = tuple;
    if (h.count < cfg.thb_depth) h.count++;
    h.write = (h.write + 1) % cfg.thb_depth;
  }
  oct_ntuple_free(&s);
}

/* A count of lost instructions that reaches all ones stays there, and a sync stands before the next
 * instruction (port format, section 9); one below it, none does. */
static void loss_saturates(void **state) {
  oct_config cfg = config("paper");
  (void)state;
  for (uint64_t below = 0; below < 2; below++) {
    const oct_retire r = {.insn_valid = true, .insn_size_bytes = 4, .insn_addr = 0x1000};
    oct_ingress_in in = {.retire = &r,
                         .enable = true,
                         .stream_ready = true,
                         .data_ready = true,
                         .is_drained = true,
                         .overflow_at_head = true};
    oct_ingress_out out;
    oct_ingress s;
    oct_ingress_init(&s, &cfg, &stats);
    s.enabled = s.dropping = true;
    s.need_sync = false;
    s.lost_insns = UINT64_C(0xffffffff) + (below ? 0 : 5) - below;
    oct_ingress_eval(&s, &in, &out);
    assert_true(out.insn_valid);
    assert_int_equal(out.mark, below ? OCT_MARK_NONE : OCT_MARK_SYNC);
    assert_int_equal(s.barrier.lost_insns, 0xffffffff - below);
  }
}

static void ntuple_finds_the_first(void **state) {
  const uint64_t seed = test_seed("test_stage_steps");
  (void)state;
  replay_history("paper,ntuple_n=2,thb_depth=200", 16, seed);
  replay_history("paper,ntuple_n=2,thb_depth=200", 40, seed);
  replay_history("paper,ntuple_n=2,thb_depth=130,thb_update=1", 8, seed);
  replay_history("paper,ntuple_n=2,thb_depth=1", 2, seed);
}

static void dasc_strides(void **state) {
  oct_config cfg = config("paper,dasc_entries=16");
  oct_dasc s;
  (void)state;
  assert_int_equal(oct_dasc_init(&s, &cfg, &stats), 0);
  assert_false(oct_dasc_step(&s, 0x1000, 0, 0x100)); /* 0x100 from LDA 0: stride lsb 0 */
  assert_true(oct_dasc_step(&s, 0x1000, 0, 0x100));
  assert_false(oct_dasc_step(&s, 0x1000, 0, 0xfc)); /* -4 fits 8 bits signed */
  assert_true(oct_dasc_step(&s, 0x1000, 0, 0xf8));
  assert_false(oct_dasc_step(&s, 0x1000, 0, 0x178)); /* +128 does not: it is -128 */
  assert_false(oct_dasc_step(&s, 0x1000, 0, 0x1f8));
  assert_true(oct_dasc_step(&s, 0x1000, 0, 0x178));
  assert_false(oct_dasc_step(&s, 0x1040, 0, 0xfffffff0)); /* same entry: it is tagless */
  assert_false(oct_dasc_step(&s, 0x1040, 0, 0x10));       /* +32, around the top of 32 bits */
  assert_true(oct_dasc_step(&s, 0x1040, 0, 0x30));
  /* slot 1 of 0x1000 is in the entry of word 8: reversed bits */
  assert_int_equal(oct_dasc_set(&s, oct_dasc_widths_of(&s.cfg), 0x1000, 1), 8);
  assert_int_equal(oct_dasc_set(&s, oct_dasc_widths_of(&s.cfg), 0x1004, 3), 1 ^ 12);
  oct_dasc_free(&s);
}

static void dasc_tagged(void **state) {
  oct_config cfg = config("paper,dasc_entries=2,dasc_ways=2");
  oct_dasc s;
  (void)state;
  assert_int_equal(oct_dasc_init(&s, &cfg, &stats), 0);
  assert_false(oct_dasc_step(&s, 0x1000, 0, 0x100));
  assert_true(oct_dasc_step(&s, 0x1000, 0, 0x100)); /* stride 0 */
  assert_false(oct_dasc_step(&s, 0x2000, 0, 0x500));
  assert_true(oct_dasc_step(&s, 0x1000, 0, 0x100));  /* kept beside 0x2000 */
  assert_false(oct_dasc_step(&s, 0x1000, 1, 0x100)); /* another slot: drives 0x2000 out */
  assert_false(oct_dasc_step(&s, 0x2000, 0, 0x500)); /* drives 0x1000 slot 0 out */
  assert_false(oct_dasc_step(&s, 0x1000, 0, 0x100));
  oct_dasc_free(&s);
}

static void repetition_counts(void **state) {
  oct_config cfg = config("paper,rep_pattern_bits=2,rep_count_bits=1");
  oct_item items[OCT_ITEMS_MAX];
  oct_repetition s;
  oct_dt_word hit = {.kind = OCT_DATA_ACCESS, .hit = 1};
  oct_dt_word end = {.kind = OCT_DATA_END};
  oct_dt_word mark = {.mark = OCT_MARK_FLUSH};
  unsigned n = 0;
  (void)state;
  oct_repetition_init(&s, &cfg, &stats);
  /* four times 11: the count stops at 2^1 + 1 = 3, the fourth is held anew */
  for (int i = 0; i < 7; i++) assert_int_equal(oct_repetition_step(&s, &hit, items), 0);
  n = oct_repetition_step(&s, &hit, items);
  assert_int_equal(n, 1);
  assert_int_equal(items[0].kind, OCT_ITEM_REPEAT);
  assert_int_equal(items[0].value, 3);
  assert_int_equal(items[0].n, 3);
  /* the terminator's item comes ahead of its 0 bit; the mark sends held, part, mark */
  n = oct_repetition_step(&s, &end, items);
  assert_int_equal(n, 1);
  assert_int_equal(items[0].kind, OCT_ITEM_DMT_END);
  n = oct_repetition_step(&s, &mark, items);
  assert_int_equal(n, 3);
  assert_int_equal(items[0].kind, OCT_ITEM_PATTERN);
  assert_int_equal(items[1].kind, OCT_ITEM_PATTERN_PART);
  assert_int_equal(items[1].n, 1);
  assert_int_equal(items[1].value, 0);
  assert_int_equal(items[2].kind, OCT_ITEM_MARK);
}

static void output_packets(void **state) {
  oct_config cfg = config("paper");
  oct_barrier barrier = {.sync_insn = 5};
  oct_output_packet p;
  oct_output s;
  (void)state;
  oct_output_init(&s, &cfg, &stats);
  oct_item scmt = {.kind = OCT_ITEM_SCMT, .addr = 0x8000, .value = 3};
  oct_output_step(&s, &scmt, &barrier, &p);
  assert_int_equal(p.bits, 4 + 30 + 8);
  assert_int_equal(p.word[0], 0x3 | ((uint64_t)0x2000 << 4) | ((uint64_t)2 << 34));
  oct_item sync = {.kind = OCT_ITEM_MARK, .mark = OCT_MARK_SYNC, .value = 9};
  oct_output_step(&s, &sync, &barrier, &p);
  assert_int_equal(p.bits, 72 + 1 + 32 + 16 + 1 + 16);
  assert_int_equal(p.word[0], UINT64_MAX);
  assert_int_equal(p.word[1], 0xff | ((uint64_t)5 << 9) | ((uint64_t)9 << 41));
  /* 42 + 138 bits are out: a flush ends on the next byte */
  oct_item flush = {.kind = OCT_ITEM_MARK, .mark = OCT_MARK_FLUSH};
  oct_output_step(&s, &flush, &barrier, &p);
  assert_int_equal((42 + 138 + p.bits) % 8, 0);
  assert_int_equal(p.word[0] & 0xff, 0x9f);
}

/* What does not fit one word. */
static void output_wide_packets(void **state) {
  oct_config cfg = config("wide64,sl_bits=16");
  oct_output_packet p;
  oct_output s;
  (void)state;
  oct_output_init(&s, &cfg, &stats);
  oct_item dmt = {.kind = OCT_ITEM_DMT, .addr = 0xc000000000000005u};
  oct_output_step(&s, &dmt, NULL, &p);
  assert_int_equal(p.bits, 2 + 64);
  assert_int_equal(p.word[0], 5 << 2);
  assert_int_equal(p.word[1], 3);
  oct_item scmt = {.kind = OCT_ITEM_SCMT, .addr = 0xf000000000000000u, .value = 0x10000};
  oct_output_step(&s, &scmt, NULL, &p);
  assert_int_equal(p.bits, 4 + 64 + 16);
  assert_int_equal(p.word[0], 3);
  assert_int_equal(p.word[1], 0xf | 0xffff << 4);
}

static void config_is_checked(void **state) {
  static const char *const bad[] = {"nosuch",
                                    "paper,sc_ways=3",
                                    "paper,port_pins=33",
                                    "sc_sets=x",
                                    "paper,ntuple_n=",
                                    "paper,small",
                                    "dasc_ways=16,dasc_entries=8",
                                    "paper,sc_sets=-1",
                                    "sc_sets=1024,sc_ways=16,ntuple_n=16"};
  oct_config cfg, before;
  oct_diag diag;
  (void)state;
  oct_config_init(&cfg);
  before = cfg;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    assert_int_equal(oct_config_parse(&cfg, bad[i], &diag), OCT_ERR_CONFIG);
    assert_memory_equal(&cfg, &before, sizeof cfg);
    assert_true(diag.text[0] != '\0');
  }
  for (unsigned i = 0; i < oct_geometry_count(); i++) {
    assert_int_equal(oct_geometry_get(oct_geometry_name(i), &cfg), 0);
    assert_int_equal(oct_config_check(&cfg, &diag), 0);
  }
}

static void state_is_table_5(void **state) {
  oct_config cfg = config("paper");
  oct_state_bytes b;
  (void)state;
  oct_config_state(&cfg, &b);
  assert_int_equal(b.stream_cache, 640);
  assert_int_equal(b.thb, 1785);
  assert_int_equal(b.tuple_buffer, 7);
  assert_int_equal(b.stream_fifo, 10);
  assert_int_equal(b.dasc, 5120);
  assert_int_equal(b.data_fifo, 64);
  assert_int_equal(b.total, 7626);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(detector_cuts_streams),
      cmocka_unit_test(cache_index_functions),
      cmocka_unit_test(cache_replacement),
      cmocka_unit_test(ntuple_hits_and_misses),
      cmocka_unit_test(ntuple_wide_keys_differ),
      cmocka_unit_test(slots_take_turns),
      cmocka_unit_test(loss_saturates),
      cmocka_unit_test(ntuple_finds_the_first),
      cmocka_unit_test(dasc_strides),
      cmocka_unit_test(dasc_tagged),
      cmocka_unit_test(repetition_counts),
      cmocka_unit_test(output_packets),
      cmocka_unit_test(output_wide_packets),
      cmocka_unit_test(config_is_checked),
      cmocka_unit_test(state_is_table_5),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
