// SPDX-License-Identifier: Apache-2.0
// oct_compressor - twin test of what an SoC takes, the compressor without the trace port, on a bus
// of its own: a receiver that is seldom ready, a bus slower than the core, flushes held until they
// are answered, sync requests, new source numbers under stalled beats. The rules of the bus are
// asserted beside it (rtl/oct_atb_check.v).
#include "oct_top_random.h"

extern "C" {
#include "oct_top.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg)
      : inputs_({cfg.addr_bits, cfg.pc_align_bits, cfg.task_bits}, cfg.traps ? cfg.cause_bits : 0),
        top_(std::make_unique<oct_top>()) {
    if (oct_top_init(top_.get(), &cfg)) abort();
  }
  ~Stage() { oct_top_free(top_.get()); }
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

  void cycle(Dut &dut, Stimulus &r) {
    oct_top_in in = {};
    oct_top_out out;
    if (r.below(5000) == 0) divider_ = 1 + r.below(4);
    // The receiver is clocked by atclken too, so its signals change behind it alone.
    if (runs_) {
      bool afvalid = in_.afvalid && !answered_;
      bus_.atready = r.ready();
      bus_.syncreq = r.below(3000) == 0;
      in_.afvalid = afvalid || r.below(500) == 0;
      answered_ = false;
    }
    bus_.atclken = runs_ = dut.cycle % divider_ == 0;
    inputs_.next(r, &in);
    in.afvalid = in_.afvalid;
    drive(dut, in);
    dut.settle();
    oct_top_cycle_bus(top_.get(), &in, &bus_, &out);
    compare(dut, out);
    answered_ = answered_ || (out.afready && bus_.atclken);
  }

 private:
  void drive(Dut &dut, const oct_top_in &in) {
    dut.top->insn_valid_i = in.retire.insn_valid;
    dut.top->insn_addr_i = in.retire.insn_addr;
    dut.top->insn_size_bytes_i = in.retire.insn_size_bytes;
    dut.top->task_i = in.retire.task;
    dut.top->da_valid_i = in.retire.da_valid;
    dut.top->da_end_i = in.retire.da_end;
    dut.top->da_addr_i = in.retire.da_addr;
    dut.top->priv_i = in.retire.priv;
    dut.top->trigger_i = in.retire.trigger;
    dut.top->core_error_i = in.retire.core_error;
    dut.top->trap_valid_i = in.retire.trap_valid;
    dut.top->trap_kind_i = in.retire.trap_kind;
    dut.top->trap_privilege_i = in.retire.trap_privilege;
    dut.top->trap_cause_i = in.retire.trap_cause;
    dut.top->trap_addr_i = in.retire.trap_addr;
    dut.top->trap_tval_i = in.retire.trap_tval;
    dut.top->psel_i = in.apb.psel;
    dut.top->penable_i = in.apb.penable;
    dut.top->pwrite_i = in.apb.pwrite;
    dut.top->paddr_i = in.apb.paddr;
    dut.top->pwdata_i = in.apb.pwdata;
    dut.top->atclken_i = bus_.atclken;
    dut.top->atready_i = bus_.atready;
    dut.top->syncreq_i = bus_.syncreq;
    dut.top->afvalid_i = in.afvalid;
  }

  void compare(Dut &dut, const oct_top_out &out) {
    dut.compare("prdata_o", out.apb.prdata, dut.top->prdata_o);
    dut.compare("pready_o", out.apb.pready, dut.top->pready_o);
    dut.compare("pslverr_o", out.apb.pslverr, dut.top->pslverr_o);
    dut.compare("atvalid_o", out.atvalid, dut.top->atvalid_o);
    if (out.atvalid) {
      uint64_t mask = oct_mask(8 * (out.atbytes + 1u));
      dut.compare("atbytes_o", out.atbytes, dut.top->atbytes_o);
      dut.compare("atdata_o", out.atdata & mask, dut.top->atdata_o & mask);
    }
    dut.compare("atid_o", out.atid, dut.top->atid_o);
    dut.compare("afready_o", out.afready, dut.top->afready_o);
  }

  RandomInputs inputs_;
  std::unique_ptr<oct_top> top_;
  oct_top_bus bus_ = {};
  oct_top_in in_ = {};
  bool runs_ = true, answered_ = false;
  uint32_t divider_ = 1;
};

OCT_TWIN_MAIN(Stage)
