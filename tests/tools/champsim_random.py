#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""champsim_random - does ChampSim take what octrace writes for what it is?

A reader of ChampSim's records, written from its description: it has the kind of a branch from the registers. Random
RISC-V programs (calls_random.py) have the kinds that they were made of and the registers of their instructions;
programs of every instruction set have as many branches of each kind as `octrace stats` counts by their classes.
"""
import collections
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import calls_random  # noqa: E402
import stats_random  # noqa: E402

OCTRACE = calls_random.OCTRACE
DATA = pathlib.Path(os.environ["DATA"])
SP, FLAGS, IP = 6, 25, 26
LAYOUTS = {"champsim": ("<QBB2B4B2Q4Q", 2), "cloudsuite": ("<QBB4B4B6x4Q4QH6x", 4)}
# Register r of RISC-V is 32 + r: of lb, ld, sw, amoadd.d by register 8. Effects do not have what amoadd.d stores.
REGS = {0x00040283: ({37}, {40}), 0x00043283: ({37}, {40}), 0x00542023: (set(), {37, 40}), 0x0054302F: (set(), {40}),
        0x13: (set(), set())}


def records(data, to):
    layout, stores = LAYOUTS[to]
    for fields in struct.iter_unpack(layout, data):
        yield fields[0], fields[1], fields[2], set(fields[3:3 + stores]) - {0}, set(fields[3 + stores:7 + stores]) - {0}


def kind_of(writes, reads):
    """The kind of a branch as ChampSim has it (ooo_model_instr), or None."""
    others = reads - {SP, FLAGS, IP}
    sp, flags, ip = (r in reads for r in (SP, FLAGS, IP))
    if IP not in writes:
        return None
    if not sp and not flags and not others:
        return "direct jump"
    if not sp and not ip and not flags and others:
        return "indirect jump"
    if not sp and ip and SP not in writes and (flags or others):
        return "conditional branch"
    if sp and ip and SP in writes and not flags:
        return "indirect call" if others else "direct call"
    if sp and not ip and SP in writes:
        return "return"
    return "other"


def convert(to, *words):
    return subprocess.run([OCTRACE, "convert", "--to", to, *words, "-"], stdout=subprocess.PIPE, check=True).stdout


def check_random(folder, rng):
    program = calls_random.Program(rng, calls_random.NAMED)
    program.data = {at: rng.choice(stats_random.FORMS)[0] for at, op in program.ops.items() if op[0] == "nop"}
    lines, _ = calls_random.run(program, rng, True)
    elf, trace = folder / "program", folder / "trace.txt"
    elf.write_bytes(program.elf(True))
    # One task: ChampSim has a trace for each.
    lines = [line.split(" ")[0] if line[0] not in "#!" else line for line in lines if "T:" not in line]
    while lines[-1][0] == "!":
        lines.pop()
    trace.write_text("\n".join(lines) + "\n", encoding="utf-8")
    addrs = [int(line.split(" ")[0], 16) for line in lines if line[0] not in "#!"]
    after, insn = {}, -1  # what an instruction led to, where a trap came in between
    for line in lines:
        insn += line[0] not in "#!"
        if line[0] == "!" and "A:" in line:
            after.setdefault(insn, int(line.split("A:")[1].split(" ")[0], 16))
    for to in LAYOUTS:
        got = list(records(convert(to, "--elf", elf, trace), to))
        if len(got) != len(addrs):
            return f"{to}: {len(got)} records of {len(addrs)} instructions"
        for i, (addr, is_branch, taken, writes, reads) in enumerate(got):
            cls = stats_random.CLASSES.get(program.ops[addr][0])
            then = after.get(i, addrs[i + 1] if i + 1 < len(addrs) else addr + 4)
            want_taken = cls is not None and (cls != "conditional branch" or then != addr + 4)
            if (addr, is_branch, taken, kind_of(writes, reads)) != (addrs[i], cls is not None, want_taken, cls):
                return f"{to}: record {i}, {addr:#x}: {kind_of(writes, reads)} {is_branch} {taken}, expected {cls} {want_taken}"
            if program.ops[addr][0] == "nop" and (writes, reads) != REGS[program.word(addr)]:
                return f"{to}: record {i}, {program.word(addr):#x}: registers {writes} {reads}"
    return None


def check_isa(isa):
    words = ["--elf", DATA / f"mixed-{isa}.elf", DATA / f"mixed-{isa}.oct"]
    mix = json.loads(subprocess.run([OCTRACE, "stats", "--json", "--no-distances", *words], stdout=subprocess.PIPE, check=True).stdout)
    want = {cls: sum(n.values()) for cls, n in mix["mix"].items() if cls not in ("other", "unknown") and sum(n.values())}
    got = collections.Counter(kind_of(writes, reads) for *_, writes, reads in records(convert("champsim", *words), "champsim"))
    has_registers = sum(1 for *_, writes, reads in records(convert("champsim", *words), "champsim") if writes | reads)
    del got[None]
    if isa == "arm":  # a return or jump whose condition fails is a conditional branch
        shown = mix["branches"]
        failed = want["return"] - shown["returns"] + want["indirect jump"] + want["indirect call"] - shown["indirect"]
        want["conditional branch"] += failed
        want["return"] = shown["returns"]
        want["indirect jump"] = shown["indirect"] - want["indirect call"]
    if got != want:
        return f"{isa}: {dict(got)}, expected {want}"
    return None if has_registers > 0.9 * mix["instructions"] else f"{isa}: only {has_registers} records have registers"


def main():
    seed = int(os.environ.get("OCT_TEST_SEED") or str(int(time.time())), 0)
    print(f"champsim_random: OCT_TEST_SEED={seed}")
    rng = random.Random(seed)
    faults = [check_isa(isa) for isa in ("arm", "thumb", "aarch64", "riscv64", "x86-64", "mips")]
    with tempfile.TemporaryDirectory() as name:
        faults += [check_random(pathlib.Path(name), rng) for _ in range(8)]
    if any(faults):
        sys.exit("\n".join(fault for fault in faults if fault))


if __name__ == "__main__":
    main()
