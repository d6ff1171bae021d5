#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""print-stamps - the cost of time stamps and cycles of streams in the tracers paper and shadow, as a Markdown table.

Port bits per instruction of the cycle engine, of the first 1,000,000 instructions of each trace, at 32 pins and with
buffers that lose nothing: without time; with stamps after syncs; with one each 1000 instructions; with the cycle
of each stream, when an instruction takes 1, 2 and 4 cycles on average; with a stamp for each instruction, at 8.
Losses, if there are any, follow the bits.

With --tracer shadow: without time; with a stamp each 1000 instructions; with a stamp for each instruction, when an
instruction takes 1, 2, 2.5 and 4 cycles on average.

Usage: scripts/study print-stamps [--tracer paper|shadow] [TRACE...]   (default: traces/samples; OCTRACE: the program)
"""
import json
import os
import pathlib
import subprocess

import one_line

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSNS = 1000000
MACHINES = {
    "paper": "paper,port_pins=32,pipelined=1,stream_fifo_depth=64,data_fifo_depth=64,out_fifo_bytes=4096",
    "shadow": "shadow,port_pins=32,gather_insns=1024,gather_accesses=1024,queue_words=4096,out_fifo_bytes=4096",
}
EACH = "timestamp=1,time_period_insns=1"
COLUMNS = {
    "paper": [("timestamp=0", "cpi=2"), ("timestamp=1", "cpi=2"), ("timestamp=1,time_period_insns=1000", "cpi=2"),
              ("timestamp=2", "full"), ("timestamp=2", "cpi=2"), ("timestamp=2", "cpi=4"), (EACH, "cpi=8")],
    "shadow": [("timestamp=0", "cpi=2"), ("timestamp=1,time_period_insns=1000", "cpi=2"), (EACH, "full"),
               (EACH, "cpi=2"), (EACH, "cpi=2.5"), (EACH, "cpi=4")],
}


def run(tracer, trace, settings, arrival):
    """(port bits an instruction, instructions lost)."""
    program = os.environ.get("OCTRACE", str(ROOT / "build/tools/octrace"))
    done = subprocess.run([program, "compress", "--json", "--tracer", tracer, "--engine", "cycle", "--arrival", arrival,
                           "-g", f"{MACHINES[tracer]},{settings}", "--limit", str(INSNS), "-o", "/dev/null", trace],
                          capture_output=True, text=True, check=False)
    if not done.stdout:
        one_line.fail(done.stderr.strip())
    said = json.loads(done.stdout)
    return said["port_bits_per_instruction"], said["lost_instructions"]


def main(args):
    traces, tracer = args, "paper"
    if traces[:1] == ["--tracer"]:
        tracer, traces = traces[1] if len(traces) > 1 else "", traces[2:]
    if tracer not in MACHINES:
        one_line.fail(f"--tracer '{tracer}': expected paper or shadow")
    traces = traces or [str(p) for p in sorted((ROOT / "traces/samples").glob("*.oct"))]
    sums = [0.0] * len(COLUMNS[tracer])
    for trace in traces:
        rows = [run(tracer, trace, *column) for column in COLUMNS[tracer]]
        sums = [total + bits for total, (bits, _) in zip(sums, rows)]
        cells = [f"{bits:.3f}" + (f" ({lost} lost)" if lost else "") for bits, lost in rows]
        print(f"| {pathlib.Path(trace).stem} | {' | '.join(cells)} |", flush=True)
    print(f"| mean | {' | '.join(f'{total / len(traces):.3f}' for total in sums)} |")


one_line.run(__doc__, main, options=["--tracer"])
