SPDX-License-Identifier: Apache-2.0
bin2atc and atc2bin: the examples of Michaud 2009, wrong use, bad input. As in Figure 8, a hundredth of it: one chunk of ten
intervals, and the names. The second stage's own tool takes a chunk: columns of bytes.

  $ set -o pipefail
  $ python3 -c 'import random, sys; sys.stdout.buffer.write(random.Random(1).randbytes(8000000))' >noise
  $ bin2atc -L 100k foobar <noise
  0> bin2atc: foobar: lossy: 9 of 10 intervals, 900000 of 1000000 values, imitate another one; --lossless keeps all values as they are
  $ numbers short.bin '(i % 1000 * 64 for i in range(2001))'
  $ bin2atc -L 1000 short <short.bin
  0> bin2atc: short: lossy: 1 of 3 intervals, 1000 of 2001 values, imitate another one; --lossless keeps all values as they are
  $ ls foobar
  1.bz2
  INFO.bz2
  $ [ $(wc -c <foobar/1.bz2) -lt 810000 ] || echo "not compressed ten-fold"
  $ atc2bin foobar >back
  $ wc -c <back
  8000000
  $ cmp -n 800000 noise back
  $ atc2bin --info foobar
  values       1000000
  intervals    10
  chunks       1
  imitated     9
  translated   0
  bytes        803773
  $ atc2bin --test foobar
  $ bzip2 -dc foobar/1.bz2 | wc -c
  800000

Each second stage gives the same back.

  $ numbers want 'range(4096, 4096 + 64 * 5000, 64)'
  $ for stage in bzip2 xz zstd gzip cat 'xz -0' 'bzip2 -1 -c'; do
  >   try bin2atc --lossless --stage "$stage" --buffer 700 --jobs 2 dir <want
  >   ls dir | xargs
  >   atc2bin -j 0 dir | cmp want -
  >   rm -r dir
  > done
  1.bz2 INFO.bz2
  1.xz INFO.xz
  1.zst INFO.zst
  1.gz INFO.gz
  1.raw INFO.raw
  1.xz INFO.xz
  1.bz2 INFO.bz2
  $ bin2atc -c -s x --stats dir <want
  0> 5000 values, 1 interval, 1 chunk of 1232 bytes, 0 intervals imitated, 0 of them translated, 1.971 bits a value
  $ atc2bin dir/ | cmp want -
  $ atc2bin -s x dir | cmp want -
  $ bin2atc -c empty </dev/null
  $ atc2bin empty | cmp /dev/null -

What is there is not overwritten, unless it is asked for.

  $ bin2atc dir <noise
  4> bin2atc: dir: exists and is not empty
  $ bin2atc want <noise
  4> bin2atc: want: exists and is not a directory
  $ bin2atc -f -c -z xz dir <want
  $ ls dir
  1.xz
  INFO.xz
  $ : >dir/notes
  $ bin2atc -f dir <want
  4> bin2atc: dir: exists and is not an ATC directory
  $ rm dir/notes

