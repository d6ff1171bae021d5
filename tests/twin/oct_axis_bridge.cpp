// SPDX-License-Identifier: Apache-2.0
// oct_axis_bridge - twin test: beats of 1 to 4 bytes of changing sources, flushes, a receiver that
// stalls. And beside the twin: a transfer that is offered stays, each beat's bytes arrive once and
// in order, no packet is longer than it may be, and behind a flush none is left open.

// verilate: PACKET_BEATS=5
#include <deque>

#include "oct_twin.h"

extern "C" {
#include "oct_axis_bridge.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &) { oct_axis_bridge_init(&bridge_, PACKET_BEATS); }

  void cycle(Dut &dut, Stimulus &r) {
    oct_axis_bridge_out out;
    next_source(r);
    const bool ready = r.ready();
    dut.top->atvalid_i = source_.atvalid;
    dut.top->atdata_i = source_.atdata;
    dut.top->atbytes_i = source_.atbytes;
    dut.top->atid_i = source_.atid;
    dut.top->afvalid_i = flush_;
    dut.top->afready_i = source_.afready;
    dut.top->tready_i = ready;
    dut.settle();
    oct_axis_bridge_cycle(&bridge_, &source_, flush_, ready, &out);
    dut.compare("atready_o", out.atready, dut.top->atready_o);
    dut.compare("tvalid_o", out.tvalid, dut.top->tvalid_o);
    if (out.tvalid) {
      dut.compare("tdata_o", out.tdata, dut.top->tdata_o);
      dut.compare("tkeep_o", out.tkeep, dut.top->tkeep_o);
      dut.compare("tlast_o", out.tlast, dut.top->tlast_o);
      dut.compare("tid_o", out.tid, dut.top->tid_o);
    }
    check_stream(dut, out, ready);
    if (source_.atvalid && out.atready) source_.atvalid = false;
    if (flush_ && source_.afready) {
      flush_ = false;
      is_flushed_ = n_open_ != 0;
    }
  }

 private:
  enum { PACKET_BEATS = 5 };

  // A source answers a flush in a cycle without a beat. Beats may follow at once, and flushes too.
  // Without a beat the bus has anything, and one that has no power answers what no one asked for.
  void next_source(Stimulus &r) {
    source_.afready = false;
    if (!flush_) flush_ = r.below(20) == 0;
    if (source_.atvalid) return;
    source_.atid = static_cast<uint8_t>(r.below(128));
    if (r.percent(flush_ ? 50 : 2)) {
      source_.afready = true;
    } else if (r.valid()) {
      source_.atvalid = true;
      source_.atbytes = static_cast<uint8_t>(r.below(4));
      source_.atid = static_cast<uint8_t>(1 + r.below(3));
      source_.atdata = static_cast<uint32_t>(r.bits());
      for (unsigned i = 0; i <= source_.atbytes; i++)
        sent_.push_back({source_.atid, static_cast<uint8_t>(source_.atdata >> 8 * i)});
    }
  }

  void check_stream(Dut &dut, const oct_axis_bridge_out &out, bool ready) {
    if (is_offered_) {
      dut.compare("transfer that stays", 1, out.tvalid);
      dut.compare("its data", offered_.tdata, out.tdata);
      dut.compare("its bytes", offered_.tkeep, out.tkeep);
      dut.compare("its end", offered_.tlast, out.tlast);
      dut.compare("its source", offered_.tid, out.tid);
    }
    is_offered_ = out.tvalid && !ready;
    offered_ = out;
    if (!out.tvalid || !ready) return;
    for (unsigned i = 0; i < 4 && out.tkeep >> i & 1; i++) {
      const uint8_t byte = static_cast<uint8_t>(out.tdata >> 8 * i);
      dut.compare("byte of a source", 1, !sent_.empty());
      if (sent_.empty()) return;
      dut.compare("its number", sent_.front().id, out.tid);
      dut.compare("its value", sent_.front().byte, byte);
      sent_.pop_front();
    }
    if (is_flushed_) dut.compare("end behind a flush", 1, out.tlast && !out.tkeep);
    is_flushed_ = false;
    n_open_ = out.tlast ? 0 : n_open_ + 1;
    dut.compare("beats of a packet", 1, n_open_ < PACKET_BEATS);
  }

  struct Byte {
    uint8_t id, byte;
  };
  oct_axis_bridge bridge_;
  oct_atb_source source_ = {};
  oct_axis_bridge_out offered_ = {};
  std::deque<Byte> sent_;
  unsigned n_open_ = 0;  // transfers of the packet that has no end yet
  bool flush_ = false, is_offered_ = false, is_flushed_ = false;
};

OCT_TWIN_MAIN(Stage)
