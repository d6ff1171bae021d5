# SPDX-License-Identifier: Apache-2.0
"""put_table.py - for the scripts that print tables: the machine, and a table between two lines of a page."""
import pathlib
import sys


def machine():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def put_table(page, begin, end, lines):
    """Replace what stands in the file `page` between the lines `begin` and `end`."""
    path = pathlib.Path(page)
    text = path.read_text(encoding="utf-8")
    if begin not in text or end not in text:
        sys.exit(f"put_table: {path}: the lines '{begin}' and '{end}' are expected")
    before, rest = text.split(begin, 1)
    table = "\n".join(lines)
    path.write_text(f"{before}{begin}\n{table}\n{end}{rest.split(end, 1)[1]}", encoding="utf-8")
