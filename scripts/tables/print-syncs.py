#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""print-syncs - the cost of checks and of syncs by port bits: port bits per instruction, as a Markdown table.

Usage: scripts/study print-syncs [--tracer paper|shadow] [TRACE...]
    (default: paper; traces/samples; OCTRACE: the program)
"""
import json
import os
import pathlib
import subprocess
import tempfile

import one_line

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The parameter, the columns without it, and its values.
SYNCS = {"paper": ("sync_period_bits", ["check_bits=0,sync_period_bits=0", "sync_period_bits=0"],
                   [32768, 65536, 131072, 262144, 524288]),
         "shadow": ("sync_bits", ["check=0,sync_bits=0", "sync_bits=0"], [16384, 32768, 65536, 131072, 262144])}


def bits_per_insn(trace, tracer, settings, folder):
    program = os.environ.get("OCTRACE", str(ROOT / "build/tools/octrace"))
    done = subprocess.run([program, "compress", "--json", "--tracer", tracer, "-g", f"{tracer},{settings}",
                           "-o", f"{folder}/out", trace], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["port_bits_per_instruction"]


def main(args):
    tracer = "paper"
    if args[:1] == ["--tracer"]:
        tracer, args = args[1] if len(args) > 1 else "", args[2:]
    if tracer not in SYNCS:
        one_line.fail(f"--tracer '{tracer}': expected {' or '.join(SYNCS)}")
    name, others, periods = SYNCS[tracer]
    traces = args or [str(p) for p in sorted((ROOT / "traces/samples").glob("*.oct"))]
    settings = others + [f"{name}={bits}" for bits in periods]
    sums, all_bits = [0.0] * len(periods), [0.0] * len(settings)
    with tempfile.TemporaryDirectory() as folder:
        for trace in traces:
            row = [bits_per_insn(trace, tracer, s, folder) for s in settings]
            none, check, *synced = row
            sums = [total + bits / none - 1 for total, bits in zip(sums, synced)]
            all_bits = [total + bits for total, bits in zip(all_bits, row)]
            cells = [f"{bits:.4f} (+{100 * (bits / none - 1):.1f} %)" for bits in synced]
            print(f"| {pathlib.Path(trace).stem} | {none:.4f} | {check:.4f} | {' | '.join(cells)} |")
    if tracer == "paper":
        cells = ["", ""] + [f"+{100 * total / len(traces):.1f} %" for total in sums]
    else:
        cells = [f"{total / len(traces):.4f}" for total in all_bits]
    print(f"| mean | {' | '.join(cells)} |")


one_line.run(__doc__, main, options=["--tracer"])
