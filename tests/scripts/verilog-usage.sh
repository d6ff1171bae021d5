#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# verilog-usage.sh - do the scripts of the Verilog refuse a wrong command line at once, in one line, and never succeed when they looked at nothing?
. "$(dirname "$0")/../tools/lib.sh"

# refused NAME TEXT [ARGUMENT...]: status 2 and one line that has TEXT, before anything else.
refused() {
  name=$1
  text=$2
  shift 2
  code=0
  # shellcheck disable=SC2086 # the name of a script, and of a part of it
  timeout 20 "$SOURCE/scripts/"$name "$@" >out 2>err </dev/null || code=$?
  [ "$code" -eq 2 ] || die "$name $*: status $code: $(cat err)"
  [ ! -s out ] || die "$name $*: $(cat out)"
  [ "$(wc -l <err)" -eq 1 ] || die "$name $*: not one line: $(cat err)"
  grep -qF -e "$name: " err && grep -qF -e "$text" err || die "$name $*: $(cat err)"
}

# Options with a number from 1.
while read -r part options; do
  for number in 0 x; do
    # shellcheck disable=SC2086 # a list of options
    refused "hw $part" "argument ${options##* }: " $options "$number"
  done
done <<END
prove --jobs
plant --jobs
plant --auto
operations --jobs
operations --seeds
operations --cycles
pairs --run --jobs
pairs --run --cycles
synth --jobs
area --jobs
power --insns
END
refused hw "expected lint, prove, plant, operations, pairs, cover, synth, area, power, check, record, not 'nonesuch'" nonesuch
refused 'hw prove' "argument --jobs: '-3' is not a number from 1" --jobs -3
refused 'hw prove' 'no paper/oct_top.v' --rtl none
refused 'hw prove' 'no paper/oct_top.v' --rtl .
refused 'hw prove' 'no proof is of such a module' --only nonesuch
refused 'hw prove' "unrecognized arguments: --nonesuch" --nonesuch
refused 'hw plant' 'there is no such fault' --only nonesuch
refused 'hw plant' 'there is no such file with a change' --auto 2 --only nonesuch
refused 'hw plant' 'none: no such file' --faults none
refused 'hw plant' '--copy /proc/copy: ' --copy /proc/copy --only oct_fifo
for part in plant operations pairs; do
  case $part in pairs) set -- --run ;; *) set -- ;; esac
  refused "hw $part" 'not a build folder' "$@" none
  refused "hw $part" 'not a build folder' "$@" .
done
[ ! -e none ] || die "a folder was made: $(ls none)"
refused 'hw pairs' 'expected K/N' --run --part 3/2
refused 'hw pairs' 'invalid choice' --tracer nonesuch
refused 'hw synth' 'nonesuch: there is no such module' --stage nonesuch
refused 'hw synth' 'nonesuch: there is no such module' --tree nonesuch
refused 'hw synth' 'none of the modules that are measured' --shadow --stage oct_top
refused 'hw power' 'none: no such file' none
refused 'hw power' 'argument --tracer: invalid choice' --tracer raw
refused 'hw cover' 'argument --only: invalid choice' --only nonesuch
refused 'hw lint' 'expected a geometry' --shadow
refused 'hw lint' "it takes no arguments, found 'more'" --files more
OCT_GEN_VERILOG=none refused 'hw lint' 'is no program' paper
OCT_GEN_VERILOG=/bin/true
export OCT_GEN_VERILOG
refused 'hw lint' 'expected verilator, iverilog or yosys' --illegal gcc

# Of a build folder gen-verilog needs the generator alone.
mkdir scripts
cp "$SOURCE/scripts/gen-verilog" scripts/gen-verilog
# shellcheck disable=SC2016 # of the script that is written
printf '#!/bin/sh\necho "$OCT_BUILD_TARGETS of $1" >built\nexit 7\n' >scripts/build
chmod +x scripts/build
code=0
env -u OCT_GEN_VERILOG scripts/gen-verilog --check >out 2>err || code=$?
[ "$code" -eq 7 ] || die "gen-verilog: status $code: $(cat err)"
[ "$(cat built)" = 'tools/oct_gen_verilog of build' ] || die "gen-verilog builds $(cat built)"
