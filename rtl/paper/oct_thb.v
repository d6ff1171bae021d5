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
// cheaper than a bypass at each RAM. Which entries of a row are valid is found while it is read. Back-pressure: none, start only when done_o.
// Parameters: WIDTH (bits of a tuple), N (cycles of a search), DEPTH (entries), UPDATE (0: tuples
// enter on a miss, 1: always), NUMBER_BITS (2^NUMBER_BITS > DEPTH).
`default_nettype none

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
  output wire                   found_o,     // when done: there is an equal entry
  output wire [NUMBER_BITS-1:0] number_o     // when done: of the first equal entry, 0 = none
);

  localparam integer COLS = (DEPTH + N - 1) / N;
  localparam integer ROWS = (DEPTH + COLS - 1) / COLS;
  localparam integer COL_BITS = COLS > 1 ? $clog2(COLS) : 1;
  localparam integer LEAVES = 1 << COL_BITS;
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
  reg  [COLS-1:0]        valid_first, valid_next;  // entries of the first row, of the next one,
  reg  [COLS-1:0]        valid_q;                  // of that compared
  reg  [COLS-1:0]        match;
  // A tree over the columns, node 1 its root, node n above 2n and 2n + 1: is there a match below it,
  // and the column of the first, from 1.
  reg  [2*LEAVES-1:0]               any;
  reg  [2*LEAVES*(COL_BITS+1)-1:0]  first;
  wire [COL_BITS:0]      row_first;
  wire [NUMBER_BITS-1:0] row_number, next_base;
  wire                   last;
  wire                   write;
  wire                   is_last_entry;
  wire [STEP_BITS-1:0]   next_step;
  wire [ROW_BITS-1:0]    read_row;
  wire                   read;
  wire                   goes_on;        // there is a next row
  integer                c;

  assign last = active_q && step_q == LAST_STEP;
  assign found_o = number_q != {NUMBER_BITS{1'b0}} || any[1];
  assign write = last && (!found_o || UPDATE != 0);
  assign is_last_entry = write_row_q == LAST_ROW && write_col_q == LAST_ENTRY_COL;
  assign next_step = step_q + 1'b1;
  assign read_row = start_i ? {ROW_BITS{1'b0}} : next_step[ROW_BITS-1:0];
  assign goes_on = in_rows_q && step_q != LAST_ROW;
  assign read = start_i || goes_on;

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
`ifdef FORMAL
      // For the properties: any one word of the RAM (oct_ram.v).
      (* hierconn *) wire [ROW_BITS-1:0] \u_entries.f_watch_addr ;
      (* hierconn *) wire [WIDTH-1:0]    \u_entries.f_watch_word ;
