# SPDX-License-Identifier: Apache-2.0
"""_write.py - traces from arrays."""
from __future__ import annotations

import itertools
from typing import Iterable, Iterator, Optional, Union

import numpy as np

from ._arrays import ACCESS, FLAG_HAS_CYCLE, INSN, MAP_ENTRY, ffi, lib
from ._chunk import Chunk, PathLike, c_text, checked, in_range, machine_of, make_batch, split
from ._formats import format_of, name_of
from .errors import check, new_diag


def with_stamps_that_count(chunk: Chunk) -> Chunk:
    """The checked chunk. ValueError: a time stamp would be lost, as no flag says that it is one."""
    lost = np.nonzero((chunk.insns["cycle"] != 0) & (chunk.insns["flags"] & FLAG_HAS_CYCLE == 0))[0]
    if len(lost):
        raise ValueError(f"insns[{lost[0]}]: cycle: expected 0, or FLAG_HAS_CYCLE in flags; "
                         f"found {chunk.insns['cycle'][lost[0]]}")
    return chunk


def chunks_of(chunks: Union[Chunk, Iterable[Chunk]]) -> Iterator[Chunk]:
    """One chunk or several, one after the other. TypeError: there is something else."""
    wanted = "chunks: expected a Chunk, or an iterable of them"
    if not isinstance(chunks, (Chunk, Iterable)):
        raise TypeError(f"{wanted}; found {type(chunks).__name__}")
    for chunk in [chunks] if isinstance(chunks, Chunk) else chunks:
        if not isinstance(chunk, Chunk):
            raise TypeError(f"{wanted}; found {type(chunks).__name__} of {type(chunk).__name__}")
        yield chunk


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
    block_insns: int = 0,
) -> None:
    """Write a trace. The file appears under its name once all of it has been written.

    chunks: one chunk, or any iterable of them. Structured arrays may lack fields, which are then 0;
        every instruction and every entry of the map needs size_bytes from 1 to 15. Only
        FLAG_HAS_CYCLE of an instruction's flags is kept; decoding finds the others again.
    isa, origin, command, addr_bits, insn_align_bytes: the head of the trace. isa may be any name, addr_bits
        is 32 or 64, insn_align_bytes 1, 2, 4 or 8. Each of these three is the (first) chunk's unless given. If
        that leaves addr_bits open, one chunk has as many as its addresses need, several have 64.
    format: its name. Streams of trace units take parameters, as in "etrace:implicit_return=1".
    level: of zstd, 1 to 22; 0 is the default (native format only).
    block_insns: instructions of a block, up to 65536; 0 is the default, 65536 (native format only).
    OctraceError: it cannot be written. ValueError, TypeError: the arrays do not fit each other.
    """
    rest = chunks_of(chunks)
    first = [checked(chunk) for chunk in itertools.islice(rest, 1)]
    said = first[0] if first else Chunk(*(np.empty(0, dtype) for dtype in (INSN, ACCESS, MAP_ENTRY)))
    width = machine_of(said)[1] if isinstance(chunks, Chunk) else said.addr_bits or 64
    isa = said.isa if isa is None else isa
    said_of_itself = {"isa": isa, "origin": origin, "command": command}
    strings = [ffi.new("char[]", c_text(text, name)) for name, text in said_of_itself.items()]
    if not isa.isprintable():
        raise ValueError(f"isa: expected a printable name; found {isa!r}")
    info = ffi.new("oct_trace_info *")
    info.isa, info.origin, info.command = strings
    info.addr_bits = width if addr_bits is None else in_range(addr_bits, 0, (1 << 32) - 1, "addr_bits")
    align = said.insn_align_bytes if insn_align_bytes is None else insn_align_bytes
    info.insn_align_bytes = in_range(align, 0, (1 << 32) - 1, "insn_align_bytes")
    options = ffi.new("oct_write_options *")
    options.format, params = format_of(format)
    options.params = params
    options.level = in_range(level, 0, 22, "level")
    options.block_insns = in_range(block_insns, 0, 65536, "block_insns")
    options.info = info
    out = ffi.new("oct_writer **")
    diag = new_diag()
    check(lib.oct_writer_open(name_of(path), options, out, diag), diag)
    try:
        for chunk in itertools.chain(first, rest):
            for piece in split(with_stamps_that_count(checked(chunk))):
                check(lib.oct_writer_put(out[0], make_batch(piece), diag), diag)
    except BaseException:
        lib.oct_writer_abort(out[0])
        raise
    check(lib.oct_writer_commit(out[0], diag), diag)
