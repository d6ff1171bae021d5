#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# large-map.sh - who writes a file whose program map is larger than is read without --max-map is told so,
# with the number that reads it.
. "$(dirname "$0")/lib.sh"

limit=4194304
awk -v n=$((limit + 1)) 'BEGIN { for (i = 0; i < n; i++) printf "%x\n", 65536 + 4 * i }' >t
head -n $limit t >fits

# says FILE: the last command said how FILE is read.
says() {
  contains err "^octrace: note: $1: $((limit + 1)) entries of the program map: to read it, give --max-map $((limit + 1))\$"
}

expect 0 "$OCTRACE" compress --tracer raw -o fits.octp fits
! grep -q max-map err || die "a map that is read is told"
expect 0 "$OCTRACE" compress --tracer raw -o t.octp t
says t.octp
refuse 4 "$OCTRACE" info t.octp
contains err 'max-map'
expect 0 "$OCTRACE" compress --codec plain -o t.octc t
says t.octc
# A native trace has those entries of its map that its source had.
awk -v n=$((limit + 1)) 'BEGIN {
  for (i = 0; i < n; i++) printf "0, 0x%x, 0xe1a00000, \"mov r0, r0\"\n", 65536 + 4 * i
}' >log
expect 0 "$OCTRACE" convert --isa arm --max-map $((limit + 1)) log u.oct
says u.oct
refuse 4 "$OCTRACE" info u.oct
contains err 'max-map'
