# SPDX-License-Identifier: Apache-2.0
"""record.py - the record of which checks of the Verilog passed, and with what.

A check is a twin test, lockstep at a geometry, a proof or a lint. Its key is a hash of all that its verdict
depends on: the Verilog of its module and of those within it, the parameters that are generated for it, the
source of its program with the project's headers, the object code of the C library that this program can
reach, its arguments and the contents of the files among them, the seed, the tools and the scripts that
build and run it. tests/rtl/passed.toml has the key with which each check last passed. A check whose key is
the same would do the same again: it counts as passed without a run. Any other key, or none, makes it run.

A key looks at too much rather than at too little. Of a text only comments and blanks are left out, but for
comments that a tool or a script reads. What a program can reach in the library starts at each name in its
sources that the library defines, and goes on by the symbols of the object files. It ends only at the
registries of the library: a program has one tracer, and a run without a trace opens no file, so that the
other tracers and the formats of files have no part in its verdict.

Keys need a build. The record also has one hash of the machines' own sources, C and Verilog, from a run in
which every check passed: where it is the same, the quick run of the tests builds no Verilog. What else a
verdict depends on, as the readers of traces, is in the keys, which all other runs look at.
"""
import functools
import hashlib
import json
import os
import pathlib
import re
import struct
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RTL = ROOT / "rtl"
RECORD = ROOT / "tests/rtl/passed.toml"
# The seed of all tests, unless another is asked for (scripts/test --seed).
SEED = "20261122"
# Where headers of the project are; of those, whose bodies of functions count, but not their prototypes.
C_FOLDERS = ("include", "traces", "port", "model", "codecs", "study")
CXX_FOLDERS = ("sim", "tests/twin", "tests/lockstep")
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|[ \t\r\f]+|\n|[A-Za-z0-9_$]+|.', re.DOTALL)
# The list of all formats, tracers and codecs.
REGISTRY = {"oct_the_registry"}
# The machines in both languages, and all that builds, drives and compares them: what the quick run looks at.
SOURCES = ("model/common", "model/paper", "model/shadow", "rtl", "sim", "scripts/verilog", "scripts/hw", "tests/twin",
           "tests/lockstep", "tests/rtl")
# Comments that are read.
READ_COMMENT = re.compile(r"verilator|verilate:|synopsys|yosys|pragma|translate_o")


class Key:
    """Collects what a verdict depends on, piece by piece; each with a name, so that no two meet."""

    def __init__(self):
        self.hash = hashlib.sha256()

    def add(self, name, value):
        data = value if isinstance(value, bytes) else str(value).encode()
        self.hash.update(f"{name}\0{len(data)}\0".encode() + data)

    def __str__(self):
        return self.hash.hexdigest()[:32]


@functools.cache
def tokens_of(path, changed):
    """tokens(), of a file as it was changed last."""
    del changed
    return split(path.read_text(encoding="utf-8"))


def tokens(path):
    return tokens_of(path, path.stat().st_mtime_ns)


def split(source):
    """The words of a source, without its comments and blanks; a line's end is a word."""
    found = []
    for word in TOKEN.findall(source):
        if word[:2] in ("//", "/*") and not READ_COMMENT.search(word):
            word = " "
        if word == "\n":
            while found and found[-1] == " ":
                found.pop()
            if found and found[-1] != "\n":
                found.append(word)
        elif not word.isspace():
            found.append(word)
        elif found and found[-1] not in (" ", "\n"):
            found.append(" ")
    return found


@functools.cache
def text_of(path, changed):
    return "".join(tokens_of(path, changed))


def text(path):
    """A source without its comments and blanks; of a file that is no text, all its bytes."""
    try:
        return text_of(path, path.stat().st_mtime_ns)
    except UnicodeDecodeError:
        return path.read_bytes()


@functools.cache
def names_of(path, changed):
    """The words of a Verilog file that may name others."""
    return {word.strip('"') for word in tokens_of(path, changed) if "oct_" in word}


