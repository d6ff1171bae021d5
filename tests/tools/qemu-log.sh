#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# qemu-log.sh - what QEMU logs of a program is what its capture has, for each instruction set; without
# nochain there are gaps.
# No transcript: QEMU may be missing, and then the test is skipped.
. "$(dirname "$0")/lib.sh"

addresses() {
  "$OCTRACE" convert --to pc "$1" - 2>notes
}

for set in aarch64 arm thumb:arm mips riscv64 x86-64:x86_64; do
  qemu=qemu-${set#*:}
  set=${set%:*}
  command -v "$qemu" >found || { echo "no $qemu"; exit 77; }
  "$qemu" -d in_asm,exec,nochain -D log "$DATA/mixed-$set.elf" >printed || true # which exits with 23
  addresses "$DATA/mixed-$set.oct" >want
  addresses log | cmp - want || die "$set: other instructions"
  [ ! -s notes ] || { cat notes >&2; die "$set: notes"; }
  "$qemu" -d in_asm,exec -D log "$DATA/mixed-$set.elf" >printed || true
  expect 0 "$OCTRACE" info log
  [ "$set" = mips ] || contains err 'the recording itself lost instructions'
done
