// SPDX-License-Identifier: Apache-2.0
// oct_rvfi - twin test: two channels of random instructions whose masks mostly fit their opcodes,
// faster than the queue at times. A broken rule ends the trace, so runs are short: a reset follows.

// verilate: XLEN=ADDR_BITS CHANNELS=2 DEPTH=8 TRAPS=TRAPS CAUSE_BITS=CAUSE_BITS
#include "oct_twin.h"

extern "C" {
#include "oct_rv_slots.h"
#include "oct_rvfi.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg)
      : xlen_(cfg.addr_bits), traps_(cfg.traps), cause_bits_(cfg.cause_bits) {
    restart();
  }
  void restart() { oct_rvfi_init(&rvfi_, xlen_, N, 8, traps_); }

  void cycle(Dut &dut, Stimulus &r) {
    oct_rvfi_in in[N] = {};
    oct_retire out;
    if (rvfi_.error && !rvfi_.count && rvfi_.told && r.percent(5)) {
      dut.reset();
      restart();
    }
    if (r.below(500) == 0) rate_ = r.below(70);
    const uint64_t tval = r.address(xlen_);
    const uint32_t cause = static_cast<uint32_t>(r.address(cause_bits_));
    const uint64_t epc = r.address(xlen_);
    dut.top->tval_i = tval;
    dut.top->epc_i = epc;
    dut.top->cause_i = cause;
    for (unsigned c = 0; c < N; c++) {
      if (r.percent(rate_)) make(r, &in[c]);
      in[c].tval = tval;
      in[c].epc = epc;
      in[c].cause = cause;
      set_port_bits(dut.top->rvfi_trap_i, c, 1, in[c].trap);
      set_port_bits(dut.top->rvfi_intr_i, c, 1, in[c].intr);
      set_port_bits(dut.top->rvfi_mode_i, 2 * c, 2, in[c].mode);
      set_port_bits(dut.top->rvfi_valid_i, c, 1, in[c].valid);
      set_port_bits(dut.top->rvfi_insn_i, 32 * c, 32, in[c].insn);
      set_port_bits(dut.top->rvfi_pc_rdata_i, xlen_ * c, xlen_, in[c].pc);
      set_port_bits(dut.top->rvfi_mem_addr_i, xlen_ * c, xlen_, in[c].mem_addr);
      set_port_bits(dut.top->rvfi_mem_rmask_i, xlen_ / 8 * c, xlen_ / 8, in[c].rmask);
      set_port_bits(dut.top->rvfi_mem_wmask_i, xlen_ / 8 * c, xlen_ / 8, in[c].wmask);
    }
    dut.settle();
    dut.compare("error_o", rvfi_.error, dut.top->error_o);
    oct_rvfi_cycle(&rvfi_, in, &out);
    dut.compare("insn_valid_o", out.insn_valid, dut.top->insn_valid_o);
    dut.compare("da_valid_o", out.da_valid, dut.top->da_valid_o);
    dut.compare("trap_valid_o", out.trap_valid, dut.top->trap_valid_o);
    if (out.trap_valid) {
      dut.compare("trap_kind_o", out.trap_kind, dut.top->trap_kind_o);
      dut.compare("trap_privilege_o", out.trap_privilege, dut.top->trap_privilege_o);
      dut.compare("trap_cause_o", out.trap_cause, dut.top->trap_cause_o);
      dut.compare("trap_addr_o", out.trap_addr, dut.top->trap_addr_o);
      dut.compare("trap_tval_o", out.trap_tval, dut.top->trap_tval_o);
    }
    if (out.insn_valid && traps_) dut.compare("priv_o", out.priv, dut.top->priv_o);
    dut.compare("core_error_o", out.core_error, dut.top->core_error_o);
    if (out.insn_valid) {
      dut.compare("insn_addr_o", out.insn_addr, dut.top->insn_addr_o);
      dut.compare("insn_size_bytes_o", out.insn_size_bytes, dut.top->insn_size_bytes_o);
      dut.compare("insn_class_o", out.insn_class, dut.top->insn_class_o);
      dut.compare("insn_word_o", out.insn_word, dut.top->insn_word_o);
    }
    if (out.da_valid) {
      dut.compare("da_end_o", out.da_end, dut.top->da_end_o);
      if (!out.da_end) dut.compare("da_addr_o", out.da_addr, dut.top->da_addr_o);
    }
  }

 private:
  enum { N = 2 };

  void make(Stimulus &r, oct_rvfi_in *in) {
    static const uint8_t opcodes[] = {0x03, 0x23, 0x07, 0x27, 0x2f, 0x63, 0x67, 0x6f, 0x13};
    in->valid = true;
    static const uint32_t trap_returns[] = {0x00200073, 0x10200073, 0x30200073, 0x70200073,
                                            0x7b200073};
    in->insn = static_cast<uint32_t>(r.bits());
    if (r.percent(70)) in->insn = (in->insn & ~0x7fu) | opcodes[r.below(9)];
    if (r.percent(30)) in->insn = (in->insn & ~0xf80f80u) | r.below(6) << 7 | r.below(6) << 15;
    if (r.percent(3)) in->insn = trap_returns[r.below(5)] ^ (r.below(4) ? 0 : 1u << r.below(32));
    in->pc = r.address(xlen_) & ~uint64_t{1};
    in->mem_addr = r.address(xlen_);
    unsigned slots = oct_rv_slots(in->insn);
    const uint32_t masks = 1u << xlen_ / 8;
    if (r.percent(10)) slots = r.below(slots + 1);
    if (slots == 2 || (slots == 1 && r.percent(50))) in->rmask = 1 + r.below(masks - 1);
    if (slots == 2 || (slots == 1 && !in->rmask)) in->wmask = 1 + r.below(masks - 1);
    if (r.below(20) == 0) mode_ = static_cast<uint8_t>(r.below(4));
    in->mode = mode_;
    in->trap = r.percent(5);
    if (in->trap && r.percent(50))
      in->insn = static_cast<uint32_t>(r.bits());  // and masks that are not its own
    in->intr = r.percent(10);
    if (r.below(400) == 0) in->pc |= 1;
    if (r.below(400) == 0) in->wmask = in->rmask = 1;
  }

  uint32_t xlen_;
  bool traps_;
  uint32_t cause_bits_;
  uint8_t mode_ = 3;
  oct_rvfi rvfi_;
  uint32_t rate_ = 30;
};

OCT_TWIN_MAIN(Stage)
