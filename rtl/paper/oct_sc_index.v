// SPDX-License-Identifier: Apache-2.0
// oct_sc_index - the set of the stream cache that a stream belongs to (docs/port-format.md, 5).
//
// Latency: none.
//
// ADDR_BITS      bits of an address
// PC_ALIGN_BITS  instruction addresses are multiples of 2^this
// SL_BITS        log2 of the longest stream in instructions
// SC_SETS        sets, a power of two
// SC_INDEX_FN    0 paper, 1 fold, 2 concat, 3 sa
`default_nettype none

module oct_sc_index #(
  parameter integer ADDR_BITS     = 32,
  parameter integer PC_ALIGN_BITS = 2,
  parameter integer SL_BITS       = 8,
  parameter integer SC_SETS       = 32,
  parameter integer SC_INDEX_FN   = 0
) (
  input  wire [ADDR_BITS-1:0]                           sa_i,
  input  wire [SL_BITS:0]                               sl_i,
  output wire [(SC_SETS > 1 ? $clog2(SC_SETS) : 1)-1:0] set_o
);

  localparam integer SET_BITS = SC_SETS > 1 ? $clog2(SC_SETS) : 1;

`include "oct_types.vh"

  // The published index function takes the bits of a stream's address from bit 6 on, whatever the
  // alignment (Milenković 2007).
  localparam integer PAPER_FROM_BIT = 6;
  localparam integer SL_LOW_BITS  = $clog2(SC_SETS) / 2;
  localparam [31:0] SL_LOW_MASK_32 = (32'd1 << SL_LOW_BITS) - 32'd1;
  localparam [SET_BITS-1:0] SL_LOW_MASK = SL_LOW_MASK_32[SET_BITS-1:0];

  // At most 10 bits of a length are used, which may have fewer.
  wire [SL_BITS+10:0]  sl_wide;
  wire [SET_BITS-1:0]  sl, pcw;

  assign sl_wide = {10'd0, sl_i};
  assign sl      = sl_wide[SET_BITS-1:0];
  assign pcw     = sa_i[PC_ALIGN_BITS +: SET_BITS];

  generate
    if (SC_SETS == 1) begin : gen_one
      assign set_o = 1'b0;
    end else if (SC_INDEX_FN == INDEX_PAPER) begin : gen_paper
      assign set_o = sa_i[PAPER_FROM_BIT +: SET_BITS] ^ sl;
    end else if (SC_INDEX_FN == INDEX_FOLD) begin : gen_fold
      assign set_o = pcw ^ sa_i[PC_ALIGN_BITS + SET_BITS +: SET_BITS] ^ sl;
    end else if (SC_INDEX_FN == INDEX_CONCAT) begin : gen_concat
      assign set_o = (pcw << SL_LOW_BITS) | (sl & SL_LOW_MASK);
    end else begin : gen_sa
      assign set_o = pcw;
    end
  endgenerate

  wire unused = &{1'b0, sa_i, sl_wide, sl, pcw};

endmodule

`default_nettype wire
