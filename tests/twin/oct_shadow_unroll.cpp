// SPDX-License-Identifier: Apache-2.0
// oct_shadow_unroll - twin test: random items of all types, with numbers of all lengths and
// contexts that meet again, against the unrolling in C; each symbol, and the cycles that an item
// takes.
#include "oct_shadow_record.h"
#include "oct_shadow_twin.h"

#include <algorithm>

class Stage {
 public:
  explicit Stage(const oct_shadow_config &cfg) : cfg_(cfg), unroll_(cfg, &steps_) {}

  void cycle(Dut &dut, Stimulus &r) {
    if (!has_item_ && r.valid()) make(r);
    bool out_ready = r.ready();
    const unsigned w = cfg_.addr_bits + 4;
    dut.top->valid_i = has_item_;
    set_port_bits(dut.top->first_i, 0, std::min(w, 64u), first_);
    set_port_bits(dut.top->second_i, 0, std::min(w, 64u), second_);
    dut.top->out_ready_i = out_ready;
    dut.settle();
    bool is_out = dut.top->out_valid_o;
    if (is_out) compare(dut);
    if (is_out && out_ready && !expected_.empty()) expected_.pop_front();
    bool moves = has_item_ && (out_ready || !is_out);
    // Each cycle has a symbol, but those that the item needs to begin.
    dut.compare("ready_o", moves && cycles_left_ == 1, dut.top->ready_o);
    if (moves && --cycles_left_ == 0) has_item_ = false;
  }

 private:
  enum { SYMBOL, ESCAPE, RAW, END, RAW_BITS = 8 };
  enum { ACCESS, BITS, DIRECTION, ADDRESS, ESCAPES, NUMBER, TASK, MARK };
  struct Symbol {
    unsigned kind = SYMBOL, n = 0;
    uint64_t p[3] = {}, least[3] = {};
    unsigned outcome = 0;  // of RAW the value, with n bits
    bool is_path = false;
  };

  // ---- Items ----

  void make(Stimulus &r) {
    if (left_-- == 0) {
      left_ = r.below(300);
      type_ = r.below(3) ? TYPES : r.below(TYPES);
      contexts_ = r.below(2) ? 1 : 32;
      base_ = r.below(32);
    }
    unsigned type = type_ < TYPES ? type_ : r.below(TYPES);
    if (type == MARK && r.percent(90)) type = ACCESS;
    first_ = 0;
    second_ = number(r) & oct_mask(std::min(cfg_.addr_bits + 4, 64u));
    unsigned lead = type == NUMBER || type == MARK;
    switch (type) {
      case ACCESS:
        access(r);
        break;
      case BITS:
        for (unsigned i = 0; i < 3; i++) {
          uint64_t decision = r.below(3) | context(r, 13) << 2 | uint64_t{r.below(2)} << 6;
          first_ |= decision << (3 + 7 * i);
        }
        // The core gives no item without a symbol.
        if (!(first_ >> 3 & 3) && !(first_ >> 10 & 3) && !(first_ >> 17 & 3))
          first_ |= uint64_t{1 + r.below(2)} << 17;
        break;
      case DIRECTION:
        first_ |= uint64_t{1 + r.below(4094)} << 4 | r.below(2) << 3;
        break;
      case ESCAPES:
        first_ |= r.below(4) << 3 | r.below(1025) << 6;
        break;
      case MARK:
        first_ |= r.below(4) << 3;
        break;
      default:
        break;
    }
    first_ |= type;
    unroll_.take(first_, second_);
    cycles_left_ = lead + symbols();
    has_item_ = true;
  }

