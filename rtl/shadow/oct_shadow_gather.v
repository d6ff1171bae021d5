// SPDX-License-Identifier: Apache-2.0
// oct_shadow_gather - the core interface of `shadow`: takes what retires, drops and counts what there is
// no room for, and gives the stages behind it beats. docs/shadow-rtl.md; oct_shadow_{ingress,gather}.c.
//
// An instruction's accesses come in its cycle and in the next ones without a gap: a cycle without one,
// or with the next instruction, ends it. A place of the FIFO has an instruction and the marks that come
// before it, or a flush alone; what is first there stands in a register, from which it is given
// when it has ended and what comes after it is known. Only one mark is under way at a time: its
// numbers stay at the outputs from its beat to mark_done_i. The last beat of an instruction also brings the
// sync behind it, and the start of its period, if no mark is under way and no other one comes with it.
//
// Latency: 2 cycles from an instruction to its first beat, 1 from the one after it. Back-pressure: of
// beats valid/ready; the core is never stalled.
//
// With a retire width of 2 a cycle may bring two instructions: the lead, without accesses, and the one of
// all other inputs behind it. One leaves in a cycle either way, so the FIFO takes up what comes in pairs.
//
// ADDR_BITS, TASK_BITS  widths
// RETIRE_WIDTH          instructions that a cycle brings, 1 or 2
// GATHER_INSNS, GATHER_ACCESSES       places, powers of two; an instruction has no more accesses than these
// SYNC_KEEPS            1: a sync keeps the state, and always has beats of its own
// TRAPS                 1: marks tell the privilege
`default_nettype none
module oct_shadow_gather #(
  parameter integer ADDR_BITS = 32,
  parameter integer TASK_BITS = 16,
  parameter integer RETIRE_WIDTH     = 1,
  parameter integer GATHER_INSNS     = 16,
  parameter integer GATHER_ACCESSES  = 32,
  parameter integer SYNC_KEEPS       = 0,
  parameter integer TRAPS            = 0
) (
  input  wire                                    clk_i,
  input  wire                                    rst_ni,
  // the core
  input  wire                                    insn_valid_i,
  input  wire [ADDR_BITS-1:0]                    insn_addr_i,
  input  wire [31:0]                             insn_word_i,
  input  wire                                    insn_word_valid_i,
  input  wire                                    lead_valid_i,    // an instruction of the same task ahead of that, without accesses
  input  wire [ADDR_BITS-1:0]                    lead_addr_i,
  input  wire [31:0]                             lead_word_i,
  input  wire                                    lead_word_valid_i,
  input  wire [TASK_BITS-1:0]                    task_i,
  input  wire                                    da_valid_i,
  input  wire                                    da_end_i,
  input  wire [ADDR_BITS-1:0]                    da_addr_i,
  input  wire                                    trap_valid_i,    // in a cycle of its own
  input  wire [2:0]                              trap_privilege_i,
  input  wire                                    skip_i,          // the filter leaves out what this cycle brings
  input  wire                                    bad_i,           // it breaks a rule of the core interface
  // registers and trace bus
  input  wire                                    enable_i,
  input  wire [31:0]                             sync_period_insns_i,
  input  wire                                    sync_due_i,      // by the bits that left since the last one
  input  wire                                    afvalid_i,
  input  wire                                    syncreq_i,
  input  wire                                    flush_done_i,
  output wire                                    af_busy_o,
  // dropping may end: nothing is behind gather, and the output buffer has room
  input  wire                                    is_empty_i,
  // oct_shadow_traps
  input  wire                                    traps_full_i,
  input  wire [3:0]                              traps_new_i,
  output wire                                    trap_push_o,
  output wire                                    traps_undo_o,
  output wire [1:0]                              place_o,         // one is taken; two are,
  output wire                                    place_insn_o,    // with an instruction
  // oct_shadow_stamps
  input  wire                                    stamp_due_i,     // the instruction that is given has one,
  input  wire                                    stamp_wait_i,    // and no room for it
  output wire [3:0]                              stamp_events_o,  // place loaded; last beat of a step; sync, overflow given
  // beats
  output wire                                    valid_o,
  input  wire                                    ready_i,
  output wire [1:0]                              kind_o,
  output wire [ADDR_BITS-1:0]                    pc_o,
  output wire [31:0]                             word_o,
  output wire                                    word_known_o,
  output wire [$clog2(GATHER_ACCESSES + 32)-1:0] n_o,
  output wire [$clog2(GATHER_ACCESSES + 32)-1:0] at_o,
  output wire [ADDR_BITS-1:0]                    addr_o,
  output wire [3:0]                              after_o,
  output wire [ADDR_BITS-1:0]                    next_o,
  output wire [TASK_BITS-1:0]                    task_o,
  output wire [1:0]                              mark_o,
  // the mark under way
  output wire                                    mark_valid_o,
  output wire [1:0]                              mark_kind_o,
  output wire [41:0]                             mark_number_o,
  output wire [TASK_BITS-1:0]                    mark_task_o,
  output wire [2:0]                              mark_privilege_o,
  output wire [ADDR_BITS-1:0]                    mark_pc_o,       // first address behind a sync in the beat of a step
  output wire [41:0]                             mark_lost_insns_o,
  output wire [41:0]                             mark_lost_accesses_o,
  input  wire                                    mark_done_i,
  // events of this cycle, and instructions in the FIFO
  output wire                                    overflow_o,
  output wire [1:0]                              lost_insns_o,    // so many
  output wire                                    lost_access_o,
  output wire [3:0]                              lost_traps_o,    // so many
  output wire [31:0]                             count_o
);

  localparam integer N_BITS = $clog2(GATHER_ACCESSES + 32);  // of a number of accesses

`include "oct_shadow_items.vh"

  localparam integer A = ADDR_BITS, T = TASK_BITS, N = N_BITS;
  localparam [1:0] SYNC = 2'd0, FLUSH = 2'd1, OVERFLOW = 2'd2;

  // ---- Ingress ----

  reg         enabled_q, needs_sync_q, dropping_q, cut_q, open_q;
  reg         overflow_q;      // what is dropped is not the filter's choice alone
  reg         gap_q;           // an overflow is in gather
  reg         flush_pending_q, af_pending_q, flush_busy_q, af_busy_q;
  reg  [41:0] lost_insns_q, lost_accesses_q;
  reg  [N-1:0] open_n_q;       // accesses of the last instruction, which all have places
  reg  [T-1:0] task_q;         // of that
  reg         resumes_cut_q;   // of the overflow in gather
  reg  [41:0] resumes_insns_q, resumes_accesses_q;
  reg  [2:0]  privilege_q;     // as traps told last, those lost included

  wire [1:0]  insns_ready;     // room for one, for two
  wire        accesses_ready, is_idle, gives_gap;
  wire        turns_off = enabled_q && !enable_i && (insn_valid_i || !da_valid_i);
  wire        turns_on = !enabled_q && enable_i && (insn_valid_i || trap_valid_i);
  wire        enabled = (enabled_q && !turns_off) || turns_on;
  wire        insn = enabled && insn_valid_i;
  wire        lead = RETIRE_WIDTH == 2 && insn && lead_valid_i;
  wire        access = enabled && da_valid_i && !da_end_i;
  wire        is_wanted = !skip_i && !bad_i;
  wire        is_bad = enabled && bad_i && !skip_i;
  wire        skips = skip_i && (insn || (enabled && trap_valid_i));
  wire        trap = enabled && trap_valid_i && !bad_i;
  wire        takes_trap = trap && !skip_i && !dropping_q;
  wire        is_retiring = is_bad || trap || (enabled && is_wanted && (insn_valid_i || da_valid_i)) || (skips && !dropping_q);
  wire        af = afvalid_i && !af_busy_q;
  wire        flush_pending = flush_pending_q || af || turns_off;
  wire        af_pending = af_pending_q || af;
  wire        needs_sync = needs_sync_q || syncreq_i || turns_on;
  // Behind a loss nothing may be left ahead; behind what the filter leaves out its numbers need their place.
  wire        can_resume = overflow_q ? is_idle && is_empty_i : insns_ready[0] && !gap_q;
  wire        takes_lead = lead && is_wanted && insns_ready[0] && (!dropping_q || can_resume);
  // Without room for the lead there is none for the other one.
  wire        has_room = (lead ? insns_ready[1] : insns_ready[0]) && (!access || accesses_ready);
  wire        resumes = dropping_q && can_resume;
  wire        takes_insn = insn && is_wanted && has_room && (!dropping_q || can_resume);
  wire [2:0]  privilege = trap_valid_i ? trap_privilege_i | {3{bad_i}} : privilege_q;
  wire        flushes = flush_pending && !flush_busy_q;  // one without an instruction comes in a cycle without any
  wire        takes_flush = !is_retiring && flushes && (dropping_q ? can_resume : insns_ready[0]);
  wire        takes_any = takes_lead || takes_insn;
  wire        push = takes_any || takes_flush;
  wire        adds = access && !insn && open_q && !dropping_q && !skip_i;
  wire        cuts = adds && (bad_i || !accesses_ready);
  wire        push_access = (takes_insn && access) || (adds && !cuts);
  wire        overflows = is_bad || (takes_trap && traps_full_i) || (insn && is_wanted && !takes_insn) || cuts || (access && !insn && is_wanted && dropping_q);
  wire        starts_dropping = !dropping_q && (overflows || skips);
  wire        loses_insn = insn && !takes_insn;
  wire        loses_lead = lead && !takes_lead;
  wire        loses_access = access && (insn ? !takes_insn : dropping_q || is_bad || cuts || skips);
  // The last instruction has all its accesses.
  wire        ends = open_q && (insn || !is_retiring || cuts || is_bad || trap || skips || turns_off);

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enabled_q          <= 1'b1;
      {needs_sync_q, dropping_q, overflow_q, gap_q, open_q, flush_pending_q, af_pending_q, flush_busy_q, af_busy_q} <= 9'd0;
      task_q             <= {T{1'b0}};
      privilege_q        <= 3'd7;
    end else begin
      privilege_q  <= privilege;
      enabled_q    <= enabled;
      needs_sync_q <= needs_sync && !takes_any;
      if (starts_dropping) begin
        dropping_q      <= 1'b1;
        overflow_q      <= overflows;
      end else begin
        if (push) dropping_q <= 1'b0;
        if (overflows) overflow_q <= 1'b1;
      end
      if (push && resumes) gap_q <= 1'b1;
      else if (gives_gap) gap_q <= 1'b0;
      if (takes_insn) open_q <= 1'b1;
      else if (ends) open_q <= 1'b0;
      if (takes_any) task_q <= task_i;
      flush_pending_q <= flush_pending && !(push && flushes);
      af_pending_q    <= af_pending && !(push && flushes);
      if (flush_done_i) begin
        flush_busy_q <= 1'b0;
        af_busy_q    <= 1'b0;
      end else if (push && flushes) begin
        flush_busy_q <= 1'b1;
        af_busy_q    <= af_pending;
      end
    end
  end

  // Numbers begin with what they count.
  wire [41:0] lost_insns = (starts_dropping ? 42'd0 : lost_insns_q) + {41'd0, loses_insn} + {41'd0, loses_lead};
  wire [41:0] lost_accesses = (starts_dropping ? 42'd0 : lost_accesses_q) + {41'd0, loses_access};
  always @(posedge clk_i) begin
    if (takes_insn) open_n_q <= {{(N - 1){1'b0}}, access};
    else if (push_access) open_n_q <= open_n_q + {{(N - 1){1'b0}}, 1'b1};
    if (starts_dropping) cut_q <= cuts;
    {lost_insns_q, lost_accesses_q} <= {lost_insns, lost_accesses};
    if (push && resumes) begin
      resumes_cut_q      <= cut_q;  // a flush may come with what the filter leaves out
      resumes_insns_q    <= lost_insns;
      resumes_accesses_q <= lost_accesses;
    end
  end

  assign af_busy_o     = af_busy_q;
  assign overflow_o    = overflows && !(dropping_q && overflow_q);
  assign lost_insns_o  = skip_i ? 2'd0 : {loses_insn && loses_lead, loses_insn && !loses_lead};
  assign lost_access_o = loses_access && !skip_i;
  assign lost_traps_o  = {3'd0, enabled && trap_valid_i && !skip_i && !trap_push_o} + (traps_undo_o ? traps_new_i : 4'd0);
  // Traps whose place has not come are lost with it, but the lead is their place. The filter does not leave them out.
  assign trap_push_o   = takes_trap && !traps_full_i;
  assign traps_undo_o  = starts_dropping && !takes_lead;
  assign place_o       = {takes_lead && takes_insn, push};
  assign place_insn_o  = takes_any;

  // ---- FIFOs: places, their numbers of accesses, accesses ----

  localparam integer BASE_BITS = 6 + T + 32 + A, PLACE_BITS = BASE_BITS + (TRAPS != 0 ? 3 : 0);
  wire [BASE_BITS-6:0]  own = {insn_word_valid_i, takes_any ? task_i : task_q, insn_word_i, insn_addr_i};
  wire [BASE_BITS-6:0]  own_lead = {lead_word_valid_i, task_i, lead_word_i, lead_addr_i};
  wire [BASE_BITS+2:0]  pushed, pushed_second;
  wire [PLACE_BITS-1:0] place;
  wire                  place_valid;
  wire [N-1:0]          head_n;
  wire                  head_ended;
  wire [A-1:0]          head_access;
  wire                  access_valid, loads, pops_n, pops_access;
  wire [$clog2(GATHER_INSNS + 1)-1:0] count;
  wire [1:0]            n_ready;
  wire [$clog2(GATHER_ACCESSES + 1)-1:0] access_count;

  oct_fifo_pair #(.WIDTH(PLACE_BITS), .DEPTH(GATHER_INSNS), .PAIRS(RETIRE_WIDTH - 1)) u_places (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i ({takes_lead && takes_insn, push}),
    .data_i ({pushed_second[PLACE_BITS-1:0], pushed[PLACE_BITS-1:0]}),
    .pop_i  (loads),
    .ready_o(insns_ready),
    .valid_o(place_valid),
    .data_o (place),
    .count_o(count)
  );

  // A lead ends at once. There is a number for each place, and one for what is given. A few are in flip-flops, more in
  // memories of 1 kbit at least, as compilers make no smaller ones.
  localparam integer NUMBER_BITS = N < 8 ? 8 : N, LEAST_NUMBERS = GATHER_INSNS < 16 ? 0 : RETIRE_WIDTH * 128;
  localparam integer NUMBERS = 2 * GATHER_INSNS < LEAST_NUMBERS ? LEAST_NUMBERS : 2 * GATHER_INSNS;
  wire [NUMBER_BITS:0]   number_d = {{(NUMBER_BITS + 1 - N){1'b0}}, ends ? open_n_q : {N{1'b0}}};
  wire [NUMBER_BITS-1:0] number;
  wire [$clog2(NUMBERS + 1)-1:0] n_count;
  assign head_n = number[N-1:0];

  oct_fifo_pair #(.WIDTH(NUMBER_BITS), .DEPTH(NUMBERS), .PAIRS(RETIRE_WIDTH - 1)) u_numbers (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i ({ends && takes_lead, ends || takes_lead}),
    .data_i ({{NUMBER_BITS{1'b0}}, number_d[NUMBER_BITS-1:0]}),
    .pop_i  (pops_n),
    .ready_o(n_ready),
    .valid_o(head_ended),
    .data_o (number),
    .count_o(n_count)
  );

  oct_fifo #(.WIDTH(A), .DEPTH(GATHER_ACCESSES), .MEMORY(1)) u_accesses (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_access),
    .data_i (da_addr_i),
    .pop_i  (pops_access),
    .ready_o(accesses_ready),
    .valid_o(access_valid),
    .data_o (head_access),
    .count_o(access_count)
  );

  assign pushed = {privilege, |traps_new_i, takes_any, resumes, flushes, needs_sync, takes_lead ? own_lead : own};
  assign pushed_second = {privilege, 5'b01000, own};  // the marks of a cycle come before its first place
  assign count_o = {{(32 - $clog2(GATHER_INSNS + 1)){1'b0}}, count};

  // ---- What is given ----

  reg          head_valid_q, head_traps_q, head_insn_q, head_known_q, head_overflow_q, head_flush_q, head_sync_q;
  reg  [T-1:0] head_task_q, last_task_q;
  reg  [31:0]  head_word_q;
  reg  [A-1:0] head_pc_q;
  reg          has_period_q, started_q, forced_q, mark_valid_q;
  reg  [N-1:0] at_q;
  reg  [32:0]  since_q;     // instructions since the last sync, up to all ones, and 1 more
  reg  [41:0]  insn_q;      // number of the next instruction
  reg          insn_full_q;
  wire [41:0]  insn_behind_gap = insn_q + resumes_insns_q;
  wire [41:0]  insn_after;
  wire         insn_after_full;

  oct_shadow_plus_one #(.WIDTH(42)) u_insn_after (
    .value_i(insn_q), .is_full_i(insn_full_q), .sum_o(insn_after), .is_full_o(insn_after_full)
  );

  reg  [1:0]   mark_kind_q;
  reg  [41:0]  mark_number_q, mark_lost_insns_q, mark_lost_accesses_q;
  reg  [T-1:0] mark_task_q;
  reg  [2:0]   head_privilege_q, mark_privilege_q;
  reg  [A-1:0] mark_pc_q;

  wire         next_traps, next_insn, next_overflow, next_flush, next_sync, next_known;
  wire [T-1:0] next_task;
  wire [31:0]  next_word;
  wire [A-1:0] next_pc;
  assign {next_traps, next_insn, next_overflow, next_flush, next_sync, next_known, next_task, next_word, next_pc} = place[BASE_BITS-1:0];
  wire [2:0]   next_privilege = TRAPS != 0 ? place[PLACE_BITS-1-:3] : 3'd7;

  wire         has_sync_period = sync_period_insns_i != 32'd0;
  // A sync that has not left yet is that one.
  wire         is_long = sync_due_i && !(mark_valid_q && mark_kind_q == SYNC);
  wire         head_due = head_insn_q && (head_sync_q || is_long ||
                                          (has_sync_period && since_q > {1'b0, sync_period_insns_i}));
  wire [33:0]  since_sum = {1'b0, since_q} + {2'd0, resumes_insns_q[31:0]};
  wire         next_due = place_valid && next_insn &&
                          (next_sync || is_long || (has_sync_period && since_q >= {1'b0, sync_period_insns_i}));
  wire         marks_sync = !has_period_q || (!head_overflow_q && !head_flush_q &&
                                              (forced_q || (!started_q && head_due)));
  wire         has_mark = marks_sync || head_overflow_q || head_flush_q;
  wire [1:0]   mark = marks_sync ? SYNC : head_overflow_q ? {1'b1, resumes_cut_q} : FLUSH;
  wire         is_start = has_period_q && !started_q;
  wire         is_whole = head_insn_q && head_ended && (place_valid || dropping_q);
  wire         gives_mark = head_valid_q && !is_start && has_mark && !mark_valid_q;
  wire         gives_start = head_valid_q && is_start;
  wire         gives_step = head_valid_q && !is_start && !has_mark && is_whole && !(stamp_wait_i && at_q == {N{1'b0}});
  wire         given = valid_o && ready_i;
  wire [N-1:0] at_after = at_q + {{(N - 1){1'b0}}, 1'b1};
  wire         is_last = head_n == {N{1'b0}} || at_after == head_n;
  wire         follows = place_valid && next_insn && !next_overflow && !next_flush;
  wire         goes_on = follows && !next_due;
  wire         syncs = gives_step && is_last && follows && next_due && !mark_valid_q && SYNC_KEEPS == 0;
  // What is left of a place behind its mark.
  wire         left_overflow = head_overflow_q && !(has_period_q && gives_mark);
  wire         left_flush = head_flush_q && !(has_period_q && gives_mark && !head_overflow_q);
  wire         leaves = given && (gives_step ? is_last :
                                  gives_mark && !head_insn_q && !left_overflow && !left_flush);

  assign gives_gap   = given && gives_mark && mark[1];
  assign loads       = place_valid && (!head_valid_q || leaves);
  assign pops_n      = given && gives_step && is_last;
  assign pops_access = given && gives_step && head_n != {N{1'b0}};
  assign is_idle     = !head_valid_q && !place_valid;
  assign stamp_events_o = {loads, pops_n, given && ((gives_mark && mark == SYNC && SYNC_KEEPS == 0) || syncs), gives_gap};

  assign valid_o = gives_mark || gives_start || gives_step;
  assign kind_o  = gives_mark ? BEAT_MARK : gives_start ? BEAT_START : syncs ? BEAT_STEP_SYNC : BEAT_STEP;
  assign {pc_o, word_o, word_known_o} = {head_pc_q, head_word_q, head_known_q};
  assign {n_o, at_o, addr_o} = {head_n, at_q, head_access};
  assign after_o[AFTER_STAMP] = gives_step && is_last && stamp_due_i;
  // Traps of a place come before its marks.
  assign after_o[AFTER_TRAPS] = gives_start ? head_traps_q : is_last && place_valid && next_traps;
  assign after_o[1:0] = gives_start ? has_mark ? AFTER_END : head_task_q != last_task_q ? AFTER_TASK : AFTER_NEXT :
                   !goes_on ? AFTER_END : next_task != head_task_q ? AFTER_TASK : AFTER_NEXT;
  assign next_o  = next_pc;
  assign task_o  = gives_step ? next_task : head_task_q;
  assign mark_o  = mark;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {head_valid_q, has_period_q, started_q, forced_q, mark_valid_q} <= 5'd0;
      at_q         <= {N{1'b0}};
      since_q      <= 33'd1;
      insn_q       <= 42'd0;
      insn_full_q  <= 1'b0;
      last_task_q  <= {T{1'b0}};
    end else begin
      if (loads) head_valid_q <= 1'b1;
      else if (leaves) head_valid_q <= 1'b0;
      if (mark_done_i) mark_valid_q <= 1'b0;
      if (given && gives_mark) begin
        has_period_q <= 1'b1;
        started_q    <= 1'b0;
        mark_valid_q <= 1'b1;
        if (mark == SYNC) begin
          forced_q    <= 1'b0;
          since_q     <= 33'd1;
          last_task_q <= head_task_q;
        end
        if (gives_gap) begin
          {insn_full_q, insn_q} <= {&insn_behind_gap[20:0], insn_behind_gap};
          since_q <= |resumes_insns_q[41:32] || since_sum[33:32] != 2'd0 ? 33'h1_0000_0000 : since_sum[32:0];
        end
      end
      if (given && gives_start) begin
        started_q <= 1'b1;
        forced_q  <= has_mark && mark == SYNC;
        if (!has_mark) last_task_q <= head_task_q;
      end
      if (given && gives_step) begin
        at_q <= is_last ? {N{1'b0}} : at_after;
        if (is_last) begin
          {insn_full_q, insn_q} <= {insn_after_full, insn_after};
          since_q  <= since_q[32] ? since_q : since_q + 33'd1;
          forced_q <= next_due && !syncs;
          if (goes_on || syncs) last_task_q <= next_task;
        end
        if (syncs) begin
          since_q      <= 33'd1;
          mark_valid_q <= 1'b1;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (loads) begin
      head_traps_q <= next_traps && !(given && gives_step);
      head_insn_q <= next_insn;
      {head_task_q, head_privilege_q} <= {next_task, next_privilege};
      {head_word_q, head_known_q, head_pc_q} <= {next_word, next_known, next_pc};
    end else if (given && gives_start) begin
      head_traps_q <= 1'b0;
    end
    if (loads) {head_overflow_q, head_flush_q, head_sync_q} <= {next_overflow, next_flush, next_sync && !(given && syncs)};
    else if (given && gives_mark) begin
      head_overflow_q <= left_overflow;
      head_flush_q    <= left_flush;
      if (mark == SYNC) head_sync_q <= 1'b0;
    end
    if (given && gives_mark) begin
      {mark_kind_q, mark_number_q} <= {mark, insn_q};
      mark_task_q          <= mark == SYNC ? head_task_q : last_task_q;
      // The first mark alone comes before the traps of its place, and before what was lost there.
      mark_privilege_q     <= has_period_q || !(head_traps_q || head_overflow_q) ? head_privilege_q : 3'd7;
      {mark_lost_insns_q, mark_lost_accesses_q} <= {resumes_insns_q, resumes_accesses_q};
    end
    if (given && syncs) begin
      {mark_kind_q, mark_number_q} <= {SYNC, insn_after};
      {mark_task_q, mark_privilege_q, mark_pc_q} <= {next_task, next_privilege, next_pc};
    end
  end

  assign {mark_valid_o, mark_kind_o, mark_number_o} = {mark_valid_q, mark_kind_q, mark_number_q};
  assign {mark_task_o, mark_privilege_o, mark_pc_o} = {mark_task_q, mark_privilege_q, mark_pc_q};
  assign {mark_lost_insns_o, mark_lost_accesses_o} = {mark_lost_insns_q, mark_lost_accesses_q};
  wire unused = &{1'b0, n_ready, n_count, number_d, number, access_count, access_valid, OVERFLOW, pushed, pushed_second};
`ifdef FORMAL
`include "oct_shadow_gather_formal.vh"
`endif
endmodule

`default_nettype wire
