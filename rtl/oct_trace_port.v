// SPDX-License-Identifier: Apache-2.0
// oct_trace_port - serialises trace bus beats onto PORT_PINS data pins, the first bit on pin 0.
//
// Bits that do not fill all pins wait, but with end_i, the end of tracing, they leave padded with
// zeros. Latency: 1 cycle from a beat to its first bits. Back-pressure: a beat is taken when at
// most 32 bits are held; it comes with atvalid_i only when atready_o. stall_i, of the receiver,
// keeps bits from leaving, not beats from arriving.
// Parameters: PORT_PINS (pins).

module oct_trace_port #(
  parameter integer PORT_PINS = 16
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 atvalid_i,  // a beat crosses,
  input  wire [31:0]          atdata_i,   // zeros above its bytes,
  input  wire [1:0]           atbytes_i,  // which are these and one
  input  wire                 end_i,
  input  wire                 stall_i,
  output wire                 atready_o,
  output wire                 valid_o,
  output wire [PORT_PINS-1:0] data_o
);

  localparam [31:0] PINS_32 = PORT_PINS;
  localparam [6:0] PINS = PINS_32[6:0];

  reg  [63:0] held_q;       // zeros above held_bits_q
  reg  [6:0]  held_bits_q;  // 0..64

  wire        fills_pins;
  wire [63:0] held_left;
  wire [6:0]  bits_left;
  wire [63:0] beat;

  assign fills_pins = held_bits_q >= PINS;
  assign atready_o = held_bits_q <= 7'd32;
  assign valid_o = !stall_i && (fills_pins || (end_i && held_bits_q != 7'd0));
  assign data_o = held_q[PORT_PINS-1:0];

  // What is left when the pins have taken theirs: at most 32 bits when a beat comes.
  assign held_left = valid_o ? held_q >> PORT_PINS : held_q;
  assign bits_left = !valid_o ? held_bits_q : fills_pins ? held_bits_q - PINS : 7'd0;
  assign beat = {32'd0, atdata_i} << bits_left[5:0];

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= 64'd0;
      held_bits_q <= 7'd0;
    end else if (atvalid_i) begin
      held_q <= held_left | beat;
      held_bits_q <= bits_left + 7'd8 + {2'd0, atbytes_i, 3'd0};
    end else begin
      held_q <= held_left;
      held_bits_q <= bits_left;
    end
  end

endmodule
