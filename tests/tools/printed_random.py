#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""printed_random - is a trace the same after it was printed as other tools do?

Runs of the samples, as text with bytes, are printed as perf script and as DynamoRIO's view do it, with random names
of programs, and read back. The environment names the program, OCTRACE, and SAMPLES."""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import seed  # noqa: E402

N_INSNS = {"x86-64": 70000, "aarch64": 5000}  # more than a batch, and a few
LINE = re.compile(r"([0-9a-f]+)(?:/(\d+))?((?: [LS]\d*:[0-9a-f]+)*)(?: T:(\d+))?(?: I:([0-9a-f]+))?$")


def text_of(path, *options):
    return subprocess.run([os.environ["OCTRACE"], "convert", "--to", "text:bytes=1", *options, path, "-"], check=True,
                          capture_output=True, text=True).stdout.splitlines()


def printed(lines, is_x86, rng):
    """Lines of perf script and of view."""
    perf, view, bytes_of, record = [], ["Output format:"], {}, 0
    for n, line in enumerate(lines):
        pc, size, accesses, task, code = LINE.match(line).groups()
        bytes_of[pc] = code = code or bytes_of[pc]
        task = task or "0"
        pairs = [code[i:i + 2] for i in range(0, len(code), 2)]
        comm = rng.choice(["ls", "Web Content", "a.out 3"])
        event = rng.choice(["", "        1   instructions:u: "])
        perf.append(f"{comm:>16} {task} [{n % 4:03}] {n}.{n:09}: {event} {pc.lstrip('0'):>16} f+0x{n:x} (/bin/ls) insn: {' '.join(pairs)}")
        shown = " ".join(pairs[:7]) if is_x86 else "".join(reversed(pairs))
        record += 1
        view.append(f"{record:12} {n:11}: {task:>11} ifetch      {size or 4:>2} byte(s) @ 0x{pc} {shown:20} name   %rax")
        if is_x86 and len(pairs) > 7:
            view.append(f"{record:12} {n:11}: {task:>11} {'':43}{' '.join(pairs[7:])}")
        for access in accesses.split():
            record += 1
            kind, addr = access.split(":")
            name = "read" if kind[0] == "L" else "write"
            view.append(f"{record:12} {n:11}: {task:>11} {name:12}{kind[1:]:>2} byte(s) @ 0x{addr} by PC 0x{pc}")
    return perf, view


def main():
    rng = random.Random(seed.seed("printed_random"))
    for isa, n_insns in seed.some(list(N_INSNS.items())):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "log"
            sample = pathlib.Path(os.environ["SAMPLES"]) / "isa" / f"{isa}.oct"
            n_insns = rng.choice([n_insns, 3000, 3000, 3000]) if seed.SHARE else n_insns
            want = [line for line in text_of(sample, "--limit", str(n_insns)) if line[0] not in "#!"]
            for lines, has_accesses in zip(printed(want, isa == "x86-64", rng), (False, True)):
                path.write_text("\n".join(lines) + "\n")
                got = [line for line in text_of(path) if line[0] != "#"]
                for number, (a, b) in enumerate(zip(want + ["end"], got + ["end"])):
                    a = a if has_accesses else re.sub(r" [LS]\d*:[0-9a-f]+", "", a)
                    if a != b:
                        sys.exit(f"{isa}: line {number + 1}: expected '{a}', got '{b}'")


if __name__ == "__main__":
    main()
