// SPDX-License-Identifier: Apache-2.0
// oct_shadow_prob - a table of adaptive probabilities: read, learn and write back in one cycle.
// docs/shadow-format.md, section 5; model/shadow/oct_shadow_prob.h.
//
// Latency: 1 cycle from read_i to p_o, the probability of a 1 that the coder takes. With learn_i the
// entry that was read last learns bit_i; a read in that cycle finds what it learnt. Between two
// learn_i there is a read_i. No back-pressure. clear_i returns all to one half, what is learnt with
// it included. An entry that is not valid is one half with count 0.
//
// KIND     0 wide: 22 bits and a count of 5; 1 narrow: 13 and 3; 2 branch: 10 and 2
// ENTRIES  a power of two from 2 on
`default_nettype none

module oct_shadow_prob #(
  parameter  integer KIND       = 0,
  parameter  integer ENTRIES    = 32,
  localparam integer INDEX_BITS = $clog2(ENTRIES)
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  clear_i,
  input  wire                  read_i,
  input  wire [INDEX_BITS-1:0] index_i,
  output wire [15:0]           p_o,      // of 65536; of a branch, of 4096
  input  wire                  learn_i,
  input  wire                  bit_i,
  input  wire [3:0]            limit_i   // slowest rate, a shift: 1 to 8
);

  localparam integer VALUE_BITS = KIND == 0 ? 22 : KIND == 1 ? 13 : 10;
  localparam integer COUNT_BITS = KIND == 0 ? 5 : KIND == 1 ? 3 : 2;
  localparam integer WIDTH      = VALUE_BITS + COUNT_BITS;
  localparam [VALUE_BITS-1:0] HALF = {1'b1, {(VALUE_BITS - 1){1'b0}}};

  reg  [INDEX_BITS-1:0] index_q;
  wire                  is_valid;
  wire [WIDTH-1:0]      stored;
  wire [VALUE_BITS-1:0] value = is_valid ? stored[WIDTH-1:COUNT_BITS] : HALF;
  wire [COUNT_BITS-1:0] count = is_valid ? stored[COUNT_BITS-1:0] : {COUNT_BITS{1'b0}};
  wire [COUNT_BITS-1:0] next_count = &count ? count : count + {{(COUNT_BITS - 1){1'b0}}, 1'b1};
  reg  [3:0]            rate;

  // By the count, but not above the limit.
  generate
    if (KIND == 0) begin : gen_wide
      wire [4:0] by_count = {1'b0, count[COUNT_BITS-1:1]} + 5'd1;
      always @* rate = by_count > {1'b0, limit_i} ? limit_i : by_count[3:0];
      assign p_o = value[VALUE_BITS-1:6] == 16'd0 ? 16'd1 : value[VALUE_BITS-1:6];
    end else if (KIND == 1) begin : gen_narrow
      wire [3:0] by_count = {2'd0, count[COUNT_BITS-1:1]} + 4'd1 + {3'd0, count[0]};
      always @* rate = &count || by_count > limit_i ? limit_i : by_count;
      assign p_o = {value, 3'd4};
    end else begin : gen_branch
      wire [3:0] by_count = {2'd0, count} + 4'd1;
      always @* rate = &count || by_count > limit_i ? limit_i : by_count;
      assign p_o = {4'd0, value, 2'd2};
    end
  endgenerate

  // What it learns: the distance to its end, rounded, moved down by the rate. Of wide ones nothing is
  // rounded; of narrow ones a 0 is rounded by one less, so that it stays above 0.
  wire [VALUE_BITS-1:0] distance = bit_i ? ~value : value;
  wire [VALUE_BITS:0]   one = {{VALUE_BITS{1'b0}}, 1'b1};
  wire [VALUE_BITS:0]   rounding = KIND == 0 ? {(VALUE_BITS + 1){1'b0}} :
                                   (one << (rate - 4'd1)) - (KIND == 1 && !bit_i ? one : {(VALUE_BITS + 1){1'b0}});
  wire [VALUE_BITS:0]   step = ({1'b0, distance} + rounding) >> rate;
  wire [VALUE_BITS-1:0] learnt = bit_i ? value + step[VALUE_BITS-1:0] : value - step[VALUE_BITS-1:0];

  always @(posedge clk_i) if (read_i) index_q <= index_i;

  oct_ram #(
    .WIDTH (WIDTH),
    .DEPTH (ENTRIES),
    .BYPASS(1)
  ) u_ram (
    .clk_i  (clk_i),
    .we_i   (learn_i),
    .waddr_i(index_q),
    .wdata_i({learnt, next_count}),
    .re_i   (read_i),
    .raddr_i(index_i),
    .rdata_o(stored)
  );

  oct_valid #(
    .ENTRIES(ENTRIES),
    .WAYS   (1),
    .BYPASS (1)
  ) u_valid (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(clear_i),
    .enter_i(learn_i),
    .entry_i(index_q),
    .read_i (read_i),
    .first_i(index_i),
    .valid_o(is_valid)
  );

  wire unused = &{1'b0, step[VALUE_BITS]};

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (learn_i) assume (limit_i >= 4'd1 && limit_i <= 4'd8);
  end

  always @* if (rst_ni && learn_i && limit_i != 4'd0) begin
    // Neither outcome becomes certain, what is learnt moves towards the outcome, or stays.
    assert (p_o != 16'd0);
    assert (bit_i ? learnt >= value : learnt <= value);
  end

  always @(posedge clk_i) if (rst_ni && f_past_q) begin
    cover (learn_i && bit_i && &count && value != learnt);
    cover (is_valid && clear_i && read_i);
  end
`endif

endmodule

`default_nettype wire
