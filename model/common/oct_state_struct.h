/* SPDX-License-Identifier: Apache-2.0 */
/* oct_state_struct.h - a struct as part of the state of a machine (oct_state.h): all of it but
 * named fields, such as pointers, so that a field which is added later is not forgotten. A pointer
 * that is added and not named goes wrong at once: what it leads to is another machine's. */
#ifndef OCT_STATE_STRUCT_H
#define OCT_STATE_STRUCT_H

#include "octrace/tracer.h"

#include <string.h>

#define OCT_STATE_CLEAR(field) memset(&oct_held.field, 0, sizeof oct_held.field);
#define OCT_STATE_KEEP(field) memcpy(&oct_held.field, &oct_from->field, sizeof oct_held.field);

/* As oct_state_move for all of *s, a `type`, but the fields of the list KEPT(X), which stay as they
 * are: X(field) for each. */
#define OCT_STATE_MOVE_BUT(io, type, s, KEPT)         \
  do {                                                \
    type *oct_from = (s), oct_held = *oct_from;       \
    KEPT(OCT_STATE_CLEAR)                             \
    oct_state_move((io), &oct_held, sizeof oct_held); \
    KEPT(OCT_STATE_KEEP)                              \
    if (!(io)->error) *oct_from = oct_held;           \
  } while (0)

#endif
