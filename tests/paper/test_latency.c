/* SPDX-License-Identifier: Apache-2.0 */
/* test_latency.c - is each latency exactly what it says: not at N-1 cycles, but at N? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oct_top.h"

static oct_stats stats;

static oct_config config(const char *text) {
  oct_config cfg;
  oct_diag diag;
  oct_config_init(&cfg);
  assert_int_equal(oct_config_parse(&cfg, text, &diag), 0);
  return cfg;
}

/* Cycles from the word's cycle to the first in which the output is valid. */
static unsigned cache_latency(oct_stream_cache *s, uint64_t sa) {
  oct_stream_word w = {.sa = sa, .sl = 1};
  oct_stream_cache_in in = {true, &w, true};
  unsigned n = 0;
  do {
    oct_stream_cache_eval(s, &in);
    oct_stream_cache_clock(s);
    in.valid = false;
    n++;
  } while (!s->hold.out_valid_q && n < 99);
  return n;
}

static void stream_cache_takes_1_or_2(void **state) {
  oct_config cfg = config("paper");
  oct_stream_cache s;
  (void)state;
  assert_int_equal(oct_stream_cache_init(&s, &cfg, &stats), 0);
  assert_int_equal(cache_latency(&s, 0x1000), 2);
  assert_int_equal(cache_latency(&s, 0x1000), 1);
  assert_int_equal(cache_latency(&s, 0x2000), 2);
  oct_stream_cache_free(&s);
}

static void stream_cache_holds_while_stalled(void **state) {
  oct_config cfg = config("paper");
  oct_stream_cache s;
  oct_stream_word a = {.sa = 0x1000, .sl = 1}, b = {.sa = 0x2000, .sl = 1};
  oct_stream_cache_in in = {true, &a, false};
  (void)state;
  assert_int_equal(oct_stream_cache_init(&s, &cfg, &stats), 0);
  assert_true(oct_stream_cache_eval(&s, &in));
  oct_stream_cache_clock(&s);
  in.word = &b;
  for (int i = 0; i < 5; i++) {
    assert_false(oct_stream_cache_eval(&s, &in));
    oct_stream_cache_clock(&s);
    assert_true(s.hold.out_valid_q);
    assert_int_equal(s.out_q.sa, 0x1000);
  }
  in.out_ready = true;
  assert_true(oct_stream_cache_eval(&s, &in));
  oct_stream_cache_free(&s);
}

static void dasc_takes_2(void **state) {
  oct_config cfg = config("paper");
  oct_data_word w = {.pc = 0x1000, .da = 0x100, .kind = OCT_DATA_ACCESS};
  oct_dasc_in in = {true, &w, true};
  oct_dasc s;
  (void)state;
  assert_int_equal(oct_dasc_init(&s, &cfg, &stats), 0);
  for (int i = 0; i < 4; i++) { /* miss, then hits: always 2, and one every 2 */
    assert_true(oct_dasc_eval(&s, &in));
    oct_dasc_clock(&s);
    assert_false(s.hold.out_valid_q);
    assert_false(oct_dasc_eval(&s, &in));
    oct_dasc_clock(&s);
    assert_true(s.hold.out_valid_q);
    assert_int_equal(s.out_q.hit, i > 0);
  }
  oct_dasc_free(&s);
}

/* Pipelined: 2 as well, but one every cycle, of one entry as of others. */
static void dasc_pipelined_takes_1(void **state) {
  oct_config cfg = config("paper-pipelined");
  oct_data_word w = {.pc = 0x1000, .kind = OCT_DATA_ACCESS};
  oct_dasc_in in = {true, &w, true};
  oct_dasc s;
  (void)state;
  assert_int_equal(oct_dasc_init(&s, &cfg, &stats), 0);
  for (unsigned i = 0; i < 9; i++) {
    w.da = 0x100 + 4 * (uint64_t)i;
    assert_true(oct_dasc_eval(&s, &in));
    oct_dasc_clock(&s);
    assert_int_equal(s.hold.out_valid_q, i >= 1);
    if (i >= 1) assert_int_equal(s.out_q.hit, i >= 3); /* the stride is known with the third */
  }
  in.out_ready = false; /* one more waits behind a stalled one */
  assert_false(oct_dasc_eval(&s, &in));
  oct_dasc_free(&s);
}

/* A full buffer that passes takes a word as one leaves. */
static void full_buffer_passes(void **state) {
  oct_fifo_word word = {.stream = {.sa = 1}};
  oct_fifo s;
  (void)state;
  oct_fifo_init(&s, 1, true);
  for (unsigned i = 0; i < 4; i++) {
    bool pop = i > 0;
    assert_true(oct_fifo_ready(&s, pop));
    if (pop) assert_int_equal(oct_fifo_head(&s)->stream.sa, i);
    word.stream.sa = i + 1;
    oct_fifo_eval(&s, &word, pop);
    oct_fifo_clock(&s);
    assert_false(oct_fifo_ready(&s, false));
  }
}

