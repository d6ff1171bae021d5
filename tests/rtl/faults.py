#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""faults - can each fault of faults.toml still be planted: does its old text stand once in its file?"""
import pathlib
import sys
import tomllib

TESTS = pathlib.Path(__file__).resolve().parent
RTL = TESTS.parent.parent / "rtl"
gone = [f"{fault['file']}: {fault['what']}: {count} times {fault['old']!r}"
        for fault in tomllib.loads((TESTS / "faults.toml").read_text(encoding="utf-8"))["fault"]
        if (count := next(RTL.glob("*/" + fault["file"])).read_text(encoding="utf-8").count(fault["old"])) != 1]
sys.exit("\n".join(gone) or None)