  void access(Stimulus &r) {
    bool has_near = r.below(2);
    unsigned first = r.below(3), mode = first ? r.below(3) : 1 + r.below(2);  // one at least comes
    first_ |= first << 3 | context(r, 10) << 5 | r.below(2) << 9;
    // A silent guess that is wrong is told as a miss.
    first_ |= mode << 10 | context(r, 32) << 12 | (mode == 2 || r.below(2)) << 17;
    first_ |= r.below(2) << 18 | context(r, 8) << 19 | r.below(2) << 22 | r.below(2) << 23;
    first_ |= has_near << 24 | uint64_t{r.below(3)} << 25;
    first_ |= uint64_t{r.below(has_near ? 3 : 2)} << 27 | uint64_t{r.below(4)} << 29;
    if (r.below(2)) second_ = ~second_;
    second_ &= oct_mask(cfg_.addr_bits);
  }

  uint64_t context(Stimulus &r, unsigned n) const { return (base_ + r.below(contexts_)) % n; }

  static uint64_t number(Stimulus &r) {
    unsigned bits = r.percent(60) ? r.below(12) : r.below(65);
    return bits ? r.bits() >> (64 - bits) : 0;
  }

  // ---- What is to be sent ----

  // The steps of an item as symbols; how many.
  unsigned symbols() {
    size_t before = expected_.size();
    Symbol path;
    for (; !steps_.empty(); steps_.pop_front()) {
      const Step &s = steps_.front();
      switch (s.kind) {
        case Step::BIT:
          add({SYMBOL, 1, {s.a}, {1}, static_cast<unsigned>(s.b), false});
          break;
        case Step::OPEN:
          path = Symbol();
          path.is_path = true;
          break;
        case Step::PATH:
          path.p[path.n] = s.a;
          path.least[path.n] = s.least;
          path.outcome |= static_cast<unsigned>(s.b) << path.n;
          path.n++;
          break;
        case Step::CLOSE:
          add(path);
          break;
        case Step::RAW:
          for (unsigned left = static_cast<unsigned>(s.b); left;) {
            unsigned n = std::min<unsigned>(left, RAW_BITS);
            left -= n;
            add({RAW, n, {}, {}, static_cast<unsigned>(s.a >> left & oct_mask(n)), false});
          }
          break;
        case Step::ESCAPE:
          add({ESCAPE, 0, {}, {}, 0, false});
          break;
        case Step::END:
          add({END, 0, {}, {}, 0, false});
          break;
        default:
          break;
      }
    }
    return static_cast<unsigned>(expected_.size() - before);
  }
  void add(const Symbol &s) { expected_.push_back(s); }

  void compare(Dut &dut) const {
    dut.compare("symbols expected", !expected_.empty(), true);
    if (expected_.empty()) return;
    const Symbol &s = expected_.front();
    dut.compare("out_kind_o", s.kind, dut.top->out_kind_o);
    if (s.kind == RAW) {
      dut.compare("out_count_o", s.n, dut.top->out_count_o);
      dut.compare("out_value_o", s.outcome, dut.top->out_value_o & oct_mask(s.n));
    }
    if (s.kind != SYMBOL) return;
    unsigned room = dut.top->out_room_o;
    dut.compare("out_n_o", s.n, dut.top->out_n_o);
    dut.compare("out_outcome_o", s.outcome, dut.top->out_outcome_o & oct_mask(s.n));
    dut.compare("a path", s.is_path, room > 1);
    for (unsigned i = 0; i < s.n; i++) {
      dut.compare("out_p_o", s.p[i], port_bits(dut.top->out_p_o, 12 * i, 12));
      // The first part is of the whole, and is above each least one.
      if (i) dut.compare("least part", s.least[i], 1u << (room - 1 - i));
    }
  }

  enum { TYPES = 8 };
  oct_shadow_config cfg_;
  Steps steps_;
  Unroll unroll_;
  std::deque<Symbol> expected_;
  uint64_t first_ = 0, second_ = 0;
  unsigned cycles_left_ = 0, left_ = 0, type_ = TYPES, contexts_ = 1, base_ = 0;
  bool has_item_ = false;
};

OCT_SHADOW_TWIN_MAIN(Stage)
