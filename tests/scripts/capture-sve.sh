#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-sve.sh - is it said that a trace lacks accesses of SVE, which the emulator does not report, and of
# these alone?
. "$(dirname "$0")/../tools/lib.sh"
for tool in aarch64-linux-gnu-as aarch64-linux-gnu-ld qemu-aarch64; do
  command -v $tool >found || exit 77
done
export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here

# capture_one INSTRUCTION: of a program with it that ends with a status of its own.
capture_one() {
  printf '.global _start\n_start: sub sp, sp, #4096\nptrue p0.b\n%s\nmov x0, #255\nmov x8, #93\nsvc #0\n' "$1" >one.s
  aarch64-linux-gnu-as -march=armv8.2-a+sve -o one.o one.s
  aarch64-linux-gnu-ld -o one one.o
  expect 0 "$SOURCE/scripts/capture" --cpu max --root / -o one.oct -- ./one
}

for insn in 'ld1b {z0.b}, p0/z, [sp]' 'st1d {z0.d}, p0, [sp]' 'ldr z0, [sp]' 'str p0, [sp]'; do
  capture_one "$insn"
  contains err 'one uses SVE, whose accesses the emulator does not report: the trace lacks them$'
done
for insn in 'add z0.b, z0.b, z0.b' 'ldr q0, [sp]'; do
  capture_one "$insn"
  if grep -q SVE err; then die "$insn: $(cat err)"; fi
done
