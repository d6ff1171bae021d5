/* SPDX-License-Identifier: Apache-2.0 */
/* test_ntrace.c - do N-Trace streams give every trace back? */
#include "tracer_run.h"

#include "oct_ntrace.h"

static const oct_tracer *t;

static oct_nt_params random_options(uint64_t *base) {
  oct_nt_params p = {0};
  p.history = random_pm(600);
  p.hist_bits = below32(31) + 1;
  p.icnt_bits = random_pm(500) ? 16 : below32(27) + 4;
  p.repeat = random_pm(500);
  p.return_stack = random_pm(500) ? 0 : below32(33);
  p.sync_period_insns = 1u << below(14);
  p.src_bits = random_pm(700) ? 0 : below32(13);
  p.count = !random_pm(200);
  p.timestamp = random_pm(300);
  p.src_id = below32(1u << p.src_bits);
  if (random_pm(200)) p.sync_period_insns = 0;
  /* Low, of 48 bits, and with a top that an extension leaves out, whose highest bit is set. */
  static const uint64_t bases[] = {0x10000, 0x7fff00000000, 0xffffffff80000000};
  *base = bases[below(3)];
  p.extend_addr = random_pm(500) ? 0 : *base != 0x10000 || random_pm(500) ? 64 : 32;
  return p;
}

static void test_options(void **state) {
  size_t found = 0;
  (void)state;
  for (int i = 0; i < 150; i++) {
    if (is_left_out()) continue;
    uint64_t base;
    const oct_nt_params p = random_options(&base);
    random_rules rules = random_rules_of(base, UINT64_MAX, 2, 4);
    random_run r = random_run_new(&rules, 1 + below(random_pm(300) ? 20 : 6000));
    uint32_t values[OCT_TRACER_PARAMS_MAX];
    if (p.timestamp && random_pm(500)) stamp_run(&r);
    oct_nt_params_put(&p, values);
    port_bytes bytes = encode_run(t, values, &r);
    decode_run(t, values, &r, &bytes, (decode_how){0});
    if (p.count) found += cut_run(t, values, &r, &bytes, false);
    if (random_pm(300)) damage_run(t, values, &r, &bytes);
    free(bytes.bytes);
    random_free(&r);
  }
  assert_true(runs_share() || found > 0);
}

/* ---- Streams that begin in the middle ---- */

/* Where a message begins behind `cut`, and the first sync there; bytes->n: nowhere. */
static size_t next_sync(const oct_nt_params *p, const port_bytes *bytes, size_t cut,
                        bool *is_begin) {
  size_t at = 0;
  *is_begin = false;
  while (at < bytes->n) {
    oct_nt_message m;
    bool is_ours;
    const int n = oct_nt_read(p, bytes->bytes + at, bytes->n - at, &m, &is_ours, NULL);
    assert_true(n > 0);
    if (at >= cut && is_ours && m.sync) {
      *is_begin = m.tcode == OCT_NT_SYNC;
      return at;
    }
    at += (size_t)n;
  }
  return bytes->n;
}

/* Whether a stream from there on begins with a message that says nothing of the path, or that
 * begins a trace. */
static bool is_silent(const oct_nt_params *p, const port_bytes *bytes, size_t cut) {
  oct_nt_message m;
  bool is_ours;
  const int n = oct_nt_read(p, bytes->bytes + cut, bytes->n - cut, &m, &is_ours, NULL);
  return n > 0 && (!is_ours || m.tcode == OCT_NT_SYNC ||
                   (!m.sync && !m.icnt && m.tcode != OCT_NT_FULL && m.tcode != OCT_NT_REPEAT));
}

/* Every cut that leaves a sync gives the end of the whole from that sync on, and says that the
 * beginning is missing. */
