/* SPDX-License-Identifier: Apache-2.0 */
/* test_round_trip.c - does the decoder of `shadow` give back every trace: random programs with
 * every rule of accesses, effects that lie, tasks, jumps that no instruction explains,
 * and cuts of the port's bytes? Does it find damage, and go on behind it? */
#include "../traces/random_program.h"

#include "octrace/container.h"
#include "octrace/map.h"
#include "oct_shadow_decoder.h"
#include "oct_shadow_encoder.h"

enum { ROUNDS = 40, CHUNKS = 60, CHUNK_INSNS = 40 };

typedef struct run { /* a trace as the tracker left it */
  oct_insn *insns;
  oct_access *accesses;
  oct_map_update *updates;
  uint8_t *bytes; /* the port's */
  size_t n_insns, n_accesses, n_updates, n_bytes;
} run;

static void *extend(void *to, size_t n_old, const void *from, size_t n_new, size_t element) {
  uint8_t *p = realloc(to, (n_old + n_new) * element + 1);
  assert_non_null(p);
  if (n_new) memcpy(p + n_old * element, from, n_new * element);
  return p;
}

static unsigned some_register(void) {
  return below(12) ? (unsigned)below(6) : (unsigned)below(below(3) ? 40 : 256);
}

/* What need not have anything to do with what the instruction does. */
static void lying_op(oct_effect *op) {
  memset(op, 0, sizeof *op);
  if (below(8) == 0) {
    uint8_t *byte = (uint8_t *)op;
    for (size_t i = 0; i < sizeof *op; i++) byte[i] = (uint8_t)random_u64();
    return;
  }
  op->flags = (uint8_t)(OCT_EFFECT_KNOWN | below(128));
  op->imm = below(64);
  op->result = (uint8_t)below(OCT_RESULT_COUNT);
  op->dest = (uint8_t)some_register();
  op->a = (uint8_t)some_register();
  op->b = (uint8_t)some_register();
  op->b_form = (uint8_t)(below(3) ? 0 : below(256));
  op->width = (uint8_t)(2 + below(2));
  op->set_flags = (uint8_t)(below(16) << 4);
  if (below(3) == 0) op->set_flags |= (uint8_t)below(9);
  op->cond = (uint8_t)(below(3) ? 0 : below(80));
  op->cond_a = (uint8_t)some_register();
  op->cond_b = (uint8_t)some_register();
  for (unsigned i = 0; i < 2; i++) {
    op->data[i] = (uint8_t)some_register();
    op->mem[i].form = (uint8_t)(OCT_MEM_VALID | below(16));
    op->mem[i].base = (uint8_t)some_register();
    op->mem[i].index = (uint8_t)(below(2) ? OCT_REG_ZERO : some_register());
    op->mem[i].offset = 4 * below(16);
    op->mem[i].step = (int32_t)below(9) - 4;
    op->mem[i].shift = (uint8_t)below(4);
  }
  op->list = below(4) ? 0 : (uint32_t)random_u64();
  op->clobbers = below(4) ? 0 : 1u << below(32);
  op->target = (uint8_t)below(48);
  op->link = (uint8_t)some_register();
}

/* Operations for all sites, and targets that may be met. */
static void make_program(random_program *p, uint64_t mask, uint32_t align) {
  random_program_init(p, align);
  for (size_t i = 0; i < PROGRAM_SITES; i++) {
    site *s = &p->sites[i];
    s->entry.addr &= mask;
    if (below(3)) lying_op(&s->entry.op);
    if (s->entry.target) s->entry.target = p->sites[below(PROGRAM_SITES)].entry.addr & mask;
    if (s->entry.cls == OCT_CLASS_UNKNOWN && below(2)) s->entry.cls = OCT_CLASS_OTHER;
    if (s->entry.cls > OCT_CLASS_COND_BRANCH && below(3) == 0)
      s->entry.flags |= OCT_MAP_CONDITIONAL;
  }
}

/* To the target of the site that ran last. */
static void follow_target(random_program *p) {
  const site *s = &p->sites[(p->at + PROGRAM_SITES - 1) % PROGRAM_SITES];
  for (size_t i = 0; i < PROGRAM_SITES; i++)
    if (p->sites[i].entry.addr == s->entry.target) p->at = i;
}

static void take(oct_shadow_encoder *e, run *r) {
  const uint8_t *bytes;
  size_t n = oct_shadow_encoder_take(e, &bytes);
  r->bytes = extend(r->bytes, r->n_bytes, bytes, n, 1);
  r->n_bytes += n;
}

/* What the decoder gives back of a batch, from instruction number `from` on: accesses beyond the
 * slots of their entry, and those before them, have no size and the kinds of its slots. */
