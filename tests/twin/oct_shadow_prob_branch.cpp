// SPDX-License-Identifier: Apache-2.0
// oct_shadow_prob_branch - twin test: a table of branch probabilities.
// verilate: KIND=2 ENTRIES=512
#include "oct_shadow_prob_twin.h"

struct Kind {
  enum { ENTRIES = 512 };
  static oct_prob_branch start() { return OCT_PROB_BRANCH_HALF; }
  static uint32_t of(oct_prob_branch p) { return oct_prob_branch_of(p); }
  static void learn(oct_prob_branch *p, unsigned bit, unsigned limit) {
    oct_prob_branch_learn(p, bit, limit);
  }
};

OCT_SHADOW_TWIN_MAIN(ProbStage<Kind>)
