/* SPDX-License-Identifier: Apache-2.0 */
/* oct_listings.h - texts that only look like a trace: logs that are known but not read, and columns
 * that are no addresses. */
#ifndef OCT_LISTINGS_H
#define OCT_LISTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the text at p is, and what to do with it, as messages put it; NULL: nothing that is known.
 * Static. */
const char *oct_listing_of(const uint8_t *p, size_t n);
/* Whether it is columns of numbers and nothing else. */
bool oct_listing_is_bare(const uint8_t *p, size_t n);

#endif
