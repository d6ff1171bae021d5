#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""declared - does each module of the Verilog declare its names before it uses them?

Under `default_nettype none, strict tools refuse a name that is declared further down: Verilator, Yosys and Icarus do
not, in the versions that are in use here. Looked at are wires, registers, variables, parameters, ports and functions of
a module with the headers that it includes, proofs among them; not instances and labels, which the standard lets stand anywhere.
"""
import pathlib
import re
import sys

RTL = pathlib.Path(__file__).resolve().parent.parent.parent / "rtl"
TOKEN = re.compile(r"\\\S+|\d*\s*'s?[bdhoBDHO]\s*[0-9a-fA-F_xzXZ?]+|\d\w*|[$`]?[A-Za-z_]\w*|\S")
DECLARES = set("input output inout wire reg integer genvar real time parameter localparam".split())
TYPES = DECLARES | {"signed", "unsigned", "automatic"}
NAME = re.compile(r"\\\S+|[A-Za-z_]\w*$")


def blank(found):
    """As many lines, without what stands in them."""
    return re.sub(r"[^\n]", " ", found[0])


def lines_of(path):
    """(file, number, line) of a file with all that it includes; no comments, strings, attributes, directives."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)
    for number, line in enumerate(text.split("\n"), 1):
        include = re.match(r'\s*`include\s+"(\w+\.vh)"', line)
        if include:
            yield from lines_of(next(RTL.glob("*/" + include[1])))
        elif not re.match(r"\s*`(ifdef|ifndef|elsif|else|endif|define|undef|default_nettype|timescale|error)\b", line):
            yield path.name, number, re.sub(r'"[^"]*"|\(\*(?!\)).*?\*\)', blank, line)


class Module:
    """The scopes of a text, where each declares its names, and where names are used."""

    def __init__(self, lines):
        self.tokens = [(t, file, number) for file, number, line in lines for t in TOKEN.findall(line)]
        self.at = 0
        self.parents = [None]
        self.scope = 0
        self.declared = {}  # (scope, name): first place
        self.used = []      # (place, scope, name)
        while self.at < len(self.tokens):
            self.statement()

    def word(self, ahead=0):
        at = self.at + ahead
        return self.tokens[at][0] if at < len(self.tokens) else ""

    def declare(self):
        self.declared.setdefault((self.scope, self.word()), self.at)
        self.at += 1

    def enter(self):
        self.parents.append(self.scope)
        self.scope = len(self.parents) - 1

    def use(self):
        """Pass a token; note it if it is the first part of a name that is no port's."""
        if NAME.match(self.word()) and (self.at == 0 or self.word(-1) != "."):
            self.used.append((self.at, self.scope, self.word()))
        self.at += 1

    def past(self, ends):
        """Use all up to one of these tokens that is in no bracket; it is not passed."""
        depth = 0
        while self.word() and (depth or self.word() not in ends):
            depth += (self.word() in "([{") - (self.word() in ")]}")
            self.use()

    def ranges_and_types(self):
        while self.word() in TYPES or self.word() == "[":
            is_range = self.word() == "["
            self.at += 1
            if is_range:
                self.past("]")
                self.at += 1

    def declaration(self):
        """One keyword's names, up to the `;`, to the bracket of a head, or to the next keyword."""
        self.ranges_and_types()
        while NAME.match(self.word()):
            self.declare()
            self.past(",;)")
            if self.word() != "," or self.word(1) in TYPES:
                return
            self.at += 1

    def statement(self):
        word = self.word()
        if word in DECLARES:
            self.declaration()
        elif word == "function":
            self.at += 1
            self.ranges_and_types()
            self.declare()
            self.enter()
        elif word in ("module", "begin"):
            if word == "module":
                self.scope = 0  # of a head outside of any
            self.enter()
            self.at += 2 if word == "module" else 3 if self.word(1) == ":" else 1
        elif word in ("end", "endfunction", "endmodule"):
            self.scope = self.parents[self.scope] or 0
            self.at += 1
        else:
            self.use()

    def early(self):
        """(file, line, name) of each use before the declaration."""
        for place, scope, name in self.used:
            places = []
            while scope is not None:
                places.append(self.declared.get((scope, name)))
                scope = self.parents[scope]
            places = [p for p in places if p is not None]
            if places and min(places) > place:
                yield self.tokens[place][1:] + (name,)


SAMPLE = """module m #(parameter integer A = 2, localparam integer B = C, localparam integer C = A) (
  input wire [A-1:0] a_i, output wire b_o
);
  localparam [1:0] D = E, E = 2'd1;
  wire early = late && f(a_i[0]);
  wire [D:0] late = {1'b0, a_i}, last = late;
  function f(input x); f = x ^ a; endfunction
  always @* begin : p_one
    integer a;
    for (a = 0; a < 2; a = a + 1) q[a] = late[a];
  end
  reg [1:0] q;
  m #(.A(A)) u_m (.a_i(q), .late(last), .b_o(after));
  wire after;
  generate
    if (A > 1) begin : gen_two
      wire last = other;
      wire other = last;
    end
  endgenerate
endmodule
module n(input wire late);
  wire early = late;
endmodule"""
EXPECTED = [(1, "C"), (4, "E"), (5, "late"), (5, "f"), (10, "q"), (13, "after"), (17, "other")]


def main():
    found = [(number, name) for _, number, name in
             Module(("", n, line) for n, line in enumerate(SAMPLE.split("\n"), 1)).early()]
    lines = [] if found == EXPECTED else [f"of the sample {found} are found, expected {EXPECTED}"]
    count = 0
    seen = set()
    for path in sorted(RTL.glob("*/*.v")):
        module = Module(lines_of(path))
        count += len(module.declared)
        seen |= {file for _, file, _ in module.tokens}
        lines += [f"rtl/*/{file}:{number}: {name} is used before it is declared" +
                  (f", in {path.name}" if file != path.name else "") for file, number, name in module.early()]
    lines += [f"rtl/*/{path.name} is included by no module" for path in sorted(RTL.glob("*/*.vh")) if path.name not in seen]
    if count < 5000:
        lines.append(f"only {count} declarations found: are they still written as they were?")
    sys.exit("\n".join(lines) or None)


if __name__ == "__main__":
    main()