@functools.cache
def tool(*command):
    """What a tool says of its version."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]


def compiler():
    return tool(*os.environ.get("CXX", "g++").split(), "--version")


@functools.cache
def verilog_files(*folders):
    """Module or header's name -> file."""
    return {path.name.removesuffix(".v"): path for folder in folders for path in sorted(folder.glob("*.v*"))}


def verilog(module, rtl=RTL, beside=None):
    """The files of a module, of all that stands in it, and of their headers, by name. beside: a folder whose
    modules count, too."""
    files = dict(verilog_files(rtl / "common", rtl / "paper", rtl / "shadow", *([beside] if beside else [])))
    found, left = {}, [module]
    while left:
        name = left.pop()
        if name in found:
            continue
        found[name] = files[name]
        left += files.keys() & names_of(files[name], files[name].stat().st_mtime_ns)
    return found


@functools.cache
def headers():
    """Name of a header, or of a source that is included -> files of that name."""
    found = {}
    for top in C_FOLDERS + CXX_FOLDERS:
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in (".h", ".vh", ".cpp"):
                found.setdefault(path.name, []).append(path)
    return found


def program_files(source):
    """A C++ source and all of the project that it includes."""
    found, left = [], [source]
    while left:
        path = left.pop()
        if path in found:
            continue
        found.append(path)
        for name in re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', text(path), re.MULTILINE):
            left += headers().get(pathlib.PurePath(name).name, [])
    return sorted(found)


def names_used(path):
    """The names that a source uses; of a C header not those that it only declares."""
    words = tokens(path)
    if not any(path.is_relative_to(ROOT / top) for top in C_FOLDERS):
        return set(words)
    used, depth, is_macro, at_start = set(), 0, False, True
    plain = [w for w in words if w != " "]
    for i, word in enumerate(plain):
        if at_start and word == "#":
            is_macro = True
        at_start = word == "\n"
        if word == "\n" and (i == 0 or plain[i - 1] != "\\"):
            is_macro = False
        if is_macro:
            used.add(word)
            continue
        if word == "{" and not (i > 1 and plain[i - 1] == '"C"'):
            depth += 1
        elif word == "}":
            depth -= 1 if depth else 0
        elif depth:
            used.add(word)
    return used


