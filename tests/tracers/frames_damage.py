# SPDX-License-Identifier: Apache-2.0
"""frames_damage.py - is nothing that comes out of damaged frames of CoreSight wrong, and is each loss told?

frames_damage.py EVENTS FILE SOURCE... - SOURCE is TEXT-FORMAT=WANTED: what `octrace convert --from TEXT-FORMAT --to text` gives of
FILE, a file with these lines. Each event is a bit flipped, a burst, a byte lost or doubled, or a frame lost, at a random place.
"""
import os
import pathlib
import random
import subprocess
import sys

seed = int(os.environ.get("OCT_TEST_SEED") or random.randrange(1 << 32))
print(f"frames_damage: OCT_TEST_SEED={seed}", file=sys.stderr)
rnd = random.Random(seed)


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


def check(source, wanted, said, *more):
    """Decode damaged.bin; the lines that came are of those wanted, in order, and all of them if nothing is told."""
    command = [os.environ["OCTRACE"], "convert", *more, "--from", source, "--elf", os.environ["ELF"], "--to", "text", "damaged.bin", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line[0] != "#"]
    rest = iter(wanted)
    if done.returncode not in (0, 3, 4) or not all(any(line == other for other in rest) for line in lines):
        sys.exit(f"{source}: {said}: wrong instructions, status {done.returncode}: {done.stderr}")
    if lines != wanted and not done.stderr:
        sys.exit(f"{source}: {said}: {len(lines)} of {len(wanted)} instructions in silence")
    return len(lines)


def main():
    good = pathlib.Path(sys.argv[2]).read_bytes()
    for source, name in (a.rsplit("=", 1) for a in sys.argv[3:]):
        wanted = pathlib.Path(name).read_text(encoding="utf-8").splitlines()
        came = 0
        for _ in range(int(sys.argv[1])):
            data, said = damaged(good)
            pathlib.Path("damaged.bin").write_bytes(data)
            check(source, wanted, said)
            came += check(source, wanted, said, "--salvage")
        if 2 * came < int(sys.argv[1]) * len(wanted):
            sys.exit(f"{source}: only {came} instructions of {sys.argv[1]} times {len(wanted)} came")


main()
