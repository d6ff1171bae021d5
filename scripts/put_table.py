# SPDX-License-Identifier: Apache-2.0
"""put_table.py - for the scripts that print tables: the machine, and a table between two lines of a page.

put_table.py PAGE SCRIPT TEXT - put the tables of a page anew that stand between a line `<!-- SCRIPT ... -->`, which is
the command that prints them, and `<!-- end -->`: those whose command has TEXT in it.
"""
import pathlib
import re
import shlex
import subprocess
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
        sys.exit(f"put_table: {path}: expected the lines '{begin}' and '{end}'")
    before, rest = text.split(begin, 1)
    table = "\n".join(lines)
    path.write_text(f"{before}{begin}\n{table}\n{end}{rest.split(end, 1)[1]}", encoding="utf-8")


def renew(page, script, text):
    """Run each command of the page that has the text in it, and put what it prints below it."""
    path = pathlib.Path(page)
    commands = re.findall(rf"^<!-- ({re.escape(script)}.*) -->$", path.read_text(encoding="utf-8"), re.M)
    for command in (c for c in commands if text in c):
        done = subprocess.run(shlex.split(command), check=True, text=True, stdout=subprocess.PIPE)
        before, rest = path.read_text(encoding="utf-8").split(f"<!-- {command} -->\n", 1)
        _, after = rest.split("<!-- end -->", 1)
        path.write_text(f"{before}<!-- {command} -->\n\n{done.stdout.strip()}\n\n<!-- end -->{after}", encoding="utf-8")
        print(f"put_table: {page}: {command}")


if __name__ == "__main__":
    renew(*sys.argv[1:])
