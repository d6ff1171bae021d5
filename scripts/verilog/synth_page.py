# SPDX-License-Identifier: Apache-2.0
"""synth_page.py - figures of scripts/hw synth: all of them in docs/data/cost.csv, those of the page in docs/cost.md."""
import collections
import csv
import re

from put_table import put_table
from .synth_logic import LEAST_BITS
from .synth_verilog import ROOT

DATA = ROOT / "docs/data/cost.csv"
PAGE = ROOT / "docs/cost.md"
FIELDS = ["tracer", "geometry", "module", "memory_bits", "memories", "flops", "gate_equivalents", "with_clock_gates", "small_as_gates",
          "small_as_gates_with_clock_gates", "area_mm2", "path_ns"]
# Sizes of memories in the histogram: below so many bits, and all larger ones.
SIZES = [256, 1024, 4096]
LEGEND = (f"*Memories*: how many below {', '.join(map(str, SIZES))} bits and larger. *All, area*: gates mapped for area, with memories below "
          f"{LEAST_BITS} bits as flip-flops, without/with clock gates.")
# Modules that are rows at all geometries.
WHOLES = ("oct_shadow_compressor", "oct_system", "oct_top")
# Table 5 of the paper, in bytes, as far as the stages have memories of their own.
PAPER_BYTES = {"oct_stream_cache": 640, "oct_ntuple": 1785 + 7, "oct_dasc": 5120, "oct_top": 7629}


def row(tracer, geometry, module, result, gate):
    """One measured module as a row of the data."""
    counts = sorted(collections.Counter((width, depth) for width, depth in map(tuple, result["memories"])).items(),
                    key=lambda it: (it[0][0] * it[0][1], it[0]))
    small = result["small"]
    return {"tracer": tracer, "geometry": geometry, "module": module,
            "memory_bits": sum(width * depth * n for (width, depth), n in counts),
            "memories": " ".join(f"{n}*{width}x{depth}" for (width, depth), n in counts), "flops": result["flops"],
            "gate_equivalents": f"{result['area'] / gate:.0f}",
            "with_clock_gates": f"{result['gated_area'] / gate:.0f}" if result["gated_area"] else "",
            "small_as_gates": f"{small['area'] / gate:.0f}" if small else "",
            "small_as_gates_with_clock_gates": f"{small['gated_area'] / gate:.0f}" if small else "",
            "area_mm2": f"{result['area'] / 1e6:.3f}", "path_ns": f"{result['path_ns']:.2f}"}


def histogram(memories):
    """How many of the memories of a row have fewer bits than each of SIZES, but no fewer than the one before; and the rest."""
    counts = [0] * (len(SIZES) + 1)
    for n, width, depth in (map(int, re.split("[*x]", word)) for word in memories.split()):
        counts[sum(width * depth >= size for size in SIZES)] += n
    return "/".join(map(str, counts))


def read():
    with open(DATA, encoding="utf-8", newline="") as data:
        return list(csv.DictReader(data))


def write(tracer, rows):
    """Put the rows of a tracer in place of those that it had."""
    others = [r for r in read() if r["tracer"] != tracer] if DATA.exists() else []
    with open(DATA, "w", encoding="utf-8", newline="") as data:
        out = csv.DictWriter(data, FIELDS, lineterminator="\n")
        out.writeheader()
        out.writerows(sorted(others + rows, key=lambda r: r["tracer"]))


def at(row):
    """Geometry and definitions of a row, if they are none of the tracer's own."""
    return "" if row["geometry"] == row["tracer"] else f" of `{row['geometry']}`"


def tables(tracer):
    """The lines of the page's tables of a tracer."""
    rows = [r for r in read() if r["tracer"] == tracer]
    if tracer == "shadow":
        rows = [r for r in rows if r["geometry"] == "shadow" or r["module"] in WHOLES]
        lines = ["| module, at | memory bits | memories | flip-flops | gates | clock gates | all, area | path, ns |",
                 "|---|--:|--:|--:|--:|--:|--:|--:|"]
        return lines + [f"| `{r['module']}`{at(r)} | {r['memory_bits']} | {histogram(r['memories'])} | {r['flops']} | "
                        f"{r['gate_equivalents']} | {r['with_clock_gates']} | "
                        f"{r['small_as_gates']}/{r['small_as_gates_with_clock_gates']} | {r['path_ns']} |" for r in rows]
    lines = ["| module | bytes | memories | paper, bytes | flip-flops | gates | all, area | path, ns |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for r in rows:
        if r["geometry"] == "paper" or r["module"] in WHOLES:
            paper = PAPER_BYTES.get(r["module"], "–") if r["geometry"] == "paper" else "–"
            lines.append(f"| `{r['module']}`{at(r)} | {int(r['memory_bits']) / 8:.0f} | {histogram(r['memories'])} | {paper} | {r['flops']} | "
                         f"{r['gate_equivalents']} | {r['small_as_gates']}/{r['small_as_gates_with_clock_gates']} | {r['path_ns']} |")
    return lines


def put(tracer, head, tail):
    """Write the part of a tracer into the page: head and tail around its tables."""
    put_table(PAGE, f"<!-- synth: {tracer} -->", f"<!-- synth: end of {tracer} -->", [*head, "", *tables(tracer), "", *tail])
