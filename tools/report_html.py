#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""report_html.py - the page of `octrace report --html`: its JSON from standard input, HTML out.

Plots are drawn by matplotlib and stand in the page as SVG, so that it works without a network.
"""
import html
import json
import math
import sys

sys.dont_write_bytecode = True
import matplotlib  # noqa: E402
import oct_page  # noqa: E402
from oct_page import GREY, table  # noqa: E402

# One size for all text: a screen of 400 pixels leaves a plot about its WIDTH, so that no text is lower
# than 9 of them; on a wider one all is stretched (page.css has the bounds).
matplotlib.rcParams.update({"font.size": 10, "axes.labelsize": 10, "xtick.labelsize": 10,
                            "ytick.labelsize": 10, "legend.fontsize": 10})
oct_page.for_pages()
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator  # noqa: E402

# What the words of every page mean; those of a tracer's own streams come with the report.
WORDS = (
    ("stream", "a run of instructions that follow one another in memory"),
    ("b/i, ratio", "port bits per instruction of the trace; addresses of the trace's width in full, divided "
     "by the port bits"),
    ("CR", "compression ratio: addresses in full, divided by the bits that the paper counts for them"),
)
WIDTH, NAME_CHARS = 5.4, 20  # inches; of a trace's name in a plot
PINS_TOP = 36.5  # of the axis of pins, whose most are 32
STEPS = (1, 2, 5, 10)  # of the numbers along an axis
plots = 0


def add_legend(canvas):
    """Above the axes, where it covers nothing. The share of the height that is left below it."""
    each = [axes.get_legend_handles_labels() for axes in canvas.axes]
    handles, labels = (sum(parts, []) for parts in zip(*each))
    if not handles:
        return 1.0
    legend = canvas.legend(handles, labels, loc="upper center", ncol=min(len(handles), 4),
                           frameon=False, borderpad=0, borderaxespad=0.2, handlelength=1.2,
                           handletextpad=0.4, columnspacing=1.2)
    return legend.get_window_extent(canvas.canvas.get_renderer()).y0 / canvas.bbox.height


def figure(draw, caption, height=3.2, columns=1):
    """One plot of the page. draw gets its axes, in a row."""
    global plots
    plots += 1
    canvas, axes = plt.subplots(1, columns, figsize=(WIDTH, height))
    draw(*(axes if columns > 1 else [axes]))
    canvas.tight_layout(rect=(0, 0, 1, add_legend(canvas)), pad=0.5)
    text = oct_page.figure(canvas, caption, plots)
    plt.close(canvas)
    return text


def size(amount_bytes):
    """Bytes in a unit that fits."""
    for unit in ("bytes", "KiB", "MiB"):
        if amount_bytes < 1024 or unit == "MiB":
            break
        amount_bytes /= 1024
    return f"{amount_bytes:,.0f} {unit}" if amount_bytes >= 100 or amount_bytes % 1 == 0 \
        else f"{amount_bytes:,.1f} {unit}"


def per_insn(report):
    total = report["total"]
    insns = total["instructions"] or math.inf
    return {k: v / insns for k, v in total["port_bits_by_stream"].items()}


def used_streams(reports):
    """(number, name) of the logical streams that have bits; others would only fill the legend."""
    return [(i, stream) for i, stream in enumerate(per_insn(reports[0])) if any(per_insn(r)[stream] for r in reports)]


def hatch_of(i):
    """Of the stream number i: streams beyond the palette have its colours again, hatched."""
    return ("", "////", "....")[min(i // len(matplotlib.rcParams["axes.prop_cycle"]), 2)]


def color_of(i):
    return f"C{i % len(matplotlib.rcParams['axes.prop_cycle'])}"


def draw_totals(reports):
    def draw(axes):
        left = [0.0] * len(reports)
        for i, stream in used_streams(reports):
            values = [per_insn(r)[stream] for r in reports]
            axes.barh(range(len(reports)), values, 0.7, left=left, label=stream, hatch=hatch_of(i), color=color_of(i))
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
        insns = report["total"]["instructions"]
        unit, name = next(u for u in ((1e6, "million "), (1e3, "thousand "), (1, ""))
                          if insns >= u[0] or u[0] == 1)
        edges = [s / unit for s in over["start_instruction"]]
        edges.append(insns / unit)
        used = used_streams([report])
        values = [over["bits_per_instruction"][stream] for _, stream in used]
        areas = axes.stackplot(edges, *(v + v[-1:] for v in values), labels=[stream for _, stream in used], step="post",
                               colors=[color_of(i) for i, _ in used]) if used else []
        for (i, _), area in zip(used, areas):
            area.set_hatch(hatch_of(i))
        axes.margins(x=0)
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=STEPS))
        axes.yaxis.set_major_locator(MaxNLocator(7, steps=STEPS))
        axes.set_xlabel(name + "instructions")
        axes.set_ylabel("port bits per instruction")
    return draw


def draw_pins(report):
    def draw(axes):
        points = report["pins_for_no_loss"]
        for offset, key, label in ((-0.2, "pins", "buffers as configured"),
                                   (0.2, "pins_with_largest_buffers", "largest buffers")):
            bars = axes.bar([i + offset for i in range(len(points))],
                            [p[key] or PINS_TOP for p in points], 0.38, label=label)
            # More pins than a port has: a bar that goes on beyond the axes, and is not filled.
            for bar, point in zip(bars, points):
                if point[key] is None:
                    bar.set(facecolor="none", edgecolor=bar.get_facecolor(), hatch="//", linewidth=1)
            axes.bar_label(bars, ["" if p[key] is None else p[key] for p in points])
            for i, p in enumerate(points):
                if p[key] is None:
                    axes.text(i + offset, 34.2, "> 32", ha="center", va="center",
                              bbox={"boxstyle": "round,pad=0.1", "fc": "none", "ec": "none"})
        axes.axhline(32, color=GREY, linewidth=0.8, linestyle=":")
        axes.set_xticks(range(len(points)), [f"{p['port_clock']:g}" for p in points])
        axes.set_yticks(range(0, 33, 8))
        axes.set_ylim(0, PINS_TOP)
        axes.set_xlabel("port clock (core clock = 1)")
        axes.set_ylabel("pins for no loss")
    return draw


def draw_pins_loss(report):
    """Each tracer's loss on so many pins."""
    def draw(axes):
        for tracer, points in report["loss_by_pins"].items():
            axes.plot([p["pins"] for p in points], [100 * p["loss"] for p in points], "o-", label=tracer)
        pins = [p["pins"] for p in next(iter(report["loss_by_pins"].values()))]
        axes.set_xscale("log", base=2)
        axes.set_xticks(pins, [str(p) for p in pins])
        axes.set_ylim(bottom=0)
        axes.set_xlabel("pins at the core's clock")
        axes.set_ylabel("instructions lost, %")
    return draw


