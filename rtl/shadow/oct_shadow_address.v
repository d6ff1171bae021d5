// SPDX-License-Identifier: Apache-2.0
// oct_shadow_address - the address that the shadow claims for an access, and what the true one teaches
// about base and index. docs/shadow-format.md, section 7; oct_shadow_address, oct_shadow_learn_address,
// oct_code_first and oct_code_next of model/shadow/.
//
// Combinational. The first access of an instruction has base + offset or base +- (index shifted); each later
// one follows the one before. The shifter is that of oct_shadow_alu. There are four additions: the address
// that is near, a base that is learnt, an index, and the base that is written back.
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
  output wire                 is_of_index_o,   // it would teach the index, not the base
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
  // REG_ZERO, or else REG_NONE or a register: two bits tell.
  wire         base_is_zero = base[5] && base[0], index_is_zero = index[5] && index[0];
  wire [7:0]   form = mem_i[MEM_FORM +: 8], shift = mem_i[MEM_SHIFT +: 8];
  wire [A-1:0] offset = mem_i[MEM_OFFSET +: A];
  wire         has_memory = form[7];
  wire [1:0]   back = form[1:0];

  // ---- What is expected: one addition ----

  // The decoders give an offset or an index, and both only if the base is ZERO: then the offset takes its place.
  wire         has_index = !index_is_zero && back != MEM_BACK_INDEX[1:0];
  wire [5:0]   amount = shift[5:0];
  wire         is_minus = form[3];
  wire         claimable = has_memory && base_known_i && (!has_index || index_known_i);
  wire         is_claimed = access_i && is_first_i && claimable;
  wire [A-1:0] from = has_index && base_is_zero ? offset : base_i;
  // The shifted index is late. Where it is subtracted, the other number and the sum are inverted, not the index.
  wire         subtracts = has_index && is_minus;
  wire [A-1:0] by = has_index ? scaled_i : offset;
  wire [A-1:0] size_bytes = last_size_i == 3'd7 ? {{(A - 3){1'b0}}, 3'd4} : {{(A - 1){1'b0}}, 1'b1} << last_size_i;
  wire         is_same = is_known_i && form[2];
  wire         is_later = access_i && !is_first_i;
  // An index that is not known adds nothing to what is near.
  wire [A-1:0] near_from = is_first_i ? from : last_addr_i;
  wire [A-1:0] near_by = is_first_i ? by & {A{claimable}} : size_bytes & {A{!is_same}};
  wire         is_less = is_first_i && subtracts;
  wire [A-1:0] near = ((near_from ^ {A{is_less}}) + near_by) ^ {A{is_less}};
  wire         is_right;
  wire         miss = !is_right;

  oct_shadow_adds_up #(
    .WIDTH(A)
  ) u_right (
    .a_i  (is_less ? addr_i : near_from),
    .b_i  (near_by),
    .sum_i(is_less ? near_from : addr_i),
    .is_o (is_right)
  );

  wire         is_fixed = base_is_zero && index_is_zero;
  wire         is_unknown = access_i && is_first_i && (!is_claimed || miss);

  // ---- What the address teaches ----

  // The base is what is left of the address without the rest. The index is what is left without the base, and does not
  // wait for the shifter.
  wire         is_of_index = has_index && !index_known_i;
  wire [A-1:0] learnt_base = ((addr_i ^ {A{!subtracts}}) + by) ^ {A{!subtracts}};
  wire [A-1:0] left = is_minus ? from - addr_i : addr_i - from;
  wire         learns_base = is_unknown && has_memory && base < 8'd32 && !is_of_index;
  wire [A-1:0] low_bits = ~({A{1'b1}} << amount);
  // The lowest bits of the difference are 0 where those of both numbers are equal: no sum is waited for.
  wire         learns_index = access_i && is_first_i && has_memory && is_of_index && base_known_i && index < 8'd32 &&
                              shift[7:6] == 2'd0 && ((addr_i ^ from) & low_bits) == {A{1'b0}};
  wire [A-1:0] learnt_index = $unsigned($signed(left) >>> amount);

  // ---- The base that is written back ----

  // With the first access the base is addr - offset, known or learnt; nothing waits to know which. The decoders
  // give steps and their offsets in 13 bits.
  wire         begins = access_i && is_first_i;
  wire [13:0]  step = mem_i[MEM_STEP +: 14];
  wire [13:0]  moved = step - (begins ? offset[13:0] : 14'd0);
  wire         is_step = back == MEM_BACK_STEP[1:0], is_now = back == MEM_BACK_ADDRESS[1:0] && begins;
  wire [A-1:0] back_by = is_step ? {{(A - 14){moved[13]}}, moved} :
                         back == MEM_BACK_INDEX[1:0] ? scaled_i : by & {A{!is_now}};
  wire         back_less = !is_step && !is_now && (subtracts || back == MEM_BACK_INDEX[1:0]) && is_minus;
  wire [A-1:0] back_from = begins ? addr_i : base_i;
  wire [A-1:0] back_value = ((back_from ^ {A{back_less}}) + back_by) ^ {A{back_less}};
  reg          back_known;
  always @* begin
    case (back)
      MEM_BACK_ADDRESS[1:0]: back_known = begins ? !is_of_index || learns_index : claimable;
      MEM_BACK_STEP[1:0]: back_known = begins || base_known_i;
      default: back_known = (begins || base_known_i) && index_known_i;
    endcase
  end

  assign is_claimed_o   = is_claimed;
  assign first_o        = is_claimed || is_later;
  assign context_o      = is_later ? {3'b100, is_known_i} : {1'b0, is_fixed ? 3'd7 : {!index_is_zero, conf_i}};
  assign miss_o         = miss;
  assign has_near_o     = is_later || (has_memory && base_known_i);
  assign near_o         = near;
  assign is_of_index_o  = is_of_index;
  assign learns_base_o  = learns_base;
  assign learnt_base_o  = learnt_base;
  assign learns_index_o = learns_index;
  assign learnt_index_o = learnt_index;
  assign back_known_o   = back_known && index != base;
  assign back_value_o   = back_value;

  wire unused = &{1'b0, mem_i, form};

endmodule

`default_nettype wire
