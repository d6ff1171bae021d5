# SPDX-License-Identifier: Apache-2.0
"""plant.py - do the twin tests and lockstep catch what is wrong?

Plants each fault of tests/rtl/faults.toml alone in a copy of the Verilog, runs the stage's twin test
on it and, if that sees nothing and the file is in the whole machine of its tracer, lockstep: of `paper` on random
stimulus and a trace, of `shadow` on random programs; of a fault that has `proof`,
the proofs of that module instead, and of one that has `debug_bus`, `trace_bridge`, `axi_sink` or `atb_check` that script of tests/rtl. Prints what caught it: what
says that the twins differ (exit status 1). A program that hangs, crashes or does not take its command
line has caught nothing. At the end each program that was used runs on the Verilog as it is, and must
find it equal. Exit status 1 when a fault was caught by nothing, or cannot be planted, or when one of
those does not.

With --auto N the faults are made here instead: N of all the small changes that scripts/mutants.py
finds, drawn by --seed. Each has to be caught by a twin test at one of its file's geometries in
tests/twin/meson.build, by the twins of core and compressor (`shadow`) or of the compressor and lockstep (`paper`), by
debug-bus.sh, trace-bridge.sh, axi-sink.sh or atb-check.sh, by the proofs of its module, or to stand in tests/rtl/equivalent.toml with the reason why it is none. A
check that takes longer than five minutes, as on a busy machine, has caught nothing: the next ones look at
the fault, too, and if none of them sees it, it is told as not judged. Each check that was used runs on the
Verilog without a fault, too, and must find it equal: so one that cannot be built has caught nothing. Exit status 1
also when a fault was not judged.

With --copy nothing is run: the faults are planted, all together, in a new copy of the Verilog, for
octrace-lockstep --rtl to look at.

Usage: scripts/hw plant [--jobs N] [--only WORD] [BUILD-FOLDER]
       scripts/hw plant --auto N [--seed S] [--jobs N] [--only FOLDER/FILE] [BUILD-FOLDER]
       scripts/hw plant --copy FOLDER --only WORD
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

from . import auto_faults
from . import fault_checks
import one_line
from .fault_checks import ROOT, check, controls, prove

# What is needed of the build folder.
TARGETS = ["tools/oct_gen_verilog", "liboctrace.a", "sim/libverilated.a"]


def plant(fault, rtl):
    """Change the copy; False when the text is not there exactly once."""
    path = next(rtl.glob("*/" + fault["file"]))
    text = path.read_text(encoding="utf-8")
    if text.count(fault["old"]) != 1:
        return False
    path.write_text(text.replace(fault["old"], fault["new"]), encoding="utf-8")
    return True


def run(fault, build):
    """What became of the fault, and the programs that looked at it.

    'twin', 'proof', 'script' or 'lockstep' caught it; None: nothing did; 'timeout', 'crash': a program ended so;
    'build': the tools refuse it; 'absent': its place is not in the Verilog.
    """
    geometry = fault.get("geometry", "paper")
    used = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rtl = folder / "rtl"
        shutil.copytree(ROOT / "rtl", rtl)
        if not plant(fault, rtl):
            return "absent", used
        if "proof" in fault:
            said = prove(fault["proof"], rtl)
            return {"differ": "proof", "equal": None}.get(said, said), used
        for script in fault_checks.SCRIPTS:
            if script.replace("-", "_") in fault:
                said = fault_checks.look(build, folder, rtl, script, "")
                return {"differ": "script", "equal": None}.get(said, said), used
        whole = fault_checks.lockstep_of(fault)
        for module in ([fault["twin"]] if "twin" in fault else []) + ([whole] if whole else []):
            used.append((module, geometry))
            said = check(build, folder, rtl, module, geometry)
            if said == "differ":
                return "lockstep" if module == whole else "twin", used
            if said != "equal":
                return said, used
    return None, used


def make_copy(faults, folder):
    """A copy of the Verilog with all these faults."""
    if folder.exists():
        one_line.refuse(f"--copy {folder}: it is there already")
    try:
        shutil.copytree(ROOT / "rtl", folder)
    except OSError as error:
        one_line.refuse(f"--copy {error.filename or folder}: {error.strerror or 'cannot be written'}")
    for fault in faults:
        if not plant(fault, folder):
            sys.exit(f"hw plant: {fault['file']}: {fault['what']}: its place is not there")


def main(arguments):
    parser = one_line.Parser(prog="scripts/hw plant", description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=one_line.number, default=os.cpu_count())
    parser.add_argument("--only", default="", help="faults whose file or description has this word")
    parser.add_argument("--faults", type=one_line.file, default=ROOT / "tests/rtl/faults.toml")
    parser.add_argument("--auto", type=one_line.number, metavar="N", help="make N faults by changing the Verilog")
    parser.add_argument("--seed", type=int, default=1, help="which of all changes are drawn")
    parser.add_argument("--copy", type=pathlib.Path, help="only make this copy with the faults")
    parser.add_argument("build", nargs="?", default=ROOT / "build", type=pathlib.Path)
    args = parser.parse_args(arguments)
    with open(args.faults, "rb") as file:
        faults = [f for f in tomllib.load(file)["fault"] if args.only in f["what"] or args.only in f["file"]]
    changes = auto_faults.changes(args.only) if args.auto else []
    if not (changes if args.auto else faults):
        one_line.refuse(f"--only {args.only}: there is no such {'file with a change' if args.auto else 'fault'}")
    if args.copy:
        return make_copy(faults, args.copy)
    build = one_line.build_folder(args.build)
    subprocess.run([ROOT / "scripts/setup", "verilator"], check=True)
    one_line.build(build, TARGETS)
    subprocess.run([ROOT / "sim/verilate", "--headers", build, "many" if args.auto else "check"], check=True)
    if args.auto:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            return auto_faults.run(changes, args.auto, args.seed, args.only, build, pool)
    counts = {}
    programs = set()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for fault, (caught, used) in zip(faults, pool.map(lambda f: run(f, build), faults)):
            counts[caught] = counts.get(caught, 0) + 1
            programs.update(used)
            where = f"{fault['file']} ({fault.get('geometry', 'paper')})"
            print(f"{caught or 'MISSED':8} {where:32} {fault['what']}", flush=True)
        wrong = controls(programs, build, pool)
    caught = sum(counts.get(by, 0) for by in ("twin", "proof", "script", "lockstep"))
    print(f"{len(faults)} faults: {counts.get('twin', 0)} caught by a twin test, "
          f"{counts.get('proof', 0)} by a proof, {counts.get('script', 0)} by a script, {counts.get('lockstep', 0)} by lockstep, {counts.get(None, 0)} by nothing, "
          f"{counts.get('timeout', 0)} timed out, {counts.get('crash', 0)} crashed, "
          f"{counts.get('build', 0) + counts.get('absent', 0)} not planted; "
          f"{len(programs) - wrong} of {len(programs)} programs find the Verilog equal without")
    return 0 if caught == len(faults) and not wrong else 1
