# SPDX-License-Identifier: Apache-2.0
"""octrace: traces of processors as numpy arrays, and what on-chip compressors make of them.

    import octrace
    with octrace.open("a.oct") as trace:
        for chunk in trace:
            print(len(chunk.insns), chunk.accesses["addr"].max())

See docs/python.md.
"""
from ._arrays import (
    ACCESS,
    FACT,
    FACT_GAP,
    FACT_MEMORY,
    FACT_REGISTER,
    GAP_CAUSES,
    PRIVILEGE_UNKNOWN,
    TRAP,
    TRAP_EXCEPTION,
    TRAP_INTERRUPT,
    TRAP_PRIVILEGE,
    CLASS_SHIFT,
    CLASSES,
    FLAG_END,
    FLAG_HAS_CYCLE,
    FLAG_PARTIAL,
    INSN,
    MAP_ENTRY,
)
from .errors import OctraceError
from ._chunk import Chunk
from ._formats import formats
from ._sweep import frame, sweep
from ._write import write
from .session import Session, SessionGap
from .trace import Trace, TraceInfo, open, read
from .tracer import Parameter, Result, Tracer, compress, decompress, tracers

__all__ = [
    "ACCESS",
    "PRIVILEGE_UNKNOWN",
    "TRAP",
    "TRAP_EXCEPTION",
    "TRAP_INTERRUPT",
    "TRAP_PRIVILEGE",
    "CLASSES",
    "CLASS_SHIFT",
    "Chunk",
    "FACT",
    "FACT_GAP",
    "FACT_MEMORY",
    "FACT_REGISTER",
    "FLAG_END",
    "FLAG_HAS_CYCLE",
    "FLAG_PARTIAL",
    "GAP_CAUSES",
    "INSN",
    "MAP_ENTRY",
    "OctraceError",
    "Parameter",
    "Result",
    "Session",
    "SessionGap",
    "Trace",
    "TraceInfo",
    "Tracer",
    "compress",
    "decompress",
    "formats",
    "frame",
    "open",
    "read",
    "sweep",
    "tracers",
    "write",
]
