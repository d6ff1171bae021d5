#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# port-seeds.sh - port streams and containers, for tests/fuzz/make-seeds, which reads this file.

# shellcheck disable=SC2154 # root, to, work and octrace are of make-seeds
# Port streams of a loop of eight instructions: with checks and without, with losses, and damaged; in
# front what gives the target their configuration and their program.
seed_decoder() {
  python3 -c 'import random
r = random.Random(1)
for i in range(600):
    k = i % 8 if i % 50 else 3
    accesses = " L4:%x" % (4096 + 4 * (i if i % 7 else r.randrange(9999))) if k % 2 else ""
    print("%x/4%s @%d%s" % (4 * k, accesses, i, " T:1" if i % 200 > 150 else " T:0"))' >"$work/loop.txt"
  common=addr_bits=32,pc_align_bits=0,sl_bits=8,sc_sets=4,sc_ways=2,sc_index_fn=0,sc_repl=0,ntuple_n=2
  common=$common,thb_update=0,thb_depth=4,dasc_entries=64,dasc_ways=0,stride_bits=16,rep_pattern_bits=4
  common=$common,rep_count_bits=3,task_bits=8,sync_period_insns=100,sync_period_bits=0
  loss=port_pins=1,stream_fifo_depth=1,data_fifo_depth=1,out_fifo_bytes=64
  for kind in 4:check_bits=16 12:check_bits=0 20:check_bits=32 12:check_bits=0,$loss 4:check_bits=16,$loss; do
    "$octrace" compress --engine cycle -g "paper,$common,${kind#*:}" -o "$work/loop.octp" "$work/loop.txt" ||
      [ $? -eq 3 ]
    python3 - "$work/loop.octp" "$to/loop-$(echo "$kind" | cksum | cut -c1-6)" "${kind%%:*}" <<'END'
import struct
import sys
data = open(sys.argv[1], "rb").read()
at, bits = 12 + struct.unpack_from("<I", data, 8)[0] + 8, b""
while at < len(data):
    stored = struct.unpack_from("<I", data, at + 4)[0]
    bits += data[at + 28:at + 28 + stored] if data[at] == 1 else b""
    at += 28 + stored
head = bytes([int(sys.argv[3]), 0, 39, 1, 2, 3, 6, 15, 3, 3, 7, 255, 8])
program = b"".join(bytes([96 + 4 * k, 0x21 if k % 2 else 0]) for k in range(8))
for name, stream in ("", bits), ("-cut", bits[:-9]), ("-bad", bits[:200] + b"\x55" + bits[201:]):
    with open(sys.argv[2] + name, "wb") as file:
        file.write(head + program + stream)
END
  done
}

