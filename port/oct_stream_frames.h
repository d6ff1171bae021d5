/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stream_frames.h - inside of the library: the bytes of one source out of a file with frames of
 * a CoreSight formatter. */
#ifndef OCT_STREAM_FRAMES_H
#define OCT_STREAM_FRAMES_H

#include "oct_input.h"
#include "oct_unframe.h"

enum { OCT_STREAM_BYTES = 16384 };

/* All 0, then source; one of each file. */
typedef struct oct_stream_frames {
  uint8_t source; /* whose bytes are wanted, 1..0x6f; 0: the file has no frames */
  bool is_begun, met[OCT_FRAME_SOURCES];
  int fault;      /* enum oct_unframe_fault, to be told in the next call */
  uint64_t begin; /* offset of the first frame in the file */
  oct_unframe unframe;
  uint8_t bytes[OCT_STREAM_BYTES];
} oct_stream_frames;

/* Go on in the file: *bytes are the next *n_bytes of the source, perhaps none. They stay until the
 * next call, or, without frames, until *n_raw, the bytes of the file that they stand in, are taken
 * from it (oct_input_take), as the caller then has to. 1; 0 at the end of the file; or an error. */
int oct_stream_frames_next(oct_stream_frames *f, oct_input *in, const uint8_t **bytes,
                           size_t *n_bytes, size_t *n_raw, oct_diag *diag);
/* Behind the end: was the last frame whole, and did the source send anything? 0 or an error. */
int oct_stream_frames_end(const oct_stream_frames *f, const oct_input *in, oct_diag *diag);

#endif
