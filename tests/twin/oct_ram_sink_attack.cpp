// SPDX-License-Identifier: Apache-2.0
// oct_ram_sink_attack - is any word or count of bytes that the debugger reads wrong, with resets,
// triggers, a full RAM, flushes, new starts and reads while it writes? Is a flush done when it is
// said to be?
//
// The reference keeps the bytes of the bus in a list, and knows of the RAM only which word stands
// where. It has nothing of the twin in C.

// verilate: DEPTH_WORDS=8
#include <vector>

#include "oct_twin.h"

class Stage {
 public:
  explicit Stage(const oct_config &) {}
  // A reset leaves the RAM as it is.
  void restart() { start(); }

  void cycle(Dut &dut, Stimulus &r) {
    const bool valid = r.valid(), trigger = r.below(300) == 0, afready = r.percent(20);
    const unsigned n_bytes = 1 + r.below(4);
    const uint32_t data = static_cast<uint32_t>(r.bits());
    if (penable_ || !psel_)
      next_access(r);
    else
      penable_ = true;
    dut.top->atvalid_i = valid;
    dut.top->atbytes_i = n_bytes - 1;
    dut.top->atdata_i = data;
    dut.top->trigger_i = trigger;
    dut.top->afready_i = afready;
    dut.top->psel_i = psel_;
    dut.top->penable_i = penable_;
    dut.top->pwrite_i = write_;
    dut.top->paddr_i = addr_;
    dut.top->pwdata_i = wdata_;
    dut.settle();
    dut.compare("atready_o", 1, dut.top->atready_o);
    dut.compare("afvalid_o", flushes_, dut.top->afvalid_o);
    const bool reads = psel_ && penable_ && !write_, writes = psel_ && penable_ && write_;
    if (reads) check(dut, dut.top->prdata_o);
    before_ = ram_;
    if (ended_ && !stopped_) finish();
    // Words behind the trigger's own cycle count, and no more than TRG of them are kept.
    bool cuts = false;
    if (enabled_ && !ended_ && valid) {
      for (unsigned i = 0; i < n_bytes; i++) rest_.push_back(data >> 8 * i & 255);
      if (rest_.size() >= 4) {
        cuts = put_word(4) || (triggered_ && ++behind_ == countdown_);
        if (cuts) rest_.clear();
      }
    }
    if (cuts || (writes && addr_ == CTL && !(wdata_ & 1))) ended_ = true;
    if (trigger && !triggered_) {
      triggered_ = true;
      countdown_ = trg_;
      behind_ = 0;
      if (!trg_) ended_ = true;
    }
    if (flushes_ && afready) {
      flushes_ = false;
      if (stop_on_flush_) ended_ = true;
    }
    if (writes) take_write();
    if (reads && addr_ == RRD) read_at_ = (read_at_ + 1) % DEPTH;
  }

 private:
  enum : uint32_t { DEPTH = 8 };
  enum : uint16_t {
    RDP = 0x04,
    STS = 0x0c,
    RRD = 0x10,
    RRP = 0x14,
    RWP = 0x18,
    TRG = 0x1c,
    CTL = 0x20,
    FFSR = 0x300,
    FFCR = 0x304
  };
  struct Word {
    bool is_known = false;
    uint32_t value = 0;
  };

  void start() { *this = Stage(ram_); }
  explicit Stage(const std::vector<Word> &ram) : ram_(ram), before_(ram) {}

  void next_access(Stimulus &r) {
    static const uint16_t registers[] = {RDP, STS, RRD, RRD, RRD, RRP, RWP, TRG, CTL, FFSR, FFCR};
    psel_ = r.percent(60);
    penable_ = !psel_ && r.percent(50);  // another component's access
    write_ = r.percent(15);
    addr_ = registers[r.below(sizeof registers / sizeof *registers)];
    wdata_ = r.below(addr_ == TRG ? 12 : addr_ == CTL ? 4 : DEPTH);
    if (addr_ == FFCR) wdata_ = r.below(2) << 6 | r.below(2) << 12;
    // Capture goes on for a while.
    if (write_ && addr_ == CTL && r.percent(50)) wdata_ |= 1;
  }
  // What fills no word is written in the cycle behind the end.
  void finish() {
    stopped_ = true;
    if (rest_.empty()) return;
    last_bytes_ = static_cast<unsigned>(rest_.size());
    put_word(last_bytes_);
  }
  // The oldest bytes into the next word; whether the RAM is full by that, and stops.
  bool put_word(size_t n) {
    Word word;
    word.is_known = true;
    for (size_t i = 0; i < n; i++) word.value |= static_cast<uint32_t>(rest_[i]) << 8 * i;
    rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(n));
    ram_[n_words_ % DEPTH] = word;
    return ++n_words_ % DEPTH == 0 && stop_when_full_ && n == 4;
  }
  void check(Dut &dut, uint32_t value) const {
    const uint32_t at = static_cast<uint32_t>(n_words_ % DEPTH);
    switch (addr_) {
      case RDP:
        return dut.compare("RDP", DEPTH, value);
      case STS:
        return dut.compare(
            "STS", (last_bytes_ - 1) << 8 | stopped_ << 2 | triggered_ << 1 | (n_words_ >= DEPTH),
            value);
      case RRD:  // as it was a cycle before
        if (before_[read_at_].is_known) dut.compare("RRD", before_[read_at_].value, value);
        return;
      case RRP:
        return dut.compare("RRP", read_at_, value);
      case RWP:
        return dut.compare("RWP", at, value);
      case TRG:
        return dut.compare("TRG", trg_, value);
      case FFSR:
        return dut.compare("FFSR", stopped_ << 1 | flushes_, value);
      case FFCR:
        return dut.compare("FFCR", stop_on_flush_ << 12 | flushes_ << 6, value);
      default:
        return dut.compare("CTL", stop_when_full_ << 1 | enabled_, value);
    }
  }
  void take_write() {
    if (addr_ == TRG) trg_ = wdata_;
    if (addr_ == RRP) read_at_ = wdata_ % DEPTH;
    if (addr_ == FFCR) {
      flushes_ = flushes_ || (wdata_ >> 6 & 1);
      stop_on_flush_ = wdata_ >> 12 & 1;
    }
    if (addr_ != CTL) return;
    const bool begins = (wdata_ & 1) && !enabled_;
    enabled_ = wdata_ & 1;
    stop_when_full_ = wdata_ >> 1 & 1;
    if (!begins) return;
    stopped_ = ended_ = triggered_ = false;
    n_words_ = 0;
    rest_.clear();
    last_bytes_ = 4;
  }

  std::vector<Word> ram_ = std::vector<Word>(DEPTH), before_ = ram_;
  std::vector<uint8_t> rest_;  // bytes that fill no word yet
  uint64_t n_words_ = 0;       // since the start
  unsigned last_bytes_ = 4;
  bool enabled_ = true, stop_when_full_ = false, ended_ = false, stopped_ = false,
       triggered_ = false, flushes_ = false, stop_on_flush_ = false;
  uint32_t countdown_ = 0, behind_ = 0, trg_ = 0, read_at_ = 0;
  bool psel_ = false, penable_ = false, write_ = false;
  uint16_t addr_ = 0;
  uint32_t wdata_ = 0;
};

OCT_TWIN_MAIN(Stage)
