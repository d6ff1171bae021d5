#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot_fidelity.py - the plot of `octrace fidelity --plot`: its JSON from standard input, a picture or
a page out, in the format that the argument names (svg, png, pdf, html).

Left: miss ratio by ways, a colour for each number of sets, exact as a line and lossy as marks, as in
Figure 3 of the ATC paper. Middle: fully-associative caches. Below them: how far lossy is off. Right:
the predictor, as in Figure 5.
"""
import html
import io
import json
import sys

sys.dont_write_bytecode = True
import oct_page  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

WORDS = (
    ("exact, lossy", "the address trace as it was, and the one that a lossy codec made of it"),
    ("miss ratio", "share of the addresses that a least-recently-used cache does not hold"),
    ("sets, ways", "a cache of so many sets, each of so many lines"),
    ("lossy \u2212 exact", "difference of the two miss ratios in percentage points"),
    ("C/DC predictor", "a prefetcher that foretells an address by the last differences in its zone"),
    ("correct, incorrect", "share of the addresses that it foretold rightly, or wrongly"),
    ("not predicted", "share of the addresses of which it said nothing"),
)

RATES = (("correct", "correct", oct_page.PALETTE[2]), ("incorrect", "incorrect", oct_page.PALETTE[3]),
         ("not_predicted", "not predicted", oct_page.PALETTE[6]))  # name, text, colour: good, bad, neither
WIDTH = 5.4  # inches, of a plot of a page: so its text is no lower than 9 pixels on a telephone
plt.rcParams["legend.fontsize"] = 7


def size(number):
    return f"{number // 1024}K" if number >= 1024 and number % 1024 == 0 else str(number)


def percent(values):
    return [100 * value for value in values]


def points(curve):
    """Lossy minus exact, in percentage points."""
    return [100 * (lossy - exact) for exact, lossy in zip(curve["exact"], curve["lossy"])]


def finish(axis, below, xlabel):
    """Labels on both axes of a plot and of what is below it; both as high as their data."""
    low, high = axis.get_ylim()
    axis.set_ylim(max(0, low), min(high, 100.5))
    axis.set_ylabel("miss ratio, %")
    off = max((abs(y) for line in below.lines for y in line.get_ydata()), default=0) or 0.1
    below.set_ylim(-1.15 * off, 1.15 * off)
    below.axhline(0, color=oct_page.GREY, linewidth=0.8)
    below.set_ylabel("lossy \u2212 exact, points")
    below.set_xlabel(xlabel)
    axis.tick_params(labelbottom=True)
    axis.set_xlabel(xlabel)
    for each in (axis, below):
        each.grid(True, alpha=0.3)


def colours_of(n):
    """n colours in order. Neither end of the scale, which one of the two grounds of a page would swallow."""
    scale = plt.get_cmap("plasma")
    return [scale(0.3 + 0.48 * number / max(1, n - 1)) for number in range(n)]


def draw_curves(axis, below, report):
    curves = report["curves"]
    ways = range(1, report["ways"] + 1)
    for number, (curve, colour) in enumerate(zip(curves, colours_of(len(curves)))):
        mark = {"color": colour, "marker": "os^D"[number % 4], "markersize": 3}  # neighbours differ in shape, too
        axis.plot(ways, percent(curve["exact"]), color=colour)
        axis.plot(ways, percent(curve["lossy"]), linestyle="none", **mark)
        axis.plot([], [], label=size(curve["sets"]), **mark)
        below.plot(ways, points(curve), **mark)
    legend = axis.legend(title="sets", loc="upper left", bbox_to_anchor=(1.0, 1.05), frameon=False,
                         borderaxespad=0)
    axis.set_title("LRU caches: line exact, marks lossy", fontsize=10)
    finish(axis, below, "ways")
    return legend


def draw_full(axis, below, full):
    axis.plot(full["lines"], percent(full["exact"]), label="exact")
    axis.plot(full["lines"], percent(full["lossy"]), linestyle="none", marker=".", label="lossy")
    below.plot(full["lines"], points(full), color="C1", marker=".")
    axis.legend(frameon=False)
    axis.set_title("fully associative", fontsize=10)
    for each in (axis, below):
        each.set_xscale("log", base=2)
        # Numbers, not powers: the exponent of one is too small to read.
        each.xaxis.set_major_formatter(lambda lines, _: size(int(lines)))
    finish(axis, below, "lines")


def draw_predictor(axis, report):
    bottom = [0.0, 0.0]
    for name, text, colour in reversed(RATES):
        shares = percent(report[side]["predictor"][name] for side in ("exact", "lossy"))
        axis.bar(["exact", "lossy"], shares, bottom=bottom, label=text, color=colour)
        bottom = [low + share for low, share in zip(bottom, shares)]
    axis.set_ylim(0, 100)
    axis.set_xlabel("trace")
    axis.set_ylabel("addresses, %")
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    axis.set_title("C/DC predictor", fontsize=10)


def draw(report):
    figure = plt.figure(figsize=(15, 7.5))
    grid = figure.add_gridspec(2, 3, width_ratios=[4, 3, 1.4], height_ratios=[3, 1.2])
    left, middle = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
    draw_curves(left, figure.add_subplot(grid[1, 0], sharex=left), report)
    draw_full(middle, figure.add_subplot(grid[1, 1], sharex=middle), report["fully_associative"])
    draw_predictor(figure.add_subplot(grid[:, 2]), report)
    return figure


def write_page(made, report):
    """The three parts in figures of their own, which a narrow screen has below one another."""
    parts = []
    # The legend of the first is as long as both its plots, and beside them.
    for number, (caption, right, part) in enumerate((
            ("Miss ratio of LRU caches, and how far lossy is off", 0.84,
             lambda a, b: draw_curves(a, b, report).set_in_layout(False)),
            ("Miss ratio of fully-associative caches", 1,
             lambda a, b: draw_full(a, b, report["fully_associative"])))):
        canvas, axes = plt.subplots(2, 1, figsize=(WIDTH, 5.5), height_ratios=[3, 1.6], sharex=True)
        part(*axes)
        canvas.tight_layout(pad=0.5, rect=(0, 0, right, 1))
        parts.append(oct_page.figure(canvas, caption, number))
    canvas, axis = plt.subplots(figsize=(WIDTH, 3))
    draw_predictor(axis, report)
    canvas.tight_layout(pad=0.5)
    parts.append(oct_page.figure(canvas, "What a C/DC predictor makes of each trace", len(parts)))
    sides = (("exact", report["exact"]), ("lossy", report["lossy"]))
    rows = [[name, side["name"], *(f"{100 * side['predictor'][rate]:.2f} %" for rate, _, _ in RATES)]
            for name, side in sides]
    body = (oct_page.table(["trace", "name", *(text for _, text, _ in RATES)], rows)
            + f'<div class="plots">{"".join(parts)}{oct_page.words(WORDS)}</div>')
    title = html.escape(f"{report['lossy']['name']} against {report['exact']['name']}")
    return oct_page.page(title, body, made, plots=len(parts)).encode()


def main():
    made = json.load(sys.stdin)
    report, kind = made["report"], sys.argv[1]
    if kind == "html":
        oct_page.for_pages()
        plt.rcParams.update({"legend.fontsize": 10, "font.size": 10})
        sys.stdout.buffer.write(write_page(made, report))
        return
    figure = draw(report)
    names = f"{report['exact']['name']} and {report['lossy']['name']}"
    figure.suptitle(names.replace("$", r"\$"), fontsize=10)  # a dollar begins a formula
    figure.tight_layout()
    out = io.BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    figure.savefig(out, format=kind, dpi=120, metadata=metadata)
    sys.stdout.buffer.write(out.getvalue())


if __name__ == "__main__":
    main()
