#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-modules.sh - does a capture name the files of code that the program had in memory, and do
# names and source lines come from those that are still the same build?
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
command -v qemu-x86_64 >found && command -v cc >found && [ "$(uname -m)" = x86_64 ] || exit 77
sets="arm-linux-gnueabi aarch64-linux-gnu riscv64-linux-gnu i686-linux-gnu mips-linux-gnu mipsel-linux-gnu"
for set in $sets; do
  [ -f "/usr/$set/lib/libc.so.6" ] || exit 77 # scripts/test installs them
done

cat >prog.c <<'END'
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) int work(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++) sum += i;
  return sum;
}
int main(void) {
  int v[50];
  for (int i = 0; i < 50; i++) v[i] = i * SEED % 61;
  qsort(v, 50, sizeof *v, order);
  return work(2000) == v[0];
}
END

# whole OPTIONS: the capture of a program compiled so has its names.
whole() {
  options=$1
  # shellcheck disable=SC2086 # options
  cc -g -O1 -DSEED=7919 $options -o prog prog.c
  expect 0 "$SOURCE/scripts/capture" -o prog.oct -- ./prog
  id=$(readelf -n prog | sed -n 's/^ *Build ID: //p')
  expect 0 "$OCTRACE" info --json prog.oct
  cp out info.json
  python3 - "$id" "$PWD/prog" <<'END' || die "modules of cc $options"
import json, sys
modules = {m["path"]: m for m in json.load(open("info.json"))["modules"]}
assert modules[sys.argv[2]]["build_id"] == sys.argv[1], modules
END
  expect 0 "$OCTRACE" info prog.oct
  contains out '^modules$'
  contains out "^  0x[0-9a-f]*  $PWD/prog  $id\$"
  contains out ' work'
  expect 0 "$OCTRACE" view prog.oct
  cp out view
  contains out ' work+0x[0-9a-f]*  prog.c:[4-6]'
  "$OCTRACE" view - <prog.oct | cmp - view || die "a pipe has other names"
  "$OCTRACE" compress --tracer shadow -o prog.octp prog.oct >out 2>&1
  "$OCTRACE" compress --codec shadow -o prog.octc prog.oct >out 2>&1
  "$OCTRACE" view prog.octc | cmp - view || die "a file of a codec has other names"
  expect 0 "$OCTRACE" view prog.octp
  contains out ' work+0x[0-9a-f]*  prog.c:[4-6]'
  for file in prog.octp prog.octc; do
    expect 0 "$OCTRACE" info $file
    contains out "^  0x[0-9a-f]*  $PWD/prog  $id\$"
    expect 0 "$OCTRACE" calls $file calls.folded
    contains calls.folded 'main;work '
  done
  "$OCTRACE" convert prog.oct again.oct
  "$OCTRACE" view again.oct | cmp - view || die "a copy has other names"
  # The same as with the program that is named by hand.
  bias=$(python3 -c 'import json; print(next(m["bias"] for m in json.load(open("info.json"))["modules"] if m["path"].endswith("/prog")))')
  "$OCTRACE" view --elf "prog@$bias" prog.oct | grep ' work\| main\| order' >want
  [ -s want ] || die "no names by hand"
  grep ' work\| main\| order' view | grep -v '_order' | cmp - want || die "other names than by hand"
  # A part that is a function, also where the file comes as a stream and where the file of a codec has its modules first.
  expect 0 "$OCTRACE" convert --function work --elf "prog@$bias" prog.oct want.oct
  expect 0 "$OCTRACE" convert --function work prog.oct part.oct
  cmp part.oct want.oct || die "another function than by hand"
  "$OCTRACE" convert --function work - - <prog.oct 2>err | cmp - want.oct || die "another function of a pipe"
  expect 0 "$OCTRACE" convert --function work --to pc prog.octc part.pc
  "$OCTRACE" convert --to pc want.oct - | cmp - part.pc || die "another function of a codec's file"
  expect 0 "$OCTRACE" calls prog.oct calls.folded
  contains calls.folded 'main;work '
  expect 0 "$OCTRACE" stats prog.oct
  contains out '  work$'
  expect 0 "$OCTRACE" report --no-tracers --cycle-insns 100 --top 9999 prog.oct
  contains out ' work'
}

whole '-static -no-pie'
whole ''
[ "$(python3 -c 'import json; print(len(json.load(open("info.json"))["modules"]) > 2)')" = True ] || die "no library"
grep -q ' qsort' view || die "no names of the library"
expect 0 "$OCTRACE" convert --function qsort --function work prog.oct part.oct
expect 0 "$OCTRACE" view part.oct
contains out ' qsort'
contains out ' work'
expect 4 "$OCTRACE" convert --function frob prog.oct none.oct
contains err "^octrace: prog.oct: no function 'frob' in the files that are here as they were traced: --elf FILE\[@BIAS\] names another\$"
[ ! -e none.oct ] || die "a trace of no function"

# Of each instruction set, width and byte order: libc.so.6 is a program, which the loader starts.
for set in $sets; do
  expect 0 "$SOURCE/scripts/capture" --root "/usr/$set" -o c.oct -- "/usr/$set/lib/libc.so.6"
  id=$(readelf -n "/usr/$set/lib/libc.so.6" | sed -n 's/^ *Build ID: //p')
  expect 0 "$OCTRACE" info c.oct
  [ "$(grep -c "/libc.so.6  $id\$" out)" -eq 1 ] || die "$set: libc.so.6"
  grep -q '/ld[-a-z0-9.]*[.]so[.][0-9]  [0-9a-f]' out || die "$set: no loader"
  expect 0 "$OCTRACE" view c.oct
  contains out ' _exit\| __libc_main\| write\| __libc_print_version'
done

# Another build has other names and lines: they are left out, with a note.
cc -g -O1 -DSEED=7907 -o prog prog.c
for command in view stats info 'report --no-tracers --cycle-insns 100'; do
  # shellcheck disable=SC2086 # a command with its options
  expect 0 "$OCTRACE" $command prog.oct
  ! grep -q ' work' out || die "$command: names of another build"
  contains err "^octrace: note: prog.oct: $PWD/prog is another build now than was traced: "
  [ "$(grep -c 'another build' err)" -eq 1 ] || die "$command: not one note"
done
expect 0 "$OCTRACE" calls prog.oct - >/dev/null
contains err 'is another build now'
expect 4 "$OCTRACE" convert --function work prog.oct none.oct
contains err "^octrace: prog.oct: no function 'work': $PWD/prog is another build now than was traced: --elf FILE names the traced one\$"
# What is not there any more is passed over, and what the user names takes its place.
rm prog
expect 0 "$OCTRACE" view prog.oct
! grep -q ' work\|another build' out err || die "names of a file that is gone"
