#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""drmemtrace_seed.py FOLDER - records of drmemtrace: of both widths and all architectures, of every type, and
some that are bad; in folders; and more than a batch has room for.
"""
import lzma
import struct
import sys


def main():
    for width, code in (8, "Q"), (4, "I"):
        for filetype in 0x08, 0x10, 0x20, 0x40, 0:
            def record(kind, size, value):
                return struct.pack("<HH" + code, kind, size, value)
            head = record(25, 0, 3) + record(28, 9, filetype) + record(22, 4, 7) + record(28, 2, 100)
            body = record(0, 8, 0x1000)
            for k, kind in enumerate([*range(10, 17), 29, 30, 31, 48, 49]):
                body += record(47, 4, 0x9090c3c3) + record(kind, 1 + k % 4, 0x4000 + 4 * k)
                body += record(k % 2, 1 << k % 5, 0x8000 + k) + record(28, 2, 100 + k)
            body += record(17, 2, 0x0201) + record(18, 0, 0) + record(15, 2, 0x9000)
            for name, more in (("whole", b""), ("bundle", record(17, 9, 1)), ("lengths", record(17, 2, 0)),
                               ("size", record(10, 16, 0)), ("type", record(50, 0, 0)),
                               ("code", record(47, width + 1, 0)), ("cut", b"\0\0\0")):
                with open(f"{sys.argv[1]}/drmemtrace-{8 * width}-{filetype}-{name}", "wb") as file:
                    file.write(b"\0\0" + head + body + more)
            # Folders: one file, two, two of different widths, none.
            whole = head + body
            for name, first, second in (("one", whole, b""), ("two", whole, whole), ("none", b"", b""),
                                        ("mixed", whole, struct.pack("<HHQ", 25, 0, 3)), ("bad", whole, b"#")):
                with open(f"{sys.argv[1]}/drmemtrace-{8 * width}-{filetype}-folder-{name}", "wb") as file:
                    file.write(b"\x0f\xff" + struct.pack("<H", len(first)) + first + second)
            # More instructions than a batch holds.
            for name, body in ("one", record(10, 4, 0x4000)), ("bundle", record(17, 4, 0x01010101)):
                with open(f"{sys.argv[1]}/drmemtrace-{8 * width}-{filetype}-full-{name}", "wb") as file:
                    file.write(b"\0\0" + lzma.compress(head + record(10, 4, 0x4000) + body * 70000))


main()
