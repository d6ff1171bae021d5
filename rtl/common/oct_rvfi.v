// SPDX-License-Identifier: Apache-2.0
// oct_rvfi - from the RISC-V Formal Interface (RVFI) of a core to the core interface of a compressor.
//
// Each channel brings at most one retired instruction a cycle; channel 0 is the older. What the
// instruction did is taken from its word and its memory masks: the size from the low bits, the
// class (oct_class) from the opcode, the accesses from the masks, the load first. An access begins
// at the byte that its mask has lowest. An instruction that makes fewer accesses than its opcode has
// (a failed SC, a fault) is closed by a terminator, da_end_o. Instructions wait in a queue, because
// an AMO needs two cycles of the compressor and two channels may retire at once.
//
// Latency: 1 cycle from an instruction to its first event. There is no back-pressure, as a core is
// never stalled. What comes while the queue is full is lost, and all behind it until the queue is empty; then core_error_o, a pulse,
// makes the compressor mark a gap and keep a flag for the debugger, and it goes on. A handler that begins right behind the gap is
// not told: what led to it may be lost. error_o is set, and stays, when the core breaks the
// interface's rules (an odd address, an access that the opcode has not, a mask of other bytes than the opcode's). Nothing more is passed on
// then, so that the trace ends early, with a gap, and is never wrong.
// While gate_i is 0, nothing that the core tells goes in. If something was left out so, core_error_o marks a gap ahead of
// what comes first through the open gate. An exception that had no handler yet goes with it, and so does what that
// first instruction tells as a handler's: whether it was an exception is not known.
// With TRAPS a trap, and a privilege that changed without one, have a cycle of their own before the next
// instruction, whose privilege they tell. An instruction with rvfi_trap_i did not retire: it is the
// exception (without TRAPS it is left out), whatever its word and its masks say. rvfi_intr_i is the first instruction of a handler; with it the core tells what the handler finds in
// its registers: cause_i, tval_i and epc_i: of an interrupt the instruction that would have been next, of an exception that of the
// exception. Behind an exception another epc_i is of an interrupt that came before the handler: what was the exception's
// cause is not told by RVFI, so core_error_o marks a gap in its place.
// An exception with rvfi_halt_i has no handler: it is told at once. In its cycle cause_i and tval_i are its own, so of an
// exception or interrupt whose handler begins in that cycle the cause is not known, and a gap is marked.
// halted_i is 1 while the core is halted, in reset, or hangs: an exception that still waits for its handler then, behind all that
// is in the queue, is lost in a gap, as its cause is not known. A handler that begins later is not told.
// Parameters: XLEN (32 or 64, width of addresses), CHANNELS (1 or 2), DEPTH (entries of the queue,
// a power of two from 2 on), TRAPS and
// CAUSE_BITS as in docs/port-format.md, TIME_BITS (of time_i that the queue keeps with an instruction, 0 to 64).
`default_nettype none

module oct_rvfi #(
  parameter integer XLEN = 32,  // 32, 64: bits of an address, ADDR_BITS of the compressor
  parameter integer CHANNELS = 1,  // 1, 2: instructions that may retire in a cycle
  parameter integer DEPTH = 16,  // a power of two from 2 on: instructions that wait in the queue
  parameter integer TRAPS = 0,  // 1: traps are traced, as in the compressor
  parameter integer CAUSE_BITS = 6,  // 1 to 16: bits of a trap's cause, as in the compressor
  parameter integer TIME_BITS = 0  // 0 to 64: bits of time_i that the queue keeps
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  input  wire                       gate_i,  // 1 while the core may be traced; 1 without a gate
  // RVFI, channel 0 in the low bits
  input  wire [CHANNELS-1:0]        rvfi_valid_i,
  input  wire [32*CHANNELS-1:0]     rvfi_insn_i,
  input  wire [XLEN*CHANNELS-1:0]   rvfi_pc_rdata_i,
  input  wire [XLEN*CHANNELS-1:0]   rvfi_mem_addr_i,
  input  wire [XLEN/8*CHANNELS-1:0] rvfi_mem_rmask_i,
  input  wire [XLEN/8*CHANNELS-1:0] rvfi_mem_wmask_i,
  input  wire [CHANNELS-1:0]        rvfi_trap_i,
  input  wire [CHANNELS-1:0]        rvfi_intr_i,
  input  wire [CHANNELS-1:0]        rvfi_halt_i,  // 0 if an exception never halts the core
  input  wire [2*CHANNELS-1:0]      rvfi_mode_i,
  input  wire [CAUSE_BITS-1:0]      cause_i,  // mcause that a handler finds, without the interrupt bit
  input  wire [XLEN-1:0]            epc_i,  // mepc that it finds
  input  wire [XLEN-1:0]            tval_i,  // mtval that it finds
  input  wire                       halted_i,  // the core is halted, or in reset; a pulse is enough; 0 if it never is
  input  wire [63:0]                time_i,  // time of this cycle; 0 without it
  // the compressor's inputs of these names
  output wire                       insn_valid_o,
  output wire [XLEN-1:0]            insn_addr_o,
  output wire [3:0]                 insn_size_bytes_o,
  output wire [2:0]                 insn_class_o,  // open: for tests
  output wire [31:0]                insn_word_o,  // insn_word_i of shadow, with insn_valid_o as insn_word_valid_i
  output wire                       da_valid_o,
  output wire                       da_end_o,
  output wire [XLEN-1:0]            da_addr_o,
  output wire [2:0]                 priv_o,
  output wire                       trap_valid_o,
  output wire [1:0]                 trap_kind_o,
  output wire [2:0]                 trap_privilege_o,
  output wire [CAUSE_BITS-1:0]      trap_cause_o,
  output wire [XLEN-1:0]            trap_addr_o,
  output wire [XLEN-1:0]            trap_tval_o,
  output wire [63:0]                time_o,  // of the instruction
  output wire                       error_o,  // the core broke a rule, and the adapter has stopped: a status bit, or open
  output wire                       core_error_o
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (XLEN != 32 && XLEN != 64) begin : gen_illegal_XLEN
      oct_illegal_XLEN_expected_32_or_64 u_illegal ();
    end
    if (CHANNELS != 1 && CHANNELS != 2) begin : gen_illegal_CHANNELS
      oct_illegal_CHANNELS_expected_1_or_2 u_illegal ();
    end
    if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) begin : gen_illegal_DEPTH
      oct_illegal_DEPTH_expected_a_power_of_two_from_2_on u_illegal ();
    end
    if (TRAPS != 0 && TRAPS != 1) begin : gen_illegal_TRAPS
      oct_illegal_TRAPS_expected_0_or_1 u_illegal ();
    end
    if (CAUSE_BITS < 1 || CAUSE_BITS > 16) begin : gen_illegal_CAUSE_BITS
      oct_illegal_CAUSE_BITS_expected_1_to_16 u_illegal ();
    end
    if (TIME_BITS < 0 || TIME_BITS > 64) begin : gen_illegal_TIME_BITS
      oct_illegal_TIME_BITS_expected_0_to_64 u_illegal ();
    end
  endgenerate

`include "oct_rv_access.vh"

  localparam integer LOG2_DEPTH = $clog2(DEPTH);
  // An entry: second event (access, end, address), first event (the same), word, address.
  localparam integer ENTRY_BITS = 3 * XLEN + 36;

  // Classes of include/octrace/trace.h.
  localparam [2:0] CLASS_OTHER = 3'd1, CLASS_COND_BRANCH = 3'd2, CLASS_DIRECT_JUMP = 3'd3,
      CLASS_DIRECT_CALL = 3'd4, CLASS_INDIRECT_JUMP = 3'd5, CLASS_INDIRECT_CALL = 3'd6,
      CLASS_RETURN = 3'd7;

