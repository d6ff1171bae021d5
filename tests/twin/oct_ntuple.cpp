// SPDX-License-Identifier: Apache-2.0
// oct_ntuple - twin test: indices repeated from few tuples or at random, misses among them, marks
// at every place of a tuple, back-pressure.
#include "oct_twin.h"
#include "oct_twin_item.h"

extern "C" {
#include "oct_ntuple.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg) : cfg_(cfg) {
    if (oct_ntuple_init(&ntuple_, &cfg, &stats_)) abort();
    oct_config_widths(&cfg, &widths_);
  }
  ~Stage() { oct_ntuple_free(&ntuple_); }

  void cycle(Dut &dut, Stimulus &r) {
    if (!has_word_) {
      has_word_ = r.valid();
      word_ = make_word(r);
    }
    oct_ntuple_in in = {has_word_, &word_, r.ready()};
    dut.top->valid_i = has_word_;
    dut.top->sa_i = word_.sa;
    dut.top->sl_i = word_.sl;
    dut.top->index_i = word_.index;
    dut.top->task_i = word_.task;
    dut.top->mark_i = word_.mark;
    dut.top->out_ready_i = in.out_ready;
    dut.settle();
    const oct_item *out = oct_ntuple_out(&ntuple_);
    dut.compare("out_valid_o", out != nullptr, dut.top->out_valid_o);
    if (out) {
      OCT_COMPARE_ITEM(dut, *out, out_);
      if (out->kind == OCT_ITEM_MARK && oct_mark_has_task(out->mark))
        dut.compare("out_value_o", out->value, dut.top->out_value_o);
      oct_compare_tuple(dut, *out, widths_.index_bits, dut.top->out_tuple_o);
    }
    bool ready = oct_ntuple_eval(&ntuple_, &in);
    if (has_word_) dut.compare("ready_o", ready, dut.top->ready_o);
    oct_ntuple_clock(&ntuple_);
    if (ready) has_word_ = false;
  }

 private:
  oct_index_word make_word(Stimulus &r) {
    oct_index_word word = {};
    word.mark = r.mark(OCT_MARK_TASK, OCT_MARK_FLUSH);
    word.task = static_cast<uint32_t>(r.address(cfg_.task_bits));
    if (word.mark && r.percent(30)) {
      position_ = 0;
      return word;
    }
    // Now and then the same tuple twice in a row: it is searched for while it is written.
    if (position_ == 0 && !r.percent(30)) tuple_ = r.pooled();
    word.sl = 1 + r.below(1u << cfg_.sl_bits);
    word.sa = r.address(cfg_.addr_bits) & ~oct_mask(cfg_.pc_align_bits);
    word.index =
        static_cast<uint32_t>((tuple_ * 7 + tuple_ * position_) & oct_mask(widths_.index_bits));
    if (r.percent(90) && !word.index) word.index = 1;
    position_ = word.mark ? 0 : (position_ + 1) % (cfg_.ntuple_n ? cfg_.ntuple_n : 1);
    return word;
  }

  oct_config cfg_;
  oct_widths widths_;
  oct_stats stats_ = {};
  oct_ntuple ntuple_;
  oct_index_word word_ = {};
  uint64_t tuple_ = 0;
  uint32_t position_ = 0;
  bool has_word_ = false;
};

OCT_TWIN_MAIN(Stage)
