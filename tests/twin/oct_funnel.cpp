// SPDX-License-Identifier: Apache-2.0
// oct_funnel - twin test: sources with beats of 1 to 4 bytes, a receiver that stalls and asks
// for flushes, a bus that does not run in every cycle. And beside the twin: each source's beats
// arrive in order under its number, a beat that is offered stays, none waits longer than its turn
// takes, and behind a flush all that was offered before it has arrived.

// verilate: SOURCES=3 HOLD=4
#include <deque>

#include "oct_twin.h"

extern "C" {
#include "oct_funnel.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &) { oct_funnel_init(&funnel_, N, HOLD); }

  void cycle(Dut &dut, Stimulus &r) {
    oct_funnel next = funnel_;
    oct_funnel_out out;
    if (r.below(3000) == 0) busy_ = 5 + r.below(96);
    // Nothing changes behind a cycle without the bus.
    if (runs_) {
      ready_ = r.ready() || r.percent(30);
      if (!flush_ && r.below(300) == 0) flush_ = true;
      for (unsigned i = 0; i < N; i++) next_beat(r, i);
    }
    runs_ = r.percent(80);
    for (unsigned i = 0; i < N; i++) drive(dut, i);
    dut.top->atclken_i = runs_;
    dut.top->atready_i = ready_;
    dut.top->afvalid_i = flush_;
    dut.top->syncreq_i = r.percent(10);
    dut.settle();
    oct_funnel_cycle(&next, sources_, ready_, flush_, &out);
    dut.compare("s_syncreq_o", dut.top->syncreq_i ? (1u << N) - 1 : 0, dut.top->s_syncreq_o);
    dut.compare("s_atready_o", out.atready, dut.top->s_atready_o);
    dut.compare("s_afvalid_o", out.afvalid, dut.top->s_afvalid_o);
    dut.compare("atvalid_o", out.bus.atvalid, dut.top->atvalid_o);
    dut.compare("afready_o", out.bus.afready, dut.top->afready_o);
    if (out.bus.atvalid) {
      dut.compare("atbytes_o", out.bus.atbytes, dut.top->atbytes_o);
      dut.compare("atdata_o", out.bus.atdata, dut.top->atdata_o);
      dut.compare("atid_o", out.bus.atid, dut.top->atid_o);
    }
    if (runs_) move(dut, next, out);
  }

 private:
  enum { N = OCT_OWN_SOURCES, HOLD = OCT_OWN_HOLD, ID_STEP = 0x6f / N };  // ids 1 to 0x6f

  void move(Dut &dut, const oct_funnel &next, const oct_funnel_out &out) {
    funnel_ = next;
    const oct_atb_source &bus = out.bus;
    if (is_offered_) {
      dut.compare("beat that stays", 1, bus.atvalid);
      dut.compare("its data", offered_.atdata, bus.atdata);
    }
    is_offered_ = bus.atvalid && !ready_;
    offered_ = bus;
    if (bus.atvalid && ready_) {
      const unsigned from = (bus.atid - 1u) / ID_STEP;
      dut.compare("beat of a source", 1, from < N && !sent_[from].empty());
      dut.compare("data of the source", sent_[from].front(), bus.atdata);
      sent_[from].pop_front();
    }
    for (unsigned i = 0; i < N; i++) {
      const bool may = sources_[i].atvalid && !(flush_ && !(out.afvalid >> i & 1));
      const bool goes = out.atready >> i & 1;
      waits_[i] = may && !goes ? waits_[i] + (bus.atvalid && ready_) : 0;
      dut.compare("turn of a source", 1, waits_[i] <= (N - 1) * HOLD);
      asked_[i] = out.afvalid >> i & 1 && !sources_[i].afready;
      if (goes) sources_[i].atvalid = false;
    }
    if (!bus.afready) return;
    dut.compare("answer with a beat", 0, bus.atvalid);
    // What a source has now was offered behind its answer.
    for (unsigned i = 0; i < N; i++)
      dut.compare("all before the flush", 1, sent_[i].size() <= sources_[i].atvalid);
    flush_ = false;
  }

  // A source that has been asked for a flush answers once it has no beat left, and then goes on.
  void next_beat(Stimulus &r, unsigned i) {
    oct_atb_source *s = &sources_[i];
    s->afready = false;
    if (s->atvalid) return;
    if (asked_[i]) {
      s->afready = r.percent(30);
    } else if (r.percent(busy_)) {
      s->atvalid = true;
      s->atbytes = static_cast<uint8_t>(r.below(4));
      s->atid = static_cast<uint8_t>(i * ID_STEP + 1);
      s->atdata = static_cast<uint32_t>(r.bits());
      sent_[i].push_back(s->atdata);
    }
  }

  void drive(Dut &dut, unsigned i) {
    const oct_atb_source &s = sources_[i];
    set_port_bits(dut.top->s_atvalid_i, i, 1, s.atvalid);
    set_port_bits(dut.top->s_atdata_i, 32 * i, 32, s.atdata);
    set_port_bits(dut.top->s_atbytes_i, 2 * i, 2, s.atbytes);
    set_port_bits(dut.top->s_atid_i, 7 * i, 7, s.atid);
    set_port_bits(dut.top->s_afready_i, i, 1, s.afready);
  }

  oct_funnel funnel_;
  oct_atb_source sources_[N] = {}, offered_ = {};
  std::deque<uint32_t> sent_[N];
  unsigned waits_[N] = {};
  bool asked_[N] = {}, flush_ = false, ready_ = false, runs_ = true, is_offered_ = false;
  uint32_t busy_ = 50;
};

OCT_TWIN_MAIN(Stage)
