#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gen-verilog RTL - does the generator give a geometry's parameters to each tool, and refuse bad ones?
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

# A module is given what it declares, derived widths too, or all when it has the whole list.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
module() {
  {
    printf '// m - takes a parameter SC_WAYS = 1 in no list\nmodule m #(\n'
    for name in "$@"; do echo "  parameter $name = 1,"; done
    printf '  localparam REST = 1\n) (\n  input wire a_i\n);\n  parameter LATE = 2;\nendmodule\n'
  } >"$folder/m.v"
}
module SC_SETS 'integer PORT_PINS'
expect '-GSC_SETS=16 -GPORT_PINS=3' --verilator-args --module "$folder/m.v" odd
expect '-set SC_SETS 16 -set PORT_PINS 9' --yosys-args --module "$folder/m.v" odd,port_pins=9
expect '-GSC_SETS=5 -GPORT_PINS=37' --verilator-args --module "$folder/m.v" --set SC_SETS=5 \
  --set PORT_PINS=THB_DEPTH odd
refuse 1 "'SETS'" --verilator-args --module "$folder/m.v" --set SC_SETS=SETS odd
refuse 1 'WAYS=5: the module has no' --verilator-args --module "$folder/m.v" --set WAYS=5 odd
module '[31:0] SYNC_PERIOD_INSNS'
expect '-GSYNC_PERIOD_INSNS=4294967295' --verilator-args --module "$folder/m.v" \
  sync_period_insns=4294967295
module SETS
refuse 1 "m.v: 'SETS'" --verilator-args --module "$folder/m.v" paper
refuse 1 'nonesuch.v: No such file' --verilator-args --module "$folder/nonesuch.v" paper
echo '// no module' >"$folder/m.v"
refuse 1 'expected a module' --verilator-args --module "$folder/m.v" paper
refuse 1 'expected a module' --verilator-args --module /dev/null paper
module INDEX_BITS TUPLE_BITS INSN_VALUE_BITS DATA_N_BITS
expect '-GINDEX_BITS=1 -GTUPLE_BITS=2 -GINSN_VALUE_BITS=16 -GDATA_N_BITS=5' --verilator-args \
  --module "$folder/m.v" tiny
all=$("$OCT_GEN_VERILOG" --verilator-args odd)
[ "$(echo "$all" | wc -w)" -eq "$(grep -c '^ *parameter' "$1/paper/oct_params.vh")" ] || fail "not all parameters: $all"
printf '// m\nmodule m #(\n`include "oct_params.vh"\n) (\n' >"$folder/m.v"
expect "$all" --verilator-args --module "$folder/m.v" odd
# The parameters that the model of shadow has alone are not in its header, and no argument.
all=$("$OCT_GEN_VERILOG" --verilator-args --tracer shadow shadow-tiny,traps=1)
[ "$(echo "$all" | wc -w)" -eq "$(grep -c '^ *parameter' "$1/shadow/oct_shadow_params.vh")" ] || fail "not all parameters: $all"
case $all in *-GBANKS=* | *-GLANES=* | *-GMATCH_ENTRIES=* | *-GDELAY_SLOTS=*) fail "of the model alone: $all" ;; esac
printf '// m\nmodule m #(\n`include "oct_shadow_params.vh"\n) (\n' >"$folder/m.v"
expect "$all" --verilator-args --tracer shadow --module "$folder/m.v" shadow-tiny,traps=1

# Its circuit has A32 with the widths of that instruction set alone; a module by itself, too. RISC-V may have others.
for odd in addr_bits=33 addr_bits=64 pc_align_bits=0 pc_align_bits=1 pc_align_bits=3; do
  for geometry in "shadow,$odd" "shadow-tiny,$odd" "shadow,$odd,regs=16"; do
    refuse 1 "$odd: expected" --verilator-args --tracer shadow "$geometry"
    refuse 1 'because 16 regs mean A32 and RISC_V has 32 regs' --yosys-args --tracer shadow --module "$folder/m.v" "$geometry"
  done
  "$OCT_GEN_VERILOG" --verilator-args --tracer shadow "shadow,$odd,regs=32" >"$folder/riscv" || fail "RISC-V with $odd refused"
  "$OCT_GEN_VERILOG" shadow-illegal | grep -q "^$(echo "${odd%%=*}" | tr a-z A-Z) REGS=16 " || fail "no illegal ${odd%%=*} of A32"
