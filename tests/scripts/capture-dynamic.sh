#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-dynamic.sh - can captures be used, whatever their instructions do? Dynamically linked
# programs of each instruction set, instructions of many and odd accesses, and an ARM program from a
# root that was unpacked in two library folders.
. "$(dirname "$0")/../tools/lib.sh"

# whole TRACE: it comes back through both machines.
whole() {
  expect 0 "$OCTRACE" verify --engine untimed "$1"
  expect 0 "$OCTRACE" verify --engine untimed --tracer shadow "$1"
}

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
# Those of gnueabihf are Thumb code. Debian has no libraries for 32-bit RISC-V.
sets="arm-linux-gnueabi arm-linux-gnueabihf aarch64-linux-gnu riscv64-linux-gnu i686-linux-gnu
  mips-linux-gnu mipsel-linux-gnu"
for set in $sets; do
  # Left out where it is missing; scripts/test installs them.
  [ -f "/usr/$set/lib/libc.so.6" ] && command -v qemu-x86_64 >found || exit 77
done

# The loader's xsave makes accesses of 2, 4 and 8 bytes, loads and stores.
expect 0 "$SOURCE/scripts/capture" -o ls.oct -- /bin/ls
expect 0 "$OCTRACE" info ls.oct
contains out '^isa  *x86-64$'
whole ls.oct
expect 0 "$OCTRACE" compress -o ls.octp ls.oct
expect 0 "$OCTRACE" decompress -o back.oct ls.octp
as_text ls.oct >want
as_text back.oct | cmp want - || die "ls.oct: another trace"
expect 0 "$OCTRACE" report --limit 100000 ls.oct
expect 0 "$OCTRACE" sweep --limit 100000 -a sc_sets=16,32 ls.oct
expect 0 "$OCTRACE" bench --limit 100000 --repeat 1 --codec bytesort ls.oct

# libc.so.6 is a program, too, which the loader starts.
for set in $sets; do
  state=
  [ "$set" != arm-linux-gnueabihf ] || state=--thumb
  expect 0 "$SOURCE/scripts/capture" $state --root "/usr/$set" -o c.oct -- "/usr/$set/lib/libc.so.6"
  contains out '^GNU C Library'
  whole c.oct
  expect 0 "$OCTRACE" compress --codec vpc3 -o c.octc c.oct
done

# A root of two folders of libraries becomes one, whose links still lead where they led.
mkdir -p root/lib/arm-linux-gnueabi/sub root/usr/lib/arm-linux-gnueabi
from=/usr/arm-linux-gnueabi/lib
cp -L $from/ld-linux.so.3 $from/libc.so.6 $from/libresolv.so.2 root/lib/arm-linux-gnueabi
cp -L $from/libm.so.6 root/usr/lib/arm-linux-gnueabi
ln -s arm-linux-gnueabi/ld-linux.so.3 root/lib/ld-linux.so.3
ln -s ../usr/lib/arm-linux-gnueabi/libm.so.6 root/lib/up.so
ln -s ../libc.so.6 root/lib/arm-linux-gnueabi/sub/c.so
for round in 1 2; do
  expect 0 "$SOURCE/scripts/capture-root" root
  [ "$(readlink root/lib)" = usr/lib ] || die "round $round: lib is $(readlink root/lib)"
done
[ -f root/etc/ld.so.cache ] && [ ! -s root/etc/ld.so.cache ] || die "no ld.so.cache of its own"
cmp root/lib/up.so $from/libm.so.6
cmp root/lib/arm-linux-gnueabi/sub/c.so $from/libc.so.6
expect 0 "$SOURCE/scripts/capture" --root root -o c.oct -- root/lib/ld-linux.so.3 \
  --preload 'libm.so.6 libresolv.so.2' /lib/arm-linux-gnueabi/libc.so.6
contains out '^GNU C Library'
[ ! -s err ] || { cat err >&2; die "the loader misses libraries"; }

# Programs made by hand: NAME, machine, flags, and the code. Data stand in other pages: a
# store into a page of code makes the emulator begin the instruction anew.
cat >make.py <<'END'
import struct, sys
is_32 = "-32" in sys.argv
if is_32: sys.argv.remove("-32")
name, machine, flags = sys.argv[1], int(sys.argv[2], 0), int(sys.argv[3], 0)
code = bytes.fromhex("".join(sys.argv[4:]))
assert len(code) <= 0x100 - 0x78
size = 0x2000
ident = b"\x7fELF" + bytes([1 if is_32 else 2, 1, 1]) + bytes(9)
if is_32:
    head = ident + struct.pack(
        "<HHIIIIIHHHHHH", 2, machine, 1, 0x400054, 52, 0, flags, 52, 32, 1, 0, 0, 0)
    segment = struct.pack("<IIIIIIII", 1, 0, 0x400000, 0x400000, size, size, 7, 0x1000)
