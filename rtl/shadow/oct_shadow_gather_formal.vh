// SPDX-License-Identifier: Apache-2.0
// oct_shadow_gather_formal.vh - throughput of oct_shadow_gather: an instruction or an access in each
// cycle, syncs among them, with any number of accesses up to GATHER_INSNS - F_SPARE, loses nothing
// while the stages behind take a beat in each cycle. An instruction with n accesses leaves in n
// cycles, which begin behind its last one, so up to n others wait meanwhile. With a retire width of 2 a
// lead is one more, until a cycle brings nothing: up to F_AHEAD of them, for which there are places, lose nothing. And
// counts: of instructions since a sync, and the number of the next one.

`ifdef OCT_FORMAL_SINCE
  // From any state: instructions since the last sync are counted up to 2^32 and stay there, whatever one gap adds. No
  // simulation gets so far.
  localparam [42:0] F_MOST = 43'h1_0000_0000;
  reg         f_past_q = 1'b0;
  reg         f_counts_q, f_syncs_q;
  reg  [42:0] f_since_q;
  reg  [41:0] f_insn_q;
  wire        f_gap = given && gives_mark && gives_gap;
  wire        f_step = given && gives_step && is_last;
  wire [42:0] f_since = {10'd0, since_q} + (f_gap ? {1'b0, resumes_insns_q} : f_step ? 43'd1 : 43'd0);

  always @(posedge clk_i) begin
    f_past_q   <= rst_ni;
    f_counts_q <= f_gap || f_step;
    f_syncs_q  <= given && ((gives_mark && !f_gap && mark == SYNC) || (gives_step && syncs));
    f_since_q  <= f_since > F_MOST ? F_MOST : f_since;
    f_insn_q   <= insn_q + (f_gap ? resumes_insns_q : {41'd0, f_step});
  end

  initial assume (!rst_ni);
  always @* if (rst_ni) begin
    assert (insn_full_q == &insn_q[20:0]);
    if (f_past_q) assert (insn_q == f_insn_q);
    assert (since_q <= F_MOST[32:0]);
    if (f_past_q && f_syncs_q) assert (since_q == 33'd1);
    else if (f_past_q && f_counts_q) assert (since_q == f_since_q[32:0]);
  end
`else
  localparam [4:0] F_AHEAD = RETIRE_WIDTH == 2 ? 5'd3 : 5'd0;
  localparam [4:0] F_SPARE = 5'd1 + F_AHEAD;
  reg  [4:0] f_ahead_q = 5'd0;  // leads that no cycle has made up for
  localparam [31:0] F_INSNS = GATHER_INSNS;
  reg        f_past_q = 1'b0;
  reg  [4:0] f_n_q = 5'd0;  // accesses of the instruction under way
  reg  [3:0] f_steps_q = 4'd0;  // last beats in cycles behind each other
  wire       f_access = da_valid_i && !da_end_i;

  always @(posedge clk_i) begin
    f_past_q  <= 1'b1;
    f_ahead_q <= lead ? f_ahead_q + 5'd1 : insn_valid_i || f_access || f_ahead_q == 5'd0 ? f_ahead_q : f_ahead_q - 5'd1;
    f_n_q     <= (insn_valid_i ? 5'd0 : f_n_q) + {4'd0, f_access};
    f_steps_q <= gives_step && is_last ? f_steps_q + {3'd0, !(&f_steps_q)} : 4'd0;
  end

  always @* begin
    assume (rst_ni == f_past_q);
    // The stages behind take each beat, and send a mark before the next sync.
    assume (ready_i && mark_done_i == mark_valid_q);
    assume (enable_i && !syncreq_i && !afvalid_i && !sync_due_i && sync_period_insns_i == 32'd6);
    assume (!skip_i && !bad_i && !trap_valid_i && !traps_full_i && traps_new_i == 4'd0);
    assume (!stamp_wait_i);
    assume (insn_valid_i || !f_access || f_n_q < F_INSNS[4:0] - F_SPARE);
    assume (!lead || f_ahead_q < F_AHEAD);
    if (rst_ni) begin
      assert (!overflow_o && lost_insns_o == 2'd0 && !lost_access_o);
      // A beat is wanted in each cycle in which an instruction is whole.
      if (head_valid_q && started_q && is_whole && !has_mark) assert (valid_o);
      cover (f_steps_q == 4'd5 && kind_o == BEAT_STEP_SYNC && valid_o);
      if (RETIRE_WIDTH == 2) cover (f_ahead_q == F_AHEAD && count == F_AHEAD[$clog2(GATHER_INSNS + 1)-1:0]);
      else cover (count == F_INSNS[$clog2(GATHER_INSNS + 1)-1:0] - 1'b1);
    end
  end
`endif
