// SPDX-License-Identifier: Apache-2.0
// oct_atb_check - the rules of the trace bus (AMBA ATB v1.1), as assertions beside a bus.
//
// No outputs, and no logic but registers for the assertions. The bus runs in cycles with atclken_i;
// the rules of the trace source are asserted. Those of the receiver, which has to hold a flush
// request, are asserted too, or with RECEIVER_ASSUMED assumed, for a proof of the source.
// With OCT_ATB_CHECK defined it has assertions, and oct_compressor an instance of it; a simulator has
// to take them (verilator --assert). Without, it is empty. It counts on a reset first.
// SYNCREQ needs no answer and has no rule.
//
// RECEIVER_ASSUMED  1: atready_i, afvalid_i are a proof's own, so their rules are assumptions
`default_nettype none

module oct_atb_check #(
  parameter integer RECEIVER_ASSUMED = 0  // 1: the rules of the receiver are assumptions, for a proof of the source
) (
  input wire        clk_i,
  input wire        rst_ni,
  // the trace bus that is checked
  input wire        atclken_i,
  input wire        atvalid_i,
  input wire        atready_i,
  input wire [31:0] atdata_i,
  input wire [1:0]  atbytes_i,
  input wire [6:0]  atid_i,
  input wire        afvalid_i,
  input wire        afready_i
);

`ifdef OCT_ATB_CHECK
  // What stood on the bus in the cycle before, and whether that cycle was one of the bus.
  reg         started_q = 1'b0;  // 0 in a reset, too
  reg         reset_q = 1'b0;    // the cycle before was in a reset
  reg         clken_q, valid_q, ready_q, af_q, answer_q;
  reg  [31:0] data_q;
  reg  [1:0]  bytes_q;
  reg  [6:0]  id_q;

  // The bytes of a beat; the others mean nothing.
  wire [31:0] mask    = 32'hffff_ffff >> {2'd3 - atbytes_i, 3'd0};
  wire        changes = ((atdata_i ^ data_q) & mask) != 32'd0 || atbytes_i != bytes_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) started_q <= 1'b0;
    else started_q <= 1'b1;
  end
  always @(posedge clk_i) begin
    reset_q   <= !rst_ni;
    clken_q   <= atclken_i;
    valid_q   <= atvalid_i;
    ready_q   <= atready_i;
    af_q      <= afvalid_i;
    answer_q  <= afready_i;
    data_q    <= atdata_i;
    bytes_q   <= atbytes_i;
    id_q      <= atid_i;
  end

  // Nothing is offered or answered in a reset and in the first cycle behind it.
  always @(posedge clk_i) if (!rst_ni || reset_q) begin
    assert (!atvalid_i);
    assert (!afready_i);
  end

  always @(posedge clk_i) if (started_q) begin
    // A beat is of a source, or a trigger (0x7d): the other numbers are reserved.
    if (atvalid_i) assert (atid_i != 7'h00 && (atid_i[6:4] != 3'd7 || atid_i == 7'h7d));
    // A beat that is offered stays, whole, until it is taken.
    if (valid_q && !(clken_q && ready_q)) begin
      assert (atvalid_i);
      assert (!changes);
      assert (atid_i == id_q);
    end
    // What the source drives changes only behind a cycle of the bus.
    if (!clken_q) assert (atvalid_i == valid_q && atid_i == id_q);
`ifndef FORMAL_INDUCTION  // what takes more cycles than an inductive step looks back
    if (!clken_q) assert (afready_i == answer_q);
`endif
    // A flush is answered while it is asked for, and when all has left.
    if (afready_i) assert (afvalid_i && !atvalid_i);
  end

  // The receiver holds its request until the answer.
  wire holds = !af_q || (clken_q && answer_q) || afvalid_i;
  generate
    if (RECEIVER_ASSUMED != 0) begin : gen_assumed
      always @* if (started_q) assume (holds);
    end else begin : gen_asserted
      always @(posedge clk_i) if (started_q) assert (holds);
    end
  endgenerate

`ifdef FORMAL_OCT_COMPRESSOR
  always @(posedge clk_i) if (started_q) begin
    // A beat taken after a stall, a cycle without the bus, a flush answered.
    cover (valid_q && !ready_q && clken_q && atvalid_i && atready_i && atclken_i);
    cover (valid_q && !clken_q && atclken_i);
    cover (answer_q && clken_q && !afvalid_i);
  end
`endif
`endif

endmodule

`default_nettype wire
