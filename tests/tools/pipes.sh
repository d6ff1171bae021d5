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

# A reader that goes away ends octrace quietly, as other tools; the text is more than a pipe holds.
tiny_trace 20000 >long.txt
code=0
{ "$OCTRACE" convert --to text --from text long.txt - 2>err || echo $? >code; } | head -n 1 >out
[ ! -e code ] || code=$(cat code)
[ "$code" -eq 141 ] || die "exit code $code when the reader went away"
[ ! -s err ] || die "said when the reader went away: $(cat err)"
