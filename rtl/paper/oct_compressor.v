// SPDX-License-Identifier: Apache-2.0
// oct_compressor - the compressor from the core interface to the trace bus, with its registers.
//
// Core: at most one retired instruction and one data access a cycle, never stalled; the accesses of
// an instruction come in consecutive cycles, the first with the instruction itself, da_end_i is the
// terminator of docs/port-format.md. Trace bus: beats of 1 to 4 bytes (atbytes_o: less one) that
// cross when atvalid_o and atready_i are set; afvalid_i, held until afready_o, asks for a flush;
// syncreq_i, a pulse, asks for a sync. All of the bus counts in cycles with atclken_i alone, and
// changes only behind one; oct_atb_check.v has its rules. Registers: APB, docs in oct_regs.v.
// Latency: that of the stages, one register each; there is no combinational path from the core to
// the trace bus. Parameters: oct_params.vh (PORT_PINS is not used here: one list serves both tops).
`default_nettype none

module oct_compressor #(
`include "oct_params.vh"
) (
`include "oct_core_ports.vh"
  input  wire                 atclken_i,
  input  wire                 atready_i,
  input  wire                 syncreq_i,
`include "oct_bus_ports.vh"
);

  localparam integer
`include "oct_widths.vh"
  ;

`include "oct_check.vh"

  localparam [31:0]  SYNC_PERIOD = SYNC_PERIOD_INSNS;
  localparam integer TIME_BITS = 56;
