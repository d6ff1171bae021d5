# SPDX-License-Identifier: Apache-2.0
"""cover.py - which lines and toggles of the Verilog do the twin tests and lockstep reach?

Builds both with counters (folder build-coverage), runs them all, and prints lines and toggles reached
per file, every geometry together. Each line that nothing reaches must be explained in
tests/rtl/unreached.toml, and so must each situation that a file names under OCT_COVER, for random
stimulus to meet. Exit status 1 when lines are below 99 % or none were counted, when one is not
explained, and when an explanation is of no line that is not reached.

With --only FOLDER only the files of this folder of rtl/ are counted, and only the tests of that tracer
run; of `common`, which both have, all.

Usage: scripts/hw cover [--only FOLDER]
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

import one_line

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build-coverage"
LEAST_PERCENT = 99
FIELD = re.compile("\x01([^\x02]*)\x02([^\x01]*)")


def read_points(folder, only):
    """(kind, file, line, what) -> whether any run reached it."""
    files = {path.name for path in (ROOT / "rtl").glob(f"{only or '*'}/*")}
    points = collections.defaultdict(bool)
    for path in folder.glob("*.dat"):
        for line in path.read_text(encoding="latin-1").splitlines():
            if not line.startswith("C '"):
                continue
            key, count = line[3:].rsplit("' ", 1)
            fields = dict(FIELD.findall(key))
            name = pathlib.Path(fields["f"]).name
            if name not in files:
                continue
            kind = fields["page"].split("/")[0].removeprefix("v_")
            kind = {"branch": "line", "user": "cover"}.get(kind, kind)
            points[kind, name, int(fields["l"]), fields.get("n", "") + fields["o"]] |= int(count) > 0
    return points


def explained():
    """(file, text of the line) -> reason."""
    with open(ROOT / "tests/rtl/unreached.toml", "rb") as file:
        return {(u["file"], u["line"]): u["why"] for u in tomllib.load(file).get("unreached", [])}


def introspect(what):
    """What Meson says of the build folder."""
    told = subprocess.run(["meson", "introspect", BUILD, "--" + what], check=True, capture_output=True, text=True)
    return json.loads(told.stdout)


def looks_at(command, only):
    """Whether a test's command looks at a folder of rtl/."""
    is_of_shadow = any("shadow" in pathlib.Path(word).name for word in command)
    return only == "common" or is_of_shadow == (only == "shadow")


def run_tests(folder, only):
    """Build and run the tests, which write their counts to the folder."""
    configure = [ROOT / "scripts/build", BUILD, "-Drtl=enabled", "-Drtl_coverage=true"]
    names = []
    if only:
        subprocess.run(configure, check=True, env={**os.environ, "OCT_BUILD_TARGETS": "liboctrace.a"})
        tests = [t for t in introspect("tests") if {"twin", "lockstep"} & {s.split(":")[-1] for s in t["suite"]}
                 and looks_at(t["cmd"], only)]
        names = [t["name"] for t in tests]
        outputs = {t["id"]: t["filename"] for t in introspect("targets")}
        targets = {str(pathlib.Path(path).relative_to(BUILD)) for t in tests for target in t["depends"]
                   for path in outputs[target]}
        subprocess.run(["ninja", "--quiet", "-C", BUILD, *sorted(targets)], check=True)
    else:
        subprocess.run(configure, check=True)
    subprocess.run(["env", f"OCT_COVERAGE={folder}", "meson", "test", "-C", BUILD, "--quiet",
                    "--no-rebuild", "--print-errorlogs", "--timeout-multiplier", "10",
                    "--suite", "twin", "--suite", "lockstep", *names], check=True)


def main(arguments):
    parser = one_line.Parser(prog="scripts/hw cover", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", choices=["common", "paper", "shadow"],
                        metavar="FOLDER", help="only this folder of rtl/: common, paper or shadow")
    only = parser.parse_args(arguments).only
    with tempfile.TemporaryDirectory() as folder:
        run_tests(folder, only)
        points = read_points(pathlib.Path(folder), only)
    counts = collections.Counter()
    for (kind, name, _, _), reached in points.items():
        counts[kind, name, reached] += 1
        counts[kind, "all", reached] += 1
    print(f"{'file':26}{'lines':>8}{'reached':>9}{'toggles':>9}{'reached':>9}")
    names = sorted({name for _, name, _ in counts if name != "all"}) + ["all"]
    for name in names:
        row = []
        for kind in ("line", "toggle"):
            yes, no = counts[kind, name, True], counts[kind, name, False]
            row += [yes + no, f"{100 * yes / (yes + no):.1f} %" if yes + no else "-"]
        print(f"{name:26}{row[0]:8}{row[1]:>9}{row[2]:9}{row[3]:>9}")
    status = 0
    reasons = explained()
    used = set()
    for kind, name, number, _ in sorted(k for k, reached in points.items() if not reached):
        if kind == "toggle":
            continue
        source = next((ROOT / "rtl").glob(f"*/{name}"))
        text = source.read_text(encoding="utf-8").splitlines()[number - 1].strip()
        why = reasons.get((name, text))
        used.add((name, text))
        print(f"not reached: {name}:{number}: {text} -- {why or 'NOT EXPLAINED'}")
        status |= why is None
    counted = {name for _, name, _, _ in points}
    for name, text in sorted(r for r in reasons.keys() - used if r[0] in counted):
        print(f"explained, but reached or not there: {name}: {text}")
        status = 1
    yes, no = counts["line", "all", True], counts["line", "all", False]
    if not yes:
        print("hw cover: no line was reached: did the tests write their counts?", file=sys.stderr)
    return 1 if status or not yes or 100 * yes < LEAST_PERCENT * (yes + no) else 0
