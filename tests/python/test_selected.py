#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Does a selected part of a trace have the registers and the memory that the whole has in the same places, also when
`replay` gives it back?"""
import os
import pathlib
import random
import subprocess
import tempfile
import time
import unittest

import numpy as np

import octrace

SAMPLES = pathlib.Path(os.environ["SAMPLES"])
OCTRACE = os.environ["OCTRACE"]
DATA = SAMPLES.parent.parent / "tests/replay/data"
SEED = int(os.environ.get("OCT_TEST_SEED") or int(time.time()))
PLACES = 40


def run(*words, code=0) -> str:
    done = subprocess.run([OCTRACE, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stderr


def threads(rng: random.Random) -> str:
    """Three tasks that count in one word of memory, each at addresses and with registers of its own."""
    code = {0: "ldr", 4: "001090e5", 8: "011081e2", 12: "001080e5", 16: "032082e2", 20: "f9ffffea"}
    lines, memory, state, told = ["# isa armv5te"], 7, {}, set()
    for _ in range(3000):
        task = rng.randrange(3)
        if rng.random() < 0.004:
            lines.append("!gap lost")
            told = set()
        if task not in told and rng.random() < 0.8:
            at, r1, r2 = state.setdefault(task, [0, 1, 2])
            registers = {r: 256 * task + r for r in range(15)} | {0: 0x2000, 1: r1, 2: r2}
            lines += [f"!register r{r}={value:08x}" for r, value in registers.items()]
            told.add(task)
        if rng.random() < 0.01:
            memory = rng.randrange(1 << 32)
            lines.append(f"!memory 2000 {rng.choice(['4', '=' + memory.to_bytes(4, 'little').hex()])}")
        at, r1, r2 = state.setdefault(task, [0, 1, 2])
        access = ""
        if at == 4:
            r1, access = memory, f" L4:2000={memory:08x}"
        elif at == 8:
            r1 = (r1 + 1) % (1 << 32)
        elif at == 16:
            r2 = (r2 + 3) % (1 << 32)
        elif at == 12:
            memory, access = r1, f" S4:2000={r1:08x}"
        lines.append(f"{0x10000 + 0x1000 * task + at:x}/4{access} T:{task} I:{code[at] if at else '0000a0e1'}")
        state[task] = [(at + 4) % 24, r1, r2]
    return "\n".join([*lines, ""])


class Selected(unittest.TestCase):
    def setUp(self):
        print(f"OCT_TEST_SEED={SEED}", flush=True)
        self.rng = random.Random(SEED)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, path, keep, words):
        """The part that these options leave, whose instructions are those with these numbers in the whole."""
        whole, part, packed, back = path, *(self.folder / name for name in ("part.oct", "part.octp", "back.oct"))
        notes = run("convert", *words, whole, part)
        self.assertNotIn("left out:", notes)
        chunk = octrace.read(part)
        np.testing.assert_array_equal(chunk.insns["addr"], octrace.read(whole).insns["addr"][keep])
        run("compress", "--tracer", "replay", "-o", packed, part)
        run("decompress", "-o", back, packed)
        run("compare", part, back)
        self.assertFalse(chunk.access_values().mask.any())
        np.testing.assert_array_equal(chunk.access_values(), octrace.read(back).access_values())
        places = [int(a) for a in np.unique(chunk.accesses["addr"])]
        n_registers = 0
        with octrace.Session(whole) as program:
            for other in part, back:
                with octrace.Session(other) as session:
                    for n in sorted(self.rng.sample(range(len(keep)), min(PLACES, len(keep)))):
                        program.go(int(keep[n]))
                        session.go(n)
                        expected, found = program.registers(), session.registers()
                        where = f"{' '.join(map(str, words))}: {other.name}: {n}, {keep[n]} of {path.name}"
                        self.assertEqual(session.task, program.task, where)
                        if other is back:  # flags of x86-64 are not told behind a sync
                            expected = {name: expected[name] for name in expected if name in found}
                        # Those are there, too, that nothing told, but execution has.
                        self.assertEqual({name: found.get(name) for name in expected}, expected, where)
                        n_registers += len(found)
                        for addr in self.rng.sample(places, min(20, len(places))):
                            known = session.read(addr, 1)
                            if known and other is part:  # replay tells nothing of lines that its filter has lost
                                self.assertEqual(known, program.read(addr, 1), f"{where}: {addr:#x}")
        self.assertGreater(n_registers, 8 * min(PLACES, len(keep)))

    def open(self, path):
        try:
            octrace.Session(path).close()
        except octrace.OctraceError as e:
            self.skipTest(str(e))

    def test_parts_of_programs(self):
        for isa in "arm", "riscv64", "thumb", "aarch64", "x86-64":
            path = DATA / f"{isa}.oct"
            self.open(path)
            addrs = octrace.read(path).insns["addr"].astype(np.int64)
            known = np.unique(addrs)
            skip = self.rng.randrange(len(addrs))
            self.check(path, np.arange(skip, len(addrs)), ["--skip", skip])
            for _ in range(1 + (isa in ("arm", "riscv64"))):
                low, high = sorted(int(a) for a in self.rng.sample(list(known), 2))
                skip = self.rng.choice((0, self.rng.randrange(len(addrs) // 2)))
                keep = np.flatnonzero((addrs >= low) & (addrs <= high))
                keep = keep[keep >= skip]
                if len(keep):
                    self.check(path, keep, ["--range", f"{low:#x}-{high:#x}", *(["--skip", skip] if skip else [])])

    def test_parts_of_threads(self):
        path = self.folder / "threads.txt"
        path.write_text(threads(self.rng))
        self.open(path)
        insns = octrace.read(path).insns
        for tasks in (1, 1), (0, 1), (2, 2):
            keep = np.flatnonzero((insns["task"] >= tasks[0]) & (insns["task"] <= tasks[1]))
            self.check(path, keep, ["--task", f"{tasks[0]}-{tasks[1]}"])
        for low, high in (0x10008, 0x12008), (0x11000, 0x11008), (0x1100C, 0x12014):
            keep = np.flatnonzero((insns["addr"] >= low) & (insns["addr"] <= high))
            self.check(path, keep, ["--range", f"{low:#x}-{high:#x}"])

    def test_gap_for_unknown_registers(self):
        """A gap that is left out stays; where registers were told and are not known any more, one is put."""
        path, part = self.folder / "gap.txt", self.folder / "part.oct"
        told = [f"!register r{r}={r:08x}" for r in range(15)]
        add, unknown = "I:010080e2", "I:ffffffff"  # add r0, r0, #1; none
        insns = [f"{0x1000 + 4 * i:x}/4 {unknown if i == 3 else add}" for i in range(4)]
        path.write_text("\n".join(["# isa armv5te", *told, *insns, f"1000/4 {add}", f"1004/4 {add}", ""]))
        self.open(path)
        notes = run("convert", "--range", "0x1000-0x1004", path, part)
        with octrace.Session(path) as program, octrace.Session(part) as session:
            program.go(5)
            session.go(3)
            self.assertEqual(session.registers(), program.registers())
            self.assertEqual(len(session.gaps()), notes.count("1 gap"))
        # Of a pipe nothing is known.
        notes = subprocess.run(f"'{OCTRACE}' convert --range 0x1000-0x1004 - '{part}' <'{path}'", shell=True, capture_output=True, text=True).stderr
        chunk = octrace.read(part)
        self.assertEqual((len(chunk.insns), len(chunk.facts)), (4, 0))
        self.assertIn("registers and memory are left out", notes)


if __name__ == "__main__":
    unittest.main()
