// SPDX-License-Identifier: Apache-2.0
// oct_output - trace output controller: arbitrates both sides, makes packets, packs them, and hands
// bytes to the trace bus.
//
// Inputs: an item of the instruction side, one of the data side; the instruction side goes first.
// Barriers (sync, overflow, flush) wait for both. Output: ATB beats of 1 to 4 bytes, of 4 but for
// the last of a flush. The bus runs in cycles with atclken_i, and what it sees changes only behind
// one. After a flush packet nothing is taken until all has left; flush_out_o tells so until the
// bus has seen it, with flush_done_o.
// Latency: 1 cycle from an item to the packet register, then 64 bits a cycle into the output FIFO,
// a word of which is offered in the cycle after its push, 32 bits a cycle. An item is taken with
// the last bits of the packet before it. Back-pressure: valid/ready, a beat is stable until it is
// taken; the ready outputs depend on the items.
// The output FIFO is an oct_ram with bypass that reads the word which will be the head: the same
// cycles as a memory read without a clock, at the price of one word of registers instead of all.
// Checks: the CRC follows the bits as they move behind the carry. A packet with a check comes with
// zeros in its place: they are filled when its first bits move, which is after all before it did.
// Between two packets a check packet is made when CHECK_PERIOD_BITS have been sent without one;
// sync_due_o rises when SYNC_PERIOD_BITS have been sent since the last sync, and falls with a sync.
// Parameters: OUT_FIFO_BYTES (output FIFO), the widths of the fields in bits.
`default_nettype none

module oct_output #(
`include "oct_params.vh"
,
  parameter integer  // follow from those: none is set
