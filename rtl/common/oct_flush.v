// SPDX-License-Identifier: Apache-2.0
// oct_flush - the end of an ATB packet: a flush, from its last bits to the answer on the bus.
//
// begins_i: the last bits of a flush are taken; nothing more is to be taken while flushes_o is set. The user then
// packs what does not fill a word: packs_i, with the bytes that this last word has. It is short, and
// leaves last. When no word is left the flush is answered: flush_out_o, until the bus has seen it, with
// flush_done_o. The bus runs in cycles with atclken_i; what it sees (atvalid_o, flush_out_o) changes only
// behind one.
//
// Latency: 1 cycle from the last word that leaves to flush_out_o. Back-pressure: flushes_o.
//
// WORD_BYTES  of a word, a power of two
`default_nettype none

module oct_flush #(
  parameter integer WORD_BYTES = 8  // a power of two from 2 on
) (
  input  wire                          clk_i,
  input  wire                          rst_ni,
  input  wire                          begins_i,
  input  wire                          packs_i,
  input  wire [$clog2(WORD_BYTES)-1:0] last_bytes_i,  // of the word that is packed, less one
  // words that wait: one, before this cycle; any, behind it
  input  wire                          has_one_i,
  input  wire                          has_next_i,
  output wire                          flushes_o,
  output wire                          is_packing_o,
  output wire [$clog2(WORD_BYTES)-1:0] head_bytes_o,  // of the word that leaves next, less one
  // the trace bus
  input  wire                          atclken_i,
  output wire                          atvalid_o,
  output wire                          flush_out_o,
  output wire                          flush_done_o
);

  localparam integer BYTES_BITS = $clog2(WORD_BYTES);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (WORD_BYTES < 2 || (WORD_BYTES & (WORD_BYTES - 1)) != 0) begin : gen_illegal_WORD_BYTES
      oct_illegal_WORD_BYTES_expected_a_power_of_two_from_2_on u_illegal ();
    end
  endgenerate

  localparam [1:0] NONE = 2'd0, PACK = 2'd1, DRAIN = 2'd2;

  reg  [1:0]            state_q, state_d;
  reg  [BYTES_BITS-1:0] last_bytes_q;
  reg                   atvalid_q, flush_out_q;

  assign flushes_o    = state_q != NONE;
  assign is_packing_o = state_q == PACK;
  assign head_bytes_o = state_q == DRAIN && has_one_i ? last_bytes_q : {BYTES_BITS{1'b1}};
  assign atvalid_o    = atvalid_q;
  assign flush_out_o  = flush_out_q;
  assign flush_done_o = flush_out_q && atclken_i;

  always @* begin
    state_d = state_q;
    if (begins_i) state_d = PACK;
    else if (packs_i) state_d = DRAIN;
    else if (flush_done_o) state_d = NONE;
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= NONE;
      atvalid_q   <= 1'b0;
      flush_out_q <= 1'b0;
    end else begin
      state_q <= state_d;
      if (atclken_i) begin
        atvalid_q   <= has_next_i;
        flush_out_q <= state_d == DRAIN && !has_next_i;
      end
    end
  end

  always @(posedge clk_i) if (packs_i) last_bytes_q <= last_bytes_i;

`ifdef FORMAL
  // The rules of the inputs: assumed where this module is what is proved, else they are the user's to keep.
`ifdef FORMAL_OCT_FLUSH
  `define OCT_FLUSH_RULE assume
`else
  `define OCT_FLUSH_RULE assert
`endif

  reg                  f_past_q = 1'b0;
  reg                  f_bus_q, f_done_q, f_atvalid_q, f_out_q, f_left_q, f_busy_q;
  reg [BYTES_BITS-1:0] f_bytes_q;
  always @(posedge clk_i) begin
    f_past_q    <= rst_ni;
    f_bus_q     <= atclken_i;
    f_done_q    <= flush_done_o;
    f_atvalid_q <= atvalid_o;
    f_out_q     <= flush_out_o;
    f_left_q    <= has_next_i;
    if (packs_i) f_bytes_q <= last_bytes_i;
  end
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_busy_q <= 1'b0;
    else f_busy_q <= (f_busy_q || begins_i) && !flush_done_o;
  end

  initial assume (!rst_ni);
  always @* if (rst_ni) begin
    // A flush begins behind the one before it, is packed once, and no word comes behind that.
    `OCT_FLUSH_RULE (!begins_i || !flushes_o);
    `OCT_FLUSH_RULE (!packs_i || is_packing_o);
    `OCT_FLUSH_RULE (!f_past_q || state_q != DRAIN || f_left_q || !has_next_i);

    assert (state_q <= DRAIN);
    // From its beginning to its answer, and no longer.
    assert (flushes_o == f_busy_q);
    // It is answered when no word is left and none is on the bus,
    if (flush_out_o) assert (state_q == DRAIN && !atvalid_o && !f_left_q);
    // and its short word is the last one.
    if (state_q == DRAIN && has_one_i) assert (head_bytes_o == f_bytes_q);
    else assert (head_bytes_o == {BYTES_BITS{1'b1}});
    if (f_past_q) begin
      // What the bus sees changes only behind a cycle of the bus.
      if (!f_bus_q) assert (atvalid_o == f_atvalid_q && flush_out_o == f_out_q);
      if (f_bus_q) assert (atvalid_o == f_left_q);
      // A flush is answered once.
      if (f_done_q) assert (!flushes_o && !flush_out_o);
      // and at once, if nothing is left.
      if (f_bus_q && state_q == DRAIN && !f_left_q) assert (flush_out_o);
    end
  end
`undef OCT_FLUSH_RULE

`ifdef FORMAL_OCT_FLUSH
  always @* if (rst_ni) begin
    cover (flush_done_o && f_bytes_q == {BYTES_BITS{1'b0}});
    cover (flush_out_o && !atclken_i);
  end
`endif
`endif

endmodule

`default_nettype wire
