// SPDX-License-Identifier: Apache-2.0
// oct_thb - tuple history buffer: finds a tuple among up to DEPTH entries in N cycles.
//
// The history is N rows of COLS = ceil(DEPTH / N) tuples, one synchronous RAM a column, and COLS
// comparators: a row is compared a cycle. Entry e (from 1) is in row (e - 1) / COLS, so that the
// first row with a match has the lowest number. What was not found is written in the last cycle of
// its search.
// Latency: a search started in cycle c has its result in cycle c + N; it stands until the next
// start, which may come in that cycle. Its first row is then read while the tuple before it may be
// written into that row: a comparator of the two tuples stands in for the entry, which is
// cheaper than a bypass at each RAM. Back-pressure: none, start only when done_o.
// Parameters: WIDTH (bits of a tuple), N (cycles of a search), DEPTH (entries), UPDATE (0: tuples
// enter on a miss, 1: always), NUMBER_BITS (2^NUMBER_BITS > DEPTH).

module oct_thb #(
  parameter integer WIDTH = 56,
  parameter integer N = 8,
  parameter integer DEPTH = 255,
  parameter integer UPDATE = 0,
  parameter integer NUMBER_BITS = 8
) (
  input  wire                   clk_i,
  input  wire                   rst_ni,
  input  wire                   clear_i,     // forget all entries; not while a search is under way
  input  wire                   start_i,     // a search begins,
  input  wire [WIDTH-1:0]       next_key_i,  // for this tuple;
  input  wire [WIDTH-1:0]       key_i,       // from the cycle after, it is held here
  output wire                   done_o,
  output wire [NUMBER_BITS-1:0] number_o     // when done: of the first equal entry, 0 = none
);

  localparam integer COLS = (DEPTH + N - 1) / N;
  localparam integer ROWS = (DEPTH + COLS - 1) / COLS;
  localparam integer COL_BITS = COLS > 1 ? $clog2(COLS) : 1;
  localparam integer ROW_BITS = ROWS > 1 ? $clog2(ROWS) : 1;
  localparam integer STEP_BITS = N > 1 ? $clog2(N) : 1;
  // entries of the last row, and numbers in the widths in which they are used
  localparam integer LAST_COLS = DEPTH - (ROWS - 1) * COLS;
  localparam [31:0] LAST_STEP_32 = N - 1;
  localparam [31:0] LAST_ROW_32 = ROWS - 1;
  localparam [31:0] LAST_COL_32 = COLS - 1;
  localparam [31:0] LAST_ENTRY_COL_32 = LAST_COLS - 1;
  localparam [31:0] COLS_32 = COLS;
  localparam [STEP_BITS-1:0] LAST_STEP = LAST_STEP_32[STEP_BITS-1:0];
  localparam [STEP_BITS-1:0] LAST_ROW = LAST_ROW_32[STEP_BITS-1:0];
  localparam [COL_BITS-1:0] LAST_COL = LAST_COL_32[COL_BITS-1:0];
  localparam [COL_BITS-1:0] LAST_ENTRY_COL = LAST_ENTRY_COL_32[COL_BITS-1:0];

  reg                    active_q;       // a row is being compared,
  reg  [STEP_BITS-1:0]   step_q;         // this one,
  reg                    in_rows_q;      // if there are so many,
  reg  [NUMBER_BITS-1:0] base_q;         // so many entries stand in the rows before it
  reg  [NUMBER_BITS-1:0] number_q;       // found up to the row before
  reg  [STEP_BITS-1:0]   write_row_q;    // the next entry to be written,
  reg  [COL_BITS-1:0]    write_col_q;
  reg                    full_q;         // and all are valid, else those before it
  reg                    forward_q;      // row 0 was read in the cycle of a write into it,
  reg  [COL_BITS-1:0]    forward_col_q;  // in this column,
  reg                    forward_hit_q;  // of a tuple equal to the one now searched for

  wire [COLS-1:0]        equal;
  reg  [COLS-1:0]        match;
  reg  [COLS-1:0]        upto;           // bit c: a match in columns 0..c
  reg  [NUMBER_BITS-1:0] row_number;
  wire                   last;
  wire                   write;
  wire                   is_last_entry;
  wire [ROW_BITS-1:0]    read_row;
  wire                   read;
  integer                c;

  assign last = active_q && step_q == LAST_STEP;
  assign write = last && (number_o == {NUMBER_BITS{1'b0}} || UPDATE != 0);
  assign is_last_entry = write_row_q == LAST_ROW && write_col_q == LAST_ENTRY_COL;
  assign read_row = start_i ? {ROW_BITS{1'b0}} : step_q[ROW_BITS-1:0] + 1'b1;
  assign read = start_i || (active_q && in_rows_q && step_q != LAST_ROW);

  genvar g;
  generate
    for (g = 0; g < COLS; g = g + 1) begin : gen_col
      wire [WIDTH-1:0] entry;
      wire             we;
      localparam [31:0] COL_32 = g;
      assign we = write && write_col_q == COL_32[COL_BITS-1:0];
      oct_ram #(
        .WIDTH(WIDTH),
        .DEPTH(ROWS)
      ) u_entries (
        .clk_i  (clk_i),
        .we_i   (we),
        .waddr_i(write_row_q[ROW_BITS-1:0]),
        .wdata_i(key_i),
        .re_i   (read),
        .raddr_i(read_row),
        .rdata_o(entry)
      );
      assign equal[g] = entry == key_i;
    end
  endgenerate

  always @* begin
    for (c = 0; c < COLS; c = c + 1) begin
      match[c] = active_q && in_rows_q && (c < LAST_COLS || step_q != LAST_ROW) &&
          (full_q || step_q < write_row_q ||
           (step_q == write_row_q && c[COL_BITS-1:0] < write_col_q)) &&
          (forward_q && c[COL_BITS-1:0] == forward_col_q ? forward_hit_q : equal[c]);
    end
    upto = match;
    for (c = 1; c < COLS; c = c * 2) upto = upto | (upto << c);
    row_number = {NUMBER_BITS{1'b0}};
    for (c = 0; c < COLS; c = c + 1) begin
      if (upto[c] && (c == 0 || !upto[c > 0 ? c - 1 : 0]))
        row_number = row_number | (c[NUMBER_BITS-1:0] + 1'b1);
    end
  end

  assign done_o = !active_q || last;
  assign number_o = (number_q != {NUMBER_BITS{1'b0}} || !upto[COLS-1]) ? number_q :
                    base_q + row_number;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      step_q <= {STEP_BITS{1'b0}};
      in_rows_q <= 1'b1;
      base_q <= {NUMBER_BITS{1'b0}};
      number_q <= {NUMBER_BITS{1'b0}};
      forward_q <= 1'b0;
    end else if (start_i) begin
      active_q <= 1'b1;
      step_q <= {STEP_BITS{1'b0}};
      in_rows_q <= 1'b1;
      base_q <= {NUMBER_BITS{1'b0}};
      number_q <= {NUMBER_BITS{1'b0}};
      forward_q <= write && write_row_q == {STEP_BITS{1'b0}};
    end else if (active_q) begin
      active_q <= !last;
      step_q <= step_q + 1'b1;
      in_rows_q <= in_rows_q && step_q != LAST_ROW;
      base_q <= base_q + COLS_32[NUMBER_BITS-1:0];
      number_q <= number_o;
      forward_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    if (start_i) begin
      forward_col_q <= write_col_q;
      forward_hit_q <= next_key_i == key_i;
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_row_q <= {STEP_BITS{1'b0}};
      write_col_q <= {COL_BITS{1'b0}};
      full_q <= 1'b0;
    end else if (clear_i || (write && is_last_entry)) begin
      write_row_q <= {STEP_BITS{1'b0}};
      write_col_q <= {COL_BITS{1'b0}};
      full_q <= !clear_i;
    end else if (write && write_col_q == LAST_COL) begin
      write_row_q <= write_row_q + 1'b1;
      write_col_q <= {COL_BITS{1'b0}};
    end else if (write) begin
      write_col_q <= write_col_q + 1'b1;
    end
  end

endmodule
