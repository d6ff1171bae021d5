#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""core_logs_random - is a random trace the same from the log of each core?

Traces are longer than a batch, so that instructions that are taken back stand at its ends too. The
environment names the program, OCTRACE."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import seed  # noqa: E402

N_INSNS = 140000
INSNS = [(0x00052503, "L4"), (0x00A52023, "S4"), (0x4505, ""), (0x00000013, "")]
BANNER = "Time\tCycle\tPC\tInsn\tDecoded instruction\tRegister and memory contents"


def logs(rng, n_insns):
    """Lines by name of a format, and what they are as text of octrace."""
    log = {name: [] for name in ("ibex", "rocket", "whisper", "csv", "sail", "neorv32", "rvfi")}
    want = {name: [] for name in log}
    log["ibex"].append(BANNER)
    log["csv"].append("pc, inst, modified regs, source operands, memory, inst info, privilege, trap, disassembly, hartid")
    log["rvfi"].append("rvfi_mem_addr,rvfi_mem_rmask,rvfi_mem_wmask,rvfi_order,rvfi_pc_rdata,rvfi_insn,rvfi_trap,rvfi_mode")
    for i in range(n_insns):
        kind = rng.randrange(len(INSNS))
        code, access = INSNS[kind]
        pc, addr = 0x80000000 + 8 * kind, rng.randrange(1 << 28) * 4
        digits = f"{code:08x}" if code & 3 == 3 else f"{code:04x}"
        insn = f"{pc:08x}" + ("/2" if len(digits) == 4 else "")
        whole = insn + (f" {access}:{addr:08x}" if access else "")
        for name, lines in want.items():
            lines.append(insn if name in ("rocket", "neorv32") else whole)
        mark = f"PA:0x{addr:08x}" if access else ""
        log["ibex"].append(f"{2 * i:15}\t{i:10}\t{pc:08x}\t{digits}\tname\tx1,x2\t{mark}")
        log["rocket"].append(f"C0: {i:10} [1] pc=[{pc:08x}] W[r 0=0][0] inst=[{digits}] name")
        log["rocket"].append(f"C0: {i:10} [0] pc=[{pc + 8:08x}] W[r 0=0][0] inst=[00000000] unknown")
        resource = f"m {addr:08x}" if access == "S4" else "r 0a"
        bracket = f" [0x{addr:x}]" if access == "L4" else ""
        log["whisper"].append(f"#{i + 1} 0 {pc:08x} {digits:>8} {resource} 00000001  name{bracket}")
        memory = f"{addr:x}{'=7' if access == 'S4' else ''}" if access else ""
        log["csv"].append(f"{pc:x},{code:x},x1=7,x2,{memory},,m,,name,0")
        log["sail"].append(f"[{i}] [M]: 0x{pc:08X} (0x{digits.upper()}) name")
        if access:
            log["sail"].append(f"mem[{'RW'[access == 'S4']},0x{addr:08X}] {'<-' if access == 'S4' else '->'} 0x00000001")
        log["neorv32"].append(f"{i} {i} 0x{pc:08x} 0x{digits} M name")
        masks = f"{'f' if access == 'L4' else '0'},{'f' if access == 'S4' else '0'}"
        log["rvfi"].append(f"{addr:08x},{masks},{i},{pc:08x},{digits},0,3")
        if rng.random() < 0.3:  # an environment call, which does not retire
            log["sail"] += [f"[{i}] [M]: 0x80000100 (0x00000073) ecall", "handling exc#0x0B at priv M with tval 0x00000000"]
            log["rvfi"].append(f"0,0,0,{i},80000100,00000073,1,3")
            log["csv"].append("80000100,73,c833=80000100;c834=b;c835=0,,,,m,b,ecall,0")
            log["neorv32"] += [f"{i} {i} 0x80000100 0x00000073 M ecall", f"{i} {i} 0x80000200 0x00000013 M nop <TRAP_ENTRY>"]
            want["sail"].append("!exception 11 A:80000100 V:00000000 P:3")
            want["csv"].append("!exception 11 A:80000100 V:00000000 P:3")
            want["rvfi"].append("!exception 11 A:80000100 V:00000000 P:3")
            want["neorv32"] += ["!exception 11 A:80000100 V:00000000 P:3", "80000200"]
    return log, want


def main():
    rng = random.Random(seed.seed("core_logs_random"))
    # Of a share, few are longer than a batch.
    log, want = logs(rng, rng.choice([N_INSNS // 2, 3000, 3000, 3000]) if seed.SHARE else N_INSNS)
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in seed.some(list(log.items())):
            path = pathlib.Path(folder) / name
            indent = rng.choice(["", "", "  ", "\t"])  # as another log may quote it
            path.write_text("".join(f"{indent}{line}\n" for line in lines))
            got = subprocess.run([os.environ["OCTRACE"], "convert", "--to", "text", path, "-"], check=True,
                                 capture_output=True, text=True).stdout.split("\n")
            got = [line for line in got if line and not line.startswith(("#", "!privilege"))]
            for number, (a, b) in enumerate(zip(want[name] + ["end"], got + ["end"])):
                # A trap after the last instruction has no privilege.
                if a != b and not (b.startswith("!") and a.startswith(b)):
                    sys.exit(f"{name}: line {number + 1}: expected '{a}', got '{b}'")


if __name__ == "__main__":
    main()
