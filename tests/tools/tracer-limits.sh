#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracer-limits.sh - what a tracer's format cannot carry is refused by the compressor; it does not
# come back as something else.
. "$(dirname "$0")/lib.sh"

# etrace: data addresses wider than addr_bits; bare data packets.
printf '8000 L4:100000000\n8004 S4:100000004\n' >wide.txt
refuse 4 "$OCTRACE" compress --tracer etrace --isa riscv64 -g addr_bits=32 -o o.octp wide.txt
contains err 'data address 0x100000000: wider than addr_bits=32'
expect 0 "$OCTRACE" verify --engine untimed --tracer etrace --isa riscv64 -g addr_bits=33 wide.txt
printf '8000 L4:1000\n8004\n' >narrow.txt
refuse 2 "$OCTRACE" compress --tracer etrace --isa riscv64 -g encapsulation=0 -o o.octp narrow.txt
contains err 'encapsulation=0 needs data=0'
expect 0 "$OCTRACE" verify --engine untimed --tracer etrace --isa riscv64 -g bare narrow.txt

# etmv4: code of another instruction set than its packets; addresses that its state does not have.
expect 4 "$OCTRACE" compress --tracer etmv4 -g isa=2 -o o.octp "$SAMPLES/isa/thumb.oct"
contains err "isa=2 and a trace of instruction set 'thumb': expected isa=0 or isa=1"
expect 4 "$OCTRACE" compress --tracer etmv4 -g isa=0 -o o.octp "$SAMPLES/isa/aarch64.oct"
contains err "isa=0 and a trace of instruction set 'aarch64': expected isa=2"
printf '8000/2\n' >halfword.txt
refuse 4 "$OCTRACE" compress --tracer etmv4 --isa arm -o o.octp halfword.txt
contains err 'instruction 1, 0x8002: not aligned as its state asks'
expect 0 "$OCTRACE" verify --engine untimed --tracer etmv4 --isa thumb halfword.txt
printf '8000\n!exception 15 A:8004\n8004\n' >kind.txt
refuse 4 "$OCTRACE" compress --tracer etmv4 --isa arm -o o.octp kind.txt
contains err 'before instruction 1: ETMv4 has no exception 15: expected interrupt 14 or 15'
[ ! -e o.octp ] || die "a refused trace left a file"

# What each format of chips carries; and what a plain stream of addresses lacks.
# needs TRACER SAMPLE OTHER TEXT: SAMPLE can be sent, OTHER cannot.
needs() {
  refuse 4 "$OCTRACE" compress --tracer "$1" -o o.octp "$SAMPLES/isa/$3.oct"
  contains err "a trace of instruction set '[a-z0-9_-]*': $4 only"
  "$OCTRACE" convert --to pc64 "$SAMPLES/isa/$2.oct" plain.pc64
  refuse 4 "$OCTRACE" compress --tracer "$1" --format pc64 -o o.octp plain.pc64
  contains err "does not name its instruction set: $4 only .*--elf.*--isa"
  refuse 4 "$OCTRACE" compress --tracer "$1" --isa "$2" --format pc64 -o o.octp plain.pc64
  contains err 'needs the classes of instructions; give the program with --elf'
  expect 0 "$OCTRACE" compress --tracer "$1" --limit 1000 -o o.octp "$SAMPLES/isa/$2.oct"
  rm o.octp
}
needs etrace riscv64 x86-64 'E-Trace carries RISC-V'
needs ntrace riscv64 aarch64 'N-Trace carries RISC-V'
needs intel-pt x86-64 mips 'Intel PT carries x86'
needs etmv4 aarch64 riscv64 'ETMv4 carries Arm'

# shadow: a report gives it one instruction at a time, with the map of many.
printf '8000/4\n8004/2\n8006/4\n800a/2\n' >four.txt
expect 0 "$OCTRACE" report --tracer shadow -g pc_align_bits=0 four.txt
contains out '^four.txt: 4 instructions'
