#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# port_bytes.sh - do the bytes of a trace port of paper and shadow, as a chip leaves them in memory, decode with the
# parameters and the program alone: whole, from the middle on, with traps and times? Is what is no such file
# refused in one line?
. "$(dirname "$0")/../tools/lib.sh"

# port ISA FORMAT: the trace of the program comes back from such bytes.
port() {
  elf=$DATA/mixed-$1.elf
  "$OCTRACE" convert --elf "$elf" "$DATA/mixed-$1.oct" whole.oct
  "$OCTRACE" convert --to text whole.oct - | grep -v '^#' >want
  expect 0 "$OCTRACE" convert --to "$2" whole.oct port
  expect 0 "$OCTRACE" convert --from "$2" --elf "$elf" port back.oct
  "$OCTRACE" convert --to text back.oct - | grep -v '^#\|^!gap' >got
  cmp want got || die "another trace: $*"
}

for align in riscv64:1 arm:2 thumb:1 mips:2; do
  isa=${align%:*}
  port "$isa" "paper:pc_align_bits=${align#*:},sync_period_insns=1000"
  port "$isa" "shadow:pc_align_bits=${align#*:},sync_insns=1000"
done
expect 0 "$OCTRACE" verify --from shadow:sync_insns=1000,pc_align_bits=2 --elf "$elf" port
for format in paper:ntuple_n=0,check_bits=0,sync_period_insns=700 paper:tiny,sync_period_insns=700 shadow:shadow-large,check=0,sync_insns=700 \
  shadow:shadow-tiny,sync_insns=700,sync_bits=0; do
  port riscv64 "$format"
  # A buffer that has wrapped round begins in the middle: the trace from a sync on, behind a gap.
  size=$(wc -c <port)
  for skipped in 1 $((size / 3)) $((size / 2 + 3)); do
    tail -c +$((skipped + 1)) port >part
    # Where a sync happens to begin there, nothing would be missing.
    case $(head -c 3 part | od -An -tx1) in " ff ff ff") tail -c +$((skipped + 2)) port >part ;; esac
    expect 0 "$OCTRACE" convert --from "$format" --elf "$elf" part rest.oct
    contains err '^octrace: note: part: the trace lacks its beginning$'
    "$OCTRACE" convert --to text rest.oct - | grep -v '^#\|^!gap' >got
    n=$(wc -l <got)
    [ "$n" -gt 3000 ] || die "$n instructions of a rest: $format, from byte $skipped"
    tail -n "$n" want | cmp - got || die "another rest: $format, from byte $skipped"
  done
  # One that was stopped ends in the middle.
  head -c $((size / 2)) port >part
  refuse 4 "$OCTRACE" convert --from "$format" --elf "$elf" part new
  expect 3 "$OCTRACE" convert --salvage --from "$format" --elf "$elf" part rest.oct
  "$OCTRACE" convert --to text rest.oct - | grep -v '^#\|^!gap' >got
  [ "$(wc -l <got)" -gt 1000 ] || die "$(wc -l <got) instructions of a half: $format"
  head -n "$(wc -l <got)" want | cmp - got || die "another beginning: $format"
done

# Code that does not tell all accesses: the message says so.
for isa in aarch64 x86-64; do
  "$OCTRACE" convert --elf "$DATA/mixed-$isa.elf" "$DATA/mixed-$isa.oct" other.oct
  for tracer in paper shadow; do
    "$OCTRACE" convert --to $tracer:pc_align_bits=0 other.oct port
    refuse 4 "$OCTRACE" convert --from $tracer:pc_align_bits=0 --elf "$DATA/mixed-$isa.elf" port new
    contains err '; some instructions of this set make other accesses than their bytes show: a program with such can only be decoded from a container'
  done
done

elf=$DATA/mixed-riscv64.elf
port riscv64 paper:pc_align_bits=1 # leaves want
awk 'NR > 500 && !done && NF == 2 && /S8:/ { done = sub("S8:", substr($2, 4) " S8:") && sub(" ", " L8:") } { print }' want >more.txt
! cmp -s want more.txt || die "no store of 8 bytes"
for tracer in paper shadow; do
  expect 0 "$OCTRACE" convert --isa riscv64 --to $tracer:pc_align_bits=1 more.txt port
  refuse 4 "$OCTRACE" convert --from $tracer:pc_align_bits=1 --elf "$elf" port new
  contains err "; a QEMU trace with store-conditionals can only be decoded from a container, and the part before may be wrong"
done

# Traps and times.
awk '{ print $0, "@" 3 * NR } NR % 50 == 10 { at = $1; sub("/.*", "", at); print "!exception 2 A:" at " V:abc P:1" }
  NR % 50 == 30 { print "!interrupt 7 A:1234 P:3" } NR % 50 == 40 { print "!privilege P:0" }' want >traps.txt
