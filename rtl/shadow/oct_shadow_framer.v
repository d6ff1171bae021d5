// SPDX-License-Identifier: Apache-2.0
// oct_shadow_framer - from the coder's bytes and the marks between periods to the trace bus.
// docs/shadow-format.md, section 2; model/shadow/oct_shadow_tail.c, oct_shadow_frame.h.
//
// The coder gives up to two bytes a cycle. Behind the end of a period, and at first, the framer waits
// for a mark and sends it, a byte a cycle: three bytes of ones, its kind, the check of the period
// before, and numbers by seven bits. What a mark tells stays at the inputs until mark_done_o. A flush
// then fills the last word: it is short, and nothing is taken until all words have left.
//
// The check is taken from the bytes as they come, from the first byte of a mark on; the kind of the
// mark behind them is two bits more. The output buffer holds words of four bytes; its first one is read
// ahead, as the bus needs it.
//
// Latency: 1 cycle from a byte that fills a word to the bus. Back-pressure: valid/ready; nothing is
// taken while the buffer is full, and the marks wait too.
//
// sync_due_o rises when SYNC_BITS have come since the last sync, its mark left out, and falls with a sync.
//
// OUT_FIFO_BYTES  the output buffer, a power of two from 32 on
// SYNC_BITS       port bits between syncs; 0: none come so
// TASK_BITS       of a task number
// CHECK           1: marks have a check
`default_nettype none

module oct_shadow_framer #(
  parameter integer OUT_FIFO_BYTES = 64,
  parameter [31:0]  SYNC_BITS      = 32'd65536,
  parameter integer TASK_BITS      = 16,
  parameter integer CHECK          = 1
) (
  input  wire                                      clk_i,
  input  wire                                      rst_ni,
  // the coder
  input  wire                                      valid_i,
  input  wire [1:0]                                n_bytes_i,
  input  wire [15:0]                               bytes_i,
  input  wire                                      end_i,
  output wire                                      ready_o,
  // the mark that comes next
  input  wire                                      mark_valid_i,
  input  wire [1:0]                                mark_kind_i,  // 0 sync, 1 flush, 2 overflow, 3 that cut an instruction
  input  wire [41:0]                               mark_number_i,
  input  wire [TASK_BITS-1:0]                      mark_task_i,
  input  wire [41:0]                               mark_lost_insns_i,
  input  wire [41:0]                               mark_lost_accesses_i,
  output wire                                      mark_done_o,
  output wire                                      sync_due_o,
  // the trace bus; atbytes_o is bytes less one
  input  wire                                      atready_i,
  input  wire                                      atclken_i,
  output wire                                      atvalid_o,
  output wire [31:0]                               atdata_o,
  output wire [1:0]                                atbytes_o,
  output wire                                      flush_out_o,
  output wire                                      flush_done_o,
  output wire [$clog2(OUT_FIFO_BYTES / 4 + 1)-1:0] count_words_o
);

  localparam integer WORDS = OUT_FIFO_BYTES / 4;
  localparam integer COUNT_BITS = $clog2(WORDS + 1);

  localparam [1:0] SYNC = 2'd0, FLUSH = 2'd1;
  localparam integer CHECK_BYTES = CHECK != 0 ? 3 : 0;
  localparam integer TASK_BYTES  = (TASK_BITS + 6) / 7;
  localparam integer HEAD_BYTES  = 4;  // ones and kind
  localparam integer LAST        = HEAD_BYTES + CHECK_BYTES + 6 + TASK_BYTES - 1;
  localparam integer LOST_BYTES  = 12;
  localparam integer FIELDS_BITS = 7 * (CHECK_BYTES + 6 + TASK_BYTES + LOST_BYTES);
  localparam integer ADDR_BITS   = $clog2(WORDS);
  localparam [31:0] LAST_32 = LAST, LAST_OVERFLOW_32 = LAST + LOST_BYTES, WORDS_32 = WORDS;
  localparam [COUNT_BITS-1:0] ALL_WORDS = WORDS_32[COUNT_BITS-1:0];
  localparam [COUNT_BITS-1:0] NONE = 0, ONE = 1;

  reg                   ended_q;     // the period has left: a mark is next
  reg  [5:0]            at_q;        // byte of the mark
  reg  [15:0]           crc_q;
  reg  [23:0]           held_q;      // bytes that do not fill a word, the first lowest,
  reg  [1:0]            n_held_q;    // so many
  reg  [COUNT_BITS-1:0] count_q;
  wire                  flushes, flush_packs;  // a flush is under way, its last bytes still held
  wire                  is_full = count_q == ALL_WORDS;

  // ---- The mark ----

  wire                   marks = ended_q && mark_valid_i && !flushes && !is_full;
  wire [7*TASK_BYTES-1:0] task_field = {{(7 * TASK_BYTES - TASK_BITS){1'b0}}, mark_task_i};
  wire [FIELDS_BITS-1:0] fields;
  wire [5:0]             last = mark_kind_i[1] ? LAST_OVERFLOW_32[5:0] : LAST_32[5:0];
  wire [5:0]             field_at = at_q - 6'd4;
  wire [FIELDS_BITS-1:0] field = fields >> (4'd7 * {4'd0, field_at});
  wire                   is_head = at_q < 6'd4;
  wire [7:0]             mark_byte = at_q < 6'd3 ? 8'hff : is_head ? {5'd0, mark_kind_i, 1'b0} :
                                     {1'b0, field[6:0]};
  wire                   mark_ends = marks && at_q == last;

  // verilator lint_off UNUSEDSIGNAL
  wire [15:0] check;  // CHECK = 0: nothing takes it
  // verilator lint_on UNUSEDSIGNAL

  generate
    if (CHECK != 0) begin : gen_check
      reg [15:0] check_q;  // of the period before
      always @(posedge clk_i) if (marks && at_q == 6'd0) check_q <= check;
      assign fields = {mark_lost_accesses_i, mark_lost_insns_i, task_field, mark_number_i, 5'd0, check_q};
    end else begin : gen_no_check
      assign fields = {mark_lost_accesses_i, mark_lost_insns_i, task_field, mark_number_i};
    end
  endgenerate

  // ---- Bytes ----

  wire        takes = valid_i && ready_o;
  wire [1:0]  n_bytes = marks ? 2'd1 : takes ? n_bytes_i : 2'd0;
  wire [15:0] bytes = marks ? {8'd0, mark_byte} : bytes_i & {{8{n_bytes[1]}}, {8{n_bytes != 2'd0}}};
  wire [39:0] joined = {16'd0, held_q} | ({24'd0, bytes} << {n_held_q, 3'd0});
  wire [2:0]  n_joined = {1'b0, n_held_q} + {1'b0, n_bytes};
  wire        fills = n_joined[2];
  wire        packs = flush_packs && !(n_held_q != 2'd0 && is_full);
  wire        push = fills || (packs && n_held_q != 2'd0);
  wire [15:0] crc;

  assign ready_o = !ended_q && !flushes && !is_full;
  assign mark_done_o = mark_ends;

  // Byte after byte: of a fixed number of bits, little is left of each.
  wire [15:0] crc_one, crc_two;
  assign crc = n_bytes[1] ? crc_two : crc_one;

  oct_crc #(
    .CHECK_BITS(16)
  ) u_crc_one (
    .crc_i (marks && at_q == 6'd0 ? 16'd0 : crc_q),
    .word_i({56'd0, bytes[7:0]}),
    .bits_i(7'd8),
    .crc_o (crc_one)
  );

  oct_crc #(
    .CHECK_BITS(16)
  ) u_crc_two (
    .crc_i (crc_one),
    .word_i({56'd0, bytes[15:8]}),
    .bits_i(7'd8),
    .crc_o (crc_two)
  );

  oct_crc #(
    .CHECK_BITS(16)
  ) u_crc_kind (
    .crc_i (crc_q),
    .word_i({62'd0, mark_kind_i}),
    .bits_i(7'd2),
    .crc_o (check)
  );

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ended_q  <= 1'b1;
      at_q     <= 6'd0;
      crc_q    <= 16'd0;
      held_q   <= 24'd0;
      n_held_q <= 2'd0;
    end else begin
      if (mark_ends) ended_q <= 1'b0;
      else if (takes && end_i) ended_q <= 1'b1;
      if (marks) at_q <= mark_ends ? 6'd0 : at_q + 6'd1;
      if (n_bytes != 2'd0) crc_q <= crc;
      if (packs) begin
        held_q   <= 24'd0;
        n_held_q <= 2'd0;
      end else begin
        held_q   <= fills ? {16'd0, joined[39:32]} : joined[23:0];
        n_held_q <= n_joined[1:0];
      end
    end
  end

  // ---- Bytes since the last sync ----

  generate
    if (SYNC_BITS != 32'd0) begin : gen_sync_period
      localparam [32:0] PERIOD_BYTES_33 = ({1'b0, SYNC_BITS} + 33'd7) >> 3;
      localparam integer SINCE_BITS = $clog2(PERIOD_BYTES_33 + 2);
      localparam [SINCE_BITS-1:0] PERIOD_BYTES = PERIOD_BYTES_33[SINCE_BITS-1:0];
      reg  [SINCE_BITS-1:0] since_q;

      assign sync_due_o = since_q >= PERIOD_BYTES;
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) since_q <= {SINCE_BITS{1'b0}};
        else if (mark_ends && mark_kind_i == SYNC) since_q <= {SINCE_BITS{1'b0}};
        else if (!sync_due_o) since_q <= since_q + {{(SINCE_BITS - 2){1'b0}}, n_bytes};
      end
    end else begin : gen_no_sync_period
      assign sync_due_o = 1'b0;
    end
  endgenerate

  // ---- Flush, output buffer ----

  reg  [COUNT_BITS-1:0] count_d;
  reg  [ADDR_BITS-1:0]  head_q, tail_q;
  wire                  pop = atvalid_o && atready_i && atclken_i;
  wire [ADDR_BITS-1:0]  head_d = pop ? head_q + 1'b1 : head_q;

  assign count_words_o = count_q;

  always @* begin
    count_d = count_q;
    if (push && !pop) count_d = count_q + ONE;
    else if (pop && !push) count_d = count_q - ONE;
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= NONE;
      head_q  <= {ADDR_BITS{1'b0}};
      tail_q  <= {ADDR_BITS{1'b0}};
    end else begin
      count_q <= count_d;
      head_q  <= head_d;
      if (push) tail_q <= tail_q + 1'b1;
    end
  end

  oct_flush #(
    .WORD_BYTES(4)
  ) u_flush (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .begins_i    (mark_ends && mark_kind_i == FLUSH),
    .packs_i     (packs),
    .last_bytes_i(n_held_q - 2'd1),
    .has_one_i   (count_q == ONE),
    .has_next_i  (count_d != NONE),
    .flushes_o   (flushes),
    .is_packing_o(flush_packs),
    .head_bytes_o(atbytes_o),
    .atclken_i   (atclken_i),
    .atvalid_o   (atvalid_o),
    .flush_out_o (flush_out_o),
    .flush_done_o(flush_done_o)
  );

  // A memory of at least 1 kbit: compilers make no smaller one.
  localparam integer PLACES = WORDS < 32 ? 32 : WORDS;
  localparam integer PLACE_BITS = $clog2(PLACES);
  wire [ADDR_BITS+4:0] tail = {5'd0, tail_q}, head = {5'd0, head_d};

  oct_ram #(
    .WIDTH (32),
    .DEPTH (PLACES),
    .BYPASS(1)
  ) u_fifo (
    .clk_i  (clk_i),
    .we_i   (push),
    .waddr_i(tail[PLACE_BITS-1:0]),
    .wdata_i(joined[31:0]),
    .re_i   (pop || (push && count_q == NONE)),
    .raddr_i(head[PLACE_BITS-1:0]),
    .rdata_o(atdata_o)
  );

  wire unused = &{1'b0, field[FIELDS_BITS-1:7], tail, head};

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);
  always @* assume (n_bytes_i != 2'd3);
  // A mark stays until it is done.
  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni && mark_valid_i && !mark_done_o))
    assume (mark_valid_i && $stable(mark_kind_i));

  // The rules of the trace bus: flush_out_o is the answer of the compressor that has asked.
  oct_atb_check u_atb_check (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .atclken_i(atclken_i),
    .atvalid_i(atvalid_o),
    .atready_i(atready_i),
    .atdata_i (atdata_o),
    .atbytes_i(atbytes_o),
    .atid_i   (7'd1),
    .afvalid_i(flush_out_o),
    .afready_i(flush_out_o)
  );
  always @* if (rst_ni) begin
    assert (count_q <= ALL_WORDS);
    cover (is_full);
    cover (flush_out_o && atclken_i);
    cover (atvalid_o && atready_i && atclken_i && atbytes_o != 2'd3);
  end
`endif

endmodule

`default_nettype wire
