/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stream_frames.c - the bytes of one source out of a file with frames of a CoreSight formatter.
 *
 * The first frame begins with the file, or behind a full sync if the file begins in the middle of a
 * frame. What comes before a fault is handed out first. */
#include "oct_stream_frames.h"

#include <stdio.h>

enum { SOURCES_TOLD = 16 };

static int tell_fault(const oct_stream_frames *f, const oct_input *in, oct_diag *diag) {
  const uint64_t offset = f->begin + f->unframe.fault_offset;
  if (f->fault == OCT_UNFRAME_SYNC)
    return oct_input_fail(in, offset, diag, OCT_ERR_FORMAT,
                          "a full sync within a frame: bytes before it are missing");
  return oct_input_fail(in, offset, diag, OCT_ERR_FORMAT,
                        "the reserved source 0x%x: expected frames of CoreSight, whose first "
                        "begins with the file or after a full sync",
                        f->unframe.fault_source);
}

int oct_stream_frames_next(oct_stream_frames *f, oct_input *in, const uint8_t **bytes,
                           size_t *n_bytes, size_t *n_raw, oct_diag *diag) {
  const uint8_t *p;
  oct_unframed carried[OCT_UNFRAMED_MAX];
  *n_bytes = *n_raw = 0;
  if (f->fault) return tell_fault(f, in, diag);
  const bool is_first = f->source && !f->is_begun;
  int64_t n = oct_input_peek(in, is_first ? OCT_INPUT_PEEK_BYTES : 1, &p, diag);
  if (n < 0 && is_first) n = oct_input_peek(in, 1, &p, diag); /* what comes before damage */
  if (n <= 0) return (int)n;
  if (is_first) {
    f->is_begun = true;
    f->begin = oct_unframe_begin(p, (size_t)n);
    oct_input_take(in, (size_t)f->begin);
    return 1;
  }
  *n_raw = n > OCT_STREAM_BYTES ? OCT_STREAM_BYTES : (size_t)n;
  *bytes = f->source ? f->bytes : p;
  *n_bytes = f->source ? 0 : *n_raw;
  for (size_t i = 0; f->source && !f->fault && i < *n_raw; i++) {
    const int n_carried = oct_unframe_put(&f->unframe, p[i], carried);
    if (n_carried < 0) f->fault = n_carried;
    for (int k = 0; k < n_carried; k++) {
      f->met[carried[k].source] = true;
      if (carried[k].source == f->source) f->bytes[(*n_bytes)++] = carried[k].byte;
    }
  }
  return 1;
}

int oct_stream_frames_end(const oct_stream_frames *f, const oct_input *in, oct_diag *diag) {
  char others[SOURCES_TOLD * 5 + 1] = "";
  size_t n = 0;
  unsigned n_others = 0;
  if (!f->source) return 0;
  if (oct_unframe_is_cut(&f->unframe))
    return oct_input_fail(in, oct_input_offset(in), diag, OCT_ERR_TRUNCATED,
                          "the last frame has %u of %d bytes: expected whole frames, from the "
                          "first byte or from a full sync on",
                          f->unframe.n, OCT_FRAME_BYTES);
  if (f->met[f->source]) return 0;
  for (unsigned i = 1; i <= OCT_FRAME_ID_MAX; i++)
    if (f->met[i] && n_others++ < SOURCES_TOLD)
      n += (size_t)snprintf(others + n, sizeof others - n, n ? ", %u" : "%u", i);
  if (!n_others && f->unframe.has_untold)
    return oct_fail(diag, OCT_ERR_ARG,
                    "none of these frames of CoreSight has the number of a source: expected one "
                    "every few frames (a ring that has wrapped round needs REPEAT_FRAMES of "
                    "oct_formatter, or a flush now and then)");
  if (!n_others)
    return oct_fail(diag, OCT_ERR_ARG, "no source sent anything in these frames of CoreSight");
  return oct_fail(diag, OCT_ERR_ARG, "no bytes of source %u: expected frames=%s%s", f->source,
                  others,
                  n_others > SOURCES_TOLD ? " or another one"
                  : n_others > 1          ? " (one of them)"
                                          : "");
}
