/* SPDX-License-Identifier: Apache-2.0 */
/* test_etrace.c - do E-Trace streams give every trace back, with every option, alone and with any
 * other? */
#include "tracer_run.h"

#include "etrace_letter.h"
#include "oct_etrace.h"
#include "oct_etrace_join.h"

static const oct_tracer *t;

static oct_et_params defaults(void) {
  uint32_t values[OCT_ET_N_PARAMS];
  oct_tracer_defaults(t, values);
  return oct_et_params_of(values);
}

/* The stream of a run with these options. */
static port_bytes stream_of(const oct_et_params *p, oct_et_config *c, uint32_t *values,
                            const random_run *r) {
  oct_diag diag;
  oct_et_params_put(p, values);
  assert_int_equal(oct_et_configure(c, values, &diag), 0);
  return encode_run(t, values, r);
}

/* What traps may have with these options. */
static random_trap_rules trap_rules_of(const oct_et_params *p, const random_rules *rules) {
  return (random_trap_rules){
      .addr_mask = rules->addr_mask & ~((UINT64_C(1) << p->addr_lsb_bits) - 1),
      .cause_mask = (1u << p->ecause_bits) / 2 - 1, /* all ones would be a jump */
      .privilege_max = p->privilege_bits == 2 ? 1 : 7};
}

static random_rules random_program_rules(bool is_64) {
  random_rules r = random_rules_of(is_64 ? UINT64_C(0x4000000000) : 0x10000,
                                   is_64 ? UINT64_MAX : UINT32_MAX, 2, 4);
  r.sijump_pm = random_pm(500) ? 0 : 100;
  r.end_pm = random_pm(500) ? 0 : 100;
  r.env_pm = random_pm(500) ? 0 : 60;
  return r;
}

/* Returns the instructions that were decoded behind a cut. */
static size_t round_trip(const oct_et_params *p, size_t n_insns) {
  size_t found = 0;
  random_rules rules = random_program_rules(p->addr_bits == 64);
  random_run r = random_run_new(&rules, n_insns);
  const random_trap_rules traps = trap_rules_of(p, &rules);
  if (random_pm(700)) random_traps(&r, &traps);
  uint32_t values[OCT_ET_N_PARAMS];
  oct_et_params_put(p, values);
  port_bytes bytes = encode_run(t, values, &r);
  decode_run(t, values, &r, &bytes, (decode_how){.has_data = p->data});
  if (p->encapsulation && p->time_bits >= 40) found = cut_run(t, values, &r, &bytes, p->data);
  if (random_pm(300)) damage_run(t, values, &r, &bytes);
  free(bytes.bytes);
  random_free(&r);
  return found;
}

/* Switch options on at random, each one time in `one_in`. */
static oct_et_params random_options(unsigned one_in) {
  oct_et_params p = defaults();
  if (!below(2)) p.addr_bits = 64;
  if (!below(one_in)) p.full_address = 1;
  if (!below(one_in)) {
    p.implicit_return = 1;
    p.return_stack_bits = below32(6);
    p.call_counter_bits = below32(5) + !p.return_stack_bits;
  }
  if (!below(one_in)) p.predictor_bits = below32(10) + 1;
  if (!below(one_in)) p.jump_cache_bits = below32(8) + 1;
  if (!below(one_in)) {
    p.implicit_exception = 1;
    p.trap_base = 0x10000;
    p.trap_base_high = 0;
  }
  if (!below(one_in)) p.time_bits = below32(65);
  if (!below(one_in)) p.src_bits = below32(17);
  p.src_id = below32(1u << p.src_bits);
  if (!below(one_in)) p.sijump = 1;
  if (!below(one_in)) p.privilege_bits = 3 + below32(2);
  if (!below(one_in)) p.ecause_bits = 1 + below32(16);
  if (!below(one_in)) p.data = 0;
  if (!below(one_in)) p.data_size_bits = 3;
  if (!p.data && random_pm(500)) p.encapsulation = 0;
  if (random_pm(800)) p.sync_period_insns = 1u << below(14);
  if (random_pm(100)) p.sync_period_insns = 0;
  /* A header tells of 31 bytes. What the packet of a trap has besides: type, format, branch,
   * interrupt, thaddr. */
  const uint32_t others = 9 + p.src_bits % 8 + p.privilege_bits + p.context_bits + p.ecause_bits +
                          2 * p.addr_bits - p.addr_lsb_bits;
  if (p.time_bits > 8 * 31 - others) p.time_bits = 8 * 31 - others;
  return p;
}

