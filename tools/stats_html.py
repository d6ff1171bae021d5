#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""stats_html.py - the page of `octrace stats --html`: its JSON from standard input, HTML out."""
import html
import json
import sys

sys.dont_write_bytecode = True
import matplotlib  # noqa: E402
import oct_page  # noqa: E402
from oct_page import table  # noqa: E402

matplotlib.rcParams.update({"font.size": 10})
oct_page.for_pages()
import matplotlib.pyplot as plt  # noqa: E402

WORDS = (
    ("miss", "a branch whose direction, or a jump whose target, was predicted wrongly"),
    ("bimodal, gshare, TAGE", "predictors of directions with tables of 8 KB each; they learn at once"),
    ("reuse distance", "how many other lines of 64 bytes were used since a line's last use"),
)
WIDTH, NAME_CHARS = 5.4, 24  # inches; of a function's name in a plot
plots = 0


def figure(draw, caption, height=3.2):
    global plots
    plots += 1
    canvas, axes = plt.subplots(figsize=(WIDTH, height))
    draw(axes)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.16), ncol=4, frameon=False)
    canvas.tight_layout(pad=0.5)
    text = oct_page.figure(canvas, caption, plots)
    plt.close(canvas)
    return text


def percent(part, whole):
    return 100 * part / whole if whole else 0.0


def bars(axes, names, values, label):
    axes.barh(range(len(names)), values, 0.7)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel(label)


def mix(s):
    rows = [(name, k) for name, k in s["mix"].items() if sum(k.values())]
    total = s["instructions"]

    def draw(axes):
        left = [0.0] * len(rows)
        for kind, label in (("plain", "no access"), ("load", "load"), ("store", "store"), ("load_store", "both")):
            values = [percent(k[kind], total) for _, k in rows]
            axes.barh(range(len(rows)), values, 0.7, left=left, label=label)
            left = [a + b for a, b in zip(left, values)]
        axes.set_yticks(range(len(rows)), [name for name, _ in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlabel("% of all instructions")

    return figure(draw, "Instructions by class and accesses", 1.2 + 0.35 * len(rows)), table(
        ["class", "instructions", "%", "loads", "stores"],
        [[name, f"{sum(k.values()):,}", f"{percent(sum(k.values()), total):.2f}", f"{k['load'] + k['load_store']:,}",
          f"{k['store'] + k['load_store']:,}"] for name, k in rows])


def prediction(s):
    b, total = s["branches"], s["instructions"]
    rows = [(name, p["misses"], b["conditional"]) for name, p in b["predictors"].items()]
    rows += [("indirect targets", b["indirect_misses"], b["indirect"]), ("returns", b["return_misses"], b["returns"])]
    return (figure(lambda axes: bars(axes, [r[0] for r in rows], [1000 * r[1] / (total or 1) for r in rows],
                                     "misses per 1000 instructions"), "Branch prediction", 2.4),
            table(["predictor", "branches", "misses", "%", "per 1000 instructions"],
                  [[name, f"{n:,}", f"{misses:,}", f"{percent(misses, n):.3f}", f"{1000 * misses / (total or 1):.3f}"]
                   for name, misses, n in rows]))


def reuse(s):
    def draw(axes):
        for name, r in s["reuse"].items():
            done, points = 0, []
            for d in r["distances"]:
                done += d["uses"]
                points.append((max(2 * d["from"], 1), percent(done, r["uses"])))
            axes.step([p[0] for p in points], [p[1] for p in points], where="post", label=name)
        axes.set_xscale("log", base=2)
        axes.set_ylim(0, 101)
        axes.set_xlabel("lines of 64 bytes in a cache that holds the last ones")
        axes.set_ylabel("uses that hit, %")
    return figure(draw, "Hits of a fully associative cache, from the reuse distances")


def functions(s):
    top = [f for f in s["functions"] if f["function"]]
    if not top:
        return ""
    names = [f["function"][:NAME_CHARS] for f in top]
    return ('<div class="plots">'
            + figure(lambda axes: bars(axes, names, [100 * f["share"] for f in top], "% of all instructions"),
                     "Functions", 1.2 + 0.25 * len(top))
            + "<div><h3>Functions</h3>"
            + table(["function", "instructions", "%", "accesses", "branches", "TAGE misses"],
                    [[f["function"], f"{f['instructions']:,}", f"{100 * f['share']:.2f}", f"{f['accesses']:,}",
                      f"{f['branches']:,}", f"{f['tage_misses']:,}"] for f in top]) + "</div></div>")


def main():
    made = json.load(sys.stdin)
    s = made["stats"]
    mix_plot, mix_table = mix(s)
    prediction_plot, prediction_table = prediction(s)
    taken = s["branches"]["taken_ratio"]
    footprint = table(["touched", "bytes", "64-byte lines", "4 KB pages"],
                      [[kind, *(f"{s[kind][unit]:,}" for unit in ("bytes", "lines", "pages"))] for kind in ("code", "data")])
    body = (f"<section><h2>{html.escape(s['trace'].rsplit('/', 1)[-1])}</h2><p>{s['instructions']:,} instructions"
            + (f", {100 * taken:.2f} % of conditional branches taken" if taken is not None else "") + "</p>"
            f'<div class="plots">{mix_plot}{prediction_plot}{reuse(s) if "reuse" in s else ""}</div>'
            f'<div class="plots"><div><h3>Instructions</h3>{mix_table}</div><div><h3>Prediction</h3>{prediction_table}'
            f"<h3>Memory</h3>{footprint}</div></div>{functions(s)}{oct_page.words(WORDS)}</section>")
    sys.stdout.write(oct_page.page("What a program does", body, made, plots=plots))


main()
