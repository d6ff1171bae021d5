#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gen-verilog - does the generator give a geometry's parameters to each tool, and refuse bad ones?
set -eu

fail() {
  echo "FAIL: $*" >&2
  exit 1
}
expect() {
  want=$1
  shift
  have=$("$OCT_GEN_VERILOG" "$@") || fail "$*: exit code $?"
  [ "$have" = "$want" ] || fail "$*: '$have', expected '$want'"
}
refuse() {
  code=$1
  text=$2
  shift 2
  error=$("$OCT_GEN_VERILOG" "$@" 2>&1 >/dev/null) && fail "$*: accepted"
  "$OCT_GEN_VERILOG" "$@" >/dev/null 2>&1 || [ $? -eq "$code" ] || fail "$*: exit code, not $code"
  case $error in
    *"$text"*) ;;
    *) fail "$*: '$error' does not say '$text'" ;;
  esac
}

only=SC_SETS,PORT_PINS
expect '-GSC_SETS=16 -GPORT_PINS=3' --verilator-args --only $only odd
expect '-Poct_top.SC_SETS=16 -Poct_top.PORT_PINS=3' --iverilog-args --only $only odd
expect '-Poct_regs.SC_SETS=16' --iverilog-args --top oct_regs --only SC_SETS odd
expect '-set SC_SETS 16 -set PORT_PINS 9' --yosys-args --only $only odd,port_pins=9
expect '-GSYNC_PERIOD_INSNS=4294967295' --verilator-args --only SYNC_PERIOD_INSNS \
  sync_period_insns=4294967295
# SETS is no parameter's whole name.
refuse 1 "'SETS'" --verilator-args --only SETS paper
# Derived widths, docs/port-format.md section 1.
expect '-GINDEX_BITS=7 -GTHB_BITS=8 -GPAYLOAD_BITS=64 -GSYNC_ONES=72' \
  --verilator-args --only INDEX_BITS,THB_BITS,PAYLOAD_BITS,SYNC_ONES paper,ntuple_n=0
expect '-GINDEX_BITS=1 -GTUPLE_BITS=2 -GINSN_VALUE_BITS=16 -GDATA_N_BITS=5' \
  --verilator-args --only INDEX_BITS,TUPLE_BITS,INSN_VALUE_BITS,DATA_N_BITS tiny
[ "$("$OCT_GEN_VERILOG" --verilator-args paper | wc -w)" -eq 21 ] || fail "not all parameters"

# Widths that the model has too are compared on each call: over the corners of their terms.
for addr in 32 33 63 64; do
  for rest in pc_align_bits=3,sl_bits=16 sl_bits=1,ntuple_n=16 ntuple_n=1,thb_depth=1 \
    ntuple_n=16,sc_sets=1024,sc_ways=4 rep_pattern_bits=32,rep_count_bits=16 \
    rep_pattern_bits=32,rep_count_bits=0 task_bits=32,sc_sets=1,sc_ways=1 thb_depth=1023; do
    "$OCT_GEN_VERILOG" --yosys-args "addr_bits=$addr,$rest" >/dev/null || fail "$addr $rest"
  done
done

refuse 1 'port_pins=33' --verilator-args port_pins=33
refuse 1 "'nonesuch'" --verilator-args nonesuch
refuse 2 Usage --verilator-args
refuse 2 Usage nonsense
refuse 2 Usage --verilator-args --only
