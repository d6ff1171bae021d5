SPDX-License-Identifier: Apache-2.0
No output option changes or replaces what is no regular file: a device and a named pipe are written to, a folder and a
link to nothing are refused before any work, a link stays a link and its file is written. What cannot be written is said
once, by the name given.

  $ set -o pipefail
  $ tiny_trace 300 >t.txt
  $ octrace convert t.txt t.oct
  $ octrace compress -o t.octp t.oct 2>err
  $ octrace compress --codec plain -o t.octc t.oct 2>err
  $ octrace filter --to blocks t.oct blocks 2>err
  $ printf '1 a enter f\n2 a enter g\n3 a leave g\n4 a leave f\n' >e.txt
  $ octrace events compress e.txt -o e.octev >out
  $ mkdir place
  $ device=/dev/null # as root one of our own, so that what goes wrong harms nobody
  $ [ "$(id -u)" -ne 0 ] || { mknod place/device c 1 3 2>/dev/null && device=$PWD/place/device; }
  $ kind() { stat -c '%F %a %i' "$@" 2>/dev/null; }
  $ written() { # written OPTIONS: the command whose output they end with, to each kind of place
  >   local before
  >   rm -f place/[a-ce-z]* target
  >   mkfifo place/pipe
  >   mkdir place/folder
  >   ln -s ../nothing place/link
  >   ln -s ../target place/good
  >   ln -s $device place/to-device
  >   ln -s /dev/full place/full
  >   echo old >target
  >   before=$(kind $device place/*)
  >   cat place/pipe >piped &
  >   for place in $device place/pipe place/good place/to-device; do
  >     octrace "$@" $place >out 2>err || { echo "$place: status $?"; cat err; }
  >   done
  >   wait
  >   for place in place/folder place/link place/full; do try octrace "$@" $place 2>&1 | grep -a '>'; done >got
  >   printf '4> octrace: place/%s\n' 'folder: Is a directory' 'link: a link that leads nowhere' \
  >     'full: cannot write: No space left on device' | diff - got
  >   [ -s piped ] && [ "$(head -n 1 target | tr -d '\0')" != old ] || echo "nothing was written"
  >   rm -f $device.journal # which a sweep may have
  >   [ "$(kind $device place/*)" = "$before" ] && [ ! -e nothing ] || { echo "replaced:"; kind place/*; }
  >   rmdir place/folder
  > }
  $ written @
  | compress t.oct -o
  | compress --codec plain t.oct -o
  | decompress t.octp -o
  | decompress t.octc -o
  | decompress -o whole t.octp --gaps
  | convert t.oct
  | convert --to text t.oct
  | filter t.oct
  | sweep t.oct -o
  | report --cycle-insns 100 --no-tracers t.oct --html
  | bench --repeat 1 --codec plain t.oct --csv
  | events compress e.txt -o
  | events decompress e.octev -o
  | events convert --to records e.txt -o
  | events patterns e.octev --html
  $ rm -f place/[a-ce-z]* target
  $ ls place | grep -cv device || :
  0

A plot is drawn by another program, and written as all else; its name has an ending.

  $ mkdir folder.svg
  $ ln -s nothing link.svg
  $ octrace @
  | sweep --plot folder.svg t.oct => 4> octrace: folder.svg: Is a directory
  | sweep --plot link.svg t.oct => 4> octrace: link.svg: a link that leads nowhere
  | sweep --plot none/x.svg t.oct => 4> octrace: none/x.svg: No such file or directory
  | fidelity --plot folder.svg blocks blocks => 4> octrace: folder.svg: Is a directory
  | fidelity --plot link.svg blocks blocks => 4> octrace: link.svg: a link that leads nowhere
  | fidelity --plot none/x.svg blocks blocks => 4> octrace: none/x.svg: No such file or directory
  $ ls nothing folder.svg
  folder.svg:
  2> ls: cannot access 'nothing': No such file or directory

Where the list of gaps cannot be written, the trace does not take the place of what is there.

  $ echo old >whole
  $ ln -s /dev/full full
  $ octrace decompress -o whole --gaps full t.octp
  4> octrace: full: cannot write: No space left on device
  $ cat whole
  old

Nor does anything of a trace that cannot be read to its end.

  $ head -c -100 t.oct >cut.oct
  $ kept() { # kept COMMAND WITH OUTPUTS x.*: which of them a command that fails makes, or replaces
  >   octrace "$@" >out 2>err; echo $?
  >   ls x.* 2>/dev/null
  >   for word; do case $word in x.*) echo old >$word ;; esac; done
  >   octrace "$@" >out 2>err
  >   grep -L '^old$' x.*
  >   rm x.*
  > }
  $ kept @
  | report --csv x.csv --html x.html cut.oct => 4
  | stats --html x.html --bbv x.bbv cut.oct => 4
  | bench --repeat 1 --codec plain --csv x.csv cut.oct => 4
  | sweep -o x.csv cut.oct => 4
  | filter cut.oct x.oct => 4
  | compress -o x.octp cut.oct => 4
  | compress --codec plain -o x.octc cut.oct => 4
  | convert cut.oct x.oct => 4

A folder that is written is replaced with all that is in it.

  $ octrace convert --limit 100 --to etmv4 --elf ../data/mixed-aarch64.elf ../data/mixed-aarch64.oct snap
  $ ls snap | md5sum >listing
  $ ln -s snap/trace.bin to-trace
  $ ln -s snap to-snap
  $ octrace convert --limit 100 --to etmv4 --elf ../data/mixed-aarch64.elf --gaps @ ../data/mixed-aarch64.oct snap
  | snap/trace.bin => 2> octrace: convert: snap/trace.bin: the trace and --gaps: one is inside of the other
  | to-trace => 2> octrace: convert: to-trace: the trace and --gaps: one is inside of the other
  | to-snap/new => 2> octrace: convert: to-snap/new: the trace and --gaps: one is inside of the other
  | snap => 4> octrace: snap: Is a directory
  | snap/../snap.csv
  $ ls snap | md5sum | cmp - listing
  $ cat snap.csv
  instruction,lost_instructions,lost_accesses,cause

Of files that stand apart all are written or none: what was there before one of them failed, after a link too, stays, and
no new one is left. Nor is any written beside what is no regular file.

  $ mkdir apart
  $ for full in 1 2 3 4; do
  >   for k in 1 2 3 4; do echo "old $k" >apart/user$k; done
  >   ln -s user1 apart/out.1
  >   ln apart/user2 apart/out.2
  >   ln -sf /dev/full apart/out.$full
  >   echo old >apart/out
  >   before=$(find apart -type f -exec stat -c '%n %i' {} + | sort)
  >   try octrace compress --codec vpc3 --apart -o apart/out t.oct
  >   [ "$(find apart -type f -exec stat -c '%n %i' {} + | sort)" = "$before" ] || ls apart
  >   cat apart/out apart/user* | xargs
  >   rm apart/*
  > done
  4> octrace: apart/out.1: cannot write: No space left on device
  old old 1 old 2 old 3 old 4
  4> octrace: apart/out.2: cannot write: No space left on device
  old old 1 old 2 old 3 old 4
  4> octrace: apart/out.3: cannot write: No space left on device
  old old 1 old 2 old 3 old 4
  4> octrace: apart/out.4: cannot write: No space left on device
  old old 1 old 2 old 3 old 4
  $ ln -s /dev/null null
  $ mkdir b.3
  $ octrace compress --codec vpc3 --apart -o @ t.oct
  | full => 2> octrace: compress: --apart needs a regular file, and full is none (see octrace compress --help)
  | null => 2> octrace: compress: --apart needs a regular file, and null is none (see octrace compress --help)
  | b => 4> octrace: b.3: Is a directory
  | - => 2> octrace: compress: --apart needs a file name (see octrace compress --help)
  $ ls full* null* b*
  blocks
  full
  null
  b.3:

An empty name is one of nothing, and refused before any work.

  $ octrace @
  | compress -o '' t.oct => 4> octrace: '': No such file or directory
  | decompress -o '' t.octp => 4> octrace: '': No such file or directory
  | decompress -o whole --gaps '' t.octp => 4> octrace: '': No such file or directory
  | convert t.oct '' => 4> octrace: '': No such file or directory
  | sweep -o '' t.oct => 4> octrace: '': No such file or directory
  | report --html '' t.oct => 4> octrace: '': No such file or directory
  | bench --csv '' t.oct => 4> octrace: '': No such file or directory
  | events compress e.txt -o '' => 4> octrace: '': No such file or directory
  | events patterns --html '' e.octev => 4> octrace: '': No such file or directory
  | info '' => 4> octrace: '': cannot open: No such file or directory

ATC and OTF2 are folders: what is there and is none, or is not one of theirs, stays. A journal is read again, so that it
must be a file.

  $ printf 'text\n' >file
  $ mkfifo pipe
  $ mkdir folder
  $ ln -s nothing link
  $ before=$(kind $device file link pipe folder)
  $ for out in file link; do try bin2atc $out <blocks; try octrace events decompress e.octev --to otf2 -o $out; done
  4> bin2atc: file: exists and is not a directory
  4> octrace: file: exists: expected the name of a new directory
  4> bin2atc: link: exists and is not a directory
  4> octrace: link: a link that leads nowhere
  $ try bin2atc $device <blocks >out 2>&1; octrace events decompress e.octev --to otf2 -o $device 2>err; echo $?
  4
  $ for out in $device pipe folder link; do try timeout 20 octrace sweep --journal $out -o rows.csv t.oct; done 2>&1 | sed "s|$device|DEVICE|g"
  4> octrace: DEVICE: not a journal: expected a file of hexadecimal lines
  4> octrace: pipe: not a journal: expected a file of hexadecimal lines
  4> octrace: folder: Is a directory
  4> octrace: link: a link that leads nowhere
  $ [ "$(kind $device file link pipe folder)" = "$before" ] && ls nothing
  2> ls: cannot access 'nothing': No such file or directory
