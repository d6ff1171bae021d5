#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# soc.sh - does a trace of what RVFI tells come back whole, from the pins, the RAM sink, its frames and an AXI4-Stream, flushed on the way or not, with one
# channel and two, with traps, with stamps of the core's time, of 32 and 64 bits, of a program that changes itself, as the maker of the streams lists it, and does a core that breaks the rules end the trace
# instead of making it wrong? Does a log of Spike, of RV64, come back as octrace reads it? Is nothing of a secure world in a
# trace?
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
seed=${OCT_TEST_SEED:-$(date +%s)}
echo "seed $seed"
mkdir got
for setup in '1 ram paper 20000 0 32' '1 frames paper,traps=1 5000 50 32' '2 pins paper,traps=1,timestamp=1,time_source=1,time_period_insns=30 20000 0 32' \
  '2 frames shadow,traps=1,timestamp=1,time_source=1,time_period_insns=9 2000 1000 32' \
  '2 axis paper,traps=1 10000 2000 64' '1 ram shadow,traps=1 2000 0 64'; do
  # shellcheck disable=SC2086 # six words
  set -- $setup
  channels=$1 sink=$2 tracer=${3%%,*} geometry=$3 n_insns=$4 flush=$5 xlen=$6 traps=
  [ "$geometry" = "$tracer" ] || traps=--traps
  halt=${traps:+--halt}
  # Nothing of a random program can be foretold: it needs all the room that there is.
  case $tracer in
    paper) roomy=port_pins=32,data_fifo_depth=64,stream_fifo_depth=64,out_fifo_bytes=4096 ;;
    *) traps="$traps --changes --rate 0.06" roomy=port_pins=32,gather_insns=1024,gather_accesses=1024,queue_words=4096,out_fifo_bytes=4096 ;;
  esac
  for n in 0 1 2; do
    # shellcheck disable=SC2086 # a list of options
    python3 "$SOURCE/sim/soc/rvfi_stream.py" "$channels" "$n_insns" $((seed + n)) --xlen "$xlen" $traps $halt --list "list-$n" >"good-$n"
  done
  for rule in odd access kind size gap fast; do
    # shellcheck disable=SC2086 # a list of options
    python3 "$SOURCE/sim/soc/rvfi_stream.py" "$channels" 2000 "$seed" --xlen "$xlen" $traps --break "$rule" >"bad-$rule"
  done
  mv bad-fast too-fast
  expect 4 "$SOURCE/scripts/soc" --streams --channels "$channels" --xlen "$xlen" --sink "$sink" --flush "$flush" --tracer "$tracer" -g "$geometry,$roomy" --list got good-? bad-* too-fast
  # A core that is too fast for the queue of the adapter loses some, in gaps, and goes on.
  sed '/^too-fast: /!d' out >fast
  contains fast ' [1-9][0-9]* instructions lost in the queue of the adapter; .*model and Verilog equal; decoded: [1-9]'
  sed -i '/^too-fast: /d' out
  [ "$(grep -c "model and Verilog equal; decoded: $n_insns instructions equal, 0 instructions and 0 accesses lost\$" out)" -eq 3 ] || die "$(cat out err)"
  # Each comes back up to the rule that is broken, 100 instructions before the end.
  before='the core breaks the rules of RVFI: the trace has the'
  [ "$(grep -c "^soc: bad-[a-z]*: $before [1-9][0-9]* instructions before that, and a gap behind them\$" err)" -eq 5 ] || die "$(cat out err)"
  [ "$(grep -c "$before 1\(89[0-9]\|900\) " err)" -eq 5 ] || die "$(cat err)"
  [ "$(wc -l <out)" -eq 3 ] || die "a line of a core that breaks the rules"
  for n in 0 1 2; do cmp "list-$n" "got/good-$n" || die "$*: not what the stream $n has"; done
  case $geometry in
    *time_source*) [ "$(grep -c ' traps equal; [1-9][0-9]* stamps equal; ' out)" -eq 3 ] || die "no stamps: $(cat out)" ;;
  esac
  [ -z "$traps" ] || grep -q '^t 0 ' got/good-0 || die "no exception in a stream with traps"
done

