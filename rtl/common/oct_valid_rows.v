// SPDX-License-Identifier: Apache-2.0
// oct_valid_rows - the valid bits of a table, cleared in one cycle; of a large table most of them in a memory.
//
// The bits stand in rows. A row is a word of memory and has one flip-flop, which says that it was
// written since the last clear; if not, all bits of the row are 0, whatever the word holds. So a
// clear resets the flip-flops alone, and a table of n entries has about n / COLUMNS of them. Rows of one bit have no
// memory: the flip-flop says all.
//
// Latency: 1 cycle to read, as a RAM beside has it. enter_i makes the entry that was read last valid: its
// row is at hand, gets the bit, and is written. An entry read in that cycle is valid if it is the same.
// clear_i wins over enter_i, and nothing read with it or before is valid. No back-pressure.
//
// ENTRIES  entries, from 2 on
// COLUMNS  bits of a row, a power of two
`default_nettype none

module oct_valid_rows #(
  parameter integer ENTRIES = 128,  // from 2 on
  parameter integer COLUMNS = ENTRIES <= 64 ? 1 : ENTRIES < 256 ? 8 : 16  // a power of two from 1 on
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  input  wire                       clear_i,
  input  wire                       enter_i,
  input  wire                       read_i,
  input  wire [$clog2(ENTRIES)-1:0] entry_i,
  output wire                       valid_o  // of the entry read last
);

  localparam integer ENTRY_BITS = $clog2(ENTRIES);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (ENTRIES < 2) begin : gen_illegal_ENTRIES
      oct_illegal_ENTRIES_expected_2_or_more u_illegal ();
    end
    if (COLUMNS < 1 || (COLUMNS & (COLUMNS - 1)) != 0) begin : gen_illegal_COLUMNS
      oct_illegal_COLUMNS_expected_a_power_of_two_from_1_on u_illegal ();
    end
  endgenerate

  localparam integer ROWS     = (ENTRIES + COLUMNS - 1) / COLUMNS;
  localparam integer ROW_BITS = ROWS > 1 ? $clog2(ROWS) : 1;
  localparam integer COL_BITS = COLUMNS > 1 ? $clog2(COLUMNS) : 1;
  // The memory has 1 kbit at least: compilers make no smaller one.
  localparam integer PLACES     = ENTRIES < 1024 && COLUMNS < 1024 ? 1024 >> $clog2(COLUMNS) : ROWS;
  localparam integer PLACE_BITS = PLACES > 1 ? $clog2(PLACES) : 1;

  // The first cycle clears, in place of a reset: a flip-flop with reset is almost twice as large as one without.
  reg                 begun_q;
  wire                clears = clear_i || !begun_q;
  reg  [ROWS-1:0]     written_q;
  reg                 is_written_q;  // the row at hand is
  reg  [ROW_BITS-1:0] row_q;
  reg  [COL_BITS-1:0] col_q;
  wire [ROW_BITS-1:0] row;
  wire [COL_BITS-1:0] col;
  wire [COLUMNS-1:0]  stored;
  wire                has_bit;
  wire [COLUMNS-1:0]  bits = is_written_q ? stored : {COLUMNS{1'b0}};

`ifdef FORMAL
  // Any one row, its word in the memory, and what of it is at hand.
  wire [PLACE_BITS-1:0] f_row, f_raddr;
  wire [COLUMNS-1:0]    f_word;
  wire                  f_current;
`endif

  generate
    if (ROWS > 1) begin : gen_row
      assign row = entry_i[ENTRY_BITS-1 -: ROW_BITS];
    end else begin : gen_one
      assign row = 1'b0;
    end
    if (COLUMNS > 1) begin : gen_col
      wire [PLACE_BITS:0] from = {{(PLACE_BITS + 1 - ROW_BITS){1'b0}}, row};
      wire [PLACE_BITS:0] to = {{(PLACE_BITS + 1 - ROW_BITS){1'b0}}, row_q};

      assign col     = entry_i[COL_BITS-1:0];
      assign has_bit = stored[col_q];

      oct_ram #(
        .WIDTH (COLUMNS),
        .DEPTH (PLACES),
        .BYPASS(1)
      ) u_row (
        .clk_i  (clk_i),
        .we_i   (enter_i),
        .waddr_i(to[PLACE_BITS-1:0]),
        .wdata_i(bits | {{(COLUMNS - 1){1'b0}}, 1'b1} << col_q),
        .re_i   (read_i),
        .raddr_i(from[PLACE_BITS-1:0]),
        .rdata_o(stored)
      );

      wire unused = &{1'b0, from, to};
`ifdef FORMAL
      (* hierconn *) wire [PLACE_BITS-1:0] \u_row.f_watch_addr ;
      (* hierconn *) wire [COLUMNS-1:0]    \u_row.f_watch_word ;
      (* hierconn *) wire                  \u_row.f_current ;
      (* hierconn *) wire [PLACE_BITS-1:0] \u_row.f_raddr ;
      assign f_row     = \u_row.f_watch_addr ;
      assign f_word    = \u_row.f_watch_word ;
      assign f_current = \u_row.f_current ;
      assign f_raddr   = \u_row.f_raddr ;
