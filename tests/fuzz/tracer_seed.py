#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""tracer_seed.py FOLDER - seeds for fuzz_tracers: streams of Intel PT with each packet behind a sync, whole, damaged
and cut off within a packet, over a program of one instruction of each class."""
import sys

TRACER = 4
# mode_bits 32 or 64, sync_period_insns, and so on: as in the table of the tracer, from its least value on.
PARAMS = bytes(10), bytes([32, 100, 1, 0, 1, 0, 0, 3, 0, 7])
# Address / 2, target / 2 and size, class: addresses 0, 2, 4 ... have the classes 1, 1, 2 ... 7.
CLASSES = [1, 1, 2, 3, 4, 5, 6, 7, 1, 0]
PROGRAM = b"".join(bytes([i, (i + 2) % 8, cls]) for i, cls in enumerate(CLASSES))
PSB, PSBEND = b"\x02\x82" * 8, b"\x02\x23"


def ip(kind, at, how=2):
    """TIP 0d, TIP.PGE 11, TIP.PGD 01, FUP 1d; the address in 2, 4, 6, 6 or 8 bytes."""
    return bytes([kind | how << 5]) + at.to_bytes(8, "little")[:{0: 0, 1: 2, 2: 4, 3: 6, 4: 6, 6: 8}[how]]


def mnt(at, times):
    return b"\x02\xc3\x88" + (at | times << 58).to_bytes(8, "little")


def main():
    after = {"tnt": b"\x06", "tnt-long": b"\x02\xa3\x05\0\0\0\0\0", "cbr": b"\x02\x03\x10\0", "pip": b"\x02\x43" + bytes(6),
             "ovf": b"\x02\xf3", "ovf-fup": b"\x02\xf3" + ip(0x1D, 2), "ovf-tsc": b"\x02\xf3\x19" + bytes(7) + ip(0x11, 4),
             "mnt-bad": b"\x02\xc3\x89" + bytes(8), "cyc": b"\x07\xff\xff\x01", "pad": b"\0\0", "psb": PSB + PSBEND,
             "psb-count": PSB + b"\x19\1" + bytes(6) + ip(0x1D, 2) + PSBEND, "psb-far": PSB + b"\x19" + bytes([255] * 7) + PSBEND,
             "psb-less": PSB + b"\x19\2" + bytes(6) + ip(0x1D, 8) + PSBEND, "psb-here": PSB + ip(0x1D, 0) + PSBEND, "tnt-none": b"\x02\xa3" + bytes(6)}
    for how in (0, 1, 2, 3, 4, 6):
        for name, kind in ("tip", 0x0D), ("pge", 0x11), ("pgd", 0x01), ("fup", 0x1D):
            after[f"{name}-{how}"] = ip(kind, 2, how)
    for times in (0, 1, 2):
        for at in (0, 2):
            after[f"mnt-{at}-{times}"] = mnt(at, times) + ip(0x01, 6)
    number = 0
    for mode in (0, 1):
        for at in range(0, 2 * len(CLASSES), 2):
            sync = PSB + ip(0x1D, at) + PSBEND
            # As the program goes on from there: with an outcome, an address, an end, or two of them.
            for rest in b"", b"\x06", b"\x04", b"\x1a", ip(0x0D, 0), ip(0x01, 0), b"\x06" + ip(0x0D, 0), ip(0x1D, 18) + ip(0x0D, 4):
                number = put(mode, number, sync + rest + ip(0x01, 4))
        for tail in after.values():
            sync = PSB + b"\x19" + bytes(7) + ip(0x1D, 0) + PSBEND
            for size in {1, 2, 3, len(tail)}:
                number = put(mode, number, sync + tail[:size])
            number = put(mode, number, sync + ip(0x01, 6) + tail)
            number = put(mode, number, tail + sync)


def put(mode, number, stream):
    head = bytes([TRACER, 0]) + PARAMS[mode] + bytes([len(CLASSES)])
    with open(f"{sys.argv[1]}/intel-pt-{number}", "wb") as file:
        file.write(head + PROGRAM + stream)
    return number + 1


main()
