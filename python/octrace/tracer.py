# SPDX-License-Identifier: Apache-2.0
"""Tracers: what the machines and formats that octrace has make of a trace.

A tracer turns retired instructions and their data accesses into the bits of a trace port, and back.
It describes itself in tables: parameters, named geometries, counters, figures.
"""
from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from ._arrays import ACCESS, INSN, MAP_ENTRY, TRAP, Array, copy_array, ffi, lib
from .errors import OctraceError, check, new_diag
from .trace import Chunk, PathLike, Trace, checked, in_range, machine_of, make_batch, split

Source = Union[PathLike, Trace, Chunk]
Geometry = Union[None, str, Mapping[str, int]]


def _text(pointer: Any) -> str:
    return str(ffi.string(pointer).decode(errors="replace"))


@dataclass(frozen=True)
class Parameter:
    """A parameter of a tracer."""

    name: str
    default: int
    min: int
    max: int
    unit: str
    text: str  #: what it means


@dataclass(frozen=True)
class Tracer:
    """What a tracer says of itself."""

    name: str
    text: str  #: what it is, one line
    version: int  #: of its format
    has_cycle_engine: bool  #: it can be run cycle by cycle, with buffers and pins
    carries_data: bool  #: data addresses leave the port
    parameters: tuple[Parameter, ...]
    geometries: Mapping[str, str]  #: name and purpose; the first is the default
    counters: Mapping[str, str]  #: name and meaning
    figures: Mapping[str, str]  #: name and meaning


@dataclass(frozen=True)
class Result:
    """What a tracer made of a trace.

    parameters, counters, figures: by name, as the tables of the tracer have them. A figure is None where
        the run has no such thing, as the untimed engine has no busy port.
    port_bits: everything that left through the pins; insn_bits, data_bits, sync_bits and
        overhead_bits (headers and padding) are its parts.
    bits_per_insn: port_bits for each instruction of the trace.
    state_bytes: what the machine has to hold.
    port: the bytes of the port, if they were kept, else None.
    """

    tracer: str
    parameters: Mapping[str, int]
    counters: Mapping[str, int]
    figures: Mapping[str, Optional[float]]
    port_bits: int
    insn_bits: int
    data_bits: int
    sync_bits: int
    overhead_bits: int
    bits_per_insn: float
    state_bytes: float
    port: Optional[bytes] = field(default=None, repr=False)
    _updates: Any = field(default=None, repr=False, compare=False)
    _values: Any = field(default=None, repr=False, compare=False)

    def row(self) -> dict[str, Union[None, str, int, float]]:
        """All of it but the bytes in one flat dictionary, as a table has it."""
        row: dict[str, Union[None, str, int, float]] = {"tracer": self.tracer}
        row.update(self.parameters)
        for name in ("port_bits", "insn_bits", "data_bits", "sync_bits", "overhead_bits", "bits_per_insn",
                     "state_bytes"):
            row[name] = getattr(self, name)
        row.update(self.figures)
        row.update({name: value for name, value in self.counters.items() if name not in row})
        return row


def _find(name: str) -> Any:
    tracer = lib.oct_tracer_find(name.encode())
    if tracer == ffi.NULL:
        raise ValueError(f"tracer: expected one of {', '.join(tracers())}; found {name!r}")
    return tracer


def tracers() -> dict[str, Tracer]:
    """The tracers by name; the first is the default."""
    out = {}
    for i in range(lib.oct_tracers_count):
        t = lib.oct_tracers[i]
        params = (t.params[k] for k in range(t.n_params))
        out[_text(t.name)] = Tracer(
            name=_text(t.name),
            text=_text(t.text),
            version=t.version,
            has_cycle_engine=t.has_cycle_engine,
            carries_data=t.carries_data,
            parameters=tuple(
                Parameter(_text(p.name), getattr(p, "def"), p.min, p.max, _text(p.unit), _text(p.text))
                for p in params
            ),
            geometries={_text(t.geometries[k].name): _text(t.geometries[k].text) for k in range(t.n_geometries)},
            counters={_text(t.counters[k].name): _text(t.counters[k].text) for k in range(t.n_counters)},
            figures={_text(t.figures[k].name): _text(t.figures[k].text) for k in range(t.n_figures)},
        )
    return out


