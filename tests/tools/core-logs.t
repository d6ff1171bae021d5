SPDX-License-Identifier: Apache-2.0
Logs of RISC-V cores and models are recognised and read.

  $ show() { octrace info "$@" | grep -E '^(format|isa) ' && octrace convert --to text "$@" - | grep -v '^#'; }

Through a tracer of all, and one of instructions alone, the trace comes back.

  $ back() {
  >   octrace convert --to text "$1" - | grep -v '^[!#]' >want
  >   octrace compress --tracer shadow -g shadow,traps=1 -o s.octp "$1" 2>s
  >   octrace decompress --to text -o - s.octp | grep -v '^[!#]' | cmp - want
  >   octrace compress --tracer etrace -o e.octp "$1" 2>e
  >   octrace decompress --to pc -o - e.octp >pcs 2>notes
  >   octrace convert --to pc "$1" - 2>notes | cmp - pcs
  > }

Ibex: the instruction says which access it makes, and of which size.

  $ printf 'Time\tCycle\tPC\tInsn\tDecoded instruction\tRegister and memory contents\n' >ibex.log
  $ printf '%15d\t%10d\t%s\t%s\t%s\t%s\n' 10 5 00000080 0062ae23 'sw\tx6,28(x5)' 'x5:0x00001000  x6:0x00000007 PA:0x0000101c store:0x00000007' 12 6 00000084 4305 'c.li\tx6,1' ' x6=0x00000001' 14 7 00000086 00a50503 'lb\tx10,10(x10)' 'x10:0x00002000 x10=0x00000000 PA:0x0000200a load:0x00000000' 16 8 0000008a 0000a001 c.j ' ' | sed 's/\\t/\t/g; s/0000a001/a001/' >>ibex.log
  $ show ibex.log
  format                 ibex
  isa                    riscv32
  00000080 S4:0000101c
  00000084/2
  00000086 L1:0000200a
  0000008a/2
  $ back ibex.log

A word that some versions name the other way round does not matter, nor does a missing banner.

  $ sed '1d; s/store:/load:/' ibex.log >turned.log && octrace convert --to text turned.log - | grep 101c
  00000080 S4:0000101c

CV32E40P logs what a compressed instruction expands to, and addresses without 0x. Extensions of makers have the word, or their opcode.

  $ printf 'Time\tCycle\tPC\tInstr\tDecoded instruction\tRegister and memory contents\n' >cv.log
  $ printf '%20dns %15d %s %s %-36s%s\n' 10 5 00000080 00812423 'c.sw             x8, 8(x2)' '  x2:00001000  PA:00001008' 12 6 00000082 0045250b 'p.lw             x10, 4(x10!)' ' x10=00000001  PA:00002004' 14 7 00000086 00a5222b 'p.sw             x10, 4(x10!)' '  PA:00002008' >>cv.log
  $ show cv.log
  format                 ibex
  isa                    riscv32
  00000080/2 S4:00001008
  00000082 L4:00002004
  00000086 S4:00002008
  $ back cv.log

The unit of the time may stand apart, and a column may have the privilege.

  $ printf '%20d.000 ns %15d %s %s %s %-36s%s\n' 10 5 00000080 00812423 M 'sw               x8, 8(x2)' '  x2:00001000  PA:00001008' 12 6 00000084 00000013 M 'addi             x0, x0, 0' '' >ns.log
  $ show ns.log
  format                 ibex
  isa                    riscv32
  00000080 S4:00001008
  00000084

CVA6 at addresses of 8 digits: instructions that RV64 alone has tell the width.

  $ printf '%20d 0x8000%04x M (0x%s) DASM(%s)\n' 73 0 00100413 00100413 74 4 0085b503 0085b503 >wide.dasm
  $ octrace info wide.dasm | grep ^isa
  isa                    riscv64
  $ sed 's/0085b503/0085a503/g' wide.dasm >narrow.dasm
  $ octrace info narrow.dasm | grep ^isa
  isa                    riscv32

Old versions of Ariane log what a compressed instruction expands to: its size follows from the next line, or for a jump
from its operands.

  $ cat >old.dasm <<'END'
  >                   60 0x10000 M (0x00100413) DASM(00100413)
  >                   61 0x10004 M (0x01f41413) DASM(01f41413)
  >                   88 0x40000382 M (0x00001517) DASM(00001517)
  >                   89 0x40000386 M (0x2c650513) DASM(2c650513)
  >                   92 0x4000038a M (0xfe010113) DASM(fe010113)
  >                   93 0x4000038c M (0x40a60633) DASM(40a60633)
  >                   94 0x4000038e M (0x00112c23) DASM(00112c23)
  >                   95 0x40000390 M (0xfe051ce3) DASM(fe051ce3)
  >                   96 0x40000388 M (0x00000013) DASM(00000013)
  >                   97 0x4000038c M (0x40a60633) DASM(40a60633)
  >                   98 0x4000038e M (0x00112c23) DASM(00112c23)
  >                   99 0x40000390 M (0xfe051ce3) DASM(fe051ce3)
  >                  100 0x40000392 M (0x00008067) DASM(00008067)
  >                  101 0x40000200 M (0x00000013) DASM(00000013)
  >                  102 0x40000202 M (0x1000006f) DASM(1000006f)
  >                  103 0x40000302 M (0x7ff0006f) DASM(7ff0006f)
  > END
  $ octrace convert --to text old.dasm - | grep -v '^#'
  !privilege P:3
  0000000000010000
  0000000000010004
  0000000040000382
  0000000040000386
  000000004000038a/2
  000000004000038c/2
  000000004000038e/2
  0000000040000390/2
  0000000040000388
  000000004000038c/2
  000000004000038e/2
  0000000040000390/2
  0000000040000392/2
  0000000040000200/2
  0000000040000202/2
  0000000040000302
  0> octrace: note: old.dasm: 1 instruction cannot follow the one before, first number 2: lines are missing or damaged, or traps are not in the log

