#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Does Python count what the command line counts, and do the port bytes come back as the trace?"""
import importlib.util
import os
import pathlib
import pickle
import tempfile
import unittest

import numpy as np

import octrace

SAMPLES = pathlib.Path(os.environ["SAMPLES"])
CJPEG = SAMPLES / "cjpeg.oct"
LIMIT = 20000


class Tables(unittest.TestCase):
    def test_paper_describes_itself(self):
        paper = octrace.tracers()["paper"]
        self.assertIs(paper.has_cycle_engine, True)
        self.assertIn("tiny", paper.geometries)
        by_name = {p.name: p for p in paper.parameters}
        self.assertEqual(by_name["sc_ways"].default, 4)
        self.assertTrue(all(p.min <= p.default <= p.max for p in paper.parameters))


class Compressing(unittest.TestCase):
    def test_every_tracer_gives_the_trace_back(self):
        want = octrace.read(CJPEG, LIMIT)
        for name, tracer in octrace.tracers().items():
            with self.subTest(tracer=name):
                try:
                    result = octrace.compress(CJPEG, name, limit=LIMIT, keep_port=True)
                except octrace.OctraceError as error:
                    self.assertEqual(error.name, "OCT_ERR_UNSUPPORTED")
                    continue
                self.assertEqual(result.counters["insns"], LIMIT)
                self.assertLessEqual(result.port_bits, 8 * len(result.port))
                parts = result.insn_bits + result.data_bits + result.sync_bits + result.overhead_bits
                self.assertEqual(parts, result.port_bits)
                back = octrace.decompress(result)
                self.assertEqual((back.isa, back.addr_bits, back.insn_align_bytes),
                                 (want.isa, want.addr_bits, want.insn_align_bytes))
                if not tracer.carries_data:
                    np.testing.assert_array_equal(back.insns["addr"], want.insns["addr"])
                    continue
                np.testing.assert_array_equal(back.insns, want.insns)
                for field in ("addr", "is_store"):
                    np.testing.assert_array_equal(back.accesses[field], want.accesses[field])
                self.assertEqual(octrace.compress(back, name).port_bits, result.port_bits)

    def test_result_goes_to_another_process(self):
        result = octrace.compress(CJPEG, limit=LIMIT, keep_port=True)
        copy = pickle.loads(pickle.dumps(result))
        self.assertEqual(copy, result)
        np.testing.assert_array_equal(octrace.decompress(copy).insns, octrace.decompress(result).insns)

    def test_chunk_and_file_count_alike(self):
        info = octrace.open(CJPEG).info
        fitted = f"addr_bits={info.addr_bits},pc_align_bits=2"
        of_file = octrace.compress(CJPEG, geometry=fitted, limit=LIMIT)
        of_chunk = octrace.compress(octrace.read(CJPEG, LIMIT), geometry=fitted)
        self.assertEqual(of_file.counters, of_chunk.counters)

    def test_alignment_and_width_are_found(self):
        n = 70000
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.txt")
            lines = [f"{0x8000 + 4 * (i % 90):x} {0x10000 + i % 77:x}" for i in range(n)]
            pathlib.Path(path).write_text("\n".join(lines))
            found = octrace.compress(path)
            given = octrace.compress(path, geometry={"pc_align_bits": 2})
            self.assertEqual(found.parameters, given.parameters)
            self.assertEqual(found.port_bits, given.port_bits)
            self.assertEqual(octrace.sweep(path, [{}])[0].parameters["pc_align_bits"], 2)
            with octrace.open(path) as trace:
                trace.read(10)
                self.assertEqual(octrace.compress(trace).parameters["pc_align_bits"], 2)
            self.assertEqual(octrace.compress(octrace.read(path)).port_bits, found.port_bits)
            self.assertEqual(octrace.compress(path, geometry="pc_align_bits=0").parameters["pc_align_bits"], 0)
            pathlib.Path(path).write_text("\n".join(lines + ["8002", ""]))
            with self.assertRaisesRegex(octrace.OctraceError, r"instruction 70000 \(0x8002\).*pc_align_bits=0"):
                octrace.compress(path)
            octrace.compress(path, geometry="pc_align_bits=0")
            octrace.sweep(path, [{"pc_align_bits": 0}])

    def test_chunk_knows_its_machine(self):
        of_file = octrace.compress(CJPEG, limit=LIMIT)
        chunk = octrace.read(CJPEG, LIMIT)
        self.assertEqual((chunk.isa, chunk.addr_bits, chunk.insn_align_bytes), ("armv5te", 32, 4))
        own = octrace.Chunk(chunk.insns, chunk.accesses, chunk.map)
        for one in chunk, own:
            self.assertEqual(octrace.compress(one).parameters, of_file.parameters)
            self.assertEqual(octrace.sweep(one, ["paper"])[0].parameters["addr_bits"], 32)
        self.assertEqual(octrace.compress(chunk).port_bits, of_file.port_bits)
        high = chunk.accesses.copy()
        high["addr"][-1] = 1 << 32
        wide = octrace.compress(octrace.Chunk(chunk.insns, high, chunk.map))
        self.assertEqual(wide.parameters["addr_bits"], 64)

    def test_figures_of_another_engine(self):
        untimed = octrace.compress(CJPEG, limit=100)
        self.assertIsNone(untimed.figures["port_busy"])
        self.assertIsInstance(octrace.compress(CJPEG, limit=100, engine="cycle").figures["port_busy"], float)

    def test_cycle_engine_loses_on_one_pin(self):
        result = octrace.compress(CJPEG, geometry={"port_pins": 1}, engine="cycle", limit=LIMIT)
        self.assertGreater(result.counters["lost_insns"] + result.counters["lost_accesses"], 0)


    def test_stamps_let_instructions_retire(self):
        chunk = octrace.read(CJPEG, 3000)
        insns = chunk.insns.copy()

        def run():
            own = octrace.Chunk(insns, chunk.accesses, chunk.map)
            return octrace.compress(own, engine="cycle", arrival="stamps", geometry="port_pins=16")

        with self.assertRaisesRegex(octrace.OctraceError, "expected cycle stamps.*none in the first 3000"):
            run()
        insns["flags"][::2] |= octrace.FLAG_HAS_CYCLE
        insns["cycle"][::2] = np.arange(1500) * 20
        self.assertGreater(run().counters["cycles"], 29000)
        insns["cycle"][2000] = 7
        with self.assertRaisesRegex(octrace.OctraceError, "instruction 2000: expected a cycle stamp of 19980 or later; found 7"):
            run()