static void test_options(void **state) {
  size_t found = 0;
  (void)state;
  oct_et_params p = defaults();
  if (is_chosen()) round_trip(&p, 20000);
  for (int i = 0; i < 150; i++) {
    if (is_left_out()) continue;
    p = random_options(1 + i % 4);
    found += round_trip(&p, 1 + below(random_pm(300) ? 20 : 6000));
  }
  assert_true(runs_share() || found > 0);
}

/* A decoder that follows the specification to the letter finds every instruction, with any options.
 */
static void decoders_by_the_letter(void **state) {
  (void)state;
  for (int i = 0; i < 300; i++) {
    if (is_left_out()) continue;
    oct_et_params p = random_options(1 + i % 3);
    oct_et_config c;
    uint32_t values[OCT_ET_N_PARAMS];
    p.data = 0;
    random_rules rules = random_program_rules(p.addr_bits == 64);
    rules.change_ppm = rules.task_ppm = 0;
    random_run r = random_run_new(&rules, 1 + below(random_pm(300) ? 20 : 6000));
    const random_trap_rules traps = trap_rules_of(&p, &rules);
    if (i % 2) random_traps(&r, &traps);
    port_bytes bytes = stream_of(&p, &c, values, &r);
    letter_run(&c, &r, &bytes);
    free(bytes.bytes);
    random_free(&r);
  }
}

/* ---- Streams that begin in the middle ---- */

typedef struct ring_place {
  size_t at, mark; /* bytes before it, and before the null bytes by which it is found */
  uint64_t insn;
} ring_place;

/* The packets that a decoder may begin with. */
static size_t places_of(const oct_et_config *c, const port_bytes *bytes, ring_place *places) {
  oct_et_parser p = {.cfg = c};
  oct_et_item item;
  oct_diag diag;
  size_t n = 0, mark = SIZE_MAX, before = 0;
  oct_et_parser_push(&p, bytes->bytes, bytes->n);
  p.is_finished = true;
  while (oct_et_parser_next(&p, &item, NULL, &diag) == 1) {
    const size_t at = item.bit / 8;
    if (at >= before + oct_et_null_bytes(c)) mark = at - oct_et_null_bytes(c);
    before = at + item.n_bits / 8;
    if (!item.is_data && oct_et_is_place(&item.packet)) {
      places[n++] = (ring_place){at, mark, item.packet.time};
      mark = SIZE_MAX;
    }
  }
  oct_buffer_free(&p.in);
  return n;
}

/* A packet, as it stands in a stream, in full length. Returns its bytes. */
static size_t put_packet(const oct_et_config *c, const oct_et_packet *p, uint8_t *to) {
  oct_et_bits bits = {0};
  size_t n = 0;
  bits.n_bits = c->p.src_bits;
  bits.word[0] = c->p.src_id | (uint64_t)(c->type_bits ? 2 : 0) << bits.n_bits;
  bits.n_bits += c->type_bits;
  if (!c->p.encapsulation) bits = (oct_et_bits){0};
  oct_et_write(c, p, &bits);
  if (c->p.encapsulation) to[n++] = (uint8_t)((bits.n_bits + 7) / 8 - c->p.src_bits / 8);
  for (uint32_t at = 0; at < bits.n_bits; at += 8)
    to[n++] = (uint8_t)(bits.word[at / 64] >> at % 64);
  return n;
}

/* What looks like a start of tracing, but with other options or in another mode, may be the rest of
 * anything: the packets behind it are decoded, and something says that the beginning is missing. */
