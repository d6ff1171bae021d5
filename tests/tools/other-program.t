SPDX-License-Identifier: Apache-2.0
A wrong program is refused for a trace that tells nothing but addresses, and the right one is taken, whatever else is odd in
the trace. In loops over the instruction sets, lines of the same kind are counted.

  $ set -o pipefail
  $ kinds() { sed -E 's/0x[0-9a-f]+/0xN/g; s/[0-9]+ of [0-9]+/N of N/; s/[^ ]*(rebuilt|mixed-[a-z0-9-]*)\.elf[@0-9]*:/ELF:/; s/: [0-9]+ instr/: N instr/' | sort | uniq -c; }
  $ sets='arm thumb aarch64 riscv64 x86-64 mips'
  $ for isa in $sets; do
  >   elf=../data/mixed-$isa.elf
  >   rebuild $elf rebuilt.elf
  >   octrace convert --to text ../data/mixed-$isa.oct trace.txt
  >   octrace convert --from text trace.txt trace.oct 2>err # neither bytes nor classes
  >   for trace in trace.txt trace.oct; do
  >     try octrace info --json --isa $isa --elf $elf $trace | grep effect_percent
  >     for wrong in $elf@4 $elf@16 rebuilt.elf; do
  >       try octrace convert --isa $isa --elf $wrong $trace new.oct
  >       try octrace convert --limit 100 --isa $isa --elf $wrong $trace new.oct
  >     done
  >   done
  > done 2>&1 | kinds
       12   "effect_percent": 100.0,
       36 4> octrace: ELF: another program than that of the trace (another build, or loaded elsewhere): its instruction at 0xN does not go to 0xN: give the right file, or no --elf
       36 4> octrace: ELF: another program than that of the trace (another build, or loaded elsewhere): its instruction at 0xN makes no access, the trace has one: give the right file, or no --elf
  $ ls new.oct
  2> ls: cannot access 'new.oct': No such file or directory

Traces with a choice of the instructions: those with accesses, those without, some at regular and at other distances.
Nothing that is left out speaks against the program; accesses speak against another.

  $ for isa in $sets; do
  >   elf=../data/mixed-$isa.elf
  >   octrace convert --to text ../data/mixed-$isa.oct trace.txt
  >   grep -E '^#|[LS][0-9]*:' trace.txt >accesses.txt
  >   grep -Ev 'S[0-9]*:' trace.txt >no-stores.txt
  >   awk '/^#/ || n++ % 2' trace.txt >half.txt
  >   awk '/^#/ || n++ % 3' trace.txt >most.txt
  >   awk 'BEGIN { srand(1) } /^#/ || rand() < 0.7' trace.txt >some.txt
  >   for trace in accesses no-stores half most some; do try octrace info --isa $isa --elf $elf $trace.txt >out; done
  >   try octrace convert --from text --to vpc3 --isa $isa accesses.txt accesses.vpc3
  >   try octrace info --from vpc3 --isa $isa --elf $elf accesses.vpc3 >out
  >   try octrace info --isa $isa --elf $elf@16 half.txt
  > done 2>&1 | kinds
        3 4> octrace: ELF: another program than that of the trace (another build, or loaded elsewhere): its instruction at 0xN does not go to 0xN: give the right file, or no --elf
        3 4> octrace: ELF: another program than that of the trace (another build, or loaded elsewhere): its instruction at 0xN makes no access, the trace has one: give the right file, or no --elf

Windows of 40 instructions with 100 left out between them: each ends in a step that no instruction explains, always at
another place. Sizes that a recorder guessed: those of jumps. Code of either kind, of which no symbol says which. Of
several files the one that is wrong is named.

  $ text() { octrace convert --to text ../data/mixed-$1.oct -; }
  $ text mips | awk '/^[0-9a-f]/ && n++ % 140 < 40' >windows.txt
  $ text riscv64 | sed -E 's#^([0-9a-f]+)(/[0-9]+)?#\1/4#' >guessed.txt
  $ text thumb >thumb.txt
  $ text x86-64 >x86.txt
  $ strip_sections ../data/mixed-thumb.elf stripped.elf
  $ quiet octrace info @
  | --isa mips --elf ../data/mixed-mips.elf windows.txt
  | --isa riscv64 --elf ../data/mixed-riscv64.elf guessed.txt
  | --elf stripped.elf thumb.txt
  | --isa x86-64 --elf ../data/mixed-x86-64.elf@0x5000000 --elf ../data/mixed-x86-64.elf@16 x86.txt => 4> octrace: ../data/mixed-x86-64.elf: another program than that of the trace (another build, or loaded elsewhere): its instruction at 0x400390 does not go to 0x400396: give the right file, or no --elf

