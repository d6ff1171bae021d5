/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_time.h - time stamps (docs/shadow-format.md, section 9). A template over the coder, as
 * oct_shadow_data.h.
 *
 * Both sides know which instructions have a stamp, and expect one instruction or access a cycle
 * since the last one. What a stamp is late by is most often what it was late by before: at the same
 * instruction, where each has a stamp. That costs nothing after a while; else the change is coded.
 * Where not each has a stamp, its decisions are always symbols: so the stages of a circuit need not
 * know what a stamp says. */
#ifndef OCT_SHADOW_TIME_H
#define OCT_SHADOW_TIME_H

#include "oct_shadow_data.h"

OCT_INLINE oct_time_entry *oct_time_entry_of(oct_shadow_model *m, uint64_t pc) {
  uint64_t w = pc >> m->cfg.pc_align_bits;
  if (m->cfg.time_period_insns != 1) return &m->time.entries[0];
  return &m->time.entries[(w ^ w >> OCT_TIME_INDEX_BITS) & (OCT_TIME_ENTRIES - 1)];
}

/* Whether there is a stamp, which is *cycle (compressor: has, and *cycle, as the trace tells). */
static inline bool oct_code_stamp(oct_shadow_model *m, oct_coder *c, uint64_t pc, bool has,
                                  uint64_t *cycle) {
  oct_shadow_time *t = &m->time;
  oct_time_entry *entry = oct_time_entry_of(m, pc);
  const uint64_t expected = t->last_cycle + t->pace + (uint64_t)(int64_t)entry->late;
  const bool is_each = m->cfg.time_period_insns == 1;
  if (is_each ? oct_code_streak(c, &t->missing, !has) : oct_symbol_streak(c, &t->missing, !has))
    return false;
  uint64_t d = *cycle - expected, v = (d << 1) ^ (0 - (d >> 63));
  oct_prob_streak *s = &t->differs[entry->history & 3];
  const bool is_silent = is_each && s->streak == OCT_STREAK_SILENT;
  unsigned differs = is_silent && oct_code_streak(c, s, d != 0), is_far = 0, is_less = 0;
  if (differs || !is_silent) oct_coder_open(c);
  if (!is_silent) differs = oct_path_streak(c, s, d != 0, 4);
  if (differs) is_far = oct_path_prob(c, &t->far, v > 2, 2);
  if (differs && !is_far) is_less = oct_path_prob(c, &t->less[entry->history >> 2], d >> 63, 1);
  if (differs || !is_silent) oct_coder_close(c);
  if (is_far) {
    unsigned length = oct_path_length(c, t->length, v, 0);
    oct_coder_close(c);
    v = oct_code_rest(c, length, v, 64);
    is_less = v & 1;
    d = (v >> 1) ^ (0 - (v & 1));
  } else {
    d = differs ? is_less ? UINT64_MAX : 1 : 0;
  }
  const uint64_t late = d + (uint64_t)(int64_t)entry->late;
  entry->late = late + 0x8000 < 0x10000 ? (int16_t)late : 0;
  const unsigned was_less = differs ? is_less : entry->history >> 2;
  entry->history = (uint8_t)(was_less << 2 | (entry->history << 1 & 2) | differs);
  *cycle = expected + d;
  return true;
}

/* The instruction at pc, which made n accesses: its stamp, if one is due. As oct_code_stamp. */
OCT_INLINE bool oct_step_time(oct_shadow_model *m, oct_coder *c, uint64_t pc, unsigned n, bool has,
                              uint64_t *cycle) {
  oct_shadow_time *t = &m->time;
  const uint32_t period_insns = m->cfg.time_period_insns;
  bool is_stamped = false;
  if (!t->left_insns) {
    c->category = OCT_SC_TIME;
    is_stamped = oct_code_stamp(m, c, pc, has, cycle);
    oct_coder_stamp(c);
    oct_coder_item(c);
    if (is_stamped) {
      t->last_cycle = *cycle;
      t->pace = 0;
    }
    t->left_insns = period_insns ? period_insns : UINT64_MAX;
  }
  t->left_insns--;
  t->pace += n > 1 ? n : 1;
  return is_stamped;
}

#endif
