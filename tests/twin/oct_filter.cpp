// SPDX-License-Identifier: Apache-2.0
// oct_filter - twin test: registers written at random while instructions of a small program run,
// with runs of accesses, tasks, privilege levels, triggers. Addresses are few, and match values
// near them.
#include "oct_filter_random.h"
#include "oct_ignored_random.h"

class Stage {
 public:
  explicit Stage(const oct_config &cfg)
      : cfg_(cfg), ignored_({cfg.addr_bits, cfg.pc_align_bits, cfg.task_bits}, cfg.cause_bits) {
    oct_filter_init(&filter_, cfg.filters, cfg.addr_bits, cfg.task_bits);
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_filter_in in = {};
    oct_filter_out out;
    make_retire(r);
    oct_retire retire = {};
    retire.insn_valid = insn_valid_;
    retire.da_valid = da_valid_;
    retire.da_end = da_end_;
    retire.insn_addr = pc_;
    retire.da_addr = da_;
    retire.task = task_;
    retire.priv = priv_;
    ignored_.fill(r, &retire);
    in.insn_valid = retire.insn_valid;
    in.da_valid = retire.da_valid;
    in.da_end = retire.da_end;
    in.insn_addr = retire.insn_addr;
    in.da_addr = retire.da_addr;
    in.task = retire.task;
    in.priv = retire.priv;
    in.trigger = static_cast<uint8_t>(r.percent(2) ? r.below(4) : 0);
    if (!apb_.psel || apb_.penable) {
      apb_ = oct_filter_access(r, r.near(r.percent(50) ? pc_ : da_, 8), task_);
      apb_.psel = r.percent(20);
      if (!apb_.psel) apb_.penable = r.percent(50);  // another component's access
    } else {
      apb_.penable = true;
    }
    in.apb = apb_;
    drive(dut, in);
    dut.settle();
    oct_filter_eval(&filter_, &in, &out);
    dut.compare("skip_o", out.skip, dut.top->skip_o);
    dut.compare("da_valid_o", out.da_valid, dut.top->da_valid_o);
    if (out.da_valid) dut.compare("da_end_o", out.da_end, dut.top->da_end_o);
    dut.compare("pready_o", out.apb.pready, dut.top->pready_o);
    dut.compare("prdata_o", out.apb.prdata, dut.top->prdata_o);
    dut.compare("pslverr_o", out.apb.pslverr, dut.top->pslverr_o);
    oct_filter_clock(&filter_);
  }

 private:
  void make_retire(Stimulus &r) {
    insn_valid_ = false;
    da_valid_ = accesses_ > 0;
    if (accesses_) {
      accesses_--;
    } else if (r.valid()) {
      insn_valid_ = true;
      pc_ = (r.percent(80) ? pc_ + 4 : 0x8000 + 4 * r.pooled()) & oct_mask(cfg_.addr_bits);
      if (r.percent(1)) pc_ = r.address(cfg_.addr_bits);
      if (r.percent(2)) task_ = static_cast<uint32_t>(r.near(task_, cfg_.task_bits));
      if (r.percent(5)) priv_ = static_cast<uint8_t>(r.below(8));
      accesses_ = r.percent(40) ? r.below(4) : 0;
      da_valid_ = accesses_ > 0;
      if (accesses_) accesses_--;
    }
    da_end_ = da_valid_ && !accesses_ && r.percent(20);
    da_ = (r.percent(70) ? 0x100 + 4 * r.pooled() : r.near(pc_, 8)) & oct_mask(cfg_.addr_bits);
  }

  void drive(Dut &dut, const oct_filter_in &in) {
    dut.top->psel_i = in.apb.psel;
    dut.top->penable_i = in.apb.penable;
    dut.top->pwrite_i = in.apb.pwrite;
    dut.top->paddr_i = in.apb.paddr;
    dut.top->pwdata_i = in.apb.pwdata;
    dut.top->insn_valid_i = in.insn_valid;
    dut.top->insn_addr_i = in.insn_addr;
    dut.top->task_i = in.task;
    dut.top->priv_i = in.priv;
    dut.top->da_valid_i = in.da_valid;
    dut.top->da_end_i = in.da_end;
    dut.top->da_addr_i = in.da_addr;
    dut.top->trigger_i = in.trigger;
  }

  oct_config cfg_;
  IgnoredRandom ignored_;
  oct_filter filter_;
  oct_apb_in apb_ = {};
  uint64_t pc_ = 0x8000, da_ = 0;
  uint32_t task_ = 0, accesses_ = 0;
  uint8_t priv_ = 3;
  bool insn_valid_ = false, da_valid_ = false, da_end_ = false;
};

OCT_TWIN_MAIN(Stage)
