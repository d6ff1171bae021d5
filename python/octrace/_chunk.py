# SPDX-License-Identifier: Apache-2.0
"""_chunk.py - a run of a trace as numpy arrays, and as the C library takes it."""
from __future__ import annotations

import operator
import os
from dataclasses import dataclass, field, replace
from typing import Any, Iterator, Optional, Sequence, Union

import numpy as np

from ._arrays import (
    ACCESS, FACT, FACT_REGISTER, INSN, MAP_ENTRY, REGISTER_BYTES_MAX, TRAP, Array, as_struct_array, ffi, lib,
)

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Chunk:
    """A run of a trace.

    insns, accesses: arrays of INSN and ACCESS. The accesses of the first instruction come first.
    map: what became known of instructions (MAP_ENTRY); it holds from insns[0] on.
    first_insn: number of insns[0] in the trace.
    traps: exceptions, interrupts and changes of privilege (TRAP), in order, each before instruction
        number `insn` of the chunk, or behind the last one.
    isa, addr_bits, insn_align_bytes: as the trace says of itself (see TraceInfo). compress() and sweep() fit
        the machine to them. addr_bits = 0, as in a chunk of one's own, finds it: 32 where every address fits.
        insn_align_bytes = 1 finds it, unless isa is an instruction set.
    facts: registers and memory between instructions (FACT), in order, as traps.
    values: bytes, the lowest first, that accesses and facts name in their field `value`; empty where the
        trace has no values.
    """

    insns: Array
    accesses: Array
    map: Array
    first_insn: int = 0
    traps: Array = field(default_factory=lambda: np.empty(0, TRAP))
    isa: str = "unknown"
    addr_bits: int = 0
    insn_align_bytes: int = 1
    facts: Array = field(default_factory=lambda: np.empty(0, FACT))
    values: Array = field(default_factory=lambda: np.empty(0, np.uint8))

    def access_values(self) -> Any:
        """For each access its value, as a masked array: masked where it is not known, or has more than 8 bytes."""
        sizes = self.accesses["size_bytes"].astype(np.int64)
        is_known = (self.accesses["value"] != 0) & (sizes > 0) & (sizes <= 8)
        first = self.accesses["value"].astype(np.int64) - 1
        out = np.zeros(len(sizes), np.uint64)
        for i in range(8):
            has = is_known & (sizes > i)
            out[has] |= self.values[first[has] + i].astype(np.uint64) << np.uint64(8 * i)
        return np.ma.masked_array(out, ~is_known)

    def bytes_of(self, element: Any) -> Optional[bytes]:
        """The bytes of an access or a fact of the chunk, or None where they are not known."""
        if not element["value"]:
            return None
        first, names = int(element["value"]) - 1, element.dtype.names or ()
        return bytes(self.values[first : first + int(element["size_bytes" if "size_bytes" in names else "n_bytes"])])

    def access_insns(self) -> Array:
        """For each access the index in insns of the instruction that made it."""
        return np.repeat(np.arange(len(self.insns)), self.insns["n_access"])

    def access_starts(self) -> Array:
        """For each instruction the index in accesses of its first access."""
        counts = self.insns["n_access"].astype(np.int64)
        return np.cumsum(counts) - counts


def c_text(text: PathLike, what: str) -> bytes:
    """A name as C has it, which would end at a byte of 0."""
    if not isinstance(text, (str, bytes, os.PathLike)):
        raise TypeError(f"{what}: expected a text; found {type(text).__name__}")
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError(f"{what}: expected a text without bytes of 0; found {text!r}")
    return encoded


