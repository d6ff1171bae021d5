#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture.sh - what scripts/capture makes of an emulator or a converter that fails, without QEMU: a
# script stands for the emulator, which opens the plugin's output and ends as it is told.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
tiny_trace 1000 >t.txt
"$OCTRACE" convert t.txt t.oct
as_text t.txt >want
printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\50\0not run' >prog # of ARM, says its header
chmod +x prog
mkdir bin tmp
export TMPDIR="$work/tmp"
cat >bin/qemu-arm <<END
#!/bin/sh
while [ "\$1" != -plugin ]; do shift; done
args=\$(printf %s "\$2" | sed 's/,,/\x01/g') # a comma within a value is doubled
[ "\${args%%,*}" = "\$(echo $BUILD/tools/qemu/*oct_capture.so)" ] || exit 90
feed=\${args#*,out=}
limit=\${feed#*,}
feed=\$(printf %s "\${feed%%,*}" | tr '\001' ,)
cd $work
. ./emulator
END
chmod +x bin/qemu-arm

# capture CODE OPTION...: run it with what stands in ./emulator; stderr is kept in err.
capture() {
  wanted_code=$1
  shift
  expect "$wanted_code" env PATH="$work/bin:$PATH" "$SOURCE/scripts/capture" "$@" -- ./prog a b
  [ "$wanted_code" -eq 0 ] || { [ "$(wc -l <err)" -eq 1 ] && grep -q '^capture: ' err; } ||
    die "not one line by capture: $(cat err)"
  left=$(ls tmp)
  [ -z "$left" ] || die "left in the folder of temporary files: $left"
  ls ./*.part* >found 2>&1 && die "left behind: $(cat found)"
  rm found
}

echo 'cat t.oct >"$feed"; echo "limit $limit" >&2' >emulator
capture 0 --limit 7 --skip 3 -o a.oct
contains err '^limit limit=7,skip=3,stderr=9$'
capture 0 --limit 2M --skip 10K --output a.oct
contains err '^limit limit=2000000,skip=10000,stderr=9$'
as_text a.oct | cmp want -
capture 0
as_text prog.oct | cmp want -
rm prog.oct

# Names that a shell, an option or a list would take apart.
for name in '-a b' "it's, %s \$(x)" 'a,b'; do
  cp prog "./$name"
  mkdir "tmp,$name"
  expect 0 env PATH="$work/bin:$PATH" TMPDIR="$work/tmp,$name" "$SOURCE/scripts/capture" -- "./$name" a
  as_text "./$name.oct" | cmp want -
  expect 0 env PATH="$work/bin:$PATH" "$SOURCE/scripts/capture" -o "$name" -- ./prog a
  as_text "./$name" | cmp want -
  rm -r "./$name" "./$name.oct" "./tmp,$name"
done
mkdir ./-d
cp prog ./-d/prog
expect 0 env PATH="$work/bin:$PATH" "$SOURCE/scripts/capture" -o d.oct -- -d/prog a
rm -r ./-d d.oct

# The program's own status is only told; the emulator's are not.
echo 'cat t.oct >"$feed"; exit 3' >emulator
capture 0 -o b.oct
contains err 'note: ./prog exited with 3'
echo 'cat t.oct >"$feed"; exit 255' >emulator
capture 0 -o b.oct
contains err 'note: ./prog exited with 255'
# So is a status that a shell also gives a signal: of one, the plugin tells, or the trace is cut.
echo 'cat t.oct >"$feed"; exit 200' >emulator
capture 0 -o b.oct
contains err 'note: ./prog exited with 200'
rm a.oct b.oct
echo 'head -c 100 t.oct >"$feed"; echo the program >&9; kill -SEGV $$' >emulator
expect 1 env PATH="$work/bin:$PATH" "$SOURCE/scripts/capture" -o a.oct -- ./prog
[ ! -e a.oct ] || die "a trace of nothing"
[ "$(head -n 1 err)" = "the program" ] || die "what the program says is lost: $(cat err)"
echo 'head -c 100 t.oct >"$feed"; kill -SEGV $$' >emulator
capture 1 -o a.oct
contains err './prog: ended by signal 11 before 65536 instructions: nothing recorded$'
echo 'kill -ILL $$' >emulator
capture 1 -o a.oct
contains err 'ended by signal 4 before .*: nothing recorded: the processor lacks an instruction: ARMv7 or Thumb code needs --thumb$'
capture 1 --cpu arm926 -o a.oct
contains err 'ended by signal 4 before .*: nothing recorded: the processor lacks an instruction: --cpu names another$'
# What the plugin ended in time is whole, and of a cut trace the whole blocks are kept.
echo 'cat t.oct >"$feed"; echo "oct_capture: ended by signal 4" >&2; kill -ILL $$' >emulator
capture 3 -o a.oct
contains err './prog: ended by signal 4 (ILL): what came before is recorded: the processor lacks an instruction'
as_text a.oct | cmp want -
tiny_trace 40000 >long.txt # 160,000 instructions
"$OCTRACE" convert long.txt long.oct
as_text long.oct >long.txt
echo 'head -c $(($(wc -c <long.oct) - 40)) long.oct >"$feed"; kill -KILL $$' >emulator
capture 3 -o a.oct
contains err './prog: ended by signal 9 (KILL): what came before is recorded (but for the last instructions, up to 65536)$'
as_text a.oct >kept
[ "$(wc -l <kept)" -ge $((2 * 65536)) ] || die "whole blocks are lost"
head -n "$(wc -l <kept)" long.txt | cmp - kept
rm a.oct long.txt long.oct kept
echo 'echo oops >&2; exit 255' >emulator
capture 1 -o a.oct
contains err './prog: no complete trace recorded: oops$'
echo 'head -c 300 t.oct >"$feed"; echo "oct_capture: bad code" >&2; exit 255' >emulator
capture 1 -o a.oct
contains err './prog: no complete trace recorded: oct_capture: bad code$'
echo 'yes >"$feed"; echo "oct_capture: cannot write the trace" >&2; exit 255' >emulator
capture 1 -o a.oct
contains err './prog: no complete trace recorded: octrace: standard input:'
echo 'exit 0' >emulator # never opens the pipe
capture 1 -o a.oct
contains err 'no complete trace recorded'
echo 'head -c 300 t.oct >"$feed"' >emulator
capture 1 -o a.oct
contains err 'no complete trace recorded'

# The converter ends at once, and while the emulator goes on for ever.
echo 'yes >"$feed"' >emulator
capture 1 -o a.oct
contains err 'no complete trace recorded: octrace: standard input:'
echo 'cat t.oct - </dev/zero >"$feed"' >emulator
capture 1 -o a.oct
contains err 'no complete trace recorded: octrace: standard input: offset '

# Each emulator takes its machine's programs only, and --thumb is for ARM's.
echo 'cat t.oct >"$feed"; echo "options $feed,$limit" >&2' >emulator
capture 0 --thumb -o a.oct
contains err ',stderr=9,isa=thumb$'
rm a.oct
mv bin/qemu-arm bin/qemu-riscv64
cp prog arm-prog
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\363\0not run' >prog
capture 0 -o a.oct
as_text a.oct | cmp want -
rm a.oct
capture 2 --thumb -o a.oct
contains err 'prog: --thumb is for ARM programs'
printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\2\0not run' >prog
capture 1 -o a.oct
contains err 'prog: expected a program for ARM, AArch64, RISC-V, x86 or MIPS'
printf '#!/bin/sh\necho hi\n' >prog
capture 1 -o a.oct
contains err 'prog: a script: expected the program that runs it, and the script as its argument$'
# A name without a path is of the root; the machine's own program is told, but not taken.
expect 1 "$SOURCE/scripts/capture" --root bin -o a.oct -- ls
contains err "^capture: ls: not in bin/usr/bin or bin/bin (see scripts/capture-suite); this machine's is /.*/ls: name it so$"
expect 1 "$SOURCE/scripts/capture" --root bin -o a.oct -- no-such-program
contains err '(see scripts/capture-suite)$'
mv arm-prog prog
mv bin/qemu-riscv64 bin/qemu-arm
# One that the root has is taken from there, whether this machine has one of its name or not.
mkdir -p root/usr/bin root/bin
echo 'cat t.oct >"$feed"' >emulator
for place in usr/bin/only-here usr/bin/ls bin/only-there; do
  cp prog root/$place
  chmod +x root/$place
  expect 0 env PATH="$work/bin:$PATH" "$SOURCE/scripts/capture" --root root -- "${place##*/}" a
  as_text "${place##*/}.oct" | cmp want -
  rm "${place##*/}.oct"
done
rm -r root

# What is there and no file stays what it is.
mkfifo pipe
for out in pipe bin; do
  capture 1 -o $out
  contains err "capture: $out: expected a file"
done
[ -p pipe ] || die "the pipe was replaced"
rm pipe
echo 'cat t.oct >"$feed"' >emulator
capture 2 -o -
contains err "capture: -o -: expected a file: standard output is the program's"
chmod -x prog
capture 1 -o a.oct
contains err 'capture: ./prog: not executable (chmod +x)'
chmod +x prog
ln -s nothing link
capture 1 -o link
contains err 'capture: link: a link that leads nowhere'
echo old >target
ln -sf target link
capture 0 -o link
[ -L link ] || die "the link was replaced"
as_text target | cmp want - || die "the link's file was not replaced"
rm link target

# The program itself is no place for its trace, by whatever name.
ln -s prog link
ln prog hard
cp prog prog.want
for out in prog ./prog link hard "$work/prog"; do
  capture 2 -o "$out"
  contains err 'capture: .*: program and output are the same file'
done
cmp prog prog.want
rm link hard prog.want

# Nor is a file that the program is given, as an argument or as standard input.
echo data >data
ln data hard
for out in data ./data hard; do
  capture 2 -o "$out" -- ./prog first data
  contains err 'capture: .*: input and output are the same file'
  expect 2 "$SOURCE/scripts/capture" -o "$out" ./prog <data
  contains err 'capture: .*: input and output are the same file'
done
[ "$(cat data)" = data ] || die "an input is gone"
rm data hard

# A program that ends before --skip leaves no trace, and what was there stays.
: | "$OCTRACE" convert --from text - none.oct
echo 'cat none.oct >"$feed"' >emulator
echo old >a.oct
capture 1 --skip 999999 -o a.oct
contains err 'capture: ./prog: --skip 999999 leaves nothing'
[ "$(cat a.oct)" = old ] || die "the output was replaced"
rm a.oct none.oct
echo 'cat t.oct >"$feed"' >emulator

capture 2 -o ''
contains err 'capture: -o: expected a name'

# Without a standard stream all is recorded, and no file takes its place.
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
  eval "PATH=\$work/bin:\$PATH \"\$SOURCE/scripts/capture\" -o a.oct -- ./prog $closed" || die "exit code $?: $closed"
  as_text a.oct | cmp want -
  rm a.oct
done

for option in --limit --skip; do
  for number in K 1k 1KM x; do
    capture 2 $option $number -o a.oct
    contains err "$option '$number': expected a number (1000, 10K, 2M)$"
  done
  capture 2 $option 99999999999999999999999 -o a.oct
  contains err "$option '99999999999999999999999': expected a number up to 9223372036854775807$"
done
for level in 0 23 x; do
  capture 2 --level "$level" -o a.oct
  contains err "level '$level': expected a number from 1 to 22"
done
only bin bin/qemu-arm emulator prog t.oct t.txt tmp want