# A flush costs nothing while each instruction jumps, one every four cycles, and each stream has its cycles: the default buffers are enough. One every
# three cycles needs six places.
for setup in '4 2' '3 6'; do
  # shellcheck disable=SC2086 # two words
  set -- $setup
  awk -v cycles="$1" 'BEGIN {
    nothing = sprintf("%054d", 0)
    for (i = 0; i < 3000; i++) {
      print "00000000000000000000" "31" "0000a001" "00001000" "0000000000000000"
      for (k = 1; k < cycles; k++) print nothing
    }
    print substr(nothing, 1, 20) "02" substr(nothing, 1, 32)
  }' >jumps
  expect 0 "$SOURCE/scripts/soc" --streams --channels 1 --flush 101 -g "paper,timestamp=2,port_pins=32,stream_fifo_depth=$2" jumps
done

# A RAM that has wrapped, as a ring: what it holds comes back from the first sync on. Without a sync in it, or if all of
# the trace is wanted, that is said.
python3 "$SOURCE/sim/soc/rvfi_stream.py" 1 3000 "$seed" --traps --rate 0.06 >ringed
# Of frames, without a flush, the number of the one source comes again and again. What stands before the first in the ring, up to
# eight frames, is left out: 1784 bytes are the least.
for setup in 'paper,sync_period_bits=4000,traps=1,timestamp=1,time_source=1,time_period_insns=30 512 ram' 'shadow,sync_bits=3000,traps=1 512 ram' \
  'paper,sync_period_bits=4000,traps=1 512 frames' 'shadow,sync_bits=3000,traps=1 512 frames' 'paper,sync_period_bits=0,sync_period_insns=0 16 ram' \
  'paper,sync_period_bits=0,sync_period_insns=0 16 frames' 'paper,sync_period_bits=0,sync_period_insns=0 512 frames' 'shadow,sync_bits=0,sync_insns=0 512 frames'; do
  # shellcheck disable=SC2086 # three words
  set -- $setup
  geometry=$1 words=$2 sink=$3
  case $geometry in *_insns=0) wanted=1 ;; *) wanted=0 ;; esac
  expect $wanted "$SOURCE/scripts/soc" --streams --channels 1 --sink "$sink" --sink-words "$words" --tracer "${geometry%%,*}" -g "$geometry,port_pins=32" ringed
  if [ $wanted -eq 0 ]; then
    contains out '^ringed: 3000 instructions, .* the last \(1[789]\|20\)[0-9][0-9] bytes are kept; .*model and Verilog equal; decoded: [1-9][0-9]* instructions equal, 0 instructions and 0 accesses lost$'
  else
    # Of 16 words of frames none may have the number of the source: then nothing is known to be of the trace.
    one_line "soc: ringed: the [0-9]* bytes of the trace that the RAM sink holds have no whole sync: expected more --sink-words, or .*"
  fi
done

# A recorded stream: what octrace's own reader finds in the log is what the decoder gives back. Traps are put into it: interrupts, exceptions,
# and an exception of a handler's first instruction.
xz -dc "$SAMPLES/foreign/riscv64.spike.xz" | awk '
  { print }
  $3 ~ /^[0-9]$/ && ++n % 7 == 0 && n < 1400 {
    if (n % 2) printf "core   0: exception interrupt #7, epc %s\n", $4
    else printf "core   0: exception trap_load_%spage_fault, epc %s\ncore   0:           tval 0x%016x\n", n % 4 ? "" : "guest_", $4, n * 4096
    if (n % 3 == 0) print "core   0: exception trap_machine_ecall, epc 0x0000000000010124"
  }' >spike.log
python3 "$SOURCE/sim/soc/rvfi_spike.py" spike.log >spike
echo 'core   0: exception trap_of_no_kind, epc 0x0000000000010124' >unknown.log
expect 1 python3 "$SOURCE/sim/soc/rvfi_spike.py" unknown.log
one_line "rvfi_spike.py: line 1: expected the name of a trap of RISC-V behind 'exception': of_no_kind"
# Two traps in a row: the log does not tell the privilege of the first, which is 3 here as everywhere.
"$BUILD/tools/octrace" convert --from spike --to text spike.log - | awk '
  function hex(text) { sub(/^.*:/, "", text); sub(/^0+/, "", text); return text == "" ? "0" : text }
  /^!(exception|interrupt)/ { printf "t %d 3 %s %s %s\n", $1 == "!interrupt", $2, hex($3), $4 ~ /^V:/ ? hex($4) : 0 }
  /^[0-9a-f]/ {
    n = split($1, part, "/")
    print "i", hex(part[1]), (n > 1 ? part[2] : 4)
    for (i = 2; i <= NF; i++) if ($i ~ /^[LS]/) print tolower(substr($i, 1, 1)), hex($i)
  }' >list-spike
