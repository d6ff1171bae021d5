SPDX-License-Identifier: Apache-2.0
Values in the logs of other tools: with the parameter values=1 they are values of accesses and, where the log has registers, facts of what execution cannot know.

Spike. It begins with all registers 0; a read of a control register comes from outside. A replay executes the rest.

  $ cat >spike.log <<'END'
  > core   0: 3 0x0000000000001000 (0x00000297) x5  0x0000000000001000
  > core   0: 3 0x0000000000001004 (0x02028593) x11 0x0000000000001020
  > core   0: 3 0x0000000000001008 (0xf1402573) x10 0x0000000000000000
  > core   0: 3 0x000000000000100c (0x0182b283) x5  0x0000000080000000 mem 0x0000000000001018
  > core   0: 3 0x0000000000001010 (0x00028067)
  > core   0: 3 0x0000000080000000 (0x00b2a023) mem 0x0000000080000000 0x00001020
  > core   0: 3 0x0000000080000004 (0x0002a503) x10 0x0000000000001020 mem 0x0000000080000000
  > core   0: 3 0x0000000080000008 (0x00a28123) mem 0x0000000080000002 0x20
  > core   0: 3 0x000000008000000c (0x0022c503) x10 0x0000000000000020 mem 0x0000000080000002
  > core   0: 3 0x0000000080000010 (0x0002b507) f10 0x0000000000201020 mem 0x0000000080000000
  > END
  $ octrace convert --to text spike.log - | grep -cE '=|!register'
  0
  [exit 1]
  $ octrace info --from spike:values=1 spike.log | grep -E '^(values|facts) '
  values                 6
  facts                  33
  $ octrace convert --from spike:values=1 --to text spike.log - | grep -vE '!register x[0-9]*=0{16}'
  # pc[/size_bytes] [L|S[size_bytes]:da ...] [@cycle] [T:task]
  # isa riscv64
  # insn_align_bytes 2
  !privilege P:3
  0000000000001000
  0000000000001004
  0000000000001008
  000000000000100c L8:0000000000001018=0000000080000000
  0000000000001010
  0000000080000000 S4:0000000080000000=00001020
  0000000080000004 L4:0000000080000000=00001020
  0000000080000008 S1:0000000080000002=20
  000000008000000c L1:0000000080000002=20
  0000000080000010 L8:0000000080000000=0000000000201020
  $ octrace convert --from spike:values=1 --to text spike.log - | grep -c '!register'
  33
  $ octrace compress --from spike:values=1 --tracer replay -o s.octp spike.log 2>&1 | grep executed
    told accesses             2     0.2000  of instructions that are not executed
  executed 0.9, loads sent 0.5, symbols 9.6
  $ octrace convert s.octp s.oct
  $ octrace compare --from spike:values=1 --ignore privilege,traps spike.log s.oct
  spike.log and s.oct: 10 instructions and 6 accesses equal
  0> octrace: note: spike.log: not compared, as this trace has it not everywhere: content of 33 registers
  0> octrace: note: s.oct: not compared, as this trace has it not everywhere: content of 1 register

QEMU's execlog with registers: changes stand behind the accesses of their instruction.

  $ cat >execlog.log <<'END'
  > 0, 0x10120, 0x850a, "850a              mv                      a0,sp", a0 -> 0x0000004000800e40
  > 0, 0x10122, 0x4514, "4514              lw                      a3,8(a0)", load, 0x4000800e48, RAM, a3 -> 0xffffffffdeadbeef
  > 0, 0x10124, 0xc954, "c954              sw                      a3,20(a0)", store, 0x4000800e54, RAM
  > 0, 0x10126, 0x4514, "4514              lw                      a3,8(a0)", load, 0x4000800e48, RAM
  > END
  $ octrace convert --from execlog:values=1 --isa riscv64 --to text execlog.log - | grep ^0
  0000000000010120/2
  0000000000010122/2 L4:0000004000800e48=deadbeef
  0000000000010124/2 S4:0000004000800e54=deadbeef
  0000000000010126/2 L4:0000004000800e48=deadbeef

