#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""record - does the key of a check change with all that its verdict depends on, and can the record hide no failure?

Usage: record.py BUILD-FOLDER
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
from verilog import check, fault_checks, prove, record  # noqa: E402

build = pathlib.Path(sys.argv[1])
work = pathlib.Path(tempfile.mkdtemp())
n_files = 0


def put(path, text):
    """Change a file, at a time of its own."""
    global n_files
    n_files += 1
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(n_files, n_files))


def expect(is_so, what):
    if not is_so:
        sys.exit(f"FAIL: {what}")


def written(text, suffix=".v", folder=work):
    """A new file with a text."""
    global n_files
    n_files += 1
    path = folder / f"file{n_files}{suffix}"
    path.write_text(text, encoding="utf-8")
    return path


# Texts: comments and blanks do not count, but for comments that are read; strings do.
plain = record.text(written("module a;\n  wire b; // a word\n\n  /* and\n  more */\nendmodule\n"))
expect(plain == record.text(written("module a;\nwire  b;\n  endmodule // b\n")).rstrip("\n") + "\n" or
       plain.split() == record.text(written("module a;\nwire  b;\n  endmodule // b\n")).split(), "a comment counts")
for other in ("module a;\n  wire c;\nendmodule\n", "module a; // verilator lint_off\n  wire b;\nendmodule\n",
              "module a;\n  wire b;\n  $display(\"//\");\nendmodule\n", "module a;\n  wireb;\nendmodule\n"):
    expect(plain.split() != record.text(written(other)).split(), f"does not count: {other}")
expect(record.text(written('x = "a  b // c";')) != record.text(written('x = "a b // c";')), "a blank of a string does not count")

# Object files: code and what it calls counts, where its source is does not.
def compiled(text):
    """What its functions are: name -> hash of all that it reaches within the file, and the names outside that it refers to."""
    source = written(text, ".c")
    out = source.with_suffix(".o")
    subprocess.run(["gcc", "-O1", "-g", "-ffunction-sections", "-fdata-sections", "-fno-inline", "-c", source, "-o", out], check=True)
    parts = record.pieces(out.read_bytes())
    found = {}
    for name in (n for part in parts for n in part[1] if ":" not in n):
        inside, left = set(), [name]
        while left:
            at = left.pop()
            for number, part in enumerate(parts):
                if at in part[1] and number not in inside:
                    inside.add(number)
                    left += part[2]
        found[name] = (sorted(parts[i][0] for i in inside), {n for i in inside for n in parts[i][2] if ":" not in n})
    return found


source = """int g(int);
static const int k[] = {1, 2};
static int half(int i) { return i / 2; }
int f(int i) { return g(k[i & 1]) + 1; }
int other(int i) { return half(i) + 3; }
"""
of = compiled(source)
expect(set(of) == {"f", "other"} and of["f"][1] == {"g"} and not of["other"][1], f"names of an object file: {of}")
expect(of == compiled("/* more */\n\n" + source), "a comment or a line counts")
for old, new, counts in [("{1, 2}", "{1, 3}", "f"), (") + 1", ") + 2", "f"), ("g(", "h(", "f"), ("i / 2", "i / 4", "other"),
                         ("+ 3", "+ 4", "other")]:
    changed = compiled(source.replace(old, new))
    expect([name for name in sorted(of) if of[name] != changed[name]] == [counts], f"{old} to {new} does not count for {counts} alone")

# Names of a header: bodies and macros use them, prototypes do not.
header = written('extern "C" {\nint declared(int);\n}\n#define M(x) \\\n  in_macro(x)\nstatic inline int f(void) {\n  return in_body(1);\n}\n', ".h")
record.C_FOLDERS = (*record.C_FOLDERS, work)
used = record.names_used(header)
expect({"in_macro", "in_body"} <= used and "declared" not in used, f"names used: {used}")

# What a program reaches: its own stage, and not that of others, nor other tracers.
def defined_in(name):
    found = {part[0] for part in record.objects(build) if name in part[1]}
    expect(found, f"nothing defines {name}")
    return found


def reached_by(source, tracer="paper", opens=False):
    names = set()
    for path in record.program_files(ROOT / source):
        names |= record.names_used(path)
    return set(record.reached(build, names, record.ends(build, tracer, opens)))


for source, tracer, opens, those, others in [
        ("tests/twin/oct_ingress.cpp", "paper", False, ["oct_ingress_eval"], ["oct_tracer_paper", "oct_codec_vpc3"]),
        ("tests/twin/oct_fifo.cpp", "paper", False, [], ["oct_ingress_eval", "oct_map_put"]),
        ("tests/twin/oct_shadow_mix.cpp", "shadow", False, ["oct_tracer_shadow"],
         ["oct_tracer_replay", "oct_tracer_paper", "oct_native_format", "oct_codec_vpc3"]),
        ("sim/oct_lockstep.cpp", "paper", True, ["oct_ingress_eval", "oct_tracer_paper", "oct_native_format"], ["oct_tracer_replay"]),
        ("sim/oct_lockstep.cpp", "paper", False, ["oct_ingress_eval", "oct_tracer_paper"], ["oct_tracer_replay", "oct_native_format"])]:
    found = reached_by(source, tracer, opens)
    for name in those:
        expect(defined_in(name) <= found, f"{source} does not reach {name}")
    for name in others:
        expect(not defined_in(name) & found, f"{source} reaches {name}")

