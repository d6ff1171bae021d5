/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_emit.h - writes the definitions of a segment and the chunks of its locations. */
#ifndef OCT_EV_EMIT_H
#define OCT_EV_EMIT_H

#include "oct_ev_segment.h"
#include "oct_ev_write.h"

/* The parts of the index that grow with the file. */
typedef struct oct_ev_index_out {
  oct_buffer segments, chunks;
  uint64_t n_chunks; /* of the segment under way */
  uint64_t last_time, last_end;
} oct_ev_index_out;

/* Write the blocks of meta-events and patterns. Counts and index are brought up to date.
 * OCT_ERR_NOMEM, OCT_ERR_IO, OCT_ERR_LIMIT. */
int oct_ev_emit_definitions(oct_ev_writer *w, const oct_ev_segment *s, oct_ev_index_out *index,
                            oct_ev_counts *counts, oct_diag *diag);
/* Write the chunks of location number at, whose number among all is location. In lossy mode its
 * times become those that will be decoded. */
int oct_ev_emit_location(oct_ev_writer *w, const oct_ev_segment *s, size_t at, uint32_t location,
                         oct_ev_location *l, const oct_ev_choice *c, const oct_ev_params *params,
                         oct_ev_index_out *index, oct_ev_counts *counts, oct_diag *diag);

#endif