`endif
    end
  endgenerate

  always @* begin
    for (c = 0; c < COLS; c = c + 1) begin
      // A history of one row has all its columns.
      valid_first[c] = full_q || write_row_q != {STEP_BITS{1'b0}} || c[COL_BITS-1:0] < write_col_q;
      valid_next[c] = goes_on && (c < LAST_COLS || next_step != LAST_ROW) &&
          (full_q || next_step < write_row_q ||
           (next_step == write_row_q && c[COL_BITS-1:0] < write_col_q));
      match[c] = forward_q && c[COL_BITS-1:0] == forward_col_q ? forward_hit_q :
                 valid_q[c] && equal[c];
    end
    for (c = 0; c < LEAVES; c = c + 1) begin
      any[LEAVES+c] = c < COLS && match[c < COLS ? c : 0];
      first[(LEAVES+c)*(COL_BITS+1) +: COL_BITS+1] = c[COL_BITS:0] + 1'b1;
    end
    for (c = LEAVES - 1; c > 0; c = c - 1) begin
      any[c] = any[2*c] || any[2*c+1];
      first[c*(COL_BITS+1) +: COL_BITS+1] = any[2*c] ?
          first[2*c*(COL_BITS+1) +: COL_BITS+1] : first[(2*c+1)*(COL_BITS+1) +: COL_BITS+1];
    end
    any[0] = 1'b0;
    first[COL_BITS:0] = {(COL_BITS + 1){1'b0}};
  end

  // With a power of two of columns, the number of a row has zeros where that of a column stands, but
  // for the last column, which is the first number of the next row: no carry has to go up.
  assign row_first = first[COL_BITS+1 +: COL_BITS+1];
  assign next_base = base_q + COLS_32[NUMBER_BITS-1:0];
  generate
    if (COLS == LEAVES && COL_BITS < NUMBER_BITS) begin : gen_power_of_two
      assign row_number = row_first[COL_BITS] ? next_base :
                          {base_q[NUMBER_BITS-1:COL_BITS], row_first[COL_BITS-1:0]};
    end else begin : gen_any
      wire [NUMBER_BITS+COL_BITS:0] wide = {{NUMBER_BITS{1'b0}}, row_first};
      assign row_number = base_q + wide[NUMBER_BITS-1:0];
      wire unused = &{1'b0, wide};
    end
  endgenerate

  assign done_o = !active_q || last;
  assign number_o = (number_q != {NUMBER_BITS{1'b0}} || !any[1]) ? number_q : row_number;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      step_q <= {STEP_BITS{1'b0}};
      in_rows_q <= 1'b0;
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
      base_q <= next_base;
      number_q <= number_o;
      forward_q <= 1'b0;
    end
  end

  // None when nothing is read: the row beyond the last, and where no search is under way.
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= {COLS{1'b0}};
    else if (clear_i) valid_q <= {COLS{1'b0}};
    else valid_q <= start_i ? valid_first : valid_next;
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

`ifdef FORMAL
  // The rules of the inputs: assumed where the history is what is proved, else its user's to keep.
`ifdef FORMAL_OCT_THB
  `define OCT_THB_RULE assume
`else
  `define OCT_THB_RULE assert
`endif

  localparam [31:0] F_DEPTH = DEPTH;
  localparam [31:0] F_N = N;
  reg              f_past_q = 1'b0;
  reg              f_started_q;
  reg  [WIDTH-1:0] f_key_q;
  reg  [31:0]      f_cycles_q;     // of the search, before this one
  reg  [31:0]      f_entries_q;
  reg  [31:0]      f_position_q;   // of the next write, from 0
  wire [31:0]      f_step = {{(32 - STEP_BITS){1'b0}}, step_q};
  wire [31:0]      f_base = {{(32 - NUMBER_BITS){1'b0}}, base_q};
  wire [31:0]      f_found = {{(32 - NUMBER_BITS){1'b0}}, number_q};
  wire [31:0]      f_result = {{(32 - NUMBER_BITS){1'b0}}, number_o};
  wire [31:0]      f_write_row = {{(32 - STEP_BITS){1'b0}}, write_row_q};
  wire [31:0]      f_write_col = {{(32 - COL_BITS){1'b0}}, write_col_q};
  wire [31:0]      f_forward_col = {{(32 - COL_BITS){1'b0}}, forward_col_q};

  always @(posedge clk_i) f_past_q <= 1'b1;

  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (rst_ni) begin
      // A search begins when the one before is done; entries are forgotten between searches; the
      // tuple searched for is held.
      `OCT_THB_RULE (!start_i || done_o);
      `OCT_THB_RULE (!clear_i || !active_q);
      `OCT_THB_RULE (!f_started_q || key_i == f_key_q);
    end
  end
