// SPDX-License-Identifier: Apache-2.0
// oct_ports.h - the ports of a tracer's top module, such as rtl/paper/oct_top.v, in terms of
// include/octrace/tracer.h, and when two machines differ.
//
// X(type, port, member): of oct_pins_in or oct_pins_out. Types are those that Verilator gives in
// SystemC: bool for one bit, uint32_t up to 32 bits, uint64_t up to 64; those that depend on the
// geometry are defined in systemc/oct_signals.h. A module may lack those of OCT_CODE_INPUTS; a
// compressor without a trace port lacks those of OCT_PORT_INPUTS and OCT_PORT_OUTPUTS.
#ifndef OCT_PORTS_H
#define OCT_PORTS_H

extern "C" {
#include "oct_mask.h"
#include "octrace/tracer.h"
}

#define OCT_RETIRE_INPUTS(X)                             \
  X(bool, insn_valid_i, retire.insn_valid)               \
  X(oct_addr_t, insn_addr_i, retire.insn_addr)           \
  X(uint32_t, insn_size_bytes_i, retire.insn_size_bytes) \
  X(oct_task_t, task_i, retire.task)                     \
  X(bool, da_valid_i, retire.da_valid)                   \
  X(bool, da_end_i, retire.da_end)                       \
  X(oct_addr_t, da_addr_i, retire.da_addr)               \
  X(bool, afvalid_i, afvalid)
#define OCT_PORT_INPUTS(X)          \
  X(bool, port_stall_i, port_stall) \
  X(bool, end_i, end)
#define OCT_CORE_INPUTS(X) OCT_RETIRE_INPUTS(X) OCT_PORT_INPUTS(X)
#define OCT_CODE_INPUTS(X)                               \
  X(uint32_t, priv_i, retire.priv)                       \
  X(uint32_t, trigger_i, retire.trigger)                 \
  X(bool, trap_valid_i, retire.trap_valid)               \
  X(uint32_t, trap_kind_i, retire.trap_kind)             \
  X(uint32_t, trap_privilege_i, retire.trap_privilege)   \
  X(oct_cause_t, trap_cause_i, retire.trap_cause)        \
  X(oct_addr_t, trap_addr_i, retire.trap_addr)           \
  X(oct_addr_t, trap_tval_i, retire.trap_tval)           \
  X(bool, core_error_i, retire.core_error)               \
  X(uint64_t, time_i, retire.time)                       \
  X(uint32_t, insn_class_i, retire.insn_class)           \
  X(uint32_t, insn_word_i, retire.insn_word)             \
  X(bool, insn_word_valid_i, retire.insn_word_valid)     \
  X(bool, lead_valid_i, retire.lead_valid)               \
  X(oct_addr_t, lead_addr_i, retire.lead_addr)           \
  X(uint32_t, lead_size_bytes_i, retire.lead_size_bytes) \
  X(uint32_t, lead_word_i, retire.lead_word)             \
  X(bool, lead_word_valid_i, retire.lead_word_valid)
#define OCT_APB_INPUTS(X)         \
  X(bool, psel_i, apb.psel)       \
  X(bool, penable_i, apb.penable) \
  X(bool, pwrite_i, apb.pwrite)   \
  X(uint32_t, paddr_i, apb.paddr) \
  X(uint32_t, pwdata_i, apb.pwdata)
#define OCT_APB_OUTPUTS(X)          \
  X(uint32_t, prdata_o, apb.prdata) \
  X(bool, pready_o, apb.pready)     \
  X(bool, pslverr_o, apb.pslverr)
#define OCT_BUS_OUTPUTS(X)        \
  X(bool, atvalid_o, atvalid)     \
  X(uint32_t, atdata_o, atdata)   \
  X(uint32_t, atbytes_o, atbytes) \
  X(uint32_t, atid_o, atid)       \
  X(bool, afready_o, afready)
#define OCT_PORT_OUTPUTS(X)         \
  X(bool, atready_o, atready)       \
  X(bool, port_valid_o, port.valid) \
  X(oct_pins_t, port_data_o, port.data)
#define OCT_TRACE_OUTPUTS(X) OCT_BUS_OUTPUTS(X) OCT_PORT_OUTPUTS(X)
#define OCT_INPUTS(X) OCT_CORE_INPUTS(X) OCT_CODE_INPUTS(X) OCT_APB_INPUTS(X)
#define OCT_OUTPUTS(X) OCT_TRACE_OUTPUTS(X) OCT_APB_OUTPUTS(X)

// Calls compare(port, value of the model, value of the RTL) for each output that means something in
// this cycle, as the model has it.
template <class Compare>
void oct_pins_compare(const oct_pins_out &model, oct_pins_out rtl, Compare compare) {
  oct_pins_out expected = model;
  if (!model.atvalid) {
    expected.atbytes = rtl.atbytes = 0;
    expected.atdata = rtl.atdata = 0;
  } else {
    uint32_t mask = static_cast<uint32_t>(oct_mask(8 * (model.atbytes + 1u)));
    expected.atdata &= mask;
    rtl.atdata &= mask;
  }
  if (!model.port.valid) expected.port.data = rtl.port.data = 0;
#define OCT_X(type, port, member) compare(#port, expected.member, rtl.member);
  OCT_OUTPUTS(OCT_X)
#undef OCT_X
}

#endif
