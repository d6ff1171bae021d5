#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# inject-faults.sh - scripts/inject-faults takes every tracer without a geometry, and sums up nothing where
# nothing was counted.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD"
isa=$SOURCE/traces/samples/isa
for pair in paper:arm shadow:arm raw:arm etrace:riscv64 ntrace:riscv64 intel-pt:x86-64 etmv4:aarch64 replay:riscv64; do
  trace=$isa/${pair#*:}.oct
  [ -f "$trace" ] || trace=$SOURCE/traces/samples/cjpeg.oct
  expect 0 "$SOURCE/scripts/inject-faults" --tracer "${pair%:*}" --limit 300 "$trace"
  grep -Eq '^[1-9][0-9]* events, ' out || { cat out err >&2; die "$pair: nothing was counted"; }
done
expect 1 "$SOURCE/scripts/inject-faults" --tracer shadow --geometry no_such=1 --limit 300 "$isa/riscv64.oct"
[ ! -s out ] || die "a summary of nothing: $(cat out)"
[ "$(wc -l <err)" -eq 1 ] || die "not one line: $(cat err)"
