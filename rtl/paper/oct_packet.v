// SPDX-License-Identifier: Apache-2.0
// oct_packet - makes the packet of an item: prefix and fields, as docs/port-format.md says.
//
// Combinational. The first bit to leave is bit 0; bits from bits_o on are 0, and so is the place of
// a check, which the output controller fills in.
// Parameters: the widths of the fields, in bits.
`default_nettype none

module oct_packet #(
`include "oct_params.vh"
,
  parameter integer  // follow from those: none is set
`include "oct_widths.vh"
) (
  input  wire [3:0]                        kind_i,
  input  wire [2:0]                        mark_i,
  input  wire [ADDR_BITS-1:0]              addr_i,
  // a stream's packet does not hold the top bit of its length, which is sent less one
  // verilator lint_off UNUSEDSIGNAL
  input  wire [INSN_VALUE_BITS-1:0]        insn_value_i,
  // verilator lint_on UNUSEDSIGNAL
  input  wire [4:0]                        insn_n_i,
  input  wire [TUPLE_BITS-1:0]             tuple_i,
  input  wire [REP_PATTERN_BITS-1:0]       data_value_i,
  input  wire [DATA_N_BITS-1:0]            data_n_i,
  // numbers of the barrier under way
  input  wire [ADDR_BITS-1:0]              sync_insn_i,
  input  wire [ADDR_BITS-1:0]              lost_insns_i,
  input  wire [ADDR_BITS-1:0]              lost_accesses_i,
  input  wire [5:0]                        privilege_i,  // of the overflow, of the sync
  input  wire [2*ADDR_BITS+CAUSE_BITS+4:0] trap_i,       // the trap, and the stamp, that wait
  input  wire [55:0]                       time_i,
  input  wire [11:0]                       delay_i,      // of a stream, signed
  input  wire [2:0]                        phase_i,      // bits of the stream before the packet, modulo 8
  output reg  [PACKET_BITS-1:0]            packet_o,
  output reg  [LENGTH_BITS-1:0]            bits_o
);

`include "oct_types.vh"

  localparam integer A = ADDR_BITS;
  localparam integer W = REP_PATTERN_BITS;
  localparam integer SA_BITS = ADDR_BITS - PC_ALIGN_BITS;
  localparam integer NUMBERS_BITS = SYNC_ONES + 1 + ADDR_BITS + TASK_BITS;  // of a sync
  localparam [DATA_N_BITS-1:0] COUNT_MASK = ~({DATA_N_BITS{1'b1}} << REP_COUNT_BITS);
  localparam [DATA_N_BITS-1:0] REPEATS_MIN = 2;
  // prefix and count of a part, in front of its indices or hit bits
  localparam [LENGTH_BITS-1:0] TUPLE_PART_HEAD_BITS = 6 + 4;
  localparam [LENGTH_BITS-1:0] PATTERN_PART_HEAD_BITS = 6 + 5;
  localparam [31:0] INDEX_BITS_32 = INDEX_BITS;
  localparam [31:0] PATTERN_BITS_32 = 2 + W;
  // Of a repetition: its prefix is a zero longer where delays of streams have the other half of it.
  localparam integer REPEAT_AT = TIMESTAMP == 2 ? 4 : 3;
  localparam [31:0] REPEAT_BITS_32 = REPEAT_AT + W + REP_COUNT_BITS;
  localparam [31:0] INDEX_PACKET_BITS_32 = 3 + INDEX_BITS;
  localparam [31:0] HIT_BITS_32 = 3 + THB_BITS;
  localparam [31:0] MISS_BITS_32 = 4 + TUPLE_BITS;
  localparam [31:0] SCMT_BITS_32 = 4 + SA_BITS + SL_BITS;
  localparam [31:0] DMT_BITS_32 = 2 + A;
  localparam [31:0] TASK_PACKET_BITS_32 = 5 + TASK_BITS;
  localparam [31:0] OVERFLOW_BITS_32 = 8 + 2 * A + (TRAPS != 0 ? 4 : 0);
  localparam [31:0] SYNC_BITS_32 = PACKET_BITS;
  localparam [31:0] FLUSH_BITS_32 = 8 + CHECK_BITS + 3;
  localparam [31:0] CHECK_PACKET_BITS_32 = 8 + CHECK_BITS;

  wire [SL_BITS-1:0]       sl_less_1;
  wire [DATA_N_BITS-1:0]   count_less_2;
  wire [2:0]               pad;
  wire [LENGTH_BITS-1:0]   tuple_part_bits;
  wire [LENGTH_BITS-1:0]   pattern_part_bits;
  reg  [TUPLE_BITS-1:0]    part_tuple;
  reg  [W-1:0]             part_pattern;
  integer                  i;

  assign sl_less_1 = insn_value_i[SL_BITS-1:0] - 1'b1;
  assign count_less_2 = (data_n_i - REPEATS_MIN) & COUNT_MASK;
  assign pad = 3'd5 - phase_i;  // 8 + 3 bits and the pad end at a byte

  assign tuple_part_bits =
      TUPLE_PART_HEAD_BITS +
      {{(LENGTH_BITS - 5){1'b0}}, insn_n_i} * INDEX_BITS_32[LENGTH_BITS-1:0];
  assign pattern_part_bits =
      PATTERN_PART_HEAD_BITS + {{(LENGTH_BITS - 5){1'b0}}, data_n_i[4:0]};

  always @* begin
    for (i = 0; i < TUPLE_N; i = i + 1) begin
      part_tuple[i*INDEX_BITS+:INDEX_BITS] =
          i[4:0] < insn_n_i ? tuple_i[i*INDEX_BITS+:INDEX_BITS] : {INDEX_BITS{1'b0}};
    end
    for (i = 0; i < W; i = i + 1) part_pattern[i] = i[4:0] < data_n_i[4:0] && data_value_i[i];
  end

  // A trap: its kind tells how many words follow. A stamp: in as few bytes as it needs.
  localparam [1:0] TRAP_EXCEPTION = 2'd0, TRAP_INTERRUPT = 2'd1;
  localparam [31:0] TRAP_HEAD_BITS_32 = 9 + 3 + CAUSE_BITS + 3;
  localparam [31:0] A_32 = A;
  wire [1:0]             trap_kind;
  wire [2:0]             trap_privilege;
  wire [CAUSE_BITS-1:0]  trap_cause;
  wire [A-1:0]           trap_addr, trap_tval;
  wire [2:0]             trap_words, time_bytes;
  wire [LENGTH_BITS-1:0] trap_bits;
  assign {trap_kind, trap_privilege, trap_cause, trap_addr, trap_tval} = trap_i;
  assign trap_words = trap_kind == TRAP_EXCEPTION ? 3'd2 : trap_kind == TRAP_INTERRUPT ? 3'd1 : 3'd0;
  assign trap_bits = TRAP_HEAD_BITS_32[LENGTH_BITS-1:0] +
      {{(LENGTH_BITS - 3){1'b0}}, trap_words} * A_32[LENGTH_BITS-1:0];
  assign time_bytes = |time_i[55:48] ? 3'd7 : |time_i[47:40] ? 3'd6 : |time_i[39:32] ? 3'd5 :
      |time_i[31:24] ? 3'd4 : |time_i[23:16] ? 3'd3 : |time_i[15:8] ? 3'd2 : |time_i[7:0] ? 3'd1 : 3'd0;

  // A delay, in as few digits of four bits as its sign allows.
  wire [1:0] delay_digits = delay_i == 12'd0 ? 2'd0 : delay_i[11:3] == {9{delay_i[11]}} ? 2'd1 :
      delay_i[11:7] == {5{delay_i[11]}} ? 2'd2 : 2'd3;

  always @* begin
    packet_o = {PACKET_BITS{1'b0}};
    case (kind_i)
      ITEM_INDEX: begin
        packet_o[2:0] = PREFIX_INDEX;
        packet_o[3+:INDEX_BITS] = insn_value_i[INDEX_BITS-1:0];
        bits_o = INDEX_PACKET_BITS_32[LENGTH_BITS-1:0];
      end
      ITEM_TUPLE_HIT: begin
        packet_o[2:0] = PREFIX_TUPLE_HIT;
        packet_o[3+:THB_BITS] = insn_value_i[THB_BITS-1:0];
        bits_o = HIT_BITS_32[LENGTH_BITS-1:0];
      end
      ITEM_TUPLE_MISS: begin
        packet_o[3:0] = PREFIX_TUPLE_MISS;
        packet_o[4+:TUPLE_BITS] = tuple_i;
        bits_o = MISS_BITS_32[LENGTH_BITS-1:0];
      end
      ITEM_TUPLE_PART: begin
        packet_o[5:0] = PREFIX_TUPLE_PART;
        packet_o[9:6] = insn_n_i[3:0];
        packet_o[10+:TUPLE_BITS] = part_tuple;
        bits_o = tuple_part_bits;
      end
      ITEM_SCMT: begin
        packet_o[3:0] = PREFIX_SCMT;
        packet_o[4+:SA_BITS] = addr_i[A-1:PC_ALIGN_BITS];
        packet_o[4+SA_BITS+:SL_BITS] = sl_less_1;
        bits_o = SCMT_BITS_32[LENGTH_BITS-1:0];
      end
      ITEM_DMT: begin
        packet_o[1:0] = PREFIX_DMT;
        packet_o[2+:A] = addr_i;
        bits_o = DMT_BITS_32[LENGTH_BITS-1:0];
      end
      ITEM_DMT_END: begin
        packet_o[4:0] = PREFIX_TERMINATOR;
        bits_o = 5;
      end
      ITEM_PATTERN: begin
        packet_o[1:0] = PREFIX_PATTERN;
        packet_o[2+:W] = data_value_i;
        bits_o = PATTERN_BITS_32[LENGTH_BITS-1:0];
      end
      ITEM_REPEAT: begin
        packet_o[2:0] = PREFIX_REPETITION;
        packet_o[REPEAT_AT+:W] = data_value_i;
        packet_o[REPEAT_AT+W+:DATA_N_BITS] = count_less_2;
        bits_o = REPEAT_BITS_32[LENGTH_BITS-1:0];
      end
      ITEM_PATTERN_PART: begin
        packet_o[5:0] = PREFIX_PATTERN_PART;
        packet_o[10:6] = data_n_i[4:0];
        packet_o[11+:W] = part_pattern;
        bits_o = pattern_part_bits;
      end
      default: begin
        case (mark_i)
          MARK_TASK: begin
            packet_o[4:0] = PREFIX_TASK;
            packet_o[5+:TASK_BITS] = insn_value_i[TASK_BITS-1:0];
            bits_o = TASK_PACKET_BITS_32[LENGTH_BITS-1:0];
          end
          MARK_SYNC: begin
            packet_o[NUMBERS_BITS-1:0] =
                {insn_value_i[TASK_BITS-1:0], sync_insn_i, 1'b0, {SYNC_ONES{1'b1}}};
            if (TRAPS != 0)
              packet_o = packet_o | ({{(PACKET_BITS - 3){1'b0}}, privilege_i[2:0]} << (NUMBERS_BITS + 1));
            bits_o = SYNC_BITS_32[LENGTH_BITS-1:0];
          end
          MARK_OVERFLOW: begin
            packet_o[7:0] = PREFIX_OVERFLOW;
            packet_o[8+:2*A] = {lost_accesses_i, lost_insns_i};
            if (TRAPS != 0) packet_o[9+2*A+:3] = privilege_i[5:3];
            bits_o = OVERFLOW_BITS_32[LENGTH_BITS-1:0];
          end
          MARK_CHECK: begin
            packet_o[7:0] = PREFIX_CHECK;
            bits_o = CHECK_PACKET_BITS_32[LENGTH_BITS-1:0];
          end
          default: begin
            packet_o[7:0] = PREFIX_FLUSH;
            packet_o[8+CHECK_BITS+:3] = pad;
            bits_o = FLUSH_BITS_32[LENGTH_BITS-1:0] + {{(LENGTH_BITS - 3){1'b0}}, pad};
          end
        endcase
        if (TRAPS != 0 && mark_i == MARK_TRAP) begin
          packet_o = {PACKET_BITS{1'b0}};
          packet_o[8:0] = PREFIX_TRAP;
          packet_o[9+:3+CAUSE_BITS+3] = {trap_words, trap_cause, trap_privilege};
          packet_o[15+CAUSE_BITS+:A] = trap_words != 3'd0 ? trap_addr : {A{1'b0}};
          packet_o[15+CAUSE_BITS+A+:A] = trap_words == 3'd2 ? trap_tval : {A{1'b0}};
          bits_o = trap_bits;
        end
        if (TIMESTAMP != 0 && mark_i == MARK_TIME) begin
          packet_o = {PACKET_BITS{1'b0}};
          packet_o[8:0] = PREFIX_TIME;
          packet_o[9+:3+56] = {time_i, time_bytes};
          bits_o = 12 + {{(LENGTH_BITS - 6){1'b0}}, time_bytes, 3'd0};
        end
      end
    endcase
    if (TIMESTAMP == 2 && kind_i == ITEM_CYCLES) begin
      packet_o = {PACKET_BITS{1'b0}};
      packet_o[3:0] = PREFIX_CYCLES;
      packet_o[5:4] = delay_digits;
      packet_o[9:6] = delay_digits != 2'd0 ? delay_i[3:0] : 4'd0;
      packet_o[13:10] = delay_digits[1] ? delay_i[7:4] : 4'd0;
      packet_o[17:14] = delay_digits == 2'd3 ? delay_i[11:8] : 4'd0;
      bits_o = 6 + {{(LENGTH_BITS - 4){1'b0}}, delay_digits, 2'd0};
    end
  end

`ifdef FORMAL_OCT_PACKET
  // The rules of the inputs, which oct_output has for its own.
  wire f_is_mark = kind_i == ITEM_MARK;
  wire f_is_hit = kind_i == ITEM_INDEX || kind_i == ITEM_TUPLE_HIT;
  localparam [31:0] F_TUPLE_N = TUPLE_N;
  always @* begin
    assume (kind_i <= ITEM_MARK || (TIMESTAMP == 2 && kind_i == ITEM_CYCLES));
    if (f_is_mark) assume (mark_i >= MARK_TASK);
    if (TRAPS == 0) assume (mark_i != MARK_TRAP);
    if (TIMESTAMP == 0) assume (mark_i != MARK_TIME);
    if (kind_i == ITEM_TUPLE_PART) assume (insn_n_i < F_TUPLE_N[4:0]);
    if (kind_i == ITEM_PATTERN_PART) assume ({{(32 - DATA_N_BITS){1'b0}}, data_n_i} < W);
  end

  // What a receiver finds at the places of the fields.
  localparam [31:0] F_PACKET_BITS = PACKET_BITS;
  wire [7:0]             f_head = packet_o[7:0];
  wire [LENGTH_BITS+2:0] f_end = {3'd0, bits_o} + {{LENGTH_BITS{1'b0}}, phase_i};
  wire [TUPLE_BITS-1:0]  f_tuple_part =
      tuple_i & ~({TUPLE_BITS{1'b1}} << (insn_n_i * INDEX_BITS_32));
  wire [W-1:0]           f_pattern_part = data_value_i & ~({W{1'b1}} << data_n_i);

  always @* begin
    // A packet has bits, no more than its register, and zeros behind them.
    assert (bits_o != {LENGTH_BITS{1'b0}} && bits_o <= F_PACKET_BITS[LENGTH_BITS-1:0]);
    assert (packet_o >> bits_o == {PACKET_BITS{1'b0}});
    // Its first bits tell it from all others, read from the first on;
    assert ((f_head[1:0] == 2'b00) == (kind_i == ITEM_DMT));
    assert ((f_head[1:0] == 2'b10) == (kind_i == ITEM_PATTERN));
    assert ((f_head[2:0] == 3'b001) == f_is_hit);
    assert ((f_head[2:0] == 3'b101 && !(TIMESTAMP == 2 && f_head[3])) == (kind_i == ITEM_REPEAT));
    assert ((TIMESTAMP == 2 && f_head[3:0] == 4'b1101) == (kind_i == ITEM_CYCLES));
    assert ((f_head[3:0] == 4'b0011) == (kind_i == ITEM_SCMT));
    assert ((f_head[3:0] == 4'b1011) == (kind_i == ITEM_TUPLE_MISS));
    assert ((f_head[4:0] == 5'b00111) == (kind_i == ITEM_DMT_END));
    assert ((f_head[4:0] == 5'b10111) == (f_is_mark && mark_i == MARK_TASK));
    assert ((f_head[5:0] == 6'b001111) == (kind_i == ITEM_TUPLE_PART));
    assert ((f_head[5:0] == 6'b101111) == (kind_i == ITEM_PATTERN_PART));
    assert ((f_head == 8'b00011111) == (f_is_mark && mark_i == MARK_OVERFLOW));
    assert ((f_head == 8'b10011111) == (f_is_mark && mark_i == MARK_FLUSH));
    assert ((f_head == 8'b11111111) == (f_is_mark && mark_i == MARK_SYNC));
    assert ((packet_o[8:0] == 9'b011011111) == (f_is_mark && mark_i == MARK_TRAP));
    assert ((packet_o[8:0] == 9'b111011111) == (f_is_mark && mark_i == MARK_TIME));
    // behind them stand the fields, whole,
    if (kind_i == ITEM_DMT) assert (packet_o[2+:A] == addr_i && bits_o == A + 2);
    if (kind_i == ITEM_PATTERN) assert (packet_o[2+:W] == data_value_i && bits_o == W + 2);
    if (kind_i == ITEM_INDEX)
      assert (packet_o[3+:INDEX_BITS] == insn_value_i[INDEX_BITS-1:0] && bits_o == INDEX_BITS + 3);
    if (kind_i == ITEM_TUPLE_HIT)
      assert (packet_o[3+:THB_BITS] == insn_value_i[THB_BITS-1:0] && bits_o == THB_BITS + 3);
    if (kind_i == ITEM_REPEAT) begin
      assert (packet_o[REPEAT_AT+:W] == data_value_i && bits_o == W + REP_COUNT_BITS + REPEAT_AT);
      assert (((packet_o >> (REPEAT_AT + W)) + 2'd2 - data_n_i) << (PACKET_BITS - REP_COUNT_BITS) ==
              {PACKET_BITS{1'b0}});
    end
    if (kind_i == ITEM_SCMT) begin
      assert (packet_o[4+:SA_BITS] == addr_i >> PC_ALIGN_BITS && bits_o == SA_BITS + SL_BITS + 4);
      assert (packet_o[4+SA_BITS+:SL_BITS] + 1'b1 == insn_value_i[SL_BITS-1:0]);
    end
    if (kind_i == ITEM_TUPLE_MISS)
      assert (packet_o[4+:TUPLE_BITS] == tuple_i && bits_o == TUPLE_BITS + 4);
    if (kind_i == ITEM_DMT_END) assert (bits_o == 5);
    if (kind_i == ITEM_CYCLES) begin
      // The digits, with the sign of the highest, are the delay.
      assert (bits_o == 6 + 4 * packet_o[5:4]);
      if (packet_o[5:4] == 2'd0) assert (delay_i == 12'd0);
      if (packet_o[5:4] == 2'd1) assert (delay_i == {{8{packet_o[9]}}, packet_o[9:6]});
      if (packet_o[5:4] == 2'd2) assert (delay_i == {{4{packet_o[13]}}, packet_o[13:6]});
      if (packet_o[5:4] == 2'd3) assert (delay_i == packet_o[17:6]);
    end
    if (kind_i == ITEM_TUPLE_PART) begin
      assert (packet_o[9:6] == insn_n_i[3:0] && packet_o[10+:TUPLE_BITS] == f_tuple_part);
      assert (bits_o == insn_n_i * INDEX_BITS + 10);
    end
    if (kind_i == ITEM_PATTERN_PART) begin
      assert (packet_o[10:6] == data_n_i[4:0] && packet_o[11+:W] == f_pattern_part);
      assert (bits_o == data_n_i + 11);
    end
    if (f_is_mark && mark_i == MARK_TASK)
      assert (packet_o[5+:TASK_BITS] == insn_value_i[TASK_BITS-1:0] && bits_o == TASK_BITS + 5);
    if (f_is_mark && mark_i == MARK_OVERFLOW) begin
      assert (packet_o[8+:A] == lost_insns_i && packet_o[8+A+:A] == lost_accesses_i);
      assert (bits_o == 2 * A + 8 + (TRAPS != 0 ? 4 : 0));
      if (TRAPS != 0) assert (packet_o[8+2*A+:4] == {privilege_i[5:3], 1'b0});
    end
    if (f_is_mark && mark_i == MARK_SYNC) begin
      assert (&packet_o[SYNC_ONES-1:0] && !packet_o[SYNC_ONES] && bits_o == PACKET_BITS);
      assert (packet_o[SYNC_ONES+1+:A] == sync_insn_i);
      assert (packet_o[SYNC_ONES+1+A+:TASK_BITS] == insn_value_i[TASK_BITS-1:0]);
      assert (packet_o >> NUMBERS_BITS == (TRAPS != 0 ? {privilege_i[2:0], 1'b0} : 4'd0));
    end
    if (f_is_mark && mark_i == MARK_CHECK)
      assert (f_head == PREFIX_CHECK && bits_o == 8 + CHECK_BITS);
    if (f_is_mark && mark_i == MARK_TRAP) begin
      assert (packet_o[11:9] == trap_privilege && packet_o[12+:CAUSE_BITS] == trap_cause);
      assert (packet_o[12+CAUSE_BITS+:3] <= 3'd2 && !packet_o[14+CAUSE_BITS]);
      assert (bits_o == 15 + CAUSE_BITS + A * packet_o[12+CAUSE_BITS+:3]);
      if (trap_kind == TRAP_EXCEPTION) assert (packet_o[15+CAUSE_BITS+:2*A] == {trap_tval, trap_addr});
      if (trap_kind == TRAP_INTERRUPT) assert (packet_o[15+CAUSE_BITS+:A] == trap_addr);
    end
    if (f_is_mark && mark_i == MARK_TIME) begin
      assert (packet_o[12+:56] == time_i && bits_o == 12 + 8 * packet_o[11:9]);
      // No byte of it is a leading zero.
      if (packet_o[11:9] != 3'd0) assert (time_i >> (8 * packet_o[11:9] - 8) != 56'd0);
    end
    // and a flush ends at a byte, within eight bits.
    if (f_is_mark && mark_i == MARK_FLUSH) begin
      assert (f_end[2:0] == 3'd0 && bits_o < 19 + CHECK_BITS);
      assert (packet_o[8+CHECK_BITS+:3] + 11 + CHECK_BITS == bits_o);
    end
  end

  // The longest part of a tuple, a flush that needs no bit to end at a byte.
  always @* begin
    cover (kind_i == ITEM_TUPLE_PART && insn_n_i != 5'd0);
    cover (f_is_mark && mark_i == MARK_FLUSH && bits_o == 11 + CHECK_BITS);
  end
`endif

endmodule

`default_nettype wire
