# SPDX-License-Identifier: Apache-2.0
"""Traces as numpy arrays: reading every format that octrace reads."""
from __future__ import annotations

import os
import threading
import warnings
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Sequence, Union

import numpy as np

from ._arrays import ACCESS, INSN, MAP_ENTRY, TRAP, copy_array, copy_values, ffi, lib
from ._chunk import Chunk, PathLike, c_text, cut, in_range, join, limit_of
from ._formats import format_of, name_of, text_of
from ._opened import Opened
from .errors import check, new_diag

ProgramFile = Union[PathLike, "tuple[PathLike, int]"]


def _program_file(file: ProgramFile) -> tuple[PathLike, int]:
    path, bias = file if isinstance(file, tuple) and len(file) == 2 else (file, 0)
    if not isinstance(path, (str, bytes, os.PathLike)) or not isinstance(bias, (int, np.integer)):
        raise TypeError(f"elf: expected a path, or a pair of path and bias; found {file!r}")
    if not os.fspath(path):
        raise ValueError("elf: expected the name of a file; found an empty one")
    return path, int(bias)


def _program_files(elf: Union[None, ProgramFile, Sequence[ProgramFile]], elf_bias: int) -> list[tuple[PathLike, int]]:
    """Files of a program with what was added to the addresses of each. elf_bias is that of a file alone."""
    if elf is None:
        return []
    if isinstance(elf, (str, bytes, os.PathLike)):
        return [_program_file((elf, elf_bias))]
    if elf_bias:
        raise ValueError("elf_bias: expected 0 beside a list of files; give a file as (path, bias)")
    if not isinstance(elf, (list, tuple)):
        raise TypeError(f"elf: expected a path, or a list of files; found {type(elf).__name__}")
    is_pair = isinstance(elf, tuple) and len(elf) == 2 and isinstance(elf[1], (int, np.integer))
    files = [_program_file(file) for file in ([elf] if is_pair else elf)]
    if len(files) > lib.OCT_MORE_FILES_MAX + 1:
        raise ValueError(f"elf: expected at most {lib.OCT_MORE_FILES_MAX + 1} files; found {len(files)}")
    return files


def read_options(
    *,
    format: Optional[str] = None,
    isa: Optional[str] = None,
    elf: Union[None, ProgramFile, Sequence[ProgramFile]] = None,
    elf_bias: int = 0,
    insn_bytes: int = 0,
    max_map: int = 0,
    otherwise: Optional[str] = None,
) -> tuple[Any, list[Any]]:
    """Options of a reader as C takes them, and their strings, which have to live as long as the reader."""
    options = ffi.new("oct_read_options *")
    options.format, params = format_of(format)
    options.otherwise = format_of(otherwise, "otherwise")[0]
    options.insn_bytes = in_range(insn_bytes, 0, 15, "insn_bytes")
    options.map_max = in_range(max_map, 0, (1 << 64) - 1, "max_map")
    in_range(elf_bias, 0, (1 << 64) - 1, "elf_bias")
    strings = [params]

    def keep(text: PathLike, what: str) -> Any:
        strings.append(ffi.new("char[]", c_text(text, what)))
        return strings[-1]

    options.params = params
    options.isa = ffi.NULL if isa is None else keep(isa, "isa")
    for i, (file, bias) in enumerate(_program_files(elf, elf_bias)):
        in_range(bias, 0, (1 << 64) - 1, "bias")
        if i == 0:
            options.elf, options.elf_bias = keep(file, "elf"), bias
        else:
            options.more[i - 1].path, options.more[i - 1].bias = keep(file, "elf"), bias
            options.n_more = i
    return options, strings


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


