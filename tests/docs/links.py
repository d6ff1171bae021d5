#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""links.py - does what the pages and the sources refer to exist?

Each link of a page has to lead to a file, and to a heading where it names one. Each page of docs/ that a
source, a script or a page names, and each source that a page names by its folder, has to exist. Each name of
the project that a page has by itself between backticks occurs in a source. The changelog and notes may name those of
their time.

Usage: links.py ROOT
"""
import pathlib
import re
import sys

FENCED = re.compile(r"```.*?```", re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
PAGE = re.compile(r"(?<![\w/.])(docs/[\w/-]+\.md)\b")
SOURCE = re.compile(r"`((?:traces|port|model|codecs|events|study|sim|rtl|tools|tests|scripts)/[\w/.-]+\.[a-z]+)`")
SYMBOL = re.compile(r"`(oct_\w+)`")
NAMES_MANY = re.compile(r"oct_X|NAME")
TEXTS = {".c", ".h", ".cpp", ".v", ".vh", ".sv", ".py", ".sh", ".build", ".toml", ".md", ""}


def anchor(heading):
    """The anchor that a heading gets on a page."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.replace("`", "")).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    faults, n, words, symbols = [], 0, set(), []
    pages = [p for p in root.rglob("*.md") if not any(
        part.startswith((".", "build")) for part in p.relative_to(root).parts)]
    texts = {p.resolve(): FENCED.sub("", p.read_text(encoding="utf-8")) for p in pages}
    anchors = {p: {anchor(h) for h in re.findall(r"^#+ (.*)$", t, re.M)} for p, t in texts.items()}
    for page, text in texts.items():
        name = page.relative_to(root)
        is_history = name.name == "CHANGELOG.md" or name.parts[:2] == ("docs", "notes")
        for link in LINK.findall(text):
            if re.match(r"[a-z]+:", link):
                continue
            n += 1
            path, _, place = link.partition("#")
            to = (page.parent / path).resolve() if path else page
            if not to.exists():
                faults.append(f"{name}: {link}: no such file")
            elif place and place not in anchors.get(to, {place}):
                faults.append(f"{name}: {link}: no such heading")
        for source in SOURCE.findall(text):
            n += 1
            if not NAMES_MANY.search(source) and not (root / source).exists() and not is_history:
                faults.append(f"{name}: {source}: no such file")
        symbols += [] if is_history else [(name, symbol) for symbol in SYMBOL.findall(text)]
    for top in ["include", "traces", "port", "model", "codecs", "events", "study", "sim", "rtl", "tools", "tests",
                "scripts", "docs", "python", ".ci"]:
        for path in sorted((root / top).rglob("*")):
            if not path.is_file() or path.suffix not in TEXTS:
                continue
            try:
                text = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            if path.suffix != ".md":
                words.update(re.findall(r"\boct_\w+", text), [path.stem])
            for page in PAGE.findall(text):
                n += 1
                if not (root / page).exists() and not NAMES_MANY.search(page):
                    faults.append(f"{path.relative_to(root)}: {page}: no such page")
    n += len(symbols)
    faults += [f"{name}: {symbol}: no such name" for name, symbol in symbols
               if not NAMES_MANY.search(symbol) and symbol not in words]
    print("\n".join(faults) if faults else f"links: {n}, all of them lead somewhere")
    return 1 if faults or n < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
