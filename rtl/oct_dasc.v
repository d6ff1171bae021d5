// SPDX-License-Identifier: Apache-2.0
// oct_dasc - data address stride cache: is an access its entry's last address plus its stride?
//
// Tagless and direct mapped, or tagged and set-associative with LRU. Last address (LDA), stride and
// tag stand in synchronous RAM, read with the word's arrival, compared and written back in the next
// cycle. Latency: 2 cycles, one word every 2 cycles. Back-pressure: valid/ready; the output is
// stable while it is stalled, and one more word waits behind it. A sync mark forgets all, before
// its own word. An invalid tagless entry reads as LDA 0, stride 0.
//
// ADDR_BITS      bits of an address
// PC_ALIGN_BITS  instruction addresses are multiples of 2^this
// DASC_ENTRIES   entries, a power of two
// DASC_WAYS      0 tagless and direct mapped; else tagged, ways, a power of two
// STRIDE_BITS    bits of a stride, which is signed
module oct_dasc #(
  parameter ADDR_BITS     = 32,
  parameter PC_ALIGN_BITS = 2,
  parameter DASC_ENTRIES  = 1024,
  parameter DASC_WAYS     = 0,
  parameter STRIDE_BITS   = 8
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,

  input  wire                 valid_i,
  output wire                 ready_o,
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire [3:0]           slot_i,
  input  wire [ADDR_BITS-1:0] da_i,
  input  wire [1:0]           kind_i,
  input  wire [2:0]           mark_i,

  output wire                 out_valid_o,
  input  wire                 out_ready_i,
  output wire [ADDR_BITS-1:0] out_da_o,
  output wire [1:0]           out_kind_o,
  output wire                 out_hit_o,
  output wire [2:0]           out_mark_o
);

  localparam WAYS       = DASC_WAYS > 1 ? DASC_WAYS : 1;
  localparam SETS       = DASC_ENTRIES / WAYS;
  localparam LOG2_SETS  = $clog2(SETS);
  localparam SET_BITS   = SETS > 1 ? LOG2_SETS : 1;
  localparam WAY_BITS   = WAYS > 1 ? $clog2(WAYS) : 1;
  localparam ENTRY_BITS = DASC_ENTRIES > 1 ? $clog2(DASC_ENTRIES) : 1;
  // The set and the slot tell the low bits of the instruction's address, so the tag has the others.
  localparam PCW_BITS   = ADDR_BITS - PC_ALIGN_BITS - LOG2_SETS;
  localparam TAG_BITS   = PCW_BITS + 4;
  localparam PAIR_BITS  = ADDR_BITS + STRIDE_BITS;
  localparam [2:0] MARK_SYNC   = 3'd2;
  localparam [1:0] KIND_ACCESS = 2'd1;

  // The word under way: held_q, and its first cycle, that of the compare: lookup_q.
  reg                  lookup_q, held_q, hit_q;
  reg  [ADDR_BITS-1:0] da_q;
  reg  [1:0]           kind_q;
  reg  [2:0]           mark_q;
  reg  [SET_BITS-1:0]  set_q;
  reg  [TAG_BITS-1:0]  tag_q;
  // The output.
  reg                  out_valid_q, out_hit_q;
  reg  [ADDR_BITS-1:0] out_da_q;
  reg  [1:0]           out_kind_q;
  reg  [2:0]           out_mark_q;

  wire                  take, move, out_free, access, found, hit;
  wire [SET_BITS-1:0]   set;
  wire [TAG_BITS-1:0]   tag;
  wire [WAYS-1:0]       set_valid, found_ways;
  wire [WAY_BITS-1:0]   victim, way;
  reg  [WAY_BITS-1:0]   found_way;
  wire [ENTRY_BITS-1:0] first_entry, entry;
  wire [WAYS*PAIR_BITS-1:0] pairs;
  reg  [PAIR_BITS-1:0]  pair;
  wire [ADDR_BITS-1:0]  delta;
  wire [STRIDE_BITS-1:0] stride;
  wire [PAIR_BITS-1:0]  pair_d;

  // The slot's bits, reversed, at the top of the set.
  generate
    if (SETS == 1) begin : g_one_set
      assign set = 1'b0;
    end else begin : g_sets
      wire [LOG2_SETS+3:0] reversed;
      assign reversed = {slot_i[0], slot_i[1], slot_i[2], slot_i[3], {LOG2_SETS{1'b0}}};
      assign set      = pc_i[PC_ALIGN_BITS +: LOG2_SETS] ^ reversed[LOG2_SETS+3:4];
      wire unused = &{1'b0, reversed[3:0]};
    end

    if (SETS == 1) begin : g_entry_of_ways
      assign first_entry = {ENTRY_BITS{1'b0}};
      assign entry       = way;
    end else if (WAYS == 1) begin : g_entry_of_sets
      assign first_entry = set_q;
      assign entry       = set_q;
    end else begin : g_entry
      assign first_entry = {set_q, {WAY_BITS{1'b0}}};
      assign entry       = {set_q, way};
    end
  endgenerate

  assign tag      = {pc_i[ADDR_BITS-1 -: PCW_BITS], slot_i};
  assign out_free = !out_valid_q || out_ready_i;
  assign take     = valid_i && ready_o;
  assign move     = held_q && out_free;
  assign access   = lookup_q && kind_q == KIND_ACCESS;

  // A hit if the step from the last address is the stride, sign-extended: its low bits are, and
  // all above are as its sign.
  assign stride = pair[ADDR_BITS +: STRIDE_BITS];
  assign delta  = da_q - pair[ADDR_BITS-1:0];
  assign hit    = access && found && delta[STRIDE_BITS-1:0] == stride &&
                  delta[ADDR_BITS-1:STRIDE_BITS-1] ==
                  {(ADDR_BITS-STRIDE_BITS+1){stride[STRIDE_BITS-1]}};
  assign pair_d = {delta[STRIDE_BITS-1:0] & {STRIDE_BITS{found}}, da_q};

  // A tag is in a set once, so the ways found are one or none.
  always @* begin : p_found_way
    integer w;
    found_way = {WAY_BITS{1'b0}};
    pair      = {PAIR_BITS{1'b0}};
    for (w = 0; w < WAYS; w = w + 1) begin
      if (found_ways[w]) begin
        found_way = found_way | w[WAY_BITS-1:0];
        pair      = pair | pairs[w*PAIR_BITS +: PAIR_BITS];
      end
    end
  end

  assign way = found ? found_way : victim;

  genvar g;
  generate
    if (DASC_WAYS == 0) begin : g_tagless
      wire unused = &{1'b0, tag_q};

      oct_ram #(
        .WIDTH(PAIR_BITS),
        .DEPTH(SETS)
      ) u_pair (
        .clk_i  (clk_i),
        .we_i   (access),
        .waddr_i(set_q),
        .wdata_i(pair_d),
        .re_i   (take),
        .raddr_i(set),
        .rdata_o(pairs)
      );

      assign found_ways = set_valid;
      assign found      = 1'b1;
    end else begin : g_tagged
      for (g = 0; g < WAYS; g = g + 1) begin : g_way
        localparam [31:0] WAY_32 = g;
        wire [TAG_BITS-1:0] stored_tag;

        oct_ram #(
          .WIDTH(TAG_BITS + PAIR_BITS),
          .DEPTH(SETS)
        ) u_entry (
          .clk_i  (clk_i),
          .we_i   (access && way == WAY_32[WAY_BITS-1:0]),
          .waddr_i(set_q),
          .wdata_i({tag_q, pair_d}),
          .re_i   (take),
          .raddr_i(set),
          .rdata_o({stored_tag, pairs[g*PAIR_BITS +: PAIR_BITS]})
        );

        assign found_ways[g] = set_valid[g] && stored_tag == tag_q;
      end

      assign found = found_ways != {WAYS{1'b0}};
    end
  endgenerate

  oct_valid #(
    .ENTRIES(DASC_ENTRIES),
    .WAYS   (WAYS)
  ) u_valid (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(take && mark_i == MARK_SYNC),
    .enter_i(access),
    .entry_i(entry),
    .first_i(first_entry),
    .valid_o(set_valid)
  );

  oct_replace #(
    .SETS  (SETS),
    .WAYS  (WAYS),
    .BYPASS(0)
  ) u_replace (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .clear_i   (1'b0),
    .read_i    (take),
    .read_set_i(set),
    .set_i     (set_q),
    .valid_i   (set_valid),
    .use_i     (access),
    .enter_i   (access && !found),
    .way_i     (way),
    .victim_o  (victim)
  );

  assign ready_o     = !held_q;
  assign out_valid_o = out_valid_q;
  assign out_da_o    = out_da_q;
  assign out_kind_o  = out_kind_q;
  assign out_hit_o   = out_hit_q;
  assign out_mark_o  = out_mark_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lookup_q    <= 1'b0;
      held_q      <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      lookup_q    <= take;
      held_q      <= take || (held_q && !out_free);
      out_valid_q <= move || (out_valid_q && !out_ready_i);
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      da_q   <= {ADDR_BITS{1'b0}};
      kind_q <= 2'd0;
      mark_q <= 3'd0;
      set_q  <= {SET_BITS{1'b0}};
      tag_q  <= {TAG_BITS{1'b0}};
    end else if (take) begin
      da_q   <= da_i;
      kind_q <= kind_i;
      mark_q <= mark_i;
      set_q  <= set;
      tag_q  <= tag;
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hit_q <= 1'b0;
    else if (lookup_q) hit_q <= hit;
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_da_q   <= {ADDR_BITS{1'b0}};
      out_kind_q <= 2'd0;
      out_hit_q  <= 1'b0;
      out_mark_q <= 3'd0;
    end else if (move) begin
      out_da_q   <= da_q;
      out_kind_q <= kind_q;
      out_hit_q  <= lookup_q ? hit : hit_q;
      out_mark_q <= mark_q;
    end
  end

  // The low bits of an address are in the set, or below any instruction.
  wire unused = &{1'b0, pc_i};

endmodule
