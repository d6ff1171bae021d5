// SPDX-License-Identifier: Apache-2.0
// oct_replace - replacement state of a set-associative memory: which way a new entry takes.
//
// A set's state is read together with the memory's own RAM (read_i). In a later cycle, before the
// next read, victim_o is the way that a new entry takes; use_i says that way_i was found there or
// taken for a new entry (then enter_i too), and writes the state back. No back-pressure.
//   LRU     an age of log2(WAYS) bits per way in RAM; the highest is the least recently used
//   FIFO    a pointer per set in RAM, to the way after the last new one
//   PLRU    a tree of WAYS-1 bits per set in RAM, node i in bit i, each pointing away from the
//           last use
//   random  one 16-bit LFSR for all sets
// Other than with FIFO an invalid way goes first, the lowest of them. A set without a valid way is
// in its first state whatever the RAM holds, so to forget all sets their valid bits suffice, which
// stand with the user, and clear_i for the LFSR; clear_i comes after a use in the same cycle.
//
// SETS     sets
// WAYS     ways, a power of two
// REPL     0 LRU, 1 FIFO, 2 PLRU, 3 random
// RESERVE  1: way 0 of set 0 is never given
// BYPASS   1: a set may be read in the cycle in which its state is written back
module oct_replace #(
  parameter  SETS     = 32,
  parameter  WAYS     = 4,
  parameter  REPL     = 0,
  parameter  RESERVE  = 0,
  parameter  BYPASS   = 1,
  localparam SET_BITS = SETS > 1 ? $clog2(SETS) : 1,
  localparam WAY_BITS = WAYS > 1 ? $clog2(WAYS) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                clear_i,
  input  wire                read_i,
  input  wire [SET_BITS-1:0] read_set_i,
  input  wire [SET_BITS-1:0] set_i,    // that of the last read
  input  wire [WAYS-1:0]     valid_i,  // its valid ways
  input  wire                use_i,
  input  wire                enter_i,
  input  wire [WAY_BITS-1:0] way_i,
  output wire [WAY_BITS-1:0] victim_o
);

  localparam REPL_LRU  = 0;
  localparam REPL_FIFO = 1;
  localparam REPL_PLRU = 2;
  localparam STATE_BITS = REPL == REPL_LRU ? WAYS * WAY_BITS :
                          REPL == REPL_FIFO || WAYS == 1 ? WAY_BITS : WAYS - 1;
  localparam [15:0] LFSR_SEED = 16'hACE1;
  localparam [15:0] LFSR_TAPS = 16'hB400;

  wire reserved, fresh, all_valid;

  assign reserved  = RESERVE != 0 && set_i == {SET_BITS{1'b0}};
  assign fresh     = valid_i == {WAYS{1'b0}};
  assign all_valid = &(valid_i | {{(WAYS-1){1'b0}}, reserved});

  generate
    if (WAYS == 1) begin : g_direct
      wire unused = &{1'b0, clk_i, rst_ni, clear_i, read_i, read_set_i, use_i, enter_i, way_i,
                      fresh, all_valid};
      assign victim_o = 1'b0;
    end else begin : g_ways
      localparam [31:0] LAST_32 = WAYS - 1;
      localparam [WAY_BITS-1:0] LAST = LAST_32[WAY_BITS-1:0];
      localparam [WAY_BITS-1:0] ONE  = 1;

      reg  [WAY_BITS-1:0] lowest_invalid;
      wire [WAY_BITS-1:0] chosen;

      always @* begin : p_lowest_invalid
        integer w;
        lowest_invalid = LAST;
        for (w = WAYS - 2; w >= 0; w = w - 1)
          if (!valid_i[w] && !(w == 0 && reserved)) lowest_invalid = w[WAY_BITS-1:0];
      end

      assign victim_o = REPL == REPL_FIFO || all_valid ? chosen : lowest_invalid;

      if (REPL == REPL_LRU) begin : g_lru
        wire [STATE_BITS-1:0] state_q;
        reg  [STATE_BITS-1:0] age, age_d;
        reg  [WAY_BITS-1:0]   oldest;
        wire [WAY_BITS-1:0]   age_used;

        oct_ram #(
          .WIDTH (STATE_BITS),
          .DEPTH (SETS),
          .BYPASS(BYPASS)
        ) u_state (
          .clk_i  (clk_i),
          .we_i   (use_i),
          .waddr_i(set_i),
          .wdata_i(age_d),
          .re_i   (read_i),
          .raddr_i(read_set_i),
          .rdata_o(state_q)
        );

        // At first way 0 is the oldest; where it is reserved it stays so, and the one before it
        // in age is the victim.
        assign age_used = age[way_i*WAY_BITS +: WAY_BITS];
        assign chosen   = oldest;

        always @* begin : p_age
          integer w;
          oldest = {WAY_BITS{1'b0}};
          for (w = 0; w < WAYS; w = w + 1) begin
            age[w*WAY_BITS +: WAY_BITS] =
              fresh ? ~w[WAY_BITS-1:0] : state_q[w*WAY_BITS +: WAY_BITS];
            if (age[w*WAY_BITS +: WAY_BITS] == (reserved ? LAST - ONE : LAST))
              oldest = oldest | w[WAY_BITS-1:0];
          end
        end

        always @* begin : p_age_d
          integer w;
          for (w = 0; w < WAYS; w = w + 1) begin
            age_d[w*WAY_BITS +: WAY_BITS] = age[w*WAY_BITS +: WAY_BITS];
            if (w[WAY_BITS-1:0] == way_i)
              age_d[w*WAY_BITS +: WAY_BITS] = {WAY_BITS{1'b0}};
            else if (age[w*WAY_BITS +: WAY_BITS] < age_used)
              age_d[w*WAY_BITS +: WAY_BITS] = age[w*WAY_BITS +: WAY_BITS] + ONE;
          end
        end

        wire unused = &{1'b0, rst_ni, clear_i, enter_i};
      end else if (REPL == REPL_FIFO) begin : g_fifo
        wire [STATE_BITS-1:0] state_q;
        wire [WAY_BITS-1:0]   first, next_d;

        oct_ram #(
          .WIDTH (STATE_BITS),
          .DEPTH (SETS),
          .BYPASS(BYPASS)
        ) u_state (
          .clk_i  (clk_i),
          .we_i   (enter_i),
          .waddr_i(set_i),
          .wdata_i(next_d),
          .re_i   (read_i),
          .raddr_i(read_set_i),
          .rdata_o(state_q)
        );

        assign first  = reserved ? ONE : {WAY_BITS{1'b0}};
        assign chosen = fresh ? first : state_q;
        assign next_d = chosen == LAST ? first : chosen + ONE;

        wire unused = &{1'b0, rst_ni, clear_i, use_i, way_i, all_valid, lowest_invalid};
      end else if (REPL == REPL_PLRU) begin : g_plru
        wire [STATE_BITS-1:0] state_q;
        wire [WAYS-1:0]       tree;
        reg  [WAYS-1:0]       tree_d;
        reg  [WAY_BITS-1:0]   leaf;

        oct_ram #(
          .WIDTH (STATE_BITS),
          .DEPTH (SETS),
          .BYPASS(BYPASS)
        ) u_state (
          .clk_i  (clk_i),
          .we_i   (use_i),
          .waddr_i(set_i),
          .wdata_i(tree_d[WAYS-1:1]),
          .re_i   (read_i),
          .raddr_i(read_set_i),
          .rdata_o(state_q)
        );

        // Nodes count from 1 as in a heap, node 0 is none. A leaf is WAYS + way: the way is what
        // is left of it in WAY_BITS bits.
        assign tree   = fresh ? {WAYS{1'b0}} : {state_q, 1'b0};
        assign chosen = reserved && leaf == 0 ? ONE : leaf;

        always @* begin : p_leaf
          integer level;
          leaf = ONE;
          for (level = 0; level < WAY_BITS; level = level + 1)
            leaf = (leaf << 1) | (tree[leaf] ? ONE : 0);
        end

        always @* begin : p_tree_d
          integer level;
          reg [WAY_BITS-1:0] node;
          tree_d = tree;
          node   = ONE;
          for (level = WAY_BITS - 1; level >= 0; level = level - 1) begin
            tree_d[node] = !way_i[level];
            node = (node << 1) | (way_i[level] ? ONE : 0);
          end
        end

        wire unused = &{1'b0, rst_ni, clear_i, enter_i, tree_d[0]};
      end else begin : g_random
        reg  [15:0]         lfsr_q;
        wire [15:0]         lfsr_d;

        assign lfsr_d = {1'b0, lfsr_q[15:1]} ^ (lfsr_q[0] ? LFSR_TAPS : 16'd0);
        assign chosen = reserved && lfsr_d[WAY_BITS-1:0] == 0 ? ONE : lfsr_d[WAY_BITS-1:0];

        always @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) lfsr_q <= LFSR_SEED;
          else if (clear_i) lfsr_q <= LFSR_SEED;
          else if (enter_i && all_valid) lfsr_q <= lfsr_d;
        end

        wire unused = &{1'b0, read_i, read_set_i, use_i, way_i, fresh};
      end
    end
  endgenerate

endmodule
