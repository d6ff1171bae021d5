/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_config.c - which legal parameters the cycle engine and the circuit do not take: the
 * rules of oct_shadow_config.h as code; and what a machine of these parameters holds, in bits
 * (docs/shadow.md, State). */
#include "oct_shadow_config.h"

#include "oct_mask.h"
#include "oct_shadow_coder.h"
#include "oct_shadow_mix.h"
#include "oct_shadow_model.h"

/* For the conditions, which use some of them. */
#define PARAM_LOCAL(name, ...)     \
  const uint32_t name = cfg->name; \
  (void)name;
#define REFUSE(name, condition, expected, example) \
  if (condition) return oct_fail_param(diag, OCT_ERR_CONFIG, #name, name, "expected " expected);

int oct_shadow_config_check_timed(const oct_shadow_config *cfg, oct_diag *diag) {
  OCT_SHADOW_PARAMS(PARAM_LOCAL)
  OCT_SHADOW_TIMED_RULES(REFUSE)
  return 0;
}

int oct_shadow_config_check_circuit(const oct_shadow_config *cfg, oct_diag *diag) {
  OCT_SHADOW_PARAMS(PARAM_LOCAL)
  OCT_SHADOW_CIRCUIT_RULES(REFUSE)
  return oct_shadow_config_check_timed(cfg, diag);
}

/* ---- State ---- */

static uint64_t registers_bits(const uint32_t *values) {
  const oct_shadow_config c = oct_shadow_config_of(values);
  uint64_t bank = (uint64_t)c.regs * (2 * c.addr_bits + 4) + 14 + c.addr_bits + 6;
  return bank * c.banks + (c.banks > 1 ? (uint64_t)c.banks * c.task_bits : 0);
}

static uint64_t value_cache_bits(const uint32_t *values) {
  const oct_shadow_config c = oct_shadow_config_of(values);
  unsigned word = c.addr_bits > 32 ? 64 : 32;
  uint64_t ages = c.vc_ways == 2 ? 1 : (uint64_t)c.vc_ways * oct_log2_up(c.vc_ways);
  /* And two words that were learnt and wait, with their addresses. */
  return (uint64_t)c.vc_sets * (c.vc_ways * (word + c.vc_tag_bits + word / 32) + ages) +
         2 * (word + c.addr_bits + 1);
}

/* Hash and confidence are for the table of differences alone. */
static uint64_t stride_state_bits(const uint32_t *values) {
  const oct_shadow_config c = oct_shadow_config_of(values);
  unsigned choice = c.dfcm_entries ? 12 + 2 : 0;
  return (uint64_t)c.stride_entries * (c.addr_bits + c.stride_bits + choice + 2 + 3) + c.addr_bits;
}

static uint64_t dfcm_state_bits(const uint32_t *values) {
  const oct_shadow_config c = oct_shadow_config_of(values);
  return (uint64_t)c.dfcm_entries * (c.diff_bits + 2);
}

static uint64_t match_bits(const uint32_t *values) {
  const oct_shadow_config c = oct_shadow_config_of(values);
  unsigned number = oct_log2_up(c.match_entries);
  if (!c.match_entries) return 0;
  return (uint64_t)c.match_entries * (2 * c.addr_bits + number) + 2 * number + 4;
}

static uint64_t branch_bits(const uint32_t *values) {
  const oct_shadow_config c = oct_shadow_config_of(values);
  uint64_t n = (uint64_t)c.pc_entries + c.short_entries + c.long_entries;
  return n * OCT_PROB_BRANCH_BITS + (c.short_bits > c.long_bits ? c.short_bits : c.long_bits);
}

static uint64_t mix_bits(const uint32_t *values) {
  const oct_shadow_config c = oct_shadow_config_of(values);
  if (!c.mix_sets) return 0;
  return (uint64_t)c.mix_sets * 3 * OCT_WEIGHT_BITS +
         OCT_MIX_DELAY * (oct_log2_up(c.mix_sets) + OCT_MIX_ERROR_BITS + 3u * OCT_STRETCH_BITS);
}

static uint64_t target_bits(const uint32_t *values) {
  const oct_shadow_config c = oct_shadow_config_of(values);
  unsigned a = c.addr_bits - c.pc_align_bits;
  return (uint64_t)c.path_entries * a + (uint64_t)c.target_entries * (a + 9) + 16 +
         (uint64_t)c.return_entries * a + oct_log2_up(c.return_entries);
}

/* Those that can be used: a tree has no node 0, and a single guess no rival. */
static uint64_t probability_bits(const uint32_t *values) {
  const oct_shadow_probs *p = NULL;
#define OCT_FIELD(name, dimensions) +sizeof p->name / sizeof(oct_prob_streak)
  size_t streaks = 0 OCT_SHADOW_STREAKS(OCT_FIELD);
#undef OCT_FIELD
#define OCT_FIELD(name, dimensions) +sizeof p->name / sizeof(oct_prob)
  size_t others = 0 OCT_SHADOW_PROBS(OCT_FIELD);
#undef OCT_FIELD
  if (!oct_shadow_config_of(values).dfcm_entries)
    streaks -= sizeof p->stride / sizeof *p->stride - 8 + sizeof p->second / sizeof *p->second;
  if (!oct_shadow_config_of(values).match_entries)
    streaks -= sizeof p->match / sizeof(oct_prob_streak);
  return streaks * (OCT_PROB_BITS + OCT_STREAK_BITS) + (others - OCT_REFS - 1) * OCT_PROB_BITS;
}

static uint64_t time_bits(const uint32_t *values) {
  const oct_shadow_time *t = NULL;
  if (!oct_shadow_config_of(values).timestamp) return 0;
  return 3 * 56 + OCT_TIME_ENTRIES * (16 + 3) +
         (1 + sizeof t->differs / sizeof *t->differs) * (OCT_PROB_BITS + OCT_STREAK_BITS) +
         (3 + OCT_LENGTHS) * OCT_PROB_BITS;
}

/* Instructions, each with its address, 4 bytes and what it is; accesses with their size. */
static uint64_t gather_bits(const uint32_t *values) {
  const oct_shadow_config c = oct_shadow_config_of(values);
  return (uint64_t)c.gather_insns * (c.addr_bits + 32 + 8) +
         (uint64_t)c.gather_accesses * (c.addr_bits + 4);
}

/* A word has an address, or the contexts of an access, or a probability; and its kind. */
static uint64_t queue_bits(const uint32_t *values) {
  const oct_shadow_config c = oct_shadow_config_of(values);
  return (uint64_t)c.queue_words * (c.addr_bits + 4);
}

/* Interval, bits above it, the byte held back, check, instruction number, instructions and silent
 * decisions since the last symbol, the instruction at hand. */
static uint64_t coder_bits(const uint32_t *values) {
  const oct_shadow_config c = oct_shadow_config_of(values);
  return OCT_CODER_BITS + (OCT_CODER_BITS + 12) + 4 + 9 + 16 + 42 + 2 * 32 + 2ull * c.addr_bits +
         c.task_bits;
}

const oct_state_part oct_shadow_state_parts[OCT_SHADOW_STATE_PARTS] = {
    {"registers", "shadow registers, with their origins", registers_bits},
    {"value_cache", "value cache", value_cache_bits},
    {"stride", "stride table", stride_state_bits},
    {"dfcm", "differences by the last two", dfcm_state_bits},
    {"match", "accesses that may come again", match_bits},
    {"branches", "branch probabilities and history", branch_bits},
    {"mix", "weights of the mix", mix_bits},
    {"targets", "indirect targets, return stack", target_bits},
    {"probabilities", "of all other decisions", probability_bits},
    {"coder", "coder, check, counters", coder_bits},
    {"time", "the last stamp, delays of stamps", time_bits},
    {"gather", "instructions and accesses that came", gather_bits},
    {"queue", "before the coder", queue_bits},
};
