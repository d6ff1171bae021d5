#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# programs.sh - does the whole chain hold for every instruction set and format, with the program's ELF
# file or without, and for programs that change under the same addresses?
. "$(dirname "$0")/lib.sh"
foreign=$SAMPLES/foreign

# whole TRACE [OPTION...]: there and back through both engines, nothing lost.
whole() {
  trace=$1
  shift
  expect 0 "$OCTRACE" verify --engine both --arrival cpi=8 -g max "$@" "$trace"
}

for isa in arm thumb aarch64 riscv64 x86-64 mips; do
  whole "$DATA/mixed-$isa.oct"
  whole "$foreign/$isa.execlog.xz" --elf "$DATA/mixed-$isa.elf"
done
for trace in x86-64.lackey.xz mips.din.xz mips.xdin.xz mips.dinbin.xz x86-64.champsim.xz \
  riscv64.spike.xz aarch64.gem5.xz x86-64.drmemtrace.zip aarch64.cvp.gz x86-64.pinatrace.xz \
  x86-64.vpc3.xz; do
  whole "$foreign/$trace"
done
whole "$foreign/x86-64.cloudsuite.xz" --from cloudsuite
whole "$DATA/simplescalar.txt.xz" --limit 20000

# A native trace of version 1 gets its bytes from the program. Another build is recognised.
for isa in arm aarch64 riscv64 x86-64 mips; do
  expect 0 "$OCTRACE" info --elf "$DATA/mixed-$isa.elf" "$DATA/mixed-$isa.oct"
  contains out '^shadow_percent  *100.000'
done
rebuild "$DATA/mixed-riscv64.elf" rebuilt.elf
expect 0 "$OCTRACE" convert --elf "$DATA/mixed-riscv64.elf" "$DATA/mixed-riscv64.oct" bytes.oct
expect 0 "$OCTRACE" info bytes.oct
contains out '^code_percent  *100.000'
for trace in "$DATA/mixed-riscv64.oct" bytes.oct; do
  for command in info 'compress --output=new' 'compress --tracer shadow --output=new' 'compress --codec shadow --output=new' \
    'verify --tracer shadow' 'report --cycle-insns 0' 'bench --tracer shadow' 'sweep -a vc_ways=2,3 --tracer shadow --output=new' \
    'convert new' 'filter new'; do
    # Those that write a copy have its name behind the trace's.
    # shellcheck disable=SC2086 # a command and its options
    case $command in
    *' new') refuse 4 "$OCTRACE" ${command% new} --elf rebuilt.elf "$trace" new ;;
    *) refuse 4 "$OCTRACE" $command --elf rebuilt.elf "$trace" ;;
    esac
    contains err 'rebuilt.elf: another program than that of the trace'
    [ ! -e new ] || die "$command: new was left behind"
  done
done

# A file of the program that has nothing of the trace is told, with where it was loaded if bytes tell.
expect 0 "$OCTRACE" info --elf "$DATA/mixed-riscv64.elf" bytes.oct
[ ! -s err ] || die "the program is used, but: $(cat err)"
"$OCTRACE" convert --to text bytes.oct text.txt
for command in info 'verify --engine untimed' 'report --cycle-insns 0' 'compress --output=new' filter sweep \
  'bench --repeat 1' 'compress --codec=vpc3 --output=new'; do
  # shellcheck disable=SC2086 # a command and its options
  expect 0 "$OCTRACE" $command --elf "$DATA/mixed-riscv64.elf@0x10000000" bytes.oct
  contains err "^octrace: note: $DATA/mixed-riscv64.elf: it was loaded elsewhere: give --elf $DATA/mixed-riscv64.elf@0x0$"
done
rm new
moved=$DATA/mixed-riscv64.elf@0x10000000
for format in native text pc; do
  expect 0 "$OCTRACE" convert --elf "$moved" --to "$format" bytes.oct new
  contains err "^octrace: note: $DATA/mixed-riscv64.elf: it was loaded elsewhere: give --elf $DATA/mixed-riscv64.elf@0x0$"
  expect 0 "$OCTRACE" convert --elf "$DATA/mixed-riscv64.elf" --to "$format" bytes.oct new
  ! grep -q 'elsewhere' err || die "the program is used, but: $(cat err)"
done
expect 0 "$OCTRACE" convert --isa riscv64 --elf "$moved" text.txt new
one_line "octrace: note: $DATA/mixed-riscv64.elf: no instruction of the trace is in it: if .*@BIAS"
expect 0 "$OCTRACE" filter --elf "$moved" bytes.oct new
[ "$(grep -c 'it was loaded elsewhere' err)" -eq 1 ] || die "not told once: $(cat err)"
rm new
expect 0 "$OCTRACE" info --isa riscv64 --elf "$DATA/mixed-riscv64.elf@0x10000000" text.txt
one_line "octrace: note: $DATA/mixed-riscv64.elf: no instruction of the trace is in it: if .*@BIAS"
expect 0 "$OCTRACE" info --elf "$DATA/mixed-riscv64.elf" --elf "$DATA/mixed-riscv64.elf@0x10000000" bytes.oct
one_line "octrace: note: .*: it was loaded elsewhere: give --elf .*@0x0"

