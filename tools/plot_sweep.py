#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot_sweep.py - the plot of `octrace sweep --plot`: its JSON from standard input, a picture out, in
the format that the argument names (svg, png, pdf).

Port bits per instruction against state, a mark for each geometry. A line joins the best geometries of
each value of the parameter that tells them apart best: the number of ways where it varies. The Pareto
front of all is drawn over them, and its knee is marked: the point that lies furthest below the straight
line between the front's ends, with state on a logarithmic scale. Several traces are averaged.

Input: {"parameters": [NAME, ...], "rows": [{"trace": ..., NAME: value, ..., "state_bytes": ...,
"port_bits_per_instruction": ..., "overflows": ...}, ...]}
"""
import collections
import io
import json
import math
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "octrace"
matplotlib.rcParams["axes.prop_cycle"] = matplotlib.cycler(
    color=["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7f7f", "#b8a800"],
    marker=["o", "s", "^", "D", "v", "P", "X", "*"],
)  # told apart by colour-blind readers, and in print by their marks
import matplotlib.pyplot as plt  # noqa: E402


def averaged(rows, names):
    """(parameters, state, bits) of each geometry, the bits averaged over the traces."""
    found = collections.defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in names)].append(row)
    points = []
    for key, same in found.items():
        bits = sum(row["port_bits_per_instruction"] for row in same) / len(same)
        points.append((dict(zip(names, key)), max(row["state_bytes"] for row in same), bits))
    return points


def line_parameter(points, names):
    """The parameter that has a line for each value: a number of ways if one varies, else the varying
    one with the fewest values, if there are two that vary."""
    values = {name: {p[name] for p, _, _ in points} for name in names}
    varying = [name for name in names if len(values[name]) > 1]
    ways = [name for name in varying if name.endswith("_ways")]
    if ways:
        return ways[0]
    few = [name for name in varying if len(values[name]) <= 8]
    return min(few, key=lambda name: len(values[name])) if len(varying) > 1 and few else None


def pareto(points):
    """The points that no other beats in both state and bits, by state."""
    front = []
    for point in sorted(points, key=lambda p: (p[1], p[2])):
        if not front or point[2] < front[-1][2]:
            front.append(point)
    return front


def knee(front):
    """The point of the front furthest below the line between its ends, or None."""
    if len(front) < 3:
        return None
    x = [math.log2(max(1.0, p[1])) for p in front]
    y = [p[2] for p in front]
    if x[-1] == x[0] or y[0] == y[-1]:
        return None
    below = [(y[0] + (y[-1] - y[0]) * (a - x[0]) / (x[-1] - x[0]) - b) for a, b in zip(x, y)]
    best = max(range(len(front)), key=below.__getitem__)
    return front[best] if below[best] > 0 else None


def setting(parameters, varying):
    return ", ".join(f"{name}={parameters[name]}" for name in varying)


def draw(data):
    names = data["parameters"]
    points = averaged(data["rows"], names)
    varying = [name for name in names if len({p[name] for p, _, _ in points}) > 1]
    figure, axis = plt.subplots(figsize=(8, 5.5))
    by = line_parameter(points, names)
    values = sorted({p[by] for p, _, _ in points}) if by else [None]
    for value in values:
        of_value = [point for point in points if by is None or point[0][by] == value]
        best_of = pareto(of_value)
        drawn, = axis.plot([p[1] for p in of_value], [p[2] for p in of_value], linestyle="", markersize=4, alpha=0.8)
        axis.plot([p[1] for p in best_of], [p[2] for p in best_of], linewidth=1, alpha=0.8, markersize=4,
                  color=drawn.get_color(), marker=drawn.get_marker(), label=f"{by} = {value}" if by else "geometries")
    front = pareto(points)
    if len(front) > 1:
        axis.plot([p[1] for p in front], [p[2] for p in front], color="black", linewidth=1.8, marker="", linestyle="--",
                  label="Pareto front")
    best = knee(front)
    if best:
        axis.plot([best[1]], [best[2]], linestyle="", marker="o", markersize=13, markerfacecolor="none",
                  markeredgecolor="black", label="knee")
    states = [p[1] for p in points]
    if min(states) > 0 and max(states) > 2 * min(states):
        axis.set_xscale("log", base=2)
        # Between two powers of two another number, where few powers are in sight.
        steps = (1, 1.5) if max(states) < 32 * min(states) else (1,)
        axis.xaxis.set_major_locator(matplotlib.ticker.LogLocator(base=2, subs=steps, numticks=16))
        axis.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda v, _: f"{v:,.0f}"))
    axis.set_xlabel("state, bytes")
    axis.set_ylabel("port bits per instruction")
    axis.grid(True, alpha=0.3)
    figure.legend(fontsize=8, loc="lower center", ncol=4, frameon=False)
    traces = sorted({str(row["trace"]) for row in data["rows"]})
    title = traces[0].rsplit("/", 1)[-1] if len(traces) == 1 else f"mean of {len(traces)} traces"
    if best:
        title += f"\nknee: {setting(best[0], varying)}"
    axis.set_title(title.replace("$", r"\$"), fontsize=10)  # a dollar begins a formula
    if any(row.get("overflows") for row in data["rows"]):
        figure.text(0.01, 0.98, "Some geometries lost events; see the table.", fontsize=7, verticalalignment="top")
    n_rows = math.ceil(len(axis.get_legend_handles_labels()[0]) / 4)
    figure.tight_layout(rect=(0, 0.04 * n_rows + 0.01, 1, 1))
    return figure


def main():
    kind = sys.argv[1]
    out = io.BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    draw(json.load(sys.stdin)).savefig(out, format=kind, dpi=120, metadata=metadata)
    sys.stdout.buffer.write(out.getvalue())


if __name__ == "__main__":
    main()
