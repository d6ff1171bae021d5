/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_codes.h - the bytes of instructions on their way into an emulator's memory: each when
 * the number of instructions reaches that from which its entry of the program map holds. Bytes that
 * stand there already are left alone, so that nothing translated is lost. */
#ifndef OCT_REPLAY_CODES_H
#define OCT_REPLAY_CODES_H

#include "oct_grow.h"
#include "oct_emulator.h"
#include "octrace/error.h"
#include "octrace/map.h"

#include <string.h>

typedef struct oct_rp_code {
  uint64_t from_insn, addr;
  uint8_t size_bytes, bytes[OCT_CODE_MAX];
} oct_rp_code;

typedef struct oct_rp_codes {
  oct_rp_code *codes; /* waiting: at .. n-1, in order */
  size_t at, n, room;
  uint64_t next; /* instruction number from which the next holds */
} oct_rp_codes;

static inline void oct_rp_codes_init(oct_rp_codes *q) {
  memset(q, 0, sizeof *q);
  q->next = UINT64_MAX;
}

/* 0 or OCT_ERR_NOMEM. */
static inline int oct_rp_codes_add(oct_rp_codes *q, const oct_map_update *updates, size_t n) {
  if (q->at == q->n) q->at = q->n = 0;
  for (size_t i = 0; i < n; i++) {
    const oct_map_entry *e = &updates[i].entry;
    if (!e->code_isa || (e->flags & OCT_MAP_CONTINUES)) continue;
    oct_rp_code *codes = oct_grown(q->codes, &q->room, q->n + 1, sizeof *codes);
    if (!codes) return OCT_ERR_NOMEM;
    q->codes = codes;
    oct_rp_code *c = &codes[q->n++];
    *c = (oct_rp_code){
        .from_insn = updates[i].from_insn, .addr = e->addr, .size_bytes = e->size_bytes};
    memcpy(c->bytes, e->code, sizeof c->bytes);
  }
  q->next = q->at < q->n ? q->codes[q->at].from_insn : UINT64_MAX;
  return 0;
}

/* Those that hold for instruction number insn go into memory. 0, OCT_ERR_LIMIT, OCT_ERR_NOMEM. */
static inline int oct_rp_codes_apply(oct_rp_codes *q, oct_emulator *m, uint64_t insn) {
  int rc = 0;
  while (!rc && q->next <= insn && q->at < q->n) {
    const oct_rp_code *c = &q->codes[q->at++];
    if (m) rc = oct_emulator_put_code(m, c->addr, c->bytes, c->size_bytes);
    q->next = q->at < q->n ? q->codes[q->at].from_insn : UINT64_MAX;
  }
  return rc;
}

#endif
