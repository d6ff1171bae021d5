// SPDX-License-Identifier: Apache-2.0
// oct_top_random.h - random stimulus of the whole machine: programs with loops and jumps, runs of
// accesses, register writes in the middle, and rules of the core interface broken now and then.
#ifndef OCT_TOP_RANDOM_H
#define OCT_TOP_RANDOM_H

#include "oct_filter_random.h"
#include "oct_time_random.h"

extern "C" {
#include "oct_core.h"
#include "octrace/trace.h"
#include "oct_regs.h"
}

// What comes to the compressor from the core and the debugger.
class RandomInputs {
 public:
  // cause_bits: 0 where the machine has no traps.
  RandomInputs(const oct_core_widths &widths, unsigned cause_bits)
      : widths_(widths), cause_bits_(cause_bits) {}

  // is_calm: no rule is broken, and the debugger has all traced (Calm).
  void next(Stimulus &r, oct_pins_in *in, bool is_calm = false) {
    make_retire(r);
    n_calm_writes_ = is_calm ? n_calm_writes_ : 0;
    if (is_calm)
      make_calm_apb(r);
    else
      make_apb(r);
    in->retire = retire_;
    in->retire.time = time_.next(r);
    if (!is_calm) break_rules(r, &in->retire);
    in->apb = apb_;
  }

 private:
  void make_retire(Stimulus &r) {
    uint32_t align = 1u << widths_.pc_align_bits;
    if (begins_) accesses_ = r.below(3);  // the rest of an instruction before the reset
    begins_ = false;
    retire_.insn_valid = false;
    retire_.trap_valid = false;
    retire_.da_valid = accesses_ > 0;
    if (accesses_) {
      accesses_--;
    } else if (cause_bits_ && r.below(traps_often_ ? 4 : 300) == 0) {
      make_trap(r, &retire_);
      if (r.below(20) == 0) traps_often_ = !traps_often_;
    } else if (r.valid()) {
      retire_.insn_valid = true;
      pc_ += retire_.insn_size_bytes;
      if (r.percent(15)) pc_ = r.pooled() * 52;
      pc_ &= oct_mask(widths_.addr_bits) & ~oct_mask(widths_.pc_align_bits);
      retire_.insn_addr = pc_;
      retire_.insn_size_bytes = static_cast<uint8_t>(align * (r.percent(90) || align > 4 ? 1 : 2));
      retire_.insn_class = static_cast<uint8_t>(r.below(OCT_CLASS_COUNT));
      if (r.below(100) == 0) retire_.priv = static_cast<uint8_t>(r.below(8));
      if (r.below(400) == 0) retire_.task = static_cast<uint32_t>(r.address(widths_.task_bits));
      accesses_ = pc_ / align % 3 ? 0 : 1 + (r.percent(5) ? r.below(r.below(30) ? 41 : 400) : 0);
      retire_.da_valid = accesses_ > 0;
      if (accesses_) accesses_--;
    }
    retire_.trigger = static_cast<uint8_t>(r.below(100) ? 0 : r.below(4));
    retire_.da_end = !accesses_ && r.percent(5);
    retire_.da_addr = (r.percent(80) ? pc_ * 16 + stride_++ / 8 * 4 : r.bits());
    retire_.da_addr &= oct_mask(widths_.addr_bits);
  }

  // An exception, an interrupt, a change of the privilege; a kind that is none, where it breaks a
  // rule.
  void make_trap(Stimulus &r, oct_retire *retire) {
    retire->trap_valid = true;
    retire->trap_kind = static_cast<uint8_t>(r.below(r.percent(99) ? 3 : 4));
    retire->trap_privilege = static_cast<uint8_t>(r.below(8));
    retire->trap_cause = static_cast<uint32_t>(r.address(cause_bits_));
    retire->trap_addr = r.address(widths_.addr_bits);
    retire->trap_tval = r.percent(20) ? 0 : r.address(widths_.addr_bits);
    if (r.below(20) == 0) retire->task = static_cast<uint32_t>(r.address(widths_.task_bits));
  }

