// SPDX-License-Identifier: Apache-2.0
// oct_shadow_words - the words of an instruction's accesses: what is loaded from the value cache, and where
// it goes; what is stored there. docs/trace-format.md, effect; oct_shadow_data_reg,
// oct_shadow_execute of model/shadow/oct_shadow_execute.h.
//
// The outputs follow from the inputs within the cycle, and from what earlier beats of the instruction
// left. Where one instruction loads and stores (a swap), its word goes to the register behind the store.
// Nothing moves while moves_i is low. The decoders for A32 and RISC-V store a register or 0, no result.
//
// ADDR_BITS  bits of an address and of a register: 32, or up to 64
// N_BITS     of a number of accesses
`default_nettype none

module oct_shadow_words #(
  parameter integer ADDR_BITS = 32,
  parameter integer N_BITS    = 6
) (
  input  wire                                  clk_i,
  input  wire                                  moves_i,
  input  wire                                  valid_i,
  input  wire [511:0]                          op_i,            // oct_shadow_types.vh
  input  wire                                  has_data_i,      // by its operation
  input  wire                                  is_load_i,       // this access
  input  wire [2:0]                            size_log2_i,
  input  wire [N_BITS-1:0]                     n_i,
  input  wire [N_BITS-1:0]                     at_i,
  input  wire                                  is_last_i,
  input  wire [ADDR_BITS-1:0]                  addr_i,
  input  wire [ADDR_BITS-1:0]                  last_addr_i,     // of the access before
  input  wire                                  loaded_known_i,  // by the value cache
  input  wire [(ADDR_BITS > 32 ? 64 : 32)-1:0] loaded_i,
  input  wire                                  data_known_i,    // register data_reg_i
  input  wire [ADDR_BITS-1:0]                  data_i,          // 0 of ZERO; without data, the word that is due
  input  wire [7:0]                            data_reg_i,      // of this access
  output wire                                  loaded_known_o,  // extended
  output wire [ADDR_BITS-1:0]                  loaded_o,
  output wire                                  first_known_o,   // the same of the instruction's first access, behind that
  output wire [ADDR_BITS-1:0]                  first_o,
  output wire                                  loads_o,         // a register is loaded now
  output wire [7:0]                            load_reg_o,
  output wire                                  load_known_o,
  output wire [ADDR_BITS-1:0]                  load_o,
  output wire [ADDR_BITS-1:0]                  load_addr_o,
  output wire                                  store_known_o,
  output wire [(ADDR_BITS > 32 ? 64 : 32)-1:0] store_o
);

  localparam integer WORD_BITS = ADDR_BITS > 32 ? 64 : 32;

`include "oct_shadow_types.vh"

  localparam integer A = ADDR_BITS, N = N_BITS;
  localparam integer W = WORD_BITS;

  // Of the instruction under way.
  reg          loaded_known_q;
  reg  [A-1:0] loaded_q;

  wire         is_first = at_i == {N{1'b0}};
  wire         is_signed = op_i[OP_WIDTH + 3];
  wire         is_same = op_i[OP_MEM0 + MEM_FORM + 2];

  // ---- Loaded words ----

  wire [63:0]  raw = {{(64 - W){1'b0}}, loaded_i};
  reg  [63:0]  extended;
  always @* begin
    case (size_log2_i)
      3'd0: extended = {{56{is_signed && raw[7]}}, raw[7:0]};
      3'd1: extended = {{48{is_signed && raw[15]}}, raw[15:0]};
      3'd2: extended = {{32{is_signed && raw[31]}}, raw[31:0]};
      default: extended = raw;
    endcase
  end
  wire [A-1:0] loaded = extended[A-1:0];
  wire         loaded_known = is_load_i && loaded_known_i;

  // Load and store (a swap): the word is written behind the store.
  wire         swaps = is_same && n_i == {{(N - 2){1'b0}}, 2'd2};
  wire         loads_now = swaps ? is_last_i : is_load_i;
  wire [7:0]   load_reg = swaps ? op_i[OP_DATA0 +: 8] : data_reg_i;
  wire         load_known = swaps ? loaded_known_q : loaded_known;
  wire [A-1:0] load_value = swaps ? loaded_q : loaded;
  wire [A-1:0] load_addr = swaps ? last_addr_i : addr_i;

  // ---- Stored words ----

  wire         is_zero = data_reg_i == REG_ZERO;
  wire [63:0]  stored_64 = {{(64 - A){1'b0}}, data_i};

  always @(posedge clk_i) begin
    if (moves_i && valid_i) begin
      if (is_first) begin
        loaded_known_q <= loaded_known;
        loaded_q       <= loaded;
      end
    end
  end

  assign loaded_known_o       = loaded_known;
  assign loaded_o             = loaded;
  assign first_known_o        = loaded_known_q;
  assign first_o              = loaded_q;
  assign loads_o              = loads_now;
  assign load_reg_o           = load_reg;
  assign load_known_o         = load_known;
  assign load_o               = load_value;
  assign load_addr_o          = load_addr;
  assign store_known_o        = !has_data_i || (op_i[OP_FLAGS] && (is_zero || data_known_i));
  assign store_o              = stored_64[W-1:0];

  wire unused = &{1'b0, op_i, extended, stored_64};

endmodule

`default_nettype wire
