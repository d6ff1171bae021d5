/* SPDX-License-Identifier: Apache-2.0 */
/* test_filter.c - is what a filter lets through what comes back, and nothing else? And does a core
 * that breaks a rule of the core interface raise its flag and leave a gap, never a wrong trace?
 *
 * The settings of the filter are decided here once more, from their words alone: an instruction is
 * wanted when a range or a span has it, and its task and privilege are those asked for. What the
 * decoder gives has to be each wanted instruction, with the accesses that are wanted up to the
 * first that is not. OCT_TEST_SEED=N repeats a run; the seed is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../test_random.h"
#include "oct_compressor.h"
#include "oct_decoder.h"
#include "oct_filter_text.h"
#include "oct_top.h"

enum { TRACE_INSNS = 4000, SITES = 64, ACCESSES_MAX = 3 };

typedef struct trace {
  oct_insn insns[TRACE_INSNS];
  oct_access accesses[TRACE_INSNS * ACCESSES_MAX];
  oct_map_update updates[TRACE_INSNS];
  size_t n_accesses, n_updates;
} trace;

static trace t;

/* Loops over 64 instructions from 0x8000 on, some with accesses, of three tasks. */
static void make_trace(void) {
  uint32_t at = 0, task = 0;
  oct_map_tracker *tracker = oct_map_tracker_new();
  const oct_map_update *updates;
  t.n_accesses = 0;
  memset(t.insns, 0, sizeof t.insns);
  for (size_t i = 0; i < TRACE_INSNS; i++) {
    oct_insn *insn = &t.insns[i];
    insn->addr = 0x8000 + 4 * (uint64_t)at;
    insn->size_bytes = 4;
    insn->task = task;
    insn->n_access = (uint16_t)(at % 3 ? 0 : 1 + at % ACCESSES_MAX);
    if (at % 12 == 0 && below32(2)) insn->n_access--;
    for (uint32_t k = 0; k < insn->n_access; k++)
      t.accesses[t.n_accesses++] =
          (oct_access){.addr = 0x100 + 4 * below32(200), .size_bytes = 4, .is_store = k & 1};
    at = below32(6) ? (at + 1) % SITES : below32(SITES);
    if (below32(100) == 0) task = below32(3);
  }
  oct_batch batch = {
      .insns = t.insns, .n_insns = TRACE_INSNS, .accesses = t.accesses, .n_accesses = t.n_accesses};
  int64_t n = oct_map_track(tracker, &batch, t.insns, &updates);
  assert_true(n >= 0 && n <= TRACE_INSNS);
  t.n_updates = (size_t)n;
  memcpy(t.updates, updates, t.n_updates * sizeof *updates);
  oct_map_tracker_free(tracker);
}

/* What is asked for. */
typedef struct wish {
  uint64_t ranges[3][2], span[2], data[2];
  uint32_t n_ranges;
  bool has_span, has_data, has_task;
  uint32_t task, privs; /* privs: bits, 0 = any */
} wish;

static void add(char *text, size_t size, const char *format, ...) {
  size_t n = strlen(text);
  va_list args;
  if (n) text[n++] = ',';
  va_start(args, format);
  vsnprintf(text + n, size - n, format, args);
  va_end(args);
}

static wish make_wish(char *text, size_t size) {
  wish w = {.n_ranges = below32(3), .has_span = below32(3) == 0, .has_data = below32(3) == 0};
  text[0] = '\0';
  w.has_task = below32(3) == 0 && w.n_ranges + w.has_span + w.has_data < OCT_FILTERS_MAX;
  for (uint32_t i = 0; i < w.n_ranges; i++) {
    w.ranges[i][0] = 0x8000 + 4 * below32(SITES);
    w.ranges[i][1] = w.ranges[i][0] + below32(40);
    add(text, size, "insns=0x%llx-0x%llx", (unsigned long long)w.ranges[i][0],
        (unsigned long long)w.ranges[i][1]);
  }
  if (w.has_span) {
    w.span[0] = 0x8000 + 4 * below32(SITES);
    w.span[1] = 0x8000 + 4 * below32(SITES);
    add(text, size, "span=%llu-%llu", (unsigned long long)w.span[0], (unsigned long long)w.span[1]);
  }
  if (w.has_data) {
    w.data[0] = 0x100 + 4 * below32(200);
    w.data[1] = w.data[0] + below32(600);
    add(text, size, "accesses=0x%llx-0x%llx", (unsigned long long)w.data[0],
        (unsigned long long)w.data[1]);
  }
  if (w.has_task) {
    w.task = below32(3);
    add(text, size, "task=%u", w.task);
  }
  if (below32(4) == 0) {
    w.privs = below32(4) ? 1 : 8;
    add(text, size, "priv=%s", w.privs == 1 ? "u" : "m");
  }
  return w;
}

