#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# otf2.sh - an OTF2 archive with messages, metrics and attributes comes back from the compressed file.
. "$(dirname "$0")/../tools/lib.sh"

"$MAKE_OTF2" archive
expect 0 "$OCTRACE" events compress archive -o a.octev
contains out '^966 events and 606 other records'
expect 0 "$OCTRACE" events verify a.octev archive/traces.otf2
contains out 'equal: 966 events, 606 other records'
expect 0 "$OCTRACE" events decompress --to otf2 a.octev -o back
# The files of events are the same, byte for byte; definitions are by their number and what they say.
for file in archive/traces/*.evt; do
  cmp "$file" "back/traces/$(basename "$file")" || die "$file differs"
done
cmp archive/traces.def back/traces.def || die "definitions differ"
if command -v otf2-print >out; then
  for name in archive back; do
    otf2-print -A $name/traces.otf2 | grep -v '^Creator\|^Trace identifier' >$name.print
  done
  mv archive.print want
  mv back.print got
  cmp want got
  [ "$(wc -l <got)" -gt 1000 ] || die "otf2-print says too little"
  rm want got
fi

# Each file of the archive is an input.
for file in archive/traces.otf2 archive/traces.def "$(echo archive/traces/*.evt | cut -d ' ' -f 1)"; do
  cp "$file" before
  "$OCTRACE" events compress archive/traces.otf2 -o "$file" 2>err && die "$file was taken"
  contains err 'input and output are the same file'
  cmp before "$file" || die "$file was replaced"
done
rm before

# A record of every kind.
"$MAKE_OTF2" every every
expect 0 "$OCTRACE" events compress every -o every.octev
expect 0 "$OCTRACE" events verify every.octev every
expect 0 "$OCTRACE" events decompress --to otf2 every.octev -o every2
cmp every/traces/0.evt every2/traces/0.evt || die "a record of some kind differs"
cmp every/traces.def every2/traces.def || die "a definition of some kind differs"
[ "$("$OCTRACE" events convert every | grep -vc '^#')" -gt 80 ] || die "too few records of every kind"
rm -r every every2 every.octev

# Names are told apart, other records can be read, and a part is an archive of its own.
"$OCTRACE" events decompress a.octev -o a.txt
contains a.txt 'MPI\\sRank/Master\\sthread enter solve<int, 2>$'
contains a.txt 'enter solve<int, 2> #2$'
contains a.txt 'MpiSend 1 0 0 4096$'
contains a.txt 'Metric 0 1 4 0$'
expect 0 "$OCTRACE" events extract --thread 4294967297 --to otf2 a.octev -o part
expect 0 "$OCTRACE" events convert part -o part.txt
[ "$(grep -vc '^#' part.txt)" -eq 80 ] || die "part of a thread"

# From text: new definitions; what is not a call stays behind with a note.
printf '1 a enter f\n2 a note hello\n3 a leave f\n' >t.txt
expect 0 "$OCTRACE" events convert --to otf2 t.txt -o t
contains err 'other records that have no form in OTF2, which are left out: 1$'
expect 0 "$OCTRACE" events convert t
contains out '^3 a leave f$'
grep -v note t.txt >calls.txt
expect 0 "$OCTRACE" events compress calls.txt -o t.octev
expect 0 "$OCTRACE" events verify t.octev t
rm t.octev calls.txt

refuse 4 "$OCTRACE" events convert --to otf2 t.txt -o t
refuse 4 "$OCTRACE" events convert --to otf2 t.txt
printf 'nonsense' >bad.otf2
refuse 4 "$OCTRACE" events compress bad.otf2
# A count in the anchor file that its library would take memory for, and 8 seconds: 2^30 properties.
cp -r archive hostile
printf '\000\000\000\100' | dd of=hostile/traces.otf2 bs=1 seek=49 conv=notrunc 2>err
refuse 4 "$OCTRACE" events compress hostile -o cut.octev
contains err '^octrace: hostile: more properties than the anchor file has room for$'
cp -r archive cut
for file in cut/traces/*.evt; do head -c 200 "$file" >x && mv x "$file"; done
refuse 4 "$OCTRACE" events compress cut -o cut.octev
refuse 4 "$OCTRACE" events convert --to otf2 cut -o cut2
made=' a.octev a.txt archive back bad.otf2 cut hostile part part.txt t t.txt out err '
for name in *; do
  case $made in
    *" $name "*) ;;
    *) die "left behind: $name" ;;
  esac
done

# A file that may not grow stands in for a full disk. With this many events the library would go on
# to write what it has freed.
awk 'BEGIN { for (i = 0; i < 180000; i++) print 2 * i " a enter f\n" 2 * i + 1 " a leave f" }' >many.txt
(
  trap '' XFSZ
  ulimit -f 16
  exec "$OCTRACE" events convert --to otf2 many.txt -o full
) >out 2>err && die "a full disk is not told"
contains err '^octrace: full: cannot write the archive: File too large$'
[ "$(wc -l <err)" -eq 1 ] || die "a full disk: more than one line"
for left in full*; do
  [ ! -e "$left" ] || die "$left is left of an archive that was not written"
done
rm many.txt
