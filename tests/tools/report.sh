#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# report.sh - octrace report: text, CSV, JSON and page, symbols, and what is wrong with them.
. "$(dirname "$0")/lib.sh"

tiny_trace 5000 >a.txt
"$OCTRACE" convert a.txt a.oct
"$OCTRACE" convert --count 100 a.txt short.oct # within one window
rm a.txt

expect 0 "$OCTRACE" report --cycle-insns 2000 a.oct
for text in '^a.oct: 20000 instructions and 10000 accesses' '^  DMT ' '^  pad ' 'sc_hit_rate 0\.[0-9]*, ' \
  'state_dasc_bytes  *5120' 'over the first 2000 instructions' '^pins for no loss' \
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
assert on_pins["paper"][4]["lost_instructions"] >= on_pins["shadow"][4]["lost_instructions"], on_pins
pins = [p["pins_with_largest_buffers"] or 99 for p in report["pins_for_no_loss"]]
assert pins == sorted(pins) and pins[0] <= pins[-1], pins
missed = report["missed_streams"]
assert [m["misses"] for m in missed] == sorted((m["misses"] for m in missed), reverse=True)
assert sum(m["executions"] for m in missed) == compress["streams"], missed
END
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

expect 0 "$OCTRACE" report --cycle-insns 0 --csv a.oct a.oct
[ "$(grep -c '^trace,table,key,value$' out)" -eq 1 ] || die "not one head"
contains out '^a.oct,total,instructions,20000$'
contains out '^a.oct,cycle_instructions,,20000$'
python3 -c 'import csv, sys; sys.exit(any(len(row) != 4 for row in csv.reader(sys.stdin)))' <out ||
  die "not four columns"

# All tracers that take the trace, side by side, as octrace bench has them.
isa=$SAMPLES/isa/riscv64.oct
expect 0 "$OCTRACE" report --cycle-insns 100 --limit 20000 --json "$isa"
mv out tracers.json
"$OCTRACE" convert --to pc32 --count 500 "$isa" plain.pc
expect 0 "$OCTRACE" bench --tracers --format pc32 plain.pc
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
refuse 2 "$OCTRACE" report --csv --json a.oct
head -c 300 a.oct >bad.oct
expect 4 "$OCTRACE" report --cycle-insns 100 bad.oct a.oct
[ "$(wc -l <err)" -eq 1 ] || die "not one line"
contains out '^a.oct: 20000'
refuse 2 "$OCTRACE" report --html a.oct a.oct
refuse 4 "$OCTRACE" report --cycle-insns 100 --html none/x.html a.oct --csv

printf '# no instruction\n' >empty.txt
expect 0 "$OCTRACE" report --format text empty.txt
contains out 'empty.txt: 0 instructions'

# The page. Chromium draws it at two widths and says nothing on its console.
/usr/bin/python3 -c 'import matplotlib' 2>/dev/null || exit 77
expect 0 "$OCTRACE" report --cycle-insns 2000 --html page.html a.oct short.oct
contains page.html 'data-plots="13"'
# Dark and printed as the reader has it; how it was made stands at the foot, words are explained, and
# what adds up is added up.
for text in '@media(prefers-color-scheme:dark)' '@media print' '<footer.*octrace [0-9.]*, 20[0-9-]*: <code>octrace report ' \
  'Geometry: addr_bits=32' '<dt>SCMT</dt>' 'THB' 'DASC' '<tr class="total"><td>all</td>'; do
  contains page.html "$text"
