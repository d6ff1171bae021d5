#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""functions - does each function of the Verilog read its arguments and constants alone, and is no index a sum that wraps?

A continuous assignment, or an always @*, waits for the signals that stand in it. It does not wait for those that a
function reads inside. So a simulator that follows the standard (Icarus) keeps an old value where such a signal
changes alone, while Verilator and Yosys make logic of it. Of an index that is a sum of two bits and a constant of two
bits, Icarus makes a sum of more bits, which does not wrap round.
"""
import pathlib
import re
import sys

RTL = pathlib.Path(__file__).resolve().parent.parent.parent / "rtl"
KEYWORDS = set("""begin end if else case casez casex endcase default for integer reg input output function endfunction
    signed unsigned automatic while repeat wire localparam""".split())
# Index of a signal and a constant with a base: the constant is gone when this is looked for.
SUM = re.compile(r"\[\s*[a-z]\w*\s*[-+]\s*(?=\])")
FUNCTION = re.compile(r"\bfunction\b(.*?)\bendfunction\b", re.S)


def plain(text):
    """Without comments, numbers with a base, system functions, strings, directives."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
    return re.sub(r"\d*\s*'s?[bdhoBDHO]\s*[0-9a-fA-F_xzXZ?]+|\$\w+|\"[^\"]*\"|`\w+", " ", text)


def declared(text, words):
    """Names that a declaration with one of the words makes."""
    names = set()
    for found in re.finditer(rf"\b(?:{words})\b([^;]*?)(?=[;)]|\b(?:input|output|parameter|localparam)\b)", text, re.S):
        body = re.sub(r"\b(?:signed|unsigned|integer|reg|wire|automatic)\b|\[[^]]*\]", " ", found[1])
        names |= set(re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", body))
    return names


def hidden(text, constants):
    """(function, signal) of each function that reads a signal of its module."""
    functions = {found[1]: found[0] for found in
                 ((f[1], re.match(r"[^;(]*?([A-Za-z_]\w*)\s*[;(]", f[1])) for f in FUNCTION.finditer(text)) if found[1]}
    names = {head[1]: body for head, body in functions.items()}
    for name, body in names.items():
        own = declared(body, "input|reg|integer") | {name}
        blocks = set(re.findall(r"\bbegin\s*:\s*(\w+)", body))
        for word in sorted(set(re.findall(r"(?<![\w.'])[A-Za-z_]\w*", body)) - own - blocks - KEYWORDS - names.keys() - constants):
            yield name, word


def main():
    files = sorted(RTL.glob("*/*.v")) + sorted(RTL.glob("*/*.vh"))
    texts = {path: plain(path.read_text(encoding="utf-8")) for path in files}
    shared = set()
    for path in files:
        shared |= declared(texts[path], "parameter|localparam")
        if path.suffix == ".vh":
            shared |= {m[1] for m in (re.match(r"[^;(]*?([A-Za-z_]\w*)\s*[;(]", f[1]) for f in FUNCTION.finditer(texts[path]))}
    lines, count = [], 0
    for path in files:
        constants = shared | declared(texts[path], "genvar")
        count += len(FUNCTION.findall(texts[path]))
        lines += [f"{path.relative_to(RTL.parent)}: an index is a sum, '{found[0]}...': expected a signal for it"
                  for found in SUM.finditer(texts[path])]
        lines += [f"{path.relative_to(RTL.parent)}: function {name} reads {word}, which is no argument of it"
                  for name, word in hidden(texts[path], constants)]
    if count < 30:
        lines.append(f"only {count} functions found: are they still written as they were?")
    sample = plain("module m(input wire a);\nfunction f(input b); f = b & a; endfunction\nendmodule")
    if list(hidden(sample, set())) != [("f", "a")]:
        lines.append("a function that reads a signal of its module is not seen")
    if not SUM.search(plain("wire b = a[i + 2'd1];")):
        lines.append("an index that is a sum is not seen")
    sys.exit("\n".join(lines) or None)


if __name__ == "__main__":
    main()
