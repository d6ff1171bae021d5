# SPDX-License-Identifier: Apache-2.0
"""Tracers: what the machines and formats that octrace has make of a trace.

A tracer turns retired instructions and their data accesses into the bits of a trace port, and back.
It describes itself in tables: parameters, named geometries, counters, figures.
"""
from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from typing import Any, Mapping, Optional, Union

import numpy as np

from ._arrays import ACCESS, FLAG_HAS_CYCLE, FLAG_PARTIAL, INSN, MAP_ENTRY, TRAP, copy_array, copy_values, ffi, lib
from ._chunk import Chunk, c_text, in_range, join
from ._formats import text_of
from ._tracked import Geometry, Source, Tracked
from .errors import check, new_diag


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
    geometries: Mapping[str, str]  #: name and purpose
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
    _updates: bytes = field(default=b"", repr=False, compare=False)  # of the program map, as structs
    _machine: tuple[str, int, int] = field(default=("unknown", 0, 1), repr=False, compare=False)  # see Tracked

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


def find_tracer(name: str) -> Any:
    """The C struct of a tracer. ValueError: there is none of that name."""
    tracer = lib.oct_tracer_find(c_text(name, "tracer"))
    if tracer == ffi.NULL:
        raise ValueError(f"tracer: expected one of {', '.join(tracers())}; found {name!r}")
    return tracer


def tracers() -> dict[str, Tracer]:
    """The tracers by name; the first is the default."""
    out = {}
    for i in itertools.count():
        t = lib.oct_tracer_at(i)
        if not t:
            return out
        params = (t.params[k] for k in range(t.n_params))
        out[text_of(t.name)] = Tracer(
            name=text_of(t.name),
            text=text_of(t.text),
            version=t.version,
            has_cycle_engine=t.has_cycle_engine,
            carries_data=t.carries_data,
            parameters=tuple(
                Parameter(text_of(p.name), getattr(p, "def"), p.min, p.max, text_of(p.unit), text_of(p.text))
                for p in params
            ),
            geometries={text_of(t.geometries[k].name): text_of(t.geometries[k].text) for k in range(t.n_geometries)},
            counters={text_of(t.counters[k].name): text_of(t.counters[k].text) for k in range(t.n_counters)},
            figures={text_of(t.figures[k].name): text_of(t.figures[k].text) for k in range(t.n_figures)},
        )


def _figure(value: float) -> Optional[float]:
    return float(value) if math.isfinite(value) else None


def make_result(tracer: Any, params: Any, values: Any, **kept: Any) -> Result:
    """What a run counted, with the names of the tracer's tables, and what is kept of it for decompress()."""
    counters = {text_of(tracer.counters[i].name): int(values[i]) for i in range(tracer.n_counters)}

    def bits(group: int) -> int:
        return int(lib.oct_tracer_port_bits(tracer, values, group))

    total = bits(lib.OCT_GROUP_TRACE)
    return Result(
        tracer=text_of(tracer.name),
        parameters={text_of(tracer.params[i].name): int(params[i]) for i in range(tracer.n_params)},
        counters=counters,
        figures={
            text_of(tracer.figures[i].name): _figure(tracer.figures[i].value(params, values))
            for i in range(tracer.n_figures)
        },
        port_bits=total,
        insn_bits=bits(lib.OCT_GROUP_PORT_INSN),
        data_bits=bits(lib.OCT_GROUP_PORT_DATA),
        sync_bits=bits(lib.OCT_GROUP_PORT_SYNC),
        overhead_bits=bits(lib.OCT_GROUP_PORT_OVERHEAD),
        bits_per_insn=total / counters["insns"] if counters.get("insns") else 0.0,
        state_bytes=lib.oct_tracer_state_bits(tracer, params) / 8,
        **kept,
    )


