SPDX-License-Identifier: Apache-2.0
What a format of a tracer cannot carry, the compressor refuses; it does not come back as something else.

etrace: data addresses wider than addr_bits; bare data packets.

  $ printf '8000 L4:100000000\n8004 S4:100000004\n' >wide.txt
  $ octrace compress --tracer etrace --isa riscv64 -g addr_bits=32 -o o.octp wide.txt
  4> octrace: wide.txt: data address 0x100000000: wider than addr_bits=32
  $ octrace verify --engine untimed --tracer etrace --isa riscv64 -g addr_bits=33 wide.txt
  wide.txt: untimed: 2 instructions and 2 accesses equal
  $ printf '8000 L4:1000\n8004\n' >narrow.txt
  $ octrace compress --tracer etrace --isa riscv64 -g encapsulation=0 -o o.octp narrow.txt
  2> octrace: compress: encapsulation=0 needs data=0: bare data packets cannot be distinguished (see octrace list geometries and params)
  $ octrace verify --engine untimed --tracer etrace --isa riscv64 -g bare narrow.txt
  narrow.txt: untimed: 2 instructions and 0 accesses equal

etrace: a packet of more bytes than its header can tell.

  $ printf '8000\n!exception 2 A:8004 V:8000000000000000 P:3\n9000\n' >value.txt
  $ octrace verify --engine untimed --tracer etrace --isa riscv64 -g @ value.txt
  | time_bits=64 => value.txt: untimed: 2 instructions and 0 accesses equal
  | time_bits=64,addr_lsb_bits=0,src_bits=14 => value.txt: untimed: 2 instructions and 0 accesses equal
  | time_bits=64,addr_lsb_bits=0,src_bits=15,ecause_bits=6 => value.txt: untimed: 2 instructions and 0 accesses equal
  | time_bits=64,addr_lsb_bits=0,src_bits=15,ecause_bits=7 => 4> octrace: value.txt: before instruction 1: trap value 9223372036854775808 makes a packet of more than 31 bytes: set time_bits to less
  | time_bits=64,ecause_bits=16 => 4> octrace: value.txt: before instruction 1: trap value 9223372036854775808 makes a packet of more than 31 bytes: set time_bits to less
  | time_bits=61,ecause_bits=16 => value.txt: untimed: 2 instructions and 0 accesses equal
  | bare,time_bits=64,addr_lsb_bits=0,ecause_bits=16 => value.txt: untimed: 2 instructions and 0 accesses equal
  $ octrace convert --isa riscv64 --to etrace:data=0,time_bits=64,ecause_bits=16,addr_lsb_bits=0,privilege_bits=4 value.txt value.et
  4> octrace: value.et: before instruction 1: trap value 9223372036854775808 makes a packet of more than 31 bytes: set time_bits to less
  $ ls value.et
  2> ls: cannot access 'value.et': No such file or directory

etmv4: code of another instruction set than its packets; addresses that its state does not have.

  $ octrace compress --tracer etmv4 -g default_isa=2 -o o.octp ../samples/isa/thumb.oct
  4> octrace: ../samples/isa/thumb.oct: default_isa=2 and a trace of instruction set 'thumb': expected default_isa=0 or default_isa=1
  $ octrace compress --tracer etmv4 -g default_isa=0 -o o.octp ../samples/isa/aarch64.oct
  4> octrace: ../samples/isa/aarch64.oct: default_isa=0 and a trace of instruction set 'aarch64': expected default_isa=2
  $ printf '8000/2\n8002/2\n' >halfword.txt
  $ octrace compress --tracer etmv4 --isa arm -o o.octp halfword.txt
  4> octrace: halfword.txt: instruction 1 (0x8002): expected a multiple of 4 bytes, as of the trace or --isa
  $ octrace verify --engine untimed --tracer etmv4 --isa thumb halfword.txt
  halfword.txt: untimed: 2 instructions and 0 accesses equal
  $ printf '8000\n!exception 15 A:8004\n8004\n' >kind.txt
  $ octrace compress --tracer etmv4 --isa arm -o o.octp kind.txt
  4> octrace: kind.txt: before instruction 1: ETMv4 has no exception 15: expected interrupt 14 or 15, or an exception up to 1023 other than 1, 14, 15 and 23

