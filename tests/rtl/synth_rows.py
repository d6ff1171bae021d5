#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""synth_rows - do the rows of scripts/hw synth have each memory, of the sizes that it has, and the gates of small ones?"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"))
sys.dont_write_bytecode = True

from verilog import synth_logic, synth_page  # noqa: E402


def ram(width, depth):
    return {"parameter_default_values": {"WIDTH": f"{width:032b}", "DEPTH": f"{depth:032b}"}, "cells": {}}


def main():
    sizes = [(1, 2), (32, 16), (8, 32), (8, 31), (16, 256), (32, 16), (17, 64), (8, 128)]
    modules = {f"$paramod\\oct_ram\\{i}": ram(*size) for i, size in enumerate(sizes)}
    modules["$paramod\\oct_part"] = {"cells": {f"u{i}": {"type": name} for i, name in enumerate(modules)}}
    modules["oct_whole"] = {"cells": {"part": {"type": "$paramod\\oct_part"}, "gate": {"type": "$and"},
                                      "own": {"type": "$paramod\\oct_ram\\0"}}}
    memories = synth_logic.memories({"modules": modules}, "oct_whole")
    assert sorted(memories) == sorted([*sizes, (1, 2)]), memories
    result = {"memories": [list(size) for size in memories], "flops": 7, "area": 1000, "gated_area": 900, "path_ns": 2.5,
              "small": {"area": 3000, "gated_area": 2500, "flops": 99}}
    row = synth_page.row("shadow", "shadow", "oct_whole", result, 10)
    assert list(row) == synth_page.FIELDS, row
    assert row["memory_bits"] == 2 * 2 + 2 * 512 + 256 + 248 + 4096 + 1088 + 1024
    assert row["memories"] == "2*1x2 1*8x31 1*8x32 2*32x16 1*8x128 1*17x64 1*16x256", row["memories"]
    assert (row["gate_equivalents"], row["with_clock_gates"]) == ("100", "90"), row
    assert (row["small_as_gates"], row["small_as_gates_with_clock_gates"]) == ("300", "250"), row
    # 1024 bits are no small memory: those below count as gates.
    assert synth_logic.LEAST_BITS in synth_page.SIZES
    assert synth_page.histogram(row["memories"]) == "3/3/2/1", synth_page.histogram(row["memories"])
    assert synth_page.histogram("") == "0/0/0/0"


if __name__ == "__main__":
    main()
