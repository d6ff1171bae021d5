#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# soc.sh - does a trace of what RVFI tells come back whole, from the pins, the RAM sink and its frames, flushed on the way or not, with one
# channel and two, with traps, as the maker of the streams lists it, and does a core that breaks the rules end the trace instead of making it wrong?
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
seed=${OCT_TEST_SEED:-$(date +%s)}
echo "seed $seed"
mkdir got
for setup in '1 ram paper 20000 0' '1 frames paper,traps=1 5000 50' '2 pins paper,traps=1 20000 0' '2 frames shadow,traps=1 2000 1000'; do
  # shellcheck disable=SC2086 # five words
  set -- $setup
  channels=$1 sink=$2 tracer=${3%%,*} geometry=$3 n_insns=$4 flush=$5 traps=
  [ "$geometry" = "$tracer" ] || traps=--traps
  # Nothing of a random program can be foretold: it needs all the room that there is.
  case $tracer in
    paper) roomy=port_pins=32,data_fifo_depth=64,stream_fifo_depth=64,out_fifo_bytes=4096 ;;
    *) traps="$traps --rate 0.06" roomy=port_pins=32,gather_insns=1024,gather_accesses=1024,queue_words=4096,out_fifo_bytes=4096 ;;
  esac
  for n in 0 1 2; do
    # shellcheck disable=SC2086 # a list of options
    python3 "$SOURCE/sim/soc/rvfi_stream.py" "$channels" "$n_insns" $((seed + n)) $traps --list "list-$n" >"good-$n"
  done
  for rule in odd access fast; do
    python3 "$SOURCE/sim/soc/rvfi_stream.py" "$channels" 2000 "$seed" --break "$rule" >"bad-$rule"
  done
  expect 4 "$SOURCE/scripts/soc" --streams --channels "$channels" --sink "$sink" --flush "$flush" --tracer "$tracer" -g "$geometry,$roomy" --list got good-? bad-*
  [ "$(grep -c "model and Verilog equal; decoded: $n_insns instructions equal, 0 instructions and 0 accesses lost\$" out)" -eq 3 ] || die "$(cat out err)"
  [ "$(grep -c ': the core breaks the rules of RVFI, or retires too fast$' err)" -eq 3 ] || die "$(cat out err)"
  [ "$(wc -l <out)" -eq 3 ] || die "a line of a core that breaks the rules"
  for n in 0 1 2; do cmp "list-$n" "got/good-$n" || die "$*: not what the stream $n has"; done
  [ -z "$traps" ] || grep -q '^t 0 ' got/good-0 || die "no exception in a stream with traps"
done

# refused CODE COMMAND...: it ends so, in one line of its own.
refused() {
  expect "$@"
  [ "$(grep -c '^soc: ' err)" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || { cat err >&2; die "not one line: $*"; }
}
refused 2 "$SOURCE/scripts/soc"
refused 2 "$SOURCE/scripts/soc" --streams
refused 2 "$SOURCE/scripts/soc" --streams --sink well good-0
refused 2 "$SOURCE/scripts/soc" --streams --flush now good-0
refused 2 "$SOURCE/scripts/soc" --streams --channels 3 good-0
refused 2 "$SOURCE/scripts/soc" --streams --tracer raw good-0
refused 4 "$SOURCE/scripts/soc" --core none
refused 4 "$SOURCE/scripts/soc" --streams --list none good-0
refused 4 "$SOURCE/scripts/soc" --core . --description .
