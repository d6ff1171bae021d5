#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""calls_random - does octrace calls find the stacks that random programs had?

A random RISC-V program runs here, on a machine that keeps its true stack of calls: direct and indirect calls, tail
calls, cold parts, switches, setjmp and longjmp, exceptions as C++ has them, returns past several calls, returns used
as jumps, interrupts, system calls and signals, in several tasks. Its trace goes through `octrace calls`, whose events
must give the same stack at each instruction, and whose folded stacks and JSON the same sums. Without symbols, programs
keep to calls, longjmp and interrupts. The environment names the program, OCTRACE, and the seed, OCT_TEST_SEED.
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
import seed  # noqa: E402

OCTRACE = os.environ["OCTRACE"]
BASE, ROUNDS, STEPS, DEPTH = 0x10000, 24, 1500, 12
NOP, RET, MRET, ECALL = 0x13, 0x8067, 0x30200073, 0x73
JUMP_X6, CALL_X6 = 6 << 15 | 0x67, 6 << 15 | 1 << 7 | 0x67
PLAIN = ("nop", "branch", "call", "icall", "setjmp", "longjmp", "deepret", "ecall")
NAMED = PLAIN + ("tail", "itail", "rettail", "switch", "cold", "throw")


def jal(link, offset):
    o = offset & 0x1FFFFF
    return ((o >> 20 & 1) << 31 | (o >> 1 & 0x3FF) << 21 | (o >> 11 & 1) << 20 | (o >> 12 & 0xFF) << 12 | link << 7 | 0x6F)


def beq(offset):
    o = offset & 0x1FFF
    return (o >> 12 & 1) << 31 | (o >> 5 & 0x3F) << 25 | (o >> 1 & 15) << 8 | (o >> 11 & 1) << 7 | 0x63


class Program:
    """Operations by address: (kind, function, target); functions by name: (first, end)."""

    def __init__(self, rng, kinds):
        self.ops, self.functions, self.pads = {}, {}, collections.defaultdict(list)
        self.data = {}  # instructions that a test puts in the place of nop
        self.names = [f"f{i}" for i in range(6)]
        bodies = {"setjmp": [("nop", None), ("ret", None)], "longjmp": [("nop", None), ("longjump", None)],
                  "unwind": [("nop", None), ("throwjump", None)], "handler": [("nop", None), ("call", "quiet"), ("mret", None)],
                  "quiet": [("nop", None), ("ret", None)], "sighandler": [("nop", None), ("sigret", None)],
                  "restorer": [("nop", None), ("sigend", None)]}
        for name in self.names:
            body = [("nop", None)]
            for _ in range(rng.randrange(4, 16)):
                kind = rng.choice(kinds)
                body += {"nop": [("nop", None)], "branch": [("branch", None)],
                         "switch": [("switch", None)]}.get(kind) or [("skip", None), (kind, rng.choice(self.names))]
                if "throw" in kinds and rng.random() < 0.3:
                    body += [("nop", None), ("pad", None)]
            bodies[name] = body + [("nop", None), ("ret", None)]
            bodies[name + ".cold"] = [("nop", None), ("skip", None), ("call", rng.choice(self.names)), ("nop", None), ("warm", None)]
        order = list(bodies)
        rng.shuffle(order)
        addr = BASE
        for name in order:
            self.functions[name] = (addr, addr + 4 * len(bodies[name]))
            for kind, target in bodies[name] + [("gap", None)]:  # never run: nothing returns to what is next in memory
                if kind == "pad":
                    self.pads[name].append(addr)
                self.ops[addr] = (kind, name, target)
                addr += 4
        for at, (kind, name, target) in list(self.ops.items()):
            if kind == "branch":
                first, end = self.functions[name]
                self.ops[at] = (kind, name, self.safe(min(max(at + 4 * rng.randrange(-3, 5), first), end - 4)))
        self.end = addr

    def safe(self, at):
        """Not at an operation that its skip guards."""
        return at - 4 if at - 4 in self.ops and self.ops[at - 4][0] == "skip" else at

    def start(self, name):
        return self.functions[name][0]

    def word(self, at):
        kind, name, target = self.ops[at]
        if kind in ("call", "setjmp", "longjmp", "throw"):
            target = {"setjmp": "setjmp", "longjmp": "longjmp", "throw": "unwind"}.get(kind, target)
            return jal(1, self.start(target) - at)
        if kind == "branch":
            return beq(target - at)
        if kind == "skip":
            return beq(8)
        if kind == "tail":
            return jal(0, self.start(target) - at)
        if kind == "cold":
            return jal(0, self.start(name + ".cold") - at)
        if kind == "warm":
            return jal(0, self.functions[name[:-5]][1] - 8 - at)
        if kind in ("ret", "deepret", "rettail", "sigret"):
            return RET
        if kind in ("itail", "switch", "longjump", "throwjump"):
            return JUMP_X6
        return {"icall": CALL_X6, "mret": MRET, "ecall": ECALL}.get(kind, self.data.get(at, NOP))

    def elf(self, has_symbols):
        code = b"".join(struct.pack("<I", self.word(at)) for at in range(BASE, self.end, 4))
        names, symbols = b"\0", bytes(24)
        for name, (first, end) in self.functions.items():
            symbols += struct.pack("<IBBHQQ", len(names), 0x12, 0, 1, first, end - first)
            names += name.encode() + b"\0"
        if not has_symbols:
            symbols = bytes(24)
        at_code, at_symbols = 4096, 4096 + len(code)
        at_names = at_symbols + len(symbols)
        at_sections = (at_names + len(names) + 7) & ~7
        head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 243, 1, BASE, 64, at_sections, 0, 64, 56, 1, 64, 4, 3)
        load = struct.pack("<IIQQQQQQ", 1, 5, at_code, BASE, BASE, len(code), len(code), 4096)
        sections = bytes(64) + struct.pack("<IIQQQQIIQQ", 0, 1, 6, BASE, at_code, len(code), 0, 0, 4, 0)
        sections += struct.pack("<IIQQQQIIQQ", 0, 2, 0, 0, at_symbols, len(symbols), 3, 1, 8, 24)
        sections += struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, at_names, len(names), 0, 0, 1, 0)
        data = (head + load).ljust(at_code, b"\0") + code + symbols + names
        return data.ljust(at_sections, b"\0") + sections


