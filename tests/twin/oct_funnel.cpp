// SPDX-License-Identifier: Apache-2.0
// oct_funnel - twin test: random sources (oct_random_sources.h) with numbers that change and
// triggers, a receiver that stalls and asks for flushes, a bus that does not run in every cycle.
// And beside the twin: each source's beats arrive in order, each under its number, a beat that is
// offered stays, none waits longer than its turn takes, and behind a flush all that was offered
// before it has arrived.

// verilate: SOURCES=3 HOLD=4
#include <deque>

#include "oct_random_sources.h"

class Stage {
 public:
  explicit Stage(const oct_config &) { oct_funnel_init(&funnel_, N, HOLD); }

  void cycle(Dut &dut, Stimulus &r) {
    oct_funnel next = funnel_;
    oct_funnel_out out;
    // Nothing changes behind a cycle without the bus.
    if (runs_) {
      ready_ = r.ready() || r.percent(30);
      if (!flush_ && r.below(is_first_ ? 2 : 300) == 0) flush_ = true;
      is_first_ = false;
      const uint32_t offers = sources_.next(r);
      for (unsigned i = 0; i < N; i++)
        if (offers >> i & 1) sent_[i].push_back(sources_.at[i]);
    }
    runs_ = r.percent(80);
    sources_.drive(dut.top->s_atvalid_i, dut.top->s_atdata_i, dut.top->s_atbytes_i,
                   dut.top->s_atid_i, dut.top->s_afready_i);
    dut.top->atclken_i = runs_;
    dut.top->atready_i = ready_;
    dut.top->afvalid_i = flush_;
    dut.top->syncreq_i = r.percent(10);
    dut.settle();
    oct_funnel_cycle(&next, sources_.at, ready_, flush_, &out);
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
  enum { N = OCT_OWN_SOURCES, HOLD = OCT_OWN_HOLD };

  void move(Dut &dut, const oct_funnel &next, const oct_funnel_out &out) {
    funnel_ = next;
    const oct_atb_source &bus = out.bus;
    if (is_offered_) {
      dut.compare("beat that stays", 1, bus.atvalid);
      dut.compare("its data", offered_.atdata, bus.atdata);
      dut.compare("its number", offered_.atid, bus.atid);
    }
    is_offered_ = bus.atvalid && !ready_;
    offered_ = bus;
    if (bus.atvalid && ready_) {
      unsigned from = 0;
      while (from < N && out.atready != 1u << from) from++;
      dut.compare("beat of a source", 1, from < N && !sent_[from].empty());
      dut.compare("number of the source", sent_[from].front().atid, bus.atid);
      dut.compare("data of the source", sent_[from].front().atdata, bus.atdata);
      dut.compare("bytes of the source", sent_[from].front().atbytes, bus.atbytes);
      sent_[from].pop_front();
    }
    for (unsigned i = 0; i < N; i++) {
      const bool may = sources_.at[i].atvalid && !(flush_ && !(out.afvalid >> i & 1));
      const bool goes = out.atready >> i & 1;
      waits_[i] = may && !goes ? waits_[i] + (bus.atvalid && ready_) : 0;
      dut.compare("turn of a source", 1, waits_[i] <= (N - 1) * HOLD);
    }
    sources_.end(out.atready, out.afvalid);
    if (!bus.afready) return;
    dut.compare("answer with a beat", 0, bus.atvalid);
    // What a source has now was offered behind its answer.
    for (unsigned i = 0; i < N; i++)
      dut.compare("all before the flush", 1, sent_[i].size() <= sources_.at[i].atvalid);
    flush_ = false;
  }

  oct_funnel funnel_;
  RandomSources sources_;
  oct_atb_source offered_ = {};
  std::deque<oct_atb_source> sent_[N];
  unsigned waits_[N] = {};
  bool is_first_ = true;  // cycle behind a reset
  bool flush_ = false, ready_ = false, runs_ = true, is_offered_ = false;
};

OCT_TWIN_MAIN(Stage)
