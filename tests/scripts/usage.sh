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

# The two commands of the README refuse what they do not know.
expect 2 sh "$SOURCE/scripts/demo" --quick
[ "$(cat err)" = "demo: it takes no arguments, found '--quick'" ] || die "$(cat err)"
expect 2 sh "$SOURCE/scripts/test" --quick
[ "$(cat err)" = "test: unknown argument '--quick' (see --help)" ] || die "$(cat err)"

# Packages are not installed anywhere before all is there.
expect 0 sh "$SOURCE/scripts/check-packages" --help
contains out '^usage: scripts/check-packages'
expect 2 sh "$SOURCE/scripts/check-packages" --quick
expect 1 sh "$SOURCE/scripts/check-packages" .
contains err 'expected .deb files: run scripts/release'

# What is interrupted leaves no temporary files: a shell runs what it has for its end only where a signal is caught.
for script in $(grep -lE "^ *trap '.*' EXIT" "$SOURCE"/scripts/* "$SOURCE"/sim/* "$SOURCE"/sim/systemc/* 2>err); do
  grep -q "trap 'exit 1' HUP INT TERM" "$script" || die "$script leaves its temporary files where it is interrupted"
done
