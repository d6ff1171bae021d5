#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# debug-bus.sh [RTL] - the debugger's registers behind a clock of their own, slower, equal and faster, and crossed by chains of two to four flip-flops.
set -eu
rtl=${1:-$(dirname "$0")/../../rtl}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seed=${OCT_TEST_SEED:-$(date +%s)}
echo "OCT_TEST_SEED=$seed"
for stages in 2 3 4; do
  iverilog -g2005 -Wall -Wno-timescale -DOCT_METASTABLE=1 -Pdebug_bus.STAGES=$stages -o "$work/test" -I "$rtl/common" -I "$rtl/paper" -s debug_bus "$here/debug_bus.v" \
    "$rtl/common/oct_apb_cross.v" "$rtl/common/oct_sync.v" "$rtl/common/oct_coresight.v" "$rtl/common/oct_reset_sync.v" "$rtl/paper/oct_regs.v"
  for period in 3 7 10 13 41; do
    vvp -n "$work/test" +seed="$((seed % 1000000 + period))" +period=$period | tee "$work/out"
    grep -q '^fine: ' "$work/out"
  done
done