static void tuple_takes_n_and_never_stalls(void **state) {
  oct_config cfg = config("paper,ntuple_n=4");
  oct_index_word w = {.sl = 1, .index = 9};
  oct_ntuple_in in = {true, &w, true};
  oct_ntuple s;
  unsigned found = 0;
  (void)state;
  assert_int_equal(oct_ntuple_init(&s, &cfg, &stats), 0);
  for (unsigned cycle = 1; cycle <= 400; cycle++) {
    const oct_item *out = oct_ntuple_out(&s);
    /* words 1-4 in cycles 1-4; the first tuple is offered 4 cycles later, then one every 4 */
    assert_int_equal(out != NULL, cycle >= 8 && cycle % 4 == 0);
    found += out != NULL;
    assert_true(oct_ntuple_eval(&s, &in));
    oct_ntuple_clock(&s);
  }
  assert_int_equal(found, 99);
  oct_ntuple_free(&s);
}

/* A mark on the word that completes a tuple leaves after the tuple's search. */
static void tuple_is_searched_before_its_mark(void **state) {
  oct_config cfg = config("paper,ntuple_n=4");
  oct_index_word w = {.sl = 1, .index = 9};
  oct_ntuple_in in = {true, &w, true};
  oct_ntuple s;
  (void)state;
  assert_int_equal(oct_ntuple_init(&s, &cfg, &stats), 0);
  for (unsigned cycle = 1; cycle <= 9; cycle++) {
    const oct_item *out = oct_ntuple_out(&s);
    w.mark = cycle == 4 ? OCT_MARK_TASK : OCT_MARK_NONE;
    in.valid = cycle <= 4;
    assert_int_equal(out != NULL, cycle >= 8);
    if (out) assert_int_equal(out->kind, cycle == 8 ? OCT_ITEM_TUPLE_MISS : OCT_ITEM_MARK);
    assert_int_equal(oct_ntuple_eval(&s, &in), cycle <= 4);
    oct_ntuple_clock(&s);
  }
  assert_null(oct_ntuple_out(&s));
  oct_ntuple_free(&s);
}

/* A tuple that is offered stays so while it is not taken, though a word with an SCMT comes. */
static void tuple_holds_while_stalled(void **state) {
  oct_config cfg = config("paper,ntuple_n=4");
  oct_index_word w = {.sl = 1, .index = 9};
  oct_ntuple_in in = {true, &w, true};
  oct_ntuple s;
  (void)state;
  assert_int_equal(oct_ntuple_init(&s, &cfg, &stats), 0);
  for (unsigned cycle = 1; cycle <= 12; cycle++) {
    const oct_item *out = oct_ntuple_out(&s);
    w.index = cycle == 8 ? 0 : 9;
    in.valid = cycle <= 4 || cycle == 8;
    in.out_ready = cycle >= 11;
    assert_int_equal(out != NULL, cycle >= 8);
    if (out) assert_int_equal(out->kind, cycle < 12 ? OCT_ITEM_TUPLE_MISS : OCT_ITEM_SCMT);
    assert_int_equal(oct_ntuple_eval(&s, &in), in.valid);
    oct_ntuple_clock(&s);
  }
  oct_ntuple_free(&s);
}

static void fifo_takes_1_and_fills(void **state) {
  oct_fifo s;
  oct_fifo_word w = {.stream = {.sl = 1}};
  (void)state;
  oct_fifo_init(&s, 2, false);
  for (unsigned round = 0; round < 5; round++) {
    for (unsigned i = 0; i < 2; i++) {
      assert_true(oct_fifo_ready(&s, false));
      assert_int_equal(oct_fifo_valid(&s), i > 0);
      w.stream.sa = round * 2 + i;
      oct_fifo_eval(&s, &w, false);
      oct_fifo_clock(&s);
    }
    assert_false(oct_fifo_ready(&s, true));
    for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(oct_fifo_head(&s)->stream.sa, round * 2 + i);
      oct_fifo_eval(&s, NULL, true);
      oct_fifo_clock(&s);
    }
    assert_false(oct_fifo_valid(&s));
  }
}

/* A miss is offered in the next cycle; while two items wait nothing more is taken. */
static void repetition_takes_1_and_holds(void **state) {
  oct_config cfg = config("paper");
  oct_dt_word w = {.da = 0x10, .kind = OCT_DATA_ACCESS, .mark = OCT_MARK_SYNC};
  oct_repetition_in in = {true, &w, false};
  oct_repetition s;
  (void)state;
  oct_repetition_init(&s, &cfg, &stats);
  assert_null(oct_repetition_out(&s));
  assert_true(oct_repetition_eval(&s, &in));
  oct_repetition_clock(&s);
  w.mark = OCT_MARK_NONE;
  for (unsigned cycle = 1; cycle <= 6; cycle++) {
    const oct_item *out = oct_repetition_out(&s);
    /* the mark is taken in cycle 3, the miss behind it in 4, as is the next word */
    in.out_ready = cycle >= 3;
    assert_non_null(out);
    assert_int_equal(out->kind, cycle <= 3 ? OCT_ITEM_MARK : OCT_ITEM_DMT);
    assert_int_equal(oct_repetition_eval(&s, &in), cycle >= 4);
    oct_repetition_clock(&s);
  }
}

