// SPDX-License-Identifier: Apache-2.0
// oct_shadow_symbol - twin test: symbols of one to three decisions with probabilities near both
// ends and at one half, escapes, raw bits; back-pressure.
#include "oct_shadow_twin.h"

extern "C" {
#include "oct_shadow_encode.h"
}

class Stage {
 public:
  explicit Stage(const oct_shadow_config &) {}

  void cycle(Dut &dut, Stimulus &r) {
    if (!has_symbol_) {
      has_symbol_ = r.valid();
      make(r);
    }
    bool out_ready = r.ready();
    dut.top->valid_i = has_symbol_;
    dut.top->kind_i = kind_;
    dut.top->n_i = n_;
    dut.top->room_i = room_;
    dut.top->p_i = p_[0] | uint64_t{p_[1]} << 12 | uint64_t{p_[2]} << 24;
    dut.top->outcome_i = outcome_;
    dut.top->value_i = value_;
    dut.top->count_i = count_;
    dut.top->out_ready_i = out_ready;
    dut.settle();
    const Step *out = stages_[LATENCY - 1].is_valid ? &stages_[LATENCY - 1] : nullptr;
    dut.compare("out_valid_o", out != nullptr, dut.top->out_valid_o);
    if (out) compare(dut, *out);
    bool ready = out_ready || !out;
    dut.compare("ready_o", ready, dut.top->ready_o);
    if (!ready) return;
    for (unsigned i = LATENCY - 1; i > 0; i--) stages_[i] = stages_[i - 1];
    stages_[0] = has_symbol_ ? take() : Step{};
    has_symbol_ = false;
  }

 private:
  enum { LATENCY = 5, SYMBOL = 0, ESCAPE, RAW, END, PART = 0, REST = 1 };
  struct Step {
    bool is_valid = false;
    unsigned kind = 0, begin = 0, end = 0;
  };

  void make(Stimulus &r) {
    kind_ = r.percent(80) ? SYMBOL : r.below(4);
    room_ = 1 + r.below(3);
    n_ = 1 + r.below(room_);
    for (unsigned &p : p_) {
      unsigned least = room_ > 1 ? 4 : 1, most = room_ > 1 ? 4091 : 4094;
      p = r.percent(50)   ? least + r.below(most - least + 1)
          : r.percent(50) ? least + r.below(8)
                          : most - r.below(8);
      if (r.percent(5)) p = 2047 + r.below(3);
    }
    outcome_ = r.below(8);
    value_ = r.below(256);
    count_ = 1 + r.below(8);
  }

  Step take() const {
    oct_encode c = {};
    Step s = {true, kind_, 0, 0};
    if (kind_ == END) return s;
    oct_encode_open(&c);
    if (kind_ == ESCAPE) {
      s.kind = PART;
      s.end = OCT_CODER_ESCAPE;
    } else if (kind_ == RAW) {
      // As oct_coder_raw has it.
      unsigned from_top = ~value_ & ((1u << count_) - 1), shift = OCT_CODER_PART_BITS - count_;
      s.kind = PART;
      s.begin = from_top << shift;
      s.end = (from_top + 1) << shift;
    } else if (room_ > 1) {
      for (unsigned i = 0; i < n_; i++)
        oct_encode_path(&c, p_[i], outcome_ >> i & 1, 1u << (room_ - 1 - i));
      s.begin = c.a;
      s.end = c.b;
    } else {
      // As oct_coder_bit has it.
      unsigned is_swapped = p_[0] >= OCT_CODER_WHOLE / 2, is_top = (outcome_ & 1) ^ is_swapped;
      s.end = OCT_CODER_ESCAPE +
              oct_coder_part(is_swapped ? OCT_CODER_PARTS - p_[0] : p_[0], OCT_CODER_PARTS, 1);
      s.begin = OCT_CODER_ESCAPE;
      s.kind = is_top ? PART : REST;
    }
    return s;
  }

  static void compare(Dut &dut, const Step &s) {
    dut.compare("out_kind_o", s.kind, dut.top->out_kind_o);
    if (s.kind == PART) dut.compare("out_end_o", s.end, dut.top->out_end_o);
    if (s.kind <= REST)
      dut.compare("out_width_o", s.kind == PART ? s.end - s.begin : OCT_CODER_WHOLE - s.end,
                  dut.top->out_width_o);
  }

  Step stages_[LATENCY];
  unsigned kind_ = 0, n_ = 1, room_ = 1, p_[3] = {1, 1, 1}, outcome_ = 0, value_ = 0, count_ = 0;
  bool has_symbol_ = false;
};

OCT_SHADOW_TWIN_MAIN(Stage)
