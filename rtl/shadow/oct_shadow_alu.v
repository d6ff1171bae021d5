// SPDX-License-Identifier: Apache-2.0
// oct_shadow_alu - the result of an effect and the conditions behind it, from the values of
// its operands. docs/trace-format.md, effect; model/shadow/oct_shadow_execute.h.
//
// Combinational. It computes what the decoders for A32 and RISC-V give: operands of 32 bits or of a
// whole register, no select, no address, and only with registers of 32 bits flags. One addition stands behind
// one shifter, as an operation has a shifted register or a constant; where it has both, a is ZERO, and
// the constant takes its place. A shift by a register uses the same shifter, and so does the index of an address. What
// the shifter takes is always b_i: so of a shift by a register a_i is operand b, the amount, and b_i operand a. An operand ZERO comes as a known 0.
// The low 8 or 16 bits of an operand are taken without a shift, so they do not wait for it.
//
// Conditions are EQ, CS, MI, VS, HI, GE, GT from bit 0 on; the first four are Z, C, N and V.
//
// ADDR_BITS  bits of an address and of a register: 32, or up to 64
`default_nettype none

module oct_shadow_alu #(
  parameter integer ADDR_BITS = 32
) (
  input  wire [511:0]         op_i,         // oct_shadow_types.vh
  input  wire [ADDR_BITS-1:0] a_i,
  input  wire                 a_known_i,
  input  wire [ADDR_BITS-1:0] b_i,
  input  wire                 b_known_i,
  input  wire [6:0]           cond_known_i,
  input  wire [6:0]           cond_value_i,
  input  wire [1:0]           kind_i,       // how b is shifted by its form, or by that of an index: oct_shadow_shift
  input  wire [5:0]           by_i,
  input  wire [5:0]           right_i,
  output wire [ADDR_BITS-1:0] scaled_o,
  output wire [ADDR_BITS-1:0] result_o,
  output wire                 known_o,
  output wire [6:0]           cond_known_o,
  output wire [6:0]           cond_value_o  // 0 where not known
);

`include "oct_shadow_types.vh"

  localparam integer W = ADDR_BITS > 32 ? 64 : 32;

  wire [7:0]   result = op_i[OP_RESULT +: 8];
  wire [2:0]   b_extend = op_i[OP_B_EXTEND +: 3];
  wire [3:0]   how = op_i[OP_SET_FLAGS +: 4];
  wire [W-1:0] imm = op_i[OP_IMM +: W];
  wire         is_word = W == 32 || op_i[OP_WIDTH +: 2] == 2'd2;
  wire         is_signed = W > 32 && (op_i[OP_WIDTH +: 8] & EFFECT_SIGNED_RESULT) != 8'd0;
  wire         a_is_zero = op_i[OP_A +: 8] == REG_ZERO, b_is_zero = op_i[OP_B +: 8] == REG_ZERO;

  // ---- Operands ----

  // With 32 bits the upper halves are not used.
  // verilator lint_off UNUSEDSIGNAL
  function [W-1:0] wide(input [ADDR_BITS-1:0] value);
    reg [63:0] padded;
    begin
      padded = {{(64 - ADDR_BITS){1'b0}}, value};
      wide   = padded[W-1:0];
    end
  endfunction

  // The low half of 64 bits alone, with zeros or signs above.
  function [W-1:0] of_half(input [W-1:0] value, input [2:0] extend);
    reg [63:0] v, padded;
    begin
      padded = {{(64 - W){1'b0}}, value};
      case (extend)
        EXTEND_U32[2:0]: v = {32'd0, padded[31:0]};
        EXTEND_S32[2:0]: v = {{32{padded[31]}}, padded[31:0]};
        default: v = padded;
      endcase
      of_half = v[W-1:0];
    end
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  wire         is_shift = result == RESULT_SHL || result == RESULT_SHR || result == RESULT_SAR;
  wire [W-1:0] a = wide(a_i);
  wire [W-1:0] b = of_half(wide(b_i), is_shift ? EXTEND_NONE[2:0] : b_extend);
  wire         is_half = b_extend == EXTEND_U16[2:0] || b_extend == EXTEND_S16[2:0];
  wire         is_byte = b_extend == EXTEND_U8[2:0] || b_extend == EXTEND_S8[2:0];
  wire         sign = is_half ? b_extend == EXTEND_S16[2:0] && b[15] : b_extend == EXTEND_S8[2:0] && b[7];
  wire [W-1:0] narrow = {{(W - 16){sign}}, is_half ? b[15:8] : {8{sign}}, b[7:0]};

  // ---- Shifters: of b, by a constant or by a ----

  // A shift by a register has no addition behind it. So it has a shifter of its own, and the other waits for no register.
  wire [W-1:0] by_form, outside, by_a, beside_a;

  oct_shadow_shift #(
    .WIDTH(W)
  ) u_by_form (
    .value_i  (b),
    .is_word_i(is_word),
    .kind_i   (kind_i),
    .by_i     (by_i),
    .right_i  (right_i),
    .inside_o (by_form),
    .outside_o(outside)
  );

  wire [5:0]   amount = a[5:0];

  oct_shadow_shift #(
    .WIDTH(W)
  ) u_by_a (
    .value_i  (b),
    .is_word_i(is_word),
    .kind_i   (result[1:0] - RESULT_SHL[1:0]),
    .by_i     (amount),
    .right_i  (result == RESULT_SHL ? -amount : amount),
    .inside_o (by_a),
    .outside_o(beside_a)
  );

  // ---- Result ----

  wire         has_base = a_is_zero && result == RESULT_ADD;  // a constant in the place of a
  wire [W-1:0] x = has_base ? imm : a;
  wire         is_narrow = is_half || is_byte;
  // ZERO shifted is 0.
  wire [W-1:0] beside = (is_narrow ? narrow : outside) | (b_is_zero && !has_base ? imm : {W{1'b0}});
  wire [W-1:0] y = (by_form & {W{!is_narrow}}) | beside;
  wire         is_sub = result == RESULT_SUB, is_reverse = result == RESULT_RSB;
  // What comes from the shifter is late. So it is added as it is: x - y is the complement of y + complement of x.
  wire [W-1:0] first = x ^ {W{is_sub || is_reverse}};
  // The lowest bits of both bring the carry in.
  wire [W+1:0] total = {1'b0, first, 1'b1} + {1'b0, y, is_reverse};
  wire [W:0]   sum = total[W+1:1] ^ {(W + 1){is_sub}};
  wire [W-1:0] second = y ^ {W{result == RESULT_BIC || result == RESULT_ORN}};
  // A shift by the width or more is not known.
  wire [W-1:0] far = of_half(a, b_extend);
  wire         is_too_far = far[7:6] != 2'd0 || (far[31:8] != 24'd0 && !is_byte) ||
                            (is_word ? far[5] : far >> 8 != {W{1'b0}});
  reg  [W-1:0] value;
  reg          known;

  always @* begin
    known = a_known_i && b_known_i;
    case (result)
      RESULT_ADD, RESULT_SUB, RESULT_RSB: value = sum[W-1:0];
      RESULT_AND, RESULT_BIC: value = x & second;
      RESULT_OR, RESULT_ORN: value = x | second;
      RESULT_XOR: value = x ^ second;
      RESULT_SHL, RESULT_SHR, RESULT_SAR: begin
        value = by_a | beside_a;
        if (is_too_far) known = 1'b0;
      end
      RESULT_INSERT: begin
        value = a;
        value[31:16] = imm[15:0];  // 16 is the only place
        known = a_known_i;
      end
      default: begin
        value = {W{1'b0}};
        known = 1'b0;
      end
    endcase
  end

  generate
    if (W == 32) begin : gen_result_32
      assign result_o = value;
    end else begin : gen_result
      wire [63:0] cut = is_word ? {{32{is_signed && value[31]}}, value[31:0]} : value;
      assign result_o = cut[ADDR_BITS-1:0];
      if (ADDR_BITS < 64) begin : gen_unused
        wire unused = &{1'b0, cut[63:ADDR_BITS]};
      end
    end
  endgenerate

  assign scaled_o = by_form[ADDR_BITS-1:0] | outside[ADDR_BITS-1:0];
  assign known_o  = known;

  // ---- Conditions ----

  wire       is_kept = how == FLAGS_KEEP, is_all = how == FLAGS_ALU, is_nz = how == FLAGS_NZ;
  wire       is_fresh = known && how != FLAGS_UNKNOWN;
  wire       z = value[31:0] == 32'd0, n = value[31];
  // What is added to ZERO gives neither carry nor overflow.
  wire       carry = sum[W] && !has_base;
  wire       first_sign = x[31] ^ is_reverse;
  wire       overflow = first_sign == (y[31] ^ is_sub) && first_sign != value[31] && !has_base;
  wire [3:0] known_4 = is_kept ? cond_known_i[3:0] :
                       {is_all ? is_fresh : (is_nz || how == FLAGS_NZ_C) && cond_known_i[3],
                        is_fresh, is_all ? is_fresh : is_nz && cond_known_i[1], is_fresh};
  wire [3:0] value_4 = known_4 & (is_kept ? cond_value_i[3:0] :
                                  {is_all ? overflow : cond_value_i[3], n,
                                   is_all ? carry : cond_value_i[1], z});
  wire       is_ge = value_4[2] == value_4[3];

  assign cond_known_o = is_kept ? cond_known_i :
      {known_4[0] && known_4[2] && known_4[3], known_4[2] && known_4[3], known_4[0] && known_4[1],
       known_4};
  assign cond_value_o = cond_known_o &
      (is_kept ? cond_value_i : {!value_4[0] && is_ge, is_ge, value_4[1] && !value_4[0], value_4});

  // Of the vector only these fields are used here.
  wire unused = &{1'b0, op_i, b, is_signed, total};

endmodule

`default_nettype wire
