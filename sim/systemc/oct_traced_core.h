// SPDX-License-Identifier: Apache-2.0
// oct_traced_core.h - stands for the core: plays a trace into the compressor's core interface, asks
// for a flush at its end, and notifies done_event when the pins have sent all.
#ifndef OCT_TRACED_CORE_H
#define OCT_TRACED_CORE_H

#include <cstring>
#include <string>

#include "oct_signals.h"
#include "oct_trace.h"

SC_MODULE(OctTracedCore) {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_in<bool> afready_i{"afready_i"}, port_valid_i{"port_valid_i"};
#define OCT_X(type, port, member) sc_core::sc_out<type> port{#port};
  OCT_CORE_INPUTS(OCT_X)
  OCT_CODE_INPUTS(OCT_X)
#undef OCT_X

  SC_HAS_PROCESS(OctTracedCore);
  OctTracedCore(sc_core::sc_module_name module_name, TracePlayer & trace)
      : sc_module(module_name), trace_(trace) {
    SC_METHOD(cycle);
    sensitive << clk_i.pos();
    dont_initialize();
  }

  bool is_done() const {
    return state_ == State::Done;
  }
  uint64_t cycles() const {
    return cycles_;
  }
  const std::string &error() const {
    return error_;
  }
  int code() const {
    return code_;
  }

 private:
  enum class State { Play, Flush, End, Done };
  // More than the largest buffers need over one pin.
  static constexpr uint64_t ENDING_CYCLES_MAX = 100000;

  void cycle() {
    oct_pins_in in = {};
    if (!rst_ni.read() || state_ == State::Done) return;
    if (state_ == State::Play) {
      oct_diag diag = {};
      code_ = trace_.next(&in, &diag);
      if (code_ < 0) return stop(oct_diag_line(&diag).text);
      if (code_ == 0) {
        trace_.idle(&in);
        state_ = State::Flush;
      }
    } else {
      trace_.idle(&in);
      ending_cycles_ += !in.port_stall;
      if (ending_cycles_ > ENDING_CYCLES_MAX) {
        code_ = OCT_ERR_MISMATCH;
        return stop("the compressor does not end its flush");
      }
      if (state_ == State::Flush && afready_i.read())
        state_ = State::End;
      else if (state_ == State::End && !port_valid_i.read() && !was_stalled_)
        return stop("");
      in.end = state_ == State::End;
      was_stalled_ = in.port_stall || !was_ending_;
      was_ending_ = in.end;
    }
    in.afvalid = state_ == State::Flush;
    drive(in);
    cycles_++;
  }

  void drive(const oct_pins_in &in) {
#define OCT_X(type, port, member) port = static_cast<type>(in.member);
    OCT_CORE_INPUTS(OCT_X)
    OCT_CODE_INPUTS(OCT_X)
#undef OCT_X
  }

  void stop(const char *error) {
    error_ = error;
    state_ = State::Done;
    done_event.notify(sc_core::SC_ZERO_TIME);
  }

 public:
  sc_core::sc_event done_event;

 private:
  TracePlayer &trace_;
  State state_ = State::Play;
  bool was_stalled_ = true, was_ending_ = false; /* in the cycle that the outputs belong to */
  uint64_t cycles_ = 0, ending_cycles_ = 0;
  int code_ = 0;
  std::string error_;
};

#endif
