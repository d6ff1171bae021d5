#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""faults - can each fault of faults.toml still be planted: does its old text stand once in its file? Does
lockstep look at each in a tracer that its twin test misses? Is none but those that a proof has to see among the
changes that scripts/hw plant --auto makes? Does something look at each file in which it makes faults?

Usage: faults.py [BUILD-FOLDER]    without one, the last is not asked
"""
import pathlib
import re
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



def words(text):
    """The words of a piece of Verilog, each constant in one form, without a condition that is always so."""
    text = re.sub(r"(\d+)'([bdh])([0-9a-fA-F_]+)", lambda m: f"{m[1]}'d{int(m[3], {'b': 2, 'd': 10, 'h': 16}[m[2]])}", text)
    return re.findall(r"[\w']+|\S", re.sub(r"\bif *\(1'd1\)", "", re.sub(r"//.*", "", text)))


def made_by_auto(fault):
    """Whether a change of one place makes this fault, too."""
    text = next(RTL.glob("*/" + fault["file"])).read_text(encoding="utf-8")
    at = text.find(fault["old"])
    begin, end = text.rfind("\n", 0, at) + 1, at + len(fault["old"])
    end += text[end:].find("\n") % (len(text) - end + 1)
    wanted = words(text[begin:at] + fault["new"] + text[at + len(fault["old"]):end])
    return any(words(text[begin:start] + new + text[stop:end]) == wanted
               for start, stop, new in changes[fault["file"]] if begin <= start and stop <= end)


changes = {path.name: [m["change"] for m in auto_faults.mutants(path)] for path in auto_faults.files()}
gone += [f"{fault['file']}: {fault['what']}: scripts/hw plant --auto makes it" for fault in faults
         if "proof" not in fault and fault["file"] in changes and made_by_auto(fault)]

if len(sys.argv) > 1:
    gone += [f"{path.name}: no check of scripts/hw plant --auto has it" for path in auto_faults.files()
             if not fault_checks.checks_of(path.stem, sys.argv[1])]
sys.exit("\n".join(gone) or None)
