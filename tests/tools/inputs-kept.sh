#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# inputs-kept.sh - no output replaces any file that its command has read, whoever named it: files in an
# input folder, programs that a trace names, streams that stand apart. All inputs stay as they were.
. "$(dirname "$0")/lib.sh"

# kept INPUT COMMAND...: the command refuses in one line, and the file is as before.
kept() {
  input=$1
  shift
  cp "$input" before
  code=0
  "$@" >out 2>err || code=$?
  case $code in 2 | 4) ;; *) die "exit code $code: $*" ;; esac
  [ "$(wc -l <err)" -eq 1 ] || { cat err >&2; die "not one line: $*"; }
  contains err 'input and output are the same file'
  cmp before "$input" || die "an input was replaced: $*"
}

# A snapshot is a folder: each of its files is an input.
"$OCTRACE" convert --elf "$DATA/mixed-aarch64.elf" "$DATA/mixed-aarch64.oct" whole.oct
"$OCTRACE" convert --to etmv4 whole.oct snap
for file in snapshot.ini trace.ini core.ini etm.ini trace.bin memory1.bin; do
  ln "snap/$file" hard
  for name in "snap/$file" "./snap/../snap/$file" hard; do
    kept "snap/$file" "$OCTRACE" convert --from etmv4 snap "$name"
    kept "snap/$file" "$OCTRACE" compress --from etmv4 -o "$name" snap
  done
  rm hard
done
kept snap/trace.bin "$OCTRACE" report --from etmv4 --html snap/trace.bin snap
kept snap/trace.bin "$OCTRACE" filter snap snap/trace.bin
kept snap/trace.bin "$OCTRACE" convert --from etmv4 --to etmv4 snap snap
# A folder of octrace that holds an input of another kind is not replaced as a whole.
cp "$DATA/mixed-aarch64.oct" snap/memory2.bin
kept snap/memory2.bin "$OCTRACE" convert --elf "$DATA/mixed-aarch64.elf" --to etmv4 snap/memory2.bin snap
rm snap/memory2.bin
expect 0 "$OCTRACE" convert --to etmv4 whole.oct snap

# perf.data names the program.
if "$OCTRACE" list formats | grep -q '^perf '; then
  cp "$DATA/mixed-x86-64.elf" program
  "$OCTRACE" convert --elf program "$DATA/mixed-x86-64.oct" x86.oct
  "$OCTRACE" convert --to intel-pt x86.oct stream
  python3 "$MAKE_PERF" perf.data map:101:program thread:101:stream
  expect 0 "$OCTRACE" convert perf.data copy.oct
  kept program "$OCTRACE" convert perf.data program
  kept program "$OCTRACE" compress -o program perf.data
  kept perf.data "$OCTRACE" convert perf.data perf.data
fi

# uftrace writes a folder.
cp -r "$UFTRACE" uf
for file in uf/*; do
  case $file in *.dat | *task.txt) ;; *) continue ;; esac
  kept "$file" "$OCTRACE" events compress uf -o "$file"
done

# Streams apart: as outputs over a program, and as inputs.
cp "$DATA/mixed-arm.elf" x.2
kept x.2 "$OCTRACE" compress --codec plain --apart --elf x.2 -o x "$DATA/mixed-arm.oct"
rm x.2
[ -z "$(find . -name 'x*' ! -name 'x86*')" ] || die "half an output is left"
"$OCTRACE" compress --codec plain --apart -o x "$DATA/mixed-arm.oct"
kept x.1 "$OCTRACE" decompress -o back.oct --gaps x.1 x
kept x.1 "$OCTRACE" decompress -o x.1 x
kept x "$OCTRACE" decompress -o back.oct --gaps x x
[ ! -e back.oct ] || die "half an output is left"
expect 0 "$OCTRACE" decompress -o back.oct --gaps gaps.csv x
# The same command again writes over its own last output.
expect 0 "$OCTRACE" decompress -o back.oct --gaps gaps.csv x