for format in paper:traps=1,timestamp=1,time_period_insns=1,pc_align_bits=1 shadow:traps=1,timestamp=1,time_period_insns=1; do
  expect 0 "$OCTRACE" convert --isa riscv64 --elf "$elf" --to "$format" traps.txt port
  expect 0 "$OCTRACE" convert --from "$format" --elf "$elf" --to text port back.txt
  grep -v '^#' back.txt | sed 's/ A:0*/ A:/; s/ V:0*/ V:/' >got
  # An instruction behind a sync has no stamp.
  sed 's/ A:0*/ A:/' traps.txt | paste -d '\n' - got | awk '
    NR % 2 { want = $0; next }
    / @/ { stamps++ }
    $0 != want { sub(" @.*", "", want); if ($0 != want || ++bare > 30) { print NR / 2 ": " $0 " is not " want; exit bad = 1 } }
    END { exit bad || stamps < 13000 }' >differences || { cat differences >&2; die "other traps or times: $format"; }
done

# What is no instruction may retire, too, before it traps.
python3 - <<'END'
import struct
code = bytes.fromhex("13000000ffffffff000001001300000000000000")
head = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 0xf3, 1, 0x10000, 52, 0, 1, 52, 32, 1, 0, 0, 0)
segment = struct.pack("<IIIIIIII", 1, 0x1000, 0x10000, 0x10000, len(code), len(code), 5, 0x1000)
open("illegal.elf", "wb").write((head + segment).ljust(0x1000, b"\0") + code)
END
printf '%s\n' 00010000 00010004 00010008/2 0001000a/2 0001000c >illegal.txt
sed 's,^[0-9a-f]*$,&/4,' illegal.txt >sized.txt
for format in paper:pc_align_bits=1 shadow; do
  expect 0 "$OCTRACE" convert --isa riscv32 --elf illegal.elf --to "$format" sized.txt illegal.port
  expect 0 "$OCTRACE" convert --from "$format" --elf illegal.elf --to text illegal.port back.txt
  grep -v '^#' back.txt | cmp illegal.txt - || { cat back.txt >&2; die "another trace of illegal words: $format"; }
done

refuse 4 "$OCTRACE" info --from paper port
contains err 'give its files with --elf'
refuse 4 "$OCTRACE" convert --from paper --elf "$elf" port new
refuse 4 "$OCTRACE" info --from paper:colour=1 --elf "$elf" port
contains err 'colour'
head -c 5000 /dev/zero >zeros
for format in paper shadow; do
  refuse 4 "$OCTRACE" convert --from $format --elf "$elf" zeros new
  contains err 'zeros: no sync: expected the bytes of a trace port with these parameters'
  refuse 4 "$OCTRACE" convert --from $format --elf "$elf" --max-map 100 port new
  contains err 'more than 100 places of instructions'
done
port riscv64 shadow
refuse 4 "$OCTRACE" convert --from shadow --elf "$elf@0x100000" port new
[ ! -e new ] || die "half of a trace is left"

# Damage: what comes out is the trace up to there, and nothing that no check confirmed. With --salvage comes what stands
# behind it, too, but for the periods that it hit. That in the first one is no beginning in the middle.
for format in paper:pc_align_bits=1,sync_period_insns=200 shadow:pc_align_bits=1,sync_insns=200; do
  rv=$DATA/mixed-riscv64
  expect 0 "$OCTRACE" convert --limit 2000 --elf "$rv.elf" --to "$format" "$rv.oct" port
  expect 0 "$OCTRACE" convert --from "$format" --elf "$rv.elf" --to text port want.txt
  size=$(wc -c <port)
  for part in 3 10 20 30 40 50 60 70 80 90; do
    python3 -c '
import sys
data = bytearray(open("port", "rb").read())
for at in sys.argv[1:]:
    data[int(at)] ^= 8
open("damaged.port", "wb").write(data)' $((size * part / 100))
    expect 4 "$OCTRACE" convert --from "$format" --elf "$rv.elf" --to text damaged.port -
    contains err '^octrace: damaged.port: .*bit [0-9]*: '
    cmp -n "$(wc -c <out)" out want.txt || die "$format: wrong instructions before the damage in part $part"
    [ "$part" -le 20 ] || [ "$(wc -l <out)" -gt 100 ] || die "$format: nothing before the damage in part $part"
    expect 3 "$OCTRACE" convert --salvage --from "$format" --elf "$rv.elf" --to text damaged.port rest.txt
    sed -i "/^!gap/d" rest.txt
    if [ "$part" = 90 ]; then
      contains err ': kept the [0-9]* instructions and [0-9]* accesses before it, how many are lost is unknown$'
      lost=$(($(wc -l <want.txt) - $(wc -l <rest.txt)))
    else
      contains err '^octrace: damaged.port: .*bit [0-9]*: .*: left out [0-9]* instructions$'
      lost=$(sed 's/.*left out //; s/ .*//' err)
    fi
    [ $((lost + $(wc -l <rest.txt))) -eq "$(wc -l <want.txt)" ] || die "$format: $lost lost, $(wc -l <rest.txt) lines"
    [ "$lost" -le 500 ] || die "$format: damage in part $part cost $lost instructions"
    diff rest.txt want.txt >differences || true
    ! grep -q '^<' differences || die "$format: wrong instructions behind the damage in part $part"
    rm -f rest.txt
  done
