#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pipes.sh - the commands in a pipe: `-` is standard input and output.
. "$(dirname "$0")/lib.sh"

tiny_trace 1000 >t.txt
as_text t.txt >want
"$OCTRACE" compress - <t.txt 2>err | "$OCTRACE" decompress - >back.oct
as_text back.oct | cmp want -
"$OCTRACE" convert - - <t.txt | "$OCTRACE" compress - 2>err |
  "$OCTRACE" decompress --to text -o - - | grep -v '^#' | cmp want -
gzip -c t.txt | "$OCTRACE" info - | grep -q '^instructions  *4000' || die "info of a pipe"
"$OCTRACE" compress - <t.txt 2>err | "$OCTRACE" verify --container - t.txt >out

"$OCTRACE" compress -o want.octp t.txt 2>err

# What comes that way has one name in all tables and messages.
for command in 'info --json' 'compress --json -o a.octp' 'report --json --cycle-insns 100' 'verify --json' 'sweep --json -a sc_ways=1,2' \
  'sweep -a sc_ways=1' 'filter --json' \
  'verify --container want.octp'; do
  # shellcheck disable=SC2086 # words
  "$OCTRACE" $command - <t.txt >named 2>err || die "$command: $(cat err)"
  contains named 'standard input'
  ! grep -qE '(^|": ")-["":,]' named || die "$command: $(cat named)"
done
rm a.octp want.octp named

# Where a standard stream is closed, no other file takes its place.
"$OCTRACE" convert t.txt want.oct
"$OCTRACE" compress -o want.octp t.txt 2>err
for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- 2>&-' '<&- >&- 2>&-'; do
  for command in 'convert t.txt a.oct' 'compress -o a.octp t.txt' 'decompress -o a.txt want.octp'; do
    eval "\"\$OCTRACE\" $command 2>err $closed" || die "exit code $?: $command $closed"
  done
  cmp want.oct a.oct && cmp want.octp a.octp
  as_text a.txt | cmp want -
done
for command in info decompress 'verify --engine untimed' packets; do
  # shellcheck disable=SC2086 # words
  expect 4 "$OCTRACE" $command - <&-
  one_line 'octrace: standard input: cannot read: Bad file descriptor'
done
for command in 'info t.txt' 'convert --to text t.txt -' --version; do
  code=0
  eval "\"\$OCTRACE\" $command >&- 2>err" || code=$?
  [ $code -eq 4 ] || die "exit code $code: $command >&-"
  one_line 'octrace: standard output: cannot write: Bad file descriptor'
done
code=0
"$OCTRACE" convert nosuch a.oct 2>&- >&- || code=$?
[ $code -eq 4 ] || die "exit code $code without standard error"

# A reader that goes away ends octrace quietly, as other tools; the text is more than a pipe holds.
tiny_trace 20000 >long.txt
code=0
{ "$OCTRACE" convert --to text --from text long.txt - 2>err || echo $? >code; } | head -n 1 >out
[ ! -e code ] || code=$(cat code)
[ "$code" -eq 141 ] || die "exit code $code when the reader went away"
[ ! -s err ] || die "said when the reader went away: $(cat err)"
