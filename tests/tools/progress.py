#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""progress.py - the progress line stands on standard error when that is a terminal and the work takes
more than a second, and not otherwise.

Work is made long by slow pipes, which go on until the line is there. Nothing is timed, but that work
which took less than a second shows none.
"""
import fcntl
import lzma
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

OCTRACE = os.environ["OCTRACE"]
BATCH = b"8000\n8004 L:1000\n8008\n800c\n" * 16384  # what the reader hands on at once
CLEAR = "\r\x1b[K"
PAUSE_S = 0.05
ENOUGH_S = 4  # the line comes after a second, and changes five times a second


def fail(message):
    sys.exit(f"FAIL: {message}")


def run(command, stderr, drive):
    """Run octrace to its end; drive(process) writes its input and reads its output. The instruction set is
    named, so that no note on what was found in the trace follows the line."""
    with subprocess.Popen([OCTRACE, command[0], "--isa", "arm", *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=stderr) as process:
        drive(process)
        process.stdin.close()
        process.stdout.read()
        if process.wait() != 0:
            fail(f"exit code {process.returncode}: {command}")


class Terminal:
    """A terminal and what was written to it so far."""

    def __init__(self, columns=0):
        self.terminal, self.stderr = pty.openpty()
        fcntl.ioctl(self.stderr, termios.TIOCSWINSZ, struct.pack("4H", 25 if columns else 0, columns, 0, 0))
        self.shown = ""
        os.set_blocking(self.terminal, False)

    def read(self):
        try:
            self.shown += os.read(self.terminal, 65536).decode()
        except BlockingIOError:
            pass
        return self.shown

    def run(self, command, drive=lambda process: None):
        run(command, self.stderr, drive)
        return self.read()


def feed(process, enough):
    while not enough():
        process.stdin.write(BATCH)
        process.stdin.flush()
        time.sleep(PAUSE_S)


def line_of_each_command():
    for command in (["convert", "--to", "text", "-", "/dev/null"], ["info", "-"],
                    ["compress", "--json", "-o", "out.octp", "-"],
                    ["verify", "--engine", "untimed", "-"], ["sweep", "-g", "paper", "-"],
                    ["report", "--cycle-insns", "100", "-"]):
        t = Terminal()
        shown = t.run(command, lambda process: feed(process, lambda: " M/s" in t.read()))
        step = ", step 1 of 2" if command[0] == "report" else ""
        if not re.fullmatch(rf"({re.escape(CLEAR)}{command[0]}{step}: [0-9.]+ M instructions, "
                            rf"[0-9.]+ M/s)+{re.escape(CLEAR)}", shown):
            fail(f"not a line that is cleared at the end: {shown!r}")


def bar_of_a_file(name):
    """Of a file the size is known. The output is read slowly until the bar is there. It tells what is
    done: a packed file of a few kilobytes has been read whole by then, and is not at its end."""
    def drain(process):
        while " left" not in t.read():
            if not process.stdout.read1(65536):
                fail(f"no bar: {t.shown!r}")
            time.sleep(PAUSE_S)

    t = Terminal()
    with (lzma.open if name.endswith(".xz") else open)(name, "wb") as file:
        file.write(BATCH * 12)
    shown = t.run(["convert", "--to", "text", name, "-"], drain)
    bar = re.search(r"M/s \[(?=[#.]{20}\])#*\.*\] +(\d+) %, \d+ s left", shown)
    if not bar:
        fail(f"no bar: {shown!r}")
    if int(bar[1]) > 90:
        fail(f"ahead of the work: {shown!r}")


def line_fits_the_terminal():
    """A line that is broken could not be cleared."""
    for columns, wanted in ((120, "] "), (40, " left"), (12, "convert: ")):
        t = Terminal(columns)
        t.run(["convert", "--limit", "10000000", "-", "/dev/null"],
              lambda process: feed(process, lambda: t.read().count(CLEAR) > 2))
        lines = t.read().split(CLEAR)[1:-1]
        if any(len(line) >= columns or wanted not in line for line in lines):
            fail(f"{columns} columns: {lines}")


def bar_goes_by_the_limit():
    """Work that ends after some instructions is done when they are, whatever else the input holds."""
    for command in ("convert", "info"):
        limit = 10_000_000
        t = Terminal()
        t.run([command, "--limit", str(limit), "-"] + ["/dev/null"] * (command == "convert"),
              lambda process: feed(process, lambda: " left" in t.read()))
        bar = re.search(r": ([0-9.]+) M instructions, .*? +(\d+) %, \d+ s left", t.shown)
        if abs(float(bar[1]) * 1e8 / limit - int(bar[2])) > 1.6:
            fail(f"not by the limit of {limit}: {t.shown!r}")


def what_is_not_read_does_not_count():
    """Of a trace that a journal has, nothing is to be done: what is left is of no known size before its end is read."""
    with open("known.txt", "wb") as file:
        file.write(BATCH)
    command = ["sweep", "-g", "paper", "--jobs", "1", "--journal", "journal", "known.txt"]
    run(command, subprocess.DEVNULL, lambda process: None)
    t = Terminal()
    before = []

    def drive(process):
        feed(process, lambda: t.read().count(" M/s") > 1)
        before.append(t.read())

    after = t.run([*command, "-"], drive).removeprefix(before[0])
    if " left" in before[0] or " left" in after.replace("100 %, 0 s left", ""):
        fail(f"a bar: {before[0]!r}, {after!r}")


def report_goes_on_within_a_batch():
    """The cycle model takes long over the one batch of this file, and the bar goes on all the while."""
    with open("batch.txt", "wb") as file:
        file.write(BATCH)

    def wait(process):
        while len(set(re.findall(r"(\d+) %,", t.read()))) < 3:
            if process.poll() is not None:
                if time.monotonic() - start < ENOUGH_S:
                    return  # too fast a machine to see it move
                fail(f"the bar stood still: {t.shown!r}")
            time.sleep(PAUSE_S)
        os.kill(process.pid, signal.SIGKILL)

    t = Terminal()
    start = time.monotonic()
    with subprocess.Popen([OCTRACE, "report", "--cycle-insns", "0", "batch.txt"],
                          stdout=subprocess.PIPE, stderr=t.stderr) as process:
        wait(process)


def report_ends_once():
    """The searches of all tracers are one step, whose bar never goes back."""
    with open("batch.txt", "wb") as file:
        file.write(BATCH)
    t = Terminal()
    # Read meanwhile, so that the terminal takes more.
    command = [OCTRACE, "report", "--isa", "arm", "batch.txt"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=t.stderr) as process:
        while process.poll() is None:
            t.read()
            time.sleep(PAUSE_S)
    steps = re.findall(r"report(.*?): [^\r]*?(\d+) %", t.read())
    if steps != sorted(steps, key=lambda step: (step[0], int(step[1]))) or {name for name, _ in steps} - {
            ", step 1 of 2", ", step 2 of 2"}:
        fail(f"the bar went back: {t.shown!r}")


def bench_tells_its_steps():
    with open("small.txt", "wb") as file:
        file.write(BATCH[:50000])
    codecs = ["--codec", "plain"] * 60
    for repeats in ("9", "30", "99"):  # what takes less than a second shows none
        shown = Terminal().run(["bench", "--repeat", repeats, *codecs, "small.txt"])
        if re.search(r"bench: \d+ of 60, small.txt: plain", shown):
            return
    fail(f"no steps: {shown!r}")


def bench_moves_within_a_step():
    """One repetition that takes over two seconds tells its time more than once. It ends when that was seen."""
    with open("long.bin", "wb") as file:
        file.write(os.urandom(1 << 24))

    t = Terminal()
    with subprocess.Popen([OCTRACE, "bench", "--input", "addresses", "--codec", "bytesort:stage=xz,level=9", "long.bin"],
                          stdout=subprocess.PIPE, stderr=t.stderr) as process:
        while len(set(re.findall(r"bench: 1 of 1, long.bin: bytesort:\S+, repetition 1 of \d, (\d+) s", t.read()))) < 2:
            if process.poll() is not None:
                fail(f"bench stood still: {t.shown!r}")
            time.sleep(PAUSE_S)
        process.kill()


def none_for_short_work():
    with open("small.txt", "wb") as file:
        file.write(BATCH[:len(BATCH) // 16])
    for tries in range(60):  # a machine that is too slow just then gets another try, later
        time.sleep(min(tries, 10) / 10)
        start = time.monotonic()
        shown = Terminal().run(["convert", "small.txt", "/dev/null"])
        if time.monotonic() < start + 1:
            if shown:
                fail(f"shown for less than a second of work: {shown!r}")
            return
    fail("4096 instructions took more than a second each time")


def none_without_a_terminal():
    end = time.monotonic() + 2.5
    with open("stderr", "w+", encoding="utf-8") as stderr:
        run(["convert", "-", "/dev/null"], stderr,
            lambda process: feed(process, lambda: time.monotonic() > end))
        stderr.seek(0)
        shown = stderr.read()
    if shown:
        fail(f"shown where there is no terminal: {shown!r}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    line_of_each_command()
    bar_of_a_file("big.txt")
    bar_of_a_file("big.txt.xz")
    report_goes_on_within_a_batch()
    report_ends_once()
    line_fits_the_terminal()
    bar_goes_by_the_limit()
    bench_tells_its_steps()
    bench_moves_within_a_step()
    what_is_not_read_does_not_count()
    none_for_short_work()
    none_without_a_terminal()
    os.chdir("/")
