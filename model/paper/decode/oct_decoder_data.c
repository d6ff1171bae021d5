/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder_data.c - data side of the decoder: DT bits and the mirror of the data address stride
 * cache (docs/port-format.md, sections 6 and 7).
 *
 * Each access takes a bit: one that hit has the address that the mirror predicts, one that missed
 * takes the next DMT record; then the mirror is updated as the encoder does. */
#include "oct_decoder_state.h"

/* Numbers of four bits, their bits in reverse order. */
static const uint8_t reversed4[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

int oct_decoder_is_data_side_empty(const oct_decoder *d) {
  return !d->pattern_left && !oct_queue_count(&d->dts) && !oct_queue_count(&d->dmts);
}

static int next_pattern(oct_decoder *d) {
  if (!oct_queue_count(&d->dts)) return 0;
  oct_dt_run *run = oct_dt_front(&d->dts);
  d->pattern = run->pattern;
  d->pattern_left = run->n_bits;
  if (--run->count == 0) oct_dt_pop(&d->dts);
  return 1;
}

static size_t dasc_set_of(const oct_decoder *d, uint64_t pcw, unsigned slot) {
  unsigned e = d->dasc_set_bits, r = reversed4[slot];
  uint64_t top = e >= 4 ? (uint64_t)r << (e - 4) : r >> (4 - e);
  return (size_t)((pcw ^ top) & oct_mask(e));
}

/* The entry of (pcw, slot) in a tagged cache. If there is none, one is given to it and *is_new set.
 */
static oct_decoder_dasc_entry *dasc_find_tagged(oct_decoder *d, uint64_t pcw, unsigned slot,
                                                int *is_new) {
  uint32_t ways = d->cfg.dasc_ways;
  size_t base = dasc_set_of(d, pcw, slot) * ways, victim = base;
  *is_new = 1;
  for (size_t i = base; i < base + ways; i++) {
    if (d->dasc[i].epoch != d->epoch) {
      /* Ways fill from the lowest, so no later way can hold the pair. */
      victim = i;
      break;
    }
    if (d->dasc_tags[i].pcw == pcw && d->dasc_tags[i].slot == slot) {
      victim = i;
      *is_new = 0;
      break;
    }
    if (d->dasc_tags[i].used < d->dasc_tags[victim].used) victim = i;
  }
  oct_dasc_tag *tag = &d->dasc_tags[victim];
  tag->pcw = pcw;
  tag->slot = slot;
  tag->used = ++d->dasc_stamp;
  return &d->dasc[victim];
}

static oct_decoder_dasc_entry *dasc_find(oct_decoder *d, uint64_t pcw, unsigned slot, int *is_new) {
  if (d->dasc_tags) return dasc_find_tagged(d, pcw, slot, is_new);
  oct_decoder_dasc_entry *e = &d->dasc[dasc_set_of(d, pcw, slot)];
  *is_new = 0;
  if (e->epoch != d->epoch) {
    e->epoch = d->epoch;
    e->lda = 0;
    e->stride = 0;
  }
  return e;
}

static void dasc_miss(oct_decoder *d, oct_decoder_dasc_entry *e, int is_new, uint64_t addr) {
  unsigned unused_bits = 32 - d->cfg.stride_bits;
  uint32_t delta = (uint32_t)(addr - e->lda);
  e->stride = is_new ? 0 : (int32_t)(delta << unused_bits) >> unused_bits;
  e->lda = addr;
  e->epoch = d->epoch;
}

int oct_decoder_take_accesses(oct_decoder *d, const oct_map_entry *map, uint8_t *flags) {
  uint64_t pcw = map->addr >> d->cfg.pc_align_bits;
  int is_variable = map->flags & OCT_MAP_VARIABLE;
  oct_access *out = d->accesses + d->n_accesses;
  unsigned s = d->insn_accesses;
  *flags = 0;
  for (; is_variable || s < map->n_slots; s++) {
    if (!d->pattern_left && !next_pattern(d)) break;
    unsigned slot = oct_access_slot(s);
    int is_new;
    oct_decoder_dasc_entry *e;
    if (d->pattern & 1) {
      e = dasc_find(d, pcw, slot, &is_new);
      if (is_new)
        return oct_decoder_fail_before(d, OCT_ERR_PACKET,
                                       "a data hit of 0x%llx that the cache lacks",
                                       (unsigned long long)map->addr);
      e->lda = (e->lda + (uint64_t)(int64_t)e->stride) & d->addr_mask;
    } else {
      if (!oct_queue_count(&d->dmts)) break;
      oct_dmt dmt = *oct_dmt_front(&d->dmts);
      oct_dmt_pop(&d->dmts);
      if (dmt.is_terminator) {
        d->pattern >>= 1;
        d->pattern_left--;
        d->insn_accesses = s;
        *flags = OCT_INSN_END;
        return 1;
      }
      e = dasc_find(d, pcw, slot, &is_new);
      dasc_miss(d, e, is_new, dmt.addr);
    }
    if (s == OCT_INSN_ACCESSES_MAX)
      return oct_decoder_fail_before(d, OCT_ERR_LIMIT, "more than %d accesses of one instruction",
                                     OCT_INSN_ACCESSES_MAX);
    d->pattern >>= 1;
    d->pattern_left--;
    unsigned bits = oct_map_slot(d->map, map, s), log2_size = bits & OCT_SLOT_SIZE_MASK;
    out[s].addr = e->lda;
    out[s].size_bytes = log2_size == OCT_SLOT_SIZE_UNKNOWN ? 0 : (uint8_t)(1u << log2_size);
    out[s].is_store = (bits & OCT_SLOT_STORE) != 0;
  }
  d->insn_accesses = s;
  return !is_variable && s == map->n_slots;
}
