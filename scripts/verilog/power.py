# SPDX-License-Identifier: Apache-2.0
"""power.py - what a compressor's logic and memories do in a cycle: energy from the activity of a lockstep run.

Lockstep runs a trace and records the waveform of the whole Verilog. Each flip-flop of the osu018 netlist and each output of
a memory switches as often as there; OpenSTA carries this activity through the gates and adds up the energy of cells (1.8 V,
typical, no wire loads). osu018 has no memories: it prints how many of their bits a cycle reads
and writes, to be multiplied by the energy of a bit that a memory compiler gives.

Usage: scripts/hw power [--tracer NAME] [--geometry NAME] [--arrival A] [--insns N] [TRACE]
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import one_line
from .synth_logic import AREA, LIBERTY, logic, mapped_area
from .synth_verilog import GENERATOR, PACKAGES, ROOT, run

MODULES = {"paper": "oct_top", "shadow": "oct_shadow_compressor"}
MEMORY = re.compile(r"\.u_macro\.gen_cells\.u_cells(?=\.)")


def names_of(lines, top):
    """Identifier -> (name below top, lowest bit or None, width), of the head of a VCD file."""
    found, scope = {}, []
    for line in lines:
        word = line.split()
        if not word:
            continue
        if word[0] == "$scope":
            scope.append(word[2])
        elif word[0] == "$upscope":
            scope.pop()
        elif word[0] == "$var" and top in scope:
            below = scope[scope.index(top) + 1:]
            wire, _, bits = "".join(word[4:-1]).partition("[")
            low = int(bits.rstrip("]").split(":")[-1]) if bits else None
            found.setdefault(word[3], []).append((".".join([*below, wire]), low, int(word[2])))
        elif word[0] == "$enddefinitions":
            return found
    return found


def activity(lines, top):
    """Bit -> (changes, part of the time that it is 1), and cycles, by the clock of top, of a VCD file."""
    names = names_of(lines, top)
    value = {i: "x" * its[0][2] for i, its in names.items()}
    changes = {i: [0] * len(v) for i, v in value.items()}
    high = {i: [0] * len(v) for i, v in value.items()}
    since = {i: [0] * len(v) for i, v in value.items()}
    now = 0
    for line in lines:
        if line[0] == "#":
            now = int(line[1:])
            continue
        bits, i = line[1:].split() if line[0] == "b" else (line[0], line[1:].strip())
        if i not in value:
            continue
        old, bits = value[i], bits.rjust(len(value[i]), "0")
        for at, bit in enumerate(bits):
            if bit != old[at]:
                changes[i][at] += old[at] != "x"
                high[i][at] += now - since[i][at] if old[at] == "1" else 0
                since[i][at] = now
        value[i] = bits
    bits = {}
    for i, its in names.items():
        for name, low, width in its:
            for bit in range(width):
                at = width - 1 - bit
                ones = high[i][at] + (now - since[i][at] if value[i][at] == "1" else 0)
                bits[name if low is None else f"{name}[{bit + low}]"] = changes[i][at], ones / now
    if "clk_i" not in bits:
        one_line.refuse(f"the waveform has no clock of {top}")
    return bits, bits["clk_i"][0] / 2


def memory_bits(bits):
    """Bits of memories that are read and written in a cycle."""
    widths = collections.Counter(re.sub(r"\.rdata_o(\[\d+\])?$", "", name) for name in bits if ".rdata_o" in name)
    memories = {name: width for name, width in widths.items() if {f"{name}.re_i", f"{name}.we_i"} <= bits.keys()}
    return [sum(width * bits[f"{name}.{enable}"][1] for name, width in memories.items()) for enable in ("re_i", "we_i")]


def without_memories(folder, module):
    """The netlist in which ports of memories are ports of the whole."""
    (folder / "expose.ys").write_text(
        f"read_verilog {folder}/netlist.v\nblackbox *oct_ram_macro_cells*\nhierarchy -top {module}\nexpose -evert\n"
        f"write_verilog -noattr {folder}/exposed.v\n", encoding="ascii")
    run(["yosys", "-q", folder / "expose.ys"])
    return (folder / "exposed.v").read_text(encoding="utf-8")


def power(folder, module, bits, cycles):
    """pJ a cycle in flip-flops, latches and their clock, and in gates; flip-flops, and those without a name in the waveform."""
    netlist = without_memories(folder, module)

    def of(net):
        return bits.get(MEMORY.sub("", net.strip().lstrip("\\").strip()))

    flops = [(m[1], of(re.search(r"\.Q\((.*?)\)[,\n]", m[2])[1])) for m in re.finditer(r"^  DFF\w+ +(\S+) \((.*?)\);", netlist, re.M | re.S)]
    known = [it for _, it in flops if it]
    if 2 * len(known) < len(flops):
        one_line.refuse(f"{module}: only {len(known)} of {len(flops)} flip-flops are in the waveform")
    mean = [sum(values) / len(known) for values in zip(*known)]
    commands = [f"sta::set_power_pin_activity [get_pins {{{cell}/Q}}] {a[0] / cycles:.6f} {a[1]:.4f}"
                for cell, it in flops for a in [it or mean]]
    commands += [f"set_power_activity -input_ports [get_ports {{{port}}}] -activity {it[0] / cycles:.6f} -duty {it[1]:.4f}"
                 for port in re.findall(r"^  input \\?(\S+) ?;", netlist, re.M) if port != "clk_i" for it in [of(port)] if it]
    (folder / "power.tcl").write_text(
        f"read_liberty {LIBERTY}\nread_verilog {folder}/exposed.v\nlink_design {module}\ncreate_clock -name clk -period 10 clk_i\n" +
        "\n".join(commands) + "\nreport_power\nexit\n", encoding="ascii")
    said = run(["sta", "-no_splash", "-exit", folder / "power.tcl"])
    watts = {m[1]: float(m[2]) for m in re.finditer(r"^(Sequential|Combinational) +\S+ +\S+ +\S+ +(\S+)", said, re.M)}
    if len(watts) != 2 or "Error" in said:
        sys.exit(f"hw power: {module}: sta gives no power:\n{said[-2000:]}")
    return watts["Sequential"] * 1e4, watts["Combinational"] * 1e4, len(flops), len(flops) - len(known)


def main(arguments):
    parser = one_line.Parser(prog="scripts/hw power", description=__doc__.splitlines()[0])
    parser.add_argument("--tracer", choices=MODULES, default="shadow")
    parser.add_argument("--geometry", help="default: that with the tracer's name")
    parser.add_argument("--arrival", default="full", help="as octrace-lockstep has it (default: full)")
    parser.add_argument("--insns", type=one_line.number, default=5000, help="of the trace (default: 5000)")
    parser.add_argument("trace", nargs="?", default=ROOT / "traces/samples/sha1.oct", type=pathlib.Path)
    args = parser.parse_args(arguments)
    if not args.trace.is_file():
        one_line.refuse(f"{args.trace}: no such file")
    geometry, module = args.geometry or args.tracer, MODULES[args.tracer]
    run([ROOT / "scripts/setup", *PACKAGES, "gtkwave", "verilator"])
    run([ROOT / "scripts/build", "build"], env={**GENERATOR, "OCT_BUILD_TARGETS": GENERATOR["OCT_BUILD_TARGETS"] +
                                               " tools/octrace sim/libverilated.a"})
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run([ROOT / "build/sim/octrace-lockstep", "--tracer", args.tracer, "-g", geometry, "--arrival", args.arrival, "--limit",
             str(args.insns), "--wave", folder / "run.fst", "--wave-from", "0", args.trace.resolve()])
        with subprocess.Popen(["fst2vcd", folder / "run.fst"], stdout=subprocess.PIPE, text=True) as wave:
            bits, cycles = activity(wave.stdout, "u_compressor" if args.tracer == "shadow" else module)
        logic(module, geometry, "", folder)
        mapped_area(folder / "logic.json", AREA, folder)
        flops, gates, n, n_unknown = power(folder, module, bits, cycles)
        read, written = memory_bits(bits)
    print(f"{module} at {geometry}, {args.trace.name}, {cycles:.0f} cycles at {args.arrival}: {flops:.0f} pJ a cycle in {n} flip-flops and their "
          f"clock ({n_unknown} of mean activity), {gates:.0f} pJ in gates; {read:.0f} bits of memory read and {written:.0f} written")
    return 0
