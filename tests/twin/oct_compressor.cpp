// SPDX-License-Identifier: Apache-2.0
// oct_compressor - twin test of what an SoC takes, the compressor without the trace port, on a bus
// of its own: a receiver that is seldom ready, a bus slower than the core, flushes held until they
// are answered, sync requests, new source numbers under stalled beats. The rules of the bus are
// asserted beside it (rtl/common/oct_atb_check.v).
#include "oct_bus_ports.h"
#include "oct_ignored_random.h"
#include "oct_top_random.h"

extern "C" {
#include "oct_top.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg)
      : inputs_({cfg.addr_bits, cfg.pc_align_bits, cfg.task_bits}, cfg.traps ? cfg.cause_bits : 0),
        ignored_({cfg.addr_bits, cfg.pc_align_bits, cfg.task_bits}, cfg.cause_bits),
        top_(std::make_unique<oct_top>()) {
    if (oct_top_init(top_.get(), &cfg)) abort();
  }
  ~Stage() { oct_top_free(top_.get()); }
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

  void cycle(Dut &dut, Stimulus &r) {
    oct_top_in in = {};
    oct_top_out out;
    bus_.next(dut.cycle, r, &in);
    inputs_.next(r, &in);
    ignored_.fill(r, &in);
    bus_.drive(*dut.top, in);
    dut.settle();
    oct_top_cycle_bus(top_.get(), &in, &bus_.pins(), &out);
    bus_.check(dut, *dut.top, out);
  }

 private:
  RandomInputs inputs_;
  IgnoredRandom ignored_;
  std::unique_ptr<oct_top> top_;
  RandomBus bus_;
};

OCT_TWIN_MAIN(Stage)
