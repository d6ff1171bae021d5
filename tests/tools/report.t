SPDX-License-Identifier: Apache-2.0
octrace report: text, CSV, JSON and page, symbols, and what is wrong with them.

  $ set -o pipefail
  $ tiny_trace 5000 >a.txt
  $ octrace convert a.txt a.oct
  $ octrace report --no-tracers --cycle-insns 2000 a.oct
  a.oct: 20000 instructions and 10000 accesses, 3.4184 port bits per instruction by paper
    SCIT/Tuple         0.2548
    SCMT               0.0019
    DT                 0.5000
    DMT                2.2912
    task               0.0000
    trap               0.0000
    time               0.0000
    sync               0.0083
    header             0.3623
    pad                0.0000
  CR SC.I 18.26, CR SC.I+Ntuple 124.2, CR DASC.D 5.732, stream cache hit rate 0.9998, tuple hit rate 0.9968, DASC hit rate 0.8568
  pins at the core's clock against instructions lost, by tracer
    paper   1:78.3% 2:60.1% 4:0% 8:0% 16:0% 32:0%
  state, bytes
    stream cache                                   640
    tuple history buffer                          1785
    the tuple being gathered                         7
    stream buffer                                   10
    data address stride cache                     5120
    data buffer                                     64
    all                                           7626
  cycle model, over the first 2000 instructions
    stream  buffer: at most 1 of 2; cycles with at least 1:25% 2:0%
    data    buffer: at most 2 of 8; cycles with at least 1:100% 2:25% 4:0% 8:0%
    output  buffer: at most 16 of 64; cycles with at least 1:11.5% 2:11.5% 4:11.5% 8:6% 16:0.1% 32:0% 64:0%
  pins for no loss, by port clock (core clock = 1)
    1      4 with these buffers,   1 with the largest
    0.5    7 with these buffers,   1 with the largest
    0.25  14 with these buffers,   1 with the largest
    0.125 27 with these buffers,   1 with the largest
  buffer depth against instructions lost, the others as configured
    stream  1:0% 2:0% 4:0% 8:0% 16:0% 32:0% 64:0%
    data    1:79.5% 2:0% 4:0% 8:0% 16:0% 32:0% 64:0%
    output  32:0% 64:0% 128:0% 256:0% 512:0% 1024:0% 2048:0% 4096:0%
  pins that a queue of so many bytes needs, by port clock (any tracer alike)
    1      64: 4  256: 3  1024: 1  4096: 1
    0.5    64: 7  256: 6  1024: 1  4096: 1
    0.25   64: 14  256: 11  1024: 1  4096: 1
    0.125  64: 27  256: 21  1024: 1  4096: 1
  streams that miss most
        misses   executed  address             insns  symbol, source
             1       5000  0x8000                  4
  0> octrace: note: a.oct: no known instruction set is named: pc_align_bits=2 was found in the trace
  $ octrace report --cycle-insns 2000 -g small,port_pins=4 a.oct >report.txt 2>err
  $ octrace report --cycle-insns 2000 --json -g small,port_pins=4 a.oct >report.json 2>err
  $ octrace report --cycle-insns 2000 --json -g small,port_pins=4 --clock 800M a.oct >rates.json 2>err
  $ octrace compress --json -o /dev/null -g small,port_pins=4 a.oct >compress.json
  $ octrace compress --json -o /dev/null -g small,port_pins=4 --engine cycle --limit 2000 a.oct >cycle.json
  $ python3 - <<'END'
  > import json
  > (report,), (rates,), compress, cycle = (json.load(open(n + ".json")) for n in ("report", "rates", "compress", "cycle"))
  > assert report["parameters"]["port_pins"] == 4
  > total = report["total"]
  > assert sum(total["port_bits_by_stream"].values()) == total["port_bits"]
  > for name, value in total.items():
  >     assert value == compress[name], (name, value, compress[name])
  > # Windows sum up to the whole.
  > over = report["over_time"]
  > starts = over["start_instruction"] + [total["instructions"]]
  > for stream, values in over["bits_per_instruction"].items():
  >     bits = sum(v * (b - a) for v, a, b in zip(values, starts, starts[1:]))
  >     assert abs(bits - total["port_bits_by_stream"][stream]) < 0.5, stream
  > assert len(starts) > 5
  > # The cycle model at the geometry itself, but for what flushing adds.
  > assert report["cycle"]["lost_instructions"] == cycle["lost_instructions"]
  > assert report["cycle_instructions"] == 2000
  > # The text says of the histograms how often a buffer held so much.
  > buffers = report["cycle"]["cycle_model"]["buffers"]
  > said = [line.split() for line in open("report.txt") if "cycles with at least" in line]
  > assert [line[0] for line in said] == list(buffers), said
  > for line, buffer in zip(said, buffers.values()):
  >     cycles = buffer["cycles_at_occupancy"]
  >     for level in (word.split(":") for word in line if word.endswith("%")):
  >         at = round(float(level[0]) * (len(cycles) - 1) / buffer["size"])
  >         share = 100 * sum(cycles[at:]) / sum(cycles)
  >         assert abs(float(level[1][:-1]) - share) <= 0.006 * share, (line, level, share)
  >     assert int(line[4]) == buffer["high_water"], line
  > assert any(0 < float(word.split(":")[1][:-1]) < 100 for word in said[1][11:]), said[1]
  > loss = {p["depth"]: p["lost_instructions"] for p in report["loss_by_depth"]["data"]}
  > assert loss[8] == report["cycle"]["lost_instructions"], loss
  > assert loss[1] >= loss[64], loss
  > on_pins = report["loss_by_pins"]
  > assert set(on_pins) == {"paper", "shadow"}, on_pins
  > for points in on_pins.values():
  >     assert [p["pins"] for p in points] == [1, 2, 4, 8, 16, 32], points
  >     assert points[0]["loss"] >= points[-1]["loss"], points
  > pins = [p["pins_with_largest_buffers"] or 99 for p in report["pins_for_no_loss"]]
  > assert pins == sorted(pins) and pins[0] <= pins[-1], pins
  > missed = report["missed_streams"]
  > assert [m["misses"] for m in missed] == sorted((m["misses"] for m in missed), reverse=True)
  > assert sum(m["executions"] for m in missed) == compress["streams"], missed
  > # Rates at a clock, of the whole and of each tracer.
  > for name, value in report["total"].items():
  >     assert rates["total"][name] == value, name
  > assert rates["clock_hz"] == 800000000
  > assert abs(rates["gbit_per_second"] - 0.8 * report["total"]["port_bits_per_instruction"]) < 1e-9
  > for row in rates["tracers"]:
  >     assert abs(row["gbit_per_second"] - 0.8 * row["bits_per_insn"]) < 1e-9, row
  > END
  $ octrace report --no-tracers --cycle-insns 2000 --clock 1000M a.oct | grep Gbit/s
    3.418 Gbit/s at an instruction each cycle of 1000 MHz
  0> octrace: note: a.oct: no known instruction set is named: pc_align_bits=2 was found in the trace
  $ octrace report --clock 0 a.oct
  2> octrace: report: --clock '0': expected a number from 1 (1000, 10K, 2M) (see octrace report --help)

