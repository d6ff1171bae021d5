#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# captured.sh - is the Verilog of `shadow` the C model on whole programs with their C library, captured for A32 and RV64, too, not
# only on random ones? At an instruction in three cycles, and one a cycle, with losses.
. "$(dirname "$0")/../tools/lib.sh"
command -v qemu-arm >found || exit 77
export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here

n=0
for isa in ${OCT_ISA-arm-linux-gnueabi riscv64-linux-gnu}; do
  command -v "$isa-gcc" >found || continue
  geometry=shadow
  [ "$isa" = arm-linux-gnueabi ] || geometry=shadow,addr_bits=64,regs=32,pc_align_bits=1
  # Recursion and printing; code that is written anew, signals, threads.
  for program in events/programs/quicksort.c scripts/odd_program.c; do
    # A library for static programs may be missing.
    "$isa-gcc" -O2 -static -w -o captured "$SOURCE/tests/$program" -lpthread 2>err || continue
    expect 0 "$SOURCE/scripts/capture" --root / --limit 300000 -o captured.oct -- ./captured
    expect 0 "$BUILD/sim/octrace-lockstep" --tracer shadow -g "$geometry" --arrival cpi=3 --stall 100 captured.oct
    contains out 'decoded from the pins: [1-9][0-9]\{3,\} instructions equal'
    expect 0 "$BUILD/sim/octrace-lockstep" --tracer shadow -g "$geometry" --limit 100000 captured.oct
    n=$((n + 1))
  done
done
[ "$n" -gt 0 ] || exit 77
