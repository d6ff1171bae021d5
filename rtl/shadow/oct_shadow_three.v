// SPDX-License-Identifier: Apache-2.0
// oct_shadow_three - whether three bits or more are set.
//
// Combinational. Each node of a tree says whether one, two, three of its bits are.
//
// WIDTH  bits, up to 16
`default_nettype none

module oct_shadow_three #(
  parameter integer WIDTH = 13
) (
  input  wire [WIDTH-1:0] bits_i,
  output wire             are_o
);

  localparam integer LEAVES = 16;
  reg [3*LEAVES-1:0] are;

  always @* begin : p_tree
    integer i, j;
    reg [2:0] a, b;
    are = {(3 * LEAVES){1'b0}};
    for (i = 0; i < WIDTH; i = i + 1) are[3*i] = bits_i[i];
    for (i = 1; i < LEAVES; i = 2 * i)
      for (j = 0; j + i < LEAVES; j = j + 2 * i) begin
        a = are[3*j +: 3];
        b = are[3*(j+i) +: 3];
        are[3*j +: 3] = {a[2] || b[2] || (a[1] && b[0]) || (a[0] && b[1]), a[1] || b[1] || (a[0] && b[0]), a[0] || b[0]};
      end
  end

  assign are_o = are[2];

endmodule

`default_nettype wire
