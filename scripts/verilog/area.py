# SPDX-License-Identifier: Apache-2.0
"""area.py - area and clock of the modules around the compressor in a chip, into docs/data/area.csv.

Measures as scripts/hw synth --quick does: one mapping each to the osu018 cells, memories counted apart. Measurements
of the same Verilog are taken from build/synth/.

Usage: scripts/hw area [--print] [--jobs N]
"""
import csv
import pathlib
import re
import subprocess
import sys

import one_line
from . import synth_logic
from .synth_verilog import GENERATOR, PACKAGES

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "docs/data/area.csv"
FIELDS = ["module", "parameters", "flops", "gate_equivalents", "path_ns"]
# Module, parameters of its own.
WORK = [("oct_rvfi", "CHANNELS=1 DEPTH=16 TRAPS=0"), ("oct_rvfi", "CHANNELS=2 DEPTH=16 TRAPS=0"),
        ("oct_rvfi", "CHANNELS=2 DEPTH=16 TRAPS=1"), ("oct_rvfi", "CHANNELS=2 DEPTH=16 TRAPS=1 TIME_BITS=64"),
        ("oct_riscv_ingress", "BLOCKS=2 BLOCK_HALFWORDS=4 ACCESSES=1 DEPTH=16"),
        ("oct_riscv_ingress", "BLOCKS=2 BLOCK_HALFWORDS=4 ACCESSES=1 DEPTH=16 TIME_BITS=64"),
        *((stamps, f"TIME_PERIOD_INSNS=1000 TIME_SOURCE={n}") for stamps in ("oct_stamp", "oct_shadow_stamps") for n in (0, 1)),
        ("oct_filter", "FILTERS=4"),
        ("oct_coresight", ""), ("oct_apb_cross", ""), ("oct_atb_cross", "DEPTH=8"), ("oct_reset_sync", ""), ("oct_trace_port", "PORT_PINS=16"),
        ("oct_axis_bridge", ""), ("oct_axi_sink", "DATA_BITS=32 BURST_BEATS=16 FIFO_BURSTS=2"), ("oct_ram_sink", "DEPTH_WORDS=16"),
        ("oct_funnel", "SOURCES=4"), ("oct_formatter", "SOURCES=4")]
# Of all modules that have them; what a table does not name.
OTHERS = {"XLEN": "32", "ADDR_BITS": "32", "CONTEXT_BITS": "16", "HOLD": "16", "REPEAT_FRAMES": "8", "PACKET_BEATS": "256", "JEP106_ID": "0",
          "JEP106_BANK": "0", "PART": "199", "REVISION": "0", "STAGES": "2", "TIME_BITS": "0"}
NO_CLOCK = ("oct_apb_cross", "oct_atb_cross")  # they have two clocks


def others(module, own):
    text = next(ROOT.glob(f"rtl/*/{module}.v")).read_text(encoding="utf-8")
    return " ".join(f"{name}={value}" for name, value in OTHERS.items()
                    if re.search(rf"parameter .*\b{name} +=", text) and f"{name}=" not in own)


def geometry_of(module):
    return "shadow" if module.startswith("oct_shadow") else "paper"


def main(arguments):
    parser = one_line.Parser(prog="scripts/hw area", description=__doc__.splitlines()[0])
    parser.add_argument("--print", action="store_true", help="do not write docs/data/area.csv")
    parser.add_argument("--jobs", type=one_line.number, default=2)
    args = parser.parse_args(arguments)
    synth_logic.MAPPINGS = synth_logic.MAPPINGS[1:2]  # the others make Debian's ABC end without a result for two of these
    subprocess.run([ROOT / "scripts/setup", *PACKAGES], check=True)
    subprocess.run([ROOT / "scripts/build", "build"], env=GENERATOR, check=True)
    results = synth_logic.measure([(module, geometry_of(module), f"{own} {others(module, own)}") for module, own in WORK], args.jobs, 1)
    gate = synth_logic.gate_area()
    rows = [[module, own, r["flops"], f"{r['area'] / gate:.0f}", "" if module in NO_CLOCK else f"{r['path_ns']:.1f}"]
            for (module, own), r in zip(WORK, results.values())]
    if args.print:
        csv.writer(sys.stdout, lineterminator="\n").writerows([FIELDS, *rows])
    else:
        with open(DATA, "w", encoding="utf-8", newline="") as data:
            csv.writer(data, lineterminator="\n").writerows([FIELDS, *rows])
    return 0
