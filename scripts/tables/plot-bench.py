#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot-bench - draw the table of octrace bench: ratio against speed, compression and decompression.

Usage: scripts/study plot-bench TABLE.csv OUT.png|OUT.svg|OUT.pdf [FILE]
FILE is a name in the table's first column; "all", the default, takes the totals.
"""
import csv
import math

import one_line


def spread(figure, axis, labels):
    """Move labels to the nearest place beside their points where none covers another or a point and all
    stand within the axes, with a thin line to a point that is further away."""
    from matplotlib.transforms import Bbox  # pylint: disable=import-outside-toplevel

    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    placed = []
    for label in labels:
        at = axis.transData.transform(label.xy)
        placed.append(Bbox.from_bounds(at[0] - 4, at[1] - 4, 8, 8))

    def is_free(box):
        return (axis.bbox.x0 < box.x0 and box.x1 < axis.bbox.x1 and axis.bbox.y0 < box.y0 and box.y1 < axis.bbox.y1
                and not any(box.overlaps(other) for other in placed))

    for label in sorted(labels, key=lambda l: l.xy[1]):
        places = sorted(((side * right, -4 + 7 * step) for side in (6, 20, 50) for right in (1, -1)
                         for step in range(-40, 41)), key=lambda p: math.hypot(p[0], 2 * (p[1] + 4)))
        for place in places:
            label.set_horizontalalignment("left" if place[0] > 0 else "right")
            label.set_position(place)
            box = label.get_window_extent(renderer).expanded(1.0, 1.1)
            if is_free(box):
                break
        placed.append(box)
        if abs(place[1] + 4) > 10 or abs(place[0]) > 10:
            axis.annotate("", label.xy, xytext=place, textcoords="offset points",
                          arrowprops={"arrowstyle": "-", "color": "#999999", "linewidth": 0.6})


def number(text):
    return float(text) if text else 0.0


def plot(path, out, wanted="all"):
    with open(path, newline="", encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table) if row.get("file") == wanted]
    if not rows:
        raise ValueError(f"{path}: no rows of file '{wanted}'")
    figure, axes = one_line.pyplot().subplots(1, 2, figsize=(14, 7), sharey=True)
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
            labels.append(axis.annotate(row["codec"] + mark, (x, y), xytext=(6, -4),
                                        textcoords="offset points", fontsize=7))
        texts.append(labels)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel(column.replace("_MB_s", "ion: MB/s of raw trace"))
        axis.margins(x=0.12, y=0.15)  # room for the labels
        for each in (axis.xaxis, axis.yaxis):
            each.set_major_formatter(lambda value, _: f"{value:g}")
        axis.grid(True, which="both", alpha=0.3)
    axes[0].set_ylabel("compression ratio")
    figure.suptitle(f"octrace bench: {wanted}".replace("$", r"\$"))  # a dollar begins a formula
    for label in sum(texts, []):
        label.set_in_layout(False)  # spread() looks after them
    figure.tight_layout()
    for axis, labels in zip(axes, texts):
        spread(figure, axis, labels)
    figure.savefig(out, dpi=120)


def main(args):
    one_line.check_picture(args[1])
    try:
        plot(*args)
    except UnicodeDecodeError:
        one_line.fail(f"{args[0]}: expected a table of octrace bench --csv")
    except KeyError as error:
        one_line.fail(f"{args[0]}: expected a column {error}")
    except ValueError as error:
        one_line.fail(error)


if __name__ == "__main__":
    one_line.run(__doc__, main, 2, 3)
