// SPDX-License-Identifier: Apache-2.0
// oct_shadow_emit_formal.vh - throughput of oct_shadow_emit: if the queue takes items in each cycle, a beat of
// no more than two never waits, and one of more makes others wait for a cycle for each further two. And the counts: of a
// run, which is in two halves, and of silent decisions, whose sums share a carry.

  function integer f_count(input [N:0] bits);
    integer i;
    begin
      f_count = 0;
      for (i = 0; i <= N; i = i + 1) f_count = f_count + {31'd0, bits[i]};
    end
  endfunction

  reg       f_past_q = 1'b0;
  reg [3:0] f_stalls_q;  // in a row
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_stalls_q <= 4'd0;
    else f_stalls_q <= moves ? 4'd0 : f_stalls_q + 4'd1;
  end

  reg         f_begun_q;
  reg [W-1:0] f_run_q, f_silent_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_begun_q <= 1'b0;
    else if (moves && valid_i && (is_mark_i || is_start_i)) f_begun_q <= 1'b1;
  end
  always @(posedge clk_i) begin
    if (moves && valid_i) begin
      f_silent_q <= is_mark_i || is_start_i ? {W{1'b0}} : (none_3 ? {W{1'b0}} : f_silent_q) + {{(W - 2){1'b0}}, more_3};
      f_run_q <= is_mark_i || is_start_i || (is_last_i && goes_says) ? {W{1'b0}} : run_1 + {{(W - 1){1'b0}}, is_last_i};
    end
  end

  always @* begin
    assume (out_ready_i);
    if (!f_past_q) assume (!rst_ni);
    if (rst_ni) begin
      if (f_count(items_q) <= 2) assert (ready_o);
      assert (f_count(items_q) + 2 * f_stalls_q <= N + 1);
      if (!ready_o) assert (2 * f_stalls_q + 2 <= N);
      if (f_begun_q) assert (run_q == f_run_q && run_full_q == &run_q[W/2-1:0]);
      // No sum loses its carry: up to three more than the two lowest bits hold.
      if (f_begun_q) assert (silent_q == f_silent_q);
      if (!is_partial_i && (number_1 || !escapes))
        assert (number_d == (none_n ? {W{1'b0}} : silent_q) + {{(W - 2){1'b0}}, more_n});
      cover (f_past_q && f_stalls_q == 4'd1);
    end
  end
