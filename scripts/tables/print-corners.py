#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""print-corners - the losses of the machine of `paper` at its worst inputs, one instruction a cycle, as a Markdown table.

Streams that were never seen, of 1 to 4 instructions; and a loop with an instruction of 16 accesses in
63, which overflows the default data buffer, so that an overflow's cost can be read from it. With --loops: loops
of 1 to 31 instructions with an access each, by pins. With --bundled: the instructions and the overflows of the
bundled traces, a million instructions of each.

Usage: scripts/study print-corners [--loops | --bundled]    (OCTRACE: the program)
"""
import json
import os
import pathlib
import random
import subprocess
import tempfile

import one_line

ROOT = pathlib.Path(__file__).resolve().parents[2]
GEOMETRIES = ["paper", "paper-pipelined"]
PINS = [8, 16, 32]
LOOP_PINS = [4, 8, 12, 16, 20, 24, 28, 32]
INSNS = 60000


def never_seen(n_insns):
    """Streams of n_insns, each at an address of its own."""
    return "".join(f"{0x100000 + 64 * k + 4 * i:x}\n" for k in range(INSNS // n_insns) for i in range(n_insns))


def bursts():
    """A loop of 63 instructions, of which number 31 makes 16 accesses at other addresses each time."""
    lines = []
    for k in range(INSNS // 63):
        accesses = " ".join(f"L4:{0x20000 + 832 * (k % 7) + 4 * m:x}" for m in range(16))
        lines += [f"{0x8000 + 4 * j:x} {accesses if j == 31 else ''}\n" for j in range(63)]
    return "".join(lines)


def loop(n_insns, stride):
    """A loop with an access each instruction, stride bytes behind the last, or anywhere (0)."""
    draw = random.Random(1)
    return "".join(f"{0x8000 + 4 * (k % n_insns):x} L4:{0x20000 + stride * k if stride else 4 * draw.randrange(1 << 20):x}\n"
                   for k in range(INSNS))


def print_loops(folder):
    """The share that is lost of each loop, by pins."""
    print("| loop of | stride | geometry | " + " | ".join(f"{pins} pins" for pins in LOOP_PINS) + " |")
    print("|--:|--:|---|" + "--:|" * len(LOOP_PINS))
    for n_insns in (1, 2, 8, 16, 31):
        for stride in (4, 0):
            text = loop(n_insns, stride)
            for geometry in GEOMETRIES:
                shares = [lost(text, f"{geometry},pc_align_bits=2,port_pins={pins}", folder)["lost_instructions"] / INSNS
                          for pins in LOOP_PINS]
                cells = " | ".join(f"{100 * share:.1f} %" for share in shares)
                print(f"| {n_insns} | {stride or 'random'} | `{geometry}` | {cells} |")


def print_bundled(folder):
    """What is lost of the bundled traces together, and in how many overflows, by pins."""
    print("| geometry | " + " | ".join(f"{pins} pins" for pins in PINS) + " |")
    print("|---|" + "---|" * len(PINS))
    traces = sorted((ROOT / "traces/samples").glob("*.oct"))
    for geometry in GEOMETRIES:
        cells = []
        for pins in PINS:
            found = [compress(trace, f"{geometry},port_pins={pins}", folder, "--limit", "1000000") for trace in traces]
            insns, overflows = (sum(one[key] for one in found) for key in ("lost_instructions", "overflows"))
            cells.append(f"{insns:,} in {overflows:,} overflows" if overflows else "0")
        print(f"| `{geometry}` | {' | '.join(cells)} |")


def lost(text, settings, folder):
    """What compress tells of a trace in text form."""
    trace = pathlib.Path(folder) / "trace.txt"
    trace.write_text(text, encoding="ascii")
    return compress(trace, settings, folder)


def compress(trace, settings, folder, *options):
    """What compress tells of a trace."""
    program = os.environ.get("OCTRACE", str(ROOT / "build/tools/octrace"))
    done = subprocess.run([program, "compress", "--json", "--engine", "cycle", "-g", settings, "-o", f"{folder}/out",
                           *options, trace], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        one_line.fail(done.stderr.strip())
    return json.loads(done.stdout)


def main(args):
    if args:
        with tempfile.TemporaryDirectory() as folder:
            {"--loops": print_loops, "--bundled": print_bundled}[args[0]](folder)
        return
    inputs = {f"never seen, of {n}": never_seen(n) for n in (1, 2, 3, 4)}
    inputs["16 accesses in 63"] = bursts()
    print("| input | geometry | " + " | ".join(f"{pins} pins" for pins in PINS) + " |")
    print("|---|---|" + "---|" * len(PINS))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in inputs.items():
            n = text.count("\n")
            for geometry in GEOMETRIES:
                cells = []
                for pins in PINS:
                    found = lost(text, f"{geometry},pc_align_bits=2,port_pins={pins}", folder)
                    overflows = found["overflows"]
                    each = f" ({found['lost_instructions'] / overflows:.0f} an overflow)" if overflows else ""
                    cells.append(f"{100 * found['lost_instructions'] / n:.0f} %{each}")
                print(f"| {name} | `{geometry}` | {' | '.join(cells)} |")


one_line.run(__doc__, main, 0, 1, ["--loops", "--bundled"])