grep -q '^t 0 3 11 10124 0$' list-spike || die "no two traps in a row in the log"
for tracer in paper shadow; do
  expect 0 "$SOURCE/scripts/soc" --streams --channels 1 --xlen 64 --tracer $tracer -g $tracer,traps=1,port_pins=32 --list got spike
  contains out '^spike: 3000 instructions, .* traps equal; model and Verilog equal; decoded: 3000 instructions equal, 0 instructions and 0 accesses lost$'
  cmp list-spike got/spike || die "$tracer: not what octrace reads in the log of Spike"
done

# The core hangs behind an exception, whose handler does not begin: no cause of it is known, and a gap is the last of the trace. Or it halts
# there: the exception is the last.
hangs() {
  for i in $(seq 0 4 96); do
    printf '%020d31%08x%08x%016d\n' 0 0x13 $((0x1000 + i)) 0
    for _ in 1 2 3 4 5 6 7; do printf '%054d\n' 0; done
  done
  printf '%04x%08x%08x%s%08x%08x%016d\n' 2 0 0x1234 "$1" 0 0x1064 0
  printf '%020d02%032d\n' 0 0
}
hangs 35 >hangs
hangs 75 >halts
for tracer in paper shadow; do
  expect 3 "$SOURCE/scripts/soc" --streams --channels 1 --tracer $tracer -g $tracer,traps=1,port_pins=32 --list got hangs halts
  contains out '^hangs: 25 instructions, .* 1 trap lost; 0 traps equal; model and Verilog equal; decoded: 25 instructions equal, 0 instructions and 0 accesses lost$'
  contains out '^halts: 25 instructions, .*; 1 trap equal; model and Verilog equal; decoded: 25 instructions equal, 0 instructions and 0 accesses lost$'
  [ "$(tail -n 1 got/halts)" = 't 0 3 2 1064 1234' ] || die "$tracer: $(tail -n 1 got/halts)"
done

# An interrupt before the handler of an exception that is delegated: RVFI has no cause of the exception. A gap is in its place, which may cost
# some instructions, and it is told as lost.
cat >twice.log <<'end'
core   0: 0 0x0000000000001000 (0x00000013)
core   0: exception trap_user_ecall, epc 0x0000000000001004
core   0: exception interrupt #7, epc 0x0000000000002000
core   0: 3 0x0000000000003000 (0x00000013)
core   0: 3 0x0000000000003004 (0x30200073)
core   0: 1 0x0000000000002000 (0x00000013)
end
for i in $(seq 4 4 80); do printf 'core   0: 1 0x%016x (0x00000013)\n' $((0x2000 + i)); done >>twice.log
python3 "$SOURCE/sim/soc/rvfi_spike.py" twice.log >twice
for tracer in paper shadow; do
  expect 3 "$SOURCE/scripts/soc" --streams --channels 1 --xlen 64 --tracer $tracer -g $tracer,traps=1,port_pins=32 twice
  contains out '^twice: 24 instructions, .*; [12] traps\? lost; [12] traps\? equal; model and Verilog equal; decoded: \(1[0-9]\|2[0-4]\) instructions equal, [0-9]* instructions\? and 0 accesses lost$'
done

# A secure world, which may not be traced: the authentication signals close the gate of the adapter through oct_coresight. The trace has no
# instruction, access or trap of it, a gap in its place, and all else but what a gap costs.
for setup in 'paper traps=1,data_fifo_depth=64,stream_fifo_depth=64,out_fifo_bytes=4096 3 32 1' \
  'shadow traps=1,gather_insns=1024,gather_accesses=1024,queue_words=4096 1 64 1' 'paper traps=0 1 32 2'; do
  # shellcheck disable=SC2086 # five words
  set -- $setup
  python3 "$SOURCE/sim/soc/rvfi_stream.py" "$5" 2500 "$seed" --xlen "$4" --traps --rate 0.05 --secure "$3" --list list >secure
  expect 3 "$SOURCE/scripts/soc" --streams --channels "$5" --xlen "$4" --secure "$3" --tracer "$1" -g "$1,port_pins=32,$2" secure
  n=$(grep -c '^i' list)
  contains out "^secure: $n instructions, $(grep -c '^[ls]' list) accesses, .* [1-9][0-9]* instructions of the secure world left out; .*model and Verilog equal; "
  decoded=$(sed -n 's/.*decoded: \([0-9]*\) instructions equal, .*/\1/p' out)
  [ "$decoded" -ge $((n * 9 / 10)) ] || die "$setup: $(cat out)"
