#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# soc.sh - does a trace of what RVFI tells come back whole, from the pins and from the RAM sink, with one
# channel and two, and does a core that breaks the rules end the trace instead of making it wrong?
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
seed=${OCT_TEST_SEED:-$(date +%s)}
echo "seed $seed"
roomy=paper,port_pins=32,data_fifo_depth=64,stream_fifo_depth=64,out_fifo_bytes=4096
for setup in '1 ram' '2 pins'; do
  channels=${setup% *}
  sink=${setup#* }
  for n in 0 1 2; do
    python3 "$SOURCE/sim/soc/rvfi_stream.py" "$channels" 20000 $((seed + n)) >"good-$n"
  done
  for rule in odd access fast; do
    python3 "$SOURCE/sim/soc/rvfi_stream.py" "$channels" 2000 "$seed" "$rule" >"bad-$rule"
  done
  expect 4 "$SOURCE/scripts/soc" --streams --channels "$channels" --sink "$sink" -g "$roomy" good-? bad-*
  [ "$(grep -c 'decoded: 20000 instructions equal, 0 instructions and 0 accesses lost$' out)" -eq 3 ] || die "$(cat out err)"
  [ "$(grep -c ': the core breaks the rules of RVFI, or retires too fast$' err)" -eq 3 ] || die "$(cat out err)"
  [ "$(wc -l <out)" -eq 3 ] || die "a line of a core that breaks the rules"
done

# refused CODE COMMAND...: it ends so, in one line of its own.
refused() {
  expect "$@"
  [ "$(grep -c '^soc: ' err)" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || { cat err >&2; die "not one line: $*"; }
}
refused 2 "$SOURCE/scripts/soc"
refused 2 "$SOURCE/scripts/soc" --streams
refused 2 "$SOURCE/scripts/soc" --streams --sink well good-0
refused 2 "$SOURCE/scripts/soc" --streams --channels 3 good-0
refused 4 "$SOURCE/scripts/soc" --core none
refused 4 "$SOURCE/scripts/soc" --core . --description .
