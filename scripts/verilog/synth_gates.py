# SPDX-License-Identifier: Apache-2.0
"""synth_gates.py - clock gates: flip-flops that hold their value get no clock, instead of a multiplexer each.

A synthesis tool for chips does this by itself; Yosys 0.23 does not. Flip-flops with the same enable share a gate, which is a
latch and an AND (the latch is open while the clock is low). Fewer than LEAST keep their multiplexers; more than MOST get
several gates.
"""
import collections
import json
import re

LEAST = 4
MOST = 32
ENABLED = re.compile(r"\$_(DFFE|SDFFCE)_P([NP][01])?([NP])_")


def cell(kind, **connections):
    """A cell of Yosys' JSON with inputs, and its output Q or Y."""
    return {"hide_name": 1, "type": kind, "parameters": {}, "attributes": {},
            "port_directions": {pin: "output" if pin in "QY" else "input" for pin in connections},
            "connections": {pin: [bit] for pin, bit in connections.items()}}


def gate_clocks(source, target):
    """Read a circuit of single gates and write it with clock gates. How many there are."""
    design = json.loads(source.read_text(encoding="utf-8"))
    module = next(m for m in design["modules"].values() if int(m["attributes"].get("top", "0"), 2))
    groups = collections.defaultdict(list)
    for it in module["cells"].values():
        found = ENABLED.fullmatch(it["type"])
        if found:
            groups[it["connections"]["E"][0], found[3], it["connections"]["C"][0]].append((it, found))
    last = max(bit for it in module["cells"].values() for bits in it["connections"].values() for bit in bits if isinstance(bit, int))
    added = {}

    def add(kind, output, **inputs):
        nonlocal last
        last += 1
        added[f"$clock_gate${last}"] = cell(kind, **inputs, **{output: last})
        return last

    count = 0
    for (enable, level, clock), flops in groups.items():
        if len(flops) < LEAST:
            continue
        if level == "N":
            enable = add("$_NOT_", "Y", A=enable)
        for first in range(0, len(flops), MOST):
            count += 1
            latched = add("LATCH", "Q", D=enable, CLK=add("INVX1", "Y", A=clock))
            gated = add("AND2X2", "Y", A=latched, B=clock)
            for it, found in flops[first:first + MOST]:
                it["type"] = f"$_{'SDFF' if found[1] == 'SDFFCE' else 'DFF'}_P{found[2] or ''}_"
                it["connections"]["C"] = [gated]
                del it["connections"]["E"], it["port_directions"]["E"]
    module["cells"].update(added)
    target.write_text(json.dumps(design), encoding="utf-8")
    return count
