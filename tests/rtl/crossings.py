#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""crossings - are clocks crossed only where rtl/octrace.sdc says, and as it says?

Yosys turns each module of CROSSINGS into gates. For each flip-flop and output, the flip-flops and inputs that its
value depends on are looked up; those of the other clock cross. Such a path has to begin at a name that is held,
which is stable while it is looked at, or to lead to the first flip-flop of an oct_sync, as a wire from a flip-flop
that this one is listed with. Of its flip-flops only the next one sees what is not the last. All other modules have
one clock. Faults planted in the text have to be found. Where OpenSTA is installed, it takes the constraints, and
finds each crossing within them.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMON = ROOT / "rtl/common"
# Module -> what stands still while the other side looks, and what each oct_sync takes over. On the debug bus the first is so by the
# rules of APB, in the answer until the next request, in a FIFO until the place is free. Several bits are a Gray code, or apart.
CROSSINGS = {
    "oct_apb_cross": ({"m_paddr_i", "m_pwdata_i", "m_pwrite_i", "data_q", "error_q"},
                      {"u_request": {"request_q"}, "u_answer": {"answer_q"}}),
    "oct_async_fifo": ({"words_q"}, {"u_w_gray": {"w_gray_q"}, "u_r_gray": {"r_gray_q"}}),
    "oct_atb_cross": ({"u_fifo.words_q"},
                      {"u_s_asks": {"m_flush_q", "m_sync_q"}, "u_m_sync": {"s_sync_q"}, "u_fifo.u_w_gray": {"u_fifo.w_gray_q"},
                       "u_fifo.u_r_gray": {"u_fifo.r_gray_q"}}),
}
PARTS = ["oct_sync", "oct_async_fifo"]
LIBERTY = pathlib.Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")


def sources_of(module, folder, fault=None):
    """The files of a module, with a text in another one's place."""
    files = []
    for name in dict.fromkeys([module, *PARTS]):
        path = COMMON / f"{name}.v"
        text = path.read_text(encoding="utf-8")
        if fault and fault[0] in text:
            path = folder / f"{name}.v"
            path.write_text(text.replace(*fault), encoding="utf-8")
        files.append(str(path))
    return " ".join(files)


def gates(module, folder, fault=None):
    """The module as gates of one bit."""
    subprocess.run(["yosys", "-q", "-p", f"read_verilog {sources_of(module, folder, fault)}; hierarchy -top {module}; prep -flatten -top {module}; "
                    f"memory_map; techmap; simplemap; opt_clean; write_json {folder}/cross.json"], check=True)
    return json.loads((folder / "cross.json").read_text(encoding="utf-8"))["modules"][module]


def wrong(name_of, module):
    """What crosses a clock and should not, or not so."""
    held, rows = CROSSINGS[name_of]
    if any(row + ".sync_o" not in module["netnames"] for row in rows):
        return {"an oct_sync whose output nothing takes"}
    widths = {row: len(module["netnames"][row + ".sync_o"]["bits"]) for row in rows}
    names, cells, found = {}, {}, set()
    # A flip-flop and a port go by their own names.
    for name, net in sorted(module["netnames"].items(), key=lambda item: not (item[0] in module["ports"] or re.search(r"_q(\[\d+\])?$", item[0]))):
        for i, bit in enumerate(net["bits"]):
            if not net["hide_name"]:
                names.setdefault(bit, (re.sub(r"\[\d+\]$", "", name), i))
    clocks = {names[port["bits"][0]][0][0]: port["bits"][0] for name, port in module["ports"].items() if name.endswith("clk_i")}
    for cell in module["cells"].values():
        out = "Q" if "C" in cell["connections"] else "Y"
        cells[cell["connections"][out][0]] = cell
    inputs = {bit for port in module["ports"].values() if port["direction"] == "input" for bit in port["bits"]}

    def side(bit):
        """The letter of the clock that moves it."""
        if bit in cells:
            return next(s for s, clock in clocks.items() if clock == cells[bit]["connections"]["C"][0])
        return names[bit][0][0]

    def sources(bit, seen):
        """The flip-flops and inputs that a value depends on."""
        if isinstance(bit, str) or bit in seen:
            return set()
        seen.add(bit)
        if bit in inputs or "C" in cells[bit]["connections"]:
            return {bit}
        return {s for port, bits in cells[bit]["connections"].items() if port != "Y" for s in sources(bits[0], seen)}

    ends = [(bit, side(bit), port, cell["connections"][port][0]) for bit, cell in cells.items() if "C" in cell["connections"]
            for port in ("D", "E") if port in cell["connections"]]
    ends += [(bit, name[0], "", bit) for name, port in module["ports"].items() if port["direction"] == "output" for bit in port["bits"]]
    for end, its_side, port, value in ends:
        to, place = names[end]
        to_row = to.removesuffix(".row_q")
        for source in sources(value, set()):
            name, at = names[source]
            row = name.removesuffix(".row_q")
            if row in rows:
                last = len(module["netnames"][name]["bits"]) - widths[row]
                if at < last and (to, place) != (name, at + widths[row]):
                    found.add(f"{to} sees {name}[{at}], which is not of the last flip-flops")
            if side(source) == its_side or name in held:
                continue
            if to_row not in rows or name not in rows[to_row] or place >= widths[to_row] or value != source:
                found.add(f"{name} crosses to {to}[{place}]")
    return found


