// SPDX-License-Identifier: Apache-2.0
// oct_shadow_stride - twin test: accesses of few instructions that step, repeat a pattern of steps,
// or jump, so that an entry is read while it is written; near addresses; clears; back-pressure.
#include "oct_shadow_twin.h"

extern "C" {
#include "oct_shadow_encode.h"
#define OCT_SHADOW_CODER oct_encode
#define OCT_SHADOW_DECODES 0
#include "oct_shadow_step.h"
}

class Stage {
 public:
  explicit Stage(const oct_shadow_config &cfg) {
    oct_shadow_model_init(&model_, &cfg);
    oct_encode_begin(&coder_);
  }
  ~Stage() {
    oct_shadow_model_free(&model_);
    free(coder_.bytes);
  }
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

  void cycle(Dut &dut, Stimulus &r) {
    if (!has_access_) {
      has_access_ = r.valid();
      make(r);
    }
    bool moves = r.ready(), clears = !has_access_ && r.below(500) == 0;
    const unsigned bits = model_.cfg.addr_bits;
    dut.top->moves_i = moves;
    dut.top->clear_i = clears;
    dut.top->valid_i = has_access_;
    set_port_bits(dut.top->pc_i, 0, bits, access_.pc);
    dut.top->group_i = access_.group;
    set_port_bits(dut.top->addr_i, 0, bits, access_.addr);
    dut.top->has_near_i = access_.has_near;
    set_port_bits(dut.top->near_i, 0, bits, access_.near);
    dut.settle();
    const Result &out = stages_[2];
    dut.compare("out_valid_o", out.is_valid, dut.top->out_valid_o);
    if (out.is_valid) compare(dut, out);
    if (!moves) return;
    if (clears) oct_shadow_model_reset(&model_);
    for (unsigned i = 2; i > 0; i--) stages_[i] = stages_[i - 1];
    stages_[0] = has_access_ ? take() : Result{};
    has_access_ = false;
  }

 private:
  enum { PATTERN = 4 };
  struct Access {
    uint64_t pc = 0, addr = 0, near = 0;
    bool group = false, has_near = false;
  };
  struct Result {
    bool is_valid = false, hit = false, agree = false, other_hit = false, has_near = false;
    unsigned context = 0, other_context = 0, old_ref = 0, ref = 0;
    uint64_t diff = 0;
  };

  void make(Stimulus &r) {
    if (run_-- == 0) {
      run_ = r.below(200);
      shape_ = r.below(5);
      for (uint64_t &step : steps_)
        step = r.below(4) ? uint64_t{r.below(64)} - 32 : r.bits() >> r.below(64);
      if (r.below(4) == 0) here_ = r.bits();
    }
    here_ += shape_ == 0  ? steps_[0]
             : shape_ < 3 ? steps_[at_++ % PATTERN]
                          : r.bits() >> r.below(64);
    access_.pc = (r.pooled() & (shape_ == 1 ? 0 : 7)) << model_.cfg.pc_align_bits;
    if (r.percent(20)) access_.pc = r.bits() & model_.mask;
    access_.group = r.below(4) == 0;
    access_.addr = here_ & model_.mask;
    access_.has_near = r.below(2);
    access_.near = (here_ + (r.below(2) ? uint64_t{r.below(256)} - 128 : r.bits())) & model_.mask;
  }

  Result take() {
    const Access &x = access_;
    uint32_t at = oct_stride_index(&model_, x.pc, x.group);
    oct_stride_entry e = model_.stride[at];
    uint64_t last_addr = model_.last_addr;
    oct_dfcm_entry d = {e.s1, 0};
    if (model_.cfg.dfcm_entries) d = *oct_dfcm_at(&model_, &e);
    oct_shadow_stats before = model_.stats;
    oct_code_unknown(&model_, &coder_, x.pc, x.group, x.addr, 2, x.has_near, x.near);
    coder_.n = 0;
    Result out;
    bool first = d.conf >= 2 && d.conf > e.conf_s;
    out.is_valid = true;
    out.has_near = x.has_near;
    out.hit = model_.stats.strides_right != before.strides_right;
    out.other_hit = model_.stats.seconds_right != before.seconds_right;
    out.agree = e.s1 == d.diff;
    out.context = out.agree ? e.hist & 7u
                  : first   ? 8u | (e.hist & 3u) << 1 | (d.conf & 1u)
                            : 16u | (e.hist & 3u) << 2 | e.conf_s;
    out.other_context = (first ? 4u : 0) | (e.hist & 3u);
    out.old_ref = e.ref;
    out.ref = model_.stride[at].ref;
    const uint64_t refs[] = {e.last, last_addr, x.near};
    out.diff = (x.addr - refs[out.ref]) & model_.mask;
    return out;
  }

  void compare(Dut &dut, const Result &out) {
    dut.compare("out_hit_o", out.hit, dut.top->out_hit_o);
    dut.compare("out_agree_o", out.agree, dut.top->out_agree_o);
    dut.compare("out_context_o", out.context, dut.top->out_context_o);
    dut.compare("out_old_ref_o", out.old_ref, dut.top->out_old_ref_o);
    dut.compare("out_has_near_o", out.has_near, dut.top->out_has_near_o);
    if (out.hit) return;
    if (!out.agree) {
      dut.compare("out_other_hit_o", out.other_hit, dut.top->out_other_hit_o);
      dut.compare("out_other_context_o", out.other_context, dut.top->out_other_context_o);
    }
    if (out.other_hit) return;
    dut.compare("out_ref_o", out.ref, dut.top->out_ref_o);
    dut.compare("out_diff_o", out.diff, port_bits(dut.top->out_diff_o, 0, model_.cfg.addr_bits));
  }

  oct_shadow_model model_ = {};
  oct_encode coder_ = {};
  Access access_;
  Result stages_[4];
  uint64_t here_ = 0, steps_[PATTERN] = {0};
  uint32_t run_ = 0, shape_ = 0, at_ = 0;
  bool has_access_ = false;
};

OCT_SHADOW_TWIN_MAIN(Stage)