class Trace(Opened):
    """A trace that is open for reading. Use it in a `with` statement, or call close().

    It is read once, from the beginning: iterate over it, or call read(). Threads that iterate over the same
    trace share its chunks: each gets others. It cannot be copied.
    """

    _what = "trace"

    def __init__(
        self,
        path: PathLike,
        *,
        format: Optional[str] = None,
        isa: Optional[str] = None,
        elf: Union[None, ProgramFile, Sequence[ProgramFile]] = None,
        elf_bias: int = 0,
        insn_bytes: int = 0,
        skip: int = 0,
        max_map: int = 0,
        otherwise: Optional[str] = None,
    ):
        """Open the trace at path ("-" is standard input). gzip, bzip2, xz and zstd are undone.

        format: its name; None finds it by content. Streams of trace units take parameters, as in
            "etrace:addr_bits=64,implicit_return=1".
        isa: the instruction set, of a format that leaves it open.
        elf, elf_bias: path of the program, and the number that was added to its addresses. elf may also be a
            pair (path, bias), or a list of paths and pairs: the program and its libraries. At the end of
            the trace there is a warning for each file that has none of its instructions, or other ones.
        insn_bytes: size of instructions in bytes, 1 to 15, of a format that leaves it open; 0 is its default.
        skip: instructions to leave out at the beginning.
        max_map: most entries of the program map (0 is the library's default, 4194304).
        otherwise: format of a file whose content tells none, such as "da64" for raw addresses.
        OctraceError: the file cannot be opened or is no trace. ValueError: no such format, a number that
            cannot be, or a skip that leaves nothing.
        """
        skip = in_range(skip, 0, (1 << 64) - 1, "skip")
        options, self._strings = read_options(
            format=format, isa=isa, elf=elf, elf_bias=elf_bias, insn_bytes=insn_bytes, max_map=max_map,
            otherwise=otherwise)
        self._lock = threading.Lock()  # the library reads and closes a trace in one thread at a time
        out = ffi.new("oct_reader **")
        diag = new_diag()
        check(lib.oct_reader_open(name_of(path), options, out, diag), diag)
        self._handle = out[0]
        self._next_insn = skip
        self._has_ended = False
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
            format=text_of(lib.oct_format_name(i.format)),
            isa=text_of(i.isa),
            origin=text_of(i.origin),
            command=text_of(i.command),
            addr_bits=i.addr_bits,
            insn_align_bytes=i.insn_align_bytes,
            n_insns=i.n_insns,
            n_accesses=i.n_accesses,
        )

    def _peek(self, batch: Any) -> int:
        """1 and the batch that comes next, 0 at the end, or an error, which the next reading tells."""
        with self._lock:
            return int(lib.oct_reader_peek(self._open_handle(), batch, ffi.NULL))

    def found_alignment(self) -> int:
        """The alignment of instructions in bytes: what the trace says, or, where it says 1 and names no
        instruction set, what the next (at most 65,536) instructions have in common."""
        batch = ffi.new("oct_batch *")
        n = batch.n_insns if self._peek(batch) > 0 else 0
        return int(lib.oct_find_alignment(lib.oct_reader_info(self._open_handle()), batch.insns, n))

    def __iter__(self) -> Iterator[Chunk]:
        """Chunks of at most 65,536 instructions, until the end. OctraceError: the file is damaged;
        everything that stands before the damage has come by then. ValueError: the trace was read to its end before."""
        if self._has_ended:
            raise ValueError("the trace was read to its end: open it again to read it once more")
        batch = ffi.new("oct_batch *")
        diag = new_diag()
        while True:
            with self._lock:
                if not self._has_ended and check(lib.oct_reader_next(self._open_handle(), batch, diag), diag):
                    accesses, facts, values = copy_values(batch)
                    chunk = Chunk(
                        copy_array(batch.insns, batch.n_insns, INSN),
                        accesses,
                        copy_array(batch.map, batch.n_map, MAP_ENTRY),
                        self._next_insn,
                        copy_array(batch.traps, batch.n_traps, TRAP),
                        *self._kind(),
                        facts,
                        values,
                    )
                    self._next_insn += len(chunk.insns)
                elif self._has_ended:  # another thread told of the program
                    return
                else:
                    self._has_ended = True
                    break
            yield chunk
        self._warn_of_end()
        self._warn_of_program()

    def _warn_of_end(self) -> None:
        """Of a text that may be cut off."""
        is_open = lib.oct_reader_is_line_open(self._open_handle())
        if is_open:
            left_out = " and is left out" if is_open > 1 else ""
            warnings.warn(f"the last line of the trace has no line end{left_out}: it may be cut off", stacklevel=3)

    def _warn_of_program(self) -> None:
        """Of files of the program in which nothing of the trace lies, or that differ from it, once it has been read."""
        program = lib.oct_reader_program(self._open_handle())
        met = lib.oct_reader_met(self._open_handle())
        n = 0 if program == ffi.NULL or not self._next_insn else lib.oct_program_n_images(program)
        for i in range(n):
            file = text_of(lib.oct_program_images(program)[i].path)
            bias, n_told, first = (ffi.new("uint64_t *") for _ in range(3))
            if met != ffi.NULL and lib.oct_program_is_used(program, i, met):
                n_differing = lib.oct_reader_differing(self._open_handle(), i, n_told, first)
                if n_differing:
                    warnings.warn(f"{file}: {n_differing} of {n_told[0]} instructions differ in the trace, "
                                  f"which is right, the first at {first[0]:#x}", stacklevel=3)
                continue
            if met != ffi.NULL and lib.oct_program_find_bias(program, i, met, bias):
                warnings.warn(f"{file}: it was loaded elsewhere: give it with the bias {bias[0]:#x}", stacklevel=3)
            else:
                warnings.warn(f"{file}: no instruction of the trace is in it: if it was loaded elsewhere, give its bias",
                              stacklevel=3)

    @property
    def gaps(self) -> int:
        """At how many places so far instructions are missing; each is a fact (FACT_GAP) of a chunk."""
        return int(lib.oct_reader_gaps(self._open_handle()))

    def _kind(self) -> tuple[str, int, int]:
        info = lib.oct_reader_info(self._open_handle())
        return text_of(info.isa), info.addr_bits, info.insn_align_bytes

    def read(self, limit: Optional[int] = None) -> Chunk:
        """All that is left, or at least `limit` instructions cut to that number, as one chunk. What a
        limit cuts off is gone: open the trace again with skip to go on."""
        limit = limit_of(limit)
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
        joined = join(chunks)
        return joined if limit is None else cut(joined, limit)

    def _free(self, handle: Any) -> None:
        lib.oct_reader_close(handle)


def open(path: PathLike, **options: Any) -> Trace:
    """Open a trace for reading: Trace(path, ...)."""
    return Trace(path, **options)


def read(path: PathLike, limit: Optional[int] = None, **options: Any) -> Chunk:
    """A whole trace, or its first `limit` instructions, as one chunk. Options as Trace takes them."""
    with Trace(path, **options) as trace:
        return trace.read(limit)