  void break_rules(Stimulus &r, oct_retire *retire) {
    retire->core_error = r.below(5000) == 0;
    retire->lead_valid = r.below(5000) == 0;  // with no instruction behind it, or no place for it
    if (r.below(3000)) return;
    if (cause_bits_ && r.percent(30)) make_trap(r, retire);
    if (retire->insn_valid && r.percent(50))
      retire->insn_addr |= oct_mask(widths_.pc_align_bits);
    else if (retire->insn_valid)
      retire->insn_size_bytes = 0;
    else
      retire->da_valid = true;
  }

  // At first tracing is switched on, filters off, syncs come seldom; from then on registers are
  // read.
  void make_calm_apb(Stimulus &r) {
    static const oct_apb_in writes[] = {{true, false, true, OCT_REG_CTRL, 1},
                                        {true, false, true, OCT_REG_SYNC_PERIOD, 5000},
                                        {true, false, true, OCT_REG_TR_TE_CONTROL, 1 << 2},
                                        {true, false, true, OCT_REG_TR_TE_DATA_CONTROL, 1 << 1},
                                        {true, false, true, OCT_REG_TR_TE_INST_FILTERS, 0},
                                        {true, false, true, OCT_REG_TR_TE_DATA_FILTERS, 0}};
    if (apb_.psel && !apb_.penable) {
      apb_.penable = true;
    } else if (n_calm_writes_ < sizeof writes / sizeof *writes) {
      apb_ = writes[n_calm_writes_++];
    } else {
      apb_ = {};
      apb_.psel = r.percent(5);
      apb_.paddr = static_cast<uint8_t>(4 * r.below(14));
    }
  }

  // Reads of anything; now and then another sync period, source number or enable.
  void make_apb(Stimulus &r) {
    static const uint8_t writable[] = {OCT_REG_SYNC_PERIOD, OCT_REG_ATID,   OCT_REG_CTRL,
                                       OCT_REG_CLEAR,       OCT_REG_ERRORS, OCT_REG_ID};
    if (apb_.psel && !apb_.penable) {
      apb_.penable = true;
      return;
    }
    apb_ = {};
    apb_.psel = r.percent(20);
    apb_.pwrite = r.below(100) == 0;
    apb_.paddr = apb_.pwrite ? writable[r.below(6)] : static_cast<uint8_t>(4 * r.below(14));
    // A period of syncs: streaks get long in a long one alone.
    apb_.pwdata = r.below(r.below(2) ? 1000 : 100000);
    if (apb_.pwrite && apb_.paddr == OCT_REG_CTRL) apb_.pwdata = r.percent(75);
    bool psel = apb_.psel;
    if (!apb_.pwrite && r.percent(30)) apb_ = oct_filter_access(r, r.near(pc_, 8), retire_.task);
    apb_.psel = psel;
    if (!psel) apb_.penable = r.percent(50);  // another component's access
    // Now and then nothing is left out any more, whatever the filters are.
    if (apb_.pwrite && apb_.paddr == OCT_REG_TR_TE_INST_FILTERS && r.percent(50)) apb_.pwdata = 0;
  }

  oct_core_widths widths_;
  unsigned cause_bits_;
  bool traps_often_ = false;
  oct_retire retire_ = {};
  oct_apb_in apb_ = {};
  RandomTime time_;
  uint64_t pc_ = 0, stride_ = 0;
  uint32_t accesses_ = 0;
  bool begins_ = true;
  size_t n_calm_writes_ = 0;
};

// Phases in which all is traced and nothing lost, as the core waits while the port sends: so it
// stays known what registers hold, and each operation counts.
class Calm {
 public:
  bool is_calm() const { return is_calm_; }
  // In a cycle of one: the receiver is ready, and nothing retires but the accesses under way.
  bool waits() const { return is_calm_ && n_sending_ > 16; }
  void next(Stimulus &r, bool is_sending) {
    n_sending_ = is_sending ? n_sending_ + 1 : 0;
    if (left_-- == 0) {
      is_calm_ = !is_calm_;
      left_ = 2000 + r.below(8000);
    }
  }

 private:
  bool is_calm_ = true;
  uint32_t left_ = 5000, n_sending_ = 0;
};

#endif
