#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# other-program.sh - is a wrong program refused for a trace that tells nothing but addresses? And is
# the right one taken, whatever else is odd in the trace?
. "$(dirname "$0")/lib.sh"

other='octrace: [^ ]*: another program than that of the trace (another build, or loaded elsewhere): its instruction at 0x[0-9a-f]* '
other="$other\\(makes no access, the trace has one\\|does not go to 0x[0-9a-f]*\\): give the right file, or no --elf"

another='octrace: [^ ]*: another program than that of the trace (another build, or loaded elsewhere): '
another="${another}[0-9]* of [0-9]* instructions differ, the first at 0x[0-9a-f]*: give the right file, or no --elf"

for isa in arm thumb aarch64 riscv64 x86-64 mips; do
  elf=$DATA/mixed-$isa.elf
  rebuild "$elf" rebuilt.elf
  expect 0 "$OCTRACE" convert --to text "$DATA/mixed-$isa.oct" trace.txt
  # A native trace of them: neither bytes nor classes.
  expect 0 "$OCTRACE" convert --from text trace.txt trace.oct
  for trace in trace.txt trace.oct; do
    expect 0 "$OCTRACE" info --json --isa $isa --elf "$elf" $trace
    contains out '"shadow_percent": 100'
    for wrong in "$elf@4" "$elf@16" rebuilt.elf; do
      refuse 4 "$OCTRACE" convert --isa $isa --elf "$wrong" $trace new.oct
      one_line "$other"
      [ ! -e new.oct ] || die "$isa: a trace was written with $wrong"
      # And where only the first instructions are wanted.
      refuse 4 "$OCTRACE" convert --limit 100 --isa $isa --elf "$wrong" $trace new.oct
    done
  done
done

# Traces with a choice of the instructions: those with accesses, those without, some at regular and at
# other distances. Nothing that is left out speaks against the program; accesses speak against another.
for isa in arm thumb aarch64 riscv64 x86-64 mips; do
  elf=$DATA/mixed-$isa.elf
  expect 0 "$OCTRACE" convert --to text "$DATA/mixed-$isa.oct" trace.txt
  grep -E '^#|[LS][0-9]*:' trace.txt >accesses.txt
  grep -Ev 'S[0-9]*:' trace.txt >no-stores.txt
  awk '/^#/ || n++ % 2' trace.txt >half.txt
  awk '/^#/ || n++ % 3' trace.txt >most.txt
  awk 'BEGIN { srand(1) } /^#/ || rand() < 0.7' trace.txt >some.txt
  for trace in accesses no-stores half most some; do
    expect 0 "$OCTRACE" info --isa $isa --elf "$elf" $trace.txt
  done
  expect 0 "$OCTRACE" convert --from text --to vpc3 --isa $isa accesses.txt accesses.vpc3
  expect 0 "$OCTRACE" info --from vpc3 --isa $isa --elf "$elf" accesses.vpc3
  refuse 4 "$OCTRACE" info --isa $isa --elf "$elf@16" half.txt
  one_line "$other"
done

# Windows of 40 instructions with 100 left out between them: each window ends in a step that no
# instruction explains, always at another place.
awk '/^[0-9a-f]/ && n++ % 140 < 40' trace.txt >windows.txt
expect 0 "$OCTRACE" info --isa mips --elf "$elf" windows.txt
# Loads and stores alone: hardly a step explains itself.
expect 0 "$OCTRACE" convert --to text "$DATA/mixed-arm.oct" trace.txt
grep -E '^#|:' trace.txt >accesses.txt
expect 0 "$OCTRACE" info --isa arm --elf "$DATA/mixed-arm.elf" accesses.txt
# Sizes that a recorder guessed: those of jumps.
expect 0 "$OCTRACE" convert --to text "$DATA/mixed-riscv64.oct" trace.txt
sed -E 's#^([0-9a-f]+)(/[0-9]+)?#\1/4#' trace.txt >guessed.txt
expect 0 "$OCTRACE" info --isa riscv64 --elf "$DATA/mixed-riscv64.elf" guessed.txt
# Code of either kind, of which no symbol says which.
strip_sections "$DATA/mixed-thumb.elf" stripped.elf
expect 0 "$OCTRACE" convert --to text "$DATA/mixed-thumb.oct" trace.txt
expect 0 "$OCTRACE" info --elf stripped.elf trace.txt
# Several files: the one that is wrong is named.
expect 0 "$OCTRACE" convert --to text "$DATA/mixed-x86-64.oct" trace.txt
refuse 4 "$OCTRACE" info --isa x86-64 --elf "$DATA/mixed-x86-64.elf@0x5000000" --elf "$DATA/mixed-x86-64.elf@16" trace.txt
one_line "$other"

