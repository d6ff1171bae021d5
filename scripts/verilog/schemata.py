# SPDX-License-Identifier: Apache-2.0
"""schemata - Verilog text with many mutants in it at once, of which a run chooses one.

Building a program around Verilog takes longer than a fault needs to be seen. So each expression with mutants
becomes a choice between itself and these, by a number that a run takes from the environment (OCT_MUTANT; 0: none).
It is Verilator's alone. An expression is what stands right of an assignment or in a declaration, the condition of `if` and `case`, or
what is connected to an input of an instance. A choice keeps its width: a mutant has the operands that the right one has. What is settled before a run, such as
a parameter or a range, and what stands left of an assignment, cannot be chosen: it is left to a build of its own.
"""
import re

TOKEN = re.compile(r"[A-Za-z_$][\w$]*|\d*'[bdh][0-9a-fA-F_]+|\d+|<=|>=|==|!=|[^\s\w]")
OPENS, CLOSES = "([{", ")]}"
CHOICE = """
  integer oct_mutant;
  initial oct_mutant = $c32("atoi(getenv(\\"OCT_MUTANT\\"))");
"""


def code_of(text):
    """The text with comments, directives and strings as blanks, at the same places."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"|^[ \t]*`(?:ifdef|ifndef|else|endif|include|default_nettype|define|undef)\b[^\n]*',
                  lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M)


class Reader:
    """The tokens of a module's text."""

    def __init__(self, text):
        self.tokens = [(m[0], m.start(), m.end()) for m in TOKEN.finditer(code_of(text))]
        self.at = 0

    def word(self, ahead=0):
        at = self.at + ahead
        return self.tokens[at][0] if at < len(self.tokens) else ""

    def past(self, ends):
        """Go to the first of these tokens that is in no bracket; the places between. It is not passed."""
        start = self.tokens[self.at][1] if self.at < len(self.tokens) else 0
        end = start
        depth = 0
        while self.word() and (depth or self.word() not in ends):
            depth += (self.word() in OPENS) - (self.word() in CLOSES)
            end = self.tokens[self.at][2]
            self.at += 1
        return start, end

    def brackets(self):
        """Pass what stands in brackets from here on; the places between them."""
        self.at += 1
        inside = self.past(CLOSES)
        self.at += 1
        return inside


def ports(reader):
    """The expressions at the inputs of an instance, from its bracket on."""
    reader.at += 1
    while reader.word() not in (")", ""):
        if reader.word() == ".":
            name = reader.word(1)
            reader.at += 2
            inside = reader.brackets()
            if name.endswith("i"):
                yield inside
        else:
            reader.at += 1
    reader.at += 1


def expressions(text):
    """(head's end, the places (from, to) of all expressions that may be chosen in a module's text)."""
    reader = Reader(text)
    reader.past(["module"])
    reader.past([";"])
    head = reader.tokens[reader.at][2]
    found = []
    while reader.word() not in ("endmodule", ""):
        word = reader.word()
        if word in ("localparam", "parameter", "genvar", "function"):
            reader.past([";"])
        elif word == "for" or word == "@":
            reader.at += 1
            if reader.word() == "(":
                reader.brackets()
            else:
                reader.at += 1
        elif word in ("if", "case", "casez"):
            reader.at += 1
            start, end = reader.brackets()
            found.append((start - 1, end + 1))
        elif word.startswith("oct_") and (reader.word(1) == "#" or reader.word(1).startswith("u_")):
            reader.past(["#", "("])
            if reader.word() == "#":
                reader.at += 1
                reader.brackets()
                reader.past(["("])
            found += ports(reader)
        elif word in OPENS:
            reader.brackets()
        elif word in ("=", "<="):
            reader.at += 1
            found.append(reader.past([";", ","]))
        else:
            reader.at += 1
    return head, found


def merge(text, mutants):
    """(text with them, numbers of those that are not in it): mutants are number -> (from, to, what stands there instead)."""
    head, places = expressions(text)
    left = dict(mutants)
    edits = []
    for start, end in places:
        inside = {n: m for n, m in mutants.items() if start <= m[0] and m[1] <= end}
        if not inside or "`" in code_of(text[start:end]):
            continue
        right = text[start:end]
        choice = "".join(f"oct_mutant == {n} ? ({text[start:a]}{new}{text[b:end]}\n) : " for n, (a, b, new) in sorted(inside.items()))
        edits.append((start, end, f"({choice}({right}\n))"))
        for n in inside:
            left.pop(n)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return (text[:head] + CHOICE + text[head:] if edits else text), sorted(left)
