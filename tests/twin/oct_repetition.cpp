// SPDX-License-Identifier: Apache-2.0
// oct_repetition - twin test: long runs of one pattern, so that counts reach their end, broken by
// misses, ends and marks; back-pressure.
#include "oct_twin.h"
#include "oct_twin_item.h"

extern "C" {
#include "oct_repetition.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg) : cfg_(cfg) {
    oct_repetition_init(&repetition_, &cfg, &stats_);
  }

  void cycle(Dut &dut, Stimulus &r) {
    if (!has_word_) {
      has_word_ = r.valid();
      word_ = make_word(r);
    }
    oct_repetition_in in = {has_word_, &word_, r.ready()};
    dut.top->valid_i = has_word_;
    dut.top->da_i = word_.da;
    dut.top->kind_i = word_.kind;
    dut.top->hit_i = word_.hit;
    dut.top->mark_i = word_.mark;
    dut.top->out_ready_i = in.out_ready;
    dut.settle();
    const oct_item *out = oct_repetition_out(&repetition_);
    dut.compare("out_valid_o", out != nullptr, dut.top->out_valid_o);
    if (out) OCT_COMPARE_ITEM(dut, *out, out_);
    bool ready = oct_repetition_eval(&repetition_, &in);
    dut.compare("ready_o", ready, dut.top->ready_o);
    oct_repetition_clock(&repetition_);
    if (ready) has_word_ = false;
  }

 private:
  oct_dt_word make_word(Stimulus &r) {
    oct_dt_word word = {};
    word.mark = r.mark(OCT_MARK_SYNC, OCT_MARK_FLUSH);
    if (word.mark && r.percent(50)) return word;
    if (run_-- == 0) {
      run_ = r.below(r.below(4) ? 40 : 40000);
      pattern_ = r.below(3) ? ~0u : static_cast<uint32_t>(r.bits());
    }
    word.hit = pattern_ >> (position_++ % cfg_.rep_pattern_bits) & 1;
    word.kind = !word.hit && r.percent(20) ? OCT_DATA_END : OCT_DATA_ACCESS;
    word.da = r.address(cfg_.addr_bits);
    return word;
  }

  oct_config cfg_;
  oct_stats stats_ = {};
  oct_repetition repetition_;
  oct_dt_word word_ = {};
  uint32_t run_ = 0, pattern_ = 0, position_ = 0;
  bool has_word_ = false;
};

OCT_TWIN_MAIN(Stage)