class Frame:
    def __init__(self, name, ret):
        self.name, self.ret, self.landings = name, ret, set()


class Task:
    """A machine: run() gives (lines before it, address, stack of names) for each instruction."""

    def __init__(self, program, rng, is_named):
        self.program, self.rng, self.is_named = program, rng, is_named
        name = rng.choice(program.names)
        self.pc, self.stack, self.before = program.start(name), [Frame(name, None)], None
        self.resume, self.says_privilege = None, rng.random() < 0.5

    def busy(self):  # in a handler, which is not interrupted
        return self.resume is not None

    def enter(self, name, ret):
        self.stack.append(Frame(name, ret))
        self.pc = self.program.start(name)

    def can_skip_to(self, kind):
        """Whether the operation after a skip may run."""
        below = self.stack
        if kind in ("longjmp", "throw") and self.busy():
            return False
        if kind == "longjmp":
            return any(f.landings for f in below)
        if kind == "throw":
            return any(self.program.pads[f.name] for f in below)
        if kind == "deepret":
            return len(below) > 1 and not self.busy() and self.rng.random() < 0.5
        if kind == "ecall":
            return not self.busy()
        return len(below) < DEPTH or kind in ("setjmp",)

    def step(self):
        rng, program, lines = self.rng, self.program, []
        kind = program.ops[self.pc][0]
        if self.before and not self.busy() and kind != "ecall" and rng.random() < 0.02:
            lines.append(f"!interrupt 5 A:{self.pc:x} P:3")
            self.resume = self.pc
            self.enter("handler", None)
        elif self.before == "nop" and self.is_named and not self.busy() and rng.random() < 0.02:
            self.resume = self.pc
            self.enter("sighandler", None)
        elif kind == "ecall":
            lines.append(f"!exception 8 A:{self.pc:x} P:3")
            self.resume = self.pc + 4
            self.enter("handler", None)
        if self.before == "mret" and self.says_privilege:
            lines.insert(0, "!privilege P:0")
        at = self.pc
        kind, name, target = program.ops[at]
        stack = [f.name.removesuffix(".cold") for f in self.stack]
        self.before = kind
        self.act(kind, name, target, at)
        return lines, at, stack

    def act(self, kind, name, target, at):
        rng, program, stack = self.rng, self.program, self.stack
        self.pc = at + 4
        if kind == "branch" and rng.random() < 0.4:
            self.pc = target
        elif kind == "skip":
            if not self.can_skip_to(program.ops[at + 4][0]) or rng.random() < 0.3:
                self.pc = at + 8
        elif kind in ("call", "setjmp", "longjmp", "throw"):
            self.enter({"setjmp": "setjmp", "longjmp": "longjmp", "throw": "unwind"}.get(kind, target), at + 4)
        elif kind == "icall":
            self.enter(target, at + 4)
        elif kind in ("tail", "itail", "rettail", "cold", "warm"):
            if kind == "warm":
                self.pc = program.functions[name[:-5]][1] - 8
            else:
                target = name + ".cold" if kind == "cold" else target
                if target != name:  # a jump to its own begin is a loop
                    keeps = target == name + ".cold"
                    stack[-1].name = name if keeps else target
                    stack[-1].landings = stack[-1].landings if keeps else set()
                self.pc = program.start(target)
        elif kind == "switch":
            first, end = program.functions[name]
            self.pc = program.safe(rng.randrange(first, end, 4))
            if self.pc == stack[-1].ret:  # is a return for who knows only the addresses
                self.pc = first
        elif kind == "ret":
            frame = stack.pop()
            if not stack:  # of the first function: to another one
                other = rng.choice([n for n in program.names if program.start(n) != at + 4])
                stack.append(Frame(other, None))
                self.pc = program.start(other)
            else:
                self.land(frame)
        elif kind == "deepret":
            depth = rng.randrange(1, len(stack))
            ret = stack[depth].ret
            depth = max(i for i in range(1, len(stack)) if stack[i].ret == ret)
            frame = stack[depth]
            del stack[depth:]
            self.land(frame)
        elif kind == "longjump":
            landing = rng.choice(sorted({l for f in stack for l in f.landings}))
            while landing not in stack[-1].landings:
                stack.pop()
            self.pc = landing
        elif kind == "throwjump":
            stack.pop()
            pad = rng.choice(sorted({p for f in stack for p in program.pads[f.name]}))
            del stack[1 + max(i for i, f in enumerate(stack) if pad in program.pads[f.name]):]
            self.pc = pad
        elif kind in ("mret", "sigend"):
            stack.pop()
            self.pc, self.resume = self.resume, None
        elif kind == "sigret":
            stack[-1].name = "restorer"
            self.pc = program.start("restorer")

    def land(self, frame):
        self.pc = frame.ret
        if frame.name == "setjmp":
            self.stack[-1].landings.add(frame.ret)


