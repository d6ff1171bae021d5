# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as an exception."""
from __future__ import annotations

from typing import Any

from ._arrays import ffi, lib


class OctraceError(Exception):
    """A call of the library failed. str() is one line: position, what was found, what was expected.

    name: the library's name of the error, such as "OCT_ERR_FORMAT".
    code: its number, below 0.
    """

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code
        self.name: str = ffi.string(lib.oct_error_name(code)).decode()


def new_diag() -> Any:
    """Room for the library to say what went wrong."""
    return ffi.new("oct_diag *")


def check(code: int, diag: Any = None) -> int:
    """Raise OctraceError if code is an error, else return it."""
    if code >= 0:
        return code
    text = ffi.string(diag.text).decode(errors="replace") if diag is not None else ""
    raise OctraceError(code, text or ffi.string(lib.oct_error_text(code)).decode())
