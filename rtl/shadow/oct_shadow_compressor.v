// SPDX-License-Identifier: Apache-2.0
// oct_shadow_compressor - the tracer `shadow` as an SoC takes it: core interface, APB, ATB.
// docs/shadow-rtl.md; model/shadow/oct_shadow_timed.c.
//
//   gather | core | tail: queue | unroll | symbol | coder | framer | bus
//
// Ports are those of oct_compressor, and insn_word_i: the bytes of the instruction. Rules and filter (oct_gate.v) stand
// between the core and gather. The core is never stalled; what there is no room for is dropped, counted and told. After a loss taking
// begins again when nothing is left ahead of the coder and the output buffer is at most half full. Parameters: oct_shadow_params.vh.
`default_nettype none

module oct_shadow_compressor #(
`include "oct_shadow_params.vh"
) (
`include "oct_core_ports.vh"
  input  wire [31:0]          insn_word_i,        // its bytes, the first lowest,
  input  wire                 insn_word_valid_i,  // if they are known
  input  wire                 lead_valid_i,       // one of the same task ahead of it, without accesses: RETIRE_WIDTH = 2
  input  wire [ADDR_BITS-1:0] lead_addr_i,
  input  wire [3:0]           lead_size_bytes_i,
  input  wire [31:0]          lead_word_i,
  input  wire                 lead_word_valid_i,
  input  wire                 atclken_i,
  input  wire                 atready_i,
  input  wire                 syncreq_i,
`include "oct_bus_ports.vh"
);

  localparam integer
`include "oct_shadow_widths.vh"
  ;

`include "oct_shadow_check.vh"

  localparam integer OUT_WORDS = OUT_FIFO_BYTES / 4;
  localparam integer OUT_BITS = $clog2(OUT_WORDS + 1);
  localparam [31:0] HALF_32 = OUT_WORDS / 2;

  // ---- Registers ----

  localparam [31:0]    SYNC_PERIOD = SYNC_INSNS;
  localparam integer   TIME_BITS = TIME_SOURCE != 0 ? 64 : 56;
