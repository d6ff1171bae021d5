#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""pages - are the bytes of the examples in the format pages those of the vectors made of them?

Usage: pages.py PAGE VECTOR...   the bytes of the page's example, in backticks or at the beginning
                                 of indented lines, are one after the other those of the vectors
"""
import pathlib
import re
import sys


def bytes_of_page(text):
    """All bytes from the beginning of the example on."""
    example = text[re.search(r"^(Its bytes:|Example:|## [0-9]+\. Worked examples$)", text, re.M).start():]
    told = re.findall(r"^    ((?:[0-9a-f]{2}(?: {1,2}|$))+)|`([0-9a-f]{2}(?: [0-9a-f]{2})*)`", example, re.M)
    return re.sub(r"\s", "", "".join(line or word for line, word in told))


def bytes_of_vector(text):
    """The section [bytes] without its blanks."""
    return re.sub(r"\s", "", text.split("[bytes]\n")[1].split("[packets]")[0])


page, *vectors = (pathlib.Path(name).read_text(encoding="utf-8") for name in sys.argv[1:])
told, held = bytes_of_page(page), "".join(bytes_of_vector(v) for v in vectors)
if not told or told != held:
    sys.exit(f"{sys.argv[1]}: its example has the bytes\n{told}\nthe vectors {' '.join(sys.argv[2:])}\n{held}")
