// SPDX-License-Identifier: Apache-2.0
// oct_program_random.h - random programs of A32, RV32 and RV64, cycle by cycle, for a machine that
// is given the bytes of instructions; and which parts of operations they have met.
#ifndef OCT_PROGRAM_RANDOM_H
#define OCT_PROGRAM_RANDOM_H

#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "oct_machine.h"
#include "oct_shadow_words.h"

extern "C" {
#include "oct_isa.h"
}

// The parts of operations (traces/oct_shadow_op.h) that were met: each value of each field that
// says what is done, but not which registers, and each number of accesses.
class OperationCover {
 public:
  void meet(const oct_map_entry &e) {
    const oct_shadow_op &op = e.op;
    add("class", e.cls);
    add("accesses", e.n_slots);
    add("flags", op.flags);
    add("result", op.result);
    add("shift", op.b_form & 192);
    add("extend", op.b_extend);
    add("width", op.width);
    add("set_flags", op.set_flags);
    add("cond", op.cond);
    add("target", op.target);
    add("link", op.link);
    for (const oct_shadow_mem &mem : op.mem) {
      add("mem", mem.form);
      add("index shift", mem.shift & 192);
    }
    for (unsigned i = 0; i < e.n_slots && i < 2; i++) add("slot", e.slots[i]);
  }
  // How many of all were met: one line, with the first ones that were not.
  std::string text(const OperationCover &all) const {
    size_t n = 0, n_all = 0;
    std::string missing;
    for (const auto &field : all.met_)
      for (unsigned value : field.second) {
        auto found = met_.find(field.first);
        bool is_met = found != met_.end() && found->second.count(value);
        n += is_met;
        if (!is_met && n_all - n < 8)
          missing += ", not " + field.first + " " + std::to_string(value);
        n_all++;
      }
    return std::to_string(n) + " of " + std::to_string(n_all) + missing;
  }

 private:
  void add(const char *field, unsigned value) { met_[field].insert(value); }

  std::map<std::string, std::set<unsigned>> met_;
};

// A random program, cycle by cycle: loops of instructions that stay the same, with accesses by
// strides, from few places, or anywhere; where it goes follows the instructions, mostly, and now
// and then on to others.
class RandomProgram {
 public:
  explicit RandomProgram(const Machine &machine)
      : mask_(oct_mask(machine.widths.addr_bits)),
        align_(uint64_t{1} << machine.widths.pc_align_bits),
        tasks_(oct_mask(machine.widths.task_bits)),
        is_arm_(machine.param("regs") == 16),
        isa_(is_arm_                         ? OCT_ISA_ARM
             : machine.widths.addr_bits > 32 ? OCT_ISA_RISCV64
                                             : OCT_ISA_RISCV32),
        disasm_(oct_disasm_new(isa_), oct_disasm_free) {}

  // What retires in this cycle. *update: an instruction that is new, if is_new.
  void next(Stimulus &r, oct_retire *retire, oct_map_update *update, bool *is_new) {
    *is_new = false;
    retire->insn_valid = at_ == addrs_.size() && r.valid();
    // A trap has a cycle of its own, and ends the accesses before it; some break these rules.
    if (retire->trap_valid && !r.percent(2)) {
      retire->insn_valid = retire->da_valid = false;
      at_ = addrs_.size();
      if (r.percent(50)) retire->trap_addr = r.percent(70) ? fall_ : pc_;
      return;
    }
    if (retire->insn_valid) begin(r, retire, update, is_new);
    retire->task = task_;
    retire->da_valid = at_ < addrs_.size();
    retire->da_end = !retire->da_valid && r.percent(5);
    retire->da_addr = retire->da_valid ? addrs_[at_++] : r.bits() & mask_;
    retire->da_valid |= retire->da_end;
  }

