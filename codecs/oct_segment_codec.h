/* SPDX-License-Identifier: Apache-2.0 */
/* oct_segment_codec.h - inside of the library: what a codec describes that takes whole traces
 * (OCT_TAKES_TRACE): the segments of a trace, and back, each on a thread if there are some
 * (docs/codec-file.md, section 6).
 *
 * Each segment is a stream of its own: the codec starts anew with it, and with an empty program
 * map. */
#ifndef OCT_SEGMENT_CODEC_H
#define OCT_SEGMENT_CODEC_H

#include "octrace/codec.h"
#include "octrace/map.h"
#include "octrace/trace.h"

typedef struct oct_segment_put oct_segment_put;
typedef struct oct_segment_get oct_segment_get;

/* A segment that is done: its streams by channel, whose bytes the callee may take away. */
typedef int oct_segment_done_fn(void *context, oct_buffer *channels, oct_diag *diag);

/* A segment as the file has it. updates count from the segment's first instruction; they stay
 * where they are until get_end or get_drop. */
typedef struct oct_trace_segment {
  oct_buffer stream; /* of the codec */
  oct_map_update *updates;
  size_t n_updates;
  uint64_t n_insns;
} oct_trace_segment;

typedef struct oct_segment_codec {
  /* Make the settings fit a trace: options that follow from it are in settings->option_text then.
   * OCT_ERR_CONFIG. */
  int (*fit)(oct_codec_settings *settings, const oct_trace_info *info, oct_diag *diag);

  /* ---- Writing ---- */

  /* done is called for each segment in order. OCT_ERR_NOMEM, OCT_ERR_CONFIG. */
  int (*put_new)(const oct_codec_settings *settings, unsigned n_threads, oct_segment_done_fn *done,
                 void *context, oct_segment_put **put, oct_diag *diag);
  void (*put_free)(oct_segment_put *p); /* NULL is allowed */
  /* A change of the program map before the next instruction. OCT_ERR_NOMEM. */
  int (*put_map)(oct_segment_put *p, const oct_map_entry *entry);
  /* Bytes of another channel of the segment. OCT_ERR_NOMEM. */
  int (*put_bytes)(oct_segment_put *p, unsigned channel, const void *bytes, size_t n);
  /* The next n > 0 instructions, with n_accesses accesses. OCT_ERR_LIMIT, OCT_ERR_UNSUPPORTED,
   * OCT_ERR_MAP, OCT_ERR_NOMEM. */
  int (*put_insns)(oct_segment_put *p, const oct_insn *insns, size_t n, const oct_access *accesses,
                   size_t n_accesses, oct_diag *diag);
  /* How many instructions and accesses the segment may still have; the instruction that passes it
   * is in. */
  uint64_t (*put_room)(const oct_segment_put *p);
  /* Whether the segment has all that it may have. */
  bool (*put_is_full)(const oct_segment_put *p);
  /* The segment ends here. */
  int (*put_cut)(oct_segment_put *p, oct_diag *diag);
  /* After the last cut: wait until all segments are done. */
  int (*put_finish)(oct_segment_put *p, oct_diag *diag);

  /* ---- Reading ---- */

  /* OCT_ERR_FORMAT (settings that no writer makes), OCT_ERR_NOMEM. */
  int (*get_new)(const oct_codec_settings *settings, unsigned n_threads, oct_segment_get **get,
                 oct_diag *diag);
  void (*get_free)(oct_segment_get *g); /* NULL is allowed */
  /* How many segments may be added before the first of them is read to its end. */
  unsigned (*get_ahead)(const oct_segment_get *g);
  /* One more segment, whose contents move into g. OCT_ERR_NOMEM. */
  int (*get_add)(oct_segment_get *g, oct_trace_segment *segment, oct_diag *diag);
  /* The next instruction of the segments added (address, task, number of accesses), and the
   * addresses of its accesses (8 bytes each, in the machine's order, get_stride apart), valid until
   * the next call. OCT_ERR_FORMAT and others: the stream makes no sense or has fewer instructions
   * than its segment, or more. */
  int (*get_insn)(oct_segment_get *g, const oct_insn **insn, const uint8_t **addrs, oct_diag *diag);
  size_t (*get_stride)(const oct_segment_get *g);
  /* The first segment was read to its end: let go of it. OCT_ERR_FORMAT: its stream goes on. */
  int (*get_end)(oct_segment_get *g, oct_diag *diag);
  /* Let go of the first segment as it is. */
  void (*get_drop)(oct_segment_get *g);
} oct_segment_codec;

#endif
