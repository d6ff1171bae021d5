/* SPDX-License-Identifier: Apache-2.0 */
/* oct_dasc.c - data address stride cache: lookup, update, latency (Milenković 2007, section 2.2).
 *
 * An entry has the last address and the last stride. An access hits when its address differs from
 * the last one by that stride; either way both are updated. Tagless, the entry is that of the
 * hashed instruction and slot, whoever wrote it; tagged, a set is searched and the least recently
 * used way replaced. */
#include "oct_dasc.h"

#include <stdlib.h>

/* Numbers of four bits, their bits in reverse order. */
static const uint32_t reversed[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

int oct_dasc_init(oct_dasc *s, const oct_config *cfg, oct_stats *stats) {
  memset(s, 0, sizeof *s);
  s->cfg = *cfg;
  s->stats = stats;
  s->set_bits = oct_log2(cfg->dasc_ways ? cfg->dasc_entries / cfg->dasc_ways : cfg->dasc_entries);
  for (uint32_t i = 0; i < 16; i++) s->slot_set[i] = reversed[i] << s->set_bits >> 4;
  if (cfg->dasc_ways)
    s->entries = malloc(cfg->dasc_entries * sizeof *s->entries);
  else
    s->pairs = malloc(cfg->dasc_entries * sizeof *s->pairs);
  if (!s->entries && !s->pairs) return OCT_ERR_NOMEM;
  oct_dasc_reset(s);
  return 0;
}

void oct_dasc_free(oct_dasc *s) {
  free(s->entries);
  free(s->pairs);
  s->entries = NULL;
  s->pairs = NULL;
}

void oct_dasc_reset(oct_dasc *s) {
  if (s->entries) memset(s->entries, 0, s->cfg.dasc_entries * sizeof *s->entries);
  if (s->pairs) memset(s->pairs, 0, s->cfg.dasc_entries * sizeof *s->pairs);
  s->now = 0;
}

bool oct_dasc_step_tagged(oct_dasc *s, uint64_t pc, uint32_t slot, uint64_t da) {
  oct_dasc_widths widths = oct_dasc_widths_of(&s->cfg);
  oct_dasc_entry *e = s->entries + (size_t)oct_dasc_set(s, widths, pc, slot) * s->cfg.dasc_ways;
  uint64_t pcw = pc >> s->cfg.pc_align_bits;
  oct_dasc_entry *victim = e;
  for (uint32_t w = 0; w < s->cfg.dasc_ways; w++) {
    if (e[w].used && e[w].pcw == pcw && e[w].slot == slot) {
      e[w].used = ++s->now;
      return oct_dasc_step_pair(widths, &e[w].lda, &e[w].stride, da);
    }
    if (e[w].used < victim->used) victim = &e[w];
  }
  victim->pcw = pcw;
  victim->slot = (uint8_t)slot;
  victim->used = ++s->now;
  victim->lda = da;
  victim->stride = 0;
  return false;
}

bool oct_dasc_eval(oct_dasc *s, const oct_dasc_in *in) {
  bool out_free = oct_hold_eval(&s->hold, in->out_ready);
  bool ready = !s->hold.hold_valid_q || (s->cfg.pipelined && out_free);
  if (s->hold.out_load_d) s->out_d = s->hold_q;
  if (in->valid && ready) {
    s->hold_d = oct_dasc_take(s, in->word);
    oct_hold_load(&s->hold);
  }
  return ready;
}

void oct_dasc_clock(oct_dasc *s) {
  if (s->hold.out_load_d) s->out_q = s->out_d;
  if (s->hold.hold_load_d) s->hold_q = s->hold_d;
  oct_hold_clock(&s->hold);
}