def draw_loss(report):
    """Entries and bytes are no one axis: a plot for each."""
    def draw(entries, out_bytes):
        losses = report["loss_by_depth"]
        top = max(100 * p["loss"] for points in losses.values() for p in points)
        for (buffer, points), colour in zip(losses.items(), ("C0", "C1", "C2")):
            axes = out_bytes if buffer == "output" else entries
            axes.plot([p["depth"] for p in points], [100 * p["loss"] for p in points], "o-",
                      color=colour, label=buffer)
        for axes, unit in ((entries, "entries"), (out_bytes, "bytes")):
            depths = sorted({p["depth"] for buffer, points in losses.items() for p in points
                             if (buffer == "output") == (unit == "bytes")})
            axes.set_xscale("log", base=2)
            shown = depths[::2 if depths[-1] < 10000 else 3]
            axes.set_xticks(shown, [str(d) for d in shown])
            axes.set_ylim(-0.03 * (top or 1), 1.1 * (top or 1))
            axes.set_xlabel(unit)
        entries.set_ylabel("instructions lost, %")
        out_bytes.set_yticklabels([])
    return draw


def buffers_of(report):
    """None in a trace without instructions: no cycle has passed."""
    return report.get("cycle", {}).get("cycle_model", {}).get("buffers", {})


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


