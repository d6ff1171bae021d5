#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# readers.sh - does octrace read the files of trace units, given the program, as the instructions that
# went in, and refuse what is no such file in one line? The streams are those of octrace's encoders.
# FORMAT says which files: riscv, intel-pt, etmv4.
. "$(dirname "$0")/../tools/lib.sh"

# prepare ISA: its trace with the bytes of instructions, and the addresses that ran.
prepare() {
  elf=$DATA/mixed-$1.elf
  "$OCTRACE" convert --elf "$elf" "$DATA/mixed-$1.oct" whole.oct
  "$OCTRACE" convert --to pc whole.oct want
}

# same OPTION...: what is read has the instructions that ran, with class and bytes.
same() {
  expect 0 "$OCTRACE" convert "$@" back.oct
  "$OCTRACE" convert --to pc back.oct got
  cmp want got || die "other instructions: $*"
  expect 0 "$OCTRACE" info back.oct
  contains out '^code_percent  *100.000'
  contains out '^effect_percent  *100.000'
  expect 0 "$OCTRACE" compress -o back.octp back.oct
}

riscv() {
  prepare riscv64
  for format in etrace etrace:bare etrace:full etrace:all etrace:data=0,time_bits=0,context_bits=0 \
    etrace:counter,sync_period_insns=1000 ntrace ntrace:count=0,sync_period_insns=500 ntrace:btm-all \
    ntrace:all,src_bits=4,src_id=3; do
    "$OCTRACE" convert --to "$format" whole.oct stream
    same --from "$format" --elf "$elf" stream
    expect 0 "$OCTRACE" info --from "$format" --elf "$elf" stream
    contains out '^lacks  *.*cycle stamps'
    contains out '^instructions  *13471$'
  done
  # Data addresses, where the trace unit sends them.
  "$OCTRACE" convert --to etrace whole.oct stream
  expect 0 "$OCTRACE" info --from etrace --elf "$elf" stream
  contains out '^accesses  *1931$'
  expect 0 "$OCTRACE" verify --engine untimed --from etrace --elf "$elf" stream

  traps
  "$OCTRACE" convert --to etrace whole.oct stream
  refuse 4 "$OCTRACE" info --from etrace stream
  contains err 'give its files with --elf'
  refuse 4 "$OCTRACE" info --from etrace --elf "$DATA/mixed-x86-64.elf" stream
  contains err 'E-Trace carries RISC-V only'
  refuse 4 "$OCTRACE" info --from etrace --elf "$elf@0x2000" stream
  contains err 'no code at 0x'
  refuse 4 "$OCTRACE" info --from etrace:colour=1 --elf "$elf" stream
  contains err 'colour'
  refuse 4 "$OCTRACE" info --from etrace:bare --elf "$elf" stream
  refuse 4 "$OCTRACE" info --from din:a=1 stream
  contains err 'takes no parameters'
  refuse 4 "$OCTRACE" convert --to etrace "$DATA/mixed-arm.oct" new
  contains err 'E-Trace carries RISC-V only'
  for format in etrace ntrace; do
    "$OCTRACE" convert --to $format whole.oct stream
    head -c 1001 stream >short
    refuse 4 "$OCTRACE" convert --from $format --elf "$elf" short new
    expect 3 "$OCTRACE" convert --salvage --from $format --elf "$elf" short part.oct
    ! grep 'may be wrong' err || die "$format: what precedes a cut is in doubt"
    [ ! -e new ] || die "half of a trace is left"
    # Damage shows late where nothing checks the stream: the message says so.
    { head -c 600 stream && printf '%40s' '' | tr ' ' '~' && tail -c +641 stream; } >damaged
    refuse 4 "$OCTRACE" convert --from $format --elf "$elf" damaged new
    contains err 'before it, some may be wrong (no check covers them))$'
    expect 4 "$OCTRACE" filter --from $format --elf "$elf" --to text damaged -
    contains err 'before it, some may be wrong (no check covers them)$'
    expect 3 "$OCTRACE" convert --salvage --from $format --elf "$elf" damaged part.oct
    contains err 'left out instructions, how many is unknown'
  done
  # Where the stream counts instructions, the next count tells how many are missing.
  "$OCTRACE" convert --to ntrace:sync_period_insns=500 whole.oct stream
  { head -c 600 stream && printf '%40s' '' | tr ' ' '~' && tail -c +641 stream; } >damaged
  for counts in count=1 count=0; do
    expect 3 "$OCTRACE" convert --salvage --from "ntrace:$counts" --elf "$elf" --to pc damaged got
    case $counts in
    count=1) contains err "left out at least $((13471 - $(wc -l <got))) instructions" ;;
    count=0) contains err 'left out instructions, how many is unknown' ;;
    esac
  done
  # A context packet of E-Trace (format 3, subformat 2; context 7) behind the first sync.
  "$OCTRACE" convert --to etrace:data=0,time_bits=0 whole.oct stream
  python3 - <<'END'
