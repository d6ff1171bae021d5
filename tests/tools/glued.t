SPDX-License-Identifier: Apache-2.0
Text of the traced program in front of a line of a log, and colours, lose no instruction.

  $ cat >spike.log <<'END'
  > core   0: 3 0x0000000080000000 (0x00000093) x1  0x0000000000000000
  > core   0: 3 0x0000000080000004 (0x0000b103) x2  0x0000000000000005 mem 0x0000000080001000
  > core   0: exception trap_load_page_fault, epc 0x0000000080000008
  > core   0:           tval 0x0000000000001234
  > core   1: 3 0x0000000080000100 (0x0020b423) mem 0x0000000080001008 0x0000000000000005
  > END
  $ cat >commit.log <<'END'
  > 3 0x0000000080000000 (0x00000093) x10 0x0000000000000000
  > 3 0x0000000080000004 (0x0000b103) x 2 0x0000000000000005 mem 0x0000000080001000
  > END
  $ printf '%15d\t%10d\t%s\t%s\t%s\t%s\n' 12 6 00000084 4305 'c.li' 'x6,1' 14 7 00000086 00a50503 'lb' 'x10 PA:0x0000200a' 16 8 0000008a 00000013 nop '' >ibex.log
  $ cat >cva6.log <<'END'
  >                   73 0x10000 M (0x00100413) DASM(00100413)
  >                   74 0x80000000 M (0x00a52023) DASM(00a52023)
  > Exception Cause:     8, DASM(00000000) PC=0000000080000004
  >                   94 0x80000100 M (0x00000013) DASM(00000013)
  > END
  $ cat >hart.log <<'END'
  >      100ns       10 M 0000000080000000 0 00a53023 sd              a0, 0(a0) VA: 0000000080001000 PA: 00080001000
  >      105ns       11 M 0000000080000004 0 00000013 nop
  > END
  $ cat >rocket.log <<'END'
  > C0:        483 [1] pc=[00000002138] W[r 3=000000007fff7fff][1] inst=[002081b3] add s1, ra, s0
  > C1:        485 [1] pc=[00000002138] W[r 3=000000007fff7fff][1] inst=[00a53023] sd
  > END
  $ cat >whisper.log <<'END'
  > #1 0 000100a8     1141 r 02         fffffff0  c.addi   x2, -0x10
  > #2 0 000100aa     c606 m 000ffffc   00000007  c.swsp   x1, 0xc
  > END
  $ cat >veer.log <<'END'
  >         36 :       #1 0 80000000 00000093            ra=00000000                ; addi    ra,zero,0
  >         37 :       #2 0 80000004 0000a103            sp=00000000                ; lw      sp,0(ra) [f0040000]
  > END
  $ cat >sail.log <<'END'
  > [0] [M]: 0x0000000000001000 (0x0182B283) ld t0, 0x18(t0)
  > mem[R,0x0000000000001018] -> 0x0000000080000000
  > [1] [M]: 0x0000000000001004 (0x00000073) ecall
  > handling exc#m-call at priv M with tval 0x0000000000000000
  > [2] [M]: 0x0000000080000100 (0x00000013) nop
  > END
  $ cat >neorv32.log <<'END'
  > 52168 256630 0x000024f6 0xc00026f3 U csrrs       x13, cycle, x0
  > 52170 256635 0x000024fe 0x0001     U c.addi      x0, x0, 0
  > END
  $ cat >gem5.log <<'END'
  >       0: system.cpu: A0 T0 : 0x10400 @main+8    :   ldr x0, [x1]   : MemRead :  D=0x0 A=0x20000  flags=(IsLoad)
  >    1000: system.cpu: A0 T0 : 0x10404 @main+12    : nop
  > END
  $ cat >view.log <<'END'
  >    6           1:     3264734 ifetch       3 byte(s) @ 0x00007f1a4ca8d080 48 89 e7             mov    %rsp, %rdi
  >    7           2:     3264734 ifetch       5 byte(s) @ 0x00007f1a4ca8d083 e8 98 0d 00 00       call   $0x00007f1a4ca8de20
  >    8           2:     3264734 write        8 byte(s) @ 0x00007ffd3ecf7a48 by PC 0x00007f1a4ca8d083
  > END
  $ printf '0, 0xa12, 0x00000513, "li a0, 0"\n0, 0xa16, 0x00052503, "lw a0, 0(a0)", load, 0x00020000, RAM\n' >execlog.log
  $ printf 'I  04001000,3\n L 1ffeffe7e,8\nI  04001003,4\n' >lackey.log
  $ printf 'ls 26 [003] 22513.123456789:  7f2bd63ab540 f+0x0 (/lib/ld.so) insn: 55\nls 26 [003] 22513.123456789:  7f2bd63ab541 f+0x0 (/lib/ld.so) insn: 90\n' >perf.log

