#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run_transcript - runs the commands of a transcript, and compares what they print with what stands there.

A transcript is a text. Lines at the margin are prose. An indented line that begins with $ is a command of the
shell, one that begins with > goes on with it. The indented lines below are its standard output, then its standard
error with the exit status in front; [exit N] where it ends with N and prints no error:

  $ octrace info missing
  4> octrace: missing: cannot open: No such file or directory

Many calls are a table: | begins a row of words, which stand for the @ of the command above; what they print
follows => in the row, or stands below where it has several lines:

  $ octrace info @
  | missing => 4> octrace: missing: cannot open: No such file or directory
  | --top x => 2> [..]

In these lines [..] is any text of one line, [#] a number, and a line of ... any number of lines, also none. Empty
lines do not count. All commands of a transcript run in one bash, in a temporary folder of their own, beside which
are the folders ../samples and ../data. $out and $err are the files of what the last octrace printed. prelude.sh has
the functions that transcripts share: `try` prints what a transcript shows of a command in a loop.

Usage: run_transcript.py [--update] TRANSCRIPT...
--update writes what is printed into the transcripts, where it is not what they expect; lines with patterns that
match stay. The environment names the programs and folders (tests/tools/meson.build).
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PATTERNS = {"[..]": ".*", "[#]": r"[+-]?[0-9][0-9.,]*(?:e[+-]?[0-9]+)?"}


def matches(pattern, line):
    parts = re.split(r"(\[\.\.\]|\[#\])", pattern)
    return bool(re.fullmatch("".join(PATTERNS.get(part) or re.escape(part) for part in parts), line, re.S))


def agree(expected, got):
    """Is this what is expected? Lines of ... are tried at every length."""
    places = {0}  # how many lines of got can have been passed
    for pattern in expected:
        if pattern == "...":
            places = set(range(min(places), len(got) + 1))
        else:
            places = {at + 1 for at in places if at < len(got) and matches(pattern, got[at])}
        if not places:
            return False
    return len(got) in places


class Step:
    """A command, with what is expected of it, and the line behind its last one."""

    def __init__(self, line, command, expected=(), row=None):
        self.line, self.end, self.command, self.expected, self.row = line, line + 1, [command], list(expected), row

    def written(self, lines):
        """The lines of the transcript that are this step, where it prints these."""
        if self.row is None:
            return ["  $ " + self.command[0], *("  > " + more for more in self.command[1:]), *("  " + line for line in lines)]
        if len(lines) == 1:
            return [f"  | {self.row} => {lines[0]}"]
        return ["  | " + self.row, *("  " + line for line in lines)]


def steps_of(lines):
    steps = []
    table = None
    for number, line in enumerate(lines):
        if line.startswith("  $ ") and "@" in line and lines[number + 1].startswith("  | "):
            table = line[4:]
            continue
        elif line.startswith("  | ") and table:
            row, *expected = line[4:].split(" => ", 1)
            steps.append(Step(number, re.sub("@", lambda _: row, table, count=1), expected, row))
        elif line.startswith("  $ "):
            steps.append(Step(number, line[4:]))
        elif re.match("  > |  >$", line) and steps and not steps[-1].expected:
            steps[-1].command.append(line[4:])
        elif line.startswith("  ") and steps:
            steps[-1].expected.append(line[2:])
        else:
            continue
        steps[-1].end = number + 1
    return steps


def printed(path, prefix, folder):
    text = path.read_bytes().decode("utf-8", "backslashreplace").replace(str(folder), "$T")
    text = text.replace("\r", "\\r").replace("\t", "    ")
    return [(prefix + line).rstrip() for line in text.split("\n") if line.strip()]


def run(steps):
    """What each step printed, as lines; None from the one on that ended the shell."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(os.path.realpath(name))
        kept = folder / "steps"
        script = ["cd " + str(folder / "here"), f"HERE={HERE}", ". $HERE/prelude.sh"]
        for sub in (kept, folder / "here"):
            sub.mkdir()
        for link, variable in (("samples", "SAMPLES"), ("data", "DATA")):
            if variable in os.environ:
                (folder / link).symlink_to(os.environ[variable])
        for number, step in enumerate(steps):
            at = kept / str(number)
            at.write_text("\n".join(step.command) + "\n", encoding="utf-8")
            script.append(f". {at} >{at}.out 2>{at}.err; echo $? >{at}.exit")
            if re.match("octrace |bin2atc |atc2bin ", step.command[0]):
                script.append(f"out={at}.out err={at}.err")
        (folder / "script").write_text("\n".join(script) + "\n", encoding="utf-8")
        programs = [os.path.dirname(os.environ[name]) for name in ("OCTRACE", "BIN2ATC") if name in os.environ]
        environment = dict(os.environ, PATH=":".join(programs + [os.environ["PATH"]]), LC_ALL="C", T=str(folder))
        subprocess.run(["bash", "--norc", folder / "script"], env=environment, stdin=subprocess.DEVNULL, check=False)
        for number in range(len(steps)):
            at = kept / str(number)
            status = pathlib.Path(f"{at}.exit")
            if not status.exists():
                yield None
                continue
            code = status.read_text(encoding="utf-8").strip()
            errors = printed(pathlib.Path(f"{at}.err"), f"{code}> ", folder)
            yield printed(pathlib.Path(f"{at}.out"), "", folder) + (errors or [f"[exit {code}]"] * (code != "0"))


def updated(expected, got):
    """What was printed; where a line with patterns stands for a line of it, that one."""
    patterns = [pattern for pattern in expected if "[..]" in pattern or "[#]" in pattern]
    return [next((pattern for pattern in patterns if matches(pattern, line)), line) for line in got]


def check(path, update):
    """The number of commands that did other things than they should."""
    lines = path.read_text(encoding="utf-8").split("\n")
    steps = steps_of(lines)
    failed = 0
    new, done = [], 0
    for step, got in zip(steps, run(steps)):
        new += lines[done:step.line]
        done = step.end
        expected = [line for line in step.expected if line.strip()]
        if got is not None and agree(expected, got):
            new += lines[step.line:done]
            continue
        failed += 1
        print(f"{path}:{step.line + 1}: {' '.join(step.command)[:200]}")
        print("\n".join(list(difflib.ndiff(expected, got))[:60]) if got is not None else "was not run: the shell ended")
        new += step.written(updated(expected, got or []))
    if not steps:
        sys.exit(f"{path}: no command")
    if update and failed:
        path.write_text("\n".join(new + lines[done:]), encoding="utf-8")
    return failed


def main():
    names = [name for name in sys.argv[1:] if name != "--update"]
    if not names:
        sys.exit(__doc__)
    failed = [check(pathlib.Path(name), len(names) < len(sys.argv) - 1) for name in names]
    if sum(failed):
        sys.exit(f"{sum(failed)} commands do other things than their transcript says")


if __name__ == "__main__":
    main()
