SPDX-License-Identifier: Apache-2.0
Two programs of a trace: where one takes the place of the other (exec) at the same addresses, one that runs for less than
half of the time is refused, and each is that of its part. Elsewhere each file serves its own instructions, and one is enough.

  $ set -o pipefail
  $ kinds() { sed -E 's/0x[0-9a-f]+/0xN/g; s/[0-9]+ of [0-9]+/N of N/; s/[^ ]*(rebuilt|mixed-[a-z0-9-]*)\.elf[@0-9]*:/ELF:/; s/: [0-9]+ instr/: N instr/' | sort | uniq -c; }
  $ percent() { try octrace info --json "$@" | grep -E 'effect_percent|>'; }
  $ for isa in arm riscv64 x86-64; do
  >   elf=../data/mixed-$isa.elf
  >   octrace convert --to text ../data/mixed-$isa.oct first.txt
  >   n=$(grep -c '^[0-9a-f]' first.txt)
  >   move 16 <first.txt >second.txt
  >   cat first.txt second.txt >exec.txt
  >   cat exec.txt second.txt >short.txt
  >   cat first.txt exec.txt >long.txt
  >   try octrace convert --isa $isa --elf $elf short.txt new.oct
  >   try octrace convert --isa $isa --elf $elf --elf $elf@16 short.txt new.oct
  >   try octrace convert --isa $isa --elf $elf@16 long.txt new.oct
  >   octrace convert --isa $isa --limit $n exec.txt first.oct
  >   octrace convert --isa $isa --skip $n exec.txt second.oct
  >   percent --elf $elf first.oct
  >   percent --elf $elf@16 second.oct
  >   percent --elf $elf second.oct
  >   move 0x10000000 <first.txt >second.txt
  >   cat first.txt second.txt >exec.txt
  >   percent --isa $isa --elf $elf --elf $elf@0x10000000 exec.txt
  >   percent --isa $isa --elf $elf exec.txt
  >   percent --isa $isa --elf $elf@0x10000000 exec.txt
  > done 2>&1 | kinds
        9   "effect_percent": 100.0,
        6   "effect_percent": 50.0,
        8 4> octrace: ELF: another program than that of the trace (another build, or loaded elsewhere): its instruction at 0xN does not go to 0xN: give the right file, or no --elf
        4 4> octrace: ELF: another program than that of the trace (another build, or loaded elsewhere): its instruction at 0xN makes no access, the trace has one: give the right file, or no --elf
  $ ls new.oct
  2> ls: cannot access 'new.oct': No such file or directory

A kernel at the top of the address space, entered by interrupts, with and without the traps; it has changed some of its own
code before.

  $ interrupt() { # pieces of the two texts in turn, with the traps between them
  >   python3 - "$1" "$2" <<'END'
  > import random, sys
  > user, kernel = ([line for line in open(name) if line[0] != "#"] for name in sys.argv[1:])
  > random.seed(1)
  > at = k = 0
  > while at < len(user):
  >     n = random.randint(5, 400)
  >     print("".join(user[at:at + n]), end="")
  >     at += n
  >     if at >= len(user):
  >         break
  >     print("!interrupt 7 A:" + user[at].split()[0].split("/")[0] + " P:1")
  >     n = random.randint(5, 100)
  >     print("".join(kernel[k:k + n]), end="")
  >     k = (k + n) % len(kernel)
  >     print("!privilege P:0")
  > END
  > }
  $ for isa in arm:0xc0000000:0xc0000010 riscv64:0xffffffff80000000:0xffffffff80000010 x86-64:0xffffffff80000000:0xffffffff80000010; do
  >   IFS=: read -r isa kernel beside <<<$isa
  >   elf=../data/mixed-$isa.elf
  >   octrace convert --to text ../data/mixed-$isa.oct first.txt
  >   move $kernel <first.txt >kernel.txt
  >   interrupt first.txt kernel.txt >traps.txt
  >   grep -v '^!' traps.txt >silent.txt
  >   sed -n 's#^0*\([0-9a-f][0-9a-f]*\).*#\1#p' first.txt | sort -u | sed -n '40,49p' >few
  >   patch $elf patched.elf few
  >   for trace in traps.txt silent.txt; do
  >     try octrace convert --isa $isa --elf $elf --elf $elf@$kernel $trace bytes.oct
  >     percent bytes.oct
  >     try octrace convert --isa $isa --elf $elf --elf $elf@$beside $trace new.oct
  >     try octrace convert --elf $elf --elf patched.elf@$kernel bytes.oct changed.oct
  >   done
  > done 2>&1 | kinds
        6   "effect_percent": 100.0,
        6 0> octrace: note: patched.elf: N of N instructions differ in the trace, which is right, the first at 0xN
        4 4> octrace: ELF: another program than that of the trace (another build, or loaded elsewhere): its instruction at 0xN does not go to 0xN: give the right file, or no --elf
        2 4> octrace: ELF: another program than that of the trace (another build, or loaded elsewhere): its instruction at 0xN makes no access, the trace has one: give the right file, or no --elf
  $ ls new.oct
  2> ls: cannot access 'new.oct': No such file or directory
