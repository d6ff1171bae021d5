// SPDX-License-Identifier: Apache-2.0
// oct_stream_cache - twin test: pools of streams from few to many, so that sets fill, hit and
// conflict; marks with and without a stream; back-pressure.
#include "oct_twin.h"

extern "C" {
#include "oct_stream_cache.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg) : cfg_(cfg) {
    if (oct_stream_cache_init(&cache_, &cfg, &stats_)) abort();
  }
  ~Stage() { oct_stream_cache_free(&cache_); }

  void cycle(Dut &dut, Stimulus &r) {
    if (!has_word_) {
      has_word_ = r.valid();
      word_ = make_word(r);
    }
    oct_stream_cache_in in = {has_word_, &word_, r.ready()};
    dut.top->valid_i = has_word_;
    dut.top->sa_i = word_.sa;
    dut.top->sl_i = word_.sl;
    dut.top->task_i = word_.task;
    dut.top->mark_i = word_.mark;
    dut.top->out_ready_i = in.out_ready;
    dut.settle();
    dut.compare("out_valid_o", cache_.hold.out_valid_q, dut.top->out_valid_o);
    if (cache_.hold.out_valid_q) {
      const oct_index_word &out = cache_.out_q;
      dut.compare("out_sl_o", out.sl, dut.top->out_sl_o);
      dut.compare("out_mark_o", out.mark, dut.top->out_mark_o);
      if (oct_mark_has_task(out.mark)) dut.compare("out_task_o", out.task, dut.top->out_task_o);
      if (out.sl) dut.compare("out_index_o", out.index, dut.top->out_index_o);
      if (out.sl) dut.compare("out_sa_o", out.sa, dut.top->out_sa_o);
    }
    bool ready = oct_stream_cache_eval(&cache_, &in);
    dut.compare("ready_o", ready, dut.top->ready_o);
    oct_stream_cache_clock(&cache_);
    if (ready) has_word_ = false;
  }

 private:
  oct_stream_word make_word(Stimulus &r) {
    oct_stream_word word = {};
    uint64_t n = r.pooled();
    word.mark = r.mark(OCT_MARK_TASK, OCT_MARK_FLUSH);
    word.task = static_cast<uint32_t>(r.address(cfg_.task_bits));
    if (word.mark && r.percent(30)) return word;
    word.sa = (n / 3 * 36 & oct_mask(cfg_.addr_bits)) & ~oct_mask(cfg_.pc_align_bits);
    word.sl = 1 + static_cast<uint32_t>(n % 3 * 96) % (1u << cfg_.sl_bits);
    if (r.percent(2)) word.sl = 1u << cfg_.sl_bits;
    if (r.percent(4)) word.sa = r.near(word.sa, cfg_.addr_bits) & ~oct_mask(cfg_.pc_align_bits);
    if (r.percent(4)) word.sl = 1 + static_cast<uint32_t>(r.near(word.sl - 1, cfg_.sl_bits));
    return word;
  }

  oct_config cfg_;
  oct_stats stats_ = {};
  oct_stream_cache cache_;
  oct_stream_word word_ = {};
  bool has_word_ = false;
};

OCT_TWIN_MAIN(Stage)
