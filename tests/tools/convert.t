SPDX-License-Identifier: Apache-2.0
octrace convert: formats, cutting, bare addresses.

A note says so where a name promises something else than what is written.

  $ tiny_trace 10 >tiny.oct
  $ octrace convert @
  | tiny.oct t.txt => 0> octrace: note: t.txt: a native trace, in spite of its name: --to text writes text
  | --to text tiny.oct t.txt
  | --to text tiny.oct t.txt.gz => 0> octrace: note: t.txt.gz: not packed, in spite of its name: write to - and pipe that on
  $ octrace compress -o t.octp tiny.oct 2>/dev/null
  $ octrace decompress -o t.txt t.octp
  0> octrace: note: t.txt: a native trace, in spite of its name: --to text writes text

Accesses for which ChampSim's records have no room, and those at address 0, are left out and counted.

  $ printf '8000 L8:40 S8:1000 S8:1008 S8:1010\n8004 S8:1000 S8:2000 S8:3000 S8:4000 L8:0\n8008 L8:40\n' >t.txt
  $ octrace convert --to champsim t.txt t.champsim
  0> octrace: note: t.champsim: 3 accesses are left out: the format has no room for them
  $ octrace convert --from champsim --to text t.champsim - | grep -v '^#' | cut -d ' ' -f 2- | sed 's/:0*/:/g'
  L:40 S:1000 S:1008
  S:1000 S:2000
  L:40
  $ octrace convert --to cloudsuite t.txt t.cloudsuite
  0> octrace: note: t.cloudsuite: 1 access is left out: the format has no room for it
  $ octrace filter --to champsim t.txt filtered >/dev/null
  0> octrace: note: filtered: 2 accesses are left out: the format has no room for them
  0> of 3 instructions and 10 accesses: 2 instructions and 6 accesses, 7 blocks
  0> instruction cache (size=32K,ways=4,line=64,repl=lru,allocate=yes): hit rate 66.6667 %
  0>   3 looked up, 1 missed, in 1 line
  0> data cache (size=32K,ways=4,line=64,repl=lru,allocate=yes): hit rate 40.0000 %
  0>   10 looked up, 6 missed, in 6 lines; 7 stores, 4 missed; 0 write-backs
  $ octrace compress --codec shadow -o t.octc t.txt >/dev/null 2>&1; octrace decompress --to champsim t.octc >t.champsim
  0> octrace: note: standard output: 3 accesses are left out: the format has no room for them
  $ octrace compress -o t.octp t.txt >/dev/null 2>&1; octrace decompress --to champsim t.octp >t.champsim
  0> octrace: note: standard output: 3 accesses are left out: the format has no room for them

Text keeps the instruction set and the alignment; comments that do not say them so are comments.

  $ said_of() { octrace info "$1" | sed -nE 's/^(isa|addr_bits|insn_align_bytes|instructions) +//p' | xargs; }
  $ for trace in sha1 isa/x86-64 isa/riscv64 isa/mips isa/thumb isa/aarch64; do
  >   octrace convert --limit 1000 ../samples/$trace.oct a.oct
  >   octrace convert --to text a.oct a.txt
  >   octrace convert a.txt b.oct
  >   for file in a.oct a.txt b.oct; do said_of $file; done
  > done | uniq -c
        3 armv5te 32 4 1000
        3 x86-64 64 1 1000
        3 riscv64 64 2 1000
        3 mips 32 4 1000
        3 thumb 32 2 1000
        3 aarch64 64 4 1000
  $ for head in '# isa armv5te' '\n  #\tisa   riscv64  \n# more' '# insn_align_bytes 4\n# isa x86-64' '# isa of my own' \
  >   '# insn_align_bytes 4' '# isa\n# isa: the one of the core\n#isatty arm\n# ISA manual, page 3\n# insn_align_bytes_max 3\n# isa\n' \
  >   '# isa arm\n# insn_align_bytes 2\n# ISA: of the core'; do
  >   printf "$head\n8000\n8004\n" >a.txt
  >   said_of a.txt
  > done
  armv5te 32 4 2
  riscv64 64 2 2
  x86-64 64 4 2
  of my own 32 1 2
  unknown 32 4 2
  unknown 32 1 2
  arm 32 2 2
  0> octrace: note: a.txt: taken for text, as it has numbers and no mark: --from names a format
  0> octrace: note: a.txt: taken for text, as it has numbers and no mark: --from names a format

