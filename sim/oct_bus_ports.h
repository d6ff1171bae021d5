// SPDX-License-Identifier: Apache-2.0
// oct_bus_ports.h - a compressor without a trace port beside its twin: the receiver on its trace
// bus at random, its inputs driven, its outputs compared.
//
// The receiver is seldom ready, and at times slower than the core. It holds a request for a flush
// until that is answered, and asks for syncs.
#ifndef OCT_BUS_PORTS_H
#define OCT_BUS_PORTS_H

#include "oct_top_ports.h"
#include "oct_twin.h"

class RandomBus {
 public:
  // What the receiver does in this cycle: pins(), and afvalid_i of *in.
  void next(uint64_t cycle, Stimulus &r, oct_pins_in *in) {
    if (r.below(5000) == 0) divider_ = 1 + r.below(4);
    // The receiver is clocked by atclken too, so its signals change behind it alone.
    if (pins_.atclken) {
      pins_.atready = r.ready();
      pins_.syncreq = r.below(3000) == 0;
      afvalid_ = (afvalid_ && !is_answered_) || r.below(500) == 0;
      is_answered_ = false;
    }
    pins_.atclken = cycle % divider_ == 0;
    in->afvalid = afvalid_;
  }
  const oct_pins_bus &pins() const { return pins_; }

  template <class Top>
  void drive(Top &top, const oct_pins_in &in) const {
    oct_core_drive(top, in);
    drive_debugger(top, in);
  }
  // The same but for what comes from a core.
  template <class Top>
  void drive_debugger(Top &top, const oct_pins_in &in) const {
#define OCT_X(type, port, member) top.port = in.member;
    OCT_APB_INPUTS(OCT_X)
#undef OCT_X
    top.afvalid_i = in.afvalid;
    top.atclken_i = pins_.atclken;
    top.atready_i = pins_.atready;
    top.syncreq_i = pins_.syncreq;
  }

  // Compare every output of this cycle with those of the twin.
  template <class Top>
  void check(Dut &dut, const Top &top, const oct_pins_out &out) {
    oct_pins_out rtl = out;
#define OCT_X(type, port, member) rtl.member = top.port;
    OCT_BUS_OUTPUTS(OCT_X)
    OCT_APB_OUTPUTS(OCT_X)
#undef OCT_X
    oct_pins_compare(out, rtl, [&dut](const char *port, uint64_t expected, uint64_t found) {
      dut.compare(port, expected, found);
    });
    is_answered_ = is_answered_ || (out.afready && pins_.atclken);
  }

 private:
  oct_pins_bus pins_ = {true, false, false};
  bool afvalid_ = false, is_answered_ = false;
  uint32_t divider_ = 1;
};

#endif
