#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# reproduce-paper.sh - does scripts/study reproduce-paper print the tables of all traces that can be read, and
# say which cannot?
. "$(dirname "$0")/../tools/lib.sh"

script=$SOURCE/scripts/tables/reproduce-paper
export OCTRACE
expect 0 "$script" --help
contains out '^usage: scripts/study reproduce-paper'
expect 1 "$script" --frob
contains err "unknown option '--frob'"
expect 1 "$script" --suite none
expect 1 "$script" --limit 1k
contains err "^reproduce-paper: --limit '1k': expected a number"
mkdir suite bad
expect 1 "$script" --suite suite --work work
contains err 'no traces'

# run FOLDER: the tables of its traces.
run() {
  "$script" --suite "$1" --work work --limit 30000 --cycle-limit 3000
}
cp "$SOURCE/traces/samples/cjpeg.oct" "$SOURCE/traces/samples/sha1.oct" suite
expect 0 run suite
mv out whole
# A row of each program in each table, with the paper's number beside ours.
for text in '^| cjpeg (cjpeg) | 30,000 (104,607,812) | [0-9]* (1,636) | [0-9]* (239) | [0-9.]* (10.89) |$' \
  '^| sha1 (sha) | 30,000 (140,885,982) |' '^| cjpeg | [0-9.]* (47.98) | [0-9.]* (147.56) |.*(341.96) |$' \
  '^| sha1 | [0-9.]* (69.24) | [0-9.]* (440.35) |' '^| TOTAL | [0-9.]* (54.14) |' \
  '^| cjpeg | [0-9.]* (3.35) |.* (7.11) |.* (18.20) |$' '^| sha1 | [0-9.]* (6.58) |' \
  '^| TOTAL | [0-9.]* (1.66) |' '^| all | 7626 (7629) |$' '^| sha1 | full | [0-9]* (2) | [0-9]* (8) |' \
  'per instruction: [0-9.]* (0.25)$' 'per instruction: [0-9.]* (0.26), and [0-9.]* (0.40) of DASC 256$'; do
  contains whole "$text"
done
[ "$(grep -c '^| 128 | .* (.* (.* (.* (' whole)" -eq 2 ] || die "Table 2 lacks a row"
[ "$(grep -cE '^- (holds|DOES NOT HOLD): ' whole)" -eq 7 ] || die "not all trends"

# Among many that cannot be read, the others are reported just as without them.
mkdir suite/folder.oct
head -c 3000 "$SOURCE/traces/samples/lame.oct" >suite/lame.oct
ln -s nowhere suite/link.oct
expect 4 run suite
for name in folder lame link; do
  [ "$(grep -c "^reproduce-paper: left out: .*/$name.oct: " err)" -eq 1 ] || die "$(cat err)"
done
contains out '2 programs (left out, not readable: folder, lame, link) (not there: djpeg, tiff2bw, '
sed 1d out >rest
sed 1d whole | cmp - rest || die "other tables"
# None at all.
mv suite/lame.oct bad
expect 1 run bad
contains err 'no trace can be read'
[ ! -s out ] || die "tables of nothing"
# Mended, and started again: only what is new is run.
rm -r suite/folder.oct suite/link.oct
cp "$SOURCE/traces/samples/lame.oct" suite
expect 0 run suite
contains err '68 of 102 rows were in '
contains out '^| lame | [0-9.]* (100.68) |'
