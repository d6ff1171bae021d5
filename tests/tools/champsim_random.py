#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""champsim_random - does ChampSim take what octrace writes for what it is?

A reader of ChampSim's records, written from its description: it has the kind of a branch from the registers. Random
RISC-V programs (calls_random.py) have the kinds that they were made of and the registers of their instructions;
vector instructions of every instruction set have the registers that their assembly names; programs of every instruction set have as many branches of each kind as `octrace stats` counts by their classes.
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

sys.dont_write_bytecode = True
import calls_random  # noqa: E402
import seed  # noqa: E402
import stats_random  # noqa: E402

OCTRACE = calls_random.OCTRACE
DATA = pathlib.Path(os.environ["DATA"])
SP, FLAGS, IP = 6, 25, 26
LAYOUTS = {"champsim": ("<QBB2B4B2Q4Q", 2), "cloudsuite": ("<QBB4B4B6x4Q4QH6x", 4)}
# Register r of RISC-V is 32 + r: of lb, ld, sw, amoadd.d by register 8. Effects do not have what amoadd.d stores.
REGS = {0x00040283: ({37}, {40}), 0x00043283: ({37}, {40}), 0x00542023: (set(), {37, 40}), 0x0054302F: (set(), {40}),
        0x13: (set(), set())}
# Instructions as llvm-mc encodes them, with what they write and read: register r of floating point (f) is 96 + r, of
# vectors (v) 128 + r.
FILES = {"x": 32, "f": 96, "v": 128}
VECTORS = (
    ("riscv64", "53f5c502", "f10", "f11 f12"),  # fadd.d fa0, fa1, fa2
    ("riscv64", "07a58500", "f10", ""),  # flw fa0, 8(a1)
    ("riscv64", "88a5", "", "f10"),  # fsd fa0, 8(a1)
    ("riscv64", "43f5c56a", "f10", "f11 f12 f13"),  # fmadd.d fa0, fa1, fa2, fa3
    ("riscv64", "538505d2", "f10", ""),  # fcvt.d.w fa0, a1
    ("riscv64", "53f505c2", "", "f11"),  # fcvt.w.d a0, fa1
    ("riscv64", "53a5c5a2", "", "f11 f12"),  # feq.d a0, fa1, fa2
    ("riscv64", "53f5055a", "f10", "f11"),  # fsqrt.d fa0, fa1
    ("riscv64", "538505e2", "", "f11"),  # fmv.x.d a0, fa1
    ("riscv64", "0025", "f8", ""),  # c.fld fs0, 8(a0)
    ("riscv64", "26a4", "", "f9"),  # c.fsdsp fs1, 8(sp)
    ("riscv64", "57049502", "v8", "v9 v10"),  # vadd.vv v8, v9, v10
    ("riscv64", "57449500", "v8", "v9 v0"),  # vadd.vx v8, v9, a0, v0.t
    ("riscv64", "07640502", "v8", ""),  # vle32.v v8, (a0)
    ("riscv64", "27640500", "", "v8 v0"),  # vse32.v v8, (a0), v0.t
    ("riscv64", "07649506", "v8", "v9"),  # vluxei32.v v8, (a0), v9
    ("riscv64", "575495b2", "v8", "v8 v9 f10"),  # vfmacc.vf v8, fa0, v9
    ("riscv64", "57a4a4b6", "v8", "v8 v9 v10"),  # vmacc.vv v8, v9, v10
    ("riscv64", "5744055e", "v8", ""),  # vmv.v.x v8, a0
    ("riscv64", "5784045e", "v8", "v9"),  # vmv.v.v v8, v9
    ("riscv64", "57259042", "x10", "v9"),  # vmv.x.s a0, v9
    ("riscv64", "57159042", "f10", "v9"),  # vfmv.f.s fa0, v9
    ("riscv64", "57540542", "v8", "f10"),  # vfmv.s.f v8, fa0
    ("riscv64", "5714a64a", "v8", "v10"),  # vfwcvt.f.f.v v8, v10
    ("riscv64", "57f7f57d", "x14", ""),  # vsetvli a4, a1, ...
    ("aarch64", "2028621e", "v0", "v1 v2"),  # fadd d0, d1, d2
    ("aarch64", "2000c03d", "v0", ""),  # ldr q0, [x1]
    ("aarch64", "400400ad", "", "v0 v1"),  # stp q0, q1, [x2]
    ("aarch64", "20cc224e", "v0", "v0 v1 v2"),  # fmla v0.4s, v1.4s, v2.4s
    ("aarch64", "8020404c", "v0 v1 v2 v3", ""),  # ld1 {v0.16b, v1.16b, v2.16b, v3.16b}, [x4]
    ("aarch64", "8008400d", "v0", "v0"),  # ld1 {v0.b}[2], [x4]
    ("aarch64", "2000669e", "", "v1"),  # fmov x0, d1
    ("aarch64", "2000221e", "v0", ""),  # scvtf s0, w1
    ("aarch64", "0020611e", "", "v0 v1"),  # fcmp d0, d1
    ("arm", "020a31ee", "v0", "v1 v2"),  # vadd.f32 s0, s2, s4
    ("arm", "000b91ed", "v0", ""),  # vldr d0, [r1]
    ("arm", "480804f2", "v0 v1", "v4 v5 v8 v9"),  # vadd.i8 q0, q2, q4
    ("arm", "048b2ded", "", "v8 v9"),  # vpush {d8, d9}
    ("arm", "100a11ee", "", "v1"),  # vmov r0, s2
    ("thumb", "01ee020b", "v0", "v0 v1 v2"),  # vmla.f64 d0, d1, d2
    ("thumb", "81ed003b", "", "v3"),  # vstr d3, [r1]
    ("x86-64", "0f58c1", "v0", "v0 v1"),  # addps %xmm1, %xmm0
    ("x86-64", "0f28ca", "v1", "v2"),  # movaps %xmm2, %xmm1
    ("x86-64", "f30f1007", "v0", ""),  # movss (%rdi), %xmm0
    ("x86-64", "c5f458c2", "v0", "v1 v2"),  # vaddps %ymm2, %ymm1, %ymm0
    ("x86-64", "c4e2f1b8c2", "v0", "v0 v1 v2"),  # vfmadd231pd %xmm2, %xmm1, %xmm0
    ("x86-64", "62b1744858c4", "v0", "v1 v20"),  # vaddps %zmm20, %zmm1, %zmm0
    ("x86-64", "0f6fc1", "f0", "f1"),  # movq %mm1, %mm0
    ("x86-64", "f20f2ac0", "v0", ""),  # cvtsi2sd %eax, %xmm0
    ("mips", "46262080", "f2", "f4 f6"),  # add.d $f2, $f4, $f6
    ("mips", "c4a20004", "f2", ""),  # lwc1 $f2, 4($5)
    ("mips", "f4a20008", "", "f2"),  # sdc1 $f2, 8($5)
    ("mips", "44841000", "f2", ""),  # mtc1 $4, $f2
    ("mips", "44041000", "", "f2"),  # mfc1 $4, $f2
    ("mips", "4624103c", "", "f2 f4"),  # c.lt.d $f2, $f4
    ("mips", "468020a1", "f2", "f4"),  # cvt.d.w $f2, $f4
)


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


