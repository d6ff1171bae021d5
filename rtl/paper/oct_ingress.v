// SPDX-License-Identifier: Apache-2.0
// oct_ingress - the core interface: places marks, and drops what cannot be taken.
//
// At most one retired instruction and one data access a cycle; the core is never stalled. The
// accesses of an instruction come in consecutive cycles, the first with the instruction itself;
// da_end_i is a terminator, which has no address. When a buffer is full the cycle's events are
// dropped and counted, and all that follow, until an OVERFLOW mark is in both buffers and there is room
// again (is_drained_i); then the counts are frozen (resume_o, barrier_lost_*) and instructions are taken
// again. What was full when the loss began may have to be empty: for the stream buffer both buffers,
// because the marks hold up the stages; for the output FIFO that FIFO, if fewer than 32 instructions were
// taken behind the loss before. Else losses could follow each other for ever.
// While disabled it takes nothing and counts nothing: switching off takes effect between
// instructions and asks for a flush, switching on begins with the next instruction and a sync.
// One flush is under way at a time: a request that comes meanwhile waits for its end.
// What the filter leaves out (skip_i) is dropped in the same way, with two differences: it is no
// overflow, and an instruction that is wanted again is taken as soon as the marks have been sent.
// What breaks a rule of the core interface (bad_i) is lost as with a full buffer. A trace that begins
// with what is left out has its first sync before that.
// A trap waits in oct_traps.v for its packet. Its mark is placed in its cycle, or in the next if a sync or
// a task switch goes before it; a trap for which there is no room, and an instruction that comes with a task
// switch while a mark waits, start a loss. Stamps (oct_stamp.v) are placed before instructions without mark.
// Latency: none. No back-pressure: it pushes only what stream_ready_i and data_ready_i allow.
//
// ADDR_BITS  bits of an address, and of the numbers of instructions and accesses
// TASK_BITS  bits of a task number
// TRAPS, CAUSE_BITS, TIMESTAMP, TIME_PERIOD_INSNS, TIME_SOURCE: docs/port-format.md
`default_nettype none

module oct_ingress #(
  parameter integer ADDR_BITS = 32,
  parameter integer TASK_BITS = 16,
  parameter integer TRAPS = 0,
  parameter integer CAUSE_BITS = 6,
  parameter integer TIMESTAMP = 0,
  parameter [31:0]  TIME_PERIOD_INSNS = 32'd0,
  parameter integer TIME_SOURCE = 0
) (
  input  wire                              clk_i,
  input  wire                              rst_ni,
  // the core
  input  wire                              insn_valid_i,
  input  wire [ADDR_BITS-1:0]              insn_addr_i,
  input  wire [TASK_BITS-1:0]              task_i,
  input  wire                              da_valid_i,
  input  wire                              da_end_i,
  input  wire [ADDR_BITS-1:0]              da_addr_i,
  input  wire                              trap_valid_i,
  input  wire [2*ADDR_BITS+CAUSE_BITS+4:0] trap_i,                // kind, privilege, cause, address, trap value
  input  wire [55:0]                       time_i,                // of the instruction, with TIME_SOURCE = 1
  input  wire                              skip_i,                // the filter: what this cycle brings is not traced
  input  wire                              bad_i,                 // this cycle breaks a rule of the core interface
  // the trace bus, in cycles in which it runs
  input  wire                              afvalid_i,             // flush request, held until it is answered
  input  wire                              syncreq_i,             // a sync is asked for
  // the registers
  input  wire                              enable_i,
  input  wire [31:0]                       sync_period_insns_i,   // 0 = only the first sync
  input  wire                              sync_due_i,            // of the output controller: by port bits
  // what can be taken
  input  wire                              opens_stream_i,        // a stream begins with it, if there is no mark,
  input  wire                              closes_insn_i,         // this instruction closes the open stream
  input  wire                              stream_ready_i,
  input  wire                              data_ready_i,
  input  wire                              is_drained_i,          // both buffers and the output FIFO are at most half full
  input  wire                              is_empty_i,            // both buffers are empty
  input  wire                              is_out_empty_i,        // the output FIFO is empty,
  input  wire                              is_out_full_i,         // has no room for a word
  // the output controller
  input  wire                              overflow_at_head_i,    // it stands at the OVERFLOW marks
  input  wire                              overflow_done_i,       // it has taken them
  input  wire                              sync_done_i,           // it has taken the SYNC marks
  input  wire                              trap_done_i,           // the first trap that waits has its packet
  input  wire                              time_done_i,           // the stamp that waits has
  input  wire                              flush_done_i,          // the flush under way is over
  // to the stream detector: a mark, and the instruction after it
  output wire                              insn_valid_o,
  output reg  [2:0]                        mark_o,
  output wire [TASK_BITS-1:0]              task_o,
  // to the data buffer
  output wire                              data_push_o,
  output wire [ADDR_BITS-1:0]              data_pc_o,
  output wire [ADDR_BITS-1:0]              data_da_o,
  output wire [3:0]                        data_slot_o,
  output wire [1:0]                        data_kind_o,
  output wire [2:0]                        data_mark_o,
  // to the output controller
  output wire                              resume_o,              // the lost counts are frozen
  output wire [ADDR_BITS-1:0]              barrier_sync_insn_o,   // instructions before the sync under way
  output wire [ADDR_BITS-1:0]              barrier_lost_insns_o,  // both stop at all ones
  output wire [ADDR_BITS-1:0]              barrier_lost_accesses_o,
  output wire [2*ADDR_BITS+CAUSE_BITS+4:0] barrier_trap_o,        // the first that waits
  output wire [55:0]                       barrier_time_o,        // of the stamp under way, cycles
  output wire [5:0]                        barrier_privilege_o,   // behind the loss, and at the sync under way
  output wire [11:0]                       delay_o,               // of the open stream (oct_pace.v)
  output wire                              af_busy_o,             // the flush under way answers afvalid_i
  // to the registers, of this cycle
  output wire                              overflow_o,
  output wire                              lost_insn_o,
  output wire                              lost_access_o,
  output wire [1:0]                        lost_traps_o,          // so many
  output wire                              time_back_o            // a stamp stays away, as the core's time went back
);

  localparam integer TRAP_WORD_BITS = 2 + 3 + CAUSE_BITS + 2 * ADDR_BITS;

`include "oct_types.vh"

  localparam [ADDR_BITS-1:0] ZERO = {ADDR_BITS{1'b0}};
  localparam [ADDR_BITS-1:0] ONES = {ADDR_BITS{1'b1}};

  reg                 enabled_q, begun_q, need_sync_q, sync_busy_q;  // begun: there has been a sync
  reg                 flush_pending_q, flush_busy_q, af_pending_q, af_busy_q;
  reg                 dropping_q, stream_mark_due_q, data_mark_due_q, resume_q;
  reg                 is_overflow_q;  // dropping has lost something
  reg                 early_q;        // resume_q: its marks were not yet at the head, and may not be still
  reg [5:0]           n_taken_q;      // instructions behind the loss before, up to 32
  reg                 empties_buffers_q, empties_out_fifo_q;  // the loss under way waits until these are empty
  reg [ADDR_BITS-1:0] insn_count_q, pc_q, sync_insn_q;
  reg [ADDR_BITS-1:0] lost_insns_q, lost_accesses_q, frozen_insns_q, frozen_accesses_q;
  reg                 uncounted_q;   // lost_insns_q stands at all ones
  reg [31:0]          since_sync_q;
  reg [TASK_BITS-1:0] task_q;
  reg [3:0]           slot_q;

  // What the core brings, if it is to be traced. An instruction that is under way is finished.
  wire switch_off = enabled_q && !enable_i && (insn_valid_i || !da_valid_i);
  wire switch_on  = !enabled_q && enable_i && (insn_valid_i || (TRAPS != 0 && trap_valid_i));
  wire enabled    = (enabled_q && !switch_off) || switch_on;
  wire insn_valid = enabled && insn_valid_i;
  wire da_valid   = enabled && da_valid_i;
  wire trap_valid = TRAPS != 0 && enabled && trap_valid_i;
  wire begins     = insn_valid || trap_valid;
  wire bad        = bad_i && enabled && !skip_i;
  wire left_out   = skip_i || bad;
  wire brings     = bad || (!skip_i && (begins || da_valid));  // what is to be traced
  wire skips      = skip_i && (begins || da_valid);
  wire takes_insn = insn_valid && !left_out;
  wire takes_data = da_valid && !left_out;
  wire takes_trap = trap_valid && !left_out;
  wire boundary   = insn_valid || !da_valid;
  wire af_request = afvalid_i && !af_busy_q;
  wire asks_flush = flush_pending_q || af_request || switch_off;
  wire flush      = asks_flush && !flush_busy_q;
  wire sync_busy  = sync_busy_q && !sync_done_i;

  // Dropping ends when the OVERFLOW marks are in the buffers and, if something was lost, these have room for
  // more than a few, and what was full as the loss began is empty, with an instruction, or with a flush
  // between instructions.
  wire has_room   = is_drained_i && (!empties_buffers_q || is_empty_i) && (!empties_out_fifo_q || is_out_empty_i);
  wire at_end     = !stream_mark_due_q && !data_mark_due_q && (!is_overflow_q || has_room);
  wire can_resume = at_end && !bad && (begins && skip_i ? flush && stream_ready_i && data_ready_i :
                                       begins || (!da_valid && flush));
  wire ends       = dropping_q && can_resume;
  wire drops      = dropping_q && !can_resume;

  // The mark that stands before what the cycle brings.
  wire need_sync = need_sync_q || syncreq_i || switch_on || (ends && uncounted_q);
  wire sync_due  = need_sync || sync_due_i ||
                   (sync_period_insns_i != 32'd0 && since_sync_q >= sync_period_insns_i);
  wire      has_begin = takes_insn || takes_trap;
  wire      trap_due, traps_full, time_due;  // trap_due: the mark of the last trap is still to be placed
  reg [2:0] mark;
  always @* begin
    mark = MARK_NONE;
    if (trap_due && boundary) mark = MARK_TRAP;
    else if (has_begin && sync_due && !sync_busy) mark = MARK_SYNC;
    else if (insn_valid && left_out && !begun_q) mark = MARK_SYNC;
    else if (has_begin && task_i != task_q) mark = MARK_TASK;
    else if (takes_trap) mark = MARK_TRAP;
    else if (flush && boundary) mark = MARK_FLUSH;
    else if (takes_insn && time_due) mark = MARK_TIME;
  end

  // It is pushed whole, on both sides, or not at all.
  wire stream_push = mark != MARK_NONE || (takes_insn && closes_insn_i);
  wire data_push   = takes_data || mark == MARK_SYNC || mark == MARK_FLUSH;
  wire blocked     = (stream_push && !stream_ready_i) || (data_push && !data_ready_i) ||
                     (takes_trap && traps_full) || (trap_due && has_begin && task_i != task_q);
  wire takes       = !drops && !blocked;
  wire takes_sync  = takes && mark == MARK_SYNC;
  wire takes_flush = takes && mark == MARK_FLUSH;
  wire undoes      = trap_due && !(takes && mark == MARK_TRAP);  // where a loss starts: the trap is lost, too
  wire overflows   = !drops && ((blocked ? brings && (begun_q || !bad) : bad && (begun_q || takes_sync)) ||
                                (skips && begun_q && undoes));
  wire starts      = overflows || (!drops && skips && (begun_q || takes_sync));

  // Marks wait until the numbers of the gap before have been sent, where that ended early.
  wire marks_wait  = early_q && resume_q && !overflow_done_i;

  always @* begin
    mark_o = MARK_NONE;
    if (takes) mark_o = mark;
    else if (drops && stream_mark_due_q && stream_ready_i && !marks_wait) mark_o = MARK_OVERFLOW;
  end
  assign insn_valid_o  = takes && takes_insn;
  assign task_o        = task_i;
  assign data_push_o   = drops ? data_mark_due_q && data_ready_i && !marks_wait : takes && data_push;
  assign data_pc_o     = insn_valid ? insn_addr_i : pc_q;
  assign data_da_o     = da_addr_i;
  assign data_slot_o   = insn_valid ? 4'd0 : slot_q;
  assign data_kind_o   = drops || !takes_data ? DATA_NONE : da_end_i ? DATA_END : DATA_ACCESS;
  assign data_mark_o   = drops ? MARK_OVERFLOW : mark == MARK_SYNC || mark == MARK_FLUSH ? mark : MARK_NONE;
  assign overflow_o    = overflows || (drops && !is_overflow_q && brings);
  assign lost_insn_o   = (drops || overflows) && insn_valid && !skip_i;
  assign lost_access_o = (drops || overflows) && da_valid && !da_end_i && !skip_i;
  assign lost_traps_o  = {1'b0, (drops || starts) && trap_valid && !skip_i} + {1'b0, starts && undoes};
  // Dropped, lost or not wanted.
  wire drops_insn      = (drops || starts) && insn_valid;
  wire drops_access    = (drops || starts) && da_valid && !da_end_i;

  assign af_busy_o               = af_busy_q;
  assign resume_o                = resume_q;
  assign barrier_sync_insn_o     = sync_insn_q;
  assign barrier_lost_insns_o    = frozen_insns_q;
  assign barrier_lost_accesses_o = frozen_accesses_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enabled_q         <= 1'b0;
      begun_q           <= 1'b0;
      is_overflow_q     <= 1'b0;
      early_q           <= 1'b0;
      n_taken_q         <= 6'd0;
      empties_buffers_q  <= 1'b0;
      empties_out_fifo_q <= 1'b0;
      need_sync_q       <= 1'b1;
      sync_busy_q       <= 1'b0;
      flush_pending_q   <= 1'b0;
      flush_busy_q      <= 1'b0;
      af_pending_q      <= 1'b0;
      af_busy_q         <= 1'b0;
      dropping_q        <= 1'b0;
      stream_mark_due_q <= 1'b0;
      data_mark_due_q   <= 1'b0;
      resume_q          <= 1'b0;
    end else begin
      enabled_q         <= enabled;
      begun_q           <= begun_q || takes_sync;
      is_overflow_q     <= starts ? overflows : is_overflow_q || (drops && brings);
      early_q           <= ends ? !overflow_at_head_i : early_q;
      n_taken_q         <= starts ? 6'd0 : n_taken_q + {5'd0, insn_valid_o && !n_taken_q[5]};
      empties_buffers_q  <= starts ? !stream_ready_i : empties_buffers_q;
      empties_out_fifo_q <= starts ? is_out_full_i && !n_taken_q[5] : empties_out_fifo_q;
      need_sync_q       <= need_sync && !takes_sync;
      sync_busy_q       <= sync_busy || takes_sync;
      flush_pending_q   <= asks_flush && !takes_flush;
      flush_busy_q      <= (flush_busy_q || takes_flush) && !flush_done_i;
      af_pending_q      <= (af_pending_q || af_request) && !takes_flush;
      af_busy_q         <= (takes_flush ? af_pending_q || af_request : af_busy_q) && !flush_done_i;
      dropping_q        <= drops || starts;
      stream_mark_due_q <= starts || (stream_mark_due_q && (!stream_ready_i || marks_wait));
      data_mark_due_q   <= starts || (data_mark_due_q && (!data_ready_i || marks_wait));
      resume_q          <= ends || (resume_q && !overflow_done_i);
    end
  end

  generate
    if (TRAPS != 0) begin : gen_traps
      reg  trap_due_q;
      reg  [2:0] privilege_q, lost_privilege_q, sync_privilege_q;  // as traps told last, those lost included
      assign barrier_privilege_o = {lost_privilege_q, sync_privilege_q};
      wire push = takes && takes_trap;
      assign trap_due = trap_due_q;
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) trap_due_q <= 1'b0;
        else trap_due_q <= push ? mark != MARK_TRAP || trap_due_q : undoes && !starts;
      end
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) privilege_q <= 3'd7;
        else if (trap_valid_i) privilege_q <= bad_i ? 3'd7 : trap_i[TRAP_WORD_BITS-3-:3];
      end
      always @(posedge clk_i) begin
        if (ends) lost_privilege_q <= privilege_q;
        if (takes_sync) sync_privilege_q <= privilege_q;
      end
      oct_traps #(
        .WORD_BITS(TRAP_WORD_BITS)
      ) u_traps (
        .clk_i (clk_i),
        .rst_ni(rst_ni),
        .push_i(push),
        .trap_i(trap_i),
        .undo_i(starts && undoes),
        .pop_i (trap_done_i),
        .full_o(traps_full),
        .trap_o(barrier_trap_o)
      );
    end else begin : gen_no_traps
      wire unused_traps = &{1'b0, trap_valid_i, trap_i, trap_done_i};
      assign {trap_due, traps_full} = 2'b00;
      assign barrier_trap_o = {TRAP_WORD_BITS{1'b0}};
      assign barrier_privilege_o = 6'd0;
    end

    wire far, lost;
    if (TIMESTAMP == 2) begin : gen_pace
      oct_pace u_pace (
        .clk_i  (clk_i),
        .rst_ni (rst_ni),
        .insn_i (insn_valid_o),
        .opens_i(opens_stream_i || mark != MARK_NONE),
        .sync_i (takes_sync),
        .time_i (takes && mark == MARK_TIME),
        .far_o  (far),
        .lost_o (lost),
        .delay_o(delay_o)
      );
    end else begin : gen_no_pace
      wire unused_opens = &{1'b0, opens_stream_i};
      assign {far, lost} = 2'b00;
      assign delay_o = 12'd0;
    end

    if (TIMESTAMP != 0) begin : gen_stamp
      oct_stamp #(
        .TIME_PERIOD_INSNS(TIME_PERIOD_INSNS),
        .TIME_SOURCE      (TIME_SOURCE)
      ) u_stamp (
        .clk_i (clk_i),
        .rst_ni(rst_ni),
        .core_time_i(time_i),
        .insn_i(insn_valid_o),
        .sync_i(takes_sync),
        .take_i(takes && mark == MARK_TIME),
        .done_i(time_done_i),
        .far_i (far),
        .lost_i(lost),
        .due_o (time_due),
        .back_o(time_back_o),
        .time_o(barrier_time_o)
      );
    end else begin : gen_no_stamp
      wire unused_time_done = &{1'b0, time_done_i, time_i};
      wire unused_pace = &{1'b0, far, lost};
      assign {time_due, time_back_o} = 2'b00;
      assign barrier_time_o = 56'd0;
    end
  endgenerate

  // Where the instruction under way stands, and what the next data word says of it.
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pc_q         <= ZERO;
      task_q       <= {TASK_BITS{1'b0}};
      slot_q       <= 4'd0;
      insn_count_q <= ZERO;
      sync_insn_q  <= ZERO;
      since_sync_q <= 32'd0;
    end else begin
      insn_count_q <= insn_count_q + {{(ADDR_BITS-1){1'b0}}, insn_valid};
      // After slot 15 comes 14: accesses beyond take turns.
      if (takes && takes_data) slot_q <= data_slot_o == 4'd15 ? 4'd14 : data_slot_o + 4'd1;
      else if (takes) slot_q <= data_slot_o;
      if (takes_sync) sync_insn_q <= insn_count_q;
      if (insn_valid_o) pc_q <= insn_addr_i;
      if (insn_valid_o || takes_sync || (takes && takes_trap)) task_q <= task_i;
      if (takes_sync) since_sync_q <= {31'd0, insn_valid_o};
      else if (insn_valid_o && since_sync_q != 32'hffff_ffff) since_sync_q <= since_sync_q + 32'd1;
    end
  end

  // Numbers of this overflow, and those of the last one, which its packet needs.
  // Whether a cycle loses something is known late in it, so the sums do not wait for that.
  wire [ADDR_BITS-1:0] more_insns    = uncounted_q ? ONES : lost_insns_q + 1'b1;
  wire [ADDR_BITS-1:0] more_accesses = lost_accesses_q == ONES ? ONES : lost_accesses_q + 1'b1;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lost_insns_q      <= ZERO;
      uncounted_q       <= 1'b0;
      lost_accesses_q   <= ZERO;
      frozen_insns_q    <= ZERO;
      frozen_accesses_q <= ZERO;
    end else begin
      if (starts) begin
        lost_insns_q <= {{(ADDR_BITS-1){1'b0}}, drops_insn};
        uncounted_q  <= 1'b0;
      end else if (drops_insn) begin
        lost_insns_q <= more_insns;
        uncounted_q  <= &lost_insns_q[ADDR_BITS-1:1];
      end
      if (starts) lost_accesses_q <= {{(ADDR_BITS-1){1'b0}}, drops_access};
      else if (drops_access) lost_accesses_q <= more_accesses;
      if (ends) begin
        frozen_insns_q    <= lost_insns_q;
        frozen_accesses_q <= lost_accesses_q;
      end
    end
  end

`ifdef FORMAL
`include "oct_ingress_formal.vh"
`endif

endmodule

`default_nettype wire
