/* SPDX-License-Identifier: Apache-2.0 */
/* oct_unframe.c - takes the frames of a CoreSight formatter apart (oct_unframe.h). */
#include "oct_unframe.h"

#include <string.h>

enum { SYNC_LOW = 0xff, SYNC_HIGH = 0x7f, FLUSH_EVENT = 0x7b, TRIGGER_EVENT = 0x7d };

unsigned oct_unframe_frame(const uint8_t *frame, uint8_t *source, oct_unframed *out) {
  unsigned n = 0;
  uint8_t next = *source;
  for (unsigned i = 0; i < OCT_FRAME_BYTES - 1; i++) {
    const uint8_t flag = frame[OCT_FRAME_BYTES - 1] >> i / 2 & 1;
    if (!(i & 1) && (frame[i] & 1)) {
      next = frame[i] >> 1;
      if (!flag) *source = next;
      continue;
    }
    if (*source) out[n++] = (oct_unframed){*source, (uint8_t)(i & 1 ? frame[i] : frame[i] | flag)};
    *source = next;
  }
  *source = next;
  return n;
}

void oct_unframe_init(oct_unframe *s) {
  memset(s, 0, sizeof *s);
}

static int reserved(oct_unframe *s, uint64_t offset, uint8_t byte) {
  s->fault_offset = offset;
  s->fault_source = byte >> 1;
  return OCT_UNFRAME_RESERVED;
}

static bool is_reserved(uint8_t source) {
  return source > OCT_FRAME_ID_MAX && source != FLUSH_EVENT && source != TRIGGER_EVENT;
}

/* The second byte of a halfword whose first is ff. */
static int put_sync(oct_unframe *s, uint8_t byte) {
  const bool was_in_sync = s->in_sync;
  s->n--;
  s->in_sync = byte == SYNC_LOW && !was_in_sync;
  if (s->in_sync) return 0;
  if (byte != SYNC_HIGH) return reserved(s, s->offset - 2, SYNC_LOW);
  if (!was_in_sync || !s->n) return 0;
  s->fault_offset = s->offset - 4;
  return OCT_UNFRAME_SYNC;
}

int oct_unframe_put(oct_unframe *s, uint8_t byte, oct_unframed *out) {
  s->offset++;
  if ((s->n & 1) && s->frame[s->n - 1] == SYNC_LOW) return put_sync(s, byte);
  if (!(s->n & 1) && byte != SYNC_LOW) {
    if (s->in_sync) return reserved(s, s->offset - 3, SYNC_LOW);
    if ((byte & 1) && is_reserved(byte >> 1)) return reserved(s, s->offset - 1, byte);
    s->is_told = s->is_told || (byte & 1);
    s->has_untold = s->has_untold || !s->is_told;
  }
  s->frame[s->n++] = byte;
  if (s->n < OCT_FRAME_BYTES) return 0;
  s->n = 0;
  return (int)oct_unframe_frame(s->frame, &s->source, out);
}

size_t oct_unframe_begin(const uint8_t *bytes, size_t n) {
  static const uint8_t sync[4] = {SYNC_LOW, SYNC_LOW, SYNC_LOW, SYNC_HIGH};
  oct_unframe trial;
  oct_unframed out[OCT_UNFRAMED_MAX];
  size_t at = 0;
  while (at + sizeof sync <= n && memcmp(bytes + at, sync, sizeof sync)) at++;
  if (at + sizeof sync > n) return 0;
  oct_unframe_init(&trial);
  for (size_t i = 0; i < at + sizeof sync; i++)
    if (oct_unframe_put(&trial, bytes[i], out) < 0) return at + sizeof sync;
  return 0;
}
