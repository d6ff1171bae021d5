// SPDX-License-Identifier: Apache-2.0
// oct_shadow_prob_wide - twin test: a table of wide probabilities.
// verilate: KIND=0 ENTRIES=32
#include "oct_shadow_prob_twin.h"

struct Kind {
  enum { ENTRIES = 32 };
  static oct_prob_wide start() { return {1u << (OCT_PROB_WIDE_BITS - 1), 0, 0}; }
  static uint32_t of(const oct_prob_wide &p) { return oct_prob_wide_of(&p); }
  static void learn(oct_prob_wide *p, unsigned bit, unsigned limit) {
    oct_prob_wide_learn(p, bit, limit);
  }
};

OCT_SHADOW_TWIN_MAIN(ProbStage<Kind>)
