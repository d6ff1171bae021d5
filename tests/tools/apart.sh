#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# apart.sh - does a container without its program give the trace back with that program, whatever it
# was stripped of, and with no other one?
. "$(dirname "$0")/lib.sh"

# change IN OUT: another build, in which one byte of the last code segment differs, at its end.
change() {
  edit_elf "$1" "$2" '
offset, _, size = code[-1]
data[offset + size - 1] ^= 1'
}

# There and back with every tracer that takes the trace, for every instruction set.
for isa in arm thumb aarch64 riscv64 x86-64 mips; do
  elf=$DATA/mixed-$isa.elf trace=$DATA/mixed-$isa.oct
  strip_sections "$elf" bare.elf
  change "$elf" other.elf
  cmp -s "$elf" bare.elf && die "$isa: nothing was stripped"
  # Without bytes the bytes of the program are taken, in the container too.
  as_text "$trace" >want
  tracers='paper raw shadow'
  [ $isa != x86-64 ] || tracers="$tracers intel-pt"
  [ $isa != riscv64 ] || tracers="$tracers etrace"
  for tracer in $tracers; do
    expect 0 "$OCTRACE" compress --tracer "$tracer" --elf "$elf" -o whole.octp "$trace"
    expect 0 "$OCTRACE" compress --tracer "$tracer" --elf "$elf" --program-apart -o apart.octp "$trace"
    expect 0 "$OCTRACE" info --json whole.octp
    whole=$(sed -n 's/^ *"map_bytes": \([0-9]*\).*/\1/p' out)
    expect 0 "$OCTRACE" info --json apart.octp
    apart=$(sed -n 's/^ *"map_bytes": \([0-9]*\).*/\1/p' out)
    [ "$apart" -lt "$whole" ] || die "$isa, $tracer: a map of $apart bytes instead of $whole"
    contains out "\"program_0\": \".*mixed-$isa.elf\""
    expect 0 "$OCTRACE" decompress -o whole.oct whole.octp
    as_text whole.oct >want
    for program in "$elf" bare.elf; do
      expect 0 "$OCTRACE" decompress --elf "$program" -o back.oct apart.octp
      as_text back.oct | cmp want - || die "$isa, $tracer: another trace"
      expect 0 "$OCTRACE" verify --elf "$program" --container apart.octp "$trace"
    done
    refuse 4 "$OCTRACE" decompress --elf other.elf -o new apart.octp
    contains err '^octrace: other.elf: another build of the program than that of the trace: its code has the hash'
    refuse 4 "$OCTRACE" decompress -o new apart.octp
    contains err "^octrace: apart.octp: the program is in a file of its own: expected --elf with .*mixed-$isa.elf"
    refuse 4 "$OCTRACE" verify --elf other.elf --container apart.octp whole.oct
    [ ! -e new ] || die "new was left behind"
  done
done

# A copy without symbols, as strip leaves it.
if command -v objcopy >found; then
  "$OCTRACE" compress --tracer shadow --elf "$DATA/mixed-x86-64.elf" --program-apart -o apart.octp \
    "$DATA/mixed-x86-64.oct" 2>err
  objcopy --strip-all "$DATA/mixed-x86-64.elf" stripped.elf
  expect 0 "$OCTRACE" decompress --elf stripped.elf -o back.oct apart.octp
fi

# Loaded elsewhere than linked: the place belongs to the trace.
as_text "$DATA/mixed-x86-64.oct" | python3 -c '
import re, sys
for line in sys.stdin:
    addr, rest = re.match("([0-9a-f]+)(.*)", line).groups()
    print(f"{int(addr, 16) + 0x10000000:x}{rest}")' >moved.txt
elf=$DATA/mixed-x86-64.elf
expect 0 "$OCTRACE" compress --tracer shadow --elf "$elf@0x10000000" --program-apart -o moved.octp moved.txt
expect 0 "$OCTRACE" info moved.octp
contains out '^program_0_bias  *268435456$'
expect 0 "$OCTRACE" verify --elf "$elf@0x10000000" --container moved.octp moved.txt
for wrong in "$elf" "$elf@0x1000"; do
  refuse 4 "$OCTRACE" decompress --elf "$wrong" -o new moved.octp
  contains err "^octrace: .*mixed-x86-64.elf: loaded at another place than in the trace: expected --elf FILE@0x10000000$"
done

# Several files, in any order; one more does no harm, one less does.
expect 0 "$OCTRACE" compress --tracer shadow --elf "$elf@0x10000000" --elf "$elf" --program-apart -o two.octp moved.txt
expect 0 "$OCTRACE" verify --elf "$elf" --elf "$elf@0x10000000" --elf "$elf@0x20000000" --container two.octp moved.txt
refuse 4 "$OCTRACE" decompress --elf "$elf@0x10000000" -o new two.octp

# Syncs, packets; what needs no program needs none.
expect 0 "$OCTRACE" compress --tracer shadow -g shadow,sync_insns=5000 --elf "$elf" --program-apart -o apart.octp \
  "$DATA/mixed-x86-64.oct"
expect 0 "$OCTRACE" decompress --from-sync 2 --elf "$elf" -o back.oct apart.octp
expect 0 "$OCTRACE" packets apart.octp
expect 0 "$OCTRACE" packets --elf "$elf" apart.octp
change "$elf" other.elf
refuse 4 "$OCTRACE" packets --elf other.elf apart.octp
refuse 4 "$OCTRACE" info --elf other.elf apart.octp
"$OCTRACE" compress --tracer raw --elf "$elf" --program-apart -o raw.octp "$DATA/mixed-x86-64.oct" 2>err
refuse 4 "$OCTRACE" packets raw.octp
expect 0 "$OCTRACE" packets --elf "$elf" raw.octp

# Only containers of tracers have a program.
refuse 2 "$OCTRACE" compress --program-apart -o new "$DATA/mixed-x86-64.oct"
refuse 2 "$OCTRACE" compress --program-apart --codec shadow --elf "$elf" -o new "$DATA/mixed-x86-64.oct"
refuse 2 "$OCTRACE" decompress --elf "$elf" -o "$elf" apart.octp
[ ! -e new ] || die "new was left behind"
