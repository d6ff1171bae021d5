// SPDX-License-Identifier: Apache-2.0
// oct_trace_port - serialises trace bus beats onto PORT_PINS data pins, the first bit on pin 0.
//
// Bits that do not fill all pins wait, but with end_i, the end of tracing, they leave padded with
// zeros. Latency: 1 cycle from a beat to its first bits. Back-pressure: a beat is taken when at
// most 32 bits are held, or, with more than 16 pins, will be behind this cycle (else bits short of all
// pins would stay now and then, and the pins idle); it comes with atvalid_i only when atready_o.
// stall_i, of the receiver, keeps bits from leaving, not beats from arriving, as long as there is room.
// Parameters: PORT_PINS (pins).
`default_nettype none

module oct_trace_port #(
  parameter integer PORT_PINS = 16  // 1 to 32: pins
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 atvalid_i,  // a beat crosses: atvalid_o AND atready_o of this module
  input  wire [31:0]          atdata_i,  // the trace bus; zeros above its bytes
  input  wire [1:0]           atbytes_i,  // bytes of the beat less one
  input  wire                 end_i,  // 1 from the end of the last flush on
  input  wire                 stall_i,  // 1 while the receiver asks the pins to wait; else 0
  output wire                 atready_o,
  output wire                 valid_o,  // to the receiver: the pins count
  output wire [PORT_PINS-1:0] data_o  // the pins
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (PORT_PINS < 1 || PORT_PINS > 32) begin : gen_illegal_PORT_PINS
      oct_illegal_PORT_PINS_expected_1_to_32 u_illegal ();
    end
  endgenerate

  localparam [31:0] PINS_32 = PORT_PINS;
  localparam [6:0] PINS = PINS_32[6:0];

  reg  [63:0] held_q;       // zeros above held_bits_q
  reg  [6:0]  held_bits_q;  // 0..64

  wire        fills_pins;
  wire [63:0] held_left;
  wire [6:0]  bits_left;
  wire [63:0] beat;

  assign fills_pins = held_bits_q >= PINS;
  assign atready_o = (PINS > 7'd16 ? bits_left : held_bits_q) <= 7'd32;
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

`ifdef FORMAL
  // The rule of the inputs: assumed where the port is what is proved, else the bus's to keep.
`ifdef FORMAL_OCT_TRACE_PORT
  `define OCT_TRACE_PORT_RULE assume
`else
  `define OCT_TRACE_PORT_RULE assert
`endif

  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;

  wire [6:0]  f_beat_bits = 7'd8 + {2'd0, atbytes_i, 3'd0};
  wire [31:0] f_beyond = 32'hffff_ffff << f_beat_bits;

  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (rst_ni) begin
      // A beat comes only when it is taken, with zeros above its bytes.
      `OCT_TRACE_PORT_RULE (!atvalid_i || atready_o);
      `OCT_TRACE_PORT_RULE (!atvalid_i || (atdata_i & f_beyond) == 32'd0);
    end
  end
`undef OCT_TRACE_PORT_RULE

  // Any one bit of any beat: its place behind the bits that are to leave before it, and its value.
  (* anyseq *) wire   f_choose;
  (* anyconst *) wire [4:0] f_offset;
  reg                 f_in_q;
  reg  [6:0]          f_place_q;
  reg                 f_value_q;
  reg  [31:0]         f_bits_in_q;
  reg  [31:0]         f_bits_out_q;
  wire [6:0]          f_out_bits = held_bits_q - bits_left;
  wire                f_chosen = f_choose && !f_in_q && atvalid_i && {2'd0, f_offset} < f_beat_bits;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_in_q <= 1'b0;
      f_bits_in_q <= 32'd0;
      f_bits_out_q <= 32'd0;
    end else begin
      if (atvalid_i) f_bits_in_q <= f_bits_in_q + {25'd0, f_beat_bits};
      f_bits_out_q <= f_bits_out_q + {25'd0, f_out_bits};
      if (f_chosen) begin
        f_in_q <= 1'b1;
        f_place_q <= bits_left + {2'd0, f_offset};
        f_value_q <= atdata_i[f_offset];
      end else if (f_in_q) begin
        f_in_q <= f_place_q >= f_out_bits;
        f_place_q <= f_place_q - f_out_bits;
      end
    end
  end

  always @* if (rst_ni) begin
    // Never more than 64 bits, and none but those that came and have not left.
    assert (held_bits_q <= 7'd64);
    assert (!atvalid_i || bits_left + f_beat_bits <= 7'd64);
    assert ({25'd0, held_bits_q} == f_bits_in_q - f_bits_out_q);
    assert (held_bits_q == 7'd64 || held_q >> held_bits_q == 64'd0);
    // A bit that is in has its place in the order, and leaves on the pin that it says: with those
    // of all bits, none is lost, made or overtaken.
    if (f_in_q) assert (f_place_q < held_bits_q && held_q[f_place_q[5:0]] == f_value_q);
    if (f_in_q && valid_o && f_place_q < f_out_bits) assert (data_o[f_place_q[4:0]] == f_value_q);
    // All pins carry bits but at the end, where the others are zero; nothing leaves while stalled.
    if (valid_o) assert (!stall_i && f_out_bits != 7'd0 && (f_out_bits == PINS || end_i));
    if (valid_o && f_out_bits != PINS) assert (data_o >> f_out_bits == {PORT_PINS{1'b0}});
    if (!stall_i && held_bits_q >= PINS) assert (valid_o && f_out_bits == PINS);
    // A beat is refused only where the pins have enough for the next cycle: they never idle while beats wait.
    if (!atready_o) assert (bits_left >= PINS);
  end

  always @(posedge clk_i) if (rst_ni) begin
    // Full to the last bit, and a chosen bit that left from above the others.
    cover (held_bits_q > 7'd56);
    cover (f_in_q && f_place_q < f_out_bits && f_bits_in_q > 32'd32);
    cover (valid_o && !fills_pins);
  end
`endif

endmodule

`default_nettype wire
