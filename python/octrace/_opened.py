# SPDX-License-Identifier: Apache-2.0
"""What the library has opened: a handle that is closed once, by `with`, close(), or with the object."""
from __future__ import annotations

from types import TracebackType
from typing import Any, ContextManager, Optional, Type, TypeVar

from ._arrays import ffi

Self = TypeVar("Self", bound="Opened")


class Opened:
    """A subclass sets _handle and _lock."""

    _handle: Any = ffi.NULL  # also where __init__ was not reached
    _lock: ContextManager[Any]
    _what = "object"  # for messages

    def _free(self, handle: Any) -> None:
        raise NotImplementedError

    def _open_handle(self) -> Any:
        if self._handle == ffi.NULL:
            raise ValueError(f"the {self._what} is closed")
        return self._handle

    def close(self) -> None:
        """Close it. May be called again."""
        if self._handle == ffi.NULL:
            return
        with self._lock:
            handle, self._handle = self._handle, ffi.NULL
            if handle != ffi.NULL:
                self._free(handle)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __reduce__(self) -> Any:
        """A copy would close what this one reads."""
        raise TypeError(f"an open {self._what} cannot be copied: open its file again")