What each format of chips carries (the first sample, not the second); and what a plain stream of addresses lacks.

  $ while read -r tracer sample other; do
  >   try octrace compress --tracer $tracer -o o.octp ../samples/isa/$other.oct
  >   octrace convert --to pc64 ../samples/isa/$sample.oct plain.pc64
  >   try octrace compress --tracer $tracer --from pc64 -o o.octp plain.pc64
  >   try octrace compress --tracer $tracer --isa $sample --from pc64 -o o.octp plain.pc64
  >   ls o.octp 2>/dev/null
  >   octrace compress --tracer $tracer --limit 1000 -o o.octp ../samples/isa/$sample.oct 2>/dev/null && rm o.octp
  > done <<END
  > etrace riscv64 x86-64
  > ntrace riscv64 aarch64
  > intel-pt x86-64 mips
  > etmv4 aarch64 riscv64
  > END
  4> octrace: ../samples/isa/x86-64.oct: a trace of instruction set 'x86-64': E-Trace carries RISC-V only (riscv32, riscv64)
  4> octrace: plain.pc64: a trace that does not name its instruction set: E-Trace carries RISC-V only (riscv32, riscv64); give the program with --elf, or its instruction set with --isa
  4> octrace: plain.pc64: instruction [#] (0x[..]): an unknown instruction jumps: this format needs the classes of instructions; give the program with --elf
  4> octrace: ../samples/isa/aarch64.oct: a trace of instruction set 'aarch64': N-Trace carries RISC-V only (riscv32, riscv64)
  4> octrace: plain.pc64: a trace that does not name its instruction set: N-Trace carries RISC-V only (riscv32, riscv64); give the program with --elf, or its instruction set with --isa
  4> octrace: plain.pc64: instruction [#] (0x[..]): an unknown instruction jumps: this format needs the classes of instructions; give the program with --elf
  4> octrace: ../samples/isa/mips.oct: a trace of instruction set 'mips': Intel PT carries x86 only (x86, x86-64)
  4> octrace: plain.pc64: a trace that does not name its instruction set: Intel PT carries x86 only (x86, x86-64); give the program with --elf, or its instruction set with --isa
  4> octrace: plain.pc64: instruction [#] (0x[..]): an unknown instruction jumps: this format needs the classes of instructions; give the program with --elf
  4> octrace: ../samples/isa/riscv64.oct: a trace of instruction set 'riscv64': ETMv4 carries Arm only (arm, thumb, aarch64)
  4> octrace: plain.pc64: a trace that does not name its instruction set: ETMv4 carries Arm only (arm, thumb, aarch64); give the program with --elf, or its instruction set with --isa
  4> octrace: plain.pc64: instruction [#] (0x[..]): an unknown instruction jumps: this format needs the classes of instructions; give the program with --elf

shadow: a report gives it one instruction at a time, with the map of many.

  $ printf '8000/4\n8004/2\n8006/4\n800a/2\n' >four.txt
  $ octrace report --tracer shadow -g pc_align_bits=0 four.txt | head -n 1
  four.txt: 4 instructions and 0 accesses, 76.0000 port bits per instruction by shadow

Addresses that N-Trace would cut, as its field has 32 bits.

  $ printf '# isa riscv64\n80000000 I:13051500\n180000000 I:13051500\n' >wide.txt
  $ octrace compress --tracer ntrace -g extend_addr=32 wide.txt -o wide.octp
  4> octrace: instruction 1 (0x180000000): wider than extend_addr=32
  $ ls wide.octp
  2> ls: cannot access 'wide.octp': No such file or directory
