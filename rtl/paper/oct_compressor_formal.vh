// SPDX-License-Identifier: Apache-2.0
// oct_compressor_formal.vh - the properties of oct_compressor, which stand last in its body.

  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  // Instructions that retire while enabled; in streams that were closed; lost; lost in overflows
  // whose packet has been made; and overflows that have none yet: events are taken again before it is
  // made, so another one may begin meanwhile.
  localparam integer F_BITS = 8;
  localparam [F_BITS-1:0] F_ONE = 1;
  reg  [F_BITS-1:0] f_retired_q, f_streams_q, f_lost_q, f_told_q;
  reg  [1:0]        f_open_q;
  wire [F_BITS-1:0] f_sl = {{(F_BITS-1-SL_BITS){1'b0}}, push_sl};
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_retired_q <= {F_BITS{1'b0}};
      f_streams_q <= {F_BITS{1'b0}};
      f_lost_q    <= {F_BITS{1'b0}};
      f_told_q    <= {F_BITS{1'b0}};
      f_open_q    <= 2'd0;
    end else begin
      // What breaks a rule before the first sync is told by its flag alone.
      if (insn_valid_i && enable && !(|gate_errors && !lost_insn)) f_retired_q <= f_retired_q + F_ONE;
      if (stream_push) f_streams_q <= f_streams_q + f_sl;
      if (lost_insn) f_lost_q <= f_lost_q + F_ONE;
      if (overflow_done) f_told_q <= f_told_q + barrier_lost_insns[F_BITS-1:0];
      f_open_q <= f_open_q + {1'b0, overflow} - {1'b0, overflow_done};
    end
  end

  // Every instruction that retires while enabled is in a stream (push_sl: the open one) or is
  // counted as lost.
  always @* if (rst_ni) assert (f_retired_q == f_streams_q + f_sl + f_lost_q);

`ifdef OCT_ATB_CHECK
  // What the rules of the bus (oct_atb_check.v) follow from.
  (* hierconn *) wire [6:0] \u_gate.u_regs.atid_q ;
  (* hierconn *) wire \u_ingress.af_pending_q ;
  (* hierconn *) wire \u_ingress.flush_busy_q ;
  (* hierconn *) wire \u_output.is_empty ;
  (* hierconn *) wire [5:0] \u_output.carry_bits_q ;
  (* hierconn *) wire [1:0] \u_output.u_flush.state_q ;
  (* hierconn *) wire [OUT_COUNT_BITS-4:0] \u_output.count_words_q ;
  localparam [31:0] F_WORDS = OUT_FIFO_BYTES / 8;
  wire f_drains = \u_output.u_flush.state_q == 2'd2;
  wire f_holds = \u_output.count_words_q != {(OUT_COUNT_BITS - 3){1'b0}};
  always @* if (rst_ni) begin
    assert (\u_gate.u_regs.atid_q != 7'd0 && \u_gate.u_regs.atid_q <= 7'h6f);
    assert (atid_o != 7'd0 && atid_o <= 7'h6f);
    if (\u_ingress.af_pending_q || af_busy) assert (afvalid_i);
    assert (!af_busy || (\u_ingress.flush_busy_q && !\u_ingress.af_pending_q ));
    if (atvalid_o) assert (f_holds);
    assert (\u_output.count_words_q <= F_WORDS[OUT_COUNT_BITS-4:0]);
    if (f_drains) assert (\u_output.is_empty && \u_output.carry_bits_q == 6'd0);
    if (flush_out) assert (f_drains && !f_holds);
  end
`endif

`ifndef FORMAL_INDUCTION  // what takes more cycles than an inductive step looks back
  always @* if (rst_ni) begin
    // What is lost belongs to an overflow, and the packets of overflows tell all of it.
    assert (f_open_q != 2'd3);
    if (lost_insn || lost_access) assert (overflow || f_open_q != 2'd0);
    if (f_open_q == 2'd0) assert (f_told_q == f_lost_q);
  end
`endif

`ifdef FORMAL_SHORT
  // A stream of two instructions that a third has closed.
  always @* cover (rst_ni && f_streams_q > F_ONE && f_retired_q > f_streams_q);
`else
  // A whole overflow: its packet is made, and more than one instruction was lost.
  always @* cover (rst_ni && f_told_q > F_ONE && f_open_q == 2'd0 && take_insn);
`endif