VeeR's own log: the address of an access in brackets; loads that end later have a line without an instruction.

  $ cat >exec.log <<END
  > //   Cycle : #inst    0    pc    opcode    reg=value    csr=value     ; mnemonic
  > //---------------------------------------------------------------
  >         36 :       #1 0 80000000 00000093            ra=00000000                ; addi    ra,zero,0
  >         37 :       #2 0 80000004 0000a103            sp=00000000                ; lw      sp,0(ra) [f0040000]
  >         38 :                               sp=000000aa                ; nbL
  >         40 :       #3 0 80000008 0000c106                                       ; c.swsp  ra,0x80 [f0040080]
  >         42 :       #4 0 8000000a 0820a02f                                       ; amoswap.w zero,sp,(ra) [f0040010]
  > END
  $ show exec.log
  format                 whisper
  isa                    riscv32
  80000000
  80000004 L4:f0040000
  80000008/2 S4:f0040080
  8000000a L4:f0040010 S4:f0040010
  $ back exec.log

The RVFI log of CVA6 has the whole register behind each store, and traps without a core.

  $ cat >cva6_rvfi.dasm <<'END'
  > *** [rvfi_tracer] WARNING No valid address of 'tohost' (tohost == 0x0000000000000000)
  > core   0: 0x0000000080000100 (0x00532023) DASM(00532023)
  > 3 0x0000000080000100 (0x00532023) mem 0x0000000080003000 0x0000000000000001
  > core   0: 0x0000000080000104 (0x00530023) DASM(00530023)
  > 3 0x0000000080000104 (0x00530023) mem 0x0000000080003000 0x0000000000000001
  > core   0: 0x0000000080000108 (0x0053a0af) DASM(0053a0af)
  > 3 0x0000000080000108 (0x0053a0af) x 1 0x0000000000000001 mem 0x0000000080003000 mem 0x0000000080003000 0x0000000000000001
  > core   0: 0x000000008000010c (0x00533023) DASM(00533023)
  > 3 0x000000008000010c (0x00533023) mem 0x0000000080003000 0x0000000000000001
  > ENV_CALL_MMODE exception @ 0x0000000080000110 (0x00000073)
  > core   0: 0x0000000080000200 (0x34102573) DASM(34102573)
  > 3 0x0000000080000200 (0x34102573) x10 0x0000000080000110
  > core   INTERRUPT 0: 0x0000000080000200 (0x34102573) DASM(34102573)
  > 3 0x0000000080000200 (0x34102573) x10 0x0000000080000204
  > END
  $ octrace view cva6_rvfi.dasm
              !privilege 3
           0  0x80000100  00532023  sw t0, 0(t1)                  S4:0x80003000
           1  0x80000104  00530023  sb t0, 0(t1)                  S1:0x80003000
           2  0x80000108  0053a0af  amoadd.w ra, t0, (t2)         L4:0x80003000 S4:0x80003000
           3  0x8000010c  00533023  sd t0, 0(t1)                  S8:0x80003000
              !exception 11 at 0x80000110 to privilege 3
           4  0x80000200  34102573  csrr a0, mepc
              !interrupt 0 at 0x80000204 to privilege 3
           5  0x80000200  34102573  csrr a0, mepc
  $ sed '/^ENV/s/80000110/8000z110/' cva6_rvfi.dasm >bad.log && octrace view bad.log >part
  4> octrace: bad.log:10: expected the address of a trap, found '0x000000008000z110 (0x00000073)'

A table of addresses and instructions alone.

  $ printf 'cycle,pc,insn\n10,80000000,00000297\n11,80000004,4501\n' >table.csv && show table.csv
  format                 rvfi
  isa                    riscv32
  80000000
  80000004/2

CVA6, as cycles with DASM: no accesses, and addresses that do not say how wide they are.

  $ cat >cva6.dasm <<'END'
  >                   73 0x10000 M (0x00100413) DASM(00100413)
  >                   74 0x10004 M (0x00a52023) DASM(00a52023)
  >                   78 0x10008 U (0x00004529) DASM(00004529)
  > Exception Cause:     8, DASM(00000000) PC=000000000001000a
  >                   94 0x80000000 M (0x00000013) DASM(00000013)
  > Exception Cause: Illegal Instructions, DASM(00000000) PC=0000000080000004
  >                   99 0x80000000 M (0x00000013) DASM(00000013)
  > Exception Cause: 9223372036854775815, DASM(00000000) PC=0000000080000004
  >                  103 0x80000000 M (0x00000013) DASM(00000013)
  > END
  $ show cva6.dasm
  format                 cva6
  isa                    riscv64
  !privilege P:3
  0000000000010000
  0000000000010004
  !privilege P:0
  0000000000010008/2
  !exception 8 A:000000000001000a V:0000000000000000 P:3
  0000000080000000
  !exception 2 A:0000000080000004 V:0000000000000000 P:3
  0000000080000000
  !interrupt 7 A:0000000080000004 P:3
  0000000080000000
  $ octrace info --isa riscv32 cva6.dasm | grep '^isa '
  isa                    riscv32
  $ back cva6.dasm

And as trace_hart, with virtual addresses.

  $ cat >hart.log <<'END'
  >      100ns       10 M 0000000080000000 0 00a53023 sd              a0, 0(a0)    a0  :        80001000 VA: 0000000080001000 PA: 00000080001000
  >      105ns       11 M 0000000080000004 0 00000073 ecall
  > Exception @     110ns, PC: 0000000080000008, Cause: Load Page Fault, 
  > 				tval: 0000000000001234
  >      120ns       13 M 0000000080000100 1 00006108 c.ld            a0, 0(a0)    VA: 0000000080002000 PA: 00000080002000
  > Exception @     130ns, PC: 0000000080000102, Cause: Machine Timer Interrupt
  >      140ns       15 S 0000000080000104 0 0005202f lr.w
  > END
  $ show hart.log
  format                 cva6
  isa                    riscv64
  !privilege P:3
  0000000080000000 S8:0000000080001000
  0000000080000004
  !exception 13 A:0000000080000008 V:0000000000001234 P:3
  0000000080000100/2 L8:0000000080002000
  !interrupt 7 A:0000000080000102 P:1
  0000000080000104
  $ back hart.log

