/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_model.h - what compressor and decoder of `shadow` both hold (docs/shadow-format.md):
 * shadow registers and flags, value cache, tables of predictors, probabilities. */
#ifndef OCT_SHADOW_MODEL_H
#define OCT_SHADOW_MODEL_H

#include "octrace/map.h"
#include "oct_shadow_config.h"
#include "oct_shadow_mix.h"
#include "octrace/trace.h"
#include "oct_shadow_prob.h"
#include "octrace/tracer.h"

#include <stdbool.h>
#include <stddef.h>

/* Lowest bits of a word's number that tell it from another that a store changes. */
enum { OCT_STALE_BITS = 12 };

/* Registers, flags. A bit of known says that val holds the value; origin is the address of the word
 * that an unknown one was loaded from. */
typedef struct oct_shadow_regs {
  uint64_t val[256]; /* whatever number an operation names, there is one */
  uint64_t known;    /* by register; ZERO is always known, NONE never */
  uint64_t origin[OCT_REG_COUNT];
  uint32_t has_origin;
  uint8_t cond_known, cond_val; /* by condition, EQ, CS, MI, VS, HI, GE, GT */
  uint8_t conf[256];            /* by base register: how often an address was right, 0..3 */
  bool has_conf;                /* one of them is not 0 */
  /* Where the instruction at hand goes, if it is indirect and the shadow knows. */
  bool target_known, has_target_word;
  uint64_t target, target_word; /* the word that the target is loaded from */
} oct_shadow_regs;

/* Registers of a task. Those of the task that runs are in the model, not here. */
typedef struct oct_shadow_bank {
  oct_shadow_regs regs;
  uint32_t task;
  bool is_used;
  uint64_t used_at; /* switches until its last use */
} oct_shadow_bank;

/* A word and its tag, which has 61 bits at most; below it, which halves (of 32 bits) are valid. */
enum { OCT_VC_KEY_TAG = 2, OCT_VC_HALVES = 3 };
typedef struct oct_vc_entry {
  uint64_t key, val;
} oct_vc_entry;

typedef struct oct_stride_entry {
  uint64_t last;
  int64_t s1;  /* newest difference */
  uint16_t s2; /* hash of the one before */
  uint16_t conf_s, ref, hist;
} oct_stride_entry;

typedef struct oct_dfcm_entry {
  int64_t diff;
  uint16_t conf;
} oct_dfcm_entry;

/* A word that was learnt, on its way to the value cache. */
typedef struct oct_learnt_word {
  uint64_t addr, val;
  bool is_valid;
} oct_learnt_word;

/* Unknown accesses that were coded, to be found again (oct_shadow_match.h). */
enum { OCT_MATCH_LONG = 15, OCT_MATCH_SETS = 4 };
typedef struct oct_match_entry {
  uint64_t addr, key; /* key: what made the access */
} oct_match_entry;
typedef struct oct_shadow_match {
  oct_match_entry *ring;
  uint32_t *heads; /* by the newest two: number of the one that followed them; 0: none */
  uint32_t *due;   /* the one of the newest two, which are not entered yet; or NULL */
  uint64_t mask;   /* of a place in either */
  uint64_t n;      /* accesses so far, */
  uint64_t at;     /* number of the one that is expected, */
  uint32_t length; /* how far it is trusted, OCT_MATCH_LONG at most; 0: none is expected */
} oct_shadow_match;

typedef struct oct_target_entry {
  uint64_t target;
  uint64_t tag;
  uint8_t valid;
} oct_target_entry;

/* What decides: categories of bits. */
typedef enum oct_shadow_category {
  OCT_SC_PERIOD, /* where periods begin and end, tasks and traps */
  OCT_SC_ESCAPE, /* where the flow of instructions is not what the program says */
  OCT_SC_BRANCH, /* directions of branches */
  OCT_SC_TARGET, /* hits of indirect targets */
  OCT_SC_TARGET_ADDR,
  OCT_SC_DONE,   /* whether accesses are made, and how many; escapes that say how many */
  OCT_SC_CLAIM,  /* addresses that the shadow knows */
  OCT_SC_NEXT,   /* later accesses of an instruction */
  OCT_SC_STRIDE, /* hits of stride and difference tables */
  OCT_SC_REF,
  OCT_SC_LENGTH,
  OCT_SC_DIFF, /* differences */
  OCT_SC_TIME, /* stamps */
  OCT_SC_COUNT
} oct_shadow_category;

/* Lengths of differences, in bits; from the last one on all bits follow. */
enum { OCT_REFS = 3, OCT_LENGTH_BITS = 5, OCT_LENGTHS = 32, OCT_LENGTH_RAW = 31 };

/* A branch whose delay slot comes before it takes effect (MIPS). */
typedef enum oct_delay {
  OCT_DELAY_NONE,
  OCT_DELAY_BRANCH, /* the instruction at hand is the branch */
  OCT_DELAY_SLOT    /* it is the one in the slot */
} oct_delay;

typedef struct oct_delayed {
  uint8_t stage; /* oct_delay */
  oct_map_entry branch;
  bool cond_known, cond; /* before the slot */
  bool target_known, has_target_word;
  uint64_t target, target_word;
} oct_delayed;

/* What a direction teaches the weights of the mix, OCT_MIX_DELAY directions later. One of all zeros
 * teaches nothing. */
