#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fidelity.sh - octrace fidelity: two address traces side by side, their kinds, and what is wrong.
. "$(dirname "$0")/lib.sh"

# raw FILE EXPRESSION: 64-bit addresses by Python.
raw() {
  python3 -c "import struct, sys
addrs = $2
open(sys.argv[1], 'wb').write(struct.pack('<%dQ' % len(addrs), *addrs))" "$1"
}
# value FILE EXPRESSION: of its JSON, as r.
value() {
  python3 -c "import json, sys
r = json.load(open(sys.argv[1]))
print($2)" "$1"
}

# A compressed trace is its trace, packed or not, from a file or a pipe.
tiny_trace 300 >t.txt
"$OCTRACE" compress -o t.octp t.txt 2>err
"$OCTRACE" compress --codec plain -o t.octc t.txt >out 2>err
xz -k t.txt
expect 0 "$OCTRACE" fidelity --sets 1..8 --ways 6 --csv - t.txt t.txt
mv out want
for lossy in t.octp t.octc t.txt.xz; do
  expect 0 "$OCTRACE" fidelity --sets 1..8 --ways 6 --csv - t.txt $lossy
  cmp out want || die "$lossy is another trace"
done
expect 0 "$OCTRACE" fidelity --sets 1..8 --ways 6 --csv - t.txt - <t.octp
cmp out want
# What has a mark is no list of addresses.
printf '1 a enter f\n9 a leave f\n' >events.txt
"$OCTRACE" events compress -o events.octev events.txt >out
refuse 4 "$OCTRACE" fidelity t.txt events.octev
contains err '^octrace: events.octev: offset 0: a trace of function calls, which octrace events reads'
{ printf OCTEVMT; tail -c +8 events.octev; } >damaged.octev
refuse 4 "$OCTRACE" fidelity damaged.octev t.txt
contains err '^octrace: damaged.octev: offset 0: the mark OCTEVNT at its start is damaged'
rm events.txt events.octev damaged.octev
head -c 600 t.octp >cut.octp
refuse 4 "$OCTRACE" fidelity t.txt cut.octp
contains err 'cut.octp: offset [0-9]*: the header is cut short'

# A file against itself differs in nothing; what is told is what the definition says.
raw loop '[64 * (i % 12) for i in range(1200)]'
expect 0 "$OCTRACE" fidelity --sets 1..8 --ways 6 --json loop loop
[ ! -s err ] || die "err is not empty"
python3 - out <<'END' || die "JSON"
import json, sys
r = json.load(open(sys.argv[1]))
assert r["same_length"] and r["largest_difference"] == 0 and r["mean_difference"] == 0, r
assert r["exact"]["addresses"] == 1200 and r["exact"]["blocks"] == 12
assert [c["sets"] for c in r["curves"]] == [1, 2, 4, 8] and r["ways"] == 6
cold, all_ = 12 / 1200, 1
# 12 blocks in turn: 2 sets of 6 hold them, one set of 6 never hits; of 8 sets, 4 have 2 blocks.
assert r["curves"][0]["exact"] == [all_] * 6
assert r["curves"][1]["exact"] == [all_] * 5 + [cold]
assert r["curves"][2]["exact"] == [all_] * 2 + [cold] * 4
assert all(abs(a - b) < 1e-12 for a, b in zip(r["curves"][3]["exact"], [(800 + 4) / 1200] + [cold] * 5))
full = r["fully_associative"]
assert full["lines"] == [1, 2, 4, 8, 16] and full["exact"] == [1, 1, 1, 1, cold], full
p = r["exact"]["predictor"]
# Not predicted: the first 4, and 2 behind the first jump back. Incorrect in each later round: the jump,
# since strides come before it, and the third stride, since a jump came after two of them last time.
assert p == {"correct": 996 / 1200, "incorrect": 198 / 1200, "not_predicted": 6 / 1200}, p
END
expect 0 "$OCTRACE" fidelity loop loop
contains out '^exact loop, lossy loop$'
contains out '^addresses  *1200  *1200  *+0$'
contains out '^largest difference +0.000, mean 0.000 percentage points$'
expect 0 "$OCTRACE" fidelity --sets 2 --ways 3 --csv - loop loop
contains out '^measure,sets,ways,exact,lossy,difference$'
contains out '^addresses,,,1200,1200,0$'
contains out '^miss_ratio,2,3,1,1,0$'
contains out '^miss_ratio_full,1,16,0.01,0.01,0$'
[ "$(grep -c '^miss_ratio,' out)" -eq 3 ] || die "rows: $(cat out)"