Rocket and BOOM: only what retires, and harts are tasks.

  $ cat >rocket.log <<'END'
  > using random seed 1
  > C0:        483 [1] pc=[00000002138] W[r 3=000000007fff7fff][1] R[r 1=000000007fffffff] R[r 2=ffffffffffff8000] inst=[002081b3] add s1, ra, s0
  > C0:        484 [0] pc=[00000002140] W[r 0=0000000000000000][0] R[r 0=0000000000000000] R[r 0=0000000000000000] inst=[00000000] unknown
  > C0:        485 [1] pc=[0000000213c] W[r 0=0000000000000000][0] R[r 0=0000000000000000] R[r 0=0000000000000000] inst=[00004505] DASM(00004505)
  > C1:        485 [1] pc=[00000002138] W[r 3=000000007fff7fff][1] R[r 1=000000007fffffff] R[r 2=ffffffffffff8000] inst=[00a53023] sd
  > END
  $ show rocket.log
  format                 rocket
  isa                    riscv64
  0000000000002138
  000000000000213c/2
  0000000000002138 T:1
  $ back rocket.log

Old Rockets and Sodor name no core.

  $ printf 'C: 5 [1] pc=[0080000000] W[r 5=80000000] R[r 0=00000000] R[r 0=00000000] inst=[00000297] auipc\n' >t && show t
  format                 rocket
  isa                    riscv64
  0000000080000000
  $ printf 'Cyc=  5 [1] pc=[80000000] W[r 5=80000000][1] Op1=[r 0][00000000] Op2=[r 0][00000000] inst=[00000297] auipc\n' >t && show t
  format                 rocket
  isa                    riscv32
  80000000

Whisper and VeeR: several lines are one instruction; loads have an address only with --traceload. What traps did not retire.

  $ cat >whisper.log <<'END'
  > #1 0 000100a8     1141 r 02         fffffff0  c.addi   x2, -0x10
  > #2 0 000100aa     c606 m 000ffffc   00000007  c.swsp   x1, 0xc
  > #3 0 000100ac 00a5a52f r 0a         00000001  amoadd.w x10, x10, (x11) [0x2000]  +
  > #3 0 000100ac 00a5a52f m 00002000   00000002  amoadd.w x10, x10, (x11) [0x2000]
  > #4 0 000100b0 00052503 r 0a         00000000  lw       x10, 0x0(x10) [0x3000]
  > #5 0 000100b4 00052503 r 0a         00000000  lw       x10, 0x0(x10)
  > #6 0 000100b8 34251073 c 0342       0000000b  csrrw    x0, mcause, x10
  > #7 0 000100bc 00000073 c 0300       00001800  ecall    +
  > #7 0 000100bc 00000073 c 0341       000100bc  ecall    +
  > #7 0 000100bc 00000073 c 0342       0000000b  ecall    +
  > #7 0 000100bc 00000073 c 0343       00000000  ecall
  > #8 0 00000100 00000013 r 00         00000000  addi     x0, x0, 0x0
  > #9 0 00000104 00052503 c 0342       80000007  lw       x10, 0x0(x10) (interrupted)
  > #10 0 00000100 00000013 r 00         00000000  addi     x0, x0, 0x0
  > END
  $ show whisper.log
  format                 whisper
  isa                    riscv32
  000100a8/2
  000100aa/2 S4:000ffffc
  000100ac L4:00002000 S4:00002000
  000100b0 L4:00003000
  000100b4
  000100b8
  !exception 11 A:000100bc V:00000000
  00000100
  !interrupt 7 A:00000104
  00000100
  0> octrace: note: whisper.log: 1 load or store without address: lines are damaged, or caused exceptions that are not in the log
  0> octrace: note: whisper.log: 1 load or store without address: lines are damaged, or caused exceptions that are not in the log
  $ back whisper.log
  0> octrace: note: whisper.log: 1 load or store without address: lines are damaged, or caused exceptions that are not in the log

Its CSV: the addresses of a vector's elements, of which a mask leaves some out; traps; a physical address behind a virtual one; no zeros in front. A part of
it, with the line ends of Windows too, is the same.

  $ cat >csv.log <<'END'
  > pc, inst, modified regs, source operands, memory, inst info, privilege, trap, disassembly, hartid
  > 80000000,297,x5=80000000,,,,m,,auipc x5; 0x0,0
  > 80000004:90000004,2b303,x6=0,x5,80000000,l,m,,ld x6; 0x0(x5),0
  > 80000008,612b,x6=0,x5;x2,ffffffff80001000:1000=7,s,m,,custom,0
  > 8000000c,e006,,x1;x2,80002000=0,s,s,,c.sdsp x1; 0x0(x2),1
  > 8000000e,73,c833=8000000e;c834=9;c835=12,,,,s,9,ecall,0
  > 80000100,2056007,v0=00,x10,8000c400;8000c404;8000c408m;8000c40c,v,m,,vle32.v v0; (x10),0
  > 80000104,205e027,,x11;v0,8000c500=1;8000c504=22,v,m,,vse32.v v0; (x11),0
  > 80000108,a2a2f,x20=0,x20,8000c400=5,a,m,,amoadd.w x20; x0; (x20),0
  > 8000010c,1,,,,,m,8000000000000007,c.nop,0
  > 80000200,13,,,,,vs,,addi x0; x0; 0x0,a
  > END
  $ show csv.log
  format                 whisper
  isa                    riscv64
  !privilege P:3
  0000000080000000
  0000000080000004 L8:0000000080000000
  0000000080000008 S4:ffffffff80001000
  !privilege P:1
  000000008000000c/2 S8:0000000080002000 T:1
  !exception 9 A:000000008000000e V:0000000000000012 P:3
  0000000080000100 L4:000000008000c400 L4:000000008000c404 L4:000000008000c40c
  0000000080000104 S4:000000008000c500 S4:000000008000c504
  0000000080000108 L4:000000008000c400 S4:000000008000c400
  !privilege P:6
  0000000080000200 T:10
  !interrupt 7 A:000000008000010c
  $ back csv.log
  $ octrace convert --to text csv.log whole && sed '1d; s/$/\r/' csv.log | octrace convert --from whisper --to text - - | cmp - whole