def run(program, rng, is_named):
    """The text of a trace, and for each instruction its task and true stack."""
    tasks = [Task(program, rng, is_named) for _ in range(rng.randrange(1, 4))]
    lines, truth, number = ["# isa riscv64"], [], 0
    for _ in range(STEPS):
        if rng.random() < 0.05:
            number = rng.randrange(len(tasks))
        # A task that begins, or goes on at a trap, would mix up whose trap it is.
        before, at, stack = tasks[number].step()
        if before and truth and truth[-1][0] != number:
            return lines, truth
        lines += before + [f"{at:016x}" + (f" T:{number}" if number else "")]
        truth.append((number, stack))
    return lines, truth


def calls(to, elf, trace):
    got = subprocess.run([OCTRACE, "calls", "--to", to, "--elf", elf, trace, "-"], capture_output=True, text=True, check=False)
    if got.returncode:
        sys.exit(f"--to {to}: {got}")
    return got.stdout


def check(folder, rng, is_named):
    program = Program(rng, NAMED if is_named else PLAIN)
    lines, truth = run(program, rng, is_named)
    name_of = (lambda name: name) if is_named else (lambda name: f"0x{program.start(name):x}")
    truth = [(task, [name_of(name) for name in stack]) for task, stack in truth]
    elf, trace = folder / "program", folder / "trace.txt"
    elf.write_bytes(program.elf(is_named))
    trace.write_text("\n".join(lines) + "\n", encoding="utf-8")
    events = [line.split(" ", 3) for line in calls("text", elf, trace).splitlines() if not line.startswith("#")]
    stacks, at = collections.defaultdict(list), 0
    for i, (task, stack) in enumerate(truth):
        for words in events[at:]:
            if int(words[0]) > i:
                break
            at += 1
            of = stacks[words[1]]
            if words[2] == "enter":
                of.append(words[3])
            elif of.pop() != words[3]:
                return f"instruction {i}: left another function: {words}"
        if stacks[f"task\\s{task}"] != stack:
            context = "\n".join(lines[max(i - 10, 0):i + 12])
            return f"instruction {i}: expected {stack}, found {stacks[f'task{chr(92)}s{task}']}\n{context}"
    want = collections.Counter()
    for task, stack in truth:
        want[";".join(([f"task {task}"] if len({t for t, _ in truth}) > 1 else []) + stack)] += 1
    got = {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in calls("folded", elf, trace).splitlines()}
    if got != want:
        return f"folded: {got}, expected {want}"
    parsed = json.loads(calls("chrome", elf, trace))["traceEvents"]
    shown = [[str(round(e["ts"] * 1000)), {"B": "enter", "E": "leave"}[e["ph"]], e["name"]] for e in parsed if e["ph"] != "M"]
    return None if shown == [[w[0], w[2], w[3]] for w in events] else "the JSON has other events than the text"


def main():
    rng = random.Random(seed.seed("calls_random"))
    with tempfile.TemporaryDirectory() as name:
        for number in seed.some(range(ROUNDS)):
            fault = check(pathlib.Path(name), rng, number % 4 != 3)
            if fault:
                sys.exit(f"round {number}: {fault}")


if __name__ == "__main__":
    main()