# Other lengths and other addresses.
raw other '[64 * (i % 6) for i in range(600)]'
expect 0 "$OCTRACE" fidelity --sets 1..2 --ways 6 --json loop other
[ "$(value out 'r["same_length"], r["lossy"]["addresses"], r["curves"][0]["largest_difference"], r["curves"][0]["at_ways"]')" = \
  "False 600 -0.99 6" ] || die "$(cat out)"
expect 0 "$OCTRACE" fidelity loop other
contains out 'not the same length'
contains out '^distinct blocks  *12  *6  *-6$'
expect 0 "$OCTRACE" fidelity --limit 500 --json loop other
[ "$(value out 'r["same_length"], r["exact"]["addresses"]')" = "True 500" ] || die "limit"

# The same addresses in other files: a pipe, packed, a trace of each kind.
zstd -q loop
"$OCTRACE" convert --from da64 loop loop.oct
"$OCTRACE" convert --from da64 --to vpc3 loop loop.vpc3
"$OCTRACE" convert --from da64 --to da loop loop.txt
mkfifo pipe
expect 0 "$OCTRACE" fidelity --json loop loop.zst
[ "$(value out 'r["mean_difference"], r["lossy"]["blocks"]')" = "0.0 12" ] || die "packed"
cat loop >pipe &
expect 0 "$OCTRACE" fidelity --json pipe loop
wait
[ "$(value out 'r["mean_difference"], r["exact"]["addresses"]')" = "0.0 1200" ] || die "pipe"
"$OCTRACE" fidelity --json loop - <loop >out
[ "$(value out 'r["lossy"]["addresses"]')" = 1200 ] || die "standard input"
expect 0 "$OCTRACE" fidelity --json loop loop.vpc3
[ "$(value out 'r["same_length"], r["mean_difference"]')" = "True 0.0" ] || die "vpc3"
expect 0 "$OCTRACE" fidelity --json --take data loop loop.oct
[ "$(value out 'r["same_length"], r["mean_difference"]')" = "True 0.0" ] || die "native"
expect 0 "$OCTRACE" fidelity --json loop loop.oct
[ "$(value out 'r["lossy"]["addresses"]')" = 2400 ] || die "both kinds"
expect 0 "$OCTRACE" fidelity --json --lossy-from da loop loop.txt
[ "$(value out 'r["same_length"], r["mean_difference"]')" = "True 0.0" ] || die "text"

# What a pipe brings is recognised as in a file, also a trace of as many bytes as addresses may have.
n=10
until "$OCTRACE" convert --block-insns $n loop.oct even.oct && [ $(($(wc -c <even.oct) % 8)) -eq 0 ]; do
  n=$((n + 1))
done
for file in loop loop.oct even.oct loop.txt loop.vpc3 loop.zst; do
  expect 0 "$OCTRACE" fidelity --sets 2 --ways 3 --csv - loop $file
  mv out want
  expect 0 "$OCTRACE" fidelity --sets 2 --ways 3 --csv - loop - <pipe &
  cat $file >pipe
  wait $! || die "$file from a pipe"
  cmp out want || die "$file is something else from a pipe"
done

