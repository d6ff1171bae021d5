// SPDX-License-Identifier: Apache-2.0
// oct_top_ports.h - drives the Verilated rtl/paper/oct_top.v and compares what it gives with the
// model.
#ifndef OCT_TOP_PORTS_H
#define OCT_TOP_PORTS_H

#include "oct_dut.h"
#include "oct_ports.h"

inline void oct_top_drive(Vdut &top, const oct_top_in &in) {
#define OCT_X(type, port, member) top.port = in.member;
  OCT_INPUTS(OCT_X)
#undef OCT_X
}

inline void oct_top_check(Dut &dut, const oct_top_out &out) {
  oct_top_out rtl = {};
#define OCT_X(type, port, member) rtl.member = dut.top->port;
  OCT_OUTPUTS(OCT_X)
#undef OCT_X
  oct_top_compare(out, rtl, [&dut](const char *port, uint64_t expected, uint64_t found) {
    dut.compare(port, expected, found);
  });
}

#endif
