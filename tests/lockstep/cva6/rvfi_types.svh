// SPDX-License-Identifier: Apache-2.0
// rvfi_types.svh - of CVA6's macros of types, as much as the stand-in (ariane.sv) needs.
`define RVFI_INSTR_T(Cfg) struct packed { logic valid; logic trap; logic [31:0] intr; logic [1:0] mode; logic [31:0] insn; logic [31:0] pc_rdata; \
  logic [31:0] mem_addr; logic [3:0] mem_rmask; logic [3:0] mem_wmask; }
`define RVFI_CSR_ELMT_T(Cfg) struct packed { logic [31:0] rdata; }
`define RVFI_CSR_T(Cfg, element) struct packed { element mcause, mepc, mtval, scause, sepc, stval; }
`define RVFI_TO_ITI_T(Cfg) logic
`define RVFI_PROBES_INSTR_T(Cfg) struct packed { logic [351:0] line; logic ends; }
`define RVFI_PROBES_CSR_T(Cfg) logic
