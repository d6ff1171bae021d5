// SPDX-License-Identifier: Apache-2.0
// oct_shadow_flow - where instructions go: return stack, indirect targets by path and by address,
// ends that were learnt, history of outcomes. docs/shadow-format.md, section 8;
// model/shadow/oct_shadow_flow.h, oct_shadow_step.h.
//
// One beat a cycle. Latency: 1 cycle: outputs are of the beat that came a cycle before, whose tables
// were read meanwhile; the state behind it moves at the end of that cycle. The successor is known, so
// nothing waits for a decision. Nothing moves while moves_i is low. clear_i forgets
// all, the beat that comes with it included, for those behind it.
//
// ADDR_BITS       bits of an address
// PC_ALIGN_BITS   instruction addresses are multiples of 2^this
// PATH_ENTRIES    targets by path, a power of two from 2 on
// TARGET_ENTRIES  targets by address, a power of two from 2 on
// RETURN_ENTRIES  return addresses, a power of two from 2 on
// HISTORY_ALL     1: the history also has outcomes that the shadow knew
// SHORT_BITS      outcomes that a branch probability takes; the history has as many as the longer one
// LONG_BITS
`default_nettype none

module oct_shadow_flow #(
  parameter  integer ADDR_BITS      = 32,
  parameter  integer PC_ALIGN_BITS  = 2,
  parameter  integer PATH_ENTRIES   = 64,
  parameter  integer TARGET_ENTRIES = 32,
  parameter  integer RETURN_ENTRIES = 8,
  parameter  integer HISTORY_ALL    = 1,
  parameter  integer SHORT_BITS     = 8,
  parameter  integer LONG_BITS      = 16
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 moves_i,
  input  wire                 clear_i,
  input  wire                 valid_i,           // the last beat of an instruction
  input  wire [ADDR_BITS-1:0] pc_i,              // of a start: the address that its own is told against
  input  wire [2:0]           size_bytes_i,      // of the instruction
  input  wire [ADDR_BITS-1:0] next_i,            // where it went
  input  wire                 falls_i,           // that is the next address
  input  wire                 cond_i,            // a condition is coded (of any beat)
  input  wire                 cond_decided_i,
  input  wire                 cond_holds_i,
  input  wire                 leaves_i,          // it goes on elsewhere (with a task or without)
  input  wire                 is_jump_i,         // an escape says so, whatever the class
  input  wire                 is_class_unknown_i,
  input  wire                 is_indirect_i,
  input  wire                 is_return_i,
  input  wire                 target_known_i,
  input  wire [ADDR_BITS-1:0] target_i,
  input  wire                 pushes_i,
  input  wire                 is_moved_i,        // a start of a period, instead, and its address is told
  input  wire                 is_task_i,         // an escape tells the task, and no jump
  output wire                 direction_o,       // a direction is coded
  output wire                 outcome_o,
  output wire [63:0]          history_o,         // before it
  output wire                 is_jump_o,
  output wire                 is_told_o,         // by an address, against pc or, of a jump or a start, the next
  output wire [2:0]           guess_o,           // guesses that are coded,
  output wire [2:0]           guess_miss_o,      // whether they are wrong,
  output wire [11:0]          guess_context_o,   // and their contexts in ITEM_BITS
  output wire [ADDR_BITS-1:0] pc_o,
  output wire [ADDR_BITS:0]   distance_o         // a cycle later: v of the address
);

  localparam integer A = ADDR_BITS;
  localparam integer PB = $clog2(PATH_ENTRIES);
  localparam integer TB = $clog2(TARGET_ENTRIES);
  localparam integer RB = $clog2(RETURN_ENTRIES);
  localparam [RB-1:0] ONE = 1;

  // ---- Cycle 0: the places ----

  reg          valid_q, cond_q, decided_q, holds_q, elsewhere_q, jump_q, unknown_q, indirect_q, return_q;
  reg          falls_q, known_q, push_q, clear_q, is_moved_q, is_task_q;
  reg [A-1:0]  pc_q, next_q, target_q;
  reg [2:0]    size_bytes_q;
  reg [PB-1:0] path_at_q;
  reg [TB-1:0] target_at_q;
  wire [15:0]  path;     // behind the beat of cycle 1
  wire [63:0]  w = {{(64 - A){1'b0}}, pc_i} >> PC_ALIGN_BITS;
  wire [63:0]  path_folded = w ^ w >> 6 ^ {48'd0, path};
  wire [63:0]  target_folded = w ^ w >> TB;
  wire [63:0]  w_1 = {{(64 - A){1'b0}}, pc_q} >> PC_ALIGN_BITS >> TB;
  wire [63:0]  tag_folded = w_1 ^ w_1 >> 8;
  wire [7:0]   tag = tag_folded[7:0];

  // ---- Cycle 1: guesses ----

  wire         is_path_old, is_target_old;
  wire [A-1:0] stored_path;
  wire [A-1:0] stored_target;
  wire [8:0]   read_end;    // whether the target is one, and its tag
  // The beat before wrote this entry while it was read: with its successor and an end, which are still here.
  reg          is_path_fresh_q, is_target_fresh_q;
  reg  [A-1:0] to_q;
  reg  [8:0]   end_q;
  wire [8:0]   stored_end = is_target_fresh_q ? end_q : read_end;
  wire [A-1:0] by_path = !is_path_old ? {A{1'b0}} : is_path_fresh_q ? to_q : stored_path;
  wire [A-1:0] by_pc = !is_target_old ? {A{1'b0}} : is_target_fresh_q ? to_q : stored_target;
  wire         is_end = is_target_old && stored_end[8];
  wire         has_end = unknown_q && is_end && stored_end[7:0] == tag;
  wire         is_falling = falls_q;
  wire [A-1:0] fall = pc_q + {{(A - 3){1'b0}}, size_bytes_q};

  reg  [RETURN_ENTRIES-1:0] has_return_q;
  reg  [RB-1:0]             top_q;
  wire [A-1:0]              stored_top;
  wire [A-1:0]              top = has_return_q[top_q] ? stored_top : {A{1'b0}};

  wire         is_end_direction = valid_q && has_end && !elsewhere_q;
  wire         is_leaving = is_end_direction && !is_falling;
  wire         is_unknown_jump = valid_q && unknown_q && !has_end && !elsewhere_q && !is_falling;
  wire         is_jump = jump_q || is_unknown_jump;
  // An escape gives a class that is unknown an end.
  wire         learns_end = is_unknown_jump || (valid_q && unknown_q && jump_q);

  wire [A-1:0] second = return_q ? top : by_path;
  wire         known_hit = known_q && target_q == next_q;
  wire         pc_hit = by_pc == next_q, top_hit = top == next_q, path_hit = by_path == next_q;
  wire         second_hit = return_q ? top_hit : path_hit;
  wire         is_top_other = top != by_pc, is_path_other = by_path != by_pc;
  // An indirect target: what the shadow knows, path or stack, address.
  wire         asks_second = !known_hit && !(known_q && second == target_q);
  wire         asks_pc = !known_hit && !second_hit && (return_q ? is_top_other : is_path_other) && !(known_q && by_pc == target_q);
  // A learnt end: address, stack, path.
  wire         asks_top = !pc_hit && is_top_other;
  wire         asks_path = !pc_hit && !top_hit && is_path_other && by_path != top;
  wire         is_found = is_leaving ? pc_hit || top_hit || path_hit : known_hit || second_hit || pc_hit;
  wire         pops = (indirect_q && return_q) || (is_leaving && !pc_hit && top_hit);
  wire         stores = (indirect_q && !known_hit) || is_leaving || learns_end;
  wire         stores_path = (indirect_q && !known_hit && !return_q) || is_leaving;
  wire         passes = indirect_q || is_leaving;

  assign guess_o = is_leaving ? {asks_path, asks_top, 1'b1} :
                   indirect_q ? {asks_pc, asks_second, known_q} : 3'd0;
  assign guess_miss_o = is_leaving ? ~{path_hit, top_hit, pc_hit} : ~{pc_hit, second_hit, known_hit};
  assign guess_context_o = is_leaving ? {4'd12, 4'd11, 4'd10} :
                           {4'd7, {1'b0, known_q, return_q ? 2'd1 : 2'd2}, 4'd0};
  assign is_told_o = ((indirect_q || is_leaving) && !is_found) || is_jump || is_moved_q;
  assign is_jump_o = is_jump && !is_task_q;

  // ---- Cycle 2: how far it went, with the sign in the lowest bit ----

  reg  [A-1:0] base_q;
  wire [A:0]   to_up = {1'b0, to_q} >> PC_ALIGN_BITS, from_up = {1'b0, base_q} >> PC_ALIGN_BITS;
  wire [A:0]   moved = to_up - from_up;

  assign pc_o       = pc_q;
  assign distance_o = A == 64 ? {1'b0, {moved[A-2:0], 1'b0} ^ {A{moved[A-1]}}} :
                                {moved[A-1:0], 1'b0} ^ {(A + 1){moved[A]}};

  // ---- History and path ----

  localparam integer MOST_BITS = SHORT_BITS > LONG_BITS ? SHORT_BITS : LONG_BITS;
  localparam integer HISTORY_BITS = MOST_BITS > 0 ? MOST_BITS : 1;
  reg  [HISTORY_BITS-1:0] history_q;
  wire [HISTORY_BITS:0]   history_more = {history_q, outcome_o};
  reg  [15:0] path_q;
  wire        is_direction = (cond_q && !decided_q) || is_end_direction;
  wire [63:0] next_64 = {{(64 - A){1'b0}}, next_q} >> PC_ALIGN_BITS;
  wire        takes_outcome = is_direction || (cond_q && HISTORY_ALL != 0);

  assign direction_o = is_direction;
  assign outcome_o   = is_end_direction ? !is_falling : holds_q;
  assign history_o   = {{(64 - HISTORY_BITS){1'b0}}, history_q};
  assign path        = clear_q ? 16'd0 :
                       passes ? {path_q[13:0], 2'd0} ^ {11'd0, path_q[15:11]} ^ next_64[15:0] : path_q;

  oct_ram #(
    .WIDTH(A),
    .DEPTH(PATH_ENTRIES)
  ) u_path (
    .clk_i  (clk_i),
    .we_i   (moves_i && stores_path),
    .waddr_i(path_at_q),
    .wdata_i(next_q),
    .re_i   (moves_i && valid_i),
    .raddr_i(path_folded[PB-1:0]),
    .rdata_o(stored_path)
  );

  oct_valid_rows #(
    .ENTRIES(PATH_ENTRIES)
  ) u_path_valid (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(moves_i && clear_q),
    .enter_i(moves_i && stores_path),
    .read_i (moves_i && valid_i),
    .entry_i(path_folded[PB-1:0]),
    .valid_o(is_path_old)
  );

  // A target, and above it whether it is an end, with its tag. An entry keeps its end when another instruction stores a
  // target there.
  wire [8:0] end_d = {learns_end || is_end, learns_end ? tag : stored_end[7:0]};

  oct_ram #(
    .WIDTH(A + 9),
    .DEPTH(TARGET_ENTRIES)
  ) u_target (
    .clk_i  (clk_i),
    .we_i   (moves_i && stores),
    .waddr_i(target_at_q),
    .wdata_i({end_d, next_q}),
    .re_i   (moves_i && valid_i),
    .raddr_i(target_folded[TB-1:0]),
    .rdata_o({read_end, stored_target})
  );

  oct_valid_rows #(
    .ENTRIES(TARGET_ENTRIES)
  ) u_target_valid (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(moves_i && clear_q),
    .enter_i(moves_i && stores),
    .read_i (moves_i && valid_i),
    .entry_i(target_folded[TB-1:0]),
    .valid_o(is_target_old)
  );

  // A call behind a pop (no instruction does both) or a pop alone. The new top is read at once.
  wire [RB-1:0] top_d = push_q ? top_q + ONE : pops ? top_q - ONE : top_q;

  // A few are in flip-flops, more in a memory of 1 kbit at least: compilers make no smaller one.
  localparam integer PLACES = RETURN_ENTRIES < 32 && RETURN_ENTRIES > 4 ? 32 : RETURN_ENTRIES;
  localparam integer PLACE_BITS = $clog2(PLACES);
  wire [PLACE_BITS:0] top_place = {{(PLACE_BITS + 1 - RB){1'b0}}, top_d};

  oct_ram #(
    .WIDTH (A),
    .DEPTH (PLACES),
    .BYPASS(1)
  ) u_returns (
    .clk_i  (clk_i),
    .we_i   (moves_i && push_q),
    .waddr_i(top_place[PLACE_BITS-1:0]),
    .wdata_i(fall),
    .re_i   (moves_i),
    .raddr_i(top_place[PLACE_BITS-1:0]),
    .rdata_o(stored_top)
  );

  // ---- Registers ----

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q    <= 1'b0;
      cond_q     <= 1'b0;
      jump_q     <= 1'b0;
      unknown_q  <= 1'b0;
      indirect_q <= 1'b0;
      push_q     <= 1'b0;
      is_moved_q <= 1'b0;
      clear_q    <= 1'b0;
    end else if (moves_i) begin
      valid_q    <= valid_i;
      cond_q     <= cond_i;
      jump_q     <= is_jump_i;
      unknown_q  <= is_class_unknown_i;
      indirect_q <= is_indirect_i;
      push_q     <= pushes_i;
      is_moved_q <= is_moved_i;
      clear_q    <= clear_i;
    end
  end

  always @(posedge clk_i) begin
    if (moves_i) begin
      decided_q   <= cond_decided_i;
      falls_q     <= falls_i;
      holds_q     <= cond_holds_i;
      elsewhere_q <= leaves_i;
      return_q    <= is_return_i;
      known_q     <= target_known_i;
      is_task_q   <= is_task_i;
      path_q      <= path;
      // A clear comes first of all: these need no reset.
      if (clear_q) begin
        history_q    <= {HISTORY_BITS{1'b0}};
        top_q        <= {RB{1'b0}};
        has_return_q <= {RETURN_ENTRIES{1'b0}};
      end else begin
        if (takes_outcome) history_q <= history_more[HISTORY_BITS-1:0];
        top_q <= top_d;
        if (push_q) has_return_q[top_d] <= 1'b1;
      end
      base_q      <= is_jump ? fall : pc_q;
      to_q        <= next_q;
      end_q       <= end_d;
      pc_q        <= pc_i;
      size_bytes_q <= size_bytes_i;
      next_q      <= next_i;
      target_q    <= target_i;
      is_path_fresh_q   <= stores_path && path_at_q == path_folded[PB-1:0];
      is_target_fresh_q <= stores && target_at_q == target_folded[TB-1:0];
      path_at_q   <= path_folded[PB-1:0];
      target_at_q <= target_folded[TB-1:0];
    end
  end

  wire unused = &{1'b0, path_folded, target_folded, tag_folded, next_64, history_more, top_place};

`ifdef FORMAL
  reg          f_past_q = 1'b0;
  reg          f_moves_q, f_clear_q, f_push_q, f_pop_q;
  reg [RB-1:0] f_top_q;
  // The stream says so: a return, or a learnt end at which the stack's guess is coded and right.
  wire         f_pop = is_leaving ? guess_o[1] && !guess_miss_o[1] : indirect_q && return_q;

  always @* begin
    if (!f_past_q) assume (!rst_ni);
    // A return is indirect, and no instruction calls that returns, or is of unknown class.
    if (push_q) assume (!f_pop);
    if (indirect_q) assume (!unknown_q);
  end

  always @(posedge clk_i) begin
    f_past_q  <= 1'b1;
    f_moves_q <= moves_i && rst_ni;
    f_clear_q <= clear_q;
    f_push_q  <= push_q;
    f_pop_q   <= f_pop;
    f_top_q   <= top_q;
  end

  always @* if (rst_ni && f_past_q && f_moves_q)
    assert (top_q == (f_clear_q ? {RB{1'b0}} : f_push_q ? f_top_q + ONE : f_pop_q ? f_top_q - ONE : f_top_q));
  // What is coded of a learnt end is right at most once, and last; else the address is told.
  always @* if (rst_ni && is_leaving) begin
    assert (guess_o[0]);
    if (!jump_q && !is_moved_q) assert (is_told_o == ((guess_o & ~guess_miss_o) == 3'd0));
    assert (!guess_o[1] || guess_miss_o[0]);
    assert (!guess_o[2] || (guess_miss_o[0] && (!guess_o[1] || guess_miss_o[1])));
  end

  always @(posedge clk_i) if (rst_ni && f_past_q) begin
    cover (moves_i && is_leaving && f_pop && path_hit);
    cover (moves_i && is_leaving && f_pop && !path_hit);
    cover (moves_i && is_leaving && guess_o[2] && !guess_miss_o[2]);
  end
`endif

endmodule

`default_nettype wire
