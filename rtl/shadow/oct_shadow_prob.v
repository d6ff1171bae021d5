// SPDX-License-Identifier: Apache-2.0
// oct_shadow_prob - a table of adaptive probabilities: read, learn and write back in one cycle.
// docs/shadow-format.md, section 5; model/shadow/oct_shadow_prob.h.
//
// Latency: 1 cycle from read_i to p_o, the probability of a 1. With learn_i the
// entry that was read last learns bit_i; a read in that cycle finds what it learnt. Between two
// learn_i there is a read_i. No back-pressure. clear_i returns all to one half, what is learnt with
// it included. An entry that is not valid is one half with count 0.
//
// A word of memory is a row of four entries, above them their valid bits. A row has one flip-flop, which says that it
// was written since the last clear; if not, none of its entries is valid. A row is written as it was read, but for the
// entry that learns. Beside a row that is read is what was learnt in that cycle, if it is of the same row: one entry.
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
  localparam integer LANE_BITS  = INDEX_BITS < 2 ? INDEX_BITS : 2;
  localparam integer LANES      = 1 << LANE_BITS;
  localparam integer ROW_BITS   = INDEX_BITS > LANE_BITS ? INDEX_BITS - LANE_BITS : 1;
  localparam integer ROWS       = 1 << ROW_BITS;  // a power of two, as memory compilers make them

  localparam integer VALUE_BITS = IS_BRANCH != 0 ? 10 : 13;
  localparam integer COUNT_BITS = IS_BRANCH != 0 ? 2 : 3;
  localparam integer FAST       = IS_BRANCH != 0 ? 1 : 2;
  localparam integer SLOW       = IS_BRANCH != 0 ? LIMIT : 5;
  localparam integer WIDTH      = VALUE_BITS + COUNT_BITS;
  localparam [VALUE_BITS-1:0] HALF = {1'b1, {(VALUE_BITS - 1){1'b0}}};
  // Upwards the distance is one less than downwards; that of a branch is rounded.
  localparam [VALUE_BITS-1:0] UP = HALF + ((HALF - 1'b1) >> FAST) + {{(VALUE_BITS - 1){1'b0}}, IS_BRANCH != 0};

  // The first cycle clears, in place of a reset: a flip-flop with reset is almost twice as large as one without.
  reg                    begun_q;
  wire                   clears = clear_i || !begun_q;
  reg  [ROWS-1:0]        written_q;
  reg                    is_old_q;    // the row at hand was written before it was read
  reg                    passed_q;    // or while it was: this entry,
  reg  [LANE_BITS-1:0]   passed_lane_q;
  reg                    is_passed_q; // which is the one at hand
  reg  [WIDTH-1:0]       passed_entry_q;
  reg  [ROW_BITS-1:0]    row_q;
  reg  [LANE_BITS-1:0]   lane_q;
  wire [INDEX_BITS:0]    index = {1'b0, index_i};
  wire [ROW_BITS-1:0]    row = index[LANE_BITS +: ROW_BITS];
  wire [LANE_BITS-1:0]   lane = index_i[LANE_BITS-1:0];
  wire                   passes = learn_i && row_q == row;
  wire [LANES-1:0]       stored_valid;
  wire [LANES*WIDTH-1:0] stored_row;
  wire                   is_valid = is_passed_q || (is_old_q && stored_valid[lane_q]);
  wire [WIDTH-1:0]       stored = is_passed_q ? passed_entry_q : stored_row[lane_q*WIDTH +: WIDTH];
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

  reg  [LANES-1:0]       valid_now, valid_d;
  reg  [LANES*WIDTH-1:0] row_now, row_d;

  always @* begin : p_row
    integer i;
    for (i = 0; i < LANES; i = i + 1) begin
      valid_now[i] = is_old_q && stored_valid[i];
      row_now[i*WIDTH +: WIDTH] = stored_row[i*WIDTH +: WIDTH];
      if (passed_q && passed_lane_q == i[LANE_BITS-1:0]) begin
        valid_now[i] = 1'b1;
        row_now[i*WIDTH +: WIDTH] = passed_entry_q;
      end
      valid_d[i] = lane_q == i[LANE_BITS-1:0] || valid_now[i];
      row_d[i*WIDTH +: WIDTH] = lane_q == i[LANE_BITS-1:0] ? {learnt, learnt_count} : row_now[i*WIDTH +: WIDTH];
    end
  end

  oct_ram #(
    .WIDTH(LANES * WIDTH + LANES),
    .DEPTH(ROWS)
  ) u_ram (
    .clk_i  (clk_i),
    .we_i   (learn_i),
    .waddr_i(row_q),
    .wdata_i({valid_d, row_d}),
    .re_i   (read_i),
    .raddr_i(row),
    .rdata_o({stored_valid, stored_row})
  );

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begun_q <= 1'b0;
    else begun_q <= 1'b1;
  end

  always @(posedge clk_i) begin
    if (clears) begin
      written_q <= {ROWS{1'b0}};
      {is_old_q, passed_q, is_passed_q} <= 3'd0;
    end else begin
      if (learn_i) written_q[row_q] <= 1'b1;
      if (read_i) begin
        is_old_q    <= written_q[row];
        passed_q    <= passes;
        is_passed_q <= passes && lane_q == lane;
      end
    end
  end

  always @(posedge clk_i) begin
    if (read_i) begin
      row_q          <= row;
      lane_q         <= lane;
      passed_lane_q  <= lane_q;
      passed_entry_q <= {learnt, learnt_count};
    end
  end

  wire unused = &{1'b0, index};

`ifdef FORMAL
  reg f_past_q = 1'b0;
  reg f_read_q;     // an entry is at hand,
  reg f_learnt_q;   // and has learnt
  reg f_cleared_q;  // or was there at a clear
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {f_read_q, f_learnt_q, f_cleared_q} <= 3'd0;
    else begin
      f_read_q    <= f_read_q || read_i;
      f_learnt_q  <= !read_i && (learn_i || f_learnt_q);
      f_cleared_q <= clear_i || (f_cleared_q && !read_i);
    end
  end
  always @* begin
    if (!f_past_q) assume (!rst_ni);
    // Only an entry that was read learns, and once.
    if (learn_i) assume (rst_ni && f_read_q && !f_learnt_q);
  end

  // What is learnt moves towards the outcome, or stays.
  always @* if (rst_ni && learn_i) assert (bit_i ? learnt >= value_now : learnt <= value_now);

  // Any one entry, and what it learnt last since the clear.
  (* anyconst *) reg [INDEX_BITS-1:0] f_watch;
  (* hierconn *) wire [ROW_BITS-1:0]  \u_ram.f_watch_addr ;
  (* hierconn *) wire [LANES*WIDTH+LANES-1:0] \u_ram.f_watch_word ;
  (* hierconn *) wire [ROW_BITS-1:0]  \u_ram.f_raddr ;
  wire [INDEX_BITS:0]  f_index = {1'b0, f_watch};
  wire [LANE_BITS-1:0] f_lane = f_watch[LANE_BITS-1:0];
  wire [ROW_BITS-1:0]  f_row = f_index[LANE_BITS +: ROW_BITS];
  wire                 f_here = row_q == f_row && lane_q == f_lane;
  reg                  f_is_valid_q;
  reg  [WIDTH-1:0]     f_value_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_is_valid_q <= 1'b0;
    else if (clear_i) f_is_valid_q <= 1'b0;
    else if (learn_i && f_here) f_is_valid_q <= 1'b1;
  end
  always @(posedge clk_i) if (learn_i && f_here) f_value_q <= {learnt, learnt_count};

  always @* assume (\u_ram.f_watch_addr == f_row);

  always @* if (rst_ni && !begun_q) assert (!f_read_q && !f_is_valid_q);
  always @* if (rst_ni && begun_q) begin
    assert (f_is_valid_q == (written_q[f_row] && \u_ram.f_watch_word [LANES*WIDTH+f_lane]));
    if (f_is_valid_q) assert (\u_ram.f_watch_word [f_lane*WIDTH +: WIDTH] == f_value_q);
    if (!f_read_q) assert (!is_old_q && !passed_q);
    assert (is_passed_q == (passed_q && passed_lane_q == lane_q));
    if (f_read_q) assert (\u_ram.f_raddr == row_q);
    if (f_cleared_q && !f_learnt_q) assert (!written_q[f_row]);
    // What is at hand is the row, until it learns, or all are cleared.
    if (f_read_q && row_q == f_row && !f_learnt_q) begin
      assert ((is_old_q || passed_q) == (written_q[f_row] && !f_cleared_q));
      if (!f_cleared_q) begin
        assert (valid_now[f_lane] == f_is_valid_q);
        if (f_is_valid_q) assert (row_now[f_lane*WIDTH +: WIDTH] == f_value_q);
      end
    end
    if (f_read_q && f_here && !f_learnt_q && !f_cleared_q)
      assert (is_valid == f_is_valid_q && (!is_valid || stored == f_value_q));
  end

  always @(posedge clk_i) if (rst_ni && f_past_q) begin
    cover (learn_i && bit_i && is_valid && &count && value != learnt);
    cover (is_valid && clear_i && read_i);
  end
`endif

endmodule

`default_nettype wire
