/* SPDX-License-Identifier: Apache-2.0 */
/* oct_event_hash.c - a rolling hash of an event sequence. */
#include "oct_event_hash.h"

#include "oct_endian.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct oct_event_hash {
  XXH64_state_t *state;
  int with_stamps;
};

oct_event_hash *oct_event_hash_new(int with_stamps) {
  oct_event_hash *h = calloc(1, sizeof *h);
  if (h) h->state = XXH64_createState();
  if (!h || !h->state) {
    free(h);
    return NULL;
  }
  h->with_stamps = with_stamps;
  XXH64_reset(h->state, 0);
  return h;
}

void oct_event_hash_put(oct_event_hash *h, const oct_insn *insns, size_t n_insns,
                        const oct_access *accesses) {
  for (size_t i = 0; i < n_insns; i++) {
    const oct_insn *insn = &insns[i];
    int stamped = h->with_stamps && (insn->flags & OCT_INSN_HAS_CYCLE);
    uint64_t words[3] = {htole64(insn->addr),
                         htole64((uint64_t)insn->task << 32 | (uint64_t)insn->n_access << 16 |
                                 (uint64_t)insn->size_bytes << 1 | (uint64_t)stamped),
                         stamped ? htole64(insn->cycle) : 0};
    XXH64_update(h->state, words, sizeof words);
    for (unsigned k = 0; k < insn->n_access; k++, accesses++) {
      uint64_t access[2] = {htole64(accesses->addr), htole64((uint64_t)accesses->size_bytes << 1 |
                                                             (accesses->is_store != 0))};
      XXH64_update(h->state, access, sizeof access);
    }
  }
}

uint64_t oct_event_hash_value(const oct_event_hash *h) {
  return XXH64_digest(h->state);
}

void oct_event_hash_free(oct_event_hash *h) {
  if (!h) return;
  XXH64_freeState(h->state);
  free(h);
}
