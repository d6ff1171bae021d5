// SPDX-License-Identifier: Apache-2.0
// oct_top_ports.h - drives a Verilated top module and compares what it gives with its twin.
#ifndef OCT_TOP_PORTS_H
#define OCT_TOP_PORTS_H

#include "oct_dut.h"
#include "oct_ports.h"

// Sets a port that a module may lack.
#define OCT_X(type, port, member)                                                  \
  template <class Top>                                                             \
  auto oct_set_##port(Top &top, uint64_t value, int)->decltype(top.port, void()) { \
    top.port = static_cast<std::remove_reference_t<decltype(top.port)>>(value);    \
  }                                                                                \
  template <class Top>                                                             \
  void oct_set_##port(Top &, uint64_t, long) {}
OCT_CODE_INPUTS(OCT_X)
#undef OCT_X

// What every compressor has, with a trace port or without.
template <class Top>
void oct_core_drive(Top &top, const oct_pins_in &in) {
#define OCT_X(type, port, member) top.port = in.member;
  OCT_RETIRE_INPUTS(OCT_X)
  OCT_APB_INPUTS(OCT_X)
#undef OCT_X
#define OCT_X(type, port, member) oct_set_##port(top, in.member, 0);
  OCT_CODE_INPUTS(OCT_X)
#undef OCT_X
}

template <class Top>
void oct_top_drive(Top &top, const oct_pins_in &in) {
  oct_core_drive(top, in);
#define OCT_X(type, port, member) top.port = in.member;
  OCT_PORT_INPUTS(OCT_X)
#undef OCT_X
}

template <class Top>
void oct_top_check(Dut &dut, const Top &top, const oct_pins_out &out) {
  oct_pins_out rtl = {};
#define OCT_X(type, port, member) rtl.member = top.port;
  OCT_OUTPUTS(OCT_X)
#undef OCT_X
  oct_pins_compare(out, rtl, [&dut](const char *port, uint64_t expected, uint64_t found) {
    dut.compare(port, expected, found);
  });
}

#endif
