/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cdc.h - an address predictor after the C/DC prefetcher (Michaud 2009, section 5.3 and Figure
 * 5; Nesbit 2004).
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
#ifndef OCT_CDC_H
#define OCT_CDC_H

#include <stddef.h>
#include <stdint.h>

#include "oct_error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OCT_CDC_ENTRIES_MAX = 65536, OCT_CDC_KEY_MAX = 8 };

typedef struct oct_cdc_config {
  uint64_t zone_bytes;    /* a power of two, at least line_bytes */
  uint32_t line_bytes;    /* a power of two: addresses are taken without their offset in a line */
  uint32_t index_entries; /* a power of two, up to OCT_CDC_ENTRIES_MAX */
  uint32_t ghb_entries;   /* 2 .. OCT_CDC_ENTRIES_MAX */
  uint32_t key_deltas;    /* 1 .. OCT_CDC_KEY_MAX */
  uint64_t reserved[4];   /* 0 */
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

#ifdef __cplusplus
}
#endif
#endif
