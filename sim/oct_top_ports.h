// SPDX-License-Identifier: Apache-2.0
// oct_top_ports.h - the ports of rtl/oct_top.v in terms of model/oct_top.h.
#ifndef OCT_TOP_PORTS_H
#define OCT_TOP_PORTS_H

#include "oct_dut.h"

extern "C" {
#include "oct_top.h"
}

inline void oct_top_drive(Vdut &top, const oct_top_in &in) {
  top.insn_valid_i = in.retire.insn_valid;
  top.insn_addr_i = in.retire.insn_addr;
  top.insn_size_bytes_i = in.retire.insn_size_bytes;
  top.task_i = in.retire.task;
  top.da_valid_i = in.retire.da_valid;
  top.da_end_i = in.retire.da_end;
  top.da_addr_i = in.retire.da_addr;
  top.afvalid_i = in.afvalid;
  top.psel_i = in.apb.psel;
  top.penable_i = in.apb.penable;
  top.pwrite_i = in.apb.pwrite;
  top.paddr_i = in.apb.paddr;
  top.pwdata_i = in.apb.pwdata;
  top.port_stall_i = in.port_stall;
  top.end_i = in.end;
}

inline void oct_top_compare(Dut &dut, const oct_top_out &out) {
  const Vdut &top = *dut.top;
  dut.compare("atvalid_o", out.atvalid, top.atvalid_o);
  dut.compare("atready_o", out.atready, top.atready_o);
  if (out.atvalid) {
    uint64_t mask = oct_mask(8 * (out.atbytes + 1u));
    dut.compare("atbytes_o", out.atbytes, top.atbytes_o);
    dut.compare("atdata_o", out.atdata & mask, top.atdata_o & mask);
  }
  dut.compare("atid_o", out.atid, top.atid_o);
  dut.compare("afready_o", out.afready, top.afready_o);
  dut.compare("port_valid_o", out.port.valid, top.port_valid_o);
  if (out.port.valid) dut.compare("port_data_o", out.port.data, top.port_data_o);
  dut.compare("pready_o", out.apb.pready, top.pready_o);
  dut.compare("pslverr_o", out.apb.pslverr, top.pslverr_o);
  dut.compare("prdata_o", out.apb.prdata, top.prdata_o);
}

#endif