`include "oct_rv_jump.vh"
`include "oct_rv_class.vh"

  function [XLEN-1:0] first_byte(input [XLEN-1:0] base, input [XLEN/8-1:0] mask);
    integer i;
    begin
      first_byte = base;
      for (i = XLEN / 8 - 1; i >= 0; i = i - 1) if (mask[i]) first_byte = base + {{(XLEN - 3) {1'b0}}, i[2:0]};
    end
  endfunction

  // The mask has the bytes of the opcode, without a gap; one that is wider than the core has them all.
  function is_whole(input [XLEN/8-1:0] mask, input [2:0] size_log2);
    reg [XLEN/8-1:0] low;
    integer i;
    begin
      low = mask;
      for (i = 1; i < XLEN / 8; i = i + 1) if (!low[0]) low = low >> 1;
      is_whole = low == (size_log2 == 3'd0 ? {{(XLEN/8-1){1'b0}}, 1'b1} : size_log2 == 3'd1 ? {{(XLEN/8-2){1'b0}}, 2'b11} :
                         size_log2 == 3'd2 ? {{(XLEN/8-4){1'b0}}, 4'b1111} : {(XLEN/8){1'b1}});
    end
  endfunction

  // What each channel brings.
  wire [CHANNELS-1:0] told  = TRAPS != 0 ? rvfi_valid_i : rvfi_valid_i & ~rvfi_trap_i;
  wire [CHANNELS-1:0] valid = told & {CHANNELS{gate_i}};
  wire [ENTRY_BITS*CHANNELS-1:0] entry;
  wire [CHANNELS-1:0]            breaks_rule;
  genvar c;
  generate
    for (c = 0; c < CHANNELS; c = c + 1) begin : gen_channel
      wire [31:0]       word = rvfi_insn_i[32*c+:32];
      wire [XLEN-1:0]   pc = rvfi_pc_rdata_i[XLEN*c+:XLEN];
      wire [XLEN-1:0]   base = rvfi_mem_addr_i[XLEN*c+:XLEN];
      wire [XLEN/8-1:0] rmask = rvfi_mem_rmask_i[XLEN/8*c+:XLEN/8];
      wire [XLEN/8-1:0] wmask = rvfi_mem_wmask_i[XLEN/8*c+:XLEN/8];
      wire              loads = rmask != 0;
      wire              stores = wmask != 0;
      wire [1:0]        made = {1'b0, loads} + {1'b0, stores};
      wire [4:0]        access = access_of(word[31:27], word[15:10], word[6:0]);
      wire [1:0]        slots = {1'b0, access[4]} + {1'b0, access[3]};
      wire              makes_other = (loads && !(access[4] && is_whole(rmask, access[2:0]))) ||
                                      (stores && !(access[3] && is_whole(wmask, access[2:0])));
      wire              first_access = made != 2'd0;
      wire              first_end = made == 2'd0 && slots != 2'd0;
      wire              second_access = made == 2'd2;
      wire              second_end = made == 2'd1 && slots == 2'd2;
      assign entry[ENTRY_BITS*c+:ENTRY_BITS] = {
        second_access, second_end, first_byte(base, wmask),
        first_access, first_end, first_byte(base, loads ? rmask : wmask),
        word, pc
      };
      assign breaks_rule[c] = pc[0] || (makes_other && !rvfi_trap_i[c]);
    end
  endgenerate

  // The queue.
  reg  [ENTRY_BITS-1:0] queue_q[0:DEPTH-1];
  reg  [LOG2_DEPTH-1:0] write_q, read_q;
  reg  [LOG2_DEPTH:0]   count_q;  // 0..DEPTH
  reg                   second_q; // the head's first event has gone
  reg                   error_q;
  reg                   told_q;   // the compressor has been told
  wire [ENTRY_BITS-1:0] head = queue_q[read_q];
  wire                  has_head = count_q != 0;
  wire                  has_second = head[ENTRY_BITS-1] || head[ENTRY_BITS-2];
  reg                   cut_q;       // something was left out, which the next entry tells
  reg  [DEPTH-1:0]      cuts_q;      // of each place: something was left out before it
  reg                   cut_told_q;  // of the head
  wire                  is_cut = cuts_q[read_q];
  wire                  traps, says_trap;  // the head itself trapped; a trap stands before it
  wire                  says_halt;         // the head trapped, and the core halts
  wire                  loses_trap;        // a trap before it that is not known
  wire                  gives_up;          // a trap at the end of all, whose handler does not come, or is lost
  wire                  says_gap = has_head && ((is_cut && !cut_told_q) || loses_trap);
  wire                  gives = has_head && !traps && !says_trap && !says_halt && !says_gap;
  wire                  says_end = error_q && !has_head && !told_q;
  wire                  pop = traps || says_halt || (gives && (second_q || !has_second));
  localparam [31:0] DEPTH_32 = DEPTH;

  wire [1:0] pushes = CHANNELS == 1 ? {1'b0, valid[0]} :
      {1'b0, valid[0]} + {1'b0, valid[CHANNELS-1]};
  wire [31:0] count_next = {{(31 - LOG2_DEPTH) {1'b0}}, count_q} + {30'd0, pushes} - {31'd0, pop};
  wire        fails = |(valid & breaks_rule);
  reg         lost_q;  // something had no room, which is told when the queue is empty
  wire        loses = count_next > DEPTH_32 || (lost_q && has_head);
  wire        tells_lost = lost_q && !has_head && !error_q;

  wire                  passes = !error_q && !fails && !loses;
  wire [LOG2_DEPTH+1:0] pushes_wide = {{LOG2_DEPTH{1'b0}}, pushes};
  wire                  unused_pushes = &{1'b0, pushes_wide[LOG2_DEPTH+1:LOG2_DEPTH]};

  generate
    if (CHANNELS == 1) begin : gen_one
      always @(posedge clk_i) if (passes && valid[0]) queue_q[write_q] <= entry;
    end else begin : gen_two
      wire [LOG2_DEPTH-1:0] place = write_q + {{(LOG2_DEPTH - 1) {1'b0}}, valid[0]};
      always @(posedge clk_i) begin
        if (passes && valid[0]) queue_q[write_q] <= entry[0+:ENTRY_BITS];
        if (passes && valid[1]) queue_q[place] <= entry[ENTRY_BITS+:ENTRY_BITS];
      end
    end
  endgenerate

  // Of two entries of a cycle, what was left out stands before the first.
  wire [LOG2_DEPTH-1:0] behind = write_q + 1'b1;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cut_q      <= 1'b0;
      cuts_q     <= {DEPTH{1'b0}};
      cut_told_q <= 1'b0;
    end else begin
      cut_q      <= gate_i ? cut_q && valid == {CHANNELS{1'b0}} : cut_q || told != {CHANNELS{1'b0}};
      cut_told_q <= !pop && (cut_told_q || says_gap);
      if (passes && valid != {CHANNELS{1'b0}}) begin
        cuts_q[write_q] <= cut_q;
        if (pushes == 2'd2) cuts_q[behind] <= 1'b0;
      end
    end
  end

  // What goes beside the queue for traps.
  generate
    if (TRAPS != 0) begin : gen_traps
      localparam integer BESIDE_BITS = 2 * XLEN + CAUSE_BITS + 6;
      localparam [1:0] TRAP_EXCEPTION = 2'd0, TRAP_INTERRUPT = 2'd1, TRAP_PRIVILEGE = 2'd2;
      reg  [BESIDE_BITS-1:0]          beside_q[0:DEPTH-1];
      wire [BESIDE_BITS*CHANNELS-1:0] beside;
      wire [CHANNELS-1:0]             halts = rvfi_valid_i & rvfi_trap_i & rvfi_halt_i;
      for (c = 0; c < CHANNELS; c = c + 1) begin : gen_beside
        assign beside[BESIDE_BITS*c+:BESIDE_BITS] =
            {epc_i, tval_i, cause_i, rvfi_mode_i[2*c+:2], |halts, halts[c], rvfi_trap_i[c], rvfi_intr_i[c]};
      end
      wire [LOG2_DEPTH-1:0] second_place = write_q + {{(LOG2_DEPTH-1){1'b0}}, valid[0]};
      always @(posedge clk_i) begin
        if (passes && valid[0]) beside_q[write_q] <= beside[0+:BESIDE_BITS];
        if (CHANNELS > 1 && passes && valid[CHANNELS-1])
          beside_q[second_place] <= beside[BESIDE_BITS*(CHANNELS-1)+:BESIDE_BITS];
      end

      wire [XLEN-1:0]       epc, tval;
      wire [CAUSE_BITS-1:0] cause;
      wire [1:0]            mode;
      wire                  is_other, halt, trap, intr;  // is_other: cause and value are those of an exception that halts
      assign {epc, tval, cause, mode, is_other, halt, trap, intr} = beside_q[read_q];
      reg                   said_q, exception_q, has_mode_q;  // said: that of the head
      reg                   halt_q;      // the core has been halted since the newest entry
      reg                   gave_up_q;   // the next entry may begin the handler of what was given up
      reg  [1:0]            mode_q;
      reg  [XLEN-1:0]       exception_pc_q;
      wire                  begins_handler = intr && !is_cut && !gave_up_q && !(is_other && cut_told_q);
      wire                  is_trap = exception_q || begins_handler;
      assign loses_trap = is_other ? is_trap : exception_q && epc != exception_pc_q;
      assign traps      = has_head && trap && !halt && !says_trap && !says_gap;
      assign says_halt  = has_head && halt && !says_gap;
      assign says_trap  = has_head && !says_gap && !second_q && !said_q &&
                          (is_trap || (!trap && has_mode_q && mode != mode_q));
      assign gives_up   = tells_lost || (!has_head && halt_q && exception_q && !error_q);
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          said_q      <= 1'b0;
          exception_q <= 1'b0;
          has_mode_q  <= 1'b0;
          mode_q      <= 2'd0;
          halt_q      <= 1'b0;
          gave_up_q   <= 1'b0;
        end else begin
          said_q      <= says_trap || (said_q && !pop);
          exception_q <= traps || (exception_q && !says_trap && !says_gap && !gives_up);
          halt_q      <= halted_i || (halt_q && valid == {CHANNELS{1'b0}});
          gave_up_q   <= gives_up || (gave_up_q && !pop);
          if (gives || says_trap || says_halt) {has_mode_q, mode_q} <= {1'b1, mode};
        end
      end
      always @(posedge clk_i) if (traps) exception_pc_q <= head[XLEN-1:0];
      assign priv_o           = {1'b0, mode};
      assign trap_kind_o      = exception_q || says_halt ? TRAP_EXCEPTION : begins_handler ? TRAP_INTERRUPT : TRAP_PRIVILEGE;
      assign trap_privilege_o = {1'b0, mode};
      assign trap_cause_o     = is_trap || says_halt ? cause : {CAUSE_BITS{1'b0}};
      assign trap_addr_o      = says_halt ? head[XLEN-1:0] : is_trap ? epc : {XLEN{1'b0}};
      assign trap_tval_o      = exception_q || says_halt ? tval : {XLEN{1'b0}};
    end else begin : gen_no_traps
      wire unused_traps = &{1'b0, rvfi_intr_i, rvfi_halt_i, rvfi_mode_i, cause_i, epc_i, tval_i, halted_i};
      assign {traps, says_trap, says_halt, loses_trap} = 4'b0000;
      assign gives_up = tells_lost;
      assign {priv_o, trap_kind_o, trap_privilege_o} = 8'd0;
      assign {trap_cause_o, trap_addr_o, trap_tval_o} = {(CAUSE_BITS + 2 * XLEN){1'b0}};
    end
  endgenerate
  assign trap_valid_o = says_trap || says_halt;

  // And the time of each instruction.
  generate
    if (TIME_BITS != 0) begin : gen_time
      reg  [TIME_BITS-1:0]  time_q[0:DEPTH-1];
      wire [LOG2_DEPTH-1:0] time_place = write_q + {{(LOG2_DEPTH-1){1'b0}}, valid[0]};
      always @(posedge clk_i) begin
        if (passes && valid[0]) time_q[write_q] <= time_i[TIME_BITS-1:0];
        if (CHANNELS > 1 && passes && valid[CHANNELS-1]) time_q[time_place] <= time_i[TIME_BITS-1:0];
      end
      reg  [63:0] time_wide;
      always @* begin
        time_wide = 64'd0;
        time_wide[TIME_BITS-1:0] = time_q[read_q];
      end
      assign time_o = time_wide;
    end else begin : gen_no_time
      assign time_o = 64'd0;
    end
  endgenerate
  wire unused_time = &{1'b0, time_i};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q  <= 0;
      read_q   <= 0;
      count_q  <= 0;
      second_q <= 1'b0;
      error_q  <= 1'b0;
      lost_q   <= 1'b0;
      told_q   <= 1'b0;
    end else begin
      error_q  <= error_q || fails;
      lost_q   <= (valid != {CHANNELS{1'b0}} && loses) || (lost_q && !tells_lost);
      told_q   <= told_q || says_end;
      second_q <= gives && has_second && !second_q;
      if (pop) read_q <= read_q + 1'b1;
      if (passes) begin
        write_q <= write_q + pushes_wide[LOG2_DEPTH-1:0];
        count_q <= count_next[LOG2_DEPTH:0];
      end else begin
        count_q <= count_q - {{LOG2_DEPTH{1'b0}}, pop};
      end
    end
  end

  assign insn_valid_o      = gives && !second_q;
  assign insn_addr_o       = head[XLEN-1:0];
  assign insn_word_o       = head[XLEN+:32];
  assign insn_size_bytes_o = insn_word_o[1:0] == 2'b11 ? 4'd4 : 4'd2;
  assign insn_class_o      = rv_class(insn_word_o);
  assign da_valid_o        = gives && (second_q ? has_second : head[2*XLEN+33] || head[2*XLEN+32]);
  assign da_end_o          = second_q ? head[ENTRY_BITS-2] : head[2*XLEN+32];
  assign da_addr_o         = second_q ? head[2*XLEN+34+:XLEN] : head[XLEN+32+:XLEN];
  assign error_o           = error_q;
  assign core_error_o      = says_gap || says_end || gives_up;

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  // Whether something was left out, and not marked since.
  reg f_left_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_left_q <= 1'b0;
    else f_left_q <= (told != {CHANNELS{1'b0}} && (!gate_i || loses)) || (f_left_q && !core_error_o);
  end
  always @* if (rst_ni) begin
    // An event is an instruction, or a trap, or an error, and an access comes with the first or alone.
    assert (insn_valid_o + trap_valid_o + core_error_o <= 2'd1);
    if (da_valid_o) assert (!trap_valid_o && !core_error_o);
    // The core interface's rules.
    if (insn_valid_o) assert (!insn_addr_o[0] && (insn_size_bytes_o == 4'd2 || insn_size_bytes_o == 4'd4));
    if (trap_valid_o) assert (TRAPS != 0 && trap_kind_o != 2'd3);
    assert (count_q <= DEPTH_32);
    // Behind the error that has been told nothing leaves.
    if (told_q) assert (error_q && !has_head && !insn_valid_o && !da_valid_o && !trap_valid_o && !core_error_o);
    cover (says_end);
    cover (da_valid_o && da_end_o);
  end
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    // An access without an instruction is the second of the one before.
    if (da_valid_o && !insn_valid_o) assert ($past(insn_valid_o && da_valid_o));
    // Where nothing waited, what comes behind something that was left out waits for its gap.
    if ($past(f_left_q && !has_head && !error_q && !core_error_o) && has_head) assert (core_error_o);
    // What had no room is marked as soon as nothing waits, whether or not anything comes.
    if ($past(lost_q && !has_head && !error_q)) assert ($past(core_error_o) && !lost_q);
    cover (insn_valid_o && $past(tells_lost));
    // What comes through a closed gate does not leave.
    if ($past(!gate_i && !has_head)) assert (!insn_valid_o && !trap_valid_o && !da_valid_o);
    cover (insn_valid_o && $past(core_error_o) && !error_q);
    cover (da_valid_o && !insn_valid_o);
  end
  generate
    if (TRAPS != 0) begin : gen_properties
      // Any one of the exceptions that go in through channel 0.
      (* anyseq *) wire    f_pick;
      reg                  f_chosen_q, f_inside_q, f_open_q, f_halt_q;  // chosen, in the queue, out of it but not told
      wire                 f_enters = f_pick && !f_chosen_q && passes && valid[0] && rvfi_trap_i[0];
      reg [LOG2_DEPTH-1:0] f_place_q;
      reg [XLEN-1:0]       f_pc_q, f_tval_q;
      reg [CAUSE_BITS-1:0] f_cause_q;
      wire                 f_leaves = f_inside_q && pop && read_q == f_place_q;
      wire                 f_event = insn_valid_o || trap_valid_o || core_error_o;
      wire [LOG2_DEPTH-1:0] f_before = f_place_q - read_q;
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          {f_chosen_q, f_inside_q, f_open_q} <= 3'd0;
        end else begin
          f_chosen_q <= f_chosen_q || f_enters;
          f_inside_q <= f_enters || (f_inside_q && !f_leaves);
          f_open_q   <= (f_leaves && !f_halt_q) || (f_open_q && !f_event);
          if (f_enters) begin
            {f_place_q, f_pc_q, f_tval_q, f_cause_q} <= {write_q, rvfi_pc_rdata_i[XLEN-1:0], tval_i, cause_i};
            f_halt_q <= rvfi_halt_i[0];
          end
        end
      end
      always @* if (rst_ni) begin
        if (f_inside_q) assert ({1'b0, f_before} < count_q);
        // One that halts the core is told with what came in its cycle.
        if (f_leaves && f_halt_q) assert (trap_valid_o && trap_kind_o == 2'd0 && trap_addr_o == f_pc_q &&
                                          trap_cause_o == f_cause_q && trap_tval_o == f_tval_q);
        // Another is told, or a gap is, before anything else, and at once where the core is halted.
        if (f_open_q && f_event) assert (core_error_o || (trap_valid_o && trap_kind_o == 2'd0 && trap_addr_o == f_pc_q));
        if (f_open_q && gen_traps.halt_q && !has_head && !told_q) assert (core_error_o);
        if (f_open_q) assert (gen_traps.exception_q);
        // Of what halts the cause is no other's.
        if (trap_valid_o && gen_traps.is_other) assert (says_halt || trap_kind_o == 2'd2);
        cover (f_open_q && trap_valid_o);
        cover (f_open_q && gives_up);
        cover (f_leaves && f_halt_q && trap_privilege_o == 3'd1);
        cover (says_trap && trap_kind_o == 2'd1);
        cover (says_trap && trap_kind_o == 2'd2);
        cover (says_gap && gen_traps.is_other && !is_cut);
        cover (insn_valid_o && gen_traps.intr && gen_traps.gave_up_q);
      end
    end
  endgenerate
`endif

endmodule

`default_nettype wire
