/* SPDX-License-Identifier: Apache-2.0 */
/* test_attacks.c - does a machine whose core breaks the rules of the core interface, whose filter
 * and triggers change all the time and whose bus is hostile decode to nothing wrong: gaps alone,
 * and a flag in ERRORS for each rule that was broken? */
#include "octrace/container.h"
#include "oct_core_rules.h"
#include "oct_filter.h"
#include "oct_regs.h"
#include "tracer_util.h"

enum { TRACE_INSNS = 4000, TRAPS_MAX = 2000 };

typedef struct machine {
  const oct_tracer *tracer;
  void *twin;
  oct_pins_in in;
  unsigned n_filters;
  bool hostile, is_answered;
  uint32_t errors, broken; /* flags that were read; rules that were broken */
  uint8_t *bytes;
  size_t n_bytes, room;
} machine;

/* The debugger writes to the filter, the source number and the period of syncs, or reads. */
static void next_apb(machine *m) {
  static const uint16_t regs[] = {OCT_REG_TR_TE_INST_FILTERS,
                                  OCT_REG_TR_TE_FILTER_CONTROL,
                                  OCT_REG_TR_TE_FILTER_INST,
                                  OCT_REG_TR_TE_COMP_CONTROL,
                                  OCT_REG_TR_TE_CONTROL,
                                  OCT_REG_TR_TE_TRIG_EXT_IN,
                                  OCT_REG_ATID,
                                  OCT_REG_SYNC_PERIOD};
  oct_apb_in *apb = &m->in.apb;
  if (apb->psel && !apb->penable) {
    apb->penable = true;
    return;
  }
  *apb = (oct_apb_in){.psel = m->hostile && below(2), .pwrite = true};
  apb->paddr = regs[below(sizeof regs / sizeof *regs)];
  apb->pwdata = (uint32_t)random_u64();
  if (apb->paddr == OCT_REG_TR_TE_INST_FILTERS) /* all is traced half of the time */
    apb->pwdata = below(2) ? 0 : (uint32_t)below(UINT64_C(1) << m->n_filters);
  if (apb->paddr == OCT_REG_TR_TE_FILTER_CONTROL) /* on, one comparator, perhaps a second one */
    apb->pwdata = 1 | (uint32_t)below(2) << 4 | (uint32_t)below(m->n_filters) << 5 |
                  (uint32_t)(below(4) == 0) << 8 | (uint32_t)below(m->n_filters) << 9;
  if (apb->paddr >= OCT_REG_TR_TE_FILTER_CONTROL)
    apb->paddr = (uint16_t)(apb->paddr + 0x20 * below(m->n_filters));
  if (apb->paddr == OCT_REG_TR_TE_CONTROL) apb->pwdata = 4 | (uint32_t)below(2) << 11;
  if (apb->paddr == OCT_REG_SYNC_PERIOD) apb->pwdata = (uint32_t)below(300);
}

