#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pages.sh - is the page of a report whole, and does it explain its words? Can every page that octrace writes be
# read, at 1200 and 400 pixels, light and dark? Chromium measures: nothing is wider than the page, no text of a
# plot is cut off, on another one, smaller than 9 pixels or too faint for what it stands on.
# No transcript: a browser measures, and without one the test is skipped.
. "$(dirname "$0")/lib.sh"

/usr/bin/python3 -c 'import matplotlib' 2>/dev/null && command -v chromium >found || exit 77
tiny_trace 5000 >a.txt
"$OCTRACE" convert a.txt a.oct
"$OCTRACE" convert --limit 100 a.txt short.oct # within one window
rm a.txt
printf '# no instruction\n' >empty.txt

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
name=a-trace-with-a-name-that-is-longer-than-a-plot-has-room-for.oct
mv a.oct "$name"
expect 0 "$OCTRACE" report --cycle-insns 2000 --html one.html "$name"

cp "$SAMPLES/sha1.oct" sha1-of-a-large-file.oct
"$OCTRACE" report --cycle-insns 20000 --html report.html --limit 100000 "$SAMPLES/cjpeg.oct" sha1-of-a-large-file.oct >out
python3 -c "import struct
for name, n in ('exact', 2000), ('lossy', 1500):
    open(name, 'wb').write(struct.pack('<2000Q', *(64 * (i * i % 977 if i < n else i % 7) for i in range(2000))))"
"$OCTRACE" fidelity --plot fidelity.html exact lossy >out
python3 -c "t = 0
for i in range(400):
    for name, enter in ('main_loop', 1), ('read_input', 1), ('read_input', 0), ('a_function_of_a_long_name', 1), \\
                       ('a_function_of_a_long_name', 0), ('main_loop', 0):
        t += 1000 + 37 * (i % 50 == 7)
        print(t, 'worker-%d' % (i % 3), 'enter' if enter else 'leave', name)" >events.txt
"$OCTRACE" events compress events.txt -o events.octev >out
contains out '^2400 events'
"$OCTRACE" events patterns --html events.html events.octev >out

timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
  --hide-scrollbars --enable-logging=stderr --window-size=1280,3000 \
  --screenshot="$work/page.png" "file://$work/page.html" 2>console || die "chromium: $(cat console)"
! grep ':CONSOLE' console || die "the console is not empty"
/usr/bin/python3 - <<'END' || die "the picture"
import matplotlib.image
picture = matplotlib.image.imread("page.png")[:, :, :3]
assert picture.shape[1] == 1280, picture.shape
assert (picture.max(axis=2) - picture.min(axis=2) > 0.3).sum() > 5000  # coloured plots
assert picture[:, -2:, :].min() > 0.9  # nothing runs over the right edge
END

