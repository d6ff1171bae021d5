// SPDX-License-Identifier: Apache-2.0
// oct_length.vh - bits of a number: 0 of 0, else 1 more than the place of its highest 1; for the body of a module.
//
// A tree: of two neighbours that span equally many bits, the higher one tells the place if it has a 1. So
// a number of 32 bits takes five choices, not a chain of 32.

  function [6:0] length_of(input [63:0] v);
    integer     i, j;
    reg [63:0]  any, high;  // of the bits from each place on: is there a 1; the same of their higher half
    reg [383:0] top_at;     // 64 bits each: bits of the place of the highest
    begin
      any    = {v[62:0], 1'b1};
      top_at = 384'd0;
      for (i = 0; i < 6; i = i + 1) begin
        high = any >> (1 << i);
        for (j = 0; j < i; j = j + 1) top_at[64*j +: 64] = (high & top_at[64*j +: 64] >> (1 << i)) | (~high & top_at[64*j +: 64]);
        top_at[64*i +: 64] = high;
        any = any | high;
      end
      length_of = v[63] ? 7'd64 : {1'b0, top_at[320], top_at[256], top_at[192], top_at[128], top_at[64], top_at[0]};
    end
  endfunction
