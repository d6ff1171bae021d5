#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# soc_cores.sh - do the wrappers of Ibex, CVA6 and PicoRV32, with stand-ins of their port names and bus handshakes, bring
# every instruction, access, trap and bus answer where it belongs, and is a wrong description refused in one line that
# says where and what was expected?
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
seed=${OCT_TEST_SEED:-$(date +%s)}
echo "seed $seed"
roomy=paper,data_fifo_depth=64,stream_fifo_depth=64,out_fifo_bytes=4096
stand_in=$SOURCE/tests/lockstep/ibex
cores=$SOURCE/sim/soc/cores
cp -r "$cores/ibex" description
# The stand-in is one file, found by way of a list with a variable.
sed '/^\(include\|libraries\|files\) *=/d' "$cores/ibex/core.ini" >description/core.ini
printf 'list = files.f\nenvironment = STAND_IN=@\n' >>description/core.ini

soc() {
  "$SOURCE/scripts/soc" --streams --core "$stand_in" --description description -g "$roomy" "$@"
}
mkdir got
python3 "$SOURCE/sim/soc/rvfi_stream.py" 1 8000 "$seed" --traps --list list >stream
expect 0 soc --pins 32 -g "$roomy,traps=1" --list got stream
cmp list got/stream || die "Ibex: not what the stream has"
contains out '^32 pins:$'
contains out '^stream: 8000 instructions.* traps equal; model and Verilog equal; decoded: 8000 instructions equal, 0 instructions and 0 accesses lost$'

# CVA6: two channels, AXI; its packages are in the file of the stand-in.
cp -r "$cores/cva6" cva6
cp "$cores/ibex/start.S" cva6
sed '/^\(list\|environment\|include\|files\) *=/d; s/^start.*/start = start.S/' "$cores/cva6/core.ini" >cva6/core.ini
printf 'files = ariane.sv\ninclude = .\n' >>cva6/core.ini
python3 "$SOURCE/sim/soc/rvfi_stream.py" 2 8000 "$seed" --traps --lanes --list list >stream-2
expect 0 "$SOURCE/scripts/soc" --streams --core "$SOURCE/tests/lockstep/cva6" --description cva6 -g "$roomy,port_pins=32,traps=1" \
  --list got stream-2
cmp list got/stream-2 || die "CVA6: not what the stream has"
contains out '^stream-2: 8000 instructions.* traps equal; model and Verilog equal; decoded: 8000 instructions equal, 0 instructions and 0 accesses lost$'
# With words of instructions, for a tracer that needs them.
python3 "$SOURCE/sim/soc/rvfi_stream.py" 2 2000 "$seed" --lanes >stream-2
expect 0 "$SOURCE/scripts/soc" --streams --core "$SOURCE/tests/lockstep/cva6" --description cva6 --tracer shadow \
  -g shadow,port_pins=32,gather_insns=1024,gather_accesses=1024,queue_words=4096,out_fifo_bytes=4096 stream-2
contains out '^stream-2: 2000 instructions.*model and Verilog equal; decoded: 2000 instructions equal, 0 instructions and 0 accesses lost$'

# An atomic operation, which the memory port has not, ends the run.
cp -r cva6 cva6-atomic
echo 'defines = OCT_ATOMIC' >>cva6-atomic/core.ini
expect 4 "$SOURCE/scripts/soc" --streams --core "$SOURCE/tests/lockstep/cva6" --description cva6-atomic -g "$roomy,port_pins=32" stream-2
one_line 'soc: stream-2: the core has trapped'

# PicoRV32 tells the word of a load: which bytes were meant follows from the instruction. Of an interrupt it tells all that are pending. What
# its handlers see comes over the bus.
python3 "$SOURCE/sim/soc/rvfi_stream.py" 1 8000 "$seed" --lanes --interrupts --list list >stream-3
# Of a half that begins at the last byte of a word it tells the first of two words.
sed '$d' stream-3 >lines
tail -n 1 stream-3 >last
for at in 1003 2ffb; do
  echo "00000000000000000000 31 00001083 00000100 0000$at 0000 0003" | tr -d ' ' >>lines
  printf 'i 100 4\nl %s\n' "$at" >>list
done
cat lines last >stream-3
expect 0 "$SOURCE/scripts/soc" --streams --core "$SOURCE/tests/lockstep/picorv32" --description "$cores/picorv32" -g "$roomy,port_pins=32,traps=1" \
  --sink axis --flush 500 --list got stream-3
cmp list got/stream-3 || die "PicoRV32: not what the stream has"
contains out '^stream-3: 8002 instructions.* [1-9][0-9]* traps equal; [1-9][0-9]* handlers saw them; model and Verilog equal; decoded: 8002 instructions equal, 0 instructions and 0 accesses lost$'

