/* SPDX-License-Identifier: Apache-2.0 */
/* memory_state.h - keeps what oct_state moves in memory. */
#ifndef MEMORY_STATE_H
#define MEMORY_STATE_H

#include <stdlib.h>
#include <string.h>

#include "octrace/error.h"
#include "octrace/tracer.h"

typedef struct memory_state {
  oct_state io; /* first: what move is given is a memory_state */
  unsigned char *bytes;
  size_t n, room, at;
} memory_state;

static inline int memory_state_save(oct_state *io, void *p, size_t n) {
  memory_state *m = (memory_state *)io;
  if (m->room - m->n < n) {
    size_t room = 2 * (m->n + n); /* states are saved in small pieces */
    unsigned char *grown = realloc(m->bytes, room);
    if (!grown) return OCT_ERR_NOMEM;
    m->bytes = grown;
    m->room = room;
  }
  memcpy(m->bytes + m->n, p, n);
  m->n += n;
  return 0;
}

/* OCT_ERR_TRUNCATED: more is asked for than was saved. */
static inline int memory_state_restore(oct_state *io, void *p, size_t n) {
  memory_state *m = (memory_state *)io;
  if (m->n - m->at < n) return OCT_ERR_TRUNCATED;
  memcpy(p, m->bytes + m->at, n);
  m->at += n;
  return 0;
}

#endif
