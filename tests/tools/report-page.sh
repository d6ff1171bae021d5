#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# report-page.sh - the page of octrace report: its plots, at two widths, in any style.
. "$(dirname "$0")/lib.sh"

tiny_trace 5000 >a.txt
"$OCTRACE" convert a.txt a.oct
"$OCTRACE" convert --limit 100 a.txt short.oct # within one window
rm a.txt
printf '# no instruction\n' >empty.txt

# The page. Chromium draws it at two widths and says nothing on its console.
/usr/bin/python3 -c 'import matplotlib' 2>/dev/null || exit 77
expect 0 "$OCTRACE" report --cycle-insns 2000 --html page.html a.oct short.oct
contains page.html 'a.oct: the alignment of instructions, 4 bytes, was found in the trace'
contains page.html 'data-plots="13"'
# Dark and printed as the reader has it; how it was made stands at the foot, words are explained, and
# what adds up is added up.
for text in '@media(prefers-color-scheme:dark)' '@media print' '<footer.*octrace [0-9.]*, 20[0-9-]*: <code>octrace report ' \
  'Geometry: addr_bits=32' '<dt>SCMT</dt>' 'THB' 'DASC' '<tr class="total"><td>all</td>'; do
  contains page.html "$text"
done
# The words are those of the tracer.
expect 0 "$OCTRACE" report --tracer raw --no-tracers --cycle-insns 100 --html raw.html short.oct
contains raw.html '<dt>data</dt><dd>data addresses and terminators</dd>'
! grep -qE 'SCMT|THB|DASC' raw.html || die "raw has words of paper"
rm raw.html
# Each logical stream that has bits has a colour of its own; the others are not in the plot.
streams=$("$OCTRACE" report --json --no-tracers --cycle-insns 100 a.oct | python3 -c 'import json, sys
print(sum(n > 0 for n in json.load(sys.stdin)[0]["total"]["port_bits_by_stream"].values()))')
colours=$(sed -n '/<svg/,/<\/svg>/p;/<\/svg>/q' page.html | grep -oE 'fill: #[0-9a-f]{6}' | sort -u | wc -l)
[ "$streams" -ge 4 ] && [ "$colours" -ge "$streams" ] || die "only $colours colours for $streams logical streams"
! grep -q '<td>trap<' page.html || die "a stream without bits is in the page"
! grep -qE '(src|href)="(https?:)?//' page.html || die "the page asks for the network"
refuse 4 timeout 60 "$OCTRACE" report --cycle-insns 100 --html /dev/full a.oct
contains err '/dev/full: cannot write'
expect 0 "$OCTRACE" report --from text --html empty.html empty.txt
rm empty.html
# Another Python that stands first in PATH changes nothing.
version=$(/usr/bin/python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
mkdir -p other/bin "other/lib/$version/lib-dynload"
printf '#!/bin/sh\nexit 1\n' >other/bin/python3
chmod +x other/bin/python3
touch "other/lib/$version/os.py"
cp a.oct '$\frac$.oct' # is no formula, least of all a bad one
expect 0 env PATH="$work/other/bin:$PATH" "$OCTRACE" report --cycle-insns 100 --limit 2000 --html names.html \
  '$\frac$.oct' a.oct
contains names.html '<text[^>]*>$\\frac$.oct<'
rm -r other names.html '$\frac$.oct'
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
for said in "1280: plots=13 filled=2 $readable" "400: plots=13 filled=2 $readable" "401: plots=6 filled=1 $readable"; do
  contains dom "$said"
done
