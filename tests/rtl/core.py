#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""core - are rtl/octrace.core and octrace_shadow.core what FuseSoC takes (CAPI2), and do they say what the Verilog is?

There is no Debian package of FuseSoC, so this reads the files with a YAML parser and holds them against
the folder, octrace.f and the parameter list of the top; with --lint it also does what their target
`lint` asks for. The second takes its files from the first. Then the files are spoiled in several ways, each of
which must be found.

Usage: core.py [--lint]
"""
import copy
import pathlib
import re
import subprocess
import sys

try:
    import yaml
except ImportError:
    sys.exit(77)

RTL = pathlib.Path(__file__).resolve().parent.parent.parent / "rtl"
FLAG = re.compile(r"(!?\w+)\? *\((\w+)\)")
FILE_TYPES = {"systemVerilogSource", "verilogSource", "verilogSource-2005"}
SECTIONS = {"CAPI=2", "name", "description", "filesets", "targets", "parameters"}


def plain(value):
    """What is meant by `flag? (value)`, FuseSoC's way to write a condition."""
    found = FLAG.fullmatch(value)
    return found[2] if found else value


def parameters_of(core):
    """name -> default, of the list that the top includes."""
    of_shadow = "octrace_shadow" in core["name"]
    text = (RTL / ("shadow/oct_shadow_params.vh" if of_shadow else "paper/oct_params.vh")).read_text(encoding="utf-8")
    return {name: int(value, 0) for name, value in
            re.findall(r"parameter (?:integer|\[31:0\]) (\w+) = (?:32'd)?(\d+)", text)}


def files_of(fileset):
    """name -> attributes."""
    return {name: attributes for entry in fileset.get("files", []) for name, attributes in
            (entry.items() if isinstance(entry, dict) else [(entry, {})])}


def faults_of_filesets(core):
    listed = [line for line in (RTL / "octrace.f").read_text(encoding="utf-8").splitlines()
              if line.endswith(".v")]
    for name, fileset in core["filesets"].items():
        if "octrace_shadow" in core["name"]:
            if fileset != {"depend": [core["name"].replace("_shadow", "")]}:
                yield f"fileset {name}: not the files of octrace.core"
            continue
        files = files_of(fileset)
        if fileset.get("file_type") not in FILE_TYPES:
            yield f"fileset {name}: file_type {fileset.get('file_type')}"
        for file, attributes in files.items():
            if not (RTL / file).is_file():
                yield f"fileset {name}: there is no {file}"
            if file.endswith(".vh") != bool(attributes.get("is_include_file")):
                yield f"fileset {name}: {file}: is_include_file"
        if [f for f in files if f.endswith(".v")] != listed:
            yield f"fileset {name}: not the files of octrace.f"
        if {f for f in files if f.endswith(".vh")} != {str(p.relative_to(RTL)) for p in RTL.glob("*/*.vh")}:
            yield f"fileset {name}: not the headers of rtl/"


def faults_of_targets(core):
    if "default" not in core["targets"]:
        yield "no target default"
    for name, target in core["targets"].items():
        for fileset in target.get("filesets", []):
            if plain(fileset) not in core["filesets"]:
                yield f"target {name}: there is no fileset {fileset}"
        if not target.get("filesets"):
            yield f"target {name}: no fileset"
        for parameter in target.get("parameters", []):
            if plain(parameter) not in core["parameters"]:
                yield f"target {name}: there is no parameter {parameter}"
        unused = core["parameters"].keys() - {plain(p) for p in target.get("parameters", [])}
        if unused:
            yield f"target {name}: lacks parameters {sorted(unused)}"
        top = plain(target.get("toplevel", ""))
        if not (RTL / ("shadow" if "octrace_shadow" in core["name"] else "paper") / f"{top}.v").is_file():
            yield f"target {name}: there is no toplevel {top}"
        if "default_tool" in target and target["default_tool"] not in target.get("tools", {}):
            yield f"target {name}: nothing of its tool {target['default_tool']}"


def faults_of_parameters(core):
    wanted = parameters_of(core)
    if core["parameters"].keys() != wanted.keys():
        yield f"parameters: {sorted(core['parameters'].keys() ^ wanted.keys())}"
    for name, parameter in core["parameters"].items():
        if (parameter.get("datatype"), parameter.get("paramtype")) != ("int", "vlogparam"):
            yield f"parameter {name}: not an int vlogparam"
        if parameter.get("default") != wanted.get(name) or not parameter.get("description"):
            yield f"parameter {name}: default {parameter.get('default')}, or no description"


