#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""report_html.py - the page of `octrace report --html`: its JSON from standard input, HTML out.

Plots are drawn by matplotlib and stand in the page as SVG, so that it works without a network.
"""
import html
import io
import json
import math
import re
import sys

import matplotlib

matplotlib.use("Agg")
# One size for all text, and text as text: a screen of 400 pixels leaves a plot about its WIDTH, so
# that no text is lower than 9 of them; on a wider one all is stretched (STYLE has the bounds).
matplotlib.rcParams.update({"svg.hashsalt": "octrace", "svg.fonttype": "none", "font.size": 10,
                            "axes.labelsize": 10, "xtick.labelsize": 10, "ytick.labelsize": 10,
                            "legend.fontsize": 10})
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

STYLE = """
body{font:16px/1.5 sans-serif;margin:0 auto;max-width:76rem;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.2rem;border-top:1px solid #ccc;padding-top:1rem;
overflow-wrap:anywhere}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1rem}
figure{margin:0;max-width:38rem}figure svg{display:block;width:100%;height:auto}
figcaption{font-size:.9rem;color:#444}@media(max-width:30rem){body{padding:0 .5rem}}
.table{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}
td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid #eee;white-space:nowrap}
td:first-child,th:first-child{text-align:left}
"""
WIDTH, NAME_CHARS = 5.4, 20  # inches; of a trace's name in a plot
STEPS = (1, 2, 5, 10)  # of the numbers along an axis
plots = 0


def add_legend(canvas, axes):
    """Above the axes, where it covers nothing. The share of the height that is left below it."""
    handles, labels = axes.get_legend_handles_labels()
    if not handles:
        return 1.0
    legend = canvas.legend(handles, labels, loc="upper center", ncol=min(len(handles), 4),
                           frameon=False, borderpad=0, borderaxespad=0.2, handlelength=1.2,
                           handletextpad=0.4, columnspacing=1.2)
    return legend.get_window_extent(canvas.canvas.get_renderer()).y0 / canvas.bbox.height


def figure(draw, caption, height=3.2):
    """One plot as an SVG figure, its ids made unique in the page."""
    global plots
    plots += 1
    canvas, axes = plt.subplots(figsize=(WIDTH, height))
    draw(axes)
    canvas.tight_layout(rect=(0, 0, 1, add_legend(canvas, axes)), pad=0.5)
    out = io.StringIO()
    canvas.savefig(out, format="svg", metadata={"Date": None})
    plt.close(canvas)
    svg = out.getvalue()
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>p{plots}-", svg)
    svg = re.sub(r'<svg [^>]*?(viewBox="[^"]*")[^>]*>',
                 rf'<svg xmlns="http://www.w3.org/2000/svg" '
                 rf'xmlns:xlink="http://www.w3.org/1999/xlink" role="img" '
                 rf'aria-label="{html.escape(caption, quote=True)}" \1>', svg, count=1)
    return f"<figure>{svg}<figcaption>{html.escape(caption)}</figcaption></figure>"


def table(head, rows):
    cells = lambda tag, row: "".join(f"<{tag}>{html.escape(str(c))}</{tag}>" for c in row)
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return (f'<div class="table"><table><thead><tr>{cells("th", head)}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>")


def per_insn(report):
    total = report["total"]
    insns = total["instructions"] or math.inf
    return {k: v / insns for k, v in total["port_bits_by_stream"].items()}


def draw_totals(reports):
    def draw(axes):
        left = [0.0] * len(reports)
        for stream in per_insn(reports[0]):
            values = [per_insn(r)[stream] for r in reports]
            axes.barh(range(len(reports)), values, 0.7, left=left, label=stream)
            left = [a + b for a, b in zip(left, values)]
        axes.set_yticks(range(len(reports)), [short_name(r) for r in reports])
        axes.set_ylim(len(reports) - 0.5, -0.5)
        axes.set_xlim(0, 1.03 * max(left) or 1)
        axes.xaxis.set_major_locator(MaxNLocator(6, steps=STEPS))
        axes.set_xlabel("port bits per instruction")
    return draw


def draw_over_time(report):
    def draw(axes):
        over = report["over_time"]
        # A step goes on to the next edge: the last window's is the end of the trace.
        edges = [s * 1e-6 for s in over["start_instruction"]]
        edges.append(report["total"]["instructions"] * 1e-6)
        streams = {k: v + v[-1:] for k, v in over["bits_per_instruction"].items()}
        axes.stackplot(edges, *streams.values(), labels=list(streams), step="post")
        axes.margins(x=0)
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=STEPS))
        axes.yaxis.set_major_locator(MaxNLocator(7, steps=STEPS))
        axes.set_xlabel("million instructions")
        axes.set_ylabel("port bits per instruction")
    return draw


def draw_pins(report):
    def draw(axes):
        points = report["pins_for_no_loss"]
        for offset, key, label in ((-0.2, "pins", "buffers as configured"),
                                   (0.2, "pins_with_largest_buffers", "largest buffers")):
            bars = axes.bar([i + offset for i in range(len(points))],
                            [p[key] or 33 for p in points], 0.38, label=label)
            axes.bar_label(bars, ["> 32" if p[key] is None else p[key] for p in points])
        axes.set_xticks(range(len(points)), [f"{p['port_clock']:g}" for p in points])
        axes.set_ylim(0, 38)
        axes.set_xlabel("port clock (core clock = 1)")
        axes.set_ylabel("pins for no loss")
    return draw


def draw_loss(report):
    def draw(axes):
        depths = {p["depth"] for points in report["loss_by_depth"].values() for p in points}
        for buffer, points in report["loss_by_depth"].items():
            unit = " (bytes)" if buffer == "output" else " (entries)"
            axes.plot([p["depth"] for p in points], [100 * p["loss"] for p in points], "o-",
                      label=buffer + unit)
        axes.set_xscale("log", base=2)
        axes.set_xticks(sorted(depths)[::2], [str(d) for d in sorted(depths)[::2]])
        axes.set_ylim(bottom=0)
        axes.set_xlabel("depth")
        axes.set_ylabel("instructions lost, %")
    return draw


def buffers_of(report):
    """None in a trace without instructions: no cycle has passed."""
    return report["cycle"].get("cycle_model", {}).get("buffers", {})


def draw_occupancy(report):
    def draw(axes):
        for name, buffer in buffers_of(report).items():
            cycles = buffer["cycles_at_occupancy"]
            total = max(sum(cycles), 1)
            # At least that full: a level speaks for all fills above the one before. The line ends
            # where no cycle was.
            above = [100 * sum(cycles[i:]) / total or math.nan for i in range(len(cycles))]
            fill = [100 * i / (len(cycles) - 1) for i in range(len(cycles))]
            axes.step(fill, above, "o-", where="pre", markersize=3, label=name)
        if axes.lines:
            axes.set_yscale("log")
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axes.yaxis.set_minor_locator(NullLocator())
        axes.set_xlabel("fill of the buffer, %")
        axes.set_ylabel("cycles at least that full, %")
    return draw


def short_name(report):
    name = report["trace"].rsplit("/", 1)[-1]
    if len(name) > NAME_CHARS:
        name = name[:NAME_CHARS - 7] + "\u2026" + name[-6:]
    return name.replace("$", r"\$")  # a dollar begins a formula for matplotlib


def section(report):
    total = report["total"]
    rates, pins = total["hit_rates"], report["parameters"]["port_pins"]
    insns = report["cycle_instructions"]
    parts = [f"<section><h2>{html.escape(report['trace'])}</h2>",
             f"<p>{total['instructions']:,} instructions, {total['accesses']:,} accesses, "
             f"<b>{sum(per_insn(report).values()):.4f} port bits per instruction</b>. Hits: stream "
             f"cache {100 * rates['stream_cache']:.2f} %, tuples {100 * rates['tuple']:.2f} %, "
             f"DASC {100 * rates['dasc']:.2f} %.</p>", '<div class="plots">',
             figure(draw_over_time(report), "Bits per instruction over time, by logical stream"),
             figure(draw_pins(report),
                    f"Pins needed against port clock for no loss in {insns:,} instructions"),
             figure(draw_loss(report),
                    f"Buffer depth against loss on {pins} pins, the other buffers as configured"),
             figure(draw_occupancy(report), "How full the buffers are, and how often"),
             "</div>",
             "<h3>Bits by logical stream</h3>",
             table(["stream", "bits", "bits/instruction"],
                   [[k, f"{v:,}", f"{per_insn(report)[k]:.4f}"]
                    for k, v in total["port_bits_by_stream"].items()]),
             "<h3>Buffers</h3>",
             table(["buffer", "size", "most ever held"],
                   [[k, b["size"], b["high_water"]]
                    for k, b in buffers_of(report).items()]),
             "<h3>State</h3>",
             table(["structure", "bytes"],
                   [[k.replace("state_", "").replace("_bytes", "").replace("_", " ")
                     if k != "state_bytes" else "all", f"{v:,.1f}"]
                    for k, v in report["state"].items()])]
    if report["missed_streams"]:
        parts += ["<h3>Streams that miss most</h3>",
                  table(["address", "instructions", "misses", "executed", "symbol"],
                        [[m["address"], m["length"], f"{m['misses']:,}", f"{m['executions']:,}",
                          m["symbol"]] for m in report["missed_streams"]])]
    return "".join(parts) + "</section>"


def main():
    reports = json.load(sys.stdin)
    overview = figure(draw_totals(reports), "Port bits per instruction, by logical stream",
                      1.3 + 0.3 * max(len(reports), 2))
    sections = "".join(section(r) for r in reports)
    page = ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<link rel="icon" href="data:,">'
            f"<title>Trace port bandwidth</title><style>{STYLE}</style></head><body>"
            f'<h1>Trace port bandwidth</h1>{overview}{sections}'
            f'<footer data-plots="{plots}"></footer></body></html>')
    sys.stdout.write(page)


main()
