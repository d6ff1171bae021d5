#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot-events.py - figures 2 to 5 of Knuepfer's paper from the numbers of scripts/study reproduce-events.

Usage: scripts/study plot-events FOLDER   FOLDER: holds {regular,irregular}-{order,events,time}.csv; figures.png is
written there. Ends with an error when a K is below 1.
"""
import csv
import math
import pathlib

import one_line


def load(path):
    with open(path, newline="") as f:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(f)]


def theory(e, n, k):
    """Eq. 8: e events, order n, k meta-events."""
    return 18 * e / (23 * k + 26 + 8 * n + 30 * e / n)


def plot_theory(axes):
    orders = range(4, 1025, 4)
    axes.plot(orders, [0.6 * n for n in orders], ":", label="3/5 n")
    axes.plot(orders, [theory(1e5, n, n - 1) for n in orders], label="avg/max")
    axes.plot(orders, [theory(1e5, n, math.log2(n) - 1) for n in orders], label="min")
    axes.set(title="Figure 2a: theory, e = 100000", xlabel="order n", ylabel="K", ylim=(0, 200))
    axes.legend(fontsize="small")


def plot_orders(axes, rows, name, figure, events):
    orders = [r["order"] for r in rows]
    axes.plot(orders, [r["k"] for r in rows], "o-", label="taken apart where it pays")
    axes.plot(orders, [r["k_keep_all"] for r in rows], "x--", label="as in the paper")
    if name == "regular":
        axes.plot(orders, [theory(events, n, n - 1) for n in orders], ":", label="Eq. 8, avg/max")
    axes.plot(orders, [18 * events / r["file_bytes"] for r in rows], "-", alpha=0.4,
              label="real bytes, lossy")
    axes.set(title=f"Figure {figure}a: {name}, e = {events}", xlabel="maximum order N", ylabel="K",
             yscale="log")
    axes.legend(fontsize="small")


def plot_events(axes, rows, name, figure):
    for n in sorted({r["order"] for r in rows}):
        line = [r for r in rows if r["order"] == n]
        axes.plot([r["events"] for r in line], [r["k"] for r in line], "o-", label=f"N = {n:.0f}")
    axes.set(title=f"Figure {figure}b: {name}", xlabel="events e", ylabel="K")
    axes.legend(fontsize="small")


def plot_times(axes, rows, name, part):
    for n in sorted({r["order"] for r in rows}):
        line = [r for r in rows if r["order"] == n]
        axes.plot([r["events"] for r in line], [1e3 * r["seconds"] for r in line], "o-",
                  label=f"N = {n:.0f}" if n else "N = 0: no compression")
    axes.set(title=f"Figure 5{part}: run time, {name}", xlabel="events e", ylabel="ms", ylim=(0, None))
    axes.legend(fontsize="small")


def main(args):
    folder = pathlib.Path(args[0])
    one_line.check_picture(folder / "figures.png")
    figure, axes = one_line.pyplot().subplots(2, 4, figsize=(20, 9))
    plot_theory(axes[0][0])
    least = math.inf
    for row, (name, number, events) in enumerate(
            [("regular", 3, 130002), ("irregular", 4, 147693)]):
        orders = load(folder / f"{name}-order.csv")
        counts = load(folder / f"{name}-events.csv")
        plot_orders(axes[row][1], orders, name, number, events)
        plot_events(axes[row][2], counts, name, number)
        plot_times(axes[row][3], load(folder / f"{name}-time.csv"), name, "ab"[row])
        best = max(orders, key=lambda r: r["k"])
        least = min([least] + [r["k"] for r in orders + counts])
        print(f"{name}: K up to {best['k']:.2f} at N = {best['order']:.0f} (as in the paper: "
              f"{max(r['k_keep_all'] for r in orders):.2f})")
    sizes = range(1000, 100001, 1000)
    axes[1][0].plot(sizes, [0.6 * 128 for _ in sizes], ":", label="3/5 n")
    axes[1][0].plot(sizes, [theory(e, 128, 127) for e in sizes], label="avg/max")
    axes[1][0].plot(sizes, [theory(e, 128, 6) for e in sizes], label="min")
    axes[1][0].set(title="Figure 2b: theory, n = 128", xlabel="events e", ylabel="K")
    axes[1][0].legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(folder / "figures.png", dpi=90)
    print(f"least K: {least:.3f}; picture: {folder / 'figures.png'}")
    if least < 1:
        one_line.fail("a K is below 1")


one_line.run(__doc__, main, 1, 1)
