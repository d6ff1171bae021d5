#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""faults - can each fault of faults.toml still be planted: does its old text stand once in its file? Does
lockstep look at each in a tracer that its twin test misses? Does something look at each file in which
scripts/hw plant makes faults itself?

Usage: faults.py [BUILD-FOLDER]    without one, the last is not asked
"""
import pathlib
import sys
import tomllib

TESTS = pathlib.Path(__file__).resolve().parent
RTL = TESTS.parent.parent / "rtl"
faults = tomllib.loads((TESTS / "faults.toml").read_text(encoding="utf-8"))["fault"]
gone = [f"{fault['file']}: {fault['what']}: {count} times {fault['old']!r}"
        for fault in faults
        if (count := next(RTL.glob("*/" + fault["file"])).read_text(encoding="utf-8").count(fault["old"])) != 1]

sys.path.insert(0, str(TESTS.parent.parent / "scripts"))
sys.dont_write_bytecode = True
from verilog import auto_faults, fault_checks  # noqa: E402

of_tracers = {path.name for tracer in ("paper", "shadow") for path in RTL.glob(f"{tracer}/*.v")}
gone += [f"{fault['file']}: {fault['what']}: lockstep does not look at it" for fault in faults
         if fault["file"] in of_tracers and "proof" not in fault and not fault_checks.lockstep_of(fault)]

if len(sys.argv) > 1:
    gone += [f"{path.name}: no check of scripts/hw plant --auto has it" for path in auto_faults.files()
             if not fault_checks.checks_of(path.stem, sys.argv[1])]
sys.exit("\n".join(gone) or None)
