// SPDX-License-Identifier: Apache-2.0
// oct_output_formal.vh - the properties of oct_output, which stand last in its body.

  // The rules of the inputs: assumed where the controller is what is proved, else the stages' to
  // keep.
`ifdef FORMAL_OCT_OUTPUT
  `define OCT_OUTPUT_RULE assume
`else
  `define OCT_OUTPUT_RULE assert
`endif

  localparam [31:0] F_TUPLE_N = TUPLE_N;
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;

  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (rst_ni) begin
      // Each side has its kinds of items. A mark is one of the four, or a trap's or stamp's; a task's is on the instruction
      // side alone, a part is no longer than a tuple, and both sides bring the same barriers.
      if (insn_valid_i) `OCT_OUTPUT_RULE (insn_kind_i <= ITEM_SCMT || insn_kind_i == ITEM_MARK);
      if (data_valid_i) `OCT_OUTPUT_RULE (data_kind_i > ITEM_SCMT && data_kind_i <= ITEM_MARK);
      if (insn_valid_i && insn_kind_i == ITEM_MARK)
        `OCT_OUTPUT_RULE ((insn_mark_i >= MARK_TASK && insn_mark_i <= MARK_FLUSH) || is_trap || is_time);
      if (insn_valid_i && insn_kind_i == ITEM_TUPLE_PART)
        `OCT_OUTPUT_RULE (insn_n_i <= F_TUPLE_N[4:0]);
      if (data_valid_i && data_kind_i == ITEM_MARK)
        `OCT_OUTPUT_RULE (data_mark_i > MARK_TASK && data_mark_i <= MARK_FLUSH);
      if (insn_valid_i && insn_barrier && data_valid_i && data_barrier)
        `OCT_OUTPUT_RULE (insn_mark_i == data_mark_i);
      if (TIMESTAMP == 2 && insn_valid_i && insn_barrier && cycles_valid_i && cycles_mark_i != MARK_NONE)
        `OCT_OUTPUT_RULE (insn_mark_i == cycles_mark_i);
    end
  end
