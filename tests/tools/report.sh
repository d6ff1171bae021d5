#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# report.sh - octrace report: text, CSV, JSON and page, symbols, and what is wrong with them.
. "$(dirname "$0")/lib.sh"

tiny_trace 5000 >a.txt
"$OCTRACE" convert a.txt a.oct
"$OCTRACE" convert --limit 100 a.txt short.oct # within one window
rm a.txt

expect 0 "$OCTRACE" report --cycle-insns 2000 a.oct
# Figures and structures are named as compress and the page name them.
contains out '^CR SC.I [0-9.]*, CR SC.I+Ntuple [0-9.]*, .*stream cache hit rate [0-9.]*'
contains out '^  stream cache  *[0-9]*$'
! grep -q 'cr_sc_i\|state_' out || die "names of columns in a text"
for text in '^a.oct: 20000 instructions and 10000 accesses' '^  DMT ' '^  pad ' 'stream cache hit rate 0\.[0-9]*, ' \
  '^  data address stride cache  *5120' 'over the first 2000 instructions' '^pins for no loss' \
  '^  output  32:' 'streams that miss most'; do
  contains out "$text"
done

expect 0 "$OCTRACE" report --cycle-insns 2000 -g small,port_pins=4 a.oct
cp out report.txt
expect 0 "$OCTRACE" report --cycle-insns 2000 --json -g small,port_pins=4 a.oct
cp out report.json
"$OCTRACE" compress --json -o /dev/null -g small,port_pins=4 a.oct >compress.json
"$OCTRACE" compress --json -o /dev/null -g small,port_pins=4 --engine cycle --limit 2000 a.oct >cycle.json
python3 - <<'END' || die "JSON"
import json
(report,), compress, cycle = (json.load(open(n + ".json")) for n in ("report", "compress", "cycle"))
assert report["parameters"]["port_pins"] == 4
total = report["total"]
assert sum(total["port_bits_by_stream"].values()) == total["port_bits"]
for name, value in total.items():
    assert value == compress[name], (name, value, compress[name])
# Windows sum up to the whole.
over = report["over_time"]
starts = over["start_instruction"] + [total["instructions"]]
for stream, values in over["bits_per_instruction"].items():
    bits = sum(v * (b - a) for v, a, b in zip(values, starts, starts[1:]))
    assert abs(bits - total["port_bits_by_stream"][stream]) < 0.5, stream
assert len(starts) > 5
# The cycle model at the geometry itself, but for what flushing adds.
assert report["cycle"]["lost_instructions"] == cycle["lost_instructions"]
assert report["cycle_instructions"] == 2000
# The text says of the histograms how often a buffer held so much.
buffers = report["cycle"]["cycle_model"]["buffers"]
said = [line.split() for line in open("report.txt") if "cycles with at least" in line]
assert [line[0] for line in said] == list(buffers), said
for line, buffer in zip(said, buffers.values()):
    cycles = buffer["cycles_at_occupancy"]
    for level in (word.split(":") for word in line if word.endswith("%")):
        at = round(float(level[0]) * (len(cycles) - 1) / buffer["size"])
        share = 100 * sum(cycles[at:]) / sum(cycles)
        assert abs(float(level[1][:-1]) - share) <= 0.006 * share, (line, level, share)
    assert int(line[4]) == buffer["high_water"], line
assert any(0 < float(word.split(":")[1][:-1]) < 100 for word in said[1][11:]), said[1]
loss = {p["depth"]: p["lost_instructions"] for p in report["loss_by_depth"]["data"]}
assert loss[8] == report["cycle"]["lost_instructions"], loss
assert loss[1] >= loss[64], loss
on_pins = report["loss_by_pins"]
assert set(on_pins) == {"paper", "shadow"}, on_pins
for points in on_pins.values():
    assert [p["pins"] for p in points] == [1, 2, 4, 8, 16, 32], points
    assert points[0]["loss"] >= points[-1]["loss"], points
pins = [p["pins_with_largest_buffers"] or 99 for p in report["pins_for_no_loss"]]
assert pins == sorted(pins) and pins[0] <= pins[-1], pins
missed = report["missed_streams"]
assert [m["misses"] for m in missed] == sorted((m["misses"] for m in missed), reverse=True)
assert sum(m["executions"] for m in missed) == compress["streams"], missed
END
# Rates at a clock, of the whole and of each tracer.
expect 0 "$OCTRACE" report --cycle-insns 2000 --json -g small,port_pins=4 --clock 800M a.oct
cp out rates.json
python3 - <<'END' || die "rates"
import json
(report,), (rates,) = (json.load(open(n + ".json")) for n in ("report", "rates"))
for name, value in report["total"].items():
    assert rates["total"][name] == value, name
