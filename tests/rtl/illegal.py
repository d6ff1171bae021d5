#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""illegal - does each parameter of the modules of rtl/common say what is legal, and does what is not stop elaboration?

The comment of a parameter begins with what is legal: `1 to 8`, `32, 64`, `from 2 on`, `even, from 2 on`, `a power of two from 2 on`,
`a power of two from 1 to 16`, or `1:` for 0 and 1. A parameter with a range of bits may have every value. The tools have to name the
parameter that is illegal; legal ends of ranges have to pass.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

RTL = pathlib.Path(__file__).resolve().parent.parent.parent / "rtl"
PARAMETER = re.compile(r"^ *parameter +(?:integer|\[[^]]*\]) +(\w+) *= *[^/\n]*?(?:// *(.*))?$", re.M)
# Modules whose body is for simulation and proofs alone.
CHECKERS = {"oct_atb_check"}
NUMBER = r"(\d+)"


def values(text):
    """(legal ends, illegal values) that a comment tells; None: it tells none."""
    for pattern, found_values in [
            (rf"a power of two from {NUMBER} to {NUMBER}\b", lambda low, high: ([low, high], [low - 1, 3, high * 2, -2])),
            (rf"a power of two from {NUMBER} on\b", lambda low: ([low, 4 * low], [low - 1, 3, 12, 100])),
            (rf"even, from {NUMBER} on\b", lambda low: ([low, low + 4], [0, low + 1, low + 3, -2])),
            (rf"{NUMBER} to {NUMBER}\b", lambda low, high: ([low, high], [low - 1, high + 1])),
            (rf"from {NUMBER} on\b", lambda low: ([low, low + 1], [low - 1, -5])),
            (rf"{NUMBER}, {NUMBER}\b", lambda one, other: ([one, other], [one - 1, other + 1, (one + other + 2) // 2 if other - one > 2 else -3])),
            (r"1:", lambda: ([0, 1], [-1, 2]))]:
        found = re.match(pattern, text)
        if found:
            return found_values(*map(int, found.groups()))
    return None


def elaborated(tool, module, name, value):
    """What a tool says to a module with this parameter, and whether it takes it."""
    files = [str(path) for path in sorted(RTL.glob("common/*.v"))]
    command = {"iverilog": ["iverilog", "-g2005-sv", "-t", "null", "-Icommon", "-s", module, f"-P{module}.{name}={value}", *files],
               "verilator": ["verilator", "--lint-only", "-Wno-fatal", "-Icommon", "-y", "common", "--top-module", module,
                             f"-G{name}={value}", f"common/{module}.v"]}[tool]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=RTL)
    return done.stdout + done.stderr, done.returncode == 0


def look(work):
    """What is wrong with one setting, or None."""
    tool, module, name, value, is_legal = work
    said, is_taken = elaborated(tool, module, name, value)
    if is_legal:
        return None if is_taken else f"{module}: {tool} refuses the legal {name}={value}:\n{said[:400]}"
    if is_taken:
        return f"{module}: {tool} takes the illegal {name}={value}"
    return None if f"oct_illegal_{name}_expected_" in said else f"{module}: {tool} refuses {name}={value} without its name:\n{said[:400]}"


def main():
    faults, work = [], []
    for path in sorted(RTL.glob("common/*.v")):
        module, text = path.stem, path.read_text(encoding="utf-8")
        head = text[text.index(f"\nmodule {module}"):]
        for line in PARAMETER.finditer(head[:head.index(") (")] if "#(" in head[:head.index(";")] else ""):
            name, comment = line[1], line[2] or ""
            if module in CHECKERS or "[" in line[0].split("=")[0]:
                continue
            told = values(comment)
            if not told:
                faults.append(f"{path.name}: {name}: its comment begins with no range: '{comment}'")
                continue
            legal, illegal = told
            tools = ("iverilog", "verilator")
            work += [(tool, module, name, value, False) for tool in tools for value in sorted(set(illegal))]
            work += [("iverilog", module, name, value, True) for value in legal]
    if len(work) < 100:
        faults.append(f"only {len(work)} settings are looked at")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults += [fault for fault in pool.map(look, work) if fault]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(work)} settings of rtl/common looked at")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
