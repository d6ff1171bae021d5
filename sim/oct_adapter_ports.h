// SPDX-License-Identifier: Apache-2.0
// oct_adapter_ports.h - what an adapter (oct_rvfi, oct_riscv_ingress) gives to the compressor,
// beside its twin.
#ifndef OCT_ADAPTER_PORTS_H
#define OCT_ADAPTER_PORTS_H

extern "C" {
#include "oct_mask.h"
#include "octrace/tracer.h"
}

// Calls compare(port, value of the model, value of the RTL) for each output that means something in
// this cycle. time_bits: what its queue keeps of the time of an instruction.
template <class Top, class Compare>
void oct_adapter_compare(const oct_retire &out, const Top &top, bool with_traps, unsigned time_bits,
                         Compare compare) {
  compare("core_error_o", out.core_error, top.core_error_o);
  compare("insn_valid_o", out.insn_valid, top.insn_valid_o);
  compare("da_valid_o", out.da_valid, top.da_valid_o);
  compare("trap_valid_o", out.trap_valid, top.trap_valid_o);
  if (out.insn_valid) {
    compare("insn_addr_o", out.insn_addr, top.insn_addr_o);
    compare("insn_size_bytes_o", out.insn_size_bytes, top.insn_size_bytes_o);
    compare("insn_class_o", out.insn_class, top.insn_class_o);
    compare("insn_word_o", out.insn_word, top.insn_word_o);
    if (with_traps) compare("priv_o", out.priv, top.priv_o);
    compare("time_o", out.time & oct_mask(time_bits), top.time_o);
  }
  if (out.da_valid) {
    compare("da_end_o", out.da_end, top.da_end_o);
    if (!out.da_end) compare("da_addr_o", out.da_addr, top.da_addr_o);
  }
  if (out.trap_valid) {
    compare("trap_kind_o", out.trap_kind, top.trap_kind_o);
    compare("trap_privilege_o", out.trap_privilege, top.trap_privilege_o);
    compare("trap_cause_o", out.trap_cause, top.trap_cause_o);
    compare("trap_addr_o", out.trap_addr, top.trap_addr_o);
    compare("trap_tval_o", out.trap_tval, top.trap_tval_o);
  }
}

#endif
