# SPDX-License-Identifier: Apache-2.0
"""_tracked.py - a trace or chunk as tracers take it: followed by a program map, with a geometry fitted to it."""
from __future__ import annotations

from typing import Any, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from ._arrays import FLAG_HAS_CYCLE, Array, ffi, lib
from ._chunk import Chunk, PathLike, c_text, checked, cut, limit_of, machine_of, make_batch, split, whole
from ._formats import text_of
from .errors import OctraceError, check, new_diag
from .trace import Trace

Source = Union[PathLike, Trace, Chunk]
Geometry = Union[None, str, Mapping[str, int]]


class Tracked:
    """A source whose chunks went through a program map, as tracers take them."""

    def __init__(self, source: Source, limit: Optional[int]):
        self._own = None
        self._left = limit_of(limit)
        self._held_to = 1  # an alignment that was found at the beginning, in bytes
        self._n_insns = 0
        self.needs_stamps = False  # set where time stamps let instructions retire
        self._last_stamp = -1
        if isinstance(source, Chunk):
            chunk = checked(source)
            self.machine = machine_of(chunk)
            self._chunks: Iterator[Chunk] = split(chunk)
        else:
            trace = source if isinstance(source, Trace) else Trace(source)
            self._own = None if isinstance(source, Trace) else trace
            info, align = trace.info, trace.found_alignment()
            self._held_to = align if align > info.insn_align_bytes else 1
            self.machine = info.isa, info.addr_bits, align
            self._chunks = iter(trace)
        self._tracker = ffi.gc(lib.oct_map_tracker_new(), lib.oct_map_tracker_free)
        if self._tracker == ffi.NULL:
            raise MemoryError

    def __iter__(self) -> Iterator[tuple[Any, list[Array], Any, int]]:
        """Inputs for an encoder, the arrays that must live as long, the updates and their number."""
        for chunk in self._chunks:
            if self._left is not None:
                chunk = cut(chunk, self._left)
                self._left -= len(chunk.insns)
            if len(chunk.insns) == 0 and len(chunk.traps) == 0 and len(chunk.facts) == 0:
                return
            insns = chunk.insns.copy()
            self._check_stamps(insns)
            self._check_alignment(insns["addr"])
            updates = ffi.new("const oct_map_update **")
            n = lib.oct_map_track(self._tracker, make_batch(chunk), ffi.cast("oct_insn *", insns.ctypes.data), updates)
            check(n)
            given = ffi.new("oct_tracer_input *")
            given.insns = ffi.cast("const oct_insn *", insns.ctypes.data)
            given.n_insns = len(insns)
            given.accesses = ffi.cast("const oct_access *", chunk.accesses.ctypes.data)
            given.n_accesses = len(chunk.accesses)
            given.updates = updates[0]
            given.n_updates = n
            given.traps = ffi.cast("const oct_trap *", chunk.traps.ctypes.data)
            given.n_traps = len(chunk.traps)
            batch = make_batch(chunk)
            given.facts, given.n_facts = batch.facts, batch.n_facts
            given.values, given.n_values = batch.values, batch.n_values
            yield given, [insns, chunk.accesses, chunk.traps, chunk.facts, chunk.values], updates[0], n

    def fit(self, tracer: Any, geometry: Geometry) -> Any:
        """The values of a geometry, fitted to the trace."""
        if isinstance(geometry, Mapping):
            geometry = ",".join(f"{name}={whole(value, str(name))}" for name, value in geometry.items())
        elif geometry is not None and not isinstance(geometry, str):
            raise TypeError(f"geometry: expected a text or a mapping; found {type(geometry).__name__}")
        params = ffi.new("uint32_t[]", tracer.n_params)
        given = ffi.new("bool[]", tracer.n_params)
        diag = new_diag()
        lib.oct_tracer_defaults(tracer, params)
        if geometry:
            check(lib.oct_tracer_parse(tracer, c_text(geometry, "geometry"), params, given, diag), diag)
        isa, addr_bits, align = self.machine
        check(lib.octpy_fit(tracer, params, given, isa.encode(), addr_bits, align, diag), diag)
        return params

    def hold_alignment(self, tracer: Any, params: Sequence[Any]) -> None:
        """What was found at the beginning is held against the rest where one of params goes by it."""
        names = [text_of(tracer.params[i].name) for i in range(tracer.n_params)]
        if "pc_align_bits" not in names or not any(p[names.index("pc_align_bits")] for p in params):
            self._held_to = 1

    def _check_stamps(self, insns: Array) -> None:
        """Without any stamp all would retire one a cycle, and none retires before the one before it."""
        if not self.needs_stamps or not len(insns):
            return
        stamped = np.flatnonzero(insns["flags"] & FLAG_HAS_CYCLE)
        stamps = insns["cycle"][stamped]
        if self._last_stamp < 0 and not len(stamped):
            raise OctraceError(lib.OCT_ERR_FORMAT, "arrival=stamps: expected cycle stamps, by which instructions retire; "
                               f"found none in the first {len(insns)} instructions")
        if self._last_stamp >= 0:
            stamps = np.concatenate([np.uint64([self._last_stamp]), stamps])
        back = np.flatnonzero(stamps[1:] < stamps[:-1])
        if len(back):
            at = stamped[back[0] + len(stamped) + 1 - len(stamps)]
            raise OctraceError(lib.OCT_ERR_FORMAT, f"arrival=stamps: instruction {self._n_insns + at}: expected a cycle stamp of "
                               f"{stamps[back[0]]} or later; found {stamps[back[0] + 1]}")
        self._last_stamp = int(stamps[-1]) if len(stamps) else self._last_stamp

    def _check_alignment(self, addrs: Array) -> None:
        wrong = np.flatnonzero(addrs & np.uint64(self._held_to - 1)) if self._held_to > 1 else ()
        if len(wrong):
            raise OctraceError(
                lib.OCT_ERR_LIMIT,
                f"instruction {self._n_insns + wrong[0]} ({int(addrs[wrong[0]]):#x}) is no multiple of {self._held_to} "
                "bytes, as all before it are: give pc_align_bits=0 in the geometry, or open the trace with isa",
            )
        self._n_insns += len(addrs)

    def close(self) -> None:
        if self._own is not None:
            self._own.close()

