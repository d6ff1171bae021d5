/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_model.c - making the model of `shadow` and putting it back to its start
 * (docs/shadow-format.md).
 *
 * All tables are allocated once and given their start values at every sync that drops them. The
 * curves of the mixing (stretch and squash) are made from few points, so that every machine has the
 * same. */
#include "oct_shadow_model.h"

#include "oct_mask.h"
#include "oct_shadow_coder.h"
#include "oct_shadow_mix.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int8_t oct_stretch_table[1024];
uint16_t oct_squash_table[2 * OCT_STRETCH_MAX + 1];

/* 4096 / (1 + e^(x / 16)) at x = 0, 8, ... 128. */
static const uint16_t squash_points[17] = {2047, 1546, 1102, 747, 488, 311, 194, 120, 74,
                                           45,   27,   17,   10,  6,   4,   2,   1};
/* 16 ln((2048 - t) / t) at t = 1, 2, 4, ... 1024. */
static const uint8_t stretch_points[11] = {122, 111, 100, 89, 78, 66, 55, 43, 31, 18, 0};

static void make_curves(void) {
  for (int x = 0; x <= OCT_STRETCH_MAX; x++) {
    int i = x >> 3, f = x & 7;
    uint16_t y = (uint16_t)((squash_points[i] * (8 - f) + squash_points[i + 1] * f) >> 3);
    oct_squash_table[OCT_STRETCH_MAX - x] = y;
    oct_squash_table[OCT_STRETCH_MAX + x] = (uint16_t)(OCT_CODER_PARTS - y);
  }
  for (unsigned v = 0; v < 512; v++) {
    unsigned t = 2 * v + 1, i = 31u - (unsigned)__builtin_clz(t), f = (t << 3 >> i) & 7;
    int8_t y = (int8_t)((stretch_points[i] * (8 - f) + stretch_points[i + 1] * f) >> 3);
    oct_stretch_table[v] = (int8_t)-y;
    oct_stretch_table[1023 - v] = y;
  }
}

/* A table of zeros. A large one is read here and there, so its pages are to be large too: the
 * processor knows where few of them are. */
static void *new_table(size_t n, size_t entry_bytes) {
  char *table = calloc(n, entry_bytes);
#ifdef MADV_HUGEPAGE
  const uintptr_t page_bytes = UINT32_C(1) << 21;
  uintptr_t begin = ((uintptr_t)table + page_bytes - 1) & -page_bytes;
  uintptr_t end = ((uintptr_t)table + n * entry_bytes) & -page_bytes;
  if (table && begin < end) madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#endif
  return table;
}

int oct_shadow_model_init(oct_shadow_model *m, const oct_shadow_config *cfg) {
  memset(m, 0, sizeof *m);
  if (!oct_squash_table[0]) make_curves();
  m->cfg = *cfg;
  m->mask = oct_mask(cfg->addr_bits);
  m->word_log2 = cfg->addr_bits > 32 ? 3 : 2;
  m->vc_set_bits = oct_log2(cfg->vc_sets);
  m->vc_tag_mask = oct_mask(cfg->vc_tag_bits);
  m->dfcm_index_bits = oct_log2(cfg->dfcm_entries);
  m->pc_index_bits = oct_log2(cfg->pc_entries);
  m->short_index_bits = oct_log2(cfg->short_entries);
  m->long_index_bits = oct_log2(cfg->long_entries);
  m->target_index_bits = oct_log2(cfg->target_entries);
  m->banks = calloc(cfg->banks, sizeof *m->banks);
  m->vc = calloc((size_t)cfg->vc_sets * cfg->vc_ways + 1, sizeof *m->vc);
  m->stride = calloc(cfg->stride_entries, sizeof *m->stride);
  m->dfcm = calloc(cfg->dfcm_entries + 1, sizeof *m->dfcm);
  m->match.ring = new_table(cfg->match_entries + 1, sizeof *m->match.ring);
  m->match.heads = new_table(cfg->match_entries + 1, sizeof *m->match.heads);
  m->match.mask = cfg->match_entries ? cfg->match_entries - 1 : 0;
  m->by_pc = calloc(cfg->pc_entries, sizeof *m->by_pc);
  m->by_short = calloc(cfg->short_entries, sizeof *m->by_short);
  m->by_long = calloc(cfg->long_entries, sizeof *m->by_long);
  m->weights = calloc(cfg->mix_sets + 1, sizeof *m->weights);
  m->path = calloc(cfg->path_entries, sizeof *m->path);
  m->targets = calloc(cfg->target_entries, sizeof *m->targets);
  m->returns = calloc(cfg->return_entries, sizeof *m->returns);
  if (!m->banks || !m->vc || !m->stride || !m->dfcm || !m->by_pc || !m->by_short || !m->by_long ||
      !m->weights || !m->path || !m->targets || !m->returns || !m->match.ring || !m->match.heads) {
    oct_shadow_model_free(m);
    return OCT_ERR_NOMEM;
  }
  oct_shadow_model_reset(m);
  return 0;
}