A line that is plainly meant to give them, and would not, is refused at its place; prose is not.

  $ for text in '# isa: arm\n8000' '# x\n#ISA riscv64 \n8000' '8000\n# isa = x86-64' '8000\n# isa arm' \
  >   '# isa arm\n# isa thumb\n8000' '# insn_align_bytes 3\n8000' '# insn_align_bytes: 4\n8000' '# insn_align_bytes\n8000' \
  >   '8000\n# insn_align_bytes 4' '# isa arm\n8000\n8002' '# insn_align_bytes 2\n8001'; do
  >   printf "$text\n" >a.txt
  >   try octrace info a.txt
  > done
  4> octrace: a.txt:1: expected '# isa NAME', or another comment, found '# isa: arm'
  4> octrace: a.txt:2: expected '# isa NAME', or another comment, found '#ISA riscv64'
  4> octrace: a.txt:2: expected '# isa NAME', or another comment, found '# isa = x86-64'
  4> octrace: a.txt:2: expected '# isa NAME' once and before the first instruction, or another comment, found '# isa arm'
  4> octrace: a.txt:2: expected '# isa NAME' once and before the first instruction, or another comment, found '# isa thumb'
  4> octrace: a.txt:1: expected '# insn_align_bytes N', N 1, 2, 4 or 8, or another comment, found '# insn_align_bytes 3'
  4> octrace: a.txt:1: expected '# insn_align_bytes N', N 1, 2, 4 or 8, or another comment, found '# insn_align_bytes: 4'
  4> octrace: a.txt:1: expected '# insn_align_bytes N', N 1, 2, 4 or 8, or another comment, found '# insn_align_bytes'
  4> octrace: a.txt:2: expected '# insn_align_bytes N' once and before the first instruction, or another comment, found '# insn_align_bytes 4'
  4> octrace: a.txt:3: expected a multiple of 4 bytes, as of the comment '# isa arm': change it if it is wrong, found '8002'
  4> octrace: a.txt:2: expected a multiple of 2 bytes, as of the comment '# insn_align_bytes': change it if it is wrong, found '8001'

Texts of the same set may be put one after the other.

  $ printf '# isa thumb\n# insn_align_bytes 2\n8000\n' >a.txt
  $ cat a.txt a.txt >b.txt
  $ said_of b.txt
  thumb 32 2 2

What is wrong with the trace is said of it, and not of a file that never exists. The set of --isa is that of the comment.

  $ rm b.*
  $ printf '8000\n8001\n' >a.txt
  $ octrace convert --isa arm a.txt b.oct
  4> octrace: a.txt: instruction 1 (0x8001): expected a multiple of 4 bytes, as of the trace or --isa
  $ octrace convert --isa arm --skip 1 a.txt b.oct
  4> octrace: a.txt: after those of --skip: instruction 0 (0x8001): expected a multiple of 4 bytes, as of the trace or --isa
  $ test ! -e b.oct
  $ printf '# isa armv5te\n8000\n' >a.txt
  $ for isa in arm thumb riscv64; do try octrace verify --isa $isa --engine untimed a.txt; done
  a.txt: untimed: 1 instruction and 0 accesses equal
  4> octrace: a.txt: the comment '# isa armv5te', but --isa is thumb: leave --isa out, or change the comment
  4> octrace: a.txt: the comment '# isa armv5te', but --isa is riscv64: leave --isa out, or change the comment

Cutting, and lists of addresses.

  $ tiny_trace 1000 >t.txt
  $ octrace convert --level 19 --block-insns 64 t.txt t.oct
  $ same t.txt t.oct
  $ octrace convert --skip 1001 --limit 4 t.oct - | as_text -
  00008004 L:000013e8
  00008008 S:00002028
  0000800c
  00008000
  $ octrace convert --skip 5000 t.oct empty.oct
  4> octrace: t.oct: --skip 5000 leaves nothing: the trace has no more instructions
  $ test ! -e empty.oct
  $ for format in pc32 da32; do
  >   octrace convert --to $format t.oct list
  >   stat -c %s list
  >   od -An -tx4 -N8 list
  > done
  16000
   00008000 00008004
  8000
   00001000 00002000

