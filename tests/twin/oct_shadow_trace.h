// SPDX-License-Identifier: Apache-2.0
// oct_shadow_trace.h - a trace, instruction by instruction, for the twin test of `shadow`'s stages.
#ifndef OCT_SHADOW_TRACE_H
#define OCT_SHADOW_TRACE_H

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

extern "C" {
#include "octrace/trace.h"
}

class TraceInsns {
 public:
  TraceInsns() = default;
  ~TraceInsns() {
    if (!is_open_) return;
    oct_source_close(&source_);
    oct_map_free(map_);
  }
  TraceInsns(const TraceInsns &) = delete;
  TraceInsns &operator=(const TraceInsns &) = delete;

  bool is_open() const { return is_open_; }

  void open(const char *path) {
    oct_diag diag;
    if (oct_source_open(&source_, path, nullptr, &diag)) {
      fprintf(stderr, "%s\n", oct_diag_line(&diag).text);
      exit(2);
    }
    is_open_ = true;
    map_ = oct_map_new();
  }

  // False at the end.
  bool next(oct_insn *insn, std::vector<uint64_t> *addr) {
    while (batch_at_ == insns_.size()) {
      oct_diag diag;
      if (oct_source_next(&source_, &diag) <= 0) return false;
      insns_.assign(source_.batch.insns, source_.batch.insns + source_.batch.n_insns);
      size_t n = 0;
      for (const oct_insn &x : insns_) n += x.n_access;
      accesses_.assign(source_.batch.accesses, source_.batch.accesses + n);
      updates_.insert(updates_.end(), source_.updates, source_.updates + source_.n_updates);
      batch_at_ = access_at_ = 0;
    }
    *insn = insns_[batch_at_++];
    addr->clear();
    for (unsigned i = 0; i < insn->n_access; i++) addr->push_back(accesses_[access_at_++].addr);
    return true;
  }

  // Of an address, as the map has it at an instruction.
  oct_map_entry entry(uint64_t addr, uint64_t at_insn) {
    while (!updates_.empty() && updates_.front().from_insn <= at_insn) {
      oct_map_put(map_, &updates_.front().entry);
      updates_.pop_front();
    }
    return *oct_map_entry_at(map_, oct_map_find(map_, addr));
  }

 private:
  oct_source source_ = {};
  oct_map *map_ = nullptr;
  bool is_open_ = false;
  std::vector<oct_insn> insns_;
  std::vector<oct_access> accesses_;
  std::deque<oct_map_update> updates_;
  size_t batch_at_ = 0, access_at_ = 0;
};

#endif
