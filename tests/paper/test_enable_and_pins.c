/* SPDX-License-Identifier: Apache-2.0 */
/* test_enable_and_pins.c - do the registers, the enable and the pins of the whole machine do what
 * they say? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "oct_top.h"

/* More cycles than any test here takes: a machine that never comes to an end fails. */
enum { CYCLES_MAX = 1 << 16, BITS_MAX = 1 << 16 };

typedef struct bits {
  uint8_t at[BITS_MAX];
  uint32_t count;
} bits;

static bits beats, pins;
static uint32_t cycles;
static oct_top top;

static void add_bits(bits *b, uint32_t value, uint32_t n) {
  assert_true(b->count + n <= BITS_MAX);
  for (uint32_t i = 0; i < n; i++) b->at[b->count++] = (value >> i) & 1;
}

static void start(const char *text) {
  oct_config cfg;
  oct_config_init(&cfg);
  assert_int_equal(oct_config_parse(&cfg, text, NULL), 0);
  assert_int_equal(oct_top_init(&top, &cfg), 0);
  beats.count = 0;
  pins.count = 0;
  cycles = 0;
}

static void cycle(const oct_top_in *in, oct_top_out *out) {
  oct_top_cycle(&top, in, out);
  if (++cycles > CYCLES_MAX) fail_msg("no end after %u cycles", cycles);
  if (out->atvalid && out->atready) add_bits(&beats, out->atdata, 8 * (out->atbytes + 1u));
  if (out->port.valid) add_bits(&pins, out->port.data, top.cfg.port_pins);
}

/* Instructions that all miss, every third with an access. */
static void run(uint32_t n, oct_top_out *out) {
  for (uint32_t i = 0; i < n; i++) {
    oct_top_in in = {.retire = {.insn_valid = i % 4 == 0,
                                .insn_addr = 0x8000 + 0x1004 * (uint64_t)i,
                                .insn_size_bytes = 4,
                                .da_valid = i % 12 == 0,
                                .da_addr = 0x77 * i}};
    cycle(&in, out);
  }
}

static void flush(oct_top_out *out) {
  oct_top_in in = {.afvalid = true};
  out->afready = false;
  while (!out->afready) cycle(&in, out);
}

/* What leaves through the pins is what crossed the trace bus, padded at the very end alone. */
static void pins_send_the_beats(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= 32; n++) {
    char text[64];
    oct_top_out out;
    snprintf(text, sizeof text, "paper,port_pins=%u", n);
    start(text);
    run(200, &out);
    flush(&out);
    run(100, &out);
    flush(&out);
    assert_int_equal(beats.count % 8, 0);
    do {
      oct_top_in in = {.end = true, .port_stall = cycles % 3 == 0};
      cycle(&in, &out);
    } while (top.port.held_bits_q);
    assert_int_equal(pins.count, (beats.count + n - 1) / n * n);
    assert_memory_equal(pins.at, beats.at, beats.count);
    for (uint32_t i = beats.count; i < pins.count; i++) assert_int_equal(pins.at[i], 0);
    oct_top_free(&top);
  }
}

static uint32_t read_reg(uint8_t paddr, bool *slverr) {
  oct_top_in in = {.apb = {.psel = true, .paddr = paddr}};
  oct_top_out out;
  cycle(&in, &out); /* setup */
  in.apb.penable = true;
  cycle(&in, &out);
  assert_true(out.apb.pready);
  *slverr = out.apb.pslverr;
  return out.apb.prdata;
}

static bool write_reg(uint8_t paddr, uint32_t value) {
  oct_top_in in = {.apb = {.psel = true, .pwrite = true, .paddr = paddr, .pwdata = value}};
  oct_top_out out;
  cycle(&in, &out);
  in.apb.penable = true;
  cycle(&in, &out);
  return !out.apb.pslverr;
}

static void registers_read_and_write(void **state) {
  bool slverr;
  (void)state;
  start("paper,sync_period_insns=777");
  assert_int_equal(read_reg(OCT_REG_ID, &slverr), OCT_REGS_ID);
  assert_int_equal(read_reg(OCT_REG_CTRL, &slverr), 1);
  assert_int_equal(read_reg(OCT_REG_SYNC_PERIOD, &slverr), 777);
  assert_int_equal(read_reg(OCT_REG_ATID, &slverr), 1);
  assert_false(slverr);
  assert_true(write_reg(OCT_REG_SYNC_PERIOD, 5));
  assert_true(write_reg(OCT_REG_ATID, 0x80 | 0x6f)); /* bits above are not there */
  assert_int_equal(read_reg(OCT_REG_SYNC_PERIOD, &slverr), 5);
  assert_int_equal(read_reg(OCT_REG_ATID, &slverr), 0x6f);
  assert_false(write_reg(OCT_REG_ID, 0));
  assert_false(write_reg(OCT_REG_OVERFLOWS, 0));
  assert_false(write_reg(0x30, 0));
  assert_false(write_reg(0x05, 0));
  read_reg(OCT_REG_CLEAR, &slverr);
  assert_true(slverr);
  read_reg(0x12, &slverr);
  assert_true(slverr);
  oct_top_free(&top);
}

