#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""map_seed.py IN OUT - a native trace with the first three records of its program map, the second of which goes on where
the first one ends: at its address, from slot 16 on. Blocks are not compressed, and their checksums are not renewed."""
import struct
import sys

from each_byte import unpacked

MAP_BLOCK, HEAD_BYTES, RECORD_BYTES = 2, 40, 52
CONTINUES, SLOTS, KEPT = 4, 16, 3


def main(given, out):
    with open(given, "rb") as file:
        data = unpacked(file.read())
    at = 12 + struct.unpack_from("<I", data, 8)[0] + 8
    while data[at + 4] != MAP_BLOCK:
        at += HEAD_BYTES + struct.unpack_from("<I", data, at + 8)[0]
    head = bytearray(data[at:at + HEAD_BYTES])
    records = [bytearray(data[at + HEAD_BYTES + i * RECORD_BYTES:][:RECORD_BYTES]) for i in range(KEPT)]
    records[1] = records[0][:8] + struct.pack("<Q", SLOTS) + records[0][16:18] + bytes([3, CONTINUES]) + bytes(RECORD_BYTES - 20)
    behind = at + HEAD_BYTES + struct.unpack_from("<I", head, 8)[0]
    struct.pack_into("<II", head, 8, KEPT * RECORD_BYTES, KEPT * RECORD_BYTES)
    struct.pack_into("<I", head, 28, KEPT)
    with open(out, "wb") as file:
        file.write(data[:at] + head + b"".join(records) + data[behind:])


main(sys.argv[1], sys.argv[2])
