#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""count-tests.py - print `N passed, N failed` of the Meson test logs of some build folders.

Usage: count-tests.py STATUS LOGBASE FOLDER...   STATUS: not 0 when something went wrong already.
Every configured test must have a result: one without counts as failed, as does a folder that could
not be configured, so that a broken build or a short log never looks like success.
"""
import json
import pathlib
import subprocess
import sys


def configured(folder):
    """Number of tests that Meson knows in a build folder, None when it is no build folder."""
    if not pathlib.Path(folder, "build.ninja").exists():
        return None
    answer = subprocess.run(["meson", "introspect", "--tests", folder], capture_output=True,
                            text=True, check=True)
    return len(json.loads(answer.stdout))


def results(log):
    if not log.exists():
        return []
    return [json.loads(line)["result"] for line in log.read_text().splitlines()]


def main():
    status, logbase, passed, failed = int(sys.argv[1]), sys.argv[2], 0, 0
    for folder in sys.argv[3:]:
        wanted = configured(folder)
        if wanted is None:
            print(f"{folder}: not configured", file=sys.stderr)
            failed += 1
            continue
        got = results(pathlib.Path(folder, "meson-logs", logbase + ".json"))
        good = sum(r in ("OK", "EXPECTEDFAIL") for r in got)
        skipped = got.count("SKIP")
        if len(got) != wanted:
            print(f"{folder}: {len(got)} of {wanted} tests have a result", file=sys.stderr)
        passed += good
        failed += max(wanted, len(got)) - good - skipped
    if status and not failed:
        failed = 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
