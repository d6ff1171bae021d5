// SPDX-License-Identifier: Apache-2.0
// oct_shadow_record.h - in place of the coder: writes down each step that the model of `shadow`
// asks of it, with the probabilities; and the same steps from the items of oct_shadow_core
// (docs/shadow-rtl.md), with probabilities of its own.
#ifndef OCT_SHADOW_RECORD_H
#define OCT_SHADOW_RECORD_H

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>

extern "C" {
#include "oct_shadow_coder.h"
#include "oct_mask.h"
#include "oct_shadow_model.h"
}

// A step, or a decision within one.
struct Step {
  enum Kind : uint8_t { BIT, OPEN, PATH, CLOSE, RAW, ESCAPE, END, MARK };
  Kind kind;
  uint64_t a = 0;  // probability; of RAW the value
  uint64_t b = 0;  // outcome; of RAW the number of bits
  uint64_t least = 0;

  bool operator==(const Step &o) const {
    return kind == o.kind && a == o.a && b == o.b && least == o.least;
  }
  std::string text() const {
    static const char *const names[] = {"bit", "open",   "path", "close",
                                        "raw", "escape", "end",  "mark"};
    char s[100];
    snprintf(s, sizeof s, "%s %" PRIu64 " %" PRIu64 " %" PRIu64, names[kind], a, b, least);
    return s;
  }
};

using Steps = std::deque<Step>;

// What oct_shadow_encode.h has, without the arithmetic.
struct oct_recorder {
  Steps *steps = nullptr;
  uint64_t run = 0, silent = 0, n_symbols = 0;
  uint32_t category = 0;
};

inline void oct_steps_raw(Steps &steps, uint64_t v, unsigned n) {
  if (n) steps.push_back({Step::RAW, v & oct_mask(n), n, 0});
}

inline void oct_steps_number(Steps &steps, uint64_t v) {
  unsigned n = v ? 64 - static_cast<unsigned>(__builtin_clzll(v)) : 0;
  oct_steps_raw(steps, n < OCT_NUMBER_LONG ? n : OCT_NUMBER_LONG, OCT_NUMBER_BITS);
  if (n >= OCT_NUMBER_LONG) oct_steps_raw(steps, n, OCT_NUMBER_LONG_BITS);
  if (n > 1) oct_steps_raw(steps, v, n - 1);
}

inline void oct_steps_escape(Steps &steps, unsigned kind, uint64_t after) {
  steps.push_back({Step::ESCAPE});
  oct_steps_raw(steps, kind == OCT_ESCAPE_WRONG, 1);
  if (kind != OCT_ESCAPE_WRONG) oct_steps_raw(steps, kind, OCT_ESCAPE_BITS);
  oct_steps_number(steps, after);
}

inline void oct_recorder_told(oct_recorder *c) {
  c->run = c->silent = 0;
  c->n_symbols++;
}

inline unsigned oct_recorder_bit(oct_recorder *c, uint32_t p, unsigned bit) {
  c->steps->push_back({Step::BIT, p, bit, 0});
  oct_recorder_told(c);
  return bit;
}

inline void oct_recorder_open(oct_recorder *c) {
  c->steps->push_back({Step::OPEN});
}

inline unsigned oct_recorder_path(oct_recorder *c, uint32_t p, unsigned bit, uint32_t least) {
  c->steps->push_back({Step::PATH, p, bit, least});
  return bit;
}

inline void oct_recorder_close(oct_recorder *c) {
  c->steps->push_back({Step::CLOSE});
  oct_recorder_told(c);
}

inline uint64_t oct_recorder_raw(oct_recorder *c, uint64_t v, unsigned n) {
  oct_steps_raw(*c->steps, v, n);
  return v;
}

inline void oct_recorder_escape(oct_recorder *c, oct_escape kind, uint64_t after) {
  oct_steps_escape(*c->steps, kind, after);
  oct_recorder_told(c);
}

inline unsigned oct_recorder_silent(oct_recorder *c, unsigned bit) {
  if (bit)
    oct_recorder_escape(c, OCT_ESCAPE_WRONG, c->silent);
  else
    c->silent++;
  return bit;
}

inline void oct_recorder_item(oct_recorder *) {}
inline void oct_recorder_wide(oct_recorder *) {}
inline void oct_recorder_access(oct_recorder *) {}
inline void oct_recorder_stamp(oct_recorder *) {}

#define OCT_SHADOW_CODER oct_recorder
#define OCT_SHADOW_DECODES 0
extern "C" {
#include "oct_shadow_step.h"
}
#undef OCT_SHADOW_CODER
#undef OCT_SHADOW_DECODES

// Items to steps: what the unroll stage does.
class Unroll {
 public:
  Unroll(const oct_shadow_config &cfg, Steps *steps) : cfg_(cfg), steps_(steps) {
    oct_shadow_probs_start(&probs_);
  }