`endif
    end else begin : gen_no_col
      assign {col, stored, has_bit} = 3'b011;
      wire unused = &{1'b0, bits, col_q};
`ifdef FORMAL
      (* anyconst *) reg [PLACE_BITS-1:0] f_any;
      assign f_row     = f_any;
      assign f_word    = 1'b1;
      assign f_current = 1'b1;
      assign f_raddr   = {{(PLACE_BITS - ROW_BITS){1'b0}}, row_q};
`endif
    end
  endgenerate

  assign valid_o = is_written_q && has_bit;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begun_q <= 1'b0;
    else begun_q <= 1'b1;
  end

  // As many rows as the entries ask for.
  // verilator lint_off WIDTHCONCAT
  always @(posedge clk_i) begin
    if (clears) begin
      written_q    <= {ROWS{1'b0}};
      is_written_q <= 1'b0;
    end else begin
      if (enter_i) written_q[row_q] <= 1'b1;
      if (read_i) is_written_q <= written_q[row] || (enter_i && row_q == row);
    end
  end
  // verilator lint_on WIDTHCONCAT

  always @(posedge clk_i) begin
    if (read_i) begin
      row_q <= row;
      col_q <= col;
    end
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);
`ifdef FORMAL_OCT_VALID_ROWS
  always @* if (!rst_ni) assume (!enter_i);
`endif

  // The rule of the inputs: assumed where this is what is proved, else it is the user's to keep.
`ifdef FORMAL_OCT_VALID_ROWS
  `define OCT_VALID_ROWS_RULE assume
`else
  `define OCT_VALID_ROWS_RULE assert
`endif
  // An entry is entered behind its read.
  reg f_read_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_read_q <= 1'b0;
    else if (read_i) f_read_q <= 1'b1;
  end
  always @* if (rst_ni && enter_i) `OCT_VALID_ROWS_RULE (f_read_q);
  // Only entries that there are are read.
  always @* if (rst_ni && read_i) `OCT_VALID_ROWS_RULE ({1'b0, entry_i} < ENTRIES);
`undef OCT_VALID_ROWS_RULE

  // The same in flip-flops, and what they gave.
  reg  [ROWS*COLUMNS-1:0] f_valid_q;
  reg                   f_seen_q;
  reg  [ENTRY_BITS-1:0] f_entry_q;
  wire [ROWS*COLUMNS-1:0] f_entered = 1 << f_entry_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_valid_q <= {ROWS * COLUMNS{1'b0}};
      f_seen_q  <= 1'b0;
    end else begin
      if (clear_i) f_valid_q <= {ROWS * COLUMNS{1'b0}};
      else if (enter_i) f_valid_q <= f_valid_q | f_entered;
      if (clear_i) f_seen_q <= 1'b0;
      else if (read_i) f_seen_q <= f_valid_q[entry_i] || (enter_i && f_entry_q == entry_i);
    end
  end

  always @(posedge clk_i) if (read_i) f_entry_q <= entry_i;

  wire [COLUMNS-1:0]  f_here = f_valid_q >> (f_row * COLUMNS);
  reg                 f_entered_q;  // since the read

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_entered_q <= 1'b0;
    else if (clear_i || read_i) f_entered_q <= 1'b0;
    else if (enter_i) f_entered_q <= 1'b1;
  end

  always @* assume ({1'b0, f_row} < ROWS);

  always @* if (rst_ni && !begun_q) assert (!f_read_q && f_valid_q == {ROWS * COLUMNS{1'b0}});
  always @* if (rst_ni && begun_q) begin
    if (!f_read_q || f_row == row_q) assert (valid_o == f_seen_q);
    assert (f_here == (written_q[f_row] ? f_word : {COLUMNS{1'b0}}));
    if (f_read_q) begin
      assert (f_entry_q == (COLUMNS == 1 ? row_q : ROWS > 1 ? {row_q, col_q} : col_q));
      // What is at hand is the row that was read, unless it was written since.
      assert (f_raddr == row_q && {1'b0, row_q} < ROWS);
      assert (!is_written_q || f_entered_q || f_current);
      assert (f_entered_q ? written_q[row_q] : is_written_q == written_q[row_q]);
      if (f_row == row_q) begin
        // What is written next is the row as it is, with the bit.
        if (!f_entered_q) assert (bits == f_here);
        else assert ((bits | {{(COLUMNS - 1){1'b0}}, 1'b1} << col_q) == f_here);
      end
    end else begin
      assert (!is_written_q && f_valid_q == {ROWS * COLUMNS{1'b0}});
    end
  end

`ifdef FORMAL_OCT_VALID_ROWS
  always @(posedge clk_i) if (rst_ni) begin
    // A row written before the clear has one bit behind it.
    cover (f_past_q && valid_o && f_here == {COLUMNS{1'b1}} && clear_i);
    cover (valid_o && row_q == f_row && f_word != {COLUMNS{1'b1}} && f_word != {COLUMNS{1'b0}} && enter_i);
  end
`endif
`endif

endmodule

`default_nettype wire
