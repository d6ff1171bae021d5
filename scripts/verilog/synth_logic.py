# SPDX-License-Identifier: Apache-2.0
"""synth_logic.py - area and longest path of a module: Yosys maps it to the osu018 cells, OpenSTA times it.

What was found before of the same Verilog and script is kept in build/synth/.
"""
import concurrent.futures
import hashlib
import inspect
import json
import pathlib
import re
import sys
import tempfile

from . import synth_gates
from .synth_verilog import ROOT, RTL, SOURCES, below, parameters, run

LIBERTY = pathlib.Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
# Cells that no mapping takes: three transistors in series make NOR3X1 so slow that two gates are faster.
DONT_USE = ["NOR3X1"]
# Yosys' library of gates, and its prefix adder (Brent-Kung: few gates, 9 levels for 32 bits). In its place stands one of 5.
TECHMAP = pathlib.Path("/usr/share/yosys/techmap.v")
ADDER = re.compile(r"\t\t// Main tree\n.*?(?=\tend\n\n\tassign CO = g;)", re.S)
KOGGE_STONE = """\
\t\tfor (i = 0; i < $clog2(WIDTH); i = i + 1)
\t\t\tfor (j = WIDTH - 1; j >= 2**i; j = j - 1) begin
\t\t\t\tg[j] = g[j] | p[j] & g[j - 2**i];
\t\t\t\tp[j] = p[j] & p[j - 2**i];
\t\t\tend
"""
# Scripts of ABC that map the logic. Yosys' own makes small circuits of little depth into smaller ones of
# more: the prefix adders of 32 bits become ripple adders, of 5 ns. Each gate drives six others at most.
SIZES = "buffer -c -N 6; topo; upsize -D 4000; dnsize -D 4000"
# Smaller first (dc2), then flatter where it is deep (if -g).
FLAT = "strash; dc2; dc2; if -g -K 6; strash; if -g -K 6; strash"
MAPPINGS = [f"strash; dch; map -B 0.9 -D 3000; {SIZES}", f"strash; &get -n; &st; &dch; &nf; &put; {SIZES}",
            f"{FLAT}; &get -n; &dch; &nf; &put; {SIZES}"]
# ABC's dch fails in some circuits: this mapping has none.
SAFE = f"strash; ifraig; map -B 0.9 -D 3000; {SIZES}"
# What takes minutes to map is mapped once, with the first of these in which ABC does not fail.
PLAIN = f"strash; &get -n; &nf; &put; {SIZES}"
ONCE = {**dict.fromkeys(["oct_shadow_compressor", "oct_system"], [MAPPINGS[2], f"{FLAT}; &get -n; &nf; &put; {SIZES}", PLAIN]),
        "oct_top": [*reversed(MAPPINGS), PLAIN]}
# Of the count with small memories: gates as few as may be.
AREA = "strash; dc2; &get -n; &nf; &put; map -a; topo; buffer -c -N 16"
LEAST_BITS = 1024  # smaller memories are made by no memory compiler
GE_CELL = "NAND2X1"


def memories(design, name):
    """Width and depth of each memory below a module of Yosys' JSON."""
    found = []
    for cell in design["modules"][name]["cells"].values():
        if cell["type"].startswith("$"):
            base = cell["type"].split("\\")
            if len(base) > 1 and base[1] == "oct_ram":
                values = design["modules"][cell["type"]]["parameter_default_values"]
                found.append((int(values["WIDTH"], 2), int(values["DEPTH"], 2)))
                continue
        if cell["type"] in design["modules"]:
            found += memories(design, cell["type"])
    return found


def is_shadow(module, own):
    return module.startswith("oct_shadow") or "-DOCT_SHADOW" in own


def synthesized(module, geometry, mapping, own, folder):
    """What synthesize finds, or of the mapping AREA with_small, or found before of the same Verilog and script:
    build/synth/ keeps it. None: ABC fails."""
    recipe = "".join(map(inspect.getsource, (logic, mapped_area, mapped_gated, with_small, synthesize, synth_gates)))
    recipe += KOGGE_STONE + str(DONT_USE) + (RTL / "synth/oct_ram_macro.v").read_text(encoding="utf-8")
    key = hashlib.sha256(repr((below(module), recipe, parameters(module, geometry, own), own, mapping)).encode()).hexdigest()
    kept = ROOT / "build/synth" / f"{module}-{key[:16]}.json"
    if kept.exists():
        return json.loads(kept.read_text(encoding="utf-8"))
    try:
        if mapping == AREA:
            result = with_small(module, geometry, own, folder)
        else:
            result = synthesize(module, geometry, mapping, own, folder)
    except SystemExit as error:
        if "ABC" not in str(error):
            raise
        result = None
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps(result), encoding="utf-8")
    return result