Values that RV32 lacks tell the width; old versions have no hart.

  $ printf 'pc, inst, modified regs, source operands, memory, inst info, privilege, trap, disassembly\n100a8,1141,x2=fffffff0,x2;i10,,,m,,c.addi x2; -0x10\n100aa,c606,,x1;x2,fffffffc=0,s,m,,c.swsp x1; 0xc\n' >old.log
  $ show old.log
  format                 whisper
  isa                    riscv32
  !privilege P:3
  000100a8/2
  000100aa/2 S4:fffffffc
  $ sed 's/x2=f/x2=fffffffff/' old.log | octrace info - | grep '^isa'
  isa                    riscv64
  $ for bad in 's/fffffffc=0/fffffffz=0/' 's/,m,,c.swsp.*//' 's/,m,,c.sw/,m,x,c.sw/'; do sed "$bad" old.log | octrace info - 2>&1 | grep octrace; done
  octrace: standard input:3: expected hexadecimal addresses of accesses, as Whisper lists them, found 'fffffffz=0'
  octrace: standard input:3: expected 'pc,inst,modified regs,source operands,memory,inst info,privilege,trap,disassembly' of Whisper's CSV, found 'fffffffc=0,s'
  octrace: standard input:3: expected 'pc,inst,modified regs,source operands,memory,inst info,privilege,trap,disassembly' of Whisper's CSV, found 'x,c.swsp x1; 0xc'

The text has lists of vectors too.

  $ cat >vectors.log <<'END'
  > #1 0 M 0000000080000100 02056007 v 00 00000000000000000000000000000000 vle32.v v0, (x10) [0x8000c400;0x8000c404:0x404]
  > #2 0 M 0000000080000104 0205e027 r 0000000000000000 0000000000000000 vse32.v v0, (x11) [0x8000c500=0x1;0x8000c504=0x22]
  > #3 0 M 0000000080000108 06456007 v 00 00000000000000000000000000000000 vluxei32.v v0, (x10), v4 [0x8000c400;0x8000c408]
  > #4 0 M 000000008000010c     e006 m 0000000000002000 0000000000000000 c.sdsp x1, 0x0(x2) [0x80002000:0x2000]
  > END
  $ show vectors.log
  format                 whisper
  isa                    riscv64
  !privilege P:3
  0000000080000100 L4:000000008000c400 L4:000000008000c404
  0000000080000104 S4:000000008000c500 S4:000000008000c504
  0000000080000108 L:000000008000c400 L:000000008000c408
  000000008000010c/2 S8:0000000080002000
  $ printf '#1 3  U 0000000080000000 00053503 r 000000000000000a 0000000000000001 ld x10, 0x0(x10) [0x80001000]\n' >newer.log
  $ show newer.log
  format                 whisper
  isa                    riscv64
  !privilege P:0
  0000000080000000 L8:0000000080001000 T:3

Sail: accesses follow on their own lines; fetches and page tables are none; a trap has a line of its own.

  $ cat >sail.log <<'END'
  > mem[X,0b0000000000000000000000000000001000] -> 0x0093
  > mem[X,0b0000000000000000000000000000001010] -> 0x0000
  > [0] [M]: 0x80000008 (0x00000093) addi ra, zero, 0x0
  > x1 <- 0x00000000
  > [1] [M]: 0x8000000C (0x0AC0A423) sw a2, 0xa8(ra)
  > mem[0b1000] <- 0x00001004
  > [2] [S]: 0x80000010 (0x4108) c.lw a0, 0(a0)
  > mem[R,0x80006020] -> 0x200000CF
  > mem[R,0x80001004] -> 0x00001004
  > x10 <- 0x00001004
  > mem[R,0x80006024] -> 0x200000CF
  > mem[X,0x80000012] -> 0x0073
  > [3] [S]: 0x80000012 (0x00000073) ecall
  > trapping from S to M to handle s-call
  > handling exc#0x09 at priv M with tval 0x00000000
  > CSR mstatus <- 0x00000880
  > [4] [M]: 0x80000100 (0x00A5A52F) amoadd.w a0, a0, (a1)
  > mem[R,0x80002000] -> 0x00000001
  > mem[W,0x80002000] <- 0x00000002
  > x10 <- 0x00000001
  > trapping from M to M to handle fetch-access-fault
  > handling exc#fetch-access-fault at priv M | tval=0x80000104 | tval2=0x00000000
  > CSR mepc (0x341) <- 0x80000104
  > [5] [M]: 0x80000100 (0x00000013) addi zero, zero, 0x0
  > handling int#0x07 at priv M with tval 0x00000000
  > CSR mepc (0x341) <- 0x80000104
  > [6] [M]: 0x80000100 (0x00000013) addi zero, zero, 0x0
  > END
  $ show sail.log
  format                 sail
  isa                    riscv32
  !privilege P:3
  80000008
  8000000c S4:00000008
  !privilege P:1
  80000010/2 L4:80001004
  !exception 9 A:80000012 V:00000000 P:3
  80000100 L4:80002000 S4:80002000
  !exception 1 A:80000104 V:80000104 P:3
  80000100
  !interrupt 7 A:80000104 P:3
  80000100
  $ back sail.log