class _Tracked:
    """A source whose chunks went through a program map, as tracers take them."""

    def __init__(self, source: Source, limit: Optional[int]):
        if limit is not None and limit < 0:
            raise ValueError(f"limit: expected 0 or more; found {limit}")
        self._own = None
        self._left = limit
        self._held_to = 1  # an alignment that was found at the beginning, in bytes
        self._n_insns = 0
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
                chunk = _cut(chunk, self._left)
                self._left -= len(chunk.insns)
            if len(chunk.insns) == 0 and len(chunk.traps) == 0:
                return
            insns = chunk.insns.copy()
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
            yield given, [insns, chunk.accesses, chunk.traps], updates[0], n

    def fit(self, tracer: Any, geometry: Geometry) -> Any:
        """The values of a geometry, fitted to the trace."""
        if isinstance(geometry, Mapping):
            geometry = ",".join(f"{name}={value}" for name, value in geometry.items())
        elif geometry is not None and not isinstance(geometry, str):
            raise TypeError(f"geometry: expected a text or a mapping; found {type(geometry).__name__}")
        params = ffi.new("uint32_t[]", tracer.n_params)
        given = ffi.new("bool[]", tracer.n_params)
        diag = new_diag()
        lib.oct_tracer_defaults(tracer, params)
        if geometry:
            check(lib.oct_tracer_parse(tracer, geometry.encode(), params, given, diag), diag)
        isa, addr_bits, align = self.machine
        check(lib.octpy_fit(tracer, params, given, isa.encode(), addr_bits, align, diag), diag)
        return params

    def hold_alignment(self, tracer: Any, params: Sequence[Any]) -> None:
        """What was found at the beginning is held against the rest where one of params goes by it."""
        names = [_text(tracer.params[i].name) for i in range(tracer.n_params)]
        if "pc_align_bits" not in names or not any(p[names.index("pc_align_bits")] for p in params):
            self._held_to = 1

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


def _cut(chunk: Chunk, limit: int) -> Chunk:
    if len(chunk.insns) <= limit:
        return chunk
    insns = chunk.insns[:limit]
    n = int(insns["n_access"].sum(dtype=np.int64))
    traps = chunk.traps[chunk.traps["insn"] < limit]
    return replace(chunk, insns=insns, accesses=chunk.accesses[:n], traps=traps)


def _figure(value: float) -> Optional[float]:
    return float(value) if math.isfinite(value) else None


def _result(tracer: Any, params: Any, values: Any, port: Optional[bytes], updates: Any) -> Result:
    counters = {_text(tracer.counters[i].name): int(values[i]) for i in range(tracer.n_counters)}

    def bits(group: int) -> int:
        return int(lib.oct_tracer_port_bits(tracer, values, group))

    total = bits(lib.OCT_GROUP_TRACE)
    return Result(
        tracer=_text(tracer.name),
        parameters={_text(tracer.params[i].name): int(params[i]) for i in range(tracer.n_params)},
        counters=counters,
        figures={
            _text(tracer.figures[i].name): _figure(tracer.figures[i].value(params, values))
            for i in range(tracer.n_figures)
        },
        port_bits=total,
        insn_bits=bits(lib.OCT_GROUP_PORT_INSN),
        data_bits=bits(lib.OCT_GROUP_PORT_DATA),
        sync_bits=bits(lib.OCT_GROUP_PORT_SYNC),
        overhead_bits=bits(lib.OCT_GROUP_PORT_OVERHEAD),
        bits_per_insn=total / counters["insns"] if counters.get("insns") else 0.0,
        state_bytes=lib.oct_tracer_state_bits(tracer, params) / 8,
        port=port,
        _updates=updates,
        _values=params,
    )


def _run_options(engine: str, arrival: str, stall_milli: int, seed: int) -> Any:
    engines = {"untimed": lib.OCT_ENGINE_UNTIMED, "cycle": lib.OCT_ENGINE_CYCLE}
    if engine not in engines:
        raise ValueError(f"engine: expected one of {', '.join(engines)}; found {engine!r}")
    run = ffi.new("oct_run_options *")
    run.engine, run.cpi_milli = engines[engine], 1000
    run.stall_milli = in_range(stall_milli, 0, 999, "stall_milli")
    run.seed = in_range(seed, 0, (1 << 64) - 1, "seed")
    diag = new_diag()
    check(lib.oct_arrival_parse(arrival.encode(), run, diag), diag)
    return run


