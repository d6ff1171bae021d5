// SPDX-License-Identifier: Apache-2.0
// oct_shadow_cache - twin test: reads and writes of all sizes and alignments near few words, so
// that sets are full and words are read while they are written; clears.
#include "oct_shadow_twin.h"

extern "C" {
#include "oct_shadow_execute.h"
}

class Stage {
 public:
  explicit Stage(const oct_shadow_config &cfg) { oct_shadow_model_init(&model_, &cfg); }
  ~Stage() { oct_shadow_model_free(&model_); }
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

  void cycle(Dut &dut, Stimulus &r) {
    if (!has_access_) {
      has_access_ = r.valid();
      make(r);
    }
    // Not while words are freed: that belongs to one write.
    bool moves = r.ready(), clears = moves && busy_ == 0 && r.below(1000) == 0;
    dut.top->moves_i = moves;
    dut.top->clear_i = clears;
    dut.top->valid_i = has_access_;
    dut.top->is_write_i = is_write_;
    // What the write before writes.
    dut.top->is_known_i = late_known_;
    set_port_bits(dut.top->addr_i, 0, model_.cfg.addr_bits, addr_);
    dut.top->size_log2_i = size_log2_;
    set_port_bits(dut.top->value_i, 0, word_bits(), late_value_);
    dut.settle();
    dut.compare("known_o", was_known_, dut.top->known_o);
    if (was_known_) dut.compare("value_o", was_value_, port_bits(dut.top->value_o, 0, word_bits()));
    dut.compare("ready_o", busy_ == 0, dut.top->ready_o);
    if (!moves) return;
    was_known_ = false;
    if (clears) oct_shadow_model_reset(&model_);
    if (busy_) {
      busy_--;
      return;
    }
    if (has_access_) {
      take();
      late_known_ = is_known_;
      late_value_ = value_;
    }
    has_access_ = false;
  }

 private:
  unsigned word_bits() const { return 8u << model_.word_log2; }

  void make(Stimulus &r) {
    is_write_ = r.below(2);
    is_known_ = r.percent(80);
    size_log2_ = r.percent(90) ? r.below(4) : r.below(8);
    addr_ = r.pooled() * 4;
    // Words of one set, of which the tag is a part: more of them than it has ways.
    uint64_t sets = model_.cfg.vc_sets, tag = addr_ / 4;
    if (r.below(2))
      addr_ = ((tag * sets + ((tag ^ r.below(2)) & (sets - 1))) << model_.word_log2) +
              (r.bits() & 4 & oct_mask(model_.word_log2));
    if (r.percent(20)) addr_ = r.bits();
    if (r.percent(30)) addr_ += r.below(8);
    if (r.percent(5)) addr_ = uint64_t{r.below(40)} - 20;
    // Words around one that is the first of as many in a row as there are sets.
    if (r.percent(10))
      addr_ = ((addr_ | (sets - 1) << model_.word_log2) & ~uint64_t{7}) + r.below(16) - 4;
    addr_ &= model_.mask;
    value_ = r.bits() & oct_mask(word_bits());
  }

  void take() {
    unsigned size = size_log2_ == 7 ? 0 : 1u << size_log2_;
    uint64_t in_word = addr_ & oct_mask(model_.word_log2), word_bytes = 1u << model_.word_log2;
    if (!is_write_) {
      was_known_ = oct_vc_read(&model_, addr_, size, &was_value_);
      return;
    }
    oct_vc_write(&model_, addr_, size, is_known_, value_);
    uint64_t left = (in_word + (size ? size : 8) + word_bytes - 1) / word_bytes;
    for (uint64_t word = addr_ >> model_.word_log2; left > freed(word); busy_++) {
      left -= freed(word);
      word += freed(word);
    }
  }

  // Words from this one on that are freed in a cycle.
  uint64_t freed(uint64_t word) const { return (word + 1) % model_.cfg.vc_sets ? 2 : 1; }

  oct_shadow_model model_ = {};
  uint64_t addr_ = 0, value_ = 0, was_value_ = 0, late_value_ = 0;
  unsigned size_log2_ = 0, busy_ = 0;
  bool has_access_ = false, is_write_ = false, is_known_ = false, was_known_ = false,
       late_known_ = false;
};

OCT_SHADOW_TWIN_MAIN(Stage)