assert rates["clock_hz"] == 800000000
assert abs(rates["gbit_per_second"] - 0.8 * report["total"]["port_bits_per_instruction"]) < 1e-9
for row in rates["tracers"]:
    assert abs(row["gbit_per_second"] - 0.8 * row["bits_per_insn"]) < 1e-9, row
END
expect 0 "$OCTRACE" report --no-tracers --cycle-insns 2000 --clock 1000M a.oct
contains out '^  [0-9.]* Gbit/s at an instruction each cycle of 1000 MHz$'
refuse 2 "$OCTRACE" report --clock 0 a.oct
contains err "report: --clock: expected cycles a second from 1 (800M), found '0'"
# Traps, also beside the ends of parts and windows, are counted once; `bench --tracers` has them, too.
tiny_trace 5000 | awk 'NR % 512 == 1 || NR % 997 == 0 { print "!interrupt 7 A:" substr($1, 1, 4) " P:3" } { print }
  END { print "!exception 2 A:8000 V:ff P:3" }' >traps.txt
for tracer in paper shadow raw; do
  expect 0 "$OCTRACE" report --json --cycle-insns 9000 --no-tracers --tracer $tracer -g traps=1 traps.txt
  cp out report-traps.json
  "$OCTRACE" compress --json --tracer $tracer -g traps=1 -o /dev/null traps.txt >compress.json
  python3 - <<'END' || die "$tracer: traps"
import json
(report,), compress = (json.load(open(n + ".json")) for n in ("report-traps", "compress"))
assert report["total"]["port_bits"] == compress["port_bits"], (report["total"], compress)
assert compress["sent_traps"] == 61, compress["sent_traps"]
END
done
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "%s%x L4:%x\n", i % 99 ? "" : "!interrupt 7 P:3\n", 4 * i, 8 * i }' >traps.txt
"$OCTRACE" report --json --cycle-insns 4500 --isa riscv32 traps.txt >report-traps.json
"$OCTRACE" bench --tracers --json --isa riscv32 traps.txt >bench.json
"$OCTRACE" compress --json --tracer etrace --isa riscv32 -g base -o /dev/null traps.txt >compress.json
python3 - <<'END' || die "traps in the table of tracers"
import json
(report,), bench, compress = (json.load(open(n + ".json")) for n in ("report-traps", "bench", "compress"))
for rows in report["tracers"], bench["rows"]:
    bits, = (r["bits_per_insn"] for r in rows if (r["tracer"], r["geometry"]) == ("etrace", "base"))
    assert abs(bits - compress["port_bits_per_instruction"]) < 1e-6, (bits, compress)
END
rm traps.txt report-traps.json bench.json

# What is enough pins loses nothing, one pin fewer loses; here it is 9, which is no round number.
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "8000\n8004\n8008\n800c L:%x\n", i * 40503 % 65536 }' >b.txt
"$OCTRACE" report --cycle-insns 0 --json b.txt >pins.json
pins=$(python3 -c 'import json; print(json.load(open("pins.json"))[0]["pins_for_no_loss"][0]["pins"])')
"$OCTRACE" compress --engine cycle -o /dev/null -g "paper,port_pins=$pins" b.txt || die "$pins pins lose"
expect 3 "$OCTRACE" compress --engine cycle -o /dev/null -g "paper,port_pins=$((pins - 1))" b.txt
rm b.txt pins.json
pins=$(python3 -c 'import json; print(json.load(open("report.json"))[0]["pins_for_no_loss"][0]["pins_with_largest_buffers"])')
largest=small,stream_fifo_depth=64,data_fifo_depth=64,out_fifo_bytes=4096
expect 0 "$OCTRACE" compress --engine cycle --limit 2000 -o /dev/null -g "$largest,port_pins=$pins" a.oct

"$OCTRACE" convert --limit 3000 a.oct part.oct
expect 0 "$OCTRACE" report --cycle-insns 0 --csv - part.oct part.oct
[ "$(grep -c '^trace,table,key,value$' out)" -eq 1 ] || die "not one head"
contains out '^part.oct,total,instructions,3000$'
contains out '^part.oct,cycle_instructions,,3000$'
rm part.oct
python3 -c 'import csv, sys; sys.exit(any(len(row) != 4 for row in csv.reader(sys.stdin)))' <out ||
  die "not four columns"

