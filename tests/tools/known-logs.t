SPDX-License-Identifier: Apache-2.0
Logs that are known but not read are named, with a command that makes a trace of them, or with what has the instructions.

  $ set -o pipefail
  $ named() { # the message, and what its command makes of the log
  >   cat >t
  >   octrace info t 2>&1 >none | tee said
  >   sed -n "s/.*: \(sed -nE .*\) | octrace convert \(.*\) - OUT.*/\1 | octrace convert --to text \2 - -/p" said | sed 's/ LOG / t /' >command
  >   sh command | sed '/^#/d; s/^0*//'
  > }

Snitch: what stalls, and the lines of its accelerators, are no instructions. Old versions have no privilege, and blanks in numbers.

  $ named <<'END'
  >                12500        11        3 0x00001000 DASM(00000297) #; {'source': 0x0, 'stall': 0x0, 'exception': 0x0, 'rd': 0x5, 'pc_d': 0x1004, }
  >                13500        12        3 0x00001004 DASM(0005a503) #; {'source': 0x0, 'stall': 0x1, 'exception': 0x0, 'rd': 0xa, 'pc_d': 0x1004, }
  >                14500        13        3 0x00001004 DASM(0005a503) #; {'source': 0x0, 'stall': 0x0, 'exception': 0x0, 'rd': 0xa, 'pc_d': 0x1008, }
  >                15500        14        3 0xzzzzzzzz DASM(02b57553) #; {'source': 0x1, 'acc_q_hs': 0x1, }
  > END
  octrace: t: offset 0: a trace of Snitch: sed -nE "s/.* 0x(.*) DASM.(.*). #.*source': 0x[ 0]*,.*stall': 0x[ 0]*,.*/0, 0x\1, 0x\2, \"\"/p" LOG | octrace convert --isa riscv32 - OUT
  1000
  1004
  $ named <<'END'
  >       12500       11 0x80010000 DASM(00000297) #; {'source': 0x       0, 'stall': 0x       0, 'rs1': 0x       0, 'pc_q': 0x80010000, }
  >       13500       12 0x80010004 DASM(02028593) #; {'source': 0x       0, 'stall': 0x       1, 'rs1': 0x       0, 'pc_q': 0x80010004, }
  > END
  octrace: t: offset 0: a trace of Snitch: sed -nE "s/.* 0x(.*) DASM.(.*). #.*source': 0x[ 0]*,.*stall': 0x[ 0]*,.*/0, 0x\1, 0x\2, \"\"/p" LOG | octrace convert --isa riscv32 - OUT
  80010000
  $ named <<'END'
  >              12500       11    M 0x00001000 auipc   t0, 0x0            #; (wrb) t0  <-- 0x1000
  >              13500       12    M 0x00001004 addi    a1, t0, 32            #; t0  = 0x1000, (wrb) a1  <-- 0x1020
  > END
  octrace: t: offset 0: an annotated trace of Snitch: sed -nE 's/^.* 0x([0-9a-f]+) +[a-z].*#;.*/\1/p' LOG | octrace convert --from pc --isa riscv32 - OUT (the .dasm file has more)
  1000
  1004

