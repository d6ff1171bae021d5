// SPDX-License-Identifier: Apache-2.0
// oct_shadow_prob - a table of adaptive probabilities: read, learn and write back in one cycle.
// docs/shadow-format.md, section 5; model/shadow/oct_shadow_prob.h.
//
// Latency: 1 cycle from read_i to p_o, the probability of a 1. With learn_i the
// entry that was read last learns bit_i; a read in that cycle finds what it learnt. Between two
// learn_i there is a read_i. No back-pressure. clear_i returns all to one half, what is learnt with
// it included. An entry that is not valid is one half with count 0.
//
// IS_BRANCH  0: 13 bits and a count of 3; 1: that of a branch, 10 and 2
// LIMIT      slowest rate of a branch, a shift
// ENTRIES    from 2 on
`default_nettype none

module oct_shadow_prob #(
  parameter integer IS_BRANCH = 0,
  parameter integer LIMIT     = 4,
  parameter integer ENTRIES   = 32
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  input  wire                       clear_i,
  input  wire                       read_i,
  input  wire [$clog2(ENTRIES)-1:0] index_i,
  output wire [11:0]                p_o,  // of 4096; of a branch, of 1024
  input  wire                       learn_i,
  input  wire                       bit_i
);

  localparam integer INDEX_BITS = $clog2(ENTRIES);

  localparam integer VALUE_BITS = IS_BRANCH != 0 ? 10 : 13;
  localparam integer COUNT_BITS = IS_BRANCH != 0 ? 2 : 3;
  localparam integer FAST       = IS_BRANCH != 0 ? 1 : 2;
  localparam integer SLOW       = IS_BRANCH != 0 ? LIMIT : 5;
  localparam integer WIDTH      = VALUE_BITS + COUNT_BITS;
  localparam [VALUE_BITS-1:0] HALF = {1'b1, {(VALUE_BITS - 1){1'b0}}};
  // Upwards the distance is one less than downwards; that of a branch is rounded.
  localparam [VALUE_BITS-1:0] UP = HALF + ((HALF - 1'b1) >> FAST) + {{(VALUE_BITS - 1){1'b0}}, IS_BRANCH != 0};

  reg  [INDEX_BITS-1:0] index_q;
  wire                  is_valid;
  wire [WIDTH-1:0]      stored;
  wire [VALUE_BITS-1:0] value = stored[WIDTH-1:COUNT_BITS];
  wire [COUNT_BITS-1:0] count = stored[COUNT_BITS-1:0];
  wire [COUNT_BITS-1:0] next_count = &count ? count : count + {{(COUNT_BITS - 1){1'b0}}, 1'b1};

  // What it learns: the distance to its end, moved down by one of two rates. That of a branch is rounded.
  wire [VALUE_BITS-1:0] distance = bit_i ? ~value : value;
  wire [VALUE_BITS-1:0] shifted = &count ? distance >> SLOW : distance >> FAST;
  wire                  is_up = IS_BRANCH != 0 && (&count ? distance[SLOW-1] : distance[FAST-1]);
  // One adder: value + shifted + is_up, or value - shifted - is_up.
  wire [VALUE_BITS-1:0] moved = value + (shifted ^ {VALUE_BITS{!bit_i}}) + {{(VALUE_BITS - 1){1'b0}}, is_up ^ !bit_i};

  // The same from one half, at hand before it is known whether the entry is valid.
  localparam [VALUE_BITS-1:0] FROM_HALF = HALF >> FAST;
  wire [VALUE_BITS-1:0] learnt = is_valid ? moved : bit_i ? UP : HALF - FROM_HALF;
  wire [COUNT_BITS-1:0] learnt_count = is_valid ? next_count : {{(COUNT_BITS - 1){1'b0}}, 1'b1};
  wire [VALUE_BITS-1:0] value_now = is_valid ? value : HALF;

  generate
    if (IS_BRANCH != 0) begin : gen_branch
      assign p_o = {2'd0, value_now[9:0]};
    end else begin : gen_other
      assign p_o = value_now[VALUE_BITS-1:1];
      wire unused = &{1'b0, value_now[0]};
    end
  endgenerate

  always @(posedge clk_i) if (read_i) index_q <= index_i;

  oct_ram #(
    .WIDTH (WIDTH),
    .DEPTH (ENTRIES),
    .BYPASS(1)
  ) u_ram (
    .clk_i  (clk_i),
    .we_i   (learn_i),
    .waddr_i(index_q),
    .wdata_i({learnt, learnt_count}),
    .re_i   (read_i),
    .raddr_i(index_i),
    .rdata_o(stored)
  );

  oct_valid_rows #(
    .ENTRIES(ENTRIES)
  ) u_valid (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(clear_i),
    .enter_i(learn_i),
    .read_i (read_i),
    .entry_i(index_i),
    .valid_o(is_valid)
  );

`ifdef FORMAL
  (* hierconn *) wire \u_valid.f_read_q ;
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* begin
    if (!f_past_q) assume (!rst_ni);
    // Only an entry that was read learns.
    if (learn_i) assume (rst_ni && \u_valid.f_read_q );
  end

  // What is learnt moves towards the outcome, or stays.
  always @* if (rst_ni && learn_i) assert (bit_i ? learnt >= value_now : learnt <= value_now);

  always @(posedge clk_i) if (rst_ni && f_past_q) begin
    cover (learn_i && bit_i && is_valid && &count && value != learnt);
    cover (is_valid && clear_i && read_i);
  end
`endif

endmodule

`default_nettype wire
