// SPDX-License-Identifier: Apache-2.0
// oct_dasc - twin test: instructions whose accesses stride, break the stride and share sets; ends
// and marks among them; back-pressure.
#include "oct_twin.h"

extern "C" {
#include "oct_dasc.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg) : cfg_(cfg) {
    if (oct_dasc_init(&dasc_, &cfg, &stats_)) abort();
  }
  ~Stage() { oct_dasc_free(&dasc_); }

  void cycle(Dut &dut, Stimulus &r) {
    if (!has_word_) {
      has_word_ = r.valid();
      word_ = make_word(r);
    }
    oct_dasc_in in = {has_word_, &word_, r.ready()};
    dut.top->valid_i = has_word_;
    dut.top->pc_i = word_.pc;
    dut.top->slot_i = word_.slot;
    dut.top->da_i = word_.da;
    dut.top->kind_i = word_.kind;
    dut.top->mark_i = word_.mark;
    dut.top->out_ready_i = in.out_ready;
    dut.settle();
    dut.compare("out_valid_o", dasc_.hold.out_valid_q, dut.top->out_valid_o);
    if (dasc_.hold.out_valid_q) {
      const oct_dt_word &out = dasc_.out_q;
      dut.compare("out_kind_o", out.kind, dut.top->out_kind_o);
      dut.compare("out_mark_o", out.mark, dut.top->out_mark_o);
      if (out.kind != OCT_DATA_NONE) dut.compare("out_hit_o", out.hit, dut.top->out_hit_o);
      if (out.kind == OCT_DATA_ACCESS) dut.compare("out_da_o", out.da, dut.top->out_da_o);
    }
    bool ready = oct_dasc_eval(&dasc_, &in);
    dut.compare("ready_o", ready, dut.top->ready_o);
    oct_dasc_clock(&dasc_);
    if (ready) has_word_ = false;
  }

 private:
  oct_data_word make_word(Stimulus &r) {
    oct_data_word word = {};
    uint64_t n = r.pooled();
    word.mark = r.mark(OCT_MARK_SYNC, OCT_MARK_FLUSH);
    if (word.mark && r.percent(50)) return word;
    word.kind = r.percent(10) ? OCT_DATA_END : OCT_DATA_ACCESS;
    word.pc = (n << cfg_.pc_align_bits) & oct_mask(cfg_.addr_bits);
    if (r.percent(4)) word.pc = r.near(word.pc, cfg_.addr_bits) & ~oct_mask(cfg_.pc_align_bits);
    word.slot = r.percent(70) ? 0 : static_cast<uint8_t>(r.below(16));
    /* Strides around the widest that fits, both signs; sometimes anywhere, or one bit off. */
    uint64_t stride = (n % 5 - 2) << (n % 3 ? 2 : cfg_.stride_bits - 1);
    bases_[n % 64] += stride + (r.percent(5) ? r.below(64) : 0);
    word.da = (r.percent(5) ? r.bits() : bases_[n % 64]) & oct_mask(cfg_.addr_bits);
    if (r.percent(3)) word.da = r.near(word.da, cfg_.addr_bits);
    return word;
  }

  oct_config cfg_;
  oct_stats stats_ = {};
  oct_dasc dasc_;
  oct_data_word word_ = {};
  uint64_t bases_[64] = {};
  bool has_word_ = false;
};

OCT_TWIN_MAIN(Stage)
