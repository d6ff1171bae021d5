#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# axi-sink.sh [RTL] - the trace bus into a memory on AXI4, with words, bursts and FIFOs of several sizes.
set -eu
rtl=${1:-$(dirname "$0")/../../rtl}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seed=${OCT_TEST_SEED:-$(date +%s)}
echo "OCT_TEST_SEED=$seed"
for of in '32 16 2' '64 8 1' '128 4 3' '32 2 1'; do
  # shellcheck disable=SC2086 # words
  set -- $of
  iverilog -g2012 -Wall -Wno-timescale -Paxi_sink.DATA_BITS="$1" -Paxi_sink.BURST_BEATS="$2" -Paxi_sink.FIFO_BURSTS="$3" \
    -o "$work/test" -s axi_sink "$here/axi_sink.v" "$rtl/common/oct_axi_sink.v" "$rtl/common/oct_fifo.v" "$rtl/common/oct_ram.v"
  vvp -n "$work/test" +seed="$((seed % 1000000 + $2))" | tee "$work/out"
  grep -q '^fine: ' "$work/out"
done
