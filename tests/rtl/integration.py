#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""integration.py - does docs/integration.md name every port of both compressors and of the pins, and none that is not
there? Does it gate all events of the core? Has its table of RISC-V's trace ingress port every input of the adapter? Does its first table
have every module of rtl/common that no other one contains, and docs/data/ports.csv every port and parameter of them, with bits,
default and a meaning? Do the tables of docs/rtl.md have every module of rtl/paper and rtl/common?"""
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs/integration.md").read_text(encoding="utf-8")
# The registers' bus stands there as `psel_i` ... `pslverr_o`.
RANGES = {"psel_i", "penable_i", "pwrite_i", "paddr_i", "pwdata_i", "prdata_o", "pready_o", "pslverr_o"}
# What each receiver brings or takes as a whole.
BUS = {"atvalid_o", "atdata_o", "atbytes_o", "atdata_i", "atbytes_i"}
# The pins themselves.
PINS = {"valid_o", "data_o"}


def bits_of(span):
    """How many, of what stands in brackets before a port."""
    high = span.removesuffix(":0") if span else "0"
    return str(int(high) + 1) if high.isdigit() else high.removesuffix("-1") if high.endswith("-1") else f"{high}+1"


def with_headers(text):
    """A port list with those of the headers in it."""
    return re.sub(r'^`include "(\w+_ports\.vh)"$',
                  lambda m: with_headers((ROOT / "rtl/common" / m[1]).read_text(encoding="utf-8")), text, flags=re.M)


def widths(path):
    """Names of the ports of the module in a file, and their bits."""
    header = with_headers(path.read_text(encoding="utf-8").split("\n);", 1)[0])
    found = re.findall(r"^\s*(?:input|output)\s+(?:wire|reg)\s*(?:\[([^]]*)\])?\s*(\w+_n?[io])\b", header, re.M)
    return {name: bits_of(span) for span, name in found}


def number(text):
    """The value of a constant of Verilog or C."""
    base, _, digits = text.rpartition("'")
    return int(digits[1:], {"d": 10, "h": 16, "b": 2}[digits[0]]) if base else int(text, 0)


def parameters(path):
    """Names of the parameters of the module in a file, and their defaults."""
    header = path.read_text(encoding="utf-8").split("\n);", 1)[0]
    return {name: number(value) for name, value in re.findall(r"^\s*parameter\s[^=]*\b(\w+)\s*=\s*([^,\s]+)", header, re.M)}


def around():
    """Names of the modules around the compressor."""
    common = {p.stem for p in (ROOT / "rtl/common").glob("*.v")}
    inside = {name for p in (ROOT / "rtl").glob("[cps]*/*.v*") if p.parent.name != "synth"
              for name in re.findall(r"^ +(oct_\w+) (?:#\(|u_)", p.read_text(encoding="utf-8"), re.M)}
    return common - inside | common & set(re.findall(r"^\| `rtl/common/(\w+)\.v`", PAGE, re.M))


def ports(path):
    """Names of the ports of the module in a file."""
    return set(widths(path))


files = [p for folder in ("common", "paper", "shadow") for p in (ROOT / "rtl" / folder).glob("*.v")]
known = set().union(*(ports(p) for p in files))
named = set(re.findall(r"`(\w+_n?[io])`", PAGE))
lines = [f"docs/integration.md names {port}, which no module has" for port in sorted(named - known)]
gate = next(line for line in PAGE.splitlines() if line.startswith("| `trace_enable_o` |"))
for name, least in (("paper/oct_compressor", 30), ("shadow/oct_shadow_compressor", 35), ("common/oct_trace_port", 8)):
    module = ports(ROOT / f"rtl/{name}.v")
    lines += [f"docs/integration.md does not name {port} of {name}"
              for port in sorted(module - named - RANGES - BUS - PINS)]
    # A trap beside the gate would leave a chip that forbids tracing.
    lines += [f"docs/integration.md does not gate {port} of {name} with trace_enable_o" for port in sorted(module)
              if re.fullmatch(r"(?!.*word)\w+_valid_i", port) and f"`{port}`" not in gate]
    if len(module) < least:
        lines.append(f"only {len(module)} ports of {name} found: is its header still one list?")
table = PAGE.split("## The signals of RISC-V's trace ingress port", 1)[1]
rows = set(re.findall(r"`(\w+)`", " ".join(line.split("|")[1] for line in table.splitlines() if line.startswith("| `"))))
adapter = ports(ROOT / "rtl/common/oct_riscv_ingress.v")
lines += [f"docs/integration.md has no row for {port} of oct_riscv_ingress" for port in sorted(adapter)
          if port.endswith("_i") and port not in ("clk_i", "words_i", "gate_i") and port[:-2] not in rows]
lines += [f"{name} has no gate_i beside trace_enable_o in docs/integration.md" for name in ("oct_rvfi", "oct_riscv_ingress")
          if "gate_i" not in ports(ROOT / f"rtl/common/{name}.v") or "`gate_i`" not in gate]
# The table of the modules around the compressor.
with open(ROOT / "docs/data/ports.csv", encoding="utf-8", newline="") as table:
    rows = {(row["module"], row["name"]): row for row in csv.DictReader(table)}
modules = sorted(around())
listed = sorted({module for module, _ in rows})
if listed != modules:
    lines.append(f"docs/data/ports.csv has {', '.join(listed)}: expected {', '.join(modules)}")
wanted = {(m, name): value for m in modules for name, value in parameters(ROOT / f"rtl/common/{m}.v").items()}
has = {(m, name): value for m in modules for name, value in widths(ROOT / f"rtl/common/{m}.v").items()}
lines += [f"docs/data/ports.csv has {name} of {m}, which has no such port or parameter" for m, name in sorted(rows.keys() - wanted.keys() - has.keys())]
lines += [f"docs/data/ports.csv does not have {name} of {m}" for m, name in sorted((wanted.keys() | has.keys()) - rows.keys())]
lines += [f"docs/data/ports.csv has no meaning of {name} of {m}" for (m, name), row in rows.items() if not row["meaning"]]
for key in sorted(rows.keys() & (wanted.keys() | has.keys())):
    told = rows[key]["bits or default"]
    if key in wanted and number(told) != wanted[key] or key in has and told != has[key]:
        lines.append(f"docs/data/ports.csv has {told} for {key[1]} of {key[0]}: run scripts/study table-ports")
# The tables of modules: each file of rtl/paper and rtl/common. The heads of the files of rtl/shadow have their purpose.
text = (ROOT / "docs/rtl.md").read_text(encoding="utf-8").split("\n## Modules\n", 1)[1].split("\n## ", 1)[0]
listed = set(re.findall(r"`(oct_\w+)`", text)) | set(modules)
lines += [f"docs/rtl.md has no row for {p.stem}" for p in files if p.parent.name != "shadow" and p.stem not in listed]
sys.exit("\n".join(lines) or None)
