/* SPDX-License-Identifier: Apache-2.0 */
/* test_cache_filter.c - does the cache filter let through what a naive cache, written apart from
 * it, misses? */
#include "test_util.h"

#include "oct_cache.h"
#include "octrace/cache.h"

/* ---- The naive cache: an array of lines with times, searched from end to end. ---- */

typedef struct naive_line {
  uint64_t block, used, came;
  bool valid, dirty;
} naive_line;

typedef struct naive {
  oct_cache_config config;
  uint64_t sets, now;
  naive_line *lines;
} naive;

static naive naive_new(const oct_cache_config *c) {
  naive n = {*c, c->size_bytes / c->line_bytes / c->ways, 0, NULL};
  n.lines = calloc(c->size_bytes / c->line_bytes, sizeof *n.lines);
  return n;
}

/* Whether it misses; *evicted is a block to write back, or UINT64_MAX. */
static bool naive_access(naive *n, uint64_t block, bool is_store, uint64_t *evicted) {
  naive_line *set = n->lines + block % n->sets * n->config.ways, *victim = set;
  *evicted = UINT64_MAX;
  n->now++;
  for (uint32_t w = 0; w < n->config.ways; w++) {
    if (!set[w].valid || set[w].block != block) continue;
    set[w].used = n->now;
    set[w].dirty |= is_store;
    return false;
  }
  if (is_store && !n->config.write_allocate) return true;
  for (uint32_t w = 0; w < n->config.ways; w++) {
    uint64_t age = n->config.repl == OCT_CACHE_LRU ? set[w].used : set[w].came;
    uint64_t oldest = n->config.repl == OCT_CACHE_LRU ? victim->used : victim->came;
    if (victim->valid && (!set[w].valid || age < oldest)) victim = &set[w];
  }
  if (victim->valid && victim->dirty) *evicted = victim->block;
  *victim = (naive_line){block, n->now, n->now, true, is_store};
  return true;
}

/* ---- Traces ---- */

/* Few blocks, so that there are hits; accesses that cross lines; some at the end of memory. */
static trace small_trace(size_t n) {
  trace t = random_trace(n, 40);
  for (size_t i = 0; i < t.n_insns; i++) /* near the one before, or not */
    t.insns[i].addr = i && below(3) ? t.insns[i - 1].addr + below(32) - 16 : 0x8000 + below(3000);
  for (size_t i = 0; i < t.n_accesses; i++)
    t.accesses[i].addr = below(50) ? 0x10000 + below(9000) : UINT64_MAX - below(80);
  return t;
}

/* What is expected of one trace: kept accesses by instruction, and blocks. */
typedef struct expected {
  uint64_t *blocks;
  size_t n_blocks;
  trace events;
  oct_cache_counts insn, data;
} expected;

static bool naive_touch(naive *n, oct_cache_counts *counts, uint64_t addr, unsigned bytes,
                        bool is_store, const oct_cache_filter_config *c, expected *e) {
  uint64_t line_bytes = n->config.line_bytes, before = UINT64_MAX;
  bool missed = false;
  for (unsigned b = 0; b < (bytes ? bytes : 1); b++) { /* byte by byte */
    uint64_t evicted, block = (addr + b) / line_bytes;
    if (block == before) continue;
    before = block;
    if (!naive_access(n, block, is_store, &evicted)) continue;
    missed = true;
    counts->line_misses++;
    e->blocks[e->n_blocks++] = block * line_bytes;
    if (evicted == UINT64_MAX) continue;
    counts->write_backs++;
    if (c->write_backs) e->blocks[e->n_blocks++] = evicted * line_bytes + 1;
  }
  counts->accesses++;
  counts->misses += missed;
  counts->stores += is_store;
  counts->store_misses += missed && is_store;
  return missed;
}

static void naive_trap(trace *kept, oct_trap trap) {
  trap.insn = (uint32_t)kept->n_insns;
  kept->traps[kept->n_traps++] = trap;
}

