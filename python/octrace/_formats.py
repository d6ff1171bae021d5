# SPDX-License-Identifier: Apache-2.0
"""_formats.py - trace formats by name, with the parameters of trace units."""
from __future__ import annotations

import os
from typing import Any, Optional

from ._arrays import ffi, lib
from ._chunk import PathLike, c_text


def text_of(pointer: Any) -> str:
    return str(ffi.string(pointer).decode(errors="replace"))


def formats() -> dict[str, bool]:
    """Names of the trace formats, and whether each can be written."""
    numbers = range(1, lib.oct_format_count() + 1)
    return {text_of(lib.oct_format_name(f)): bool(lib.oct_format_can_write(f)) for f in numbers}


def format_of(text: Optional[str], what: str = "format") -> tuple[int, Any]:
    """Number and parameters of a format as in "etrace:addr_bits=64"; the parameters as C has them, or NULL."""
    if text is None:
        return int(lib.OCT_FORMAT_AUTO), ffi.NULL
    if not isinstance(text, str):
        raise TypeError(f"{what}: expected a text; found {type(text).__name__}")
    name, colon, params = text.partition(":")
    number = lib.oct_format_by_name(c_text(name, what))
    if number < 0:
        raise ValueError(f"{what}: expected one of {', '.join(formats())}; found {name!r}")
    return int(number), ffi.new("char[]", c_text(params, what)) if colon else ffi.NULL


def name_of(path: PathLike) -> bytes:
    """The name of a file as C has it."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"path: expected the name of a file; found {type(path).__name__}")
    if not os.fspath(path):
        raise ValueError("path: expected the name of a file; found an empty one")
    return c_text(path, "path")
