// SPDX-License-Identifier: Apache-2.0
// oct_shadow_cache - the value cache: words of memory that the shadow knows. docs/shadow-format.md,
// section 6; oct_vc_read and oct_vc_write of model/shadow/oct_shadow_exec.h.
//
// One access a cycle, a read or a write of a known or an unknown value. Latency: 1 cycle, in which
// known_o and value_o are those of a read, and in which its set is written back; the next access
// finds what is written. What a write writes is given in that cycle, too: its address is known before.
// Back-pressure: a write that is wider than a word, goes beyond one, or is of unknown size frees the
// words that it touches, two in a cycle; ready_o is low while more are left. Nothing moves while moves_i is low.
// clear_i frees all, what is written back included, before what is read with it.
//
// Valid bits and tags stand in two banks, by the lowest bit of the set: so the sets of a word and of the next one
// are read and written at once. If the next word is the first of VC_SETS in a row, its set is another one of the same
// bank, and has its own cycle. Else both words have the same tag.
//
// ADDR_BITS    bits of an address: with 32 a word has 4 bytes, else 8, in halves of 4
// VC_SETS      sets, a power of two from 2 on
// VC_WAYS      ways, 1 to 8; the one used least recently is replaced
// VC_TAG_BITS  bits of a tag, at most those of an address above the set
`default_nettype none

module oct_shadow_cache #(
  parameter integer ADDR_BITS   = 32,
  parameter integer VC_SETS     = 64,
  parameter integer VC_WAYS     = 6,
  parameter integer VC_TAG_BITS = 8
) (
  input  wire                                  clk_i,
  input  wire                                  rst_ni,
  input  wire                                  moves_i,
  input  wire                                  clear_i,
  input  wire                                  valid_i,
  input  wire                                  is_write_i,
  input  wire [ADDR_BITS-1:0]                  addr_i,
  input  wire [2:0]                            size_log2_i,  // of bytes, 7: unknown
  input  wire                                  is_known_i,   // of the write before
  input  wire [(ADDR_BITS > 32 ? 64 : 32)-1:0] value_i,      // likewise
  output wire                                  ready_o,
  output wire                                  known_o,
  output wire [(ADDR_BITS > 32 ? 64 : 32)-1:0] value_o       // in the low bits
);

  localparam integer WORD_BITS = ADDR_BITS > 32 ? 64 : 32;

  localparam integer WAYS       = VC_WAYS > 0 ? VC_WAYS : 1;  // 0: refused, not here
  localparam integer LOG2_BYTES = ADDR_BITS > 32 ? 3 : 2;
  localparam integer BYTES      = 1 << LOG2_BYTES;
  localparam integer HALVES     = BYTES / 4;
  localparam integer SET_BITS   = $clog2(VC_SETS);
  localparam integer PLACE_BITS = SET_BITS > 1 ? SET_BITS - 1 : 1;
  localparam integer NUMBER_BITS = ADDR_BITS - LOG2_BYTES;  // of a word
  localparam integer AGE_BITS   = WAYS > 1 ? $clog2(WAYS) : 1;
  localparam integer VALID_BITS = WAYS * HALVES;
  localparam [31:0]  BYTES_32   = BYTES, LAST_AGE = WAYS - 1;
  localparam [AGE_BITS-1:0] ONE = 1;

  // ---- Cycle 0: the set of a word and that of the next one; of those to be freed, two after the other ----

  reg                    frees_q;  // words are left to be freed
  reg  [4:0]             left_q;
  // The next of them. The carry from its lower half into the upper one is added a cycle later.
  localparam integer     LOW_BITS = NUMBER_BITS / 2;
  reg  [NUMBER_BITS-1:0] next_q;
  reg                    carry_q;
  wire [NUMBER_BITS-LOW_BITS-1:0] next_high = next_q[NUMBER_BITS-1:LOW_BITS] + {{(NUMBER_BITS - LOW_BITS - 1){1'b0}}, carry_q};
  wire                   takes = valid_i && ready_o && moves_i;
  wire [6:0]             bytes = size_log2_i == 3'd7 ? 7'd8 : 7'd1 << size_log2_i;
  wire [6:0]             in_word = {{(7 - LOG2_BYTES){1'b0}}, addr_i[LOG2_BYTES-1:0]};
  wire [6:0]             end_bytes = in_word + bytes;
  wire                   is_wide = size_log2_i == 3'd7 || end_bytes > BYTES_32[6:0];
  wire [6:0]             n_words = (end_bytes + BYTES_32[6:0] - 7'd1) >> LOG2_BYTES;
  wire [NUMBER_BITS-1:0] number = frees_q ? {next_high, next_q[LOW_BITS-1:0]} : addr_i[ADDR_BITS-1:LOG2_BYTES];
  wire [63:0]            word = {{(64 - NUMBER_BITS){1'b0}}, number};
  wire [63:0]            folded = word ^ word >> SET_BITS;
  wire [SET_BITS-1:0]    set = folded[SET_BITS-1:0];
  wire [63:0]            above = word >> SET_BITS;
  wire [63:0]            above_folded = above ^ above >> VC_TAG_BITS;
  wire [VC_TAG_BITS-1:0] tag = above_folded[VC_TAG_BITS-1:0];
  // The place in the bank, and where in the other one the next word is: a bit changes where all below are ones.
  wire                   bank = set[0];
  wire [SET_BITS:0]      set_0 = {1'b0, set};
  wire [PLACE_BITS-1:0]  place = set_0[PLACE_BITS:1];
  reg  [PLACE_BITS-1:0]  next_place;
  wire [2*PLACE_BITS-1:0] places = bank ? {place, next_place} : {next_place, place};  // of each bank
  wire                   reads = takes || (frees_q && moves_i);
  wire                   frees = frees_q || (is_write_i && is_wide);
  wire [4:0]             left = frees_q ? left_q : n_words[4:0];
  wire                   is_last_set = word[SET_BITS-1:0] == {SET_BITS{1'b1}};
  wire                   frees_both = frees && left > 5'd1 && !is_last_set;
  wire [4:0]             left_d = left - 5'd1 - {4'd0, frees_both};

  always @* begin : p_next_place
    integer i;
    reg     carry;
    carry = SET_BITS > 1;
    for (i = 0; i < PLACE_BITS; i = i + 1) begin
      carry         = carry && word[i];
      next_place[i] = place[i] ^ carry;
    end
  end

  assign ready_o = !frees_q;

  // ---- Cycle 1: find it, change the set ----

  reg                   valid_q, finds_q, is_write_q, is_wide_q, bank_q, frees_both_q;
  reg  [VC_TAG_BITS-1:0] tag_q;
  reg  [2*PLACE_BITS-1:0] places_q;
  wire [PLACE_BITS-1:0]  place_q = bank_q ? places_q[PLACE_BITS +: PLACE_BITS] : places_q[0 +: PLACE_BITS];
  wire [PLACE_BITS:0]    set_q_0 = {place_q, bank_q};
  wire [SET_BITS-1:0]    set_q = set_q_0[SET_BITS-1:0];
  reg  [LOG2_BYTES-1:0] in_word_q;
  reg  [1:0]            size_q;
  wire                  is_old;
  wire [WAYS*AGE_BITS-1:0] stored_age;
  wire [2*VALID_BITS-1:0]     stored_valid;  // of each bank
  wire [2*WAYS-1:0]        same_tags;
  wire [VALID_BITS-1:0]       bank_valid = bank_q ? stored_valid[VALID_BITS +: VALID_BITS] : stored_valid[0 +: VALID_BITS];
  wire [WAYS-1:0]          same_tag = bank_q ? same_tags[WAYS +: WAYS] : same_tags[0 +: WAYS];
  reg  [VALID_BITS-1:0]       valid, valid_d;
  reg  [WAYS*AGE_BITS-1:0] age, age_d;
  wire [WAYS*WORD_BITS-1:0] words;
  // What the access before wrote while this one was read: to which way, in which bank, its tag, whether that is this one's, its word.
  reg  [WAYS-1:0]    written_q;
  reg                   written_bank_q, same_written_q;
  reg  [VC_TAG_BITS-1:0] written_tag_q;
  reg  [WORD_BITS-1:0]  written_word_q;
  wire [WAYS-1:0]    written = written_q & {WAYS{written_bank_q == bank_q}};
  reg  [WAYS-1:0]    found, oldest, puts, is_younger;
  wire [WAYS-1:0]    used;
  reg  [WORD_BITS-1:0]  found_word;
  reg  [HALVES-1:0]     found_halves;
  wire                  is_found = found != {WAYS{1'b0}};
  wire [HALVES-1:0]     halves;
  // It does not fill the halves it touches.
  wire                  is_part = size_q < 2'd2 || in_word_q[1:0] != 2'd0;
  wire                  may_allocate = is_write_q && !is_part;
  wire [WORD_BITS-1:0]  bytes_mask = ~({WORD_BITS{1'b1}} << (6'd8 << size_q));
  wire [WORD_BITS-1:0]  mask = size_q == 2'd3 ? {WORD_BITS{1'b1}} : bytes_mask << {in_word_q, 3'd0};
  reg  [WORD_BITS-1:0]  merged;
  // Not of words that are freed: their place in the order does not matter.
  wire                  changes = moves_i && valid_q && finds_q && !is_wide_q;

  // What is read in the bank that is written.
  wire [PLACE_BITS-1:0]  written_place = bank_q ? places[PLACE_BITS +: PLACE_BITS] : places[0 +: PLACE_BITS];

  generate
    if (HALVES == 1) begin : gen_word
      assign halves = 1'b1;
    end else begin : gen_halves
      assign halves = {in_word_q[2] || {1'b0, in_word_q[1:0]} + (3'd1 << size_q) > 3'd4 || size_q == 2'd3,
                       !in_word_q[2]};
    end
  endgenerate

  // The value comes last. So each byte of the word takes one of its bytes, by what is known before.
  always @* begin : p_merged
    integer i, j;
    merged = found_word & ~mask;
    for (i = 0; i < BYTES; i = i + 1)
      for (j = 0; j <= i; j = j + 1)
        if (mask[8*i] && {{(32 - LOG2_BYTES){1'b0}}, in_word_q} == i - j)
          merged[8*i +: 8] = merged[8*i +: 8] | value_i[8*j +: 8];
  end

  always @* begin : p_row
    integer i;
    for (i = 0; i < WAYS; i = i + 1) begin
      valid[i*HALVES +: HALVES]   = is_old ? bank_valid[i*HALVES +: HALVES] : {HALVES{1'b0}};
      age[i*AGE_BITS +: AGE_BITS] = is_old ? stored_age[i*AGE_BITS +: AGE_BITS] : i[AGE_BITS-1:0];
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
    for (i = WAYS - 1; i >= 0; i = i - 1) begin
      found[i]  = same_tag[i] && valid[i*HALVES +: HALVES] != {HALVES{1'b0}};
      oldest[i] = valid[i*HALVES +: HALVES] == {HALVES{1'b0}} && !has_free;
      has_free  = has_free || oldest[i];
      if (found[i] && !written[i]) found_word = found_word | words[i*WORD_BITS +: WORD_BITS];
      if (found[i]) found_halves = found_halves | valid[i*HALVES +: HALVES];
    end
    if ((found & written) != {WAYS{1'b0}}) found_word = found_word | written_word_q;
    for (i = 0; i < WAYS; i = i + 1)
      if (!has_free) oldest[i] = age[i*AGE_BITS +: AGE_BITS] == LAST_AGE[AGE_BITS-1:0];
  end

  // The way of a write of a known value. That the value is known is told last, so it only chooses: of an unknown
  // value, what is not found stays.
  assign used = is_found ? found : may_allocate ? oldest : {WAYS{1'b0}};

  // Younger than the used one: compared before it is known which that is.
  always @* begin : p_younger
    integer i, j;
    for (i = 0; i < WAYS; i = i + 1) begin
      is_younger[i] = 1'b0;
      for (j = 0; j < WAYS; j = j + 1)
        if (j != i && used[j] && age[i*AGE_BITS +: AGE_BITS] < age[j*AGE_BITS +: AGE_BITS]) is_younger[i] = 1'b1;
    end
  end

  always @* begin : p_change
    integer i;
    reg [HALVES-1:0]   halves_now, halves_known, halves_unknown;
    reg [AGE_BITS-1:0] age_now, age_used;
    for (i = 0; i < WAYS; i = i + 1) begin
      age_now  = age[i*AGE_BITS +: AGE_BITS];
      age_used = is_younger[i] ? age_now + ONE : age_now;
      if (used[i]) age_used = {AGE_BITS{1'b0}};
      halves_now     = valid[i*HALVES +: HALVES];
      halves_known   = halves_now;
      halves_unknown = halves_now;
      if (used[i] && is_write_q) begin
        if (!is_found) halves_known = {HALVES{1'b0}};
        if (!is_part) halves_known = halves_known | halves;
      end
      if (found[i] && is_write_q) halves_unknown = halves_now & ~halves;
      puts[i] = is_known_i && used[i] && is_write_q && (!is_part || (found_halves & halves) == halves);
      valid_d[i*HALVES +: HALVES]   = is_known_i ? halves_known : halves_unknown;
      age_d[i*AGE_BITS +: AGE_BITS] = is_found || is_known_i ? age_used : age_now;
    end
  end

  wire [WORD_BITS-1:0] read_word = found_word >> {in_word_q, 3'd0};
  assign known_o = valid_q && !is_write_q && finds_q && is_found && (found_halves & halves) == halves;
  assign value_o = size_q == 2'd3 ? read_word : read_word & bytes_mask;

  // A small one is in flip-flops, another one in a memory of 1 kbit at least: compilers make no smaller ones.
  localparam integer LEAST_BITS = WAYS * AGE_BITS * VC_SETS < 256 ? 0 : $clog2((1023 + WAYS * AGE_BITS) / (WAYS * AGE_BITS));
  localparam integer AGE_PLACE_BITS = SET_BITS < LEAST_BITS ? LEAST_BITS : SET_BITS;
  wire [AGE_PLACE_BITS:0] age_from = {{(AGE_PLACE_BITS + 1 - SET_BITS){1'b0}}, set};
  wire [AGE_PLACE_BITS:0] age_to = {{(AGE_PLACE_BITS + 1 - SET_BITS){1'b0}}, set_q};

  oct_ram #(
    .WIDTH (WAYS * AGE_BITS),
    .DEPTH (1 << AGE_PLACE_BITS),
    .BYPASS(1)
  ) u_age (
    .clk_i  (clk_i),
    .we_i   (changes),
    .waddr_i(age_to[AGE_PLACE_BITS-1:0]),
    .wdata_i(age_d),
    .re_i   (reads),
    .raddr_i(age_from[AGE_PLACE_BITS-1:0]),
    .rdata_o(stored_age)
  );

  oct_valid_rows #(
    .ENTRIES(VC_SETS)
  ) u_old (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .clear_i(clear_i),
    .enter_i(changes),
    .read_i (reads),
    .entry_i(set),
    .valid_o(is_old)
  );

  genvar g, h;
  generate
    for (h = 0; h < 2; h = h + 1) begin : gen_bank
      // It has the word of the access. Else it is read only where a word is to be freed.
      wire is_own = bank_q == h;
      wire reads_bank = reads && (bank == h || frees);
      wire writes_bank = moves_i && valid_q && (is_own ? finds_q : frees_both_q);
      reg  [VALID_BITS-1:0] freed;

      // In a set that was not used since the last clear any bits may change: they do not count.
      always @* begin : p_freed
        integer i;
        for (i = 0; i < WAYS; i = i + 1)
          freed[i*HALVES +: HALVES] =
              stored_valid[h*VALID_BITS+i*HALVES +: HALVES] & ~{HALVES{same_tags[h*WAYS+i]}};
      end

      // A word of memory has the tags of all ways, above them the valid bits. So it is written as it was read, but for
      // what changes. Beside it is what the access before wrote there while it was read: valid bits, and one tag at most.
      wire [WAYS*VC_TAG_BITS-1:0] stored_tags;
      reg  [WAYS*VC_TAG_BITS-1:0] tags_d;
      wire [VALID_BITS-1:0] read_valid;
      wire [VALID_BITS-1:0] written_valid = is_wide_q ? freed : valid_d;
      reg                   is_fresh_q;
      reg  [VALID_BITS-1:0] written_valid_q;

      assign stored_valid[h*VALID_BITS +: VALID_BITS] = is_fresh_q ? written_valid_q : read_valid;

      always @* begin : p_tags
        integer i;
        for (i = 0; i < WAYS; i = i + 1)
          tags_d[i*VC_TAG_BITS +: VC_TAG_BITS] = changes && puts[i] && is_own ? tag_q :
              written_q[i] && written_bank_q == h ? written_tag_q : stored_tags[i*VC_TAG_BITS +: VC_TAG_BITS];
      end

      always @(posedge clk_i) begin
        if (reads_bank) begin
          is_fresh_q <= writes_bank && places_q[h*PLACE_BITS +: PLACE_BITS] == places[h*PLACE_BITS +: PLACE_BITS];
          written_valid_q <= written_valid;
        end
      end

      oct_ram #(
        .WIDTH(VALID_BITS + WAYS * VC_TAG_BITS),
        .DEPTH(VC_SETS / 2)
      ) u_row (
        .clk_i  (clk_i),
        .we_i   (writes_bank),
        .waddr_i(places_q[h*PLACE_BITS +: PLACE_BITS]),
        .wdata_i({written_valid, tags_d}),
        .re_i   (reads_bank),
        .raddr_i(places[h*PLACE_BITS +: PLACE_BITS]),
        .rdata_o({read_valid, stored_tags})
      );

      for (g = 0; g < WAYS; g = g + 1) begin : gen_tag
        assign same_tags[h*WAYS+g] = written_q[g] && written_bank_q == h ? same_written_q :
                                        stored_tags[g*VC_TAG_BITS +: VC_TAG_BITS] == tag_q;
      end
    end

    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      wire writes = changes && puts[g];

      oct_ram #(
        .WIDTH(WORD_BITS),
        .DEPTH(VC_SETS)
      ) u_word (
        .clk_i  (clk_i),
        .we_i   (writes),
        .waddr_i(set_q),
        .wdata_i(merged),
        .re_i   (reads),
        .raddr_i(set),
        .rdata_o(words[g*WORD_BITS +: WORD_BITS])
      );

      always @(posedge clk_i) if (reads) written_q[g] <= writes && written_place == place_q;
    end
  endgenerate

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      frees_q <= 1'b0;
    end else begin
      if (moves_i) valid_q <= reads;
      if (reads) frees_q <= frees && left_d != 5'd0;
    end
  end

  always @(posedge clk_i) begin
    if (reads) begin
      same_written_q <= tag_q == tag;
      written_bank_q <= bank_q;
      written_tag_q  <= tag_q;
      written_word_q <= merged;
      places_q <= places;
      tag_q    <= tag;
      bank_q   <= bank;
      frees_both_q <= frees_both;
      next_q   <= {number[NUMBER_BITS-1:LOW_BITS], number[LOW_BITS-1:1] + {{(LOW_BITS - 2){1'b0}}, 1'b1}, number[0] && frees_both};
      carry_q  <= &number[LOW_BITS-1:1];
      left_q   <= left_d;
    end
    if (takes) begin
      finds_q    <= is_write_i || !is_wide;
      is_write_q <= is_write_i;
      is_wide_q  <= is_wide;
      in_word_q  <= addr_i[LOG2_BYTES-1:0];
      size_q     <= size_log2_i[1:0];
    end
  end

  wire unused = &{1'b0, folded, above_folded, set_0, set_q_0, n_words[6:5], age_from, age_to};

`ifdef FORMAL
`ifdef FORMAL_OCT_SHADOW_CACHE
  // Throughput: words are freed two in a cycle, before and behind a multiple of VC_SETS each by themselves. So a write of
  // two words never makes the next access wait, unless the second one is the first of VC_SETS in a row. With 32 sets or
  // more a write passes one such multiple at most.
  localparam [31:0] F_SETS = VC_SETS;
  function [6:0] f_cycles(input [6:0] n, input [6:0] number);
    reg [6:0] to_end, before;
    begin
      to_end   = F_SETS[6:0] - (number & (F_SETS[6:0] - 7'd1));
      before   = n < to_end ? n : to_end;
      f_cycles = (before + 7'd1) / 7'd2 + (n - before + 7'd1) / 7'd2;
    end
  endfunction

  wire [6:0] f_words = (in_word + bytes + BYTES_32[6:0] - 7'd1) / BYTES_32[6:0];
  wire       f_is_two = is_write_i && f_words == 7'd2 && !is_last_set;
  reg        f_past_q = 1'b0;
  reg  [NUMBER_BITS-1:0] f_next_q;  // number of the word that is freed next
  always @(posedge clk_i) if (reads) f_next_q <= number + {{(NUMBER_BITS - 2){1'b0}}, frees_both, !frees_both};
  reg  [6:0] f_left_q;   // cycles that the next one still waits
  reg  [1:0] f_twos_q;   // writes of two words, in cycles behind each other
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_left_q <= 7'd0;
      f_twos_q <= 2'd0;
    end else if (moves_i) begin
      f_left_q <= takes ? (is_write_i ? f_cycles(f_words, addr_i[LOG2_BYTES +: 7]) - 7'd1 : 7'd0) :
                  f_left_q - {6'd0, f_left_q != 7'd0};
      f_twos_q <= takes && f_is_two ? f_twos_q + {1'b0, !(&f_twos_q)} : 2'd0;
    end
  end
  always @* begin
    assert (F_SETS == 32 || F_SETS == 64);
    if (!f_past_q) assume (!rst_ni);
    if (rst_ni) begin
      assert (f_words <= 17);
      assert (ready_o == (f_left_q == 7'd0));
      if (f_twos_q != 2'd0) assert (ready_o);
      if (frees_q) assert ({next_high, next_q[LOW_BITS-1:0]} == f_next_q);
      if (frees_q) assert (left_q != 5'd0 && f_left_q == f_cycles({2'd0, left_q}, next_q[6:0]));
      cover (f_past_q && f_left_q == 7'd2);
      cover (f_twos_q == 2'd3 && takes && f_is_two && number[0]);
    end
  end
`endif
`endif

endmodule

`default_nettype wire