static expected naive_filter(const trace *t, const oct_cache_filter_config *c) {
  expected e = {.events = trace_new(t->n_insns, t->n_accesses)};
  naive insn = {0}, data = {0};
  const oct_access *a = t->accesses;
  if (c->has_insn_cache) insn = naive_new(&c->insn_cache);
  if (c->has_data_cache) data = naive_new(&c->data_cache);
  e.blocks = malloc((t->n_insns * 10 + t->n_accesses * 40 + 1) * sizeof *e.blocks);
  e.events.traps = calloc(t->n_traps + 1, sizeof *e.events.traps);
  size_t trap = 0;
  for (size_t i = 0; i < t->n_insns; i++) {
    oct_insn kept = t->insns[i];
    size_t first = e.events.n_accesses;
    for (; trap < t->n_traps && t->traps[trap].insn == i; trap++)
      naive_trap(&e.events, t->traps[trap]);
    bool missed =
        c->has_insn_cache && naive_touch(&insn, &e.insn, kept.addr, kept.size_bytes, false, c, &e);
    for (unsigned k = 0; k < t->insns[i].n_access; k++, a++)
      if (c->has_data_cache &&
          naive_touch(&data, &e.data, a->addr, a->size_bytes, a->is_store, c, &e))
        e.events.accesses[e.events.n_accesses++] = *a;
    size_t n = e.events.n_accesses - first;
    if (!missed && !n) continue;
    kept.n_access = (uint16_t)n;
    e.events.insns[e.events.n_insns++] = kept;
  }
  for (; trap < t->n_traps; trap++) naive_trap(&e.events, t->traps[trap]);
  free(insn.lines);
  free(data.lines);
  return e;
}

/* ---- Tests ---- */

static void assert_counts(const oct_cache_counts *want, const oct_cache_counts *got) {
  assert_memory_equal(want, got, sizeof *want);
}

