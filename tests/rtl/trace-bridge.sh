#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# trace-bridge.sh [RTL] - a trace bus that goes to another clock, slower, equal and faster, through FIFOs and rows of several lengths.
set -eu
rtl=${1:-$(dirname "$0")/../../rtl}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seed=${OCT_TEST_SEED:-$(date +%s)}
echo "OCT_TEST_SEED=$seed"
for of in '2 2' '4 3' '8 2' '16 4'; do
  depth=${of% *} stages=${of#* }
  iverilog -g2012 -Wall -Wno-timescale -DOCT_ATB_CHECK -DOCT_METASTABLE=1 -Ptrace_bridge.DEPTH="$depth" -Ptrace_bridge.STAGES="$stages" -o "$work/test" -s trace_bridge \
    "$here/trace_bridge.v" "$rtl/common/oct_atb_cross.v" "$rtl/common/oct_async_fifo.v" "$rtl/common/oct_sync.v" \
    "$rtl/common/oct_atb_check.v" "$rtl/common/oct_reset_sync.v"
  for period in 3 7 10 13 41; do
    vvp -n "$work/test" +seed="$((seed % 1000000 + period))" +period=$period | tee "$work/out"
    grep -q '^fine: ' "$work/out"
    ! grep -qi error "$work/out"
  done
done
