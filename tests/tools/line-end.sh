#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# line-end.sh - a text whose last line has no line end is read, and a note says that it may be cut
# off. There is none where all lines are whole, where the end is not reached, where an error tells of
# the line itself, and for formats that are no text.
. "$(dirname "$0")/lib.sh"
cut='octrace: note: in: the last line has no line end: the trace may be cut off'

tiny_trace 100 >t.txt
"$OCTRACE" convert --to text t.txt whole
printf '8000 L4:3000' | cat t.txt - >long
head -c -3 long >in # L4:3

# noted COMMAND...: the command reads `in`, and says so in this line alone.
noted() {
  expect 0 "$@"
  [ "$(grep -c . err)" -eq 1 ] || { cat err >&2; die "not one line: $*"; }
  grep -q -F -x "$cut" err || { cat err >&2; die "no note: $*"; }
}
# silent FILE COMMAND...: likewise, with nothing on standard error.
silent() {
  cp "$1" in
  shift
  expect 0 "$@"
  [ ! -s err ] || { cat err >&2; die "a note: $*"; }
}

noted "$OCTRACE" convert in out.oct
noted "$OCTRACE" convert --to text in -
grep -q 'L4:0*3$' out || die "the last line was not read"
for command in 'compress -o out.octp' 'compress --codec plain -o out.octc' info verify; do
  # shellcheck disable=SC2086 # words
  expect 0 "$OCTRACE" $command in
  [ "$(grep -c -F -x "$cut" err)" -eq 1 ] || { cat err >&2; die "no note, or more than one: $command"; }
done
expect 0 "$OCTRACE" filter --to text in -
contains err "^$cut\$"
"$OCTRACE" convert - out.oct <in 2>err || die "standard input"
contains err '^octrace: note: standard input: the last line has no line end: the trace may be cut off$'

# A line of more than the window of the input.
{ printf 8000 && awk 'BEGIN { for (i = 0; i < 6000; i++) printf " L4:%x", 4096 + 4 * i }'; } >long
cp long in
noted "$OCTRACE" convert in out.oct
echo >>long
silent long "$OCTRACE" convert in out.oct

for end in '\n' '\r\n' '\n\n' '\n# the end\n'; do
  { cat t.txt && printf '8000%b' "$end"; } >whole
  silent whole "$OCTRACE" convert in out.oct
done
"$OCTRACE" convert t.txt whole
silent whole "$OCTRACE" convert in out.oct
"$OCTRACE" convert --to bin32 t.txt whole
silent whole "$OCTRACE" convert --from bin32 in out.oct
printf '8000\n8004' >whole
silent whole "$OCTRACE" convert --limit 1 in out.oct
printf '8000\n8004 L4:' >in
refuse 4 "$OCTRACE" convert in out.oct
printf 'nothing' >in
refuse 4 "$OCTRACE" convert --from spike in out.oct
printf '8000' >in
refuse 4 "$OCTRACE" convert in missing/out.oct

# Texts of other programs.
for sample in x86-64.lackey riscv64.spike aarch64.execlog mips.din mips.xdin x86-64.pinatrace; do
  xz -dc "$SAMPLES/foreign/$sample.xz" >whole
  head -c -1 whole >in
  [ "$(tail -c 1 whole | od -A n -t x1)" = ' 0a' ] || die "$sample: does not end in a line end"
  expect 0 "$OCTRACE" convert in out.oct
  contains err "^$cut\$"
  expect 0 "$OCTRACE" convert whole out.oct
  ! grep -q 'line end' err || die "$sample: a note of the whole"
done

# Traces of function calls.
printf '1 t enter main\n2 t leave main\n' >whole
expect 0 "$OCTRACE" events compress -o out.octev whole
! grep 'line end' err || die "a note of whole function calls"
printf '1 t enter main\n2 t leave mai' >in
expect 0 "$OCTRACE" events compress -o out.octev in
contains err '^octrace: in: the last line has no line end: the trace may be cut off$'
