#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""readme_table.py - do the figures of README's table agree with the pages that own them?

Those of the tracers are in docs/tracers.md, rounded; those of `replay` in docs/replay.md, where `shadow` has a
figure too: if it is another one, the captures differ, and README has to give it below the table. Then damages
each figure and looks whether that is seen.

Usage: readme_table.py ROOT
"""
import pathlib
import re
import sys

# Row of README, which is also that of docs/replay.md: table of docs/tracers.md, the chip's tracer and geometry.
ROWS = {"16 programs, A32": ("suite-arm", "etmv4", "default"),
        "16 programs, x86-64": ("suite-x86-64", "intel-pt", "default"),
        "Embench, RV64GC": ("embench-riscv64", "etrace", "all")}


def cells(text):
    """The rows of a Markdown table, without backticks."""
    return [[c.strip().replace("`", "") for c in line.strip("|").split("|")]
            for line in text.splitlines() if line.startswith("|")]


def between(text, begin, end):
    """The text between two marks, and the text after them."""
    return text.split(begin, 1)[1].split(end, 1)


def faults(readme, tracers, replay):
    table, below = between(readme, "<!-- scripts/study table-tracers -->", "<!-- end -->")
    below = below.split("\n## ")[0]
    rows = {r[0]: r[1:] for r in cells(table)[3:]}
    values = {r[0]: r for r in cells(between(replay, "<!-- scripts/study table-replay -->", "<!-- end -->")[0])}
    if rows.keys() != ROWS.keys():
        yield f"rows {sorted(rows)}, expected {sorted(ROWS)}"
    for name in rows.keys() & ROWS.keys():
        suite, chip, geometry = ROWS[name]
        rest = cells(between(tracers, f"<!-- tracers {suite} -->", f"<!-- tracers {suite} end -->")[0])
        owned = {(r[0], r[1]): r[-2] for r in rest}
        number = re.search(r"[\d.]+(?=,|$)", rows[name][3])
        for what, has, owner in [("paper", rows[name][0], owned["paper", "paper"]),
                                 ("shadow", rows[name][1], owned["shadow", "shadow"]),
                                 ("replay", rows[name][2], values[name][4]),
                                 (chip, number[0] if number else "", owned[chip, geometry])]:
            if not re.fullmatch(r"\d+\.\d+", has) or has != f"{float(owner):.{len(has.split('.')[1])}f}":
                yield f"{name}: {what} {has}, its page has {owner}"
        if values[name][2] != rows[name][1] and f"`shadow` needs {values[name][2]}" not in below:
            yield f"{name}: shadow {rows[name][1]}, beside {rows[name][2]} of replay {values[name][2]}: not said"


def main():
    pages = [(pathlib.Path(sys.argv[1]) / p).read_text(encoding="utf-8")
             for p in ("README.md", "docs/tracers.md", "docs/replay.md")]
    wrong = list(faults(*pages))
    table = between(pages[0], "<!-- scripts/study table-tracers -->", "## ")[0]
    at = pages[0].index(table)
    figures = [m for m in re.finditer(r"\d+\.\d+", table)]
    for m in figures:
        other = str(9 - int(m[0][0])) + m[0][1:]
        damaged = pages[0][:at + m.start()] + other + pages[0][at + m.end():]
        if not wrong and not list(faults(damaged, *pages[1:])):
            wrong.append(f"{m[0]} as {other} was not seen")
    print("\n".join(wrong) if wrong else f"{len(figures)} figures as their pages have them")
    return 1 if wrong or len(figures) < 12 else 0


if __name__ == "__main__":
    sys.exit(main())
