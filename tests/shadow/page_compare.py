#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page_compare.py - does the decoder of page_decoder.py give back what was compressed?

Usage: page_compare.py [CONTAINER TEXT]...
TEXT is the trace, as `octrace convert --to text` writes it, or a golden vector.
"""

import sys

import page_container
from page_decoder import Decoder

# Of the machine, which the events of a vector do not tell.
ANY_CYCLE = "any"


def parse(path):
    """Events of a text trace, or of the section of a golden vector. Size None: not told."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    is_vector = "\n[events]\n" in text
    untold = ANY_CYCLE if "\n[engine]\ncycle\n" in text else None
    if is_vector:
        text = text.split("[events]\n")[1].split("[map]")[0]
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words or words[0] in ("map", "flush"):
            continue
        if words[0].startswith("!"):
            fields = dict(w.split(":") for w in words[1:] if ":" in w)
            kind = ("!exception", "!interrupt", "!privilege").index(words[0])
            yield ("trap", kind, int(words[1]) if kind < 2 else 0, int(fields.get("A", "0"), 16),
                   int(fields.get("V", "0"), 16), int(fields.get("P", 7)))
            continue
        pc, _, size = words[0].partition("/")
        accesses, cycle, task = [], untold, 0
        for word in words[1:]:
            kind, _, rest = word.partition(":")
            if kind[0] == "@" or kind == "C":
                cycle = int(rest or kind[1:])
            elif kind == "T":
                task = int(rest)
            else:
                accesses.append((kind[0] == "S", int(kind[1:] or 0), int(rest, 16)))
        yield (int(pc, 16), int(size) if size else None if is_vector else 4, tuple(accesses), cycle, task)


def is_same(got, want, params):
    """Does an event come back as far as the stream tells it?"""
    if got[0] == "trap" or want[0] == "trap":
        return got == want
    size = got[1] if want[1] is None else want[1]
    cycle = want[3] if params["timestamp"] else None
    is_due = params["time_period_insns"] == 1
    return (got[0], got[1], got[2], got[4]) == (want[0], size, want[2], want[4]) and (
        cycle is ANY_CYCLE or got[3] == cycle or (got[3] is None and not is_due))


def compare(container, text):
    """Decode a container, and compare with a trace: what is wrong, or None."""
    params, updates, data = page_container.read(container)
    decoder = Decoder(params, updates)
    wanted = [e for e in parse(text) if e[0] != "trap" or params["traps"]]
    error = None
    try:
        decoder.run(data)
    except (AssertionError, IndexError) as e:
        error = e
    at = 0
    for i, event in enumerate(decoder.out):
        if event[0] == "lost":
            at += event[1]
            continue
        if at >= len(wanted):
            return f"event {i}: {event}, not the end"
        follows = decoder.out[i + 1] if i + 1 < len(decoder.out) else ("end",)
        want = wanted[at]
        if follows[0] == "lost" and follows[2] and len(event) == len(want):
            want = want[:2] + (want[2][:len(event[2])],) + want[3:]
        if not is_same(event, want, params):
            return f"event {i}: {event}, not {want}"
        at += 1
    if error or at != len(wanted):
        return f"{error}; {at} events of {len(wanted)}"
    return None


def main():
    """Compare pairs of a container and a text."""
    files = sys.argv[1:]
    failed = 0
    for container, text in zip(files[::2], files[1::2]):
        what = compare(container, text)
        if what:
            print(f"{text}: {what}")
            failed += 1
    print(f"{len(files) // 2} containers, {failed} not decoded")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
