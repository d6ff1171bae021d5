# SPDX-License-Identifier: Apache-2.0
"""Traces as numpy arrays: reading every format that octrace reads, and writing those it writes."""
from __future__ import annotations

import itertools
import os
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Iterable, Iterator, Optional, Type, Union

import numpy as np

from ._arrays import ACCESS, FLAG_HAS_CYCLE, INSN, MAP_ENTRY, TRAP, Array, as_struct_array, copy_array, ffi, lib
from .errors import check, new_diag

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class TraceInfo:
    """What a trace says of itself."""

    format: str  #: such as "native", "lackey"
    isa: str  #: instruction set, or "unknown"
    origin: str  #: what made the trace
    command: str  #: the command line that was traced
    addr_bits: int  #: 32 or 64
    insn_align_bytes: int  #: every instruction address is a multiple of it
    n_insns: int  #: 0 when it is not known beforehand
    n_accesses: int  #: likewise


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
    """

    insns: Array
    accesses: Array
    map: Array
    first_insn: int = 0
    traps: Array = field(default_factory=lambda: np.empty(0, TRAP))
    isa: str = "unknown"
    addr_bits: int = 0
    insn_align_bytes: int = 1

    def access_insns(self) -> Array:
        """For each access the index in insns of the instruction that made it."""
        return np.repeat(np.arange(len(self.insns)), self.insns["n_access"])

    def access_starts(self) -> Array:
        """For each instruction the index in accesses of its first access."""
        counts = self.insns["n_access"].astype(np.int64)
        return np.cumsum(counts) - counts


def _text(pointer: Any) -> str:
    return str(ffi.string(pointer).decode(errors="replace"))


def formats() -> dict[str, bool]:
    """Names of the trace formats, and whether each can be written."""
    numbers = range(lib.OCT_FORMAT_AUTO + 1, lib.OCT_FORMAT_COUNT)
    return {_text(lib.oct_format_name(f)): bool(lib.oct_format_can_write(f)) for f in numbers}


def _format(name: Optional[str]) -> int:
    if name is None:
        return int(lib.OCT_FORMAT_AUTO)
    number = lib.oct_format_by_name(name.encode())
    if number < 0:
        raise ValueError(f"format: expected one of {', '.join(formats())}; found {name!r}")
    return int(number)


def c_text(text: PathLike, what: str) -> bytes:
    """A name as C has it, which would end at a byte of 0."""
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError(f"{what}: expected a text without bytes of 0; found {text!r}")
    return encoded


def _name(path: PathLike) -> bytes:
    if not os.fspath(path):
        raise ValueError("path: expected the name of a file; found an empty one")
    return c_text(path, "path")


def in_range(value: int, low: int, high: int, what: str) -> int:
    """value, or a ValueError."""
    if not low <= value <= high:
        raise ValueError(f"{what}: expected a number from {low} to {high}; found {value}")
    return value


class Trace:
    """A trace that is open for reading. Use it in a `with` statement, or call close().

    It is read once, from the beginning: iterate over it, or call read(). One thread at a time. It cannot be
    copied.
    """

    _handle: Any = ffi.NULL  # also where __init__ was not reached

    def __init__(
        self,
        path: PathLike,
        *,
        format: Optional[str] = None,
        isa: Optional[str] = None,
        elf: Optional[PathLike] = None,
        elf_bias: int = 0,
        insn_bytes: int = 0,
        skip: int = 0,
    ):
        """Open the trace at path ("-" is standard input). gzip, bzip2, xz and zstd are undone.

        format: its name; None finds it by content.
        isa, elf, elf_bias, insn_bytes: for formats that leave them open: the instruction set, the
            program and what was added to its addresses, the size of instructions in bytes (1 to 15; 0 is
            the format's default).
        skip: instructions to leave out at the beginning.
        OctraceError: the file cannot be opened or is no trace. ValueError: no such format, a number that
            cannot be, or a skip that leaves nothing.
        """
        options = ffi.new("oct_read_options *")
        options.format = _format(format)
        options.insn_bytes = in_range(insn_bytes, 0, 15, "insn_bytes")
        options.elf_bias = in_range(elf_bias, 0, (1 << 64) - 1, "elf_bias")
        in_range(skip, 0, (1 << 64) - 1, "skip")
        # The reader takes the strings' addresses: they live as long as it does.
        self._strings = [
            ffi.new("char[]", c_text(text, what)) if text is not None else ffi.NULL
            for text, what in ((isa, "isa"), (elf, "elf"))
        ]
        options.isa, options.elf = self._strings
        out = ffi.new("oct_reader **")
        diag = new_diag()
        check(lib.oct_reader_open(_name(path), options, out, diag), diag)
        self._handle = out[0]
        self._next_insn = skip
        if skip:
            try:
                check(lib.oct_reader_skip(self._handle, skip, diag), diag)
                if self._peek(ffi.new("oct_batch *")) == 0:
                    raise ValueError(f"{os.fspath(path)}: skip={skip} leaves nothing: the trace has no more than that")
            except BaseException:
                self.close()
                raise

    @property
    def info(self) -> TraceInfo:
        """What the trace says of itself."""
        i = lib.oct_reader_info(self._open_handle())
        return TraceInfo(
            format=_text(lib.oct_format_name(i.format)),
            isa=_text(i.isa),
            origin=_text(i.origin),
            command=_text(i.command),
            addr_bits=i.addr_bits,
            insn_align_bytes=i.insn_align_bytes,
            n_insns=i.n_insns,
            n_accesses=i.n_accesses,
        )

    def _peek(self, batch: Any) -> int:
        """1 and the batch that comes next, 0 at the end, or an error, which the next reading tells."""
        return int(lib.oct_reader_peek(self._open_handle(), batch, ffi.NULL))

    def found_alignment(self) -> int:
        """The alignment of instructions in bytes: what the trace says, or, where it says 1 and names no
        instruction set, what the next (at most 65,536) instructions have in common."""
        batch = ffi.new("oct_batch *")
        n = batch.n_insns if self._peek(batch) > 0 else 0
        return int(lib.oct_find_alignment(lib.oct_reader_info(self._open_handle()), batch.insns, n))

    def __iter__(self) -> Iterator[Chunk]:
        """Chunks of at most 65,536 instructions, until the end. OctraceError: the file is damaged;
        everything that stands before the damage has come by then."""
        batch = ffi.new("oct_batch *")
        diag = new_diag()
        while check(lib.oct_reader_next(self._open_handle(), batch, diag), diag):
            chunk = Chunk(
                copy_array(batch.insns, batch.n_insns, INSN),
                copy_array(batch.accesses, batch.n_accesses, ACCESS),
                copy_array(batch.map, batch.n_map, MAP_ENTRY),
                self._next_insn,
                copy_array(batch.traps, batch.n_traps, TRAP),
                *self._kind(),
            )
            self._next_insn += len(chunk.insns)
            yield chunk

    def _kind(self) -> tuple[str, int, int]:
        info = lib.oct_reader_info(self._open_handle())
        return _text(info.isa), info.addr_bits, info.insn_align_bytes

    def read(self, limit: Optional[int] = None) -> Chunk:
        """All that is left, or at least `limit` instructions cut to that number, as one chunk. What a
        limit cuts off is gone: open the trace again with skip to go on."""
        if limit is not None and limit < 0:
            raise ValueError(f"limit: expected 0 or more; found {limit}")
        first = self._next_insn
        chunks: list[Chunk] = []
        n = 0
        if limit is None or limit > 0:
            for chunk in self:
                chunks.append(chunk)
                n += len(chunk.insns)
                if limit is not None and n >= limit:
                    break
        if not chunks:
            none = (np.empty(0, dtype) for dtype in (INSN, ACCESS, MAP_ENTRY))
            return Chunk(*none, first, np.empty(0, TRAP), *self._kind())
        insns = np.concatenate([c.insns for c in chunks])[:limit]
        accesses = np.concatenate([c.accesses for c in chunks])[: int(insns["n_access"].sum(dtype=np.int64))]
        traps = join_traps(chunks)
        if len(insns) < n:
            traps = traps[traps["insn"] < len(insns)]
        return Chunk(insns, accesses, np.concatenate([c.map for c in chunks]), first, traps, *self._kind())

    def _open_handle(self) -> Any:
        if self._handle == ffi.NULL:
            raise ValueError("the trace is closed")
        return self._handle

    def close(self) -> None:
        """Close the file. May be called again."""
        if self._handle != ffi.NULL:
            lib.oct_reader_close(self._handle)
            self._handle = ffi.NULL

    def __enter__(self) -> "Trace":
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
        """A copy would close the file that this one reads."""
        raise TypeError("an open trace cannot be copied: open its file again")


def open(path: PathLike, **options: Any) -> Trace:
    """Open a trace for reading: Trace(path, ...)."""
    return Trace(path, **options)


def read(path: PathLike, limit: Optional[int] = None, **options: Any) -> Chunk:
    """A whole trace, or its first `limit` instructions, as one chunk. Options as Trace takes them."""
    with Trace(path, **options) as trace:
        return trace.read(limit)


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
        raise ValueError(f"expected {wanted} accesses, as the field n_access has them; found {len(accesses)}")
    traps = as_struct_array(chunk.traps, TRAP, "traps")
    if len(traps) and (np.any(np.diff(traps["insn"].astype(np.int64)) < 0) or traps["insn"][-1] > len(insns)):
        raise ValueError(f"traps: expected the field insn in order, up to {len(insns)}")
    entries = as_struct_array(chunk.map, MAP_ENTRY, "map")
    return replace(chunk, insns=insns, accesses=accesses, map=entries, traps=traps)


def machine_of(chunk: Chunk) -> tuple[str, int, int]:
    """Instruction set, width of addresses and alignment of a checked chunk, found where it does not say them."""
    info = ffi.new("oct_trace_info *")
    isa = ffi.new("char[]", c_text(chunk.isa, "isa"))
    info.isa, info.insn_align_bytes = isa, chunk.insn_align_bytes
    insns = ffi.cast("const oct_insn *", chunk.insns.ctypes.data)
    align = int(lib.oct_find_alignment(info, insns, len(chunk.insns)))
    addrs = (chunk.insns["addr"], chunk.accesses["addr"], chunk.map["addr"], chunk.map["target"])
    traps = (chunk.traps["addr"], chunk.traps["tval"])
    is_wide = any(len(part) and int(part.max()) >> 32 for part in addrs + traps)
    return chunk.isa, chunk.addr_bits or (64 if is_wide else 32), align


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
    return batch


def join_traps(chunks: Iterable[Chunk]) -> Array:
    """The traps of chunks that follow each other, counted from the first instruction of all."""
    parts = [np.empty(0, TRAP)]
    n = 0
    for chunk in chunks:
        part = chunk.traps.copy()
        part["insn"] += n
        parts.append(part)
        n += len(chunk.insns)
    return np.concatenate(parts)


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
        inside = (chunk.traps["insn"] >= at) & ((chunk.traps["insn"] < end) | is_last)
        traps = chunk.traps[inside].copy()
        traps["insn"] -= at
        accesses = chunk.accesses[first : first + n]
        yield replace(
            chunk, insns=part, accesses=accesses, map=entries, first_insn=chunk.first_insn + at, traps=traps
        )


def with_stamps_that_count(chunk: Chunk) -> Chunk:
    """The checked chunk. ValueError: a time stamp would be lost, as no flag says that it is one."""
    lost = np.nonzero((chunk.insns["cycle"] != 0) & (chunk.insns["flags"] & FLAG_HAS_CYCLE == 0))[0]
    if len(lost):
        raise ValueError(f"insns[{lost[0]}]: cycle: expected 0, or FLAG_HAS_CYCLE in flags; "
                         f"found {chunk.insns['cycle'][lost[0]]}")
    return chunk


def write(
    path: PathLike,
    chunks: Union[Chunk, Iterable[Chunk]],
    *,
    format: str = "native",
    isa: Optional[str] = None,
    origin: str = "octrace for Python",
    command: str = "unknown",
    addr_bits: Optional[int] = None,
    insn_align_bytes: Optional[int] = None,
    level: int = 0,
) -> None:
    """Write a trace. The file appears under its name once all of it has been written.

    chunks: one chunk, or any iterable of them. Structured arrays may lack fields, which are then 0;
        every instruction and every entry of the map needs size_bytes from 1 to 15. Of an instruction's flags
        FLAG_HAS_CYCLE is kept; the others are found again when the trace is decoded.
    isa, origin, command, addr_bits (32 or 64), insn_align_bytes (1, 2, 4, 8): what the trace says of
        itself. isa may be any name. isa, addr_bits and insn_align_bytes are those of the (first) chunk unless they are given. If
        the chunk leaves addr_bits open, they are what its addresses need, and 64 for several chunks.
    level: of zstd, 1 to 22; 0 is the default (native format only).
    OctraceError: it cannot be written. ValueError, TypeError: the arrays do not fit each other.
    """
    rest = iter([chunks] if isinstance(chunks, Chunk) else chunks)
    first = [checked(chunk) for chunk in itertools.islice(rest, 1)]
    said = first[0] if first else Chunk(*(np.empty(0, dtype) for dtype in (INSN, ACCESS, MAP_ENTRY)))
    width = machine_of(said)[1] if isinstance(chunks, Chunk) else said.addr_bits or 64
    isa = said.isa if isa is None else isa
    strings = [ffi.new("char[]", c_text(text, "description")) for text in (isa, origin, command)]
    info = ffi.new("oct_trace_info *")
    info.isa, info.origin, info.command = strings
    info.addr_bits = width if addr_bits is None else addr_bits
    info.insn_align_bytes = said.insn_align_bytes if insn_align_bytes is None else insn_align_bytes
    options = ffi.new("oct_write_options *")
    options.format = _format(format)
    options.level = level
    options.info = info
    out = ffi.new("oct_writer **")
    diag = new_diag()
    check(lib.oct_writer_open(_name(path), options, out, diag), diag)
    try:
        for chunk in itertools.chain(first, rest):
            for piece in split(with_stamps_that_count(checked(chunk))):
                check(lib.oct_writer_put(out[0], make_batch(piece), diag), diag)
    except BaseException:
        lib.oct_writer_abort(out[0])
        raise
    check(lib.oct_writer_commit(out[0], diag), diag)