 public:
  // What all of them have met.
  static OperationCover &met() {
    static OperationCover met;
    return met;
  }
  // The parts of all operations that a million words of the instruction set have, half of them any.
  OperationCover all() const {
    OperationCover all;
    Stimulus r(1);
    for (unsigned i = 0; i < 1000000; i++) {
      oct_map_entry e = {};
      uint32_t word = i & 1     ? static_cast<uint32_t>(r.bits())
                      : is_arm_ ? oct_arm_word(r)
                                : oct_riscv_word(r);
      uint8_t code[4];
      memcpy(code, &word, sizeof code);
      oct_disasm_insn(disasm_.get(), 0x8000, code, 4, &e);
      if (!(e.flags & OCT_MAP_VARIABLE)) all.meet(e);
    }
    return all;
  }

 private:
  struct Insn {
    oct_map_entry e = {};
    uint32_t word = 0;
    uint64_t last = 0, stride = 0;
  };

  void begin(Stimulus &r, oct_retire *retire, oct_map_update *update, bool *is_new) {
    auto found = program_.find(pc_);
    *is_new = found == program_.end();
    if (*is_new) found = program_.emplace(pc_, make(r)).first;
    Insn &insn = found->second;
    if (*is_new) {
      *update = {0, insn.e};
      met().meet(insn.e);
    }
    if (r.below(2000) == 0) region_ = 0x8000 + 0x100 * r.below(4096);
    if (r.below(400) == 0)
      task_ = static_cast<uint32_t>(r.below(3)) & static_cast<uint32_t>(tasks_);
    retire->insn_addr = pc_;
    retire->insn_size_bytes = insn.e.size_bytes;
    retire->insn_word = insn.word;
    retire->insn_word_valid = insn.e.code_isa != 0;
    unsigned n = insn.e.n_slots;
    if ((insn.e.flags & OCT_MAP_CONDITIONAL) && r.percent(30)) n = 0;
    if (n && r.percent(1)) n = r.below(n + 1);
    fall_ = (pc_ + insn.e.size_bytes) & mask_;
    addrs_.clear();
    at_ = 0;
    for (unsigned i = 0; i < n; i++) addrs_.push_back(address(insn, i, r));
    pc_ = successor(insn.e, r);
  }

  Insn make(Stimulus &r) const {
    Insn insn;
    do {
      insn.word = is_arm_ ? oct_arm_word(r) : oct_riscv_word(r);
      insn.e = {};
      uint8_t code[4];
      memcpy(code, &insn.word, sizeof code);
      // Words that are no instruction do not retire: of some the bytes are not known.
      if (!r.percent(3)) oct_disasm_insn(disasm_.get(), pc_, code, 4, &insn.e);
      if (!insn.e.size_bytes) insn.e.size_bytes = 4;
      insn.e.addr = pc_;
    } while ((insn.e.flags & OCT_MAP_VARIABLE) ||
             (insn.e.size_bytes == 4 && program_.count(pc_ + 2)));
    insn.last = r.bits() >> r.below(64);
    insn.stride = r.below(2) ? r.below(16) * 4 : r.bits() >> r.below(64);
    return insn;
  }

  uint64_t address(Insn &insn, unsigned i, Stimulus &r) {
    if (i && r.percent(95)) {
      unsigned size = insn.e.slots[i < OCT_SLOTS_MAX ? i - 1 : 0] & OCT_SLOT_SIZE_MASK;
      bool is_same = insn.e.op.mem[0].form & OCT_MEM_SAME;
      return (addrs_.back() + (is_same ? 0 : size > 6 ? 4 : uint64_t{1} << size)) & mask_;
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

  uint64_t successor(const oct_map_entry &e, Stimulus &r) {
    uint64_t fall = (e.addr + e.size_bytes) & mask_, to = fall;
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

  uint64_t mask_, align_, tasks_;
  bool is_arm_;
  oct_isa isa_;
  std::unique_ptr<oct_disasm, void (*)(oct_disasm *)> disasm_;
  std::unordered_map<uint64_t, Insn> program_;
  uint64_t pc_ = 0x8000, fall_ = 0, last_call_ = 0x8000, region_ = 0x8000;
  uint32_t task_ = 0;
  std::vector<uint64_t> addrs_;  // of the instruction under way
  size_t at_ = 0;                // the next of them
};

#endif
