// SPDX-License-Identifier: Apache-2.0
// oct_shadow_prob_branch - twin test: a table of branch probabilities.
// verilate: IS_BRANCH=1 LIMIT=BRANCH_LIMIT ENTRIES=512
#include "oct_shadow_prob_twin.h"

struct Kind {
  enum { ENTRIES = 512, LIMIT = 4 };
  static oct_prob_branch start() { return OCT_PROB_BRANCH_HALF; }
  static uint32_t of(oct_prob_branch p) { return oct_prob_branch_of(p); }
  static void learn(oct_prob_branch *p, unsigned bit) { oct_prob_branch_learn(p, bit, LIMIT); }
};

OCT_SHADOW_TWIN_MAIN(ProbStage<Kind>)
