// SPDX-License-Identifier: Apache-2.0
// oct_shadow_address - the address that the shadow claims for an access, and what the true one teaches
// about base and index. docs/shadow-format.md, section 7; oct_shadow_address, oct_shadow_learn_address,
// oct_code_first and oct_code_next of model/shadow/.
//
// Combinational. The first access of an instruction has base + offset or base +- (index shifted); each later
// one follows the one before. The shifter is that of oct_shadow_alu.
//
// ADDR_BITS  bits of an address and of a register: 32, or up to 64
`default_nettype none

module oct_shadow_address #(
  parameter integer ADDR_BITS = 32
) (
  input  wire [127:0]         mem_i,           // the memory operand: oct_shadow_types.vh
  input  wire                 is_known_i,      // the operation is
  input  wire                 access_i,
  input  wire                 is_first_i,
  input  wire [ADDR_BITS-1:0] addr_i,
  input  wire [ADDR_BITS-1:0] last_addr_i,     // of the access before
  input  wire [2:0]           last_size_i,
  input  wire [ADDR_BITS-1:0] base_i,
  input  wire                 base_known_i,
  input  wire                 index_known_i,
  input  wire [ADDR_BITS-1:0] scaled_i,        // the index, shifted
  input  wire [1:0]           conf_i,          // of the base
  output wire                 is_claimed_o,    // the first access, by the shadow
  output wire                 first_o,         // this, or a later one: its first decision,
  output wire [3:0]           context_o,       // with the context in ITEM_ACCESS
  output wire                 miss_o,
  output wire                 has_near_o,
  output wire [ADDR_BITS-1:0] near_o,
  output wire                 learns_base_o,
  output wire [ADDR_BITS-1:0] learnt_base_o,
  output wire                 learns_index_o,
  output wire [ADDR_BITS-1:0] learnt_index_o,
  output wire                 back_known_o,    // what is written back to the base
  output wire [ADDR_BITS-1:0] back_value_o
);

`include "oct_shadow_types.vh"

  localparam integer A = ADDR_BITS;

  wire [7:0]   base = mem_i[MEM_BASE +: 8], index = mem_i[MEM_INDEX +: 8];
  wire [7:0]   form = mem_i[MEM_FORM +: 8], shift = mem_i[MEM_SHIFT +: 8];
  wire [A-1:0] offset = mem_i[MEM_OFFSET +: A];
  wire         has_memory = form[7];
  wire [1:0]   back = form[1:0];

  // ---- What is expected: one addition ----

  // The decoders give an offset or an index, and both only if the base is ZERO: then the offset takes its place.
  wire         has_index = index != REG_ZERO && back != MEM_BACK_INDEX[1:0];
  wire [5:0]   amount = shift[5:0];
  wire         is_minus = form[3];
  wire         claimable = has_memory && base_known_i && (!has_index || index_known_i);
  wire         is_claimed = access_i && is_first_i && claimable;
  wire [A-1:0] from = has_index && base == REG_ZERO ? offset : base_i;
  wire [A-1:0] scaled = scaled_i ^ {A{is_minus}};  // and 1 more, if it is negative
  wire         adds_one = has_index && is_minus;
  wire [A-1:0] by = has_index ? scaled : offset;
  wire [A-1:0] claim = from + by + {{(A - 1){1'b0}}, adds_one};
  wire [A-1:0] size_bytes = last_size_i == 3'd7 ? {{(A - 3){1'b0}}, 3'd4} : {{(A - 1){1'b0}}, 1'b1} << last_size_i;
  wire         is_same = is_known_i && form[2];
  wire [A-1:0] following = last_addr_i + (is_same ? {A{1'b0}} : size_bytes);
  wire         is_later = access_i && !is_first_i;
  // from + by - addr is 0, without a carry chain: two numbers are -1 together if each bit is in one of them.
  wire [A-1:0] odd = from ^ by ^ ~addr_i;
  wire [A-1:0] twos = (from & by) | (from & ~addr_i) | (by & ~addr_i);
  wire         is_right = &(odd ^ {twos[A-2:0], adds_one});
  wire         miss = is_first_i ? !is_right : addr_i != following;
  wire         is_fixed = base == REG_ZERO && index == REG_ZERO;
  wire         is_unknown = access_i && is_first_i && (!is_claimed || miss);

  // ---- What the address teaches ----

  wire [A-1:0] learnt_base = addr_i + ~by + {{(A - 1){1'b0}}, !adds_one};
  wire         learns_base = is_unknown && has_memory && base < 8'd32 && (!has_index || index_known_i);
  wire [A-1:0] index_up = (is_minus ? from : addr_i) - (is_minus ? addr_i : from);
  wire [A-1:0] low_bits = ~({A{1'b1}} << amount);
  wire         learns_index = is_unknown && has_memory && has_index && !index_known_i && base_known_i && index < 8'd32 &&
                              shift[7:6] == 2'd0 && (index_up & low_bits) == {A{1'b0}};
  wire [A-1:0] learnt_index = $unsigned($signed(index_up) >>> amount);

  // ---- The base that is written back ----

  // Three numbers are added if the base is learnt: it is addr - offset then.
  wire [31:0]  step_32 = mem_i[MEM_STEP +: 32];
  wire [63:0]  step_64 = {{32{step_32[31]}}, step_32};
  wire         is_step = back == MEM_BACK_STEP[1:0];
  wire         base_known = base_known_i || learns_base;
  wire         index_known = index_known_i || learns_index;
  wire [A-1:0] base_part = learns_base ? addr_i : base_i;
  wire [A-1:0] less_part = learns_base ? ~offset : {A{1'b0}};
  wire [A-1:0] back_by = is_step ? step_64[A-1:0] : scaled;
  wire [A-1:0] carries = (base_part & less_part) | (base_part & back_by) | (less_part & back_by);
  wire [A-1:0] moved = (base_part ^ less_part ^ back_by) + {carries[A-2:0], learns_base} +
                       {{(A - 1){1'b0}}, !is_step && is_minus};
  reg  [A-1:0] back_value;
  reg          back_known;
  always @* begin
    back_value = moved;
    case (back)
      MEM_BACK_ADDRESS[1:0]: begin
        back_value = access_i && is_first_i ? addr_i : claim;
        back_known = access_i && is_first_i ? base_known && (!has_index || index_known) : claimable;
      end
      MEM_BACK_STEP[1:0]: back_known = base_known;
      default: back_known = base_known && index_known_i;
    endcase
  end

  assign is_claimed_o   = is_claimed;
  assign first_o        = is_claimed || is_later;
  assign context_o      = is_later ? {3'b100, is_known_i} : {1'b0, is_fixed ? 3'd7 : {index != REG_ZERO, conf_i}};
  assign miss_o         = miss;
  assign has_near_o     = is_later || (has_memory && base_known_i);
  assign near_o         = is_later ? following : is_claimed ? claim : from;
  assign learns_base_o  = learns_base;
  assign learnt_base_o  = learnt_base;
  assign learns_index_o = learns_index;
  assign learnt_index_o = learnt_index;
  assign back_known_o   = back_known && index != base;
  assign back_value_o   = back_value;

  wire unused = &{1'b0, mem_i, form, step_64, carries, twos};

endmodule

`default_nettype wire
