// SPDX-License-Identifier: Apache-2.0
// oct_replay_filter - which bytes of memory the decoder knows: a piece of docs/replay-rtl.md, written to be
// synthesised, not built in. Lines of 32 bytes, 128 sets of 4 ways, addresses of 32 bits.
//
// A beat is what an access does in one line: `touched_i` has a bit for each byte. Cycle 1 reads the set: each way has
// a memory of its own with tag and valid bits, and the order of use another. Cycle 2 compares. Cycle 3
// writes the way that was hit or replaced, and the order. What the beat before writes in the same set is
// taken from it; memories write first (OCT_RAM_WRITE_FIRST). A set has a flip-flop that says it was written since the
// last clear.
//
// `known_o` comes with the beat in cycle 3. A forget (a snoop) clears the bits of its line.
`default_nettype none

module oct_replay_filter #(
  parameter  integer A     = 32,
  parameter  integer SETS  = 128,
  parameter  integer WAYS  = 4,
  parameter  integer LINE  = 32,
  localparam integer S     = $clog2(SETS),
  localparam integer W     = $clog2(WAYS),
  localparam integer L     = $clog2(LINE),
  localparam integer LINES = A - L,
  localparam integer TAG   = LINES - S
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             clear_i,
  input  wire             valid_i,
  input  wire             learns_i,   // a store, or a load: its bytes become known
  input  wire             forgets_i,  // somebody else wrote them
  input  wire [LINES-1:0] line_i,
  input  wire [LINE-1:0]  touched_i,
  output reg              valid_o,
  output reg              known_o
);

  // The high part of a line's number is the tag: with the set it tells all bits.
  wire [S-1:0]   set = line_i[S-1:0] ^ line_i[2*S-1:S];
  wire [TAG-1:0] tag = line_i[LINES-1:S];

  // ---- Cycle 1 ----

  reg            valid_1_q, learns_1_q, forgets_1_q;
  reg [S-1:0]    set_1_q;
  reg [TAG-1:0]  tag_1_q;
  reg [LINE-1:0] touched_1_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_1_q <= 1'b0;
    else valid_1_q <= valid_i;
  end

  always @(posedge clk_i) begin
    if (valid_i) begin
      learns_1_q  <= learns_i;
      forgets_1_q <= forgets_i;
      set_1_q     <= set;
      tag_1_q     <= tag;
      touched_1_q <= touched_i;
    end
  end

  // ---- Cycle 2: compare ----

  reg            write_q;                     // the last write
  reg [S-1:0]    write_set_q;
  reg [WAYS-1:0] write_way_q;
  reg [TAG-1:0]  write_tag_q;
  reg [LINE-1:0] write_bits_q;
  reg [WAYS*W-1:0] write_order_q;
  reg [SETS-1:0] written_q;

  wire [WAYS*(TAG+LINE)-1:0] stored;
  wire [WAYS*W-1:0]          stored_order;
  wire near = write_q && write_set_q == set_1_q;
  reg  is_written_q;

  wire [WAYS-1:0]      hit;
  wire [WAYS*LINE-1:0] bits;
  wire [WAYS*W-1:0]    fresh_order;
  wire [WAYS*W-1:0]    order = near ? write_order_q : is_written_q ? stored_order : fresh_order;

  genvar g;
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      wire [TAG-1:0]  tag_now;
      wire [LINE-1:0] bits_now;
      assign fresh_order[g*W +: W] = g;
      assign tag_now  = near && write_way_q[g] ? write_tag_q : stored[g*(TAG+LINE)+LINE +: TAG];
      assign bits_now = near && write_way_q[g] ? write_bits_q : is_written_q ? stored[g*(TAG+LINE) +: LINE] : {LINE{1'b0}};
      assign hit[g] = tag_now == tag_1_q && bits_now != {LINE{1'b0}};
      assign bits[g*LINE +: LINE] = bits_now & {LINE{hit[g]}};

      oct_ram #(.WIDTH(TAG + LINE), .DEPTH(SETS), .BYPASS(1)) u_ram (
        .clk_i(clk_i),
        .we_i(write_q && write_way_q[g]), .waddr_i(write_set_q), .wdata_i({write_tag_q, write_bits_q}),
        .re_i(valid_i), .raddr_i(set), .rdata_o(stored[g*(TAG+LINE) +: TAG+LINE]));
    end
  endgenerate

  oct_ram #(.WIDTH(WAYS * W), .DEPTH(SETS), .BYPASS(1)) u_order (
    .clk_i(clk_i),
    .we_i(write_q), .waddr_i(write_set_q), .wdata_i(write_order_q),
    .re_i(valid_i), .raddr_i(set), .rdata_o(stored_order));

  reg [LINE-1:0] found;
  always @* begin : p_found
    integer i;
    found = {LINE{1'b0}};
    for (i = 0; i < WAYS; i = i + 1) found = found | bits[i*LINE +: LINE];
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      written_q    <= {SETS{1'b0}};
      is_written_q <= 1'b0;
    end else begin
      is_written_q <= (written_q[set] || (write_q && write_set_q == set)) && !clear_i;
      if (clear_i) written_q <= {SETS{1'b0}};
      else if (write_q) written_q[write_set_q] <= 1'b1;
    end
  end

  // ---- Cycle 3: write, order of use ----

  wire         is_hit = |hit;
  wire [W-1:0] last = order[(WAYS-1)*W +: W];
  reg  [WAYS-1:0] way;
  reg  [W-1:0] way_number;
  always @* begin : p_way
    integer i;
    way_number = last;
    for (i = 0; i < WAYS; i = i + 1) if (hit[i]) way_number = i;
    way = {{(WAYS-1){1'b0}}, 1'b1} << way_number;
  end

  reg [WAYS*W-1:0] order_next;
  always @* begin : p_order
    integer i;
    reg behind;
    order_next = order;
    behind = 1'b0;
    for (i = WAYS - 1; i > 0; i = i - 1) begin
      behind = behind || order[i*W +: W] == way_number;
      if (behind) order_next[i*W +: W] = order[(i-1)*W +: W];
    end
    order_next[0 +: W] = way_number;
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o     <= 1'b0;
      write_q     <= 1'b0;
    end else begin
      valid_o     <= valid_1_q;
      write_q     <= valid_1_q && !clear_i && (learns_1_q || is_hit);
    end
  end

  always @(posedge clk_i) begin
    known_o      <= (touched_1_q & ~found) == {LINE{1'b0}};
    if (valid_1_q) begin
      write_set_q   <= set_1_q;
      write_way_q   <= way;
      write_tag_q   <= tag_1_q;
      write_bits_q  <= forgets_1_q ? found & ~touched_1_q : found | touched_1_q;
      write_order_q <= forgets_1_q ? order : order_next;
    end
  end

endmodule
`default_nettype wire
