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
`default_nettype none

module oct_replace #(
  parameter integer SETS    = 32,
  parameter integer WAYS    = 4,
  parameter integer REPL    = 0,
  parameter integer RESERVE = 0,
  parameter integer BYPASS  = 1
) (
  input  wire                                     clk_i,
  input  wire                                     rst_ni,
  input  wire                                     clear_i,
  input  wire                                     read_i,
  input  wire [(SETS > 1 ? $clog2(SETS) : 1)-1:0] read_set_i,
  input  wire [(SETS > 1 ? $clog2(SETS) : 1)-1:0] set_i,    // that of the last read
  input  wire [WAYS-1:0]                          valid_i,  // its valid ways, when it is used
  input  wire                                     use_i,
  input  wire                                     enter_i,
  input  wire [(WAYS > 1 ? $clog2(WAYS) : 1)-1:0] way_i,
  output wire [(WAYS > 1 ? $clog2(WAYS) : 1)-1:0] victim_o
);

  localparam integer SET_BITS = SETS > 1 ? $clog2(SETS) : 1;
  localparam integer WAY_BITS = WAYS > 1 ? $clog2(WAYS) : 1;

`include "oct_types.vh"

  localparam integer STATE_BITS = REPL == REPL_LRU ? WAYS * WAY_BITS :
                          REPL == REPL_FIFO || WAYS == 1 ? WAY_BITS : WAYS - 1;
  localparam [15:0] LFSR_SEED = 16'hACE1;
  localparam [15:0] LFSR_TAPS = 16'hB400;

  wire reserved, fresh, all_valid;

  assign reserved  = RESERVE != 0 && set_i == {SET_BITS{1'b0}};
  assign fresh     = valid_i == {WAYS{1'b0}};
  assign all_valid = &(valid_i | {{(WAYS-1){1'b0}}, reserved});

  generate
    if (WAYS == 1) begin : gen_direct
      wire unused = &{1'b0, clk_i, rst_ni, clear_i, read_i, read_set_i, use_i, enter_i, way_i,
                      fresh, all_valid};
      assign victim_o = 1'b0;
    end else begin : gen_ways
      localparam [31:0] LAST_32 = WAYS - 1;
      localparam [WAY_BITS-1:0] LAST = LAST_32[WAY_BITS-1:0];
      localparam [WAY_BITS-1:0] SECOND = 1;  // the first way where way 0 is reserved

      reg  [WAY_BITS-1:0] lowest_invalid;
      wire [WAY_BITS-1:0] chosen;

      always @* begin : p_lowest_invalid
        integer w;
        lowest_invalid = LAST;
        for (w = WAYS - 2; w >= 0; w = w - 1)
          if (!valid_i[w] && !(w == 0 && reserved)) lowest_invalid = w[WAY_BITS-1:0];
      end

      assign victim_o = REPL == REPL_FIFO || all_valid ? chosen : lowest_invalid;

      if (REPL == REPL_RANDOM) begin : gen_random
        reg  [15:0] lfsr_q;
        wire [15:0] lfsr_d;

        assign lfsr_d = {1'b0, lfsr_q[15:1]} ^ (lfsr_q[0] ? LFSR_TAPS : 16'd0);
        assign chosen = reserved && lfsr_d[WAY_BITS-1:0] == 0 ? SECOND : lfsr_d[WAY_BITS-1:0];

        always @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) lfsr_q <= LFSR_SEED;
          else if (clear_i) lfsr_q <= LFSR_SEED;
          else if (enter_i && all_valid) lfsr_q <= lfsr_d;
        end

        wire unused = &{1'b0, read_i, read_set_i, use_i, way_i, fresh};
      end else begin : gen_state
        wire [STATE_BITS-1:0] state_q, state_d;

        oct_ram #(
          .WIDTH (STATE_BITS),
          .DEPTH (SETS),
          .BYPASS(BYPASS)
        ) u_state (
          .clk_i  (clk_i),
          .we_i   (REPL == REPL_FIFO ? enter_i : use_i),
          .waddr_i(set_i),
          .wdata_i(state_d),
          .re_i   (read_i),
          .raddr_i(read_set_i),
          .rdata_o(state_q)
        );
`ifdef FORMAL
        // For the properties: any one word of the RAM, and what is on its output (oct_ram.v).
        (* hierconn *) wire [SET_BITS-1:0]   \u_state.f_watch_addr ;
        (* hierconn *) wire [STATE_BITS-1:0] \u_state.f_watch_word ;
        (* hierconn *) wire                  \u_state.f_current ;
        (* hierconn *) wire [SET_BITS-1:0]   \u_state.f_raddr ;
        wire [SET_BITS-1:0]   f_set     = \u_state.f_watch_addr ;
        wire [STATE_BITS-1:0] f_word    = \u_state.f_watch_word ;
        wire                  f_current = \u_state.f_current ;
        wire [SET_BITS-1:0]   f_read    = \u_state.f_raddr ;
`endif

        wire unused = &{1'b0, rst_ni, clear_i};

        if (REPL == REPL_LRU) begin : gen_lru
          reg  [STATE_BITS-1:0] age, age_d;
          reg  [WAY_BITS-1:0]   oldest;
          wire [WAY_BITS-1:0]   age_used;

          // At first way 0 is the oldest; where it is reserved it stays so, and the next in age is
          // the victim.
          assign age_used = age[way_i*WAY_BITS +: WAY_BITS];
          assign chosen   = oldest;
          assign state_d  = age_d;

          wire unused_lru = &{1'b0, enter_i};

          always @* begin : p_age
            integer w;
            oldest = {WAY_BITS{1'b0}};
            for (w = 0; w < WAYS; w = w + 1) begin
              age[w*WAY_BITS +: WAY_BITS] =
                fresh ? ~w[WAY_BITS-1:0] : state_q[w*WAY_BITS +: WAY_BITS];
              if (age[w*WAY_BITS +: WAY_BITS] == (reserved ? LAST - 1'b1 : LAST))
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
                age_d[w*WAY_BITS +: WAY_BITS] = age[w*WAY_BITS +: WAY_BITS] + 1'b1;
            end
          end
        end else if (REPL == REPL_FIFO) begin : gen_fifo
          wire [WAY_BITS-1:0] first;

          assign first   = reserved ? SECOND : {WAY_BITS{1'b0}};
          assign chosen  = fresh ? first : state_q;
          assign state_d = chosen == LAST ? first : chosen + 1'b1;

          wire unused_fifo = &{1'b0, use_i, way_i, all_valid, lowest_invalid};
        end else begin : gen_plru
          localparam [WAY_BITS-1:0] ROOT  = 1;
          localparam [WAY_BITS-1:0] RIGHT = 1;
          wire [WAYS-1:0]     tree;
          reg  [WAYS-1:0]     tree_d;
          reg  [WAY_BITS-1:0] leaf;

          // Nodes count from 1 as in a heap, node 0 is none. A leaf is WAYS + way: the way is what
          // is left of it in WAY_BITS bits.
          assign tree    = fresh ? {WAYS{1'b0}} : {state_q, 1'b0};
          assign chosen  = reserved && leaf == 0 ? SECOND : leaf;
          assign state_d = tree_d[WAYS-1:1];

          always @* begin : p_leaf
            integer level;
            leaf = ROOT;
            for (level = 0; level < WAY_BITS; level = level + 1)
              leaf = (leaf << 1) | (tree[leaf] ? RIGHT : 0);
          end

          always @* begin : p_tree_d
            integer level;
            reg [WAY_BITS-1:0] node;
            tree_d = tree;
            node   = ROOT;
            for (level = WAY_BITS - 1; level >= 0; level = level - 1) begin
              tree_d[node] = !way_i[level];
              node = (node << 1) | (way_i[level] ? RIGHT : 0);
            end
          end

          wire unused_plru = &{1'b0, enter_i, tree_d[0]};
        end
      end
    end
  endgenerate

`ifdef FORMAL
  // The rule of the inputs: assumed where this module is what is proved, else it is the user's.
`ifdef FORMAL_OCT_REPLACE
  `define OCT_REPLACE_RULE assume
`else
  `define OCT_REPLACE_RULE assert
`endif

  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  // Any one set: its valid ways, the way entered last and the way used last; and which of any two
  // of its ways was used last.
  (* anyconst *) reg [SET_BITS-1:0] f_watch_set;
  (* anyconst *) reg [WAY_BITS-1:0] f_i, f_j;
  reg                f_read_q;   // a set was read, and not used since
  reg [SET_BITS-1:0] f_set_q;
  reg [WAYS-1:0]     f_valid_q;
  reg [WAY_BITS-1:0] f_entered_q, f_used_q;
  reg                f_i_newer_q;
  wire               f_here     = use_i && set_i == f_watch_set;
  wire               f_reserved = RESERVE != 0 && f_watch_set == {SET_BITS{1'b0}};
  wire [WAYS-1:0]    f_usable   = {WAYS{1'b1}} ^ {{(WAYS-1){1'b0}}, f_reserved};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_read_q  <= 1'b0;
      f_valid_q <= {WAYS{1'b0}};
    end else begin
      if (read_i) f_read_q <= 1'b1;
      else if (use_i) f_read_q <= 1'b0;
      if (read_i) f_set_q <= read_set_i;
      if (clear_i) f_valid_q <= {WAYS{1'b0}};
      else if (f_here && enter_i) f_valid_q[way_i] <= 1'b1;
      if (f_here && enter_i) f_entered_q <= way_i;
      if (f_here) begin
        f_used_q <= way_i;
        if (way_i == f_i) f_i_newer_q <= 1'b1;
        if (way_i == f_j) f_i_newer_q <= 1'b0;
      end
    end
  end

  always @* if (rst_ni) begin
    // A set is used once after it was read; without bypass not in the cycle of the next read.
    `OCT_REPLACE_RULE (!use_i || (f_read_q && set_i == f_set_q));
    `OCT_REPLACE_RULE (BYPASS != 0 || !(use_i && read_i));
    // A way that is used is valid, or is entered, which then is the victim.
    `OCT_REPLACE_RULE (!enter_i || (use_i && way_i == victim_o));
    `OCT_REPLACE_RULE (!f_here || enter_i || valid_i[way_i]);
    `OCT_REPLACE_RULE (!f_here || valid_i == f_valid_q);
    `OCT_REPLACE_RULE (!enter_i || WAYS > 1 || !reserved);
  end
`undef OCT_REPLACE_RULE

  always @* if (rst_ni) begin
    // Way 0 of set 0 is never given where it is reserved.
    assert (!(f_reserved && f_valid_q[0]));
    if (WAYS > 1 && f_here && f_reserved) assert (victim_o != {WAY_BITS{1'b0}});
    // An invalid way goes first, the lowest (FIFO: also, since none is ever taken back alone).
    if (f_here && (f_valid_q & f_usable) != f_usable) begin
      assert (!f_valid_q[victim_o]);
      if (f_usable[f_i] && f_i < victim_o) assert (f_valid_q[f_i]);
    end
  end

  // The state of the set in RAM, once a way of it is valid.
  generate
    if (WAYS > 1 && REPL != REPL_RANDOM) begin : gen_formal
      wire [STATE_BITS-1:0] f_state = gen_ways.gen_state.f_word;
      wire                  f_any   = f_valid_q != {WAYS{1'b0}};

      always @* assume (gen_ways.gen_state.f_set == f_watch_set);

      // What was read is the state until it is used.
      always @* if (rst_ni && f_read_q)
        assert (gen_ways.gen_state.f_current && gen_ways.gen_state.f_read == f_set_q);

      if (REPL == REPL_LRU) begin : gen_lru
        wire [WAY_BITS-1:0] f_age_i = f_state[f_i*WAY_BITS +: WAY_BITS];
        wire [WAY_BITS-1:0] f_age_j = f_state[f_j*WAY_BITS +: WAY_BITS];

        integer v, w;

        always @* if (rst_ni && f_any) begin
          // Each way has an age of its own, the reserved one the highest; ages are in the order
          // of the last uses.
          for (v = 0; v < WAYS; v = v + 1)
            for (w = 0; w < v; w = w + 1)
              assert (f_state[v*WAY_BITS +: WAY_BITS] != f_state[w*WAY_BITS +: WAY_BITS]);
          if (f_reserved) assert (f_state[WAY_BITS-1:0] == {WAY_BITS{1'b1}});
          if (f_i != f_j && f_valid_q[f_i] && f_valid_q[f_j])
            assert (f_i_newer_q == (f_age_i < f_age_j));
          // When all are valid, the victim was used before any other.
          if (f_here && f_valid_q == f_usable && f_i == victim_o && f_i != f_j && f_usable[f_j])
            assert (!f_i_newer_q);
        end
      end else if (REPL == REPL_FIFO) begin : gen_fifo
        wire [WAYS-1:0] f_upto = ~({WAYS{1'b1}} << f_entered_q << 1);

        always @* if (rst_ni && f_any) begin
          // The pointer is behind the way entered last, and wraps to the first that is usable.
          assert (f_state == (f_entered_q == {WAY_BITS{1'b1}} ? {{(WAY_BITS-1){1'b0}}, f_reserved}
                                                  : f_entered_q + 1'b1));
          // Ways are entered in order: all are valid, or those up to the last one.
          assert (f_valid_q == f_usable || f_valid_q == (f_usable & f_upto));
          if (f_here) assert (victim_o == f_state);
        end
      end else begin : gen_plru
        always @* if (rst_ni && f_any) begin
          // The tree leads away from the way used last, which is no victim but where the reserved
          // way was to be one.
          assert (f_state[0] != f_used_q[WAY_BITS-1]);
          if (f_here && !f_reserved && f_valid_q == f_usable) assert (victim_o != f_used_q);
        end
      end
    end else if (WAYS > 1) begin : gen_formal_random
      // The LFSR never stops.
      always @* if (rst_ni) assert (gen_ways.gen_random.lfsr_q != 16'd0);
    end
  endgenerate

`ifdef FORMAL_OCT_REPLACE
  always @(posedge clk_i) if (rst_ni) begin
    // A full set takes a new entry, also in its last way; all is forgotten; a set is read while it
    // is written.
    cover (f_here && enter_i && valid_i == f_usable);
    cover (f_here && enter_i && valid_i == f_usable && (&victim_o));
    cover (f_valid_q == f_usable && clear_i);
    cover (BYPASS == 0 || (f_here && read_i && read_set_i == set_i));
  end
`endif
`endif

endmodule

`default_nettype wire
