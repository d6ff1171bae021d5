#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# logs.sh - nobody's file is swallowed: logs that are known but not read are named, with a command that
# gives their addresses; columns that are no addresses, archives and holes are refused; what is read is
# read as its own tool means it.
. "$(dirname "$0")/lib.sh"

# refused WHAT: the file t is refused in one line that says so.
refused() {
  refuse 4 "$OCTRACE" info t
  contains err "$1"
}
# advised WHAT ADDRESS...: likewise, and the command of the message makes these addresses of it.
advised() {
  refused "$1"
  shift
  script=$(sed -n "s/.*\(awk .*\) | octrace convert .*/\1/p" err | sed 's/ LOG$/ t/')
  sh -c "$script" >addresses
  expect 0 "$OCTRACE" convert --from pc --to pc addresses back
  printf '%s\n' "$@" >want
  sed 's/^0*//' back | cmp - want || { cat err back >&2; die "other addresses"; }
}

# Columns.
printf '80000000 00000297\n80000004 02028593\n80000008 4505\n' >t
advised 'an address and its opcode' 80000000 80000004 80000008
printf '0x80000000 0x00000297\n0x80000004 0x02028593\n0x80000008 0x4505\n' >t
advised 'an address and its opcode' 80000000 80000004 80000008
printf '4005d0 e3a00001\n4005d4 e1a00001\n4005d8 f9400000\n' >t
advised 'an address and its opcode' 4005d0 4005d4 4005d8
printf '0 80000000 00000297 x5 80000000\n1 80000004 02028593 x11 80000020\n2 80000008 00000013\n' >t
advised 'running number' 80000000 80000004 80000008
printf '10 0x10000 0x297\n12 0x10004 0x2028593\n13 0x10008 0x13\n15 0x1000c 0x13\n' >t
advised 'running number or cycle' 10000 10004 10008 1000c
# Decimal numbers: of Ramulator, with bubbles that may be labels of Dinero, and lists.
printf '3 20734016\n1 20846400\n6 20734208\n2 20846400 20734016\n' >t
refused 'decimal numbers'
printf '3 20734016\n1 20846400\n2 20734208\n2 20846400 20734016\n' >t
refused 'decimal numbers'
printf '20734016\n20846400\n20734208\n20846400\n' >t
refused 'decimal numbers'
printf '4198400\n4198404\n4198408\n4198412\n4198416\n4198420\n4198424\n4198428\n4198432\n' >t
refused 'decimal numbers'
expect 0 "$OCTRACE" info --from text t
seq 4198400 4 4198500 | awk '{ print $1, 7 * $1 }' >t # and their data addresses
refused 'decimal numbers'
printf '0 3 0x0000010000 (0x00000517) x10 0x0000000000010000\n0 3 0x0000010004 (0x02050593) x11 0x0000000000010020\n' >t
refused 'expected a hexadecimal address'
printf '# a comment\n# and another\n' >t
refused 'none of its lines (2) is an instruction'
# An address and its data address, and addresses by themselves, stay what they are; a note says so.
noted() {
  contains err "note: t: taken for $1, as it has numbers and no mark: --from names a format"
  expect 0 "$OCTRACE" info --from "$1" t
  [ ! -s err ] || die "a note on a format that was named"
}
printf '8000 1000\n8004 1004\n8008\n800c 1008\n' >t
expect 0 "$OCTRACE" info t
contains out '^accesses  *3$'
noted text
printf '2 8000\n0 1000\n2 8004\n' >t
expect 0 "$OCTRACE" info t
noted din
printf '8000\n8004\n8008\n' >t
expect 0 "$OCTRACE" info t
contains out '^instructions  *3$'
contains out '^isa_guess  *unknown$' # the size is a default
noted text

# Archives and holes.
tar -cf a.tar t
for pack in cat gzip xz; do
  $pack <a.tar >t
  refused 'a tar archive'
done
python3 - <<'END'
import struct
def record(ip, load=0):
    return struct.pack("<QBB2B4B2Q4Q", ip, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, load, 0, 0, 0)
base = 0xaaaad5b01000
good = b"".join(record(base + 4 * i, 0xffffd5b01000 + 8 * i if i % 3 else 0) for i in range(100))
open("t48", "wb").write(good)
open("t", "wb").write(good + bytes(128))
END
expect 0 "$OCTRACE" info t48
contains out '^format  *champsim$'
contains out '^instructions  *100$'
refuse 4 "$OCTRACE" convert t back.oct
contains err 'a record of zeros'

# Lackey's data only, and what a core of 32 bits logs with 16 digits.
printf ' S 1fff000700,8\n L 1fff0006f8,8\n M 1fff0006f0,8\n' >t
expect 0 "$OCTRACE" info t
contains out '^format  *lackey$'
contains out '^accesses  *4$'
printf '3 0x0000000080000000 (0x2001) x 1 0x80000002\n3 0x0000000080000002 (0x6110) f12 0xffffffff mem 0x80003000\n' >t
expect 0 "$OCTRACE" info t
contains out '^isa  *riscv32$'
printf '3 0x0000000080000000 (0x2001)\n3 0x0000000080000002 (0x6110) mem 0x80003000\n' >t
expect 0 "$OCTRACE" info t
contains out '^isa  *riscv64$'
expect 0 "$OCTRACE" info --isa riscv32 t
contains out '^isa  *riscv32$'
# The elements of vector loads have a size, whichever way it is told.
printf 'core   0: 3 0x0000000080000104 (0x02056407) e32 m1 l4 v8  0x04 mem 0x0000000080003000 mem 0x0000000080003004\ncore   0: 3 0x0000000080000108 (0x06856407) e16 m1 l4 v8  0x04 mem 0x0000000080003000\n' >t
expect 0 "$OCTRACE" convert --to text t -
contains out 'L4:[0-9a-f]*80003000'
contains out 'L2:[0-9a-f]*80003000'
expect 0 "$OCTRACE" compress --tracer etrace -o t.octp t

# Task numbers of a trace fit without being asked for.
printf '8000 T:4194304\n8004 T:4194304\n' >t
for tracer in paper shadow; do
  expect 0 "$OCTRACE" compress --tracer $tracer -o t.octp t
  expect 0 "$OCTRACE" compress --json --tracer $tracer -o t.octp t
  contains out '"task_bits": 32'
done
