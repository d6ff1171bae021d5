#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# two-programs.sh - which files are taken for a trace of two programs: where one takes the place of the
# other (exec), at the same addresses or elsewhere; and where interrupts lead into a kernel?
. "$(dirname "$0")/lib.sh"

other='octrace: [^ ]*: another program than that of the trace (another build, or loaded elsewhere): its instruction at 0x[0-9a-f]* .*'

# move BIAS: a text of instructions, BIAS bytes further on.
move() {
  python3 -c '
import re, sys
mask = (1 << 64) - 1
for line in sys.stdin:
    print(re.sub("^[0-9a-f]+", lambda pc: f"{int(pc[0], 16) + int(sys.argv[1], 0) & mask:x}", line), end="")' "$1"
}

# interrupt USER KERNEL: pieces of the two texts in turn, with the traps between them.
interrupt() {
  python3 - "$1" "$2" <<'END_PY'
import random, sys
user, kernel = ([line for line in open(name) if line[0] != "#"] for name in sys.argv[1:])
random.seed(1)
at = k = 0
while at < len(user):
    n = random.randint(5, 400)
    print("".join(user[at:at + n]), end="")
    at += n
    if at >= len(user):
        break
    print("!interrupt 7 A:" + user[at].split()[0].split("/")[0] + " P:1")
    n = random.randint(5, 100)
    print("".join(kernel[k:k + n]), end="")
    k = (k + n) % len(kernel)
    print("!privilege P:0")
END_PY
}

percent() { sed -n 's/.*"shadow_percent": \([0-9]*\).*/\1/p' out; }

for isa in arm riscv64 x86-64; do
  elf=$DATA/mixed-$isa.elf
  expect 0 "$OCTRACE" convert --to text "$DATA/mixed-$isa.oct" first.txt
  n=$(grep -c '^[0-9a-f]' first.txt)

  # At the same addresses: a program that runs for less than half of the time is refused. Each is that of
  # its part.
  move 16 <first.txt >second.txt
  cat first.txt second.txt >exec.txt
  cat exec.txt second.txt >short.txt
  for given in "--elf $elf" "--elf $elf --elf $elf@16"; do
    # shellcheck disable=SC2086 # options
    refuse 4 "$OCTRACE" convert --isa $isa $given short.txt new.oct
    one_line "$other"
  done
  cat first.txt exec.txt >short.txt
  refuse 4 "$OCTRACE" convert --isa $isa --elf "$elf@16" short.txt new.oct
  one_line "$other"
  expect 0 "$OCTRACE" convert --isa $isa --limit "$n" exec.txt first.oct
  expect 0 "$OCTRACE" convert --isa $isa --skip "$n" exec.txt second.oct
  for part in "first.oct $elf" "second.oct $elf@16"; do
    expect 0 "$OCTRACE" info --json --elf "${part#* }" "${part% *}"
    [ "$(percent)" = 100 ] || die "$isa: ${part% *}: $(percent) % have an effect"
  done
  refuse 4 "$OCTRACE" info --elf "$elf" second.oct
  one_line "$other"

  # Elsewhere: each file serves its own instructions, and one of them is enough.
  move 0x10000000 <first.txt >second.txt
  cat first.txt second.txt >exec.txt
  expect 0 "$OCTRACE" info --json --isa $isa --elf "$elf" --elf "$elf@0x10000000" exec.txt
  [ "$(percent)" = 100 ] || die "$isa: with both programs $(percent) % have an effect"
  for one in "$elf" "$elf@0x10000000"; do
    expect 0 "$OCTRACE" info --json --isa $isa --elf "$one" exec.txt
    [ "$(percent)" = 50 ] || die "$isa: with one program $(percent) % have an effect"
  done

  # A kernel at the top of the address space, entered by interrupts, with and without the traps.
  kernel=0xc0000000 beside=0xc0000010
  case $isa in *64) kernel=0xffffffff80000000 beside=0xffffffff80000010 ;; esac
  move $kernel <first.txt >kernel.txt
  interrupt first.txt kernel.txt >traps.txt
  grep -v '^!' traps.txt >silent.txt
  for trace in traps.txt silent.txt; do
    expect 0 "$OCTRACE" convert --isa $isa --elf "$elf" --elf "$elf@$kernel" $trace bytes.oct
    [ ! -s err ] || die "$isa: $(cat err)"
    expect 0 "$OCTRACE" info --json bytes.oct
    [ "$(percent)" = 100 ] || die "$isa: $trace: $(percent) % have an effect"
    refuse 4 "$OCTRACE" convert --isa $isa --elf "$elf" --elf "$elf@$beside" $trace new.oct
    one_line "$other"
    # The kernel has changed some of its own code before.
    sed -n 's#^0*\([0-9a-f][0-9a-f]*\).*#\1#p' first.txt | sort -u | sed -n '40,49p' >few
    patch "$elf" patched.elf few
    expect 0 "$OCTRACE" convert --elf "$elf" --elf "patched.elf@$kernel" bytes.oct new.oct
    one_line 'octrace: note: patched.elf: [0-9]* of [0-9]* instructions differ in the trace, which is right, the first at 0x[0-9a-f]*'
    rm new.oct
  done
done