class Sweeping(unittest.TestCase):
    def test_rows_equal_single_runs(self):
        for name in octrace.tracers():
            tracer = octrace.tracers()[name]
            geometries = list(tracer.geometries)[:3]
            with self.subTest(tracer=name):
                try:
                    rows = octrace.sweep(CJPEG, geometries, name, limit=LIMIT)
                except octrace.OctraceError as error:
                    self.assertIn(error.name, ("OCT_ERR_UNSUPPORTED", "OCT_ERR_LIMIT"))
                    continue
                for geometry, row in zip(geometries, rows):
                    alone = octrace.compress(CJPEG, name, geometry, limit=LIMIT)
                    self.assertEqual((row.port_bits, row.state_bytes), (alone.port_bits, alone.state_bytes))

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not there")
    def test_frame(self):
        frame = octrace.frame(octrace.sweep(CJPEG, [{"sc_ways": w} for w in (1, 2, 4)], limit=LIMIT))
        self.assertEqual(list(frame["sc_ways"]), [1, 2, 4])
        self.assertTrue((frame["bits_per_insn"] > 0).all())

    def test_nothing_to_sweep(self):
        self.assertEqual(octrace.sweep(CJPEG, [], limit=10), [])


class BadInput(unittest.TestCase):
    def test_unknown_tracer_and_parameter(self):
        with self.assertRaisesRegex(ValueError, "expected one of paper"):
            octrace.compress(CJPEG, "nonsense")
        with self.assertRaisesRegex(octrace.OctraceError, "sc_wags"):
            octrace.compress(CJPEG, geometry={"sc_wags": 4})
        with self.assertRaisesRegex(ValueError, "untimed"):
            octrace.compress(CJPEG, engine="fast")
        for wrong in {"stall_milli": 1000}, {"stall_milli": -1}, {"seed": -1}:
            with self.assertRaisesRegex(ValueError, f"{next(iter(wrong))}: expected a number from 0 to"):
                octrace.compress(CJPEG, engine="cycle", **wrong)

    def test_arguments_of_another_kind(self):
        for one in "tiny", {"sc_ways": 2}, 5:
            with self.assertRaisesRegex(TypeError, "^geometries: expected a list of geometries; found"):
                octrace.sweep(CJPEG, one, limit=100)
        for value in "4,dasc_entries=64", 1.5:
            with self.assertRaisesRegex(TypeError, "^sc_ways: expected a whole number; found"):
                octrace.compress(CJPEG, geometry={"sc_ways": value}, limit=100)
        self.assertEqual(octrace.compress(CJPEG, geometry={"sc_ways": np.int64(2)}, limit=100).parameters["sc_ways"], 2)
        with self.assertRaisesRegex(TypeError, "^result: expected what compress.*; found str"):
            octrace.decompress("file")
        with self.assertRaisesRegex(TypeError, "^tracer: expected a text; found int"):
            octrace.compress(CJPEG, 5)
        chunk = octrace.read(CJPEG, 100)
        for name in "addr_bits", "insn_align_bytes":
            with self.assertRaisesRegex(TypeError, f"^{name}: expected a whole number; found 'x'"):
                octrace.compress(octrace.Chunk(chunk.insns, chunk.accesses, chunk.map, **{name: "x"}))

    def test_port_not_kept(self):
        with self.assertRaisesRegex(ValueError, "keep_port"):
            octrace.decompress(octrace.compress(CJPEG, limit=100))


if __name__ == "__main__":
    unittest.main()