def pieces(data, number=0):
    """[hash, names defined, names needed] of each section of an object file that a program gets: its code or data with
    what they refer to, but nothing of where its source is. With a section for each function that is a function.
    A section without a name outside has one with the number of the object file."""
    shoff, = struct.unpack_from("<Q", data, 40)
    entsize, count, names_at = struct.unpack_from("<HHH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + i * entsize) for i in range(count)]

    def body(section):
        return b"" if section[1] == 8 else data[section[4]:section[4] + section[5]]

    def string(table, at):
        return table[at:table.index(b"\0", at)]

    section_names = [string(body(sections[names_at]), s[0]) for s in sections]
    kept = {i for i, (s, name) in enumerate(zip(sections, section_names))
            if s[2] & 2 and name not in (b".eh_frame", b".note.gnu.property")}
    # What nothing refers to and a program has all the same, as constructors.
    always = [f"{number}:{i}" for i in kept if not section_names[i].startswith((b".text", b".data", b".rodata", b".bss"))]
    digests = {i: hashlib.sha256(repr((section_names[i], *sections[i][1:3], sections[i][5], sections[i][8])).encode() + body(sections[i]))
               for i in kept}
    defined = {i: {f"{number}:{i}"} for i in kept}
    needed = {i: set(always) for i in kept}
    table = next(s for s in sections if s[1] == 2)
    strings = body(sections[table[6]])
    symbols = []
    for at in range(0, len(body(table)), 24):
        name_at, info, _, index, value, size = struct.unpack_from("<IBBHQQ", body(table), at)
        name = string(strings, name_at)
        place = section_names[index] if index < len(sections) else b"%d" % index
        symbols.append((name, name.decode()) if info >> 4 else (place + b"+%d" % value, f"{number}:{index}"))
        if info >> 4 and index in kept:
            defined[index].add(name.decode())
            digests[index].update(repr((name, info, place, value, size)).encode())
    for section, name in zip(sections, section_names):
        if section[1] == 4 and section[7] in kept:
            digests[section[7]].update(name)
            for offset, info, addend in struct.iter_unpack("<QQq", body(section)):
                symbol, where = symbols[info >> 32]
                digests[section[7]].update(b"%d %d %d " % (offset, info & 0xFFFFFFFF, addend) + symbol)
                needed[section[7]].add(where)
    return [[digests[i].hexdigest(), sorted(defined[i]), sorted(needed[i] - defined[i])] for i in sorted(kept)]


def members(archive):
    """The object files of a static library."""
    data = archive.read_bytes()
    is_thin = data[:8] == b"!<thin>\n"
    if not is_thin and data[:8] != b"!<arch>\n":
        raise ValueError(f"{archive}: not a static library")
    at, long_names = 8, b""
    while at < len(data):
        name, size = data[at:at + 16].rstrip(), int(data[at + 48:at + 58])
        at += 60
        is_own = name in (b"/", b"//", b"/SYM64/")
        inside = data[at:at + size] if is_own or not is_thin else b""
        if name == b"//":
            long_names = inside
        elif not is_own:
            if is_thin:
                start = int(name[1:])
                inside = (archive.parent / long_names[start:long_names.index(b"/\n", start)].decode()).read_bytes()
            yield inside
        at += len(inside) + len(inside) % 2 if is_own or not is_thin else 0


@functools.cache
def objects(build):
    """The pieces of each object file that programs of a build folder are linked with, each with whether it is Verilator's;
    kept there."""
    archives = [build / "liboctrace.a", build / "sim/libverilated.a"]
    state = [[a.stat().st_mtime_ns, a.stat().st_size] for a in archives] + [pathlib.Path(__file__).stat().st_mtime_ns]
    kept = build / "sim/objects.json"
    try:
        was, found = json.loads(kept.read_text(encoding="utf-8"))
        if was == state:
            return found
    except (OSError, ValueError):
        pass
    both = [(archive, data) for archive in archives for data in members(archive)]
    found = [[*piece, archive != archives[0]] for number, (archive, data) in enumerate(both) for piece in pieces(data, number)]
    part = kept.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps([state, found]), encoding="utf-8")
    part.replace(kept)
    return found


def ends(build, tracer, opens):
    """The names in the registry of the library that a program with one tracer cannot come to; opens: whether it opens files."""
    listed = {name for _, defined, needed, _ in objects(build) if REGISTRY & set(defined) for name in needed}
    tables = [n for n in listed if ":" in n]
    listed = {n for _, defined, needed, _ in objects(build) if set(tables) & set(defined) for n in needed}
    return {n for n in listed if n != f"oct_tracer_{tracer}" and (not opens or n.startswith("oct_tracer_"))}


def reached(build, used, until=()):
    """The hashes of the pieces of object files that a program can reach which uses these names. until: names that are not
    followed."""
    parts = objects(build)
    home = {}
    for number, (_, defined, _, _) in enumerate(parts):
        for name in defined:
            home.setdefault(name, []).append(number)
    found, left = set(), [n for name in used for n in home.get(name, [])]
    while left:
        number = left.pop()
        if number not in found:
            found.add(number)
            left += [n for name in parts[number][2] if name not in until for n in home.get(name, [])]
    return sorted(parts[number][0] for number in found)


def add_arguments(key, arguments):
    """Arguments of a program, with the contents of the files among them; these in any order, as a folder has
    them in any."""
    files = []
    for argument in arguments:
        path = pathlib.Path(argument)
        if len(argument) < 4096 and path.is_absolute() and path.is_file():
            files.append((path.name, hashlib.sha256(path.read_bytes()).digest()))
        else:
            key.add("argument", argument)
    for name, digest in sorted(files):
        key.add("file " + name, digest)


