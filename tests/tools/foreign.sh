#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# foreign.sh - is each sample of a foreign format recognised, and does it tell of the run that it was
# made of what its format carries? Is what octrace writes what the format's own layout says?
. "$(dirname "$0")/lib.sh"
foreign=$SAMPLES/foreign

# reference ISA: the captured run of which the samples are the first 3000 instructions.
reference() {
  "$OCTRACE" convert --to text --limit 3000 "$DATA/mixed-$1.oct" - | grep -v '^#'
}
# Leave out the sizes of instructions; of accesses; all but instructions with accesses.
no_insn_size() { sed 's|/[0-9]*||'; }
no_access_size() { sed 's/ \([LS]\)[0-9]*:/ \1:/g'; }
accessing() { grep ' '; }
# Addresses as plain numbers: a trace of a 32-bit program in a 64-bit format is the same trace.
short() { sed 's/\(^\|:\)0*\([0-9a-f]\)/\1\2/g'; }
# Loads before stores, as records with a place for each have them.
loads_first() {
  awk '{ s = ""; l = ""; for (i = 2; i <= NF; i++) if ($i ~ /^S/) s = s " " $i; else l = l " " $i
         print $1 l s }'
}
all_loads() { sed 's/ [LS]:/ L:/g'; }
# One instruction for each access.
apart() { awk '{ for (i = 2; i <= NF; i++) print $1, $i }'; }
first_access() { awk '{ print $1 (NF > 1 ? " " $2 : "") }'; }

# recognised FILE FORMAT ISA
recognised() {
  expect 0 "$OCTRACE" info "$foreign/$1"
  grep -q "^format  *$2\$" out || die "$1 is not taken for $2: $(grep ^format out)"
  grep -q "^isa  *$3\$" out || die "$1 is not taken for $3: $(grep ^isa out)"
}

# same NAME: want and got are equal.
same() {
  short <want >want.short
  short <got >got.short
  cmp want.short got.short || die "$1 does not tell the run"
}

recognised x86-64.lackey.xz lackey unknown
as_text "$foreign/x86-64.lackey.xz" | cut -d' ' -f1 >got
"$OCTRACE" convert --to text "$DATA/mixed-x86-64.oct" - | grep -v '^#' | cut -d' ' -f1 >want
same lackey
as_text "$foreign/x86-64.lackey.xz" | grep -o ' [LS][0-9]*' | sort | uniq -c >got
[ "$(grep -c . got)" -ge 6 ] || die "lackey lacks sizes"

for isa in x86-64 riscv64 aarch64 mips thumb arm; do
  recognised $isa.execlog.xz execlog $isa
  as_text "$foreign/$isa.execlog.xz" | no_access_size >got
  reference $isa | no_access_size >want
  same "$isa execlog"
done

recognised mips.din.xz din unknown
as_text "$foreign/mips.din.xz" >got
reference mips | no_access_size >want
same din
for format in xdin dinbin; do
  recognised mips.$format.xz "$(echo $format | sed s/nbin/n-binary/)" unknown
  as_text "$foreign/mips.$format.xz" >got
  reference mips >want
  same $format
done

recognised x86-64.champsim.xz champsim unknown
as_text "$foreign/x86-64.champsim.xz" >got
reference x86-64 | no_access_size | loads_first >want
no_insn_size <want >want.pc
no_insn_size <got | cmp - want.pc
# Sizes are told by successors; only jumps that never fell through have to be guessed.
[ "$(diff want got | grep -c '^<')" -lt 200 ] || die "too many sizes are wrong"
expect 0 "$OCTRACE" convert --from cloudsuite "$foreign/x86-64.cloudsuite.xz" got.oct
as_text got.oct | cmp - got

recognised riscv64.spike.xz spike riscv64
as_text "$foreign/riscv64.spike.xz" >out
[ "$(grep '^!' out)" = '!privilege P:3' ] || die "spike's log is of a program in machine mode, told once"
grep -v '^!' out >got
reference riscv64 | loads_first >want
same spike

recognised aarch64.gem5.xz gem5 unknown
as_text "$foreign/aarch64.gem5.xz" >got
reference aarch64 | no_access_size >want
same gem5

recognised x86-64.drmemtrace.zip drmemtrace x86-64
as_text "$foreign/x86-64.drmemtrace.zip" >got
reference x86-64 | awk '{ print $0, NR <= 1500 ? "T:7001" : "T:7002" }' >want
same drmemtrace

recognised aarch64.cvp.gz cvp aarch64
as_text "$foreign/aarch64.cvp.gz" >got
reference aarch64 | first_access >want
same cvp

recognised x86-64.pinatrace.xz pinatrace unknown
as_text "$foreign/x86-64.pinatrace.xz" | no_insn_size | apart >got
reference x86-64 | no_insn_size | no_access_size | accessing | apart >want
same pinatrace

recognised x86-64.vpc3.xz vpc3 unknown
as_text "$foreign/x86-64.vpc3.xz" | no_insn_size >got
reference x86-64 | no_insn_size | no_access_size | all_loads | accessing | apart >want
same vpc3

