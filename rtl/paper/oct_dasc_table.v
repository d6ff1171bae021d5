// SPDX-License-Identifier: Apache-2.0
// oct_dasc_table - the entries of the data address stride cache: look up and update.
//
// Last address (LDA), stride and tag stand in synchronous RAM, read with read_i. Latency: 1 cycle,
// in which hit_o tells the access at da_i (access_i) of the instruction and slot that was read, and
// its entry is written back. With PIPELINED the next is read in that cycle, and finds what is
// written; else nothing is. No back-pressure. clear_i forgets all, what is written back included,
// before what is read with it. An invalid tagless entry is LDA 0, stride 0.
//
// ADDR_BITS      bits of an address
// PC_ALIGN_BITS  instruction addresses are multiples of 2^this
// DASC_ENTRIES   entries, a power of two
// DASC_WAYS      0 tagless and direct mapped; else tagged with LRU, ways, a power of two
// STRIDE_BITS    bits of a stride, which is signed
// PIPELINED      1: a read may come in the cycle of an access
`default_nettype none

module oct_dasc_table #(
  parameter integer ADDR_BITS     = 32,
  parameter integer PC_ALIGN_BITS = 2,
  parameter integer DASC_ENTRIES  = 1024,
  parameter integer DASC_WAYS     = 0,
  parameter integer STRIDE_BITS   = 8,
  parameter integer PIPELINED     = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 clear_i,
  input  wire                 read_i,
  input  wire [ADDR_BITS-1:0] pc_i,
  input  wire [3:0]           slot_i,
  input  wire                 access_i,
  input  wire [ADDR_BITS-1:0] da_i,
  output wire                 hit_o
);

  localparam integer WAYS       = DASC_WAYS > 1 ? DASC_WAYS : 1;
  localparam integer SETS       = DASC_ENTRIES / WAYS;
  localparam integer LOG2_SETS  = $clog2(SETS);
  localparam integer SET_BITS   = SETS > 1 ? LOG2_SETS : 1;
  localparam integer WAY_BITS   = WAYS > 1 ? $clog2(WAYS) : 1;
  localparam integer ENTRY_BITS = DASC_ENTRIES > 1 ? $clog2(DASC_ENTRIES) : 1;
  // The set and the slot tell the low bits of the instruction's address, so the tag has the others.
  localparam integer PCW_BITS   = ADDR_BITS - PC_ALIGN_BITS - LOG2_SETS;
  localparam integer TAG_BITS   = PCW_BITS + 4;
  localparam integer PAIR_BITS  = ADDR_BITS + STRIDE_BITS;

  reg  [SET_BITS-1:0]       set_q;
  reg  [TAG_BITS-1:0]       tag_q;

  wire                      found;
  wire [SET_BITS-1:0]       set;
  wire [TAG_BITS-1:0]       tag;
  wire [WAYS-1:0]           set_valid, found_ways;
  wire [WAY_BITS-1:0]       victim, way;
  reg  [WAY_BITS-1:0]       found_way;
  wire [ENTRY_BITS-1:0]     first_entry, entry;
  wire [WAYS*PAIR_BITS-1:0] pairs;
  reg  [PAIR_BITS-1:0]      pair;
  wire [PAIR_BITS-1:0]      pair_d;
  wire [ADDR_BITS-1:0]      lda, step, sum, carry;
  wire [STRIDE_BITS-1:0]    stride, delta;
  wire [PAIR_BITS-1:0]      wide;

  // The slot's bits, reversed, at the top of the set.
  generate
    if (SETS == 1) begin : gen_one_set
      assign set = 1'b0;
    end else begin : gen_sets
      wire [LOG2_SETS+3:0] reversed;
      assign reversed = {slot_i[0], slot_i[1], slot_i[2], slot_i[3], {LOG2_SETS{1'b0}}};
      assign set      = pc_i[PC_ALIGN_BITS +: LOG2_SETS] ^ reversed[LOG2_SETS+3:4];
      wire unused = &{1'b0, reversed[3:0]};
    end

    if (SETS == 1) begin : gen_entry_of_ways
      assign first_entry = {ENTRY_BITS{1'b0}};
      assign entry       = way;
    end else if (WAYS == 1) begin : gen_entry_of_sets
      assign first_entry = set;
      assign entry       = set_q;
    end else begin : gen_entry
      assign first_entry = {set, {WAY_BITS{1'b0}}};
      assign entry       = {set_q, way};
    end
  endgenerate

  assign tag = {pc_i[ADDR_BITS-1 -: PCW_BITS], slot_i};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      set_q <= {SET_BITS{1'b0}};
      tag_q <= {TAG_BITS{1'b0}};
    end else if (read_i) begin
      set_q <= set;
      tag_q <= tag;
    end
  end

  // A hit if the last address plus the stride, sign-extended, is this one: no carry has to go
  // through all bits for that. lda + stride - da - 1 is all ones; a sum of three numbers is one of
  // two, and two numbers add up to all ones where each bit is set in one of them.
  assign lda    = pair[ADDR_BITS-1:0];
  assign stride = pair[ADDR_BITS +: STRIDE_BITS];
  assign wide   = {{ADDR_BITS{stride[STRIDE_BITS-1]}}, stride};
  assign step   = wide[ADDR_BITS-1:0];
  assign sum    = lda ^ step ^ ~da_i;
  assign carry  = (lda & step) | (lda & ~da_i) | (step & ~da_i);
  assign hit_o  = access_i && found && (sum ^ {carry[ADDR_BITS-2:0], 1'b0}) == {ADDR_BITS{1'b1}};
  assign delta  = da_i[STRIDE_BITS-1:0] - lda[STRIDE_BITS-1:0];
  assign pair_d = {delta & {STRIDE_BITS{found}}, da_i};

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
    if (DASC_WAYS == 0) begin : gen_tagless
      wire unused = &{1'b0, tag_q, way};

      oct_ram #(
        .WIDTH (PAIR_BITS),
        .DEPTH (SETS),
        .BYPASS(PIPELINED)
      ) u_pair (
        .clk_i  (clk_i),
        .we_i   (access_i),
        .waddr_i(set_q),
        .wdata_i(pair_d),
        .re_i   (read_i),
        .raddr_i(set),
        .rdata_o(pairs)
      );

`ifdef FORMAL
      // For the properties: any one word of the RAM, and what is on its output (oct_ram.v).
      (* hierconn *) wire [SET_BITS-1:0]  \u_pair.f_watch_addr ;
      (* hierconn *) wire [PAIR_BITS-1:0] \u_pair.f_watch_word ;
      (* hierconn *) wire                 \u_pair.f_current ;
      (* hierconn *) wire [SET_BITS-1:0]  \u_pair.f_raddr ;
      wire [SET_BITS-1:0]  f_set     = \u_pair.f_watch_addr ;
      wire [PAIR_BITS-1:0] f_word    = \u_pair.f_watch_word ;
      wire                 f_current = \u_pair.f_current ;
      wire [SET_BITS-1:0]  f_raddr   = \u_pair.f_raddr ;
