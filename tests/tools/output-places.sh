#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# output-places.sh - does any output option change or replace what is no regular file? A device and
# a named pipe are written to, a folder and a link to nothing are refused before any work, a link
# stays a link and its file is written.
. "$(dirname "$0")/lib.sh"

tiny_trace 300 >t.txt
"$OCTRACE" convert t.txt t.oct
"$OCTRACE" compress -o t.octp t.oct
"$OCTRACE" compress --codec plain -o t.octc t.oct
expect 0 "$OCTRACE" filter --to blocks t.oct blocks
[ -s blocks ] || die "no blocks"
printf '1 a enter f\n2 a enter g\n3 a leave g\n4 a leave f\n' >e.txt
"$OCTRACE" events compress e.txt -o e.octev >/dev/null
mkdir place
# As root a device of our own, so that what goes wrong harms nobody.
device=/dev/null
[ "$(id -u)" -ne 0 ] || { mknod place/device c 1 3 2>/dev/null && device=place/device; }

# kind FILE: what it is, and what may be done with it.
kind() {
  stat -c '%F %a %i' "$1"
}

# run OUT: the command of this turn, with OUT for OUT.
run() {
  (eval "set -- $command" && timeout 30 "$@")
}

# A link to nothing stays one, and nothing is made beside it or where it leads.
dangling() {
  rm -f place/link
  ln -s ../target place/link
  code=0
  run place/link >out 2>err || code=$?
  [ $code -eq 4 ] || die "$command: exit code $code for a link to nothing"
  one_line 'octrace: place/link: a link that leads nowhere'
  [ -L place/link ] && [ ! -e target ] || die "$command: the link to nothing was replaced or followed"
  rm place/link
  [ -z "$(find place -type f)" ] || die "$command: left $(find place -type f) beside a link to nothing"
}

# What cannot be written is said once, by the name given.
full() {
  ln -s /dev/full place/link
  expect 4 run place/link
  one_line 'octrace: place/link: cannot write: No space left on device'
  rm place/link
}

# One line each: a command, in which $1 is the output.
while read -r command; do
  before=$(kind "$device")
  expect 0 run "$device"
  [ "$(kind "$device")" = "$before" ] || die "$command: the device was changed"
  [ ! -e "$device.journal" ] || { rm -f "$device.journal"; die "$command: a journal beside the device"; }

  mkfifo place/pipe
  before=$(kind place/pipe)
  cat place/pipe >piped &
  expect 0 run place/pipe
  wait
  [ "$(kind place/pipe)" = "$before" ] || die "$command: the pipe was replaced"
  [ -s piped ] || die "$command: nothing came through the pipe"
  rm place/pipe

  mkdir place/folder
  before=$(kind place/folder)
  code=0
  run place/folder >out 2>err || code=$?
  [ $code -eq 4 ] || die "$command: exit code $code for a folder"
  one_line 'octrace: place/folder: Is a directory'
  [ "$(kind place/folder)" = "$before" ] || die "$command: the folder was replaced"
  rmdir place/folder

  echo old >target
  ln -s ../target place/link
  expect 0 run place/link
  [ -L place/link ] || die "$command: the link was replaced"
  [ "$(head -c 4 target)" != old ] || die "$command: the link's file was not written"
  rm target
  dangling
  ln -s "$(realpath "$device")" place/link
  before=$(kind "$device")
  expect 0 run place/link
  [ -L place/link ] && [ "$(kind "$device")" = "$before" ] || die "$command: a linked device"
  rm place/link
  full
  [ -z "$(find place -type f)" ] || die "$command: left $(find place -type f)"
done <<'END'
$OCTRACE compress -o $1 t.oct
$OCTRACE compress --codec plain -o $1 t.oct
$OCTRACE decompress -o $1 t.octp
$OCTRACE decompress -o $1 t.octc
$OCTRACE decompress -o whole --gaps $1 t.octp
$OCTRACE convert t.oct $1
$OCTRACE convert --to text t.oct $1
$OCTRACE filter t.oct $1
$OCTRACE sweep -o $1 t.oct
$OCTRACE report --html $1 t.oct
$OCTRACE bench --repeat 1 --codec plain --csv $1 t.oct
$OCTRACE events compress e.txt -o $1
$OCTRACE events decompress e.octev -o $1
$OCTRACE events convert --to records e.txt -o $1
$OCTRACE events patterns --html $1 e.octev
END