static void losses_are_counted_and_cleared(void **state) {
  oct_top_in in = {.retire = {.insn_valid = true, .insn_size_bytes = 4, .da_valid = true}};
  oct_top_out out;
  bool slverr;
  (void)state;
  start("paper,data_fifo_depth=4,port_pins=1");
  for (int i = 0; i < 100; i++) {
    in.retire.da_addr += 0x1000;
    cycle(&in, &out);
  }
  for (unsigned i = 0; i < 3; i++) {
    const uint64_t want[3] = {top.stats.overflows, top.stats.lost_insns, top.stats.lost_accesses};
    assert_int_not_equal(want[i], 0);
    assert_int_equal(read_reg((uint8_t)(OCT_REG_OVERFLOWS + 4 * i), &slverr), want[i]);
  }
  assert_int_equal(read_reg(OCT_REG_HIGH_DATA, &slverr), 4);
  assert_int_equal(read_reg(OCT_REG_HIGH_OUT, &slverr), top.stats.high_water[OCT_BUFFER_OUT]);
  assert_true(write_reg(OCT_REG_CLEAR, 0));
  assert_int_equal(read_reg(OCT_REG_OVERFLOWS, &slverr), 0);
  assert_int_equal(read_reg(OCT_REG_LOST_INSNS, &slverr), 0);
  oct_top_free(&top);
}

/* Off: a flush, then silence, and nothing counts as lost; on again: a sync first. */
static void enable_gates_the_core(void **state) {
  oct_top_in off = {.apb = {.psel = true, .penable = true, .pwrite = true, .paddr = OCT_REG_CTRL}};
  oct_top_out out;
  uint64_t insns, syncs;
  uint32_t count;
  (void)state;
  start("paper");
  run(400, &out);
  cycle(&off, &out);
  flush(&out);
  insns = top.stats.insns;
  syncs = top.stats.syncs;
  count = beats.count;
  run(400, &out);
  assert_int_equal(top.stats.insns, insns);
  assert_int_equal(top.stats.lost_insns, 0);
  assert_int_equal(beats.count, count);
  off.apb.pwdata = 1;
  cycle(&off, &out);
  run(400, &out);
  flush(&out);
  assert_int_equal(top.stats.insns, insns + 100);
  assert_int_equal(top.stats.syncs, syncs + 1);
  for (uint32_t i = 0; i < 72; i++) assert_int_equal(beats.at[count + i], 1); /* sync mark */
  oct_top_free(&top);
}

/* One cycle on a bus of the test's own, with an instruction that misses. */
static void bus_cycle(oct_top_in *in, const oct_top_bus *bus, oct_top_out *out) {
  in->retire = (oct_retire){.insn_valid = cycles % 16 == 0,
                            .insn_addr = 0x8000 + 0x1004 * (uint64_t)cycles,
                            .insn_size_bytes = 4};
  oct_top_cycle_bus(&top, in, bus, out);
  if (++cycles > CYCLES_MAX) fail_msg("no end after %u cycles", cycles);
  if (out->atvalid && bus->atready && bus->atclken)
    add_bits(&beats, out->atdata, 8 * (out->atbytes + 1u));
}

/* AFVALID that is held until AFREADY is one flush, whatever was under way, and costs nothing. */
static void held_request_is_one_flush(void **state) {
  const oct_top_bus bus = {.atready = true, .atclken = true};
  oct_top_out out;
  (void)state;
  start("paper");
  for (uint32_t i = 0, answers = 0; i < 20; i++) {
    oct_top_in in = {.afvalid = false};
    for (uint32_t k = 0; k < 100 + i; k++) bus_cycle(&in, &bus, &out);
    in.afvalid = true;
    do bus_cycle(&in, &bus, &out);
    while (!out.afready);
    answers++;
    in.afvalid = false;
    for (uint32_t k = 0; k < 200; k++) {
      bus_cycle(&in, &bus, &out);
      answers += out.afready;
    }
    assert_int_equal(answers, i + 1);
  }
  assert_int_equal(top.stats.lost_insns, 0);
  oct_top_free(&top);
}

/* A flush that was under way does not answer a later request: what retires before AFVALID leaves
 * before AFREADY. */
