/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fidelity.h - what an address trace looks like to caches and to a predictor, and how far a
 * lossy copy of it is from that (Michaud 2009, section 5.3, Figures 3 and 5).
 *
 * Threads: An oct_fidelity is for one thread at a time, different ones may be used by different
 * threads. */
#ifndef OCT_FIDELITY_H
#define OCT_FIDELITY_H

#include "oct_addresses.h"
#include "oct_cdc.h"
#include "oct_stack_distance.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_fidelity_config {
  uint32_t first_sets, last_sets; /* powers of two: these and all between */
  uint32_t ways;                  /* 1 to this, at most OCT_STACK_WAYS_MAX */
  oct_cdc_config predictor;       /* its line_bytes is that of the caches */
  uint64_t limit;                 /* addresses to take, 0 = all */
  uint64_t reserved[4];           /* 0 */
} oct_fidelity_config;

/* Michaud 2009: 2 to 512 K sets, 1 to 32 ways, 64-byte lines. */
extern const oct_fidelity_config oct_fidelity_defaults;

/* One address trace. */
typedef struct oct_fidelity oct_fidelity;

/* *f is owned by the caller. OCT_ERR_CONFIG with *diag, OCT_ERR_NOMEM. */
int oct_fidelity_new(const oct_fidelity_config *config, oct_fidelity **f, oct_diag *diag);
void oct_fidelity_free(oct_fidelity *f); /* NULL is allowed */
/* Take n byte addresses, as many as the limit leaves. OCT_ERR_NOMEM, OCT_ERR_LIMIT. */
int oct_fidelity_put(oct_fidelity *f, const uint64_t *addrs, size_t n);
/* Take the next addresses of a source: how many, 0 at its end or at the limit, or an error. */
int64_t oct_fidelity_pull(oct_fidelity *f, oct_addresses *source, oct_diag *diag);

uint64_t oct_fidelity_addresses(const oct_fidelity *f);
uint64_t oct_fidelity_blocks(const oct_fidelity *f); /* distinct */
/* Shares of all addresses; 0 when there are none. */
typedef struct oct_fidelity_predictor {
  double correct, incorrect, not_predicted;
} oct_fidelity_predictor;
oct_fidelity_predictor oct_fidelity_predicted(const oct_fidelity *f);
/* Numbers of sets, and how many there are for each. */
unsigned oct_fidelity_levels(const oct_fidelity *f);
uint32_t oct_fidelity_sets(const oct_fidelity *f, unsigned level);
/* Miss ratio of an LRU cache, ways from 1 to those of the configuration. */
double oct_fidelity_miss_ratio(const oct_fidelity *f, unsigned level, uint32_t ways);
/* Of a fully-associative one with any number of lines (> 0). */
double oct_fidelity_full_miss_ratio(const oct_fidelity *f, uint32_t lines);

/* How far two curves over the ways 1 .. ways lie apart: of lossy minus exact, the largest amount
 * with its sign, where it is, and the mean of the amounts. */
typedef struct oct_fidelity_gap {
  double largest, mean;
  uint32_t at_ways;
} oct_fidelity_gap;
/* Of one level; both traces have the same configuration. */
oct_fidelity_gap oct_fidelity_compare(const oct_fidelity *exact, const oct_fidelity *lossy,
                                      unsigned level);

#ifdef __cplusplus
}
#endif
#endif
