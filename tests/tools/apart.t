SPDX-License-Identifier: Apache-2.0
A container without its program gives the trace back with that program, whatever it was stripped of, and with no other one.
There and back with every tracer that takes the trace, for every instruction set: nothing is printed where that holds.

  $ set -o pipefail
  $ change() { # another build, in which one byte of the last code segment differs, at its end
  >   edit_elf "$1" "$2" '
  > offset, _, size = code[-1]
  > data[offset + size - 1] ^= 1'
  > }
  $ map_bytes() { octrace info --json $1 | sed -n 's/^ *"map_bytes": \([0-9]*\).*/\1/p'; }
  $ for isa in arm thumb aarch64 riscv64 x86-64 mips; do
  >   elf=../data/mixed-$isa.elf trace=../data/mixed-$isa.oct
  >   strip_sections $elf bare.elf
  >   change $elf other.elf
  >   cmp -s $elf bare.elf && echo "nothing was stripped"
  >   tracers='paper raw shadow'
  >   [ $isa != x86-64 ] || tracers="$tracers intel-pt"
  >   [ $isa != riscv64 ] || tracers="$tracers etrace"
  >   for tracer in $tracers; do
  >     octrace compress --tracer $tracer --elf $elf -o whole.octp $trace 2>err || cat err
  >     octrace compress --tracer $tracer --elf $elf --program-apart -o apart.octp $trace 2>err || cat err
  >     [ $(map_bytes apart.octp) -lt $(map_bytes whole.octp) ] || echo "$tracer: the map is not smaller"
  >     octrace info --json apart.octp | grep "\"program_0\": \".*mixed-$isa.elf\"" >found || echo "$tracer: no name"
  >     octrace decompress -o whole.oct whole.octp
  >     for program in $elf bare.elf; do
  >       octrace decompress --elf $program -o back.oct apart.octp
  >       same whole.oct back.oct
  >       octrace verify --elf $program --container apart.octp $trace >out || cat out
  >     done
  >     try octrace decompress --elf other.elf -o new apart.octp
  >     try octrace decompress -o new apart.octp
  >     try octrace verify --elf other.elf --container apart.octp whole.oct
  >   done
  > done 2>&1 | sed -E 's/[0-9a-f]{16}/H/g; s/mixed-[a-z0-9-]*/MIXED/; s|[^ ]*/tests/traces|..|' | sort | uniq -c
       20 4> octrace: apart.octp: the program is in a file of its own: expected --elf with the one whose code has the hash H (../data/MIXED.elf)
       40 4> octrace: other.elf: another build of the program than that of the trace: its code has the hash H, expected H (../data/MIXED.elf)
  $ ls new
  2> ls: cannot access 'new': No such file or directory

A copy without symbols, as strip leaves it.

  $ octrace compress --tracer shadow --elf ../data/mixed-x86-64.elf --program-apart -o apart.octp ../data/mixed-x86-64.oct 2>err
  $ ! command -v objcopy >found || objcopy --strip-all ../data/mixed-x86-64.elf bare.elf || strip_sections ../data/mixed-x86-64.elf bare.elf
  $ octrace decompress --elf bare.elf -o back.oct apart.octp

Loaded elsewhere than linked: the place belongs to the trace. Several files, in any order; one more does no harm, one less
does.

  $ as_text ../data/mixed-x86-64.oct | move 0x10000000 >moved.txt
  $ cp ../data/mixed-x86-64.elf elf
  $ octrace compress --tracer shadow --elf elf@0x10000000 --program-apart -o moved.octp moved.txt 2>err
  $ octrace info moved.octp | grep program_0
  program_0              elf
  program_0_bias         268435456
  program_0_hash         127d517f738f6db5
  $ octrace compress --tracer shadow --elf elf@0x10000000 --elf elf --program-apart -o two.octp moved.txt 2>err
  $ octrace @
  | verify --elf elf@0x10000000 --container moved.octp moved.txt => moved.txt: container: 14881 instructions and 2115 accesses equal
  | decompress --elf elf -o new moved.octp => 4> octrace: elf: loaded at another place than in the trace: expected --elf FILE@0x10000000
  | decompress --elf elf@0x1000 -o new moved.octp => 4> octrace: elf: loaded at another place than in the trace: expected --elf FILE@0x10000000
  | verify --elf elf --elf elf@0x10000000 --elf elf@0x20000000 --container two.octp moved.txt
  moved.txt: container: 14881 instructions and 2115 accesses equal
  0> octrace: note: elf: it was loaded elsewhere: give --elf elf@0x10000000
  0> octrace: note: elf: it was loaded elsewhere: give --elf elf@0x10000000
  | decompress --elf elf@0x10000000 -o new two.octp => 4> octrace: elf: loaded at another place than in the trace: expected --elf FILE@0x0

Syncs, packets; what needs no program needs none. Only containers of tracers have a program.

  $ octrace compress --tracer shadow -g shadow,sync_insns=5000 --elf elf --program-apart -o apart.octp ../data/mixed-x86-64.oct 2>err
  $ octrace compress --tracer raw --elf elf --program-apart -o raw.octp ../data/mixed-x86-64.oct 2>err
  $ change elf other.elf
  $ quiet octrace @
  | decompress --from-sync 2 --elf elf -o back.oct apart.octp
  | packets apart.octp
  | packets --elf elf apart.octp
  | packets --elf other.elf apart.octp => 4> octrace: other.elf: another build of the program than that of the trace: its code has the hash ed5e1cb4f3f49442, expected 127d517f738f6db5 (elf)
  | info --elf other.elf apart.octp => 4> octrace: other.elf: another build of the program than that of the trace: its code has the hash ed5e1cb4f3f49442, expected 127d517f738f6db5 (elf)
  | packets raw.octp => 4> octrace: raw.octp: the program is in a file of its own: expected --elf with the one whose code has the hash 127d517f738f6db5 (elf)
  | packets --elf elf raw.octp
  | compress --program-apart -o new ../data/mixed-x86-64.oct => 2> octrace: compress: --program-apart is for the container of a tracer, with --elf (see octrace compress --help)
  | compress --program-apart --codec shadow --elf elf -o new ../data/mixed-x86-64.oct => 2> octrace: compress: --program-apart is for the container of a tracer, with --elf (see octrace compress --help)
  | decompress --elf elf -o elf apart.octp => 2> octrace: decompress: elf: input and output are the same file
  $ ls new
  2> ls: cannot access 'new': No such file or directory