The names of causes differ between versions. An unknown one is an error.

  $ trap_of() {
  >   printf '[0] [M]: 0x80000000 (0x00000013) nop\nhandling %s at priv M | tval=0x0\n[1] [M]: 0x80000100 (0x00000013) nop\n' "$1" >name.log
  >   octrace convert --to text name.log - | sed -n 's/^!\([ei][^ ]* [0-9]*\) .*/\1/p'
  > }
  $ trap_of @
  | exc#misaligned-fetch => exception 0
  | exc#fetch-access-fault => exception 1
  | exc#illegal-instruction => exception 2
  | exc#breakpoint => exception 3
  | exc#software-breakpoint => exception 3
  | exc#hardware-breakpoint => exception 3
  | exc#misaligned-load => exception 4
  | exc#load-access-fault => exception 5
  | exc#misaligned-store/amo => exception 6
  | exc#store/amo-access-fault => exception 7
  | exc#u-call => exception 8
  | exc#s-call => exception 9
  | exc#vs-call => exception 10
  | exc#m-call => exception 11
  | exc#fetch-page-fault => exception 12
  | exc#load-page-fault => exception 13
  | exc#store/amo-page-fault => exception 15
  | exc#software-check => exception 18
  | exc#software-check-fault => exception 18
  | exc#software-check-exception => exception 18
  | exc#hardware-error-exception => exception 19
  | exc#fetch-guest-page-fault => exception 20
  | exc#load-guest-page-fault => exception 21
  | exc#virtual-instruction => exception 22
  | exc#store/amo-guest-page-fault => exception 23
  | int#supervisor-software => interrupt 1
  | int#supervisor-software-interrupt => interrupt 1
  | int#virtual-supervisor-software-interrupt => interrupt 2
  | int#machine-software-interrupt => interrupt 3
  | int#supervisor-timer-interrupt => interrupt 5
  | int#virtual-supervisor-timer-interrupt => interrupt 6
  | int#machine-timer-interrupt => interrupt 7
  | int#supervisor-external-interrupt => interrupt 9
  | int#virtual-supervisor-external-interrupt => interrupt 10
  | int#machine-external-interrupt => interrupt 11
  | int#supervisor\ guest-external-interrupt => interrupt 12
  | int#counter-overflow\ interrupt => interrupt 13
  $ for name in fetch-access-fault fetch-page-fault fetch-guest-page-fault load-page-fault; do trap_of exc#$name >out; octrace info name.log | grep '^instructions'; done # a fault of a fetch is the next one's
  instructions           2
  instructions           2
  instructions           2
  instructions           1
  $ trap_of int#solar-flare; trap_of exc#solar-flare
  0> octrace: name.log:2: expected the cause and address of a trap of RISC-V, found '[..]': wrote the 1 instruction and 0 accesses before it
  0> octrace: name.log:2: expected the cause and address of a trap of RISC-V, found '[..]': wrote the 1 instruction and 0 accesses before it

Shadow stacks have kinds of their own, and a hypervisor loads what may be executed.

  $ cat >stack.log <<'END'
  > [0] [U]: 0x0000000080000000 (0xCE104073) sspush ra
  > mem[W.ss,0x0000000080002FF8] <- 0x0000000080000004
  > mem[R,0x0000000080006020] -> 0x200000CF200000CF
  > [1] [U]: 0x0000000080000004 (0xCDC0C073) sspopchk ra
  > mem[R.ss,0x0000000080002FF8] -> 0x0000000080000004
  > [2] [U]: 0x0000000080000008 (0x48B5352F) ssamoswap.d a0, a1, (a0)
  > mem[R.ssW.ss,0x0000000080002FF0] -> 0x0000000000000001
  > mem[R.ssW.ss,0x0000000080002FF0] <- 0x0000000000000002
  > [3] [HS]: 0x000000008000000C (0x6435C573) hlvx.hu a0, (a1)
  > mem[RX,0x0000000080003000] -> 0x4505
  > mem[X,0x0000000080000010] -> 0x0013
  > [4] [HS]: 0x0000000080000010 (0x00000013) nop
  > END
  $ octrace convert --to text stack.log - | grep -v '^[!#]'
  0000000080000000 S8:0000000080002ff8
  0000000080000004 L8:0000000080002ff8
  0000000080000008 L8:0000000080002ff0 S8:0000000080002ff0
  000000008000000c L2:0000000080003000
  0000000080000010

A hypervisor's accesses in its guest have the size that they name, of each core.

  $ cat >guest-sail.log <<'END'
  > [0] [HS]: 0x0000000080000000 (0x6005C573) hlv.b a0, (a1)
  > mem[R,0x0000000080006020] -> 0x200000CF200000CF
  > mem[R,0x0000000080003000] -> 0x45
  > [1] [HS]: 0x0000000080000004 (0x6AC5C073) hsv.w a2, (a1)
  > mem[R,0x0000000080006020] -> 0x200000CF200000CF
  > mem[W,0x0000000080003008] <- 0x00004505
  > END
  $ cat >guest-whisper.log <<'END'
  > #1 0 HS 0000000080000000 6005c573 r 000000000000000a 0000000000000045 hlv.b x10, (x11) [0x80003000:0x90003000]
  > #2 0 HS 0000000080000004 6ac5c073 m 0000000080003008 0000000000004505 hsv.w x12, (x11) [0x80003008:0x90003008]
  > END
  $ cat >guest-cva6.log <<'END'
  >    1ns 5 S 0000000080000000 1 6005c573 hlv.b a0, a1 VA: 0000000080003000 PA: 0090003000
  >    2ns 6 S 0000000080000004 1 6ac5c073 hsv.w a2, a1 VA: 0000000080003008 PA: 0090003008
  > END
  $ octrace convert --to text guest-@.log - | grep -v '^[!#]' | tr '\n' ' '; echo
  | sail => 0000000080000000 L1:0000000080003000 0000000080000004 S4:0000000080003008[..]
  | whisper => 0000000080000000 L1:0000000080003000 0000000080000004 S4:0000000080003008[..]
  | cva6 => 0000000080000000 L1:0000000080003000 0000000080000004 S4:0000000080003008[..]

A whole cache line has 128 digits.

  $ { echo '[0] [M]: 0x0000000080000000 (0x0045200F) cbo.zero (a0)'; printf 'mem[0x0000000080001000] <- 0x%0128x\n' 0; } >line.log
  $ octrace convert --from sail --to text line.log - | grep -v '^[#!]'
  0000000080000000 S64:0000000080001000

