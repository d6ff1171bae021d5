/* SPDX-License-Identifier: Apache-2.0 */
/* oct_changed.h - bytes of memory that were written, each once, with what they hold, if it is
 * known.
 *
 * Threads: an oct_changed is for one thread at a time. */
#ifndef OCT_CHANGED_H
#define OCT_CHANGED_H

#include <stddef.h>
#include <stdint.h>

typedef struct oct_changed_line oct_changed_line;

/* All 0 at the beginning. */
typedef struct oct_changed {
  oct_changed_line *lines;
  size_t n, room;
  uint32_t *places; /* hash table of line numbers from 1 on, */
  size_t n_places;  /* a power of two, or 0 */
} oct_changed;

void oct_changed_free(oct_changed *c);

/* n bytes at addr hold this, or NULL: something that is not known. 0 or OCT_ERR_NOMEM. */
int oct_changed_put(oct_changed *c, uint64_t addr, const uint8_t *bytes, uint64_t n);

/* Have tell called with runs of at most OCT_CHANGED_RUN bytes by ascending addresses, bytes NULL
 * where they are not known, and begin anew. 0, or what tell gave other than 0. */
enum { OCT_CHANGED_RUN = 64 };
int oct_changed_take(oct_changed *c,
                     int (*tell)(void *context, uint64_t addr, const uint8_t *bytes, unsigned n),
                     void *context);

#endif
