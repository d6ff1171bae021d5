#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# unit-seeds.sh - streams of trace units and recordings of them, for tests/fuzz/make-seeds, which reads this file.

# unit NAME FORMAT SETTINGS ISA: a stream of the trace unit, which is read from standard input.
# shellcheck disable=SC2154 # root, to, work, tools and octrace are of make-seeds
unit() {
  cp "$root/tests/traces/data/mixed-$4.elf" "$work/file"
  cat >"$work/stream"
  { put_sized "$work/file"; cat "$work/stream"; } | put "$to/$1" "$2" "$3"
}

# with_traps ISA: a few instructions with traps between them, and several tasks.
with_traps() {
  "$octrace" convert --limit 60 --to text "$root/tests/traces/data/mixed-$1.oct" - | awk '
    NR > 12 { at = $1; sub("/.*", "", at) }
    NR > 12 && NR % 5 == 4 { print "!exception 11 A:" at " V:20004 P:1" }
    NR > 12 && NR % 7 == 3 { print "!interrupt 14 A:" at " P:0" }
    NR > 12 && NR % 11 == 3 { print $0, "T:" int(NR / 11); next }
    { print }'
}

# interrupted FORMAT NUMBER ISA MACHINE NOP CAUSE: interrupts in a program of nops, whose handlers end at once.
interrupted() {
  python3 - "$4" "$5" "$work/nops.elf" <<'END'
import struct, sys
memory = bytes.fromhex(sys.argv[2]) * (0x2000 // (len(sys.argv[2]) // 2))
head = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9) + struct.pack(
    "<HHIQQQIHHHHHH", 2, int(sys.argv[1]), 1, 0x10000, 64, 0, 0, 64, 56, 1, 0, 0, 0)
segment = struct.pack("<IIQQQQQQ", 1, 5, 0x1000, 0x10000, 0x10000, len(memory), len(memory), 0x1000)
open(sys.argv[3], "wb").write((head + segment).ljust(0x1000, b"\0") + memory)
END
  size=$((${#5} / 2))
  awk -v size=$size -v cause="$6" 'BEGIN {
    at[1] = 65536; at[2] = 65536 + size; at[3] = 65536 + 2 * size; at[4] = 69632
    at[5] = 69632 + size; at[6] = 73728; at[7] = 65536 + 2 * size; at[8] = 69632
    for (i = 1; i <= 8; i++)
      if (i == 3 || i == 5 || i == 6) printf "!interrupt %d A:%016x\n", cause, at[i]
      else printf "%016x/%d\n", at[i], size }' >"$work/nops.txt"
  "$octrace" convert --isa "$3" --elf "$work/nops.elf" --to "$1" "$work/nops.txt" "$work/nops.stream"
  { put_sized "$work/nops.elf"; cat "$work/nops.stream"; } | put "$to/${1%%:*}-interrupted" "$2" 0
}

# frames WORD...: frames of CoreSight, as make_frames writes them, in $work/frames.
frames() {
  "$tools/../tests/tracers/make_frames" "$@" >"$work/frames"
}

# ports NUMBER TRACER GEOMETRY...: bytes of its port, alone and in frames beside E-Trace.
ports() {
  number=$1 tracer=$2 settings=0 syncs=sync_insns
  [ "$tracer" = shadow ] || syncs=sync_period_insns
  shift 2
  for geometry; do
    with_traps riscv64 | "$octrace" convert --isa riscv64 --elf "$data/mixed-riscv64.elf" --to "$tracer:$geometry" - - |
      head -c 3000 >"$work/port"
    unit "$tracer-$settings" "$number" $settings riscv64 <"$work/port"
    frames 2 20 1 1 "$work/port" 2 "$work/etrace"
    unit "$tracer-frames-$settings" "$number" $((128 + settings)) riscv64 <"$work/frames"
    tail -c +200 "$work/port" | unit "$tracer-late-$settings" "$number" $settings riscv64
    # With many syncs, and damage behind one and at the beginning.
    "$octrace" convert --to "$tracer:$geometry,$syncs=30" "$work/riscv64.oct" - >"$work/port.whole"
    for place in 20 60 "$(($(wc -c <"$work/port.whole") / 2))"; do
      { head -c "$place" "$work/port.whole"; printf '\125'; tail -c +$((place + 2)) "$work/port.whole"; } >"$work/wrong"
      unit "$tracer-damaged-$settings-$place" "$number" $settings riscv64 <"$work/wrong"
      unit "$tracer-goes-on-$settings-$place" "$number" $((64 + settings)) riscv64 <"$work/wrong"
    done
    unit "$tracer-aarch64-$settings" "$number" $settings aarch64 <"$work/port"
    settings=$((settings + 1))
  done
}

# What trace units write, with the program in front of it.
seed_trace_units() {
  data=$root/tests/traces/data
  for isa in riscv64 x86-64 aarch64 arm thumb; do
    "$octrace" convert --limit 400 --elf "$data/mixed-$isa.elf" "$data/mixed-$isa.oct" "$work/$isa.oct"
  done
  settings=0
  for geometry in base all full bare; do
    "$octrace" convert --to "etrace:$geometry" "$work/riscv64.oct" - | unit "etrace-$geometry" 0 $settings riscv64
    with_traps riscv64 | "$octrace" convert --isa riscv64 --elf "$data/mixed-riscv64.elf" --to "etrace:$geometry" - - |
      unit "etrace-traps-$geometry" 0 $settings riscv64
    settings=$((settings + 1))
  done
  settings=0
  for geometry in htm btm all btm-all; do
    "$octrace" convert --to "ntrace:$geometry" "$work/riscv64.oct" - | unit "ntrace-$geometry" 1 $settings riscv64
    with_traps riscv64 | "$octrace" convert --isa riscv64 --elf "$data/mixed-riscv64.elf" --to "ntrace:$geometry" - - |
      unit "ntrace-traps-$geometry" 1 $settings riscv64
    settings=$((settings + 1))
  done
  # With the settings that a reader takes by itself; and a program for another machine.
  "$octrace" convert --to etrace "$work/riscv64.oct" "$work/etrace"
  unit etrace-default 0 4 riscv64 <"$work/etrace"
  unit etrace-x86 0 4 x86-64 <"$work/etrace"
  # Rings: cut off at each of the first bytes, and with what looks like a start in front.
  for cut in 1 2 3 5 8 13 21 34 55; do
    tail -c +$((cut + 1)) "$work/etrace" | head -c 3000 | unit etrace-ring-$cut 0 4 riscv64
    settings=0
    for geometry in base all full bare; do
      "$octrace" convert --to "etrace:$geometry,sync_period_insns=50" "$work/riscv64.oct" - | tail -c +$((cut + 1)) |
        unit etrace-ring-$geometry-$cut 0 $settings riscv64
      settings=$((settings + 1))
    done
    settings=0
    for geometry in htm btm all btm-all; do
      "$octrace" convert --to "ntrace:$geometry,count=0,sync_period_insns=50" "$work/riscv64.oct" - | tail -c +$((cut + 1)) |
        unit ntrace-ring-$geometry-$cut 1 $((64 * (cut % 2) + settings)) riscv64
      settings=$((settings + 1))
    done
    "$octrace" convert --to intel-pt:sync_period_insns=50 "$work/x86-64.oct" - | tail -c +$((cut + 1)) |
      unit intel-pt-ring-$cut 2 0 x86-64
  done
  for first in 001 002 037 077; do
    # shellcheck disable=SC2059 # an escape
    { printf "\\$first\\037"; tail -c +41 "$work/etrace"; } | unit etrace-start-$first 0 4 riscv64
  done
  # In frames of CoreSight, of two sources: whole, from the middle on, cut, and with each byte of the first frames wrong.
  for syncs in 0 30; do
    frames 1 $syncs 0 1 "$work/etrace" 2 "$work/riscv64.oct"
    head -c 4096 "$work/frames" | unit "etrace-frames-$syncs" 0 132 riscv64
    tail -c +38 "$work/frames" | head -c 8192 | unit "etrace-frames-$syncs-late" 0 132 riscv64
    head -c 1001 "$work/frames" | unit "etrace-frames-$syncs-cut" 0 132 riscv64
    for place in 0 1 2 7 14 15 16 30; do
      { head -c $place "$work/frames"; printf '\377'; tail -c +$((place + 2)) "$work/frames"; } | head -c 8192 >"$work/wrong"
      unit "etrace-frames-$syncs-wrong-$place" 0 132 riscv64 <"$work/wrong"
    done
  done
  # Of others than the source that is wanted, of none, and with a full sync within a frame.
  frames 3 0 0 2 "$work/riscv64.oct"
  head -c 800 "$work/frames" | unit frames-of-another 0 132 riscv64
  frames 3 0 0 2 "$work/riscv64.oct" 3 "$work/etrace"
  head -c 800 "$work/frames" | unit frames-of-others 0 132 riscv64
  head -c 32 /dev/zero | unit frames-of-none 0 132 riscv64
  { printf '\377\377\377\177'; head -c 20 /dev/zero; printf '\377\377\377\177'; head -c 28 /dev/zero; } | unit frames-with-sync 0 132 riscv64
  ports 5 paper paper traps=1,timestamp=1 timestamp=2,ntuple_n=3 tiny,check_bits=0
  ports 6 shadow shadow traps=1 timestamp=1,time_period_insns=3 check=0
  "$octrace" convert --to intel-pt "$work/x86-64.oct" "$work/pt"
  for settings in 0 3 4; do unit intel-pt-$settings 2 $settings x86-64 <"$work/pt"; done
  unit intel-pt-arm 2 0 arm <"$work/pt"
  head -c -3 "$work/pt" | unit intel-pt-cut 2 0 x86-64
  for settings in buffer_bytes=128,drain_bits=1 mtc=1,cyc=1 sync_period_insns=20; do
    "$octrace" convert --elf "$data/mixed-x86-64.elf" --to "intel-pt:$settings" "$data/mixed-x86-64.oct" - |
      unit "intel-pt-$settings" 2 0 x86-64
  done
  interrupted intel-pt 2 x86-64 62 90 14
  interrupted etrace 0 riscv64 243 13000000 7
  for queue in thread:101 cpu:0; do
    python3 "$root/tests/tracers/make_perf.py" "$work/perf.data" mixed \
      "map:101:$data/mixed-x86-64.elf:/prog" fork:102:101 switch:0:102:0 "$queue:$work/pt" aux:1
    unit "perf-${queue%:*}" 3 0 x86-64 <"$work/perf.data"
    python3 "$root/tests/fuzz/unit_seed.py" perf "$work/perf.data" "$data/mixed-x86-64.elf" "$to/perf-${queue%:*}"
  done
  for isa in aarch64 arm thumb; do
    rm -rf "$work/snapshot"
    ! "$tools/../tests/tracers/test_opencsd" trc_pkt_lister "$work/snapshot" "$work/$isa.oct" ||
      python3 "$root/tests/fuzz/unit_seed.py" snapshot "$work/snapshot" "$data/mixed-$isa.elf" "$to/etmv4-$isa"
  done
}