A table of RVFI.

  $ cat >rvfi.log <<'END'
  > pc_rdata insn rd_addr rd_wdata mem_addr mem_rmask mem_wmask mem_rdata mem_wdata
  > 00000080 00052503 0a 00001234 00000100 f 0 00001234 00000000
  > 00000084 00a50123 00 00000000 00000102 0 1 00000000 00000034
  > 00000088 00254583 0b 00000034 00000100 4 0 00340000 00000000
  > END
  $ octrace convert --from rvfi:values=1 --to text rvfi.log - | grep ^0
  00000080 L4:00000100=00001234
  00000084 S1:00000102=34
  00000088 L1:00000100=34

With reset=1 registers hold 0 before the first instruction. All are told again behind a trap, and behind an instruction that nobody knows. An interrupt after a jump came where that leads.

  $ cat >reset.log <<'END'
  > pc_rdata insn intr rd_addr rd_wdata pc_wdata
  > 00000080 00700513 0 0a 00000007 00000084
  > 00000084 0080006f 0 00 00000000 0000008c
  > 00000010 0000058b 3d 0b 00000009 00000014
  > 00000014 00000013 0 00 00000000 00000018
  > 00000018 00000013 0 00 00000000 0000001c
  > END
  $ octrace convert --from rvfi:values=1,reset=1 --to text reset.log - | grep -v '^#' | grep -vE 'x([1-9]|1[2-9]|2.|3.)='
  !register x0=00000000
  !register x10=00000000
  !register x11=00000000
  00000080
  00000084
  !interrupt 7 A:0000008c
  !register x0=00000000
  !register x10=00000007
  !register x11=00000000
  00000010
  !register x0=00000000
  !register x10=00000007
  !register x11=00000009
  00000014
  00000018

Pin's pinatrace with -values 1, and gem5, whose log has no sizes: the program tells them.

  $ printf '%s\n' '# Memory Access Trace' '0x401000: R 0x7fff0000  4 0xdeadbeef' '0x401003: W 0x7fff0008  8 0x1' '0x401007: R 0x7fff0010 16 0x0102' >pin.out
  $ octrace convert --from pinatrace:values=1 --to text pin.out - | grep ^0
  00401000 L4:7fff0000=deadbeef
  00401003 S8:7fff0008=0000000000000001
  00401007 L16:7fff0010
  0> octrace: note: pin.out: the value of 1 access is left out: of more than 8 bytes those below 0x10 have one digit
  $ xzcat ../samples/foreign/aarch64.gem5.xz | sed 's/D=0x0000000000000000 A/D=0x1122334455667788 A/' >gem5.log
  $ octrace convert --from gem5:values=1 --elf ../data/mixed-aarch64.elf --limit 300 --to text gem5.log - | grep = | head -3
  0000000000400400 S8:0000005500800770=1122334455667788 S8:0000005500800778=1122334455667788
  0000000000400410 S8:0000005500800780=1122334455667788 S8:0000005500800788=1122334455667788
  0000000000400434 S8:0000005500800790=1122334455667788 S8:0000005500800798=1122334455667788

CVP-1: a load of one register.

  $ zcat ../samples/foreign/aarch64.cvp.gz >a.cvp
  $ octrace info --from cvp:values=1 a.cvp | grep -E '^(loads|values|facts) '
  loads                  262
  values                 262
  $ octrace convert --from cvp:values=1 --to text a.cvp - | grep = | head -3
  0000000000400154 L4:0000000000402200=00000000
  0000000000400170 L4:0000000000402180=00000000
  0000000000400180 L4:000000000040227c=00000000

  $ printf '\0\1\100\0\0\0\0\0\1\0\2\0\0\0\0\0\0\4\1\1\1\2\357\276\255\336\0\0\0\0' >b.cvp
  $ octrace convert --from cvp:values=1 --to text b.cvp - | grep ^0
  0000000000400100 L4:0000000000000200=deadbeef

  $ try octrace info --from spike:values=2 spike.log
  4> octrace: spike.log: the format spike: expected values=N or reset=N; found 'values=2'
  $ try octrace info --from lackey:values=1 spike.log
  4> octrace: spike.log: the format lackey takes no parameters; found 'values=1'

