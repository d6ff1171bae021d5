# SPDX-License-Identifier: Apache-2.0
"""operations.py - how soon does random lockstep see a wrong result of an operation of `shadow`?

Puts each fault of tests/rtl/operations.toml into the Verilog and prints at which cycle of a random run, for A32 and for RV64, it
is seen: with that many cycles as tests of lockstep run, from a few seeds, and the median of them. All faults of an
instruction set are in one program, and each run chooses one (schemata.py). Exit status 1 when a
fault is not seen with each of the seeds, cannot be planted, or when the Verilog without one is not equal.

Usage: scripts/hw operations [--isa arm|riscv] [--seeds N] [--cycles N] [--jobs N] [BUILD-FOLDER]
       scripts/hw operations --list        only: can each fault be planted?
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import tomllib

from . import fault_checks
import one_line
from . import schemata
from .fault_checks import ROOT

# Of each instruction set, the geometry that tests of lockstep run; their cycles.
GEOMETRIES = {"arm": "shadow", "riscv": "shadow,addr_bits=64,regs=32,pc_align_bits=1,filters=2,traps=1,timestamp=1,time_period_insns=50"}
CYCLES = {"arm": 300000, "riscv": 1000000}
TARGETS = ["tools/oct_gen_verilog", "liboctrace.a", "sim/libverilated.a"]


def faults(isa):
    """(file, what, from, to, what stands there instead) of each fault of an instruction set."""
    with open(ROOT / "tests/rtl/operations.toml", "rb") as file:
        listed = [f for f in tomllib.load(file)["fault"] if f.get("isa", isa) == isa]
    for fault in listed:
        text = (ROOT / "rtl/shadow" / fault["file"]).read_text(encoding="utf-8")
        if text.count(fault["old"]) != 1:
            sys.exit(f"hw operations: {fault['file']}: {fault['what']}: {text.count(fault['old'])} times {fault['old']!r}")
        start = text.index(fault["old"])
        if "new" in fault:
            old, new = fault["old"], fault["new"]
            same = len(os.path.commonprefix([old, new]))  # may stand outside of the expression
            yield fault["file"], fault["what"], (start + same, start + len(old), new[same:])
        for was, becomes in (pair.split() for pair in fault.get("swaps", [])):
            value = re.sub(r"^case \((.*)\)$", r"\1", fault["old"])
            at = start + fault["old"].index(value)
            yield fault["file"], f"{fault['what']} {was} is {becomes}", (
                at, at + len(value), f"({value} == {was} ? {becomes} : {value})")


def program(isa, numbered, build, folder):
    """One with all these faults to choose from."""
    rtl = folder / "rtl"
    shutil.copytree(ROOT / "rtl", rtl)
    for file in {fault[0] for fault in numbered.values()}:
        path = rtl / "shadow" / file
        text, left = schemata.merge(path.read_text(encoding="utf-8"),
                                            {n: change for n, (of, _, change) in numbered.items() if of == file})
        if left:
            sys.exit(f"hw operations: {file}: cannot be chosen in a run: {', '.join(numbered[n][1] for n in left)}")
        path.write_text(text, encoding="utf-8")
    built = fault_checks.program(build, folder, rtl, "oct_shadow_top", GEOMETRIES[isa], ROOT / "sim/oct_lockstep.cpp", "many")
    return built or sys.exit("hw operations: the Verilog with these faults cannot be built")


def seen_at(path, mutant, seed, cycles):
    """The cycle at which a random run sees a fault; None: it does not."""
    done = subprocess.run([path, "--random", str(cycles), "--seed", str(seed)], capture_output=True, text=True, check=False,
                          env={**os.environ, "OCT_MUTANT": str(mutant)}, timeout=fault_checks.TIMEOUT_S)
    found = re.search(r" (\d+) cycles? up to a difference", done.stdout)
    if done.returncode != (1 if found else 0):
        sys.exit(f"hw operations: {path.name}: exit status {done.returncode}:\n{done.stderr}")
    return int(found[1]) if found else None


def judge(isa, args, build):
    """Print when each fault of an instruction set is seen; how many are not, with each seed."""
    numbered = dict(enumerate(faults(isa), 1))
    seeds, cycles = range(1, args.seeds + 1), args.cycles or CYCLES[isa]
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        path = program(isa, numbered, build, pathlib.Path(name))
        runs = {(n, seed): pool.submit(seen_at, path, n, seed, cycles) for n in [0, *numbered] for seed in seeds}
        if any(runs[0, seed].result() for seed in seeds):
            sys.exit(f"hw operations: {isa}: the Verilog without a fault is not the model's")
        missed, latest = 0, []
        for n, (file, what, _) in numbered.items():
            at = [runs[n, seed].result() for seed in seeds]
            missed += None in at
            seen = [cycle for cycle in at if cycle is not None]
            latest += [max(seen)] if seen else []
            told = f"{statistics.median(seen):8.0f} {max(seen):8}" if seen else " " * 17
            print(f"{isa:5} {'MISSED' if None in at else 'seen':6} {len(seen)} of {len(at)} {told}  {file}: {what}", flush=True)
    print(f"{isa}: {len(numbered)} faults, seen by {len(numbered) - missed} with each of {len(seeds)} seeds of {cycles} cycles; of those seen the last at cycle "
          f"{max(latest, default=0)}, the median at {statistics.median(latest or [0]):.0f}")
    return missed


def main(arguments):
    parser = one_line.Parser(prog="scripts/hw operations", description=__doc__.splitlines()[0])
    parser.add_argument("--isa", choices=GEOMETRIES, action="append")
    parser.add_argument("--seeds", type=one_line.number, default=1)
    parser.add_argument("--cycles", type=one_line.number)
    parser.add_argument("--jobs", type=one_line.number, default=os.cpu_count())
    parser.add_argument("--built", action="store_true", help="the build folder has what is needed")
    parser.add_argument("--list", action="store_true", help="only: can each fault be planted?")
    parser.add_argument("build", nargs="?", default=ROOT / "build", type=pathlib.Path)
    args = parser.parse_args(arguments)
    isas = args.isa or list(GEOMETRIES)
    if args.list:
        for isa in isas:
            print(f"{isa}: {len(list(faults(isa)))} faults")
        return 0
    build = one_line.build_folder(args.build)
    if not args.built:
        one_line.build(build, TARGETS)
    return 1 if sum([judge(isa, args, build) for isa in isas]) else 0