done

# A handler's first instruction that traps itself, then the secure world, then the core is back where it was before both: the first trap
# told a privilege, which holds no more. A cycle is cause, epc, tval, flags, word, pc, and no access.
awk 'function cycle(flags, pc, cause, epc, tval, k) {
  printf "%04x%08x%08x%02x%08x%08x%016x\n", cause, epc, tval, flags, 19, pc, 0
  for (k = 0; k < 6; k++) print nothing
}
BEGIN {
  nothing = sprintf("%054d", 0)
  cycle(1 + 3 * 16, 2304)                        # privilege 3 is secure
  for (i = 0; i < 8; i++) cycle(1, 4096 + 4 * i)
  cycle(1 + 4, 4128)                             # privilege 0: a fault, which is delegated to 1
  cycle(1 + 4 + 8 + 16, 8192, 13, 4128, 21845)   # there the first instruction faults, which 3 handles
  cycle(1 + 8 + 3 * 16, 12288, 1, 8192, 119)
  for (i = 1; i < 5; i++) cycle(1 + 3 * 16, 12288 + 4 * i)
  for (i = 0; i < 8; i++) cycle(1, 4128 + 4 * i) # back at 0
  print substr(nothing, 1, 20) "02" substr(nothing, 1, 32)
}' >back
for setup in 'paper 0 2 traps equal' 'shadow 3 1 trap lost; 1 trap equal'; do
  # shellcheck disable=SC2086 # words
  set -- $setup
  tracer=$1 wanted=$2
  shift 2
  expect "$wanted" "$SOURCE/scripts/soc" --streams --channels 1 --secure 3 --tracer "$tracer" -g "$tracer,traps=1,port_pins=32" back
  contains out "^back: 16 instructions, .* 6 instructions of the secure world left out; $*; model and Verilog equal; decoded: "
done

# refused CODE COMMAND...: it ends so, in one line of its own.
refused() {
  expect "$@"
  [ "$(grep -c '^soc: ' err)" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || { cat err >&2; die "not one line: $*"; }
}
refused 2 "$SOURCE/scripts/soc"
refused 2 "$SOURCE/scripts/soc" --streams
refused 2 "$SOURCE/scripts/soc" --streams --sink well good-0
refused 2 "$SOURCE/scripts/soc" --streams --sink ram --sink-words 1000 good-0
refused 2 "$SOURCE/scripts/soc" --streams --sink ram --sink-words 131072 good-0
refused 2 "$SOURCE/scripts/soc" --streams --sink-words 1024 good-0
refused 2 "$SOURCE/scripts/soc" --streams --flush now good-0
refused 2 "$SOURCE/scripts/soc" --streams --channels 3 good-0
refused 2 "$SOURCE/scripts/soc" --streams --secure 4 good-0
refused 2 "$SOURCE/scripts/soc" --streams --xlen 16 good-0
refused 2 "$SOURCE/scripts/soc" --streams --tracer raw good-0
# Streams of another width or number of channels, that are none, and without an end.
: >none-of-it
sed '3s/./x/' good-0 >letter
sed '$d' good-0 >endless
yes "$(head -n 1 good-0)" | head -n 65537 >long
for stream in 'good-0 32 1' 'good-0 32 2' 'good-0 64 2' 'none-of-it 64 1' 'letter 64 1' 'endless 64 1' 'long 64 1'; do
  # shellcheck disable=SC2086 # three words
  set -- $stream
  refused 4 "$SOURCE/scripts/soc" --streams --xlen "$2" --channels "$3" "$1"
  contains err "^soc: $1:[0-9]*: expected "
done
tail -n 1 good-0 >nothing
refused 4 "$SOURCE/scripts/soc" --streams --xlen 64 --channels 1 nothing
contains err '^soc: nothing: the core has retired no instruction$'
mkdir 'a core'
refused 4 "$SOURCE/scripts/soc" --core 'a core'
refused 4 "$SOURCE/scripts/soc" --streams --description 'a core' good-0
refused 4 "$SOURCE/scripts/soc" --core none
refused 4 "$SOURCE/scripts/soc" --streams --list none good-0
refused 4 "$SOURCE/scripts/soc" --core . --description .
