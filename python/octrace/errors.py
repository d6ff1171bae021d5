# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as an exception."""
from __future__ import annotations

import re
from typing import Any

from ._arrays import ffi, lib


class OctraceError(Exception):
    """A call of the library failed. str() is one line: position, what was found, what was expected.

    name: the library's name of the error, such as "OCT_ERR_FORMAT".
    code: its number, below 0.
    path: the file that it is about, or None.
    """

    def __init__(self, code: int, text: str, path: str | None = None):
        super().__init__(text)
        self.code = code
        self.path = path
        self.name: str = ffi.string(lib.oct_error_name(code)).decode()


def new_diag() -> Any:
    """Room for the library to say what went wrong."""
    return ffi.new("oct_diag *")


_OPTIONS = re.compile(r"--(elf|from|isa|insn-bytes|max-map|skip|arrival|salvage)(?![\w-])(?: FILE\[@BIAS\]|, or map_max,)?")


def _in_python(text: str) -> str:
    """A message of the library with the options of a command as arguments have them."""
    text = _OPTIONS.sub(lambda option: "format" if option[1] == "from" else option[1].replace("-", "_"), text)
    return text.replace("octrace list formats", "octrace.formats()").replace("-g pc_align_bits", "geometry pc_align_bits")


def check(code: int, diag: Any = None) -> int:
    """Raise OctraceError if code is an error, else return it."""
    if code >= 0:
        return code
    if diag is None:
        raise OctraceError(code, ffi.string(lib.oct_error_text(code)).decode())
    diag.error = code
    line = lib.oct_diag_line(diag)
    text = ffi.string(line.text).decode(errors="replace")
    path = ffi.string(diag.path).decode(errors="surrogateescape") if diag.path else None
    raise OctraceError(code, _in_python(text), path)
