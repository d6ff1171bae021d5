#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# any-accesses.sh - does an instruction with any number of accesses of any kinds, other ones each
# time, as x86's xsave and a vector gather make them, go through every subcommand?
# No transcript: the accesses are drawn by the seed, and each output is compared with the input.
. "$(dirname "$0")/lib.sh"

seed=${OCT_TEST_SEED:-$(date +%s)}
echo "OCT_TEST_SEED=$seed"
insns=$((120 + 12 * $(some $(seq 90) | wc -l)))
awk -v seed="$seed" -v insns="$insns" 'BEGIN {
  srand(seed)
  for (i = 0; 4 * i < insns; i++) {
    printf "8000\n8004"
    n = int(rand() * (i == 7 ? 700 : 50))
    for (k = 0; k < n; k++) {
      if (i < 3 || rand() < 0.02) kind[k] = (rand() < 0.5 ? "L" : "S") 2 ^ int(rand() * 7)
      if (!kind[k]) kind[k] = "L4"
      printf " %s:%x", kind[k], 4096 + 8 * k + i
    }
    print "\n8008 S8:20\n800c"
  }
}' >t.txt
"$OCTRACE" convert t.txt t.oct
as_text t.oct >want

if [ -z "${OCT_TEST_SHARE-}" ]; then
  # As many as there may be, each with the longest address: what is written as text can be read.
  awk 'BEGIN {
    print "8000 L4:100\n# the next line has 1.3 MB"
    printf "ffffffffffff8004"
    for (k = 0; k < 65535; k++) printf " L16:ffffffffff%06x", 16 * k
    print "\n8008"
  }' >most.txt
  expect 0 "$OCTRACE" convert --isa x86-64 most.txt most.oct
  expect 0 "$OCTRACE" convert --to text most.oct most.back
  expect 0 "$OCTRACE" convert most.back again.oct
  as_text most.oct >most.want
  as_text again.oct | cmp most.want - || die "65,535 accesses as text"
  expect 0 "$OCTRACE" info again.oct
  contains out "^accesses  *65536\$"
  awk 'BEGIN { print "8000 L4:100"; printf "8004"; for (k = 0; k < 500000; k++) printf " L4:%x", k; print "" }' >too.txt
  refuse 4 "$OCTRACE" convert too.txt too.oct
  contains err 'a line of more than 2097152 bytes'
  rm most.* again.oct too.txt
fi

expect 0 "$OCTRACE" info t.oct
contains out "^instructions  *$insns\$"
# back FILE: the trace comes back. What a decoder writes is a trace like any other, with or without a program map.
back() {
  expect 0 "$OCTRACE" decompress -o back.oct "$1"
  as_text back.oct | cmp want - || die "$1: another trace"
  expect 0 "$OCTRACE" verify --engine untimed back.oct
}
for part in $(some verify port vpc3 bytesort sequitur plain filter report sweep bench); do
  case $part in
    verify)
      expect 0 "$OCTRACE" verify --engine untimed t.oct
      expect 3 "$OCTRACE" verify t.oct # no port takes so many misses at once; the rest is equal
      ;;
    port)
      expect 0 "$OCTRACE" compress -o t.octp t.oct
      back t.octp
      ;;
    filter)
      expect 0 "$OCTRACE" filter t.oct missed.oct
      expect 0 "$OCTRACE" verify --engine untimed missed.oct
      ;;
    report) expect 0 "$OCTRACE" report --html t.html t.oct ;;
    sweep) expect 0 "$OCTRACE" sweep -a sc_sets=16,32 t.oct ;;
    bench) expect 0 "$OCTRACE" bench --repeat 1 --input trace --codec vpc3 t.oct ;;
    *)
      expect 0 "$OCTRACE" compress --codec "$part" -o "t.$part" t.oct
      back "t.$part"
      ;;
  esac
done
