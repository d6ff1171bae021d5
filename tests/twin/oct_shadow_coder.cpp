// SPDX-License-Identifier: Apache-2.0
// oct_shadow_coder - twin test: steps of all kinds and widths, runs that lead to bytes of ones and
// to carries, ends of periods; back-pressure.
#include <deque>

#include "oct_shadow_twin.h"

extern "C" {
#include "oct_shadow_encode.h"
}

class Stage {
 public:
  explicit Stage(const oct_shadow_config &) { oct_encode_begin(&coder_); }
  ~Stage() { free(coder_.bytes); }
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

  void cycle(Dut &dut, Stimulus &r) {
    if (!has_step_) {
      has_step_ = r.valid();
      make(r);
    }
    bool out_ready = r.ready();
    dut.top->valid_i = has_step_;
    dut.top->kind_i = kind_;
    dut.top->width_i =
        static_cast<uint16_t>(kind_ == REST ? OCT_CODER_WHOLE - end_ : end_ - begin_);
    dut.top->end_i = end_;
    dut.top->out_ready_i = out_ready;
    dut.settle();
    compare_out(dut, out_ready);
    // Only an end makes it wait for itself.
    if (out_ready && !n_ends_) dut.compare("ready_o", 1, dut.top->ready_o);
    if (!dut.top->ready_o) return;
    if (has_step_) take();
    has_step_ = false;
  }

 private:
  enum { REST_MAX = OCT_CODER_WHOLE / 2 - OCT_CODER_ESCAPE };
  enum { PART, REST, END = 3 };

  void make(Stimulus &r) {
    if (run_-- == 0) {
      run_ = r.below(300);
      shape_ = r.below(6);
    }
    kind_ = r.percent(shape_ == 5 ? 2 : 0) ? END : static_cast<uint8_t>(r.below(shape_ ? 2 : 1));
    begin_ = OCT_CODER_ESCAPE;
    if (kind_ == REST) {
      // Sometimes the most, often little, so that low gets near its end.
      end_ = begin_ + (r.below(3) ? 1 + r.below(r.below(2) ? REST_MAX : 40) : REST_MAX);
    } else if (!shape_) {  // raw bits, often ones
      unsigned count = 1 + r.below(8), shift = OCT_CODER_PART_BITS - count;
      begin_ = r.percent(40) ? 0 : r.below(1u << count) << shift;
      end_ = begin_ + (1u << shift);
    } else if (r.percent(2)) {
      begin_ = 0;
      end_ = OCT_CODER_ESCAPE;
    } else {
      uint32_t room = OCT_CODER_WHOLE - begin_;
      // The top of the interval, for long runs of ones; a part of it; all.
      if (shape_ != 1) begin_ += r.below(1 + r.below(room - 1));
      uint32_t width = 1 + r.below(OCT_CODER_WHOLE - begin_);
      if (r.percent(30)) width = 1 + r.below(width < 20 ? width : 20);
      end_ = begin_ + width;
    }
  }

  void take() {
    size_t before = coder_.n;
    switch (kind_) {
      case PART:
        oct_encode_take(&coder_, begin_, end_);
        break;
      case REST:
        coder_.range -= (coder_.range >> OCT_CODER_PART_BITS) * end_;
        oct_encode_normalise(&coder_);
        break;
      default:
        oct_encode_end(&coder_);
        n_ends_++;
        break;
    }
    for (size_t i = before; i < coder_.n; i++) want_.push_back(coder_.bytes[i]);
    coder_.n = 0;
    if (kind_ == END) {
      want_.push_back(-1);
      oct_encode_begin(&coder_);
    }
  }

  void compare_out(Dut &dut, bool out_ready) {
    if (!dut.top->out_valid_o || !out_ready) return;
    unsigned n = dut.top->out_n_bytes_o;
    for (unsigned i = 0; i < n; i++)
      compare_next(dut, "out_bytes_o", dut.top->out_bytes_o >> 8 * i & 0xff);
    if (dut.top->out_end_o) {
      compare_next(dut, "out_end_o", -1);
      n_ends_--;
    }
  }

  void compare_next(Dut &dut, const char *port, int have) {
    if (want_.empty()) {
      dut.compare(port, 0, 1);
      return;
    }
    dut.compare(port, static_cast<uint64_t>(want_.front()), static_cast<uint64_t>(have));
    want_.pop_front();
  }

  oct_encode coder_ = {};
  std::deque<int> want_;  // bytes, -1: the end of a period
  uint8_t kind_ = 0;
  uint32_t begin_ = 0, end_ = 0, run_ = 0, shape_ = 0, n_ends_ = 0;
  bool has_step_ = false;
};

OCT_SHADOW_TWIN_MAIN(Stage)