def draw_tracers(report):
    """A line for each tracer: from its instructions alone to all that it sends."""
    def draw(axes):
        rows = report["tracers"]
        for i, row in enumerate(rows):
            insns, whole = row["insn_bits_per_insn"], row["bits_per_insn"]
            if row["carries_data"]:
                axes.plot([insns, whole], [i, i], color=GREY, linewidth=1, zorder=1)
        axes.scatter([r["insn_bits_per_insn"] for r in rows], range(len(rows)), s=22, zorder=2,
                     label="instructions only")
        data = [(r["bits_per_insn"], i) for i, r in enumerate(rows) if r["carries_data"]]
        if data:
            axes.scatter(*zip(*data), s=22, zorder=2, marker="s",
                         label="with data addresses, syncs, headers")
        axes.set_yticks(range(len(rows)), [tracer_name(r) for r in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        if any(r["insn_bits_per_insn"] > 0 for r in rows):
            axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_xlabel("port bits per instruction")
    return draw


def tracer_name(row):
    """Of a tracer at a geometry, each word said once: shadow-large, raw short."""
    tracer, geometry = row["tracer"], row["geometry"]
    return geometry if geometry == tracer or geometry.startswith(tracer + "-") else f"{tracer} {geometry}"


def tracer_figures(report):
    rows = report.get("tracers")
    return [figure(draw_tracers(report), "All tracers that take this trace", 1.2 + 0.24 * len(rows))] \
        if rows else []


def tracers(report):
    """The comparison of all tracers, where the report has it."""
    rows = report.get("tracers")
    if not rows:
        return []

    def cell(row, key, digits, unit=1):
        return "\u2013" if row[key] is None else f"{unit * row[key]:,.{digits}f}"

    def data(row, key, digits):
        return cell(row, key, digits) if row["carries_data"] else "\u2013"
    has_values = any(r["gives"] == "everything" for r in rows)
    return ["<h3>Tracers</h3>",
            table(["tracer", "instructions, b/i", "ratio", "data, b/i", "ratio", "syncs, %", "headers, %",
                   "all, b/i", "ratio", "packets", *(["Gbit/s"] if "clock_hz" in report else []), *(["gives"] if has_values else [])],
                  [[tracer_name(r), cell(r, "insn_bits_per_insn", 4),
                    cell(r, "insn_ratio", 1), data(r, "data_bits_per_insn", 4), data(r, "data_ratio", 1),
                    cell(r, "sync_share", 2, 100), cell(r, "header_share", 2, 100),
                    cell(r, "bits_per_insn", 4), cell(r, "ratio", 1), cell(r, "packets", 0),
                    *([cell(r, "gbit_per_second", 3)] if "clock_hz" in report else []),
                    *([r["gives"]] if has_values else [])] for r in rows]),
            *([f"<p>Gbit/s at an instruction each cycle of {report['clock_hz'] / 1e6:,g} MHz.</p>"]
              if "clock_hz" in report else []),
            *[f"<p>{html.escape(name)}: {html.escape(why)}</p>"
              for name, why in report["tracers_refused"].items()],
            *([f"<p>Note: {html.escape(report['tracers_note'])}.</p>"] if report["tracers_note"] else [])]


def short_name(report):
    name = report["trace"].rsplit("/", 1)[-1]
    if len(name) > NAME_CHARS:
        name = name[:NAME_CHARS - 7] + "\u2026" + name[-6:]
    return name.replace("$", r"\$")  # a dollar begins a formula for matplotlib


def counted(n, word):
    """A number of something: "1 instruction", "2 accesses"."""
    more = "es" if word.endswith("s") else "s"
    return f"{n:,} {word}" + (more if n != 1 else "")


def pins_loss_figures(report):
    """The answer that most readers look for, where the tracer has a cycle engine."""
    if "cycle" not in report:
        return []
    insns = counted(report["cycle_instructions"], "instruction")
    return [figure(draw_pins_loss(report), f"Loss against pins, by tracer, in {insns}")]


def cycle_figures(report):
    """Of the cycle engine, where the tracer has one."""
    if "cycle" not in report:
        return []
    pins, insns = report["parameters"]["port_pins"], counted(report["cycle_instructions"], "instruction")
    keys = "pins", "pins_with_largest_buffers"
    # Bars that all go beyond the axes would show nothing.
    has_enough = any(p[key] is not None for p in report["pins_for_no_loss"] for key in keys)
    return [figure(draw_pins(report),
                   f"Pins needed against port clock for no loss in {insns}") if has_enough else
            f"<p>Without loss, {html.escape(report['tracer'])} needs more than 32 pins for {insns} at each port clock, also with the largest buffers.</p>",
            figure(draw_loss(report),
                   f"Buffer depth against loss on {pins} pins, the other buffers as configured",
                   columns=2),
            figure(draw_occupancy(report), "How full the buffers are, and how often")]


def section(report):
    total = report["total"]
    figures = ", ".join(f"{total['figure_labels'][k]} {v:.4g}" for k, v in total["figures"].items() if v is not None)
    parts = [f"<section><h2>{html.escape(report['trace'].rsplit('/', 1)[-1])}</h2>",
             f"<p>{counted(total['instructions'], 'instruction')}, {counted(total['accesses'], 'access')}, "
             f"<b>{sum(per_insn(report).values()):.4f} port bits per instruction</b> by {html.escape(report['tracer'])}. "
             f"{html.escape(figures)}</p>", '<div class="plots">',
             *pins_loss_figures(report),
             figure(draw_over_time(report), "Bits per instruction over time, by logical stream"),
             *cycle_figures(report), *tracer_figures(report), "</div>",
             '<div class="plots"><div><h3>Bits by logical stream</h3>',
             table(["stream", "bits", "bits/instruction"],
                   [[k, f"{v:,}", f"{per_insn(report)[k]:.4f}"]
                    for k, v in total["port_bits_by_stream"].items() if v],
                   ["all", f"{sum(total['port_bits_by_stream'].values()):,}",
                    f"{sum(per_insn(report).values()):.4f}"]),
             "<h3>Buffers</h3>",
             table(["buffer", "size", "most ever held"],
                   [[k, *(size(n) if k == "output" else f"{n} entries"
                          for n in (b["size"], b["high_water"]))]
                    for k, b in buffers_of(report).items()]),
             "<h3>State</h3>",
             table(["structure", "size"],
                   [[report["words"]["structures"][k], size(v)]
                    for k, v in report["state"].items() if k != "state_bytes"],
                   ["all", size(report["state"]["state_bytes"])]), "</div>"]
    if report.get("missed_streams"):
        # Names are there where the program was given.
        named = [k for k in ("symbol", "source") if any(m[k] for m in report["missed_streams"])]
        parts += ["<div><h3>Streams that miss most</h3>",
                  table(["address", "instructions", "misses", "executed", *named],
                        [[m["address"], m["length"], f"{m['misses']:,}", f"{m['executions']:,}",
                          *(m[k] for k in named)] for m in report["missed_streams"]]), "</div>"]
    return "".join(parts + ["</div>"] + tracers(report)) + "</section>"


def overview(reports):
    rows = [[r["trace"].rsplit("/", 1)[-1], f"{r['total']['instructions']:,}",
             f"{r['total']['accesses']:,}", f"{sum(r['total']['port_bits_by_stream'].values()):,}",
             f"{sum(per_insn(r).values()):.4f}"] for r in reports]
    insns, accesses, bits = (sum(values) for values in zip(*(
        (r["total"]["instructions"], r["total"]["accesses"],
         sum(r["total"]["port_bits_by_stream"].values())) for r in reports)))
    total = ["all", f"{insns:,}", f"{accesses:,}", f"{bits:,}", f"{bits / (insns or math.inf):.4f}"]
    labels = reports[0]["total"]["figure_labels"].values()
    words = [word for word in WORDS if word[0] != "CR" or any(label.startswith("CR ") for label in labels)]
    return (table(["trace", "instructions", "accesses", "port bits", "bits/instruction"], rows,
                  total if len(rows) > 1 else None)
            + '<div class="plots">'
            # Of one trace, the plot over time has the same streams.
            + (figure(draw_totals(reports), "Port bits per instruction, by logical stream",
                      1.3 + 0.3 * len(reports)) if len(reports) > 1 else "")
            + f"{oct_page.words((*words, *reports[0]['words']['streams'].items()))}</div>")


def main():
    made = json.load(sys.stdin)
    reports = made["reports"]
    body = overview(reports) + "".join(section(r) for r in reports)
    geometries = {", ".join(f"{k}={v}" for k, v in r["parameters"].items()) for r in reports}
    foot = "".join(f"<p>Geometry: {html.escape(g)}</p>" for g in sorted(geometries))
    foot += "".join(f"<p>{html.escape(r['trace'])}: the alignment of instructions, {r['insn_align_bytes_found']} "
                    "bytes, was found in the trace, which names no instruction set.</p>"
                    for r in reports if "insn_align_bytes_found" in r)
    sys.stdout.write(oct_page.page("Trace port bandwidth", body, made, foot, plots))


main()
