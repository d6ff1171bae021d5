SPDX-License-Identifier: Apache-2.0
What perf script --insn-trace and DynamoRIO's tool view print is recognised and read.

  $ show() { octrace info "$@" 2>err | grep -E '^(format|isa|gaps) ' && octrace convert --to text:bytes=1 "$@" - 2>err | grep -v '^#'; }
  $ cat >perf.txt <<'END'
  >             perf 17423 [000] 423271.557970005:      7f2d95f16217 __GI___ioctl+0x7 (/lib/x86_64-linux-gnu/libc-2.27.so) insn: 48 3d 01 f0 ff ff
  >             perf 17423 [000] 423271.557970005:      7f2d95f1621d __GI___ioctl+0xd (/lib/x86_64-linux-gnu/libc-2.27.so) insn: 73 01
  >  instruction trace error type 1 time 423271.557970005 cpu 0 pid 17423 tid 17423 ip 0x401010 code 6: Trace doesn't match instruction
  >     Web Content 17/24 [001] 423271.557970338:          1   instructions:u:     5593ad3346d7 std::get<0>(int)+0x97 (/usr/bin/perf) insn: c3
  >     Web Content 17/24 [001] 423271.557970338:          1   branches:u:     5593ad3346d7 main+0x97 (/usr/bin/perf) => 1000
  > END
  $ show perf.txt
  format                 perf-script
  isa                    x86-64
  gaps                   1
  00007f2d95f16217/6 T:17423 I:483d01f0ffff
  00007f2d95f1621d/2 T:17423 I:7301
  !gap lost
  00005593ad3346d7/1 T:24 I:c3

Bytes that are damaged or missing are no shorter instruction.

  $ for bytes in 'e' '48 8' '48 89 e' '48 8g e5' '48 89e5' '' '48,89'; do
  >   { head -n 2 perf.txt; echo "ls 1 [000] 2.345678901: 401000 main+0x0 (/bin/ls) insn: $bytes"; echo; } >in && octrace convert in out.oct
  > done
  4> octrace: in:3: expected whole bytes of an instruction after 'insn:', found 'ls 1 [000] 2.345678901: 401000 main+0x0': nothing is written (--salvage keeps the 2 instructions and 0 accesses before it)
  4> octrace: in:3: expected whole bytes of an instruction after 'insn:', found 'ls 1 [000] 2.345678901: 401000 main+0x0': nothing is written (--salvage keeps the 2 instructions and 0 accesses before it)
  4> octrace: in:3: expected whole bytes of an instruction after 'insn:', found 'ls 1 [000] 2.345678901: 401000 main+0x0': nothing is written (--salvage keeps the 2 instructions and 0 accesses before it)
  4> octrace: in:3: expected whole bytes of an instruction after 'insn:', found 'ls 1 [000] 2.345678901: 401000 main+0x0': nothing is written (--salvage keeps the 2 instructions and 0 accesses before it)
  4> octrace: in:3: expected whole bytes of an instruction after 'insn:', found 'ls 1 [000] 2.345678901: 401000 main+0x0': nothing is written (--salvage keeps the 2 instructions and 0 accesses before it)
  4> octrace: in:3: expected whole bytes of an instruction after 'insn:', found 'ls 1 [000] 2.345678901: 401000 main+0x0': nothing is written (--salvage keeps the 2 instructions and 0 accesses before it)
  4> octrace: in:3: expected whole bytes of an instruction after 'insn:', found 'ls 1 [000] 2.345678901: 401000 main+0x0': nothing is written (--salvage keeps the 2 instructions and 0 accesses before it)
  $ { head -n 2 perf.txt; printf 'ls 1 [000] 2.345678901: 401000 main+0x0 (/bin/ls) insn: 90 \t IPC: 0.50 (1/2) \n'; } >in && octrace convert in out.oct

Flags stand in front of the address. Branches alone are no instructions.

  $ for flags in '  call  ' '  tr strt ' ' bc' '  tr end  hw int ' ' jcc (x) ' ' 1 instructions:u:  return '; do
  >   echo "ls 1 [000] 2.345678901: $flags 7f2bd63ab540 main+0x0 (/bin/ls) insn: e8 00 00 00 00"
  > done >in && show in
  format                 perf-script
  isa                    x86-64
  00007f2bd63ab540/5 T:1 I:e800000000
  00007f2bd63ab540/5 T:1
  00007f2bd63ab540/5 T:1
  00007f2bd63ab540/5 T:1
  00007f2bd63ab540/5 T:1
  00007f2bd63ab540/5 T:1
  $ for event in branches:uH: cycles:P: cpu/branches/u:; do
  >   echo "ls 1 [000] 2.345678901:     1  $event  7f2bd63ab540 f+0x0 (/bin/ls) =>  7f2bd63ab550 f+0x10 (/bin/ls)" >in && octrace info in
  > done
  4> octrace: in: offset 0: samples or branches of perf script, not every instruction: perf script --insn-trace, of a recording with -e intel_pt// or cs_etm//, prints those
  4> octrace: in: offset 0: samples or branches of perf script, not every instruction: perf script --insn-trace, of a recording with -e intel_pt// or cs_etm//, prints those
  4> octrace: in: offset 0: samples or branches of perf script, not every instruction: perf script --insn-trace, of a recording with -e intel_pt// or cs_etm//, prints those