/* Filter in batches of odd sizes, and compare with what is expected. */
static void check(const trace *t, const oct_cache_filter_config *c, const char *name) {
  expected e = naive_filter(t, c);
  trace got = {0};
  uint64_t *blocks = NULL;
  size_t n_blocks = 0, access = 0;
  oct_cache_filter *f;
  oct_diag diag;
  print_message("%s: %zu of %zu instructions, %zu of %zu accesses, %zu blocks\n", name,
                e.events.n_insns, t->n_insns, e.events.n_accesses, t->n_accesses, e.n_blocks);
  if (oct_cache_filter_new(c, &f, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  for (size_t i = 0, n; i < t->n_insns; i += n) {
    oct_batch b = {t->insns + i, 0, t->accesses + access, 0, t->map, t->n_map, NULL, 0, NULL, 0,
                   NULL,         0};
    oct_filtered m;
    n = 1 + below(700);
    if (n > t->n_insns - i) n = t->n_insns - i;
    b.n_insns = n;
    for (size_t k = 0; k < n; k++) b.n_accesses += t->insns[i + k].n_access;
    access += b.n_accesses;
    oct_trap *own = take_traps(t, i, n, &b);
    assert_int_equal(oct_cache_filter_put(f, &b, &m), 0);
    free(own);
    append_traps(&got, got.n_insns, m.events.traps, m.events.n_traps);
    assert_ptr_equal(m.events.map, t->map);
    got.insns = append(got.insns, &got.n_insns, m.events.insns, m.events.n_insns, sizeof(oct_insn));
    got.accesses = append(got.accesses, &got.n_accesses, m.events.accesses, m.events.n_accesses,
                          sizeof(oct_access));
    blocks = append(blocks, &n_blocks, m.blocks, m.n_blocks, sizeof *blocks);
  }
  assert_part(&e.events, 0, e.events.n_insns, &got);
  assert_traps(&e.events, 0, e.events.n_insns, 1, &got);
  assert_int_equal(got.n_accesses, e.events.n_accesses);
  assert_int_equal(n_blocks, e.n_blocks);
  if (n_blocks) assert_memory_equal(blocks, e.blocks, n_blocks * sizeof *blocks);
  assert_counts(&e.insn, oct_cache_filter_insn_counts(f));
  assert_counts(&e.data, oct_cache_filter_data_counts(f));
  oct_cache_filter_free(f);
  trace_free(&got);
  trace_free(&e.events);
  free(blocks);
  free(e.blocks);
}

static oct_cache_config random_cache(void) {
  oct_cache_config c = {.ways = (uint32_t)(1 + below(6))};
  c.line_bytes = 4u << below(6);
  c.size_bytes = (uint64_t)c.ways * c.line_bytes << below(7);
  c.repl = below(2) ? OCT_CACHE_LRU : OCT_CACHE_FIFO;
  c.write_allocate = below(2);
  return c;
}

static void random_caches(void **state) {
  (void)state;
  seed_random("random caches");
  for (int i = 0; i < 60; i++) {
    if (is_left_out()) continue;
    oct_cache_filter_config c = {.insn_cache = random_cache()};
    c.data_cache = random_cache();
    char insn[100], data[100], name[256];
    c.has_insn_cache = below(4) != 0;
    c.has_data_cache = !c.has_insn_cache || below(4) != 0;
    c.write_backs = below(2);
    trace t = small_trace(1 + below(3000));
    add_random_traps(&t);
    oct_cache_config_print(&c.insn_cache, insn, sizeof insn);
    oct_cache_config_print(&c.data_cache, data, sizeof data);
    snprintf(name, sizeof name, "I %s D %s", c.has_insn_cache ? insn : "off",
             c.has_data_cache ? data : "off");
    check(&t, &c, name);
    trace_free(&t);
  }
}

static void presets(void **state) {
  (void)state;
  oct_cache_filter_config c;
  oct_diag diag;
  char text[100];
  seed_random("presets");
  trace t = random_trace(20000, 8);
  assert_int_equal(oct_cache_filter_preset("atc", &c, &diag), 0);
  assert_true(c.has_insn_cache && c.has_data_cache && !c.write_backs);
  oct_cache_config_print(&c.insn_cache, text, sizeof text);
  assert_string_equal(text, "size=32K,ways=4,line=64,repl=lru,allocate=yes");
  oct_cache_config_print(&c.data_cache, text, sizeof text);
  assert_string_equal(text, "size=32K,ways=4,line=64,repl=lru,allocate=yes");
  check(&t, &c, "atc");
  assert_int_equal(oct_cache_filter_preset("vpc3", &c, &diag), 0);
  assert_true(!c.has_insn_cache && c.has_data_cache);
  oct_cache_config_print(&c.data_cache, text, sizeof text);
  assert_string_equal(text, "size=16K,ways=1,line=64,repl=lru,allocate=yes");
  check(&t, &c, "vpc3");
  assert_int_equal(oct_cache_filter_preset("vpc4", &c, &diag), OCT_ERR_ARG);
  trace_free(&t);
}

/* A set of two ways, by hand. */
static void by_hand(void **state) {
  (void)state;
  static const oct_cache_config config = {.size_bytes = 128,
                                          .ways = 2,
                                          .line_bytes = 64,
                                          .repl = OCT_CACHE_LRU,
                                          .write_allocate = true};
  /* a, b, a again, c drives out b, b drives out a */
  static const uint64_t addrs[] = {0x1000, 0x2000, 0x1004, 0x3038, 0x2000, 0x1000};
  static const uint64_t want[] = {0x1000, 0x2000, 0x3000, 0x2000, 0x1000};
  oct_cache_filter_config c = {.has_data_cache = true, .data_cache = config, .write_backs = true};
  oct_access a[6];
  oct_insn insn = {.addr = 0x8000, .size_bytes = 4, .n_access = 6};
  oct_batch b = {&insn, 1, a, 6, NULL, 0, NULL, 0, NULL, 0, NULL, 0};
  oct_cache_filter *f;
  oct_filtered m;
  for (int i = 0; i < 6; i++) a[i] = (oct_access){addrs[i], 4, 0, 0};
  assert_int_equal(oct_cache_filter_new(&c, &f, NULL), 0);
  assert_int_equal(oct_cache_filter_put(f, &b, &m), 0);
  assert_int_equal(m.n_blocks, 5);
  assert_memory_equal(m.blocks, want, sizeof want);
  assert_int_equal(m.events.n_insns, 1);
  assert_int_equal(m.events.insns[0].n_access, 5);
  assert_int_equal(m.events.accesses[2].addr, 0x3038); /* events keep their own addresses */
  /* A store makes 0x1000 dirty; two others drive it out. */
  a[0].is_store = 1;
  a[1].addr = 0x5000;
  a[2].addr = 0x6000;
  insn.n_access = 3;
  b.n_accesses = 3;
  assert_int_equal(oct_cache_filter_put(f, &b, &m), 0);
  assert_int_equal(m.n_blocks, 3);
  assert_int_equal(m.blocks[1], 0x6000);
  assert_int_equal(m.blocks[2], 0x1001);
  oct_cache_filter_free(f);
}

/* Tree PLRU of two ways is LRU; both it and random never miss a block within the ways of a set. */
static void other_replacements(void **state) {
  (void)state;
  seed_random("other replacements");
  for (int round = 0; round < 40; round++) {
    if (is_left_out()) continue;
    oct_cache_config lru = {.size_bytes = UINT64_C(128) << below(6),
                            .ways = 2,
                            .line_bytes = 64,
                            .repl = OCT_CACHE_LRU,
                            .write_allocate = true},
                     plru = lru;
    oct_cache a, b;
    plru.repl = OCT_CACHE_PLRU;
    assert_int_equal(oct_cache_init(&a, &lru, NULL), 0);
    assert_int_equal(oct_cache_init(&b, &plru, NULL), 0);
    for (int i = 0; i < 2000; i++) {
      uint64_t block = below(100);
      bool is_store = below(2);
      oct_cache_result x = oct_cache_access(&a, block, is_store);
      oct_cache_result y = oct_cache_access(&b, block, is_store);
      assert_int_equal(x.miss, y.miss);
      assert_int_equal(x.write_back, y.write_back);
      if (x.write_back) assert_int_equal(x.evicted, y.evicted);
    }
    oct_cache_free(&a);
    oct_cache_free(&b);
    for (int repl = OCT_CACHE_PLRU; repl <= OCT_CACHE_RANDOM; repl++) {
      oct_cache_config c = {.size_bytes = 64 * 8 * 4,
                            .ways = 8,
                            .line_bytes = 64,
                            .repl = (oct_cache_repl)repl,
                            .write_allocate = true};
      unsigned misses = 0;
      assert_int_equal(oct_cache_init(&a, &c, NULL), 0);
      for (int i = 0; i < 4000; i++) misses += oct_cache_access(&a, below(32), false).miss;
      assert_int_equal(misses, 32);
      for (int i = 0; i < 4000; i++) misses += oct_cache_access(&a, below(64), false).miss;
      assert_true(misses > 1000 && misses < 3500); /* half of 64 blocks fits */
      oct_cache_free(&a);
    }
  }
}

static void bad_configurations(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "",         "size",     "size=",          "size=1G", "ways=x", "ways=4,",
      "repl=mru", "line=64 ", "allocate=maybe", "sets=4",  "=4",     "size=99999999999999999999"};
  static const char *const illegal[] = {
      "size=0",  "ways=0",   "ways=65", "line=48",    "line=2",
      "line=8K", "size=33K", "ways=3",  "size=2048M", "ways=3,size=48K,repl=plru"};
  oct_cache_filter_config c;
  oct_cache_filter *f;
  oct_diag diag;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    oct_cache_filter_preset("atc", &c, &diag);
    assert_int_equal(oct_cache_config_parse(wrong[i], &c.data_cache, &diag), OCT_ERR_ARG);
    assert_int_equal(diag.error, OCT_ERR_ARG);
  }
  for (size_t i = 0; i < sizeof illegal / sizeof *illegal; i++) {
    oct_cache_filter_preset("atc", &c, &diag);
    assert_int_equal(oct_cache_config_parse(illegal[i], &c.data_cache, &diag), 0);
    assert_int_equal(oct_cache_filter_new(&c, &f, &diag), OCT_ERR_CONFIG);
    assert_null(f);
  }
  oct_cache_filter_preset("atc", &c, &diag);
  assert_int_equal(oct_cache_config_parse("size=48K,ways=12,line=32,repl=fifo,allocate=no",
                                          &c.data_cache, &diag),
                   0);
  assert_int_equal(oct_cache_filter_new(&c, &f, &diag), 0);
  oct_cache_filter_free(f);
  c.has_insn_cache = c.has_data_cache = false;
  assert_int_equal(oct_cache_filter_new(&c, &f, &diag), OCT_ERR_CONFIG);
  oct_cache_filter_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_hand),
      cmocka_unit_test(random_caches),
      cmocka_unit_test(presets),
      cmocka_unit_test(other_replacements),
      cmocka_unit_test(bad_configurations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
