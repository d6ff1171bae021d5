# SPDX-License-Identifier: Apache-2.0
"""pairs.py - geometries that meet each pair of parameter values, for twins and lockstep.

A fault in a corner of the parameters mostly needs two of them. tests/rtl/geometries.toml has the
values of each parameter of `paper` that are worth a run, and geometries which together have each legal pair of
them; tests/rtl/geometries-shadow.toml those of `shadow`, for A32, RV32 and RV64. Prints how many pairs those
have that always run, and all; exit status 1 when a pair is missing.

Usage: scripts/hw pairs              the cover
       scripts/hw pairs --always     the geometries that always run, one a line
       scripts/hw pairs --generate   write the other geometries anew
       scripts/hw pairs --run [--jobs N] [--cycles N] [--part K/N] [BUILD-FOLDER]
                                        lockstep on random stimulus at all of them, or at each N-th from the K-th on
Each with --tracer NAME: of that tracer alone.
"""
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import tomllib

import one_line

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MARK = "# Written by scripts/hw pairs --generate.\n"
TARGETS = ["tools/oct_gen_verilog", "liboctrace.a", "sim/libverilated.a"]


class Tracer:
    """A tracer's parameters and rules, as its table in model/ has them, and its list of geometries."""

    def __init__(self, name, prefix, header, rules, listed):
        self.name, self.prefix, self.header = name, prefix, header
        self.path = ROOT / "tests/rtl" / listed
        self.rules = [rule for one in rules for rule in self.joint_rules(prefix + one)]
        self.defaults = {p: int(v) for p, v in re.findall(r"X\((\w+), (\d+),", self.table_of(prefix + "PARAMS"))}
        self.top = prefix.lower() + "top"

    def table_of(self, name):
        """A list of the machine's table, as text."""
        text = (ROOT / self.header).read_text(encoding="utf-8")
        return text.split(f"#define {name}(X)")[1].split("typedef")[0].split("#define")[0]

    def joint_rules(self, name):
        """What is illegal over several parameters, as Python has it, and the names in it."""
        found = re.findall(r"X\(\w+,([^,]+),", self.table_of(name).replace("\\\n", " "))
        rules = [" ".join(text.split()).replace("&&", "and").replace("||", "or") for text in found]
        return [(compile(rule, name, "eval"), set(re.findall(r"[a-z]\w+", rule)) - {"and", "or"}) for rule in rules]

    def is_legal(self, row):
        """The rules; a parameter that is not there yet breaks none."""
        known = dict(row)
        if {"sc_sets", "sc_ways"} <= row.keys():
            known["index_bits"] = max(1, (row["sc_sets"] * row["sc_ways"] - 1).bit_length())
        return not any(names <= known.keys() and eval(rule, {}, known) for rule, names in self.rules)


TRACERS = [Tracer("paper", "OCT_", "model/paper/oct_config.h", ["JOINT_RULES"], "geometries.toml"),
           Tracer("shadow", "OCT_SHADOW_", "model/shadow/oct_shadow_config.h", ["TIMED_RULES", "CIRCUIT_RULES"],
                  "geometries-shadow.toml")]


def values_of(geometry, defaults):
    """The value of each parameter at a geometry, which is a list of settings."""
    settings = dict(s.split("=") for s in geometry.split(","))
    unknown = settings.keys() - defaults.keys()
    if unknown:
        sys.exit(f"hw pairs: {geometry}: {', '.join(unknown)} not among the levels")
    return {name: int(settings.get(name, value)) for name, value in defaults.items()}


def pairs_of(row, levels):
    items = [(n, row[n]) for n in levels if n in row and row[n] in levels[n]]
    return set(itertools.combinations(items, 2))


def all_pairs(tracer, levels):
    return {((a, x), (b, y)) for a, b in itertools.combinations(levels, 2)
            for x in levels[a] for y in levels[b] if tracer.is_legal({a: x, b: y})}


def new_row(tracer, levels, missing, draw):
    """A legal geometry with a pair that is missing, and as many more as a greedy choice finds."""
    place = {name: n for n, name in enumerate(levels)}
    row = dict(draw.choice(sorted(missing)))
    for name in draw.sample(list(levels), len(levels)):
        if name in row:
            continue
        legal = [v for v in levels[name] if tracer.is_legal({**row, name: v})]
        gain = {v: sum((((name, v), other) if place[name] < place[other[0]] else (other, (name, v))) in missing
                       for other in row.items()) for v in legal}
        row[name] = draw.choice([v for v in legal if gain[v] == max(gain.values())])
    return row


def generate(tracer, levels, given):
    """Rows beside those given until no pair is missing."""
    draw = random.Random(1)
    missing = all_pairs(tracer, levels) - set().union(*(pairs_of(r, levels) for r in given))
    rows = []
    while missing:
        best = max((new_row(tracer, levels, missing, draw) for _ in range(60)),
                   key=lambda r: len(pairs_of(r, levels) & missing))
        missing -= pairs_of(best, levels)
        rows.append(best)
    return rows


