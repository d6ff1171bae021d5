#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-odd.sh - does the tracer `shadow` give back programs whose flow their instructions do not tell
# (odd_program.c), at each kind of geometry, for each instruction set that there is a compiler for?
. "$(dirname "$0")/../tools/lib.sh"
command -v qemu-x86_64 >found || exit 77
export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here

for compiler in cc aarch64-linux-gnu-gcc arm-linux-gnueabi-gcc arm-linux-gnueabihf-gcc riscv64-linux-gnu-gcc \
  mips-linux-gnu-gcc mipsel-linux-gnu-gcc; do
  command -v "$compiler" >found || continue
  thumb=
  [ $compiler != arm-linux-gnueabihf-gcc ] || thumb=--thumb
  # A library for static programs may be missing.
  "$compiler" -O1 -static -w -o odd "$SOURCE/tests/scripts/odd_program.c" -lpthread 2>err || continue
  # shellcheck disable=SC2086 # an option or nothing
  expect 0 "$SOURCE/scripts/capture" $thumb --root / -o odd.oct -- ./odd
  # Fewer banks than tasks; syncs by instructions and by bits, at which the tables stay or not; time; no value cache.
  for geometry in shadow shadow-large,banks=4 shadow-tiny,banks=2 shadow,sync_keeps=1,sync_insns=7000 \
    shadow,sync_keeps=1,sync_insns=0,sync_bits=9000,banks=3 shadow,sync_bits=3000,regs=8 \
    shadow,timestamp=1,time_period_insns=50,traps=1 shadow,vc_sets=0,dfcm_entries=0; do
    expect 0 "$OCTRACE" verify --engine untimed --tracer shadow -g "$geometry" --limit 700000 odd.oct
  done
  expect 0 "$OCTRACE" verify --engine untimed --tracer shadow --skip 54321 --limit 500000 odd.oct
done
