SPDX-License-Identifier: Apache-2.0
A text carries the bytes of instructions: `shadow` codes it as the trace that it was made from.

  $ all() { octrace compress --tracer shadow -o out.octp "$1" 2>&1 | grep '^  all '; }
  $ for sample in isa/aarch64 isa/mips isa/riscv64 isa/thumb isa/x86-64 sha1; do
  >   octrace convert --limit 20000 ../samples/$sample.oct whole.oct
  >   octrace convert --to text:bytes=1 whole.oct whole.txt
  >   octrace convert whole.txt back.oct
  >   octrace convert --to text:bytes=1 back.oct - | cmp - whole.txt
  >   all whole.oct >want; all whole.txt | diff want -; all back.oct | diff want -
  >   octrace convert --to text whole.oct plain.txt; sed 's/ I[a-z]*:[^ ]*//; s/ .I:bytes.//' whole.txt | cmp - plain.txt
  > done
  $ octrace convert --to text:bytes=0 back.oct - | cmp - plain.txt

Bytes are in the order of memory, and give the size. Once for an address is enough; they change with the program.

  $ cat >t.txt <<'END'
  > # isa riscv32
  > 80000000 I:03250500 L4:1000
  > 80000004 I:0545
  > 80000006/4 T:1 I:6ff0bfff
  > 80000000 L4:1004
  > 80000004 I:0145
  > 80000004/2
  > END
  $ octrace convert --to text:bytes=1 t.txt -
  # pc[/size_bytes] [L|S[size_bytes]:da ...] [@cycle] [T:task] [I:bytes]
  # isa riscv32
  # insn_align_bytes 2
  80000000 L4:00001000 I:03250500
  80000004/2 I:0545
  80000006 T:1 I:6ff0bfff
  80000000 L4:00001004
  80000004/2 I:0145
  80000004/2

Bytes of another set, and a trace that names none.

  $ printf '# isa arm\n# insn_align_bytes 2\n8000 I:0100a0e3\n8004 Ithumb:7047\n' >arm.txt
  $ octrace convert --to text:bytes=1 arm.txt - | tail -n 2
  00008000 I:0100a0e3
  00008004/2 Ithumb:7047
  $ printf '8000 I:0100a0e3\n' >none.txt
  $ octrace convert --to text:bytes=1 --isa arm none.txt - | tail -n 1
  00008000 I:0100a0e3
  $ octrace info none.txt
  4> octrace: none.txt:1: expected an instruction set for these bytes: '# isa NAME' in front, --isa, or its name between I and the colon, found 'I:0100a0e3' (octrace list formats lists those that can be read)

Long bytes are no long addresses.

  $ printf '# isa x86\n8000 I:c7058070605040302010\n' >x86.txt
  $ octrace convert --to text:bytes=1 x86.txt - | tail -n 1
  00008000/10 I:c7058070605040302010

What is wrong.

  $ bad() { printf '# isa riscv32\n%s\n' "$1" >bad.txt; octrace info bad.txt 2>&1 >/dev/null | cut -d, -f 1,2; }
  $ bad '8000 I:'
  octrace: bad.txt:2: expected 1 to 15 bytes of two hexadecimal digits each, found 'I:'
  $ bad '8000 I:123'
  octrace: bad.txt:2: expected 1 to 15 bytes of two hexadecimal digits each, found 'I:123'
  $ bad '8000 I:0x12'
  octrace: bad.txt:2: expected bytes of two hexadecimal digits each, found '0x12'
  $ bad '8000 I:00112233445566778899aabbccddeeff'
  octrace: bad.txt:2: expected 1 to 15 bytes of two hexadecimal digits each, found 'I:00112233445566778899aabbccddeeff'
  $ bad '8000/2 I:13000000'
  octrace: bad.txt:2: expected as many bytes as the size after the address, found 'I:13000000'
  $ bad '8000 I:13000000 I:13000000'
  octrace: bad.txt:2: expected an instruction's bytes once, found 'I:13000000'
  $ bad '8000 Ivax:13000000'
  octrace: bad.txt:2: expected an instruction set for these bytes: '# isa NAME' in front, --isa
  $ octrace convert --to text:bytes=2 t.txt -
  4> octrace: standard output: text: expected bytes=0 or bytes=1; found 'bytes=2'
  $ octrace info --from text:bytes=1 t.txt
  4> octrace: t.txt: the format text takes no parameters to read it; found 'bytes=1'

A size of the text stays where the program has another instruction; an address without one has the program's.

  $ printf '10120/2\n10124/4\n10128\n' >sizes.txt
  $ octrace view --csv - --isa riscv64 --elf ../data/mixed-riscv64.elf sizes.txt | cut -d , -f 1-4
  number,address,size,bytes
  0,0x10120,2,
  1,0x10124,4,b2018193
  2,0x10128,4,1f2000ef
