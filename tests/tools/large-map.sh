#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# large-map.sh - who writes a file whose program map is larger than is read without --max-map is told so,
# with the number that reads it.
. "$(dirname "$0")/lib.sh"

limit=4194304
# A run through a program of one instruction more than that.
python3 - $((limit + 1)) <<'END'
import array, struct, sys
n, base = int(sys.argv[1]), 65536
array.array("I", range(base, base + 4 * n, 4)).tofile(open("t", "wb"))
head = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, base, 52, 0, 0x05000000, 52, 32, 1, 0, 0, 0)
segment = struct.pack("<IIIIIIII", 1, 4096, base, base, 4 * n, 4 * n, 5, 4096)
open("elf", "wb").write((head + segment).ljust(4096, b"\0") + bytes.fromhex("0000a0e1") * n)
END
run='--from pc32 --isa arm'

# says FILE: the last command said how FILE is read.
says() {
  contains err "^octrace: note: $1: $((limit + 1)) entries of the program map: to read it, give --max-map $((limit + 1))\$"
}

# shellcheck disable=SC2086 # options
expect 0 "$OCTRACE" compress --tracer raw $run --limit $limit -o fits.octp t
! grep -q max-map err || die "a map that is read is told"
# shellcheck disable=SC2086
expect 0 "$OCTRACE" compress --tracer raw $run -o t.octp t
says t.octp
refuse 4 "$OCTRACE" info t.octp
contains err 'max-map'
# shellcheck disable=SC2086
expect 0 "$OCTRACE" compress --codec plain $run -o t.octc t
says t.octc
# A native trace has those entries of its map that its source had.
# shellcheck disable=SC2086
expect 0 "$OCTRACE" convert $run --elf elf --max-map $((limit + 1)) t u.oct
says u.oct
refuse 4 "$OCTRACE" info u.oct
contains err 'max-map'
