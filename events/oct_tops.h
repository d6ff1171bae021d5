/* SPDX-License-Identifier: Apache-2.0 */
/* oct_tops.h - the topmost place of each value on a stack, so that no search goes through the
 * stack.
 *
 * A place keeps where the same value stands below it (oct_tops_push gives that, oct_tops_pop takes
 * it back).
 *
 * Threads: for one thread at a time, different ones may be used by different threads. */
#ifndef OCT_TOPS_H
#define OCT_TOPS_H

#include <stddef.h>
#include <stdint.h>

#define OCT_TOPS_NONE UINT32_MAX
#define OCT_TOPS_PLACES_MAX (UINT32_MAX - 2) /* of a stack */

/* All 0: empty. */
typedef struct oct_tops {
  struct oct_tops_slot *slots;
  size_t n, n_slots; /* n: used, by values that are not on the stack any more, too */
} oct_tops;

/* The topmost place of the value, or OCT_TOPS_NONE. */
uint32_t oct_tops_get(const oct_tops *t, uint64_t value);
/* The value stands at place, on top; *below: at which place below that. OCT_ERR_NOMEM. */
int oct_tops_push(oct_tops *t, uint64_t value, uint32_t place, uint32_t *below);
/* Its topmost place is gone, and below is now. */
void oct_tops_pop(oct_tops *t, uint64_t value, uint32_t below);
void oct_tops_free(oct_tops *t);

#endif
