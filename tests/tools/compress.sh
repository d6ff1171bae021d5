#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compress.sh - octrace compress: default name, both engines, report, JSON, options.
. "$(dirname "$0")/lib.sh"

tiny_trace 1000 >t.txt
expect 0 "$OCTRACE" compress t.txt
[ -s t.txt.octp ] || die "no t.txt.octp"
contains err 'port accounting'
contains err '^CR SC.I '
[ ! -s out ] || die "something on standard output"

expect 0 "$OCTRACE" compress --json --engine untimed -o a.octp t.txt
contains out '"instructions": 4000'
contains out '"port_bits_per_instruction"'
expect 0 "$OCTRACE" compress --json --engine cycle --arrival cpi=20 -o b.octp t.txt
contains out '"cycles"'
contains out '"high_water"'

expect 0 "$OCTRACE" compress --json --limit 100 --skip 50 -o c.octp t.txt
contains out '"instructions": 100'
expect 0 "$OCTRACE" compress --json -g small,port_pins=4 -o d.octp t.txt
contains out '"port_pins": 4'

# Depths are found when asked for.
expect 0 "$OCTRACE" compress --json --engine cycle --arrival cpi=20 -o b.octp t.txt
grep -q largest_buffers out && die "depths that were not asked for"
expect 0 "$OCTRACE" compress --json --engine cycle --arrival cpi=20 --depths -o e.octp t.txt
contains out '"sufficient_overflows": 0'
contains out '"sufficient"'

# Address width and alignment: as the trace needs, as a wider geometry has them, as they are given.
width() {
  expect 0 "$OCTRACE" compress --json -o w.octp "$@"
  sed -nE 's/.*"(addr_bits|pc_align_bits)": ([0-9]+).*/\2/p' out | tr '\n' ' '
}
"$OCTRACE" convert --to bin64 t.txt t.bin64
"$OCTRACE" convert t.bin64 wide.oct # 64 bits
"$OCTRACE" convert t.txt narrow.oct # 32 bits
[ "$(width narrow.oct)" = '32 2 ' ] || die "paper, 32 bits: $(width narrow.oct)"
[ "$(width wide.oct)" = '64 2 ' ] || die "paper, 64 bits: $(width wide.oct)"
[ "$(width -g wide64 narrow.oct)" = '64 0 ' ] || die "wide64: $(width -g wide64 narrow.oct)"
[ "$(width -g paper,addr_bits=48,pc_align_bits=2 narrow.oct)" = '48 2 ' ] || die "by hand"
sample=$(find "$SAMPLES" -name '*.oct' | sort | head -n 1) # 32 bits, aligned to 4 bytes
[ "$(width --limit 10 "$sample")" = '32 2 ' ] || die "a sample"
[ "$(width --limit 10 -g wide64 "$sample")" = '64 0 ' ] || die "wide64 and a sample"
[ "$(width --limit 10 -g wide64,addr_bits=32 "$sample")" = '32 0 ' ] || die "wide64, 32 bits by hand"

# Where no instruction set tells the alignment, the first batch does, and it is told; --isa does, and
# convert keeps it. What lies otherwise later on is refused with what to do.
expect 0 "$OCTRACE" compress -o w.octp narrow.oct
told='note: narrow.oct: no known instruction set is named: pc_align_bits=2 was found in the trace$'
contains err "^octrace: $told"
expect 0 "$OCTRACE" info t.txt
contains out '^insn_align_bytes_found  *4$'
# Every command that has a machine made for a trace goes by what was found, and tells it; where the set
# is named, none does.
expect 0 "$OCTRACE" convert --isa arm t.txt arm.oct
for command in 'verify --engine untimed' 'verify --engine cycle' 'report --cycle-insns 100' 'bench --repeat 1 --codec plain --tracer paper' \
  'bench --tracers' 'sweep -a sc_entries=16'; do
  # shellcheck disable=SC2086 # a command and its options
  expect 0 "$OCTRACE" $command narrow.oct
  contains err "^octrace: $told"
  [ "$(grep -c 'was found in the trace' err)" -eq 1 ] || die "$command: told more than once"
  # shellcheck disable=SC2086 # a command and its options
  expect 0 "$OCTRACE" $command arm.oct
  ! grep -q 'was found in the trace' err || die "$command: an alignment that the trace names"
done
code=0
"$OCTRACE" verify --engine cycle -g port_pins=1 narrow.oct >out 2>err || code=$?
[ $code -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] || die "loss"
contains out "^${told#note: }"
# The bits are those of the trace that names its set.
bits() {
  "$OCTRACE" "$@" 2>err | python3 -c 'import json, sys
o = json.load(sys.stdin)
print([[r["ratio"]] if "codec" in r else [r["tracer"], r["geometry"], r["bits_per_insn"]] for r in o["rows"]
       if r.get("tracer", r.get("codec")) in ("tracer paper", "paper", "raw")] if isinstance(o, dict) else o[0]["loss_by_pins"]["paper"])'
}
for command in 'bench --repeat 1 --codec plain --tracer paper' 'bench --tracers' 'report --cycle-insns 4000'; do
  # shellcheck disable=SC2086 # a command and its options
  [ "$(bits $command --json narrow.oct)" = "$(bits $command --json arm.oct)" ] || die "$command: a machine for another alignment"
