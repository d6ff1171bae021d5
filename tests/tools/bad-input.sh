#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bad-input.sh - bad input: one line that says what is wrong, the right exit code, nothing left behind.
. "$(dirname "$0")/lib.sh"

tiny_trace 1000 >t.txt
"$OCTRACE" compress -o t.octp t.txt 2>err
"$OCTRACE" convert t.txt t.oct
head -c 3000 /dev/zero | tr '\0' '\377' >garbage
head -c "$(($(wc -c <t.octp) - 20))" t.octp >short.octp
head -c "$(($(wc -c <t.oct) / 2))" t.oct >short.oct
: >empty
printf '\377\001\376\002\375\003\374\004\001\370\007\007\370\370\001\001' >noise
files="empty garbage noise short.oct short.octp t.oct t.octp t.txt"

for command in "compress -o new" "info" "verify --engine untimed"; do
  # shellcheck disable=SC2086 # a command and its options
  for bad in missing garbage short.oct .; do
    refuse 4 "$OCTRACE" $command $bad
  done
done
contains err '\.'
for bad in missing garbage short.oct .; do
  refuse 4 "$OCTRACE" convert $bad new
  contains err "$bad"
done
# Of a very long name both ends are told, once as an error of the library, and the reason stands behind it.
long=$(printf './%.0s' $(seq 200))
printf "8000\nzz\n" >bad.txt
files="bad.txt $files"
refuse 4 "$OCTRACE" info "${long}bad.txt"
contains err "bad.txt:2: expected a hexadecimal address, found 'zz'$"
[ "$(wc -c <err)" -lt 300 ] || die "a name came twice: $(cat err)"
refuse 4 "$OCTRACE" decompress "${long}missing.octp"
contains err 'missing.octp: .*No such file or directory$'
# A value that is none of a list is answered with the list, or with how to get it.
refuse 2 "$OCTRACE" convert --isa pisa t.oct new
contains err "'pisa': expected arm, thumb, .*, mips or mipsel (see"
refuse 2 "$OCTRACE" filter --format nonesuch t.oct new
contains err "'nonesuch': expected one that octrace info --formats lists (see"
# A named pipe keeps its name, and what is no file says so.
mkfifo pipe
for command in info decompress packets verify "bench --repeat 1"; do
  echo x >pipe &
  # shellcheck disable=SC2086 # a command and its options
  refuse 4 timeout 20 "$OCTRACE" $command pipe
  wait
  contains err '^octrace: pipe:'
  ! grep -q 'standard input' err || die "$command: two names for a pipe"
done
rm pipe
for command in decompress packets; do
  refuse 4 "$OCTRACE" $command missing
  contains err '^octrace: missing: cannot open: No such file or directory$'
  refuse 4 "$OCTRACE" $command .
  contains err '^octrace: .: a folder: expected a compressed file$'
  refuse 4 "$OCTRACE" $command empty
  contains err 'empty, expected a compressed file$'
done
# A version to come is told from damage.
{ printf OCTRACE3 && tail -c +9 t.oct; } >newer.oct
refuse 4 "$OCTRACE" info newer.oct
contains err '^octrace: newer.oct: offset 7: a native trace of a version above 2$'
rm newer.oct

# What is compressed is no trace yet.
"$OCTRACE" compress --codec plain -o t.octc t.txt 2>err
for bad in t.octp t.octc; do
  for command in "compress -o new" "verify" "verify --against plain" "bench" "sweep"; do
    # shellcheck disable=SC2086 # a command and its options
    refuse 4 "$OCTRACE" $command $bad
    contains err "^octrace: $bad: offset 0: a compressed trace, which octrace decompress brings back;"
  done
done
# The mark counts, whatever the header quotes; function traces have a reader of their own.
xz -dc "$DATA/simplescalar.txt.xz" >sim.txt
"$OCTRACE" compress -o sim.octp sim.txt 2>err
refuse 4 "$OCTRACE" compress -o new sim.octp
contains err '^octrace: sim.octp: offset 0: a compressed trace'
printf '1 a enter f\n2 a leave f\n' >e.txt
"$OCTRACE" events compress e.txt -o e.octev >out
for command in info "compress -o new" verify; do
  # shellcheck disable=SC2086 # a command and its options
  refuse 4 "$OCTRACE" $command e.octev
  contains err '^octrace: e.octev: offset 0: a trace of function calls, which octrace events reads'