`include "oct_widths.vh"
) (
  input  wire                                  clk_i,
  input  wire                                  rst_ni,
  // instruction side
  input  wire                                  insn_valid_i,
  output wire                                  insn_ready_o,
  input  wire [3:0]                            insn_kind_i,
  input  wire [2:0]                            insn_mark_i,
  input  wire [ADDR_BITS-1:0]                  insn_addr_i,
  input  wire [INSN_VALUE_BITS-1:0]            insn_value_i,
  input  wire [4:0]                            insn_n_i,
  input  wire [TUPLE_BITS-1:0]                 insn_tuple_i,
  // data side
  input  wire                                  data_valid_i,
  output wire                                  data_ready_o,
  input  wire [3:0]                            data_kind_i,
  input  wire [2:0]                            data_mark_i,
  input  wire [ADDR_BITS-1:0]                  data_addr_i,
  input  wire [REP_PATTERN_BITS-1:0]           data_value_i,
  input  wire [DATA_N_BITS-1:0]                data_n_i,
  // delays of streams, a third side with TIMESTAMP = 2; mark 0: a delay
  input  wire                                  cycles_valid_i,
  output wire                                  cycles_ready_o,
  input  wire [2:0]                            cycles_mark_i,
  input  wire [11:0]                           cycles_delay_i,
  // barriers: resume_i says that the ingress has frozen the counts of an overflow
  input  wire                                  resume_i,
  input  wire [ADDR_BITS-1:0]                  barrier_sync_insn_i,
  input  wire [ADDR_BITS-1:0]                  barrier_lost_insns_i,
  input  wire [ADDR_BITS-1:0]                  barrier_lost_accesses_i,
  input  wire [2*ADDR_BITS+CAUSE_BITS+4:0]     barrier_trap_i,  // as in oct_ingress.v
  input  wire [55:0]                           barrier_time_i,
  input  wire [5:0]                            barrier_privilege_i,
  output wire                                  overflow_at_head_o,
  output wire                                  overflow_done_o,
  output wire                                  sync_done_o,
  output wire                                  trap_done_o,     // the trap has its packet,
  output wire                                  time_done_o,     // the stamp has
  output wire                                  sync_due_o,      // the ingress is to place a sync
  // the trace bus; atbytes_o is bytes less one
  input  wire                                  atready_i,
  input  wire                                  atclken_i,
  output wire                                  atvalid_o,
  output wire [31:0]                           atdata_o,
  output wire [1:0]                            atbytes_o,
  output wire                                  flush_out_o,
  output wire                                  flush_done_o,
  output wire [$clog2(OUT_FIFO_BYTES + 1)-1:0] count_bytes_o    // held in the output FIFO, in whole beats
);

  localparam integer COUNT_BYTES_BITS = $clog2(OUT_FIFO_BYTES + 1);

`include "oct_types.vh"

  localparam integer WORDS = OUT_FIFO_BYTES / 8;
  localparam integer WORD_ADDR_BITS = $clog2(WORDS);
  localparam [31:0] WORDS_32 = WORDS;
  localparam [WORD_ADDR_BITS:0] ALL_WORDS = WORDS_32[WORD_ADDR_BITS:0];
  localparam [LENGTH_BITS-1:0] MOVE_BITS_MAX = 64;  // that leave the packet register in a cycle
  localparam [WORD_ADDR_BITS:0] NO_WORDS = 0;
  localparam [WORD_ADDR_BITS:0] ONE_WORD = 1;

  // packet register, the first bit to leave lowest, 0 from left_bits_q on
  reg  [PACKET_BITS-1:0]    packet_q;
  reg  [LENGTH_BITS-1:0]    left_bits_q;
  reg  [2:0]                phase_q;       // bits of all packets, modulo 8
  reg  [63:0]               carry_q;       // bits that do not fill a word yet
  reg  [5:0]                carry_bits_q;
  reg  [WORD_ADDR_BITS-1:0] head_q;
  reg  [WORD_ADDR_BITS-1:0] tail_q;
  reg  [WORD_ADDR_BITS:0]   count_words_q;
  reg                       half_q;        // the lower half of the word at head has left

  // Arbitration.
  wire                      insn_barrier;
  wire                      data_barrier;
  wire                      take;          // the packet register is empty with this clock
  wire                      take_item;
  wire                      load_check;
  wire                      check_due;
  wire                      both;
  wire                      is_overflow;
  wire                      load_both;
  wire                      load_data;
  wire                      load;
  wire [3:0]                kind;
  wire [2:0]                mark;
  wire [PACKET_BITS-1:0]    packet;
  wire [LENGTH_BITS-1:0]    packet_bits;

  wire is_trap = TRAPS != 0 && insn_kind_i == ITEM_MARK && insn_mark_i == MARK_TRAP;
  wire is_time = TIMESTAMP != 0 && insn_kind_i == ITEM_MARK && insn_mark_i == MARK_TIME;
  assign insn_barrier = insn_kind_i == ITEM_MARK && insn_mark_i != MARK_TASK && !is_trap && !is_time;
  assign data_barrier = data_kind_i == ITEM_MARK && data_mark_i != MARK_TASK;
  assign is_overflow = insn_mark_i == MARK_OVERFLOW;
  assign take_item = take && !check_due;
  assign load_check = take && check_due;
  // Delays go first: the streams wait for them.
  wire has_delay = TIMESTAMP == 2 && cycles_valid_i && cycles_mark_i == MARK_NONE;
  wire at_barrier = TIMESTAMP != 2 || (cycles_valid_i && cycles_mark_i != MARK_NONE);
  wire take_other = take_item && !has_delay;
  wire load_delay = take_item && has_delay;
  assign cycles_ready_o = load_delay || load_both;
  assign both = take_other && insn_valid_i && insn_barrier && data_valid_i && data_barrier && at_barrier;
  assign load_both = both && (!is_overflow || resume_i);
  assign load_data = take_other && data_valid_i && !data_barrier && !(insn_valid_i && !insn_barrier);
  assign insn_ready_o = load_both || (take_other && insn_valid_i && !insn_barrier);
  assign data_ready_o = load_both || load_data;
  assign load = insn_ready_o || data_ready_o || load_delay || load_check;
  assign overflow_at_head_o = both && is_overflow;
  assign overflow_done_o = both && is_overflow && resume_i;
  assign sync_done_o = both && insn_mark_i == MARK_SYNC;

  assign trap_done_o = insn_ready_o && is_trap;
  assign time_done_o = insn_ready_o && is_time;

  assign kind = load_check ? ITEM_MARK : load_delay ? ITEM_CYCLES : load_data ? data_kind_i : insn_kind_i;
  assign mark = load_check ? MARK_CHECK : insn_mark_i;

  oct_packet #(
