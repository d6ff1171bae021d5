#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sweep-front.sh - which geometries of a sweep are worth their state, in the table and in the picture.
. "$(dirname "$0")/lib.sh"

tiny_trace 700 >a.txt
tiny_trace 1500 >b.txt
"$OCTRACE" convert --isa arm a.txt a.oct
"$OCTRACE" convert --isa arm b.txt b.oct
rm a.txt b.txt

# What lost events is not on the front, small as it is; where all did, the front is among them.
expect 0 "$OCTRACE" sweep --engine cycle --pareto -g port_pins=32 -a data_fifo_depth=1,2,4 --limit 2000 b.oct
[ "$(column overflows out | awk '{ print ($1 > 0) }' | xargs)" = '1 0 0' ] || die "not the losses wanted"
[ "$(column pareto out | xargs)" = '0 1 0' ] || die "front: $(column pareto out | xargs)"
expect 0 "$OCTRACE" sweep --engine cycle --pareto -a data_fifo_depth=1 -a port_pins=1,2,8 --limit 2000 b.oct
[ "$(column pareto out | xargs)" = '0 0 1' ] || die "front of what lost: $(column pareto out | xargs)"

# What cannot be a picture.
refuse 2 "$OCTRACE" sweep --plot plot.jpg a.oct
refuse 2 "$OCTRACE" sweep --plot plot a.oct
cp a.oct a.svg
refuse 2 "$OCTRACE" sweep --plot a.svg a.svg
rm a.svg

/usr/bin/python3 -c 'import matplotlib' 2>/dev/null || exit 0

# The plot: a line for each number of ways, the front, its knee.
expect 0 "$OCTRACE" sweep -a sc_ways=1,2,4 -a sc_sets=1..64 --limit 5000 -o plot.csv --plot plot.svg a.oct b.oct
for text in 'sc_ways = 1' 'sc_ways = 4' 'Pareto front' 'sum of 2 traces' 'state, bytes'; do
  contains plot.svg "<!-- $text -->"
done
[ "$(grep -c '<!-- sc_ways = ' plot.svg)" -eq 3 ] || die "not a line for each number of ways"
expect 0 "$OCTRACE" sweep -o plot.csv --plot one.png a.oct # a single geometry has no line and no knee
rm plot.csv plot.svg one.png

# Both tracers in one picture.
mkdir suite
cp b.oct suite/one.oct
cp b.oct suite/two.oct
expect 0 "$SAMPLES/../../scripts/study" plot-tracers suite tracers.svg --limit 500
for text in 'paper: Pareto front' 'shadow: Pareto front' '.*2 programs together' 'paper: [0-9]* geometries'; do
  contains tracers.svg "<!-- $text -->"
done
[ "$(grep -c '^| `paper` ' out)" -ge 1 ] && [ "$(grep -c '^| `shadow` ' out)" -ge 1 ] || die "fronts: $(cat out)"
rm -r suite tracers.svg

# The front of the plot is that of the table, also as a single point; what lost events is hollow.
expect 0 "$OCTRACE" sweep --engine cycle --pareto --json -a port_pins=1,2,32 -a data_fifo_depth=1,8 --limit 2000 b.oct
mv out lossy.json
expect 0 "$OCTRACE" sweep --tracer shadow --pareto --json -a vc_sets=0,64 -a vc_ways=1,2 a.oct
/usr/bin/python3 -B - "$SAMPLES/../../tools" lossy.json out <<'END' || die "what is drawn is not what the table says"
import json, sys
sys.path.insert(0, sys.argv[1])
import plot_sweep
place = lambda row: (row["state_bytes"], row["port_bits_per_instruction"])
for name, some_lossy in zip(sys.argv[2:], (True, False)):
    rows = json.load(open(name))
    for row in rows:
        row["on_line"] = row["pareto"] and not row.get("overflows")
    names = [k for k in rows[0] if k in ("port_pins", "data_fifo_depth", "vc_sets", "vc_ways")]
    axis = plot_sweep.draw({"n_traces": 1, "parameters": names, "line": None, "rows": rows}).axes[0]
    lines = [(line, list(zip(*line.get_data()))) for line in axis.lines]
    front, = (points for line, points in lines if line.get_label() == "Pareto front")
    assert sorted(front) == sorted(place(row) for row in rows if row["pareto"]), (front, rows)
    hollow = [p for line, points in lines if line.get_markerfacecolor() == "none" and line.get_label()[0] == "_" for p in points]
    lossy = [place(row) for row in rows if row.get("overflows")]
    assert sorted(hollow) == sorted(lossy) and bool(lossy) == some_lossy, (hollow, lossy)
    for line, points in lines:  # what the legend shows is there
        assert line.get_linestyle() == "None" or len(points) > 1, line
END
rm lossy.json
