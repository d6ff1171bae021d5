// SPDX-License-Identifier: Apache-2.0
// oct_crc - the check of the port: takes up to 64 bits into the register of a CRC.
//
// Combinational. A register at 0 is not changed by zeros, so a run of fewer bits is taken as 64 of
// which the first are zeros: the register is added to its first bits, and all are moved up against
// the end. A register that is longer than the run leaves its rest.
// word_i is 0 from bit bits_i on. Each bit of the result is the parity of a part of the word.
// Bit order and polynomials: model/common/oct_crc.h.
//
// CHECK_BITS  16 or 32
`default_nettype none

module oct_crc #(
  parameter integer CHECK_BITS = 16  // 16, 32
) (
  input  wire [CHECK_BITS-1:0] crc_i,
  input  wire [63:0]           word_i,
  input  wire [6:0]            bits_i,  // 0 to 64
  output wire [CHECK_BITS-1:0] crc_o
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (CHECK_BITS != 16 && CHECK_BITS != 32) begin : gen_illegal_CHECK_BITS
      oct_illegal_CHECK_BITS_expected_16_or_32 u_illegal ();
    end
  endgenerate

  localparam [31:0] POLY_32 = CHECK_BITS == 16 ? 32'h00008408 : 32'h82f63b78;
  localparam [CHECK_BITS-1:0] POLY = POLY_32[CHECK_BITS-1:0];

  // The bits of the word that this bit of the result is the parity of.
  function [63:0] taps(input [CHECK_BITS-1:0] result_bit);
    reg [CHECK_BITS-1:0] r;
    integer              i;
    begin
      r = {{(CHECK_BITS - 1){1'b0}}, 1'b1};
      taps = 64'd0;
      for (i = 63; i >= 0; i = i - 1) begin
        r = (r >> 1) ^ (r[0] ? POLY : {CHECK_BITS{1'b0}});  // a one in place i, up to the end
        taps[i] = |(r & result_bit);
      end
    end
  endfunction

  wire [63:0]           moved = (word_i ^ {{(64 - CHECK_BITS){1'b0}}, crc_i}) << (7'd64 - bits_i);
  wire [CHECK_BITS-1:0] rest  = crc_i >> bits_i;

  genvar n;
  generate
    for (n = 0; n < CHECK_BITS; n = n + 1) begin : gen_bit
      localparam [63:0] TAPS = taps({{(CHECK_BITS - 1){1'b0}}, 1'b1} << n);
      assign crc_o[n] = rest[n] ^ ^(moved & TAPS);
    end
  endgenerate

`ifdef FORMAL_OCT_CRC
  // The result is that of the bits one by one, as the port format defines it, for each single bit of
  // register and word and for none. As it stands, crc_o has nothing but exclusive ors of bits of
  // register and word, chosen by bits_i, and so has the definition: both are linear, and equal for
  // any bits when they are for single ones.
  function [CHECK_BITS-1:0] defined(input [CHECK_BITS-1:0] crc, input [63:0] word,
                                    input [6:0] bits);
    integer i;
    begin
      defined = crc;
      for (i = 0; i < 64; i = i + 1)
        if (i < bits)
          defined = (defined >> 1) ^ (defined[0] ^ word[i] ? POLY : {CHECK_BITS{1'b0}});
    end
  endfunction

  wire [CHECK_BITS+63:0] all = {crc_i, word_i};
  always @* begin
    assume (bits_i <= 7'd64);
    assume (word_i >> bits_i == 64'd0);
    assume ((all & (all - 1'b1)) == {(CHECK_BITS + 64){1'b0}});
    assert (crc_o == defined(crc_i, word_i, bits_i));
    cover (bits_i == 7'd3 && crc_i[5]);
    cover (bits_i == 7'd64 && word_i[63]);
  end
`endif

endmodule

`default_nettype wire
