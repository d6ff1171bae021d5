/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fidelity.c - an address trace before caches and a predictor, and two of them compared
 * (Michaud 2009, section 5.3).
 *
 * Each address goes to the stack distances of all cache sizes (oct_stack_distance.c), to an
 * unbounded stack for the fully associative cache, and to the C/DC predictor. Two traces are
 * compared by their miss ratios at equal sizes and by their shares of predicted addresses. */
#include "octrace/cache.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { CHUNK = 8192 };

const oct_fidelity_config oct_fidelity_defaults = {
    .first_sets = 2,
    .last_sets = 524288,
    .ways = 32,
    .predictor = {.zone_bytes = 65536,
                  .line_bytes = 64,
                  .index_entries = 256,
                  .ghb_entries = 256,
                  .key_deltas = 2},
};

struct oct_fidelity {
  oct_fidelity_config config;
  unsigned n_levels; /* of the stack beside the first, which is fully associative */
  oct_stack_distance *stack;
  oct_cdc *predictor;
  uint64_t addrs[CHUNK];
};

/* The levels of the stack: one set without a bound, then those asked for. How many, or an error. */
static int plan_levels(const oct_fidelity_config *c, oct_stack_level_config *levels,
                       oct_diag *diag) {
  int n = 0;
  levels[n++] = (oct_stack_level_config){1, 0};
  if (!c->first_sets || !c->last_sets || c->first_sets > c->last_sets ||
      (c->first_sets & (c->first_sets - 1)) || (c->last_sets & (c->last_sets - 1)) ||
      c->last_sets > OCT_STACK_SETS_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "sets %" PRIu32 "..%" PRIu32 ": expected two powers of two up to %" PRIu32,
                    c->first_sets, c->last_sets, OCT_STACK_SETS_MAX);
  if (!c->ways || c->ways > OCT_STACK_WAYS_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG, "%" PRIu32 " ways: expected 1 to %d", c->ways,
                    OCT_STACK_WAYS_MAX);
  for (uint32_t sets = c->first_sets; sets <= c->last_sets; sets *= 2)
    if (sets > 1) levels[n++] = (oct_stack_level_config){sets, c->ways};
  return n;
}

int oct_fidelity_new(const oct_fidelity_config *config, oct_fidelity **out, oct_diag *diag) {
  oct_stack_level_config levels[OCT_STACK_LEVELS_MAX];
  *out = NULL;
  int n = plan_levels(config, levels, diag);
  if (n < 0) return n;
  oct_fidelity *f = calloc(1, sizeof *f);
  if (!f) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  f->config = *config;
  f->n_levels = (unsigned)n - (config->first_sets > 1);
  int error = oct_cdc_new(&config->predictor, &f->predictor, diag);
  if (!error)
    error =
        oct_stack_distance_new(levels, (unsigned)n, config->predictor.line_bytes, &f->stack, diag);
  if (error) {
    oct_fidelity_free(f);
    return error;
  }
  *out = f;
  return 0;
}

void oct_fidelity_free(oct_fidelity *f) {
  if (!f) return;
  oct_stack_distance_free(f->stack);
  oct_cdc_free(f->predictor);
  free(f);
}

/* How many of n addresses the limit leaves. */
static size_t within_limit(const oct_fidelity *f, size_t n) {
  uint64_t left = f->config.limit - oct_fidelity_addresses(f);
  return f->config.limit && left < n ? (size_t)left : n;
}

int oct_fidelity_put(oct_fidelity *f, const uint64_t *addrs, size_t n) {
  n = within_limit(f, n);
  int error = oct_stack_distance_put(f->stack, addrs, n);
  if (!error) oct_cdc_put(f->predictor, addrs, n);
  return error;
}

int64_t oct_fidelity_pull(oct_fidelity *f, oct_addresses *source, oct_diag *diag) {
  size_t n = within_limit(f, CHUNK);
  int64_t got = n ? oct_addresses_read(source, f->addrs, n, diag) : 0;
  int error = got > 0 ? oct_fidelity_put(f, f->addrs, (size_t)got) : 0;
  return error ? oct_fail(diag, error, "%s", oct_error_text(error)) : got;
}

uint64_t oct_fidelity_addresses(const oct_fidelity *f) {
  return oct_stack_distance_addresses(f->stack);
}

uint64_t oct_fidelity_blocks(const oct_fidelity *f) {
  return oct_stack_distance_blocks(f->stack);
}

static double share(uint64_t part, uint64_t whole) {
  return whole ? (double)part / (double)whole : 0;
}

oct_fidelity_predictor oct_fidelity_predicted(const oct_fidelity *f) {
  const oct_cdc_counts *c = oct_cdc_result(f->predictor);
  uint64_t n = oct_fidelity_addresses(f);
  return (oct_fidelity_predictor){share(c->correct, n), share(c->incorrect, n),
                                  share(c->not_predicted, n)};
}

unsigned oct_fidelity_levels(const oct_fidelity *f) {
  return f->n_levels;
}

uint32_t oct_fidelity_sets(const oct_fidelity *f, unsigned level) {
  return f->config.first_sets << level;
}

double oct_fidelity_miss_ratio(const oct_fidelity *f, unsigned level, uint32_t ways) {
  unsigned of_stack = level + (f->config.first_sets > 1);
  return share(oct_stack_distance_misses(f->stack, of_stack, ways), oct_fidelity_addresses(f));
}

double oct_fidelity_full_miss_ratio(const oct_fidelity *f, uint32_t lines) {
  return share(oct_stack_distance_misses(f->stack, 0, lines), oct_fidelity_addresses(f));
}

oct_fidelity_difference oct_fidelity_compare(const oct_fidelity *exact, const oct_fidelity *lossy,
                                             unsigned level) {
  oct_fidelity_difference difference = {0, 0, 1};
  for (uint32_t ways = 1; ways <= exact->config.ways; ways++) {
    double d =
        oct_fidelity_miss_ratio(lossy, level, ways) - oct_fidelity_miss_ratio(exact, level, ways);
    if (fabs(d) > fabs(difference.largest)) {
      difference.largest = d;
      difference.at_ways = ways;
    }
    difference.mean += fabs(d) / exact->config.ways;
  }
  return difference;
}
