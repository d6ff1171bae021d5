#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""gdb-interrupt.py - does Ctrl-C give gdb's prompt back, in a run forward and in one back? It drives the real
gdb-multiarch at a terminal, over a trace that never ends."""
import contextlib
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time

OCTRACE = os.environ["OCTRACE"]
PROMPT = b"(gdb) "


def skip():
    if not shutil.which("gdb-multiarch"):
        sys.exit(77)
    command = [OCTRACE, "list", "params", "--tracer", "replay", "-g", "isa=1"]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        sys.exit(77)


class Gdb:
    """gdb at a terminal."""

    def __init__(self, arguments, folder):
        self.all = b""
        self.pid, self.terminal = pty.fork()
        if not self.pid:
            os.environ.update(TERM="dumb", HOME=folder, TMPDIR=folder)
            os.execvp("gdb-multiarch", ["gdb-multiarch", "-q", "-nx", *arguments])

    def wait_for(self, text):
        """What has come, up to this text."""
        end = time.monotonic() + 60
        while text not in self.all:
            left = end - time.monotonic()
            if left < 0 or not select.select([self.terminal], [], [], left)[0]:
                sys.exit(f"gdb-interrupt.py: no {text!r} within a minute, but: {self.all[-2000:]!r}")
            self.all += os.read(self.terminal, 4096)
        found, self.all = self.all.split(text, 1)
        return found

    def say(self, text):
        os.write(self.terminal, text)


def endless(path):
    """A loop of two instructions, until nobody reads it."""
    with contextlib.suppress(BrokenPipeError), open(path, "w", encoding="ascii") as file:
        file.write("# isa armv7a\n")
        for register in range(15):
            file.write(f"!register r{register}={register:08x}\n")
        while True:
            file.write("1000/4 I:0000a0e1\n1004/4 I:fdffffea\n" * 1000)


def main():
    skip()
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        os.mkfifo(trace)
        threading.Thread(target=endless, args=[trace], daemon=True).start()
        gdb = Gdb(["-iex", "set remotetimeout 30", "-iex", "set pagination off"], folder)
        gdb.wait_for(PROMPT)
        gdb.say(f"target remote | {OCTRACE} gdb --from text {trace}\n".encode())
        gdb.wait_for(PROMPT)
        for command in b"continue", b"continue", b"reverse-continue", b"reverse-continue", b"continue":
            gdb.say(command + b"\n")
            gdb.wait_for(b"octrace is at instruction")
            gdb.say(b"\x03")
            if b"SIGINT" not in gdb.wait_for(PROMPT):
                sys.exit(f"gdb-interrupt.py: {command}: stopped by something else")
            gdb.say(b"print $r3\n")
            if b"= 3" not in gdb.wait_for(PROMPT):
                sys.exit(f"gdb-interrupt.py: {command}: registers are lost")
        gdb.say(b"kill\ny\nquit\n")
        os.waitpid(gdb.pid, 0)


main()
