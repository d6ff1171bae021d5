# SPDX-License-Identifier: Apache-2.0
"""_sweep.py - many geometries of a tracer in one pass over a trace."""
from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from ._arrays import ffi
from ._tracked import Source, Tracked
from .errors import check, new_diag
from .tracer import Result, find_tracer, make_result, run_options


class _Shared:
    """All geometries in one pass, sharing what they have in common."""

    def __init__(self, t: Any, params: Sequence[Any]):
        self._t, self._diag, self._n = t, new_diag(), t.n_params
        flat = ffi.new("uint32_t[]", [value for p in params for value in p])
        handle = ffi.new("void **")
        check(t.sweep.create(flat, len(params), handle, self._diag), self._diag)
        self._sweep = ffi.gc(handle[0], t.sweep.destroy)

    def put(self, given: Any) -> None:
        check(self._t.sweep.put(self._sweep, given, self._diag), self._diag)

    def flush(self) -> None:
        check(self._t.sweep.flush(self._sweep, self._diag), self._diag)

    def counters(self, i: int, values: Any) -> None:
        self._t.sweep.counters(self._sweep, i, values)


class _Separate:
    """An encoder for each geometry."""

    def __init__(self, t: Any, params: Sequence[Any]):
        self._t, self._diag = t, new_diag()
        run = run_options("untimed", "full", 0, 1)
        self._encoders = []
        for p in params:
            handle = ffi.new("void **")
            check(t.encoder.create(p, run, handle, self._diag), self._diag)
            self._encoders.append(ffi.gc(handle[0], t.encoder.destroy))

    def put(self, given: Any) -> None:
        taken = ffi.new("const uint8_t **")
        for encoder in self._encoders:
            check(self._t.encoder.put(encoder, given, self._diag), self._diag)
            self._t.encoder.take(encoder, taken)

    def flush(self) -> None:
        for encoder in self._encoders:
            check(self._t.encoder.flush(encoder, self._diag), self._diag)

    def counters(self, i: int, values: Any) -> None:
        self._t.encoder.counters(self._encoders[i], values)


def sweep(
    source: Source,
    geometries: Sequence[Union[str, Mapping[str, int]]],
    tracer: str = "paper",
    *,
    limit: Optional[int] = None,
) -> list[Result]:
    """What each geometry makes of a trace, untimed, in one pass over it.

    geometries: as compress() takes them. Equal to compress() of each alone, to the bit. Geometries of paper
        share their work where sync_period_bits is 0, as in "paper,sc_ways=2" and in the command
        `octrace sweep`. With the default, 131072, each runs separately.
    `octrace.frame(results)` makes a pandas frame of the list.
    """
    t = find_tracer(tracer)
    tracked = Tracked(source, limit)
    try:
        if isinstance(geometries, (str, bytes, Mapping)) or not isinstance(geometries, Iterable):
            raise TypeError(f"geometries: expected a list of geometries; found {geometries!r}")
        params = [tracked.fit(t, geometry) for geometry in geometries]
        if not params:
            return []
        tracked.hold_alignment(t, params)
        machine: Union[_Separate, _Shared] = _Separate(t, params) if t.sweep == ffi.NULL else _Shared(t, params)
        for given, _arrays, _changes, _n in tracked:
            machine.put(given)
        machine.flush()
        out = []
        for i, values in enumerate(params):
            counted = ffi.new("uint64_t[]", t.n_counters)
            machine.counters(i, counted)
            out.append(make_result(t, values, counted))
        return out
    finally:
        tracked.close()


def frame(results: Sequence[Result]) -> Any:
    """A pandas frame with a row for each result. Needs python3-pandas."""
    import pandas  # type: ignore[import]

    return pandas.DataFrame([result.row() for result in results])


__all__ = ["frame", "sweep"]
