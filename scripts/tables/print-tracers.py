#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""print-tracers.py - the table of scripts/study table-tracers.

Usage: scripts/study print-tracers ROWS.json FOLDER NAME
ROWS.json is of `octrace bench --tracers --json`. Without NAME (empty) the table is printed; else it
is put into the pages of FOLDER, the project's.
"""
import json
import pathlib

import one_line
from put_table import put_table

# The rows of README.md: programs, table of docs/tracers.md, and the chip's format beside paper and shadow.
SUMMARY = [("16 programs, A32", "suite-arm", "ETMv4", "etmv4", "default"),
           ("16 programs, x86-64", "suite-x86-64", "Intel PT", "intel-pt", "default"),
           ("Embench, RV64GC", "embench-riscv64", "E-Trace", "etrace", "all")]
HEAD = ["| tracer | geometry | I, bits/insn | I ratio | D, bits/insn | D ratio | syncs, % | headers, % "
        "| all, bits/insn | packets/1000 insns |", "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
NONE = "\u2013"
# Geometries that docs/tracers.md shows; without --put all are printed.
MAIN = {("paper", "paper"), ("raw", "raw"), ("shadow", "shadow"), ("shadow", "shadow-large"), ("shadow", "shadow-tiny"),
        ("etrace", "base"), ("etrace", "all"), ("etrace", "bare"), ("ntrace", "htm"), ("ntrace", "all"),
        ("intel-pt", "default"), ("intel-pt", "plain"), ("etmv4", "default"), ("etmv4", "plain")}


def ratio(rows, kind):
    """All addresses in full against what was sent for them."""
    sent = [(r[f"{kind}_bits_per_insn"] * r["instructions"], r[f"{kind}_ratio"]) for r in rows]
    bits = sum(b for b, q in sent if q is not None)
    return sum(b * q for b, q in sent if q is not None) / bits if bits else 0


def line(tracer, geometry, rows):
    """One line: means over the traces."""
    def mean(key):
        return sum(r[key] for r in rows) / len(rows)
    has_data = rows[0]["carries_data"]
    has_packets = all(r["packets"] is not None for r in rows)
    cells = [f"`{tracer}`", f"`{geometry}`", f"{mean('insn_bits_per_insn'):.4f}", f"{ratio(rows, 'insn'):,.0f}",
             f"{mean('data_bits_per_insn'):.4f}" if has_data else NONE,
             f"{ratio(rows, 'data'):.1f}" if has_data else NONE,
             f"{100 * mean('sync_bits_per_insn') / mean('bits_per_insn'):.2f}",
             f"{100 * mean('header_bits_per_insn') / mean('bits_per_insn'):.1f}",
             f"{mean('bits_per_insn'):.4f}",
             f"{1000 * sum(r['packets'] / r['instructions'] for r in rows) / len(rows):.3g}"
             if has_packets else NONE]
    return "| " + " | ".join(cells) + " |"


def summary(page):
    """README.md's table, from the tables of docs/tracers.md, so that a figure has one value."""
    lines = ["| programs | `paper` | `shadow` | the chip's format |", "|---|--:|--:|--:|"]
    for programs, name, chip, tracer, geometry in SUMMARY:
        table = page.split(f"<!-- tracers {name} -->\n", 1)[1].split("<!--", 1)[0]
        cells = {tuple(c[1:3]): c for c in ([x.strip() for x in row.split("|")] for row in table.splitlines()) if len(c) > 9}
        def bits(tracer, geometry, cells=cells):
            return f"{float(cells[f'`{tracer}`', f'`{geometry}`'][9]):.3g}"
        without = "" if cells[f"`{tracer}`", f"`{geometry}`"][5] != NONE else ", without data addresses"
        lines.append(f"| {programs} | {bits('paper', 'paper')} | {bits('shadow', 'shadow')} "
                     f"| {chip} {bits(tracer, geometry)}{without} |")
    return lines


def main(args):
    rows_file, folder, name = args
    found = {}
    for row in json.loads(pathlib.Path(rows_file).read_text(encoding="utf-8"))["rows"]:
        found.setdefault((row["tracer"], row["geometry"]), []).append(row)
    lines = {key: line(*key, rows) for key, rows in found.items()}
    if not name:
        print("\n".join(HEAD + list(lines.values())))
        return
    begin, end = f"<!-- tracers {name} -->", f"<!-- tracers {name} end -->"
    page = pathlib.Path(folder, "docs/tracers.md")
    is_main = begin in page.read_text(encoding="utf-8")
    put_table(page if is_main else page.parent / "notes" / page.name, begin, end, HEAD + [text for key, text in lines.items() if key in MAIN])
    put_table(pathlib.Path(folder, "README.md"), "<!-- scripts/study table-tracers -->", "<!-- end -->",
              summary(page.read_text(encoding="utf-8")))


if __name__ == "__main__":
    one_line.run(__doc__, main, 3, 3)
