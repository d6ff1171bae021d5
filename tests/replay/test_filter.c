/* SPDX-License-Identifier: Apache-2.0 */
/* test_filter.c - is the filter of `replay` that of docs/replay-format.md? Random loads, stores and
 * forgetting against a list of lines in the order of their use, written from the page. */
#include <stdlib.h>
#include <string.h>

#include "../traces/test_util.h"
#include "oct_replay_core.h"

typedef struct line {
  uint64_t tag, valid, used; /* used: at which step, 0 never */
} line;

typedef struct page_filter {
  oct_rp_config c;
  line lines[64 * 16];
  uint64_t now;
} page_filter;

static line *find(page_filter *f, uint64_t tag) {
  unsigned s = (unsigned)__builtin_ctz(f->c.filter_sets);
  line *set = f->lines + ((tag ^ tag >> s) % f->c.filter_sets) * f->c.filter_ways;
  for (unsigned i = 0; i < f->c.filter_ways; i++)
    if (set[i].valid && set[i].tag == tag) return &set[i];
  return NULL;
}

/* The way used longest ago; of those never used the last. */
static line *oldest(page_filter *f, uint64_t tag) {
  unsigned s = (unsigned)__builtin_ctz(f->c.filter_sets);
  line *set = f->lines + ((tag ^ tag >> s) % f->c.filter_sets) * f->c.filter_ways, *old = set;
  for (unsigned i = 1; i < f->c.filter_ways; i++)
    if (set[i].used <= old->used) old = &set[i];
  return old;
}

static bool is_known(page_filter *f, uint64_t addr, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    line *l = find(f, (addr + i) / f->c.line_bytes);
    if (!l) return false;
    if (!i || (addr + i) % f->c.line_bytes == 0) l->used = ++f->now;
    if (!(l->valid >> (addr + i) % f->c.line_bytes / f->c.grain_bytes & 1)) return false;
  }
  return true;
}

static void learn(page_filter *f, uint64_t addr, unsigned n) {
  const unsigned g = f->c.grain_bytes;
  for (uint64_t tag = addr / f->c.line_bytes; tag <= (addr + n - 1) / f->c.line_bytes; tag++) {
    line *l = find(f, tag);
    uint64_t bits = 0;
    for (uint64_t at = tag * f->c.line_bytes; at < (tag + 1) * f->c.line_bytes; at += g)
      if (at >= addr && at + g <= addr + n) bits |= UINT64_C(1) << at % f->c.line_bytes / g;
    if (!l && !bits) continue;
    if (!l) *(l = oldest(f, tag)) = (line){.tag = tag};
    l->valid |= bits;
    l->used = ++f->now;
  }
}

static void forget(page_filter *f, uint64_t addr, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    line *l = find(f, (addr + i) / f->c.line_bytes);
    if (l) l->valid &= ~(UINT64_C(1) << (addr + i) % f->c.line_bytes / f->c.grain_bytes);
  }
}

static void agrees_with_the_page(void **state) {
  (void)state;
  seed_random("filter");
  for (unsigned round = 0; round < 200; round++) {
    if (is_left_out()) continue;
    oct_rp_config c = {.addr_bits = 32, .value_entries = 1, .told_entries = 1};
    oct_rp_core core;
    page_filter *f = calloc(1, sizeof *f);
    assert_non_null(f);
    c.filter_sets = 1u << below(4);
    c.filter_ways = 1 + below32(5);
    c.line_bytes = 8u << below(4);
    c.grain_bytes = 1u << below(4);
    f->c = c;
    uint32_t params[OCT_RP_N_PARAMS];
    oct_rp_config_put(&c, params);
    assert_int_equal(oct_rp_core_init(&core, params, false, NULL), 0);
    for (unsigned i = 0; i < 2000; i++) {
      const uint64_t addr = 0x1000 + below(c.line_bytes * c.filter_sets * c.filter_ways * 3);
      const unsigned n = 1u << below(4);
      switch (below(8)) {
        case 0:
          oct_rp_forget(&core, addr, n);
          forget(f, addr, n);
          break;
        case 1: {
          const uint64_t many = 1 + below(4096);
          if (below(16)) break;
          oct_rp_forget(&core, addr, many);
          forget(f, addr, many);
          break;
        }
        case 2:
        case 3:
          oct_rp_learn(&core, addr, n);
          learn(f, addr, n);
          break;
        default:
          assert_int_equal(oct_rp_is_known(&core, addr, n, true), is_known(f, addr, n));
      }
    }
    oct_rp_core_free(&core);
    free(f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_the_page)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
