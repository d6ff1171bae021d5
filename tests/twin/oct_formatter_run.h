// SPDX-License-Identifier: Apache-2.0
// oct_formatter_run.h - oct_formatter with random sources, and what has to come out of its frames.
//
// The receiver stalls, and asks for flushes, often or seldom. The bytes of all sources have to come
// out of the frames again, each under its number, in the order in which the formatter took them,
// and by the end of a flush all that it took before the last source's answer. While one source
// sends alone its number has to come again: of REPEAT_FRAMES frames in a row one has a number, and
// no more than are due.
//
// Unframe takes the bytes of frames: template <class Give> bool put(uint8_t, Give), false at a
// fault, gives (number, byte) of what they carry, but of triggers only where GIVES_TRIGGERS is
// true.
#ifndef OCT_FORMATTER_RUN_H
#define OCT_FORMATTER_RUN_H

#include <deque>

#include "oct_random_sources.h"

// What the formatter took, and has not come out of the frames.
class TakenBytes {
 public:
  void put(const oct_atb_source &s) {
    for (unsigned k = 0; k <= s.atbytes; k++) {
      bytes_.push_back({s.atid, static_cast<uint8_t>(s.atdata >> 8 * k)});
      n_taken_++;
    }
  }
  void drop(unsigned id) {
    while (!bytes_.empty() && bytes_.front().id == id) bytes_.pop_front();
  }
  void expect(Dut &dut, unsigned id, unsigned byte) {
    dut.compare("byte of a source", 1, !bytes_.empty());
    if (bytes_.empty()) return;
    dut.compare("its source", bytes_.front().id, id);
    dut.compare("the byte", bytes_.front().byte, byte);
    bytes_.pop_front();
  }
  void answer() { due_ = n_taken_; }
  void flush_done(Dut &dut) {
    dut.compare("all that was taken before the answers", 1, n_taken_ - bytes_.size() >= due_);
  }

 private:
  struct Byte {
    uint8_t id, byte;
  };
  std::deque<Byte> bytes_;
  uint64_t n_taken_ = 0, due_ = 0;
};

// A cycle is begin(), which lets the outputs settle, and end(), which looks at them.
template <class Unframe>
class FormatterRun {
 protected:
  enum { N = OCT_OWN_SOURCES, REPEAT_FRAMES = OCT_OWN_REPEAT_FRAMES };

  void begin(Dut &dut, Stimulus &r) {
    static const uint32_t pauses[] = {100, 1000, 20000};
    if (r.below(3000) == 0) flush_pause_ = pauses[r.below(3)];
    ready_ = r.ready() || r.percent(30);
    if (!flush_ && r.below(is_first_ ? 2 : flush_pause_) == 0) flush_ = true;
    is_first_ = false;
    sources_.next(r);
    sources_.drive(dut.top->atvalid_i, dut.top->atdata_i, dut.top->atbytes_i, dut.top->atid_i,
                   dut.top->afready_i);
    dut.top->flush_i = flush_;
    dut.top->ready_i = ready_;
    dut.settle();
  }

  void end(Dut &dut) {
    if (dut.top->valid_o && ready_) take(dut, dut.top->data_o);
    for (unsigned i = 0; i < N; i++) {
      if (dut.top->atready_o >> i & 1) taken_.put(sources_.at[i]);
      if (sources_.at[i].afready) taken_.answer();
    }
    sources_.end(dut.top->atready_o, dut.top->afvalid_o);
    if (!dut.top->flush_done_o) return;
    if (!Unframe::GIVES_TRIGGERS) taken_.drop(RandomSources::TRIGGER);
    taken_.flush_done(dut);
    flush_ = false;
    last_id_ = 0;  // all numbers are told again
  }

  RandomSources sources_;
  bool flush_ = false, ready_ = false;

 private:
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
      const bool is_good =
          unframe_.put(static_cast<uint8_t>(word >> 8 * k), [&](unsigned id, unsigned byte) {
            if (!Unframe::GIVES_TRIGGERS) taken_.drop(RandomSources::TRIGGER);
            taken_.expect(dut, id, byte);
          });
      dut.compare("a frame without a fault", 1, is_good);
    }
  }

  TakenBytes taken_;
  Unframe unframe_;
  bool is_first_ = true;  // cycle behind a reset
  bool is_told_ = false;
  uint32_t flush_pause_ = 300;  // cycles between flushes, about
  uint32_t words_ = 0, last_id_ = 0, quiet_frames_ = 0;
};

#endif
