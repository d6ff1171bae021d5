// SPDX-License-Identifier: Apache-2.0
// oct_trace_port - twin test: beats of 1 to 4 bytes, stalls, ends.
#include "oct_twin.h"

extern "C" {
#include "oct_trace_port.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg) { oct_trace_port_init(&port_, cfg.port_pins); }

  void cycle(Dut &dut, Stimulus &r) {
    oct_trace_port_in in = {};
    in.stall = !r.ready();
    bool ready = oct_trace_port_ready(&port_, in.stall);
    in.atvalid = ready && r.valid();
    in.atbytes = r.percent(90) ? 3 : static_cast<uint8_t>(r.below(4));
    in.atdata = static_cast<uint32_t>(r.bits() & oct_mask(8 * (in.atbytes + 1u)));
    in.end = r.percent(2);
    dut.top->atvalid_i = in.atvalid;
    dut.top->atdata_i = in.atdata;
    dut.top->atbytes_i = in.atbytes;
    dut.top->end_i = in.end;
    dut.top->stall_i = in.stall;
    dut.settle();
    dut.compare("atready_o", ready, dut.top->atready_o);
    oct_trace_port_out out = oct_trace_port_eval(&port_, &in);
    dut.compare("valid_o", out.valid, dut.top->valid_o);
    if (out.valid) dut.compare("data_o", out.data, dut.top->data_o);
    oct_trace_port_clock(&port_);
  }

 private:
  oct_trace_port port_;
};

OCT_TWIN_MAIN(Stage)
