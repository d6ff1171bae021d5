// SPDX-License-Identifier: Apache-2.0
// oct_fifo_pair - a FIFO that takes one or two words a cycle and gives one: two oct_fifo of memories, of
// which words go to one and the other in turn.
//
// push_i[0]: a word, data_i's lower half; push_i[1]: its upper half, behind that, and never without it.
// ready_o[0]: there is room for one; ready_o[1]: for two. Neither sees what is popped in the same cycle.
// Latency: 1 cycle from push to head. Who pushes looks at ready_o first, and who pops at valid_o.
//
// WIDTH  bits of a word
// DEPTH  words, even
// PAIRS  0: push_i[1] never comes, and one oct_fifo is all there is
`default_nettype none

module oct_fifo_pair #(
  parameter integer WIDTH = 8,  // from 1 on
  parameter integer DEPTH = 4,  // even, from 2 on
  parameter integer PAIRS = 1  // 0, 1
) (
  input  wire                         clk_i,
  input  wire                         rst_ni,
  input  wire [1:0]                   push_i,
  input  wire [2*WIDTH-1:0]           data_i,
  input  wire                         pop_i,
  output wire [1:0]                   ready_o,
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
    if (DEPTH < 2 || DEPTH % 2 != 0) begin : gen_illegal_DEPTH
      oct_illegal_DEPTH_expected_an_even_number_from_2_on u_illegal ();
    end
    if (PAIRS != 0 && PAIRS != 1) begin : gen_illegal_PAIRS
      oct_illegal_PAIRS_expected_0_or_1 u_illegal ();
    end
  endgenerate

  generate
    if (PAIRS != 0) begin : gen_pairs
      localparam integer HALF_BITS = $clog2(DEPTH / 2 + 1);
      reg                   head_q, tail_q;  // the half whose turn it is
      wire [1:0]            ready, valid, push, pop;
      wire [WIDTH-1:0]      first = data_i[WIDTH-1:0], second = data_i[WIDTH +: WIDTH];
      wire [2*WIDTH-1:0]    data = tail_q ? {first, second} : {second, first};
      wire [2*WIDTH-1:0]    head;
      wire [2*HALF_BITS-1:0] count;

      assign push    = tail_q ? {push_i[0], push_i[1]} : push_i;
      assign pop     = {pop_i && head_q, pop_i && !head_q};
      assign ready_o = {&ready, tail_q ? ready[1] : ready[0]};
      assign valid_o = head_q ? valid[1] : valid[0];
      assign data_o  = head_q ? head[WIDTH +: WIDTH] : head[WIDTH-1:0];
      assign count_o = {{(COUNT_BITS - HALF_BITS){1'b0}}, count[HALF_BITS-1:0]} +
                       {{(COUNT_BITS - HALF_BITS){1'b0}}, count[HALF_BITS +: HALF_BITS]};

      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          head_q <= 1'b0;
          tail_q <= 1'b0;
        end else begin
          head_q <= head_q ^ pop_i;
          tail_q <= tail_q ^ push_i[0] ^ push_i[1];
        end
      end

      genvar g;
      for (g = 0; g < 2; g = g + 1) begin : gen_half
        oct_fifo #(
          .WIDTH (WIDTH),
          .DEPTH (DEPTH / 2),
          .MEMORY(1)
        ) u_fifo (
          .clk_i  (clk_i),
          .rst_ni (rst_ni),
          .push_i (push[g]),
          .data_i (data[WIDTH*g +: WIDTH]),
          .pop_i  (pop[g]),
          .ready_o(ready[g]),
          .valid_o(valid[g]),
          .data_o (head[WIDTH*g +: WIDTH]),
          .count_o(count[HALF_BITS*g +: HALF_BITS])
        );
      end

`ifdef FORMAL
      // The halves hold equally many, or the one whose turn it is to give has one more.
      wire [HALF_BITS-1:0] f_head = head_q ? count[HALF_BITS +: HALF_BITS] : count[HALF_BITS-1:0];
      wire [HALF_BITS-1:0] f_other = head_q ? count[HALF_BITS-1:0] : count[HALF_BITS +: HALF_BITS];
      always @* if (rst_ni) assert (f_head == f_other + {{(HALF_BITS - 1){1'b0}}, head_q != tail_q});
`endif
    end else begin : gen_single
      wire ready;
      wire unused = &{1'b0, push_i[1], data_i[WIDTH +: WIDTH]};

      assign ready_o = {1'b0, ready};

      oct_fifo #(
        .WIDTH (WIDTH),
        .DEPTH (DEPTH),
        .MEMORY(1)
      ) u_fifo (
        .clk_i  (clk_i),
        .rst_ni (rst_ni),
        .push_i (push_i[0]),
        .data_i (data_i[WIDTH-1:0]),
        .pop_i  (pop_i),
        .ready_o(ready),
        .valid_o(valid_o),
        .data_o (data_o),
        .count_o(count_o)
      );
    end
  endgenerate

`ifdef FORMAL
  // The rules of the inputs: assumed where this FIFO is what is proved, else they are the user's to keep.
`ifdef FORMAL_OCT_FIFO_PAIR
  `define OCT_FIFO_PAIR_RULE assume
`else
  `define OCT_FIFO_PAIR_RULE assert
`endif
  localparam [31:0] F_DEPTH_32 = DEPTH;
  localparam [COUNT_BITS-1:0] F_DEPTH = F_DEPTH_32[COUNT_BITS-1:0];

  initial assume (!rst_ni);
  always @* if (rst_ni) begin
    `OCT_FIFO_PAIR_RULE (!push_i[0] || ready_o[0]);
    `OCT_FIFO_PAIR_RULE (!push_i[1] || (push_i[0] && ready_o[1]));
    `OCT_FIFO_PAIR_RULE (!pop_i || valid_o);
    // While there is room a word is taken, and two where there is room for two: nothing is lost.
    assert (count_o <= F_DEPTH && valid_o == (count_o != {COUNT_BITS{1'b0}}));
    assert (ready_o[0] == (count_o != F_DEPTH));
    if (PAIRS != 0) assert (ready_o[1] == (F_DEPTH - count_o > 1));
  end
`undef OCT_FIFO_PAIR_RULE

`ifdef FORMAL_OCT_FIFO_PAIR
`ifndef FORMAL_INDUCTION  // what stands in the memories: their own proofs see one word alone
  // Any word: it is given when all that came before it have been, and as it was.
  (* anyseq *) wire    f_choose;
  reg                  f_in_q, f_seen_q;
  reg [WIDTH-1:0]      f_word_q;
  reg [COUNT_BITS-1:0] f_place_q;
  wire                 f_second = push_i[1] && f_choose;
  wire                 f_takes = !f_seen_q && (f_second || (push_i == 2'b01 && f_choose));
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {f_in_q, f_seen_q} <= 2'b00;
    end else if (f_takes) begin
      {f_in_q, f_seen_q} <= 2'b11;
      f_word_q           <= f_second ? data_i[WIDTH +: WIDTH] : data_i[WIDTH-1:0];
      f_place_q          <= count_o + {{(COUNT_BITS - 1){1'b0}}, f_second} - {{(COUNT_BITS - 1){1'b0}}, pop_i};
    end else if (pop_i && f_in_q) begin
      f_in_q    <= f_place_q != {COUNT_BITS{1'b0}};
      f_place_q <= f_place_q - 1'b1;
    end
  end
  always @* if (rst_ni && f_in_q) begin
    assert (f_place_q < count_o);
    if (f_place_q == {COUNT_BITS{1'b0}}) assert (data_o == f_word_q);
  end
  always @* if (rst_ni) begin
    cover (f_seen_q && !f_in_q && !valid_o);
    cover (count_o == F_DEPTH && f_in_q);
    cover (push_i == 2'b11 && pop_i);
  end
`endif
`endif
`endif

endmodule

`default_nettype wire