Traps, also beside the ends of parts and windows, are counted once; `bench --tracers` has them, too. Tracers whose counts of
a stream go down at times: each window has what the port may carry, and they sum up to the whole.

  $ awk 'NR % 512 == 1 || NR % 997 == 0 { print "!interrupt 7 A:" substr($1, 1, 4) " P:3" } { print }
  >   END { print "!exception 2 A:8000 V:ff P:3" }' a.txt >traps.txt
  $ for tracer in paper shadow raw; do
  >   octrace report --json --cycle-insns 9000 --no-tracers --tracer $tracer -g traps=1 traps.txt 2>err | value '(r[0]["total"]["port_bits"],)' >want
  >   octrace compress --json --tracer $tracer -g traps=1 -o /dev/null traps.txt 2>err >json
  >   value '(r["port_bits"],)' <json | cmp want && value '(r["sent_traps"],)' <json
  > done
  61
  61
  61
  $ awk 'BEGIN { for (i = 0; i < 5000; i++) printf "%s%x L4:%x\n", i % 99 ? "" : "!interrupt 7 P:3\n", 4 * i, 8 * i }' >traps.txt
  $ octrace report --json --cycle-insns 4500 --isa riscv32 traps.txt >report.json
  $ octrace bench --tracers --json --isa riscv32 traps.txt >bench.json
  $ octrace compress --json --tracer etrace --isa riscv32 -g base -o /dev/null traps.txt >compress.json
  $ python3 - <<'END'
  > import json
  > (report,), bench, compress = (json.load(open(n + ".json")) for n in ("report", "bench", "compress"))
  > for rows in report["tracers"], bench["rows"]:
  >     bits, = (r["bits_per_insn"] for r in rows if (r["tracer"], r["geometry"]) == ("etrace", "base"))
  >     assert abs(bits - compress["port_bits_per_instruction"]) < 1e-6, (bits, compress)
  > END
  $ for tracer in shadow etmv4; do
  >   octrace report --tracer $tracer --json --no-tracers --cycle-insns 100 --limit 100000 ../samples/threads.oct >out
  >   python3 - <<'END'
  > import json
  > (report,) = json.load(open("out"))
  > over, total = report["over_time"], report["total"]
  > starts = over["start_instruction"] + [total["instructions"]]
  > assert len(starts) > 50
  > for stream, values in over["bits_per_instruction"].items():
  >     assert all(0 <= v < 1000 for v in values), (stream, max(values))
  >     bits = sum(v * (b - a) for v, a, b in zip(values, starts, starts[1:]))
  >     assert abs(bits - total["port_bits_by_stream"][stream]) < 0.5, (stream, bits)
  > END
  > done

