#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lint.sh - is the Verilog clean, with Verilator, Icarus Verilog and Yosys?
# Usage: scripts/hw lint GEOMETRY...         no warning, no loop, no latch at these geometries
#        scripts/hw lint --illegal [TOOL...] illegal parameters stop the tool with a message that
#                                             names the parameter; TOOL: verilator iverilog yosys
#        scripts/hw lint --legal             Verilator takes both ends of each parameter's range
#        scripts/hw lint --fpga              the first, of synth/oct_fpga.v and synth/oct_system.v
#        scripts/hw lint --shadow GEOMETRY... the first, of each module of shadow/ by itself
#        scripts/hw lint --common            the first, of each module of common/ by itself, as it stands
#        scripts/hw lint --files             octrace.f and octrace.core list each file of rtl/ but the checker
# OCT_GEN_VERILOG: the generator (build/tools/oct_gen_verilog).
set -eu

[ "${1-}" != --help ] || { sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0; }
cd "$(dirname "$0")/../.."
generator=$(realpath -m "${OCT_GEN_VERILOG-build/tools/oct_gen_verilog}")
cd rtl
top=oct_top
around= # a file around oct_top
list=octrace.f
sources=$(grep '\.v$' $list | tr '\n' ' ')
log=$(mktemp)
trap 'rm -f "$log" "$log.vvp" "$log.f"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
  echo "hw lint: $*" >&2
  status=1
}

# Of a wrong command line.
refuse() {
  echo "hw lint: $* (see scripts/hw lint --help)" >&2
  exit 2
}

need() {
  for tool in "$@"; do
    command -v "$tool" >/dev/null || {
      echo "hw lint: $tool is missing: scripts/setup $tool" >&2
      exit 1
    }
  done
}

# elaborate TOOL NAME=VALUE... - what the tool says goes to the log; false when it refuses.
elaborate() {
  with=$1
  shift
  case $with in
    verilator)
      for setting in "$@"; do set -- "$@" "-G$setting" && shift; done
      verilator --lint-only -Wall --top-module $top "$@" -f "$list" $around
      ;;
    iverilog)
      for setting in "$@"; do set -- "$@" "-P$top.$setting" && shift; done
      # It sets the mode of its output file: /dev/null would be closed to all other users.
      iverilog -g2005 -Wall -o "$log.vvp" -s $top "$@" -c "$list" $around
      ;;
    yosys)
      chparam=
      for setting in "$@"; do chparam="$chparam -set ${setting%%=*} ${setting#*=}"; done
      yosys -q -p "read_verilog -Icommon -Ipaper -Ishadow $sources $around; chparam $chparam $top;
        hierarchy -check -top $top; proc; flatten; check -assert;
        select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr"
      ;;
  esac >"$log" 2>&1
}

lint_geometry() {
  # shellcheck disable=SC2086 # a list of options
  settings=$("$generator" --verilator-args ${2-} "$1") || exit 2
  settings=$(echo "$settings" | tr ' ' '\n' | sed 's/^-G//')
  for tool in verilator iverilog yosys; do
    # shellcheck disable=SC2086 # a list of settings
    elaborate $tool $settings && [ ! -s "$log" ] && continue
    fail "$top, $1: $tool finds fault"
    cat "$log" >&2
  done
}

