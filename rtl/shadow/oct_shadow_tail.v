// SPDX-License-Identifier: Apache-2.0
// oct_shadow_tail - the stages of `shadow` from the queue to the coder: items in, bytes out.
// docs/shadow-rtl.md; model/shadow/oct_shadow_tail.c.
//
//   queue | unroll | symbol | coder
//
// Beside the queue wait the traps of which escapes tell (TRAPS = 1): oct_shadow_traps.v has their ports.
//
// Latency: 11 cycles from an item at the head of the queue to the bytes. Back-pressure: ready_o of the
// queue, valid/ready of the bytes.
`default_nettype none

module oct_shadow_tail #(
`include "oct_shadow_params.vh"
,
  parameter integer  // follow from those: none is set
`include "oct_shadow_widths.vh"
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  // the core's items
  input  wire [1:0]            valid_i,
  input  wire [1:0]            two_i,
  input  wire [2*W-1:0]        first_i,
  input  wire [2*W-1:0]        second_i,
  output wire                  ready_o,
  output wire [QUEUE_BITS-1:0] count_o,
  // gather's traps
  input  wire                  trap_push_i,
  input  wire [TRAP_BITS-1:0]  trap_i,
  input  wire [1:0]            place_i,
  input  wire                  place_insn_i,
  input  wire                  undo_i,
  input  wire [ADDR_BITS-1:0]  insn_addr_i,
  input  wire [1:0]            insn_word_i,
  output wire                  traps_full_o,
  output wire [3:0]            traps_new_o,
  // and its stamps
  input  wire [3:0]            stamp_events_i,
  input  wire [N_BITS-1:0]     stamp_n_i,
  input  wire [63:0]           time_i,
  output wire                  time_back_o,
  output wire                  stamp_due_o,
  output wire                  stamp_wait_o,
  // the framer
  output wire                  out_valid_o,
  input  wire                  out_ready_i,
  output wire [1:0]            out_n_bytes_o,
  output wire [15:0]           out_bytes_o,
  output wire                  out_end_o
);

  wire         item_valid, item_ready, symbol_valid, symbol_ready, step_valid, step_ready;
  wire [W-1:0] item_first, item_second;
  wire [1:0]   symbol_kind, symbol_n, symbol_room, step_kind, trap_behind;
  wire [35:0]  symbol_p;
  wire [2:0]   symbol_outcome;
  wire [7:0]   symbol_value, trap_value;
  wire [3:0]   symbol_count, trap_count;
  wire [11:0]  step_width;
  wire [12:0]  step_end;
  wire         trap_last, trap_next, stamp_done, stamp_clear;
  wire [63:0]  stamp_v;
  wire [6:0]   stamp;

  generate
    if (TRAPS != 0) begin : gen_traps
      oct_shadow_traps #(
        .ADDR_BITS (ADDR_BITS),
        .CAUSE_BITS(CAUSE_BITS),
        .ISA       (ISA)
      ) u_traps (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .push_i      (trap_push_i),
        .trap_i      (trap_i),
        .place_i     (place_i[0]),
        .undo_i      (undo_i),
        .insn_i      (place_insn_i),
        .addr_i      (insn_addr_i),
        .word_i      (insn_word_i),
        .full_o      (traps_full_o),
        .new_o       (traps_new_o),
        .next_i      (trap_next),
        .behind_i    (trap_behind),
        .value_o     (trap_value),
        .count_o     (trap_count),
        .last_o      (trap_last)
      );
    end else begin : gen_no_traps
      wire unused = &{1'b0, trap_push_i, trap_i, place_i, place_insn_i, undo_i, insn_addr_i, insn_word_i,
                      trap_next, trap_behind};
      assign {traps_full_o, traps_new_o, trap_value, trap_count, trap_last} = 18'd0;
    end
    if (TIMESTAMP != 0) begin : gen_stamps
      oct_shadow_stamps #(
        .RETIRE_WIDTH     (RETIRE_WIDTH),
        .GATHER_INSNS     (GATHER_INSNS),
        .N_BITS           (N_BITS),
        .TIME_PERIOD_INSNS(TIME_PERIOD_INSNS),
        .TIME_SOURCE      (TIME_SOURCE)
      ) u_stamps (
        .clk_i  (clk_i),
        .rst_ni (rst_ni),
        .time_i (time_i),
        .place_i(place_i),
        .load_i (stamp_events_i[3]),
        .last_i (stamp_events_i[2]),
        .n_i    (stamp_n_i),
        .sync_i (stamp_events_i[1]),
        .loss_i (stamp_events_i[0]),
        .due_o  (stamp_due_o),
        .wait_o (stamp_wait_o),
        .back_o (time_back_o),
        .done_i (stamp_done),
        .clear_i(stamp_clear),
        .v_o    (stamp_v),
        .stamp_o(stamp)
      );
    end else begin : gen_no_stamps
      wire unused_stamps = &{1'b0, place_i, stamp_events_i, stamp_n_i, stamp_done, stamp_clear, time_i};
      assign {stamp_due_o, stamp_wait_o, time_back_o, stamp_v, stamp} = 74'd0;
    end
  endgenerate

  oct_shadow_queue #(
    .ADDR_BITS  (ADDR_BITS),
    .QUEUE_WORDS(QUEUE_WORDS)
  ) u_queue (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (valid_i),
    .two_i   (two_i),
    .first_i (first_i),
    .second_i(second_i),
    .ready_o (ready_o),
    .valid_o (item_valid),
    .first_o (item_first),
    .second_o(item_second),
    .pop_i   (item_ready),
    .count_o (count_o)
  );

  oct_shadow_unroll #(
    .ADDR_BITS (ADDR_BITS),
    .TASK_BITS (TASK_BITS),
    .TRAPS     (TRAPS),
    .TIMESTAMP (TIMESTAMP),
    .SYNC_KEEPS(SYNC_KEEPS)
  ) u_unroll (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .valid_i      (item_valid),
    .first_i      (item_first),
    .second_i     (item_second),
    .ready_o      (item_ready),
    .trap_value_i (trap_value),
    .trap_count_i (trap_count),
    .trap_last_i  (trap_last),
    .trap_next_o  (trap_next),
    .trap_behind_o(trap_behind),
    .stamp_v_i    (stamp_v),
    .stamp_i      (stamp),
    .stamp_done_o (stamp_done),
    .clear_o      (stamp_clear),
    .out_valid_o  (symbol_valid),
    .out_ready_i  (symbol_ready),
    .out_kind_o   (symbol_kind),
    .out_n_o      (symbol_n),
    .out_room_o   (symbol_room),
    .out_p_o      (symbol_p),
    .out_outcome_o(symbol_outcome),
    .out_value_o  (symbol_value),
    .out_count_o  (symbol_count)
  );

  oct_shadow_symbol u_symbol (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .valid_i    (symbol_valid),
    .kind_i     (symbol_kind),
    .n_i        (symbol_n),
    .room_i     (symbol_room),
    .p_i        (symbol_p),
    .outcome_i  (symbol_outcome),
    .value_i    (symbol_value),
    .count_i    (symbol_count),
    .ready_o    (symbol_ready),
    .out_valid_o(step_valid),
    .out_ready_i(step_ready),
    .out_kind_o (step_kind),
    .out_width_o(step_width),
    .out_end_o  (step_end)
  );

  oct_shadow_coder u_coder (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .valid_i      (step_valid),
    .kind_i       (step_kind),
    .width_i      (step_width),
    .end_i        (step_end),
    .ready_o      (step_ready),
    .out_valid_o  (out_valid_o),
    .out_ready_i  (out_ready_i),
    .out_n_bytes_o(out_n_bytes_o),
    .out_bytes_o  (out_bytes_o),
    .out_end_o    (out_end_o)
  );

endmodule

`default_nettype wire
