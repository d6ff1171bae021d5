// SPDX-License-Identifier: Apache-2.0
// oct_shadow_driver.h - the model of `shadow`, driven as oct_shadow_encoder.c drives it, with a
// recorder in place of the coder.
#ifndef OCT_SHADOW_DRIVER_H
#define OCT_SHADOW_DRIVER_H

#include <algorithm>
#include <vector>

#include "oct_shadow_beat.h"
#include "oct_shadow_record.h"

// The model, instruction by instruction, as oct_shadow_encoder.c drives it.
class Model {
 public:
  explicit Model(const oct_shadow_config &cfg) {
    oct_shadow_model_init(&m, &cfg);
    coder.steps = &steps;
  }
  ~Model() { oct_shadow_model_free(&m); }
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;

  void escape(oct_escape kind, bool is_at_start) {
    oct_recorder_escape(&coder, kind, is_at_start ? 0 : coder.run + 1);
  }
  void put_task(uint32_t task) {
    oct_steps_raw(steps, task, m.cfg.task_bits);
    oct_shadow_switch(&m, now, task);
    now = task;
  }
  void mark(unsigned kind) {
    steps.push_back({Step::MARK, kind, 0, 0});
    if (kind == SYNC && !m.cfg.sync_keeps) oct_shadow_model_reset(&m);
    coder.run = coder.silent = 0;
    if (kind >= OVERFLOW) oct_shadow_forget_all(&m);
  }
  void start(uint64_t pc, bool is_other, uint32_t task) {
    if (is_other) {
      escape(OCT_ESCAPE_TASK, true);
      put_task(task);
    }
    oct_code_target(&m, &coder, OCT_SC_ESCAPE, m.base, pc);
  }
  void end_empty() {
    escape(OCT_ESCAPE_END, true);
    steps.push_back({Step::END});
  }
  // Returns the entry that counts from here on: where n exceeds e, that is another one.
  const oct_map_entry &accesses(const oct_map_entry &e, unsigned n, const uint64_t *addr) {
    done = OCT_DONE_YES;
    if (!oct_has_data(&e) && !n) {
      oct_step_plain(&m, &e);
      return e;
    }
    bool is_partial = n != e.n_slots && (n || !(e.flags & OCT_MAP_CONDITIONAL));
    if (is_partial) {
      escape(OCT_ESCAPE_PARTIAL, false);
      oct_steps_raw(steps, n, OCT_COUNT_BITS);
    }
    const bool exceeds = oct_exceeds(&e, n);
    if (exceeds) oct_exceed(&exceeding, &e);
    const oct_map_entry &counts = exceeds ? exceeding : e;
    std::vector<uint64_t> copy(addr, addr + n);
    copy.resize(std::max<size_t>(n, e.n_slots));
    oct_step_addrs addrs = {copy.data(), copy.size(), false};
    done = oct_step_data(&m, &coder, nullptr, &counts, &addrs, &n, is_partial);
    return counts;
  }
  void go(const oct_map_entry &e, uint64_t next) {
    bool has_control = oct_has_control(&m, &e);
    if (has_control && oct_can_follow(&m, &e, done, next)) {
      uint64_t before = coder.n_symbols;
      oct_step_control(&m, &coder, &e, done, next);
      coder.run += coder.n_symbols == before;
    } else if (!has_control && oct_linear_next(&m, &e) == next) {
      oct_step_linear(&m, &e);
      coder.run++;
    } else {
      escape(OCT_ESCAPE_JUMP, false);
      oct_step_jump(&m, &coder, &e, next);
    }
  }
  void go_to_task(const oct_map_entry &e, uint64_t next, uint32_t task) {
    escape(OCT_ESCAPE_TASK, false);
    put_task(task);
    oct_step_jump(&m, &coder, &e, next);
  }
  void end(const oct_map_entry &e) {
    escape(OCT_ESCAPE_END, false);
    oct_step_leave(&m, &e);
    m.base = e.addr;
    steps.push_back({Step::END});
  }

  oct_shadow_model m = {};
  oct_recorder coder = {};
  Steps steps;
  oct_map_entry exceeding = {};
  uint32_t now = 0;
  oct_shadow_done done = OCT_DONE_YES;
};

#endif
