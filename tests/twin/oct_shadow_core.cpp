// SPDX-License-Identifier: Apache-2.0
// oct_shadow_core - twin test: the stages of `shadow` beside the model in C, step by step of the
// coder, on programs of random instructions that are run along random ways, so that every
// operation, escape and mark is met; or, with OCT_TEST_TRACE=FILE, on a trace (the seed is then
// that of the bus alone).

#ifndef OCT_DUT_ISA
#define OCT_DUT_ISA 0  // A32
#endif

#include "oct_shadow_chains.h"
#include "oct_shadow_driver.h"
#include "oct_shadow_trace.h"
#include "oct_shadow_twin.h"

#include <map>
#include <memory>
#include <vector>

extern "C" {
#include "octrace/trace.h"
}

namespace {

class Stage {
 public:
  explicit Stage(const oct_shadow_config &cfg)
      : cfg_(cfg),
        model_(cfg),
        unroll_(cfg, &got_),
        is_arm_(OCT_DUT_ISA == 0),
        disasm_(oct_disasm_new(is_arm_              ? OCT_ISA_ARM
                               : cfg.addr_bits > 32 ? OCT_ISA_RISCV64
                                                    : OCT_ISA_RISCV32),
                oct_disasm_free) {
    const char *path = getenv("OCT_TEST_TRACE");
    if (path) trace_.open(path);
  }
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

  void cycle(Dut &dut, Stimulus &r) {
    while (beats_.size() < 4 && !is_over_) make(r);
    // Only one start without a beat of its own is under way.
    bool may_start = !starts_ || beats_.empty() || beats_.front().kind != STEP_SYNC;
    if (!has_beat_ && !beats_.empty()) has_beat_ = may_start && r.valid();
    Beat b;
    if (has_beat_) b = beats_.front();
    bool out_ready = r.ready();
    dut.top->valid_i = has_beat_;
    dut.top->kind_i = b.kind;
    set_port_bits(dut.top->pc_i, 0, cfg_.addr_bits, b.pc);
    dut.top->word_i = static_cast<uint32_t>(b.word);
    dut.top->word_known_i = b.is_known;
    dut.top->n_i = b.n;
    dut.top->at_i = b.at;
    set_port_bits(dut.top->addr_i, 0, cfg_.addr_bits, b.addr);
    dut.top->after_i = b.after;
    set_port_bits(dut.top->next_i, 0, cfg_.addr_bits, b.next);
    dut.top->task_i = b.task;
    dut.top->mark_i = b.mark;
    set_port_bits(dut.top->start_pc_i, 0, cfg_.addr_bits, start_pc_);
    dut.top->out_ready_i = out_ready;
    dut.settle();
    n_stalls_ = has_beat_ && out_ready && !dut.top->ready_o ? n_stalls_ + 1 : 0;
    dut.compare("cycles without a beat taken", false, n_stalls_ > 40);
    if (has_beat_ && dut.top->ready_o) {
      n_marks_in_ += b.kind == MARK || b.kind == STEP_SYNC;
      if (b.kind == STEP_SYNC) {
        starts_ = n_marks_in_;
        start_pc_ = b.start_pc;
      }
      beats_.pop_front();
      has_beat_ = false;
    }
    if (!out_ready) return;
    if (dut.top->out_valid_o & 1) take(dut.top->out_first_o);
    if (dut.top->out_valid_o & 2) take(dut.top->out_second_o);
    while (!got_.empty() && !dut.failed) {
      if (model_.steps.empty() || !(model_.steps.front() == got_.front())) {
        dut.compare("a step of the coder", true, false);
        dut.difference += ": expected " +
                          (model_.steps.empty() ? "none" : model_.steps.front().text()) + ", got " +
                          got_.front().text() + ", after " + std::to_string(n_steps_) + " steps, " +
                          std::to_string(n_insns_) + " instructions";
        return;
      }
      model_.steps.pop_front();
      got_.pop_front();
      n_steps_++;
    }
    // Items do not stay behind.
    idle_ = beats_.empty() && is_over_ ? idle_ + 1 : 0;
    if (idle_ > 100) dut.compare("steps left", 0, model_.steps.size());
  }

