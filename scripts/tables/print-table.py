#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""print-table.py - the table from the files that scripts/study table left in a folder.

Usage: scripts/study print-table FOLDER SOURCE
"""
import datetime
import json
import pathlib

import one_line
from put_table import machine

ENTRIES = [32, 64, 128, 256, 512, 1024]


def ratio(raw, packed):
    return raw / packed if packed else 0.0


def add(total, part):
    for key, value in part.items():
        total[key] = total.get(key, 0) + value
    return total


def load(folder, name):
    """All sizes of one trace in bits; addresses count 32 bits, as the paper counts them."""
    sizes = {}
    for entries in ENTRIES:
        r = json.loads((folder / f"{name}.{entries}.json").read_text())
        sizes[f"dasc{entries}"] = r["paper_dt_bits"] + r["paper_dmt_bits"]
    sizes["insns"], sizes["accesses"] = r["instructions"], r["accesses"]
    sizes["port"] = r["port_bits"]
    sizes["sc"] = r["paper_scit_bits"] + r["paper_scmt_bits"]
    sizes["ntuple"] = sum(r[f"paper_{k}_bits"] for k in ("tuple_hit", "tuple_miss", "scmt"))
    for what in ("pc", "da"):
        raw, gzip, bzip2 = (8 * int(n) for n in (folder / f"{name}.{what}").read_text().split())
        sizes |= {f"{what}_raw": raw, f"{what}_gzip": gzip, f"{what}_bzip2": bzip2}
    return sizes


def row(name, s):
    pc, da = s["pc_raw"], s["da_raw"]
    cells = [name, f"{s['insns'] / 1e6:.2f}"]
    cells += [f"{ratio(pc, s[k]):.1f}" for k in ("sc", "ntuple", "pc_gzip", "pc_bzip2")]
    cells += [f"{ratio(da, s[f'dasc{e}']):.2f}" for e in ENTRIES]
    cells += [f"{ratio(da, s[k]):.2f}" for k in ("da_gzip", "da_bzip2")]
    cells += [f"{ratio(s['port'], s['insns']):.3f}"]
    return "| " + " | ".join(cells) + " |"


def main(args):
    folder, source = pathlib.Path(args[0]), args[1]
    names = sorted(p.name[:-3] for p in folder.glob("*.pc"))
    if not names:
        one_line.fail(f"no traces in {source}")
    head = ["trace", "M insns", "SC.I", "SC.I+Ntuple", "gzip -6", "bzip2 -9"]
    head += [f"DASC {e}" for e in ENTRIES] + ["gzip -6", "bzip2 -9", "port bits/insn"]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "--:|" * (len(head) - 1))
    total = {}
    for name in names:
        sizes = load(folder, name)
        print(row(name, sizes))
        add(total, sizes)
    print(row("**all**", total))
    print("\nCompression ratios: columns 3 to 6 of instruction addresses, 7 to 14 of data addresses,"
          " against 4 bytes an address;\ngzip and bzip2 on those raw addresses. SC.I (stream cache), Ntuple and DASC (data address stride cache)"
          " by the paper's accounting (Eq. 1 and 3);\nport bits are everything that leaves through"
          " the pins for instructions and data together (geometry `paper`, untimed).")
    print(f"Traces: {source}; machine: {machine()}; {datetime.date.today()}; `scripts/study table`.")


one_line.run(__doc__, main, 2, 2)
