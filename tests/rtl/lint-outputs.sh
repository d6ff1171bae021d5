#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lint-outputs.sh - does scripts/hw lint give any tool a device to write to? iverilog would set the
# device's mode, so scripts stand for the tools here.
. "$(dirname "$0")/../tools/lib.sh"

mkdir bin tmp
for tool in verilator iverilog yosys; do
  echo 'echo "${0##*/}" "$@" >>"$CALLS"' | sed '1i#!/bin/sh' >bin/$tool
  chmod +x bin/$tool
done
export CALLS="$work/calls" TMPDIR="$work/tmp"
for what in paper --fpga; do
  expect 0 env PATH="$work/bin:$PATH" "$SOURCE/scripts/hw" lint $what
done
[ "$(grep -c '^iverilog.* -s ' calls)" -eq 3 ] || die "iverilog was not called for each"
grep -n /dev/ calls && die "a tool was given a device"
[ -z "$(ls tmp)" ] || die "left behind: $(ls tmp)"