`endif

      assign found_ways = set_valid;
      assign found      = 1'b1;
      assign victim     = 1'b0;
    end else begin : gen_tagged
      for (g = 0; g < WAYS; g = g + 1) begin : gen_way
        localparam [31:0] WAY_32 = g;
        wire [TAG_BITS-1:0] stored_tag;

        oct_ram #(
          .WIDTH (TAG_BITS + PAIR_BITS),
          .DEPTH (SETS),
          .BYPASS(PIPELINED)
        ) u_entry (
          .clk_i  (clk_i),
          .we_i   (access_i && way == WAY_32[WAY_BITS-1:0]),
          .waddr_i(set_q),
          .wdata_i({tag_q, pair_d}),
          .re_i   (read_i),
          .raddr_i(set),
          .rdata_o({stored_tag, pairs[g*PAIR_BITS +: PAIR_BITS]})
        );

`ifdef FORMAL
        // As in the tagless cache.
        (* hierconn *) wire [SET_BITS-1:0]           \u_entry.f_watch_addr ;
        (* hierconn *) wire [TAG_BITS+PAIR_BITS-1:0] \u_entry.f_watch_word ;
        (* hierconn *) wire                          \u_entry.f_current ;
        (* hierconn *) wire [SET_BITS-1:0]           \u_entry.f_raddr ;
