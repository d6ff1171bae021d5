#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""halves.py - a program that ends inside an instruction: is it as if that instruction was not there?

A stream is read with a program of which the code from some address on is missing, or stands in other files behind it: the second program
of --elf, a dump of a snapshot. Wherever in an instruction the first ends, the same instructions and gaps come as if it ended in front of
that. Usage: halves.py DATA MAKE_PERF.
"""
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import seed  # noqa: E402

ROUNDS = 3
UNITS = [("riscv64", "paper:pc_align_bits=1"), ("riscv64", "ntrace"), ("riscv64", "etrace:data=0"), ("x86-64", "intel-pt"), ("x86-64", "perf"),
         ("aarch64", "etmv4"), ("arm", "etmv4"), ("thumb", "etmv4")]
PT_LOAD, PF_X = 1, 1


def octrace(*words, status=0):
    got = subprocess.run([os.environ["OCTRACE"], *words], capture_output=True, text=True, check=False)
    if status is not None and got.returncode != status:
        sys.exit(f"octrace {' '.join(map(str, words))}: exit status {got.returncode}, not {status}: {got.stderr}")
    return got


def find_code(data):
    """Where the head of the executable segment is, its form, and its offset, address and size."""
    wide = data[4] == 2
    at = struct.unpack_from("<Q", data, 32)[0] if wide else struct.unpack_from("<I", data, 28)[0]
    size, n = struct.unpack_from("<HH", data, 54 if wide else 42)
    for head in range(at, at + n * size, size):
        if wide:
            kind, flags, offset, addr, _, n_bytes = struct.unpack_from("<IIQQQQ", data, head)
        else:
            kind, offset, addr, _, n_bytes, _, flags = struct.unpack_from("<IIIIIII", data, head)
        if kind == PT_LOAD and flags & PF_X:
            return head, wide, offset, addr, n_bytes
    sys.exit("no code")


def cut(elf, out, end):
    """A program whose code ends at an address, and a second one with what is not its code from there on."""
    data = bytearray(pathlib.Path(elf).read_bytes())
    head, wide, offset, addr, n_bytes = find_code(data)
    put = ("<QQ", head + 32) if wide else ("<II", head + 16)
    struct.pack_into(put[0], data, put[1], end - addr, end - addr)
    pathlib.Path(out).write_bytes(data)
    rest = addr + n_bytes - end
    data[offset + end - addr:offset + n_bytes] = bytes([0x90] * rest)
    struct.pack_into(put[0], data, put[1], rest, rest)
    struct.pack_into("<QQQ" if wide else "<III", data, head + (8 if wide else 4), offset + end - addr, end, end)
    pathlib.Path("next-" + out).write_bytes(data)


def read(unit, program, end, how, make_perf):
    """What comes with a program that ends at that address."""
    cut(program, "part.elf", end)
    where, stream = ["--elf", "part.elf"], "stream"
    if unit == "perf":
        _, _, offset, addr, _ = find_code(pathlib.Path("part.elf").read_bytes())
        pathlib.Path("part.elf").write_bytes(pathlib.Path("part.elf").read_bytes()[:offset + end - addr])
        subprocess.run([sys.executable, make_perf, "perf.data", f"map:101:{pathlib.Path('part.elf').resolve()}", "thread:101:stream"],
                       check=True)
        where, stream = [], "perf.data"
    elif unit != "etmv4":
        where += ["--from", unit]
    elif how != "dump":
        stream = "without"
    if how == "next":
        where += ["--elf", "next-part.elf"]
    got = octrace("convert", *where, "--to", "text", stream, "-", status=None)
    return got.returncode, [line for line in got.stdout.splitlines() if line[0] != "#"]


def main():
    data, make_perf = sys.argv[1:]
    rng, units = random.Random(seed.seed("halves")), os.environ["UNITS"].split()
    n_wrong = 0
    for isa, unit in seed.some([u for u in UNITS if u[1].partition(":")[0] in units]):
        program = f"{data}/mixed-{isa}"
        octrace("convert", "--limit", "3000", "--elf", f"{program}.elf", f"{program}.oct", "whole.oct")
        for name in ("stream", "without"):
            shutil.rmtree(name, ignore_errors=True)
        pathlib.Path("stream").unlink(missing_ok=True)
        octrace("convert", "--to", "intel-pt" if unit == "perf" else unit, "whole.oct", "stream")
        if unit == "etmv4":
            shutil.copytree("stream", "without", ignore=shutil.ignore_patterns("memory*"))
        run = [line.split()[0] for line in octrace("convert", "--to", "text", "whole.oct", "-").stdout.splitlines() if line[0] not in "#!"]
        whole = octrace("convert", "--to", "text", "stream", "-").stdout.splitlines() if unit == "etmv4" else []
        sizes = {int(word.partition("/")[0], 16): int(word.partition("/")[2] or "4") for word in run}
        places = sorted(at for at in sizes if sizes[at] > 1)[1:]
        for at in [places[-1], *rng.sample(places, ROUNDS)]:
            for how in ("alone", *(["next"] if unit != "perf" else []), *(["dump"] if unit == "etmv4" else [])):
                want = read(unit, f"{program}.elf", at, how, make_perf)
                if how == "dump" and want != (0, [line for line in whole if line[0] != "#"]):
                    sys.exit(f"{isa}, {unit}: another trace where dumps follow 0x{at:x}")
                for end in range(at + 1, at + sizes[at]):
                    got = read(unit, f"{program}.elf", end, how, make_perf)
                    is_right = got == want
                    if how == "next":  # which begins in the instruction
                        is_right = not any(int(line.split()[0].partition("/")[0], 16) == at for line in got[1] if line[0] != "!")
                    if not is_right:
                        print(f"{isa}, {unit}, {how}: 0x{at:x}/{sizes[at]} cut at 0x{end:x}: {got[0]}, {len(got[1])} lines, "
                              f"not {want[0]}, {len(want[1])}")
                        n_wrong += 1
    sys.exit(n_wrong > 0)


with tempfile.TemporaryDirectory() as folder:
    sys.argv[1:] = [str(pathlib.Path(word).resolve()) for word in sys.argv[1:]]
    os.chdir(folder)
    main()