done
! grep -qE '(src|href)="(https?:)?//' page.html || die "the page asks for the network"
refuse 4 timeout 60 "$OCTRACE" report --cycle-insns 100 --html /dev/full a.oct
contains err '/dev/full: cannot write'
expect 0 "$OCTRACE" report --format text --html empty.html empty.txt
rm empty.html
cp a.oct '$\frac$.oct' # is no formula, least of all a bad one
expect 0 "$OCTRACE" report --cycle-insns 100 --limit 2000 --html names.html '$\frac$.oct' a.oct
contains names.html '<text[^>]*>$\\frac$.oct<'
rm names.html '$\frac$.oct'
# Another Python that stands first in PATH changes nothing.
version=$(/usr/bin/python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
mkdir -p other/bin "other/lib/$version/lib-dynload"
printf '#!/bin/sh\nexit 1\n' >other/bin/python3
chmod +x other/bin/python3
touch "other/lib/$version/os.py"
expect 0 env PATH="$work/other/bin:$PATH" "$OCTRACE" report --cycle-insns 100 --limit 2000 --html other.html a.oct
rm -r other other.html
if ! command -v chromium >/dev/null; then
  echo "no chromium: the page was not looked at" >&2
  exit 77
fi
for width in 1280 400; do
  timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
    --hide-scrollbars --enable-logging=stderr --window-size="$width,3000" \
    --screenshot="$work/page.png" "file://$work/page.html" 2>console || die "chromium: $(cat console)"
  ! grep ':CONSOLE' console || die "the console is not empty at $width"
  /usr/bin/python3 - "$width" <<'END' || die "the picture at $width"
import sys
import matplotlib.image
picture = matplotlib.image.imread("page.png")[:, :, :3]
assert picture.shape[1] == int(sys.argv[1]), picture.shape
assert (picture.max(axis=2) - picture.min(axis=2) > 0.3).sum() > 5000  # coloured plots
assert picture[:, -2:, :].min() > 0.9  # nothing runs over the right edge
END
done
# What a page says of its own plots, measured in CSS pixels. It stands in a frame, for no window is as
# narrow as a telephone.
cat >probe.html <<'END'
<script>
const svgs = [...document.querySelectorAll("figure svg")];
const ok = svgs.filter(s => {
  const box = s.getBoundingClientRect();
  return box.width > 250 && box.height > 100 && s.querySelectorAll("path").length > 10 &&
    s.querySelectorAll("text").length > 5;
}).length;
// The areas over time reach from one side of their plot to the other, of a short trace too.
const filled = svgs.filter(s => {
  const areas = [...s.querySelectorAll('[id*="PolyCollection"]')];
  return areas.some(a => a.getBoundingClientRect().width > s.getBoundingClientRect().width / 2);
}).length;
// All text is large enough, within its plot and on no other text.
let smallest = Infinity, outside = 0, crossing = 0;
for (const svg of svgs) {
  const frame = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll("text")].filter(t => t.textContent.trim()).map(t => {
    const to = t.getScreenCTM();
    smallest = Math.min(smallest, parseFloat(getComputedStyle(t).fontSize) * Math.hypot(to.a, to.b));
    return t.getBoundingClientRect();
  });
  outside += boxes.filter(b => b.left < frame.left - 1 || b.right > frame.right + 1 ||
    b.top < frame.top - 1 || b.bottom > frame.bottom + 1).length;
  boxes.forEach((b, i) => boxes.slice(i + 1).forEach(c => {
    crossing += Math.min(b.right, c.right) - Math.max(b.left, c.left) > 2 &&
      Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top) > 4;
  }));
}
for (const e of document.querySelectorAll("body *:not(svg *):not(script)"))
  if (e.textContent.trim()) smallest = Math.min(smallest, parseFloat(getComputedStyle(e).fontSize));
// A legend stands above its axes.
const covering = svgs.filter(s => {
  const legend = s.querySelector('[id$="-legend_1"]'), axes = s.querySelector('[id$="-axes_1"] > g');
  return !legend || legend.getBoundingClientRect().bottom > axes.getBoundingClientRect().top + 1;
}).length;
parent.postMessage(`${innerWidth}: plots=${ok} filled=${filled} ` +
  `wide=${document.documentElement.scrollWidth > innerWidth} outside=${outside} ` +
  `crossing=${crossing} covering=${covering} small=${smallest < 9} smallest=${smallest.toFixed(1)}`, "*");
</script>
END
name=a-trace-with-a-name-that-is-longer-than-a-plot-has-room-for.oct
mv a.oct "$name"
expect 0 "$OCTRACE" report --cycle-insns 2000 --html one.html "$name"
for page in page one; do
  cat "$page.html" probe.html >"$page-probed.html"
done
cat >frames.html <<'END'
<!DOCTYPE html><script>
const said = [];
addEventListener("message", e => { said.push(e.data); document.title = said.sort().join("; "); });
</script>
<iframe src="page-probed.html" width="1280" height="3000" style="border:0"></iframe>
<iframe src="page-probed.html" width="400" height="3000" style="border:0"></iframe>
<iframe src="one-probed.html" width="401" height="3000" style="border:0"></iframe>
END
timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
  --window-size=1400,3000 --virtual-time-budget=20000 --dump-dom "file://$work/frames.html" >dom 2>console ||
  die "chromium: $(cat console)"
grep -o '<title>.*</title>' dom || die "the pages said nothing"
readable='wide=false outside=0 crossing=0 covering=0 small=false'
for said in "1280: plots=13 filled=2 $readable" "400: plots=13 filled=2 $readable" "401: plots=7 filled=1 $readable"; do
  contains dom "$said"
done
