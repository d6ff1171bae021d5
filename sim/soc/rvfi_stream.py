#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""rvfi_stream.py - what a RISC-V core might retire, for sim/soc/cores/player, at random.

Usage: rvfi_stream.py CHANNELS INSTRUCTIONS SEED [--xlen N] [--break RULE] [--traps] [--interrupts] [--lanes]
                      [--changes] [--rate N] [--secure MODE] [--halt] [--list FILE]
Prints a line for each cycle. Instructions are those of a random program that has every form of access:
loads and stores of each size, at each byte, compressed and floating-point ones, LR, SC that succeeds
and fails, AMOs, faults, branches and jumps of each class, wfi, fence.i, and illegal words. --xlen is 32 (the default) or 64.
--break breaks a rule of the interface: `odd` an odd address, `access` an access that the opcode has
not, `kind` a load that writes, `size` a load of a byte that reads a word, `gap` a load of a word that leaves a byte out, `fast` two AMOs in each cycle. --traps adds exceptions, of a handler's first instruction too,
interrupts, and changes of the privilege alone; the first of all may trap or be a handler's. --interrupts adds interrupts alone, all at one
level. Some accesses cross a word, with the address of their
first byte and a mask from bit 0 on; with --lanes all are within a word, as a mask by lane needs.
With --changes the program changes itself: now and then an instruction becomes another of the same size.
--rate is the number of instructions a cycle; without it, as many as a roomy `paper` takes.
--halt ends the stream with an exception that halts the core, in the cycle of which its cause and trap value are told.
--secure leaves what retires at this privilege out of the list, and the traps to it and from it.
--list writes what a decoder has to give back (scripts/soc --list writes the same).
"""
import argparse
import random

RETURNS = (0x30200073, 0x10200073)  # from traps
BASE = {32: 0x1000, 64: 0xFFFFFFC000001000}


def forms(xlen):
    """(word, reads, writes, bytes) of each kind of instruction, and how often it is taken."""
    table = [(0x00000013, 0, 0, 0, 8)]  # nop
    if xlen == 64:
        table.append((0x03 | 3 << 12 | 7 << 7 | 9 << 15, 1, 0, 8, 1))  # ld
        table.append((0x03 | 6 << 12 | 7 << 7 | 9 << 15, 1, 0, 4, 1))  # lwu
        table.append((0x23 | 3 << 12 | 7 << 20 | 9 << 15, 0, 1, 8, 1))  # sd
        table.append((0x07 | 3 << 12 | 1 << 7 | 9 << 15, 1, 0, 8, 1))  # fld
        table.append((0x27 | 3 << 12 | 1 << 20 | 9 << 15, 0, 1, 8, 1))  # fsd
        amo = 0x2F | 3 << 12 | 7 << 7 | 9 << 15
        table.append((amo | 2 << 27, 1, 0, 8, 1))  # lr.d
        table.append((amo | 3 << 27, 0, 1, 8, 1))  # sc.d
        table.append((amo, 1, 1, 8, 1))  # amoadd.d
        for word in (0x2080, 0x20A2):  # c.fld c.fldsp
            table.append((word, 1, 0, 8, 1))
    for width, size in ((0, 1), (1, 2), (2, 4), (4, 1), (5, 2)):
        table.append((0x03 | width << 12 | 7 << 7 | 9 << 15, 1, 0, size, 1))
    for width, size in ((0, 1), (1, 2), (2, 4)):
        table.append((0x23 | width << 12 | 7 << 20 | 9 << 15, 0, 1, size, 1))
    table.append((0x07 | 2 << 12 | 1 << 7 | 9 << 15, 1, 0, 4, 1))  # flw
    table.append((0x27 | 2 << 12 | 1 << 20 | 9 << 15, 0, 1, 4, 1))  # fsw
    amo = 0x2F | 2 << 12 | 7 << 7 | 9 << 15
    table.append((amo | 2 << 27, 1, 0, 4, 1))  # lr.w
    table.append((amo | 3 << 27, 0, 1, 4, 1))  # sc.w
    table.append((amo | 1 << 27, 1, 1, 4, 1))  # amoswap.w
    table.append((amo, 1, 1, 4, 1))  # amoadd.w
    for word in (0x4080, 0x40A2):  # c.lw c.lwsp
        table.append((word, 1, 0, 4, 1))
    for word in (0xC080, 0xC086):  # c.sw c.swsp
        table.append((word, 0, 1, 4, 1))
    for word in (0x6080, 0x60A2):  # c.flw c.flwsp, or c.ld c.ldsp
        table.append((word, 1, 0, xlen // 8, 1))
    for word in (0xE080, 0xE086):  # c.fsw c.fswsp, or c.sd c.sdsp
        table.append((word, 0, 1, xlen // 8, 1))
    for word, size in ((0x8080, 1), (0x80E0, 1), (0x8480, 2), (0x84C0, 2)):  # c.lbu c.lbu c.lhu c.lh
        table.append((word, 1, 0, size, 1))
    for word, size in ((0x8880, 1), (0x8C80, 2)):  # c.sb c.sh
        table.append((word, 0, 1, size, 1))
    for word in (0x9C61, 0x9C75, 0x9C45):  # c.zext.b c.not c.mul
        table.append((word, 0, 0, 0, 1))
    table.append((0x0001, 0, 0, 0, 4))  # c.nop
    for word in (0x63, 0x67 | 1 << 7 | 9 << 15, 0x67 | 1 << 15, 0x67 | 9 << 15, 0x6F, 0x6F | 1 << 7):
        table.append((word, 0, 0, 0, 1))
    for word in (0xA001, 0x2085, 0xC001, 0xE001, 0x8482, 0x9482, 0x8082):  # c.j c.jal (c.addiw) c.beqz c.bnez c.jr ...
        table.append((word, 0, 0, 0, 1))
    # mret, sret, wfi, fence.i, and an illegal word that a core retires before it traps
    for word in (*RETURNS, 0x10500073, 0x0000100F, 0xFFFFFFFF):
        table.append((word, 0, 0, 0, 1))
    return table


def jumps(word, xlen):
    if word & 3 == 3:
        return word & 0x7F in (0x63, 0x67, 0x6F) or word in RETURNS
    quadrant_1 = (5, 6, 7) if xlen == 64 else (1, 5, 6, 7)
    return word & 3 == 1 and word >> 13 in quadrant_1 or word in (0x8482, 0x9482, 0x8082)


MODES = (0, 1, 3)
RULES = ("odd", "access", "kind", "size", "gap", "fast")


class Core:
    """A core that retires a random program, and the list of what it did."""

    def __init__(self, rng, options):
        table = forms(options.xlen)
        self.rng, self.options = rng, options
        self.program, address = [], BASE[options.xlen]
        for form in rng.choices(table, [form[4] for form in table], k=300):
            self.program.append((address, form))
            address += 4 if form[0] & 3 == 3 else 2
        self.at, self.mode = 0, 3
        self.told_mode = None  # of the instruction before
        self.exception = None  # the address of the one that trapped just now
        self.handler = None  # what the next is told if it begins a handler: cause, epc, tval
        self.is_hidden = False  # what was before is not in the list
        self.since = 21 * rng.randrange(2)  # instructions since a trap; the first may be one,
        self.close = 0  # and traps so close that they may all wait: a machine has room for four
        self.may_change = True  # the privilege, without a trap, or by an interrupt
        self.list = []

    def step(self, left):
        """One record, and what a handler is told with it."""
        rng = self.rng
        if self.options.changes and rng.random() < 0.05:
            self.change()
        pc, (word, reads, writes, size, _) = self.program[self.at]
        with_exceptions = self.options.traps
        calm = (with_exceptions or self.options.interrupts and self.list) and self.since > 20 and self.may_change
        if calm:
            self.close = 0
        often = 0.04 if self.list else 0.4
        if calm and rng.random() < often:  # an interrupt
            self.enter(pc)
            pc, (word, reads, writes, size, _) = self.program[self.at]
        elif calm and with_exceptions and rng.random() < 0.04:
            self.mode, self.since = rng.choice(MODES), 0
        told, self.handler = self.handler, None
        is_trap = with_exceptions and (told and self.close < 4 and rng.random() < 0.5 or calm and rng.random() < often)
        self.since += 1
        self.say_trap(told, is_trap)
        flags = 1 | is_trap << 2 | (told is not None) << 3 | self.mode << 4
        if is_trap:
            self.exception = pc
            self.enter(pc)
            return (flags, word, pc, 0, 0, 0), told
        if self.mode != self.options.secure:
            self.told_mode = self.mode
        return self.retire(flags, pc, word, reads, writes, size, left), told

    def halt(self, digits):
        """A cycle with an exception that halts the core. What epc tells then means nothing."""
        pc, (word, *_) = self.program[self.at]
        cause, epc, tval = self.rng.randrange(32), *(self.rng.randrange(1 << 4 * digits) for _ in range(2))
        self.list.append(f"t 0 {self.mode} {cause} {pc:x} {tval:x}")
        told = f"{cause:04x}{epc:0{digits}x}{tval:0{digits}x}"
        return f"{told}{1 | 1 << 2 | self.mode << 4 | 1 << 6:02x}{word:08x}{pc:0{digits}x}" + "0" * (digits + 8)

    def change(self):
        """Put another instruction where the program is."""
        pc, old = self.program[self.at]
        same_size = [form for form in forms(self.options.xlen) if (form[0] & 3 == 3) == (old[0] & 3 == 3)]
        self.program[self.at] = pc, self.rng.choice(same_size)

    def enter(self, pc):
        """Go on with a handler."""
        rng = self.rng
        self.at, self.since = rng.randrange(len(self.program)), 0
        self.close += 1
        if self.options.traps:
            self.mode = rng.choice(MODES[1:])
        self.handler = (rng.randrange(32), pc, rng.randrange(1 << self.options.xlen))

    def say_trap(self, told, is_trap):
        if self.mode == self.options.secure:
            self.exception, self.is_hidden = None, True
            return
        if self.is_hidden:
            told = None
        self.is_hidden = False
        if told and self.exception is not None:
            self.list.append(f"t 0 {self.mode} {told[0]} {self.exception:x} {told[2]:x}")
        elif told:
            self.list.append(f"t 1 {self.mode} {told[0]} {told[1]:x} 0")
        elif not is_trap and self.told_mode not in (None, self.mode):
            self.list.append(f"t 2 {self.mode} 0 0 0")
        self.exception = None

    def retire(self, flags, pc, word, reads, writes, size, left):
        rng, broken = self.rng, self.options.rule
        lanes = self.options.xlen // 8
        base, byte = rng.randrange(0, 1 << self.options.xlen - 2) & -lanes, rng.randrange(0, lanes, size or 1)
        if not self.options.lanes and rng.random() < 0.2:  # any byte, from bit 0 of the mask on
            base, byte = base + rng.randrange(lanes), 0
        mask = ((1 << size) - 1) << byte
        fails = size and rng.random() < 0.1  # a fault, or an SC without its reservation
        half = fails and reads and writes and rng.random() < 0.5  # an AMO that faults at its store
        if broken == "fast":
            word, reads, writes, mask, fails = 0x2F | 2 << 12, 1, 1, 15, False
        n = len(self.program)
        self.at = rng.randrange(n) if jumps(word, self.options.xlen) and rng.random() < 0.6 else (self.at + 1) % n
        loads, stores = reads and (half or not fails), writes and not fails
        if self.mode != self.options.secure:
            self.list.append(f"i {pc:x} {4 if word & 3 == 3 else 2}")
            self.list += [f"l {base + byte:x}"] * loads + [f"s {base + byte:x}"] * stores
        if broken and left == 100:
            if broken == "odd":
                return flags, word, pc | 1, base, 0, 0
            if broken == "access":
                return flags, 0x13, pc, base, 0, 15
            if broken == "kind":
                return flags, 0x2003, pc, base, 15, 0
            if broken == "size":
                return flags, 0x0003, pc, base, 0, 15
            if broken == "gap":
                return flags, 0x2003, pc, base, 0, 13
        return flags, word, pc, base, mask if stores else 0, mask if loads else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0].partition(" - ")[2])
    parser.add_argument("channels", type=int, help="of RVFI: 1 or 2")
    parser.add_argument("instructions", type=int, help="how many retire")
    parser.add_argument("seed", type=int, help="of the random program; the same one gives the same stream")
    parser.add_argument("--xlen", type=int, choices=(32, 64), default=32, help="width of the core in bits (default: 32)")
    parser.add_argument("--break", dest="rule", choices=RULES, default="", help="break this rule of the interface, 100 instructions "
                        "before the end (fast: in each cycle)")
    parser.add_argument("--traps", action="store_true", help="with exceptions, interrupts and changes of the privilege")
    parser.add_argument("--interrupts", action="store_true", help="with interrupts, all at the machine's level")
    parser.add_argument("--lanes", action="store_true", help="each access within a word, as a mask by byte lanes needs")
    parser.add_argument("--changes", action="store_true", help="the program changes itself now and then")
    parser.add_argument("--rate", type=float, metavar="N", help="instructions a cycle (default: 0.6, with traps or interrupts 0.4)")
    parser.add_argument("--halt", action="store_true", help="end with an exception that halts the core")
    parser.add_argument("--secure", type=int, choices=MODES, metavar="MODE", help="privilege of the secure world, which the list leaves out")
    parser.add_argument("--list", metavar="FILE", help="write what a decoder has to give back, as scripts/soc --list does")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    core, left, channels, xlen = Core(rng, options), options.instructions, options.channels, options.xlen
    digits = xlen // 4
    rate = (options.rate or (0.4 if options.traps or options.interrupts else 0.6)) / channels
    while left > 0 or options.halt and core.handler:
        line, told, cycle_is_secure = "", None, None
        core.may_change = True
        for _ in range(channels):
            busy = options.rule == "fast" or rng.random() < rate
            # What a handler is told is that of the whole cycle, and a gate closes for a whole cycle.
            is_apart = cycle_is_secure not in (None, core.mode == options.secure)
            busy = busy and (left > 0 or options.halt and core.handler) and not (told and core.handler) and not is_apart
            record, said = core.step(left) if busy else ((0,) * 6, None)
            told = told or said
            flags, word, pc, base, wmask, rmask = record
            if options.secure is not None and flags & 1:
                cycle_is_secure, core.may_change = (flags >> 4 & 3) == options.secure, False
            left -= flags & 5 == 1
            line = f"{flags:02x}{word:08x}{pc:0{digits}x}{base:0{digits}x}{wmask:04x}{rmask:04x}" + line
        cause, epc, tval = told or (rng.randrange(1 << 16), rng.randrange(1 << xlen), rng.randrange(1 << xlen))
        print(f"{cause:04x}{epc:0{digits}x}{tval:0{digits}x}" + line)
    record = 18 + 2 * digits  # digits of one
    nothing = "0" * (4 + 2 * digits + record * channels)
    if options.halt:  # in the newest channel
        print(core.halt(digits) + "0" * record * (channels - 1))
    for _ in range(40):
        print(nothing)
    print(nothing[:-record] + "02" + "0" * (record - 2))
    if options.list:
        with open(options.list, "w", encoding="utf-8") as file:
            file.write("".join(f"{text}\n" for text in core.list))


if __name__ == "__main__":
    main()