  bool is_done() const { return idle_ > 100; }
  uint64_t n_insns() const { return n_insns_; }

 private:
  struct Insn {
    oct_map_entry e;
    uint64_t word;
    uint64_t last = 0, stride = 0;
  };

  template <typename Port>
  void take(const Port &item) {
    const unsigned w = cfg_.addr_bits + 4;
    uint64_t first = port_bits(item, 0, w);
    if (starts_ && n_marks_out_ == starts_) starts_ = 0;  // this is the address
    n_marks_out_ += (first & 7) == 7;
    unroll_.take(first, port_bits(item, w, w > 64 ? 64 : w));
  }

  uint64_t align() const { return UINT64_C(1) << cfg_.pc_align_bits; }

  // ---- Random programs ----

  Insn &at(uint64_t pc, Stimulus &r) {
    auto found = program_.find(pc);
    if (found != program_.end()) return found->second;
    Insn insn = {};
    if (is_arm_ && chained_.empty() && !loop_left_ && r.percent(1))
      chained_ = oct_arm_over_index(r);
    do {
      insn.word = is_arm_ ? oct_arm_word(r) : oct_riscv_word(r);
      if (!chained_.empty()) {
        insn.word = chained_.front();
        chained_.pop_front();
      }
      uint8_t code[4];
      for (unsigned i = 0; i < 4; i++) code[i] = static_cast<uint8_t>(insn.word >> 8 * i);
      memset(&insn.e, 0, sizeof insn.e);
      oct_disasm_insn(disasm_.get(), pc, code, 4, &insn.e);
      insn.e.addr = pc;
      insn.e.code_isa = 1;
      insn.e.target &= model_.m.mask;
      if (r.percent(3)) {  // bytes that are not known
        memset(&insn.e, 0, sizeof insn.e);
        insn.e.addr = pc;
        insn.e.size_bytes = 4;
      }
      if (!insn.e.size_bytes) {  // no instruction
        insn.e.cls = OCT_CLASS_UNKNOWN;
        insn.e.size_bytes = is_arm_ || (insn.word & 3) == 3 ? 4 : 2;
      }
    } while ((insn.e.flags & OCT_MAP_VARIABLE) || !is_wanted(insn.e));
    insn.last = r.bits() >> r.below(64);
    insn.stride = r.below(2) ? r.below(16) * 4 : r.bits() >> r.below(64);
    return program_.emplace(pc, insn).first->second;
  }

  // In a loop of a jump and accesses, which behind a wrong guess of the jump are all that is
  // silent; or of a jump whose own access is silent before that guess.
  bool is_wanted(const oct_map_entry &e) const {
    if (!loop_left_ || !is_jump_loop_) return true;
    if (e.addr == loop_)
      return e.cls == OCT_CLASS_INDIRECT_JUMP && e.n_slots == (is_load_loop_ ? 1 : 0);
    return e.cls == OCT_CLASS_OTHER && e.n_slots;
  }