def program_key(build, kind, module, geometry, source, opens=True):
    """The key of a program around a module, as sim/verilate builds it, and of a run of it. opens: whether it opens
    traces. With None it is that of the program, wherever a run may go."""
    key = Key()
    for path in (ROOT / "sim/verilate", ROOT / "sim/dut-flags.in", ROOT / "sim/dut-headers.h"):
        key.add(path.name, path.read_bytes())
    for name in ("OCT_VERILATOR_FLAGS", "OCT_CXXFLAGS"):
        key.add(name, os.environ.get(name, ""))
    key.add("verilator", tool("verilator", "--version"))
    key.add("compiler", compiler())
    key.add("program", f"{kind} {module} {geometry}")
    files = verilog(module, beside=source.parent)
    for name, path in sorted(files.items()):
        key.add("verilog " + name, text(path))
    tracer = files[module].parent.name if files[module].parent.name == "shadow" else "paper"
    sets = [word for line in re.findall(r"^// verilate: (.*)", source.read_text(encoding="utf-8"), re.MULTILINE)
            for pair in line.split() for word in ("--set", pair)]
    key.add("parameters", subprocess.run(
        [build / "tools/oct_gen_verilog", "--verilator-args", "--tracer", tracer, "--module", files[module], *sets,
         geometry.split("+")[0]], capture_output=True, text=True, check=True).stdout)
    used = set()
    for path in program_files(source):
        key.add("source " + path.name, text(path))
        used |= names_used(path)
    until = () if opens is None else ends(build, tracer, opens)
    for digest in reached(build, used, until) + [part[0] for part in objects(build) if part[3]]:
        key.add("object", digest)
    return key


@functools.cache
def whole():
    """What the file has."""
    with open(RECORD, "rb") as file:
        return tomllib.load(file)


def passed():
    """Name of a check -> key with which it passed."""
    return whole()["passed"]


def sources_key():
    """Of the machines' sources, and of the tools."""
    key = Key()
    for name in SOURCES:
        for path in sorted((ROOT / name).rglob("*")) if (ROOT / name).is_dir() else [ROOT / name]:
            if path.is_file() and path != RECORD and "__pycache__" not in path.parts:
                key.add(str(path.relative_to(ROOT)), path.read_bytes())
    for command in (["verilator", "--version"], ["yosys", "-V"], ["z3", "--version"], ["cc", "--version"]):
        key.add(command[0], tool(*command))
    key.add("compiler", compiler())
    key.add("seed", seed())
    return str(key)


def holds():
    """Whether every check passed with these very sources of the machines."""
    return is_asked() and whole().get("sources") == sources_key()


def seed():
    """That of the tests."""
    return os.environ.get("OCT_TEST_SEED", SEED)


def is_asked():
    """Whether the record is looked at: OCT_RECORD=no makes every check run."""
    return os.environ.get("OCT_RECORD", "") != "no"


def has_passed(name, key):
    """Whether a check need not run."""
    return is_asked() and passed().get(name) == str(key)


def keep(build, name, key):
    """Remember in the build folder that a check has passed, for write()."""
    folder = build / "passed"
    folder.mkdir(exist_ok=True)
    part = folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.{os.getpid()}"
    part.write_text(json.dumps([name, str(key)]), encoding="utf-8")
    part.replace(part.with_suffix(".json"))


def write(build, is_whole):
    """Put into the record what the build folder remembers; the number of checks. is_whole: it is all of them."""
    found = dict(json.loads(path.read_text(encoding="utf-8")) for path in (build / "passed").glob("*.json"))
    lines = [f'"{name}" = "{key}"\n' for name, key in sorted(found.items())]
    RECORD.write_text("# SPDX-License-Identifier: Apache-2.0\n"
                      "# The checks of the Verilog that passed, each with the hash of all that its verdict depends on.\n"
                      "# Written by scripts/hw record (scripts/verilog/record.py).\n\n"
                      + (f'sources = "{sources_key()}"\n\n' if is_whole else "") + "[passed]\n" + "".join(lines),
                      encoding="utf-8")
    return len(lines)
