#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# map-memory.sh - does reading a file of the codec shadow keep few copies of a large program map?
. "$TOOLS/lib.sh"

# 400,000 instructions, each at an address of its own.
awk 'BEGIN {
  print "# isa riscv64"
  for (i = 0; i < 400000; i++) printf "%016x/4 L8:0000000000008000 I:%02x33%02x00\n", 65536 + 4 * i, 3 + 128 * (i % 2), i % 256
}' >large.txt
expect 0 "$OCTRACE" compress --codec shadow -o large.octc large.txt
(
  # shellcheck disable=SC3045 # dash has it, too
  ulimit -v 400000
  expect 0 "$OCTRACE" decompress --jobs 0 --to pc -o /dev/null large.octc
)

# Changes of the map leave when they hold, and a decoder when its segment is decoded.
expect 0 "$OCTRACE" compress --tracer raw -o large.octp large.txt
(
  # shellcheck disable=SC3045 # dash has it, too
  ulimit -v 420000
  expect 0 "$OCTRACE" decompress --to pc -o /dev/null large.octc
)
(
  # shellcheck disable=SC3045 # dash has it, too
  ulimit -v 240000
  expect 0 "$OCTRACE" decompress --to pc -o /dev/null large.octp
)
