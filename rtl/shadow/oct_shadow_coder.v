// SPDX-License-Identifier: Apache-2.0
// oct_shadow_coder - the arithmetic coder of `shadow`: one step a cycle, up to three bytes a cycle.
// docs/shadow-format.md, section 4; model/shadow/oct_shadow_encode.h.
//
// A step is one of four. PART: of the interval, counted from its top in 65536ths, the parts begin_i
// to end_i. REST: all below part end_i, which is at most 32776. RAW: the low count_i bits of value_i
// (1 to 8), as likely 0 as 1. END: the period ends; the bytes that are left follow, and the next
// step begins another one.
//
// The interval has 24 bits, the highest of the range is set. Only the 8 highest bits of the range
// count in products, and the width of a part is shifted up before it is multiplied, so how far the
// product has to be shifted is known but for one bit. A carry ends in the byte that is held back:
// after a byte of ones the next one has 7 bits and room for it.
//
// Latency: 5 cycles, one each for the width, the range, the product that low grows by, low, bytes;
// an END takes 2 more at the last of them. Back-pressure: valid/ready, output stable while
// stalled. No parameters.
`default_nettype none

module oct_shadow_coder (
  input  wire        clk_i,
  input  wire        rst_ni,
  input  wire        valid_i,
  input  wire [1:0]  kind_i,
  input  wire [16:0] begin_i,
  input  wire [16:0] end_i,
  input  wire [7:0]  value_i,
  input  wire [3:0]  count_i,
  output wire        ready_o,
  output wire        out_valid_o,
  input  wire        out_ready_i,
  output wire [1:0]  out_n_bytes_o,  // 0 only at the end of a period
  output wire [23:0] out_bytes_o,    // the first is the lowest
  output wire        out_end_o       // no more of this period
);

  localparam [1:0] PART = 2'd0, REST = 2'd1, RAW = 2'd2, END = 2'd3;
  localparam [23:0] ALL = 24'hffffff;

  wire moves;  // all stages together

  // ---- Width: moved up to bit 16; of REST it is what is taken away ----

  reg         width_valid_q;
  reg  [1:0]  width_kind_q;
  reg  [17:0] width_q;        // signed
  reg  [4:0]  width_shift_q;
  reg  [16:0] width_end_q;
  reg  [7:0]  width_value_q;
  wire [16:0] width = end_i - begin_i;
  reg  [16:0] width_up;
  reg  [4:0]  width_shift;

  always @* begin : p_width
    integer i;
    width_up    = width;
    width_shift = 5'd0;
    for (i = 4; i >= 0; i = i - 1) begin
      if (width_up >> (17 - (1 << i)) == 17'd0) begin
        width_up    = width_up << (1 << i);
        width_shift = width_shift + (5'd1 << i);
      end
    end
    if (kind_i == REST) width_shift = 5'd0;
    if (kind_i == RAW) width_shift = {1'b0, count_i};
    if (kind_i == END) width_shift = 5'd8;
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) width_valid_q <= 1'b0;
    else if (moves) width_valid_q <= valid_i;
  end

  always @(posedge clk_i) begin
    if (moves) begin
      width_kind_q  <= kind_i;
      width_q       <= kind_i == REST ? 18'd0 - {1'b0, end_i} : {1'b0, width_up};
      width_shift_q <= width_shift;
      width_end_q   <= end_i;
      width_value_q <= value_i & ~(8'hff << count_i);
    end
  end

  // ---- Range ----

  reg  [23:0] range_q;
  reg         product_valid_q;
  reg         product_is_end_q;
  reg  [4:0]  product_shift_q;
  reg  [23:0] product_base_q;
  reg  [24:0] product_x_q;    // signed
  reg  [7:0]  product_y_q;
  wire [7:0]  top = range_q[23:16];
  wire        is_rest = width_kind_q == REST;
  wire [26:0] scaled = {3'd0, is_rest ? range_q : 24'd0} +
                       {{9{width_q[17]}}, width_q} * {19'd0, top};
  wire [23:0] cut = ALL << width_shift_q;  // raw bits leave zeros
  reg  [23:0] range_d;
  reg  [4:0]  shift;

  always @* begin
    range_d = range_q & cut;
    shift   = width_shift_q;
    if (!width_kind_q[1]) begin
      if (scaled[24]) begin
        range_d = scaled[24:1];
        shift   = width_shift_q - 5'd1;
      end else if (scaled[23]) begin
        range_d = scaled[23:0];
      end else if (scaled[22]) begin
        range_d = {scaled[22:0], 1'b0};
        shift   = 5'd1;
      end else begin
        range_d = {scaled[21:0], 2'b0};
        shift   = 5'd2;
      end
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      range_q         <= ALL;
      product_valid_q <= 1'b0;
    end else if (moves) begin
      if (width_valid_q) range_q <= width_kind_q == END ? ALL : range_d;
      product_valid_q <= width_valid_q;
    end
  end

  always @(posedge clk_i) begin
    if (moves) begin
      product_is_end_q <= width_kind_q == END;
      product_shift_q  <= shift;
      product_base_q   <= width_kind_q == PART ? range_q : width_kind_q == END ? range_q - 24'd1 : 24'd0;
      product_x_q      <= width_kind_q == PART ? 25'd0 - {8'd0, width_end_q} :
                          {1'b0, range_q >> width_shift_q[3:0]};
      product_y_q      <= width_kind_q == PART ? top : width_kind_q == RAW ? width_value_q : 8'd0;
    end
  end

  // ---- What low grows by ----

  reg         low_valid_q;
  reg         low_is_end_q;
  reg  [4:0]  low_shift_q;
  reg  [23:0] low_step_q;
  wire [26:0] step = {3'd0, product_base_q} + {{2{product_x_q[24]}}, product_x_q} * {19'd0, product_y_q};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) low_valid_q <= 1'b0;
    else if (moves) low_valid_q <= product_valid_q;
  end

  always @(posedge clk_i) begin
    if (moves) begin
      low_is_end_q <= product_is_end_q;
      low_shift_q  <= product_shift_q;
      low_step_q   <= step[23:0];
    end
  end

  // ---- Low: what is shifted out at the top leaves, with a carry ----

  reg  [23:0] low_q;
  reg         byte_valid_q;
  reg         byte_is_end_q;
  reg         byte_carry_q;
  reg  [15:0] byte_new_q;    // the highest byte_count_q bits
  reg  [4:0]  byte_count_q;
  wire [24:0] sum = {1'b0, low_q} + {1'b0, low_step_q};
  // The largest value of the interval that has ones from bit 22 on.
  wire [1:0]  last_top = sum[24:23] - {1'b0, sum[22:0] != 23'h7fffff};
  wire [24:0] low_sum = low_is_end_q ? {last_top, 23'h7fffff} : sum;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      low_q        <= 24'd0;
      byte_valid_q <= 1'b0;
    end else if (moves) begin
      if (low_valid_q) low_q <= low_is_end_q ? 24'd0 : low_sum[23:0] << low_shift_q;
      byte_valid_q <= low_valid_q;
    end
  end

  always @(posedge clk_i) begin
    if (moves) begin
      byte_is_end_q <= low_is_end_q;
      byte_carry_q  <= low_sum[24];
      byte_new_q    <= low_sum[23:8] & ~(16'hffff >> low_shift_q);
      byte_count_q  <= low_shift_q;
    end
  end

  // ---- Bytes ----

  // Held back: a byte, and up to 10 bits at the top of `bits`, with a carry above.
  reg         held_valid_q;
  reg  [7:0]  held_q;
  reg         carry_q;
  reg  [9:0]  bits_q;
  reg  [3:0]  n_bits_q;
  // At the end of a period: ones to push out what is left of low, if that is more than they are; then
  // the byte.
  reg         fills_q;
  reg         closes_q;
  reg         out_valid_q;
  reg  [1:0]  out_n_bytes_q;
  reg  [23:0] out_bytes_q;
  reg         out_end_q;

  wire        steps = fills_q ? n_bits_q[3] : byte_valid_q && !closes_q;
  wire [4:0]  count = fills_q ? 5'd8 : byte_count_q;
  wire [15:0] news = fills_q ? 16'hff00 : byte_new_q;
  wire [10:0] carried = {carry_q, bits_q} +
                        ({10'd0, byte_carry_q && !fills_q} << (4'd10 - n_bits_q));
  reg         held_valid, carry;
  reg  [7:0]  held;
  reg  [25:0] bits;
  reg  [4:0]  n_bits;
  reg  [1:0]  n_bytes;
  reg  [23:0] bytes;

  always @* begin : p_bytes
    integer i;
    reg     is_ones;
    held_valid = held_valid_q;
    held       = held_q;
    carry      = carried[10];
    bits       = {carried[9:0], 16'd0} | ({news, 10'd0} >> n_bits_q);
    n_bits     = {1'b0, n_bits_q} + count;
    n_bytes    = 2'd0;
    bytes      = 24'd0;
    for (i = 0; i < 3; i = i + 1) begin
      is_ones = held_valid && held == 8'hff;
      if (n_bits >= (is_ones ? 5'd10 : 5'd11)) begin
        if (carry && !is_ones) begin
          held    = held + 8'd1;
          is_ones = held == 8'hff;
          carry   = 1'b0;
        end
        if (held_valid) begin
          bytes[8*i+:8] = held;
          n_bytes       = n_bytes + 2'd1;
        end
        held       = is_ones ? {carry, bits[25:19]} : bits[25:18];
        held_valid = 1'b1;
        carry      = 1'b0;
        bits       = is_ones ? bits << 7 : bits << 8;
        n_bits     = n_bits - (is_ones ? 5'd7 : 5'd8);
      end
    end
  end

  assign moves = (!out_valid_q || out_ready_i) && !fills_q && !closes_q;
  assign ready_o = moves;
  assign out_valid_o = out_valid_q;
  assign out_n_bytes_o = out_n_bytes_q;
  assign out_bytes_o = out_bytes_q;
  assign out_end_o = out_end_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_valid_q <= 1'b0;
      carry_q      <= 1'b0;
      bits_q       <= 10'd0;
      n_bits_q     <= 4'd0;
      fills_q      <= 1'b0;
      closes_q     <= 1'b0;
      out_valid_q  <= 1'b0;
    end else if (!out_valid_q || out_ready_i) begin
      out_valid_q <= closes_q || (steps && n_bytes != 2'd0);
      fills_q     <= steps && !fills_q && byte_is_end_q;
      closes_q    <= fills_q;
      if (steps) begin
        held_valid_q <= held_valid;
        carry_q      <= carry;
        bits_q       <= bits[25:16];
        n_bits_q     <= n_bits[3:0];
      end
      if (closes_q) begin
        held_valid_q <= 1'b0;
        carry_q      <= 1'b0;
        bits_q       <= 10'd0;
        n_bits_q     <= 4'd0;
      end
    end
  end

  always @(posedge clk_i) begin
    if (!out_valid_q || out_ready_i) begin
      if (steps) held_q <= held;
      out_end_q     <= closes_q;
      out_n_bytes_q <= closes_q ? {1'b0, held_valid_q && held_q != 8'hff} : n_bytes;
      out_bytes_q   <= closes_q ? {16'd0, held_q} : held_valid_q ? bytes : {8'd0, bytes[23:8]};
    end
  end

  wire unused = &{1'b0, scaled[26:25], step[26:24], bits[15:0], n_bits[4]};

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;

  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (kind_i == PART) assume (begin_i < end_i && end_i <= 17'd65536);
    if (kind_i == REST) assume (end_i <= 17'd32776);
    if (kind_i == RAW) assume (count_i >= 4'd1 && count_i <= 4'd8);
  end

  always @* if (rst_ni) begin
    // A width is moved up to its place, a raw number has 1 to 8 bits.
    if (width_valid_q && width_kind_q == PART) assert (width_q[17:16] == 2'b01);
    if (width_valid_q && width_kind_q == REST) assert (width_q == 18'd0 - {1'b0, width_end_q} &&
                                                       width_end_q <= 17'd32776);
    if (width_valid_q && width_kind_q == RAW)
      assert (width_shift_q >= 5'd1 && width_shift_q <= 5'd8);
    // The range is normalised.
    assert (range_q[23]);
    // No more than 10 bits wait, behind a byte of ones 9.
    assert (n_bits_q <= 4'd10);
    if (held_valid_q && held_q == 8'hff) assert (n_bits_q <= 4'd9);
    assert (!(fills_q && closes_q));
  end

  always @(posedge clk_i) if (rst_ni && f_past_q) begin
    cover (out_valid_q && out_n_bytes_q == 2'd3);
    cover (out_valid_q && out_end_q && out_n_bytes_q == 2'd0);
  end
`endif

endmodule

`default_nettype wire