cat >probe.html <<'END'
<script>
function channel(v) { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }
function luminance(c) { return 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]); }
function rgba(text) { // null where there is no colour
  const n = (text.match(/^rgba?\(([^)]*)\)/) || [, ""])[1].split(/[ ,/]+/).map(Number);
  return n.length < 3 ? null : [n[0], n[1], n[2], n.length > 3 ? n[3] : 1];
}
function over(top, below) { return [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1); }
const paper = rgba(getComputedStyle(document.body).backgroundColor);
// What a text stands on: the shapes and boxes below its middle, down to the first that hides the rest.
function ground(e, box) {
  const below = document.elementsFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  let stack = [], i = below.indexOf(e);
  for (const b of below.slice(i + 1)) {
    if (b.tagName == "text" || b.tagName == "tspan") continue;
    const style = getComputedStyle(b), is_shape = b instanceof SVGGeometryElement;
    const c = rgba(is_shape ? style.fill : b instanceof SVGElement ? "none" : style.backgroundColor);
    if (c && is_shape) c[3] *= parseFloat(style.fillOpacity) * parseFloat(style.opacity);
    if (c && c[3] > 0) stack.push(c);
    if (c && c[3] >= 1) break;
  }
  return stack.reverse().reduce((g, c) => over(c, g), paper);
}
// Of plots: how many there are, have an area over time from one side to the other (of a short trace too), have texts
// on each other, or a legend that is not above its axes.
function plots() {
  const svgs = [...document.querySelectorAll("figure svg")], width = e => e.getBoundingClientRect().width;
  let crossing = 0;
  for (const svg of svgs) {
    const boxes = [...svg.querySelectorAll("text")].filter(t => t.textContent.trim()).map(t => t.getBoundingClientRect());
    boxes.forEach((b, i) => boxes.slice(i + 1).forEach(c => {
      crossing += Math.min(b.right, c.right) - Math.max(b.left, c.left) > 2 &&
        Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top) > 4;
    }));
  }
  const whole = svgs.filter(s => width(s) > 250 && s.getBoundingClientRect().height > 100 &&
    s.querySelectorAll("path").length > 10 && s.querySelectorAll("text").length > 5).length;
  const filled = svgs.filter(s => [...s.querySelectorAll('[id*="PolyCollection"]')].some(a => width(a) > width(s) / 2)).length;
  const covering = svgs.filter(s => {
    const legend = s.querySelector('[id$="-legend_1"]'), axes = s.querySelector('[id$="-axes_1"] > g');
    return !legend || legend.getBoundingClientRect().bottom > axes.getBoundingClientRect().top + 1;
  }).length;
  return `plots=${whole} filled=${filled} crossing=${crossing} covering=${covering}`;
}
function measure() {
  let faint = [99, ""], small = [99, ""], clipped = [], n = 0;
  for (const e of document.querySelectorAll("body *:not(script):not(style)")) {
    const text = [...e.childNodes].filter(c => c.nodeType == 3 && c.data.trim()).map(c => c.data.trim()).join(" ");
    const box = e.getBoundingClientRect(), style = getComputedStyle(e);
    if (!text || !box.width || !box.height || style.visibility == "hidden") continue;
    const is_svg = e instanceof SVGElement, to = is_svg && e.getScreenCTM();
    const size = parseFloat(style.fontSize) * (to ? Math.hypot(to.a, to.b) : 1);
    const ink = over(rgba(is_svg ? style.fill : style.color), ground(e, box));
    const [a, b] = [luminance(ink), luminance(ground(e, box))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    n++;
    const plot = is_svg && (e.ownerSVGElement || e).getBoundingClientRect();
    if (plot && (box.top < plot.top - 1 || box.bottom > plot.bottom + 1 || box.left < plot.left - 1 ||
        box.right > plot.right + 1)) clipped.push(text);
    if (size < small[0]) small = [size, text];
    if (contrast < faint[0]) faint = [contrast, text + " " + ink.map(Math.round) + " on " + ground(e, box).map(Math.round)];
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  parent.postMessage(`${document.URL.replace(/.*\//, "").replace("-probed.html", "")} ${innerWidth} ${dark ? "dark" : "light"}: ` +
    `texts=${n > 20} wide=${document.documentElement.scrollWidth > innerWidth} ` +
    `cut=${[...document.querySelectorAll(".table")].filter(t => t.scrollWidth > t.clientWidth).length} ` +
    `clipped=${clipped.join()} small=${small[0] < 9} faint=${faint[0] < 4.5} ${plots()} (${small[0].toFixed(1)} px: ${small[1].slice(0, 40)}; ` +
    `${faint[0].toFixed(2)}: ${faint[1].slice(0, 90)})`, "*");
}
setTimeout(measure, 500);
</script>
END
{
  echo '<!DOCTYPE html><script>const said = [];'
  echo 'addEventListener("message", e => { said.push(e.data); document.title = said.sort().join(" | "); });</script>'
  for page in page one report fidelity events; do
    cat "$page.html" probe.html >"$page-probed.html"
    for width in 1200 400; do
      echo "<iframe src=\"$page-probed.html\" width=\"$width\" height=\"12000\" style=\"border:0\"></iframe>"
    done
  done
} >frames.html
for scheme in light dark; do
  [ $scheme = dark ] && number=0 || number=1
  timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
    --blink-settings=preferredColorScheme=$number --window-size=1400,3000 --virtual-time-budget=20000 \
    --dump-dom "file://$work/frames.html" >dom 2>console || die "chromium: $(cat console)"
  sed -n '/<title>/,/<\/title>/p' dom | tr '|' '\n'
  for page in page one report fidelity events; do
    for width in 1200 400; do
      # A table that is wider than its place is scrolled; on a large screen that of events alone.
      [ "$width" = 1200 ] && [ "$page" != events ] && cut=0 || cut='[0-9]*'
      case $page in
      page) plots='plots=13 filled=2 crossing=0 covering=0' ;;
      one) plots='plots=6 filled=1 crossing=0 covering=0' ;;
      *) plots= ;;
      esac
      contains dom "$page $width $scheme: texts=true wide=false cut=$cut clipped= small=false faint=false $plots"
    done
  done
done
