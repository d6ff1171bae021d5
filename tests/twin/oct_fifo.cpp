// SPDX-License-Identifier: Apache-2.0
// oct_fifo - twin test, with the stream buffer's depth and a word of 64 bits.
// verilate: WIDTH=64 DEPTH=STREAM_FIFO_DEPTH PASSES=PIPELINED MEMORY=0
#include "oct_twin.h"

extern "C" {
#include "oct_fifo.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg) {
    oct_fifo_init(&fifo_, cfg.stream_fifo_depth, cfg.pipelined);
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_fifo_word word;
    bool pop = r.ready() && oct_fifo_valid(&fifo_);
    bool push = r.valid() && oct_fifo_ready(&fifo_, pop);
    word.stream.sa = r.bits();
    dut.top->push_i = push;
    dut.top->data_i = word.stream.sa;
    dut.top->pop_i = pop;
    dut.settle();
    dut.compare("ready_o", oct_fifo_ready(&fifo_, pop), dut.top->ready_o);
    dut.compare("valid_o", oct_fifo_valid(&fifo_), dut.top->valid_o);
    dut.compare("count_o", fifo_.count_q, dut.top->count_o);
    if (oct_fifo_valid(&fifo_))
      dut.compare("data_o", oct_fifo_head(&fifo_)->stream.sa, dut.top->data_o);
    oct_fifo_eval(&fifo_, push ? &word : nullptr, pop);
    oct_fifo_clock(&fifo_);
  }

 private:
  oct_fifo fifo_;
};

OCT_TWIN_MAIN(Stage)