/* A packet a cycle is taken; a word of 64 bits is on the trace bus in the third cycle after the
 * item that fills it, and goes in two beats; a packet of more than 64 bits takes one more cycle. */
static void output_takes_3(void **state) {
  oct_config cfg = config("paper,check_bits=0");
  const oct_item miss = {.kind = OCT_ITEM_DMT, .addr = 0x89abcdef}; /* 34 bits */
  const oct_item sync = {.kind = OCT_ITEM_MARK, .mark = OCT_MARK_SYNC};
  oct_barrier barrier = {0};
  oct_output s;
  (void)state;
  oct_output_init(&s, &cfg, &stats);
  for (unsigned cycle = 1; cycle <= 9; cycle++) {
    oct_output_in in = {.barrier = &barrier, .atready = true, .atclken = true};
    oct_output_out out;
    if (cycle <= 2) in.data_item = &miss;
    if (cycle >= 6) in.insn_item = in.data_item = &sync;
    oct_output_eval(&s, &in, &out);
    assert_int_equal(out.data_ready, cycle <= 2 || cycle == 6 || cycle == 8);
    assert_int_equal(out.insn_ready, cycle == 6 || cycle == 8);
    assert_int_equal(out.sync_done, cycle == 6 || cycle == 8);
    /* 68 bits of the misses; then 4 and 60 of the first sync's 121 */
    assert_int_equal(out.atvalid, cycle == 4 || cycle == 5 || cycle == 8 || cycle == 9);
    if (cycle == 4) assert_int_equal(out.atdata, (uint32_t)0x89abcdef << 2);
    if (out.atvalid) assert_int_equal(out.atbytes, 3);
    oct_output_clock(&s);
  }
}

static void port_sends_pins_a_cycle(void **state) {
  (void)state;
  for (uint32_t pins = 1; pins <= 32; pins++) {
    oct_config cfg = config("paper");
    oct_trace_port s;
    uint64_t got = 0;
    uint32_t bits = 0;
    unsigned cycles = 0;
    cfg.port_pins = pins;
    oct_trace_port_init(&s, cfg.port_pins);
    oct_trace_port_in in = {.atvalid = true, .atdata = 0x89abcdef, .atbytes = 3};
    assert_false(oct_trace_port_eval(&s, &in).valid);
    oct_trace_port_clock(&s);
    in = (oct_trace_port_in){.end = true};
    while (s.held_bits_q && cycles < 99) {
      oct_trace_port_out out = oct_trace_port_eval(&s, &in);
      assert_true(out.valid);
      oct_trace_port_clock(&s);
      got |= (uint64_t)out.data << bits;
      bits += pins;
      cycles++;
    }
    assert_int_equal(cycles, (32 + pins - 1) / pins);
    assert_int_equal(got, 0x89abcdef);
  }
}

/* A buffer of depth d overflows at the event that finds it full, not at the one before. */
static void data_buffer_overflows_exactly(void **state) {
  (void)state;
  for (uint32_t depth = 1; depth <= 8; depth++) {
    oct_config cfg = config("paper,check_bits=0");
    oct_top_in in;
    oct_top_out out;
    oct_top *top = test_malloc(sizeof *top);
    unsigned taken = 0;
    cfg.data_fifo_depth = depth;
    assert_int_equal(oct_top_init(top, &cfg), 0);
    memset(&in, 0, sizeof in);
    in.retire.insn_valid = true;
    in.retire.insn_addr = 0x1000;
    in.retire.insn_size_bytes = 4;
    in.retire.da_valid = true;
    while (!top->stats.overflows && taken < 99) {
      in.retire.da_addr += 0x1000;
      oct_top_cycle(top, &in, &out);
      in.retire.insn_valid = false;
      taken++;
    }
    /* Word k is pushed in cycle k and seen in the next; the DASC takes one every second cycle,
     * words 1, 2, 3 ... in cycles 2, 4, 6 ... A full buffer takes nothing in the cycle of a pop. */
    unsigned count = 0, cycle = 0;
    for (;;) {
      cycle++;
      if (count == depth) break;
      count += 1 - (count && cycle % 2 == 0);
    }
    assert_int_equal(taken, cycle);
    assert_int_equal(top->stats.lost_accesses, 1);
    oct_top_free(top);
    test_free(top);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stream_cache_takes_1_or_2),
      cmocka_unit_test(stream_cache_holds_while_stalled),
      cmocka_unit_test(dasc_takes_2),
      cmocka_unit_test(dasc_pipelined_takes_1),
      cmocka_unit_test(full_buffer_passes),
      cmocka_unit_test(tuple_takes_n_and_never_stalls),
      cmocka_unit_test(tuple_is_searched_before_its_mark),
      cmocka_unit_test(tuple_holds_while_stalled),
      cmocka_unit_test(fifo_takes_1_and_fills),
      cmocka_unit_test(repetition_takes_1_and_holds),
      cmocka_unit_test(output_takes_3),
      cmocka_unit_test(port_sends_pins_a_cycle),
      cmocka_unit_test(data_buffer_overflows_exactly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
