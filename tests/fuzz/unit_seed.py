#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""unit_seed.py perf|snapshot INPUT PROGRAM OUT - seeds for fuzz_trace_units, each with one thing other than usual.

Of a perf.data file INPUT: each kind of record, short or unknown, trace bytes in parts, and headers that
promise too much. Of an ETMv4 snapshot in the folder INPUT: each line of its .ini files gone or damaged, other
cores, other trace units, dumps of memory in parts. PROGRAM is the traced program; OUT-N are the seeds.
"""
import pathlib
import struct
import sys

PERF, ETMV4 = 3, 4
DATA_AT, ATTR_SIZE_AT = 40, 16
NAMES = ["snapshot.ini", "trace.ini", "core.ini", "etm.ini", "trace.bin", "memory1.bin"]
CORES = ["Cortex-A53", "Cortex-A9", "Cortex-M4", "Cortex-M33", "Cortex-R5", "Cortex-R52", "ARMv7-A", "ARMv7-M", "ARMv8-R",
         "ARMv8-A", "other"]


def sized(data):
    return struct.pack("<H", len(data)) + data


def records_of(data):
    """Head and records of a perf.data file; trace bytes with the record before them."""
    at, n = struct.unpack_from("<QQ", data, DATA_AT)
    records, end = [], at + n
    head = data[:at]
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if kind == 71:
            size += struct.unpack_from("<Q", data, at + 8)[0]
        records.append(data[at:at + size])
        at += size
    return head, records


def perf_file(head, records):
    data = b"".join(records)
    return head[:DATA_AT + 8] + struct.pack("<Q", len(data)) + head[DATA_AT + 16:] + data


def record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def in_parts(trace, size, back):
    """A record with trace bytes as several; each begins `back` bytes before the end of the one before."""
    fields, stream = trace[8:48], trace[48:]
    parts = []
    for at in range(0, len(stream), size):
        part = stream[max(at - back, 0):at + size]
        parts.append(record(71, struct.pack("<QQ", len(part), max(at - back, 0)) + fields[16:]) + part)
        parts[-1] = struct.pack("<IHH", 71, 0, 48) + parts[-1][8:]
    return parts


def perf(data):
    head, records = records_of(data)
    trace = next(i for i, r in enumerate(records) if r[0] == 71)
    before, behind = records[:trace], records[trace + 1:]
    fields = struct.pack("<IIQIIQ", 101, 101, 5, 0, 0, 1001)
    extra = [record(kind, bytes(n)) for kind in (1, 3, 7, 9, 10, 11, 12, 14, 15, 70, 71, 81, 83, 99) for n in (0, 8, 16, 24, 48)]
    extra += [record(kind, bytes([101, 0, 0, 0]) * 8 + b"x" * (n - 32)) for kind in (1, 3, 10) for n in (40, 80)]
    extra += [record(12, struct.pack("<II", 101, 101) + fields), record(14, fields), record(15, bytes(8) + fields)]
    # The parts of one file that is mapped several times, at several times.
    extra += [record(1, struct.pack("<IIQQQ", 101, 101, 0x400000 + 4096 * i, 4096, 0) + b"/prog\0\0\0" + fields) for i in range(2)]
    for one in extra:
        yield perf_file(head, before + [one] + records[trace:])
    yield perf_file(head, before + extra[-5:-2] * 3 + [records[trace]] + extra[-2:] + behind)
    for size, back in (16, 0), (40, 8), (40, 4), (64, 40), (8, 8):
        yield perf_file(head, before + in_parts(records[trace], size, back) + behind)
    parts = in_parts(records[trace], 40, 0)
    yield perf_file(head, before + parts[:1] + parts[2:] + behind)
    yield perf_file(head, before + behind)
    for left_out in range(len(records)):
        yield perf_file(head, records[:left_out] + records[left_out + 1:])
    for at, value in (ATTR_SIZE_AT, 8), (ATTR_SIZE_AT, 72), (DATA_AT, 1 << 40), (DATA_AT + 8, 0), (24, 1 << 40), (32, 1 << 40):
        yield data[:at] + struct.pack("<Q", value) + data[at + 8:]
    whole = perf_file(head, records)
    for size in (4, 8, 60, 103, 104, 200, len(head), len(head) + 4, len(head) + 12, len(whole) - 8):
        yield whole[:size]
    # As long as the header says, but the last record is cut off, and trace bytes that are not there.
    yield perf_file(head, records + [b"\1\0\0\0"])
    yield perf_file(head, records + [struct.pack("<IHH", 1, 0, 4)])
    yield perf_file(head, records + [struct.pack("<IHH", 1, 0, 64)])
    yield perf_file(head, before + [records[trace][:60]])
    # A snapshot, a clock that cannot be, another trace unit.
    for i, one in enumerate(records):
        if one[0] == 70:
            for at, value in (80, 1), (24, 0), (16, 99), (8, 2):
                other = one[:at] + struct.pack("<Q", value) + one[at + 8:]
                yield perf_file(head, records[:i] + [other] + records[i + 1:])
                yield perf_file(head, records[:i] + [other] + before[i + 1:] + in_parts(records[trace], 40, 0))


def snapshot(folder):
    """Files of a snapshot, and how it is read: 0 with the program, 4 without, 3 with settings, which it does not take."""
    files = {name: (folder / name).read_bytes() if (folder / name).exists() else b"" for name in NAMES}
    yield files, 0
    yield files, 4
    yield files, 3
    for name in NAMES[:4]:
        lines = files[name].decode().splitlines()
        for i, line in enumerate(lines):
            key, _, value = line.partition("=")
            wrong = ["", line.replace("=", " ").replace("]", ""), "  " + line + " ", f"{key}=nonsense", f"{key}={value}\0", "; " + line,
                     f"{key}={value}\n{key}={value}", "[" + line]
            for how in wrong if line else []:
                changed = "\n".join(lines[:i] + [how] + lines[i + 1:]) + "\n"
                yield dict(files, **{name: changed.encode()}), 0
    core = files["core.ini"].decode()
    for other in CORES:
        yield dict(files, **{"core.ini": "".join(f"type={other}\n" if line.startswith("type=") else line + "\n"
                                                 for line in core.splitlines()).encode()}), 0
    for lines in "offset=0x10", "length=0x20", "offset=16\nlength=4000", "offset=99999999", "offset=x", "length=0x20\nspace=any":
        yield dict(files, **{"core.ini": (core + lines + "\n").encode()}), 4
    half = len(files["memory1.bin"]) // 2
    start = int(core.split("address=")[1].split()[0], 0)
    two = core + f"length={half}\n[dump2]\nfile=memory1.bin\noffset={half}\naddress={start + half:#x}\n"
    yield dict(files, **{"core.ini": two.encode()}), 4
    yield dict(files, **{"core.ini": (two + "[dump3]\nfile=none\naddress=0\n").encode()}), 4
    unit = files["etm.ini"].decode()
    for old, new in ("ETM4", "ETM3.5"), ("ETM4", "ETE"), ("TRCIDR0=", "TRCIDRX="), ("TRCTRACEIDR=0x00000010", "TRCTRACEIDR=0x11"), \
            ("TRCCONFIGR=0x00001850", "TRCCONFIGR=0xffffffff"), ("TRCIDR1=0x4100f403", "TRCIDR1=0"), ("trace_source", "other"):
        yield dict(files, **{"etm.ini": unit.replace(old, new).encode()}), 0
    # Two trace units, of which the second has the same registers; a buffer that is not of frames.
    both = files["snapshot.ini"].decode().replace("device1=etm.ini", "device1=etm.ini\ndevice2=etm.ini")
    yield dict(files, **{"snapshot.ini": both.encode()}), 0
    yield dict(files, **{"trace.ini": files["trace.ini"].replace(b"format=coresight", b"format=source_data")}), 0
    trace = files["trace.bin"]
    for place in range(0, len(trace)):
        for changed in trace[:place], trace[:place] + bytes([trace[place] ^ 255]) + trace[place + 1:]:
            yield dict(files, **{"trace.bin": changed}), 4 * (place % 2)


def main(kind, given, program, out):
    elf = pathlib.Path(program).read_bytes()
    if kind == "perf":
        seeds = (bytes([PERF, 4 if n % 8 == 7 else 0]) + sized(elf) + data for n, data in enumerate(perf(pathlib.Path(given).read_bytes())))
    else:
        seeds = (bytes([ETMV4, how]) + sized(elf) + b"".join(sized(files[n]) for n in NAMES[:-1]) + files[NAMES[-1]]
                 for files, how in snapshot(pathlib.Path(given)))
    for number, data in enumerate(seeds):
        pathlib.Path(f"{out}-{number}").write_bytes(data)


main(*sys.argv[1:])
