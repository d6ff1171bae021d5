// SPDX-License-Identifier: Apache-2.0
// oct_shadow_unroll_formal.vh - throughput of oct_shadow_unroll: while an item is there and its symbols
// are taken, each cycle gives a symbol, but for a number before a wrong decision, and for a mark, which
// take one cycle each. An item stays until it is taken, has a decision that comes, if it is of decisions,
// and the higher bits of unused modes are 0.

  reg              f_past_q = 1'b0, f_waits_q;
  reg  [2*W-1:0]   f_item_q;
  always @(posedge clk_i) begin
    f_past_q  <= 1'b1;
    f_waits_q <= valid_i && !ready_o;
    f_item_q  <= {second_i, first_i};
  end
  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (f_past_q && rst_ni && f_waits_q) assume (valid_i && {second_i, first_i} == f_item_q);
    if (is_bits) assume (first_i[BITS_FIRST +: 2] != MODE_NONE || mode_1 != MODE_NONE || mode_2 != MODE_NONE);
    if (is_access) assume (first_i[ACCESS_FIRST_MODE +: 2] != MODE_NONE || mode_1 != MODE_NONE);
  end
  always @* begin
    if (rst_ni) begin
      assert (step_q != DONE);
      if (valid_i && out_ready_i) assert (chosen);
      if (chosen && !sends) assert ((kind == ITEM_NUMBER || kind == ITEM_MARK) && ready_o);
      cover (f_past_q && step_q == LENGTH_LOW && leaves);
    end
  end