What is enough pins loses nothing, one pin fewer loses; here it is 9, which is no round number.

  $ awk 'BEGIN { for (i = 0; i < 3000; i++) printf "8000\n8004\n8008\n800c L:%x\n", i * 40503 % 65536 }' >b.txt
  $ octrace report --cycle-insns 0 --no-tracers --json b.txt 2>err | value '(r[0]["pins_for_no_loss"][0]["pins"],)'
  9
  $ octrace compress --engine cycle -o x -g paper,port_pins=9 b.txt 2>err
  $ octrace compress --engine cycle -o x -g paper,port_pins=8 b.txt 2>err
  [exit 3]
  $ value '(r[0]["pins_for_no_loss"][0]["pins_with_largest_buffers"],)' <rates.json
  1
  $ octrace compress --engine cycle --limit 2000 -o x -g small,stream_fifo_depth=64,data_fifo_depth=64,out_fifo_bytes=4096,port_pins=1 a.oct 2>err
  $ octrace convert --limit 3000 a.oct part.oct
  $ octrace report --cycle-insns 0 --csv - part.oct part.oct 2>err >out
  $ grep -E '^trace,table|,total,instructions,|,cycle_instructions,' out
  trace,table,key,value
  part.oct,total,instructions,3000
  part.oct,cycle_instructions,,3000
  part.oct,total,instructions,3000
  part.oct,cycle_instructions,,3000
  $ python3 -c 'import csv, sys; print({len(row) for row in csv.reader(sys.stdin)})' <out
  {4}

All tracers that take the trace, side by side, as octrace bench has them. The report's own figures stand beside those of a
row that has other parameters: which, is said. A trace that does not say its instruction set: what to do stands there.

  $ isa=../samples/isa/riscv64.oct
  $ octrace report --cycle-insns 100 --limit 20000 --json $isa >report.json
  $ octrace convert --to pc32 --limit 500 $isa plain.pc
  $ octrace bench --tracers --from pc32 plain.pc 2>err | grep etrace
    etrace       no: a trace that does not name its instruction set: E-Trace carries RISC-V only (riscv32, riscv64); give the program with --elf, or its instruction set with --isa
  $ octrace bench --tracers --json --limit 20000 $isa >bench.json
  $ python3 - <<'END'
  > import json
  > (report,), bench = json.load(open("report.json")), json.load(open("bench.json"))
  > rows = bench["rows"]
  > assert len(rows) == len(report["tracers"]) > 10
  > for a, b in zip(report["tracers"], rows):
  >     for key, value in a.items():
  >         assert b[key] == value, (a, b)
  >     parts = [a[k] for k in ("insn_bits_per_insn", "data_bits_per_insn", "sync_bits_per_insn", "header_bits_per_insn")]
  >     assert abs(sum(parts) - a["bits_per_insn"]) < 1e-9 and a["packets"] != 0
  >     assert (a["data_ratio"] is None) == (not a["carries_data"])
  > assert report["tracers_refused"] == {}
  > END
  $ tracers() { try octrace report --cycle-insns 100 --limit 20000 "$@" | grep -E 'etrace    base|intel-pt|not of the row|etmv4     no|[a-z.]*: 20000 instr'; }
  $ tracers @
  | $isa
  ../samples/isa/riscv64.oct: 20000 instructions and 4922 accesses, 8.1296 port bits per instruction by paper
    etrace    base               0.4204    152.2    3.1544      5.0   0.11  49.13    7.0428     11.3       5257
    the figures above are not of the row paper: this report has sync_period_bits=131072 where the row has 0
  | -g paper - <$isa
  standard input: 20000 instructions and 4922 accesses, 7.8664 port bits per instruction by paper
    etrace    base               0.4204    152.2    3.1544      5.0   0.11  49.13    7.0428     11.3       5257
  | --no-tracers $isa => ../samples/isa/riscv64.oct: 20000 instructions and 4922 accesses, 8.1296 port bits per instruction by paper
  | a.oct
  a.oct: 20000 instructions and 10000 accesses, 3.4184 port bits per instruction by paper
    intel-pt  no: a trace that does not name its instruction set: Intel PT carries x86 only (x86, x86-64); give the program with --elf, or its instruction set with --isa
    etmv4     no: a trace that does not name its instruction set: ETMv4 carries Arm only (arm, thumb, aarch64); give the program with --elf, or its instruction set with --isa
    the figures above are not of the row paper: this report has sync_period_bits=131072 where the row has 0

