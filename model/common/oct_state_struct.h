/* SPDX-License-Identifier: Apache-2.0 */
/* oct_state_struct.h - a struct as part of the state of a machine (oct_state.h): all of it but
 * named runs of bytes, such as pointers, so that a field which is added later is not forgotten. A
 * pointer that is added and not named goes wrong at once: what it leads to is another machine's. */
#ifndef OCT_STATE_STRUCT_H
#define OCT_STATE_STRUCT_H

#include "octrace/tracer.h"

/* What stays as it is: a field, or several in a row. */
typedef struct oct_state_kept {
  void *at;
  size_t n_bytes;
} oct_state_kept;

/* As oct_state_move for all other bytes of a struct. kept: in the order of the struct. */
static inline void oct_state_move_but(oct_state *io, void *s, size_t n_bytes,
                                      const oct_state_kept *kept, size_t n_kept) {
  char *at = (char *)s, *end = at + n_bytes;
  for (size_t i = 0; i < n_kept; i++) {
    oct_state_move(io, at, (size_t)((char *)kept[i].at - at));
    at = (char *)kept[i].at + kept[i].n_bytes;
  }
  oct_state_move(io, at, (size_t)(end - at));
}

#endif
