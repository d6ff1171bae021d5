// SPDX-License-Identifier: Apache-2.0
// oct_output - twin test: items of every kind on both sides, barriers that come to one side first,
// flushes that end in every bit, a bus that is seldom ready.
#include "oct_twin.h"
#include "oct_twin_item.h"

extern "C" {
#include "oct_output.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg) : cfg_(cfg) {
    oct_output_init(&output_, &cfg, &stats_);
    oct_config_widths(&cfg, &widths_);
  }

  void cycle(Dut &dut, Stimulus &r) {
    if (!has_insn_ && r.valid() && !owed_mark_) {
      insn_ = make_insn_item(r);
      has_insn_ = true;
    }
    if (!has_data_ && (owed_mark_ || r.valid())) {
      data_ = make_data_item(r);
      has_data_ = true;
    }
    if (cfg_.timestamp == 2 && !has_cycles_ && r.percent(40)) make_cycles(r);
    barrier_.sync_insn = r.address(cfg_.addr_bits);
    barrier_.lost_insns = r.address(cfg_.addr_bits);
    barrier_.lost_accesses = r.address(cfg_.addr_bits);
    barrier_.trap = {r.address(cfg_.addr_bits), r.address(cfg_.addr_bits),
                     static_cast<uint32_t>(r.address(cfg_.cause_bits)),
                     static_cast<uint8_t>(r.below(3)), static_cast<uint8_t>(r.below(8))};
    barrier_.time = r.address(56) >> r.below(57);
    barrier_.sync_privilege = static_cast<uint8_t>(r.below(8));
    barrier_.lost_privilege = static_cast<uint8_t>(r.below(8));
    oct_output_in in = {has_insn_ ? &insn_ : nullptr,
                        has_data_ ? &data_ : nullptr,
                        has_cycles_ ? &cycles_ : nullptr,
                        r.percent(50),
                        &barrier_,
                        r.ready(),
                        r.percent(50 + 50 * (dut.cycle / 5000 % 2))};
    drive(dut, in, r);
    dut.settle();
    oct_output_out out;
    dut.compare("count_bytes_o", oct_output_count_bytes(&output_), dut.top->count_bytes_o);
    oct_output_eval(&output_, &in, &out);
    dut.compare("insn_ready_o", out.insn_ready && has_insn_, dut.top->insn_ready_o && has_insn_);
    dut.compare("data_ready_o", out.data_ready && has_data_, dut.top->data_ready_o && has_data_);
    dut.compare("cycles_ready_o", out.cycles_ready && has_cycles_,
                dut.top->cycles_ready_o && has_cycles_);
    dut.compare("overflow_at_head_o", out.overflow_at_head, dut.top->overflow_at_head_o);
    dut.compare("overflow_done_o", out.overflow_done, dut.top->overflow_done_o);
    dut.compare("sync_done_o", out.sync_done, dut.top->sync_done_o);
    dut.compare("trap_done_o", out.trap_done, dut.top->trap_done_o);
    dut.compare("time_done_o", out.time_done, dut.top->time_done_o);
    dut.compare("sync_due_o", out.sync_due, dut.top->sync_due_o);
    dut.compare("atvalid_o", out.atvalid, dut.top->atvalid_o);
    if (out.atvalid) {
      uint64_t mask = oct_mask(8 * (out.atbytes + 1u));
      dut.compare("atbytes_o", out.atbytes, dut.top->atbytes_o);
      dut.compare("atdata_o", out.atdata & mask, dut.top->atdata_o & mask);
    }
    dut.compare("flush_out_o", out.flush_out, dut.top->flush_out_o);
    dut.compare("flush_done_o", out.flush_done, dut.top->flush_done_o);
    oct_output_clock(&output_);
    if (out.insn_ready) has_insn_ = false;
    if (out.cycles_ready) has_cycles_ = false;
    if (out.data_ready) {
      has_data_ = false;
      if (data_.kind == OCT_ITEM_MARK) owed_mark_ = OCT_MARK_NONE;
    }
  }

 private:
  oct_item make_insn_item(Stimulus &r) {
    static const oct_item_kind with_tuples[] = {OCT_ITEM_TUPLE_HIT, OCT_ITEM_TUPLE_MISS,
                                                OCT_ITEM_TUPLE_PART, OCT_ITEM_SCMT, OCT_ITEM_SCMT};
    static const oct_item_kind without[] = {OCT_ITEM_INDEX, OCT_ITEM_SCMT};
    oct_item item = {};
    item.kind = cfg_.ntuple_n ? with_tuples[r.below(5)] : without[r.below(2)];
    if (cfg_.ntuple_n == 1 && item.kind == OCT_ITEM_TUPLE_PART) item.kind = OCT_ITEM_TUPLE_MISS;
    item.n = cfg_.ntuple_n;
    if (item.kind == OCT_ITEM_TUPLE_PART) item.n = 1 + r.below(cfg_.ntuple_n - 1);
    item.mark = r.mark(OCT_MARK_TASK, OCT_MARK_FLUSH);
    if (cfg_.traps && r.below(20) == 0) item.mark = OCT_MARK_TRAP;
    if (cfg_.timestamp && r.below(20) == 0) item.mark = OCT_MARK_TIME;
    if (item.mark) item.kind = OCT_ITEM_MARK;
    if (oct_mark_is_barrier(item.mark)) owed_mark_ = owed_cycles_ = item.mark;
    item.addr = r.address(cfg_.addr_bits) & ~oct_mask(cfg_.pc_align_bits);
    item.value = value_of(item, r);
    for (uint32_t i = 0; i < item.n; i++)
      item.tuple[i] = static_cast<uint16_t>(r.address(widths_.index_bits));
    return item;
  }

  // A delay of any width; or the barrier, once, that the other sides have.
  void make_cycles(Stimulus &r) {
    has_cycles_ = true;
    cycles_ = {};
    cycles_.kind = OCT_ITEM_CYCLES;
    int delay = static_cast<int>(r.below(4096) - 2048) / (1 << r.below(12));
    cycles_.value = static_cast<uint16_t>(delay);
    if (!owed_cycles_ || r.percent(50)) return;
    cycles_.kind = OCT_ITEM_MARK;
    cycles_.mark = owed_cycles_;
    owed_cycles_ = OCT_MARK_NONE;
  }

  uint32_t value_of(const oct_item &item, Stimulus &r) {
    switch (item.kind) {
      case OCT_ITEM_INDEX:
        return static_cast<uint32_t>(r.address(widths_.index_bits));
      case OCT_ITEM_TUPLE_HIT:
        return 1 + r.below(cfg_.thb_depth);
      case OCT_ITEM_SCMT:
        return 1 + r.below(1u << cfg_.sl_bits);
      default:
        return static_cast<uint32_t>(r.address(cfg_.task_bits));
    }
  }

  oct_item make_data_item(Stimulus &r) {
    static const oct_item_kind kinds[] = {OCT_ITEM_DMT, OCT_ITEM_DMT_END, OCT_ITEM_PATTERN,
                                          OCT_ITEM_REPEAT, OCT_ITEM_PATTERN_PART};
    oct_item item = {};
    if (owed_mark_ && has_insn_ && r.percent(50)) {
      item.kind = OCT_ITEM_MARK;
      item.mark = owed_mark_;
      return item;
    }
    item.kind = kinds[r.below(5)];
    if (!cfg_.rep_count_bits && item.kind == OCT_ITEM_REPEAT) item.kind = OCT_ITEM_PATTERN;
    if (cfg_.rep_pattern_bits == 1 && item.kind == OCT_ITEM_PATTERN_PART) item.kind = OCT_ITEM_DMT;
    item.addr = r.address(cfg_.addr_bits);
    item.value = static_cast<uint32_t>(r.address(cfg_.rep_pattern_bits));
    if (item.kind == OCT_ITEM_REPEAT) item.n = 2 + r.below(1u << cfg_.rep_count_bits);
    if (item.kind == OCT_ITEM_PATTERN_PART) {
      item.n = 1 + r.below(cfg_.rep_pattern_bits - 1);
      item.value &= static_cast<uint32_t>(oct_mask(item.n));
    }
    return item;
  }

  void drive(Dut &dut, const oct_output_in &in, Stimulus &r) {
    dut.top->insn_valid_i = has_insn_;
    dut.top->insn_kind_i = insn_.kind;
    dut.top->insn_mark_i = insn_.mark;
    dut.top->insn_addr_i = insn_.addr;
    dut.top->insn_value_i = insn_.value;
    dut.top->insn_n_i = insn_.n;
    for (uint32_t i = 0; i < (cfg_.ntuple_n ? cfg_.ntuple_n : 1); i++)
      set_port_bits(dut.top->insn_tuple_i, i * widths_.index_bits, widths_.index_bits,
                    insn_.tuple[i]);
    dut.top->data_valid_i = has_data_;
    dut.top->data_kind_i = data_.kind;
    dut.top->data_mark_i = data_.mark;
    dut.top->data_addr_i = data_.addr;
    dut.top->data_value_i = data_.value;
    dut.top->data_n_i = data_.n;
    dut.top->resume_i = in.resume;
    dut.top->barrier_sync_insn_i = barrier_.sync_insn;
    dut.top->barrier_lost_insns_i = barrier_.lost_insns;
    dut.top->barrier_lost_accesses_i = barrier_.lost_accesses;
    const unsigned a = cfg_.addr_bits, c = cfg_.cause_bits;
    set_port_bits(dut.top->barrier_trap_i, 2 * a + c + 3, 2, barrier_.trap.kind);
    set_port_bits(dut.top->barrier_trap_i, 2 * a + c, 3, barrier_.trap.privilege);
    set_port_bits(dut.top->barrier_trap_i, 2 * a, c, barrier_.trap.cause);
    set_port_bits(dut.top->barrier_trap_i, a, a, barrier_.trap.addr);
    set_port_bits(dut.top->barrier_trap_i, 0, a, barrier_.trap.tval);
    // Without delays, whatever stands there is no item.
    dut.top->cycles_valid_i = cfg_.timestamp == 2 ? has_cycles_ : r.below(2);
    dut.top->cycles_mark_i = cycles_.mark;
    dut.top->cycles_delay_i = cycles_.value & 0xfff;
    dut.top->barrier_time_i = barrier_.time;
    dut.top->barrier_privilege_i = barrier_.lost_privilege << 3 | barrier_.sync_privilege;
    dut.top->atready_i = in.atready;
    dut.top->atclken_i = in.atclken;
  }

  oct_config cfg_;
  oct_widths widths_;
  oct_stats stats_ = {};
  oct_output output_;
  oct_item insn_ = {}, data_ = {}, cycles_ = {};
  oct_barrier barrier_ = {};
  bool has_insn_ = false, has_data_ = false, has_cycles_ = false;
  /* The barrier that the data side, and the delays, still have to bring. */
  uint8_t owed_mark_ = OCT_MARK_NONE, owed_cycles_ = OCT_MARK_NONE;
};

OCT_TWIN_MAIN(Stage)
