#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# big-endian.sh - are files the same on a big-endian machine? The library and its tests are compiled
# for s390x, with Debian's libraries for it, and run under qemu-user. Golden vectors, round trips and
# traces of known content hold there; what octrace writes there is what it writes here, but for what
# zstd packs, and each machine reads the files of the other. Skipped where the cross compiler or the libraries are not to be had.
. "$(dirname "$0")/../tools/lib.sh"

command -v s390x-linux-gnu-gcc >/dev/null && command -v qemu-s390x >/dev/null || exit 77
root=$BUILD/s390x-root
"$SOURCE/tests/scripts/foreign-root" s390x "$root" libbz2-dev libc6-dev libcapstone-dev \
  libcmocka-dev libelf-dev libinih-dev libjansson-dev liblzma-dev libxxhash-dev libzip-dev \
  libzstd-dev zlib1g-dev 2>log || { cat log >&2; exit 77; }

cat >cross.ini <<END
[binaries]
c = 's390x-linux-gnu-gcc'
ar = 's390x-linux-gnu-gcc-ar'
strip = 's390x-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-s390x', '-L', '$root']
[built-in options]
c_args = ['--sysroot=$root', '-isystem', '$root/usr/include']
c_link_args = ['--sysroot=$root']
[properties]
sys_root = '$root'
pkg_config_libdir = '$root/usr/lib/s390x-linux-gnu/pkgconfig'
[host_machine]
system = 'linux'
cpu_family = 's390x'
cpu = 's390x'
endian = 'big'
END
meson setup "$work/b" "$SOURCE" --cross-file cross.ini --buildtype=plain -Doptimization=1 -Db_lto=false \
  -Drtl=disabled -Dpython=disabled -Dotf2=disabled -Dipt=disabled -Dopencsd=disabled >log 2>&1 ||
  { cat log >&2; die "setup"; }
tests='tests/traces/test_traces_native tests/traces/test_traces_foreign tests/common/test_common_crc
  tests/codecs/test_codec_vpc tests/codecs/test_codec_sequitur tests/codecs/test_codec_bytesort
  tests/codecs/test_codec_trace_split tests/events/test_events_scheme tests/paper/test_paper_stage_steps'
# shellcheck disable=SC2086 # a list of targets
ninja --quiet -C "$work/b" tools/octrace tests/vectors/vectors $tests >log 2>&1 || { cat log >&2; die "build"; }
there() {
  qemu-s390x -L "$root" "$@"
}
for t in $tests; do there "b/$t" >log 2>&1 || { cat log >&2; die "$t"; }; done
find "$SOURCE/tests/vectors" -name '*.txt' -exec qemu-s390x -L "$root" b/tests/vectors/vectors {} +

# same NAME ARGUMENTS...: octrace with these makes the same file NAME on both machines.
n_same=0
same() {
  name=$1
  shift
  "$OCTRACE" "$@" >out 2>log || { cat log >&2; die "here: $*"; }
  mv "$name" here
  there b/tools/octrace "$@" >out 2>log || { cat log >&2; die "there: $*"; }
  cmp here "$name" || die "another $name: $*"
  n_same=$((n_same + 1))
}
# alike NAME ARGUMENTS...: as `same` for files with parts that zstd packs, which is free to pack them
# otherwise. The reports are the same, and each machine reads the file of the other to the same trace.
alike() {
  name=$1
  shift
  "$OCTRACE" "$@" >report 2>&1 || { cat report >&2; die "here: $*"; }
  mv "$name" "here-$name"
  there b/tools/octrace "$@" >out 2>&1 || { cat out >&2; die "there: $*"; }
  sed -i 's|, [0-9]* MB/s||' report out
  cmp report out || die "another report: $*"
  "$OCTRACE" decompress --to text "$name" -o one
  "$OCTRACE" decompress --to text "here-$name" -o other
  cmp one other || die "another trace: $*"
  there b/tools/octrace decompress --to text "here-$name" -o other
  cmp one other || die "read otherwise: $*"
  n_same=$((n_same + 1))
}
same_listing() {
  "$OCTRACE" packets here-p.octp >one
  there b/tools/octrace packets p.octp >other
  cmp one other || die "another listing"
}
arm=$SOURCE/traces/samples/sha1.oct
for isa in arm riscv64 x86-64 aarch64; do
  trace=$SOURCE/traces/samples/isa/$isa.oct
  [ -e "$trace" ] || trace=$arm
  same n.oct convert --limit 3000 "$trace" n.oct
  cp n.oct "$isa.oct"
  for tracer in paper shadow raw etrace ntrace intel-pt etmv4; do
    "$OCTRACE" compress --tracer "$tracer" "$isa.oct" -o p.octp 2>/dev/null || continue
    alike p.octp compress --tracer "$tracer" "$isa.oct" -o p.octp
    [ "$tracer" = raw ] || [ "$tracer" = shadow ] || same_listing
  done
done
alike p.octp compress --engine cycle --arrival cpi=30 arm.oct -o p.octp
for codec in plain vpc3 vpc bytesort unshuffle sequitur; do
  alike c.octc compress --codec "$codec:stage=bzip2" arm.oct -o c.octc
done
"$OCTRACE" convert --to da64 arm.oct addresses
for codec in bytesort unshuffle sequitur atc-lossy; do
  same c.octc compress --codec "$codec:stage=none" --input addresses addresses -o c.octc
done
for format in text bin32 bin64 din xdin din-binary vpc3 pc32 pc64 da32; do
  same x convert --to "$format" arm.oct x
done
same row.csv sweep -a sc_sets=8..32 -o row.csv arm.oct
same misses filter --to blocks arm.oct misses
awk 'BEGIN { for (i = 0; i < 900; i++) print i * 10, 1 + i % 3, (i / 3) % 2 < 1 ? "enter" : "leave", "f" i % 3 }' >events.txt
same e.octev events compress events.txt -o e.octev
cp e.octev here.octev
same e.txt events decompress here.octev -o e.txt
[ "$n_same" -ge 40 ] || die "$n_same files"