`include "oct_gate_side.vh"
  wire [31:0]          gather_count;
  wire [OUT_BITS-1:0]  out_words;
  wire [QUEUE_BITS-1:0] queue_count;
  wire [4:0]           errors, lead_errors;

  assign stream_count_32    = gather_count;
  assign data_count_32      = {{(32 - QUEUE_BITS){1'b0}}, queue_count};
  assign out_count_bytes_32 = {{(30 - OUT_BITS){1'b0}}, out_words, 2'd0};

  wire                 lead_valid = RETIRE_WIDTH == 2 && lead_valid_i && insn_valid_i;
  // A lead without an instruction behind it, or a place for it, is lost.
  wire                 lone_lead = lead_valid_i && !lead_valid;
  assign more_errors = lead_errors | {4'd0, lone_lead};
  assign errors = gate_errors | more_errors;

  oct_core_rules #(
    .ADDR_BITS    (ADDR_BITS),
    .PC_ALIGN_BITS(PC_ALIGN_BITS)
  ) u_lead_rules (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .insn_valid_i     (lead_valid),
    .insn_addr_i      (lead_addr_i),
    .insn_size_bytes_i(lead_size_bytes_i),
    .da_valid_i       (1'b0),
    .da_end_i         (1'b0),
    .core_error_i     (1'b0),
    .trap_valid_i     (1'b0),
    .trap_kind_i      (2'd0),
    .errors_o         (lead_errors)
  );

  // ---- Gather ----

  // Of an instruction whose bytes are not known, the two lowest bits tell its size as they do in RISC-V.
  wire [31:0]          insn_word = insn_word_valid_i ? insn_word_i : {30'd0, {2{insn_size_bytes_i[2]}}};
  wire [31:0]          lead_word = lead_word_valid_i ? lead_word_i : {30'd0, {2{lead_size_bytes_i[2]}}};
  wire                 beat_valid, beat_ready, beat_word_known, flush_done, mark_valid, mark_done, sync_due;
  wire [1:0]           beat_kind, beat_mark, mark_kind;
  wire [3:0]           beat_after, stamp_events;
  wire                 stamp_due, stamp_wait;
  wire [3:0]           traps_new;
  wire                 traps_full, trap_push, traps_undo, place_insn;
  wire [1:0]           place;
  wire [ADDR_BITS-1:0] beat_pc, beat_addr, beat_next, mark_pc;
  wire [31:0]          beat_word;
  wire [N_BITS-1:0]    beat_n, beat_at;
  wire [TASK_BITS-1:0] beat_task, mark_task;
  wire [2:0]           mark_privilege;  // above the task, where there are traps
  wire [41:0]          mark_number, mark_lost_insns, mark_lost_accesses;
  wire [1:0]           items_valid, items_two;
  wire [2*W-1:0]       items_first, items_second;
  wire                 queue_ready, core_is_empty;
  wire                 is_empty = core_is_empty && queue_count == {QUEUE_BITS{1'b0}} &&
                                  out_words <= HALF_32[OUT_BITS-1:0];

  oct_shadow_gather #(
    .ADDR_BITS(ADDR_BITS),
    .TASK_BITS(TASK_BITS),
    .RETIRE_WIDTH   (RETIRE_WIDTH),
    .GATHER_INSNS   (GATHER_INSNS),
    .GATHER_ACCESSES(GATHER_ACCESSES),
    .SYNC_KEEPS     (SYNC_KEEPS),
    .TRAPS          (TRAPS)
  ) u_gather (
    .clk_i               (clk_i),
    .rst_ni              (rst_ni),
    .insn_valid_i        (insn_valid_i || lone_lead),
    .insn_addr_i         (insn_addr_i),
    .insn_word_i         (insn_word),
    .insn_word_valid_i   (insn_word_valid_i),
    .lead_valid_i        (lead_valid),
    .lead_addr_i         (lead_addr_i),
    .lead_word_i         (lead_word),
    .lead_word_valid_i   (lead_word_valid_i),
    .task_i              (task_i),
    .da_valid_i          (da_valid),
    .da_end_i            (da_end),
    .da_addr_i           (da_addr_i),
    .trap_valid_i        (TRAPS != 0 && trap_valid_i),
    .trap_privilege_i    (trap_privilege_i),
    .skip_i              (skip),
    .bad_i               (|errors),
    .enable_i            (enable),
    .sync_period_insns_i (sync_period_insns),
    .sync_due_i          (sync_due),
    .afvalid_i           (afvalid_i && atclken_i),
    .syncreq_i           (syncreq_i && atclken_i),
    .flush_done_i        (flush_done),
    .af_busy_o           (af_busy),
    .is_empty_i          (is_empty),
    .traps_full_i        (traps_full),
    .traps_new_i         (traps_new),
    .trap_push_o         (trap_push),
    .traps_undo_o        (traps_undo),
    .place_o             (place),
    .place_insn_o        (place_insn),
    .stamp_due_i         (stamp_due),
    .stamp_wait_i        (stamp_wait),
    .stamp_events_o      (stamp_events),
    .valid_o             (beat_valid),
    .ready_i             (beat_ready),
    .kind_o              (beat_kind),
    .pc_o                (beat_pc),
    .word_o              (beat_word),
    .word_known_o        (beat_word_known),
    .n_o                 (beat_n),
    .at_o                (beat_at),
    .addr_o              (beat_addr),
    .after_o             (beat_after),
    .next_o              (beat_next),
    .task_o              (beat_task),
    .mark_o              (beat_mark),
    .mark_valid_o        (mark_valid),
    .mark_kind_o         (mark_kind),
    .mark_number_o       (mark_number),
    .mark_task_o         (mark_task),
    .mark_privilege_o    (mark_privilege),
    .mark_pc_o           (mark_pc),
    .mark_lost_insns_o   (mark_lost_insns),
    .mark_lost_accesses_o(mark_lost_accesses),
    .mark_done_i         (mark_done),
    .overflow_o          (overflow),
    .lost_insns_o        (lost_insns),
    .lost_access_o       (lost_access),
    .lost_traps_o        (lost_traps),
    .count_o             (gather_count)
  );

  oct_shadow_core #(
`include "oct_shadow_pass.vh"
  ) u_core (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .valid_i     (beat_valid),
    .ready_o     (beat_ready),
    .kind_i      (beat_kind),
    .pc_i        (beat_pc),
    .word_i      (beat_word),
    .word_known_i(beat_word_known),
    .n_i         (beat_n),
    .at_i        (beat_at),
    .addr_i      (beat_addr),
    .after_i     (beat_after),
    .next_i      (beat_next),
    .task_i      (beat_task),
    .mark_i      (beat_mark),
    .start_pc_i  (mark_pc),
    .out_valid_o (items_valid),
    .out_ready_i (queue_ready),
    .out_two_o   (items_two),
    .out_first_o (items_first),
    .out_second_o(items_second),
    .is_empty_o  (core_is_empty)
  );

  // ---- Queue to coder ----

  wire         coded_valid, coded_ready, coded_end;
  wire [1:0]   coded_n_bytes;
  wire [15:0]  coded_bytes;

  oct_shadow_tail #(
