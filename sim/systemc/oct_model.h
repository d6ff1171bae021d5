// SPDX-License-Identifier: Apache-2.0
// oct_model.h - the C model as a SystemC module with the ports of rtl/paper/oct_top.v.
//
// Outputs of the C model depend on the inputs of the same cycle, so the model runs once a cycle, at
// the falling edge, when its inputs have settled, and its outputs stand until the next.
#ifndef OCT_MODEL_H
#define OCT_MODEL_H

#include "oct_signals.h"

SC_MODULE(OctModel) {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
#define OCT_X(type, port, member) sc_core::sc_in<type> port{#port};
  OCT_INPUTS(OCT_X)
#undef OCT_X
#define OCT_X(type, port, member) sc_core::sc_out<type> port{#port};
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
#define OCT_X(type, port, member) in.member = static_cast<decltype(in.member)>(port.read());
    OCT_INPUTS(OCT_X)
#undef OCT_X
    oct_top_cycle(&top_, &in, &out);
#define OCT_X(type, port, member) port = static_cast<type>(out.member);
    OCT_OUTPUTS(OCT_X)
#undef OCT_X
  }

  oct_config cfg_;
  oct_top top_;
  bool is_fresh_ = true;
};

#endif