`undef OCT_THB_RULE

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_started_q <= 1'b0;
      f_entries_q <= 32'd0;
      f_position_q <= 32'd0;
      f_cycles_q <= 32'd0;
    end else begin
      if (start_i) f_started_q <= 1'b1;
      f_cycles_q <= start_i ? 32'd0 : f_cycles_q + {31'd0, active_q};
      if (clear_i) begin
        f_entries_q <= 32'd0;
        f_position_q <= 32'd0;
      end else if (write) begin
        if (f_entries_q != F_DEPTH) f_entries_q <= f_entries_q + 32'd1;
        f_position_q <= f_position_q == F_DEPTH - 32'd1 ? 32'd0 : f_position_q + 32'd1;
      end
    end
  end

  always @(posedge clk_i) if (start_i) f_key_q <= next_key_i;

  always @* if (rst_ni) begin
    // The write position goes through all entries in turn, and those written are valid.
    assert (f_position_q < F_DEPTH && f_entries_q <= F_DEPTH);
    assert (f_write_col < COLS_32);
    assert (f_write_row * COLS_32 + f_write_col == f_position_q);
    assert (full_q == (f_entries_q == F_DEPTH));
    assert (full_q || f_entries_q == f_position_q);
    // A search takes N cycles.
    if (active_q) assert (f_step < F_N && f_started_q && f_cycles_q == f_step);
    assert (done_o == (!active_q || f_cycles_q == F_N - 32'd1));
    assert (in_rows_q == (active_q && step_q <= LAST_ROW));
    if (in_rows_q) assert (f_base == f_step * COLS_32 && f_found <= f_base);
    // It tells no entry that there is not.
    if (active_q) assert (f_found <= f_entries_q && f_result <= f_entries_q);
    // A tuple written while the first row was read is compared once.
    if (forward_q) assert (active_q && f_step == 32'd0 && f_forward_col < COLS_32);
  end

  // Any one entry of each column: what was written last, and whether a search tells it.
  generate
    for (g = 0; g < COLS; g = g + 1) begin : gen_entry
      localparam [31:0] F_COL = g;
      wire [ROW_BITS-1:0] f_watch = gen_col[g].\u_entries.f_watch_addr ;
      wire [31:0]         f_row = {{(32 - ROW_BITS){1'b0}}, f_watch};
      wire [31:0]         f_number = f_row * COLS_32 + F_COL + 32'd1;
      wire                f_exists = f_row <= LAST_ROW_32 && f_number <= F_DEPTH;
      wire                f_valid = f_exists && f_number <= f_entries_q;
      reg                 f_written_q = 1'b0;
      reg  [WIDTH-1:0]    f_tuple_q;
      wire                f_equal = f_valid && f_tuple_q == key_i;

      always @(posedge clk_i) begin
        if (rst_ni && write && f_position_q == f_number - 32'd1) begin
          f_written_q <= 1'b1;
          f_tuple_q <= key_i;
        end
      end

      always @* if (rst_ni) begin
        // The search is exact: the number is that of an equal entry, and of no later one than any.
        if (last && f_equal) assert (f_result != 32'd0 && f_result <= f_number);
        if (last && f_result == f_number && f_exists) assert (f_equal);
        // So far, of the rows that have been compared,
        if (active_q && f_equal && f_row < f_step) assert (f_found != 32'd0 && f_found <= f_number);
        if (active_q && f_found == f_number && f_exists) assert (f_equal && f_row < f_step);
        // with the row of this step on the RAM's output, but for an entry written meanwhile.
        if (active_q && in_rows_q && f_valid && f_row == f_step &&
            !(forward_q && f_forward_col == F_COL))
          assert (gen_col[g].entry == f_tuple_q);
        if (forward_q && f_forward_col == F_COL && f_row == 32'd0)
          assert (f_valid && forward_hit_q == (f_tuple_q == key_i));
        // An entry holds what was written.
        if (f_valid) assert (f_written_q && f_tuple_q == gen_col[g].\u_entries.f_watch_word );
      end
    end
  endgenerate

`ifdef FORMAL_OCT_THB
  always @(posedge clk_i) if (rst_ni) begin
    // A hit in the last row, one on the tuple just written, a history that has gone around.
    cover (last && f_found == 32'd0 && f_result != 32'd0 && step_q == LAST_ROW);
    cover (forward_q && any[1]);
    cover (full_q && (f_position_q != 32'd0 || DEPTH == 1));
    cover (clear_i && full_q);
  end
`endif
`endif

endmodule

`default_nettype wire
