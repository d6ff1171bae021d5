// SPDX-License-Identifier: Apache-2.0
// oct_formatter - twin test: three sources with beats of 1 to 4 bytes, a receiver that stalls,
// flushes that the sources answer late, and go on behind their answer. And what leaves is taken out
// of its frames again: each source's bytes have to come back, in order, and by the end of a flush
// all that were sent before the source's answer. At times one source sends alone, so that its
// number has to come again: of REPEAT_FRAMES frames in a row one has a number, and no more than are
// due.

// verilate: SOURCES=3 HOLD=4 REPEAT_FRAMES=3
#include <deque>

#include "oct_twin.h"

extern "C" {
#include "oct_atb_formatter.h"
#include "oct_unframe.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &) { oct_atb_formatter_init(&formatter_, N, 4, REPEAT_FRAMES); }

  void cycle(Dut &dut, Stimulus &r) {
    oct_atb_formatter_out out;
    const bool ready = r.ready() || r.percent(30);
    if (r.below(3000) == 0) busy_ = 5 + r.below(95);
    if (r.below(400) == 0) alone_ = r.below(2 * N);
    if (!flush_ && r.below(300) == 0) flush_ = true;
    for (unsigned i = 0; i < N; i++) next_beat(r, i);
    for (unsigned i = 0; i < N; i++) drive(dut, i);
    dut.top->flush_i = flush_;
    dut.top->ready_i = ready;
    dut.settle();
    oct_atb_formatter_cycle(&formatter_, sources_, flush_, ready, &out);
    dut.compare("atready_o", out.atready, dut.top->atready_o);
    dut.compare("afvalid_o", out.afvalid, dut.top->afvalid_o);
    dut.compare("flush_done_o", out.flush_done, dut.top->flush_done_o);
    dut.compare("valid_o", out.valid, dut.top->valid_o);
    if (out.valid) dut.compare("data_o", out.data, dut.top->data_o);
    if (out.valid && ready) take(dut, out.data);
    for (unsigned i = 0; i < N; i++) {
      asked_[i] = out.afvalid >> i & 1 && !sources_[i].afready;
      if (!(out.atready >> i & 1)) continue;
      for (unsigned k = 0; k <= sources_[i].atbytes; k++)
        sent_[i].push_back(static_cast<uint8_t>(sources_[i].atdata >> 8 * k));
      n_sent_[i] += sources_[i].atbytes + 1u;
      sources_[i].atvalid = false;
    }
    if (out.flush_done) {
      for (unsigned i = 0; i < N; i++)
        dut.compare("all that was sent before the flush", 1,
                    n_sent_[i] - sent_[i].size() >= due_[i]);
      flush_ = false;
      last_id_ = 0;  // all numbers are told again
    }
  }

 private:
  enum { N = 3, REPEAT_FRAMES = 3 };

  // A source that has been asked for a flush answers once it has no beat left.
  void next_beat(Stimulus &r, unsigned i) {
    oct_atb_source *s = &sources_[i];
    s->afready = false;
    if (s->atvalid) return;
    if (asked_[i]) {
      s->afready = r.percent(30);
      if (s->afready) due_[i] = n_sent_[i];
    } else if (r.percent(busy_) && (alone_ >= N || alone_ == i)) {
      s->atvalid = true;
      s->atbytes = static_cast<uint8_t>(r.below(4));
      s->atid = static_cast<uint8_t>(i * 0x2a + 1);
      s->atdata = static_cast<uint32_t>(r.bits());
    }
  }

  void drive(Dut &dut, unsigned i) {
    const oct_atb_source &s = sources_[i];
    set_port_bits(dut.top->atvalid_i, i, 1, s.atvalid);
    set_port_bits(dut.top->atdata_i, 32 * i, 32, s.atdata);
    set_port_bits(dut.top->atbytes_i, 2 * i, 2, s.atbytes);
    set_port_bits(dut.top->atid_i, 7 * i, 7, s.atid);
    set_port_bits(dut.top->afready_i, i, 1, s.afready);
  }

  void take(Dut &dut, uint32_t word) {
    for (unsigned k = 0; k < 4; k += 2) {
      if (!(word >> 8 * k & 1)) continue;
      const unsigned id = word >> (8 * k + 1) & 0x7f;
      if (id && id == last_id_)
        dut.compare("frames from a number to the same again", REPEAT_FRAMES, quiet_frames_ + 1);
      last_id_ = id;
      is_told_ = true;
    }
    if (++words_ % 4 == 0) {
      quiet_frames_ = is_told_ ? 0 : quiet_frames_ + 1;
      is_told_ = false;
      dut.compare("a number in each REPEAT_FRAMES frames", 1, quiet_frames_ < REPEAT_FRAMES);
    }
    for (unsigned k = 0; k < 4; k++) {
      oct_unframed carried[OCT_UNFRAMED_MAX];
      const int n = oct_unframe_put(&unframe_, static_cast<uint8_t>(word >> 8 * k), carried);
      dut.compare("a frame without a fault", 1, n >= 0);
      for (int i = 0; i < n; i++) expect(dut, carried[i].source, carried[i].byte);
    }
  }
  void expect(Dut &dut, unsigned id, unsigned byte) {
    std::deque<uint8_t> *sent = &sent_[(id - 1) / 0x2a % N];
    dut.compare("bytes of a source", 1, !sent->empty());
    if (sent->empty()) return;
    dut.compare("byte of a source", sent->front(), byte);
    sent->pop_front();
  }

  oct_atb_formatter formatter_;
  oct_atb_source sources_[N] = {};
  std::deque<uint8_t> sent_[N];
  uint64_t n_sent_[N] = {}, due_[N] = {};  // bytes; due: before the answer to the flush
  bool asked_[N] = {}, flush_ = false;
  oct_unframe unframe_ = {};
  uint32_t busy_ = 50, alone_ = N;  // the one source that sends; N on: all
  uint32_t words_ = 0, last_id_ = 0, quiet_frames_ = 0;
  bool is_told_ = false;
};

OCT_TWIN_MAIN(Stage)
