// SPDX-License-Identifier: Apache-2.0
// oct_core_rules - twin test: instructions and accesses that mostly keep the rules, and break each.
#include "oct_twin.h"

extern "C" {
#include "oct_core_rules.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg) : cfg_(cfg) {
    oct_core_rules_init(&rules_, cfg.pc_align_bits);
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_core_rules_in in = {};
    in.insn_valid = r.percent(40);
    in.da_valid = r.percent(60);
    in.da_end = r.percent(20);
    in.trap_valid = r.percent(10);
    in.trap_kind = static_cast<uint8_t>(r.below(4));
    in.core_error = r.percent(2);
    in.insn_addr = r.address(cfg_.addr_bits);
    if (r.percent(80)) in.insn_addr &= ~oct_mask(cfg_.pc_align_bits);
    in.insn_size_bytes =
        static_cast<uint8_t>(r.percent(80) ? 1u << cfg_.pc_align_bits : r.below(16));
    dut.top->insn_valid_i = in.insn_valid;
    dut.top->insn_addr_i = in.insn_addr;
    dut.top->insn_size_bytes_i = in.insn_size_bytes;
    dut.top->da_valid_i = in.da_valid;
    dut.top->da_end_i = in.da_end;
    dut.top->trap_valid_i = in.trap_valid;
    dut.top->trap_kind_i = in.trap_kind;
    dut.top->core_error_i = in.core_error;
    dut.settle();
    dut.compare("errors_o", oct_core_rules_eval(&rules_, &in), dut.top->errors_o);
  }

 private:
  oct_config cfg_;
  oct_core_rules rules_;
};

OCT_TWIN_MAIN(Stage)
