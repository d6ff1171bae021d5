// SPDX-License-Identifier: Apache-2.0
// oct_shadow_prob_twin.h - a table of probabilities beside those of C: few entries at a time, so
// that one is read while it learns; runs of one outcome, so that both ends are reached; clears.
//
// Kind is class { type start(); uint32_t of(type); void learn(type *, bit); ENTRIES }.
#ifndef OCT_SHADOW_PROB_TWIN_H
#define OCT_SHADOW_PROB_TWIN_H

#include <vector>

#include "oct_shadow_twin.h"

extern "C" {
#include "oct_shadow_prob.h"
}

template <class Kind>
class ProbStage {
 public:
  explicit ProbStage(const oct_shadow_config &) { clear(); }

  void cycle(Dut &dut, Stimulus &r) {
    if (run_-- == 0) {
      run_ = r.below(400);
      percent_ = r.below(3) ? (r.below(2) ? 0 : 100) : r.below(101);
      pool_ = 1 + r.below(r.below(2) ? 3 : Kind::ENTRIES);
      base_ = r.below(Kind::ENTRIES);
    }
    bool reads = r.valid(), learns = has_read_ && r.ready(), clears = r.below(500) == 0;
    unsigned index = (base_ + r.below(pool_)) % Kind::ENTRIES, bit = r.percent(percent_);
    dut.top->read_i = reads;
    dut.top->index_i = index;
    dut.top->learn_i = learns;
    dut.top->bit_i = bit;
    dut.top->clear_i = clears;
    dut.settle();
    if (has_read_) dut.compare("p_o", Kind::of(probs_[index_]), dut.top->p_o);
    if (learns) Kind::learn(&probs_[index_], bit);
    if (clears) clear();
    if (learns || clears) has_read_ = false;  // an entry that is cleared is read anew
    if (!reads) return;
    has_read_ = true;
    index_ = index;
  }

 private:
  void clear() { probs_.assign(Kind::ENTRIES, Kind::start()); }

  std::vector<decltype(Kind::start())> probs_;
  unsigned index_ = 0, run_ = 0, percent_ = 0, pool_ = 1, base_ = 0;
  bool has_read_ = false;
};

#endif
