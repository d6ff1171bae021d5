#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""print-segments.py [--octrace FILE] TRACE... - the cost of segments of a codec file that can each be
read without the others: bytes of the file with all segments in one group, and with a group for each, as a table in
Markdown with the mean and the most over the traces. With --sizes, instead: bytes of the files with segments
of so many MiB (of the codec `shadow`: of so many million instructions and accesses). With --damage N too: of N files
with a wrong byte, each at another place, how many instructions `decompress --salvage` lacks, the median and the most, in
percent of the trace."""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import one_line

ROOT = pathlib.Path(__file__).resolve().parents[2]


def size(octrace, codec, trace):
    done = subprocess.run([octrace, "compress", "--codec", codec, "-o", "-", trace], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return len(done.stdout)


def losses(octrace, codec, trace, n):
    """Shares of the instructions that n files with a wrong byte do not give back, in percent."""
    with tempfile.TemporaryDirectory() as folder:
        file, gaps = pathlib.Path(folder, "file"), pathlib.Path(folder, "gaps")

        def decompress():
            done = subprocess.run([octrace, "decompress", "--salvage", "--gaps", gaps, "--to", "pc", "-o", "-", file], check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if done.returncode not in (0, 3, 4):
                sys.exit(f"print-segments: {trace}: exit status {done.returncode}")
            return done.stdout.count(b"\n")

        subprocess.run([octrace, "compress", "--codec", codec, "-o", file, trace], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        data, shares = file.read_bytes(), []
        whole = decompress()
        for i in range(n):
            damaged = bytearray(data)
            damaged[len(data) * (2 * i + 1) // (2 * n)] ^= 16
            file.write_bytes(damaged)
            shares.append(100 * (1 - decompress() / whole))
        return shares


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--octrace", default=os.environ.get("OCTRACE", ROOT / "build/tools/octrace"))
    parser.add_argument("--codecs", nargs="*")
    parser.add_argument("--sizes", help="as 32,8,4")
    parser.add_argument("--damage", type=int, help="files with a wrong byte of each trace")
    parser.add_argument("traces", nargs="+")
    args = parser.parse_args()
    if args.sizes:
        sizes = args.sizes.split(",")
        print("| codec | " + " | ".join(f"{n} MiB" for n in sizes) + " |\n|---|" + "--:|" * len(sizes))
        for codec in args.codecs:
            option = "items={}000000" if codec == "shadow" else "segment={}"
            whole = [f"{codec}{',' if ':' in codec else ':'}{option.format(n)}" for n in sizes]
            if args.damage:
                lost = [[x for t in args.traces for x in losses(args.octrace, one, t, args.damage)] for one in whole]
                print(f"| {codec} | " + " | ".join(f"{statistics.median(x):.0f} %, {max(x):.0f} %" for x in lost) + " |", flush=True)
                continue
            cells = [sum(size(args.octrace, one, t) for t in args.traces) for one in whole]
            print(f"| {codec} | " + " | ".join(f"{n} ({100 * (n / cells[0] - 1):+.1f} %)" for n in cells) + " |")
        return
    listed = subprocess.run([args.octrace, "list", "codecs"], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    codecs = args.codecs or re.findall(r"^([a-z0-9-]+) .*, lossless:", listed, re.M)
    print("| codec | bytes, one group | bytes, a group each | mean | most |")
    print("|---|--:|--:|--:|--:|")
    for codec in codecs:
        together = [size(args.octrace, f"{codec}:group=65536", t) for t in args.traces]
        alone = [size(args.octrace, f"{codec}:group=1", t) for t in args.traces]
        more = [100 * (a / b - 1) for a, b in zip(alone, together)]
        most = max(range(len(more)), key=more.__getitem__)
        print(f"| {codec} | {sum(together)} | {sum(alone)} | {sum(more) / len(more):+.1f} % | "
              f"{more[most]:+.1f} % ({pathlib.Path(args.traces[most]).stem}) |")


one_line.guard(main)
