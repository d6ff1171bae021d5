/* SPDX-License-Identifier: Apache-2.0 */
/* oct_event_hash.h - a rolling hash of an event sequence that does not depend on how it was cut
 * into batches.
 *
 * Threads: A hash is for one thread at a time, different ones may be used by different threads. */
#ifndef OCT_EVENT_HASH_H
#define OCT_EVENT_HASH_H

#include "oct_event.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_event_hash oct_event_hash;

/* What counts besides instructions (address, size, task, accesses) and accesses (address, size,
 * kind). */
enum { OCT_HASH_STAMPS = 1, OCT_HASH_TRAPS = 2 };

/* with: OCT_HASH_STAMPS, OCT_HASH_TRAPS, both or 0. NULL when out of memory. */
oct_event_hash *oct_event_hash_new(int with);
/* Take in a batch; its map does not count. */
void oct_event_hash_put(oct_event_hash *h, const oct_batch *batch);
/* Of all that was taken in: XXH64, seed 0. */
uint64_t oct_event_hash_value(oct_event_hash *h);
void oct_event_hash_free(oct_event_hash *h); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