# And in files of codecs: addresses, (PC, address) records, a trace; with streams apart; in a pipe.
"$OCTRACE" compress --codec bytesort --input addresses -o loop.octc loop 2>err
"$OCTRACE" compress --codec vpc3 --apart -o records.octc loop.vpc3 2>err
"$OCTRACE" compress --codec vpc3 -o trace.octc loop.oct 2>err
"$OCTRACE" compress --codec atc-lossy:interval=120 --input addresses -o lossy.octc loop 2>err
"$OCTRACE" compress --codec plain --input records -o bytes.octc loop 2>err
for file in loop.octc records.octc lossy.octc; do
  expect 0 "$OCTRACE" fidelity --sets 2..16 --json loop $file
  [ "$(value out 'r["same_length"], r["mean_difference"], r["lossy"]["blocks"]')" = "True 0.0 12" ] ||
    die "$file"
done
expect 0 "$OCTRACE" fidelity --sets 2..16 --json --take data loop trace.octc
[ "$(value out 'r["same_length"], r["mean_difference"]')" = "True 0.0" ] || die "trace.octc"
expect 0 "$OCTRACE" fidelity --sets 2..16 --json trace.octc loop.oct
[ "$(value out 'r["exact"]["addresses"], r["mean_difference"]')" = "2400 0.0" ] || die "both kinds"
cat loop.octc >pipe &
expect 0 "$OCTRACE" fidelity --sets 2..16 --json loop pipe
wait
[ "$(value out 'r["mean_difference"], r["lossy"]["addresses"]')" = "0.0 1200" ] || die "codec's pipe"
refuse 4 "$OCTRACE" fidelity loop bytes.octc
contains err 'bytes.octc: expected 64-bit addresses, .*, found records of 1 byte$'
head -c 500 trace.octc >short.octc
refuse 4 "$OCTRACE" fidelity loop short.octc
contains err 'short.octc: offset 500: '
rm records.octc.2
refuse 4 "$OCTRACE" fidelity loop records.octc
contains err 'records.octc.2'
rm ./*.octc ./*.octc.*

# With octrace filter: blocks, and the events of the same misses, are the same addresses.
direct='--icache off --dcache ways=1 --limit 300000'
# shellcheck disable=SC2086 # options
"$OCTRACE" filter $direct --to blocks "$SAMPLES/cjpeg.oct" misses 2>err
# shellcheck disable=SC2086
"$OCTRACE" filter $direct "$SAMPLES/cjpeg.oct" misses.oct 2>err
expect 0 "$OCTRACE" fidelity --json --take data misses misses.oct
[ "$(value out 'r["largest_difference"], r["same_length"]')" = "0.0 True" ] || die "misses"
# What missed in a direct-mapped cache misses there again: nothing else ever takes its place.
[ "$(value out '[c["exact"][0] for c in r["curves"] if c["sets"] == 512][0]')" = 1.0 ] ||
  die "misses hit the cache they come from"

# The predictor's parameters.
expect 0 "$OCTRACE" fidelity --json --key 1 --history 3 --index 1 --zone-bytes 1048576 --line-bytes 32 loop other
[ "$(value out 'r["line_bytes"], r["exact"]["blocks"]')" = "32 12" ] || die "parameters"

# Plots.
for kind in svg png pdf; do
  expect 0 "$OCTRACE" fidelity --plot plot.$kind loop other
done
expect 0 "$OCTRACE" fidelity --sets 2..8 --plot ranges.html loop other
contains ranges.html '<footer.*--sets 2\.\.8'
rm ranges.html
expect 0 "$OCTRACE" fidelity --plot page.html loop other
for text in '<!DOCTYPE html>' 'prefers-color-scheme:dark' '<footer.*octrace fidelity --plot page.html loop other' 'points</text>'; do
  contains page.html "$text"
done
contains page.html '<th>correct</th><th>incorrect</th><th>not predicted</th>'
/usr/bin/python3 -B - "$SAMPLES/../../tools" <<'END' || die "colours"
import sys
sys.path.insert(0, sys.argv[1])
import matplotlib.colors, plot_fidelity
def luminance(colour):
    lines = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in matplotlib.colors.to_rgb(colour)]
    return 0.2126 * lines[0] + 0.7152 * lines[1] + 0.0722 * lines[2]
for n in (1, 2, 19):  # on a page's light and dark ground
    for colour in plot_fidelity.colours_of(n):
        light, dark = 1.05 / (luminance(colour) + 0.05), (luminance(colour) + 0.05) / (luminance("#191b1d") + 0.05)
        assert light > 2 and dark > 2, (n, colour, light, dark)
axis = plot_fidelity.plt.figure().add_subplot()
rates = {"predictor": {"correct": 0.5, "incorrect": 0.3, "not_predicted": 0.2}}
plot_fidelity.draw_predictor(axis, {"exact": rates, "lossy": rates})
colours = {bars.get_label(): matplotlib.colors.to_rgb(bars.patches[0].get_facecolor()) for bars in axis.containers}
(red, green, _), (other_red, other_green, _) = colours["correct"], colours["incorrect"]
assert green > red and other_red > other_green and len(colours) == 3, colours
END
[ "$(grep -c '<svg' page.html)" -ge 3 ] || die "plots are missing on the page"
contains plot.svg '<svg'
contains plot.pdf '^%PDF'
[ "$(head -c 4 plot.png | tail -c 3)" = PNG ] || die "no PNG"

# An ATC directory: without loss nothing differs; where all intervals look alike, much does.
raw exact '[64 * (i % 4 if i < 2000 else i * i % 977) for i in range(4000)]'
expect 0 "$BIN2ATC" -c kept <exact
expect 0 "$BIN2ATC" -k -L 500 -e 2 lossy <exact
expect 0 "$OCTRACE" fidelity --sets 1..64 --ways 8 --json exact kept
[ "$(value out 'r["lossy"]["addresses"], r["largest_difference"] == 0')" = "4000 True" ] || die "$(cat out)"
expect 0 "$OCTRACE" fidelity --sets 1..64 --ways 8 --json exact lossy
[ "$(value out 'r["lossy"]["addresses"], r["largest_difference"] != 0')" = "4000 True" ] ||
  die "$(cat out)"
rm kept/1.bz2
refuse 4 "$OCTRACE" fidelity exact kept
contains err '^octrace: kept/1.bz2: '

# What is wrong.
rm -rf ./*
raw loop '[64 * i for i in range(30)]'
refuse 2 "$OCTRACE" fidelity loop
refuse 2 "$OCTRACE" fidelity loop loop loop
refuse 2 "$OCTRACE" fidelity - -
refuse 2 "$OCTRACE" fidelity --csv - --json loop loop
refuse 2 "$OCTRACE" fidelity --plot plot.jpg loop loop
contains err "'plot.jpg': expected a name in .svg, .png, .pdf or .html"
refuse 2 "$OCTRACE" fidelity --take all loop loop
for sets in 0 3 2..3 8..2 2.. x 1..99999999999; do
  refuse 2 "$OCTRACE" fidelity --sets $sets loop loop
done
refuse 2 "$OCTRACE" fidelity --ways 0 loop loop
refuse 2 "$OCTRACE" fidelity --ways 5000 loop loop
refuse 2 "$OCTRACE" fidelity --line-bytes 48 loop loop
refuse 2 "$OCTRACE" fidelity --index 3 loop loop
refuse 2 "$OCTRACE" fidelity --history 1 loop loop
refuse 2 "$OCTRACE" fidelity --key 9 loop loop
refuse 2 "$OCTRACE" fidelity --zone-bytes 32 loop loop
refuse 2 "$OCTRACE" fidelity --from frob loop loop
refuse 4 "$OCTRACE" fidelity none loop
contains err '^octrace: none: '
refuse 4 "$OCTRACE" fidelity loop none
refuse 4 "$OCTRACE" fidelity --plot nowhere/x.svg loop loop
mkdir folder
refuse 4 "$OCTRACE" fidelity loop folder
rmdir folder
: >empty
refuse 4 "$OCTRACE" fidelity loop empty
contains err '^octrace: empty: .*found none'
{ cat loop && printf abc; } >shorn
refuse 4 "$OCTRACE" fidelity --plot x.svg loop shorn
contains err '^octrace: shorn: offset 240'
rm empty shorn
only loop