Wrong use.

  $ bin2atc @ <want
  | -f => 2> bin2atc: expected one directory (see bin2atc --help)
  | a b => 2> bin2atc: expected one directory (see bin2atc --help)
  | -B 0 x => 2> bin2atc: --buffer '0': expected a number from 1 to 100M (see bin2atc --help)
  | -L 2G x => 2> bin2atc: --interval '2G': expected a number from 1 to 1G (see bin2atc --help)
  | -e 3 x => 2> bin2atc: --threshold '3': expected a number from 0 to 2 (see bin2atc --help)
  | -e x x => 2> bin2atc: --threshold 'x': expected a number from 0 to 2 (see bin2atc --help)
  | -z compress x => 2> bin2atc: stage: 'compress': expected bzip2, gzip, xz, zstd or cat (see bin2atc --help)
  | -z 'bzip2 -0' x => 2> bin2atc: stage: level: stage bzip2 has levels 1 to 9, not 0 (see bin2atc --help)
  | -q x => 2> bin2atc: unknown option '-q' (see bin2atc --help)
  | --what x => 2> bin2atc: unknown option '--what' (see bin2atc --help)
  | -j 65 x => 2> bin2atc: --jobs '65': expected a number from 0 to 64 (see bin2atc --help)
  | --histograms 0 x => 2> bin2atc: --histograms '0': expected a number from 1 to 65536 (see bin2atc --help)
  | -B => 2> bin2atc: option '-B' needs a value (see bin2atc --help)
  | --stats=1 x => 2> bin2atc: option '--stats' takes no value (see bin2atc --help)
  | -s a/b x => 4> bin2atc: suffix: expected at most 32 printable characters, no slash
  | no/such/x => 4> bin2atc: no/such/x: cannot create: No such file or directory
  $ bin2atc --lossless -B 1K -j 0 thousands <want && atc2bin thousands | cmp - want
  $ script -qec 'atc2bin thousands' typescript </dev/null | tr -d '\r'
  atc2bin: bytes are not for a terminal: name a file for them, or pipe them on (see atc2bin --help)
  [exit 2]
  $ rm -r thousands typescript
  $ bin2atc --help | sed -n 1p
  Usage: bin2atc [OPTION...] DIRECTORY <VALUES
  $ atc2bin @
  | -T => 2> atc2bin: expected one directory (see atc2bin --help)
  | -j x dir => 2> atc2bin: --jobs 'x': expected a number from 0 to 64 (see atc2bin --help)
  | missing => 4> atc2bin: missing: cannot open: No such file or directory
  | want => 4> atc2bin: want: cannot open: Not a directory
  | --version | sed -n 1p => atc2bin (octrace) 0.2.0

A file of the directory is read or written, not both, by whatever name.

  $ bin2atc -f -c -z cat -s raw dir <want
  $ cp -r dir before
  $ ln dir/1.raw hard
  $ for name in dir/1.raw dir/INFO.raw hard; do
  >   ! atc2bin dir >>$name && ! atc2bin --info dir 1<>$name
  > done 2>&1 | sort | uniq -c
        6 atc2bin: standard output: input and output are the same file
  $ bin2atc -f dir/ <dir/1.raw
  2> bin2atc: dir/: input and output are the same file
  $ bin2atc -f dir <hard
  2> bin2atc: dir: input and output are the same file
  $ atc2bin --test dir >>dir/1.raw
  $ diff -r before dir

Bad input leaves nothing; damage is named with file and offset.

  $ mkdir bad
  $ head -c 30001 want | try bin2atc x
  4> bin2atc: standard input: offset 30001: ends within a value of 8 bytes
  $ for bad in cut flip missing info; do cp -r foobar bad/$bad; done
  $ head -c 300000 foobar/1.bz2 >bad/cut/1.bz2
  $ printf x | dd of=bad/flip/1.bz2 bs=1 seek=5000 conv=notrunc 2>err
  $ rm bad/missing/1.bz2
  $ head -c 100 foobar/INFO.bz2 >bad/info/INFO.bz2
  $ quiet atc2bin @
  | bad/cut => 4> atc2bin: bad/cut/1.bz2: offset 300000: the file ends; expected 803773 bytes
  | --test bad/flip => 4> atc2bin: bad/flip/1.bz2: offset 0: the checksum does not match
  | bad/missing => 4> atc2bin: bad/missing/1.bz2: cannot open: No such file or directory
  | --info bad/info => 4> atc2bin: bad/info/INFO.bz2: offset 0 of the unpacked data: the bzip2 stream ends too early
  $ ls -d x
  2> ls: cannot access 'x': No such file or directory
  $ [ ! -w /dev/full ] || atc2bin foobar >/dev/full
  4> atc2bin: standard output: cannot write: No space left on device