# differing FILE: the share in the message goes into FILE.
differing() { sed -n 's/.*: \([0-9]*\) of \([0-9]*\) instructions differ.*/\1 \2/p' err >>"$1"; }

# A program that changed its own code before it was executed, one function of it: the trace is right.
# Where many instructions differ, it is another program.
for isa in arm thumb aarch64 riscv64 x86-64 mips; do
  elf=$DATA/mixed-$isa.elf
  expect 0 "$OCTRACE" convert --elf "$elf" "$DATA/mixed-$isa.oct" bytes.oct
  expect 0 "$OCTRACE" convert --to text "$DATA/mixed-$isa.oct" trace.txt
  sed -n 's#^0*\([0-9a-f][0-9a-f]*\).*#\1#p' trace.txt >path
  sort -u path >addresses
  sed -n '40,49p' addresses >few
  sed -n '40,99p' addresses >many
  patch "$elf" patched.elf few
  first=$(grep -m 1 -x -F -f few path)
  note="octrace: note: patched.elf: 10 of $(wc -l <addresses) instructions differ in the trace, which is right, the first at 0x$first"
  expect 0 "$OCTRACE" convert bytes.oct want.oct
  expect 0 "$OCTRACE" convert --elf patched.elf bytes.oct got.oct
  one_line "$note"
  cmp want.oct got.oct || die "$isa: the program's bytes were taken, not the trace's"
  expect 0 "$OCTRACE" compress --tracer shadow --output new bytes.oct
  expect 0 "$OCTRACE" decompress --output want.oct new
  for apart in '' --program-apart; do
    # shellcheck disable=SC2086 # an option, or none
    expect 0 "$OCTRACE" compress --tracer shadow --elf patched.elf $apart --output new bytes.oct
    contains err "^$note\$"
    [ "$(grep -c ' differ in the trace' err)" -eq 1 ] || die "not told once: $(cat err)"
    # shellcheck disable=SC2086
    expect 0 "$OCTRACE" decompress ${apart:+--elf patched.elf} --output got.oct new
    as_text want.oct >want
    as_text got.oct | cmp want - || die "$isa: another trace"
  done
  rm new
  # Without bytes, the classes and the targets tell.
  expect 0 "$OCTRACE" convert --elf patched.elf "$DATA/mixed-$isa.oct" got.oct
  as_text "$DATA/mixed-$isa.oct" >want
  as_text got.oct | cmp want - || die "$isa: another trace"
  patch "$elf" patched.elf many
  rebuild "$elf" rebuilt.elf
  for wrong in patched.elf rebuilt.elf "$elf@4"; do
    refuse 4 "$OCTRACE" convert --elf "$wrong" bytes.oct new
    one_line "$another"
    [ "$wrong" = patched.elf ] || differing with-bytes
    [ ! -e new ] || die "$isa: a trace was written with $wrong"
  done
  for wrong in rebuilt.elf "$elf@4"; do
    refuse 4 "$OCTRACE" convert --elf "$wrong" "$DATA/mixed-$isa.oct" new
    one_line "$another"
    differing without-bytes
  done
done
# For docs/effects.md.
for traces in with-bytes without-bytes; do
  awk -v traces=$traces '{ share = 100 * $1 / $2 }
    NR == 1 || share < least { least = share }
    share > most { most = share }
    END { printf "%s: %d other programs differ in %.0f to %.0f %%\n", traces, NR, least, most }' $traces
done

# An instruction that had the bytes of the file before is one of the program. So few that hardly one of
# them is as in the file are another program's.
xz -dc "$SAMPLES/foreign/arm.execlog.xz" >log
sed -n '1s/, 0x\(.......\)[0-9a-f],/, 0x\1f,/p' log >changed
! head -n 1 log | cmp -s - changed || die "no instruction was changed"
elf=$DATA/mixed-arm.elf
cat log changed log >changes
expect 0 "$OCTRACE" info --from execlog --isa arm --elf "$elf" changes
[ ! -s err ] || die "nothing differs at first, but: $(cat err)"
cat changed log >changes
expect 0 "$OCTRACE" info --from execlog --isa arm --elf "$elf" changes
one_line "octrace: note: .*: 1 of [0-9]* instructions differ in the trace, which is right, the first at 0x[0-9a-f]*"
head -n 3 log >short
refuse 4 "$OCTRACE" info --from execlog --isa arm --elf "$elf@4" short
one_line "$another"
# Of several files the right one is named.
refuse 4 "$OCTRACE" info --elf "$DATA/mixed-mips.elf@0x5000000" --elf rebuilt.elf bytes.oct
one_line "$another"
contains err '^octrace: rebuilt.elf: '