Whisper logs the address for all of a cache's block; only zeros are written, a register's width a time.

  $ cat >cbo.log <<'END'
  > #1 0 S 0000000080000000 0045200f m 0000000040003000 0000000000000000 cbo.zero x10 [0x40003008:0x80003008]  +
  > #1 0 S 0000000080000000 0045200f m 0000000040003008 0000000000000000 cbo.zero x10 [0x40003008:0x80003008]
  > #2 0 S 0000000080000004 0015200f r 0000000000000000 0000000000000000 cbo.clean x10 [0x40003008:0x80003008]
  > #3 0 S 0000000080000008 0025200f r 0000000000000000 0000000000000000 cbo.flush x10 [0x40003008:0x80003008]
  > #4 0 S 000000008000000c 0005200f r 0000000000000000 0000000000000000 cbo.inval x10 [0x40003008:0x80003008]
  > END
  $ octrace convert --to text cbo.log - | grep -v '^[#!]'
  0000000080000000 S8:0000000040003000 S8:0000000040003008
  0000000080000004
  0000000080000008
  000000008000000c
  $ cat >cbo.csv <<'END'
  > pc,inst,modified regs,source operands,memory,inst info,privilege,trap,disassembly,hartid
  > 80000000,0045200f,,x10=80003008,80003000=0;80003004=0,,m,,cbo.zero x10,0
  > 80000004,0015200f,,x10=80003008,80003008,,m,,cbo.clean x10,0
  > END
  $ octrace convert --to text cbo.csv - | grep -v '^[#!]'
  80000000 S4:80003000 S4:80003004
  80000004

NEORV32: an environment call did not retire; other traps have no cause.

  $ cat >neorv32.log <<'END'
  > 0 10 0x000024f6 0xc00026f3 U csrrs       x13, cycle, x0
  > 1 12 0x000024fa 0x0001     U c.addi      x0, x0, 0
  > 2 13 0x000024fc 0x00000073 U ecall
  > 3 20 0x00003e94 0x34011073 M csrrw       x0, mscratch, x2 <TRAP_ENTRY>
  > 4 21 0x00003e98 0x00112223 M c.sw        x1, 4(x2)
  > 5 30 0x00003e94 0x34011073 M csrrw       x0, mscratch, x2 <TRAP_ENTRY>
  > 6 31 0x00003e98 0x00112223 D c.sw        x1, 4(x2)
  > END
  $ show neorv32.log
  format                 neorv32
  isa                    riscv32
  !privilege P:0
  000024f6
  000024fa/2
  !exception 8 A:000024fc V:00000000 P:3
  00003e94
  00003e98/2
  !interrupt 0 A:00000000 P:3
  00003e94
  !privilege P:4
  00003e98/2
  $ back neorv32.log

Spike without commits: what is logged before an exception did not retire.

  $ cat >spike.log <<'END'
  > core   0: 0x0000000000001000 (0x00000297) auipc   t0, 0x0
  > core   0: >>>>  main
  > core   0: 0x0000000000001004 (0x00004505) c.li    a0, 1
  > core   0: 0x0000000000001006 (0x00000073) ecall
  > core   0: exception trap_machine_ecall, epc 0x0000000000001006
  > core   0: 0x0000000000001100 (0x00000013) nop
  > core   1: 0x0000000000001104 (0x00000013) nop
  > END
  $ show spike.log
  format                 spike
  isa                    riscv64
  0000000000001000
  0000000000001004/2
  !exception 11 A:0000000000001006 V:0000000000000000
  0000000000001100
  0000000000001104 T:1
  $ back spike.log

A line that begins as an instruction and is damaged, a trap that is not known, and a log of nothing.

  $ for file in ibex cv rocket whisper sail neorv32 hart spike; do
  >   sed -E '$s/( |\[|x)([0-9a-f]{7})[0-9a-f]/\1\2z/' $file.log >bad.log
  >   octrace info bad.log >/dev/null
  > done
  4> octrace: bad.log:4: expected 'TIME CYCLE PC INSTRUCTION MNEMONIC' of Ibex or CV32E40P, found '0000008z 00a5222b p.sw             x10,'
  4> octrace: bad.log:5: expected 'CN: CYCLE [1] pc=[PC] ... inst=[INSTRUCTION]' of Rocket or BOOM, found '0000000z138] W[r 3=000000007fff7fff][1]'
  4> octrace: bad.log:14: expected '#TAG HART PC INSTRUCTION RESOURCE ADDRESS VALUE' of Whisper, or 'CYCLE : #NUMBER HART PC INSTRUCTION' of VeeR, found '0000010z 00000013 r 00         00000000'
  4> octrace: bad.log:27: expected '[NUMBER] [M]: 0xPC (0xINSTRUCTION)' of Sail, found '8000010z (0x00000013) addi zero, zero, '
  4> octrace: bad.log:7: expected 'NUMBER CYCLE 0xPC 0xINSTRUCTION M' of NEORV32, found '00003e9z 0x00112223 D c.sw        x1, 4'
  4> octrace: bad.log:7: expected 'CYCLE 0xPC M (0xINSTRUCTION)' or 'TIME CYCLE M PC 0 INSTRUCTION' of CVA6, found '0000000z80000104 0 0005202f lr.w'
  4> octrace: bad.log:7: expected '0xPC (0xINSN)' after 'core N: P', or 'core N:' of -l, found ' 0x0000000z00001104 (0x00000013) nop'
  $ sed 's/m-call/x/; s/#fetch-access-fault/#odd/' sail.log >bad.log
  $ octrace convert bad.log out.oct
  4> octrace: bad.log:22: expected the cause and address of a trap of RISC-V, found 'odd at priv M | tval=0x80000104 | tval2': nothing is written (--salvage keeps the 4 instructions and 4 accesses before it)
  $ sed '$s/0x80000000/0x8000000z/' cva6.dasm >bad.log
  $ octrace convert bad.log out.oct
  4> octrace: bad.log:9: expected 'CYCLE 0xPC M (0xINSTRUCTION)' or 'TIME CYCLE M PC 0 INSTRUCTION' of CVA6, found '8000000z M (0x00000013) DASM(00000013)': nothing is written (--salvage keeps the 5 instructions and 0 accesses before it)
  $ sed '/PA:/s/PA:0x/PA:g/' ibex.log >bad.log
  $ octrace convert bad.log out.oct
  4> octrace: bad.log:2: expected a hexadecimal address of an access, found 'g0000101c store:0x00000007'
  $ sed '$s/pc=.0000000/pc=[00f0000000/' rocket.log >bad.log
  $ octrace convert --isa riscv32 bad.log out.oct
  4> octrace: bad.log:5: expected an address of 32 bits, found 'C1:        485 [1] pc=[00f00000002138] ': nothing is written (--salvage keeps the 2 instructions and 0 accesses before it)

