// SPDX-License-Identifier: Apache-2.0
// oct_random_core.h - the registers, flags and memory of a core that runs a random program, so that
// its addresses, directions and targets are those of its operations.
//
// It is a model of `shadow` that always knows all: whatever an operation leaves unknown, a word
// that was never stored for one, gets some value. A tracer that computes another one claims another
// address or direction than the program takes, and so codes other symbols.
#ifndef OCT_RANDOM_CORE_H
#define OCT_RANDOM_CORE_H

#include <cstdlib>
#include <cstring>
#include <vector>

#include "oct_dut.h"
#include "oct_machine.h"

extern "C" {
#include "oct_shadow_execute.h"
}

class RandomCore {
 public:
  explicit RandomCore(const Machine &machine) {
    oct_shadow_config cfg = oct_shadow_config_of(machine.params);
    cfg.vc_sets = 1024;  // its memory
    cfg.vc_ways = 8;
    cfg.vc_tag_bits = 63;
    if (oct_shadow_model_init(&model_, &cfg)) abort();
  }
  ~RandomCore() { oct_shadow_model_free(&model_); }
  RandomCore(const RandomCore &) = delete;
  RandomCore &operator=(const RandomCore &) = delete;

  // Whether e's condition holds, if it has one of which something is known.
  bool decides(const oct_map_entry &e, bool *holds) const {
    return (e.op.flags & OCT_EFFECT_KNOWN) && oct_shadow_cond(&model_, &e.op, holds);
  }
  // Where the first access of memory operand `group` goes.
  bool address(const oct_map_entry &e, unsigned group, uint64_t *addr) const {
    return (e.op.flags & OCT_EFFECT_KNOWN) && oct_shadow_address(&model_, &e.op.mem[group], addr);
  }
  // Where the instruction goes that ran last, if it is indirect.
  bool target(uint64_t *to) const {
    *to = model_.regs.target;
    return model_.regs.target_known;
  }

  // Carry e out, whose accesses were at addrs. One that made more than it can is left out.
  void run(const oct_map_entry &e, const std::vector<uint64_t> &addrs, bool holds, Random &r) {
    const unsigned n = static_cast<unsigned>(addrs.size());
    uint64_t claim;
    if (n <= e.n_slots) {
      if (n && (!address(e, 0, &claim) || claim != addrs[0]))
        oct_shadow_learn_address(&model_, &e.op.mem[0], addrs[0]);
      const bool is_done = holds && (n || !e.n_slots);
      oct_shadow_execute(&model_, &e, addrs.data(), n, is_done ? OCT_DONE_YES : OCT_DONE_NO);
    }
    know_all(r);
  }
  void go_to(uint32_t from, uint32_t to) {
    if (from != to) oct_shadow_switch(&model_, from, to);
  }

 private:
  void know_all(Random &r) {
    for (unsigned i = 0; i < model_.cfg.regs; i++) {
      if (oct_sr_known(&model_, i)) continue;
      oct_sr_learn(&model_, i, r.percent(50) ? 0x100000 + 4 * r.below(1024) : r.bits());
      oct_vc_settle(&model_, false);  // the word that it was loaded from,
      oct_vc_settle(&model_, false);  // now
    }
    const unsigned known = model_.regs.cond_known & 15, some = r.below(16);
    if (known != 15)
      oct_shadow_set_nzcv(&model_, 15, (model_.regs.cond_val & known) | (some & ~known));
  }

  oct_shadow_model model_ = {};
};

#endif
