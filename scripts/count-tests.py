#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""count-tests.py - print `N passed, N failed` of the Meson test logs of some build folders.

Usage: count-tests.py STATUS LOGBASE FOLDER[:SUITE,...]...
STATUS: not 0 when something went wrong already. SUITE: tests of it were left out of that folder; +SUITE: of
that folder only tests of these were run.
Every configured test must have a result: one without counts as failed, as does a folder that could
not be configured, so that a broken build or a short log never looks like success. Skipped tests are
named in the lines before the last. They count as failed too, since scripts/test installs all that
the tests need, but for those of the suite `optional`.
"""
import json
import pathlib
import re
import subprocess
import sys

import one_line

# What scripts/hw check says of what need not run.
RECORDED = "passed before with the same sources"


def configured(folder, suites):
    """Number of tests that Meson knows in a build folder, of those that the suites select; None when it is no
    build folder."""
    if not pathlib.Path(folder, "build.ninja").exists():
        return None
    answer = subprocess.run(["meson", "introspect", "--tests", folder], capture_output=True,
                            text=True, check=True)
    tests = [{suite.split(":")[-1] for suite in test["suite"]} for test in json.loads(answer.stdout)]
    wanted = {suite[1:] for suite in suites if suite.startswith("+")}
    return sum(not own & suites and (not wanted or bool(own & wanted)) for own in tests)


def results(log):
    """(`suites / name`, result, what it printed) of each test in a log."""
    if not log.exists():
        return []
    tests = [json.loads(line) for line in log.read_text().splitlines()]
    return [(test["name"], test["result"], test.get("stdout", "")) for test in tests]


def report_skipped(folder, got):
    """Name the skipped tests; the number of those that may be skipped is returned."""
    may = 0
    for name, result, _ in got:
        if result != "SKIP":
            continue
        optional = re.match(r"[^/]*[:+]optional(\+| / )", name) is not None
        may += optional
        print(f"skipped{'' if optional else ', which counts as failed'}: {folder}: {name}")
    return may


def main(arguments):
    status, logbase, passed, failed, recorded = int(arguments[0]), arguments[1], 0, 0, 0
    for argument in arguments[2:]:
        folder, _, suites = argument.partition(":")
        wanted = configured(folder, set(filter(None, suites.split(","))))
        if wanted is None:
            print(f"{folder}: not configured", file=sys.stderr)
            failed += 1
            continue
        got = results(pathlib.Path(folder, "meson-logs", logbase + ".json"))
        good = sum(result in ("OK", "EXPECTEDFAIL") for _, result, _ in got)
        recorded += sum(RECORDED in said for _, _, said in got)
        if len(got) != wanted:
            print(f"{folder}: {len(got)} of {wanted} tests have a result", file=sys.stderr)
        passed += good
        failed += max(wanted, len(got)) - good - report_skipped(folder, got)
    if status and not failed:
        failed = 1
    if recorded:
        print(f"{recorded} checks of the Verilog passed before with the same sources (tests/rtl/passed.toml)")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


one_line.run(__doc__, main, 3)
