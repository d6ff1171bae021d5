#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""print-whole-traces.py - the codec shadow beside others on whole traces, from the results of octrace bench.

Usage: scripts/study print-whole-traces TABLE.csv PAGE LOAD OPTIONS
Replaces the text in PAGE between the two lines that name whole traces. LOAD is the machine's load
before, OPTIONS those of octrace bench.
"""
import csv
import datetime
import math
import os

import one_line
from put_table import machine, put_table

BEGIN, END = "<!-- whole traces begin -->", "<!-- whole traces end -->"
OWN = "shadow"


def load(path):
    """{codec: {file: row}}, in the order of the table."""
    rows = {}
    with open(path, newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            if row["ratio"]:
                rows.setdefault(row["codec"], {})[row["file"]] = row
    return rows


def page(rows, system_load, options):
    files = [name for name in rows[OWN] if name != "all"]
    yield "| codec | ratio | bits per instruction | compress M insns/s | slowest | decompress M insns/s | slowest | peak MiB |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for codec, of in rows.items():
        total = of["all"]
        ways = [f"{float(total[f'{way}_M_records_s']):.1f} | "
                f"{min(float(of[f][f'{way}_M_records_s']) for f in files):.1f}"
                for way in ("compress", "decompress")]
        yield (f"| `{codec}` | {float(total['ratio']):.1f} | {float(total['bits_per_instruction']):.4f} | "
               f"{' | '.join(ways)} | {int(total['peak_bytes']) >> 20} |")
    others = [of for codec, of in rows.items() if codec != OWN and not codec.startswith("tracer ")]
    shares = [int(rows[OWN][f]["packed_bytes"]) / min(int(of[f]["packed_bytes"]) for of in others) for f in files]
    mean = math.exp(sum(map(math.log, shares)) / len(shares))
    yield ""
    yield (f"Against the smallest file that another codec makes of the same trace, a file of `shadow` has {mean:.2f} times "
           f"the bytes in geometric mean ({min(shares):.2f} to {max(shares):.2f}). Files of codecs hold the program map, too; "
           f"tracers need a decoder that has it. "
           f"{len(files)} traces; `octrace bench {options}`; {machine()}, {os.cpu_count()} processors, load {system_load} before; "
           f"{datetime.date.today()}; `scripts/study table-codecs`.")


def main(args):
    put_table(args[1], BEGIN, END, page(load(args[0]), args[2], args[3]))


one_line.run(__doc__, main, 4, 4)
