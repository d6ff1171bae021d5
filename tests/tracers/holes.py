#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""holes.py - a program of which a part of the image is left out: is each hole in a trace a gap with its cause, wherever the trace goes?

A stream of each trace unit of today's chips is read with a program that lacks a random range of its code. What comes is the run that
made the stream, in pieces: each is found in it, and all in order. The gaps between them are as many in the list of --gaps, in the note,
in `info` of the stream and of the trace that it becomes, and in each file that carries gaps; the range is told once. Usage: holes.py DATA
MAKE_PERF.
"""
import csv
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import seed  # noqa: E402

ROUNDS = 3
UNITS = [("riscv64", "ntrace:sync_period_insns=500"), ("riscv64", "ntrace:btm-all,sync_period_insns=300"),
         ("riscv64", "etrace:data=0,sync_period_insns=500"), ("riscv64", "etrace:all,sync_period_insns=300"),
         ("x86-64", "intel-pt"), ("x86-64", "intel-pt:sync_period_insns=150"), ("x86-64", "intel-pt:tsc=0,sync_period_insns=300"),
         ("x86-64", "perf"), ("aarch64", "etmv4")]
CARRIERS = [("paper", "octp"), ("shadow", "octp"), ("raw", "octp"), ("replay", "octp"), ("vpc3", "octc"), ("shadow:segment=1", "octc")]
PT_LOAD, PT_GNU_STACK, PF_X = 1, 0x6474e551, 1


def octrace(*words, status=0):
    got = subprocess.run([os.environ["OCTRACE"], *words], capture_output=True, text=True, check=False)
    if status is not None and got.returncode != status:
        sys.exit(f"octrace {' '.join(map(str, words))}: exit status {got.returncode}, not {status}: {got.stderr}")
    return got


def make_hole(elf, out, low, high):
    """A copy of a program whose executable segment is in two parts, around the hole."""
    data = bytearray(pathlib.Path(elf).read_bytes())
    at, size, n = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
    heads = [list(struct.unpack_from("<IIQQQQQQ", data, at + i * size)) for i in range(n)]
    code = next(i for i, h in enumerate(heads) if h[0] == PT_LOAD and h[1] & PF_X)
    free = next(i for i, h in enumerate(heads) if h[0] == PT_GNU_STACK)
    kind, flags, offset, addr, _, n_bytes, _, align = heads[code]
    heads[code] = [kind, flags, offset, addr, addr, low - addr, low - addr, align]
    rest = addr + n_bytes - high
    heads[free] = [kind, flags, offset + high - addr, high, high, rest, rest, 1]
    for i, head in enumerate(heads):
        struct.pack_into("<IIQQQQQQ", data, at + i * size, *head)
    pathlib.Path(out).write_bytes(data)


def pieces(text):
    """The addresses of a text, in pieces between its gaps, and the gaps."""
    found, gaps = [[]], []
    for line in text.splitlines():
        if line.startswith("!gap"):
            gaps.append(line)
            found.append([])
        elif line[0] not in "#!":
            found[-1].append(int(re.match("[0-9a-f]+", line)[0], 16))
    return found, gaps


def gaps_of(path, *more):
    return int((re.search(r"^gaps +(\d+)$", octrace("info", *more, path).stdout, re.M) or [0, 0])[1])


def check(what, is_right, *said):
    if not is_right:
        sys.exit(f"{what}: {said}: " + open("gaps.csv").read()[:300])


def hold_against(run, found, what):
    """Each piece is in the run, behind the one before."""
    at = 0
    for piece in found:
        if piece:
            end = next((i for i in range(at, len(run) - len(piece) + 1) if run[i] == piece[0] and run[i:i + len(piece)] == piece), None)
            check(what, end is not None, f"{len(piece)} instructions from {piece[0]:#x} on are not in the run behind number {at}")
            at = end + len(piece)


def carry(trace, text, what):
    """Every file that carries gaps gives the same trace back."""
    for name, kind in seed.some(CARRIERS):
        how = ["--tracer", name, "-g", "traps=1"] if kind == "octp" and name in ("paper", "shadow") else ["--tracer", name]
        packed = f"packed.{kind}"
        octrace("compress", *(how if kind == "octp" else ["--codec", name]), "-o", packed, trace)
        octrace("decompress", "--gaps", "back.csv", "-o", "back.oct", packed)
        found, gaps = pieces(octrace("convert", "--to", "text", "back.oct", "-").stdout)
        check(what, (found, gaps) == pieces(text), f"another trace through {name}")
        check(what, pathlib.Path("back.csv").read_text() == pathlib.Path("gaps.csv").read_text(), f"other gaps through {name}")


def cut(trace, text, rng, what):
    """Two parts have the gaps of the whole."""
    found, gaps = pieces(text)
    n = sum(map(len, found))
    if n < 2:
        return
    at = rng.randrange(1, n)
    octrace("convert", "--limit", str(at), trace, "head.oct")
    octrace("convert", "--skip", str(at), trace, "tail.oct")
    parts = [pieces(octrace("convert", "--to", "text", f"{part}.oct", "-").stdout) for part in ("head", "tail")]
    check(what, parts[0][1] + parts[1][1] == gaps, f"cut at {at}: {len(parts[0][1])} and {len(parts[1][1])} of {len(gaps)} gaps")
    check(what, gaps_of("head.oct") == len(parts[0][1]) and gaps_of(trace, "--limit", str(at)) == len(parts[0][1]), f"limit {at}")
    check(what, gaps_of(trace, "--skip", str(at)) == len(parts[1][1]), f"skip {at}")


def one(unit, program, run, stream, rng, make_perf, is_first):
    """is_first: the hole has the first instruction."""
    alone = unit != "etmv4" and unit != "perf"
    places = sorted(set(run))  # a hole begins and ends between two instructions
    at = places.index(run[0]) if is_first else rng.randrange(1, len(places) - 12)
    low, high = places[at], places[at + rng.randrange(1, 12)]
    make_hole(f"{program}.elf", "hole.elf", low, high)
    if unit == "perf":  # whose files are mapped by pages: all behind the hole is missing, too
        whole = pathlib.Path("hole.elf").read_bytes()
        low, high = places[at] if is_first else max(low, run[0] + 64), places[-1] + 1
        pathlib.Path("hole.elf").write_bytes(whole[:low - (places[0] & ~0xfff)])
        subprocess.run([sys.executable, make_perf, "perf.data", f"map:101:{pathlib.Path('hole.elf').resolve()}", f"thread:101:{stream}"],
                       check=True)
        stream = "perf.data"
    form = "intel-pt" if unit.startswith("intel-pt") else unit
    where = [*(["--from", form] if alone else []), *(["--elf", "hole.elf"] if unit != "perf" else [])]
    what = f"{unit}, without 0x{low:x} to 0x{high:x}"
    if is_first and octrace("info", *where, stream, status=None).returncode == 4:
        return False  # nothing leads to code
    got = octrace("convert", *where, "--gaps", "gaps.csv", stream, "holes.oct")
    text = octrace("convert", "--to", "text", "holes.oct", "-").stdout
    found, gaps = pieces(text)
    check(what, not any(low <= pc < high for piece in found for pc in piece), "instructions without code")
    hold_against(run, found, what)
    rows = list(csv.DictReader(open("gaps.csv", encoding="ascii")))
    check(what, [re.sub(" A:0*", " at 0x", gap) for gap in gaps] == ["!gap " + row["cause"] for row in rows], gaps, rows)
    check(what, all(low <= int(row["cause"].partition(" at ")[2] or "0", 16) < high for row in rows), rows)
    n = sum(map(len, found))
    check(what, bool(rows) == (n < len(run)), f"{n} of {len(run)} instructions with {len(rows)} gaps")
    notes = re.findall("no file has the code at .* left out at ([0-9]+) place", got.stderr)
    check(what, notes == ([str(len(rows))] if rows else []), got.stderr)
    check(what, gaps_of("holes.oct") == gaps_of(stream, *where) == len(rows), len(rows))
    pathlib.Path("holes.txt").write_text(text, encoding="ascii")
    octrace("convert", "holes.txt", "again.oct")
    check(what, pieces(octrace("convert", "--to", "text", "again.oct", "-").stdout) == (found, gaps), "another text")
    left_out = octrace("convert", "--to", "champsim", "holes.oct", "out").stderr
    check(what, not rows or f"{len(rows)} gap" in left_out.replace("gaps of", "gap of"), left_out)
    carry("holes.oct", text, what)
    cut("holes.oct", text, rng, what)
    return bool(rows)


def main():
    data, make_perf = sys.argv[1:]
    rng, units = random.Random(seed.seed("holes")), os.environ["UNITS"].split()
    for isa, unit in seed.some([u for u in UNITS if re.match("[a-z0-9-]*", u[1])[0] in units]):
        program = f"{data}/mixed-{isa}"
        octrace("convert", "--limit", "3000", "--elf", f"{program}.elf", f"{program}.oct", "whole.oct")
        shutil.rmtree("stream", ignore_errors=True)
        pathlib.Path("stream").unlink(missing_ok=True) if not os.path.isdir("stream") else None
        octrace("convert", "--to", "intel-pt" if unit == "perf" else unit, "whole.oct", "stream")
        for dump in pathlib.Path("stream").glob("memory*"):  # the code is only in the file that is given
            dump.unlink()
        run = sum(pieces(octrace("convert", "--to", "text", "whole.oct", "-").stdout)[0], [])
        n_holes = sum(one(unit, program, run, "stream", rng, make_perf, i == 0) for i in seed.some(range(ROUNDS)))
        check(unit, n_holes or seed.SHARE, "no hole was come to")


with tempfile.TemporaryDirectory() as folder:
    sys.argv[1:] = [str(pathlib.Path(word).resolve()) for word in sys.argv[1:]]
    os.chdir(folder)
    main()
