#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# table-shadow.sh - does scripts/study table-shadow print what the programs it names make of the traces?
. "$SOURCE/tests/tools/lib.sh"

mkdir traces empty
n=3000
for name in cjpeg sha1; do
  "$OCTRACE" convert --limit $n "$SOURCE/traces/samples/$name.oct" traces/$name.oct
done
expect 0 env OCT_BUILD="$BUILD" "$SOURCE/scripts/study" table-shadow traces
cp out table
contains table '^| 2 programs | I | D | all |$'

# figure ROW COLUMN: the number that stands there
figure() { awk -F ' [|] ' -v row="| $1" -v column="$2" '$1 == row { print $(column) }' table | tr -d ' |'; }

# mean NAME BITS BITS: of both programs, per instruction
mean() { awk -v a="$1" -v b="$2" -v n=$n 'BEGIN { printf "%.4f", (a + b) / n / 2 }'; }

for name in cjpeg sha1; do
  "$OCTRACE" convert --to pc32 traces/$name.oct $name.pc
  "$OCTRACE" convert --to da32 traces/$name.oct $name.da
  cat $name.pc $name.da >$name.both
done
bits() { echo $((8 * $($1 <"$2" | wc -c))); }
for packer in 'gzip -9' 'bzip2 -9' 'xz -6'; do
  column=2
  for kind in pc da both; do
    wanted=$(mean "$(bits "$packer" cjpeg.$kind)" "$(bits "$packer" sha1.$kind)")
    [ "$(figure "$packer" $column)" = "$wanted" ] || die "$packer, $kind: $(figure "$packer" $column), not $wanted"
    column=$((column + 1))
  done
done
port() { "$OCTRACE" compress --tracer "$1" --json -o x.octp "$2" | sed -n 's/^ *"port_bits_per_instruction": \([0-9.]*\).*/\1/p'; }
for tracer in shadow paper raw etmv4; do
  wanted=$(awk -v a="$(port $tracer traces/cjpeg.oct)" -v b="$(port $tracer traces/sha1.oct)" 'BEGIN { printf "%.4f", (a + b) / 2 }')
  [ "$(figure "\`$tracer\`" 4)" = "$wanted" ] || die "$tracer: $(figure "\`$tracer\`" 4), not $wanted"
done
# shellcheck disable=SC2016 # a name in Markdown
[ "$(figure '`etmv4`' 3)" = – ] || die "etmv4 carries data addresses"
grep -q ntrace table && die "ntrace takes ARM programs"

expect 0 env OCT_BUILD="$BUILD" "$SOURCE/scripts/study" table-shadow --limit 1000 traces
cmp -s out table && die "--limit changes nothing"
expect 1 env OCT_BUILD="$BUILD" "$SOURCE/scripts/study" table-shadow empty
contains err "no .*oct"
expect 1 "$SOURCE/scripts/study" table-shadow --limit
expect 1 "$SOURCE/scripts/study" table-shadow --oops
