/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cache_filter.h - what of a trace misses in first-level caches: one for instructions, one for
 * data (Michaud 2009, section 4.2; the cache-miss traces of the VPC3 page).
 *
 * Each instruction is fetched: every line that it touches is looked up in the instruction cache.
 * Then its accesses follow in their order, every line that one touches in the data cache; an access
 * of unknown size touches one line. An instruction or access that misses in any of its lines has
 * missed. A cache that is off lets nothing through: nothing of its side misses.
 *
 * Two views of the same misses come out:
 * - events: the instructions that missed or that have an access that missed, with those of their
 *   accesses that missed and with their own addresses, tasks and time stamps.
 * - blocks: the address of each line that missed, its offset bits zero, in the order of the
 * look-ups. With write_backs, the address of a stored-to line that had to leave follows the miss
 * that drove it out, with bit 0 set.
 *
 * Threads: A filter is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_CACHE_FILTER_H
#define OCT_CACHE_FILTER_H

#include "oct_cache_config.h"
#include "oct_event.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_cache_filter_config {
  bool has_insn_cache, has_data_cache;
  oct_cache_config insn_cache, data_cache;
  bool write_backs;     /* among the blocks */
  uint64_t reserved[4]; /* 0 */
} oct_cache_filter_config;

/* The preset of that name: "atc" (Michaud 2009: both 32 KB, 4 ways, 64-byte lines, LRU) or "vpc3"
 * (VPC3 page: data only, 16 KB, direct-mapped, 64-byte lines, write-allocate). OCT_ERR_ARG. */
int oct_cache_filter_preset(const char *name, oct_cache_filter_config *config, oct_diag *diag);

/* What one side was asked for. */
typedef struct oct_cache_counts {
  uint64_t accesses, misses;     /* instructions fetched, or loads and stores */
  uint64_t stores, store_misses; /* those of them that store */
  uint64_t line_misses;          /* lines that missed: an access may touch several */
  uint64_t write_backs;
} oct_cache_counts;

typedef struct oct_cache_filter oct_cache_filter;

/* *filter is owned by the caller. OCT_ERR_CONFIG (also when both caches are off), OCT_ERR_NOMEM. */
int oct_cache_filter_new(const oct_cache_filter_config *config, oct_cache_filter **filter,
                         oct_diag *diag);
void oct_cache_filter_free(oct_cache_filter *filter); /* NULL is allowed */

/* What missed of one batch; owned by the filter, valid until its next call. */
typedef struct oct_filtered {
  oct_batch events; /* with all map entries of the batch given */
  const uint64_t *blocks;
  size_t n_blocks;
  uint64_t reserved[4]; /* 0 */
} oct_filtered;

/* Take a batch; batches of a trace follow each other. OCT_ERR_NOMEM. */
int oct_cache_filter_put(oct_cache_filter *filter, const oct_batch *batch, oct_filtered *missed);

/* Counts so far, all 0 of a cache that is off. */
const oct_cache_counts *oct_cache_filter_insn_counts(const oct_cache_filter *filter);
const oct_cache_counts *oct_cache_filter_data_counts(const oct_cache_filter *filter);

#ifdef __cplusplus
}
#endif
#endif