`endif

        assign found_ways[g] = set_valid[g] && stored_tag == tag_q;
      end

      assign found = found_ways != {WAYS{1'b0}};

      oct_replace #(
        .SETS  (SETS),
        .WAYS  (WAYS),
        .BYPASS(PIPELINED)
      ) u_replace (
        .clk_i     (clk_i),
        .rst_ni    (rst_ni),
        .clear_i   (clear_i),
        .read_i    (read_i),
        .read_set_i(set),
        .set_i     (set_q),
        .valid_i   (set_valid),
        .use_i     (access_i),
        .enter_i   (access_i && !found),
        .way_i     (way),
        .victim_o  (victim)
      );
`ifdef FORMAL
      (* hierconn *) wire [SET_BITS-1:0] \u_replace.f_watch_set ;
      (* hierconn *) wire [WAYS-1:0]     \u_replace.f_valid_q ;
      (* hierconn *) wire                \u_replace.f_read_q ;
      (* hierconn *) wire [SET_BITS-1:0] \u_replace.f_set_q ;
      wire [SET_BITS-1:0] f_set   = \u_replace.f_watch_set ;
      wire [WAYS-1:0]     f_valid = \u_replace.f_valid_q ;
      wire                f_ready = \u_replace.f_read_q && \u_replace.f_set_q == set_q;
`endif
    end
  endgenerate

  oct_valid #(
    .ENTRIES(DASC_ENTRIES),
    .WAYS   (WAYS),
    .BYPASS (PIPELINED)
  ) u_valid (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(clear_i),
    .enter_i(access_i),
    .entry_i(entry),
    .read_i (read_i),
    .first_i(first_entry),
    .valid_o(set_valid)
  );

  // The low bits of an address are in the set, or below any instruction.
  wire unused = &{1'b0, pc_i, carry, wide};

`ifdef FORMAL
  // The rule of the inputs: assumed where the table is what is proved, else it is the user's.
`ifdef FORMAL_OCT_DASC_TABLE
  `define OCT_DASC_TABLE_RULE assume
`else
  `define OCT_DASC_TABLE_RULE assert
