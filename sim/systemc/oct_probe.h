// SPDX-License-Identifier: Apache-2.0
// oct_probe.h - the trace receiver on the pins, and the comparison of two compressors' outputs.
#ifndef OCT_PROBE_H
#define OCT_PROBE_H

#include <cinttypes>
#include <cstdio>
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
  static oct_pins_out read(const OctSignals &signals) {
    oct_pins_out out = {};
#define OCT_X(type, port, member) \
  out.member = static_cast<decltype(out.member)>(signals.port.read());
    OCT_OUTPUTS(OCT_X)
#undef OCT_X
    return out;
  }
  void compare(const char *port, uint64_t model, uint64_t rtl) {
    if (model == rtl || !difference_.empty()) return;
    char text[160];
    snprintf(text, sizeof text, "cycle %" PRIu64 ", %s: model 0x%" PRIx64 ", rtl 0x%" PRIx64,
             cycle_, port, model, rtl);
    difference_ = text;
    differ_event.notify(sc_core::SC_ZERO_TIME);
  }
  void cycle() {
    if (!rst_ni.read()) return;
    oct_pins_compare(
        read(model_), read(rtl_),
        [this](const char *port, uint64_t model, uint64_t rtl) { compare(port, model, rtl); });
    cycle_++;
  }

  const OctSignals &model_, &rtl_;
  std::string difference_;
  uint64_t cycle_ = 0;
};

#endif
