// SPDX-License-Identifier: Apache-2.0
// oct_stream_cache - set-associative cache of streams: an index for each, 0 for a miss.
//
// Descriptors stand in synchronous RAM, one per way, read with the word's arrival and compared in
// the next cycle. Latency: 1 cycle for a hit, or for a word without a stream (sl 0, a mark alone);
// 2 for a miss, which is written back in the cycle of the compare. A new word is taken every 1 or
// 2 cycles likewise. Back-pressure: valid/ready; the output is stable while it is stalled. Index
// 0 is the miss, so way 0 of set 0 is never used. A sync mark forgets all, after its own word.
// Parameters: SC_SETS, SC_WAYS, SC_INDEX_FN (0 paper, 1 fold, 2 concat, 3 sa), SC_REPL (0 LRU, 1
// FIFO, 2 PLRU, 3 random), widths in bits.
`default_nettype none

module oct_stream_cache #(
`include "oct_params.vh"
,
  parameter integer  // follow from those: none is set
`include "oct_widths.vh"
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,

  input  wire                  valid_i,
  output wire                  ready_o,
  input  wire [ADDR_BITS-1:0]  sa_i,
  input  wire [SL_BITS:0]      sl_i,
  input  wire [TASK_BITS-1:0]  task_i,
  input  wire [2:0]            mark_i,

  output wire                  out_valid_o,
  input  wire                  out_ready_i,
  output wire [ADDR_BITS-1:0]  out_sa_o,
  output wire [SL_BITS:0]      out_sl_o,
  output wire [INDEX_BITS-1:0] out_index_o,
  output wire [TASK_BITS-1:0]  out_task_o,
  output wire [2:0]            out_mark_o
);

`include "oct_types.vh"

  localparam integer ENTRIES   = SC_SETS * SC_WAYS;
  localparam integer SET_BITS  = SC_SETS > 1 ? $clog2(SC_SETS) : 1;
  localparam integer WAY_BITS  = SC_WAYS > 1 ? $clog2(SC_WAYS) : 1;
  localparam integer DESC_BITS = ADDR_BITS + SL_BITS;

  // The word under way: read in the cycle before (lookup_q), or its result is held (held_q).
  reg                   lookup_q, held_q;
  reg  [ADDR_BITS-1:0]  sa_q;
  reg  [SL_BITS:0]      sl_q;
  reg  [TASK_BITS-1:0]  task_q;
  reg  [2:0]            mark_q;
  reg  [SET_BITS-1:0]   set_q;
  reg  [INDEX_BITS-1:0] index_q;

  wire                  take, stream, hit, miss, storable, enter, sync;
  wire [SET_BITS-1:0]   set;
  wire [DESC_BITS-1:0]  desc;
  wire [SC_WAYS-1:0]    set_valid, hits;
  reg  [WAY_BITS-1:0]   hit_way;
  wire [WAY_BITS-1:0]   victim, way;
  wire [INDEX_BITS-1:0] first_entry, entry, index;

  oct_sc_index #(
    .ADDR_BITS    (ADDR_BITS),
    .PC_ALIGN_BITS(PC_ALIGN_BITS),
    .SL_BITS      (SL_BITS),
    .SC_SETS      (SC_SETS),
    .SC_INDEX_FN  (SC_INDEX_FN)
  ) u_index (
    .sa_i (sa_i),
    .sl_i (sl_i),
    .set_o(set)
  );

  // The length is at least 1, so its low bits tell it: the longest reads as 0.
  assign desc     = {sl_q[SL_BITS-1:0], sa_q};
  assign take     = valid_i && ready_o;
  assign stream   = sl_q != {(SL_BITS+1){1'b0}};
  assign hit      = hits != {SC_WAYS{1'b0}};
  assign miss     = lookup_q && stream && !hit;
  assign storable = SC_WAYS > 1 || set_q != {SET_BITS{1'b0}};
  assign enter    = miss && storable;
  assign sync     = lookup_q && mark_q == MARK_SYNC;

  generate
    if (SC_SETS == 1) begin : gen_one_set
      assign first_entry = {INDEX_BITS{1'b0}};
      assign entry       = way;
    end else if (SC_WAYS == 1) begin : gen_one_way
      assign first_entry = set;
      assign entry       = set_q;
    end else begin : gen_sets
      assign first_entry = {set, {WAY_BITS{1'b0}}};
      assign entry       = {set_q, way};
    end
  endgenerate

  assign way   = hit ? hit_way : victim;
  assign index = stream && hit ? entry : {INDEX_BITS{1'b0}};

  // No stream is in a set twice, so the ways that hit are one or none.
  always @* begin : p_hit_way
    integer w;
    hit_way = {WAY_BITS{1'b0}};
    for (w = 0; w < SC_WAYS; w = w + 1)
      if (hits[w]) hit_way = hit_way | w[WAY_BITS-1:0];
  end

  genvar g;
  generate
    for (g = 0; g < SC_WAYS; g = g + 1) begin : gen_way
      localparam [31:0] WAY_32 = g;
      wire [DESC_BITS-1:0] stored;

      assign hits[g] = set_valid[g] && stored == desc;

      oct_ram #(
        .WIDTH(DESC_BITS),
        .DEPTH(SC_SETS)
      ) u_desc (
        .clk_i  (clk_i),
        .we_i   (enter && victim == WAY_32[WAY_BITS-1:0]),
        .waddr_i(set_q),
        .wdata_i(desc),
        .re_i   (take),
        .raddr_i(set),
        .rdata_o(stored)
      );
`ifdef FORMAL
      // For the properties: any one word of the RAM, and what is on its output (oct_ram.v).
      (* hierconn *) wire [SET_BITS-1:0]  \u_desc.f_watch_addr ;
      (* hierconn *) wire [DESC_BITS-1:0] \u_desc.f_watch_word ;
      (* hierconn *) wire                 \u_desc.f_current ;
      (* hierconn *) wire [SET_BITS-1:0]  \u_desc.f_raddr ;
`endif
    end
  endgenerate

  oct_valid #(
    .ENTRIES(ENTRIES),
    .WAYS   (SC_WAYS)
  ) u_valid (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(sync),
    .enter_i(enter),
    .entry_i(entry),
    .read_i (take),
    .first_i(first_entry),
    .valid_o(set_valid)
  );

  oct_replace #(
    .SETS   (SC_SETS),
    .WAYS   (SC_WAYS),
    .REPL   (SC_REPL),
    .RESERVE(1)
  ) u_replace (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .clear_i   (sync),
    .read_i    (take),
    .read_set_i(set),
    .set_i     (set_q),
    .valid_i   (set_valid),
    .use_i     (enter || (lookup_q && stream && hit)),
    .enter_i   (enter),
    .way_i     (way),
    .victim_o  (victim)
  );

  assign out_valid_o = held_q || (lookup_q && !miss);
  assign ready_o     = !miss && (!out_valid_o || out_ready_i);
  assign out_sa_o    = sa_q;
  assign out_sl_o    = sl_q;
  assign out_index_o = held_q ? index_q : index;
  assign out_task_o  = task_q;
  assign out_mark_o  = mark_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lookup_q <= 1'b0;
      held_q   <= 1'b0;
    end else begin
      lookup_q <= take;
      held_q   <= miss || (out_valid_o && !out_ready_i);
    end
  end

  always @(posedge clk_i) begin
    if (take) begin
      sa_q   <= sa_i;
      sl_q   <= sl_i;
      task_q <= task_i;
      mark_q <= mark_i;
      set_q  <= set;
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) index_q <= {INDEX_BITS{1'b0}};
    else if (lookup_q) index_q <= index;
  end

`ifdef FORMAL
  localparam [31:0] F_SETS_32 = SC_SETS;
  (* hierconn *) wire [ENTRIES-1:0]  \u_valid.valid ;
  (* hierconn *) wire [SET_BITS-1:0] \u_replace.f_watch_set ;
  (* hierconn *) wire [SC_WAYS-1:0]  \u_replace.f_valid_q ;
  (* hierconn *) wire                \u_replace.f_read_q ;
  (* hierconn *) wire [SET_BITS-1:0] \u_replace.f_set_q ;

  // Any one set: its valid ways, what they hold, and which of them holds the stream looked for.
  wire [SET_BITS-1:0]   f_set = \u_replace.f_watch_set ;
  wire [INDEX_BITS-1:0] f_first;
  wire [SC_WAYS-1:0]    f_valid = \u_valid.valid >> f_first;
  wire [DESC_BITS-1:0]  f_word [0:SC_WAYS-1];
  wire [SC_WAYS-1:0]    f_has;
  wire                  f_here = lookup_q && stream && set_q == f_set;
  reg                   f_past_q = 1'b0;
  reg                   f_reset_q = 1'b1;
  reg                   f_take_q, f_stalled_q, f_missed_q, f_sync_q, f_stored_q;
  reg  [1:0]            f_taken_q, f_left_q;
  reg  [DESC_BITS-1:0]  f_desc_q;
  reg  [ADDR_BITS+SL_BITS+TASK_BITS+3:0] f_word_q;
  reg  [INDEX_BITS-1:0] f_index_q;

  assign f_first = SC_SETS == 1 ? {INDEX_BITS{1'b0}} : f_set << $clog2(SC_WAYS);

  always @* begin
    if (!f_past_q) assume (!rst_ni);
    assume ({{(32-SET_BITS){1'b0}}, f_set} < F_SETS_32);
  end

  always @(posedge clk_i) begin
    f_past_q    <= 1'b1;
    f_reset_q   <= !rst_ni;
    f_take_q    <= take;
    f_stalled_q <= out_valid_o && !out_ready_i;
    f_missed_q  <= f_here && f_has == {SC_WAYS{1'b0}};
    f_sync_q    <= sync;
    f_stored_q  <= storable && !sync;
    f_desc_q    <= desc;
    f_index_q   <= out_index_o;
    if (take) f_word_q <= {sa_i, sl_i, task_i, mark_i};
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_taken_q <= 2'd0;
      f_left_q  <= 2'd0;
    end else begin
      if (take) f_taken_q <= f_taken_q + 2'd1;
      if (out_valid_o && out_ready_i) f_left_q <= f_left_q + 2'd1;
    end
  end

  generate
    for (g = 0; g < SC_WAYS; g = g + 1) begin : gen_formal
      assign f_word[g] = gen_way[g].\u_desc.f_watch_word ;
      assign f_has[g]  = f_valid[g] && f_word[g] == desc;

      always @* begin
        assume (gen_way[g].\u_desc.f_watch_addr == f_set);
        // What was read stands in the memory when it is compared.
        if (rst_ni && lookup_q)
          assert (gen_way[g].\u_desc.f_current && gen_way[g].\u_desc.f_raddr == set_q);
      end
    end
  endgenerate

  always @* if (rst_ni) begin : p_state
    integer v, w;
    // One word at a time is under way; every word taken leaves once, and whole.
    assert (!(lookup_q && held_q));
    assert (f_taken_q - f_left_q == {1'b0, lookup_q || held_q});
    if (lookup_q || held_q) assert ({sa_q, sl_q, task_q, mark_q} == f_word_q);
    if (lookup_q) assert (\u_replace.f_read_q && \u_replace.f_set_q == set_q);
    assert (\u_replace.f_valid_q == f_valid);
    // The valid bits read are those that stand.
    if (lookup_q && set_q == f_set) assert (set_valid == f_valid);
    // Way 0 of set 0 is never used.
    if (f_set == {SET_BITS{1'b0}}) assert (!f_valid[0]);
    // No stream is twice in a set.
    for (v = 0; v < SC_WAYS; v = v + 1)
      for (w = 0; w < v; w = w + 1)
        assert (!(f_valid[v] && f_valid[w] && f_word[v] == f_word[w]));
    // A stream that the set holds is a hit, 1 cycle after it was taken: its entry, never index 0.
    if (f_here && f_has != {SC_WAYS{1'b0}}) begin
      assert (out_valid_o && out_index_o != {INDEX_BITS{1'b0}});
      for (w = 0; w < SC_WAYS; w = w + 1)
        if (f_has[w]) assert (out_index_o == f_first + w);
    end
    // One that it does not hold is offered in the next cycle, and nothing is taken meanwhile.
    if (f_here && f_has == {SC_WAYS{1'b0}}) assert (!out_valid_o && !ready_o);
    // A mark alone takes 1 cycle.
    if (lookup_q && !stream) assert (out_valid_o);
  end

  always @(posedge clk_i) if (rst_ni && !f_reset_q) begin : p_step
    integer w;
    // A word is looked up in the cycle after it was taken.
    assert (lookup_q == f_take_q);
    // What is offered is stable while it is stalled.
    if (f_stalled_q) assert (held_q && out_valid_o && out_index_o == f_index_q);
    // A miss is offered after 2 cycles with index 0, and then the set holds the stream.
    if (f_missed_q) begin
      assert (held_q && out_valid_o && out_index_o == {INDEX_BITS{1'b0}});
      if (f_stored_q) assert (f_has != {SC_WAYS{1'b0}} && desc == f_desc_q);
    end
    // A sync leaves nothing.
    if (f_sync_q) assert (f_valid == {SC_WAYS{1'b0}});
  end

`ifdef FORMAL_OCT_STREAM_CACHE
  reg f_synced_q = 1'b0;
  always @(posedge clk_i) if (f_sync_q) f_synced_q <= 1'b1;

  always @(posedge clk_i) if (rst_ni && !f_reset_q) begin
    // Hits one a cycle; a stalled hit; a miss in a full set; a hit after a sync.
    cover (ENTRIES == 1 || (f_here && hit && f_take_q && take));
    cover (ENTRIES == 1 || (f_here && hit && !out_ready_i));
    cover (f_missed_q && (f_valid | {{(SC_WAYS-1){1'b0}}, f_set == 0}) == {SC_WAYS{1'b1}});
    cover (ENTRIES == 1 || (f_here && hit && f_synced_q));
  end
`endif
`endif

endmodule

`default_nettype wire
