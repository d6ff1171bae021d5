SPDX-License-Identifier: Apache-2.0
A text whose last line has no line end is read, and a note says that it may be cut off. No note comes where all
lines are whole, where the end is not reached, where an error names the line itself, and for formats that are no text.

  $ tiny_trace 100 >t.txt
  $ { cat t.txt; printf '8000 L4:3'; } >in
  $ octrace convert in out.oct
  0> octrace: note: in: the last line has no line end and is left out: the trace may be cut off
  $ octrace convert --to text in - | tail -n 1
  0000800c
  0> octrace: note: in: the last line has no line end and is left out: the trace may be cut off
  $ for command in 'compress -o out.octp' 'compress --codec plain -o out.octc' info verify 'filter --to text'; do
  >   octrace $command in <in 2>&1 >/dev/null | grep -c 'in: the last line has no line end'
  > done
  1
  1
  1
  1
  1
  $ octrace convert - out.oct <in
  0> octrace: note: standard input: the last line has no line end and is left out: the trace may be cut off

A line of more than the window of the input.

  $ { printf 8000 && awk 'BEGIN { for (i = 0; i < 6000; i++) printf " L4:%x", 4096 + 4 * i }'; } >long
  $ octrace convert long out.oct
  0> octrace: note: long: the last line has no line end: the trace may be cut off
  $ echo >>long
  $ octrace convert long out.oct

  $ for end in '\n' '\r\n' '\n\n' '\n# the end\n'; do
  >   { cat t.txt && printf "8000$end"; } >whole
  >   try octrace convert whole out.oct
  > done
  $ octrace convert --to bin32 t.txt list
  $ octrace convert --from bin32 list out.oct
  $ printf '8000\n8004' >in
  $ octrace convert --limit 1 in out.oct
  0> octrace: note: in: taken for text, as it has numbers and no mark: --from names a format
  $ printf '8000\n8004 L4:' >in
  $ octrace convert in out.oct
  0> octrace: note: in: taken for text, as it has numbers and no mark: --from names a format
  0> octrace: note: in: the last line has no line end and is left out: the trace may be cut off
  $ printf nothing >in
  $ octrace convert --from spike in out.oct
  4> octrace: in: none of its lines (1) is 'core N: P 0xPC (0xINSN)'
  $ printf 8000 >in
  $ octrace convert in missing/out.oct
  4> octrace: missing/out.oct: No such file or directory

Texts of other programs, with their last byte and without.

  $ for sample in x86-64.lackey riscv64.spike aarch64.execlog mips.din mips.xdin x86-64.pinatrace; do
  >   xz -dc ../samples/foreign/$sample.xz >$sample
  >   head -c -1 $sample >$sample.cut
  >   octrace convert $sample out.oct 2>&1 | grep 'line end'
  >   octrace convert $sample.cut out.oct 2>&1 | grep 'line end'
  > done
  octrace: note: x86-64.lackey.cut: the last line has no line end and is left out: the trace may be cut off
  octrace: note: riscv64.spike.cut: the last line has no line end: the trace may be cut off
  octrace: note: aarch64.execlog.cut: the last line has no line end and is left out: the trace may be cut off
  octrace: note: mips.din.cut: the last line has no line end: the trace may be cut off
  octrace: note: mips.xdin.cut: the last line has no line end: the trace may be cut off
  octrace: note: x86-64.pinatrace.cut: the last line has no line end and is left out: the trace may be cut off

Traces of function calls.

  $ printf '1 t enter main\n2 t leave main\n' >whole
  $ octrace events compress -o out.octev whole
  2 events and 0 other records: 0 patterns of 0 meta-events, 0 occurrences (0 disturbed), 2 plain events
  records: 36 of 36 bytes, K = 1.000
  file out.octev: [#] bytes, [#] bytes per event
  $ printf '1 t enter main\n2 t leave mai' >in
  $ octrace events compress -o out.octev in
  2 events and 0 other records: 0 patterns of 0 meta-events, 0 occurrences (0 disturbed), 2 plain events
  records: 36 of 36 bytes, K = 1.000
  file out.octev: [#] bytes, [#] bytes per event
  leaves without an enter, which are kept: 1
  enters open at the end, which are kept: 1
  0> octrace: in: the last line has no line end: the trace may be cut off
