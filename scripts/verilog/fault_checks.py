# SPDX-License-Identifier: Apache-2.0
"""fault_checks - what looks at a fault in the Verilog: twin tests, lockstep, proofs, the test of the debug bus."""
import contextlib
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIMEOUT_S = 300
# The module of a twin test that has not its name.
MODULE_OF = {"oct_formatter_opencsd": "oct_formatter", "oct_shadow_core_rv": "oct_shadow_core", "oct_shadow_prob_branch": "oct_shadow_prob"}
# Which twin sees a file that has none of its own.
TWIN_OF = {"oct_sc_index": "oct_stream_cache", "oct_replace": "oct_stream_cache", "oct_ram": "oct_stream_cache",
           "oct_valid": "oct_dasc", "oct_dasc_table": "oct_dasc", "oct_thb": "oct_ntuple",
           "oct_packet": "oct_output", "oct_traps": "oct_ingress", "oct_stamp": "oct_ingress",
           "oct_pace": "oct_ingress", "oct_delays": "oct_compressor",
           "oct_data_side": "oct_compressor", "oct_comparator": "oct_filter", "oct_gate": "oct_compressor",
           "oct_crc": "oct_output", "oct_flush": "oct_output", "oct_valid_rows": "oct_shadow_stride", "oct_shadow_rvc": "oct_shadow_rv",
           "oct_shadow_prob": "oct_shadow_prob_branch", "oct_shadow_delay": "oct_shadow_core",
           "oct_shadow_weights": "oct_shadow_mix", "oct_shadow_surest": "oct_shadow_mix",
           "oct_shadow_late": "oct_shadow_core", "oct_fifo_pair": "oct_shadow_gather"}
# What looks at every file behind its own twin; of each twin, all its geometries.
WHOLE = ["oct_compressor", "oct_top"]
# Of each tracer, the module that lockstep runs; what it runs there. No trace fits all geometries of `shadow`, whose random
# programs meet every operation.
LOCKSTEP = {"oct_top": ["--random", "500000", "--limit", "200000", ROOT / "traces/samples/cjpeg.oct"],
            "oct_shadow_top": ["--random", "200000"]}
WHOLE_SHADOW = ["oct_shadow_core", "oct_shadow_core_rv", "oct_shadow_compressor"]
# Scripts of tests/rtl, and what files each looks at.
SCRIPTS = {"debug-bus": ("oct_coresight", "oct_reset_sync", "oct_apb_cross"), "atb-check": ("oct_atb_check",),
           "trace-bridge": ("oct_atb_cross", "oct_async_fifo", "oct_sync"),
           "axi-sink": ("oct_axi_sink",)}


