# SPDX-License-Identifier: Apache-2.0
"""synth_page.py - figures of scripts/hw synth: all of them in docs/data/cost.csv, those of the page in docs/cost.md."""
import csv

from put_table import put_table
from .synth_verilog import ROOT

DATA = ROOT / "docs/data/cost.csv"
PAGE = ROOT / "docs/cost.md"
FIELDS = ["tracer", "geometry", "module", "memory_bits", "flops", "gate_equivalents", "with_clock_gates", "area_mm2", "path_ns"]
# Table 5 of the paper, in bytes, as far as the stages have memories of their own.
PAPER_BYTES = {"oct_stream_cache": 640, "oct_ntuple": 1785 + 7, "oct_dasc": 5120, "oct_top": 7629}


def row(tracer, geometry, module, result, gate):
    """One measured module as a row of the data."""
    return {"tracer": tracer, "geometry": geometry, "module": module, "memory_bits": result["memory_bits"], "flops": result["flops"],
            "gate_equivalents": f"{result['area'] / gate:.0f}",
            "with_clock_gates": f"{result['gated_area'] / gate:.0f}" if tracer == "shadow" else "",
            "area_mm2": f"{result['area'] / 1e6:.3f}", "path_ns": f"{result['path_ns']:.2f}"}


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


def tables(tracer):
    """The lines of the page's tables of a tracer."""
    rows = [r for r in read() if r["tracer"] == tracer]
    if tracer == "shadow":
        rows = [r for r in rows if r["geometry"] == "shadow" or r["module"] == "oct_shadow_compressor"]
        lines = ["| module | at | memory bits | flip-flops | gates | with clock gates | path, ns |", "|---|---|--:|--:|--:|--:|--:|"]
        return lines + [f"| `{r['module']}` | `{r['geometry']}` | {r['memory_bits']} | {r['flops']} | {r['gate_equivalents']} | "
                        f"{r['with_clock_gates']} | {r['path_ns']} |" for r in rows]
    lines = ["| module | memory bits | bytes | paper, bytes | flip-flops | gates | path, ns |", "|---|--:|--:|--:|--:|--:|--:|"]
    for r in rows:
        if r["geometry"] == "paper" or r["module"] == "oct_top":
            name = f"`{r['module']}`" + ("" if r["geometry"] == "paper" else f" of `{r['geometry']}`")
            paper = PAPER_BYTES.get(r["module"], "–") if r["geometry"] == "paper" else "–"
            lines.append(f"| {name} | {r['memory_bits']} | {int(r['memory_bits']) / 8:.0f} | {paper} | {r['flops']} | "
                         f"{r['gate_equivalents']} | {r['path_ns']} |")
    return lines


def put(tracer, head, tail):
    """Write the part of a tracer into the page: head and tail around its tables."""
    put_table(PAGE, f"<!-- synth: {tracer} -->", f"<!-- synth: end of {tracer} -->", [*head, "", *tables(tracer), "", *tail])
