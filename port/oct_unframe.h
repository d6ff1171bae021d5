/* SPDX-License-Identifier: Apache-2.0 */
/* oct_unframe.h - takes the frames of a CoreSight formatter apart: which byte is of which source.
 *
 * A frame has 16 bytes. Bytes 0 to 14 carry data or, at even places, the number of a source (bit 0
 * is 1, the number above); byte 15 has a bit for each even place: the lowest bit of the data there,
 * or, with a number, whether it holds only from the second byte behind it on. Source 0 means
 * padding. Between frames, pins may send full syncs (ff ff ff 7f),
 * and between the halfwords of a frame half syncs (ff 7f). An ff at an even place would be source
 * 0x7f, which no chip has: so syncs are known at once, and are left out. Source: Arm CoreSight
 * Architecture Specification, formatter protocol (docs/references.md).
 *
 * Sources from 0x70 on are reserved. A formatter tells events of its own with two of them, each
 * with a byte: 0x7b at the end of a flush (Arm's Trace Memory Controller does so where EmbedFlush
 * of its register FFCR is set), 0x7d at a trigger. Their bytes are given out under that number,
 * and whoever wants one source leaves them out, as OpenCSD's trc_frame_deformatter.cpp does.
 * OpenCSD leaves out what is of any other reserved source, too. Here that is a fault: no formatter
 * sends one, so what is read are no frames, or they begin elsewhere. */
#ifndef OCT_UNFRAME_H
#define OCT_UNFRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  OCT_FRAME_BYTES = 16,
  OCT_UNFRAMED_MAX = OCT_FRAME_BYTES - 1,
  OCT_FRAME_SOURCES = 128,
  OCT_FRAME_ID_MAX = 0x6f
};

/* A byte that a frame carries. */
typedef struct oct_unframed {
  uint8_t source; /* 1..0x6f; 0x7b (flush) and 0x7d (trigger) are events of the formatter */
  uint8_t byte;
} oct_unframed;

/* What is wrong. The fault is at the last byte that was put, or at the one before it. */
typedef enum oct_unframe_fault {
  OCT_UNFRAME_RESERVED = -1, /* a source that no chip has: s->fault_source at s->fault_offset */
  OCT_UNFRAME_SYNC = -2      /* a full sync within a frame: bytes are missing */
} oct_unframe_fault;

typedef struct oct_unframe {
  uint8_t frame[OCT_FRAME_BYTES];
  uint8_t n;             /* bytes of the frame so far */
  uint8_t source;        /* the one under way, 0 = none or not known yet */
  bool in_sync;          /* half of a full sync has come */
  bool is_told;          /* a number has come, be it that of padding */
  bool has_untold;       /* bytes have come ahead of the first number */
  uint8_t fault_source;  /* see above */
  uint64_t offset;       /* bytes put so far */
  uint64_t fault_offset; /* of the first byte of what is wrong */
} oct_unframe;

/* The bytes of a whole frame. *source: the one under way, 0 = none; goes on. Returns how many there
 * are, at most OCT_UNFRAMED_MAX. */
unsigned oct_unframe_frame(const uint8_t *frame, uint8_t *source, oct_unframed *out);

/* Begin: all 0, or this. */
void oct_unframe_init(oct_unframe *s);
/* One byte. Returns how many bytes are in out: those of a frame that it completed; or
 * enum oct_unframe_fault, and then nothing more may be put. */
int oct_unframe_put(oct_unframe *s, uint8_t byte, oct_unframed *out);
/* Whether a frame or a sync has begun and is not whole. */
static inline bool oct_unframe_is_cut(const oct_unframe *s) {
  return s->n > 0 || s->in_sync;
}

/* Where the first frame of a buffer begins: 0, or behind its first full sync where that does not
 * stand at the end of a frame, because the buffer begins in the middle of one. */
size_t oct_unframe_begin(const uint8_t *bytes, size_t n);

#ifdef __cplusplus
}
#endif
#endif
