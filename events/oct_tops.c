/* SPDX-License-Identifier: Apache-2.0 */
/* oct_tops.c - the topmost place of each value on a stack: open addressing, at most half full.
 * Values that left the stack keep their slots until the table grows. */
#include "oct_tops.h"

#include <stdlib.h>

#include "octrace/error.h"
#include "oct_hash.h"

enum { SLOTS_MIN = 64 };

typedef struct oct_tops_slot {
  uint64_t value;
  uint32_t top; /* 0: the slot is free; else the place + 2, which is 1 where there is none */
} slot;

/* The slot of the value, or the free one where it belongs. */
static slot *find(const oct_tops *t, uint64_t value) {
  size_t i = (size_t)(value * OCT_HASH_FACTOR >> 32) & (t->n_slots - 1);
  while (t->slots[i].top && t->slots[i].value != value) i = (i + 1) & (t->n_slots - 1);
  return &t->slots[i];
}

uint32_t oct_tops_get(const oct_tops *t, uint64_t value) {
  const slot *s = t->n_slots ? find(t, value) : NULL;
  return s && s->top ? s->top - 2 : OCT_TOPS_NONE;
}

/* Twice the slots, unless half of them are of values that left. */
static int grow(oct_tops *t) {
  const oct_tops old = *t;
  size_t n = 0;
  for (size_t i = 0; i < old.n_slots; i++) n += old.slots[i].top > 1;
  t->n_slots = !old.n_slots ? SLOTS_MIN : 4 * n > old.n_slots ? 2 * old.n_slots : old.n_slots;
  t->slots = calloc(t->n_slots, sizeof *t->slots);
  if (!t->slots) {
    *t = old;
    return OCT_ERR_NOMEM;
  }
  t->n = n;
  for (size_t i = 0; i < old.n_slots; i++)
    if (old.slots[i].top > 1) *find(t, old.slots[i].value) = old.slots[i];
  free(old.slots);
  return 0;
}

int oct_tops_push(oct_tops *t, uint64_t value, uint32_t place, uint32_t *below) {
  if (2 * (t->n + 1) > t->n_slots && grow(t)) return OCT_ERR_NOMEM;
  slot *s = find(t, value);
  *below = s->top ? s->top - 2 : OCT_TOPS_NONE;
  t->n += !s->top;
  *s = (slot){value, place + 2};
  return 0;
}

void oct_tops_pop(oct_tops *t, uint64_t value, uint32_t below) {
  find(t, value)->top = below + 2;
}

void oct_tops_free(oct_tops *t) {
  free(t->slots);
  *t = (oct_tops){0};
}