# An error is told alone.
{ cat text.txt; echo nonsense; } >bad.txt
for command in info verify 'verify --against plain' report bench 'sweep -a sc_ways=1' 'compress -o new' 'compress --codec plain -o new' filter; do
  # shellcheck disable=SC2086 # a command and its options
  refuse 4 "$OCTRACE" $command --isa riscv64 --elf "$moved" bad.txt
  contains err "expected a hexadecimal address, found 'nonsense'"
done
rm bad.txt

# The program's file gives what the trace leaves out: all sizes are right, all entries have a class.
text() {
  "$OCTRACE" convert --to text --limit 3000 "$@" - | grep -v '^#' | cut -d' ' -f1
}
text "$DATA/mixed-x86-64.oct" >want
text --elf "$DATA/mixed-x86-64.elf" "$foreign/x86-64.champsim.xz" | cmp want -
# Moved by a bias the addresses are not the program's.
text --elf "$DATA/mixed-x86-64.elf@0x1000000" "$foreign/x86-64.champsim.xz" >got
text "$foreign/x86-64.champsim.xz" | cmp got -
expect 0 "$OCTRACE" info --elf "$DATA/mixed-x86-64.elf" "$foreign/x86-64.champsim.xz"
contains out '^isa  *x86-64$'
contains out ' sort+0x50'
expect 0 "$OCTRACE" info --json --top 3 --elf "$DATA/mixed-x86-64.elf" "$foreign/x86-64.champsim.xz"
[ "$(grep -c '"symbol"' out)" -eq 3 ] || die "not 3 streams with symbols"
expect 0 "$OCTRACE" info --top 0 "$foreign/x86-64.champsim.xz"
contains out '^isa_guess  *sizes of many kinds (x86)$'

# Wrong programs, sets and sizes.
printf 'no program\n' >noise
head -c 100 "$DATA/mixed-arm.elf" >short.elf
trace=$foreign/x86-64.champsim.xz
refuse 4 "$OCTRACE" info --elf noise "$trace"
contains err 'noise: not an ELF file'
refuse 4 "$OCTRACE" info --elf short.elf "$trace"
# What is wrong with the program is said of the program, by each command.
mkdir folder
: >empty
for command in info 'compress -o new' verify bench sweep 'report --cycle-insns 0'; do
  for wrong in missing folder empty noise short.elf; do
    case $wrong in
    missing) what='cannot open: No such file or directory' ;;
    folder) what='a folder: expected an ELF file' ;;
    short.elf) what='a file for arm: expected one for x86-64, as the first is' ;;
    *) what='not an ELF file' ;;
    esac
    # shellcheck disable=SC2086 # a command and its options
    refuse 4 "$OCTRACE" $command --limit 100 --elf "$DATA/mixed-x86-64.elf" --elf $wrong "$trace"
    contains err "^octrace: $wrong: $what$"
    # shellcheck disable=SC2086 # a command and its options
    refuse 4 "$OCTRACE" $command --limit 100 --elf $wrong - <"$trace"
    contains err "^octrace: $wrong: "
  done
done
rm -r folder empty
refuse 4 "$OCTRACE" info --elf '' "$trace"
contains err "^octrace: .*: cannot open: No such file or directory$"
# A program without symbols is one.
if command -v objcopy >/dev/null; then
  objcopy --strip-all "$DATA/mixed-x86-64.elf" bare.elf
  for command in info 'report --cycle-insns 100 --no-tracers'; do
    # shellcheck disable=SC2086 # a command and its options
    expect 0 "$OCTRACE" $command --limit 1000 --elf bare.elf "$trace"
  done
fi
refuse 4 "$OCTRACE" convert --elf missing "$trace" new
refuse 2 "$OCTRACE" info --elf "$DATA/mixed-arm.elf@there" "$trace"
refuse 2 "$OCTRACE" info --isa z80 "$trace"
refuse 2 "$OCTRACE" info --insn-bytes 16 "$trace"
refuse 2 "$OCTRACE" info --top many "$trace"
for command in convert decompress filter; do
  refuse 2 "$OCTRACE" "$command" --to spike "$trace" new
  contains err "^octrace: $command: format 'spike' can only be read: expected one that octrace list formats lists as written (see"
  [ ! -e new ] || die "new was left behind"
done

# A program of another machine than the trace's is refused, whoever says which that is: the trace's
# header or format, or --isa. Thumb is a state of ARM.
other() {
  command=$1 elf=$2 of=$3 want=$4 name=$5
  shift 5
  # shellcheck disable=SC2086 # a command and its options
  refuse 4 "$OCTRACE" $command --elf "$DATA/mixed-$elf.elf" "$@" "$name"
  contains err "^octrace: .*mixed-$elf.elf: a program for $of: expected one for $want, as the trace is ($name)$"
}
for command in info 'compress -o new' 'verify --engine untimed'; do
  other "$command" x86-64 x86-64 armv5te "$SAMPLES/sha1.oct"