# Containers of every tracer: of whole programs, of few instructions with each byte wrong, with traps.
seed_containers() {
  "$octrace" compress -o "$to/trace" "$work/trace.txt"
  "$octrace" compress -g paper,task_bits=32 -o "$to/program" "$work/program.oct"
  for tracer in paper shadow; do
    "$octrace" compress --limit 60 --tracer $tracer --elf "$root/tests/traces/data/mixed-thumb.elf" --program-apart \
      -o "$to/apart-$tracer" "$root/tests/traces/data/mixed-thumb.oct"
    each_byte -p 4 "$to/apart-$tracer" "$to/apart-$tracer"
  done
  while read -r tracer settings isa; do
    elf=$root/tests/traces/data/mixed-$isa
    name=$to/$tracer-$settings
    # Damage means something else at each place of an arithmetic code.
    [ "$tracer" = shadow ] && places=12 || places=4
    "$octrace" compress --limit 2000 --elf "$elf.elf" --tracer "$tracer" -g "$settings" -o "$name-2000" "$elf.oct" ||
      [ $? -eq 3 ]
    "$octrace" compress --limit 30 --elf "$elf.elf" --tracer "$tracer" -g "$settings" -o "$name-30" "$elf.oct"
    # The second makes a file of the first's name.
    python3 "$root/tests/fuzz/stream_seed.py" "$name-30" "$name-stream" $places
    each_byte -p 4 "$name-30" "$name"
    sample=$root/traces/samples/isa/$isa.oct
    if [ -f "$sample" ]; then
      "$octrace" compress --limit 3000 --tracer "$tracer" -g "$settings" -o "$name-sample" "$sample" || [ $? -eq 3 ]
      python3 "$root/tests/fuzz/stream_seed.py" "$name-sample" "$name-sample-stream" 4
    fi
    "$octrace" convert --limit 40 --to text "$elf.oct" - | awk '
      /^#/ { print; next }
      NR > 12 { at = $1; sub("/.*", "", at) }
      NR > 12 && NR % 5 == 4 { print "!exception 11 A:" at " V:20004 P:1" }
      NR > 12 && NR % 7 == 3 { print "!interrupt 14 A:" at " P:0" }
      { print $0, "@" NR * NR }' >"$work/traps.txt"
    "$octrace" compress --isa "$isa" --elf "$elf.elf" --tracer "$tracer" -g "$settings" -o "$name-traps" "$work/traps.txt"
    each_byte -p 4 "$name-traps" "$name-traps"
    python3 "$root/tests/fuzz/stream_seed.py" "$name-traps" "$name-traps-stream" $places
  done <"$root/tests/fuzz/data/tracers.txt"
  # Traps and tasks before all else and at each sync, and losses; jumps whose targets are reported or inferred.
  seed_stream() { # NAME OPTION...
    name=$to/$1
    shift
    "$octrace" compress -o "$name" "$@" || [ $? -eq 3 ]
    python3 "$root/tests/fuzz/stream_seed.py" "$name" "$name" 8
  }
  awk 'BEGIN {
    for (i = 0; i < 20; i++) print "!interrupt 7 A:8008"
    print "!privilege P:1\n8000 L4:1000\n!exception 13 A:800a V:20004 P:3\n8004 T:5\n8008 S4:2000 T:6"
    for (i = 1; i < 7; i++)
      printf "!interrupt 7 A:900%d\n!privilege P:%d\n9%d00 L4:1000 T:%d\n9%d04 T:%d\n", i, i % 3, i, i, i, i + 1
    print "!interrupt 9 A:1" }' >"$work/first.txt"
  for settings in sync_insns=0 sync_insns=1 sync_insns=2 sync_insns=1,timestamp=1; do
    seed_stream "first-$settings" --tracer shadow -g "traps=1,$settings" "$work/first.txt"
  done
  for settings in traps=0 traps=1,sync_insns=20 timestamp=1,sync_bits=512; do
    seed_stream "loss-$settings" --tracer shadow -g "queue_words=16,port_pins=1,$settings" --engine cycle --limit 2000 \
      "$root/traces/samples/threads.oct"
  done
  "$octrace" convert --isa riscv64 "$root/tests/fuzz/data/jumps.execlog" "$work/jumps.oct"
  for settings in all,jump_cache_bits=4 jump_cache_bits=2,sync_period_insns=50 implicit_return=1,return_stack_bits=3,jump_cache_bits=3 \
    all,implicit_return=1,return_stack_bits=0,call_counter_bits=3,sijump=1,sync_period_insns=150; do
    seed_stream "jumps-$settings" --tracer etrace -g "$settings" "$work/jumps.oct"
  done
  seed_stream jumps-ntrace --tracer ntrace -g all,sync_period_insns=60 "$work/jumps.oct"
  {
    printf '8000 L4:1000\n!privilege P:1\n8004\n!interrupt 7 A:8008\n9000\n!exception 13 A:800a V:20004 P:3\n'
    printf '!exception 2 A:9004\n9100 T:1\n9104 S4:2000\n!interrupt 40 A:1\n'
  } >"$work/traps.txt"
  for tracer in paper shadow raw; do
    "$octrace" compress --tracer $tracer -g traps=1 -o "$work/stream" "$work/traps.txt"
    each_byte -p 8 "$work/stream" "$to/traps-$tracer"
  done
}