  uint64_t address(Insn &insn, unsigned i, uint64_t before, Stimulus &r) {
    uint64_t a = 0;
    unsigned size = insn.e.slots[i ? oct_access_slot(i - 1) : 0] & OCT_SLOT_SIZE_MASK;
    // Now and then a word that an instruction before had, whose value may be known; mostly so where
    // the value cache has rules of its own: past what the bytes say, and from access 16 on.
    bool is_special = i >= 16 || i >= insn.e.n_slots;
    if (i && !loop_left_ && r.percent(is_special ? 60 : 10)) return recent_[r.below(RECENT)];
    if (i && (loop_left_ || r.percent(95))) {
      bool is_same = insn.e.op.mem[0].form & OCT_MEM_SAME;
      return (before + (is_same ? 0 : size > 6 ? 4 : uint64_t{1} << size)) & model_.m.mask;
    }
    if (loop_left_) {
      insn.last += insn.stride;
      return (r.below(150) ? insn.last : r.bits()) & model_.m.mask;
    }
    // A load over its own index: of the word that was stored.
    const unsigned index = insn.e.op.mem[0].index;
    if (index < OCT_REG_COUNT && index == insn.e.op.data[0] && r.percent(80))
      return recent_[recent_at_];
    bool is_claimed = oct_shadow_address(&model_.m, &insn.e.op.mem[0], &a);
    if (is_claimed && r.percent(90)) return a;
    insn.last += insn.stride;
    if (r.percent(20)) insn.last = r.pooled() * 4;
    if (r.percent(3)) insn.last = r.bits() >> r.below(64);
    if (r.percent(5)) insn.last = (insn.last & ~uint64_t{255}) + r.below(256);
    return insn.last & model_.m.mask;
  }

  uint64_t anywhere(Stimulus &r) {
    uint64_t pc = r.percent(90) ? 0x8000 + r.below(48) * 4 : r.bits() >> r.below(60);
    return pc & model_.m.mask & ~(align() - 1);
  }

  // Where it goes after its accesses.
  uint64_t successor(const oct_map_entry &e, Stimulus &r) {
    uint64_t fall = oct_fall(&model_.m, &e);
    if (loop_left_) {
      if (++loop_at_ % loop_insns_ == 0) return loop_;
      if (is_load_loop_ && e.addr == loop_ && r.below(150) == 0) return anywhere(r);
      return e.cls == OCT_CLASS_COND_BRANCH && (e.addr & 4) ? e.target : fall;
    }
    if (r.percent(2)) return anywhere(r);
    switch (e.cls) {
      case OCT_CLASS_COND_BRANCH: {
        bool holds = r.percent(e.addr & 8 ? 90 : 20);
        if (r.percent(97) && (e.op.flags & OCT_EFFECT_KNOWN)) {
          bool claim;
          if (oct_shadow_cond(&model_.m, &e.op, &claim)) holds = claim;
        }
        return holds ? e.target : fall;
      }
      case OCT_CLASS_DIRECT_JUMP:
      case OCT_CLASS_DIRECT_CALL:
        return (e.flags & OCT_MAP_CONDITIONAL) && r.below(2) ? fall : e.target;
      case OCT_CLASS_OTHER:
        return fall;
      case OCT_CLASS_UNKNOWN:
        return r.percent(50) ? fall : anywhere(r);
      default:
        break;
    }
    if (model_.done == OCT_DONE_NO || ((e.flags & OCT_MAP_CONDITIONAL) && r.percent(40)))
      return fall;
    uint64_t to = model_.m.regs.target & ~(align() - 1);
    if (model_.m.regs.target_known && r.percent(60)) return to;
    if (r.percent(50)) return model_.m.returns[model_.m.return_top] & ~(align() - 1);
    return anywhere(r);
  }