`include "oct_gate_side.vh"

  // Ingress and stream detector.
  wire                 closes_insn, take_insn, stream_push, data_push, lost_insn;
  wire                 unused_time = &{1'b0, time_i[63:56]};  // a stamp has 56 bits
  wire [2:0]           insn_mark, push_stream_mark, push_data_mark, cycles_mark;
  wire [TASK_BITS-1:0] insn_task, push_task;
  wire [ADDR_BITS-1:0] push_sa, push_pc, push_da;
  wire [SL_BITS:0]     push_sl;
  wire [3:0]           push_slot;
  wire [1:0]           push_kind;
  // Barriers.
  wire                 resume, overflow_at_head, overflow_done, sync_done, sync_due, trap_done, time_done, flush_done;
  reg                  overflow_done_q, sync_done_q;
  wire [ADDR_BITS-1:0] barrier_sync_insn, barrier_lost_insns, barrier_lost_accesses;
  wire [2*ADDR_BITS+CAUSE_BITS+4:0] barrier_trap;
  wire [55:0]          barrier_time;
  wire [5:0]           barrier_privilege;
  // Delays of streams, past the stream cache.
  wire                 opens_stream, delays_ready, cycles_valid, cycles_ready;
  wire [11:0]          delay, cycles_delay;
  // Buffers.
  localparam integer STREAM_COUNT_BITS = $clog2(STREAM_FIFO_DEPTH + 1);
  localparam integer DATA_COUNT_BITS   = $clog2(DATA_FIFO_DEPTH + 1);
  localparam integer OUT_COUNT_BITS    = $clog2(OUT_FIFO_BYTES + 1);
  wire                         stream_buffer_ready, stream_valid, stream_ready, data_buffer_ready;
  wire [STREAM_COUNT_BITS-1:0] stream_count;
  wire [DATA_COUNT_BITS-1:0]   data_count;
  wire [OUT_COUNT_BITS-1:0]    out_count_bytes;
  localparam [31:0] STREAM_HALF = STREAM_FIFO_DEPTH / 2, DATA_HALF = DATA_FIFO_DEPTH / 2, OUT_HALF = OUT_FIFO_BYTES / 2;
  wire is_drained = stream_count <= STREAM_HALF[STREAM_COUNT_BITS-1:0] && data_count <= DATA_HALF[DATA_COUNT_BITS-1:0] &&
                    out_count_bytes <= OUT_HALF[OUT_COUNT_BITS-1:0];
  localparam [31:0] OUT_ROOM = OUT_FIFO_BYTES - 8;  // with more there is none for a word
  wire is_empty     = stream_count == {STREAM_COUNT_BITS{1'b0}} && data_count == {DATA_COUNT_BITS{1'b0}};
  wire is_out_empty = out_count_bytes == {OUT_COUNT_BITS{1'b0}};
  wire is_out_full  = out_count_bytes > OUT_ROOM[OUT_COUNT_BITS-1:0];
  wire [ADDR_BITS-1:0]         stream_sa;
  wire [SL_BITS:0]             stream_sl;
  wire [TASK_BITS-1:0]         stream_task;
  wire [2:0]                   stream_mark;

  // Instruction side.
  wire                       index_valid, index_ready;
  wire [ADDR_BITS-1:0]       index_sa;
  wire [SL_BITS:0]           index_sl;
  wire [INDEX_BITS-1:0]      index_index;
  wire [TASK_BITS-1:0]       index_task;
  wire [2:0]                 index_mark;
  wire                       insn_item_valid, insn_item_ready;
  wire [3:0]                 insn_item_kind;
  wire [2:0]                 insn_item_mark;
  wire [ADDR_BITS-1:0]       insn_item_addr;
  wire [INSN_VALUE_BITS-1:0] insn_item_value;
  wire [4:0]                 insn_item_n;
  wire [TUPLE_BITS-1:0]      insn_item_tuple;
  // Data side.
  wire                        data_item_valid, data_item_ready;
  wire [3:0]                  data_item_kind;
  wire [2:0]                  data_item_mark;
  wire [ADDR_BITS-1:0]        data_item_addr;
  wire [REP_PATTERN_BITS-1:0] data_item_value;
  wire [DATA_N_BITS-1:0]      data_item_n;

  assign lost_insns         = {1'b0, lost_insn};
  assign lost_traps[3:2]    = 2'd0;
  assign more_errors        = 5'd0;
  assign stream_count_32    = {{(32-STREAM_COUNT_BITS){1'b0}}, stream_count};
  assign data_count_32      = {{(32-DATA_COUNT_BITS){1'b0}}, data_count};
  assign out_count_bytes_32 = {{(32-OUT_COUNT_BITS){1'b0}}, out_count_bytes};

  // The output controller's answers pass a register on their way back to the ingress.
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {overflow_done_q, sync_done_q} <= 2'b00;
    else {overflow_done_q, sync_done_q} <= {overflow_done, sync_done};
  end

  oct_ingress #(
    .ADDR_BITS        (ADDR_BITS),
    .TASK_BITS        (TASK_BITS),
    .TRAPS            (TRAPS),
    .CAUSE_BITS       (CAUSE_BITS),
    .TIMESTAMP        (TIMESTAMP),
    .TIME_PERIOD_INSNS(TIME_PERIOD_INSNS),
    .TIME_SOURCE      (TIME_SOURCE)
  ) u_ingress (
    .clk_i                  (clk_i),
    .rst_ni                 (rst_ni),
    .insn_valid_i           (insn_valid_i),
    .insn_addr_i            (insn_addr_i),
    .task_i                 (task_i),
    .da_valid_i             (da_valid),
    .da_end_i               (da_end),
    .da_addr_i              (da_addr_i),
    .trap_valid_i           (trap_valid_i),
    .trap_i                 ({trap_kind_i, trap_privilege_i, trap_cause_i, trap_addr_i, trap_tval_i}),
    .time_i                 (time_i[55:0]),
    .skip_i                 (skip),
    .bad_i                  (|gate_errors),
    .afvalid_i              (afvalid_i && atclken_i),
    .syncreq_i              (syncreq_i && atclken_i),
    .enable_i               (enable),
    .sync_period_insns_i    (sync_period_insns),
    .sync_due_i             (sync_due),
    .opens_stream_i         (opens_stream),
    .closes_insn_i          (closes_insn),
    .stream_ready_i         (stream_buffer_ready && delays_ready),
    .data_ready_i           (data_buffer_ready),
    .is_drained_i           (is_drained),
    .is_empty_i             (is_empty),
    .is_out_empty_i         (is_out_empty),
    .is_out_full_i          (is_out_full),
    .overflow_at_head_i     (overflow_at_head),
    .overflow_done_i        (overflow_done_q),
    .sync_done_i            (sync_done_q),
    .trap_done_i            (trap_done),
    .time_done_i            (time_done),
    .flush_done_i           (flush_done),
    .insn_valid_o           (take_insn),
    .mark_o                 (insn_mark),
    .task_o                 (insn_task),
    .data_push_o            (data_push),
    .data_pc_o              (push_pc),
    .data_da_o              (push_da),
    .data_slot_o            (push_slot),
    .data_kind_o            (push_kind),
    .data_mark_o            (push_data_mark),
    .resume_o               (resume),
    .barrier_sync_insn_o    (barrier_sync_insn),
    .barrier_lost_insns_o   (barrier_lost_insns),
    .barrier_lost_accesses_o(barrier_lost_accesses),
    .barrier_trap_o         (barrier_trap),
    .barrier_time_o         (barrier_time),
    .barrier_privilege_o    (barrier_privilege),
    .delay_o                (delay),
    .af_busy_o              (af_busy),
    .overflow_o             (overflow),
    .lost_insn_o            (lost_insn),
    .lost_access_o          (lost_access),
    .lost_traps_o           (lost_traps[1:0]),
    .time_back_o            (time_back)
  );

  oct_stream_detector #(
    .ADDR_BITS(ADDR_BITS),
    .SL_BITS  (SL_BITS),
    .TASK_BITS(TASK_BITS)
  ) u_detector (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .insn_valid_i(take_insn),
    .pc_i        (insn_addr_i),
    .size_bytes_i(insn_size_bytes_i),
    .mark_i      (insn_mark),
    .task_i      (insn_task),
    .opens_o     (opens_stream),
    .closes_o    (closes_insn),
    .push_o      (stream_push),
    .sa_o        (push_sa),
    .sl_o        (push_sl),
    .mark_o      (push_stream_mark),
    .task_o      (push_task)
  );

  oct_fifo #(
    .WIDTH (STREAM_WORD_BITS),
    .DEPTH (STREAM_FIFO_DEPTH),
    .PASSES(PIPELINED)
  ) u_stream_buffer (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (stream_push),
    .data_i ({push_sa, push_sl, push_task, push_stream_mark}),
    .pop_i  (stream_valid && stream_ready),
    .ready_o(stream_buffer_ready),
    .valid_o(stream_valid),
    .data_o ({stream_sa, stream_sl, stream_task, stream_mark}),
    .count_o(stream_count)
  );

  oct_stream_cache #(
    .ADDR_BITS    (ADDR_BITS),
    .PC_ALIGN_BITS(PC_ALIGN_BITS),
    .SL_BITS      (SL_BITS),
    .SC_SETS      (SC_SETS),
    .SC_WAYS      (SC_WAYS > 0 ? SC_WAYS : 1),  // so that an illegal 0 comes to its message
    .SC_INDEX_FN  (SC_INDEX_FN),
    .SC_REPL      (SC_REPL),
    .TASK_BITS    (TASK_BITS)
  ) u_stream_cache (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .valid_i    (stream_valid),
    .ready_o    (stream_ready),
    .sa_i       (stream_sa),
    .sl_i       (stream_sl),
    .task_i     (stream_task),
    .mark_i     (stream_mark),
    .out_valid_o(index_valid),
    .out_ready_i(index_ready),
    .out_sa_o   (index_sa),
    .out_sl_o   (index_sl),
    .out_index_o(index_index),
    .out_task_o (index_task),
    .out_mark_o (index_mark)
  );

  oct_ntuple #(
    .ADDR_BITS (ADDR_BITS),
    .SL_BITS   (SL_BITS),
    .SC_SETS   (SC_SETS),
    .SC_WAYS   (SC_WAYS),
    .NTUPLE_N  (NTUPLE_N),
    .THB_DEPTH (THB_DEPTH > 0 ? THB_DEPTH : 1),  // likewise
    .THB_UPDATE(THB_UPDATE),
    .TASK_BITS (TASK_BITS)
  ) u_ntuple (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .valid_i    (index_valid),
    .ready_o    (index_ready),
    .sa_i       (index_sa),
    .sl_i       (index_sl),
    .index_i    (index_index),
    .task_i     (index_task),
    .mark_i     (index_mark),
    .out_valid_o(insn_item_valid),
    .out_ready_i(insn_item_ready),
    .out_kind_o (insn_item_kind),
    .out_mark_o (insn_item_mark),
    .out_addr_o (insn_item_addr),
    .out_value_o(insn_item_value),
    .out_n_o    (insn_item_n),
    .out_tuple_o(insn_item_tuple)
  );

  oct_delays #(
    .TIMESTAMP(TIMESTAMP),
    .DEPTH    (DELAYS_DEPTH),
    .PASSES   (PIPELINED)
  ) u_delays (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .push_i     (stream_push),
    .stream_i   (|push_sl),
    .delay_i    (delay),
    .mark_i     (push_stream_mark),
    .ready_o    (delays_ready),
    .out_valid_o(cycles_valid),
    .out_ready_i(cycles_ready),
    .out_mark_o (cycles_mark),
    .out_delay_o(cycles_delay)
  );

  oct_data_side #(
`include "oct_pass.vh"
  ) u_data_side (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .push_i     (data_push),
    .pc_i       (push_pc),
    .da_i       (push_da),
    .slot_i     (push_slot),
    .kind_i     (push_kind),
    .mark_i     (push_data_mark),
    .ready_o    (data_buffer_ready),
    .count_o    (data_count),
    .out_valid_o(data_item_valid),
    .out_ready_i(data_item_ready),
    .out_kind_o (data_item_kind),
    .out_mark_o (data_item_mark),
    .out_addr_o (data_item_addr),
    .out_value_o(data_item_value),
    .out_n_o    (data_item_n)
  );

  oct_output #(
