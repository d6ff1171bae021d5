# SPDX-License-Identifier: Apache-2.0
"""A recorded program at any instruction: registers, and memory as far as the trace knows it."""
from __future__ import annotations

import threading
from typing import Any, NamedTuple, Optional

from ._arrays import ffi, lib
from ._chunk import PathLike, in_range
from ._formats import name_of, text_of
from ._opened import Opened
from .errors import check, new_diag
from .trace import read_options


class SessionGap(NamedTuple):
    """Instructions are missing in front of position at."""

    at: int
    lost_insns: Optional[int]  #: None: how many is not known
    cause: str  #: "overflow", "lost", "no-image", "beginning" or "damage"


class Session(Opened):
    """A trace with values as a program that can be at any instruction. Use it in a `with` statement, or call close().

    At position n the first n instructions have been carried out. Threads may share a session.
    """

    _what = "session"

    def __init__(self, path: PathLike, **options: Any):
        """Open a trace of `octrace capture --values`, a file of the tracer `replay`, or another with values and
        registers. Options as Trace takes them, but for skip. Of a damaged file the sound parts are read (see gaps).
        OctraceError: the trace cannot be read, has no values and registers, or there is no emulator for its
        instruction set."""
        c_options, self._strings = read_options(**options)
        c_options.goes_on = 1
        self._lock = threading.RLock()
        out = ffi.new("oct_session **")
        diag = new_diag()
        check(lib.oct_session_open(name_of(path), c_options, out, diag), diag)
        self._handle = out[0]
        isa = lib.oct_session_isa(self._handle)
        name = ffi.new("char[]", lib.OCT_REGISTER_NAME_BYTES)
        self._registers: dict[str, tuple[int, int]] = {}
        for number in range(lib.OCT_REGISTERS_MAX):
            n_bytes = lib.oct_isa_register_bytes(isa, number)
            if n_bytes:
                lib.oct_isa_register_name(isa, number, name)
                self._registers[text_of(name)] = number, n_bytes

    def __len__(self) -> int:
        """Instructions of the trace."""
        return int(lib.oct_session_length(self._open_handle()))

    @property
    def at(self) -> int:
        """The position."""
        return int(lib.oct_session_at(self._open_handle()))

    @property
    def pc(self) -> int:
        """Address of the next instruction, of the last one at the end."""
        with self._lock:
            return int(lib.oct_session_pc(self._open_handle()))

    @property
    def task(self) -> int:
        """The task of that instruction."""
        return int(lib.oct_session_task(self._open_handle()))

    def go(self, n: int) -> None:
        """Be at position n; a negative one counts from the end, as in a list. OctraceError: the trace is damaged.
        IndexError: there is no such position."""
        length = len(self)
        to = n + length if n < 0 else n
        if not 0 <= to <= length:
            raise IndexError(f"position: expected a number from {-length} to {length}; found {n}")
        diag = new_diag()
        with self._lock:
            check(lib.oct_session_go(self._open_handle(), to, diag), diag)

    def gaps(self) -> list[SessionGap]:
        """Where instructions are missing, as far as the session was read: a trace of the native format up to the
        farthest position, others all."""
        gaps = ffi.new("oct_session_gap **")
        with self._lock:
            n = lib.oct_session_gaps(self._open_handle(), ffi.cast("const oct_session_gap **", gaps))
            return [
                SessionGap(
                    int(g.at),
                    None if g.lost_insns == (1 << 64) - 1 else int(g.lost_insns),
                    text_of(lib.oct_gap_cause_name(g.cause)),
                )
                for g in gaps[0][0:n]
            ]

    def tasks(self) -> list[int]:
        """Tasks that have run so far."""
        with self._lock:
            n = lib.oct_session_tasks(self._open_handle(), ffi.NULL, 0)
            numbers = ffi.new("uint32_t[]", max(n, 1))
            return list(numbers[0 : min(n, lib.oct_session_tasks(self._open_handle(), numbers, n))])

    def registers(self, task: Optional[int] = None) -> dict[str, int]:
        """The registers of a task, by default of the one at the position, that are known. ARM's r15 is where the
        task goes on, not 4 or 8 bytes behind, as an instruction reads it."""
        task = self.task if task is None else in_range(task, 0, (1 << 32) - 1, "task")
        out = {}
        room = ffi.new("uint8_t[]", lib.OCT_FACT_REGISTER_MAX)
        with self._lock:
            for name, (number, n_bytes) in self._registers.items():
                if lib.oct_session_register(self._open_handle(), task, number, room):
                    out[name] = int.from_bytes(bytes(ffi.buffer(room, n_bytes)), "little")
        return out

    def read(self, addr: int, n: int) -> bytes:
        """The n bytes of memory from addr on, fewer where one of them is not known: up to that."""
        addr, n = in_range(addr, 0, (1 << 64) - 1, "addr"), in_range(n, 0, 1 << 30, "n")
        room = ffi.new("uint8_t[]", max(n, 1))
        with self._lock:
            return bytes(ffi.buffer(room, lib.oct_session_read(self._open_handle(), addr, room, n)))

    def _free(self, handle: Any) -> None:
        lib.oct_session_close(handle)