done
for end in 'ADDR_BITS=64 REGS=32' 'PC_ALIGN_BITS=0 REGS=32' 'PC_ALIGN_BITS=3 REGS=32'; do
  "$OCT_GEN_VERILOG" shadow-legal | grep -qx "$end" || fail "$end is none of the legal ends"
done

# Its derived widths.
module ISA N_BITS W QUEUE_BITS TRAP_BITS
expect '-GISA=0 -GN_BITS=6 -GW=36 -GQUEUE_BITS=8 -GTRAP_BITS=75' --verilator-args --tracer shadow --module "$folder/m.v" shadow
expect '-GISA=1 -GN_BITS=7 -GW=68 -GQUEUE_BITS=5 -GTRAP_BITS=149' --verilator-args --tracer shadow --module "$folder/m.v" \
  shadow,regs=32,addr_bits=64,gather_accesses=64,queue_words=16,cause_bits=16

# Corners of section 1 of docs/port-format.md: I, T, P, K, and the bits of a sync.
module INDEX_BITS THB_BITS PAYLOAD_BITS SYNC_ONES PACKET_BITS
while read -r geometry i t p k sync; do
  expect "-GINDEX_BITS=$i -GTHB_BITS=$t -GPAYLOAD_BITS=$p -GSYNC_ONES=$k -GPACKET_BITS=$sync" \
    --verilator-args --module "$folder/m.v" "$geometry"
done <<END
paper 7 8 64 72 138
paper,ntuple_n=0 7 8 64 72 138
pc_align_bits=3,sl_bits=16 7 8 64 72 138
addr_bits=33,sl_bits=1,ntuple_n=16 7 8 112 120 187
ntuple_n=1,thb_depth=1 7 1 64 72 138
addr_bits=64,ntuple_n=16,sc_sets=1024,sc_ways=4 12 8 192 200 298
addr_bits=63,rep_pattern_bits=32,rep_count_bits=16 7 8 126 136 233
addr_bits=64,task_bits=32,sc_sets=1,sc_ways=1 1 8 128 136 250
addr_bits=33,thb_depth=1023 7 10 66 80 147
END

# What the Verilog is to refuse (scripts/hw lint --illegal) the model refuses, by the same name.
for tracer in paper shadow; do
  what=illegal
  [ $tracer = paper ] || what=shadow-illegal
  illegal=$("$OCT_GEN_VERILOG" $what) || fail "$what: exit code $?"
  while read -r name settings; do
    refuse 1 "$(echo "$name" | tr A-Z a-z)=" --verilator-args --tracer $tracer "$(echo "$settings" | tr 'A-Z ' 'a-z,')"
  done <<END
$illegal
END
done
# The circuit of shadow does not take what the model has alone.
for settings in banks=2 lanes=2 match_entries=1 delay_slots=1; do
  refuse 1 "$settings: expected" --verilator-args --tracer shadow $settings
done

refuse 1 'port_pins=33' --verilator-args port_pins=33
refuse 1 "'nonesuch'" --verilator-args nonesuch
refuse 2 Usage --verilator-args
refuse 2 Usage nonsense
refuse 2 Usage --verilator-args --module

# The top of each tracer that has Verilog.
expect oct_top --top
expect oct_shadow_top --top --tracer shadow
refuse 1 '--tracer raw: it has no Verilog' --top --tracer raw
refuse 1 '--tracer raw: it has no Verilog' --verilator-args --tracer raw raw
refuse 2 Usage --top paper
