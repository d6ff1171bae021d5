#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""integration.py - does docs/integration.md name every port of both compressors and of the pins, and none that is not
there? Does it gate all that the core tells? Has its table of RISC-V's trace ingress port every input of the adapter? And have
its tables of the modules around the compressor each port of them once, as wide as it is?"""
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
# The tables of the modules around the compressor.
section = PAGE.split("## Ports of the modules around the compressor", 1)[1].split("\n## ", 1)[0]
tables = dict(re.findall(r"^`(oct_\w+)`:\n\n((?:\|.*\n)+)", section, re.M))
receivers = ["oct_rvfi", "oct_coresight", "oct_apb_cross", "oct_reset_sync", "oct_trace_port", "oct_ram_sink", "oct_axis_bridge", "oct_funnel",
             "oct_formatter"]
if sorted(tables) != sorted(receivers):
    lines.append(f"docs/integration.md has tables of the ports of {', '.join(sorted(tables))}: expected {', '.join(sorted(receivers))}")
for module in receivers:
    table = tables.get(module, "")
    has = widths(ROOT / f"rtl/common/{module}.v")
    told = [(name, row.split("|")[2].strip(" `")) for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    lines += [f"docs/integration.md has {name} of {module} more than once" for name, _ in told if [n for n, _ in told].count(name) > 1]
    lines += [f"docs/integration.md does not have {name} of {module}, {has[name]} bits wide" for name in sorted(has.keys() - dict(told).keys())]
    lines += [f"docs/integration.md has {name} of {module} with {bits} bits: expected {has.get(name, 'no such port')}" for name, bits in told
              if has.get(name) != bits]
sys.exit("\n".join(lines) or None)