void oct_shadow_model_free(oct_shadow_model *m) {
  void *parts[] = {m->banks,    m->vc,         m->stride,     m->dfcm, m->by_pc,
                   m->by_short, m->by_long,    m->weights,    m->path, m->targets,
                   m->returns,  m->match.ring, m->match.heads};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
  memset(m, 0, sizeof *m);
}

static void start_branches(oct_prob_branch *p, size_t n) {
  for (size_t i = 0; i < n; i++) p[i] = OCT_PROB_BRANCH_HALF;
}

void oct_shadow_model_reset(oct_shadow_model *m) {
  const oct_shadow_config *c = &m->cfg;
  memset(&m->regs, 0, sizeof m->regs);
  m->regs.known = UINT64_C(1) << OCT_REG_ZERO;
  memset(m->banks, 0, c->banks * sizeof *m->banks);
  m->delayed.stage = OCT_DELAY_NONE;
  m->bank = 0;
  m->n_switches = 0;
  memset(m->vc, 0, (size_t)c->vc_sets * c->vc_ways * sizeof *m->vc);
  m->has_words = false;
  m->learnt.is_valid = m->due.is_valid = false;
  memset(m->stride, 0, c->stride_entries * sizeof *m->stride);
  memset(m->dfcm, 0, c->dfcm_entries * sizeof *m->dfcm);
  if (m->match.n) {
    memset(m->match.ring, 0, c->match_entries * sizeof *m->match.ring);
    memset(m->match.heads, 0, c->match_entries * sizeof *m->match.heads);
  }
  m->match.n = m->match.at = m->match.length = 0;
  m->match.due = NULL;
  memset(m->path, 0, c->path_entries * sizeof *m->path);
  memset(m->targets, 0, c->target_entries * sizeof *m->targets);
  memset(m->returns, 0, c->return_entries * sizeof *m->returns);
  start_branches(m->by_pc, c->pc_entries);
  start_branches(m->by_short, c->short_entries);
  start_branches(m->by_long, c->long_entries);
  for (uint32_t i = 0; i < c->mix_sets; i++)
    for (unsigned k = 0; k < 4; k++) m->weights[i][k] = OCT_WEIGHT_START;
  memset(m->lessons, 0, sizeof m->lessons);
  m->lesson_at = m->return_top = 0;
  m->history = m->path_hash = m->last_addr = m->base = 0;
  oct_shadow_probs_start(&m->probs);
  memset(&m->time, 0, sizeof m->time);
  oct_streaks_start(&m->time.missing, 1);
  oct_streaks_start(m->time.differs, sizeof m->time.differs / sizeof *m->time.differs);
  oct_probs_start(&m->time.far, 1);
  oct_probs_start(m->time.less, 2);
  oct_probs_start(m->time.length, OCT_LENGTHS);
}
