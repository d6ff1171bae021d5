#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# atc.sh - bin2atc and atc2bin: the examples of Michaud 2009, wrong use, bad input, signals.
. "$(dirname "$0")/lib.sh"

# complains CODE COMMAND...: one line on standard error, by the program itself, and this exit code.
complains() {
  expect "$@"
  shift
  [ "$(wc -l <err)" -eq 1 ] || { cat err >&2; die "not one line: $*"; }
  grep -q "^$(basename "$1"): " err || die "not by $1: $*"
}

# COUNT values from FIRST on, 64 apart, as 8 bytes each: values FIRST COUNT
values() {
  python3 -c 'import struct, sys
first, count = int(sys.argv[1]), int(sys.argv[2])
sys.stdout.buffer.write(struct.pack("<%dQ" % count, *range(first, first + 64 * count, 64)))' "$1" "$2"
}

values 4096 5000 >want
random() {
  python3 -c 'import random, sys; sys.stdout.buffer.write(random.Random(1).randbytes(int(sys.argv[1])))' "$1"
}

# As in Figure 8, a hundredth of it: one chunk of ten intervals, and the names.
random 8000000 >noise
expect 0 "$BIN2ATC" -L 100k foobar <noise
one_line 'bin2atc: foobar: lossy: 9 of 10 intervals, 900000 of 1000000 values, imitate another one; --lossless keeps all values as they are'
python3 -c 'import struct, sys; sys.stdout.buffer.write(struct.pack("<2001Q", *(i % 1000 * 64 for i in range(2001))))' |
  "$BIN2ATC" -L 1000 short 2>err
contains err ': 1 of 3 intervals, 1000 of 2001 values, imitate'
rm -r short
[ "$(ls foobar | tr '\n' ' ')" = "1.bz2 INFO.bz2 " ] || die "foobar: $(ls foobar)"
[ "$(wc -c <foobar/1.bz2)" -lt 810000 ] || die "not compressed ten-fold"
"$ATC2BIN" foobar >back
[ "$(wc -c <back)" -eq 8000000 ] || die "not 8000000 bytes"
head -c 800000 noise >first
head -c 800000 back | cmp first -
expect 0 "$ATC2BIN" --info foobar
contains out '^intervals *10$'
contains out '^chunks *1$'
expect 0 "$ATC2BIN" --test foobar
[ ! -s out ] || die "--test wrote something"
# The second stage's own tool takes a chunk: columns of bytes.
[ "$(bzip2 -dc foobar/1.bz2 | wc -c)" -eq 800000 ] || die "bzip2 does not give 800000 bytes"

for stage in bzip2:bz2 xz:xz zstd:zst gzip:gz cat:raw 'xz -0:xz' 'bzip2 -1 -c:bz2'; do
  expect 0 "$BIN2ATC" --lossless --stage "${stage%:*}" --buffer 700 --threads 2 dir <want
  [ -s "dir/1.${stage#*:}" ] && [ -s "dir/INFO.${stage#*:}" ] || die "names by $stage"
  "$ATC2BIN" -t 0 dir | cmp want -
  rm -r dir
done
expect 0 "$BIN2ATC" -c -s x --stats dir <want
contains err '^5000 values, 1 interval, 1 chunk of'
"$ATC2BIN" dir/ | cmp want -
"$ATC2BIN" -s x dir | cmp want -
expect 0 "$BIN2ATC" -c empty </dev/null
[ ! -s err ] || die "lossless, but said: $(cat err)"
"$ATC2BIN" empty | cmp /dev/null -

# What is there is not overwritten, unless it is asked for.
complains 4 "$BIN2ATC" dir <noise
contains err 'dir: exists'
complains 4 "$BIN2ATC" want <noise
expect 0 "$BIN2ATC" -f -c -z xz dir <want
[ "$(ls dir | tr '\n' ' ')" = "1.xz INFO.xz " ] || die "replaced: $(ls dir)"
: >dir/notes
complains 4 "$BIN2ATC" -f dir <want
contains err 'not an ATC directory'
rm dir/notes

