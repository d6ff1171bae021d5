# SPDX-License-Identifier: Apache-2.0
"""synth.py - what the Verilog costs: memory bits, cells, area, longest path; and an FPGA build.

For each geometry and stage: Yosys maps the logic to the osu018 cell library (0.18 um), memories
counted apart (rtl/synth/oct_ram_macro.v), and OpenSTA finds the longest path. The small geometries are placed
and routed on an iCE40 HX8K; what fits must close timing. A single run varies by a tenth: each figure is
that of the median of three mappings (MAPPINGS), the clock of the FPGA that of three placements.

Writes docs/data/cost.csv and the tables of docs/cost.md, or with --print only prints the tables. The page names the commit, and a
checksum of the Verilog that was measured, without comments, blanks and properties. With --check nothing is measured; exit status 1
if the Verilog has another checksum.
With --tree the hierarchy is kept and the mapping is a quick one: the gates of each instance and all below it, to compare
only with each other. With --shadow only the modules of rtl/shadow/ are measured, also with clock gates (synth_gates.py).

Usage: scripts/hw synth [--geometry NAME]... [--no-fpga] [--quick] [--print] [--jobs N]
       scripts/hw synth --stage MODULE... [--geometry NAME]...    only these stages, printed
       scripts/hw synth --shadow [--stage MODULE]... [--quick] [--print] [--jobs N]
       scripts/hw synth --tree MODULE [--geometry NAME]           a quick look: where a module's gates are
       scripts/hw synth --flops [--geometry NAME]                 what the flip-flops of the compressor of `shadow` are for
       scripts/hw synth --check
"""
import datetime
import glob
import os
import re
import sys

import one_line
from . import synth_page
from .synth_fpga import FPGA_MHZ, HX8K_CELLS, fpga, fpga_cells
from .synth_flops import flops
from .synth_logic import MAPPINGS, gate_area, measure, tree
from .synth_verilog import GENERATOR, PACKAGES, ROOT, checksum, run

GEOMETRIES = ["paper", "paper-pipelined", "small", "tiny"]
FPGA_GEOMETRIES = ["small", "tiny"]
# Modules of the tracer `shadow`: name, parameters of its own and names to define, geometries.
SHADOW = [(module, own, geometries) for names, own, geometries in [
    ("gather a32 rv", "", ["shadow"]), ("cache", "", ["shadow", "shadow-tiny"]), ("alu", "", ["shadow"]), ("execute", "", ["shadow"]),
    ("flow", "", ["shadow"]),
    ("stride mix", "", ["shadow", "shadow-tiny"]), ("emit", "", ["shadow"]),
    ("prob", "IS_BRANCH=0 LIMIT=4 ENTRIES=32", ["shadow"]), ("prob", "IS_BRANCH=1 LIMIT=4 ENTRIES=512", ["shadow"]),
    ("queue unroll symbol coder framer", "", ["shadow"]), ("compressor", "", ["shadow", "shadow-tiny"]),
    ("compressor", "-DOCT_RAM_WRITE_FIRST", ["shadow"])]
          for module in (f"oct_shadow_{name}" for name in names.split())]
# What a chip gets: adapter, compressor with its registers, and bridge or formatter. The core is RV32.
RV32 = "pc_align_bits=1"
SYSTEM = "oct_system"
SHADOW += [(SYSTEM, f"-DOCT_SHADOW{sink}", [f"{geometry},regs=32,{RV32}"]) for geometry in ("shadow", "shadow-tiny")
           for sink in ("", " -DOCT_FRAMES")]
# The stages of the machine in their order; buffers are counted in the whole.
STAGES = [s for s in re.findall(r"'(\w+)'", re.search(
    r"^stages = \[(.*?)\]", (ROOT / "model/paper/meson.build").read_text(encoding="utf-8"),
    re.M | re.S).group(1)) if s != "oct_fifo"] + ["oct_top"]
# Parameters of their own.
OWN = {"oct_regs": "TIME_BITS=56"}


def check():
    """Exit status of --check."""
    status = 0
    page = synth_page.PAGE.read_text(encoding="utf-8")
    for tracer, option in [("paper", ""), ("shadow", " --shadow")]:
        found = re.search(rf"`{tracer}`[^`]*commit `\w+`, Verilog with checksum `(\w+)`", page)
        if not found or found[1] != checksum(tracer):
            print(f"hw synth: rtl/ is newer than docs/cost.md: run scripts/hw synth{option}", file=sys.stderr)
            status = 1
    return status


def mapped(n_mappings):
    return "of one mapping" if n_mappings == 1 else f"of the median path of {n_mappings} mappings (the whole: of one)"


def heading(tracer, option, n_mappings):
    """The line above the tables of a tracer."""
    commit = run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]).strip()
    versions = ", ".join([run(["yosys", "-V"]).split("(")[0].strip(), "OpenSTA " + run(["sta", "-version"]).strip()])
    return (f"Measured by `scripts/hw synth{option}` on {datetime.date.today()} with {versions}; each row {mapped(n_mappings)}. Tracer "
            f"`{tracer}` after commit `{commit}`, Verilog with checksum `{checksum(tracer)}`. {synth_page.LEGEND}")