def program(build, folder, rtl, module, geometry, source, kind="check"):
    """Build source around a module; the path, or None when the tools refuse the Verilog."""
    out = folder / f"{module}-{source.stem}"
    module = MODULE_OF.get(module, module)
    command = [ROOT / "sim/verilate", out, build, kind, rtl, module, geometry, source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return out if done.returncode == 0 else None


def verdict(command, **more):
    """'equal', 'differ', 'timeout' or 'crash', as the check ended."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True, **more) as check_run:
        try:
            status = check_run.wait(TIMEOUT_S)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(check_run.pid, signal.SIGKILL)  # with the solver that it waits for
            return "timeout"
    return {0: "equal", 1: "differ"}.get(status, "crash")


def source_of(module):
    """The program around a module: of a whole machine it is lockstep, of another module its twin test."""
    return ROOT / ("sim/oct_lockstep.cpp" if module in LOCKSTEP else f"tests/twin/{module}.cpp")


def run_program(path, module, mutant=0):
    """What a module's program says, as verdict(); mutant: of those that its Verilog has to choose from."""
    runs = [LOCKSTEP[module]] if module in LOCKSTEP else [["1"], ["2"]]  # seeds
    for arguments in runs:
        said = verdict([path, *arguments], env={**os.environ, "OCT_MUTANT": str(mutant)})
        if said != "equal":
            return said
    return "equal"


def check(build, folder, rtl, module, geometry):
    """What the module's program says of the Verilog: as verdict(), or 'build' when there is none."""
    path = program(build, folder, rtl, module, geometry, source_of(module))
    return run_program(path, module) if path else "build"


def prove(module, rtl):
    """What the proofs of a module say of the Verilog: 'equal', 'differ' or 'timeout'."""
    return verdict([ROOT / "scripts/hw", "prove", "--quick", "--first", "--jobs", "1", "--only", module, "--rtl", rtl])


def look(build, folder, rtl, module, geometry):
    """What one of checks_of() says of the Verilog: as check()."""
    if module == "proof":
        return prove(geometry, rtl)
    if module in SCRIPTS:
        return verdict(["env", "OCT_TEST_SEED=1", ROOT / f"tests/rtl/{module}.sh", rtl])
    return check(build, folder, rtl, module, geometry)


@functools.cache
def within(module):
    """The modules that are instantiated in a module, itself among them."""
    text = next((ROOT / "rtl").glob(f"*/{module}.v")).read_text(encoding="utf-8")
    for header in re.findall(r'^`include "(oct_\w+_side\.vh)"', text, re.MULTILINE):
        text += next((ROOT / "rtl").glob(f"*/{header}")).read_text(encoding="utf-8")
    names = re.findall(r"^\s*(oct_\w+)\s*(?:#\s*\(|u_\w+)", text, re.MULTILINE)
    return {module}.union(*(within(name) for name in set(names) if any((ROOT / "rtl").glob(f"*/{name}.v"))))


def lockstep_of(fault):
    """The machine in which lockstep looks at a fault of the list that its twin test misses; None: its file is in none."""
    whole = "oct_shadow_top" if fault.get("twin", fault["file"]).startswith("oct_shadow") else "oct_top"
    return whole if pathlib.Path(fault["file"]).stem in within(whole) else None


@functools.cache
def twin_tests(build):
    """Twin -> geometries, as the build folder has tests of them."""
    told = subprocess.run(["meson", "introspect", build, "--tests"], check=True, capture_output=True, text=True)
    found = {}
    for test in json.loads(told.stdout):
        words = test["name"].split()
        if len(words) == 3 and words[0] == "twin":
            found.setdefault(words[1], []).append(words[2])
    return found


@functools.cache
def proved_modules():
    """The modules that quick proofs are of: without one scripts/hw prove fails, which would count as seen."""
    with open(ROOT / "tests/rtl/proofs.toml", "rb") as file:
        return {p["module"] for p in tomllib.load(file)["proof"] if not p.get("long")}


def checks_of(stem, build):
    """What looks at a file, from the quickest to the slowest: (module, geometry) of each check."""
    twins = twin_tests(build)
    twin = TWIN_OF.get(stem, stem)
    checks = [(twin, geometry) for geometry in twins.get(twin, [])]
    checks += [(script, "all") for script, stems in SCRIPTS.items() if stem in stems]
    checks += [(whole, geometry) for whole in (WHOLE_SHADOW if twin.startswith("oct_shadow") else WHOLE)
               for geometry in (["paper"] if whole == "oct_top" else twins[whole])]
    checks = [c for c in dict.fromkeys(checks) if c[0] in SCRIPTS or stem in within(MODULE_OF.get(c[0], c[0]))]
    return checks + ([("proof", stem)] if any(stem in module for module in proved_modules()) else [])


def control(check_used, build):
    """What a check says of the Verilog without a fault."""
    with tempfile.TemporaryDirectory() as name:
        return look(build, pathlib.Path(name), ROOT / "rtl", *check_used)


def controls(checks_used, build, pool):
    """Run each check that was used on the Verilog as it is; how many do not find it equal, each told."""
    checks_used = sorted(checks_used)
    wrong = 0
    for (module, geometry), said in zip(checks_used, pool.map(lambda c: control(c, build), checks_used)):
        if said != "equal":
            wrong += 1
            print(f"CONTROL  {module} ({geometry}): '{said}' without a fault", flush=True)
    return wrong
