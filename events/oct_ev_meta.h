/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_meta.h - a name space of meta-events: what each was constructed of (Knüpfer 2003, section
 * 2).
 */
#ifndef OCT_EV_META_H
#define OCT_EV_META_H

#include <stddef.h>
#include <stdint.h>

/* The construction rules: function a enters and leaves; function a around meta-event b; meta-event
 * a followed by meta-event b. */
enum { OCT_EV_RULE_PAIR = 1, OCT_EV_RULE_AROUND = 2, OCT_EV_RULE_JOIN = 3 };

typedef struct oct_ev_meta {
  uint32_t rule, a, b;
  uint32_t order;
  uint32_t uses; /* how often it was constructed */
} oct_ev_meta;

typedef struct oct_ev_metas {
  oct_ev_meta *v; /* by token: parts stand before what is made of them */
  size_t n, cap;
  uint64_t *keys; /* hash table; a key is 0 where free */
  uint32_t *tokens;
  size_t n_slots;
} oct_ev_metas;

/* The token of the meta-event that the rule makes of a and b, defined if new. OCT_ERR_NOMEM,
 * OCT_ERR_LIMIT past 2^28 tokens. order is that of the meta-event. */
int64_t oct_ev_meta_get(oct_ev_metas *t, uint32_t rule, uint32_t a, uint32_t b, uint32_t order);
/* Forget all meta-events, keep the memory. */
void oct_ev_metas_clear(oct_ev_metas *t);
void oct_ev_metas_free(oct_ev_metas *t);

#endif