def lockstep(tracer, geometry, build, cycles):
    """What lockstep on random stimulus says of a geometry: nothing when the two are equal."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "lockstep"
        done = subprocess.run([ROOT / "sim/verilate", out, build, "check", ROOT / "rtl", tracer.top,
                               geometry, ROOT / "sim/oct_lockstep.cpp"],
                              capture_output=True, text=True, check=False)
        if done.returncode == 0:
            done = subprocess.run([out, "--random", str(cycles)], cwd=folder,
                                  capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr) if done.returncode else ""


def run_all(work, build, cycles, jobs):
    """Lockstep at each (tracer, geometry)."""
    one_line.build(build, TARGETS)
    subprocess.run([ROOT / "sim/verilate", "--headers", build, "check"], check=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (tracer, geometry), said in zip(work, pool.map(lambda w: lockstep(*w, build, cycles), work)):
            print(f"{'DIFFERS' if said else 'equal':8} {tracer.name}: {geometry}", flush=True)
            print(said, end="")
            failed += said != ""
    print(f"{len(work) - failed} of {len(work)} geometries equal over {cycles} cycles each")
    return 1 if failed else 0


def write_anew(tracer, levels, given, text):
    """The geometries of nightly runs; what has but one value is left out."""
    lines = [f"  \"{','.join(f'{n}={r[n]}' for n in levels if len(levels[n]) > 1)}\",\n"
             for r in generate(tracer, levels, given)]
    tracer.path.write_text(text.split(MARK)[0] + MARK + "nightly = [\n" + "".join(lines) + "]\n", encoding="utf-8")


def print_cover(tracer, levels, given, rows):
    """Whether no pair is missing."""
    needed = all_pairs(tracer, levels)
    for name, some in ("always", given), ("all", rows):
        cover = set().union(*(pairs_of(r, levels) for r in some)) & needed
        print(f"{tracer.name}, {name}: {len(some)} geometries have {len(cover)} of {len(needed)} pairs")
    for pair in sorted(needed - cover):
        print(f"{tracer.name}, missing: " + ",".join(f"{n}={v}" for n, v in pair))
    return cover == needed


def part(text):
    """Type of an option: K/N."""
    if not re.fullmatch(r"[1-9]\d*/[1-9]\d*", text) or int(text.split("/")[0]) > int(text.split("/")[1]):
        one_line.refuse(f"--part {text}: expected K/N with K from 1 to N")
    return [int(n) for n in text.split("/")]


def main(arguments):
    parser = one_line.Parser(prog="scripts/hw pairs", description=__doc__.splitlines()[0])
    parser.add_argument("--tracer", choices=[t.name for t in TRACERS], help="of this one alone")
    parser.add_argument("--always", action="store_true", help="print those that always run")
    parser.add_argument("--generate", action="store_true", help="write the other geometries anew")
    parser.add_argument("--run", action="store_true", help="lockstep at all of them")
    parser.add_argument("--jobs", type=one_line.number, default=os.cpu_count())
    parser.add_argument("--cycles", type=one_line.number, default=300000)
    parser.add_argument("--part", type=part, default=[1, 1], metavar="K/N", help="each N-th from the K-th on")
    parser.add_argument("build", nargs="?", default=ROOT / "build", type=pathlib.Path)
    args = parser.parse_args(arguments)
    work, is_complete = [], True
    for tracer in TRACERS:
        if args.tracer not in (None, tracer.name):
            continue
        text = tracer.path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
        levels, always = table["levels"], table["geometries"]["always"]
        nightly = table["geometries"].get("nightly", [])
        if levels.keys() != tracer.defaults.keys():
            sys.exit(f"hw pairs: {tracer.path.relative_to(ROOT)}: levels and parameters differ: "
                     f"{', '.join(sorted(levels.keys() ^ tracer.defaults.keys()))}")
        if args.always:
            print("\n".join(always))
            continue
        given = [values_of(g, tracer.defaults) for g in always]
        if args.generate:
            write_anew(tracer, levels, given, text)
            continue
        rows = given + [values_of(g, tracer.defaults) for g in nightly]
        for geometry, row in zip(always + nightly, rows):
            if not tracer.is_legal(row):
                sys.exit(f"hw pairs: {geometry}: breaks a rule in {tracer.header} (see --generate)")
        work += [(tracer, geometry) for geometry in always + nightly]
        is_complete &= args.run or print_cover(tracer, levels, given, rows)
    if args.run:
        first, step = args.part
        if first > len(work):
            one_line.refuse(f"--part {first}/{step}: there are {len(work)} geometries")
        return run_all(work[first - 1::step], one_line.build_folder(args.build), args.cycles, args.jobs)
    return 0 if is_complete else 1
