#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""stream_seed.py CONTAINER OUT PLACES - a container whose port stream has one byte wrong or ends there, at PLACES of its
bytes, with the chunks around it sound but for their checksums, which builds for fuzzing do not look at. OUT-N are the files."""
import struct
import sys

BITS, HEAD_BYTES = 1, 28


def main(container, out, places):
    with open(container, "rb") as file:
        data = file.read()
    at = 12 + struct.unpack_from("<I", data, 8)[0] + 8
    while at < len(data) and data[at] != BITS:
        at += HEAD_BYTES + struct.unpack_from("<I", data, at + 4)[0]
    if at == len(data):  # all of it was lost
        return
    n = struct.unpack_from("<I", data, at + 4)[0]
    head, stream, tail = data[:at], data[at + HEAD_BYTES:at + HEAD_BYTES + n], data[at + HEAD_BYTES + n:]
    number = 0
    for place in sorted({n * i // places for i in range(places)}):
        wrong = [stream[:place] + bytes([stream[place] ^ bits]) + stream[place + 1:] for bits in (1, 8, 64, 255)]
        for changed in stream[:place], stream[:place] + stream[place + 1:], *wrong:
            if not changed:
                continue
            chunk = data[at:at + 4] + struct.pack("<II", len(changed), len(changed)) + bytes(HEAD_BYTES - 12)
            with open(f"{out}-{number}", "wb") as file:
                file.write(head + chunk + changed + tail)
            number += 1


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
