#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot_sweep.py - the plot of `octrace sweep --plot`: its JSON from standard input, a picture out, in
the format that the argument names (svg, png, pdf).

Port bits per instruction against state, a mark for each geometry, hollow if it lost events. For each value
of the parameter "line", or for all where it is null, a line joins the geometries that are "on_line". The Pareto
front is drawn over them, and its knee: the point that lies furthest below the straight line between the
front's ends, with state on a logarithmic scale. Traces that could not be added up have fronts of their own.

Input: {"n_traces": N, "parameters": [NAME, ...], "line": NAME or null, "rows": [{"trace": ..., NAME: value, ...,
"state_bytes": ..., "port_bits_per_instruction": ..., "overflows": ..., "pareto": 0 or 1, "on_line": 0 or 1}, ...]}
"""
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


def state(row):
    return row["state_bytes"]


def bits(row):
    return row["port_bits_per_instruction"]


def knee(front):
    """The point of the front furthest below the line between its ends, or None."""
    if len(front) < 3:
        return None
    x = [math.log2(max(1.0, state(row))) for row in front]
    y = [bits(row) for row in front]
    if x[-1] == x[0] or y[0] == y[-1]:
        return None
    below = [(y[0] + (y[-1] - y[0]) * (a - x[0]) / (x[-1] - x[0]) - b) for a, b in zip(x, y)]
    best = max(range(len(front)), key=below.__getitem__)
    return front[best] if below[best] > 0 else None


def setting(row, varying):
    return ", ".join(f"{name}={row[name]}" for name in varying)


def plot(axis, rows, **style):
    return axis.plot([state(row) for row in rows], [bits(row) for row in rows], **style)[0]


def draw_geometries(axis, rows, by):
    """The marks of all geometries, and a line for each value of the parameter by."""
    for value in sorted({row[by] for row in rows}) if by else [None]:
        of_value = [row for row in rows if by is None or row[by] == value]
        whole = [row for row in of_value if not row.get("overflows")]
        lossy = [row for row in of_value if row.get("overflows")]
        marks = plot(axis, whole, linestyle="", markersize=4, alpha=0.8)
        look = {"color": marks.get_color(), "marker": marks.get_marker()}
        plot(axis, lossy, linestyle="", markersize=5, markerfacecolor="none", alpha=0.8, **look)
        label = f"{by} = {value}" if by else "geometries"
        for trace in sorted({row["trace"] for row in of_value}):
            best = sorted((row for row in of_value if row["trace"] == trace and row["on_line"]), key=state)
            plot(axis, best, linestyle="-" if len(best) > 1 else "", linewidth=1, markersize=6, **look, label=label)
            label = "_"
    if not all(row["on_line"] or row.get("overflows") for row in rows):
        axis.plot([], [], linestyle="", marker="o", markersize=4, alpha=0.8, color="black", label="not the best")
    if any(row.get("overflows") for row in rows):
        axis.plot([], [], linestyle="", marker="o", markersize=5, markerfacecolor="none", color="black",
                  label="lost events")


def draw_fronts(axis, rows):
    """The front of each trace, or of their sum, and the knees."""
    knees = []
    for trace in sorted({row["trace"] for row in rows}):
        front = sorted((row for row in rows if row["trace"] == trace and row["pareto"]), key=state)
        label = "Pareto front" if trace == rows[0]["trace"] else "_"
        plot(axis, front, color="black", linewidth=1.8, linestyle="--" if len(front) > 1 else "", marker="o",
             markersize=8, markerfacecolor="none", markeredgewidth=0.8, label=label)
        knees.extend(row for row in [knee(front)] if row)
    if knees:
        plot(axis, knees, linestyle="", marker="o", markersize=13, markerfacecolor="none", markeredgecolor="black",
             label="knee")
    return knees


def draw(data):
    names, rows = data["parameters"], data["rows"]
    varying = [name for name in names if len({row[name] for row in rows}) > 1]
    figure, axis = plt.subplots(figsize=(8, 5.5))
    draw_geometries(axis, rows, data["line"])
    knees = draw_fronts(axis, rows)
    states = [state(row) for row in rows]
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
    traces = {str(row["trace"]) for row in rows}
    if len(traces) > 1:
        title = f"{len(traces)} traces"
    elif data["n_traces"] > 1:
        title = f"sum of {data['n_traces']} traces"
    else:
        title = traces.pop().rsplit("/", 1)[-1]
    if len(knees) == 1:
        title += f"\nknee: {setting(knees[0], varying)}"
    axis.set_title(title.replace("$", r"\$"), fontsize=10)  # a dollar begins a formula
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
