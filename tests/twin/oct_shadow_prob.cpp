// SPDX-License-Identifier: Apache-2.0
// oct_shadow_prob - twin test: a table of probabilities.
// verilate: IS_BRANCH=0 LIMIT=BRANCH_LIMIT ENTRIES=32
#include "oct_shadow_prob_twin.h"

struct Kind {
  enum { ENTRIES = 32 };
  static oct_prob start() { return OCT_PROB_HALF; }
  static uint32_t of(oct_prob p) { return oct_prob_of(p); }
  static void learn(oct_prob *p, unsigned bit) { oct_prob_learn(p, bit); }
};

OCT_SHADOW_TWIN_MAIN(ProbStage<Kind>)
