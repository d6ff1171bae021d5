#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh - octrace bench: rows, totals, CSV, JSON, what does not fit, bad input.
. "$TOOLS/lib.sh"

tiny_trace 2000 >t.txt
tiny_trace 500 >u.txt
"$OCTRACE" compress --codec plain:stage=none --input mem -o m.octc t.txt 2>err
"$OCTRACE" decompress -o m.vpc3 m.octc
expect 0 "$OCTRACE" bench --repeat 2 --codec vpc3:stage=zstd --codec plain:stage=gzip --csv b.csv \
  t.txt u.txt m.vpc3
[ "$(grep -c '^  vpc3:stage=zstd' out)" -eq 4 ] || die "not three files and a total"
[ "$(wc -l <b.csv)" -eq 9 ] || die "not a head, 6 rows, 2 totals in the CSV"
contains b.csv '^"all","vpc3:stage=zstd",'
expect 0 "$OCTRACE" bench --repeat 1 --json --input trace --codec vpc3 t.txt
contains out '"codec": "tracer paper"'
contains out '"geometric_mean_ratio"'
contains out '"instructions": 8000'
# All codecs, and a tracer, which takes whole traces whatever the others take.
expect 0 "$OCTRACE" bench --repeat 1 --csv all.csv u.txt
contains out '^  tracer paper '
[ "$(sed -n 's/^"all","\([a-z0-9-]*\)",.*/\1/p' all.csv | tr '\n' ' ')" = \
  "$("$OCTRACE" list codecs | sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p' | tr '\n' ' ')" ] || die "$(cat all.csv)"
[ "$(sed -n 's/^"u.txt","tracer paper",\([0-9]*\),.*/\1/p' all.csv)" -eq $((4 * (2000 + 1000))) ] ||
  die "raw bytes of the tracer: $(cat all.csv)"
