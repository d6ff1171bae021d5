# SPDX-License-Identifier: Apache-2.0
"""prove.py - prove the properties that stand at the end of each Verilog file.

tests/rtl/proofs.toml lists what is proved: module, parameters, and how: `induction` (the property
holds for ever), `bounded` (up to a depth) or `cover` (each cover statement is reached). Yosys makes
SMT of the module, yosys-smtbmc and a solver prove it; with `solver = "sat"` Yosys does it itself,
bit by bit, which suits circuits that shift much (an induction, or a cover with one statement). Exit status 1 when anything fails, or when the
list has no proof, or --quick no cover, of a file with properties: assumptions that contradict each
other prove everything, but reach nothing.

Instances named by `cut` are taken out: what they would give is any, so that the proof holds whatever they do.

With --first it stops at the first proof that fails: the answer of a planted fault. With --build a proof that
has succeeded with the same sources is not done again (record.py).
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import tomllib

import one_line

from . import record

ROOT = record.ROOT
RTL = record.RTL
PACKAGES = ["yosys", "z3"]
SECONDS_MAX = 900
# All that is needed of the build folder.
GENERATOR = {**os.environ, "OCT_BUILD_TARGETS": "tools/oct_gen_verilog"}


# A cover statement as the claim that it is never reached, which has to fail.
NEVER = """(* techmap_celltype = "$cover" *)
module never(input A, input EN);
  \\$assert claim (.A(!A), .EN(EN));
endmodule
"""


def by_sat(proof):
    """Whether Yosys proves it itself."""
    return proof.get("solver") == "sat"


def generated(proof, build):
    """The parameters of a proof at a geometry, as Yosys takes them."""
    return subprocess.run([build / "tools/oct_gen_verilog", "--yosys-args", proof["geometry"]], capture_output=True, text=True,
                          check=True).stdout.strip()


def key_of(proof, rtl, build):
    """What a proof's verdict depends on."""
    key = record.Key()
    key.add("how", json.dumps(proof, sort_keys=True) + (generated(proof, build) if "geometry" in proof else ""))
    for name, path in sorted(record.verilog(proof["module"], rtl).items()):
        key.add("verilog " + name, record.text(path))
    key.add("tools", record.tool("yosys", "-V") + record.tool("z3", "--version"))
    key.add("prove.py", pathlib.Path(__file__).read_bytes())
    return key


def name_of(proof):
    """That of a proof in the record."""
    return "proof " + " ".join(f"{k}={v}" for k, v in proof.items() if k != "long")


def smt(proof, rtl, folder, build):
    """Write the SMT of a proof's module; with the properties of its submodules unless `alone`. Or
    prove it at once."""
    module = proof["module"]
    files = {name: path for name, path in record.verilog(module, rtl).items() if path.suffix == ".v"}
    own = files.pop(module)
    include = f"-sv -I{rtl}/common -I{rtl}/paper -I{rtl}/shadow"
    formal = f"-formal {include} -DFORMAL -DFORMAL_{module.upper()}"
    for define in proof.get("define", []):
        formal += f" -D{define}"
        include += f" -D{define}"
    read = [f"read_verilog {include if proof.get('alone') else formal} {path}" for path in sorted(files.values())]
    read.append(f"read_verilog {formal} {own}")
    sets = " ".join(f"-set {k} {v}" for k, v in proof.get("parameters", {}).items())
    if "geometry" in proof:
        sets = generated(proof, build)
    chparam = [f"chparam {sets} {module}"] if sets else []
    cut = [f"cutpoint {' '.join(f'{module}/{cell}' for cell in proof['cut'])}"] if "cut" in proof else []
    script = read + chparam + [f"hierarchy -check -top {module}", *cut, f"prep -flatten -top {module}"]
    if proof.get("memory_map", True):
        script += ["memory_map"]
    script += ["opt -full", "async2sync", "dffunmap", "opt_clean"]
    sat = f"sat -tempinduct -prove-asserts -set-assumes -maxsteps {proof['depth']}"
    if by_sat(proof) and proof["how"] == "cover":
        pathlib.Path(folder, "never.v").write_text(NEVER, encoding="ascii")
        script += ["chformal -assert -remove", f"techmap -map {folder}/never.v", "opt_clean",
                   f"{sat} -tempinduct-baseonly -falsify"]
    elif by_sat(proof):
        script += ["chformal -cover -remove", f"{sat} -verify"]
    else:
        script += [f"write_smt2 -wires {folder}/a.smt2"]
    return subprocess.run(["yosys", "-q", "-p", "; ".join(script)], capture_output=True, text=True,
                          timeout=SECONDS_MAX, check=False)


def prove(proof, rtl, build, is_recorded):
    """(good, seconds, what the tools said)."""
    if is_recorded:
        key = key_of(proof, rtl, build)
        if record.has_passed(name_of(proof), key):
            record.keep(build, name_of(proof), key)
            return True, 0, "before"
    good, seconds, said = run(proof, rtl, build)
    if good and is_recorded:
        record.keep(build, name_of(proof), key)
    return good, seconds, said


