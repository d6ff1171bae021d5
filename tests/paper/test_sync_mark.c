/* SPDX-License-Identifier: Apache-2.0 */
/* test_sync_mark.c - is the sync mark longer than any run of ones that other packets can make? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oct_packets.h"

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* The longest run of fields of one packet that no field of zeros interrupts: all ones, at most. */
static uint32_t longest_run(const oct_packet_form *f, const oct_config *cfg) {
  uint32_t run = 0, longest = 0;
  /* The highest bit of n is 0 for up to two words. */
  if (f->prefix == OCT_PREFIX_TRAP) return larger(3 + cfg->cause_bits + 2, 2 * cfg->addr_bits);
  /* These two with the ones at the end of their prefixes; no other prefix ends in more than one. */
  if (f->prefix == OCT_PREFIX_TIME) return 3 + 3 + OCT_TIME_BITS;
  if (f->prefix == OCT_PREFIX_CYCLES) return 2 + 2 + 3 * 4;
  for (uint32_t i = 0; i < f->n_fields; i++) {
    const oct_packet_form_field *field = &f->fields[i];
    uint32_t times = field->times;
    if (times == OCT_N_TIMES) /* no more than the part of a tuple or of a pattern can be */
      times = field->bits == 1 ? cfg->rep_pattern_bits - 1 : cfg->ntuple_n - 1;
    run = field->value == OCT_ZERO ? 0 : run + field->bits * times;
    longest = larger(longest, run);
  }
  return longest;
}

/* The ones that prefixes add to a run of fields: at the end of one's own, at the start of the next.
 * Prefixes stand with their first bit lowest. A sync is a mark itself. */
static uint32_t ones_of_prefixes(const oct_packet_form forms[OCT_PACKET_KINDS]) {
  uint32_t at_end = 0, at_start = 0;
  for (unsigned k = 0; k < OCT_PACKET_KINDS; k++) {
    const oct_packet_form *f = &forms[k];
    uint32_t end = 0, start = 0;
    if (!f->is_legal || k == OCT_PACKET_SYNC) continue;
    while (f->prefix >> start & 1) start++;
    while (f->prefix >> (f->prefix_bits - 1 - end) & 1) end++;
    if (k == OCT_PACKET_TIME || k == OCT_PACKET_CYCLES) end = 0; /* longest_run has them */
    assert_in_range(start, 0, f->prefix_bits - 1);               /* a zero in each */
    assert_in_range(end, 0, f->prefix_bits - 1);
    at_start = larger(at_start, start);
    at_end = larger(at_end, end);
  }
  return at_end + at_start;
}

static void check(const oct_config *cfg) {
  oct_packet_form forms[OCT_PACKET_KINDS];
  oct_widths w;
  uint32_t longest = 0;
  if (oct_config_check(cfg, NULL)) return;
  oct_config_widths(cfg, &w);
  oct_packet_forms(cfg, forms);
  for (unsigned k = 0; k < OCT_PACKET_KINDS; k++)
    if (forms[k].is_legal) longest = larger(longest, longest_run(&forms[k], cfg));
  /* P, and K at least one more than what it and the prefixes around make: six ones at most. */
  assert_int_equal(longest, larger(2 * cfg->addr_bits, cfg->ntuple_n * w.index_bits));
  assert_int_equal(longest, w.payload_bits);
  assert_in_range(ones_of_prefixes(forms), 0, 6);
  assert_in_range(w.sync_ones, longest + 7, longest + 14);
  assert_int_equal(w.sync_ones % 8, 0);
}

/* Every value of what the widths of fields depend on, at the ends of the ranges of the others. */
static void longest_run_is_p(void **state) {
  static const uint32_t ends[][2] = {{32, 64}, {0, 3},  {1, 16}, {1, 1023},
                                     {1, 32},  {0, 16}, {1, 32}, {0, 32}};
  (void)state;
  for (uint32_t corner = 0; corner < 256; corner++) {
    for (uint32_t n = 0; n <= 16; n++) {
      for (uint32_t entries = 0; entries <= 14; entries++) {
        oct_config cfg;
        oct_config_init(&cfg);
        uint32_t *const at[] = {&cfg.addr_bits, &cfg.pc_align_bits,    &cfg.sl_bits,
                                &cfg.thb_depth, &cfg.rep_pattern_bits, &cfg.rep_count_bits,
                                &cfg.task_bits, &cfg.check_bits};
        for (unsigned i = 0; i < 8; i++) *at[i] = ends[i][corner >> i & 1];
        cfg.traps = 1;
        cfg.timestamp = 1 + (corner >> 1 & 1); /* with 0 there are fewer packets */
        cfg.cause_bits = corner & 1 ? 16 : 6;
        cfg.ntuple_n = n;
        cfg.sc_sets = 1u << (entries < 10 ? entries : 10);
        cfg.sc_ways = 1u << (entries < 10 ? 0 : entries - 10);
        check(&cfg);
        cfg.addr_bits = 32 + (corner * 17 + n * 5 + entries) % 33;
        check(&cfg);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(longest_run_is_p)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
