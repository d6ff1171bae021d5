/* SPDX-License-Identifier: Apache-2.0 */
/* oct_chain.h - inside of the library: whether a part of a file is of this file.
 *
 * The checksum of the head is in that of each part, and each part has the checksum of the one
 * before it, the first that of the head. A part that does not name the one before is of another
 * file, and so are those that follow it, as long as each names the one before. */
#ifndef OCT_CHAIN_H
#define OCT_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "oct_checksum.h"

/* Of the part before: it is of this file, of another, or it is not known. */
typedef enum oct_chain_last { OCT_CHAIN_OWN, OCT_CHAIN_FOREIGN, OCT_CHAIN_LOST } oct_chain_last;

typedef struct oct_chain {
  uint64_t head_sum, last_sum; /* of the head, and of the part before */
  oct_chain_last last;
} oct_chain;

static inline oct_chain oct_chain_begin(uint64_t head_sum) {
  return (oct_chain){.head_sum = head_sum, .last_sum = head_sum};
}

/* Whether the next part, whose checksum was found right, is of this file. */
static inline bool oct_chain_takes(oct_chain *c, uint64_t sum_before, uint64_t sum) {
  bool is_named = oct_checksum_is(sum_before, c->last_sum);
  bool is_foreign = c->last == OCT_CHAIN_OWN ? !is_named : c->last == OCT_CHAIN_FOREIGN && is_named;
  c->last = is_foreign ? OCT_CHAIN_FOREIGN : OCT_CHAIN_OWN;
  c->last_sum = sum;
  return !is_foreign;
}

/* What is said of one that is not; PART is its name. */
#define OCT_CHAIN_TEXT(PART) \
  "the " PART " does not name the one before it: one of the two is of another file"

/* Parts were left out: nobody knows which one the next must name. */
static inline void oct_chain_break(oct_chain *c) {
  if (c->last == OCT_CHAIN_OWN) c->last = OCT_CHAIN_LOST;
}

#endif
