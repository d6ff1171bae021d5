/* SPDX-License-Identifier: Apache-2.0 */
/* octrace/cache.h - address streams, caches and how alike two address streams are. */
#ifndef OCTRACE_CACHE_H
#define OCTRACE_CACHE_H

#include "trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a cache is: its size, ways, lines, replacement, and what a store does.
 *
 * Threads: All functions may be called by any threads on values of their own. */

enum { OCT_CACHE_WAYS_MAX = 64, OCT_CACHE_LINE_BYTES_MIN = 4, OCT_CACHE_LINE_BYTES_MAX = 4096 };
#define OCT_CACHE_SIZE_BYTES_MAX (UINT64_C(1) << 30)

typedef enum oct_cache_repl {
  OCT_CACHE_LRU,
  OCT_CACHE_FIFO,
  OCT_CACHE_PLRU, /* tree pseudo-LRU; ways are a power of two */
  OCT_CACHE_RANDOM
} oct_cache_repl;

typedef struct oct_cache_config {
  uint64_t size_bytes; /* ways * line_bytes * a power of two, at most OCT_CACHE_SIZE_BYTES_MAX */
  uint32_t ways;       /* 1 .. OCT_CACHE_WAYS_MAX */
  uint32_t line_bytes; /* a power of two, 4 .. 4096 */
  oct_cache_repl repl;
  bool write_allocate; /* a store that misses brings the block in */
} oct_cache_config;

/* Change *config by text: `name=value[,name=value...]` with size (bytes, K or M behind), ways,
 * line, repl (lru, fifo, plru, random), allocate (yes, no). OCT_ERR_ARG with *diag when it cannot
 * be understood; what it says is checked by oct_cache_init. */
int oct_cache_config_parse(const char *text, oct_cache_config *config, oct_diag *diag);
/* The same in words that oct_cache_config_parse takes, all said; cut to n bytes. */
void oct_cache_config_print(const oct_cache_config *config, char *text, size_t n);

/* What of a trace misses in first-level caches: one for instructions, one for data (Michaud 2009,
 * section 4.2; the cache-miss traces of the VPC3 page).
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

typedef struct oct_cache_filter_config {
  bool has_insn_cache, has_data_cache;
  oct_cache_config insn_cache, data_cache;
  bool write_backs; /* among the blocks */
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
} oct_filtered;

/* Take a batch; batches of a trace follow each other. OCT_ERR_NOMEM. */
int oct_cache_filter_put(oct_cache_filter *filter, const oct_batch *batch, oct_filtered *missed);

/* Counts so far, all 0 of a cache that is off. */
const oct_cache_counts *oct_cache_filter_insn_counts(const oct_cache_filter *filter);
const oct_cache_counts *oct_cache_filter_data_counts(const oct_cache_filter *filter);

/* A sequence of byte addresses from wherever they come.
 *
 * Threads: A source is for one thread at a time, different ones may be used by different threads.
 */

/* A source of addresses. Whoever opens one fills it in; oct_addresses_close frees it. */
typedef struct oct_addresses {
  /* The next addresses, at most n (> 0): how many, 0 at the end, or an error with *diag filled. */
  int64_t (*read)(void *state, uint64_t *addrs, size_t n, oct_diag *diag);
  void (*close)(void *state);
  void *state;
} oct_addresses;

static inline int64_t oct_addresses_read(oct_addresses *a, uint64_t *addrs, size_t n,
                                         oct_diag *diag) {
  return a->read(a->state, addrs, n, diag);
}

static inline void oct_addresses_close(oct_addresses *a) {
  if (a->close) a->close(a->state);
  a->read = NULL;
  a->close = NULL;
  a->state = NULL;
}

/* Which addresses of a trace. */
enum { OCT_ADDRESSES_INSN = 1, OCT_ADDRESSES_DATA = 2 };

/* The addresses of the trace at path: of each instruction, then of its accesses, as `kinds` says;
 * of formats that have one of both only (lists of addresses, vpc3 records without instruction
 * fetches), those. Errors as oct_reader_open. */
int oct_addresses_of_trace(const char *path, const oct_read_options *options, unsigned kinds,
                           oct_addresses *a, oct_diag *diag);

/* The batches of a trace from elsewhere. */
typedef struct oct_batches {
  /* The next batch, valid until the next call: 1, 0 at the end, or an error with *diag filled. */
  int (*next)(void *state, oct_batch *batch, oct_diag *diag);
  void (*close)(void *state);
  void *state;
} oct_batches;

/* Their addresses, likewise. Closing them closes the batches; after OCT_ERR_NOMEM these are still
 * the caller's. */
int oct_addresses_of_batches(const oct_batches *batches, unsigned kinds, oct_addresses *a,
                             oct_diag *diag);

/* LRU miss ratios of many caches in one pass over their addresses.
 *
 * An LRU set of K ways holds the K blocks of that set used last (Mattson 1970). The stack distance
 * of a block is the number of other blocks of its set that were used since its last use, and
 * answers for all K at once. A level is a number of sets. From one level to the next, which has at
 * least twice the sets, a block's distance can only shrink (Hill 1989). This bounds the search of
 * each list by the level before. A block on top of its set is on top at all later levels: there
 * most look-ups end. Michaud 2009 uses the program Cheetah for this.
 *
 * Threads: An object is for one thread at a time, different ones may be used by different threads.
 */

