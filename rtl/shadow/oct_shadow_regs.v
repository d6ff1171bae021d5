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
  input  wire                 stores_i,      // origins in the word
  input  wire [11:0]          stored_i,      // with these lowest bits of its number
  input  wire [7:0]           number_0_i,    // of registers that are read: oct_shadow_types.vh
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
  localparam integer WORD_LOG2 = ADDR_BITS > 32 ? 3 : 2;

  reg [A*REGS-1:0] value_q;
  reg [REGS-1:0]   known_q, has_origin_q;
  reg [2*REGS+1:0] conf_q;  // the last one is of ZERO

  // ---- Reads ----

  reg  [A-1:0] read_0, read_1, read_2;
  reg          known_0, known_1, known_2, origin_0, origin_1;

  always @* begin : p_read
    integer i;
    {read_0, read_1, read_2} = {3 * A{1'b0}};
    known_0  = number_0_i == REG_ZERO;
    known_1  = number_1_i == REG_ZERO;
    known_2  = 1'b0;
    origin_0 = 1'b0;
    origin_1 = 1'b0;
    for (i = 0; i < REGS; i = i + 1) begin
      if (number_0_i == i[7:0]) begin
        read_0   = value_q[A*i +: A];
        known_0  = known_q[i];
        origin_0 = has_origin_q[i];
      end
      if (number_1_i == i[7:0]) begin
        read_1   = value_q[A*i +: A];
        known_1  = known_q[i];
        origin_1 = has_origin_q[i];
      end
      if (number_2_i == i[7:0]) begin
        read_2  = value_q[A*i +: A];
        known_2 = known_q[i];
      end
    end
  end

  // ---- Writes ----

  genvar g;
  generate
    for (g = 0; g < REGS; g = g + 1) begin : gen_reg
      localparam [31:0] NUMBER = g;
      wire p_here = (learns_i || back_i) && base_i == NUMBER[7:0];
      wire q_here = q_on_i && q_reg_i == NUMBER[7:0];
      wire clobbered = clobbers_i[g];
      wire is_stale = stores_i && value_q[A*g + WORD_LOG2 +: 12] == stored_i;
      wire s_here = s_on_i && s_reg_i == NUMBER[7:0] && (s_last_i || (!q_here && !clobbered));

      always @(posedge clk_i) begin
        if (moves_i) begin
          if (s_here) value_q[A*g +: A] <= s_value_i;
          else if (q_here) value_q[A*g +: A] <= q_value_i;
          else if (p_here) value_q[A*g +: A] <= p_value_i;
        end
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

    for (g = 0; g <= REGS; g = g + 1) begin : gen_conf
      localparam [31:0] NUMBER = g;
      wire here = claims_i && base_i == (g == REGS ? REG_ZERO : NUMBER[7:0]);

      always @(posedge clk_i) begin
        if (moves_i) begin
          if (clear_i || (doubt_i && g != REGS)) conf_q[2*g +: 2] <= 2'd0;
          else if (here) conf_q[2*g +: 2] <= miss_i ? 2'd0 : conf_q[2*g +: 2] == 2'd3 ? 2'd3 : conf_q[2*g +: 2] + 2'd1;
        end
      end
    end
  endgenerate

  reg [1:0] conf;
  always @* begin : p_conf
    integer i;
    conf = conf_q[2*REGS +: 2];
    for (i = 0; i < REGS; i = i + 1) if (base_i == i[7:0]) conf = conf_q[2*i +: 2];
  end

  assign value_0_o    = read_0;
  assign value_1_o    = read_1;
  assign value_2_o    = read_2;
  assign known_o      = {known_2, known_1, known_0};
  assign has_origin_o = {origin_1, origin_0};
  assign conf_o       = conf;

  wire unused = &{1'b0, clobbers_i};

endmodule

`default_nettype wire