`include "oct_pass.vh"
  ) u_packet (
    .kind_i         (kind),
    .mark_i         (mark),
    .addr_i         (load_data ? data_addr_i : insn_addr_i),
    .insn_value_i   (insn_value_i),
    .insn_n_i       (insn_n_i),
    .tuple_i        (insn_tuple_i),
    .data_value_i   (data_value_i),
    .data_n_i       (data_n_i),
    .sync_insn_i    (barrier_sync_insn_i),
    .lost_insns_i   (barrier_lost_insns_i),
    .lost_accesses_i(barrier_lost_accesses_i),
    .trap_i         (barrier_trap_i),
    .time_i         (barrier_time_i),
    .privilege_i    (barrier_privilege_i),
    .delay_i        (cycles_delay_i),
    .phase_i        (phase_q),
    .packet_o       (packet),
    .bits_o         (packet_bits)
  );

  // Packing: up to 64 bits of the packet register move behind the carry, and a full word of them on
  // to the FIFO. A flush packet ends at a byte: what it leaves in carry becomes a short last word.
  wire                      is_empty;   // the packet register
  wire                      is_full;    // the FIFO
  wire                      is_last;    // no more than 64 bits are left of the packet
  wire [6:0]                move_bits;
  wire [6:0]                total_bits;
  wire [6:0]                last_bits;  // likewise, if is_last
  wire [63:0]               word;       // of the packet register, the check filled in
  wire [PACKET_BITS-1:0]    rest;       // what stays of it, likewise
  wire [127:0]              shifted;
  wire [63:0]               low;
  wire                      move;
  wire                      close;
  wire                      push;
  wire                      flushes;      // a flush is under way,
  wire                      flush_packs;  // its packet in the packet register, or in carry

  assign is_empty = left_bits_q == {LENGTH_BITS{1'b0}};
  assign is_full = count_words_q == ALL_WORDS;
  assign is_last = left_bits_q <= MOVE_BITS_MAX;
  assign move_bits = is_last ? left_bits_q[6:0] : MOVE_BITS_MAX[6:0];
  assign total_bits = {1'b0, carry_bits_q} + move_bits;
  assign shifted = {64'd0, word} << carry_bits_q;
  assign low = carry_q | shifted[63:0];
  assign move = !is_empty && !(total_bits[6] && is_full);
  // With what is left, or nothing: told without waiting for move_bits, since the stages before wait.
  assign last_bits = {1'b0, carry_bits_q} + left_bits_q[6:0];
  assign take = !flushes && is_last && !(last_bits[6] && is_full);
  wire unused = &{1'b0, last_bits[5:0]};
  assign close = flush_packs && is_empty && !(carry_bits_q != 6'd0 && is_full);
  assign push = (move && total_bits[6]) || (close && carry_bits_q != 6'd0);

  always @(posedge clk_i) begin
    if (load) packet_q <= packet;
    else if (move) packet_q <= rest;
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_bits_q <= {LENGTH_BITS{1'b0}};
      phase_q <= 3'd0;
    end else if (load) begin
      left_bits_q <= packet_bits;
      phase_q <= phase_q + packet_bits[2:0];
    end else if (move) begin
      left_bits_q <= is_last ? {LENGTH_BITS{1'b0}} : left_bits_q - MOVE_BITS_MAX;
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      carry_q <= 64'd0;
      carry_bits_q <= 6'd0;
    end else if (close) begin
      carry_q <= 64'd0;
      carry_bits_q <= 6'd0;
    end else if (move) begin
      carry_q <= total_bits[6] ? shifted[127:64] : low;
      carry_bits_q <= total_bits[5:0];
    end
  end

  localparam [1:0] SEAL_NONE = 2'd0;
  localparam [1:0] SEAL_SHORT = 2'd1;  // a flush or check packet, whose check is in bit 8 on
  localparam [1:0] SEAL_SYNC = 2'd2;   // whose check is behind the first 64 bits
  // what the packet register gets with its first move; read by the properties alone
  // verilator lint_off UNUSEDSIGNAL
  wire [1:0] seal;
  // verilator lint_on UNUSEDSIGNAL

  // Checks, and the bits since the last check and the last sync, which stop when one is due.
  generate
    if (CHECK_BITS > 0) begin : gen_check
      localparam integer SYNC_CHECK_AT = PACKET_BITS - CHECK_BITS - 64;
      reg  [CHECK_BITS-1:0] crc_q;
      reg  [1:0]            seal_q;
      wire [CHECK_BITS-1:0] crc;
      wire                  load_short =
          load_check || (load_both && insn_mark_i == MARK_FLUSH);
      wire [63:0]           short_check = {{(64 - CHECK_BITS){1'b0}}, crc_q} << 8;
      wire [PACKET_BITS-1:0] sync_check =
          {{(PACKET_BITS - CHECK_BITS){1'b0}}, crc_q} << SYNC_CHECK_AT;

      assign seal = seal_q;
      assign word = packet_q[63:0] | (seal_q == SEAL_SHORT ? short_check : 64'd0);
      assign rest =
          (packet_q >> 64) | (seal_q == SEAL_SYNC ? sync_check : {PACKET_BITS{1'b0}});

      oct_crc #(
        .CHECK_BITS(CHECK_BITS)
      ) u_crc (
        .crc_i (seal_q == SEAL_NONE ? crc_q : {CHECK_BITS{1'b0}}),
        .word_i(word),
        .bits_i(move_bits),
        .crc_o (crc)
      );

      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          crc_q <= {CHECK_BITS{1'b0}};
          seal_q <= SEAL_NONE;
        end else begin
          if (move) crc_q <= crc;
          if (load) seal_q <= load_short ? SEAL_SHORT : sync_done_o ? SEAL_SYNC : SEAL_NONE;
          else if (move) seal_q <= SEAL_NONE;
        end
      end
    end else begin : gen_no_check
      assign seal = SEAL_NONE;
      assign word = packet_q[63:0];
      assign rest = packet_q >> 64;
    end

    if (CHECK_PERIOD_BITS > 0) begin : gen_check_period
      localparam integer SINCE_BITS = $clog2(CHECK_PERIOD_BITS + PACKET_BITS + 1);
      localparam [31:0] PERIOD_32 = CHECK_PERIOD_BITS;
      reg  [SINCE_BITS-1:0] since_q;
      wire [SINCE_BITS-1:0] bits = {{(SINCE_BITS - LENGTH_BITS){1'b0}}, packet_bits};
      assign check_due = since_q >= PERIOD_32[SINCE_BITS-1:0];
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) since_q <= {SINCE_BITS{1'b0}};
        else if (load_check || sync_done_o || (load_both && insn_mark_i == MARK_FLUSH))
          since_q <= bits;
        else if (load) since_q <= since_q + bits;  // nothing else while one is due
      end
    end else begin : gen_no_check_period
      assign check_due = 1'b0;
    end

    if (SYNC_PERIOD_BITS > 0) begin : gen_sync_period
      localparam integer SINCE_BITS = $clog2(SYNC_PERIOD_BITS + PACKET_BITS + 1);
      localparam [31:0] PERIOD_32 = SYNC_PERIOD_BITS;
      reg  [SINCE_BITS-1:0] since_q;
      wire [SINCE_BITS-1:0] bits = {{(SINCE_BITS - LENGTH_BITS){1'b0}}, packet_bits};
      assign sync_due_o = since_q >= PERIOD_32[SINCE_BITS-1:0];
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) since_q <= {SINCE_BITS{1'b0}};
        else if (sync_done_o) since_q <= bits;
        else if (load && !sync_due_o) since_q <= since_q + bits;
      end
    end else begin : gen_no_sync_period
      assign sync_due_o = 1'b0;
    end
  endgenerate

  // The output FIFO and its beats.
  wire [63:0]               head_word;
  wire [WORD_ADDR_BITS-1:0] head_d;
  wire [2:0]                head_bytes;  // less one
  wire                      ends_word;
  wire                      beat;
  wire                      pop;
  reg  [WORD_ADDR_BITS:0]   count_words_d;

  assign ends_word = half_q || !head_bytes[2];
  assign beat = atvalid_o && atready_i && atclken_i;
  assign pop = beat && ends_word;
  assign head_d = pop ? head_q + 1'b1 : head_q;
  assign atbytes_o = ends_word ? head_bytes[1:0] : 2'd3;
  assign atdata_o = half_q ? head_word[63:32] : head_word[31:0];
  assign count_bytes_o = {count_words_q, 3'd0} - {{(COUNT_BYTES_BITS - 3){1'b0}}, half_q, 2'd0};

  oct_ram #(
    .WIDTH (64),
    .DEPTH (WORDS),
    .BYPASS(1)
  ) u_fifo (
    .clk_i  (clk_i),
    .we_i   (push),
    .waddr_i(tail_q),
    .wdata_i(low),
    .re_i   (pop || (push && count_words_q == NO_WORDS)),
    .raddr_i(head_d),
    .rdata_o(head_word)
  );
`ifdef FORMAL
  // For the properties: any one word of the FIFO (oct_ram.v).
  (* hierconn *) wire [WORD_ADDR_BITS-1:0] \u_fifo.f_watch_addr ;
  (* hierconn *) wire [63:0]               \u_fifo.f_watch_word ;
