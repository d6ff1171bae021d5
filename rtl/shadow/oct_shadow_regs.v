// SPDX-License-Identifier: Apache-2.0
// oct_shadow_regs - shadow registers: values, known or not, origins of those that are not, and how
// often addresses from each were right. docs/shadow-format.md, section 6; oct_shadow_regs, oct_sr_set of
// model/shadow/.
//
// Three are read and three written in a cycle; what is written is there in the next one. An unknown
// register keeps its origin in the place of its value. Of writes to one register the later counts:
// what an address teaches its base (p), clobbers, a base written back (p), an index that is learnt
// (s), a result (q), what control teaches (s, with s_last_i). A store ends origins in its word, of which
// the lowest bits of the number are compared. Nothing moves while moves_i is low.
// There is no reset: clear_i comes before the first instruction.
//
// Values are in memories: each of the three writes has one for each of the three reads, and a register
// tells which write was its last. They are read a cycle ahead (next_*_i); what is written in that cycle is
// kept beside. Beside them are also the bits of an origin that a store compares.
//
// ADDR_BITS  bits of a register
// REGS       registers, 1 to 32
`default_nettype none

module oct_shadow_regs #(
  parameter integer ADDR_BITS = 32,
  parameter integer REGS      = 16
) (
  input  wire                 clk_i,
  input  wire                 moves_i,
  input  wire                 clear_i,       // all
  input  wire                 forget_i,      // all but confidences
  input  wire                 doubt_i,       // origins, and confidences of registers
  input  wire                 stores_i,      // origins in the word of this access,
  input  wire [11:0]          word_i,        // of whose number these are the lowest bits
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
  localparam integer AT_BITS = REGS > 1 ? $clog2(REGS) : 1;
  localparam [31:0]  REGS_32 = REGS;
  localparam [7:0]   N_REGS = REGS_32[7:0];

  reg [REGS-1:0]    known_q, has_origin_q;
  reg [REGS-1:0]    last_s_q, last_q_q;  // the last write; of p, if neither
  reg [12*REGS-1:0] origin_q;
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
  wire [2:0]   writes = {s_wins && s_reg_i < N_REGS, q_on_i && q_reg_i < N_REGS, p_on && base_i < N_REGS};
  wire [23:0]  to = {s_reg_i, q_reg_i, base_i};
  wire [3*A-1:0] values = {s_value_i, q_value_i, p_value_i};
  wire [23:0]  next = {next_2_i, next_1_i, next_0_i};
  reg  [3*A-1:0] values_q;  // what the beat before wrote
  wire [3*A-1:0] read;

  always @(posedge clk_i) if (moves_i) values_q <= values;

  genvar g, h;
  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_read
      wire [7:0]       number = next[8*g +: 8];
      wire [2:0]       here = {number == s_reg_i, number == q_reg_i, number == base_i} & writes;
      reg  [1:0]       last;
      wire [2:0]       is_last = {last[1], last[0], last == 2'd0} & {3{number < N_REGS && here == 3'd0}};
      reg  [5:0]       from_q;  // the memories, or the beat before
      wire [3*A-1:0]   stored;

      always @* begin : p_last
        integer i;
        last = 2'd0;
        for (i = 0; i < REGS; i = i + 1) if (number == i[7:0]) last = {last_s_q[i], last_q_q[i]};
      end

      always @(posedge clk_i) begin
        if (moves_i) from_q <= {here[2], here[1] && !here[2], here[0] && here[2:1] == 2'd0, is_last};
      end

      for (h = 0; h < 3; h = h + 1) begin : gen_write
        oct_ram #(
          .WIDTH(A),
          .DEPTH(REGS)
        ) u_values (
          .clk_i  (clk_i),
          .we_i   (moves_i && writes[h]),
          .waddr_i(to[8*h +: AT_BITS]),
          .wdata_i(values[A*h +: A]),
          .re_i   (moves_i),
          .raddr_i(number[AT_BITS-1:0]),
          .rdata_o(stored[A*h +: A])
        );
      end

      assign read[A*g +: A] =
          (stored[0 +: A] & {A{from_q[0]}}) | (stored[A +: A] & {A{from_q[1]}}) | (stored[2*A +: A] & {A{from_q[2]}}) |
          (values_q[0 +: A] & {A{from_q[3]}}) | (values_q[A +: A] & {A{from_q[4]}}) |
          (values_q[2*A +: A] & {A{from_q[5]}});
    end

    for (g = 0; g < REGS; g = g + 1) begin : gen_reg
      localparam [31:0] NUMBER = g;
      wire p_here = p_on && base_i == NUMBER[7:0];
      wire q_here = q_on_i && q_reg_i == NUMBER[7:0];
      wire clobbered = clobbers_i[g];
      wire is_stale = stores_i && origin_q[12*g +: 12] == word_i;
      wire s_here = s_on_i && s_reg_i == NUMBER[7:0] && (s_last_i || (!q_here && !clobbered));

      always @(posedge clk_i) begin
        if (moves_i && (s_here || q_here || p_here)) {last_s_q[g], last_q_q[g]} <= {s_here, q_here && !s_here};
        if (moves_i && q_here) origin_q[12*g +: 12] <= word_i;
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

  wire unused = &{1'b0, clobbers_i, next, to};

endmodule

`default_nettype wire
