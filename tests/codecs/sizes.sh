#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sizes.sh - is a file of the codec shadow never larger than that of vpc3 with xz, whatever the trace
# tells of its program? (docs/codecs.md, Shadow)
. "$TOOLS/lib.sh"

# compare NAME TRACE
compare() {
  expect 0 "$OCTRACE" compress --codec shadow -o shadow.octc "$2"
  expect 0 "$OCTRACE" compress --codec vpc3:stage=xz -o vpc3.octc "$2"
  ours=$(wc -c <shadow.octc) theirs=$(wc -c <vpc3.octc)
  [ "$ours" -le "$theirs" ] || die "$1: $ours bytes, vpc3 with xz makes $theirs"
}

for isa in mips thumb aarch64 x86-64 riscv64; do
  compare $isa "$SAMPLES/isa/$isa.oct"
done
compare sha1 "$SAMPLES/sha1.oct"

# A table of 3000 addresses without any order that is read again and again, as ciphers do. Each third
# round some of them are others.
awk 'BEGIN {
  for (round = 0; round < 30; round++) {
    x = 13
    for (i = 0; i < 3000; i++) {
      x = (x * 1103515245 + 12345) % 2147483648
      addr = 65536 + 4 * int(x / 4096)
      if (round % 3 == 2 && i % 211 == 17) addr += 4096 * round
      printf "8000 L4:%x\n8004\n", addr
    }
  }
}' >table.txt
expect 0 "$OCTRACE" convert --from text table.txt table.oct
compare table table.oct
[ "$ours" -lt 20000 ] || die "table: $ours bytes, not found again"