# All tracers that take the trace, side by side, as octrace bench has them.
isa=$SAMPLES/isa/riscv64.oct
expect 0 "$OCTRACE" report --cycle-insns 100 --limit 20000 --json "$isa"
mv out tracers.json
"$OCTRACE" convert --to pc32 --limit 500 "$isa" plain.pc
expect 0 "$OCTRACE" bench --tracers --from pc32 plain.pc
contains out '^  etrace *no: .*--elf'
"$OCTRACE" bench --tracers --json --limit 20000 "$isa" >bench.json
python3 - <<'END' || die "tracers"
import json
(report,), bench = json.load(open("tracers.json")), json.load(open("bench.json"))
rows = bench["rows"]
assert len(rows) == len(report["tracers"]) > 10
for a, b in zip(report["tracers"], rows):
    for key, value in a.items():
        assert b[key] == value, (a, b)
    parts = [a[k] for k in ("insn_bits_per_insn", "data_bits_per_insn", "sync_bits_per_insn", "header_bits_per_insn")]
    assert abs(sum(parts) - a["bits_per_insn"]) < 1e-9 and a["packets"] != 0
    assert (a["data_ratio"] is None) == (not a["carries_data"])
assert report["tracers_refused"] == {}
END
expect 0 "$OCTRACE" report --cycle-insns 100 --limit 20000 "$isa"
contains out '^  etrace    base  *0\.'
! grep -q intel-pt out || die "a tracer for another instruction set"
# The report's own figures stand beside those of a row that has other parameters: which, is said.
contains out 'not of the row paper: this report has sync_period_bits=131072 where the row has 0$'
expect 0 "$OCTRACE" report --cycle-insns 100 --limit 20000 -g paper - <"$isa"
contains out '^standard input: 20000 instructions'
! grep -q 'not of the row' out || die "a note on equal parameters"
expect 0 "$OCTRACE" report --cycle-insns 100 --limit 20000 --no-tracers "$isa"
! grep -q etrace out || die "--no-tracers"
# A trace that does not say its instruction set: what to do stands there.
expect 0 "$OCTRACE" report --cycle-insns 100 a.oct
contains out "^  etmv4     no: .*--elf.*--isa"

# Symbols: the program that made a trace is not needed, any ELF whose functions are at its addresses.
if command -v cc >/dev/null; then
  echo 'int oct_test_function(int x) { return x; } int main(void) { return 0; }' >p.c
  cc -g -no-pie -o p p.c
  addr=$(nm p | sed -n 's/^0*\([0-9a-f]*\) T oct_test_function$/\1/p')
  printf '%s\n' "$addr" | awk '{ for (i = 0; i < 50; i++) print $1 }' >s.txt
  expect 0 "$OCTRACE" report --elf p s.txt
  contains out ' oct_test_function  p.c:1$'
  # info and report name addresses alike, by symbol, offset and source line.
  middle=$(printf '%x' $((0x$addr + 4)))
  echo "$middle" >middle.txt
  expect 0 "$OCTRACE" report --elf p middle.txt
  contains out ' oct_test_function+0x4  p.c:1$'
  expect 0 "$OCTRACE" info --elf p middle.txt
  contains out ' oct_test_function+0x4  p.c:1$'
  rm middle.txt
  expect 0 "$OCTRACE" report --elf p@0x100 s.txt
  ! grep -q oct_test_function out || die "the base is not minded"
  refuse 4 "$OCTRACE" report --elf p.c a.oct
  contains err 'p.c: not an ELF file'
fi
refuse 4 "$OCTRACE" report --elf none a.oct
refuse 2 "$OCTRACE" report --elf p@frob a.oct
refuse 2 "$OCTRACE" report --top x a.oct
refuse 2 "$OCTRACE" report --csv - --json a.oct
head -c 300 a.oct >bad.oct
expect 4 "$OCTRACE" report --cycle-insns 100 bad.oct a.oct
[ "$(grep -vc "was found in the trace" err)" -eq 1 ] || die "not one line"
contains out '^a.oct: 20000'
refuse 2 "$OCTRACE" report --html a.oct a.oct
refuse 4 "$OCTRACE" report --cycle-insns 100 --html none/x.html a.oct --csv -

# Tracers whose counts of a stream go down at times: each window has what the port may carry, and they
# sum up to the whole.
for tracer in shadow etmv4; do
  expect 0 "$OCTRACE" report --tracer $tracer --json --no-tracers --cycle-insns 100 --limit 100000 "$SAMPLES/threads.oct"
  python3 - <<'END' || die "windows of $tracer"
import json
(report,) = json.load(open("out"))
over, total = report["over_time"], report["total"]
starts = over["start_instruction"] + [total["instructions"]]
assert len(starts) > 50
for stream, values in over["bits_per_instruction"].items():
    assert all(0 <= v < 1000 for v in values), (stream, max(values))
    bits = sum(v * (b - a) for v, a, b in zip(values, starts, starts[1:]))
    assert abs(bits - total["port_bits_by_stream"][stream]) < 0.5, (stream, bits)
END
done
expect 0 "$OCTRACE" report --limit 1 a.oct
contains out '^cycle model, over the first 1 instruction$'

printf '# no instruction\n' >empty.txt
expect 0 "$OCTRACE" report --from text empty.txt
contains out 'empty.txt: 0 instructions'