static void other_starts_are_no_start(void **state) {
  (void)state;
  size_t n_checked = 0;
  for (unsigned i = 0; i < 12; i++) {
    oct_et_params p = random_options(1 + i % 3);
    oct_et_config c;
    uint32_t values[OCT_ET_N_PARAMS];
    p.time_bits = 48;
    p.sync_period_insns = 100;
    random_rules rules = random_program_rules(p.addr_bits == 64);
    rules.change_ppm = rules.trap_ppm = 0;
    random_run r = random_run_new(&rules, 1000);
    port_bytes bytes = stream_of(&p, &c, values, &r);
    ring_place *places = malloc((bytes.n + 1) * sizeof *places);
    const size_t n_places = places_of(&c, &bytes, places);
    foreign_run whole = foreign_decode(t, values, &r, bytes.bytes, bytes.n);
    uint8_t *ring = malloc(bytes.n + 64);
    for (unsigned k = 0; n_places > 2 && k < 128; k++) {
      const ring_place *place = &places[n_places / 2];
      const oct_et_packet start = {.format = OCT_ET_FORMAT_SYNC,
                                   .subformat = OCT_ET_SUB_SUPPORT,
                                   .ienable = true,
                                   .mode = k & 1,
                                   .options = (uint8_t)(k / 2)};
      size_t n = put_packet(&c, &start, ring);
      memcpy(ring + n, bytes.bytes + place->at, bytes.n - place->at);
      foreign_run f = foreign_decode(t, values, &r, ring, n + bytes.n - place->at);
      check_end_of_run(&whole, &f, k);
      if (start.mode || start.options != oct_et_options(&p)) {
        if (!f.counts.gaps && !f.counts.first_sync_bits)
          fail_msg("mode %d, options %u: nothing says that the beginning is missing", start.mode,
                   start.options);
      } else if (f.counts.gaps || f.n_insns != whole.n_insns - place->insn) {
        fail_msg("a start: %zu instructions, %llu gaps", f.n_insns,
                 (unsigned long long)f.counts.gaps);
      }
      if (f.n_insns != whole.n_insns - place->insn)
        fail_msg("options %u: %zu of %zu instructions", start.options, f.n_insns,
                 (size_t)(whole.n_insns - place->insn));
      n_checked++;
      foreign_free(&f);
    }
    foreign_free(&whole);
    free(ring);
    free(places);
    free(bytes.bytes);
    random_free(&r);
  }
  assert_true(n_checked > 0);
}

/* Whether a stream from there on begins with a packet that switches tracing on. */
static bool reads_as_begin(const oct_et_config *c, const port_bytes *bytes, size_t cut) {
  oct_et_parser p = {.cfg = c, .is_finished = true};
  oct_et_item item;
  oct_diag diag;
  oct_et_parser_push(&p, bytes->bytes + cut, bytes->n - cut);
  const bool is_packet = oct_et_parser_next(&p, &item, NULL, &diag) == 1 && !item.is_data;
  oct_buffer_free(&p.in);
  return is_packet && item.packet.format == OCT_ET_FORMAT_SYNC &&
         item.packet.subformat == OCT_ET_SUB_SUPPORT && item.packet.ienable;
}

/* Every cut gives an end of the whole, with what is behind the first place that null bytes mark,
 * one of them or none left, and says that the beginning is missing. Returns the cuts that gave
 * instructions. */
static size_t cut_everywhere(const oct_et_config *c, const uint32_t *values, random_run *r,
                             const port_bytes *bytes, size_t *n_cuts) {
  ring_place *places = malloc((bytes->n + 1) * sizeof *places);
  const size_t n_places = places_of(c, bytes, places);
  foreign_run whole = foreign_decode(t, values, r, bytes->bytes, bytes->n);
  size_t found = 0;
  assert_int_equal(whole.error, 0);
  assert_int_equal(whole.n_insns, r->n_insns);
  for (size_t cut = 1; cut < bytes->n; cut++) {
    foreign_run f = foreign_decode(t, values, r, bytes->bytes + cut, bytes->n - cut);
    size_t most = 0, least = 0;
    bool is_begin = reads_as_begin(c, bytes, cut);
    for (size_t i = n_places; i-- > 0 && places[i].at >= cut;) {
      most = whole.n_insns - places[i].insn;
      const ring_place *place = &places[i];
      if (place->mark == SIZE_MAX) continue;
      const bool is_behind_nulls = place->mark + oct_et_null_bytes(c) == place->at;
      const bool has_enough = is_behind_nulls && place->at >= cut;
      if (place->mark >= cut || has_enough) least = most;
    }
    if (f.n_insns || least) check_end_of_run(&whole, &f, cut);
    if (f.n_insns > most || f.n_insns < least)
      fail_msg("cut at %zu of %zu: %zu instructions, expected %zu to %zu", cut, bytes->n, f.n_insns,
               least, most);
    if (!f.n_insns && f.counts.syncs) fail_msg("cut at %zu: a sync without instructions", cut);
    if (f.n_insns && f.n_insns < whole.n_insns && !is_begin && !f.counts.first_sync_bits &&
        !f.counts.gaps)
      fail_msg("cut at %zu: nothing says that the beginning is missing", cut);
    *n_cuts += most != 0;
    found += f.n_insns != 0;
    foreign_free(&f);
  }
  foreign_free(&whole);
  free(places);
  return found;
}