A 0 in front by itself does not make a number octal.

  $ octrace convert --limit 0 t.txt none
  2> octrace: convert: --limit '0': expected a number from 1 (1000, 10K, 2M) (see octrace convert --help)
  $ for limit in 010 0x10 09; do octrace convert --limit $limit --to text t.txt - | grep -vc '^#'; done
  10
  16
  9
  $ octrace compress --codec plain:level=010 -o level.octc t.txt
  0> plain:stage=zstd,level=10,segment=32,group=1,split=no
  0> 2000 records of 4000 instructions, 36084 bytes in [#], ratio [#], [#] MB/s

A note counts the traps that a format has no place for.

  $ printf '8000\n!interrupt 7\n8004\n' >traps.txt
  $ octrace convert --to din traps.txt traps.din
  0> octrace: note: traps.din: 1 trap or change of privilege is left out
  $ octrace convert traps.txt traps.oct

Packed traces are traces.

  $ for packer in gzip bzip2 xz zstd; do
  >   $packer -c <t.txt >packed
  >   same t.txt packed
  > done

In the file of a codec, --skip begins at the last group of segments that begins among the instructions left out: the
same comes, and damage before it is not met. A pipe is decoded from its start.

  $ octrace convert --limit 300000 ../samples/blowfish.oct long.oct
  $ octrace compress --codec plain:segment=1,group=1,stage=none -o plain.octc long.oct 2>/dev/null
  $ octrace compress --codec shadow:segment=1,group=1 -o shadow.octc long.oct 2>/dev/null
  $ for skipped in 1 262144 270000 299990; do
  >   octrace convert --to text --skip $skipped --limit 1000 long.oct expected.txt
  >   for file in plain.octc shadow.octc; do
  >     octrace convert --to text --skip $skipped --limit 1000 $file got.txt
  >     cmp expected.txt got.txt
  >   done
  > done
  $ for file in plain.octc shadow.octc; do
  >   octrace convert --to text --from-sync 1 $file got.txt
  >   first=$((300000 - $(grep -vc '^#' got.txt)))
  >   [ $first -gt 0 ] || echo "$file: none is left out"
  >   octrace convert --to text --skip $first long.oct expected.txt
  >   cmp expected.txt got.txt
  >   octrace convert --to text --from-sync 1 --skip 100 --limit 10 $file got.txt
  >   octrace convert --to text --skip $((first + 100)) --limit 10 long.oct expected.txt
  >   cmp expected.txt got.txt
  > done
  $ octrace convert @
  | --from-sync 7 plain.octc none.oct => 4> octrace: plain.octc: sync 7: expected 0 to 1
  | --from-sync 1 long.oct none.oct => 4> octrace: long.oct: sync 1: a trace of the format native has no syncs; expected an .octp or .octc
  | --skip 300000 plain.octc none.oct => 4> octrace: plain.octc: --skip 300000 leaves nothing: the trace has no more instructions
  $ printf '\377\000\377' | dd of=plain.octc bs=1 seek=20000 conv=notrunc 2>/dev/null
  $ octrace convert --to text --skip 299990 plain.octc - | grep -vc '^#'
  10
  $ cat plain.octc | octrace convert --to text --skip 299990 - none.txt
  4> octrace: standard input: offset 818: segment 0, channel flow, stream 0: the checksum does not match

The output may be given as an option.

  $ octrace convert --to text tiny.oct a.txt
  $ octrace convert --to text -o b.txt tiny.oct
  $ cmp a.txt b.txt
  $ octrace convert -o b.txt tiny.oct c.txt
  2> octrace: convert: an input and an output are needed (see octrace convert --help)
  $ octrace convert tiny.oct
  2> octrace: convert: an input and an output are needed (see octrace convert --help)
  $ octrace filter --to text tiny.oct a.txt 2>/dev/null
  $ octrace filter --to text -o b.txt tiny.oct 2>/dev/null
  $ cmp a.txt b.txt
  $ octrace filter -o b.txt tiny.oct c.txt
  2> octrace: filter: an input, and at most one output, is needed (see octrace filter --help)
  $ test ! -e c.txt
