/* SPDX-License-Identifier: Apache-2.0 */
/* oct_slide.h - room at the end of an array of which the front is done with. */
#ifndef OCT_SLIDE_H
#define OCT_SLIDE_H

#include <string.h>

#include "oct_grow.h"

/* Make room for n more elements from *to on, moving elements *from .. *to to the front of their
 * storage. 0; -1 when out of memory, nothing is lost then. */
static inline int oct_slide_room(void **array, size_t element_bytes, size_t *room, size_t *from,
                                 size_t *to, size_t n) {
  char *p = *array;
  if (*to + n <= *room) return 0;
  if (*from) memmove(p, p + *from * element_bytes, (*to - *from) * element_bytes);
  *to -= *from;
  *from = 0;
  if (*to + n > *room) {
    p = oct_grown(p, room, *to + n, element_bytes);
    if (!p) return -1;
    *array = p;
  }
  return 0;
}

#endif
