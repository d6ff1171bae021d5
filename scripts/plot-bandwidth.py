#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot-bandwidth.py - table and picture of what goes through the trace port.

Usage: plot-bandwidth.py PICTURE REPORT...   REPORT: path without suffix of the .json that `octrace
compress --json` printed and of the .result that says how the comparison went, as in
demo/sha1.cycle. The picture stacks the logical streams of the untimed engine, which loses nothing, a bar per trace.
"""
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import one_line


def load(path):
    report = json.loads(pathlib.Path(path + ".json").read_text())
    report["name"] = pathlib.Path(path).name.rsplit(".", 1)[0]
    report["result"] = pathlib.Path(path + ".result").read_text().strip()
    insns = max(report["instructions"], 1)  # those that were not lost
    report["bits"] = {k: v / insns for k, v in report["port_bits_by_stream"].items()}
    return report


def print_table(reports):
    streams = list(reports[0]["bits"])
    print("Port bits per instruction, by logical stream")
    head = "".join(f"{s:>11}" for s in streams)
    print(f"{'trace':14}{'engine':9}{head}{'all':>9}{'lost':>8}  decoded")
    for r in reports:
        row = "".join(f"{r['bits'][s]:11.4f}" for s in streams)
        lost = 100 * r["lost_instructions"] / max(r["instructions"] + r["lost_instructions"], 1)
        print(f"{r['name']:14}{r['engine']:9}{row}{sum(r['bits'].values()):9.4f}"
              f"{lost:7.2f}%  {r['result']}")


def plot(reports, picture):
    bars = [r for r in reports if r["engine"] == "untimed"] or reports
    names = [r["name"] for r in bars]
    figure, axes = plt.subplots(figsize=(max(6, 0.8 * len(bars) + 3), 4.5))
    bottom = [0.0] * len(bars)
    for stream in bars[0]["bits"]:
        values = [r["bits"][stream] for r in bars]
        axes.bar(names, values, bottom=bottom, label=stream)
        bottom = [a + b for a, b in zip(bottom, values)]
    axes.set_ylabel("port bits per instruction")
    axes.set_title("Trace port bandwidth by logical stream")
    axes.tick_params(axis="x", rotation=40)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(picture, dpi=120)


def main(args):
    one_line.check_picture(args[0])
    reports = [load(path) for path in args[1:]]
    print_table(reports)
    plot(reports, args[0])
    print(f"picture: {args[0]}")


one_line.run(__doc__, main, 2)