# Parameters that are none of the tracer's are set as the twin tests of the module set them.
lint_shadow() {
  for file in shadow/*.v; do
    top=$(basename "$file" .v)
    for test in ../tests/twin/"$top"*.cpp; do
      sets=
      [ ! -f "$test" ] || sets=$(sed -n 's|^// verilate: ||p' "$test" | xargs -r -n 1 echo --set)
      case $top in
        oct_shadow_streak) sets="--set CONTEXTS=10" ;;
        oct_shadow_three) sets="--set WIDTH=13" ;;
        oct_shadow_delay) sets="--set WIDTH=8 --set CYCLES=8" ;;
        oct_shadow_regs) sets="--set ORIGIN_BITS=12" ;;
        oct_shadow_adds_up | oct_shadow_plus_one | oct_shadow_shift) sets="--set WIDTH=32" ;;
        oct_shadow_traps)
          lint_geometry "$1" "--tracer shadow --module $file --set ISA=1"
          sets="--set ISA=0"
          ;;
      esac
      lint_geometry "$1" "--tracer shadow --module $file $sets"
    done
  done
}

# Each module alone, so that no other module hides what it needs.
lint_common() {
  list=$log.f
  { echo +incdir+common && ls common/*.v; } >"$list"
  sources=$(ls common/*.v | tr '\n' ' ')
  for file in $sources; do
    top=$(basename "$file" .v)
    [ "$top" != oct_atb_check ] || continue # its body is for proofs and simulation alone
    for tool in verilator iverilog yosys; do
      elaborate $tool && [ ! -s "$log" ] && continue
      fail "$top: $tool finds fault"
      cat "$log" >&2
    done
  done
}

# lint_illegal TOP SETTINGS TOOL...: of the tracer with this top, what the generator prints as SETTINGS.
lint_illegal() {
  top=$1
  what=$2
  shift 2
  count=0
  "$generator" "$what" >"$log.settings"
  while read -r name settings; do
    for tool in "$@"; do
      # shellcheck disable=SC2086 # a list of settings
      if elaborate "$tool" $settings; then
        fail "$top: $tool accepts $settings"
      elif ! grep -q "oct_illegal_${name}_expected_" "$log"; then
        fail "$top: $tool refuses $settings without naming $name:"
        head -n 5 "$log" >&2
      fi
      count=$((count + 1))
    done
  done <"$log.settings"
  rm -f "$log.settings"
  [ "$count" -gt 0 ] || fail "the generator knows no illegal settings of $top"
  echo "hw lint: $top: $count illegal settings refused by $*"
}

# lint_legal TOP SETTINGS: likewise, what is to be taken without a warning.
lint_legal() {
  top=$1
  count=0
  "$generator" "$2" >"$log.settings"
  while read -r settings; do
    # shellcheck disable=SC2046 # a list of settings
    elaborate verilator $(echo "$settings" | sed "s/=\([0-9]\{10\}\)\$/=32'd\1/") || {
      fail "$top: verilator refuses $settings:"
      head -n 5 "$log" >&2
    }
    count=$((count + 1))
  done <"$log.settings"
  rm -f "$log.settings"
  [ "$count" -gt 0 ] || fail "the generator knows no legal settings of $top"
  echo "hw lint: $top: $count legal settings taken"
}

lint_files() {
  for file in common/*.v common/*.vh paper/*.v paper/*.vh shadow/*.v shadow/*.vh; do
    case $file in
      common/oct_atb_check.v) # a checker is no part of a chip: who simulates adds it
        grep -l "$file" octrace.f ./*.core >"$log" && fail "$(tr '\n' ' ' <"$log")has the checker $file"
        continue
        ;;
      *.v) grep -qx "$file" octrace.f || fail "octrace.f: $file is missing" ;;
    esac
    grep -q "^ *- $file\$\|^ *- $file:" octrace.core || fail "octrace.core: $file is missing"
  done
  for file in $sources; do
    [ -f "$file" ] || fail "octrace.f: there is no $file"
  done
}

case ${1-}/$# in
  --shadow/1) refuse "--shadow: expected a geometry" ;;
  --legal/1 | --fpga/1 | --common/1 | --files/1) ;;
  --legal/* | --fpga/* | --common/* | --files/*) refuse "$1: it takes no arguments, found '$2'" ;;
esac
case ${1-} in
  --illegal | --legal | --fpga | --shadow | [!-]*) [ -x "$generator" ] || refuse "OCT_GEN_VERILOG: $generator is no program: scripts/build build" ;;
esac
status=0
case ${1-} in
  --illegal)
    shift
    for tool in "$@"; do
      case $tool in
        verilator | iverilog | yosys) ;;
        *) refuse "--illegal $tool: expected verilator, iverilog or yosys" ;;
      esac
    done
    [ $# -gt 0 ] || set -- verilator iverilog yosys
    need "$@"
    lint_illegal oct_top illegal "$@"
    lint_illegal oct_shadow_top shadow-illegal "$@"
    ;;
  --legal)
    need verilator
    lint_legal oct_top legal
    lint_legal oct_shadow_top shadow-legal
    ;;
  --fpga)
    need verilator iverilog yosys
    top=oct_fpga
    around=synth/oct_fpga.v
    lint_geometry small
    top=oct_system
    around=synth/oct_system.v
    lint_geometry paper
    for file in synth/*.v; do
      # shellcheck disable=SC2086 # a list
      iverilog -g2005 -Wall -Icommon -Ipaper -Ishadow -t null $sources "$file" >"$log" 2>&1 && [ ! -s "$log" ] && continue
      fail "$file: iverilog finds fault"
      cat "$log" >&2
    done
    ;;
  --shadow)
    shift
    need verilator iverilog yosys
    for geometry in "$@"; do lint_shadow "$geometry"; done
    ;;
  --common)
    need verilator iverilog yosys
    lint_common
    ;;
  --files) lint_files ;;
  "" | -*)
    sed -n 's/^# \{0,1\}//;4,12p' ../scripts/verilog/lint.sh >&2
    exit 2
    ;;
  *)
    need verilator iverilog yosys
    for geometry in "$@"; do lint_geometry "$geometry"; done
    ;;
esac
exit "$status"
