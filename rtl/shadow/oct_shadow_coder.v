// SPDX-License-Identifier: Apache-2.0
// oct_shadow_coder - the arithmetic coder of `shadow`: one step a cycle, up to two bytes a cycle.
// docs/shadow-format.md, section 4; model/shadow/oct_shadow_encode.h.
//
// A step is one of three. PART: of the interval, counted from its top in 4096ths, the width_i parts up to
// end_i. REST: the lowest width_i parts, at least 2048. END: the period ends; the bytes that are
// left follow, and the next step begins another one.
//
// The interval has 20 bits, the highest of the range is set. Only the 8 highest bits of the range
// count in products. The width that is multiplied is shifted up before, so how far the product has to be
// shifted is known but for one bit. A carry ends in the byte that is held back: after a byte of ones
// the next one has 7 bits and room for it.
//
// The loop of the range is the longest path: a digit of the range (two bits) selects a multiple of the
// width, which are made in the stage before, and four such are added.
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
  input  wire [11:0] width_i,
  input  wire [12:0] end_i,        // of PART
  output wire        ready_o,
  output wire        out_valid_o,
  input  wire        out_ready_i,
  output wire [1:0]  out_n_bytes_o,  // 0 only at the end of a period
  output wire [15:0] out_bytes_o,    // the first is the lowest
  output wire        out_end_o       // no more of this period
);

  localparam [1:0] PART = 2'd0, REST = 2'd1, END = 2'd3;
  localparam [19:0] ALL = 20'hfffff;

  wire moves;  // all stages together

  // ---- Width: moved up to bit 11; of REST, which has 11 bits at least, what is kept ----

  reg         width_valid_q;
  reg  [1:0]  width_kind_q;
  reg  [11:0] width_q;
  reg  [13:0] width_3_q;      // three times
  reg  [3:0]  width_shift_q;
  reg  [12:0] width_end_q;
  reg  [11:0] width_up;
  reg  [13:0] width_3_up;
  reg  [3:0]  width_shift;

  always @* begin : p_width
    integer i;
    width_up    = width_i;
    width_3_up  = {2'd0, width_i} + {1'b0, width_i, 1'b0};
    width_shift = 4'd0;
    for (i = 3; i >= 0; i = i - 1) begin
      if (width_up >> (12 - (1 << i)) == 12'd0) begin
        width_up    = width_up << (1 << i);
        width_3_up  = width_3_up << (1 << i);
        width_shift = width_shift + (4'd1 << i);
      end
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) width_valid_q <= 1'b0;
    else if (moves) width_valid_q <= valid_i;
  end

  always @(posedge clk_i) begin
    if (moves) begin
      width_kind_q  <= kind_i;
      width_q       <= width_up;
      width_3_q     <= width_3_up;
      width_shift_q <= width_shift;
      width_end_q   <= end_i;
    end
  end

  // ---- Range ----

  reg  [19:0] range_q;
  reg         product_valid_q;
  reg         product_is_end_q;
  reg  [3:0]  product_shift_q;
  reg  [19:0] product_base_q;
  reg  [12:0] product_x_q;
  reg  [7:0]  product_y_q;
  wire [7:0]  top = range_q[19:12];
  wire        is_rest = width_kind_q == REST;
  wire [13:0] digits [0:3];
  wire [19:0] scaled = {8'd0, is_rest ? range_q[11:0] : 12'd0} + {6'd0, digits[0]} + {4'd0, digits[1], 2'd0} +
                       {2'd0, digits[2], 4'd0} + {digits[3], 6'd0};
  wire [19:0] range_d = scaled[19] ? scaled : {scaled[18:0], 1'b0};

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_digit
      assign digits[g] = (top[2*g+1] ? (top[2*g] ? width_3_q : {1'b0, width_q, 1'b0}) :
                          top[2*g] ? {2'd0, width_q} : 14'd0);
    end
  endgenerate

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      range_q         <= ALL;
      product_valid_q <= 1'b0;
    end else if (moves) begin
      if (width_valid_q) range_q <= width_kind_q == END ? ALL : range_d;
      product_valid_q <= width_valid_q;
    end
  end

  // What low is moved up by is known but for one bit; so it is settled a stage later.
  reg         product_is_less_q;

  always @(posedge clk_i) begin
    if (moves) begin
      product_is_end_q  <= width_kind_q == END;
      product_shift_q   <= width_kind_q == END ? 4'd8 : width_shift_q + 4'd1;
      product_is_less_q <= !width_kind_q[1] && scaled[19];
      product_base_q    <= is_rest ? 20'd0 : range_q;
      product_x_q       <= width_kind_q == PART ? width_end_q : 13'd0;
      product_y_q       <= top;
    end
  end

  // ---- What low grows by ----

  reg         low_valid_q;
  reg         low_is_end_q;
  reg  [3:0]  low_shift_q;
  reg  [19:0] low_step_q;
  wire [19:0] step = product_base_q - {7'd0, product_x_q} * {12'd0, product_y_q};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) low_valid_q <= 1'b0;
    else if (moves) low_valid_q <= product_valid_q;
  end

  always @(posedge clk_i) begin
    if (moves) begin
      low_is_end_q <= product_is_end_q;
      low_shift_q  <= product_shift_q - {3'd0, product_is_less_q};
      low_step_q   <= step;
    end
  end

  // ---- Low: what is shifted out at the top leaves, with a carry ----

  reg  [19:0] low_q;
  reg         byte_valid_q;
  reg         byte_is_end_q;
  reg         byte_carry_q;
  reg  [12:0] byte_new_q;    // the highest byte_count_q bits
  reg  [3:0]  byte_count_q;
  wire [20:0] sum = {1'b0, low_q} + {1'b0, low_step_q};
  // Of the interval, which ends before sum, the largest value that has ones from bit 18 on.
  wire [1:0]  last_top = sum[20:19] - 2'd1;
  wire [20:0] low_sum = low_is_end_q ? {last_top, 19'h7ffff} : sum;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      low_q        <= 20'd0;
      byte_valid_q <= 1'b0;
    end else if (moves) begin
      if (low_valid_q) low_q <= low_is_end_q ? 20'd0 : low_sum[19:0] << low_shift_q;
      byte_valid_q <= low_valid_q;
    end
  end

  always @(posedge clk_i) begin
    if (moves) begin
      byte_is_end_q <= low_is_end_q;
      byte_carry_q  <= low_sum[20];
      byte_new_q    <= low_sum[19:7] & ~(13'h1fff >> low_shift_q);
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
  reg  [15:0] out_bytes_q;
  reg         out_end_q;

  wire        steps = fills_q ? n_bits_q[3] : byte_valid_q && !closes_q;
  wire [3:0]  count = fills_q ? 4'd8 : byte_count_q;
  wire [12:0] news = fills_q ? 13'h1fe0 : byte_new_q;
  wire [9:0]  carried = bits_q + ({9'd0, byte_carry_q && !fills_q} << (4'd10 - n_bits_q));
  // What comes in behind the bits that wait. The carry goes into the byte held back only if all bits
  // between are ones.
  wire        carry = carry_q || (byte_carry_q && !fills_q && &(bits_q | 10'h3ff >> n_bits_q));
  wire [22:0] bits = {carried, 13'd0} | ({news, 10'd0} >> n_bits_q);
  wire [4:0]  n = {1'b0, n_bits_q} + {1'b0, count};

  // Up to two bytes are held back, and the one before leaves. Behind a byte of ones there are 7 bits, and one
  // bit of room less is left for those that wait. A carry may make ones of the byte held back.
  wire        was_ones = held_valid_q && held_q == 8'hff;
  wire        ones_0 = was_ones || (held_valid_q && carry && held_q == 8'hfe);
  wire        takes_1 = was_ones ? n >= 5'd10 : n >= 5'd11;
  wire [7:0]  left = held_q + {7'd0, carry && !was_ones};
  wire [7:0]  held_1 = ones_0 ? {carry && was_ones, bits[22:16]} : bits[22:15];
  wire        ones_1 = ones_0 ? carry && was_ones && &bits[22:16] : &bits[22:15];
  wire [22:0] bits_1 = ones_0 ? bits << 7 : bits << 8;
  wire        takes_2 = ones_0 ? (ones_1 ? n >= 5'd17 : n >= 5'd18) : (ones_1 ? n >= 5'd18 : n >= 5'd19);
  wire [7:0]  held_2 = ones_1 ? {1'b0, bits_1[22:16]} : bits_1[22:15];
  wire [22:0] bits_2 = !takes_1 ? bits : !takes_2 ? bits_1 : ones_1 ? bits_1 << 7 : bits_1 << 8;
  wire [4:0]  n_bits = !takes_1 ? n : !takes_2 ? n - (ones_0 ? 5'd7 : 5'd8) :
                       n - (ones_0 && ones_1 ? 5'd14 : ones_0 || ones_1 ? 5'd15 : 5'd16);
  wire [1:0]  n_bytes = {takes_1 && takes_2 && held_valid_q, takes_1 && (takes_2 ^ held_valid_q)};
  wire [15:0] bytes = held_valid_q ? {held_1, left} : {8'd0, held_1};

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
        if (takes_1) held_valid_q <= 1'b1;
        carry_q      <= carry && !takes_1;
        bits_q       <= bits_2[22:13];
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
      if (steps && takes_1) held_q <= takes_2 ? held_2 : held_1;
      out_end_q     <= closes_q;
      out_n_bytes_q <= closes_q ? {1'b0, held_valid_q && held_q != 8'hff} : n_bytes;
      out_bytes_q   <= closes_q ? {8'd0, held_q} : bytes;
    end
  end

  wire unused = &{1'b0, bits_2[12:0], n_bits[4]};

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;

  reg [1:0] f_stalls_q;  // in which its output is taken, in a row
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_stalls_q <= 2'd0;
    else if (ready_o) f_stalls_q <= 2'd0;
    else if (!out_valid_q || out_ready_i) f_stalls_q <= f_stalls_q + 2'd1;
  end

  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (kind_i == PART) assume (width_i != 12'd0 && {1'b0, width_i} <= end_i && end_i <= 13'd4096);
    if (kind_i == REST) assume (width_i[11]);
    assume (kind_i != 2'd2);
  end

  always @* if (rst_ni) begin
    // A width is moved up to its place; a step is of three kinds.
    if (width_valid_q) assert (width_kind_q != 2'd2);
    if (width_valid_q && !width_kind_q[1])
      assert (width_q[11] && width_3_q == {2'd0, width_q} + {1'b0, width_q, 1'b0});
    if (width_valid_q && width_kind_q == REST) assert (width_shift_q == 4'd0);
    // A step shifts out 12 bits at most.
    if (width_valid_q && !width_kind_q[1]) assert (width_shift_q <= 4'd11);
    if (product_valid_q) assert (product_shift_q >= 4'd1 && product_shift_q <= 4'd12);
    if (low_valid_q) assert (low_shift_q <= 4'd12);
    if (byte_valid_q) assert (byte_count_q <= 4'd12);
    // The range is normalised.
    assert (range_q[19]);
    // No more than 10 bits wait, behind a byte of ones 9.
    assert (n_bits_q <= 4'd10);
    if (held_valid_q && held_q == 8'hff) assert (n_bits_q <= 4'd9);
    assert (!(fills_q && closes_q));
    // While its output is taken it takes a symbol a cycle, but in the two cycles behind the end of a
    // period.
    if (out_ready_i && !ready_o) assert (fills_q || closes_q);
    assert (f_stalls_q <= 2'd2 - {1'b0, fills_q || closes_q} - {1'b0, fills_q});
  end

  always @(posedge clk_i) if (rst_ni && f_past_q) begin
    cover (out_valid_q && out_n_bytes_q == 2'd2);
    cover (out_valid_q && out_end_q && out_n_bytes_q == 2'd0);
    cover (f_stalls_q == 2'd2);
  end
`endif

endmodule

`default_nettype wire
