// SPDX-License-Identifier: Apache-2.0
// oct_signals.h - the ports of oct_top as SystemC signals: one list, from which the C model's
// wrapper, the traced core, the probe and the wiring are made. A core integrator connects these.
//
// Types are those that Verilator gives: bool for one bit, uint32_t up to 32 bits, uint64_t up
// to 64.
#ifndef OCT_SIGNALS_H
#define OCT_SIGNALS_H

#include <cstdint>
#include <type_traits>

#include <systemc>

#ifndef OCT_ADDR_BITS
#define OCT_ADDR_BITS 32
#endif
#ifndef OCT_PORT_PINS
#define OCT_PORT_PINS 16
#endif

using oct_addr_t = std::conditional_t<(OCT_ADDR_BITS > 32), uint64_t, uint32_t>;
using oct_pins_t = std::conditional_t<(OCT_PORT_PINS > 1), uint32_t, bool>;
using oct_task_t = std::conditional_t<(OCT_TASK_BITS > 1), uint32_t, bool>;

// X(type, name): the core's side, the debugger's, the bus and port, as rtl/oct_top.v has them.
#define OCT_CORE_INPUTS(X)       \
  X(bool, insn_valid_i)          \
  X(oct_addr_t, insn_addr_i)     \
  X(uint32_t, insn_size_bytes_i) \
  X(oct_task_t, task_i)          \
  X(bool, da_valid_i)            \
  X(bool, da_end_i)              \
  X(oct_addr_t, da_addr_i)       \
  X(bool, afvalid_i)             \
  X(bool, port_stall_i)          \
  X(bool, end_i)
#define OCT_APB_INPUTS(X) \
  X(bool, psel_i)         \
  X(bool, penable_i)      \
  X(bool, pwrite_i)       \
  X(uint32_t, paddr_i)    \
  X(uint32_t, pwdata_i)
#define OCT_APB_OUTPUTS(X) \
  X(uint32_t, prdata_o)    \
  X(bool, pready_o)        \
  X(bool, pslverr_o)
#define OCT_TRACE_OUTPUTS(X) \
  X(bool, atvalid_o)         \
  X(bool, atready_o)         \
  X(uint32_t, atdata_o)      \
  X(uint32_t, atbytes_o)     \
  X(uint32_t, atid_o)        \
  X(bool, afready_o)         \
  X(bool, port_valid_o)      \
  X(oct_pins_t, port_data_o)
#define OCT_INPUTS(X) OCT_CORE_INPUTS(X) OCT_APB_INPUTS(X)
#define OCT_OUTPUTS(X) OCT_APB_OUTPUTS(X) OCT_TRACE_OUTPUTS(X)

// One compressor's signals.
struct OctSignals {
#define OCT_X(type, name) sc_core::sc_signal<type> name{#name};
  OCT_INPUTS(OCT_X)
  OCT_OUTPUTS(OCT_X)
#undef OCT_X
};

// Connect a module that has all ports of oct_top: inputs from one set of signals, outputs to
// another (two compressors can share the inputs).
template <class Top>
void oct_bind(Top &top, OctSignals &inputs, OctSignals &outputs) {
#define OCT_X(type, name) top.name(inputs.name);
  OCT_INPUTS(OCT_X)
#undef OCT_X
#define OCT_X(type, name) top.name(outputs.name);
  OCT_OUTPUTS(OCT_X)
#undef OCT_X
}

#endif