# What octrace writes is byte for byte what was built from the layouts.
writes() {
  expect 0 "$OCTRACE" convert --limit 3000 --to "$1" "$DATA/mixed-$2.oct" written
  xz -dc "$foreign/$3" | cmp - written || die "$1 is not written as $3"
}
writes din mips mips.din.xz
writes xdin mips mips.xdin.xz
writes din-binary mips mips.dinbin.xz
writes vpc3 x86-64 x86-64.vpc3.xz

# Registers and the kinds of branches are for champsim_random.py: the samples have none.
without_registers() {
  python3 -c '
import sys
n, data = int(sys.argv[1]), bytearray(sys.stdin.buffer.read())
for at in range(0, len(data), n):
    data[at + 8:at + (16 if n == 64 else 18)] = bytes(8 if n == 64 else 10)
sys.stdout.buffer.write(data)' "$1"
}
for layout in champsim:64 cloudsuite:96; do
  to=${layout%:*} n=${layout#*:}
  expect 0 "$OCTRACE" convert --limit 3000 --to "$to" "$DATA/mixed-x86-64.oct" written
  xz -dc "$foreign/x86-64.$to.xz" | without_registers "$n" >want
  without_registers "$n" <written | cmp want - || die "$to is not written as x86-64.$to.xz"
done

# A 64-bit trace whose long addresses come late can be read back, and with --isa one of another tool.
awk 'BEGIN {
  print "0000000000401000/4 L8:0000000000600000"
  for (i = 0; i < 20000; i++) printf "%x/4 L8:%x\n", 4198400 + i % 100 * 4, 6291456 + i
  print "401000/4 L8:7ffd00001000\n7f0000401000/4" }' >late.txt
for format in din xdin pc da; do
  expect 0 "$OCTRACE" convert --to $format late.txt late
  expect 0 "$OCTRACE" convert --from $format --to $format late again
  cmp late again || die "$format with late addresses"
done
printf '%s\n' '2 401000' >short
yes '2 401004' | head -n 10000 >>short
echo '2 7f0000401000' >>short
refuse 4 "$OCTRACE" convert short new
contains err 'short:10002: an address over 32 bits .* or give --isa$'
expect 0 "$OCTRACE" convert --isa x86-64 short new
rm new

# Lists of addresses, there and back.
reference mips | no_insn_size | cut -d' ' -f1 >want
for format in pc pc32 pc64; do
  expect 0 "$OCTRACE" convert --limit 3000 --to $format "$DATA/mixed-mips.oct" list
  "$OCTRACE" convert --from $format --to text list - | grep -v '^#' >got
  same $format
done
reference mips | no_access_size | all_loads | accessing | apart | sed 's/^[^ ]*/0/' >want
for format in da da32 da64; do
  expect 0 "$OCTRACE" convert --limit 3000 --to $format "$DATA/mixed-mips.oct" list
  "$OCTRACE" convert --from $format --to text list - | grep -v '^#' >got
  same $format
done

# Other versions of these tools. gem5's standard library has processors of another name.
cat >gem5.txt <<'END'
gem5 Simulator System.  https://www.gem5.org
  77000: board.processor.cores0.core: A0 T0 : 0x400520 @_start    : xor ebp, ebp
  77000: board.processor.cores0.core: A0 T0 : 0x400520 @_start. 0 : XOR_R_R : xor ebp, ebp, ebp : IntAlu :  D=0x0  flags=(IsInteger)
  78000: board.processor.cores1.core: A0 T0 : 0x400522 @_start+2. 0 : LD : ld r9, DS:[rsp] : MemRead :  D=0x0 A=0x7fffffffed80  flags=(IsLoad)
END
expect 0 "$OCTRACE" info gem5.txt
contains out '^format  *gem5$'
as_text gem5.txt | no_insn_size >got
printf '%s\n' 0000000000400520 '0000000000400522 L:00007fffffffed80 T:256' | cmp - got
# Old versions of Spike name no hart before a commit, alone and with -l.
xz -dc "$foreign/riscv64.spike.xz" >new.log
sed 's/^core   0: 3 /3 /' new.log >old.log
as_text new.log >want
for log in old.log listed.log; do
  [ $log = old.log ] || sed 's/^3 \(0x[0-9a-f]* (0x[0-9a-f]*)\).*/core   0: \1 nop\n&/' old.log >listed.log
  expect 0 "$OCTRACE" info $log
  contains out '^format  *spike$'
  as_text $log | cmp want - || die "$log"
done
# Text of no format is told where the formats stand; labels that are no accesses make no trace.
printf 'pc,addr,rw\n0x8000,0x1000,R\n' >table.csv
refuse 4 "$OCTRACE" info table.csv
contains err "^octrace: table.csv:1: expected a hexadecimal address, found 'pc,addr,rw' (octrace list formats lists those that can be read)$"
refuse 4 "$OCTRACE" info --from text table.csv
contains err "found 'pc,addr,rw'$"
printf '3 8000 x\n4 8004\n' >escapes
refuse 4 "$OCTRACE" info escapes
printf '3 8000\n2 8004\n' >escapes
expect 0 "$OCTRACE" info escapes
contains out '^format  *din$'