expect 0 "$OCTRACE" bench --repeat 1 m.vpc3
contains out '^  tracer paper .*no events'
# What a lossy codec reaches is not taken for what the others do.
expect 0 "$OCTRACE" bench --repeat 1 --codec atc-lossy:interval=100 --codec bytesort --csv l.csv t.txt
[ "$(grep -c '^  atc-lossy:interval=100 (lossy) ' out)" -eq 2 ] || die "not marked: $(cat out)"
[ "$(grep -c '(lossy)' out)" -eq 2 ] || die "others are marked: $(cat out)"
[ "$(grep -c '^"[a-z.]*","atc-lossy.*,false,' l.csv)" -eq 2 ] || die "$(cat l.csv)"
[ "$(grep -c '^"[a-z.]*","bytesort.*,true,' l.csv)" -eq 2 ] || die "$(cat l.csv)"
expect 0 "$OCTRACE" bench --repeat 1 --json --input trace --codec atc-lossy:interval=100 t.txt
contains out '"lossless": false'
contains out '"lossless": true'
# 64-bit addresses alone, and records that fit nothing.
expect 0 "$OCTRACE" bench --repeat 1 --codec 'vpc:spec=64: L1=1, L2=64: DFCM1[2]' \
  --codec 'vpc:spec=16: L1=1, L2=64: FCM1[2]' t.txt
contains out 'takes records of 2 bytes'
expect 0 "$OCTRACE" bench --repeat 1 --input trace --codec vpc3 m.vpc3
contains out 'no events'
# A file of 64-bit addresses, a part of records, a pipe, and noise that one repetition cannot tell.
tail -c +5 m.vpc3 >addresses
expect 0 "$OCTRACE" bench --repeat 2 --json --input addresses --codec bytesort --codec vpc3 addresses
contains out '"records": 6000'
contains out '"raw_bytes": 48000'
contains out 'takes records of 12 bytes in 2 fields'
head -c 7 addresses >shorn
refuse 4 "$OCTRACE" bench --repeat 1 --input addresses --codec bytesort shorn
expect 0 "$OCTRACE" bench --repeat 1 --json --skip 5 --limit 10 --codec plain m.vpc3
contains out '"raw_bytes": 120'
contains out '"compress_noise": null'
cat m.vpc3 | expect 0 "$OCTRACE" bench --repeat 1 --codec plain -
"$OCTRACE" convert t.txt t.oct
cat t.oct | expect 0 "$OCTRACE" bench --repeat 1 --codec plain -
refuse 2 "$OCTRACE" bench
expect 0 "$OCTRACE" bench --repeat 1 --timer cpu --codec vpc3 t.txt
refuse 2 "$OCTRACE" bench --timer sun t.txt
refuse 2 "$OCTRACE" bench --repeat 0 t.txt
refuse 2 "$OCTRACE" bench --codec none t.txt
refuse 2 "$OCTRACE" bench --input vpc3 t.txt
refuse 4 "$OCTRACE" bench missing
refuse 4 "$OCTRACE" bench --repeat 1 --codec vpc3 --csv none/x.csv t.txt

# The picture, where it can be drawn, and one line where not.
plot() {
  "$TOOLS/../../scripts/study" plot-bench "$@"
}
if /usr/bin/python3 -c 'import matplotlib' 2>err; then
  expect 0 plot l.csv l.svg
  contains l.svg 'atc-lossy:interval=100 (lossy)'
  printf '\377\376' >no-table
  sed 's/compress_MB_s/speed/' l.csv >no-column
  for wrong in "missing x.svg" "l.csv none/x.svg" "l.csv x.xyz" "no-table x.svg" "no-column x.svg" \
    "l.csv x.svg nothing"; do
    # shellcheck disable=SC2086 # a list of arguments
    expect 1 plot $wrong
    [ "$(wc -l <err)" -eq 1 ] || die "not one line: $wrong: $(cat err)"
    grep -q '^plot-bench: ' err || die "not by plot-bench: $(cat err)"
  done
  [ ! -e x.svg ] || die "x.svg was written"
  ln -s nothing.svg link.svg
  mkdir folder.svg
  expect 1 plot l.csv link.svg
  contains err '^plot-bench: link.svg: a link that leads nowhere$'
  expect 1 plot l.csv folder.svg
  contains err '^plot-bench: folder.svg: a folder; expected a file$'
  [ -L link.svg ] && [ ! -e nothing.svg ] && [ -z "$(ls folder.svg)" ] || die "something was written there"
  rm -r link.svg folder.svg
  # Many codecs of like figures: no label stands on another, on a point or beyond the axes.
  awk 'BEGIN {
    print "file,codec,raw_bytes,ratio,geometric_mean_ratio,compress_MB_s,compress_noise,decompress_MB_s,decompress_noise,lossless"
    for (i = 0; i < 24; i++)
      printf "all,codec:of=a,rather,long,name=%d,1,%g,,%g,,%g,,true\n", i, i < 16 ? 95 + i * 7 % 29 : i, 5 + i % 5 * 9, 90 - i % 7 * 8
  }' | sed 's/codec:of=a,rather,long,name=\([0-9]*\)/"codec:of=a,rather,long,name=\1"/' >many.csv
  cat >labels.py <<'END_PYTHON'
import importlib.util, os, sys
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

def look(figure, *_, **__):
    renderer = figure.canvas.get_renderer()
    for axis in figure.axes:
        labels = [a for a in axis.texts if isinstance(a, Annotation) and a.get_text()]
        boxes = [a.get_window_extent(renderer) for a in labels]
        at = [axis.transData.transform(a.xy) for a in labels]
        points = [Bbox.from_bounds(x - 3, y - 3, 6, 6) for x, y in at]
        assert len(boxes) == 24, len(boxes)
        for i, box in enumerate(boxes):
            assert axis.bbox.x0 < box.x0 and box.x1 < axis.bbox.x1, labels[i]
            assert axis.bbox.y0 < box.y0 and box.y1 < axis.bbox.y1, labels[i]
            for other in boxes[i + 1:] + points:
                assert not box.overlaps(other), (labels[i], other)
    print("looked")

Figure.savefig = look
sys.path.insert(0, os.path.dirname(sys.argv[1]))
spec = importlib.util.spec_from_file_location("plot_bench", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
module.plot("many.csv", "many.svg")
END_PYTHON
  expect 0 env PYTHONPATH="$TOOLS/../../scripts" /usr/bin/python3 labels.py "$TOOLS/../../scripts/tables/plot-bench.py"
  contains out looked
fi
