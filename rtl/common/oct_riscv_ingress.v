// SPDX-License-Identifier: Apache-2.0
// oct_riscv_ingress - from RISC-V's trace ingress port to the core interface of a compressor.
//
// Signals have the names and meanings of the port (Efficient Trace for RISC-V, chapter on the interface
// of hart and encoder), block 0 and access 0 in the low bits; docs/integration.md has a table of all of them. A block
// is a run of instructions; words_i brings its
// halfwords, from which the sizes of its instructions follow. The core interface takes one instruction
// a cycle, so what retires in a cycle waits in a queue and is unrolled: for each instruction its address,
// size, class, and the access that is of it: of block dblock_i, with low address bits iaddr_lsbs_i.
// An AMO loads and stores; a conditional store that failed, and a load or store whose access is not
// told, get a terminator. CSR accesses are no memory's. A trap, and a privilege that changed without one,
// leave in a cycle of their own, before the next instruction, whose privilege is known then. An interrupt without
// instructions (iretire = 0) has no address at the port: it gets the one behind the last instruction, or 0 where
// that jumped. An exception is at the instruction behind the last that retired (0 where that can jump by its word), but an environment call (ecall, ebreak,
// c.ebreak) that counts as retired has it at itself. priv_i of a cycle without instructions is no change. The task is
// the newest context of a ctype other than 0, also of one in a cycle that was lost or broke a rule.
// time_i waits with its cycle, whose instructions have it.
// While halted_i or reset_i is 1 (a pulse is enough), a trap that waits leaves behind all that came up to then, with the privilege known so far:
// that of the last instruction, or if there was none, of the trap's cycle. Behind it an interrupt without instructions has no known address.
// trigger_i waits with its cycle: bit 0 (start) leaves with the oldest instruction, bit 1 (stop) with the newest.
//
// Latency: 1 cycle from an instruction to its first event. There is no back-pressure, as a core is never
// stalled. A cycle that breaks a rule of the port is not passed on, and core_error_o, a pulse in its place,
// makes the compressor mark a gap: a block behind an empty one, a trap that is not in the last block, a reserved
// itype or dtype, an
// odd address, more halfwords than a block can have, a last instruction longer than its block, words that
// do not end with the block or have another last instruction, an instruction of more than 32 bits, an access that the
// opcode has not, of another size, or beside another one, an access without an instruction (behind those of its
// cycle), and a queue that is full. A trap that waits for the privilege behind it is lost with a cycle that is.
// An instruction that is reported once for each of its accesses (cm.push) is taken for several.
//
// While gate_i is 0, nothing goes in but the context. A cycle that brings something then is lost, as one for which
// the queue has no room.
//
// XLEN             width of addresses (32 or 64)
// BLOCKS           blocks a cycle (1 to 4)
// BLOCK_HALFWORDS  most halfwords of a block (2 to 15)
// ACCESSES         accesses a cycle (1 to 4)
// CAUSE_BITS       of a trap's cause; CONTEXT_BITS  of the context, which becomes the task
// DEPTH            cycles that the queue holds, a power of two from 2 on
// TIME_BITS        of time_i that it keeps, 0 to 64
`default_nettype none

module oct_riscv_ingress #(
  parameter integer XLEN = 32,  // 32, 64: bits of an address, ADDR_BITS of the compressor
  parameter integer BLOCKS = 1,  // 1 to 4: blocks of instructions in a cycle
  parameter integer BLOCK_HALFWORDS = 4,  // 2 to 15: halfwords of a block, at most
  parameter integer ACCESSES = 1,  // 1 to 4: data accesses in a cycle
  parameter integer CAUSE_BITS = 6,  // 1 to 16: bits of a trap's cause, as in the compressor
  parameter integer CONTEXT_BITS = 16,  // 1 to 32: bits of context, TASK_BITS of the compressor
  parameter integer DEPTH = 16,  // a power of two from 2 on: cycles that wait in the queue
  parameter integer TIME_BITS = 0  // 0 to 64: bits of time_i that the queue keeps
) (
  input  wire                                 clk_i,
  input  wire                                 rst_ni,
  input  wire                                 gate_i,  // 1 while the core may be traced; 1 without a gate
  // the trace ingress port, block 0 in the low bits
  input  wire [4*BLOCKS-1:0]                  itype_i,  // 0 above an itype of 3 bits
  input  wire [CAUSE_BITS-1:0]                cause_i,
  input  wire [XLEN-1:0]                      tval_i,
  input  wire [2:0]                           priv_i,
  input  wire [XLEN*BLOCKS-1:0]               iaddr_i,
  input  wire [CONTEXT_BITS-1:0]              context_i,
  input  wire [1:0]                           ctype_i,
  input  wire [4*BLOCKS-1:0]                  iretire_i,  // halfwords of each block
  input  wire [BLOCKS-1:0]                    ilastsize_i,  // of the last instruction: 0 one halfword, 1 two
  input  wire [16*BLOCK_HALFWORDS*BLOCKS-1:0] words_i,  // the halfwords of each block, the first one lowest
  input  wire [1:0]                           trigger_i,  // bits 1 and 0 of trigger; 0 without triggers
  input  wire                                 halted_i,  // the hart is halted; a pulse is enough; 0 if the port has none
  input  wire                                 reset_i,  // the hart is in reset; likewise
  input  wire [63:0]                          time_i,  // time of this cycle; 0 without it
  // its data trace, access 0 in the low bits
  input  wire [ACCESSES-1:0]                  dretire_i,  // 0 without data trace
  input  wire [4*ACCESSES-1:0]                dtype_i,
  input  wire [XLEN*ACCESSES-1:0]             daddr_i,
  input  wire [3*ACCESSES-1:0]                dsize_i,
  input  wire [2*ACCESSES-1:0]                dblock_i,
  input  wire [4*ACCESSES-1:0]                iaddr_lsbs_i,  // bits 4..1 of the instruction's address
  // the compressor's inputs of these names
  output wire                                 insn_valid_o,
  output wire [XLEN-1:0]                      insn_addr_o,
  output wire [3:0]                           insn_size_bytes_o,
  output wire [2:0]                           insn_class_o,  // open: for tests
  output wire [31:0]                          insn_word_o,  // insn_word_i of shadow, with insn_valid_o as insn_word_valid_i
  output wire [CONTEXT_BITS-1:0]              task_o,
  output wire [2:0]                           priv_o,
  output wire [1:0]                           trigger_o,
  output wire [63:0]                          time_o,
  output wire                                 da_valid_o,
  output wire                                 da_end_o,
  output wire [XLEN-1:0]                      da_addr_o,
  output wire                                 trap_valid_o,
  output wire [1:0]                           trap_kind_o,
  output wire [2:0]                           trap_privilege_o,
  output wire [CAUSE_BITS-1:0]                trap_cause_o,
  output wire [XLEN-1:0]                      trap_addr_o,
  output wire [XLEN-1:0]                      trap_tval_o,
  output wire                                 core_error_o
);
  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (XLEN != 32 && XLEN != 64) begin : gen_illegal_XLEN
      oct_illegal_XLEN_expected_32_or_64 u_illegal ();
    end
    if (BLOCKS < 1 || BLOCKS > 4) begin : gen_illegal_BLOCKS
      oct_illegal_BLOCKS_expected_1_to_4 u_illegal ();
    end
    if (BLOCK_HALFWORDS < 2 || BLOCK_HALFWORDS > 15) begin : gen_illegal_BLOCK_HALFWORDS
      oct_illegal_BLOCK_HALFWORDS_expected_2_to_15 u_illegal ();
    end
    if (ACCESSES < 1 || ACCESSES > 4) begin : gen_illegal_ACCESSES
      oct_illegal_ACCESSES_expected_1_to_4 u_illegal ();
    end
    if (CAUSE_BITS < 1 || CAUSE_BITS > 16) begin : gen_illegal_CAUSE_BITS
      oct_illegal_CAUSE_BITS_expected_1_to_16 u_illegal ();
    end
    if (CONTEXT_BITS < 1 || CONTEXT_BITS > 32) begin : gen_illegal_CONTEXT_BITS
      oct_illegal_CONTEXT_BITS_expected_1_to_32 u_illegal ();
    end
    if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) begin : gen_illegal_DEPTH
      oct_illegal_DEPTH_expected_a_power_of_two_from_2_on u_illegal ();
    end
    if (TIME_BITS < 0 || TIME_BITS > 64) begin : gen_illegal_TIME_BITS
      oct_illegal_TIME_BITS_expected_0_to_64 u_illegal ();
    end
  endgenerate

`include "oct_rv_access.vh"

  localparam integer BLOCK_BITS = BLOCKS > 2 ? 2 : 1;
  localparam integer LOG2_DEPTH = $clog2(DEPTH);
  localparam integer WORD_BITS = 16 * BLOCK_HALFWORDS;
  localparam [31:0] MOST = BLOCK_HALFWORDS;
  localparam integer ENTRY_BITS = BLOCKS * (5 + XLEN + 4 + WORD_BITS) + ACCESSES * (XLEN + 14) + CAUSE_BITS + XLEN +
      CONTEXT_BITS + 8;
  localparam [2:0] CLASS_OTHER = 3'd1, CLASS_COND_BRANCH = 3'd2, CLASS_DIRECT_JUMP = 3'd3,
      CLASS_DIRECT_CALL = 3'd4, CLASS_INDIRECT_JUMP = 3'd5, CLASS_INDIRECT_CALL = 3'd6, CLASS_RETURN = 3'd7;