else:
    head = ident + struct.pack(
        "<HHIQQQIHHHHHH", 2, machine, 1, 0x400078, 64, 0, flags, 64, 56, 1, 0, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 1, 7, 0, 0x400000, 0x400000, size, size, 0x1000)
with open(name, "wb") as f:
    f.write((head + segment + code).ljust(size, b"\0"))
END
# bytes KIND ADDR: how many bytes the instruction at this address loads (L) or stores (S) in all.
bytes() {
  as_text run.oct | awk -v kind="$1" -v pc="$2" '{
    sub("/.*", "", $1)
    if (substr($1, length($1) - length(pc) + 1) != pc) next
    for (i = 2; i <= NF; i++) if (substr($i, 1, 1) == kind) n += substr($i, 2, index($i, ":") - 2)
  } END { print n + 0 }'
}
# run CPU CODE...: make it, run it, and see that the capture can be used.
run() {
  cpu=$1
  shift
  python3 make.py prog "$@"
  chmod +x prog
  expect 0 "$SOURCE/scripts/capture" --cpu "$cpu" -o run.oct -- ./prog
  whole run.oct
}
# 78 lea rsi, 7f lea rdi, 86 ecx = 5, 8b rep movsb, 8d ecx = 5, 92 rep movsw, 95 ecx = 5, 9a rep stosq,
# 9d lea rdi, a4 fxsave, a7 fxrstor, aa eax = 7, edx = 0, b1 xsave, b4 gather
run max 0x3e 0 488d3581100000 488d3d7a110000 b905000000 f3a4 b905000000 66f3a5 b905000000 f348ab \
  488d3d5c170000 0fae07 0fae0f b807000000 31d2 0fae27 c5e976d2 c5f1efc9 c4e269 90048f \
  b83c000000 31ff 0f05
[ "$(bytes L 40008b) $(bytes S 40008b) $(bytes S 400092) $(bytes S 40009a)" = '5 5 10 40' ] || die "rep"
[ "$(bytes S 4000a4)" -ge 300 ] && [ "$(bytes L 4000a7)" -ge 300 ] || die "fxsave, fxrstor"
[ "$(bytes S 4000b1)" -ge 300 ] || die "xsave"
[ "$(bytes L 4000bc)" -eq 16 ] || die "gather"
# adr x0; ld4 of words, st4 of bytes; ldp; exit
run max 0xb7 0 00800010 0008404c 0000004c 010840a9 a80b80d2 000080d2 010000d4
[ "$(bytes L 40007c) $(bytes S 400080) $(bytes L 400084)" = '64 64 16' ] || die "ld4, st4, ldp"
# lui a0, 0x401; vsetvli e8, m8; vle8.v, vse8.v; exit
run rv64,v=true 0xf3 0x5 37154000 d772300c 07040502 27040502 9308d005 13050000 73000000
[ "$(bytes L 400080) $(bytes S 400084)" = '128 128' ] || die "vle8, vse8"
# A 32-bit program: lui a0, 0x401; lw; sh; c.sw; exit
run rv32 -32 0xf3 0x1 37154000 83250500 2312b500 0cc5 9308d005 13050000 73000000
isa=$("$OCTRACE" info run.oct | sed -n 's/^isa  *//p')
[ "$isa $(bytes L 400058) $(bytes S 40005c) $(bytes S 400060)" = 'riscv32 4 2 4' ] || die "rv32"

# An A32 program on a core with Thumb: a branch back, alone in its block behind a call of the
# kernel's helpers, looks like a long Thumb instruction.
# mov r2, 0x401000 in two; mov r0, 0; mov r1, 0; mvn r3, 0xf000; mov lr, pc; sub pc, r3, 63; bcc; exit
python3 make.py -32 prog 0x28 0x5000200 0125a0e3 012a82e2 0000a0e3 0010a0e3 0f3ae0e3 0fe0a0e1 \
  3ff043e2 faffff3a 0170a0e3 0000a0e3 000000ef
chmod +x prog
expect 0 "$SOURCE/scripts/capture" --thumb -o run.oct -- ./prog
expect 0 "$OCTRACE" compress --tracer etmv4 -o run.octp run.oct
expect 0 "$OCTRACE" packets run.octp
contains out 'address=0xffff0fc0 is=0'
contains out 'address=0x400070 is=0'
[ "$(grep -c Exception out)" -eq 2 ] || die "the helper and the end are exceptions, and nothing else"
