// SPDX-License-Identifier: Apache-2.0
// oct_shadow_compressor - twin test of the whole circuit of `shadow` with random programs, on a bus
// of its own: a receiver that is seldom ready, a bus slower than the core, flushes, sync requests,
// tracing switched off and on, losses. Every output is compared on every cycle.
#include <memory>
#include <unordered_map>
#include <vector>

#include "oct_bus_ports.h"
#include "oct_machine.h"
#include "oct_shadow_words.h"
#include "oct_top_random.h"

extern "C" {
#include "oct_isa.h"
}

namespace {

// A random program, cycle by cycle: loops of instructions that stay the same, with accesses by
// strides, from few places, or anywhere; where it goes follows the instructions, mostly.
class Program {
 public:
  explicit Program(const Machine &machine)
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
    if (*is_new) *update = {0, insn.e};
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
    return (r.percent(95) ? 0x8000 + r.below(48) * 4 : r.bits() >> r.below(60)) & mask_ &
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
  uint64_t pc_ = 0x8000, fall_ = 0, last_call_ = 0x8000;
  uint32_t task_ = 0;
  std::vector<uint64_t> addrs_;  // of the instruction under way
  size_t at_ = 0;                // the next of them
};

class Stage {
 public:
  explicit Stage(const Machine &machine)
      : machine_(machine),
        inputs_(machine.widths, machine.param("traps") ? machine.param("cause_bits") : 0),
        program_(machine) {
    oct_diag diag;
    if (machine.tracer->twin->create(machine.params, &twin_, &diag)) abort();
  }
  ~Stage() { machine_.tracer->twin->destroy(twin_); }
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

  void cycle(Dut &dut, Stimulus &r) {
    oct_pins_in in = {};
    oct_pins_out out;
    oct_map_update update;
    bool is_new;
    bus_.next(dut.cycle, r, &in);
    inputs_.next(r, &in);
    program_.next(r, &in.retire, &update, &is_new);
    bus_.drive(*dut.top, in);
    dut.settle();
    const oct_tracer_twin &twin = *machine_.tracer->twin;
    oct_diag diag;
    if ((is_new && twin.map(twin_, &update, 1, &diag)) ||
        twin.cycle_bus(twin_, &in, &bus_.pins(), &out, &diag)) {
      dut.failed = true;
      dut.difference = diag.text;
      return;
    }
    bus_.check(dut, *dut.top, out);
  }

 private:
  const Machine &machine_;
  RandomInputs inputs_;
  Program program_;
  void *twin_ = nullptr;
  RandomBus bus_;
};

}  // namespace

// The machine has its parameters by itself.
inline bool oct_twin_config(const Machine *) {
  return true;
}

OCT_TWIN_MAIN_OF(Stage, Machine)
