// SPDX-License-Identifier: Apache-2.0
// oct_axis_bridge - the trace bus as an AXI4-Stream, for instance to a DMA engine that fills memory.
//
// A beat of 1 to 4 bytes becomes a transfer whose tkeep_o says which bytes count. A packet ends after
// PACKET_BEATS transfers. After a flush it ends at once, with a transfer without bytes, so that a
// receiver which waits for the end of a packet gets all there is.
// Latency: none from atvalid_i to tvalid_o. The transfer without bytes follows in the cycle after
// afready_i; the source waits meanwhile.
//
// PACKET_BEATS  1 .. 65536
`default_nettype none

module oct_axis_bridge #(
  parameter integer PACKET_BEATS = 256  // 1 to 65536: transfers of a packet, at most
) (
  input  wire        clk_i,
  input  wire        rst_ni,
  // the trace bus
  input  wire        atvalid_i,
  input  wire [31:0] atdata_i,
  input  wire [1:0]  atbytes_i, // bytes less one
  input  wire [6:0]  atid_i,
  output wire        atready_o,
  input  wire        afvalid_i,  // the flush, which the bridge only watches
  input  wire        afready_i,  // its answer
  // the stream
  output wire        tvalid_o,
  input  wire        tready_i,
  output wire [31:0] tdata_o,
  output wire [3:0]  tkeep_o,
  output wire        tlast_o,
  output wire [6:0]  tid_o  // atid_i of the source, or open
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (PACKET_BEATS < 1 || PACKET_BEATS > 65536) begin : gen_illegal_PACKET_BEATS
      oct_illegal_PACKET_BEATS_expected_1_to_65536 u_illegal ();
    end
  endgenerate

  localparam [31:0] LAST_32 = PACKET_BEATS - 1;
  localparam [16:0] LAST    = LAST_32[16:0];

  reg [16:0] beats_q; // of this packet
  reg        end_q;   // the transfer without bytes
  reg [6:0]  id_q;

  wire moves   = tvalid_o && tready_i;
  wire flushed = afvalid_i && afready_i;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beats_q <= 17'd0;
      end_q   <= 1'b0;
      id_q    <= 7'd0;
    end else begin
      if (moves) beats_q <= tlast_o ? 17'd0 : beats_q + 17'd1;
      if (atvalid_i && atready_o) id_q <= atid_i;
      if (flushed) end_q <= beats_q != 17'd0 && !(moves && tlast_o);
      else if (moves) end_q <= 1'b0;
    end
  end

  assign atready_o = tready_i && !end_q;
  assign tvalid_o  = end_q || atvalid_i;
  assign tdata_o   = end_q ? 32'd0 : atdata_i;
  assign tkeep_o   = end_q ? 4'd0 : 4'hf >> (2'd3 - atbytes_i);
  assign tlast_o   = end_q || beats_q == LAST;
  assign tid_o     = end_q ? id_q : atid_i;

`ifdef FORMAL
  // The trace bus: a beat stays until it is taken; a flush is answered when none is there.
  reg        started_q = 1'b0;
  reg        waits_q, kept_waits_q;
  reg [31:0] data_q, kept_data_q;
  reg [1:0]  bytes_q;
  reg [3:0]  keep_q;
  reg [6:0]  atid_q, tid_q;
  reg        last_q;
  reg [16:0] since_q; // transfers since the last end of a packet
  always @(posedge clk_i) begin
    started_q    <= 1'b1;
    waits_q      <= atvalid_i && !atready_o;
    data_q       <= atdata_i;
    bytes_q      <= atbytes_i;
    atid_q       <= atid_i;
    kept_waits_q <= tvalid_o && !tready_i;
    kept_data_q  <= tdata_o;
    keep_q       <= tkeep_o;
    last_q       <= tlast_o;
    tid_q        <= tid_o;
    since_q      <= !rst_ni ? 17'd0 : moves ? (tlast_o ? 17'd0 : since_q + 17'd1) : since_q;
    if (!started_q) assume (!rst_ni);
    if (rst_ni && started_q) begin
      if (waits_q) assume (atvalid_i && atdata_i == data_q && atbytes_i == bytes_q && atid_i == atid_q);
      if (afready_i) assume (afvalid_i && !atvalid_i);
      // A transfer that is offered stays until it is taken.
      if (kept_waits_q)
        assert (tvalid_o && tdata_o == kept_data_q && tkeep_o == keep_q && tlast_o == last_q && tid_o == tid_q);
      // Every beat is one transfer, with its bytes.
      if (atvalid_i && atready_o) assert (moves && tdata_o == atdata_i && tkeep_o[0] && tid_o == atid_i);
      // No packet is longer than it may be, and one without bytes has an end.
      assert (since_q == beats_q && beats_q <= LAST);
      if (tvalid_o && tkeep_o == 4'd0) assert (tlast_o && beats_q != 17'd0);
      cover (moves && tkeep_o == 4'd0);
      cover (moves && tlast_o && tkeep_o != 4'd0);
    end
  end
`endif

endmodule

`default_nettype wire
