// SPDX-License-Identifier: Apache-2.0
// oct_shadow_prob_narrow - twin test: a table of narrow probabilities.
// verilate: KIND=1 ENTRIES=32
#include "oct_shadow_prob_twin.h"

struct Kind {
  enum { ENTRIES = 32 };
  static oct_prob start() { return OCT_PROB_HALF; }
  static uint32_t of(oct_prob p) { return oct_prob_of(p); }
  static void learn(oct_prob *p, unsigned bit, unsigned limit) { oct_prob_learn(p, bit, limit); }
};

OCT_SHADOW_TWIN_MAIN(ProbStage<Kind>)
