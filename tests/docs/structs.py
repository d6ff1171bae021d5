#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""structs.py - are the structs of the public headers as docs/library.md says that they are?

Each struct is named there once, under its kind: opaque ones have no body in a header, those with
room end in `reserved`, those of the library are parts of no other struct and are only taken by
pointers to const. What is compiled into the program that uses it may change: octrace_feed.h and
liboctrace_events.

Usage: structs.py LIBRARY.md HEADER...
"""
import pathlib
import re
import sys

BODY = re.compile(r"^(?:typedef )?struct (\w+) \{(.*?)^\}[ \w]*;", re.S | re.M)
OPAQUE = re.compile(r"^typedef struct (\w+) \1;", re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
KINDS = ["Opaque", "With room", "Of the library", "Fixed"]


def kinds_of(page):
    """Struct -> its kind."""
    named, faults = {}, []
    for kind in KINDS:
        found = re.search(rf"^\*{kind}\*:(.*?)\n\n", page, re.S | re.M)
        if not found:
            sys.exit(f"structs.py: expected a paragraph *{kind}*")
        for name in re.findall(r"`(oct_\w+)`", found[1]):
            if name in named:
                faults.append(f"{name} is named twice")
            named[name] = kind
    return named, faults


def main():
    page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    kinds, faults = kinds_of(page)
    texts = {p: COMMENT.sub("", pathlib.Path(p).read_text(encoding="utf-8")) for p in sys.argv[2:]
             if not re.search(r"/(octrace_feed|oct_ev_\w+)\.h$", p)}
    bodies = {name: body for text in texts.values() for name, body in BODY.findall(text)}
    opaque = {name for text in texts.values() for name in OPAQUE.findall(text)} - bodies.keys()
    for name in sorted(bodies.keys() | opaque | kinds.keys()):
        kind = kinds.get(name)
        if kind is None:
            faults.append(f"{name} is not on the page")
        elif name not in bodies and name not in opaque:
            faults.append(f"{name} is in no public header")
        elif (kind == "Opaque") != (name in opaque):
            faults.append(f"{name}: the page says {kind.lower()}")
        elif kind == "With room" and not re.search(r"reserved(\[\d+\]|\[\d+\]\)\(void\));\s*$",
                                                   bodies[name]):
            faults.append(f"{name} does not end in `reserved`")
        elif kind == "Of the library":
            faults += [f"{name} is a part of {other}" for other, body in bodies.items()
                       if re.search(rf"^\s*{name} \w", body, re.M)]
            faults += [f"{name} is changed through a pointer in {path}" for path, text in texts.items()
                       if re.search(rf"[(,]\s*{name} \*\w", text)]
    print("\n".join(faults) if faults else f"structs: {len(kinds)} as the page says", flush=True)
    return 1 if faults or not bodies else 0


if __name__ == "__main__":
    sys.exit(main())
