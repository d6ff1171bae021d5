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
import readme_table
from put_table import put_table

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
    readme_table.put()


if __name__ == "__main__":
    one_line.run(__doc__, main, 3, 3)