static void rings_begin_anywhere(void **state) {
  (void)state;
  for (int i = 0; i < 60; i++) {
    if (is_left_out()) continue;
    uint64_t base;
    oct_nt_params p = random_options(&base);
    uint32_t values[OCT_TRACER_PARAMS_MAX];
    p.count = 0;
    p.sync_period_insns = 1 + below32(400);
    random_rules rules = random_rules_of(base, UINT64_MAX, 2, 4);
    rules.change_ppm = 0;
    if (i % 2) rules.trap_ppm = below32(3) ? 20000 + below32(200000) : 1000000;
    random_run r = random_run_new(&rules, 1 + below(1000));
    oct_nt_params_put(&p, values);
    port_bytes bytes = encode_run(t, values, &r);
    foreign_run whole = foreign_decode(t, values, &r, bytes.bytes, bytes.n);
    assert_int_equal(whole.error, 0);
    assert_int_equal(whole.n_insns, r.n_insns);
    size_t last = SIZE_MAX, n_last = 0;
    for (size_t cut = 1; cut < bytes.n; cut++) {
      foreign_run f = foreign_decode(t, values, &r, bytes.bytes + cut, bytes.n - cut);
      bool is_begin;
      const size_t sync = next_sync(&p, &bytes, cut, &is_begin);
      /* The rest of a sync may look like another one, of the same address. */
      if (f.n_insns || sync < bytes.n) check_end_of_run(&whole, &f, cut);
      if (sync < bytes.n && (!f.n_insns || (sync == last && f.n_insns < n_last)))
        fail_msg("cut at %zu: %zu instructions, expected %zu", cut, f.n_insns, n_last);
      if (f.n_insns && f.n_insns < whole.n_insns && !is_begin && !is_silent(&p, &bytes, cut) &&
          !f.counts.first_sync_bits && !f.counts.gaps)
        fail_msg("cut at %zu: nothing says that the beginning is missing", cut);
      if (sync != last || f.n_insns < n_last) n_last = f.n_insns;
      last = sync;
      foreign_free(&f);
    }
    foreign_free(&whole);
    free(bytes.bytes);
    random_free(&r);
  }
}

/* What a stream with counts of instructions is made with. */
static const oct_nt_params counted = {
    .history = 1, .hist_bits = 31, .icnt_bits = 16, .count = 1, .sync_period_insns = 100};

/* Such a stream, of a run that only executes. */
static port_bytes counted_stream(uint32_t *values, random_run *r) {
  random_rules rules = random_rules_of(0x10000, UINT64_MAX, 2, 4);
  rules.change_ppm = rules.trap_ppm = rules.task_ppm = 0;
  *r = random_run_new(&rules, 1000);
  oct_nt_params_put(&counted, values);
  return encode_run(t, values, r);
}

/* A count of a stream of others that does not agree with the next is told once two agree. */
static void wrong_first_counts_are_told(void **state) {
  size_t n_checked = 0;
  (void)state;
  for (int i = 0; i < 20; i++) {
    if (is_left_out()) continue;
    random_run r;
    uint32_t values[OCT_TRACER_PARAMS_MAX];
    port_bytes bytes = counted_stream(values, &r);
    oct_nt_message m = {0};
    bool is_ours;
    size_t at = 0, n = 0;
    for (; m.tcode != OCT_NT_COUNT; at += n) {
      const int length = oct_nt_read(&counted, bytes.bytes + at, bytes.n - at, &m, &is_ours, NULL);
      assert_true(length > 0);
      n = (size_t)length;
    }
    n_checked++;
    uint8_t *changed = malloc(bytes.n + OCT_NT_MESSAGE_BYTES_MAX);
    for (uint64_t more = 0; more < 2; more++) {
      memcpy(changed, bytes.bytes, at);
      m.value += more;
      const size_t size = at - n + oct_nt_write(&counted, &m, changed + at - n);
      memcpy(changed + size, bytes.bytes + at, bytes.n - at);
      foreign_run f = foreign_decode(t, values, &r, changed, size + bytes.n - at);
      assert_int_equal(f.error, more ? OCT_ERR_PACKET : 0);
      foreign_free(&f);
    }
    free(changed);
    free(bytes.bytes);
    random_free(&r);
  }
  assert_true(runs_share() || n_checked);
}

