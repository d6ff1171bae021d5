#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""select_random - convert cuts random traces as a reader of its manual would by hand.

Traces of several tasks with stamps on some instructions and traps of all kinds; random options, several of a kind.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import seed  # noqa: E402

OCTRACE = os.environ["OCTRACE"]
ROUNDS = 60


def trace(rng):
    """Instructions and traps as (kind, fields), in order."""
    events, cycle, task = [], 0, 0
    for _ in range(rng.randrange(1, 120)):
        if rng.random() < 0.1:
            task = rng.randrange(3)
        while rng.random() < 0.15:
            kind = rng.choice(("exception 3", "interrupt 5", "privilege"))
            place = "" if kind == "privilege" else f" A:{4 * rng.randrange(64):016x}"
            value = " V:0000000000000000" if kind[0] == "e" else ""
            level = rng.choice((0, 1, 3))
            events.append(("trap", level, f"!{kind}{place}{value} P:{level}"))
        stamp = None
        if rng.random() < 0.7:
            cycle += rng.randrange(4)
            stamp = cycle
        access = "".join(f" {rng.choice('LS')}8:{rng.randrange(1 << 20) * 8:016x}" for _ in range(rng.randrange(3)))
        events.append(("insn", 4 * rng.randrange(64), task, stamp, access))
    return events


def line(event):
    if event[0] == "trap":
        return event[2]
    _, addr, task, stamp, access = event
    return f"{addr:016x}{access}" + (f" @{stamp}" if stamp is not None else "") + (f" T:{task}" if task else "")


def options(rng):
    """Sets of bounds by the option, and the command line."""
    sets, words = {}, []
    for name, top in (("range", 256), ("task", 2), ("time", 200), ("privilege", 3)):
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            low, high = sorted((rng.randrange(top + 1), rng.randrange(top + 1)))
            if name == "privilege":
                low = high = rng.choice((0, 1, 3))
                words += ["--privilege", str(low)]
            else:
                words += [f"--{name}", rng.choice((f"{low}-{high}", f"0x{low:x}-0x{high:x}"))]
            sets.setdefault(name, []).append((low, high))
    return sets, words


def selected(events, sets):
    """The lines that are kept, by looking at the whole trace at once."""
    level, now, keep, levels = 7, None, [], []
    for event in events:
        if event[0] == "trap":
            level = event[1]
            keep.append(None)
        else:
            now = event[3] if event[3] is not None else now
            values = {"range": event[1], "task": event[2], "time": now, "privilege": 0 if level == 7 else level}
            keep.append(all(values[name] is not None and any(a <= values[name] <= b for a, b in bounds)
                            for name, bounds in sets.items()))
        levels.append(level)
    lines, kept_level = [], 7
    insns = [i for i, k in enumerate(keep) if k is not None]
    for i, event in enumerate(events):
        if keep[i] is None:
            around = [max((j for j in insns if j < i), default=None), min((j for j in insns if j > i), default=None)]
            if any(j is not None and keep[j] for j in around):
                lines.append(line(event))
                kept_level = event[1]
        elif keep[i]:
            if kept_level != levels[i]:
                kept_level = levels[i]
                lines.append(f"!privilege P:{kept_level}")
            lines.append(line(event))
    return lines if any(keep) else None


def main():
    rng = random.Random(seed.seed("select_random"))
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "in.txt"
        for number in seed.some(range(ROUNDS)):
            events = trace(rng)
            sets, words = options(rng)
            path.write_text("# isa riscv64\n" + "".join(line(e) + "\n" for e in events), encoding="utf-8")
            got = subprocess.run([OCTRACE, "convert", "--to", "text", *words, path, "-"], capture_output=True, text=True,
                                 check=False)
            want = selected(events, sets)
            if want is None:
                if got.returncode != 4 or "select none" not in got.stderr:
                    sys.exit(f"round {number}: {words}: nothing is selected, but: {got}")
                continue
            lines = [text for text in got.stdout.splitlines() if not text.startswith("#")]
            if got.returncode or lines != want:
                sys.exit(f"round {number}: {words}: expected\n{chr(10).join(want)}\ngot {got.returncode}\n"
                         f"{chr(10).join(lines)}\n{got.stderr}")


main()
