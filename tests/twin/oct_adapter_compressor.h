// SPDX-License-Identifier: Apache-2.0
// oct_adapter_compressor.h - an adapter and the compressor behind it, beside their twins in C,
// which are wired as their Verilog is: a core at random, a debugger, a bus of its own. Only what
// leaves the two together is compared.
//
// An Adapter has the random core: next() drives the module, with these triggers or its own, and
// gives what the twin of the adapter makes of it; ended() says that nothing more will come before a
// reset.
#ifndef OCT_ADAPTER_COMPRESSOR_H
#define OCT_ADAPTER_COMPRESSOR_H

#include "oct_bus_ports.h"
#include "oct_top_random.h"

extern "C" {
#include "oct_top.h"
}

template <class Adapter>
class OctAdapterStage {
 public:
  explicit OctAdapterStage(const oct_config &cfg) : cfg_(cfg) { restart(); }
  ~OctAdapterStage() { oct_top_free(top_.get()); }
  OctAdapterStage(const OctAdapterStage &) = delete;
  OctAdapterStage &operator=(const OctAdapterStage &) = delete;

  void restart() {
    if (top_) oct_top_free(top_.get());
    top_ = std::make_unique<oct_top>();
    if (oct_top_init(top_.get(), &cfg_)) abort();
    adapter_ = std::make_unique<Adapter>(cfg_);
    bus_ = {};
    inputs_ = std::make_unique<RandomInputs>(
        oct_core_widths{cfg_.addr_bits, cfg_.pc_align_bits, cfg_.task_bits}, 0);
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_top_in in = {};
    oct_top_out out;
    if (adapter_->ended() && r.below(200) == 0) {
      dut.reset();
      restart();
    }
    bus_.next(dut.cycle, r, &in);
    inputs_->next(r, &in);  // of which the debugger and the triggers are taken
    const uint8_t trigger = in.retire.trigger;
    in.retire = adapter_->next(r, dut.top.get(), trigger);
    if (!cfg_.traps) in.retire.priv = 3;
    bus_.drive_debugger(*dut.top, in);
    dut.settle();
    oct_top_cycle_bus(top_.get(), &in, &bus_.pins(), &out);
    bus_.check(dut, *dut.top, out);
  }

 private:
  oct_config cfg_;
  std::unique_ptr<oct_top> top_;
  std::unique_ptr<Adapter> adapter_;
  std::unique_ptr<RandomInputs> inputs_;
  RandomBus bus_;
};

#endif