/* Counts go on over the stops of a trace: one that begins again has come twice. */
static void counts_hold_over_stops(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    random_run r;
    uint32_t values[OCT_TRACER_PARAMS_MAX];
    port_bytes bytes = counted_stream(values, &r);
    uint8_t *twice = malloc(2 * bytes.n);
    memcpy(twice, bytes.bytes, bytes.n);
    memcpy(twice + bytes.n, bytes.bytes, bytes.n);
    foreign_run f = foreign_decode(t, values, &r, twice, 2 * bytes.n);
    assert_int_equal(f.error, OCT_ERR_PACKET);
    foreign_free(&f);
    free(twice);
    free(bytes.bytes);
    random_free(&r);
  }
}

/* Whether no encoder sends such a count: what it leads over is more than any packet may say. */
static bool leads_nowhere(const oct_nt_message *m) {
  return m->icnt >> 30 || m->value >> 29;
}

/* Counts that damage made large are refused before anyone waits for their end. */
static void counts_have_bounds(void **state) {
  enum { BASE = 0x1000, PERIOD = 1000 };
  static const oct_nt_message wrong[] = {
      {.tcode = OCT_NT_REPEAT, .value = OCT_NT_REPEAT_MOST},
      {.tcode = OCT_NT_REPEAT, .value = UINT64_C(1) << 40},
      {.tcode = OCT_NT_REPEAT, .value = UINT64_C(1) << 29},
      {.tcode = OCT_NT_DIRECT, .icnt = UINT64_C(1) << 29},
      {.tcode = OCT_NT_DIRECT, .icnt = UINT64_MAX},
      {.tcode = OCT_NT_FULL, .rcode = OCT_NT_FULL_REPEAT, .hist = 7, .value = UINT64_C(1) << 33}};
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    oct_nt_params p = {.hist_bits = 31, .icnt_bits = 16, .repeat = 1, .sync_period_insns = PERIOD};
    const oct_nt_message all[] = {
        {.tcode = OCT_NT_SYNC, .sync = OCT_NT_SYNC_ENABLED, .addr = BASE >> 1},
        {.tcode = OCT_NT_DIRECT, .icnt = 4},
        wrong[i]};
    uint8_t bytes[3 * OCT_NT_MESSAGE_BYTES_MAX];
    uint32_t values[OCT_TRACER_PARAMS_MAX];
    port_bytes stream = {.bytes = bytes};
    p.history = i == 3; /* there I-CNT leads over branches, whose outcomes are told before */
    oct_nt_params_put(&p, values);
    if (p.history) {
      const oct_nt_message full = {
          .tcode = OCT_NT_FULL, .rcode = OCT_NT_FULL_REPEAT, .hist = 0xffffffff, .value = 65535};
      const oct_nt_message far = {.tcode = OCT_NT_HIST, .icnt = UINT64_C(1) << 29, .hist = 1};
      stream.n = oct_nt_write(&p, all, bytes);
      stream.n += oct_nt_write(&p, &full, bytes + stream.n);
      stream.n += oct_nt_write(&p, &far, bytes + stream.n);
    } else {
      for (size_t k = 0; k < 3; k++) stream.n += oct_nt_write(&p, &all[k], bytes + stream.n);
    }
    refuse_counts(t, values, BASE, &stream, PERIOD + 100, false);
    if (leads_nowhere(&wrong[i])) refuse_counts(t, values, BASE, &stream, 100, true);
  }
}

/* ---- What other encoders send ---- */

/* A stream as another encoder would have made it. */
typedef struct other_stream {
  const oct_nt_params *p;
  uint8_t *bytes;
  size_t n;
  uint8_t *outcomes; /* of branches, not written yet */
  size_t n_outcomes;
  oct_nt_message last; /* the branch that may come again */
  uint64_t n_again;
  bool is_on; /* tracing */
  size_t n_repeats, n_moved,
      n_periods; /* repeats of branches, those behind another address; HREPEAT */
} other_stream;

