/* SPDX-License-Identifier: Apache-2.0 */
/* oct_data_side.h - data side of the decoder: DT bits and DMT records to accesses, by a mirror of
 * the data address stride cache. */
#ifndef OCT_DATA_SIDE_H
#define OCT_DATA_SIDE_H

#include "octrace/map.h"
#include "oct_packet_queues.h"

typedef struct oct_dasc_mirror {
  uint64_t lda;
  int32_t stride;
  uint32_t epoch;
} oct_dasc_mirror;

typedef struct oct_dasc_tag {
  uint64_t pcw;
  uint64_t used;
  uint32_t slot;
} oct_dasc_tag;

/* Entries of another epoch are invalid: a sync costs nothing, however large the cache. */
typedef struct oct_data_side {
  uint32_t pattern;      /* bits not yet used of the pattern at hand, next in bit 0 */
  uint32_t pattern_left; /* their number */
  uint32_t epoch, align_bits, unused_bits, ways;
  uint32_t n_entries;
  uint64_t addr_mask, set_mask;
  uint64_t slot_bits[OCT_SLOTS_MAX]; /* what a slot adds to the number of a set */
  oct_dasc_mirror *dasc;
  oct_dasc_tag *tags; /* NULL when tagless */
  uint64_t stamp;
} oct_data_side;

/* cfg was checked. OCT_ERR_NOMEM; oct_data_side_free is to be called all the same. */
int oct_data_side_init(oct_data_side *s, const oct_config *cfg);
void oct_data_side_free(oct_data_side *s);

/* A sync: the mirror returns to its start. */
void oct_data_side_sync(oct_data_side *s);
/* Behind damage: drop the pattern at hand. The queues were cleared; a sync follows. */
void oct_data_side_drop(oct_data_side *s);

/* Take the accesses of the instruction with map entry e into out, which has room for
 * OCT_INSN_ACCESSES_MAX; *n of them were taken before, and *n counts on. 1 when that is all, with
 * OCT_INSN_END in *flags or none; 0 when a record is not known yet; OCT_ERR_PACKET or OCT_ERR_LIMIT
 * and *why. */
int oct_data_side_take(oct_data_side *s, oct_packet_queues *q, const oct_map *map,
                       const oct_map_entry *e, oct_access *out, uint32_t *n, uint8_t *flags,
                       oct_diag *why);

/* All packets of this side are used up. */
static inline bool oct_data_side_is_empty(const oct_data_side *s, const oct_packet_queues *q) {
  return !s->pattern_left && oct_packet_queue_is_empty(q, OCT_QUEUE_DTS) &&
         oct_packet_queue_is_empty(q, OCT_QUEUE_DMTS);
}

#endif
