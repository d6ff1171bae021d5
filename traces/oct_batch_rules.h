/* SPDX-License-Identifier: Apache-2.0 */
/* oct_batch_rules.h - inside of the library: what holds of every trace, and so of what is written
 * and of what is decoded. */
#ifndef OCT_BATCH_RULES_H
#define OCT_BATCH_RULES_H

#define OCTRACE_FEED_ENCODER_ONLY
#include "octrace/feed.h"

#include "octrace/error.h"
#include "octrace/trace.h"

#include <stdbool.h>

typedef struct oct_batch_rules {
  unsigned addr_bits;        /* 32 or 64 */
  unsigned insn_align_bytes; /* instruction addresses are multiples of it; 0: of any */
  oct_stamps stamps;         /* begins as all 0 */
} oct_batch_rules;

/* Hold a batch, whose first instruction has number first_insn, against the rules: 0, or OCT_ERR_ARG
 * with *diag, and *n_good is how many instructions stand before the place. */
int oct_batch_check(oct_batch_rules *rules, const oct_batch *batch, uint64_t first_insn,
                    size_t *n_good, oct_diag *diag);

/* Whether a batch has instructions and accesses alone, without stamps and values, that keep the
 * rules: as most do, and seen of all of them together. Otherwise the rules are as they were. */
bool oct_batch_is_plain(oct_batch_rules *rules, const oct_batch *batch);

#endif
