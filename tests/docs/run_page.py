#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run_page.py - do the commands of a page work, and print what the page says?

Usage: run_page.py PAGE.md [NAME=PROGRAM...] [@FOLDER...] [FOLDER/...] [-WORDS...]
NAME: a command that the page calls, which PROGRAM is run as; all others are those of PATH.
@FOLDER: one that the page calls by its last name, such as traces.
FOLDER/: one whose files the page begins with.
-WORDS: commands with these words are left out.

All blocks of the page are done in order, in one new folder:
- a block ```c, ```sh, ```ini ... whose first line holds `FILE:` in a comment is written to FILE;
- in a block ```console each line `$ COMMAND` is run by bash, with pipefail (a line that ends with a backslash goes
  on), and must exit with 0, or with N where the command ends in `# exit N`. The lines that follow are
  its output: numbers may differ by a tenth, as another compiler or C library makes them, hexadecimal ones
  by anything. `...` alone on a line stands for any lines, and blanks count as one. Without such lines the
  output may be anything.
Other blocks are left alone.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"^\W+FILE: (\S+)")
NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")


TOLERANCE = 0.1


def normal(line):
    """A line without what may differ by anything."""
    return re.sub(r"\s+", " ", re.sub(r"0x[0-9a-f]+", "0x#", line)).strip()


def is_near(wanted, got):
    """Whether two numbers are the same, or nearly so; one that is none, as 1.2.3, is like any other."""
    try:
        a, b = float(wanted.replace(",", "")), float(got.replace(",", ""))
    except ValueError:
        return True
    return abs(a - b) <= TOLERANCE * abs(a)


def same_line(wanted, got):
    """Whether two lines say the same, with numbers that are near."""
    if NUMBER.sub("#", wanted) != NUMBER.sub("#", got):
        return False
    return all(is_near(a, b) for a, b in zip(NUMBER.findall(wanted), NUMBER.findall(got)))


def matches(wanted, got):
    """Whether the lines printed are those of the page, `...` being any number of lines."""
    if not wanted:
        return not got
    if wanted[0] == "...":
        return any(matches(wanted[1:], got[skip:]) for skip in range(len(got) + 1))
    return bool(got) and same_line(wanted[0], got[0]) and matches(wanted[1:], got[1:])


def commands(text):
    """(command, lines of output) of a console block."""
    out = []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command = command[:-1] + next(lines).strip()
            out.append((command, []))
        elif out:
            out[-1][1].append(line)
        elif line.strip():
            raise SystemExit(f"run_page.py: expected '$ COMMAND' first in a console block, found '{line}'")
    return out


def give_names(programs, folder):
    """Make the commands that the page calls, in a folder of their own ahead of PATH."""
    for program in programs:
        name, _, path = program.partition("=")
        wrapper = pathlib.Path(folder, name)
        wrapper.write_text(f'#!/bin/sh\nexec "{path}" "$@"\n')
        wrapper.chmod(0o755)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"


def run(command, wanted, folder):
    """Run a command of the page; what is wrong, or None."""
    wanted_code = int((re.search(r"# exit (\d+)$", command) or [0, 0])[1])
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True, timeout=300,
                          stdin=subprocess.DEVNULL)
    printed = done.stdout + done.stderr
    if done.returncode != wanted_code:
        return f"exit status {done.returncode}, expected {wanted_code}\n{printed}"
    wanted = [normal(line) for line in wanted if line.strip()]
    got = [normal(line) for line in printed.splitlines() if line.strip()]
    if wanted and not matches(wanted, got):
        return "the page says\n  " + "\n  ".join(wanted) + "\nbut this was printed\n  " + "\n  ".join(got)
    return None


def main():
    page = pathlib.Path(sys.argv[1])
    left_out = [arg[1:] for arg in sys.argv[2:] if arg[0] == "-"]
    n_commands = 0
    with tempfile.TemporaryDirectory() as programs, tempfile.TemporaryDirectory() as folder:
        give_names([arg for arg in sys.argv[2:] if arg[0] not in "-@" and arg[-1] != "/"], programs)
        for arg in sys.argv[2:]:
            if arg[0] == "@":
                pathlib.Path(folder, pathlib.Path(arg[1:]).name).symlink_to(arg[1:])
            elif arg[-1] == "/":
                shutil.copytree(arg, folder, dirs_exist_ok=True)
        for kind, text in BLOCK.findall(page.read_text()):
            named = FILE.match(text)
            if named:
                pathlib.Path(folder, named[1]).write_text(text)
            if kind != "console":
                continue
            for command, wanted in commands(text):
                if any(words in command for words in left_out):
                    continue
                wrong = run(command, wanted, folder)
                if wrong:
                    raise SystemExit(f"{page.name}: $ {command}\n{wrong}")
                n_commands += 1
    if not n_commands:
        raise SystemExit(f"{page.name}: it has no command")
    print(f"{page.name}: {n_commands} commands do what the page says")


if __name__ == "__main__":
    main()
