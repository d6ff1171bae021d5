#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pages.sh - can every page that octrace writes be read, at 1200 and 400 pixels, light and dark? Chromium
# measures: nothing is wider than the page, no text of a plot is cut off, smaller than 9 pixels or too
# faint for what it stands on.
. "$(dirname "$0")/lib.sh"

/usr/bin/python3 -c 'import matplotlib' 2>/dev/null && command -v chromium >found || exit 77
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
    `clipped=${clipped.join()} small=${small[0] < 9} faint=${faint[0] < 4.5} (${small[0].toFixed(1)} px: ${small[1].slice(0, 40)}; ` +
    `${faint[0].toFixed(2)}: ${faint[1].slice(0, 90)})`, "*");
}
setTimeout(measure, 500);
</script>
END
{
  echo '<!DOCTYPE html><script>const said = [];'
  echo 'addEventListener("message", e => { said.push(e.data); document.title = said.sort().join(" | "); });</script>'
  for page in report fidelity events; do
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
  for page in report fidelity events; do
    for width in 1200 400; do
      # A table that is wider than its place is scrolled; on a large screen that of events alone.
      [ "$width-$page" = 1200-report ] || [ "$width-$page" = 1200-fidelity ] && cut=0 || cut='[0-9]*'
      contains dom "$page $width $scheme: texts=true wide=false cut=$cut clipped= small=false faint=false"
    done
  done
done
