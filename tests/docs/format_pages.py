#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""format_pages.py - do the commands on the pages of formats work?

Usage: format_pages.py OCTRACE SOURCE MAKE_FRAMES [without-ipt] [without-opencsd]
OCTRACE is the program, SOURCE the project's folder, MAKE_FRAMES the program of tests/tracers. Each command that a page shows as an indented line
is run, in the order of the page, in a folder with the files that it names, and must exit with 0. Left
out are programs that are not installed, and what needs a processor with Intel PT, hours, or a network.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ELSEWHERE = {"perf", "scripts/capture-suite", "scripts/capture-embench"}
ISA = {"docs/etmv4-format.md": "aarch64", "docs/formats/etmv4.md": "aarch64",
       "docs/events.md": "riscv64", "docs/intel-pt-format.md": "x86-64", "docs/formats/intel-pt.md": "x86-64",
       "docs/formats/risc-v.md": "riscv64", "docs/formats/trace-port.md": "riscv64", "docs/tracers.md": "riscv64"}
LIBRARY = {"docs/formats/etmv4.md": "opencsd", "docs/etmv4-format.md": "opencsd",
           "docs/intel-pt-format.md": "ipt", "docs/formats/intel-pt.md": "ipt"}
# The files that a page begins with, as octrace makes them from trace.oct.
MADE = {"docs/formats/etmv4.md": [["--to", "etmv4", "trace.oct", "SNAPSHOT"]],
        "docs/formats/intel-pt.md": [["--to", "intel-pt", "trace.oct", "stream.pt"]],
        "docs/formats/trace-port.md": [["--to", "paper:pc_align_bits=1,traps=1", "trace.oct", "port.paper"],
                                       ["--to", "shadow:traps=1", "trace.oct", "port.shadow"]],
        "docs/formats/risc-v.md": [
            ["--to", "etrace:addr_bits=40,addr_lsb_bits=0,data=0,time_bits=0", "trace.oct", "trace.te_inst_raw"],
            ["--to", "ntrace:return_stack=32", "trace.oct", "trace.nex"]]}
N_COMMANDS_LEAST = 15


def commands(page):
    """The indented lines that are commands, without their comments and the programs that they are piped to."""
    for line in page.read_text(encoding="utf-8").splitlines():
        if not line.startswith("    ") or line[4:5].isspace():
            continue
        words = line.split(" #")[0].split(" | ")[0].split()
        if words and (words[0] in {"octrace", "trc_pkt_lister", "ptdump", "ptxed"} or "/" in words[0]):
            yield words


def prepare(name, source, octrace, folder):
    """trace.oct, the program and a library, and what the page begins with."""
    data = source / "tests/traces/data"
    elf = data / f"mixed-{ISA[name]}.elf"
    shutil.copy(elf, folder / "program")
    shutil.copy(elf, folder / "libc.so.6")
    run([octrace, "convert", "--elf", str(elf), str(data / f"mixed-{ISA[name]}.oct"), "trace.oct"], folder)
    for words in MADE.get(name, []):
        run([octrace, "convert", *words], folder)
    if name == "docs/formats/trace-port.md":
        with open(folder / "sink.bin", "wb") as sink:
            subprocess.run([sys.argv[3], "1", "10", "8", "5", "port.paper", "9", "port.shadow"], cwd=folder, stdout=sink, check=True)
    if name == "docs/formats/intel-pt.md":
        run([sys.executable, str(source / "tests/tracers/make_perf.py"), "perf.data", f"map:101:{elf}",
             "thread:101:stream.pt"], folder)


def run(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=120,
                          env={**os.environ, "OCTRACE": sys.argv[1]})
    if done.returncode:
        raise SystemExit(f"$ {' '.join(words)}\nexit status {done.returncode}\n{done.stdout[-500:]}{done.stderr}")


def main():
    octrace, source = sys.argv[1], pathlib.Path(sys.argv[2])
    without = {word.removeprefix("without-") for word in sys.argv[4:]}
    n_commands, n_left_out = 0, 0
    for name in ISA:
        if LIBRARY.get(name) in without:
            continue
        with tempfile.TemporaryDirectory() as text:
            folder = pathlib.Path(text)
            prepare(name, source, octrace, folder)
            for words in commands(source / name):
                if words[0] in ELSEWHERE or "--put" in words or \
                        not (words[0] == "octrace" or "/" in words[0] or shutil.which(words[0])):
                    n_left_out += 1
                    continue
                words = ["trace.oct" if word == "TRACE..." else word for word in words]
                words[0] = octrace if words[0] == "octrace" else \
                    str(source / words[0]) if "/" in words[0] else words[0]
                run(words, folder)
                n_commands += 1
    if n_commands < (1 if without else N_COMMANDS_LEAST):
        raise SystemExit(f"format_pages.py: only {n_commands} commands were found")
    print(f"{n_commands} commands of {len(ISA)} pages work, {n_left_out} were left out")


if __name__ == "__main__":
    main()
