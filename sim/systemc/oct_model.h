// SPDX-License-Identifier: Apache-2.0
// oct_model.h - the C model as a SystemC module with the ports of rtl/oct_top.v.
//
// Outputs of the C model depend on the inputs of the same cycle, so the model runs once a cycle, at
// the falling edge, when its inputs have settled, and its outputs stand until the next.
#ifndef OCT_MODEL_H
#define OCT_MODEL_H

#include "oct_signals.h"

extern "C" {
#include "oct_top.h"
}

SC_MODULE(OctModel) {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
#define OCT_X(type, name) sc_core::sc_in<type> name{#name};
  OCT_INPUTS(OCT_X)
#undef OCT_X
#define OCT_X(type, name) sc_core::sc_out<type> name{#name};
  OCT_OUTPUTS(OCT_X)
#undef OCT_X

  SC_HAS_PROCESS(OctModel);
  OctModel(sc_core::sc_module_name module_name, const oct_config &cfg)
      : sc_module(module_name), cfg_(cfg) {
    reset();
    SC_METHOD(cycle);
    sensitive << clk_i.neg();
    dont_initialize();
  }
  ~OctModel() override {
    oct_top_free(&top_);
  }

 private:
  void reset() {
    if (oct_top_init(&top_, &cfg_)) SC_REPORT_FATAL(name(), "out of memory");
    is_fresh_ = true;
  }

  void cycle() {
    if (!rst_ni.read()) {
      if (!is_fresh_) {
        oct_top_free(&top_);
        reset();
      }
      return;
    }
    is_fresh_ = false;
    oct_top_in in = {};
    oct_top_out out;
    in.retire.insn_valid = insn_valid_i.read();
    in.retire.insn_addr = insn_addr_i.read();
    in.retire.insn_size_bytes = static_cast<uint8_t>(insn_size_bytes_i.read());
    in.retire.task = task_i.read();
    in.retire.da_valid = da_valid_i.read();
    in.retire.da_end = da_end_i.read();
    in.retire.da_addr = da_addr_i.read();
    in.afvalid = afvalid_i.read();
    in.port_stall = port_stall_i.read();
    in.end = end_i.read();
    in.apb.psel = psel_i.read();
    in.apb.penable = penable_i.read();
    in.apb.pwrite = pwrite_i.read();
    in.apb.paddr = static_cast<uint8_t>(paddr_i.read());
    in.apb.pwdata = pwdata_i.read();
    oct_top_cycle(&top_, &in, &out);
    prdata_o = out.apb.prdata;
    pready_o = out.apb.pready;
    pslverr_o = out.apb.pslverr;
    atvalid_o = out.atvalid;
    atready_o = out.atready;
    atdata_o = out.atdata;
    atbytes_o = out.atbytes;
    atid_o = out.atid;
    afready_o = out.afready;
    port_valid_o = out.port.valid;
    port_data_o = static_cast<oct_pins_t>(out.port.data);
  }

  oct_config cfg_;
  oct_top top_;
  bool is_fresh_ = true;
};

#endif
