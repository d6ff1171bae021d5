// SPDX-License-Identifier: Apache-2.0
// page.js - the page of octrace events patterns --html: the patterns on a time line and in a table.
// `data` stands before it. Times are in ticks of data.clock a second, 0 = not known.
const canvas = document.getElementById('line'), x = canvas.getContext('2d');
const tip = document.getElementById('tip'), hint = tip.textContent;
const span = data.span || 1, row = 24, foot = 22;
let left = 100, width = 600, from = 0, to = span;
const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
// The first patterns in colours that all readers tell apart, all others in greys; what is disturbed
// is not told by a colour but by a notched edge.
const palette = ['#0072b2', '#e69f00', '#009e73', '#56b4e9', '#cc79a7', '#b8a800', '#7a5195'];
const colour = g => palette[g] || `hsl(0,0%,${45 + (g * 37) % 30}%)`;
const units = [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']];
const count = n => n.toLocaleString('en-US'); // as in the other pages: 1,234,567
// A time in the unit that fits its size, or that of another time.
function time(ticks, like = ticks) {
  if (!data.clock) return `${count(Math.round(ticks))} tick${Math.round(ticks) === 1 ? '' : 's'}`;
  const unit = units.find(u => Math.abs(like) / data.clock >= u[0]) || units[3];
  return `${+(ticks / data.clock / unit[0]).toPrecision(4)} ${unit[1]}`;
}
const place = t => left + (t - from) / (to - from) * (width - left);
const tickAt = px => from + (px - left) / (width - left) * (to - from);
// A name in the room there is, cut in its middle.
function fit(text, room) {
  if (x.measureText(text).width <= room) return text;
  let n = text.length;
  const cut = () => text.slice(0, Math.ceil(n / 2)) + '…' + text.slice(text.length - Math.floor(n / 2));
  while (n > 2 && x.measureText(cut()).width > room) n--;
  return cut();
}
// The time of a mark, with the digits that tell it from the next one.
function label(t, step) {
  if (!data.clock) return time(t);
  const least = Math.max(step, to / 1000) / data.clock, unit = units.find(u => least >= u[0]) || units[3];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / data.clock / unit[0]) - 1e-6));
  return `${(t / data.clock / unit[0]).toFixed(digits)} ${unit[1]}`;
}
// Marks of 1, 2 or 5 times a power of ten ticks, as far apart as their labels need.
function stepFor(room) {
  const least = Math.max(1, (to - from) / (width - left) * room), ten = 10 ** Math.floor(Math.log10(least));
  return ten * [1, 2, 5, 10].find(k => ten * k >= least);
}
function drawAxis(bottom) {
  let step = stepFor(90);
  step = stepFor(Math.max(90, x.measureText(label(to, step)).width + 24));
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
    const p = place(t), text = label(t, step), w = x.measureText(text).width;
    x.fillStyle = style('--grid');
    x.fillRect(p, 0, 1, bottom);
    x.fillStyle = style('--ink');
    x.fillRect(p, bottom, 1, 4);
    x.fillText(text, Math.min(Math.max(p - w / 2, left), width - w), bottom + 17);
  }
}
function drawLane(lane, y) {
  for (const [start, length, group, , disturbed] of lane.boxes) {
    const p = place(start), q = place(start + length);
    if (q < left || p > width) continue;
    const l = Math.max(p, left), w = Math.max(q - l, 0.7);
    x.fillStyle = colour(group);
    x.fillRect(l, y, w, row - 4);
    if (!disturbed) continue;
    x.fillStyle = style('--paper');
    for (let n = l + 1; n < l + w; n += 6) x.fillRect(n, y, 3, 4);
  }
  x.fillStyle = style('--paper');
  x.fillRect(0, y - 2, left, row);
  x.fillStyle = style('--ink');
  x.fillText(fit(lane.name, left - 8), 2, y + 14);
}
function draw() {
  const scale = window.devicePixelRatio || 1, bottom = row * data.lanes.length;
  width = canvas.parentNode.clientWidth;
  canvas.width = width * scale;
  canvas.height = (bottom + foot) * scale;
  canvas.style.width = width + 'px';
  canvas.style.height = bottom + foot + 'px';
  x.setTransform(scale, 0, 0, scale, 0, 0);
  x.font = '12px sans-serif';
  const widest = Math.max(...data.lanes.map(l => x.measureText(l.name).width), 0) + 10;
  left = Math.min(widest, width * 0.3);
  drawAxis(bottom);
  data.lanes.forEach((lane, i) => drawLane(lane, i * row + 2));
}
function show(a, b) {
  const w = Math.min(Math.max(b - a, 8), span);
  from = Math.max(0, Math.min(a, span - w));
  to = from + w;
  draw();
}
const zoom = (factor, t) => show(t - (t - from) * factor, t + (to - t) * factor);
function tell(px, py) {
  const lane = data.lanes[Math.floor(py / row)], t = tickAt(px), slack = (to - from) / width;
  const box = lane && lane.boxes.find(b => t >= b[0] - slack && t <= b[0] + b[1] + slack);
  tip.textContent = box ? `${lane.name}: ${data.names[box[2]] || 'group ' + (box[2] + 1)}, ${box[3]} ` +
    `occurrence${box[3] === 1 ? '' : 's'} (${box[4]} disturbed) from ${time(box[0])}, ${time(box[1])}` : hint;
}
canvas.onwheel = e => { e.preventDefault(); zoom(e.deltaY < 0 ? 0.8 : 1.25, tickAt(e.offsetX)); };
canvas.ondblclick = () => show(0, span);
// Mouse, pen and fingers: one moves, two zoom about their middle.
const pointers = new Map();
canvas.onpointerdown = e => {
  canvas.setPointerCapture(e.pointerId);
  pointers.set(e.pointerId, e.offsetX);
  tell(e.offsetX, e.offsetY);
};
canvas.onpointerup = canvas.onpointercancel = e => pointers.delete(e.pointerId);
canvas.onpointermove = e => {
  if (!pointers.has(e.pointerId)) return tell(e.offsetX, e.offsetY);
  const before = [...pointers.values()];
  pointers.set(e.pointerId, e.offsetX);
  const now = [...pointers.values()];
  if (now.length === 1) {
    const d = (before[0] - now[0]) / (width - left) * (to - from);
    return show(from + d, to + d);
  }
  const gap = p => Math.max(Math.abs(p[0] - p[1]), 10);
  zoom(gap(before) / gap(now), tickAt((now[0] + now[1]) / 2));
};
canvas.onkeydown = e => {
  const d = (to - from) / 8, middle = (from + to) / 2;
  const act = { ArrowLeft: () => show(from - d, to - d), ArrowRight: () => show(from + d, to + d),
    ArrowUp: () => zoom(0.8, middle), ArrowDown: () => zoom(1.25, middle), '+': () => zoom(0.8, middle),
    '-': () => zoom(1.25, middle), Home: () => show(0, span), End: () => show(span - (to - from), span) }[e.key];
  if (act) { e.preventDefault(); act(); }
};
document.getElementById('title').textContent = data.title;
document.getElementById('sum').textContent = `${count(data.events)} events of ${data.lanes.length} ` +
  `thread${data.lanes.length === 1 ? '' : 's'} over ${time(data.span)}; ${data.groups.length} repeated ` +
  `call sequence${data.groups.length === 1 ? '' : 's'} listed`;
const shown = v => typeof v === 'number' ? count(v) : v;
const list = document.getElementById('list');
data.groups.forEach((g, i) => {
  const cells = list.insertRow(), key = document.createElement('span'), tree = document.createElement('pre');
  key.className = 'key';
  key.style.background = colour(i);
  cells.insertCell().append(key);
  tree.textContent = g.tree;
  cells.insertCell().append(tree);
  for (const v of [time(g.covered), g.occurrences, g.order, g.patterns, time(g.mean), time(g.median),
    time(g.p90), time(g.p99), time(g.min), time(g.max), g.disturbed]) cells.insertCell().textContent = shown(v);
});
if (data.groups.length > 1) {
  const sum = list.insertRow(), add = f => data.groups.reduce((a, g) => a + f(g), 0);
  sum.className = 'total';
  for (const v of ['', 'all listed', time(add(g => g.covered)), add(g => g.occurrences), '',
    add(g => g.patterns), '', '', '', '', '', '', add(g => g.disturbed)]) sum.insertCell().textContent = shown(v);
}
list.parentNode.hidden = !data.groups.length;
document.getElementById('made').textContent = data.made;
matchMedia('(prefers-color-scheme: dark)').onchange = draw;
onresize = draw;
draw();
