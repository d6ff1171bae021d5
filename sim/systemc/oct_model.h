// SPDX-License-Identifier: Apache-2.0
// oct_model.h - the C model as a SystemC module with the ports of its Verilog.
//
// Outputs of the C model depend on the inputs of the same cycle, so the model runs once a cycle, at
// the falling edge, when its inputs have settled, and its outputs stand until the next.
#ifndef OCT_MODEL_H
#define OCT_MODEL_H

#include <memory>

#include "oct_machine.h"
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
  OctModel(sc_core::sc_module_name module_name, const Machine &machine)
      : sc_module(module_name), twin(machine) {
    SC_METHOD(cycle);
    sensitive << clk_i.neg();
    dont_initialize();
  }
  // What went wrong in the model, such as an instruction that the program map does not have; 0
  // else.
  int error() const {
    return error_;
  }
  const oct_diag &diag() const {
    return diag_;
  }

  Twin twin;

 private:
  void cycle() {
    if (!rst_ni.read()) {
      if (!is_fresh_) twin.reset();
      is_fresh_ = true;
      return;
    }
    is_fresh_ = false;
    oct_pins_in in = {};
    oct_pins_out out = {};
#define OCT_X(type, port, member) in.member = static_cast<decltype(in.member)>(port.read());
    OCT_INPUTS(OCT_X)
#undef OCT_X
    if (!error_) error_ = twin.cycle(in, &out, &diag_);
#define OCT_X(type, port, member) port = static_cast<type>(out.member);
    OCT_OUTPUTS(OCT_X)
#undef OCT_X
  }

  int error_ = 0;
  oct_diag diag_ = {};
  bool is_fresh_ = true;
};

#endif
