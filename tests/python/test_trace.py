#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Do arrays hold what a trace holds, and do traces written from arrays hold what the arrays hold?"""
import concurrent.futures
import copy
import os
import pathlib
import pickle
import tempfile
import unittest
import warnings

import numpy as np

import octrace

SAMPLES = pathlib.Path(os.environ["SAMPLES"])
DATA = SAMPLES.parent.parent / "tests/traces/data"
FOREIGN = SAMPLES / "foreign"
SEED = int(os.environ.get("OCT_TEST_SEED") or int.from_bytes(os.urandom(4), "little"))
print(f"test_trace: OCT_TEST_SEED={SEED}")


def random_chunk(seed: int, n: int = 70000) -> octrace.Chunk:
    """Instructions one after the other, with jumps, tasks, stamps and 0 to 3 loads of 4 bytes each."""
    rng = np.random.default_rng(seed)
    insns = np.zeros(n, octrace.INSN)
    insns["addr"] = 0x10000 + 4 * np.cumsum(rng.choice([1, 1, 1, 1, -3, 17], n)) + 4096 * 1024
    insns["size_bytes"] = 4
    insns["task"] = rng.integers(0, 3, n)
    insns["n_access"] = (insns["addr"] // 4) % 4
    insns["cycle"] = np.cumsum(rng.integers(1, 9, n))
    insns["flags"] = octrace.FLAG_HAS_CYCLE
    accesses = np.zeros(int(insns["n_access"].sum()), octrace.ACCESS)
    accesses["addr"] = rng.integers(0, 1 << 32, len(accesses))
    accesses["size_bytes"] = 4
    traps = np.zeros(300, octrace.TRAP)
    traps["insn"] = np.sort(rng.integers(0, n + 1, len(traps)))
    traps["kind"] = rng.integers(0, 3, len(traps))
    traps["privilege"] = rng.integers(0, 8, len(traps))
    is_trap = traps["kind"] != octrace.TRAP_PRIVILEGE
    traps["cause"][is_trap] = rng.integers(0, 64, is_trap.sum())
    traps["addr"][is_trap] = rng.integers(0, 1 << 32, is_trap.sum())
    traps["tval"][traps["kind"] == octrace.TRAP_EXCEPTION] = 0x1234
    traps["insn"][-1] = n  # behind the last instruction
    return octrace.Chunk(insns, accesses, np.empty(0, octrace.MAP_ENTRY), traps=traps)


class Reading(unittest.TestCase):
    def test_a_text_that_may_be_cut(self):
        whole = "8000 L4:1000\n8004\n"
        for text, told in ((whole, []),
                           (whole + "8008", ["the last line of the trace has no line end: it may be cut off"]),
                           (whole + "8008 L4:",
                            ["the last line of the trace has no line end and is left out: it may be cut off"])):
            with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as got:
                warnings.simplefilter("always")
                path = pathlib.Path(folder) / "trace.txt"
                path.write_text(text)
                octrace.read(path, isa="arm", limit=1)
                octrace.read(path, isa="arm")
                self.assertEqual([str(w.message) for w in got], told)

    def test_sample_has_its_size(self):
        with octrace.open(SAMPLES / "sha1.oct") as trace:
            info = trace.info
            self.assertEqual((info.format, info.isa, info.addr_bits), ("native", "armv5te", 32))
            n = accesses = 0
            for chunk in trace:
                self.assertEqual(chunk.first_insn, n)
                self.assertEqual(chunk.insns["n_access"].sum(dtype=int), len(chunk.accesses))
                n += len(chunk.insns)
                accesses += len(chunk.accesses)
            self.assertEqual((n, accesses), (info.n_insns, info.n_accesses))

    def test_limit_and_skip_cut_the_same_trace(self):
        whole = octrace.read(SAMPLES / "cjpeg.oct", 100000)
        part = octrace.read(SAMPLES / "cjpeg.oct", 1000, skip=70123)
        self.assertEqual(part.first_insn, 70123)
        np.testing.assert_array_equal(part.insns["addr"], whole.insns["addr"][70123:71123])
        first = whole.access_starts()[70123]
        np.testing.assert_array_equal(
            part.accesses["addr"], whole.accesses["addr"][first : first + len(part.accesses)]
        )
        self.assertEqual(len(octrace.read(SAMPLES / "cjpeg.oct", 0).insns), 0)

    def test_copies_hold_every_byte(self):
        for dtype in (octrace.INSN, octrace.ACCESS, octrace.MAP_ENTRY):
            self.assertEqual(sum(dtype[name].itemsize for name in dtype.names), dtype.itemsize)
            raw = np.frombuffer(bytes(range(1, dtype.itemsize + 1)), dtype)
            self.assertEqual(raw.copy().tobytes(), raw.tobytes())

    def test_access_insns_name_the_maker(self):
        chunk = octrace.read(SAMPLES / "cjpeg.oct", 5000)
        makers = chunk.access_insns()
        np.testing.assert_array_equal(np.bincount(makers, minlength=5000), chunk.insns["n_access"])
        np.testing.assert_array_equal(makers[chunk.access_starts()[chunk.insns["n_access"] > 0]],
                                      np.nonzero(chunk.insns["n_access"])[0])

    def test_formats(self):
        self.assertTrue(octrace.formats()["native"])
        self.assertFalse(octrace.formats()["simplescalar"])

    def test_gaps(self):
        """Gaps are facts, which a trace keeps."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "a.txt").write_text("# isa riscv64\n!gap beginning\n10000\n10004\n!gap no-image A:5000 I:3\n10008\n!gap lost\n")
            chunk = octrace.read(path / "a.txt")
            gaps = chunk.facts[chunk.facts["kind"] == octrace.FACT_GAP]
            self.assertEqual([octrace.GAP_CAUSES[number] for number in gaps["number"]], ["beginning", "no-image", "lost"])
            self.assertEqual(gaps["insn"].tolist(), [0, 2, 3])
            self.assertEqual(gaps["addr"].tolist(), [0, 0x5000, 0])
            self.assertEqual(chunk.bytes_of(gaps[1]), (3).to_bytes(8, "little") + b"\xff" * 8)
            self.assertIsNone(chunk.bytes_of(gaps[0]))
            octrace.write(path / "b.oct", chunk)
            with octrace.open(path / "b.oct") as trace:
                again = trace.read()
                self.assertEqual(trace.gaps, 3)
            np.testing.assert_array_equal(again.facts, chunk.facts)



class Writing(unittest.TestCase):
    def test_round_trip(self):
        chunk = random_chunk(SEED)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.oct")
            octrace.write(path, chunk, isa="armv5te", addr_bits=32, insn_align_bytes=4)
            back = octrace.read(path)
            with octrace.open(path) as trace:
                self.assertEqual((trace.info.isa, trace.info.insn_align_bytes), ("armv5te", 4))
        for name in ("addr", "size_bytes", "task", "n_access", "cycle"):
            np.testing.assert_array_equal(back.insns[name], chunk.insns[name], f"{name}, seed {SEED}")
        np.testing.assert_array_equal(back.accesses, chunk.accesses, f"seed {SEED}")
        np.testing.assert_array_equal(back.traps, chunk.traps, f"seed {SEED}")

    def test_a_chunk_keeps_what_its_trace_says(self):
        def kind(path):
            with octrace.open(path) as trace:
                return trace.info.isa, trace.info.addr_bits, trace.info.insn_align_bytes

        own = random_chunk(SEED, 100)
        wide = octrace.Chunk(own.insns.copy(), own.accesses, own.map)
        wide.insns["addr"][7] = 1 << 40
        wide.insns["flags"] = wide.insns["cycle"] = 0  # it follows own
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.oct")
            for sample in SAMPLES / "sha1.oct", SAMPLES / "isa" / "riscv64.oct", SAMPLES / "isa" / "x86-64.oct":
                octrace.write(path, octrace.read(sample, 100))
                self.assertEqual(kind(path), kind(sample))
                with octrace.open(sample) as trace:  # the first of several chunks says it
                    octrace.write(path, trace)
                self.assertEqual(kind(path), kind(sample))
                back, whole = octrace.read(path), octrace.read(sample)
                for name in "addr", "size_bytes", "task", "n_access":
                    np.testing.assert_array_equal(back.insns[name], whole.insns[name])
                np.testing.assert_array_equal(back.accesses, whole.accesses)
            # What is given goes first; a chunk of one's own has the width that its addresses need.
            octrace.write(path, octrace.read(SAMPLES / "sha1.oct", 100), isa="thumb", addr_bits=64, insn_align_bytes=2)
            self.assertEqual(kind(path), ("thumb", 64, 2))
            octrace.write(path, own)
            self.assertEqual(kind(path), ("unknown", 32, 1))
            octrace.write(path, wide)
            self.assertEqual(kind(path), ("unknown", 64, 1))
            # Of several only the first is known when the file begins.
            octrace.write(path, iter([own, wide]))
            self.assertEqual(kind(path), ("unknown", 64, 1))
            octrace.write(path, [])
            self.assertEqual(kind(path), ("unknown", 64, 1))

    def test_traps_through_a_tracer(self):
        chunk = random_chunk(SEED, 3000)
        for tracer in ("paper", "shadow"):
            result = octrace.compress(chunk, tracer=tracer, geometry="traps=1", keep_port=True)
            back = octrace.decompress(result)
            np.testing.assert_array_equal(back.traps, chunk.traps, f"{tracer}, seed {SEED}")

    def test_traps_alone(self):
        chunk = random_chunk(SEED, 100)
        traps = chunk.traps[-1:].copy()
        traps["insn"] = 0
        alone = octrace.Chunk(chunk.insns[:0], chunk.accesses[:0], chunk.map, traps=traps)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.oct")
            octrace.write(path, [chunk, alone], addr_bits=32)
            back = octrace.read(path)
        self.assertEqual(len(back.traps), len(chunk.traps) + 1)
        self.assertEqual(back.traps["insn"][-1], 100)

    def test_traps_out_of_order(self):
        chunk = random_chunk(SEED, 100)
        wrong = octrace.Chunk(chunk.insns, chunk.accesses, chunk.map, traps=chunk.traps[::-1])
        with self.assertRaisesRegex(ValueError, "traps"):
            octrace.write(os.devnull, wrong)

    def test_fewer_fields_and_text(self):
        insns = np.zeros(3, [("addr", "u8"), ("size_bytes", "u1"), ("n_access", "i8")])
        insns["addr"], insns["size_bytes"], insns["n_access"] = [16, 20, 24], 4, [0, 1, 0]
        accesses = np.array([(4096,)], [("addr", "u8")])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.txt")
            octrace.write(path, octrace.Chunk(insns, accesses, np.empty(0, octrace.MAP_ENTRY)), format="text")
            back = octrace.read(path)
        np.testing.assert_array_equal(back.insns["addr"], [16, 20, 24])
        np.testing.assert_array_equal(back.accesses["addr"], [4096])


class BadInput(unittest.TestCase):
    def test_no_file(self):
        with self.assertRaises(octrace.OctraceError) as caught:
            octrace.open("no-such-file")
        self.assertEqual(caught.exception.name, "OCT_ERR_IO")
        self.assertIn("no-such-file", str(caught.exception))

    def test_parameters_of_trace_units(self):
        elf = DATA / "mixed-riscv64.elf"
        chunk = octrace.read(DATA / "mixed-riscv64.oct", 5000, elf=elf)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "stream"
            sizes = []
            for params in ("", ":implicit_return=1"):
                octrace.write(path, chunk, format="etrace" + params)
                back = octrace.read(path, format="etrace:addr_bits=64" + params.replace(":", ","), elf=elf)
                np.testing.assert_array_equal(back.insns["addr"], chunk.insns["addr"])
                sizes.append(path.stat().st_size)
            self.assertLess(sizes[1], sizes[0])
            with self.assertRaisesRegex(octrace.OctraceError, "nonesuch"):
                octrace.read(path, format="etrace:nonesuch=1", elf=elf)

    def test_what_content_does_not_tell(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "raw"
            np.arange(0x123456789A, 0x123456789A + 800, 8, dtype="<u8").tofile(path)
            with self.assertRaises(octrace.OctraceError):
                octrace.read(path)
            np.testing.assert_array_equal(octrace.read(path, otherwise="da64").accesses["addr"][:2],
                                          [0x123456789A, 0x12345678A2])

    def test_limit_of_the_map_and_blocks(self):
        with self.assertRaisesRegex(octrace.OctraceError, "more than 5 entries of the program map"):
            octrace.read(SAMPLES / "sha1.oct", max_map=5)
        chunk = octrace.read(SAMPLES / "sha1.oct", 3000)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "t.oct"
            octrace.write(path, chunk, block_insns=1000)
            with octrace.open(path) as trace:
                self.assertEqual([len(c.insns) for c in trace], [1000, 1000, 1000])
                self.assertEqual(trace.gaps, 0)

    def test_unknown_format(self):
        with self.assertRaisesRegex(ValueError, "expected one of .*native"):
            octrace.open(SAMPLES / "sha1.oct", format="nonsense")

    def test_limit_below_zero(self):
        for run in octrace.read, lambda path, limit: octrace.compress(path, limit=limit):
            with self.assertRaisesRegex(ValueError, "limit: expected 0 or more; found -1"):
                run(SAMPLES / "sha1.oct", -1)

    def test_numbers_that_cannot_be(self):
        sample = SAMPLES / "sha1.oct"
        for wrong in {"skip": -1}, {"skip": 1 << 64}, {"insn_bytes": 99}, {"insn_bytes": -1}, {"elf_bias": -1}:
            with self.assertRaisesRegex(ValueError, f"{next(iter(wrong))}: expected a number from 0 to"):
                octrace.open(sample, **wrong)
        n = octrace.open(sample).info.n_insns
        self.assertEqual(len(octrace.read(sample, skip=n - 1).insns), 1)
        for skip in n, 99999999:
            with self.assertRaisesRegex(ValueError, f"sha1.oct: skip={skip} leaves nothing"):
                octrace.open(sample, skip=skip)
        for run in octrace.open, lambda path: octrace.write(path, random_chunk(SEED, 10)):
            with self.assertRaisesRegex(ValueError, "^path: expected the name of a file"):
                run("")

    def test_addresses_that_are_not_as_the_trace_says(self):
        chunk = random_chunk(SEED, 100)
        insns, accesses = chunk.insns.copy(), chunk.accesses.copy()
        insns["addr"][50] = 1 << 40
        accesses["addr"][0] = 1 << 32
        with tempfile.TemporaryDirectory() as folder:
            for name, format in ("a.oct", "native"), ("a.txt", "text"):
                path = os.path.join(folder, name)
                wide = octrace.Chunk(insns, chunk.accesses, chunk.map)
                with self.assertRaisesRegex(octrace.OctraceError, r"instruction 50 \(0x10000000000\).* 32 bits"):
                    octrace.write(path, wide, format=format, addr_bits=32)
                with self.assertRaisesRegex(octrace.OctraceError, r"0x100000000.* 32 bits"):
                    octrace.write(path, octrace.Chunk(chunk.insns, accesses, chunk.map), format=format, addr_bits=32)
            insns["addr"][50] = 0x8002
            odd = octrace.Chunk(insns, chunk.accesses, chunk.map)
            path = os.path.join(folder, "a.oct")
            with self.assertRaisesRegex(octrace.OctraceError, r"instruction 50 \(0x8002\).* multiple of 4 bytes"):
                octrace.write(path, odd, insn_align_bytes=4)
            octrace.write(path, odd, insn_align_bytes=2)
            os.unlink(path)
            self.assertEqual(os.listdir(folder), [])

    def test_description_that_no_reader_takes(self):
        chunk = random_chunk(SEED, 100)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.oct")
            for wrong in {"addr_bits": 7}, {"insn_align_bytes": 3}, {"insn_align_bytes": 0}:
                with self.assertRaisesRegex(octrace.OctraceError, next(iter(wrong))):
                    octrace.write(path, chunk, **wrong)
            self.assertEqual(os.listdir(folder), [])

    def test_arrays_that_do_not_fit(self):
        chunk = random_chunk(SEED, 100)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.oct")
            short = octrace.Chunk(chunk.insns, chunk.accesses[1:], chunk.map)
            with self.assertRaisesRegex(ValueError, "accesses"):
                octrace.write(path, short)
            with self.assertRaisesRegex(TypeError, "unknown fields"):
                octrace.write(path, octrace.Chunk(np.zeros(1, [("pc", "u8")]), chunk.accesses[:0], chunk.map))
            self.assertEqual(os.listdir(folder), [])

    def test_fields_that_no_reader_takes(self):
        wrong = {"size_bytes": (0, 200), "cls": (8, 255), "flags": (8, 255), "n_slots": (), "code_isa": (10, 255)}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.oct")

            def refused(what, chunk):
                with self.assertRaisesRegex((octrace.OctraceError, ValueError), what):
                    octrace.write(path, chunk)
                self.assertEqual(os.listdir(folder), [])

            for field in set(octrace.MAP_ENTRY.names) & set(wrong):
                for value in wrong[field]:
                    chunk = random_chunk(SEED, 100)
                    entries = np.zeros(3, octrace.MAP_ENTRY)
                    entries["size_bytes"] = 4
                    entries[field][1] = value
                    refused(rf"map\[1\]: {field}: expected .*; found {value}$",
                            octrace.Chunk(chunk.insns, chunk.accesses, entries))
            chunk = random_chunk(SEED)
            chunk.insns["flags"][66000] = 255  # of the second piece that the library is given
            refused(r"insns\[66000\]: flags: expected .*; found 255$", chunk)
            chunk = random_chunk(SEED)
            chunk.insns["flags"][66000] = 0
            chunk.insns["cycle"][66000] = 7
            refused(r"insns\[66000\]: cycle: expected .*; found 7$", chunk)
            chunk = random_chunk(SEED)
            chunk.accesses["is_store"][-1] = 7
            refused(rf"accesses\[{len(chunk.accesses) - 1}\]: is_store: expected 0 or 1; found 7$", chunk)

    def test_arguments_of_another_kind(self):
        chunk = random_chunk(SEED, 100)
        traps = octrace.Chunk(chunk.insns, chunk.accesses, chunk.map, np.empty(1, octrace.TRAP))
        with self.assertRaisesRegex(TypeError, "first_insn: expected a number; found ndarray"):
            octrace.write(os.devnull, traps)
        with self.assertRaisesRegex(TypeError, "geometry: expected a text or a mapping; found int"):
            octrace.compress(chunk, geometry=5)

        sample = SAMPLES / "sha1.oct"
        for wrong in {"skip": 1.5}, {"insn_bytes": "4"}, {"max_map": None}:
            with self.assertRaisesRegex(TypeError, f"^{next(iter(wrong))}: expected a whole number; found"):
                octrace.open(sample, **wrong)
        for wrong in {"isa": 5}, {"format": 5}, {"otherwise": 5}:
            with self.assertRaisesRegex(TypeError, f"^{next(iter(wrong))}: expected a text; found int"):
                octrace.open(sample, **wrong)
        for wrong in {"level": 1.5}, {"block_insns": 1.5}, {"addr_bits": 32.0}, {"insn_align_bytes": "4"}:
            with self.assertRaisesRegex(TypeError, f"^{next(iter(wrong))}: expected a whole number; found"):
                octrace.write(os.devnull, chunk, **wrong)
        for name in "isa", "origin", "command":
            with self.assertRaisesRegex(TypeError, f"^{name}: expected a text; found int"):
                octrace.write(os.devnull, chunk, **{name: 5})
        with self.assertRaisesRegex(ValueError, r"^isa: expected a printable name; found 'foo\\nbar'"):
            octrace.write(os.devnull, chunk, isa="foo\nbar")
        with self.assertRaisesRegex(TypeError, "^limit: expected a whole number; found 1.5"):
            octrace.read(sample, 1.5)
        with self.assertRaisesRegex(TypeError, "^path: expected the name of a file; found int"):
            octrace.read(5)

    def test_damage_comes_after_what_stands_before(self):
        data = (SAMPLES / "sha1.oct").read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "cut.oct")
            path.write_bytes(data[: len(data) // 2])
            got = 0
            with octrace.open(path) as trace, self.assertRaises(octrace.OctraceError):
                for chunk in trace:
                    got += len(chunk.insns)
            self.assertGreater(got, 0)

    def test_numbers_that_fields_cannot_hold(self):
        accesses, entries = np.empty(0, octrace.ACCESS), np.empty(0, octrace.MAP_ENTRY)
        for field, kind, values in (("addr", "f8", [1, 2.5]), ("addr", "i8", [4, -4]), ("size_bytes", "i4", [4, 300]),
                                    ("addr", "f8", [4, np.nan]), ("addr", "f8", [4, 1e30])):
            insns = np.zeros(2, [("addr", "u8"), ("size_bytes", "u1")]).astype(
                [(name, kind if name == field else "u8") for name in ("addr", "size_bytes")])
            insns["size_bytes"] = 4
            insns[field] = values
            with self.assertRaisesRegex(ValueError, rf"insns: {field}\[1\]: expected a whole number that fits"):
                octrace.write(os.devnull, octrace.Chunk(insns, accesses, entries))
        flat = random_chunk(SEED, 100)
        with self.assertRaisesRegex(TypeError, "insns: expected an array of one dimension; found 2"):
            octrace.write(os.devnull, octrace.Chunk(flat.insns.reshape(10, 10), flat.accesses, flat.map))
        for wrong, found in ((None, "NoneType"), (7, "int"), ("abc", "str of str"), ([flat, 1], "list of int"),
                             (np.arange(3), "ndarray of int64")):
            with self.assertRaisesRegex(TypeError, f"^chunks: expected a Chunk, or an iterable of them; found {found}$"):
                octrace.write(os.devnull, wrong)

    def test_texts_that_c_would_cut(self):
        chunk = random_chunk(SEED, 10)
        sample = str(SAMPLES / "sha1.oct")
        for run in (lambda: octrace.open(sample + "\0x"), lambda: octrace.open(sample, elf="a\0b"),
                    lambda: octrace.write(os.devnull + "\0", chunk), lambda: octrace.write(os.devnull, chunk, isa="arm\0")):
            with self.assertRaisesRegex(ValueError, "expected a text without bytes of 0"):
                run()

    def test_no_copies_of_an_open_trace(self):
        with octrace.open(SAMPLES / "sha1.oct") as trace:
            for run in copy.copy, copy.deepcopy, pickle.dumps:
                with self.assertRaisesRegex(TypeError, "cannot be copied"):
                    run(trace)
            self.assertEqual(len(trace.read(10).insns), 10)
        with self.assertRaises(TypeError):
            octrace.open(SAMPLES / "sha1.oct", nonsense=1)

    def test_a_trace_is_read_once(self):
        with octrace.open(SAMPLES / "sha1.oct") as trace:
            self.assertEqual(sum(len(chunk.insns) for chunk in trace), trace.info.n_insns)
            for run in lambda: list(trace), trace.read, lambda: octrace.compress(trace):
                with self.assertRaisesRegex(ValueError, "read to its end: open it again"):
                    run()

    def test_threads_share_a_trace(self):
        want = octrace.read(SAMPLES / "sha1.oct")
        with octrace.open(SAMPLES / "sha1.oct") as trace:
            readers = [iter(trace) for _ in range(8)]
            with concurrent.futures.ThreadPoolExecutor(len(readers)) as pool:
                parts = [chunk for chunks in pool.map(list, readers) for chunk in chunks]
        parts.sort(key=lambda chunk: chunk.first_insn)
        np.testing.assert_array_equal(np.concatenate([chunk.insns for chunk in parts]), want.insns)
        np.testing.assert_array_equal(np.concatenate([chunk.accesses for chunk in parts]), want.accesses)

    def test_words_of_python_in_messages(self):
        sample, thin = SAMPLES / "sha1.oct", DATA / "mixed-riscv64.oct"
        chunk = octrace.read(sample, 100)
        with tempfile.TemporaryDirectory() as folder:
            raw = pathlib.Path(folder) / "raw"
            raw.write_bytes(bytes(range(256)) * 7)
            for run, text in ((lambda: octrace.read(raw), "that octrace can recognise, or format for"),
                              (lambda: octrace.open(sample, isa="riscv64"), "but isa is riscv64: leave isa out"),
                              (lambda: octrace.open(sample, max_map=5).read(), r"\(max_map allows more\)"),
                              (lambda: octrace.read(thin, elf=DATA / "mixed-x86-64.elf"), "x86-64: expected one for")):
                with self.assertRaisesRegex(octrace.OctraceError, text) as caught:
                    run()
                self.assertNotIn("--", str(caught.exception))
                self.assertTrue(caught.exception.path and str(caught.exception).startswith(caught.exception.path))
        self.assertEqual(len(chunk.insns), 100)

    def test_closed(self):
        trace = octrace.open(SAMPLES / "sha1.oct")
        trace.close()
        trace.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            trace.read()


if __name__ == "__main__":
    unittest.main()