def run_options(engine: str, arrival: str, stall_milli: int, seed: int) -> Any:
    """How a machine is run, as C takes it."""
    engines = {"untimed": lib.OCT_ENGINE_UNTIMED, "cycle": lib.OCT_ENGINE_CYCLE}
    if engine not in engines:
        raise ValueError(f"engine: expected one of {', '.join(engines)}; found {engine!r}")
    run = ffi.new("oct_run_options *")
    run.engine, run.cpi_milli = engines[engine], 1000
    run.stall_milli = in_range(stall_milli, 0, 999, "stall_milli")
    run.seed = in_range(seed, 0, (1 << 64) - 1, "seed")
    diag = new_diag()
    check(lib.oct_arrival_parse(c_text(arrival, "arrival"), run, diag), diag)
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
    stall_milli, seed: the port is stalled at random in stall_milli of 1000 cycles.
    limit: instructions to take.
    keep_port: keep the port bytes, for decompress().
    OctraceError: the trace cannot be read, or the tracer cannot take it. ValueError: no such tracer.
    """
    t = find_tracer(tracer)
    tracked = Tracked(source, limit)
    tracked.needs_stamps = arrival == "stamps"
    diag = new_diag()
    bytes_out = ffi.new("const uint8_t **")
    port: list[bytes] = []
    updates: list[bytes] = []
    try:
        params = tracked.fit(t, geometry)
        tracked.hold_alignment(t, [params])
        handle = ffi.new("void **")
        check(t.encoder.create(params, run_options(engine, arrival, stall_milli, seed), handle, diag), diag)
        encoder = ffi.gc(handle[0], t.encoder.destroy)

        def take() -> None:
            n = t.encoder.take(encoder, bytes_out)
            if keep_port and n:
                port.append(bytes(ffi.buffer(bytes_out[0], n)))

        for given, _arrays, changes, n_changes in tracked:
            if keep_port and n_changes:
                updates.append(bytes(ffi.buffer(changes, n_changes * ffi.sizeof("oct_map_update"))))
            check(t.encoder.put(encoder, given, diag), diag)
            take()
        check(t.encoder.flush(encoder, diag), diag)
        take()
        values = ffi.new("uint64_t[]", t.n_counters)
        t.encoder.counters(encoder, values)
        if not keep_port:
            return make_result(t, params, values)
        return make_result(t, params, values, port=b"".join(port), _updates=b"".join(updates), _machine=tracked.machine)
    finally:
        tracked.close()


def decompress(result: Result) -> Chunk:
    """The trace that the kept port bytes decode to, with its program map. OctraceError: they are damaged.
    ValueError: compress() was called without keep_port."""
    if not isinstance(result, Result):
        raise TypeError(f"result: expected what compress(..., keep_port=True) returns; found {type(result).__name__}")
    if result.port is None:
        raise ValueError("the port bytes were not kept: call compress(..., keep_port=True)")
    t = find_tracer(result.tracer)
    diag = new_diag()
    handle = ffi.new("void **")
    params = ffi.new("uint32_t[]", list(result.parameters.values()))
    check(lib.octpy_decoder_new(t, params, handle, diag), diag)
    decoder = ffi.gc(handle[0], t.decoder.destroy)
    updates = ffi.from_buffer("oct_map_update[]", result._updates)
    check(t.decoder.map(decoder, updates, len(updates), diag), diag)
    none = (np.empty(0, dtype) for dtype in (INSN, ACCESS, MAP_ENTRY))
    chunks = [Chunk(*none, 0, np.empty(0, TRAP), *result._machine)]
    run = ffi.new("oct_decoded *")

    def drain() -> None:
        while check(t.decoder.next(decoder, run, diag), diag):
            insns = copy_array(run.batch.insns, run.batch.n_insns, INSN)
            insns["flags"] &= FLAG_HAS_CYCLE | FLAG_PARTIAL  # the others are what the map says
            traps = copy_array(run.batch.traps, run.batch.n_traps, TRAP)
            accesses, facts, values = copy_values(run.batch)
            chunks.append(replace(chunks[0], insns=insns, accesses=accesses, traps=traps, facts=facts, values=values))

    for at in range(0, len(result.port), 1 << 16):
        piece = result.port[at : at + (1 << 16)]
        check(t.decoder.push(decoder, piece, len(piece), diag), diag)
        drain()
    t.decoder.finish(decoder)
    drain()
    entries = ffi.new("oct_map_entry[]", [update.entry for update in updates])
    return replace(join(chunks), map=copy_array(entries, len(updates), MAP_ENTRY))


__all__ = ["Parameter", "Result", "Tracer", "compress", "decompress", "tracers"]