def finish(tracer, rows, head, tail, is_printed):
    """Write data and page, or print the rows."""
    if is_printed:
        print("\n".join(",".join(str(v) for v in r.values()) for r in rows))
        return 0
    synth_page.write(tracer, rows)
    synth_page.put(tracer, [head], tail)
    return 0


def measure_shadow(jobs, is_printed, stages, n_mappings):
    """Measure the modules of `shadow`."""
    work = [(m, g, own) for m, own, geometries in SHADOW for g in geometries if not stages or m in stages]
    results = measure(work, jobs, n_mappings, True)
    gate = gate_area()
    rows = [synth_page.row("shadow", " ".join([g, *own.replace("-DOCT_SHADOW", "").split()]), m, r, gate) for (m, g, own), r in results.items() if r]
    missing = sorted({m for (m, _, _), r in results.items() if not r})
    tail = [f"Not measured, as ABC fails: {', '.join(missing)}.", ""] if missing else []
    if not is_printed:
        c = fpga_cells("oct_shadow_compressor", "shadow-tiny")
        tail += [f"On an iCE40, `oct_shadow_compressor` at `shadow-tiny` needs {c['SB_LUT4']} look-up tables, {c['SB_DFF']} "
                 f"flip-flops and {c['SB_RAM40']} RAM blocks of 4 kbit. An HX8K has {HX8K_CELLS} cells of one table and one flip-flop, and "
                 "32 blocks" + (": it does not fit." if c["SB_LUT4"] > HX8K_CELLS else ".")]
    return finish("shadow", rows, heading("shadow", " --shadow", n_mappings), tail, is_printed)


def main(arguments):
    parser = one_line.Parser(prog="scripts/hw synth", description=__doc__.splitlines()[0])
    parser.add_argument("--geometry", action="append")
    parser.add_argument("--stage", action="append", help="only this one, printed")
    parser.add_argument("--no-fpga", action="store_true")
    parser.add_argument("--print", action="store_true", help="do not write docs/cost.md")
    parser.add_argument("--jobs", type=one_line.number, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true", help="one mapping each instead of three")
    parser.add_argument("--shadow", action="store_true", help="only the modules of rtl/shadow/")
    parser.add_argument("--tree", metavar="MODULE", help="only: where the gates of this module are")
    parser.add_argument("--flops", action="store_true", help="only: what the flip-flops of `shadow` are for")
    parser.add_argument("--check", action="store_true", help="only: is docs/cost.md that of rtl/?")
    args = parser.parse_args(arguments)
    if args.check:
        return check()
    for module in (args.stage or []) + [args.tree or "oct_top"]:
        if not any(ROOT.glob(f"rtl/*/{glob.escape(module)}.v")):
            one_line.refuse(f"{module}: there is no such module in rtl/")
    if args.shadow and args.stage and not {module for module, _, _ in SHADOW}.intersection(args.stage):
        one_line.refuse(f"--shadow --stage {args.stage[0]}: none of the modules that are measured")
    n_mappings = 1 if args.quick else len(MAPPINGS)
    run([ROOT / "scripts/setup", *PACKAGES])
    run([ROOT / "scripts/build", "build"], env=GENERATOR)
    if args.flops:
        return flops("oct_shadow_compressor", (args.geometry or ["shadow"])[0])
    if args.tree:
        return tree(args.tree, (args.geometry or ["shadow"])[0])
    if args.shadow:
        return measure_shadow(args.jobs, args.print or bool(args.stage), args.stage, n_mappings)
    geometries = args.geometry or GEOMETRIES
    stages = args.stage or STAGES
    args.no_fpga = args.no_fpga or bool(args.stage)
    work = [(s, g, OWN.get(s, "")) for g in geometries for s in stages]
    if not args.stage and not args.geometry or SYSTEM in stages:
        work = [w for w in work if w[0] != SYSTEM] + [(SYSTEM, f"paper,{RV32}", sink) for sink in ("", "-DOCT_FRAMES")]
    found = measure(work, args.jobs, n_mappings, True)
    gate = gate_area()
    rows = [synth_page.row("paper", " ".join([g, *own.split()]) if s == SYSTEM else g, s, r, gate) for (s, g, own), r in found.items()]
    if args.stage:
        return finish("paper", rows, "", [], True)
    tail = [] if args.no_fpga else [f"`rtl/synth/oct_fpga.v` on an iCE40 HX8K, which has {HX8K_CELLS} logic cells:", ""]
    for geometry in [] if args.no_fpga else FPGA_GEOMETRIES:
        placed = sorted(fpga(geometry), key=lambda p: p["mhz"])
        f = placed[len(placed) // 2]
        if f["mhz"] and f["mhz"] < FPGA_MHZ:
            sys.exit(f"hw synth: the FPGA build reaches {f['mhz']:.1f} MHz of {FPGA_MHZ}")
        how = (f", {f['mhz']:.1f} MHz (required: {FPGA_MHZ} MHz; median of {len(placed)} placements)." if f["mhz"] else
               ": it does not fit.")
        tail.append(f"- `{geometry}`: {f['cells']} logic cells, {f['rams']} RAM blocks of 4 kbit{how}")
    return finish("paper", rows, heading("paper", "", n_mappings), tail, args.print)
