// SPDX-License-Identifier: Apache-2.0
// oct_shadow_emit - from what the stages found about a beat to items of the queue: which decisions
// are silent, how many came since the last symbol, what escapes say. docs/shadow-rtl.md, items;
// docs/shadow-format.md, sections 3 and 5; oct_code_wide, oct_coder_silent, go_to of model/shadow/.
//
// Latency: 1 cycle. One beat a cycle, two items a cycle. While the items of a beat are sent, another beat
// with items waits behind it, and any number without: so beats go on, as long as few have more than two
// items. Items stay until out_ready_i takes those that are there. Contexts (next_*)
// come a beat ahead, as their streaks are read then. What only items have comes when it is found.
//
// ADDR_BITS  bits of an address
// TASK_BITS  bits of a task
// N_BITS     of a number of accesses
`default_nettype none

module oct_shadow_emit #(
  parameter integer ADDR_BITS = 32,
  parameter integer TASK_BITS = 16,
  parameter integer N_BITS    = 6
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  output wire                       ready_o,
  input  wire                       clear_i,         // a sync: no streak any more
  input  wire                       valid_i,         // else nothing of a beat means anything
  input  wire                       is_mark_i,
  input  wire [1:0]                 mark_i,
  input  wire                       is_start_i,      // of a period
  input  wire                       syncs_i,         // behind the end: the mark of a sync, and a start
  input  wire [ADDR_BITS:0]         start_i,         // v of its address; it stays until its item is out
  input  wire                       is_last_i,       // beat of an instruction
  // its accesses
  input  wire                       is_partial_i,
  input  wire                       cond_i,
  input  wire                       cond_is_data_i,  // it says whether there are accesses
  input  wire                       cond_decided_i,
  input  wire                       cond_miss_i,
  input  wire                       direction_i,     // of the condition, or of a learnt end
  input  wire                       outcome_i,
  input  wire [11:0]                p_i,
  input  wire                       access_i,
  input  wire                       first_i,
  input  wire                       first_miss_i,
  input  wire                       hit_i,           // of oct_shadow_stride, for an access that has no claim or a wrong one
  input  wire                       agree_i,
  input  wire                       other_hit_i,
  // where it goes
  input  wire [2:0]                 guess_i,
  input  wire [2:0]                 guess_miss_i,
  input  wire                       is_jump_i,
  input  wire                       is_task_i,
  input  wire                       is_end_i,
  input  wire                       traps_i,         // come first
  input  wire                       stamp_i,         // of the instruction whose last beat this is
  input  wire                       is_told_i,       // an address follows
  // contexts of the beat behind: of its condition, claim, stride and guesses
  input  wire                       next_valid_i,
  input  wire                       next_flags_i,
  input  wire [3:0]                 next_first_i,
  input  wire [4:0]                 next_stride_i,
  input  wire [11:0]                next_guess_i,
  // for items alone: oct_shadow_late
  input  wire [TASK_BITS-1:0]       task_i,
  input  wire [N_BITS+6:0]          execute_i,       // context of the claim, size, number of accesses
  input  wire [11:0]                guess_contexts_i,
  input  wire [ADDR_BITS:0]         address_i,       // v of it
  input  wire [ADDR_BITS+12:0]      stride_i,        // contexts of both guesses, near, references, difference
  output wire [1:0]                 out_valid_o,
  input  wire                       out_ready_i,
  output wire [1:0]                 out_two_o,       // it has a second word
  output wire [2*(ADDR_BITS+4)-1:0] out_first_o,     // the second word is the higher one
  output wire [2*(ADDR_BITS+4)-1:0] out_second_o
);

  localparam integer W = ADDR_BITS + 4;

`include "oct_shadow_items.vh"

  localparam integer A = ADDR_BITS;
  localparam [W-1:0] ONE = 1;
  localparam [1:0]   SYNC = 2'd0;

  // ---- State ----

  reg [W-1:0]  run_q, silent_q;
  reg          cond_flags_q;  // context of the beat that is here
  reg  [3:0]   at_q, second_at_q;  // places of the beats here, and of the one that waits
  wire [3:0]   next_first = next_first_i & {4{next_valid_i}};

  // ---- Decisions, one after the other: is there a symbol, how many silent ones before ----

  wire [3:0]   decided = {3'b100, cond_flags_q};
  wire         cond_silent, first_silent, stride_silent;
  wire         is_decided = cond_i && cond_decided_i;
  wire         cond_wrong = is_decided && cond_silent && cond_miss_i;
  wire         cond_says = direction_i || (is_decided && (!cond_silent || cond_miss_i));

  wire         claims = access_i && first_i;
  wire         is_unknown = access_i && (!first_i || first_miss_i);
  wire         first_says = claims && (!first_silent || first_miss_i);
  wire         first_wrong = claims && first_silent && first_miss_i;
  wire         stride_says = is_unknown && (!stride_silent || !hit_i);
  wire         stride_wrong = is_unknown && stride_silent && !hit_i;
  wire         is_coded = is_unknown && !hit_i && !(!agree_i && other_hit_i);
  wire         access_says = first_says || stride_says;
  wire [2:0]   guess_silent;
  reg  [2:0]   guess_says, guess_wrong;
  always @* begin : p_guess
    integer i;
    for (i = 0; i < 3; i = i + 1) begin
      guess_says[i]   = guess_i[i] && (!guess_silent[i] || guess_miss_i[i]);
      guess_wrong[i]  = guess_i[i] && guess_silent[i] && guess_miss_i[i];
    end
  end

  wire         unused = &{1'b0, guess_wrong[2]};
  wire         guesses_say = guess_says != 3'd0;
  // The first is silent and wrong: of it alone a number may be told.
  wire         escapes = is_jump_i || is_task_i || is_end_i || traps_i;

  // A stamp comes behind the accesses, and before a condition of the successor.
  wire         stamp_first = stamp_i && (cond_i || direction_i) && !cond_is_data_i;
  wire         stamp_then = stamp_i && !stamp_first;
  wire         data_says = is_partial_i || (cond_says && cond_is_data_i) || access_says || stamp_i;
  wire         goes_says = (cond_says && !cond_is_data_i) || guesses_say || is_told_i || escapes;
  // Silent decisions since the last symbol, behind the condition, the access, the guesses: none or those
  // of the beats before, and up to three more.
  wire         none_1 = is_partial_i || cond_says || stamp_first;
  wire [1:0]   more_1 = {1'b0, is_decided && !cond_says};
  // Behind a symbol a guess of the stride may be silent,
  wire         none_2 = first_says || stride_says || none_1 || stamp_then;
  wire [1:0]   more_2 = stride_says || stamp_then || (first_says && !is_unknown) ? 2'd0 : first_says ? 2'd1 :
                        more_1 + {1'b0, claims || is_unknown};
  // and the last guess that comes, behind others that are not.
  wire         comes = guess_i != 3'd0;
  wire         last_guess_says = guess_i[2] ? guess_says[2] : guess_i[1] ? guess_says[1] : guess_says[0];
  wire         is_said = escapes || is_told_i || (comes && last_guess_says);
  wire         none_3 = is_said || guesses_say || none_2;
  wire [1:0]   more_3 = is_said ? 2'd0 : guesses_say ? 2'd1 : more_2 + {1'b0, comes};
  wire         is_some_0 = silent_q != {W{1'b0}};
  wire         is_some_1 = more_1 != 2'd0 || (is_some_0 && !none_1);
  wire         is_some_2 = more_2 != 2'd0 || (is_some_0 && !none_2);
  wire         number_target = is_some_2 && (guess_wrong[0] || (!guess_i[0] && guess_wrong[1]));

  // All sums share one carry chain, above the two lowest bits.
  wire [W-3:0] high_plus = silent_q[W-1:2] + ONE[W-3:0];
  function [W-1:0] silent_and(input none, input [1:0] more, input [W-1:0] silent, input [W-3:0] plus);
    reg [2:0] low;
    begin
      low        = {1'b0, silent[1:0]} + {1'b0, more};
      silent_and = none ? {{(W - 2){1'b0}}, more} : {low[2] ? plus : silent[W-1:2], low[1:0]};
    end
  endfunction

  wire [W-1:0] run_1 = data_says ? {W{1'b0}} : run_q;
  reg          run_full_q;
  wire [W-1:0] run_plus;
  wire         run_plus_full;
  wire [W-1:0] run_1_plus = data_says ? ONE : run_plus;

  oct_shadow_plus_one #(.WIDTH(W)) u_run_plus (
    .value_i(run_q), .is_full_i(run_full_q), .sum_o(run_plus), .is_full_o(run_plus_full)
  );

  // ---- Items, in order ----

  localparam integer N = 12;
  // 0 partial, 1 stamp, 2 number, 3 condition, 4 access, 5 stamp, 6 number, 7 guesses, 8 escape or mark, 9 task,
  // 10 address; 11 mark of a sync behind them, 12 address of its start
  wire         number_1 = cond_wrong ? is_some_0 && !is_partial_i && !stamp_first : is_some_1 && (first_wrong || (stride_wrong && !claims));
  // Before the access if it is of that.
  wire [N:0]   items = {(N + 1){valid_i}} &
                       {{2{syncs_i}}, is_told_i, is_task_i, escapes || is_mark_i, guesses_say, number_target,
                        stamp_then, access_says, cond_says, number_1, stamp_first, is_partial_i};
  // Behind a number of its own a symbol comes, or an access: the second number counts no more than 3 then.
  wire         has_number = is_partial_i || number_1;
  wire         none_n = number_1 ? none_1 && !cond_wrong : none_2;
  wire [1:0]   more_n = !number_1 ? more_2 : cond_wrong ? 2'd0 : more_1;
  wire [W-1:0] number_d = is_partial_i ? run_plus : number_1 || !escapes ? silent_and(none_n, more_n, silent_q, high_plus) :
                          is_start_i ? {W{1'b0}} : run_1_plus;
  wire [1:0]   few_d = escapes ? 2'd1 : more_2;

  localparam integer FIELDS_BITS = 39 + W;
  reg  [N:0]   items_q, second_items_q;
  reg  [FIELDS_BITS-1:0] fields_q, second_q;
  wire [W-1:0] number;
  wire [1:0]   few;
  wire         is_few;
  wire [W-1:0] number_t = is_few ? {{(W - 2){1'b0}}, few} : number;
  wire         direction, mark, traps;
  wire [12:0]  decision;  // or the outcome of a direction, and its probability
  wire [7:0]   access;
  wire         coded;
  wire [8:0]   guesses;
  wire [1:0]   what;

  assign {number, few, is_few, direction, decision, access, coded, guesses, mark, traps, what} = fields_q;

  wire [7:0]   access_d = {!other_hit_i, is_unknown && !agree_i, !hit_i,
                           !stride_says ? MODE_NONE : stride_silent ? MODE_WRONG : MODE_SYMBOL,
                           first_miss_i, !first_says ? MODE_NONE : first_silent ? MODE_WRONG : MODE_SYMBOL};
  // ---- Two of them ----

  wire [N:0] second_left = items_q & (items_q - {{N{1'b0}}, 1'b1});
  wire [N:0] third_left = second_left & (second_left - {{N{1'b0}}, 1'b1});
  wire [N:0] pick_0 = items_q & ~second_left, pick_1 = second_left & ~third_left;
  wire       has_more;

  oct_shadow_three #(.WIDTH(N + 1)) u_more (.bits_i(items_q), .are_o(has_more));

  // The first beat is sent, the second waits; none is there without items.
  wire       leaves = items_q == {(N + 1){1'b0}} || (out_ready_i && !has_more);
  wire       waits = second_items_q != {(N + 1){1'b0}};
  wire       moves = leaves || !waits;

  // What only items have, of the first beat.
  wire [3:0]   first_context;
  wire [N_BITS-1:0] n;
  wire [4:0]   place;
  wire [2:0]   size_log2, other_context;
  wire [11:0]  guess_context;
  wire         has_near;
  wire [1:0]   old_ref, new_ref;
  wire [1:0]   size = size_log2 <= 3'd3 ? size_log2[1:0] : 2'd0;
  wire [A-1:0] diff;
  wire [A:0]   address;
  wire [TASK_BITS-1:0] task_to;

  oct_shadow_late #(
    .ADDR_BITS(A),
    .TASK_BITS(TASK_BITS),
    .N_BITS   (N_BITS)
  ) u_late (
    .clk_i    (clk_i),
    .moves_i  (moves),
    .at_i     (at_q),
    .take_i   (leaves),
    .from_i   (waits ? second_at_q : at_q),
    .task_i   (task_i),
    .execute_i(execute_i),
    .guess_i  (guess_contexts_i),
    .address_i(address_i),
    .stride_i (stride_i),
    .task_o   (task_to),
    .execute_o({first_context, size_log2, n}),
    .guess_o  (guess_context),
    .address_o(address),
    .stride_o ({place, other_context, has_near, old_ref, new_ref, diff})
  );

  assign ready_o     = moves;
  assign out_valid_o = {second_left != {(N + 1){1'b0}}, items_q != {(N + 1){1'b0}}};

  genvar k;
  generate
    for (k = 0; k < 2; k = k + 1) begin : gen_item
      wire [N:0]  pick = k == 0 ? pick_0 : pick_1;
      reg [W-1:0] first, second;
      reg         two;
      always @* begin
        first  = {W{1'b0}};
        second = {W{1'b0}};
        two    = 1'b0;
        if (pick[0]) begin
          first[4:0] = {ESCAPE_PARTIAL, ITEM_ESCAPE};
          first[ESCAPE_COUNT +: N_BITS] = n;
          second     = number;
          two        = 1'b1;
        end
        if (pick[1] || pick[5]) begin
          first[2:0] = ITEM_NUMBER;
          first[NUMBER_STAMP] = 1'b1;
        end
        if (pick[2]) begin
          first[2:0] = ITEM_NUMBER;
          second     = number;
          two        = 1'b1;
        end
        if (pick[3]) begin
          first[15:0] = {decision, direction ? ITEM_DIRECTION : ITEM_BITS};
        end
        if (pick[4]) begin
          first[30:0] = {size, new_ref, old_ref, has_near, coded, access[7], other_context, access[6:5],
                         place, access[4:2], first_context, access[1:0], ITEM_ACCESS};
          second      = {{(W - A){1'b0}}, diff};
          two         = coded;
        end
        if (pick[6]) begin
          first[2:0] = ITEM_NUMBER;
          second     = number_t;
          two        = 1'b1;
        end
        if (pick[7]) first[23:0] = {guesses[8], guess_context[11:8], guesses[7:5], guess_context[7:4], guesses[4:2],
                                    guess_context[3:0], guesses[1:0], ITEM_BITS};
        if (pick[8]) begin
          first[4:0] = {what, mark ? ITEM_MARK : ITEM_ESCAPE};
          first[ESCAPE_TRAPS] = traps;
          second     = number_t;
          two        = !mark;
        end
        if (pick[9]) begin
          first[2:0] = ITEM_TASK;
          second     = {{(W - TASK_BITS){1'b0}}, task_to};
          two        = 1'b1;
        end
        if (pick[10]) begin
          first[2:0] = ITEM_ADDRESS;
          second     = {{(W - A - 1){1'b0}}, address};
          two        = 1'b1;
        end
        if (pick[11]) first[4:0] = {SYNC, ITEM_MARK};
        if (pick[12]) begin
          first[2:0] = ITEM_ADDRESS;
          second     = {{(W - A - 1){1'b0}}, start_i};
          two        = 1'b1;
        end
      end
      assign out_two_o[k] = two;
    end
  endgenerate
  assign out_first_o  = {gen_item[0].second, gen_item[0].first};
  assign out_second_o = {gen_item[1].second, gen_item[1].first};

  // ---- Streaks ----

  // A place of the guesses has few contexts: target 0 or leave 10; target 1, 2, 5, 6 or leave 11; target 7
  // or leave 12.
  oct_shadow_streak #(.CONTEXTS(10)) u_first (
    .clk_i(clk_i), .rst_ni(rst_ni), .moves_i(moves), .clear_i(clear_i),
    .next_i  (next_first),
    .uses_i  (valid_i && claims),
    .miss_i  (first_miss_i),
    .silent_o(first_silent)
  );

  oct_shadow_streak #(.CONTEXTS(32)) u_stride (
    .clk_i(clk_i), .rst_ni(rst_ni), .moves_i(moves), .clear_i(clear_i),
    .next_i  (next_stride_i),
    .uses_i  (valid_i && is_unknown),
    .miss_i  (!hit_i),
    .silent_o(stride_silent)
  );

  oct_shadow_streak #(.CONTEXTS(2)) u_decided (
    .clk_i(clk_i), .rst_ni(rst_ni), .moves_i(moves), .clear_i(clear_i),
    .next_i  (next_flags_i),
    .uses_i  (valid_i && is_decided),
    .miss_i  (cond_miss_i),
    .silent_o(cond_silent)
  );

  genvar g;
  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_guess
      localparam integer AT_BITS = g == 1 ? 3 : 1;
      wire [3:0]         context_of = next_guess_i[4*g +: 4];
      wire [2:0]         at = g == 1 ? {context_of[3], !context_of[3] & context_of[2], !context_of[3] & context_of[1]} :
                                       {2'd0, context_of[3]};

      oct_shadow_streak #(
        .CONTEXTS(g == 1 ? 5 : 2)
      ) u_guess (
        .clk_i   (clk_i),
        .rst_ni  (rst_ni),
        .moves_i (moves),
        .clear_i (clear_i),
        .next_i  (at[AT_BITS-1:0]),
        .uses_i  (valid_i && guess_i[g]),
        .miss_i  (guess_miss_i[g]),
        .silent_o(guess_silent[g])
      );

      wire unused_bits = &{1'b0, at, context_of};
    end
  endgenerate

  // A mark comes first of all: they need no reset.
  always @(posedge clk_i) begin
    if (moves && valid_i) begin
      if (is_mark_i || is_start_i) begin
        run_q      <= {W{1'b0}};
        run_full_q <= 1'b0;
        silent_q   <= {W{1'b0}};
      end else begin
        run_q      <= is_last_i ? (goes_says ? {W{1'b0}} : run_1_plus) : run_1;
        run_full_q <= !data_says && (is_last_i ? !goes_says && run_plus_full : run_full_q);
        silent_q   <= silent_and(none_3, more_3, silent_q, high_plus);
      end
    end
  end

  reg [8:0] guesses_d;
  always @* begin : p_guesses
    integer i;
    for (i = 0; i < 3; i = i + 1)
      guesses_d[3*i +: 3] = {guess_miss_i[i], !guess_says[i] ? MODE_NONE : guess_silent[i] ? MODE_WRONG : MODE_SYMBOL};
  end

  wire [1:0]  what_d = is_mark_i ? mark_i : is_end_i ? ESCAPE_END : is_task_i ? ESCAPE_TASK : ESCAPE_JUMP;
  wire [12:0] decision_d = direction_i ? {p_i, outcome_i} : {6'd0, cond_miss_i, decided, cond_silent ? MODE_WRONG : MODE_SYMBOL};
  wire [FIELDS_BITS-1:0] fields_d = {number_d, few_d, has_number, direction_i, decision_d, access_d, is_coded, guesses_d,
                                     is_mark_i, traps_i, what_d};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      items_q        <= {(N + 1){1'b0}};
      second_items_q <= {(N + 1){1'b0}};
      at_q           <= 4'd0;
    end else begin
      if (moves) at_q <= at_q + 4'd1;
      if (leaves) items_q <= waits ? second_items_q : items;
      else if (out_ready_i) items_q <= third_left;
      if (moves) second_items_q <= leaves && !waits ? {(N + 1){1'b0}} : items;
    end
  end

  always @(posedge clk_i) begin
    if (leaves) fields_q <= waits ? second_q : fields_d;
    if (moves) begin
      second_q     <= fields_d;
      second_at_q  <= at_q;
      cond_flags_q <= next_flags_i;
    end
  end

`ifdef FORMAL
`include "oct_shadow_emit_formal.vh"
`endif

`ifdef OCT_COVER
  // What random programs have to meet (scripts/hw cover): a stamp behind silent decisions; and behind
  // such a stamp, without a symbol since, a silent decision that is wrong.
  wire c_stamp = moves && valid_i && stamp_i && (silent_q != {W{1'b0}} || more_1 != 2'd0);
  reg  c_behind_q;  // all decisions since such a stamp were silent
  always @(posedge clk_i) begin
    if (c_stamp) c_behind_q <= !goes_says;
    else if (moves && valid_i && (data_says || goes_says || is_mark_i || is_start_i)) c_behind_q <= 1'b0;
  end
  cover property (@(posedge clk_i) c_stamp);
  cover property (@(posedge clk_i) c_behind_q && moves && valid_i && (stride_wrong || first_wrong || cond_wrong));
`endif

endmodule

`default_nettype wire
