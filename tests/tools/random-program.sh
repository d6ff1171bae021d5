#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# random-program.sh GEOMETRY... - traces of random programs, which reach every rule of the formats,
# come back event by event: from each file format that holds all of a trace, through each lossless
# codec, and through the port at each geometry. OCT_TEST_SEED names the programs.
# No transcript: the programs are drawn by the seed.
. "$(dirname "$0")/lib.sh"

# same TEXT FILE: this is the text form of the trace in FILE.
same() {
  as_text "$2" | cmp "$1" - || die "$2: not the trace it was made from"
}

codecs=$("$OCTRACE" list codecs | sed -n 's/^\([a-z0-9-]*\) .*, lossless:.*/\1/p')
[ "$(echo "$codecs" | wc -l)" -ge 5 ] || die "codecs: $codecs"
for align in $(some 1 4); do
  "$RANDOM_TRACE" t.oct $align 30 >>seeds
  cat seeds
  as_text t.oct >t.txt
  expect 0 "$OCTRACE" convert --to native t.txt n.oct
  same t.txt n.oct
  expect 0 "$OCTRACE" convert --to text:bytes=1 t.oct b.txt
  same t.txt b.txt
  expect 0 "$OCTRACE" convert b.txt b.oct
  same t.txt b.oct
  expect 0 "$OCTRACE" convert --to text:bytes=1 b.oct c.txt
  "$OCTRACE" convert --to text:bytes=1 c.txt - | cmp c.txt - || die "bytes change on the way"
  for codec in $(some $codecs); do
    expect 0 "$OCTRACE" compress --codec "$codec" -o c.octc t.oct
    expect 0 "$OCTRACE" decompress -o c.oct c.octc
    same t.txt c.oct
    expect 0 "$OCTRACE" verify --against "$codec" -g paper,task_bits=32 t.oct
  done
  for geometry in $(some "$@"); do
    expect 0 "$OCTRACE" verify --engine untimed -g "$geometry,task_bits=32" t.oct
  done
done
