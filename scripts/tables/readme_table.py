# SPDX-License-Identifier: Apache-2.0
"""readme_table.py - README.md's table of port bits, from the tables of docs/tracers.md and docs/replay.md, so that a
figure has one value.
"""
import pathlib

from put_table import put_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
NONE = "\u2013"
# The rows: programs, table of docs/tracers.md, and the chip's format beside ours.
SUMMARY = [("16 programs, A32", "suite-arm", "ETMv4", "etmv4", "default"),
           ("16 programs, x86-64", "suite-x86-64", "Intel PT", "intel-pt", "default"),
           ("Embench, RV64GC", "embench-riscv64", "E-Trace", "etrace", "all")]
REPLAY = ("<!-- scripts/study table-replay -->", "<!-- end -->")


def cells_of(text):
    """The cells of each line of a table."""
    return [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.startswith("|")]


def replay_bits(programs):
    """Of the geometry `replay`, as docs/replay.md has it."""
    page = (ROOT / "docs/replay.md").read_text(encoding="utf-8")
    for cells in cells_of(page.split(REPLAY[0], 1)[1].split(REPLAY[1], 1)[0]):
        if cells[1] == programs:
            return f"{float(cells[5]):.3g}"
    return NONE


def put():
    page = (ROOT / "docs/tracers.md").read_text(encoding="utf-8")
    lines = ["| programs | `paper` | `shadow` | `replay` | the chip's format |", "|---|--:|--:|--:|--:|",
             "| *gives* | path, addresses | path, addresses | all values | path |"]
    for programs, name, chip, tracer, geometry in SUMMARY:
        rows = cells_of(page.split(f"<!-- tracers {name} -->\n", 1)[1].split("<!--", 1)[0])
        cells = {tuple(c[1:3]): c for c in rows if len(c) > 9}

        def bits(tracer, geometry, cells=cells):
            return f"{float(cells[f'`{tracer}`', f'`{geometry}`'][9]):.3g}"
        more = "" if cells[f"`{tracer}`", f"`{geometry}`"][5] == NONE else ", with addresses"
        lines.append(f"| {programs} | {bits('paper', 'paper')} | {bits('shadow', 'shadow')} | {replay_bits(programs)} "
                     f"| {chip} {bits(tracer, geometry)}{more} |")
    put_table(ROOT / "README.md", "<!-- scripts/study table-tracers -->", "<!-- end -->", lines)