/* Rings with traps and without, with syncs by null bytes and without: nearly every cut from which a
 * place to begin is left gives instructions. */
static void rings_begin_anywhere(void **state) {
  size_t found = 0, n_cuts = 0;
  (void)state;
  for (int i = 0; i < 36; i++) {
    if (is_left_out()) continue;
    oct_et_params p = random_options(1 + i % 4);
    oct_et_config c;
    uint32_t values[OCT_ET_N_PARAMS];
    p.time_bits = 48;
    p.sync_period_insns = i % 3 ? 0 : 1 + below32(400);
    random_rules rules = random_program_rules(p.addr_bits == 64);
    rules.change_ppm = 0;
    rules.trap_ppm = i % 2 ? 0 : 20000 + below32(200000);
    random_run r = random_run_new(&rules, 1 + below(700));
    const random_trap_rules traps = trap_rules_of(&p, &rules);
    if (i % 4 < 2) random_traps(&r, &traps);
    port_bytes bytes = stream_of(&p, &c, values, &r);
    found += cut_everywhere(&c, values, &r, &bytes, &n_cuts);
    free(bytes.bytes);
    random_free(&r);
  }
  if (!runs_share() && 10 * found < 9 * n_cuts) fail_msg("%zu of %zu cuts", found, n_cuts);
}

/* Every option together with every other one. */
static void options_by_pairs(void **state) {
  static const struct {
    const char *name;
    uint32_t value;
    const char *also; /* without which the option does nothing, or is refused */
    uint32_t also_value;
  } options[] = {{"full_address", 1, NULL, 0},
                 {"return_stack_bits", 3, "implicit_return", 1},
                 {"call_counter_bits", 2, "implicit_return", 1},
                 {"sijump", 1, NULL, 0},
                 {"predictor_bits", 5, NULL, 0},
                 {"jump_cache_bits", 4, NULL, 0},
                 {"trap_base", 0x10000, "implicit_exception", 1},
                 {"ecause_bits", 16, NULL, 0},
                 {"privilege_bits", 4, NULL, 0},
                 {"context_bits", 2, NULL, 0},
                 {"time_bits", 0, NULL, 0},
                 {"time_bits", 64, NULL, 0},
                 {"addr_bits", 64, NULL, 0},
                 {"data", 0, NULL, 0},
                 {"data_size_bits", 3, NULL, 0},
                 {"encapsulation", 0, "data", 0},
                 {"src_bits", 7, "src_id", 77},
                 {"sync_period_insns", 1, NULL, 0},
                 {"sync_period_insns", 100, NULL, 0}};
  enum { OPTIONS = sizeof options / sizeof *options };
  (void)state;
  for (unsigned a = 0; a < OPTIONS; a++)
    for (unsigned b = a; b < OPTIONS; b++) {
      uint32_t values[OCT_ET_N_PARAMS];
      oct_et_params p;
      oct_diag diag;
      const unsigned pair[2] = {a, b};
      oct_tracer_defaults(t, values);
      for (unsigned i = 0; i < 2; i++) {
        values[oct_tracer_param(t, options[pair[i]].name)] = options[pair[i]].value;
        if (options[pair[i]].also)
          values[oct_tracer_param(t, options[pair[i]].also)] = options[pair[i]].also_value;
      }
      if (oct_tracer_check(t, values, &diag))
        fail_msg("%s and %s: %s", options[a].name, options[b].name, oct_diag_line(&diag).text);
      p = oct_et_params_of(values);
      round_trip(&p, 600);
    }
}