`include "oct_shadow_pass.vh"
  ) u_tail (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .valid_i          (items_valid),
    .two_i            (items_two),
    .first_i          (items_first),
    .second_i         (items_second),
    .ready_o          (queue_ready),
    .count_o          (queue_count),
    .trap_push_i      (trap_push),
    .trap_i           ({trap_kind_i, trap_privilege_i, trap_cause_i, trap_addr_i, trap_tval_i}),
    .place_i          (place),
    .place_insn_i     (place_insn),
    .undo_i           (traps_undo),
    // Behind a lead that is taken alone events are dropped: no trap needs its address.
    .insn_addr_i      (insn_addr_i),
    .insn_word_i      (insn_word[1:0]),
    .traps_full_o     (traps_full),
    .traps_new_o      (traps_new),
    .stamp_events_i   (stamp_events),
    .stamp_n_i        (beat_n),
    .time_i           (time_i),
    .time_back_o      (time_back),
    .stamp_due_o      (stamp_due),
    .stamp_wait_o     (stamp_wait),
    .out_valid_o      (coded_valid),
    .out_ready_i      (coded_ready),
    .out_n_bytes_o    (coded_n_bytes),
    .out_bytes_o      (coded_bytes),
    .out_end_o        (coded_end)
  );

  // ---- Framer and bus ----

  localparam integer MARK_TASK_BITS = TASK_BITS + (TRAPS != 0 ? 3 : 0);
  wire [TASK_BITS+2:0] mark_task_field = {mark_privilege, mark_task};
  wire unused_privilege = &{1'b0, mark_task_field};
  oct_shadow_framer #(
    .OUT_FIFO_BYTES(OUT_FIFO_BYTES),
    .SYNC_BITS     (SYNC_BITS),
    .TASK_BITS     (MARK_TASK_BITS),
    .CHECK         (CHECK)
  ) u_framer (
    .clk_i               (clk_i),
    .rst_ni              (rst_ni),
    .valid_i             (coded_valid),
    .n_bytes_i           (coded_n_bytes),
    .bytes_i             (coded_bytes),
    .end_i               (coded_end),
    .ready_o             (coded_ready),
    .mark_valid_i        (mark_valid),
    .mark_kind_i         (mark_kind),
    .mark_number_i       (mark_number),
    .mark_task_i         (mark_task_field[MARK_TASK_BITS-1:0]),
    .mark_lost_insns_i   (mark_lost_insns),
    .mark_lost_accesses_i(mark_lost_accesses),
    .mark_done_o         (mark_done),
    .sync_due_o          (sync_due),
    .atready_i           (atready_i),
    .atclken_i           (atclken_i),
    .atvalid_o           (atvalid_o),
    .atdata_o            (atdata_o),
    .atbytes_o           (atbytes_o),
    .flush_out_o         (flush_out),
    .flush_done_o        (flush_done),
    .count_words_o       (out_words)
  );

`include "oct_bus_check.vh"
`ifdef FORMAL
`include "oct_shadow_compressor_formal.vh"
`endif

endmodule

`default_nettype wire
