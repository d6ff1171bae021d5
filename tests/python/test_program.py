#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Is the program beside a trace the right one, and is it said where it is not?"""
import os
import pathlib
import struct
import tempfile
import unittest
import warnings

import numpy as np

import octrace

SAMPLES = pathlib.Path(os.environ["SAMPLES"])
DATA = SAMPLES.parent.parent / "tests/traces/data"
FOREIGN = SAMPLES / "foreign"


def offset_of(image: bytes, addr: int) -> int:
    """Where in an ELF file the byte stands that is loaded at addr."""
    wide = image[4] == 2
    table, = struct.unpack_from("<Q" if wide else "<I", image, 32 if wide else 28)
    size, n = struct.unpack_from("<HH", image, 54 if wide else 42)
    for at in range(table, table + n * size, size):
        kind, = struct.unpack_from("<I", image, at)
        offset, start, _, n_bytes = struct.unpack_from("<4Q" if wide else "<4I", image, at + (8 if wide else 4))
        if kind == 1 and start <= addr < start + n_bytes:
            return int(offset + addr - start)
    raise ValueError(f"{addr:#x} is in no part of the file")


class Program(unittest.TestCase):
    def test_program_of_several_files(self):
        trace, elf = FOREIGN / "x86-64.champsim.xz", DATA / "mixed-x86-64.elf"
        wanted = octrace.read(trace, elf=elf)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            got = octrace.read(trace, elf=[(elf, 1 << 40), elf])
        np.testing.assert_array_equal(got.insns, wanted.insns)
        self.assertGreater(len(got.map), 100)
        self.assertEqual([str(w.message) for w in told],
                         [f"{elf}: it was loaded elsewhere: give it with the bias 0x0"])
        with self.assertRaisesRegex(ValueError, "at most 32 files; found 40"):
            octrace.open(trace, elf=[elf] * 40)
        with self.assertRaisesRegex(ValueError, "elf_bias: expected 0 beside a list"):
            octrace.open(trace, elf=[elf], elf_bias=4096)

    def test_programs_that_are_none(self):
        trace, elf = FOREIGN / "x86-64.champsim.xz", DATA / "mixed-x86-64.elf"
        np.testing.assert_array_equal(octrace.read(trace, elf=(elf, 0)).insns, octrace.read(trace, elf=elf).insns)
        for wrong in (3, [3], [("a",)], [("a", "b")], {elf}):
            with self.assertRaisesRegex(TypeError, "^elf: expected a path, or a"):
                octrace.open(trace, elf=wrong)
        for empty in ("", [""], [("", 4096)]):
            with self.assertRaisesRegex(ValueError, "^elf: expected the name of a file; found an empty one"):
                octrace.open(trace, elf=empty)

    def test_a_program_that_was_loaded_elsewhere(self):
        elf = DATA / "mixed-riscv64.elf"
        with self.assertWarnsRegex(UserWarning, "loaded elsewhere: give it with the bias 0x0"):
            octrace.read(FOREIGN / "riscv64.spike.xz", elf=elf, elf_bias=1 << 30)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            octrace.read(FOREIGN / "riscv64.spike.xz", elf=elf)

    def test_a_program_that_changed_itself(self):
        for isa in ("riscv64", "arm", "x86-64"):
            elf = DATA / f"mixed-{isa}.elf"
            with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                trace, patched = pathlib.Path(folder) / "bytes.oct", pathlib.Path(folder) / "patched.elf"
                octrace.write(trace, octrace.read(DATA / f"mixed-{isa}.oct", elf=elf))
                self.assertEqual(told, [])
                chunk = octrace.read(trace)
                addr, image = int(chunk.map[40]["addr"]), elf.read_bytes()
                at = offset_of(image, addr)
                patched.write_bytes(image[:at] + bytes([image[at] ^ 0x15]) + image[at + 1:])
                np.testing.assert_array_equal(octrace.read(trace, elf=patched).map, chunk.map)
                self.assertEqual([str(w.message) for w in told],
                                 [f"{patched}: 1 of {len(np.unique(chunk.insns['addr']))} instructions differ in the "
                                  f"trace, which is right, the first at {addr:#x}"])


if __name__ == "__main__":
    unittest.main()