/* Instructions of these slots, and packets of these kinds: what the join hands out. */
static void join(const uint8_t *slots, size_t n_insns, const uint8_t *kinds, size_t n_packets,
                 oct_batch *batch, oct_et_join *j) {
  static oct_et_config cfg = {.addr_mask = UINT64_MAX};
  cfg.p.data = 1;
  *j = (oct_et_join){.cfg = &cfg};
  for (size_t i = 0; i < n_insns; i++) {
    const oct_map_entry e = {.addr = 4 * i, .size_bytes = 4, .n_slots = 1, .slots = {slots[i]}};
    assert_int_equal(oct_et_join_insn(j, &(oct_insn){.addr = 4 * i, .size_bytes = 4}, &e), 0);
  }
  for (size_t i = 0; i < n_packets; i++) {
    const oct_et_data d = {.kind = kinds[i], .size_log2 = 2, .address = i};
    assert_int_equal(oct_et_join_data(j, &d), 0);
  }
  *batch = (oct_batch){0};
  assert_int_equal(oct_et_join_take(j, batch), 0);
}

/* A program says that an instruction (store conditional) stores; the trace has load and store. */
static void atomic_accesses_stay_together(void **state) {
  static const uint8_t slots[] = {OCT_SLOT_STORE | 2, 2}, kinds[] = {OCT_ET_ATOMIC, OCT_ET_LOAD};
  oct_batch b;
  oct_et_join j;
  (void)state;
  join(slots, 2, kinds, 2, &b, &j);
  assert_int_equal(b.n_insns, 2);
  assert_int_equal(b.insns[0].n_access, 2);
  assert_int_equal(b.insns[1].n_access, 1);
  assert_int_equal(b.n_accesses, 3);
  static const int is_store[] = {0, 1, 0};
  for (int i = 0; i < 3; i++) assert_int_equal(b.accesses[i].is_store, is_store[i]);
  assert_false(oct_et_join_is_open(&j));
  oct_et_join_free(&j);
}

/* An access of the wrong kind is another instruction's: nothing from there on is handed out. */
static void loads_are_no_stores(void **state) {
  static const uint8_t slots[] = {2, OCT_SLOT_STORE | 2, 2},
                       kinds[] = {OCT_ET_LOAD, OCT_ET_LOAD, OCT_ET_LOAD};
  oct_batch b;
  oct_et_join j;
  (void)state;
  join(slots, 3, kinds, 3, &b, &j);
  assert_int_equal(b.n_insns, 1);
  assert_true(oct_et_join_is_open(&j));
  oct_et_join_free(&j);
}

/* A count of predicted branches that damage made large is refused before anyone waits for its end.
 */
static void counts_have_bounds(void **state) {
  enum { BASE = 0x1000, PERIOD = 1000 };
  oct_et_config c;
  oct_diag diag;
  uint32_t values[OCT_ET_N_PARAMS];
  oct_et_params p = defaults();
  uint8_t bytes[64] = {0};
  port_bytes stream = {.bytes = bytes};
  (void)state;
  p.predictor_bits = 9;
  p.data = p.encapsulation = 0;
  p.sync_period_insns = PERIOD;
  oct_et_params_put(&p, values);
  assert_int_equal(oct_et_configure(&c, values, &diag), 0);
  const oct_et_packet packets[] = {
      {.format = OCT_ET_FORMAT_SYNC,
       .subformat = OCT_ET_SUB_START,
       .branch = true,
       .address = BASE >> p.addr_lsb_bits},
      /* The branch is predicted as not taken at first. */
      {.format = OCT_ET_FORMAT_BRANCH, .branches = 0, .map = 0},
      {.format = OCT_ET_FORMAT_OPTIONS, .subformat = OCT_ET_SUB_COUNT, .count = 0xffffff00}};
  for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
    oct_et_bits bits = {0};
    oct_et_write(&c, &packets[i], &bits);
    for (uint32_t at = 0; at < bits.n_bits; at += 8)
      bytes[stream.n++] = (uint8_t)(bits.word[at / 64] >> at % 64);
  }
  refuse_counts(t, values, BASE, &stream, 2 * PERIOD, false);
}

