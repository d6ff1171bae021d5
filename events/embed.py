#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""embed.py - files as C arrays: embed.py OUT NAME=FILE..., for each a static const char NAME[]."""
import pathlib
import sys

with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write("/* SPDX-License-Identifier: Apache-2.0 */\n/* Made by events/embed.py. */\n")
    for argument in sys.argv[2:]:
        name, path = argument.split("=", 1)
        data = pathlib.Path(path).read_bytes()
        rows = (",".join(map(str, data[i:i + 24])) for i in range(0, len(data), 24))
        out.write(f"static const unsigned char {name}[] = {{\n" + ",\n".join(rows) + "};\n")
