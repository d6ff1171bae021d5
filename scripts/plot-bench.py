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


def number(text):
    return float(text) if text else 0.0


def plot(path, out, wanted="all"):
    with open(path, newline="", encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table) if row.get("file") == wanted]
    if not rows:
        raise ValueError(f"{path}: no rows of file '{wanted}'")
    figure, axes = plt.subplots(1, 2, figsize=(13, 6), sharey=True)
    for axis, column, noise in ((axes[0], "compress_MB_s", "compress_noise"),
                                (axes[1], "decompress_MB_s", "decompress_noise")):
        for row in rows:
            x, y = number(row[column]), number(row["geometric_mean_ratio"] or row["ratio"])
            if x <= 0 or y <= 0:
                continue
            axis.errorbar(x, y, xerr=x * number(row[noise]) / 2, fmt="o", capsize=2)
            mark = "" if row.get("lossless") != "false" else " (lossy)"
            axis.annotate(row["codec"] + mark, (x, y), xytext=(4, 4), textcoords="offset points", fontsize=7)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel(column.replace("_MB_s", "ion: MB/s of raw trace"))
        axis.grid(True, which="both", alpha=0.3)
    axes[0].set_ylabel("compression ratio")
    figure.suptitle(f"octrace bench: {wanted}")
    figure.tight_layout()
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