# A wrapper that tells wrong causes, addresses or values of traps differs from what the handlers see, and so does one that leaves a trap out.
while read -r says from to; do
  cp -r "$cores/picorv32" wrong
  sed "s|$from|$to|" "$cores/picorv32/oct_soc_core.v" >wrong/oct_soc_core.v
  ! cmp -s "$cores/picorv32/oct_soc_core.v" wrong/oct_soc_core.v || die "$from is not in the wrapper"
  expect 1 "$SOURCE/scripts/soc" --streams --core "$SOURCE/tests/lockstep/picorv32" --description wrong -g "$roomy,port_pins=32,traps=1" stream-3
  one_line "soc: stream-3: .*$says.*the core's wrapper reported .*"
  rm -r wrong
done <<'end'
address epc_q.<=.rvfi_pc_wdata_o epc_q <= rvfi_pc_rdata_o
cause for.(i.=.31;.i.>=.0;.i.=.i.-.1) for (i = 0; i < 32; i = i + 1)
value calls.?.32'd0 calls ? 32'hdeadbeef
handlers.wrote rvfi_intr(rvfi_intr_o) rvfi_intr()
end

# An exception that halts it has the cause and the trap value that follow from its instruction and rs1: what a handler would see, which
# the stand-in writes before. halting NAME CAUSE TVAL WORD RS1: a stream.
halting() {
  {
    printf '%020d31%08x%08x%016d\n' 0 0x13 0x100 0
    for _ in 1 2 3; do printf '%054d\n' 0; done
    printf '%04x%08x%08x75%08x%08x%08x%08x\n' "$2" 0 "$3" "$4" 0x104 "$5" 0
    printf '%020d02%032d\n' 0 0
  } >"$1"
}
halting ebreak 3 0 0x00100073 0x55
halting c.ebreak 3 0 0x9002 0x55
halting ecall 11 0 0x00000073 0x55
halting illegal 2 0xffffffff 0xffffffff 0x55
halting c.illegal 2 0 0x0000 0x55
halting wide 2 0x00053503 0x00053503 0x55   # ld a0, 0(a0)
halting wfi 2 0x10500073 0x10500073 0x55
halting lw 4 0x1001 0xffc52503 0x1005       # lw a0, -4(a0)
halting lhu 4 0x1003 0x00255503 0x1001      # lhu a0, 2(a0)
halting c.lw 4 0x100d 0x45cc 0x1001         # c.lw a1, 12(a1)
halting c.lwsp 4 0x10b6 0x555a 0x1002       # c.lwsp a0, 180(sp)
halting sw 6 0x0ffd 0xfea52e23 0x1001       # sw a0, -4(a0)
halting sh 6 0x1003 0x00a51123 0x1001       # sh a0, 2(a0)
halting c.sw 6 0x1051 0xc9ac 0x1001         # c.sw a1, 80(a1)
halting c.swsp 6 0x109a 0xcd2a 0x1002       # c.swsp a0, 152(sp)
streams='ebreak c.ebreak ecall illegal c.illegal wide wfi lw lhu c.lw c.lwsp sw sh c.sw c.swsp'
for tracer in paper shadow; do
  # shellcheck disable=SC2086 # names
  expect 0 "$SOURCE/scripts/soc" --streams --core "$SOURCE/tests/lockstep/picorv32" --description "$cores/picorv32" --tracer $tracer \
    -g $tracer,port_pins=32,traps=1 --list got $streams
  [ "$(grep -c ' 1 trap equal; 1 handler saw them; model and Verilog equal; decoded: 1 instruction equal, 0 ' out)" -eq 15 ] || die "$(cat out)"
  [ "$(cat got/lhu)" = "i 100 4
t 0 3 4 104 1003" ] || die "$tracer: $(cat got/lhu)"
done

# A description with another width or number of channels than the wrapper has.
for wrong in 'xlen = 64' 'channels = 2'; do
  case $wrong in x*) set -- 1 64 ;; *) set -- 2 32 ;; esac
  python3 "$SOURCE/sim/soc/rvfi_stream.py" "$1" 100 "$seed" --xlen "$2" >stream-w
  cp -r "$cores/picorv32" wrong
  sed "s/^${wrong%% *} *=.*/$wrong/" "$cores/picorv32/core.ini" >wrong/core.ini
  expect 4 "$SOURCE/scripts/soc" --streams --core "$SOURCE/tests/lockstep/picorv32" --description wrong -g "$roomy,port_pins=32,traps=1" stream-w
  one_line "soc: wrong/oct_soc_core.v: module oct_soc_core: port '[a-z_]*' has [0-9]* bits, expected [0-9]*, as core.ini has .*$wrong.*"
  rm -r wrong