A program that changed its own code before it was executed, one function of it: the trace is right. Where many instructions
differ, it is another program. Without bytes, the classes and the targets tell. (The shares are for docs/effects.md.)

  $ for isa in $sets; do
  >   elf=../data/mixed-$isa.elf trace=../data/mixed-$isa.oct
  >   octrace convert --elf $elf $trace bytes.oct
  >   octrace convert --to text $trace - | sed -n 's#^0*\([0-9a-f][0-9a-f]*\).*#\1#p' >path
  >   sort -u path >addresses
  >   sed -n '40,49p' addresses >few
  >   sed -n '40,99p' addresses >many
  >   patch $elf patched.elf few
  >   first=$(grep -m 1 -x -F -f few path) n=$(wc -l <addresses)
  >   try octrace convert bytes.oct want.oct
  >   try octrace convert --elf patched.elf bytes.oct got.oct 2>&1 | tee err
  >   grep -q " 10 of $n instructions differ in the trace, which is right, the first at 0x$first\$" err || echo "not $n, $first"
  >   cmp want.oct got.oct
  >   octrace compress --tracer shadow --output new bytes.oct 2>err
  >   octrace decompress --output want.oct new
  >   for apart in '' --program-apart; do
  >     octrace compress --tracer shadow --elf patched.elf $apart --output new bytes.oct 2>&1 | grep ' differ in the trace'
  >     octrace decompress ${apart:+--elf patched.elf} --output got.oct new
  >     same want.oct got.oct
  >   done
  >   rm new
  >   octrace convert --elf patched.elf $trace got.oct
  >   same $trace got.oct
  >   patch $elf patched.elf many
  >   rebuild $elf rebuilt.elf
  >   try octrace convert --elf patched.elf bytes.oct new
  >   for wrong in rebuilt.elf $elf@4; do
  >     try octrace convert --elf $wrong bytes.oct new 2>&1 | tee -a with-bytes
  >     try octrace convert --elf $wrong $trace new 2>&1 | tee -a without-bytes
  >   done
  > done 2>&1 | kinds
        6 0> octrace: note: patched.elf: N of N instructions differ in the trace, which is right, the first at 0xN
       24 4> octrace: ELF: another program than that of the trace (another build, or loaded elsewhere): N of N instructions differ, the first at 0xN: give the right file, or no --elf
        6 4> octrace: patched.elf: another program than that of the trace (another build, or loaded elsewhere): N of N instructions differ, the first at 0xN: give the right file, or no --elf
       17 octrace: note: patched.elf: N of N instructions differ in the trace, which is right, the first at 0xN
  $ ls new
  2> ls: cannot access 'new': No such file or directory
  $ for traces in with-bytes without-bytes; do
  >   sed -n 's/.*: \([0-9]*\) of \([0-9]*\) instructions differ.*/\1 \2/p' $traces | awk -v traces=$traces '{ share = 100 * $1 / $2 }
  >     NR == 1 || share < least { least = share }
  >     share > most { most = share }
  >     END { printf "%s: %d other programs differ in %.0f to %.0f %%\n", traces, NR, least, most }'
  > done
  with-bytes: 12 other programs differ in 72 to 100 %
  without-bytes: 12 other programs differ in 19 to 81 %

An instruction that had the bytes of the file before is one of the program. So few that hardly one of them is as in the file
are another program's.

  $ xz -dc ../samples/foreign/arm.execlog.xz >log
  $ sed -n '1s/, 0x\(.......\)[0-9a-f],/, 0x\1f,/p' log >changed
  $ cat log changed log >late
  $ cat changed log >early
  $ head -n 3 log >short
  $ quiet octrace info @
  | --from execlog --isa arm --elf ../data/mixed-arm.elf late => 0> octrace: note: late: 2 instructions cannot follow the one before, first number 3000: lines are missing or damaged, or traps are not in the log
  | --from execlog --isa arm --elf ../data/mixed-arm.elf early
  0> octrace: note: early: 1 instruction cannot follow the one before, first number 1: lines are missing or damaged, or traps are not in the log
  0> octrace: note: ../data/mixed-arm.elf: 1 of 97 instructions differ in the trace, which is right, the first at 0x10098
  | --from execlog --isa arm --elf ../data/mixed-arm.elf@4 short => 4> octrace: ../data/mixed-arm.elf: another program than that of the trace (another build, or loaded elsewhere): 3 of 3 instructions differ, the first at 0x10098: give the right file, or no --elf
  | --elf ../data/mixed-mips.elf@0x5000000 --elf rebuilt.elf bytes.oct => 4> octrace: rebuilt.elf: another program than that of the trace (another build, or loaded elsewhere): 225 of 288 instructions differ, the first at 0x400430: give the right file, or no --elf
