// SPDX-License-Identifier: Apache-2.0
// oct_shadow_emit_formal.vh - throughput of oct_shadow_emit: if the queue takes items in each cycle, a beat of
// no more than two never waits, and one of more makes others wait for a cycle for each further two.

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

  always @* begin
    assume (out_ready_i);
    if (!f_past_q) assume (!rst_ni);
    if (rst_ni) begin
      if (f_count(items_q) <= 2) assert (ready_o);
      assert (f_count(items_q) + 2 * f_stalls_q <= N + 1);
      if (!ready_o) assert (2 * f_stalls_q + 2 <= N);
      cover (f_past_q && f_stalls_q == 4'd1);
    end
  end
