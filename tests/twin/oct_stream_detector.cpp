// SPDX-License-Identifier: Apache-2.0
// oct_stream_detector - twin test: runs of instructions, jumps far, by one bit of the address, and
// to the end of the address space; marks, streams of one.
#include "oct_twin.h"

extern "C" {
#include "oct_stream_detector.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg) : cfg_(cfg) { oct_stream_detector_init(&detector_, &cfg); }

  void cycle(Dut &dut, Stimulus &r) {
    bool insn_valid = r.valid();
    uint8_t mark = r.mark(OCT_MARK_TASK, OCT_MARK_FLUSH);
    uint32_t size = (1 + r.below(15 >> cfg_.pc_align_bits)) << cfg_.pc_align_bits;
    uint32_t task = static_cast<uint32_t>(r.address(cfg_.task_bits));
    oct_stream_word word;
    if (!r.ready()) pc_ = jump(r) & ~oct_mask(cfg_.pc_align_bits);
    dut.top->insn_valid_i = insn_valid;
    dut.top->pc_i = pc_;
    dut.top->size_bytes_i = size;
    dut.top->mark_i = mark;
    dut.top->task_i = task;
    dut.settle();
    dut.compare("closes_o", oct_stream_detector_closes(&detector_, pc_), dut.top->closes_o);
    dut.compare("opens_o", oct_stream_detector_opens(&detector_, pc_, OCT_MARK_NONE),
                dut.top->opens_o);
    bool push = oct_stream_detector_step(&detector_, insn_valid, pc_, size, mark, task, &word);
    dut.compare("push_o", push, dut.top->push_o);
    if (push) {
      dut.compare("sl_o", word.sl, dut.top->sl_o);
      dut.compare("mark_o", word.mark, dut.top->mark_o);
      if (word.sl) dut.compare("sa_o", word.sa, dut.top->sa_o);
      if (oct_mark_has_task(word.mark)) dut.compare("task_o", word.task, dut.top->task_o);
    }
    if (insn_valid) pc_ = (pc_ + size) & oct_mask(cfg_.addr_bits);
  }

 private:
  uint64_t jump(Stimulus &r) {
    switch (r.below(4)) {
      case 0:
        return r.near(pc_, cfg_.addr_bits);
      case 1:
        return oct_mask(cfg_.addr_bits) - r.below(64);
      default:
        return r.address(cfg_.addr_bits);
    }
  }

  oct_config cfg_;
  oct_stream_detector detector_;
  uint64_t pc_ = 0;
};

OCT_TWIN_MAIN(Stage)
