// SPDX-License-Identifier: Apache-2.0
// oct_shadow_queue - twin test: up to two items a cycle, of one or two words, into a queue that is
// empty, full or between. Its words are counted as oct_shadow_tail.c and oct_shadow_timed.c do.
#include <algorithm>
#include <deque>

#include "oct_shadow_twin.h"

extern "C" {
#include "oct_shadow_tail.h"
}

class Stage {
 public:
  explicit Stage(const oct_shadow_config &cfg) : cfg_(cfg) {
    oct_shadow_tail_init(&tail_, cfg.out_fifo_bytes);
  }

  void cycle(Dut &dut, Stimulus &r) {
    Item in[2] = {random(r), random(r)};
    unsigned n = r.valid() ? 1 + r.below(2) : 0;
    bool has_item = !items_.empty(), pops = has_item && r.ready();
    dut.top->valid_i = n == 2 ? 3 : n;
    dut.top->two_i = in[0].n_words - 1 + 2 * (in[1].n_words - 1);
    drive(dut.top->first_i, in[0]);
    drive(dut.top->second_i, in[1]);
    dut.top->pop_i = pops;
    dut.settle();
    bool is_ready = tail_.queue_words + WORDS_PER_CYCLE <= cfg_.queue_words;
    dut.compare("ready_o", is_ready, dut.top->ready_o);
    dut.compare("valid_o", has_item, dut.top->valid_o);
    dut.compare("count_o", tail_.queue_words, dut.top->count_o);
    if (has_item) {
      compare(dut, "first_o", items_.front().words[0], dut.top->first_o);
      if (items_.front().n_words == 2)
        compare(dut, "second_o", items_.front().words[1], dut.top->second_o);
    }
    if (pops) {
      tail_.queue_words -= items_.front().n_words;
      items_.pop_front();
    }
    for (unsigned i = 0; is_ready && i < n; i++) {
      oct_coder_item_log item = {};
      item.n_words = in[i].n_words;
      oct_coder_log log = {};
      log.items = &item;
      oct_shadow_tail_put(&tail_, &log);
      items_.push_back(in[i]);
    }
  }

 private:
  enum { WORDS_PER_CYCLE = 4 };
  struct Word {
    uint64_t low, high;  // 64 bits, and those above
  };
  struct Item {
    uint8_t n_words;
    Word words[2];
  };

  unsigned width() const { return cfg_.addr_bits + 4; }
  unsigned high_bits() const { return width() > 64 ? width() - 64 : 0; }

  Item random(Stimulus &r) const {
    Item item = {static_cast<uint8_t>(1 + r.below(2)), {}};
    for (Word &word : item.words)
      word = {r.bits() & (width() < 64 ? (uint64_t{1} << width()) - 1 : ~uint64_t{0}),
              high_bits() ? r.below(1u << high_bits()) : 0};
    return item;
  }
  template <class Port>
  void drive(Port &port, const Item &item) const {
    for (unsigned i = 0; i < 2; i++) {
      set_port_bits(port, i * width(), std::min(width(), 64u), item.words[i].low);
      set_port_bits(port, i * width() + 64, high_bits(), item.words[i].high);
    }
  }
  template <class Port>
  void compare(Dut &dut, const char *name, const Word &word, const Port &port) const {
    dut.compare(name, word.low, port_bits(port, 0, std::min(width(), 64u)));
    if (high_bits()) dut.compare(name, word.high, port_bits(port, 64, high_bits()));
  }

  oct_shadow_config cfg_;
  oct_shadow_tail tail_;
  std::deque<Item> items_;
};

OCT_SHADOW_TWIN_MAIN(Stage)
