// SPDX-License-Identifier: Apache-2.0
// oct_regs - twin test: APB reads and writes of every offset, events, levels. That counters stop at
// their end is tested in tests/paper/test_register_counters.c and proved in rtl/paper/oct_regs.v.

// verilate: TIME_BITS=56
#include "oct_twin.h"

extern "C" {
#include "oct_regs.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg) : cfg_(cfg) {
    oct_regs_init(&regs_, cfg.sync_period_insns, cfg.timestamp ? 56 : 0, cfg.time_source);
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_regs_in in = {};
    oct_apb_out out;
    if (!apb_.psel || apb_.penable) {
      apb_.psel = r.valid();
      apb_.penable = false;
      apb_.pwrite = r.percent(40);
      apb_.paddr = static_cast<uint16_t>(r.percent(90) ? 4 * r.below(15) : r.below(4096));
      apb_.pwdata = static_cast<uint32_t>(r.bits());
      // In every other phase nothing is cleared, so that the counts reach their ends.
      bool is_kept = (n_cycles_ >> 17 & 1) || r.percent(90);
      if (apb_.pwrite && apb_.paddr == OCT_REG_CLEAR && is_kept) apb_.psel = false;
      if (!apb_.psel) apb_.penable = r.percent(50);  // another component's access
    } else {
      apb_.penable = true;
    }
    in.apb = apb_;
    n_cycles_++;
    in.overflow = r.percent(70);
    in.lost_insns = static_cast<uint8_t>(r.below(3));
    in.lost_access = r.percent(70);
    in.lost_traps = static_cast<uint8_t>(r.percent(20) ? r.below(10) : 0);
    in.errors = r.percent(5) ? r.below(64) : 0;
    in.stream_count = r.below(r.below(cfg_.stream_fifo_depth + 1) + 1);
    in.data_count = r.below(r.below(cfg_.data_fifo_depth + 1) + 1);
    in.out_count_bytes = r.below(r.below(cfg_.out_fifo_bytes + 1) + 1);
    // More than a mark can say.
    uint32_t *levels[] = {&in.stream_count, &in.data_count, &in.out_count_bytes};
    if (r.below(2000) == 0) *levels[r.below(3)] = static_cast<uint32_t>(r.bits());
    dut.top->psel_i = apb_.psel;
    dut.top->penable_i = apb_.penable;
    dut.top->pwrite_i = apb_.pwrite;
    dut.top->paddr_i = apb_.paddr;
    dut.top->pwdata_i = apb_.pwdata;
    dut.top->overflow_i = in.overflow;
    dut.top->lost_insns_i = in.lost_insns;
    dut.top->lost_access_i = in.lost_access;
    dut.top->lost_traps_i = in.lost_traps;
    dut.top->errors_i = in.errors;
    dut.top->stream_count_i = in.stream_count;
    dut.top->data_count_i = in.data_count;
    dut.top->out_count_bytes_i = in.out_count_bytes;
    dut.settle();
    oct_regs_eval(&regs_, &in, &out);
    dut.compare("enable_o", regs_.enable_q, dut.top->enable_o);
    dut.compare("sync_period_insns_o", regs_.sync_period_insns_q, dut.top->sync_period_insns_o);
    dut.compare("atid_o", regs_.atid_q, dut.top->atid_o);
    dut.compare("pready_o", out.pready, dut.top->pready_o);
    dut.compare("prdata_o", out.prdata, dut.top->prdata_o);
    dut.compare("pslverr_o", out.pslverr, dut.top->pslverr_o);
    oct_regs_clock(&regs_);
  }

 private:
  oct_config cfg_;
  oct_regs regs_;
  oct_apb_in apb_ = {};
  uint64_t n_cycles_ = 0;
};

OCT_TWIN_MAIN(Stage)