static void cycle(machine *m) {
  oct_pins_bus bus = {.atready = !m->hostile || below(4),
                      .atclken = !m->hostile || below(2),
                      .syncreq = m->hostile && below(20) == 0};
  oct_pins_out out;
  oct_diag diag;
  next_apb(m);
  m->in.retire.trigger = (uint8_t)(m->hostile && below(50) == 0 ? below(4) : 0);
  if (m->is_answered) m->in.afvalid = false;
  m->is_answered = false;
  if (m->hostile && below(300) == 0) m->in.afvalid = true;
  if (m->tracer->twin->cycle_bus(m->twin, &m->in, &bus, &out, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  m->is_answered = out.afready && bus.atclken;
  if (out.atvalid && bus.atready && bus.atclken) {
    if (m->n_bytes + 4 > m->room) m->bytes = realloc(m->bytes, m->room = 2 * m->room + 64);
    for (unsigned i = 0; i <= out.atbytes; i++)
      m->bytes[m->n_bytes++] = (uint8_t)(out.atdata >> (8 * i));
  }
  m->in.retire = (oct_retire){.task = m->in.retire.task};
}

static uint32_t read_errors(machine *m) {
  oct_pins_bus bus = {true, true, false};
  oct_pins_out out = {.afready = false};
  oct_diag diag;
  for (unsigned i = 0; i < 2; i++) {
    m->in.apb = (oct_apb_in){.psel = true, .penable = i == 1, .paddr = OCT_REG_ERRORS};
    assert_int_equal(m->tracer->twin->cycle_bus(m->twin, &m->in, &bus, &out, &diag), 0);
  }
  return out.apb.prdata;
}

/* What breaks a rule, without an instruction; or with the one at hand, which is lost then. */
static bool break_rule(machine *m, const oct_insn *insn) {
  static const struct {
    uint32_t flags;
    bool has_insn, has_access, has_trap, is_lead, has_lead; /* the lead: of shadow alone */
  } rules[] = {
      {OCT_CORE_ERROR_ACCESS, false, true, false, false, false}, /* a terminator half of the time */
      {OCT_CORE_ERROR_ADAPTER, false, false, false, false, false},
      {OCT_CORE_ERROR_TRAP, false, false, true, false, false}, /* of no kind */
      {OCT_CORE_ERROR_ACCESS | OCT_CORE_ERROR_TRAP, false, true, true, false, false},
      {OCT_CORE_ERROR_ADDRESS, true, false, false, false, false},
      {OCT_CORE_ERROR_SIZE, true, false, false, false, false},
      {OCT_CORE_ERROR_ADAPTER, true, false, false, false, false},
      {OCT_CORE_ERROR_TRAP, true, false, true, false, false},
      {OCT_CORE_ERROR_ADDRESS | OCT_CORE_ERROR_SIZE, true, true, false, false, false},
      {OCT_CORE_ERROR_ACCESS, true, false, false, true, true}, /* it is the lead */
      {OCT_CORE_ERROR_ACCESS, true, false, false, false, true},
  };
  const unsigned rule = (unsigned)below(sizeof rules / sizeof *rules -
                                        (m->tracer == oct_tracer_find("paper") ? 2 : 0));
  const uint32_t flags = rules[rule].flags;
  oct_retire *r = &m->in.retire;
  cycle(m); /* behind an access another one would be its instruction's */
  r->task = insn->task;
  r->core_error = flags & OCT_CORE_ERROR_ADAPTER;
  r->trap_valid = rules[rule].has_trap;
  r->trap_kind = flags == OCT_CORE_ERROR_TRAP && !rules[rule].has_insn ? 3 : (uint8_t)below(4);
  r->da_valid = rules[rule].has_access;
  r->da_end = r->da_valid && below(2);
  r->da_addr = below(0x10000);
  r->insn_valid = rules[rule].has_insn && !rules[rule].is_lead;
  r->lead_valid = rules[rule].has_lead;
  r->lead_addr = insn->addr;
  r->lead_size_bytes = insn->size_bytes;
  r->insn_addr = insn->addr | (flags & OCT_CORE_ERROR_ADDRESS ? 1 + below(3) : 0);
  r->insn_size_bytes = insn->size_bytes;
  if (flags & OCT_CORE_ERROR_SIZE) r->insn_size_bytes = (uint8_t)below(4); /* of 4 */
  m->broken |= flags;
  cycle(m);
  return rules[rule].has_insn;
}

static void retire(machine *m, const oct_insn *insn, const oct_access *a) {
  oct_retire *r = &m->in.retire;
  const unsigned n_records = insn->n_access + (insn->flags & OCT_INSN_END ? 1u : 0u);
  r->task = insn->task;
  if (below(m->hostile ? 30 : 1000) == 0 && break_rule(m, insn)) return;
  for (unsigned i = 0; i == 0 || i < n_records; i++) {
    r->insn_valid = i == 0;
    r->insn_addr = insn->addr;
    r->insn_size_bytes = insn->size_bytes;
    r->task = insn->task;
    r->da_valid = i < n_records;
    r->da_end = r->da_valid && i == insn->n_access;
    r->da_addr = i < insn->n_access ? a[i].addr : 0;
    if (i && below(m->hostile ? 30 : 1000) == 0) { /* what comes behind it is no instruction's */
      r->core_error = below(2);
      r->trap_valid = !r->core_error;
      m->broken |= r->core_error ? OCT_CORE_ERROR_ADAPTER : OCT_CORE_ERROR_TRAP;
    }
    cycle(m);
  }
  for (uint64_t idle = below(4) ? 0 : below(40); idle; idle--) cycle(m);
}

static void trap(machine *m, const oct_trap *t, uint32_t task) {
  m->in.retire = (oct_retire){.trap_valid = true,
                              .trap_kind = t->kind,
                              .trap_privilege = t->privilege,
                              .trap_cause = t->cause,
                              .trap_addr = t->addr,
                              .trap_tval = t->tval,
                              .task = task};
  cycle(m);
}

static size_t make_traps(const test_trace *x, oct_trap *traps) {
  size_t n = 0;
  for (uint32_t i = 1; i < x->n_insns && n < TRAPS_MAX; i++) {
    if (below(8)) continue;
    traps[n] = (oct_trap){
        .insn = i, .kind = (uint8_t)below(OCT_TRAP_KINDS), .privilege = (uint8_t)below(4)};
    if (traps[n].kind != OCT_TRAP_PRIVILEGE) traps[n].addr = x->insns[i - 1].addr;
    n++;
  }
  return n;
}

static void hold(const machine *m, const uint32_t *params, const test_trace *x,
                 const oct_trap *traps, size_t n_traps) {
  oct_compare *c = oct_compare_new(0);
  oct_decoded run;
  oct_diag diag = {0};
  void *d;
  int got;
  assert_non_null(c);
  assert_int_equal(oct_compare_expect_traps(c, traps, n_traps), 0);
  assert_int_equal(oct_compare_expect(c, x->insns, x->n_insns, x->accesses), 0);
  assert_int_equal(m->tracer->decoder.create(params, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(m->tracer->decoder.map(d, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(m->tracer->decoder.push(d, m->bytes, m->n_bytes, &diag), 0);
  m->tracer->decoder.finish(d);
  while ((got = m->tracer->decoder.next(d, &run, &diag)) > 0)
    if (oct_compare_run(c, &run, &diag))
      fail_msg("%s: %s", m->tracer->name, oct_diag_line(&diag).text);
  if (got < 0) fail_msg("%s: %s", m->tracer->name, oct_diag_line(&diag).text);
  assert_int_equal(oct_compare_pending(c), 0);
  assert_in_range(oct_compare_equal(c), x->n_insns / 100, x->n_insns - 1);
  m->tracer->decoder.destroy(d);
  oct_compare_free(c);
}

static void attack(const char *name, unsigned n_filters, const char *settings) {
  machine m = {.tracer = oct_tracer_find(name), .n_filters = n_filters};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag diag;
  oct_tracer_defaults(m.tracer, params);
  char text[160];
  snprintf(text, sizeof text, "filters=%u,%s", n_filters, settings);
  if (oct_tracer_parse(m.tracer, text, params, given, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  test_trace x = random_test_trace(32, 4, TRACE_INSNS);
  assert_int_equal(oct_tracer_fit(m.tracer, params, given, "unknown", 32, 4, &diag), 0);
  oct_trap *traps = calloc(TRAPS_MAX, sizeof *traps);
  size_t n_traps = make_traps(&x, traps), t = 0;
  const oct_access *a = x.accesses;
  if (m.tracer->twin->create(params, &m.twin, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  if (m.tracer->twin->map)
    assert_int_equal(m.tracer->twin->map(m.twin, x.updates, x.n_updates, &diag), 0);
  for (size_t i = 0; i < x.n_insns; a += x.insns[i++].n_access) {
    if (below(200) == 0) m.hostile = !m.hostile;
    for (; t < n_traps && traps[t].insn == i; t++) trap(&m, &traps[t], x.insns[i].task);
    retire(&m, &x.insns[i], a);
  }
  /* A flush of its own, behind one that may be under way; nothing is left out any more. */
  m.hostile = false;
  for (unsigned i = 0; i < 2000; i++) cycle(&m);
  for (m.in.afvalid = true; m.in.afvalid;) cycle(&m);
  assert_int_equal(read_errors(&m) & m.broken, m.broken);
  assert_int_equal(read_errors(&m) & ~m.broken, 0);
  hold(&m, params, &x, traps, n_traps);
  m.tracer->twin->destroy(m.twin);
  free(m.bytes);
  free(traps);
  free_test_trace(&x);
}

static void attacks(void **state) {
  static const char *const machines[][2] = {
      {"paper", "traps=1,sync_period_insns=500"},
      {"paper", "traps=1,timestamp=2,port_pins=4,stream_fifo_depth=4"},
      {"paper", "traps=1,timestamp=1,time_period_insns=20"},
      {"shadow", "traps=1,sync_insns=500,gather_accesses=64"},
      {"shadow", "traps=1,timestamp=1,gather_insns=4,gather_accesses=64"},
      {"shadow", "traps=1,timestamp=1,time_period_insns=3,gather_accesses=64"}};
  (void)state;
  seed_random("attacks");
  for (unsigned round = 0; round < 30; round++) {
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++)
      if (!is_left_out()) attack(machines[m][0], 1 + round % 4, machines[m][1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(attacks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
