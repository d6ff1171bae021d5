// SPDX-License-Identifier: Apache-2.0
// oct_gate_side.vh - rules, filter and registers of a compressor (oct_gate.v), and its number on the bus, for its body.
//
// The compressor says with which period its syncs begin (SYNC_PERIOD), how many bits the core's time has (TIME_BITS), and drives
// overflow, lost_insns, lost_access, lost_traps, time_back, more_errors, the three counts, flush_out and af_busy.

  wire                 enable, overflow, lost_access, time_back;
  wire [1:0]           lost_insns;
  wire [3:0]           lost_traps;
  wire [4:0]           gate_errors, more_errors;
  wire [31:0]          sync_period_insns, stream_count_32, data_count_32, out_count_bytes_32;
  wire                 skip, da_valid, da_end;  // what the filter makes of the core's
  wire                 flush_out, af_busy;
  wire [6:0]           atid;
  reg  [6:0]           atid_q;

  oct_gate #(
    .ADDR_BITS    (ADDR_BITS),
    .PC_ALIGN_BITS(PC_ALIGN_BITS),
    .TASK_BITS    (TASK_BITS),
    .FILTERS      (FILTERS),
    .SYNC_PERIOD_INSNS(SYNC_PERIOD),
    .TIMESTAMP    (TIMESTAMP),
    .TIME_SOURCE  (TIME_SOURCE),
    .TIME_BITS    (TIME_BITS)
  ) u_gate (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .psel_i           (psel_i),
    .penable_i        (penable_i),
    .pwrite_i         (pwrite_i),
    .paddr_i          (paddr_i),
    .pwdata_i         (pwdata_i),
    .prdata_o         (prdata_o),
    .pready_o         (pready_o),
    .pslverr_o        (pslverr_o),
    .insn_valid_i     (insn_valid_i),
    .insn_addr_i      (insn_addr_i),
    .insn_size_bytes_i(insn_size_bytes_i),
    .task_i           (task_i),
    .priv_i           (priv_i),
    .da_valid_i       (da_valid_i),
    .da_end_i         (da_end_i),
    .da_addr_i        (da_addr_i),
    .trigger_i        (trigger_i),
    .core_error_i     (core_error_i),
    .trap_valid_i     (TRAPS != 0 && trap_valid_i),
    .trap_kind_i      (trap_kind_i),
    .errors_o         (gate_errors),
    .skip_o           (skip),
    .da_valid_o       (da_valid),
    .da_end_o         (da_end),
    .more_errors_i    ({time_back, more_errors}),
    .overflow_i       (overflow),
    .lost_insns_i     (lost_insns),
    .lost_access_i    (lost_access),
    .lost_traps_i     (lost_traps),
    .stream_count_i   (stream_count_32),
    .data_count_i     (data_count_32),
    .out_count_bytes_i(out_count_bytes_32),
    .enable_o         (enable),
    .sync_period_insns_o(sync_period_insns),
    .atid_o           (atid)
  );

  // A new number of the source waits for a stalled beat.
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) atid_q <= 7'd1;
    else if (atclken_i && (!atvalid_o || atready_i)) atid_q <= atid;
  end

  assign {atid_o, afready_o} = {atid_q, flush_out && af_busy};
