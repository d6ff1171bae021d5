SPDX-License-Identifier: Apache-2.0
Traces of Ramulator and DRAMSim are written and read.

  $ cat >t.txt <<'END'
  > 8000
  > 8004 L4:1000 S4:1000
  > 8008
  > 800c
  > 8010 S8:80002000
  > 8014 L:3000 L:3008
  > END
  $ for format in dramsim ramulator ramulator2 ramulator-cpu; do octrace convert --to $format t.txt $format.trace && cat $format.trace; done
  0x1000 READ 1
  0x1000 WRITE 1
  0x80002000 WRITE 4
  0x3000 READ 5
  0x3008 READ 5
  0x1000 R
  0x1000 W
  0x80002000 W
  0x3000 R
  0x3008 R
  LD 0x1000
  ST 0x1000
  ST 0x80002000
  LD 0x3000
  LD 0x3008
  1 4096 4096
  2 2147491840 2147491840
  0 12288
  0 12296
  $ for format in dramsim ramulator ramulator2; do octrace info $format.trace | grep -E '^(format|accesses) '; octrace convert --to text $format.trace - | grep -v '^#' | cut -d: -f 1,2; done
  format                 dramsim
  accesses               5
  0000000000000000 L:0000000000001000 @1
  0000000000000000 S:0000000000001000 @1
  0000000000000000 S:0000000080002000 @4
  0000000000000000 L:0000000000003000 @5
  0000000000000000 L:0000000000003008 @5
  format                 ramulator
  accesses               5
  0000000000000000 L:0000000000001000
  0000000000000000 S:0000000000001000
  0000000000000000 S:0000000080002000
  0000000000000000 L:0000000000003000
  0000000000000000 L:0000000000003008
  format                 ramulator2
  accesses               5
  0000000000000000 L:0000000000001000
  0000000000000000 S:0000000000001000
  0000000000000000 S:0000000080002000
  0000000000000000 L:0000000000003000
  0000000000000000 L:0000000000003008
  $ octrace convert --to text --from ramulator-cpu ramulator-cpu.trace - | grep -v '^#'
  0000000000000000
  0000000000000000 L:0000000000001000 S:0000000000001000
  0000000000000000
  0000000000000000
  0000000000000000 L:0000000080002000 S:0000000080002000
  0000000000000000 L:0000000000003000
  0000000000000000 L:0000000000003008

Stamps are cycles; the forms of other versions.

  $ printf '8000 L:1000 @7\n8004 S:2000 @9\n8004 @11\n' >stamped.txt && octrace convert --to dramsim stamped.txt d.trace && cat d.trace
  0x1000 READ 7
  0x2000 WRITE 9
  $ octrace convert --to text d.trace - | grep -v '^#'
  0000000000000000 L:0000000000001000 @7
  0000000000000000 S:0000000000002000 @9
  $ printf '0x00000000 P_MEM_RD 2\n0x00000008 P_MEM_WR 2\n0x10 P_FETCH 3\n0x20 IFETCH 4\n' >k6.trc && octrace convert --to da k6.trc -
  0000000000000000
  8
  10
  20
  $ printf 'LD 0x12345678\nST 4096\n' >ls.trace && octrace convert --to da ls.trace -
  0000000012345678
  1000

All accesses of samples come back, in their order and kinds.

  $ octrace convert --limit 70000 ../samples/isa/x86-64.oct x.oct
  $ octrace convert --to text x.oct - | grep -o ' [LS][0-9]*:[^ ]*' | sed 's/[0-9]*:0*/:/' >want
  $ for format in dramsim ramulator ramulator2; do octrace convert --to $format x.oct x.trace; octrace convert --to text x.trace - | grep -o ' [LS][0-9]*:[^ ]*' | sed 's/[0-9]*:0*/:/' | cmp - want; done
  $ octrace convert --to ramulator-cpu x.oct x.trace && octrace convert --from ramulator-cpu --to text x.trace - | grep -o ' S:[^ ]*' | sed 's/:0*/:/' | cmp - <(grep ' S' want)

The simulators read addresses without 0x as hexadecimal in two of the formats; a CPU trace may have 0x. DRAMsim3 has more words.

  $ accesses() { printf "$2" >t.trace; octrace convert $1 --to text t.trace - | grep -o ' [LS]:.*\| @.*' | xargs; octrace info $1 t.trace | grep '^format'; }
  $ accesses '' '12345680 R\n4cbd56c0 W\n'
  L:0000000012345680 S:000000004cbd56c0
  format                 ramulator
  $ accesses '' '12345680 READ 3\n4CBD56C0 WRITE 4\n0x10 write 4\n20 read 5\n30 BOFF 6\n'
  L:0000000012345680 @3 S:000000004cbd56c0 @4 S:0000000000000010 @4 L:0000000000000020 @5 S:0000000000000030 @6
  format                 dramsim
  $ accesses '--from ramulator-cpu' '0 0x1000\n0 4096 0X2000\n'
  L:0000000000001000 L:0000000000001000 S:0000000000002000
  format                 ramulator-cpu

What is wrong.

  $ octrace info ramulator-cpu.trace
  4> octrace: ramulator-cpu.trace: offset 0: decimal numbers, as of Ramulator's (bubbles, address): use --from ramulator-cpu, or, if they are hexadecimal addresses, --from text
  $ bad() { printf '%s\n' "$2" >bad.trace; octrace info --from $1 bad.trace; }
  $ bad dramsim '0x1000 READ'
  4> octrace: bad.trace:1: expected '0xADDR READ|WRITE CYCLE' of DRAMSim, found '0x1000 READ'
  $ bad dramsim '0x1000 LOAD 3'
  4> octrace: bad.trace:1: expected '0xADDR READ|WRITE CYCLE' of DRAMSim, found '0x1000 LOAD 3'
  $ bad ramulator '10z0 R'
  4> octrace: bad.trace:1: expected '0xADDR R|W' of Ramulator, found '10z0 R'
  $ bad ramulator '0x1000 R 3'
  4> octrace: bad.trace:1: expected '0xADDR R|W' of Ramulator, found '0x1000 R 3'
  $ bad ramulator2 'LD'
  4> octrace: bad.trace:1: expected 'LD|ST ADDR' of Ramulator 2, found 'LD'
  $ bad ramulator-cpu '3'
  4> octrace: bad.trace:1: expected 'COUNT ADDR [ADDR]' of Ramulator, found '3'
  $ bad ramulator-cpu '99999999 4096'
  4> octrace: bad.trace:1: expected 'COUNT ADDR [ADDR]' of Ramulator, found '99999999 4096'
  $ printf '0x1000 READ 5\n0x1000 READ 4\n' >bad.trace && octrace info bad.trace
  4> octrace: bad.trace:2: expected a cycle that is not below the one before, found '0x1000 READ 4'