Symbols: the program that made a trace is not needed, any ELF whose functions are at its addresses. info and report name
addresses alike, by symbol, offset and source line.

  $ echo 'int oct_test_function(int x) { return x; } int main(void) { return 0; }' >p.c
  $ ! command -v cc >found || cc -g -no-pie -o p p.c
  $ addr=$(nm p | sed -n 's/^0*\([0-9a-f]*\) T oct_test_function$/\1/p')
  $ printf '%s\n' $addr $addr >s.txt
  $ printf '%x\n' $((0x$addr + 4)) >middle.txt
  $ octrace @ 2>&1 | grep -oE 'oct_test_function.*' || :
  | report --no-tracers --elf p s.txt => oct_test_function  p.c:1
  | report --no-tracers --elf p middle.txt => oct_test_function+0x4  p.c:1
  | info --elf p middle.txt => oct_test_function+0x4  p.c:1
  | report --no-tracers --elf p@0x100 s.txt

What is wrong; several traces; traces of hardly anything.

  $ octrace report @
  | --elf p.c a.oct => 4> octrace: p.c: not an ELF file
  | --elf none a.oct => 4> octrace: none: cannot open: No such file or directory
  | --elf p@frob a.oct => 2> octrace: report: bias 'frob' is not a number (see octrace report --help)
  | --top x a.oct => 2> octrace: report: --top 'x': expected a number from 0 to 100000 (see octrace report --help)
  | --csv - --json a.oct => 2> octrace: report: --csv and --json cannot both go to standard output (see octrace report --help)
  | --html a.oct a.oct => 2> octrace: report: a.oct: input and output are the same file
  | --cycle-insns 100 --html none/x.html a.oct --csv - => 4> octrace: none/x.html: No such file or directory
  $ head -c 300 a.oct >bad.oct
  $ octrace report --no-tracers --cycle-insns 100 bad.oct a.oct | grep ' instructions'
  a.oct: 20000 instructions and 10000 accesses, 3.4184 port bits per instruction by paper
  pins at the core's clock against instructions lost, by tracer
  cycle model, over the first 100 instructions
  buffer depth against instructions lost, the others as configured
  4> octrace: bad.oct: offset 300: the trace ends before its end block
  $ octrace report --no-tracers --limit 1 a.oct | grep cycle
  cycle model, over the first 1 instruction
    stream  buffer: at most 0 of 2; cycles with at least 1:0% 2:0%
    data    buffer: at most 0 of 8; cycles with at least 1:0% 2:0% 4:0% 8:0%
    output  buffer: at most 0 of 64; cycles with at least 1:0% 2:0% 4:0% 8:0% 16:0% 32:0% 64:0%
  0> octrace: note: a.oct: no known instruction set is named: pc_align_bits=2 was found in the trace
  $ printf '# no instruction\n' | octrace report --from text - | grep instr
  standard input: 0 instructions and 0 accesses, 0.0000 port bits per instruction by paper
  pins at the core's clock against instructions lost, by tracer
  cycle model, over the first 0 instructions
  buffer depth against instructions lost, the others as configured
  all tracers that take this trace, port bits per instruction
    etrace    no: a trace that does not name its instruction set: E-Trace carries RISC-V only (riscv32, riscv64); give the program with --elf, or its instruction set with --isa
    ntrace    no: a trace that does not name its instruction set: N-Trace carries RISC-V only (riscv32, riscv64); give the program with --elf, or its instruction set with --isa
    intel-pt  no: a trace that does not name its instruction set: Intel PT carries x86 only (x86, x86-64); give the program with --elf, or its instruction set with --isa
    etmv4     no: a trace that does not name its instruction set: ETMv4 carries Arm only (arm, thumb, aarch64); give the program with --elf, or its instruction set with --isa

Where no number of pins suffices, one line has that.

  $ octrace report --no-tracers --limit 20000 ../samples/ghostscript.oct | grep -A 1 'pins for no loss'
  pins for no loss, by port clock (core clock = 1)
    more than 32 at each, also with the largest buffers