data = open("stream", "rb").read()
at = 0
while data[at] & 31 == 0:  # null bytes
    at += 1
while data[at + 1] & 15 != 3:  # to format 3, subformat 0
    at += 1 + (data[at] & 31)
at += 1 + (data[at] & 31)
context = (3 | 2 << 2 | 7 << 6).to_bytes(5, "little")
open("stream", "wb").write(data[:at] + b"\5" + context + data[at:])
END
  same --from etrace:data=0,time_bits=0 --elf "$elf" stream
  expect 0 "$OCTRACE" info back.oct
  contains out '^tasks  *2$'
  # A stream of others may begin with the first sync itself, and with one where no code is known.
  python3 - <<'END'
data = open("stream", "rb").read()
while data[0] & 31 == 0:  # null bytes
    data = data[1:]
assert data[1] & 15 == 15, "no support packet"
support = 1 + (data[0] & 31)
assert data[support + 1] & 15 == 3, "no sync"
sync = data[support:support + 1 + (data[support] & 31)]
open("sync_first", "wb").write(data[support:])
open("hole_first", "wb").write(data[:support] + sync[:-1] + bytes([sync[-1] ^ 16]) + data[support:])
END
  for first in sync_first hole_first; do
    expect 0 "$OCTRACE" convert --from etrace:data=0,time_bits=0 --elf "$elf" $first back.oct
    contains err '^octrace: note: .*\(lacks its beginning\|at 1 place\)'
    "$OCTRACE" convert --to pc back.oct got
    cmp want got || die "packets are lost: $first"
  done
  # What tells that something was lost: a support packet of E-Trace, an error message of N-Trace. The
  # next sync goes on.
  for format in etrace:data=0,time_bits=0 ntrace:count=0; do
    "$OCTRACE" convert --to "$format" --limit 6000 whole.oct first
    "$OCTRACE" convert --to "$format" --skip 6000 whole.oct second
    {
      cat first
      case $format in
      etrace*) printf '\002\237\000' ;;
      *) printf '\040\003' ;;
      esac
      cat second
    } >stream
    expect 0 "$OCTRACE" info --from "$format" --elf "$elf" stream
    contains out '^gaps  *1$'
    contains out '^instructions  *13471$'
    contains err '^octrace: note: stream: the recording itself lost instructions at 1 place$'
  done
}