done
rm t.octc sim.txt sim.octp e.txt e.octev

# A program is no trace: its first bytes would pass for addresses.
{ printf '\177ELF\002\001\001\000' && head -c 4088 /dev/zero; } >program
for command in info "compress -o new" bench; do
  # shellcheck disable=SC2086 # a command and its options
  refuse 4 "$OCTRACE" $command program
  contains err '^octrace: program: offset 0: a program (ELF), which octrace-capture runs and records; expected a trace'
done
rm program

# Zeros, as of a hole in a file, are no trace; unless the format is named.
head -c 100000 /dev/zero >zeros
refuse 4 "$OCTRACE" info zeros
contains err '^octrace: zeros: offset 0: expected a trace .*, found bytes 00 00'
expect 0 "$OCTRACE" info --format bin64 zeros
rm zeros
# Nearly all zeros, numbers that count, small numbers and an archive are no program's addresses.
(printf '\1' && head -c 99999 /dev/zero) >zeros
python3 -c '
import random, struct, tarfile
random.seed(1)
def write(name, kind, numbers):
    numbers = list(numbers)
    open(name, "wb").write(struct.pack("<%d%s" % (len(numbers), kind), *numbers))
write("count64", "Q", range(1, 3001))
write("count64-high", "Q", range(65536, 69000))
write("count32", "I", range(1, 3001))
write("count32-high", "I", range(1 << 20, (1 << 20) + 3000))
write("small32", "i", [random.randrange(-100, 100) for _ in range(3000)])
write("small64", "q", [random.randrange(100) for _ in range(3000)])
write("equal32", "I", [0x8000] * 3000)
open("hello", "w").write("hello\n")
with tarfile.open("archive", "w") as tar:
    tar.add("hello")
    tar.add("zeros")
'
for name in zeros count64 count64-high count32 count32-high small32 small64 equal32 archive; do
  refuse 4 "$OCTRACE" info "$name"
  contains err "^octrace: $name: offset 0: expected a trace .*bin64, bin32.*, found bytes"
  expect 0 "$OCTRACE" info --format bin32 "$name"
