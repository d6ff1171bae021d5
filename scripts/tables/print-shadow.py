# SPDX-License-Identifier: Apache-2.0
"""Prints the reports that scripts/study measure-shadow pipes in, one JSON object after another."""

import json
import sys

import one_line

INSTRUCTIONS = ("escapes", "branches", "target hits", "target addresses")
# Figures by the counters that they are ratios of.
FIGURES = {"addresses_right": ("claims_right", "claims"), "conditions_decided": ("decided", "branches"),
           "conditions_right": ("decided_right", "decided"), "targets_known": ("known", "indirects"),
           "targets_right": ("known_right", "known")}
PLACES = ("marks", "coder", "periods")


def reports(text):
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        report, at = decoder.raw_decode(text, at)
        yield report


def line(cells):
    print("| " + " | ".join(cells) + " |")


def of_total(rows, count, of):
    total = sum(r["counts"][of] for r in rows)
    return f"{sum(r['counts'][count] for r in rows) / total:.4f}" if total else "-"


def share(lost):
    return f"{100 * lost:.2f} %" if lost >= 0.00005 else "< 0.01 %"


def pins():
    """Two reports for each trace: with two pins, and with one."""
    line(["program", "symbols per instruction", "two pins: queue, words", "output, bytes", "lost",
          "one pin: queue, words", "output, bytes", "lost"])
    line(["---"] + ["--:"] * 7)
    lossless, lost_insns, all_insns = [0, 0], [0, 0], [0, 0]
    both = list(reports(sys.stdin.read()))
    for two, one in zip(both[::2], both[1::2]):
        cells = [two["trace"].split("/")[-1].removesuffix(".oct"), f"{two['figures']['symbols_per_insn']:.3f}"]
        for k, report in enumerate((two, one)):
            buffers = report["cycle_model"]["buffers"]
            insns = report["instructions"] + report["lost_instructions"]
            lost = report["lost_instructions"] / insns
            lossless[k] += report["overflows"] == 0
            lost_insns[k] += report["lost_instructions"]
            all_insns[k] += insns
            cells += [str(buffers["queue"]["high_water"]), str(buffers["output"]["high_water"]),
                      share(lost) if report["overflows"] else "0"]
        line(cells)
    of_all = [share(lost / insns) if lost else "none" for lost, insns in zip(lost_insns, all_insns)]
    print(f"\nWith two pins {lossless[0]} of {len(both) // 2} programs are lossless, with one pin {lossless[1]}. "
          f"Lost of all instructions: {of_all[0]} with two pins, {of_all[1]} with one.")


def main(args):
    if args == ["--pins"]:
        pins()
        return
    rows, shares = [], {}
    for report in reports(sys.stdin.read()):
        n = report["instructions"]
        bits = report["port_bits_by_stream"]
        is_shadow = report["tracer"] == "shadow"
        insn = sum(bits[k] for k in INSTRUCTIONS) / n if is_shadow else 0
        data = sum(v for k, v in bits.items() if k not in INSTRUCTIONS + PLACES) / n if is_shadow else 0
        row = {"name": report["trace"].split("/")[-1].removesuffix(".oct"),
               "all": report["port_bits_per_instruction"], "insn": insn, "data": data,
               "accesses": report["accesses"], "data_bits": data * n,
               "addr_bits": report["parameters"]["addr_bits"]}
        row.update(report.get("figures", {}))
        row["counts"] = {k: report[k] for pair in FIGURES.values() for k in pair if k in report}
        rows.append(row)
        for key, value in bits.items():
            shares[key] = shares.get(key, 0) + value / n
    if not rows:
        one_line.fail("expected reports of octrace compress --json on standard input")
    is_shadow = "addresses_right" in rows[0]
    figures = tuple(FIGURES)
    head = ["program", "I, b/i", "D, b/i", "all, b/i", "D ratio"]
    line(head + [f.replace("_", " ") for f in figures] if is_shadow else ["program", "all, b/i"])
    line(["---"] + ["--:"] * (9 if is_shadow else 1))
    for row in rows:
        if not is_shadow:
            line([row["name"], f"{row['all']:.3f}"])
            continue
        ratio = row["accesses"] * row["addr_bits"] / max(row["data_bits"], 1)
        line([row["name"], f"{row['insn']:.4f}", f"{row['data']:.4f}", f"{row['all']:.4f}", f"{ratio:.0f}"] +
             ["-" if row[f] is None else f"{row[f]:.4f}" for f in figures])
    count = len(rows)
    mean = {k: sum(r[k] for r in rows) / count for k in ("insn", "data", "all")}
    if not is_shadow:
        line(["mean", f"{mean['all']:.3f}"])
        return
    total = sum(r["accesses"] * r["addr_bits"] for r in rows) / max(sum(r["data_bits"] for r in rows), 1)
    line(["mean (D ratio and later columns: of the total)", f"{mean['insn']:.4f}", f"{mean['data']:.4f}", f"{mean['all']:.4f}",
          f"{total:.1f}"] + [of_total(rows, *FIGURES[f]) for f in figures])
    print("\nMean bits per instruction by kind of decision: " +
          ", ".join(f"{k} {v / count:.4f}" for k, v in shares.items()) + ".")


one_line.run(__doc__, main, 0, 1, ["--pins"])
