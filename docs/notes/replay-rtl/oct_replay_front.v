// SPDX-License-Identifier: Apache-2.0
// oct_replay_front - from the core to the filter and to the queue: a piece of docs/replay-rtl.md, written to be
// synthesised, not built in. Registers of 32 bits, lines of 32 bytes.
//
// An access waits in a FIFO of two and is cut at lines. Its value, with the entry of its instruction and the difference
// from its address, goes beside the filter for three cycles. Events take the same way. Instructions are counted
// for events, syncs and marks. If the queue has no room, or the FIFO, instructions are lost until it
// is empty; then a sync begins anew.
`default_nettype none

module oct_replay_front #(
  parameter integer A = 32
) (
  input  wire         clk_i,
  input  wire         rst_ni,
  // The core.
  input  wire         insn_valid_i,
  input  wire [A-1:0] insn_addr_i,
  input  wire         da_valid_i, da_store_i,
  input  wire [A-1:0] da_addr_i, da_value_i,
  input  wire [1:0]   da_size_i,
  input  wire         event_valid_i,   // a trap, a register from outside, a jump, a task
  input  wire [2:0]   event_kind_i,
  input  wire [A-1:0] event_value_i,
  input  wire         snoop_valid_i,   // somebody else writes this line
  input  wire [A-6:0] snoop_line_i,
  input  wire [17:0]  sync_insns_i,
  input  wire         sync_asked_i,    // by bits, by the bus
  input  wire         mark_ready_i,
  // The filter.
  output reg          beat_valid_o, beat_learns_o, beat_forgets_o,
  output reg  [A-6:0] beat_line_o,
  output reg  [31:0]  beat_touched_o,
  input  wire         known_valid_i, known_i,
  // The queue.
  input  wire         has_room_i, is_empty_i,
  output reg          write_o, commit_o, drop_o,
  output reg  [63:0]  word_o,
  // Syncs and marks.
  output reg          sync_o, resume_o,
  output reg  [A-1:0] mark_pc_o,
  output reg  [47:0]  mark_number_o,
  output reg  [31:0]  lost_insns_o, lost_accesses_o
);

  // ---- Accesses that wait ----
  localparam integer WORD = 2 * A + 3 + 5 + 1;
  wire [4:0]      entry = insn_addr_i[6:2] ^ insn_addr_i[11:7] ^ insn_addr_i[16:12] ^ {insn_addr_i[1:0], 3'd0} ^ {2'd0, number_q};
  reg  [2:0]      number_q;  // of the access in its instruction
  wire [WORD-1:0] in_word = {insn_valid_i, entry, da_size_i, da_store_i, da_addr_i, da_value_i};
  reg  [WORD-1:0] head_q, wait_q;
  reg             has_head_q, has_wait_q, second_q;
  wire [A-1:0]    addr = head_q[A +: A], value = head_q[A-1:0];
  wire            is_store = head_q[2*A];
  wire [1:0]      size = head_q[2*A+1 +: 2];
  wire [7:0]      bytes = size == 2'd0 ? 8'h01 : size == 2'd1 ? 8'h03 : size == 2'd2 ? 8'h0f : 8'hff;
  wire [39:0]     touched = {32'd0, bytes} << addr[4:0];
  wire            crosses = |touched[39:32];
  wire            leaves = has_head_q && (!crosses || second_q) && !snoop_valid_i;
  wire            overflows = da_valid_i && has_head_q && has_wait_q && !leaves;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      has_head_q <= 1'b0;
      has_wait_q <= 1'b0;
      second_q   <= 1'b0;
      number_q   <= 3'd0;
    end else begin
      has_head_q <= (has_head_q && !leaves) || has_wait_q || da_valid_i;
      has_wait_q <= has_head_q && !leaves ? has_wait_q || da_valid_i : has_wait_q && da_valid_i;
      second_q   <= has_head_q && crosses && !second_q && !snoop_valid_i;
      if (insn_valid_i) number_q <= {2'd0, da_valid_i};
      else if (da_valid_i) number_q <= number_q + 3'd1;
    end
  end
  always @(posedge clk_i) begin
    if (!has_head_q || leaves) head_q <= has_wait_q ? wait_q : in_word;
    if (!has_wait_q || leaves) wait_q <= in_word;
  end

  // ---- To the filter ----
  wire [A-1:0] near = value - addr;
  reg          pass_valid_q [0:3], pass_load_q [0:3], pass_first_q [0:3], pass_event_q [0:3], pass_near_q [0:3];
  reg  [A-1:0] pass_value_q [0:3];
  reg  [19:0]  pass_diff_q [0:3];
  reg  [8:0]   pass_what_q [0:3];
  integer      i;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_valid_o <= 1'b0;
      for (i = 0; i < 4; i = i + 1) pass_valid_q[i] <= 1'b0;
    end else begin
      beat_valid_o    <= (has_head_q || snoop_valid_i) && !mute_q;
      pass_valid_q[0] <= (leaves || event_valid_i) && !mute_q;
      for (i = 1; i < 4; i = i + 1) pass_valid_q[i] <= pass_valid_q[i-1];
    end
  end
  always @(posedge clk_i) begin
    beat_learns_o  <= !snoop_valid_i;
    beat_forgets_o <= snoop_valid_i;
    beat_line_o    <= snoop_valid_i ? snoop_line_i : addr[A-1:5] + {{(A-6){1'b0}}, second_q};
    beat_touched_o <= snoop_valid_i ? 32'hffffffff : second_q ? {24'd0, touched[39:32]} : touched[31:0];
    pass_load_q[0]  <= !is_store && !event_valid_i;
    pass_event_q[0] <= event_valid_i;
    pass_first_q[0] <= second_q;
    pass_value_q[0] <= event_valid_i ? event_value_i : value;
    pass_near_q[0]  <= near[A-1:19] == {(A-19){near[A-1]}};
    pass_diff_q[0]  <= event_valid_i ? since_q : {near[18:0], 1'b0} ^ {20{near[A-1]}};
    pass_what_q[0]  <= event_valid_i ? {6'd0, event_kind_i} : {2'd0, size, head_q[2*A+3 +: 5]};
    for (i = 1; i < 4; i = i + 1) begin
      pass_load_q[i]  <= pass_load_q[i-1];
      pass_event_q[i] <= pass_event_q[i-1];
      pass_first_q[i] <= pass_first_q[i-1];
      pass_value_q[i] <= pass_value_q[i-1];
      pass_near_q[i]  <= pass_near_q[i-1];
      pass_diff_q[i]  <= pass_diff_q[i-1];
      pass_what_q[i]  <= pass_what_q[i-1];
    end
  end

  // ---- To the queue: what the filter does not know, and events ----
  reg first_known_q;
  wire wants = pass_valid_q[3] && (pass_event_q[3] || (pass_load_q[3] && !(known_i && (first_known_q || !pass_first_q[3]))));
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_o <= 1'b0;
    else write_o <= wants && has_room_i && !mute_q;
  end
  always @(posedge clk_i) begin
    if (known_valid_i) first_known_q <= known_i;
    word_o   <= {pass_event_q[3], pass_near_q[3], 1'b0, pass_what_q[3], pass_diff_q[3], pass_value_q[3]};
    commit_o <= ends_q[3];
    drop_o   <= lose;
  end

  // ---- Instructions, syncs, loss ----
  reg         mute_q;
  reg  [3:0]  ends_q;
  reg  [47:0] insns_q;
  reg  [19:0] since_q;    // since the last event
  reg  [17:0] to_sync_q;
  reg         due_q;
  wire        lose = (wants && !has_room_i) || overflows;
  wire        resumes = mute_q && insn_valid_i && is_empty_i && mark_ready_i && |lost_insns_o;
  wire        syncs = due_q && insn_valid_i && mark_ready_i && !mute_q && has_room_i;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mute_q    <= 1'b0;
      ends_q    <= 4'd0;
      insns_q   <= 48'd0;
      since_q   <= 20'd0;
      to_sync_q <= 18'd0;
      due_q     <= 1'b1;
      sync_o    <= 1'b0;
      resume_o  <= 1'b0;
      lost_insns_o    <= 32'd0;
      lost_accesses_o <= 32'd0;
    end else begin
      mute_q    <= lose || (mute_q && !resumes);
      ends_q    <= {ends_q[2:0], insn_valid_i};
      insns_q   <= insns_q + {47'd0, insn_valid_i};
      since_q   <= event_valid_i || syncs || resumes ? 20'd0 : since_q + {19'd0, insn_valid_i};
      to_sync_q <= syncs || resumes ? sync_insns_i : to_sync_q - {17'd0, insn_valid_i};
      due_q     <= (due_q || to_sync_q == 18'd1 || sync_asked_i) && !syncs && !resumes;
      sync_o    <= syncs;
      resume_o  <= resumes;
      if (lose && !mute_q) begin
        lost_insns_o    <= 32'd0;
        lost_accesses_o <= 32'd0;
      end else if (mute_q) begin
        lost_insns_o    <= lost_insns_o + {31'd0, insn_valid_i};
        lost_accesses_o <= lost_accesses_o + {31'd0, da_valid_i};
      end
    end
  end
  always @(posedge clk_i) begin
    if (syncs || resumes) mark_pc_o <= insn_addr_i;
    if (syncs || (lose && !mute_q)) mark_number_o <= insns_q;
  end

endmodule
`default_nettype wire
