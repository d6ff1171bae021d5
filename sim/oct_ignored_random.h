// SPDX-License-Identifier: Apache-2.0
// oct_ignored_random.h - inputs that mean nothing in a cycle, at random: what belongs to an
// instruction where none retires, to an access, a trap or a transfer of the debugger where there is
// none (docs/integration.md). A circuit that looks at them differs from its model.
#ifndef OCT_IGNORED_RANDOM_H
#define OCT_IGNORED_RANDOM_H

#include "oct_dut.h"

extern "C" {
#include "oct_core.h"
#include "oct_mask.h"
#include "octrace/tracer.h"
}

// Numbers of their own: what else is random in a run is the same with them and without.
class OwnRandom {
 public:
  // run: as it is at the run's first cycle, it makes these numbers, too.
  Random &of(const Random &run) {
    if (!is_seeded_) r_ = Random(Random(run).bits());
    is_seeded_ = true;
    return r_;
  }

 private:
  Random r_{0};
  bool is_seeded_ = false;
};

class IgnoredRandom {
 public:
  // cause_bits: of trap_cause_i, which is there without traps, too.
  IgnoredRandom(const oct_core_widths &widths, unsigned cause_bits)
      : addr_mask_(oct_mask(widths.addr_bits)),
        task_mask_(static_cast<uint32_t>(oct_mask(widths.task_bits))),
        cause_mask_(static_cast<uint32_t>(oct_mask(cause_bits))) {}

  void fill(const Random &run, oct_pins_in *in) {
    fill(run, &in->retire);
    fill(&in->apb);
  }
  void fill(const Random &run, oct_retire *t) {
    r_ = &own_.of(run);
    if (!t->insn_valid) fill_insn(t);
    if (!t->insn_word_valid) t->insn_word = word();
    if (!t->lead_valid) fill_lead(t);
    if (!t->lead_word_valid) t->lead_word = word();
    if (!t->insn_valid && !t->trap_valid) t->task = word() & task_mask_;
    if (!t->da_valid) t->da_end = bit();
    if (!t->da_valid || t->da_end) t->da_addr = addr();
    if (!t->trap_valid) fill_trap(t);
  }

 private:
  void fill_insn(oct_retire *t) {
    t->insn_addr = addr();
    t->insn_size_bytes = below(16);
    t->insn_class = below(8);
    t->priv = below(8);
    t->insn_word_valid = bit();
    t->insn_word = word();
    t->time = r_->bits();
  }
  void fill_lead(oct_retire *t) {
    t->lead_addr = addr();
    t->lead_size_bytes = below(16);
    t->lead_word_valid = bit();
    t->lead_word = word();
  }
  void fill_trap(oct_retire *t) {
    t->trap_kind = below(4);
    t->trap_privilege = below(8);
    t->trap_cause = word() & cause_mask_;
    t->trap_addr = addr();
    t->trap_tval = addr();
  }
  void fill(oct_apb_in *apb) {
    if (!apb->psel) {
      apb->penable = bit();
      apb->pwrite = bit();
      apb->paddr = static_cast<uint16_t>(r_->below(1 << 12));
    }
    if (!apb->psel || !apb->pwrite) apb->pwdata = word();
  }

  uint64_t addr() { return r_->bits() & addr_mask_; }
  uint32_t word() { return static_cast<uint32_t>(r_->bits() >> 32); }
  uint8_t below(uint32_t n) { return static_cast<uint8_t>(r_->below(n)); }
  bool bit() { return r_->below(2); }

  uint64_t addr_mask_;
  uint32_t task_mask_, cause_mask_;
  OwnRandom own_;
  Random *r_ = nullptr;
};

#endif
