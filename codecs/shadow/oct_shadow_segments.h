/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_segments.h - inside of the library: the segments of a trace through the tracer
 * `shadow`, and back, each on a thread if there are some (docs/codec-file.md, section 6).
 *
 * Each segment is a port stream of its own: the tracer starts anew with it, and with an empty
 * program map. */
#ifndef OCT_SHADOW_SEGMENTS_H
#define OCT_SHADOW_SEGMENTS_H

#include "octrace/codec.h"
#include "octrace/map.h"
#include "octrace/trace.h"

/* The machine that the settings ask for, made to fit a trace, by name in its parameters:
 * settings->option_text becomes that text. OCT_ERR_CONFIG. */
int oct_shadow_fit_machine(oct_codec_settings *settings, const oct_trace_info *info,
                           oct_diag *diag);

/* Instructions and accesses after which a segment ends. */
uint64_t oct_shadow_segment_items(const oct_codec_settings *settings);

/* ---- Writing ---- */

typedef struct oct_shadow_put oct_shadow_put;

/* A segment that is done: its streams by channel, whose bytes the callee may take away. */
typedef int oct_shadow_done_fn(void *context, oct_buffer *channels, oct_diag *diag);

/* done is called for each segment in order. OCT_ERR_NOMEM, OCT_ERR_CONFIG. */
int oct_shadow_put_new(const oct_codec_settings *settings, unsigned n_threads,
                       oct_shadow_done_fn *done, void *context, oct_shadow_put **put,
                       oct_diag *diag);
/* A change of the program map before the next instruction. OCT_ERR_NOMEM. */
int oct_shadow_put_map(oct_shadow_put *p, const oct_map_entry *entry);
/* Bytes of another channel of the segment. OCT_ERR_NOMEM. */
int oct_shadow_put_bytes(oct_shadow_put *p, unsigned channel, const void *bytes, size_t n);
/* The next n > 0 instructions, with n_accesses accesses. Errors of the tracer. */
int oct_shadow_put_insns(oct_shadow_put *p, const oct_insn *insns, size_t n,
                         const oct_access *accesses, size_t n_accesses, oct_diag *diag);
/* How many instructions and accesses the segment may still have; the instruction that passes it is
 * in. */
uint64_t oct_shadow_put_room(const oct_shadow_put *p);
/* Whether the segment has all that it may have. */
bool oct_shadow_put_is_full(const oct_shadow_put *p);
/* The segment ends here. */
int oct_shadow_put_cut(oct_shadow_put *p, oct_diag *diag);
/* After the last cut: wait until all segments are done. */
int oct_shadow_put_finish(oct_shadow_put *p, oct_diag *diag);
void oct_shadow_put_free(oct_shadow_put *p); /* NULL is allowed */

/* ---- Reading ---- */

typedef struct oct_shadow_get oct_shadow_get;

/* A segment as the file has it. updates count from the segment's first instruction. */
typedef struct oct_shadow_segment {
  oct_buffer stream; /* of the tracer */
  oct_map_update *updates;
  size_t n_updates;
  uint64_t n_insns;
} oct_shadow_segment;

/* OCT_ERR_FORMAT (the settings name no machine), OCT_ERR_NOMEM. */
int oct_shadow_get_new(const oct_codec_settings *settings, unsigned n_threads, oct_shadow_get **get,
                       oct_diag *diag);
/* How many segments may be added before the first of them is read to its end. */
unsigned oct_shadow_get_ahead(const oct_shadow_get *g);
/* One more segment, whose contents move into g. OCT_ERR_NOMEM. */
int oct_shadow_get_add(oct_shadow_get *g, oct_shadow_segment *segment, oct_diag *diag);
/* The next instruction of the segments added (address, task, number of accesses), and the addresses
 * of its accesses (8 bytes each, in the machine's order, oct_shadow_get_stride apart), valid until
 * the next call. OCT_ERR_FORMAT and others: the stream makes no sense or has fewer instructions
 * than its segment, or more. */
int oct_shadow_get_insn(oct_shadow_get *g, const oct_insn **insn, const uint8_t **addrs,
                        oct_diag *diag);
size_t oct_shadow_get_stride(const oct_shadow_get *g);
/* The first segment was read to its end: let go of it. OCT_ERR_FORMAT: its stream goes on. */
int oct_shadow_get_end(oct_shadow_get *g, oct_diag *diag);
/* Let go of the first segment as it is. */
void oct_shadow_get_drop(oct_shadow_get *g);
void oct_shadow_get_free(oct_shadow_get *g); /* NULL is allowed */

#endif