done
# Those of a program are.
for sample in "$SAMPLES"/*.oct*; do
  for bits in 32 64; do
    "$OCTRACE" convert --limit 20000 --to bin$bits "$sample" program 2>err || continue # 64 bits in 32
    expect 0 "$OCTRACE" info program
    contains out "bin$bits"
  done
done
rm zeros count* small* equal32 archive hello program
# One field of each kind of a trap.
for fields in 'A:1 A:2' 'A:1 P:1 P:3' 'V:1 A:2 v:9'; do
  echo "!exception 1 $fields" >doubled
  refuse 4 "$OCTRACE" info doubled
  contains err '^octrace: doubled:1: expected each of A:, V: and P: of a trap once, found '
done
rm doubled
# One stamp a line, and one task.
printf '8000 @5 @6\n' >stamps
refuse 4 "$OCTRACE" info stamps
contains err "^octrace: stamps:1: expected one cycle stamp on a line, found '@6'"
echo '8000 T:1 T:2' >tasks
refuse 4 "$OCTRACE" info tasks
contains err "^octrace: tasks:1: expected one task on a line, found 'T:2'"
rm stamps tasks
# Nothing is left of the trace.
for command in "convert --skip 4000 t.txt new" "compress --skip 5000 -o new t.txt" "info --skip 4000 t.txt"; do
  # shellcheck disable=SC2086 # a command and its options
  refuse 4 "$OCTRACE" $command
  contains err '^octrace: t.txt: --skip [45]000 leaves nothing: the trace has no more instructions$'
done
expect 0 "$OCTRACE" convert --skip 3999 t.txt kept
rm kept
# A file that may not grow so large: as a full disk, and no signal.
python3 -c 'import random, sys; sys.stdout.buffer.write(random.Random(1).randbytes(200000))' >random
(ulimit -f 100 && refuse 4 "$OCTRACE" compress --codec plain --input records -o new random &&
  contains err 'new: cannot write: File too large') || die "a limit of the file's size"
rm random

for bad in missing garbage empty short.octp t.oct .; do
  refuse 4 "$OCTRACE" decompress -o new $bad
  contains err "$bad"
  [ $bad != short.octp ] || rm new # what stands before the damage
  refuse 4 "$OCTRACE" verify --container $bad t.txt
  contains err "^octrace: $bad: "
  refuse 4 "$OCTRACE" verify --container - t.txt <short.octp
  contains err '^octrace: standard input: '
done
refuse 4 "$OCTRACE" info short.octp
for bytes in 4 5 8 11 12; do # within its mark, too
  head -c "$bytes" t.oct >shorn
  refuse 4 "$OCTRACE" info shorn
  contains err "^octrace: shorn: offset $bytes: the trace ends within its header$"
done
rm shorn
refuse 4 "$OCTRACE" info noise
contains err '^octrace: noise: offset 0: expected a trace .*, found bytes ff 01 fe 02 fd 03 fc 04$'

# The output's folder is missing.
refuse 4 "$OCTRACE" compress -o no/such/folder/out t.txt
contains err 'no/such/folder'
refuse 4 "$OCTRACE" decompress -o no/such/folder/out t.octp
refuse 4 "$OCTRACE" convert t.txt no/such/folder/out

# Wrong parameters.
hint='(see octrace info --geometries and --params)'
refuse 2 "$OCTRACE" compress -g nonsense t.txt
contains err "^octrace: compress: 'nonsense': expected a geometry or name=value $hint$"
refuse 2 "$OCTRACE" compress -g paper,foo=1 t.txt
contains err "^octrace: compress: 'foo': no such parameter $hint$"
refuse 2 "$OCTRACE" compress -g paper,port_pins=33 t.txt
contains err "^octrace: compress: port_pins=33: expected 1 to 32 $hint$"
refuse 2 "$OCTRACE" compress -g sc_sets=3 t.txt
refuse 2 "$OCTRACE" compress -g no_such=3 t.txt
refuse 2 "$OCTRACE" compress --engine steam t.txt
refuse 2 "$OCTRACE" compress --engine both t.txt
refuse 2 "$OCTRACE" compress --arrival cpi=0.5 t.txt
refuse 2 "$OCTRACE" compress --limit many t.txt
refuse 2 "$OCTRACE" compress --stall 1000 t.txt
refuse 2 "$OCTRACE" compress --format punched-cards t.txt
refuse 2 "$OCTRACE" compress t.txt t.txt

# What only the cycle engine does.
for option in '--arrival cpi=2' '--stall 10' --depths; do
  for command in 'compress -o new' 'compress -o new --engine untimed' 'verify --engine untimed'; do
    # shellcheck disable=SC2086 # a command and its options
    refuse 2 "$OCTRACE" $command $option t.txt
    contains err ": ${option%% *} is for --engine cycle (see octrace"
  done
done

# Messages name the file, also where its name is part of another word, and when the compressor, not
# the reader, refuses an instruction.
cp t.octp x
refuse 4 "$OCTRACE" decompress --from-sync 1 -o new x
contains err '^octrace: x: sync 1: expected 0 to 0$'
echo '8000 T:99999' >x
refuse 4 "$OCTRACE" compress -o new x
contains err '^octrace: x: instruction 0 of task 99999: wider than task_bits=16: give -g task_bits=17$'
refuse 4 "$OCTRACE" compress -o new - <x
contains err '^octrace: standard input: instruction 0 of task 99999'
rm x

refuse 2 "$OCTRACE" convert --level 23 t.txt new
refuse 2 "$OCTRACE" decompress --from-sync -1 t.octp

# A full disk.
if [ -w /dev/full ]; then
  full="/dev/full: cannot write: No space left on device"
  refuse 4 "$OCTRACE" convert t.txt /dev/full
  contains err "^octrace: $full$"
  refuse 4 "$OCTRACE" convert --to da32 t.txt /dev/full
  contains err "^octrace: $full$"
  refuse 4 "$OCTRACE" compress -o /dev/full t.txt
  contains err "^octrace: $full$"
  for format in native text bin32; do
    refuse 4 "$OCTRACE" decompress --to "$format" -o /dev/full t.octp
    contains err "^octrace: $full$"
  done
  refuse 4 sh -c '"$1" decompress t.octp >/dev/full' sh "$OCTRACE"
  contains err "^octrace: standard output: cannot write: No space left on device$"
  refuse 4 sh -c '"$1" info t.txt >/dev/full' sh "$OCTRACE"
fi
# shellcheck disable=SC2086 # a list
only $files