With --xed there are no bytes: sizes come from successors, or --elf.

  $ cat >xed.txt <<'END'
  >  date 31979 [003] 653971.670163672:      7f3bfbf4d090 _start+0x0 (/lib/ld-2.27.so)           mov %rsp, %rdi
  >  date 31979 [003] 653971.670163672:      7f3bfbf4d093 _start+0x3 (/lib/ld-2.27.so)           callq 0x7f3bfbf4dea0
  > END
  $ show xed.txt
  format                 perf-script
  isa                    x86-64
  00007f3bfbf4d090/3 T:31979
  00007f3bfbf4d093 T:31979

The tool view, new and old, with bytes on two lines.

  $ cat >view.txt <<'END'
  > Output format:
  > <--record#-> <--instr#->: <---tid---> <record details>
  > ------------------------------------------------------------
  >            1           0:      296231 <marker: version 6>
  >            2           0:      296231 <marker: filetype 0xe42>
  >           86          62:      296231 <marker: timestamp 13319413770947383>
  >           87          63:      296231 ifetch       2 byte(s) @ 0x0000000000401026 0f 05                syscall  -> %rcx %r11
  >           94          68:      296231 ifetch       8 byte(s) @ 0x0000000000401012 48 8b 34 25 00 20 40 mov    0x00402000 -> %rsi
  >           94          68:      296231                                             00
  >           95          68:      296231 read         8 byte(s) @ 0x0000000000402000 by PC 0x0000000000401012
  >           96          68:      296231 pref-HW      8 byte(s) @ 0x0000000000402000 by PC 0x0000000000401012
  >           97          69:      296232 ifetch       3 byte(s) @ 0x000000000040101a 48 f3 a5             rep movsq
  >           98          69:      296232 read        10 byte(s) @ 0x0000000000402000 by PC 0x000000000040101a
  >           99          69:      296232 write        8 byte(s) @ 0x0000000000403000 by PC 0x000000000040101a
  >          100          69:      296232 <thread 296232 exited>
  > View tool results:
  >               6 : total instructions
  > END
  $ show view.txt
  format                 drmemtrace-view
  isa                    x86-64
  0000000000401026/2 T:296231 I:0f05
  0000000000401012/8 L8:0000000000402000 T:296231 I:488b342500204000
  000000000040101a/3 L:0000000000402000 S8:0000000000403000 T:296232 I:48f3a5
  $ cat >old.txt <<'END'
  >    122613: T1773966 ifetch       4 byte(s) @ 0x00000000004008e8 b9404801   ldr    +0x48(%x0)[4byte] -> %w1
  >    122614: T1773966 read         4 byte(s) @ 0x00000000004a7ab8 by PC 0x00000000004008e8
  >    122615: T1773966 ifetch       4 byte(s) @ 0x00000000004008ec 11000421   add    %w1 $0x0001 lsl $0x00 -> %w1
  >    122616: T1773966 read         4 byte(s) @ 0x00000000004a7ab8 by PC 0x0000000000400900
  > END
  $ show old.txt
  format                 drmemtrace-view
  isa                    aarch64
  00000000004008e8 L4:00000000004a7ab8 T:1773966 I:014840b9
  00000000004008ec T:1773966 I:21040011
  0000000000400900 L4:00000000004a7ab8 T:1773966

