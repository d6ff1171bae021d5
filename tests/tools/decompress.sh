#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# decompress.sh - octrace decompress: the trace comes back, in each format, also from a later sync.
. "$(dirname "$0")/lib.sh"

tiny_trace 1000 >t.txt
"$OCTRACE" compress -g paper,sync_period_insns=500 t.txt 2>err
expect 0 "$OCTRACE" decompress -o t.oct t.txt.octp
as_text t.txt >want
as_text t.oct >got
cmp want got
expect 0 "$OCTRACE" decompress --to text -o back.txt t.txt.octp
as_text back.txt | cmp want -

# Files of other kinds are named.
printf 'neither this nor that\n' >other
"$OCTRACE" compress --codec plain -o t.octc t.oct >out 2>err
for case in 't.oct:a trace itself; expected a compressed one' 't.octc:a trace that a codec compressed; expected' \
  'other:expected a compressed trace, as octrace compress writes it (.octp)'; do
  refuse 4 "$OCTRACE" packets "${case%%:*}"
  contains err "^octrace: ${case%%:*}: offset 0: ${case#*:}"
done
refuse 4 "$OCTRACE" decompress -o new t.oct
contains err '^octrace: t.oct: offset 0: a trace itself; expected a compressed one (.octp)$'
rm other t.octc

# A machine that is wider than the trace does not widen what comes back.
"$OCTRACE" compress -g wide64 -o wide.octp t.oct 2>err
expect 0 "$OCTRACE" info wide.octp
contains out '^addr_bits  *64$'
contains out '^trace_addr_bits  *32$'
"$OCTRACE" decompress -o back.oct wide.octp
expect 0 "$OCTRACE" info back.oct
contains out '^addr_bits  *32$'

# From the second sync on: what comes is the tail of the trace, 500 instructions short.
expect 0 "$OCTRACE" decompress --from-sync 1 --to text -o tail.txt t.txt.octp
as_text tail.txt >got
[ "$(wc -l <got)" -eq 3500 ] || die "$(wc -l <got) instructions from sync 1"
tail -n 3500 want | cmp - got
refuse 4 "$OCTRACE" decompress --from-sync 1000 -o none.oct t.txt.octp
contains err '^octrace: t.txt.octp: sync 1000: expected 0 to 7$'
[ ! -e none.oct ] || die "none.oct left behind"

# Traps come back, also where a run has nothing but them.
awk 'BEGIN { print "8000"; for (i = 0; i < 700; i++) print "!interrupt 7"; print "8004" }' >traps.txt
expect 0 "$OCTRACE" compress -g paper,traps=1 traps.txt
expect 0 "$OCTRACE" decompress --to text -o got.txt traps.txt.octp
as_text traps.txt >want
as_text got.txt | cmp want -

# What has no place for them says so, from the port and from a codec.
expect 0 "$OCTRACE" decompress --to din -o traps.din traps.txt.octp
one_line 'octrace: note: traps.din: 700 traps and changes of privilege are left out'
expect 0 "$OCTRACE" compress --codec plain -o traps.octc traps.txt
expect 0 "$OCTRACE" decompress --to din -o traps.din traps.octc
one_line 'octrace: note: traps.din: 700 traps and changes of privilege are left out'
expect 0 "$OCTRACE" compress --json -o left.octp traps.txt
one_line 'octrace: note: traps.txt: 700 traps and changes of privilege are left out: -g traps=1 sends them'
expect 0 "$OCTRACE" verify --isa arm --engine untimed -g paper traps.txt
one_line 'octrace: note: traps.txt: 700 traps and changes of privilege are left out: -g traps=1 sends them'
expect 0 "$OCTRACE" verify --isa arm --engine untimed -g paper,traps=1 traps.txt
[ ! -s err ] || die "a note on traps that are sent: $(cat err)"
for tracer in raw shadow; do
  expect 0 "$OCTRACE" compress --json --tracer $tracer -g traps=1 -o kept.octp traps.txt
  [ ! -s err ] || die "a note on traps that $tracer sends: $(cat err)"
done

# Loss is said, and is exit code 3: one pin is too few for streams that never repeat.
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%x L:%x\n", 4 * ((i * 7919) % 65536), i * i * 64 % 4294967296 }' >wild.txt
expect 3 "$OCTRACE" compress -g paper,port_pins=1,sync_period_insns=0 --engine cycle wild.txt
contains err 'lost'
expect 3 "$OCTRACE" decompress -o wild.oct wild.txt.octp
contains err 'lost'
expect 3 "$OCTRACE" verify --container wild.txt.octp wild.txt

# Where what is missing: the trace with these instructions left out is what came back.
expect 3 "$OCTRACE" decompress --gaps gaps.csv --to text -o wild.back wild.txt.octp
[ "$(head -n 1 gaps.csv)" = instruction,lost_instructions,lost_accesses,cause ] || die "head of gaps.csv"
awk -F, 'NR > 1 { insns += $2; accesses += $3 } END { print insns " instructions and " accesses }' \
  gaps.csv >want
