// SPDX-License-Identifier: Apache-2.0
// oct_fifo - a FIFO of registers, as the stream buffer and the data buffer are, or of a memory.
//
// Latency: 1 cycle from push to head. ready_o = not full, whatever is popped in the same cycle; or,
// with PASSES, not full or popped, which makes a path from pop_i to ready_o.
// Who pushes looks at ready_o first, and who pops at valid_o; neither is checked here.
//
// WIDTH   bits of a word
// DEPTH   words
// PASSES  1: a word is taken when full if one is popped in the same cycle
// MEMORY  1: words stand in an oct_ram, which reads ahead the next head; one that comes when no other is
//         left goes past it (its BYPASS)
`default_nettype none

module oct_fifo #(
  parameter integer WIDTH  = 8,  // from 1 on
  parameter integer DEPTH  = 2,  // from 1 on
  parameter integer PASSES = 0,  // 0, 1
  parameter integer MEMORY = 0  // 0, 1
) (
  input  wire                         clk_i,
  input  wire                         rst_ni,
  input  wire                         push_i,
  input  wire [WIDTH-1:0]             data_i,
  input  wire                         pop_i,
  output wire                         ready_o,
  output wire                         valid_o,
  output wire [WIDTH-1:0]             data_o,
  output wire [$clog2(DEPTH + 1)-1:0] count_o
);

  localparam integer COUNT_BITS = $clog2(DEPTH + 1);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (WIDTH < 1) begin : gen_illegal_WIDTH
      oct_illegal_WIDTH_expected_1_or_more u_illegal ();
    end
    if (DEPTH < 1) begin : gen_illegal_DEPTH
      oct_illegal_DEPTH_expected_1_or_more u_illegal ();
    end
    if (PASSES != 0 && PASSES != 1) begin : gen_illegal_PASSES
      oct_illegal_PASSES_expected_0_or_1 u_illegal ();
    end
    if (MEMORY != 0 && MEMORY != 1) begin : gen_illegal_MEMORY
      oct_illegal_MEMORY_expected_0_or_1 u_illegal ();
    end
  endgenerate

  localparam integer PTR_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam [31:0] FULL_32 = DEPTH;
  localparam [31:0] LAST_32 = DEPTH - 1;
  localparam [COUNT_BITS-1:0] FULL = FULL_32[COUNT_BITS-1:0];
  localparam [PTR_BITS-1:0]   LAST = LAST_32[PTR_BITS-1:0];

  reg [PTR_BITS-1:0]   head_q, tail_q;
  reg [COUNT_BITS-1:0] count_q;

  assign ready_o = count_q != FULL || (PASSES != 0 && pop_i);
  assign valid_o = count_q != {COUNT_BITS{1'b0}};
  assign count_o = count_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= {PTR_BITS{1'b0}};
      tail_q  <= {PTR_BITS{1'b0}};
      count_q <= {COUNT_BITS{1'b0}};
    end else begin
      if (push_i) tail_q <= tail_q == LAST ? {PTR_BITS{1'b0}} : tail_q + 1'b1;
      if (pop_i)  head_q <= head_q == LAST ? {PTR_BITS{1'b0}} : head_q + 1'b1;
      if (push_i && !pop_i) count_q <= count_q + 1'b1;
      if (pop_i && !push_i) count_q <= count_q - 1'b1;
    end
  end

`ifdef FORMAL
  // Any two words, one pushed after the other, with their places from the head.
  localparam integer F_BITS = COUNT_BITS + 1;
  localparam [31:0] F_DEPTH_32 = DEPTH;
  localparam [F_BITS-1:0] F_DEPTH = F_DEPTH_32[F_BITS-1:0];
  localparam [F_BITS-1:0] F_ONE = 1;
  localparam [F_BITS-1:0] F_NONE = 0;
  (* anyseq *) wire    f_choose;
  reg                  f_a_in_q, f_b_in_q, f_a_seen_q, f_b_seen_q;
  reg [WIDTH-1:0]      f_a_q, f_b_q;
  reg [F_BITS-1:0]     f_a_place_q, f_b_place_q;
  reg [F_BITS-1:0]     f_pushes_q, f_pops_q;
  wire [F_BITS-1:0]    f_count    = {1'b0, count_q};
  wire [F_BITS-1:0]    f_head     = {{(F_BITS-PTR_BITS){1'b0}}, head_q};
  wire [F_BITS-1:0]    f_tail     = {{(F_BITS-PTR_BITS){1'b0}}, tail_q};
  wire                 f_choose_a = push_i && f_choose && !f_a_seen_q;
  wire                 f_choose_b = push_i && f_choose && f_a_seen_q && !f_b_seen_q;
  wire [F_BITS-1:0]    f_a_at     = f_head + f_a_place_q;
  wire [F_BITS-1:0]    f_b_at     = f_head + f_b_place_q;
  wire [F_BITS-1:0]    f_a_wrap   = f_a_at < F_DEPTH ? f_a_at : f_a_at - F_DEPTH;
  wire [F_BITS-1:0]    f_b_wrap   = f_b_at < F_DEPTH ? f_b_at : f_b_at - F_DEPTH;
  // Of a memory only one word is seen: any one.
  wire                 f_is_watched, f_a_good, f_b_good;
`endif

  generate
    if (MEMORY != 0) begin : gen_memory
      wire [PTR_BITS-1:0] next_head = head_q == LAST ? {PTR_BITS{1'b0}} : head_q + 1'b1;

      oct_ram #(
        .WIDTH (WIDTH),
        .DEPTH (DEPTH),
        .BYPASS(1)
      ) u_words (
        .clk_i  (clk_i),
        .we_i   (push_i),
        .waddr_i(tail_q),
        .wdata_i(data_i),
        .re_i   (pop_i || (push_i && !valid_o)),  // else it stays what it is
        .raddr_i(pop_i ? next_head : head_q),
        .rdata_o(data_o)
      );

`ifdef FORMAL
      // Any one word of the RAM, and what is on its output (oct_ram.v).
      (* hierconn *) wire [PTR_BITS-1:0] \u_words.f_watch_addr ;
      (* hierconn *) wire [WIDTH-1:0]    \u_words.f_watch_word ;
      (* hierconn *) wire                \u_words.f_current ;
      (* hierconn *) wire [PTR_BITS-1:0] \u_words.f_raddr ;
      assign f_is_watched = \u_words.f_watch_addr == head_q;
      assign f_a_good = f_a_wrap[PTR_BITS-1:0] != \u_words.f_watch_addr || \u_words.f_watch_word == f_a_q;
      assign f_b_good = f_b_wrap[PTR_BITS-1:0] != \u_words.f_watch_addr || \u_words.f_watch_word == f_b_q;
      always @* if (rst_ni && valid_o) begin
        assert (\u_words.f_current && \u_words.f_raddr == head_q);
        if (f_is_watched) assert (data_o == \u_words.f_watch_word );
      end
`endif
    end else begin : gen_registers
      reg [WIDTH-1:0] word_q [0:DEPTH-1];

      assign data_o = word_q[head_q];

      always @(posedge clk_i) begin
        if (push_i) word_q[tail_q] <= data_i;
      end

`ifdef FORMAL
      assign f_is_watched = 1'b1;
      assign f_a_good = word_q[f_a_wrap[PTR_BITS-1:0]] == f_a_q;
      assign f_b_good = word_q[f_b_wrap[PTR_BITS-1:0]] == f_b_q;
`endif
    end
  endgenerate

`ifdef FORMAL
  // The rule of the inputs: assumed where the FIFO is what is proved, else it is the user's to keep.
`ifdef FORMAL_OCT_FIFO
  `define OCT_FIFO_RULE assume
`else
  `define OCT_FIFO_RULE assert
`endif

  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;

  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (rst_ni) begin
      // Push only when ready, pop only when valid.
      `OCT_FIFO_RULE (!push_i || ready_o);
      `OCT_FIFO_RULE (!pop_i || valid_o);
    end
  end
`undef OCT_FIFO_RULE

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {f_a_in_q, f_b_in_q, f_a_seen_q, f_b_seen_q} <= 4'd0;
      f_pushes_q <= F_NONE;
      f_pops_q   <= F_NONE;
    end else begin
      f_pushes_q <= f_pushes_q + (push_i ? F_ONE : F_NONE);
      f_pops_q   <= f_pops_q + (pop_i ? F_ONE : F_NONE);
      if (f_choose_a) begin
        {f_a_in_q, f_a_seen_q} <= 2'b11;
        f_a_q       <= data_i;
        f_a_place_q <= f_count - (pop_i ? F_ONE : F_NONE);
      end else if (pop_i) begin
        if (f_a_place_q == F_NONE) f_a_in_q <= 1'b0;
        f_a_place_q <= f_a_place_q - F_ONE;
      end
      if (f_choose_b) begin
        {f_b_in_q, f_b_seen_q} <= 2'b11;
        f_b_q       <= data_i;
        f_b_place_q <= f_count - (pop_i ? F_ONE : F_NONE);
      end else if (pop_i) begin
        if (f_b_place_q == F_NONE) f_b_in_q <= 1'b0;
        f_b_place_q <= f_b_place_q - F_ONE;
      end
    end
  end

  always @* if (rst_ni) begin
    // Never more than DEPTH words; ready and valid are what the count says.
    assert (f_count <= F_DEPTH);
    assert (ready_o == (f_count < F_DEPTH || (PASSES != 0 && pop_i)));
    assert (valid_o == (f_count > F_NONE));
    // The count is what was pushed less what was popped.
    assert (f_count == f_pushes_q - f_pops_q);
    // The tail is count words after the head.
    assert (f_head < F_DEPTH);
    assert (f_tail == (f_head + f_count < F_DEPTH ? f_head + f_count : f_head + f_count - F_DEPTH));
    // A word that is in keeps its place in the order and its value, so none is lost;
    if (f_a_in_q) assert (f_a_place_q < f_count && f_a_good);
    if (f_b_in_q) assert (f_b_place_q < f_count && f_b_good);
    // it is offered when its turn comes,
    if (f_is_watched && f_a_in_q && f_a_place_q == F_NONE) assert (data_o == f_a_q);
    if (f_is_watched && f_b_in_q && f_b_place_q == F_NONE) assert (data_o == f_b_q);
    // and what was pushed later stands behind, so none overtakes.
    if (f_a_in_q && f_b_in_q) assert (f_a_place_q < f_b_place_q);
    if (f_b_seen_q || f_a_in_q) assert (f_a_seen_q);
    if (f_b_in_q) assert (f_b_seen_q);
    if (f_a_in_q && f_b_seen_q) assert (f_b_in_q);
  end

  reg             f_stalled_q = 1'b0;
  reg [WIDTH-1:0] f_data_q;
  always @(posedge clk_i) begin
    f_stalled_q <= rst_ni && valid_o && !pop_i;
    f_data_q    <= data_o;
  end

  always @(posedge clk_i) if (rst_ni) begin
    // What is offered stays until it is popped.
    if (f_stalled_q) assert (valid_o && (!f_is_watched || data_o == f_data_q));
  end

`ifdef FORMAL_OCT_FIFO
  always @(posedge clk_i) if (rst_ni) begin
    // Full; empty again after two words went through, of which the second came in later.
    cover (!ready_o);
    cover (f_b_seen_q && !f_b_in_q && !valid_o && (DEPTH == 1 || f_head != F_NONE));
    cover (DEPTH == 1 || (push_i && pop_i));
  end
`endif
`endif

endmodule

`default_nettype wire
