// SPDX-License-Identifier: Apache-2.0
// oct_shadow_address - the address that the shadow claims for an access, and what the true one teaches
// about base and index. docs/shadow-format.md, section 7; oct_shadow_address, oct_shadow_learn_address,
// oct_code_first and oct_code_next of model/shadow/.
//
// Combinational. The first access of an instruction has base + offset +- (index shifted); each later
// one follows the one before.
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
  input  wire [ADDR_BITS-1:0] index_i,
  input  wire                 index_known_i,
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
  localparam integer W = ADDR_BITS > 32 ? 64 : 32;

  wire [7:0]   base = mem_i[MEM_BASE +: 8], index = mem_i[MEM_INDEX +: 8];
  wire [7:0]   form = mem_i[MEM_FORM +: 8], shift = mem_i[MEM_SHIFT +: 8];
  wire [A-1:0] offset = mem_i[MEM_OFFSET +: A];
  wire         has_memory = form[7];
  wire [1:0]   back = form[1:0];

  // ---- What is expected ----

  wire         has_index = index != REG_ZERO && back != MEM_BACK_INDEX[1:0];
  wire [4:0]   places = shift[4:0];
  wire [63:0]  index_64 = {{(64 - A){1'b0}}, index_i};
  wire [31:0]  index_32 = index_i[31:0];
  wire [5:0]   amount = shift[5:0];
  reg  [63:0]  scaled_64;
  wire [63:0]  doubled = {index_32, index_32} >> places;
  always @* begin
    // Registers of 32 bits have all shifts, those of 64 none but to the left.
    scaled_64 = index_64;
    if (amount != 6'd0)
      case (shift[7:6])
        2'd0: scaled_64 = index_64 << amount;
        2'd1: scaled_64 = W == 32 ? {32'd0, index_32 >> places} : index_64 >> amount;
        2'd2: scaled_64 = {32'd0, $unsigned($signed(index_32) >>> places)};
        default: scaled_64 = {32'd0, doubled[31:0]};
      endcase
  end
  wire [A-1:0] scaled = form[3] ? {A{1'b0}} - scaled_64[A-1:0] : scaled_64[A-1:0];
  wire         is_claimed = access_i && is_first_i && has_memory && base_known_i && (!has_index || index_known_i);
  wire         claimable = has_memory && base_known_i && (!has_index || index_known_i);
  wire [A-1:0] with_offset = base_i + offset;
  wire [A-1:0] claim = with_offset + (has_index ? scaled : {A{1'b0}});
  wire [A-1:0] size_bytes = last_size_i == 3'd7 ? {{(A - 3){1'b0}}, 3'd4} : {{(A - 1){1'b0}}, 1'b1} << last_size_i;
  wire         is_same = is_known_i && form[2];
  wire [A-1:0] following = last_addr_i + (is_same ? {A{1'b0}} : size_bytes);
  wire         is_later = access_i && !is_first_i;
  wire         miss = addr_i != (is_first_i ? claim : following);
  wire         is_fixed = base == REG_ZERO && index == REG_ZERO;
  wire         is_unknown = access_i && is_first_i && (!is_claimed || miss);

  wire [A-1:0] rest = addr_i - offset;
  wire [A-1:0] learnt_base = has_index ? rest - scaled : rest;
  wire         learns_base = is_unknown && has_memory && base < 8'd32 && (!has_index || index_known_i);
  wire [A-1:0] distance = rest - base_i;
  wire [A-1:0] index_up = form[3] ? {A{1'b0}} - distance : distance;
  wire [A-1:0] low_bits = ~({A{1'b1}} << amount);
  wire         learns_index = is_unknown && has_memory && has_index && !index_known_i && base_known_i && index < 8'd32 &&
                              shift[7:6] == 2'd0 && (index_up & low_bits) == {A{1'b0}};
  wire [A-1:0] learnt_index = $unsigned($signed(index_up) >>> amount);

  // ---- The base that is written back ----

  wire [31:0]  step_32 = mem_i[MEM_STEP +: 32];
  wire [63:0]  step_64 = {{32{step_32[31]}}, step_32};
  wire         base_known = base_known_i || learns_base;
  wire [A-1:0] base_now = learns_base ? learnt_base : base_i;
  wire         index_known = index_known_i || learns_index;
  reg  [A-1:0] back_value;
  reg          back_known;
  always @* begin
    case (back)
      MEM_BACK_ADDRESS[1:0]: begin
        back_value = access_i && is_first_i ? addr_i : claim;
        back_known = access_i && is_first_i ? base_known && (!has_index || index_known) : claimable;
      end
      MEM_BACK_STEP[1:0]: begin
        back_value = base_now + step_64[A-1:0];
        back_known = base_known;
      end
      default: begin
        back_value = base_now + scaled;
        back_known = base_known && index_known_i;
      end
    endcase
  end

  assign is_claimed_o   = is_claimed;
  assign first_o        = is_claimed || is_later;
  assign context_o      = is_later ? {3'b100, is_known_i} : {1'b0, is_fixed ? 3'd7 : {index != REG_ZERO, conf_i}};
  assign miss_o         = miss;
  assign has_near_o     = is_later || (has_memory && base_known_i);
  assign near_o         = is_later ? following : is_claimed ? claim : with_offset;
  assign learns_base_o  = learns_base;
  assign learnt_base_o  = learnt_base;
  assign learns_index_o = learns_index;
  assign learnt_index_o = learnt_index;
  assign back_known_o   = back_known && index != base;
  assign back_value_o   = back_value;

  wire unused = &{1'b0, mem_i, form, scaled_64, doubled, step_64};

endmodule

`default_nettype wire
