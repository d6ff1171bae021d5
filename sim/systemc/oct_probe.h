// SPDX-License-Identifier: Apache-2.0
// oct_probe.h - the trace receiver on the pins, and the comparison of two compressors' outputs.
#ifndef OCT_PROBE_H
#define OCT_PROBE_H

#include <string>

#include "oct_signals.h"
#include "oct_trace.h"

// Takes the pins and hands them to the checker, which decodes them.
SC_MODULE(OctProbe) {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"}, port_valid_i{"port_valid_i"};
  sc_core::sc_in<oct_pins_t> port_data_i{"port_data_i"};

  SC_HAS_PROCESS(OctProbe);
  OctProbe(sc_core::sc_module_name module_name, Checker & checker)
      : sc_module(module_name), checker_(checker) {
    SC_METHOD(cycle);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  void cycle() {
    if (rst_ni.read() && port_valid_i.read()) checker_.pins(port_data_i.read());
  }
  Checker &checker_;
};

// Every output of two compressors on every cycle; the first difference is kept.
SC_MODULE(OctComparator) {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};

  SC_HAS_PROCESS(OctComparator);
  OctComparator(sc_core::sc_module_name module_name, const OctSignals &model, const OctSignals &rtl)
      : sc_module(module_name), model_(model), rtl_(rtl) {
    SC_METHOD(cycle);
    sensitive << clk_i.pos();
    dont_initialize();
  }
  const std::string &difference() const {
    return difference_;
  }
  sc_core::sc_event differ_event;

 private:
  template <class T>
  void compare(const char *port, const T &model, const T &rtl) {
    if (model == rtl || !difference_.empty()) return;
    difference_ = "cycle " + std::to_string(cycle_) + ", " + port + ": model " +
                  std::to_string(model) + ", rtl " + std::to_string(rtl);
    differ_event.notify(sc_core::SC_ZERO_TIME);
  }
  void cycle() {
    if (!rst_ni.read()) return;
#define OCT_X(type, name) \
  const type name##_model = model_.name.read(), name##_rtl = rtl_.name.read();
    OCT_OUTPUTS(OCT_X)
#undef OCT_X
    compare("atvalid_o", atvalid_o_model, atvalid_o_rtl);
    compare("atready_o", atready_o_model, atready_o_rtl);
    if (atvalid_o_model) {
      uint64_t mask = oct_mask(8 * (atbytes_o_model + 1));
      compare("atbytes_o", atbytes_o_model, atbytes_o_rtl);
      compare("atdata_o", atdata_o_model & mask, atdata_o_rtl & mask);
    }
    compare("atid_o", atid_o_model, atid_o_rtl);
    compare("afready_o", afready_o_model, afready_o_rtl);
    compare("port_valid_o", port_valid_o_model, port_valid_o_rtl);
    if (port_valid_o_model) compare("port_data_o", port_data_o_model, port_data_o_rtl);
    compare("prdata_o", prdata_o_model, prdata_o_rtl);
    compare("pready_o", pready_o_model, pready_o_rtl);
    compare("pslverr_o", pslverr_o_model, pslverr_o_rtl);
    cycle_++;
  }

  const OctSignals &model_, &rtl_;
  std::string difference_;
  uint64_t cycle_ = 0;
};

#endif