def compress(
    source: Source,
    tracer: str = "paper",
    geometry: Geometry = None,
    *,
    engine: str = "untimed",
    arrival: str = "full",
    stall_milli: int = 0,
    seed: int = 1,
    limit: Optional[int] = None,
    keep_port: bool = False,
) -> Result:
    """Run a tracer over a trace and count.

    source: a path, an open Trace, or a Chunk.
    geometry: a name, "name=value,...", both ("tiny,port_pins=4"), or a mapping of parameters.
    engine: "untimed" loses nothing; "cycle" has real buffers and pins, where the tracer has them.
    arrival: when instructions retire (cycle engine): "full", "cpi=X" or "stamps".
    stall_milli, seed: of 1000 cycles, in how many the port is stalled at random.
    limit: instructions to take.
    keep_port: keep the port bytes, for decompress().
    OctraceError: the trace cannot be read, or the tracer cannot take it. ValueError: no such tracer.
    """
    t = _find(tracer)
    tracked = _Tracked(source, limit)
    diag = new_diag()
    bytes_out = ffi.new("const uint8_t **")
    port: list[bytes] = []
    updates: list[Any] = []
    try:
        params = tracked.fit(t, geometry)
        tracked.hold_alignment(t, [params])
        handle = ffi.new("void **")
        check(t.encoder.create(params, _run_options(engine, arrival, stall_milli, seed), handle, diag), diag)
        encoder = ffi.gc(handle[0], t.encoder.destroy)

        def take() -> None:
            n = t.encoder.take(encoder, bytes_out)
            if keep_port and n:
                port.append(bytes(ffi.buffer(bytes_out[0], n)))

        for given, _arrays, changes, n_changes in tracked:
            if keep_port and n_changes:
                copy = ffi.new("oct_map_update[]", n_changes)
                ffi.memmove(copy, changes, n_changes * ffi.sizeof("oct_map_update"))
                updates.append((copy, n_changes))
            check(t.encoder.put(encoder, given, diag), diag)
            take()
        check(t.encoder.flush(encoder, diag), diag)
        take()
        values = ffi.new("uint64_t[]", t.n_counters)
        t.encoder.counters(encoder, values)
        return _result(t, params, values, b"".join(port) if keep_port else None, updates)
    finally:
        tracked.close()


def decompress(result: Result) -> Chunk:
    """The trace that the kept port bytes decode to. OctraceError: they are damaged.
    ValueError: compress() was called without keep_port."""
    if result.port is None:
        raise ValueError("the port bytes were not kept: call compress(..., keep_port=True)")
    t = _find(result.tracer)
    diag = new_diag()
    handle = ffi.new("void **")
    check(lib.octpy_decoder_new(t, result._values, handle, diag), diag)
    decoder = ffi.gc(handle[0], t.decoder.destroy)
    for copy, n in result._updates:
        check(t.decoder.map(decoder, copy, n, diag), diag)
    insns: list[Array] = []
    accesses: list[Array] = []
    traps: list[Array] = []
    n_insns = 0
    run = ffi.new("oct_decoded *")

    def drain() -> None:
        nonlocal n_insns
        while check(t.decoder.next(decoder, run, diag), diag):
            part = copy_array(run.batch.traps, run.batch.n_traps, TRAP)
            part["insn"] += n_insns
            traps.append(part)
            n_insns += run.batch.n_insns
            insns.append(copy_array(run.batch.insns, run.batch.n_insns, INSN))
            accesses.append(copy_array(run.batch.accesses, run.batch.n_accesses, ACCESS))

    for at in range(0, len(result.port), 1 << 16):
        piece = result.port[at : at + (1 << 16)]
        check(t.decoder.push(decoder, piece, len(piece), diag), diag)
        drain()
    t.decoder.finish(decoder)
    drain()
    return Chunk(
        np.concatenate(insns) if insns else np.empty(0, INSN),
        np.concatenate(accesses) if accesses else np.empty(0, ACCESS),
        np.empty(0, MAP_ENTRY),
        traps=np.concatenate(traps) if traps else np.empty(0, TRAP),
    )


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
        run = _run_options("untimed", "full", 0, 1)
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

    geometries: as compress() takes them. Equal to compress() of each alone, to the bit.
    `octrace.frame(results)` makes a pandas frame of the list.
    """
    t = _find(tracer)
    tracked = _Tracked(source, limit)
    try:
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
            out.append(_result(t, values, counted, None, None))
        return out
    finally:
        tracked.close()


def frame(results: Sequence[Result]) -> Any:
    """A pandas frame with a row for each result. Needs python3-pandas."""
    import pandas  # type: ignore[import]

    return pandas.DataFrame([result.row() for result in results])


__all__ = ["OctraceError", "Parameter", "Result", "Tracer", "compress", "decompress", "frame", "sweep", "tracers"]
