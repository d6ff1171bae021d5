// SPDX-License-Identifier: Apache-2.0
// oct_shadow_address - the address that the shadow claims for an access, and what the true one teaches
// about base and index. docs/shadow-format.md, section 7; oct_shadow_address, oct_shadow_learn_address,
// oct_code_first and oct_code_next of model/shadow/.
//
// Combinational. The first access of an instruction has base + offset or base +- (index shifted); each later
// one follows the one before. The shifter is that of oct_shadow_alu. There are three additions: the address
// that is near, what is learnt, and the base that is written back.
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
  // low + near_by - high is 0, without a carry chain: two numbers are -1 together if each bit is in one of them.
  wire [A-1:0] low = is_less ? addr_i : near_from, high = is_less ? near_from : addr_i;
  wire [A-1:0] odd = low ^ near_by ^ ~high;
  wire [A-1:0] twos = (low & near_by) | (low & ~high) | (near_by & ~high);
  wire         miss = !(&(odd ^ {twos[A-2:0], 1'b0}));
  wire         is_fixed = base == REG_ZERO && index == REG_ZERO;
  wire         is_unknown = access_i && is_first_i && (!is_claimed || miss);

  // ---- What the address teaches ----

  // The base is what is left of the address without the rest; the index, without the base.
  wire         is_of_index = has_index && !index_known_i;
  wire         is_swapped = is_of_index && is_minus;
  wire [A-1:0] whole = is_swapped ? from : addr_i;
  wire [A-1:0] part = is_swapped ? addr_i : is_of_index ? from : by;
  wire         takes_away = is_of_index || !subtracts;
  wire [A-1:0] left = ((whole ^ {A{takes_away}}) + part) ^ {A{takes_away}};
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
  assign context_o      = is_later ? {3'b100, is_known_i} : {1'b0, is_fixed ? 3'd7 : {index != REG_ZERO, conf_i}};
  assign miss_o         = miss;
  assign has_near_o     = is_later || (has_memory && base_known_i);
  assign near_o         = near;
  assign learns_base_o  = learns_base;
  assign learnt_base_o  = left;
  assign learns_index_o = learns_index;
  assign learnt_index_o = learnt_index;
  assign back_known_o   = back_known && index != base;
  assign back_value_o   = back_value;

  wire unused = &{1'b0, mem_i, form, twos};

endmodule

`default_nettype wire