def run(proof, rtl, build):
    """As prove()."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = smt(proof, rtl, folder, build)
        except subprocess.TimeoutExpired:
            return False, SECONDS_MAX, "too slow"
        if done.returncode or by_sat(proof):
            return not done.returncode, time.monotonic() - start, done.stderr
        base = ["yosys-smtbmc", "--noprogress", "--unroll", "-s", "z3", "-t", str(proof["depth"])]
        runs = {"induction": [[], ["-i"]], "bounded": [[]], "cover": [["-c"]]}[proof["how"]]
        for extra in runs:
            try:
                done = subprocess.run(base + extra + [f"{folder}/a.smt2"], capture_output=True,
                                      text=True, timeout=SECONDS_MAX, check=False)
            except subprocess.TimeoutExpired:
                return False, SECONDS_MAX, "too slow"
            if done.returncode or "Status: passed" not in done.stdout.replace("PASSED", "passed"):
                return False, time.monotonic() - start, done.stdout[-3000:]
    return True, time.monotonic() - start, ""


def missing(proofs):
    """What the list lacks for the files of rtl/ that have properties, as lines."""
    kinds = {(module, p["how"] == "cover") for p in proofs for module in [p["module"], *p.get("also", [])]
             if p["how"] != "cover" or not p.get("long")}
    modules = {path.stem.removesuffix("_formal") for path in RTL.glob("*/*.v*")
               if re.search(r"\bassert *\(", path.read_text(encoding="utf-8"))}
    lines = [f"{module}.v has properties, but no {'short cover' if is_cover else 'proof'} in the list"
             for module in sorted(modules) for is_cover in (False, True)
             if (module, is_cover) not in kinds]
    return lines + [f"the list has proofs of {module}, which has no properties"
                    for module in sorted({p["module"] for p in proofs} - modules)]


def main(arguments):
    parser = one_line.Parser(prog="scripts/hw prove", description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=one_line.number, default=os.cpu_count())
    parser.add_argument("--only", default="", help="modules whose name has this word")
    parser.add_argument("--module", help="of this module only")
    parser.add_argument("--quick", action="store_true", help="without the long ones, as in CI")
    parser.add_argument("--first", action="store_true", help="one after the other, up to the first that fails")
    parser.add_argument("--list", action="store_true", help="only hold the list to the tree")
    parser.add_argument("--modules", action="store_true", help="only print the modules that have proofs")
    parser.add_argument("--verbose", action="store_true", help="show what the solver says")
    parser.add_argument("--build", type=pathlib.Path, help="keep the record of this build folder")
    parser.add_argument("--rtl", type=one_line.verilog_folder, default=RTL,
                        help="a copy of the Verilog, such as hw plant --copy makes")
    args = parser.parse_args(arguments)
    with open(ROOT / "tests/rtl/proofs.toml", "rb") as file:
        proofs = tomllib.load(file)["proof"]
    if args.modules:
        print("\n".join(sorted({p["module"] for p in proofs})))
        return 0
    lacks = missing(proofs)
    if lacks or args.list:
        print("".join(f"prove: {line}\n" for line in lacks) or "prove: the list is complete")
        return 1 if lacks else 0
    proofs = [p for p in proofs if args.only in p["module"] and args.module in (None, p["module"]) and
              not (args.quick and p.get("long"))]
    if not proofs:
        one_line.refuse(f"--only {args.only}: no proof is of such a module{' with --quick' if args.quick else ''}")
    if not args.build:
        subprocess.run([ROOT / "scripts/setup", *PACKAGES], check=True)
        if any("geometry" in p for p in proofs):
            subprocess.run([ROOT / "scripts/build", "build"], env=GENERATOR, check=True)
    build = args.build or ROOT / "build"
    failed = n_proved = n_before = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        each = map if args.first else pool.map
        for proof, (good, seconds, said) in zip(proofs, each(lambda p: prove(p, args.rtl, build, bool(args.build)), proofs)):
            parameters = proof.get("geometry") or ",".join(
                f"{k}={v}" for k, v in proof.get("parameters", {}).items())
            took = "  before" if said == "before" else f"{seconds:5.0f} s  "
            print(f"{'proved' if good else 'FAILED':7} {proof['module']:20} {proof['how']:9} "
                  f"depth {proof['depth']:3} {took}{parameters}", flush=True)
            failed += not good
            n_proved += good
            n_before += said == "before"
            if said != "before" and said and (args.verbose or not good):
                print(said)
            if failed and args.first:
                break
    print(f"prove: {n_proved} proved, {failed} failed" + (f"; {n_before} passed before with the same sources" if n_before else ""))
    return 1 if failed else 0