  void random_insn(Stimulus &r) {
    if (!has_pc_) {
      begin(anywhere(r), r.percent(20) ? task(r) : model_.now, r);
      return;
    }
    if (loop_left_) {
      loop_left_--;
    } else if (r.below(2000) == 0) {
      loop_left_ = 300 + r.below(1500);
      loop_ = pc_;
      loop_at_ = 0;
      is_jump_loop_ = r.percent(30);
      is_load_loop_ = is_jump_loop_ && is_arm_ && r.below(2);
      loop_insns_ = is_jump_loop_ ? 2 + r.below(2) : 1 + r.below(12);
      if (is_jump_loop_) program_.clear();
    } else if (r.below(400) == 0) {
      program_.clear();
    }
    Insn &insn = at(pc_, r);
    unsigned n = insn.e.n_slots;
    if (n && (insn.e.flags & OCT_MAP_CONDITIONAL) && r.percent(30)) n = 0;
    if (n && !loop_left_ && r.percent(1)) n = r.below(n + 1);
    if (!loop_left_ && r.percent(1))  // whatever its bytes say
      n = r.below(r.below(2) ? 4 : cfg_.gather_accesses + 1);
    std::vector<uint64_t> addr;
    for (unsigned i = 0; i < n; i++) addr.push_back(address(insn, i, i ? addr[i - 1] : 0, r));
    if (n) recent_[recent_at_ = n_insns_ % RECENT] = addr[0];
    unsigned after = !loop_left_ && r.percent(1) ? (r.below(2) ? TASK : END) : NEXT;
    // While its decisions are silent.
    const bool syncs = loop_left_ && r.below(500) == 0;
    if (syncs) after = END;
    const oct_map_entry e = model_.accesses(insn.e, n, addr.data());
    uint64_t next = successor(e, r);
    if (next & (align() - 1)) next = anywhere(r);  // another instruction set
    finish(e, insn.word, n, addr.data(), after, next, task(r), syncs ? unsigned{SYNC} : r.below(4),
           syncs || r.percent(50));
  }

  // Another one.
  uint32_t task(Stimulus &r) const {
    return (model_.now + 1 + r.below(2)) & ((UINT64_C(1) << cfg_.task_bits) - 1);
  }

  void begin(uint64_t pc, uint32_t task, Stimulus &r) {
    Beat b;
    b.kind = START;
    if (!trace() && r.percent(3)) {
      b.after = END;
      beats_.push_back(b);
      model_.end_empty();
      put_mark(r.below(4));
      return;
    }
    b.pc = pc;
    b.task = task;
    b.after = task != model_.now ? TASK : NEXT;
    model_.start(pc, task != model_.now, task);
    beats_.push_back(b);
    has_pc_ = true;
    pc_ = pc;
  }

  void put_mark(unsigned kind) {
    Beat b;
    b.kind = MARK;
    b.mark = kind;
    beats_.push_back(b);
    model_.mark(kind);
    has_pc_ = false;
  }

  // Its accesses are told: the beats, and where it goes.
  void finish(const oct_map_entry &e, uint64_t word, unsigned n, const uint64_t *addr,
              unsigned after, uint64_t next, uint32_t task, unsigned mark, bool together) {
    n_insns_++;
    for (unsigned i = 0; i < n || i == 0; i++) {
      Beat b;
      b.pc = e.addr;
      b.is_known = e.code_isa != 0;
      b.word = b.is_known ? word : 3;  // four bytes
      b.n = n;
      b.at = i;
      b.addr = n ? addr[i] : 0;
      if (i + 1 >= n) {
        b.after = after;
        b.next = next;
        b.task = task;
      }
      beats_.push_back(b);
    }
    pc_ = next;
    if (after == TASK) {
      model_.go_to_task(e, next, task);
    } else if (after == END) {
      model_.end(e);
      if (mark != SYNC || !together || cfg_.sync_keeps) {
        put_mark(mark);
        return;
      }
      beats_.back().kind = STEP_SYNC;
      beats_.back().start_pc = next;
      model_.mark(SYNC);
      model_.start(next, false, model_.now);
    } else {
      model_.go(e, next);
    }
  }

  void make(Stimulus &r) {
    if (!is_begun_) {
      is_begun_ = true;
      put_mark(SYNC);
    } else if (trace()) {
      trace_insn(r);
    } else {
      random_insn(r);
    }
  }

  // ---- A trace ----

  bool trace() const { return trace_.is_open(); }