done
# A set that octrace does not know is named, but tells no alignment.
{ echo '# isa martian' && cat t.txt; } >martian.txt
expect 0 "$OCTRACE" compress -o w.octp martian.txt
contains err '^octrace: note: martian.txt: no known instruction set is named: pc_align_bits=2 was found in the trace$'
rm martian.txt
rm arm.oct
expect 0 "$OCTRACE" convert --isa arm t.txt arm.oct
expect 0 "$OCTRACE" info arm.oct
contains out '^isa  *arm$'
contains out '^insn_align_bytes  *4$'
[ "$(width arm.oct)" = '32 2 ' ] && [ "$(width --isa x86 t.txt)" = '32 0 ' ] || die "by --isa"
printf '8000/2\n8004/4\n' >two.txt
[ "$(width two.txt)" = '32 1 ' ] || die "a size tells, too"
awk 'BEGIN { for (i = 0; i < 70000; i++) print "8000"; print "8002" }' >late.txt
expect 0 "$OCTRACE" info late.txt
contains out '^insn_align_bytes_found  *2$'
refuse 4 "$OCTRACE" compress -o w.octp late.txt
contains err '^octrace: late.txt: instruction 70000 (0x8002) is no multiple of 4 bytes, .* -g pc_align_bits=0'
[ "$(width -g pc_align_bits=0 late.txt)" = '32 0 ' ] || die "the cure"
expect 0 "$OCTRACE" sweep -a pc_align_bits=0 late.txt # none goes by what was found
rm -f late.txt
# What does not fit the machine is told with what to do, by each tracer that has the parameter.
for tracer in paper shadow; do
  printf '4000\n4001\n' >odd.txt
  refuse 4 "$OCTRACE" compress --tracer "$tracer" --isa arm -o w.octp odd.txt
  one_line 'octrace: odd.txt: instruction 1 at 0x4001: expected a multiple of 4 bytes, as pc_align_bits=2 asks for: give -g pc_align_bits=0, or another --isa if you gave one'
  expect 0 "$OCTRACE" compress --tracer "$tracer" --isa arm -g pc_align_bits=0 -o w.octp odd.txt
  printf '4000\n123456780\n' >odd.txt
  refuse 4 "$OCTRACE" compress --tracer "$tracer" -g addr_bits=32 -o w.octp odd.txt
  one_line 'octrace: odd.txt: instruction 1 at 0x123456780: wider than addr_bits=32: give -g addr_bits=64'
  printf '4000\n4004 L:123456780\n' >odd.txt
  refuse 4 "$OCTRACE" compress --tracer "$tracer" -g addr_bits=32 -o w.octp odd.txt
  one_line 'octrace: odd.txt: instruction 1, data address 0x123456780: wider than addr_bits=32: give -g addr_bits=64'
  printf '4000\n4004 T:300\n' >odd.txt
  refuse 4 "$OCTRACE" compress --tracer "$tracer" -g task_bits=8 -o w.octp odd.txt
  one_line 'octrace: odd.txt: instruction 1 of task 300: wider than task_bits=8: give -g task_bits=9'
done
rm -f odd.txt w.octp

# The same seed stalls the same cycles.
for i in 1 2; do
  "$OCTRACE" compress --engine cycle --arrival cpi=20 --stall 300 --seed 7 -o "s$i.octp" t.txt 2>err ||
    [ $? -eq 3 ]
done
cmp s1.octp s2.octp

# A loss of traps alone is told as any other: more wait at once than the machine keeps.
awk 'BEGIN { for (i = 0; i < 12; i++) print "!interrupt 1 P:3"; print "8000" }' >lost.txt
for most in 'paper 6 traps' 'shadow 12 traps'; do
  tracer=${most%% *}
  expect 3 "$OCTRACE" compress --isa arm --engine cycle --tracer "$tracer" -g traps=1 -o lost.octp lost.txt
  contains err "^overflows 1: 0 instructions, 0 accesses and ${most#* } lost$"
  contains err "^octrace: lost.txt: 0 instructions, 0 accesses and ${most#* } lost in 1 overflow$"
  refuse 3 "$OCTRACE" decompress -o lost.oct lost.octp
  contains err ': 0 instructions and 0 accesses lost in 1 gap; only traps can be missing in 1 of them$'
  refuse 3 "$OCTRACE" verify --container lost.octp --isa arm lost.txt
  contains err ": container: 1 instruction equal, 0 instructions, 0 accesses and ${most#* } lost in 1 gap$"
done
# What a filter leaves out is no loss, nor is it with traps.
awk 'BEGIN {
  for (i = 0; i < 40; i++) {
    for (k = 0; k < 8; k++) printf "%x\n", 32768 + 4 * k
    printf "!exception %d A:8020 P:3\n", i % 16
    for (k = 0; k < 8; k++) printf "%x\n", 65536 + 4 * k
    print "!privilege P:0"
  }
}' >filtered.txt
for tracer in paper shadow; do
  for span in 0x8000-0x801f 0x10000-0x1001f; do
    expect 0 "$OCTRACE" compress --json --isa arm --engine cycle --arrival cpi=40 --tracer $tracer -g traps=1,filters=4 \
      --filter insns=$span -o filtered.octp filtered.txt
    [ "$(sed -n 's/.*"lost_traps": //p' out)" = "$(sed -n 's/.*"filtered_traps": //p' out)" ] ||
      die "$tracer: traps lost beside a filter: $(grep traps out)"
    ! grep -q '"filtered_traps": 0' out || die "$tracer: no trap was left out by the filter"
  done
done

for sample in "$SAMPLES"/*.oct*; do
  expect 0 "$OCTRACE" compress --limit 20000 -o sample.octp "$sample"
done

# What is wrong with --filter is an error of the command line.
tiny_trace 10 >filtered.txt
refuse 2 "$OCTRACE" compress --engine cycle -g filters=4 --filter insns=zz -o f filtered.txt
contains err 'compress: --filter: insns=zz: expected two addresses'
[ ! -e f ] || die "an output in spite of a wrong filter"
