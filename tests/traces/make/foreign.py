#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""foreign.py - build samples of foreign trace formats, field by field, from the run of mixed.c.

Usage: foreign.py OCTRACE WORK OUT
WORK holds, for each instruction set, mixed-ISA.elf, mixed-ISA.oct and mixed-ISA.log (the lines of
execlog), as `make-samples` leaves them. OUT gets the samples. The layouts are those of docs/formats.
"""

import lzma
import gzip
import re
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

COUNT = 3000  # instructions a sample
OCTRACE, WORK, OUT = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])


def instructions(isa):
    """(pc, size, [(is_store, size, addr)]) of the captured run."""
    text = subprocess.run([OCTRACE, "convert", "--to", "text", "--limit", str(COUNT),
                           str(WORK / f"mixed-{isa}.oct"), "-"],
                          check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        fields = line.split()
        pc, _, size = fields[0].partition("/")
        accesses = []
        for field in fields[1:]:
            kind, _, addr = field.partition(":")
            accesses.append((kind[0] == "S", int(kind[1:]), int(addr, 16)))
        yield int(pc, 16), int(size or 4), accesses


def segments(isa):
    """(address, bytes) of what the program loads."""
    elf = (WORK / f"mixed-{isa}.elf").read_bytes()
    wide, order = elf[4] == 2, "<" if elf[5] == 1 else ">"
    phoff, = struct.unpack_from(order + ("Q" if wide else "I"), elf, 32 if wide else 28)
    phentsize, phnum = struct.unpack_from(order + "HH", elf, 54 if wide else 42)
    for i in range(phnum):
        at = phoff + i * phentsize
        if wide:
            kind, _, offset, vaddr, _, filesz = struct.unpack_from(order + "IIQQQQ", elf, at)
        else:
            kind, offset, vaddr, _, filesz = struct.unpack_from(order + "IIIII", elf, at)
        if kind == 1:
            yield vaddr, elf[offset:offset + filesz]


def code_of(isa):
    """Bytes of an instruction by address and size."""
    loaded = list(segments(isa))

    def at(pc, size):
        for start, content in loaded:
            if start <= pc < start + len(content):
                return content[pc - start:pc - start + size]
        raise KeyError(hex(pc))
    return at


def disassembly(isa):
    """pc -> what the emulator says."""
    says = {}
    for line in (WORK / f"mixed-{isa}.log").read_text().splitlines():
        match = re.match(r'\d+, 0x([0-9a-f]+), 0x[0-9a-f]+, "(.*)"', line)
        if match:
            says.setdefault(int(match[1], 16), match[2].strip())
    return says


def write(name, content):
    if isinstance(content, str):
        content = content.encode()
    pack = gzip.compress if name.endswith(".gz") else lzma.compress if name.endswith(".xz") else bytes
    if pack is gzip.compress:
        content = gzip.compress(content, 9, mtime=0)
    else:
        content = pack(content)
    (OUT / name).write_bytes(content)


def din(isa):
    classic, extended, binary = [], [], []
    for pc, size, accesses in instructions(isa):
        refs = [(2, pc, size)] + [(int(store), addr, n) for store, n, addr in accesses]
        for label, addr, n in refs:
            classic.append(f"{label} {addr:x}\n")
            extended.append(f"{'rwi'[label]} {addr:x} {n:x}\n")
            binary.append(struct.pack("<IHBB", addr, n, label, 0))
    write("mips.din.xz", "".join(classic))
    write("mips.xdin.xz", "".join(extended))
    write("mips.dinbin.xz", b"".join(binary))


def champsim(isa, name, stores, fmt):
    run, out = list(instructions(isa)), []
    for i, (pc, size, accesses) in enumerate(run):
        jumped = i + 1 < len(run) and run[i + 1][0] != pc + size
        written = [addr for store, _, addr in accesses if store][:stores]
        read = [addr for store, _, addr in accesses if not store][:4]
        written += [0] * (stores - len(written))
        read += [0] * (4 - len(read))
        out.append(struct.pack(fmt, pc, jumped, jumped, *[0] * (stores + 4), *written, *read))
    write(name, b"".join(out))


def spike(isa):
    code, says, out = code_of(isa), disassembly(isa), []
    for i, (pc, size, accesses) in enumerate(instructions(isa)):
        word = int.from_bytes(code(pc, size), "little")
        if i < 50:  # as with -l
            out.append(f"core   0: 0x{pc:016x} (0x{word:08x}) {says[pc]}\n")
        line = f"core   0: 3 0x{pc:016x} (0x{word:0{2 * size}x})"
        if i % 3 == 0:
            line += f" x{i % 31 + 1:<2d} 0x{i:016x}"
        for store, n, addr in sorted(accesses, key=lambda a: a[0]):
            line += f" mem 0x{addr:016x}"
            if store:
                line += f" 0x{i % 256:0{1 if n == 1 else 2 * n}x}"
        out.append(line + "\n")
    write("riscv64.spike.xz", "".join(out))


def gem5(isa):
    says, out, tick = disassembly(isa), [], 0
    for pc, _, accesses in instructions(isa):
        head, text = f"system.cpu: A0 T0 : {pc:#x} @run+{pc & 0xff}", says[pc]
        if len(accesses) < 2:
            tail = " : IntAlu :  D=0x0000000000000000  flags=(IsInteger)"
            for store, _, addr in accesses:
                kind = "Write" if store else "Read"
                tail = f" : Mem{kind} :  D=0x0000000000000000 A={addr:#x}  flags=()"
            out.append(f"{tick:7d}: {head}    :   {text:26s}{tail}\n")
            tick += 500
            continue
        out.append(f"{tick:7d}: {head}    : {text}\n")
        for micro, (store, _, addr) in enumerate(accesses):
            kind = "Write" if store else "Read"
            out.append(f"{tick:7d}: {head}.{micro:2d}  :   {text.split()[0]}_uop : Mem{kind} :"
                       f"  D=0x0000000000000000 A={addr:#x}  flags=(IsMicroop)\n")
            tick += 500
    write("aarch64.gem5.xz", "".join(out))


def drmemtrace(isa):
    def record(kind, size, value):
        return struct.pack("<HHQ", kind, size, value)
    code, seen, chunk = code_of(isa), set(), []
    chunk.append([record(25, 0, 4), record(28, 12, 4), record(28, 9, 0x240), record(22, 4, 7001),
                  record(24, 4, 7000), record(28, 2, 13_300_000_000_000_000)])
    for i, (pc, size, accesses) in enumerate(instructions(isa)):
        if i == COUNT // 2:  # another thread, in the next chunk
            chunk[-1].append(record(28, 31, 0))
            chunk.append([record(22, 4, 7002)])
        if pc not in seen:
            seen.add(pc)
            word = code(pc, size)
            for k in range(0, size, 8):
                part = word[k:k + 8]
                chunk[-1].append(struct.pack("<HH", 47, len(part)) + part.ljust(8, b"\0"))
        chunk[-1].append(record(10, size, pc))
        for store, n, addr in accesses:
            chunk[-1].append(record(int(store), n, addr))
    chunk[-1] += [record(23, 4, 7001), record(26, 0, 0)]
    with zipfile.ZipFile(OUT / "x86-64.drmemtrace.zip", "w", zipfile.ZIP_DEFLATED) as out:
        for i, records in enumerate(chunk):
            out.writestr(zipfile.ZipInfo(f"chunk.{i:04d}", (2026, 1, 1, 0, 0, 0)),
                         b"".join(records), zipfile.ZIP_DEFLATED, 9)


def cvp(isa):
    run, out = list(instructions(isa)), []
    for i, (pc, size, accesses) in enumerate(run):
        following = run[i + 1][0] if i + 1 < len(run) else pc + size
        record = struct.pack("<Q", pc)
        if accesses:
            store, n, addr = accesses[0]
            record += struct.pack("<BQB", 2 if store else 1, addr, n)
            outputs = [] if store else [i % 64]
        elif following != pc + size:
            record += struct.pack("<BBQ", 3 + i % 3, 1, following)
            outputs = []
        else:
            record += struct.pack("<B", 0)
            outputs = [64] if i % 5 == 0 else [i % 31]
        inputs = [i % 31, 31][:i % 3]
        record += bytes([len(inputs), *inputs, len(outputs), *outputs])
        for register in outputs:
            record += bytes(16 if 32 <= register < 64 else 8)
        out.append(record)
    write("aarch64.cvp.gz", b"".join(out))


def data_only(isa):
    pin, vpc = [], [b"vpc3"]
    for pc, _, accesses in instructions(isa):
        for store, _, addr in accesses:
            pin.append(f"{pc:#x}: {'W' if store else 'R'} {addr:#x}\n")
            vpc.append(struct.pack("<IQ", pc, addr))
    write("x86-64.pinatrace.xz", "".join(pin) + "#eof\n")
    write("x86-64.vpc3.xz", b"".join(vpc))


def logs():
    for isa in ("x86-64", "riscv64", "aarch64", "mips", "thumb", "arm"):
        lines = (WORK / f"mixed-{isa}.log").read_text().splitlines(keepends=True)
        write(f"{isa}.execlog.xz", "".join(lines[:COUNT]))
    lines = (WORK / "mixed-x86-64.lackey").read_text().splitlines(keepends=True)
    write("x86-64.lackey.xz", "".join(lines))


logs()
din("mips")
champsim("x86-64", "x86-64.champsim.xz", 2, "<QBB6B2Q4Q")
champsim("x86-64", "x86-64.cloudsuite.xz", 4, "<QBB8B6x4Q4Q8x")
spike("riscv64")
gem5("aarch64")
drmemtrace("x86-64")
cvp("aarch64")
data_only("x86-64")
