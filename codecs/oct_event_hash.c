/* SPDX-License-Identifier: Apache-2.0 */
/* oct_event_hash.c - a rolling hash of an event sequence. */
#include "octrace/codec.h"

#include "oct_endian.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Words wait until there are enough of them: the hash has its price by the call. */
enum { WORDS = 512, WORDS_MOST = 3 /* that are added at a time */ };

struct oct_event_hash {
  XXH64_state_t *state;
  int with;
  unsigned n_words;
  uint64_t words[WORDS];
};

static void flush(oct_event_hash *h) {
  XXH64_update(h->state, h->words, h->n_words * sizeof *h->words);
  h->n_words = 0;
}

/* Room for WORDS_MOST, of which the caller counts what it adds. */
static uint64_t *room(oct_event_hash *h) {
  if (h->n_words > WORDS - WORDS_MOST) flush(h);
  return h->words + h->n_words;
}

oct_event_hash *oct_event_hash_new(int with) {
  oct_event_hash *h = calloc(1, sizeof *h);
  if (h) h->state = XXH64_createState();
  if (!h || !h->state) {
    free(h);
    return NULL;
  }
  h->with = with;
  XXH64_reset(h->state, 0);
  return h;
}

/* Words of which the second is that of no instruction: its size is 0. */
static void put_trap(oct_event_hash *h, const oct_trap *t) {
  if (!(h->with & OCT_HASH_TRAPS)) return;
  uint64_t *words = room(h);
  words[0] = htole64(t->addr);
  words[1] =
      htole64((uint64_t)t->cause << 32 | (uint64_t)t->privilege << 16 | (uint64_t)t->kind << 8);
  words[2] = htole64(t->tval);
  h->n_words += 3;
}

void oct_event_hash_put(oct_event_hash *h, const oct_batch *batch) {
  const oct_access *accesses = batch->accesses;
  size_t trap = 0;
  for (size_t i = 0; i < batch->n_insns; i++) {
    const oct_insn *insn = &batch->insns[i];
    for (; trap < batch->n_traps && batch->traps[trap].insn <= i; trap++)
      put_trap(h, &batch->traps[trap]);
    int stamped = (h->with & OCT_HASH_STAMPS) && (insn->flags & OCT_INSN_HAS_CYCLE);
    uint64_t *words = room(h);
    words[0] = htole64(insn->addr);
    words[1] = htole64((uint64_t)insn->task << 32 | (uint64_t)insn->n_access << 16 |
                       (uint64_t)insn->size_bytes << 1 | (uint64_t)stamped);
    words[2] = stamped ? htole64(insn->cycle) : 0;
    h->n_words += 3;
    for (unsigned k = 0; k < insn->n_access; k++, accesses++) {
      words = room(h);
      words[0] = htole64(accesses->addr);
      words[1] = htole64((uint64_t)accesses->size_bytes << 1 | (accesses->is_store != 0));
      h->n_words += 2;
    }
  }
  for (; trap < batch->n_traps; trap++) put_trap(h, &batch->traps[trap]);
}

uint64_t oct_event_hash_value(oct_event_hash *h) {
  flush(h);
  return XXH64_digest(h->state);
}

void oct_event_hash_free(oct_event_hash *h) {
  if (!h) return;
  XXH64_freeState(h->state);
  free(h);
}
