#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""mutants - does verilog_mutants change what it should, and leave the rest alone?"""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import verilog_mutants  # noqa: E402

TEXT = """module m #(parameter integer N = 3) (
  input wire a_i  // 1 == 2
);
  wire [3:0] b = a_i && !c ? 4'd15 : d + 1;
  // a && b
  generate
    if (N > 0) begin : gen_one
    end
  endgenerate
  always @(posedge clk_i) begin
    if (b <= c) q <= {2{1'b0}};
  end
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
    (11, "if (1'b1) q <= {2{1'b0}};"),
    (11, "if (b < c) q <= {2{1'b0}};"),
    (11, "if (b <= c) q <= {2{1'd1}};"),
}

found = [(m["line"], m["becomes"]) for m in verilog_mutants.mutants(TEXT)]
assert len(found) == len(set(found)), "the same change twice"
assert set(found) == EXPECTED, sorted(set(found) ^ EXPECTED)
for m in verilog_mutants.mutants(TEXT):
    changed = [i for i, (a, b) in enumerate(zip(TEXT.split("\n"), m["text"].split("\n"))) if a != b]
    assert changed == [m["line"] - 1], "more than a line has changed"
