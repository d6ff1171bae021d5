#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Do arrays hold the values of a trace, and does a session have the registers and the memory that follow from them?"""
import os
import pathlib
import subprocess
import tempfile
import unittest
from dataclasses import replace

import numpy as np

import octrace

SAMPLES = pathlib.Path(os.environ["SAMPLES"])
OCTRACE = os.environ["OCTRACE"]
DATA = SAMPLES.parent.parent / "tests/replay/data"
TEXT = """# isa riscv64
!register x2=0000004000800e40
10000 L8:4000800e40=00000000deadbeef S4:20=00000001 L4:24
!memory 30 16
!memory 40 =00ff10
10004 S1:21=fe
10008 L2:30=1234
!register x10=0000000000000007
"""


def read_text(text: str) -> octrace.Chunk:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.txt"
        path.write_text(text)
        return octrace.read(path, format="text")


class Values(unittest.TestCase):
    def assert_same_values(self, a: octrace.Chunk, b: octrace.Chunk):
        for one, two in (a.accesses, b.accesses), (a.facts, b.facts):
            self.assertEqual(len(one), len(two))
            self.assertEqual([a.bytes_of(e) for e in one], [b.bytes_of(e) for e in two])
        for name in "insn", "kind", "number", "addr", "n_bytes":
            np.testing.assert_array_equal(a.facts[name], b.facts[name])

    def test_values_are_those_of_the_text(self):
        chunk = read_text(TEXT)
        values = chunk.access_values()
        self.assertEqual(values.tolist(), [0xDEADBEEF, 1, None, 0xFE, 0x1234])
        self.assertEqual(chunk.bytes_of(chunk.accesses[1]), b"\1\0\0\0")
        self.assertIsNone(chunk.bytes_of(chunk.accesses[2]))
        facts = chunk.facts
        self.assertEqual(facts["kind"].tolist(), [octrace.FACT_REGISTER, octrace.FACT_MEMORY, octrace.FACT_MEMORY,
                                                  octrace.FACT_REGISTER])
        self.assertEqual(facts["insn"].tolist(), [0, 1, 1, 3])
        self.assertEqual(chunk.bytes_of(facts[0]), (0x4000800E40).to_bytes(8, "little"))
        self.assertIsNone(chunk.bytes_of(facts[1]))
        self.assertEqual((facts["addr"][2], chunk.bytes_of(facts[2])), (0x40, b"\0\xff\x10"))

    def test_values_come_back_from_a_file(self):
        for chunk in read_text(TEXT), octrace.read(DATA / "riscv64.oct"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "a.oct")
                octrace.write(path, chunk, block_insns=100)
                self.assert_same_values(octrace.read(path), chunk)
                with octrace.open(path) as trace:
                    self.assertEqual(sum(len(c.values) for c in trace), len(octrace.read(path).values))
                half = octrace.read(path, len(chunk.insns) // 2)
                np.testing.assert_array_equal(half.access_values(), chunk.access_values()[: len(half.accesses)])
                self.assertTrue(np.all(half.facts["insn"] < len(half.insns)))

    def test_a_trace_without_values_has_none(self):
        chunk = octrace.read(SAMPLES / "sha1.oct", 1000)
        self.assertEqual((len(chunk.values), len(chunk.facts), int(chunk.accesses["value"].max())), (0, 0, 0))
        self.assertTrue(chunk.access_values().mask.all())

    def test_what_does_not_fit_is_refused(self):
        chunk = read_text(TEXT)
        with tempfile.TemporaryDirectory() as folder:
            for other in (
                replace(chunk, values=chunk.values[:-1]),
                replace(chunk, facts=chunk.facts[::-1]),
                replace(chunk, facts=np.zeros(1, octrace.FACT)),
            ):
                with self.assertRaises(ValueError):
                    octrace.write(os.path.join(folder, "a.oct"), other)

    def test_replay_gives_values_back(self):
        chunk = octrace.read(DATA / "riscv64.oct")
        try:
            back = octrace.decompress(octrace.compress(chunk, "replay", keep_port=True))
        except octrace.OctraceError:
            self.skipTest("a build without an emulator")
        np.testing.assert_array_equal(back.access_values(), chunk.access_values())
        self.assertEqual(int(octrace.compress(chunk, "replay").counters["executed"] > len(chunk.insns) * 0.9), 1)


class State(unittest.TestCase):
    def test_gap(self):
        """After a gap no register is known until the trace tells them again."""
        registers = "".join(f"!register x{i}={16 * i:016x}\n" for i in range(32))
        insns = [f"{0x10000 + 4 * i:x} I:13051500\n" for i in range(9)]  # addi a0, a0, 1
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "gap.txt")
            path.write_text("".join(["# isa riscv64\n", registers, *insns[:4], "!gap lost\n", *insns[4:6], registers, *insns[6:]]))
            try:
                session = octrace.Session(path)
            except octrace.OctraceError as e:
                self.skipTest(str(e))
            told = []
            with session:
                for at in 3, 4, 5, 6, 8, 2:
                    session.go(at)
                    told.append(session.registers().get("x10"))
            self.assertEqual(told, [163, None, None, 160, 162, 162])

    def open(self, isa: str) -> octrace.Session:
        try:
            return octrace.Session(DATA / f"{isa}.oct")
        except octrace.OctraceError as e:
            self.skipTest(str(e))

    def test_memory_is_what_was_loaded_and_stored(self):
        for isa in "arm", "riscv64", "riscv32", "aarch64", "x86-64":
            chunk = octrace.read(DATA / f"{isa}.oct")
            makers = chunk.access_insns()
            with self.open(isa) as program:
                self.assertEqual(len(program), len(chunk.insns))
                for at in len(program), len(program) // 3, 1, len(program) * 2 // 3, 0:
                    memory: dict[int, int] = {}
                    facts = [f for f in chunk.facts[chunk.facts["insn"] <= at] if f["kind"] == octrace.FACT_MEMORY]
                    for i in np.flatnonzero(makers < at):
                        while facts and facts[0]["insn"] <= makers[i]:
                            f, told = facts[0], chunk.bytes_of(facts.pop(0))
                            for k in range(int(f["n_bytes"])):
                                memory[int(f["addr"]) + k] = told[k] if told else -1
                        value = chunk.bytes_of(chunk.accesses[i])
                        for k, byte in enumerate(value or b""):
                            memory[int(chunk.accesses["addr"][i]) + k] = byte
                    for f in facts:
                        for k in range(int(f["n_bytes"])):
                            memory[int(f["addr"]) + k] = -1
                    program.go(at)
                    self.assertEqual(program.at, at)
                    for addr in sorted(memory)[:: 7 if at else 1]:
                        if memory[addr] >= 0:
                            self.assertEqual(program.read(addr, 1), bytes([memory[addr]]), f"{isa}: {at}: {addr:#x}")
                    self.assertEqual(program.read(0x7000, 4), b"")
                    if at < len(program):
                        self.assertEqual(program.pc, int(chunk.insns["addr"][at]))

    def test_registers_are_those_that_the_trace_has(self):
        chunk = octrace.read(DATA / "riscv64.oct")
        with self.open("riscv64") as program:
            n = 0
            for fact in chunk.facts[::-1]:
                if fact["kind"] != octrace.FACT_REGISTER or not 1 <= fact["number"] < 32:
                    continue
                program.go(int(fact["insn"]))
                told = int.from_bytes(chunk.bytes_of(fact) or b"", "little")
                self.assertEqual(program.registers()[f"x{fact['number']}"], told, f"x{fact['number']}")
                n += 1
            self.assertGreater(n, 31)
            self.assertEqual((program.tasks(), program.task), ([program.task], program.task))

    def test_looking_at_registers_changes_nothing(self):
        for isa in "riscv32", "thumb", "aarch64", "x86-64":
            found = []
            for looks in False, True:
                with self.open(isa) as program:
                    for at in range(0, len(program), 997):
                        program.go(at)
                        if looks:
                            program.registers()
                    program.go(-1)
                    found.append(program.registers())
            self.assertEqual(found[0], found[1], isa)

    def test_stores_are_of_registers(self):
        """Execution between the facts: what `sd` stores is in a register before it."""
        chunk = octrace.read(DATA / "riscv64.oct")
        values, makers = chunk.access_values(), chunk.access_insns()
        stores = np.flatnonzero((chunk.accesses["is_store"] == 1) & ~values.mask & (chunk.accesses["size_bytes"] == 8))
        with self.open("riscv64") as program:
            for i in stores[:: max(1, len(stores) // 50)]:
                program.go(int(makers[i]))
                self.assertIn(int(values[i]), [*program.registers().values(), 0])

    def test_registers_behind_a_load_across_pages(self):
        """The emulator makes it of several, which are one access of the trace."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "across.txt"
            told = [f"!register r{r}={0x23fe if r == 1 else 16 * r:08x}" for r in range(15)]
            insns = ["1000/4 L4:23fe=44332211 I:000091e5", "1004/4 I:0000a0e1"]
            path.write_text("\n".join(["# isa armv7a", *told, *insns, ""]))
            with octrace.Session(path) as program:
                program.go(1)
                self.assertEqual((program.registers()["r0"], program.registers()["r2"]), (0x44332211, 0x20))

    def test_registers_behind_an_instruction_that_no_emulator_knows(self):
        """Where the trace tells them all there, also in what replay gives back, and also where none is news."""
        registers = {r: 16 * r for r in range(32)}
        lines = ["# isa riscv32"]
        for i, code in enumerate(("13051500", "0b000000", "0b050000", "13051500", "13051500")):  # addi a0, a0, 1; custom
            if i == 3:
                registers[10] = 7
            if i in (0, 2, 3):
                lines += [f"!register x{r}={value:08x}" for r, value in registers.items()]
            lines.append(f"{0x10000 + 4 * i:x}/4 I:{code}")
            registers[10] += code == "13051500"
        with tempfile.TemporaryDirectory() as folder:
            text, packed = pathlib.Path(folder, "a.txt"), pathlib.Path(folder, "a.octp")
            text.write_text("\n".join([*lines, ""]))
            subprocess.run([OCTRACE, "compress", "--tracer", "replay", "-o", packed, text], check=True, capture_output=True)
            for path in text, packed:
                try:
                    session = octrace.Session(path)
                except octrace.OctraceError as e:
                    self.skipTest(str(e))
                found = []
                with session:
                    for at in range(6):
                        session.go(at)
                        found.append(session.registers().get("x10"))
                self.assertEqual(found, [160, 161, 161, 7, 8, 9], path.name)

    def test_damage_leaves_the_sound_parts(self):
        with tempfile.TemporaryDirectory() as folder:
            text, packed, damaged = (pathlib.Path(folder, name) for name in ("a.txt", "a.octp", "damaged.octp"))
            told = [f"!register r{r}={65536 if r == 1 else 16 * r:08x}" for r in range(15)]
            state = 1
            insns = []
            for i in range(50000):
                state = state * 1103515245 + 12345 & 0x7FFFFFFF
                insns += [f"1000/4 L4:{65536 + 4 * i:x}={state * 2 & 0xFFFFFFFF:08x} I:040091e4", "1004/4 I:fdffffea"]
            text.write_text("\n".join(["# isa armv7a", *told, *insns, ""]))
            command = [OCTRACE, "compress", "--tracer", "replay", "-g", "replay,sync_insns=4096", "-o", packed, text]
            subprocess.run(command, check=True, capture_output=True)
            try:
                octrace.Session(packed).close()
            except octrace.OctraceError as e:
                self.skipTest(str(e))
            whole = bytearray(packed.read_bytes())
            self.assertGreater(len(whole), 110000)
            for place, end in (100000, len(whole)), (0, 140000):
                cut = whole[:end]
                if place:
                    cut[place : place + 6] = b"damage"
                damaged.write_bytes(cut)
                with octrace.Session(damaged) as program:
                    self.assertTrue(50000 < len(program) < 100000)
                    gaps = program.gaps()
                    self.assertEqual([g.cause for g in gaps], ["damage"])
                    self.assertTrue(0 < gaps[0].at <= len(program))
                    program.go(len(program) - 2)
                    self.assertEqual(program.registers()["r3"], 0x30)
            damaged.write_bytes(whole[:1000])
            with self.assertRaises(octrace.OctraceError):
                octrace.Session(damaged)

    def test_positions(self):
        with self.open("riscv64") as program:
            program.go(-1)
            self.assertEqual(program.at, len(program) - 1)
            for wrong in len(program) + 1, -len(program) - 1:
                with self.assertRaises(IndexError):
                    program.go(wrong)
        with self.assertRaises(ValueError):
            program.go(0)
        with self.assertRaises(octrace.OctraceError):
            octrace.Session(SAMPLES / "sha1.oct")


if __name__ == "__main__":
    unittest.main()
