#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# four_states.sh - does a simulator that knows unknown values, Icarus, get the bytes that Verilator and the C model get? It runs
# the system of sim/soc with random RVFI streams: traps, stamps, flushes, filters that choose nothing, each receiver. Nothing unknown may leave.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
seed=${OCT_TEST_SEED:-$(date +%s)}
echo "seed $seed"
mkdir want
# GEOMETRY SINK CHANNELS XLEN INSNS FLUSH: the machine has all the room that there is, and then little of it.
for setup in 'paper,traps=1,timestamp=1,time_source=1,time_period_insns=20,port_pins=32,data_fifo_depth=64,stream_fifo_depth=64,out_fifo_bytes=4096 pins 2 32 3000 0' \
  'tiny,traps=1,filters=2,timestamp=2 ram 1 64 3000 500' \
  'shadow,traps=1,timestamp=1,time_period_insns=7,filters=1,port_pins=8 pins 1 32 600 300' \
  'shadow-tiny,traps=1,timestamp=1,time_source=1,retire_width=2 frames 2 64 400 0' \
  'paper,traps=1,port_pins=32 axis 2 32 2000 400'; do
  # shellcheck disable=SC2086 # six words
  set -- $setup
  geometry=$1 sink=$2 channels=$3 xlen=$4 n_insns=$5 flush=$6
  case $geometry in
    shadow*) tracer=shadow module=oct_shadow_compressor macros=-DOCT_WORDS own=,regs=32 ;;
    *) tracer=paper module=oct_compressor macros='' own='' ;;
  esac
  case $sink in
    pins) number=0 ;;
    ram) number=1 ;;
    frames) number=2 ;;
    *) number=3 ;;
  esac
  python3 "$SOURCE/sim/soc/rvfi_stream.py" "$channels" "$n_insns" "$seed" --xlen "$xlen" --traps --rate 0.1 >stream
  # Events may be lost: what counts is that the bytes are the same.
  code=0
  "$SOURCE/scripts/soc" --streams --channels "$channels" --xlen "$xlen" --sink "$sink" --flush "$flush" --tracer $tracer -g "$geometry" --bytes want \
    stream >out 2>err || code=$?
  [ $code -eq 0 ] || [ $code -eq 3 ] || die "$setup: $(cat out err)"
  machine=$geometry,addr_bits=$xlen,pc_align_bits=1$own
  expect 0 "$BUILD/tools/oct_gen_verilog" --verilator-args --tracer $tracer --module "$SOURCE/rtl/$tracer/$module.v" "$machine"
  parameters=$(sed "s/-G\([A-Z0-9_]*\)=\([0-9]*\)/.\1(32'd\2)/g; s/ /,/g" out)
  expect 0 "$BUILD/tools/oct_gen_verilog" --verilator-args --tracer $tracer --module "$SOURCE/tests/lockstep/oct_soc_tb.v" --set XLEN=ADDR_BITS \
    --set "SINK=$number" --set "CHANNELS=$channels" "$machine"
  bench=$(sed 's/-G/-Poct_soc_tb./g' out)
  # shellcheck disable=SC2086 # lists of options
  iverilog -g2012 -s oct_soc_tb $bench $macros "-DOCT_XLEN=$xlen" -DOCT_COMPRESSOR=$module "-DOCT_PARAMETERS=$parameters" -o simulation \
    -I"$SOURCE/rtl/common" -I"$SOURCE/rtl/paper" -I"$SOURCE/rtl/shadow" -y "$SOURCE/rtl/common" -y "$SOURCE/rtl/paper" -y "$SOURCE/rtl/shadow" \
    "$SOURCE/tests/lockstep/oct_soc_tb.v" "$SOURCE/sim/soc/oct_soc.v" "$SOURCE/sim/soc/oct_soc_debug.v" "$SOURCE/sim/soc/cores/player/oct_soc_core.v" >log 2>&1 || die "$setup: $(cat log)"
  vvp simulation +stream=stream +bytes=got "+flush=$flush" >log 2>&1 || die "$setup: $(cat log)"
  contains log '^fine: [0-9]* cycles$'
  [ -s got ] || die "$setup: no bytes"
  cmp want/stream got || die "$setup: other bytes than Verilator's"
done
