#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shadow_traps.sh - is the Verilog of `shadow` its model on a trace with traps, slowly and at one instruction
# a cycle, and do the pins give each of them back? $1: lockstep for RV64 with traps=1. The traps are put into
# the log of a core that had none: after every few instructions an exception, a timer's interrupt, or both.
. "$(dirname "$0")/../tools/lib.sh"

xz -dc "$SAMPLES/foreign/riscv64.spike.xz" | awk '
  { print }
  $3 ~ /^[0-9]$/ && ++n % 5 == 0 {
    if (n % 3 == 0) printf "core   0: exception interrupt #7, epc %s\n", $4
    if (n % 2 == 0) printf "core   0: exception trap_load_page_fault, epc %s\ncore   0:           tval 0x%016x\n", $4, n * 4096
    if (n % 7 == 0) print "core   0: exception trap_machine_ecall, epc 0x0000000000010124"
  }' >traps.log
for arrival in cpi=9 full; do
  expect 0 "$1" --arrival $arrival --stall 100 traps.log
  cat out
done
contains out 'equal'