def faults(text):
    """What is wrong with the file, as lines."""
    if not text.startswith("CAPI=2:\n"):
        return ["the first line is not CAPI=2:"]
    try:
        core = yaml.safe_load(text)
    except yaml.YAMLError as error:
        return [f"not YAML: {error}"]
    if core.keys() != SECTIONS:
        return [f"sections: {sorted(core.keys() ^ SECTIONS)}"]
    lines = [] if re.fullmatch(r"\w*:\w*:\w+:\d+(\.\d+)*", core["name"]) else [f"name {core['name']}"]
    for part in (faults_of_filesets, faults_of_targets, faults_of_parameters):
        lines += part(core)
    return lines


def lint(core, files):
    """The target `lint`, as FuseSoC would run it on these files; 0 when Verilator has nothing to say."""
    target = core["targets"]["lint"]
    tool = target["tools"]["verilator"]
    return subprocess.run(
        ["verilator", f"--{tool['mode']}", *tool["verilator_options"], "-Icommon", "-Ipaper", "-Ishadow",
         "--top-module", plain(target["toplevel"]), *[f for f in files if f.endswith(".v")],
         *[f"-G{plain(p)}={core['parameters'][plain(p)]['default']}" for p in target["parameters"]]],
        cwd=RTL, check=False).returncode


def spoiled(core):
    """Pairs: what was done to a copy, the copy."""
    def change(what, function):
        one = copy.deepcopy(core)
        function(one)
        return what, one
    rtl = ["filesets", "rtl"]
    target = ["targets", "lint"]

    def at(tree, path):
        for key in path:
            tree = tree[key]
        return tree
    first = next(iter(core["parameters"]))
    if "files" in at(core, rtl):
        yield change("a file that is not there", lambda c: at(c, rtl)["files"].append("nonesuch.v"))
        yield change("a file missing", lambda c: at(c, rtl)["files"].pop())
        yield change("a header missing", lambda c: at(c, rtl)["files"].pop(0))
        yield change("a header as a source", lambda c: at(c, rtl)["files"].__setitem__(0, "paper/oct_params.vh"))
    else:
        yield change("files of another version", lambda c: at(c, rtl).update(depend=["::octrace:0.0.1"]))
    yield change("another file type", lambda c: at(c, rtl).update(file_type="verilog"))
    yield change("an unknown fileset", lambda c: at(c, target).update(filesets=["sim"]))
    yield change("an unknown toplevel", lambda c: at(c, target).update(toplevel="octrace"))
    yield change("an unknown parameter", lambda c: at(c, target)["parameters"].append("NTUPLE"))
    yield change("a parameter not handed on", lambda c: at(c, target)["parameters"].pop())
    yield change("a tool without options", lambda c: at(c, target).update(default_tool="icarus"))
    yield change("a parameter too many", lambda c: c["parameters"].update(NTUPLE={"datatype": "int"}))
    yield change("another default", lambda c: c["parameters"][first].update(default=7))
    yield change("another type", lambda c: c["parameters"][first].update(datatype="str"))
    yield change("no description", lambda c: c["parameters"][first].pop("description"))
    yield change("a name without version", lambda c: c.update(name="octrace"))
    yield change("no targets", lambda c: c.pop("targets"))


def faults_found(name):
    """What is wrong with a file, or with this test of it."""
    text = (RTL / name).read_text(encoding="utf-8")
    found = [f"{name}: {line}" for line in faults(text)]
    for what, copied in spoiled(yaml.safe_load(text)):
        rest = {key: value for key, value in copied.items() if key != "CAPI=2"}
        if not faults("CAPI=2:\n" + yaml.safe_dump(rest)):
            found.append(f"{name}: not seen: {what}")
    if not faults(text.replace("CAPI=2:", "CAPI=1:")) or not faults(text + "  - [\n"):
        found.append(f"{name}: not seen: another format")
    return found


def main():
    names = ["octrace.core", "octrace_shadow.core"]
    found = [line for name in names for line in faults_found(name)]
    cores = [yaml.safe_load((RTL / name).read_text(encoding="utf-8")) for name in names]
    if not found and "--lint" in sys.argv[1:]:
        files = list(files_of(cores[0]["filesets"]["rtl"]))
        found = [f"{name}: the target lint finds fault" for name, core in zip(names, cores) if lint(core, files)]
    sys.exit("\n".join(found) or None)


if __name__ == "__main__":
    main()
