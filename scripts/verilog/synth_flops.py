# SPDX-License-Identifier: Apache-2.0
"""synth_flops.py - what the flip-flops of `shadow` are for: Yosys' gates before any mapping, by the names of registers."""
import collections
import json
import pathlib
import re
import tempfile

from .synth_logic import logic

# Purposes, and the names of their registers: the first that is found in a name counts.
PURPOSES = [
    ("what a memory's read in the cycle of a write would miss", r"gen_bypass|passe[ds]_(entry_|lane_)?q|written_(word|tag|valid)_q|values_q|taught_q|gen_choice\.written_q"),
    ("valid bits: a row that is written, place of a bit", r"(valid|known|old)\.(written|is_written|row|col)_q"),
    ("numbers of marks, what was lost", r"u_gather\.(mark_|insn_q|lost_|resumes_|since_q)"),
    ("registers of the debugger", r"^u_regs\.|^atid_q"),
    ("shadow registers: origins, known or not, confidence", r"u_execute\.u_regs\."),
    ("words that were learnt, accesses under way", r"u_execute\."),
    ("operation under way", r"u_decoder\.|x_op_q|x_number|list_q"),
    ("addresses, task, numbers of an instruction or access under way", r"u_gather\.(head_|last_task|task_q|at_q|open_n)|u_front\.|"
     r"u_core\.[a-z_]+_q|u_flow\.(pc|next|target|to|base|size)|u_stride\.(addr|near|before|now|from|diff|at)_"),
    ("branches: history, path, return stack", r"u_flow\."),
    ("stride table: guesses", r"u_stride\."),
    ("mix of branch probabilities", r"u_mix\."),
    ("items, numbers of silent decisions", r"u_emit\."),
    ("places of FIFOs and lines of delay", r"count_q|head_q|tail_q|head_row_q|tail_row_q|u_core\.\w+\.words_q"),
    ("symbols and the arithmetic coder", r"u_tail\."),
    ("bytes, check, marks as bytes", r"u_framer\."),
]


def flops(module, geometry):
    """Print a table of purposes: flip-flops, those that may hold their value, those with reset."""
    with tempfile.TemporaryDirectory() as name:
        logic(module, geometry, "", pathlib.Path(name))
        design = json.loads((pathlib.Path(name) / "logic.json").read_text(encoding="utf-8"))
    top = next(m for m in design["modules"].values() if int(m["attributes"].get("top", "0"), 2))
    names = {}  # of bits: registers before wires, then the shortest
    for net, it in top["netnames"].items():
        for bit in it["bits"]:
            rank = (not re.search(r"_q(\[\d+\])?$", net), net.startswith("$"), len(net), net)
            if isinstance(bit, int) and (bit not in names or rank < names[bit]):
                names[bit] = rank
    counts = collections.defaultdict(lambda: [0, 0, 0])
    for it in top["cells"].values():
        kind = re.fullmatch(r"\$_(S?DFF)(C?E)?_P(N[01])?\w*_", it["type"])
        if kind:
            net = names[it["connections"]["Q"][0]][-1]
            purpose = next((text for text, pattern in PURPOSES if re.search(pattern, net)), "control")
            for i, counts_too in enumerate((True, kind[2], kind[1] == "DFF" and kind[3])):
                counts[purpose][i] += bool(counts_too)
    order = [text for text, _ in PURPOSES] + ["control"]
    print("| what for | flip-flops | with enable | with reset |\n|---|--:|--:|--:|")
    for text in sorted((t for t in order if t in counts), key=lambda t: -counts[t][0]):
        print(f"| {text} | {counts[text][0]} | {counts[text][1]} | {counts[text][2]} |")
    print("| all | " + " | ".join(str(sum(c[i] for c in counts.values())) for i in range(3)) + " |")
    return 0
