#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""crossings - are clocks crossed only where rtl/octrace.sdc says, and as it says?

Yosys turns oct_apb_cross into gates. For each flip-flop and output, the flip-flops and inputs that its value
depends on are looked up; those of the other clock cross. Such a path has to begin at one of the names of HELD,
which are stable while they are looked at, or to lead to the first flip-flop of a row, as a wire from one
flip-flop. Of a row only the next flip-flop sees what is not its last. All other modules have one clock. Faults
planted in the text have to be found. Where OpenSTA is installed, it takes the constraints, and finds each
crossing within them.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CROSS = ROOT / "rtl/common/oct_apb_cross.v"
# What stands still while the other side looks: on the debug bus by the rules of APB, in the answer until the next request.
HELD = {"m_paddr_i", "m_pwdata_i", "m_pwrite_i", "data_q", "error_q"}
ROWS = {"request_sync_q": "request_q", "answer_sync_q": "answer_q"}  # a row of flip-flops, what it takes over
LIBERTY = pathlib.Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")


def gates(text, folder):
    """The module as gates of one bit."""
    source = folder / "cross.v"
    source.write_text(text, encoding="utf-8")
    subprocess.run(["yosys", "-q", "-p", f"read_verilog {source}; prep -top oct_apb_cross -flatten; techmap; simplemap; opt_clean; "
                    f"write_json {folder}/cross.json"], check=True)
    return json.loads((folder / "cross.json").read_text(encoding="utf-8"))["modules"]["oct_apb_cross"]


def wrong(module):
    """What crosses a clock and should not, or not so."""
    names, cells, found = {}, {}, set()
    for name, net in sorted(module["netnames"].items(), key=lambda item: not item[0].endswith("_q")):  # before other names of the same
        for i, bit in enumerate(net["bits"]):
            if not net["hide_name"]:
                names.setdefault(bit, (name, i))
    clocks = {names[port["bits"][0]][0][0]: port["bits"][0] for name, port in module["ports"].items() if name.endswith("clk_i")}
    for cell in module["cells"].values():
        out = "Q" if "C" in cell["connections"] else "Y"
        cells[cell["connections"][out][0]] = cell
    inputs = {bit for port in module["ports"].values() if port["direction"] == "input" for bit in port["bits"]}

    def side(bit):
        """m or s: whose clock moves it."""
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
        for source in sources(value, set()):
            name, at = names[source]
            if name in ROWS:
                last = len(module["netnames"][name]["bits"]) - 1
                if at != last and (to, place) != (name, at + 1):
                    found.add(f"{to} sees {name}[{at}] of {last + 1} flip-flops")
            if side(source) == its_side or name in HELD:
                continue
            if ROWS.get(to) != name or place or value != source:
                found.add(f"{name} crosses to {to}[{place}]")
    return found


def timed(folder):
    """What OpenSTA says of the paths between the clocks, the longest and the shortest."""
    script = folder / "sta.tcl"
    subprocess.run(["yosys", "-q", "-p", f"read_verilog {CROSS}; synth -top oct_apb_cross -flatten; dfflibmap -liberty {LIBERTY}; "
                    f"abc -liberty {LIBERTY}; write_verilog -noattr {folder}/netlist.v"], check=True)
    script.write_text(f"""read_liberty {LIBERTY}
read_verilog {folder}/netlist.v
link_design oct_apb_cross
create_clock -name debug -period 10 [get_ports m_clk_i]
create_clock -name core -period 4 [get_ports s_clk_i]
source {ROOT}/rtl/octrace.sdc
oct_apb_cross_constrain debug core
oct_reset_sync_constrain m_rst_ni
foreach {{from to}} {{debug core core debug}} {{
  foreach way {{max min}} {{report_checks -path_delay $way -from [get_clocks $from] -to [get_clocks $to]}}
}}
""", encoding="ascii")
    return subprocess.run(["sta", "-no_splash", "-exit", script], capture_output=True, text=True, check=True).stdout


def main():
    text = CROSS.read_text(encoding="utf-8")
    faults = {
        "the answer is taken from the first flip-flop": ("answer_sync_q[STAGES-1];", "answer_sync_q[0];"),
        "the request is taken from the first flip-flop": ("request_sync_q[STAGES-1];", "request_sync_q[0];"),
        "no flip-flops in a row": ("request_sync_q[STAGES-1];", "request_q;"),
        "logic in front of the row": ("answer_sync_q[STAGES-2:0], answer_q}", "answer_sync_q[STAGES-2:0], answer_q && access_q}"),
        "the other side's state decides": ("setup_q || (access_q", "(setup_q && waits_q) || (access_q"),
        "what is not held crosses": ("assign s_penable_o = access_q;", "assign s_penable_o = access_q && m_penable_i;"),
    }
    failed = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        failed += [f"{CROSS.name}: {what}" for what in sorted(wrong(gates(text, folder)))]
        for what, (old, new) in faults.items():
            assert text.count(old) == 1, old
            if not wrong(gates(text.replace(old, new), folder)):
                failed.append(f"not found: {what}")
        if shutil.which("sta") and LIBERTY.exists():
            said = timed(folder)
            if re.findall(r"([\d.]+) +max_delay|(No paths) found", said) != [("4.00", ""), ("", "No paths"), ("10.00", ""), ("", "No paths")]:
                failed.append("OpenSTA: " + said)
    for path in sorted(ROOT.glob("rtl/*/*.v")):
        clocks = set(re.findall(r"posedge (\w+)", path.read_text(encoding="utf-8")))
        if path != CROSS and clocks - {"clk_i"}:
            failed.append(f"{path.name}: a clock {', '.join(sorted(clocks - {'clk_i'}))}")
    print("\n".join(failed) or "clocks are crossed in oct_apb_cross, as rtl/octrace.sdc says")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