enum { OCT_MIX_DELAY = 6 };
typedef struct oct_mix_lesson {
  uint32_t set;
  int16_t error;
  int8_t stretch[3];
} oct_mix_lesson;

/* The fields of oct_shadow_probs: FIELD(name, dimensions), first those with a streak. */
#define OCT_SHADOW_STREAKS(FIELD) \
  FIELD(claim, [8])               \
  FIELD(next, [2])                \
  FIELD(stride, [32])             \
  FIELD(second, [8])              \
  FIELD(ref, [9])                 \
  FIELD(decided, [2])             \
  FIELD(target, [8])              \
  FIELD(more, [2])                \
  FIELD(leave, [3])               \
  FIELD(match, [OCT_MATCH_SETS][OCT_MATCH_LONG + 1])
#define OCT_SHADOW_PROBS(FIELD)          \
  FIELD(sign, [OCT_REFS][2])             \
  FIELD(aligned, [OCT_REFS][4])          \
  FIELD(length, [OCT_REFS][OCT_LENGTHS]) \
  FIELD(target_length, [OCT_LENGTHS])

typedef struct oct_shadow_probs {
#define OCT_FIELD(name, dimensions) oct_prob_streak name dimensions;
  OCT_SHADOW_STREAKS(OCT_FIELD)
#undef OCT_FIELD
#define OCT_FIELD(name, dimensions) oct_prob name dimensions;
  OCT_SHADOW_PROBS(OCT_FIELD)
#undef OCT_FIELD
} oct_shadow_probs;

/* All as likely as not. */
static inline void oct_streaks_start(oct_prob_streak *s, size_t n) {
  const oct_prob_streak half = {OCT_PROB_HALF, 0};
  for (size_t i = 0; i < n; i++) s[i] = half;
}

static inline void oct_probs_start(oct_prob *p, size_t n) {
  for (size_t i = 0; i < n; i++) p[i] = OCT_PROB_HALF;
}

static inline void oct_shadow_probs_start(oct_shadow_probs *p) {
#define OCT_FIELD(name, dimensions) \
  oct_streaks_start((oct_prob_streak *)&p->name, sizeof p->name / sizeof(oct_prob_streak));
  OCT_SHADOW_STREAKS(OCT_FIELD)
#undef OCT_FIELD
#define OCT_FIELD(name, dimensions) \
  oct_probs_start((oct_prob *)&p->name, sizeof p->name / sizeof(oct_prob));
  OCT_SHADOW_PROBS(OCT_FIELD)
#undef OCT_FIELD
}

/* What a stamp was late by, against one instruction or access a cycle; history: bits 1..0 of the
 * last two times, 1 = by something else than before; bit 2: by less, the last time it was. */
enum { OCT_TIME_INDEX_BITS = 6, OCT_TIME_ENTRIES = 1 << OCT_TIME_INDEX_BITS };
typedef struct oct_time_entry {
  int16_t late;
  uint8_t history;
} oct_time_entry;
typedef struct oct_shadow_time {
  uint64_t left_insns;       /* before the next stamp */
  uint64_t last_cycle, pace; /* of the last stamp; instructions and accesses since then */
  oct_time_entry entries[OCT_TIME_ENTRIES];
  oct_prob_streak missing, differs[4];
  oct_prob far, less[2], length[OCT_LENGTHS];
} oct_shadow_time;

typedef struct oct_shadow_stats {
  uint64_t claims, claims_right, strides, strides_right, seconds_right, coded;
  uint64_t nexts, nexts_right;
  uint64_t branches, decided, decided_right, predicted_right;
  uint64_t indirects, known, known_right, cached_right;
  uint64_t escapes;
} oct_shadow_stats;

typedef struct oct_shadow_model {
  oct_shadow_config cfg;
  uint64_t mask;      /* of an address */
  unsigned word_log2; /* of the value cache: 2 or 3 */
  unsigned vc_set_bits;
  uint64_t vc_tag_mask;
  unsigned dfcm_index_bits, pc_index_bits, short_index_bits, long_index_bits, target_index_bits;
  uint64_t base; /* address that the next address coded in full is coded against */
  oct_shadow_regs regs;
  oct_delayed delayed;
  oct_shadow_bank *banks;
  uint32_t bank; /* that regs belong to */
  uint64_t n_switches;
  oct_vc_entry *vc;
  bool has_words;              /* a word came into it since the last reset */
  oct_learnt_word learnt, due; /* by the instruction at hand; by one before it */
  oct_stride_entry *stride;
  oct_dfcm_entry *dfcm;
  oct_shadow_match match;
  oct_prob_branch *by_pc, *by_short, *by_long;
  int32_t (*weights)[4];
  oct_mix_lesson lessons[OCT_MIX_DELAY];
  uint32_t lesson_at; /* the oldest */
  oct_target_entry *path, *targets;
  uint64_t *returns;
  uint32_t return_top;
  uint64_t history; /* outcomes of branches, newest in bit 0 */
  uint64_t path_hash;
  uint64_t last_addr; /* access that was coded last */
  oct_shadow_probs probs;
  oct_shadow_time time;
  oct_shadow_stats stats;
} oct_shadow_model;

int oct_shadow_model_init(oct_shadow_model *m, const oct_shadow_config *cfg);
void oct_shadow_model_free(oct_shadow_model *m);
void oct_shadow_model_reset(oct_shadow_model *m);

#endif