static void answer_is_that_of_the_request(void **state) {
  oct_top_in off = {.apb = {.psel = true, .penable = true, .pwrite = true, .paddr = OCT_REG_CTRL}};
  oct_top_in in = {.afvalid = false};
  oct_top_bus bus = {.atready = true, .atclken = true};
  oct_top_out out;
  uint32_t count;
  (void)state;
  start("paper");
  for (uint32_t k = 0; k < 300; k++) bus_cycle(&in, &bus, &out);
  bus.atready = false; /* the flush of switching off does not get through */
  bus_cycle(&off, &bus, &out);
  off.apb.pwdata = 1;
  for (uint32_t k = 0; k < 20; k++) bus_cycle(&in, &bus, &out);
  bus_cycle(&off, &bus, &out);
  for (uint32_t k = 0; k < 20; k++) bus_cycle(&in, &bus, &out);
  in.afvalid = true;
  bus_cycle(&in, &bus, &out);
  bus.atready = true;
  do bus_cycle(&in, &bus, &out);
  while (!out.afready);
  count = beats.count;
  /* The sync that switching on asked for is among what has left. */
  assert_int_equal(top.stats.syncs, 2);
  assert_true(count > 0);
  oct_top_free(&top);
}

/* Numbers that ATB reserves, and that of a trigger, never stand on the bus. */
static void reserved_numbers_are_not_taken(void **state) {
  uint8_t taken = 1;
  bool slverr;
  (void)state;
  start("paper");
  for (uint32_t id = 0; id < 0x80; id++) {
    assert_true(write_reg(OCT_REG_ATID, id));
    if (id >= 1 && id <= 0x6f) taken = (uint8_t)id;
    assert_int_equal(read_reg(OCT_REG_ATID, &slverr), taken);
    assert_int_equal(top.atid_q, taken);
  }
  oct_top_free(&top);
}

/* TIME, by the numbers of docs/rtl.md: there are stamps, of which source, how wide. */
static void time_tells_its_source(void **state) {
  oct_regs of_shadow; /* whose stamps have 64 bits: the field tells 63 at most */
  bool slverr;
  (void)state;
  oct_regs_init(&of_shadow, 0, 64, false);
  assert_int_equal(of_shadow.time, 0x3f008031);
  start("paper");
  assert_int_equal(read_reg(OCT_REG_TIME, &slverr), 0);
  oct_top_free(&top);
  start("paper,timestamp=1,time_period_insns=9");
  assert_int_equal(read_reg(OCT_REG_TIME, &slverr), 0x38008031);
  oct_top_free(&top);
  start("paper,timestamp=1,time_source=1,time_period_insns=9");
  assert_int_equal(read_reg(OCT_REG_TIME, &slverr), 0x38008011);
  oct_top_free(&top);
}

/* A beat keeps its source number and its bytes while it waits, and while the bus stands still. */
static void stalled_beat_stands(void **state) {
  oct_top_in in = {
      .apb = {
          .psel = true, .penable = true, .pwrite = true, .paddr = OCT_REG_ATID, .pwdata = 0x2a}};
  oct_top_bus bus = {.atready = false, .atclken = true};
  oct_top_out first, out;
  (void)state;
  start("paper");
  do {
    oct_top_in idle = {.afvalid = false};
    bus_cycle(&idle, &bus, &first);
  } while (!first.atvalid);
  for (uint32_t k = 0; k < 50; k++) {
    bus.atready = bus.atclken = k % 2; /* ready and running, but never both */
    bus.atready = !bus.atready;
    bus_cycle(&in, &bus, &out);
    assert_int_equal(out.atid, 1);
    assert_true(out.atvalid && out.atdata == first.atdata && out.atbytes == first.atbytes);
  }
  assert_int_equal(beats.count, 0);
  bus = (oct_top_bus){.atready = true, .atclken = true};
  bus_cycle(&in, &bus, &out);
  bus_cycle(&in, &bus, &out);
  assert_int_equal(out.atid, 0x2a);
  oct_top_free(&top);
}

/* SYNCREQ: a sync before the next instruction. */
static void sync_on_request(void **state) {
  oct_top_bus bus = {.atready = true, .atclken = false, .syncreq = true};
  oct_top_in in = {.afvalid = false};
  oct_top_out out;
  (void)state;
  start("paper");
  bus_cycle(&in, &bus, &out); /* not a cycle of the bus */
  bus.syncreq = false;
  bus.atclken = true;
  for (uint32_t k = 0; k < 200; k++) bus_cycle(&in, &bus, &out);
  assert_int_equal(top.stats.syncs, 1);
  bus.syncreq = true;
  bus_cycle(&in, &bus, &out);
  bus.syncreq = false;
  for (uint32_t k = 0; k < 200; k++) bus_cycle(&in, &bus, &out);
  assert_int_equal(top.stats.syncs, 2);
  oct_top_free(&top);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pins_send_the_beats),
      cmocka_unit_test(registers_read_and_write),
      cmocka_unit_test(reserved_numbers_are_not_taken),
      cmocka_unit_test(time_tells_its_source),
      cmocka_unit_test(losses_are_counted_and_cleared),
      cmocka_unit_test(enable_gates_the_core),
      cmocka_unit_test(held_request_is_one_flush),
      cmocka_unit_test(answer_is_that_of_the_request),
      cmocka_unit_test(stalled_beat_stands),
      cmocka_unit_test(sync_on_request),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
