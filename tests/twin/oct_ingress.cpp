// SPDX-License-Identifier: Apache-2.0
// oct_ingress - twin test: instructions with runs of accesses, buffers that fill, syncs, task
// switches, flushes, enable; answers of the output controller at random.
#include "oct_ignored_random.h"
#include "oct_time_random.h"

extern "C" {
#include "oct_ingress.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg)
      : cfg_(cfg), ignored_({cfg.addr_bits, cfg.pc_align_bits, cfg.task_bits}, cfg.cause_bits) {
    oct_ingress_init(&ingress_, &cfg, &stats_);
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_ingress_in in = {};
    const bool waits = wait_for_pace(r);
    make_retire(r, waits);
    retire_.time = time_.next(r);
    told_ = retire_;
    ignored_.fill(r, &told_);
    in.retire = &told_;
    if (filters_ ^= r.below(filters_ ? 200 : 1000) == 0) rate_ = 1 + r.below(99);
    if (retire_.insn_valid) skip_ = filters_ && r.percent(rate_);
    in.skip = skip_;
    // Often the first event of all breaks a rule.
    in.bad = !waits && (r.below(300) == 0 || (!ingress_.begun && r.percent(20)));
    in.afvalid = afvalid_ ^= r.percent(afvalid_ ? 10 : 1);
    in.flush_done = r.percent(10);
    in.syncreq = !waits && r.below(300) == 0;
    in.enable = enable_ ^= !waits && r.below(500) == 0;
    in.sync_period_insns = r.below(3) ? 100 : 0;
    in.sync_due = r.percent(2);
    if (comes_) in.sync_period_insns = in.sync_due = 0;
    in.closes_insn = r.percent(30);
    in.opens_stream = in.closes_insn || r.percent(10);
    in.stream_ready = r.ready() || r.percent(30);
    in.data_ready = r.ready() || r.percent(30);
    in.is_drained = r.percent(30);
    in.is_empty = r.percent(70);
    in.is_out_empty = r.percent(70);
    in.is_out_full = !in.is_out_empty && r.percent(70);
    in.overflow_at_head = r.percent(20);
    in.overflow_done = r.percent(20);
    in.sync_done = r.percent(20);
    in.trap_done = marked_ && r.percent(20);
    in.time_done = ingress_.time_busy && r.percent(20);
    drive(dut, in);
    dut.settle();
    compare_registers(dut);
    oct_ingress_out out;
    stats_.cycles++;
    oct_ingress_eval(&ingress_, &in, &out);
    dut.compare("insn_valid_o", out.insn_valid, dut.top->insn_valid_o);
    dut.compare("mark_o", out.mark, dut.top->mark_o);
    if (cfg_.timestamp == 2 && has_delay_) dut.compare("delay_o", delay_ & 0xfff, dut.top->delay_o);
    if (out.insn_valid && (out.mark || in.opens_stream)) {
      delay_ = out.delay;
      has_delay_ = true;
    }
    marked_ += out.mark == OCT_MARK_TRAP;
    marked_ -= in.trap_done;
    if (oct_mark_has_task(out.mark)) dut.compare("task_o", out.task, dut.top->task_o);
    dut.compare("data_push_o", out.data_push, dut.top->data_push_o);
    if (out.data_push) {
      dut.compare("data_kind_o", out.data.kind, dut.top->data_kind_o);
      dut.compare("data_mark_o", out.data.mark, dut.top->data_mark_o);
      if (out.data.kind == OCT_DATA_ACCESS) {
        dut.compare("data_pc_o", out.data.pc, dut.top->data_pc_o);
        dut.compare("data_slot_o", out.data.slot, dut.top->data_slot_o);
        dut.compare("data_da_o", out.data.da, dut.top->data_da_o);
      }
    }
    dut.compare("overflow_o", out.overflow, dut.top->overflow_o);
    dut.compare("lost_insn_o", out.lost_insn, dut.top->lost_insn_o);
    dut.compare("lost_access_o", out.lost_access, dut.top->lost_access_o);
    dut.compare("lost_traps_o", out.lost_traps, dut.top->lost_traps_o);
    dut.compare("time_back_o", out.time_back, dut.top->time_back_o);
  }

 private:
  // Now and then the core stands still until a stream is as late as its delay can say, or nearly,
  // or a little more: then an instruction comes, and no sync is due. Whether it waits.
  bool wait_for_pace(Stimulus &r) {
    const oct_pace &pace = ingress_.pace;
    if (cfg_.timestamp != 2) return false;
    if (!late_ && pace.is_known && r.below(3000) == 0) late_ = OCT_DELAY_MAX - 1 + r.below(4);
    if (!pace.is_known || accesses_) late_ = 0;
    comes_ = late_ && stats_.cycles + 1 - pace.expected >= late_;
    if (comes_) late_ = 0;
    return late_ != 0;
  }

  void make_retire(Stimulus &r, bool waits) {
    if (begins_) accesses_ = r.below(3);  // the rest of an instruction before the reset
    begins_ = false;
    retire_.trap_valid = cfg_.traps && !accesses_ && !waits && !comes_ && r.percent(trap_rate_);
    if (r.below(300) == 0) trap_rate_ = r.below(60);
    if (retire_.trap_valid) {
      make_trap(r);
    } else if (accesses_) {
      accesses_--;
      retire_.insn_valid = false;
      retire_.da_valid = true;
    } else {
      retire_.insn_valid = !waits && (comes_ || r.valid());
      accesses_ = retire_.insn_valid && r.percent(40)
                      ? r.below(r.percent(10) ? r.below(30) ? 41 : 400 : 4)
                      : 0;
      retire_.da_valid = accesses_ > 0;
      if (accesses_) accesses_--;
      retire_.insn_addr = r.address(cfg_.addr_bits) & ~oct_mask(cfg_.pc_align_bits);
      if (r.below(50) == 0) retire_.task = static_cast<uint32_t>(r.address(cfg_.task_bits));
      if (r.below(50) == 0)
        retire_.task = static_cast<uint32_t>(r.near(retire_.task, cfg_.task_bits));
    }
    retire_.da_end = !accesses_ && r.percent(20);
    retire_.da_addr = r.address(cfg_.addr_bits);
  }

  void make_trap(Stimulus &r) {
    retire_.insn_valid = retire_.da_valid = false;
    retire_.trap_kind = static_cast<uint8_t>(r.below(3));
    retire_.trap_privilege = static_cast<uint8_t>(r.below(8));
    retire_.trap_cause = static_cast<uint32_t>(r.address(cfg_.cause_bits));
    retire_.trap_addr = r.address(cfg_.addr_bits);
    retire_.trap_tval = r.address(cfg_.addr_bits);
    if (r.below(10) == 0) retire_.task = static_cast<uint32_t>(r.address(cfg_.task_bits));
  }

  void drive(Dut &dut, const oct_ingress_in &in) {
    dut.top->insn_valid_i = told_.insn_valid;
    dut.top->insn_addr_i = told_.insn_addr;
    dut.top->task_i = told_.task;
    dut.top->da_valid_i = told_.da_valid;
    dut.top->da_end_i = told_.da_end;
    dut.top->da_addr_i = told_.da_addr;
    dut.top->trap_valid_i = told_.trap_valid;
    const unsigned a = cfg_.addr_bits, c = cfg_.cause_bits;
    set_port_bits(dut.top->trap_i, 2 * a + c + 3, 2, told_.trap_kind);
    set_port_bits(dut.top->trap_i, 2 * a + c, 3, told_.trap_privilege);
    set_port_bits(dut.top->trap_i, 2 * a, c, told_.trap_cause);
    set_port_bits(dut.top->trap_i, a, a, told_.trap_addr);
    set_port_bits(dut.top->trap_i, 0, a, told_.trap_tval);
    dut.top->trap_done_i = in.trap_done;
    dut.top->time_done_i = in.time_done;
    dut.top->time_i = told_.time & oct_mask(OCT_TIME_BITS);
    dut.top->skip_i = in.skip;
    dut.top->bad_i = in.bad;
    dut.top->afvalid_i = in.afvalid;
    dut.top->flush_done_i = in.flush_done;
    dut.top->syncreq_i = in.syncreq;
    dut.top->enable_i = in.enable;
    dut.top->sync_period_insns_i = in.sync_period_insns;
    dut.top->sync_due_i = in.sync_due;
    dut.top->opens_stream_i = in.opens_stream;
    dut.top->closes_insn_i = in.closes_insn;
    dut.top->stream_ready_i = in.stream_ready;
    dut.top->data_ready_i = in.data_ready;
    dut.top->is_drained_i = in.is_drained;
    dut.top->is_empty_i = in.is_empty;
    dut.top->is_out_empty_i = in.is_out_empty;
    dut.top->is_out_full_i = in.is_out_full;
    dut.top->overflow_at_head_i = in.overflow_at_head;
    dut.top->overflow_done_i = in.overflow_done;
    dut.top->sync_done_i = in.sync_done;
  }

  void compare_registers(Dut &dut) {
    const oct_barrier &b = ingress_.barrier;
    dut.compare("af_busy_o", ingress_.af_busy, dut.top->af_busy_o);
    dut.compare("resume_o", ingress_.resume, dut.top->resume_o);
    dut.compare("barrier_sync_insn_o", b.sync_insn & oct_mask(cfg_.addr_bits),
                dut.top->barrier_sync_insn_o);
    dut.compare("barrier_lost_insns_o", b.lost_insns, dut.top->barrier_lost_insns_o);
    dut.compare("barrier_lost_accesses_o", b.lost_accesses, dut.top->barrier_lost_accesses_o);
    if (ingress_.time_busy) dut.compare("barrier_time_o", b.time, dut.top->barrier_time_o);
    if (cfg_.traps && ingress_.resume)
      dut.compare("privilege behind a loss", b.lost_privilege, dut.top->barrier_privilege_o >> 3);
    if (cfg_.traps && ingress_.sync_busy)
      dut.compare("privilege at a sync", b.sync_privilege, dut.top->barrier_privilege_o & 7);
    if (!ingress_.n_traps) return;
    const unsigned a = cfg_.addr_bits, c = cfg_.cause_bits;
    dut.compare("trap kind", b.trap.kind, port_bits(dut.top->barrier_trap_o, 2 * a + c + 3, 2));
    dut.compare("trap privilege", b.trap.privilege,
                port_bits(dut.top->barrier_trap_o, 2 * a + c, 3));
    dut.compare("trap cause", b.trap.cause, port_bits(dut.top->barrier_trap_o, 2 * a, c));
    dut.compare("trap address", b.trap.addr, port_bits(dut.top->barrier_trap_o, a, a));
    dut.compare("trap value", b.trap.tval, port_bits(dut.top->barrier_trap_o, 0, a));
  }

  oct_config cfg_;
  IgnoredRandom ignored_;
  oct_stats stats_ = {};
  oct_ingress ingress_;
  oct_retire retire_ = {}, told_ = {};  // as the core makes it, and with what means nothing
  RandomTime time_;
  uint32_t accesses_ = 0;
  int delay_ = 0;  // of the open stream
  bool has_delay_ = false;
  uint32_t late_ = 0;   // so many cycles late the next instruction is to come, 0 at any time
  bool comes_ = false;  // in this cycle
  uint32_t trap_rate_ = 2, marked_ = 0;  // of 100 cycles; traps whose mark is on its way
  uint32_t rate_ = 0;                    // of 100 instructions, how many the filter leaves out
  bool begins_ = true, enable_ = true, afvalid_ = false, filters_ = false, skip_ = false;
};

OCT_TWIN_MAIN(Stage)