# A plot is drawn by another program, and written as all else; its name has an ending.
while read -r command; do
  mkdir place/folder.svg
  expect 4 run place/folder.svg
  one_line 'octrace: place/folder.svg: Is a directory'
  rmdir place/folder.svg
  ln -s ../target place/link.svg
  expect 4 run place/link.svg
  one_line 'octrace: place/link.svg: a link that leads nowhere'
  [ -L place/link.svg ] && [ ! -e target ] || die "$command: the link to nothing"
  rm place/link.svg
  expect 4 run none/x.svg
  one_line 'octrace: none/x.svg: No such file or directory'
done <<'END'
$OCTRACE sweep --plot $1 t.oct
$OCTRACE fidelity --plot $1 blocks blocks
END

# Where the list of gaps cannot be written, the trace does not take the place of what is there.
echo old >whole
ln -s /dev/full full
refuse 4 "$OCTRACE" decompress -o whole --gaps full t.octp
[ "$(cat whole)" = old ] || die "a trace was replaced after a failure"
rm whole full

# Of files that stand apart all are written or none: what was there before one of them failed, behind
# a link too, stays, and no new one is left.
mkdir apart
for full in 1 2 3 4; do
  for k in 1 2 3 4; do echo "old $k" >apart/user$k; done
  ln -s user1 apart/out.1
  ln apart/user2 apart/out.2
  ln -sf /dev/full apart/out.$full
  echo old >apart/out
  before=$(find apart -type f -exec stat -c '%n %i' {} + | sort)
  expect 4 "$OCTRACE" compress --codec vpc3 --apart -o apart/out t.oct
  one_line "octrace: apart/out.$full: cannot write: No space left on device"
  [ "$(find apart -type f -exec stat -c '%n %i' {} + | sort)" = "$before" ] ||
    die "--apart: other files behind a failure of out.$full: $(ls apart)"
  for k in 1 2 3 4; do [ "$(cat apart/user$k)" = "old $k" ] || die "--apart: user$k was replaced"; done
  [ "$(cat apart/out)" = old ] || die "--apart: the file itself was replaced"
  rm apart/*
done
rmdir apart

# An empty name is one of nothing, and refused before any work.
while read -r command; do
  code=0
  (eval "set -- '' && timeout 30 $command") >out 2>err || code=$?
  [ $code -eq 4 ] && [ ! -s out ] || die "$command: exit code $code for an empty name: $(cat out)"
  one_line "octrace: '': No such file or directory"
done <<'END'
"$OCTRACE" compress -o "$1" t.oct
"$OCTRACE" decompress -o "$1" t.octp
"$OCTRACE" decompress -o whole --gaps "$1" t.octp
"$OCTRACE" convert t.oct "$1"
"$OCTRACE" sweep -o "$1" t.oct
"$OCTRACE" report --html "$1" t.oct
"$OCTRACE" bench --csv "$1" t.oct
"$OCTRACE" events compress e.txt -o "$1"
"$OCTRACE" events patterns --html "$1" e.octev
END
expect 4 "$OCTRACE" info ''
one_line "octrace: '': cannot open: No such file or directory"

# ATC and OTF2 are folders: what is there and is none, or is not one of theirs, stays.
printf 'text\n' >file
ln -s nothing link
for command in "\$BIN2ATC \$1 <blocks" "\$OCTRACE events decompress e.octev --to otf2 -o \$1"; do
  for out in "$device" file link; do
    before=$(stat -c '%F %a %i' $out)
    (eval "set -- $out && $command") >out 2>err && die "$command: $out was taken"
    [ "$(stat -c '%F %a %i' $out)" = "$before" ] && [ ! -e nothing ] || die "$command: $out was replaced"
  done
done
rm file link

# A journal is read again, so that it must be a file.
mkfifo pipe
mkdir folder
ln -s nothing link
for out in "$device" pipe folder link; do
  before=$(kind $out)
  expect 4 timeout 20 "$OCTRACE" sweep --journal "$out" -o rows.csv t.oct
  [ "$(kind $out)" = "$before" ] && [ ! -e nothing ] || die "--journal $out: it was replaced"
done