Values of 16 bytes stay; a value that cannot be kept is told, as a note, with its reason; a value that is none is an error.

  $ printf '\0\1\100\0\0\0\0\0\1\0\2\0\0\0\0\0\0\20\1\1\1\50\1\2\3\4\5\6\7\10\21\22\23\24\25\26\27\30' >v.cvp
  $ octrace convert --from cvp:values=1 --to text v.cvp - | grep ^0
  0000000000400100 L16:0000000000000200=18171615141312110807060504030201
  $ printf '\0\1\100\0\0\0\0\0\1\0\2\0\0\0\0\0\0\20\1\1\1\2\1\2\3\4\5\6\7\10' >w.cvp
  $ printf '\0\1\100\0\0\0\0\0\1\0\2\0\0\0\0\0\0\10\1\1\2\2\3\1\2\3\4\5\6\7\10\1\2\3\4\5\6\7\10' >>w.cvp
  $ for file in w.cvp a.cvp; do octrace convert --from cvp:values=1 $file w.oct; done
  0> octrace: note: w.cvp: the values of 2 accesses are left out: the instruction writes several registers
  $ octrace convert --from cvp a.cvp w.oct
  $ pin() { printf '0x1000: R 0x2000 %s\n' "$@" '8 0x1' >pin.out; octrace convert --from pinatrace:values=1 --to text pin.out - | grep ^0; }
  $ pin '16 0x112233445566778899aabbccddeeff10' '32 0x112233445566778899aabbccddeeff10112233445566778899aabbccddeeff10'
  0000000000001000 L16:0000000000002000=10ffeeddccbbaa998877665544332211
  0000000000001000 L32:0000000000002000=10ffeeddccbbaa99887766554433221110ffeeddccbbaa998877665544332211
  0000000000001000 L8:0000000000002000=0000000000000001
  $ pin '16 0x112233445566778899aabbccddeeff1' '10 0x1' '6 0x1' '4'
  0000000000001000 L16:0000000000002000
  0000000000001000 L:0000000000002000
  0000000000001000 L:0000000000002000
  0000000000001000 L4:0000000000002000
  0000000000001000 L8:0000000000002000=0000000000000001
  0> octrace: note: pin.out: the values of 3 accesses are left out: the access is of no known size
  $ for value in '1 0x1ff' '2 0x10000' '4 0x100000000' '8 0x10000000000000000' '8 0x12zz' '8 none' '0x8 0x1'; do echo "0x1000: R 0x2000 $value" >pin.out; try octrace convert --from pinatrace:values=1 pin.out pin.oct; done
  4> octrace: pin.out:1: expected a hexadecimal value of that size, found '0x1ff'
  4> octrace: pin.out:1: expected a hexadecimal value of that size, found '0x10000'
  4> octrace: pin.out:1: expected a hexadecimal value of that size, found '0x100000000'
  4> octrace: pin.out:1: expected a hexadecimal value of that size, found '0x10000000000000000'
  4> octrace: pin.out:1: expected a hexadecimal value of that size, found '0x12zz'
  4> octrace: pin.out:1: expected a hexadecimal value of that size, found 'none'
  4> octrace: pin.out:1: expected a size, found '0x8'
  $ octrace convert --from gem5:values=1 --limit 300 --to text gem5.log - | grep -c =
  0
  1> octrace: note: gem5.log: the values of 609 accesses are left out: the program (--elf) has the sizes
  $ octrace convert --from gem5:values=1 --elf ../data/mixed-riscv64.elf --limit 300 gem5.log gem5.oct
  0> octrace: note: gem5.log: the values of 609 accesses are left out: the program has no such access of up to 8 bytes there
  0> octrace: note: ../data/mixed-riscv64.elf: no instruction of the trace is in it: if it was loaded elsewhere, give --elf ../data/mixed-riscv64.elf@BIAS
  $ octrace convert --from gem5 --limit 300 gem5.log gem5.oct
