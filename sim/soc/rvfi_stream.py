#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""rvfi_stream.py - what a RISC-V core might retire, for sim/soc/cores/player, at random.

Usage: rvfi_stream.py CHANNELS INSTRUCTIONS SEED [BREAK]
Prints a line for each cycle. Instructions are those of a random program that has every form of access:
loads and stores of each size, at each byte, compressed and floating-point ones, LR, SC that succeeds
and fails, AMOs, faults, and branches and jumps of each class. BREAK breaks a rule of the interface:
`odd` an odd address, `access` an access that the opcode has not, `fast` two AMOs in each cycle.
"""
import random
import sys

BASE = 0x1000


def forms():
    """(word, reads, writes, bytes) of each kind of instruction, and how often it is taken."""
    table = [(0x00000013, 0, 0, 0, 8)]  # nop
    for width, size in ((0, 1), (1, 2), (2, 4), (4, 1), (5, 2)):
        table.append((0x03 | width << 12 | 7 << 7 | 9 << 15, 1, 0, size, 1))
    for width, size in ((0, 1), (1, 2), (2, 4)):
        table.append((0x23 | width << 12 | 7 << 20 | 9 << 15, 0, 1, size, 1))
    table.append((0x07 | 2 << 12 | 1 << 7 | 9 << 15, 1, 0, 4, 1))  # flw
    table.append((0x27 | 2 << 12 | 1 << 20 | 9 << 15, 0, 1, 4, 1))  # fsw
    amo = 0x2F | 2 << 12 | 7 << 7 | 9 << 15
    table.append((amo | 2 << 27, 1, 0, 4, 1))  # lr.w
    table.append((amo | 3 << 27, 0, 1, 4, 1))  # sc.w
    table.append((amo | 1 << 27, 1, 1, 4, 1))  # amoswap.w
    table.append((amo, 1, 1, 4, 1))  # amoadd.w
    for word in (0x4080, 0x6080, 0x40A2, 0x60A2):  # c.lw c.flw c.lwsp c.flwsp
        table.append((word, 1, 0, 4, 1))
    for word in (0xC080, 0xE080, 0xC086, 0xE086):  # c.sw c.fsw c.swsp c.fswsp
        table.append((word, 0, 1, 4, 1))
    table.append((0x0001, 0, 0, 0, 4))  # c.nop
    for word in (0x63, 0x67 | 1 << 7 | 9 << 15, 0x67 | 1 << 15, 0x67 | 9 << 15, 0x6F, 0x6F | 1 << 7):
        table.append((word, 0, 0, 0, 1))
    for word in (0xA001, 0x2001, 0xC001, 0xE001, 0x8482, 0x9482, 0x8082):  # c.j c.jal c.beqz c.bnez c.jr ...
        table.append((word, 0, 0, 0, 1))
    return table


def jumps(word):
    if word & 3 == 3:
        return word & 0x7F in (0x63, 0x67, 0x6F)
    return word & 3 == 1 and word >> 13 in (1, 5, 6, 7) or word in (0x8482, 0x9482, 0x8082)


def main():
    channels, left, seed = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    broken = sys.argv[4] if len(sys.argv) > 4 else ""
    rng = random.Random(seed)
    table = forms()
    program, address = [], BASE
    for form in rng.choices(table, [form[4] for form in table], k=300):
        program.append((address, form))
        address += 4 if form[0] & 3 == 3 else 2
    at = 0

    def retire():
        nonlocal at
        pc, (word, reads, writes, size, _) = program[at]
        base, byte = rng.randrange(0, 1 << 30) & ~3, rng.randrange(0, 4, size or 1)
        mask = ((1 << size) - 1) << byte
        fails = size and rng.random() < 0.1  # a fault, or an SC without its reservation
        half = fails and reads and writes and rng.random() < 0.5  # an AMO that faults at its store
        if broken == "fast":
            word, reads, writes, mask, fails = 0x2F | 2 << 12, 1, 1, 15, False
        at = rng.randrange(len(program)) if jumps(word) and rng.random() < 0.6 else (at + 1) % len(program)
        record = (1, word, pc, base, mask if writes and not fails else 0,
                  mask if reads and (half or not fails) else 0)
        if broken and left == 100:
            if broken == "odd":
                record = (1, word, pc | 1, base, 0, 0)
            elif broken == "access":
                record = (1, 0x13, pc, base, 0, 15)
        return record

    while left > 0:
        line = ""
        for _ in range(channels):
            busy = broken == "fast" or rng.random() < 0.6 / channels
            record = retire() if busy and left > 0 else (0,) * 6
            left -= record[0]
            valid, word, pc, base, wmask, rmask = record
            line = f"{valid:02x}{word:08x}{pc:08x}{base:08x}{wmask:04x}{rmask:04x}" + line
        print(line)
    for _ in range(40):
        print("0" * 34 * channels)
    print("0" * 34 * (channels - 1) + "02" + "0" * 32)


if __name__ == "__main__":
    main()
