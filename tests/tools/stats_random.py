#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""stats_random - does octrace stats count what random programs did?

The programs and traces are those of calls_random.py, with random accesses. Counted here in a plain way: classes,
branches, two predictors, targets and returns, footprints, reuse distances by a list, functions, basic block vectors.
"""
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import calls_random  # noqa: E402
import seed  # noqa: E402

ROUNDS, INTERVAL = 12, 100
# nop; lb, ld, sw and amoadd.d by register 8
FORMS = ((0x13, ""), (0x00040283, "L1"), (0x00043283, "L8"), (0x00542023, "S4"), (0x0054302F, "L8 S8"))
CLASSES = {"branch": "conditional branch", "skip": "conditional branch", "call": "direct call", "setjmp": "direct call",
           "longjmp": "direct call", "throw": "direct call", "tail": "direct jump", "cold": "direct jump",
           "warm": "direct jump", "ret": "return", "deepret": "return", "rettail": "return", "sigret": "return",
           "icall": "indirect call", "itail": "indirect jump", "switch": "indirect jump", "longjump": "indirect jump",
           "throwjump": "indirect jump", "mret": "indirect jump"}


class Branches:
    """What becomes of jumps, by what comes next."""

    def __init__(self):
        self.n, self.taken, self.history = 0, 0, 0
        self.misses, self.counters = collections.Counter(), collections.defaultdict(lambda: 1)
        self.targets, self.returns, self.top = {}, [0] * 32, 0

    def learn(self, key, taken):
        counter = self.counters[key]
        self.misses[key[0]] += (counter >= 2) != taken
        self.counters[key] = min(counter + 1, 3) if taken else max(counter - 1, 0)

    def resolve(self, addr, cls, then):
        pc = addr // 2
        if cls == "conditional branch":
            taken = then != addr + 4
            self.n += 1
            self.taken += taken
            self.learn(("bimodal", pc % 32768), taken)
            self.learn(("gshare", (pc ^ self.history) % 32768), taken)
            self.history = (self.history << 1 | taken) & 0x7FFF
        if cls.startswith("indirect"):
            self.misses["indirect_n"] += 1
            self.misses["indirect"] += self.targets.get(pc % 4096) != (pc, then)
            self.targets[pc % 4096] = (pc, then)
        if cls.endswith("call"):
            self.top += 1
            self.returns[self.top % 32] = addr + 4
        if cls == "return":
            self.misses["return_n"] += 1
            self.misses["return"] += self.returns[self.top % 32] != then
            self.top -= 1


def distances(addrs):
    """Uses by the begin of their range of distances, and first uses."""
    stack, at, cold = [], collections.Counter(), 0
    for addr in addrs:
        if addr in stack:
            distance = stack.index(addr)
            at[0 if not distance else 1 << (distance.bit_length() - 1)] += 1
            stack.remove(addr)
        else:
            cold += 1
        stack.insert(0, addr)
    return at, cold


def touched(sides):
    data = set(sides)
    return {"bytes": len(data), "lines": len({b // 64 for b in data}), "pages": len({b // 4096 for b in data})}


def lines_of(addr, n):
    return list(range(addr // 64, (addr + n - 1) // 64 + 1))


def check(folder, rng):
    program = calls_random.Program(rng, calls_random.NAMED)
    forms = {at: rng.choice(FORMS) for at, op in program.ops.items() if op[0] == "nop"}
    program.data = {at: word for at, (word, _) in forms.items()}
    lines, _ = calls_random.run(program, rng, True)
    for i, line in enumerate(lines):
        if line[0] not in "#!":
            addr, *rest = line.split(" ")
            access = [f"{of}:{rng.randrange(1, 3000):x}" for of in forms.get(int(addr, 16), (0, ""))[1].split()]
            lines[i] = " ".join([addr, *access, *rest])
    elf, trace, bbv = folder / "program", folder / "trace.txt", folder / "bbv"
    elf.write_bytes(program.elf(True))
    trace.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = subprocess.run([calls_random.OCTRACE, "stats", "--json", "--top", "1000", "--elf", elf, "--bbv", bbv, "--interval",
                          str(INTERVAL), trace], stdout=subprocess.PIPE, text=True, check=True)
    got = json.loads(ran.stdout)
    mix, functions, code, data, code_lines, data_lines = collections.Counter(), collections.Counter(), [], [], [], []
    branches, last, vectors, blocks, block, after = Branches(), None, [], {}, None, None
    for line in lines:
        if line[0] == "#":
            continue
        if line[0] == "!":
            place = re.search(r"A:(\w+)", line)
            if place and last:
                branches.resolve(*last[:2], int(place[1], 16))
            last = None if place else last
            continue
        addr, *words = line.split(" ")
        addr = int(addr, 16)
        task = next((w for w in words if w[0] == "T"), "")
        accesses = [(w[0], int(w[1:].split(":")[0]), int(w.split(":")[1], 16)) for w in words if w[0] in "LS"]
        cls = CLASSES.get(program.ops[addr][0], "other")
        if last and last[2] == task:
            branches.resolve(*last[:2], addr)
        last = (addr, cls, task) if cls != "other" else None
        if (addr, task) != after:
            block = blocks.setdefault(addr, len(blocks) + 1)
        after = (addr + 4, task) if cls == "other" else None
        if not vectors or sum(vectors[-1].values()) == INTERVAL:
            vectors.append(collections.Counter())
        vectors[-1][block] += 1
        kinds = {kind for kind, _, _ in accesses}
        mix[cls, "load_store" if len(kinds) == 2 else {"L": "load", "S": "store"}.get("".join(kinds), "plain")] += 1
        functions[program.ops[addr][1]] += 1
        code += range(addr, addr + 4)
        code_lines += lines_of(addr, 4)
        for _, n, where in accesses:
            data += range(where, where + n)
            data_lines += lines_of(where, n)
    b = got["branches"]
    want = {
        "mix": ({(c, k): n for c, kinds in got["mix"].items() for k, n in kinds.items() if n}, dict(mix)),
        "branches": ([b["conditional"], b["taken"]], [branches.n, branches.taken]),
        "misses": ([b["predictors"][p]["misses"] for p in ("bimodal", "gshare")], [branches.misses[p] for p in ("bimodal", "gshare")]),
        "others": ([b["indirect"], b["indirect_misses"], b["returns"], b["return_misses"]],
                   [branches.misses[k] for k in ("indirect_n", "indirect", "return_n", "return")]),
        "code": (got["code"], touched(code)), "data": (got["data"], touched(data)),
        "functions": ({f["function"]: f["instructions"] for f in got["functions"]}, dict(functions)),
        "vectors": ([{int(p.split(":")[0]): int(p.split(":")[1]) for p in v[2:].split(" :")} for v in bbv.read_text().splitlines()],
                    [dict(v) for v in vectors]),
    }
    for name, of in (("code", code_lines), ("data", data_lines)):
        at, cold = distances(of)
        reuse = got["reuse"][name]
        want["reuse of " + name] = (({d["from"]: d["uses"] for d in reuse["distances"]}, reuse["first_uses"], reuse["uses"]),
                                    (dict(at), cold, len(of)))
    for name, (found, expected) in want.items():
        if found != expected:
            return f"{name}: {found}, expected {expected}"
    if b["predictors"]["tage"]["misses"] > branches.n:
        return f"misses: {b}"
    return None


def main():
    rng = random.Random(seed.seed("stats_random"))
    with tempfile.TemporaryDirectory() as name:
        for number in seed.some(range(ROUNDS)):
            fault = check(pathlib.Path(name), rng)
            if fault:
                sys.exit(f"round {number}: {fault}")


if __name__ == "__main__":
    main()
