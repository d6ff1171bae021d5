/* SPDX-License-Identifier: Apache-2.0 */
/* test_pins.c - does the machine of `shadow` keep the rules of the trace bus, behind a bus with a
 * clock of its own: beats that stay until they are taken, flushes that are held until they are
 * answered and then have sent all, syncs when they are asked for, registers that count what was
 * lost? And is what a filter leaves out, or what breaks a rule of the core interface, in a gap? */
#include "../port/tracer_util.h"
#include "oct_core_rules.h"
#include "oct_filter_text.h"
#include "oct_regs.h"

extern const oct_tracer oct_tracer_shadow;
static const oct_tracer *const t = &oct_tracer_shadow;

typedef struct bench {
  void *twin;
  oct_pins_bus bus;
  oct_pins_in in;
  oct_pins_out out;
  bool held; /* a beat was offered and not taken */
  bool breaks_rules, with_traps;
  uint64_t cycle, n_syncreq, n_flushes;
  uint32_t divider, errors; /* errors: flags that are expected */
  test_stream stream;
} bench;

static void put_byte(test_stream *s, uint8_t byte) {
  s->bytes = realloc(s->bytes, s->n_bytes + 1);
  assert_non_null(s->bytes);
  s->bytes[s->n_bytes++] = byte;
}

