#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""frames_damage.py - is nothing that comes out of damaged frames of CoreSight wrong, and is each loss told?

Usage: frames_damage.py PROGRAM  (PROGRAM.oct and PROGRAM.elf; the commands are $OCTRACE and $MAKE_FRAMES)

Two sources in one file, with syncs and without. Each event is a bit flipped, a burst, a byte lost or doubled, or a frame
lost, at a random place.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import seed  # noqa: E402

EVENTS = 12
SOURCES = {5: "paper:sync_period_insns=1000,pc_align_bits=1", 111: "shadow:sync_insns=700"}
rnd = random.Random(seed.seed("frames_damage"))


def damaged(good):
    """A copy with one kind of damage, and which."""
    data, at = bytearray(good), rnd.randrange(len(good))
    kind = rnd.choice(["flip", "burst", "lost", "doubled", "frame"])
    if kind == "flip":
        data[at] ^= 1 << rnd.randrange(8)
    elif kind == "burst":
        for i in range(at, min(at + rnd.randrange(2, 8), len(data))):
            data[i] ^= rnd.randrange(1, 256)
    elif kind == "lost":
        del data[at]
    elif kind == "doubled":
        data.insert(at, data[at])
    else:
        del data[at // 16 * 16:at // 16 * 16 + 16]
    return data, f"{kind} at {at}"


def convert(*words):
    return subprocess.run([os.environ["OCTRACE"], "convert", *words], capture_output=True, text=True, check=False)


def lines(text):
    return [line for line in text.splitlines() if not line.startswith(("#", "!gap"))]


def check(source, elf, wanted, said, *more):
    """Decode damaged.bin; the lines that came are of those wanted, in order, and all of them if nothing is told."""
    done = convert(*more, "--from", source, "--elf", elf, "--to", "text", "damaged.bin", "-")
    came = lines(done.stdout)
    rest = iter(wanted)
    if done.returncode not in (0, 3, 4) or not all(any(line == other for other in rest) for line in came):
        sys.exit(f"{source}: {said}: wrong instructions, status {done.returncode}: {done.stderr}")
    if came != wanted and not done.stderr:
        sys.exit(f"{source}: {said}: {len(came)} of {len(wanted)} instructions in silence")
    return len(came)


def main():
    elf = sys.argv[1] + ".elf"
    for at, form in SOURCES.items():
        convert("--skip", "5000" if at == 111 else "0", "--elf", elf, "--to", form, sys.argv[1] + ".oct", f"{at}.port")
    wanted = {at: lines(convert("--from", form, "--elf", elf, "--to", "text", f"{at}.port", "-").stdout) for at, form in SOURCES.items()}
    for syncs in seed.some(["0", "10"]):
        good = subprocess.run([os.environ["MAKE_FRAMES"], "1", syncs, "1", *(word for at in SOURCES for word in (str(at), f"{at}.port"))],
                              stdout=subprocess.PIPE, check=True).stdout
        for at, form in seed.some(list(SOURCES.items())):
            source, came, events = f"{form},frames={at}", 0, seed.some(range(EVENTS))
            for _ in events:
                data, said = damaged(good)
                pathlib.Path("damaged.bin").write_bytes(data)
                check(source, elf, wanted[at], said)
                came += check(source, elf, wanted[at], said, "--salvage")
            if len(events) == EVENTS and 2 * came < EVENTS * len(wanted[at]):
                sys.exit(f"{source}: only {came} instructions of {EVENTS} times {len(wanted[at])} came")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
