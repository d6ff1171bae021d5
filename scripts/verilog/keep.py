# SPDX-License-Identifier: Apache-2.0
"""keep.py - run the checks of the Verilog and put those that passed into tests/rtl/passed.toml.

Checks that passed before with the same sources do not run again; the record has the others that passed
instead of those that are out of date.
"""
import json
import os
import pathlib
import subprocess

import one_line

from . import record


def main(arguments):
    parser = one_line.Parser(prog="scripts/hw record", description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="run those that passed before, too")
    parser.add_argument("--only", action="store_true", help="run none: write what has passed in the build folder")
    parser.add_argument("--holds", action="store_true", help="say whether all passed with these very sources; nothing is built")
    parser.add_argument("--minutes", type=one_line.number, help="stop after so long, and write what has passed until then")
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=record.ROOT / "build-test",
                        help="that of scripts/test (default), whose programs are those of the record")
    args = parser.parse_args(arguments)
    if args.holds:
        if record.holds():
            print(f"{len(record.passed())} checks of the Verilog passed before with the same sources (tests/rtl/passed.toml)")
        return 0 if record.holds() else 1
    build = one_line.build_folder(args.build)
    status = 0
    if not args.only:
        environment = {**os.environ, "OCT_TEST_SEED": record.SEED, **({"OCT_RECORD": "no"} if args.all else {})}
        command = ["meson", "test", "-C", build, "--quiet", "--print-errorlogs", "-t", "10", "--no-suite", "nightly", *names(build)]
        limit = ["timeout", "--signal=INT", "--kill-after=30", f"{args.minutes}m"] if args.minutes else []
        status = subprocess.run([*limit, *command], env=environment, check=False).returncode
    is_whole = not args.only and status == 0
    print(f"record: {record.write(build, is_whole)} checks in {record.RECORD.relative_to(record.ROOT)}")
    return 1 if status else 0


def names(build):
    """The tests whose passing is kept."""
    told = subprocess.run(["meson", "introspect", build, "--tests"], check=True, capture_output=True, text=True)
    return [test["name"] for test in json.loads(told.stdout) if pathlib.Path(test["cmd"][0]).name == "hw"]
