SPDX-License-Identifier: Apache-2.0
Bad input: one line that says what is wrong, the right exit status, nothing left behind.

  $ tiny_trace 1000 >t.txt
  $ octrace compress -o t.octp t.txt 2>/dev/null
  $ octrace convert t.txt t.oct
  $ head -c 3000 /dev/zero | tr '\0' '\377' >garbage
  $ head -c -20 t.octp >short.octp
  $ head -c $(($(wc -c <t.oct) / 2)) t.oct >short.oct
  $ : >empty
  $ for command in 'compress -o new' info 'verify --engine untimed' 'convert - new --from native'; do
  >   for bad in missing garbage short.oct .; do
  >     case $command in convert*) try octrace convert $bad new ;; *) try octrace $command $bad ;; esac
  >   done
  > done
  4> octrace: missing: cannot open: No such file or directory
  4> octrace: garbage: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes ff ff ff ff ff ff ff ff
  4> octrace: short.oct: offset [#]: the trace ends within a block
  4> octrace: .: a folder: expected a file, a folder of drmemtrace files (*.trace.zip, *.trace.gz), or a snapshot with ETMv4 (snapshot.ini)
  4> octrace: missing: cannot open: No such file or directory
  4> octrace: garbage: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes ff ff ff ff ff ff ff ff
  4> octrace: short.oct: offset [#]: the trace ends within a block
  4> octrace: .: a folder: expected a file, a folder of drmemtrace files (*.trace.zip, *.trace.gz), or a snapshot with ETMv4 (snapshot.ini)
  4> octrace: missing: cannot open: No such file or directory
  4> octrace: garbage: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes ff ff ff ff ff ff ff ff
  4> octrace: short.oct: offset [#]: the trace ends within a block
  4> octrace: .: a folder: expected a file, a folder of drmemtrace files (*.trace.zip, *.trace.gz), or a snapshot with ETMv4 (snapshot.ini)
  4> octrace: missing: cannot open: No such file or directory
  4> octrace: garbage: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes ff ff ff ff ff ff ff ff
  4> octrace: short.oct: offset [#]: the trace ends within a block
  4> octrace: .: a folder: expected a file, a folder of drmemtrace files (*.trace.zip, *.trace.gz), or a snapshot with ETMv4 (snapshot.ini)
  $ for bad in missing garbage empty short.octp t.oct .; do
  >   try octrace decompress -o new.$bad $bad
  >   try octrace verify --container $bad t.txt
  > done
  4> octrace: missing: cannot open: No such file or directory
  4> octrace: missing: cannot open: No such file or directory
  4> octrace: garbage: offset 0: expected a compressed trace, as octrace compress writes it (.octp)
  4> octrace: garbage: offset 0: expected a compressed trace, as octrace compress writes it (.octp)
  4> octrace: empty: offset 0: empty, expected a compressed file
  4> octrace: empty: offset 0: empty, expected a compressed file
  4> octrace: short.octp: offset [#]: a chunk is cut short: wrote the 4000 instructions and 2000 accesses before it; the rest is missing (--salvage goes on after it)
  4> octrace: short.octp: offset [#]: a chunk is cut short
  4> octrace: t.oct: offset 0: a trace itself; expected a compressed one (.octp)
  4> octrace: t.oct: offset 0: a trace itself; expected a compressed one (.octp)
  4> octrace: .: a folder: expected a compressed file
  4> octrace: .: a folder: expected a compressed file
  $ rm new.short.octp
  $ octrace info short.octp
  4> octrace: short.octp: offset [#]: a chunk is cut short
  $ octrace verify --container - t.txt <short.octp
  4> octrace: standard input: offset [#]: a chunk is cut short
  $ for bytes in 4 5 8 11 12; do # within its mark, too
  >   head -c $bytes t.oct >shorn
  >   try octrace info shorn
  > done
  4> octrace: shorn: offset 4: the trace ends within its header
  4> octrace: shorn: offset 5: the trace ends within its header
  4> octrace: shorn: offset 8: the trace ends within its header
  4> octrace: shorn: offset 11: the trace ends within its header
  4> octrace: shorn: offset 12: the trace ends within its header
  $ printf '\377\001\376\002\375\003\374\004\001\370\007\007\370\370\001\001' >noise
  $ octrace info noise
  4> octrace: noise: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes ff 01 fe 02 fd 03 fc 04

A long name is shown whole, once, by every command and for every kind of file.

  $ long=$(printf './%.0s' $(seq 200))
  $ shorten() { sed "s:$long:LONG/:g"; }
  $ printf '8000\nzz\n' >bad.txt
  $ octrace info ${long}bad.txt 2>&1 | shorten
  octrace: LONG/bad.txt:2: expected a hexadecimal address, found 'zz'
  $ octrace compress ${long}bad.txt -o new 2>&1 | shorten
  octrace: LONG/bad.txt:2: expected a hexadecimal address, found 'zz'
  $ octrace decompress ${long}missing.octp 2>&1 | shorten
  octrace: LONG/missing.octp: cannot open: No such file or directory
  $ octrace verify --container ${long}short.octp t.txt 2>&1 | shorten
  octrace: LONG/short.octp: offset [#]: a chunk is cut short
  $ octrace info --elf ${long}bad.txt t.oct 2>&1 | shorten
  octrace: LONG/bad.txt: not an ELF file
  $ octrace convert t.oct ${long}no/new 2>&1 | shorten
  octrace: LONG/no/new: No such file or directory
  $ octrace compress t.oct -o ${long}no/new 2>&1 | shorten
  octrace: LONG/no/new: No such file or directory
  $ printf '[a]\nsc_sets=x\n' >bad.plan
  $ octrace sweep --plan ${long}bad.plan t.oct 2>&1 | shorten
  octrace: sweep: LONG/bad.plan:2: axis sc_sets: 'x': expected numbers and ranges A..B, A..B+STEP or A..B*FACTOR

A value that is none of a list is answered with the list, or with how to get it.

  $ octrace convert --isa pisa t.oct new
  2> octrace: convert: unknown instruction set 'pisa': expected arm, thumb, riscv32, riscv64, aarch64, x86, x86-64, mips or mipsel (see octrace convert --help)
  $ octrace filter --from nonesuch t.oct new
  2> octrace: filter: unknown format 'nonesuch': expected one that octrace list formats lists (see octrace filter --help)

A row of a table has the whole reason.

  $ (seq 100000 4 180000; echo 900000 T:4000000000) >tasks.txt
  $ octrace bench --repeat 1 --codec plain --tracer paper -g pc_align_bits=0,task_bits=1 --from text tasks.txt 2>err | grep -m 1 '^  tracer'
    tracer paper                 instruction 20001: task 4000000000: wider than task_bits=1: give -g task_bits=32
  $ rm tasks.txt

A named pipe keeps its name, and what is no file says so.

  $ mkfifo pipe
  $ for command in info decompress packets verify 'bench --repeat 1'; do
  >   timeout 60 sh -c 'echo x >pipe' &
  >   try timeout 60 octrace $command pipe
  >   wait
  > done
  4> octrace: pipe:1: expected a hexadecimal address, found 'x' (octrace list formats lists those that can be read)
  4> octrace: pipe: offset 0: expected a compressed trace, as octrace compress writes it (.octp)
  4> octrace: pipe: offset 0: expected a compressed trace, as octrace compress writes it (.octp)
  4> octrace: pipe:1: expected a hexadecimal address, found 'x' (octrace list formats lists those that can be read)
  4> octrace: pipe:1: expected a hexadecimal address, found 'x' (octrace list formats lists those that can be read)
  $ for command in decompress packets; do
  >   for bad in missing . empty; do try octrace $command $bad; done
  > done
  4> octrace: missing: cannot open: No such file or directory
  4> octrace: .: a folder: expected a compressed file
  4> octrace: empty: offset 0: empty, expected a compressed file
  4> octrace: missing: cannot open: No such file or directory
  4> octrace: .: a folder: expected a compressed file
  4> octrace: empty: offset 0: empty, expected a compressed file

A later version is another error than damage.

  $ { printf OCTRACE3 && tail -c +9 t.oct; } >newer.oct
  $ octrace info newer.oct
  4> octrace: newer.oct: offset 7: a native trace of a version above 2

What is compressed is no trace yet. The mark counts, whatever the header quotes; function traces have a reader of
their own. A program is no trace: its first bytes would pass for addresses.

  $ octrace compress --codec plain -o t.octc t.txt 2>/dev/null
  $ xz -dc ../data/simplescalar.txt.xz | head -n 50 >sim.txt
  $ octrace compress -o sim.octp sim.txt 2>/dev/null
  $ printf '1 a enter f\n2 a leave f\n' >e.txt
  $ octrace events compress e.txt -o e.octev >/dev/null
  $ { printf '\177ELF\002\001\001\000' && head -c 4088 /dev/zero; } >program
  $ for bad in e.octev program; do
  >   for command in 'compress -o new' verify 'verify --against plain' bench sweep; do try octrace $command $bad; done | uniq -c
  > done
        5 4> octrace: e.octev: offset 0: a trace of function calls, which octrace events reads; expected a trace itself
        5 4> octrace: program: offset 0: a program (ELF), which octrace capture runs and records; expected a trace itself
  $ for bad in e.octev program; do try octrace info $bad; done
  4> octrace: e.octev: offset 0: a trace of function calls, which octrace events reads; expected a trace itself
  4> octrace: program: offset 0: a program (ELF), which octrace capture runs and records; expected a trace itself

Zeros, as of a hole in a file, are no trace, unless the format is named. Nor are nearly all zeros, numbers that count,
small numbers and an archive addresses of a program.

  $ head -c 100000 /dev/zero >zeros
  $ (printf '\1' && head -c 99999 /dev/zero) >nearly
  $ python3 -c '
  > import random, struct, tarfile
  > def write(name, kind, numbers):
  >     numbers = list(numbers)
  >     open(name, "wb").write(struct.pack("<%d%s" % (len(numbers), kind), *numbers))
  > random.seed(1)
  > write("count64", "Q", range(1, 3001))
  > write("count64-high", "Q", range(65536, 69000))
  > write("count32", "I", range(1, 3001))
  > write("count32-high", "I", range(1 << 20, (1 << 20) + 3000))
  > write("small32", "i", [random.randrange(-100, 100) for _ in range(3000)])
  > write("small64", "q", [random.randrange(100) for _ in range(3000)])
  > write("equal32", "I", [0x8000] * 3000)
  > with tarfile.open("archive", "w") as tar:
  >     tar.add("nearly")'
  $ for name in zeros nearly count64 count64-high count32 count32-high small32 small64 equal32 archive; do
  >   try octrace info $name
  >   try octrace info --from bin32 $name | grep format
  > done | sort | uniq -c | sort -k 2
        1 4> octrace: archive: offset 0: a tar archive; expected a trace itself: tar -xOf ARCHIVE FILE | octrace ... - reads one of it
        1 4> octrace: count32-high: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes 00 00 10 00 01 00 10 00
        1 4> octrace: count32: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes 01 00 00 00 02 00 00 00
        1 4> octrace: count64-high: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes 00 00 01 00 00 00 00 00
        1 4> octrace: count64: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes 01 00 00 00 00 00 00 00
        1 4> octrace: equal32: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes 00 80 00 00 00 80 00 00
        1 4> octrace: nearly: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes 01 00 00 00 00 00 00 00
        1 4> octrace: small32: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes be ff ff ff 2d 00 00 00
        1 4> octrace: small64: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes 47 00 00 00 00 00 00 00
        1 4> octrace: zeros: offset 0: expected a trace in a format that octrace can recognise, or --from for one that it cannot (raw addresses: bin64, bin32), found bytes 00 00 00 00 00 00 00 00
       10 format                 bin32
  $ octrace info --from bin64 zeros | grep format
  format                 bin64

Those of a program are.

  $ for sample in ../samples/*.oct; do
  >   for bits in 32 64; do octrace convert --limit 20000 --to bin$bits $sample - 2>/dev/null | octrace info - 2>/dev/null | grep ^format; done
  > done | sort | uniq -c
       [#] format                 bin32
       [#] format                 bin64

One field of each kind of a trap, one stamp a line, and one task.

  $ for line in '!exception 1 A:1 A:2' '!exception 1 A:1 P:1 P:3' '!exception 1 V:1 A:2 v:9' '8000 @5 @6' '8000 T:1 T:2'; do
  >   echo "$line" >twice
  >   try octrace info twice
  > done
  4> octrace: twice:1: expected each of A:, V: and P: of a trap once, found 'A:2'
  4> octrace: twice:1: expected each of A:, V: and P: of a trap once, found 'P:3'
  4> octrace: twice:1: expected each of A:, V: and P: of a trap once, found 'v:9'
  4> octrace: twice:1: expected one cycle stamp on a line, found '@6' (octrace list formats lists those that can be read)
  4> octrace: twice:1: expected one task on a line, found 'T:2' (octrace list formats lists those that can be read)

Nothing is left of the trace.

  $ octrace @
  | convert --skip 4000 t.txt new => 4> octrace: t.txt: --skip 4000 leaves nothing: the trace has no more instructions
  | compress --skip 5000 -o new t.txt => 4> octrace: t.txt: --skip 5000 leaves nothing: the trace has no more instructions
  | info --skip 4000 t.txt => 4> octrace: t.txt: --skip 4000 leaves nothing: the trace has no more instructions
  $ octrace convert --skip 3999 t.txt - | octrace info - | grep ^instructions
  instructions           1

A file that may not grow so large: as a full disk, and no signal. The folder of the output is missing.

  $ python3 -c 'import random, sys; sys.stdout.buffer.write(random.Random(1).randbytes(200000))' >random
  $ (ulimit -f 100 && octrace compress --codec plain --input records -o new random)
  4> octrace: new: cannot write: File too large
  $ octrace @
  | compress -o no/such/folder/out t.txt => 4> octrace: no/such/folder/out: No such file or directory
  | decompress -o no/such/folder/out t.octp => 4> octrace: no/such/folder/out: No such file or directory
  | convert t.txt no/such/folder/out => 4> octrace: no/such/folder/out: No such file or directory

Wrong parameters.

  $ octrace compress t.txt @
  | -g nonsense => 2> octrace: compress: 'nonsense': expected a geometry or name=value (see octrace list geometries and params)
  | -g paper,foo=1 => 2> octrace: compress: 'foo': no such parameter (see octrace list geometries and params)
  | -g paper,port_pins=33 => 2> octrace: compress: port_pins=33: expected 1 to 32 (see octrace list geometries and params)
  | -g sc_sets=3 => 2> octrace: compress: sc_sets=3: expected a power of two (see octrace list geometries and params)
  | --engine steam => 2> octrace: compress: unknown engine 'steam': expected untimed or cycle (see octrace compress --help)
  | --engine both => 2> octrace: compress: unknown engine 'both': expected untimed or cycle (see octrace compress --help)
  | --arrival cpi=0.5 => 2> octrace: compress: cycles per instruction '0.5': expected a number from 1 to 1000 (see octrace compress --help)
  | --limit many => 2> octrace: compress: --limit 'many': expected a number from 1 (1000, 10K, 2M) (see octrace compress --help)
  | --stall 1000 => 2> octrace: compress: --stall '1000': expected a number from 0 to 999 (see octrace compress --help)
  | --from punched-cards => 2> octrace: compress: unknown format 'punched-cards': expected one that octrace list formats lists (see octrace compress --help)
  | t.txt => 2> octrace: compress: one trace is needed (see octrace compress --help)
  $ octrace convert --level 23 t.txt new
  2> octrace: convert: --level '23': expected a number from 1 to 22 (see octrace convert --help)
  $ octrace decompress --from-sync -1 t.octp
  2> octrace: decompress: --from-sync '-1': expected a number from 0 (1000, 10K, 2M) (see octrace decompress --help)

What only the cycle engine does.

  $ for option in '--arrival cpi=2' '--stall 10' --depths; do
  >   for command in 'compress -o new' 'compress -o new --engine untimed' 'verify --engine untimed'; do
  >     try octrace $command $option t.txt
  >   done
  > done
  2> octrace: compress: --arrival is for --engine cycle (see octrace compress --help)
  2> octrace: compress: --arrival is for --engine cycle (see octrace compress --help)
  2> octrace: verify: --arrival is for --engine cycle (see octrace verify --help)
  2> octrace: compress: --stall is for --engine cycle (see octrace compress --help)
  2> octrace: compress: --stall is for --engine cycle (see octrace compress --help)
  2> octrace: verify: --stall is for --engine cycle (see octrace verify --help)
  2> octrace: compress: --depths is for --engine cycle (see octrace compress --help)
  2> octrace: compress: --depths is for --engine cycle (see octrace compress --help)
  2> octrace: verify: --depths is for --engine cycle (see octrace verify --help)

Messages name the file, also where its name is part of another word, and when the compressor, not the reader, refuses
an instruction.

  $ cp t.octp x
  $ octrace decompress --from-sync 1 -o new x
  4> octrace: x: sync 1: expected 0 to 0
  $ echo '8000 T:99999' >x
  $ octrace compress -g task_bits=16 -o new x
  4> octrace: x: instruction 0: task 99999: wider than task_bits=16: give -g task_bits=17
  $ octrace compress -g task_bits=16 -o new - <x
  4> octrace: standard input: instruction 0: task 99999: wider than task_bits=16: give -g task_bits=17

A full disk.

  $ octrace @
  | convert t.txt /dev/full => 4> octrace: /dev/full: cannot write: No space left on device
  | convert --to da32 t.txt /dev/full => 4> octrace: /dev/full: cannot write: No space left on device
  | compress -o /dev/full t.txt => 4> octrace: /dev/full: cannot write: No space left on device
  | decompress --to native -o /dev/full t.octp => 4> octrace: /dev/full: cannot write: No space left on device
  | decompress --to text -o /dev/full t.octp => 4> octrace: /dev/full: cannot write: No space left on device
  | decompress --to bin32 -o /dev/full t.octp => 4> octrace: /dev/full: cannot write: No space left on device
  $ octrace decompress t.octp >/dev/full
  4> octrace: standard output: cannot write: No space left on device
  $ octrace info t.txt >/dev/full
  4> octrace: standard output: cannot write: No space left on device

  $ ls new*
  newer.oct
