#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# text-begin.sh - a text means the same behind a byte order mark, and with any characters in its
# comments.
. "$(dirname "$0")/lib.sh"
mark='\357\273\277'

tiny_trace 100 >t.txt
as_text t.txt >want

# same OPTION...: marked, the file `in` is the same trace as want; also from a pipe, and packed.
same() {
  { printf "$mark" && cat in; } >marked
  gzip -c marked >marked.gz
  for file in marked marked.gz; do
    "$OCTRACE" convert "$@" --to text "$file" - | grep -v '^#' | cmp - want || die "a mark in $file: $*"
  done
  "$OCTRACE" convert "$@" --to text - - <marked | grep -v '^#' | cmp - want || die "a mark in a pipe: $*"
}

cp t.txt in
same
same --from text
sed 's/$/\r/' t.txt >in # as Windows ends lines
same
expect 0 "$OCTRACE" info marked
contains out '^format  *text$'
{ echo '# für 10 µs' && cat t.txt; } >in
same
# Positions are those of the file.
printf "$mark"'8000\nx\n' >bad
refuse 4 "$OCTRACE" info bad
contains err "^octrace: bad:2: expected a hexadecimal address, found 'x'$"
printf "$mark" >only-mark
refuse 4 "$OCTRACE" info only-mark
contains err '^octrace: only-mark: offset 0: empty, expected a trace$'

# What the traced program prints in colour, or over itself, may stand among the lines.
{ printf '\033[32mdone \b\b\007\033[0m\n' && printf 'I  04000000,3\n L 04001000,4\n'; } >in
expect 0 "$OCTRACE" info in
contains out '^format  *lackey$'

# Texts of other programs.
for sample in x86-64.lackey riscv64.spike aarch64.execlog aarch64.gem5 mips.din mips.xdin x86-64.pinatrace; do
  xz -dc "$SAMPLES/foreign/$sample.xz" >in
  as_text in >want
  same
done
xz -dc "$DATA/simplescalar.txt.xz" >in
as_text in >want
same
"$OCTRACE" convert --to da t.txt in
"$OCTRACE" convert --from da --to text in - | grep -v '^#' >want
same --from da
# Bytes that are a mark in a text are numbers in a list of numbers.
printf "$mark"'\0\004\0\0\0' >list
"$OCTRACE" convert --from pc32 --to text list - | grep -q '^00bfbbef$' || die "a number is no mark"

# UTF-16, as PowerShell writes it with >.
for order in LE BE; do
  case $order in LE) bom='\377\376' ;; *) bom='\376\377' ;; esac
  { printf "$bom" && iconv -f ASCII -t UTF-16$order t.txt; } >wide
  for options in '' '--format text' '--format lackey'; do
    # shellcheck disable=SC2086 # an option and its value
    refuse 4 "$OCTRACE" info $options wide
    contains err '^octrace: wide: offset 0: text in UTF-16, expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)$'
  done
done

# Function calls.
printf '1 a enter f\n2 a leave f\n' >calls
{ printf "$mark" && sed 's/$/\r/' calls; } >marked
{ printf '\377\376' && iconv -f ASCII -t UTF-16LE calls; } >wide
"$OCTRACE" events convert --as text calls -o want
"$OCTRACE" events convert --as text marked -o got
cmp got want || die "a mark in calls"
refuse 4 "$OCTRACE" events convert --as text wide -o got
contains err '^octrace: wide: offset 0: text in UTF-16'
