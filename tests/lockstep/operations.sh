#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# operations.sh - is the Verilog of `shadow` its model on random programs, and do these meet each part of the
# operations of their instruction set? $1: lockstep; $2: for how many cycles.
. "$(dirname "$0")/../tools/lib.sh"

# met CYCLES: all parts were met, in equal cycles.
met() {
  expect 0 "$1" --random "$2"
  cat out
  contains out 'equal$'
  awk '/^parts of operations/ { n = $9; of = $11; sub(/,.*/, "", of) } END { exit !(n && n == of) }' out
}

met "$1" "$2" || die 'a part of the operations was not met'
! met "$1" 3000 || die 'a run of so few cycles cannot have met all parts of operations'
