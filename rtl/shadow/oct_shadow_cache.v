// SPDX-License-Identifier: Apache-2.0
// oct_shadow_cache - the value cache: words of memory that the shadow knows. docs/shadow-format.md,
// section 6; oct_vc_read and oct_vc_write of model/shadow/oct_shadow_exec.h.
//
// One access a cycle, a read or a write of a known or an unknown value. Latency: 1 cycle, in which
// known_o and value_o are those of a read, and in which its set is written back; the next access
// finds what is written. What a write writes is given in that cycle, too: its address is known before.
// Back-pressure: a write that is wider than a word, goes beyond one, or is of unknown size frees the
// words that it touches, one in a cycle; ready_o is low meanwhile. Nothing moves while moves_i is low.
// clear_i frees all, what is written back included, before what is read with it.
//
// ADDR_BITS    bits of an address: with 32 a word has 4 bytes, else 8, in halves of 4
// VC_SETS      sets, a power of two from 2 on
// VC_WAYS      ways, 1 to 8; the one used least recently is replaced
// VC_TAG_BITS  bits of a tag, at most those of an address above the set
`default_nettype none

module oct_shadow_cache #(
  parameter  integer ADDR_BITS   = 32,
  parameter  integer VC_SETS     = 64,
  parameter  integer VC_WAYS     = 6,
  parameter  integer VC_TAG_BITS = 8,
  localparam integer WORD_BITS   = ADDR_BITS > 32 ? 64 : 32
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 moves_i,
  input  wire                 clear_i,
  input  wire                 valid_i,
  input  wire                 is_write_i,
  input  wire [ADDR_BITS-1:0] addr_i,
  input  wire [2:0]           size_log2_i,  // of bytes, 7: unknown
  input  wire                 is_known_i,   // of the write before
  input  wire [WORD_BITS-1:0] value_i,      // likewise
  output wire                 ready_o,
  output wire                 known_o,
  output wire [WORD_BITS-1:0] value_o       // in the low bits
);

  localparam integer LOG2_BYTES = ADDR_BITS > 32 ? 3 : 2;
  localparam integer BYTES      = 1 << LOG2_BYTES;
  localparam integer HALVES     = BYTES / 4;
  localparam integer SET_BITS   = $clog2(VC_SETS);
  localparam integer AGE_BITS   = VC_WAYS > 1 ? $clog2(VC_WAYS) : 1;
  localparam integer ROW_BITS   = VC_WAYS * (AGE_BITS + HALVES);
  localparam [31:0]  BYTES_32   = BYTES, LAST_AGE = VC_WAYS - 1;
  localparam [AGE_BITS-1:0] ONE = 1;

  // ---- Cycle 0: the set of a word; of those to be freed, one after the other ----

  reg                  frees_q;    // words are left to be freed
  reg  [4:0]           left_q;
  reg  [ADDR_BITS-1:0] next_q;     // the next of them
  wire                 takes = valid_i && ready_o && moves_i;
  wire [6:0]           bytes = size_log2_i == 3'd7 ? 7'd8 : 7'd1 << size_log2_i;
  wire [6:0]           in_word = {{(7 - LOG2_BYTES){1'b0}}, addr_i[LOG2_BYTES-1:0]};
  wire [6:0]           end_bytes = in_word + bytes;
  wire                 is_wide = size_log2_i == 3'd7 || end_bytes > BYTES_32[6:0];
  wire [6:0]           n_words = (end_bytes + BYTES_32[6:0] - 7'd1) >> LOG2_BYTES;
  wire [ADDR_BITS-1:0] addr = frees_q ? next_q : addr_i;
  wire [63:0]          word = {{(64 - ADDR_BITS){1'b0}}, addr} >> LOG2_BYTES;
  wire [63:0]          folded = word ^ word >> SET_BITS;
  wire [SET_BITS-1:0]  set = folded[SET_BITS-1:0];
  wire [63:0]          above = word >> SET_BITS;
  wire [63:0]          above_folded = above ^ above >> VC_TAG_BITS;
  wire                 reads = takes || (frees_q && moves_i);

  assign ready_o = !frees_q;

  // ---- Cycle 1: find it, change the set ----

  reg                   valid_q, finds_q, is_write_q, is_wide_q;
  reg  [SET_BITS-1:0]   set_q;
  reg  [VC_TAG_BITS-1:0] tag_q;
  reg  [LOG2_BYTES-1:0] in_word_q;
  reg  [1:0]            size_q;
  wire                  is_old;
  wire [ROW_BITS-1:0]   stored_row;
  reg  [VC_WAYS*HALVES-1:0]   valid;
  reg  [VC_WAYS*AGE_BITS-1:0] age;
  wire [VC_WAYS*WORD_BITS-1:0] words;
  // What the access before wrote while this one was read: to which way, whether this one's tag, its word.
  reg  [VC_WAYS-1:0]    written_q;
  reg                   same_written_q;
  reg  [WORD_BITS-1:0]  written_word_q;
  wire [VC_WAYS-1:0]    same_tag;
  reg  [VC_WAYS-1:0]    found, oldest, puts, is_younger;
  wire [VC_WAYS-1:0]    used;
  reg  [WORD_BITS-1:0]  found_word;
  reg  [HALVES-1:0]     found_halves;
  wire                  is_found = found != {VC_WAYS{1'b0}};
  wire [HALVES-1:0]     halves;
  // It does not fill the halves it touches.
  wire                  is_part = size_q < 2'd2 || in_word_q[1:0] != 2'd0;
  wire                  may_allocate = is_write_q && !is_wide_q && !is_part;
  wire [WORD_BITS-1:0]  bytes_mask = ~({WORD_BITS{1'b1}} << (6'd8 << size_q));
  wire [WORD_BITS-1:0]  mask = size_q == 2'd3 ? {WORD_BITS{1'b1}} : bytes_mask << {in_word_q, 3'd0};
  wire [WORD_BITS-1:0]  moved = value_i << {in_word_q, 3'd0};
  wire [WORD_BITS-1:0]  merged = (found_word & ~mask) | (moved & mask);
  reg  [ROW_BITS-1:0]   row_d;

  generate
    if (HALVES == 1) begin : gen_word
      assign halves = 1'b1;
    end else begin : gen_halves
      assign halves = {in_word_q[2] || {1'b0, in_word_q[1:0]} + (3'd1 << size_q) > 3'd4 || size_q == 2'd3,
                       !in_word_q[2]};
    end
  endgenerate

  always @* begin : p_row
    integer i;
    for (i = 0; i < VC_WAYS; i = i + 1) begin
      valid[i*HALVES +: HALVES] = is_old ? stored_row[i*(AGE_BITS+HALVES) +: HALVES] : {HALVES{1'b0}};
      age[i*AGE_BITS +: AGE_BITS]   = is_old ? stored_row[i*(AGE_BITS+HALVES)+HALVES +: AGE_BITS] : i[AGE_BITS-1:0];
    end
  end

  // The way that has the word, or else the oldest: a free one, the highest first, or the one of the highest
  // age, as all ages are different.
  always @* begin : p_find
    integer i;
    reg has_free;
    found_word   = {WORD_BITS{1'b0}};
    found_halves = {HALVES{1'b0}};
    has_free     = 1'b0;
    for (i = VC_WAYS - 1; i >= 0; i = i - 1) begin
      found[i]  = same_tag[i] && valid[i*HALVES +: HALVES] != {HALVES{1'b0}};
      oldest[i] = valid[i*HALVES +: HALVES] == {HALVES{1'b0}} && !has_free;
      has_free  = has_free || oldest[i];
      if (found[i] && !written_q[i]) found_word = found_word | words[i*WORD_BITS +: WORD_BITS];
      if (found[i]) found_halves = found_halves | valid[i*HALVES +: HALVES];
    end
    if ((found & written_q) != {VC_WAYS{1'b0}}) found_word = found_word | written_word_q;
    for (i = 0; i < VC_WAYS; i = i + 1)
      if (!has_free) oldest[i] = age[i*AGE_BITS +: AGE_BITS] == LAST_AGE[AGE_BITS-1:0];
  end

  // The way of a write of a known value. That the value is known is told last, so it only chooses: of an unknown
  // value, what is not found stays.
  assign used = is_found ? found : may_allocate ? oldest : {VC_WAYS{1'b0}};

  // Younger than the used one: compared before it is known which that is.
  always @* begin : p_younger
    integer i, j;
    for (i = 0; i < VC_WAYS; i = i + 1) begin
      is_younger[i] = 1'b0;
      for (j = 0; j < VC_WAYS; j = j + 1)
        if (j != i && used[j] && age[i*AGE_BITS +: AGE_BITS] < age[j*AGE_BITS +: AGE_BITS]) is_younger[i] = 1'b1;
    end
  end

  always @* begin : p_change
    integer i;
    reg [HALVES-1:0]   halves_now, halves_known, halves_unknown;
    reg [AGE_BITS-1:0] age_now, age_d;
    for (i = 0; i < VC_WAYS; i = i + 1) begin
      age_now = age[i*AGE_BITS +: AGE_BITS];
      age_d   = is_younger[i] ? age_now + ONE : age_now;
      if (used[i]) age_d = {AGE_BITS{1'b0}};
      halves_now     = valid[i*HALVES +: HALVES];
      halves_known   = halves_now;
      halves_unknown = halves_now;
      if (used[i] && is_write_q) begin
        if (!is_found || is_wide_q) halves_known = {HALVES{1'b0}};
        if (!is_part && !is_wide_q) halves_known = halves_known | halves;
      end
      if (found[i] && is_write_q) halves_unknown = is_wide_q ? {HALVES{1'b0}} : halves_now & ~halves;
      puts[i] = is_known_i && used[i] && is_write_q && !is_wide_q &&
                (!is_part || (found_halves & halves) == halves);
      row_d[i*(AGE_BITS+HALVES) +: AGE_BITS+HALVES] =
          {is_found || is_known_i ? age_d : age_now, is_known_i ? halves_known : halves_unknown};
    end
  end

  wire [WORD_BITS-1:0] read_word = found_word >> {in_word_q, 3'd0};
  assign known_o = valid_q && !is_write_q && finds_q && is_found && (found_halves & halves) == halves;
  assign value_o = size_q == 2'd3 ? read_word : read_word & bytes_mask;

  oct_ram #(
    .WIDTH (ROW_BITS),
    .DEPTH (VC_SETS),
    .BYPASS(1)
  ) u_row (
    .clk_i  (clk_i),
    .we_i   (moves_i && valid_q && finds_q),
    .waddr_i(set_q),
    .wdata_i(row_d),
    .re_i   (reads),
    .raddr_i(set),
    .rdata_o(stored_row)
  );

  oct_valid_rows #(
    .ENTRIES(VC_SETS)
  ) u_old (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(clear_i),
    .enter_i(moves_i && valid_q && finds_q),
    .read_i (reads),
    .entry_i(set),
    .valid_o(is_old)
  );

  genvar g;
  generate
    for (g = 0; g < VC_WAYS; g = g + 1) begin : gen_way
      wire [VC_TAG_BITS-1:0] tag;

      wire                   writes = moves_i && valid_q && puts[g];

      assign same_tag[g] = written_q[g] ? same_written_q : tag == tag_q;

      always @(posedge clk_i) if (reads) written_q[g] <= writes && set_q == set;

      oct_ram #(
        .WIDTH(VC_TAG_BITS + WORD_BITS),
        .DEPTH(VC_SETS)
      ) u_way (
        .clk_i  (clk_i),
        .we_i   (writes),
        .waddr_i(set_q),
        .wdata_i({tag_q, merged}),
        .re_i   (reads),
        .raddr_i(set),
        .rdata_o({tag, words[g*WORD_BITS +: WORD_BITS]})
      );
    end
  endgenerate

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      frees_q <= 1'b0;
    end else begin
      if (moves_i) valid_q <= reads;
      if (takes) frees_q <= is_write_i && is_wide && n_words > 7'd1;
      else if (reads) frees_q <= left_q > 5'd1;
    end
  end

  always @(posedge clk_i) begin
    if (reads) begin
      same_written_q <= tag_q == above_folded[VC_TAG_BITS-1:0];
      written_word_q <= merged;
      set_q  <= set;
      tag_q  <= above_folded[VC_TAG_BITS-1:0];
      next_q <= addr + {{(ADDR_BITS - 4){1'b0}}, BYTES_32[3:0]};
      left_q <= frees_q ? left_q - 5'd1 : n_words[4:0] - 5'd1;
    end
    if (takes) begin
      finds_q    <= is_write_i || !is_wide;
      is_write_q <= is_write_i;
      is_wide_q  <= is_wide;
      in_word_q  <= addr_i[LOG2_BYTES-1:0];
      size_q     <= size_log2_i[1:0];
    end
  end

  wire unused = &{1'b0, folded, above_folded, n_words[6:5]};

`ifdef FORMAL
`ifdef FORMAL_OCT_SHADOW_CACHE
  // Throughput: an access within a word never makes the next one wait. A write that touches more words,
  // the first and the last of which are told here, makes it wait a cycle for each further word.
  wire [ADDR_BITS+6:0] f_first = {7'd0, addr_i} >> LOG2_BYTES;
  wire [ADDR_BITS+6:0] f_last = ({7'd0, addr_i} + {{ADDR_BITS{1'b0}}, bytes} - 1'b1) >> LOG2_BYTES;
  wire [ADDR_BITS+6:0] f_further = f_last - f_first;
  reg                  f_past_q = 1'b0;
  reg  [4:0]           f_left_q;  // cycles that the next one still waits
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_left_q <= 5'd0;
    else if (moves_i) f_left_q <= takes ? (is_write_i ? f_further[4:0] : 5'd0) : f_left_q - {4'd0, f_left_q != 5'd0};
  end
  always @* begin
    if (!f_past_q) assume (!rst_ni);
    if (rst_ni) begin
      assert (ready_o == (f_left_q == 5'd0));
      assert (f_further <= 16);
      if (frees_q) assert (left_q == f_left_q);
      cover (f_past_q && f_left_q == 5'd2);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