done

# Without checks nobody knows whether what precedes damage is right: the message says so, and only then.
for format in paper:check_bits=0,pc_align_bits=1,sync_period_insns=200 shadow:check=0,pc_align_bits=1,sync_insns=200 \
  paper:pc_align_bits=1,sync_period_insns=200 shadow:pc_align_bits=1,sync_insns=200; do
  expect 0 "$OCTRACE" convert --limit 2000 --elf "$rv.elf" --to "$format" "$rv.oct" port
  size=$(wc -c <port)
  { head -c $((size / 2)) port && printf '%40s' '' && tail -c +$((size / 2 + 41)) port; } >damaged.port
  head -c $((size / 2)) port >short.port
  expect 4 "$OCTRACE" convert --from "$format" --elf "$rv.elf" --to text damaged.port -
  case $format in
  *:check*) contains err 'before it, some may be wrong (no check covers them)$' ;;
  *) ! grep 'may be wrong (no' err || die "$format: what a check covers is in doubt" ;;
  esac
  expect 3 "$OCTRACE" convert --salvage --from "$format" --elf "$rv.elf" --to text damaged.port -
  case $format in
  *:check*) contains err ': left out .* instructions.*; some that came may be wrong (no check covers them)$' ;;
  *) contains err ': left out [0-9]* instructions$' ;;
  esac
  expect 4 "$OCTRACE" convert --from "$format" --elf "$rv.elf" --to text short.port -
  ! grep 'may be wrong (no' err || die "$format: what precedes a cut is in doubt"
done

# What is not asked for is not told: neither what follows --limit nor what was read ahead. Damage among what --skip leaves
# out makes other instructions of those behind it.
format=paper:pc_align_bits=1,sync_period_insns=200 rv=$DATA/mixed-riscv64
expect 0 "$OCTRACE" convert --limit 2000 --elf "$rv.elf" --to "$format" "$rv.oct" port
python3 - <<'PYTHON'
data = bytearray(open("port", "rb").read())
for part in 30, 70:
    data[len(data) * part // 100] ^= 8
open("damaged.port", "wb").write(data)
PYTHON
part() {
  want=$1
  shift
  expect "$want" "$OCTRACE" convert --salvage "$@" --from "$format" --elf "$rv.elf" --to text damaged.port -
}
part 3
contains err ': left out [0-9]* instructions here and at 1 other place$'
all=$(sed 's/.*left out //; s/ .*//' err)
part 0 --limit 300
[ ! -s err ] || die "told what --limit leaves out: $(cat err)"
part 3 --limit 1000
contains err ': left out [0-9]* instructions$'
first=$(sed 's/.*left out //; s/ .*//' err)
part 3 --skip 1000
contains err ': among those of --skip, which are now others: left out [0-9]* instructions$'
contains err ': left out [0-9]* instructions$'
[ "$(wc -l <err)" -eq 2 ] || die "$(wc -l <err) places"
rest=$(tail -n 1 err | sed 's/.*left out //; s/ .*//')
[ $((first + rest)) -eq "$all" ] || die "$first and $rest are not $all"
part 3 --skip 1000 --limit 50
[ "$(wc -l <err)" -eq 1 ] || die "told what comes behind: $(cat err)"
contains err ': among those of --skip'

# Without checks a part that comes twice leaves open how many instructions are missing.
format=shadow:pc_align_bits=1,sync_insns=200,check=0
expect 0 "$OCTRACE" convert --limit 2000 --elf "$rv.elf" --to "$format" "$rv.oct" port
python3 - <<'PYTHON'
data = open("port", "rb").read()
open("damaged.port", "wb").write(data[:len(data) * 6 // 10] + data[len(data) * 3 // 10:])
PYTHON
part 3
contains err ': left out \(instructions, how many is unknown\|at least [0-9]* instructions\)'
# A lost byte in front of a sync may cost no instruction at all: then none is told as left out.
format=shadow:pc_align_bits=1,sync_insns=500,check=0
expect 0 "$OCTRACE" convert --limit 2000 --elf "$rv.elf" --to "$format" "$rv.oct" port
size=$(wc -c <port) found=0
for at in $(seq 20 3 $((size - 20))); do
  { head -c "$at" port && tail -c +$((at + 2)) port; } >damaged.port
  part 3
  ! grep ' 0 instructions' err || die "told that nothing is left out, as a loss"
  ! grep -q ': no instruction is missing; some that came may be wrong' err || found=$((found + 1))
done
[ $found -gt 0 ] || die "no lost byte left all instructions"
