#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""branches_random - are random traces of branch championships read as what they are?

Random files of BT9, CVP-1 and CBP2025 with a reference for each, written from docs/formats: instructions, accesses and
gaps must be the same. Numbers are small and as extreme as their fields allow. Then some numbers or bytes become any
others: octrace reads the file, or says in one line what is wrong. The environment names the program, OCTRACE.
"""
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import seed  # noqa: E402

MASK = (1 << 64) - 1
RUN_MAX = 1 << 20  # instructions between two branches of BT9
ROUNDS = 12
CLASSES = ["JMP+DIR+CND", "JMP+DIR+UCD", "JMP+IND+UCD", "CALL+DIR+UCD", "CALL+IND+UCD", "RET+IND+UCD", None]
EXTREMES = ["0", "-1", "18446744073709551615", "18446744073709551616", "0xffffffffffffffff", "0x10000000000000000",
            "16777215", "16777216", "9" * 40, "1e9", "0x", "T", "N", "-", "4", "16", "15"]


def octrace(*words):
    return subprocess.run([os.environ["OCTRACE"], *map(str, words)], capture_output=True, text=True)


def any_addr(rng):
    near = rng.choice([0x1000, 0x400000, 0xffff0000, 1 << 32, 1 << 47, MASK - 0x10003])
    return (near + 4 * rng.randrange(2000)) & MASK


def number(rng, value):
    return rng.choice(["0x{:x}", "0x{:016x}", "{}"]).format(value)


def placed(begin, end, count, sizes, is_stf):
    """In which ways instructions lie between two addresses: lists of addresses and sizes."""
    ways = []
    for size in sizes:
        n, rest = divmod(end - begin, size)
        if begin <= end and not rest and n <= RUN_MAX and (count == n + 1 or (count == n and not is_stf)):
            ways.append([(addr, size) for addr in range(begin, end, size)])
            if not n:
                break
    return ways


def bt9(rng):
    """Lines of a file, its instructions, its gaps. Half of the files are as of stf_bt9."""
    is_stf = rng.random() < 0.5
    nodes, classes, targets = {0: (0, 0)}, {0: None}, {}
    lines = ["BT9_SPA_TRACE_FORMAT", f"total_instruction_count: {rng.randrange(1 << 64)}", "BT9_NODES"]
    lines += ["NODE 0 0 - 0 0"] * (not is_stf and rng.random() < 0.5)
    ids = rng.sample(range(1, rng.choice([40, 5000])), rng.randrange(1, 30))
    for at in ids:
        nodes[at] = any_addr(rng), rng.choice([4, 4, 4, 2, 1, 15] if rng.random() < 0.5 else [4, 4, 4, 4, 0])
        classes[at] = cls = rng.choice(CLASSES)
        lines.append(f"NODE {at} {number(rng, nodes[at][0])} {rng.choice(['-', '0x81000'])} {number(rng, rng.randrange(1 << 64))} "
                     f"{nodes[at][1]}" + (f" class: {cls} behavior: x" if cls else "") + rng.choice(["", " # text"]))
    sizes = [4, 2] if any(size == 2 for _, size in nodes.values()) else [4]
    lines.append("BT9_EDGES")
    edges, by_source = {}, {at: [] for at in nodes}
    for at in rng.sample(range(rng.choice([200, 9000])), rng.randrange(2, 120)):
        source, to = rng.choice(list(nodes)), rng.choice(list(nodes))
        taken = rng.random() < 0.6
        target = nodes[to][0] - 4 * rng.randrange(9) & MASK if rng.random() < 0.8 else rng.randrange(1 << 64)
        begin = target if taken else sum(nodes[source]) & MASK
        fits = (nodes[to][0] - begin & MASK) // rng.choice(sizes)
        count = rng.choice([fits, fits, fits + 1, fits + 1, fits + 2, 0, 1, rng.randrange(9), MASK, RUN_MAX]) & MASK
        edges[at] = source, to, begin, count
        by_source[source].append(at)
        where = number(rng, target)
        if is_stf:
            targets[to] = target
        elif not taken and rng.random() < 0.3:
            where = "-"
        physical = "" if is_stf else rng.choice(["- ", "0x81000 "])
        lines.append(f"EDGE {at} {source} {to} {'NT'[taken]} {where} {physical}{count} traverse_cnt: 1")
    lines.append("BT9_EDGE_SEQUENCE")
    insns, gaps, last = [], 0, None
    way = rng.choice(list(edges))
    for _ in range(rng.randrange(1, 300)):
        source, to, begin, count = edges[way]
        lines.append(str(way))
        if nodes[source][1]:
            insns.append(nodes[source])
            gaps += last is not None and last != source
        last = to
        begins = {begin}
        if is_stf:
            behind, cls = sum(nodes[source]) & MASK, classes[source]
            begins = {behind} if cls in (None, "JMP+DIR+CND") else set()
            begins |= {targets.get(source, 0)} if cls is None or "+DIR+" in cls else set()
        ways = [way for at in begins for way in placed(at, nodes[to][0], count, sizes, is_stf)]
        if not nodes[source][1] or not nodes[to][1]:
            gaps += bool(nodes[source][1] and count)
        elif is_stf and count == 1:
            pass
        elif len(ways) == 1:
            insns += ways[0]
        else:
            gaps += 1
        if len(insns) > 300000:
            break
        way = rng.choice(by_source[to] if by_source[to] and rng.random() < 0.9 else list(edges))
    return lines + ["EOF"] * (rng.random() < 0.8), [f"{at:016x}" + (f"/{size}" if size != 4 else "") for at, size in insns], gaps


def championship(rng, is_cbp):
    """Records of a file and the text of its instructions."""
    data, insns = b"", []
    pc = any_addr(rng)
    for _ in range(rng.randrange(1, 400)):
        kind = rng.randrange(12 if is_cbp else 9)
        addr, size, text = rng.choice([any_addr(rng), rng.randrange(1 << 64), MASK, 0]), rng.choice([1, 2, 4, 8, 16, 64, 0, 3, 255]), ""
        next_pc = pc + 4 & MASK
        data += struct.pack("<QB", pc, kind)
        if kind in (1, 2):
            flags = bytes(rng.randrange(2) for _ in range(kind if is_cbp else 0))
            data += struct.pack("<QB", addr, size) + flags
            known = size if size in (1, 2, 4, 8, 16, 32, 64) else ""
            text = f" {' LS'[kind]}{known}:{addr:016x}"
        elif kind in (3, 4, 5, 9, 10, 11):
            taken = kind != 3 or rng.random() < 0.5
            next_pc = any_addr(rng) if taken else next_pc
            data += struct.pack("<BQ", 1, next_pc) if taken else b"\0"
        top = 66 if is_cbp else 65
        inputs = bytes(rng.randrange(top) for _ in range(rng.choice([0, 1, 2, 3, 255])))
        outputs = bytes(rng.randrange(top) for _ in range(rng.choice([0, 0, 1, 2, 255])))
        values = b"".join(rng.randbytes(16 if 32 <= r < 64 else 8) for r in outputs)
        data += bytes([len(inputs)]) + inputs + bytes([len(outputs)]) + outputs + values
        insns.append(f"{pc:016x}{text}")
        pc = next_pc
    return data, insns


def check(path, name, insns, gaps):
    got = octrace("convert", "--from", name, "--to", "text", path, "-")
    lines = [line for line in got.stdout.splitlines() if line[0] not in "#!"]
    if got.returncode or lines != insns:
        at = next((i for i, (a, b) in enumerate(zip(lines, insns)) if a != b), min(len(lines), len(insns)))
        return (f"{name}: {got.stderr or 'no message'}: {len(lines)} instructions, expected {len(insns)}; at {at}: "
                f"{lines[at:at + 1]}, expected {insns[at:at + 1]}")
    found = re.search(r"^gaps +(\d+)$", octrace("info", "--from", name, path).stdout, re.M)
    if int(found[1] if found else 0) != gaps:
        return f"{name}: gaps {found and found[1]}, expected {gaps}"
    return None


def check_wrong(path, name):
    """Whatever the file holds: it is read, or a line says what is wrong."""
    got = octrace("info", "--from", name, path)
    if got.returncode not in (0, 4):
        return f"{name}: exit {got.returncode}: {got.stderr}"
    errors = [line for line in got.stderr.splitlines() if not line.startswith("octrace: note: ")]
    if len(errors) != (got.returncode == 4) or not all(str(path) in line for line in errors):
        return f"{name}: exit {got.returncode}, expected a line that names the file: {got.stderr}"
    return None


def main():
    rng = random.Random(seed.seed("branches_random"))
    faults, n_wrong = [], 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace"
        for _ in seed.some(range(ROUNDS)):
            lines, insns, gaps = bt9(rng)
            path.write_text("\n".join(lines) + "\n")
            if insns:
                faults.append(check(path, "bt9", insns, gaps))
            for _ in range(3):
                changed = list(lines)
                at = rng.randrange(len(lines))
                words = changed[at].split(" ")
                words[rng.randrange(len(words))] = rng.choice(EXTREMES)
                changed[at] = " ".join(words)
                path.write_text("\n".join(changed) + "\n")
                faults.append(check_wrong(path, "bt9"))
            for name in ("cvp", "cbp2025"):
                data, insns = championship(rng, name == "cbp2025")
                path.write_bytes(data)
                faults.append(check(path, name, insns, 0))
                changed = bytearray(data)
                changed[rng.randrange(len(data))] = rng.choice([0, 1, 12, 66, 255])
                path.write_bytes(changed[:rng.choice([len(data), rng.randrange(1, len(data) + 1)])])
                faults.append(check_wrong(path, name))
                n_wrong += octrace("info", "--from", name, path).returncode == 4
    if not n_wrong and not seed.SHARE:
        faults.append("no changed file was refused")
    if any(faults):
        sys.exit("\n".join(fault for fault in faults if fault))


if __name__ == "__main__":
    main()
