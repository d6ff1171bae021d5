# SPDX-License-Identifier: Apache-2.0
"""synth_verilog.py - which Verilog a figure of scripts/hw synth is of: files, checksums, parameters."""
import hashlib
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RTL = ROOT / "rtl"
SOURCES = [str(p) for folder in ("common", "paper") for p in sorted((RTL / folder).glob("*.v"))]
PACKAGES = ["yosys", "opensta", "qflow-tech-osu018", "nextpnr-ice40", "fpga-icestorm"]
# All that is needed of the build folder.
GENERATOR = {**os.environ, "OCT_BUILD_TARGETS": "tools/oct_gen_verilog"}


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"hw synth: {command[0]} failed:\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def circuit(path):
    """A file without comments, blanks and what is no circuit."""
    kept = []
    skipped = 0  # depth of `ifdef in one of properties
    for line in path.read_text(encoding="utf-8").split("\n"):
        word = line.strip()
        if skipped or re.match(r"`ifdef (FORMAL|OCT_ATB_CHECK|OCT_COVER)", word):
            skipped += word.startswith(("`ifdef", "`ifndef")) - word.startswith("`endif")
        elif not re.match(r'`include "oct_(\w+_)?(check|formal)\.vh"', word):
            kept.append(re.sub(r"//.*", "", line))
    return "\n".join(kept)


def below(module):
    """The Verilog of a module, and of all that it names: files of modules, and headers."""
    files = {path.name.removesuffix(".v"): path for path in RTL.glob("*/oct_*.v*")}
    found, waiting = {}, [module]
    while waiting:
        name = waiting.pop()
        if name in files and name not in found:
            found[name] = circuit(files[name])
            waiting += re.findall(r"\boct_\w+(?:\.vh)?", found[name])
    return "".join("".join(found[name].split()) for name in sorted(found))


# What stands around all that is measured of a tracer.
WHOLE = {"paper": "oct_fpga", "shadow": "oct_shadow_compressor"}


def checksum(tracer="paper"):
    """Of the Verilog that is measured for a tracer's page."""
    return hashlib.sha256(below(WHOLE[tracer]).encode()).hexdigest()[:16]


def parameters(module, geometry, own=""):
    """chparam arguments of the parameters that a module declares; own: settings beside the geometry's, and -DNAME."""
    path = next(RTL.glob(f"*/{module}.v"))
    tracer = "shadow" if path.parent.name == "shadow" or "-DOCT_SHADOW" in own else "paper"
    sets = [word for setting in own.split() if not setting.startswith("-D") for word in ("--set", setting)]
    return run([ROOT / "build/tools/oct_gen_verilog", "--yosys-args", "--tracer", tracer, "--module",
                path, *sets, geometry]).strip()
