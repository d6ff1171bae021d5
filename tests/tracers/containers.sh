#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# containers.sh - does a compressed file give the trace back, whatever its decoder has to know of the
# instructions? The traces have system calls (x86-64), barriers (A64), constants that are jumped to
# (RISC-V).
. "$(dirname "$0")/../tools/lib.sh"

# whole TRACER PARAMETERS TRACE: its instructions come back.
whole() {
  expect 0 "$OCTRACE" compress --tracer "$1" -g "$2" -o t.octp "$3"
  expect 0 "$OCTRACE" decompress -o back.oct t.octp
  "$OCTRACE" convert --to pc "$3" - >want
  "$OCTRACE" convert --to pc back.oct - | cmp want - || die "$1 $2 $3: other instructions"
}

for geometry in default plain cyc=1,mtc=1 sync_period_insns=1000; do
  whole intel-pt $geometry "$DATA/x86-64-dynamic.oct"
done
for geometry in default unit plain cycles; do
  whole etmv4 $geometry "$DATA/aarch64.oct"
  whole etmv4 $geometry "$DATA/thumb-helpers.oct"
done

# lui, c.jr; auipc, jalr: jumps that E-Trace need not report; and ISB.
cat >sijump.txt <<'END'
00010000/4
00010004/2
00011000/4
00011004/4
0001100c/4
END
python3 - <<'END'
import struct
code = {0x10000: bytes.fromhex("b7170100"),   # lui a5, 0x11
        0x10004: bytes.fromhex("8287"),       # c.jr a5
        0x11000: bytes.fromhex("97070000"),   # auipc a5, 0
        0x11004: bytes.fromhex("e780c700"),   # jalr ra, 12(a5)
        0x1100c: bytes.fromhex("13000000")}   # nop
memory = bytearray(0x2000)
for addr, text in code.items():
    memory[addr - 0x10000:addr - 0x10000 + len(text)] = text
head = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9) + struct.pack(
    "<HHIIIIIHHHHHH", 2, 0xf3, 1, 0x10000, 52, 0, 1, 52, 32, 1, 0, 0, 0)
segment = struct.pack("<IIIIIIII", 1, 0x1000, 0x10000, 0x10000, len(memory), len(memory), 5, 0x1000)
open("sijump.elf", "wb").write((head + segment).ljust(0x1000, b"\0") + memory)
END
expect 0 "$OCTRACE" convert --isa riscv32 --elf sijump.elf sijump.txt sijump.oct
whole etrace sijump=1,data=0 sijump.oct
expect 0 "$OCTRACE" compress --tracer etrace -g sijump=1,data=0 -o t.octp sijump.oct
contains err 'Reported jumps 0'

# What the buffer of a trace unit loses is told, and nothing else is missing.
expect 3 "$OCTRACE" compress --tracer intel-pt -g buffer_bytes=128,drain_bits=1 -o t.octp "$DATA/x86-64-dynamic.oct"
expect 3 "$OCTRACE" decompress --gaps gaps.csv -o back.oct t.octp
"$OCTRACE" convert --to pc "$DATA/x86-64-dynamic.oct" - >want
"$OCTRACE" convert --to pc back.oct - >got
python3 - <<'END'
import csv
want, got = (open(name, encoding="ascii").read().split() for name in ("want", "got"))
kept, at = [], 0
for row in csv.DictReader(open("gaps.csv", encoding="ascii")):
    first, lost = int(row["instruction"]), int(row["lost_instructions"])
    kept += want[at:first]
    at = first + lost
kept += want[at:]
assert at > 0 and [int(a, 16) for a in kept] == [int(a, 16) for a in got], (len(kept), len(got))
END
