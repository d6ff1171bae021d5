// SPDX-License-Identifier: Apache-2.0
// oct_behind_adapter.vh - the compressor and the wires to it, for the body of a module with an adapter,
// which drives these. Its ports are those of oct_bus_side.vh.

  wire                  insn_valid, da_valid, da_end, trap_valid, core_error;
  wire [ADDR_BITS-1:0]  insn_addr, da_addr, trap_addr, trap_tval;
  wire [3:0]            insn_size_bytes;
  wire [2:0]            priv, trap_privilege;
  wire [1:0]            trap_kind;
  wire [CAUSE_BITS-1:0] trap_cause;
  wire [TASK_BITS-1:0]  core_task;
  wire [1:0]            core_trigger;
  wire [63:0]           core_time;

  oct_compressor #(
`include "oct_pass.vh"
  ) u_compressor (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .task_i            (core_task),
    .insn_valid_i      (insn_valid),
    .insn_addr_i       (insn_addr),
    .insn_size_bytes_i (insn_size_bytes),
    .da_valid_i        (da_valid),
    .da_end_i          (da_end),
    .da_addr_i         (da_addr),
    .priv_i            (TRAPS != 0 ? priv : 3'd3),
    .trap_valid_i      (trap_valid),
    .trap_kind_i       (trap_kind),
    .trap_privilege_i  (trap_privilege),
    .trap_cause_i      (trap_cause),
    .trap_addr_i       (trap_addr),
    .trap_tval_i       (trap_tval),
    .time_i            (core_time),
    .core_error_i      (core_error),
    .trigger_i         (core_trigger),
    .atclken_i         (atclken_i),
    .atready_i         (atready_i),
    .syncreq_i         (syncreq_i),
`include "oct_bus_pass.vh"
  );
