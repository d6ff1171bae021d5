// SPDX-License-Identifier: Apache-2.0
// oct_shadow_framer - twin test: periods of random bytes and marks of all kinds onto a bus that is
// seldom ready or slower than the core, with flushes. When is as in oct_shadow_tail.c; what, as the
// encoder in C writes it.
#include <deque>

#include "oct_shadow_twin.h"

extern "C" {
#include "oct_crc.h"
#include "oct_shadow_tail.h"
}

class Stage {
 public:
  explicit Stage(const oct_shadow_config &cfg) : cfg_(cfg) {
    oct_shadow_tail_init(&tail_, cfg.out_fifo_bytes);
  }

  void cycle(Dut &dut, Stimulus &r) {
    if (r.below(3000) == 0) divider_ = 1 + r.below(4);
    if (!tail_.has_coded && r.valid()) make_bytes(r);
    if (!in_.has_mark && r.percent(mark_percent_)) make_mark(r);
    in_.atclken = dut.cycle % divider_ == 0;
    if (was_clocked_) in_.atready = r.ready();
    was_clocked_ = in_.atclken;
    drive(dut);
    dut.settle();
    dut.compare("sync_due_o", cfg_.sync_bits && 8 * tail_.since_sync_bytes >= cfg_.sync_bits,
                dut.top->sync_due_o);
    dut.compare("count_words_o", tail_.n_words, dut.top->count_words_o);
    const oct_coder_log log = {};
    const bool has_coded = tail_.has_coded;
    const uint32_t mark_at = tail_.mark_at;
    oct_tail_out out;
    oct_shadow_tail_cycle(&tail_, &log, &in_, &out);
    if (has_coded) dut.compare("ready_o", !tail_.has_coded, dut.top->ready_o);
    if (has_coded && !tail_.has_coded)
      for (unsigned i = 0; i < n_bytes_; i++) put(bytes_ >> 8 * i & 0xff);
    if (tail_.mark_at != mark_at || out.mark_done) put(mark_byte(mark_at));
    dut.compare("mark_done_o", out.mark_done, dut.top->mark_done_o);
    if (out.mark_done) in_.has_mark = false;
    compare_bus(dut, out);
  }

 private:
  void make_bytes(Stimulus &r) {
    n_bytes_ = r.below(3);
    bytes_ = static_cast<uint32_t>(r.bits());
    tail_.coded_bytes = static_cast<uint8_t>(n_bytes_);
    tail_.coded_end = r.below(60) == 0;
    tail_.has_coded = n_bytes_ || tail_.coded_end;
  }
  void make_mark(Stimulus &r) {
    in_.has_mark = true;
    in_.mark = static_cast<oct_frame_kind>(r.below(OCT_FRAME_KINDS));
    in_.mark_bytes = oct_mark_bytes(&cfg_, in_.mark);
    mark_percent_ = r.below(2) ? 100 : 2;
    number_ = number(r, 42);
    task_ = number(r, cfg_.task_bits);
    lost_insns_ = number(r, 42);
    lost_accesses_ = number(r, 42);
  }
  static uint64_t number(Stimulus &r, unsigned bits) {
    return r.below(2) ? r.bits() >> (64 - bits) : r.below(2);
  }

  void drive(Dut &dut) const {
    dut.top->valid_i = tail_.has_coded;
    dut.top->n_bytes_i = n_bytes_;
    dut.top->bytes_i = bytes_ & 0xffff;
    dut.top->end_i = tail_.coded_end;
    dut.top->mark_valid_i = in_.has_mark;
    dut.top->mark_kind_i = in_.mark;
    dut.top->mark_number_i = number_;
    dut.top->mark_task_i = task_;
    dut.top->mark_lost_insns_i = lost_insns_;
    dut.top->mark_lost_accesses_i = lost_accesses_;
    dut.top->atready_i = in_.atready;
    dut.top->atclken_i = in_.atclken;
  }

  void compare_bus(Dut &dut, const oct_tail_out &out) {
    dut.compare("atvalid_o", out.atvalid, dut.top->atvalid_o);
    dut.compare("flush_out_o", out.flush_out, dut.top->flush_out_o);
    dut.compare("flush_done_o", out.flush_done, dut.top->flush_done_o);
    if (!out.atvalid) return;
    uint64_t word = 0;
    for (unsigned i = 0; i < out.atbytes; i++) word |= uint64_t{sent_[i]} << 8 * i;
    dut.compare("atbytes_o", out.atbytes - 1, dut.top->atbytes_o);
    dut.compare("atdata_o", word, port_bits(dut.top->atdata_o, 0, 8 * out.atbytes));
    if (in_.atready && in_.atclken)
      sent_.erase(sent_.begin(), sent_.begin() + static_cast<long>(out.atbytes));
  }

  // A byte that leaves; the check is of those from the first one of a mark on.
  void put(uint64_t byte) {
    const uint8_t b = static_cast<uint8_t>(byte);
    sent_.push_back(b);
    crc_ = oct_crc_bytes(16, crc_, &b, 1);
  }

  // Byte i of the mark under way (docs/shadow-format.md, section 2).
  uint8_t mark_byte(unsigned i) {
    if (i == 0) {
      check_ = oct_mark_check(crc_, in_.mark);
      crc_ = 0;
    }
    if (i < OCT_MARK_ONES) return 0xff;
    if (i == OCT_MARK_ONES) return static_cast<uint8_t>(in_.mark << 1);
    const struct {
      uint64_t value;
      unsigned bytes;
    } fields[] = {{check_, cfg_.check ? OCT_MARK_CHECK_BYTES : 0u},
                  {number_, OCT_MARK_NUMBER_BYTES},
                  {task_, oct_mark_task_bytes(&cfg_)},
                  {lost_insns_, OCT_MARK_NUMBER_BYTES},
                  {lost_accesses_, OCT_MARK_NUMBER_BYTES}};
    i -= OCT_MARK_ONES + 1;
    for (const auto &field : fields) {
      if (i < field.bytes) return field.value >> 7 * i & 0x7f;
      i -= field.bytes;
    }
    return 0;
  }

  oct_shadow_config cfg_;
  oct_shadow_tail tail_;
  oct_tail_in in_ = {};
  std::deque<uint8_t> sent_;  // that have not crossed the bus
  uint32_t crc_ = 0, check_ = 0, bytes_ = 0, divider_ = 1, mark_percent_ = 50;
  unsigned n_bytes_ = 0;
  uint64_t number_ = 0, task_ = 0, lost_insns_ = 0, lost_accesses_ = 0;
  bool was_clocked_ = true;
};

OCT_SHADOW_TWIN_MAIN(Stage)
