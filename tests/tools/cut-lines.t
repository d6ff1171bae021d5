SPDX-License-Identifier: Apache-2.0
A line in the middle of a log that is cut, or that runs into the next one, is told: it is refused, or an instruction
cannot follow the one before, or a load or store has no address.

Each log has 16 instructions, of which every other one loads or stores: its name, and where a line is beyond doubt one
of the log. What may come before, a program may have written.

  $ log() {
  >   name=$1 pattern=$2
  >   for n in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do
  >     case $n in
  >     [048c]) kind=lw code=0000a103 at=" $3" ;;
  >     [26ae]) kind=sw code=0020a223 at=" $4" ;;
  >     *) kind=addi code=00000013 at= ;;
  >     esac
  >     pc=800000$(printf %02x $((0x$n * 4)))
  >     eval "printf '%s\n' \"$pattern$at\""
  >   done | sed 's/ *$//; s/|/\n/g' >$name.log
  > }
  $ log spike 'core   0: 3 0x$pc ($code)' 'x2 0x00000005 mem 0x80001000' 'mem 0x80001004 0x00000005' && sed -i 's/(0/(0x0/' spike.log
  $ log ibex '  1$((0x$n))\t  20\t$pc\t$code\t$kind\tx1' 'x1:0x00000000 PA:0x80001000' 'x1:0x00000000 PA:0x80001004' && sed -i 's/\\t/\t/g' ibex.log
  $ log hart '100ns 1$((0x$n)) M $pc 0 $code $kind a0' 'VA: 80001000 PA: 00080001000' 'VA: 80001004 PA: 00080001004'
  $ log rocket 'C0: 48$((0x$n)) [1] pc=[$pc] W[r 3=0][1] inst=[$code] $kind s1' '' ''
  $ log sail '[$((0x$n))] [M]: 0x$pc (0x$code) $kind t0' '|mem[R,0x80001000] -> 0x00000005' '|mem[0x80001004] <- 0x00000005'
  $ log neorv32 '52$((0x$n)) 2560 0x$pc 0x$code M $kind x0' '' ''
  $ log execlog '0, 0x$pc, 0x$code, \"$kind a0,4(sp)\"' ', load, 0x80001000, RAM' ', store, 0x80001004, RAM' && sed -i 's/" ,/",/' execlog.log

  $ told() {
  >   octrace convert --from $1 --to text in got 2>said && ! [ -s said ] && ! cmp -s got want && echo "$2: $(sed -n ${3}p in)" || true
  > }
  $ cut_lines() {
  >   format=$1 log=$2.log first=$3
  >   octrace convert --from $format --to text $log want && grep -vc '^[#!]' want
  >   for line in 5 6; do
  >     text=$(sed -n ${line}p $log)
  >     for n in $(seq $first 13 $((${#text} - 1))); do
  >       sed -E "${line}s/^(.{$n}).*/\1/" $log >in && told $format cut $line
  >       sed -E "${line}{s/^(.{$n}).*/\1/; N; s/\n//}" $log >in && told $format joined $line
  >     done
  >     sed "${line}{N; s/\n//}" $log >in && told $format joined $line
  >   done
  > }
  $ cut_lines spike spike 7
  16
  $ cut_lines ibex ibex 1
  16
  $ cut_lines cva6 hart 1
  16
  $ cut_lines rocket rocket 1
  16
  $ cut_lines sail sail 5
  16
  $ cut_lines neorv32 neorv32 1
  16
  $ cut_lines execlog execlog 1
  16

Logs that do not have the bytes of instructions: a line that holds two, or ends within what is in front of the address.

  $ refused() { octrace convert --from $1 in out.oct 2>&1 | cut -d, -f1; }
  $ cat >gem5.log <<'END'
  >       0: system.cpu: A0 T0 : 0x10400 @main+8    :   ldr x0, [x1]   : MemRead :  D=0x0 A=0x20000  flags=(IsLoad)
  >    1000: system.cpu: A0 T0 : 0x10404 @main+12    : nop
  > END
  $ { cat gem5.log; echo '  2000: system.cpu: A0 T0'; } >in; refused gem5
  octrace: in:3: expected '0xPC ... : disassembly'
  $ { cat gem5.log; echo '  2000: system.cpu: A0 T0 : 0x104  2500: system.cpu: A0 T0 : 0x1040c @main+20    : nop'; } >in; refused gem5
  octrace: in:3: expected '0xPC ... : disassembly'
  $ printf 'I  04001000,3\n L 1ffeffe7e,8\nI  0400\nI  04001008,4\n' >in; refused lackey
  octrace: in:3: expected 'ADDRESS
  $ printf 'I  04001000,3\n L 1ffeffe7e,8\nI  04001003,4I  04001007,4\n' >in; refused lackey
  octrace: in:3: expected a size in bytes
  $ cat >view.log <<'END'
  >    6           1:     3264734 ifetch       3 byte(s) @ 0x00007f1a4ca8d080 48 89 e7             mov    %rsp, %rdi
  >    7           2:     3264734 ifetch       5 byte(s) @ 0x00007f1a4ca8d083 e8 98 0d 00 00       call   $0x00007f1a4ca8de20
  >    8           2:     3264734 write        8 byte(s) @ 0x00007ffd3ecf7a48 by PC 0x00007f1a4ca8d083
  > END
  $ sed '2{N; s/\n//}' view.log >in; refused drmemtrace-view
  octrace: in:2: expected 'N byte(s) @ 0xADDR'
  $ sed 2d view.log >in; octrace convert in out.oct
  0> octrace: note: in: 1 instruction cannot follow the one before, first number 1: lines are missing or damaged, or traps are not in the log
  $ cat >qemu.log <<'END'
  > IN: main
  > 0x0000000000010150:  1141              addi                    sp,sp,-16
  > 0x0000000000010152:  e406              sd                      ra,8(sp)
  > 0x0000000000010154:  ff5ff0ef          jal                     ra,-12                  # 0x10148
  > 
  > Trace 0: 0x7f8bd4000100 [00000000/0000000000010150/00000000/ff001000] main
  > END
  $ for change in '3s/^(.{12}).*/\1/' '3d' '3{N; s/\n//}' '4s/^(.{29}).*/\1/'; do sed -E "$change" qemu.log >in; refused qemu; done
  octrace: in:3: expected '0xADDR: BYTES' of an instruction
  octrace: in:3: expected the address after the instruction before
  octrace: in:3: expected one instruction a line
  octrace: in:4: expected one instruction a line
