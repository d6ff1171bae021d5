#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot-bandwidth.py - table and picture of the results of scripts/demo: bits of paper and shadow, and loss by pins.

Usage: scripts/study plot-bandwidth PICTURE FOLDER   FOLDER has, for each trace and tracer, TRACE.TRACER.RUN.json (as `octrace
compress --json` prints it) and .result (how the comparison went), where RUN is `untimed` or a number of pins.
"""
import json
import pathlib

import one_line

TRACERS = {"paper": "#0072b2", "shadow": "#d55e00"}


def load(folder):
    """{trace: {tracer: {run: report}}}, with what was lost in percent."""
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        trace, tracer, run = path.name[:-len(".json")].rsplit(".", 2)
        report = json.loads(path.read_text())
        lost, kept = report["lost_instructions"], report["instructions"]
        report["lost"] = 100 * lost / max(lost + kept, 1)
        report["result"] = path.with_suffix(".result").read_text().strip()
        found.setdefault(trace, {}).setdefault(tracer, {})[run] = report
    if not found:
        one_line.fail(f"{folder}: expected reports (TRACE.TRACER.RUN.json), found none")
    return found


def pins_of(traces):
    return sorted({int(run) for t in traces.values() for r in t.values() for run in r if run != "untimed"}, reverse=True)


def print_table(traces):
    pins = pins_of(traces)
    print("                bits per instruction   instructions lost, by pins of the port (one instruction per cycle)")
    print(f"{'':14}" + "".join(f"{tracer:>9}" for tracer in TRACERS) + "".join(
        f"{tracer + ' ' + str(n):>11}" for tracer in TRACERS for n in pins) + "  decoded")
    for name, by in traces.items():
        results = {r["result"] for runs in by.values() for r in runs.values()}
        print(f"{name:14}" + "".join(f"{by[t]['untimed']['port_bits_per_instruction']:9.4f}" for t in TRACERS) + "".join(
            f"{by[t][str(n)]['lost']:10.2f}%" for t in TRACERS for n in pins) + f"  {', '.join(sorted(results))}")


def plot(traces, picture):
    figure, (bits, loss) = one_line.pyplot().subplots(1, 2, figsize=(12, 4.8), gridspec_kw={"width_ratios": [2.2, 1]})
    places = range(len(traces))
    top = 0
    for i, (tracer, color) in enumerate(TRACERS.items()):
        values = [by[tracer]["untimed"]["port_bits_per_instruction"] for by in traces.values()]
        bars = bits.bar([p + 0.4 * i - 0.2 for p in places], values, width=0.38, color=color, label=tracer)
        # To the sides, so that the two of a trace do not cover each other where both bars are low.
        for bar, value in zip(bars, values):
            at = bar.get_x() + (bar.get_width() if not i else 0)
            bits.annotate(f"{value:.2g}", (at, value), xytext=(0, 2), textcoords="offset points", fontsize=8,
                          ha="left" if i else "right")
        top = max(top, *values)
    bits.set_ylim(0, 1.12 * top)
    bits.set_xlim(-0.6, len(traces) - 0.2)
    bits.set_xticks(list(places), list(traces), rotation=40, ha="right")
    bits.set_ylabel("port bits per instruction")
    bits.set_title("Bits of instructions and data addresses, nothing lost")
    bits.legend()
    pins = pins_of(traces)
    for tracer, color in TRACERS.items():
        for run, marker in (("mean", "o"), ("worst", "^")):
            of = [[by[tracer][str(n)]["lost"] for by in traces.values()] for n in pins]
            loss.plot([str(n) for n in pins], [sum(v) / len(v) if run == "mean" else max(v) for v in of], marker=marker,
                      linestyle="-" if run == "mean" else ":", color=color, label=f"{tracer}, {run} trace")
    loss.set_ylim(-3, 140)  # room for the legend
    loss.set_yticks(range(0, 101, 20))
    loss.set_xlabel("pins of the port")
    loss.set_ylabel("instructions lost, %")
    loss.set_title("Loss at one instruction per cycle")
    loss.legend(loc="upper left")
    for axes in (bits, loss):
        axes.grid(True, axis="y", alpha=0.3)
    figure.tight_layout()
    figure.savefig(picture, dpi=120)


def main(args):
    one_line.check_picture(args[0])
    traces = load(args[1])
    print_table(traces)
    plot(traces, args[0])
    print(f"picture: {args[0]}")


one_line.run(__doc__, main, 2)