Until 2021 view printed disassemblies: at first nothing else, then threads, then accesses without the PC. What did not fit a
line came with the thread of another.

  $ cat >older.txt <<'END'
  > T480221 <marker: version 3>
  > T480221 <marker: filetype 0x40>
  > T480221 <marker: timestamp 13270186541>
  > T480221 <marker: tid 480221 on core 3>
  > T480221     write 8 byte(s) @ 0x7ff86c96fd00
  > T480221   0x00007ff86d0c4648  48 89 94 24 50 02 00 mov    %rdx, 0x00000250(%rsp)
  > T480218                       00
  > T480221     write 8 byte(s) @ 0x7ff86c96fd50
  > T480221   0x00007ff86d0c4650  48 8b 07             mov    (%rdi), %rax
  > T480221     read  8 byte(s) @ 0x7ff86c96fd58
  > T480221   0x00007ff86d0c4653  c3                   ret
  > T480221     read  8 byte(s) @ 0x7ff86c96fd60
  > ------------------------------------------------------------
  > T480218   0x00007ff86d0c4648  48 89 94 24 50 02 00 mov    %rdx, 0x00000250(%rsp)
  > T480218                       00
  > T480218 <thread 480218 exited>
  > View tool results:
  >               4 : total disassembled instructions
  > END
  $ show older.txt
  format                 drmemtrace-view
  isa                    x86-64
  00007ff86d0c4648/8 S8:00007ff86c96fd50 T:480221 I:4889942450020000
  00007ff86d0c4650/3 L8:00007ff86c96fd58 T:480221 I:488b07
  00007ff86d0c4653/1 L8:00007ff86c96fd60 T:480221 I:c3
  00007ff86d0c4648/8 T:480218
  $ sed -n 's/^T[0-9]* \(  *0x\|              \)/\1/p' older.txt >oldest.txt; head -3 oldest.txt
    0x00007ff86d0c4648  48 89 94 24 50 02 00 mov    %rdx, 0x00000250(%rsp)
                        00
    0x00007ff86d0c4650  48 8b 07             mov    (%rdi), %rax
  $ show oldest.txt
  format                 drmemtrace-view
  isa                    x86-64
  00007ff86d0c4648/8 I:4889942450020000
  00007ff86d0c4650/3 I:488b07
  00007ff86d0c4653/1 I:c3
  00007ff86d0c4648/8
  $ sed 's/$/\r/' oldest.txt | gzip >oldest.gz; octrace convert --to text oldest.txt - >want; octrace convert --to text oldest.gz - | cmp - want
  $ printf 'T7   0x0000000000400900  b9404801   ldr    +0x48(%%x0)[4byte] -> %%w1\nT7     read  4 byte(s) @ 0x4a7ab8\nT7   0x0000000000400904  11000421   add    %%w1 $0x0001 lsl $0x00 -> %%w1\n' >older64.txt
  $ show older64.txt
  format                 drmemtrace-view
  isa                    aarch64
  0000000000400900 L4:00000000004a7ab8 T:7 I:014840b9
  0000000000400904 T:7 I:21040011

An iteration of `rep movs` has a record of its own, and another name than the first in new versions.

  $ cat >rep.txt <<'END'
  >     63587: T35   ifetch       2 byte(s) @ 0x00007f7fe453152f f3 a4                rep movs
  >     63588: T35   read         1 byte(s) @ 0x00007f7fe3ec538c by PC 0x00007f7fe453152f
  >     63590: T35   non-fetched  2 byte(s) @ 0x00007f7fe453152f f3 a4                rep movs
  >     63591: T35   read         1 byte(s) @ 0x00007f7fe3ec538d by PC 0x00007f7fe453152f
  >     63593: T35   ifetch       2 byte(s) @ 0x00007f7fe453152f non-fetched instruction
  > END
  $ show rep.txt
  format                 drmemtrace-view
  isa                    x86-64
  00007f7fe453152f/2 L1:00007f7fe3ec538c T:35 I:f3a4
  00007f7fe453152f/2 L1:00007f7fe3ec538d T:35
  00007f7fe453152f/2 T:35

What is wrong.

  $ { cat old.txt; echo ' 9: T7 ifetch       0 byte(s) @ 0x00000000004008ec non-branch'; } >bad.txt && octrace info bad.txt 2>&1 >out
  octrace: bad.txt:5: expected 'N byte(s) @ 0xADDR', of an access 'by PC 0xADDR', found ' 9: T7 ifetch       0 byte(s) @ 0x00000'
  [exit 4]
  $ { cat old.txt; echo ' 9: T7 read       0 byte(s) @ 0x00000000004008ec'; } >bad.txt && octrace info bad.txt 2>&1 >out
  octrace: bad.txt:5: expected 'N byte(s) @ 0xADDR', of an access 'by PC 0xADDR', found ' 9: T7 read       0 byte(s) @ 0x0000000'
  [exit 4]
  $ grep marker view.txt >bad.txt; octrace info --from drmemtrace-view bad.txt
  4> octrace: bad.txt: none of its lines (3) is 'RECORD: TID ifetch N byte(s) @ 0xADDR'
  $ octrace info --from perf-script view.txt
  4> octrace: view.txt: none of its lines (17) is 'COMM TID TIME: IP SYMBOL (FILE)'