`include "oct_rv_jump.vh"
`include "oct_rv_class.vh"
  localparam [1:0] TRAP_EXCEPTION = 2'd0, TRAP_INTERRUPT = 2'd1, TRAP_PRIVILEGE = 2'd2;

  function [2:0] class_of(input [3:0] itype);
    case (itype)
      4'd4, 4'd5:                       class_of = CLASS_COND_BRANCH;
      4'd3, 4'd6, 4'd10, 4'd12, 4'd14: class_of = CLASS_INDIRECT_JUMP;
      4'd8:                             class_of = CLASS_INDIRECT_CALL;
      4'd9:                             class_of = CLASS_DIRECT_CALL;
      4'd11, 4'd15:                     class_of = CLASS_DIRECT_JUMP;
      4'd13:                            class_of = CLASS_RETURN;
      default:                          class_of = CLASS_OTHER;
    endcase
  endfunction

  function is_trap(input [3:0] itype);
    is_trap = itype == 4'd1 || itype == 4'd2;
  endfunction

  function is_csr(input [3:0] dtype);
    is_csr = dtype >= 4'd4 && dtype <= 4'd6;
  endfunction

  // A load, a store, an AMO, not a conditional store that failed.
  function is_memory(input [3:0] dtype);
    is_memory = dtype <= 4'd1 || (dtype[3] && dtype != 4'd15);
  endfunction

  // What retires in this cycle, and whether it keeps the rules.
  wire [BLOCKS-1:0]   used, retires, broken;
  wire [ACCESSES-1:0] astray;
  genvar b;
  generate
    for (b = 0; b < BLOCKS; b = b + 1) begin : gen_block
      wire [3:0] itype   = itype_i[4*b+:4];
      wire [3:0] iretire = iretire_i[4*b+:4];
      wire [3:0] last    = ilastsize_i[b] ? 4'd2 : 4'd1;
      wire [BLOCKS-1:0] above = used >> (b + 1);
      wire [4:0] left = MOST[4:0] - {1'b0, iretire};  // negative: more than it can have
      wire unused_left = &{1'b0, left[3:0]};
      assign retires[b] = iretire != 4'd0;
      assign used[b]    = retires[b] || is_trap(itype);
      assign broken[b]  = ((!used[b] || is_trap(itype)) && |above) || ((retires[b] || itype == 4'd1) && iaddr_i[XLEN*b]) ||
          left[4] || (retires[b] && (last > iretire || itype == 4'd7));
    end
    for (b = 0; b < ACCESSES; b = b + 1) begin : gen_access
      wire [3:0] dtype = dtype_i[4*b+:4];
      wire [BLOCKS+3:0] told = {4'd0, retires} >> dblock_i[2*b+:2];  // from its block on
      wire unused_told = &{1'b0, told};
      assign astray[b] = dretire_i[b] && (!(is_csr(dtype) || is_memory(dtype) || dtype == 4'd15) || !told[0]);
    end
  endgenerate
  wire breaks = |broken || |astray;
  wire brings = |used || |dretire_i || |trigger_i;

  // The queue, of cycles. What breaks a rule, and cycles for which there was no room, leave an error in
  // front of the next, or in place.
  reg  [ENTRY_BITS-1:0] queue_q[0:DEPTH-1];
  reg  [LOG2_DEPTH-1:0] write_q, read_q;
  reg  [LOG2_DEPTH:0]   count_q;  // 0..DEPTH
  reg                   lost_q;   // cycles were lost or left out, which the next entry tells,
  reg  [1:0]            lost_trigger_q;  // as it does the trigger of the newest of them that has one
  reg  [CONTEXT_BITS-1:0] task_q;  // of the newest cycle
  reg                   halt_q;   // the hart has been halted since the newest entry
  wire [CONTEXT_BITS-1:0] task_now = |used && ctype_i != 2'd0 ? context_i : task_q;
  wire [1:0]            trigger   = trigger_i != 2'd0 ? trigger_i : lost_trigger_q;
  wire                  is_full = count_q[LOG2_DEPTH];
  wire                  push    = brings && gate_i && !is_full;
  wire                  has_head = count_q != {(LOG2_DEPTH+1){1'b0}};
  wire                  pop;
  always @(posedge clk_i) begin
    if (push)
      queue_q[write_q] <= {itype_i, iaddr_i, iretire_i, words_i, cause_i, tval_i, daddr_i, priv_i, task_now, ilastsize_i,
                           trigger, dretire_i, dtype_i, dsize_i, dblock_i, iaddr_lsbs_i, breaks, lost_q, halt_q};
  end

  // The time of each cycle stands beside the queue.
  generate
    if (TIME_BITS != 0) begin : gen_time
      reg  [TIME_BITS-1:0] time_q[0:DEPTH-1];
      reg  [63:0]          time_wide;
      always @(posedge clk_i) if (push) time_q[write_q] <= time_i[TIME_BITS-1:0];
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

  // The head, and how far it has been unrolled.
  wire [4*BLOCKS-1:0]         h_itype, h_iretire;
  wire [XLEN*BLOCKS-1:0]      h_iaddr;
  wire [WORD_BITS*BLOCKS-1:0] h_words;
  wire [CAUSE_BITS-1:0]       h_cause;
  wire [XLEN-1:0]             h_tval;
  wire [XLEN*ACCESSES-1:0]    h_daddr;
  wire [2:0]                  h_priv;
  wire [CONTEXT_BITS-1:0]     h_task;
  wire [1:0]                  h_trigger;
  wire [ACCESSES-1:0]         h_dretire;
  wire [4*ACCESSES-1:0]       h_dtype, h_lsbs;
  wire [3*ACCESSES-1:0]       h_dsize;
  wire [2*ACCESSES-1:0]       h_dblock;
  wire                        h_breaks, h_lost, h_halt;
  wire [BLOCKS-1:0]           h_ilastsize;
  assign {h_itype, h_iaddr, h_iretire, h_words, h_cause, h_tval, h_daddr, h_priv, h_task, h_ilastsize, h_trigger,
          h_dretire, h_dtype, h_dsize, h_dblock, h_lsbs, h_breaks, h_lost, h_halt} = queue_q[read_q];

  reg  [1:0]              block_q;      // the block under way
  reg  [3:0]              at_q;         // halfwords of it that have gone
  reg                     second_q;     // its instruction's second event is due
  reg                     lost_told_q;  // the error of what was lost before this entry
  reg                     started_q;    // the trigger that starts has been told
  reg  [ACCESSES-1:0]     met_q;        // its accesses that have been told, or an error
  reg                     unmet_q;      // no instruction made one of them: an error is due
  reg                     trap_q;       // a trap waits for the privilege behind it
  reg  [1:0]              trap_kind_q;
  reg  [CAUSE_BITS-1:0]   trap_cause_q;
  reg  [XLEN-1:0]         trap_addr_q, trap_tval_q;
  reg  [XLEN-1:0]         next_q;       // behind the last instruction, 0: not known
  reg  [2:0]              priv_q;
  reg                     has_priv_q;
  reg  [CONTEXT_BITS-1:0] last_task_q;  // of the newest that has left

  // The block under way: selects, and the instruction at its place.
  wire [BLOCK_BITS-1:0] block_bit = block_q[BLOCK_BITS-1:0];
  wire [3:0]           itype   = h_itype[4*block_q+:4];
  wire [3:0]           iretire = h_iretire[4*block_q+:4];
  wire [XLEN-1:0]      iaddr   = h_iaddr[XLEN*block_q+:XLEN];
  wire [WORD_BITS-1:0] words   = h_words[WORD_BITS*block_q+:WORD_BITS];
  wire [WORD_BITS+31:0] shifted = {32'd0, words} >> {at_q, 4'd0};
  wire [15:0]          first   = shifted[15:0];
  wire                 is_long = first[1:0] == 2'b11;
  wire [31:0]          word    = is_long ? shifted[31:0] : {16'd0, first};
  wire [3:0]           size    = is_long ? 4'd2 : 4'd1;
  wire [XLEN-1:0]      addr    = iaddr + {{(XLEN-5){1'b0}}, at_q, 1'b0};
  wire [4:0]           behind  = {1'b0, at_q} + {1'b0, size};
  wire                 has_insn = iretire > at_q;
  wire                 is_last  = behind == {1'b0, iretire};
  wire                 fits     = first[4:0] != 5'h1f && behind <= {1'b0, iretire} && (!is_last || h_ilastsize[block_bit] == is_long);
  wire [31:0]          block_32 = {30'd0, block_q};
  wire                 is_newest = block_32 == BLOCKS - 1;
  wire [4*BLOCKS+3:0]  above_iretire = {4'd0, h_iretire} >> ({2'd0, block_q, 2'd0} + 6'd4);
  wire [4*BLOCKS+3:0]  above_itype   = {4'd0, h_itype} >> ({2'd0, block_q, 2'd0} + 6'd4);
  wire                 ends_entry = is_newest || (above_iretire == {(4*BLOCKS+4){1'b0}} &&
                                    !(above_itype[3:0] == 4'd1 || above_itype[3:0] == 4'd2));

  // Its access, and whether its opcode has that.
  wire [4:0]          opcode = access_of(word[31:27], word[15:10], word[6:0]);
  wire                loads  = opcode[4];
  wire                stores = opcode[3];
  reg  [ACCESSES-1:0] of_block, own;  // accesses of the block under way, and of this instruction
  reg  [3:0]          dtype;
  reg  [2:0]          dsize;
  reg  [XLEN-1:0]     daddr;
  integer n;
  always @* begin
    {dtype, dsize, daddr} = {(7+XLEN){1'b0}};
    for (n = 0; n < ACCESSES; n = n + 1) begin
      of_block[n] = h_dretire[n] && !is_csr(h_dtype[4*n+:4]) && h_dblock[2*n+:2] == block_q;
      own[n]      = of_block[n] && h_lsbs[4*n+:4] == addr[4:1];
      dtype       = dtype | (h_dtype[4*n+:4] & {4{own[n]}});
      dsize       = dsize | (h_dsize[3*n+:3] & {3{own[n]}});
      daddr       = daddr | (h_daddr[XLEN*n+:XLEN] & {XLEN{own[n]}});
    end
  end
  wire [ACCESSES:0] own_wide = {1'b0, own};
  wire       has_own    = own != {ACCESSES{1'b0}};
  wire       has_two    = (own_wide & (own_wide - 1'b1)) != {(ACCESSES+1){1'b0}};
  wire       can_make   = dsize == opcode[2:0] && (dtype == 4'd0 ? loads : dtype == 4'd1 ? stores :
                          dtype == 4'd15 ? stores && !loads : loads && stores);
  wire       is_wrong   = has_two || (has_own && !can_make);
  wire       makes      = has_own && is_memory(dtype);
  wire       first_end  = !makes && (loads || stores);
  wire       has_second = makes && loads && stores;
  wire       second_end = has_second && !dtype[3];

  // What leaves in this cycle, in this order.
  wire says_lost  = has_head && h_lost && !lost_told_q;
  wire at_begin   = has_head && block_q == 2'd0 && at_q == 4'd0 && !second_q && !unmet_q;
  wire says_halt  = trap_q && (has_head ? at_begin && !says_lost && h_halt : halt_q);
  wire says_bad   = has_head && !says_lost && !says_halt && h_breaks;
  wire says_unmet = has_head && unmet_q;
  wire open       = has_head && !says_lost && !says_halt && !h_breaks && !unmet_q;
  wire begins     = open && block_q == 2'd0 && at_q == 4'd0 && !second_q;
  wire is_empty   = h_iretire[3:0] == 4'd0;
  wire says_trap  = begins && trap_q && !(is_empty && !is_trap(h_itype[3:0]));
  wire says_priv  = begins && !trap_q && has_priv_q && h_priv != priv_q && !is_empty;
  wire tells_trap = says_trap || says_halt;
  wire says_second = open && second_q;
  wire unrolls    = open && !says_trap && !says_priv && !second_q;
  wire gives_insn = unrolls && has_insn && fits && !is_wrong;
  wire misfits    = unrolls && has_insn && (!fits || is_wrong);
  wire done_insn  = (gives_insn && !has_second) || says_second;
  wire done_block = (done_insn && is_last) || misfits || (unrolls && !has_insn);
  wire takes_trap = done_block && is_trap(itype);
  wire [ACCESSES-1:0] met = met_q | (misfits ? of_block : gives_insn ? own : {ACCESSES{1'b0}});
  reg  [ACCESSES-1:0] owed;  // accesses that an instruction of the cycle has to make
  always @* for (n = 0; n < ACCESSES; n = n + 1) owed[n] = h_dretire[n] && !is_csr(h_dtype[4*n+:4]);
  wire is_unmet   = done_block && ends_entry && (owed & ~met) != {ACCESSES{1'b0}};
  assign pop      = says_bad || says_unmet || (done_block && ends_entry && !is_unmet);

  assign core_error_o      = says_lost || says_bad || says_unmet || misfits;
  assign insn_valid_o      = gives_insn;
  assign insn_addr_o       = addr;
  assign insn_size_bytes_o = is_long ? 4'd4 : 4'd2;
  assign insn_class_o      = is_last ? class_of(itype) : CLASS_OTHER;
  assign insn_word_o       = word;
  assign task_o            = has_head ? h_task : last_task_q;
  assign priv_o            = h_priv;
  assign trigger_o         = {pop && h_trigger[1], has_head && !started_q && !trap_valid_o && h_trigger[0]};
  assign da_valid_o        = (gives_insn && (loads || stores)) || says_second;
  assign da_end_o          = says_second ? second_end : first_end;
  assign da_addr_o         = daddr;
  assign trap_valid_o      = tells_trap || says_priv;
  assign trap_kind_o       = tells_trap ? trap_kind_q : TRAP_PRIVILEGE;
  assign trap_privilege_o  = says_halt ? priv_q : h_priv;
  assign trap_cause_o      = tells_trap ? trap_cause_q : {CAUSE_BITS{1'b0}};
  assign trap_addr_o       = tells_trap ? trap_addr_q : {XLEN{1'b0}};
  assign trap_tval_o       = tells_trap ? trap_tval_q : {XLEN{1'b0}};

  // The exception of ecall, ebreak and c.ebreak is at themselves, though they count as retired. An interrupt
  // without instructions has no address.
  wire is_environment = {word[31:21], word[19:0]} == {11'd0, 20'h00073} || word == 32'h00009002;
  wire is_own         = itype == 4'd1 && is_environment && done_insn;
  // Whether the last instruction of its block goes on behind itself: itype says it, but for traps, and for
  // jumps that an itype of 3 bits has no code for.
  wire            falls     = itype == 4'd4 || (itype <= 4'd2 && rv_class(word) == CLASS_OTHER);
  wire [XLEN-1:0] known     = at_begin && h_halt ? {XLEN{1'b0}} : next_q;
  wire [XLEN-1:0] trap_addr = is_own ? addr : !has_insn ? (itype == 4'd1 ? iaddr : known) :
                              falls && !misfits ? iaddr + {{(XLEN-5){1'b0}}, iretire, 1'b0} : {XLEN{1'b0}};
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q     <= {LOG2_DEPTH{1'b0}};
      read_q      <= {LOG2_DEPTH{1'b0}};
      count_q     <= {(LOG2_DEPTH+1){1'b0}};
      lost_q      <= 1'b0;
      halt_q      <= 1'b0;
      lost_trigger_q <= 2'd0;
      started_q   <= 1'b0;
      block_q     <= 2'd0;
      at_q        <= 4'd0;
      second_q    <= 1'b0;
      lost_told_q <= 1'b0;
      met_q       <= {ACCESSES{1'b0}};
      unmet_q     <= 1'b0;
      trap_q      <= 1'b0;
      priv_q      <= 3'd0;
      has_priv_q  <= 1'b0;
      task_q      <= {CONTEXT_BITS{1'b0}};
      next_q      <= {XLEN{1'b0}};
    end else begin
      if (push) write_q <= write_q + 1'b1;
      if (pop) read_q <= read_q + 1'b1;
      count_q     <= count_q + {{LOG2_DEPTH{1'b0}}, push} - {{LOG2_DEPTH{1'b0}}, pop};
      lost_q      <= !push && (lost_q || brings);
      halt_q      <= halted_i || reset_i || (halt_q && !push);
      lost_told_q <= !pop && (lost_told_q || says_lost);
      if (brings) lost_trigger_q <= push ? 2'd0 : trigger;
      started_q   <= has_head && !pop && (started_q || !trap_valid_o);
      task_q      <= task_now;
      met_q       <= pop ? {ACCESSES{1'b0}} : met;
      unmet_q     <= is_unmet;
      second_q    <= gives_insn && has_second;
      if (done_block) block_q <= ends_entry ? 2'd0 : block_q + 2'd1;
      if (done_block || done_insn) at_q <= done_block ? 4'd0 : behind[3:0];
      trap_q <= takes_trap || (trap_q && !tells_trap && !says_lost && !says_bad);
      if (core_error_o || takes_trap || (done_insn && is_last && !falls)) begin
        next_q <= {XLEN{1'b0}};
      end else if (done_insn) begin
        next_q <= addr + {{(XLEN-3){1'b0}}, is_long, !is_long, 1'b0};
      end else if (at_begin && h_halt) begin
        next_q <= {XLEN{1'b0}};
      end
      if (says_trap || (begins && !is_empty)) begin
        priv_q     <= h_priv;
        has_priv_q <= 1'b1;
      end else begin
        if (takes_trap && !has_priv_q) priv_q <= h_priv;
        if (says_halt) has_priv_q <= 1'b1;
      end
    end
  end
  always @(posedge clk_i) begin
    if (pop) last_task_q <= h_task;
    if (takes_trap) begin
      trap_kind_q  <= itype == 4'd1 ? TRAP_EXCEPTION : TRAP_INTERRUPT;
      trap_cause_q <= h_cause;
      trap_addr_q  <= trap_addr;
      trap_tval_q  <= itype == 4'd1 ? h_tval : {XLEN{1'b0}};
    end
  end
  wire unused = &{1'b0, shifted, above_iretire, above_itype, block_q};

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  always @* if (rst_ni) begin
    // An event is an instruction, or a trap, or an error, and an access comes with the first or alone.
    assert (insn_valid_o + trap_valid_o + core_error_o <= 2'd1);
    if (da_valid_o) assert (!trap_valid_o && !core_error_o);
    // The core interface's rules: an address is even, a size is 2 or 4.
    if (insn_valid_o) assert (insn_size_bytes_o == 4'd2 || insn_size_bytes_o == 4'd4);
    assert (count_q <= DEPTH);
  end
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    // An access without an instruction is the second of the one before.
    if (da_valid_o && !insn_valid_o) assert ($past(insn_valid_o && da_valid_o && !da_end_o));
    cover (trap_valid_o && trap_kind_o == TRAP_EXCEPTION);
    cover (says_priv && $past(says_halt));
    cover (insn_valid_o && $past(insn_valid_o) && insn_addr_o == $past(insn_addr_o) + 4);
    cover (da_valid_o && !insn_valid_o);
    cover (core_error_o && $past(lost_q, 2));
    // An access leaves with its instruction, or as an error.
    if ($past(pop && !h_breaks && !says_lost)) assert ($past((owed & ~met) == {ACCESSES{1'b0}} || says_unmet));
    cover (says_unmet && !$past(core_error_o));
    // A trap that a cycle brings is told, or lost with a gap, before anything else but a gap, and at once where the hart is halted.
    if ($past(takes_trap)) assert (trap_q);
    if (trap_q) assert (!insn_valid_o && !says_priv);
    if (trap_q && halt_q && !has_head) assert (tells_trap);
    if ($past(trap_q) && !trap_q) assert ($past(tells_trap || core_error_o));
    if (tells_trap) assert ({trap_cause_o, trap_addr_o, trap_tval_o} == {trap_cause_q, trap_addr_q, trap_tval_q});
    // Behind a halt no address is known.
    if (takes_trap && $past(halt_q && !has_head) && iretire == 4'd0 && itype == 4'd2) assert (trap_addr == {XLEN{1'b0}});
    if ($past(says_halt)) assert (!trap_q && has_priv_q && priv_q == $past(trap_privilege_o));
    cover (says_halt && !has_head);
    cover (says_halt && h_breaks);
  end
`endif

endmodule

`default_nettype wire
