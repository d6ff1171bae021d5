/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_match.h - accesses that come again in the same order (docs/shadow-format.md,
 * section 7).
 *
 * The last unknown accesses stay in a ring. Where the newest two of them stood there before, the
 * one that followed them then is the first guess of the next one. This is the match model of PAQ
 * (Mahoney 2005), over accesses in place of bytes: it finds an order in which a table is read again
 * and again, which no difference tells. One that was wrong is not given up at once, since often a
 * single access is another one. */
#ifndef OCT_SHADOW_MATCH_H
#define OCT_SHADOW_MATCH_H

#include "oct_hash.h"
#include "oct_inline.h"
#include "oct_shadow_model.h"

enum { OCT_MATCH_SURE = 8 }; /* from so many on no other place is looked for */

OCT_INLINE const oct_match_entry *oct_match_at(const oct_shadow_match *x, uint64_t n) {
  return &x->ring[n & x->mask];
}

/* Where the newest two accesses are looked for. */
OCT_INLINE uint32_t *oct_match_head(const oct_shadow_match *x) {
  const oct_match_entry *a = oct_match_at(x, x->n - 1), *b = oct_match_at(x, x->n - 2);
  uint64_t h = (a->addr + (a->key << 32)) * OCT_HASH_FACTOR;
  h = (h + b->addr + (b->key << 32)) * OCT_HASH_FACTOR;
  return &x->heads[h >> 32 & x->mask];
}

/* How many accesses before number at are those before the next one, OCT_MATCH_LONG at most. */
OCT_INLINE uint32_t oct_match_length(const oct_shadow_match *x, uint64_t at) {
  uint32_t n = 0;
  for (; n < OCT_MATCH_LONG; n++) {
    const oct_match_entry *a = oct_match_at(x, at - 1 - n), *b = oct_match_at(x, x->n - 1 - n);
    if (a->addr != b->addr || a->key != b->key) break;
  }
  return n;
}

/* The newest two accesses are looked for, and entered. */
OCT_INLINE void oct_match_enter(oct_shadow_match *x) {
  uint32_t back = (uint32_t)x->n - *x->due;
  /* All that is compared and expected is still in the ring. */
  if (x->length < OCT_MATCH_SURE && *x->due && back + (uint64_t)OCT_MATCH_LONG <= x->mask) {
    uint32_t length = oct_match_length(x, x->n - back);
    if (length >= 2 && length > x->length) {
      x->length = length;
      x->at = x->n - back;
    }
  }
  *x->due = (uint32_t)x->n;
  x->due = NULL;
}

/* The access that is expected at key, or NULL. */
OCT_INLINE const oct_match_entry *oct_match_guess(oct_shadow_match *x, uint64_t key) {
  if (x->due) oct_match_enter(x);
  if (!x->length) return NULL;
  const oct_match_entry *e = oct_match_at(x, x->at);
  return e->key == key ? e : NULL;
}

/* The access at key, of which a guess was asked for, went to addr. It is entered with the next
 * guess: until then its place comes from memory, which takes long. */
OCT_INLINE void oct_match_learn(oct_shadow_match *x, uint64_t key, uint64_t addr) {
  if (x->length) {
    const oct_match_entry *e = oct_match_at(x, x->at++);
    if (e->key != key || e->addr != addr)
      x->length = x->length > 1 ? 1 + (x->length >> 2) : 0;
    else if (x->length < OCT_MATCH_LONG)
      x->length++;
  }
  x->ring[x->n++ & x->mask] = (oct_match_entry){addr, key};
  if (x->n < 2) return;
  x->due = oct_match_head(x);
  __builtin_prefetch(x->due, 1);
}

#endif
