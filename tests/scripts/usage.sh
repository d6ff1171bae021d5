#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage.sh - do the experiments say what they are when asked, and do nothing else?
. "$(dirname "$0")/../tools/lib.sh"

expect 0 sh "$SOURCE/scripts/reproduce-events" --help
contains out 'Usage: scripts/reproduce-events \[FOLDER\]'
mv out help
expect 2 sh "$SOURCE/scripts/reproduce-events" -x
cmp help out
[ ! -s err ] || die "more than its usage"

# The two commands of the README take none.
for script in demo test; do
  expect 2 sh "$SOURCE/scripts/$script" --quick
  [ "$(cat err)" = "$script: it takes no arguments, found '--quick'" ] || die "$(cat err)"
done
