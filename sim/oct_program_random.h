// SPDX-License-Identifier: Apache-2.0
// oct_program_random.h - random programs of A32, RV32 and RV64, cycle by cycle, for a machine that
// is given the bytes of instructions.
#ifndef OCT_PROGRAM_RANDOM_H
#define OCT_PROGRAM_RANDOM_H

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "oct_machine.h"
#include "oct_operation_cover.h"
#include "oct_random_core.h"
#include "oct_shadow_chains.h"

extern "C" {
#include "octrace/trace.h"
}

// A random program, cycle by cycle: instructions that stay the same, with accesses by strides, from
// few places, or anywhere; where it goes follows the instructions, mostly, and now and then on to
// others. At times a core carries them out, so that what their operations compute counts. At times
// the program is a loop that runs the same way for long, so that streaks get long and decisions
// silent; seldom one of them is wrong.
class RandomProgram {
 public:
  explicit RandomProgram(const Machine &machine)
      : mask_(oct_mask(machine.widths.addr_bits)),
        align_(uint64_t{1} << machine.widths.pc_align_bits),
        tasks_(oct_mask(machine.widths.task_bits)),
        retires_two_(machine.param("retire_width") == 2),
        is_arm_(machine.param("regs") == 16),
        isa_(is_arm_                         ? OCT_ISA_ARM
             : machine.widths.addr_bits > 32 ? OCT_ISA_RISCV64
                                             : OCT_ISA_RISCV32),
        disasm_(oct_disasm_new(isa_), oct_disasm_free),
        chain_(isa_, disasm_.get()),
        core_(machine) {
    if (all().beside({}) == 0) all_operations();
  }

  // From now on: is_calm, it is what the core does, and seldom anything else; waits, no instruction
  // retires.
  void be_calm(bool is_calm, bool waits) {
    is_calm_ = is_calm;
    waits_ = waits;
    if (is_calm) loop_left_ = 0;
  }

  // What retires in this cycle. *update: an instruction that is new, if is_new.
  void next(Stimulus &r, oct_retire *retire, oct_map_update *update, bool *is_new) {
    *is_new = false;
    retired_.clear();
    if (waits_) retire->trap_valid = false;
    retire->insn_valid = at_ == addrs_.size() && !waits_ && (is_calm_ ? r.percent(40) : r.valid());
    // A trap has a cycle of its own, and ends the accesses before it; some break these rules.
    if (retire->trap_valid && !r.percent(2)) {
      retire->insn_valid = retire->da_valid = false;
      at_ = addrs_.size();
      has_open_ = false;
      if (r.percent(50)) retire->trap_addr = r.percent(70) ? fall_ : pc_;
      return;
    }
    if (retire->insn_valid) begin(r, retire, update, is_new);
    if (retires_two_ && retire->insn_valid) pair(r, retire);
    retire->task = task_;
    retire->da_valid = at_ < addrs_.size();
    // An end where an access could be; seldom with no instruction to which it belongs.
    const bool may_end = retire->insn_valid || has_open_;
    retire->da_end = !retire->da_valid && (may_end ? r.percent(5) : r.below(2000) == 0);
    retire->da_addr = retire->da_valid ? addrs_[at_++] : r.bits() & mask_;
    has_open_ = retire->da_valid;
    retire->da_valid |= retire->da_end;
  }

  // How many of the instructions of this cycle the tracer has lost, the later ones first, and how
  // many of those it took before it has coded in it.
  void judge(uint64_t lost, uint64_t coded) {
    for (size_t i = 0; lost < retired_.size() - i; i++) taken_.push_back(retired_[i]);
    for (; coded && !taken_.empty(); coded--, taken_.pop_front()) met().meet(*taken_.front());
  }
  bool has_met_all() const { return all().beside(met()) == 0; }

  // The parts that instructions have had which a tracer has taken, in all programs of this run.
  static OperationCover &met() {
    static OperationCover met;
    return met;
  }
  // The parts that there are.
  static OperationCover &all() {
    static OperationCover all;
    return all;
  }

 private:
  struct Insn {
    oct_map_entry e = {};
    uint32_t word = 0;
    bool is_told = true;  // its bytes
    uint64_t last = 0, stride = 0;
  };

