#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ring_damage.py - is damage at the beginning of a ring told apart from the ring's own beginning?

A ring begins in the middle of a period, which is no damage; in its first whole period there is, and so is a flipped bit in
the very first sync, and a period without a sync where one was due. Where damage ends all, nothing is whole.

Usage: ring_damage.py PROGRAM  (PROGRAM.oct and PROGRAM.elf; the command is $OCTRACE)
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import seed  # noqa: E402

ROUNDS = 8
FORMATS = ["paper:pc_align_bits=1,sync_period_insns=200", "shadow:pc_align_bits=1,sync_insns=200",
           "paper:pc_align_bits=1,sync_period_bits=4096", "shadow:pc_align_bits=1,sync_insns=500,task_bits=16"]
NOTE = "the trace lacks its beginning"


def convert(*args):
    return subprocess.run([os.environ["OCTRACE"], "convert", *args], capture_output=True, check=False)


def lines(text):
    return [line for line in text.decode().splitlines() if not line.startswith(("#", "!gap"))]


def main():
    program, rng = sys.argv[1], random.Random(seed.seed("ring_damage"))

    def decode(form, data, *more):
        pathlib.Path("ring").write_bytes(data)
        got = convert(*more, "--from", form, "--elf", program + ".elf", "--to", "text", "ring", "-")
        return got.returncode, lines(got.stdout), got.stderr.decode()

    def count(form, data, begin):
        """Instructions of a ring that begins there, or shortly behind where it looks like damage."""
        return next(len(got) for status, got, _ in (decode(form, data[at:]) for at in range(begin, begin + 9)) if not status)

    for form in seed.some(FORMATS):
        convert("--limit", "4000", "--elf", program + ".elf", "--to", form, program + ".oct", "whole")
        whole = pathlib.Path("whole").read_bytes()
        truth = decode(form, whole)[1]
        # Where syncs begin: a stream that has one more byte in front decodes further back.
        syncs, high = [], len(whole) // 2
        while len(syncs) < 4:
            most, low = count(form, whole, high), max(0, high - len(whole) // 4)
            while low + 1 < high:
                middle = (low + high) // 2
                if count(form, whole, middle) > most:
                    low = middle
                else:
                    high = middle
            syncs.append(low)
            high = low
        for _ in seed.some(range(ROUNDS)):
            sync = rng.choice(syncs[1:-1])
            nearer = max(at for at in syncs if at < sync)
            begin = rng.randrange(nearer + 24, sync + 1)  # not inside the mark
            status, got, said = decode(form, whole[begin:])
            check(form, "a ring", begin, status == 0 and said.count(NOTE) == 1 and got == truth[-len(got):], status, said)
            # The first whole period lies between this sync and the next.
            behind = min(at for at in syncs if at > sync)
            at = rng.randrange(sync + 40, behind - 8) if sync + 40 < behind - 8 else behind - 8
            data = bytearray(whole)
            data[at] ^= 1 << rng.randrange(8)
            status, part, said = decode(form, bytes(data[begin:]), "--salvage")
            told = status == 3 and NOTE not in said and ": left out " in said
            check(form, "the first whole period", at, told and len(part) < len(got) and part == truth[-len(part):], status, said)
            check(form, "the same, without --salvage", at, decode(form, bytes(data[begin:]))[0] == 4, status, said)
            # The very first sync.
            data = bytearray(whole)
            data[rng.randrange(3)] ^= 1 << rng.randrange(8)
            status, part, said = decode(form, bytes(data), "--salvage")
            lost = re.search(r"left out (\d+) instructions", said)
            told = status == 3 and NOTE not in said and lost and int(lost[1]) == len(truth) - len(part)
            check(form, "the first sync", 0, told, status, said)
        if seed.SHARE:
            continue  # what is left is not random
        # One that begins with a sync, but not the first: not even a byte is passed over.
        around = {at: decode(form, whole[at:]) for at in range(syncs[1] - 12, syncs[1] + 4)}
        silent = [at for at, got in around.items() if not got[0] and NOTE not in got[2]]
        check(form, "a ring that begins with a sync", syncs[1], not silent, 0, f"no note from {silent}")
    if seed.SHARE:
        return
    # Two periods in one: a sync was due.
    form = "paper:pc_align_bits=1,sync_period_bits=20000,sync_period_insns=0"
    convert("--elf", program + ".elf", "--to", form, program + ".oct", "whole")
    whole = pathlib.Path("whole").read_bytes()
    truth = decode(form, whole)[1]
    begin = next(at for at in range(1, 2500, 10) if decode(form, whole[at:])[0] == 0)
    first = len(decode(form, whole[begin:])[1])
    low, mark = begin, 5000
    while low + 1 < mark:
        middle = (low + mark) // 2
        low, mark = (low, middle) if count(form, whole, middle) < first else (middle, mark)
    data = bytearray(whole[:mark + 30])
    data[mark - 12:mark + 20] = bytes(32)
    status, part, said = decode(form, bytes(data[begin:]) + whole[mark + 30:], "--salvage")
    check(form, "a sync that was due", mark, status == 3 and NOTE not in said and part == truth[-len(part):], status, said)


def check(form, what, at, is_right, status, said):
    if not is_right:
        raise SystemExit(f"{form}: {what}, byte {at}: exit status {status}: {said}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
