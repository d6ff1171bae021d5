// SPDX-License-Identifier: Apache-2.0
// oct_rvfi - twin test: one or two channels of random instructions whose masks mostly fit their
// opcodes, faster than the queue at times. A broken rule ends the trace, so runs are short: a reset
// follows.

// verilate: XLEN=ADDR_BITS CHANNELS=2 DEPTH=8 TRAPS=TRAPS CAUSE_BITS=CAUSE_BITS TIME_BITS=64
#include "oct_adapter_ports.h"
#include "oct_rvfi_random.h"

using Core = RandomRvfi<OCT_OWN_CHANNELS, OCT_OWN_DEPTH>;

class Stage {
 public:
  explicit Stage(const oct_config &cfg) : cfg_(cfg), core_(cfg) { restart(); }
  void restart() { oct_rvfi_init(&rvfi_, cfg_.addr_bits, Core::CHANNELS, Core::DEPTH, cfg_.traps); }

  void cycle(Dut &dut, Stimulus &r) {
    oct_rvfi_in in[Core::CHANNELS] = {};
    oct_retire out;
    if (rvfi_.error && !rvfi_.count && rvfi_.told && r.percent(5)) {
      dut.reset();
      restart();
    }
    core_.next(r, dut.top.get(), in);
    dut.settle();
    dut.compare("error_o", rvfi_.error, dut.top->error_o);
    oct_rvfi_cycle(&rvfi_, core_.is_open(), core_.is_halted(), in, &out);
    oct_adapter_compare(
        out, *dut.top, cfg_.traps, OCT_OWN_TIME_BITS,
        [&dut](const char *port, uint64_t model, uint64_t rtl) { dut.compare(port, model, rtl); });
  }

 private:
  oct_config cfg_;
  Core core_;
  oct_rvfi rvfi_;
};

OCT_TWIN_MAIN(Stage)