static void forget_sizes(oct_map *map, const oct_map_update *updates, size_t n, trace *t,
                         uint64_t from) {
  oct_access *a = t->accesses;
  for (size_t i = 0, u = 0; i < t->n_insns; i++) {
    for (; u < n && updates[u].from_insn <= from + i; u++)
      assert_true(oct_map_put(map, &updates[u].entry) >= 0);
    const oct_map_entry *e = oct_map_entry_at(map, oct_map_find(map, t->insns[i].addr));
    unsigned n_access = t->insns[i].n_access, n_slots = e->n_slots;
    for (unsigned s = 0; s < n_access; s++, a++) {
      if (n_access <= n_slots || (e->flags & OCT_MAP_VARIABLE)) continue;
      unsigned at = s < 16 ? s : 14 + s % 2;
      if (at >= n_slots) at = n_slots - 1;
      a->size_bytes = 0;
      a->is_store = n_slots && (e->slots[at] & OCT_SLOT_STORE);
    }
  }
}

static run compress(const oct_shadow_config *cfg, bool is_stormy) {
  static random_program program;
  oct_map_tracker *tracker = oct_map_tracker_new();
  oct_map *map = oct_map_new();
  oct_shadow_encoder *e;
  oct_diag diag;
  run r = {0};
  uint64_t mask = cfg->addr_bits == 64 ? UINT64_MAX : (UINT64_C(1) << cfg->addr_bits) - 1;
  make_program(&program, mask, 1u << cfg->pc_align_bits);
  if (is_stormy) random_program_storm(&program);
  assert_int_equal(oct_shadow_encoder_new(cfg, true, &e, &diag), 0);
  for (unsigned chunk = 0; chunk < CHUNKS; chunk++) {
    trace t = random_program_run(&program, below(CHUNK_INSNS));
    if (below(2)) follow_target(&program);
    for (size_t i = 0; i < t.n_insns; i++) {
      t.insns[i].task &= (UINT64_C(1) << cfg->task_bits) - 1;
      t.insns[i].flags = 0;
    }
    for (size_t i = 0; i < t.n_accesses; i++) t.accesses[i].addr &= mask;
    const oct_map_update *updates;
    oct_batch batch = batch_of(&t);
    int64_t n = oct_map_track(tracker, &batch, t.insns, &updates);
    assert_true(n >= 0);
    r.updates = extend(r.updates, r.n_updates, updates, (size_t)n, sizeof *updates);
    oct_map_update *told = r.updates + r.n_updates;
    if (below(2)) lie_about_slots(told, (size_t)n);
    forget_sizes(map, told, (size_t)n, &t, r.n_insns);
    oct_tracer_input in = {.insns = t.insns,
                           .n_insns = t.n_insns,
                           .accesses = t.accesses,
                           .n_accesses = t.n_accesses,
                           .updates = told,
                           .n_updates = (size_t)n};
    if (oct_shadow_encoder_put(e, &in, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    r.insns = extend(r.insns, r.n_insns, t.insns, t.n_insns, sizeof *t.insns);
    r.accesses = extend(r.accesses, r.n_accesses, t.accesses, t.n_accesses, sizeof *t.accesses);
    r.n_insns += t.n_insns;
    r.n_accesses += t.n_accesses;
    r.n_updates += (size_t)n;
    trace_free(&t);
    if (below(20) == 0) assert_int_equal(oct_shadow_encoder_flush(e, &diag), 0);
    if (below(3) == 0) take(e, &r);
  }
  assert_int_equal(oct_shadow_encoder_flush(e, &diag), 0);
  take(e, &r);
  oct_shadow_counts counts;
  oct_shadow_encoder_counts(e, &counts);
  uint64_t bits = counts.mark_bits + counts.overhead_bits;
  for (unsigned i = 0; i < OCT_SC_COUNT; i++) bits += counts.category_bits[i];
  assert_int_equal(bits, 8 * r.n_bytes);
  assert_int_equal(counts.insns, r.n_insns);
  assert_int_equal(counts.accesses, r.n_accesses);
  oct_shadow_encoder_free(e);
  oct_map_tracker_free(tracker);
  oct_map_free(map);
  return r;
}

static void free_run(run *r) {
  free(r->insns);
  free(r->accesses);
  free(r->updates);
  free(r->bytes);
}

static void random_config(oct_shadow_config *cfg) {
#define OCT_X(name, def, ...) cfg->name = def;
  OCT_SHADOW_PARAMS(OCT_X)
#undef OCT_X
  static const uint32_t widths[] = {32, 40, 64};
  cfg->addr_bits = below(3) ? widths[below(3)] : 32 + (uint32_t)below(33);
  cfg->pc_align_bits = (uint32_t)below(4);
  cfg->task_bits = 1 + (uint32_t)below(32);
  cfg->regs = 1 + (uint32_t)below(32);
  cfg->banks = below(2) ? 1 : 1 + (uint32_t)below(8);
  cfg->vc_sets = below(6) ? 1u << below(9) : 0;
  cfg->vc_ways = 1 + (uint32_t)below(8);
  cfg->vc_tag_bits = 1 + (uint32_t)below(63);
  cfg->stride_entries = 1u << below(9);
  cfg->stride_bits = 4 + (uint32_t)below(61);
  cfg->diff_bits = 4 + (uint32_t)below(61);
  cfg->dfcm_entries = below(4) ? 1u << below(9) : 0;
  cfg->pc_entries = 1u << below(9);
  cfg->short_entries = 1u << below(9);
  cfg->long_entries = 1u << below(9);
  cfg->short_bits = (uint32_t)below(65);
  cfg->long_bits = (uint32_t)below(65);
  cfg->mix_sets = below(4) ? 1u << below(6) : 0;
  cfg->path_entries = 1u << below(7);
  cfg->target_entries = 1u << below(7);
  cfg->return_entries = 1u << below(5);
  cfg->sync_insns = below(3) ? 1 + (uint32_t)below(600) : 0;
  cfg->sync_bits = below(3) ? 0 : 200 + (uint32_t)below(9000);
  cfg->sync_keeps = below(4) == 0;
  cfg->mix_shift = below(2) ? cfg->mix_shift : (uint32_t)below(13);
  cfg->branch_limit = below(2) ? cfg->branch_limit : 1 + (uint32_t)below(8);
  cfg->history_all = below(2) == 0;
  cfg->delay_slots = (uint32_t)below(2);
  cfg->match_entries = below(2) ? 0 : 1u << below(12);
  cfg->learn_equal = below(4) != 0;
  cfg->check = below(4) != 0;
}

/* Decode r, the bytes in pieces, and compare. */
static void expect_equal(const oct_shadow_config *cfg, const run *r) {
  oct_shadow_decoder *d;
  oct_compare *compare = oct_compare_new(0);
  oct_diag diag;
  oct_decoded out;
  assert_int_equal(oct_shadow_decoder_new(cfg, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(oct_shadow_decoder_map(d, r->updates, r->n_updates, &diag), 0);
  assert_int_equal(oct_compare_expect(compare, r->insns, r->n_insns, r->accesses), 0);
  for (size_t at = 0; at <= r->n_bytes;) {
    size_t n = 1 + (size_t)below(below(2) ? 20 : 20000);
    if (n > r->n_bytes - at) n = r->n_bytes - at;
    assert_int_equal(oct_shadow_decoder_push(d, r->bytes + at, n, &diag), 0);
    at += n;
    if (at == r->n_bytes) oct_shadow_decoder_finish(d);
    int got;
    while ((got = oct_shadow_decoder_next(d, &out, &diag)) > 0) {
      if (oct_compare_run(compare, &out, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
      uint64_t end = out.first_insn + out.batch.n_insns;
      assert_true(out.confirmed_insns >= (cfg->check ? end : UINT64_MAX));
    }
    if (got) fail_msg("%s", oct_diag_line(&diag).text);
    if (at == r->n_bytes) break;
  }
  if (oct_compare_end(compare, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(oct_compare_equal(compare), r->n_insns);
  oct_compare_free(compare);
  oct_shadow_decoder_free(d);
}

static void test_round_trip(void **unused) {
  (void)unused;
  seed_random("round trip");
  for (unsigned round = 0; round < ROUNDS; round++) {
    if (is_left_out()) continue;
    oct_shadow_config cfg;
    random_config(&cfg);
    run r = compress(&cfg, round % 40 == 0);
    expect_equal(&cfg, &r);
    free_run(&r);
  }
}

/* Damage in one period: it is told, and from the next sync on all is right again. Where syncs keep
 * the tables, nothing comes behind the damage: the decoder's tables are no longer the compressor's.
 */
static void test_damage(void **unused) {
  (void)unused;
  seed_random("damage");
  for (unsigned round = 0; round < ROUNDS; round++) {
    if (is_left_out()) continue;
    oct_shadow_config cfg;
    random_config(&cfg);
    cfg.check = 1;
    cfg.sync_bits = 0;
    cfg.sync_insns = 50 + (uint32_t)below(200);
    run r = compress(&cfg, false);
    size_t at = (size_t)below(r.n_bytes), width = 1 + (size_t)below(16);
    bool is_slip = below(3) == 0;
    size_t n_bytes = r.n_bytes;
    if (is_slip) { /* some bits go missing */
      size_t bit = 8 * at, n_bits = 8 * n_bytes - width;
      for (size_t i = bit; i < n_bits; i++) {
        unsigned v = r.bytes[(i + width) / 8] >> ((i + width) % 8) & 1;
        r.bytes[i / 8] = (uint8_t)((r.bytes[i / 8] & ~(1u << (i % 8))) | v << (i % 8));
      }
      n_bytes = n_bits / 8;
    } else {
      unsigned bits = 1u | (unsigned)below(1u << width);
      r.bytes[at] ^= (uint8_t)bits;
      if (at + 1 < n_bytes) r.bytes[at + 1] ^= (uint8_t)(bits >> 8);
    }
    oct_shadow_decoder *d;
    oct_diag diag;
    oct_decoded out;
    uint64_t good = 0;
    size_t n_errors = 0;
    assert_int_equal(oct_shadow_decoder_new(&cfg, OCT_START_IN_STEP, &d, &diag), 0);
    assert_int_equal(oct_shadow_decoder_map(d, r.updates, r.n_updates, &diag), 0);
    assert_int_equal(oct_shadow_decoder_push(d, r.bytes, n_bytes, &diag), 0);
    oct_shadow_decoder_finish(d);
    for (;;) {
      int got = oct_shadow_decoder_next(d, &out, &diag);
      if (!got) break;
      if (got < 0) {
        n_errors++;
        assert_int_equal(oct_shadow_decoder_next(d, &out, &diag), got);
        if (oct_shadow_decoder_resync(d, &diag) <= 0) break;
        continue;
      }
      for (size_t i = 0; i < out.batch.n_insns; i++) {
        assert_true(out.first_insn + i < r.n_insns);
        const oct_insn *was = &r.insns[out.first_insn + i], *is = &out.batch.insns[i];
        assert_int_equal(was->addr, is->addr);
        assert_int_equal(was->n_access, is->n_access);
        good++;
      }
      if (cfg.sync_keeps) assert_int_equal(n_errors, 0);
    }
    if (!n_errors) assert_int_equal(good, r.n_insns); /* the zeros behind the end */
    assert_true(cfg.sync_keeps || good + 3 * (uint64_t)cfg.sync_insns + 64 >= r.n_insns);
    oct_shadow_decoder_free(d);
    free_run(&r);
  }
}

/* A decoder that joins in: from the first whole sync on; only from that of the beginning where
 * syncs keep the tables. */
static void test_join(void **unused) {
  (void)unused;
  seed_random("join");
  for (unsigned round = 0; round < ROUNDS; round++) {
    if (is_left_out()) continue;
    oct_shadow_config cfg;
    random_config(&cfg);
    cfg.sync_insns = 50 + (uint32_t)below(200);
    run r = compress(&cfg, false);
    size_t from = below(4) ? (size_t)below(r.n_bytes) : 0;
    oct_shadow_decoder *d;
    oct_diag diag;
    oct_decoded out;
    uint64_t next = UINT64_MAX;
    assert_int_equal(oct_shadow_decoder_new(&cfg, OCT_START_SEARCH, &d, &diag), 0);
    assert_int_equal(oct_shadow_decoder_map(d, r.updates, r.n_updates, &diag), 0);
    assert_int_equal(oct_shadow_decoder_push(d, r.bytes + from, r.n_bytes - from, &diag), 0);
    oct_shadow_decoder_finish(d);
    int got;
    while ((got = oct_shadow_decoder_next(d, &out, &diag)) > 0) {
      if (next != UINT64_MAX) assert_int_equal(next, out.first_insn);
      next = out.first_insn;
      for (size_t i = 0; i < out.batch.n_insns; i++, next++)
        assert_int_equal(r.insns[next].addr, out.batch.insns[i].addr);
    }
    if (cfg.sync_keeps) assert_int_equal(next == UINT64_MAX, from > 0);
    if (!got && next != UINT64_MAX) assert_int_equal(next, r.n_insns);
    if (got) assert_int_equal(got, OCT_ERR_TRUNCATED);
    oct_shadow_decoder_free(d);
    free_run(&r);
  }
}

/* The worked examples of docs/shadow-format.md. */
static void test_worked(void **unused) {
  static const uint8_t expected[] = {
      0xff, 0xff, 0xff, 0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0x78, 0x96, 0x0b, 0x61,
      0x3b, 0x66, 0xed, 0xff, 0xff, 0xff, 2, 4, 0, 0, 0, 0, 0, 0,    0,    0};
  static const uint8_t empty[] = {0xff, 0xff, 0xff, 0x00, 0,    0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0x7b,
                                  0x0f, 0xff, 0xff, 0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const oct_insn insns[4] = {{.addr = 0x8000, .size_bytes = 4},
                             {.addr = 0x8004, .size_bytes = 4, .n_access = 1},
                             {.addr = 0x8008, .size_bytes = 4},
                             {.addr = 0x8000, .size_bytes = 4}};
  const oct_access access = {.addr = 0x1234, .size_bytes = 4};
  const oct_map_update updates[3] = {
      {0, {.addr = 0x8000, .size_bytes = 4, .cls = OCT_CLASS_OTHER}},
      {0, {.addr = 0x8004, .size_bytes = 4, .cls = OCT_CLASS_OTHER, .n_slots = 1, .slots = {2}}},
      {0, {.addr = 0x8008, .size_bytes = 4, .cls = OCT_CLASS_COND_BRANCH, .target = 0x8000}}};
  const oct_tracer_input in = {.insns = insns,
                               .n_insns = 4,
                               .accesses = &access,
                               .n_accesses = 1,
                               .updates = updates,
                               .n_updates = 3};
  (void)unused;
  for (int is_empty = 0; is_empty < 2; is_empty++) {
    oct_shadow_config cfg;
    oct_shadow_encoder *e;
    oct_diag diag;
    const uint8_t *bytes;
#define OCT_X(name, def, ...) cfg.name = def;
    OCT_SHADOW_PARAMS(OCT_X)
#undef OCT_X
    cfg.check = 0;
    assert_int_equal(oct_shadow_encoder_new(&cfg, true, &e, &diag), 0);
    if (!is_empty) assert_int_equal(oct_shadow_encoder_put(e, &in, &diag), 0);
    assert_int_equal(oct_shadow_encoder_flush(e, &diag), 0);
    assert_int_equal(oct_shadow_encoder_take(e, &bytes), is_empty ? sizeof empty : sizeof expected);
    assert_memory_equal(bytes, is_empty ? empty : expected,
                        is_empty ? sizeof empty : sizeof expected);
    oct_shadow_encoder_free(e);
  }
}

/* An instruction that repeats while a register is not 0, as `rep stos` does, is foreseen to. */
static void test_repeats(void **unused) {
  enum { TIMES = 1000 };
  static oct_insn insns[TIMES + 1];
  static oct_access accesses[TIMES];
  oct_map_update updates[2] = {
      {0, {.addr = 0x8000, .size_bytes = 4, .cls = OCT_CLASS_OTHER, .n_slots = 1, .slots = {10}}},
      {0, {.addr = 0x8004, .size_bytes = 4, .cls = OCT_CLASS_OTHER}}};
  oct_effect *op = &updates[0].entry.op;
  op->flags = OCT_EFFECT_KNOWN;
  op->cond = OCT_COND_REGS | 1;
  op->cond_a = 1;
  op->cond_b = OCT_REG_ZERO;
  for (unsigned i = 0; i < TIMES; i++) {
    insns[i] = (oct_insn){.addr = 0x8000, .size_bytes = 4, .n_access = 1};
    accesses[i] = (oct_access){.addr = 0x2000 + 4 * i, .size_bytes = 4, .is_store = 1};
  }
  insns[TIMES] = (oct_insn){.addr = 0x8004, .size_bytes = 4};
  const oct_tracer_input in = {.insns = insns,
                               .n_insns = TIMES + 1,
                               .accesses = accesses,
                               .n_accesses = TIMES,
                               .updates = updates,
                               .n_updates = 2};
  oct_shadow_config cfg;
  oct_shadow_encoder *e;
  oct_shadow_counts counts;
  oct_diag diag;
  (void)unused;
#define OCT_X(name, def, ...) cfg.name = def;
  OCT_SHADOW_PARAMS(OCT_X)
#undef OCT_X
  assert_int_equal(oct_shadow_encoder_new(&cfg, true, &e, &diag), 0);
  assert_int_equal(oct_shadow_encoder_put(e, &in, &diag), 0);
  assert_int_equal(oct_shadow_encoder_flush(e, &diag), 0);
  oct_shadow_encoder_counts(e, &counts);
  assert_int_equal(counts.category_bits[OCT_SC_ESCAPE], 0);
  assert_in_range(counts.category_bits[OCT_SC_PERIOD], 1, 100);
  oct_shadow_encoder_free(e);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                     cmocka_unit_test(test_repeats), cmocka_unit_test(test_damage),
                                     cmocka_unit_test(test_join), cmocka_unit_test(test_worked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