static void other_put(other_stream *o, const oct_nt_message *m) {
  oct_nt_params p = *o->p;
  /* The CDF follows the mode: without outcomes the last message may say 0. */
  if (m->tcode == OCT_NT_END && m->hist <= 1 && random_pm(500)) p.history = 0;
  o->bytes = realloc(o->bytes, o->n + OCT_NT_MESSAGE_BYTES_MAX + 1);
  o->n += oct_nt_write(&p, m, o->bytes + o->n);
  if (random_pm(20)) o->bytes[o->n++] = 0xff; /* idle */
}

/* A repeat of the last branch, in one message or several, of which some count none. */
static void other_put_again(other_stream *o) {
  while (o->n_again || (o->is_on && random_pm(20))) {
    const uint64_t n = o->n_again && !random_pm(100) ? 1 + below(o->n_again) : 0;
    other_put(o, &(oct_nt_message){.tcode = OCT_NT_REPEAT, .value = n});
    o->n_again -= n;
  }
}

/* The outcomes as histories of other lengths, of which periods are counted. */
static void other_put_outcomes(other_stream *o) {
  enum { FIRST_UNKNOWN = OCT_NT_FULL_REPEAT + 1, RCODES = 16 };
  const uint8_t *bits = o->outcomes;
  for (size_t at = 0; at < o->n_outcomes;) {
    size_t n = 1 + below(31), times = 1;
    if (random_pm(700)) n = 1 + below(3);
    if (n > o->n_outcomes - at) n = o->n_outcomes - at;
    while (at + (times + 1) * n <= o->n_outcomes && !memcmp(bits + at, bits + at + times * n, n))
      times++;
    oct_nt_message m = {.tcode = OCT_NT_FULL, .rcode = OCT_NT_FULL_HIST, .hist = 1};
    for (size_t i = 0; i < n; i++) m.hist = m.hist << 1 | bits[at + i];
    if (times > 1 || random_pm(100)) {
      m.rcode = OCT_NT_FULL_REPEAT;
      m.value = times;
      o->n_periods += times > 1;
    } else {
      times = 1;
    }
    other_put(o, &m);
    at += n * times;
  }
  o->n_outcomes = 0;
  if (!o->is_on || !random_pm(20)) return;
  /* A resource that is not known is not there, a history that comes no times neither. */
  oct_nt_message m = {.tcode = OCT_NT_FULL, .hist = 1 + below(1000)};
  m.rcode = (uint8_t)(OCT_NT_FULL_REPEAT + below(RCODES - OCT_NT_FULL_REPEAT));
  other_put(o, &m);
}

static void other_take_outcomes(other_stream *o, const oct_nt_message *m) {
  const uint64_t times = m->rcode == OCT_NT_FULL_REPEAT ? m->value : 1;
  for (uint64_t i = 0; i < times && m->hist > 1; i++) {
    unsigned n = 63 - (unsigned)__builtin_clzll(m->hist);
    o->outcomes = realloc(o->outcomes, o->n_outcomes + n);
    while (n--) o->outcomes[o->n_outcomes++] = m->hist >> n & 1;
  }
}

static bool is_branch_message(const oct_nt_message *m) {
  return m->tcode == OCT_NT_DIRECT || m->tcode == OCT_NT_INDIRECT || m->tcode == OCT_NT_HIST;
}

/* Whether a branch is the last one again: from the same I-CNT with the same history to the same
 * address. */
static bool is_again(const other_stream *o, const oct_nt_message *m) {
  return is_branch_message(m) && m->tcode == o->last.tcode && m->btype == o->last.btype &&
         m->icnt == o->last.icnt && m->hist == o->last.hist && !m->addr && !o->n_outcomes;
}

