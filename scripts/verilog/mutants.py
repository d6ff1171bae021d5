# SPDX-License-Identifier: Apache-2.0
"""mutants - small changes of Verilog text, each of which is a fault until shown otherwise.

One change a mutant: a condition dropped, an operator exchanged for its neighbour, a negation left out,
a constant one off; constants of resets are among those, and resets left out are conditions dropped.
Left alone are comments, module heads, declarations' widths, includes, generate conditions, wires that only say what
is not used, and what stands under `ifdef: properties, and memories of the technology. So are bounds of ranges, widths of words and counts of
replications: what is too wide there is cut off by the assignment, and no fault.
"""
import re

# Longest first. What stands in for each operator; of the others none.
OPERATORS = {"&&": "||", "||": "&&", "==": "!=", "!=": "==", ">=": ">", "<<": ">>", ">>": "<<",
             "<": "<=", ">": ">=", "+": "-", "-": "+", "&": "|", "|": "&", "^": "|", "!": "", "~": ""}
TOKEN = re.compile(r"\d*'[bdh][0-9a-fA-F_]+|\w+|&&|\|\||==|!=|<=|>=|<<|>>|\+:|-:|[-+&|^!~<>?:;(){}\[\],=#.@*/]")
DECLARES = ("wire", "reg", "input", "output", "parameter", "genvar", "integer", "function")


def blank(text):
    """The text with what is left alone replaced by blanks, line by line at the same places."""
    out = []
    depth = 0
    is_head = is_unused = False
    for line in text.split("\n"):
        code = re.sub(r"//.*", lambda m: " " * len(m.group()), line)
        word = code.strip()
        if word.startswith(("`ifdef", "`ifndef")):
            depth += 1
        if re.match(r"module\b", word):
            is_head = True
        is_unused = is_unused or bool(re.match(r"wire\s*(\[[^]]*\])?\s*unused\w*\b", word))
        keep = depth == 0 and not is_head and not is_unused and not word.startswith("`")
        if word.startswith("`endif"):
            depth -= 1
        if is_head and word.startswith(");"):
            is_head = False
        if (re.search(r"begin *: *\w+", code) and "always" not in code) or re.match(r"\s*for\b", code):
            keep = False
        is_unused = is_unused and ";" not in code
        out.append(code if keep else "")
    return out


def constants(token):
    """A constant one off, within its width."""
    found = re.fullmatch(r"(\d+)'([bdh])([0-9a-fA-F_]+)", token)
    if found:
        base = {"b": 2, "d": 10, "h": 16}[found[2]]
        bits = int(found[1])
        value = (int(found[3].replace("_", ""), base) + 1) % (1 << bits)
        return f"{bits}'d{value}"
    if token.isdigit():
        return str(int(token) + 1)
    return None


def closing(code, at):
    """The place behind the bracket that closes the one at a place, or None when that is elsewhere."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            return i + 1
    return None


def widths(code):
    """The places (from, to) of bounds of ranges, of widths and of counts of replications."""
    return [found.span(1) for pattern in (r"\[([^\[\]]*[^+\-:\[\]]):[^\[\]]*\]", r"\+:([^\[\]]*)\]",
                                          r"\.WIDTH\s*\(([^()]*)\)", r"\{(\w+|\([^()]*\))\{")
            for found in re.finditer(pattern, code)]


def of_line(code):
    """(from, to, what stands there instead) of each mutant of a line."""
    word = code.split()[0] if code.split() else ""
    spans = widths(code)
    depth = 0          # of round brackets: in one, <= compares
    square = 0
    assigns = "=" in re.sub(r"[<>=!]=", "", code)
    previous = ""
    for found in TOKEN.finditer(code):
        token, start, end = found[0], found.start(), found.end()
        in_width = any(a <= start < b for a, b in spans) or \
            (square > 0 and (word in DECLARES or word == "localparam"))
        depth += {"(": 1, ")": -1}.get(token, 0)
        square += {"[": 1, "]": -1}.get(token, 0)
        if in_width:
            pass
        elif token == "if" and (close := closing(code, code.find("(", end))):
            yield code.find("(", end), close, "(1'b1)"
        elif token == "<=":
            if depth > 0 or assigns:
                yield start, end, "<"
        elif token in OPERATORS:
            # A sign or a reduction has nothing on its left.
            if token in "!~" or re.match(r"[\w)\]}']", previous[-1:]):
                yield start, end, OPERATORS[token]
        elif (other := constants(token)) is not None and previous not in ("#", "."):
            yield start, end, other
        previous = token


def mutants(text):
    """Each as a dict: line (from 1), at (its number on the line), was, becomes, the text whole, and its change:
    the places (from, to) in the text, and what stands there instead."""
    lines = text.split("\n")
    begin = 0  # of the line
    for number, code in enumerate(blank(text)):
        for at, (start, end, new) in enumerate(of_line(code)):
            old = lines[number]
            line = old[:start] + new + old[end:]
            yield {"line": number + 1, "at": at, "was": old.strip(), "becomes": line.strip(),
                   "text": "\n".join(lines[:number] + [line] + lines[number + 1:]),
                   "change": (begin + start, begin + end, new)}
        begin += len(lines[number]) + 1