static bool wants_insn(const wish *w, const oct_insn *insn, bool *is_open) {
  bool wanted = !w->n_ranges && !w->has_span;
  for (uint32_t i = 0; i < w->n_ranges; i++)
    if (insn->addr >= w->ranges[i][0] && insn->addr <= w->ranges[i][1]) wanted = true;
  if (w->has_span) {
    if (insn->addr == w->span[0]) *is_open = true;
    if (*is_open) wanted = true;
    if (insn->addr == w->span[1]) *is_open = false;
  }
  if (w->has_task && insn->task != w->task) wanted = false;
  if (w->privs && !(w->privs & 1)) wanted = false; /* traces are of user programs */
  return wanted;
}

/* Decode, and hold it against the wish. With no losses: all that is wanted comes. */
static void check_decoded(const oct_config *cfg, const wish *w, const char *text,
                          const uint8_t *bytes, size_t n_bytes, bool is_lossless) {
  oct_decoder *d;
  oct_diag diag = {0};
  oct_decoded run;
  uint64_t next = 0;
  const oct_access *access = t.accesses;
  bool is_open = false;
  int got;
  assert_int_equal(oct_decoder_new(cfg, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(oct_decoder_map(d, t.updates, t.n_updates, &diag), 0);
  assert_int_equal(oct_decoder_push(d, bytes, n_bytes, &diag), 0);
  oct_decoder_finish(d);
  while ((got = oct_decoder_next(d, &run, &diag)) > 0) {
    const oct_access *a = run.batch.accesses;
    for (size_t i = 0; i < run.batch.n_insns; i++) {
      const oct_insn *x = &run.batch.insns[i];
      for (; next < run.first_insn + i; next++) {
        if (wants_insn(w, &t.insns[next], &is_open) && is_lossless)
          fail_msg("%s: instruction %llu is not there", text, (unsigned long long)next);
        access += t.insns[next].n_access;
      }
      assert_true(next < TRACE_INSNS);
      if (!wants_insn(w, &t.insns[next], &is_open))
        fail_msg("%s: instruction %llu is there", text, (unsigned long long)next);
      assert_true(x->addr == t.insns[next].addr && x->task == t.insns[next].task);
      uint32_t n = 0;
      while (n < t.insns[next].n_access &&
             (!w->has_data || (access[n].addr >= w->data[0] && access[n].addr <= w->data[1])))
        n++;
      if (x->n_access != n && !(x->flags & OCT_INSN_PARTIAL))
        fail_msg("%s: instruction %llu has %u accesses, not %u", text, (unsigned long long)next,
                 x->n_access, n);
      for (uint32_t k = 0; k < x->n_access; k++, a++) assert_true(a->addr == access[k].addr);
      access += t.insns[next++].n_access;
    }
  }
  if (got) fail_msg("%s: %s", text, oct_diag_line(&diag).text);
  oct_decoder_counts counts;
  oct_decoder_get_counts(d, &counts);
  assert_int_equal(counts.insns + counts.lost_insns, TRACE_INSNS);
  oct_decoder_free(d);
}

static void wishes_come_true(void **state) {
  (void)state;
  static const char *const geometries[] = {"paper,filters=4", "tiny,filters=4", "odd,filters=4",
                                           "wide64,filters=4"};
  for (unsigned i = 0; i < 48; i++) {
    if (is_left_out()) continue;
    char text[256];
    oct_config cfg;
    oct_compressor *c;
    oct_diag diag;
    const uint8_t *bytes;
    oct_run_options options = {.engine = OCT_ENGINE_CYCLE};
    make_trace();
    wish w = make_wish(text, sizeof text);
    if (text[0]) options.filter = text;
    if (i & 1) {
      options.arrival = OCT_ARRIVAL_CPI;
      options.cpi_milli = 256000;
    }
    oct_config_init(&cfg);
    assert_int_equal(oct_config_parse(&cfg, geometries[i % 4], NULL), 0);
    if (oct_compressor_new(&cfg, &options, &c, &diag))
      fail_msg("%s: %s", text, oct_diag_line(&diag).text);
    assert_int_equal(oct_compressor_put(c, t.insns, TRACE_INSNS, t.accesses, &diag), 0);
    assert_int_equal(oct_compressor_flush(c, &diag), 0);
    const oct_stats *stats = oct_compressor_stats(c);
    bool is_lossless = stats->lost_insns == stats->filtered_insns &&
                       stats->lost_accesses == stats->filtered_accesses;
    if (i & 1) assert_true(is_lossless && !stats->overflows);
    size_t n = oct_compressor_take(c, &bytes);
    check_decoded(&cfg, &w, text, bytes, n, is_lossless);
    oct_compressor_free(c);
  }
}

static void wrong_settings_are_told(void **state) {
  (void)state;
  static const char *const wrong[] = {"",
                                      "insns",
                                      "insns=1",
                                      "insns=9-3",
                                      "insns=1-2x",
                                      "nonesuch=1",
                                      "task=x",
                                      "task=65536",
                                      "task=1,task=2",
                                      "priv=q",
                                      "priv=.",
                                      "priv=",
                                      "priv=usm,priv=u",
                                      "accesses=-",
                                      "trTeControl=",
                                      "trTeComp9Control=1",
                                      "trTeComp0=1",
                                      "trTeFilter0Contro=1",
                                      "insns=0-0x1ffffffff",
                                      "insns=1-2,insns=1-2,insns=1-2,insns=1-2,insns=1-2",
                                      "insns=1-2,insns=1-2,insns=1-2,insns=1-2,task=1"};
  oct_filter_write writes[OCT_FILTER_WRITES_MAX];
  oct_diag diag;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    diag.text[0] = '\0';
    assert_int_equal(oct_filter_parse(wrong[i], 4, 32, 16, writes, &diag), OCT_ERR_ARG);
    assert_true(!strncmp(oct_diag_line(&diag).text, "filter:", 7));
  }
  assert_int_equal(oct_filter_parse("insns=1-2", 0, 32, 16, writes, &diag), OCT_ERR_ARG);
  assert_non_null(
      strstr(oct_diag_line(&diag).text, "expected a parameter filters=1 or larger, up to 4"));
  /* More than any geometry has is not advised. */
  const char *many = "span=1-2,insns=1-2,task=1,accesses=3-4,insns=5-6";
  assert_int_equal(oct_filter_parse(many, 4, 32, 16, writes, &diag), OCT_ERR_ARG);
  assert_string_equal(oct_diag_line(&diag).text,
                      "filter: needs more than 4 comparators, the most that a geometry "
                      "can have: expected fewer settings");
  assert_int_equal(oct_filter_parse("trTeComp3SMatchHigh=7", 4, 64, 16, writes, &diag), 1);
  assert_int_equal(writes[0].paddr, 0x67c);
  assert_int_equal(writes[0].value, 7);
  assert_int_equal(oct_filter_parse("trTeComp0PMatchLow=010", 4, 64, 16, writes, &diag), 1);
  assert_int_equal(writes[0].value, 10); /* not octal */
  oct_config cfg;
  oct_compressor *c;
  oct_run_options options = {.filter = "priv=u"};
  oct_config_init(&cfg);
  assert_int_equal(oct_compressor_new(&cfg, &options, &c, &diag), OCT_ERR_ARG);
}

/* --- rules of the core interface --- */

static oct_top top;
static uint8_t port[1 << 16];
static size_t n_port;

static void cycle(const oct_top_in *in, oct_top_out *out) {
  oct_top_cycle(&top, in, out);
  if (out->atvalid && out->atready)
    for (uint32_t i = 0; i <= out->atbytes; i++) port[n_port++] = (uint8_t)(out->atdata >> 8 * i);
}

static uint32_t access_reg(bool is_write, uint16_t paddr, uint32_t value) {
  oct_top_in in = {.apb = {true, false, is_write, paddr, value}};
  oct_top_out out;
  cycle(&in, &out);
  in.apb.penable = true;
  cycle(&in, &out);
  assert_false(out.apb.pslverr);
  return out.apb.prdata;
}

/* Twelve instructions, every third with an access, four cycles apart; in the middle of them what
 * `broken` does to the inputs of a cycle, of which `errors` are expected. */
static void break_rule(void (*broken)(oct_top_in *), uint32_t errors, uint32_t lost) {
  oct_config cfg;
  oct_top_out out = {.afready = false};
  oct_decoder *d;
  oct_decoded run;
  oct_diag diag = {0};
  oct_map_update updates[13] = {{.from_insn = 0}};
  uint64_t next = 0, told = 0, gaps = 0;
  oct_config_init(&cfg);
  cfg.traps = 1;
  assert_int_equal(oct_top_init(&top, &cfg), 0);
  n_port = 0;
  for (uint32_t i = 0; i < 12; i++) {
    oct_top_in in = {.retire = {.insn_valid = true,
                                .insn_addr = 0x8000 + 4 * i,
                                .insn_size_bytes = 4,
                                .da_valid = i % 3 == 0,
                                .da_addr = 0x40 * i}};
    oct_top_in idle = {.afvalid = false};
    updates[i].entry.addr = in.retire.insn_addr;
    updates[i].entry.size_bytes = 4;
    updates[i].entry.n_slots = i % 3 == 0;
    updates[i].entry.slots[0] = 2;
    if (i == 6) broken(&in);
    cycle(&in, &out);
    for (int k = 0; k < 40; k++) cycle(&idle, &out);
  }
  assert_int_equal(access_reg(false, OCT_REG_ERRORS, 0), errors);
  assert_int_equal(access_reg(false, OCT_REG_OVERFLOWS, 0), 1);
  access_reg(true, OCT_REG_ERRORS, errors);
  assert_int_equal(access_reg(false, OCT_REG_ERRORS, 0), 0);
  while (!out.afready) {
    oct_top_in in = {.afvalid = true};
    cycle(&in, &out);
  }
  assert_int_equal(oct_decoder_new(&cfg, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(oct_decoder_map(d, updates, 12, &diag), 0);
  assert_int_equal(oct_decoder_push(d, port, n_port, &diag), 0);
  oct_decoder_finish(d);
  while (oct_decoder_next(d, &run, &diag) > 0) {
    for (size_t i = 0; i < run.batch.n_insns; i++) {
      next = run.first_insn + i;
      assert_int_equal(run.batch.insns[i].addr, 0x8000 + 4 * next);
      told++;
    }
    gaps += run.is_gap != 0;
  }
  assert_int_equal(diag.error, 0);
  assert_int_equal(gaps, 1);
  assert_int_equal(told + lost, 12);
  assert_int_equal(next, 11);
  oct_decoder_free(d);
  oct_top_free(&top);
}

static void orphan_access(oct_top_in *in) {
  in->retire = (oct_retire){.da_valid = true, .da_addr = 0x44};
}
static void odd_address(oct_top_in *in) {
  in->retire.insn_addr |= 2;
}
static void odd_size(oct_top_in *in) {
  in->retire.insn_size_bytes = 6;
}
static void no_size(oct_top_in *in) {
  in->retire.insn_size_bytes = 0;
}
static void adapter(oct_top_in *in) {
  in->retire.core_error = true;
}

static void trap_beside(oct_top_in *in) {
  in->retire.trap_valid = true;
}

static void broken_rules_leave_a_gap(void **state) {
  (void)state;
  break_rule(odd_address, OCT_CORE_ERROR_ADDRESS, 1);
  break_rule(odd_size, OCT_CORE_ERROR_SIZE, 1);
  break_rule(no_size, OCT_CORE_ERROR_SIZE, 1);
  break_rule(adapter, OCT_CORE_ERROR_ADAPTER, 1);
  break_rule(trap_beside, OCT_CORE_ERROR_TRAP, 1);
}

/* An access without an instruction stands between two of them. */
static void an_access_alone_leaves_a_gap(void **state) {
  (void)state;
  oct_config cfg;
  oct_top_out out = {.afready = false};
  oct_top_in idle = {.afvalid = false}, orphan = idle;
  oct_decoder *d;
  oct_decoded run;
  oct_diag diag;
  oct_map_update update = {.entry = {.addr = 0x8000, .size_bytes = 4}};
  uint64_t insns = 0, lost_insns = 0, lost_accesses = 0;
  oct_config_init(&cfg);
  assert_int_equal(oct_top_init(&top, &cfg), 0);
  n_port = 0;
  orphan_access(&orphan);
  for (int i = 0; i < 4; i++) {
    oct_top_in in = {.retire = {.insn_valid = true, .insn_addr = 0x8000, .insn_size_bytes = 4}};
    cycle(&in, &out);
    for (int k = 0; k < 40; k++) cycle(i == 1 && k == 20 ? &orphan : &idle, &out);
  }
  assert_int_equal(access_reg(false, OCT_REG_ERRORS, 0), OCT_CORE_ERROR_ACCESS);
  while (!out.afready) {
    oct_top_in in = {.afvalid = true};
    cycle(&in, &out);
  }
  assert_int_equal(oct_decoder_new(&cfg, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(oct_decoder_map(d, &update, 1, &diag), 0);
  assert_int_equal(oct_decoder_push(d, port, n_port, &diag), 0);
  oct_decoder_finish(d);
  while (oct_decoder_next(d, &run, &diag) > 0) {
    insns += run.batch.n_insns;
    lost_insns += run.lost_insns;
    lost_accesses += run.lost_accesses;
  }
  assert_int_equal(insns, 4);
  assert_int_equal(lost_insns, 0);
  assert_int_equal(lost_accesses, 1);
  oct_decoder_free(d);
  oct_top_free(&top);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wishes_come_true),
      cmocka_unit_test(wrong_settings_are_told),
      cmocka_unit_test(broken_rules_leave_a_gap),
      cmocka_unit_test(an_access_alone_leaves_a_gap),
  };
  seed_random("test_filter");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