static void other_message(other_stream *o, const oct_nt_message *m) {
  const bool has_outcomes = m->tcode == OCT_NT_FULL && m->rcode != OCT_NT_FULL_ICNT;
  if (is_again(o, m)) {
    o->n_again++;
    o->n_repeats++;
    o->n_moved += o->last.addr != 0;
    return;
  }
  other_put_again(o);
  if (has_outcomes) {
    other_take_outcomes(o, m);
    o->last.tcode = 0;
    return;
  }
  oct_nt_message other = *m;
  if (m->hist > 1 && random_pm(300)) { /* sent before the message of the path, not with it */
    other_take_outcomes(o, m);
    other.hist = 1;
  }
  const bool is_alone = !o->n_outcomes;
  other_put_outcomes(o);
  other_put(o, &other);
  o->is_on = m->tcode != OCT_NT_END && (o->is_on || m->sync);
  o->last = is_alone && is_branch_message(m) ? other : (oct_nt_message){0};
  if (m->tcode == OCT_NT_INDIRECT && random_pm(30)) {
    /* An exception in front of the first instruction of its handler, again and again. */
    const oct_nt_message trap = {.tcode = OCT_NT_INDIRECT, .btype = OCT_NT_TRAP};
    const oct_nt_message again = {.tcode = OCT_NT_REPEAT, .value = 1 + below(UINT64_C(1) << 20)};
    other_put(o, &trap);
    other_put(o, &again);
    o->last.tcode = 0;
  }
}

/* Branches of every kind that are counted when they come again, histories of any length and period,
 * a last message without history, what is not known, addresses that are extended, told or not: the
 * instructions are those that ran. */
static void other_encoders_are_understood(void **state) {
  size_t n_repeats = 0, n_moved = 0, n_periods = 0;
  (void)state;
  for (int i = 0; i < 200; i++) {
    if (is_left_out()) continue;
    uint64_t base;
    oct_nt_params p = random_options(&base);
    uint32_t values[OCT_TRACER_PARAMS_MAX];
    p.count = 0;
    p.repeat = random_pm(300) && p.history;
    random_rules rules = random_rules_of(base, UINT64_MAX, 2, 4);
    rules.change_ppm = 0;
    if (i % 2) {
      rules.n_code = 8 + below32(4);
      rules.indirect_pm = 300;
    }
    random_run r = random_run_new(&rules, 1 + below(1000));
    oct_nt_params_put(&p, values);
    port_bytes bytes = encode_run(t, values, &r);
    other_stream o = {.p = &p};
    for (size_t at = 0; at < bytes.n;) {
      oct_nt_message m;
      bool is_ours;
      const int n = oct_nt_read(&p, bytes.bytes + at, bytes.n - at, &m, &is_ours, NULL);
      assert_true(n > 0);
      other_message(&o, &m);
      at += (size_t)n;
    }
    if (random_pm(500)) values[oct_tracer_param(t, "extend_addr")] = 0;
    foreign_run f = foreign_decode(t, values, &r, o.bytes, o.n);
    if (f.error) fail_msg("%s", oct_diag_line(&f.why).text);
    assert_int_equal(f.n_insns, r.n_insns);
    for (size_t k = 0; k < f.n_insns; k++)
      if (f.insns[k].addr != r.insns[k].addr) fail_msg("other instruction %zu", k);
    n_repeats += o.n_repeats;
    n_moved += o.n_moved;
    n_periods += o.n_periods;
    foreign_free(&f);
    free(o.outcomes);
    free(o.bytes);
    free(bytes.bytes);
    random_free(&r);
  }
  assert_true(runs_share() || (n_repeats && n_moved && n_periods));
}

int main(void) {
  t = oct_tracer_find("ntrace");
  seed_random("ntrace");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_have_bounds),     cmocka_unit_test(rings_begin_anywhere),
      cmocka_unit_test(counts_hold_over_stops), cmocka_unit_test(wrong_first_counts_are_told),
      cmocka_unit_test(test_options),           cmocka_unit_test(other_encoders_are_understood)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
