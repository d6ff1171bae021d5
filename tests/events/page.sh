#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# page.sh - does the page of events tell times apart, and follow keys, mouse and fingers? Chromium runs it.
. "$(dirname "$0")/../tools/lib.sh"

command -v chromium >found || exit 77

# calls FIRST LENGTH TIMES CLOCK: so many calls in a row, each of LENGTH ticks.
calls() {
  awk -v t="$1" -v length_of="$2" -v n="$3" -v clock="$4" 'BEGIN {
    if (clock) print "# ticks_per_second " clock
    for (i = 0; i < n; i++) {
      printf "%d a enter f\n", t
      printf "%d a leave f\n", t + length_of
      t += 2 * length_of
    }
  }'
}

# What is drawn, in a list; and a finger that the browser knows of.
hook='<script>
const drawn = [];
CanvasRenderingContext2D.prototype.fillText = function (text) { drawn.push(text); };
HTMLCanvasElement.prototype.setPointerCapture = () => {};
</script>'

# said NAME SCRIPT: what the script makes of the page of NAME.txt; `marks()` are the labels of its axis.
said() {
  "$OCTRACE" events compress "$1.txt" -o "$1.octev" >out
  "$OCTRACE" events patterns --html "$1.html" "$1.octev" >out
  {
    echo "$hook"
    cat "$1.html"
    cat <<END
<script>
const marks = () => { drawn.length = 0; draw(); return drawn.slice(0, drawn.length - data.lanes.length); };
const press = key => canvas.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
const point = (kind, pointerId, x) => canvas.dispatchEvent(new PointerEvent("pointer" + kind,
  { pointerId, clientX: canvas.getBoundingClientRect().left + x, clientY: canvas.getBoundingClientRect().top + 5 }));
const says = (() => { $2 })();
document.body.textContent = "said:" + says + ":said";
</script>
END
  } >probed.html
  timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
    --window-size=1200,600 --dump-dom "file://$work/probed.html" >dom 2>console || die "chromium: $(cat console)"
  sed -n 's/.*said:\(.*\):said.*/\1/p' dom
}

# is WHAT FOUND EXPECTED
is() {
  [ "$2" = "$3" ] || die "$1: '$2', not '$3'"
}

# A time line of one tick has two marks, whether or not a clock is known.
calls 5 1 1 0 >tick.txt
is 'one tick' "$(said tick 'return marks().join() + document.getElementById("sum").textContent;')" \
  '0 ticks,1 tick2 events of 1 thread over 1 tick; 0 repeated call sequences listed'
calls 5 1 1 1000 >ms.txt
is 'one tick of 1 ms' "$(said ms 'return marks().join();')" '0 ms,1 ms'

# However far the reader goes into a long trace, the marks are of different times.
calls 0 50 400000 1000000000 >long.txt
is 'marks of a long trace' "$(said long '
  let same = 0, few = 0;
  for (let i = 0; i < 100; i++) {
    const m = marks();
    same += new Set(m).size !== m.length;
    few += m.length < 2;
    zoom(0.8, to - (to - from) / 3);
  }
  return [same, few, to - from].join();')" '0,0,8'

calls 0 50 1000 1000000000 >keys.txt
is 'keys' "$(said keys '
  const at = () => [from, to].map(Math.round).join("-");
  const all = at(), out = [];
  press("+"); press("ArrowUp"); out.push(at());
  press("ArrowRight"); out.push(at()); press("ArrowLeft"); press("ArrowLeft"); out.push(at());
  press("End"); out.push(at()); press("-"); press("ArrowDown"); press("ArrowDown"); out.push(at() === all);
  press("+"); press("Home"); out.push(at() === all); press("x"); out.push(at() === all);
  return out.join();')" '17991-81959,25987-89955,9995-73963,35982-99950,true,true,true'

# One finger moves, two zoom about their middle, a cancelled one is forgotten, and a finger that only
# passes over tells what is below it.
is 'fingers' "$(said keys '
  const out = [], room = width - left;
  point("down", 1, left + room * 0.4); point("down", 2, left + room * 0.6);
  point("move", 1, left + room * 0.3); point("move", 2, left + room * 0.7);
  const narrow = to - from;
  out.push(Math.round(data.span / narrow * 10));
  point("cancel", 2, 0);
  const before = from;
  point("move", 1, left + room * 0.4);
  out.push(Math.round((before - from) / narrow * 10));
  point("up", 1, 0);
  const still = from;
  point("move", 1, left + room * 0.5);
  out.push(from === still, tip.textContent.startsWith("a: f, "));
  return out.join();')" '20,1,true,true'

# Names of any length leave room for the numbers beside them: the table fits, and no name is cut.
calls 0 50 1000 1000000000 | sed "s/ f$/ solver::detail::$(printf 'very_%.0s' $(seq 40))long_name(std::vector<int> const\\&)/" >names.txt
is 'long names' "$(said names '
  const table = document.querySelector(".table"), tree = document.querySelector("pre");
  return [table.scrollWidth <= table.clientWidth, tree.scrollWidth <= tree.clientWidth,
    tree.textContent.includes("long_name")].join();')" 'true,true,true'
