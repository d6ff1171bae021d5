/* SPDX-License-Identifier: Apache-2.0 */
/* oct_buffer.h - a byte buffer that grows at its end, and a cursor that reads bytes from memory.
 *
 * Threads: A buffer or cursor is for one thread at a time; different ones do not know of each
 * other. */
#ifndef OCT_BUFFER_H
#define OCT_BUFFER_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oct_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* bytes[0 .. n_bytes) are filled. All zero is an empty buffer. */
typedef struct oct_buffer {
  uint8_t *bytes;
  size_t n_bytes, room_bytes;
} oct_buffer;

static inline void oct_buffer_free(oct_buffer *b) {
  free(b->bytes);
  b->bytes = NULL;
  b->n_bytes = b->room_bytes = 0;
}

/* Where at least n more bytes may be written; the writer then adds to n_bytes what it wrote. NULL
 * when out of memory, the buffer is unchanged then. */
static inline uint8_t *oct_buffer_room(oct_buffer *b, size_t n) {
  if (b->room_bytes - b->n_bytes < n) {
    if (n > SIZE_MAX / 4 || b->n_bytes > SIZE_MAX / 4) return NULL;
    size_t room = b->n_bytes + n;
    room += room / 2;
    uint8_t *p = (uint8_t *)realloc(b->bytes, room);
    if (!p) return NULL;
    b->bytes = p;
    b->room_bytes = room;
  }
  return b->bytes + b->n_bytes;
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

/* Bytes in memory still to be read, owned by someone else. */
typedef struct oct_cursor {
  const uint8_t *bytes;
  size_t n_bytes;
} oct_cursor;

/* Take n bytes, NULL when fewer are left. */
static inline const uint8_t *oct_cursor_take(oct_cursor *c, size_t n) {
  if (c->n_bytes < n) return NULL;
  const uint8_t *p = c->bytes;
  c->bytes += n;
  c->n_bytes -= n;
  return p;
}

#ifdef __cplusplus
}
#endif
#endif
