# SPDX-License-Identifier: Apache-2.0
"""check.py - one check of the Verilog, as the tests of Meson run it: a program around a module, or a command.

A check that has passed with the same sources is not run again (record.py). A program is built when it is
missing or when what it is built from has changed; several checks may use one.
"""
import fcntl
import os
import pathlib
import subprocess
import sys

import one_line

from . import record

ROOT = record.ROOT


def is_made(path, key, make):
    """Make a file unless it is there and was made with this key, one process at a time; false when that fails."""
    kept = path.with_name(path.name + ".key")
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_name(path.name + ".lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists() and kept.exists() and kept.read_text(encoding="ascii") == str(key):
            return True
        kept.unlink(missing_ok=True)
        if subprocess.run(make, check=False).returncode:
            return False
        kept.write_text(str(key), encoding="ascii")
    return True


def make_headers(build, kind):
    """Compile what the programs of a kind include; a cache of the compiler does without."""
    if kind in ("coverage", "systemc") or os.environ.get("CXX", "g++") != "g++":
        return
    key = record.Key()
    for name in ("sim/verilate", "sim/dut-headers.h", "sim/dut-flags.in"):
        key.add(name, (ROOT / name).read_bytes())
    key.add("tools", record.tool("verilator", "--version") + record.compiler())
    is_made(build / f"sim/dut-headers-{kind}.h.gch", key, [ROOT / "sim/verilate", "--headers", build, kind])


def make_program(args, key):
    """The program of a check."""
    program = args.build / args.program
    make_headers(args.build, args.kind)
    if not is_made(program, key, [ROOT / "sim/verilate", program, args.build, args.kind, record.RTL, args.module,
                                  args.geometry, args.source]):
        one_line.fail(f"{args.name}: the program cannot be built")
    return program


def tree_key(args):
    """The key of a command of the tools."""
    key = record.Key()
    for tool in ("verilator --version", "iverilog -V", "yosys -V"):
        key.add(tool, record.tool(*tool.split()))
    for tracer, geometry in (g.split(":") for g in args.geometry.split()):
        key.add(geometry, subprocess.run([args.build / "tools/oct_gen_verilog", "--verilator-args", "--tracer", tracer, geometry],
                                         capture_output=True, text=True, check=True).stdout)
    return key


def main(arguments):
    parser = one_line.Parser(prog="scripts/hw check", description=__doc__.splitlines()[0])
    parser.add_argument("--name", required=True, help="of the check")
    parser.add_argument("--build", required=True, type=pathlib.Path, help="the build folder")
    parser.add_argument("--program", help="where the program goes in it")
    parser.add_argument("--kind", help="of the program, as sim/verilate has it")
    parser.add_argument("--module", help="that the program is around; without one, what is run is a command")
    parser.add_argument("--geometry", default="", help="of the program; of a command each TRACER:GEOMETRY that it asks for")
    parser.add_argument("--source", type=pathlib.Path, help="of the program")
    parser.add_argument("--uses", type=pathlib.Path, action="append", default=[], help="a file or folder that it looks at, too")
    parser.add_argument("--always", action="store_true", help="run it whatever the record has")
    parser.add_argument("--script", help="run by sh, with the program as its first argument")
    parser.add_argument("arguments", nargs="*", help="of the program, or the command")
    args = parser.parse_args(arguments)
    args.source = args.source and args.source.resolve()
    os.environ.setdefault("OCT_TEST_SEED", record.SEED)
    if args.module:
        program = args.build, args.kind, args.module, args.geometry, args.source
        key = record.program_key(*program, opens=bool(args.script) or any(os.path.exists(a) for a in args.arguments))
        built_with = record.program_key(*program, opens=None)
    else:
        key = tree_key(args)
    for top in args.uses:
        for path in sorted(p for p in top.rglob("*") if p.is_file()) if top.is_dir() else [top]:
            key.add(str(path.relative_to(ROOT)), record.text(path))
    key.add("seed", record.seed())
    before = ["sh", args.script] if args.script else []
    record.add_arguments(key, [*before, *([str(ROOT / "tests/tools/lib.sh")] if before else []), *args.arguments])
    is_counted = "OCT_COVERAGE" in os.environ
    if not args.always and not is_counted and record.has_passed(args.name, key):
        print(f"{args.name}: passed before with the same sources (tests/rtl/passed.toml)")
        record.keep(args.build, args.name, key)
        return 0
    command = [*before, make_program(args, built_with), *args.arguments] if args.module else args.arguments
    sys.stdout.flush()
    status = subprocess.run(command, check=False).returncode
    if status == 0 and not is_counted:
        record.keep(args.build, args.name, key)
    return status if status >= 0 else 128 - status