enum { OCT_STACK_LEVELS_MAX = 32, OCT_STACK_WAYS_MAX = 4096 };
#define OCT_STACK_SETS_MAX (UINT32_C(1) << 26)

/* One number of sets. */
typedef struct oct_stack_level_config {
  uint32_t sets; /* a power of two up to OCT_STACK_SETS_MAX, more than the level before has */
  uint32_t ways; /* associativities up to this are told apart, 1 .. OCT_STACK_WAYS_MAX; 0: all */
} oct_stack_level_config;

typedef struct oct_stack_distance oct_stack_distance;

/* Memory: 12 to 24 bytes for each distinct block; 4 for each set and way of a level with bounded
 * ways; about 25 for each block of a level without. *s is owned by the caller. line_bytes is a
 * power of two. OCT_ERR_CONFIG with *diag, OCT_ERR_NOMEM. */
int oct_stack_distance_new(const oct_stack_level_config *levels, unsigned n_levels,
                           uint32_t line_bytes, oct_stack_distance **s, oct_diag *diag);
void oct_stack_distance_free(oct_stack_distance *s); /* NULL is allowed */

/* Take n byte addresses. OCT_ERR_NOMEM; OCT_ERR_LIMIT beyond 2^32 - 2 distinct blocks. */
int oct_stack_distance_put(oct_stack_distance *s, const uint64_t *addrs, size_t n);

/* Addresses taken, and distinct blocks among them. */
uint64_t oct_stack_distance_addresses(const oct_stack_distance *s);
uint64_t oct_stack_distance_blocks(const oct_stack_distance *s);
/* Misses of an LRU cache with the sets of a level and so many ways, from 1 to those of the level.
 * UINT64_MAX for other ways, which are not known. */
uint64_t oct_stack_distance_misses(const oct_stack_distance *s, unsigned level, uint32_t ways);

/* An address predictor after the C/DC prefetcher (Michaud 2009, section 5.3 and Figure 5; Nesbit
 * 2004).
 *
 * Memory is cut into concentration zones (CZones). A global history buffer (GHB), a ring, holds the
 * last addresses of all zones; each entry links to the one before of its zone, and an index table
 * to the newest of a zone. When an address comes:
 * - what its zone's index entry has predicted is compared with it: correct or incorrect; without a
 *   prediction, the address counts as not predicted;
 * - it is put into the GHB, at the head of its zone's chain;
 * - the newest key_deltas differences between addresses of the chain are the key; the chain is
 *   walked back for the same differences in a row, the newest first. Where they are found, the
 *   difference that came after them, added to the address, is the prediction for the next one of
 * the zone, kept in the index entry; else there is none.
 *
 * The index table is direct-mapped by the lower bits of the zone number and tagged by the zone: a
 * zone that takes the entry of another one drops its chain and its prediction.
 *
 * Threads: A predictor is for one thread at a time, different ones may be used by different
 * threads. */

enum { OCT_CDC_ENTRIES_MAX = 65536, OCT_CDC_KEY_MAX = 8 };

typedef struct oct_cdc_config {
  uint64_t zone_bytes;    /* a power of two, at least line_bytes */
  uint32_t line_bytes;    /* a power of two: addresses are taken without their offset in a line */
  uint32_t index_entries; /* a power of two, up to OCT_CDC_ENTRIES_MAX */
  uint32_t ghb_entries;   /* 2 .. OCT_CDC_ENTRIES_MAX */
  uint32_t key_deltas;    /* 1 .. OCT_CDC_KEY_MAX */
} oct_cdc_config;

/* Michaud 2009: zones of 64 KB, 64-byte lines, 256 entries in both tables, a key of two deltas. */
extern const oct_cdc_config oct_cdc_defaults;

typedef struct oct_cdc_counts {
  uint64_t correct, incorrect, not_predicted; /* their sum: all addresses */
} oct_cdc_counts;

typedef struct oct_cdc oct_cdc;

/* *p is owned by the caller. OCT_ERR_CONFIG with *diag, OCT_ERR_NOMEM. */
int oct_cdc_new(const oct_cdc_config *config, oct_cdc **p, oct_diag *diag);
void oct_cdc_free(oct_cdc *p); /* NULL is allowed */
/* Take n byte addresses. */
void oct_cdc_put(oct_cdc *p, const uint64_t *addrs, size_t n);
const oct_cdc_counts *oct_cdc_result(const oct_cdc *p);

/* What an address trace looks like to caches and to a predictor, and how far a lossy copy of it is
 * from that (Michaud 2009, section 5.3, Figures 3 and 5).
 *
 * Threads: An oct_fidelity is for one thread at a time, different ones may be used by different
 * threads. */

typedef struct oct_fidelity_config {
  uint32_t first_sets, last_sets; /* powers of two: these and all between */
  uint32_t ways;                  /* 1 to this, at most OCT_STACK_WAYS_MAX */
  oct_cdc_config predictor;       /* its line_bytes is that of the caches */
  uint64_t limit;                 /* addresses to take, 0 = all */
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
typedef struct oct_fidelity_difference {
  double largest, mean;
  uint32_t at_ways;
} oct_fidelity_difference;
/* Of one level; both traces have the same configuration. */
oct_fidelity_difference oct_fidelity_compare(const oct_fidelity *exact, const oct_fidelity *lossy,
                                             unsigned level);

#ifdef __cplusplus
}
#endif
#endif
