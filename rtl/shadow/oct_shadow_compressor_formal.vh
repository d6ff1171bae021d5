// SPDX-License-Identifier: Apache-2.0
// oct_shadow_compressor_formal.vh - the properties of oct_shadow_compressor, which stand last in its body: the rules of the
// trace bus (oct_bus_check.vh) and a flush. The proof has gather, the framer and what joins them; the registers, the filter, the
// core and the tail are cut out (`cut` in tests/rtl/proofs.toml), so that the properties hold whatever those give.

  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);
  // What the registers (oct_regs.v proves it) and the coder never give.
  always @* assume (atid != 7'd0 && atid <= 7'h6f);
  always @* assume (coded_n_bytes != 2'd3);

  reg f_beat_q;  // a beat has left
  always @(posedge clk_i) f_beat_q <= rst_ni && (f_beat_q || (atvalid_o && atready_i && atclken_i));
  always @* if (rst_ni && f_past_q) begin
    // A flush of the bus is under way only while the receiver asks for it, and is answered when nothing is left.
    if (af_busy) assert (afvalid_i);
    if (afready_o) assert (flush_out && out_words == {OUT_BITS{1'b0}});
    // A beat leaves, and a flush of the receiver is under way.
    cover (f_beat_q && af_busy);
  end
