#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""count-tests.py - print `N passed, N failed` of the Meson test logs of some build folders.

Usage: count-tests.py STATUS FOLDER...   STATUS: not 0 when something went wrong already.
A folder without a log, or a status without a failed test, counts as one failure: a build that
broke must not look like success.
"""
import json
import pathlib
import sys


def main():
    status, passed, failed = int(sys.argv[1]), 0, 0
    for folder in sys.argv[2:]:
        log = pathlib.Path(folder, "meson-logs", "testlog.json")
        if not log.exists():
            failed += 1
            continue
        for line in log.read_text().splitlines():
            result = json.loads(line)["result"]
            passed += result in ("OK", "EXPECTEDFAIL")
            failed += result not in ("OK", "EXPECTEDFAIL", "SKIP")
    if status and not failed:
        failed = 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