def timed(module, clocks, folder):
    """What OpenSTA says of the paths between the clocks, the longest and the shortest."""
    script = folder / "sta.tcl"
    subprocess.run(["yosys", "-q", "-p", f"read_verilog {sources_of(module, folder)}; synth -top {module} -flatten; dfflibmap -liberty {LIBERTY}; "
                    f"abc -liberty {LIBERTY}; write_verilog -noattr {folder}/netlist.v"], check=True)
    script.write_text(f"""read_liberty {LIBERTY}
read_verilog {folder}/netlist.v
link_design {module}
create_clock -name one -period 10 [get_ports {clocks[0]}_clk_i]
create_clock -name other -period 4 [get_ports {clocks[1]}_clk_i]
source {ROOT}/rtl/octrace.sdc
oct_cross_constrain one other
oct_reset_sync_constrain {clocks[0]}_rst_ni
foreach {{from to}} {{one other other one}} {{
  foreach way {{max min}} {{report_checks -path_delay $way -from [get_clocks $from] -to [get_clocks $to]}}
}}
""", encoding="ascii")
    return subprocess.run(["sta", "-no_splash", "-exit", script], capture_output=True, text=True, check=True).stdout


FAULTS = {
    "the answer is not taken from the last flip-flop": ("oct_apb_cross", "row_q[WIDTH*(STAGES-1)+:WIDTH];", "row_q[0+:WIDTH];"),
    "no flip-flops in a row": ("oct_apb_cross", "<= request != answer_q", "<= request_q != answer_q"),
    "logic in front of the row": ("oct_apb_cross", ".async_i(answer_q)", ".async_i(answer_q && access_q)"),
    "the other side's state decides": ("oct_apb_cross", "setup_q || (access_q", "(setup_q && waits_q) || (access_q"),
    "what is not held crosses": ("oct_apb_cross", "assign s_penable_o = access_q;", "assign s_penable_o = access_q && m_penable_i;"),
    "a count crosses in binary": ("oct_async_fifo", ".async_i (w_gray_q)", ".async_i (w_count_q)"),
    "the reader looks at the writer's count": ("oct_async_fifo", "r_gray_q != w_gray_seen;", "r_gray_q != w_gray_q;"),
    "the writer's mark is looked at": ("oct_atb_cross", "&& !m_afready_q;", "&& !m_afready_q && !s_mark_q;"),
    "a request crosses past its flip-flops": ("oct_atb_cross", "<= s_flush != s_flush_q;", "<= m_flush_q != s_flush_q;"),
}
CLOCKS = {"oct_apb_cross": "ms", "oct_async_fifo": "wr", "oct_atb_cross": "sm"}


def main():
    failed = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for module in CROSSINGS:
            failed += [f"{module}: {what}" for what in sorted(wrong(module, gates(module, folder)))]
            if shutil.which("sta") and LIBERTY.exists():
                said = timed(module, CLOCKS[module], folder)
                limits = re.findall(r"([\d.]+) +max_delay|(No paths) found", said)
                if limits != [("4.00", ""), ("", "No paths")] * 2:
                    failed.append(f"{module}: OpenSTA: {said}")
        for what, (module, old, new) in FAULTS.items():
            assert any((COMMON / f"{n}.v").read_text(encoding="utf-8").count(old) == 1 for n in [module, *PARTS]), old
            if not wrong(module, gates(module, folder, (old, new))):
                failed.append(f"not found: {what}")
    for path in sorted(ROOT.glob("rtl/*/*.v")):
        clocks = set(re.findall(r"posedge (\w+)", path.read_text(encoding="utf-8")))
        if path.stem not in CROSSINGS and clocks - {"clk_i"}:
            failed.append(f"{path.name}: a clock {', '.join(sorted(clocks - {'clk_i'}))}")
    print("\n".join(failed) or f"clocks are crossed in {', '.join(CROSSINGS)}, as rtl/octrace.sdc says")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
