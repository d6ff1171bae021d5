#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# atb-check.sh RTL - does each assertion of oct_atb_check see its rule broken, and none of them a bus that keeps the rules?
set -eu
rtl=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seed=${OCT_TEST_SEED:-$(date +%s)}
echo "OCT_TEST_SEED=$seed"
iverilog -g2012 -DOCT_ATB_CHECK -Wno-timescale -o "$work/test" -s atb_check "$here/atb_check.v" "$rtl/common/oct_atb_check.v"

# fired N: how many assertions failed in this case, which has to end.
fired() {
  vvp -n "$work/test" +case="$1" +seed="$((seed % 1000000))" >"$work/out" 2>&1 || true
  grep -q '^done$' "$work/out" || {
    echo "case $1 does not end: $(cat "$work/out")" >&2
    return 1
  }
  grep -c 'oct_atb_check.v:[0-9]*: ' "$work/out" || true
}
n=$(fired 0)
[ "$n" -eq 0 ] || { echo "a bus that keeps the rules breaks one: $(cat "$work/out")" >&2; exit 1; }
lines=
for rule in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
  n=$(fired "$rule")
  wanted=1
  [ "$rule" -ne 15 ] || wanted=2 # the request goes, and so does the answer
  [ "$n" -eq "$wanted" ] || { echo "case $rule: $n assertions failed: expected $wanted" >&2; exit 1; }
  lines="$lines $(sed -n 's/.*oct_atb_check.v:\([0-9]*\): .*/\1/p' "$work/out")"
done
# The place of each assertion has been met.
# shellcheck disable=SC2086 # a list of numbers
met=$(printf '%s\n' $lines | sort -un | wc -l)
there=$(sed '/^`ifdef FORMAL/,$d' "$rtl/common/oct_atb_check.v" | grep -c 'assert (')
[ "$met" -eq "$there" ] || { echo "$met of $there assertions failed once" >&2; exit 1; }
