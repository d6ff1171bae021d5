#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# inject-faults.sh - scripts/study inject-faults takes every tracer without a geometry, sums up nothing where
# nothing was counted, and refuses in one line what it does not understand.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD"
isa=$SOURCE/traces/samples/isa
for pair in paper:arm shadow:arm raw:arm etrace:riscv64 ntrace:riscv64 intel-pt:x86-64 etmv4:aarch64 replay:riscv64; do
  trace=$isa/${pair#*:}.oct
  [ -f "$trace" ] || trace=$SOURCE/traces/samples/cjpeg.oct
  expect 0 "$SOURCE/scripts/study" inject-faults --tracer "${pair%:*}" --limit 300 "$trace"
  grep -Eq '^[1-9][0-9]* events, ' out || { cat out err >&2; die "$pair: nothing was counted"; }
done
expect 1 "$SOURCE/scripts/study" inject-faults --tracer shadow --geometry no_such=1 --limit 300 "$isa/riscv64.oct"
[ ! -s out ] || die "a summary of nothing: $(cat out)"
[ "$(wc -l <err)" -eq 1 ] || die "not one line: $(cat err)"

# refuse_faults STATUS COMMAND...: one line and nothing else.
refuse_faults() {
  expect "$@"
  [ ! -s out ] || die "$*: an output"
  [ "$(wc -l <err)" -eq 1 ] || die "$*: not one line: $(cat err)"
}
damage=$BUILD/tests/port/inject-faults
for number in x -1 3x '' 0x 18446744073709551616; do
  for option in --limit --seed; do
    refuse_faults 2 "$SOURCE/scripts/study" inject-faults "$option" "$number" "$isa/riscv64.oct"
  done
  for option in --limit --seed --cpi --flips --repeated; do
    refuse_faults 2 "$damage" "$option" "$number" paper sync_period_insns=50 "$isa/riscv64.oct"
  done
done
refuse_faults 2 "$damage" --flips 18446744073709551615 paper sync_period_insns=50 "$isa/riscv64.oct"
refuse_faults 2 "$damage"
refuse_faults 2 "$SOURCE/scripts/study" inject-faults --limit=300
refuse_faults 2 "$SOURCE/scripts/study" inject-faults --renew
refuse_faults 2 "$SOURCE/scripts/study" inject-faults --data out.csv "$isa/riscv64.oct"
