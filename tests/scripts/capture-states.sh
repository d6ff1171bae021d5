#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-states.sh - what the emulator does not tell the plugin, which finds it: Thumb or ARM state, the size of a Thumb
# instruction at the end of a page, and whether the slot of a MIPS branch was left out.
# Skipped where the emulators are not installed; scripts/test installs them.
. "$(dirname "$0")/../tools/lib.sh"

command -v qemu-arm >found && command -v qemu-mips >found || exit 77
plugin=$(echo "$BUILD"/tools/qemu/*oct_capture.so)

# ELF files of one segment at 0x10000, the entry behind the two headers.
python3 - <<'END'
import struct

def program(name, machine, end, code):
    """code: lines `address: bytes in the order of memory ...`"""
    image = bytearray(0x54)
    for line in code.splitlines():
        addr, data = line.split("#")[0].split(":")
        at = int(addr, 16) - 0x10000
        data = bytes.fromhex(data)
        image += bytes(max(0, at + len(data) - len(image)))
        image[at : at + len(data)] = data
    flags = 0x05000000 if machine == 40 else 0x70001000  # EABI 5; MIPS32 release 2, o32
    ident = b"\x7fELF" + bytes([1, 2 if end == ">" else 1, 1]) + bytes(9)
    entry = 0x10055 if machine == 40 else 0x10054
    image[:0x34] = ident + struct.pack(
        end + "HHIIIIIHHHHHH", 2, machine, 1, entry, 0x34, 0, flags, 0x34, 0x20, 1, 0, 0, 0)
    image[0x34:0x54] = struct.pack(
        end + "IIIIIIII", 1, 0, 0x10000, 0x10000, len(image), len(image), 7, 0x1000)
    open(name, "wb").write(image)

program("thumb", 40, "<", """\
10054: 01f0d1bf  # b.w 11ffa
11ffa: 0222 6946 4fea4101 00f0f7bf  # movs; mov; mov.w over the end of the page; b.w 12ff4
12ff4: 4ff00101 4ff00202 6946 4ff00301 00f0fabf  # mov.w; mov.w; mov; mov.w; b.w 13ffa
13ffa: 4ff00401 4ff00502 00f0fbbf  # mov.w; mov.w over the end of the page; b.w 14ffc
14ffc: 0621 0722 00f0fabf  # movs; movs; b.w 15ff8
15ff8: 00f009f8 6946 4ff00801 0120  # bl 1600e, which returns to the last halfwords of the page; mov.w; movs
16004: 00f004e8 0020 0127 00df  # blx 16010; movs; movs; svc 0: exit
1600e: 7047  # bx lr
16010: 01f0ff0a 000050e3 01308fe2 13ff2fe1  # beq, which T32 reads as and.w; cmp; add r3, pc, #1; bx r3
16020: 4ff00902 4ff00a03 00f002b8  # mov.w; mov.w; b.w 16030
16030: 7047  # bx lr
""")
# Target and next instruction of the third branch are the same.
program("likely", 8, ">", """\
10054: 3c040001 24050001 24060002  # lui a0, 1; li a1, 1; li a2, 2
10060: 50a60002 ac851000 00000000  # beql a1, a2, 1006c; sw a1, 4096(a0); nop
1006c: 50a50002 ac861004 00000000  # beql a1, a1, 10078; sw a2, 4100(a0); nop
10078: 50a60001 ac851008  # beql a1, a2, 10080; sw a1, 4104(a0)
10080: 50a50001 ac86100c  # beql a1, a1, 10088; sw a2, 4108(a0)
10088: 24020fa1 24040000 0000000c  # li v0, 4001; li a0, 0; syscall: exit
12000: 00000000
""")
END
chmod +x thumb likely

# What the trace says: sizes in the events, and set and size in the map.
cat >want <<'END'
00010054 thumb 4
00011ffa/2 thumb 2
00011ffc/2 thumb 2
00011ffe thumb 4
00012002 thumb 4
00012ff4 thumb 4
00012ff8 thumb 4
00012ffc/2 thumb 2
00012ffe thumb 4
00013002 thumb 4
00013ffa thumb 4
00013ffe thumb 4
00014002 thumb 4
00014ffc/2 thumb 2
00014ffe/2 thumb 2
00015000 thumb 4
00015ff8 thumb 4
0001600e/2 thumb 2
00015ffc/2 thumb 2
00015ffe thumb 4
00016002/2 thumb 2
00016004 thumb 4
00016010 arm 4
00016014 arm 4
00016018 arm 4
0001601c arm 4
00016020 thumb 4
00016024 thumb 4
00016028 thumb 4
00016030/2 thumb 2
00016008/2 thumb 2
0001600a/2 thumb 2
0001600c/2 thumb 2
END
qemu-arm -plugin "$plugin,out=thumb.feed,isa=thumb" ./thumb
as_text thumb.feed >events
python3 - events <<'END' >got
import struct, sys

data = open("thumb.feed", "rb").read()
at = data.find(b"OCTB")
known = {}
while at < len(data) and data[at : at + 4] == b"OCTB":
    kind, codec, stored = data[at + 4], data[at + 5], struct.unpack_from("<I", data, at + 8)[0]
    assert codec == 0
    for record in range(at + 40, at + 40 + stored, 52) if kind == 2 else ():
        known[struct.unpack_from("<Q", data, record)[0]] = data[record + 36], data[record + 16]
    at += 40 + stored
for line in open(sys.argv[1]):
    isa, size = known[int(line.split("/")[0], 16)]
    print(line.strip(), {1: "arm", 2: "thumb"}[isa], size)
END
diff want got >&2 || die "another trace of Thumb code"

cat >want <<'END'
00010054
00010058
0001005c
00010060
00010068
0001006c
00010070 S4:00011004
00010078
00010080
00010084 S4:0001100c
00010088
0001008c
00010090
END
qemu-mips -plugin "$plugin,out=likely.feed" ./likely
as_text likely.feed >got
diff want got >&2 || die "another trace of likely branches"