# Exceptions and interrupts with cause, trap value and privilege, in a program with a handler.
traps() {
  python3 - <<'END'
import struct
code = {0x10000: "13000000", 0x10004: "0100", 0x10006: "0100", 0x10008: "0100",
        0x11000: "13000000", 0x11004: "73002030"}  # mret
memory = bytearray(0x2000)
for addr, text in code.items():
    memory[addr - 0x10000:addr - 0x10000 + len(text) // 2] = bytes.fromhex(text)
head = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9) + struct.pack(
    "<HHIIIIIHHHHHH", 2, 0xf3, 1, 0x10000, 52, 0, 1, 52, 32, 1, 0, 0, 0)
segment = struct.pack("<IIIIIIII", 1, 0x1000, 0x10000, 0x10000, len(memory), len(memory), 5, 0x1000)
open("traps.elf", "wb").write((head + segment).ljust(0x1000, b"\0") + memory)
END
  cat >traps.txt <<'END'
00010000
00010004/2
!exception 13 A:00010006 V:00020004 P:3
00011000
00010006/2
!interrupt 7 A:00010008 P:3
00011000
END
  # Listing and decoder agree where a decoder may begin, where traps are syncs, too.
  : >often.txt
  for _ in 1 2 3 4 5 6 7 8 9 10; do cat traps.txt >>often.txt; done
  expect 0 "$OCTRACE" convert --isa riscv32 --elf traps.elf often.txt often.oct
  expect 0 "$OCTRACE" compress --tracer etrace -g data=0,sync_period_insns=12 -o often.octp often.oct
  "$OCTRACE" convert --to pc often.oct whole_pc
  for n in 1 2 3 4; do
    insn=$("$OCTRACE" packets --from-sync $n often.octp | awk 'NR == 1 {print $3}')
    "$OCTRACE" convert --from-sync $n --to pc often.octp got
    [ "$insn" -ge $((12 * n)) ] || die "sync $n is before its period: $insn"
    tail -n +$((insn + 1)) whole_pc | cmp - got || die "other instructions from sync $n on"
  done
  refuse 4 "$OCTRACE" convert --from-sync 5 --to pc often.octp new
  refuse 4 "$OCTRACE" packets --from-sync 5 often.octp
  sed 's/^0001.000$/&\/4/' traps.txt >sized.txt
  expect 0 "$OCTRACE" convert --isa riscv32 --elf traps.elf sized.txt traps.oct
  for params in data=0 data=1 data=0,encapsulation=0 data=0,implicit_exception=1,trap_base=69632; do
    expect 0 "$OCTRACE" convert --to "etrace:$params" traps.oct stream
    "$OCTRACE" convert --from "etrace:$params" --elf traps.elf --to text stream - | grep -v '^#' >got
    # The handler is left by what is no mret here: the packet says so, as an interrupt of its own.
    sed '/^!interrupt 31 /d' got | cmp traps.txt - || { cat got >&2; die "other traps: $params"; }
  done
  # By mret it is left as by any jump that cannot be inferred: nothing else is told, by N-Trace neither.
  sed 's/^00011000$/&\n00011004/' traps.txt >returns.txt
  sed 's/^0001.00[04]$/&\/4/' returns.txt >sized.txt
  expect 0 "$OCTRACE" convert --isa riscv32 --elf traps.elf sized.txt returns.oct
  for params in data=0 data=1 data=0,encapsulation=0 data=0,implicit_exception=1,trap_base=69632 \
    data=0,jump_cache_bits=3,implicit_return=1 data=0,full_address=1; do
    expect 0 "$OCTRACE" convert --to "etrace:$params" returns.oct stream
    "$OCTRACE" convert --from "etrace:$params" --elf traps.elf --to text stream - | grep -v '^#' >got
    cmp returns.txt got || { cat got >&2; die "other returns from traps: $params"; }
  done
  expect 0 "$OCTRACE" compress --tracer ntrace -o returned.oct returns.oct
  expect 0 "$OCTRACE" packets returned.oct
  [ "$(grep -c 'B-TYPE=1' out)" = 2 ] || { cat out >&2; die "other traps by N-Trace than the two"; }
  [ "$(grep -c 'B-TYPE=0' out)" = 1 ] || { cat out >&2; die "no jump by N-Trace for mret"; }
  refuse 4 "$OCTRACE" convert --to etrace:ecause_bits=3 traps.oct new
  contains err 'cause 13 of a trap does not fit ecause_bits'
  [ ! -e new ] || die "half of a trace is left"
}

