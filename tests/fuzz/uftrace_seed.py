#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""uftrace_seed.py FOLDER - data directories of uftrace that are rare: calls of many addresses, some without
symbols, records that were lost, events, arguments, several sessions, a file that is mapped twice.
"""
import struct
import sys

MAPS = (b"400000-500000 r-xp 00000000 00:00 0 /programs/prog build-id:0123\n"
        b"500000-600000 r-xp 00100000 00:00 0 /programs/prog build-id:0123\n"
        b"600000-700000 r-xp 00000000 00:00 0 other\n700000-800000 rw-p\n")
SYMBOLS = (b"# symbols: 3\n0000000000000100 T first\n0000000000000180 20 t second\nno line\n"
           b"0000000000000200 T __sym_end\n")
TASKS = (b"SESS timestamp=1.1 pid=1 sid=0123456789abcdef exename=\"/programs/prog\"\n"
         b"TASK timestamp=1.2 tid=1 pid=1\nFORK timestamp=1.3 pid=2 ppid=1\n"
         b"TASK timestamp=1.4 tid=2 pid=1\nnothing\n")


def record(time, kind, address, more=0):
    return struct.pack("<QQ", time, kind | more << 2 | 5 << 3 | address << 16)


def main():
    calls = b"".join(record(10 * i, i % 2, 0x400100 + 8 * (i // 2)) for i in range(600))
    odd = record(5, 2, 7) + record(6, 2, 0) + record(7, 3, 9) + record(8, 0, 0x650000) + record(9, 1, 0x10)
    other = TASKS.replace(b"tid=2 pid=1", b"tid=2 pid=1\nSESS timestamp=2 pid=2 sid=fedcba9876543210")
    for name, task, first, second in [
            ("calls", TASKS, calls, odd), ("sessions", other, odd, calls), ("arguments", TASKS, record(1, 0, 1, 1), odd),
            ("magic", TASKS, calls[:32] + bytes(16), odd), ("short", TASKS, calls[:40], odd)]:
        with open(f"{sys.argv[1]}/uftrace-{name}", "wb") as file:
            file.write(b"\2")
            for part in task, MAPS, SYMBOLS, b"", first:
                file.write(struct.pack("<H", len(part)) + part)
            file.write(struct.pack("<H", len(second)) + second)


main()
