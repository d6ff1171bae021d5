#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""cuts.py - is the end of a stream missed, wherever it is cut off?

A good stream is cut at every byte, or zeros replace what follows. Who reads it gets all instructions, or a word on standard
error; what is read of a cut stream is the begin of the trace.

Usage: cuts.py FAMILY  (riscv, intel_pt or etmv4; the command is $OCTRACE, samples are in $DATA)
"""
import concurrent.futures
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path += [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent / "tools")]
import make_perf  # noqa: E402
import seed  # noqa: E402

FAMILIES = {
    "riscv": [("riscv64", form, "raw") for form in (
        "etrace:data=0,sync_period_insns=60", "etrace", "ntrace:sync_period_insns=60", "ntrace:btm-all")],
    "etmv4": [("aarch64", form, "snapshot") for form in ("etmv4:sync_period_insns=60", "etmv4:frames=0")] +
             [("aarch64", "etmv4:frames=0", "foreign snapshot")],
    "intel_pt": [("x86-64", "intel-pt:sync_period_insns=60", "raw"), ("x86-64", "intel-pt:tsc=0,tnt_long=1", "raw"),
                 ("x86-64", "intel-pt:tsc=0", "perf"), ("events", "intel-pt", "raw"), ("events", "intel-pt", "perf")],
}
INSNS = "300"
PGD, PGE, PIP = 0x01, 0x11, b"\x02\x43"


def octrace(*args):
    return subprocess.run([os.environ["OCTRACE"], *args], capture_output=True, check=False)


def done(*args):
    got = octrace(*args)
    assert not got.returncode, got.stderr.decode()


def make_events():
    """events.oct and events.elf: system calls, a signal, an interrupt, and two tasks that take turns."""
    memory = bytearray(b"\x90" * 0x2000)
    for at in range(4, 0x1000, 64):
        memory[at:at + 2] = b"\x0f\x05"
    head = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 2, 62, 1, 0x10000, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0x1000, 0x10000, 0x10000, len(memory), len(memory), 0x1000)
    pathlib.Path("events.elf").write_bytes((head + segment).ljust(0x1000, b"\0") + memory)
    lines = []
    for begin, task in ((0x10000, 1), (0x10040, 1), (0x11000, 1), (0x10080, 2), (0x100c0, 1)):
        at = begin
        for _ in range(8):
            size = 2 if memory[at - 0x10000] == 0x0f else 1
            lines.append(f"{at:016x}/{size} T:{task}")
            at += size
        if begin == 0x10040:
            lines.append(f"!interrupt 0 A:{at:016x}")
    pathlib.Path("events.txt").write_text("\n".join(lines) + "\n", encoding="ascii")
    done("convert", "--isa", "x86-64", "--elf", "events.elf", "events.txt", "events.oct")


class Stream:
    """A stream of a format, and how its bytes are read again."""

    def __init__(self, isa, form, kind):
        data = "events" if isa == "events" else os.environ["DATA"] + "/mixed-" + isa
        self.kind, self.elf, self.name = kind, data + ".elf", f"{isa}, {kind}, {form}"
        self.form = form.partition(":")[0] if "intel-pt" in form or "snapshot" in kind else form
        done("convert", "--elf", self.elf, "--limit", INSNS, data + ".oct", "whole.oct")
        shutil.rmtree("whole", ignore_errors=True)
        pathlib.Path("whole").unlink(missing_ok=True)
        done("convert", "--to", form, "whole.oct", "whole")
        self.bytes = pathlib.Path("whole/trace.bin" if "snapshot" in kind else "whole").read_bytes()
        if kind == "foreign snapshot":
            ini = pathlib.Path("whole/snapshot.ini")
            ini.write_text(ini.read_text(encoding="ascii").replace("written by octrace", "of another tool"), encoding="ascii")
        status, self.want, err = self.read(self.bytes, 0)
        assert not status and self.want and (not err or kind == "perf"), err

    def read(self, data, number, *options):
        """The exit status, instructions and traps, and what is said, of these bytes."""
        name = f"cut-{number}"
        args = ["--from", self.form, "--elf", self.elf, name]
        if "snapshot" in self.kind:
            shutil.copytree("whole", name)
            pathlib.Path(name, "trace.bin").write_bytes(data)
            args = [name]
        else:
            pathlib.Path(name).write_bytes(data)
        if self.kind == "perf":
            make_perf.main(name + ".perf", f"map:101:{self.elf}", f"thread:101:{name}")
            args = [name + ".perf"]
        got = octrace("convert", *options, "--to", "text", *args, "-")
        if "snapshot" in self.kind:
            shutil.rmtree(name)
        lines = [line for line in got.stdout.splitlines() if not line.startswith((b"#", b"!gap"))]
        return got.returncode, lines, got.stderr.decode()

    def is_told(self, n):
        """Whether the bytes themselves show that more follow n of them. Intel PT of user code does not where that is left; a
        PIP may come then. From TSC it is known of octrace's own streams that TIP.PGE follows."""
        if self.form != "intel-pt" or not n:
            return True
        between = self.bytes.find(bytes([PGD]) + PIP, max(0, n - 9), n + 2) >= 0
        is_left = self.bytes[n - 1] == PGD and (self.bytes[n] & 31 == PGE or self.bytes[n:n + 2] == PIP)
        return not is_left and not (between and self.kind == "perf")

    def check(self, n, is_zeroed, *options):
        """One cut: what is wrong with it, or None."""
        data = self.bytes[:n] + bytes(len(self.bytes) - n if is_zeroed else 0)
        status, got, err = self.read(data, f"{n}-{is_zeroed}-{len(options)}", *options)
        what = f"{self.name}: {n} of {len(self.bytes)} bytes{', zeroed' * is_zeroed} {' '.join(options)}"
        if status not in (0, 3, 4):
            return f"{what}: exit status {status}: {err}"
        if not is_zeroed and got != self.want[:len(got)]:
            return f"{what}: other instructions"
        if got != self.want and not err and self.is_told(n):
            return f"{what}: {len(got)} of {len(self.want)} instructions, and no word"
        return None


def main():
    make_events()
    n_wrong = 0
    for case in seed.some(FAMILIES[sys.argv[1]]):
        stream = Stream(*case)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            cuts = [pool.submit(stream.check, n, *how) for n in range(len(stream.bytes))
                    for how in ((False,), (False, "--salvage"), (True,))]
            wrong = [cut.result() for cut in cuts if cut.result()]
        print(f"{stream.name}: {len(cuts)} cuts, {len(wrong)} wrong")
        for line in wrong[:10]:
            print(line)
        n_wrong += len(wrong)
    sys.exit(n_wrong > 0)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