A log that ends within its last line, as of a simulation that was stopped: the part of an instruction or an address is not taken for a whole one.

  $ cut_off() { head -c -"$1" "$2" >bad.log && octrace convert --to text bad.log - 2>&1 >part | grep -o 'expected.*found.*'; tail -n 1 part; }
  $ printf 'core   0: 3 0x80000000 (0x00000013)\ncore   0: 3 0x80000004 (0x00a52023) mem 0x80001234 0x00000001\n' >cut.log
  $ cut_off 18 cut.log
  80000000
  $ cut_off 41 cut.log
  80000000
  $ printf '%10d\t%d\t%s\t%s\t%s\t%s\n' 10 5 00000080 0062ae23 sw 'PA:0x0000101c' >pa.log
  $ cut_off 3 pa.log
  # insn_align_bytes 2

Lines without text do not separate an instruction from its accesses.

  $ octrace convert --to text sail.log whole && sed 's/$/\n/' sail.log | octrace convert --to text - - | cmp - whole

  $ echo nothing >bad.log
  $ for format in ibex cva6 rocket whisper sail neorv32; do octrace convert --from $format bad.log out.oct; done
  4> octrace: bad.log: none of its lines (1) is 'TIME CYCLE PC INSTRUCTION MNEMONIC' of Ibex or CV32E40P
  4> octrace: bad.log: none of its lines (1) is 'CYCLE 0xPC M (0xINSTRUCTION)' or 'TIME CYCLE M PC 0 INSTRUCTION' of CVA6
  4> octrace: bad.log: none of its lines (1) is 'CN: CYCLE [1] pc=[PC] ... inst=[INSTRUCTION]' of Rocket or BOOM
  4> octrace: bad.log: none of its lines (1) is '#TAG HART PC INSTRUCTION RESOURCE ADDRESS VALUE' of Whisper, or 'CYCLE : #NUMBER HART PC INSTRUCTION' of VeeR
  4> octrace: bad.log: none of its lines (1) is '[NUMBER] [M]: 0xPC (0xINSTRUCTION)' of Sail
  4> octrace: bad.log: none of its lines (1) is 'NUMBER CYCLE 0xPC 0xINSTRUCTION M' of NEORV32

RVFI: columns by their names, in any order, with blanks, tabs, commas or bars between them. CV32E40X writes this one.

  $ cat >rvfi.log <<'END'
  > PC        Instr     rs1_addr  rs1_rdata  rs2_addr  rs2_rdata  rd_addr  rd_wdata    mem_addr
  > 00000080  00a52023        0a   00001000        0a   00000000       00  00000000    00001000
  > 00000084  00004505        00   00000000        00   00000000       0a  00000001    00000000
  > END
  $ show rvfi.log
  format                 rvfi
  isa                    riscv32
  00000080 S4:00001000
  00000084/2
  $ back rvfi.log

CSV of the signals, with masks, privilege, traps and interrupts.

  $ cat >rvfi.csv <<'END'
  > rvfi_order,rvfi_valid,rvfi_insn,rvfi_trap,rvfi_intr,rvfi_mode,rvfi_pc_rdata,rvfi_pc_wdata,rvfi_mem_addr,rvfi_mem_rmask,rvfi_mem_wmask
  > 0,1,00b5252f,0,0,3,80000000,80000004,00001000,f,f
  > 1,0,00b5252f,0,0,3,80000004,80000004,00001000,f,f
  > 1,1,1005a52f,0,0,3,80000004,80000008,00001004,1111,0000
  > 2,1,18c5a52f,0,0,3,80000008,8000000c,00001004,0,0
  > 3,1,00000073,1,0,0,8000000c,80000100,0,0,0
  > 4,1,00000013,0,1,3,80000100,80000104,0,0,0
  > 5,1,00000013,0,1,3,80000200,80000204,0,0,0
  > 6,1,00052503,2B,0,3,80000204,80000100,0,0,0
  > END
  $ show rvfi.csv
  format                 rvfi
  isa                    riscv32
  !privilege P:3
  80000000 L4:00001000 S4:00001000
  80000004 L4:00001004
  80000008
  !exception 8 A:8000000c V:00000000 P:3
  80000100
  !interrupt 0 A:80000104 P:3
  80000200
  !exception 5 A:80000204 V:00000000
  $ back rvfi.csv