/* ---- What other encoders send ---- */

/* A stream of others that lost whole periods of syncs is followed where the program leads to the
 * next sync in any case: the times of the syncs tell. */
static void lost_periods_are_told(void **state) {
  size_t n_checked = 0;
  (void)state;
  for (unsigned i = 0; i < 16; i++) {
    if (is_left_out()) continue;
    oct_et_params p = random_options(2 + i % 2);
    oct_et_config c;
    uint32_t values[OCT_ET_N_PARAMS];
    p.data = 0;
    p.encapsulation = i & 1;
    p.time_bits = i & 2 ? 12 : 48;
    p.sync_period_insns = 100;
    random_rules rules = random_program_rules(p.addr_bits == 64);
    rules.change_ppm = rules.trap_ppm = rules.task_ppm = 0;
    random_run r = random_run_new(&rules, 1000);
    port_bytes bytes = stream_of(&p, &c, values, &r);
    ring_place *places = malloc((bytes.n + 1) * sizeof *places);
    const size_t n_places = places_of(&c, &bytes, places);
    foreign_run whole = foreign_decode(t, values, &r, bytes.bytes, bytes.n);
    assert_int_equal(whole.error, 0);
    uint8_t *holed = malloc(bytes.n + 1);
    for (size_t k = 1; k + 4 < n_places; k++) {
      const ring_place *from = &places[k], *to = &places[k + 1];
      memcpy(holed, bytes.bytes, from->at);
      memcpy(holed + from->at, bytes.bytes + to->at, bytes.n - to->at);
      foreign_run f = foreign_decode(t, values, &r, holed, bytes.n - (to->at - from->at));
      const bool is_told = f.error || f.n_gaps || f.counts.gaps || f.counts.first_sync_bits;
      if (!is_told && f.n_insns && f.n_insns != whole.n_insns)
        fail_msg("%zu of %zu instructions, and no word", f.n_insns, whole.n_insns);
      n_checked++;
      foreign_free(&f);
    }
    foreign_free(&whole);
    free(holed);
    free(places);
    free(bytes.bytes);
    random_free(&r);
  }
  assert_true(runs_share() || n_checked > 0);
}

/* Read as another's, a stream has the addresses of all traps behind its first instruction, also of
 * several in a row, behind jumps, implicit returns and ecalls. */
static void traps_of_others_have_addresses(void **state) {
  size_t n_checked = 0;
  (void)state;
  for (unsigned i = 0; i < 60; i++) {
    if (is_left_out()) continue;
    oct_et_params p = random_options(1 + i % 3);
    oct_et_config c;
    uint32_t values[OCT_ET_N_PARAMS];
    random_rules rules = random_program_rules(p.addr_bits == 64);
    rules.change_ppm = rules.trap_ppm = rules.task_ppm = 0;
    random_run r = random_run_new(&rules, 1 + below(2000));
    const random_trap_rules traps = trap_rules_of(&p, &rules);
    random_traps(&r, &traps);
    port_bytes bytes = stream_of(&p, &c, values, &r);
    foreign_run f = foreign_decode(t, values, &r, bytes.bytes, bytes.n);
    size_t n = 0;
    assert_int_equal(f.error, 0);
    for (size_t k = 0; k < r.n_traps; k++) {
      const oct_trap *a = &r.traps[k], *b = &f.traps[n];
      if (!a->insn || a->kind == OCT_TRAP_PRIVILEGE) continue;
      while (n < f.n_traps && b->kind == OCT_TRAP_INTERRUPT && b->cause == oct_et_jump_cause(&c))
        b = &f.traps[++n]; /* a jump that nothing explains */
      if (n++ >= f.n_traps || a->insn != b->insn || a->kind != b->kind || a->addr != b->addr)
        fail_msg("trap %zu, before instruction %u: not at 0x%llx", k, a->insn,
                 (unsigned long long)a->addr);
      n_checked++;
    }
    foreign_free(&f);
    free(bytes.bytes);
    random_free(&r);
  }
  assert_true(runs_share() || n_checked > 0);
}