  void take(uint64_t first, uint64_t second) {
    oct_shadow_probs &p = probs_;
    switch (first & 7) {
      case 0:
        access(first, second);
        break;
      case 1:
        for (unsigned i = 0; i < 3; i++) {
          uint64_t d = first >> (3 + 7 * i);
          unsigned at = d >> 2 & 15;
          oct_prob_streak *s = at < 8    ? &p.target[at]
                               : at < 10 ? &p.decided[at - 8]
                                         : &p.leave[at < 13 ? at - 10 : 0];
          decide(s, d & 3, d >> 6 & 1);
        }
        break;
      case 2:
        steps_->push_back({Step::BIT, first >> 4 & 0xfff, first >> 3 & 1, 0});
        break;
      case 3:
        address(second);
        break;
      case 4: {
        unsigned kind = first >> 3 & 3;
        oct_steps_escape(*steps_, kind, second);
        if (kind == OCT_ESCAPE_PARTIAL) oct_steps_raw(*steps_, first >> 6 & 2047, OCT_COUNT_BITS);
        if (kind == OCT_ESCAPE_END) steps_->push_back({Step::END});
        break;
      }
      case 5:
        number_ = second;
        break;
      case 6:
        oct_steps_raw(*steps_, second, cfg_.task_bits);
        break;
      default:
        steps_->push_back({Step::MARK, first >> 3 & 3, 0, 0});
        if (!(first >> 3 & 3) && !cfg_.sync_keeps) oct_shadow_probs_start(&probs_);
        break;
    }
  }

 private:
  void wrong() {
    oct_steps_escape(*steps_, OCT_ESCAPE_WRONG, number_);
    number_ = 0;
  }

  void decide(oct_prob_streak *s, unsigned mode, unsigned bit) {
    if (!mode) return;
    if (mode == 2)
      wrong();
    else
      steps_->push_back({Step::BIT, oct_prob_of(s->p), bit, 0});
    oct_prob_learn(&s->p, mode == 2 ? 1 : bit);
  }

  void path(oct_prob *p, unsigned bit, unsigned least) {
    steps_->push_back({Step::PATH, oct_prob_of(*p), bit, least});
    oct_prob_learn(p, bit);
  }

  // Leaves the second symbol open.
  void length(oct_prob *tree, unsigned n, unsigned more) {
    unsigned node = 1;
    steps_->push_back({Step::OPEN});
    for (unsigned i = 5; i--;) {
      path(&tree[node], n >> i & 1, i > 1 ? 1u << (i - 2) : (1u << i) << more);
      node = node << 1 | (n >> i & 1);
      if (i != 2) continue;
      steps_->push_back({Step::CLOSE});
      steps_->push_back({Step::OPEN});
    }
  }

  void address(uint64_t v) {
    unsigned n = oct_bit_width(v), told = n < OCT_LENGTH_RAW ? n : OCT_LENGTH_RAW;
    length(probs_.target_length, told, 0);
    steps_->push_back({Step::CLOSE});
    if (told == OCT_LENGTH_RAW)
      oct_steps_raw(*steps_, v, 64);
    else if (n > 1)
      oct_steps_raw(*steps_, v, n - 1);
  }

  void access(uint64_t w, uint64_t diff) {
    oct_shadow_probs &p = probs_;
    unsigned at = w >> 5 & 15, mode = w >> 10 & 3;
    decide(at < 8 ? &p.claim[at] : &p.next[at & 1], w >> 3 & 3, w >> 9 & 1);
    oct_prob_streak *stride = &p.stride[w >> 12 & 31], *second = &p.second[w >> 19 & 7];
    unsigned miss = w >> 17 & 1, again = w >> 22 & 1;
    if (!(w >> 18 & 1)) {
      decide(stride, mode, miss);
    } else if (mode == 2) {
      decide(stride, mode, 1);
      decide(second, 1, again);
    } else if (mode == 1) {
      steps_->push_back({Step::OPEN});
      path(&stride->p, miss, 2);
      if (miss) path(&second->p, again, 1);
      steps_->push_back({Step::CLOSE});
    }
    if (!(w >> 23 & 1)) return;
    oct_prob_streak *refs = &p.ref[3 * (w >> 25 & 3)];
    unsigned ref = w >> 27 & 3, k = w >> 29 & 3, shift = 0;
    steps_->push_back({Step::OPEN});
    if (w >> 24 & 1) {
      path(&refs[0].p, ref == 2, 4);
      if (ref != 2) path(&refs[1].p, ref == 1, 2);
    } else {
      path(&refs[2].p, ref == 1, 2);
    }
    uint64_t d = oct_sign_extend(diff, cfg_.addr_bits);
    if (k) {
      bool is_odd = d & oct_mask(k);
      path(&p.aligned[ref][k], is_odd, 1);
      shift = is_odd ? 0 : k;
    }
    steps_->push_back({Step::CLOSE});
    bool negative = d >> 63;
    uint64_t magnitude = negative ? (~d >> shift) : d >> shift;
    unsigned n = oct_bit_width(magnitude), told = n < OCT_LENGTH_RAW ? n : OCT_LENGTH_RAW;
    length(p.length[ref], told, 1);
    path(&p.sign[ref][told > 6], negative, 1);
    steps_->push_back({Step::CLOSE});
    if (told == OCT_LENGTH_RAW)
      oct_steps_raw(*steps_, magnitude, cfg_.addr_bits);
    else if (n > 1)
      oct_steps_raw(*steps_, magnitude, n - 1);
  }

  oct_shadow_config cfg_;
  Steps *steps_;
  oct_shadow_probs probs_;
  uint64_t number_ = 0;
};

#endif
