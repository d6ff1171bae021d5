/* SPDX-License-Identifier: Apache-2.0 */
/* test_lost_traps.c - is each trap of a core in the trace, left out by the filter, or counted by
 * the register LOST_TRAPS? Random instructions with up to 20 traps in a row between them, with a
 * filter of their addresses and without; a trap goes with the instruction before it. */
#include "oct_filter_text.h"
#include "oct_regs.h"
#include "tracer_util.h"

enum { STEPS = 3000, WANTED = 0x1000, LEFT_OUT = 0x8000, MOST = 20 };

static const oct_map_update code[] = {
    {.entry = {.addr = WANTED, .size_bytes = 4, .cls = OCT_CLASS_INDIRECT_JUMP}},
    {.entry = {.addr = LEFT_OUT, .size_bytes = 4, .cls = OCT_CLASS_INDIRECT_JUMP}},
};

typedef struct machine {
  const oct_tracer *tracer;
  void *twin;
  uint8_t *bytes;
  size_t n_bytes;
} machine;

static oct_pins_out cycle(machine *m, const oct_pins_in *in) {
  const oct_pins_bus bus = {.atready = true, .atclken = true};
  oct_pins_out out;
  oct_diag diag;
  if (m->tracer->twin->cycle_bus(m->twin, in, &bus, &out, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  for (unsigned i = 0; out.atvalid && i <= out.atbytes; i++)
    m->bytes[m->n_bytes++] = (uint8_t)(out.atdata >> (8 * i));
  return out;
}

static uint32_t bus(machine *m, bool is_write, uint16_t paddr, uint32_t value) {
  oct_pins_in in = {.apb = {.psel = true, .pwrite = is_write, .paddr = paddr, .pwdata = value}};
  cycle(m, &in);
  in.apb.penable = true;
  oct_pins_out out = cycle(m, &in);
  assert_false(out.apb.pslverr);
  return out.apb.prdata;
}

static void retire(machine *m, uint64_t addr) {
  const oct_pins_in in = {.retire = {.insn_valid = true, .insn_addr = addr, .insn_size_bytes = 4}};
  cycle(m, &in);
}

static void trap(machine *m) {
  const oct_pins_in in = {
      .retire = {.trap_valid = true,
                 .trap_kind = below(2) ? OCT_TRAP_EXCEPTION : OCT_TRAP_INTERRUPT,
                 .trap_privilege = (uint8_t)below(4)}};
  cycle(m, &in);
}

/* How many traps the stream has. Behind a gap changes of the privilege may come that were none. */
static uint64_t sent(const machine *m, const uint32_t *params) {
  uint64_t n = 0;
  oct_decoded run;
  oct_diag diag;
  void *d;
  int got;
  assert_int_equal(m->tracer->decoder.create(params, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(m->tracer->decoder.map(d, code, 2, &diag), 0);
  assert_int_equal(m->tracer->decoder.push(d, m->bytes, m->n_bytes, &diag), 0);
  m->tracer->decoder.finish(d);
  while ((got = m->tracer->decoder.next(d, &run, &diag)) > 0)
    for (size_t i = 0; i < run.batch.n_traps; i++)
      n += run.batch.traps[i].kind != OCT_TRAP_PRIVILEGE;
  if (got) fail_msg("%s: %s", m->tracer->name, oct_diag_line(&diag).text);
  m->tracer->decoder.destroy(d);
  return n;
}

/* With a filter some instructions are left out, and the traps behind them. */
static void count(const char *name, const char *settings, bool has_filter) {
  machine m = {.tracer = oct_tracer_find(name), .bytes = calloc(1, 1 << 22)};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX] = {false}, is_wanted = true;
  uint64_t n_wanted = 0;
  oct_diag diag;
  assert_non_null(m.bytes);
  oct_tracer_defaults(m.tracer, params);
  if (oct_tracer_parse(m.tracer, settings, params, given, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(oct_tracer_fit(m.tracer, params, given, "unknown", 32, 4, &diag), 0);
  if (m.tracer->twin->create(params, &m.twin, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  if (m.tracer->twin->map) assert_int_equal(m.tracer->twin->map(m.twin, code, 2, &diag), 0);
  if (has_filter) {
    oct_filter_write writes[OCT_FILTER_WRITES_MAX];
    int n = oct_filter_parse("insns=0x1000-0x1fff", 1, 32, 16, writes, &diag);
    assert_true(n > 0);
    for (int i = 0; i < n; i++) bus(&m, true, writes[i].paddr, writes[i].value);
  }
  retire(&m, WANTED);
  for (unsigned i = 0; i < STEPS; i++) {
    const uint64_t n = below(2) ? 0 : below(4) ? below(2) + 1 : below(MOST) + 1;
    for (uint64_t t = 0; t < n; t++) {
      n_wanted += is_wanted;
      trap(&m);
    }
    is_wanted = !has_filter || below(4);
    retire(&m, is_wanted ? WANTED : LEFT_OUT);
    for (uint64_t idle = below(4) ? below(30) : below(400); idle; idle--)
      cycle(&m, &(oct_pins_in){.afvalid = false});
  }
  for (unsigned i = 0; i < 5000; i++) cycle(&m, &(oct_pins_in){.afvalid = false});
  retire(&m, WANTED);
  for (unsigned i = 0; i < 5000; i++) cycle(&m, &(oct_pins_in){.afvalid = i == 0});
  const uint64_t n_sent = sent(&m, params), n_lost = bus(&m, false, OCT_REG_LOST_TRAPS, 0);
  if (n_sent + n_lost != n_wanted)
    fail_msg("%s: %llu traps: %llu sent, %llu counted as lost", name, (unsigned long long)n_wanted,
             (unsigned long long)n_sent, (unsigned long long)n_lost);
  assert_true(n_sent > n_wanted / 8 && n_lost > n_wanted / 100);
  bus(&m, true, OCT_REG_CLEAR, 0);
  assert_int_equal(bus(&m, false, OCT_REG_LOST_TRAPS, 0), 0);
  m.tracer->twin->destroy(m.twin);
  free(m.bytes);
}

static void lost_traps(void **state) {
  static const char *const machines[][2] = {
      {"paper", "traps=1,filters=1"},
      {"paper", "traps=1,filters=1,timestamp=2,port_pins=4,stream_fifo_depth=4"},
      {"shadow", "traps=1,filters=1"},
      {"shadow", "traps=1,filters=1,timestamp=1,gather_insns=4"}};
  (void)state;
  seed_random("lost traps");
  for (unsigned round = 0; round < 4; round++)
    for (unsigned has_filter = 0; has_filter < 2; has_filter++) {
      for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++)
        if (!is_left_out()) count(machines[m][0], machines[m][1], has_filter);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lost_traps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
