#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Does Python count what the command line counts, and do the port bytes come back as the trace?"""
import importlib.util
import os
import pathlib
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
                np.testing.assert_array_equal(back.insns["addr"], want.insns["addr"])
                if tracer.carries_data:
                    np.testing.assert_array_equal(back.accesses["addr"], want.accesses["addr"])

    def test_chunk_and_file_count_alike(self):
        info = octrace.open(CJPEG).info
        fitted = f"addr_bits={info.addr_bits},pc_align_bits=2"
        of_file = octrace.compress(CJPEG, geometry=fitted, limit=LIMIT)
        of_chunk = octrace.compress(octrace.read(CJPEG, LIMIT), geometry=fitted)
        self.assertEqual(of_file.counters, of_chunk.counters)

    def test_cycle_engine_loses_on_one_pin(self):
        result = octrace.compress(CJPEG, geometry={"port_pins": 1}, engine="cycle", limit=LIMIT)
        self.assertGreater(result.counters["lost_insns"] + result.counters["lost_accesses"], 0)


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

    def test_port_not_kept(self):
        with self.assertRaisesRegex(ValueError, "keep_port"):
            octrace.decompress(octrace.compress(CJPEG, limit=100))


if __name__ == "__main__":
    unittest.main()