def logic(module, geometry, own, folder):
    """Make gates of a module, before any mapping: logic.json, and design.json with its memories."""
    sources = SOURCES + [str(p) for p in sorted((RTL / "shadow").glob("*.v")) if is_shadow(module, own)]
    sources += [str(RTL / "synth" / f"{module}.v")] if (RTL / "synth" / f"{module}.v").exists() else []
    chparam = parameters(module, geometry, own)
    gates, n_adders = ADDER.subn(lambda _: KOGGE_STONE, TECHMAP.read_text(encoding="utf-8"))
    if n_adders != 1:
        sys.exit(f"synth: {TECHMAP}: expected one Brent-Kung adder, as Yosys 0.23 has it")
    (folder / "techmap.v").write_text(gates, encoding="utf-8")
    defines = " ".join(["-DOCT_RAM_MACRO", *(word for word in own.split() if word.startswith("-D"))])
    (folder / "logic.ys").write_text(
        f"read_verilog -I{RTL}/common -I{RTL}/paper -I{RTL}/shadow {defines} {' '.join(sources)} "
        f"{RTL}/synth/oct_ram_macro.v\n" +
        (f"chparam {chparam} {module}\n" if chparam else "") +
        f"hierarchy -check -top {module}\nrename -top {module}\n"  # it may have got a name of its parameters
        f"proc\nwrite_json {folder}/design.json\nsynth -flatten -top {module} -run begin:fine\n"
        f"opt -fast -full\nmemory_map\nopt -full\ntechmap -map {folder}/techmap.v\n"
        f"synth -flatten -top {module} -run fine:\nwrite_json {folder}/logic.json\n", encoding="ascii")
    run(["yosys", "-q", folder / "logic.ys"])


def mapped_area(source, mapping, folder):
    """Map gates to cells: netlist.v. Area, flip-flops, latches."""
    constraints = folder / "abc.constr"
    constraints.write_text("set_driving_cell INVX4\nset_load 0.05 [all_outputs]\n", encoding="ascii")
    cells = LIBERTY.read_text(encoding="utf-8", errors="replace")
    for cell in DONT_USE:
        cells = re.sub(rf"^cell \({cell}\).*?(?=^cell \(|\Z)", "", cells, flags=re.S | re.M)
    (folder / "cells.lib").write_text(cells, encoding="utf-8")
    (folder / "map.abc").write_text("\n".join(mapping.split("; ")) + "\n", encoding="ascii")
    (folder / "map.ys").write_text(
        f"read_json {source}\ndfflibmap -liberty {LIBERTY}\n"
        f"abc -liberty {folder}/cells.lib -constr {constraints} -script {folder}/map.abc\n"
        "splitnets -ports\nopt_clean -purge\n"  # OpenSTA reads no assignment to several wires, and no wide constant
        f"tee -o {folder}/stat stat -liberty {LIBERTY}\n"
        f"write_verilog -noattr {folder}/netlist.v\n", encoding="ascii")
    run(["yosys", "-q", folder / "map.ys"])
    stat = (folder / "stat").read_text(encoding="utf-8").split("design hierarchy")[0]
    section = next(s for s in stat.split("\n=== ")[1:] if "oct_ram_macro" not in s.split("\n")[0])
    area = float(re.search(r"Chip area for (?:top )?module .*: ([0-9.]+)", section).group(1))
    return area, sum(int(n) for n in re.findall(r"^ +DFF\w* +(\d+)$", section, re.M)), len(re.findall(
        r"^  LATCH ", (folder / "netlist.v").read_text(encoding="utf-8"), re.M))


def mapped_gated(mapping, folder):
    """Area with clock gates."""
    synth_gates.gate_clocks(folder / "logic.json", folder / "gated.json")
    area, _, latches = mapped_area(folder / "gated.json", mapping, folder)
    return area + latches * cell_area("DFFPOSX1")  # the library has no area of a latch: a whole flip-flop


def with_small(module, geometry, own, folder):
    """Area in which memories below LEAST_BITS are flip-flops, each copy with its read port; without and with clock gates."""
    logic(module, geometry, f"{own} -DOCT_RAM_LEAST_BITS={LEAST_BITS}", folder)
    area, flops, _ = mapped_area(folder / "logic.json", AREA, folder)
    return {"area": area, "flops": flops, "gated_area": mapped_gated(AREA, folder)}


