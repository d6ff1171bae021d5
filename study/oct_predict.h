/* SPDX-License-Identifier: Apache-2.0 */
/* oct_predict.h - predictors of branches, each with tables of 8 KB: bimodal, gshare, TAGE; and a
 * target buffer and a return address stack. They learn at once, without delay.
 *
 * Threads: each object is for one thread at a time. */
#ifndef OCT_PREDICT_H
#define OCT_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  OCT_PREDICT_BITS = 65536, /* of each direction predictor */
  OCT_TAGE_TABLES = 4,
  OCT_TAGE_INDEX_BITS = 10,
  OCT_TAGE_TAG_BITS = 9,
  OCT_TAGE_ENTRY_BITS = 3 + 2 + OCT_TAGE_TAG_BITS,
  OCT_TAGE_BASE_BITS = 12, /* log2 of the counters of the base predictor */
  OCT_TAGE_HISTORY_BITS = 130,
  OCT_TARGETS = 4096,
  OCT_RETURNS = 32
};

/* 2-bit counters by address (Smith 1981); and by address and global history (McFarling 1993). */
typedef struct oct_counters {
  uint8_t counter[OCT_PREDICT_BITS / 2];
  uint32_t history, history_mask; /* mask 0: bimodal */
} oct_counters;

void oct_counters_init(oct_counters *c, unsigned history_bits);
/* The prediction for the branch at pc, which then learns that it was taken, or not. pc has no low
 * bits that are 0 for every instruction. */
bool oct_counters_predict(oct_counters *c, uint64_t pc, bool is_taken);

typedef struct oct_tage_entry {
  int8_t counter; /* -4..3, taken from 0 on */
  uint8_t useful; /* 0..3 */
  uint16_t tag;
} oct_tage_entry;

/* A history of `length` bits folded into `bits`. */
typedef struct oct_tage_fold {
  uint32_t value;
  unsigned length, bits;
} oct_tage_fold;

/* TAGE (Seznec & Michaud 2006): a bimodal base and four tagged tables with histories of 5, 15, 44
 * and 130 branches. */
typedef struct oct_tage {
  int8_t base[1 << OCT_TAGE_BASE_BITS]; /* -2..1 */
  oct_tage_entry tables[OCT_TAGE_TABLES][1 << OCT_TAGE_INDEX_BITS];
  oct_tage_fold index[OCT_TAGE_TABLES], tag[2][OCT_TAGE_TABLES];
  uint8_t history[256]; /* a ring of outcomes */
  uint8_t newest;
  int8_t trusts_alternate; /* -8..7: whether a new entry predicts worse than its alternate */
  uint32_t random;
  uint64_t n_branches;
} oct_tage;

void oct_tage_init(oct_tage *t);
/* As oct_counters_predict. */
bool oct_tage_predict(oct_tage *t, uint64_t pc, bool is_taken);

/* The last target of each indirect jump and call: direct-mapped, with full tags. */
typedef struct oct_targets {
  uint64_t pc[OCT_TARGETS], target[OCT_TARGETS];
} oct_targets;
/* Whether the target was predicted; then it is learned. An all-zero oct_targets is empty. */
bool oct_targets_predict(oct_targets *t, uint64_t pc, uint64_t target);

/* A stack of return addresses, a ring that forgets the oldest ones. All zero: empty. */
typedef struct oct_returns {
  uint64_t addr[OCT_RETURNS];
  uint32_t top;
} oct_returns;
void oct_returns_push(oct_returns *r, uint64_t addr);
/* Whether a return goes to the address on top, which is taken off. */
bool oct_returns_predict(oct_returns *r, uint64_t addr);

#endif
