// SPDX-License-Identifier: Apache-2.0
// oct_operation_cover.h - which parts of the operations of `shadow` random programs have met.
#ifndef OCT_OPERATION_COVER_H
#define OCT_OPERATION_COVER_H

#include <bitset>
#include <string>
#include <utility>
#include <vector>

#include "oct_twin.h"

extern "C" {
#include "octrace/map.h"
}

// The parts of operations (include/octrace/trace.h) that were met: each value of each field that
// says what is done, but not which registers, and each number of accesses.
class OperationCover {
  enum Field {
    CLASS,
    ACCESSES,
    FLAGS,
    RESULT,
    SHIFT,
    EXTEND,
    WIDTH,
    SET_FLAGS,
    COND,
    TARGET,
    LINK,
    MEM,
    INDEX_SHIFT,
    SLOT,
    FIELDS
  };

 public:
  void meet(const oct_map_entry &e) {
    each_part(e, [this](Field field, uint8_t value) { met_[field].set(value); });
  }
  // Has the entry a part of these that the others have not?
  bool has_part_beside(const oct_map_entry &e, const OperationCover &others) const {
    bool has = false;
    each_part(e, [&](Field field, uint8_t value) {
      has |= met_[field][value] && !others.met_[field][value];
    });
    return has;
  }
  // How many of these the others have not.
  size_t beside(const OperationCover &others) const {
    size_t n = 0;
    for (unsigned field = 0; field < FIELDS; field++)
      n += (met_[field] & ~others.met_[field]).count();
    return n;
  }
  // One of those parts of these that say what is computed, each as often as the others.
  using Part = std::pair<unsigned, uint8_t>;
  Part any_part(Random &r) const {
    static constexpr Field fields[] = {RESULT, SHIFT, EXTEND, WIDTH, SET_FLAGS, MEM, SLOT};
    std::vector<Part> parts;
    for (Field field : fields)
      for (unsigned value = 0; value < VALUES; value++)
        if (met_[field][value]) parts.emplace_back(field, static_cast<uint8_t>(value));
    return parts[r.below(static_cast<uint32_t>(parts.size()))];
  }
  static bool has_part(const oct_map_entry &e, const Part &part) {
    bool has = false;
    each_part(e, [&](Field field, uint8_t value) { has |= part == Part(field, value); });
    return has;
  }
  // How many of all were met: one line, with the first ones that were not.
  std::string text(const OperationCover &all) const {
    static constexpr const char *names[FIELDS] = {
        "class",     "accesses", "flags",  "result", "shift", "extend",      "width",
        "set_flags", "cond",     "target", "link",   "mem",   "index shift", "slot"};
    size_t n = 0, n_all = 0;
    std::string missing;
    for (unsigned field = 0; field < FIELDS; field++)
      for (unsigned value = 0; value < VALUES; value++) {
        if (!all.met_[field][value]) continue;
        bool is_met = met_[field][value];
        n += is_met;
        if (!is_met && n_all - n < 8)
          missing += std::string(", not ") + names[field] + " " + std::to_string(value);
        n_all++;
      }
    return std::to_string(n) + " of " + std::to_string(n_all) + missing;
  }

 private:
  enum { VALUES = 256 };
  template <class Add>
  static void each_part(const oct_map_entry &e, Add add) {
    const oct_effect &op = e.op;
    add(CLASS, e.cls);
    add(ACCESSES, e.n_slots);
    add(FLAGS, op.flags);
    add(RESULT, op.result);
    add(SHIFT, op.b_form & 192);
    add(EXTEND, op.b_extend);
    add(WIDTH, op.width);
    add(SET_FLAGS, op.set_flags);
    add(COND, op.cond);
    add(TARGET, op.target);
    add(LINK, op.link);
    for (const oct_effect_mem &mem : op.mem) {
      add(MEM, mem.form);
      add(INDEX_SHIFT, mem.shift & 192);
    }
    for (unsigned i = 0; i < e.n_slots && i < 2; i++) add(SLOT, e.slots[i]);
  }

  std::bitset<VALUES> met_[FIELDS];
};

#endif
