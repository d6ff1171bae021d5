// SPDX-License-Identifier: Apache-2.0
// oct_rvfi_random.h - what a core with channels of RVFI tells, at random: instructions whose
// masks mostly fit their opcodes, traps, rules broken now and then, a gate that closes. For modules
// with the inputs of rtl/common/oct_rvfi.v.
#ifndef OCT_RVFI_RANDOM_H
#define OCT_RVFI_RANDOM_H

#include <algorithm>
#include <utility>

#include "oct_ignored_random.h"
#include "oct_time_random.h"

extern "C" {
#include "oct_rv_access.h"
#include "oct_rvfi.h"
}

// DEPTH_ of the queue.
template <unsigned CHANNELS_ = 2, unsigned DEPTH_ = 8>
class RandomRvfi {
 public:
  enum { CHANNELS = CHANNELS_, DEPTH = DEPTH_ };

  explicit RandomRvfi(const oct_config &cfg) : xlen_(cfg.addr_bits), cause_bits_(cfg.cause_bits) {}

  bool is_open() const { return is_open_; }
  bool is_halted() const { return is_halted_; }
  template <class Top>
  void next(Stimulus &r, Top *top, oct_rvfi_in *in) {
    if (r.below(500) == 0) rate_ = r.below(70);
    const uint64_t tval = r.address(xlen_);
    const uint32_t cause = static_cast<uint32_t>(r.address(cause_bits_));
    if (r.below(is_open_ ? 300 : 20) == 0) is_open_ = !is_open_;
    top->gate_i = is_open_;
    // Halted for some time, in which mostly nothing retires, often right behind an exception; or
    // for a cycle.
    is_halted_ = is_halted_ ? r.below(16) != 0 : r.below(100) == 0;
    if (silent_cycles_) silent_cycles_--;
    top->halted_i = is_halted_;
    const bool is_silent = silent_cycles_ || (is_halted_ && r.percent(90));
    top->tval_i = tval;
    top->cause_i = cause;
    const uint64_t time = time_.next(r);
    top->time_i = time;
    for (unsigned c = 0; c < CHANNELS; c++)
      if (!is_silent && r.percent(rate_))
        make(r, &in[c]);
      else
        fill(ignored_.of(r), &in[c]);
    // Behind an exception mostly that of the exception, or nearly.
    uint64_t epc = r.percent(90) ? exception_ : r.address(xlen_);
    if (r.below(100) == 0) epc = r.near(exception_, xlen_);
    top->epc_i = epc;
    for (unsigned c = 0; c < CHANNELS; c++) {
      if (in[c].valid && in[c].trap) {
        exception_ = in[c].pc;
        if (r.percent(10)) silent_cycles_ = 2 * DEPTH;
      }
      in[c].tval = tval;
      in[c].epc = epc;
      in[c].cause = cause;
      in[c].time = time;
      set_port_bits(top->rvfi_trap_i, c, 1, in[c].trap);
      set_port_bits(top->rvfi_intr_i, c, 1, in[c].intr);
      set_port_bits(top->rvfi_halt_i, c, 1, in[c].halt);
      set_port_bits(top->rvfi_mode_i, 2 * c, 2, in[c].mode);
      set_port_bits(top->rvfi_valid_i, c, 1, in[c].valid);
      set_port_bits(top->rvfi_insn_i, 32 * c, 32, in[c].insn);
      set_port_bits(top->rvfi_pc_rdata_i, xlen_ * c, xlen_, in[c].pc);
      set_port_bits(top->rvfi_mem_addr_i, xlen_ * c, xlen_, in[c].mem_addr);
      set_port_bits(top->rvfi_mem_rmask_i, xlen_ / 8 * c, xlen_ / 8, in[c].rmask);
      set_port_bits(top->rvfi_mem_wmask_i, xlen_ / 8 * c, xlen_ / 8, in[c].wmask);
    }
  }

 private:
  // A channel that tells nothing.
  void fill(Random &r, oct_rvfi_in *in) const {
    const uint32_t bits = static_cast<uint32_t>(r.bits());
    in->insn = static_cast<uint32_t>(r.bits());
    in->pc = r.bits() & oct_mask(xlen_);
    in->mem_addr = r.bits() & oct_mask(xlen_);
    in->rmask = static_cast<uint8_t>(bits & (masks() - 1));
    in->wmask = static_cast<uint8_t>(bits >> 8 & (masks() - 1));
    in->intr = bits >> 16 & 1;
    in->trap = bits >> 17 & 1;
    in->halt = bits >> 18 & 1;
    in->mode = bits >> 19 & 3;
  }

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
    const oct_rv_access access = oct_rv_access_of(in->insn, xlen_ == 64);
    if (access.loads && r.percent(95)) in->rmask = mask(r, access.size_log2);
    if (access.stores && r.percent(95)) in->wmask = mask(r, access.size_log2);
    if (r.below(20) == 0) mode_ = static_cast<uint8_t>(r.below(4));
    in->mode = mode_;
    in->trap = r.percent(5);
    if (in->trap && r.percent(50))
      in->insn = static_cast<uint32_t>(r.bits());  // and masks that are not its own
    in->intr = r.percent(10);
    in->halt = r.percent(in->trap ? 30 : 3);
    if (r.below(400) == 0) in->pc |= 1;
    if (r.below(400) == 0) std::swap(in->wmask, in->rmask);
    if (r.below(400) == 0) in->wmask = in->rmask = 1;
    // A mask of other bytes: any, and one that is nearly right.
    if (in->rmask && r.below(400) == 0) in->rmask = static_cast<uint8_t>(r.bits() & (masks() - 1));
    if (in->wmask && r.below(400) == 0) in->wmask ^= static_cast<uint8_t>(1u << r.below(xlen_ / 8));
  }

  uint32_t masks() const { return 1u << xlen_ / 8; }
  // Of as many bytes as the access has, at any of the core's places for it.
  uint8_t mask(Stimulus &r, unsigned size_log2) const {
    const uint32_t lanes = xlen_ / 8, bytes = std::min(1u << size_log2, lanes);
    return static_cast<uint8_t>(((1u << bytes) - 1) << r.below(lanes - bytes + 1));
  }

  uint32_t xlen_, cause_bits_, rate_ = 30;
  uint64_t exception_ = 0;  // where the newest was
  bool is_open_ = true, is_halted_ = false;
  uint32_t silent_cycles_ = 0;
  uint8_t mode_ = 3;
  RandomTime time_;
  OwnRandom ignored_;
};

#endif
