// SPDX-License-Identifier: Apache-2.0
// oct_formatter - twin test, and our own reader takes the frames apart (oct_formatter_run.h).

// verilate: SOURCES=3 HOLD=4 REPEAT_FRAMES=3
#include "oct_formatter_run.h"

extern "C" {
#include "oct_atb_formatter.h"
#include "oct_unframe.h"
}

class OwnUnframe {
 public:
  static constexpr bool GIVES_TRIGGERS = true;

  template <class Give>
  bool put(uint8_t byte, Give give) {
    oct_unframed carried[OCT_UNFRAMED_MAX];
    const int n = oct_unframe_put(&unframe_, byte, carried);
    for (int i = 0; i < n; i++) give(carried[i].source, carried[i].byte);
    return n >= 0;
  }

 private:
  oct_unframe unframe_ = {};
};

class Stage : public FormatterRun<OwnUnframe> {
 public:
  explicit Stage(const oct_config &) {
    oct_atb_formatter_init(&formatter_, N, OCT_OWN_HOLD, REPEAT_FRAMES);
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_atb_formatter_out out;
    begin(dut, r);
    oct_atb_formatter_cycle(&formatter_, sources_.at, flush_, ready_, &out);
    dut.compare("atready_o", out.atready, dut.top->atready_o);
    dut.compare("afvalid_o", out.afvalid, dut.top->afvalid_o);
    dut.compare("flush_done_o", out.flush_done, dut.top->flush_done_o);
    dut.compare("valid_o", out.valid, dut.top->valid_o);
    if (out.valid) dut.compare("data_o", out.data, dut.top->data_o);
    end(dut);
  }

 private:
  oct_atb_formatter formatter_;
};

OCT_TWIN_MAIN(Stage)
