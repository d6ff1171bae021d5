#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cache-traces.sh - does scripts/study cache-traces measure what its table says?
. "$(dirname "$0")/../tools/lib.sh"

script=$SOURCE/scripts/tables/cache-traces
export OCTRACE
expect 0 "$script" --help
contains out '^usage: scripts/study cache-traces'
expect 1 "$script" --frob
contains err "unknown option '--frob'"
mkdir suite
# Where the rows cannot go is told before any work, and nothing is made there.
ln -s nothing link
for where in suite link none/rows ''; do
  expect 1 "$script" --csv "$where"
  contains err "^cache-traces: --csv "
done
[ ! -e nothing ] && [ -z "$(ls suite)" ] || die "rows went somewhere"
rm link
expect 1 "$script" --suite suite
contains err 'no traces'
cp "$SOURCE/traces/samples/ghostscript.oct" "$SOURCE/traces/samples/sha1.oct" suite
expect 0 "$script" --suite suite --limit 900000 --csv rows.csv
contains out '^| ghostscript | [0-9]* |'
contains out '^| all as one | [0-9]* |'
contains err 'cache-traces: sha1: only [0-9]* misses (blocks)'

# One row by hand.
"$OCTRACE" filter --to blocks --limit 900000 suite/ghostscript.oct raw 2>err
n=$(($(wc -c <raw) / 8))
contains rows.csv "^ghostscript,blocks,$n,xz -6,$(xz -6 -c raw | wc -c)\$"
bits=$(xz -6 -c raw | wc -c | awk -v n="$n" '{ printf "%.2f", 8 * $1 / n }')
contains out "^| ghostscript | $n | $bits |"
"$OCTRACE" compress --codec bytesort --input addresses -o bytesort raw 2>err
contains rows.csv "^ghostscript,blocks,$n,bytesort + bzip2,$(wc -c <bytesort)\$"