for bad in '' 'a b' '-B 0 x' '-L 2G x' '-e 3 x' '-e x x' '-z compress x' '-z bzip2\ -0 x' '-q x' '--what x' \
  '-t 65 x' '--histograms 0 x' '-B' '--stats=1 x'; do
  eval "complains 2 \"\$BIN2ATC\" $bad" <want
  contains err 'see bin2atc --help'
done
complains 4 "$BIN2ATC" -s a/b x <want
complains 2 "$ATC2BIN"
complains 2 "$ATC2BIN" -t x dir
complains 4 "$BIN2ATC" no/such/x <want
complains 4 "$ATC2BIN" missing
complains 4 "$ATC2BIN" want
expect 0 "$BIN2ATC" --help
expect 0 "$ATC2BIN" --version
contains out '^atc2bin (octrace) '

# Bad input leaves nothing; damage is named with file and offset.
head -c 30001 want >odd
complains 4 "$BIN2ATC" x <odd
contains err 'offset 30001: '
mkdir bad
cp -r foobar bad/cut
head -c 300000 foobar/1.bz2 >bad/cut/1.bz2
complains 4 "$ATC2BIN" bad/cut
contains err 'bad/cut/1.bz2: offset 300000: '
cp -r foobar bad/flip
printf x | dd of=bad/flip/1.bz2 bs=1 seek=5000 conv=notrunc 2>/dev/null
complains 4 "$ATC2BIN" --test bad/flip
contains err 'bad/flip/1.bz2: offset 0: .*checksum'
cp -r foobar bad/missing
rm bad/missing/1.bz2
complains 4 "$ATC2BIN" bad/missing
contains err 'bad/missing/1.bz2: '
cp -r foobar bad/info
head -c 100 foobar/INFO.bz2 >bad/info/INFO.bz2
complains 4 "$ATC2BIN" --info bad/info
contains err 'bad/info/INFO.bz2: .*offset '
if [ -w /dev/full ]; then
  code=0
  "$ATC2BIN" foobar >/dev/full 2>err || code=$?
  [ "$code" -eq 4 ] || die "exit code $code for a full disk"
fi
rm -r bad

# A signal leaves nothing behind; of SIGKILL, what the next one removes.
mkfifo feed
for signal in INT:2 TERM:15 HUP:1 QUIT:3 XCPU:24 KILL:9; do
  env --default-signal "$BIN2ATC" -z cat -B 100 -L 1000 new <feed >out 2>err &
  pid=$!
  exec 9>feed
  cat want >&9
  until [ -e "$(echo new.octrace-??????/1.raw)" ]; do
    kill -0 "$pid" || { cat err >&2; die "ended before the signal"; }
    cat want >&9
    sleep 0.01
  done
  kill "-${signal%:*}" "$pid"
  code=0
  wait "$pid" || code=$?
  exec 9>&-
  [ "$code" -eq $((128 + ${signal#*:})) ] || die "exit code $code after SIG${signal%:*}"
  if [ "$signal" = KILL:9 ]; then
    [ -d "$(echo new.octrace-??????)" ] || die "SIGKILL left nothing to be removed"
    expect 0 "$BIN2ATC" new <want
    [ "$(echo new*)" = new ] || die "not removed: $(echo new*)"
    rm -r new
  fi
  [ "$(echo new*)" = 'new*' ] || die "left behind: $(echo new*)"
done

# Help, man page and completion of both programs know the same options.
. "$SOURCE/tools/completion/atc"
for program in "$BIN2ATC" "$ATC2BIN"; do
  name=$(basename "$program")
  "$program" --help | sed -nE 's/^ +-/-/; T; s/  .*//; p' | grep -oE -e '--[a-z]+' | sort >help
  grep -A 1 '^\.TP' "$SOURCE/docs/man/$name.1" | sed 's/\\-/-/g' | grep -oE -e '--[a-z]+' | sort >page
  diff help page >&2 || die "help and man page of $name differ"
  COMP_WORDS=("$name" --) COMP_CWORD=1
  _octrace_atc
  printf '%s\n' "${COMPREPLY[@]}" | sort | diff help - >&2 || die "help and completion of $name differ"
done