`undef OCT_OUTPUT_RULE

  // Bits that came in packets and left in beats; those between are in the FIFO, then in carry, then
  // in the packet register.
  (* hierconn *) wire [1:0] \u_flush.state_q ;
  (* hierconn *) wire [2:0] \u_flush.last_bytes_q ;
  wire          f_drains = \u_flush.state_q == 2'd2;
  localparam integer FB = WORD_ADDR_BITS + 9;  // more than can be held
  localparam [LENGTH_BITS-1:0] F_PACKET_BITS = PACKET_BITS;
  reg  [FB-1:0] f_in_q, f_out_q;
  reg           f_loaded_q;  // a packet has come since the reset
  wire [FB-1:0] f_beat_bits = beat ? {{(FB - 6){1'b0}}, atbytes_o, 3'd0} + 8 : {FB{1'b0}};
  wire [FB-1:0] f_packet_bits = {{(FB - LENGTH_BITS){1'b0}}, packet_bits};
  wire [FB-1:0] f_left = {{(FB - LENGTH_BITS){1'b0}}, left_bits_q};
  wire [FB-1:0] f_carry = {{(FB - 6){1'b0}}, carry_bits_q};
  wire [FB-1:0] f_half = {{(FB - 6){1'b0}}, half_q, 5'd0};
  wire [5:0]    f_last_unused = f_drains ? {3'd7 - \u_flush.last_bytes_q , 3'd0} : 6'd0;
  wire [FB-1:0] f_unused =
      count_words_q == NO_WORDS ? {FB{1'b0}} : {{(FB - 6){1'b0}}, f_last_unused};
  wire [FB-1:0] f_fifo =
      {{(FB - WORD_ADDR_BITS - 7){1'b0}}, count_words_q, 6'd0} - f_half - f_unused;

  // Any one bit of any packet: how many leave before it, and its value.
  (* anyseq *) wire                   f_choose;
  (* anyseq *) wire [LENGTH_BITS-1:0] f_bit;
  reg                                 f_tracked_q;
  reg  [FB-1:0]                       f_place_q;
  reg                                 f_value_q;
  // A check is filled in after its packet has come; the twin compares what is.
  localparam [LENGTH_BITS-1:0]        F_FLUSH_CHECK_AT = 8;
  localparam [LENGTH_BITS-1:0]        F_SYNC_CHECK_AT = PACKET_BITS - CHECK_BITS;
  localparam [LENGTH_BITS-1:0]        F_CHECK_BITS = CHECK_BITS;
  wire                                f_short = load_check ||
                                                (load_both && insn_mark_i == MARK_FLUSH);
  wire                                f_in_check =
      (f_short && f_bit >= F_FLUSH_CHECK_AT && f_bit < F_FLUSH_CHECK_AT + F_CHECK_BITS) ||
      (sync_done_o && f_bit >= F_SYNC_CHECK_AT);
  wire                                f_chosen = f_choose && !f_tracked_q && load &&
                                                 f_bit < packet_bits &&
                                                 !(CHECK_BITS > 0 && f_in_check);
  wire [PACKET_BITS-1:0]              f_packet_from_bit = packet >> f_bit;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_in_q <= {FB{1'b0}};
      f_out_q <= {FB{1'b0}};
      f_loaded_q <= 1'b0;
      f_tracked_q <= 1'b0;
    end else begin
      if (load) f_in_q <= f_in_q + f_packet_bits;
      if (load) f_loaded_q <= 1'b1;
      f_out_q <= f_out_q + f_beat_bits;
      if (f_chosen) begin
        f_tracked_q <= 1'b1;
        f_place_q <= f_in_q - f_out_q - f_beat_bits + {{(FB - LENGTH_BITS){1'b0}}, f_bit};
        f_value_q <= f_packet_from_bit[0];
      end else if (f_tracked_q) begin
        f_tracked_q <= f_place_q >= f_beat_bits;
        f_place_q <= f_place_q - f_beat_bits;
      end
    end
  end

  // Where that bit is.
  wire [FB-1:0]             f_fifo_at = f_place_q + f_half;
  wire [FB-1:0]             f_carry_at = f_place_q - f_fifo;
  wire [FB-1:0]             f_packet_at = f_carry_at - f_carry;
  wire [WORD_ADDR_BITS-1:0] f_word_addr = head_q + f_fifo_at[6+:WORD_ADDR_BITS];
  wire [PACKET_BITS-1:0]    f_packet_from = packet_q >> f_packet_at[LENGTH_BITS-1:0];
  wire [WORD_ADDR_BITS-1:0] f_last_addr = tail_q - 1'b1;
  wire [5:0]                f_last_bits = {\u_flush.last_bytes_q , 3'd0} + 6'd8;

  always @* if (rst_ni) begin
    // No packet is torn: the bits that came in packets and have not left are those held,
    assert (f_in_q - f_out_q == f_fifo + f_carry + f_left);
    assert (f_loaded_q || f_in_q == {FB{1'b0}});
    // and each bit leaves when exactly those before it in its packet, and all of earlier
    // packets, have left: so packets are whole, contiguous and in order.
    if (f_tracked_q) assert (f_place_q < f_in_q - f_out_q);
    if (f_tracked_q && f_place_q < f_fifo && f_word_addr == \u_fifo.f_watch_addr )
      assert (\u_fifo.f_watch_word [f_fifo_at[5:0]] == f_value_q);
    if (f_tracked_q && f_place_q >= f_fifo && f_carry_at < f_carry)
      assert (carry_q[f_carry_at[5:0]] == f_value_q);
    if (f_tracked_q && f_place_q >= f_fifo && f_carry_at >= f_carry)
      assert (f_packet_at < f_left && f_packet_from[0] == f_value_q);
    if (f_tracked_q && f_place_q < f_beat_bits && head_q == \u_fifo.f_watch_addr )
      assert (atdata_o[f_place_q[4:0]] == f_value_q);
    // What is held beyond those bits is zero; a packet is as long as its register at most.
    assert (left_bits_q <= F_PACKET_BITS && (!load || packet_bits <= F_PACKET_BITS));
    if (f_loaded_q) assert (packet_q >> left_bits_q == {PACKET_BITS{1'b0}});
    assert (f_loaded_q || (left_bits_q == {LENGTH_BITS{1'b0}} && !flushes));
    assert (carry_q >> carry_bits_q == 64'd0);
    // The FIFO: no more words than it has, in order, the head on the RAM's output.
    assert (count_words_q <= ALL_WORDS && !(push && is_full));
    assert (tail_q == head_q + count_words_q[WORD_ADDR_BITS-1:0]);
    assert (!half_q || count_words_q != NO_WORDS);
    if (count_words_q != NO_WORDS && head_q == \u_fifo.f_watch_addr )
      assert (head_word == \u_fifo.f_watch_word );
    // The stream before a packet has the phase that a flush fills up to a byte.
    assert (phase_q == f_in_q[2:0] && phase_q == left_bits_q[2:0] + carry_bits_q[2:0]);
    // A flush: nothing is taken until all has left, and then it is answered.
    if (flushes) assert (phase_q == 3'd0 && !insn_ready_o && !data_ready_o);
    if (f_drains) assert (is_empty && carry_bits_q == 6'd0);
    if (f_drains && count_words_q == ONE_WORD && !\u_flush.last_bytes_q [2]) assert (!half_q);
    if (f_drains && count_words_q != NO_WORDS && \u_flush.last_bytes_q  != 3'd7 &&
        f_last_addr == \u_fifo.f_watch_addr )
      assert (\u_fifo.f_watch_word >> f_last_bits == 64'd0);
    if (flush_out_o) assert (f_in_q == f_out_q && !atvalid_o && is_empty && carry_bits_q == 6'd0);
    if (flush_out_o) assert (f_drains && count_words_q == NO_WORDS);
    // The bus is offered what there is.
    if (atvalid_o) assert (count_words_q != NO_WORDS);
    // A check is filled into its place before any of its packet has moved.
    assert (seal <= SEAL_SYNC);
    if (seal == SEAL_SYNC) assert (left_bits_q == F_PACKET_BITS);
    if (seal == SEAL_SHORT)
      assert (left_bits_q <= MOVE_BITS_MAX && left_bits_q >= F_FLUSH_CHECK_AT + F_CHECK_BITS);
    if (f_tracked_q && f_place_q >= f_fifo && f_carry_at >= f_carry && seal != SEAL_NONE)
      assert (seal == SEAL_SHORT ? f_packet_at < {{(FB - LENGTH_BITS){1'b0}}, F_FLUSH_CHECK_AT} ||
                                       f_packet_at >= {{(FB - LENGTH_BITS){1'b0}},
                                                       F_FLUSH_CHECK_AT + F_CHECK_BITS}
                                 : f_packet_at < {{(FB - LENGTH_BITS){1'b0}}, F_SYNC_CHECK_AT});
    // A check that is due comes before any other packet.
    if (check_due) assert (!insn_ready_o && !data_ready_o && (!take || load_check));
    // Only a barrier takes an item of both sides, and it is the same on both.
    if (insn_ready_o && data_ready_o) assert (insn_barrier && data_barrier);
    if (insn_ready_o) assert (insn_valid_i && (!insn_barrier || data_ready_o));
    if (data_ready_o) assert (data_valid_i && (!data_barrier || insn_ready_o));
    if (overflow_done_o || sync_done_o) assert (insn_ready_o && data_ready_o);
    // Beats are of four bytes but at the end of a flush.
    if (atvalid_o && atbytes_o != 2'd3)
      assert (f_drains && count_words_q == ONE_WORD);
    assert ({count_words_q, 3'd0} ==
            count_bytes_o + {{(COUNT_BYTES_BITS - 3){1'b0}}, half_q, 2'd0});
  end

  reg        f_stalled_q = 1'b0;
  reg [33:0] f_beat_q;
  always @(posedge clk_i) begin
    f_stalled_q <= rst_ni && atvalid_o && !(atready_i && atclken_i);
    f_beat_q <= {atbytes_o, atdata_o};
  end

  reg f_sync_due_q = 1'b0;
  always @(posedge clk_i) f_sync_due_q <= rst_ni && sync_due_o && !sync_done_o;
  // A sync that is due stays so until it comes.
  always @* if (rst_ni && f_sync_due_q) assert (sync_due_o);

  // A beat stays until it is taken.
  always @* if (rst_ni && f_stalled_q) assert (atvalid_o && f_beat_q == {atbytes_o, atdata_o});

`ifdef FORMAL_OCT_OUTPUT
  always @(posedge clk_i) if (rst_ni) begin
    // A flush answered after a last beat of one byte, a full FIFO, a sync, a tracked bit that left.
    cover (flush_done_o && \u_flush.last_bytes_q  == 3'd0);
    cover (is_full && move && !total_bits[6]);
    cover (sync_done_o && f_in_q != {FB{1'b0}});
    cover (f_tracked_q && f_place_q < f_beat_bits && f_value_q);
    cover (overflow_at_head_o && !overflow_done_o);
  end
`endif
