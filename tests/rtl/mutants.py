#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""mutants - does scripts/verilog/mutants.py change what it should, and leave the rest alone? Does schemata.py make choices of
what can be chosen at run time, and of nothing else?"""
import re
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from verilog import mutants, schemata  # noqa: E402

TEXT = """module m #(parameter integer N = 3) (
  input wire a_i  // 1 == 2
);
  wire [3:0] b = a_i && !c ? 4'd15 : d + 1;
  // a && b
  wire unused_b = &{1'b0, a_i,
                    b == c};
  generate
    if (N > 0) begin : gen_one
    end
  endgenerate
  always @(posedge clk_i) begin
    if (b <= c) q <= {2{1'b0}};
  end
  oct_ram #(.WIDTH(N + 1)) u_ram (
    .data_i(a_i[N*2 +: 2+M])
  );
  function [3:0] f(input [63:1] x);
  endfunction
`ifdef FORMAL
  assert (a == b);
`endif
endmodule
"""
# Line, and what the line becomes.
EXPECTED = {
    (4, "wire [3:0] b = a_i || !c ? 4'd15 : d + 1;"),
    (4, "wire [3:0] b = a_i && c ? 4'd15 : d + 1;"),
    (4, "wire [3:0] b = a_i && !c ? 4'd0 : d + 1;"),
    (4, "wire [3:0] b = a_i && !c ? 4'd15 : d - 1;"),
    (4, "wire [3:0] b = a_i && !c ? 4'd15 : d + 2;"),
    (13, "if (1'b1) q <= {2{1'b0}};"),
    (13, "if (b < c) q <= {2{1'b0}};"),
    (13, "if (b <= c) q <= {2{1'd1}};"),
    (16, ".data_i(a_i[N*3 +: 2+M])"),
}

found = [(m["line"], m["becomes"]) for m in mutants.mutants(TEXT)]
assert len(found) == len(set(found)), "the same change twice"
assert set(found) == EXPECTED, sorted(set(found) ^ EXPECTED)
for m in mutants.mutants(TEXT):
    changed = [i for i, (a, b) in enumerate(zip(TEXT.split("\n"), m["text"].split("\n"))) if a != b]
    assert changed == [m["line"] - 1], "more than a line has changed"
    start, end, new = m["change"]
    assert TEXT[:start] + new + TEXT[end:] == m["text"], "the change is not the one of the text"

CHOSEN = """module m #(
  parameter integer N = 3 + 1
) (
  output wire [3:0] b_o
);
  localparam integer M = N + 1;
  reg [M+1:0] q;  // = 1 + 1
  wire [3:0] a = q[1] + 4'd1, c = 4'd2;
  always @(posedge clk_i) begin
    if (a == c && !b) q[a + 1] <= {a, c} << 4'd1;
    for (i = 0; i < 3; i = i + 1) q[i + 1] = a <= 4'd3;
  end
  oct_one #(.N(N + 4)) u_one (
    .a_i(a + 4'd5),
    .b_o(b_o[0 + 1])
  );
endmodule
"""
_, places = schemata.expressions(CHOSEN)
assert [CHOSEN[a:b] for a, b in places] == ["q[1] + 4'd1", "4'd2", "(a == c && !b)", "{a, c} << 4'd1", "a <= 4'd3", "a + 4'd5"], places
one = re.search("4'd5", CHOSEN)
left = re.search(r"a \+ 1\]", CHOSEN)
text, alone = schemata.merge(CHOSEN, {7: (one.start(), one.end(), "4'd6"), 8: (left.start() + 2, left.start() + 3, "-"),
                                              9: (CHOSEN.index("=="), CHOSEN.index("==") + 2, "!=")})
assert alone == [8], "what stands left of an assignment was chosen"
assert ".a_i((oct_mutant == 7 ? (a + 4'd6\n) : (a + 4'd5\n)))" in text and "if (oct_mutant == 9 ? ((a != c && !b)" in text, text
assert text.count("integer oct_mutant;") == 1
