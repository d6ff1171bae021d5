// SPDX-License-Identifier: Apache-2.0
// oct_riscv_ingress - twin test: blocks of random instructions, accesses of each type, traps,
// privilege and context, faster than the queue at times; and each rule of the port broken now and
// then.

// verilate: XLEN=ADDR_BITS BLOCKS=2 BLOCK_HALFWORDS=4 ACCESSES=2 DEPTH=4
// verilate: CAUSE_BITS=CAUSE_BITS CONTEXT_BITS=16 TIME_BITS=64
#include "oct_adapter_ports.h"
#include "oct_riscv_random.h"

using Core =
    RandomIngress<OCT_OWN_BLOCKS, OCT_OWN_BLOCK_HALFWORDS, OCT_OWN_ACCESSES, OCT_OWN_DEPTH>;

class Stage {
 public:
  explicit Stage(const oct_config &cfg) : addr_bits_(cfg.addr_bits), core_(cfg) { restart(); }
  void restart() {
    oct_riscv_ingress_init(&ingress_, Core::BLOCKS, Core::HALFWORDS, Core::ACCESSES, Core::DEPTH,
                           addr_bits_);
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_riscv_in in = {};
    oct_retire out;
    if (r.below(100) == 0) {  // a trap may come before all instructions
      dut.reset();
      restart();
    }
    core_.next(r, dut.top.get(), &in);
    dut.settle();
    oct_riscv_ingress_cycle(&ingress_, core_.is_open(), &in, &out);
    oct_adapter_compare(
        out, *dut.top, true, OCT_OWN_TIME_BITS,
        [&dut](const char *port, uint64_t model, uint64_t rtl) { dut.compare(port, model, rtl); });
    dut.compare("trigger_o", out.trigger, dut.top->trigger_o);
    if (out.insn_valid || out.trap_valid) dut.compare("task_o", out.task, dut.top->task_o);
  }

 private:
  uint32_t addr_bits_;
  Core core_;
  oct_riscv_ingress ingress_;
};

OCT_TWIN_MAIN(Stage)