/* As the specification's reference encoder sends them: behind a straight instruction each of two
 * traps in a row but the last has the address of the next; behind a return that is not reported the
 * exception's own follows from the call. */
static void traps_in_a_row_follow_from_the_path(void **state) {
  enum { BASE = 0x1000, HANDLER = 0x2000, FUNCTION = 0x3000 };
  static const oct_map_entry code[] = {
      {.addr = BASE, .size_bytes = 4, .cls = OCT_CLASS_DIRECT_CALL, .target = FUNCTION},
      {.addr = BASE + 4, .size_bytes = 4, .cls = OCT_CLASS_OTHER},
      {.addr = HANDLER, .size_bytes = 4, .cls = OCT_CLASS_OTHER},
      {.addr = FUNCTION, .size_bytes = 2, .cls = OCT_CLASS_RETURN}};
  const oct_et_packet packets[] = {
      {.format = OCT_ET_FORMAT_SYNC, .subformat = OCT_ET_SUB_SUPPORT, .ienable = true},
      {.format = OCT_ET_FORMAT_SYNC, .branch = true, .address = BASE / 2},
      {.format = OCT_ET_FORMAT_ADDRESS, .address = (FUNCTION - BASE) / 2},
      {.format = OCT_ET_FORMAT_SYNC,
       .subformat = OCT_ET_SUB_TRAP,
       .branch = true,
       .ecause = 2,
       .thaddr = true,
       .address = HANDLER / 2},
      {.format = OCT_ET_FORMAT_SYNC,
       .subformat = OCT_ET_SUB_TRAP,
       .branch = true,
       .ecause = 5,
       .address = (HANDLER + 8) / 2},
      {.format = OCT_ET_FORMAT_SYNC,
       .subformat = OCT_ET_SUB_TRAP,
       .branch = true,
       .ecause = 7,
       .thaddr = true,
       .address = HANDLER / 2},
      {.format = OCT_ET_FORMAT_SYNC,
       .subformat = OCT_ET_SUB_SUPPORT,
       .qual_status = OCT_ET_ENDED_REP}};
  static const uint64_t expected[] = {BASE + 4, HANDLER + 4, HANDLER + 8};
  random_run r = {.code = (oct_map_entry *)(uintptr_t)code, .n_code = 4};
  oct_et_params p = defaults();
  oct_et_config c;
  oct_diag diag;
  uint32_t values[OCT_ET_N_PARAMS];
  uint8_t bytes[256];
  size_t n = 0;
  (void)state;
  p.implicit_return = 1;
  p.data = 0;
  oct_et_params_put(&p, values);
  assert_int_equal(oct_et_configure(&c, values, &diag), 0);
  for (size_t i = 0; i < sizeof packets / sizeof *packets; i++)
    n += put_packet(&c, &packets[i], bytes + n);
  foreign_run f = foreign_decode(t, values, &r, bytes, n);
  assert_int_equal(f.error, 0);
  assert_int_equal(f.n_insns, 4);
  assert_int_equal(f.n_traps, 3);
  for (size_t i = 0; i < 3; i++) assert_int_equal(f.traps[i].addr, expected[i]);
  foreign_free(&f);
}

int main(void) {
  t = oct_tracer_find("etrace");
  seed_random("etrace");
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts_have_bounds),
                                     cmocka_unit_test(test_options),
                                     cmocka_unit_test(decoders_by_the_letter),
                                     cmocka_unit_test(rings_begin_anywhere),
                                     cmocka_unit_test(other_starts_are_no_start),
                                     cmocka_unit_test(options_by_pairs),
                                     cmocka_unit_test(atomic_accesses_stay_together),
                                     cmocka_unit_test(lost_periods_are_told),
                                     cmocka_unit_test(traps_of_others_have_addresses),
                                     cmocka_unit_test(traps_in_a_row_follow_from_the_path),
                                     cmocka_unit_test(loads_are_no_stores)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
