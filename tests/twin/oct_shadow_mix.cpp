// SPDX-License-Identifier: Apache-2.0
// oct_shadow_mix - twin test: directions of few branches with few histories, so that tables, sets
// and weights meet again, and outcomes that for a while follow the address, one of the histories or
// nothing, so that weights reach both limits; stalls, cycles without a direction, clears.
#include "oct_shadow_driver.h"
#include "oct_shadow_twin.h"

class Stage {
 public:
  explicit Stage(const oct_shadow_config &cfg) : model_(cfg) {}

  void cycle(Dut &dut, Stimulus &r) {
    if (left_-- == 0) change(r);
    bool moves = r.ready(), valid = r.valid(), clears = r.below(clears_often_ ? 20 : 3000) == 0;
    uint64_t pc = pcs_[r.below(PCS)], history = histories_[r.below(HISTORIES)];
    unsigned outcome = outcome_of(pc, history, r);
    if (r.below(1000) == 0) clears_often_ = !clears_often_ && r.percent(20);
    dut.top->moves_i = moves;
    dut.top->clear_i = clears;
    dut.top->valid_i = valid;
    set_port_bits(dut.top->pc_i, 0, model_.m.cfg.addr_bits, pc);
    dut.top->history_i = history;
    dut.top->outcome_i = outcome;
    dut.settle();
    if (expected_[at_]) dut.compare("p_o", expected_[at_], dut.top->p_o);
    if (!moves) return;
    expected_[at_] = valid ? direction(pc, history, outcome) : 0;
    at_ = (at_ + 1) % LATENCY;
    if (clears) oct_shadow_model_reset(&model_.m);
  }

 private:
  enum { LATENCY = 6, PCS = 6, HISTORIES = 5 };

  // Of 4096; never 0.
  uint64_t direction(uint64_t pc, uint64_t history, unsigned outcome) {
    model_.m.history = history;
    oct_code_direction(&model_.m, &model_.coder, pc, outcome);
    uint64_t p = model_.steps.back().a;
    model_.steps.clear();
    return p;
  }

  void change(Stimulus &r) {
    left_ = 20 + r.below(1500);
    follows_ = r.below(5);
    noise_percent_ = r.below(2) ? 0 : r.below(40);
    for (uint64_t &pc : pcs_)
      if (r.percent(40)) pc = (r.bits() >> r.below(64)) & model_.m.mask;
    for (uint64_t &history : histories_)
      if (r.percent(40)) history = r.percent(20) ? 0 : r.bits() >> r.below(64);
  }

  unsigned outcome_of(uint64_t pc, uint64_t history, Stimulus &r) const {
    unsigned outcome;
    switch (follows_) {
      case 0:
        outcome = pc >> model_.m.cfg.pc_align_bits & 1;
        break;
      case 1:
        outcome = history & 1;
        break;
      case 2:
        outcome = (pc >> model_.m.cfg.pc_align_bits ^ history) & 1;
        break;
      default:
        outcome = follows_ & 1;
        break;
    }
    return outcome ^ r.percent(noise_percent_);
  }

  Model model_;
  uint64_t expected_[LATENCY] = {};  // 0: none
  uint64_t pcs_[PCS] = {}, histories_[HISTORIES] = {};
  unsigned at_ = 0, left_ = 0, follows_ = 0, noise_percent_ = 0;
  bool clears_often_ = false;
};

OCT_SHADOW_TWIN_MAIN(Stage)