XiangShan.

  $ named <<'END'
  > emu compiled at Apr  8 2026, 16:14:04
  > The first instruction of core 0 has commited. Difftest enabled. 
  > ============== Commit Group Trace (Core 0) ==============
  > commit group [00]: pc 008000100c cmtcnt 1
  > ============== Commit Instr Trace ==============
  > [00] commit pc 0000000080001170 inst 00000297 wen 1 dst 05 data 0000000080001170 idx 000
  > [01] commit pc 0000000080001174 inst 02028593 wen 1 dst 11 data 0000000080001190 idx 001 <--
  > END
  octrace: t: offset 0: commits of XiangShan's difftest (of the last instructions, without --dump-commit-trace): sed -nE 's/.*commit .*pc ([^ ]+) inst ([^ ]+).*/0, 0x\1, 0x\2, ""/p' LOG | octrace convert --isa riscv64 - OUT
  80001170
  80001174
  $ printf 'commit inst [00]: pc 0080001170 inst 00000297 wen 1 dst 05 data 0000000080001170\n' | named
  octrace: t: offset 0: commits of XiangShan's difftest (of the last instructions, without --dump-commit-trace): sed -nE 's/.*commit .*pc ([^ ]+) inst ([^ ]+).*/0, 0x\1, 0x\2, ""/p' LOG | octrace convert --isa riscv64 - OUT
  80001170
  $ printf 'commit pc 0000000080001170 inst 00000297 wen 1 dst 05 data 0000000080001170 idx 000\n' | named
  octrace: t: offset 0: commits of XiangShan's difftest (of the last instructions, without --dump-commit-trace): sed -nE 's/.*commit .*pc ([^ ]+) inst ([^ ]+).*/0, 0x\1, 0x\2, ""/p' LOG | octrace convert --isa riscv64 - OUT
  80001170
  $ printf 'commit group [00]: pc 008000100c cmtcnt 1\n' | named
  octrace: t: offset 0: groups of commits of XiangShan's difftest, not every instruction: its option --dump-commit-trace prints those
  $ printf '[PERF ][time=   10234] TOP.SimTop.l_soc.core.rob: clock_cycle,    10234\n' | named
  octrace: t: offset 0: performance counters of XiangShan, without instructions: the option --dump-commit-trace of its difftest prints those