done

# Addresses that the machine takes for multiples of 4.
cp -r "$cores/picorv32" wrong
sed 's/^align_bits *=.*/align_bits = 2/' "$cores/picorv32/core.ini" >wrong/core.ini
expect 3 "$SOURCE/scripts/soc" --streams --core "$SOURCE/tests/lockstep/picorv32" --description wrong -g "$roomy,port_pins=32,traps=1" stream-3
contains out '^stream-3: .* [1-9][0-9]* instructions and [0-9]* accesses lost$'
one_line 'soc: stream-3: the core retired addresses that are not multiples of 4, so bit 1 of ERRORS is set: expected align_bits = 1 in core.ini'

# refused CODE PATTERN: soc ends so, in one line of that pattern.
refused() {
  wanted=$1
  pattern=$2
  expect "$wanted" soc stream
  one_line "soc: $pattern"
}
cp description/core.ini good.ini
# with TEXT: the description with this line in place of its last.
with() {
  { sed '$d' good.ini; echo "$1"; } >description/core.ini
}
n=$(wc -l <good.ini)
with 'enviroment = A=b'
refused 4 "description/core.ini:$n: unknown key 'enviroment': expected files, .*"
with 'a line of no form'
refused 4 "description/core.ini:$n: expected KEY = VALUE, a comment or \[core\]"
with 'channels = 3'
refused 4 "description/core.ini:$n: 'channels' stands twice: expected it once"
with '# none.sv
files = none.sv'
refused 4 "description/core.ini:$((n + 1)): expected a file $stand_in/none.sv"
for key in include libraries; do
  with "$key = none"
  refused 4 "description/core.ini:$n: expected a folder $stand_in/none"
done
for value in A 1=b =b; do
  with "environment = $value"
  refused 4 "description/core.ini:$n: 'environment = $value': expected NAME=VALUE ..."
done
with 'ram_base = 12'
refused 4 "description/core.ini:$n: 'ram_base = 12': expected a number such as 0x80000000"
sed '/^list/d' good.ini >description/core.ini
refused 4 "description/core.ini: expected a line 'files = ...', 'list = ...' or 'libraries = ...'"
sed 's/$/\r/' good.ini >description/core.ini
refused 4 'description/core.ini:1: the line ends with CR LF: expected LF alone'
sed '/^wrapper/d' good.ini >description/core.ini
refused 4 "description/core.ini: expected a line 'wrapper = ...'"
sed 's/^wrapper.*/wrapper = none.sv/' good.ini >description/core.ini
refused 4 "description/core.ini:[0-9]*: expected a file description/none.sv"
sed 's/^wrapper.*/wrapper = a.sv b.sv/' good.ini >description/core.ini
refused 4 "description/core.ini:[0-9]*: 'wrapper = a.sv b.sv': expected one word"
sed 's/^channels.*/channels = 3/' good.ini >description/core.ini
refused 4 "description/core.ini:[0-9]*: 'channels = 3': expected 1 or 2"
for pins in 4,x ',' '4,' ',4' 4,,8; do
  expect 2 soc --pins "$pins" stream
  one_line "soc: --pins '$pins': expected numbers with commas between them (see .*"
done
expect 2 soc --pins '' stream
one_line "soc: --pins: expected a value (see .*"
cp good.ini description/core.ini
# A core has the width and the channels that it has.
for option in '--xlen 64' '--channels 2'; do
  # shellcheck disable=SC2086 # two words
  expect 2 soc $option stream
  one_line "soc: $option: expected [0-9]*, as description/core.ini has it (see .*"
done
expect 4 soc stream none
one_line 'soc: none: no such file'

# Ports that are missing: of the wrapper, and of the core.
cp good.ini description/core.ini
sed 's/halted_o/halt_o/' "$cores/ibex/oct_soc_core.sv" >description/oct_soc_core.sv
refused 4 "description/oct_soc_core.sv: module oct_soc_core: expected a port 'halted_o'"
sed 's/\.irq_nm_i /.irq_nmi_i/' "$cores/ibex/oct_soc_core.sv" >description/oct_soc_core.sv
refused 4 "description/oct_soc_core.sv:[0-9]*: expected a port 'irq_nmi_i' of the module that is made here, .*"

# Descriptions that the repository has: of the right form, and refused only for the core that is not here.
for core in ibex cva6 picorv32; do
  channels=1 stream=stream
  [ $core != cva6 ] || channels=2 stream=stream-2
  expect 4 "$SOURCE/scripts/soc" --streams --channels $channels --core . --description "$cores/$core" $stream
  one_line "soc: $cores/$core/core.ini:[0-9]*: expected a file ./.*"
done
