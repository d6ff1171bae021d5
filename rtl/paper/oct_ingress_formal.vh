// SPDX-License-Identifier: Apache-2.0
// oct_ingress_formal.vh - the properties of oct_ingress, which stand last in its body.

  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  // What this gap has cost so far, and the OVERFLOW marks that it has sent.
  reg [ADDR_BITS-1:0] f_insns_q, f_accesses_q;
  reg                 f_stream_marked_q, f_data_marked_q, f_open_q;
  wire                 f_begins   = starts;
  wire [ADDR_BITS-1:0] f_insns    = f_begins ? ZERO : f_insns_q;
  wire [ADDR_BITS-1:0] f_accesses = f_begins ? ZERO : f_accesses_q;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_insns_q         <= ZERO;
      f_accesses_q      <= ZERO;
      f_stream_marked_q <= 1'b0;
      f_data_marked_q   <= 1'b0;
      f_open_q          <= 1'b0;
    end else begin
      f_insns_q    <= f_insns == ONES || !drops_insn ? f_insns : f_insns + 1'b1;
      f_accesses_q <= f_accesses == ONES || !drops_access ? f_accesses : f_accesses + 1'b1;
      f_stream_marked_q <= !f_begins && (f_stream_marked_q || mark_o == MARK_OVERFLOW);
      f_data_marked_q   <= !f_begins &&
                           (f_data_marked_q || (data_push_o && data_mark_o == MARK_OVERFLOW));
      f_open_q          <= f_begins || (f_open_q && !ends);
    end
  end

  // Instructions taken from the last sync on, all 32 bits of their number.
  reg [31:0] f_since_q;
  always @(posedge clk_i) begin
    if (!rst_ni) f_since_q <= 32'd0;
    else if (mark_o == MARK_SYNC) f_since_q <= {31'd0, insn_valid_o};
    else if (insn_valid_o && f_since_q != 32'hffff_ffff) f_since_q <= f_since_q + 32'd1;
  end

  // An overflow has ended whose number of instructions had stopped at all ones: who counts them
  // needs a sync.
  reg  f_uncounted_q;
  wire f_uncounted = f_uncounted_q || (ends && f_insns_q == ONES);
  always @(posedge clk_i) f_uncounted_q <= rst_ni && f_uncounted && mark_o != MARK_SYNC;

  // Instructions taken behind the last gap; what was full as the one under way began.
  reg [31:0] f_taken_q;
  reg        f_stream_full_q, f_out_full_q;
  always @(posedge clk_i) begin
    if (!rst_ni || f_begins) f_taken_q <= 32'd0;
    else if (insn_valid_o && f_taken_q != 32'hffff_ffff) f_taken_q <= f_taken_q + 32'd1;
    if (f_begins) f_stream_full_q <= !stream_ready_i;
    if (f_begins) f_out_full_q <= is_out_full_i && f_taken_q < 32'd32;
  end

  // Traced is what retires while enable_i is set, and the rest of its last instruction.
  reg  f_traced_q;
  wire f_traced = insn_valid_i ? enable_i : f_traced_q ? enable_i || da_valid_i :
                  TRAPS != 0 && trap_valid_i && enable_i;
  always @(posedge clk_i) f_traced_q <= rst_ni && f_traced;

  function oct_is_barrier(input [2:0] barrier_mark);
    oct_is_barrier = barrier_mark == MARK_SYNC || barrier_mark == MARK_OVERFLOW || barrier_mark == MARK_FLUSH;
  endfunction

  always @* if (rst_ni) begin
    assert (f_traced_q == enabled_q && f_traced == enabled);
    // Nothing is pushed into a buffer that is full.
    if (mark_o != MARK_NONE || (insn_valid_o && closes_insn_i)) assert (stream_ready_i);
    if (data_push_o) assert (data_ready_i);
    // An instruction that is traced is taken or counted, never both; an access likewise. Others
    // are neither. A terminator is lost only with an overflow.
    // The filter's are in the gap's numbers, or stand before the first sync. What breaks a rule there
    // is told by its flag alone.
    if (insn_valid_i && f_traced && !skip_i) assert ((insn_valid_o ^ lost_insn_o) || (bad && !begun_q));
    else assert (!insn_valid_o && !lost_insn_o);
    if (insn_valid_i && f_traced && skip_i) assert (!insn_valid_o && (drops_insn || !begun_q));
    if (da_valid_i && f_traced && !da_end_i && !skip_i)
      assert ((data_push_o && data_kind_o == DATA_ACCESS) ^ lost_access_o || (bad && !begun_q));
    else
      assert (!lost_access_o && data_kind_o != DATA_ACCESS);
    if (da_valid_i && f_traced && da_end_i && !skip_i)
      assert ((data_push_o && data_kind_o == DATA_END) ^ (drops || overflow_o) || (bad && !begun_q));
    // A trap likewise: no loss of one goes without an overflow.
    if (trap_valid && !skip_i)
      assert ((takes && takes_trap) ^ (drops || overflow_o) || (bad && !begun_q));
    // Nothing that breaks a rule is taken.
    if (bad_i && !skip_i) assert (!insn_valid_o && data_kind_o == DATA_NONE);
    // Nothing is lost without the overflow counter moving: every loss belongs to an overflow, which
    // overflow_o counted once, and whose end the packet's numbers follow.
    if (lost_insn_o || lost_access_o) assert (overflow_o || f_open_q);
    assert (dropping_q == f_open_q);
    if (starts) assert (!dropping_q || ends);
    // The filter alone loses nothing; with a loss, the gap is an overflow, counted once.
    if (overflow_o && !starts) assert (!is_overflow_q && drops);
    // Numbers that have not been sent are not written over: no mark leaves before they are.
    if (dropping_q && !(stream_mark_due_q && data_mark_due_q)) assert (!(early_q && resume_q));
    if (ends) assert (!resume_q || overflow_done_i || !early_q);
    // An overflow's numbers are what was lost since it began.
    if (dropping_q) assert (lost_insns_q == f_insns_q && lost_accesses_q == f_accesses_q);
    // While dropping nothing but one OVERFLOW mark leaves to each side, and it ends after both.
    if (drops) assert (!insn_valid_o && data_kind_o == DATA_NONE);
    if (drops) assert (mark_o == MARK_NONE || (mark_o == MARK_OVERFLOW && !f_stream_marked_q));
    if (drops && data_push_o) assert (data_mark_o == MARK_OVERFLOW && !f_data_marked_q);
    if (!drops) assert (mark_o != MARK_OVERFLOW && (!data_push_o || data_mark_o != MARK_OVERFLOW));
    if (ends) assert (f_stream_marked_q && f_data_marked_q);
    // An overflow ends with room for more than a few, and what was full as it began is empty.
    assert (n_taken_q == (f_taken_q < 32'd32 ? f_taken_q[5:0] : 6'd32));
    if (dropping_q) assert (empties_buffers_q == f_stream_full_q && empties_out_fifo_q == f_out_full_q);
    if (ends && is_overflow_q) assert (is_drained_i);
    if (ends && is_overflow_q && f_stream_full_q) assert (is_empty_i);
    if (ends && is_overflow_q && f_out_full_q) assert (is_out_empty_i);
    if (dropping_q) assert (stream_mark_due_q == !f_stream_marked_q);
    if (dropping_q) assert (data_mark_due_q == !f_data_marked_q);
    if (!dropping_q) assert (!stream_mark_due_q && !data_mark_due_q);
    // SYNC and FLUSH stand on both sides, between the same two instructions; TASK on one.
    assert ((mark_o == MARK_SYNC) == (data_push_o && data_mark_o == MARK_SYNC));
    assert ((mark_o == MARK_FLUSH) == (data_push_o && data_mark_o == MARK_FLUSH));
    assert (data_mark_o == MARK_NONE || oct_is_barrier(data_mark_o));
    // A mark but FLUSH and OVERFLOW stands before an instruction, and one sync at a time is under way.
    // The first sync may stand before one that is left out.
    // A trap may stand in place of an instruction.
    if (mark_o == MARK_TASK) assert (insn_valid_o || (takes && takes_trap));
    if (mark_o == MARK_TIME) assert (TIMESTAMP != 0 && insn_valid_o);
    if (mark_o == MARK_TRAP) assert (TRAPS != 0);
    if (mark_o == MARK_SYNC) assert (insn_valid_o || (takes && takes_trap) || (insn_valid_i && left_out && !begun_q));
    if (!begun_q) assert (need_sync_q && !sync_busy_q && (!dropping_q || is_overflow_q));
    if (mark_o == MARK_SYNC) assert (!sync_busy_q || sync_done_i);
    // No instruction is taken before that sync, unless one is under way.
    // A trap whose mark is due goes before it, and the instruction with that.
    if (insn_valid_o && f_uncounted)
      assert (mark_o == MARK_SYNC || (sync_busy_q && !sync_done_i) || trap_due);
    if (f_uncounted_q) assert (need_sync_q);
    assert (uncounted_q == (lost_insns_q == ONES));
    // A period is as long as asked for: no sync is late unless the one before it is under way.
    assert (since_sync_q == f_since_q);
    if (insn_valid_o && sync_period_insns_i != 32'd0 && f_since_q >= sync_period_insns_i)
      assert (mark_o == MARK_SYNC || (sync_busy_q && !sync_done_i) || trap_due);
  end

  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    // A sync has the number of the instruction that it stands before.
    if ($past(mark_o == MARK_SYNC)) assert (sync_insn_q == $past(insn_count_q));
    // The numbers of an overflow that has ended are frozen until its packet has them.
    if ($past(ends)) assert (resume_o && barrier_lost_insns_o == $past(f_insns_q) &&
                             barrier_lost_accesses_o == $past(f_accesses_q));
    if ($past(resume_o && !overflow_done_i)) assert (resume_o);
    if (!$past(ends)) assert ($stable(barrier_lost_insns_o) && $stable(barrier_lost_accesses_o));

`ifndef FORMAL_TRAPS  // of which the covers alone are meant
    // An overflow that loses an instruction and an access, ends, and takes instructions again.
    cover ($past(ends) && f_insns_q > 1 && f_accesses_q > 0 && insn_valid_o && !lost_insn_o);
    // A gap of the filter, its instructions in the packet; one that ends with a flush, and the next.
    cover ($past(ends) && f_insns_q > 1 && !is_overflow_q && insn_valid_o && !lost_insn_o);
    cover ($past(ends && mark_o == MARK_FLUSH && skip_i && starts));
    // It becomes an overflow; a rule is broken; the first sync stands before a gap.
    cover ($past(dropping_q && !is_overflow_q && overflow_o) && dropping_q);
    cover ($past(bad && !drops && insn_valid_i) && dropping_q);
    cover ($past(mark_o == MARK_SYNC && skip_i) && dropping_q);
    // An overflow that begins where another ends.
    cover ($past(ends && overflow_o) && lost_insn_o);
    // Numbers that stopped at all ones, then the sync that they ask for.
    cover ($past(ends && mark_o == MARK_SYNC) && barrier_lost_insns_o == ONES);
    // Switched off in the middle of an instruction, flushed, and on again.
    cover (mark_o == MARK_FLUSH && !enabled && $past(da_valid && !insn_valid_i && !enable_i, 2));
    cover ($past(switch_on && insn_valid_o && mark_o == MARK_SYNC) && sync_insn_q != ZERO);
    // A task switch, with an access of the instruction before it just taken.
    cover (mark_o == MARK_TASK && $past(data_push_o && data_kind_o == DATA_ACCESS && slot_q != 0));
`endif
  end

  (* hierconn *) wire [2:0] \gen_traps.u_traps.count_q ;  // of oct_traps.v, if there are traps
  // Traps: each that waits has one mark, on its way or due; those on their way are answered in order.
  generate
    if (TRAPS != 0) begin : gen_formal_traps
      reg  [2:0] f_marked_q;
      always @(posedge clk_i)
        if (!rst_ni) f_marked_q <= 3'd0;
        else f_marked_q <= f_marked_q + {2'd0, mark_o == MARK_TRAP} - {2'd0, trap_done_i};
      always @* if (rst_ni) begin
        assume (!(trap_done_i && f_marked_q == 3'd0));
        // The core's rules (oct_core_rules.v).
        if (trap_valid_i && (insn_valid_i || da_valid_i)) assume (bad_i);
        if (trap_due) assert (begun_q);
        assert (f_marked_q <= 3'd4 && \gen_traps.u_traps.count_q == f_marked_q + {2'd0, trap_due});
        // A mark waits only behind an instruction boundary, and not while events are dropped.
        if (dropping_q) assert (!trap_due);
        // A trap that is taken back is in a gap that is counted as an overflow.
        if (starts && undoes) assert (overflow_o);
        // Room that is there is used, and no more than that.
        if (takes && takes_trap) assert (!traps_full);
      end
      always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
        cover ($past(takes && takes_trap && mark_o == MARK_SYNC) && mark_o == MARK_TRAP && insn_valid_o);
        cover ($past(traps_full && trap_done_i) && takes && takes_trap);
        cover ($past(starts && undoes) && dropping_q);
        cover ($past(traps_full && trap_valid && overflow_o) && dropping_q);
      end
    end
    if (TIMESTAMP != 0) begin : gen_formal_time
      always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
        cover ($past(mark_o == MARK_SYNC) && mark_o == MARK_TIME);
        cover (mark_o == MARK_TIME && $past(mark_o == MARK_TASK) && barrier_time_o != 56'd0);
      end
    end
  endgenerate
