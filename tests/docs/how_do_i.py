#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""how_do_i.py - do the commands of docs/how-do-i.md work?

Usage: how_do_i.py OCTRACE SOURCE [without-capture] [without-gdb] [without-ipt] [without-python]
OCTRACE is the program, SOURCE the project's folder. Makes the files that the page begins with, from the samples, and
has run_page.py do the page. Left out are the commands that need what this build does not have.
"""
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WITHOUT = {"without-capture": ["octrace capture", "--elf program@"], "without-gdb": ["octrace gdb"], "without-ipt": ["perf.data"], "without-python": ["python3"]}
PROGRAM = r"""#include <stdio.h>
static unsigned numbers[1000];
__attribute__((noinline)) static unsigned mix(unsigned x) {
  return x % 3 ? x * 69069 + 1 : x >> 1;
}
int main(void) {
  unsigned sum = 1;
  for (int round = 0; round < 100; round++)
    for (int i = 0; i < 1000; i++) numbers[i] = sum = mix(sum + numbers[i]);
  printf("%u\n", sum);
}
"""
COMMIT = re.compile(r"core +0: 3 (0x[0-9a-f]{16}) \((0x[0-9a-f]+)\)")


def rtl_log(spike):
    """The log that Rocket writes of the same run, without one instruction."""
    lines = [f"C0: {cycle:10} [1] pc=[{pc[2:]}] W[r 0=0000000000000000][0] R[r 0=0000000000000000] "
             f"R[r 0=0000000000000000] inst=[{int(code, 16):08x}] DASM({int(code, 16):08x})\n"
             for cycle, (pc, code) in enumerate(COMMIT.findall(spike))]
    del lines[1200]
    return "".join(lines)


def main():
    octrace, source = sys.argv[1], pathlib.Path(sys.argv[2])
    foreign, data = source / "traces/samples/foreign", source / "tests/traces/data"
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text, "given")
        folder.mkdir()
        convert = [octrace, "convert"]
        spike = lzma.open(foreign / "riscv64.spike.xz", "rt").read()
        (folder / "spike.log").write_text(spike)
        (folder / "rtl.log").write_text(rtl_log(spike))
        shutil.copy(data / "mixed-riscv64.elf", folder / "program.elf")
        shutil.copy(foreign / "x86-64.champsim.xz", folder / "app.champsimtrace.xz")
        shutil.copy(foreign / "x86-64.drmemtrace.zip", folder / "app.trace.zip")
        (folder / "program.c").write_text(PROGRAM)
        subprocess.run(["cc", "-g", "-O1", "-o", "program", "program.c"], cwd=folder, check=True)
        # In place of the recording of the page's first command, where there is no QEMU.
        shutil.copy(source / "traces/samples/isa/x86-64.oct", folder / "program.oct")
        # The numbers of SimpleScalar's listing, and the simulator that prints it.
        subprocess.run([*convert, "--to", "bin32", data / "simplescalar.txt.xz", folder / "pairs.bin"], check=True)
        sim_safe = pathlib.Path(text, "sim-safe")
        sim_safe.write_text(f'#!/bin/sh\nexec xz -dc "{data}/simplescalar.txt.xz"\n')
        sim_safe.chmod(0o755)
        # The page packs a trace of 64 MB, whatever the level.
        quick_xz = pathlib.Path(text, "xz")
        quick_xz.write_text(f'#!/bin/sh\nexec {shutil.which("xz")} -0 "$@"\n')
        quick_xz.chmod(0o755)
        if "without-ipt" not in sys.argv:
            elf, stream = data / "mixed-x86-64.elf", pathlib.Path(text, "stream.pt")
            subprocess.run([*convert, "--to", "intel-pt", "--elf", elf, data / "mixed-x86-64.oct", stream], check=True)
            subprocess.run([sys.executable, source / "tests/tracers/make_perf.py", folder / "perf.data", f"map:101:{elf}",
                            f"thread:101:{stream}"], check=True)
        left_out = ["-" + words for name in sys.argv[3:] for words in WITHOUT[name]]
        done = subprocess.run([sys.executable, source / "tests/docs/run_page.py", source / "docs/how-do-i.md",
                               f"octrace={octrace}", f"octrace-capture={source}/scripts/capture",
                               f"sim-safe={sim_safe}", f"xz={quick_xz}", f"{folder}/", *left_out], env={**os.environ, "OCTRACE": octrace})
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