`endif

  localparam [31:0] F_SETS_32 = SETS;
  (* hierconn *) wire [DASC_ENTRIES-1:0] \u_valid.valid ;

  // Any one set: its valid ways, what they hold, and which of them is the entry looked for.
  (* anyconst *) reg [SET_BITS-1:0] f_set;
  wire [ENTRY_BITS-1:0]  f_first = SETS == 1 ? {ENTRY_BITS{1'b0}} : f_set << $clog2(WAYS);
  wire [WAYS-1:0]        f_valid = \u_valid.valid >> f_first;
  wire [PAIR_BITS-1:0]   f_pair [0:WAYS-1];
  wire [TAG_BITS-1:0]    f_tag [0:WAYS-1];
  wire [WAYS-1:0]        f_has;
  wire                   f_here = access_i && set_q == f_set;
  reg  [ADDR_BITS-1:0]   f_lda, f_stride;
  reg                    f_past_q = 1'b0;
  reg                    f_reset_q = 1'b1;
  reg                    f_read_q, f_clear_q;
  reg                    f_here_q, f_found_q, f_match_q;
  reg  [ADDR_BITS-1:0]   f_lda_q, f_stride_q, f_da_q;
  wire [ADDR_BITS-1:0]   f_delta = f_da_q - f_lda_q;
  wire [STRIDE_BITS-1:0] f_expected = !f_found_q ? {STRIDE_BITS{1'b0}} :
                                      f_match_q ? f_stride_q[STRIDE_BITS-1:0] :
                                      f_delta[STRIDE_BITS-1:0];
  wire                   f_match = da_i == f_lda + f_stride;

  always @* begin
    if (!f_past_q) assume (!rst_ni);
    assume ({{(32-SET_BITS){1'b0}}, f_set} < F_SETS_32);
    if (rst_ni && access_i) begin
      // An access is that of the cycle before; nothing is read or cleared meanwhile, unless
      // pipelined.
      `OCT_DASC_TABLE_RULE (f_read_q);
      `OCT_DASC_TABLE_RULE (PIPELINED != 0 || (!read_i && !clear_i));
    end
  end
`undef OCT_DASC_TABLE_RULE

  // The entry looked for: last address, and stride, sign-extended; both 0 of an invalid one.
  always @* begin : p_entry
    integer w, b;
    f_lda    = {ADDR_BITS{1'b0}};
    f_stride = {ADDR_BITS{1'b0}};
    for (w = 0; w < WAYS; w = w + 1) begin
      if (f_has[w]) begin
        f_lda = f_pair[w][ADDR_BITS-1:0];
        for (b = 0; b < ADDR_BITS; b = b + 1)
          f_stride[b] = f_pair[w][ADDR_BITS + (b < STRIDE_BITS ? b : STRIDE_BITS - 1)];
      end
    end
  end

  always @(posedge clk_i) begin
    f_past_q    <= 1'b1;
    f_reset_q   <= !rst_ni;
    f_read_q    <= rst_ni && read_i;
    f_clear_q   <= clear_i;
    f_da_q      <= da_i;
    f_here_q    <= f_here;
    f_found_q   <= DASC_WAYS == 0 || f_has != {WAYS{1'b0}};
    f_match_q   <= f_match;
    f_lda_q     <= f_lda;
    f_stride_q  <= f_stride;
  end

  generate
    if (DASC_WAYS == 0) begin : gen_formal_tagless
      assign f_pair[0] = gen_tagless.f_word;
      assign f_tag[0]  = tag_q;
      assign f_has     = f_valid;

      always @* begin
        assume (gen_tagless.f_set == f_set);
        // What was read stands in the memory when it is compared.
        if (rst_ni && f_read_q) assert (gen_tagless.f_current && gen_tagless.f_raddr == set_q);
      end
    end else begin : gen_formal_tagged
      always @* assume (gen_tagged.f_set == f_set);
      always @* if (rst_ni) begin
        assert (gen_tagged.f_valid == f_valid);
        if (f_read_q) assert (gen_tagged.f_ready);
      end

      for (g = 0; g < WAYS; g = g + 1) begin : gen_way
        assign {f_tag[g], f_pair[g]} = gen_tagged.gen_way[g].\u_entry.f_watch_word ;
        assign f_has[g]              = f_valid[g] && f_tag[g] == tag_q;

        always @* begin
          assume (gen_tagged.gen_way[g].\u_entry.f_watch_addr == f_set);
          // What was read stands in the memory when it is compared.
          if (rst_ni && f_read_q)
            assert (gen_tagged.gen_way[g].\u_entry.f_current &&
                    gen_tagged.gen_way[g].\u_entry.f_raddr == set_q);
        end
      end
    end
  endgenerate

  always @* if (rst_ni) begin : p_state
    integer v, w;
    // No tag is twice in a set.
    for (v = 0; v < WAYS; v = v + 1)
      for (w = 0; w < v; w = w + 1)
        assert (!(f_valid[v] && f_valid[w] && f_tag[v] == f_tag[w]));
    // The valid bits read are those that stand.
    if (f_read_q && set_q == f_set) assert (set_valid == f_valid);
    // A hit is an access at the last address of its entry plus the stride, and no other.
    if (f_here) assert (hit_o == (f_match && (DASC_WAYS == 0 || f_has != {WAYS{1'b0}})));
    if (!access_i) assert (!hit_o);
  end

  always @(posedge clk_i) if (rst_ni && !f_reset_q) begin : p_step
    integer w;
    // The set then holds the entry with this address; its stride is as before after a hit, that
    // of this step after a miss, and 0 in a new entry.
    if (f_here_q && !f_clear_q && !f_read_q) begin
      assert (f_has != {WAYS{1'b0}});
      for (w = 0; w < WAYS; w = w + 1)
        if (f_has[w]) assert (f_pair[w] == {f_expected, f_da_q});
    end
    // Clearing leaves nothing.
    if (f_clear_q) assert (f_valid == {WAYS{1'b0}});
  end

`ifdef FORMAL_OCT_DASC_TABLE
  reg f_cleared_q = 1'b0;
  always @(posedge clk_i) if (f_clear_q) f_cleared_q <= 1'b1;

  always @(posedge clk_i) if (rst_ni && !f_reset_q) begin
    // A hit with a negative stride; a full set takes an entry; a hit after all was cleared.
    cover (f_here && hit_o && f_stride[ADDR_BITS-1]);
    cover (f_here && f_valid == {WAYS{1'b1}} && (DASC_WAYS == 0 || f_has == {WAYS{1'b0}}));
    cover (f_here && hit_o && f_cleared_q && f_lda != {ADDR_BITS{1'b0}});
  end
`endif
`endif

endmodule

`default_nettype wire