def check_vectors(folder, isa):
    cases = [case[1:] for case in VECTORS if case[0] == isa]
    lines, addr = [f"# isa {isa}"], 0x8000
    for code, _, _ in cases:
        lines.append(f"{addr:x}/{len(code) // 2} I:{code}")
        addr += len(code) // 2
    trace = folder / "vectors.txt"
    trace.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for (code, *want), (*_, writes, reads) in zip(cases, records(convert("cloudsuite", trace), "cloudsuite"), strict=True):
        numbers = [{FILES[name[0]] + int(name[1:]) for name in names.split()} for names in want]
        got = [{reg for reg in regs if reg >= FILES["f"] or "x" in want[0]} for regs in (writes, reads)]
        if got != numbers:
            return f"{isa}: {code}: writes and reads {got}, expected {numbers}"
    return None


def main():
    rng = random.Random(seed.seed("champsim_random"))
    faults = [check_isa(isa) for isa in seed.some(["arm", "thumb", "aarch64", "riscv64", "x86-64", "mips"])]
    with tempfile.TemporaryDirectory() as name:
        faults += [check_vectors(pathlib.Path(name), isa) for isa in sorted({case[0] for case in VECTORS}) if not seed.SHARE]
        faults += [check_random(pathlib.Path(name), rng) for _ in seed.some(range(8))]
    if any(faults):
        sys.exit("\n".join(fault for fault in faults if fault))


if __name__ == "__main__":
    main()
