#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""faults - can each fault of faults.toml still be planted: does its old text stand once in its file? Does
something look at each file in which scripts/plant-faults makes faults itself?"""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tomllib

TESTS = pathlib.Path(__file__).resolve().parent
RTL = TESTS.parent.parent / "rtl"
gone = [f"{fault['file']}: {fault['what']}: {count} times {fault['old']!r}"
        for fault in tomllib.loads((TESTS / "faults.toml").read_text(encoding="utf-8"))["fault"]
        if (count := next(RTL.glob("*/" + fault["file"])).read_text(encoding="utf-8").count(fault["old"])) != 1]

script = TESTS.parent.parent / "scripts/plant-faults"
sys.path.insert(0, str(script.parent))
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_loader("plant_faults", importlib.machinery.SourceFileLoader("plant_faults", str(script)))
plant_faults = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plant_faults)
gone += [f"{path.name}: no check of scripts/plant-faults --auto has it" for path in plant_faults.files()
         if not plant_faults.checks_of(path.stem)]
sys.exit("\n".join(gone) or None)
