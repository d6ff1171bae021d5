# SPDX-License-Identifier: Apache-2.0
"""synth_fpga.py - what a module needs of an iCE40, and the design placed and routed on an HX8K.

What was found before of the same Verilog and script is kept in build/synth/.
"""
import hashlib
import inspect
import json
import pathlib
import re
import tempfile

from .synth_verilog import ROOT, RTL, SOURCES, below, circuit, parameters, run

HX8K_CELLS = 7680
FPGA_SEEDS = [1, 2, 3]
FPGA_MHZ = 16


def fpga_cells(module, geometry):
    """Look-up tables, flip-flops and RAM blocks on an iCE40, before placement."""
    tracer = RTL / "shadow"
    memory = RTL / "synth/oct_ram_ice40.v"
    key = hashlib.sha256(repr((below(module), circuit(memory), inspect.getsource(fpga_cells),
                               parameters(module, geometry))).encode()).hexdigest()
    kept = ROOT / "build/synth" / f"ice40-{module}-{key[:16]}.json"
    if not kept.exists():
        sources = SOURCES + [str(p) for p in sorted(tracer.glob("*.v"))]
        said = run(["yosys", "-p", f"read_verilog -DOCT_RAM_MACRO -I{RTL}/common -I{RTL}/paper -I{tracer} {' '.join(sources)} {memory}; "
                    f"chparam {parameters(module, geometry)} {module}; synth_ice40 -device hx -top {module}; stat"])
        cells = re.findall(r"^ +(SB_\w+) +(\d+)$", said[said.rindex("Number of cells"):], re.M)
        counts = {kind: sum(int(n) for cell, n in cells if cell.startswith(kind))
                  for kind in ("SB_LUT4", "SB_DFF", "SB_RAM40")}
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(counts), encoding="utf-8")
    return json.loads(kept.read_text(encoding="utf-8"))


def fpga(geometry):
    """Logic cells, RAM blocks and clock of the design, placed and routed with each of FPGA_SEEDS, or without a clock if
    it does not fit; kept as the others are."""
    chparam = run([ROOT / "build/tools/oct_gen_verilog", "--yosys-args", geometry]).strip()
    key = hashlib.sha256(repr((below("oct_fpga"), inspect.getsource(fpga), FPGA_SEEDS, FPGA_MHZ, chparam)).encode()).hexdigest()
    kept = ROOT / "build/synth" / f"fpga-{geometry}-{key[:16]}.json"
    if kept.exists():
        return json.loads(kept.read_text(encoding="utf-8"))
    placed = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sources = SOURCES + [str(RTL / "synth/oct_fpga.v")]
        (folder / "a.ys").write_text(
            f"read_verilog -I{RTL}/common -I{RTL}/paper {' '.join(sources)}\nchparam {chparam} oct_fpga\n"
            f"synth_ice40 -abc9 -device hx -top oct_fpga -json {folder}/a.json\n", encoding="ascii")
        run(["yosys", "-q", folder / "a.ys"])
        for seed in FPGA_SEEDS:
            try:
                run(["nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", folder / "a.json",
                     "--asc", folder / "a.asc", "--freq", str(FPGA_MHZ), "--seed", str(seed),
                     "--report", folder / "report.json"])
            except SystemExit as error:
                found = [int(re.search(rf"{kind}: *(\d+)/", str(error))[1]) for kind in ("ICESTORM_LC", "ICESTORM_RAM")
                         if f"{kind}:" in str(error)]
                if not found or found[0] <= HX8K_CELLS:
                    raise
                placed = [{"cells": found[0], "rams": found[1], "mhz": None}]  # more than there are
                break
            run(["icepack", folder / "a.asc", folder / "a.bin"])
            report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
            clock = max(report["fmax"].values(), key=lambda c: c["achieved"])
            used = report["utilization"]
            placed.append({"cells": used["ICESTORM_LC"]["used"], "rams": used["ICESTORM_RAM"]["used"],
                           "mhz": clock["achieved"]})
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps(placed), encoding="utf-8")
    return placed
