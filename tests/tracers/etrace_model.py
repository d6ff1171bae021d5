#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""etrace_model.py - does the encoder of `etrace` send the bits that the specification's algorithm sends?

A second, small encoder, written from chapters 7 (packets) and 9 (example algorithm) of "Efficient Trace
for RISC-V" 2.0 alone. It counts payload bits and makes no stream. Packets of format 3 (syncs) are left out. For each trace and each set of options it prints the model's
payload bits per instruction and octrace's; they must be equal. Then the means of octrace's figures with
its default syncs, payload and whole packets.

Usage: etrace_model.py [--limit N] TRACE...   (PYTHONPATH is the build's python folder)
"""

import os
import subprocess
import sys

import octrace

#: Geometry, and the options that the model needs: log2 of the return stack and of the predictor.
OPTIONS = {"base": (None, None), "return": (5, None), "predictor": (5, 9)}
MAP_BRANCHES = 31
#: ecall, ebreak and c.ebreak.
ENVIRONMENT = ("I:73000000", "I:73001000", "I:0290")


class Payload:
    """Bits of a packet, the first the lowest, as they are after sign-based compression."""

    def __init__(self):
        self.value = self.width = 0

    def add(self, value, width):
        self.value |= (value & ((1 << width) - 1)) << self.width
        self.width += width

    def last(self):
        return self.value >> (self.width - 1) & 1

    def bits(self):
        """Equal bits at the end but one are left out, then bytes are filled up."""
        sign = self.last()
        n = self.width
        while n > 1 and self.value >> (n - 2) & 1 == sign:
            n -= 1
        return (n + 7) // 8 * 8


class Model:
    """The encoder of the example algorithm: branch map, differential addresses, implicit returns, predictor."""

    def __init__(self, addr_bits, stack_bits, predictor_bits):
        self.addr_bits = addr_bits
        self.depth_bits = 0 if stack_bits is None else stack_bits + 1
        self.stack_max = 0 if stack_bits is None else 1 << stack_bits
        self.stack = []
        self.predictor = None if predictor_bits is None else [(False, True)] * (1 << predictor_bits)
        self.branches = []
        self.correct = 0
        self.failed = False
        self.address = None
        self.bits = 0

    def is_predicted(self, addr, taken):
        """Predict the branch at addr, and learn: a prediction changes when it fails twice running."""
        if self.predictor is None:
            return False
        i = addr >> 1 & (len(self.predictor) - 1)
        prediction, last = self.predictor[i]
        self.predictor[i] = (prediction if prediction == last else taken, taken)
        return prediction == taken

    def add_branch(self, addr, taken, is_reported):
        good = self.is_predicted(addr, taken)
        if self.correct >= MAP_BRANCHES:
            if good:
                self.correct += 1
            else:
                self.failed = True
                if not is_reported:
                    self.send(None)
            return
        all_good = self.correct == len(self.branches)
        self.branches.append(not taken)
        if good and all_good:
            self.correct += 1
        if len(self.branches) == MAP_BRANCHES and self.correct < MAP_BRANCHES and not is_reported:
            self.send(None)

    def send(self, addr, updiscon=False, notify=False):
        """A packet with the branches so far, and an address or none. updiscon: a jump led there, and
        something else follows. notify: a decoder may have inferred it."""
        p = Payload()
        if self.correct >= MAP_BRANCHES:
            p.add(0, 2)
            p.add(self.correct - MAP_BRANCHES, 32)
            p.add(0 if addr is None else 3 if self.failed else 2, 2)
        elif self.branches:
            n = len(self.branches)
            p.add(1, 2)
            p.add(0 if addr is None else n, 5)
            p.add(sum(b << i for i, b in enumerate(self.branches)), next(w for w in (1, 3, 7, 15, 31) if n <= w))
        else:
            p.add(2, 2)
        if addr is not None:
            p.add((addr - self.address) >> 1, self.addr_bits - 1)
            for flag in (notify, updiscon, False):  # notify, updiscon, irreport
                p.add(p.last() ^ flag, 1)
            p.add(-p.last(), self.depth_bits)
            self.address = addr
        self.bits += p.bits()
        self.branches, self.correct, self.failed = [], 0, False

    def call(self, link):
        if self.stack_max:
            self.stack = self.stack[1 - self.stack_max :] + [link]

    def is_inferred(self, cls, behind, follows):
        """Whether the decoder finds where a jump of this class led."""
        if cls in ("direct call", "indirect call"):
            self.call(behind)
        if cls == "return" and self.stack:
            return self.stack.pop() == follows
        return cls not in ("return", "indirect call", "indirect jump")


def run(model, insns, classes, environment):
    """Feed a trace: the lists of addresses, sizes and class numbers, and where ecall and ebreak are."""
    addrs, sizes, numbers = insns
    report = notify = False
    for i, addr in enumerate(addrs):
        behind, cls = addr + sizes[i], classes[numbers[i]]
        follows = addrs[i + 1] if i + 1 < len(addrs) else behind
        is_last = i + 1 == len(addrs)
        if cls == "conditional branch" and i:
            model.add_branch(addr, follows != behind, report or is_last)
        elif cls == "conditional branch":
            model.is_predicted(addr, follows != behind)
        if i == 0:
            model.address = addr  # the first sync
        elif report or is_last:
            model.send(addr, report and is_last, notify)
        notify = addr in environment  # without a trap
        report = notify or not model.is_inferred(cls, behind, follows)


def environment_of(path):
    """Where ecall and ebreak are."""
    convert = [os.environ.get("OCTRACE", "octrace"), "convert", "--to", "text:bytes=1", path, "-"]
    text = subprocess.run(convert, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    lines = [line.split() for line in text.splitlines()]
    return {int(f[0].split("/")[0], 16) for f in lines if f and f[-1] in ENVIRONMENT}


def compare(path, limit, sums):
    """Prints the lines of a trace, adds its figures to sums. Returns whether all bits are equal."""
    with octrace.open(path) as trace:
        chunk = trace.read(limit)
        addr_bits = trace.info.addr_bits
    classes = {int(e["addr"]): int(e["cls"]) for e in chunk.map}
    environment = environment_of(path)
    addrs = chunk.insns["addr"].tolist()
    insns = addrs, chunk.insns["size_bytes"].tolist(), [classes[a] for a in addrs]
    equal = True
    for geometry, options in OPTIONS.items():
        model = Model(addr_bits, *options)
        run(model, insns, octrace.CLASSES, environment)
        r = octrace.compress(path, "etrace", f"{geometry},data=0,sync_period_insns=0", limit=limit)
        same = r.counters["waypoints"] == r.counters["traps"] == r.counters["return_misses"] == 0
        ok = r.counters["insn_bits"] == model.bits and same
        equal = equal and ok
        figures = octrace.compress(path, "etrace", f"{geometry},data=0", limit=limit).figures
        for name in ("payload_bits_per_insn", "insn_bits_per_insn"):
            sums[geometry, name] = sums.get((geometry, name), 0) + figures[name]
        n = len(addrs)
        print(f"{path} {geometry}: model {model.bits / n:.6f}, octrace {r.counters['insn_bits'] / n:.6f} bits per"
              f" instruction{'' if ok else ': NOT EQUAL'}")
    return equal


def main(args):
    limit = None
    if args[:1] == ["--limit"]:
        limit = int(args[1])
        args = args[2:]
    if not args:
        sys.exit("etrace_model.py: expected a trace")
    sums = {}
    equal = all([compare(path, limit, sums) for path in args])
    for (geometry, name), total in sums.items():
        print(f"mean of {len(args)}, {geometry}: {name} {total / len(args):.4f}")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
