#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""rvfi_spike.py - what a core retired by the log of `spike --log-commits`, for sim/soc/cores/player.

Usage: rvfi_spike.py [--xlen N] [--cycles N] LOG
Prints a stream for one channel, with an instruction every N cycles (default 8). LOG is as Spike writes it, of one
core. An exception is an instruction that traps, an interrupt is told with the first instruction of its handler.
RVFI has no room for two interrupts behind one another. Of an interrupt behind an exception it has the interrupt alone.
"""
import argparse
import re
import sys

COMMIT = re.compile(r"core +\d+: (\d) 0x([0-9a-f]+) \(0x([0-9a-f]+)\)(.*)")
ACCESS = re.compile(r"mem 0x([0-9a-f]+)( 0x[0-9a-f]+)?(?= |$)")
TRAP = re.compile(r"core +\d+: exception (?:trap_)?(\S+)(?: #(\d+))?, epc 0x([0-9a-f]+)")
TVAL = re.compile(r"core +\d+: +tval 0x([0-9a-f]+)")
CAUSES = ("instruction_address_misaligned", "instruction_access_fault", "illegal_instruction", "breakpoint",
          "load_address_misaligned", "load_access_fault", "store_address_misaligned", "store_access_fault", "user_ecall",
          "supervisor_ecall", "virtual_supervisor_ecall", "machine_ecall", "instruction_page_fault", "load_page_fault",
          "", "store_page_fault", "double_trap", "", "software_check", "hardware_error", "instruction_guest_page_fault",
          "load_guest_page_fault", "virtual_instruction", "store_guest_page_fault")
NOP = 0x13  # the word of an instruction that traps, which the log does not have


def access_bytes(word, xlen):
    """Of a load or store."""
    if word & 3 == 3:
        return 1 << (word >> 12 & 3)
    if word & 0xE003 == 0x8000:  # Zcb
        return 1 << (word >> 10 & 1)
    kind = word >> 13 & 3  # fld, lw, and flw of RV32 or ld of RV64; stores alike
    return 8 if kind == 1 else 4 if kind == 2 else xlen // 8


def cause_of(trap, number):
    """That of a trap, a match of TRAP, in this line of the log."""
    if trap[2]:
        return int(trap[2])
    if trap[1] not in CAUSES:
        sys.exit(f"rvfi_spike.py: line {number}: expected the name of a trap of RISC-V behind 'exception': {trap[1]}")
    return CAUSES.index(trap[1])


def commits(lines):
    """(mode, pc, word, accesses, traps before it) of each commit, a trap as (is_interrupt, cause, epc, tval)."""
    traps = []
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\n")
        commit, trap, tval = COMMIT.match(line), TRAP.match(line), TVAL.match(line)
        if commit:
            accesses = [(int(addr, 16), bool(value)) for addr, value in ACCESS.findall(commit[4])]
            yield int(commit[1]), int(commit[2], 16), int(commit[3], 16), accesses, traps
            traps = []
        elif trap:
            is_interrupt = trap[1] == "interrupt"
            traps.append((is_interrupt, cause_of(trap, number), int(trap[3], 16), 0))
        elif tval and traps:
            traps[-1] = (*traps[-1][:3], int(tval[1], 16))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--xlen", type=int, choices=(32, 64), default=64)
    parser.add_argument("--cycles", type=int, default=8)
    parser.add_argument("log")
    options = parser.parse_args()
    digits = options.xlen // 4

    def put(flags, word=0, pc=0, base=0, wmask=0, rmask=0, told=(0, 0, 0)):
        cause, epc, tval = told
        print(f"{cause:04x}{epc:0{digits}x}{tval:0{digits}x}"
              f"{flags:02x}{word:08x}{pc:0{digits}x}{base:0{digits}x}{wmask:04x}{rmask:04x}")
        for _ in range(options.cycles - 1 if flags & 1 else 0):
            put(0)

    with open(options.log, encoding="ascii") as log:
        for mode, pc, word, accesses, traps in commits(log):
            handler = None  # what the next record tells, if it begins one
            was_interrupt = False
            for is_interrupt, cause, epc, tval in traps:
                if is_interrupt and was_interrupt:
                    sys.exit(f"rvfi_spike.py: an interrupt behind another at 0x{epc:x}: RVFI has no room for both")
                was_interrupt = is_interrupt
                if not is_interrupt:
                    put(1 | 4 | bool(handler) << 3 | mode << 4, NOP, epc, told=handler or (0, 0, 0))
                handler = (cause, epc, tval)
            base = accesses[0][0] if accesses else 0
            mask = (1 << access_bytes(word, options.xlen)) - 1
            loads = any(not is_store for _, is_store in accesses)
            stores = any(is_store for _, is_store in accesses)
            put(1 | bool(handler) << 3 | mode << 4, word, pc, base, mask * stores, mask * loads, handler or (0, 0, 0))
    for _ in range(40):
        put(0)
    put(2)


if __name__ == "__main__":
    main()