Each line but the first in turn.

  $ for log in *.log; do
  >   octrace convert --to text $log want 2>notes && [ $(grep -c '^[0-9a-f]' want) -gt 1 ] || echo "$log is not read"
  >   for front in 'Hello' 'x = 0x10, 5 ' '\033[1;31m\033[38;5;1m\033[K  '; do
  >     for line in $(seq 2 $(wc -l <$log)); do
  >       { head -n $((line - 1)) $log; printf "$front"; tail -n +$line $log; } >in
  >       octrace convert --to text in got 2>notes && cmp -s want got || echo "$log: $front at line $line: $(cat notes)"
  >     done
  >   done
  >   sed 's/^/'$(printf '\033')'[32m/; s/$/'$(printf '\033')'[0m/' $log >in
  >   octrace convert --to text in - 2>notes | cmp - want || echo "$log: all in colour"
  > done

Two instructions on a line are told, and so is one that is damaged.

  $ { cat spike.log; echo "$(tail -n 1 commit.log)core   0: 3 0x0000000080000004 (0x0000b103)"; } >in
  $ octrace convert in out.oct
  4> octrace: in:6: expected one instruction a line, and all digits of its address, found '3 0x0000000080000004 (0x0000b103) x 2 0': nothing is written (--salvage keeps the 3 instructions and 2 accesses before it)
  $ { cat spike.log; echo 'Hello core   0: 3 0x00000000800 (0x00core 1: x'; } >in
  $ octrace convert in out.oct
  4> octrace: in:6: expected '0xPC (0xINSN)' after 'core N: P', or 'core N:' of -l, found '(0x00core 1: x': nothing is written (--salvage keeps the 3 instructions and 2 accesses before it)

A logger's prefix is named, with how to cut it off.

  $ for front in '[spike]' '2024-01-01T00:00:00.123Z' '2024-01-01 00:00:00,123' 'spike_1  |' 'Jan  1 00:00:00 host'; do
  >   sed "s/^/$front /" spike.log >in
  >   octrace info in 2>said || sed 's/.* with //' said
  >   octrace convert --to text spike.log want
  >   eval "$(sed 's/.* with //; s/LOG | octrace ... -/in | octrace convert --to text - got/' said)" && cmp want got
  > done
  sed -E 's/^([[:blank:]]*[^[:blank:]]+){1}[[:blank:]]//' LOG | octrace ... -
  sed -E 's/^([[:blank:]]*[^[:blank:]]+){1}[[:blank:]]//' LOG | octrace ... -
  sed -E 's/^([[:blank:]]*[^[:blank:]]+){2}[[:blank:]]//' LOG | octrace ... -
  sed -E 's/^([[:blank:]]*[^[:blank:]]+){2}[[:blank:]]//' LOG | octrace ... -
  sed -E 's/^([[:blank:]]*[^[:blank:]]+){4}[[:blank:]]//' LOG | octrace ... -

The last line of a log that is cut off anywhere is left out, unless it is whole.

  $ for log in *.log; do
  >   head -n -1 $log >less && octrace convert --to text less without 2>notes || echo "$log: $(cat notes)"
  >   octrace convert --to text $log whole 2>notes
  >   all=$(wc -c <$log) less=$(wc -c <less)
  >   for n in $(seq $((less + 1)) 11 $((all - 2))) $((all - 2)); do
  >     head -c $n $log >in
  >     octrace convert --to text in got 2>notes || echo "$log: $n: $(cat notes)"
  >     cmp -s got without || cmp -s got whole || echo "$log: $n of $all bytes"
  >   done
  > done