  // The parts of a million words of the instruction set, half of them any.
  void all_operations() const {
    Stimulus r(1);
    for (unsigned i = 0; i < 1000000; i++) {
      oct_map_entry e = {};
      decode(i & 1 ? static_cast<uint32_t>(r.bits()) : word(r), 0x8000, &e);
      if (!(e.flags & OCT_MAP_VARIABLE)) all().meet(e);
    }
  }
  uint32_t word(Stimulus &r) const { return is_arm_ ? oct_arm_word(r) : oct_riscv_word(r); }
  void decode(uint32_t word, uint64_t pc, oct_map_entry *e) const {
    uint8_t code[4];
    memcpy(code, &word, sizeof code);
    oct_disasm_insn(disasm_.get(), pc, code, 4, e);
  }

  // Another instruction behind it in the same cycle, which the program has had.
  void pair(Stimulus &r, oct_retire *retire) {
    oct_map_update none;
    bool is_new;
    const uint32_t task = task_;
    retire->lead_valid = addrs_.empty() && program_.count(pc_) && r.percent(80);
    retire->lead_addr = retire->insn_addr;
    retire->lead_size_bytes = retire->insn_size_bytes;
    retire->lead_word = retire->insn_word;
    retire->lead_word_valid = retire->insn_word_valid;
    if (!retire->lead_valid) return;
    begin(r, retire, &none, &is_new);
    core_.go_to(task_, task);
    task_ = task;
    if (r.below(1000) == 0) retire->lead_addr |= align_ - 1;
    if (r.below(1000) == 0) retire->lead_size_bytes = 0;
  }

  void begin(Stimulus &r, oct_retire *retire, oct_map_update *update, bool *is_new) {
    auto found = program_.find(pc_);
    *is_new = found == program_.end();
    if (*is_new) found = program_.emplace(pc_, make(r)).first;
    Insn &insn = found->second;
    if (*is_new) *update = {0, insn.e};
    retired_.push_back(&insn.e);
    if (loop_left_) {
      loop_left_--;
    } else if (!is_calm_ && r.below(1500) == 0) {
      loop_left_ = 300 + r.below(3000);
      loop_ = pc_;
      loop_insns_ = 2 + r.below(20);
      loop_at_ = 0;
    }
    if (!core_left_--) {
      core_left_ = 50 + r.below(3000);
      is_run_ = !is_run_;
    }
    if (r.below(2000) == 0) region_ = 0x8000 + 0x100 * r.below(4096);
    const uint32_t task = task_;
    if (!loop_left_ && r.below(400) == 0)
      task_ = static_cast<uint32_t>(r.below(3)) & static_cast<uint32_t>(tasks_);
    retire->insn_addr = pc_;
    retire->insn_size_bytes = insn.e.size_bytes;
    retire->insn_word = insn.word;
    retire->insn_word_valid = insn.is_told;
    core_.go_to(task, task_);
    unsigned n = insn.e.n_slots;
    const bool is_run = is_calm_ || (is_run_ && !loop_left_);
    bool holds = true;
    const bool decides = is_run && core_.decides(insn.e, &holds);
    if ((insn.e.flags & OCT_MAP_CONDITIONAL) && !loop_left_ && (decides ? !holds : r.percent(30)))
      n = 0;
    if (n && !loop_left_ && r.percent(1)) n = r.below(n + 1);
    if (!loop_left_ && r.percent(1)) n = r.below(r.below(2) ? 4 : 41);  // whatever its bytes say
    fall_ = (pc_ + insn.e.size_bytes) & mask_;
    addrs_.clear();
    at_ = 0;
    for (unsigned i = 0; i < n; i++) {
      uint64_t addr;
      const unsigned n_first = oct_effect_n_first(&insn.e.op);
      const bool is_first = i == 0 || i == n_first;
      const bool has = is_run && is_first && core_.address(insn.e, i >= n_first, &addr);
      addrs_.push_back(has && r.percent(95) ? addr : address(insn, i, r));
    }
    core_.run(insn.e, addrs_, holds, r);
    pc_ = is_run ? run_successor(insn.e, decides, holds, r) : successor(insn.e, r);
  }

