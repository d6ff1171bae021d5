/* SPDX-License-Identifier: Apache-2.0 */
/* oct_buffer.h - a byte buffer that grows at its end, and a cursor that reads bytes from memory.
 *
 * Threads: A buffer or cursor is for one thread at a time; different ones do not know of each
 * other. */
#ifndef OCT_BUFFER_H
#define OCT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oct_error.h"
#include "oct_leb128.h"

#ifdef __cplusplus
extern "C" {
#endif

/* bytes[0 .. n_bytes) are filled. All zero is an empty buffer. has_failed: memory was short once,
 * for those who look only at the end. */
typedef struct oct_buffer {
  uint8_t *bytes;
  size_t n_bytes, room_bytes;
  bool has_failed;
} oct_buffer;

static inline void oct_buffer_free(oct_buffer *b) {
  free(b->bytes);
  b->bytes = NULL;
  b->n_bytes = b->room_bytes = 0;
  b->has_failed = false;
}

/* Where at least n more bytes may be written; the writer then adds to n_bytes what it wrote. NULL
 * when out of memory, the buffer is unchanged then. */
static inline uint8_t *oct_buffer_room(oct_buffer *b, size_t n) {
  if (b->room_bytes - b->n_bytes < n) {
    size_t room = b->n_bytes + n;
    room += room / 2;
    uint8_t *p =
        n > SIZE_MAX / 4 || b->n_bytes > SIZE_MAX / 4 ? NULL : (uint8_t *)realloc(b->bytes, room);
    if (!p) {
      b->has_failed = true;
      return NULL;
    }
    b->bytes = p;
    b->room_bytes = room;
  }
  return b->n_bytes ? b->bytes + b->n_bytes : b->bytes;
}

/* Append n bytes: 0 or OCT_ERR_NOMEM. */
static inline int oct_buffer_put(oct_buffer *b, const void *bytes, size_t n) {
  if (!n) return 0;
  uint8_t *p = oct_buffer_room(b, n);
  if (!p) return OCT_ERR_NOMEM;
  memcpy(p, bytes, n);
  b->n_bytes += n;
  return 0;
}

/* Append a number (oct_leb128.h), or the lowest n_bytes bytes of one, lowest first. */
static inline int oct_buffer_put_leb128(oct_buffer *b, uint64_t v) {
  uint8_t *p = oct_buffer_room(b, OCT_LEB128_MAX);
  if (!p) return OCT_ERR_NOMEM;
  b->n_bytes += (size_t)(oct_leb128_put(p, v) - p);
  return 0;
}

static inline int oct_buffer_put_le(oct_buffer *b, uint64_t v, size_t n_bytes) {
  uint8_t *p = oct_buffer_room(b, n_bytes);
  if (!p) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < n_bytes; i++) p[i] = (uint8_t)(v >> 8 * i);
  b->n_bytes += n_bytes;
  return 0;
}

/* Bytes in memory still to be read, owned by someone else. has_failed: more was asked for than was
 * there, for those who look only at the end. */
typedef struct oct_cursor {
  const uint8_t *bytes;
  size_t n_bytes;
  bool has_failed;
} oct_cursor;

/* Take n bytes. Where fewer are, NULL, and nothing is left. */
static inline const uint8_t *oct_cursor_take(oct_cursor *c, uint64_t n) {
  if (c->n_bytes < n) {
    c->has_failed = true;
    c->n_bytes = 0;
    return NULL;
  }
  const uint8_t *p = c->bytes;
  c->bytes += n;
  c->n_bytes -= (size_t)n;
  return p;
}

/* Take a number (oct_leb128.h). Where none is, 0, and nothing is left. */
static inline uint64_t oct_cursor_take_leb128(oct_cursor *c) {
  uint64_t v;
  const uint8_t *after = oct_leb128_get(c->bytes, c->bytes + c->n_bytes, &v);
  if (!after) {
    c->has_failed = true;
    c->n_bytes = 0;
    return 0;
  }
  c->n_bytes -= (size_t)(after - c->bytes);
  c->bytes = after;
  return v;
}

#ifdef __cplusplus
}
#endif
#endif
