// SPDX-License-Identifier: Apache-2.0
// oct_ram_sink - twin test: beats of 1 to 4 bytes, triggers, flushes, a debugger that reads, stops
// and starts.

// verilate: DEPTH_WORDS=16
#include "oct_twin.h"

extern "C" {
#include "oct_ram_sink.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &) { restart(); }
  // A reset leaves the RAM as it is.
  void restart() {
    oct_ram_sink_init(&sink_, ram_, DEPTH);
    apb_ = {};
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_ram_sink_in in = {};
    oct_apb_out out;
    in.atvalid = r.valid();
    in.atbytes = static_cast<uint8_t>(r.below(4));
    in.atdata = static_cast<uint32_t>(r.bits());
    // What stands in a RAM at first is not known: all of it is written before it is read.
    if (filled_ < 2 * DEPTH) {
      in.atvalid = true;
      in.atbytes = 3;
      filled_++;
    } else {
      in.trigger = r.below(200) == 0;
      make_apb(r);
    }
    in.afready = r.percent(20);
    in.apb = apb_;
    dut.top->atvalid_i = in.atvalid;
    dut.top->atbytes_i = in.atbytes;
    dut.top->atdata_i = in.atdata;
    dut.top->trigger_i = in.trigger;
    dut.top->afready_i = in.afready;
    dut.top->psel_i = in.apb.psel;
    dut.top->penable_i = in.apb.penable;
    dut.top->pwrite_i = in.apb.pwrite;
    dut.top->paddr_i = in.apb.paddr;
    dut.top->pwdata_i = in.apb.pwdata;
    dut.settle();
    dut.compare("afvalid_o", sink_.flush, dut.top->afvalid_o);
    oct_ram_sink_cycle(&sink_, &in, &out);
    dut.compare("atready_o", 1, dut.top->atready_o);
    dut.compare("pready_o", out.pready, dut.top->pready_o);
    dut.compare("pslverr_o", out.pslverr, dut.top->pslverr_o);
    if (in.apb.psel && in.apb.penable && !in.apb.pwrite)
      dut.compare("prdata_o", out.prdata, dut.top->prdata_o);
  }

 private:
  enum : uint32_t { DEPTH = 16 };

  void make_apb(Stimulus &r) {
    if (apb_.psel && !apb_.penable) {
      apb_.penable = true;
      return;
    }
    apb_ = {};
    apb_.psel = r.percent(50);
    apb_.penable = !apb_.psel && r.percent(50);  // another component's access
    apb_.pwrite = r.percent(20);
    const bool is_flush = r.percent(20);
    apb_.paddr = static_cast<uint16_t>(is_flush        ? 0x300 + 4 * r.below(2)
                                       : r.percent(95) ? 4 * r.below(10)
                                                       : r.below(4096));
    apb_.pwdata = is_flush ? r.below(2) << 6 | r.below(2) << 12 : r.below(r.percent(50) ? 4 : 64);
  }

  oct_ram_sink sink_;
  uint32_t ram_[DEPTH] = {};
  oct_apb_in apb_ = {};
  uint32_t filled_ = 0;
};

OCT_TWIN_MAIN(Stage)