# Verilog: each module within, and each header.
within = record.verilog("oct_top")
for name in ("oct_top", "oct_compressor", "oct_fifo", "oct_ram", "oct_params.vh"):
    expect(name in within, f"oct_top has no {name}")
expect("oct_dasc" not in record.verilog("oct_fifo"), "oct_fifo has oct_dasc")

# A proof: its properties and parameters count.
proof = {"module": "oct_fifo", "how": "induction", "depth": 2, "parameters": {"WIDTH": 4}}
key = str(prove.key_of(proof, record.RTL, build))
expect(key != str(prove.key_of({**proof, "parameters": {"WIDTH": 5}}, record.RTL, build)), "a parameter does not count")
copy = work / "rtl"
subprocess.run(["cp", "-r", record.RTL, copy], check=True)
expect(key == str(prove.key_of(proof, copy, build)), "the place counts")
inside = sorted(record.verilog("oct_fifo", copy).values())[-1]
put(inside, inside.read_text(encoding="utf-8").replace("assign", "assign  /* more */ ", 1))
expect(key == str(prove.key_of(proof, copy, build)), "a comment counts")
put(inside, inside.read_text(encoding="utf-8") + "\nwire more;\n")
expect(key != str(prove.key_of(proof, copy, build)), "a wire does not count")

# Each planted fault changes the key of what has to see it: of its twin test, of lockstep, of its proofs.
def verilog_of(module, rtl, source):
    """All Verilog that counts for a program, as one value."""
    return hash(tuple(record.text(path) for _, path in sorted(record.verilog(module, rtl, source.parent).items())))


with open(ROOT / "tests/rtl/faults.toml", "rb") as file:
    faults = tomllib.load(file)["fault"]
with open(ROOT / "tests/rtl/proofs.toml", "rb") as file:
    proofs = {p["module"]: p for p in tomllib.load(file)["proof"]}
copy = work / "planted"
subprocess.run(["cp", "-r", record.RTL, copy], check=True)
n_checks = 0
for fault in faults:
    path = next(copy.glob("*/" + fault["file"]))
    whole = path.read_text(encoding="utf-8")
    put(path, whole.replace(fault["old"], fault["new"]))
    looks = [(fault_checks.MODULE_OF.get(m, m), fault_checks.source_of(m))
             for m in (fault.get("twin"), None if "proof" in fault else fault_checks.lockstep_of(fault)) if m]
    if "proof" in fault:
        of = [m for m in proofs if fault["proof"] in m]
        expect(of and all(prove.key_of(proofs[m], copy, build) is not None for m in of), "no proof")
        looks += [(m, record.RTL / "none.cpp") for m in of if path.stem in {n.removesuffix(".vh") for n in record.verilog(m, copy)}][:1]
    for module, source in looks:
        n_checks += 1
        expect(verilog_of(module, record.RTL, source) != verilog_of(module, copy, source),
               f"{fault['file']}: {fault['what']}: does not count for {module}")
    put(path, whole)
print(f"record: {len(faults)} faults change the keys of {n_checks} checks")


# A check: it runs unless it has passed with this key, and a failure is never kept.
def checked(*command, name="probe"):
    """Its exit status, and how often it ran."""
    log = work / "runs"
    log.unlink(missing_ok=True)
    script = f"echo run >>{log}; {' '.join(command)}"
    arguments = ["--name", name, "--build", str(folder), "--uses", str(ROOT / "rtl/octrace.f"), "--", "sh", "-c", script]
    status = check.main(arguments)
    return status, log.read_text(encoding="ascii").count("run") if log.exists() else 0


os.environ.pop("OCT_RECORD", None)
folder = work / "build"
folder.mkdir()
record.RECORD = work / "passed.toml"
record.RECORD.write_text('[passed]\n"probe" = "0123"\n', encoding="ascii")
expect(checked("true") == (0, 1), "a wrong key is taken")
expect(record.write(folder, False) == 1, "what passed is not kept")
record.whole.cache_clear()
expect(not record.holds(), "a part is taken for the whole")
expect(checked("true") == (0, 0), "what passed runs again")
expect(checked("true", name="other") == (0, 1), "the record of another check is taken")
expect(checked("false")[1] == 1, "another command is taken")
record.write(folder, True)
record.whole.cache_clear()
expect(record.holds(), "the whole is not taken")
os.environ["OCT_TEST_SEED"] = "7"
expect(not record.holds(), "the whole holds for another seed")
expect(checked("true") == (0, 1), "another seed is taken")
del os.environ["OCT_TEST_SEED"]
os.environ["OCT_RECORD"] = "no"
expect(checked("true") == (0, 1), "OCT_RECORD=no is not heard")
del os.environ["OCT_RECORD"]
subprocess.run(["rm", "-r", folder / "passed"], check=True)
expect(checked("false", name="bad") == (1, 1) and not list(folder.glob("passed/*")), "a failure is kept")
record.RECORD.write_text("[passed]\n", encoding="ascii")
record.whole.cache_clear()
expect(checked("true") == (0, 1), "a missing key is taken")
subprocess.run(["rm", "-r", work], check=True)
