// SPDX-License-Identifier: Apache-2.0
// oct_valid - the valid bits of a cache, in flip-flops, so that all are cleared in one cycle.
//
// Latency: none to read, 1 cycle to enter an entry or to clear. No back-pressure. clear_i wins over
// enter_i. The bits stand in rows, which only keeps the tools' work on a large cache small.
//
// ENTRIES  entries, a power of two
// WAYS     bits that are read, a power of two of at most 16; first_i is a multiple of it
module oct_valid #(
  parameter  ENTRIES    = 128,
  parameter  WAYS       = 4,
  localparam ENTRY_BITS = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  clear_i,
  input  wire                  enter_i,
  input  wire [ENTRY_BITS-1:0] entry_i,
  input  wire [ENTRY_BITS-1:0] first_i,
  output wire [WAYS-1:0]       valid_o
);

  localparam ROW_BITS = ENTRIES < 64 ? ENTRIES : 64;
  localparam ROWS     = ENTRIES / ROW_BITS;
  localparam COL_BITS = ROW_BITS > 1 ? $clog2(ROW_BITS) : 1;

  wire [ENTRIES-1:0] valid;

  assign valid_o = valid[first_i +: WAYS];

  genvar r;
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : g_row
      reg [ROW_BITS-1:0] valid_q;
      wire               here;

      if (ROWS > 1) begin : g_select
        localparam [31:0] ROW_32 = r;
        assign here = entry_i[ENTRY_BITS-1:COL_BITS] == ROW_32[ENTRY_BITS-COL_BITS-1:0];
      end else begin : g_one
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
  wire [ENTRY_BITS-1:0] f_way = f_watch_entry - first_i;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_entered_q <= 1'b0;
    else if (clear_i) f_entered_q <= 1'b0;
    else if (enter_i && entry_i == f_watch_entry) f_entered_q <= 1'b1;
  end

  always @* if (rst_ni && {1'b0, f_watch_entry} < ENTRIES) begin
    // It is valid if so, and this is what is read of it.
    assert (valid[f_watch_entry] == f_entered_q);
    if (f_watch_entry >= first_i && {1'b0, f_way} < WAYS)
      assert (valid_o[f_way] == f_entered_q);
  end

`ifdef FORMAL_OCT_VALID
  always @(posedge clk_i) if (rst_ni) begin
    // All valid, and then none.
    cover (valid_o == {WAYS{1'b1}} && clear_i);
    cover (f_past_q && valid_o == {WAYS{1'b0}} && !f_entered_q && enter_i);
  end
`endif
`endif

endmodule
