#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make_perf.py - a perf.data file as `perf record -e intel_pt//u` writes it, around given streams.

Usage: make_perf.py OUT WORD...

  thread:TID:STREAM          a buffer of one thread
  cpu:NUMBER:STREAM[:TICKS]  one of a processor, TICKS added to its time stamp counters
  switch:CPU:TID:TIME        from this time on the processor runs that thread
  map:PID:ELF[:NAME[:BASE]]  the executable segments of ELF are mapped, from a file called NAME, BASE
                             above their own addresses
  fork:PID:PARENT            a process makes another
  aux:FLAGS                  the kernel hands over trace bytes, with these flags
  pad:BYTES                  a record that a reader is to pass over
  info:KIND:SNAPSHOT         trace unit (1: Intel PT), whether it was in snapshot mode
  times:PART:N               that part of each buffer, from 0, comes so many times
  from:BYTES                 so many were read of each buffer before the first part
  mixed                      the second event has more fields behind its records than the first
"""
import pathlib
import re
import struct
import sys

TID, TIME, CPU, IDENTIFIER = 2, 4, 128, 65536
SAMPLE_ID_ALL = 1 << 18
PART_BYTES = 301
FIRST, SECOND = 1001, 1002  # numbers of the two events


def record(kind, body, misc=0):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


class File:
    """Records, and what stands behind each of the kernel's."""

    def __init__(self, is_mixed):
        self.is_mixed = is_mixed
        self.records = b""
        self.queues = 0
        self.times = {}
        self.begin = 0

    def kernel(self, kind, body, tid, time=0, cpu=0, misc=0):
        fields = struct.pack("<IIQ", tid, tid, time)
        fields += struct.pack("<II", cpu, 0) + struct.pack("<Q", SECOND if self.is_mixed else FIRST)
        body += b"\0" * (-len(body) % 8)
        self.records += record(kind, body + fields, misc)

    def map(self, pid, elf, name=None, base="0"):
        data = pathlib.Path(elf).read_bytes()
        at, size, n = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
        for i in range(n):
            kind, flags, offset, addr = struct.unpack_from("<IIQQ", data, at + i * size)
            length = struct.unpack_from("<Q", data, at + i * size + 32)[0]
            if kind != 1 or not flags & 1:
                continue
            head = addr % 4096
            body = struct.pack("<IIQQQIIQQII", pid, pid, int(base, 0) + addr - head, length + head, offset - head,
                               0, 0, 0, 0, 5, 0)
            self.kernel(10, body + (name or str(pathlib.Path(elf).resolve())).encode() + b"\0", pid)

    def queue(self, tid, cpu, path, ticks=0):
        stream = pathlib.Path(path).read_bytes()

        def later(match):
            time = int.from_bytes(match[2], "little") + ticks
            return match[1] + time.to_bytes(7, "little")

        stream = re.sub(rb"((?:\x02\x82){8}\x19)(.{7})", later, stream, flags=re.S)
        # In parts, as perf reads a buffer, each filled up to 8 bytes.
        for i, at in enumerate(range(0, len(stream), PART_BYTES)):
            part = stream[at:at + PART_BYTES]
            part += b"\0" * (-len(part) % 8)
            self.records += self.times.get(i, 1) * (record(71, struct.pack(
                "<QQQIIII", len(part), self.begin + at, 0, self.queues, tid, cpu, 0)) + part)
        self.queues += 1


def attr(sample_type, ids_at):
    head = struct.pack("<IIQQQQQ", 8, 112, 0, 1, sample_type, 0, SAMPLE_ID_ALL)
    return head + b"\0" * (112 - len(head)) + struct.pack("<QQ", ids_at, 8)


def main(out, *words):
    file = File("mixed" in words)
    kind, snapshot = 1, 0
    body = b""
    for word in words:
        key, *rest = word.split(":")
        if key == "info":
            kind, snapshot = map(int, rest)
        elif key == "times":
            file.times[int(rest[0])] = int(rest[1])
        elif key == "from":
            file.begin = int(rest[0])
    # Time of records is the time stamp counter: shift 0, times 1, plus 0.
    file.records += record(70, struct.pack("<II9Q", kind, 0, 8, 0, 1, 0, 1, 0, 0, 0, snapshot))
    for word in words:
        key, *rest = word.split(":")
        if key == "map":
            file.map(int(rest[0]), *rest[1:])
            file.kernel(3, struct.pack("<II", int(rest[0]), int(rest[0])) + b"prog\0", int(rest[0]))
        elif key == "fork":
            pid, parent = map(int, rest)
            file.kernel(7, struct.pack("<IIIIQ", pid, parent, pid, parent, 0), pid)
        elif key == "switch":
            cpu, tid, time = map(int, rest)
            file.kernel(14, b"", tid, time, cpu)
            file.kernel(14, b"", tid + 1, time, cpu, misc=1 << 13)
        elif key == "aux":
            file.kernel(11, struct.pack("<QQQ", 0, 8, int(rest[0])), 1)
        elif key == "pad":
            file.records += record(68, b"\0" * int(rest[0]))
        elif key == "thread":
            file.queue(int(rest[0]), 0xffffffff, rest[1])
        elif key == "cpu":
            file.queue(0xffffffff, int(rest[0]), rest[1], *map(int, rest[2:]))
    all_fields = TID | TIME | CPU | IDENTIFIER
    ids_at = 104
    attrs_at = ids_at + 16
    attrs = attr(TIME | IDENTIFIER if file.is_mixed else all_fields, ids_at)
    attrs += attr(all_fields, ids_at + 8)
    data_at = attrs_at + len(attrs)
    body = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, 128, attrs_at, len(attrs), data_at,
                                     len(file.records), 0, 0) + b"\0" * 32
    body += struct.pack("<QQ", FIRST, SECOND) + attrs + file.records
    pathlib.Path(out).write_bytes(body)


if __name__ == "__main__":
    main(*sys.argv[1:])
