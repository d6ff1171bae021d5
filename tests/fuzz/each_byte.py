#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""each_byte.py [-p PLACES] FILE OUT [HEAD...] - a small file with one byte wrong, at each place, and cut off there; of a larger file, at
PLACES (default 128).

OUT-N are the files, each behind the bytes HEAD (decimal). Blocks of a native trace are first stored as
they are (`zstd` undoes them), so that what is wrong is in their columns, not in a frame of zstd. Builds
for fuzzing do not look at checksums.
"""
import struct
import subprocess
import sys

def unpacked(data):
    """A native trace whose blocks are not compressed."""
    at = 12 + struct.unpack_from("<I", data, 8)[0] + 8
    out = bytearray(data[:at])
    while at < len(data):
        head = bytearray(data[at:at + 40])
        stored = struct.unpack_from("<I", head, 8)[0]
        payload = data[at + 40:at + 40 + stored]
        at += 40 + stored
        if head[5]:
            payload = subprocess.run(["zstd", "-dcq"], input=payload, capture_output=True, check=True).stdout
            head[5] = 0
            struct.pack_into("<I", head, 8, len(payload))
        out += head + payload
    return bytes(out)


def main():
    args, places = sys.argv[1:], 128
    if args[0] == "-p":
        places, args = int(args[1]), args[2:]
    with open(args[0], "rb") as file:
        data = file.read()
    head = bytes(int(word) for word in args[2:])
    if data.startswith(b"OCTRACE2"):
        data = unpacked(data)
    number = 0
    for place in range(min(places, len(data))):
        at = place * max(places, len(data)) // places
        for variant in data[:at], *(data[:at] + bytes([data[at] ^ wrong]) + data[at + 1:] for wrong in (1, 255)):
            with open(f"{args[1]}-{number}", "wb") as file:
                file.write(head + variant)
            number += 1


if __name__ == "__main__":
    main()