The logger of core-v-verif, and the tables of riscv-dv.

  $ cat >agent.log <<'END'
  > ----------------------------------------
  >  TIME | CYCLE | ORDER | PC | INSTR | M | RS1 | RS1_DATA | RS2 | RS2_DATA | RD | RD_DATA | MEM | MEM_ADDR | MEM_DATA | INSTRUCTION
  > ----------------------------------------
  >  10.0 ns | 5 | 1 | 00000080 | 00812423 | M | 2 | 00001000 | 8 | 00000000 | -- | ------ |  WR | 00001008 | 00000000 |
  >  12.0 ns | 6 | 2 | 00000084 | 4505 | U | 2 | 00001000 | 8 | 00000000 | -- | ------ |  -- | -------- | -------- |
  > END
  $ show agent.log
  format                 rvfi
  isa                    riscv32
  !privilege P:3
  00000080 S4:00001008
  !privilege P:0
  00000084/2
  $ cat >agent-old.log <<'END'
  >        0.000 ns: RVFI  Order       PC    Instr M rs1 rs1_data rs2 rs2_data  rd  rd_data mem mem_addr mem_data instr
  >       54.000 ns: RVFI      1 00000080 00812423 M x 2 00001000 x 8 00000000 x 0 00000000  WR 00001008 00000000 main a.c 3 - sw x8,8(x2)
  >       74.000 ns: RVFI      2 00000084 42018193 U x 3 0000d080 x24 00000000 x 3 0000d4a0  -- -------- -------- main a.c 4 - addi x3,x3,1056
  > END
  $ show agent-old.log
  format                 rvfi
  isa                    riscv32
  !privilege P:3
  00000080 S4:00001008
  !privilege P:0
  00000084
  $ printf 'pc,instr,gpr,csr,binary,mode,instr_str,operand,pad\n80000000,addi,a0:00000001,,00150513,3,"addi a0,a0,1","a0,a0,1",\n80000004,c.nop,,,0001,3,"c.nop",,\n' >dv.csv
  $ show dv.csv
  format                 rvfi
  isa                    riscv32
  !privilege P:3
  80000000
  80000004/2
  $ { cat rvfi.csv; echo '7,1,000x,0,0,3,80000204,80000100,0,0,0'; } >bad.csv && octrace info bad.csv 2>&1 >out
  octrace: bad.csv:10: expected a line of RVFI below the names of its columns (pc_rdata, insn, ...), found '000x,0,0,3,80000204,80000100,0,0,0'
  [exit 4]
  $ head -1 rvfi.csv >bad.csv && octrace info bad.csv
  4> octrace: bad.csv: none of its lines (1) is a line of RVFI below the names of its columns (pc_rdata, insn, ...)

Accesses that an instruction does not make stay, as they show what is wrong with a core.

  $ cat >odd.csv <<'END'
  > order,insn,pc_rdata,mem_addr,mem_rmask,mem_wmask
  > 0,00000093,0000000080000000,0,0,0
  > 1,0020b423,0000000080000004,00001008,ff,0
  > 2,0000b103,0000000080000008,00001010,0,f
  > 3,0820b12f,000000008000000c,00001018,ff,ff
  > 4,00000013,0000000080000010,00001020,f,0
  > 5,0020b423,0000000080000014,00001028,0,ff
  > END
  $ show odd.csv
  format                 rvfi
  isa                    riscv64
  0000000080000000
  0000000080000004 L8:0000000000001008
  0000000080000008 S4:0000000000001010
  000000008000000c L8:0000000000001018 S8:0000000000001018
  0000000080000010 L4:0000000000001020
  0000000080000014 S8:0000000000001028
  0> octrace: note: odd.csv: 3 accesses are not of the kind that their instruction makes: kept, as the log has them
  0> octrace: note: odd.csv: 3 accesses are not of the kind that their instruction makes: kept, as the log has them
  $ back odd.csv
  0> octrace: note: odd.csv: 3 accesses are not of the kind that their instruction makes: kept, as the log has them

Numbers of lines in front do not make Whisper's log one of VeeR, which would lose its stores.

  $ printf '%d:#%d 0 0000010%d c606 m fffffffc 00000000 c.swsp\n' 1 1 0 2 2 2 >numbered.log
  $ octrace convert --from whisper --isa riscv32 --to text numbered.log - | grep -v '^#'
  00000100/2 S4:fffffffc
  00000102/2 S4:fffffffc

RVFI in the order of riscv-formal, with separators of any kind, is not taken for Whisper's.

  $ cat >formal.csv <<'END'
  > rvfi_valid,rvfi_order,rvfi_insn,rvfi_trap,rvfi_halt,rvfi_intr,rvfi_mode,rvfi_ixl,rvfi_rs1_addr,rvfi_rs2_addr,rvfi_rs1_rdata,rvfi_rs2_rdata,rvfi_rd_addr,rvfi_rd_wdata,rvfi_pc_rdata,rvfi_pc_wdata,rvfi_mem_addr,rvfi_mem_rmask,rvfi_mem_wmask,rvfi_mem_rdata,rvfi_mem_wdata
  > 1,0,00000093,0,0,0,3,1,0,0,0,0,1,0,80000000,80000004,00000000,0,0,0,0
  > 1,1,0000a103,0,0,0,3,1,1,0,0,0,2,5,80000004,80000008,80001000,f,0,5,0
  > 0,2,0020a223,0,0,0,3,1,1,2,0,5,0,0,80000008,8000000c,80001004,0,f,0,5
  > 1,2,0020a223,0,0,0,3,1,1,2,0,5,0,0,80000008,8000000c,80001004,0,f,0,5
  > END
  $ show formal.csv
  format                 rvfi
  isa                    riscv32
  !privilege P:3
  80000000
  80000004 L4:80001000
  80000008 S4:80001004
  $ octrace convert --to text formal.csv want
  $ for change in 's/rvfi_//g' 's/,/;/g' 's/,/|/g' 's/,/\t/g' 's/,/, /g; s/rvfi_//g'; do
  >   sed "$change" formal.csv >in && octrace convert --to text in - | cmp - want
  > done

Debug mode needs a wider privilege, which is found in the trace.

  $ printf '%s\n' '#1 0 M 00000100 00000013 r 00 00000000 addi x0' '#2 0 D 00000104 00000013 r 00 00000000 addi x0' '#3 0 U 00000108 00000013 r 00 00000000 addi x0' >debug.log
  $ octrace compress --tracer etrace -o e.octp debug.log 2>report && octrace info e.octp | grep privilege
  privilege_bits         3
  $ octrace decompress --to text -o - e.octp 2>notes | grep '^!'
  !privilege P:3
  !privilege P:4
  !privilege P:0
  $ octrace compress --tracer etrace -g privilege_bits=2 -o e.octp debug.log
  4> octrace: debug.log: before instruction 1: privilege 4 of a trap does not fit privilege_bits: set it to 3
