/* SPDX-License-Identifier: Apache-2.0 */
/* oct_data_side.c - data side of the decoder: DT bits and the mirror of the data address stride
 * cache (docs/port-format.md, sections 6 and 7).
 *
 * Each access takes a bit: one that hit has the address that the mirror predicts, one that missed
 * takes the next DMT record; then the mirror is updated as the encoder does. */
#include "oct_data_side.h"

/* Numbers of four bits, their bits in reverse order. */
static const uint8_t reversed4[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

int oct_data_side_init(oct_data_side *s, const oct_config *cfg) {
  memset(s, 0, sizeof *s);
  s->ways = cfg->dasc_ways;
  s->n_entries = cfg->dasc_entries;
  s->align_bits = cfg->pc_align_bits;
  s->unused_bits = 32 - cfg->stride_bits;
  s->addr_mask = oct_mask(cfg->addr_bits);
  s->set_mask = cfg->dasc_entries / (s->ways ? s->ways : 1) - 1;
  unsigned set_bits = (unsigned)__builtin_popcountll(s->set_mask);
  for (unsigned slot = 0; slot < OCT_SLOTS_MAX; slot++) {
    uint64_t r = reversed4[slot];
    s->slot_bits[slot] = (set_bits >= 4 ? r << (set_bits - 4) : r >> (4 - set_bits)) & s->set_mask;
  }
  s->dasc = calloc(cfg->dasc_entries, sizeof *s->dasc);
  s->tags = s->ways ? calloc(cfg->dasc_entries, sizeof *s->tags) : NULL;
  return s->dasc && (s->tags || !s->ways) ? 0 : OCT_ERR_NOMEM;
}

void oct_data_side_free(oct_data_side *s) {
  free(s->dasc);
  free(s->tags);
}

void oct_data_side_sync(oct_data_side *s) {
  if (++s->epoch) return;
  /* After 2^32 syncs an old epoch could be taken for the new one. */
  memset(s->dasc, 0, s->n_entries * sizeof *s->dasc);
  s->epoch = 1;
}

void oct_data_side_drop(oct_data_side *s) {
  s->pattern_left = 0;
}

static bool next_pattern(oct_data_side *s, oct_packet_queues *q) {
  oct_queue *dts = &q->of[OCT_QUEUE_DTS];
  if (!oct_queue_count(dts)) return false;
  oct_dt_run *run = oct_dt_front(dts);
  s->pattern = run->pattern;
  s->pattern_left = run->n_bits;
  if (--run->count == 0) oct_dt_pop(dts);
  return true;
}

/* The entry of (pcw, slot) in a tagged cache. If there is none, one is given to it and *is_new set.
 */
static oct_dasc_mirror *find_tagged(oct_data_side *s, uint64_t pcw, unsigned slot, bool *is_new) {
  size_t base = (size_t)((pcw ^ s->slot_bits[slot]) & s->set_mask) * s->ways, victim = base;
  *is_new = true;
  for (size_t i = base; i < base + s->ways; i++) {
    if (s->dasc[i].epoch != s->epoch) {
      /* Ways fill from the lowest, so no later way can hold the pair. */
      victim = i;
      break;
    }
    if (s->tags[i].pcw == pcw && s->tags[i].slot == slot) {
      victim = i;
      *is_new = false;
      break;
    }
    if (s->tags[i].used < s->tags[victim].used) victim = i;
  }
  oct_dasc_tag *tag = &s->tags[victim];
  tag->pcw = pcw;
  tag->slot = slot;
  tag->used = ++s->stamp;
  return &s->dasc[victim];
}

static inline oct_dasc_mirror *find(oct_data_side *s, uint64_t pcw, unsigned slot, bool *is_new) {
  *is_new = false;
  if (s->tags) return find_tagged(s, pcw, slot, is_new);
  oct_dasc_mirror *m = &s->dasc[(pcw ^ s->slot_bits[slot]) & s->set_mask];
  if (m->epoch != s->epoch) *m = (oct_dasc_mirror){0, 0, s->epoch};
  return m;
}

static void miss(const oct_data_side *s, oct_dasc_mirror *m, bool is_new, uint64_t addr) {
  uint32_t delta = (uint32_t)(addr - m->lda);
  m->stride = is_new ? 0 : (int32_t)(delta << s->unused_bits) >> s->unused_bits;
  m->lda = addr;
  m->epoch = s->epoch;
}

int oct_data_side_take(oct_data_side *s, oct_packet_queues *q, const oct_map *map,
                       const oct_map_entry *entry, oct_access *out, uint32_t *n_taken,
                       uint8_t *flags, oct_diag *why) {
  static const uint8_t size_bytes[OCT_SLOT_SIZE_MASK + 1] = {1, 2, 4, 8, 16, 32, 64, 0};
  uint64_t pcw = entry->addr >> s->align_bits;
  uint32_t n_max = entry->flags & OCT_MAP_VARIABLE ? UINT32_MAX : entry->n_slots;
  uint32_t n = *n_taken;
  *flags = 0;
  for (; n < n_max; n++) {
    if (!s->pattern_left && !next_pattern(s, q)) break;
    unsigned slot = oct_access_slot(n);
    bool is_new;
    oct_dasc_mirror *m;
    if (s->pattern & 1) {
      m = find(s, pcw, slot, &is_new);
      if (is_new)
        return oct_fail(why, OCT_ERR_PACKET, "a data hit of 0x%llx that the cache lacks",
                        (unsigned long long)entry->addr);
      m->lda = (m->lda + (uint64_t)(int64_t)m->stride) & s->addr_mask;
    } else {
      oct_queue *dmts = &q->of[OCT_QUEUE_DMTS];
      if (!oct_queue_count(dmts)) break;
      oct_dmt dmt = *oct_dmt_front(dmts);
      oct_dmt_pop(dmts);
      if (dmt.is_terminator) {
        s->pattern >>= 1;
        s->pattern_left--;
        *n_taken = n;
        *flags = OCT_INSN_END;
        return 1;
      }
      m = find(s, pcw, slot, &is_new);
      miss(s, m, is_new, dmt.addr);
    }
    if (n == OCT_INSN_ACCESSES_MAX)
      return oct_fail(why, OCT_ERR_LIMIT, "more than %d accesses of one instruction",
                      OCT_INSN_ACCESSES_MAX);
    s->pattern >>= 1;
    s->pattern_left--;
    unsigned bits = oct_map_slot(map, &entry->head, n);
    out[n].addr = m->lda;
    out[n].size_bytes = size_bytes[bits & OCT_SLOT_SIZE_MASK];
    out[n].is_store = (bits & OCT_SLOT_STORE) != 0;
  }
  *n_taken = n;
  return n == n_max;
}
