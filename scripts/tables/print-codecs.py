#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""print-codecs.py - the table of docs/notes/codecs.md from the results of octrace bench.

Usage: scripts/study print-codecs TABLE.csv PAGE LOAD OPTIONS
Replaces the text in PAGE between the two lines that name scripts/study table-codecs. LOAD is the
machine's load before, OPTIONS those of octrace bench.
"""
import csv
import datetime
import math
import os

import one_line
from put_table import machine, put_table

BEGIN, END = "<!-- scripts/study table-codecs begin -->", "<!-- scripts/study table-codecs end -->"
VPC3, FAST, WHOLE = "vpc3", "vpc3:stage=zstd,level=3", ("tracer paper", "shadow")


def load(path):
    """{codec: row of the totals}, {codec: {file: ratio}}"""
    totals, ratios = {}, {}
    with open(path, newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            if not row["ratio"]:
                continue
            if row["file"] == "all":
                totals[row["codec"]] = row
            else:
                ratios.setdefault(row["codec"], {})[row["file"]] = float(row["ratio"])
    return totals, ratios


def against(ratios, codec, other):
    """Geometric mean of how much better codec is, and at how many files it is worse."""
    parts = [ratios[codec][name] / ratios[other][name] for name in ratios[codec]]
    mean = math.exp(sum(map(math.log, parts)) / len(parts))
    return mean, sum(part < 1 for part in parts), len(parts)


def goals(totals, ratios):
    """Lines of issue 5's goals: what, goal, reached."""

    def speed(codec, way):
        return float(totals[codec][f"{way}_MB_s"])

    for other, name in (("plain:stage=gzip", "gzip -9"), ("plain:stage=bzip2", "bzip2 -9"),
                        ("plain:stage=xz", "xz -6"), ("sequitur", "Sequitur")):
        mean, worse, n = against(ratios, VPC3, other)
        yield f"ratio over that of {name}, geometric mean ({worse} of {n} worse)", 1.4, mean
    for way in ("compress", "decompress"):
        yield f"first stage only, {way}, MB/s", 300, speed("vpc3:stage=none", way)
    for way in ("compress", "decompress"):
        yield f"with `zstd -3`, {way}, MB/s", 200, speed(FAST, way)
    for way, factor in (("compress", 5), ("decompress", 2)):
        yield (f"with bzip2, {way}, times the speed of `bzip2 -9`", factor,
               speed(VPC3, way) / speed("plain:stage=bzip2", way))


def page(totals, ratios, system_load, options):
    files = len(ratios[VPC3])
    raw = int(totals[VPC3]["raw_bytes"]) / 1e6
    yield "| codec | ratio | geometric mean | compress MB/s | decompress MB/s | peak MiB |"
    yield "|---|--:|--:|--:|--:|--:|"
    for codec, row in totals.items():
        note = "" if row["raw_bytes"] == totals[VPC3]["raw_bytes"] else " (addresses only)"
        if row["lossless"] == "false":
            note += " (lossy)"
        if codec in WHOLE:
            note = " (whole traces)"
        unpacked = f"{float(row['decompress_MB_s']):.1f}" if row["decompress_MB_s"] else "–"
        yield (f"| `{codec}`{note} | {float(row['ratio']):.1f} | "
               f"{float(row['geometric_mean_ratio']):.1f} | "
               f"{float(row['compress_MB_s']):.1f} | {unpacked} | "
               f"{int(row['peak_bytes']) >> 20} |")
    yield ""
    yield "| VPC3 | goal | reached | |"
    yield "|---|--:|--:|---|"
    for what, goal, reached in goals(totals, ratios):
        yield f"| {what} | {goal} | {reached:.2f} | {'yes' if reached >= goal else '**no**'} |"
    yield ""
    yield (f"{files} traces, {raw:.0f} MB of (PC, address) records of all loads and stores; "
           f"where a codec takes addresses only, ratio and MB/s are those of 8 bytes each; whole traces "
           f"have all instructions too, with 4 bytes for each PC and address; "
           f"`octrace bench {options}`; {machine()}, {os.cpu_count()} processors, load {system_load} "
           f"before; {datetime.date.today()}; `scripts/study table-codecs`.")


def main(args):
    put_table(args[1], BEGIN, END, page(*load(args[0]), args[2], args[3]))


one_line.run(__doc__, main, 4, 4)
