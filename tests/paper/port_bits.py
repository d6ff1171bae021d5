#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""port_bits - are the port bits of every bundled trace what they were?

Holds CRCs of the port stream against a list: whole traces on the untimed engine, and the first 50000
instructions on the cycle engine, which loses some of them; with the parameters of version 1 of the
format, whose bits must stay what they are, and as they are by default. Only a change of the port format may change
the list, or on the cycle engine one of which events are lost: `port_bits.py --print` writes it anew.

Usage: OCTRACE=... SAMPLES=... port_bits.py [--print] LIST
"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

VERSION_1 = ",check_bits=0,check_period_bits=0,sync_period_bits=0"  # of the port format
GEOMETRIES = [name + version for version in ("", VERSION_1) for name in ("paper", "odd", "wide64")]
ENGINES = {"untimed": [], "cycle": ["--limit", "50000"]}
BITS, LOSS = 1, 3  # a kind of chunk (docs/container-format.md); an exit code


def port_bytes(path):
    data = path.read_bytes()
    at = 8 + 4 + struct.unpack_from("<I", data, 8)[0] + 8
    while at < len(data):
        kind, stored = data[at], struct.unpack_from("<I", data, at + 4)[0]
        at += 28
        if kind == BITS:
            yield data[at:at + stored]
        at += stored


def checksum(trace, geometry, engine, folder):
    out = folder / "port.octp"
    done = subprocess.run([os.environ["OCTRACE"], "compress", "-g", geometry, "--engine", engine,
                           *ENGINES[engine], trace, "-o", out], capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, LOSS):
        sys.exit(f"FAIL: {trace}: {done.stderr}")
    crc = n = 0
    for part in port_bytes(out):
        crc, n = zlib.crc32(part, crc), n + len(part)
    return f"{crc:08x} {n}"


def main():
    samples, listed = pathlib.Path(os.environ["SAMPLES"]), pathlib.Path(sys.argv[-1])
    with tempfile.TemporaryDirectory() as folder:
        now = [f"{trace.relative_to(samples)} {geometry} {engine} "
               f"{checksum(trace, geometry, engine, pathlib.Path(folder))}"
               for trace in sorted([*samples.glob("*.oct"), *samples.glob("isa/*.oct")])
               for geometry in GEOMETRIES for engine in ENGINES]
    if sys.argv[1] == "--print":
        listed.write_text("".join(line + "\n" for line in now), encoding="ascii")
        return
    known = set(listed.read_text(encoding="ascii").splitlines())
    others = [line for line in now if line not in known]
    sys.exit("\n".join(["FAIL: not what they were:", *others]) if others else None)


main()
