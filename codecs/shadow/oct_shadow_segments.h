/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_segments.h - inside of the library: the segments of a trace through the tracer
 * `shadow`, and back. Functions are as those of oct_segment_codec.h. */
#ifndef OCT_SHADOW_SEGMENTS_H
#define OCT_SHADOW_SEGMENTS_H

#include "oct_segment_codec.h"

/* Instructions and accesses after which a segment ends. */
uint64_t oct_shadow_segment_items(const oct_codec_settings *settings);

int oct_shadow_put_new(const oct_codec_settings *settings, unsigned n_threads,
                       oct_segment_done_fn *done, void *context, oct_segment_put **put,
                       oct_diag *diag);
int oct_shadow_put_map(oct_segment_put *p, const oct_map_entry *entry);
int oct_shadow_put_bytes(oct_segment_put *p, unsigned channel, const void *bytes, size_t n);
int oct_shadow_put_insns(oct_segment_put *p, const oct_insn *insns, size_t n,
                         const oct_access *accesses, size_t n_accesses, oct_diag *diag);
uint64_t oct_shadow_put_room(const oct_segment_put *p);
bool oct_shadow_put_is_full(const oct_segment_put *p);
int oct_shadow_put_cut(oct_segment_put *p, oct_diag *diag);
int oct_shadow_put_finish(oct_segment_put *p, oct_diag *diag);
void oct_shadow_put_free(oct_segment_put *p);
int oct_shadow_get_new(const oct_codec_settings *settings, unsigned n_threads,
                       oct_segment_get **get, oct_diag *diag);
unsigned oct_shadow_get_ahead(const oct_segment_get *g);
int oct_shadow_get_add(oct_segment_get *g, oct_trace_segment *segment, oct_diag *diag);
int oct_shadow_get_insn(oct_segment_get *g, const oct_insn **insn, const uint8_t **addrs,
                        oct_diag *diag);
size_t oct_shadow_get_stride(const oct_segment_get *g);
int oct_shadow_get_end(oct_segment_get *g, oct_diag *diag);
void oct_shadow_get_drop(oct_segment_get *g);
void oct_shadow_get_free(oct_segment_get *g);

#endif