done
other info arm arm riscv64 "$foreign/riscv64.spike.xz"
other info arm arm x86-64 "$foreign/x86-64.drmemtrace.zip"
other info arm arm pisa "$DATA/simplescalar.txt.xz"
other info riscv64 riscv64 mips "$foreign/mips.din.xz" --isa mips
other info thumb arm aarch64 "$foreign/aarch64.execlog.xz" --isa aarch64
other info mips mips thumb "$DATA/mixed-thumb.oct"
# So is an instruction set that is not the trace's own.
for command in info 'compress -o new' 'verify --engine untimed' 'report --cycle-insns 0' 'bench'; do
  # shellcheck disable=SC2086 # a command and its options
  refuse 4 "$OCTRACE" $command --isa riscv32 "$SAMPLES/isa/riscv64.oct"
  contains err "riscv64.oct: a trace of riscv64, but --isa is riscv32: leave --isa out$"
done
refuse 4 "$OCTRACE" info --isa arm "$DATA/simplescalar.txt.xz"
contains err 'a trace of pisa, but --isa is arm: leave --isa out$'
expect 0 "$OCTRACE" info --limit 10 --isa thumb "$SAMPLES/sha1.oct"
expect 0 "$OCTRACE" info --limit 10 --isa rv64gc "$SAMPLES/isa/riscv64.oct"
refuse 4 "$OCTRACE" convert --elf "$DATA/mixed-mips.elf" "$SAMPLES/sha1.oct" new
[ ! -e new ] || die "new was left behind"
expect 0 "$OCTRACE" info --limit 10 --elf "$DATA/mixed-thumb.elf" "$DATA/mixed-thumb.oct"
# A program for ARM may be one of Thumb code; this one is another than the trace's.
refuse 4 "$OCTRACE" info --limit 10 --elf "$DATA/mixed-arm.elf" --isa thumb "$foreign/thumb.execlog.xz"
contains err 'mixed-arm.elf: another program than that of the trace'
printf '8000/4 T:65535\n' >task
expect 0 "$OCTRACE" convert --to cloudsuite task new
"$OCTRACE" convert --from cloudsuite --to text new - | grep -q 'T:65535$' || die "the task is lost"
rm new
printf '8000/4 T:65536\n' >task
refuse 4 "$OCTRACE" convert --to cloudsuite task new
contains err '^octrace: [^:]*: instruction 0x[0-9a-f]*: task 65536 does not fit into cloudsuite'
[ ! -e new ] || die "new was left behind"
expect 0 "$OCTRACE" info --insn-bytes 5 "$trace"
"$OCTRACE" convert --insn-bytes 5 --to text "$trace" - | grep -v '^#' | grep -vq '/5' &&
  die "--insn-bytes is not heeded"

# A trace cut off within a line or record.
for file in x86-64.lackey.xz riscv64.spike.xz x86-64.champsim.xz aarch64.cvp.gz; do
  (xz -dc "$foreign/$file" 2>/dev/null || gzip -dc "$foreign/$file") >plain
  head -c "$(($(wc -c <plain) / 2 + 7))" plain >half
  code=0
  "$OCTRACE" convert half new.oct 2>err || code=$?
  [ "$code" -eq 4 ] || [ "$code" -eq 0 ] || die "$file halved: code $code"
  [ "$code" -eq 0 ] || [ ! -e new.oct ] || die "$file halved: something was left behind"
  rm -f new.oct
done

# Self-modifying code, a library at the address of another, two tasks with two programs at one
# address: sizes, kinds and numbers of accesses change under one address, over and over.
awk 'BEGIN {
  for (i = 0; i < 4000; i++) {
    if (i % 7 < 3) {
      printf "8000/4 L4:%x\n8004/2\n8006/4 S8:%x\n", 4096 + 4 * i, 8192 + 8 * (i % 5)
    } else if (i % 7 < 5) {
      printf "8000/2\n8002/4 S1:%x S2:%x\n8006/2\n8008/4\n", 65536 + i, 4096 - 2 * i + 8000
    } else {
      printf "8000/4 S4:%x L4:%x T:9\n8004/4 T:9\n8008/8 L8:%x T:9\n", 16 * i, 24 * i, 4 * i
    }
  } }' >changing
whole changing
for sync in 256 4096; do
  whole changing -g "max,sync_period_insns=$sync"
done
# With the file of a program that was not there.
whole changing --elf "$DATA/mixed-arm.elf@0xffff8000"
# Opcodes change too: the log of another program at the same addresses follows, and the first again.
xz -dc "$foreign/thumb.execlog.xz" >log
xz -dc "$foreign/arm.execlog.xz" | sed 's/^0,/1,/' >other
awk 'NR == FNR { a[FNR] = $0; next }
     { if (FNR % 40 == 0 && FNR < 2000) for (i = FNR - 39; i <= FNR; i++) print a[i]; print }' \
  log other >both
whole both --from execlog --isa thumb