# interrupts FORMAT ISA MACHINE NOP CAUSE: traps of the trace come back with their place, two in a row,
# too; what no instruction explains comes back without one.
interrupts() {
  python3 - "$3" "$4" <<'END'
import struct, sys
nop = bytes.fromhex(sys.argv[2])
memory = nop * (0x2000 // len(nop))
head = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9) + struct.pack(
    "<HHIQQQIHHHHHH", 2, int(sys.argv[1]), 1, 0x10000, 64, 0, 0, 64, 56, 1, 0, 0, 0)
segment = struct.pack("<IIQQQQQQ", 1, 5, 0x1000, 0x10000, 0x10000, len(memory), len(memory), 0x1000)
open("nops.elf", "wb").write((head + segment).ljust(0x1000, b"\0") + memory)
END
  size=$((${#4} / 2))
  awk -v size=$size -v cause="$5" 'BEGIN {
    at[1] = 65536; at[2] = 65536 + size; at[3] = 65536 + 2 * size; at[4] = 69632
    at[5] = 69632 + size; at[6] = 73728; at[7] = 65536 + 2 * size; at[8] = 69632
    for (i = 1; i <= 8; i++)
      if (i == 3 || i == 5 || i == 6) printf "!interrupt %d A:%016x\n", cause, at[i]
      else printf "%016x/%d\n", at[i], size }' >nops.txt
  expect 0 "$OCTRACE" convert --isa "$2" --elf nops.elf --to "$1" nops.txt interrupted
  "$OCTRACE" convert --from "$1" --elf nops.elf --to text interrupted - | grep -v '^#' >back.txt
  sed 's,/4$,,' nops.txt | cmp - back.txt || { cat back.txt >&2; die "other interrupts in $1"; }
  # And from the compressed file.
  expect 0 "$OCTRACE" convert --isa "$2" --elf nops.elf nops.txt nops.oct
  expect 0 "$OCTRACE" compress --tracer "$1" -o nops.octp nops.oct
  expect 0 "$OCTRACE" verify --container nops.octp nops.oct
  "$OCTRACE" decompress -o - --to text nops.octp | grep '^!' >got
  grep '^!' nops.txt | cmp - got || { cat got >&2; die "other interrupts in a compressed file of $1"; }
  [ "$1" = etmv4 ] || return 0
  # ETMv4 has the type of an exception and the exception level, too: here a data fault.
  sed 's/^!interrupt 14.*/!exception 12 & P:1/; s/!interrupt 14 //' nops.txt >faults.txt
  expect 0 "$OCTRACE" convert --isa "$2" --elf nops.elf --to etmv4 faults.txt faulted
  "$OCTRACE" convert --elf nops.elf --to text faulted - | sed -n 's, V:0*,,; s, P:[0-9],,; /^!/p' >got
  sed -n 's, P:1,,; /^!/p' faults.txt | cmp - got || { cat got >&2; die "other exceptions"; }
}

perf() { python3 "$MAKE_PERF" perf.data "$@"; }

# storm FILE: Intel PT of nops.elf, with an interrupt before the first instruction of a handler, and one
# at the end.
storm() {
  python3 - "$1" <<'END'
import sys
def packet(kind, addr):
    return bytes([kind]) + addr.to_bytes(8, "little")
def interrupt(at, to):
    return packet(0xdd, at) + packet(0xcd, to)
start = b"\x02\x82" * 8 + b"\x99\x01\x02\x23" + packet(0xd1, 0x10000)
with open(sys.argv[1], "wb") as file:
    file.write(start + interrupt(0x10002, 0x11000) + interrupt(0x11000, 0x11100) + interrupt(0x11101, 0x10002))
END
}

intel_pt() {
  prepare x86-64
  "$OCTRACE" convert --to intel-pt whole.oct stream
  same --elf "$elf" stream
  expect 0 "$OCTRACE" info --elf "$elf" stream
  contains out '^format  *intel-pt$'
  contains out '^lacks  *data addresses'
  "$OCTRACE" convert --to intel-pt:cyc=1,sync_period_insns=300 whole.oct often
  same --elf "$elf" often
  # Several files of one program: the first need not have the code.
  same --elf "$elf@0x10000000" --elf "$elf" stream

  refuse 4 "$OCTRACE" info stream
  contains err 'give its files with --elf'
  refuse 4 "$OCTRACE" info --elf "$DATA/mixed-arm.elf" stream
  contains err 'expected one for x86'
  refuse 4 "$OCTRACE" info --elf "$elf@0x1000" stream
  contains err 'no code at 0x'
  LC_ALL=C sed 's/\x75/\xeb/g; s/\x74/\xeb/g' "$elf" >other.elf
  refuse 4 "$OCTRACE" info --elf other.elf stream
  head -c 200 stream | head -c 199 >short
  printf "\164" >>short # a packet of several bytes begins, and the file ends
  printf '\002' >>short
  refuse 4 "$OCTRACE" convert --elf "$elf" short new
  contains err 'ends within a packet'
  head -c 4000 /dev/zero >zeros
  refuse 4 "$OCTRACE" info --from intel-pt --elf "$elf" zeros
  contains err 'no PSB'

  interrupts intel-pt x86-64 62 90 0
  storm stormy
  printf '!interrupt 0 A:%016x\n' 65538 69632 69889 >expected
  expect 0 "$OCTRACE" convert --from intel-pt --elf nops.elf --to text stormy stormy.txt
  grep '^!' stormy.txt | cmp - expected || { cat stormy.txt >&2; die "interrupts are lost"; }
  perf "map:101:nops.elf" thread:101:stormy
  expect 0 "$OCTRACE" convert --elf nops.elf --to text perf.data stormy.txt
  grep '^!' stormy.txt | cmp - expected || { cat stormy.txt >&2; die "interrupts of perf.data are lost"; }

  # perf.data: a thread; two processors that the thread moves between; two threads.
  perf "map:101:$elf" thread:101:stream
  same perf.data
  expect 0 "$OCTRACE" info perf.data
  contains out '^format  *perf$'
  contains out '^command  *prog$'
  "$OCTRACE" info --json perf.data >out
  contains out "\"path\": \"$(realpath "$elf")\""
  "$OCTRACE" convert perf.data kept.oct
  "$OCTRACE" info --json kept.oct >out
  contains out '"bias": "0x0"'
  "$OCTRACE" convert --to intel-pt --limit 7000 whole.oct first
  "$OCTRACE" convert --to intel-pt --skip 7000 whole.oct second
  for mixed in pad:8 mixed; do
    perf $mixed "map:101:$elf" switch:0:101:0 switch:1:101:50000 cpu:1:second:50000 cpu:0:first
    same perf.data
    "$OCTRACE" convert --to text perf.data - | sed -n 's/.* T:\([0-9a-f]*\).*/\1/p' | sort -u >tasks
    expect 0 "$OCTRACE" info perf.data
    contains out '^tasks  *1$'
  done
  perf "map:101:$elf" fork:102:101 thread:101:first thread:102:second:7000
  expect 0 "$OCTRACE" info perf.data
  contains out '^tasks  *2$'
  contains out '^instructions  *14881$'
  # One processor takes turns between two processes, which may have other code at the same addresses.
  python3 - <<'END'
import re
stamp = rb"((?:\x02\x82){8}\x19)(.{7})"
late = lambda m: m[1] + (int.from_bytes(m[2], "little") + 50000).to_bytes(7, "little")
first, second = open("first", "rb").read(), open("second", "rb").read()
open("turns", "wb").write(first + re.sub(stamp, late, second, flags=re.S))
END
  perf "map:101:$elf" "map:102:$elf" cpu:0:turns switch:0:101:0 switch:0:102:40000
  same perf.data
  expect 0 "$OCTRACE" info perf.data
  contains out '^tasks  *2$'
  contains out '^task_switches  *1$'
  for pids in "101 102" "102 101"; do
    perf "map:${pids% *}:$elf" "map:${pids#* }:$work/other.elf" cpu:0:turns switch:0:101:0 \
      switch:0:102:40000
    refuse 4 "$OCTRACE" info perf.data
    perf "map:${pids% *}:$elf" "map:${pids#* }:$work/other.elf" cpu:0:turns \
      "switch:0:${pids% *}:0"
    same perf.data
  done
  # Losses: the kernel's word, and the stream's own.
  perf "map:101:$elf" thread:101:stream aux:1
  same perf.data
  "$OCTRACE" info perf.data >out 2>err
  contains out '^gaps  *1$'
  { cat first; printf '\002\363'; cat second; } >lost
  "$OCTRACE" convert --elf "$elf" lost back.oct 2>err
  contains err 'the recording itself lost instructions at 1 place'
  "$OCTRACE" convert --to pc back.oct got
  cmp want got
  # Trace bytes that are missing are a gap, up to the next PSB; those that come twice count once.
  "$OCTRACE" convert --to intel-pt:sync_period_insns=100 whole.oct often
  perf "map:101:$elf" thread:101:often times:3:2
  same perf.data
  perf "map:101:$elf" thread:101:often times:3:0
  expect 0 "$OCTRACE" convert --to pc perf.data got
  contains err '^octrace: note: perf.data: the recording itself lost instructions at 1 place'
  n=$(wc -l <want)
  [ "$(wc -l <got)" -gt $((n - 1500)) ] || die "a hole of 301 bytes costs $((n - $(wc -l <got))) instructions"
  ! diff want got | grep -q '^>' || die "other instructions around a hole"

  # Nothing but code that was in no file.
  perf "map:101:$elf:[vdso]" thread:101:stream
  refuse 4 "$OCTRACE" info perf.data
  contains err 'no code at 0x[0-9a-f]*, where \[vdso\] was mapped'
  perf "map:101:$elf:/nowhere/mixed-x86-64.elf" thread:101:stream
  refuse 4 "$OCTRACE" info perf.data
  contains err 'where /nowhere/mixed-x86-64.elf was mapped'
  same --elf "$elf" perf.data
  for bytes in 50 103 300 900; do
    head -c $bytes perf.data >short
    refuse 4 "$OCTRACE" convert --elf "$elf" short new
  done
  # --salvage keeps what is there of a file that is cut, or that a killed perf record left.
  perf "map:101:$elf" thread:101:often
  size=$(wc -c <perf.data)
  cp perf.data killed
  printf '\0\0\0\0\0\0\0\0' | dd of=killed bs=1 seek=48 conv=notrunc 2>dd.log
  for bytes in 1 7 100 301 1000 2000; do head -c $((size - bytes)) perf.data >"cut-$bytes"; done
  head -c $((size - 100)) killed >killed-cut
  for file in killed killed-cut cut-*; do
    refuse 4 "$OCTRACE" convert "$file" new
    contains err 'sections that its header names\|no data: perf record did not end'
    expect 3 "$OCTRACE" convert --salvage --to pc "$file" got
    contains err 'sections that its header names\|no data: perf record did not end\|at 1 other place'
    head -n "$(wc -l <got)" want | cmp - got || die "other instructions of $file"
    [ "$(wc -l <got)" -gt $((n - 4000)) ] || die "$(wc -l <got) instructions of $file"
    [ "$file" != killed ] || cmp want got || die "a killed perf record costs instructions"
  done
  perf info:3:0
  refuse 4 "$OCTRACE" info perf.data
  contains err 'expected Intel PT'
  perf "map:101:$elf" thread:101:stream thread:101:stream info:1:1
  refuse 4 "$OCTRACE" info perf.data
  contains err 'snapshot'
  perf "map:101:$elf"
  refuse 4 "$OCTRACE" info perf.data
  contains err 'no trace bytes'
  [ ! -e new ] || die "half of a trace is left"
}

etmv4() {
  for isa in arm thumb aarch64; do
    prepare $isa
    "$OCTRACE" convert --to text whole.oct - | awk '
      /^#/ { print; next }
      { cycle += n % 1000 == 999 ? 5000 : n % 7 == 3 ? 9 : 3; n++; print $0, "@" 1000 + cycle }' >stamped
    expect 0 "$OCTRACE" convert --isa $isa --elf "$elf" --to etmv4:cycles=1 stamped "snapshot-$isa"
    same "snapshot-$isa"
    same "snapshot-$isa/snapshot.ini"
    same --elf "$elf" "snapshot-$isa"
    expect 0 "$OCTRACE" info "snapshot-$isa"
    contains out '^format  *etmv4$'
    contains out '^lacks  *data addresses'
  done
  interrupts etmv4 aarch64 183 1f2003d5 14
  # A cycle count behind an interrupt is of the instruction before it, also where the reader pauses in
  # between, at byte 256: addresses that nobody needs move all that follows.
  printf '11000/4 @5\n!interrupt 14\n11000/4 @9\n' >storm.txt
  for n in 0 1 2 3; do
    rm -rf storm
    expect 0 "$OCTRACE" convert --isa aarch64 --elf nops.elf --to etmv4:cycles=1,frames=0 storm.txt storm
    sed -i '/^description/d' storm/snapshot.ini # ours say where they end
    python3 - storm/trace.bin $n <<'END'
import sys
data = open(sys.argv[1], "rb").read()
interrupt, cycles, address = b"\x06\x1d\x95\x04", b"\x0e\x05", b"\x95\x00"
data = data[:data.index(interrupt[:2])] + address * int(sys.argv[2]) + (interrupt + cycles + address) * 100
open(sys.argv[1], "wb").write(data)
END
    expect 0 "$OCTRACE" convert --elf nops.elf --to text storm storm.out
    [ "$(grep -c '^[^#].*@' storm.out)" -eq 100 ] || die "$(grep -c '^[^#].*@' storm.out) cycle stamps of 100"
  done
  elf=$DATA/mixed-aarch64.elf
  prepare aarch64
  # The snapshot counts cycles: every third one an instruction retires, but for pauses. The first
  # count begins at the first instruction.
  "$OCTRACE" convert --to text snapshot-aarch64 - | grep -v '^#' | awk '
    BEGIN { cycle = 1000 }
    { n = NR - 1; cycle += n % 1000 == 999 ? 5000 : n % 7 == 3 ? 9 : 3; if (n == 0) begin = cycle }
    match($0, /@[0-9]+/) { stamps++; if (substr($0, RSTART + 1, RLENGTH - 1) != cycle - begin) bad++ }
    END { exit bad || stamps < 100 }' || die "other cycle stamps"
  # A snapshot of ours, or an empty folder, is written over; nothing else is.
  expect 0 "$OCTRACE" convert --to etmv4:frames=0,return_stack=3 whole.oct snapshot-aarch64/
  same snapshot-aarch64
  mkdir empty other
  expect 0 "$OCTRACE" convert --to etmv4 whole.oct empty
  same empty
  touch other/snapshot.ini
  refuse 4 "$OCTRACE" convert --to etmv4 whole.oct other
  contains err 'expected a new name'
  printf '[snapshot]\nversion=1.0\ndescription=by hand\n' >other/snapshot.ini
  refuse 4 "$OCTRACE" convert --to etmv4 whole.oct other
  cp empty/snapshot.ini other
  touch other/mine
  refuse 4 "$OCTRACE" convert --to etmv4 whole.oct other
  refuse 4 "$OCTRACE" convert --to etmv4 whole.oct want
  contains err 'expected the name of a folder'
  refuse 4 "$OCTRACE" convert --to etmv4 whole.oct -
  refuse 2 "$OCTRACE" convert --to etmv4 empty empty
  refuse 4 "$OCTRACE" convert --to etmv4 "$DATA/mixed-aarch64.oct" new
  contains err 'a capture has them, and so has --elf'
  refuse 4 "$OCTRACE" convert --to etmv4 "$DATA/mixed-riscv64.oct" new
  contains err 'ETMv4 carries Arm only'
  refuse 4 "$OCTRACE" info --from etmv4:cycles=1 empty
  contains err 'takes no parameters'
  head -c 3000 whole.oct >short.oct
  refuse 4 "$OCTRACE" convert --to etmv4 short.oct new
  [ ! -e new ] || die "half of a snapshot is left"
  expect 0 "$OCTRACE" convert --isa aarch64 --elf "$elf" --to etmv4:cycles=1 stamped snapshot-aarch64
  # Without dumps of memory, the program has to say what ran.
  cp -r snapshot-aarch64 bare
  sed '/^\[dump/,$d' snapshot-aarch64/core.ini >bare/core.ini
  same --elf "$elf" bare
  refuse 4 "$OCTRACE" info bare
  contains err 'no code at 0x'
  refuse 4 "$OCTRACE" info --elf "$elf@0x1000" bare
  refuse 4 "$OCTRACE" info --elf "$DATA/mixed-x86-64.elf" snapshot-aarch64
  # One thing wrong after another.
  broken() {
    rm -rf broken
    cp -r snapshot-aarch64 broken
    sed -i "$2" "broken/$1"
    refuse 4 "$OCTRACE" convert broken new
    contains err "$3"
  }
  broken etm.ini '/TRCCONFIGR/d' 'lacks TRCCONFIGR'
  broken etm.ini 's/ETM4/PTM1.1/' 'no trace unit of type ETM4, found PTM1.1'
  broken etm.ini 's/=0x000018.0/=many/' 'etm.ini:[0-9]*: expected a number'
  broken etm.ini 's/^TRCIDR0=/TRCIDR0 /' 'etm.ini:[0-9]*: expected KEY=VALUE'
  broken trace.ini 's/trace.bin/missing.bin/' 'missing.bin: cannot open'
  broken trace.ini '/^file=/d' 'expected the file='
  broken snapshot.ini '/metadata/d' 'expected metadata='
  broken snapshot.ini 's/core.ini/none.ini/' 'no code at .*(and there is no broken/none.ini)'
  broken snapshot.ini 's/etm.ini/none.ini/' 'no trace unit of type ETM4'
  broken core.ini 's/^file=.*//' 'expected file='
  rm -rf broken
  cp -r snapshot-aarch64 broken
  head -c 505 snapshot-aarch64/trace.bin >broken/trace.bin
  refuse 4 "$OCTRACE" convert broken new
  contains err 'within a frame of 16 bytes'
  [ ! -e new ] || die "half of a trace is left"
}

$FORMAT
