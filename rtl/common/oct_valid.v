// SPDX-License-Identifier: Apache-2.0
// oct_valid - the valid bits of a cache, in flip-flops, so that all are cleared in one cycle.
//
// Latency: 1 cycle to read, as a RAM beside has it, and to enter an entry or to clear. No
// back-pressure. clear_i wins over enter_i, and what is read with it is not valid. An entry that is
// read in the cycle in which it is entered is valid with BYPASS only. The bits stand in rows, which
// only keeps the tools' work on a large cache small.
//
// ENTRIES  entries, a power of two
// WAYS     bits that are read, a power of two of at most 16; first_i is a multiple of it
// BYPASS   1: entries may be read in the cycle in which one of them is entered
`default_nettype none

module oct_valid #(
  parameter integer ENTRIES = 128,  // a power of two from 1 on
  parameter integer WAYS    = 4,  // a power of two from 1 to 16
  parameter integer BYPASS  = 0  // 0, 1
) (
  input  wire                                           clk_i,
  input  wire                                           rst_ni,
  input  wire                                           clear_i,
  input  wire                                           enter_i,
  input  wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1)-1:0] entry_i,
  input  wire                                           read_i,
  input  wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1)-1:0] first_i,
  output wire [WAYS-1:0]                                valid_o  // of the entries read last
);

  localparam integer ENTRY_BITS = ENTRIES > 1 ? $clog2(ENTRIES) : 1;

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (ENTRIES < 1 || (ENTRIES & (ENTRIES - 1)) != 0) begin : gen_illegal_ENTRIES
      oct_illegal_ENTRIES_expected_a_power_of_two_from_1_on u_illegal ();
    end
    if (WAYS < 1 || WAYS > 16 || (WAYS & (WAYS - 1)) != 0) begin : gen_illegal_WAYS
      oct_illegal_WAYS_expected_a_power_of_two_from_1_to_16 u_illegal ();
    end
    if (BYPASS != 0 && BYPASS != 1) begin : gen_illegal_BYPASS
      oct_illegal_BYPASS_expected_0_or_1 u_illegal ();
    end
  endgenerate

  localparam integer ROW_BITS = ENTRIES < 64 ? ENTRIES : 64;
  localparam integer ROWS     = ENTRIES / ROW_BITS;
  localparam integer COL_BITS = ROW_BITS > 1 ? $clog2(ROW_BITS) : 1;

  wire [ENTRIES-1:0] valid;

  reg  [WAYS-1:0]    read_q;
  wire [WAYS-1:0]    entering;

  assign valid_o = read_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_q <= {WAYS{1'b0}};
    else if (read_i) read_q <= clear_i ? {WAYS{1'b0}} : valid[first_i +: WAYS] | entering;
  end

  genvar r;
  generate
    for (r = 0; r < WAYS; r = r + 1) begin : gen_way
      localparam [31:0] WAY_32 = r;
      assign entering[r] = BYPASS != 0 && enter_i &&
                           entry_i == (first_i | WAY_32[ENTRY_BITS-1:0]);
    end

    for (r = 0; r < ROWS; r = r + 1) begin : gen_row
      reg [ROW_BITS-1:0] valid_q;
      wire               here;

      if (ROWS > 1) begin : gen_select
        localparam [31:0] ROW_32 = r;
        assign here = entry_i[ENTRY_BITS-1:COL_BITS] == ROW_32[ENTRY_BITS-COL_BITS-1:0];
      end else begin : gen_one
        assign here = 1'b1;
      end

      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) valid_q <= {ROW_BITS{1'b0}};
        else if (clear_i) valid_q <= {ROW_BITS{1'b0}};
        else if (enter_i && here) valid_q[entry_i[COL_BITS-1:0]] <= 1'b1;
      end

      assign valid[r*ROW_BITS +: ROW_BITS] = valid_q;
    end
  endgenerate

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  // Any one entry, and whether it was entered since the last clear.
  (* anyconst *) reg [ENTRY_BITS-1:0] f_watch_entry;
  reg                   f_entered_q;
  reg                   f_seen_q, f_read_q;
  reg  [ENTRY_BITS-1:0] f_first_q;
  wire [ENTRY_BITS-1:0] f_way = f_watch_entry - f_first_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_entered_q <= 1'b0;
    else if (clear_i) f_entered_q <= 1'b0;
    else if (enter_i && entry_i == f_watch_entry) f_entered_q <= 1'b1;
  end

  // Whether it was valid when it was read: with BYPASS also if it was just entered.
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_read_q <= 1'b0;
    else if (read_i) f_read_q <= 1'b1;
  end

  always @(posedge clk_i) begin
    if (read_i) begin
      f_first_q <= first_i;
      f_seen_q  <= !clear_i &&
                   (f_entered_q || (BYPASS != 0 && enter_i && entry_i == f_watch_entry));
    end
  end

  always @* if (rst_ni && {1'b0, f_watch_entry} < ENTRIES) begin
    // It is valid if so, and this is what is read of it.
    assert (valid[f_watch_entry] == f_entered_q);
    if (f_read_q && f_watch_entry >= f_first_q && {1'b0, f_way} < WAYS)
      assert (valid_o[f_way] == f_seen_q);
  end

`ifdef FORMAL_OCT_VALID
  // The rule of the inputs: a row of ways is read from its first.
  always @* assume ((first_i & (WAYS - 1)) == {ENTRY_BITS{1'b0}});
`endif

`ifdef FORMAL_OCT_VALID
  always @(posedge clk_i) if (rst_ni) begin
    // All valid, and then none.
    cover (valid_o == {WAYS{1'b1}} && clear_i);
    cover (f_read_q && valid_o == {WAYS{1'b0}} && !f_entered_q && enter_i);
  end
`endif
`endif

endmodule

`default_nettype wire