/* One cycle, with what in->retire has. */
static void cycle(bench *b, unsigned ready_percent) {
  oct_pins_out before = b->out;
  oct_diag diag;
  b->bus.atclken = b->cycle++ % b->divider == 0;
  b->bus.syncreq = b->bus.atclken && below(4000) == 0;
  b->bus.atready = below(100) < ready_percent;
  b->n_syncreq += b->bus.syncreq;
  if (t->twin->cycle_bus(b->twin, &b->in, &b->bus, &b->out, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  if (b->held) {
    assert_true(b->out.atvalid && b->out.atid == before.atid);
    assert_true(b->out.atdata == before.atdata && b->out.atbytes == before.atbytes);
  }
  b->held = b->out.atvalid && !(b->bus.atready && b->bus.atclken);
  if (b->out.atvalid && !b->held)
    for (unsigned i = 0; i <= b->out.atbytes; i++)
      put_byte(&b->stream, (uint8_t)(b->out.atdata >> (8 * i)));
  if (b->in.afvalid && b->out.afready && b->bus.atclken) {
    b->in.afvalid = false;
    b->n_flushes++;
    assert_false(b->out.atvalid);
  } else if (below(3000) == 0) {
    b->in.afvalid = true;
  }
  b->in.retire = (oct_retire){.insn_valid = false};
}

static uint32_t read_register(bench *b, uint8_t offset) {
  b->in.apb = (oct_apb_in){.psel = true, .paddr = offset};
  cycle(b, 50);
  b->in.apb.penable = true;
  cycle(b, 50);
  assert_true(b->out.apb.pready && !b->out.apb.pslverr);
  b->in.apb = (oct_apb_in){.psel = false};
  return b->out.apb.prdata;
}

static void write_register(bench *b, uint16_t offset, uint32_t value) {
  b->in.apb = (oct_apb_in){.psel = true, .pwrite = true, .paddr = offset, .pwdata = value};
  cycle(b, 50);
  b->in.apb.penable = true;
  cycle(b, 50);
  assert_true(b->out.apb.pready && !b->out.apb.pslverr);
  b->in.apb = (oct_apb_in){.psel = false};
}

/* The debugger has another part of x traced, or all. */
static void set_filter(bench *b, const test_trace *x) {
  oct_filter_write writes[OCT_FILTER_WRITES_MAX];
  char text[100];
  oct_diag diag;
  const oct_insn *a = &x->insns[below(x->n_insns)], *z = &x->insns[below(x->n_insns)];
  unsigned long long low = a->addr, high = z->addr;
  if (low > high) low = z->addr, high = a->addr;
  switch (below(4)) {
    case 0:
      write_register(b, OCT_REG_TR_TE_INST_FILTERS, 0);
      return;
    case 1:
      snprintf(text, sizeof text, "span=0x%llx-0x%llx", (unsigned long long)a->addr,
               (unsigned long long)z->addr);
      break;
    default:
      snprintf(text, sizeof text, "insns=0x%llx-0x%llx", low, high);
  }
  int n = oct_filter_parse(text, 2, 32, 16, writes, &diag);
  if (n < 0) fail_msg("%s", oct_diag_line(&diag).text);
  for (int i = 0; i < n; i++) write_register(b, writes[i].paddr, writes[i].value);
}

static void flush(bench *b) {
  uint64_t before = b->n_flushes;
  unsigned limit = 500000;
  b->in.afvalid = true;
  while (b->n_flushes == before) {
    cycle(b, 50);
    assert_true(limit--);
  }
}

/* With an instruction, which is lost by that. Each rule has its flag. */
static void break_rule(bench *b) {
  switch (below(b->with_traps ? 4 : 3)) {
    case 0:
      b->in.retire.insn_addr |= 1;
      b->errors |= OCT_CORE_ERROR_ADDRESS;
      break;
    case 1:
      b->in.retire.insn_size_bytes = 0;
      b->errors |= OCT_CORE_ERROR_SIZE;
      break;
    case 2:
      b->in.retire.core_error = true;
      b->errors |= OCT_CORE_ERROR_ADAPTER;
      break;
    default:
      b->in.retire.trap_valid = true;
      b->errors |= OCT_CORE_ERROR_TRAP;
  }
}

/* Ahead of an instruction: an access without one. */
static void break_rule_between(bench *b, unsigned ready) {
  b->in.retire = (oct_retire){.insn_valid = false};
  cycle(b, ready);
  b->in.retire = (oct_retire){.da_valid = true, .da_addr = 0x1000};
  b->errors |= OCT_CORE_ERROR_ACCESS;
  cycle(b, ready);
}

static void retire(bench *b, const oct_insn *insn, const oct_access *accesses, unsigned ready) {
  if (b->breaks_rules && below(300) == 0) break_rule_between(b, ready);
  for (unsigned k = 0; k == 0 || k < insn->n_access; k++) {
    b->in.retire = (oct_retire){.insn_valid = k == 0,
                                .insn_addr = insn->addr,
                                .insn_size_bytes = insn->size_bytes,
                                .task = insn->task,
                                .da_valid = k < insn->n_access};
    if (k < insn->n_access) b->in.retire.da_addr = accesses[k].addr;
    if (k == 0 && b->breaks_rules && below(100) == 0) break_rule(b);
    cycle(b, ready);
  }
}

static void test_bus(void **unused) {
  uint64_t n_lost = 0, n_syncs = 0, n_filtered = 0, n_overflows = 0, errors = 0;
  (void)unused;
  seed_random("bus");
  for (unsigned round = 0; round < 40; round++) {
    if (is_left_out()) continue;
    test_trace x = random_test_trace(32, 4, 1500);
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    uint64_t counters[OCT_TRACER_COUNTERS_MAX];
    char settings[100];
    oct_diag diag;
    bench b = {.divider = 1 + (uint32_t)below(3)};
    unsigned ready = 10 + (unsigned)below(91), pause = (unsigned)below(40);
    const oct_access *accesses = x.accesses;
    oct_tracer_defaults(t, params);
    unsigned out_fifo_bytes = 32u << below(4), gather_insns = 2u << below(5);
    unsigned sync_insns = below(2) ? 1 + (unsigned)below(900) : 0;
    unsigned filters = below(2) ? 2 : 0;
    b.breaks_rules = below(3) == 0;
    b.with_traps = below(2);
    snprintf(settings, sizeof settings,
             "out_fifo_bytes=%u,gather_insns=%u,sync_insns=%u,filters=%u", out_fifo_bytes,
             gather_insns, sync_insns, filters);
    if (oct_tracer_parse(t, settings, params, NULL, &diag))
      fail_msg("%s", oct_diag_line(&diag).text);
    /* The circuit has no stamp of each instruction. */
    params[oct_tracer_param(t, "timestamp")] = params[oct_tracer_param(t, "time_period_insns")] = 1;
    assert_int_equal(t->twin->create(params, &b.twin, &diag), OCT_ERR_CONFIG);
    params[oct_tracer_param(t, "timestamp")] = below(2);
    /* It keeps no accesses to be matched. */
    params[oct_tracer_param(t, "match_entries")] = 64;
    assert_int_equal(t->twin->create(params, &b.twin, &diag), OCT_ERR_CONFIG);
    params[oct_tracer_param(t, "match_entries")] = 0;
    params[oct_tracer_param(t, "delay_slots")] = 1;
    assert_int_equal(t->twin->create(params, &b.twin, &diag), OCT_ERR_CONFIG);
    params[oct_tracer_param(t, "delay_slots")] = 0;
    params[oct_tracer_param(t, "time_period_insns")] = below(2) ? 2 + (unsigned)below(50) : 0;
    params[oct_tracer_param(t, "traps")] = b.with_traps;
    assert_int_equal(t->twin->create(params, &b.twin, &diag), 0);
    assert_int_equal(t->twin->map(b.twin, x.updates, x.n_updates, &diag), 0);
    for (size_t i = 0; i < x.n_insns; i++) {
      for (uint64_t n = below(pause + 1); n; n--) cycle(&b, ready);
      if (filters && below(150) == 0) set_filter(&b, &x);
      retire(&b, &x.insns[i], accesses, ready);
      accesses += x.insns[i].n_access;
    }
    if (b.in.afvalid) flush(&b); /* one that was asked for before */
    flush(&b);
    t->twin->counters(b.twin, counters);
    test_decoded d = {.start = OCT_START_IN_STEP};
    if (decode(t, params, &x, b.stream.bytes, b.stream.n_bytes, &d))
      fail_msg("%s", oct_diag_line(&d.diag).text);
    assert_int_equal(d.counts.insns + d.counts.lost_insns, x.n_insns);
    uint64_t filtered_insns = oct_tracer_count(t, counters, "filtered_insns");
    uint64_t filtered_accesses = oct_tracer_count(t, counters, "filtered_accesses");
    assert_int_equal(d.counts.lost_insns, filtered_insns + read_register(&b, OCT_REG_LOST_INSNS));
    assert_int_equal(d.counts.lost_accesses,
                     filtered_accesses + read_register(&b, OCT_REG_LOST_ACCESSES));
    if (filters)
      assert_true(d.counts.gaps >= read_register(&b, OCT_REG_OVERFLOWS));
    else
      assert_int_equal(d.counts.gaps, read_register(&b, OCT_REG_OVERFLOWS));
    assert_true(filters || !filtered_insns);
    assert_int_equal(read_register(&b, OCT_REG_ERRORS), b.errors);
    errors |= b.errors;
    n_filtered += filtered_insns;
    n_overflows += filtered_insns ? read_register(&b, OCT_REG_OVERFLOWS) : 0;
    assert_int_equal(read_register(&b, OCT_REG_ID), OCT_REGS_ID);
    n_lost += d.counts.lost_insns;
    n_syncs += b.n_syncreq;
    t->twin->destroy(b.twin);
    free(b.stream.bytes);
    free_test_trace(&x);
  }
  if (runs_share()) return;
  assert_true(n_lost > 0 && n_syncs > 0 && n_filtered > 0 && n_overflows > 0);
  assert_int_equal(errors, 31); /* every rule was broken */
}

/* Switched off it sends what there is, then nothing; switched on again it begins with a sync. */
static void test_enable(void **unused) {
  const oct_insn insn = {.addr = 0x8000, .size_bytes = 4};
  oct_map_update update = {0, {.addr = 0x8000, .size_bytes = 4, .cls = OCT_CLASS_DIRECT_JUMP}};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  uint64_t counters[OCT_TRACER_COUNTERS_MAX];
  bench b = {.divider = 1};
  oct_diag diag;
  (void)unused;
  seed_random("enable");
  update.entry.target = 0x8000;
  oct_tracer_defaults(t, params);
  assert_int_equal(t->twin->create(params, &b.twin, &diag), 0);
  assert_int_equal(t->twin->map(b.twin, &update, 1, &diag), 0);
  for (unsigned enable = 0; enable < 2; enable++) {
    for (unsigned i = 0; i < 50; i++) retire(&b, &insn, NULL, 100);
    b.in.apb = (oct_apb_in){
        .psel = true, .penable = true, .pwrite = true, .paddr = OCT_REG_CTRL, .pwdata = enable};
    cycle(&b, 100);
    b.in.apb = (oct_apb_in){.psel = false};
    for (unsigned i = 0; i < 500; i++) retire(&b, &insn, NULL, 100);
    t->twin->counters(b.twin, counters);
    uint64_t insns =
        oct_tracer_count(t, counters, "insns") + oct_tracer_count(t, counters, "lost_insns");
    uint64_t syncs = oct_tracer_count(t, counters, "syncs");
    if (enable)
      assert_true(insns > 450 && syncs >= 2);
    else
      assert_true(insns > 40 && insns <= 52 && syncs >= 1);
  }
  t->twin->destroy(b.twin);
  free(b.stream.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bus), cmocka_unit_test(test_enable)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