  // At times one with a part that was not met yet, and behind it what uses its result.
  Insn make(Stimulus &r) {
    Insn insn;
    if (chained_at_ != pc_) chained_.clear();
    if (chained_.empty()) chained_ = wanted(r);
    do {
      const bool is_chained = !chained_.empty();
      insn.word = is_chained ? chained_.front() : word(r);
      if (is_chained) chained_.pop_front();
      insn.e = {};
      // A core may retire what is no instruction, and of some the bytes are not known: its size is
      // told all the same.
      insn.is_told = is_chained || !r.percent(3);
      if (insn.is_told) decode(insn.word, pc_, &insn.e);
      if (!insn.e.size_bytes) {
        const bool is_short = insn.is_told ? (insn.word & 3) != 3 : r.percent(50);
        insn.e.size_bytes = !is_arm_ && is_short ? 2 : 4;
      }
      insn.e.addr = pc_;
    } while ((insn.e.flags & OCT_MAP_VARIABLE) ||
             (insn.e.size_bytes == 4 && program_.count(pc_ + 2)));
    chained_at_ = (pc_ + insn.e.size_bytes) & mask_;
    insn.last = r.bits() >> r.below(64);
    insn.stride = r.below(3) == 0 ? 0 : r.below(2) ? r.below(16) * 4 : r.bits() >> r.below(64);
    return insn;
  }

  // Words that are to come behind each other; none: any word.
  std::deque<uint32_t> wanted(Stimulus &r) const {
    if (!has_met_all() && r.percent(25)) {
      uint32_t one = 0;
      oct_map_entry e;
      for (unsigned i = 0; i < 300; i++) {
        one = r.percent(30) ? static_cast<uint32_t>(r.bits()) : word(r);
        e = {};
        decode(one, pc_, &e);
        if (all().has_part_beside(e, met())) break;
      }
      return {one};
    }
    if (is_arm_ && r.percent(2)) return oct_arm_over_index(r);
    if (r.percent(50)) return {};
    const OperationCover::Part part = all().any_part(r);
    oct_map_entry e;
    uint32_t one;
    unsigned tries = 150;
    do {
      one = word(r);
      e = {};
      decode(one, pc_, &e);
    } while (!OperationCover::has_part(e, part) && --tries);
    return chain_.of(r, one);
  }

  uint64_t address(Insn &insn, unsigned i, Stimulus &r) {
    if (i && (loop_left_ || r.percent(95))) {
      unsigned size = insn.e.slots[i < OCT_SLOTS_MAX ? i - 1 : 0] & OCT_SLOT_SIZE_MASK;
      bool is_same = insn.e.op.mem[0].form & OCT_MEM_SAME;
      return (addrs_.back() + (is_same ? 0 : size > 6 ? 4 : uint64_t{1} << size)) & mask_;
    }
    // In a loop half of the instructions keep their strides, the others have bases that stay.
    if (loop_left_ && r.below(120)) {
      if (insn.e.addr & 4) return (insn.last += insn.stride) & mask_;
      const oct_effect_mem &mem = insn.e.op.mem[0];
      return (0x100000 + 0x1000 * mem.base + mem.offset) & mask_;
    }
    insn.last += insn.stride;
    if (r.percent(20)) insn.last = r.pooled() * 4;
    if (r.percent(3)) insn.last = r.bits() >> r.below(64);
    return insn.last & mask_;
  }

  uint64_t anywhere(Stimulus &r) const {
    return (r.percent(95) ? region_ + r.below(48) * 4 : r.bits() >> r.below(60)) & mask_ &
           ~(align_ - 1);
  }

  // The program map has no instructions that overlap.
  bool is_within(uint64_t pc) const {
    auto before = program_.find(pc - 2);
    return before != program_.end() && before->second.e.size_bytes == 4;
  }