  void trace_insn(Stimulus &r) {
    if (!has_next_) {
      if (!trace_.next(&next_, &next_addr_)) {
        is_over_ = true;
        return;
      }
      has_next_ = true;
      model_.now = next_.task;
      begin(next_.addr, next_.task, r);
    }
    oct_insn insn = next_;
    std::vector<uint64_t> addr = next_addr_;
    oct_map_entry e = trace_.entry(insn.addr, n_insns_);
    const oct_map_entry mapped = e;
    if (e.code_isa) oct_disasm_insn(disasm_.get(), e.addr, mapped.code, e.size_bytes, &e);
    uint64_t word = 0;
    for (unsigned i = 0; i < 4 && i < e.size_bytes; i++) word |= uint64_t{e.code[i]} << 8 * i;
    is_over_ = !trace_.next(&next_, &next_addr_);
    bool syncs = cfg_.sync_insns && n_insns_ + 1 >= next_sync_;
    if (syncs) next_sync_ += cfg_.sync_insns;
    unsigned after = is_over_ || syncs ? END : next_.task != insn.task ? TASK : NEXT;
    const oct_map_entry counts = model_.accesses(e, insn.n_access, addr.data());
    finish(counts, word, insn.n_access, addr.data(), after, next_.addr, next_.task,
           is_over_ ? FLUSH : SYNC, false);
    if (after == END && !is_over_) {
      model_.now = next_.task;
      begin(next_.addr, next_.task, r);
    }
  }

  oct_shadow_config cfg_;
  Model model_;
  Steps got_;
  Unroll unroll_;
  bool is_arm_;
  std::unique_ptr<oct_disasm, void (*)(oct_disasm *)> disasm_;
  std::map<uint64_t, Insn> program_;
  std::deque<Beat> beats_;
  bool has_beat_ = false, has_pc_ = false, is_begun_ = false, is_over_ = false;
  uint64_t pc_ = 0, n_insns_ = 0, n_steps_ = 0, next_sync_ = cfg_.sync_insns;
  unsigned n_stalls_ = 0, idle_ = 0;
  enum { RECENT = 16 };
  uint64_t recent_[RECENT] = {};  // first accesses of the last instructions
  unsigned recent_at_ = 0;        // of the last that had one
  std::deque<uint32_t> chained_;  // words that come behind each other
  // Of a loop that runs so many more instructions, goes the same way each time, and whose accesses
  // nearly all keep their strides: there streaks get long, guesses of strides are silent while
  // claims miss, and so is the second guess of where it goes while the first misses. Seldom one is
  // wrong.
  uint64_t loop_ = 0;
  unsigned loop_left_ = 0, loop_insns_ = 1, loop_at_ = 0;
  bool is_jump_loop_ = false, is_load_loop_ = false;
  // marks; the one with a start in its beat, until its address is out
  uint64_t n_marks_in_ = 0, n_marks_out_ = 0, starts_ = 0, start_pc_ = 0;
  // of a trace
  TraceInsns trace_;
  bool has_next_ = false;
  oct_insn next_ = {};
  std::vector<uint64_t> next_addr_;
};

}  // namespace

// A trace runs without resets, to its end or for so many cycles.
static int run_trace(const char *cycles) {
  oct_shadow_config cfg;
  if (!oct_twin_config(&cfg)) return 2;
  Dut dut(1, "", 0);
  Stimulus stimulus(1);
  Stage stage(cfg);
  uint64_t limit = cycles ? strtoull(cycles, nullptr, 0) : UINT64_MAX;
  while (dut.cycle < limit && !dut.failed && !stage.is_done()) {
    stimulus.next();
    stage.cycle(dut, stimulus);
    if (!dut.failed) dut.clock();
  }
  printf("%" PRIu64 " instructions, %" PRIu64 " cycles%s%s\n", stage.n_insns(), dut.cycle,
         dut.failed ? ": " : " equal", dut.difference.c_str());
  return dut.failed;
}

int main(int argc, char **argv) {
  if (getenv("OCT_TEST_TRACE")) return run_trace(argc > 2 ? argv[2] : nullptr);
  return oct_twin_main<Stage, oct_shadow_config>(argc, argv);
}
