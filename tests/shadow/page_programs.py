#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page_programs.py - random programs for rules that only some instructions in a row reach.

Usage: page_programs.py KIND SEED. Writes a golden vector without map, bytes and packets, which
`vectors --update` adds. The kinds:
words   a word of memory is stored, loaded, changed in part or across its ends, used as an address and loaded
        again, with instructions that are known and such of which only the accesses are; several tasks.
strides accesses of which nothing is known, by few long strides in turn, which meet in a small table of differences.
ends    instructions of which nothing is known, behind calls: they leave to few places, those of the
        return stack among them.
"""

import random
import sys


class Program:
    """Events of a vector: an instruction's entry comes before its first execution."""

    def __init__(self, parameters):
        print(f"# SPDX-License-Identifier: Apache-2.0\n[tracer]\nshadow\n[parameters]\n{parameters}\n[events]")
        self.told = {}

    def run(self, pc, entry, accesses="", task=1):
        """An instruction is executed. Entry: as in a line of the map, or None where it is to be learnt."""
        if entry is not None and self.told.get(pc) != entry:
            print(f"map {pc:x}/4 {entry}".rstrip())
            self.told[pc] = entry
        print(f"{pc:x}{accesses} T:{task}")


def memory(is_load, log2_size, data, base, offset):
    """A load or store of AArch64, with an offset in bytes."""
    return code(log2_size << 30 | 0x38000000 | is_load << 22 | offset << 12 | base << 5 | data)


def constant(reg, value):
    """A register becomes known."""
    return code(0xD2800000 | value << 5 | reg)


def code(word):
    """The entry of an instruction."""
    return "aarch64:" + word.to_bytes(4, "little").hex()


NOP = code(0xD503201F)
UNKNOWN = "branch:8000"


def scene(rng, at):
    """What may go wrong with a word: entries and their accesses, as (letter, bytes, address).

    It is made known or unknown, loaded, changed, used as an address, and loaded again.
    """
    base, data, again, other = rng.sample(range(6), 4)
    steps = [(constant(base, at), [])] if rng.randrange(2) else []
    word = rng.choice((0, 8))
    log2_size = rng.choice((3, 3, 3, 2, 1, 0))
    for is_used in range(2):
        offset = rng.choice((0, 0, 1, 4, 7))
        size = rng.choice((0, 0, 8, 4, 2, 1))
        change = [
            (f"S{size} {UNKNOWN}", [("S", size, at + rng.choice((0, 8)) + offset)]),
            (f"L8 S{size} {UNKNOWN}", [("L", 8, at), ("S", size, at + word)]),
            (memory(0, log2_size, other, base, word + offset), [("S", 1 << log2_size, at + word + offset)]),
            (constant(other, at + 0x10), []),
            (NOP, []),
        ]
        known = [(constant(other, at + 0x20), []), (memory(0, 3, other, base, word), [("S", 8, at + word)])]
        steps += rng.choice((known, [], []))
        steps += rng.sample(change, rng.randrange(3))
        if is_used:
            steps += [(memory(1, 3, other, data, 0), [("L", 8, at + 0x20)])] + [(NOP, [])] * rng.randrange(3)
        loads = again if is_used else data
        steps += [(memory(1, 3, loads, base, word), [("L", 8, at + word)])]
        steps += rng.sample(change, rng.randrange(2))
    return steps + [(memory(1, log2_size, other, again, 0), [("L", 1 << log2_size, at + 0x20)])]


def words(rng):
    """Values of registers and words."""
    banks = rng.randrange(1, 4)
    program = Program(f"shadow,addr_bits=64,regs=32,banks={banks},vc_sets=8,vc_ways=2,sync_insns=0")
    steps = [step for _ in range(30) for step in scene(rng, 0x1000 + 0x40 * rng.randrange(2))]
    task = 1
    for _ in range(6):
        for n, (entry, accesses) in enumerate(steps):
            if rng.randrange(40) == 0:
                task = 1 + rng.randrange(4)
            text = ""
            for letter, size, address in accesses:
                if rng.randrange(20) == 0:
                    address = 0x1000 + 8 * rng.randrange(8)
                text += f" {letter}{size}:{address:x}"
            program.run(0x8000 + 4 * n, entry, text, task)
        program.run(0x8000 + 4 * len(steps), "jump:8000", "", task)


def strides(rng):
    """Addresses that go on by one of the strides that the last two ask for, or by another."""
    program = Program("shadow,addr_bits=64,dfcm_entries=16,stride_bits=64,diff_bits=64,match_entries=0")
    long = [rng.randrange(1, 4) << rng.randrange(4, 60 if rng.randrange(4) == 0 else 32) for _ in range(16)]
    follows = {}
    addr, last = [0, 0], [(0, 0), (0, 0)]
    for _ in range(1500):
        n = rng.randrange(2)
        stride = follows.setdefault(last[n], rng.choice(long)) if rng.randrange(6) else rng.choice(long)
        addr[n] = (addr[n] + stride) % (1 << 64)
        last[n] = (last[n][1], stride)
        program.run(0x8000 + 4 * n, "L8 branch:8000", f" L8:{addr[n]:x}")


def ends(rng):
    """Places that unknown instructions leave to."""
    program = Program("shadow,path_entries=16,return_entries=4")
    for _ in range(600):
        for _ in range(rng.randrange(3)):
            program.run(0x8000 + 0x100 * rng.randrange(3), "icall")
        program.run(0x9000 + 0x100 * rng.randrange(3), None)
        if rng.randrange(2):
            program.run(0x8004 + 0x100 * rng.randrange(3), None)


def main():
    """Write the program."""
    {"words": words, "strides": strides, "ends": ends}[sys.argv[1]](random.Random(sys.argv[1] + sys.argv[2]))


if __name__ == "__main__":
    main()