`endif

  always @* begin
    count_words_d = count_words_q;
    if (push && !pop) count_words_d = count_words_q + ONE_WORD;
    else if (pop && !push) count_words_d = count_words_q - ONE_WORD;
  end

  oct_flush #(
    .WORD_BYTES(8)
  ) u_flush (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .begins_i    (load_both && insn_mark_i == MARK_FLUSH),
    .packs_i     (close),
    .last_bytes_i(carry_bits_q[5:3] - 3'd1),
    .has_one_i   (count_words_q == ONE_WORD),
    .has_next_i  (count_words_d != NO_WORDS),
    .flushes_o   (flushes),
    .is_packing_o(flush_packs),
    .head_bytes_o(head_bytes),
    .atclken_i   (atclken_i),
    .atvalid_o   (atvalid_o),
    .flush_out_o (flush_out_o),
    .flush_done_o(flush_done_o)
  );

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= {WORD_ADDR_BITS{1'b0}};
      tail_q <= {WORD_ADDR_BITS{1'b0}};
      count_words_q <= NO_WORDS;
      half_q <= 1'b0;
    end else begin
      head_q <= head_d;
      if (push) tail_q <= tail_q + 1'b1;
      count_words_q <= count_words_d;
      if (beat) half_q <= !ends_word;
    end
  end

`ifdef FORMAL
`include "oct_output_formal.vh"
`endif

endmodule

`default_nettype wire