`include "oct_pass.vh"
  ) u_output (
    .clk_i                  (clk_i),
    .rst_ni                 (rst_ni),
    .insn_valid_i           (insn_item_valid),
    .insn_ready_o           (insn_item_ready),
    .insn_kind_i            (insn_item_kind),
    .insn_mark_i            (insn_item_mark),
    .insn_addr_i            (insn_item_addr),
    .insn_value_i           (insn_item_value),
    .insn_n_i               (insn_item_n),
    .insn_tuple_i           (insn_item_tuple),
    .data_valid_i           (data_item_valid),
    .data_ready_o           (data_item_ready),
    .data_kind_i            (data_item_kind),
    .data_mark_i            (data_item_mark),
    .data_addr_i            (data_item_addr),
    .data_value_i           (data_item_value),
    .data_n_i               (data_item_n),
    .cycles_valid_i         (cycles_valid),
    .cycles_ready_o         (cycles_ready),
    .cycles_mark_i          (cycles_mark),
    .cycles_delay_i         (cycles_delay),
    .resume_i               (resume),
    .barrier_sync_insn_i    (barrier_sync_insn),
    .barrier_lost_insns_i   (barrier_lost_insns),
    .barrier_lost_accesses_i(barrier_lost_accesses),
    .barrier_trap_i         (barrier_trap),
    .barrier_time_i         (barrier_time),
    .barrier_privilege_i    (barrier_privilege),
    .overflow_at_head_o     (overflow_at_head),
    .overflow_done_o        (overflow_done),
    .sync_done_o            (sync_done),
    .trap_done_o            (trap_done),
    .time_done_o            (time_done),
    .sync_due_o             (sync_due),
    .atready_i              (atready_i),
    .atclken_i              (atclken_i),
    .atvalid_o              (atvalid_o),
    .atdata_o               (atdata_o),
    .atbytes_o              (atbytes_o),
    .flush_out_o            (flush_out),
    .flush_done_o           (flush_done),
    .count_bytes_o          (out_count_bytes)
  );

`include "oct_bus_check.vh"
`ifdef FORMAL
`include "oct_compressor_formal.vh"
`endif

endmodule

`default_nettype wire
