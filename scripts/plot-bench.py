#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot-bench - draw the table of octrace bench: ratio against speed, compression and decompression.

Usage: plot-bench.py TABLE.csv OUT.png|OUT.svg|OUT.pdf [FILE]
FILE is a name in the table's first column; "all", the default, takes the totals.
"""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.transforms import Bbox  # noqa: E402


def spread(figure, axis, labels):
    """Move labels up or down until none covers another or a point, with a thin line to the point of
    each; what would leave the axes on the right stands left of its point."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    placed = []
    for label in labels:
        at = axis.transData.transform(label.xy)
        placed.append(Bbox.from_bounds(at[0] - 4, at[1] - 4, 8, 8))
    for label in sorted(labels, key=lambda l: l.xy[1]):
        if label.get_window_extent(renderer).x1 > axis.bbox.x1:
            label.set_horizontalalignment("right")
        side = -6 if label.get_horizontalalignment() == "right" else 6
        for step in sorted(range(-40, 41), key=abs):
            label.set_position((side, 4 + 7 * step))
            box = label.get_window_extent(renderer).expanded(1.0, 1.1)
            if not any(box.overlaps(other) for other in placed):
                break
        placed.append(box)
        if abs(label.get_position()[1] - 4) > 10:
            axis.annotate("", label.xy, xytext=label.get_position(), textcoords="offset points",
                          arrowprops={"arrowstyle": "-", "color": "#999999", "linewidth": 0.6})


def number(text):
    return float(text) if text else 0.0


def plot(path, out, wanted="all"):
    with open(path, newline="", encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table) if row.get("file") == wanted]
    if not rows:
        raise ValueError(f"{path}: no rows of file '{wanted}'")
    figure, axes = plt.subplots(1, 2, figsize=(13, 6), sharey=True)
    texts = []
    for axis, column, noise in ((axes[0], "compress_MB_s", "compress_noise"),
                                (axes[1], "decompress_MB_s", "decompress_noise")):
        labels = []
        for row in rows:
            x, y = number(row[column]), number(row["geometric_mean_ratio"] or row["ratio"])
            if x <= 0 or y <= 0:
                continue
            axis.errorbar(x, y, xerr=x * number(row[noise]) / 2, fmt="o", capsize=2)
            mark = "" if row.get("lossless") != "false" else " (lossy)"
            labels.append(axis.annotate(row["codec"] + mark, (x, y), xytext=(6, 4),
                                        textcoords="offset points", fontsize=7))
        texts.append(labels)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel(column.replace("_MB_s", "ion: MB/s of raw trace"))
        axis.margins(x=0.12, y=0.08)  # room for the labels
        axis.grid(True, which="both", alpha=0.3)
    axes[0].set_ylabel("compression ratio")
    figure.suptitle(f"octrace bench: {wanted}".replace("$", r"\$"))  # a dollar begins a formula
    figure.tight_layout()
    for axis, labels in zip(axes, texts):
        spread(figure, axis, labels)
    figure.savefig(out, dpi=120)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    try:
        plot(*sys.argv[1:])
    except OSError as error:
        sys.exit(f"plot-bench: {error.filename}: {error.strerror}")
    except UnicodeDecodeError:
        sys.exit(f"plot-bench: {sys.argv[1]}: a table of octrace bench --csv is expected")
    except KeyError as error:
        sys.exit(f"plot-bench: {sys.argv[1]}: a column {error} is expected")
    except ValueError as error:
        sys.exit(f"plot-bench: {error}")


if __name__ == "__main__":
    main()