contains err "^octrace: wild.txt.octp: $(cat want) accesses lost in $(($(wc -l <gaps.csv) - 1)) gaps\$"
as_text wild.txt >whole
awk -F, 'NR == FNR { if (FNR > 1) for (i = 0; i < $2; i++) gone[$1 + i]; next }
  !(FNR - 1 in gone) { print $1 }' gaps.csv whole | sed 's/[/ ].*//' >want
as_text wild.back | sed 's/[/ ].*//' | cmp want -
expect 0 "$OCTRACE" decompress --gaps gaps.csv -o back.oct t.txt.octp
[ "$(cat gaps.csv)" = instruction,lost_instructions,lost_accesses,cause ] || die "gaps where none are"
refuse 2 "$OCTRACE" decompress --gaps back.oct -o back.oct t.txt.octp
refuse 2 "$OCTRACE" decompress --gaps t.txt.octp -o back.oct t.txt.octp
refuse 2 "$OCTRACE" decompress --gaps - t.txt.octp
"$OCTRACE" compress --codec plain -o t.octc t.txt 2>err
expect 0 "$OCTRACE" decompress --gaps gaps.csv -o none.oct t.octc
[ "$(cat gaps.csv)" = instruction,lost_instructions,lost_accesses,cause ] || die "gaps where none are"
rm none.oct
refuse 4 "$OCTRACE" decompress --gaps no/such/folder -o none.oct t.txt.octp
head -c "$(($(wc -c <wild.txt.octp) - 20))" wild.txt.octp >cut.octp
rm gaps.csv
# What stands before an end that is missing is kept, as a trace that is whole.
refuse 4 "$OCTRACE" decompress --gaps gaps.csv -o none.oct cut.octp
contains err '^octrace: cut.octp: offset [0-9]*: .*: wrote the [0-9]* instructions and [0-9]* accesses before it; what'
contains gaps.csv '^[0-9]*,,,"damage: '
expect 0 "$OCTRACE" info none.oct
rm none.oct

sample=$(find "$SAMPLES" -name '*.oct*' | sort | head -n 1)
"$OCTRACE" convert --count 20000 "$sample" part.oct
"$OCTRACE" compress part.oct 2>err
"$OCTRACE" decompress part.oct.octp >back.oct
as_text part.oct >want
as_text back.oct | cmp want -

# A map is bounded; the bound can be raised.
refuse 4 "$OCTRACE" decompress --max-map 2 -o none.oct t.txt.octp
contains err '^octrace: t.txt.octp: offset [0-9]*: more than 2 updates of the program map'
refuse 2 "$OCTRACE" decompress --max-map 0 -o none.oct t.txt.octp
for command in info packets; do
  refuse 4 "$OCTRACE" $command --max-map 2 t.txt.octp
  contains err '^octrace: t.txt.octp: offset [0-9]*: more than 2 updates of the program map'
  expect 0 "$OCTRACE" $command --max-map 1000 t.txt.octp
done
refuse 4 "$OCTRACE" info --max-map 2 part.oct
contains err '^octrace: part.oct: more than 2 entries of the program map'
refuse 2 "$OCTRACE" info --max-map 0 part.oct
expect 0 "$OCTRACE" info --max-map 20000 part.oct
refuse 4 "$OCTRACE" decompress --max-map 2 -o none.oct t.octc
contains err '^octrace: t.octc: more than 2 entries of the program map'
expect 0 "$OCTRACE" decompress --max-map 1000 -o none.oct t.octc
rm none.oct
# So is the memory of a codec file: streams, buffers that sort, and predictor tables.
awk 'BEGIN { for (i = 0; i < 300000; i++) printf "%08d", i }' >addresses
expect 0 "$OCTRACE" compress --codec bytesort --input addresses -o sorted.octc addresses
expect 0 "$OCTRACE" compress --codec 'vpc:spec=64: L1=1, L2=4194304: FCM1[2]' --input addresses -o tables.octc addresses
for command in decompress info 'decompress --salvage'; do
  # shellcheck disable=SC2086 # several words
  refuse 4 "$OCTRACE" $command --max-memory 8 sorted.octc
  contains err '^octrace: sorted.octc: offset [0-9]*: segment 0 needs 10 MiB of memory, 8 are the most (--max-memory, or oct_codec_reader_max_memory, allows more)$'
  # shellcheck disable=SC2086
  refuse 4 "$OCTRACE" $command --max-memory 40 tables.octc
  contains err 'segment 0 needs [67][0-9] MiB of memory, 40 are the most'
done
expect 0 "$OCTRACE" decompress --max-memory 10 sorted.octc
cmp out addresses
expect 0 "$OCTRACE" decompress --max-memory 79 tables.octc
cmp out addresses
expect 0 "$OCTRACE" fidelity --sets 2 --ways 1 --max-memory 10 sorted.octc sorted.octc
refuse 4 "$OCTRACE" fidelity --sets 2 --ways 1 --max-memory 8 sorted.octc sorted.octc
refuse 2 "$OCTRACE" decompress --max-memory 0 sorted.octc
rm addresses sorted.octc tables.octc
expect 0 "$OCTRACE" decompress --max-map 1000 --from-sync 1 -o none.oct t.txt.octp
