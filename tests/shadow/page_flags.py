#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page_flags.py - a random program of flags: every condition code after every way to set flags.

Usage: page_flags.py ISA SEED. Writes a golden vector without map, bytes and packets, which
`vectors --update` adds. Branches go at random, so that claims of the shadow are right and wrong.
"""

import random
import sys


def bits32(word):
    """The bytes of an instruction of 32 bits."""
    return word.to_bytes(4, "little")


def bits16(word):
    """The bytes of an instruction of 16 bits."""
    return word.to_bytes(2, "little")


class X86:
    """Groups of 8 operations with 8, 16, 32 and 64 bits, and operations of one operand. Registers: eax to ebx."""

    name, parameters, nop = "x86-64", "shadow,addr_bits=64,pc_align_bits=0", b"\x90"
    setters = [f"{operation} {form}" for operation in range(8) for form in ("imm", "reg")]
    setters += ["test", "inc", "dec", "not", "neg", "shl"]
    conditions = range(16)

    @staticmethod
    def load(rng, r):
        """Make a register known."""
        return bytes([0xB8 + r]) + bits32(rng.choice((0, 1, 0x7F, 0x80, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)))

    @staticmethod
    def set(rng, how):
        """An instruction that may set flags."""
        is_byte, prefix = rng.choice(((1, b""), (0, b""), (0, b"\x66"), (0, b"\x48")))
        a, b, constant = rng.randrange(4), rng.randrange(4), rng.choice((0, 1, 0x7F, 0x80, 0xFF))
        wide = 1 - is_byte
        words = how.split()
        if words[-1] == "imm":
            return prefix + bytes([0x83 if wide else 0x80, 0xC0 | int(words[0]) << 3 | a, constant])
        if words[-1] == "reg":
            return prefix + bytes([int(words[0]) << 3 | wide, 0xC0 | b << 3 | a])
        opcode, middle = {"test": (0x84, b), "inc": (0xFE, 0), "dec": (0xFE, 1), "not": (0xF6, 2), "neg": (0xF6, 3),
                          "shl": (0xC0, 4)}[how]
        end = bytes([constant & 7]) if how == "shl" else b""
        return prefix + bytes([opcode | wide, 0xC0 | middle << 3 | a]) + end

    @staticmethod
    def branch(condition):
        """Over the nop behind it."""
        return bytes([0x70 | condition, 1])


class Arm:
    """The 16 operations of A32, with S, of a constant or a register, some of them conditional."""

    name, parameters, nop = "arm", "shadow", bits32(0xE1A00000)
    setters = [f"{operation} {form}" for operation in range(16) for form in ("imm", "reg")]
    conditions = range(14)

    @staticmethod
    def load(rng, r):
        """Make a register known."""
        constant = rng.randrange(16) << 8 | rng.choice((0, 1, 0x80, 0xFF))
        return bits32(rng.choice((0xE3A00000, 0xE3E00000)) | r << 12 | constant)

    @staticmethod
    def set(rng, how):
        """An instruction that sets flags."""
        operation, form = how.split()
        last = 0x02000000 | rng.randrange(256)
        if form == "reg":
            last = rng.choice((0, 0x080, 0x0A0, 0x1C0)) | rng.randrange(4)
        dest = 0 if 8 <= int(operation) < 12 else rng.randrange(4)
        condition = rng.choice((14, 14, rng.randrange(14)))
        return bits32(condition << 28 | int(operation) << 21 | 1 << 20 | rng.randrange(4) << 16 | dest << 12 | last)

    @staticmethod
    def branch(condition):
        """Over the nop behind it."""
        return bits32(condition << 28 | 0x0A000000)


class Thumb:
    """Instructions of 16 bits that set flags."""

    name, parameters, nop = "thumb", "shadow,pc_align_bits=1", bits16(0xBF00)
    setters = [*range(16), "lsl", "mov", "cmp", "add", "sub", "add reg", "sub reg"]
    conditions = range(14)

    @staticmethod
    def load(rng, r):
        """Make a register known."""
        return bits16(0x2000 | r << 8 | rng.choice((0, 1, 0x80, 0xFF)))

    @staticmethod
    def set(rng, how):
        """An instruction that sets flags."""
        a, b, c = (rng.randrange(4) for _ in range(3))
        if isinstance(how, int):
            return bits16(0x4000 | how << 6 | b << 3 | a)
        if how == "lsl":
            return bits16(rng.randrange(32) << 6 | b << 3 | a)
        if how in ("add reg", "sub reg"):
            return bits16((0x1800 if how == "add reg" else 0x1A00) | c << 6 | b << 3 | a)
        opcode = {"mov": 0x2000, "cmp": 0x2800, "add": 0x3000, "sub": 0x3800}[how]
        return bits16(opcode | a << 8 | rng.randrange(256))

    @staticmethod
    def branch(condition):
        """Over the nop behind it."""
        return bits16(0xD000 | condition << 8)


class Aarch64:
    """Additions, subtractions and logic with 32 and 64 bits, and conditional comparisons."""

    name, parameters, nop = "aarch64", "shadow,addr_bits=64", bits32(0xD503201F)
    setters = [0x31000000, 0x71000000, 0x2B000000, 0x6B000000, 0x6A000000, 0x6A200000, 0x3A000000, 0x7A000000,
               0x7A400000, 0x7A400800, 0x3A400800]
    conditions = range(14)

    @staticmethod
    def load(rng, r):
        """Make a register known."""
        return bits32(rng.choice((0xD2800000, 0x92800000, 0x12800000)) | rng.choice((0, 1, 0x8000, 0xFFFF)) << 5 | r)

    @staticmethod
    def set(rng, how):
        """An instruction that sets flags."""
        word = how | rng.randrange(2) << 31 | rng.randrange(4) << 5
        if how & 0x1FE00000 == 0x1A400000:
            return bits32(word | rng.randrange(4) << 16 | rng.randrange(14) << 12 | rng.randrange(16))
        if how & 0x1F000000 == 0x11000000:
            return bits32(word | rng.choice((0, 1, 0xFFF)) << 10 | rng.choice((31, rng.randrange(4))))
        return bits32(word | rng.randrange(4) << 16 | rng.choice((31, rng.randrange(4))))

    @staticmethod
    def branch(condition):
        """Over the nop behind it."""
        return bits32(0x54000040 | condition)


def main():
    """Write the program."""
    isa = next(i for i in (X86, Arm, Thumb, Aarch64) if i.name == sys.argv[1])
    rng = random.Random(sys.argv[1] + sys.argv[2])
    pc = 0x8000
    print(f"# SPDX-License-Identifier: Apache-2.0\n[tracer]\nshadow\n[parameters]\n{isa.parameters}\n[events]")

    def run(code):
        nonlocal pc
        print(f"map {pc:x}/{len(code)} {isa.name}:{code.hex()}\n{pc:x}/{len(code)}")
        pc += len(code)

    for how in rng.sample(isa.setters, len(isa.setters)):
        for r in range(4):
            if rng.randrange(8):
                run(isa.load(rng, r))
        run(isa.set(rng, how))
        for condition in rng.sample(isa.conditions, len(isa.conditions)):
            run(isa.branch(condition))
            if rng.randrange(2):
                pc += len(isa.nop)
            else:
                run(isa.nop)


if __name__ == "__main__":
    main()
