#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""print-syncs - what checks and syncs by port bits cost: port bits an instruction, as a Markdown table.

Usage: scripts/print-syncs.py [TRACE...]    (default: traces/samples; OCTRACE: the program)
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PERIODS_BITS = [32768, 65536, 131072, 262144, 524288]
SETTINGS = ["check_bits=0,sync_period_bits=0", "sync_period_bits=0",
            *(f"sync_period_bits={bits}" for bits in PERIODS_BITS)]


def bits_per_insn(trace, settings, folder):
    program = os.environ.get("OCTRACE", str(ROOT / "build/tools/octrace"))
    done = subprocess.run([program, "compress", "--json", "-g", f"paper,{settings}", "-o",
                           f"{folder}/out", trace], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["port_bits_per_instruction"]


def main():
    if sys.argv[1:2] == ["--help"]:
        print(__doc__)
        return
    traces = sys.argv[1:] or [str(p) for p in sorted((ROOT / "traces/samples").glob("*.oct"))]
    sums = [0.0] * len(PERIODS_BITS)
    with tempfile.TemporaryDirectory() as folder:
        for trace in traces:
            none, check, *synced = (bits_per_insn(trace, s, folder) for s in SETTINGS)
            sums = [total + bits / none - 1 for total, bits in zip(sums, synced)]
            cells = [f"{bits:.4f} (+{100 * (bits / none - 1):.1f} %)" for bits in synced]
            print(f"| {pathlib.Path(trace).stem} | {none:.4f} | {check:.4f} | {' | '.join(cells)} |")
    print(f"| mean | | | {' | '.join(f'+{100 * total / len(traces):.1f} %' for total in sums)} |")


main()