def whole(value: int, what: str) -> int:
    """value, or a TypeError."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{what}: expected a whole number; found {value!r}") from None


def in_range(value: int, low: int, high: int, what: str) -> int:
    """value, or a ValueError or TypeError."""
    value = whole(value, what)
    if not low <= value <= high:
        raise ValueError(f"{what}: expected a number from {low} to {high}; found {value}")
    return value


def limit_of(limit: Optional[int]) -> Optional[int]:
    """A number of instructions, or None for all; or a ValueError or TypeError."""
    if limit is not None and whole(limit, "limit") < 0:
        raise ValueError(f"limit: expected 0 or more; found {limit}")
    return None if limit is None else whole(limit, "limit")


def checked(chunk: Chunk) -> Chunk:
    """The chunk with whole structs in its arrays. ValueError, TypeError: they do not fit each other, or it is none."""
    if not isinstance(chunk, Chunk):
        raise TypeError(f"expected a Chunk; found {type(chunk).__name__}")
    if not isinstance(chunk.first_insn, (int, np.integer)):
        raise TypeError(f"first_insn: expected a number; found {type(chunk.first_insn).__name__}")
    insns = as_struct_array(chunk.insns, INSN, "insns")
    accesses = as_struct_array(chunk.accesses, ACCESS, "accesses")
    wanted = int(insns["n_access"].sum(dtype=np.int64))
    if wanted != len(accesses):
        word = "access" if wanted == 1 else "accesses"
        raise ValueError(f"expected {wanted} {word}, as the field n_access has them; found {len(accesses)}")
    traps = as_struct_array(chunk.traps, TRAP, "traps")
    if len(traps) and (np.any(np.diff(traps["insn"].astype(np.int64)) < 0) or traps["insn"][-1] > len(insns)):
        raise ValueError(f"traps: expected the field insn in order, up to {len(insns)}")
    entries = as_struct_array(chunk.map, MAP_ENTRY, "map")
    facts = as_struct_array(chunk.facts, FACT, "facts")
    if len(facts) and (np.any(np.diff(facts["insn"].astype(np.int64)) < 0) or facts["insn"][-1] > len(insns)):
        raise ValueError(f"facts: expected the field insn in order, up to {len(insns)}")
    is_register = facts["kind"] == FACT_REGISTER
    if np.any(is_register & ((facts["value"] == 0) | (facts["n_bytes"] > REGISTER_BYTES_MAX))) or np.any(facts["n_bytes"] == 0):
        raise ValueError(f"facts: expected n_bytes from 1 on, and of registers a value of up to {REGISTER_BYTES_MAX} bytes")
    values = np.ascontiguousarray(chunk.values, np.uint8)
    for name, array, size in ("accesses", accesses, "size_bytes"), ("facts", facts, "n_bytes"):
        named = array[array["value"] != 0]
        if np.any(named["value"].astype(np.int64) - 1 + named[size] > len(values)):
            raise ValueError(f"{name}: expected the field value within the {len(values)} bytes of values")
    return replace(chunk, insns=insns, accesses=accesses, map=entries, traps=traps, facts=facts, values=values)


def machine_of(chunk: Chunk) -> tuple[str, int, int]:
    """Instruction set, width of addresses and alignment of a checked chunk, found where it does not say them."""
    info = ffi.new("oct_trace_info *")
    isa = ffi.new("char[]", c_text(chunk.isa, "isa"))
    info.isa, info.insn_align_bytes = isa, in_range(chunk.insn_align_bytes, 1, 8, "insn_align_bytes")
    insns = ffi.cast("const oct_insn *", chunk.insns.ctypes.data)
    align = int(lib.oct_find_alignment(info, insns, len(chunk.insns)))
    addrs = (chunk.insns["addr"], chunk.accesses["addr"], chunk.map["addr"], chunk.map["target"])
    traps = (chunk.traps["addr"], chunk.traps["tval"])
    is_wide = any(len(part) and int(part.max()) >> 32 for part in addrs + traps)
    return chunk.isa, in_range(chunk.addr_bits, 0, 64, "addr_bits") or (64 if is_wide else 32), align


def make_batch(chunk: Chunk) -> Any:
    """A checked chunk as the library takes it. The chunk must live as long as what is returned."""
    batch = ffi.new("oct_batch *")
    batch.insns = ffi.cast("const oct_insn *", chunk.insns.ctypes.data)
    batch.n_insns = len(chunk.insns)
    batch.accesses = ffi.cast("const oct_access *", chunk.accesses.ctypes.data)
    batch.n_accesses = len(chunk.accesses)
    batch.map = ffi.cast("const oct_map_entry *", chunk.map.ctypes.data)
    batch.n_map = len(chunk.map)
    batch.traps = ffi.cast("const oct_trap *", chunk.traps.ctypes.data)
    batch.n_traps = len(chunk.traps)
    batch.facts = ffi.cast("const oct_fact *", chunk.facts.ctypes.data)
    batch.n_facts = len(chunk.facts)
    batch.values = ffi.cast("const uint8_t *", chunk.values.ctypes.data) if len(chunk.values) else ffi.NULL
    batch.n_values = len(chunk.values)
    return batch


def join(chunks: Sequence[Chunk]) -> Chunk:
    """Chunks that follow each other as one. MemoryError: they have more values than a chunk may name."""
    parts: dict[str, list[Array]] = {name: [] for name in ("accesses", "traps", "facts")}
    n = n_values = 0
    for chunk in chunks:
        for name, arrays in parts.items():
            array = getattr(chunk, name)
            if "insn" in array.dtype.names and n and len(array):
                array = array.copy()
                array["insn"] += n
            if "value" in array.dtype.names and n_values and len(array):
                array = array.copy()
                array["value"][array["value"] != 0] += n_values
            arrays.append(array)
        n += len(chunk.insns)
        n_values += len(chunk.values)
        if n_values >> 32:
            raise MemoryError("more than 4 GiB of values: read the trace in chunks")
    joined = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    whole_of = {name: np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("insns", "map", "values")}
    return replace(chunks[0], **joined, **whole_of)


def cut(chunk: Chunk, limit: int) -> Chunk:
    """The chunk's first instructions, with their accesses and what stands before them."""
    if len(chunk.insns) <= limit:
        return chunk
    insns = chunk.insns[:limit]
    n = int(insns["n_access"].sum(dtype=np.int64))
    return replace(chunk, insns=insns, accesses=chunk.accesses[:n], traps=chunk.traps[chunk.traps["insn"] < limit],
                   facts=chunk.facts[chunk.facts["insn"] < limit])


def split(chunk: Chunk, insns: int = 65536) -> Iterator[Chunk]:
    """A checked chunk in pieces of at most that many instructions, the map with the first."""
    starts = chunk.access_starts()
    for at in range(0, len(chunk.insns) or 1, insns):  # once also where there are traps alone
        part = chunk.insns[at : at + insns]
        first = int(starts[at]) if len(part) else 0
        n = int(part["n_access"].sum(dtype=np.int64))
        entries = chunk.map if at == 0 else chunk.map[:0]
        end = at + len(part)
        is_last = end == len(chunk.insns)

        def within(array: Array) -> Array:
            part = array[(array["insn"] >= at) & ((array["insn"] < end) | is_last)].copy()
            part["insn"] -= at
            return part

        accesses = chunk.accesses[first : first + n]
        yield replace(
            chunk, insns=part, accesses=accesses, map=entries, first_insn=chunk.first_insn + at,
            traps=within(chunk.traps), facts=within(chunk.facts),
        )