  // Where the core goes, mostly. What a register holds may be no place for code.
  uint64_t run_successor(const oct_map_entry &e, bool decides, bool holds, Stimulus &r) {
    const uint64_t fall = (e.addr + e.size_bytes) & mask_;
    uint64_t to = fall;
    switch (e.cls) {
      case OCT_CLASS_OTHER:
        break;
      case OCT_CLASS_COND_BRANCH:
      case OCT_CLASS_DIRECT_JUMP:
      case OCT_CLASS_DIRECT_CALL:
        if (!decides) return successor(e, r);
        if (holds) to = e.target & mask_;
        break;
      default:
        if (!core_.target(&to) || !(program_.count(to) || r.percent(is_calm_ ? 40 : 5)))
          return successor(e, r);
        if (!holds) to = fall;
        break;
    }
    if (e.cls == OCT_CLASS_DIRECT_CALL || e.cls == OCT_CLASS_INDIRECT_CALL) last_call_ = fall;
    while (r.percent(2) || (to & (align_ - 1)) || is_within(to)) to = anywhere(r);
    return to;
  }

  uint64_t successor(const oct_map_entry &e, Stimulus &r) {
    uint64_t fall = (e.addr + e.size_bytes) & mask_, to = fall;
    if (loop_left_ && r.below(200)) return loop_successor(e, fall);
    switch (e.cls) {
      case OCT_CLASS_COND_BRANCH:
        if (r.percent(e.addr & 8 ? 90 : 20)) to = e.target;
        break;
      case OCT_CLASS_DIRECT_JUMP:
      case OCT_CLASS_DIRECT_CALL:
        if (!(e.flags & OCT_MAP_CONDITIONAL) || r.below(2)) to = e.target;
        break;
      case OCT_CLASS_OTHER:
        break;
      default:
        if (r.percent(50)) to = r.percent(50) ? last_call_ : anywhere(r);
        break;
    }
    if (e.cls == OCT_CLASS_DIRECT_CALL || e.cls == OCT_CLASS_INDIRECT_CALL) last_call_ = fall;
    to &= mask_;
    while (r.percent(2) || (to & (align_ - 1)) || is_within(to)) to = anywhere(r);
    return to;
  }

  // The loop ends where an indirect jump can lead back to its begin, or else where it gets too
  // long.
  uint64_t loop_successor(const oct_map_entry &e, uint64_t fall) {
    bool is_indirect = e.cls > OCT_CLASS_DIRECT_CALL && e.cls != OCT_CLASS_UNKNOWN;
    if (++loop_at_ >= (is_indirect ? loop_insns_ : 2 * loop_insns_)) {
      loop_at_ = 0;
      return loop_;
    }
    bool leaves = e.cls == OCT_CLASS_COND_BRANCH
                      ? e.addr & 8
                      : e.cls == OCT_CLASS_DIRECT_JUMP || e.cls == OCT_CLASS_DIRECT_CALL;
    uint64_t to = (leaves ? e.target : fall) & mask_;
    return (to & (align_ - 1)) || is_within(to) ? loop_ : to;
  }

  uint64_t mask_, align_, tasks_;
  bool retires_two_, is_arm_;
  oct_isa isa_;
  std::unique_ptr<oct_disasm, void (*)(oct_disasm *)> disasm_;
  Chain chain_;
  RandomCore core_;
  std::deque<uint32_t> chained_;  // words that come behind the one made last,
  uint64_t chained_at_ = 0;       // from this address on
  bool is_calm_ = false, waits_ = false;
  bool is_run_ = true;      // the program is what the core does,
  uint64_t core_left_ = 0;  // for so many instructions
  std::unordered_map<uint64_t, Insn> program_;
  uint64_t pc_ = 0x8000, fall_ = 0, last_call_ = 0x8000, region_ = 0x8000;
  uint32_t task_ = 0;
  std::vector<const oct_map_entry *> retired_;  // in this cycle
  std::deque<const oct_map_entry *> taken_;     // by the tracer, and not coded yet
  std::vector<uint64_t> addrs_;                 // of the instruction under way
  size_t at_ = 0;                               // the next of them
  bool has_open_ = false;                       // the cycle before had one
  // Of the loop: instructions that it still runs, its begin, its length about, and the place in it.
  uint64_t loop_left_ = 0, loop_ = 0, loop_insns_ = 1, loop_at_ = 0;
};

#endif
