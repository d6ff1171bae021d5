#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot_fidelity.py - the plot of `octrace fidelity --plot`: its JSON from standard input, a picture
out, in the format that the argument names (svg, png, pdf).

Left: miss ratio by ways, a colour for each number of sets, exact as a line and lossy as dots, as in
Figure 3 of the ATC paper. Middle: fully-associative caches. Right: the predictor, as in Figure 5.
"""
import io
import json
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "octrace"
import matplotlib.pyplot as plt  # noqa: E402


def size(number):
    return f"{number // 1024}K" if number >= 1024 and number % 1024 == 0 else str(number)


def percent(values):
    return [100 * value for value in values]


def draw_curves(axis, report):
    colours = plt.get_cmap("viridis")
    curves = report["curves"]
    ways = range(1, report["ways"] + 1)
    for number, curve in enumerate(curves):
        colour = colours(number / max(1, len(curves) - 1))
        axis.plot(ways, percent(curve["exact"]), color=colour, label=size(curve["sets"]))
        axis.plot(ways, percent(curve["lossy"]), color=colour, linestyle="none", marker=".")
    axis.set_xlabel("ways")
    axis.set_ylabel("miss ratio, %")
    axis.set_ylim(0, 100)
    axis.legend(title="sets", fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    axis.set_title("LRU caches: line exact, dots lossy", fontsize=10)
    axis.grid(True, alpha=0.3)


def draw_full(axis, full):
    axis.plot(full["lines"], percent(full["exact"]), label="exact")
    axis.plot(full["lines"], percent(full["lossy"]), linestyle="none", marker=".", label="lossy")
    axis.set_xscale("log", base=2)
    axis.set_xlabel("lines")
    axis.set_ylim(0, 100)
    axis.legend(fontsize=7)
    axis.set_title("fully associative", fontsize=10)
    axis.grid(True, alpha=0.3)


def draw_predictor(axis, report):
    bottom = [0.0, 0.0]
    for name, text in (("not_predicted", "not predicted"), ("correct", "correct"),
                       ("incorrect", "incorrect")):
        shares = percent(report[side]["predictor"][name] for side in ("exact", "lossy"))
        axis.bar(["exact", "lossy"], shares, bottom=bottom, label=text)
        bottom = [low + share for low, share in zip(bottom, shares)]
    axis.set_ylim(0, 100)
    axis.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.07))
    axis.set_title("C/DC predictor", fontsize=10)


def main():
    report = json.load(sys.stdin)
    kind = sys.argv[1]
    figure, axes = plt.subplots(1, 3, figsize=(15, 6), width_ratios=[4, 2, 1])
    draw_curves(axes[0], report)
    draw_full(axes[1], report["fully_associative"])
    draw_predictor(axes[2], report)
    names = f"{report['exact']['name']} and {report['lossy']['name']}"
    figure.suptitle(names.replace("$", r"\$"), fontsize=10)  # a dollar begins a formula
    figure.tight_layout()
    out = io.BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    figure.savefig(out, format=kind, dpi=120, metadata=metadata)
    sys.stdout.buffer.write(out.getvalue())


if __name__ == "__main__":
    main()
