// SPDX-License-Identifier: Apache-2.0
// oct_shadow_regs - shadow registers: values, known or not, origins of those that are not, and how
// often addresses from each were right. docs/shadow-format.md, section 6; oct_shadow_regs, oct_sr_set of
// model/shadow/.
//
// Three are read and three written in a cycle; what is written is there in the next one. An unknown
// register keeps its origin in the place of its value. Of writes to one register the later counts:
// what an address teaches its base (p) or index (s), clobbers, a base written back (p), a result (q), what control
// teaches (s, with s_last_i). A store ends origins in its word, of which
// the lowest bits of the number are compared. Nothing moves while moves_i is low.
// There is no reset: clear_i comes before the first instruction.
//
// Values are in one file of flip-flops, as memories of three writes and three reads would be nine copies, of too few
// bits for a memory compiler. What is written waits a beat beside the file, so that a result goes no further in its
// cycle. Values are read a cycle ahead (next_*_i). An origin is the address of the access that comes with it: a store
// compares bits of it.
//
// ADDR_BITS    bits of a register
// REGS         registers, 1 to 32
// ORIGIN_BITS  bits of an origin that a store compares
`default_nettype none

module oct_shadow_regs #(
  parameter integer ADDR_BITS   = 32,
  parameter integer REGS        = 16,
  parameter integer ORIGIN_BITS = 12
) (
  input  wire                 clk_i,
  input  wire                 moves_i,
  input  wire                 clear_i,       // all
  input  wire                 forget_i,      // all but confidences
  input  wire                 doubt_i,       // origins, and confidences of registers
  input  wire                 stores_i,      // origins in the word of this access,
  input  wire [ORIGIN_BITS-1:0] word_i,      // of whose number these are the lowest bits
  input  wire [7:0]           next_0_i,      // numbers of registers that the beat behind reads, if it moves:
  input  wire [7:0]           next_1_i,      // oct_shadow_types.vh
  input  wire [7:0]           next_2_i,
  input  wire [7:0]           number_0_i,    // that this one reads
  input  wire [7:0]           number_1_i,
  input  wire [7:0]           number_2_i,
  output wire [ADDR_BITS-1:0] value_0_o,
  output wire [ADDR_BITS-1:0] value_1_o,
  output wire [ADDR_BITS-1:0] value_2_o,
  output wire [2:0]           known_o,
  output wire [1:0]           has_origin_o,  // of the first two: the value is that
  input  wire [7:0]           base_i,        // of p, and of the confidence
  output wire [1:0]           conf_o,
  input  wire                 claims_i,      // the confidence learns
  input  wire                 miss_i,
  input  wire [31:0]          clobbers_i,
  input  wire                 learns_i,      // p: the base is known now,
  input  wire                 back_i,        // or written back
  input  wire                 p_known_i,
  input  wire [ADDR_BITS-1:0] p_value_i,
  input  wire                 s_on_i,
  input  wire                 s_last_i,
  input  wire [7:0]           s_reg_i,
  input  wire [ADDR_BITS-1:0] s_value_i,
  input  wire                 q_on_i,
  input  wire [7:0]           q_reg_i,
  input  wire                 q_known_i,
  input  wire                 q_origin_i,
  input  wire [ADDR_BITS-1:0] q_value_i
);

`include "oct_shadow_types.vh"

  localparam integer A = ADDR_BITS;
  localparam integer WORD_LOG2 = A > 32 ? 3 : 2;
  localparam [31:0]  REGS_32 = REGS;
  localparam [7:0]   N_REGS = REGS_32[7:0];

  reg [REGS-1:0]    known_q, has_origin_q;
  reg [2*REGS+1:0]  conf_q;  // the last one is of ZERO

  reg  [1:0] conf;
  wire [1:0] conf_d = miss_i ? 2'd0 : conf == 2'd3 ? 2'd3 : conf + 2'd1;

  // ---- Known or not ----

  reg          known_0, known_1, known_2, origin_0, origin_1;

  always @* begin : p_read
    integer i;
    known_0  = number_0_i == REG_ZERO;
    known_1  = number_1_i == REG_ZERO;
    known_2  = 1'b0;
    origin_0 = 1'b0;
    origin_1 = 1'b0;
    for (i = 0; i < REGS; i = i + 1) begin
      if (number_0_i == i[7:0]) begin
        known_0  = known_q[i];
        origin_0 = has_origin_q[i];
      end
      if (number_1_i == i[7:0]) begin
        known_1  = known_q[i];
        origin_1 = has_origin_q[i];
      end
      if (number_2_i == i[7:0]) known_2 = known_q[i];
    end
  end

  // ---- Values ----

  wire         p_on = learns_i || back_i;
  wire         s_wins = s_on_i && (s_last_i || !(q_on_i && q_reg_i == s_reg_i));
  wire [2:0]   writes = {s_wins, q_on_i, p_on};
  wire [23:0]  next = {next_2_i, next_1_i, next_0_i};
  reg  [3*A-1:0]    values_q;  // what the beat before wrote: p lowest, q, s,
  wire [A*REGS-1:0] values_d;  // and the file with it
  wire [3*A-1:0]    read;

  always @(posedge clk_i) if (moves_i) values_q <= {s_value_i, q_value_i, p_value_i};

  genvar g;
  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_read
      wire [7:0]   number = next[8*g +: 8];
      wire [2:0]   here = {number == s_reg_i, number == q_reg_i, number == base_i} & writes;
      reg  [3:0]   from_q;  // the file, or the beat before
      reg  [A-1:0] stored, stored_q;

      always @* begin : p_stored
        integer i;
        stored = {A{1'b0}};
        for (i = 0; i < REGS; i = i + 1) stored = stored | (values_d[A*i +: A] & {A{number == i[7:0]}});
      end

      always @(posedge clk_i) begin
        if (moves_i) begin
          from_q   <= {here == 3'd0, here[2], here[1] && !here[2], here[0] && here[2:1] == 2'd0} & {4{number < N_REGS}};
          stored_q <= stored;
        end
      end

      assign read[A*g +: A] = (stored_q & {A{from_q[3]}}) | (values_q[2*A +: A] & {A{from_q[2]}}) |
                              (values_q[A +: A] & {A{from_q[1]}}) | (values_q[0 +: A] & {A{from_q[0]}});
    end

    for (g = 0; g < REGS; g = g + 1) begin : gen_reg
      localparam [31:0] NUMBER = g;
      wire p_here = p_on && base_i == NUMBER[7:0];
      wire q_here = q_on_i && q_reg_i == NUMBER[7:0];
      wire clobbered = clobbers_i[g];
      wire is_stale = stores_i && values_d[A*g+WORD_LOG2 +: ORIGIN_BITS] == word_i;
      wire s_here = s_on_i && s_reg_i == NUMBER[7:0] && (s_last_i || (!q_here && !clobbered));

      reg  [3:0]   from_q;  // what it was, or the write of the beat before: one of four
      reg  [A-1:0] value_q;

      assign values_d[A*g +: A] = (value_q & {A{from_q[3]}}) | (values_q[2*A +: A] & {A{from_q[2]}}) |
                                  (values_q[A +: A] & {A{from_q[1]}}) | (values_q[0 +: A] & {A{from_q[0]}});

      always @(posedge clk_i) begin
        if (moves_i) from_q <= {!s_here && !q_here && !p_here, s_here, q_here && !s_here, p_here && !q_here && !s_here};
        // As what it takes stays while nothing moves, it needs no enable.
        value_q <= values_d[A*g +: A];
      end

      always @(posedge clk_i) begin
        if (moves_i) begin
          if (clear_i || forget_i) begin
            known_q[g]      <= 1'b0;
            has_origin_q[g] <= 1'b0;
          end else if (s_here) begin
            known_q[g]      <= 1'b1;
            has_origin_q[g] <= 1'b0;
          end else if (q_here) begin
            known_q[g]      <= q_known_i;
            has_origin_q[g] <= q_origin_i;
          end else if (back_i && base_i == NUMBER[7:0]) begin
            known_q[g]      <= p_known_i;
            has_origin_q[g] <= 1'b0;
          end else if (clobbered) begin
            known_q[g]      <= 1'b0;
            has_origin_q[g] <= 1'b0;
          end else if (p_here) begin
            known_q[g]      <= 1'b1;
            has_origin_q[g] <= 1'b0;
          end else if (doubt_i || is_stale) begin
            has_origin_q[g] <= 1'b0;
          end
        end
      end
    end

    // Only the base's learns: all are offered the same.
    for (g = 0; g <= REGS; g = g + 1) begin : gen_conf
      localparam [31:0] NUMBER = g;
      wire here = claims_i && base_i == (g == REGS ? REG_ZERO : NUMBER[7:0]);

      always @(posedge clk_i) begin
        if (moves_i) begin
          if (clear_i || (doubt_i && g != REGS)) conf_q[2*g +: 2] <= 2'd0;
          else if (here) conf_q[2*g +: 2] <= conf_d;
        end
      end
    end
  endgenerate

  always @* begin : p_conf
    integer i;
    conf = conf_q[2*REGS +: 2];
    for (i = 0; i < REGS; i = i + 1) if (base_i == i[7:0]) conf = conf_q[2*i +: 2];
  end

  assign {value_2_o, value_1_o, value_0_o} = read;
  assign known_o      = {known_2, known_1, known_0};
  assign has_origin_o = {origin_1, origin_0};
  assign conf_o       = conf;

  wire unused = &{1'b0, clobbers_i};

`ifdef FORMAL
  // Any one register, as the writes change it one after the other.
  localparam integer AT_BITS = REGS > 1 ? $clog2(REGS) : 1;
  (* anyconst *) reg [7:0] f_reg;
  reg          f_known_q = 1'b0, f_has_origin_q = 1'b0, f_is_value_q = 1'b0, f_cleared_q = 1'b0;
  reg [A-1:0]  f_value_q;
  reg [ORIGIN_BITS-1:0] f_origin_q;
  reg [2:0]    f_reads_q;  // the register, a beat ago
  reg          f_known_d, f_has_origin_d, f_is_value_d;
  reg [A-1:0]  f_value_d;
  wire         f_p = base_i == f_reg, f_s = s_on_i && s_reg_i == f_reg, f_q = q_on_i && q_reg_i == f_reg;
  wire [AT_BITS-1:0] f_at = f_reg[AT_BITS-1:0];

  always @* begin
    assume (f_reg < N_REGS);
    // An origin is the address of the access.
    if (q_on_i && q_origin_i) assume (q_value_i[WORD_LOG2 +: ORIGIN_BITS] == word_i);
    // An index is learnt by a base that is known: it is another register. And what learns its base has learnt no index.
    if (s_on_i && !s_last_i) assume (!(back_i && f_p && f_s) && !learns_i);
    {f_known_d, f_has_origin_d, f_is_value_d, f_value_d} = {f_known_q, f_has_origin_q, f_is_value_q, f_value_q};
    if (doubt_i || (stores_i && f_origin_q == word_i)) f_has_origin_d = 1'b0;
    if (learns_i && f_p) {f_known_d, f_has_origin_d, f_is_value_d, f_value_d} = {3'b101, p_value_i};
    if (f_s && !s_last_i) {f_known_d, f_has_origin_d, f_is_value_d, f_value_d} = {3'b101, s_value_i};
    if (clobbers_i[f_at]) {f_known_d, f_has_origin_d, f_is_value_d} = 3'd0;
    if (back_i && f_p) {f_known_d, f_has_origin_d, f_is_value_d, f_value_d} = {p_known_i, 2'b01, p_value_i};
    if (f_q) {f_known_d, f_has_origin_d, f_is_value_d, f_value_d} = {q_known_i, q_origin_i, 1'b1, q_value_i};
    if (f_s && s_last_i) {f_known_d, f_has_origin_d, f_is_value_d, f_value_d} = {3'b101, s_value_i};
    if (clear_i || forget_i) {f_known_d, f_has_origin_d} = 2'd0;
  end

  always @(posedge clk_i) begin
    if (moves_i) begin
      {f_known_q, f_has_origin_q, f_is_value_q, f_value_q} <= {f_known_d, f_has_origin_d, f_is_value_d, f_value_d};
      if (f_q) f_origin_q <= word_i;
      f_reads_q   <= {next_2_i == f_reg, next_1_i == f_reg, next_0_i == f_reg};
      f_cleared_q <= f_cleared_q || clear_i;
    end
  end

  always @* if (f_cleared_q) begin
    assert (known_q[f_at] == f_known_q && has_origin_q[f_at] == f_has_origin_q);
    if (f_has_origin_q) assert (f_is_value_q && f_value_q[WORD_LOG2 +: ORIGIN_BITS] == f_origin_q);
    if (f_is_value_q) assert (values_d[A*f_at +: A] == f_value_q);
    if (f_is_value_q && f_reads_q[0]) assert (value_0_o == f_value_q);
    if (f_is_value_q && f_reads_q[1]) assert (value_1_o == f_value_q);
    if (f_is_value_q && f_reads_q[2]) assert (value_2_o == f_value_q);
  end

  always @(posedge clk_i) if (f_cleared_q && moves_i) begin
    cover (f_q && f_s && s_last_i && f_reads_q == 3'd7);
    cover (f_s && !s_last_i && clobbers_i[f_at]);
    cover (f_has_origin_q && stores_i && word_i[ORIGIN_BITS-2:0] == f_origin_q[ORIGIN_BITS-2:0] && word_i != f_origin_q);
    cover (f_has_origin_q && !f_has_origin_d && !f_p && !f_q && !f_s && !doubt_i);
  end
`endif

endmodule

`default_nettype wire
