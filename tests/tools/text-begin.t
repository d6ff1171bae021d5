SPDX-License-Identifier: Apache-2.0
A text means the same after a byte order mark, and with any characters in its comments.

  $ tiny_trace 100 >t.txt
  $ as_text t.txt >want
  $ mark='\357\273\277'

With the mark, the file `in` is the same trace as want; also from a pipe, and packed.

  $ marked() {
  >   { printf $mark && cat in; } >marked
  >   gzip -c marked >marked.gz
  >   for file in marked marked.gz - ; do octrace convert "$@" --to text $file - <marked | grep -v '^#' | cmp - want; done
  > }
  $ cp t.txt in
  $ marked
  $ marked --from text
  $ sed 's/$/\r/' t.txt >in # as Windows ends lines
  $ marked
  $ octrace info marked | grep ^format
  format                 text
  $ { echo '# für 10 µs' && cat t.txt; } >in
  $ marked

Positions are those of the file.

  $ printf $mark'8000\nx\n' >bad
  $ octrace info bad
  4> octrace: bad:2: expected a hexadecimal address, found 'x'
  $ printf $mark >only-mark
  $ octrace info only-mark
  4> octrace: only-mark: offset 0: empty, expected a trace

What the traced program prints in colour, or over itself, may stand among the lines.

  $ { printf '\033[32mdone \b\b\007\033[0m\n' && printf 'I  04000000,3\n L 04001000,4\n'; } >in
  $ octrace info in | grep ^format
  format                 lackey

Texts of other programs.

  $ for sample in samples/foreign/{x86-64.lackey,riscv64.spike,aarch64.execlog,aarch64.gem5,mips.din,mips.xdin,x86-64.pinatrace} data/simplescalar.txt; do
  >   xz -dc ../$sample.xz >in
  >   as_text in >want
  >   marked
  > done
  0> octrace: note: in: taken for din, as it has numbers and no mark: --from names a format
  0> octrace: note: marked: taken for din, as it has numbers and no mark: --from names a format
  0> octrace: note: marked.gz: taken for din, as it has numbers and no mark: --from names a format
  0> octrace: note: standard input: taken for din, as it has numbers and no mark: --from names a format
  $ octrace convert --to da t.txt in
  $ octrace convert --from da --to text in - | grep -v '^#' >want
  $ marked --from da

Bytes that are a mark in a text are numbers in a list of numbers.

  $ printf $mark'\0\004\0\0\0' >list
  $ octrace convert --from pc32 --to text list - | grep -v '^#'
  00bfbbef
  00000004

UTF-16, as PowerShell writes it with >.

  $ for order in LE:'\377\376' BE:'\376\377'; do
  >   { printf "${order#*:}" && iconv -f ASCII -t UTF-16${order%%:*} t.txt; } >wide
  >   for options in '' '--from text' '--from lackey'; do try octrace info $options wide; done
  > done
  4> octrace: wide: offset 0: text in UTF-16, expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)
  4> octrace: wide: offset 0: text in UTF-16, expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)
  4> octrace: wide: offset 0: text in UTF-16, expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)
  4> octrace: wide: offset 0: text in UTF-16, expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)
  4> octrace: wide: offset 0: text in UTF-16, expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)
  4> octrace: wide: offset 0: text in UTF-16, expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)

Function calls.

  $ printf '1 a enter f\n2 a leave f\n' >calls
  $ { printf $mark && sed 's/$/\r/' calls; } >marked
  $ { printf '\377\376' && iconv -f ASCII -t UTF-16LE calls; } >wide
  $ octrace events convert --to text calls -o want
  $ octrace events convert --to text marked -o got
  $ cmp got want
  $ octrace events convert --to text wide -o got
  4> octrace: wide: offset 0: text in UTF-16, expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)