def synthesize(module, geometry, mapping, own, folder):
    """Memory bits, flip-flops, gate equivalents, area in square micrometres, longest path in ns. Of `shadow` also the
    area with clock gates; the path is that without."""
    if not (folder / "logic.json").exists():
        logic(module, geometry, own, folder)
    gated_area = mapped_gated(mapping, folder) if is_shadow(module, own) else None
    area, flops, _ = mapped_area(folder / "logic.json", mapping, folder)
    text = next(RTL.glob(f"*/{module}.v")).read_text(encoding="utf-8")
    clock = "[get_ports clk_i]" if "clk_i" in text else ""  # of a module without, a clock beside it
    design = json.loads((folder / "design.json").read_text(encoding="utf-8"))
    top = next(n for n, m in design["modules"].items() if int(m["attributes"].get("top", "0"), 2))
    (folder / "sta.tcl").write_text(
        f"read_liberty {LIBERTY}\nread_verilog {folder}/netlist.v\nlink_design {module}\n"
        f"create_clock -name clk -period 10 {clock}\n"
        "set_input_delay 0 -clock clk [all_inputs]\n"
        "set_output_delay 0 -clock clk [all_outputs]\n"
        "puts \"slack [worst_slack -max]\"\nexit\n", encoding="ascii")
    said = run(["sta", "-no_splash", "-exit", folder / "sta.tcl"])
    found = re.search(r"slack (-?[0-9.e+-]+)", said)
    if not found:
        sys.exit(f"synth: {module}: sta tells no slack:\n{said[-2000:]}")
    slack = float(found[1])
    # OpenSTA tells seconds in scripts.
    path_ns = 10 - (slack * 1e9 if abs(slack) < 1e-3 else slack)
    return {"memories": memories(design, top), "flops": flops, "area": area, "gated_area": gated_area, "path_ns": path_ns}


def median(runs):
    """The run with the median path; None of none."""
    return sorted(runs, key=lambda r: r["path_ns"])[len(runs) // 2] if runs else None


def measured(work, n_mappings):
    """The runs of one module: of the first mappings in which ABC does not fail. None, if it fails in all."""
    runs = []
    with tempfile.TemporaryDirectory() as name:  # of all mappings
        for mapping in ONCE.get(work[0], [*MAPPINGS, SAFE]):
            if len(runs) < (1 if work[0] in ONCE else n_mappings):
                found = synthesized(work[0], work[1], mapping, work[2], pathlib.Path(name))
                runs += [found] if found else []
    return runs


def small(work, has_small):
    """with_small of one module; where it has no small memories, too, as all are mapped alike."""
    with tempfile.TemporaryDirectory() as name:
        return synthesized(work[0], work[1], AREA, work[2], pathlib.Path(name)) if has_small else None


def measure(work, jobs, n_mappings, has_small=False):
    """Of each (module, geometry, own parameters): the median of its mappings; with has_small also with_small as "small"."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = {w: (pool.submit(measured, w, n_mappings), pool.submit(small, w, has_small)) for w in work}
        medians = {w: (median(found.result()), also.result()) for w, (found, also) in runs.items()}
    return {w: {**found, "small": also} if found else None for w, (found, also) in medians.items()}


def cell_area(name):
    text = LIBERTY.read_text(encoding="utf-8", errors="replace")
    return float(re.search(rf"cell \({name}\).*?area : ([0-9.]+)", text, re.S).group(1))


def gate_area():
    return cell_area(GE_CELL)


def tree(module, geometry):
    """Print the gate equivalents of a module's instances, with what is below them, and their own."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sources = SOURCES + [str(p) for p in sorted((RTL / "shadow").glob("*.v")) if is_shadow(module, "")]
        (folder / "a.ys").write_text(
            f"read_verilog -I{RTL}/common -I{RTL}/paper -I{RTL}/shadow -DOCT_RAM_MACRO {' '.join(sources)} {RTL}/synth/oct_ram_macro.v\n"
            f"chparam {parameters(module, geometry)} {module}\nhierarchy -check -top {module}\nsynth -top {module} -noabc\n"
            f"dfflibmap -liberty {LIBERTY}\nabc -fast -liberty {LIBERTY}\nopt_clean -purge\n"
            f"tee -o {folder}/stat stat -liberty {LIBERTY}\n", encoding="ascii")
        run(["yosys", "-q", folder / "a.ys"])
        parts = re.split(r"\n=== (.*?) ===\n", (folder / "stat").read_text(encoding="utf-8").split("=== design hierarchy")[0])
    cells, areas = {}, {}
    for name, text in zip(parts[1::2], parts[2::2]):
        cells[name] = {cell: int(n) for cell, n in re.findall(r"^ +(\S+) +(\d+)$", text, re.M)}
        found = re.search(r"Chip area for (?:top )?module .*: ([0-9.]+)", text)
        areas[name] = float(found[1]) if found else 0.0
    gate = gate_area()

    def below_one(name):
        kids = [(kid, n) for kid, n in cells[name].items() if kid in cells and "oct_ram_macro" not in kid]
        return areas[name] + sum(n * below_one(kid) for kid, n in kids)

    def walk(name, n, depth):
        flops = sum(m for cell, m in cells[name].items() if cell.startswith("DFF"))
        short = re.findall(r"oct_\w+", name)[0]
        print(f"{'  ' * depth + short:38} x{n}  all {below_one(name) / gate:6.0f}  own {areas[name] / gate:6.0f}  "
              f"flip-flops {flops:4}, with reset {cells[name].get('DFFSR', 0):3}")
        for kid, m in cells[name].items():
            if kid in cells and "oct_ram_macro" not in kid:
                walk(kid, m, depth + 1)

    walk(next(name for name in cells if re.findall(r"oct_\w+", name)[0] == module), 1, 0)
    return 0
