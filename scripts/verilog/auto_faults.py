# SPDX-License-Identifier: Apache-2.0
"""auto_faults - scripts/hw plant --auto: faults made by small changes of the Verilog, and what sees each.

All changes that a check has to look at stand in one copy of the Verilog, and each run of its program chooses one
(schemata.py). The changes that no run sees go on to the next check. What cannot be chosen at run time, and what only
proofs and scripts of tests/rtl look at, has a copy of its own.
"""
import pathlib
import random
import shutil
import tempfile
import tomllib

from . import fault_checks
from .mutants import mutants as mutant_list
from . import schemata
from .fault_checks import ROOT

# Made no mutants of: wiring of two modules.
NO_MUTANTS = ("oct_shadow_top",)
ALONE = ("proof", *fault_checks.SCRIPTS)


def files():
    """The files of which mutants are made."""
    return [path for path in sorted((ROOT / "rtl").glob("*/oct_*.v"))
            if path.parent.name != "synth" and path.stem not in NO_MUTANTS]


def mutants(path):
    return [{"file": path.name, **m} for m in mutant_list(path.read_text(encoding="utf-8"))]


def key(mutant):
    return mutant["file"], mutant["was"], mutant["becomes"]


def copy_of_rtl(folder):
    rtl = folder / "rtl"
    shutil.copytree(ROOT / "rtl", rtl)
    return rtl


def look_alone(mutant, check_used, build):
    """What a check says of a copy with this mutant."""
    with tempfile.TemporaryDirectory() as name:
        rtl = copy_of_rtl(pathlib.Path(name))
        next(rtl.glob("*/" + mutant["file"])).write_text(mutant["text"], encoding="utf-8")
        return fault_checks.look(build, pathlib.Path(name), rtl, *check_used)


def look_together(numbered, check_used, build, pool):
    """(what a check says of each of these mutants by its number, of the Verilog without one, and numbers left out):
    from one program that has them all."""
    module, geometry = check_used
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rtl = copy_of_rtl(folder)
        left = set()
        for file in {m["file"] for m in numbered.values()}:
            path = next(rtl.glob("*/" + file))
            text, not_in = schemata.merge(path.read_text(encoding="utf-8"), {
                n: m["change"] for n, m in numbered.items() if m["file"] == file})
            path.write_text(text, encoding="utf-8")
            left.update(not_in)
        chosen = [0, *(n for n in numbered if n not in left)]
        program = fault_checks.program(build, folder, rtl, module, geometry, fault_checks.source_of(module), "many") \
            if len(chosen) > 1 else None
        if not program:
            return {}, None, set(numbered)
        said = dict(zip(chosen, pool.map(lambda n: fault_checks.run_program(program, module, n), chosen)))
        return said, said.pop(0), left


def by_name(check_used):
    return {"proof": "proof", **{script: "script" for script in fault_checks.SCRIPTS}, "oct_top": "lockstep"}.get(check_used[0], "twin")


class Judge:
    """Mutants by number, what became of each, and the checks that are to be run on the Verilog as it is."""

    def __init__(self, numbered, build, pool):
        self.numbered, self.build, self.pool = numbered, build, pool
        self.verdicts = {}
        self.timed_out = set()
        self.used_alone = set()
        self.found_equal = set()  # checks with a program that did, without a fault
        self.wrong = 0

    def hear(self, number, check_used, said):
        """Note what a check says. What the tools refuse, too, is seen: the same check ends well without the fault."""
        if said == "timeout":
            self.timed_out.add(number)
        elif said != "equal":
            self.verdicts[number] = by_name(check_used) if said == "differ" else said
        if number in self.verdicts:
            m = self.numbered[number]
            print(f"{self.verdicts[number]:8} {m['file']}:{m['line']}: {m['becomes']}", flush=True)

    def run(self, check_used, numbers):
        """Let a check look at these mutants."""
        alone = set(numbers)
        if check_used[0] not in ALONE:
            said, without, alone = look_together({n: self.numbered[n] for n in numbers}, check_used, self.build, self.pool)
            if without not in (None, "equal"):
                print(f"CONTROL  {' '.join(check_used)}: '{without}' without a fault", flush=True)
                self.wrong += 1
                return
            if without:
                self.found_equal.add(check_used)
            for n, one in said.items():
                self.hear(n, check_used, one)
        if alone:
            self.used_alone.add(check_used)
            looked = self.pool.map(lambda n: (n, look_alone(self.numbered[n], check_used, self.build)), sorted(alone))
            for n, one in looked:
                self.hear(n, check_used, one)

    def all(self):
        """Each check after the other looks at what none saw before. Checks are in the order of each file's."""
        checks = {n: fault_checks.checks_of(m["file"].removesuffix(".v"), self.build) for n, m in self.numbered.items()}
        for place in range(max(map(len, checks.values()), default=0)):
            groups = {}
            for n, of in checks.items():
                if n not in self.verdicts and place < len(of):
                    groups.setdefault(of[place], []).append(n)
            for check_used, numbers in sorted(groups.items()):
                self.run(check_used, numbers)


def changes(only):
    """All of the files whose folder and name have this word."""
    return [m for path in files() if only in f"{path.parent.name}/{path.name}" for m in mutants(path)]


def run(found, count, seed, only, build, pool):
    """Exit status of `--auto`: count of the changes found."""
    with open(ROOT / "tests/rtl/equivalent.toml", "rb") as file:
        equivalent = {key(m) for m in tomllib.load(file)["mutant"]}
    drawn = random.Random(seed).sample(found, min(count, len(found)))
    gone = equivalent - {key(m) for m in found} if not only else set()
    for entry in sorted(gone):
        print(f"equivalent.toml: not in the Verilog any more: {entry}")
    judge = Judge({n + 1: m for n, m in enumerate(m for m in drawn if key(m) not in equivalent)}, build, pool)
    judge.all()
    counts = {}
    for n, m in judge.numbered.items():
        by = judge.verdicts.get(n, "timeout" if n in judge.timed_out else None)
        counts[by] = counts.get(by, 0) + 1
        if by is None:
            print(f"[[mutant]]\nfile = '{m['file']}'\nwas = '{m['was']}'\n"
                  f"becomes = '{m['becomes']}'\nwhy = ''  # line {m['line']}\n", flush=True)
        elif by == "timeout":
            print(f"{by:8} {m['file']}:{m['line']}: {m['becomes']}", flush=True)
    wrong = judge.wrong + fault_checks.controls(judge.used_alone - judge.found_equal, build, pool)
    n_checks = judge.wrong + len(judge.used_alone | judge.found_equal)
    told = ", ".join(f"{n} {by}" for by, n in sorted(counts.items(), key=str) if by not in (None, "timeout"))
    print(f"{len(drawn)} of {len(found)} changes, seed {seed}: {told}; {len(drawn) - len(judge.numbered)} equivalent by "
          f"tests/rtl/equivalent.toml, {counts.get(None, 0)} survived, {counts.get('timeout', 0)} not judged; "
          f"{n_checks - wrong} of {n_checks} checks find the Verilog equal without")
    return 1 if counts.get(None) or counts.get("timeout") or gone or wrong else 0