Tarmac, of models and of cores.

  $ named <<'END'
  > 0 clk E DebugEvent_HaltingDebugState 00000000
  > 0 clk R cpsr 01000000
  > 53 clk IT (53) 002109f0 f94003e1 O EL3h_s : LDR      x1,[sp,#0]
  > 53 clk MR8 000ffb80:0000000ffb80 00000000_000ffbb8
  > 54 clk IT (54) 002109f4 910083e0 O EL3h_s : ADD      x0,sp,#0x20
  > END
  octrace: t: offset 0: Tarmac of an Arm core: sed -nE 's/.*IT (.*\) )?([0-9a-fA-F]+)[^ ]* ([0-9a-fA-F]+) O.*/0, 0x\2, 0x\3, ""/p' LOG | octrace convert --isa aarch64 - OUT
  2109f0
  2109f4
  $ named <<'END'
  > 0 clk cluster0.cpu0 IT (0) 00000000 d53800a1 O EL3h_s : MRS      x1,MPIDR_EL1
  > 0 clk cluster0.cpu0 R X1 0000000080000000
  > 1 clk cluster0.cpu0 IT (1) 00000004 b40000a1 O EL3h_s : CBZ      x1,0x18
  > END
  octrace: t: offset 0: Tarmac of an Arm core: sed -nE 's/.*IT (.*\) )?([0-9a-fA-F]+)[^ ]* ([0-9a-fA-F]+) O.*/0, 0x\2, 0x\3, ""/p' LOG | octrace convert --isa aarch64 - OUT
  4
  $ printf '0 clk cpu0 IT (0) 0000000080000000:000080000000_NS d2800000 O EL2h_n : MOV x0,#0\n' | named
  octrace: t: offset 0: Tarmac of an Arm core: sed -nE 's/.*IT (.*\) )?([0-9a-fA-F]+)[^ ]* ([0-9a-fA-F]+) O.*/0, 0x\2, 0x\3, ""/p' LOG | octrace convert --isa aarch64 - OUT
  80000000
  $ printf '54 clk IT 002109f4 910083e0 O EL3h_s: ADD x0,sp,#0x20\n' | named
  octrace: t: offset 0: Tarmac of an Arm core: sed -nE 's/.*IT (.*\) )?([0-9a-fA-F]+)[^ ]* ([0-9a-fA-F]+) O.*/0, 0x\2, 0x\3, ""/p' LOG | octrace convert --isa aarch64 - OUT
  2109f4
  $ printf '23676405900 ps IT (00024812:00000000) 00024812 494e T16 LDR r1,[pc,#312] ; [0x2494c]\n' | named
  octrace: t: offset 0: Tarmac of an Arm core: sed -nE 's/.*IT (.*\) )?([0-9a-fA-F]+)[^ ]* ([0-9a-fA-F]+) T.*/0, 0x\2, 0x\3, ""/p' LOG | octrace convert --isa thumb - OUT
  24812/2
  $ printf '0 tic ES  (00000000002109f0:f94003e1) O el3h_s:         LDR      x1,[sp,#0]\n' | named
  octrace: t: offset 0: Tarmac of an Arm core: sed -nE 's/.*ES +\(([0-9a-fA-F]+):([0-9a-fA-F]+)\) O.*/0, 0x\1, 0x\2, ""/p' LOG | octrace convert --isa aarch64 - OUT
  2109f0
  $ named <<'END'
  > Tarmac Text Rev 3t
  > 17 clk ES  EXC [1] Reset
  > 25 clk ES  (10000030:480a) T thread: LDR r0,[pc,#40] ; [0x1000005c] = 0x10000000
  >            R R0 10000000
  > END
  octrace: t: offset 0: Tarmac of an Arm core: sed -nE 's/.*ES +\(([0-9a-fA-F]+):([0-9a-fA-F]+)\) T.*/0, 0x\1, 0x\2, ""/p' LOG | octrace convert --isa thumb - OUT
  10000030/2

Simulators, emulators and debuggers.

  $ printf "Info 'iss/cpu0', 0x0000000080000000(_start): Machine 00000297 auipc   t0,0x0\n" | named
  octrace: t: offset 0: a trace of Imperas: sed -nE 's/^Info .*, 0x([^(]+)\([^)]*\): ([A-Z][a-z]+ )?([0-9a-f]+) .*/0, 0x\1, 0x\3, ""/p' LOG | octrace convert --isa riscv64 - OUT (or riscv32)
  80000000
  $ printf "Info 1: 'riscvOVPsim/cpu', 0x0000000080000000(_start+4): 00000297 auipc   t0,0x0\nInfo   t0 0000000000000000 -> 0000000080000000\n" | named
  octrace: t: offset 0: a trace of Imperas: sed -nE 's/^Info .*, 0x([^(]+)\([^)]*\): ([A-Z][a-z]+ )?([0-9a-f]+) .*/0, 0x\1, 0x\3, ""/p' LOG | octrace convert --isa riscv64 - OUT (or riscv32)
  80000000
  $ printf 'core  0: prv 3: pc    10074: ADDI x2, x2, -16\n' | named
  octrace: t: offset 0: a trace of riscv-vp: sed -nE 's/^core.*: pc +([^:]+):.*/\1/p' LOG | octrace convert --from pc --isa riscv32 - OUT
  10074
  $ printf '0x0000000000000080: jal # 0x00c0006f [imm=12 | rd=0]\n' | named
  octrace: t: offset 0: a trace of ETISS: sed -nE 's/^0x([^:]+): .* # 0x([0-9a-f]+).*/0, 0x\1, 0x\2, ""/p' LOG | octrace convert --isa riscv32 - OUT
  80
  $ printf 'cycle:00004156 pc:0x000000008000142e instruction:0x0017e793 ori     a5, a5, 1\ncycle:00004157 no instruction to commit why?\n' | named
  octrace: t: offset 0: a trace of Ariane: sed -nE 's/^cycle:.*pc:0x([^ ]+) instruction:0x([^ ]+).*/0, 0x\1, 0x\2, ""/p' LOG | octrace convert --isa riscv64 - OUT
  8000142e
  $ printf 'rv commit 0 80000000\nrv rf w 0 0 5 80000000\n' | named
  octrace: t: offset 0: a trace of NaxRiscv or VexiiRiscv: sed -nE 's/^rv commit [0-9]+ (.*)/\1/p' LOG | octrace convert --from pc --isa riscv64 - OUT
  80000000
  $ printf 'Cycle: 0000000000000079 I0: 0000000000010040\n' | named
  octrace: t: offset 0: a trace of FireSim's TracerV: sed -nE 's/^Cycle: .* I0: +([^ ]+).*/\1/p' LOG | octrace convert --from pc --isa riscv64 - OUT, of one instruction a cycle
  10040
  $ printf '(0).[2] [0x0000fffffff0] f000:fff0 (unk. ctxt): jmpf 0xf000:e05b          ; ea5be000f0\n' | named
  octrace: t: offset 0: a log of Bochs: sed -nE 's/^\(.* \[0x([^]]+)\] .*; ([0-9a-f]+)$/\1 I:\2/p' LOG | octrace convert --isa x86-64 - OUT (physical addresses; or x86)
  fffffff0/5
  $ printf 'INS 0x000000000040100a             BASE     push rbp                  | rsp = 0x7fff00\nWrite *(UINT64*)0x00007ffd2a6d7a30 = 0x0\n' | named
  octrace: t: offset 0: a trace of Intel SDE: sed -nE 's/^INS 0x([^ ]+) .*/\1/p' LOG | octrace convert --from pc --isa x86-64 - OUT
  40100a
  $ printf 'inst: [     1] CPU  0 <v:0x000000000000fff0> <p:0x00000000fffffff0> ea 5b e0 00 f0 jmp far 0xf000:0xe05b\n' | named
  octrace: t: offset 0: a trace of Simics: sed -nE 's/^inst: .*<v:0x([^>]+)> .*/\1/p' LOG | octrace convert --from pc --isa x86-64 - OUT
  fff0
  $ printf '0x80000000: 0x00000297\n0x80000004: 0x02028593\n' | named
  octrace: t: offset 0: a trace of Renode: sed -nE 's/^0x([^:]+): +0x([0-9a-fA-F]+) *$/0, 0x\1, 0x\2, ""/p' LOG | octrace convert --isa riscv64 - OUT (or another set)
  80000000
  80000004
  $ printf '0x0000000080000000 in _start ()\n=> 0x80000000 <_start>:\tauipc\tt0,0x0\n' | named
  octrace: t: offset 0: a session of gdb: sed -nE 's/^=> 0x([0-9a-f]+).*/\1/p' LOG | octrace convert --from pc --isa riscv64 - OUT (or another set)
  80000000
  $ printf '0x80000000: 97 02 00 00 auipc\tt0, 0\n' | named
  octrace: t: offset 0: an address and its disassembly a line: sed -nE 's/^ *(0x)?([0-9a-fA-F]+):.*/\2/p' LOG | octrace convert --from pc --isa riscv64 - OUT (or another set), if the lines are those of a run
  80000000
  $ printf '0000000000401000  mov rax, 0x1\n' | named
  octrace: t: offset 0: an address and its disassembly a line: sed -nE 's/^ *(0x)?([0-9a-f]{8,16}):? +[a-z].*/\2/p' LOG | octrace convert --from pc --isa x86-64 - OUT (or another set), if the lines are those of a run
  401000

Without the instructions of a run.

  $ printf '\na.out:     file format elf64-littleriscv\n\nDisassembly of section .text:\n\n0000000080000000 <_start>:\n    80000000:\t00000297          \tauipc\tt0,0x0\n' | named
  octrace: t: offset 0: the disassembly of a program, which is not a trace of its run: octrace capture records one, and --elf takes the program itself
  $ printf 'O3PipeView:fetch:1000:0x0000000000010116:0:1:  c_addi sp, -16\nO3PipeView:decode:1500\n' | named
  octrace: t: offset 0: a pipeline view of gem5, also with instructions that do not retire: gem5 --debug-flags=ExecAll prints those that do
  $ printf 'Kanata\t0004\nC=\t216\n' | named
  octrace: t: offset 0: a pipeline view for Konata, also with instructions that do not retire: a log of its simulator has those that do
  $ printf 'Idx:0; ID:10; [0x00 0x00 ];\tI_ASYNC : Alignment Synchronisation.\n' | named
  octrace: t: offset 0: a listing of OpenCSD's trc_pkt_lister: octrace convert SNAPSHOT OUT reads the snapshot that it was made of
  $ printf '# tracer: function\n#\n          <idle>-0     [000] d.h1 1234.567890: hrtimer_interrupt <-lapic\n' | named
  octrace: t: offset 0: a trace of ftrace, without instructions: octrace events reads calls, of uftrace or as text
  $ printf '$date Mon $end\n$timescale 1ns $end\n$scope module tb $end\n' | named
  octrace: t: offset 0: waveforms (VCD): let the simulation log its instructions, as RVFI (octrace list formats)

Lines with numbers in front, as of grep and cat, are refused whatever the log.

  $ numbered() { # what is said of a log that four programs put numbers in front of, and whether its command takes them away
  >   printf -- "$1" >log
  >   octrace info log | grep '^format '
  >   for program in 'grep -n .' 'grep -Hn .' 'cat -n' nl; do
  >     $program log >t
  >     octrace info t 2>&1 >none | sed 's/: cut .*//' || true
  >     eval "$(octrace info t 2>&1 >none | sed -n "s/.* with \(sed -E .*\) LOG | .*/\1/p") t" | cmp - log
  >   done | uniq
  > }
  $ numbered @
  | '#1 0 000100a8     1141 r 02         fffffff0  c.addi   x2, -0x10\n#2 0 000100aa     c606 m fffffffc   00000000  c.swsp   x1, 0xc\n'
  format                 whisper
  octrace: t: offset 0: a log of the format whisper with a number in front of each line
  | 'core   0: 3 0x0000000080000000 (0x00000013)\ncore   0: 3 0x0000000080000004 (0x00000013)\n'
  format                 spike
  octrace: t: offset 0: a log of the format spike with a number in front of each line
  | '249402\t104397\t000081cc\t0062ae23\tsw\tx6,28(x5)\n249404\t104398\t000081d0\t4305\tc.li\tx6,1\n'
  format                 ibex
  octrace: t: offset 0: a log of the format ibex with a number in front of each line
  | '73 0x10000 M (0x00100413) DASM(00100413)\n74 0x10004 M (0x01f41413) DASM(01f41413)\n'
  format                 cva6
  octrace: t: offset 0: a log of the format cva6 with a number in front of each line
  | 'C0: 483 [1] pc=[00000002138] W[r 3=000000007fff7fff][1] R[r 1=000000007fffffff] R[r 2=ffffffffffff8000] inst=[002081b3] add s1, ra, s0\n'
  format                 rocket
  octrace: t: offset 0: a log of the format rocket with a number in front of each line
  | '[3266] [M]: 0x800032F4 (0x00000093) addi ra, zero, 0x0\nx1 <- 0x00000000\n'
  format                 sail
  octrace: t: offset 0: a log of the format sail with a number in front of each line
  | '52168 256630 0x000024f6 0xc00026f3 U csrrs       x13, cycle, x0\n'
  format                 neorv32
  octrace: t: offset 0: a log of the format neorv32 with a number in front of each line
  | 'pc_rdata,insn,mode\n80000000,00000297,3\n80000004,02028593,3\n'
  format                 rvfi
  octrace: t: offset 0: a log of the format rvfi with a number in front of each line
  | '----------------\nIN: main\n0x0000000000010150:  1141              addi                    sp,sp,-16\nTrace 0: 0x7f7aa4000100 [00000000/0000000000010150/00000b02/ff000000] main\n'
  format                 qemu
  octrace: t: offset 0: a log of the format qemu with a number in front of each line
  | '0, 0x10150, 0x1141, "addi sp,sp,-16"\n0, 0x10152, 0xe406, "sd ra,8(sp)", store, 0x80001000\n'
  format                 execlog
  octrace: t: offset 0: a log of the format execlog with a number in front of each line
  | '77000: system.cpu: A0 T0 : 0x400520 @_start    : xor ebp, ebp\n'
  format                 gem5
  octrace: t: offset 0: a log of the format gem5 with a number in front of each line

A running number in front of addresses that go on as those of x86 do.

  $ printf '1 0x7fa4a1e2c090\n2 0x7fa4a1e2c093\n3 0x7fa4a1e2c09a\n4 0x7fa4a1e2cd70\n' >t && octrace info t
  4> octrace: t: offset 0: its lines begin with a running number or cycle, and addresses follow: awk '{print $2}' LOG | octrace convert --from pc - OUT

A log may begin after more text than its format is recognised by: the message names it. A comment does not look for one.

  $ text() { seq -f 'message %g of the loader' 300; }
  $ log='  10\t5\t00000080\t00400113\taddi\tx2,x0,4\n'
  $ (text; printf "$log") >late.log
  $ octrace info late.log
  4> octrace: late.log: offset 0: a log of the format ibex after other text: --from ibex reads it
  $ octrace convert --from ibex --to pc late.log -
  80
  $ (echo '# a comment'; text; printf "$log") >late.txt
  $ octrace info late.txt
  4> octrace: late.txt:2: expected a hexadecimal address, found 'message' (octrace list formats lists those that can be read)
