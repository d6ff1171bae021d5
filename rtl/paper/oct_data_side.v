// SPDX-License-Identifier: Apache-2.0
// oct_data_side - the data buffer, the DASC and the repetition FSM, one behind the other.
//
// Ports and behaviour are those of the first and the last (oct_fifo.v, oct_dasc.v, oct_repetition.v);
// push_i comes only with ready_o. Latency: that of the three. Parameters: oct_params.vh.
`default_nettype none

module oct_data_side #(
`include "oct_params.vh"
,
  parameter integer  // follow from those: none is set
`include "oct_widths.vh"
) (
  input  wire                                   clk_i,
  input  wire                                   rst_ni,
  // what the ingress pushes
  input  wire                                   push_i,
  input  wire [ADDR_BITS-1:0]                   pc_i,
  input  wire [ADDR_BITS-1:0]                   da_i,
  input  wire [3:0]                             slot_i,
  input  wire [1:0]                             kind_i,
  input  wire [2:0]                             mark_i,
  output wire                                   ready_o,
  output wire [$clog2(DATA_FIFO_DEPTH + 1)-1:0] count_o,
  // items
  output wire                                   out_valid_o,
  input  wire                                   out_ready_i,
  output wire [3:0]                             out_kind_o,
  output wire [2:0]                             out_mark_o,
  output wire [ADDR_BITS-1:0]                   out_addr_o,
  output wire [REP_PATTERN_BITS-1:0]            out_value_o,
  output wire [DATA_N_BITS-1:0]                 out_n_o
);

  wire                 data_valid, data_ready;
  wire [ADDR_BITS-1:0] data_pc, data_da;
  wire [3:0]           data_slot;
  wire [1:0]           data_kind;
  wire [2:0]           data_mark;
  wire                 dt_valid, dt_ready, dt_hit;
  wire [ADDR_BITS-1:0] dt_da;
  wire [1:0]           dt_kind;
  wire [2:0]           dt_mark;

  oct_fifo #(
    .WIDTH (DATA_WORD_BITS),
    .DEPTH (DATA_FIFO_DEPTH),
    .PASSES(PIPELINED)
  ) u_buffer (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_i),
    .data_i ({pc_i, da_i, slot_i, kind_i, mark_i}),
    .pop_i  (data_valid && data_ready),
    .ready_o(ready_o),
    .valid_o(data_valid),
    .data_o ({data_pc, data_da, data_slot, data_kind, data_mark}),
    .count_o(count_o)
  );

  oct_dasc #(
    .ADDR_BITS    (ADDR_BITS),
    .PC_ALIGN_BITS(PC_ALIGN_BITS),
    .DASC_ENTRIES (DASC_ENTRIES),
    .DASC_WAYS    (DASC_WAYS),
    .STRIDE_BITS  (STRIDE_BITS),
    .PIPELINED    (PIPELINED)
  ) u_dasc (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .valid_i    (data_valid),
    .ready_o    (data_ready),
    .pc_i       (data_pc),
    .slot_i     (data_slot),
    .da_i       (data_da),
    .kind_i     (data_kind),
    .mark_i     (data_mark),
    .out_valid_o(dt_valid),
    .out_ready_i(dt_ready),
    .out_da_o   (dt_da),
    .out_kind_o (dt_kind),
    .out_hit_o  (dt_hit),
    .out_mark_o (dt_mark)
  );

  oct_repetition #(
`include "oct_pass.vh"
  ) u_repetition (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .valid_i    (dt_valid),
    .ready_o    (dt_ready),
    .da_i       (dt_da),
    .kind_i     (dt_kind),
    .hit_i      (dt_hit),
    .mark_i     (dt_mark),
    .out_valid_o(out_valid_o),
    .out_ready_i(out_ready_i),
    .out_kind_o (out_kind_o),
    .out_mark_o (out_mark_o),
    .out_addr_o (out_addr_o),
    .out_value_o(out_value_o),
    .out_n_o    (out_n_o)
  );

endmodule

`default_nettype wire
