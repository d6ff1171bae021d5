SPDX-License-Identifier: Apache-2.0
Damage in compressed traces: messages say that their offsets are of the unpacked data.

A damaged record, after the bytes that a format is recognised by, and a file that ends within one; then the same packed;
damage of the packed bytes themselves is located by how much could be unpacked.

  $ xz -dc ../samples/foreign/x86-64.champsim.xz | head -c 6400 >good
  $ { head -c 5120 good; printf XXXXXXXXXXXXXXXX; tail -c +5137 good; } >champsim
  $ head -c 6390 good >ends
  $ tiny_trace 1000 >t.txt
  $ octrace convert t.txt native
  $ head -c 300 native >native-cut
  $ for file in champsim ends native-cut; do
  >   try octrace info $file
  >   for packer in gzip bzip2 xz zstd; do
  >     $packer -c -q $file >packed
  >     try octrace info packed
  >   done | uniq -c
  > done
  4> octrace: champsim: offset 5120: expected branch and taken of 0 or 1, found 0x5858
        4 4> octrace: packed: offset 5120 of the unpacked data: expected branch and taken of 0 or 1, found 0x5858
  4> octrace: ends: offset 6336: the trace ends within a record of 64 bytes
        4 4> octrace: packed: offset 6336 of the unpacked data: the trace ends within a record of 64 bytes
  4> octrace: native-cut: offset 300: the trace ends before its end block
        4 4> octrace: packed: offset 300 of the unpacked data: the trace ends before its end block
  $ for packer in gzip bzip2 xz zstd; do
  >   $packer -c -q t.txt | head -c 150 >short
  >   try octrace info short
  > done | sed 's/offset [0-9]*/offset N/'
  4> octrace: short: offset N of the unpacked data: the gzip stream ends too early
  4> octrace: short: offset N of the unpacked data: the bzip2 stream ends too early
  4> octrace: short: offset N of the unpacked data: the xz stream ends too early
  4> octrace: short: offset N of the unpacked data: the zstd stream ends too early

Where the stream ends too early, the last instruction may lack accesses that stood after it: it goes. The same where the
instructions and accesses of drmemtrace end within a record.

  $ kept() { # of a cut file, where what is kept is where the whole begins
  >   octrace convert "$@" --to text --salvage cut got 2>/dev/null
  >   [ $? -eq 3 ] && [ "$(tail -n 1 got)" = '!gap damage' ] && sed -i '$d' got && head -n $(wc -l <got) want | cmp - got || echo "$*: something else is kept"
  >   cat got >>all
  >   rm got
  > }
  $ for file in mips.din mips.dinbin mips.xdin x86-64.lackey aarch64.gem5; do
  >   format=${file#*.} whole=../samples/foreign/$file.xz
  >   [ $format != dinbin ] || format=din-binary
  >   octrace convert --isa ${file%.*} --from $format --to text $whole want
  >   : >all
  >   for part in 30 60 75 85 95; do
  >     head -c $(($(wc -c <$whole) * part / 100)) $whole >cut
  >     kept --isa ${file%.*} --from $format
  >   done
  >   [ $(grep -c '[LS][0-9]*:' all) -gt 50 ] || echo "$file: too few accesses"
  > done
  $ python3 -m zipfile -e ../samples/foreign/x86-64.drmemtrace.zip unzipped
  $ octrace convert --to text unzipped/chunk.0000 want
  $ for records in $(seq 1 16); do
  >   head -c $(($(wc -c <unzipped/chunk.0000) / 24 * 12 + records * 12 + 5)) unzipped/chunk.0000 >cut.0000
  >   ln -f cut.0000 cut
  >   octrace convert --to text --salvage cut.0000 - 2>/dev/null | grep -v '^!gap' >got
  >   head -n $(wc -l <got) want | cmp - got
  > done

A flipped bit in them may unpack to text that cannot be: the message is of the packed stream. It says what a named output
costs, and how to have what stands before the damage.

  $ awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%x L4:%x\n", 32768 + 4 * (i % 997), i * 2654435761 % 4294967296 }' >long.txt
  $ for packer in gzip bzip2 xz zstd; do
  >   $packer -c -q long.txt >long
  >   bytes=$(wc -c <long)
  >   { head -c $((bytes / 2)) long; printf XXXX; tail -c +$((bytes / 2 + 5)) long; } >long.$packer
  >   try octrace info long.$packer
  > done | sed 's/offset [0-9]*/offset N/'
  4> octrace: long.gzip: offset N of the unpacked data: damaged gzip stream: [..]
  4> octrace: long.bzip2: offset N of the unpacked data: damaged bzip2 stream: [..]
  4> octrace: long.xz: offset N of the unpacked data: damaged xz stream: [..]
  4> octrace: long.zstd: offset N of the unpacked data: damaged zstd stream: [..]
  $ for packer in xz zstd; do
  >   try octrace convert long.$packer part.oct
  >   test ! -e part.oct
  >   try octrace convert --salvage long.$packer part.oct
  >   rm part.oct
  > done | sed 's/offset [0-9]*/offset N/; s/[0-9]* \(instructions\|accesses\)/N \1/g'
  4> octrace: long.xz: offset N of the unpacked data: damaged xz stream: [..]: nothing is written (--salvage keeps the N instructions and N accesses before it, some may be wrong (no check covers them))
  3> octrace: long.xz: offset N of the unpacked data: damaged xz stream: [..]: kept the N instructions and N accesses before it, some may be wrong (no check covers them), how many are lost is unknown
  4> octrace: long.zstd: offset N of the unpacked data: damaged zstd stream: [..]: nothing is written (--salvage keeps the N instructions and N accesses before it, some may be wrong (no check covers them))
  3> octrace: long.zstd: offset N of the unpacked data: damaged zstd stream: [..]: kept the N instructions and N accesses before it, some may be wrong (no check covers them), how many are lost is unknown
