// SPDX-License-Identifier: Apache-2.0
// oct_system - what a chip gets: adapter, compressor with its registers, and what its trace bus ends in. To measure the sum.
//
// The core is an RVFI core that retires one instruction a cycle. With OCT_SHADOW defined the compressor is that of
// `shadow`, else that of `paper`. The trace bus ends in an AXI4-Stream (oct_axis_bridge.v), or with OCT_FRAMES defined in
// frames of CoreSight (oct_formatter.v).
`default_nettype none

module oct_system #(
`ifdef OCT_SHADOW
`include "oct_shadow_params.vh"
`else
`include "oct_params.vh"
`endif
) (
  input  wire                   clk_i,
  input  wire                   rst_ni,
  input  wire                   rvfi_valid_i,
  input  wire [31:0]            rvfi_insn_i,
  input  wire [ADDR_BITS-1:0]   rvfi_pc_rdata_i,
  input  wire [ADDR_BITS-1:0]   rvfi_mem_addr_i,
  input  wire [ADDR_BITS/8-1:0] rvfi_mem_rmask_i,
  input  wire [ADDR_BITS/8-1:0] rvfi_mem_wmask_i,
  input  wire                   rvfi_trap_i,
  input  wire                   rvfi_intr_i,
  input  wire                   rvfi_halt_i,
  input  wire [1:0]             rvfi_mode_i,
  input  wire [CAUSE_BITS-1:0]  cause_i,
  input  wire [ADDR_BITS-1:0]   epc_i,
  input  wire [ADDR_BITS-1:0]   tval_i,
  input  wire                   halted_i,
  input  wire [63:0]            time_i,
  input  wire [TASK_BITS-1:0]   task_i,
`include "oct_apb_ports.vh"
  input  wire                   flush_i,
  output wire                   flush_done_o,
  output wire                   error_o,
  output wire                   valid_o,
  input  wire                   ready_i,
  output wire [31:0]            data_o,
  output wire [3:0]             keep_o,
  output wire                   last_o,
  output wire [6:0]             id_o
);

  wire                  insn_valid, da_valid, da_end, trap_valid, core_error, atvalid, atready, afvalid, afready;
  wire [ADDR_BITS-1:0]  insn_addr, da_addr, trap_addr, trap_tval;
  wire [3:0]            insn_size_bytes;
  wire [2:0]            insn_class, priv, trap_privilege;
  wire [31:0]           insn_word, atdata;
  wire [1:0]            trap_kind, atbytes;
  wire [6:0]            atid;
  wire [CAUSE_BITS-1:0] trap_cause;
  wire [63:0]           insn_time;

  oct_rvfi #(
    .XLEN      (ADDR_BITS),
    .CHANNELS  (1),
    .DEPTH     (16),
    .TRAPS     (TRAPS),
    .CAUSE_BITS(CAUSE_BITS),
    .TIME_BITS (TIME_SOURCE != 0 ? 64 : 0)
  ) u_rvfi (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .gate_i           (1'b1),
    .rvfi_valid_i     (rvfi_valid_i),
    .rvfi_insn_i      (rvfi_insn_i),
    .rvfi_pc_rdata_i  (rvfi_pc_rdata_i),
    .rvfi_mem_addr_i  (rvfi_mem_addr_i),
    .rvfi_mem_rmask_i (rvfi_mem_rmask_i),
    .rvfi_mem_wmask_i (rvfi_mem_wmask_i),
    .rvfi_trap_i      (rvfi_trap_i),
    .rvfi_intr_i      (rvfi_intr_i),
    .rvfi_halt_i      (rvfi_halt_i),
    .rvfi_mode_i      (rvfi_mode_i),
    .cause_i          (cause_i),
    .epc_i            (epc_i),
    .tval_i           (tval_i),
    .halted_i         (halted_i),
    .time_i           (time_i),
    .insn_valid_o     (insn_valid),
    .insn_addr_o      (insn_addr),
    .insn_size_bytes_o(insn_size_bytes),
    .insn_class_o     (insn_class),
    .insn_word_o      (insn_word),
    .da_valid_o       (da_valid),
    .da_end_o         (da_end),
    .da_addr_o        (da_addr),
    .priv_o           (priv),
    .trap_valid_o     (trap_valid),
    .trap_kind_o      (trap_kind),
    .trap_privilege_o (trap_privilege),
    .trap_cause_o     (trap_cause),
    .trap_addr_o      (trap_addr),
    .trap_tval_o      (trap_tval),
    .time_o           (insn_time),
    .error_o          (error_o),
    .core_error_o     (core_error)
  );

`ifdef OCT_SHADOW
  oct_shadow_compressor #(
`include "oct_shadow_pass.vh"
  ) u_compressor (
    .insn_word_i      (insn_word),
    .insn_word_valid_i(insn_valid),
    .lead_valid_i     (1'b0),
    .lead_addr_i      ({ADDR_BITS{1'b0}}),
    .lead_size_bytes_i(4'd0),
    .lead_word_i      (32'd0),
    .lead_word_valid_i(1'b0),
`else
  oct_compressor #(
`include "oct_pass.vh"
  ) u_compressor (
`endif
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .insn_valid_i     (insn_valid),
    .insn_addr_i      (insn_addr),
    .insn_size_bytes_i(insn_size_bytes),
    .task_i           (task_i),
    .da_valid_i       (da_valid),
    .da_end_i         (da_end),
    .da_addr_i        (da_addr),
    .priv_i           (priv),
    .trigger_i        (2'd0),
    .core_error_i     (core_error),
    .trap_valid_i     (trap_valid),
    .trap_kind_i      (trap_kind),
    .trap_privilege_i (trap_privilege),
    .trap_cause_i     (trap_cause),
    .trap_addr_i      (trap_addr),
    .trap_tval_i      (trap_tval),
    .time_i           (insn_time),
    .atclken_i        (1'b1),
    .atready_i        (atready),
    .syncreq_i        (1'b0),
    .psel_i           (psel_i),
    .penable_i        (penable_i),
    .pwrite_i         (pwrite_i),
    .paddr_i          (paddr_i),
    .pwdata_i         (pwdata_i),
    .prdata_o         (prdata_o),
    .pready_o         (pready_o),
    .pslverr_o        (pslverr_o),
    .afvalid_i        (afvalid),
    .atvalid_o        (atvalid),
    .atdata_o         (atdata),
    .atbytes_o        (atbytes),
    .atid_o           (atid),
    .afready_o        (afready)
  );

`ifdef OCT_FRAMES
  assign {keep_o, last_o, id_o} = {4'hf, 1'b0, 7'd0};

  oct_formatter #(
    .SOURCES(1)
  ) u_formatter (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .atvalid_i   (atvalid),
    .atready_o   (atready),
    .atdata_i    (atdata),
    .atbytes_i   (atbytes),
    .atid_i      (atid),
    .afvalid_o   (afvalid),
    .afready_i   (afready),
    .flush_i     (flush_i),
    .flush_done_o(flush_done_o),
    .valid_o     (valid_o),
    .ready_i     (ready_i),
    .data_o      (data_o)
  );
`else
  assign afvalid      = flush_i;
  assign flush_done_o = afready;

  oct_axis_bridge u_bridge (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .atvalid_i(atvalid),
    .atdata_i (atdata),
    .atbytes_i(atbytes),
    .atid_i   (atid),
    .atready_o(atready),
    .afvalid_i(afvalid),
    .afready_i(afready),
    .tvalid_o (valid_o),
    .tready_i (ready_i),
    .tdata_o  (data_o),
    .tkeep_o  (keep_o),
    .tlast_o  (last_o),
    .tid_o    (id_o)
  );
`endif

  wire unused = &{1'b0, insn_class, insn_word};

endmodule

`default_nettype wire
